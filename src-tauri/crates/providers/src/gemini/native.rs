// SPDX-License-Identifier: Apache-2.0
//! A message in Google's own form: its parts as JSON text, byte for byte. Thought signatures stand on parts of any kind,
//! empty text included, and go back on exactly those parts.

use super::calls::Call;
use super::wire::{self, Part, Raw, words};
use crate::names::Names;
use bailey_protocol::model::{Native, PastCall};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// The parts of an answer, as they come.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    parts: Vec<Entry>,
    /// There is more in them than text and calls.
    matters: bool,
}

#[derive(Clone, Debug)]
enum Entry {
    /// Pieces of text that nothing tells apart.
    Text { thought: bool, text: String },
    /// A part as it came.
    Part(String),
    /// The part of a call, as it came unless it came in fragments.
    Call { at: usize, json: Option<String>, signature: Option<String> },
}

#[derive(Serialize)]
struct TextPart<'a> {
    text: &'a str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    thought: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CallPart<'a> {
    function_call: FunctionCall<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thought_signature: Option<Raw<'a>>,
}

#[derive(Serialize)]
struct FunctionCall<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    id: &'a str,
    name: &'a str,
    args: Raw<'a>,
}

impl Kept {
    /// Keeps a part that is no call, and its text if there is some.
    pub(super) fn part(&mut self, raw: Raw<'_>, part: &Part<'_>, text: Option<&str>) {
        if part.signature.is_some() || !part.others.is_empty() {
            self.matters = true;
            self.parts.push(Entry::Part(raw.get().to_owned()));
            return;
        }
        let Some(more) = text else { return };
        match self.parts.last_mut() {
            Some(Entry::Text { thought, text }) if *thought == part.thought => text.push_str(more),
            _ => self.parts.push(Entry::Text { thought: part.thought, text: more.to_owned() }),
        }
    }

    /// Keeps the beginning of a call, or all of it.
    pub(super) fn call(&mut self, at: usize, raw: Raw<'_>, part: &Part<'_>, in_fragments: bool) {
        self.matters |= part.signature.is_some() || !part.others.is_empty();
        self.parts.push(Entry::Call {
            at,
            json: (!in_fragments).then(|| raw.get().to_owned()),
            signature: part.signature.map(|signature| signature.get().to_owned()),
        });
    }

    /// Keeps what a later fragment of a call adds.
    pub(super) fn more(&mut self, call: usize, part: &Part<'_>) {
        let Some(added) = part.signature else { return };
        let own = self.parts.iter_mut().rev().find_map(|entry| match entry {
            Entry::Call { at, json: None, signature } if *at == call => Some(signature),
            _ => None,
        });
        if let Some(own) = own {
            self.matters = true;
            own.get_or_insert_with(|| added.get().to_owned());
        }
    }

    /// The message, where it holds more than text and calls do. The calls are all there were, each with the id and the
    /// name it was given here, and its arguments.
    pub(super) fn finish(self, origin: &str, calls: &[(String, String, Call, String)]) -> Option<Arc<Native>> {
        if !self.matters {
            return None;
        }
        let mut items = Vec::with_capacity(self.parts.len());
        for entry in self.parts {
            items.push(match entry {
                Entry::Text { thought, text } => {
                    json!({ "json": serde_json::to_string(&TextPart { text: &text, thought }).ok()? })
                }
                Entry::Part(part) => json!({ "json": part }),
                Entry::Call { at, json, signature } => {
                    let (id, name, call, arguments) = calls.get(at)?;
                    let part = match json {
                        Some(json) => json,
                        None => {
                            let args = serde_json::from_str::<Raw<'_>>(arguments).ok()?;
                            let function_call = FunctionCall { id: &call.id, name: &call.name, args };
                            let thought_signature = signature.as_deref().and_then(|raw| serde_json::from_str(raw).ok());
                            serde_json::to_string(&CallPart { function_call, thought_signature }).ok()?
                        }
                    };
                    json!({ "id": id, "name": name, "json": part })
                }
            });
        }
        Some(Arc::new(Native { origin: origin.to_owned(), items }))
    }
}

/// A message to be sent back as it is.
#[derive(Debug)]
pub(super) struct Returned<'a> {
    pub(super) parts: Vec<Raw<'a>>,
    /// The provider's ids of its calls: an answer has one exactly where the call had one.
    pub(super) ids: Vec<Option<Cow<'a, str>>>,
}

/// The message in its own form, if that fits the calls it is kept with and holds no signature that was refused.
pub(super) fn read<'a>(
    native: &'a Native,
    calls: &[&PastCall],
    names: &Names,
    refused: &HashSet<u64>,
) -> Option<Returned<'a>> {
    let mut returned = Returned { parts: Vec::with_capacity(native.items.len()), ids: Vec::new() };
    let mut expected = calls.iter();
    for item in &native.items {
        let json = item.get("json")?.as_str()?;
        let raw: &'a RawValue = serde_json::from_str(json).ok()?;
        let part = wire::read::<Part<'a>>(raw.get()).ok()?;
        if !refused.is_empty() && words(part.signature).is_some_and(|signature| refused.contains(&mark(&signature))) {
            return None;
        }
        match item.get("id") {
            Some(id) => {
                let call = expected.next()?;
                let written = part.call?;
                let same = id == call.id.as_str()
                    && item.get("name").and_then(Value::as_str) == Some(call.name.as_str())
                    && words(written.name).is_some_and(|name| name == names.wire(&call.name));
                if !same {
                    return None;
                }
                returned.ids.push(words(written.id));
            }
            // A call that nobody answers would be refused.
            None if part.call.is_some() => return None,
            None => {}
        }
        returned.parts.push(raw);
    }
    (expected.next().is_none() && !returned.parts.is_empty()).then_some(returned)
}

/// What a signature is known by.
pub(super) fn mark(signature: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    signature.hash(&mut hasher);
    hasher.finish()
}
