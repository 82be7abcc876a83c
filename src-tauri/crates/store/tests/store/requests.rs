// SPDX-License-Identifier: Apache-2.0
//! What requests leave behind: void attempts, models that took over, native messages, pictures, money.

use crate::records::*;
use bailey_ports::{Store, StoreError};
use bailey_protocol::journal::Entry;
use bailey_protocol::model::Usage;
use bailey_protocol::*;

fn other() -> ModelChoice {
    ModelChoice { provider: "q".into(), model: "other".to_owned() }
}

fn closed_with(at: Millis, message: &str, cost: Option<u64>) -> journal::Record {
    rec(
        at,
        Entry::RoundClosed {
            message: message.into(),
            blocks: vec![text("whole")],
            status: MessageStatus::Complete,
            labels: Labels::none(),
            usage: Some(Usage { input: 9, cost, ..Usage::default() }),
            native: Some(native("sig")),
        },
    )
}

#[test]
fn a_void_attempt_leaves_nothing_and_a_model_that_took_over_is_named() {
    let home = Home::new();
    home.append("r", &[opened(10, "c", "q"), prompt(10, "q", None, "hi"), round(20, 1, "a", "q")]);
    home.append("r", &[checkpoint(21, "a", "half an answer", "hm")]);
    home.append("r", &[rec(22, Entry::RoundRestarted { message: "a".into(), usage: None })]);
    assert_eq!(home.message("a").blocks, []);
    home.append("r", &[rec(23, Entry::Fallback { message: "a".into(), model: other() })]);
    home.append("r", &[rec(23, Entry::Compressed { limit: 9_000 })]);
    home.append("r", &[closed_with(24, "a", None), round(25, 2, "b", "a")]);
    assert_eq!(home.message("a").model.as_deref(), Some("other"));
    assert_eq!(home.message("b").model.as_deref(), Some("other"), "it stays for the run");
    assert_eq!(home.message("a").native, Some(native("sig")));
    let run = home.run("r");
    assert_eq!((run.model, run.instead_of, run.compressed), (Some(other()), Some(model()), true));
    assert!(
        is_conflict(try_append(
            &home.store,
            "r",
            &[rec(26, Entry::RoundRestarted { message: "a".into(), usage: None })]
        )),
        "it is closed"
    );
}

#[test]
fn marks_that_come_in_the_middle_of_a_stream_are_kept() {
    let home = Home::new();
    home.append("r", &[opened(10, "c", "q"), prompt(10, "q", None, "hi"), round(20, 1, "a", "q")]);
    let labels = tainted("provider");
    let entry = Entry::Checkpoint { message: "a".into(), text: String::new(), reasoning: String::new(), labels };
    home.append("r", &[rec(21, entry)]);
    assert_eq!(home.message("a").labels, tainted("provider"));
}

#[test]
fn a_question_about_money_is_about_no_call() {
    let home = Home::new();
    home.append("r", &[opened(10, "c", "q"), prompt(10, "q", None, "hi")]);
    let kind = AskKind::Spend { scope: SpendScope::Day, spent: 5, cap: 6, next: 7 };
    home.append("r", &[asked(20, ask("x", "c", "r", "r-spend1", kind.clone()))]);
    assert_eq!(home.store.asks(None).unwrap()[0].kind, kind);
    assert_eq!(home.run("r").state, RunState::Waiting);
    home.append("r", &[answered(21, "x", "r-spend1", Answer::AllowOnce)]);
    assert_eq!((home.run("r").state, home.store.asks(None).unwrap().len()), (RunState::Running, 0));
}

