// SPDX-License-Identifier: Apache-2.0
//! How endpoints and models differ in what they take: known by host and by name, and learnt from what they refuse.
//!
//! Nothing is stored at the provider, so items go back whole. Their ids would be looked up there and not be found, and are
//! left out; Azure wants to see them all the same.

use super::wire::{list, text};
use super::{FNV_START, fnv};
use crate::failure;
use bailey_protocol::Effort;
use bailey_protocol::model::Native;
use serde::Serialize;
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use url::Url;

/// The least that may be asked for as the longest answer.
const LEAST_OUTPUT: u32 = 16;

/// What is known of one endpoint.
#[derive(Debug)]
pub(super) struct Dialect {
    /// OpenAI's service at Microsoft.
    azure: bool,
    /// Takes a key that says which requests share a beginning.
    caches_by_key: bool,
    learnt: Mutex<Learnt>,
}

/// What the endpoint's refusals taught.
#[derive(Debug, Default)]
struct Learnt {
    /// Fields that it does not know.
    without: HashSet<Field>,
    /// Items go with their ids, or without them, unlike at first.
    ids: Option<bool>,
    /// Messages can't go back in the provider's form.
    no_natives: bool,
    /// Prints of encrypted content that was refused, as it is when it was written for another account.
    refused: HashSet<u64>,
    models: HashMap<String, Model>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Field {
    Store,
    CacheKey,
    Strict,
    Instructions,
    Summary,
}

#[derive(Clone, Debug, Default)]
struct Model {
    no_include: bool,
    no_reasoning: bool,
    no_summary: bool,
    /// The efforts it takes.
    efforts: Option<Vec<Level>>,
    no_max_output: bool,
    /// The longest answer it allows.
    max_output: Option<u32>,
    no_pictures: bool,
    without_tools: HashMap<String, String>,
}

/// An effort as it is sent, least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Level {
    None,
    Minimal,
    Low,
    Medium,
    High,
    Xhigh,
    Max,
}

const LEVELS: [(&str, Level); 7] = [
    ("none", Level::None),
    ("minimal", Level::Minimal),
    ("low", Level::Low),
    ("medium", Level::Medium),
    ("high", Level::High),
    ("xhigh", Level::Xhigh),
    ("max", Level::Max),
];

/// The fields of a request that differ.
#[derive(Debug, PartialEq)]
pub(super) struct Traits {
    /// Ask for encrypted reasoning.
    pub(super) include: bool,
    /// Say that nothing is to be stored.
    pub(super) store: bool,
    pub(super) effort: Option<Level>,
    pub(super) summary: bool,
    pub(super) max_output: Option<u32>,
    pub(super) cache_key: bool,
    pub(super) strict: bool,
    /// The instructions have a field of their own.
    pub(super) instructions: bool,
    /// Items go with their ids.
    pub(super) ids: bool,
    /// The model sees.
    pub(super) pictures: bool,
    /// Tools that the model does not take, by the names they are sent with (`*`: all), each with the reason.
    pub(super) without_tools: HashMap<String, String>,
}

/// How a model thinks, as far as its name tells.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Thinks {
    No,
    /// Without a say in how much.
    ByItself,
    /// At least this much.
    From(Level),
    Unknown,
}

impl Thinks {
    fn of(model: &str) -> Self {
        let name = model.rsplit('/').next().unwrap_or(model).to_ascii_lowercase();
        let starts = |words: &[&str]| words.iter().any(|word| name.starts_with(word));
        if let Some(rest) = name.strip_prefix("gpt-")
            && let Some((major, minor)) = version(rest)
        {
            return match (major, minor) {
                (..5, _) => Thinks::No,
                (_, None) if rest.contains("-chat") => Thinks::No,
                (_, _) if rest.ends_with("-pro") || rest.contains("-pro-") => Thinks::From(Level::Medium),
                (5, None) => Thinks::From(Level::Minimal),
                (_, _) => Thinks::From(Level::None),
            };
        }
        let is_o = name.strip_prefix('o').and_then(version).is_some();
        if is_o || starts(&["gpt-oss", "codex-mini", "computer-use"]) {
            return Thinks::From(Level::Low);
        }
        if starts(&["gpt-", "chatgpt-", "text-", "davinci"]) || name.contains("non-reasoning") {
            return Thinks::No;
        }
        if let Some(rest) = name.strip_prefix("grok-") {
            let by_itself = matches!(rest, "4" | "4-latest") || rest.starts_with("4-0") || rest.contains("fast");
            return match version(rest) {
                _ if by_itself || rest.starts_with("build") => Thinks::ByItself,
                _ if rest.starts_with("3-mini") => Thinks::From(Level::Low),
                Some((..4, _)) => Thinks::No,
                _ => Thinks::Unknown,
            };
        }
        Thinks::Unknown
    }
}

