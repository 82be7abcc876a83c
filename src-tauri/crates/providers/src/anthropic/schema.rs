// SPDX-License-Identifier: Apache-2.0
//! Tools' schemas as this provider takes them: what every provider takes, valid by draft 2020-12, and with names of
//! arguments that have only certain characters.

use crate::schema::function_parameters;
use serde_json::{Map, Value};

/// The longest name of an argument, in bytes.
const LONGEST_NAME: usize = 64;
/// A checker's words are kept up to this many characters.
const MOST_WORDS: usize = 200;

/// A tool's schema as it is sent.
///
/// Errors: why there is none, for a person.
pub(super) fn translate(schema: &Value) -> Result<Value, String> {
    let mut schema = function_parameters(schema)?;
    if let Value::Object(top) = &mut schema {
        // Said of another draft it would be judged by, and what it says is of ours by now.
        top.shift_remove("$schema");
        bound(top);
    }
    let names = schema.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::keys);
    if let Some(name) = names.into_iter().find(|name| !fits(name)) {
        return Err(format!(
            "it has an argument named “{name}”, and this provider takes only letters, digits, “_”, “.” and “-” there, {LONGEST_NAME} at most"
        ));
    }
    let checked = jsonschema::draft202012::meta::validate(&schema).map_err(|problem| {
        let words: String = problem.to_string().chars().take(MOST_WORDS).collect();
        format!("its schema is malformed at {}: {words}", problem.instance_path())
    });
    checked.map(|()| schema)
}

fn fits(name: &str) -> bool {
    (1..=LONGEST_NAME).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-'))
}

/// Writes exclusive bounds as numbers; draft 4 had them as a mark on the inclusive ones. The schema's depth is bounded.
fn bound(schema: &mut Map<String, Value>) {
    for (exclusive, limit) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
        let Some(Value::Bool(is_exclusive)) = schema.get(exclusive) else { continue };
        let is_exclusive = *is_exclusive;
        schema.shift_remove(exclusive);
        if is_exclusive && let Some(number) = schema.shift_remove(limit) {
            schema.insert(exclusive.to_owned(), number);
        }
    }
    for (key, value) in schema {
        match (key.as_str(), value) {
            ("const" | "enum" | "default" | "examples", _) => {}
            (
                "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas",
                Value::Object(named),
            ) => {
                named.values_mut().filter_map(Value::as_object_mut).for_each(bound);
            }
            (_, Value::Object(inner)) => bound(inner),
            (_, Value::Array(list)) => list.iter_mut().filter_map(Value::as_object_mut).for_each(bound),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn a_schema_becomes_one_that_is_taken() {
        let object = |properties: Value| json!({ "type": "object", "properties": properties });
        for (schema, expected) in [
            (json!(null), object(json!({}))),
            (object(json!({"a.b-c_1": {"type": "string"}})), object(json!({"a.b-c_1": {"type": "string"}}))),
            (
                json!({"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"a": {"$ref": "#/definitions/x"}}, "definitions": {"x": {"minimum": 1, "exclusiveMinimum": true}}}),
                json!({"properties": {"a": {"$ref": "#/definitions/x"}}, "definitions": {"x": {"exclusiveMinimum": 1}}, "type": "object"}),
            ),
            (
                object(
                    json!({"a": {"items": {"maximum": 9, "exclusiveMaximum": false}}, "exclusiveMaximum": {"type": "number"}}),
                ),
                object(json!({"a": {"items": {"maximum": 9}}, "exclusiveMaximum": {"type": "number"}})),
            ),
            (
                object(json!({"a": {"anyOf": [{"type": "string"}, {"const": {"exclusiveMinimum": true}}]}})),
                object(json!({"a": {"anyOf": [{"type": "string"}, {"const": {"exclusiveMinimum": true}}]}})),
            ),
        ] {
            assert_eq!(translate(&schema), Ok(expected), "{schema}");
        }
    }

    #[test]
    fn what_would_be_refused_says_why() {
        for (properties, words) in [
            (json!({"filter[id]": {}}), "“filter[id]”"),
            (json!({"": {}}), "“”"),
            (json!({"x".repeat(65): {}}), "64 at most"),
            (json!({"a": {"minLength": -1}}), "malformed at /properties/a/minLength"),
            (json!({"a": {"additionalProperties": 7}}), "malformed at /properties/a/additionalProperties"),
            (json!({"a": {"type": "array", "uniqueItems": "yes"}}), "malformed at /properties/a/uniqueItems"),
        ] {
            let error = translate(&json!({ "type": "object", "properties": properties })).unwrap_err();
            assert!(error.contains(words), "{properties}: {error}");
        }
    }

    proptest! {
        #[test]
        fn any_json_is_refused_or_valid(schema in crate::schema::tests::almost_a_schema()) {
            if let Ok(sent) = translate(&schema) {
                prop_assert_eq!(&sent["type"], "object");
                prop_assert!(["oneOf", "anyOf", "allOf", "$ref", "$schema"].iter().all(|key| sent.get(key).is_none()));
                prop_assert!(jsonschema::draft202012::meta::is_valid(&sent));
            }
        }
    }
}
