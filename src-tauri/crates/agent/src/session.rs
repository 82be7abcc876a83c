// SPDX-License-Identifier: Apache-2.0
//! One run: a task that carries out the engine's effects and feeds back what comes of them.

use crate::agent::Inner;
use crate::children::{Child, Ended};
use crate::redact::{StreamRedactor, clean_result, clean_value, is_clean};
use bailey_engine::{Effect, Input, Turn};
use bailey_policy::Approval;
use bailey_ports::{Durability, ModelError, ReplyStream, ToolContext, ToolFailure, ToolResult};
use bailey_protocol::journal::{Entry, Record};
use bailey_protocol::model::{Reply, Request};
use bailey_protocol::{
    Answer, ApiError, Ask, AskId, CallId, Code, ConversationId, Delta, DeltaKind, Event, MessageId, ModelChoice,
    RunError, RunErrorKind, RunId, RunState, RunView, Target,
};
use futures::StreamExt;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

/// How long it may take to find out what a call would touch.
const LOOK: Duration = Duration::from_secs(10);

/// How often the time left of open questions is saved.
const SAVE_TIME_LEFT: Duration = Duration::from_secs(5);

/// A run that is not over, as the rest of the agent sees it.
pub(crate) struct Session {
    pub(crate) conversation: ConversationId,
    /// That of the person: another one only for a sub-agent.
    pub(crate) root: ConversationId,
    control: mpsc::UnboundedSender<Control>,
    shown: Arc<Mutex<Shown>>,
}

/// The run as last told.
struct Shown {
    run: RunView,
    asks: Vec<Ask>,
    asked: Instant,
}

enum Control {
    Answer(AskId, Answer, oneshot::Sender<Result<(), ApiError>>),
    Stop(oneshot::Sender<()>),
    /// The process ends: leave everything as it is.
    Suspend(oneshot::Sender<()>),
}

impl Session {
    pub(crate) fn view(&self) -> RunView {
        self.shown().run.clone()
    }

    /// The open questions with the time each has left now.
    pub(crate) fn asks(&self) -> Vec<Ask> {
        let shown = self.shown();
        let gone = u32::try_from(shown.asked.elapsed().as_millis()).unwrap_or(u32::MAX);
        let left = |ask: &Ask| ask.left_ms.map(|left| left.saturating_sub(gone));
        shown.asks.iter().map(|ask| Ask { left_ms: left(ask), ..ask.clone() }).collect()
    }

    /// Whether this question of it is open.
    pub(crate) fn asks_about(&self, ask: &AskId) -> bool {
        self.shown().asks.iter().any(|open| open.id == *ask)
    }

    fn shown(&self) -> std::sync::MutexGuard<'_, Shown> {
        self.shown.lock().unwrap_or_else(|e| e.into_inner())
    }

    pub(crate) fn answer(&self, ask: AskId, answer: Answer) -> oneshot::Receiver<Result<(), ApiError>> {
        self.ask_task(|reply| Control::Answer(ask, answer, reply))
    }
    pub(crate) fn stop(&self) -> oneshot::Receiver<()> {
        self.ask_task(Control::Stop)
    }
    pub(crate) fn suspend(&self) -> oneshot::Receiver<()> {
        self.ask_task(Control::Suspend)
    }

    fn ask_task<T>(&self, control: impl FnOnce(oneshot::Sender<T>) -> Control) -> oneshot::Receiver<T> {
        let (reply, receiver) = oneshot::channel();
        let _ = self.control.send(control(reply));
        receiver
    }
}

/// How a run that is started goes on.
#[derive(Default)]
pub(crate) struct Start {
    /// Effects to carry out before the engine goes on.
    pub(crate) first: Vec<Effect>,
    /// Answers what a mode asks.
    pub(crate) approve_all: bool,
    /// Told what became of it, for a sub-agent.
    pub(crate) ended: Option<oneshot::Sender<Ended>>,
}

