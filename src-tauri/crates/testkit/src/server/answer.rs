// SPDX-License-Identifier: Apache-2.0
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::time::Duration;

/// One scripted answer. Its JSON form is in the documentation of [`crate::server`].
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Answer {
    pub(super) reasoning: Option<Chunks>,
    pub(super) text: Option<Chunks>,
    pub(super) calls: Vec<Call>,
    #[serde(deserialize_with = "present")]
    pub(super) finish: Option<Value>,
    pub(super) usage: Option<Value>,
    pub(super) delay_ms: u64,
    pub(super) wait_ms: u64,
    pub(super) raw: Option<String>,
    pub(super) status: Option<u16>,
    pub(super) headers: Map<String, Value>,
    pub(super) body: Option<Value>,
    pub(super) disconnect_after: Option<usize>,
    pub(super) hang: bool,
}

/// A field that is there, `null` included.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// Text in pieces.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Chunks {
    /// Sent word by word.
    Words(String),
    /// Sent as they are.
    List(Vec<String>),
}

impl Chunks {
    fn pieces(&self) -> Vec<String> {
        match self {
            Chunks::Words(text) => text.split_inclusive(' ').map(str::to_owned).collect(),
            Chunks::List(list) => list.clone(),
        }
    }
}

impl From<&str> for Chunks {
    fn from(text: &str) -> Self {
        Chunks::Words(text.to_owned())
    }
}

impl<const N: usize> From<[&str; N]> for Chunks {
    fn from(list: [&str; N]) -> Self {
        Chunks::List(list.map(str::to_owned).to_vec())
    }
}

/// A scripted call.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    name: String,
    #[serde(default)]
    arguments: Value,
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    fragments: Option<usize>,
}

impl Call {
    /// A call with an id of the server's making. Arguments that are text are sent as they are.
    pub fn new(name: &str, arguments: Value) -> Self {
        Self { name: name.to_owned(), arguments, id: None, fragments: None }
    }
    /// With this id.
    #[must_use]
    pub fn id(mut self, id: &str) -> Self {
        self.id = Some(id.to_owned());
        self
    }
    /// With arguments in so many pieces.
    #[must_use]
    pub fn fragments(mut self, count: usize) -> Self {
        self.fragments = Some(count);
        self
    }

    fn arguments(&self) -> String {
        match &self.arguments {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        }
    }
}

