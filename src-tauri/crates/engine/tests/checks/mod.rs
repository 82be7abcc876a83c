// SPDX-License-Identifier: Apache-2.0
//! What holds of arguments whatever a model writes; shared by a test and the fuzz target.

use bailey_engine::arguments::Checker;
use bailey_policy::{ToolFacts, ToolKind, ToolSpec};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Tools with the kinds of schemas that tools have.
fn checkers() -> &'static [Checker] {
    static CHECKERS: OnceLock<Vec<Checker>> = OnceLock::new();
    CHECKERS.get_or_init(|| {
        let schemas = [
            json!({"type": "object", "additionalProperties": false, "required": ["query"], "properties": {
                "query": {"type": "string", "minLength": 1, "maxLength": 400},
                "count": {"type": "integer", "minimum": 1, "maximum": 20, "default": 10},
                "time_range": {"type": "string", "enum": ["day", "week", "month", "year"]}}}),
            json!({"type": "object", "additionalProperties": false, "required": ["question"], "properties": {
                "question": {"type": "string"},
                "choices": {"type": "array", "minItems": 2, "maxItems": 5, "uniqueItems": true, "items": {"type": "string"}}}}),
            json!({"type": "object", "additionalProperties": false, "properties": {
                "latitude": {"type": "number", "minimum": -90, "maximum": 90}, "metric": {"type": "boolean"},
                "steps": {"type": "array", "items": {"type": "object", "properties": {"title": {"type": "string"}, "done": {"type": "boolean"}}, "required": ["title"]}}}}),
            json!({"type": "object"}),
        ];
        schemas.into_iter().map(|schema| Checker::new(&spec(schema)).expect("a schema that compiles")).collect()
    })
}

fn spec(schema: Value) -> ToolSpec {
    ToolSpec {
        name: "tool".into(),
        description: "A tool.".into(),
        schema,
        example: json!({}),
        facts: ToolFacts::LOW,
        arguments: BTreeMap::new(),
        kind: ToolKind::Run,
    }
}

/// What comes out fits: taken in again it is the same, and nothing is left to mend.
pub fn arguments(data: &[u8]) {
    let raw = String::from_utf8_lossy(data);
    for checker in checkers() {
        if let Ok(checked) = checker.check(&raw) {
            assert!(checked.arguments.is_object(), "{raw}");
            let again = checker.check(&checked.arguments.to_string());
            let again = again.unwrap_or_else(|error| panic!("{raw}: what was mended does not fit: {}", error.message));
            assert_eq!(again.arguments, checked.arguments, "{raw}");
            assert!(again.repairs.is_empty(), "{raw}: {:?}", again.repairs);
        }
    }
}
