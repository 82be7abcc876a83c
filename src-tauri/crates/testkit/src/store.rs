// SPDX-License-Identifier: Apache-2.0
//! A store whose process dies at a chosen append.

use bailey_policy::Grant;
use bailey_ports::{Durability, Store, StoreError};
use bailey_protocol::journal::{Entry, Record};
use bailey_protocol::{
    Ask, AskId, CallId, ConversationId, ConversationPatch, ConversationSummary, Message, MessageId, Millis, PictureId,
    RunId, RunView, Sent, Settings,
};
use std::sync::{Arc, Mutex};

/// Where, seen from the append it strikes, a fault comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nothing is written; this and every later call fails.
    Before,
    /// It is written, but its caller never hears of it: this and every later call fails.
    During,
    /// It is written and says so; every later call fails.
    After,
}

impl Fault {
    /// All of them.
    pub const ALL: [Fault; 3] = [Fault::Before, Fault::During, Fault::After];
}

/// An append that was asked for: a place where a process can die.
#[derive(Clone, Debug, PartialEq)]
pub struct Boundary {
    /// Its run.
    pub run: RunId,
    /// What it added.
    pub entries: Vec<Entry>,
    /// How surely.
    pub durability: Durability,
    /// Whether it is on disk, as far as this store knows.
    pub written: bool,
}

/// Passes everything to another store, counts appends, and dies at the one it was told. A store that is dead stays dead:
/// open the database again, as the next process would.
pub struct FaultyStore {
    inner: Arc<dyn Store>,
    strike: Option<(usize, Fault)>,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    boundaries: Vec<Boundary>,
    dead: bool,
}

impl FaultyStore {
    /// One that never fails: to list the boundaries of a run.
    pub fn sound(inner: Arc<dyn Store>) -> Self {
        Self { inner, strike: None, seen: Mutex::default() }
    }

    /// One that dies at the `nth` append, counted from 1.
    pub fn dying(inner: Arc<dyn Store>, nth: usize, fault: Fault) -> Self {
        Self { inner, strike: Some((nth, fault)), seen: Mutex::default() }
    }

    /// Appends asked for while it lived, the one it died at included.
    pub fn appends(&self) -> usize {
        self.seen().boundaries.len()
    }

    /// The appends, in order.
    pub fn boundaries(&self) -> Vec<Boundary> {
        self.seen().boundaries.clone()
    }

    /// Whether the fault has struck.
    pub fn is_dead(&self) -> bool {
        self.seen().dead
    }

    fn seen(&self) -> std::sync::MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(|e| e.into_inner())
    }

    fn alive(&self) -> Result<&dyn Store, StoreError> {
        if self.is_dead() { Err(dead()) } else { Ok(&*self.inner) }
    }
}

fn dead() -> StoreError {
    StoreError::Io("the process died here (a fault of the test's)".to_owned())
}

impl Store for FaultyStore {
    fn append(&self, run: &RunId, records: &[Record], durability: Durability) -> Result<(), StoreError> {
        // Held to the end, so that appends of several runs are counted in the order in which they are written.
        let mut seen = self.seen();
        if seen.dead {
            return Err(dead());
        }
        let entries = records.iter().map(|record| record.entry.clone()).collect();
        seen.boundaries.push(Boundary { run: run.clone(), entries, durability, written: false });
        let fault = self.strike.and_then(|(nth, fault)| (nth == seen.boundaries.len()).then_some(fault));
        seen.dead = fault.is_some();
        if fault == Some(Fault::Before) {
            return Err(dead());
        }
        self.inner.append(run, records, durability)?;
        if let Some(boundary) = seen.boundaries.last_mut() {
            boundary.written = true;
        }
        if fault == Some(Fault::During) { Err(dead()) } else { Ok(()) }
    }

