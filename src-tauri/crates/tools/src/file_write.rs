// SPDX-License-Identifier: Apache-2.0
use crate::arguments::{schema, text};
use async_trait::async_trait;
use bailey_policy::{Approval, ArgumentRole, ToolFacts, ToolKind, ToolSpec};
use bailey_ports::{FileError, Files, Tool, ToolContext, ToolFailure, ToolResult};
use bailey_protocol::{Danger, Part};
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Writes a file in the app's own folder.
pub(crate) struct FileWrite {
    spec: ToolSpec,
    files: Arc<dyn Files>,
}

impl FileWrite {
    pub(crate) fn new(files: Arc<dyn Files>) -> Self {
        let spec = ToolSpec {
            name: "file_write".into(),
            description: "Writes a text file in Bailey's own folder, whole: a new one, or a new version of an existing \
                one (the earlier version is kept). Use it when the person wants something kept as a file. Do not use it \
                for a short fact (memory_write), for an answer the person only wants to read, or for a place outside of \
                Bailey's folder."
                .into(),
            schema: schema(
                json!({
                    "path": {
                        "type": "string", "minLength": 1, "maxLength": 255,
                        "description": "A relative path with / between folders and an ending, such as notes/trip.md.",
                    },
                    "content": { "type": "string", "description": "The whole text of the file." },
                }),
                &["path", "content"],
            ),
            example: json!({ "path": "notes/trip.md", "content": "# Trip\n\n- passport\n" }),
            facts: ToolFacts { danger: Danger::Medium, ..ToolFacts::LOW },
            arguments: BTreeMap::from([("content".into(), ArgumentRole::Text)]),
            kind: ToolKind::Run,
        };
        Self { spec, files }
    }
}

#[async_trait]
impl Tool for FileWrite {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn run(&self, approval: Approval, context: ToolContext) -> ToolResult {
        let (path, content) = (text(approval.arguments(), "path"), text(approval.arguments(), "content"));
        let written = self.files.write(path, content.as_bytes(), &context.labels, context.now);
        let written = written.map_err(|e| {
            ToolFailure::new(match e {
                FileError::Path(_) => {
                    format!("nothing was written: {e}. Pass a relative path inside the folder, such as notes/trip.md")
                }
                FileError::TooLarge { .. } => format!("nothing was written: {e}"),
                FileError::Io(_) => format!("{e}. Tell the person; trying again right away will not help"),
            })
        })?;
        let version = match written.version {
            0 | 1 => "a new file".to_owned(),
            n => format!("version {n}; the earlier one is kept"),
        };
        Ok(vec![Part::plain(format!("Wrote {}: {} bytes, {version}.", written.path, written.bytes))])
    }
}
