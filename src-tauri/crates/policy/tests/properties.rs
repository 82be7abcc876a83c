// SPDX-License-Identifier: Apache-2.0
//! What holds of the gate whatever it is given. Seeded, so that a run repeats; `PROPTEST_CASES=100000` makes it longer.

mod cases;
mod rules;

use bailey_policy::{Agreement, Verdict};
use bailey_protocol::{Danger, DenialCode, Doubt, Labels, Mode, Reason, Source};
use cases::{Case, case, grant, past, plain};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngSeed, TestRunner};
use rules::{Outcome, RULES, Room, Says, Watch, arguments, has_seen, strictest, weigh};
use serde_json::{Value, json};

fn config() -> ProptestConfig {
    let base = ProptestConfig::default();
    ProptestConfig {
        cases: base.cases.max(2_048),
        rng_seed: RngSeed::Fixed(0x0BA1_1E70),
        failure_persistence: None,
        ..base
    }
}

/// How lax: a stricter input may lower it and never raise it.
fn laxity(outcome: &Outcome) -> u8 {
    match outcome {
        Outcome::Deny(_) => 0,
        Outcome::Confirm(_) => 1,
        Outcome::Allow(_) => 2,
    }
}

/// Every way in which a case can become stricter by the design; empty where it can't in that way.
fn stricter(case: &Case) -> Vec<(&'static str, Case)> {
    let mut out = Vec::new();
    let mut add = |name, change: &dyn Fn(&mut Case)| {
        let mut changed = case.clone();
        change(&mut changed);
        out.push((name, changed));
    };
    add("unknown", &|c| c.known = false);
    add("switched off", &|c| c.switched_on = false);
    add("invalid arguments", &|c| c.fits = false);
    add("one more outside label", &|c| c.labels.outside.push(Source::tool("added")));
    add("one more private label", &|c| c.labels.private.push(Source::tool("added")));
    add("both labels", &|c| {
        c.labels.join(&Labels { outside: vec![Source::tool("x")], private: vec![Source::tool("y")] })
    });
    for n in 0..case.grants.len() {
        add("a grant less", &|c| drop(c.grants.remove(n)));
        add("a grant ended", &|c| c.grants[n].expires = Some(c.now));
        add("a grant for another tool", &|c| c.grants[n].tool = "lamp2".into());
    }
    add("no grants", &|c| c.grants.clear());
    add("later", &|c| c.now = c.now.saturating_add(1));
    add("much later", &|c| c.now = i64::MAX);
    add("a round more spent", &|c| c.ledger.rounds = c.ledger.rounds.saturating_add(1));
    add("a call more spent", &|c| c.ledger.calls = c.ledger.calls.saturating_add(1));
    add("time spent", &|c| c.ledger.active_ms = c.ledger.active_ms.saturating_add(1 << 31));
    add("fewer rounds", &|c| c.budget.rounds = c.budget.rounds.saturating_sub(1));
    add("fewer calls", &|c| c.budget.calls = c.budget.calls.saturating_sub(1));
    add("less time", &|c| c.budget.active_ms = Some(c.budget.active_ms.map_or(u32::MAX, |limit| limit / 2)));
    add("a failure more", &|c| c.past.push(("lamp", "fresh", true)));
    add("another tool's failure", &|c| c.past.push(("fan", "fresh", true)));
    add("a last success that failed", &|c| {
        if let Some(last) = c.past.last_mut() {
            last.2 = true;
        }
    });
    add("the same call once more", &|c| c.past.push(("lamp", "this", false)));
    if case.facts.danger != Danger::High {
        add("High", &|c| c.facts.danger = Danger::High);
        add("at least Medium", &|c| c.facts.danger = Danger::Medium);
    }
    add("not internal", &|c| c.facts.internal = false);
    add("not read-only", &|c| c.facts.read_only = false);
    add("can carry data out", &|c| c.facts.egress = true);
    add("never unattended", &|c| c.facts.never_unattended = true);
    if case.watch == Watch::Listening {
        add("nobody listens", &|c| c.watch = Watch::Away);
    }
    // A grant given to the automation is meant to make its own runs laxer than the same run with a person who is
    // asked, so leaving the person out is stricter only without one.
    if !case.view().automation_granted {
        add("unattended", &|c| c.watch = Watch::Unattended);
    }
    add("in the mode Chat", &|c| c.mode = Mode::Chat);
    if case.mode == Mode::Max {
        add("in the mode Act", &|c| c.mode = Mode::Act);
        add("in the mode Chat+", &|c| c.mode = Mode::ChatPlus);
    }
    add("no agreement", &|c| c.agreement = None);
    if case.values.room == Room::Typed {
        add("the room is looked up", &|c| c.values.room = Room::LookedUp);
    }
    add("nobody said the room", &|c| c.values.room = Room::Unknown);
    add("nobody said the link", &|c| c.values.link = true);
    add("something private in the text", &|c| c.values.leaks = true);
    out
}

