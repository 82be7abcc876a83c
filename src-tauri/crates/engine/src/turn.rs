// SPDX-License-Identifier: Apache-2.0
use crate::effect::{Effect, Input};
use crate::stream::{RawCall, Stream};
use crate::{Standing, Toolbox, arguments, context};
use bailey_policy::{
    Agreement, Approval, Attendance, CallHistory, Grant, GrantScope, InvalidArguments, Question, Signature, ToolFacts,
    ToolKind, Verdict, gate,
};
use bailey_protocol::journal::{Entry, Record};
use bailey_protocol::model::{Finish, Reply};
use bailey_protocol::{
    Answer, Ask, AskId, AskKind, Block, Budget, Call, CallId, CallState, ConversationId, DeltaKind, Denial, DenialCode,
    Labels, Ledger, Message, MessageId, MessageStatus, Millis, Mode, ModelChoice, Part, Reason, Role, RunError,
    RunErrorKind, RunId, RunState, RunView, Source,
};
use serde_json::Value;
use std::sync::Arc;

/// How long a confirmation or a question waits for the person, in milliseconds.
pub const ASK_MS: u32 = 300_000;

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
    /// When it began.
    pub started: Millis,
}

/// One run, from the user message to the answer.
#[derive(Debug)]
pub struct Turn {
    pub(crate) brief: Brief,
    toolbox: Arc<Toolbox>,
    standing: Standing,
    /// The branch down to the prompt, then this run's own messages.
    pub(crate) messages: Vec<Message>,
    pub(crate) labels: Labels,
    pub(crate) ledger: Ledger,
    pub(crate) history: CallHistory,
    pub(crate) agreement: Option<Agreement>,
    /// The open question, with the digest of the tool's definition it is bound to.
    pub(crate) asked: Option<(Ask, String)>,
    pub(crate) deadline: Option<Millis>,
    pub(crate) asks_made: u32,
    pub(crate) state: RunState,
    pub(crate) error: Option<RunError>,
    pub(crate) resumed: bool,
    pub(crate) phase: Phase,
    closing: bool,
    clock: Millis,
    pending: Vec<Record>,
    synced: bool,
    effects: Vec<Effect>,
}

#[derive(Debug)]
pub(crate) enum Phase {
    /// Nothing is under way; `Go` decides what comes next.
    Idle,
    Streaming(Stream),
    /// A question is open.
    Waiting,
    Running(CallId),
    Over,
}

