// SPDX-License-Identifier: Apache-2.0
//! Sub-agents: conversations that are hidden and go with their root, questions that reach it, permissions that they share.

use crate::records::*;
use bailey_policy::{Grant, GrantScope};
use bailey_ports::{Store, StoreError};
use bailey_protocol::journal::Record;
use bailey_protocol::*;

/// A conversation `c` whose run has started a sub-agent (`child`, run `r1`), which has started another (`deep`, run `r2`).
fn family() -> Home {
    let home = Home::new();
    home.append("r", &[opened(10, "c", "q"), prompt(10, "q", None, "Plan a trip"), round(11, 1, "a", "q")]);
    home.append("r", &[closed_round(12, "a", vec![call("k"), call("l")]), intent(13, "k")]);
    home.append("r1", &opened_child(14, "child", "q1", parent("r", "k", "c", 1, "Look up zqhotels near the station")));
    home.append("r1", &[round(15, 1, "a1", "q1"), closed_round(16, "a1", vec![call("k1"), call("l1")])]);
    home.append("r1", &[intent(17, "k1")]);
    home.append("r2", &opened_child(18, "deep", "q2", parent("r1", "k1", "c", 2, "Read zqreviews")));
    home.append("r2", &[round(19, 1, "a2", "q2"), closed_round(20, "a2", vec![text("zqanswer"), call("k2")])]);
    home
}

fn child_ask(id: &str, run: &str, call: &str, conversation: &str, depth: u32) -> Ask {
    let origin = Origin { conversation: conversation.into(), task: "a task".to_owned(), depth };
    Ask { origin: Some(origin), ..ask(id, "c", run, call, confirm()) }
}

fn ids<T: ToString>(ids: impl IntoIterator<Item = T>) -> Vec<String> {
    ids.into_iter().map(|id| id.to_string()).collect()
}

#[test]
fn a_sub_agent_is_found_by_its_call_and_its_conversation_by_nothing_but_its_id() {
    let home = family();
    let store = &home.store;
    assert_eq!(store.child(&"k".into()), Ok(Some("r1".into())));
    assert_eq!(store.child(&"k1".into()), Ok(Some("r2".into())));
    assert_eq!(store.child(&"l".into()), Ok(None));
    let view = home.run("r2");
    assert_eq!((view.parent, view.unattended, view.conversation), (Some("r1".into()), true, "deep".into()));
    assert_eq!((home.run("r").parent, home.run("r").unattended), (None, false));
    assert_eq!(ids(store.open_runs().unwrap()), ["r", "r1", "r2"]);
    assert_eq!(ids(store.runs(&"c".into()).unwrap().into_iter().map(|r| r.id)), ["r"]);
    assert_eq!(ids(store.runs(&"child".into()).unwrap().into_iter().map(|r| r.id)), ["r1"]);

    assert_eq!(ids(store.conversations("").unwrap().into_iter().map(|c| c.id)), ["c"]);
    for query in ["zqhotels", "zqreviews", "zqanswer"] {
        assert_eq!(store.conversations(query).unwrap(), [], "{query}");
    }
    assert_eq!(home.summary("child").title, "Look up zqhotels near the station");
    assert_eq!(ids(home.branch("deep").into_iter().map(|m| m.id)), ["q2", "a2"]);
    assert_eq!(home.summary("deep").preview, "zqanswer");
    // A new title does not bring it into the index either.
    let patch = ConversationPatch {
        conversation: "child".into(),
        title: Some("zqmine".to_owned()),
        mode: None,
        model: None,
        starred: None,
    };
    store.update_conversation(&patch, 30).unwrap();
    assert_eq!((home.summary("child").title.as_str(), store.conversations("zqmine").unwrap()), ("zqmine", vec![]));
    assert_eq!(store.conversations("trip").unwrap().len(), 1);
}

#[test]
fn what_a_sub_agent_asks_is_asked_in_the_persons_conversation() {
    let home = family();
    let (first, second) = (child_ask("x1", "r1", "l1", "child", 1), child_ask("x2", "r2", "k2", "deep", 2));
    let own = ask("x", "c", "r", "l", confirm());
    home.append("r1", &[asked(30, first.clone())]);
    home.append("r2", &[asked(31, second.clone())]);
    home.append("r", &[asked(32, own.clone())]);
    let all = [first.clone(), second.clone(), own];
    assert_eq!(home.store.asks(None).unwrap(), all);
    assert_eq!(home.store.asks(Some(&"c".into())).unwrap(), all);
    assert_eq!(home.store.asks(Some(&"deep".into())).unwrap(), [second]);
    assert_eq!(["c", "child", "deep"].map(|c| home.summary(c).asks), [3, 1, 1]);
    assert_eq!(home.store.conversations("").unwrap()[0].asks, 3);
    // r and r1 have a sub-agent at work; r2 does nothing but wait.
    assert_eq!(
        ["r", "r1", "r2"].map(|run| home.run(run).state),
        [RunState::Running, RunState::Running, RunState::Waiting]
    );
    home.append("r1", &[answered(33, "x1", "l1", Answer::AllowOnce)]);
    home.append("r2", &[answered(34, "x2", "k2", Answer::Deny), closed(35, RunState::Stopped)]);
    assert_eq!((home.summary("c").asks, home.run("r2").state), (1, RunState::Stopped));

    // It is asked nowhere else.
    for conversation in ["child", "deep", "nowhere"] {
        let elsewhere = Ask { conversation: conversation.into(), ..child_ask("y", "r1", "l1", "child", 1) };
        assert!(is_conflict(try_append(&home.store, "r1", &[asked(40, elsewhere)])), "{conversation}");
    }
}

