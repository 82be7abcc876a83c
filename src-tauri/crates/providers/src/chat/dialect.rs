// SPDX-License-Identifier: Apache-2.0
use super::hosts::{Host, Think, bare, counts_completion, think};
use crate::failure;
use crate::ids::Rule;
use bailey_protocol::model::Request;
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};
use url::Url;

/// How an endpoint differs from the others: known by its host, and learnt from what it refuses.
#[derive(Debug)]
pub(super) struct Dialect {
    host: Host,
    learnt: Mutex<Learnt>,
}

/// How one request is written.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Manner {
    /// Whether to ask for token counts with `stream_options`.
    pub(super) usage: bool,
    /// The field that limits the answer.
    pub(super) limit_field: LimitField,
    /// The limit itself.
    pub(super) limit: Option<u32>,
    pub(super) think: Think,
    pub(super) thoughts: Thoughts,
    /// Whether fields of the provider's own go back with its messages.
    pub(super) native: bool,
    /// Whether pictures are shown.
    pub(super) pictures: bool,
    /// Tools that are not offered, each with the reason; `*` for all.
    pub(super) without: BTreeMap<String, String>,
    /// Whether tools are declared where the history has calls, though none can be called.
    pub(super) declares_called: bool,
    pub(super) ids: Rule,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LimitField {
    MaxTokens,
    MaxCompletionTokens,
}

