// SPDX-License-Identifier: Apache-2.0
use serde_json::Value;
use std::collections::HashSet;

/// What is wrong with a chat request, by the rules that real providers enforce: every call of an assistant message is
/// followed by exactly one result with its id before any other message; no result without a call; no id twice; no empty
/// function name; arguments are JSON; no empty list of tools; some message; none without content; no user message right
/// after another or after a result.
pub fn check_history(body: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    if body.get("model").and_then(Value::as_str).is_none_or(str::is_empty) {
        wrong.push("no model is named".to_owned());
    }
    match body.get("tools") {
        None => {}
        Some(Value::Array(tools)) if !tools.is_empty() => {
            let mut names = HashSet::new();
            for (at, tool) in tools.iter().enumerate() {
                match tool.pointer("/function/name").and_then(Value::as_str) {
                    Some(name) if !name.is_empty() => {
                        if !names.insert(name) {
                            wrong.push(format!("tools[{at}]: {name} is declared twice"));
                        }
                    }
                    _ => wrong.push(format!("tools[{at}]: the function has no name")),
                }
                if !tool.pointer("/function/parameters").is_some_and(Value::is_object) {
                    wrong.push(format!("tools[{at}]: the parameters are no object"));
                }
            }
        }
        Some(_) => wrong.push("the list of tools is empty".to_owned()),
    }
    let messages = body.get("messages").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    if messages.is_empty() {
        wrong.push("there are no messages".to_owned());
    }
    let mut ids: HashSet<&str> = HashSet::new();
    let mut open: Vec<&str> = Vec::new();
    for (at, message) in messages.iter().enumerate() {
        let role = role_of(message);
        if role == "tool" {
            let id = message.get("tool_call_id").and_then(Value::as_str).unwrap_or_default();
            match open.iter().position(|known| *known == id) {
                Some(found) => drop(open.remove(found)),
                None => wrong.push(format!("messages[{at}]: the result {id:?} belongs to no open call")),
            }
            if !message.get("content").is_some_and(Value::is_string) {
                wrong.push(format!("messages[{at}]: the result has no content"));
            }
            continue;
        }
        for id in open.drain(..) {
            wrong.push(format!("messages[{at}]: {role} comes before the result of call {id:?}"));
        }
        let calls = message.get("tool_calls").and_then(Value::as_array).map(Vec::as_slice);
        if calls.is_some_and(<[Value]>::is_empty) {
            wrong.push(format!("messages[{at}]: the list of calls is empty"));
        }
        let calls = calls.unwrap_or_default();
        match role {
            "system" | "developer" | "user" if message.get("content").is_none_or(Value::is_null) => {
                wrong.push(format!("messages[{at}]: {role} has no content"));
            }
            "user" if at > 0 && matches!(role_of(&messages[at - 1]), "user" | "tool") => {
                // Strict chat templates and Mistral's API refuse both.
                wrong.push(format!("messages[{at}]: user right after {}", role_of(&messages[at - 1])));
            }
            "system" | "developer" | "user" => {}
            "assistant" => {
                let silent =
                    message.get("content").is_none_or(|content| content.is_null() || content.as_str() == Some(""));
                if silent && calls.is_empty() {
                    wrong.push(format!("messages[{at}]: assistant has neither content nor calls"));
                }
            }
            _ => wrong.push(format!("messages[{at}]: there is no role {role:?}")),
        }
        for call in calls {
            let id = call.get("id").and_then(Value::as_str).unwrap_or_default();
            if id.is_empty() {
                wrong.push(format!("messages[{at}]: a call has no id"));
            } else if !ids.insert(id) {
                wrong.push(format!("messages[{at}]: the id {id:?} is used twice"));
            }
            if call.pointer("/function/name").and_then(Value::as_str).is_none_or(str::is_empty) {
                wrong.push(format!("messages[{at}]: call {id:?} has no function name"));
            }
            let arguments = call.pointer("/function/arguments").and_then(Value::as_str).unwrap_or_default();
            if !serde_json::from_str::<Value>(arguments).is_ok_and(|arguments| arguments.is_object()) {
                wrong.push(format!("messages[{at}]: the arguments of call {id:?} are no JSON object"));
            }
            open.push(id);
        }
    }
    for id in open {
        wrong.push(format!("the call {id:?} has no result"));
    }
    wrong
}

/// The text of the last user message, and the number of assistant messages after it.
pub(super) fn last_user(body: &Value) -> (&str, usize) {
    let messages = body.get("messages").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let is = |message: &Value, role: &str| message.get("role").and_then(Value::as_str) == Some(role);
    let Some(at) = messages.iter().rposition(|message| is(message, "user")) else { return ("", 0) };
    let said = messages[at].get("content").and_then(Value::as_str).unwrap_or_default();
    (said, messages[at..].iter().filter(|message| is(message, "assistant")).count())
}

fn role_of(message: &Value) -> &str {
    message.get("role").and_then(Value::as_str).unwrap_or_default()
}
