// SPDX-License-Identifier: Apache-2.0
//! From the bytes of an answer to replies, without IO: the framing that all protocols share.

use crate::halves::Halves;
use crate::names::Names;
use crate::sse::{Event, SseReader, TooLarge};
use crate::{anthropic, chat, failure, gemini, responses};
use bailey_ports::ModelError;
use bailey_protocol::ProviderKind;
use bailey_protocol::model::{Reply, Request, Turn};
use serde_json::Value;
use std::collections::HashSet;

/// An answer may have this many bytes, stream or not.
const MAX_WHOLE: usize = 64 << 20;

/// What comes of some bytes: replies in order; an error is the last of all.
pub type Decoded = Vec<Result<Reply, ModelError>>;

/// What reading an answer needs to know of its request.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// Begins the ids made up for calls that have none (or one that is used): letters and digits, different for each
    /// answer.
    pub tag: String,
    /// The ids of earlier calls.
    pub used: HashSet<String>,
    /// The tools' names.
    pub names: Names,
    /// Who can read a native message that comes of it.
    pub origin: String,
}

impl Asked {
    /// What is to be known of this request.
    pub fn of(request: &Request, tag: impl Into<String>, origin: impl Into<String>) -> Self {
        let calls = request.messages.iter().flat_map(|turn| match turn {
            Turn::Assistant { calls, .. } => calls.as_slice(),
            _ => &[],
        });
        Self {
            tag: tag.into(),
            used: calls.map(|call| call.id.clone()).collect(),
            names: Names::of(request),
            origin: origin.into(),
        }
    }

    /// The id of a call: the provider's when it gave one that is new, else one made up. `made` counts those made up.
    pub(crate) fn id(&mut self, given: &str, made: &mut u32) -> String {
        let mut id = given.to_owned();
        while id.is_empty() || !self.used.insert(id.clone()) {
            id = format!("{}{made:02}", self.tag);
            *made += 1;
        }
        id
    }
}

/// What understands the events of one protocol. After `is_over` it is told nothing more.
pub(crate) trait Events {
    /// One event of the stream; its name is empty unless the server named it. Never empty data.
    fn event(&mut self, name: &str, data: &str, out: &mut Decoded);
    /// JSON that came in place of a stream: one value at a time, `text` as it stands. Whether it was understood as an
    /// answer, a part of one, or an error.
    fn whole(&mut self, value: &Value, text: &str, out: &mut Decoded) -> bool;
    /// The bytes are over, in good order or not.
    fn end(&mut self, out: &mut Decoded);
    /// Whether the model said why it stopped: only counts can follow.
    fn has_finish(&self) -> bool;
    /// Whether everything was said, or an error: nothing that comes now changes anything.
    fn is_over(&self) -> bool;
}

/// An answer being understood.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant)] // one a request
pub(crate) enum Answer {
    Chat(chat::ChatAnswer),
    Responses(responses::ResponsesAnswer),
    Anthropic(anthropic::MessagesAnswer),
    Gemini(gemini::GeminiAnswer),
}

impl Answer {
    fn events(&mut self) -> &mut dyn Events {
        match self {
            Answer::Chat(answer) => answer,
            Answer::Responses(answer) => answer,
            Answer::Anthropic(answer) => answer,
            Answer::Gemini(answer) => answer,
        }
    }

    fn known(&self) -> &dyn Events {
        match self {
            Answer::Chat(answer) => answer,
            Answer::Responses(answer) => answer,
            Answer::Anthropic(answer) => answer,
            Answer::Gemini(answer) => answer,
        }
    }
}

/// Turns the bytes of an answer into replies. However the bytes are split, the replies are the same.
#[derive(Clone, Debug)]
pub struct Decoder {
    mode: Mode,
    halves: Halves,
    answer: Answer,
    /// How many bytes came.
    came: usize,
}

#[derive(Clone, Debug)]
enum Mode {
    /// Nothing but white space so far; at most three bytes of it matter.
    Open(Vec<u8>),
    Events(SseReader),
    /// JSON in place of a stream: one answer, or one chunk a line.
    Whole(Vec<u8>),
    /// A web page.
    Page(Vec<u8>),
    /// Refused: more came than any answer has.
    Over,
}

impl Decoder {
    /// A decoder of this protocol; `None` for the demo, which sends no bytes.
    pub fn new(kind: ProviderKind, asked: Asked) -> Option<Self> {
        Some(Self::reading(match kind {
            ProviderKind::Demo => return None,
            ProviderKind::OpenaiChat => Answer::Chat(chat::ChatAnswer::new(asked)),
            ProviderKind::OpenaiResponses => Answer::Responses(responses::ResponsesAnswer::new(asked)),
            ProviderKind::Anthropic => Answer::Anthropic(anthropic::MessagesAnswer::new(asked)),
            ProviderKind::Gemini => Answer::Gemini(gemini::GeminiAnswer::new(asked)),
        }))
    }

    pub(crate) fn reading(answer: Answer) -> Self {
        Self { mode: Mode::Open(Vec::new()), halves: Halves::default(), answer, came: 0 }
    }

    /// Whether the model said why it stopped: only counts can follow.
    pub fn has_finish(&self) -> bool {
        self.answer.known().has_finish()
    }

    /// Whether everything was said: nothing that comes now changes anything.
    pub fn is_over(&self) -> bool {
        matches!(self.mode, Mode::Over) || self.answer.known().is_over()
    }

