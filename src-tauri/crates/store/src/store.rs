// SPDX-License-Identifier: Apache-2.0
use crate::database::Database;
use crate::projection::Projection;
use crate::{asks, conversations, grants, journal, messages, pictures, runs, settings, spending};
use bailey_policy::Grant;
use bailey_ports::{Durability, Store, StoreError};
use bailey_protocol::journal::{Entry, Record};
use bailey_protocol::{
    Ask, AskId, CallId, ConversationId, ConversationPatch, ConversationSummary, Message, MessageId, Millis, PictureId,
    RunId, RunView, Sent, Settings,
};

type Result<T> = std::result::Result<T, StoreError>;

impl Store for Database {
    fn append(&self, run: &RunId, records: &[Record], durability: Durability) -> Result<()> {
        self.commit(durability, |sql| {
            let mut seq = journal::length(sql, run)?;
            let mut projection = Projection::of(sql, run)?;
            for record in records {
                if let Entry::Opened { conversation, parent, .. } = &record.entry {
                    let root = parent.as_ref().map_or(conversation, |parent| &parent.conversation);
                    if conversations::is_deleted(sql, conversation)? || conversations::is_deleted(sql, root)? {
                        return Err(StoreError::NotFound("the conversation").into());
                    }
                }
                seq += 1;
                journal::insert(sql, run, seq, record)?;
                spending::record(sql, record)?;
                projection.apply(record)?;
            }
            projection.finish()
        })
    }

    fn child(&self, call: &CallId) -> Result<Option<RunId>> {
        self.read(|sql| runs::child(sql, call))
    }

    fn journal(&self, run: &RunId) -> Result<Vec<Record>> {
        self.read(|sql| journal::of_run(sql, run))
    }

    fn open_runs(&self) -> Result<Vec<RunId>> {
        self.read(runs::open)
    }

    fn run(&self, run: &RunId) -> Result<Option<RunView>> {
        self.read(|sql| runs::get(sql, run))
    }

    fn runs(&self, conversation: &ConversationId) -> Result<Vec<RunView>> {
        self.read(|sql| runs::of_conversation(sql, conversation))
    }

    fn sent(&self, key: &str) -> Result<Option<Sent>> {
        self.read(|sql| runs::sent(sql, key))
    }

    fn conversations(&self, query: &str) -> Result<Vec<ConversationSummary>> {
        self.read(
            |sql| if query.trim().is_empty() { conversations::list(sql) } else { conversations::search(sql, query) },
        )
    }

    fn conversation(&self, id: &ConversationId) -> Result<Option<ConversationSummary>> {
        self.read(|sql| conversations::get(sql, id))
    }

    fn update_conversation(&self, patch: &ConversationPatch, at: Millis) -> Result<()> {
        self.commit(Durability::Committed, |sql| conversations::patch(sql, patch, at))
    }

    fn set_deleted(&self, id: &ConversationId, deleted: Option<Millis>) -> Result<()> {
        self.commit(Durability::Committed, |sql| conversations::set_deleted(sql, id, deleted))
    }

    fn purge_deleted(&self, until: Millis) -> Result<Vec<ConversationId>> {
        self.purge(until)
    }

    fn branch(&self, id: &ConversationId, leaf: Option<&MessageId>) -> Result<Vec<Message>> {
        self.read(|sql| {
            let head = conversations::head(sql, id)?;
            leaf.or(head.as_ref()).map_or_else(|| Ok(Vec::new()), |leaf| messages::branch(sql, id, leaf))
        })
    }

    fn message(&self, id: &MessageId) -> Result<Option<Message>> {
        self.read(|sql| messages::with_siblings(sql, id))
    }

    fn select_branch(&self, id: &ConversationId, message: &MessageId) -> Result<()> {
        self.commit(Durability::Committed, |sql| {
            let leaf = messages::newest_leaf(sql, id, message)?;
            conversations::set_head(sql, id, &leaf)
        })
    }

    fn spent_since(&self, at: Millis) -> Result<u64> {
        self.read(|sql| spending::since(sql, at))
    }

    fn add_picture(&self, conversation: &ConversationId, id: &PictureId, media_type: &str, data: &[u8]) -> Result<()> {
        self.commit(Durability::Committed, |sql| pictures::add(sql, conversation, id, media_type, data))
    }

    fn picture(&self, id: &PictureId) -> Result<Option<(String, Vec<u8>)>> {
        self.read(|sql| pictures::get(sql, id))
    }

    fn asks(&self, conversation: Option<&ConversationId>) -> Result<Vec<Ask>> {
        self.read(|sql| asks::list(sql, conversation))
    }

    fn save_time_left(&self, left: &[(AskId, u32)]) -> Result<()> {
        self.commit(Durability::Committed, |sql| asks::save_time_left(sql, left))
    }

    fn grants(&self, conversation: &ConversationId) -> Result<Vec<Grant>> {
        self.read(|sql| grants::of_conversation(sql, conversation))
    }

    fn add_grant(&self, grant: &Grant, at: Millis) -> Result<()> {
        self.commit(Durability::Committed, |sql| grants::save(sql, grant, at))
    }

    fn all_grants(&self, now: Millis) -> Result<Vec<(Grant, Millis)>> {
        self.read(|sql| grants::all(sql, now))
    }

    fn revoke_grant(&self, id: &str) -> Result<()> {
        self.commit(Durability::Committed, |sql| grants::remove(sql, id))
    }

    fn undo_summary(&self, message: &MessageId) -> Result<()> {
        self.commit(Durability::Committed, |sql| messages::undo_summary(sql, message))
    }

    fn settings(&self) -> Result<Settings> {
        self.read(settings::get)
    }

    fn save_settings(&self, settings: &Settings) -> Result<()> {
        self.commit(Durability::Committed, |sql| settings::save(sql, settings))
    }
}
