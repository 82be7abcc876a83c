// SPDX-License-Identifier: Apache-2.0
//! The gate over the full cross product of its inputs, against the design's rules.
//!
//! The whole product has more than a hundred million rows, so it is cut where the design makes the cut. Steps 1 and 2 say
//! no without looking at grants or agreements. Grants answer the mode and the lack of a watcher, whatever the values are;
//! agreements answer what is asked, whoever asks. So `permissions` has every tool with every grant, `judgement` all that
//! can be asked with every agreement, and `obstacles` the budgets with the histories and each fault of step 1, with grants
//! and agreement either all absent or all in the call's favour. The two facts on a tool's output, which `permissions`
//! shows to decide nothing, are left out of the other two. No other combination of facts is, not even those that no tool
//! has (an internal High tool): the gate must not rest on tools being sensible.

mod rules;

use bailey_policy::{
    Agreement, Attendance, CallHistory, Definition, Grant, GrantScope, InvalidArguments, Question, Signature,
    ToolFacts, Verdict, gate,
};
use bailey_protocol::{
    ArgumentPattern, Budget, CallId, ConversationId, Danger, DenialCode, DoubtKind, Labels, Ledger, Mode, Reason,
    RunId, Source,
};
use rules::{Outcome, Values, View, Watch, arguments, lamp, strictest, weigh};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const NOW: i64 = 1_000_000;
const DIGEST: &str = "digest of lamp";
const BUDGET: Budget = Budget { rounds: 5, calls: 7, active_ms: Some(60_000) };
const WATCHES: [Watch; 3] = [Watch::Listening, Watch::Away, Watch::Unattended];

fn all_facts() -> Vec<ToolFacts> {
    let mut out = Vec::new();
    for danger in [Danger::Low, Danger::Medium, Danger::High] {
        for bits in 0..64u8 {
            let bit = |n: u8| bits & (1 << n) != 0;
            out.push(ToolFacts {
                danger,
                internal: bit(0),
                read_only: bit(1),
                outside: bit(2),
                private: bit(3),
                egress: bit(4),
                never_unattended: bit(5),
            });
        }
    }
    out
}

fn all_labels() -> [Labels; 4] {
    let page = || vec![Source { tool: "web_read".into(), detail: Some("example.org".into()) }, Source::tool("shared")];
    let contacts = || vec![Source::tool("search_contacts")];
    [
        Labels::none(),
        Labels { outside: page(), private: Vec::new() },
        Labels { outside: Vec::new(), private: contacts() },
        Labels { outside: page(), private: contacts() },
    ]
}

/// What grants mean is stated by hand, not computed: does one answer the mode's question in a run a person started,
/// and does the automation `nightly` carry one for exactly this tool (which answers both step 4 and step 5)?
struct Grants {
    name: &'static str,
    list: Vec<Grant>,
    attended: bool,
    unattended: bool,
}