/// Starts the task of a run.
pub(crate) fn start(inner: &Arc<Inner>, run: RunId, turn: Turn, start: Start) {
    let (control, commands) = mpsc::unbounded_channel();
    let view = turn.view();
    let (conversation, root) = (view.conversation.clone(), turn.brief().root().clone());
    let asks = turn.open_asks(inner.parts.clock.now());
    let shown = Arc::new(Mutex::new(Shown { run: view, asks, asked: Instant::now() }));
    let crashed = run.clone();
    let session = Session { conversation: conversation.clone(), root: root.clone(), control, shown: shown.clone() };
    inner.sessions().insert(run.clone(), session);
    let Start { first, approve_all, ended } = start;
    let task = Task {
        inner: inner.clone(),
        run,
        conversation,
        root,
        turn,
        approve_all,
        ended,
        stream: None,
        text: StreamRedactor::new(inner.parts.redactor.clone()),
        thoughts: StreamRedactor::new(inner.parts.redactor.clone()),
        tools: Vec::new(),
        looks: Vec::new(),
        stopping: Vec::new(),
        commands,
        shown,
        storage_failed: false,
    };
    let work = tokio::spawn(task.run(first));
    // A fault in one run must not lock its conversation.
    let inner = inner.clone();
    tokio::spawn(async move {
        if let Err(error) = work.await
            && error.is_panic()
        {
            tracing::error!(%error, run = %crashed, "a run crashed");
            inner.end_run(
                &crashed,
                RunState::Failed,
                RunErrorKind::Internal,
                "A fault of Bailey's ended this run. Try again.",
            );
        }
    });
}

struct Task {
    inner: Arc<Inner>,
    run: RunId,
    conversation: ConversationId,
    root: ConversationId,
    turn: Turn,
    approve_all: bool,
    ended: Option<oneshot::Sender<Ended>>,
    stream: Option<ReplyStream>,
    /// What is said and what is thought come in turns; each may hold back the beginning of a secret.
    text: StreamRedactor,
    thoughts: StreamRedactor,
    /// What runs: a tool, or sub-agents.
    tools: Vec<RunningTool>,
    /// What calls would touch, being looked up.
    looks: Vec<Look>,
    /// Sub-agents that were told to stop.
    stopping: Vec<oneshot::Receiver<()>>,
    commands: mpsc::UnboundedReceiver<Control>,
    shown: Arc<Mutex<Shown>>,
    storage_failed: bool,
}

struct RunningTool {
    call: CallId,
    handle: JoinHandle<ToolResult>,
    /// The sub-agent's run.
    agent: Option<RunId>,
    /// Notes may have come that wait for the person.
    writes_notes: bool,
    began: Instant,
}

struct Look {
    call: CallId,
    handle: JoinHandle<Result<Target, String>>,
}

impl Drop for Look {
    fn drop(&mut self) {
        self.handle.abort();
    }
}

impl Drop for RunningTool {
    fn drop(&mut self) {
        self.handle.abort();
    }
}

impl Task {
    async fn run(mut self, first: Vec<Effect>) {
        // Told when all is over, so that whoever stopped the run finds nothing of it any more.
        let mut stopped = Vec::new();
        self.carry_out(first);
        self.step(Input::Go);
        // A run that was taken up with a question has nothing to write down, and waits.
        if self.turn.view().state == RunState::Waiting {
            self.tell_run();
        }
        while !self.turn.is_over() {
            let deadline = self.turn.deadline();
            let left =
                deadline.map(|d| Duration::from_millis(u64::try_from(d - self.inner.parts.clock.now()).unwrap_or(0)));
            tokio::select! {
                biased;
                control = self.commands.recv() => match control {
                    None => break,
                    Some(Control::Suspend(done)) => {
                        self.save_time_left();
                        self.stream = None;
                        self.tools.clear();
                        self.looks.clear();
                        self.inner.sessions().remove(&self.run);
                        let _ = done.send(());
                        return;
                    }
                    Some(Control::Stop(done)) => {
                        self.step(Input::Stop);
                        stopped.push(done);
                    }
                    Some(Control::Answer(ask, answer, reply)) => {
                        let _ = reply.send(self.answer(ask, answer));
                    }
                },
                reply = next(&mut self.stream) => self.heard(reply),
                (at, target) = found(&mut self.looks) => {
                    let look = self.looks.remove(at);
                    self.step(Input::Looked { call: look.call.clone(), target });
                }
                (at, result) = finished(&mut self.tools) => self.tool_done(at, result),
                () = sleep(left) => self.step(Input::Tick),
                () = sleep(deadline.is_some().then_some(SAVE_TIME_LEFT)) => self.save_time_left(),
            }
        }
        for stopped in self.stopping.drain(..) {
            let _ = stopped.await;
        }
        if self.storage_failed {
            // The disk may take it by now. If not, the next start finds the run and ends it.
            let error = self.turn.view().error.unwrap_or_else(|| RunError::new(RunErrorKind::Storage, ""));
            self.inner.close_journal(&self.run, RunState::Failed, Some(error), self.turn.view().ledger);
        }
        self.inner.sessions().remove(&self.run);
        self.tell_run();
        self.inner.tell_conversation(&self.root);
        if let Some(ended) = self.ended.take() {
            let _ = ended.send(Ended::of(&self.turn));
        }
        for done in stopped {
            let _ = done.send(());
        }
    }

