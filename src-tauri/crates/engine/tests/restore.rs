// SPDX-License-Identifier: Apache-2.0
//! A run killed anywhere and taken up again: history sendable, nothing that changes the world run twice, questions kept.

mod common;

use bailey_engine::{Effect, Input, Turn};
use bailey_protocol::journal::{Entry, Record};
use bailey_protocol::model::{Request, Turn as Past};
use bailey_protocol::*;
use common::*;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// A model whose answer depends on the history alone, as a real one's does: it goes through `plan`, a round for each
/// assistant turn with calls that the history holds.
fn planned(plan: Vec<Vec<(String, String)>>) -> impl FnMut(usize, &Request) -> Vec<model::Reply> + Clone {
    move |_, request| {
        let done =
            request.messages.iter().filter(|t| matches!(t, Past::Assistant { calls, .. } if !calls.is_empty())).count();
        match plan.get(done) {
            Some(round) => {
                let named: Vec<(String, &(String, String))> =
                    round.iter().enumerate().map(|(i, c)| (format!("p{done}.{i}"), c)).collect();
                let list: Vec<(&str, &str, &str)> =
                    named.iter().map(|(id, (tool, args))| (id.as_str(), tool.as_str(), args.as_str())).collect();
                calls(&list)
            }
            None => says("done"),
        }
    }
}

fn restored(
    records: &[Record],
    now: Millis,
    model: impl FnMut(usize, &Request) -> Vec<model::Reply> + 'static,
) -> (Driver, Vec<Effect>) {
    let open = open_asks(records);
    let (turn, effects) = Turn::restore(brief(Mode::Max), toolbox(), vec![prompt("go")], records, &open, now);
    let mut driver = Driver::of(turn, model);
    driver.now = now;
    (driver, effects)
}

/// What the store keeps of open questions.
fn open_asks(records: &[Record]) -> Vec<Ask> {
    let mut open: Vec<Ask> = vec![];
    for record in records {
        match &record.entry {
            Entry::Asked { ask, .. } => open.push(Ask { left_ms: ask.left_ms.map(|l| l - 1_000), ..ask.clone() }),
            Entry::Answered { ask, .. } => open.retain(|a| a.id != *ask),
            Entry::Closed { .. } => open.clear(),
            _ => {}
        }
    }
    open
}

/// In which order open questions are answered and sub-agents end.
#[derive(Clone, Copy, Debug)]
enum Order {
    OldestFirst,
    NewestFirst,
}

/// Answers one question, or ends one sub-agent: yes to what may run, don't know to what may have happened. Says whether
/// there was any.
fn one_more(driver: &mut Driver, order: Order) -> bool {
    let asks = driver.asks();
    let ask = match order {
        Order::OldestFirst => asks.first(),
        Order::NewestFirst => asks.last(),
    };
    if let Some(ask) = ask {
        let answer = match ask.kind {
            AskKind::Confirm { .. } | AskKind::Spend { .. } => Answer::AllowOnce,
            AskKind::Question { .. } => Answer::Text { text: "yes".into() },
            AskKind::Recovery { .. } => Answer::Choice { index: 2 },
        };
        driver.step(Input::Answered { ask: ask.id.clone(), answer });
        return true;
    }
    let agent = match order {
        Order::OldestFirst => driver.agents.first(),
        Order::NewestFirst => driver.agents.last(),
    };
    let Some(agent) = agent.cloned() else { return false };
    driver.done(agent.as_str(), Ok(vec![Part::plain("its report")]));
    true
}

fn to_the_end(driver: &mut Driver, order: Order) {
    for _ in 0..200 {
        if !one_more(driver, order) {
            break;
        }
    }
    assert!(driver.state().is_final(), "the run must end: {:?}", driver.turn.view());
}

fn acts(tool: &str) -> bool {
    matches!(tool, "touch" | "strike" | "post")
}

/// Kills the run after every effect that can be carried out, takes it up, and lets it end.
fn kill_everywhere(plan: &[Vec<(String, String)>]) -> usize {
    [Order::OldestFirst, Order::NewestFirst].map(|order| kill_in_order(plan, order)).iter().sum()
}

