// SPDX-License-Identifier: Apache-2.0
use crate::arguments::schema;
use async_trait::async_trait;
use bailey_policy::{Approval, ArgumentRole, ToolFacts, ToolKind, ToolSpec};
use bailey_ports::{Tool, ToolContext, ToolFailure, ToolResult};
use serde_json::json;
use std::collections::BTreeMap;

/// A question to the person; the engine asks it.
pub(crate) struct AskUser {
    spec: ToolSpec,
}

impl AskUser {
    pub(crate) fn new() -> Self {
        let spec = ToolSpec {
            name: "ask_user".into(),
            description: "Asks the person one question and waits for the answer. Use it when you can't go on without \
                something only they know, or when a choice is theirs to make; give 2 to 5 choices when that makes \
                answering easier (they can always answer in their own words). Do not use it for what you can find out \
                with another tool, for a question that can wait for your final answer, or to have a tool call \
                confirmed: that is asked by itself. When nobody answers, go on and say what you assumed."
                .into(),
            schema: schema(
                json!({
                    "question": {
                        "type": "string", "minLength": 1, "maxLength": 1000,
                        "description": "One question, in the person's language.",
                    },
                    "choices": {
                        "type": "array", "minItems": 2, "maxItems": 5, "uniqueItems": true,
                        "items": { "type": "string", "minLength": 1, "maxLength": 200 },
                        "description": "Short answers to pick from. Leave it out for an open question.",
                    },
                }),
                &["question"],
            ),
            example: json!({ "question": "Which day suits you?", "choices": ["Friday", "Saturday"] }),
            facts: ToolFacts { internal: true, ..ToolFacts::LOW },
            arguments: BTreeMap::from([
                ("question".into(), ArgumentRole::Text),
                ("choices".into(), ArgumentRole::Text),
            ]),
            kind: ToolKind::Ask,
        };
        Self { spec }
    }
}

#[async_trait]
impl Tool for AskUser {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn run(&self, _approval: Approval, _context: ToolContext) -> ToolResult {
        Err(ToolFailure::new("a question is asked by the engine, not run. Put it into your answer instead"))
    }
}
