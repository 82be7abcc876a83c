// SPDX-License-Identifier: Apache-2.0
//! OpenAI's Responses over real HTTP, against a server that answers as the test says.

mod common;

use bailey_net::{Clients, normalize_base_url};
use bailey_ports::{Model, ModelError, Redactor, Secret};
use bailey_protocol::model::{Finish, Native, PastCall, Reply, Request, ToolDeclaration, Turn, Usage};
use bailey_protocol::{Effort, ProviderId, ProviderKind, RunErrorKind as Kind};
use bailey_providers::{Endpoint, Patience};
use common::{Asked, Said, Server};
use futures::StreamExt;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

const KEY: &str = "sk-canary-8c1f";

fn endpoint(provider: &str, base: &str) -> Endpoint {
    let base = normalize_base_url(base).unwrap();
    let client = Clients::new().endpoint(&base).unwrap();
    let (provider, key) = (ProviderId::from(provider), Some(Secret::new(KEY)));
    let endpoint = Endpoint::new(ProviderKind::OpenaiResponses, client, base, provider, key, Redactor::new()).unwrap();
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

fn stream(events: &[Value]) -> Said {
    let event = |event: &Value| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap());
    (200, events.iter().map(event).collect())
}

fn delta(words: &str) -> Value {
    json!({ "type": "response.output_text.delta", "output_index": 0, "content_index": 0, "delta": words })
}

fn done(index: u64, item: Value) -> Value {
    json!({ "type": "response.output_item.done", "output_index": index, "item": item })
}

fn completed() -> Value {
    let usage = json!({
        "input_tokens": 20, "input_tokens_details": { "cached_tokens": 8 },
        "output_tokens": 9, "output_tokens_details": { "reasoning_tokens": 4 }, "total_tokens": 29,
    });
    json!({ "type": "response.completed", "response": { "status": "completed", "output": [], "usage": usage } })
}

fn hello() -> Said {
    stream(&[delta("hello"), completed()])
}

fn refusal(status: u16, message: &str, code: Value) -> Said {
    (status, json!({ "error": { "message": message, "type": "invalid_request_error", "code": code } }).to_string())
}

fn ask(text: &str) -> Request {
    Request { model: "gpt-5.1".into(), messages: vec![Turn::user(text)], ..Request::default() }
}

async fn replies(endpoint: &Endpoint, request: Request) -> Vec<Result<Reply, ModelError>> {
    endpoint.reply(request).collect().await
}

/// What was said since the last attempt began.
async fn said(endpoint: &Endpoint, request: Request) -> Vec<Reply> {
    let all: Vec<Reply> = replies(endpoint, request).await.into_iter().map(Result::unwrap).collect();
    let from = all.iter().rposition(|reply| matches!(reply, Reply::Retry { .. })).map_or(0, |at| at + 1);
    all[from..].to_vec()
}

const SECRET: &str = "gAAAAABo-1=é\u{2028}/+\"\\";

/// A round that thinks, searches and calls.
fn thinking(call_id: &str) -> Vec<Value> {
    vec![
        json!({ "type": "response.created", "response": { "status": "in_progress" } }),
        json!({ "type": "response.reasoning_summary_text.delta", "output_index": 0, "summary_index": 0, "delta": "Let me see." }),
        done(
            0,
            json!({
                "id": "rs_1", "type": "reasoning", "content": [], "encrypted_content": SECRET,
                "summary": [{ "type": "summary_text", "text": "Let me see." }],
            }),
        ),
        done(
            1,
            json!({ "id": "ws_1", "type": "web_search_call", "status": "completed", "action": { "type": "search", "query": "q" } }),
        ),
        done(
            2,
            json!({
                "id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "phase": "commentary",
                "content": [{ "type": "output_text", "text": "Looking.", "annotations": [], "logprobs": [] }],
            }),
        ),
        json!({ "type": "response.output_item.added", "output_index": 3, "item": { "type": "function_call", "call_id": call_id, "name": "compute", "arguments": "" } }),
        json!({ "type": "response.function_call_arguments.delta", "output_index": 3, "delta": "{\"n\": " }),
        json!({ "type": "response.function_call_arguments.delta", "output_index": 3, "delta": "1.0}" }),
        done(
            3,
            json!({
                "id": "fc_1", "type": "function_call", "status": "completed", "call_id": call_id, "name": "compute",
                "arguments": "{\"n\": 1.0}",
            }),
        ),
        completed(),
    ]
}

fn tools() -> Vec<ToolDeclaration> {
    let schema = json!({ "type": "object", "properties": { "n": { "type": "number" } } });
    vec![ToolDeclaration { name: "compute".into(), description: "sums".into(), schema }]
}

