// SPDX-License-Identifier: Apache-2.0
use crate::records::*;
use bailey_policy::{Grant, GrantScope};
use bailey_ports::Store;
use bailey_protocol::*;
use std::fs;

/// Words that are nowhere else, as the search index has them, too.
const CANARIES: [&str; 6] = ["bqtitlejx", "cqquestionjx", "dqstreamjx", "fqanswerjx", "gqargumentjx", "hqgrantjx"];

fn left(home: &Home) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(home.folder.path()).unwrap() {
        let path = entry.unwrap().path();
        let bytes = fs::read(&path).unwrap().to_ascii_lowercase();
        for canary in CANARIES.iter().chain(&["旗帜"]) {
            // The beginning of a word may be left out where its neighbour in the index begins alike.
            let tail = if canary.is_ascii() { &canary.as_bytes()[2..] } else { canary.as_bytes() };
            if bytes.windows(tail.len()).any(|w| w == tail) {
                found.push(format!("{canary} in {}", path.display()));
            }
        }
    }
    found
}

fn private_talk(home: &Home, conversation: &str, run: &str) {
    let (q, a) = (format!("{run}-q"), format!("{run}-a"));
    home.append(run, &[opened(10, conversation, &q), prompt(10, &q, None, "cqquestionjx 旗帜 one two")]);
    home.append(run, &[round(11, 1, &a, &q)]);
    // Text that is replaced later leaves copies behind in pages and in the log.
    for _ in 0..20 {
        home.append(run, &[checkpoint(12, &a, &"dqstreamjx and more ".repeat(30), "dqstreamjx")]);
    }
    let Block::Call { call: mut with_canary } = call(&format!("{run}-k")) else { panic!() };
    with_canary.arguments = serde_json::json!({"x": "gqargumentjx"});
    home.append(
        run,
        &[closed_round(13, &a, vec![text(&"fqanswerjx 旗帜 ".repeat(500)), Block::Call { call: with_canary }])],
    );
    home.append(run, &[asked(14, ask(&format!("{run}-x"), conversation, run, &format!("{run}-k"), confirm()))]);
    let patch = ConversationPatch {
        conversation: conversation.into(),
        title: Some("bqtitlejx".to_owned()),
        mode: None,
        model: None,
        starred: None,
    };
    home.store.update_conversation(&patch, 15).unwrap();
    for (id, scope) in [("g1", GrantScope::Conversation(conversation.into())), ("g2", GrantScope::Run(run.into()))] {
        let grant =
            Grant { id: format!("{run}{id}"), tool: "hqgrantjx".to_owned(), scope, arguments: vec![], expires: None };
        home.store.add_grant(&grant, 16).unwrap();
    }
}

#[test]
fn nothing_of_a_purged_conversation_is_left() {
    let home = Home::new();
    for i in 0..30 {
        home.talk(&format!("other{i}"), &format!("o{i}"), "An ordinary question", "Some ordinary answer with words", 5);
    }
    private_talk(&home, "gone", "r");
    for i in 30..60 {
        home.talk(&format!("other{i}"), &format!("o{i}"), "An ordinary question", "Some ordinary answer with words", 5);
    }
    assert!(!left(&home).is_empty());
    // Some of it is in the database file, some in the log.
    home.sql().execute_batch("PRAGMA wal_checkpoint(PASSIVE)").unwrap();
    home.append("r", &[closed(20, RunState::Stopped)]);

    home.store.set_deleted(&"gone".into(), Some(100)).unwrap();
    assert_eq!(home.store.purge_deleted(99).unwrap(), []);
    assert!(!left(&home).is_empty());
    assert_eq!(home.store.purge_deleted(100).unwrap(), ["gone".into()]);
    assert_eq!(left(&home), [""; 0]);

    assert_eq!(home.store.conversations("").unwrap().len(), 60);
    assert_eq!(home.store.conversations("ordinary").unwrap().len(), 60);
    assert_eq!(home.store.conversations("cqquest").unwrap().len(), 0);
    assert_eq!(home.store.journal(&"r".into()).unwrap(), []);
    assert_eq!((home.store.run(&"r".into()).unwrap(), home.store.message(&"r-q".into()).unwrap()), (None, None));
    assert_eq!(home.store.grants(&"gone".into()).unwrap(), []);
    let sql = home.sql();
    let intact: String = sql.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(intact, "ok");
    for table in ["message_search", "title_search"] {
        sql.execute(&format!("INSERT INTO {table} ({table}) VALUES ('integrity-check')"), []).unwrap();
    }
    let before = crate::rebuild::dump(&sql);
    home.store.rebuild().unwrap();
    let strip = |lines: Vec<String>| lines.into_iter().filter(|l| l.starts_with("conversations")).collect::<Vec<_>>();
    assert_eq!(strip(crate::rebuild::dump(&home.sql())), strip(before));
    assert_eq!(home.store.purge_deleted(1_000).unwrap(), []);
}

#[test]
fn a_running_conversation_can_be_purged() {
    let home = Home::new();
    private_talk(&home, "gone", "r");
    home.store.set_deleted(&"gone".into(), Some(100)).unwrap();
    assert_eq!(home.store.purge_deleted(100).unwrap(), ["gone".into()]);
    assert_eq!(
        (left(&home), home.store.asks(None).unwrap(), home.store.open_runs().unwrap()),
        (vec![], vec![], vec![])
    );
    assert!(is_conflict(try_append(&home.store, "r", &[closed(101, RunState::Stopped)])));
}
