// SPDX-License-Identifier: Apache-2.0
//! One run: a task that carries out the engine's effects and feeds back what comes of them.

use crate::agent::Inner;
use crate::redact::{StreamRedactor, clean_result, clean_value, is_clean};
use bailey_engine::{Effect, Input, Turn};
use bailey_policy::Approval;
use bailey_ports::{Durability, ModelError, ReplyStream, ToolContext, ToolFailure, ToolResult};
use bailey_protocol::journal::{Entry, Record};
use bailey_protocol::model::{Reply, Request};
use bailey_protocol::{
    Answer, ApiError, Ask, AskId, CallId, Code, ConversationId, Delta, DeltaKind, Event, MessageId, ModelChoice,
    RunError, RunErrorKind, RunId, RunState, RunView,
};
use futures::StreamExt;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

/// How often the time left of open questions is saved.
const SAVE_TIME_LEFT: Duration = Duration::from_secs(5);

/// A run that is not over, as the rest of the agent sees it.
pub(crate) struct Session {
    pub(crate) conversation: ConversationId,
    control: mpsc::UnboundedSender<Control>,
    shown: Arc<Mutex<Shown>>,
}

/// The run as last told.
struct Shown {
    run: RunView,
    ask: Option<Ask>,
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

    /// The open question with the time it has left now.
    pub(crate) fn ask(&self) -> Option<Ask> {
        let shown = self.shown();
        let mut ask = shown.ask.clone()?;
        let gone = u32::try_from(shown.asked.elapsed().as_millis()).unwrap_or(u32::MAX);
        ask.left_ms = ask.left_ms.map(|left| left.saturating_sub(gone));
        Some(ask)
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

/// Starts the task of a run. `first` are effects to carry out before the engine goes on.
pub(crate) fn start(inner: &Arc<Inner>, run: RunId, turn: Turn, first: Vec<Effect>, approve_all: bool) {
    let (control, commands) = mpsc::unbounded_channel();
    let view = turn.view();
    let conversation = view.conversation.clone();
    let ask = turn.open_ask(inner.parts.clock.now());
    let shown = Arc::new(Mutex::new(Shown { run: view, ask, asked: Instant::now() }));
    let crashed = run.clone();
    let session = Session { conversation: conversation.clone(), control, shown: shown.clone() };
    inner.sessions().insert(run.clone(), session);
    let task = Task {
        inner: inner.clone(),
        run,
        conversation,
        turn,
        approve_all,
        stream: None,
        text: StreamRedactor::new(inner.parts.redactor.clone()),
        thoughts: StreamRedactor::new(inner.parts.redactor.clone()),
        tool: None,
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
    turn: Turn,
    approve_all: bool,
    stream: Option<ReplyStream>,
    /// What is said and what is thought come in turns; each may hold back the beginning of a secret.
    text: StreamRedactor,
    thoughts: StreamRedactor,
    tool: Option<RunningTool>,
    commands: mpsc::UnboundedReceiver<Control>,
    shown: Arc<Mutex<Shown>>,
    storage_failed: bool,
}

struct RunningTool {
    call: CallId,
    handle: JoinHandle<ToolResult>,
    began: Instant,
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
                        self.tool = None;
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
                result = finished(&mut self.tool) => self.tool_done(result),
                () = sleep(left) => self.step(Input::Tick),
                () = sleep(deadline.is_some().then_some(SAVE_TIME_LEFT)) => self.save_time_left(),
            }
        }
        if self.storage_failed {
            // The disk may take it by now. If not, the next start finds the run and ends it.
            let error = self.turn.view().error.unwrap_or_else(|| RunError::new(RunErrorKind::Storage, ""));
            self.inner.close_journal(&self.run, RunState::Failed, Some(error), self.turn.view().ledger);
        }
        self.inner.sessions().remove(&self.run);
        self.tell_run();
        self.inner.tell_conversation(&self.conversation);
        for done in stopped {
            let _ = done.send(());
        }
    }

