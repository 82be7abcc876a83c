// SPDX-License-Identifier: Apache-2.0
use super::openers::opened;
use super::{Call, Definition, Made, handing_failure, needs};
use crate::arguments::{schema, text};
use bailey_policy::{ArgumentRole, ToolFacts, ToolKind};
use bailey_ports::ToolResult;
use bailey_ports::device::{ComposeMail, DeviceExt, ShareText};
use bailey_protocol::Danger;
use serde_json::{Value, json};

const TEXT: ArgumentRole = ArgumentRole::Text;

pub(super) fn share_text() -> Made {
    Made {
        needs: needs::<ShareText>(),
        definition: Definition {
            name: "share_text",
            description: "Opens the system's chooser with a text, and the person picks where it goes. Use it when they \
                want to share something. It never sends by itself; do not use it for mail (send_email).",
            schema: schema(
                json!({
                    "text": { "type": "string", "minLength": 1, "maxLength": 50_000, "description": "What is shared." },
                    "title": { "type": "string", "maxLength": 200, "description": "A title for apps that take one." },
                }),
                &["text"],
            ),
            example: json!({ "text": "The ferry leaves at 9:40 from pier 2." }),
            facts: ToolFacts { danger: Danger::Medium, egress: true, never_unattended: true, ..ToolFacts::LOW },
            roles: &[("text", TEXT), ("title", TEXT)],
        },
        kind: ToolKind::Run,
        run: |call| {
            Box::pin(async move {
                let request = ShareText {
                    text: text(&call.arguments, "text").to_owned(),
                    title: text(&call.arguments, "title").to_owned(),
                };
                let reply = call.device.ask(request).await.map_err(|e| handing_failure(e, "shared text"))?;
                opened("The chooser", &reply)
            })
        },
    }
}

pub(super) fn send_email() -> Made {
    Made {
        needs: needs::<ComposeMail>(),
        definition: Definition {
            name: "send_email",
            description: "Opens a draft in the person's mail app, filled in; they look at it and send it. Use it when \
                they want to write a mail. It never sends by itself; do not use it for other kinds of messages.",
            schema: schema(
                json!({
                    "to": {
                        "type": "array", "items": { "type": "string", "format": "email", "maxLength": 254 }, "minItems": 1, "maxItems": 20,
                        "description": "Addresses it goes to.",
                    },
                    "cc": {
                        "type": "array", "items": { "type": "string", "format": "email", "maxLength": 254 }, "maxItems": 20,
                        "description": "Addresses that get a copy.",
                    },
                    "subject": { "type": "string", "maxLength": 300, "description": "The subject line." },
                    "body": { "type": "string", "maxLength": 50_000, "description": "The text, without formatting." },
                }),
                &["to", "subject", "body"],
            ),
            example: json!({ "to": ["ada@example.org"], "subject": "Tuesday", "body": "Does ten o'clock suit you?" }),
            facts: ToolFacts { danger: Danger::Medium, egress: true, ..ToolFacts::LOW },
            roles: &[("subject", TEXT), ("body", TEXT)],
        },
        kind: ToolKind::Run,
        run: |call| Box::pin(mail(call)),
    }
}

async fn mail(call: Call) -> ToolResult {
    let list = |key: &str| -> Vec<String> {
        let items = call.arguments[key].as_array().map(Vec::as_slice).unwrap_or_default();
        items.iter().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let request = ComposeMail {
        to: list("to"),
        cc: list("cc"),
        subject: text(&call.arguments, "subject").to_owned(),
        body: text(&call.arguments, "body").to_owned(),
    };
    let to = request.to.join(", ");
    let reply = call.device.ask(request).await.map_err(|e| handing_failure(e, "mail"))?;
    opened(&format!("A draft to {to}"), &reply)
}
