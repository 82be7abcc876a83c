// SPDX-License-Identifier: Apache-2.0
use super::dialect::{Dialect, Learnt, tool_mark};
use super::history::{Block, History, Message, Returning};
use super::model::{Situation, Thinking, Traits, plan};
use super::schema;
use crate::names::Names;
use bailey_protocol::model::{Picture, Request, ToolDeclaration};
use base64::display::Base64Display;
use base64::engine::general_purpose::STANDARD;
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// A request's body, and the tools that could not be put into it.
pub(super) fn body(request: &Request, names: &Names, dialect: &Dialect) -> (Vec<u8>, Vec<(String, String)>) {
    let learnt = dialect.learnt();
    let history = History::of(&request.messages, names);
    let traits = Traits::of(&request.model);
    let habits = learnt.habits(&request.model);
    let max_tokens = traits.max_tokens(request.max_output, habits.cap);
    let refused = |mark| learnt.refused_signature(mark);
    let silent = history.last_call().is_some_and(|call| learnt.stays_silent_after(call));
    let situation = Situation {
        first_party: dialect.first_party,
        max_tokens,
        began_with_thinking: !silent && history.began_with_thinking(refused),
    };
    let plan = plan(&traits, &habits, request.effort, situation);
    let (mut tools, left_out) = tools(&request.tools, names, &learnt);
    let mut tool_choice = None;
    let called: BTreeSet<&str> = history.called().collect();
    if tools.is_empty() && learnt.wants_tools && !called.is_empty() {
        // Known again, but not to be called.
        tools.extend(called.into_iter().map(|name| Tool {
            name: Cow::Owned(name.to_owned()),
            description: "",
            input_schema: json!({ "type": "object" }),
            cache_control: None,
        }));
        tool_choice = Some(ToolChoice { kind: "none" });
    }
    let cache = !learnt.no_cache;
    if let Some(last) = tools.last_mut() {
        last.cache_control = cache.then_some(MARK);
    }
    let system = request.system.as_str();
    let returning = Returning { any: plan.returns, unsigned: learnt.wants_reasoning, refused };
    let messages = history.messages(&returning);
    let body = Body {
        model: &request.model,
        max_tokens,
        stream: true,
        thinking: plan.thinking,
        output_config: plan.effort.map(|effort| OutputConfig { effort }),
        tools,
        tool_choice,
        system: (!system.trim().is_empty())
            .then(|| if cache { System::Marked([marked(system)]) } else { System::Plain(system) }),
        messages: Messages { messages: &messages, cache },
    };
    // Strings and values that came from JSON always become JSON again.
    (serde_json::to_vec(&body).unwrap_or_default(), left_out)
}

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    max_tokens: u32,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking: Option<Thinking>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_config: Option<OutputConfig>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<ToolChoice>,
    #[serde(skip_serializing_if = "Option::is_none")]
    system: Option<System<'a>>,
    messages: Messages<'a>,
}

#[derive(Serialize)]
struct OutputConfig {
    effort: &'static str,
}

#[derive(Serialize)]
struct ToolChoice {
    #[serde(rename = "type")]
    kind: &'static str,
}

/// Ends a part of the request that the provider keeps for the next one.
#[derive(Clone, Copy, Serialize)]
struct CacheControl {
    #[serde(rename = "type")]
    kind: &'static str,
}

const MARK: CacheControl = CacheControl { kind: "ephemeral" };

#[derive(Serialize)]
#[serde(untagged)]
enum System<'a> {
    Plain(&'a str),
    Marked([Text<'a>; 1]),
}

#[derive(Serialize)]
struct Text<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    text: &'a str,
    cache_control: CacheControl,
}

fn marked(text: &str) -> Text<'_> {
    Text { kind: "text", text, cache_control: MARK }
}

#[derive(Serialize)]
struct Tool<'a> {
    name: Cow<'a, str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'a str,
    input_schema: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_control: Option<CacheControl>,
}

