// SPDX-License-Identifier: Apache-2.0
use crate::effect::{Effect, Input};
use crate::round::Scale;
use crate::stream::{RawCall, Stream};
use crate::{Standing, Toolbox, context};
use bailey_policy::{Agreement, CallHistory, Origins, ToolFacts, ToolKind};
use bailey_protocol::journal::{Entry, ParentRun, Record};
use bailey_protocol::model::{Finish, Reply};
use bailey_protocol::{
    Ask, Block, Budget, Call, CallId, CallState, ConversationId, DeltaKind, Labels, Ledger, LeftOut, Message,
    MessageId, MessageStatus, Millis, Mode, ModelChoice, Retrying, Role, RunError, RunErrorKind, RunId, RunState,
    RunView, Source, Target,
};
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// How long a confirmation or a question waits for the person, in milliseconds.
pub const ASK_MS: u32 = 300_000;

/// An answer longer than this is cut off, in bytes.
const LONGEST_ANSWER: usize = 2 * 1024 * 1024;
/// An answer with more calls is cut off.
const MOST_CALLS: usize = 256;
/// How long an answer may take where the budget sets no limit, in milliseconds.
const LONGEST_ANSWER_MS: u64 = 600_000;
/// What the last answer of a run may take beyond its budget, in milliseconds.
const GRACE_MS: u64 = 120_000;

/// What a run is, from its beginning on.
#[derive(Clone, Debug)]
pub struct Brief {
    /// Its id; the ids of its messages, calls and questions are made from it.
    pub run: RunId,
    /// Its conversation.
    pub conversation: ConversationId,
    /// The user message it answers: the last of the context.
    pub prompt: MessageId,
    /// Its mode.
    pub mode: Mode,
    /// Its model.
    pub model: ModelChoice,
    /// What it may spend.
    pub budget: Budget,
    /// Random; marks the wrappers of outside text.
    pub nonce: String,
    /// The automation that started it, when nobody watches.
    pub automation: Option<String>,
    /// The call that started it, when it is a sub-agent's.
    pub parent: Option<ParentRun>,
    /// What a sub-agent knows from its parent: marks, and where values come from.
    pub inherited: Option<Arc<Inherited>>,
    /// When it began.
    pub started: Millis,
}

/// What a sub-agent takes over from the run that started it. Its task is its parent's text and nobody's word.
#[derive(Clone, Debug, Default)]
pub struct Inherited {
    /// The marks of what the parent had seen.
    pub labels: Labels,
    /// The person's words, trusted results and private values.
    pub origins: Origins,
}

impl Brief {
    /// The conversation of the person: at the root, when this is a sub-agent's run.
    pub fn root(&self) -> &ConversationId {
        self.parent.as_ref().map_or(&self.conversation, |parent| &parent.conversation)
    }

    /// 0 for a run of the person's, 1 for its sub-agents, 2 for theirs.
    pub fn depth(&self) -> u32 {
        self.parent.as_ref().map_or(0, |parent| parent.depth)
    }
}

/// The deepest sub-agents: they start no others.
pub const DEEPEST: u32 = 2;

/// An open question.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) ask: Ask,
    /// The digest of the tool's definition it is bound to.
    pub(crate) tool_digest: String,
    pub(crate) deadline: Option<Millis>,
}

