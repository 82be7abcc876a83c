// SPDX-License-Identifier: Apache-2.0
use super::calls::Calls;
use super::native::{Kept, REASONING, REASONING_CONTENT, REASONING_TEXT};
use super::usage::counted;
use super::wire::{ANNOTATIONS, Chunk, Delta, EXECUTED, Field, IMAGES};
use crate::answer::{Asked, Decoded, Events};
use crate::failure;
use bailey_ports::ModelError;
use bailey_protocol::RunErrorKind;
use bailey_protocol::model::{Finish, Reply, Usage};
use serde_json::Value;

/// What has been understood so far.
#[derive(Clone, Debug)]
pub(crate) struct ChatAnswer {
    asked: Asked,
    reason: Option<Finish>,
    /// Something was said after a reason to stop: this server gives one with each chunk.
    goes_on: bool,
    calls: Calls,
    usage: Option<Usage>,
    kept: Kept,
    /// What comes bit by bit and is shown at the end: its kind, and the list.
    shown: Vec<(String, Vec<Value>)>,
    /// Text, a thought or a call came.
    spoke: bool,
    /// The last data that was not JSON: perhaps the server's only words on what went wrong.
    unread: String,
    over: bool,
}

impl Events for ChatAnswer {
    fn event(&mut self, name: &str, data: &str, out: &mut Decoded) {
        if data == "[DONE]" {
            self.finish(out);
            return;
        }
        if name == "error" && !self.has_finish() {
            return self.fail(failure::in_stream(data), out);
        }
        let mut chunk = Chunk::default();
        if chunk.read(data) {
            self.chunk(&chunk, data, out);
        } else {
            tracing::debug!("an event that is not understood");
            failure::cut(data).clone_into(&mut self.unread);
        }
    }

    fn whole(&mut self, _value: &Value, text: &str, out: &mut Decoded) -> bool {
        let mut chunk = Chunk::default();
        if !chunk.read(text) {
            return false;
        }
        let understood = !chunk.choices.is_empty();
        let complete = chunk.choices.iter().any(|choice| choice.is_whole);
        self.chunk(&chunk, text, out);
        // A whole message is an answer even where the server does not say why it ended.
        if complete && self.reason.is_none() {
            self.reason = Some(Finish::Stop);
        }
        understood
    }

    fn end(&mut self, out: &mut Decoded) {
        self.finish(out);
    }

    fn has_finish(&self) -> bool {
        self.reason.is_some() && !self.goes_on
    }

    fn is_over(&self) -> bool {
        self.over
    }
}

impl ChatAnswer {
    pub(crate) fn new(asked: Asked) -> Self {
        Self {
            asked,
            reason: None,
            goes_on: false,
            calls: Calls::default(),
            usage: None,
            kept: Kept::default(),
            shown: Vec::new(),
            spoke: false,
            unread: String::new(),
            over: false,
        }
    }