proptest! {
    #![proptest_config(config())]

    /// Each rule alone: a no is a no; a question is allowed only by an agreement that shows it.
    #[test]
    fn never_allow_where_any_rule_says_otherwise(case in case()) {
        let (view, outcome) = (case.view(), case.outcome());
        for (name, rule) in RULES {
            match rule(&view) {
                Says::Nothing => {}
                Says::No(_) => prop_assert!(matches!(outcome, Outcome::Deny(_)), "{name} says no, the gate {outcome:?}"),
                Says::Ask(reason) => if let Outcome::Allow(shown) = &outcome {
                    prop_assert!(has_seen(shown, &reason), "{name} asks, the gate allowed with {shown:?}");
                    prop_assert!(case.shown().is_some() && case.watch != Watch::Unattended, "{name} asks, nobody agreed");
                },
            }
        }
    }

    /// And all rules together, to the code and the reasons.
    #[test]
    fn the_strictest_rule_wins(case in case()) {
        prop_assert_eq!(case.outcome(), strictest(&weigh(&case.view()), case.watch, case.shown()));
    }

    #[test]
    fn a_stricter_input_never_gives_a_laxer_answer(case in case()) {
        let before = case.outcome();
        for (name, changed) in stricter(&case) {
            let after = changed.outcome();
            prop_assert!(laxity(&after) <= laxity(&before), "{}: {:?} became {:?}", name, before, after);
        }
    }

    /// Two changes at once, so that one can't hide what the other opens.
    #[test]
    fn nor_do_two_of_them(case in case(), first in any::<Index>(), second in any::<Index>()) {
        let once = first.get(&stricter(&case)).clone();
        let twice = second.get(&stricter(&once.1)).clone();
        prop_assert!(
            laxity(&twice.1.outcome()) <= laxity(&case.outcome()),
            "{} and {}: {:?} became {:?}", once.0, twice.0, case.outcome(), twice.1.outcome()
        );
    }

    #[test]
    fn an_approval_is_for_exactly_this(case in case()) {
        if let Verdict::Allow(approval) = case.verdict() {
            prop_assert_eq!(approval.run().as_str(), "run");
            prop_assert_eq!(approval.call().as_str(), "call");
            prop_assert_eq!(approval.tool(), "lamp");
            prop_assert_eq!(approval.tool_digest(), case.digest());
            prop_assert_eq!(approval.arguments(), &arguments());
            let asked = case.asked();
            let shown = if asked.is_empty() { &[][..] } else { case.shown().unwrap_or_default() };
            prop_assert_eq!(approval.reasons(), shown);
        }
    }

    /// A question is put only to a person who is there, and always says why.
    #[test]
    fn a_question_reaches_somebody(case in case()) {
        if let Verdict::Confirm(reasons) = case.verdict() {
            prop_assert!(!reasons.is_empty());
            prop_assert_eq!(case.watch, Watch::Listening);
        }
    }

    /// A yes to this call opens it; a yes to anything else leaves the question as it was.
    #[test]
    fn an_agreement_is_for_exactly_this(case in case(), at in any::<Index>()) {
        let asked = Case { agreement: None, ..case };
        let Outcome::Confirm(reasons) = asked.outcome() else { return Ok(()) };
        let exact = asked.yes_to(reasons.clone());
        let with = |agreement: Agreement| Case { agreement: Some(agreement), ..asked.clone() }.outcome();
        prop_assert_eq!(with(exact.clone()), Outcome::Allow(reasons.clone()));

        let mut fewer = reasons.clone();
        fewer.remove(at.index(fewer.len()));
        let replaced = reasons.iter().map(|r| match r {
            Reason::Mode { .. } => Reason::Mode { mode: Mode::Max },
            Reason::OutsideHigh { sources } => Reason::OutsideActs { sources: sources.clone(), doubts: Vec::new() },
            Reason::OutsideActs { sources, doubts } => {
                Reason::OutsideActs { sources: sources.clone(), doubts: doubts[1..].to_vec() }
            }
            Reason::PrivateMayLeave { sources, doubts } => {
                let doubts = doubts.iter().cloned().map(|d| Doubt { value: d.value + "4", ..d }).collect();
                Reason::PrivateMayLeave { sources: sources.clone(), doubts }
            }
            Reason::DriveApp { .. } | Reason::Touches { .. } => unreachable!("the lamp is not on a screen"),
        });
        let mut one_other = reasons.clone();
        let n = at.index(reasons.len());
        one_other[n] = replaced.clone().nth(n).expect("as many as reasons");
        let with_argument = |name: &str, value: Value| {
            let mut arguments = arguments();
            arguments[name] = value;
            arguments
        };
        let others = [
            Agreement { run: "run 2".into(), ..exact.clone() },
            Agreement { run: "".into(), ..exact.clone() },
            Agreement { call: "call 2".into(), ..exact.clone() },
            Agreement { tool_digest: String::new(), ..exact.clone() },
            Agreement { arguments: json!({ "room": "hallway" }), ..exact.clone() },
            Agreement { arguments: with_argument("on", json!("true")), ..exact.clone() },
            Agreement { arguments: with_argument("to", json!("x")), ..exact.clone() },
            Agreement { arguments: with_argument("room", json!("Hallway")), ..exact.clone() },
            Agreement { arguments: Value::Null, ..exact.clone() },
            Agreement { reasons: fewer, ..exact.clone() },
            Agreement { reasons: one_other, ..exact.clone() },
            Agreement { reasons: replaced.collect(), ..exact.clone() },
            Agreement { reasons: Vec::new(), ..exact.clone() },
        ];
        for other in others {
            let shown = format!("{other:?}");
            prop_assert_eq!(with(other), Outcome::Confirm(reasons.clone()), "{}", shown);
        }

        // More may have come in from outside meanwhile: it changes where the text is from, not what is asked about.
        let sources = || vec![Source::tool("another")];
        let grown: Vec<Reason> = reasons.iter().map(|r| match r.clone() {
            Reason::Mode { mode } => Reason::Mode { mode },
            Reason::OutsideHigh { .. } => Reason::OutsideHigh { sources: sources() },
            Reason::OutsideActs { doubts, .. } => Reason::OutsideActs { sources: sources(), doubts },
            Reason::PrivateMayLeave { doubts, .. } => Reason::PrivateMayLeave { sources: sources(), doubts },
            Reason::DriveApp { .. } | Reason::Touches { .. } => unreachable!("the lamp is not on a screen"),
        }).collect();
        prop_assert_eq!(with(Agreement { reasons: grown.clone(), ..exact }), Outcome::Allow(grown));
    }

    /// An agreement opens a question and nothing else: a no stays the same no.
    #[test]
    fn an_agreement_does_not_lift_a_no(case in case()) {
        let without = Case { agreement: None, ..case.clone() };
        let Outcome::Deny(code) = without.outcome() else { return Ok(()) };
        if code != DenialCode::NobodyToAsk {
            let with = Case { agreement: Some(case.yes_to(case.asked())), ..case };
            prop_assert_eq!(with.outcome(), Outcome::Deny(code));
        }
    }

    /// Whatever grants there are, steps 4 (tainted), 6, 7 and 8 say what they say without any.
    #[test]
    fn grants_answer_the_mode_and_nothing_else(case in case(), more in prop::collection::vec(grant(), 0..20)) {
        let bare = Case { grants: Vec::new(), agreement: None, ..case.clone() };
        let granted = Case { grants: [case.grants, more].concat(), agreement: None, ..bare.clone() };
        let beyond = |case: &Case| {
            let mut asked = case.asked();
            asked.retain(|r| !r.grantable());
            asked
        };
        let must_ask = beyond(&bare);
        match granted.outcome() {
            Outcome::Allow(_) => prop_assert!(must_ask.is_empty(), "granted away: {must_ask:?}"),
            Outcome::Confirm(mut asked) => {
                asked.retain(|r| !r.grantable());
                prop_assert_eq!(asked, must_ask);
            }
            Outcome::Deny(_) => prop_assert!(matches!(bare.outcome(), Outcome::Deny(_))),
        }
        let barred = granted.facts.danger == Danger::High || granted.facts.never_unattended;
        if granted.watch == Watch::Unattended && barred && granted.labels.is_tainted() {
            prop_assert!(matches!(granted.outcome(), Outcome::Deny(_)));
        }
    }

    /// The history, compared with counting over the plain list of calls.
    #[test]
    fn repetition_is_counted_right(past in past()) {
        let case = Case { past, ..plain() };
        let view = case.view();
        let expected = match (view.broken, view.repeats_sequence, view.third_identical) {
            (true, ..) => Outcome::Deny(DenialCode::Breaker),
            (_, true, _) => Outcome::Deny(DenialCode::Sequence),
            (_, _, true) => Outcome::Deny(DenialCode::Identical),
            _ => Outcome::Allow(Vec::new()),
        };
        prop_assert_eq!(case.outcome(), expected);
    }
}

