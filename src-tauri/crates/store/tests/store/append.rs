// SPDX-License-Identifier: Apache-2.0
use crate::records::*;
use bailey_ports::{Durability, Store, StoreError};
use bailey_protocol::journal::Entry;
use bailey_protocol::model::Usage;
use bailey_protocol::*;
use serde_json::json;

#[test]
fn opening_a_run_makes_the_conversation_and_its_first_message() {
    let home = Home::new();
    let question = "Please find me a quiet hotel near the station,\nnot too expensive, with breakfast";
    let records = [opened_with(10, "c", "q", Some("key-1")), prompt(11, "q", None, question)];
    home.append("r", &records);

    assert_eq!(home.store.journal(&"r".into()).unwrap(), records);
    assert_eq!(
        home.run("r"),
        RunView {
            id: "r".into(),
            conversation: "c".into(),
            mode: Mode::ChatPlus,
            state: RunState::Running,
            error: None,
            started: 10,
            ledger: Ledger::default(),
            budget: Budget::of(Mode::ChatPlus),
            resumed: false,
            unattended: false,
            parent: None,
            call: None,
            model: Some(model()),
            instead_of: None,
            window: None,
            compressed: false,
            left_out: vec![],
            retrying: None,
        }
    );
    assert_eq!(
        home.summary("c"),
        ConversationSummary {
            id: "c".into(),
            title: "Please find me a quiet hotel near the station, not too…".to_owned(),
            mode: Mode::ChatPlus,
            model: Some(model()),
            starred: false,
            updated: 11,
            preview: "Please find me a quiet hotel near the station, not too expensive, with breakfast".to_owned(),
            run: Some(RunState::Running),
            asks: 0,
            hit: None,
        }
    );
    let branch = home.branch("c");
    assert_eq!(branch.len(), 1);
    assert_eq!(
        branch[0],
        Message {
            id: "q".into(),
            conversation: "c".into(),
            parent: None,
            run: "r".into(),
            role: Role::User,
            status: MessageStatus::Complete,
            at: 11,
            blocks: vec![text(question)],
            labels: Labels::none(),
            model: None,
            usage: None,
            native: None,
            summary: None,
            siblings: vec!["q".into()],
        }
    );
    assert_eq!(home.store.open_runs().unwrap(), ["r".into()]);
    assert_eq!(home.store.runs(&"c".into()).unwrap(), [home.run("r")]);
    let sent = home.store.sent("key-1").unwrap().unwrap();
    assert_eq!((sent.conversation, sent.message, sent.run), ("c".into(), "q".into(), "r".into()));
    assert!(home.store.sent("key-2").unwrap().is_none());
    assert_eq!(home.store.run(&"other".into()).unwrap(), None);
    assert_eq!(home.store.journal(&"other".into()).unwrap(), []);
}

