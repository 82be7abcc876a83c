// SPDX-License-Identifier: Apache-2.0
//! Where values come from: what the gate's steps 7 and 8 go by.
//!
//! A value is *traced* when the person said it, or a trusted result did: the result of a call that only reads, with
//! nothing outside in it, whose own arguments are traced or were made before anything outside was read. All else the model
//! may have been talked into. What the model itself says, in whatever form, traces nothing.

mod address;
mod normal;
mod private;
mod said;
mod visit;
mod when;

use crate::{ArgumentRole, ToolKind, ToolSpec};
use bailey_protocol::{Call, CallState, Doubt, DoubtKind, Labels, Message, PartRole, Role, Source};
use normal::{normal, squashed, stands_in, visible};
use private::PrivateValues;
use said::{Said, Wanted, fillings, with_blanks_after_stops};
use serde_json::Value;
use std::collections::HashSet;
use visit::{each, plain, says_nothing};

/// So many values in doubt are shown; one is enough to ask.
const MAX_DOUBTS: usize = 20;

/// What of the context the gate has to know to judge where a value comes from. It only ever grows.
#[derive(Clone, Debug, Default)]
pub struct Origins {
    words: Vec<Said>,
    trusted: Vec<Said>,
    /// Addresses of search hits, exactly.
    links: HashSet<String>,
    private: PrivateValues,
    /// Text from outside, for naming the source of a value.
    outside: Vec<(Source, String)>,
}

impl Origins {
    /// What the person typed.
    pub fn say(&mut self, text: &str) {
        self.words.push(Said::new(text));
        let mended = with_blanks_after_stops(text);
        if mended != text {
            self.words.push(Said::new(&mended));
        }
    }

