// SPDX-License-Identifier: Apache-2.0
//! OpenAI-compatible chat over real HTTP: what is sent, what is learnt, what is listed.

mod common;

use bailey_ports::Redactor;
use bailey_protocol::RunErrorKind as Kind;
use bailey_protocol::model::{Finish, Native, PastCall, Reply, Request, ToolDeclaration, Turn, Usage};
use bailey_protocol::{Effort, ModelFacts, Price};
use bailey_providers::Patience;
use bailey_testkit::server::{Answer, Call, ScriptedServer};
use common::Server;
use common::chat::{KEY, ask, chat_at, chat_of, failure, patience, replies, retries, text};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

#[tokio::test]
async fn an_answer_streams_and_the_request_is_what_servers_take() {
    let server = ScriptedServer::start().await;
    server.push(
        Answer::calls([
            Call::new("compute", json!({ "expression": "1+1" })).id("c2"),
            Call::new("get_time", Value::Null),
        ])
        .reasoning("let me see")
        .saying(["Wait", "."]),
    );
    let request = Request {
        model: "m".into(),
        system: "be kind".into(),
        messages: vec![
            Turn::user("hi"),
            Turn::Assistant {
                text: String::new(),
                reasoning: "r".into(),
                calls: vec![PastCall { id: "c1".into(), name: "compute".into(), arguments: json!({}) }],
                native: None,
            },
            Turn::Tool { id: "c1".into(), name: "compute".into(), text: "2".into() },
        ],
        tools: vec![ToolDeclaration {
            name: "compute".into(),
            description: "sums".into(),
            schema: json!({ "type": "object" }),
        }],
        ..Request::default()
    };
    let replies: Vec<Reply> =
        replies(&chat_at(&server.base_url()), request).await.into_iter().map(Result::unwrap).collect();
    let words = |words: &str| Reply::Text { text: words.into() };
    let thought = |words: &str| Reply::Reasoning { text: words.into() };
    let expected = [
        thought("let "),
        thought("me "),
        thought("see"),
        words("Wait"),
        words("."),
        Reply::CallBegan { name: "compute".into() },
        Reply::CallBegan { name: "get_time".into() },
        Reply::Call { id: "c2".into(), name: "compute".into(), arguments: r#"{"expression":"1+1"}"#.into() },
        Reply::Call { id: "call_1_1".into(), name: "get_time".into(), arguments: "{}".into() },
        Reply::Usage { usage: Usage { input: 10, output: 5, ..Usage::default() } },
        Reply::Native {
            native: Arc::new(Native {
                origin: "p/OpenaiChat/m".into(),
                items: vec![json!({
                    "reasoning": "reasoning_content",
                    "calls": [{ "id": "c2", "name": "compute" }, { "id": "call_1_1", "name": "get_time" }],
                })],
            }),
        },
        Reply::Finish { finish: Finish::Calls },
    ];
    assert_eq!(replies, expected);

    let sent = &server.requests()[0];
    assert_eq!(sent.header("authorization"), Some(format!("Bearer {KEY}").as_str()));
    assert_eq!(sent.header("content-type"), Some("application/json"));
    assert_eq!(sent.body["stream_options"], json!({ "include_usage": true }));
    assert_eq!(sent.body["messages"][2]["content"], Value::Null);
    assert_eq!(sent.body["messages"][2].get("reasoning_content"), None);
}

#[tokio::test]
async fn a_server_that_refuses_a_field_is_asked_without_it() {
    let server = ScriptedServer::start().await;
    server.respond(|request| {
        let refused = request.get("stream_options").is_some();
        refused.then(|| {
            Answer::status(
                400,
                json!({ "error": { "message": "Unrecognized request argument supplied: stream_options" } }),
            )
        })
    });
    let chat = chat_at(&server.base_url());
    assert_eq!(text(&replies(&chat, ask("hi")).await), "OK.");
    assert_eq!(text(&replies(&chat, ask("hi")).await), "OK.");
    assert_eq!(server.requests().len(), 3, "learnt once");

    let server = ScriptedServer::start().await;
    server.respond(|request| {
        let missing = request["messages"].as_array().unwrap().iter().any(|m| m["role"] == "assistant" && m.get("reasoning_content").is_none());
        missing.then(|| Answer::status(400, json!({ "error": { "message": "The reasoning_content in the thinking mode must be passed back to the API." } })))
    });
    let chat = chat_at(&server.base_url());
    let own =
        Native { origin: "p/OpenaiChat/scripted".into(), items: vec![json!({ "reasoning": "reasoning_content" })] };
    let turn = |native| Turn::Assistant { text: "hello".into(), reasoning: "hm".into(), calls: vec![], native };
    let mut request = ask("hi");
    request.messages.extend([turn(Some(Arc::new(own))), Turn::user("and?"), turn(None), Turn::user("so?")]);
    assert_eq!(text(&replies(&chat, request).await), "OK.");
    assert_eq!(server.requests().len(), 2);
    assert_eq!(server.requests()[1].body["messages"][1]["reasoning_content"], "hm");
    assert_eq!(server.requests()[1].body["messages"][3]["reasoning_content"], "");
}

#[tokio::test]
async fn what_a_parallel_request_learnt_serves_both() {
    let server = ScriptedServer::start().await;
    server.respond(|request| {
        let refused = request.get("stream_options").is_some();
        let message = json!({ "error": { "message": "Unrecognized request argument supplied: stream_options" } });
        // Both are sent before either is refused.
        refused.then(|| Answer::status(400, message).wait(Duration::from_millis(100)))
    });
    let chat = chat_at(&server.base_url());
    let (one, other) = tokio::join!(replies(&chat, ask("one")), replies(&chat, ask("other")));
    assert_eq!((text(&one).as_str(), text(&other).as_str()), ("OK.", "OK."), "{one:?} {other:?}");
}

#[tokio::test]
async fn words_that_a_refusal_repeats_and_other_failures_teach_nothing() {
    let server = ScriptedServer::start().await;
    for (status, body) in [
        (422, json!({ "detail": [{ "msg": "field required", "input": { "stream_options": 1 } }] })),
        (400, json!({ "error": { "message": "insufficient_quota: stream_options" } })),
        (500, json!({ "error": { "message": "The server had an error" } })),
    ] {
        server.set_default(Answer::status(status, body));
        let before = server.requests().len();
        let chat = chat_at(&server.base_url()).with_patience(Patience { more_tries: 0, ..patience() });
        failure(&chat).await;
        assert_eq!(server.requests().len() - before, 1, "{status}");
    }
    server.respond(|request| {
        let refused = request.get("stream_options").is_some();
        refused.then(|| Answer::status(500, json!({ "error": { "message": "unknown field stream_options" } })))
    });
    server.set_default(Answer::text("OK."));
    let all = replies(&chat_at(&server.base_url()), ask("hi")).await;
    assert_eq!((text(&all).as_str(), retries(&all).len()), ("OK.", 0), "a fault that names the field teaches: {all:?}");
}

#[tokio::test]
async fn a_refusal_in_a_stream_teaches_as_well() {
    let server = ScriptedServer::start().await;
    server.respond(|request| {
        let refused = request.get("stream_options").is_some();
        refused.then(|| {
            Answer::raw("data: {\"error\":{\"message\":\"unknown argument stream_options\",\"code\":400}}\n\n")
        })
    });
    let all = replies(&chat_at(&server.base_url()), ask("hi")).await;
    assert_eq!((text(&all).as_str(), retries(&all).len()), ("OK.", 0), "{all:?}");
    assert_eq!(server.requests().len(), 2);

    // A server that refuses whatever is changed is not asked for ever.
    server.respond(|_| Some(Answer::status(400, "stream_options, max_tokens and reasoning_content are unsupported")));
    let before = server.requests().len();
    let mut request = Request { max_output: Some(100), ..ask("hi") };
    request.effort = Some(Effort::High);
    let all = replies(&chat_at(&server.base_url()), request).await;
    assert_eq!(all.last().unwrap().as_ref().unwrap_err().kind, Kind::Invalid);
    assert!(server.requests().len() - before <= 5);
}

#[tokio::test]
async fn a_tool_that_is_refused_is_left_out_and_said_so_once() {
    let server = ScriptedServer::start().await;
    server.respond(|request| {
        let names: Vec<&str> =
            request["tools"].as_array()?.iter().map(|tool| tool["function"]["name"].as_str().unwrap()).collect();
        let message = "Invalid schema for function 'odd': 'x' is not valid under any of the given schemas ({{key}})";
        names.contains(&"odd").then(|| Answer::status(400, json!({ "error": { "message": message } })))
    });
    let tool = |name: &str, schema: Value| ToolDeclaration { name: name.into(), description: "d".into(), schema };
    let request = || Request {
        tools: vec![
            tool("good", json!({ "type": "object" })),
            tool("odd", json!({ "type": "object" })),
            tool("malformed", json!({ "type": "object", "properties": 7 })),
        ],
        ..ask("hi")
    };
    let chat = chat_at(&server.base_url());
    for requests in [2, 3] {
        let all = replies(&chat, request()).await;
        let mut left_out: Vec<(&str, &str)> = Vec::new();
        for reply in &all {
            if let Ok(Reply::LeftOut { tool, reason }) = reply {
                left_out.push((tool, reason));
            }
        }
        left_out.sort_unstable();
        assert_eq!(left_out.len(), 2, "{all:?}");
        assert!(left_out[0].0 == "malformed" && left_out[0].1.contains("/properties"), "{left_out:?}");
        assert!(left_out[1].0 == "odd" && left_out[1].1.contains("not valid under any"), "{left_out:?}");
        assert!(left_out[1].1.contains(Redactor::MARK) && !left_out[1].1.contains(KEY), "{left_out:?}");
        assert_eq!(text(&all), "OK.");
        assert_eq!(server.requests().len(), requests);
    }
    assert_eq!(server.requests()[2].body["tools"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_native_message_goes_back_to_the_model_that_wrote_it_only() {
    let server = ScriptedServer::start().await;
    let delta = r#"{"reasoning":"Let me.","reasoning_details":[{"type":"reasoning.text","text":"Let me.","signature":"c2ln+/=","index":0}],"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"compute","arguments":"{ \"n\": 1.0 }"},"extra_content":{"google":{"thought_signature":"dGhv"}}}]}"#;
    server.push(Answer::raw(&format!(
        "data: {{\"choices\":[{{\"delta\":{delta},\"finish_reason\":\"tool_calls\"}}]}}\n\n"
    )));
    let chat = chat_at(&server.base_url());
    let first = replies(&chat, ask("hi")).await;
    let Some(Ok(Reply::Native { native })) = first.iter().rev().nth(1) else { panic!("{first:?}") };
    let mut request = ask("hi");
    request.messages.push(Turn::Assistant {
        text: String::new(),
        reasoning: "Let me.".into(),
        calls: vec![PastCall { id: "a".into(), name: "compute".into(), arguments: json!({ "n": 1.0 }) }],
        native: Some(native.clone()),
    });
    request.messages.push(Turn::Tool { id: "a".into(), name: "compute".into(), text: "1".into() });

    replies(&chat, request.clone()).await;
    let sent = server.requests()[1].body["messages"][1].to_string();
    for part in [
        r#""reasoning_details":[{"type":"reasoning.text","text":"Let me.","signature":"c2ln+/=","index":0}]"#,
        r#""arguments":"{ \"n\": 1.0 }""#,
        r#""extra_content":{"google":{"thought_signature":"dGhv"}}"#,
    ] {
        assert!(sent.contains(part), "{part} in {sent}");
    }
    replies(&chat, Request { model: "another".into(), ..request.clone() }).await;
    replies(&chat_of("q", &server.base_url(), KEY), request).await;
    for request in &server.requests()[2..] {
        let sent = request.body["messages"][1].to_string();
        assert!(["reasoning", "c2ln", "dGhv"].iter().all(|word| !sent.contains(word)), "{sent}");
        assert_eq!(request.body["messages"][1]["tool_calls"][0]["function"]["arguments"], "{\"n\":1.0}");
    }
    assert_eq!(server.requests().len(), 4);
}

#[tokio::test]
async fn an_answer_that_is_no_stream_is_understood() {
    let server = ScriptedServer::start().await;
    server.push(Answer::raw(r#"{"choices":[{"message":{"content":"whole"},"finish_reason":"stop"}]}"#));
    let all = replies(&chat_at(&server.base_url()), ask("hi")).await;
    assert_eq!(text(&all), "whole");
    assert_eq!(all.last(), Some(&Ok(Reply::Finish { finish: Finish::Stop })));
}

#[tokio::test]
async fn models_are_listed() {
    let server = ScriptedServer::start().await;
    server.set_models(&["b", &format!("a-{KEY}"), "b"]);
    let listed = chat_at(&server.base_url()).list_models().await.unwrap();
    let names: Vec<&str> = listed.iter().map(|listed| listed.model.as_str()).collect();
    assert_eq!(names, ["b", &format!("a-{}", Redactor::MARK)]);
    assert!(listed.iter().all(|listed| listed.title.is_none() && listed.facts == ModelFacts::default()));
    let error = chat_at(&format!("{}/wrong", server.base_url())).list_models().await.unwrap_err();
    assert_eq!(error.kind, Kind::Invalid);
    assert!(error.message.contains("/v1/wrong"), "{error}");
}

#[tokio::test]
async fn a_list_comes_in_pages_with_what_it_says_of_its_models() {
    let server = Server::start(|asked| {
        let body = match asked.target.as_str() {
            "/v1/models" => {
                r#"{"data":[{"id":"a/one","name":"A: One","context_length":200000,"architecture":{"input_modalities":["text","image"]},"pricing":{"prompt":"0.000003","completion":"0.000015"},"top_provider":{"max_completion_tokens":64000},"supported_parameters":["tools","reasoning"]}],"has_more":true,"last_id":"a/one"}"#
            }
            "/v1/models?after=a%2Fone&after_id=a%2Fone" => {
                r#"{"data":[{"id":"a/one"},{"id":"two","max_model_len":8192}],"has_more":true}"#
            }
            // This one would go on for ever.
            "/v1/models?after=two&after_id=two" => r#"{"data":[{"id":"two"}],"has_more":true}"#,
            _ => return (404, String::new()),
        };
        (200, body.to_owned())
    });
    let listed = chat_at(&server.url("/v1")).list_models().await.unwrap();
    assert_eq!(listed.len(), 2, "{listed:?}");
    assert_eq!((listed[0].model.as_str(), listed[0].title.as_deref()), ("a/one", Some("A: One")));
    let price = Some(Price { input: 3_000_000, output: 15_000_000, ..Price::default() });
    let expected = ModelFacts {
        window: Some(200_000),
        max_output: Some(64_000),
        pictures: Some(true),
        tools: Some(true),
        thinks: Some(true),
        price,
    };
    assert_eq!(listed[0].facts, expected);
    assert_eq!((listed[1].model.as_str(), listed[1].facts.window), ("two", Some(8192)));
    assert_eq!(server.targets().len(), 3);
}

#[tokio::test]
async fn effort_and_limits_go_out_as_the_endpoint_learns_to_take_them() {
    let server = ScriptedServer::start().await;
    server.respond(|request| {
        let refusal = |message: &str| Some(Answer::status(400, json!({ "error": { "message": message } })));
        if request.get("max_completion_tokens").is_some() {
            return refusal("Unrecognized request argument supplied: max_completion_tokens");
        }
        if request.get("max_tokens").and_then(Value::as_u64).is_some_and(|limit| limit > 4096) {
            return refusal("max_tokens is too large: 9000. This model supports at most 4096 completion tokens");
        }
        None
    });
    let chat = chat_at(&server.base_url());
    let request = Request { model: "gpt-5".into(), max_output: Some(9000), effort: Some(Effort::High), ..ask("hi") };
    for requests in [3, 4] {
        assert_eq!(text(&replies(&chat, request.clone()).await), "OK.");
        assert_eq!(server.requests().len(), requests);
    }
    let sent = &server.requests()[3].body;
    assert_eq!((sent["max_tokens"].as_u64(), sent.get("max_completion_tokens")), (Some(4096), None));
    assert_eq!(sent.get("reasoning_effort"), None, "nobody knows this host");
}
