// SPDX-License-Identifier: Apache-2.0
//! The message in the provider's own form: its items, each as `{"item": …}`; a call's also with the `call`'s id and the
//! `tool` as Bailey knows them.

use super::calls::Written;
use super::items::{Items, Shape};
use crate::responses::wire::{list, text};
use bailey_protocol::model::Native;
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};

/// An item of the provider's own tools that is larger was shown, which is enough to keep of it.
const MAX_OWN: usize = 256 << 10;

/// The message as it can be sent back; `None` where that is no more than its text and its calls.
///
/// Reasoning belongs to what follows it. Where a part of the message can't go back, or did not come, all reasoning stays
/// away, and with it the provider's own items; a message's phase and what a call says of itself still go.
pub(super) fn of(items: &Items, written: &[Written], origin: &str) -> Option<Native> {
    let answered: HashSet<&str> = items
        .slots
        .iter()
        .filter(|slot| slot.kind.ends_with("_output"))
        .map(|slot| text(&slot.item, "call_id"))
        .collect();
    let mut count: HashMap<usize, usize> = HashMap::new();
    for call in written {
        *count.entry(call.slot).or_default() += 1;
    }
    let order = items.in_order();
    let complete = order.iter().all(|at| {
        let slot = &items.slots[*at];
        slot.done
            && match slot.shape {
                Shape::Message => true,
                Shape::Reasoning => can_be_read_back(&slot.item),
                Shape::Call => count.contains_key(at),
                Shape::Other => can_go_back(&slot.kind, &slot.item, &answered) && size(&slot.item) <= MAX_OWN,
            }
    });
    let mut kept: Vec<Value> = Vec::with_capacity(order.len());
    let mut more = false;
    let mut calls = written.iter().peekable();
    for at in order {
        let slot = &items.slots[at];
        match slot.shape {
            Shape::Call => {
                let alone = count.get(&at) == Some(&1) && slot.done && slot.item.is_object();
                while let Some(call) = calls.next_if(|call| call.slot == at) {
                    let mut item = if alone { slot.item.clone() } else { json!({ "type": "function_call" }) };
                    let mut keys = item.as_object().into_iter().flat_map(|item| item.keys());
                    more |= keys.any(|key| !PLAIN_CALL.contains(&key.as_str()));
                    item["call_id"] = call.id.clone().into();
                    item["name"] = call.wire.clone().into();
                    item["arguments"] = call.arguments.clone().into();
                    kept.push(json!({ "call": call.id, "tool": call.name, "item": item }));
                }
            }
            // Half of it would be something the provider did not say.
            Shape::Message if !slot.done => return None,
            Shape::Message if list(&slot.item, "content").is_empty() => {}
            Shape::Message => {
                more |= !text(&slot.item, "phase").is_empty();
                kept.push(json!({ "item": slot.item }));
            }
            Shape::Reasoning | Shape::Other if complete => {
                more = true;
                kept.push(json!({ "item": slot.item }));
            }
            Shape::Reasoning | Shape::Other => {}
        }
    }
    while kept.last().is_some_and(|last| text(&last["item"], "type") == "reasoning") {
        kept.pop();
    }
    (more && !kept.is_empty()).then(|| Native { origin: origin.to_owned(), items: kept })
}

/// What every call has.
const PLAIN_CALL: &[&str] = &["type", "id", "call_id", "name", "arguments", "status"];

/// Whether the provider could make anything of this reasoning: nothing was stored there.
fn can_be_read_back(item: &Value) -> bool {
    !text(item, "encrypted_content").is_empty()
        || !text(item, "signature").is_empty()
        || list(item, "content").iter().any(|part| !text(part, "text").is_empty())
}

/// Whether an item of the provider's own may stand in a history as it is. A call that waits for somebody's answer may not.
fn can_go_back(kind: &str, item: &Value, answered: &HashSet<&str>) -> bool {
    match kind {
        "mcp_approval_request" | "computer_call" | "local_shell_call" | "apply_patch_call" | "custom_tool_call" => {
            false
        }
        "compaction" | "compaction_summary" => !text(item, "encrypted_content").is_empty(),
        "tool_search_call" => text(item, "execution") != "client",
        // Answered when its functions were; the answer is in a later message.
        "program" => true,
        _ => {
            let call_id = text(item, "call_id");
            call_id.is_empty() || !kind.ends_with("_call") || kind == "web_search_call" || answered.contains(call_id)
        }
    }
}

/// The bytes of its texts, about.
fn size(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(list) => list.iter().map(size).sum(),
        Value::Object(object) => object.iter().map(|(key, value)| key.len() + size(value)).sum(),
        _ => 8,
    }
}
