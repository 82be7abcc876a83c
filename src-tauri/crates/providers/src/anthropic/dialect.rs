// SPDX-License-Identifier: Apache-2.0
use super::model::{Habits, Style};
use super::native;
use crate::failure;
use reqwest::header::HeaderMap;
use serde_json::Value;
use std::collections::hash_map::DefaultHasher;
use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use url::Url;

/// This many marks of refused reasoning are kept; then it begins anew.
const MOST_MARKS: usize = 10_000;

/// How an endpoint differs from the others: known by its host, and learnt from what it refuses. Clones learn together.
#[derive(Clone, Debug)]
pub(super) struct Dialect {
    /// Whether it is Anthropic's own.
    pub(super) first_party: bool,
    learnt: Arc<Mutex<Learnt>>,
}

/// What was learnt.
#[derive(Debug, Default)]
pub(super) struct Learnt {
    bearer: Bearer,
    /// Does not take marks for its cache.
    pub(super) no_cache: bool,
    /// Wants tools to be defined where calls are in the history.
    pub(super) wants_tools: bool,
    /// Wants reasoning back that nobody signed.
    pub(super) wants_reasoning: bool,
    models: HashMap<String, Habits>,
    /// Tools that it refused, with its words.
    tools: HashMap<u64, String>,
    /// Signatures that it refused.
    signatures: HashSet<u64>,
    /// Calls after which it does not think.
    calls: HashSet<u64>,
}

/// How the key is carried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Bearer {
    #[default]
    No,
    Yes,
    /// It was tried and did not help.
    Tried,
}

/// Hosts that want the key as a bearer token.
const BEARERS: &[&str] = &["openrouter.ai", "minimax.io", "minimaxi.com", "moonshot.ai", "moonshot.cn", "kimi.com"];

pub(super) fn is_below(host: &str, domain: &str) -> bool {
    host == domain || host.strip_suffix(domain).is_some_and(|rest| rest.ends_with('.'))
}

impl Dialect {
    /// The dialect of a base URL.
    pub(super) fn of(base: &Url) -> Self {
        let host = base.host_str().unwrap_or_default().trim_end_matches('.').to_ascii_lowercase();
        let bearer = if BEARERS.iter().any(|known| is_below(&host, known)) { Bearer::Yes } else { Bearer::No };
        let learnt = Learnt { bearer, ..Learnt::default() };
        Self { first_party: is_below(&host, "anthropic.com"), learnt: Arc::new(Mutex::new(learnt)) }
    }

    pub(super) fn learnt(&self) -> MutexGuard<'_, Learnt> {
        self.learnt.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the key goes as a bearer token.
    pub(super) fn carries_bearer(&self) -> bool {
        self.learnt().bearer == Bearer::Yes
    }

    /// The key was not accepted with these headers; whether it is worth trying the other way.
    pub(super) fn learn_key(&self, sent: &HeaderMap) -> bool {
        let mut learnt = self.learnt();
        if self.first_party {
            return false;
        }
        if sent.contains_key("x-api-key") {
            if learnt.bearer == Bearer::No {
                learnt.bearer = Bearer::Yes;
            }
            return learnt.bearer == Bearer::Yes;
        }
        // Both ways were refused: the key itself is at fault.
        if sent.contains_key("authorization") && learnt.bearer == Bearer::Yes {
            learnt.bearer = Bearer::Tried;
        }
        false
    }

    /// Learns from a refused request; whether another try would be a different one.
    pub(super) fn learn(&self, sent: &[u8], refusal: &str) -> bool {
        let Ok(sent) = serde_json::from_slice::<Value>(sent) else { return false };
        let words = refusal.to_lowercase();
        let mut learnt = self.learnt();
        if words.contains("cache_control") && !learnt.no_cache {
            learnt.no_cache = true;
            return true;
        }
        if let Some(at) = refused_tool(&words)
            && let Some(tool) = sent.get("tools").and_then(|tools| tools.get(at))
        {
            let name = tool.get("name").and_then(Value::as_str).unwrap_or_default();
            let mark = tool_mark(name, tool.get("input_schema").unwrap_or(&Value::Null));
            return learnt.tools.insert(mark, failed(refusal)).is_none();
        }
        let defines = words.contains("must define tools") || words.contains("toolconfig field must be defined");
        if defines && sent.get("tools").is_none() && !learnt.wants_tools {
            learnt.wants_tools = true;
            return true;
        }
        let model = sent.get("model").and_then(Value::as_str).unwrap_or_default();
        let habits = learnt.models.entry(model.to_owned()).or_default();
        learn_cap(habits, &sent, &words)
            || learn_thinking(habits, &sent, &words)
            || learn_reasoning(&mut learnt, &sent, &words, self.first_party)
    }
}

impl Learnt {
    pub(super) fn habits(&self, model: &str) -> Habits {
        self.models.get(model).copied().unwrap_or_default()
    }

    /// The endpoint's words when it refused this tool.
    pub(super) fn refused_tool(&self, mark: u64) -> Option<&str> {
        self.tools.get(&mark).map(String::as_str)
    }

    pub(super) fn refused_signature(&self, mark: u64) -> bool {
        self.signatures.contains(&mark)
    }

    /// Whether it does not think while this call is answered.
    pub(super) fn stays_silent_after(&self, call: &str) -> bool {
        self.calls.contains(&native::mark(call))
    }
}

