// SPDX-License-Identifier: Apache-2.0
//! What the journal means: each entry changes the rows that are shown. Runs in the transaction that adds the records, and
//! again over the whole journal when everything is rebuilt, so it reads nothing but what earlier entries made.

use crate::error::{Result, conflict};
use crate::messages::{self, Stored};
use crate::runs::{self, NewRun};
use crate::{asks, conversations, summary};
use bailey_protocol::journal::{Entry, Record};
use bailey_protocol::{
    Answer, Ask, AskKind, Block, Call, CallId, CallState, ConversationId, Ledger, Message, MessageId, MessageStatus,
    Millis, Part, Role, RunId, RunState, RunView, SummaryState,
};
use rusqlite::Connection;

/// Applies the records of one run; [`Projection::finish`] saves what was touched, each row once.
pub(crate) struct Projection<'a> {
    sql: &'a Connection,
    id: &'a RunId,
    run: Option<RunView>,
    /// The person's conversation that a sub-agent's run works for.
    root: Option<ConversationId>,
    run_changed: bool,
    messages: Vec<(Stored, bool)>,
    touched: conversations::Touched,
}

impl<'a> Projection<'a> {
    pub(crate) fn of(sql: &'a Connection, id: &'a RunId) -> Result<Self> {
        let run = runs::get(sql, id)?;
        let root = match &run {
            Some(RunView { parent: Some(_), conversation, .. }) => conversations::root(sql, conversation)?,
            _ => None,
        };
        let touched = conversations::Touched::default();
        Ok(Self { sql, id, run, root, run_changed: false, messages: Vec::new(), touched })
    }

    /// Applies one record.
    pub(crate) fn apply(&mut self, record: &Record) -> Result<()> {
        let at = record.at;
        match (&record.entry, &self.run) {
            (Entry::Opened { .. }, None) => self.opened(record)?,
            (Entry::Opened { .. }, Some(_)) => return conflict(format!("run {} was opened before", self.id)),
            (_, None) => return conflict(format!("run {} was not opened", self.id)),
            (_, Some(run)) if run.state.is_final() => return conflict(format!("run {} is closed", self.id)),
            (Entry::Prompt { message, parent, text, labels, pictures }, Some(_)) => {
                let mut new = self.new_message(message, parent.as_ref(), Role::User, at)?;
                let pictures = pictures.iter().map(|picture| Block::Picture { picture: picture.clone() });
                new.blocks = Some(Block::Text { text: text.clone() })
                    .filter(|_| !text.is_empty())
                    .into_iter()
                    .chain(pictures)
                    .collect();
                new.labels = labels.clone();
                let stored = self.insert(new)?;
                self.index(&stored)?;
                self.said(text);
                if let Some(run) = &self.run {
                    conversations::title_from(self.sql, &run.conversation, &summary::title(text))?;
                }
            }
            (Entry::RoundOpened { message, parent, ledger, summary, .. }, Some(_)) => {
                let mut new = self.new_message(message, Some(parent), Role::Assistant, at)?;
                new.status = MessageStatus::Streaming;
                new.summary = summary.then_some(SummaryState::Used);
                new.model = self.run.as_ref().and_then(|run| run.model.as_ref()).map(|model| model.model.clone());
                let stored = self.insert(new)?;
                self.messages.push((stored, false));
                self.spent(*ledger);
            }
            (Entry::RoundRestarted { message, .. }, Some(_)) => self.streaming(message)?.message.blocks.clear(),
            (Entry::Fallback { message, model }, Some(_)) => {
                self.streaming(message)?.message.model = Some(model.model.clone());
                self.change_run(|run| {
                    let before = run.model.replace(model.clone());
                    run.instead_of = run.instead_of.take().or(before);
                });
            }
            (Entry::Compressed { .. }, Some(_)) => self.change_run(|run| run.compressed = true),
            (Entry::Checkpoint { message, text, reasoning, labels }, Some(_)) => {
                let message = &mut self.streaming(message)?.message;
                message.labels.join(labels);
                let blocks = &mut message.blocks;
                if !reasoning.is_empty() {
                    match blocks.last_mut() {
                        Some(Block::Reasoning { text, .. }) => text.push_str(reasoning),
                        _ => blocks.push(Block::Reasoning { text: reasoning.clone(), ms: 0 }),
                    }
                }
                if !text.is_empty() {
                    match blocks.last_mut() {
                        Some(Block::Text { text: last }) => last.push_str(text),
                        _ => blocks.push(Block::Text { text: text.clone() }),
                    }
                }
            }
            (Entry::RoundClosed { message, blocks, status, labels, usage, native }, Some(_)) => {
                let stored = self.streaming(message)?;
                stored.message.blocks.clone_from(blocks);
                stored.message.labels = labels.clone();
                stored.message.usage = *usage;
                stored.message.native.clone_from(native);
                if *status == MessageStatus::Streaming {
                    return conflict(format!("message {message} was closed as streaming"));
                }
                self.closed(message, *status)?;
            }
            (Entry::Asked { ask, tool_digest }, Some(_)) => self.asked(ask, tool_digest)?,
            (Entry::Answered { ask, call, answer }, Some(_)) => {
                let Some(asked) = asks::take(self.sql, self.id, ask)? else {
                    return conflict(format!("there is no open question {ask}"));
                };
                if asked.call != *call {
                    return conflict(format!("question {ask} is about call {}, not {call}", asked.call));
                }
                self.answered(&asked, answer)?;
            }
            (Entry::Intent { call, arguments, .. }, Some(_)) => {
                let open = self.open_call(call)?;
                open.state = CallState::Running;
                open.arguments.clone_from(arguments);
                self.wait_or_run()?;
            }
            (Entry::Outcome { call, state, arguments, parts, denial, repairs, ms }, Some(_)) => {
                if !state.is_final() {
                    return conflict(format!("the outcome of call {call} is not final"));
                }
                let open = self.open_call(call)?;
                open.state = *state;
                open.arguments.clone_from(arguments);
                open.parts.clone_from(parts);
                open.denial.clone_from(denial);
                open.repairs.clone_from(repairs);
                open.ms = *ms;
                self.wait_or_run()?;
            }
            (Entry::Resumed { ledger }, Some(_)) => {
                self.spent(*ledger);
                self.change_run(|run| run.resumed = true);
            }
            (Entry::Closed { state, error, ledger }, Some(_)) => {
                if !state.is_final() {
                    return conflict(format!("run {} was closed without an end", self.id));
                }
                self.end(*state)?;
                self.spent(*ledger);
                self.change_run(|run| {
                    run.state = *state;
                    run.error.clone_from(error);
                });
            }
        }
        self.touched.updated = self.touched.updated.max(at);
        Ok(())
    }

