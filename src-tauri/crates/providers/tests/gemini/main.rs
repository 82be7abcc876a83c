// SPDX-License-Identifier: Apache-2.0
//! Gemini over real HTTP, against a server that answers as Google's does and keeps what it was sent.

mod server;

use axum::http::Method;
use bailey_ports::{Model, ModelError};
use bailey_protocol::model::{Finish, Native, PastCall, Reply, Request, ToolDeclaration, Turn, Usage};
use bailey_protocol::{Effort, RunErrorKind as Kind};
use bailey_providers::Endpoint;
use futures::StreamExt;
use serde_json::{Value, json};
use server::{KEY, Server, chunk};
use std::sync::Arc;
use std::time::Duration;

fn refusal(code: u16, status: &str, message: &str, details: Value) -> String {
    json!({"error": {"code": code, "message": message, "status": status, "details": details}}).to_string()
}

fn ask(model: &str) -> Request {
    Request { model: model.into(), messages: vec![Turn::user("hi")], ..Request::default() }
}

async fn replies(endpoint: &Endpoint, request: Request) -> Vec<Result<Reply, ModelError>> {
    endpoint.reply(request).collect().await
}

async fn said(endpoint: &Endpoint, request: Request) -> Vec<Reply> {
    replies(endpoint, request).await.into_iter().map(Result::unwrap).collect()
}

/// What was said, without what only tells about the attempts.
fn text(replies: &[Reply]) -> String {
    let text = replies.iter().filter_map(|reply| match reply {
        Reply::Text { text } => Some(text.as_str()),
        _ => None,
    });
    text.collect()
}

fn tool(name: &str, schema: Value) -> ToolDeclaration {
    ToolDeclaration { name: name.into(), description: "d".into(), schema }
}

fn native(replies: &[Reply]) -> Option<Arc<Native>> {
    replies.iter().find_map(|reply| match reply {
        Reply::Native { native } => Some(native.clone()),
        _ => None,
    })
}

fn calls(replies: &[Reply]) -> Vec<PastCall> {
    let calls = replies.iter().filter_map(|reply| match reply {
        Reply::Call { id, name, arguments } => {
            Some(PastCall { id: id.clone(), name: name.clone(), arguments: serde_json::from_str(arguments).unwrap() })
        }
        _ => None,
    });
    calls.collect()
}

#[tokio::test]
async fn a_request_is_what_google_takes() {
    let server = Server::start().await;
    let mut last = chunk(json!([{"text": " there"}]), "STOP");
    last["usageMetadata"] =
        json!({"promptTokenCount": 9, "candidatesTokenCount": 3, "thoughtsTokenCount": 4, "totalTokenCount": 16});
    server.stream(&[chunk(json!([{"text": "hm", "thought": true}, {"text": "Hi"}]), ""), last]);
    let request = Request {
        system: "be kind".into(),
        tools: vec![tool("files/read", json!({"type": "object", "properties": {"p": {"type": "string"}}}))],
        effort: Some(Effort::High),
        max_output: Some(60_000),
        ..ask("models/gemini-2.5-flash")
    };
    let found = said(&server.endpoint(), request).await;
    let expected = [
        Reply::Reasoning { text: "hm".into() },
        Reply::Text { text: "Hi".into() },
        Reply::Text { text: " there".into() },
        Reply::Usage { usage: Usage { input: 9, output: 7, reasoning: 4, ..Usage::default() } },
        Reply::Finish { finish: Finish::Stop },
    ];
    assert_eq!(found, expected);
    let sent = server.sent().remove(0);
    assert_eq!(
        (sent.method.as_str(), sent.uri.as_str()),
        ("POST", "/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse")
    );
    assert_eq!(sent.header("x-goog-api-key"), Some(KEY));
    assert_eq!(sent.header("content-type"), Some("application/json"));
    assert_eq!(sent.header("authorization"), None);
    assert!(!sent.uri.contains(KEY) && !sent.text.contains(KEY));
    assert_eq!(
        sent.body(),
        json!({
            "systemInstruction": {"parts": [{"text": "be kind"}]},
            "tools": [{"functionDeclarations": [{"name": "files_read", "description": "d", "parameters": {"type": "OBJECT", "properties": {"p": {"type": "STRING"}}}}]}],
            "generationConfig": {"maxOutputTokens": 60_000, "thinkingConfig": {"includeThoughts": true, "thinkingBudget": 24_576}},
            "contents": [{"role": "user", "parts": [{"text": "hi"}]}],
        })
    );
}

