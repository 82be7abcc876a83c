// SPDX-License-Identifier: Apache-2.0
//! From the text a model wrote as arguments to arguments that fit a tool's schema: read, mend what is surely meant,
//! validate. Nothing is guessed: what could mean two things, or is cut off, is refused with words that help the model
//! to do it right.

mod explain;
mod mend;
mod read;

use bailey_policy::ToolSpec;
use jsonschema::Validator;
use serde_json::Value;

/// Longer arguments are refused unread, in bytes.
pub const MAX_BYTES: usize = 1024 * 1024;
/// Arguments nested deeper are refused.
pub const MAX_DEPTH: usize = 64;

/// Checks the arguments of one tool; its schema is compiled once.
#[derive(Debug)]
pub struct Checker {
    validator: Validator,
    schema: Value,
    example: Value,
}

/// Arguments that fit the tool's schema.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    /// The arguments, an object.
    pub arguments: Value,
    /// What was mended, each in a sentence the model can read; empty when nothing was.
    pub repairs: Vec<String>,
}

/// Arguments that can't be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct Invalid {
    /// Where, as a JSON pointer; empty for the arguments as a whole.
    pub path: String,
    /// What is wrong, where, and what was expected; the model reads it, followed by the example.
    pub message: String,
    /// Arguments that fit.
    pub example: Value,
}

impl Checker {
    /// Compiles a tool's schema. A malformed schema, or one that points outside itself, is an error in plain words.
    pub fn new(spec: &ToolSpec) -> Result<Checker, String> {
        let malformed = |e: &dyn std::fmt::Display| format!("the schema of {} is malformed: {e}", spec.name);
        if !spec.schema.is_object() {
            return Err(malformed(&"it must be a JSON object"));
        }
        let validator = jsonschema::options().offline().build(&spec.schema).map_err(|e| malformed(&e))?;
        Ok(Checker { validator, schema: spec.schema.clone(), example: spec.example.clone() })
    }

    /// Reads, mends and validates what the model wrote. Arguments that fit as they are come back unchanged.
    pub fn check(&self, raw: &str) -> Result<Checked, Invalid> {
        let mut repairs = Vec::new();
        let mut node = read::arguments(raw, &mut repairs).map_err(|p| self.invalid(p.path, p.message))?;
        if let Ok(arguments) = node.to_value("")
            && self.validator.is_valid(&arguments)
        {
            return Ok(Checked { arguments, repairs });
        }
        mend::mend(&mut node, &self.schema, &mut repairs);
        // Decoding what was encoded twice can nest deeper than the text did.
        read::check_levels(&node).map_err(|p| self.invalid(p.path, p.message))?;
        let arguments = node.to_value("").map_err(|p| self.invalid(p.path, p.message))?;
        match explain::first_errors(&self.validator, &self.schema, &arguments) {
            None => Ok(Checked { arguments, repairs }),
            Some(problem) => Err(self.invalid(problem.path, problem.message)),
        }
    }

    fn invalid(&self, path: String, message: String) -> Invalid {
        Invalid { path, message, example: self.example.clone() }
    }
}

/// What is wrong and where.
struct Problem {
    path: String,
    message: String,
}

impl Problem {
    fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { path: path.into(), message: message.into() }
    }
}

/// One step further down a JSON pointer.
fn step(path: &str, key: &str) -> String {
    format!("{path}/{}", key.replace('~', "~0").replace('/', "~1"))
}

/// Canonical JSON: keys sorted by their bytes, no white space, whole numbers without a fraction. Two calls with the
/// same text here are the same call.
pub fn canonical(value: &Value) -> String {
    let mut out = String::new();
    write_canonical(value, &mut out);
    out
}

fn write_canonical(value: &Value, out: &mut String) {
    /// Below this every whole `f64` is exact.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(key, _)| *key);
            out.push('{');
            for (i, (key, value)) in members.into_iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                out.push_str(&Value::from(key.as_str()).to_string());
                out.push(':');
                write_canonical(value, out);
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                write_canonical(item, out);
            }
            out.push(']');
        }
        Value::Number(number) => match number.as_f64() {
            Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < EXACT => {
                out.push_str(&(float as i64).to_string());
            }
            _ => out.push_str(&number.to_string()),
        },
        Value::Null | Value::Bool(_) | Value::String(_) => out.push_str(&value.to_string()),
    }
}
