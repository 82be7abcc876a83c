// SPDX-License-Identifier: Apache-2.0
use crate::agent::{Agent, Inner, storage};
use crate::children::Ended;
use crate::session::{self, Start};
use bailey_engine::{Brief, Inherited, Turn};
use bailey_protocol::journal::{Entry, Record};
use bailey_protocol::{
    ApiError, Code, ConversationId, Event, Ledger, RunError, RunErrorKind, RunId, RunState, RunView,
};
use std::sync::Arc;
use tokio::sync::oneshot;

impl Agent {
    /// Takes up what an earlier process left in the middle: all of it, or one conversation's. Call it when the models of
    /// this process are known. A run that can't be read is left as it is and logged; the others go on.
    pub fn resume(&self, only: Option<&ConversationId>) -> Result<(), ApiError> {
        let mut open = self.0.parts.store.open_runs().map_err(storage)?;
        open.retain(|run| !self.0.sessions().contains_key(run));
        if !open.is_empty() {
            self.0.hub.expect_faces(self.0.now());
        }
        for run in open {
            if let Err(error) = self.0.take_up_open(&run, only) {
                tracing::error!(%error, %run, "a run could not be taken up again");
            }
        }
        Ok(())
    }
}

impl Inner {
    /// Ends a run whose task is gone.
    pub(crate) fn end_run(&self, run: &RunId, state: RunState, kind: RunErrorKind, message: &str) {
        let Some(session) = self.sessions().remove(run) else { return };
        // Nobody waits for its sub-agents any more.
        for child in self.sessions().values().filter(|child| child.view().parent.as_ref() == Some(run)) {
            drop(child.stop());
        }
        let error = RunError::new(kind, message);
        let view = session.view();
        self.close_journal(run, state, Some(error.clone()), view.ledger);
        for ask in session.asks() {
            self.hub.publish(Event::AskClosed { id: ask.id, answer: None });
        }
        self.hub.publish(Event::Run { run: RunView { state, error: Some(error), ..view } });
        self.tell_conversation(&session.root);
    }

    /// Writes the end of a run that no task will write.
    pub(crate) fn close_journal(&self, run: &RunId, state: RunState, error: Option<RunError>, ledger: Ledger) {
        let record = Record { at: self.now(), entry: Entry::Closed { state, error, ledger } };
        if let Err(error) = self.parts.store.append(run, &[record], self.parts.durability) {
            tracing::error!(%error, %run, "the end of a run was not written; the next start will");
        }
    }

    fn take_up_open(self: &Arc<Self>, run: &RunId, only: Option<&ConversationId>) -> Result<(), ApiError> {
        let view = self.parts.store.run(run).map_err(storage)?;
        let Some(view) = view else { return Err(ApiError::new(Code::Storage, "it is listed and not there")) };
        if let Some(parent) = &view.parent {
            // Its parent goes on with it. Where there is none any more, nobody waits for what it does.
            let over = self.parts.store.run(parent).map_err(storage)?.is_none_or(|parent| parent.state.is_final());
            if over {
                self.close_journal(run, RunState::Stopped, None, Ledger::default());
            }
            return Ok(());
        }
        let conversation = &view.conversation;
        if only.is_some_and(|only| only != conversation) {
            return Ok(());
        }
        if self.parts.store.conversation(conversation).map_err(storage)?.is_none() {
            return Ok(());
        }
        let newest = self.parts.store.runs(conversation).map_err(storage)?.pop();
        if newest.is_some_and(|newest| newest.id != *run) {
            // Its end could not be written, and the person has gone on without it.
            self.close_journal(run, RunState::Stopped, None, Ledger::default());
            return Ok(());
        }
        self.take_up(run, None, None)
    }

    /// Starts the task of a run as its journal left it. `inherited` and `ended` are for a sub-agent.
    pub(crate) fn take_up(
        self: &Arc<Self>,
        run: &RunId,
        inherited: Option<Inherited>,
        ended: Option<oneshot::Sender<Ended>>,
    ) -> Result<(), ApiError> {
        let records = self.parts.store.journal(run).map_err(storage)?;
        let Some((
            Entry::Opened { conversation, prompt, mode, model, budget, nonce, unattended, automation, parent, .. },
            at,
        )) = records.first().map(|r| (&r.entry, r.at))
        else {
            return Err(ApiError::new(Code::Storage, "its journal does not begin with its opening"));
        };
        let brief = Brief {
            run: run.clone(),
            conversation: conversation.clone(),
            prompt: prompt.clone(),
            mode: *mode,
            model: model.clone(),
            budget: *budget,
            nonce: nonce.clone(),
            automation: automation.clone().or_else(|| unattended.then(String::new)),
            parent: parent.clone(),
            inherited: inherited.map(Arc::new),
            started: at,
        };
        let branch = self.parts.store.branch(conversation, Some(prompt)).map_err(storage)?;
        let open = self.parts.store.asks(Some(brief.root())).map_err(storage)?;
        let (turn, first) = Turn::restore(brief, self.toolbox.clone(), branch, &records, &open, self.now());
        if let Some(ask) = turn.open_asks(self.now()).first() {
            self.notify(ask);
        }
        session::start(self, run.clone(), turn, Start { first, ended, ..Start::default() });
        Ok(())
    }
}