/// One run, from the user message to the answer.
#[derive(Debug)]
pub struct Turn {
    pub(crate) brief: Brief,
    pub(crate) toolbox: Arc<Toolbox>,
    pub(crate) standing: Standing,
    /// The branch down to the prompt, then this run's own messages.
    pub(crate) messages: Vec<Message>,
    pub(crate) labels: Labels,
    pub(crate) origins: Origins,
    pub(crate) ledger: Ledger,
    pub(crate) history: CallHistory,
    /// What the person agreed to and has not run yet.
    pub(crate) agreements: Vec<Agreement>,
    /// What calls of the last round would touch, as far as it was looked up.
    pub(crate) targets: HashMap<CallId, Result<Target, String>>,
    /// Calls whose target is being looked up.
    pub(crate) looking: Vec<CallId>,
    /// What the screen showed last.
    pub(crate) screen: Option<String>,
    /// The apps that the person lets this run use.
    pub(crate) apps: BTreeSet<String>,
    /// Open questions, oldest first.
    pub(crate) asked: Vec<Asked>,
    pub(crate) asks_made: u32,
    pub(crate) state: RunState,
    pub(crate) error: Option<RunError>,
    pub(crate) resumed: bool,
    pub(crate) phase: Phase,
    pub(crate) closing: bool,
    /// Whether the round under way is to write a summary.
    pub(crate) summarising: bool,
    /// What the person let be spent beyond the caps: of the run, of the day.
    pub(crate) spend_more: (u64, u64),
    /// The run's requests have at most this many bytes: more was too long.
    pub(crate) shortened: Option<u32>,
    /// The round whose request was shortened and sent again; that is done once a round.
    pub(crate) compressed_in: u32,
    pub(crate) scale: Scale,
    pub(crate) retrying: Option<Retrying>,
    /// The model the run began with, when another took over.
    pub(crate) instead_of: Option<ModelChoice>,
    pub(crate) left_out: Vec<LeftOut>,
    clock: Millis,
    pending: Vec<Record>,
    pub(crate) synced: bool,
    pub(crate) effects: Vec<Effect>,
}

#[derive(Debug)]
pub(crate) enum Phase {
    /// Nothing is under way; `Go` decides what comes next.
    Idle,
    Streaming(Stream),
    /// It is being found out what calls would touch.
    Looking,
    /// A question is open.
    Waiting,
    /// These calls run: one, or sub-agents.
    Running(Vec<CallId>),
    Over,
}

impl Turn {
    /// A run that has not begun. `messages` is the branch from the root to the prompt.
    pub fn new(brief: Brief, toolbox: Arc<Toolbox>, messages: Vec<Message>) -> Self {
        let mut labels = context::labels(&messages);
        let mut origins = Origins::default();
        if let Some(inherited) = &brief.inherited {
            labels.join(&inherited.labels);
            origins.inherit(&inherited.origins);
        }
        for message in messages.iter().filter(|m| m.role == Role::Assistant || brief.parent.is_none()) {
            origins.take(message, |name| toolbox.get(name).map(|d| d.spec));
        }
        let clock = brief.started;
        Self {
            brief,
            toolbox,
            standing: Standing::default(),
            messages,
            labels,
            origins,
            ledger: Ledger::default(),
            history: CallHistory::default(),
            agreements: Vec::new(),
            targets: HashMap::new(),
            looking: Vec::new(),
            screen: None,
            apps: BTreeSet::new(),
            asked: Vec::new(),
            asks_made: 0,
            state: RunState::Running,
            error: None,
            resumed: false,
            phase: Phase::Idle,
            closing: false,
            summarising: false,
            spend_more: (0, 0),
            shortened: None,
            compressed_in: 0,
            scale: Scale::default(),
            retrying: None,
            instead_of: None,
            left_out: Vec::new(),
            clock,
            pending: Vec::new(),
            synced: false,
            effects: Vec::new(),
        }
    }

    /// Tells the turn of the world around it.
    pub fn set_standing(&mut self, standing: Standing) {
        self.standing = standing;
    }

    /// Takes one input at this moment; the effects are to be carried out in order.
    pub fn step(&mut self, input: Input, now: Millis) -> Vec<Effect> {
        self.pass_time(now);
        match input {
            _ if matches!(self.phase, Phase::Over) => {}
            Input::StorageFailed(what) => self.storage_failed(what),
            Input::Go => self.go(now),
            Input::Model(reply) => self.heard(reply, now),
            Input::ModelFailed(error) => self.model_failed(error, now),
            Input::Fallback(model) => self.fall_back(model, now),
            Input::ToolDone { call, result, ms } => self.tool_done(&call, result, ms, now),
            Input::Looked { call, target } => self.looked(call, target, now),
            Input::Answered { ask, answer } => self.answered(&ask, answer, now),
            Input::Stop => self.stop(now),
            Input::Tick => self.expire(now),
        }
        self.flushed()
    }

    /// Whether the run has ended.
    pub fn is_over(&self) -> bool {
        matches!(self.phase, Phase::Over)
    }

    /// When a `Tick` is wanted.
    pub fn deadline(&self) -> Option<Millis> {
        self.asked.iter().filter_map(|asked| asked.deadline).min()
    }

