// SPDX-License-Identifier: Apache-2.0
//! Schemas of arguments, and reading arguments that fit them.

use serde_json::{Value, json};

/// A closed, flat schema.
pub(crate) fn schema(properties: Value, required: &[&str]) -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

/// A text; empty when it is not there.
pub(crate) fn text<'a>(arguments: &'a Value, key: &str) -> &'a str {
    arguments.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// A whole number. JSON Schema lets `5.0` be an integer, so that is one here, too.
pub(crate) fn integer(arguments: &Value, key: &str) -> Option<u64> {
    let value = arguments.get(key)?;
    value.as_u64().or_else(|| value.as_f64().filter(|f| f.fract() == 0.0 && (0.0..1e9).contains(f)).map(|f| f as u64))
}
