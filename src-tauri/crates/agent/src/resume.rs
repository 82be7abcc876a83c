// SPDX-License-Identifier: Apache-2.0
use crate::agent::{Agent, Inner, storage};
use crate::session;
use bailey_engine::{Brief, Turn};
use bailey_protocol::journal::Entry;
use bailey_protocol::{ApiError, RunId};
use std::sync::Arc;

impl Agent {
    /// Takes up what an earlier process left in the middle. A run that can't be read is left as it is and logged: the
    /// others go on.
    pub(crate) fn resume(&self) -> Result<(), ApiError> {
        let open = self.0.parts.store.open_runs().map_err(storage)?;
        if !open.is_empty() {
            self.0.hub.expect_faces(self.0.now());
        }
        for run in open {
            if let Err(error) = self.0.take_up(&run) {
                tracing::error!(%error, %run, "a run could not be taken up again");
            }
        }
        Ok(())
    }
}

impl Inner {
    fn take_up(self: &Arc<Self>, run: &RunId) -> Result<(), ApiError> {
        let records = self.parts.store.journal(run).map_err(storage)?;
        let Some((Entry::Opened { conversation, prompt, mode, model, budget, nonce, unattended, .. }, started)) =
            records.first().map(|r| (&r.entry, r.at))
        else {
            return Err(ApiError::new(bailey_protocol::Code::Storage, "its journal does not begin with its opening"));
        };
        if self.parts.store.conversation(conversation).map_err(storage)?.is_none() {
            return Ok(());
        }
        let brief = Brief {
            run: run.clone(),
            conversation: conversation.clone(),
            prompt: prompt.clone(),
            mode: *mode,
            model: model.clone(),
            budget: *budget,
            nonce: nonce.clone(),
            automation: unattended.then(String::new),
            started,
        };
        let branch = self.parts.store.branch(conversation, Some(prompt)).map_err(storage)?;
        let open = self.parts.store.asks(Some(conversation)).map_err(storage)?;
        let (turn, effects) = Turn::restore(brief, self.toolbox.clone(), branch, &records, &open, self.now());
        if let Some(ask) = turn.open_ask(self.now()) {
            self.notify(&ask);
        }
        session::start(self, run.clone(), turn, self.model(model), effects, false);
        Ok(())
    }
}
