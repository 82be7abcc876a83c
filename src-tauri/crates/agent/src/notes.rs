// SPDX-License-Identifier: Apache-2.0
//! The person's notes, as Library shows them.

use crate::agent::{Agent, Inner, storage};
use bailey_ports::Note;
use bailey_protocol::{ApiError, Event, NoteView};

/// So many notes are shown at once.
const SHOWN: usize = 1_000;

impl Agent {
    /// Notes that match, best first; all, newest first, for an empty query.
    pub fn notes(&self, query: &str) -> Result<Vec<NoteView>, ApiError> {
        let notes = self.0.parts.notes.search(query, SHOWN).map_err(storage)?;
        Ok(notes.into_iter().map(view).collect())
    }

    /// The person takes a note as their own.
    pub fn keep_note(&self, id: i64) -> Result<NoteView, ApiError> {
        let note = self.0.parts.notes.keep(id).map_err(storage)?;
        self.0.tell_notes();
        Ok(view(note))
    }

    /// Forgets a note.
    pub fn forget_note(&self, id: i64) -> Result<(), ApiError> {
        self.0.parts.notes.forget(id).map_err(storage)?;
        self.0.tell_notes();
        Ok(())
    }
}

impl Inner {
    /// Tells faces that notes may have changed.
    pub(crate) fn tell_notes(&self) {
        match self.parts.notes.waiting() {
            Ok(waiting) => self.hub.publish(Event::Notes { waiting }),
            Err(error) => tracing::error!(%error, "notes could not be counted"),
        }
    }
}

fn view(note: Note) -> NoteView {
    NoteView { id: note.id, text: note.text, labels: note.labels, at: note.at, conversation: note.conversation }
}