    /// Takes in a message of the conversation: what the person said, or what a round's calls brought so far. `tools` finds
    /// a tool's definition. A message whose calls are not over yet can be taken in again when they are.
    pub fn take<'a>(&mut self, message: &Message, tools: impl Fn(&str) -> Option<&'a ToolSpec>) {
        match message.role {
            Role::User if !message.labels.is_tainted() => self.say(&message.text()),
            Role::User => self.read(&message.text(), &message.labels),
            Role::Assistant => {
                for call in message.calls().filter(|c| c.state.is_final()) {
                    self.take_call(call, &message.labels, tools(&call.tool));
                }
            }
        }
    }

    /// Takes in what a call brought. `seen` are the marks of what the model had seen when it made the call.
    pub fn take_call(&mut self, call: &Call, seen: &Labels, tool: Option<&ToolSpec>) {
        let trusted = call.state == CallState::Done
            && tool.is_some_and(|spec| {
                // A question or a sub-agent brings back what a model said.
                spec.kind == ToolKind::Run
                    && spec.facts.read_only
                    && !spec.facts.outside
                    && (!seen.is_tainted() || self.untraced(spec, &call.arguments, Every::Argument, false).is_empty())
            })
            && call.parts.iter().all(|part| !part.labels.is_tainted());
        for part in &call.parts {
            match part.role {
                Some(PartRole::Person) => self.say(&part.text),
                Some(PartRole::Link) if call.state == CallState::Done => {
                    self.links.insert(part.text.trim().to_owned());
                }
                _ if trusted => self.trusted.push(Said::new(&part.text)),
                _ => {}
            }
            self.read(&part.text, &part.labels);
        }
    }

    /// Takes over what another run knows: a sub-agent works on its parent's word.
    pub fn inherit(&mut self, other: &Origins) {
        self.words.extend(other.words.iter().cloned());
        self.trusted.extend(other.trusted.iter().cloned());
        self.links.extend(other.links.iter().cloned());
        self.private.join(&other.private);
        self.outside.extend(other.outside.iter().cloned());
    }

    fn read(&mut self, text: &str, labels: &Labels) {
        if let Some(source) = labels.private.first() {
            self.private.add(text, source);
        }
        if let Some(source) = labels.outside.first() {
            self.outside.push((source.clone(), normal(text)));
        }
    }

    /// Step 7: what in these arguments the person has to look at, for outside text is in the context. `clean`: nothing
    /// private is in it. At most [`MAX_DOUBTS`].
    pub(crate) fn doubts(&self, spec: &ToolSpec, arguments: &Value, clean: bool) -> Vec<Doubt> {
        let mut doubts = self.untraced(spec, arguments, Every::Deciding, clean);
        if spec.facts.acts() && !decides(spec, arguments) {
            doubts.extend(self.unsaid(spec));
        }
        let mut seen = HashSet::new();
        each(spec, arguments, |argument, path, value| {
            if spec.role(argument) != Some(ArgumentRole::Text) {
                return;
            }
            let text = plain(value);
            for piece in address::find(&visible(&text)) {
                let known = doubts.len() >= MAX_DOUBTS || !seen.insert((path.to_owned(), piece.to_owned()));
                if !known && !self.is_traced(piece) {
                    doubts.push(self.doubt(path, piece, DoubtKind::Link));
                }
            }
        });
        doubts
    }

    /// A call that changes something and decides nothing by its arguments: nothing in it is the person's, and what it
    /// does is all it could do. Not where all arguments are said to be text or neutral: those decide nothing by nature.
    fn unsaid(&self, spec: &ToolSpec) -> Option<Doubt> {
        let declared = spec.schema.get("properties").and_then(Value::as_object);
        let deciding = declared.into_iter().flatten().map(|(name, _)| name).find(|name| spec.role(name).is_none());
        let path = match deciding {
            Some(name) => name.clone(),
            None if spec.arguments.is_empty() => String::new(),
            None => return None,
        };
        Some(Doubt { path, value: String::new(), kind: DoubtKind::Untraced, source: None })
    }

    /// Step 8: what these arguments would carry out of the person's own. In text it may go where the person said it goes,
    /// as long as nothing outside is in the context.
    pub(crate) fn leaving(&self, spec: &ToolSpec, arguments: &Value, tainted: bool) -> Vec<(Doubt, Source)> {
        if self.private.is_empty() {
            return Vec::new();
        }
        let mut typed = decides(spec, arguments);
        each(spec, arguments, |argument, path, value| {
            if is_deciding(spec, argument) {
                typed &= says_nothing(spec, argument, path, value) || self.is_said(value);
            }
        });
        if typed && !tainted {
            return Vec::new();
        }
        let mut found = Vec::new();
        let mut texts: Vec<(String, String)> = Vec::new();
        each(spec, arguments, |argument, path, value| {
            let role = spec.role(argument);
            if role == Some(ArgumentRole::Coarse) {
                return;
            }
            let text = plain(value);
            if !is_deciding(spec, argument) || !self.is_destination(spec, value, &text) {
                for (repeated, source) in self.private.repeated(&text) {
                    if found.len() < MAX_DOUBTS && !self.words.iter().any(|said| said.has_squashed(&repeated)) {
                        let shown = spelt(&text, &repeated);
                        found.push(leaves(path, shown, source));
                    }
                }
            }
            texts.push((path.to_owned(), text));
        });
        let places = self.private.place(&texts.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>());
        if let Some((place, source)) = places
            && !place.split(", ").all(|n| self.words.iter().any(|said| said.has_number(n)))
        {
            let first = place.split(", ").next().unwrap_or_default();
            let path = texts.iter().find(|(_, text)| text.contains(first)).map_or("", |(path, _)| path);
            found.push(leaves(path, place.clone(), source));
        }
        found
    }

    /// Whether what a value carries goes nowhere but to itself: an address looked up for whom the person named. A tool
    /// that does not tell its arguments apart could mean anything by a value that is no address; a number could be a
    /// card's as well as a telephone's.
    fn is_destination(&self, spec: &ToolSpec, value: &Value, text: &str) -> bool {
        let is_address = || text.contains(['@', '/']) && address::find(text) == [text];
        self.is_said(value) || (self.is_trusted(value) && (!spec.arguments.is_empty() || is_address()))
    }

    fn untraced(&self, spec: &ToolSpec, arguments: &Value, which: Every, clean: bool) -> Vec<Doubt> {
        let mut doubts = Vec::new();
        // Only reading a page can be vouched for by a search; what changes something goes by the person's word.
        let links = clean && spec.facts.read_only && spec.facts.egress;
        each(spec, arguments, |argument, path, value| {
            let judged = match spec.role(argument) {
                Some(ArgumentRole::Neutral) => false,
                Some(ArgumentRole::Text | ArgumentRole::Coarse) => which == Every::Argument,
                None | Some(ArgumentRole::Shell) => true,
            };
            let vouched = || links && value.as_str().is_some_and(|url| self.links.contains(url.trim()));
            if judged
                && doubts.len() < MAX_DOUBTS
                && !says_nothing(spec, argument, path, value)
                && !self.is_said(value)
                && !self.is_trusted(value)
                && !vouched()
            {
                doubts.push(self.doubt(path, &plain(value), DoubtKind::Untraced));
            }
        });
        doubts
    }

    fn is_said(&self, value: &Value) -> bool {
        match value {
            Value::String(text) => {
                let wanted = Wanted::new(text);
                wanted.is_in(&self.words, true) || fillings(&wanted, &self.words).any(|filled| self.is_traced(filled))
            }
            Value::Number(number) => Wanted::new(&number.to_string()).is_in(&self.words, true),
            _ => false,
        }
    }

    fn is_trusted(&self, value: &Value) -> bool {
        match value {
            Value::String(text) => Wanted::new(text).is_in(&self.trusted, false),
            Value::Number(number) => Wanted::new(&number.to_string()).is_in(&self.trusted, false),
            _ => false,
        }
    }

    /// Whether a piece of text stands in what the person or a trusted result said.
    fn is_traced(&self, piece: &str) -> bool {
        let wanted = Wanted::new(piece);
        wanted.is_in(&self.words, true) || wanted.is_in(&self.trusted, false)
    }

    fn doubt(&self, path: &str, value: &str, kind: DoubtKind) -> Doubt {
        let wanted = normal(value);
        // A number or two letters stand in any text, as a piece of something else.
        let whole = wanted.chars().filter(|c| c.is_alphabetic()).count() < 3;
        let holds = |text: &str| if whole { stands_in(&wanted, text) } else { memmem(text, &wanted) };
        let source = self.outside.iter().rev().find(|(_, text)| !wanted.is_empty() && holds(text));
        Doubt { path: path.to_owned(), value: value.to_owned(), kind, source: source.map(|(source, _)| source.clone()) }
    }
}