fn all_grants() -> Vec<Grants> {
    let run = || GrantScope::Run("run".into());
    let conversation = || GrantScope::Conversation("conversation".into());
    fn automation() -> GrantScope {
        GrantScope::Automation("nightly".into())
    }
    let row = |name, tool: &str, scope, expires, attended, unattended| Grants {
        name,
        list: vec![Grant { id: "g".into(), tool: tool.into(), scope, arguments: Vec::new(), expires }],
        attended,
        unattended,
    };
    let only = |name, scope: fn() -> GrantScope, patterns: &[(&str, &str)], fits| Grants {
        name,
        list: vec![Grant {
            id: "g".into(),
            tool: "lamp".into(),
            scope: scope(),
            arguments: patterns
                .iter()
                .map(|(argument, pattern)| ArgumentPattern { argument: (*argument).into(), pattern: (*pattern).into() })
                .collect(),
            expires: None,
        }],
        attended: fits && scope() == GrantScope::Always,
        unattended: fits && scope() != GrantScope::Always,
    };
    fn always() -> GrantScope {
        GrantScope::Always
    }
    let nightly = automation;
    let mut out = vec![
        Grants { name: "none", list: Vec::new(), attended: false, unattended: false },
        row("run", "lamp", run(), None, true, false),
        row("other run", "lamp", GrantScope::Run("run 2".into()), None, false, false),
        row("conversation", "lamp", conversation(), None, true, false),
        row("other conversation", "lamp", GrantScope::Conversation("run".into()), None, false, false),
        row("always", "lamp", GrantScope::Always, None, true, false),
        row("always, other tool", "lamp2", GrantScope::Always, None, false, false),
        row("always, other case", "Lamp", GrantScope::Always, None, false, false),
        row("ends a moment later", "lamp", run(), Some(NOW + 1), true, false),
        row("ended now", "lamp", run(), Some(NOW), false, false),
        row("ended long ago", "lamp", GrantScope::Always, Some(1), false, false),
        row("* in the run", "*", run(), None, true, false),
        row("* in another run", "*", GrantScope::Run("run 2".into()), None, false, false),
        row("* in the run, ended", "*", run(), Some(NOW), false, false),
        row("* in the conversation", "*", conversation(), None, false, false),
        row("* always", "*", GrantScope::Always, None, false, false),
        row("automation", "lamp", automation(), None, false, true),
        row("automation, still", "lamp", automation(), Some(NOW + 1), false, true),
        row("automation, ended", "lamp", automation(), Some(NOW), false, false),
        row("automation, other tool", "lamp2", automation(), None, false, false),
        row("other automation", "lamp", GrantScope::Automation("weekly".into()), None, false, false),
        row("* for the automation", "*", automation(), None, false, false),
        only("that room", always, &[("room", "hallway")], true),
        only("such rooms", always, &[("room", "hall*"), ("on", "true")], true),
        only("such rooms for the automation", nightly, &[("room", "*way")], true),
        only("a piece of the room", always, &[("room", "hall")], false),
        only("a question mark is a letter", always, &[("room", "hallwa?")], false),
        only("another room for the automation", nightly, &[("room", "kitchen")], false),
        only("only one of two fits", always, &[("room", "*"), ("on", "false")], false),
        only("an argument that is not there", always, &[("floor", "*")], false),
        only("an empty pattern", always, &[("room", "")], false),
    ];
    // Every single grant together, and the right ones behind wrong ones.
    let everything = out.iter().flat_map(|g| g.list.clone()).collect();
    out.push(Grants { name: "all of these", list: everything, attended: true, unattended: true });
    out
}

/// What a person may have agreed to, made from the reasons the design gives; `Some` where it is a yes to this call.
const AGREEMENTS: [&str; 15] = [
    "none",
    "exact",
    "more reasons",
    "keys in another order",
    "other call",
    "other run",
    "other arguments",
    "other definition",
    "all reasons but the first",
    "all reasons but the last",
    "other sources",
    "another value",
    "another argument",
    "another kind of doubt",
    "one doubt less",
];

struct Agreed {
    agreement: Option<Agreement>,
    /// The reasons shown, when it was this call that they were shown for.
    shown: Option<Vec<Reason>>,
}

static NO_APPS: BTreeSet<String> = BTreeSet::new();

fn agreed(kind: &str, asked: &[Reason], arguments: &Value) -> Agreed {
    let mut a = Agreement {
        run: "run".into(),
        call: "call".into(),
        tool_digest: DIGEST.into(),
        arguments: arguments.clone(),
        target: None,
        reasons: asked.to_vec(),
    };
    let mut same_call = true;
    match kind {
        "none" => return Agreed { agreement: None, shown: None },
        "exact" => {}
        "more reasons" => a.reasons.insert(0, Reason::Mode { mode: Mode::Chat }),
        "keys in another order" => {
            a.arguments = json!({ "note": "see evil.example (HGK137803)", "room": "hallway", "on": true })
        }
        "other call" => (a.call, same_call) = ("call 2".into(), false),
        "other run" => (a.run, same_call) = ("run 2".into(), false),
        "other arguments" => {
            (a.arguments, same_call) =
                (json!({ "on": true, "room": "hallways", "note": "see evil.example (HGK137803)" }), false)
        }
        "other definition" => (a.tool_digest, same_call) = ("digest of another lamp".into(), false),
        "all reasons but the first" => drop(a.reasons.drain(..asked.len().min(1))),
        "all reasons but the last" => drop(a.reasons.pop()),
        "other sources" => {
            for reason in &mut a.reasons {
                match reason {
                    Reason::Mode { .. } | Reason::DriveApp { .. } | Reason::Touches { .. } => {}
                    Reason::OutsideHigh { sources }
                    | Reason::OutsideActs { sources, .. }
                    | Reason::PrivateMayLeave { sources, .. } => *sources = vec![Source::tool("another")],
                }
            }
        }
        _ => {
            for reason in &mut a.reasons {
                let (Reason::OutsideActs { doubts, .. } | Reason::PrivateMayLeave { doubts, .. }) = reason else {
                    continue;
                };
                match kind {
                    "another value" => doubts[0].value.push('s'),
                    "another argument" => doubts[0].path.push('s'),
                    "another kind of doubt" if doubts[0].kind == DoubtKind::Private => doubts[0].kind = DoubtKind::Link,
                    "another kind of doubt" => doubts[0].kind = DoubtKind::Private,
                    "one doubt less" => drop(doubts.pop()),
                    _ => unreachable!("{kind}"),
                }
            }
        }
    }
    Agreed { shown: same_call.then(|| a.reasons.clone()), agreement: Some(a) }
}

