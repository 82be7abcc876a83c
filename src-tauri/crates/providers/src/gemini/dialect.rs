// SPDX-License-Identifier: Apache-2.0
use super::history::UNSIGNED;
use super::native::mark;
use super::schema::DEEPEST;
use super::thinking::{self, demands_signatures};
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How an endpoint and its models differ from others: known by name, and learnt from what they refuse.
#[derive(Debug, Default)]
pub(super) struct Dialect(Mutex<Learnt>);

#[derive(Debug)]
struct Learnt {
    models: HashMap<String, Model>,
    /// Calls have ids.
    ids: bool,
    /// So deep may a schema be.
    deepest: usize,
    /// Tools whose schema was refused, by their names on the wire.
    tools: HashSet<String>,
    /// Signatures that were refused.
    signatures: HashSet<u64>,
}

impl Default for Learnt {
    fn default() -> Self {
        Self { models: HashMap::new(), ids: true, deepest: DEEPEST, tools: HashSet::new(), signatures: HashSet::new() }
    }
}

/// What was learnt of one model.
#[derive(Clone, Debug, Default)]
struct Model {
    thinking: thinking::Learnt,
    calling: Option<Calling>,
    no_system: bool,
    no_tools: bool,
    max_output: Option<u32>,
}

/// How calls of other models are told.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Calling {
    #[default]
    Plain,
    /// With a word in place of the signature that they do not have.
    Signed,
    AsText,
}

/// What a request has to know of its endpoint and its model.
#[derive(Clone, Debug, Default)]
pub(super) struct Traits {
    pub(super) thinking: thinking::Learnt,
    pub(super) calling: Calling,
    /// The standing instructions are a part of the first turn.
    pub(super) system_in_turn: bool,
    pub(super) takes_tools: bool,
    /// The most output that the model takes.
    pub(super) max_output: Option<u32>,
    pub(super) ids: bool,
    pub(super) deepest: usize,
    pub(super) refused_tools: HashSet<String>,
    pub(super) refused: HashSet<u64>,
}

impl Dialect {
    fn lock(&self) -> MutexGuard<'_, Learnt> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn of(&self, model: &str) -> Traits {
        let learnt = self.lock();
        let known = learnt.models.get(model).cloned().unwrap_or_default();
        let calling = known.calling.unwrap_or(match demands_signatures(model) {
            true => Calling::Signed,
            false => Calling::Plain,
        });
        Traits {
            thinking: known.thinking,
            calling: if known.no_tools { Calling::AsText } else { calling },
            system_in_turn: known.no_system,
            takes_tools: !known.no_tools,
            max_output: known.max_output,
            ids: learnt.ids,
            deepest: learnt.deepest,
            refused_tools: learnt.tools.clone(),
            refused: learnt.signatures.clone(),
        }
    }

    /// Learns from a refused request to this model; whether another try would be a different one.
    pub(super) fn learn(&self, model: &str, sent: &[u8], refusal: &str) -> bool {
        let Ok(sent) = serde_json::from_slice::<Value>(sent) else { return false };
        let refusal = refusal.to_ascii_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| refusal.contains(word));
        let mut learnt = self.lock();
        let learnt = &mut *learnt;
        let known = learnt.models.entry(model.to_owned()).or_default();

        if has(&["thought signature", "thought_signature", "thoughtsignature"]) {
            let calling = known.calling.unwrap_or(match demands_signatures(model) {
                true => Calling::Signed,
                false => Calling::Plain,
            });
            if has(&["missing"]) {
                known.calling = Some(if calling == Calling::Plain { Calling::Signed } else { Calling::AsText });
                return calling != Calling::AsText;
            }
            let before = learnt.signatures.len();
            learnt.signatures.extend(signatures(&sent).filter(|signature| *signature != UNSIGNED).map(mark));
            if learnt.signatures.len() > before {
                return true;
            }
            known.calling = Some(Calling::AsText);
            return calling == Calling::Signed;
        }
        if let Some(config) = thinking::sent(&sent["generationConfig"]["thinkingConfig"])
            && has(&["thinking", "include_thoughts", "includethoughts"])
        {
            return known.thinking.learn(&config, &refusal);
        }
        if sent.get("systemInstruction").is_some()
            && has(&["developer instruction", "system instruction", "system_instruction", "systeminstruction"])
        {
            known.no_system = true;
            return true;
        }
        if let Some(asked) = sent["generationConfig"]["maxOutputTokens"].as_u64()
            && has(&["maxoutputtokens", "max_output_tokens"])
        {
            known.max_output = Some(lower(asked, &refusal));
            return true;
        }
        let declared = sent["tools"][0]["functionDeclarations"].as_array();
        if let Some(declared) = declared {
            if has(&["function calling is not", "tool use is not", "tools are not supported", "tool calling is not"]) {
                known.no_tools = true;
                return true;
            }
            if has(&["nesting depth", "nested too deep", "too deeply nested"]) && learnt.deepest > 3 {
                learnt.deepest = if learnt.deepest > 5 { 5 } else { 3 };
                return true;
            }
            let before = learnt.tools.len();
            learnt.tools.extend(accused(declared, &refusal));
            if learnt.tools.len() > before {
                return true;
            }
        }
        if learnt.ids && has(&["unknown name \"id\"", "unknown name \\\"id\\\""]) {
            learnt.ids = false;
            return true;
        }
        false
    }
}

