// SPDX-License-Identifier: Apache-2.0
//! The provider over real HTTP, against the scripted server.

use bailey_net::{Clients, normalize_base_url};
use bailey_ports::{Model, ModelError, Redactor, Secret};
use bailey_protocol::RunErrorKind as Kind;
use bailey_protocol::model::{Finish, PastCall, Reply, Request, ToolDeclaration, Turn, Usage};
use bailey_providers::openai_chat::Patience;
use bailey_providers::{OpenAiChat, probe};
use bailey_testkit::server::{Answer, Call, ScriptedServer};
use futures::StreamExt;
use serde_json::{Value, json};
use std::time::Duration;

const KEY: &str = "sk-canary-8c1f";

fn patience() -> Patience {
    Patience { backoff: Duration::from_millis(2), grace: Duration::from_millis(30), ..Patience::default() }
}

fn chat_at(base: &str) -> OpenAiChat {
    let base = normalize_base_url(base).unwrap();
    let client = Clients::new().endpoint(&base).unwrap();
    OpenAiChat::new(client, base, Some(Secret::new(KEY)), Redactor::new()).with_patience(patience())
}

fn ask(text: &str) -> Request {
    Request { model: "scripted".into(), messages: vec![Turn::User { text: text.into() }], ..Request::default() }
}

async fn replies(chat: &OpenAiChat, request: Request) -> Vec<Result<Reply, ModelError>> {
    chat.reply(request).collect().await
}

async fn failure(chat: &OpenAiChat) -> ModelError {
    let mut all = replies(chat, ask("hi")).await;
    assert_eq!(all.len(), 1, "{all:?}");
    all.remove(0).unwrap_err()
}

fn text(replies: &[Result<Reply, ModelError>]) -> String {
    let texts = replies.iter().filter_map(|reply| match reply {
        Ok(Reply::Text { text }) => Some(text.as_str()),
        _ => None,
    });
    texts.collect()
}

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
            Turn::User { text: "hi".into() },
            Turn::Assistant {
                text: String::new(),
                reasoning: "r".into(),
                calls: vec![PastCall { id: "c1".into(), name: "compute".into(), arguments: json!({}) }],
            },
            Turn::Tool { id: "c1".into(), name: "compute".into(), text: "2".into() },
        ],
        tools: vec![ToolDeclaration {
            name: "compute".into(),
            description: "sums".into(),
            schema: json!({ "type": "object" }),
        }],
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
        Reply::Usage { usage: Usage { input: 10, cached: 0, output: 5, reasoning: 0 } },
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
async fn text_comes_while_the_answer_is_being_written() {
    let server = ScriptedServer::start().await;
    server.push(Answer::text(["first"]).finish(None).disconnect_after(100_000).hang());
    let mut stream = chat_at(&server.base_url()).reply(ask("hi"));
    assert_eq!(stream.next().await, Some(Ok(Reply::Text { text: "first".into() })), "before the response ends");
}

#[tokio::test]
async fn each_status_has_its_kind_and_the_key_gets_out_nowhere() {
    let server = ScriptedServer::start().await;
    let body = |message: &str| json!({ "error": { "message": format!("{message} (key {{{{key}}}})") } });
    let table = [
        (401, body("Incorrect API key"), Kind::Auth),
        (403, body("Not allowed"), Kind::Auth),
        (402, body("Insufficient balance"), Kind::Quota),
        (404, body("No such model"), Kind::Invalid),
        (408, body("Too slow"), Kind::Timeout),
        (413, body("Too large"), Kind::TooLong),
        (400, body("maximum context length is 10"), Kind::TooLong),
        (400, body("max_tokens is over the cap"), Kind::Invalid),
        (400, body("Bad field"), Kind::Invalid),
        (429, body("insufficient_quota"), Kind::Quota),
        (429, body("Slow down"), Kind::Rate),
        (500, body("Oops"), Kind::Server),
        (503, "plain text with {{key}}".into(), Kind::Server),
        (529, body("Overloaded"), Kind::Server),
    ];
    for (status, body, kind) in table {
        server.set_default(Answer::status(status, body));
        let error = failure(&chat_at(&server.base_url())).await;
        assert_eq!(error.kind, kind, "{status}: {error}");
        assert!(error.message.contains(Redactor::MARK), "its words are kept: {error}");
        assert!(!format!("{error:?}").contains(KEY), "{error:?}");
    }
    for raw in [
        "data: {\"error\":{\"message\":\"Overloaded {{key}}\",\"code\":529}}\n\n",
        "data: garbled {{key}}\n\n",
        "{\"detail\":\"{{key}}\"}",
    ] {
        server.set_default(Answer::raw(raw));
        let error = failure(&chat_at(&server.base_url())).await;
        assert!(error.message.contains(Redactor::MARK) && !format!("{error:?}").contains(KEY), "{error:?}");
    }
}

