// SPDX-License-Identifier: Apache-2.0
//! Anthropic's Messages over real HTTP, against a server that answers as the test says.

mod common;

use bailey_net::{Clients, normalize_base_url};
use bailey_ports::{Model, ModelError, Redactor, Secret};
use bailey_protocol::model::{Finish, Native, PastCall, Reply, Request, ToolDeclaration, Turn, Usage};
use bailey_protocol::{Effort, ModelFacts, ProviderId, ProviderKind, RunErrorKind as Kind};
use bailey_providers::{Endpoint, Listed, Patience};
use common::{Asked, Said, Server};
use futures::StreamExt;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

const KEY: &str = "sk-ant-canary-8c1f";

fn endpoint(provider: &str, base: &str) -> Endpoint {
    let base = normalize_base_url(base).unwrap();
    let client = Clients::new().endpoint(&base).unwrap();
    let (provider, key) = (ProviderId::from(provider), Some(Secret::new(KEY)));
    let endpoint = Endpoint::new(ProviderKind::Anthropic, client, base, provider, key, Redactor::new()).unwrap();
    endpoint.with_patience(Patience {
        backoff: Duration::from_millis(2),
        grace: Duration::from_millis(30),
        ..Patience::default()
    })
}

/// A server that gives these answers, one after another and the last for ever, and what it was asked.
fn script(answers: Vec<Said>) -> (Server, Arc<Mutex<Vec<Asked>>>) {
    let log = Arc::new(Mutex::new(Vec::new()));
    let (kept, left) = (log.clone(), Mutex::new(VecDeque::from(answers)));
    let server = Server::start(move |asked| {
        kept.lock().unwrap().push(asked.clone());
        let mut left = left.lock().unwrap();
        if left.len() > 1 { left.pop_front().unwrap() } else { left[0].clone() }
    });
    (server, log)
}

fn bodies(log: &Mutex<Vec<Asked>>) -> Vec<Value> {
    log.lock().unwrap().iter().map(|asked| serde_json::from_str(&asked.body).unwrap()).collect()
}

fn ask(model: &str, messages: Vec<Turn>) -> Request {
    Request { model: model.into(), messages, ..Request::default() }
}

async fn said(endpoint: &Endpoint, request: Request) -> Vec<Result<Reply, ModelError>> {
    endpoint.reply(request).collect().await
}

async fn replies(endpoint: &Endpoint, request: Request) -> Vec<Reply> {
    said(endpoint, request).await.into_iter().map(Result::unwrap).collect()
}

fn events(events: &[Value]) -> String {
    events.iter().map(|event| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap())).collect()
}

fn start() -> Value {
    json!({"type": "message_start", "message": {"id": "msg_1", "type": "message", "role": "assistant", "content": [], "usage": {"input_tokens": 3, "cache_read_input_tokens": 40, "output_tokens": 1}}})
}

fn block(index: u32, block: Value) -> Value {
    json!({"type": "content_block_start", "index": index, "content_block": block})
}

fn delta(index: u32, delta: Value) -> Value {
    json!({"type": "content_block_delta", "index": index, "delta": delta})
}

fn stop(index: u32) -> Value {
    json!({"type": "content_block_stop", "index": index})
}