fn memmem(text: &str, wanted: &str) -> bool {
    memchr::memmem::find(text.as_bytes(), wanted.as_bytes()).is_some()
}

fn leaves(path: &str, value: String, source: &Source) -> (Doubt, Source) {
    let doubt = Doubt { path: path.to_owned(), value, kind: DoubtKind::Private, source: Some(source.clone()) };
    (doubt, source.clone())
}

fn is_deciding(spec: &ToolSpec, argument: &str) -> bool {
    matches!(spec.role(argument), None | Some(ArgumentRole::Shell))
}

/// Whether some argument that decides is given.
fn decides(spec: &ToolSpec, arguments: &Value) -> bool {
    let mut given = false;
    each(spec, arguments, |argument, path, value| {
        given |= is_deciding(spec, argument) && !says_nothing(spec, argument, path, value);
    });
    given
}

/// Which arguments have to be traced.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Every {
    /// Those that decide.
    Deciding,
    /// Free text as well.
    Argument,
}

/// The piece of a text that has these letters and digits, as it is spelt there.
fn spelt(text: &str, wanted: &str) -> String {
    let starts = text
        .char_indices()
        .filter(|(at, c)| c.is_alphanumeric() && !text[..*at].chars().next_back().is_some_and(char::is_alphanumeric));
    for (start, _) in starts {
        let mut have = String::new();
        for (at, c) in text[start..].char_indices() {
            have.push_str(&squashed(c.encode_utf8(&mut [0; 4])));
            if have == wanted {
                return text[start..start + at + c.len_utf8()].to_owned();
            }
            if have.len() >= wanted.len() {
                break;
            }
        }
    }
    wanted.to_owned()
}