    fn answer(&mut self, ask: AskId, answer: Answer) -> Result<(), ApiError> {
        let is_open = |task: &Self| task.turn.open_asks(task.inner.parts.clock.now()).iter().any(|open| open.id == ask);
        if !is_open(self) {
            return Err(stale());
        }
        self.step(Input::Answered { ask: ask.clone(), answer });
        if self.storage_failed {
            return Err(ApiError::new(
                Code::Storage,
                "the answer could not be saved, so nothing was done; see whether the disk is full",
            ));
        }
        if is_open(self) {
            return Err(ApiError::new(Code::BadRequest, "this answer does not fit the question"));
        }
        Ok(())
    }

    fn heard(&mut self, reply: Option<Result<Reply, ModelError>>) {
        let clean = |text: &str| self.inner.parts.redactor.clean(text).into_owned();
        match reply {
            Some(Ok(Reply::Text { text })) => {
                self.release_thoughts();
                let text = self.text.push(&text);
                self.say(text);
            }
            Some(Ok(Reply::Reasoning { text })) => {
                self.release_text();
                let text = self.thoughts.push(&text);
                self.think(text);
            }
            Some(Ok(Reply::CallBegan { name })) => {
                let name = clean(&name);
                self.step(Input::Model(Reply::CallBegan { name }));
            }
            Some(Ok(Reply::Call { id, name, arguments })) => {
                let (id, name, arguments) = (clean(&id), clean(&name), clean(&arguments));
                self.release();
                self.step(Input::Model(Reply::Call { id, name, arguments }));
            }
            Some(Ok(Reply::Usage { usage })) => {
                let usage = self.inner.priced(usage, &self.inner.facts(self.turn.model()));
                self.step(Input::Model(Reply::Usage { usage }));
            }
            Some(Ok(Reply::Retry { kind, wait_ms })) => {
                self.forget_held();
                self.step(Input::Model(Reply::Retry { kind, wait_ms }));
            }
            Some(Ok(Reply::LeftOut { tool, reason })) => {
                let reason = clean(&reason);
                self.step(Input::Model(Reply::LeftOut { tool, reason }));
            }
            Some(Ok(Reply::Item { kind, data })) => {
                let (kind, data) = (clean(&kind), clean_value(&self.inner.parts.redactor, data));
                self.release();
                self.step(Input::Model(Reply::Item { kind, data }));
            }
            // What would have to be changed can't go back as it was: its provider gets the plain form then.
            Some(Ok(Reply::Native { native })) => {
                if is_clean(&self.inner.parts.redactor, &native.items) {
                    self.step(Input::Model(Reply::Native { native }));
                }
            }
            Some(Ok(Reply::Finish { finish })) => {
                self.release();
                self.stream = None;
                self.step(Input::Model(Reply::Finish { finish }));
            }
            Some(Err(error)) => self.model_failed(error),
            None => self.model_failed(ModelError::new(
                RunErrorKind::Interrupted,
                "The answer broke off: the provider ended the stream without saying that it was done. Try again.",
            )),
        }
    }

    fn say(&mut self, text: String) {
        if !text.is_empty() {
            self.step(Input::Model(Reply::Text { text }));
        }
    }

    fn think(&mut self, text: String) {
        if !text.is_empty() {
            self.step(Input::Model(Reply::Reasoning { text }));
        }
    }

    fn release_text(&mut self) {
        let text = self.text.flush();
        self.say(text);
    }

    fn release_thoughts(&mut self) {
        let text = self.thoughts.flush();
        self.think(text);
    }

    /// Shows what was held back.
    fn release(&mut self) {
        self.release_thoughts();
        self.release_text();
    }

    /// What was held back of an attempt that is void.
    fn forget_held(&mut self) {
        self.text = StreamRedactor::new(self.inner.parts.redactor.clone());
        self.thoughts = StreamRedactor::new(self.inner.parts.redactor.clone());
    }