/// The tools in the provider's form, and those that have none, with the reasons.
fn tools<'a>(
    declared: &'a [ToolDeclaration],
    names: &'a Names,
    learnt: &Learnt,
) -> (Vec<Tool<'a>>, Vec<(String, String)>) {
    let mut tools: Vec<Tool<'a>> = Vec::with_capacity(declared.len());
    let mut left_out = Vec::new();
    for tool in declared {
        let name = names.wire(&tool.name);
        let fitted = if tools.iter().any(|other| other.name == name) {
            Err("there is another tool of this name".to_owned())
        } else {
            schema::translate(&tool.schema)
        };
        let fitted = fitted.and_then(|schema| match learnt.refused_tool(tool_mark(&name, &schema)) {
            Some(words) => Err(words.to_owned()),
            None => Ok(schema),
        });
        match fitted {
            Ok(input_schema) => {
                let description = tool.description.trim();
                tools.push(Tool { name, description, input_schema, cache_control: None });
            }
            Err(reason) => left_out.push((tool.name.clone(), reason)),
        }
    }
    (tools, left_out)
}

struct Messages<'a> {
    messages: &'a [Message<'a>],
    cache: bool,
}

impl Serialize for Messages<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // The end of this request and that of the one before: the provider looks back only so far for what it knows.
        let users = self.messages.iter().enumerate().rev().filter(|(_, message)| !message.assistant);
        let marked: Vec<usize> = users.map(|(at, _)| at).take(if self.cache { 2 } else { 0 }).collect();
        let mut seq = serializer.serialize_seq(Some(self.messages.len()))?;
        for (at, message) in self.messages.iter().enumerate() {
            seq.serialize_element(&Sent { message, marked: marked.contains(&at) })?;
        }
        seq.end()
    }
}

/// A message, perhaps with a mark on its last block.
struct Sent<'a> {
    message: &'a Message<'a>,
    marked: bool,
}

impl Serialize for Sent<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Content<'a>(&'a Sent<'a>);
        impl Serialize for Content<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let content = &self.0.message.content;
                serializer.collect_seq(
                    content
                        .iter()
                        .enumerate()
                        .map(|(at, block)| SentBlock { block, marked: self.0.marked && at + 1 == content.len() }),
                )
            }
        }
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("role", if self.message.assistant { "assistant" } else { "user" })?;
        map.serialize_entry("content", &Content(self))?;
        map.end()
    }
}

struct SentBlock<'a> {
    block: &'a Block<'a>,
    marked: bool,
}

impl Serialize for SentBlock<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Block::Native(json) = self.block {
            return json.serialize(serializer);
        }
        let mut map = serializer.serialize_map(None)?;
        match self.block {
            Block::Native(_) => {}
            Block::Text(text) => {
                map.serialize_entry("type", "text")?;
                map.serialize_entry("text", text)?;
            }
            Block::Thinking(text) => {
                map.serialize_entry("type", "thinking")?;
                map.serialize_entry("thinking", text)?;
            }
            Block::Picture(picture) => {
                map.serialize_entry("type", "image")?;
                map.serialize_entry("source", &Source(picture))?;
            }
            Block::Call { id, name, input } => {
                map.serialize_entry("type", "tool_use")?;
                map.serialize_entry("id", id)?;
                map.serialize_entry("name", name)?;
                map.serialize_entry("input", &Input(input))?;
            }
            Block::Result { id, text } => {
                map.serialize_entry("type", "tool_result")?;
                map.serialize_entry("tool_use_id", id)?;
                map.serialize_entry("content", text)?;
            }
        }
        if self.marked {
            map.serialize_entry("cache_control", &MARK)?;
        }
        map.end()
    }
}

struct Source<'a>(&'a Picture);

impl Serialize for Source<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Data<'a>(&'a [u8]);
        impl Serialize for Data<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(&Base64Display::new(self.0, &STANDARD))
            }
        }
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("type", "base64")?;
        map.serialize_entry("media_type", &self.0.media_type)?;
        map.serialize_entry("data", &Data(&self.0.data))?;
        map.end()
    }
}

/// Arguments have to be an object.
struct Input<'a>(&'a Value);

impl Serialize for Input<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Object(_) => self.0.serialize(serializer),
            Value::Null => serializer.collect_map::<(), (), _>([]),
            other => {
                let text = other.as_str().map_or_else(|| other.to_string(), str::to_owned);
                serializer.collect_map([("not_an_object", text)])
            }
        }
    }
}
