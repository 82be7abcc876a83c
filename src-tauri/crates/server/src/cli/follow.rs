// SPDX-License-Identifier: Apache-2.0
use super::print::Printer;
use super::prompt;
use super::signals::Signals;
use super::terminal::{self, Lines, say};
use super::{Exit, Failure};
use bailey_agent::Subscription;
use bailey_api::Api;
use bailey_protocol::{
    Answer, ApiError, Ask, AskAnswerParams, AskId, AskKind, Call, CallId, CallState, Code, ConversationId,
    ConversationRef, ConversationView, Event, Message, Role, RunErrorKind, RunId, RunRef, RunState, RunView,
    StreamMessage,
};
use futures::{FutureExt as _, StreamExt as _};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::{HashMap, HashSet, VecDeque};
use std::io::{IsTerminal as _, Stdout};
use std::time::Duration;
use tokio::time::Instant;

/// How long a stopped run may take to close its journal.
const STOPPING: Duration = Duration::from_secs(5);

/// Calls a command of the API by its parameters' and result's types.
pub(crate) async fn call<P: Serialize, R: DeserializeOwned>(api: &Api, name: &str, params: P) -> Result<R, ApiError> {
    let internal = |e: serde_json::Error| ApiError::new(Code::Internal, format!("{name}: {e}"));
    let result = api.dispatch(name, serde_json::to_value(params).map_err(internal)?).await?;
    serde_json::from_value(result).map_err(internal)
}

/// Follows one conversation: prints what happens in it and puts its questions to the person.
pub(crate) struct Follow {
    api: Api,
    events: Subscription,
    signals: Signals,
    conversation: ConversationId,
    printer: Printer<Stdout>,
    json: bool,
    /// What the person types; `None` when no person is there.
    lines: Option<Lines>,
    run: RunId,
    /// Open questions of the run and of its sub-agents.
    asks: VecDeque<Ask>,
    /// All questions seen, for their closing does not name the conversation.
    seen: HashSet<AskId>,
    /// The question being put.
    prompted: Option<AskId>,
    calls: HashMap<CallId, CallState>,
    /// Whether it was said that another model took over.
    instead: bool,
    /// Why the run is being stopped, and until when it may take.
    stopping: Option<(Exit, Instant)>,
}

impl Follow {
    /// Follows the conversation from here on. `events` must have begun before anything happened that is to be seen.
    pub(crate) fn new(
        api: Api,
        events: Subscription,
        signals: Signals,
        conversation: ConversationId,
        json: bool,
    ) -> Self {
        Self {
            api,
            events,
            signals,
            conversation,
            printer: Printer::new(std::io::stdout(), std::io::stdout().is_terminal()),
            json,
            lines: (!json && terminal::is_interactive()).then(Lines::default),
            run: RunId::from(""),
            asks: VecDeque::new(),
            seen: HashSet::new(),
            instead: false,
            prompted: None,
            calls: HashMap::new(),
            stopping: None,
        }
    }

    /// Goes on until this run is over and says how the command ends. `open` are questions of it that are known already.
    pub(crate) async fn until_over(&mut self, run: RunId, open: Vec<Ask>) -> Result<Exit, Failure> {
        self.run = run;
        for ask in open {
            self.asked(ask).await?;
        }
        loop {
            self.put_question().await;
            let prompted = self.prompted.is_some();
            let deadline = self.stopping.map(|(_, at)| at);
            tokio::select! {
                exit = self.signals.next() => {
                    if self.stopping.is_some() {
                        return Ok(exit);
                    }
                    self.stop(exit).await;
                }
                message = self.events.next() => {
                    let message = message.ok_or_else(|| Failure::new("Bailey ended before the run was over."))?;
                    if let Some(run) = self.take(message).await? {
                        return self.over(&run).await;
                    }
                }
                line = next_line(&mut self.lines), if prompted => self.typed(line).await?,
                () = sleep_until(deadline), if deadline.is_some() => {
                    return Ok(self.stopping.map_or(Exit::Failed, |(exit, _)| exit));
                }
            }
        }
    }

    /// Takes a message of the stream; the run when it is over.
    async fn take(&mut self, message: StreamMessage) -> Result<Option<RunView>, Failure> {
        let StreamMessage::Event { event, .. } = &message else {
            return self.catch_up().await;
        };
        if !self.concerns(event) {
            return Ok(None);
        }
        if self.json {
            let printed = self.printer.event(&message);
            self.printed(printed).await;
        }
        let StreamMessage::Event { event, .. } = message else { return Ok(None) };
        match event {
            Event::Delta { delta } if !self.json => {
                let printed = self.printer.delta(&delta);
                self.printed(printed).await;
            }
            Event::Message { message } => self.message(&message).await,
            Event::AskOpened { ask } => self.asked(ask).await?,
            Event::AskClosed { id, answer } => self.closed(&id, answer.as_ref()),
            Event::Run { run } if run.id == self.run && run.state.is_final() => return Ok(Some(run)),
            Event::Run { run } if run.id == self.run && !self.json => self.passing(&run),
            _ => {}
        }
        Ok(None)
    }

