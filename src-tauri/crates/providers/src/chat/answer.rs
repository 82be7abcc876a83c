// SPDX-License-Identifier: Apache-2.0
use super::calls::Calls;
use super::error;
use super::wire::{Chunk, Delta, Field};
use crate::sse::{Event, SseReader, TooLarge};
use bailey_ports::ModelError;
use bailey_protocol::RunErrorKind;
use bailey_protocol::model::{Finish, Reply, Usage};
use serde_json::Value;
use std::collections::HashSet;

/// An answer that is not a stream may have this many bytes.
const MAX_WHOLE: usize = 64 << 20;

/// What comes of some bytes: replies in order; an error is the last of all.
pub type Decoded = Vec<Result<Reply, ModelError>>;

/// Turns the bytes of an OpenAI-compatible answer into replies, without IO. However the bytes are split, the replies are
/// the same.
#[derive(Clone, Debug)]
pub struct Decoder {
    mode: Mode,
    state: State,
}

#[derive(Clone, Debug)]
enum Mode {
    /// Nothing but white space so far.
    Open(Vec<u8>),
    Events(SseReader),
    /// JSON in place of a stream: one answer, or one chunk a line.
    Whole(Vec<u8>),
    /// A web page.
    Page(Vec<u8>),
}

impl Decoder {
    /// `tag` begins the ids made up for calls that have none (or one of `used`, the ids of earlier calls): letters and
    /// digits, different for each answer.
    pub fn new(tag: impl Into<String>, used: HashSet<String>) -> Self {
        let state = State {
            tag: tag.into(),
            used,
            reason: None,
            calls: Calls::default(),
            usage: None,
            spoke: false,
            unread: String::new(),
            spoke_reasoning_content: false,
            over: false,
        };
        Self { mode: Mode::Open(Vec::new()), state }
    }

    /// Whether the model said why it stopped: only counts can follow.
    pub fn has_finish(&self) -> bool {
        self.state.reason.is_some()
    }

    /// Whether everything was said: nothing that comes now changes anything.
    pub fn is_over(&self) -> bool {
        self.state.over
    }

    /// Whether reasoning came in a field named `reasoning_content`.
    pub(super) fn spoke_reasoning_content(&self) -> bool {
        self.state.spoke_reasoning_content
    }

    /// Reads on.
    pub fn push(&mut self, bytes: &[u8]) -> Decoded {
        let mut out = Vec::new();
        if self.state.over {
            return out;
        }
        if let Mode::Open(held) = &mut self.mode {
            held.extend_from_slice(bytes);
            let bom: &[u8] = b"\xEF\xBB\xBF";
            if bom.starts_with(held) && held.len() < bom.len() {
                return out;
            }
            let content = held.strip_prefix(bom).unwrap_or(held).trim_ascii_start();
            let Some(first) = content.first() else { return out };
            let first = *first;
            let held = std::mem::take(held);
            self.mode = match first {
                b'{' | b'[' => Mode::Whole(Vec::new()),
                b'<' => Mode::Page(Vec::new()),
                _ => Mode::Events(SseReader::default()),
            };
            self.read(&held, &mut out);
        } else {
            self.read(bytes, &mut out);
        }
        out
    }

    fn read(&mut self, bytes: &[u8], out: &mut Decoded) {
        let state = &mut self.state;
        match &mut self.mode {
            Mode::Events(reader) => {
                if let Err(TooLarge) = reader.push(bytes, |event| state.event(event, out)) {
                    state.fail(error::too_large(), out);
                }
            }
            Mode::Whole(held) if held.len() + bytes.len() > MAX_WHOLE => state.fail(error::too_large(), out),
            Mode::Whole(held) => held.extend_from_slice(bytes),
            Mode::Page(held) => {
                held.extend_from_slice(&bytes[..bytes.len().min(error::MAX_WORDS.saturating_sub(held.len()))])
            }
            Mode::Open(_) => {}
        }
    }

    /// The bytes are over, in good order or not.
    pub fn end(&mut self) -> Decoded {
        let mut out = Vec::new();
        let state = &mut self.state;
        match &mut self.mode {
            Mode::Open(_) => {}
            Mode::Events(reader) => {
                // At most one event is left, and its size was checked when it came.
                let _ = reader.end(|event| state.event(event, &mut out));
            }
            Mode::Whole(held) => state.whole(&std::mem::take(held), &mut out),
            Mode::Page(held) => state.fail(error::page(&String::from_utf8_lossy(held)), &mut out),
        }
        self.state.finish(&mut out);
        out
    }
}

