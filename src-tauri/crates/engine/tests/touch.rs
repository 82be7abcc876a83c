// SPDX-License-Identifier: Apache-2.0
//! Calls that touch the screen: what they would touch is looked up first, shown, and bound to the answer.

mod common;

use bailey_engine::{Effect, Input, Toolbox, Turn};
use bailey_policy::{ArgumentRole, ToolFacts, ToolKind, ToolSpec};
use bailey_protocol::journal::{Entry, Record};
use bailey_protocol::model::Request;
use bailey_protocol::*;
use common::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

fn hands() -> ToolSpec {
    ToolSpec {
        schema: json!({"type": "object", "properties": {"target": {"type": "string"}}, "required": ["target"], "additionalProperties": false}),
        example: json!({"target": "n1"}),
        arguments: BTreeMap::from([("target".into(), ArgumentRole::Neutral)]),
        kind: ToolKind::Touch,
        ..spec(
            "hands",
            ToolFacts { danger: Danger::High, outside: true, private: true, egress: true, ..ToolFacts::LOW },
        )
    }
}

/// `scroll`, `open` and the like: the handle says the class. `scroll@maps` is in another app.
fn target(handle: &str) -> Result<Target, String> {
    let (class, app) = handle.split_once('@').unwrap_or((handle, "chat"));
    let class = match class {
        "scroll" => NodeClass::Scroll,
        "open" => NodeClass::Navigate,
        "send" => NodeClass::Send,
        _ => return Err(format!("There is no {handle} on the screen.")),
    };
    Ok(Target {
        app: app.into(),
        app_name: app.to_uppercase(),
        role: "button".into(),
        label: handle.into(),
        class,
        bounds: (0, 0, 10, 10),
        fingerprint: handle.into(),
    })
}

fn look(arguments: &Value) -> Result<Target, String> {
    target(arguments["target"].as_str().unwrap())
}

fn new_turn() -> Turn {
    Turn::new(brief(Mode::Max), Arc::new(Toolbox::new([hands()]).unwrap()), vec![prompt("go")])
}

/// A run whose rounds touch these, one list a round.
fn driving(rounds: &'static [&'static [(&'static str, &'static str)]]) -> Driver {
    let model = move |at: usize, _: &Request| match rounds.get(at) {
        Some(touches) => {
            let list: Vec<(String, String)> = touches
                .iter()
                .map(|(id, handle)| ((*id).to_owned(), json!({ "target": handle }).to_string()))
                .collect();
            calls(&list.iter().map(|(id, arguments)| (id.as_str(), "hands", arguments.as_str())).collect::<Vec<_>>())
        }
        None => says("done"),
    };
    let mut d = Driver::of(new_turn(), model);
    d.look = Box::new(look);
    d.go();
    d
}

fn asked_about(d: &Driver) -> Vec<(String, Vec<Reason>)> {
    let shown = |ask: Ask| match ask.kind {
        AskKind::Confirm { target, reasons, .. } => (target.expect("it touches something").label, reasons),
        other => panic!("{other:?}"),
    };
    d.asks().into_iter().map(shown).collect()
}

fn drive(app: &str) -> Reason {
    Reason::DriveApp { app: app.into(), name: app.to_uppercase() }
}

#[test]
fn an_app_is_asked_about_once_and_what_matters_each_time() {
    let mut d =
        driving(&[&[("a", "open")], &[("b", "scroll")], &[("c", "send")], &[("d", "send")], &[("e", "open@maps")]]);
    assert_eq!(asked_about(&d), [("open".into(), vec![drive("chat")])]);
    d.answer(Answer::AllowApp);
    let send = Reason::Touches { class: NodeClass::Send };
    assert_eq!(asked_about(&d), [("send".into(), vec![send.clone()])], "scrolling ran unasked");
    // Using the app is no answer to this.
    let ask = d.asks()[0].id.clone();
    d.step(Input::Answered { ask, answer: Answer::AllowApp });
    assert_eq!(d.asks().len(), 1);
    d.answer(Answer::AllowOnce);
    assert_eq!(asked_about(&d), [("send".into(), vec![send])], "each time");
    d.answer(Answer::Deny);
    assert_eq!(asked_about(&d), [("open@maps".into(), vec![drive("maps")])]);
    d.answer(Answer::AllowOnce);
    assert_eq!(d.state(), RunState::Done);
    let states: Vec<CallState> = d.calls().iter().map(|c| c.state).collect();
    use CallState::*;
    assert_eq!(states, [Done, Done, Done, Rejected, Done]);
}

#[test]
fn once_is_for_this_call_alone() {
    let mut d = driving(&[&[("a", "open")], &[("b", "open")]]);
    d.answer(Answer::AllowOnce);
    assert_eq!(asked_about(&d), [("open".into(), vec![drive("chat")])]);
}

