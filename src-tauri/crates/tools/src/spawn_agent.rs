// SPDX-License-Identifier: Apache-2.0
use crate::arguments::schema;
use async_trait::async_trait;
use bailey_policy::{Approval, ArgumentRole, ToolFacts, ToolKind, ToolSpec};
use bailey_ports::{Tool, ToolContext, ToolFailure, ToolResult};
use serde_json::json;
use std::collections::BTreeMap;

/// A sub-agent; the driver starts it.
pub(crate) struct SpawnAgent {
    spec: ToolSpec,
}

impl SpawnAgent {
    pub(crate) fn new() -> Self {
        let spec = ToolSpec {
            name: "spawn_agent".into(),
            description: "Starts a sub-agent that works on one task by itself and returns its report. Use it for work \
                that needs many steps whose details you do not need (reading several pages for one answer), and several \
                in one round for tasks that do not depend on each other. It sees nothing of this conversation: write \
                into the task all it has to know, and what the report should hold. Do not use it for what one or two \
                calls of your own can do."
                .into(),
            schema: schema(
                json!({
                    "task": {
                        "type": "string", "minLength": 1, "maxLength": 8000,
                        "description": "What to do, everything needed to do it, and what to report.",
                    },
                    "mode": {
                        "type": "string", "enum": ["chat_plus", "act", "max"],
                        "description": "How much it may do; never more than you. Leave it out for as much as you.",
                    },
                }),
                &["task"],
            ),
            example: json!({ "task": "Find the opening hours of the city library on Saturdays and report them with the address of the page that says so.", "mode": "chat_plus" }),
            facts: ToolFacts { read_only: true, ..ToolFacts::LOW },
            arguments: BTreeMap::from([
                ("task".into(), ArgumentRole::Text),
                ("mode".into(), ArgumentRole::Neutral),
            ]),
            kind: ToolKind::Agent,
        };
        Self { spec }
    }
}

#[async_trait]
impl Tool for SpawnAgent {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn run(&self, _approval: Approval, _context: ToolContext) -> ToolResult {
        Err(ToolFailure::new("a sub-agent is started by the driver, not run. Do the task yourself"))
    }
}
