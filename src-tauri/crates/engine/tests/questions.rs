// SPDX-License-Identifier: Apache-2.0
//! A round whose calls ask: all at once, answered in any order, run in the model's order; and sub-agents beside each other.

mod common;

use bailey_engine::{ASK_MS, Brief, Inherited, Input, Toolbox, Turn};
use bailey_policy::ToolFacts;
use bailey_protocol::journal::{Entry, ParentRun, Record};
use bailey_protocol::model::{Reply, Request};
use bailey_protocol::*;
use common::*;
use proptest::prelude::*;
use std::sync::Arc;

const THREE: [(&str, &str, &str); 3] =
    [("a", "touch", r#"{"n":1}"#), ("b", "post", r#"{"n":2}"#), ("c", "touch", r#"{"n":3}"#)];

/// A first round with these calls, then an answer.
fn once(list: &[(&'static str, &'static str, &'static str)]) -> impl FnMut(usize, &Request) -> Vec<Reply> + 'static {
    let round = calls(list);
    move |at, _| if at == 0 { round.clone() } else { says("ok") }
}

fn asking(mode: Mode, list: &[(&'static str, &'static str, &'static str)]) -> Driver {
    let mut d = Driver::new(mode, once(list));
    d.go();
    d
}

/// The calls in the order in which their intents were journalled.
fn began(d: &Driver) -> Vec<String> {
    d.records()
        .filter_map(|e| match e {
            Entry::Intent { call, .. } => Some(call.to_string()),
            _ => None,
        })
        .collect()
}

#[test]
fn all_are_asked_at_once_in_one_entry_of_the_journal() {
    let d = asking(Mode::Act, &THREE);
    let tools: Vec<String> = d.asked().into_iter().map(|(tool, _)| tool).collect();
    assert_eq!(tools, ["touch", "post", "touch"]);
    let batch: Vec<&str> = d.batches.last().unwrap().iter().map(|r| r.entry.kind()).collect();
    assert_eq!(batch, ["round_closed", "asked", "asked", "asked"]);
    let ids: std::collections::BTreeSet<AskId> = d.asks().into_iter().map(|a| a.id).collect();
    assert_eq!(ids.len(), 3);
    assert_eq!(d.state(), RunState::Waiting);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(3), ..ProptestConfig::default() })]
    #[test]
    fn answered_in_any_order_they_run_in_the_models(
        order in Just(vec!["a", "b", "c"]).prop_shuffle(),
        yes in prop::collection::vec(any::<bool>(), 3),
    ) {
        let mut d = asking(Mode::Act, &THREE);
        for id in &order {
            let at = THREE.iter().position(|(call, ..)| call == id).unwrap();
            d.answer_about(id, if yes[at] { Answer::AllowOnce } else { Answer::Deny });
        }
        prop_assert_eq!(d.state(), RunState::Done);
        let wanted: Vec<String> = (0..3).filter(|at| yes[*at]).map(|at| format!("r1-c1.{}", at + 1)).collect();
        prop_assert_eq!(began(&d), wanted);
        let states: Vec<CallState> = d.calls().iter().map(|c| c.state).collect();
        let wanted: Vec<CallState> =
            yes.iter().map(|yes| if *yes { CallState::Done } else { CallState::Rejected }).collect();
        prop_assert_eq!(states, wanted);
        prop_assert_eq!(d.requests.len(), 2);
    }
}

#[test]
fn a_yes_to_a_later_call_waits_for_the_earlier_one() {
    let mut d = asking(Mode::Act, &THREE);
    d.answer_about("c", Answer::AllowOnce);
    d.answer_about("b", Answer::AllowOnce);
    assert!(began(&d).is_empty());
    assert_eq!((d.asks().len(), d.state()), (1, RunState::Waiting));
    d.answer_about("a", Answer::Deny);
    assert_eq!((began(&d), d.state()), (vec!["r1-c1.2".into(), "r1-c1.3".into()], RunState::Done));
}

#[test]
fn an_answer_counts_while_an_earlier_call_runs() {
    let mut d = Driver::new(Mode::Act, once(&THREE));
    d.hang = true;
    d.go();
    d.answer_about("a", Answer::AllowOnce);
    assert_eq!((began(&d), d.state(), d.asks().len()), (vec!["r1-c1.1".into()], RunState::Running, 2));
    d.answer_about("b", Answer::AllowOnce);
    d.answer_about("c", Answer::Deny);
    assert_eq!((began(&d).len(), d.asks().len()), (1, 0), "one after the other");
    d.done("r1-c1.1", Ok(vec![Part::plain("one")]));
    assert_eq!(began(&d), ["r1-c1.1", "r1-c1.2"]);
    d.done("r1-c1.2", Ok(vec![Part::plain("two")]));
    assert_eq!((d.state(), d.result("a"), d.result("b")), (RunState::Done, "one".into(), "two".into()));
    assert!(d.result("c").starts_with("The person said no"));
}

#[test]
fn a_grant_for_the_conversation_does_not_answer_what_was_asked_already() {
    let mut d = asking(Mode::Act, &THREE);
    d.answer_about("a", Answer::AllowChat);
    assert_eq!((began(&d).len(), d.asks().len()), (1, 2), "each question has its own answer");
    d.answer_about("b", Answer::Deny);
    d.answer_about("c", Answer::Deny);
    assert_eq!((d.ran.len(), d.state()), (1, RunState::Done));
}

#[test]
fn each_runs_out_by_its_own_deadline() {
    // `page` may only taint, and `strike` behind it has to be asked about again when it did.
    let mut d = Driver::new(
        Mode::Max,
        once(&[
            ("a", "ask_user", r#"{"question":"Which?"}"#),
            ("b", "page", r#"{"n":1}"#),
            ("c", "strike", r#"{"n":1}"#),
        ]),
    );
    d.go();
    assert_eq!(d.asks().len(), 1);
    d.now += 100_000;
    d.answer(Answer::YouDecide);
    assert_eq!(d.asked().len(), 1, "what was read meanwhile makes the later call ask");
    d.now += Millis::from(ASK_MS);
    d.step(Input::Tick);
    assert_eq!(d.calls()[2].denial.as_ref().unwrap().code, DenialCode::Expired);

    let mut d = asking(Mode::Act, &THREE);
    d.now += Millis::from(ASK_MS) - 5;
    d.answer_about("b", Answer::AllowOnce);
    assert_eq!(d.asks().iter().map(|a| a.left_ms).collect::<Vec<_>>(), [Some(5), Some(5)]);
    d.now += 5;
    d.step(Input::Tick);
    let codes: Vec<_> = d.calls().iter().map(|c| c.denial.as_ref().map(|d| d.code)).collect();
    assert_eq!(codes, [Some(DenialCode::Expired), None, Some(DenialCode::Expired)]);
    assert_eq!((began(&d), d.state()), (vec!["r1-c1.2".into()], RunState::Done));
}

#[test]
fn stop_closes_all_of_them() {
    let mut d = asking(Mode::Act, &THREE);
    let ids: Vec<AskId> = d.asks().into_iter().map(|a| a.id).collect();
    d.step(Input::Stop);
    assert!(d.asks().is_empty() && d.turn.deadline().is_none());
    assert!(d.calls().iter().all(|c| c.state == CallState::Cancelled));
    for ask in ids {
        d.step(Input::Answered { ask, answer: Answer::AllowOnce });
    }
    assert_eq!((d.ran.len(), d.state()), (0, RunState::Stopped), "a late answer is harmless");
}

#[test]
fn what_a_call_reads_makes_an_answered_one_ask_again_for_what_was_not_shown() {
    // Asked for its mode alone; by the time it could run, a page has been read.
    let mut d = asking(Mode::Act, &[("a", "page", r#"{"n":1}"#), ("b", "touch", r#"{"n":2}"#)]);
    d.answer_about("b", Answer::AllowOnce);
    d.answer_about("a", Answer::AllowOnce);
    let asked = d.asked();
    assert!(
        matches!(&asked[..], [(tool, reasons)] if tool == "touch" && reasons.iter().any(|r| matches!(r, Reason::OutsideActs { .. }))),
        "{asked:?}"
    );
    d.answer_about("b", Answer::Deny);
    assert_eq!(began(&d), ["r1-c1.1"]);
}

#[test]
fn nothing_new_begins_while_it_is_not_known_what_became_of_a_call() {
    let list = [("a", "touch", r#"{"n":1}"#), ("b", "touch", r#"{"n":2}"#)];
    let mut first = Driver::new(Mode::Max, once(&list));
    first.hang = true;
    first.go();
    let records: Vec<Record> = first.batches.iter().flatten().cloned().collect();
    let (turn, effects) = Turn::restore(brief(Mode::Max), toolbox(), vec![prompt("go")], &records, &[], 9_000);
    let mut second = Driver::of(turn, |_, _| says("ok"));
    second.carry_out(effects);
    second.go();
    assert!(matches!(second.ask(), Some(AskKind::Recovery { .. })));
    assert_eq!((second.ran.len(), second.state()), (0, RunState::Waiting));
    second.answer(Answer::Choice { index: 1 });
    assert_eq!((second.ran.keys().next().unwrap().as_str(), second.state()), ("r1-c1.2", RunState::Done));
}

// Sub-agents.

#[test]
fn sub_agents_work_beside_each_other_and_nothing_else_does() {
    let list = [
        ("a", "delegate", r#"{"n":1}"#),
        ("b", "delegate", r#"{"n":2}"#),
        ("c", "look", r#"{"n":3}"#),
        ("d", "delegate", r#"{"n":4}"#),
    ];
    let mut d = asking(Mode::Max, &list);
    assert_eq!((d.agents.len(), d.ran.len(), d.state()), (2, 2, RunState::Running));
    d.done("r1-c1.2", Ok(vec![Part::plain("second")]));
    assert_eq!(d.ran.len(), 2, "what stands behind them waits for both");
    d.done("r1-c1.2", Ok(vec![Part::plain("again")]));
    d.done("r1-c1.1", Err(Part::plain("first broke")));
    assert_eq!(began(&d).len(), 4);
    assert_eq!(d.agents, [CallId::from("r1-c1.4")]);
    d.done("r1-c1.4", Ok(vec![Part::plain("fourth")]));
    assert_eq!(d.state(), RunState::Done);
    assert_eq!((d.result("a"), d.result("b")), ("The call failed. first broke".into(), "second".into()));
}

#[test]
fn stop_drops_all_sub_agents() {
    let mut d = asking(Mode::Max, &[("a", "delegate", r#"{"n":1}"#), ("b", "delegate", r#"{"n":2}"#)]);
    d.step(Input::Stop);
    assert_eq!((d.aborted, d.state()), (1, RunState::Stopped));
    assert!(d.calls().iter().all(|c| c.state == CallState::Cancelled));
}

#[test]
fn a_report_brings_its_marks() {
    let mut d = Driver::new(Mode::Max, |round, _| match round {
        0 => calls(&[("a", "delegate", r#"{"n":1}"#)]),
        1 => calls(&[("b", "touch", r#"{"n":7}"#)]),
        _ => says("ok"),
    });
    d.go();
    let outside = Labels { outside: vec![Source::tool("page")], private: vec![] };
    d.done("r1-c1.1", Ok(vec![Part::labelled("touch 7, says the page", outside)]));
    assert!(d.turn.labels().is_tainted());
    assert!(matches!(&d.asked()[0].1[..], [Reason::OutsideActs { .. }]), "a report traces nothing: {:?}", d.asked());
    assert!(d.result("a").starts_with("⟦outside"));
}

fn child(depth: u32, inherited: Inherited) -> Brief {
    let parent =
        ParentRun { run: "r0".into(), call: "r0-c1.1".into(), conversation: "c0".into(), depth, task: "go".into() };
    Brief { parent: Some(parent), inherited: Some(Arc::new(inherited)), ..brief(Mode::Act) }
}

#[test]
fn the_deepest_start_no_others() {
    for (depth, may) in [(1, true), (2, false)] {
        let turn = Turn::new(child(depth, Inherited::default()), toolbox(), vec![prompt("go")]);
        let mut d = Driver::of(turn, once(&[("a", "delegate", r#"{"n":1}"#)]));
        d.go();
        assert_eq!(d.requests[0].tools.iter().any(|t| t.name == "delegate"), may, "depth {depth}");
        let code = d.calls()[0].denial.as_ref().map(|d| d.code);
        assert_eq!((d.asks().len(), code), if may { (1, None) } else { (0, Some(DenialCode::UnknownTool)) });
    }
}

#[test]
fn a_childs_question_is_put_in_the_persons_conversation_and_names_it() {
    let turn = Turn::new(child(2, Inherited::default()), toolbox(), vec![prompt("go")]);
    let mut d = Driver::of(turn, once(&[("a", "touch", r#"{"n":1}"#)]));
    d.go();
    let ask = d.asks().remove(0);
    let origin = Origin { conversation: "c1".into(), task: "go".into(), depth: 2 };
    assert_eq!((ask.conversation.as_str(), ask.run.as_str(), ask.origin), ("c0", "r1", Some(origin)));
    d.answer(Answer::AllowOnce);
    assert_eq!((d.ran.len(), d.state()), (1, RunState::Done));
}

#[test]
fn a_task_is_nobodys_word_and_the_persons_words_pass_on() {
    let outside = Labels { outside: vec![Source::tool("page")], private: vec![] };
    let mut spoken = Inherited { labels: outside.clone(), ..Inherited::default() };
    spoken.origins.say("write to bob@example.org");
    let unspoken = Inherited { labels: outside, ..Inherited::default() };
    let mut mail = spec("mail", ToolFacts { danger: Danger::Medium, ..ToolFacts::LOW });
    mail.schema = serde_json::json!({"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]});
    mail.example = serde_json::json!({"to": "bob"});
    let toolbox = Arc::new(Toolbox::new(vec![mail]).unwrap());
    for (inherited, asks) in [(spoken, 0), (unspoken, 1)] {
        let brief = Brief { mode: Mode::Max, ..child(1, inherited) };
        let turn = Turn::new(brief, toolbox.clone(), vec![prompt("write to bob@example.org")]);
        let mut d = Driver::of(turn, once(&[("a", "mail", r#"{"to":"bob@example.org"}"#)]));
        d.go();
        assert_eq!(d.asks().len(), asks, "{:?}", d.asked());
    }
}