#[test]
fn a_round_streams_closes_and_its_call_runs() {
    let home = Home::new();
    home.append("r", &[opened(10, "c", "q"), prompt(10, "q", None, "What is 1+2?")]);
    home.append("r", &[round(20, 1, "a", "q")]);
    let streaming = home.message("a");
    assert_eq!(
        (streaming.status, streaming.role, streaming.model.as_deref()),
        (MessageStatus::Streaming, Role::Assistant, Some("demo-1"))
    );
    assert_eq!(home.run("r").ledger, ledger(1, 0));

    home.append("r", &[checkpoint(21, "a", "", "hm")]);
    home.append("r", &[checkpoint(22, "a", "It ", "mm")]);
    home.append("r", &[checkpoint(23, "a", "is", "")]);
    assert_eq!(home.message("a").blocks, [Block::Reasoning { text: "hmmm".to_owned(), ms: 0 }, text("It is")]);
    assert_eq!(home.summary("c").preview, "What is 1+2?");

    let usage = Usage { input: 5, cached: 1, output: 2, reasoning: 1, ..Usage::default() };
    home.append(
        "r",
        &[
            rec(
                30,
                Entry::RoundClosed {
                    message: "a".into(),
                    blocks: vec![text("Let me **compute**."), call("k")],
                    status: MessageStatus::Truncated,
                    labels: tainted("web_read"),
                    usage: Some(usage),
                    native: None,
                },
            ),
            intent(31, "k"),
        ],
    );
    let message = home.message("a");
    assert_eq!(
        (message.status, message.usage, &message.labels),
        (MessageStatus::Truncated, Some(usage), &tainted("web_read"))
    );
    assert_eq!(home.call("a", "k").state, CallState::Running);
    assert_eq!(home.call("a", "k").arguments, json!({"expression": "1+2"}));
    assert_eq!(home.summary("c").preview, "Let me compute.");

    let denial = Denial { code: DenialCode::Mode, message: "not in this mode".to_owned() };
    home.append(
        "r",
        &[rec(
            32,
            Entry::Outcome {
                call: "k".into(),
                state: CallState::Denied,
                arguments: json!({"expression": "3"}),
                parts: vec![Part::labelled("no", tainted("x"))],
                denial: Some(denial.clone()),
                repairs: vec!["a key was misspelt".to_owned()],
                ms: 9,
            },
        )],
    );
    let call = home.call("a", "k");
    assert_eq!((call.state, call.denial, call.ms), (CallState::Denied, Some(denial), 9));
    assert_eq!(call.parts, [Part::labelled("no", tainted("x"))]);
    assert_eq!((call.repairs, call.arguments), (vec!["a key was misspelt".to_owned()], json!({"expression": "3"})));

    home.append("r", &[round(40, 2, "b", "a"), closed_round(41, "b", vec![text("3")]), done(42)]);
    assert_eq!((home.run("r").state, home.run("r").ledger), (RunState::Done, ledger(9, 9)));
    assert_eq!(home.store.open_runs().unwrap(), []);
    assert_eq!((home.summary("c").updated, home.summary("c").preview.as_str()), (42, "3"));
    let ids: Vec<String> = home.branch("c").iter().map(|m| m.id.to_string()).collect();
    assert_eq!(ids, ["q", "a", "b"]);
    assert_eq!(home.store.journal(&"r".into()).unwrap().len(), 12);
}

fn with_call(home: &Home) {
    home.append("r", &[opened(10, "c", "q"), prompt(10, "q", None, "go"), round(11, 1, "a", "q")]);
    home.append("r", &[closed_round(12, "a", vec![call("k"), call("l")])]);
}

#[test]
fn a_question_waits_until_the_last_one_is_answered() {
    let home = Home::new();
    with_call(&home);
    let (first, second) = (ask("x", "c", "r", "k", confirm()), ask("y", "c", "r", "l", question()));
    home.append("r", &[asked(20, first.clone())]);
    home.append("r", &[asked(21, second.clone())]);
    assert_eq!(home.store.asks(None).unwrap(), [first.clone(), second.clone()]);
    assert_eq!(home.store.asks(Some(&"c".into())).unwrap(), [first, second.clone()]);
    assert_eq!(home.store.asks(Some(&"other".into())).unwrap(), []);
    assert_eq!((home.run("r").state, home.summary("c").asks), (RunState::Waiting, 2));
    assert_eq!(home.summary("c").run, Some(RunState::Waiting));
    assert_eq!(home.store.open_runs().unwrap(), ["r".into()]);
    assert_eq!(home.call("a", "k").state, CallState::Waiting);

    home.append("r", &[answered(22, "x", "k", Answer::AllowOnce)]);
    assert_eq!((home.call("a", "k").state, home.call("a", "l").state), (CallState::Pending, CallState::Waiting));
    assert_eq!((home.run("r").state, home.store.asks(None).unwrap()), (RunState::Waiting, vec![second]));

    home.append("r", &[answered(23, "y", "l", Answer::Choice { index: 1 })]);
    assert_eq!((home.run("r").state, home.summary("c").asks), (RunState::Running, 0));
    assert!(is_conflict(try_append(&home.store, "r", &[answered(24, "y", "l", Answer::YouDecide)])));
}