    /// The open questions, oldest first, with the time each has left.
    pub fn open_asks(&self, now: Millis) -> Vec<Ask> {
        let left = |deadline: Millis| u32::try_from((deadline - now).max(0)).unwrap_or(u32::MAX);
        self.asked.iter().map(|asked| Ask { left_ms: asked.deadline.map(left), ..asked.ask.clone() }).collect()
    }

    /// The run, for showing.
    pub fn view(&self) -> RunView {
        RunView {
            id: self.brief.run.clone(),
            conversation: self.brief.conversation.clone(),
            mode: self.brief.mode,
            state: self.state,
            error: self.error.clone(),
            started: self.brief.started,
            ledger: self.ledger,
            budget: self.brief.budget,
            resumed: self.resumed,
            unattended: self.brief.automation.is_some(),
            parent: self.brief.parent.as_ref().map(|parent| parent.run.clone()),
            call: self.brief.parent.as_ref().map(|parent| parent.call.clone()),
            model: Some(self.brief.model.clone()),
            instead_of: self.instead_of.clone(),
            window: self.standing.facts.window,
            compressed: self.shortened.is_some(),
            left_out: self.left_out.clone(),
            retrying: self.retrying.filter(|_| matches!(self.phase, Phase::Streaming(_))),
        }
    }

    /// A message of this run or of the branch before it, as it is now.
    pub fn message(&self, id: &MessageId) -> Option<Message> {
        let mut message = self.messages.iter().rev().find(|m| m.id == *id)?.clone();
        if let Phase::Streaming(stream) = &self.phase
            && stream.message == *id
        {
            message.blocks = stream.blocks.clone();
        }
        Some(message)
    }

    /// The model the run talks to.
    pub fn model(&self) -> &ModelChoice {
        &self.brief.model
    }

    /// What is told of the run besides its journal: an attempt that waits, tools that were left out.
    pub fn passing(&self) -> (Option<Retrying>, usize) {
        (self.retrying, self.left_out.len())
    }

    /// Whether a message is the first that this run added.
    pub fn is_first(&self, id: &MessageId) -> bool {
        self.messages.iter().find(|m| m.run == self.brief.run && m.role == Role::Assistant).is_some_and(|m| m.id == *id)
    }

    /// The join of all marks in the context.
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// What a sub-agent that is started now takes over.
    pub fn inheritance(&self) -> Inherited {
        Inherited { labels: self.labels.clone(), origins: self.origins.clone() }
    }

    /// What the run is.
    pub fn brief(&self) -> &Brief {
        &self.brief
    }

    /// What the run says when it is over: the text of its last message.
    pub fn report(&self) -> String {
        self.messages.iter().rev().find(|m| m.role == Role::Assistant).map(Message::text).unwrap_or_default()
    }

    /// Whether a call is of a tool that keeps Bailey's own books.
    pub fn is_internal(&self, call: &CallId) -> bool {
        self.find_call(call).is_some_and(|call| self.facts(&call.tool).internal)
    }

    /// The message that holds a call.
    pub fn message_of(&self, call: &CallId) -> Option<&MessageId> {
        self.messages.iter().rev().find(|m| m.calls().any(|c| c.id == *call)).map(|m| &m.id)
    }

    /// Work counts against the budget; waiting for a person does not.
    pub(crate) fn pass_time(&mut self, now: Millis) {
        if matches!(self.phase, Phase::Streaming(_) | Phase::Running(_)) {
            self.ledger.active_ms += u64::try_from(now - self.clock).unwrap_or(0);
        }
        self.clock = now;
    }

    pub(crate) fn set_clock(&mut self, now: Millis) {
        self.clock = now;
    }

    pub(crate) fn note(&mut self, entry: Entry, now: Millis) {
        self.apply(&entry, now);
        self.pending.push(Record { at: now, entry });
    }

    pub(crate) fn flush(&mut self) {
        if !self.pending.is_empty() {
            let records = std::mem::take(&mut self.pending);
            self.effects.push(Effect::Journal { records, synced: std::mem::take(&mut self.synced) });
        }
    }