/// Whether a model's earlier reasoning goes back with its messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Thoughts {
    /// Never.
    Dropped,
    /// Its own, under the field in which it came; where one message has some, the others get this in place of it.
    Known(&'static str),
    /// Every message has some, this in place of none.
    Demanded(&'static str),
}

/// Models that want their reasoning back wherever they are served: within a round of tool calls they refuse a message
/// without it, or think anew.
const THINKERS: &[&str] = &["deepseek", "kimi", "glm", "minimax", "mimo", "gpt-oss"];

#[derive(Debug, Default)]
struct Learnt {
    without_usage: bool,
    models: HashMap<String, OfModel>,
}

/// What was learnt about one model.
#[derive(Clone, Debug, Default)]
struct OfModel {
    limit_field: Option<LimitField>,
    /// The largest limit it takes; 0 for none at all.
    cap: Option<u32>,
    without_think: bool,
    /// Words for efforts that it refused, and those that it said it takes.
    refused_efforts: Vec<&'static str>,
    efforts: Vec<&'static str>,
    ids: Option<Rule>,
    declares_called: bool,
    thoughts: Option<Asks>,
    /// Nothing does not count as reasoning.
    filled: bool,
    without_native: bool,
    without_pictures: bool,
    without_tools: BTreeMap<String, String>,
}

/// Words for efforts, least first.
const EFFORTS: [&str; 8] = ["none", "minimal", "low", "medium", "default", "high", "xhigh", "max"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asks {
    Wanted,
    Refused,
}

/// A body that was refused, as far as it matters.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Sent<'a> {
    #[serde(borrow)]
    model: Cow<'a, str>,
    stream_options: Option<IgnoredAny>,
    max_tokens: Option<u32>,
    max_completion_tokens: Option<u32>,
    #[serde(borrow)]
    reasoning_effort: Option<Cow<'a, str>>,
    thinking: Option<IgnoredAny>,
    enable_thinking: Option<IgnoredAny>,
    #[serde(borrow)]
    reasoning: Option<SentEffort<'a>>,
    #[serde(borrow)]
    tools: Vec<SentTool<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct SentEffort<'a> {
    #[serde(borrow)]
    effort: Cow<'a, str>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct SentTool<'a> {
    #[serde(borrow)]
    function: SentFunction<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct SentFunction<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
}

/// The fields in which providers keep what they want back.
pub(super) const NATIVE: [&str; 5] =
    ["reasoning_details", "reasoning_opaque", "thinking_blocks", "extra_content", "provider_specific_fields"];

impl Dialect {
    /// The dialect of a base URL.
    pub(super) fn of(base: &Url) -> Self {
        Self { host: Host::of(base), learnt: Mutex::default() }
    }

    fn learnt(&self) -> MutexGuard<'_, Learnt> {
        self.learnt.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How this request is to be written.
    pub(super) fn manner(&self, request: &Request) -> Manner {
        let learnt = self.learnt();
        let of_model = learnt.models.get(&request.model).cloned().unwrap_or_default();
        let limit_field = of_model.limit_field.unwrap_or_else(|| {
            if self.host == Host::OpenAi || counts_completion(&request.model) {
                LimitField::MaxCompletionTokens
            } else {
                LimitField::MaxTokens
            }
        });
        let limit = match of_model.cap {
            Some(0) => None,
            cap => request.max_output.map(|most| most.min(cap.unwrap_or(u32::MAX))),
        };
        let think = of_model.think(think(self.host, &request.model, request.effort));
        let name = bare(&request.model);
        let kimi = self.host == Host::Moonshot || name.contains("kimi");
        // Kimi takes nothing for something that is missing.
        let filler = if of_model.filled || kimi { " " } else { "" };
        let demanded = matches!(self.host, Host::DeepSeek | Host::Moonshot)
            || self.host == Host::Switched && !name.contains("doubao");
        let thoughts = match of_model.thoughts {
            Some(Asks::Refused) => Thoughts::Dropped,
            Some(Asks::Wanted) => Thoughts::Demanded(filler),
            None if demanded => Thoughts::Demanded(filler),
            None if THINKERS.iter().any(|known| name.contains(known)) => Thoughts::Known(filler),
            None => Thoughts::Dropped,
        };
        let ids = of_model.ids.unwrap_or(match self.host {
            Host::Mistral => Rule::Exact(9),
            Host::OpenAi => Rule::Word(40),
            // As Anthropic has it, whoever stands between.
            _ if name.contains("claude") => Rule::Word(64),
            _ => Rule::Any,
        });
        Manner {
            usage: !learnt.without_usage,
            limit_field,
            limit,
            think,
            thoughts,
            native: !of_model.without_native,
            pictures: !of_model.without_pictures,
            without: of_model.without_tools,
            declares_called: of_model.declares_called,
            ids,
        }
    }

    /// Learns from a refused request; whether another try would be a different one.
    pub(super) fn learn(&self, sent: &[u8], refusal: &str) -> bool {
        let Ok(body) = serde_json::from_slice::<Sent<'_>>(sent) else { return false };
        let words = refusal.to_lowercase();
        let says = |any: &[&str]| any.iter().any(|word| words.contains(word));
        // In a text the quotes are escaped, so this is a key.
        let holds = |key: &str| memchr::memmem::find(sent, format!("\"{key}\":").as_bytes()).is_some();
        let mut learnt = self.learnt();

        if body.stream_options.is_some() && says(&["stream_options", "include_usage"]) {
            return !std::mem::replace(&mut learnt.without_usage, true);
        }
        let of_model = learnt.models.entry(body.model.clone().into_owned()).or_default();
        let undeclared = ["tools= param", "tools=` param", "toolconfig field must be defined", "must define tools"];
        if body.tools.is_empty() && says(&undeclared) {
            return !std::mem::replace(&mut of_model.declares_called, true);
        }
        if says(&["tool call id", "tool_call_id", "tool_calls", "tool_use.id", "tool_use_id"]) {
            let rule = if says(&["length of 9", "a-z, a-z, 0-9"]) {
                Some(Rule::Exact(9))
            } else if says(&["maximum length 40", "string too long", "string_above_max_length"]) {
                Some(Rule::Word(40))
            } else if says(&["tool_use.id", "tool_use_id"]) || (says(&["match pattern"]) && !says(&[".name"])) {
                Some(Rule::Word(64))
            } else {
                None
            };
            if rule.is_some() && rule != of_model.ids {
                of_model.ids = rule;
                return true;
            }
        }
        // Before what is about thinking in general: these words are in there, too.
        if says(&["reasoning_content"])
            || (holds("reasoning")
                && body.reasoning.is_none()
                && says(&["'reasoning'", "\"reasoning\"", "`reasoning`"]))
        {
            return of_model.learn_thoughts(
                says(&["must be passed", "missing", "required", "must be provided", "must include", "must contain"]),
                holds("reasoning_content") || holds("reasoning"),
            );
        }
        if let Some(limit) = body.max_completion_tokens.or(body.max_tokens)
            && says(&["max_tokens", "max_completion_tokens", "max_new_tokens", "max_output_tokens", "maxoutputtokens"])
            && !is_about_conversation(&words)
        {
            return of_model.learn_limit(body.max_completion_tokens.is_some(), limit, &words);
        }
        if NATIVE.iter().any(|field| words.contains(field) && holds(field)) {
            return !std::mem::replace(&mut of_model.without_native, true);
        }
        if let Some((tool, reason)) = refused_tool(&body.tools, refusal) {
            return of_model.without_tools.insert(tool, reason).is_none();
        }
        if !body.tools.is_empty()
            && says(&[
                "not support tool",
                "support tool use",
                "not support function",
                "tools is not supported",
                "tools are not supported",
                "tool calling is not supported",
                "tool use is not supported",
                "unknown field: tools",
            ])
        {
            let reason = "This model takes no tools.".to_owned();
            return of_model.without_tools.insert("*".to_owned(), reason).is_none();
        }
        if holds("image_url") && failure::sees_nothing(&words) {
            return !std::mem::replace(&mut of_model.without_pictures, true);
        }
        let about_thinking = says(&["reasoning", "thinking", "effort"]);
        let effort = body.reasoning_effort.or(body.reasoning.map(|reasoning| reasoning.effort));
        if let Some(effort) = effort.filter(|_| about_thinking) {
            return of_model.learn_effort(&effort, &words);
        }
        if (body.thinking.is_some() || body.enable_thinking.is_some()) && about_thinking {
            return !std::mem::replace(&mut of_model.without_think, true);
        }
        false
    }
}

impl OfModel {
    /// How to say how much to think, without the words that were refused: the nearest of those that are taken.
    fn think(&self, wanted: Think) -> Think {
        let place = |word: &str| EFFORTS.iter().position(|known| *known == word).unwrap_or_default();
        let nearest = |wanted: &'static str| {
            if self.efforts.is_empty() {
                return Some(wanted).filter(|word| !self.refused_efforts.contains(word));
            }
            let taken = self.efforts.iter().copied().filter(|word| !self.refused_efforts.contains(word));
            taken.min_by_key(|word| place(word).abs_diff(place(wanted)))
        };
        match wanted {
            _ if self.without_think => Think::Unsaid,
            Think::Effort(word) => nearest(word).map_or(Think::Unsaid, Think::Effort),
            Think::Nested(word) => nearest(word).map_or(Think::Unsaid, Think::Nested),
            other => other,
        }
    }

    /// Another effort may be taken: only this word is refused.
    fn learn_effort(&mut self, refused: &str, words: &str) -> bool {
        let Some(refused) = EFFORTS.into_iter().find(|word| *word == refused) else { return false };
        if self.refused_efforts.contains(&refused) {
            return false;
        }
        self.refused_efforts.push(refused);
        let quoted = |word: &str| ["'", "\"", "`"].iter().any(|quote| words.contains(&format!("{quote}{word}{quote}")));
        // In JSON a quote is escaped.
        let quoted = |word: &str| quoted(word) || words.contains(&format!("\\\"{word}\\\""));
        let named: Vec<&'static str> = EFFORTS.into_iter().filter(|word| *word != refused && quoted(word)).collect();
        if !named.is_empty() {
            self.efforts = named;
        }
        true
    }

    fn learn_thoughts(&mut self, wanted: bool, sent: bool) -> bool {
        match (wanted, sent) {
            (true, false) => self.thoughts.replace(Asks::Wanted) != Some(Asks::Wanted),
            // What was sent counted for nothing.
            (true, true) => {
                let asked = self.thoughts.replace(Asks::Wanted) == Some(Asks::Wanted);
                !std::mem::replace(&mut self.filled, true) || !asked
            }
            (false, true) => self.thoughts.replace(Asks::Refused) != Some(Asks::Refused),
            (false, false) => false,
        }
    }

    fn learn_limit(&mut self, completion: bool, sent: u32, words: &str) -> bool {
        let says = |any: &[&str]| any.iter().any(|word| words.contains(word));
        let too_large =
            says(&["too large", "at most", "less than or equal", "range", "exceed", "greater than", "<=", "maximum"]);
        let other = if completion { LimitField::MaxTokens } else { LimitField::MaxCompletionTokens };
        let advised = !completion && words.contains("max_completion_tokens");
        let unknown =
            says(&["unsupported", "not supported", "unrecognized", "unknown", "unexpected", "extra", "not permitted"]);
        if !too_large && (advised || unknown) && self.limit_field.is_none() {
            self.limit_field = Some(other);
            return true;
        }
        // The largest limit that the words name; without one, none is set.
        let numbers = words.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse::<u32>().ok());
        let cap = numbers.filter(|number| (256..sent).contains(number)).max().unwrap_or(0);
        self.cap.replace(cap).is_none_or(|before| cap < before)
    }
}

