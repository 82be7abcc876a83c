// SPDX-License-Identifier: Apache-2.0
use crate::agent::{Agent, Inner, RunOptions, storage};
use crate::pictures;
use crate::session::{self, Start};
use bailey_engine::{Brief, Turn};
use bailey_protocol::journal::{Entry, Record};
use bailey_protocol::{
    ApiError, Code, ConversationId, ConversationPatch, ConversationSummary, ConversationView, Event, Labels, Ledger,
    MessageId, MessageRef, Mode, ModelChoice, PictureRef, Role, RunError, RunErrorKind, RunId, RunState, SendParams,
    Sent,
};
use std::sync::Arc;
use std::time::Duration;

/// The longest message, in characters.
const LONGEST: usize = 400_000;
/// How long a deleted conversation can be brought back.
const UNDO: Duration = Duration::from_secs(30);

impl Agent {
    /// Sends a message and starts a run.
    pub async fn send(&self, params: SendParams, options: RunOptions) -> Result<Sent, ApiError> {
        let inner = &self.0;
        let text = inner.parts.redactor.clean(params.text.trim()).into_owned();
        if text.is_empty() && params.pictures.is_empty() && params.keep_pictures.is_empty() {
            return Err(bad("the message is empty"));
        }
        if text.chars().count() > LONGEST {
            return Err(bad("the message is too long; send it in parts or as a file"));
        }
        let new = pictures::prepare(params.pictures, |text| inner.parts.redactor.clean(text).into_owned()).await?;
        let mut kept: Vec<PictureRef> = Vec::new();
        let _starting = inner.starting.lock().unwrap_or_else(|e| e.into_inner());
        if let Some(key) = &params.key
            && let Some(sent) = inner.parts.store.sent(key).map_err(storage)?
        {
            return Ok(sent);
        }
        let (conversation, mode, model, parent) = match &params.conversation {
            None if params.edit.is_some() => return Err(bad("an edit names its conversation")),
            None => (ConversationId::new(fresh()), params.mode, params.model.clone(), None),
            Some(id) => {
                let summary = inner.conversation(id)?;
                inner.refuse_sub_agents(id)?;
                if inner.is_busy(id) {
                    return Err(busy());
                }
                let parent = match &params.edit {
                    Some(edited) => {
                        let message = inner.user_message(id, edited)?;
                        kept.extend(message.pictures().filter(|p| params.keep_pictures.contains(&p.id)).cloned());
                        message.parent
                    }
                    None => inner.parts.store.branch(id, None).map_err(storage)?.last().map(|m| m.id.clone()),
                };
                (id.clone(), Some(summary.mode), summary.model, parent)
            }
        };
        let settings = inner.settings();
        let mode = mode.unwrap_or(settings.default_mode);
        let model = model.or(settings.default_model).ok_or_else(no_model)?;
        let prompt = MessageId::new(fresh());
        if text.is_empty() && kept.is_empty() && new.is_empty() {
            return Err(bad("the message is empty"));
        }
        if kept.len() + new.len() > pictures::MOST {
            return Err(bad("a message takes at most 8 pictures"));
        }
        inner.keep_pictures(&conversation, &new)?;
        kept.extend(new.into_iter().map(|prepared| prepared.reference));
        let entry = Entry::Prompt { message: prompt.clone(), parent, text, labels: Labels::none(), pictures: kept };
        inner.open_run(conversation, prompt, mode, model, params.key, Some(entry), options)
    }

    /// Answers a user message anew, beside the earlier answer.
    pub fn retry(&self, at: &MessageRef) -> Result<Sent, ApiError> {
        let inner = &self.0;
        let _starting = inner.starting.lock().unwrap_or_else(|e| e.into_inner());
        let summary = inner.conversation(&at.conversation)?;
        inner.refuse_sub_agents(&at.conversation)?;
        if inner.is_busy(&at.conversation) {
            return Err(busy());
        }
        inner.user_message(&at.conversation, &at.message)?;
        let model = summary.model.or(inner.settings().default_model).ok_or_else(no_model)?;
        let options = RunOptions::default();
        inner.open_run(at.conversation.clone(), at.message.clone(), summary.mode, model, None, None, options)
    }

