// SPDX-License-Identifier: Apache-2.0
//! What of an answer only its provider understands: collected while the answer comes, and read when it goes back.
//!
//! A [`Native`]'s one item is an object; all its fields may be absent:
//!
//! | field | meaning |
//! |---|---|
//! | `reasoning` | the name of the field in which the reasoning came; the reasoning itself is the turn's |
//! | `content` | the content as a list of parts, where it had others than text |
//! | `fields` | the message's further fields, as they came |
//! | `calls` | for each call its `id` and `name`; `arguments` as the model wrote them, where that is not how they would be written anyway; further `fields`, of its own and of its `function` |

use crate::history::Answered;
use bailey_protocol::model::{Native, Reply};
use serde_json::{Map, Value, json};
use std::sync::Arc;

pub(super) const REASONING_CONTENT: &str = "reasoning_content";
pub(super) const REASONING: &str = "reasoning";
pub(super) const REASONING_TEXT: &str = "reasoning_text";

/// A message of the provider's own, read.
#[derive(Debug)]
pub(super) struct Message<'a> {
    pub(super) reasoning: Option<&'static str>,
    pub(super) content: Option<&'a Value>,
    pub(super) fields: Option<&'a Map<String, Value>>,
    /// One a call, or none at all.
    pub(super) calls: Vec<Call<'a>>,
}

#[derive(Debug)]
pub(super) struct Call<'a> {
    pub(super) arguments: Option<&'a str>,
    pub(super) fields: Option<&'a Map<String, Value>>,
    pub(super) function: Option<&'a Map<String, Value>>,
}

impl<'a> Message<'a> {
    /// The message; `None` when it is not the one that made these calls, and so must not stand in for them.
    pub(super) fn of(native: &'a Native, calls: &[Answered<'_>]) -> Option<Self> {
        let [item] = native.items.as_slice() else { return None };
        let own = item.get("calls").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let is = |own: &Value, key: &str, text: &str| own.get(key).and_then(Value::as_str) == Some(text);
        let same = own.len() == calls.len()
            && own
                .iter()
                .zip(calls)
                .all(|(own, known)| is(own, "id", &known.call.id) && is(own, "name", &known.call.name));
        if !same {
            return None;
        }
        let text = |value: &'a Value, key: &str| value.get(key).and_then(Value::as_str);
        let object = |value: &'a Value, key: &str| value.get(key).and_then(Value::as_object);
        Some(Self {
            reasoning: [REASONING_CONTENT, REASONING, REASONING_TEXT]
                .into_iter()
                .find(|field| text(item, "reasoning") == Some(field)),
            content: item.get("content").filter(|content| content.is_array()),
            fields: object(item, "fields"),
            calls: own
                .iter()
                .map(|call| Call {
                    arguments: text(call, "arguments"),
                    fields: object(call, "fields"),
                    function: object(call, "function"),
                })
                .collect(),
        })
    }
}

/// What is kept of a call.
#[derive(Clone, Debug, Default)]
pub(super) struct KeptCall {
    pub(super) fields: Map<String, Value>,
    pub(super) function: Map<String, Value>,
}

/// What is kept of an answer while it comes.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    reasoning: Option<&'static str>,
    fields: Map<String, Value>,
    /// The text so far.
    text: String,
    /// Content parts, from the first on that was not text.
    parts: Option<Vec<Value>>,
}

impl Kept {
    /// Reasoning came in this field.
    pub(super) fn reasoned(&mut self, field: &'static str) {
        self.reasoning.get_or_insert(field);
    }

    /// Text came.
    pub(super) fn said(&mut self, text: &str) {
        match &mut self.parts {
            Some(parts) => add_text(parts, text),
            None => self.text.push_str(text),
        }
    }

    /// A part of the content came that is not text.
    pub(super) fn part(&mut self, part: &Value) {
        let text = std::mem::take(&mut self.text);
        let parts = self.parts.get_or_insert_with(|| {
            let mut parts = Vec::new();
            add_text(&mut parts, &text);
            parts
        });
        let thinking = |part: &Value| part.get("type").and_then(Value::as_str) == Some("thinking");
        match parts.last_mut() {
            Some(last) if thinking(last) && thinking(part) && last.get("closed") != Some(&Value::Bool(true)) => {
                add_thought(last, part);
            }
            _ => parts.push(part.clone()),
        }
    }

    /// A field of the message's own came, whole or in pieces.
    pub(super) fn field(&mut self, key: &str, value: &Value) {
        if value.as_array().is_some_and(Vec::is_empty) {
            return;
        }
        match (self.fields.get_mut(key), value) {
            (Some(Value::Array(known)), Value::Array(pieces)) => {
                pieces.iter().for_each(|piece| add_piece(known, piece))
            }
            (None, Value::Array(pieces)) => {
                let mut known = Vec::new();
                pieces.iter().for_each(|piece| add_piece(&mut known, piece));
                self.fields.insert(key.to_owned(), Value::Array(known));
            }
            (Some(Value::Object(known)), Value::Object(more)) => merge(known, more),
            (Some(Value::String(known)), Value::String(more)) if key == REASONING_TEXT => known.push_str(more),
            _ => drop(self.fields.insert(key.to_owned(), value.clone())),
        }
    }

