// SPDX-License-Identifier: Apache-2.0
//! A history as this provider takes it: user and assistant in turns, a user first and last, and every result at the
//! beginning of the message behind its call.

use super::native::{self, Part, Role};
use crate::history::{Step, steps};
use crate::ids::{Ids, Rule};
use crate::names::Names;
use bailey_protocol::model::{Picture, Turn};
use serde_json::Value;
use serde_json::value::RawValue;
use std::borrow::Cow;

const NO_PICTURE: &str = "(a picture that is not here any more)";
/// The longest id of a call.
const LONGEST_ID: usize = 64;

/// A message.
#[derive(Debug)]
pub(super) struct Message<'a> {
    pub(super) assistant: bool,
    pub(super) content: Vec<Block<'a>>,
}

/// A content block.
#[derive(Debug)]
pub(super) enum Block<'a> {
    Text(&'a str),
    Picture(&'a Picture),
    Call {
        id: &'a str,
        name: &'a str,
        input: &'a Value,
    },
    Result {
        id: &'a str,
        text: &'a str,
    },
    /// Reasoning without a signature, as some want it back.
    Thinking(&'a str),
    /// The provider's own.
    Native(&'a RawValue),
}

/// A history, put in order.
#[derive(Debug)]
pub(super) struct History<'a>(Vec<Entry<'a>>);

#[derive(Debug)]
enum Entry<'a> {
    User { text: Cow<'a, str>, pictures: Vec<&'a Picture> },
    Assistant { text: &'a str, reasoning: &'a str, calls: Vec<Call<'a>>, native: Option<Vec<Part<'a>>> },
}

#[derive(Debug)]
struct Call<'a> {
    id: String,
    name: Cow<'a, str>,
    input: &'a Value,
    result: &'a str,
}

/// Which reasoning goes back.
pub(super) struct Returning<F> {
    /// Whether any does.
    pub(super) any: bool,
    /// Whether it does where nothing but its words are left.
    pub(super) unsigned: bool,
    /// Signatures that must not.
    pub(super) refused: F,
}

impl<'a> History<'a> {
    pub(super) fn of(turns: &'a [Turn], names: &'a Names) -> Self {
        let mut ids = Ids::new(Rule::Word(LONGEST_ID));
        let entry = |step| match step {
            Step::User { text, pictures } => Entry::User { text, pictures },
            Step::Assistant { text, reasoning, native, calls } => {
                let made: Vec<Call<'a>> = calls
                    .iter()
                    .map(|answered| Call {
                        id: ids.give(&answered.call.id),
                        name: names.wire(&answered.call.name),
                        input: &answered.call.arguments,
                        result: answered.result,
                    })
                    .collect();
                let kept = made.iter().zip(&calls).all(|(made, answered)| made.id == answered.call.id);
                let expected = made.iter().map(|call| (call.id.as_str(), &*call.name));
                let native = native.filter(|_| kept).and_then(|native| native::parts(native, expected));
                Entry::Assistant { text, reasoning, calls: made, native }
            }
        };
        Self(
            steps(turns, |native| native::parts(native, std::iter::empty()).is_some()).into_iter().map(entry).collect(),
        )
    }

    /// The names of the calls in it, as they are sent.
    pub(super) fn called(&self) -> impl Iterator<Item = &str> {
        let calls = self.0.iter().flat_map(|entry| match entry {
            Entry::Assistant { calls, .. } => calls.as_slice(),
            Entry::User { .. } => &[],
        });
        calls.map(|call| &*call.name)
    }

    /// The messages by the model that belong to the calls answered last, newest first; none where the last message
    /// answers no call.
    fn current(&self) -> impl Iterator<Item = &Entry<'a>> {
        let said = self.0.iter().rev().skip_while(|entry| matches!(entry, Entry::User { .. }));
        said.take_while(|entry| matches!(entry, Entry::Assistant { calls, .. } if !calls.is_empty()))
    }

    /// The id of the last call that is being answered.
    pub(super) fn last_call(&self) -> Option<&str> {
        self.current().next().and_then(|entry| match entry {
            Entry::Assistant { calls, .. } => calls.last().map(|call| call.id.as_str()),
            Entry::User { .. } => None,
        })
    }

    /// Whether the calls that are being answered began with thinking that can go back, and none of it is lost. With a
    /// budget for thinking, anything else is refused.
    pub(super) fn began_with_thinking(&self, refused: impl Fn(u64) -> bool) -> bool {
        let mut began = true;
        for entry in self.current() {
            let Entry::Assistant { reasoning, native, .. } = entry else { continue };
            let parts = native.as_deref().unwrap_or_default();
            let lost = if native.is_some() {
                parts.iter().any(|part| part.is_one_of(&refused))
            } else {
                !reasoning.is_empty()
            };
            if lost {
                return false;
            }
            began = parts.first().is_some_and(|part| matches!(part.role, Role::Thinking(_)));
        }
        began
    }

    /// The messages.
    pub(super) fn messages<F: Fn(u64) -> bool>(&self, returning: &Returning<F>) -> Vec<Message<'_>> {
        let mut messages: Vec<Message<'_>> = Vec::with_capacity(self.0.len() + 1);
        for entry in &self.0 {
            match entry {
                Entry::User { text, pictures } => {
                    let content = on(&mut messages, false);
                    content.extend(pictures.iter().map(|picture| shown(picture)));
                    if !text.is_empty() {
                        content.push(Block::Text(text));
                    }
                }
                Entry::Assistant { text, reasoning, calls, native } => {
                    let content = on(&mut messages, true);
                    match native {
                        Some(parts) => {
                            // As a whole or not at all.
                            let all = returning.any && !parts.iter().any(|part| part.is_one_of(&returning.refused));
                            let parts = parts.iter().filter(|part| match part.role {
                                Role::Thinking(_) => all,
                                // It writes blank text and does not take it back.
                                Role::Text(blank) => !blank,
                                Role::Call | Role::Other => true,
                            });
                            content.extend(parts.map(|part| Block::Native(part.json)));
                        }
                        None => {
                            if returning.any && returning.unsigned && !(reasoning.is_empty() && calls.is_empty()) {
                                content.push(Block::Thinking(reasoning));
                            }
                            if !text.is_empty() {
                                content.push(Block::Text(text));
                            }
                            content.extend(calls.iter().map(|call| {
                                let Call { id, name, input, .. } = call;
                                Block::Call { id, name, input }
                            }));
                        }
                    }
                    if !calls.is_empty() {
                        let results = calls.iter().map(|call| Block::Result { id: &call.id, text: call.result });
                        on(&mut messages, false).extend(results);
                    }
                }
            }
        }
        messages
    }
}

/// The content of the newest message, which is begun where the last one is the other side's.
fn on<'m, 'a>(messages: &'m mut Vec<Message<'a>>, assistant: bool) -> &'m mut Vec<Block<'a>> {
    if messages.last().is_none_or(|last| last.assistant != assistant) {
        messages.push(Message { assistant, content: Vec::new() });
    }
    let last = messages.len() - 1;
    &mut messages[last].content
}

fn shown(picture: &Picture) -> Block<'_> {
    let known = matches!(picture.media_type.as_str(), "image/jpeg" | "image/png" | "image/gif" | "image/webp");
    if known && !picture.data.is_empty() { Block::Picture(picture) } else { Block::Text(NO_PICTURE) }
}
