// SPDX-License-Identifier: Apache-2.0
//! What the model reads when the gate says no: which tool, why, and what to do instead.

use bailey_policy::{
    Attendance, CallHistory, Definition, InvalidArguments, Question, Signature, ToolFacts, ToolKind, ToolSpec, Verdict,
    gate,
};
use bailey_protocol::{Budget, Danger, DenialCode, Labels, Ledger, Mode, Source};
use serde_json::json;
use std::collections::BTreeMap;

fn lamp(facts: ToolFacts) -> ToolSpec {
    let (schema, example) = (json!({ "type": "object" }), json!({ "on": true }));
    let (name, description) = ("lamp".into(), "Switches a lamp.".into());
    ToolSpec { name, description, schema, example, facts, arguments: BTreeMap::new(), kind: ToolKind::Run }
}

fn denial(change: impl FnOnce(&mut Question<'static>)) -> (DenialCode, String) {
    let spec = Box::leak(Box::new(lamp(ToolFacts { danger: Danger::High, ..ToolFacts::LOW })));
    let mut question = Question {
        run: Box::leak(Box::new("run".into())),
        conversation: Box::leak(Box::new("conversation".into())),
        call: Box::leak(Box::new("call".into())),
        tool_name: "lamp",
        tool: Some(Definition { spec, digest: "d" }),
        switched_on: true,
        arguments: Ok(Box::leak(Box::new(json!({})))),
        target: Ok(None),
        apps: Box::leak(Box::default()),
        signature: Signature::of("lamp", "{}"),
        mode: Mode::Max,
        attendance: Attendance::Attended { listening: true },
        labels: Box::leak(Box::default()),
        origins: Box::leak(Box::default()),
        grants: &[],
        budget: Budget { rounds: 4, calls: 6, active_ms: Some(600_000) },
        ledger: Ledger::default(),
        history: Box::leak(Box::default()),
        agreement: None,
        now: 0,
    };
    change(&mut question);
    match gate(&question) {
        Verdict::Deny(denial) => (denial.code, denial.message),
        other => panic!("expected a denial, got {other:?}"),
    }
}

fn past(calls: &[(&str, bool)]) -> &'static CallHistory {
    let mut history = CallHistory::default();
    for (arguments, failed) in calls {
        history.record("lamp", Signature::of("lamp", arguments), *failed);
    }
    Box::leak(Box::new(history))
}

#[test]
fn each_no_says_why_and_what_to_do() {
    let invalid: &'static InvalidArguments = Box::leak(Box::new(InvalidArguments {
        message: "/on is not a boolean".into(),
        example: json!({ "on": true }),
    }));
    let tainted: &'static Labels =
        Box::leak(Box::new(Labels { outside: vec![Source::tool("web_read")], private: Vec::new() }));
    let unattended = Attendance::Unattended { automation: "nightly" };
    let low = ToolFacts { read_only: true, ..ToolFacts::LOW };
    let harmless = Definition { spec: Box::leak(Box::new(lamp(low))), digest: "d" };
    type Change = Box<dyn FnOnce(&mut Question<'static>)>;
    let rows: Vec<(DenialCode, &[&str], Change)> = vec![
        (DenialCode::UnknownTool, &["\"lamb\"", "tools offered"], Box::new(|q| (q.tool_name, q.tool) = ("lamb", None))),
        (DenialCode::SwitchedOff, &["lamp", "Settings"], Box::new(|q| q.switched_on = false)),
        (
            DenialCode::InvalidArguments,
            &["/on is not", r#"{"on":true}"#],
            Box::new(move |q| q.arguments = Err(invalid)),
        ),
        (DenialCode::Budget, &["4 rounds", "answer now"], Box::new(|q| q.ledger.rounds = 4)),
        (DenialCode::Budget, &["6 tool calls", "answer now"], Box::new(|q| q.ledger.calls = 6)),
        (DenialCode::Budget, &["10 minutes", "answer now"], Box::new(|q| q.ledger.active_ms = 600_000)),
        (
            DenialCode::Budget,
            &["90 seconds", "answer now"],
            Box::new(|q| (q.budget.active_ms, q.ledger.active_ms) = (Some(90_000), 90_000)),
        ),
        (
            DenialCode::Breaker,
            &["lamp", "3 times", "another way"],
            Box::new(|q| q.history = past(&[("1", true), ("2", true), ("3", true)])),
        ),
        (
            DenialCode::Identical,
            &["lamp", "twice", "different"],
            Box::new(|q| q.history = past(&[("{}", false), ("{}", false)])),
        ),
        (
            DenialCode::Sequence,
            &["sequence", "different"],
            Box::new(|q| q.history = past(&[("a", false), ("{}", false), ("a", false), ("{}", false), ("a", false)])),
        ),
        (DenialCode::Unattended, &["lamp", "left for the person"], Box::new(move |q| q.attendance = unattended)),
        (
            DenialCode::Unattended,
            &["lamp", "confirmed", "left for the person"],
            Box::new(move |q| (q.attendance, q.tool, q.mode) = (unattended, Some(harmless), Mode::Act)),
        ),
        (DenialCode::Mode, &["lamp", "mode Chat,", "another mode"], Box::new(|q| q.mode = Mode::Chat)),
        (DenialCode::Mode, &["lamp", "mode Chat+", "Act or Max"], Box::new(|q| q.mode = Mode::ChatPlus)),
        (
            DenialCode::NobodyToAsk,
            &["lamp", "nobody is there", "what is left"],
            Box::new(move |q| (q.labels, q.attendance) = (tainted, Attendance::Attended { listening: false })),
        ),
    ];
    for (code, words, change) in rows {
        let (got, message) = denial(change);
        assert_eq!(got, code, "{message}");
        for word in words {
            assert!(message.contains(word), "{code:?} lacks {word:?}: {message}");
        }
    }
}
