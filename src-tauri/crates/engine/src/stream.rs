// SPDX-License-Identifier: Apache-2.0
use bailey_protocol::model::{Finish, Native, Usage};
use bailey_protocol::{Block, MessageId, Millis};
use serde_json::Value;
use std::sync::Arc;

/// What a call or an item takes besides its contents, in bytes.
const BESIDE: usize = 64;
/// How often a stream is checkpointed, in milliseconds.
const CHECKPOINT_MS: Millis = 1_000;

/// An answer while it comes.
#[derive(Debug)]
pub(crate) struct Stream {
    pub(crate) message: MessageId,
    pub(crate) blocks: Vec<Block>,
    pub(crate) calls: Vec<RawCall>,
    pub(crate) usage: Option<Usage>,
    pub(crate) native: Option<Arc<Native>>,
    unsaved_text: String,
    unsaved_reasoning: String,
    saved: Millis,
    /// Of all attempts.
    bytes: usize,
    /// Of earlier attempts.
    void: usize,
    thinking_since: Option<Millis>,
}

/// A call as the model wrote it.
#[derive(Debug)]
pub(crate) struct RawCall {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) arguments: String,
}

impl Stream {
    pub(crate) fn new(message: MessageId, now: Millis) -> Self {
        Self {
            message,
            blocks: Vec::new(),
            calls: Vec::new(),
            usage: None,
            native: None,
            unsaved_text: String::new(),
            unsaved_reasoning: String::new(),
            saved: now,
            bytes: 0,
            void: 0,
            thinking_since: None,
        }
    }

    pub(crate) fn text(&mut self, added: &str, now: Millis) {
        self.end_thinking(now);
        self.bytes += added.len();
        self.unsaved_text.push_str(added);
        append_text(&mut self.blocks, added);
    }

    pub(crate) fn reasoning(&mut self, added: &str, now: Millis) {
        self.thinking_since.get_or_insert(now);
        self.bytes += added.len();
        self.unsaved_reasoning.push_str(added);
        append_reasoning(&mut self.blocks, added);
    }

    /// What has to be saved, once a second.
    pub(crate) fn checkpoint(&mut self, now: Millis) -> Option<(String, String)> {
        let due = now.saturating_sub(self.saved) >= CHECKPOINT_MS;
        if !due || (self.unsaved_text.is_empty() && self.unsaved_reasoning.is_empty()) {
            return None;
        }
        Some(self.unsaved(now))
    }

    /// What was not saved yet, and is now.
    pub(crate) fn unsaved(&mut self, now: Millis) -> (String, String) {
        self.saved = now;
        (std::mem::take(&mut self.unsaved_text), std::mem::take(&mut self.unsaved_reasoning))
    }

    pub(crate) fn item(&mut self, kind: String, data: Value, now: Millis) {
        self.end_thinking(now);
        self.count(kind.len() + data.to_string().len());
        self.blocks.push(Block::Item { kind, data });
    }

    pub(crate) fn end_thinking(&mut self, now: Millis) {
        if let Some(since) = self.thinking_since.take()
            && let Some(Block::Reasoning { ms, .. }) =
                self.blocks.iter_mut().rev().find(|b| matches!(b, Block::Reasoning { .. }))
        {
            *ms = ms.saturating_add(u32::try_from(now.saturating_sub(since)).unwrap_or(0));
        }
    }

    /// Another attempt at the same message; it goes on counting what came.
    pub(crate) fn restarted(&self, now: Millis) -> Self {
        Self { bytes: self.bytes, void: self.bytes, ..Self::new(self.message.clone(), now) }
    }

    /// Counts what is neither text nor thought.
    pub(crate) fn count(&mut self, bytes: usize) {
        self.bytes += bytes + BESIDE;
    }

    /// Whether anything came in this attempt.
    pub(crate) fn has_anything(&self) -> bool {
        self.bytes > self.void || !self.blocks.is_empty() || self.usage.is_some()
    }

    /// The size of what came in this attempt.
    pub(crate) fn said(&self) -> usize {
        self.bytes - self.void
    }

    /// The size of all that came.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Whether something came that is an answer.
    pub(crate) fn has_content(&self) -> bool {
        self.blocks.iter().any(|b| match b {
            Block::Text { text } => !text.trim().is_empty(),
            Block::Item { .. } => true,
            _ => false,
        })
    }

    /// Whether the calls may be used: an answer cut by the output limit may have lost the end of one.
    pub(crate) fn calls_are_whole(finish: Finish) -> bool {
        matches!(finish, Finish::Stop | Finish::Calls)
    }
}

pub(crate) fn append_text(blocks: &mut Vec<Block>, added: &str) {
    match blocks.last_mut() {
        Some(Block::Text { text }) => text.push_str(added),
        _ if added.is_empty() => {}
        _ => blocks.push(Block::Text { text: added.to_owned() }),
    }
}

pub(crate) fn append_reasoning(blocks: &mut Vec<Block>, added: &str) {
    match blocks.last_mut() {
        Some(Block::Reasoning { text, .. }) => text.push_str(added),
        _ if added.is_empty() => {}
        _ => blocks.push(Block::Reasoning { text: added.to_owned(), ms: 0 }),
    }
}
