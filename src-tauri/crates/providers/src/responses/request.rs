// SPDX-License-Identifier: Apache-2.0
use super::dialect::{Level, Traits};
use super::history::{self, Item};
use super::{FNV_START, fnv};
use crate::names::Names;
use crate::schema;
use bailey_protocol::model::{Native, Request, Turn};
use serde::Serialize;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::HashSet;

/// A request's body. Its fields are in an order that keeps what changes behind what stays.
#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    instructions: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    store: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    include: Option<[&'static str; 1]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning: Option<Reasoning>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_output_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt_cache_key: Option<String>,
    input: Vec<Item<'a>>,
}

#[derive(Serialize)]
struct Reasoning {
    #[serde(skip_serializing_if = "Option::is_none")]
    effort: Option<Level>,
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<&'static str>,
}

#[derive(Serialize)]
struct Tool<'a> {
    r#type: &'static str,
    name: Cow<'a, str>,
    description: &'a str,
    parameters: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    strict: Option<bool>,
}

/// The body of a request, and the tools that could not be put into it, each with the reason. `takes_back` is asked about
/// each message that there is in the provider's own form.
pub(super) fn body(
    request: &Request,
    names: &Names,
    traits: &Traits,
    takes_back: &dyn Fn(&Native) -> bool,
) -> (Vec<u8>, Vec<(String, String)>) {
    let (tools, left_out) = tools(request, names, traits);
    let mut input = history::input(&request.messages, names, traits, takes_back);
    let system = Some(request.system.as_str()).filter(|system| !system.trim().is_empty());
    if let Some(content) = system.filter(|_| !traits.instructions) {
        input.insert(0, Item::Said { r#type: "message", role: "system", content });
    }
    let summary = traits.summary.then_some("auto");
    let reasoning = Reasoning { effort: traits.effort, summary };
    let body = Body {
        model: &request.model,
        instructions: system.filter(|_| traits.instructions),
        tools,
        stream: true,
        store: traits.store.then_some(false),
        include: traits.include.then_some(["reasoning.encrypted_content"]),
        reasoning: (reasoning.effort.is_some() || summary.is_some()).then_some(reasoning),
        max_output_tokens: traits.max_output,
        prompt_cache_key: if traits.cache_key { cache_key(request) } else { None },
        input,
    };
    // Strings and values that came from JSON always become JSON again.
    (serde_json::to_vec(&body).unwrap_or_default(), left_out)
}

fn tools<'a>(request: &'a Request, names: &'a Names, traits: &Traits) -> (Vec<Tool<'a>>, Vec<(String, String)>) {
    let mut tools = Vec::with_capacity(request.tools.len());
    let mut left_out = Vec::new();
    let mut seen = HashSet::new();
    for tool in &request.tools {
        let name = names.wire(&tool.name);
        let parameters = match traits.without_tools.get(name.as_ref()).or_else(|| traits.without_tools.get("*")) {
            Some(reason) => Err(reason.clone()),
            None => schema::function_parameters(&tool.schema),
        };
        let parameters = match seen.insert(name.clone()) {
            true => parameters,
            false => Err("there are two tools of this name".to_owned()),
        };
        match parameters {
            Ok(parameters) => tools.push(Tool {
                r#type: "function",
                name,
                description: &tool.description,
                parameters,
                strict: traits.strict.then_some(false),
            }),
            Err(reason) => left_out.push((tool.name.clone(), reason)),
        }
    }
    (tools, left_out)
}

/// What the requests of one conversation have in common and others have not: how it began.
fn cache_key(request: &Request) -> Option<String> {
    let first = request.messages.iter().find_map(|turn| match turn {
        Turn::User { text, .. } => Some(text),
        _ => None,
    })?;
    Some(format!("bailey-{:016x}", fnv(FNV_START, first.as_bytes())))
}

#[cfg(test)]
mod tests;