    fn chunk(&mut self, chunk: &Chunk<'_>, raw: &str, out: &mut Decoded) {
        let says_error = chunk.error.as_deref().is_some_and(|error| *error != Value::Bool(false))
            || chunk.object.text() == Some("error")
            || (chunk.choices.is_empty() && chunk.message.text().is_some() && chunk.code != Field::Nothing);
        if says_error {
            // After its reason to stop the answer is whole, whatever happens then.
            if !self.has_finish() {
                self.fail(failure::in_stream(raw), out);
            }
            return;
        }
        self.count(chunk.usage.as_deref());
        for (kind, sources) in &chunk.sources {
            if let Value::Array(sources) = sources {
                // Told anew with every chunk.
                sources.clone_into(self.list(kind));
            }
        }
        for choice in chunk.choices.iter().filter(|choice| choice.index.number().unwrap_or(0) == 0) {
            self.count(choice.usage.as_deref());
            if let Some(delta) = &choice.delta {
                let before = out.len();
                self.delta(delta, out);
                self.goes_on |=
                    self.reason.is_some() && (out.len() > before || delta.tool_calls.iter().next().is_some());
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
        self.thought(delta, out);
        match &delta.content {
            Field::Text(text) if !text.is_empty() => {
                self.kept.said(text);
                self.say(Reply::Text { text: text.clone().into_owned() }, out);
            }
            Field::Other(value) => {
                if let Value::Array(parts) = value.as_ref() {
                    parts.iter().for_each(|part| self.part(part, out));
                }
            }
            _ => {}
        }
        if let Some(text) = delta.refusal.text() {
            self.say(Reply::Text { text: text.to_owned() }, out);
        }
        for part in delta.tool_calls.iter() {
            if part.function.is_none()
                && let Some(kind) = part.r#type.text().filter(|kind| *kind != "function")
            {
                // Not a function's: the provider's own tool, which nobody here offered.
                let id = part.id.text().unwrap_or_default();
                let data = serde_json::json!({ "type": kind, "id": id });
                self.say(Reply::Item { kind: kind.to_owned(), data }, out);
            } else if let Some(name) = self.calls.push(part) {
                self.say(Reply::CallBegan { name: self.asked.names.back(&name) }, out);
            }
        }
        if let Some(function) = &delta.function_call
            && (function.name != Field::Nothing || function.arguments != Field::Nothing)
            && let Some(name) = self.calls.push_function(function)
        {
            self.say(Reply::CallBegan { name: self.asked.names.back(&name) }, out);
        }
        for (key, value) in &delta.more {
            match (key.as_str(), value) {
                (IMAGES, Value::Array(images)) => {
                    for image in images {
                        self.say(Reply::Item { kind: "image".to_owned(), data: image.clone() }, out);
                    }
                }
                (ANNOTATIONS, Value::Array(notes)) => {
                    let list = self.list("citations");
                    for note in notes {
                        if !list.contains(note) {
                            list.push(note.clone());
                        }
                    }
                }
                (EXECUTED, Value::Array(tools)) => {
                    let list = self.list(EXECUTED);
                    for tool in tools {
                        // First the call, then the same with its result.
                        let number = tool.get("index").filter(|number| number.is_number());
                        match list.iter_mut().find(|known| number.is_some() && known.get("index") == number) {
                            Some(known) => known.clone_from(tool),
                            None => list.push(tool.clone()),
                        }
                    }
                }
                (IMAGES | ANNOTATIONS | EXECUTED, _) => {}
                (key, value) => self.kept.field(key, value),
            }
        }
    }

    /// The same thought may come under several names.
    fn thought(&mut self, delta: &Delta<'_>, out: &mut Decoded) {
        let fields = [
            (REASONING_CONTENT, &delta.reasoning_content),
            (REASONING, &delta.reasoning),
            (REASONING_TEXT, &delta.reasoning_text),
        ];
        if let Some((field, text)) = fields.into_iter().find_map(|(field, value)| Some((field, value.text()?))) {
            self.kept.reasoned(field);
            self.say(Reply::Reasoning { text: text.to_owned() }, out);
            return;
        }
        // Only the details: of text or a summary.
        let details = delta.more.iter().filter(|(key, _)| key == "reasoning_details" || key == "thinking_blocks");
        for detail in details.filter_map(|(_, list)| list.as_array()).flatten() {
            let text = ["text", "summary", "thinking"].iter().find_map(|key| detail.get(key)?.as_str());
            if let Some(text) = text.filter(|text| !text.is_empty()) {
                self.say(Reply::Reasoning { text: text.to_owned() }, out);
            }
        }
    }

    /// A part of a content list: text, thinking with parts of its own, or something to show.
    fn part(&mut self, part: &Value, out: &mut Decoded) {
        let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let reply = match part.get("type").and_then(Value::as_str) {
            Some("thinking") => {
                self.kept.part(part);
                Reply::Reasoning {
                    text: match part.get("thinking") {
                        Some(Value::Array(inner)) => inner.iter().map(|inner| text(inner, "text")).collect(),
                        _ => text(part, "thinking"),
                    },
                }
            }
            Some("reasoning") => {
                self.kept.part(part);
                Reply::Reasoning { text: text(part, "text") }
            }
            Some("text" | "output_text") | None => {
                let text = part.as_str().map_or_else(|| text(part, "text"), str::to_owned);
                self.kept.said(&text);
                Reply::Text { text }
            }
            Some(kind) => {
                self.kept.part(part);
                Reply::Item { kind: kind.to_owned(), data: part.clone() }
            }
        };
        match &reply {
            Reply::Text { text } | Reply::Reasoning { text } if text.is_empty() => {}
            _ => self.say(reply, out),
        }
    }

    /// What is shown at the end under this kind.
    fn list(&mut self, kind: &str) -> &mut Vec<Value> {
        let at = self.shown.iter().position(|(known, _)| known == kind).unwrap_or_else(|| {
            self.shown.push((kind.to_owned(), Vec::new()));
            self.shown.len() - 1
        });
        &mut self.shown[at].1
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

    /// The newest count is the one that holds: some servers send it with every chunk.
    fn count(&mut self, usage: Option<&Value>) {
        if let Some(usage) = usage.filter(|usage| usage.is_object()) {
            self.usage = Some(counted(usage));
        }
    }

    fn finish(&mut self, out: &mut Decoded) {
        if self.over {
            return;
        }
        let Some(reason) = self.reason else {
            return self.fail(failure::interrupted(self.spoke, &self.unread), out);
        };
        self.over = true;
        for (kind, list) in std::mem::take(&mut self.shown) {
            if kind == EXECUTED {
                let kind_of = |tool: &Value| tool.get("type").and_then(Value::as_str).unwrap_or(EXECUTED).to_owned();
                out.extend(list.into_iter().map(|data| Ok(Reply::Item { kind: kind_of(&data), data })));
            } else if !list.is_empty() {
                out.push(Ok(Reply::Item { kind, data: list.into() }));
            }
        }
        let wanted = !self.calls.is_empty();
        // A filter that cut in leaves nothing to rely on; the output limit leaves the calls before the last.
        let calls = match reason {
            Finish::Refused => Vec::new(),
            Finish::Length => self.calls.finish(true, &mut self.asked),
            _ => self.calls.finish(false, &mut self.asked),
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
        let native = (finish != Finish::Refused).then(|| self.kept.finish(&self.asked.origin, &calls)).flatten();
        out.extend(calls.into_iter().map(|(call, _)| Ok(call)));
        out.extend(self.usage.take().map(|usage| Ok(Reply::Usage { usage })));
        out.extend(native.map(Ok));
        out.push(Ok(Reply::Finish { finish }));
    }
}

fn finish(reason: &str) -> Result<Finish, ModelError> {
    Ok(match reason.to_ascii_lowercase().as_str() {
        "tool_calls" | "function_call" | "tool_use" => Finish::Calls,
        "length" | "max_tokens" | "model_length" => Finish::Length,
        "content_filter" | "safety" | "sensitive" | "refusal" | "recitation" => Finish::Refused,
        "error" | "network_error" | "insufficient_system_resource" => return Err(failure::gave_up(reason)),
        _ => Finish::Stop,
    })
}

#[cfg(test)]
mod tests;