    pub(crate) fn flushed(&mut self) -> Vec<Effect> {
        self.flush();
        std::mem::take(&mut self.effects)
    }

    pub(crate) fn storage_failed(&mut self, what: String) {
        self.pending.clear();
        match self.phase {
            Phase::Streaming(_) => self.effects.push(Effect::AbortRequest),
            Phase::Running(_) => self.effects.push(Effect::AbortTools),
            _ => {}
        }
        self.phase = Phase::Over;
        self.state = RunState::Failed;
        self.error = Some(RunError::new(RunErrorKind::Storage, what));
        self.asked.clear();
    }

    pub(crate) fn go(&mut self, now: Millis) {
        if matches!(self.phase, Phase::Idle) {
            self.proceed(now);
        }
    }

    // The model.

    pub(crate) fn heard(&mut self, reply: Reply, now: Millis) {
        if !matches!(reply, Reply::Finish { .. }) && self.is_endless() {
            return self.cut_off(now);
        }
        let Phase::Streaming(stream) = &mut self.phase else { return };
        if !matches!(reply, Reply::Retry { .. } | Reply::LeftOut { .. }) {
            self.retrying = None;
        }
        let message = stream.message.clone();
        let delta = |kind, text: String| Effect::Delta { message: message.clone(), kind, text };
        match reply {
            Reply::Retry { kind, wait_ms } => return self.retried(kind, wait_ms, now),
            Reply::LeftOut { tool, reason } => {
                if self.left_out.iter().all(|known| known.tool != tool) {
                    self.left_out.push(LeftOut { tool, reason });
                }
            }
            Reply::Item { kind, data } => return self.item(kind, data, now),
            Reply::Native { native } => {
                stream.count(native.items.len());
                stream.native = Some(native);
            }
            Reply::Text { text } => {
                stream.text(&text, now);
                self.effects.push(delta(DeltaKind::Text, text));
            }
            Reply::Reasoning { text } => {
                stream.reasoning(&text, now);
                self.effects.push(delta(DeltaKind::Reasoning, text));
            }
            Reply::CallBegan { name } => {
                stream.count(name.len());
                stream.end_thinking(now);
                self.effects.push(delta(DeltaKind::Call, name));
            }
            Reply::Call { id, name, arguments } => {
                stream.count(id.len() + name.len() + arguments.len());
                stream.end_thinking(now);
                stream.calls.push(RawCall { id, name, arguments });
            }
            Reply::Usage { usage } => {
                stream.usage = Some(usage);
                self.scale.counted(usage.input);
            }
            Reply::Finish { finish } => return self.finished(finish, now),
        }
        if let Some((text, reasoning)) = stream.checkpoint(now) {
            self.note(Entry::Checkpoint { message, text, reasoning, labels: Labels::none() }, now);
        }
    }

    /// What a provider brings by itself, its search say, was written by other people. The mark is kept at once: what the
    /// model says next has seen it.
    fn item(&mut self, kind: String, data: Value, now: Millis) {
        let Phase::Streaming(stream) = &mut self.phase else { return };
        let source = Source { tool: "provider".to_owned(), detail: Some(kind.clone()) };
        let labels = Labels { outside: vec![source], private: Vec::new() };
        let message = stream.message.clone();
        let (text, reasoning) = stream.unsaved(now);
        stream.item(kind, data, now);
        self.note(Entry::Checkpoint { message, text, reasoning, labels }, now);
    }

    /// Whether an answer goes on past all measure: a small model can fall into a loop.
    pub(crate) fn is_endless(&self) -> bool {
        let Phase::Streaming(stream) = &self.phase else { return false };
        let limit = self.brief.budget.active_ms.map_or(LONGEST_ANSWER_MS, u64::from);
        stream.bytes() > LONGEST_ANSWER || stream.calls.len() > MOST_CALLS || self.ledger.active_ms > limit + GRACE_MS
    }

    pub(crate) fn cut_off(&mut self, now: Millis) {
        let Phase::Streaming(mut stream) = std::mem::replace(&mut self.phase, Phase::Idle) else { return };
        self.effects.push(Effect::AbortRequest);
        stream.end_thinking(now);
        let blocks = std::mem::take(&mut stream.blocks);
        self.round_closed(stream, blocks, MessageStatus::Truncated, now);
        let message = "The answer did not come to an end and was cut off. Try again, or use another model.";
        self.close(RunState::Failed, Some(RunError::new(RunErrorKind::Budget, message)), now);
    }