#[test]
fn what_was_spent_is_known_by_the_moment_and_outlives_conversation_and_rebuilding() {
    let home = Home::new();
    for (run, at, cost) in [("r1", 100, Some(70)), ("r2", 200, Some(30_000)), ("r3", 300, None), ("r4", 400, Some(5))] {
        let (q, a) = (format!("{run}-q"), format!("{run}-a"));
        home.append(run, &[opened(at, run, &q), prompt(at, &q, None, "hi"), round(at, 1, &a, &q)]);
        // A void attempt costs, too.
        let usage = (run == "r1").then(|| Usage { cost: Some(3), ..Usage::default() });
        home.append(run, &[rec(at, Entry::RoundRestarted { message: a.as_str().into(), usage })]);
        home.append(run, &[closed_with(at, &a, cost), done(at)]);
    }
    let expected = [(0, 30_078), (100, 30_078), (101, 30_005), (400, 5), (401, 0)];
    let check = || {
        for (since, spent) in expected {
            assert_eq!(home.store.spent_since(since), Ok(spent), "since {since}");
        }
    };
    check();
    home.store.rebuild().unwrap();
    check();
    home.store.set_deleted(&"r2".into(), Some(500)).unwrap();
    home.store.purge_deleted(500).unwrap();
    check();
}

#[test]
fn pictures_come_and_go_with_their_conversation() {
    let home = Home::new();
    let picture = PictureRef {
        id: "i1".into(),
        name: "a.png".to_owned(),
        media_type: "image/png".to_owned(),
        width: 3,
        height: 2,
        labels: tainted("attachment"),
    };
    home.store.add_picture(&"c".into(), &"i1".into(), "image/png", &[1, 2, 3]).unwrap();
    let entry = Entry::Prompt {
        message: "q".into(),
        parent: None,
        text: String::new(),
        labels: Labels::none(),
        pictures: vec![picture.clone()],
    };
    home.append("r", &[opened(10, "c", "q"), rec(10, entry), done(11)]);
    assert_eq!(home.message("q").blocks, [Block::Picture { picture }], "no empty text beside it");
    assert_eq!(home.store.picture(&"i1".into()), Ok(Some(("image/png".to_owned(), vec![1, 2, 3]))));
    home.store.rebuild().unwrap();
    assert!(home.store.picture(&"i1".into()).unwrap().is_some());
    home.store.set_deleted(&"c".into(), Some(20)).unwrap();
    assert!(home.store.picture(&"i1".into()).unwrap().is_some(), "it can still be brought back");
    home.store.purge_deleted(20).unwrap();
    assert_eq!(home.store.picture(&"i1".into()), Ok(None));
}

#[test]
fn a_summary_is_used_until_the_person_takes_it_back_for_good() {
    let home = Home::new();
    home.talk("c", "r", "Question", "Answer", 10);
    home.append("r2", &[opened(20, "c", "q2"), prompt(20, "q2", Some("r-a"), "More"), summary_round(21, 1, "s", "q2")]);
    let now = || home.message("s").summary;
    assert_eq!((now(), home.message("r-a").summary), (Some(SummaryState::Used), None));
    home.append("r2", &[closed_with(22, "s", None)]);
    // It is in the tree and can be found; the list goes on showing what was said.
    assert_eq!((home.summary("c").preview.as_str(), home.branch("c").len()), ("More", 4));
    assert_eq!(home.store.conversations("whole").unwrap().len(), 1);

    let missing = Err(StoreError::NotFound("the summary"));
    assert_eq!(home.store.undo_summary(&"r-a".into()), missing);
    assert_eq!(home.store.undo_summary(&"nothing".into()), missing);
    home.store.undo_summary(&"s".into()).unwrap();
    home.store.undo_summary(&"s".into()).unwrap();
    home.append("r2", &[round(23, 2, "b", "s"), closed_with(24, "b", None), done(25)]);
    assert_eq!((now(), home.message("b").summary), (Some(SummaryState::Undone), None));
    home.store.rebuild().unwrap();
    assert_eq!(now(), Some(SummaryState::Undone));
    assert_eq!(home.branch("c")[3].summary, Some(SummaryState::Undone));
    home.store.set_deleted(&"c".into(), Some(30)).unwrap();
    home.store.purge_deleted(30).unwrap();
    assert_eq!(home.store.undo_summary(&"s".into()), missing);
}
