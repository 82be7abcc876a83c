// SPDX-License-Identifier: Apache-2.0
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

/// What a block is to us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Thinking,
    /// Thinking that only the provider can read.
    Redacted,
    /// A call for us.
    Call,
    /// The provider's own: its searches, its code, what nobody here knows.
    Other,
}

/// A content block, as far as it came.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) index: Option<u64>,
    pub(super) kind: Kind,
    /// The block as it began.
    start: Map<String, Value>,
    /// Its exact text, while nothing was added.
    exact: Option<String>,
    /// Text, thinking, the JSON of an input, or a compaction's content.
    text: String,
    citations: Vec<Value>,
    /// Its end came.
    pub(super) closed: bool,
    /// It was told as an item.
    pub(super) shown: bool,
    /// Something was added that nobody here can put together.
    pub(super) odd: bool,
    /// The output limit may have cut it.
    pub(super) cut: bool,
}

impl Block {
    pub(super) fn new(index: Option<u64>, start: Map<String, Value>, exact: Option<String>) -> Self {
        let kind = match start.get("type").and_then(Value::as_str).unwrap_or("text") {
            "text" => Kind::Text,
            "thinking" => Kind::Thinking,
            "redacted_thinking" => Kind::Redacted,
            "tool_use" => Kind::Call,
            _ => Kind::Other,
        };
        let said = match kind {
            Kind::Text => start.get("text"),
            Kind::Thinking => start.get("thinking"),
            _ => None,
        };
        let text = said.and_then(Value::as_str).unwrap_or_default().to_owned();
        let citations = match start.get("citations") {
            Some(Value::Array(citations)) if kind == Kind::Text => citations.clone(),
            _ => Vec::new(),
        };
        Self { index, kind, start, exact, text, citations, closed: false, shown: false, odd: false, cut: false }
    }

    /// A block whose beginning never came.
    pub(super) fn implied(index: Option<u64>, kind: &str) -> Self {
        let mut start = Map::new();
        start.insert("type".to_owned(), kind.into());
        Self::new(index, start, None)
    }

    pub(super) fn field(&self, name: &str) -> &str {
        self.start.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    /// Its name at the provider.
    pub(super) fn type_name(&self) -> &str {
        self.field("type")
    }

    /// What it says so far.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn citations(&self) -> &[Value] {
        &self.citations
    }

    /// Whether this is the beginning of the same block again.
    pub(super) fn begins_like(&self, start: &Map<String, Value>) -> bool {
        ["type", "id", "tool_use_id"].iter().all(|key| self.start.get(*key) == start.get(*key))
    }

    /// Adds text.
    pub(super) fn push(&mut self, text: &str) {
        self.exact = None;
        self.text.push_str(text);
    }

    pub(super) fn cite(&mut self, citation: Value) {
        self.exact = None;
        self.citations.push(citation);
    }

    /// Sets a field that comes after the beginning, as signatures do.
    pub(super) fn set(&mut self, field: &str, value: Value) {
        self.exact = None;
        self.start.insert(field.to_owned(), value);
    }

    /// Whether the input began with the block itself.
    fn has_first_input(&self) -> bool {
        !matches!(self.start.get("input"), None | Some(Value::Null))
            && self.start.get("input").and_then(Value::as_object).is_none_or(|input| !input.is_empty())
    }

    /// Whether nothing at all was written as its input.
    pub(super) fn has_no_input(&self) -> bool {
        self.text.trim().is_empty() && !self.has_first_input()
    }

    /// Whether what was written as its input is whole JSON.
    pub(super) fn has_whole_input(&self) -> bool {
        self.text.trim().is_empty() || serde_json::from_str::<serde::de::IgnoredAny>(&self.text).is_ok()
    }

    /// A call's arguments as the model wrote them.
    pub(super) fn arguments(&self) -> String {
        match self.start.get("input") {
            _ if !self.text.trim().is_empty() => self.text.clone(),
            Some(Value::String(text)) if self.has_first_input() => text.clone(),
            Some(input) if self.has_first_input() => input.to_string(),
            _ => "{}".to_owned(),
        }
    }

    /// Whether it says more than text and calls can.
    pub(super) fn says_more(&self) -> bool {
        match self.kind {
            Kind::Thinking | Kind::Redacted | Kind::Other => true,
            Kind::Text => !self.citations.is_empty() || self.start.contains_key("signature"),
            Kind::Call => self.start.iter().any(|(key, value)| match key.as_str() {
                "type" | "id" | "name" | "input" => false,
                "caller" => value.get("type").and_then(Value::as_str) != Some("direct"),
                _ => !value.is_null(),
            }),
        }
    }

    /// All of it as a value, for showing.
    pub(super) fn data(&self) -> Value {
        let mut whole = self.start.clone();
        if !self.text.is_empty() {
            let (field, text) = match self.kind {
                Kind::Text => ("text", Value::String(self.text.clone())),
                Kind::Thinking => ("thinking", Value::String(self.text.clone())),
                _ if self.type_name() == "compaction" => ("content", Value::String(self.text.clone())),
                _ => ("input", serde_json::from_str(&self.text).unwrap_or_else(|_| Value::String(self.text.clone()))),
            };
            whole.insert(field.to_owned(), text);
        }
        if !self.citations.is_empty() {
            whole.insert("citations".to_owned(), Value::Array(self.citations.clone()));
        }
        Value::Object(whole)
    }

    /// The block as the provider wants it back, byte for byte where it wrote bytes; `id` is the call's id.
    pub(super) fn to_json(&self, id: &str) -> String {
        match &self.exact {
            Some(exact) if self.kind != Kind::Call || self.field("id") == id => exact.clone(),
            // Strings and values that came from JSON always become JSON again.
            _ => serde_json::to_string(&Whole { block: self, id }).unwrap_or_default(),
        }
    }
}

/// A block with what was added.
struct Whole<'a> {
    block: &'a Block,
    id: &'a str,
}

impl Serialize for Whole<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let block = self.block;
        let added = match block.kind {
            Kind::Text => Some("text"),
            Kind::Thinking => Some("thinking"),
            Kind::Redacted => None,
            _ if block.type_name() == "compaction" => (!block.text.is_empty()).then_some("content"),
            Kind::Call => Some("input"),
            Kind::Other => (!block.text.is_empty() || block.start.contains_key("input")).then_some("input"),
        };
        let mut map = serializer.serialize_map(None)?;
        let absent = |field: &&str| !block.start.contains_key(*field);
        let missing = ["id"].into_iter().filter(|_| block.kind == Kind::Call).chain(added);
        let missing = missing.chain((!block.citations.is_empty()).then_some("citations")).filter(absent);
        for field in block.start.keys().map(String::as_str).chain(missing) {
            match field {
                "id" if block.kind == Kind::Call => map.serialize_entry(field, self.id)?,
                "citations" if !block.citations.is_empty() => map.serialize_entry(field, &block.citations)?,
                "input" if added == Some(field) => map.serialize_entry(field, &block.input())?,
                _ if added == Some(field) => map.serialize_entry(field, &block.text)?,
                _ => map.serialize_entry(field, &block.start[field])?,
            }
        }
        map.end()
    }
}

impl Block {
    /// The input as an object, in the model's own bytes where they are one.
    fn input(&self) -> Box<RawValue> {
        let arguments = self.arguments();
        let object = arguments.trim_start().starts_with('{').then(|| RawValue::from_string(arguments.clone()).ok());
        object.flatten().unwrap_or_else(|| {
            let wrapped = json!({ "not_an_object": arguments }).to_string();
            RawValue::from_string(wrapped).unwrap_or_default()
        })
    }
}
