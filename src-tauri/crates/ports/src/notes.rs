// SPDX-License-Identifier: Apache-2.0
use crate::StoreError;
use bailey_protocol::{ConversationId, Labels, Millis};

/// A note to keep.
#[derive(Clone, Debug, PartialEq)]
pub struct NewNote {
    /// What to remember.
    pub text: String,
    /// The marks of what the model had seen when it wrote it.
    pub labels: Labels,
    /// The conversation it comes from.
    pub conversation: ConversationId,
    /// When.
    pub at: Millis,
}

/// A kept note.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// Its number, counted up, shown to the model as `#7`.
    pub id: i64,
    /// Its text.
    pub text: String,
    /// Its marks.
    pub labels: Labels,
    /// When it was written.
    pub at: Millis,
    /// The conversation it was written in, while that is there.
    pub conversation: Option<ConversationId>,
}

/// The person's notes.
pub trait Notes: Send + Sync {
    /// Keeps a note. The same text again keeps the older one and joins the labels.
    fn write(&self, note: NewNote) -> Result<Note, StoreError>;
    /// Notes that match some of the words, best first, Chinese included; the newest ones for an empty query.
    fn search(&self, query: &str, limit: usize) -> Result<Vec<Note>, StoreError>;
    /// The person takes a note as their own: it carries no mark of outside text any more.
    ///
    /// # Errors
    /// [`StoreError::NotFound`].
    fn keep(&self, id: i64) -> Result<Note, StoreError>;
    /// Forgets a note.
    ///
    /// # Errors
    /// [`StoreError::NotFound`].
    fn forget(&self, id: i64) -> Result<(), StoreError>;
    /// How many notes carry a mark of outside text and wait for the person.
    fn waiting(&self) -> Result<u32, StoreError>;
}