    /// Conversations that match; all for an empty query.
    pub fn conversations(&self, query: &str) -> Result<Vec<ConversationSummary>, ApiError> {
        self.0.parts.store.conversations(query).map_err(storage)
    }

    /// A conversation's active branch, runs and open questions.
    pub fn open(&self, id: &ConversationId) -> Result<ConversationView, ApiError> {
        let inner = &self.0;
        let summary = inner.conversation(id)?;
        let mut messages = inner.parts.store.branch(id, None).map_err(storage)?;
        messages.iter_mut().for_each(|message| message.native = None);
        let mut runs = inner.parts.store.runs(id).map_err(storage)?;
        runs.extend(inner.children_of(&messages)?);
        let sessions = inner.sessions();
        for run in &mut runs {
            if let Some(session) = sessions.get(&run.id) {
                *run = session.view();
            }
        }
        drop(sessions);
        Ok(ConversationView { summary, messages, runs, asks: inner.open_asks(id) })
    }

    /// Shows the branch that holds a message.
    pub fn select_branch(&self, at: &MessageRef) -> Result<ConversationView, ApiError> {
        let _starting = self.0.starting.lock().unwrap_or_else(|e| e.into_inner());
        self.0.conversation(&at.conversation)?;
        if self.0.is_busy(&at.conversation) {
            return Err(busy());
        }
        self.0.parts.store.select_branch(&at.conversation, &at.message).map_err(storage)?;
        self.0.tell_conversation(&at.conversation);
        self.open(&at.conversation)
    }

    /// Takes a summary back: the next request holds again what it stood for.
    pub fn undo_summary(&self, at: &MessageRef) -> Result<ConversationView, ApiError> {
        let _starting = self.0.starting.lock().unwrap_or_else(|e| e.into_inner());
        self.0.conversation(&at.conversation)?;
        if self.0.is_busy(&at.conversation) {
            return Err(busy());
        }
        let found = self.0.parts.store.message(&at.message).map_err(storage)?;
        if found.is_none_or(|message| message.conversation != at.conversation) {
            return Err(ApiError::new(Code::NotFound, "there is no such message in this conversation"));
        }
        self.0.parts.store.undo_summary(&at.message).map_err(storage)?;
        if let Ok(Some(message)) = self.0.parts.store.message(&at.message) {
            self.0.hub.publish(Event::Message { message });
        }
        self.open(&at.conversation)
    }

    /// Changes a conversation.
    pub fn update(&self, mut patch: ConversationPatch) -> Result<ConversationSummary, ApiError> {
        let inner = &self.0;
        inner.conversation(&patch.conversation)?;
        if let Some(title) = &mut patch.title {
            *title = inner.parts.redactor.clean(title.trim()).replace(['\n', '\r', '\t'], " ");
            if title.is_empty() || title.chars().count() > 200 {
                return Err(bad("a title has 1 to 200 characters"));
            }
        }
        if let Some(model) = &patch.model
            && inner.provider(&model.provider).is_none()
        {
            return Err(bad("this provider is not set up"));
        }
        inner.parts.store.update_conversation(&patch, inner.now()).map_err(storage)?;
        inner.tell_conversation(&patch.conversation);
        inner.conversation(&patch.conversation)
    }

    /// Takes a conversation out of sight, stopping its run. It can be brought back for a while; then it is purged.
    pub async fn delete(&self, id: &ConversationId) -> Result<(), ApiError> {
        self.0.conversation(id)?;
        let deleted = loop {
            let run = self
                .0
                .sessions()
                .iter()
                .find(|(_, s)| s.conversation == *id || s.root == *id)
                .map(|(run, _)| run.clone());
            if let Some(run) = run {
                self.stop(&run).await;
            }
            // Another face may have sent something in between.
            let _starting = self.0.starting.lock().unwrap_or_else(|e| e.into_inner());
            if !self.0.is_busy(id) {
                let now = self.0.now();
                self.0.parts.store.set_deleted(id, Some(now)).map_err(storage)?;
                break now;
            }
        };
        self.0.hub.publish(Event::ConversationRemoved { id: id.clone() });
        let inner = Arc::downgrade(&self.0);
        tokio::spawn(async move {
            tokio::time::sleep(UNDO).await;
            if let Some(inner) = inner.upgrade()
                && let Err(error) = inner.parts.store.purge_deleted(deleted)
            {
                tracing::error!(%error, "a deleted conversation was not purged; it will be at the next start");
            }
        });
        Ok(())
    }