/// The numbers a version begins with: `5.1-codex` is 5 and 1.
fn version(text: &str) -> Option<(u32, Option<u32>)> {
    let digits = |text: &str| text.chars().take_while(char::is_ascii_digit).collect::<String>();
    let major = digits(text);
    let rest = &text[major.len()..];
    let minor = rest.strip_prefix('.').map(digits).and_then(|minor| minor.parse().ok());
    let ends = rest.is_empty() || rest.starts_with(['-', '.', ':']);
    Some((major.parse().ok().filter(|_| ends)?, minor))
}

impl Dialect {
    pub(super) fn of(base: &Url) -> Self {
        let host = base.host_str().unwrap_or_default().to_ascii_lowercase();
        let under = |domain: &str| host.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
        let azure = ["openai.azure.com", "services.ai.azure.com", "cognitiveservices.azure.com"].into_iter().any(under);
        let caches_by_key = azure || under("api.openai.com") || under("api.x.ai");
        Self { azure, caches_by_key, learnt: Mutex::default() }
    }

    pub(super) fn is_azure(&self) -> bool {
        self.azure
    }

    fn learnt(&self) -> MutexGuard<'_, Learnt> {
        self.learnt.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a request to this model holds.
    pub(super) fn traits(&self, model: &str, effort: Option<Effort>, max_output: Option<u32>) -> Traits {
        let learnt = self.learnt();
        let known = learnt.models.get(model).cloned().unwrap_or_default();
        let takes = |field| !learnt.without.contains(&field);
        let thinks = Thinks::of(model);
        let level =
            effort.filter(|_| !known.no_reasoning).and_then(|effort| level(effort, thinks, known.efforts.as_deref()));
        // A summary costs nothing and is all that is to be seen of OpenAI's reasoning.
        let shows = match thinks {
            Thinks::From(_) => level != Some(Level::None),
            Thinks::Unknown => level.is_some_and(|level| level != Level::None),
            Thinks::No | Thinks::ByItself => false,
        };
        Traits {
            include: thinks != Thinks::No && !known.no_include,
            store: takes(Field::Store),
            effort: level,
            summary: shows && !known.no_reasoning && !known.no_summary && takes(Field::Summary),
            max_output: max_output
                .filter(|_| !known.no_max_output)
                .map(|most| most.min(known.max_output.unwrap_or(u32::MAX)).max(LEAST_OUTPUT)),
            cache_key: self.caches_by_key && takes(Field::CacheKey),
            strict: takes(Field::Strict),
            instructions: takes(Field::Instructions),
            ids: learnt.ids.unwrap_or(self.azure),
            pictures: !known.no_pictures,
            without_tools: known.without_tools,
        }
    }

    /// Whether a message may go back in the provider's form.
    pub(super) fn takes_back(&self, native: &Native) -> bool {
        let learnt = self.learnt();
        !learnt.no_natives
            && (learnt.refused.is_empty()
                || !native
                    .items
                    .iter()
                    .any(|item| learnt.refused.contains(&print(text(&item["item"], "encrypted_content")))))
    }