    fn model_failed(&mut self, error: ModelError) {
        self.stream = None;
        if let Some(fallback) = self.fallback(error.kind) {
            tracing::info!(kind = ?error.kind, "another model takes over");
            self.forget_held();
            return self.step(Input::Fallback(fallback));
        }
        self.release();
        let clean = |text: &str| self.inner.parts.redactor.clean(text).into_owned();
        let (message, details) = (clean(&error.message), error.details.as_deref().map(clean));
        self.step(Input::ModelFailed(RunError { kind: error.kind, message, details }));
    }

    /// The model that takes over, when this one is out of order and no other has taken over before.
    fn fallback(&self, kind: RunErrorKind) -> Option<ModelChoice> {
        let outage = matches!(
            kind,
            RunErrorKind::Rate
                | RunErrorKind::Overloaded
                | RunErrorKind::Server
                | RunErrorKind::Timeout
                | RunErrorKind::Network
                | RunErrorKind::Interrupted
        );
        let fallback = self.inner.settings().fallback_model.filter(|_| outage && self.turn.view().instead_of.is_none());
        fallback.filter(|fallback| {
            // One that can't answer would only hide what is wrong, and an endpoint named for one run is meant alone.
            let alone = self.inner.is_provided(&self.turn.model().provider);
            !alone && fallback != self.turn.model() && self.inner.model(fallback).is_ok()
        })
    }

    fn tool_done(&mut self, at: usize, result: ToolResult) {
        let tool = self.tools.remove(at);
        let ms = u32::try_from(tool.began.elapsed().as_millis()).unwrap_or(u32::MAX);
        let result = clean_result(&self.inner.parts.redactor, result);
        self.step(Input::ToolDone { call: tool.call.clone(), result, ms });
        if tool.writes_notes {
            self.inner.tell_notes();
        }
    }

    fn step(&mut self, input: Input) {
        let now = self.inner.parts.clock.now();
        let gates = !matches!(&input, Input::Model(reply) if !matches!(reply, Reply::Finish { .. }));
        if gates {
            let model = match &input {
                Input::Fallback(model) => model,
                _ => self.turn.model(),
            };
            let standing = self.inner.standing(&self.run, &self.root, model, self.approve_all);
            self.turn.set_standing(standing);
        }
        let before = self.turn.passing();
        let effects = self.turn.step(input, now);
        let passing = self.turn.passing();
        self.carry_out(effects);
        if passing != before && !self.turn.is_over() {
            self.tell_run();
        }
    }