/// The cases are of all kinds, else the properties above would say little.
#[test]
fn the_cases_are_of_all_kinds() {
    let mut runner = TestRunner::new(config());
    let mut allowed = [0; 2];
    let mut confirmed = [0; 4];
    let mut denied = std::collections::HashMap::<DenialCode, usize>::new();
    for _ in 0..10_000 {
        match case().new_tree(&mut runner).expect("a case").current().outcome() {
            Outcome::Allow(shown) => allowed[usize::from(!shown.is_empty())] += 1,
            Outcome::Confirm(reasons) => reasons.iter().for_each(|r| {
                confirmed[match r {
                    Reason::Mode { .. } => 0,
                    Reason::OutsideHigh { .. } => 1,
                    Reason::OutsideActs { .. } => 2,
                    Reason::PrivateMayLeave { .. } => 3,
                    Reason::DriveApp { .. } | Reason::Touches { .. } => unreachable!("the lamp is not on a screen"),
                }] += 1;
            }),
            Outcome::Deny(code) => *denied.entry(code).or_default() += 1,
        }
    }
    assert!(allowed.iter().all(|n| *n > 80), "{allowed:?}");
    assert!(confirmed.iter().all(|n| *n > 80), "{confirmed:?}");
    use DenialCode::*;
    for code in [
        UnknownTool,
        InvalidArguments,
        Budget,
        Breaker,
        Identical,
        Sequence,
        Unattended,
        DenialCode::Mode,
        SwitchedOff,
        NobodyToAsk,
    ] {
        assert!(denied.get(&code).is_some_and(|n| *n > 15), "{code:?}: {denied:?}");
    }
}
