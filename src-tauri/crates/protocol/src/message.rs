// SPDX-License-Identifier: Apache-2.0
use crate::model::{Native, Usage};
use crate::{CallId, ConversationId, Denial, Labels, MessageId, Millis, PictureId, RunId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;
use ts_rs::TS;

/// Who wrote a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The person.
    User,
    /// The model: one message a round.
    Assistant,
}

/// How a message ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum MessageStatus {
    /// Still being written; what is stored is the last checkpoint.
    Streaming,
    /// Whole.
    Complete,
    /// The person stopped it.
    Stopped,
    /// The stream broke or the app was killed; the text may be cut.
    Interrupted,
    /// The model's output limit cut it.
    Truncated,
    /// The provider refused to go on.
    Refused,
}

/// One node of the conversation's tree. An assistant message holds its calls and their results, so a request built
/// from it always carries exactly one result a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Message {
    /// Its id.
    pub id: MessageId,
    /// Its conversation.
    pub conversation: ConversationId,
    /// The message it follows; `None` at the root.
    pub parent: Option<MessageId>,
    /// The run it belongs to.
    pub run: RunId,
    /// Who wrote it.
    pub role: Role,
    /// How it ended.
    pub status: MessageStatus,
    /// When it was begun.
    #[ts(type = "number")]
    pub at: Millis,
    /// Its content in order.
    pub blocks: Vec<Block>,
    /// What the model had seen when it wrote this (an assistant message), or the marks of what was attached.
    #[serde(default)]
    pub labels: Labels,
    /// The model that wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub model: Option<String>,
    /// What the provider counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub usage: Option<Usage>,
    /// The message in its provider's own form. For requests; faces are not sent it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(skip)]
    pub native: Option<Arc<Native>>,
    /// A summary that stands for everything before it in requests; what it stands for stays as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub summary: Option<SummaryState>,
    /// All messages with the same parent and role, oldest first, itself included. Filled when read for showing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub siblings: Vec<MessageId>,
}

/// Whether a summary is in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SummaryState {
    /// Requests begin with it.
    Used,
    /// The person took it back: requests hold what it stood for.
    Undone,
}

impl Message {
    /// All text blocks, joined by blank lines.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for block in &self.blocks {
            if let Block::Text { text } = block {
                if !out.is_empty() {
                    out.push_str("\n\n");
                }
                out.push_str(text);
            }
        }
        out
    }
    /// The pictures of this message in order.
    pub fn pictures(&self) -> impl Iterator<Item = &PictureRef> {
        self.blocks.iter().filter_map(|b| match b {
            Block::Picture { picture } => Some(picture),
            _ => None,
        })
    }
    /// The calls of this message in order.
    pub fn calls(&self) -> impl Iterator<Item = &Call> {
        self.blocks.iter().filter_map(|b| match b {
            Block::Call { call } => Some(call),
            _ => None,
        })
    }
    /// The calls of this message in order, to change.
    pub fn calls_mut(&mut self) -> impl Iterator<Item = &mut Call> {
        self.blocks.iter_mut().filter_map(|b| match b {
            Block::Call { call } => Some(call),
            _ => None,
        })
    }
}

/// One piece of a message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Block {
    /// Markdown.
    Text {
        /// The text.
        text: String,
    },
    /// What the model thought aloud.
    Reasoning {
        /// The text shown.
        text: String,
        /// How long it took.
        #[serde(default)]
        ms: u32,
    },
    /// A tool call and what became of it.
    Call {
        /// The call.
        call: Call,
    },
    /// A picture the person attached.
    Picture {
        /// The picture.
        picture: PictureRef,
    },
    /// Something the provider did by itself (its search, its code), or an item that nobody here knows: kept and shown as
    /// it is.
    Item {
        /// The provider's name for it.
        kind: String,
        /// All of it.
        #[ts(type = "unknown")]
        data: Value,
    },
}

/// An attached picture; its bytes are kept apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct PictureRef {
    /// Its id.
    pub id: PictureId,
    /// The file's name as the person had it.
    pub name: String,
    /// `image/jpeg`, `image/png`, `image/webp` or `image/gif`.
    pub media_type: String,
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// Its marks: what is attached comes from outside.
    #[serde(default)]
    pub labels: Labels,
}

/// Where a call stands. The last six are final and a call ends as exactly one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum CallState {
    /// Not looked at yet.
    Pending,
    /// A question about it is open.
    Waiting,
    /// It runs.
    Running,
    /// It ran and gave a result.
    Done,
    /// It ran and failed.
    Failed,
    /// The gate said no, or a confirmation ran out.
    Denied,
    /// The person said no.
    Rejected,
    /// The run was stopped before it ended.
    Cancelled,
    /// It ran into a crash: nobody knows whether it happened.
    Unknown,
}

impl CallState {
    /// Whether nothing can change any more.
    pub fn is_final(self) -> bool {
        !matches!(self, CallState::Pending | CallState::Waiting | CallState::Running)
    }
}

/// A labelled piece of a tool's result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Part {
    /// The text the model reads.
    pub text: String,
    /// Its marks.
    #[serde(default)]
    pub labels: Labels,
    /// What it is besides text, where the gate makes a difference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub role: Option<PartRole>,
}

impl Part {
    /// A part without marks.
    pub fn plain(text: impl Into<String>) -> Self {
        Self::labelled(text, Labels::none())
    }
    /// A part with marks.
    pub fn labelled(text: impl Into<String>, labels: Labels) -> Self {
        Self { text: text.into(), labels, role: None }
    }
    /// The address of a search hit: the whole text is one URL.
    pub fn link(url: impl Into<String>) -> Self {
        Self { role: Some(PartRole::Link), ..Self::plain(url) }
    }
}

/// What a part of a result is, where the gate makes a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum PartRole {
    /// The address of a search hit, whole: reading it, as it is, need not be asked about.
    Link,
    /// The person's own words, from an answer to a question.
    Person,
}

/// One call the model asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Call {
    /// Bailey's id for it.
    pub id: CallId,
    /// The id the provider gave it; goes back with the result.
    pub provider_id: String,
    /// The tool's name as the model wrote it.
    pub tool: String,
    /// The arguments after repair; the raw text as a JSON string when they could not be read.
    #[ts(type = "unknown")]
    pub arguments: Value,
    /// Where it stands.
    pub state: CallState,
    /// Its result, in parts; also says why when it did not run.
    #[serde(default)]
    pub parts: Vec<Part>,
    /// Why the gate said no.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub denial: Option<Denial>,
    /// What was mended in the arguments, in plain words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repairs: Vec<String>,
    /// What the person said when asked whether an `unknown` call happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub recovery: Option<String>,
    /// How long it ran, in milliseconds.
    #[serde(default)]
    pub ms: u32,
}