    /// Brings a deleted conversation back.
    pub fn restore(&self, id: &ConversationId) -> Result<ConversationSummary, ApiError> {
        self.0.parts.store.set_deleted(id, None).map_err(storage)?;
        self.0.tell_conversation(id);
        self.0.conversation(id)
    }
}

impl Inner {
    pub(crate) fn conversation(&self, id: &ConversationId) -> Result<ConversationSummary, ApiError> {
        let found = self.parts.store.conversation(id).map_err(storage)?;
        found.ok_or_else(|| ApiError::new(Code::NotFound, "this conversation is not there (any more)"))
    }

    /// A sub-agent's conversation is there to be read.
    fn refuse_sub_agents(&self, id: &ConversationId) -> Result<(), ApiError> {
        let runs = self.parts.store.runs(id).map_err(storage)?;
        match runs.iter().any(|run| run.parent.is_some()) {
            true => Err(bad("this is the work of a sub-agent; write in the conversation it works for")),
            false => Ok(()),
        }
    }

    fn user_message(
        &self,
        conversation: &ConversationId,
        id: &MessageId,
    ) -> Result<bailey_protocol::Message, ApiError> {
        let found = self.parts.store.message(id).map_err(storage)?;
        found
            .filter(|m| m.conversation == *conversation && m.role == Role::User)
            .ok_or_else(|| ApiError::new(Code::NotFound, "there is no such message of yours in this conversation"))
    }

    #[expect(clippy::too_many_arguments, reason = "all of what a run is, once")]
    fn open_run(
        self: &Arc<Self>,
        conversation: ConversationId,
        prompt: MessageId,
        mode: Mode,
        model: ModelChoice,
        key: Option<String>,
        prompt_entry: Option<Entry>,
        options: RunOptions,
    ) -> Result<Sent, ApiError> {
        let started = self.now();
        let run = RunId::new(fresh());
        let brief = Brief {
            run: run.clone(),
            conversation: conversation.clone(),
            prompt: prompt.clone(),
            mode,
            model: model.clone(),
            budget: self.settings().budget(mode),
            nonce: nonce(),
            automation: options.automation.clone(),
            parent: None,
            inherited: None,
            started,
        };
        let opened = Entry::Opened {
            conversation: conversation.clone(),
            prompt: prompt.clone(),
            mode,
            model: model.clone(),
            budget: brief.budget,
            nonce: brief.nonce.clone(),
            unattended: options.automation.is_some(),
            automation: options.automation.clone(),
            parent: None,
            key,
        };
        let fresh_prompt = prompt_entry.is_some();
        let records: Vec<Record> =
            [Some(opened), prompt_entry].into_iter().flatten().map(|entry| Record { at: started, entry }).collect();
        self.parts.store.append(&run, &records, self.parts.durability).map_err(storage)?;
        let branch = self.parts.store.branch(&conversation, Some(&prompt)).inspect_err(|error| {
            let error = RunError::new(RunErrorKind::Storage, error.to_string());
            self.close_journal(&run, RunState::Failed, Some(error), Ledger::default());
        });
        let branch = branch.map_err(storage)?;
        let message = branch.last().cloned();
        let turn = Turn::new(brief, self.toolbox.clone(), branch);
        self.tell_conversation(&conversation);
        if fresh_prompt && let Some(message) = message {
            self.hub.publish(Event::Message { message });
        }
        self.hub.publish(Event::Run { run: turn.view() });
        session::start(self, run.clone(), turn, Start { approve_all: options.approve_all, ..Start::default() });
        Ok(Sent { conversation, message: prompt, run })
    }
}

/// A new id: sorts by time.
pub(crate) fn fresh() -> String {
    uuid::Uuid::now_v7().simple().to_string()
}

pub(crate) fn nonce() -> String {
    uuid::Uuid::new_v4().simple().to_string()[..12].to_owned()
}

fn bad(message: &str) -> ApiError {
    ApiError::new(Code::BadRequest, message)
}

fn busy() -> ApiError {
    ApiError::new(Code::Busy, "Bailey is still working in this conversation; stop it first, or wait")
}

fn no_model() -> ApiError {
    ApiError::new(Code::NoModel, "no model is set up; pick one in Settings")
}