/// The most tokens of output, after a refusal of this many: the greatest number below that it names; zero when there is
/// none, for leaving it to the provider.
fn lower(asked: u64, refusal: &str) -> u32 {
    let numbers = refusal.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse::<u64>().ok());
    let most = numbers.filter(|number| *number < asked && *number > 1).max();
    let most = most.map(|most| if refusal.contains(&format!("{most} (exclusive)")) { most - 1 } else { most });
    most.and_then(|most| u32::try_from(most).ok()).unwrap_or(0)
}

/// The names of the tools that a refusal is about, by number or by name.
fn accused(declared: &[Value], refusal: &str) -> Vec<String> {
    let names = declared.iter().map(|tool| tool["name"].as_str().unwrap_or_default());
    let by_number: HashSet<usize> = ["function_declarations[", "functiondeclarations["]
        .iter()
        .flat_map(|before| refusal.split(before).skip(1))
        .filter_map(|rest| rest.split_once(']')?.0.parse().ok())
        .collect();
    let quoted = |name: &str| {
        let name = name.to_ascii_lowercase();
        ["`", "'", "\"", "\\\""].iter().any(|quote| refusal.contains(&format!("{quote}{name}{quote}")))
    };
    let speaks_of_one = refusal.contains("functiondeclaration") || refusal.contains("function declaration");
    let accused = names.enumerate().filter(|(at, name)| {
        !name.is_empty() && if by_number.is_empty() { speaks_of_one && quoted(name) } else { by_number.contains(at) }
    });
    accused.map(|(_, name)| name.to_owned()).collect()
}

