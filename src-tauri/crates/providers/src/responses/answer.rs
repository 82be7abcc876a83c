// SPDX-License-Identifier: Apache-2.0
//! The events of an answer.
//!
//! The same thing comes several times: piece by piece, whole when it is done, with its item, and in the list at the end.
//! Each is said once, from whichever came first. Pictures that are still being painted are not kept; the finished one is.

mod calls;
mod ending;
mod items;
mod native;
mod said;
#[cfg(test)]
mod tests;

use super::wire::{Head, closed, list, text};
use crate::answer::{Asked, Decoded, Events};
use crate::failure;
use bailey_ports::ModelError;
use bailey_protocol::RunErrorKind;
use bailey_protocol::model::{Reply, Usage};
use items::{Items, Shape};
use said::{Part, Voice};
use serde_json::Value;
use std::borrow::Cow;

/// What has been understood so far.
#[derive(Clone, Debug)]
pub(crate) struct ResponsesAnswer {
    asked: Asked,
    items: Items,
    text: Voice,
    thought: Voice,
    /// Items of the provider's own, too.
    spoke: bool,
    /// Something was said that belongs to no item.
    stray: bool,
    usage: Option<Usage>,
    /// The last data that was not understood: perhaps the server's only words on what went wrong.
    unread: String,
    finished: bool,
    over: bool,
}

impl Events for ResponsesAnswer {
    fn event(&mut self, name: &str, data: &str, out: &mut Decoded) {
        if data == "[DONE]" {
            return self.end(out);
        }
        if !data.starts_with('{') {
            self.unread = failure::cut(data).to_owned();
            if name == "error" {
                self.fail(failure::in_stream(data), out);
            }
            return;
        }
        let mut spare = Value::Null;
        match Head::parse(data, &mut spare) {
            Ok(head) => self.told(name, head, data, out),
            Err(problem) => self.unreadable(name, data, &problem, out),
        }
    }

    fn whole(&mut self, value: &Value, text: &str, out: &mut Decoded) -> bool {
        let kind = self::text(value, "type");
        if kind.starts_with("response.") || kind == "error" {
            self.event("", text, out);
            return true;
        }
        if is_response(value) {
            self.ended("", value, true, out);
            return true;
        }
        if value.get("error").is_some_and(|error| !error.is_null()) {
            self.fail(failure::in_stream(text), out);
            return true;
        }
        false
    }

    fn end(&mut self, out: &mut Decoded) {
        let error = failure::interrupted(self.spoke, &self.unread);
        self.fail(error, out);
    }

    fn has_finish(&self) -> bool {
        self.finished
    }

    fn is_over(&self) -> bool {
        self.over
    }
}

impl ResponsesAnswer {
    pub(crate) fn new(asked: Asked) -> Self {
        Self {
            asked,
            items: Items::default(),
            text: Voice::default(),
            thought: Voice::default(),
            spoke: false,
            stray: false,
            usage: None,
            unread: String::new(),
            finished: false,
            over: false,
        }
    }

    /// An event of any kind.
    fn told(&mut self, name: &str, head: Head<'_>, data: &str, out: &mut Decoded) {
        let kind = match head.kind.text() {
            "" => name,
            kind => kind,
        };
        let part = match kind {
            "response.output_text.delta" => Part::Text,
            "response.refusal.delta" => Part::Refusal,
            "response.reasoning_summary_text.delta" | "response.reasoning_summary.delta" => Part::Summary,
            "response.reasoning_text.delta" | "response.reasoning.delta" => Part::Thought,
            "response.function_call_arguments.delta" => {
                let at = self.items.for_piece(head.output_index.0, head.item_id.text(), Shape::Call);
                self.items.slots[at].arguments.push_str(head.delta.text());
                return;
            }
            _ => return self.rare(kind, &head, data, out),
        };
        let Some(delta) = head.delta.0 else { return };
        let shape = if matches!(part, Part::Text | Part::Refusal) { Shape::Message } else { Shape::Reasoning };
        let at = self.items.for_piece(head.output_index.0, head.item_id.0.as_deref().unwrap_or_default(), shape);
        let index = if part == Part::Summary { head.summary_index } else { head.content_index };
        self.say(at, part, index.0.unwrap_or(0), delta, out);
    }

