// SPDX-License-Identifier: Apache-2.0
//! What an answer says, put together; and the same as an independent script in another language takes it from the file.

use super::{Recording, Replies, crate_folder, word};
use bailey_protocol::model::{Finish, Reply};
use serde::Deserialize;
use serde_json::Value;
use std::process::Command;

#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub(crate) struct Said {
    pub(crate) text: String,
    pub(crate) reasoning: String,
    pub(crate) calls: Vec<Call>,
    pub(crate) usage: Option<Counted>,
    pub(crate) finish: Option<String>,
    pub(crate) items: Vec<Item>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct Call {
    name: String,
    arguments: Value,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct Counted {
    input: u32,
    cached: u32,
    cache_write: u32,
    output: u32,
    reasoning: u32,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct Item {
    kind: String,
    data: Value,
}

impl Said {
    /// Of replies without an error.
    pub(crate) fn of(replies: &Replies) -> Self {
        let mut said = Said::default();
        for reply in replies {
            match reply.clone().unwrap() {
                Reply::Text { text } => said.text.push_str(&text),
                Reply::Reasoning { text } => said.reasoning.push_str(&text),
                Reply::Call { name, arguments, .. } => {
                    said.calls.push(Call { name, arguments: serde_json::from_str(&arguments).unwrap() });
                }
                Reply::Item { kind, data } => said.items.push(Item { kind, data }),
                Reply::Usage { usage } => {
                    let usage = Counted {
                        input: usage.input,
                        cached: usage.cached,
                        cache_write: usage.cache_write,
                        output: usage.output,
                        reasoning: usage.reasoning,
                    };
                    assert_eq!(said.usage.replace(usage), None, "counted once");
                }
                Reply::Finish { finish } => {
                    let word = match finish {
                        Finish::Stop => "stop",
                        Finish::Calls => "calls",
                        Finish::Length => "length",
                        Finish::Refused => "refused",
                    };
                    assert_eq!(said.finish.replace(word.to_owned()), None, "ended once");
                }
                // A message that began anew within its stream: what was said is void.
                Reply::Retry { .. } => said = Said::default(),
                Reply::CallBegan { .. } | Reply::Native { .. } => {}
                other => panic!("{other:?}"),
            }
        }
        said
    }
}

impl Said {
    /// What is not the same in another one.
    pub(crate) fn differences(&self, other: &Said) -> Vec<String> {
        let mut found = Vec::new();
        let mut compare = |what: &str, ours: String, theirs: String| {
            if ours != theirs {
                let same = ours.chars().zip(theirs.chars()).take_while(|(a, b)| a == b).count();
                let part = |text: &str| text.chars().skip(same.saturating_sub(20)).take(300).collect::<String>();
                found.push(format!(
                    "{what} differ at {same}:\n  ours   {:?}\n  theirs {:?}",
                    part(&ours),
                    part(&theirs)
                ));
            }
        };
        compare("texts", self.text.clone(), other.text.clone());
        compare("thoughts", self.reasoning.clone(), other.reasoning.clone());
        compare("calls", format!("{:?}", self.calls), format!("{:?}", other.calls));
        compare("counts", format!("{:?}", self.usage), format!("{:?}", other.usage));
        compare("ends", format!("{:?}", self.finish), format!("{:?}", other.finish));
        let items = |said: &Said| {
            said.items.iter().map(|item| format!("{} {}", item.kind, item.data)).collect::<Vec<_>>().join("\n")
        };
        compare("items", items(self), items(other));
        found
    }
}

/// What `independent.mjs` says of each answer of these recordings.
pub(crate) fn independently(recordings: &[Recording]) -> Vec<Vec<Said>> {
    let mut node = Command::new("node");
    node.arg(crate_folder().join("tests/independent.mjs"));
    for recording in recordings {
        node.arg(format!("{}={}", word(recording.kind), recording.path.display()));
    }
    let ran = node.output().unwrap_or_else(|error| {
        panic!("`node` could not be started ({error}). This test compares with a script in JavaScript: install Node 18 or newer.")
    });
    assert!(ran.status.success(), "independent.mjs failed:\n{}", String::from_utf8_lossy(&ran.stderr));
    serde_json::from_slice(&ran.stdout).expect("what independent.mjs prints")
}
