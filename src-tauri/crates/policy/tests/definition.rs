// SPDX-License-Identifier: Apache-2.0
//! A definition's digest and a call's signature: what approvals and the history are bound to.

use bailey_policy::{ArgumentRole, Signature, ToolFacts, ToolKind, ToolSpec};
use bailey_protocol::Danger;
use serde_json::json;
use std::collections::{BTreeMap, HashSet};

#[test]
fn another_definition_has_another_digest() {
    let base = ToolSpec {
        name: "lamp".into(),
        description: "Switches a lamp.".into(),
        schema: json!({ "type": "object", "properties": { "on": { "type": "boolean" } } }),
        example: json!({ "on": true }),
        facts: ToolFacts::LOW,
        arguments: BTreeMap::from([("note".into(), ArgumentRole::Text)]),
        kind: ToolKind::Run,
    };
    let changes: [fn(&mut ToolSpec); 17] = [
        |_| {},
        |s| s.name = "lamp2".into(),
        |s| s.description.push(' '),
        |s| s.schema["properties"]["on"]["type"] = json!("string"),
        |s| s.example = json!({ "on": false }),
        |s| s.facts.danger = Danger::Medium,
        |s| s.facts.danger = Danger::High,
        |s| s.facts.internal = true,
        |s| s.facts.read_only = true,
        |s| s.facts.outside = true,
        |s| s.facts.private = true,
        |s| s.facts.egress = true,
        |s| s.facts.never_unattended = true,
        |s| s.arguments.extend([("on".into(), ArgumentRole::Text)]),
        |s| s.arguments.extend([("note".into(), ArgumentRole::Neutral)]),
        |s| s.arguments.clear(),
        |s| s.kind = ToolKind::Ask,
    ];
    let digests: HashSet<String> = changes
        .iter()
        .map(|change| {
            let mut spec = base.clone();
            change(&mut spec);
            spec.digest()
        })
        .collect();
    assert_eq!(digests.len(), changes.len());
    assert!(digests.contains(&base.digest()));
    assert!(digests.iter().all(|d| d.len() == 64 && d.bytes().all(|b| b.is_ascii_hexdigit())), "{digests:?}");
}

#[test]
fn a_tool_that_reads_changes_nothing() {
    assert!(ToolFacts::LOW.changes());
    assert!(!ToolFacts { read_only: true, ..ToolFacts::LOW }.changes());
}

#[test]
fn a_signature_is_of_tool_and_arguments() {
    let this = Signature::of("lamp", r#"{"on":true}"#);
    assert_eq!(this, Signature::of("lamp", r#"{"on":true}"#));
    let others = [
        Signature::of("lamp", r#"{"on":false}"#),
        Signature::of("fan", r#"{"on":true}"#),
        Signature::of("lam", r#"p{"on":true}"#),
        Signature::of("", r#"lamp{"on":true}"#),
        Signature::of("lamp", ""),
    ];
    assert_eq!(others.iter().collect::<HashSet<_>>().len(), others.len());
    assert!(!others.contains(&this));
}

#[test]
fn an_argument_that_is_not_listed_decides() {
    let spec = ToolSpec {
        name: "lamp".into(),
        description: String::new(),
        schema: json!({}),
        example: json!({}),
        facts: ToolFacts::LOW,
        arguments: BTreeMap::from([("note".into(), ArgumentRole::Text)]),
        kind: ToolKind::Run,
    };
    assert_eq!(spec.role("note"), Some(ArgumentRole::Text));
    assert_eq!(spec.role("Note"), None);
}
