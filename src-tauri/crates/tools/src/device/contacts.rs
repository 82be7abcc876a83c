// SPDX-License-Identifier: Apache-2.0
use super::{Call, Definition, Made, failure, needs, told};
use crate::arguments::{integer, schema, text};
use bailey_policy::{ArgumentRole, ToolFacts, ToolKind};
use bailey_ports::ToolResult;
use bailey_ports::device::{DeviceExt, FindContacts};
use serde_json::json;

const LIMIT: u64 = 10;

pub(super) fn search_contacts() -> Made {
    Made {
        needs: needs::<FindContacts>(),
        definition: Definition {
            name: "search_contacts",
            description: "Looks people up in the person's address book by part of a name, a number or an address. Use \
                it when they name somebody whose number or address you need. It has no other people; do not use it \
                for companies on the web (web_search).",
            schema: schema(
                json!({
                    "query": { "type": "string", "minLength": 1, "maxLength": 100, "description": "Part of a name, a number or an address." },
                    "limit": {
                        "type": "integer", "minimum": 1, "maximum": 50, "default": LIMIT,
                        "description": "At most so many.",
                    },
                }),
                &["query"],
            ),
            example: json!({ "query": "Ada" }),
            facts: ToolFacts { read_only: true, private: true, ..ToolFacts::LOW },
            roles: &[("limit", ArgumentRole::Neutral)],
        },
        kind: ToolKind::Run,
        run: |call| Box::pin(search(call)),
    }
}

async fn search(call: Call) -> ToolResult {
    let query = text(&call.arguments, "query").trim().to_owned();
    let limit = integer(&call.arguments, "limit").unwrap_or(LIMIT).clamp(1, 50) as u32;
    let found = call.device.ask(FindContacts { query: query.clone(), limit }).await.map_err(failure)?;
    if found.contacts.is_empty() {
        return told(format!("Nobody in the address book fits {query:?}."));
    }
    let mut lines: Vec<String> = found
        .contacts
        .iter()
        .map(|contact| {
            let ways: Vec<&str> = contact.phones.iter().chain(&contact.emails).map(String::as_str).collect();
            match ways.is_empty() {
                true => format!("{}: no number and no address", contact.name),
                false => format!("{}: {}", contact.name, ways.join(", ")),
            }
        })
        .collect();
    if found.more {
        lines.push("… and more. Say more of the name to see them.".to_owned());
    }
    told(lines.join("\n"))
}
