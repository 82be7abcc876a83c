// SPDX-License-Identifier: Apache-2.0
use super::{Definition, Made, failure, needs, told};
use crate::arguments::{schema, text};
use bailey_policy::{ArgumentRole, ToolFacts, ToolKind};
use bailey_ports::device::{DeviceExt, ReadClipboard, SetClipboard};
use bailey_protocol::Danger;
use serde_json::json;

pub(super) fn get_clipboard() -> Made {
    Made {
        needs: needs::<ReadClipboard>(),
        definition: Definition {
            name: "get_clipboard",
            description: "Reads the text on the clipboard. Use it when the person says that they copied something. Do \
                not use it without being asked: people copy passwords, too.",
            schema: schema(json!({}), &[]),
            example: json!({}),
            facts: ToolFacts { read_only: true, outside: true, private: true, ..ToolFacts::LOW },
            roles: &[],
        },
        kind: ToolKind::Run,
        run: |call| {
            Box::pin(async move {
                let clipboard = call.device.ask(ReadClipboard {}).await.map_err(failure)?;
                told(
                    clipboard
                        .text
                        .filter(|text| !text.is_empty())
                        .unwrap_or_else(|| "There is no text on the clipboard.".to_owned()),
                )
            })
        },
    }
}

pub(super) fn set_clipboard() -> Made {
    Made {
        needs: needs::<SetClipboard>(),
        definition: Definition {
            name: "set_clipboard",
            description: "Puts a text on the clipboard, in place of what is there. Use it when the person wants to \
                paste something elsewhere. Do not use it for an answer they only want to read.",
            schema: schema(
                json!({
                    "text": { "type": "string", "minLength": 1, "maxLength": 100_000, "description": "The text to paste later." },
                }),
                &["text"],
            ),
            example: json!({ "text": "Meeting moved to 15:00." }),
            facts: ToolFacts { danger: Danger::Medium, never_unattended: true, ..ToolFacts::LOW },
            roles: &[("text", ArgumentRole::Text)],
        },
        kind: ToolKind::Run,
        run: |call| {
            Box::pin(async move {
                let text = text(&call.arguments, "text").to_owned();
                let count = text.chars().count();
                call.device.ask(SetClipboard { text }).await.map_err(failure)?;
                told(format!("It is on the clipboard ({count} characters)."))
            })
        },
    }
}