    /// The message for going back, with these calls of it; `None` when the neutral fields say it all.
    pub(super) fn finish(&mut self, origin: &str, calls: &[(Reply, KeptCall)]) -> Option<Reply> {
        let mut item = Map::new();
        if let Some(field) = self.reasoning {
            item.insert("reasoning".to_owned(), field.into());
        }
        if let Some(parts) = self.parts.take() {
            item.insert("content".to_owned(), parts.into());
        }
        if !self.fields.is_empty() {
            item.insert("fields".to_owned(), std::mem::take(&mut self.fields).into());
        }
        if item.is_empty() && calls.iter().all(|(_, kept)| kept.fields.is_empty() && kept.function.is_empty()) {
            return None;
        }
        let calls: Vec<Value> = calls.iter().filter_map(|(call, kept)| kept_call(call, kept)).collect();
        if !calls.is_empty() {
            item.insert("calls".to_owned(), calls.into());
        }
        let native = Native { origin: origin.to_owned(), items: vec![item.into()] };
        Some(Reply::Native { native: Arc::new(native) })
    }
}

fn kept_call(call: &Reply, kept: &KeptCall) -> Option<Value> {
    let Reply::Call { id, name, arguments } = call else { return None };
    let mut entry = Map::new();
    entry.insert("id".to_owned(), id.as_str().into());
    entry.insert("name".to_owned(), name.as_str().into());
    // What is no object can't be sent as it is.
    let again = serde_json::from_str::<Map<String, Value>>(arguments).map(|object| Value::Object(object).to_string());
    if again.is_ok_and(|again| again != *arguments) {
        entry.insert("arguments".to_owned(), arguments.as_str().into());
    }
    for (key, fields) in [("fields", &kept.fields), ("function", &kept.function)] {
        if !fields.is_empty() {
            entry.insert(key.to_owned(), Value::Object(fields.clone()));
        }
    }
    Some(entry.into())
}

fn add_text(parts: &mut Vec<Value>, text: &str) {
    if text.is_empty() {
        return;
    }
    match parts.last_mut() {
        Some(Value::Object(last)) if last.get("type").and_then(Value::as_str) == Some("text") => {
            push(last, "text", text);
        }
        _ => parts.push(json!({ "type": "text", "text": text })),
    }
}

fn push(object: &mut Map<String, Value>, key: &str, text: &str) {
    match object.get_mut(key) {
        Some(Value::String(known)) => known.push_str(text),
        _ => drop(object.insert(key.to_owned(), text.into())),
    }
}

/// Goes on with a part of thinking: Mistral sends one thought in many parts.
fn add_thought(last: &mut Value, part: &Value) {
    let (Value::Object(last), Value::Object(part)) = (last, part) else { return };
    for (key, value) in part {
        match (key.as_str(), last.get_mut(key), value) {
            ("thinking", Some(Value::Array(known)), Value::Array(pieces)) => {
                for piece in pieces {
                    let text = piece.get("text").and_then(Value::as_str);
                    let plain = piece.get("type").and_then(Value::as_str) == Some("text");
                    match text {
                        Some(text) if plain => add_text(known, text),
                        _ => known.push(piece.clone()),
                    }
                }
            }
            ("thinking", Some(Value::String(known)), Value::String(more)) => known.push_str(more),
            (_, _, Value::Null) => {}
            _ => drop(last.insert(key.clone(), value.clone())),
        }
    }
}

/// Adds a piece to a list of reasoning details or thinking blocks: to the one it goes on with, or as a new one. Text is
/// streamed in pieces; what is encrypted comes whole.
fn add_piece(known: &mut Vec<Value>, piece: &Value) {
    const PIECEWISE: [&str; 3] = ["text", "summary", "thinking"];
    let same = |a: Option<&Value>, b: Option<&Value>| match (a.filter(|a| !a.is_null()), b.filter(|b| !b.is_null())) {
        (Some(a), Some(b)) => a == b,
        _ => true,
    };
    let goes_on = |last: &Value| {
        ["type", "index", "id"].into_iter().all(|key| same(last.get(key), piece.get(key)))
            && PIECEWISE.iter().any(|key| last.get(*key).is_some_and(|text| !text.is_null()))
            && ["data", "signature"]
                .iter()
                .all(|key| last.get(*key).is_none_or(|closed| closed.is_null() || closed == ""))
    };
    // Pieces of several come interleaved only where they are numbered.
    let numbered = piece.get("index").is_some_and(Value::is_number);
    let found = if numbered {
        known.iter().rposition(goes_on)
    } else {
        known.len().checked_sub(1).filter(|at| goes_on(&known[*at]))
    };
    let (Some(Value::Object(last)), Value::Object(piece)) = (found.map(|at| &mut known[at]), piece) else {
        known.push(piece.clone());
        return;
    };
    for (key, value) in piece {
        match value {
            Value::Null if last.contains_key(key) => {}
            Value::String(text) if PIECEWISE.contains(&key.as_str()) => push(last, key, text),
            value => drop(last.insert(key.clone(), value.clone())),
        }
    }
}

/// Takes over what another object has, objects in it likewise.
fn merge(known: &mut Map<String, Value>, more: &Map<String, Value>) {
    for (key, value) in more {
        match (known.get_mut(key), value) {
            (Some(Value::Object(known)), Value::Object(more)) => merge(known, more),
            (Some(_), Value::Null) => {}
            _ => drop(known.insert(key.clone(), value.clone())),
        }
    }
}