    /// Says why it takes longer, and who answers instead.
    fn passing(&mut self, run: &RunView) {
        if let Some(retrying) = &run.retrying {
            let why = match retrying.kind {
                RunErrorKind::Rate => "got too many requests",
                RunErrorKind::Overloaded => "is overloaded",
                RunErrorKind::Network => "can't be reached",
                RunErrorKind::Timeout => "took too long",
                RunErrorKind::Interrupted => "broke off",
                _ => "has a fault",
            };
            self.tell(&format!("· The provider {why}; trying again in {} s.", retrying.wait_ms.div_ceil(1000)));
        }
        if let (Some(model), true) = (&run.model, run.instead_of.is_some() && !self.instead) {
            self.instead = true;
            self.tell(&format!("· {} takes over.", model.model));
        }
    }

    fn concerns(&mut self, event: &Event) -> bool {
        let conversation = match event {
            Event::Conversation { conversation } => &conversation.id,
            Event::ConversationRemoved { id } => id,
            Event::Message { message } => &message.conversation,
            Event::Delta { delta } => &delta.conversation,
            Event::Run { run } => &run.conversation,
            Event::AskOpened { ask } => {
                let concerns = ask.conversation == self.conversation;
                if concerns {
                    self.seen.insert(ask.id.clone());
                }
                return concerns;
            }
            Event::AskClosed { id, .. } => return self.seen.contains(id),
            Event::Grants | Event::Notes { .. } => return false,
            Event::Settings { .. } => return false,
        };
        *conversation == self.conversation
    }

    /// Some events were missed: what they said is read.
    async fn catch_up(&mut self) -> Result<Option<RunView>, Failure> {
        let reference = ConversationRef { conversation: self.conversation.clone() };
        let view: ConversationView =
            call(&self.api, "conversation_open", reference).await.map_err(|e| Failure::new(e.message))?;
        for message in &view.messages {
            self.message(message).await;
        }
        let gone: Vec<AskId> =
            self.asks.iter().map(|a| a.id.clone()).filter(|id| view.asks.iter().all(|a| a.id != *id)).collect();
        for id in gone {
            self.closed(&id, None);
        }
        for ask in view.asks {
            if self.seen.insert(ask.id.clone()) {
                self.asked(ask).await?;
            }
        }
        Ok(view.runs.into_iter().find(|run| run.id == self.run && run.state.is_final()))
    }

    async fn message(&mut self, message: &Message) {
        if self.json || message.run != self.run || message.role != Role::Assistant {
            return;
        }
        if message.status != bailey_protocol::MessageStatus::Streaming {
            let printed = self.printer.message(message);
            self.printed(printed).await;
        }
        for call in message.calls() {
            if self.calls.insert(call.id.clone(), call.state) != Some(call.state) {
                self.report(call);
            }
        }
    }

    /// Says what a call does, as far as nothing else says it.
    fn report(&mut self, call: &Call) {
        let said = call.parts.iter().map(|p| p.text.as_str()).find(|t| !t.trim().is_empty()).unwrap_or_default();
        let reason = call.denial.as_ref().map_or(said, |d| d.message.as_str());
        let text = match call.state {
            CallState::Pending | CallState::Waiting => return,
            CallState::Running => format!("· {} {}", call.tool, shortened(&call.arguments.to_string())),
            CallState::Done => format!("  {} is done ({} ms).", call.tool, call.ms),
            CallState::Failed => format!("  {} failed: {}", call.tool, shortened(reason)),
            CallState::Denied => format!("· {} was not allowed: {}", call.tool, shortened(reason)),
            CallState::Rejected => format!("· {} was not run: you said no.", call.tool),
            CallState::Cancelled => format!("  {} was stopped.", call.tool),
            CallState::Unknown => format!("  Nobody knows whether {} happened.", call.tool),
        };
        self.tell(&text);
    }

    /// A question was opened.
    async fn asked(&mut self, ask: Ask) -> Result<(), Failure> {
        self.seen.insert(ask.id.clone());
        // A sub-agent's question is the run's own: a conversation has one at a time.
        let is_ours = ask.run == self.run || ask.origin.is_some();
        if !is_ours || self.stopping.is_some() {
            return Ok(());
        }
        if self.lines.is_some() {
            self.asks.push_back(ask);
            return Ok(());
        }
        match &ask.kind {
            AskKind::Confirm { .. } | AskKind::Spend { .. } => {
                if !self.json {
                    let text = prompt::describe(&ask);
                    self.tell(text.trim_end());
                    self.tell(
                        "Nobody can approve it here, so the run is stopped. Ask again in a terminal, or in the app.",
                    );
                }
                self.stop(Exit::NeedsApproval).await;
                Ok(())
            }
            AskKind::Question { .. } => {
                if !self.json {
                    let text = prompt::describe(&ask);
                    self.tell(&format!("{}\nNobody can answer here; it decides itself.", text.trim_end()));
                }
                self.answer(&ask, Answer::NoAnswer).await
            }
            AskKind::Recovery { .. } => self.answer(&ask, Answer::NoAnswer).await,
        }
    }

