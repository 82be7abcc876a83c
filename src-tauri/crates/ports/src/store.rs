// SPDX-License-Identifier: Apache-2.0
use bailey_policy::Grant;
use bailey_protocol::journal::Record;
use bailey_protocol::{
    Ask, AskId, CallId, ConversationId, ConversationPatch, ConversationSummary, Message, MessageId, Millis, PictureId,
    RunId, RunView, Sent, Settings,
};

/// How surely a record must be on disk when `append` returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// Committed: survives the end of the process, not necessarily a power cut.
    Committed,
    /// Committed and fully synced: survives a power cut. For the intent of a call that changes something.
    Synced,
}

/// Where runs, conversations, grants and settings are kept. The journal is the source; what the other methods read are
/// projections written in the same transaction as the records.
///
/// Methods block briefly (microseconds; a sync some milliseconds) and may be called from async code.
pub trait Store: Send + Sync {
    /// Adds records to a run's journal, together with their projections, all or none. `Opened` makes the run, and the
    /// conversation when it is not there (its title is the beginning of the `Prompt` beside it).
    fn append(&self, run: &RunId, records: &[Record], durability: Durability) -> Result<(), StoreError>;
    /// The run of the sub-agent that a call started.
    fn child(&self, call: &CallId) -> Result<Option<RunId>, StoreError>;
    /// A run's journal from the beginning.
    fn journal(&self, run: &RunId) -> Result<Vec<Record>, StoreError>;
    /// Runs without a `Closed`, oldest first, sub-agents' among them: what an earlier process left in the middle.
    fn open_runs(&self) -> Result<Vec<RunId>, StoreError>;
    /// A run.
    fn run(&self, run: &RunId) -> Result<Option<RunView>, StoreError>;
    /// The runs of a conversation, oldest first.
    fn runs(&self, conversation: &ConversationId) -> Result<Vec<RunView>, StoreError>;
    /// What an earlier send with this key started.
    fn sent(&self, key: &str) -> Result<Option<Sent>, StoreError>;

    /// Conversations with a match in title or messages, best first; all, newest first, for an empty query. Deleted ones
    /// are left out, and so are those of sub-agents, which go with the conversation they work for.
    fn conversations(&self, query: &str) -> Result<Vec<ConversationSummary>, StoreError>;
    /// A conversation that is not deleted.
    fn conversation(&self, id: &ConversationId) -> Result<Option<ConversationSummary>, StoreError>;
    /// Changes a conversation.
    fn update_conversation(&self, patch: &ConversationPatch, at: Millis) -> Result<(), StoreError>;
    /// Hides a conversation (`Some(when)`), or brings it back (`None`).
    fn set_deleted(&self, id: &ConversationId, deleted: Option<Millis>) -> Result<(), StoreError>;
    /// Purges conversations deleted at or before this moment: messages, journals, asks, grants, search index, all of it.
    /// Returns their ids.
    fn purge_deleted(&self, until: Millis) -> Result<Vec<ConversationId>, StoreError>;

    /// The messages from the root to `leaf` (`None`: to the conversation's head), with siblings filled in.
    fn branch(&self, id: &ConversationId, leaf: Option<&MessageId>) -> Result<Vec<Message>, StoreError>;
    /// One message, with siblings filled in.
    fn message(&self, id: &MessageId) -> Result<Option<Message>, StoreError>;
    /// Makes the newest leaf below (or at) this message the conversation's head.
    fn select_branch(&self, id: &ConversationId, message: &MessageId) -> Result<(), StoreError>;

    /// What all runs have spent since a moment, in micro-dollars, as far as prices were known.
    fn spent_since(&self, at: Millis) -> Result<u64, StoreError>;

    /// Keeps an attached picture. One whose conversation never comes to be is purged.
    fn add_picture(
        &self,
        conversation: &ConversationId,
        id: &PictureId,
        media_type: &str,
        data: &[u8],
    ) -> Result<(), StoreError>;
    /// A picture's media type and bytes.
    fn picture(&self, id: &PictureId) -> Result<Option<(String, Vec<u8>)>, StoreError>;

    /// Open questions, oldest first, of one conversation or of all, with the time left as last saved.
    fn asks(&self, conversation: Option<&ConversationId>) -> Result<Vec<Ask>, StoreError>;
    /// Saves how much time open questions have left, so that it stands still while no process runs.
    fn save_time_left(&self, left: &[(AskId, u32)]) -> Result<(), StoreError>;

    /// Grants that could hold in this conversation: its own and general ones.
    fn grants(&self, conversation: &ConversationId) -> Result<Vec<Grant>, StoreError>;
    /// Keeps a grant.
    fn add_grant(&self, grant: &Grant, at: Millis) -> Result<(), StoreError>;
    /// All grants that have not ended by now, newest first, with when each was given. Those of a run that is over are
    /// left out.
    fn all_grants(&self, now: Millis) -> Result<Vec<(Grant, Millis)>, StoreError>;
    /// Takes a grant back. One that is not there is no error.
    fn revoke_grant(&self, id: &str) -> Result<(), StoreError>;

    /// Takes a summary back, for good: requests hold again what it stood for.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when this message is no summary.
    fn undo_summary(&self, message: &MessageId) -> Result<(), StoreError>;

    /// Settings; the defaults when none were saved.
    fn settings(&self) -> Result<Settings, StoreError>;
    /// Saves settings.
    fn save_settings(&self, settings: &Settings) -> Result<(), StoreError>;
}

/// A store that failed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StoreError {
    /// The database was made by a newer Bailey; nothing was written.
    #[error(
        "this data folder was written by a newer version of Bailey (schema {found}, this version knows {known}). Update Bailey, or start it with another --data-dir. Nothing was changed"
    )]
    Newer {
        /// The schema found.
        found: i64,
        /// The newest schema this version knows.
        known: i64,
    },
    /// What was named is not there.
    #[error("{0} is not there (any more)")]
    NotFound(&'static str),
    /// A record does not fit what is stored, such as a second outcome of one call.
    #[error("the journal does not take this: {0}")]
    Conflict(String),
    /// The disk or the database failed.
    #[error("the data folder could not be read or written: {0}")]
    Io(String),
}
