// SPDX-License-Identifier: Apache-2.0
use bailey_protocol::{ArgumentPattern, ConversationId, Millis, RunId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use wildmatch::WildMatchPattern;

/// A person's lasting permission. It answers gate step 5 (the mode asks) and nothing else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    /// Its id.
    pub id: String,
    /// The tool it is for, exactly; `*` (every tool) is only given by `bailey ask --approve all`.
    pub tool: String,
    /// Where it holds.
    pub scope: GrantScope,
    /// Only calls with such arguments; any when empty. A pattern that no argument answers to lets nothing through.
    #[serde(default)]
    pub arguments: Vec<ArgumentPattern>,
    /// When it ends; `None` is never.
    pub expires: Option<Millis>,
}

impl Grant {
    /// Whether it has not ended and its patterns fit these arguments.
    pub fn holds_for(&self, arguments: &Value, now: Millis) -> bool {
        self.expires.is_none_or(|end| now < end) && self.arguments.iter().all(|pattern| fits(pattern, arguments))
    }
}

fn fits(pattern: &ArgumentPattern, arguments: &Value) -> bool {
    let text = match arguments.get(&pattern.argument) {
        None => return false,
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    };
    // `?` is a letter like any other here: URLs are full of them.
    WildMatchPattern::<'*', '\0'>::new(&pattern.pattern).matches(&text)
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