    async fn answer(&mut self, ask: &Ask, answer: Answer) -> Result<(), Failure> {
        let params = AskAnswerParams { ask: ask.id.clone(), answer };
        match call::<_, bailey_protocol::Nothing>(&self.api, "ask_answer", params).await {
            Err(error) if !matches!(error.code, Code::Stale | Code::NotFound) => Err(Failure::new(error.message)),
            Err(error) => {
                self.tell(&error.message);
                Ok(())
            }
            Ok(_) => Ok(()),
        }
    }

    /// Puts the oldest open question to the person, unless one is put already.
    async fn put_question(&mut self) {
        let (None, None, Some(ask), Some(lines)) = (&self.stopping, &self.prompted, self.asks.front(), &mut self.lines)
        else {
            return;
        };
        lines.discard().await;
        self.prompted = Some(ask.id.clone());
        let text = prompt::text(ask);
        self.break_line();
        terminal::say_inline(&text);
    }

    async fn typed(&mut self, line: Option<String>) -> Result<(), Failure> {
        self.prompted = None;
        let Some(ask) = self.asks.front().cloned() else { return Ok(()) };
        let Some(line) = line else {
            // The terminal is gone, and so is the person.
            self.lines = None;
            for ask in std::mem::take(&mut self.asks) {
                self.asked(ask).await?;
            }
            return Ok(());
        };
        if let Some(answer) = prompt::answer(&ask, &line) {
            self.asks.pop_front();
            self.answer(&ask, answer).await?;
        }
        Ok(())
    }

    fn closed(&mut self, id: &AskId, answer: Option<&Answer>) {
        let was_open = self.asks.iter().any(|ask| ask.id == *id);
        self.asks.retain(|ask| ask.id != *id);
        if self.prompted.as_ref() == Some(id) {
            self.prompted = None;
            if was_open {
                let text = match answer {
                    Some(Answer::NoAnswer) => "\nToo late: the time to answer ran out.",
                    _ => "\nThis question was closed.",
                };
                self.tell(text);
            }
        }
    }

    /// Stops the run; its end comes as an event.
    async fn stop(&mut self, exit: Exit) {
        self.stopping = Some((exit, Instant::now() + STOPPING));
        self.asks.clear();
        if matches!(exit, Exit::Interrupted | Exit::Terminated) {
            self.tell("Stopping the run…");
        }
        // A failure means that it is over already, or that it never ends: the event or the deadline tells.
        let reference = RunRef { run: self.run.clone() };
        if let Err(error) = call::<_, bailey_protocol::Nothing>(&self.api, "stop", reference).await {
            tracing::debug!(error = %error.message, "stop");
        }
    }

    /// The run is over: the last events are printed, and how the command ends is said.
    async fn over(&mut self, run: &RunView) -> Result<Exit, Failure> {
        if self.json {
            while let Some(Some(message)) = self.events.next().now_or_never() {
                if matches!(&message, StreamMessage::Event { event, .. } if self.concerns(event)) {
                    let printed = self.printer.event(&message);
                    self.printed(printed).await;
                }
            }
        } else {
            let _ = self.printer.end();
        }
        if let Some((exit, _)) = self.stopping.take() {
            return Ok(exit);
        }
        match (run.state, &run.error) {
            (RunState::Failed, Some(error)) => {
                let next = match error.kind {
                    RunErrorKind::Auth => "\nThe key comes from the variable BAILEY_API_KEY.",
                    _ => "",
                };
                let said = error.details.as_ref().map(|words| format!("\nIt says: {words}")).unwrap_or_default();
                Err(Failure::new(format!("{}{next}{said}", error.message)))
            }
            (RunState::Failed, None) => Err(Failure::new("The run failed.")),
            (RunState::Stopped, _) => Err(Failure::new("The run was stopped.")),
            _ => Ok(Exit::Fine),
        }
    }

    /// When nobody takes what is printed any more, the run has no use.
    async fn printed(&mut self, result: std::io::Result<()>) {
        if let Err(error) = result
            && self.stopping.is_none()
        {
            say(&format!("The output can't be written ({error}); the run is stopped."));
            self.stop(Exit::Failed).await;
        }
    }

    fn tell(&mut self, text: &str) {
        self.break_line();
        say(text);
    }

    /// On a terminal, what is said must not join the answer's line.
    fn break_line(&mut self) {
        if self.printer.in_line() && std::io::stdout().is_terminal() {
            let _ = self.printer.end();
        }
    }
}

async fn next_line(lines: &mut Option<Lines>) -> Option<String> {
    match lines {
        Some(lines) => lines.next().await,
        None => std::future::pending().await,
    }
}

async fn sleep_until(deadline: Option<Instant>) {
    match deadline {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}

/// The first line, cut where it gets long: progress, not proof.
fn shortened(text: &str) -> String {
    const MOST: usize = 160;
    let line = text.trim().lines().next().unwrap_or_default();
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}