    pub(crate) fn finished(&mut self, finish: Finish, now: Millis) {
        let Phase::Streaming(mut stream) = std::mem::replace(&mut self.phase, Phase::Idle) else { return };
        stream.end_thinking(now);
        let empty = !stream.has_content() && stream.calls.is_empty();
        let calls_run = Stream::calls_are_whole(finish);
        let calls = std::mem::take(&mut stream.calls);
        let mut blocks = std::mem::take(&mut stream.blocks);
        for (at, raw) in calls.into_iter().enumerate() {
            blocks.push(Block::Call { call: self.call(raw, at) });
        }
        let status = match finish {
            Finish::Length => MessageStatus::Truncated,
            Finish::Refused => MessageStatus::Refused,
            Finish::Stop | Finish::Calls => MessageStatus::Complete,
        };
        self.round_closed(stream, blocks, status, now);
        if !calls_run {
            self.end_open_calls(
                CallState::Cancelled,
                "The answer was cut by the output limit before this call, so it was not run. Make it again, with less text.",
                now,
            );
        }
        let fail = |kind, message: &str| Some(RunError::new(kind, message));
        if self.summarising {
            return self.proceed(now);
        }
        match finish {
            Finish::Refused => self.close(
                RunState::Failed,
                fail(
                    RunErrorKind::Refused,
                    "The provider's filter stopped the answer. Put it another way, or use another model.",
                ),
                now,
            ),
            _ if empty => self.close(
                RunState::Failed,
                fail(RunErrorKind::Server, "The model sent an empty answer. Try again, or use another model."),
                now,
            ),
            _ => self.proceed(now),
        }
    }

    /// A call as the model wrote it, its arguments read and mended as far as they can be.
    pub(crate) fn call(&self, raw: RawCall, at: usize) -> Call {
        let round = self.ledger.rounds;
        let (arguments, repairs) = match self.toolbox.check(&raw.name, &raw.arguments) {
            Ok(checked) => checked,
            Err(_) => (Value::String(raw.arguments), Vec::new()),
        };
        Call {
            id: CallId::new(format!("{}-c{round}.{}", self.brief.run, at + 1)),
            provider_id: raw.id,
            tool: raw.name,
            arguments,
            state: CallState::Pending,
            parts: Vec::new(),
            denial: None,
            repairs,
            recovery: None,
            ms: 0,
        }
    }

    pub(crate) fn round_closed(&mut self, stream: Stream, blocks: Vec<Block>, status: MessageStatus, now: Millis) {
        let labels = self.labels.clone();
        // Only a whole message can be sent back as its provider wrote it.
        let usage = self.counted(&stream);
        let native = stream.native.filter(|_| status == MessageStatus::Complete);
        let closed = Entry::RoundClosed { message: stream.message, blocks, status, labels, usage, native };
        self.note(closed, now);
    }

    pub(crate) fn close(&mut self, state: RunState, error: Option<RunError>, now: Millis) {
        self.note(Entry::Closed { state, error, ledger: self.ledger }, now);
    }

    pub(crate) fn find_call(&self, id: &CallId) -> Option<&Call> {
        self.messages.iter().rev().flat_map(|m| m.calls()).find(|c| c.id == *id)
    }

    pub(crate) fn facts(&self, tool: &str) -> ToolFacts {
        // A tool that is gone since it was called is taken for the worst.
        self.toolbox.get(tool).map_or(
            ToolFacts {
                danger: bailey_protocol::Danger::High,
                outside: true,
                private: true,
                egress: true,
                never_unattended: true,
                ..ToolFacts::LOW
            },
            |d| d.spec.facts,
        )
    }

    pub(crate) fn is_agent(&self, tool: &str) -> bool {
        self.toolbox.get(tool).is_some_and(|d| d.spec.kind == ToolKind::Agent)
    }

    pub(crate) fn is_question(&self, tool: &str) -> bool {
        self.toolbox.get(tool).is_some_and(|d| d.spec.kind == ToolKind::Ask)
    }
}