struct Ground {
    run: RunId,
    conversation: ConversationId,
    call: CallId,
    arguments: Value,
    history: CallHistory,
    signature: Signature,
}

impl Ground {
    fn new() -> Self {
        Self {
            run: "run".into(),
            conversation: "conversation".into(),
            call: "call".into(),
            arguments: arguments(),
            history: CallHistory::default(),
            signature: Signature::of("lamp", "this"),
        }
    }

    /// A call that passes steps 1 and 2.
    fn question<'a>(
        &'a self,
        tool: Definition<'a>,
        mode: Mode,
        watch: Watch,
        labels: &'a Labels,
        values: Values,
    ) -> (Question<'a>, View<'a>) {
        let question = Question {
            run: &self.run,
            conversation: &self.conversation,
            call: &self.call,
            tool_name: "lamp",
            tool: Some(tool),
            switched_on: true,
            arguments: Ok(&self.arguments),
            target: Ok(None),
            apps: &NO_APPS,
            signature: self.signature,
            mode,
            attendance: match watch {
                Watch::Listening => Attendance::Attended { listening: true },
                Watch::Away => Attendance::Attended { listening: false },
                Watch::Unattended => Attendance::Unattended { automation: "nightly" },
            },
            labels,
            origins: values.origins(),
            grants: &[],
            budget: BUDGET,
            ledger: Ledger { rounds: 4, calls: 6, active_ms: 59_999, cost: 0 },
            history: &self.history,
            agreement: None,
            now: NOW,
        };
        let view = View {
            known: true,
            switched_on: true,
            fits: true,
            rounds_left: true,
            calls_left: true,
            time_left: true,
            broken: false,
            repeats_sequence: false,
            third_identical: false,
            facts: tool.spec.facts,
            mode,
            watch,
            outside: &labels.outside,
            values,
            automation_granted: false,
            mode_answered: false,
        };
        (question, view)
    }
}

/// Compares verdict kind, denial code and reasons, and looks through the approval.
fn check(question: &Question<'_>, expected: &Outcome, row: impl Fn() -> String) {
    let verdict = gate(question);
    let got = Outcome::of(&verdict);
    assert!(got == *expected, "{}\n expected {expected:?}\n      got {got:?}", row());
    match verdict {
        Verdict::Allow(approval) => {
            assert_eq!(approval.run(), question.run);
            assert_eq!(approval.call(), question.call);
            assert_eq!((approval.tool(), approval.tool_digest()), ("lamp", DIGEST));
            assert_eq!(Some(approval.arguments()), question.arguments.ok());
        }
        Verdict::Confirm(reasons) => assert!(!reasons.is_empty(), "{}", row()),
        Verdict::Deny(denial) => assert!(!denial.message.is_empty(), "{}", row()),
    }
}

#[derive(Debug, Default)]
struct Tally {
    rows: usize,
    allow: usize,
    confirm: usize,
    deny: usize,
}

impl Tally {
    fn add(&mut self, outcome: &Outcome) {
        self.rows += 1;
        match outcome {
            Outcome::Allow(_) => self.allow += 1,
            Outcome::Confirm(_) => self.confirm += 1,
            Outcome::Deny(_) => self.deny += 1,
        }
    }
}

fn telling_facts() -> Vec<ToolFacts> {
    all_facts().into_iter().filter(|f| !f.outside && !f.private).collect()
}