fn kill_in_order(plan: &[Vec<(String, String)>], order: Order) -> usize {
    let model = planned(plan.to_vec());
    let mut whole = Driver::new(Mode::Max, model.clone());
    whole.go();
    to_the_end(&mut whole, order);
    let mut kills = 0;
    for fuel in 0.. {
        let mut first = Driver::new(Mode::Max, model.clone());
        first.fuel = fuel;
        first.go();
        for _ in 0..200 {
            if first.fuel == 0 || !one_more(&mut first, order) {
                break;
            }
        }
        if first.fuel > 0 {
            return kills;
        }
        kills += 1;
        let records: Vec<Record> = first.batches.iter().flatten().cloned().collect();
        let (mut second, effects) = restored(&records, 50_000, model.clone());
        second.batches = vec![records.clone()];
        second.carry_out(effects);
        let now = second.asks();
        for was in open_asks(&records) {
            assert!(now.contains(&was), "an open question is still open, killed after {fuel}: {was:?}");
        }
        second.go();
        to_the_end(&mut second, order);
        check(fuel, &first, &second);
    }
    kills
}

fn check(fuel: usize, first: &Driver, second: &Driver) {
    let mut ran: BTreeMap<CallId, u32> = first.ran.clone();
    for (call, times) in &second.ran {
        *ran.entry(call.clone()).or_default() += times;
    }
    for (call, times) in &ran {
        assert_eq!(*times, 1, "{call} ran {times} times, killed after {fuel} effects");
    }
    let mut outcomes: BTreeMap<&CallId, u32> = BTreeMap::new();
    for entry in second.records() {
        if let Entry::Outcome { call, .. } = entry {
            *outcomes.entry(call).or_default() += 1;
        }
    }
    for call in second.calls() {
        assert!(call.state.is_final());
        assert_eq!(outcomes.get(&call.id), Some(&1), "{} has exactly one outcome, killed after {fuel}", call.id);
        if call.state == CallState::Unknown {
            assert_eq!(call.recovery.is_some(), acts(&call.tool), "asked about when it may have changed something");
        }
    }
    let closed = second.records().filter(|e| matches!(e, Entry::Closed { .. })).count();
    assert_eq!(closed, 1);
}

fn round(calls: &[(&str, &str)]) -> Vec<(String, String)> {
    calls.iter().map(|(t, a)| ((*t).to_owned(), (*a).to_owned())).collect()
}

