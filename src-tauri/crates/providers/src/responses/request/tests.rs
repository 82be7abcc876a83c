// SPDX-License-Identifier: Apache-2.0
use super::*;
use crate::answer::Asked;
use crate::protocol::Protocol;
use crate::responses::Responses;
use bailey_ports::Secret;
use bailey_protocol::model::{PastCall, Picture, ToolDeclaration};
use bailey_protocol::{Effort, PictureId};
use proptest::prelude::*;
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;
use url::Url;

fn responses(base: &str) -> (Responses, Url) {
    let base = Url::parse(base).unwrap();
    (Responses::at(&base), base)
}

fn posted(base: &str, request: &Request) -> Value {
    let (responses, base) = responses(base);
    let post = responses.post(&base, request, &Asked::of(request, "tag", "here"));
    assert_eq!(post.left_out, []);
    serde_json::from_slice(&post.body).unwrap()
}

const HERE: &str = "http://127.0.0.1:1/v1";

fn sent(messages: Vec<Turn>) -> Value {
    posted(HERE, &Request { model: "m".into(), messages, ..Request::default() })["input"].take()
}

fn call(id: &str, name: &str, arguments: Value) -> PastCall {
    PastCall { id: id.into(), name: name.into(), arguments }
}

fn said(text: &str, calls: Vec<PastCall>, native: Option<Vec<Value>>) -> Turn {
    let native = native.map(|items| Arc::new(Native { origin: "here".into(), items }));
    Turn::Assistant { text: text.into(), reasoning: "thought".into(), calls, native }
}

fn result(id: &str, text: &str) -> Turn {
    Turn::Tool { id: id.into(), name: "a".into(), text: text.into() }
}

fn user(text: &str) -> Value {
    json!({ "type": "message", "role": "user", "content": [{ "type": "input_text", "text": text }] })
}

#[test]
fn a_request_becomes_a_body() {
    let request = Request {
        model: "gpt-5.1".into(),
        system: "be \"kind\"".into(),
        messages: vec![
            Turn::user("hi"),
            said(
                "let me see",
                vec![call("c1", "compute", json!({"e": "1+\"1\""})), call("c2", "time", Value::Null)],
                None,
            ),
            Turn::Tool { id: "c1".into(), name: "compute".into(), text: "2".into() },
            Turn::Tool { id: "c2".into(), name: "time".into(), text: "noon".into() },
        ],
        tools: vec![ToolDeclaration {
            name: "compute".into(),
            description: "sums".into(),
            schema: json!({"type": "object", "properties": {"list": {"type": "array"}}}),
        }],
        max_output: Some(8),
        effort: Some(Effort::High),
    };
    let expected = json!({
        "model": "gpt-5.1",
        "instructions": "be \"kind\"",
        "tools": [{
            "type": "function", "name": "compute", "description": "sums",
            "parameters": {"type": "object", "properties": {"list": {"type": "array", "items": {}}}}, "strict": false,
        }],
        "stream": true,
        "store": false,
        "include": ["reasoning.encrypted_content"],
        "reasoning": {"effort": "high", "summary": "auto"},
        "max_output_tokens": 16,
        "prompt_cache_key": "bailey-08ba5f07b55ec3da",
        "input": [
            user("hi"),
            {"type": "message", "role": "assistant", "content": "let me see"},
            {"type": "function_call", "call_id": "c1", "name": "compute", "arguments": "{\"e\":\"1+\\\"1\\\"\"}"},
            {"type": "function_call", "call_id": "c2", "name": "time", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "c1", "output": "2"},
            {"type": "function_call_output", "call_id": "c2", "output": "noon"},
        ],
    });
    let body = posted("https://api.openai.com/v1", &request);
    assert_eq!(body, expected);
    assert_eq!(serde_json::to_string(&body).unwrap(), serde_json::to_string(&expected).unwrap(), "in this order");
    // Little asked, little sent; the same every time.
    let plain = Request { model: "gpt-4o".into(), ..Request::default() };
    assert_eq!(
        posted(HERE, &plain),
        json!({"model": "gpt-4o", "stream": true, "store": false, "input": [user("(Go on.)")]})
    );
}

