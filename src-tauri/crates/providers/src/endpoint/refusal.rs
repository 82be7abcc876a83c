// SPDX-License-Identifier: Apache-2.0
//! What of a refusal can be learnt from.

use bailey_protocol::RunErrorKind;
use serde_json::Value;

/// A refusal is read up to this many bytes.
const MAX_REFUSAL: usize = 4 << 10;

/// Fields in which a refusal repeats what was sent: the conversation's words are not the provider's.
const REPEATED: &[&str] = &["input", "ctx", "body", "request", "messages"];

/// Fields that are in every request, so that naming one says nothing.
const COMMON: &[&str] = &["model", "messages", "input", "contents", "content", "parts", "stream", "system", "function"];

/// Whether a failure of this kind may be about how the request is written.
pub(super) fn teaches(kind: RunErrorKind) -> bool {
    use RunErrorKind::{Auth, Quota, Rate, Refused, TooLong};
    !matches!(kind, Auth | Quota | Rate | TooLong | Refused)
}

/// The beginning of a refusal, without what it repeats of the request.
pub(super) fn words(said: &str) -> String {
    let mut words = match serde_json::from_str::<Value>(said) {
        Ok(mut value) => {
            strip(&mut value);
            value.to_string()
        }
        Err(_) => said.to_owned(),
    };
    let mut end = words.len().min(MAX_REFUSAL);
    while !words.is_char_boundary(end) {
        end -= 1;
    }
    words.truncate(end);
    words
}

fn strip(value: &mut Value) {
    match value {
        Value::Object(object) => {
            object.retain(|key, _| !REPEATED.contains(&key.as_str()));
            object.values_mut().for_each(strip);
        }
        Value::Array(list) => list.iter_mut().for_each(strip),
        // An error in an error, as text.
        Value::String(text) if text.trim_start().starts_with('{') => {
            if let Ok(mut inner @ Value::Object(_)) = serde_json::from_str::<Value>(text) {
                strip(&mut inner);
                *text = inner.to_string();
            }
        }
        _ => {}
    }
}

/// Whether the words name a field of what was sent. A server with a fault says many other things.
pub(super) fn names_a_field(sent: &[u8], words: &str) -> bool {
    let words = words.to_lowercase();
    serde_json::from_slice::<Value>(sent).is_ok_and(|sent| is_named(&sent, &words))
}

fn is_named(value: &Value, words: &str) -> bool {
    match value {
        Value::Object(object) => object.iter().any(|(key, value)| {
            let name = if key.contains("image") { "image".to_owned() } else { key.to_lowercase() };
            // Schemas and arguments have fields of their own.
            let is_data = matches!(key.as_str(), "parameters" | "input_schema" | "arguments" | "args");
            (name.len() > 4 && !COMMON.contains(&name.as_str()) && has_word(words, &name))
                || (!is_data && is_named(value, words))
        }),
        Value::Array(list) => list.iter().any(|value| is_named(value, words)),
        _ => false,
    }
}

fn has_word(words: &str, name: &str) -> bool {
    let inside = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric());
    words
        .match_indices(name)
        .any(|(at, _)| !inside(words[..at].chars().next_back()) && !inside(words[at + name.len()..].chars().next()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_a_refusal_repeats_is_not_its_own_words() {
        for (said, kept) in [
            (
                r#"{"detail":[{"loc":["body","max_tokens"],"msg":"Extra inputs","input":{"messages":["stream_options"]},"ctx":{"a":1}}]}"#,
                r#"{"detail":[{"loc":["body","max_tokens"],"msg":"Extra inputs"}]}"#,
            ),
            (
                r#"{"error":{"message":"bad","request":"image_url"},"body":"x","messages":[]}"#,
                r#"{"error":{"message":"bad"}}"#,
            ),
            (r#"{"raw":"{\"msg\":\"bad\",\"input\":\"image_url\"}"}"#, r#"{"raw":"{\"msg\":\"bad\"}"}"#),
            (r#"[{"input":1,"m":2}]"#, r#"[{"m":2}]"#),
            ("input: plain words", "input: plain words"),
        ] {
            assert_eq!(words(said), kept);
        }
        let long = words(&"界".repeat(3000));
        assert!(long.len() <= MAX_REFUSAL && long.len() > MAX_REFUSAL - 3 && long.ends_with('界'));
    }

    #[test]
    fn a_fault_is_about_a_field_that_it_names() {
        let sent = json!({
            "model": "m", "stream_options": {"include_usage": true}, "tools": [{"function": {"parameters": {"secret": 1}}}],
            "messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:,"}}]}],
        });
        let sent = serde_json::to_vec(&sent).unwrap();
        for (said, named) in [
            ("unknown field `stream_options`", true),
            ("include_usage is not known", true),
            ("image input is not supported - hint: you may need to provide the mmproj", true),
            ("this model does not take TOOLS", true),
            ("reasoning_effort is not supported", false),
            ("internal error while reading the model", false),
            ("a secret went wrong", false),
            ("toolset failed", false),
        ] {
            assert_eq!(names_a_field(&sent, said), named, "{said}");
        }
        assert!(!names_a_field(b"no json", "stream_options"));
    }

    #[test]
    fn what_is_not_about_the_request_teaches_nothing() {
        use RunErrorKind::{Auth, Invalid, Quota, Rate, Refused, Server, TooLong};
        for (kind, does) in [
            (Auth, false),
            (Quota, false),
            (Rate, false),
            (TooLong, false),
            (Refused, false),
            (Invalid, true),
            (Server, true),
        ] {
            assert_eq!(teaches(kind), does, "{kind:?}");
        }
    }
}
