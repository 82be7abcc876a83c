// SPDX-License-Identifier: Apache-2.0
//! The demo model: rules instead of a network, so that everything can be seen without a key.
//!
//! It drives the real tools through the real gate and says what it is wherever it can't do something. It looks only at
//! the last user message and at the tool results after it; the language of that message is the language of the answer.

mod arithmetic;
mod intent;
mod phrases;

use bailey_ports::{Model, ReplyStream};
use bailey_protocol::model::{Finish, Reply, Request, Turn};
use futures::StreamExt;
use futures::stream;
use intent::Intent;
use phrases::{Language, Phrases};
use serde_json::{Value, json};
use std::time::Duration;

/// The rule-based responder. Every answer says words a person wrote here; it can't think.
#[derive(Clone, Debug)]
pub struct DemoModel {
    pause: Duration,
}

impl DemoModel {
    /// The model's name in requests and settings.
    pub const NAME: &'static str = "demo";

    /// One that streams a word about every 15 ms.
    pub fn new() -> Self {
        Self::with_pause(Duration::from_millis(15))
    }

    /// One that waits this long before each word; zero for tests.
    pub fn with_pause(pause: Duration) -> Self {
        Self { pause }
    }
}

impl Default for DemoModel {
    fn default() -> Self {
        Self::new()
    }
}

impl Model for DemoModel {
    fn reply(&self, request: Request) -> ReplyStream {
        let replies = Scene::of(&request).replies();
        let pause = self.pause;
        stream::iter(replies)
            .then(move |reply| async move {
                if !pause.is_zero() {
                    tokio::time::sleep(pause).await;
                }
                Ok(reply)
            })
            .boxed()
    }
}

/// What the model decided to do in one round.
enum Act {
    Say(String),
    /// Some words, perhaps none, then a call.
    Call {
        say: String,
        tool: &'static str,
        arguments: Value,
    },
}

/// A tool result after the last user message.
struct Outcome<'a> {
    tool: &'a str,
    text: &'a str,
}

/// One request as the rules see it.
struct Scene<'a> {
    said: &'a str,
    outcomes: Vec<Outcome<'a>>,
    request: &'a Request,
    phrases: &'static Phrases,
}

impl<'a> Scene<'a> {
    fn of(request: &'a Request) -> Self {
        let last = request.messages.iter().rposition(|turn| matches!(turn, Turn::User { .. }));
        let said = match last.map(|at| &request.messages[at]) {
            Some(Turn::User { text, .. }) => text.trim(),
            _ => "",
        };
        let outcomes = request.messages[last.map_or(0, |at| at + 1)..]
            .iter()
            .filter_map(|turn| match turn {
                Turn::Tool { name, text, .. } => Some(Outcome { tool: name, text }),
                _ => None,
            })
            .collect();
        Self { said, outcomes, request, phrases: Phrases::of(Language::of(said)) }
    }

    fn replies(&self) -> Vec<Reply> {
        let (say, call) = match self.act() {
            Act::Say(say) => (say, None),
            Act::Call { say, tool, arguments } => (say, Some((tool, arguments))),
        };
        let mut replies: Vec<Reply> = words(&say).map(|text| Reply::Text { text: text.to_owned() }).collect();
        let finish = match call {
            None => Finish::Stop,
            Some((tool, arguments)) => {
                replies.push(Reply::CallBegan { name: tool.to_owned() });
                replies.push(Reply::Call {
                    id: self.next_id(),
                    name: tool.to_owned(),
                    arguments: arguments.to_string(),
                });
                Finish::Calls
            }
        };
        replies.push(Reply::Finish { finish });
        replies
    }

    /// An id that no earlier call of this history has.
    fn next_id(&self) -> String {
        let past = self.request.messages.iter().map(|turn| match turn {
            Turn::Assistant { calls, .. } => calls.len(),
            _ => 0,
        });
        format!("demo{:05}", past.sum::<usize>() + 1)
    }

    fn offers(&self, tool: &str) -> bool {
        self.request.tools.iter().any(|declared| declared.name == tool)
    }

    fn act(&self) -> Act {
        let intent = Intent::of(self.said);
        let p = self.phrases;
        match intent {
            Intent::Time { zone } => {
                self.once("get_time", zone.map_or_else(|| json!({}), |z| json!({ "timezone": z })))
            }
            Intent::Compute { expression } => self.once("compute", json!({ "expression": expression })),
            Intent::Remember { text } => self.once("memory_write", json!({ "text": text })),
            Intent::Recall { query } => self.once("memory_search", json!({ "query": query })),
            Intent::Write { path, content } => self.once(
                "file_write",
                json!({ "path": path, "content": content.unwrap_or_else(|| p.sample_file.to_owned()) }),
            ),
            Intent::Plan { topic } => self.plan(&topic),
            Intent::Ask => self.ask(),
            Intent::Shell { command } => self.shell(&command),
            Intent::Help => Act::Say(p.tour.to_owned()),
            Intent::Other => Act::Say(p.other.to_owned()),
        }
    }

