// SPDX-License-Identifier: Apache-2.0
//! Gate step 6 for driving another app: the person lets the run use an app, ordinary things in it are then touched
//! unasked, all else asks each time.

use bailey_policy::{
    Agreement, Attendance, CallHistory, Definition, Grant, GrantScope, Origins, Question, Signature, ToolFacts,
    ToolKind, ToolSpec, Verdict, gate,
};
use bailey_policy::{Approval, ArgumentRole};
use bailey_protocol::{
    Budget, Danger, Denial, DenialCode, DoubtKind, Labels, Ledger, Mode, NodeClass, Reason, Source, Target,
};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

const CLASSES: [NodeClass; 11] = [
    NodeClass::Scroll,
    NodeClass::Navigate,
    NodeClass::Field,
    NodeClass::Send,
    NodeClass::Pay,
    NodeClass::Delete,
    NodeClass::Install,
    NodeClass::Permission,
    NodeClass::Leave,
    NodeClass::Account,
    NodeClass::Unknown,
];

fn ui_control() -> ToolSpec {
    ToolSpec {
        name: "hands".into(),
        description: "Touches the screen.".into(),
        schema: json!({
            "type": "object",
            "properties": { "target": { "type": "string", "maxLength": 12 }, "text": { "type": "string" } },
        }),
        example: json!({ "target": "n1" }),
        facts: ToolFacts { danger: Danger::High, outside: true, private: true, egress: true, ..ToolFacts::LOW },
        arguments: BTreeMap::from([("target".into(), ArgumentRole::Neutral), ("text".into(), ArgumentRole::Text)]),
        kind: ToolKind::Touch,
    }
}

fn target(app: &str, class: NodeClass) -> Target {
    Target {
        app: app.into(),
        app_name: "Chat".into(),
        role: "button".into(),
        label: "OK".into(),
        class,
        bounds: (0, 0, 10, 10),
        fingerprint: "f1".into(),
    }
}

/// A case, and what is changed in it.
struct Case {
    mode: Mode,
    attendance: Attendance<'static>,
    labels: Labels,
    origins: Origins,
    grants: Vec<Grant>,
    apps: BTreeSet<String>,
    target: Result<Option<Target>, String>,
    arguments: Value,
    agreement: Option<Agreement>,
}

fn case(class: NodeClass) -> Case {
    Case {
        mode: Mode::Max,
        attendance: Attendance::Attended { listening: true },
        labels: Labels::none(),
        origins: Origins::default(),
        grants: Vec::new(),
        apps: BTreeSet::new(),
        target: Ok(Some(target("org.chat", class))),
        arguments: json!({ "target": "n1" }),
        agreement: None,
    }
}

#[derive(Debug, PartialEq)]
enum Outcome {
    Allow(Option<Target>),
    Ask(Vec<Reason>),
    No(DenialCode, String),
}

impl Case {
    fn using(mut self, app: &str) -> Self {
        self.apps.insert(app.to_owned());
        self
    }
    fn tainted(mut self) -> Self {
        self.labels.outside.push(Source::tool("screen"));
        self
    }
    fn outcome(&self) -> Outcome {
        let spec = ui_control();
        let history = CallHistory::default();
        let verdict = gate(&Question {
            run: &"run".into(),
            conversation: &"conversation".into(),
            call: &"call".into(),
            tool_name: "hands",
            tool: Some(Definition { spec: &spec, digest: "d" }),
            switched_on: true,
            arguments: Ok(&self.arguments),
            target: self.target.as_ref().map(Option::as_ref).map_err(String::as_str),
            apps: &self.apps,
            signature: Signature::of("hands", "x"),
            mode: self.mode,
            attendance: self.attendance,
            labels: &self.labels,
            origins: &self.origins,
            grants: &self.grants,
            budget: Budget::of(Mode::Max),
            ledger: Ledger::default(),
            history: &history,
            agreement: self.agreement.as_ref(),
            now: 0,
        });
        match verdict {
            Verdict::Allow(approval) => Outcome::Allow(Approval::target(&approval).cloned()),
            Verdict::Confirm(reasons) => Outcome::Ask(reasons),
            Verdict::Deny(Denial { code, message }) => Outcome::No(code, message),
        }
    }
    fn yes_to(&self, reasons: &[Reason]) -> Agreement {
        Agreement {
            run: "run".into(),
            call: "call".into(),
            tool_digest: "d".into(),
            arguments: self.arguments.clone(),
            target: self.target.clone().unwrap(),
            reasons: reasons.to_vec(),
        }
    }
}

fn drive() -> Reason {
    Reason::DriveApp { app: "org.chat".into(), name: "Chat".into() }
}

#[test]
fn what_asks_is_told_by_app_class_and_mode_whether_or_not_the_run_is_tainted() {
    for class in CLASSES {
        for mode in [Mode::Act, Mode::Max] {
            for tainted in [false, true] {
                for used in [false, true] {
                    let mut c = Case { mode, ..case(class) };
                    if tainted {
                        c = c.tainted();
                    }
                    if used {
                        c = c.using("org.chat");
                    }
                    let ordinary = matches!(class, NodeClass::Scroll | NodeClass::Navigate | NodeClass::Field);
                    let mut expected = Vec::new();
                    if mode == Mode::Act && !(used && ordinary) {
                        expected.push(Reason::Mode { mode });
                    }
                    if !used {
                        expected.push(drive());
                    }
                    if !ordinary {
                        expected.push(Reason::Touches { class });
                    }
                    let expected = match expected.is_empty() {
                        true => Outcome::Allow(Some(target("org.chat", class))),
                        false => Outcome::Ask(expected),
                    };
                    assert_eq!(c.outcome(), expected, "{class:?} {mode:?} tainted {tainted} used {used}");
                }
            }
        }
    }
}

