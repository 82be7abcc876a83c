// SPDX-License-Identifier: Apache-2.0
//! What arguments are made of.

use crate::ToolSpec;
use serde_json::Value;
use std::collections::HashSet;

/// Visits every value of the arguments that holds no others: the argument it belongs to, its path, the value. A key that the
/// schema does not name could carry something, too, and is visited as a value.
pub(super) fn each(spec: &ToolSpec, arguments: &Value, mut visit: impl FnMut(&str, &str, &Value)) {
    let mut known = HashSet::new();
    names(&spec.schema, &mut known);
    let mut walk = Walk { known, visit: &mut visit };
    match arguments {
        Value::Object(object) => {
            for (argument, value) in object {
                walk.key(argument, argument, argument);
                walk.value(argument, argument, value);
            }
        }
        other => walk.value("", "", other),
    }
}

struct Walk<'a, F> {
    known: HashSet<&'a str>,
    visit: &'a mut F,
}

impl<F: FnMut(&str, &str, &Value)> Walk<'_, F> {
    fn key(&mut self, argument: &str, path: &str, key: &str) {
        if !self.known.contains(key) {
            (self.visit)(argument, path, &Value::String(key.to_owned()));
        }
    }

    fn value(&mut self, argument: &str, path: &str, value: &Value) {
        match value {
            Value::Array(list) => {
                for (at, value) in list.iter().enumerate() {
                    self.value(argument, &format!("{path}[{at}]"), value);
                }
            }
            Value::Object(object) => {
                for (key, value) in object {
                    let path = format!("{path}.{key}");
                    self.key(argument, &path, key);
                    self.value(argument, &path, value);
                }
            }
            value => (self.visit)(argument, path, value),
        }
    }
}

/// The names of all properties that a schema has, at whatever depth.
fn names<'a>(schema: &'a Value, known: &mut HashSet<&'a str>) {
    match schema {
        Value::Array(list) => list.iter().for_each(|part| names(part, known)),
        Value::Object(object) => {
            if let Some(Value::Object(properties)) = object.get("properties") {
                known.extend(properties.keys().map(String::as_str));
            }
            object.values().for_each(|part| names(part, known));
        }
        _ => {}
    }
}

/// Whether a value, or leaving it out, comes to the same: nothing is said by it.
pub(super) fn says_nothing(spec: &ToolSpec, argument: &str, path: &str, value: &Value) -> bool {
    let default = spec.schema.pointer("/properties").and_then(|all| all.get(argument)?.get("default"));
    match default {
        Some(default) if argument == path => value == default || value.is_null(),
        _ => match value {
            Value::Null | Value::Bool(false) => true,
            Value::String(text) => text.is_empty(),
            _ => false,
        },
    }
}

/// A value as text.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