    /// One call of an offered tool, then its result told.
    fn once(&self, tool: &'static str, arguments: Value) -> Act {
        if let Some(outcome) = self.outcomes.last() {
            return Act::Say(match told(outcome.text) {
                (Fate::Done, text) => self.phrases.told(tool, &text),
                (fate, text) => self.phrases.not_done(fate, &text),
            });
        }
        if !self.offers(tool) {
            return Act::Say(self.phrases.not_offered(tool));
        }
        Act::Call { say: String::new(), tool, arguments }
    }

    fn plan(&self, topic: &str) -> Act {
        const TOOL: &str = "plan_update";
        let p = self.phrases;
        if !self.offers(TOOL) {
            return Act::Say(p.not_offered(TOOL));
        }
        let done = self.outcomes.iter().filter(|outcome| outcome.tool == TOOL).count();
        let states = match done {
            0 => ["active", "pending", "pending"],
            1 => ["done", "active", "pending"],
            2 => ["done", "done", "done"],
            _ => return Act::Say(p.plan_end(topic)),
        };
        let steps: Vec<Value> =
            p.plan_steps(topic).into_iter().zip(states).map(|(t, s)| json!({ "title": t, "status": s })).collect();
        Act::Call { say: p.plan_says[done].to_owned(), tool: TOOL, arguments: json!({ "steps": steps }) }
    }

    fn ask(&self) -> Act {
        const TOOL: &str = "ask_user";
        let p = self.phrases;
        match self.outcomes.last() {
            Some(outcome) => Act::Say(match told(outcome.text) {
                (Fate::Done, text) => {
                    let answer =
                        ["The person chose: ", "The person answered: "].iter().find_map(|b| text.strip_prefix(b));
                    p.after_answer(answer)
                }
                (fate, text) => p.not_done(fate, &text),
            }),
            None if !self.offers(TOOL) => Act::Say(p.not_offered(TOOL)),
            None => Act::Call {
                say: String::new(),
                tool: TOOL,
                arguments: json!({ "question": p.question, "choices": p.choices }),
            },
        }
    }

    /// Calls run_shell even where it is not offered: the gate's answer is what shows how to switch it on.
    fn shell(&self, command: &str) -> Act {
        const TOOL: &str = "run_shell";
        let p = self.phrases;
        match self.outcomes.last() {
            None => Act::Call { say: p.before_shell(command), tool: TOOL, arguments: json!({ "command": command }) },
            Some(outcome) => Act::Say(match told(outcome.text) {
                (Fate::NotRun, _) if !self.offers(TOOL) => p.shell_off(),
                (Fate::Done, text) => p.after_shell(&text),
                (fate, text) => p.not_done(fate, &text),
            }),
        }
    }
}

/// A result as the model is told it: what became of the call, and its text without the marks around outside text (they
/// are for a model that could be talked into something).
fn told(text: &str) -> (Fate, String) {
    const MARKS: (char, char) = ('\u{27E6}', '\u{27E7}');
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, mark)) = rest.split_once(MARKS.0) {
        plain.push_str(before);
        rest = mark.split_once(MARKS.1).map_or("", |(_, after)| after);
    }
    plain.push_str(rest);
    let plain = plain.trim();
    let fates = [
        ("The person said no", Fate::Rejected),
        ("The call was not run.", Fate::NotRun),
        ("The call failed.", Fate::Failed),
        ("The call was cancelled.", Fate::NotRun),
        ("Unknown whether this happened.", Fate::Unknown),
    ];
    match fates.into_iter().find(|(beginning, _)| plain.starts_with(beginning)) {
        Some((_, Fate::Rejected)) => (Fate::Rejected, String::new()),
        Some((beginning, fate)) => (fate, plain[beginning.len()..].trim().to_owned()),
        None => (Fate::Done, plain.to_owned()),
    }
}

/// What became of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Done,
    Failed,
    NotRun,
    Rejected,
    Unknown,
}

/// The text in pieces as a model would stream them: a word with the space after it, or two CJK characters. Joined they
/// are the text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let mut wide = 0;
        let mut gap = false;
        let mut end = rest.len();
        for (at, c) in rest.char_indices() {
            if gap && !c.is_whitespace() {
                end = at;
                break;
            }
            gap |= c.is_whitespace();
            wide += usize::from(c >= '\u{2E80}');
            if wide == 2 {
                end = at + c.len_utf8();
                break;
            }
        }
        let (word, after) = rest.split_at(end);
        rest = after;
        (!word.is_empty()).then_some(word)
    })
}

#[cfg(test)]
mod tests;
