// SPDX-License-Identifier: Apache-2.0
use super::calls::{Call, Calls, Taken};
use super::native::Kept;
use super::wire::{self, Candidate, Chunk, Obj, Part, Raw, words};
use crate::answer::{Asked, Decoded, Events};
use crate::failure;
use bailey_ports::ModelError;
use bailey_protocol::RunErrorKind;
use bailey_protocol::model::{Finish, Reply, Usage};
use serde_json::{Value, json};
use std::borrow::Cow;

/// The data of a picture or a file is shown up to this many characters of base64. More is only said: it is kept once, in
/// the native message.
const MOST_DATA: usize = 64 << 10;

/// What has been understood of an answer so far.
#[derive(Clone, Debug)]
pub(crate) struct GeminiAnswer {
    asked: Asked,
    reason: Option<Finish>,
    /// Something was said after a reason to stop: this server gives one with each chunk.
    goes_on: bool,
    calls: Calls,
    kept: Kept,
    /// What belongs to the answer as a whole: sources, citations. The newest of a kind may repeat the one before.
    marks: Vec<(String, String)>,
    /// The newest count, as it came.
    usage: String,
    spoke: bool,
    /// The last data that was not understood: perhaps the server's only words on what went wrong.
    unread: String,
    over: bool,
}

impl Events for GeminiAnswer {
    fn event(&mut self, name: &str, data: &str, out: &mut Decoded) {
        if data == "[DONE]" {
            self.finish(out);
        } else if !self.read(name == "error", data, out) {
            tracing::debug!("an event that is not understood");
            self.unread = failure::cut(data).to_owned();
        }
    }