/// What a tool is recognised by: its name and schema as they are sent.
pub(super) fn tool_mark(name: &str, schema: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    (name, schema.to_string()).hash(&mut hasher);
    hasher.finish()
}

/// `tools.3.custom.input_schema: …`
fn refused_tool(words: &str) -> Option<usize> {
    let at = ["tools.", "tools["].iter().filter_map(|start| words.find(start).map(|at| at + start.len())).min()?;
    let number = &words[at..];
    number[..number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len())].parse().ok()
}

/// The words of a refusal, without their wrapping.
fn failed(refusal: &str) -> String {
    let words: String = failure::words(refusal).chars().take(300).collect();
    format!("the provider did not take it: {words}")
}

/// `max_tokens: 200000 > 64000, which is the maximum …`, `the valid range of max_tokens is [1, 8192]`.
fn learn_cap(habits: &mut Habits, sent: &Value, words: &str) -> bool {
    let elsewhere = ["budget_tokens", "input length", "context", "prompt"].iter().any(|word| words.contains(word));
    let Some(asked) = sent.get("max_tokens").and_then(Value::as_u64) else { return false };
    if !words.contains("max_tokens") || elsewhere {
        return false;
    }
    let numbers = words.split(|c: char| !c.is_ascii_alphanumeric()).filter_map(|word| word.parse::<u64>().ok());
    // Smaller ones are statuses and parts of names.
    let Some(cap) = numbers.filter(|number| (1000..asked).contains(number)).max() else { return false };
    habits.cap = u32::try_from(cap).ok();
    true
}

fn learn_thinking(habits: &mut Habits, sent: &Value, words: &str) -> bool {
    let refused = [
        "not support",
        "unsupported",
        "extra inputs",
        "not permitted",
        "unknown",
        "unrecognized",
        "not allowed",
        "unexpected",
        "does not match",
        "invalid",
        "expected",
        "not available",
        "deprecated",
        "removed",
        "must be",
    ];
    if !refused.iter().any(|word| words.contains(word)) {
        return false;
    }
    if sent.get("output_config").is_some() && (words.contains("output_config") || words.contains("effort")) {
        let speaks_of_thinking = words.contains("thinking.type");
        if !speaks_of_thinking && !habits.no_effort {
            habits.no_effort = true;
            return true;
        }
    }
    let thinking = sent.get("thinking");
    let Some(kind) = thinking.and_then(|thinking| thinking.get("type")).and_then(Value::as_str) else { return false };
    if thinking.and_then(|thinking| thinking.get("display")).is_some()
        && words.contains("display")
        && !habits.no_display
    {
        habits.no_display = true;
        return true;
    }
    // Words about a message's blocks are not about the field.
    let about_field =
        ["thinking.", "thinking:", "`thinking`", "'thinking'", "\"thinking\"", "budget_tokens", "adaptive"];
    let about_blocks = words.contains("messages.") || words.contains("signature") || words.contains("block");
    if about_blocks
        || !(about_field.iter().any(|word| words.contains(word))
            || words.contains("thinking") && words.contains("support"))
    {
        return false;
    }
    let before = *habits;
    match kind {
        "disabled" => habits.cannot_stop = true,
        "enabled" if words.contains("adaptive") && habits.style.is_none() => habits.style = Some(Style::Adaptive),
        "adaptive" if habits.style.is_none() => habits.style = Some(Style::Budget),
        _ => habits.style = Some(Style::None),
    }
    before != *habits
}

/// Reasoning in the history that it does not take, or misses.
fn learn_reasoning(learnt: &mut Learnt, sent: &Value, words: &str, first_party: bool) -> bool {
    if !words.contains("thinking") && !words.contains("signature") && !words.contains("reasoning") {
        return false;
    }
    let blocks = || {
        let messages = sent.get("messages").and_then(Value::as_array).into_iter().flatten();
        messages.filter_map(|message| message.get("content")?.as_array()).flatten()
    };
    let kind = |block: &Value| block.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
    let missed = words.contains("passed back") || words.contains("reasoning_content is missing");
    if missed && !first_party && !learnt.wants_reasoning {
        learnt.wants_reasoning = true;
        return true;
    }
    // With a budget, calls have to begin with thinking.
    if words.contains("but found") && words.contains("expected") {
        let call = blocks().rfind(|block| kind(block) == "tool_use");
        let Some(id) = call.and_then(|call| call.get("id")).and_then(Value::as_str) else { return false };
        return remember(&mut learnt.calls, native::mark(id));
    }
    let marks: Vec<u64> = blocks()
        .filter_map(|block| {
            let text = |field: &str| block.get(field).and_then(Value::as_str).filter(|text| !text.is_empty());
            match kind(block).as_str() {
                "thinking" => text("signature").or_else(|| text("thinking")),
                "redacted_thinking" => text("data"),
                _ => None,
            }
        })
        .map(native::mark)
        .collect();
    let mut new = false;
    for mark in marks {
        new |= remember(&mut learnt.signatures, mark);
    }
    new
}

fn remember(marks: &mut HashSet<u64>, mark: u64) -> bool {
    if marks.len() >= MOST_MARKS {
        marks.clear();
    }
    marks.insert(mark)
}

#[cfg(test)]
mod tests;