    fn answer(&mut self, ask: AskId, answer: Answer) -> Result<(), ApiError> {
        let open = self.turn.open_ask(self.inner.parts.clock.now());
        if open.is_none_or(|o| o.id != ask) {
            return Err(stale());
        }
        self.step(Input::Answered { ask: ask.clone(), answer });
        if self.storage_failed {
            return Err(ApiError::new(
                Code::Storage,
                "the answer could not be saved, so nothing was done; see whether the disk is full",
            ));
        }
        match self.turn.open_ask(self.inner.parts.clock.now()) {
            Some(still) if still.id == ask => {
                Err(ApiError::new(Code::BadRequest, "this answer does not fit the question"))
            }
            _ => Ok(()),
        }
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

    fn tool_done(&mut self, result: ToolResult) {
        let Some(tool) = self.tool.take() else { return };
        let ms = u32::try_from(tool.began.elapsed().as_millis()).unwrap_or(u32::MAX);
        let result = clean_result(&self.inner.parts.redactor, result);
        self.step(Input::ToolDone { call: tool.call.clone(), result, ms });
    }

    fn step(&mut self, input: Input) {
        let now = self.inner.parts.clock.now();
        let gates = !matches!(&input, Input::Model(reply) if !matches!(reply, Reply::Finish { .. }));
        if gates {
            let model = match &input {
                Input::Fallback(model) => model,
                _ => self.turn.model(),
            };
            let standing = self.inner.standing(&self.run, &self.conversation, model, self.approve_all);
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
                Effect::RunTool(approval) => self.run_tool(approval),
                Effect::AbortTool => self.tool = None,
                Effect::Grant(grant) => {
                    if let Err(error) = self.inner.parts.store.add_grant(&grant, self.inner.parts.clock.now()) {
                        tracing::error!(%error, "a grant was not kept");
                    }
                }
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
                self.tool = None;
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
        let (mut run, mut conversation) = (false, false);
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
                Entry::Intent { call, .. } | Entry::Outcome { call, .. } => add(self.turn.message_of(call)),
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
        self.tell_ask(records);
        // The end of a run is told when its session is gone, so that a face can send at once.
        if run && !self.turn.is_over() {
            self.tell_run();
        }
        if conversation {
            self.inner.tell_conversation(&self.conversation);
        }
    }

    /// Tells of a question that was opened, answered, or fell away with its run.
    fn tell_ask(&self, records: &[Record]) {
        let before = self.shown.lock().unwrap_or_else(|e| e.into_inner()).ask.as_ref().map(|a| a.id.clone());
        self.show();
        let open = self.turn.open_ask(self.inner.parts.clock.now());
        if before == open.as_ref().map(|a| a.id.clone()) {
            return;
        }
        if let Some(id) = before {
            let answer = records.iter().find_map(|r| match &r.entry {
                Entry::Answered { ask, answer, .. } if *ask == id => Some(answer.clone()),
                _ => None,
            });
            self.inner.hub.publish(Event::AskClosed { id, answer });
        }
        if let Some(ask) = open {
            self.inner.notify(&ask);
            self.inner.hub.publish(Event::AskOpened { ask });
        }
    }

    fn show(&self) {
        let mut shown = self.shown.lock().unwrap_or_else(|e| e.into_inner());
        shown.run = self.turn.view();
        shown.ask = self.turn.open_ask(self.inner.parts.clock.now());
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

    fn run_tool(&mut self, approval: Approval) {
        let call = approval.call().clone();
        let context = ToolContext {
            conversation: self.conversation.clone(),
            labels: self.turn.labels().clone(),
            now: self.inner.parts.clock.now(),
        };
        let known = self.inner.toolbox.get(approval.tool()).is_some_and(|d| d.digest == approval.tool_digest());
        let tool = self.inner.registry.get(approval.tool()).filter(|_| known).cloned();
        let handle = tokio::spawn(async move {
            match tool {
                Some(tool) => tool.run(approval, context).await,
                None => Err(ToolFailure::new("this tool is not there any more; go on without it")),
            }
        });
        self.tool = Some(RunningTool { call, handle, began: Instant::now() });
    }

    fn save_time_left(&self) {
        if let Some(ask) = self.turn.open_ask(self.inner.parts.clock.now())
            && let Some(left) = ask.left_ms
            && let Err(error) = self.inner.parts.store.save_time_left(&[(ask.id, left)])
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

async fn finished(tool: &mut Option<RunningTool>) -> ToolResult {
    match tool {
        Some(tool) => match Pin::new(&mut tool.handle).await {
            Ok(result) => result,
            Err(error) => {
                tracing::error!(%error, "a tool crashed");
                Err(ToolFailure::new("the tool crashed; this is a fault of Bailey's. Go on without it"))
            }
        },
        None => std::future::pending().await,
    }
}

async fn sleep(time: Option<Duration>) {
    match time {
        Some(time) => tokio::time::sleep(time).await,
        None => std::future::pending().await,
    }
}