    fn whole(&mut self, _value: &Value, text: &str, out: &mut Decoded) -> bool {
        let Ok(chunk) = wire::read::<Chunk<'_>>(text) else { return false };
        let understood = chunk.is_known();
        if understood {
            self.chunk(&chunk, false, text, out);
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

impl GeminiAnswer {
    pub(crate) fn new(asked: Asked) -> Self {
        Self {
            asked,
            reason: None,
            goes_on: false,
            calls: Calls::default(),
            kept: Kept::default(),
            marks: Vec::new(),
            usage: String::new(),
            spoke: false,
            unread: String::new(),
            over: false,
        }
    }

    /// Reads a chunk, or a list of them; whether it was understood.
    fn read(&mut self, is_error: bool, data: &str, out: &mut Decoded) -> bool {
        let list = match data.starts_with('[') {
            true => serde_json::from_str::<Vec<Raw<'_>>>(data).unwrap_or_default(),
            false => Vec::new(),
        };
        let mut understood = false;
        for one in list.iter().map(|raw| raw.get()).chain(list.is_empty().then_some(data)) {
            let chunk = wire::read::<Chunk<'_>>(one).ok().filter(|_| one.starts_with('{'));
            understood |= chunk.is_some() || is_error;
            match chunk {
                _ if self.over => {}
                Some(chunk) => self.chunk(&chunk, is_error, one, out),
                None if is_error && self.reason.is_none() => self.fail(failure::in_stream(one), out),
                None => {}
            }
        }
        understood
    }

    fn chunk(&mut self, chunk: &Chunk<'_>, is_error: bool, data: &str, out: &mut Decoded) {
        if is_error || chunk.error.is_some_and(|error| error.get() != "false") {
            // After its reason to stop the answer is whole, whatever happens then.
            if self.reason.is_none() {
                self.fail(failure::in_stream(data), out);
            }
            return;
        }
        if let Some(usage) = chunk.usage.map(|usage| usage.get())
            && (usage.starts_with("{\"promptTokenCount\"") || usage.contains("TokenCount\""))
        {
            self.usage.clear();
            self.usage.push_str(usage);
        }
        for Obj(candidate) in chunk.candidates.iter().flatten() {
            let is_first = |index: Raw<'_>| matches!(index.get().trim_matches('"').parse::<u32>(), Ok(0) | Err(_));
            if candidate.index.is_none_or(is_first) && !self.over {
                self.candidate(candidate, out);
            }
        }
        if self.over {
            return;
        }
        if let Some(feedback) = chunk.feedback {
            self.feedback(feedback, out);
        }
        if chunk.strange && !chunk.is_known() {
            self.item("event", value(data), out);
        }
    }

    /// The prompt itself was refused.
    fn feedback(&mut self, feedback: Raw<'_>, out: &mut Decoded) {
        let feedback = value(feedback.get());
        let reason = feedback.get("blockReason").and_then(Value::as_str).unwrap_or_default();
        if !matches!(reason, "" | "BLOCK_REASON_UNSPECIFIED" | "BLOCKED_REASON_UNSPECIFIED") {
            self.item("promptFeedback", feedback, out);
            self.reason = Some(Finish::Refused);
        }
    }

    fn candidate(&mut self, candidate: &Candidate<'_>, out: &mut Decoded) {
        let ended = self.reason.is_some();
        let before = out.len();
        for part in &candidate.parts {
            self.part(part, out);
        }
        self.goes_on |= ended && out.len() > before;
        for (kind, raw) in candidate.others.iter().filter(|(_, raw)| !matches!(raw.get(), "{}" | "[]")) {
            let newest = self.marks.iter().rev().find(|(known, _)| known == kind);
            if newest.is_none_or(|(_, json)| json != raw.get()) {
                self.marks.push((kind.clone().into_owned(), raw.get().to_owned()));
            }
        }
        if let Some(reason) = words(candidate.finish_reason) {
            let message = words(candidate.finish_message);
            match finish(&reason) {
                Some(Ok(Finish::Refused)) => {
                    let why = json!({ "finishReason": reason, "finishMessage": message });
                    self.item("finishReason", why, out);
                    self.reason = Some(Finish::Refused);
                }
                Some(Ok(finish)) => self.reason = Some(finish),
                Some(Err(())) => {
                    let said = [Some(reason), message].into_iter().flatten().collect::<Vec<_>>().join(": ");
                    self.fail(failure::gave_up(&said), out);
                }
                None => {}
            }
        }
    }

    fn part(&mut self, raw: Raw<'_>, out: &mut Decoded) {
        let Some(part) = wire::read::<Part<'_>>(raw.get()).ok().filter(|_| raw.get().starts_with('{')) else {
            self.item("part", value(raw.get()), out);
            return;
        };
        let said = words(part.text);
        if part.call.is_none() {
            self.kept.part(raw, &part, said.as_deref());
        }
        if let Some(text) = said.map(Cow::into_owned) {
            self.say(if part.thought { Reply::Reasoning { text } } else { Reply::Text { text } }, out);
        }
        let taken = part.call.as_ref().map(|call| (self.calls.push(call), call));
        if let Some((Taken::Began(_), call)) = &taken {
            let name = self.asked.names.back(&words(call.name).unwrap_or_default());
            self.say(Reply::CallBegan { name }, out);
        }
        for (kind, data) in &part.others {
            if !matches!(&**kind, "videoMetadata" | "partMetadata" | "mediaResolution") {
                self.item(kind, shown((kind, data)), out);
            }
        }
        match taken {
            None | Some((Taken::Nothing, _)) => {}
            Some((Taken::Began(at), call)) => {
                self.kept.call(at, raw, &part, call.will_continue || !call.partial.is_empty())
            }
            Some((Taken::More(at), _)) => self.kept.more(at, &part),
        }
    }

    fn item(&mut self, kind: &str, data: Value, out: &mut Decoded) {
        self.say(Reply::Item { kind: kind.to_owned(), data }, out);
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

    fn finish(&mut self, out: &mut Decoded) {
        if self.over {
            return;
        }
        let Some(reason) = self.reason else {
            return self.fail(failure::interrupted(self.spoke, &self.unread), out);
        };
        if reason == Finish::Stop {
            self.calls.close();
        }
        let nameless = self.calls.had_nameless();
        let mut calls = Vec::new();
        let mut lost = false;
        for call in self.calls.take() {
            match (reason, call.whole) {
                // A filter that cut in leaves nothing to rely on.
                (Finish::Refused, _) => {}
                (_, false) => lost = true,
                (_, true) => calls.push(call),
            }
        }
        let wanted = calls.len();
        let calls: Vec<(Call, String)> =
            calls.into_iter().filter_map(|call| call.clone().arguments().map(|arguments| (call, arguments))).collect();
        lost |= calls.len() < wanted;
        if reason == Finish::Stop && (lost || (nameless && calls.is_empty())) {
            return self.fail(unreadable(), out);
        }
        self.over = true;
        for (kind, json) in std::mem::take(&mut self.marks) {
            out.push(Ok(Reply::Item { kind, data: value(&json) }));
        }
        let mut made = 0;
        let mut done = Vec::with_capacity(calls.len());
        for (call, arguments) in calls {
            let arguments = if arguments.trim().is_empty() { "{}".to_owned() } else { arguments };
            let id = self.asked.id(&call.id, &mut made);
            let name = self.asked.names.back(&call.name);
            out.push(Ok(Reply::Call { id: id.clone(), name: name.clone(), arguments: arguments.clone() }));
            done.push((id, name, call, arguments));
        }
        out.extend(counted(&self.usage).map(|usage| Ok(Reply::Usage { usage })));
        let finish = if done.is_empty() { reason } else { Finish::Calls };
        // A message that was cut off or refused is none to go back as it is.
        if reason == Finish::Stop {
            let native = std::mem::take(&mut self.kept).finish(&self.asked.origin, &done);
            out.extend(native.map(|native| Ok(Reply::Native { native })));
        }
        out.push(Ok(Reply::Finish { finish }));
    }
}

/// The model's call can't be put together.
fn unreadable() -> ModelError {
    ModelError::new(
        RunErrorKind::Server,
        "The model called a tool in a way that can't be understood. Try again; if it happens often, choose a model that is better at tools.",
    )
}

/// What a reason to stop means: `None` when it is none, an error when it is a fault.
fn finish(reason: &str) -> Option<Result<Finish, ()>> {
    Some(match reason {
        "FINISH_REASON_UNSPECIFIED" => return None,
        "MAX_TOKENS" => Ok(Finish::Length),
        "SAFETY"
        | "RECITATION"
        | "LANGUAGE"
        | "BLOCKLIST"
        | "PROHIBITED_CONTENT"
        | "SPII"
        | "MODEL_ARMOR"
        | "IMAGE_SAFETY"
        | "IMAGE_PROHIBITED_CONTENT"
        | "IMAGE_RECITATION" => Ok(Finish::Refused),
        "MALFORMED_FUNCTION_CALL"
        | "UNEXPECTED_TOOL_CALL"
        | "TOO_MANY_TOOL_CALLS"
        | "MISSING_THOUGHT_SIGNATURE"
        | "MALFORMED_RESPONSE"
        | "NO_IMAGE"
        | "IMAGE_OTHER" => Err(()),
        _ => Ok(Finish::Stop),
    })
}

fn value(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_else(|_| Value::String(json.to_owned()))
}

/// A part as it is shown: all of it, but not megabytes of a picture.
fn shown((kind, raw): (&str, Raw<'_>)) -> Value {
    let mut data = value(raw.get());
    if kind == "inlineData"
        && let Some(Value::String(base64)) = data.get("data")
        && base64.len() > MOST_DATA
    {
        let bytes = base64.len() / 4 * 3 - base64.bytes().rev().take_while(|b| *b == b'=').count();
        if let Some(object) = data.as_object_mut() {
            object.remove("data");
            object.insert("bytes".to_owned(), json!(bytes));
        }
    }
    data
}

fn counted(usage: &str) -> Option<Usage> {
    let usage: Value = serde_json::from_str(usage).ok()?;
    let at = |key: &str| {
        let count = usage.get(key);
        let count = count.and_then(|n| n.as_u64().or_else(|| n.as_str()?.parse().ok())).unwrap_or(0);
        u32::try_from(count).unwrap_or(u32::MAX)
    };
    let reasoning = at("thoughtsTokenCount");
    Some(Usage {
        // What its own tools brought is sent to the model, too.
        input: at("promptTokenCount").saturating_add(at("toolUsePromptTokenCount")),
        cached: at("cachedContentTokenCount"),
        output: at("candidatesTokenCount").saturating_add(reasoning),
        reasoning,
        ..Usage::default()
    })
}

#[cfg(test)]
mod tests;
