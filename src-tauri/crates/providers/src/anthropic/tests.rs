// SPDX-License-Identifier: Apache-2.0
//! Requests: tables, and a strict checker of the documented rules over arbitrary histories.

use super::*;
use bailey_protocol::Effort;
use bailey_protocol::PictureId;
use bailey_protocol::model::{Native, PastCall, Picture, ToolDeclaration, Turn};
use proptest::prelude::*;
use serde_json::json;
use std::collections::HashSet;
use std::sync::Arc;

const BASE: &str = "https://api.anthropic.com/v1";

fn at(base: &str) -> Messages {
    Messages::at(&Url::parse(base).unwrap())
}

fn sent(messages: &Messages, request: &Request) -> Value {
    let asked = Asked::of(request, "t", "here");
    let post = messages.post(&Url::parse(BASE).unwrap(), request, &asked);
    serde_json::from_slice(&post.body).unwrap()
}

fn request(messages: Vec<Turn>) -> Request {
    Request { model: "claude-sonnet-4-5".into(), messages, ..Request::default() }
}

fn call(id: &str, name: &str, arguments: Value) -> PastCall {
    PastCall { id: id.into(), name: name.into(), arguments }
}

fn model(text: &str, reasoning: &str, calls: Vec<PastCall>, native: Option<&[&str]>) -> Turn {
    let native = native.map(|items| {
        let items = items.iter().map(|item| json!(item)).collect();
        Arc::new(Native { origin: "here".into(), items })
    });
    Turn::Assistant { text: text.into(), reasoning: reasoning.into(), calls, native }
}

fn result(id: &str, text: &str) -> Turn {
    Turn::Tool { id: id.into(), name: "f".into(), text: text.into() }
}

fn tool(name: &str, schema: Value) -> ToolDeclaration {
    ToolDeclaration { name: name.into(), description: format!("does {name}"), schema }
}

fn picture(media_type: &str, data: &[u8]) -> Picture {
    Picture { id: PictureId::new("p"), media_type: media_type.into(), data: data.into() }
}

#[test]
fn a_request_as_it_is_sent() {
    let request = Request {
        model: "claude-sonnet-4-6".into(),
        system: "be kind".into(),
        messages: vec![
            Turn::User {
                text: "what is this?".into(),
                pictures: vec![picture("image/png", b"\x89PNG"), picture("image/heic", b"x")],
            },
            model("", "hm", vec![call("c1", "look", json!({"n": 1.0})), call("c:2", "files/read", Value::Null)], None),
            result("c1", "a cat"),
            result("c:2", ""),
            Turn::user("go on"),
            model("A cat.", "", vec![], None),
            Turn::user("thanks"),
        ],
        tools: vec![tool("look", json!({"type": "object"})), tool("files/read", json!({"type": "object"}))],
        max_output: Some(1000),
        effort: Some(Effort::High),
    };
    let mark = json!({"type": "ephemeral"});
    let second = sent(&at(BASE), &request)["messages"][1]["content"][1]["id"].as_str().unwrap().to_owned();
    assert!(second.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{second}");
    let expected = json!({
        "model": "claude-sonnet-4-6",
        "max_tokens": 1000,
        "stream": true,
        "thinking": {"type": "adaptive", "display": "summarized"},
        "output_config": {"effort": "high"},
        "tools": [
            {"name": "look", "description": "does look", "input_schema": {"type": "object", "properties": {}}},
            {"name": "files_read", "description": "does files/read", "input_schema": {"type": "object", "properties": {}}, "cache_control": mark},
        ],
        "system": [{"type": "text", "text": "be kind", "cache_control": mark}],
        "messages": [
            {"role": "user", "content": [
                {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw=="}},
                {"type": "text", "text": "(a picture that is not here any more)"},
                {"type": "text", "text": "what is this?"},
            ]},
            {"role": "assistant", "content": [
                {"type": "tool_use", "id": "c1", "name": "look", "input": {"n": 1.0}},
                {"type": "tool_use", "id": second, "name": "files_read", "input": {}},
            ]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "c1", "content": "a cat"},
                {"type": "tool_result", "tool_use_id": second, "content": "(no output)"},
                {"type": "text", "text": "go on", "cache_control": mark},
            ]},
            {"role": "assistant", "content": [{"type": "text", "text": "A cat."}]},
            {"role": "user", "content": [{"type": "text", "text": "thanks", "cache_control": mark}]},
        ],
    });
    assert_eq!(sent(&at(BASE), &request), expected);
    let post = |messages: &Messages| {
        messages.post(&Url::parse(BASE).unwrap(), &request, &Asked::of(&request, "other", "x")).body
    };
    assert_eq!(post(&at(BASE)), post(&at(BASE)), "the same bytes each time");
}