impl Turn {
    /// A run that has not begun. `messages` is the branch from the root to the prompt.
    pub fn new(brief: Brief, toolbox: Arc<Toolbox>, messages: Vec<Message>) -> Self {
        let labels = context::labels(&messages);
        let clock = brief.started;
        Self {
            brief,
            toolbox,
            standing: Standing::default(),
            messages,
            labels,
            ledger: Ledger::default(),
            history: CallHistory::default(),
            agreement: None,
            asked: None,
            deadline: None,
            asks_made: 0,
            state: RunState::Running,
            error: None,
            resumed: false,
            phase: Phase::Idle,
            closing: false,
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
            Input::ToolDone { call, result, ms } => self.tool_done(&call, result, ms, now),
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
        self.deadline
    }

    /// The open question with the time it has left.
    pub fn open_ask(&self, now: Millis) -> Option<Ask> {
        let (ask, _) = self.asked.as_ref()?;
        let left = self.deadline.map(|d| u32::try_from((d - now).max(0)).unwrap_or(u32::MAX));
        Some(Ask { left_ms: left, ..ask.clone() })
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

    /// The message being streamed.
    pub fn streaming(&self) -> Option<Message> {
        match &self.phase {
            Phase::Streaming(stream) => self.message(&stream.message),
            _ => None,
        }
    }

    /// Whether a message is the first that this run added.
    pub fn is_first(&self, id: &MessageId) -> bool {
        self.messages.iter().find(|m| m.run == self.brief.run && m.role == Role::Assistant).is_some_and(|m| m.id == *id)
    }

    /// The join of all marks in the context.
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// The message that holds a call.
    pub fn message_of(&self, call: &CallId) -> Option<&MessageId> {
        self.messages.iter().rev().find(|m| m.calls().any(|c| c.id == *call)).map(|m| &m.id)
    }

    /// Work counts against the budget; waiting for a person does not.
    fn pass_time(&mut self, now: Millis) {
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

    fn flush(&mut self) {
        if !self.pending.is_empty() {
            let records = std::mem::take(&mut self.pending);
            self.effects.push(Effect::Journal { records, synced: std::mem::take(&mut self.synced) });
        }
    }

    pub(crate) fn flushed(&mut self) -> Vec<Effect> {
        self.flush();
        std::mem::take(&mut self.effects)
    }

    fn storage_failed(&mut self, what: String) {
        self.pending.clear();
        match self.phase {
            Phase::Streaming(_) => self.effects.push(Effect::AbortRequest),
            Phase::Running(_) => self.effects.push(Effect::AbortTool),
            _ => {}
        }
        self.phase = Phase::Over;
        self.state = RunState::Failed;
        self.error = Some(RunError { kind: RunErrorKind::Storage, message: what });
        self.asked = None;
        self.deadline = None;
    }

    fn go(&mut self, now: Millis) {
        if self.asked.is_some() {
            self.phase = Phase::Waiting;
            self.state = RunState::Waiting;
        } else if matches!(self.phase, Phase::Idle) {
            self.proceed(now);
        }
    }

    // The model.

    fn next_round(&mut self, now: Millis) {
        let budget = self.brief.budget;
        if self.closing || self.ledger.rounds >= budget.rounds {
            let answered = self.messages.last().is_some_and(|m| m.role == Role::Assistant && !m.text().is_empty());
            let error = (!answered).then(|| RunError {
                kind: RunErrorKind::Budget,
                message: "The run's budget was spent before there was an answer. Write “go on” to continue, or raise the budget in Settings.".into(),
            });
            self.close(if answered { RunState::Done } else { RunState::Failed }, error, now);
            return;
        }
        let round = self.ledger.rounds + 1;
        let message = MessageId::new(format!("{}-m{round}", self.brief.run));
        let parent = self.messages.last().map_or_else(|| self.brief.prompt.clone(), |m| m.id.clone());
        let ledger = Ledger { rounds: round, ..self.ledger };
        self.note(Entry::RoundOpened { round, message: message.clone(), parent, ledger }, now);
        self.closing = round >= budget.rounds
            || self.ledger.calls >= budget.calls
            || budget.active_ms.is_some_and(|limit| self.ledger.active_ms >= u64::from(limit));
        self.flush();
        let tools = self.toolbox.declarations(self.brief.mode, &self.standing.switched_off);
        let request = context::request(
            &self.brief.model.model,
            self.brief.mode,
            &self.brief.nonce,
            &self.messages,
            tools,
            self.closing && round > 1,
        );
        self.effects.push(Effect::Request(Box::new(request)));
        self.phase = Phase::Streaming(Stream::new(message, now));
        self.state = RunState::Running;
    }

    fn heard(&mut self, reply: Reply, now: Millis) {
        let Phase::Streaming(stream) = &mut self.phase else { return };
        let message = stream.message.clone();
        let delta = |kind, text: String| Effect::Delta { message: message.clone(), kind, text };
        match reply {
            Reply::Text { text } => {
                stream.text(&text, now);
                self.effects.push(delta(DeltaKind::Text, text));
            }
            Reply::Reasoning { text } => {
                stream.reasoning(&text, now);
                self.effects.push(delta(DeltaKind::Reasoning, text));
            }
            Reply::CallBegan { name } => {
                stream.end_thinking(now);
                self.effects.push(delta(DeltaKind::Call, name));
            }
            Reply::Call { id, name, arguments } => {
                stream.end_thinking(now);
                stream.calls.push(RawCall { id, name, arguments });
            }
            Reply::Usage { usage } => stream.usage = Some(usage),
            Reply::Finish { finish } => return self.finished(finish, now),
        }
        if let Some((text, reasoning)) = stream.checkpoint(now) {
            self.note(Entry::Checkpoint { message, text, reasoning }, now);
        }
    }

    fn finished(&mut self, finish: Finish, now: Millis) {
        let Phase::Streaming(mut stream) = std::mem::replace(&mut self.phase, Phase::Idle) else { return };
        stream.end_thinking(now);
        let empty = !stream.has_text() && stream.calls.is_empty();
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
        let fail = |kind, message: &str| Some(RunError { kind, message: message.to_owned() });
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
    fn call(&self, raw: RawCall, at: usize) -> Call {
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

    fn round_closed(&mut self, stream: Stream, blocks: Vec<Block>, status: MessageStatus, now: Millis) {
        let labels = self.labels.clone();
        self.note(Entry::RoundClosed { message: stream.message, blocks, status, labels, usage: stream.usage }, now);
    }

    fn model_failed(&mut self, error: RunError, now: Millis) {
        let Phase::Streaming(mut stream) = std::mem::replace(&mut self.phase, Phase::Idle) else { return };
        stream.end_thinking(now);
        let blocks = std::mem::take(&mut stream.blocks);
        self.round_closed(stream, blocks, MessageStatus::Interrupted, now);
        self.close(RunState::Failed, Some(error), now);
    }

    // Calls.

    /// Takes the next open call of the last round through the gate; opens a round, or ends, when there is none.
    fn proceed(&mut self, now: Millis) {
        loop {
            let Some(last) = self.messages.last().filter(|m| m.role == Role::Assistant) else {
                return self.next_round(now);
            };
            let Some(call) = last.calls().find(|c| !c.state.is_final()).cloned() else {
                let wants_more = last.calls().next().is_some() || last.status == MessageStatus::Interrupted;
                if wants_more {
                    return self.next_round(now);
                }
                return self.close(RunState::Done, None, now);
            };
            if !self.try_call(&call, now) {
                return;
            }
        }
    }

    /// Whether the call came to an end at once, so that the next one can be looked at.
    fn try_call(&mut self, call: &Call, now: Millis) -> bool {
        let raw = match &call.arguments {
            Value::String(raw) => raw.clone(),
            value => value.to_string(),
        };
        let checked = self.toolbox.check(&call.tool, &raw).map(|(arguments, _)| arguments);
        match self.ask_gate(call, &checked, now) {
            Verdict::Deny(denial) => {
                self.denied(call, denial, now);
                true
            }
            Verdict::Confirm(reasons) => {
                let arguments = checked.unwrap_or(Value::Null);
                let facts = self.facts(&call.tool);
                let kind = AskKind::Confirm {
                    tool: call.tool.clone(),
                    danger: facts.danger,
                    leaves: facts.egress,
                    arguments,
                    grantable: reasons.iter().all(Reason::grantable),
                    reasons,
                };
                self.ask(call, kind, Some(ASK_MS), now);
                false
            }
            Verdict::Allow(approval) => self.approved(call, approval, now),
        }
    }

    fn ask_gate(&self, call: &Call, checked: &Result<Value, InvalidArguments>, now: Millis) -> Verdict {
        gate(&Question {
            run: &self.brief.run,
            conversation: &self.brief.conversation,
            call: &call.id,
            tool_name: &call.tool,
            tool: self.toolbox.get(&call.tool),
            switched_on: !self.standing.switched_off.contains(&call.tool),
            arguments: checked.as_ref(),
            signature: signature(call),
            mode: self.brief.mode,
            attendance: match &self.brief.automation {
                Some(automation) => Attendance::Unattended { automation },
                None => Attendance::Attended { listening: self.standing.listening },
            },
            labels: &self.labels,
            grants: &self.standing.grants,
            budget: self.brief.budget,
            ledger: self.ledger,
            history: &self.history,
            agreement: self.agreement.as_ref().filter(|a| a.call == call.id),
            now,
        })
    }

    fn approved(&mut self, call: &Call, approval: Approval, now: Millis) -> bool {
        let definition = self.toolbox.get(&call.tool);
        if definition.is_some_and(|d| d.spec.kind == ToolKind::Ask) {
            return self.question(call, approval.arguments(), now);
        }
        let changes = self.facts(&call.tool).changes();
        self.note(Entry::Intent { call: call.id.clone(), arguments: approval.arguments().clone(), changes }, now);
        self.synced |= changes;
        self.flush();
        self.phase = Phase::Running(call.id.clone());
        self.state = RunState::Running;
        self.effects.push(Effect::RunTool(approval));
        false
    }

    /// ask_user: asked here, for no code runs. With nobody there it is answered at once.
    fn question(&mut self, call: &Call, arguments: &Value, now: Millis) -> bool {
        if !self.standing.listening || self.brief.automation.is_some() {
            self.outcome(call, CallState::Done, vec![Part::plain(NOBODY_ANSWERED)], None, 0, now);
            return true;
        }
        let question = serde_json::from_value(arguments.clone()).unwrap_or_else(|_| bailey_protocol::Question {
            question: arguments["question"].as_str().unwrap_or_default().to_owned(),
            choices: Vec::new(),
        });
        let kind = AskKind::Question { question, labels: self.labels.clone() };
        self.ask(call, kind, Some(ASK_MS), now);
        false
    }

    pub(crate) fn ask(&mut self, call: &Call, kind: AskKind, wait: Option<u32>, now: Millis) {
        let ask = Ask {
            id: AskId::new(format!("{}-q{}", self.brief.run, self.asks_made + 1)),
            conversation: self.brief.conversation.clone(),
            run: self.brief.run.clone(),
            call: call.id.clone(),
            kind,
            asked: now,
            left_ms: wait,
        };
        let tool_digest = self.toolbox.get(&call.tool).map(|d| d.digest.to_owned()).unwrap_or_default();
        self.note(Entry::Asked { ask, tool_digest }, now);
        self.phase = Phase::Waiting;
        self.state = RunState::Waiting;
    }

    fn denied(&mut self, call: &Call, denial: Denial, now: Millis) {
        let parts = vec![Part::plain(denial.message.clone())];
        self.outcome(call, CallState::Denied, parts, Some(denial), 0, now);
    }

    pub(crate) fn outcome(
        &mut self,
        call: &Call,
        state: CallState,
        parts: Vec<Part>,
        denial: Option<Denial>,
        ms: u32,
        now: Millis,
    ) {
        let entry = Entry::Outcome {
            call: call.id.clone(),
            state,
            arguments: call.arguments.clone(),
            parts,
            denial,
            repairs: call.repairs.clone(),
            ms,
        };
        self.note(entry, now);
    }

    fn tool_done(&mut self, id: &CallId, result: Result<Vec<Part>, Part>, ms: u32, now: Millis) {
        if !matches!(&self.phase, Phase::Running(running) if running == id) {
            return;
        }
        self.phase = Phase::Idle;
        let Some(call) = self.find_call(id).cloned() else { return };
        let facts = self.facts(&call.tool);
        let (state, mut parts) = match result {
            Ok(parts) => (CallState::Done, parts),
            Err(part) => (CallState::Failed, vec![part]),
        };
        for part in &mut parts {
            mark(part, &call.tool, &facts);
        }
        self.outcome(&call, state, parts, None, ms, now);
        self.proceed(now);
    }

    // The person.

    fn answered(&mut self, id: &AskId, answer: Answer, now: Millis) {
        let Some((ask, _)) = self.asked.as_ref().filter(|(ask, _)| ask.id == *id) else { return };
        let ask = ask.clone();
        let Some(call) = self.find_call(&ask.call).cloned() else { return };
        if !fits(&ask.kind, &answer) {
            return;
        }
        if answer == Answer::AllowChat {
            let grant = Grant {
                id: ask.id.to_string(),
                tool: call.tool.clone(),
                scope: GrantScope::Conversation(self.brief.conversation.clone()),
                expires: None,
            };
            self.standing.grants.push(grant.clone());
            self.effects.push(Effect::Grant(grant));
        }
        self.phase = Phase::Idle;
        self.note(Entry::Answered { ask: ask.id.clone(), call: call.id.clone(), answer: answer.clone() }, now);
        match (&ask.kind, answer) {
            (AskKind::Confirm { .. }, Answer::Deny) => {
                let text = "Do not try it another way; ask what they would like instead, or go on without it.";
                self.outcome(&call, CallState::Rejected, vec![Part::plain(text)], None, 0, now);
            }
            (AskKind::Confirm { .. }, Answer::NoAnswer) => {
                let message = "Nobody answered the question whether it may run, so it was not run. Go on without it, and say what is left to do.";
                self.denied(&call, Denial { code: DenialCode::Expired, message: message.into() }, now);
            }
            (AskKind::Question { question, labels }, answer) => {
                let part = reply_to(question, labels, answer);
                self.outcome(&call, CallState::Done, vec![part], None, 0, now);
            }
            _ => {}
        }
        self.proceed(now);
    }

    fn expire(&mut self, now: Millis) {
        if self.deadline.is_some_and(|d| now >= d)
            && let Some((ask, _)) = &self.asked
        {
            let id = ask.id.clone();
            self.answered(&id, Answer::NoAnswer, now);
        }
    }

    fn stop(&mut self, now: Millis) {
        match std::mem::replace(&mut self.phase, Phase::Idle) {
            Phase::Streaming(mut stream) => {
                self.effects.push(Effect::AbortRequest);
                stream.end_thinking(now);
                let blocks = std::mem::take(&mut stream.blocks);
                self.round_closed(stream, blocks, MessageStatus::Stopped, now);
            }
            Phase::Running(id) => {
                self.effects.push(Effect::AbortTool);
                if let Some(call) = self.find_call(&id).cloned() {
                    let text = "The person stopped the run before it ended; part of its work may have been done.";
                    let mut part = Part::plain(text);
                    mark(&mut part, &call.tool, &self.facts(&call.tool));
                    self.outcome(&call, CallState::Cancelled, vec![part], None, 0, now);
                }
            }
            _ => {}
        }
        self.end_open_calls(CallState::Cancelled, "The person stopped the run; it was not run.", now);
        self.close(RunState::Stopped, None, now);
    }

    fn end_open_calls(&mut self, state: CallState, why: &str, now: Millis) {
        let open: Vec<Call> = self
            .messages
            .last()
            .map(|m| m.calls().filter(|c| !c.state.is_final()).cloned().collect())
            .unwrap_or_default();
        for call in open {
            self.outcome(&call, state, vec![Part::plain(why)], None, 0, now);
        }
    }

    fn close(&mut self, state: RunState, error: Option<RunError>, now: Millis) {
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

    pub(crate) fn is_question(&self, tool: &str) -> bool {
        self.toolbox.get(tool).is_some_and(|d| d.spec.kind == ToolKind::Ask)
    }
}

const NOBODY_ANSWERED: &str =
    "No answer: nobody is there. Decide yourself, take the careful choice, and state what you assumed.";

pub(crate) fn signature(call: &Call) -> Signature {
    Signature::of(&call.tool, &arguments::canonical(&call.arguments))
}

/// Adds the marks that a tool's facts put on all it brings.
fn mark(part: &mut Part, tool: &str, facts: &ToolFacts) {
    let source = || vec![Source::tool(tool)];
    if facts.outside && part.labels.outside.is_empty() {
        part.labels.outside = source();
    }
    if facts.private && part.labels.private.is_empty() {
        part.labels.private = source();
    }
}

fn fits(kind: &AskKind, answer: &Answer) -> bool {
    match kind {
        AskKind::Confirm { grantable, .. } => match answer {
            Answer::AllowChat => *grantable,
            Answer::AllowOnce | Answer::Deny | Answer::NoAnswer => true,
            _ => false,
        },
        AskKind::Question { question, .. } => match answer {
            Answer::Choice { index } => (*index as usize) < question.choices.len(),
            Answer::Text { .. } | Answer::YouDecide | Answer::NoAnswer => true,
            _ => false,
        },
        AskKind::Recovery { .. } => match answer {
            Answer::Choice { index } => *index < 3,
            Answer::Text { .. } | Answer::YouDecide | Answer::NoAnswer => true,
            _ => false,
        },
    }
}

/// An answer picked from the model's own choices keeps the model's marks; the person's own words have none.
fn reply_to(question: &bailey_protocol::Question, labels: &Labels, answer: Answer) -> Part {
    match answer {
        Answer::Choice { index } => Part {
            text: format!("The person chose: {}", question.choices.get(index as usize).map_or("", String::as_str)),
            labels: labels.clone(),
        },
        Answer::Text { text } => Part::plain(format!("The person answered: {text}")),
        Answer::YouDecide => Part::plain("The person leaves it to you. Decide, and state what you assumed."),
        _ => Part::plain(NOBODY_ANSWERED),
    }
}
