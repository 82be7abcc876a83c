// SPDX-License-Identifier: Apache-2.0
use crate::arguments::{integer, schema, text};
use async_trait::async_trait;
use bailey_policy::{Approval, ArgumentRole, ToolFacts, ToolKind, ToolSpec};
use bailey_ports::{Notes, Tool, ToolContext, ToolFailure, ToolResult};
use bailey_protocol::Part;
use jiff::Timestamp;
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Finds notes; each keeps the marks it was stored with.
pub(crate) struct MemorySearch {
    spec: ToolSpec,
    notes: Arc<dyn Notes>,
}

impl MemorySearch {
    const LIMIT: u64 = 5;

    pub(crate) fn new(notes: Arc<dyn Notes>) -> Self {
        let spec = ToolSpec {
            name: "memory_search".into(),
            description: "Finds notes kept with memory_write, in this conversation or earlier ones. Use it before you \
                ask the person for something they may have told you already, and when they ask what you remember. It \
                finds words, not meanings: pass two or three likely words, in the language the note would be in, or an \
                empty query for the newest notes. Do not use it for facts about the world."
                .into(),
            schema: schema(
                json!({
                    "query": { "type": "string", "maxLength": 200, "description": "Words to look for; empty for the newest notes." },
                    "limit": {
                        "type": "integer", "minimum": 1, "maximum": 20, "default": Self::LIMIT,
                        "description": "How many notes to return.",
                    },
                }),
                &["query"],
            ),
            example: json!({ "query": "train seat" }),
            facts: ToolFacts { internal: true, ..ToolFacts::LOW },
            arguments: BTreeMap::from([("query".into(), ArgumentRole::Text), ("limit".into(), ArgumentRole::Neutral)]),
            kind: ToolKind::Run,
        };
        Self { spec, notes }
    }
}

#[async_trait]
impl Tool for MemorySearch {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn run(&self, approval: Approval, _context: ToolContext) -> ToolResult {
        let query = text(approval.arguments(), "query").trim();
        let limit = integer(approval.arguments(), "limit").unwrap_or(Self::LIMIT);
        let found = self.notes.search(query, limit as usize).map_err(|e| {
            ToolFailure::new(format!("the notes could not be searched: {e}. Go on without them and say so"))
        })?;
        if found.is_empty() {
            return Ok(vec![Part::plain(if query.is_empty() {
                "There are no notes yet.".to_owned()
            } else {
                format!("No note matches {query:?}. Try fewer or other words, or an empty query for the newest notes.")
            })]);
        }
        let part = |note: bailey_ports::Note| {
            let day = Timestamp::from_millisecond(note.at).map(|at| at.strftime("%Y-%m-%d").to_string());
            let day = day.map(|day| format!(" ({day})")).unwrap_or_default();
            Part::labelled(format!("#{}{day}: {}", note.id, note.text), note.labels)
        };
        Ok(found.into_iter().map(part).collect())
    }
}