impl Answer {
    /// Text in words, or a list of chunks; ends with `stop`.
    pub fn text(text: impl Into<Chunks>) -> Self {
        Self { text: Some(text.into()), ..Self::default() }
    }
    /// Calls; ends with `tool_calls`.
    pub fn calls(calls: impl IntoIterator<Item = Call>) -> Self {
        Self { calls: calls.into_iter().collect(), ..Self::default() }
    }
    /// One call.
    pub fn call(name: &str, arguments: Value) -> Self {
        Self::calls([Call::new(name, arguments)])
    }
    /// A body of these bytes, as an event stream.
    pub fn raw(raw: &str) -> Self {
        Self { raw: Some(raw.to_owned()), ..Self::default() }
    }
    /// A status and a body: text, or JSON.
    pub fn status(status: u16, body: impl Into<Value>) -> Self {
        Self { status: Some(status), body: Some(body.into()), ..Self::default() }
    }
    /// With reasoning before all else.
    #[must_use]
    pub fn reasoning(mut self, text: impl Into<Chunks>) -> Self {
        self.reasoning = Some(text.into());
        self
    }
    /// With text before the calls.
    #[must_use]
    pub fn saying(mut self, text: impl Into<Chunks>) -> Self {
        self.text = Some(text.into());
        self
    }
    /// With this reason to stop; `None` sends none.
    #[must_use]
    pub fn finish(mut self, finish: Option<&str>) -> Self {
        self.finish = Some(finish.into());
        self
    }
    /// With these counts.
    #[must_use]
    pub fn usage(mut self, usage: Value) -> Self {
        self.usage = Some(usage);
        self
    }
    /// With a pause before each chunk.
    #[must_use]
    pub fn delay(mut self, delay: Duration) -> Self {
        self.delay_ms = u64::try_from(delay.as_millis()).unwrap_or(u64::MAX);
        self
    }
    /// With a pause before the response begins.
    #[must_use]
    pub fn wait(mut self, wait: Duration) -> Self {
        self.wait_ms = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
        self
    }
    /// With one more header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.insert(name.to_owned(), value.into());
        self
    }
    /// The connection breaks after so many bytes of the body.
    #[must_use]
    pub fn disconnect_after(mut self, bytes: usize) -> Self {
        self.disconnect_after = Some(bytes);
        self
    }
    /// After all that, nothing more comes and the response does not end.
    #[must_use]
    pub fn hang(mut self) -> Self {
        self.hang = true;
        self
    }

    fn finish_reason(&self) -> Value {
        match &self.finish {
            Some(finish) => finish.clone(),
            None if self.calls.is_empty() => "stop".into(),
            None => "tool_calls".into(),
        }
    }

    fn counts(&self) -> Value {
        self.usage.clone().unwrap_or_else(|| json!({ "prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15 }))
    }

    fn call_id(call: &Call, request: &Asked, at: usize) -> String {
        call.id.clone().unwrap_or_else(|| format!("call_{}_{at}", request.number))
    }

    /// The body in the pieces that are sent.
    pub(super) fn pieces(&self, request: &Asked) -> Vec<String> {
        if let Some(body) = &self.body {
            let body = body.as_str().map_or_else(|| body.to_string(), str::to_owned);
            return vec![request.fill(&body)];
        }
        if let Some(raw) = &self.raw {
            return vec![request.fill(raw)];
        }
        if request.stream { self.events(request) } else { vec![request.fill(&self.whole(request).to_string())] }
    }

    fn events(&self, request: &Asked) -> Vec<String> {
        let chunk = |delta: Value, finish: Value| {
            let choice = json!({ "index": 0, "delta": delta, "finish_reason": finish });
            let event = json!({ "id": format!("chatcmpl-{}", request.number), "object": "chat.completion.chunk", "created": 0, "model": request.model, "choices": [choice] });
            format!("data: {event}\n\n")
        };
        let mut out = vec![chunk(json!({ "role": "assistant", "content": "" }), Value::Null)];
        for piece in self.reasoning.iter().flat_map(Chunks::pieces) {
            out.push(chunk(json!({ "reasoning_content": piece }), Value::Null));
        }
        for piece in self.text.iter().flat_map(Chunks::pieces) {
            out.push(chunk(json!({ "content": request.fill(&piece) }), Value::Null));
        }
        for (at, call) in self.calls.iter().enumerate() {
            let function = json!({ "name": call.name, "arguments": "" });
            let first = json!({ "index": at, "id": Self::call_id(call, request, at), "type": "function", "function": function });
            out.push(chunk(json!({ "tool_calls": [first] }), Value::Null));
            for piece in split(&request.fill(&call.arguments()), call.fragments.unwrap_or(3)) {
                let part = json!({ "index": at, "function": { "arguments": piece } });
                out.push(chunk(json!({ "tool_calls": [part] }), Value::Null));
            }
        }
        let finish = self.finish_reason();
        if !finish.is_null() {
            out.push(chunk(json!({}), finish));
        }
        if request.wants_usage {
            let event = json!({ "id": format!("chatcmpl-{}", request.number), "object": "chat.completion.chunk", "created": 0, "model": request.model, "choices": [], "usage": self.counts() });
            out.push(format!("data: {event}\n\n"));
        }
        out.push("data: [DONE]\n\n".to_owned());
        out
    }

    fn whole(&self, request: &Asked) -> Value {
        let text = self.text.as_ref().map(|text| text.pieces().concat());
        let mut message = json!({ "role": "assistant", "content": text });
        if let Some(reasoning) = &self.reasoning {
            message["reasoning_content"] = reasoning.pieces().concat().into();
        }
        if !self.calls.is_empty() {
            message["tool_calls"] = self
                .calls
                .iter()
                .enumerate()
                .map(|(at, call)| {
                    let function = json!({ "name": call.name, "arguments": call.arguments() });
                    json!({ "id": Self::call_id(call, request, at), "type": "function", "function": function })
                })
                .collect();
        }
        let choice = json!({ "index": 0, "message": message, "finish_reason": self.finish_reason() });
        json!({ "id": format!("chatcmpl-{}", request.number), "object": "chat.completion", "created": 0, "model": request.model, "choices": [choice], "usage": self.counts() })
    }
}

/// What an answer needs to know of its request.
pub(super) struct Asked {
    /// The request's number, from 1.
    pub(super) number: usize,
    pub(super) model: String,
    pub(super) stream: bool,
    pub(super) wants_usage: bool,
    pub(super) key: String,
}

impl Asked {
    fn fill(&self, text: &str) -> String {
        text.replace("{{key}}", &self.key).replace("{{n}}", &self.number.to_string())
    }
}

/// The text in at most so many pieces of about the same length.
fn split(text: &str, count: usize) -> Vec<&str> {
    let length = text.len().div_ceil(count.max(1)).max(1);
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let mut at = length.min(rest.len());
        while !rest.is_char_boundary(at) {
            at += 1;
        }
        let (piece, after) = rest.split_at(at);
        pieces.push(piece);
        rest = after;
    }
    pieces
}
