// SPDX-License-Identifier: Apache-2.0
use bailey_ports::{Redactor, ToolFailure, ToolResult};
use bailey_protocol::Part;
use serde_json::Value;

/// Takes secrets out of streamed text, also those that come in pieces: a tail that may be the beginning of one is held
/// back until more is known.
#[derive(Debug)]
pub(crate) struct StreamRedactor {
    redactor: Redactor,
    held: String,
}

impl StreamRedactor {
    pub(crate) fn new(redactor: Redactor) -> Self {
        Self { redactor, held: String::new() }
    }

    /// The part of the text so far that can be shown.
    pub(crate) fn push(&mut self, added: &str) -> String {
        if self.held.is_empty() && self.redactor.beginning(added) == 0 {
            return self.redactor.clean(added).into_owned();
        }
        self.held.push_str(added);
        let clean = self.redactor.clean(&self.held).into_owned();
        let keep = self.redactor.beginning(&clean);
        self.held = clean[clean.len() - keep..].to_owned();
        clean[..clean.len() - keep].to_owned()
    }

    /// What was held back: the stream goes on with something else.
    pub(crate) fn flush(&mut self) -> String {
        let held = std::mem::take(&mut self.held);
        self.redactor.clean(&held).into_owned()
    }
}

/// A value without secrets, in keys and texts.
pub(crate) fn clean_value(redactor: &Redactor, value: Value) -> Value {
    let clean = |text: String| redactor.clean(&text).into_owned();
    match value {
        Value::String(text) => Value::String(clean(text)),
        Value::Array(list) => list.into_iter().map(|value| clean_value(redactor, value)).collect(),
        Value::Object(object) => {
            object.into_iter().map(|(key, value)| (clean(key), clean_value(redactor, value))).collect()
        }
        other => other,
    }
}

/// Whether no secret is in these values.
pub(crate) fn is_clean(redactor: &Redactor, values: &[Value]) -> bool {
    values.iter().all(|value| match value {
        Value::String(text) => matches!(redactor.clean(text), std::borrow::Cow::Borrowed(_)),
        Value::Array(list) => is_clean(redactor, list),
        Value::Object(object) => object.iter().all(|(key, value)| {
            matches!(redactor.clean(key), std::borrow::Cow::Borrowed(_))
                && is_clean(redactor, std::slice::from_ref(value))
        }),
        _ => true,
    })
}

/// A tool's result without secrets.
pub(crate) fn clean_result(redactor: &Redactor, result: ToolResult) -> Result<Vec<Part>, Part> {
    let clean = |text: &str| redactor.clean(text).into_owned();
    match result {
        Ok(parts) => Ok(parts.into_iter().map(|p| Part { text: clean(&p.text), ..p }).collect()),
        Err(ToolFailure { message, labels }) => Err(Part::labelled(clean(&message), labels)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bailey_ports::Secret;

    #[test]
    fn a_secret_in_pieces_is_never_shown() {
        let redactor = Redactor::new();
        redactor.learn(&Secret::new("sk-canary-123"));
        let text = "a sk-canary-12 b sk-canary-123 c sk-can";
        for size in 1..text.len() {
            let mut stream = StreamRedactor::new(redactor.clone());
            let mut shown = String::new();
            for piece in text.as_bytes().chunks(size) {
                shown.push_str(&stream.push(std::str::from_utf8(piece).unwrap()));
                assert!(!shown.contains("sk-canary-123"));
            }
            shown.push_str(&stream.flush());
            assert_eq!(shown, "a sk-canary-12 b [secret removed] c sk-can", "pieces of {size}");
        }
    }
}
