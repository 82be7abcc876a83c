// SPDX-License-Identifier: Apache-2.0
//! What lists of models say about a model, each in its own words.

use bailey_protocol::{ModelFacts, Price};
use serde_json::Value;

/// The facts of an entry in a list as OpenAI and those like it have it.
pub(super) fn of_entry(entry: &Value) -> ModelFacts {
    let number = |path: &str| {
        let value = entry.pointer(path)?;
        let number = value.as_u64().or_else(|| value.as_str()?.parse().ok())?;
        u32::try_from(number).ok().filter(|number| *number > 0)
    };
    let first = |paths: &[&str]| paths.iter().find_map(|path| number(path));
    let flag = |paths: &[&str]| paths.iter().find_map(|path| entry.pointer(path)?.as_bool());
    let has = |path: &str, words: &[&str]| {
        let list = entry.pointer(path)?.as_array()?;
        Some(list.iter().filter_map(Value::as_str).any(|word| words.contains(&word)))
    };
    let window = first(&[
        // What was really loaded comes before what the model could have.
        "/loaded_context_length",
        "/meta/n_ctx",
        "/top_provider/context_length",
        "/context_length",
        "/context_window",
        "/max_context_length",
        "/max_model_len",
        "/meta/n_ctx_train",
        "/capabilities/limits/max_context_window_tokens",
        "/max_input_tokens",
    ]);
    ModelFacts {
        window,
        max_output: first(&[
            "/top_provider/max_completion_tokens",
            "/max_completion_tokens",
            "/max_output_tokens",
            "/max_output_length",
            "/capabilities/limits/max_output_tokens",
        ])
        // As much as the model reads is said where nobody knows.
        .filter(|most| window.is_none_or(|window| *most < window)),
        pictures: flag(&[
            "/capabilities/vision",
            "/supports_image_in",
            "/supports_vision",
            "/capabilities/supports/vision",
        ])
        .or_else(|| has("/architecture/input_modalities", &["image"]))
        .or_else(|| has("/input_modalities", &["image"]))
        .or_else(|| {
            entry.get("type")?.as_str().filter(|kind| matches!(*kind, "vlm" | "llm")).map(|kind| kind == "vlm")
        }),
        tools: flag(&["/capabilities/function_calling", "/supports_tools", "/capabilities/supports/tool_calls"])
            .or_else(|| has("/supported_parameters", &["tools"]))
            .or_else(|| has("/capabilities", &["tool_use", "tools"])),
        thinks: flag(&["/capabilities/reasoning", "/supports_reasoning"])
            .or_else(|| has("/supported_parameters", &["reasoning", "include_reasoning", "reasoning_effort"]))
            .or_else(|| has("/capabilities", &["thinking", "reasoning"])),
        price: entry.get("pricing").and_then(price),
    }
}

