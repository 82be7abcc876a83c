// SPDX-License-Identifier: Apache-2.0
use bailey_protocol::{ConversationId, Millis, RunId};
use serde::{Deserialize, Serialize};

/// A person's lasting permission. It answers gate step 5 (the mode asks) and nothing else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    /// Its id.
    pub id: String,
    /// The tool it is for, exactly; `*` (every tool) is only given by `bailey ask --approve all`.
    pub tool: String,
    /// Where it holds.
    pub scope: GrantScope,
    /// When it ends; `None` is never.
    pub expires: Option<Millis>,
}

/// Where a grant holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", content = "id", rename_all = "snake_case")]
pub enum GrantScope {
    /// In one run.
    Run(RunId),
    /// In one conversation.
    Conversation(ConversationId),
    /// In unattended runs of one automation; the only scope that step 4 looks at.
    Automation(String),
    /// Everywhere but in unattended runs.
    Always,
}