fn end(reason: &str) -> Vec<Value> {
    vec![
        json!({"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 9}}),
        json!({"type": "message_stop"}),
    ]
}

fn words(text: &str) -> Said {
    let text = [
        start(),
        block(0, json!({"type": "text", "text": ""})),
        delta(0, json!({"type": "text_delta", "text": text})),
        stop(0),
    ];
    (200, events(&[text.to_vec(), end("end_turn")].concat()))
}

fn refusal(status: u16, kind: &str, message: &str) -> Said {
    (status, json!({"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"}).to_string())
}

const SIGNATURE: &str = "EqQ+a/b==\\u0041";
const ARGUMENTS: &str = r#"{ "expression" : "1+1", "n":1.0, "m": 1e5 }"#;

/// An answer with signed thinking, some that can't be read, and a call.
fn thoughtful() -> Said {
    let blocks = [
        start(),
        block(0, json!({"type": "thinking", "thinking": "", "signature": ""})),
        delta(0, json!({"type": "thinking_delta", "thinking": "Let me see"})),
        delta(0, json!({"type": "signature_delta", "signature": SIGNATURE})),
        stop(0),
        block(1, json!({"type": "redacted_thinking", "data": "opaque+/=="})),
        stop(1),
        block(2, json!({"type": "tool_use", "id": "toolu_1", "name": "compute", "input": {}})),
        delta(2, json!({"type": "input_json_delta", "partial_json": &ARGUMENTS[..20]})),
        delta(2, json!({"type": "input_json_delta", "partial_json": &ARGUMENTS[20..]})),
        stop(2),
    ];
    (200, events(&[blocks.to_vec(), end("tool_use")].concat()))
}

fn native_of(replies: &[Reply]) -> Arc<Native> {
    let native = replies.iter().rev().find_map(|reply| match reply {
        Reply::Native { native } => Some(native.clone()),
        _ => None,
    });
    native.unwrap()
}

#[tokio::test]
async fn a_request_is_what_the_provider_takes_and_the_answer_streams() {
    let (server, log) = script(vec![thoughtful()]);
    let request = Request {
        system: "be kind".into(),
        tools: vec![ToolDeclaration {
            name: "compute".into(),
            description: "sums".into(),
            schema: json!({"type": "object", "properties": {"expression": {"type": "string"}}}),
        }],
        effort: Some(Effort::Medium),
        ..ask("claude-sonnet-4-5", vec![Turn::user("hi")])
    };
    let replies = replies(&endpoint("p", &server.url("")), request).await;
    let native = native_of(&replies);
    assert_eq!(native.origin, "p/Anthropic/claude-sonnet-4-5");
    let expected = [
        Reply::Reasoning { text: "Let me see".into() },
        Reply::CallBegan { name: "compute".into() },
        Reply::Call { id: "toolu_1".into(), name: "compute".into(), arguments: ARGUMENTS.into() },
        Reply::Usage { usage: Usage { input: 43, cached: 40, output: 9, ..Usage::default() } },
        Reply::Native { native },
        Reply::Finish { finish: Finish::Calls },
    ];
    assert_eq!(replies, expected);

    let asked = log.lock().unwrap()[0].clone();
    assert_eq!((asked.method.as_str(), asked.target.as_str()), ("POST", "/v1/messages"));
    assert_eq!(asked.header("x-api-key"), Some(KEY));
    assert_eq!(asked.header("anthropic-version"), Some("2023-06-01"));
    assert_eq!(asked.header("content-type"), Some("application/json"));
    assert_eq!(asked.header("authorization"), None);
    let mark = json!({"type": "ephemeral"});
    let expected = json!({
        "model": "claude-sonnet-4-5",
        "max_tokens": 32000,
        "stream": true,
        "thinking": {"type": "enabled", "budget_tokens": 10000},
        "tools": [{"name": "compute", "description": "sums", "input_schema": {"type": "object", "properties": {"expression": {"type": "string"}}}, "cache_control": mark}],
        "system": [{"type": "text", "text": "be kind", "cache_control": mark}],
        "messages": [{"role": "user", "content": [{"type": "text", "text": "hi", "cache_control": mark}]}],
    });
    assert_eq!(bodies(&log)[0], expected);
}

#[tokio::test]
async fn what_was_signed_makes_the_round_trip_over_two_rounds() {
    let (server, log) = script(vec![thoughtful(), thoughtful(), words("done")]);
    let endpoint = endpoint("p", &server.url("/anthropic"));
    let mut request = Request { effort: Some(Effort::High), ..ask("claude-sonnet-4-5", vec![Turn::user("hi")]) };
    for round in 0..2 {
        let replies = replies(&endpoint, request.clone()).await;
        let calls: Vec<PastCall> = replies
            .iter()
            .filter_map(|reply| match reply {
                Reply::Call { id, name, arguments } => Some(PastCall {
                    id: id.clone(),
                    name: name.clone(),
                    arguments: serde_json::from_str(arguments).unwrap(),
                }),
                _ => None,
            })
            .collect();
        assert_eq!(calls.len(), 1, "round {round}");
        let id = calls[0].id.clone();
        let native = Some(native_of(&replies));
        request.messages.extend([
            Turn::Assistant { text: String::new(), reasoning: "Let me see".into(), calls, native },
            Turn::Tool { id, name: "compute".into(), text: "2".into() },
        ]);
    }
    assert_eq!(replies(&endpoint, request.clone()).await.last(), Some(&Reply::Finish { finish: Finish::Stop }));
    let bodies: Vec<String> = log.lock().unwrap().iter().map(|asked| asked.body.clone()).collect();
    let signature = serde_json::to_string(SIGNATURE).unwrap();
    let first = format!(
        r#"[{{"type":"thinking","thinking":"Let me see","signature":{signature}}},{{"type":"redacted_thinking","data":"opaque+/=="}},{{"type":"tool_use","id":"toolu_1","name":"compute","input":{ARGUMENTS}}}]"#
    );
    assert!(bodies[1].contains(&first), "{}", bodies[1]);
    assert!(bodies[2].contains(&first), "and stays in the prefix");
    // The provider gave the same id twice: the second call has another one, in the message and in its result.
    let second: Value = serde_json::from_str(&bodies[2]).unwrap();
    let (again, answer) = (&second["messages"][3]["content"], &second["messages"][4]["content"]);
    assert_eq!(again[0]["signature"], SIGNATURE);
    assert_ne!(again[2]["id"], "toolu_1");
    assert_eq!(again[2]["id"], answer[0]["tool_use_id"]);

    // Another model, and another provider, get what everybody can read.
    for (provider, model) in [("p", "claude-opus-4-5"), ("q", "claude-sonnet-4-5")] {
        let (server, log) = script(vec![words("ok")]);
        let other = Request { model: model.into(), ..request.clone() };
        replies(&self::endpoint(provider, &server.url("")), other).await;
        let body = bodies_of(&log);
        assert!(!body.contains("signature") && !body.contains("opaque") && !body.contains("Let me see"), "{body}");
        assert!(body.contains(r#""type":"tool_use""#) && !body.contains(r#""thinking":{"type":"enabled""#), "{body}");
    }
}

fn bodies_of(log: &Mutex<Vec<Asked>>) -> String {
    log.lock().unwrap()[0].body.clone()
}

#[tokio::test]
async fn each_refusal_has_its_kind_and_the_key_gets_out_nowhere() {
    for (status, kind, message, expected) in [
        (400, "invalid_request_error", "messages: at least one message is required", Kind::Invalid),
        (400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum", Kind::TooLong),
        (400, "invalid_request_error", "Your credit balance is too low to access the Anthropic API.", Kind::Quota),
        (401, "authentication_error", "invalid x-api-key", Kind::Auth),
        (402, "billing_error", "no credit", Kind::Quota),
        (403, "permission_error", "not for this key", Kind::Auth),
        (404, "not_found_error", "model: claude-9", Kind::Invalid),
        (413, "request_too_large", "Request exceeds the maximum size", Kind::TooLong),
        (429, "rate_limit_error", "This request would exceed your rate limit", Kind::Rate),
        (500, "api_error", "Internal server error", Kind::Server),
        (529, "overloaded_error", "Overloaded", Kind::Overloaded),
    ] {
        let (server, log) = script(vec![refusal(status, kind, &format!("{message} ({KEY})"))]);
        let patience = Patience { more_tries: 1, backoff: Duration::from_millis(1), ..Patience::default() };
        let endpoint = endpoint("p", &server.url("/v1")).with_patience(patience);
        let all = said(&endpoint, ask("claude-9", vec![Turn::user("hi")])).await;
        let error = all.last().unwrap().as_ref().unwrap_err();
        assert_eq!(error.kind, expected, "{status} {message}: {error:?}");
        assert!(error.details.as_ref().unwrap().contains(message), "its own words are kept: {error:?}");
        assert!(!format!("{all:?}").contains(KEY), "{error:?}");
        // A key is tried both ways; what may pass is tried again.
        let requests = log.lock().unwrap().len();
        let expected = if matches!(status, 401 | 403 | 429 | 500..) { 2 } else { 1 };
        assert_eq!(requests, expected, "{status} {message}");
    }
}

#[tokio::test]
async fn a_broken_answer_is_taken_back_and_asked_for_again() {
    let begun = [start(), block(0, json!({"type": "text", "text": "Hel"}))];
    let overloaded = json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}});
    let called =
        [start(), block(0, json!({"type": "tool_use", "id": "a", "name": "compute", "input": {"x": 1}})), stop(0)];
    for (first, kind) in [
        (events(&[begun.to_vec(), vec![overloaded.clone()]].concat()), Kind::Overloaded),
        (events(&begun), Kind::Interrupted),
        (events(&called), Kind::Interrupted),
    ] {
        let (server, log) = script(vec![(200, first), words("Hello")]);
        let all = replies(&endpoint("p", &server.url("")), ask("m", vec![Turn::user("hi")])).await;
        let at = all.iter().position(|reply| matches!(reply, Reply::Retry { .. })).unwrap();
        assert!(matches!(all[at], Reply::Retry { kind: told, .. } if told == kind), "{all:?}");
        assert!(
            !all[..at].iter().any(|reply| matches!(reply, Reply::Call { .. })),
            "half an answer calls nothing: {all:?}"
        );
        assert_eq!(all[at + 1], Reply::Text { text: "Hello".into() });
        assert_eq!(all.last(), Some(&Reply::Finish { finish: Finish::Stop }));
        assert_eq!(log.lock().unwrap().len(), 2);
    }
    // Behind the end nothing matters any more.
    let late = events(&[begun.to_vec(), end("end_turn"), vec![overloaded]].concat());
    let (server, log) = script(vec![(200, late)]);
    let all = replies(&endpoint("p", &server.url("")), ask("m", vec![Turn::user("hi")])).await;
    assert_eq!(all.last(), Some(&Reply::Finish { finish: Finish::Stop }));
    assert_eq!(log.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn a_host_that_wants_a_bearer_gets_one() {
    let log = Arc::new(Mutex::new(Vec::new()));
    let kept = log.clone();
    let server = Server::start(move |asked| {
        let bearer = asked.header("authorization") == Some(format!("Bearer {KEY}").as_str());
        let carried = (asked.header("x-api-key").is_some(), asked.header("authorization").is_some());
        kept.lock().unwrap().push((asked.method.clone(), carried));
        match asked.method.as_str() {
            _ if !bearer => (401, r#"{"error":{"message":"missing bearer token"}}"#.to_owned()),
            "GET" => (200, r#"{"data":[{"id":"a"}],"has_more":false}"#.to_owned()),
            _ => words("ok"),
        }
    });
    let endpoint = endpoint("p", &server.url(""));
    assert_eq!(endpoint.list_models().await.unwrap().len(), 1);
    replies(&endpoint, ask("a", vec![Turn::user("hi")])).await;
    let get = |carried| ("GET".to_owned(), carried);
    let expected = [get((true, false)), get((false, true)), ("POST".to_owned(), (false, true))];
    assert_eq!(*log.lock().unwrap(), expected, "never both, and learnt once for all");

    // A wrong key is told after both ways, and it stays at the usual one.
    let (server, log) = script(vec![refusal(401, "authentication_error", "invalid x-api-key")]);
    let endpoint = self::endpoint("p", &server.url(""));
    for requests in [2, 3] {
        let error = said(&endpoint, ask("a", vec![Turn::user("hi")])).await.pop().unwrap().unwrap_err();
        assert_eq!((error.kind, log.lock().unwrap().len()), (Kind::Auth, requests));
    }
    assert_eq!(log.lock().unwrap()[2].header("x-api-key"), Some(KEY));
}

#[tokio::test]
async fn what_a_refusal_teaches_is_used_at_once() {
    let (server, log) = script(vec![
        refusal(
            400,
            "invalid_request_error",
            "max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens for claude-new",
        ),
        refusal(400, "invalid_request_error", "\"thinking.type.adaptive\" is not supported for this model."),
        refusal(400, "invalid_request_error", "tools.0.custom.input_schema: JSON schema is odd"),
        words("ok"),
    ]);
    let schema = json!({"type": "object"});
    let tool = |name: &str| ToolDeclaration { name: name.into(), description: String::new(), schema: schema.clone() };
    let request = Request {
        tools: vec![tool("odd"), tool("good")],
        effort: Some(Effort::High),
        ..ask("claude-new-7", vec![Turn::user("hi")])
    };
    let endpoint = endpoint("p", &server.url(""));
    let all = replies(&endpoint, request.clone()).await;
    assert!(
        matches!(&all[0], Reply::LeftOut { tool, reason } if tool == "odd" && reason.contains("JSON schema is odd")),
        "{all:?}"
    );
    assert_eq!(all[1], Reply::Text { text: "ok".into() });
    let bodies = bodies(&log);
    assert_eq!(bodies.len(), 4);
    let fields = |body: &Value| {
        (body["max_tokens"].clone(), body["thinking"]["type"].clone(), body["tools"].as_array().unwrap().len())
    };
    assert_eq!(fields(&bodies[0]), (json!(32000), json!("adaptive"), 2));
    assert_eq!(fields(&bodies[1]), (json!(8192), json!("adaptive"), 2));
    assert_eq!(fields(&bodies[2]), (json!(8192), json!("enabled"), 2));
    assert_eq!(fields(&bodies[3]), (json!(8192), json!("enabled"), 1));
    assert!(bodies[3]["thinking"]["budget_tokens"].as_u64().unwrap() < 8192);
    let before = log.lock().unwrap().len();
    replies(&endpoint, request).await;
    assert_eq!(log.lock().unwrap().len(), before + 1, "and is known from then on");
}

#[tokio::test]
async fn refused_reasoning_is_left_out_and_the_conversation_goes_on() {
    let (server, log) = script(vec![
        thoughtful(),
        refusal(400, "invalid_request_error", "messages.1.content.0: Invalid `signature` in `thinking` block"),
        words("ok"),
    ]);
    let endpoint = endpoint("p", &server.url(""));
    let mut request = Request { effort: Some(Effort::High), ..ask("claude-opus-4-8", vec![Turn::user("hi")]) };
    let first = replies(&endpoint, request.clone()).await;
    let call = PastCall { id: "toolu_1".into(), name: "compute".into(), arguments: json!({}) };
    let native = Some(native_of(&first));
    request.messages.extend([
        Turn::Assistant { text: String::new(), reasoning: "Let me see".into(), calls: vec![call], native },
        Turn::Tool { id: "toolu_1".into(), name: "compute".into(), text: "2".into() },
    ]);
    assert_eq!(replies(&endpoint, request).await[0], Reply::Text { text: "ok".into() });
    let bodies = bodies(&log);
    let kinds = |body: &Value| -> Vec<String> {
        let content = body["messages"][1]["content"].as_array().unwrap();
        content.iter().map(|block| block["type"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(kinds(&bodies[1]), ["thinking", "redacted_thinking", "tool_use"]);
    assert_eq!(kinds(&bodies[2]), ["tool_use"]);
}

#[tokio::test]
async fn models_are_listed_page_by_page() {
    let model = |id: &str| {
        json!({
            "type": "model", "id": id, "display_name": format!("Model {id}"), "created_at": "2026-01-01T00:00:00Z",
            "max_input_tokens": 200000, "max_tokens": 64000,
            "capabilities": {"image_input": {"supported": true}, "thinking": {"supported": id == "b", "types": {}}},
        })
    };
    let (server, log) = script(vec![
        (200, json!({"data": [model("a"), model("b")], "has_more": true, "first_id": "a", "last_id": "b"}).to_string()),
        (
            200,
            json!({"data": [{"type": "model", "id": "c", "capabilities": null}], "has_more": false, "last_id": "c"})
                .to_string(),
        ),
    ]);
    let listed = endpoint("p", &server.url("/gateway/anthropic/")).list_models().await.unwrap();
    let facts = |thinks| ModelFacts {
        window: Some(200_000),
        max_output: Some(64_000),
        pictures: Some(true),
        thinks: Some(thinks),
        ..ModelFacts::default()
    };
    let expected = [
        Listed { model: "a".into(), title: Some("Model a".into()), facts: facts(false) },
        Listed { model: "b".into(), title: Some("Model b".into()), facts: facts(true) },
        Listed { model: "c".into(), title: None, facts: ModelFacts::default() },
    ];
    assert_eq!(listed, expected);
    let log = log.lock().unwrap();
    let targets: Vec<&str> = log.iter().map(|asked| asked.target.as_str()).collect();
    assert_eq!(
        targets,
        ["/gateway/anthropic/v1/models?limit=100", "/gateway/anthropic/v1/models?limit=100&after_id=b"]
    );
    assert!(
        log.iter().all(|asked| asked.header("x-api-key") == Some(KEY) && asked.header("anthropic-version").is_some())
    );
}