#[test]
fn deletion_takes_sub_agents_out_of_reach_and_purging_leaves_nothing_of_them() {
    let home = family();
    home.talk("other", "o", "zqhotels for somebody else", "Answer", 5);
    home.append("r2", &[asked(30, child_ask("x2", "r2", "k2", "deep", 2))]);
    for (id, scope) in [("g1", GrantScope::Run("r2".into())), ("g2", GrantScope::Conversation("c".into()))] {
        let grant = Grant { id: id.to_owned(), tool: "t".to_owned(), scope, arguments: vec![], expires: None };
        home.store.add_grant(&grant, 31).unwrap();
    }
    let missing = StoreError::NotFound("the conversation");
    assert_eq!(home.store.set_deleted(&"child".into(), Some(40)), Err(missing.clone()), "it goes with its root only");
    home.store.set_deleted(&"c".into(), Some(40)).unwrap();
    for id in ["c", "child", "deep"] {
        assert_eq!(home.store.conversation(&id.into()), Ok(None), "{id}");
        assert_eq!(home.store.asks(Some(&id.into())), Ok(vec![]), "{id}");
    }
    for (run, conversation, prompt) in [("n1", "child", "z1"), ("n2", "new", "z2")] {
        let records: [Record; 2] = opened_child(41, conversation, prompt, parent("r", "l", "c", 1, "More"));
        assert_eq!(try_append(&home.store, run, &records), Err(missing.clone()), "{conversation}");
    }
    home.store.set_deleted(&"c".into(), None).unwrap();
    assert_eq!((home.summary("deep").asks, home.summary("c").asks), (1, 1));

    home.store.set_deleted(&"c".into(), Some(50)).unwrap();
    assert_eq!(home.store.purge_deleted(50).unwrap(), ["c".into()]);
    let sql = home.sql();
    for table in ["conversations", "runs", "messages", "journal", "asks", "grants"] {
        let rows: i64 = sql.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap();
        let others = [("conversations", 1), ("runs", 1), ("messages", 2), ("journal", 5)];
        assert_eq!(rows, others.iter().find(|(name, _)| *name == table).map_or(0, |(_, n)| *n), "{table}");
    }
    for table in ["message_search", "title_search"] {
        sql.execute(&format!("INSERT INTO {table} ({table}) VALUES ('integrity-check')"), []).unwrap();
    }
    for entry in std::fs::read_dir(home.folder.path()).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        for word in ["zqreviews", "zqanswer", "near the station"] {
            assert!(!bytes.windows(word.len()).any(|w| w == word.as_bytes()), "{word}");
        }
    }
    assert_eq!(home.store.conversations("zqhotels").unwrap().len(), 1);
}

#[test]
fn sub_agents_have_the_permissions_of_the_conversation_they_work_for() {
    let home = family();
    home.talk("d", "s", "Question", "Answer", 1);
    let scopes = [
        GrantScope::Always,
        GrantScope::Conversation("c".into()),
        GrantScope::Conversation("d".into()),
        GrantScope::Run("r".into()),
        GrantScope::Run("r2".into()),
        GrantScope::Run("s".into()),
    ];
    for (at, scope) in (1..).zip(scopes) {
        let grant = Grant { id: at.to_string(), tool: "t".to_owned(), scope, arguments: vec![], expires: None };
        home.store.add_grant(&grant, at).unwrap();
    }
    let held = |c: &str| ids(home.store.grants(&c.into()).unwrap().into_iter().map(|g| g.id)).join("");
    assert_eq!(["c", "child", "deep", "d"].map(held), ["1245", "1245", "1245", "136"]);
}

#[test]
fn a_sub_agents_run_fits_its_parent_or_is_refused() {
    let home = family();
    home.talk("d", "s", "Question", "Answer", 1);
    let before = crate::rebuild::dump(&home.sql());
    let table = [
        ("no such parent", opened_child(40, "new", "z", parent("nowhere", "m", "c", 1, "t"))),
        ("parent of another conversation", opened_child(40, "new", "z", parent("s", "m", "c", 1, "t"))),
        ("a sub-agent's conversation as root", opened_child(40, "new", "z", parent("r1", "m", "child", 2, "t"))),
        ("a second one of the same call", opened_child(40, "new", "z", parent("r", "k", "c", 1, "t"))),
        ("in the person's conversation", opened_child(40, "d", "z", parent("s", "m", "d", 1, "t"))),
        ("in another one's sub-agent's", opened_child(40, "child", "z", parent("s", "m", "d", 1, "t"))),
        // Its outside text would not be known to such a run.
        ("the person's in a sub-agent's", [opened(40, "child", "z"), prompt(40, "z", None, "Go on")]),
    ];
    for (name, records) in table {
        assert!(is_conflict(try_append(&home.store, "new", &records)), "{name}");
        assert_eq!(crate::rebuild::dump(&home.sql()), before, "{name}");
    }
}

#[test]
fn all_of_it_is_made_anew_from_the_journal() {
    let home = family();
    home.append("r2", &[asked(30, child_ask("x2", "r2", "k2", "deep", 2))]);
    home.store.save_time_left(&[("x2".into(), 99)]).unwrap();
    let before = (crate::rebuild::dump(&home.sql()), home.store.asks(None).unwrap());
    home.store.rebuild().unwrap();
    assert_eq!((crate::rebuild::dump(&home.sql()), home.store.asks(None).unwrap()), before);
    assert_eq!(home.store.child(&"k1".into()), Ok(Some("r2".into())));
}