/// Whether words about the longest answer are about the conversation's length as well: then the answer's own limit, which
/// would be kept, is not known from them.
fn is_about_conversation(words: &str) -> bool {
    // Groq only says how the one limit compares with the other.
    let words = words.replace("is less than the `context_window`", "");
    ["context", "prompt", "input tokens"].iter().any(|word| words.contains(word))
}

/// The tool whose schema is refused, and the provider's words about it.
fn refused_tool(tools: &[SentTool<'_>], refusal: &str) -> Option<(String, String)> {
    let words = refusal.to_lowercase();
    let named = words.find("schema for function '").and_then(|at| {
        let name = refusal.get(at + "schema for function '".len()..)?.split('\'').next()?;
        tools.iter().find(|tool| tool.function.name == name)
    });
    let numbered = || {
        let schema = ["schema", "parameters"].iter().any(|word| words.contains(word));
        let at = ["tools[", "tools."].iter().find_map(|start| {
            let rest = &words[words.find(start)? + start.len()..];
            rest[..rest.find(|c: char| !c.is_ascii_digit())?].parse::<usize>().ok()
        });
        at.filter(|_| schema).and_then(|at| tools.get(at))
    };
    let tool = named.or_else(numbered)?;
    let said = failure::words(refusal);
    Some((tool.function.name.clone().into_owned(), format!("The provider does not take its schema: {said}")))
}

#[cfg(test)]
mod tests;