#[test]
fn a_run_with_open_questions_runs_while_a_call_of_its_runs() {
    let home = Home::new();
    home.append("r", &[opened(10, "c", "q"), prompt(10, "q", None, "go"), round(11, 1, "a", "q")]);
    home.append("r", &[closed_round(12, "a", vec![call("k"), call("l"), call("m"), call("n")])]);
    let state = |records: &[journal::Record]| {
        home.append("r", records);
        (home.run("r").state, home.summary("c").asks)
    };
    let question = |id: &str, about: &str| asked(20, ask(id, "c", "r", about, confirm()));
    assert_eq!(state(&[question("x", "l"), question("y", "m")]), (RunState::Waiting, 2));
    assert_eq!(state(&[intent(21, "k")]), (RunState::Running, 2));
    assert_eq!(state(&[question("z", "n")]), (RunState::Running, 3), "one more while it runs");
    assert_eq!(state(&[answered(22, "x", "l", Answer::AllowOnce)]), (RunState::Running, 2));
    assert_eq!(state(&[outcome(23, "k", CallState::Done, "2")]), (RunState::Waiting, 2));
    assert_eq!(state(&[intent(24, "l"), outcome(25, "l", CallState::Failed, "2")]), (RunState::Waiting, 2));
    let no = answered(26, "y", "m", Answer::Deny);
    assert_eq!(state(&[no, outcome(26, "m", CallState::Rejected, "no")]), (RunState::Waiting, 1));
    assert_eq!(state(&[answered(27, "z", "n", Answer::AllowOnce)]), (RunState::Running, 0));
    let again = question("w", "n");
    assert_eq!(state(&[again]), (RunState::Waiting, 1));
    // Its end closes all that is open.
    assert_eq!(state(&[closed(30, RunState::Stopped)]), (RunState::Stopped, 0));
    let states: Vec<CallState> = home.message("a").calls().map(|call| call.state).collect();
    assert_eq!(states, [CallState::Done, CallState::Failed, CallState::Rejected, CallState::Cancelled]);
}

#[test]
fn time_left_is_kept_for_questions_that_run_out() {
    let home = Home::new();
    with_call(&home);
    let endless = Ask { left_ms: None, ..ask("y", "c", "r", "l", question()) };
    home.append("r", &[asked(20, ask("x", "c", "r", "k", confirm())), asked(20, endless)]);
    home.store.save_time_left(&[("x".into(), 1234), ("y".into(), 5), ("gone".into(), 6)]).unwrap();
    let left: Vec<Option<u32>> = home.store.asks(None).unwrap().iter().map(|a| a.left_ms).collect();
    assert_eq!(left, [Some(1234), None]);
}

#[test]
fn a_recovery_leaves_the_call_unknown_and_notes_the_answer() {
    let table = [
        (Answer::Choice { index: 0 }, "It happened."),
        (Answer::Choice { index: 1 }, "It did not happen."),
        (Answer::Choice { index: 2 }, "Nobody knows."),
        (Answer::Choice { index: 3 }, "No answer."),
        (Answer::Text { text: "half of it".to_owned() }, "half of it"),
        (Answer::NoAnswer, "No answer."),
        (Answer::YouDecide, "No answer."),
    ];
    for (answer, expected) in table {
        let home = Home::new();
        with_call(&home);
        home.append("r", &[intent(20, "k")]);
        home.append(
            "r",
            &[rec(21, Entry::Resumed { ledger: ledger(3, 1) }), outcome(21, "k", CallState::Unknown, "?")],
        );
        assert!(home.run("r").resumed);
        assert_eq!(home.run("r").ledger, ledger(3, 1));
        home.append("r", &[asked(22, ask("x", "c", "r", "k", recovery()))]);
        assert_eq!((home.call("a", "k").state, home.run("r").state), (CallState::Unknown, RunState::Waiting));
        home.append("r", &[answered(23, "x", "k", answer)]);
        let call = home.call("a", "k");
        assert_eq!((call.state, call.recovery.as_deref()), (CallState::Unknown, Some(expected)));
        assert_eq!(home.run("r").state, RunState::Running);
    }
}