/// What has been understood so far.
#[derive(Clone, Debug)]
struct State {
    tag: String,
    used: HashSet<String>,
    reason: Option<Finish>,
    calls: Calls,
    usage: Option<Usage>,
    /// Text, a thought or a call came.
    spoke: bool,
    /// The last data that was not JSON: perhaps the server's only words on what went wrong.
    unread: String,
    spoke_reasoning_content: bool,
    over: bool,
}

impl State {
    fn event(&mut self, event: Event<'_>, out: &mut Decoded) {
        if self.over {
            return;
        }
        let data = event.data.trim();
        if data == "[DONE]" {
            self.finish(out);
            return;
        }
        if data.is_empty() {
            return;
        }
        let mut spare = Value::Null;
        match Chunk::parse(data, &mut spare) {
            Ok(_) if event.name == "error" && !self.has_finish() => self.fail(error::in_stream(data), out),
            Ok(chunk) => self.chunk(&chunk, data, out),
            Err(_) if event.name == "error" && !self.has_finish() => self.fail(error::in_stream(data), out),
            Err(problem) => {
                tracing::debug!(%problem, "an event that is not understood");
                self.unread = error::cut(data).to_owned();
            }
        }
    }

    fn has_finish(&self) -> bool {
        self.reason.is_some()
    }

    fn whole(&mut self, bytes: &[u8], out: &mut Decoded) {
        let text = String::from_utf8_lossy(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes));
        let mut understood = false;
        for value in serde_json::Deserializer::from_str(&text).into_iter::<Value>() {
            let Ok(value) = value else { break };
            let values = match value {
                Value::Array(values) => values,
                value => vec![value],
            };
            for value in values {
                let text = value.to_string();
                let mut spare = Value::Null;
                let Ok(chunk) = Chunk::parse(&text, &mut spare) else { continue };
                let choices = chunk.choices.as_deref().unwrap_or_default();
                understood |= !choices.is_empty();
                let complete = choices.iter().any(|choice| choice.message.is_some());
                self.chunk(&chunk, &text, out);
                // A whole message is an answer even where the server does not say why it ended.
                if complete && self.reason.is_none() {
                    self.reason = Some(Finish::Stop);
                }
            }
        }
        if !understood && !self.over {
            self.fail(error::not_an_answer(&text), out);
        }
    }

    fn chunk(&mut self, chunk: &Chunk<'_>, raw: &str, out: &mut Decoded) {
        let choices = chunk.choices.as_deref().unwrap_or_default();
        let says_error = chunk.error != Field::Nothing && chunk.error != Field::Other(Value::Bool(false))
            || chunk.object.text() == Some("error")
            || (choices.is_empty() && chunk.message.text().is_some() && chunk.code != Field::Nothing);
        if says_error {
            // After its reason to stop the answer is whole, whatever happens then.
            if !self.has_finish() {
                self.fail(error::in_stream(raw), out);
            }
            return;
        }
        self.count(&chunk.usage);
        self.count_value(chunk.x_groq.value().and_then(|groq| groq.get("usage")));
        for choice in choices.iter().filter(|choice| choice.index.number().unwrap_or(0) == 0) {
            self.count(&choice.usage);
            if let Some(delta) = choice.delta.as_ref().or(choice.message.as_ref()) {
                self.delta(delta, out);
            }
            match choice.finish_reason.text() {
                None | Some("null") => {}
                Some(reason) => match finish(reason) {
                    Ok(finish) => self.reason = Some(finish),
                    Err(problem) => return self.fail(problem, out),
                },
            }
        }
    }

    fn delta(&mut self, delta: &Delta<'_>, out: &mut Decoded) {
        // The same thought under both names is one thought.
        if let Some(text) = delta.reasoning_content.text() {
            self.spoke_reasoning_content = true;
            self.say(Reply::Reasoning { text: text.to_owned() }, out);
        } else if let Some(text) = delta.reasoning.text() {
            self.say(Reply::Reasoning { text: text.to_owned() }, out);
        }
        match &delta.content {
            Field::Text(text) if !text.is_empty() => self.say(Reply::Text { text: text.clone().into_owned() }, out),
            Field::Other(Value::Array(parts)) => parts.iter().for_each(|part| self.part(part, out)),
            _ => {}
        }
        if let Some(text) = delta.refusal.text() {
            self.say(Reply::Text { text: text.to_owned() }, out);
        }
        let mut began = Vec::new();
        for part in delta.tool_calls.iter().flatten() {
            self.calls.push(part, &mut began);
        }
        if let Some(function) = &delta.function_call
            && (function.name != Field::Nothing || function.arguments != Field::Nothing)
        {
            self.calls.push_function(function, &mut began);
        }
        began.into_iter().for_each(|reply| self.say(reply, out));
    }

    /// A part of a content list: text, or thinking with text parts of its own.
    fn part(&mut self, part: &Value, out: &mut Decoded) {
        let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let reply = match part.get("type").and_then(Value::as_str) {
            Some("thinking") => Reply::Reasoning {
                text: match part.get("thinking") {
                    Some(Value::Array(inner)) => inner.iter().map(|inner| text(inner, "text")).collect(),
                    _ => text(part, "thinking"),
                },
            },
            Some("reasoning") => Reply::Reasoning { text: text(part, "text") },
            Some("text" | "output_text") | None => {
                Reply::Text { text: part.as_str().map_or_else(|| text(part, "text"), str::to_owned) }
            }
            Some(_) => return,
        };
        match &reply {
            Reply::Text { text } | Reply::Reasoning { text } if text.is_empty() => {}
            _ => self.say(reply, out),
        }
    }

    fn say(&mut self, reply: Reply, out: &mut Decoded) {
        self.spoke = true;
        out.push(Ok(reply));
    }

    fn fail(&mut self, error: ModelError, out: &mut Decoded) {
        if !self.over {
            self.over = true;
            out.push(Err(error));
        }
    }

    fn count(&mut self, usage: &Field<'_>) {
        self.count_value(usage.value());
    }

    /// The newest count is the one that holds: some servers send it with every chunk.
    fn count_value(&mut self, usage: Option<&Value>) {
        if let Some(usage) = usage.filter(|usage| usage.is_object()) {
            self.usage = Some(counted(usage));
        }
    }

    fn finish(&mut self, out: &mut Decoded) {
        if self.over {
            return;
        }
        let Some(reason) = self.reason else {
            return self.fail(error::interrupted(self.spoke, &self.unread), out);
        };
        self.over = true;
        let wanted = !self.calls.is_empty();
        // A filter that cut in leaves nothing to rely on; the output limit leaves the calls before the last.
        let calls = match reason {
            Finish::Refused => Vec::new(),
            Finish::Length => self.calls.finish(true, &self.tag, &mut self.used),
            _ => self.calls.finish(false, &self.tag, &mut self.used),
        };
        let finish = match reason {
            Finish::Stop | Finish::Calls if wanted && calls.is_empty() => {
                out.push(Err(ModelError::new(
                    RunErrorKind::Server,
                    "The model called a tool without naming it. Try again; if it happens often, choose a model that is better at tools.",
                )));
                return;
            }
            _ if !calls.is_empty() => Finish::Calls,
            Finish::Calls => Finish::Stop,
            other => other,
        };
        out.extend(calls.into_iter().map(Ok));
        out.extend(self.usage.take().map(|usage| Ok(Reply::Usage { usage })));
        out.push(Ok(Reply::Finish { finish }));
    }
}