    /// Saves what was touched.
    pub(crate) fn finish(self) -> Result<()> {
        for (stored, changed) in &self.messages {
            if *changed {
                messages::update(self.sql, stored)?;
            }
        }
        if let Some(run) = &self.run {
            if self.run_changed {
                runs::update(self.sql, run)?;
            }
            conversations::touch(self.sql, &run.conversation, &self.touched)?;
        }
        Ok(())
    }

    fn opened(&mut self, record: &Record) -> Result<()> {
        let Entry::Opened { conversation, prompt, mode, model, budget, nonce, unattended, automation, parent, key } =
            &record.entry
        else {
            return Ok(());
        };
        let view = RunView {
            id: self.id.clone(),
            conversation: conversation.clone(),
            mode: *mode,
            state: RunState::Running,
            error: None,
            started: record.at,
            ledger: Ledger::default(),
            budget: *budget,
            resumed: false,
            unattended: *unattended,
            parent: parent.as_ref().map(|parent| parent.run.clone()),
            call: parent.as_ref().map(|parent| parent.call.clone()),
            model: Some(model.clone()),
            instead_of: None,
            window: None,
            compressed: false,
            left_out: Vec::new(),
            retrying: None,
        };
        match parent {
            Some(parent) => conversations::ensure_child(self.sql, conversation, &view, parent)?,
            None => conversations::ensure(self.sql, conversation, *mode, model, record.at)?,
        }
        // What a sub-agent's conversation may have from outside is known to its parent's run only.
        let root = conversations::root(self.sql, conversation)?;
        if root.as_ref() != parent.as_ref().map(|parent| &parent.conversation) {
            return conflict(format!("conversation {conversation} belongs to another one, or to none"));
        }
        self.root = root;
        let (automation, key, parent) = (automation.as_deref(), key.as_deref(), parent.as_ref());
        runs::insert(self.sql, &NewRun { view: &view, prompt, model, nonce, automation, parent, key })?;
        self.run = Some(view);
        Ok(())
    }

