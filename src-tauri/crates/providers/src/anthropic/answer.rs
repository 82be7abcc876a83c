// SPDX-License-Identifier: Apache-2.0
use super::block::{Block, Kind};
use super::usage::Counts;
use super::wire::{DeltaEvent, StartText, finish, index, says_error};
use crate::answer::{Asked, Decoded, Events};
use crate::failure;
use bailey_ports::ModelError;
use bailey_protocol::RunErrorKind;
use bailey_protocol::model::{Finish, Native, Reply};
use serde_json::{Map, Value};
use std::sync::Arc;

/// What has been understood of an answer so far.
///
/// An answer is one message. Where a gateway lost its provider in the middle and asked again, a second one begins while
/// the first is open: what the first said is void, as after a retry of our own. A message that begins after one that
/// ended goes on with it.
#[derive(Clone, Debug)]
pub(crate) struct MessagesAnswer {
    asked: Asked,
    /// The id of the message that is being written.
    open: Option<String>,
    /// Of all messages that count.
    blocks: Vec<Block>,
    /// Where the blocks of the newest message begin.
    begun: usize,
    /// A reason that came with the beginning; others come at the end.
    early: Option<Finish>,
    reason: Option<Finish>,
    counts: Counts,
    /// Text, a thought or a call came.
    spoke: bool,
    /// The last data that was not understood: perhaps the server's only words on what went wrong.
    unread: String,
    over: bool,
}

impl Events for MessagesAnswer {
    fn event(&mut self, name: &str, data: &str, out: &mut Decoded) {
        if let Ok(event) = serde_json::from_str::<DeltaEvent<'_>>(data)
            && event.kind == "content_block_delta"
            && self.add(&event, out)
        {
            return;
        }
        match serde_json::from_str::<Value>(data) {
            Ok(value @ Value::Object(_)) => {
                self.value(name, value, data, out);
            }
            _ if data == "[DONE]" => {
                if self.has_finish() {
                    self.finish(out);
                }
            }
            _ if name == "error" => self.fail(failure::in_stream(data), out),
            _ => {
                tracing::debug!("an event that is not understood");
                self.unread = failure::cut(data).to_owned();
            }
        }
    }

    fn whole(&mut self, value: &Value, text: &str, out: &mut Decoded) -> bool {
        value.is_object() && self.value("", value.clone(), text, out)
    }

    fn end(&mut self, out: &mut Decoded) {
        self.finish(out);
    }

    fn has_finish(&self) -> bool {
        self.reason.is_some()
    }

    fn is_over(&self) -> bool {
        self.over
    }
}

impl MessagesAnswer {
    pub(crate) fn new(asked: Asked) -> Self {
        Self {
            asked,
            open: None,
            blocks: Vec::new(),
            begun: 0,
            early: None,
            reason: None,
            counts: Counts::default(),
            spoke: false,
            unread: String::new(),
            over: false,
        }
    }

    /// Adds text as it comes most often; whether that was possible.
    fn add(&mut self, event: &DeltaEvent<'_>, out: &mut Decoded) -> bool {
        let Some(block) = self.blocks[self.begun..].iter_mut().rev().find(|block| block.index == Some(event.index))
        else {
            return false;
        };
        let (text, reply): (&str, fn(String) -> Reply) = match (&*event.delta.kind, block.kind) {
            ("text_delta", Kind::Text) => (&event.delta.text, |text| Reply::Text { text }),
            ("thinking_delta", Kind::Thinking) => (&event.delta.thinking, |text| Reply::Reasoning { text }),
            ("input_json_delta", Kind::Call | Kind::Other) => {
                block.push(&event.delta.partial_json);
                return true;
            }
            _ => return false,
        };
        if !text.is_empty() {
            block.push(text);
            self.spoke = true;
            out.push(Ok(reply(text.to_owned())));
        }
        true
    }