    /// An event that is none of the small and many.
    fn rare(&mut self, kind: &str, head: &Head<'_>, data: &str, out: &mut Decoded) {
        let (index, id) = (head.output_index.0, head.item_id.text());
        let content = head.content_index.0.unwrap_or(0);
        if is_noise(kind) {
            return;
        }
        // It was read once already, without its values.
        let Ok(mut value) = serde_json::from_str::<Value>(data) else { return };
        match kind {
            "response.completed"
            | "response.done"
            | "response.incomplete"
            | "response.failed"
            | "response.cancelled" => self.ended(kind, value.get("response").unwrap_or(&value), true, out),
            "error" | "response.error" => self.fail(failure::in_stream(data), out),
            "response.output_item.added" => self.began(index, value["item"].take(), out),
            "response.output_item.done" => self.came(index, value["item"].take(), out),
            "response.output_text.done" => self.rest(index, id, Part::Text, content, text(&value, "text"), out),
            "response.refusal.done" => self.rest(index, id, Part::Refusal, content, text(&value, "refusal"), out),
            "response.reasoning_text.done" | "response.reasoning.done" => {
                self.rest(index, id, Part::Thought, content, text(&value, "text"), out);
            }
            "response.reasoning_summary_text.done" | "response.reasoning_summary.done" => {
                let summary = head.summary_index.0.unwrap_or(0);
                self.rest(index, id, Part::Summary, summary, text(&value, "text"), out);
            }
            "response.reasoning_summary_part.done" => {
                let summary = head.summary_index.0.unwrap_or(0);
                self.rest(index, id, Part::Summary, summary, text(&value["part"], "text"), out);
            }
            "response.content_part.done" => {
                let part = &value["part"];
                match text(part, "type") {
                    "output_text" | "text" => self.rest(index, id, Part::Text, content, text(part, "text"), out),
                    "refusal" => self.rest(index, id, Part::Refusal, content, text(part, "refusal"), out),
                    "reasoning_text" => self.rest(index, id, Part::Thought, content, text(part, "text"), out),
                    // Others come with their item.
                    _ => {}
                }
            }
            "response.function_call_arguments.done" => {
                let at = self.items.for_piece(index, id, Shape::Call);
                let slot = &mut self.items.slots[at];
                if let Some(whole) = arguments(&value) {
                    slot.arguments = whole;
                }
                slot.whole = true;
                if slot.name.is_empty() {
                    slot.name = text(&value, "name").to_owned();
                }
            }
            "response.output_text.annotation.added" | "response.output_text_annotation.added" => {
                let at = self.items.for_piece(index, id, Shape::Message);
                self.items.slots[at].annotations.push(value["annotation"].take());
            }
            _ if kind.is_empty() && value.get("error").is_some_and(|error| !error.is_null()) => {
                self.fail(failure::in_stream(data), out);
            }
            _ if kind.is_empty() && is_response(&value) => self.ended("", &value, true, out),
            _ => {
                let kind = if kind.is_empty() { "event" } else { kind }.to_owned();
                self.stray = true;
                self.reply(Reply::Item { kind, data: value }, out);
            }
        }
    }

    /// Data that is not JSON. A last event that only lacks brackets still says that the answer is complete.
    fn unreadable(&mut self, name: &str, data: &str, problem: &serde_json::Error, out: &mut Decoded) {
        if name == "error" || name == "response.failed" {
            return self.fail(failure::in_stream(data), out);
        }
        if problem.is_eof()
            && let Some(value) = closed(data)
        {
            let kind = text(&value, "type");
            let all_came = !self.items.slots.is_empty() && self.items.slots.iter().all(|slot| slot.done);
            if matches!(kind, "response.completed" | "response.incomplete") && all_came {
                return self.ended(kind, &value["response"], false, out);
            }
        }
        tracing::debug!(%problem, "an event that is not understood");
        self.unread = failure::cut(data).to_owned();
    }

    /// An item begins.
    fn began(&mut self, index: Option<u64>, item: Value, out: &mut Decoded) {
        let kind = kind_of(&item);
        let shape = Shape::of(kind);
        let id = text(&item, "id");
        // Pieces may come before the start, and a start twice.
        let call_id = text(&item, "call_id");
        let known = self.items.find(index, id).filter(|at| {
            let slot = &self.items.slots[*at];
            let other_call = !call_id.is_empty() && !slot.call_id.is_empty() && slot.call_id != call_id;
            let again = slot.kind == kind && !other_call && (slot.is_untouched() || (!id.is_empty() && slot.id == id));
            slot.shape == shape && !slot.done && (!slot.begun || again)
        });
        let at = match known {
            Some(at) => self.items.name(at, id),
            None => self.items.add(shape, kind, index, id),
        };
        let slot = &mut self.items.slots[at];
        slot.begun = true;
        if shape == Shape::Call {
            slot.call_id = text(&item, "call_id").to_owned();
            slot.name = text(&item, "name").to_owned();
        }
        slot.item = item;
        self.tell_call(at, out);
    }