#[test]
fn nothing_empty_is_sent() {
    let expected = json!({
        "model": "claude-sonnet-4-5",
        "max_tokens": 32000,
        "stream": true,
        "messages": [{"role": "user", "content": [{"type": "text", "text": "(Go on.)", "cache_control": {"type": "ephemeral"}}]}],
    });
    assert_eq!(sent(&at(BASE), &Request { system: " \n".into(), ..request(vec![]) }), expected);
}

#[test]
fn one_bad_schema_costs_one_tool() {
    let object = json!({"type": "object"});
    let request = Request {
        tools: vec![
            tool("good", object.clone()),
            tool("array", json!({"type": "array"})),
            tool("good", object),
            tool("odd", json!({"properties": {"a b": {}}})),
        ],
        ..request(vec![Turn::user("hi")])
    };
    let messages = at(BASE);
    let post = messages.post(&Url::parse(BASE).unwrap(), &request, &Asked::of(&request, "t", "here"));
    let body: Value = serde_json::from_slice(&post.body).unwrap();
    assert_eq!(body["tools"].as_array().unwrap().len(), 1);
    let left_out: Vec<&str> = post.left_out.iter().map(|(tool, _)| tool.as_str()).collect();
    assert_eq!(left_out, ["array", "good", "odd"]);
    assert!(
        post.left_out[0].1.contains("array")
            && post.left_out[1].1.contains("another")
            && post.left_out[2].1.contains("“a b”")
    );

    let refusal = "tools.0.custom.input_schema: no";
    assert!(messages.learn(&post.body, refusal));
    let post = messages.post(&Url::parse(BASE).unwrap(), &request, &Asked::of(&request, "t", "here"));
    let body: Value = serde_json::from_slice(&post.body).unwrap();
    assert_eq!(body.get("tools"), None, "an empty list is left out");
    assert_eq!(post.left_out[0], ("good".to_owned(), format!("the provider did not take it: {refusal}")));
}

const THINKING: &str = r#"{"type":"thinking","thinking":"hm","signature":"sig+/=="}"#;
const CALL: &str = r#"{"type":"tool_use","id":"c1","name":"f","input":{ "x" : 1e5,"y":1.0 }}"#;

fn loop_with(native: Option<&[&str]>) -> Vec<Turn> {
    vec![Turn::user("hi"), model("", "hm", vec![call("c1", "f", json!({}))], native), result("c1", "ok")]
}