#[test]
fn a_run_that_ends_closes_what_it_left_open() {
    let table = [
        (RunState::Stopped, MessageStatus::Stopped, "the person stopped the run"),
        (RunState::Failed, MessageStatus::Interrupted, "the run"),
        (RunState::Done, MessageStatus::Interrupted, "the run ended"),
    ];
    for (state, status, said) in table {
        let home = Home::new();
        with_call(&home);
        home.append("r", &[intent(20, "k"), asked(21, ask("x", "c", "r", "l", confirm()))]);
        home.append("r", &[round(30, 2, "b", "a")]);
        home.append("r", &[checkpoint(31, "b", "half a sent", "")]);
        home.append("r", &[closed(32, state)]);
        assert_eq!((home.run("r").state, home.store.asks(None).unwrap().len()), (state, 0));
        assert_eq!(home.run("r").error.is_some(), state == RunState::Failed);
        assert_eq!((home.message("b").status, home.message("b").text().as_str()), (status, "half a sent"));
        assert_eq!(home.summary("c").preview, "half a sent");
        for id in ["k", "l"] {
            let call = home.call("a", id);
            assert_eq!((call.state, call.parts.len()), (CallState::Cancelled, 1), "{state:?} {id}");
            assert!(call.parts[0].text.contains(said), "{}", call.parts[0].text);
            assert_eq!(call.parts[0].text.contains("may have had its effect"), id == "k");
        }
        assert_eq!(home.store.conversations("sent").unwrap().len(), 1);
    }
}

#[test]
fn what_does_not_fit_is_refused_whole() {
    let home = Home::new();
    with_call(&home);
    home.append("r", &[outcome(20, "k", CallState::Done, "2")]);
    home.append("r2", &[opened_with(30, "c", "q2", Some("key")), prompt(30, "q2", Some("a"), "again")]);
    home.append("r3", &[opened(30, "d", "q3"), prompt(30, "q3", None, "elsewhere")]);
    home.append("r3", &[done(31)]);
    let before = crate::rebuild::dump(&home.sql());

    let ok = checkpointable(&home);
    let table: Vec<(&str, &str, Vec<journal::Record>)> = vec![
        ("not opened", "new", vec![prompt(40, "z", None, "x")]),
        ("opened twice", "r", vec![opened(40, "c", "z")]),
        ("key used", "new", vec![opened_with(40, "e", "z", Some("key")), prompt(40, "z", None, "x")]),
        ("message twice", "r2", vec![prompt(40, "q", None, "x")]),
        ("no parent", "r2", vec![prompt(40, "z", Some("nowhere"), "x")]),
        ("parent elsewhere", "r2", vec![round(40, 1, "z", "q3")]),
        ("second outcome", "r", vec![outcome(40, "k", CallState::Done, "3")]),
        ("intent after outcome", "r", vec![intent(40, "k")]),
        ("unknown call", "r", vec![outcome(40, "m", CallState::Done, "3")]),
        ("call of another run", "r2", vec![outcome(40, "l", CallState::Done, "3")]),
        ("open outcome", "r", vec![outcome(40, "l", CallState::Running, "3")]),
        ("closed message", "r", vec![checkpoint(40, "a", "x", "")]),
        ("closed twice", "r", vec![closed_round(40, "a", vec![])]),
        ("message of another run", "r2", vec![closed_round(40, "a", vec![])]),
        ("question about nothing", "r", vec![asked(40, ask("x", "c", "r", "m", confirm()))]),
        ("question of another run", "r", vec![asked(40, ask("x", "c", "r2", "l", confirm()))]),
        ("question of another conversation", "r", vec![asked(40, ask("x", "d", "r", "l", confirm()))]),
        ("question after the outcome", "r", vec![asked(40, ask("x", "c", "r", "k", confirm()))]),
        ("no such question", "r", vec![answered(40, "x", "l", Answer::Deny)]),
        ("closed open", "r", vec![closed(40, RunState::Running)]),
        ("after the end", "r3", vec![rec(40, Entry::Resumed { ledger: ledger(0, 0) })]),
        ("after the end in one", "r", vec![done(40), intent(41, "l")]),
        ("twice in one", "r", vec![outcome(40, "l", CallState::Done, "3"), outcome(41, "l", CallState::Done, "4")]),
        (
            "wrong call answered",
            "r",
            vec![asked(40, ask("x", "c", "r", "l", confirm())), answered(41, "x", "k", Answer::Deny)],
        ),
    ];
    for (name, run, records) in table {
        // A good record before it goes with it.
        let mut batch = if run == "r" { vec![ok.clone()] } else { Vec::new() };
        batch.extend(records);
        let result = try_append(&home.store, run, &batch);
        assert!(is_conflict(result.clone()), "{name}: {result:?}");
        assert_eq!(crate::rebuild::dump(&home.sql()), before, "{name}");
    }
    home.append("r", &[ok]);
    home.append("r", &[intent(50, "l")]);
}