#[tokio::test]
async fn before_anything_came_it_tries_again() {
    let server = ScriptedServer::start().await;
    let busy = |status| Answer::status(status, json!({ "error": { "message": "busy" } }));
    for (answers, requests) in [
        (vec![busy(429).header("retry-after", "0")], 2),
        (vec![busy(503), busy(500)], 3),
        (vec![busy(408), busy(529)], 3),
        (vec![Answer::text("lost").disconnect_after(0)], 2),
    ] {
        let before = server.requests().len();
        for answer in answers {
            server.push(answer);
        }
        let all = replies(&chat_at(&server.base_url()), ask("hi")).await;
        assert_eq!(text(&all), "OK.", "{all:?}");
        assert_eq!(server.requests().len() - before, requests);
    }
    // Twice, not more.
    let before = server.requests().len();
    for _ in 0..3 {
        server.push(busy(503));
    }
    assert_eq!(failure(&chat_at(&server.base_url())).await.kind, Kind::Server);
    assert_eq!(server.requests().len() - before, 3);

    for (answer, kind) in [
        (busy(400), Kind::Invalid),
        (busy(401), Kind::Auth),
        (Answer::status(429, "insufficient_quota"), Kind::Quota),
        // A wait too long to sit through is the person's to decide on.
        (busy(429).header("retry-after", "60"), Kind::Rate),
    ] {
        let before = server.requests().len();
        server.push(answer);
        let error = failure(&chat_at(&server.base_url())).await;
        assert_eq!(error.kind, kind);
        assert_eq!(error.retry_after, (kind == Kind::Rate).then_some(Duration::from_secs(60)));
        assert_eq!(server.requests().len() - before, 1, "{kind:?}");
    }
}

#[tokio::test]
async fn a_break_in_the_middle_is_an_interruption_and_not_tried_again() {
    let server = ScriptedServer::start().await;
    server.push(Answer::text(["some", " text"]).disconnect_after(420));
    let all = replies(&chat_at(&server.base_url()), ask("hi")).await;
    assert_eq!(text(&all), "some");
    assert_eq!(all.last().unwrap().as_ref().unwrap_err().kind, Kind::Interrupted);
    assert_eq!(server.requests().len(), 1);

    // In the middle of a call: it never comes out.
    server.push(Answer::call("compute", json!({ "expression": "1+1" })).finish(None));
    let all = replies(&chat_at(&server.base_url()), ask("hi")).await;
    assert!(!all.iter().any(|reply| matches!(reply, Ok(Reply::Call { .. }))), "{all:?}");
    assert_eq!(all.last().unwrap().as_ref().unwrap_err().kind, Kind::Interrupted);

    // After the reason to stop the answer is whole.
    let stop = r#"data: {"choices":[{"delta":{"content":"all"},"finish_reason":"stop"}]}"#;
    let raw = format!("{stop}\n\n");
    for answer in [Answer::raw(&raw).disconnect_after(raw.len()), Answer::raw(&raw).hang()] {
        server.push(answer);
        let all = replies(&chat_at(&server.base_url()), ask("hi")).await;
        assert_eq!(all, [Ok(Reply::Text { text: "all".into() }), Ok(Reply::Finish { finish: Finish::Stop })]);
    }
}

#[tokio::test]
async fn dropping_the_stream_ends_the_request() {
    let server = ScriptedServer::start().await;
    server.push(Answer::text("never ending").finish(None).hang());
    let mut stream = chat_at(&server.base_url()).reply(ask("hi"));
    assert!(matches!(stream.next().await, Some(Ok(Reply::Text { .. }))));
    assert_eq!(server.cancelled(), 0);
    drop(stream);
    server.until_cancelled(1).await;

    // Before an answer began.
    server.push(Answer::text("late").wait(Duration::from_secs(3600)));
    let mut stream = chat_at(&server.base_url()).reply(ask("hi"));
    assert!(tokio::select! {
        reply = stream.next() => panic!("{reply:?}"),
        () = server.until_requests(2) => true,
    });
    drop(stream);
    server.until_cancelled(2).await;
}

#[tokio::test]
async fn silence_is_a_timeout() {
    let server = ScriptedServer::start().await;
    server
        .push(Answer::text("x").wait(Duration::from_secs(3600)))
        .push(Answer::text(["x"]).finish(None).disconnect_after(300).hang());
    let chat =
        chat_at(&server.base_url()).with_patience(Patience { silence: Duration::from_millis(150), ..patience() });
    assert_eq!(failure(&chat).await.kind, Kind::Timeout);
    let all = replies(&chat, ask("hi")).await;
    assert_eq!(all.last().unwrap().as_ref().unwrap_err().kind, Kind::Timeout);
    assert_eq!(server.requests().len(), 2, "a timeout is not tried again");
}