    fn asked(&mut self, ask: &Ask, tool_digest: &str) -> Result<()> {
        let root = self.root.as_ref().or(self.run.as_ref().map(|run| &run.conversation));
        if ask.run != *self.id || root != Some(&ask.conversation) {
            return conflict(format!("question {} belongs to another run", ask.id));
        }
        if matches!(ask.kind, AskKind::Spend { .. }) {
            // It is about a request, not about a call.
        } else if matches!(ask.kind, AskKind::Recovery { .. }) {
            self.call(&ask.call)?;
        } else {
            self.open_call(&ask.call)?.state = CallState::Waiting;
        }
        asks::insert(self.sql, ask, tool_digest)?;
        self.wait_or_run()
    }

    fn answered(&mut self, asked: &Ask, answer: &Answer) -> Result<()> {
        if !matches!(asked.kind, AskKind::Spend { .. }) {
            let call = self.call(&asked.call)?;
            if matches!(asked.kind, AskKind::Recovery { .. }) {
                call.recovery = Some(recovery(answer));
            } else if call.state == CallState::Waiting {
                call.state = CallState::Pending;
            }
        }
        self.wait_or_run()
    }

    /// A run waits while a question of its is open and none of its calls runs.
    fn wait_or_run(&mut self) -> Result<()> {
        let mut state = RunState::Running;
        if asks::any_of_run(self.sql, self.id)? {
            self.load_unfinished()?;
            let mut calls = self.messages.iter().flat_map(|(stored, _)| stored.message.calls());
            if calls.all(|call| call.state != CallState::Running) {
                state = RunState::Waiting;
            }
        }
        if self.run.as_ref().is_some_and(|run| run.state != state) {
            self.change_run(|run| run.state = state);
        }
        Ok(())
    }

    /// Closes whatever a run that ends leaves open.
    fn end(&mut self, state: RunState) -> Result<()> {
        self.load_unfinished()?;
        let status = if state == RunState::Stopped { MessageStatus::Stopped } else { MessageStatus::Interrupted };
        let mut streaming = Vec::new();
        for (stored, changed) in &mut self.messages {
            if stored.message.status == MessageStatus::Streaming {
                streaming.push(stored.message.id.clone());
            }
            for call in stored.message.calls_mut().filter(|call| !call.state.is_final()) {
                call.parts.push(Part::plain(cancelled(call.state, state)));
                call.state = CallState::Cancelled;
                *changed = true;
            }
        }
        for message in &streaming {
            self.closed(message, status)?;
        }
        asks::remove_of_run(self.sql, self.id)
    }

    fn load_unfinished(&mut self) -> Result<()> {
        for stored in messages::unfinished_of(self.sql, self.id)? {
            if self.messages.iter().all(|(known, _)| known.seq != stored.seq) {
                self.messages.push((stored, false));
            }
        }
        Ok(())
    }

    /// Ends the stream of a loaded message.
    fn closed(&mut self, id: &MessageId, status: MessageStatus) -> Result<()> {
        let stored = self.streaming(id)?;
        stored.message.status = status;
        let text = stored.message.text();
        if let Some((stored, _)) = self.messages.iter().find(|(known, _)| known.message.id == *id) {
            self.index(stored)?;
            // A summary is about the conversation; it does not take it further.
            if stored.message.summary.is_some() {
                return Ok(());
            }
        }
        self.said(&text);
        Ok(())
    }

    /// Makes a message searchable; what sub-agents say is not.
    fn index(&self, stored: &Stored) -> Result<()> {
        if self.root.is_none() { messages::index(self.sql, stored) } else { Ok(()) }
    }

    fn said(&mut self, text: &str) {
        let preview = summary::preview(text);
        if !preview.is_empty() {
            self.touched.preview = Some(preview);
        }
    }

    fn spent(&mut self, ledger: Ledger) {
        self.change_run(|run| run.ledger = ledger);
    }