    /// Learns from a refused request; whether another try would be a different one.
    pub(super) fn learn(&self, sent: &[u8], refusal: &str) -> bool {
        let Ok(sent) = serde_json::from_slice::<Value>(sent) else { return false };
        let said = refusal.to_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| said.contains(word));
        let mut learnt = self.learnt();
        if learnt.input(&sent, self.azure, &said, &says) {
            return true;
        }
        let has = |key: &str| sent.get(key).is_some();
        let field = |name: &str| has(name) && names(&said, name);
        let reasoning = sent.get("reasoning").unwrap_or(&Value::Null);
        let model = text(&sent, "model").to_owned();
        let encrypted = says(&["encrypted content is not supported", "reasoning.encrypted_content"]);
        if has("include") && (encrypted || field("include") || says(&["include[", "include."])) {
            learnt.models.entry(model).or_default().no_include = true;
            return true;
        }
        if reasoning.get("summary").is_some() && says(&["summar"]) {
            // The account as a whole has to be verified for it.
            if says(&["organization", "organisation", "verified"]) {
                learnt.without.insert(Field::Summary);
            } else {
                learnt.models.entry(model).or_default().no_summary = true;
            }
            return true;
        }
        let refused = text(reasoning, "effort");
        if !refused.is_empty() && (says(&["effort"]) || (says(&["value"]) && quotes(&said, refused))) {
            let known = learnt.models.entry(model).or_default();
            let taken = LEVELS.iter().filter(|(word, _)| *word != refused && quotes(&said, word));
            known.efforts = Some(taken.map(|(_, level)| *level).collect());
            return true;
        }
        if has("reasoning") && names(&said, "reasoning") {
            learnt.models.entry(model).or_default().no_reasoning = true;
            return true;
        }
        if let Some((tool, reason)) = refused_tool(list(&sent, "tools"), refusal) {
            return learnt.models.entry(model).or_default().without_tools.insert(tool, reason).is_none();
        }
        let no_tools =
            ["not support tool", "not support function", "tools is not supported", "tools are not supported"];
        if has("tools") && says(&no_tools) {
            let reason = "This model takes no tools.".to_owned();
            return learnt.models.entry(model).or_default().without_tools.insert("*".to_owned(), reason).is_none();
        }
        if sends_picture(&sent) && failure::sees_nothing(&said) {
            return !std::mem::replace(&mut learnt.models.entry(model).or_default().no_pictures, true);
        }
        let most = sent.get("max_output_tokens").and_then(Value::as_u64);
        if let Some(most) = most
            && says(&["max_output_tokens", "max output tokens", "max_tokens", "max_completion_tokens"])
            // How much is left of the window differs from request to request.
            && !says(&["context", "prompt", "input tokens"])
        {
            let known = learnt.models.entry(model).or_default();
            let less = numbers(&said).filter(|number| (u64::from(LEAST_OUTPUT)..most).contains(number)).max();
            match less.and_then(|less| u32::try_from(less).ok()) {
                Some(less) => known.max_output = Some(less),
                None => known.no_max_output = true,
            }
            return true;
        }
        let found =
            [(Field::Store, "store"), (Field::CacheKey, "prompt_cache_key"), (Field::Instructions, "instructions")]
                .into_iter()
                .find(|(_, name)| field(name))
                .map(|(field, _)| field)
                .or_else(|| (has("tools") && names(&said, "strict")).then_some(Field::Strict));
        found.is_some_and(|field| learnt.without.insert(field))
    }
}

impl Learnt {
    /// What was refused may be something that only the provider understands, sent back to it.
    fn input(&mut self, sent: &Value, azure: bool, said: &str, says: &dyn Fn(&[&str]) -> bool) -> bool {
        let input = list(sent, "input");
        let is_native = |item: &Value| {
            ["id", "status", "phase"].iter().any(|key| item.get(key).is_some())
                || !matches!(text(item, "type"), "message" | "function_call" | "function_call_output")
        };
        let mut natives = input.iter().filter(|item| is_native(item)).peekable();
        if natives.peek().is_none() {
            return false;
        }
        // What all providers share is not to blame.
        let numbered = numbered(said);
        if numbered.is_some_and(|at| !input.get(at).is_some_and(is_native)) {
            return false;
        }
        let unreadable = says(&["invalid_encrypted_content"])
            || (says(&["encrypted"]) && says(&["verif", "decrypt", "could not be"]));
        let lookup = says(&["not found", "without its required"]) && says(&["item"]);
        let id_missing = says(&["does not match the expected schema"])
            || (says(&["missing", "required"]) && says(&[".id", "'id'", "\"id\""]) && !lookup);
        let unknown = numbered.is_some() && says(&["unknown", "unsupported", "unrecognized", "invalid"]);
        // Once each way; then it is not the ids.
        if self.ids.is_none() && ((lookup && azure) || (id_missing && !azure)) {
            self.ids = Some(id_missing);
            return true;
        }
        if !(unreadable || lookup || id_missing || unknown) {
            return false;
        }
        let contents = natives.map(|item| text(item, "encrypted_content")).filter(|content| !content.is_empty());
        let before = self.refused.len();
        if unreadable || lookup {
            self.refused.extend(contents.map(print));
        }
        // Without anything encrypted it is the form itself.
        self.refused.len() > before || !std::mem::replace(&mut self.no_natives, true)
    }
}