    fn carry_out(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Journal { records, synced } => {
                    if !self.journal(&records, synced) {
                        return;
                    }
                }
                Effect::Request(request) => self.request(*request),
                Effect::AbortRequest => self.stream = None,
                Effect::Delta { message, kind, text } => self.delta(message, kind, text),
                Effect::Look { call, tool, arguments } => self.look(call, &tool, arguments),
                Effect::RunTool(approval) => self.run_tool(approval),
                Effect::StartAgent(approval) => self.start_agent(approval),
                Effect::ResumeAgent(call) => self.resume_agent(call),
                Effect::AbortTools => self.abort_tools(),
                Effect::Grant(grant) => match self.inner.parts.store.add_grant(&grant, self.inner.parts.clock.now()) {
                    Ok(()) => self.inner.hub.publish(Event::Grants),
                    Err(error) => tracing::error!(%error, "a grant was not kept"),
                },
            }
        }
    }

    /// Whether the records were kept; if not, the run is over.
    fn journal(&mut self, records: &[Record], synced: bool) -> bool {
        let durability = if synced { Durability::Synced } else { self.inner.parts.durability };
        if let Err(error) = self.inner.parts.store.append(&self.run, records, durability) {
            tracing::error!(%error, run = %self.run, "the journal was not written");
            if !self.storage_failed {
                self.storage_failed = true;
                self.stream = None;
                self.abort_tools();
                self.step(Input::StorageFailed(error.to_string()));
            }
            return false;
        }
        self.tell(records);
        true
    }

    /// Tells faces what these records changed.
    fn tell(&mut self, records: &[Record]) {
        let hub = &self.inner.hub;
        let mut messages: Vec<MessageId> = Vec::new();
        let mut add = |id: Option<&MessageId>| {
            if let Some(id) = id
                && !messages.contains(id)
            {
                messages.push(id.clone());
            }
        };
        let (mut run, mut conversation, mut noted) = (false, false, false);
        for record in records {
            match &record.entry {
                Entry::RoundOpened { message, .. } => {
                    add(Some(message));
                    run = true;
                }
                Entry::RoundClosed { message, .. } | Entry::RoundRestarted { message, .. } => add(Some(message)),
                Entry::Fallback { message, .. } => {
                    add(Some(message));
                    run = true;
                }
                Entry::Asked { ask, .. } => {
                    add(self.turn.message_of(&ask.call));
                    (run, conversation) = (true, true);
                }
                Entry::Answered { call, .. } => {
                    add(self.turn.message_of(call));
                    (run, conversation) = (true, true);
                }
                Entry::Intent { call, .. } => add(self.turn.message_of(call)),
                Entry::Outcome { call, .. } => {
                    add(self.turn.message_of(call));
                    noted |= self.turn.is_internal(call);
                }
                Entry::Resumed { .. } | Entry::Compressed { .. } | Entry::Closed { .. } => run = true,
                Entry::Opened { .. } | Entry::Prompt { .. } | Entry::Checkpoint { .. } => {}
            }
        }
        for id in messages {
            let Some(mut message) = self.turn.message(&id) else { continue };
            if self.turn.is_first(&id)
                && let Ok(Some(stored)) = self.inner.parts.store.message(&id)
            {
                message.siblings = stored.siblings;
            }
            message.native = None;
            hub.publish(Event::Message { message });
        }
        self.tell_asks(records);
        if noted {
            self.inner.tell_notes();
        }
        // The end of a run is told when its session is gone, so that a face can send at once.
        if run && !self.turn.is_over() {
            self.tell_run();
        }
        if conversation {
            self.inner.tell_conversation(&self.root);
        }
    }

    /// Tells of questions that were opened, answered, or fell away with their run.
    fn tell_asks(&self, records: &[Record]) {
        let ids = |asks: &[Ask]| asks.iter().map(|ask| ask.id.clone()).collect::<Vec<_>>();
        let before = ids(&self.shown.lock().unwrap_or_else(|e| e.into_inner()).asks);
        self.show();
        let open = self.turn.open_asks(self.inner.parts.clock.now());
        let after = ids(&open);
        for id in before.iter().filter(|id| !after.contains(id)) {
            let answer = records.iter().find_map(|r| match &r.entry {
                Entry::Answered { ask, answer, .. } if ask == id => Some(answer.clone()),
                _ => None,
            });
            self.inner.hub.publish(Event::AskClosed { id: id.clone(), answer });
        }
        let mut new = open.into_iter().filter(|ask| !before.contains(&ask.id)).peekable();
        // Questions that came together are one sheet, and one notification.
        if let Some(first) = new.peek() {
            self.inner.notify(first);
        }
        new.for_each(|ask| self.inner.hub.publish(Event::AskOpened { ask }));
    }

    fn show(&self) {
        let mut shown = self.shown.lock().unwrap_or_else(|e| e.into_inner());
        shown.run = self.turn.view();
        shown.asks = self.turn.open_asks(self.inner.parts.clock.now());
        shown.asked = Instant::now();
    }

    fn tell_run(&self) {
        self.show();
        self.inner.hub.publish(Event::Run { run: self.turn.view() });
    }

    fn request(&mut self, mut request: Request) {
        self.forget_held();
        self.inner.bring_pictures(&mut request, &self.inner.facts(self.turn.model()));
        // Looked up each time: the person may have entered a key, or removed the provider, since the last round.
        self.stream = Some(match self.inner.model(self.turn.model()) {
            Ok(model) => model.reply(request),
            Err(error) => {
                let error = ModelError::new(error.kind, error.message);
                futures::stream::once(async move { Err(error) }).boxed()
            }
        });
    }

    fn delta(&self, message: MessageId, kind: DeltaKind, text: String) {
        self.inner.hub.delta(Delta { conversation: self.conversation.clone(), message, kind, text });
    }

    fn look(&mut self, call: CallId, tool: &str, arguments: serde_json::Value) {
        let tool = self.inner.registry.get(tool).cloned();
        let handle = tokio::spawn(async move {
            match tool {
                Some(tool) => match tokio::time::timeout(LOOK, tool.look(&arguments)).await {
                    Ok(found) => found,
                    Err(_) => {
                        Err("The screen could not be looked at in time, so nothing was done. Try once more.".to_owned())
                    }
                },
                None => Err("This tool is not there any more; go on without it.".to_owned()),
            }
        });
        self.looks.push(Look { call, handle });
    }

    fn run_tool(&mut self, approval: Approval) {
        let call = approval.call().clone();
        let context = ToolContext {
            conversation: self.root.clone(),
            labels: self.turn.labels().clone(),
            now: self.inner.parts.clock.now(),
        };
        let known = self.inner.toolbox.get(approval.tool()).is_some_and(|d| d.digest == approval.tool_digest());
        let tool = self.inner.registry.get(approval.tool()).filter(|_| known).cloned();
        let writes_notes = tool.as_ref().is_some_and(|tool| tool.spec().facts.internal);
        let handle = tokio::spawn(async move {
            match tool {
                Some(tool) => tool.run(approval, context).await,
                None => Err(ToolFailure::new("this tool is not there any more; go on without it")),
            }
        });
        self.tools.push(RunningTool { call, handle, agent: None, writes_notes, began: Instant::now() });
    }

    fn start_agent(&mut self, approval: Approval) {
        let call = approval.call().clone();
        match self.inner.start_child(&self.turn, approval, self.approve_all) {
            Ok(child) => self.watch(call, child),
            Err(error) => self.not_started(call, error),
        }
    }

    fn resume_agent(&mut self, call: CallId) {
        match self.inner.resume_child(&self.turn, &call) {
            Ok(child) => self.watch(call, child),
            Err(error) => self.not_started(call, error),
        }
    }

    fn watch(&mut self, call: CallId, child: Child) {
        let agent = Some(child.run.clone());
        let handle = tokio::spawn(child.report());
        self.tools.push(RunningTool { call, handle, agent, writes_notes: false, began: Instant::now() });
    }

    fn not_started(&mut self, call: CallId, error: ApiError) {
        let failure = ToolFailure::new(format!("The sub-agent could not be started: {}", error.message));
        let handle = tokio::spawn(async move { Err(failure) });
        self.tools.push(RunningTool { call, handle, agent: None, writes_notes: false, began: Instant::now() });
    }

    /// Ends what runs, sub-agents with all they started.
    fn abort_tools(&mut self) {
        for tool in self.tools.drain(..) {
            if let Some(agent) = &tool.agent
                && let Some(session) = self.inner.sessions().get(agent)
            {
                self.stopping.push(session.stop());
            }
        }
    }

    fn save_time_left(&self) {
        let open = self.turn.open_asks(self.inner.parts.clock.now());
        let left: Vec<(AskId, u32)> = open.into_iter().filter_map(|ask| Some((ask.id, ask.left_ms?))).collect();
        if !left.is_empty()
            && let Err(error) = self.inner.parts.store.save_time_left(&left)
        {
            tracing::warn!(%error, "the time left of a question was not saved");
        }
    }
}