/// The model's turn and its result, as the engine puts them into the next request.
fn turns_of(replies: &[Reply]) -> Vec<Turn> {
    let (mut text, mut reasoning, mut calls, mut native) = (String::new(), String::new(), Vec::new(), None);
    for reply in replies {
        match reply {
            Reply::Text { text: piece } => text.push_str(piece),
            Reply::Reasoning { text: piece } => reasoning.push_str(piece),
            Reply::Call { id, name, arguments } => calls.push(PastCall {
                id: id.clone(),
                name: name.clone(),
                arguments: serde_json::from_str(arguments).unwrap(),
            }),
            Reply::Native { native: own } => native = Some(own.clone()),
            _ => {}
        }
    }
    let results: Vec<Turn> = calls
        .iter()
        .map(|call| Turn::Tool { id: call.id.clone(), name: call.name.clone(), text: "1".into() })
        .collect();
    [vec![Turn::Assistant { text, reasoning, calls, native }], results].concat()
}

#[tokio::test]
async fn a_round_goes_out_and_comes_back_and_the_next_has_it_byte_for_byte() {
    let (server, log) = script(vec![stream(&thinking("call_1")), stream(&thinking("call_2")), hello()]);
    let endpoint = endpoint("p", &server.url("/v1/responses"));
    let mut request = Request {
        system: "be kind".into(),
        tools: tools(),
        max_output: Some(4000),
        effort: Some(Effort::Medium),
        ..ask("hi")
    };
    let first = said(&endpoint, request.clone()).await;
    let (native, rest): (Vec<Reply>, Vec<Reply>) =
        first.iter().cloned().partition(|reply| matches!(reply, Reply::Native { .. }));
    let search = json!({ "id": "ws_1", "type": "web_search_call", "status": "completed", "action": { "type": "search", "query": "q" } });
    let usage = Usage { input: 20, cached: 8, output: 9, reasoning: 4, ..Usage::default() };
    assert_eq!(
        rest,
        [
            Reply::Reasoning { text: "Let me see.".into() },
            Reply::Item { kind: "web_search_call".into(), data: search.clone() },
            Reply::Text { text: "Looking.".into() },
            Reply::CallBegan { name: "compute".into() },
            Reply::Call { id: "call_1".into(), name: "compute".into(), arguments: "{\"n\": 1.0}".into() },
            Reply::Usage { usage },
            Reply::Finish { finish: Finish::Calls },
        ]
    );
    assert_eq!(native.len(), 1);

    request.messages.extend(turns_of(&first));
    let second = said(&endpoint, request.clone()).await;
    request.messages.extend(turns_of(&second));
    assert_eq!(said(&endpoint, request).await[0], Reply::Text { text: "hello".into() });

    let asked = log.lock().unwrap().clone();
    for asked in &asked {
        assert_eq!((asked.method.as_str(), asked.target.as_str()), ("POST", "/v1/responses"));
        assert_eq!(asked.header("authorization"), Some(format!("Bearer {KEY}").as_str()));
        assert_eq!(asked.header("content-type"), Some("application/json"));
    }
    let bodies = bodies(&log);
    let first = json!({
        "model": "gpt-5.1", "instructions": "be kind", "stream": true, "store": false,
        "tools": [{
            "type": "function", "name": "compute", "description": "sums", "strict": false,
            "parameters": { "type": "object", "properties": { "n": { "type": "number" } } },
        }],
        "include": ["reasoning.encrypted_content"],
        "reasoning": { "effort": "medium", "summary": "auto" },
        "max_output_tokens": 4000,
        "input": [{ "type": "message", "role": "user", "content": [{ "type": "input_text", "text": "hi" }] }],
    });
    assert_eq!(bodies[0], first);
    let own = |call_id: &str| {
        vec![
            json!({ "type": "reasoning", "encrypted_content": SECRET, "summary": [{ "type": "summary_text", "text": "Let me see." }] }),
            search.clone(),
            json!({
                "type": "message", "role": "assistant", "status": "completed", "phase": "commentary",
                "content": [{ "type": "output_text", "text": "Looking.", "annotations": [], "logprobs": [] }],
            }),
            json!({ "type": "function_call", "status": "completed", "call_id": call_id, "name": "compute", "arguments": "{\"n\": 1.0}" }),
            json!({ "type": "function_call_output", "call_id": call_id, "output": "1" }),
        ]
    };
    let user = vec![bodies[0]["input"][0].clone()];
    assert_eq!(bodies[1]["input"], json!([user.clone(), own("call_1")].concat()));
    assert_eq!(bodies[2]["input"], json!([user, own("call_1"), own("call_2")].concat()));
    // What did not change stands where it stood, to the byte: the provider has it in its cache.
    let sent: Vec<&str> = asked.iter().map(|asked| asked.body.as_str()).collect();
    assert!(sent[2].starts_with(sent[1].strip_suffix("]}").unwrap()));
    assert!(sent[1].starts_with(sent[0].strip_suffix("]}").unwrap()));
}

