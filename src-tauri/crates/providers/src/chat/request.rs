// SPDX-License-Identifier: Apache-2.0
use super::dialect::{LimitField, Manner, Thoughts};
use super::hosts::Think;
use super::native;
use crate::history::{Answered, Step, steps};
use crate::ids::Ids;
use crate::names::Names;
use crate::schema;
use bailey_protocol::model::{Picture, Request};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// Stands where a run was stopped, or failed, after a result and before an answer: some servers refuse the person's words
/// right behind a result.
const ENDED: &str = "(This run ended here, without an answer.)";
/// Stands for a picture that this model can't see.
const UNSEEN: &str = "(A picture was here, which this model can't see.)";
/// Stands for a picture whose file is gone.
const GONE: &str = "(A picture was here; it is gone.)";

/// A request's body, and the tools that are left out of it, each with the reason.
pub(super) fn body(request: &Request, names: &Names, manner: &Manner) -> (Vec<u8>, Vec<(String, String)>) {
    let (mut tools, left_out) = tools(request, names, manner);
    let messages = messages(request, names, manner);
    let mut tool_choice = None;
    if tools.is_empty() && manner.declares_called && !manner.without.contains_key("*") {
        // Known again, but not to be called.
        for call in messages.iter().flat_map(|message| message.tool_calls.as_deref().unwrap_or_default()) {
            let name = &call.function.name;
            if tools.iter().all(|tool| tool.function.name != *name) {
                let parameters = json!({ "type": "object", "properties": {} });
                let function = Declared { name: name.clone(), description: "", parameters };
                tools.push(Tool { r#type: "function", function });
                tool_choice = Some("none");
            }
        }
    }
    let (effort, switch, enable, nested) = match manner.think {
        Think::Unsaid => (None, None, None, None),
        Think::Effort(word) => (Some(word), None, None, None),
        Think::Switch(on) => (None, Some(Switch { r#type: if on { "enabled" } else { "disabled" } }), None, None),
        Think::Enable(on) => (None, None, Some(on), None),
        Think::Nested(word) => (None, None, None, Some(Nested { effort: word })),
    };
    let completion = manner.limit_field == LimitField::MaxCompletionTokens;
    let body = Body {
        model: &request.model,
        stream: true,
        stream_options: manner.usage.then_some(Options { include_usage: true }),
        max_tokens: manner.limit.filter(|_| !completion),
        max_completion_tokens: manner.limit.filter(|_| completion),
        reasoning_effort: effort,
        thinking: switch,
        enable_thinking: enable,
        reasoning: nested,
        tools,
        tool_choice,
        messages,
    };
    // Strings and values that came from JSON always become JSON again.
    (serde_json::to_vec(&body).unwrap_or_default(), left_out)
}

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<Options>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_effort: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking: Option<Switch>,
    #[serde(skip_serializing_if = "Option::is_none")]
    enable_thinking: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning: Option<Nested>,
    /// An empty list is refused by some.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<&'static str>,
    messages: Vec<Message<'a>>,
}

#[derive(Serialize)]
struct Options {
    include_usage: bool,
}

#[derive(Serialize)]
struct Switch {
    r#type: &'static str,
}

#[derive(Serialize)]
struct Nested {
    effort: &'static str,
}

#[derive(Serialize)]
struct Tool<'a> {
    r#type: &'static str,
    function: Declared<'a>,
}

#[derive(Serialize)]
struct Declared<'a> {
    name: Cow<'a, str>,
    description: &'a str,
    parameters: Value,
}

fn tools<'a>(request: &'a Request, names: &'a Names, manner: &Manner) -> (Vec<Tool<'a>>, Vec<(String, String)>) {
    let mut left_out = Vec::new();
    let mut tools: Vec<Tool<'a>> = Vec::with_capacity(request.tools.len());
    for tool in &request.tools {
        let name = names.wire(&tool.name);
        let refused = manner.without.get(name.as_ref()).or_else(|| manner.without.get("*"));
        let twice = tools.iter().any(|other| other.function.name == name);
        match (refused, schema::function_parameters(&tool.schema)) {
            (Some(reason), _) => left_out.push((tool.name.clone(), reason.clone())),
            (None, Err(reason)) => left_out.push((tool.name.clone(), reason)),
            (None, Ok(_)) if twice => left_out.push((tool.name.clone(), "there are two tools of this name".to_owned())),
            (None, Ok(parameters)) => {
                let function = Declared { name, description: &tool.description, parameters };
                tools.push(Tool { r#type: "function", function });
            }
        }
    }
    (tools, left_out)
}

#[derive(Default, Serialize)]
struct Message<'a> {
    role: &'static str,
    content: Option<Content<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_calls: Option<Vec<Call<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<String>,
    /// Reasoning, and what else the provider wants back.
    #[serde(flatten)]
    more: More<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Content<'a> {
    Text(Cow<'a, str>),
    Parts(Vec<Part<'a>>),
    Native(&'a Value),
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Part<'a> {
    Text { text: Cow<'a, str> },
    ImageUrl { image_url: Address },
}

#[derive(Serialize)]
struct Address {
    url: String,
}

#[derive(Serialize)]
struct Call<'a> {
    id: String,
    r#type: &'static str,
    function: Function<'a>,
    #[serde(flatten)]
    more: More<'a>,
}

#[derive(Serialize)]
struct Function<'a> {
    name: Cow<'a, str>,
    arguments: Cow<'a, str>,
    #[serde(flatten)]
    more: More<'a>,
}

/// Fields that stand beside the others, in order.
#[derive(Default)]
struct More<'a>(Vec<(&'a str, Cow<'a, Value>)>);

impl<'a> More<'a> {
    fn of(map: Option<&'a Map<String, Value>>) -> Self {
        Self(map.into_iter().flatten().map(|(key, value)| (key.as_str(), Cow::Borrowed(value))).collect())
    }
}

impl Serialize for More<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

fn messages<'a>(request: &'a Request, names: &'a Names, manner: &Manner) -> Vec<Message<'a>> {
    let mut messages = Vec::with_capacity(request.messages.len() + 1);
    if !request.system.trim().is_empty() {
        let content = Some(Content::Text(Cow::Borrowed(request.system.as_str())));
        messages.push(Message { role: "system", content, ..Message::default() });
    }
    let steps = steps(&request.messages, |_| false);
    let thoughts = Returned::of(&steps, manner.thoughts);
    let mut ids = Ids::new(manner.ids);
    let mut after_result = false;
    for step in steps {
        match step {
            Step::User { text, pictures } => {
                if after_result {
                    let content = Some(Content::Text(Cow::Borrowed(ENDED)));
                    messages.push(Message { role: "assistant", content, more: thoughts.none(), ..Message::default() });
                }
                after_result = false;
                messages.push(Message {
                    role: "user",
                    content: Some(said(text, &pictures, manner)),
                    ..Message::default()
                });
            }
            Step::Assistant { text, reasoning, native, calls } => {
                let native = native.and_then(|native| native::Message::of(native, &calls));
                after_result = !calls.is_empty();
                let ids: Vec<String> = calls.iter().map(|call| ids.give(&call.call.id)).collect();
                messages.push(assistant(text, reasoning, native.as_ref(), &calls, &ids, names, manner, &thoughts));
                messages.extend(calls.into_iter().zip(ids).map(|(call, id)| Message {
                    role: "tool",
                    content: Some(Content::Text(Cow::Borrowed(call.result))),
                    tool_call_id: Some(id),
                    ..Message::default()
                }));
            }
        }
    }
    messages
}

/// What the person said. Pictures stand behind the text; a message without any is plain text, which every server takes.
fn said<'a>(text: Cow<'a, str>, pictures: &[&'a Picture], manner: &Manner) -> Content<'a> {
    if pictures.is_empty() {
        return Content::Text(text);
    }
    let shown = pictures.iter().map(|picture| {
        if !manner.pictures {
            Part::Text { text: Cow::Borrowed(UNSEEN) }
        } else if picture.data.is_empty() {
            Part::Text { text: Cow::Borrowed(GONE) }
        } else {
            let url = format!("data:{};base64,{}", picture.media_type, STANDARD.encode(&picture.data));
            Part::ImageUrl { image_url: Address { url } }
        }
    });
    let mut parts: Vec<Part<'a>> = Vec::with_capacity(pictures.len() + 1);
    if !text.is_empty() {
        parts.push(Part::Text { text });
    }
    parts.extend(shown);
    if parts.iter().all(|part| matches!(part, Part::Text { .. })) {
        let texts = parts.into_iter().map(|part| match part {
            Part::Text { text } => text,
            Part::ImageUrl { .. } => Cow::Borrowed(""),
        });
        return Content::Text(Cow::Owned(texts.collect::<Vec<_>>().join("\n\n")));
    }
    Content::Parts(parts)
}

#[allow(clippy::too_many_arguments)] // one message, put together in one place
fn assistant<'a>(
    text: &'a str,
    reasoning: &'a str,
    native: Option<&native::Message<'a>>,
    calls: &[Answered<'a>],
    ids: &[String],
    names: &'a Names,
    manner: &Manner,
    thoughts: &Returned,
) -> Message<'a> {
    let kept = native.filter(|_| manner.native);
    let mut content = (!text.is_empty()).then_some(Content::Text(Cow::Borrowed(text)));
    let mut more = thoughts.of_message(reasoning, native);
    if let Some(kept) = kept {
        if let Some(parts) = kept.content {
            content = Some(Content::Native(parts));
        }
        // The details hold the reasoning itself.
        if kept.fields.is_some_and(|fields| fields.contains_key("reasoning_details")) {
            more.0.retain(|(field, _)| *field != "reasoning");
        }
        // Copilot's come in pairs.
        if let Some(fields) = kept.fields
            && fields.contains_key("reasoning_opaque")
            && !reasoning.is_empty()
            && more.0.is_empty()
        {
            more.0.push((kept.reasoning.unwrap_or(native::REASONING_TEXT), Cow::Owned(reasoning.into())));
        }
        more.0.extend(More::of(kept.fields).0);
    }
    let calls: Vec<Call<'a>> = calls
        .iter()
        .zip(ids)
        .enumerate()
        .map(|(at, (answered, id))| {
            let own = kept.and_then(|kept| kept.calls.get(at));
            let arguments = match own.and_then(|own| own.arguments) {
                Some(text) => Cow::Borrowed(text),
                None => Cow::Owned(arguments(&answered.call.arguments)),
            };
            let name = names.wire(&answered.call.name);
            let function = Function { name, arguments, more: More::of(own.and_then(|own| own.function)) };
            Call { id: id.clone(), r#type: "function", function, more: More::of(own.and_then(|own| own.fields)) }
        })
        .collect();
    Message { role: "assistant", content, tool_calls: (!calls.is_empty()).then_some(calls), tool_call_id: None, more }
}

/// Arguments are sent as the text of a JSON object.
fn arguments(arguments: &Value) -> String {
    match arguments {
        Value::Object(_) => arguments.to_string(),
        Value::Null => "{}".to_owned(),
        // What the model wrote was no object. Servers that read the arguments would fail on it for ever after.
        other => {
            let text = other.as_str().map_or_else(|| other.to_string(), str::to_owned);
            json!({ "not_an_object": text }).to_string()
        }
    }
}

/// How reasoning goes back in one request.
struct Returned {
    thoughts: Thoughts,
    /// The field for messages that have none of their own.
    field: &'static str,
    /// What such messages get.
    filler: Option<&'static str>,
}

impl Returned {
    fn of(steps: &[Step<'_>], thoughts: Thoughts) -> Self {
        let shown = steps.iter().find_map(|step| match step {
            Step::Assistant { native: Some(native), calls, .. } => native::Message::of(native, calls)?.reasoning,
            _ => None,
        });
        let (field, filler) = match (thoughts, shown) {
            (Thoughts::Known(filler), Some(field)) => (field, Some(filler)),
            (Thoughts::Demanded(filler), _) => (native::REASONING_CONTENT, Some(filler)),
            _ => (native::REASONING_CONTENT, None),
        };
        Self { thoughts, field, filler }
    }

    fn none<'a>(&self) -> More<'a> {
        More(self.filler.map(|filler| (self.field, Cow::Owned(filler.into()))).into_iter().collect())
    }

    /// A message's own reasoning goes back, to where it is demanded or else where it came from; another model's stays here.
    fn of_message<'a>(&self, reasoning: &str, native: Option<&native::Message<'a>>) -> More<'a> {
        let field = match (self.thoughts, native.and_then(|native| native.reasoning)) {
            (Thoughts::Demanded(_), Some(_)) => self.field,
            (Thoughts::Known(_), Some(field)) => field,
            _ => return self.none(),
        };
        if reasoning.is_empty() { self.none() } else { More(vec![(field, Cow::Owned(reasoning.into()))]) }
    }
}

#[cfg(test)]
mod tests;