#[tokio::test]
async fn a_place_that_can_not_be_reached_is_named() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let error = failure(&chat_at(&format!("http://127.0.0.1:{port}"))).await;
    assert_eq!(error.kind, Kind::Network);
    assert!(
        error.message.contains(&format!("http://127.0.0.1:{port}/v1"))
            && error.message.contains("Start the model server"),
        "{error}"
    );

    let server = ScriptedServer::start().await;
    server.push(Answer::status(307, "").header("location", "https://elsewhere.example/v1?k=1"));
    let error = failure(&chat_at(&server.base_url())).await;
    assert_eq!(error.kind, Kind::Invalid);
    assert!(error.message.contains("https://elsewhere.example/v1,") && error.message.contains("base URL"), "{error}");
    assert_eq!(server.requests().len(), 1);
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
    let mut request = ask("hi");
    request.messages.push(Turn::Assistant { text: "hello".into(), reasoning: "hm".into(), calls: vec![] });
    request.messages.push(Turn::User { text: "and?".into() });
    assert_eq!(text(&replies(&chat, request).await), "OK.");
    assert_eq!(server.requests()[1].body["messages"][1]["reasoning_content"], "hm");
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
async fn a_connection_is_used_again() {
    let server = ScriptedServer::start().await;
    let chat = chat_at(&server.base_url());
    for _ in 0..8 {
        replies(&chat, ask("hi")).await;
    }
    let mut ports: Vec<u16> = server.requests().iter().map(|request| request.peer_port).collect();
    ports.sort_unstable();
    ports.dedup();
    // A second one may be opened while the first is still ending its response.
    assert!(ports.len() <= 2, "{ports:?}");
}

#[tokio::test]
async fn a_key_that_can_not_be_sent_is_said_to_be_one() {
    let base = normalize_base_url("http://127.0.0.1:9").unwrap();
    let client = Clients::new().endpoint(&base).unwrap();
    let chat = OpenAiChat::new(client, base, Some(Secret::new("sk-two\nlines")), Redactor::new());
    let error = failure(&chat).await;
    assert_eq!(error.kind, Kind::Auth);
    assert!(!error.message.contains("two") && error.message.contains("Copy it again"), "{error}");
}

#[tokio::test]
async fn models_are_listed() {
    let server = ScriptedServer::start().await;
    server.set_models(&["b", "a"]);
    assert_eq!(chat_at(&server.base_url()).list_models().await.unwrap(), ["b", "a"]);
    let error = chat_at(&format!("{}/wrong", server.base_url())).list_models().await.unwrap_err();
    assert_eq!(error.kind, Kind::Invalid);
    assert!(error.message.contains("/v1/wrong"), "{error}");
}

#[tokio::test]
async fn a_probe_really_calls() {
    let server = ScriptedServer::start().await;
    let clients = Clients::new();
    let redactor = Redactor::new();
    let key = || Some(Secret::new(KEY));
    let pasted = format!(" {}/chat/completions ", server.base_url());

    let found = probe(&clients, &redactor, &pasted, key(), None).await;
    assert!(found.ok, "{found:?}");
    assert_eq!(
        (found.base_url.as_str(), found.models, found.tried.as_deref(), found.message),
        (server.base_url().as_str(), vec!["scripted".to_owned()], Some("scripted"), None)
    );
    assert_eq!(server.requests()[0].header("authorization"), Some(format!("Bearer {KEY}").as_str()));

    // Of the listed ones the first that chats.
    server.set_models(&["text-embedding-3", "whisper-1", "gone", "good"]);
    server.respond(|request| (request["model"] == "gone").then(|| Answer::status(404, "no such model")));
    let found = probe(&clients, &redactor, &server.base_url(), None, None).await;
    assert_eq!((found.ok, found.tried.as_deref()), (true, Some("good")), "{found:?}");
    let found = probe(&clients, &redactor, &server.base_url(), None, Some("gone")).await;
    assert_eq!((found.ok, found.tried.as_deref(), found.models.len()), (false, Some("gone"), 4), "{found:?}");

    server.respond(|_| Some(Answer::status(401, "wrong key {{key}}")));
    let found = probe(&clients, &redactor, &server.base_url(), key(), Some("good")).await;
    assert!(!found.ok && !format!("{found:?}").contains(KEY), "{found:?}");
    assert!(found.message.unwrap().contains("did not accept the key"));

    let found = probe(&clients, &redactor, "http://api.example.com", key(), None).await;
    assert!(!found.ok && found.message.unwrap().contains("Use https://"));
    server.set_models(&["whisper-1"]);
    let found = probe(&clients, &redactor, &server.base_url(), None, None).await;
    assert!(!found.ok && found.message.unwrap().contains("no model that chats"));
}