#[tokio::test]
async fn every_base_and_every_name_leads_to_the_model() {
    let server = Server::start().await;
    for (path, model, uri) in [
        ("", "gemini-3", "/v1beta/models/gemini-3:streamGenerateContent?alt=sse"),
        ("/v1", "gemini-3", "/v1beta/models/gemini-3:streamGenerateContent?alt=sse"),
        ("/v1beta/", "models/gemini-3", "/v1beta/models/gemini-3:streamGenerateContent?alt=sse"),
        (
            "/v1beta/models/gemini-2:generateContent?key=x",
            "gemini-3",
            "/v1beta/models/gemini-3:streamGenerateContent?alt=sse",
        ),
        ("/gateway", "tunedModels/mine", "/gateway/v1beta/tunedModels/mine:streamGenerateContent?alt=sse"),
        ("/v1beta", "../../secret?x=1#y", "/v1beta/models/..%2F..%2Fsecret%3Fx=1%23y:streamGenerateContent?alt=sse"),
    ] {
        assert_eq!(text(&said(&server.endpoint_at(path, "google"), ask(model)).await), "OK.");
        assert_eq!(server.sent().pop().unwrap().uri, uri, "{path} {model}");
    }
}

#[tokio::test]
async fn signatures_make_the_round_trip_byte_for_byte() {
    let server = Server::start().await;
    let endpoint = server.endpoint();
    let parts = [
        r#"{"text":"Let me see.","thought":true}"#,
        r#"{ "functionCall": {"name":"f","args":{"n":1.0,"e":1e5,"t":"é\u0000"}}, "thoughtSignature":"Eo0H+/=="}"#,
        r#"{"functionCall":{"name":"f","args":{},"id":"g-2"}}"#,
        r#"{"text":"","thoughtSignature":"second"}"#,
    ];
    let first = format!(r#"{{"candidates":[{{"content":{{"parts":[{}]}},"finishReason":"STOP"}}]}}"#, parts.join(","));
    server.push(200, format!("data: {first}\n\n"));
    let mut request = Request { tools: vec![tool("f", json!({}))], ..ask("gemini-3-pro-preview") };
    let mut first_parts = Vec::new();
    for round in 0..2 {
        let found = said(&endpoint, request.clone()).await;
        let made = calls(&found);
        assert_eq!(made.len(), 2, "{found:?}");
        let turn = Turn::Assistant {
            text: text(&found),
            reasoning: String::new(),
            calls: made.clone(),
            native: native(&found),
        };
        // Through the database and back.
        let turn: Turn = serde_json::from_str(&serde_json::to_string(&turn).unwrap()).unwrap();
        request.messages.push(turn);
        for call in &made {
            request.messages.push(Turn::Tool {
                id: call.id.clone(),
                name: call.name.clone(),
                text: format!("r{round}"),
            });
        }
        let again = first.replace("Eo0H+/==", "third").replace("g-2", "g-3");
        server.push(200, format!("data: {again}\n\n"));
        if round == 0 {
            first_parts = parts.iter().map(|part| (*part).to_owned()).collect();
        }
    }
    let expected_second: Vec<String> =
        first_parts.iter().map(|part| part.replace("Eo0H+/==", "third").replace("g-2", "g-3")).collect();
    said(&endpoint, request.clone()).await;
    let sent = server.sent().pop().unwrap().text;
    for parts in [&first_parts, &expected_second] {
        let content = format!(r#"{{"role":"model","parts":[{}]}}"#, parts.join(","));
        assert!(sent.contains(&content), "{content}\nin {sent}");
    }
    let answers = r#"{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"result":"r0"}}},{"functionResponse":{"id":"g-2","name":"f","response":{"result":"r0"}}}]}"#;
    assert!(sent.contains(answers), "{sent}");

    // Another model, another provider: nothing of it.
    let other = Request { model: "gemini-3-flash-preview".into(), ..request.clone() };
    said(&endpoint, other).await;
    said(&server.endpoint_at("", "elsewhere"), request).await;
    for sent in &server.sent()[3..] {
        assert!(!sent.text.contains("Eo0H") && !sent.text.contains("thought\":true"), "{}", sent.text);
        let parts = &sent.body()["contents"][1]["parts"];
        assert_eq!(parts[0]["thoughtSignature"], "skip_thought_signature_validator");
        assert_eq!(parts[1].get("thoughtSignature"), None);
    }
}

#[tokio::test]
async fn errors_have_their_kinds() {
    let server = Server::start().await;
    let quota = |id: &str| {
        json!([
            {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{"quotaMetric": "m", "quotaId": id}]},
            {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.5s"},
        ])
    };
    let reason = |reason: &str| json!([{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason, "domain": "googleapis.com"}]);
    let exceeded = "You exceeded your current quota, please check your plan and billing details.";
    for (status, body, kind, wait) in [
        (
            400,
            refusal(
                400,
                "INVALID_ARGUMENT",
                "API key not valid. Please pass a valid API key.",
                reason("API_KEY_INVALID"),
            ),
            Kind::Auth,
            None,
        ),
        (400, refusal(400, "INVALID_ARGUMENT", "Renew it.", reason("API_KEY_INVALID")), Kind::Auth, None),
        (403, refusal(403, "PERMISSION_DENIED", "Denied.", json!([])), Kind::Auth, None),
        (
            404,
            refusal(404, "NOT_FOUND", "models/x is not found for API version v1beta", json!([])),
            Kind::Invalid,
            None,
        ),
        (
            400,
            refusal(400, "INVALID_ARGUMENT", "Request contains an invalid argument.", json!([])),
            Kind::Invalid,
            None,
        ),
        (
            400,
            refusal(
                400,
                "INVALID_ARGUMENT",
                "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
                json!([]),
            ),
            Kind::TooLong,
            None,
        ),
        (
            429,
            refusal(429, "RESOURCE_EXHAUSTED", exceeded, quota("GenerateRequestsPerMinutePerProjectPerModel-FreeTier")),
            Kind::Rate,
            Some(34.5),
        ),
        (
            429,
            refusal(429, "RESOURCE_EXHAUSTED", exceeded, quota("GenerateRequestsPerDayPerProjectPerModel-FreeTier")),
            Kind::Quota,
            Some(34.5),
        ),
        (
            429,
            refusal(
                429,
                "RESOURCE_EXHAUSTED",
                &format!(
                    "{exceeded}\n* Quota exceeded for metric: free_tier_requests, limit: 0, model: gemini-3-pro\nPlease retry in 45.5s."
                ),
                json!([{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "45s"}]),
            ),
            Kind::Quota,
            Some(45.0),
        ),
        (
            429,
            refusal(
                429,
                "RESOURCE_EXHAUSTED",
                exceeded,
                json!([{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "40s"}]),
            ),
            Kind::Rate,
            Some(40.0),
        ),
        (429, refusal(429, "RESOURCE_EXHAUSTED", exceeded, json!([])), Kind::Quota, None),
        (
            503,
            format!("[{}]", refusal(503, "UNAVAILABLE", "The model is overloaded.", json!([]))),
            Kind::Overloaded,
            None,
        ),
        (500, refusal(500, "INTERNAL", "An internal error has occurred.", json!([])), Kind::Server, None),
    ] {
        server.rule({
            let body = body.clone();
            move |_| Some((status, body.clone()))
        });
        let error = replies(&server.endpoint(), ask("gemini-2.0-flash")).await.pop().unwrap().unwrap_err();
        assert_eq!(error.kind, kind, "{body}");
        assert_eq!(error.retry_after, wait.map(Duration::from_secs_f64), "{body}");
        let words: Value = serde_json::from_str(body.trim_matches(['[', ']'])).unwrap();
        let words = words["error"]["message"].as_str().unwrap();
        assert!(error.details.as_deref().is_some_and(|details| details.contains(words)), "{error:?}");
        assert!(!format!("{error:?}").contains(KEY), "{error:?}");
    }
}

#[tokio::test]
async fn what_may_pass_is_tried_again_and_what_was_said_is_taken_back() {
    let server = Server::start().await;
    let wait = json!([{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "0.002s"}]);
    server.push(429, refusal(429, "RESOURCE_EXHAUSTED", "Slow down.", wait));
    // Broken off; an error in the middle; a call that the model could not write.
    server.stream(&[chunk(json!([{"text": "half"}]), "")]);
    server.stream(&[chunk(json!([{"functionCall": {"name": "f"}}]), "MALFORMED_FUNCTION_CALL")]);
    let found = said(&server.endpoint(), ask("gemini-2.0-flash")).await;
    let retries: Vec<Kind> = found
        .iter()
        .filter_map(|reply| match reply {
            Reply::Retry { kind, .. } => Some(*kind),
            _ => None,
        })
        .collect();
    assert_eq!(retries, [Kind::Rate, Kind::Interrupted, Kind::Server]);
    let last = found.iter().rposition(|reply| matches!(reply, Reply::Retry { .. })).unwrap();
    assert_eq!(found[last + 1..], [Reply::Text { text: "OK.".into() }, Reply::Finish { finish: Finish::Stop }]);
    assert!(found[..last].contains(&Reply::Text { text: "half".into() }), "it was shown before it was taken back");
    assert_eq!(server.sent().len(), 4);
}

#[tokio::test]
async fn a_refused_field_is_left_out_from_then_on() {
    let server = Server::start().await;
    server.rule(|body| {
        let refuse = |message: &str| Some((400, refusal(400, "INVALID_ARGUMENT", message, json!([]))));
        let thinking = &body["generationConfig"]["thinkingConfig"];
        if thinking["thinkingLevel"] == "minimal" {
            return refuse("Thinking level MINIMAL is not supported for this model. Please retry with other thinking level.");
        }
        let declared = body["tools"][0]["functionDeclarations"].as_array().cloned().unwrap_or_default();
        if let Some(at) = declared.iter().position(|tool| tool["name"] == "odd") {
            return refuse(&format!("* GenerateContentRequest.tools[0].function_declarations[{at}].parameters.properties[a].items: missing field.\n"));
        }
        let id = body["contents"].as_array().unwrap().iter().any(|content| content["parts"][0]["functionCall"].get("id").is_some());
        if id {
            return refuse("Invalid JSON payload received. Unknown name \"id\" at 'contents[1].parts[0].function_call': Cannot find field.");
        }
        None
    });
    let endpoint = server.endpoint();
    let schema = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    let request = Request {
        messages: vec![
            Turn::user("hi"),
            Turn::Assistant {
                text: String::new(),
                reasoning: String::new(),
                calls: vec![PastCall { id: "c".into(), name: "good".into(), arguments: json!({}) }],
                native: None,
            },
            Turn::Tool { id: "c".into(), name: "good".into(), text: "r".into() },
        ],
        tools: vec![tool("good", schema.clone()), tool("odd", schema), tool("broken", json!({"type": "array"}))],
        effort: Some(Effort::Off),
        ..ask("gemini-3-flash-preview")
    };
    let found = said(&endpoint, request.clone()).await;
    let left_out: Vec<&str> = found
        .iter()
        .filter_map(|reply| match reply {
            Reply::LeftOut { tool, .. } => Some(tool.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(left_out, ["broken", "odd"]);
    assert_eq!(text(&found), "OK.");
    assert_eq!(server.sent().len(), 4);
    let body = server.sent().pop().unwrap().body();
    assert_eq!(body["generationConfig"], json!({"thinkingConfig": {"thinkingLevel": "low"}}));
    assert_eq!(body["tools"][0]["functionDeclarations"].as_array().unwrap().len(), 1);
    assert_eq!(
        body["contents"][2]["parts"],
        json!([{"functionResponse": {"name": "good", "response": {"result": "r"}}}])
    );

    said(&endpoint, request.clone()).await;
    assert_eq!(server.sent().len(), 5, "learnt once");
    // A model without system instructions, tools or calls.
    server.rule(|body| {
        let refuse = |message: &str| Some((400, refusal(400, "INVALID_ARGUMENT", message, json!([]))));
        match () {
            () if body.get("systemInstruction").is_some() => {
                refuse("Developer instruction is not enabled for models/gemma-3-27b-it")
            }
            () if body.get("tools").is_some() => refuse("Function calling is not enabled for models/gemma-3-27b-it"),
            () => None,
        }
    });
    let found = said(&endpoint, Request { model: "gemma-3-27b-it".into(), system: "be kind".into(), ..request }).await;
    assert_eq!(text(&found), "OK.");
    let sent = server.sent().pop().unwrap();
    assert!(!sent.text.contains("functionCall") && !sent.text.contains("functionResponse"), "{}", sent.text);
    assert_eq!(sent.body()["contents"][0]["parts"], json!([{"text": "be kind"}, {"text": "hi"}]));
}

#[tokio::test]
async fn a_refused_signature_is_not_sent_again() {
    let server = Server::start().await;
    let endpoint = server.endpoint();
    let first = json!([{"functionCall": {"name": "f", "args": {}, "id": "1"}, "thoughtSignature": "stale"}]);
    server.stream(&[chunk(first, "STOP")]);
    let mut request = ask("gemini-3-pro-preview");
    let found = said(&endpoint, request.clone()).await;
    request.messages.push(Turn::Assistant {
        text: String::new(),
        reasoning: String::new(),
        calls: calls(&found),
        native: native(&found),
    });
    request.messages.push(Turn::Tool { id: "1".into(), name: "f".into(), text: "r".into() });
    server.push(400, refusal(400, "INVALID_ARGUMENT", "Corrupted thought signature.", json!([])));
    assert_eq!(text(&said(&endpoint, request.clone()).await), "OK.");
    let sent = server.sent();
    assert!(sent[1].text.contains("stale") && !sent[2].text.contains("stale"));
    assert_eq!(sent[2].body()["contents"][1]["parts"][0]["thoughtSignature"], "skip_thought_signature_validator");
    assert_eq!(text(&said(&endpoint, request).await), "OK.");
    assert_eq!(server.sent().len(), 4);
}

#[tokio::test]
async fn models_are_listed_page_by_page() {
    let server = Server::start().await;
    let model = |name: &str| json!({"name": name, "displayName": "T", "inputTokenLimit": 1000, "outputTokenLimit": 100, "thinking": true, "supportedGenerationMethods": ["generateContent"]});
    server.push(200, json!({"models": [model("models/b"), {"name": "models/e", "supportedGenerationMethods": ["embedContent"]}], "nextPageToken": "p/2"}));
    server.push(200, json!({"models": [model("models/a"), model("tunedModels/t")]}));
    let listed = server.endpoint_at("/v1", "google").list_models().await.unwrap();
    let names: Vec<&str> = listed.iter().map(|listed| listed.model.as_str()).collect();
    assert_eq!(names, ["b", "a", "tunedModels/t"]);
    assert_eq!(
        (listed[0].title.as_deref(), listed[0].facts.window, listed[0].facts.max_output, listed[0].facts.thinks),
        (Some("T"), Some(1000), Some(100), Some(true))
    );
    let sent = server.sent();
    let uris: Vec<&str> = sent.iter().map(|sent| sent.uri.as_str()).collect();
    assert_eq!(uris, ["/v1beta/models?pageSize=1000", "/v1beta/models?pageSize=1000&pageToken=p%2F2"]);
    assert!(sent.iter().all(|sent| sent.method == Method::GET && sent.header("x-goog-api-key") == Some(KEY)));

    server.push(400, refusal(400, "INVALID_ARGUMENT", "API key not valid.", json!([{"reason": "API_KEY_INVALID"}])));
    assert_eq!(server.endpoint().list_models().await.unwrap_err().kind, Kind::Auth);
}

#[tokio::test]
async fn an_answer_that_is_no_stream_is_understood() {
    let server = Server::start().await;
    server.push(200, json!([chunk(json!([{"text": "in "}]), ""), chunk(json!([{"text": "pieces"}]), "STOP")]));
    assert_eq!(text(&said(&server.endpoint(), ask("gemini-2.0-flash")).await), "in pieces");
    server.push(200, chunk(json!([{"text": "whole"}]), "STOP"));
    assert_eq!(text(&said(&server.endpoint(), ask("gemini-2.0-flash")).await), "whole");
}