    /// An item came whole.
    fn came(&mut self, index: Option<u64>, item: Value, out: &mut Decoded) {
        let kind = kind_of(&item);
        let id = text(&item, "id");
        let found = self.items.find(index, id).filter(|at| self.items.slots[*at].kind == kind);
        let at = match found {
            Some(at) if !self.items.slots[at].done => at,
            Some(at) if is_same(&self.items.slots[at].item, &item) => return,
            _ => match self.items.open(kind).filter(|_| found.is_none()) {
                Some(at) => at,
                None => self.items.add(Shape::of(kind), kind, index, id),
            },
        };
        self.complete(at, item, out);
    }

    /// Says everything again but this item: of what was said of it most is missing, and the rest is not its beginning.
    fn begin_anew(&mut self, at: usize, out: &mut Decoded) {
        let kept = |slot: &items::Slot| slot.done || slot.is_untouched();
        let others = || self.items.slots.iter().enumerate().filter(|(other, _)| *other != at);
        if self.stray || !others().all(|(_, slot)| kept(slot)) {
            return;
        }
        out.push(Ok(Reply::Retry { kind: RunErrorKind::Interrupted, wait_ms: 0 }));
        (self.text, self.thought) = (Voice::default(), Voice::default());
        for other in 0..self.items.slots.len() {
            let slot = &mut self.items.slots[other];
            (slot.said, slot.told) = (said::Said::default(), false);
            if other != at && slot.done {
                let item = slot.item.take();
                self.complete(other, item, out);
            } else {
                self.tell_call(other, out);
            }
        }
    }

    /// Takes an item as it came whole.
    fn complete(&mut self, at: usize, item: Value, out: &mut Decoded) {
        let slot = &mut self.items.slots[at];
        let mut texts = (0..).zip(list(&item, "content"));
        if slot.shape == Shape::Message
            && texts.any(|(index, part)| slot.said.lacks_most_of(Part::Text, index, text(part, "text")))
        {
            self.begin_anew(at, out);
        }
        let slot = &mut self.items.slots[at];
        slot.done = true;
        match slot.shape {
            Shape::Message => {
                if let Some(words) = item.get("content").and_then(Value::as_str) {
                    self.say_rest(at, Part::Text, 0, words, out);
                }
                let mut cited = false;
                for (index, part) in (0..).zip(list(&item, "content")) {
                    match text(part, "type") {
                        "output_text" | "text" => self.say_rest(at, Part::Text, index, text(part, "text"), out),
                        "refusal" => self.say_rest(at, Part::Refusal, index, text(part, "refusal"), out),
                        kind => {
                            let kind = if kind.is_empty() { "content" } else { kind }.to_owned();
                            self.reply(Reply::Item { kind, data: part.clone() }, out);
                        }
                    }
                    let annotations = list(part, "annotations");
                    if !annotations.is_empty() {
                        cited = true;
                        self.cite(annotations.to_vec(), out);
                    }
                }
                let told = std::mem::take(&mut self.items.slots[at].annotations);
                if !cited && !told.is_empty() {
                    self.cite(told, out);
                }
            }
            Shape::Reasoning => {
                for (index, part) in (0..).zip(list(&item, "summary")) {
                    self.say_rest(at, Part::Summary, index, text(part, "text"), out);
                }
                for (index, part) in (0..).zip(list(&item, "content")) {
                    self.say_rest(at, Part::Thought, index, text(part, "text"), out);
                }
            }
            Shape::Call => {
                for (field, key) in [(&mut slot.name, "name"), (&mut slot.call_id, "call_id")] {
                    if !text(&item, key).is_empty() {
                        *field = text(&item, key).to_owned();
                    }
                }
                if let Some(whole) = arguments(&item) {
                    slot.arguments = whole;
                }
                slot.whole = true;
                self.tell_call(at, out);
            }
            Shape::Other => {
                let kind = slot.kind.clone();
                self.reply(Reply::Item { kind, data: item.clone() }, out);
            }
        }
        self.items.slots[at].item = item;
    }

    fn cite(&mut self, annotations: Vec<Value>, out: &mut Decoded) {
        self.reply(Reply::Item { kind: "citations".to_owned(), data: Value::Array(annotations) }, out);
    }

    /// Tells a call's name, once. What wraps several calls is none.
    fn tell_call(&mut self, at: usize, out: &mut Decoded) {
        let slot = &mut self.items.slots[at];
        if slot.shape != Shape::Call || slot.told || slot.name.is_empty() || calls::may_wrap(&slot.name) {
            return;
        }
        slot.told = true;
        let name = self.asked.names.back(&slot.name);
        self.reply(Reply::CallBegan { name }, out);
    }