    /// Any event, or a whole message; whether it was understood.
    fn value(&mut self, name: &str, mut event: Value, data: &str, out: &mut Decoded) -> bool {
        let kind = event.get("type").and_then(Value::as_str).unwrap_or(name).to_owned();
        let known = matches!(
            kind.as_str(),
            "message_start"
                | "message_delta"
                | "message_stop"
                | "message"
                | "content_block_start"
                | "content_block_delta"
                | "content_block_stop"
                | "ping"
        );
        if kind == "error"
            || (!known && says_error(&event))
            || !matches!(event["error"], Value::Null | Value::Bool(false))
        {
            self.fail(failure::in_stream(data), out);
            return true;
        }
        match kind.as_str() {
            "ping" => {}
            "message_start" => self.begin(event["message"].take(), out),
            "message" => {
                self.begin(event, out);
                self.stop();
            }
            "content_block_start" => {
                let index = index(&event);
                // Read anew for its exact text, which may have to go back.
                let exact =
                    serde_json::from_str::<StartText<'_>>(data).ok().map(|start| start.content_block.get().to_owned());
                if let Value::Object(start) = event["content_block"].take() {
                    self.begin_block(index, start, exact, out);
                }
            }
            "content_block_delta" => self.delta(event, out),
            "content_block_stop" => {
                let index = index(&event);
                let open = self.blocks[self.begun..].iter_mut().rev();
                if let Some(block) =
                    open.filter(|block| !block.closed).find(|block| index.is_none() || block.index == index)
                {
                    block.closed = true;
                    show(block, out);
                }
            }
            "message_delta" => self.message_delta(event, out),
            "message_stop" => {
                self.count(&event["usage"]);
                self.stop();
            }
            "" => {
                self.unread = failure::cut(data).to_owned();
                return false;
            }
            _ => out.push(Ok(Reply::Item { kind, data: event })),
        }
        true
    }

    fn begin(&mut self, message: Value, out: &mut Decoded) {
        let mut message = if message.is_object() { message } else { Value::Object(Map::new()) };
        let id = message.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
        match &self.open {
            // The same beginning twice.
            Some(open) if *open == id => return self.count(&message["usage"]),
            Some(_) => {
                if std::mem::take(&mut self.spoke) {
                    out.push(Ok(Reply::Retry { kind: RunErrorKind::Interrupted, wait_ms: 0 }));
                }
                self.blocks.clear();
            }
            None => self.settle(out),
        }
        self.begun = self.blocks.len();
        self.reason = None;
        self.counts = Counts::default();
        self.count(&message["usage"]);
        self.open = Some(id);
        if let Value::Array(content) = message["content"].take() {
            for (at, block) in content.into_iter().enumerate() {
                if let Value::Object(start) = block {
                    self.begin_block(Some(at as u64), start, None, out);
                }
            }
            for block in &mut self.blocks[self.begun..] {
                block.closed = true;
                show(block, out);
            }
        }
        self.early = match message.get("stop_reason").and_then(Value::as_str) {
            None | Some("") => None,
            Some(reason) => finish(reason).ok(),
        };
        for key in ["context_management", "input_transformations", "stop_details"] {
            tell(key, message[key].take(), out);
        }
    }

    fn begin_block(&mut self, index: Option<u64>, start: Map<String, Value>, exact: Option<String>, out: &mut Decoded) {
        let same = self.blocks[self.begun..].iter_mut().rev().find(|block| block.index == index && index.is_some());
        if let Some(block) = same.filter(|block| !block.closed) {
            if block.begins_like(&start) {
                return;
            }
            block.closed = true;
            show(block, out);
        }
        let block = Block::new(index, start, exact);
        let reply = match block.kind {
            Kind::Text => Some(Reply::Text { text: block.text().to_owned() }).filter(|_| !block.text().is_empty()),
            Kind::Thinking => {
                Some(Reply::Reasoning { text: block.text().to_owned() }).filter(|_| !block.text().is_empty())
            }
            Kind::Call => Some(block.field("name"))
                .filter(|name| !name.is_empty())
                .map(|name| Reply::CallBegan { name: self.asked.names.back(name) }),
            Kind::Redacted | Kind::Other => None,
        };
        self.blocks.push(block);
        if let Some(reply) = reply {
            self.spoke = true;
            out.push(Ok(reply));
        }
    }