#[test]
fn every_base_leads_to_the_endpoint() {
    for (base, url) in [
        ("https://api.openai.com/v1", "https://api.openai.com/v1/responses"),
        ("https://api.openai.com/v1/", "https://api.openai.com/v1/responses"),
        ("https://gateway.example", "https://gateway.example/responses"),
        ("https://r.openai.azure.com/openai/v1", "https://r.openai.azure.com/openai/v1/responses"),
    ] {
        let (responses, base) = responses(base);
        let request = Request::default();
        assert_eq!(responses.post(&base, &request, &Asked::default()).url.as_str(), url);
    }
    let (responses, base) = responses("https://api.openai.com/v1");
    assert_eq!(responses.list(&base, None).as_str(), "https://api.openai.com/v1/models");
    assert_eq!(responses.list(&base, Some("a b")).as_str(), "https://api.openai.com/v1/models?after=a+b");
    let page = responses.listed(r#"{"data":[{"id":"a"}],"has_more":true}"#).unwrap();
    assert_eq!((page.models[0].model.as_str(), page.next.as_deref()), ("a", Some("a")));
}

#[test]
fn a_key_goes_where_it_is_read() {
    let header = |base: &str, key: &str| {
        let (responses, _) = responses(base);
        let headers = responses.authorization(&Secret::new(key)).unwrap();
        assert_eq!(headers.len(), 1);
        (headers[0].0.as_str().to_owned(), headers[0].1.to_str().unwrap().to_owned())
    };
    let bearer = |key: &str| ("authorization".to_owned(), format!("Bearer {key}"));
    assert_eq!(header(HERE, "sk-1"), bearer("sk-1"));
    assert_eq!(header("https://r.openai.azure.com/openai/v1", "k"), ("api-key".to_owned(), "k".to_owned()));
    assert_eq!(header("https://r.openai.azure.com/openai/v1", "eyJ0.x.y"), bearer("eyJ0.x.y"));
    assert!(responses(HERE).0.authorization(&Secret::new("two\nlines")).is_err());
}

#[test]
fn pictures_are_shown_behind_the_words() {
    let picture = |data: &[u8]| Picture { id: PictureId::from("p"), media_type: "image/png".into(), data: data.into() };
    let turn = |text: &str, pictures| vec![Turn::User { text: text.into(), pictures }];
    assert_eq!(
        sent(turn("what is this?", vec![picture(&[1, 2, 255])])),
        json!([{"type": "message", "role": "user", "content": [
            {"type": "input_text", "text": "what is this?"},
            {"type": "input_image", "image_url": "data:image/png;base64,AQL/", "detail": "auto"},
        ]}])
    );
    assert_eq!(sent(turn(" ", vec![picture(&[])])), json!([user("(A picture was here; it is gone.)")]));
    // To a model that has shown that it is blind.
    let request = Request { model: "m".into(), messages: turn("", vec![picture(&[1])]), ..Request::default() };
    let (responses, base) = responses(HERE);
    let asked = Asked::of(&request, "tag", "here");
    let body = responses.post(&base, &request, &asked).body;
    assert!(responses.learn(&body, "{\"error\":{\"message\":\"input_image is not supported by this model\"}}"));
    let body: Value = serde_json::from_slice(&responses.post(&base, &request, &asked).body).unwrap();
    assert_eq!(body["input"], json!([user("(A picture was here, which this model can't see.)")]));
}

#[test]
fn one_bad_tool_costs_that_tool() {
    let tool = |name: &str, schema: Value| ToolDeclaration { name: name.into(), description: "d".into(), schema };
    let request = Request {
        tools: vec![
            tool("good", json!({"type": "object"})),
            tool("list", json!({"type": "array"})),
            tool("good", json!({})),
            tool("odd", json!({"type": "object", "properties": {"a": 7}})),
            tool("files.read", json!(null)),
        ],
        ..Request::default()
    };
    let (responses, base) = responses(HERE);
    let asked = Asked::of(&request, "tag", "here");
    let post = responses.post(&base, &request, &asked);
    let body: Value = serde_json::from_slice(&post.body).unwrap();
    let names: Vec<&str> =
        body["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["good", "files_read"]);
    let left_out: Vec<&str> = post.left_out.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(left_out, ["list", "good", "odd"]);
    assert!(post.left_out.iter().all(|(_, reason)| reason.len() > 10), "{:?}", post.left_out);
    // None is left: then there is no list.
    let request = Request { tools: vec![tool("list", json!({"type": "array"}))], ..Request::default() };
    let body: Value = serde_json::from_slice(&responses.post(&base, &request, &asked).body).unwrap();
    assert_eq!(body.get("tools"), None);
}

#[test]
fn what_the_model_wrote_goes_back_as_it_wrote_it() {
    let reasoning = json!({"id": "rs_1", "type": "reasoning", "summary": [], "content": [], "encrypted_content": "gA==\u{e4}", "status": null});
    let search =
        json!({"id": "ws_1", "type": "web_search_call", "status": "completed", "action": {"n": 1.0, "z": null}});
    let asked = json!({"id": "fc_1", "type": "function_call", "call_id": "c1", "name": "old_name", "namespace": "n", "arguments": "{ \"x\": 1.0 }", "status": "completed"});
    let answer = json!({"id": "msg_1", "type": "message", "role": "assistant", "phase": "commentary", "status": "completed", "content": [{"type": "output_text", "text": "t", "annotations": []}]});
    let items = vec![
        json!({"item": reasoning}),
        json!({"item": search}),
        json!({"item": answer}),
        json!({"call": "c1", "tool": "a", "item": asked}),
    ];
    let turns = |items: &[Value]| {
        vec![
            Turn::user("hi"),
            said("t", vec![call("c1", "a", json!({"x": 1}))], Some(items.to_vec())),
            result("c1", "r"),
        ]
    };
    let output = json!({"type": "function_call_output", "call_id": "c1", "output": "r"});
    let own = json!([
        user("hi"),
        {"type": "reasoning", "summary": [], "encrypted_content": "gA==\u{e4}"},
        search,
        {"type": "message", "role": "assistant", "phase": "commentary", "status": "completed", "content": [{"type": "output_text", "text": "t", "annotations": []}]},
        {"type": "function_call", "call_id": "c1", "name": "a", "namespace": "n", "arguments": "{ \"x\": 1.0 }", "status": "completed"},
        output,
    ]);
    assert_eq!(sent(turns(&items)), own);
    let azure =
        posted("https://r.openai.azure.com/openai/v1", &Request { messages: turns(&items), ..Request::default() });
    assert_eq!(azure["input"][1]["id"], "rs_1");
    assert_eq!((&azure["input"][3]["id"], &azure["input"][4]["id"]), (&json!("msg_1"), &json!("fc_1")));

    // Any difference in the calls, or anything that is not in this shape, and it stays away as a whole.
    let plain = json!([
        user("hi"),
        {"type": "message", "role": "assistant", "content": "t"},
        {"type": "function_call", "call_id": "c1", "name": "a", "arguments": "{\"x\":1}"},
        output,
    ]);
    let changed = |at: usize, key: &str, value: Value| {
        let mut items = items.clone();
        items[at][key] = value;
        items
    };
    for items in [
        changed(3, "call", "c2".into()),
        changed(3, "tool", "b".into()),
        changed(0, "item", "text".into()),
        items[..3].to_vec(),
        [items.clone(), vec![items[3].clone()]].concat(),
        [items.clone(), vec![items[0].clone()]].concat(),
        vec![json!(7)],
        vec![],
    ] {
        assert_eq!(sent(turns(&items)), plain, "{items:?}");
    }
    // Arguments that no server could read are as they were understood.
    let mut items = items;
    items[3]["item"]["arguments"] = "{\"x\":".into();
    assert_eq!(sent(turns(&items))[4]["arguments"], "{\"x\":1}");
    // A program's call says so in its result.
    items[3]["item"]["caller"] = json!({"type": "program", "caller_id": "p"});
    assert_eq!(sent(turns(&items))[5]["caller"], json!({"type": "program", "caller_id": "p"}));
}

#[test]
fn a_message_may_be_more_than_words() {
    let compaction = json!({"type": "compaction", "id": "cmp_1", "encrypted_content": "x"});
    let turns = vec![Turn::user("hi"), said("", vec![], Some(vec![json!({"item": compaction})])), Turn::user("go on")];
    assert_eq!(sent(turns), json!([user("hi"), {"type": "compaction", "encrypted_content": "x"}, user("go on")]));
}

#[test]
fn the_instructions_move_where_they_are_not_taken() {
    let request = Request { system: "be kind".into(), messages: vec![Turn::user("hi")], ..Request::default() };
    let (responses, base) = responses(HERE);
    let asked = Asked::of(&request, "tag", "here");
    let body = responses.post(&base, &request, &asked).body;
    assert!(responses.learn(&body, "{\"error\":\"Argument not supported: 'instructions'\"}"));
    let body: Value = serde_json::from_slice(&responses.post(&base, &request, &asked).body).unwrap();
    assert_eq!(body.get("instructions"), None);
    assert_eq!(body["input"], json!([{"type": "message", "role": "system", "content": "be kind"}, user("hi")]));
}

/// What the provider's documents say of a history, checked item by item.
fn check(input: &Value) {
    let items = input.as_array().expect("a list");
    assert!(!items.is_empty(), "an empty input is refused");
    let mut waiting: BTreeMap<String, bool> = BTreeMap::new();
    let mut seen = HashSet::new();
    for (at, item) in items.iter().enumerate() {
        let text = |key: &str| item[key].as_str().unwrap_or_default();
        let id = text("call_id");
        let id_fits =
            (1..=64).contains(&id.len()) && id.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
        match text("type") {
            "message" if text("role") == "user" => {
                assert!(waiting.is_empty(), "{at}: a call without a result: {input}");
                let parts = item["content"].as_array().expect("parts");
                assert!(!parts.is_empty(), "{at}: nothing said: {input}");
                for part in parts {
                    match part["type"].as_str() {
                        Some("input_text") => {
                            assert!(!part["text"].as_str().unwrap().trim().is_empty(), "{at}: {input}")
                        }
                        Some("input_image") => assert!(part["image_url"].as_str().unwrap().starts_with("data:image/")),
                        other => panic!("{other:?}"),
                    }
                }
            }
            "message" => {
                assert_eq!(text("role"), "assistant");
                let spoken = match &item["content"] {
                    Value::String(words) => !words.trim().is_empty(),
                    parts => !parts.as_array().expect("parts").is_empty(),
                };
                assert!(spoken, "{at}: nothing said: {input}");
            }
            "function_call" => {
                assert!(id_fits, "{at}: {id:?}");
                assert!(seen.insert(id.to_owned()), "{at}: an id twice: {input}");
                waiting.insert(id.to_owned(), true);
                let name = text("name");
                assert!(
                    (1..=64).contains(&name.len())
                        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-'),
                    "{at}: {name:?}"
                );
                let arguments: Value = serde_json::from_str(text("arguments")).expect("JSON");
                assert!(arguments.is_object(), "{at}: {arguments}");
            }
            "function_call_output" => {
                assert!(waiting.remove(id).is_some(), "{at}: a result without its call: {input}");
                assert!(!text("output").is_empty(), "{at}: {input}");
            }
            "reasoning" => {
                assert!(item["summary"].is_array());
                let readable =
                    !text("encrypted_content").is_empty() || item["content"].as_array().is_some_and(|c| !c.is_empty());
                assert!(readable, "{at}: {input}");
                let next = items.get(at + 1).map(|next| next["type"].as_str().unwrap_or_default());
                assert!(
                    next.is_some_and(|next| next != "function_call_output"),
                    "{at}: reasoning without what follows it: {input}"
                );
                assert!(items[at + 1]["role"] != "user", "{at}: {input}");
            }
            "web_search_call" => {}
            other => panic!("{at}: {other}"),
        }
    }
    assert!(waiting.is_empty(), "a call without a result: {input}");
}

fn arguments() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!({})),
        Just(json!({"a": 1.0})),
        Just(json!(null)),
        Just(json!("{\"half")),
        Just(json!([1])),
        Just(json!(7)),
    ]
}

