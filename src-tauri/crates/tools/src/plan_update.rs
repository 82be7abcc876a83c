// SPDX-License-Identifier: Apache-2.0
use crate::arguments::{schema, text};
use async_trait::async_trait;
use bailey_policy::{Approval, ArgumentRole, ToolFacts, ToolKind, ToolSpec};
use bailey_ports::{Tool, ToolContext, ToolFailure, ToolResult};
use bailey_protocol::Part;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The steps of a plan. The call itself is the plan: the UI draws the newest one.
pub(crate) struct PlanUpdate {
    spec: ToolSpec,
}

impl PlanUpdate {
    pub(crate) fn new() -> Self {
        let spec = ToolSpec {
            name: "plan_update".into(),
            description:
                "Shows the person your plan for a task of several steps, and keeps it current. Send all steps \
                each time, in order: call it once before you begin and again whenever a step is done. At most one step \
                is active. Do not use it for a task of one or two steps."
                    .into(),
            schema: schema(
                json!({
                    "steps": {
                        "type": "array", "minItems": 1, "maxItems": 20,
                        "description": "All steps in order.",
                        "items": {
                            "type": "object",
                            "properties": {
                                "title": {
                                    "type": "string", "minLength": 1, "maxLength": 200,
                                    "description": "What is done in this step, in a few words, in the person's language.",
                                },
                                "status": { "enum": ["pending", "active", "done"], "description": "Where it stands." },
                            },
                            "required": ["title", "status"],
                            "additionalProperties": false,
                        },
                    },
                }),
                &["steps"],
            ),
            example: json!({ "steps": [
                { "title": "Find the opening hours", "status": "active" },
                { "title": "Write the reminder", "status": "pending" },
            ] }),
            facts: ToolFacts { internal: true, ..ToolFacts::LOW },
            arguments: BTreeMap::from([("steps".into(), ArgumentRole::Text)]),
            kind: ToolKind::Run,
        };
        Self { spec }
    }
}

#[async_trait]
impl Tool for PlanUpdate {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn run(&self, approval: Approval, _context: ToolContext) -> ToolResult {
        let steps = approval.arguments().get("steps").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let count = |status: &str| steps.iter().filter(|step| text(step, "status") == status).count();
        if count("active") > 1 {
            return Err(ToolFailure::new(format!(
                "{} steps are active; at most one can be. Mark the one you work on as active, the others as pending or done, and send all steps again",
                count("active")
            )));
        }
        Ok(vec![Part::plain(format!("Plan saved: {} of {} done.", count("done"), steps.len()))])
    }
}