#[tokio::test]
async fn what_one_model_thought_is_not_shown_to_another() {
    let (server, log) = script(vec![stream(&thinking("call_1")), hello()]);
    let first = said(&endpoint("p", &server.url("/v1")), Request { tools: tools(), ..ask("hi") }).await;
    let mut messages = vec![Turn::user("hi")];
    messages.extend(turns_of(&first));
    let plain = json!([
        { "type": "message", "role": "user", "content": [{ "type": "input_text", "text": "hi" }] },
        { "type": "message", "role": "assistant", "content": "Looking." },
        { "type": "function_call", "call_id": "call_1", "name": "compute", "arguments": "{\"n\":1.0}" },
        { "type": "function_call_output", "call_id": "call_1", "output": "1" },
    ]);
    for (provider, model) in [("p", "gpt-6"), ("other", "gpt-5.1")] {
        let request = Request { model: model.into(), messages: messages.clone(), ..ask("") };
        said(&endpoint(provider, &server.url("/v1")), request).await;
        assert_eq!(bodies(&log).last().unwrap()["input"], plain, "{provider} {model}");
    }
    let native = messages.iter().any(|turn| matches!(turn, Turn::Assistant { native: Some(_), .. }));
    assert!(native, "there was something to show");
}

#[tokio::test]
async fn each_failure_has_its_kind_and_the_providers_words() {
    let failed = |code: &str| {
        let error = json!({ "code": code, "message": format!("words {{{KEY}}}") });
        stream(&[json!({ "type": "response.failed", "response": { "status": "failed", "error": error } })])
    };
    for (answer, kind) in [
        (refusal(401, "Incorrect API key", json!("invalid_api_key")), Kind::Auth),
        (refusal(403, "words", json!(null)), Kind::Auth),
        (refusal(404, "words", json!("model_not_found")), Kind::Invalid),
        (refusal(400, "words", json!("context_length_exceeded")), Kind::TooLong),
        (refusal(429, "words", json!("insufficient_quota")), Kind::Quota),
        (refusal(400, "words", json!("unknown_parameter")), Kind::Invalid),
        (failed("context_length_exceeded"), Kind::TooLong),
        (failed("insufficient_quota"), Kind::Quota),
        (failed("invalid_prompt"), Kind::Invalid),
        (stream(&[json!({ "type": "error", "code": "invalid_api_key", "message": "words" })]), Kind::Auth),
        ((200, "<html><title>Sign in</title></html>".into()), Kind::Invalid),
    ] {
        let (server, log) = script(vec![answer]);
        let mut all = replies(&endpoint("p", &server.url("/v1")), ask("hi")).await;
        let error = all.pop().unwrap().unwrap_err();
        assert_eq!((error.kind, all.len()), (kind, 0), "{error:?} after {all:?}");
        assert_eq!(log.lock().unwrap().len(), 1, "{kind:?} is not tried again");
        assert!(!format!("{error:?}").contains(KEY), "{error:?}");
        let words = error.details.as_deref().unwrap_or_default();
        assert!(words.contains("words") || words.contains("key") || error.message.contains("Sign in"), "{error:?}");
    }
}

#[tokio::test]
async fn what_breaks_off_is_said_again_from_the_start() {
    let broken = stream(&[delta("half an ans")]);
    let failed = stream(&[
        delta("another half"),
        json!({ "type": "response.failed", "response": { "error": { "code": "server_error", "message": "oops" } } }),
    ]);
    let busy = refusal(503, "busy", json!(null));
    let (server, log) = script(vec![broken, failed, busy, hello()]);
    let all = replies(&endpoint("p", &server.url("/v1")), ask("hi")).await;
    let retry = |reply: &Result<Reply, ModelError>| match reply {
        Ok(Reply::Retry { kind, .. }) => Some(*kind),
        _ => None,
    };
    assert_eq!(all.iter().filter_map(retry).collect::<Vec<_>>(), [Kind::Interrupted, Kind::Server, Kind::Overloaded]);
    let after = all.iter().rposition(|reply| retry(reply).is_some()).unwrap() + 1;
    assert_eq!(all[after], Ok(Reply::Text { text: "hello".into() }));
    assert_eq!(all.last(), Some(&Ok(Reply::Finish { finish: Finish::Stop })));
    let bodies = bodies(&log);
    assert!(bodies.len() == 4 && bodies.iter().all(|body| *body == bodies[0]));
}