#[test]
fn letting_it_use_the_app_closes_the_questions_that_asked_for_no_more() {
    let mut d = driving(&[&[("a", "open"), ("b", "scroll"), ("c", "send"), ("d", "open@maps")]]);
    assert_eq!(d.asks().len(), 4);
    d.answer(Answer::AllowApp);
    let left: Vec<String> = asked_about(&d).into_iter().map(|(label, _)| label).collect();
    assert_eq!(left, ["send", "open@maps"]);
    let answers: Vec<Answer> = d
        .records()
        .filter_map(|e| match e {
            Entry::Answered { answer, .. } => Some(answer.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(answers, [Answer::AllowApp, Answer::AllowOnce]);
}

#[test]
fn what_is_not_there_is_denied_with_the_reason_and_nobody_is_asked() {
    let d = driving(&[&[("a", "nothing")]]);
    assert_eq!(d.state(), RunState::Done);
    let call = &d.calls()[0];
    assert_eq!(call.denial.as_ref().unwrap().code, DenialCode::NoTarget);
    assert_eq!(d.result("a"), "The call was not run. There is no nothing on the screen.");
}

#[test]
fn nothing_is_looked_at_where_nothing_may_be_touched() {
    for (mode, automation, code) in [
        (Mode::Chat, None, DenialCode::Mode),
        (Mode::ChatPlus, None, DenialCode::Mode),
        (Mode::Max, Some("nightly".to_owned()), DenialCode::Unattended),
    ] {
        let brief = bailey_engine::Brief { automation, ..brief(mode) };
        let turn = Turn::new(brief, Arc::new(Toolbox::new([hands()]).unwrap()), vec![prompt("go")]);
        let mut d = Driver::of(turn, |at, _| match at {
            0 => calls(&[("a", "hands", r#"{"target":"open"}"#)]),
            _ => says("done"),
        });
        d.look = Box::new(|_| panic!("it looked"));
        d.go();
        assert_eq!(d.calls()[0].denial.as_ref().unwrap().code, code, "{mode:?}");
    }
}

#[test]
fn the_approval_holds_what_was_shown() {
    let mut d = Driver::of(new_turn(), |at, _| match at {
        0 => calls(&[("a", "hands", r#"{"target":"send"}"#)]),
        _ => says("done"),
    });
    d.look = Box::new(look);
    d.tool = Box::new(|approval| {
        assert_eq!(approval.target(), Some(&target("send").unwrap()));
        Ok(vec![Part::plain("tapped")])
    });
    d.go();
    d.answer(Answer::AllowOnce);
    assert_eq!(d.ran.values().sum::<u32>(), 1);
}

#[test]
fn after_a_restart_the_app_may_be_used_and_a_question_is_bound_to_what_it_showed() {
    let mut d = driving(&[&[("a", "open")], &[("b", "send")]]);
    d.answer(Answer::AllowApp);
    let records: Vec<Record> = d.batches.iter().flatten().cloned().collect();
    let open = d.asks();
    let restored = |d: &Driver| {
        let toolbox = Arc::new(Toolbox::new([hands()]).unwrap());
        Turn::restore(brief(Mode::Max), toolbox, vec![prompt("go")], &records, &open, d.now)
    };
    // The same thing is still there: it runs.
    let (turn, first) = restored(&d);
    let mut same = Driver::of(turn, |_, _| calls(&[("c", "hands", r#"{"target":"scroll"}"#)]));
    same.look = Box::new(look);
    same.fuel = 40;
    same.carry_out(first);
    same.go();
    same.answer(Answer::AllowOnce);
    assert!(same.ran.values().sum::<u32>() >= 2, "the send, and scrolling unasked: {:?}", same.ran);
    // Something else is there now: it is asked anew, showing that.
    let (turn, first) = restored(&d);
    let mut other = Driver::of(turn, |_, _| says("done"));
    other.look = Box::new(|_| Ok(Target { label: "pay".into(), ..target("send").unwrap() }));
    other.carry_out(first);
    other.go();
    other.answer(Answer::AllowOnce);
    assert_eq!(asked_about(&other), [("pay".into(), vec![Reason::Touches { class: NodeClass::Send }])]);
    assert!(other.ran.is_empty());
}

#[test]
fn a_run_can_be_stopped_while_it_looks() {
    let mut turn = new_turn();
    turn.set_standing(bailey_engine::Standing { listening: true, ..Default::default() });
    turn.step(Input::Go, 1_000);
    let mut effects = Vec::new();
    for reply in calls(&[("a", "hands", r#"{"target":"open"}"#)]) {
        effects.extend(turn.step(Input::Model(reply), 1_001));
    }
    let looked = effects.iter().find_map(|e| match e {
        Effect::Look { call, tool, arguments } => Some((call.clone(), tool.clone(), arguments.clone())),
        _ => None,
    });
    let (call, tool, arguments) = looked.expect("it looks");
    assert_eq!((tool.as_str(), arguments), ("hands", json!({ "target": "open" })));
    assert!(turn.open_asks(1_002).is_empty());
    turn.step(Input::Stop, 1_003);
    assert!(turn.is_over());
    assert!(turn.step(Input::Looked { call, target: target("open") }, 1_004).is_empty());
    assert!(turn.open_asks(1_005).is_empty());
}

#[test]
fn the_same_touch_on_a_screen_that_changed_is_another_call() {
    // Scrolling on through a list; each page is another one, the last comes twice.
    const PAGES: [&str; 6] = ["one", "two", "three", "four", "end", "end"];
    let scroll = |id: &str| calls(&[(id, "hands", r#"{"target":"scroll"}"#)]);
    let mut d = Driver::of(new_turn(), move |at, _| if at < 8 { scroll(&format!("c{at}")) } else { says("ok") });
    d.look = Box::new(look);
    let mut page = 0;
    d.tool = Box::new(move |_| {
        let shown = PAGES[page.min(PAGES.len() - 1)];
        page += 1;
        Ok(vec![Part::plain(shown)])
    });
    d.go();
    d.answer(Answer::AllowApp);
    let states: Vec<Option<DenialCode>> = d.calls().iter().map(|c| c.denial.as_ref().map(|d| d.code)).collect();
    let none = [None; 7];
    assert_eq!(states[..7], none, "pages differ, or were seen less than three times");
    assert_eq!(states[7], Some(DenialCode::Identical), "scrolled at the end twice already");
}