fn print(content: &str) -> u64 {
    fnv(FNV_START, content.as_bytes())
}

/// The effort to ask for: of those that the model takes, the nearest.
fn level(effort: Effort, thinks: Thinks, taken: Option<&[Level]>) -> Option<Level> {
    let wanted = match effort {
        Effort::Off => Level::None,
        Effort::Low => Level::Low,
        Effort::Medium => Level::Medium,
        Effort::High => Level::High,
    };
    match (taken, thinks) {
        (Some(taken), _) => taken.iter().copied().min_by_key(|level| (*level as i8).abs_diff(wanted as i8)),
        (None, Thinks::No | Thinks::ByItself) => None,
        (None, Thinks::From(least)) => Some(wanted.max(least)),
        (None, Thinks::Unknown) => Some(wanted),
    }
}

/// The tool whose schema is refused, and the provider's words about it.
fn refused_tool(tools: &[Value], refusal: &str) -> Option<(String, String)> {
    const NAMED: &str = "schema for function '";
    let said = refusal.to_lowercase();
    let named = said.find(NAMED).and_then(|at| {
        let name = refusal.get(at + NAMED.len()..)?.split('\'').next()?;
        tools.iter().find(|tool| text(tool, "name") == name)
    });
    let numbered = || {
        let at = ["tools[", "tools."].iter().find_map(|start| {
            let rest = &said[said.find(start)? + start.len()..];
            rest[..rest.find(|c: char| !c.is_ascii_digit())?].parse::<usize>().ok()
        });
        at.filter(|_| said.contains("schema") || said.contains("parameters")).and_then(|at| tools.get(at))
    };
    let name = text(named.or_else(numbered)?, "name").to_owned();
    Some((name, format!("The provider does not take its schema: {}", failure::words(refusal))))
}

/// The number of the item that a refusal is about.
fn numbered(said: &str) -> Option<usize> {
    said.match_indices("input[").find_map(|(at, start)| {
        let rest = &said[at + start.len()..];
        rest[..rest.find(']')?].parse().ok()
    })
}

fn sends_picture(sent: &Value) -> bool {
    let is_picture = |part: &Value| text(part, "type") == "input_image";
    list(sent, "input").iter().any(|item| list(item, "content").iter().any(is_picture))
}

/// Whether a refusal names a parameter: in quotes, or as a path to it.
fn names(said: &str, parameter: &str) -> bool {
    said.match_indices(parameter).any(|(at, _)| {
        let before = said[..at].chars().next_back();
        let after = said[at + parameter.len()..].chars().next();
        let edge = |c: Option<char>| c.is_some_and(|c| matches!(c, '\'' | '"' | '`' | '\u{201c}' | '\u{201d}'));
        let inside = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        !inside(before) && !inside(after) && (edge(before) || edge(after) || after == Some('.') || before == Some('.'))
            || (!inside(before) && !inside(after) && said[..at].trim_end_matches([' ', ':']).ends_with("parameter"))
    })
}

/// Whether a text names this word in quotes.
fn quotes(said: &str, word: &str) -> bool {
    said.match_indices(word).any(|(at, _)| {
        let quote = |c: Option<char>| c.is_some_and(|c| matches!(c, '\'' | '"' | '`'));
        quote(said[..at].chars().next_back()) && quote(said[at + word.len()..].trim_start_matches('\\').chars().next())
    })
}

/// The numbers of a text.
fn numbers(said: &str) -> impl Iterator<Item = u64> {
    said.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok())
}

#[cfg(test)]
mod tests;
