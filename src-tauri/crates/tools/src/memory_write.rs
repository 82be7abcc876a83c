// SPDX-License-Identifier: Apache-2.0
use crate::arguments::{schema, text};
use async_trait::async_trait;
use bailey_policy::{Approval, ArgumentRole, ToolFacts, ToolKind, ToolSpec};
use bailey_ports::{NewNote, Notes, Tool, ToolContext, ToolFailure, ToolResult};
use bailey_protocol::Part;
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Keeps a note, with the marks of what the model had seen.
pub(crate) struct MemoryWrite {
    spec: ToolSpec,
    notes: Arc<dyn Notes>,
}

impl MemoryWrite {
    pub(crate) fn new(notes: Arc<dyn Notes>) -> Self {
        let spec = ToolSpec {
            name: "memory_write".into(),
            description: "Keeps one note for later conversations. Use it when the person asks you to remember \
                something, or tells you a lasting fact or preference of theirs. Do not keep passwords, keys or codes, \
                what is only of use in this conversation, or text from web pages and messages that the person did not \
                ask you to keep."
                .into(),
            schema: schema(
                json!({
                    "text": {
                        "type": "string", "minLength": 1, "maxLength": 2000,
                        "description": "The note as one self-contained sentence or two, with names and dates instead of \"he\" and \"tomorrow\".",
                    },
                }),
                &["text"],
            ),
            example: json!({ "text": "Prefers window seats on trains." }),
            facts: ToolFacts { internal: true, ..ToolFacts::LOW },
            arguments: BTreeMap::from([("text".into(), ArgumentRole::Text)]),
            kind: ToolKind::Run,
        };
        Self { spec, notes }
    }
}

#[async_trait]
impl Tool for MemoryWrite {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn run(&self, approval: Approval, context: ToolContext) -> ToolResult {
        let text = text(approval.arguments(), "text").trim();
        if text.is_empty() {
            return Err(ToolFailure::new("the note is empty. Write what is to be remembered into text"));
        }
        let note = NewNote {
            text: text.to_owned(),
            labels: context.labels,
            conversation: context.conversation,
            at: context.now,
        };
        let note = self.notes.write(note).map_err(|e| {
            ToolFailure::new(format!("the note was not kept: {e}. Tell the person, and try again only if they ask"))
        })?;
        let mut told = format!("Saved as note #{}.", note.id);
        if note.labels.is_tainted() {
            told.push_str(
                " It was written while text from outside was in this conversation, so it is kept apart: it can be found, but is not relied on until the person keeps it.",
            );
        }
        Ok(vec![Part::plain(told)])
    }
}