#[test]
fn permissions() {
    let ground = Ground::new();
    let (labels, grants) = (all_labels(), all_grants());
    let values = Values { room: rules::Room::Unknown, link: true, leaks: true };
    let mut tally = Tally::default();
    for facts in all_facts() {
        let spec = lamp(facts);
        let tool = Definition { spec: &spec, digest: DIGEST };
        for (mode, watch, labels) in product3(&Mode::ALL, &WATCHES, &labels) {
            for g in &grants {
                let values = if g.name == "none" { values } else { Values::FINE };
                let (mut question, mut view) = ground.question(tool, *mode, *watch, labels, values);
                question.grants = &g.list;
                view.automation_granted = g.unattended;
                view.mode_answered = if *watch == Watch::Unattended { g.unattended } else { g.attended };
                let expected = strictest(&weigh(&view), *watch, None);
                check(&question, &expected, || format!("{view:?}, grants: {}", g.name));
                // Only what the mode could allow is listed in a request.
                if *watch != Watch::Unattended {
                    assert_eq!(facts.possible_in(*mode), expected != Outcome::Deny(DenialCode::Mode));
                }
                tally.add(&expected);
            }
        }
    }
    assert_eq!(tally.rows, 192 * 4 * 3 * 4 * 32);
    assert!(tally.allow > 50_000 && tally.confirm > 10_000 && tally.deny > 50_000, "{tally:?}");
}

#[test]
fn judgement() {
    let ground = Ground::new();
    let (labels, grants) = (all_labels(), all_grants().pop().map(|g| g.list).unwrap_or_default());
    let mut tally = Tally::default();
    for facts in telling_facts() {
        let spec = lamp(facts);
        let tool = Definition { spec: &spec, digest: DIGEST };
        for (mode, watch, labels) in product3(&Mode::ALL, &WATCHES, &labels) {
            for values in Values::all() {
                for granted in [false, true] {
                    let (mut question, mut view) = ground.question(tool, *mode, *watch, labels, values);
                    if granted {
                        question.grants = &grants;
                        (view.automation_granted, view.mode_answered) = (true, true);
                    }
                    let weighed = weigh(&view);
                    // What is not asked, or is a no anyway, need not be agreed to in every way.
                    let few = granted || weighed.0.is_some() || weighed.1.is_empty();
                    let agreements = if few { &AGREEMENTS[..2] } else { &AGREEMENTS[..] };
                    for kind in agreements {
                        let agreed = agreed(kind, &weighed.1, &ground.arguments);
                        let question = Question { agreement: agreed.agreement.as_ref(), ..question };
                        let expected = strictest(&weighed, *watch, agreed.shown.as_deref());
                        check(&question, &expected, || format!("{view:?}, granted: {granted}, agreement: {kind}"));
                        tally.add(&expected);
                    }
                }
            }
        }
    }
    assert_eq!(tally.rows, 219_688);
    assert!(tally.allow > 20_000 && tally.confirm > 20_000 && tally.deny > 20_000, "{tally:?}");
}

/// Histories by what they mean for `call` number zero.
struct Past {
    name: &'static str,
    history: CallHistory,
    broken: bool,
    repeats_sequence: bool,
    third_identical: bool,
}

fn all_pasts(this: Signature) -> Vec<Past> {
    let other = Signature::of("fan", "{}");
    let fresh = |n: usize| Signature::of("lamp", &n.to_string());
    let past = |name, calls: &[(&str, Signature, bool)], broken, repeats_sequence, third_identical| {
        let mut history = CallHistory::default();
        for (tool, signature, failed) in calls {
            history.record(tool, *signature, *failed);
        }
        Past { name, history, broken, repeats_sequence, third_identical }
    };
    let failures = [("lamp", fresh(1), true), ("fan", other, true), ("lamp", fresh(2), true), ("lamp", fresh(3), true)];
    let sequence = [("fan", other, false), ("lamp", this, false)].repeat(2);
    let sequence = [&sequence[..], &[("fan", other, false)]].concat();
    let failing_sequence: Vec<_> = sequence.iter().map(|(t, s, _)| (*t, *s, true)).collect();
    vec![
        past("none", &[], false, false, false),
        past("two failures", &failures[..3], false, false, false),
        past("three failures", &failures, true, false, false),
        past("third success", &[&failures[..3], &[("lamp", fresh(3), false)]].concat(), false, false, false),
        past("others failed", &[("fan", other, true); 4], false, false, false),
        past("once before", &[("lamp", this, false)], false, false, false),
        past("twice before", &[("lamp", this, false), ("lamp", this, true)], false, false, true),
        past("sequence to come", &sequence[1..4], false, false, true),
        past("sequence", &sequence, false, true, true),
        past("sequence with failures", &[&failures[..3], &failing_sequence[..]].concat(), true, true, true),
    ]
}