    /// A delta that is not among those that come most often, or not quite as it should be.
    fn delta(&mut self, mut event: Value, out: &mut Decoded) {
        let index = index(&event);
        let delta = event["delta"].take();
        let text = |field: &str| delta.get(field).and_then(Value::as_str);
        let kind = text("type").map(str::to_owned).or_else(|| {
            let known = [
                ("text", "text_delta"),
                ("thinking", "thinking_delta"),
                ("partial_json", "input_json_delta"),
                ("signature", "signature_delta"),
                ("citation", "citations_delta"),
            ];
            known.iter().find(|(field, _)| delta.get(*field).is_some()).map(|(_, kind)| (*kind).to_owned())
        });
        let Some(kind) = kind else { return };
        let fits = |block: &Block| match kind.as_str() {
            "text_delta" | "citations_delta" => block.kind == Kind::Text,
            "thinking_delta" | "signature_delta" => block.kind == Kind::Thinking,
            "input_json_delta" => matches!(block.kind, Kind::Call | Kind::Other),
            "compaction_delta" => block.type_name() == "compaction",
            _ => true,
        };
        // The block it names; where that can't be, the newest that it can be meant for.
        let named = self.blocks[self.begun..].iter().rposition(|block| index.is_some() && block.index == index);
        let named = named.filter(|at| fits(&self.blocks[self.begun + at]) || kind == "signature_delta");
        let meant = named.or_else(|| self.blocks[self.begun..].iter().rposition(|block| !block.closed && fits(block)));
        let meant = meant.or_else(|| self.blocks[self.begun..].iter().rposition(fits).filter(|_| index.is_none()));
        let at = match meant {
            Some(at) => self.begun + at,
            None => {
                let implied = match kind.as_str() {
                    "text_delta" | "citations_delta" => "text",
                    "thinking_delta" | "signature_delta" => "thinking",
                    // Whose input that is nobody can tell.
                    "input_json_delta" | "compaction_delta" => return tracing::debug!(kind, "a delta of no block"),
                    _ => {
                        event["delta"] = delta;
                        return out.push(Ok(Reply::Item { kind, data: event }));
                    }
                };
                self.blocks.push(Block::implied(index, implied));
                self.blocks.len() - 1
            }
        };
        let block = &mut self.blocks[at];
        match kind.as_str() {
            "text_delta" | "thinking_delta" => {
                let field = if kind == "text_delta" { "text" } else { "thinking" };
                let Some(added) = text(field).filter(|added| !added.is_empty()) else { return };
                block.push(added);
                let text = added.to_owned();
                self.spoke = true;
                out.push(Ok(if kind == "text_delta" { Reply::Text { text } } else { Reply::Reasoning { text } }));
            }
            "input_json_delta" => match delta.get("partial_json") {
                Some(Value::String(added)) => block.push(added),
                None | Some(Value::Null) => {}
                Some(other) => block.push(&other.to_string()),
            },
            // A signature comes whole.
            "signature_delta" => {
                if let Some(signature) = text("signature") {
                    block.set("signature", signature.into());
                }
            }
            "citations_delta" => {
                if let Some(citation) = delta.get("citation").filter(|citation| !citation.is_null()) {
                    block.cite(citation.clone());
                }
            }
            "compaction_delta" => {
                block.push(text("content").unwrap_or_default());
                for (field, value) in delta.as_object().into_iter().flatten() {
                    if !matches!(field.as_str(), "type" | "content") && !value.is_null() {
                        block.set(field, value.clone());
                    }
                }
            }
            _ => {
                block.odd = true;
                event["delta"] = delta;
                out.push(Ok(Reply::Item { kind, data: event }));
            }
        }
    }

    fn message_delta(&mut self, mut event: Value, out: &mut Decoded) {
        self.count(&event["usage"]);
        let mut delta = event["delta"].take();
        let reason = delta.get("stop_reason").and_then(Value::as_str).unwrap_or_default().to_owned();
        for (source, consumed) in [
            // A container is where its code ran, of use only to who asked for that.
            (&mut delta, ["stop_reason", "stop_sequence", "type", "usage", "container"].as_slice()),
            (&mut event, ["type", "usage", "delta", "error"].as_slice()),
        ] {
            for (key, value) in source.as_object_mut().into_iter().flatten() {
                if !consumed.contains(&key.as_str()) {
                    tell(key, value.take(), out);
                }
            }
        }
        if !reason.is_empty() {
            match finish(&reason) {
                Ok(finish) => {
                    self.reason = Some(finish);
                    self.open = None;
                }
                Err(problem) => self.fail(problem, out),
            }
        }
    }

    /// The message is whole.
    fn stop(&mut self) {
        self.reason = self.reason.or(self.early).or(Some(Finish::Stop));
        self.open = None;
    }

    /// The newest message is over: what was not told of it is told now.
    fn settle(&mut self, out: &mut Decoded) {
        let length = self.reason == Some(Finish::Length);
        let newest = &mut self.blocks[self.begun..];
        newest.iter_mut().for_each(|block| show(block, out));
        if let Some(last) = newest.last_mut() {
            last.cut |= length;
        }
    }

