// SPDX-License-Identifier: Apache-2.0
use async_trait::async_trait;
use bailey_policy::{Approval, ToolSpec};
use bailey_protocol::{ConversationId, Labels, Millis, Part, Target};
use serde_json::Value;

/// A tool. It can't be run without an [`Approval`], which only the gate makes, and reads its arguments from it.
///
/// Dropping the future of `run` cancels the call: within a second nothing of it may go on running.
#[async_trait]
pub trait Tool: Send + Sync {
    /// Its definition.
    fn spec(&self) -> &ToolSpec;
    /// Finds what a call with these arguments would touch on the screen, without touching it; for a tool of
    /// [`ToolKind::Touch`](bailey_policy::ToolKind::Touch). `Err` says why it was not found and what to do instead; the
    /// model reads it.
    async fn look(&self, _arguments: &Value) -> Result<Target, String> {
        Err(format!("{} touches nothing on the screen", self.spec().name))
    }
    /// Runs an approved call.
    async fn run(&self, approval: Approval, context: ToolContext) -> ToolResult;
}

/// What a tool is told beside its arguments.
#[derive(Clone, Debug)]
pub struct ToolContext {
    /// The person's conversation, also for a sub-agent's call.
    pub conversation: ConversationId,
    /// The marks of all that the model had seen when it made the call; what is stored carries them.
    pub labels: Labels,
    /// Now.
    pub now: Millis,
}

/// A result in labelled parts. The engine adds the marks of the tool's facts to every part; a tool adds those that it
/// alone knows (a stored note's), or a source's detail.
pub type ToolResult = Result<Vec<Part>, ToolFailure>;

/// A call that failed. The text says what went wrong and what to do instead; the model reads it. It carries the
/// tool's marks like a result.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct ToolFailure {
    /// What went wrong and what to do instead.
    pub message: String,
    /// Marks that the tool's facts do not say.
    pub labels: Labels,
}

impl ToolFailure {
    /// A failure without marks of its own.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), labels: Labels::none() }
    }
}