#[test]
fn killed_at_every_boundary_a_run_goes_on() {
    let plan = vec![
        round(&[("look", r#"{"n":1}"#), ("touch", r#"{"n":1}"#)]),
        round(&[("page", r#"{"n":1}"#)]),
        round(&[("delegate", r#"{"n":1}"#), ("delegate", r#"{"n":2}"#), ("look", r#"{"n":2}"#)]),
        round(&[("strike", r#"{"n":8}"#), ("look", r#"{"n":3}"#), ("touch", r#"{"n":8}"#), ("post", r#"{"n":8}"#)]),
        round(&[
            ("strike", r#"{"n":1}"#),
            ("ask_user", r#"{"question":"Go on?","choices":["yes","no"]}"#),
            ("post", r#"{"n":2}"#),
        ]),
        round(&[("nonsense", "{}"), ("look", "broken"), ("note", r#"{"n":3}"#)]),
    ];
    let kills = kill_everywhere(&plan);
    assert!(kills > 80, "only {kills} moments were tried");
}

#[test]
fn a_call_that_may_have_happened_is_asked_about_and_said_to_the_model() {
    for (index, said) in [(0, "It happened."), (1, "It did not happen."), (2, "Nobody knows.")] {
        let model = planned(vec![round(&[("touch", r#"{"n":1}"#)])]);
        let mut first = Driver::new(Mode::Max, model.clone());
        first.fuel = 4; // journal, request, journal, run
        first.go();
        let records: Vec<Record> = first.batches.iter().flatten().cloned().collect();
        assert!(matches!(records.last().unwrap().entry, Entry::Intent { .. }));
        let (mut second, effects) = restored(&records, 9_000, model);
        second.carry_out(effects);
        second.go();
        let Some(AskKind::Recovery { tool, arguments }) = second.ask() else { panic!("{:?}", second.ask()) };
        assert_eq!((tool.as_str(), arguments), ("touch", serde_json::json!({"n": 1})));
        assert_eq!(second.turn.deadline(), None, "it waits as long as it takes");
        second.answer(Answer::Choice { index });
        assert_eq!(second.state(), RunState::Done);
        assert!(second.ran.is_empty(), "never run again by itself");
        let text = second.result("p0.0");
        assert!(text.starts_with("Unknown whether this happened.") && text.ends_with(said), "{text}");
    }
}

#[test]
fn a_stream_that_was_cut_off_is_asked_for_again() {
    let (mut first, now) = (Driver::new(Mode::Max, |_, _| vec![]), 3_000);
    first.go();
    first.now = now;
    first.step(Input::Model(model::Reply::Text { text: "The answer is".into() }));
    let records: Vec<Record> = first.batches.iter().flatten().cloned().collect();
    assert!(matches!(records.last().unwrap().entry, Entry::Checkpoint { .. }));
    let (mut second, effects) = restored(&records, 60_000, |_, _| says("The answer is 4"));
    second.batches = vec![records];
    second.carry_out(effects);
    second.go();
    assert_eq!(second.state(), RunState::Done);
    let cut = second.turn.message(&"r1-m1".into()).unwrap();
    assert_eq!((cut.text().as_str(), cut.status), ("The answer is", MessageStatus::Interrupted));
    let whole = second.turn.message(&"r1-m2".into()).unwrap();
    assert_eq!((whole.text().as_str(), whole.parent), ("The answer is 4", Some("r1-m1".into())));
    assert_eq!(second.requests[0].messages.len(), 1, "the half answer is not sent back");
    assert!(second.turn.view().resumed);
    assert_eq!(second.turn.view().ledger, Ledger { rounds: 2, calls: 0, active_ms: 0, cost: 0 });
}

#[test]
fn an_agreement_is_kept_but_only_for_the_same_definition() {
    let plan = planned(vec![round(&[("touch", r#"{"n":1}"#)])]);
    let mut b = brief(Mode::Act);
    b.started = 1_000;
    let mut first = Driver::of(Turn::new(b.clone(), toolbox(), vec![prompt("go")]), plan.clone());
    first.go();
    let ask = first.asks()[0].id.clone();
    let mut records: Vec<Record> = first.batches.iter().flatten().cloned().collect();
    let answered = Entry::Answered { ask, call: "r1-c1.1".into(), answer: Answer::AllowOnce };
    records.push(Record { at: 2_000, entry: answered });
    let (turn, effects) = Turn::restore(b.clone(), toolbox(), vec![prompt("go")], &records, &[], 9_000);
    let mut second = Driver::of(turn, plan.clone());
    second.carry_out(effects);
    second.go();
    assert_eq!((second.state(), second.ran.len()), (RunState::Done, 1), "the yes was kept");

    for record in &mut records {
        if let Entry::Asked { tool_digest, .. } = &mut record.entry {
            *tool_digest = "an earlier definition".into();
        }
    }
    let (turn, effects) = Turn::restore(b, toolbox(), vec![prompt("go")], &records, &[], 9_000);
    let mut second = Driver::of(turn, plan);
    second.carry_out(effects);
    second.go();
    assert_eq!((second.state(), second.ran.len()), (RunState::Waiting, 0), "the tool changed: asked again");
}

#[test]
fn a_run_that_is_over_stays_over() {
    let mut first = Driver::new(Mode::Max, |_, _| says("done"));
    first.go();
    let records: Vec<Record> = first.batches.iter().flatten().cloned().collect();
    let (mut second, effects) = restored(&records, 9_000, |_, _| panic!("no request"));
    assert!(effects.is_empty());
    second.go();
    assert_eq!((second.state(), second.batches.len()), (RunState::Done, 0));
}

fn any_call() -> impl Strategy<Value = (String, String)> {
    let tool = prop::sample::select(vec![
        "look", "page", "diary", "touch", "strike", "post", "note", "ask_user", "delegate", "nonsense",
    ]);
    (tool, 0..40u32).prop_map(|(tool, n)| {
        let arguments = match (tool, n) {
            (_, 38) => "not json".to_owned(),
            ("ask_user", _) => format!(r#"{{"question":"q{n}"}}"#),
            _ => format!(r#"{{"n":{n}}}"#),
        };
        (tool.to_owned(), arguments)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(7), ..ProptestConfig::default() })]
    #[test]
    fn any_run_killed_anywhere_goes_on(plan in prop::collection::vec(prop::collection::vec(any_call(), 1..4), 1..5)) {
        kill_everywhere(&plan);
    }
}