    fn fail(&mut self, error: ModelError, out: &mut Decoded) {
        // After its reason to stop the answer is whole, whatever happens then.
        if !self.over && !self.has_finish() {
            self.over = true;
            out.push(Err(error));
        }
    }

    fn count(&mut self, usage: &Value) {
        self.counts.take(usage);
    }

    fn finish(&mut self, out: &mut Decoded) {
        if self.over {
            return;
        }
        // A message that came whole at its beginning may end without another word.
        let came_whole = self.blocks.len() > self.begun && self.blocks[self.begun..].iter().all(|block| block.closed);
        let Some(reason) = self.reason.or(self.early.filter(|_| came_whole)) else {
            self.over = true;
            out.push(Err(failure::interrupted(self.spoke, &self.unread)));
            return;
        };
        self.reason = Some(reason);
        self.settle(out);
        self.over = true;
        let (ids, calls) = if reason == Finish::Refused { Default::default() } else { self.calls() };
        let wanted = self.blocks.iter().any(|block| block.kind == Kind::Call);
        let half =
            self.blocks.iter().any(|block| block.kind == Kind::Call && !block.closed && !block.has_whole_input());
        let finish = match reason {
            Finish::Stop | Finish::Calls if wanted && calls.is_empty() => {
                out.push(Err(if half {
                    failure::interrupted(true, &self.unread)
                } else {
                    ModelError::new(
                        RunErrorKind::Server,
                        "The model called a tool without naming it. Try again; if it happens often, choose a model that is better at tools.",
                    )
                }));
                return;
            }
            _ if !calls.is_empty() => Finish::Calls,
            Finish::Calls => Finish::Stop,
            other => other,
        };
        out.extend(calls.into_iter().map(Ok));
        out.extend(self.counts.usage().map(|usage| Ok(Reply::Usage { usage })));
        // What was cut or refused is no whole message.
        if !matches!(reason, Finish::Refused | Finish::Length) {
            out.extend(self.native(&ids).map(|native| Ok(Reply::Native { native: Arc::new(native) })));
        }
        out.push(Ok(Reply::Finish { finish }));
    }

    /// The calls that can be relied on, and the ids of all blocks that are one (empty for others).
    fn calls(&mut self) -> (Vec<String>, Vec<Reply>) {
        let mut made = 0;
        let mut calls = Vec::new();
        let mut ids = Vec::with_capacity(self.blocks.len());
        for block in &self.blocks {
            let name = block.field("name");
            let unfinished = block.cut || !block.closed;
            let half = (unfinished && !block.has_whole_input()) || (block.cut && block.has_no_input());
            if block.kind != Kind::Call || name.is_empty() || half {
                ids.push(String::new());
                continue;
            }
            let id = self.asked.id(block.field("id"), &mut made);
            calls.push(Reply::Call { id: id.clone(), name: self.asked.names.back(name), arguments: block.arguments() });
            ids.push(id);
        }
        (ids, calls)
    }

    /// The message as it has to go back, where that says more than its text and calls.
    fn native(&self, ids: &[String]) -> Option<Native> {
        let mut items = Vec::new();
        let mut more = false;
        for (block, id) in self.blocks.iter().zip(ids) {
            let left_out = match block.kind {
                Kind::Call => id.is_empty(),
                // Refused when it goes back, although it came.
                Kind::Text => block.text().is_empty(),
                _ => false,
            };
            if block.odd || (block.kind == Kind::Other && !block.has_whole_input() && block.type_name() != "compaction")
            {
                return None;
            }
            if !left_out {
                more |= block.says_more();
                items.push(Value::String(block.to_json(id)));
            }
        }
        more.then(|| Native { origin: self.asked.origin.clone(), items })
    }
}

/// Tells a block of the provider's own, and the sources of a text, once.
fn show(block: &mut Block, out: &mut Decoded) {
    if std::mem::replace(&mut block.shown, true) {
        return;
    }
    match block.kind {
        Kind::Other => out.push(Ok(Reply::Item { kind: block.type_name().to_owned(), data: block.data() })),
        Kind::Text if !block.citations().is_empty() => {
            out.push(Ok(Reply::Item { kind: "citations".to_owned(), data: block.citations().into() }));
        }
        _ => {}
    }
}

/// Tells what else a message says about itself.
fn tell(kind: &str, data: Value, out: &mut Decoded) {
    if !is_empty(&data) {
        out.push(Ok(Reply::Item { kind: kind.to_owned(), data }));
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Array(values) => values.iter().all(is_empty),
        Value::Object(fields) => fields.values().all(is_empty),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