fn signatures(sent: &Value) -> impl Iterator<Item = &str> {
    let parts = sent["contents"].as_array().into_iter().flatten().flat_map(|content| content["parts"].as_array());
    parts.flatten().filter_map(|part| part["thoughtSignature"].as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn body() -> Value {
        json!({
            "systemInstruction": {"parts": [{"text": "s"}]},
            "contents": [{"role": "model", "parts": [{"text": "", "thoughtSignature": "abc"}]}],
            "tools": [{"functionDeclarations": [{"name": "one"}, {"name": "two"}, {"name": "three"}]}],
            "generationConfig": {"maxOutputTokens": 100_000, "thinkingConfig": {"includeThoughts": true}},
        })
    }

    #[test]
    fn each_refusal_teaches_one_thing() {
        type Check = fn(&Traits) -> bool;
        let table: [(&str, &str, Check); 14] = [
            ("gemini-2.5-pro", "Thinking is not enabled for models/x", |t| {
                format!("{:?}", t.thinking).contains("nothing: true")
            }),
            ("gemma-3-27b-it", "Developer instruction is not enabled for models/gemma-3-27b-it", |t| t.system_in_turn),
            ("gemma-3-27b-it", "Function calling is not enabled for models/gemma-3-27b-it", |t| {
                !t.takes_tools && t.calling == Calling::AsText
            }),
            (
                "gemini-2.5-pro",
                "Unable to submit request because it has a maxOutputTokens value of 100000 but the supported range is from 1 (inclusive) to 65537 (exclusive).",
                |t| t.max_output == Some(65_536),
            ),
            ("gemini-2.5-pro", "max_output_tokens is too large", |t| t.max_output == Some(0)),
            (
                "gemini-2.5-pro",
                "* GenerateContentRequest.tools[0].function_declarations[1].parameters.properties[a].items: missing field.\n* GenerateContentRequest.tools[0].function_declarations[2].parameters: x",
                |t| t.refused_tools == HashSet::from(["two".to_owned(), "three".to_owned()]),
            ),
            (
                "gemini-2.5-pro",
                "Unable to submit request because `one` functionDeclaration `parameters.entries` schema specified other fields alongside any_of.",
                |t| t.refused_tools == HashSet::from(["one".to_owned()]),
            ),
            (
                "gemini-2.5-pro",
                "A FunctionDeclaration in the request exceeds the maximum allowed nesting depth.",
                |t| t.deepest == 5,
            ),
            (
                "gemini-2.5-pro",
                r#"Invalid JSON payload received. Unknown name "id" at 'contents[1].parts[0].function_call'"#,
                |t| !t.ids,
            ),
            ("gemini-2.5-pro", r#"{"error":{"message":"Unknown name \"id\" at 'contents[1]'"}}"#, |t| !t.ids),
            ("gemini-2.5-pro", "Function call is missing a thought_signature in functionCall parts.", |t| {
                t.calling == Calling::Signed
            }),
            ("gemini-3-pro", "Function call is missing a thought_signature in functionCall parts.", |t| {
                t.calling == Calling::AsText
            }),
            ("gemini-3-pro", "Corrupted thought signature.", |t| {
                t.refused == HashSet::from([mark("abc")]) && t.calling == Calling::Signed
            }),
            ("gemini-3-pro", "Unable to submit request because Thought signature is not valid", |t| {
                t.refused.len() == 1
            }),
        ];
        for (model, refusal, check) in table {
            let dialect = Dialect::default();
            assert!(!check(&dialect.of(model)), "{refusal}: not before");
            assert!(dialect.learn(model, body().to_string().as_bytes(), refusal), "{refusal}");
            assert!(check(&dialect.of(model)), "{refusal}");
        }
    }

    #[test]
    fn what_can_not_be_helped_is_left() {
        let dialect = Dialect::default();
        for refusal in
            ["", "Request contains an invalid argument.", "API key not valid.", "function_declarations[9]: x"]
        {
            assert!(!dialect.learn("gemini-2.5-pro", body().to_string().as_bytes(), refusal), "{refusal}");
        }
        assert!(!dialect.learn("gemini-2.5-pro", b"not JSON", "thinking is not enabled"));
        // Learnt once; then there is nothing to change.
        let deep = "exceeds the maximum allowed nesting depth";
        assert!(dialect.learn("m", body().to_string().as_bytes(), deep));
        assert!(dialect.learn("m", body().to_string().as_bytes(), deep));
        assert!(!dialect.learn("m", body().to_string().as_bytes(), deep));
        let corrupted = "Corrupted thought signature.";
        assert!(dialect.learn("gemini-3", body().to_string().as_bytes(), corrupted));
        assert!(dialect.learn("gemini-3", body().to_string().as_bytes(), corrupted), "calls are told as text");
        assert!(!dialect.learn("gemini-3", body().to_string().as_bytes(), corrupted));
        // What is learnt of one model is not held against another.
        assert_eq!(dialect.of("gemini-3").calling, Calling::AsText);
        assert_eq!(dialect.of("gemini-3.1").calling, Calling::Signed);
    }
}