    fn rest(&mut self, index: Option<u64>, id: &str, part: Part, number: u64, whole: &str, out: &mut Decoded) {
        let shape = if matches!(part, Part::Text | Part::Refusal) { Shape::Message } else { Shape::Reasoning };
        // What repeats a part of an item that is done says nothing new.
        let done = self.items.find(index, id).is_some_and(|at| {
            let slot = &self.items.slots[at];
            slot.done && slot.shape == shape
        });
        if !whole.is_empty() && !done {
            let at = self.items.for_piece(index, id, shape);
            self.say_rest(at, part, number, whole, out);
        }
    }

    fn say_rest(&mut self, at: usize, part: Part, number: u64, whole: &str, out: &mut Decoded) {
        let rest = self.items.slots[at].said.rest(part, number, whole);
        if !rest.is_empty() {
            self.say(at, part, number, Cow::Borrowed(rest), out);
        }
    }

    /// Says a piece of a part.
    fn say(&mut self, at: usize, part: Part, number: u64, piece: Cow<'_, str>, out: &mut Decoded) {
        if piece.is_empty() {
            return;
        }
        let said = &mut self.items.slots[at].said;
        let first_of_item = said.is_empty();
        let first = said.add(part, number, &piece);
        let (voice, paragraph) = match part {
            Part::Text | Part::Refusal => (&mut self.text, first_of_item),
            Part::Summary | Part::Thought => (&mut self.thought, first),
        };
        let gap = if paragraph { voice.gap() } else { "" };
        voice.add(&piece);
        let text = if gap.is_empty() { piece.into_owned() } else { format!("{gap}{piece}") };
        let reply = match part {
            Part::Text | Part::Refusal => Reply::Text { text },
            Part::Summary | Part::Thought => Reply::Reasoning { text },
        };
        self.reply(reply, out);
    }

    fn reply(&mut self, reply: Reply, out: &mut Decoded) {
        self.spoke = true;
        out.push(Ok(reply));
    }

    fn fail(&mut self, error: ModelError, out: &mut Decoded) {
        if !self.over {
            self.over = true;
            out.push(Err(error));
        }
    }
}

/// Whether this is a response, whole.
fn is_response(value: &Value) -> bool {
    value.get("output").is_some_and(Value::is_array) || text(value, "object") == "response"
}

/// The kind of an item, by what it holds where it does not say.
fn kind_of(item: &Value) -> &str {
    match text(item, "type") {
        "" if item.get("arguments").is_some() && item.get("name").is_some() => "function_call",
        "" if item.get("content").is_some() => "message",
        "" => "item",
        kind => kind,
    }
}

/// Whether one item came twice; servers that give every event a new id mean the same by two.
fn is_same(known: &Value, item: &Value) -> bool {
    let same = |key: &str| !text(item, key).is_empty() && text(item, key) == text(known, key);
    let bare = |value: &Value| {
        let mut value = value.clone();
        value.as_object_mut().map(|object| object.shift_remove("id"));
        value
    };
    same("id") || same("call_id") || bare(known) == bare(item)
}

/// Arguments that came whole: text; some send the object itself.
fn arguments(value: &Value) -> Option<String> {
    match value.get("arguments")? {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        object @ (Value::Object(_) | Value::Array(_)) => Some(object.to_string()),
        _ => None,
    }
}

/// Events that say nothing which does not come again: signs of life and of progress, and pieces of items that come whole.
fn is_noise(kind: &str) -> bool {
    const SIGNS: &[&str] = &[
        "ping",
        "keepalive",
        "heartbeat",
        "response.heartbeat",
        "response.keepalive",
        "response.created",
        "response.in_progress",
        "response.queued",
        "response.content_part.added",
        "response.reasoning_summary_part.added",
        "rate_limits.updated",
        "response.rate_limits.updated",
        "codex.rate_limits",
    ];
    const PIECES: &[&str] = &[
        "response.custom_tool_call_input.",
        "response.mcp_call_arguments.",
        "response.mcp_call.arguments.",
        "response.code_interpreter_call_code.",
        "response.code_interpreter_call.code.",
        "response.shell_call_command.",
        "response.shell_call_output_content.",
        "response.apply_patch_call_operation_diff.",
        "response.image_generation_call.partial_image",
    ];
    if SIGNS.contains(&kind) || PIECES.iter().any(|piece| kind.starts_with(piece)) {
        return true;
    }
    // The progress of the provider's own tools: `response.web_search_call.searching`.
    let progress = kind.strip_prefix("response.").and_then(|rest| rest.split_once('.'));
    progress.is_some_and(|(item, state)| {
        (item.ends_with("_call") || item == "mcp_list_tools")
            && ["in_progress", "searching", "interpreting", "generating", "completed", "failed", "incomplete"]
                .contains(&state)
    })
}