#[tokio::test]
async fn refusals_are_learnt_from_once() {
    // The server takes less and less.
    let server = Server::start(|asked| {
        let body: Value = serde_json::from_str(&asked.body).unwrap();
        if body.get("include").is_some() {
            refusal(400, "Encrypted content is not supported with this model.", json!(null))
        } else if body["reasoning"].get("summary").is_some() {
            refusal(
                400,
                "Your organization must be verified to generate reasoning summaries.",
                json!("unsupported_value"),
            )
        } else if body["reasoning"]["effort"] == "none" {
            refusal(
                400,
                "Unsupported value: 'none' is not supported with this model. Supported values are: 'low', 'high'.",
                json!(null),
            )
        } else {
            hello()
        }
    });
    let endpoint = endpoint("p", &server.url("/v1"));
    let request = Request { effort: Some(Effort::Off), ..ask("hi") };
    for _ in 0..2 {
        assert_eq!(said(&endpoint, request.clone()).await[0], Reply::Text { text: "hello".into() });
    }
    assert_eq!(server.targets().len(), 2 + 3, "three times refused, then never again: {:?}", server.targets());
}

#[tokio::test]
async fn reasoning_that_can_not_be_read_any_more_is_left_out() {
    let server = Server::start(|asked| {
        if asked.body.contains("encrypted_content\":\"old") {
            let words = "The encrypted content old could not be verified.";
            return refusal(400, words, json!("invalid_encrypted_content"));
        }
        hello()
    });
    let endpoint = endpoint("p", &server.url("/v1"));
    let native = |content: &str| {
        Arc::new(Native {
            origin: "p/OpenaiResponses/gpt-5.1".into(),
            items: vec![
                json!({ "item": { "type": "reasoning", "summary": [], "encrypted_content": content } }),
                json!({ "item": { "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": "t" }] } }),
            ],
        })
    };
    let turn = |content: &str| Turn::Assistant {
        text: "t".into(),
        reasoning: String::new(),
        calls: vec![],
        native: Some(native(content)),
    };
    let messages = vec![Turn::user("a"), turn("old"), Turn::user("b"), turn("new"), Turn::user("c")];
    let log = || server.targets().len();
    assert_eq!(
        said(&endpoint, Request { messages: messages.clone(), ..ask("") }).await[0],
        Reply::Text { text: "hello".into() }
    );
    assert_eq!(log(), 2);
    said(&endpoint, Request { messages, ..ask("") }).await;
    assert_eq!(log(), 3, "not tried again with what was refused");
}

#[tokio::test]
async fn an_answer_that_is_no_stream_is_understood() {
    let whole = json!({
        "object": "response", "status": "completed",
        "output": [{ "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": "whole" }] }],
    });
    let (server, _) = script(vec![(200, whole.to_string())]);
    let all = said(&endpoint("p", &server.url("/v1")), ask("hi")).await;
    assert_eq!(all, [Reply::Text { text: "whole".into() }, Reply::Finish { finish: Finish::Stop }]);
}

#[tokio::test]
async fn a_tool_that_can_not_be_put_into_the_protocol_is_named() {
    let (server, log) = script(vec![hello()]);
    let mut tools = tools();
    tools.push(ToolDeclaration { name: "odd".into(), description: String::new(), schema: json!({ "type": "array" }) });
    let all = said(&endpoint("p", &server.url("/v1")), Request { tools, ..ask("hi") }).await;
    assert!(matches!(&all[0], Reply::LeftOut { tool, reason } if tool == "odd" && !reason.is_empty()), "{all:?}");
    assert_eq!(bodies(&log)[0]["tools"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn models_are_listed_page_by_page() {
    let server = Server::start(|asked| match asked.target.as_str() {
        "/v1/models" => (200, json!({ "data": [{ "id": "a" }, { "id": "b" }], "has_more": true }).to_string()),
        "/v1/models?after=b" => (200, json!({ "data": [{ "id": "c" }], "has_more": false }).to_string()),
        other => (404, format!("{{\"error\":\"{other}\"}}")),
    });
    let listed = endpoint("p", &server.url("/v1")).list_models().await.unwrap();
    assert_eq!(listed.iter().map(|model| model.model.as_str()).collect::<Vec<_>>(), ["a", "b", "c"]);
    let error = endpoint("p", &server.url("/other")).list_models().await.unwrap_err();
    assert_eq!(error.kind, Kind::Invalid);
}
