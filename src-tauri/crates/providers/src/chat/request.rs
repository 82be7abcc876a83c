// SPDX-License-Identifier: Apache-2.0
use bailey_protocol::model::{PastCall, Request, ToolDeclaration, Turn};
use serde::ser::{SerializeSeq, SerializeStruct};
use serde::{Serialize, Serializer};
use serde_json::Value;
use std::borrow::Cow;

/// A request's body; it borrows everything and is written to JSON in one go.
pub(super) struct Body<'a> {
    pub(super) request: &'a Request,
    /// Whether to ask for the token counts.
    pub(super) usage: bool,
    /// Whether earlier reasoning goes back.
    pub(super) reasoning: bool,
}

impl Body<'_> {
    pub(super) fn to_json(&self) -> Vec<u8> {
        // Strings and values that came from JSON always become JSON again.
        serde_json::to_vec(self).unwrap_or_default()
    }
}

impl Serialize for Body<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut body = serializer.serialize_struct("Body", 5)?;
        body.serialize_field("model", &self.request.model)?;
        body.serialize_field("stream", &true)?;
        if self.usage {
            #[derive(Serialize)]
            struct Options {
                include_usage: bool,
            }
            body.serialize_field("stream_options", &Options { include_usage: true })?;
        }
        // An empty list is refused by some.
        if !self.request.tools.is_empty() {
            body.serialize_field("tools", &Tools(&self.request.tools))?;
        }
        body.serialize_field("messages", &Messages { request: self.request, reasoning: self.reasoning })?;
        body.end()
    }
}

#[derive(Default, Serialize)]
struct Message<'a> {
    role: &'static str,
    content: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_content: Option<&'a str>,
    #[serde(skip_serializing_if = "Calls::is_empty")]
    tool_calls: Calls<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<&'a str>,
}

struct Messages<'a> {
    request: &'a Request,
    reasoning: bool,
}

impl Serialize for Messages<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(None)?;
        if !self.request.system.is_empty() {
            seq.serialize_element(&Message {
                role: "system",
                content: Some(&self.request.system),
                ..Message::default()
            })?;
        }
        for turn in &self.request.messages {
            let message = match turn {
                Turn::User { text } => Message { role: "user", content: Some(text), ..Message::default() },
                Turn::Tool { id, text, .. } => {
                    Message { role: "tool", content: Some(text), tool_call_id: Some(id), ..Message::default() }
                }
                // Stopped before it said anything: refused by most as a message, and it says nothing.
                Turn::Assistant { text, calls, .. } if text.is_empty() && calls.is_empty() => continue,
                Turn::Assistant { text, reasoning, calls } => Message {
                    role: "assistant",
                    content: Some(text.as_str()).filter(|text| !text.is_empty()),
                    reasoning_content: self.reasoning.then_some(reasoning),
                    tool_calls: Calls(calls),
                    tool_call_id: None,
                },
            };
            seq.serialize_element(&message)?;
        }
        seq.end()
    }
}

#[derive(Default)]
struct Calls<'a>(&'a [PastCall]);

impl Calls<'_> {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Calls<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Call<'a> {
            id: &'a str,
            r#type: &'static str,
            function: Function<'a>,
        }
        #[derive(Serialize)]
        struct Function<'a> {
            name: Cow<'a, str>,
            arguments: Arguments<'a>,
        }
        serializer.collect_seq(self.0.iter().map(|call| Call {
            id: &call.id,
            r#type: "function",
            function: Function { name: sendable_name(&call.name), arguments: Arguments(&call.arguments) },
        }))
    }
}

/// Arguments are sent as the text of a JSON object.
struct Arguments<'a>(&'a Value);

impl Serialize for Arguments<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Object(_) => serializer.collect_str(self.0),
            Value::Null => serializer.serialize_str("{}"),
            // What the model wrote was no object. Servers that read the arguments would fail on it for ever after.
            other => {
                let text = other.as_str().map_or_else(|| other.to_string(), str::to_owned);
                serializer.collect_str(&serde_json::json!({ "not_an_object": text }))
            }
        }
    }
}

/// A name as every server takes it back: the model may have made one up.
fn sendable_name(name: &str) -> Cow<'_, str> {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if name.is_empty() {
        "unnamed".into()
    } else if name.len() <= 64 && name.chars().all(fits) {
        name.into()
    } else {
        name.chars().take(64).map(|c| if fits(c) { c } else { '_' }).collect::<String>().into()
    }
}

struct Tools<'a>(&'a [ToolDeclaration]);

