// SPDX-License-Identifier: Apache-2.0
use crate::{Answer, Ask, AskId, ConversationId, ConversationSummary, Message, MessageId, RunView, Settings};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What a UI is told. The UI draws these and holds no truth of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// A conversation is new or changed (title, mode, model, head, preview).
    Conversation {
        /// As it is now.
        conversation: ConversationSummary,
    },
    /// A conversation is gone.
    ConversationRemoved {
        /// Which.
        id: ConversationId,
    },
    /// A message is new or changed as a whole (begun, closed, a call's state); replaces what was streamed.
    Message {
        /// As it is now.
        message: Message,
    },
    /// Text was added to a streaming message.
    Delta {
        /// What was added.
        delta: Delta,
    },
    /// A run began, changed or ended.
    Run {
        /// As it is now.
        run: RunView,
    },
    /// A question to the person was opened.
    AskOpened {
        /// The question.
        ask: Ask,
    },
    /// A question was answered, ran out or fell away with its run.
    AskClosed {
        /// Which.
        id: AskId,
        /// The answer; `None` when the run ended.
        answer: Option<Answer>,
    },
    /// Lasting permissions changed: read them again where they are shown.
    Grants,
    /// Notes changed: read them again where they are shown.
    Notes {
        /// How many wait for the person to keep them.
        waiting: u32,
    },
    /// Settings changed.
    Settings {
        /// As they are now.
        settings: Settings,
    },
}

/// Which text a delta adds to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum DeltaKind {
    /// The last text block; a new one when the last block is not text.
    Text,
    /// The last reasoning block; a new one likewise.
    Reasoning,
    /// The name of a tool whose arguments are being written: shown, not kept.
    Call,
}

/// Text added to a streaming message. Deltas of one kind in a row are merged: at most one message per 33 ms, under 8 KB.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Delta {
    /// The conversation.
    pub conversation: ConversationId,
    /// The message.
    pub message: MessageId,
    /// Which text.
    pub kind: DeltaKind,
    /// What was added.
    pub text: String,
}

/// What is going on right now, for somebody who just came.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Snapshot {
    /// All conversations, newest first.
    pub conversations: Vec<ConversationSummary>,
    /// Runs that are not over, with the message being streamed.
    pub live: Vec<Live>,
    /// Open questions, oldest first.
    pub asks: Vec<Ask>,
    /// Notes that wait for the person to keep them.
    #[serde(default)]
    pub notes_waiting: u32,
    /// Settings.
    pub settings: Settings,
    /// The version of the app.
    pub version: String,
}

/// A run that is not over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Live {
    /// The run.
    pub run: RunView,
    /// What has been streamed of its present message.
    pub streaming: Option<Message>,
}

/// One message of the event stream.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum StreamMessage {
    /// The first message of a subscription whose `since` is too old or of another process.
    Snapshot {
        /// Changes with every process; sequence numbers are of one epoch.
        epoch: String,
        /// Events up to this one are in the snapshot.
        #[ts(type = "number")]
        seq: u64,
        /// What is going on.
        snapshot: Snapshot,
    },
    /// An event.
    Event {
        /// Counts up by one.
        #[ts(type = "number")]
        seq: u64,
        /// The event.
        event: Event,
    },
}