    /// Reads on.
    pub fn push(&mut self, bytes: &[u8]) -> Decoded {
        let mut out = Vec::new();
        if self.is_over() {
            return out;
        }
        self.came = self.came.saturating_add(bytes.len());
        if self.came > MAX_WHOLE {
            let events = self.answer.events();
            if events.has_finish() {
                events.end(&mut out);
            } else {
                out.push(Err(failure::too_large()));
            }
            self.mode = Mode::Over;
            return out;
        }
        if let Mode::Open(held) = &mut self.mode {
            held.extend_from_slice(bytes);
            let bom: &[u8] = b"\xEF\xBB\xBF";
            if bom.starts_with(held) && held.len() < bom.len() {
                return out;
            }
            let content = held.strip_prefix(bom).unwrap_or(held).trim_ascii_start();
            let Some(first) = content.first() else {
                // The last one decides whether a line begins.
                if held != bom {
                    held.drain(..held.len().saturating_sub(1));
                }
                return out;
            };
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
        let events = self.answer.events();
        let fits = match &mut self.mode {
            Mode::Events(reader) => {
                let halves = &mut self.halves;
                reader.push(bytes, |event| told(events, halves, event, out)) != Err(TooLarge)
            }
            Mode::Whole(held) => {
                held.extend_from_slice(bytes);
                true
            }
            Mode::Page(held) => {
                held.extend_from_slice(&bytes[..bytes.len().min(failure::MAX_WORDS.saturating_sub(held.len()))]);
                true
            }
            Mode::Open(_) | Mode::Over => true,
        };
        if !fits {
            if !events.is_over() {
                out.push(Err(failure::too_large()));
            }
            self.mode = Mode::Over;
        }
    }

    /// The bytes are over, in good order or not.
    pub fn end(&mut self) -> Decoded {
        let mut out = Vec::new();
        if self.is_over() {
            return out;
        }
        let events = self.answer.events();
        match std::mem::replace(&mut self.mode, Mode::Over) {
            Mode::Open(_) | Mode::Over => {}
            Mode::Events(mut reader) => {
                // At most one event is left, and its size was checked when it came.
                let _ = reader.end(|event| told(events, &mut self.halves, event, &mut out));
            }
            Mode::Whole(held) => whole(events, &held, &mut out),
            Mode::Page(held) => {
                out.push(Err(failure::page(&String::from_utf8_lossy(&held))));
                return out;
            }
        }
        if !events.is_over() && !out.last().is_some_and(Result::is_err) {
            events.end(&mut out);
        }
        out
    }
}

fn told(events: &mut dyn Events, halves: &mut Halves, event: Event<'_>, out: &mut Decoded) {
    if !events.is_over() && !event.data.trim_ascii().is_empty() {
        events.event(event.name, &halves.join(event.data.trim_ascii()), out);
    }
}

/// JSON in place of a stream: values one after another, and an array's one by one.
fn whole(events: &mut dyn Events, bytes: &[u8], out: &mut Decoded) {
    let text = String::from_utf8_lossy(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes));
    let text = Halves::default().join(&text).into_owned();
    let mut understood = false;
    let mut is_cut = false;
    for value in serde_json::Deserializer::from_str(&text).into_iter::<Value>() {
        let value = match value {
            Ok(value) => value,
            Err(problem) => {
                is_cut = problem.is_eof();
                break;
            }
        };
        let values = match value {
            Value::Array(values) => values,
            value => vec![value],
        };
        for value in values {
            if !events.is_over() {
                understood |= events.whole(&value, &value.to_string(), out);
            }
        }
    }
    if !understood && !events.is_over() {
        out.push(Err(match is_cut {
            true => failure::interrupted(false, failure::cut(&text)),
            false => failure::not_an_answer(&text),
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bailey_protocol::RunErrorKind;

    fn decoder() -> Decoder {
        Decoder::new(ProviderKind::OpenaiChat, Asked::default()).unwrap()
    }

    #[test]
    fn white_space_before_an_answer_is_not_kept() {
        for first in ["", "\u{FEFF}"] {
            let mut decoder = decoder();
            assert_eq!(decoder.push(first.as_bytes()), []);
            for space in [" \r\n\t", "\n"] {
                for _ in 0..100 {
                    assert_eq!(decoder.push(space.as_bytes()), []);
                    assert!(matches!(&decoder.mode, Mode::Open(held) if held.len() <= 3), "{:?}", decoder.mode);
                }
            }
            let said = decoder.push(b"data: {\"choices\":[{\"delta\":{\"content\":\"t\"}}]}\n\n");
            assert_eq!(said, [Ok(Reply::Text { text: "t".to_owned() })]);
        }
    }

    #[test]
    fn no_answer_is_larger_than_any() {
        let comment = [b":".as_slice(), &vec![b'x'; 65_533], b"\n\n"].concat();
        let flood = |decoder: &mut Decoder| {
            let mut said = Vec::new();
            let mut sent = 0;
            while !decoder.is_over() {
                said.extend(decoder.push(&comment));
                sent += comment.len();
                assert!(sent <= MAX_WHOLE + comment.len());
            }
            said
        };
        let mut open = decoder();
        let said = flood(&mut open);
        assert!(matches!(said.as_slice(), [Err(error)] if error.kind == RunErrorKind::Invalid), "{said:?}");
        assert_eq!(open.end(), []);
        // One that has ended is whole.
        let mut ended = decoder();
        ended.push(b"data: {\"choices\":[{\"delta\":{\"content\":\"t\"},\"finish_reason\":\"stop\"}]}\n\n");
        assert!(matches!(flood(&mut ended).as_slice(), [Ok(Reply::Finish { .. })]));
    }
}