#[test]
fn a_message_goes_back_as_it_came() {
    let request = Request { effort: Some(Effort::High), ..request(loop_with(Some(&[THINKING, CALL]))) };
    let asked = Asked::of(&request, "t", "here");
    let body = at(BASE).post(&Url::parse(BASE).unwrap(), &request, &asked).body;
    let body = String::from_utf8(body).unwrap();
    assert!(body.contains(&format!(r#"{{"role":"assistant","content":[{THINKING},{CALL}]}}"#)), "{body}");
    assert!(body.contains(r#""thinking":{"type":"enabled","budget_tokens":24000}"#), "{body}");
}

#[test]
fn reasoning_goes_back_as_a_whole_or_not_at_all() {
    let other = r#"{"type":"server_tool_use","id":"s","name":"web_search","input":{}}"#;
    let kinds = |request: &Request| {
        let body = sent(&at(BASE), request);
        let kinds: Vec<String> = body["messages"][1]["content"]
            .as_array()
            .unwrap()
            .iter()
            .map(|block| block["type"].as_str().unwrap().to_owned())
            .collect();
        (body["thinking"]["type"].as_str().unwrap_or("none").to_owned(), kinds.join(" "))
    };
    let high = Some(Effort::High);
    for (what, native, effort, thinking, blocks) in [
        ("as it came", &[THINKING, other, CALL][..], high, "enabled", "thinking server_tool_use tool_use"),
        ("blank text", &[THINKING, r#"{"type":"text","text":" "}"#, CALL], high, "enabled", "thinking tool_use"),
        ("thinking is off", &[THINKING, other, CALL], None, "none", "server_tool_use tool_use"),
        ("thinking is off", &[THINKING, other, CALL], Some(Effort::Off), "none", "server_tool_use tool_use"),
        (
            "calls that are not the turn's",
            &[THINKING, r#"{"type":"tool_use","id":"c2","name":"f","input":{}}"#],
            high,
            "none",
            "tool_use",
        ),
        ("a call more", &[THINKING, CALL, CALL], high, "none", "tool_use"),
        ("a call less", &[THINKING, other], high, "none", "tool_use"),
        ("no thinking at the beginning", &[other, THINKING, CALL], high, "none", "server_tool_use tool_use"),
        ("no JSON", &[THINKING, "{"], high, "none", "tool_use"),
    ] {
        let request = Request { effort, ..request(loop_with(Some(native))) };
        assert_eq!(kinds(&request), (thinking.to_owned(), blocks.to_owned()), "{what}");
    }
    let dropped = Request { effort: high, ..request(loop_with(None)) };
    assert_eq!(kinds(&dropped), ("none".to_owned(), "tool_use".to_owned()), "what a loop began with is lost");
    let over = Request {
        messages: [loop_with(None), vec![model("done", "", vec![], None), Turn::user("more")]].concat(),
        ..dropped
    };
    assert_eq!(kinds(&over).0, "enabled", "the loop is over");
    let newer = Request { model: "claude-opus-4-8".into(), effort: high, ..request(loop_with(None)) };
    assert_eq!(kinds(&newer).0, "adaptive", "newer models do not mind");
    let only_thought = [Turn::user("hi"), model("", "hm", vec![], Some(&[THINKING])), Turn::user("again")];
    let body = sent(&at(BASE), &Request { effort: high, ..request(only_thought.to_vec()) });
    assert_eq!(body["messages"].as_array().unwrap().len(), 1, "thinking alone is no message: {body}");
}

#[test]
fn what_was_learnt_changes_the_next_request() {
    let learnt = |base: &str, request: &Request, refusals: &[&str]| {
        let messages = at(base);
        for refusal in refusals {
            let body = sent(&messages, request).to_string();
            assert!(messages.learn(body.as_bytes(), refusal), "{refusal}");
        }
        sent(&messages, request)
    };
    let gateway = "https://gateway.example/anthropic/v1";
    let high =
        Request { system: "s".into(), effort: Some(Effort::High), ..request(loop_with(Some(&[THINKING, CALL]))) };

    let body = learnt(gateway, &high, &["cache_control: Extra inputs are not permitted"]);
    assert!(!body.to_string().contains("cache_control"));
    assert_eq!(body["system"], "s");

    let body = learnt(gateway, &high, &["max_tokens: 32000 > 8192, which is the maximum allowed"]);
    assert_eq!((&body["max_tokens"], &body["thinking"]["budget_tokens"]), (&json!(8192), &json!(7168)));

    let body = learnt(
        BASE,
        &high,
        &["\"thinking.type.enabled\" is not supported for this model. Use \"thinking.type.adaptive\""],
    );
    assert_eq!((&body["thinking"]["type"], &body["output_config"]["effort"]), (&json!("adaptive"), &json!("high")));

    let body = learnt(BASE, &high, &["messages.1.content.0: Invalid `signature` in `thinking` block"]);
    assert_eq!(body["messages"][1]["content"][0]["type"], "tool_use");
    assert_eq!(body.get("thinking"), None, "what the loop began with is gone");

    let body = learnt(
        BASE,
        &high,
        &["messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `text`"],
    );
    assert_eq!(body.get("thinking"), None);
    assert_eq!(body["messages"][1]["content"][0]["type"], "tool_use");

    let deepseek = Request { model: "deepseek-v4".into(), effort: Some(Effort::High), ..request(loop_with(None)) };
    let body =
        learnt(gateway, &deepseek, &["The `content[].thinking` in the thinking mode must be passed back to the API."]);
    assert_eq!(body["messages"][1]["content"][0], json!({"type": "thinking", "thinking": "hm"}));

    let plain = request(loop_with(None));
    let body =
        learnt(gateway, &plain, &["Requests which include `tool_use` or `tool_result` blocks must define tools."]);
    assert_eq!(body["tools"][0]["name"], "f");
    assert_eq!(body["tool_choice"], json!({"type": "none"}));
}

#[test]
fn resources_are_found_below_any_base() {
    for (base, url) in [
        ("https://api.anthropic.com/v1", "https://api.anthropic.com/v1/messages"),
        ("https://api.anthropic.com", "https://api.anthropic.com/v1/messages"),
        ("https://api.deepseek.com/anthropic", "https://api.deepseek.com/anthropic/v1/messages"),
        ("https://gateway.example/anthropic/v1/", "https://gateway.example/anthropic/v1/messages"),
        ("https://gateway.example/api/V2", "https://gateway.example/api/V2/messages"),
        ("https://gateway.example/vision", "https://gateway.example/vision/v1/messages"),
    ] {
        let base = Url::parse(base).unwrap();
        let request = request(vec![]);
        assert_eq!(at(BASE).post(&base, &request, &Asked::default()).url.as_str(), url);
    }
    let base = Url::parse(BASE).unwrap();
    assert_eq!(at(BASE).list(&base, None).as_str(), "https://api.anthropic.com/v1/models?limit=100");
    assert_eq!(
        at(BASE).list(&base, Some("a b")).as_str(),
        "https://api.anthropic.com/v1/models?limit=100&after_id=a+b"
    );
}

#[test]
fn the_key_is_carried_as_the_host_wants_it() {
    for (base, key, expected) in [
        (BASE, "sk-ant-api03-x", vec![("x-api-key", "sk-ant-api03-x")]),
        (
            BASE,
            "sk-ant-oat01-x",
            vec![("authorization", "Bearer sk-ant-oat01-x"), ("anthropic-beta", "oauth-2025-04-20")],
        ),
        ("https://openrouter.ai/api/v1", "k", vec![("authorization", "Bearer k")]),
        ("https://gateway.example/v1", "k", vec![("x-api-key", "k")]),
    ] {
        let headers = at(base).authorization(&Secret::new(key)).unwrap();
        let headers: Vec<(&str, &str)> =
            headers.iter().map(|(name, value)| (name.as_str(), value.to_str().unwrap())).collect();
        assert_eq!(headers, expected, "{base} {key}");
    }
}

/// What the provider documents about a request, and what it was seen to refuse.
fn check(body: &Value) -> Result<(), String> {
    let ensure = |holds: bool, what: &str| if holds { Ok(()) } else { Err(format!("{what}: {body}")) };
    let fits = |name: &Value, longest: usize| {
        name.as_str().is_some_and(|name| {
            (1..=longest).contains(&name.len())
                && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
        })
    };
    let max_tokens = body["max_tokens"].as_u64().unwrap_or_default();
    ensure(max_tokens >= 1, "max_tokens")?;
    if let Some(budget) = body["thinking"].get("budget_tokens").map(|budget| budget.as_u64().unwrap_or_default()) {
        ensure((1024..max_tokens).contains(&budget), "budget")?;
    }
    let tools = body.get("tools").map(|tools| tools.as_array().cloned().unwrap_or_default());
    ensure(tools.as_ref().is_none_or(|tools| !tools.is_empty()), "an empty list of tools")?;
    let tools = tools.unwrap_or_default();
    let names: HashSet<String> = tools.iter().map(|tool| tool["name"].to_string()).collect();
    ensure(names.len() == tools.len(), "two tools of one name")?;
    for tool in &tools {
        let schema = &tool["input_schema"];
        ensure(fits(&tool["name"], 64), "a tool's name")?;
        ensure(schema["type"] == "object", "a schema of no object")?;
        ensure(["anyOf", "oneOf", "allOf"].iter().all(|key| schema.get(*key).is_none()), "alternatives at the top")?;
        ensure(jsonschema::draft202012::meta::is_valid(schema), "a schema that is none")?;
    }
    let messages = body["messages"].as_array().cloned().unwrap_or_default();
    ensure(messages.first().is_some_and(|first| first["role"] == "user"), "the first message")?;
    ensure(messages.last().is_some_and(|last| last["role"] == "user"), "the last message")?;
    let mut ids = HashSet::new();
    let mut open: Vec<String> = Vec::new();
    for (at, message) in messages.iter().enumerate() {
        let assistant = message["role"] == "assistant";
        ensure(assistant == (at % 2 == 1), "roles in turns")?;
        let content = message["content"].as_array().cloned().unwrap_or_default();
        ensure(!content.is_empty(), "an empty message")?;
        let kinds: Vec<&str> = content.iter().map(|block| block["type"].as_str().unwrap_or_default()).collect();
        let allowed = if assistant { ["text", "tool_use", "thinking"] } else { ["text", "tool_result", "image"] };
        ensure(kinds.iter().all(|kind| allowed.contains(kind)), "a block of the other side's")?;
        for block in content.iter().filter(|block| block["type"] == "text") {
            ensure(block["text"].as_str().is_some_and(|text| !text.trim().is_empty()), "an empty text")?;
        }
        let results: Vec<String> = content
            .iter()
            .take_while(|block| block["type"] == "tool_result")
            .map(|block| block["tool_use_id"].to_string())
            .collect();
        ensure(results == open, "the results of the message before, in order, first")?;
        ensure(kinds.iter().filter(|kind| **kind == "tool_result").count() == results.len(), "results elsewhere")?;
        open = Vec::new();
        for block in content.iter().filter(|block| block["type"] == "tool_use") {
            ensure(fits(&block["id"], 64) && ids.insert(block["id"].to_string()), "an id of a call")?;
            ensure(fits(&block["name"], 64), "a name of a call")?;
            ensure(block["input"].is_object(), "arguments")?;
            open.push(block["id"].to_string());
        }
        let thinks = kinds.contains(&"thinking");
        ensure(!thinks || body["thinking"]["type"] != "disabled", "thinking while it is off")?;
        ensure(!thinks || kinds.iter().any(|kind| *kind != "thinking"), "thinking alone")?;
        for block in content.iter().filter(|block| block["type"] == "image") {
            let data = block["source"]["data"].as_str().unwrap_or_default();
            ensure(block["source"]["type"] == "base64" && !data.is_empty() && data.len() % 4 == 0, "a picture")?;
        }
    }
    // With a budget, the calls being answered have to begin with thinking; without any, none may be there.
    let mut first = None;
    for pair in messages.rchunks(2) {
        let [said, answer] = pair else { break };
        let answers = answer["content"][0]["type"] == "tool_result";
        let speaks = answer["content"]
            .as_array()
            .is_some_and(|content| content.iter().any(|block| block["type"] != "tool_result"));
        if !answers || (speaks && first.is_some()) {
            break;
        }
        first = Some(said["content"][0]["type"] == "thinking");
    }
    match body["thinking"]["type"].as_str() {
        Some("enabled") => ensure(first != Some(false), "calls that do not begin with thinking")?,
        Some(_) => {}
        None => ensure(!body["messages"].to_string().contains("\"thinking\""), "thinking while it is off")?,
    }
    let marks = body.to_string().matches("\"cache_control\"").count();
    ensure(marks <= 4, "marks for the cache")
}

fn any_turn() -> impl Strategy<Value = Turn> {
    let id = prop_oneof![Just("a"), Just("b"), Just(""), Just("x:y"), Just("toolu_1")];
    let name = prop_oneof![Just("f"), Just("files/read"), Just(""), Just("时间")];
    let arguments = prop_oneof![Just(json!({"n": 1})), Just(Value::Null), Just(json!("{\"half")), Just(json!([1]))];
    let words = prop_oneof![Just(""), Just(" \n"), Just("words"), Just("words ")];
    let calls = proptest::collection::vec((id.clone(), name.clone(), arguments), 0..3)
        .prop_map(|calls| calls.into_iter().map(|(id, name, arguments)| call(id, name, arguments)).collect::<Vec<_>>());
    let pictures = proptest::collection::vec(
        prop_oneof![
            Just(picture("image/png", b"x")),
            Just(picture("image/png", b"")),
            Just(picture("image/tiff", b"x"))
        ],
        0..2,
    );
    prop_oneof![
        (words.clone(), pictures).prop_map(|(text, pictures)| Turn::User { text: text.into(), pictures }),
        (id, words.clone()).prop_map(|(id, text)| result(id, text)),
        (words.clone(), words, calls, 0_u8..6).prop_map(|(text, reasoning, calls, form)| {
            let mut items: Vec<String> = Vec::new();
            if form & 1 == 1 {
                items.push(THINKING.to_owned());
            }
            if form & 2 == 2 && !text.trim().is_empty() {
                items.push(json!({"type": "text", "text": text}).to_string());
            }
            for call in &calls {
                items.push(json!({"type": "tool_use", "id": call.id, "name": call.name, "input": {}}).to_string());
            }
            let items: Vec<&str> = items.iter().map(String::as_str).collect();
            model(text, reasoning, calls, (form > 0).then_some(&items))
        }),
    ]
}

proptest! {
    #[test]
    fn whatever_the_history_is_it_can_be_sent(
        messages in proptest::collection::vec(any_turn(), 0..10),
        name in prop_oneof![Just("claude-sonnet-4-5"), Just("claude-opus-5"), Just("claude-opus-4-6"), Just("claude-3-5-haiku"), Just("kimi-k3")],
        effort in prop_oneof![Just(None), Just(Some(Effort::Off)), Just(Some(Effort::Low)), Just(Some(Effort::High))],
        max_output in prop_oneof![Just(None), (0_u32..5000).prop_map(Some)],
    ) {
        let tools = vec![tool("f", json!({"type": "object"})), tool("files/read", json!({"anyOf": [{"type": "object"}]}))];
        let request = Request { model: name.into(), system: "s".into(), messages, tools, max_output, effort };
        let body = sent(&at(BASE), &request);
        // What others than Claude think is theirs to keep apart.
        let checked = if name.starts_with("claude-opus-5") || !name.starts_with("claude") {
            let mut body = body.clone();
            if body.get("thinking").is_none() || body["thinking"]["type"] == "enabled" {
                body["thinking"] = json!({"type": "adaptive"});
            }
            check(&body)
        } else {
            check(&body)
        };
        prop_assert!(checked.is_ok(), "{}", checked.unwrap_err());
    }
}