fn turns() -> impl Strategy<Value = Vec<Turn>> {
    let id = "[abc:]{0,2}|x{60,70}";
    let name = "[an./]{0,2}";
    let words = "[ \nw]{0,2}";
    let calls = proptest::collection::vec(
        (id, name, arguments()).prop_map(|(id, name, arguments)| call(&id, &name, arguments)),
        0..3,
    );
    // Natives that fit, that do not, and that are no natives.
    let own = prop_oneof![
        Just(json!({"item": {"type": "reasoning", "id": "r", "summary": [], "encrypted_content": "e"}})),
        Just(json!({"item": {"type": "reasoning", "content": [{"type": "reasoning_text", "text": "t"}]}})),
        Just(
            json!({"item": {"type": "message", "role": "assistant", "id": "m", "content": [{"type": "output_text", "text": "t"}]}})
        ),
        Just(json!({"item": {"type": "web_search_call", "id": "ws"}})),
        Just(json!({"item": null})),
        Just(json!(null)),
    ];
    let native = (proptest::collection::vec(own, 0..3), 0_u8..3, "\\{\\}|\\{|");
    let assistant = (words, calls, proptest::option::of(native)).prop_map(|(text, calls, native)| {
        let items = native.map(|(before, fits, arguments)| {
            let called = calls.iter().take(if fits == 0 { 1 } else { calls.len() }).map(|call| {
                json!({"call": call.id, "tool": call.name, "item": {"type": "function_call", "call_id": call.id, "name": call.name, "arguments": arguments}})
            });
            before.into_iter().chain(called).collect()
        });
        said(&text, calls, items)
    });
    let user = (words, 0_usize..3).prop_map(|(text, shown)| {
        let picture = |at: usize| Picture {
            id: PictureId::from("p"),
            media_type: "image/png".into(),
            data: vec![0; at % 2].into(),
        };
        Turn::User { text, pictures: (0..shown).map(picture).collect() }
    });
    let turn = prop_oneof![user, assistant, (id, words).prop_map(|(id, text)| result(&id, &text))];
    proptest::collection::vec(turn, 0..10)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]
    #[test]
    fn whatever_the_history_the_provider_takes_it(turns in turns()) {
        let request = Request { model: "m".into(), messages: turns, ..Request::default() };
        for base in [HERE, "https://r.openai.azure.com/openai/v1"] {
            let body = posted(base, &request);
            check(&body["input"]);
            prop_assert_eq!(posted(base, &request), body, "the same every time");
        }
    }
}