    fn change_run(&mut self, change: impl FnOnce(&mut RunView)) {
        if let Some(run) = &mut self.run {
            change(run);
            self.run_changed = true;
        }
    }

    fn new_message(&self, id: &MessageId, parent: Option<&MessageId>, role: Role, at: Millis) -> Result<Message> {
        let conversation = match &self.run {
            Some(run) => run.conversation.clone(),
            None => return conflict(format!("run {} was not opened", self.id)),
        };
        self.check_parent(&conversation, parent)?;
        Ok(Message {
            id: id.clone(),
            conversation,
            parent: parent.cloned(),
            run: self.id.clone(),
            role,
            status: MessageStatus::Complete,
            at,
            blocks: Vec::new(),
            labels: Default::default(),
            model: None,
            usage: None,
            native: None,
            summary: None,
            siblings: Vec::new(),
        })
    }

    fn check_parent(&self, conversation: &ConversationId, parent: Option<&MessageId>) -> Result<()> {
        match parent {
            Some(parent) if messages::conversation_of(self.sql, parent)?.as_ref() != Some(conversation) => {
                conflict(format!("message {parent} is not in conversation {conversation}"))
            }
            _ => Ok(()),
        }
    }

    /// Adds a message; it becomes the leaf of the branch that is shown.
    fn insert(&mut self, message: Message) -> Result<Stored> {
        self.touched.head = Some(message.id.clone());
        Ok(Stored { seq: messages::insert(self.sql, &message)?, message })
    }

    /// A message of this run that is being streamed, to change.
    fn streaming(&mut self, id: &MessageId) -> Result<&mut Stored> {
        let at = match self.messages.iter().position(|(known, _)| known.message.id == *id) {
            Some(at) => at,
            None => {
                let Some(stored) = messages::get(self.sql, id)?.filter(|stored| stored.message.run == *self.id) else {
                    return conflict(format!("run {} has no message {id}", self.id));
                };
                self.messages.push((stored, false));
                self.messages.len() - 1
            }
        };
        let (stored, changed) = &mut self.messages[at];
        if stored.message.status != MessageStatus::Streaming {
            return conflict(format!("message {id} is closed"));
        }
        *changed = true;
        Ok(stored)
    }

    /// A call of this run, to change.
    fn call(&mut self, id: &CallId) -> Result<&mut Call> {
        let holds = |stored: &Stored| stored.message.calls().any(|call| call.id == *id);
        let at = match self.messages.iter().position(|(known, _)| holds(known)) {
            Some(at) => at,
            None => {
                let Some(stored) = messages::of_call(self.sql, self.id, id)? else {
                    return conflict(format!("run {} has no call {id}", self.id));
                };
                self.messages.push((stored, false));
                self.messages.len() - 1
            }
        };
        let (stored, changed) = &mut self.messages[at];
        *changed = true;
        match stored.message.calls_mut().find(|call| call.id == *id) {
            Some(call) => Ok(call),
            None => conflict(format!("run {} has no call {id}", self.id)),
        }
    }

    /// A call of this run that is not final, to change.
    fn open_call(&mut self, id: &CallId) -> Result<&mut Call> {
        let call = self.call(id)?;
        if call.state.is_final() {
            return conflict(format!("call {id} has its outcome"));
        }
        Ok(call)
    }
}

/// What the model is told of a call that ran into a crash.
fn recovery(answer: &Answer) -> String {
    match answer {
        Answer::Choice { index: 0 } => "It happened.".to_owned(),
        Answer::Choice { index: 1 } => "It did not happen.".to_owned(),
        Answer::Choice { index: 2 } => "Nobody knows.".to_owned(),
        Answer::Text { text } => text.clone(),
        _ => "No answer.".to_owned(),
    }
}

/// What the model is told of a call that its run left open.
fn cancelled(was: CallState, end: RunState) -> &'static str {
    match (was, end) {
        (CallState::Running, RunState::Stopped) => {
            "Cancelled: the person stopped the run while this call was running. It may have had its effect"
        }
        (CallState::Running, _) => "Cancelled: the run ended while this call was running. It may have had its effect",
        (_, RunState::Stopped) => "Cancelled: the person stopped the run before this call ran",
        (_, RunState::Failed) => "Cancelled: the run failed before this call ran",
        _ => "Cancelled: the run ended before this call ran",
    }
}
