// SPDX-License-Identifier: Apache-2.0
//! The append-only record of a run, from which everything shown is rebuilt.
//!
//! Entries are only ever added. Stored forms outlive versions: a field may be added with a default, an entry may be
//! added, nothing may change its meaning.

use crate::model::{Native, Usage};
use crate::{
    Answer, Ask, AskId, Block, Budget, CallId, CallState, ConversationId, Denial, Labels, Ledger, MessageId,
    MessageStatus, Millis, Mode, ModelChoice, Part, PictureRef, RunError, RunId, RunState,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// One entry with its moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// When it was written.
    pub at: Millis,
    /// What happened.
    pub entry: Entry,
}

/// Where a sub-agent's run comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParentRun {
    /// The run that started it.
    pub run: RunId,
    /// The call that started it.
    pub call: CallId,
    /// The conversation of the person, at the root.
    pub conversation: ConversationId,
    /// 1 for a child of the person's run, 2 for a grandchild.
    pub depth: u32,
    /// What it was told to do.
    pub task: String,
}

/// What happened in a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Entry {
    /// The run began. Always the first entry.
    Opened {
        /// Its conversation.
        conversation: ConversationId,
        /// The user message it answers.
        prompt: MessageId,
        /// Its mode.
        mode: Mode,
        /// Its model.
        model: ModelChoice,
        /// Its budget.
        budget: Budget,
        /// Marks the wrappers of outside text of this run; random, so that content can't imitate it.
        nonce: String,
        /// Nobody watches it.
        unattended: bool,
        /// The automation that started it, when nobody watches.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        automation: Option<String>,
        /// The call that started it, when it is a sub-agent's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        parent: Option<ParentRun>,
        /// The sender's key of the message: a second send with the same key finds this run instead.
        #[serde(default)]
        key: Option<String>,
    },
    /// A user message joins the tree (absent when a retry answers one that is there).
    Prompt {
        /// Its id.
        message: MessageId,
        /// What it follows.
        parent: Option<MessageId>,
        /// What the person typed.
        text: String,
        /// Marks of what was attached.
        labels: Labels,
        /// Attached pictures.
        #[serde(default)]
        pictures: Vec<PictureRef>,
    },
    /// A request goes out; this message will hold the answer.
    RoundOpened {
        /// Counts from 1.
        round: u32,
        /// The assistant message.
        message: MessageId,
        /// What it follows.
        parent: MessageId,
        /// What the run has spent until here.
        ledger: Ledger,
        /// Whether the answer is a summary that will stand for everything before it.
        #[serde(default)]
        summary: bool,
    },
    /// What was streamed since the last checkpoint, about once a second.
    Checkpoint {
        /// The assistant message.
        message: MessageId,
        /// Text added.
        text: String,
        /// Reasoning added.
        reasoning: String,
        /// Marks that came since.
        #[serde(default)]
        labels: Labels,
    },
    /// The attempt failed and another one follows: what was checkpointed of this message is void.
    RoundRestarted {
        /// The assistant message.
        message: MessageId,
        /// What the void attempt cost all the same.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        usage: Option<Usage>,
    },
    /// Another model, named by the person for outages, writes this message and those after it in this run.
    Fallback {
        /// The assistant message.
        message: MessageId,
        /// The model.
        model: ModelChoice,
    },
    /// From here on the run's requests hold at most this much history: more was too long for the model.
    Compressed {
        /// In bytes of text.
        limit: u32,
    },
    /// The answer of a round as a whole; replaces its checkpoints. Its calls are `Pending`.
    RoundClosed {
        /// The assistant message.
        message: MessageId,
        /// Its content.
        blocks: Vec<Block>,
        /// How it ended.
        status: MessageStatus,
        /// What the model had seen.
        labels: Labels,
        /// What the provider counted.
        usage: Option<Usage>,
        /// The message in the provider's own form.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        native: Option<Arc<Native>>,
    },
    /// A question to the person was opened.
    Asked {
        /// The question, with the time it may wait.
        ask: Ask,
        /// The digest of the tool's definition the question is bound to.
        tool_digest: String,
    },
    /// It was answered, or ran out.
    Answered {
        /// Which question.
        ask: AskId,
        /// The call it was about.
        call: CallId,
        /// The answer.
        answer: Answer,
    },
    /// The call is about to run. Written before any side effect.
    Intent {
        /// The call.
        call: CallId,
        /// The arguments as they will be used.
        arguments: Value,
        /// Whether it can change anything; then this entry was fully synced first.
        changes: bool,
    },
    /// What became of a call. Exactly one a call.
    Outcome {
        /// The call.
        call: CallId,
        /// Final.
        state: CallState,
        /// The arguments after repair.
        arguments: Value,
        /// The result, or why there is none.
        parts: Vec<Part>,
        /// The gate's no.
        denial: Option<Denial>,
        /// What was mended.
        repairs: Vec<String>,
        /// How long it ran, in milliseconds.
        ms: u32,
    },
    /// The process ended in the middle and another took the run up again.
    Resumed {
        /// What the run had spent, as far as known.
        ledger: Ledger,
    },
    /// The run is over. Always the last entry.
    Closed {
        /// `Done`, `Failed` or `Stopped`.
        state: RunState,
        /// Why it failed.
        error: Option<RunError>,
        /// What it spent.
        ledger: Ledger,
    },
}

impl Entry {
    /// Its kind, as in its JSON.
    pub fn kind(&self) -> &'static str {
        match self {
            Entry::Opened { .. } => "opened",
            Entry::Prompt { .. } => "prompt",
            Entry::RoundOpened { .. } => "round_opened",
            Entry::Checkpoint { .. } => "checkpoint",
            Entry::RoundRestarted { .. } => "round_restarted",
            Entry::Fallback { .. } => "fallback",
            Entry::Compressed { .. } => "compressed",
            Entry::RoundClosed { .. } => "round_closed",
            Entry::Asked { .. } => "asked",
            Entry::Answered { .. } => "answered",
            Entry::Intent { .. } => "intent",
            Entry::Outcome { .. } => "outcome",
            Entry::Resumed { .. } => "resumed",
            Entry::Closed { .. } => "closed",
        }
    }
}
