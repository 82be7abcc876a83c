// SPDX-License-Identifier: Apache-2.0
use super::dialect::Traits;
use super::history::{Content, contents};
use super::schema;
use super::thinking::{self, ThinkingConfig};
use crate::names::Names;
use bailey_protocol::model::Request;
use serde::Serialize;
use serde_json::Value;
use std::borrow::Cow;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    system_instruction: Option<System<'a>>,
    /// An empty list is refused by some.
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<[Tools<'a>; 1]>,
    #[serde(skip_serializing_if = "GenerationConfig::is_empty")]
    generation_config: GenerationConfig,
    contents: Vec<Content<'a>>,
}

#[derive(Serialize)]
struct System<'a> {
    parts: [SystemPart<'a>; 1],
}

#[derive(Serialize)]
struct SystemPart<'a> {
    text: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Tools<'a> {
    function_declarations: Vec<Declaration<'a>>,
}

#[derive(Serialize)]
struct Declaration<'a> {
    name: Cow<'a, str>,
    description: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    parameters: Option<Value>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GenerationConfig {
    #[serde(skip_serializing_if = "Option::is_none")]
    max_output_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking_config: Option<ThinkingConfig>,
}

impl GenerationConfig {
    fn is_empty(&self) -> bool {
        self.max_output_tokens.is_none() && self.thinking_config.is_none()
    }
}

/// A request's body, and the tools that could not be put into it, each with the reason.
pub(super) fn body(request: &Request, names: &Names, traits: &Traits) -> (Vec<u8>, Vec<(String, String)>) {
    let mut left_out = Vec::new();
    let mut declared = Vec::with_capacity(request.tools.len());
    for tool in &request.tools {
        let name = names.wire(&tool.name);
        let parameters = if !traits.takes_tools {
            Err("this model takes no tools".to_owned())
        } else if traits.refused_tools.contains(&*name) {
            Err("the provider refuses its schema".to_owned())
        } else {
            schema::parameters(&tool.schema, traits.deepest)
        };
        match parameters {
            Ok(parameters) => {
                let description = Some(tool.description.trim()).filter(|text| !text.is_empty());
                declared.push(Declaration { description: description.unwrap_or(&tool.name), name, parameters });
            }
            Err(reason) => left_out.push((tool.name.clone(), reason)),
        }
    }
    let max_output = match (request.max_output, traits.max_output) {
        (_, Some(0)) => None,
        (Some(wanted), Some(most)) => Some(wanted.min(most)),
        (wanted, _) => wanted,
    };
    let system = Some(request.system.as_str()).filter(|text| !text.trim().is_empty() && !traits.system_in_turn);
    let body = Body {
        system_instruction: system.map(|text| System { parts: [SystemPart { text }] }),
        tools: (!declared.is_empty()).then_some([Tools { function_declarations: declared }]),
        generation_config: GenerationConfig {
            max_output_tokens: max_output,
            thinking_config: thinking::config(&request.model, request.effort, max_output, &traits.thinking),
        },
        contents: contents(request, names, traits),
    };
    // Strings and values that came from JSON always become JSON again.
    (serde_json::to_vec(&body).unwrap_or_default(), left_out)
}

#[cfg(test)]
mod tests;
