// SPDX-License-Identifier: Apache-2.0
//! What a killed process leaves: the files as they are while the database is open.

use crate::records::*;
use bailey_ports::{Durability, Store};
use bailey_protocol::*;
use bailey_store::Database;
use std::fs;
use std::sync::Arc;

/// Opens a copy of the files, as the next process finds them after a kill.
fn after_a_kill(home: &Home) -> (tempfile::TempDir, Database) {
    let folder = tempfile::tempdir().unwrap();
    for name in ["bailey.db", "bailey.db-wal"] {
        fs::copy(home.folder.path().join(name), folder.path().join(name)).unwrap();
    }
    let store = Database::open(&folder.path().join("bailey.db")).unwrap();
    (folder, store)
}

#[test]
fn whatever_was_appended_is_there_after_a_kill() {
    let home = Home::new();
    let run: RunId = "r".into();
    let batches = [
        vec![opened(10, "c", "q"), prompt(10, "q", None, "go")],
        vec![round(11, 1, "a", "q")],
        vec![checkpoint(12, "a", "some text", "")],
        vec![closed_round(13, "a", vec![text("some text"), call("k")]), intent(14, "k")],
        vec![outcome(15, "k", CallState::Done, "2")],
        vec![done(16)],
    ];
    let mut expected = Vec::new();
    for (i, batch) in batches.iter().enumerate() {
        let durability = if i % 2 == 0 { Durability::Committed } else { Durability::Synced };
        home.store.append(&run, batch, durability).unwrap();
        expected.extend(batch.iter().cloned());
        let (_folder, store) = after_a_kill(&home);
        assert_eq!(store.journal(&run).unwrap(), expected);
        assert_eq!(store.branch(&"c".into(), None), home.store.branch(&"c".into(), None));
        assert_eq!(store.run(&run), home.store.run(&run));
        assert_eq!(store.open_runs().unwrap().len(), usize::from(i < 5));
    }
}

#[test]
fn a_log_that_was_cut_anywhere_gives_whole_appends() {
    let home = Home::new();
    home.append("r", &[opened(10, "c", "q"), prompt(10, "q", None, "go"), round(11, 1, "a", "q")]);
    home.sql().execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    for i in 0..4 {
        home.append("r", &[checkpoint(12, "a", &i.to_string(), ""), checkpoint(13, "a", "+", "")]);
    }
    let (database, log) =
        (fs::read(home.database()).unwrap(), fs::read(home.folder.path().join("bailey.db-wal")).unwrap());
    let mut seen = std::collections::BTreeSet::new();
    for cut in (0..=log.len()).step_by(997).chain([log.len()]) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bailey.db");
        fs::write(&path, &database).unwrap();
        fs::write(folder.path().join("bailey.db-wal"), &log[..cut]).unwrap();
        let store = Database::open(&path).unwrap();
        let records = store.journal(&"r".into()).unwrap().len();
        let said = store.message(&"a".into()).unwrap().unwrap().text();
        assert_eq!((records - 3) / 2 * 2, said.len(), "cut at {cut}");
        assert_eq!(said, &"0+1+2+3+"[..said.len()]);
        seen.insert(said.len());
    }
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), [0, 2, 4, 6, 8]);
}

#[test]
fn threads_read_and_write_at_once() {
    let home = Home::new();
    home.append("r0", &[opened(1, "c", "q"), prompt(1, "q", None, "start")]);
    let store = Arc::new(home.store);
    std::thread::scope(|scope| {
        for thread in 1..=3 {
            let store = store.clone();
            scope.spawn(move || {
                let run = format!("r{thread}");
                let append = |records: &[journal::Record]| try_append(&*store, &run, records).unwrap();
                append(&[opened(2, &run, &run), prompt(2, &run, None, "words")]);
                for i in 0..50 {
                    append(&[
                        round(3, i, &format!("{run}-{i}"), &run),
                        closed_round(4, &format!("{run}-{i}"), vec![text("said")]),
                    ]);
                }
                append(&[done(5)]);
            });
        }
        for _ in 0..2 {
            let store = store.clone();
            scope.spawn(move || {
                for _ in 0..100 {
                    for conversation in store.conversations("said").unwrap() {
                        let branch = store.branch(&conversation.id, None).unwrap();
                        assert_eq!(branch.len(), 2);
                    }
                    store.open_runs().unwrap();
                }
            });
        }
    });
    for thread in 1..=3 {
        assert_eq!(store.journal(&format!("r{thread}").as_str().into()).unwrap().len(), 103);
    }
}