pub(crate) fn stale() -> ApiError {
    ApiError::new(Code::Stale, "this question is not open any more: it was answered, ran out, or its run ended")
}

async fn next(stream: &mut Option<ReplyStream>) -> Option<Result<Reply, ModelError>> {
    match stream {
        Some(stream) => stream.next().await,
        None => std::future::pending().await,
    }
}

/// The first of what runs that is over, by its position, with its result.
async fn finished(tools: &mut [RunningTool]) -> (usize, ToolResult) {
    if tools.is_empty() {
        return std::future::pending().await;
    }
    let (result, at, _) = futures::future::select_all(tools.iter_mut().map(|tool| &mut tool.handle)).await;
    match result {
        Ok(result) => (at, result),
        Err(error) => {
            tracing::error!(%error, "a tool crashed");
            (at, Err(ToolFailure::new("the tool crashed; this is a fault of Bailey's. Go on without it")))
        }
    }
}

/// The first lookup that is over, by its position, with what it found.
async fn found(looks: &mut [Look]) -> (usize, Result<Target, String>) {
    if looks.is_empty() {
        return std::future::pending().await;
    }
    let (found, at, _) = futures::future::select_all(looks.iter_mut().map(|look| &mut look.handle)).await;
    (
        at,
        found.unwrap_or_else(|error| {
            tracing::error!(%error, "looking at the screen crashed");
            Err("The screen could not be looked at; this is a fault of Bailey's. Go on without it.".to_owned())
        }),
    )
}

async fn sleep(time: Option<Duration>) {
    match time {
        Some(time) => tokio::time::sleep(time).await,
        None => std::future::pending().await,
    }
}