/// Prices as OpenRouter and those like it write them, text with dollars a token; or as Together does, numbers with
/// dollars a million tokens. Very small numbers are dollars a token. A router's own price, which depends on where it leads, is -1.
fn price(pricing: &Value) -> Option<Price> {
    let one = |keys: &[&str]| {
        let value = keys.iter().find_map(|key| pricing.get(*key))?;
        let micro = match value {
            Value::String(text) => text.trim().parse::<f64>().ok()? * 1e12,
            // So little no million tokens cost.
            value => match value.as_f64()? {
                each if 0.0 < each && each < 0.001 => each * 1e12,
                million => million * 1e6,
            },
        };
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // checked
        (0.0..=f64::from(u32::MAX)).contains(&micro).then(|| micro.round() as u32)
    };
    Some(Price {
        input: one(&["prompt", "input"])?,
        output: one(&["completion", "output"])?,
        cached: one(&["input_cache_read", "cached_input", "cache_read"]),
        cache_write: one(&["input_cache_write", "cache_write"]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn each_list_has_its_own_words() {
        let none = ModelFacts::default();
        for (entry, expected) in [
            // OpenAI says nothing.
            (json!({"id": "gpt-5", "object": "model", "owned_by": "openai"}), none),
            // OpenRouter.
            (
                json!({
                    "id": "anthropic/claude-sonnet-4.5", "name": "Anthropic: Claude Sonnet 4.5", "context_length": 1_000_000,
                    "architecture": {"modality": "text+image->text", "input_modalities": ["text", "image", "file"]},
                    "pricing": {"prompt": "0.000003", "completion": "0.000015", "request": "0", "image": "0.0048", "input_cache_read": "0.0000003", "input_cache_write": "0.00000375"},
                    "top_provider": {"context_length": 200_000, "max_completion_tokens": 64_000, "is_moderated": false},
                    "supported_parameters": ["include_reasoning", "max_tokens", "reasoning", "tools"],
                }),
                ModelFacts {
                    window: Some(200_000),
                    max_output: Some(64_000),
                    pictures: Some(true),
                    tools: Some(true),
                    thinks: Some(true),
                    price: Some(Price {
                        input: 3_000_000,
                        output: 15_000_000,
                        cached: Some(300_000),
                        cache_write: Some(3_750_000),
                    }),
                },
            ),
            (
                json!({"id": "openrouter/auto", "pricing": {"prompt": "-1", "completion": "-1"}, "top_provider": {"context_length": null}, "supported_parameters": []}),
                ModelFacts { tools: Some(false), thinks: Some(false), ..none },
            ),
            // vLLM, llama.cpp, Groq, Mistral, LM Studio, Moonshot, Together, GitHub.
            (json!({"id": "m", "max_model_len": 32_768}), ModelFacts { window: Some(32_768), ..none }),
            (
                json!({"id": "m", "meta": {"n_ctx_train": 131_072, "n_params": 1}}),
                ModelFacts { window: Some(131_072), ..none },
            ),
            (
                json!({"id": "m", "meta": {"n_ctx_train": 131_072, "n_ctx": 8192}}),
                ModelFacts { window: Some(8192), ..none },
            ),
            (
                json!({"id": "m", "context_window": 131_072, "max_completion_tokens": 65_536}),
                ModelFacts { window: Some(131_072), max_output: Some(65_536), ..none },
            ),
            (
                json!({"id": "m", "max_context_length": 128_000, "capabilities": {"completion_chat": true, "function_calling": true, "vision": false, "reasoning": true}}),
                ModelFacts {
                    window: Some(128_000),
                    pictures: Some(false),
                    tools: Some(true),
                    thinks: Some(true),
                    ..none
                },
            ),
            (
                json!({"id": "m", "type": "vlm", "max_context_length": 131_072, "loaded_context_length": 4096, "capabilities": ["tool_use"]}),
                ModelFacts { window: Some(4096), pictures: Some(true), tools: Some(true), thinks: Some(false), ..none },
            ),
            (
                json!({"id": "m", "context_length": 262_144, "supports_image_in": true, "supports_reasoning": true}),
                ModelFacts { window: Some(262_144), pictures: Some(true), thinks: Some(true), ..none },
            ),
            (
                json!({"id": "m", "type": "chat", "context_length": 8192, "pricing": {"hourly": 0, "input": 0.18, "output": 0.59}}),
                ModelFacts {
                    window: Some(8192),
                    price: Some(Price { input: 180_000, output: 590_000, cached: None, cache_write: None }),
                    ..none
                },
            ),
            // Numbers that are dollars a token; a longest answer that is the window.
            (
                json!({"id": "m", "context_length": 8192, "max_output_tokens": 8192, "pricing": {"prompt": 0.000_000_18, "completion": 0.000_000_59}}),
                ModelFacts {
                    window: Some(8192),
                    price: Some(Price { input: 180_000, output: 590_000, cached: None, cache_write: None }),
                    ..none
                },
            ),
            (
                json!({"id": "m", "capabilities": {"limits": {"max_context_window_tokens": 128_000, "max_output_tokens": 16_384}, "supports": {"vision": true, "tool_calls": true}}}),
                ModelFacts {
                    window: Some(128_000),
                    max_output: Some(16_384),
                    pictures: Some(true),
                    tools: Some(true),
                    ..none
                },
            ),
            // Odd types cost only themselves.
            (
                json!({"id": "m", "context_length": "8192", "max_output_tokens": -1, "capabilities": 7, "pricing": "free", "supported_parameters": {"tools": 1}}),
                ModelFacts { window: Some(8192), ..none },
            ),
            (json!("m"), none),
        ] {
            assert_eq!(of_entry(&entry), expected, "{entry}");
        }
    }
}