fn checkpointable(home: &Home) -> journal::Record {
    assert_eq!(home.run("r").state, RunState::Running);
    rec(39, Entry::Resumed { ledger: ledger(1, 1) })
}

#[test]
fn a_deleted_conversation_takes_no_new_run_but_its_runs_can_end() {
    let home = Home::new();
    with_call(&home);
    home.store.set_deleted(&"c".into(), Some(100)).unwrap();
    let again = try_append(&home.store, "r2", &[opened(101, "c", "z"), prompt(101, "z", None, "x")]);
    assert_eq!(again, Err(StoreError::NotFound("the conversation")));
    home.append("r", &[closed(102, RunState::Stopped)]);
    assert_eq!(home.run("r").state, RunState::Stopped);
}

#[test]
fn a_retry_answers_a_message_that_is_there() {
    let home = Home::new();
    home.talk("c", "r", "Question", "First answer", 10);
    home.append("r2", &[opened(20, "c", "r-q"), round(21, 1, "b", "r-q")]);
    home.append("r2", &[closed_round(22, "b", vec![text("Second answer")]), done(23)]);
    let branch = home.branch("c");
    assert_eq!(branch.last().unwrap().text(), "Second answer");
    assert_eq!(branch[1].siblings, ["r-a".into(), "b".into()]);
    assert_eq!(home.summary("c").title, "Question");
    assert_eq!(home.store.runs(&"c".into()).unwrap().len(), 2);
}

#[test]
fn both_durabilities_write_the_same() {
    let home = Home::new();
    let run: RunId = "r".into();
    home.store.append(&run, &[opened(10, "c", "q"), prompt(10, "q", None, "go")], Durability::Synced).unwrap();
    home.store.append(&run, &[round(11, 1, "a", "q")], Durability::Committed).unwrap();
    home.store.append(&run, &[closed_round(12, "a", vec![call("k")]), intent(13, "k")], Durability::Synced).unwrap();
    assert!(is_conflict(home.store.append(&run, &[round(14, 1, "a", "q")], Durability::Synced)));
    home.store.append(&run, &[outcome(15, "k", CallState::Done, "2")], Durability::Committed).unwrap();
    assert_eq!(home.store.journal(&run).unwrap().len(), 6);
    home.store.append(&run, &[], Durability::Committed).unwrap();
    assert_eq!(home.store.journal(&run).unwrap().len(), 6);
}

#[test]
fn the_journal_is_append_only() {
    let home = Home::new();
    home.talk("c", "r", "Question", "Answer", 10);
    let sql = home.sql();
    for statement in
        ["UPDATE journal SET payload = '{}'", "DELETE FROM journal", "UPDATE journal SET at = 0 WHERE seq = 1"]
    {
        let error = sql.execute(statement, []).unwrap_err().to_string();
        assert!(error.contains("append-only"), "{error}");
    }
    assert_eq!(home.store.journal(&"r".into()).unwrap().len(), 5);
}

proptest::proptest! {
    #[test]
    fn numbers_in_arguments_stay_exactly_what_they_were(
        float in proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL,
        small in -1e6f64..1e6,
        whole in proptest::prelude::any::<u64>(),
        signed in proptest::prelude::any::<i64>(),
    ) {
        thread_local!(static HOME: Home = { let home = Home::new(); with_call(&home); home });
        HOME.with(|home| {
            let arguments = json!({"float": float, "small": small, "whole": whole, "signed": signed});
            home.append("r", &[rec(20, Entry::Intent { call: "k".into(), arguments: arguments.clone(), changes: true })]);
            proptest::prop_assert_eq!(&home.call("a", "k").arguments, &arguments);
            let last = home.store.journal(&"r".into()).unwrap().pop().unwrap();
            proptest::prop_assert_eq!(last.entry, Entry::Intent { call: "k".into(), arguments, changes: true });
            Ok(())
        })?;
    }
}