#[test]
fn obstacles() {
    let ground = Ground::new();
    let facts = telling_facts();
    let values = Values { room: rules::Room::Unknown, link: true, leaks: true };
    let (labels, pasts) = (all_labels(), all_pasts(ground.signature));
    let grants = all_grants().pop().map(|g| g.list).unwrap_or_default();
    let invalid = InvalidArguments { message: "/on is missing".into(), example: json!({ "on": true }) };
    // Rounds, calls and time: left, just spent, overspent or lowered under what is spent, or unlimited.
    let fine = Ledger { rounds: 4, calls: 6, active_ms: 59_999, cost: 0 };
    let untimed = Budget { active_ms: None, ..BUDGET };
    let lowered = Budget { rounds: 0, calls: 0, active_ms: Some(0) };
    let budgets = [
        ("fine", BUDGET, fine, [true, true, true]),
        ("untimed", untimed, Ledger { active_ms: u64::MAX, ..fine }, [true, true, true]),
        ("rounds spent", BUDGET, Ledger { rounds: 5, ..fine }, [false, true, true]),
        ("calls spent", BUDGET, Ledger { calls: 7, ..fine }, [true, false, true]),
        ("time spent", BUDGET, Ledger { active_ms: 60_000, ..fine }, [true, true, false]),
        ("time overspent", BUDGET, Ledger { active_ms: 1 << 32, ..fine }, [true, true, false]),
        ("nothing given", lowered, Ledger::default(), [false, false, false]),
    ];
    let mut tally = Tally::default();
    for facts in facts {
        let spec = lamp(facts);
        let tool = Definition { spec: &spec, digest: DIGEST };
        for (mode, watch, labels) in product3(&Mode::ALL, &WATCHES, &labels) {
            for (step1, budget, past) in product3(&["fine", "unknown", "off", "invalid"], &budgets, &pasts) {
                if *step1 != "fine" && budget.0 != "fine" && past.name != "none" {
                    continue;
                }
                for favoured in [false, true] {
                    let (mut question, mut view) = ground.question(tool, *mode, *watch, labels, values);
                    match *step1 {
                        "unknown" => (question.tool, view.known) = (None, false),
                        "off" => (question.switched_on, view.switched_on) = (false, false),
                        "invalid" => (question.arguments, view.fits) = (Err(&invalid), false),
                        _ => {}
                    }
                    (question.budget, question.ledger) = (budget.1, budget.2);
                    [view.rounds_left, view.calls_left, view.time_left] = budget.3;
                    question.history = &past.history;
                    (view.broken, view.repeats_sequence) = (past.broken, past.repeats_sequence);
                    view.third_identical = past.third_identical;
                    let mut yes = Agreed { agreement: None, shown: None };
                    if favoured {
                        question.grants = &grants;
                        (view.automation_granted, view.mode_answered) = (true, true);
                        yes = agreed("exact", &weigh(&view).1, &ground.arguments);
                        question.agreement = yes.agreement.as_ref();
                    }
                    let expected = strictest(&weigh(&view), *watch, yes.shown.as_deref());
                    check(&question, &expected, || format!("{view:?}, {step1}, {}, {}", budget.0, past.name));
                    tally.add(&expected);
                }
            }
        }
    }
    assert_eq!(tally.rows, 48 * 4 * 3 * 4 * (7 * 10 + 3 * (7 + 10 - 1)) * 2);
    assert!(tally.allow > 3_000 && tally.confirm > 3_000 && tally.deny > 100_000, "{tally:?}");
}

fn product3<'a, A, B, C>(a: &'a [A], b: &'a [B], c: &'a [C]) -> impl Iterator<Item = (&'a A, &'a B, &'a C)> {
    a.iter().flat_map(move |a| b.iter().flat_map(move |b| c.iter().map(move |c| (a, b, c))))
}