    fn child(&self, call: &CallId) -> Result<Option<RunId>, StoreError> {
        self.alive()?.child(call)
    }
    fn journal(&self, run: &RunId) -> Result<Vec<Record>, StoreError> {
        self.alive()?.journal(run)
    }
    fn open_runs(&self) -> Result<Vec<RunId>, StoreError> {
        self.alive()?.open_runs()
    }
    fn run(&self, run: &RunId) -> Result<Option<RunView>, StoreError> {
        self.alive()?.run(run)
    }
    fn runs(&self, conversation: &ConversationId) -> Result<Vec<RunView>, StoreError> {
        self.alive()?.runs(conversation)
    }
    fn sent(&self, key: &str) -> Result<Option<Sent>, StoreError> {
        self.alive()?.sent(key)
    }
    fn conversations(&self, query: &str) -> Result<Vec<ConversationSummary>, StoreError> {
        self.alive()?.conversations(query)
    }
    fn conversation(&self, id: &ConversationId) -> Result<Option<ConversationSummary>, StoreError> {
        self.alive()?.conversation(id)
    }
    fn update_conversation(&self, patch: &ConversationPatch, at: Millis) -> Result<(), StoreError> {
        self.alive()?.update_conversation(patch, at)
    }
    fn set_deleted(&self, id: &ConversationId, deleted: Option<Millis>) -> Result<(), StoreError> {
        self.alive()?.set_deleted(id, deleted)
    }
    fn purge_deleted(&self, until: Millis) -> Result<Vec<ConversationId>, StoreError> {
        self.alive()?.purge_deleted(until)
    }
    fn branch(&self, id: &ConversationId, leaf: Option<&MessageId>) -> Result<Vec<Message>, StoreError> {
        self.alive()?.branch(id, leaf)
    }
    fn message(&self, id: &MessageId) -> Result<Option<Message>, StoreError> {
        self.alive()?.message(id)
    }
    fn select_branch(&self, id: &ConversationId, message: &MessageId) -> Result<(), StoreError> {
        self.alive()?.select_branch(id, message)
    }
    fn spent_since(&self, at: Millis) -> Result<u64, StoreError> {
        self.alive()?.spent_since(at)
    }
    fn add_picture(
        &self,
        conversation: &ConversationId,
        id: &PictureId,
        media_type: &str,
        data: &[u8],
    ) -> Result<(), StoreError> {
        self.alive()?.add_picture(conversation, id, media_type, data)
    }
    fn picture(&self, id: &PictureId) -> Result<Option<(String, Vec<u8>)>, StoreError> {
        self.alive()?.picture(id)
    }
    fn asks(&self, conversation: Option<&ConversationId>) -> Result<Vec<Ask>, StoreError> {
        self.alive()?.asks(conversation)
    }
    fn save_time_left(&self, left: &[(AskId, u32)]) -> Result<(), StoreError> {
        self.alive()?.save_time_left(left)
    }
    fn grants(&self, conversation: &ConversationId) -> Result<Vec<Grant>, StoreError> {
        self.alive()?.grants(conversation)
    }
    fn add_grant(&self, grant: &Grant, at: Millis) -> Result<(), StoreError> {
        self.alive()?.add_grant(grant, at)
    }
    fn all_grants(&self, now: Millis) -> Result<Vec<(Grant, Millis)>, StoreError> {
        self.alive()?.all_grants(now)
    }
    fn revoke_grant(&self, id: &str) -> Result<(), StoreError> {
        self.alive()?.revoke_grant(id)
    }
    fn undo_summary(&self, message: &MessageId) -> Result<(), StoreError> {
        self.alive()?.undo_summary(message)
    }
    fn settings(&self) -> Result<Settings, StoreError> {
        self.alive()?.settings()
    }
    fn save_settings(&self, settings: &Settings) -> Result<(), StoreError> {
        self.alive()?.save_settings(settings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bailey_protocol::{Budget, Ledger, Mode, ModelChoice};
    use bailey_store::Database;

    fn record(entry: Entry) -> Record {
        Record { at: 1, entry }
    }

    fn run_of_three(store: &dyn Store) -> Vec<Result<(), StoreError>> {
        let opened = Entry::Opened {
            conversation: "c".into(),
            prompt: "q".into(),
            mode: Mode::Chat,
            model: ModelChoice { provider: "demo".into(), model: "m".to_owned() },
            budget: Budget::of(Mode::Chat),
            nonce: "n".to_owned(),
            unattended: false,
            automation: None,
            parent: None,
            key: None,
        };
        let resumed = |rounds| Entry::Resumed { ledger: Ledger { rounds, calls: 0, active_ms: 0, cost: 0 } };
        [opened, resumed(1), resumed(2)]
            .map(|entry| store.append(&"r".into(), &[record(entry)], Durability::Committed))
            .to_vec()
    }

    #[test]
    fn a_sound_one_lists_its_boundaries() {
        let store = FaultyStore::sound(Arc::new(Database::in_memory().unwrap()));
        assert_eq!(run_of_three(&store), [Ok(()), Ok(()), Ok(())]);
        assert_eq!((store.appends(), store.is_dead()), (3, false));
        let boundaries = store.boundaries();
        assert!(boundaries.iter().all(|b| b.written && b.run.as_str() == "r" && b.entries.len() == 1));
        assert!(matches!(boundaries[0].entries[0], Entry::Opened { .. }));
    }

    #[test]
    fn a_dying_one_stays_dead() {
        for (fault, written, heard) in [(Fault::Before, 1, 1), (Fault::During, 2, 1), (Fault::After, 2, 2)] {
            let inner = Arc::new(Database::in_memory().unwrap());
            let store = FaultyStore::dying(inner.clone(), 2, fault);
            let results = run_of_three(&store);
            assert_eq!(results.iter().filter(|r| r.is_ok()).count(), heard, "{fault:?}");
            assert_eq!(inner.journal(&"r".into()).unwrap().len(), written, "{fault:?}");
            assert_eq!((store.appends(), store.is_dead()), (2, true));
            assert_eq!(store.boundaries()[1].written, fault != Fault::Before);
            assert_eq!(store.journal(&"r".into()), Err(dead()));
            assert_eq!(store.save_settings(&Settings::default()), Err(dead()));
        }
    }
}