impl Serialize for Tools<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Tool<'a> {
            r#type: &'static str,
            function: Function<'a>,
        }
        #[derive(Serialize)]
        struct Function<'a> {
            name: &'a str,
            description: &'a str,
            parameters: &'a Value,
        }
        serializer.collect_seq(self.0.iter().map(|tool| Tool {
            r#type: "function",
            function: Function { name: &tool.name, description: &tool.description, parameters: &tool.schema },
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn sent(request: &Request, usage: bool, reasoning: bool) -> Value {
        serde_json::from_slice(&Body { request, usage, reasoning }.to_json()).unwrap()
    }

    fn call(id: &str, name: &str, arguments: Value) -> PastCall {
        PastCall { id: id.into(), name: name.into(), arguments }
    }

    #[test]
    fn a_history_becomes_messages() {
        let request = Request {
            model: "m".into(),
            system: "be \"kind\"".into(),
            messages: vec![
                Turn::User { text: "hi".into() },
                Turn::Assistant {
                    text: String::new(),
                    reasoning: "hm".into(),
                    calls: vec![
                        call("c1", "compute", json!({"expression": "1+\"1\""})),
                        call("c2", "get_time", Value::Null),
                    ],
                },
                Turn::Tool { id: "c1".into(), name: "compute".into(), text: "2".into() },
                Turn::Tool { id: "c2".into(), name: "get_time".into(), text: "noon".into() },
                Turn::Assistant { text: "two".into(), reasoning: String::new(), calls: vec![] },
                Turn::Assistant { text: String::new(), reasoning: "cut".into(), calls: vec![] },
                Turn::User { text: "thanks".into() },
            ],
            tools: vec![ToolDeclaration {
                name: "compute".into(),
                description: "sums".into(),
                schema: json!({"type": "object"}),
            }],
        };
        let expected = json!({
            "model": "m",
            "stream": true,
            "stream_options": {"include_usage": true},
            "tools": [{"type": "function", "function": {"name": "compute", "description": "sums", "parameters": {"type": "object"}}}],
            "messages": [
                {"role": "system", "content": "be \"kind\""},
                {"role": "user", "content": "hi"},
                {"role": "assistant", "content": null, "tool_calls": [
                    {"id": "c1", "type": "function", "function": {"name": "compute", "arguments": "{\"expression\":\"1+\\\"1\\\"\"}"}},
                    {"id": "c2", "type": "function", "function": {"name": "get_time", "arguments": "{}"}},
                ]},
                {"role": "tool", "content": "2", "tool_call_id": "c1"},
                {"role": "tool", "content": "noon", "tool_call_id": "c2"},
                {"role": "assistant", "content": "two"},
                {"role": "user", "content": "thanks"},
            ],
        });
        assert_eq!(sent(&request, true, false), expected);

        let with_reasoning = sent(&request, false, true);
        assert_eq!(with_reasoning.get("stream_options"), None);
        assert_eq!(with_reasoning["messages"][2]["reasoning_content"], "hm");
        assert_eq!(with_reasoning["messages"][5]["reasoning_content"], "", "demanded of every assistant message");
        assert_eq!(with_reasoning["messages"][1].get("reasoning_content"), None);
    }

    #[test]
    fn nothing_empty_is_sent() {
        let sent = sent(&Request { model: "m".into(), ..Request::default() }, false, false);
        assert_eq!(sent, json!({"model": "m", "stream": true, "messages": []}));
    }

    #[test]
    fn what_a_model_made_up_can_be_sent_back() {
        let calls = vec![
            call("a", "", json!("{\"half")),
            call("b", "functions.get time", json!([1])),
            call("c", &"x".repeat(80), json!({"a": 1.0, "z": 12345678901234567890_u64})),
        ];
        let messages = vec![Turn::Assistant { text: "t".into(), reasoning: String::new(), calls }];
        let sent = sent(&Request { model: "m".into(), messages, ..Request::default() }, false, false);
        let functions: Vec<(String, String)> = sent["messages"][0]["tool_calls"]
            .as_array()
            .unwrap()
            .iter()
            .map(|call| {
                (
                    call["function"]["name"].as_str().unwrap().into(),
                    call["function"]["arguments"].as_str().unwrap().into(),
                )
            })
            .collect();
        let expected = [
            ("unnamed".to_owned(), "{\"not_an_object\":\"{\\\"half\"}".to_owned()),
            ("functions_get_time".to_owned(), "{\"not_an_object\":\"[1]\"}".to_owned()),
            ("x".repeat(64), "{\"a\":1.0,\"z\":12345678901234567890}".to_owned()),
        ];
        assert_eq!(functions, expected);
    }
}