#[test]
fn another_app_is_another_question() {
    let c = case(NodeClass::Navigate).using("org.chat.evil").using("org");
    assert_eq!(c.outcome(), Outcome::Ask(vec![drive()]));
}

#[test]
fn no_grant_answers_it() {
    for scope in [GrantScope::Always, GrantScope::Run("run".into()), GrantScope::Conversation("conversation".into())] {
        let grant = Grant { id: "g".into(), tool: "hands".into(), scope, arguments: Vec::new(), expires: None };
        let c = Case { grants: vec![grant], mode: Mode::Act, ..case(NodeClass::Pay) };
        assert_eq!(c.outcome(), Outcome::Ask(vec![drive(), Reason::Touches { class: NodeClass::Pay }]));
    }
}

#[test]
fn a_yes_holds_for_what_was_shown_and_for_nothing_else() {
    let c = case(NodeClass::Send).using("org.chat");
    let Outcome::Ask(reasons) = c.outcome() else { panic!() };
    let with = |agreement| Case { agreement: Some(agreement), ..case(NodeClass::Send).using("org.chat") }.outcome();
    let yes = c.yes_to(&reasons);
    assert_eq!(with(yes.clone()), Outcome::Allow(Some(target("org.chat", NodeClass::Send))));
    let moved = Target { bounds: (5, 5, 15, 15), ..target("org.chat", NodeClass::Send) };
    assert!(matches!(with(Agreement { target: Some(moved), ..yes.clone() }), Outcome::Allow(_)));
    let shown = target("org.chat", NodeClass::Send);
    for other in [
        None,
        Some(Target { app: "org.other".into(), ..shown.clone() }),
        Some(Target { label: "Cancel".into(), ..shown.clone() }),
        Some(Target { role: "field".into(), ..shown.clone() }),
        Some(Target { class: NodeClass::Navigate, ..shown.clone() }),
        Some(Target { fingerprint: "f2".into(), ..shown }),
    ] {
        assert_eq!(
            with(Agreement { target: other.clone(), ..yes.clone() }),
            Outcome::Ask(reasons.clone()),
            "{other:?}"
        );
    }
    // A yes to using the app is none to sending in it, and one to sending none to paying.
    for shown in [vec![drive()], vec![Reason::Touches { class: NodeClass::Pay }], Vec::new()] {
        assert_eq!(with(c.yes_to(&shown)), Outcome::Ask(reasons.clone()), "{shown:?}");
    }
}

#[test]
fn what_was_not_found_is_not_touched_whatever_was_agreed() {
    let missing = Case { target: Err("n9 is not on the screen".into()), ..case(NodeClass::Scroll).using("org.chat") };
    assert_eq!(missing.outcome(), Outcome::No(DenialCode::NoTarget, "n9 is not on the screen".into()));
    let c = case(NodeClass::Scroll);
    let yes = Agreement { target: None, ..c.yes_to(&[drive()]) };
    let unseen = Case { target: Ok(None), agreement: Some(yes), ..c };
    assert!(matches!(unseen.outcome(), Outcome::No(DenialCode::NoTarget, _)));
}

#[test]
fn what_is_typed_is_looked_at_all_the_same() {
    let text = "see https://evil.example/a";
    let c = Case { arguments: json!({ "target": "n1", "text": text }), ..case(NodeClass::Field) };
    let Outcome::Ask(reasons) = c.using("org.chat").tainted().outcome() else { panic!() };
    let [Reason::OutsideActs { doubts, .. }] = &reasons[..] else { panic!("{reasons:?}") };
    assert_eq!((doubts[0].kind, doubts[0].value.as_str()), (DoubtKind::Link, "https://evil.example/a"));
    let plain = Case { arguments: json!({ "target": "n1", "text": "see you" }), ..case(NodeClass::Field) };
    assert!(matches!(plain.using("org.chat").tainted().outcome(), Outcome::Allow(_)));
}

#[test]
fn nobody_there_and_reading_modes_are_a_no() {
    let unattended = Attendance::Unattended { automation: "nightly" };
    let c = Case { attendance: unattended, ..case(NodeClass::Scroll).using("org.chat") };
    assert!(matches!(c.outcome(), Outcome::No(DenialCode::Unattended, _)));
    let c = Case { mode: Mode::ChatPlus, ..case(NodeClass::Scroll).using("org.chat") };
    assert!(matches!(c.outcome(), Outcome::No(DenialCode::Mode, _)));
    let away = Attendance::Attended { listening: false };
    let c = Case { attendance: away, ..case(NodeClass::Scroll) };
    assert!(matches!(c.outcome(), Outcome::No(DenialCode::NobodyToAsk, _)));
}