fn finish(reason: &str) -> Result<Finish, ModelError> {
    Ok(match reason.to_ascii_lowercase().as_str() {
        "tool_calls" | "function_call" | "tool_use" => Finish::Calls,
        "length" | "max_tokens" | "model_length" => Finish::Length,
        "content_filter" | "safety" | "sensitive" | "refusal" | "recitation" => Finish::Refused,
        "error" | "network_error" | "insufficient_system_resource" => return Err(error::gave_up(reason)),
        _ => Finish::Stop,
    })
}

fn counted(usage: &Value) -> Usage {
    let at = |path: &[&str]| {
        let found = path.iter().try_fold(usage, |value, key| value.get(key));
        found.and_then(Value::as_u64).map(|n| u32::try_from(n).unwrap_or(u32::MAX))
    };
    let first = |paths: &[&[&str]]| paths.iter().find_map(|path| at(path));
    let input = first(&[&["prompt_tokens"], &["input_tokens"]]).unwrap_or(0);
    let answer = first(&[&["completion_tokens"], &["output_tokens"]]).unwrap_or(0);
    let reasoning =
        first(&[&["completion_tokens_details", "reasoning_tokens"], &["output_tokens_details", "reasoning_tokens"]])
            .unwrap_or(0);
    let cached = first(&[
        &["prompt_tokens_details", "cached_tokens"],
        &["input_tokens_details", "cached_tokens"],
        &["prompt_cache_hit_tokens"],
        &["cached_tokens"],
    ])
    .unwrap_or(0);
    // Some count reasoning beside the answer: then only both together make the total.
    let both = answer.saturating_add(reasoning);
    let beside = at(&["total_tokens"]) == Some(input.saturating_add(both));
    Usage { input, cached, output: if beside { both } else { answer }, reasoning }
}

#[cfg(test)]
mod tests;
