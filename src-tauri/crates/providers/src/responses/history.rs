// SPDX-License-Identifier: Apache-2.0
//! A history as input items. A message that the provider wrote goes back as it wrote it, where it may; else as its text
//! and its calls.

use super::dialect::Traits;
use super::wire::{list, text};
use crate::history::{Answered, Step, steps};
use crate::ids::{Ids, Rule};
use crate::names::Names;
use bailey_protocol::model::{Native, Picture, Turn};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// What the provider takes as a call's id.
const IDS: Rule = Rule::Word(64);
/// Stands for a picture that this model can't see.
const UNSEEN: &str = "(A picture was here, which this model can't see.)";
/// Stands for a picture whose file is gone.
const GONE: &str = "(A picture was here; it is gone.)";

/// One input item.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Item<'a> {
    Asked {
        r#type: &'static str,
        role: &'static str,
        content: Vec<Part<'a>>,
    },
    /// Content as plain text: as parts, some servers want it with an id of theirs.
    Said {
        r#type: &'static str,
        role: &'static str,
        content: &'a str,
    },
    Call {
        r#type: &'static str,
        call_id: String,
        name: Cow<'a, str>,
        arguments: String,
    },
    Result {
        r#type: &'static str,
        call_id: String,
        output: &'a str,
        /// What made the call, where that was not the model itself.
        #[serde(skip_serializing_if = "Option::is_none")]
        caller: Option<&'a Value>,
    },
    /// As the provider wrote it.
    Native(Value),
}

/// A part of what was asked.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Part<'a> {
    InputText { text: Cow<'a, str> },
    InputImage { image_url: String, detail: &'static str },
}

/// The history as the provider takes it. `takes_back` is asked about each message in the provider's own form.
pub(super) fn input<'a>(
    turns: &'a [Turn],
    names: &'a Names,
    traits: &Traits,
    takes_back: &dyn Fn(&Native) -> bool,
) -> Vec<Item<'a>> {
    let speaks = |native: &Native| takes_back(native) && replayed(native, &[], &[], names, traits).is_some();
    let mut ids = Ids::new(IDS);
    let mut items = Vec::with_capacity(turns.len());
    for step in steps(turns, speaks) {
        match step {
            Step::User { text, pictures } => {
                items.push(Item::Asked { r#type: "message", role: "user", content: parts(text, &pictures, traits) });
            }
            Step::Assistant { text, native, calls, .. } => {
                let given: Vec<String> = calls.iter().map(|call| ids.give(&call.call.id)).collect();
                let native = native.filter(|native| takes_back(native));
                let own = native.and_then(|native| replayed(native, &calls, &given, names, traits));
                let mut callers = vec![None; calls.len()];
                match own {
                    Some(own) => {
                        items.extend(own.items.into_iter().map(Item::Native));
                        callers = own.callers;
                    }
                    None => plain(text, &calls, &given, names, &mut items),
                }
                for ((call, call_id), caller) in calls.iter().zip(given).zip(callers) {
                    let output = call.result;
                    items.push(Item::Result { r#type: "function_call_output", call_id, output, caller });
                }
            }
        }
    }
    items
}

fn parts<'a>(text: Cow<'a, str>, pictures: &[&'a Picture], traits: &Traits) -> Vec<Part<'a>> {
    let text = (!text.is_empty()).then_some(Part::InputText { text });
    let pictures = pictures.iter().map(|picture| {
        if !traits.pictures {
            Part::InputText { text: Cow::Borrowed(UNSEEN) }
        } else if picture.data.is_empty() {
            Part::InputText { text: Cow::Borrowed(GONE) }
        } else {
            let image_url = format!("data:{};base64,{}", picture.media_type, STANDARD.encode(&picture.data));
            Part::InputImage { image_url, detail: "auto" }
        }
    });
    text.into_iter().chain(pictures).collect()
}

/// A message in the form that all providers share.
fn plain<'a>(text: &'a str, calls: &[Answered<'a>], ids: &[String], names: &'a Names, items: &mut Vec<Item<'a>>) {
    if !text.is_empty() {
        items.push(Item::Said { r#type: "message", role: "assistant", content: text });
    }
    for (answered, id) in calls.iter().zip(ids) {
        items.push(Item::Call {
            r#type: "function_call",
            call_id: id.clone(),
            name: names.wire(&answered.call.name),
            arguments: arguments(&answered.call.arguments),
        });
    }
}

/// Arguments as the text of a JSON object. What the model wrote may be none, and servers that read it would fail on it for
/// ever after.
fn arguments(arguments: &Value) -> String {
    match arguments {
        Value::Object(_) => arguments.to_string(),
        Value::Null => "{}".to_owned(),
        other => {
            let text = other.as_str().map_or_else(|| other.to_string(), str::to_owned);
            json!({ "not_an_object": text }).to_string()
        }
    }
}

/// A message as the provider wrote it.
struct Replayed<'a> {
    items: Vec<Value>,
    /// For each call, what made it.
    callers: Vec<Option<&'a Value>>,
}

/// The message as the provider wrote it, where it has these very calls.
fn replayed<'a>(
    native: &'a Native,
    calls: &[Answered<'_>],
    ids: &[String],
    names: &Names,
    traits: &Traits,
) -> Option<Replayed<'a>> {
    let mut items = Vec::with_capacity(native.items.len());
    let mut callers = Vec::with_capacity(calls.len());
    let mut waiting = calls.iter().zip(ids);
    for entry in &native.items {
        let item = entry.get("item").filter(|item| item.is_object())?;
        let kind = text(item, "type");
        let mut own = stripped(item, kind, traits.ids);
        if kind == "function_call" {
            let (Answered { call, .. }, id) = waiting.next()?;
            if text(entry, "call") != call.id || text(entry, "tool") != call.name {
                return None;
            }
            own["call_id"] = id.clone().into();
            own["name"] = names.wire(&call.name).into();
            if serde_json::from_str::<Map<String, Value>>(text(&own, "arguments")).is_err() {
                own["arguments"] = arguments(&call.arguments).into();
            }
            callers.push(item.get("caller").filter(|caller| caller.is_object()));
        }
        items.push(own);
    }
    let ends_well = items.last().is_some_and(|last| text(last, "type") != "reasoning");
    (waiting.next().is_none() && ends_well).then_some(Replayed { items, callers })
}

/// An item without what the provider does not want back of its own: ids, which it would look up where nothing was stored,
/// and fields without a value.
fn stripped(item: &Value, kind: &str, ids: bool) -> Value {
    if !matches!(kind, "message" | "reasoning" | "function_call" | "compaction" | "compaction_summary") {
        return item.clone();
    }
    let wanted = |key: &str, value: &Value| match key {
        "id" => ids && !text(item, "id").is_empty(),
        "content" if kind == "reasoning" => !list(item, "content").is_empty(),
        _ => !value.is_null(),
    };
    let fields = item.as_object().into_iter().flatten().filter(|(key, value)| wanted(key, value));
    let mut kept: Map<String, Value> = fields.map(|(key, value)| (key.clone(), value.clone())).collect();
    if kind == "reasoning" {
        kept.entry("summary").or_insert_with(|| json!([]));
    }
    Value::Object(kept)
}
