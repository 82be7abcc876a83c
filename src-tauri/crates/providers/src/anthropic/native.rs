// SPDX-License-Identifier: Apache-2.0
//! An assistant message as its provider wrote it: each item is the JSON text of a content block, sent back as it is.

use bailey_protocol::model::Native;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A block of such a message.
#[derive(Debug)]
pub(super) struct Part<'a> {
    pub(super) json: &'a RawValue,
    pub(super) role: Role,
}

/// What matters of a block when it goes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Thinking, with the mark of its signature.
    Thinking(u64),
    Call,
    /// Text; whether it is blank.
    Text(bool),
    Other,
}

#[derive(Deserialize)]
struct Peek<'a> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    #[serde(borrow, default)]
    id: Cow<'a, str>,
    #[serde(borrow, default)]
    name: Cow<'a, str>,
    #[serde(borrow, default)]
    text: Cow<'a, str>,
    #[serde(borrow, default)]
    signature: Cow<'a, str>,
    #[serde(borrow, default)]
    data: Cow<'a, str>,
    #[serde(borrow, default)]
    thinking: Cow<'a, str>,
}

impl Part<'_> {
    /// Whether it is thinking with one of these marks.
    pub(super) fn is_one_of(&self, marks: impl Fn(u64) -> bool) -> bool {
        matches!(self.role, Role::Thinking(mark) if marks(mark))
    }
}

/// The blocks of a message, when they are whole, say something, and their calls are these: ids and names as they are sent.
pub(super) fn parts<'a, 'c>(
    native: &'a Native,
    mut expected: impl Iterator<Item = (&'c str, &'c str)>,
) -> Option<Vec<Part<'a>>> {
    let mut parts = Vec::with_capacity(native.items.len());
    for item in &native.items {
        let Value::String(text) = item else { return None };
        let json: &RawValue = serde_json::from_str(text).ok()?;
        let peek: Peek<'_> = serde_json::from_str(text).ok()?;
        let role = match &*peek.kind {
            "thinking" => {
                Role::Thinking(mark(if peek.signature.is_empty() { &peek.thinking } else { &peek.signature }))
            }
            "redacted_thinking" => Role::Thinking(mark(&peek.data)),
            "tool_use" => {
                if expected.next()? != (&*peek.id, &*peek.name) {
                    return None;
                }
                Role::Call
            }
            "text" => Role::Text(peek.text.trim().is_empty()),
            _ => Role::Other,
        };
        parts.push(Part { json, role });
    }
    let says_something = parts.iter().any(|part| !matches!(part.role, Role::Thinking(_) | Role::Text(true)));
    (expected.next().is_none() && says_something).then_some(parts)
}

/// What a signature is recognised by when it was refused.
pub(super) fn mark(signature: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    signature.hash(&mut hasher);
    hasher.finish()
}
