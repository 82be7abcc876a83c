// SPDX-License-Identifier: Apache-2.0
//! The endpoint over real HTTP, against the scripted server: OpenAI-compatible chat, and what all protocols share.

mod common;

use bailey_net::{Clients, normalize_base_url};
use bailey_ports::{Model, ModelError, Redactor, Secret};
use bailey_protocol::RunErrorKind as Kind;
use bailey_protocol::model::{Finish, Native, PastCall, Reply, Request, ToolDeclaration, Turn, Usage};
use bailey_protocol::{Effort, ModelFacts, Price, ProviderId, ProviderKind};
use bailey_providers::{Endpoint, Patience};
use bailey_testkit::server::{Answer, Call, ScriptedServer};
use common::Server;
use futures::StreamExt;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

const KEY: &str = "sk-canary-8c1f";

fn patience() -> Patience {
    Patience { backoff: Duration::from_millis(2), grace: Duration::from_millis(30), ..Patience::default() }
}

fn chat_of(provider: &str, base: &str, key: &str) -> Endpoint {
    let base = normalize_base_url(base).unwrap();
    let client = Clients::new().endpoint(&base).unwrap();
    let (provider, key) = (ProviderId::from(provider), Some(Secret::new(key)));
    let endpoint = Endpoint::new(ProviderKind::OpenaiChat, client, base, provider, key, Redactor::new()).unwrap();
    endpoint.with_patience(patience())
}

fn chat_at(base: &str) -> Endpoint {
    chat_of("p", base, KEY)
}

fn ask(text: &str) -> Request {
    Request { model: "scripted".into(), messages: vec![Turn::user(text)], ..Request::default() }
}

async fn replies(chat: &Endpoint, request: Request) -> Vec<Result<Reply, ModelError>> {
    chat.reply(request).collect().await
}

/// The error that is all there is, after the attempts that were made anew.
async fn failure(chat: &Endpoint) -> ModelError {
    let mut all = replies(chat, ask("hi")).await;
    let error = all.pop().unwrap().unwrap_err();
    assert!(all.iter().all(|reply| matches!(reply, Ok(Reply::Retry { .. }))), "{all:?}");
    error
}

/// Why attempts were made anew.
fn retries(replies: &[Result<Reply, ModelError>]) -> Vec<Kind> {
    let kinds = replies.iter().filter_map(|reply| match reply {
        Ok(Reply::Retry { kind, .. }) => Some(*kind),
        _ => None,
    });
    kinds.collect()
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
        (503, "plain text with {{key}}".into(), Kind::Overloaded),
        (529, body("Overloaded"), Kind::Overloaded),
    ];
    for (status, body, kind) in table {
        server.set_default(Answer::status(status, body));
        let error = failure(&chat_at(&server.base_url())).await;
        assert_eq!(error.kind, kind, "{status}: {error}");
        let details = error.details.clone().unwrap_or_default();
        assert!(details.contains(Redactor::MARK), "its words are kept: {error:?}");
        assert!(!format!("{error:?}").contains(KEY), "{error:?}");
    }
    for raw in [
        "data: {\"error\":{\"message\":\"Overloaded {{key}}\",\"code\":529}}\n\n",
        "data: garbled {{key}}\n\n",
        "{\"detail\":\"{{key}}\"}",
    ] {
        server.set_default(Answer::raw(raw));
        let error = failure(&chat_at(&server.base_url())).await;
        assert!(error.details.as_deref().is_some_and(|details| details.contains(Redactor::MARK)), "{error:?}");
        assert!(!format!("{error:?}").contains(KEY), "{error:?}");
    }
}

fn busy(status: u16) -> Answer {
    Answer::status(status, json!({ "error": { "message": "busy" } }))
}

#[tokio::test]
async fn what_may_pass_is_tried_again() {
    let server = ScriptedServer::start().await;
    for (answers, kinds) in [
        (vec![busy(429).header("retry-after", "0")], vec![Kind::Rate]),
        (vec![busy(503), busy(500)], vec![Kind::Overloaded, Kind::Server]),
        (vec![busy(408), busy(529), busy(502)], vec![Kind::Timeout, Kind::Overloaded, Kind::Server]),
        (vec![Answer::text("lost").disconnect_after(0)], vec![Kind::Network]),
        (vec![Answer::raw("")], vec![Kind::Interrupted]),
    ] {
        let before = server.requests().len();
        for answer in answers {
            server.push(answer);
        }
        let all = replies(&chat_at(&server.base_url()), ask("hi")).await;
        assert_eq!(text(&all), "OK.", "{all:?}");
        assert_eq!(retries(&all), kinds);
        assert_eq!(server.requests().len() - before, kinds.len() + 1);
    }
    // Three times, not more.
    let before = server.requests().len();
    for _ in 0..4 {
        server.push(busy(503));
    }
    assert_eq!(failure(&chat_at(&server.base_url())).await.kind, Kind::Overloaded);
    assert_eq!(server.requests().len() - before, 4);

    for (answer, kind) in [
        (busy(400), Kind::Invalid),
        (busy(401), Kind::Auth),
        (busy(402), Kind::Quota),
        (busy(403), Kind::Auth),
        (busy(404), Kind::Invalid),
        (Answer::status(400, "maximum context length is 10"), Kind::TooLong),
        (Answer::status(429, "insufficient_quota"), Kind::Quota),
        (Answer::status(503, "insufficient_quota"), Kind::Quota),
    ] {
        let before = server.requests().len();
        server.push(answer);
        let error = failure(&chat_at(&server.base_url())).await;
        assert_eq!((error.kind, error.retry_after), (kind, None));
        assert_eq!(server.requests().len() - before, 1, "{kind:?}");
    }
}

#[tokio::test]
async fn a_provider_says_how_long_to_wait() {
    let server = ScriptedServer::start().await;
    let date = |at: SystemTime| httpdate::fmt_http_date(at);
    for (name, value, at_least) in [
        ("retry-after-ms", "70".to_owned(), 70),
        ("retry-after", "0.05".to_owned(), 50),
        ("retry-after", date(SystemTime::now() - Duration::from_secs(9)), 1),
        // No wait at all would have every client back at once.
        ("retry-after", "0".to_owned(), 1),
    ] {
        server.push(busy(429).header(name, &value));
        let all = replies(&chat_at(&server.base_url()), ask("hi")).await;
        let Some(Ok(Reply::Retry { kind: Kind::Rate, wait_ms })) = all.first() else { panic!("{all:?}") };
        assert!((at_least..at_least + 2).contains(wait_ms), "{name}: {value}: {wait_ms}");
        assert_eq!(text(&all), "OK.");
    }
    // A wait too long to sit through is the person's to decide on, and so is one too many.
    let before = server.requests().len();
    server.push(busy(429).header("retry-after", &date(SystemTime::now() + Duration::from_secs(3600))));
    let error = failure(&chat_at(&server.base_url())).await;
    assert_eq!(error.kind, Kind::Rate);
    assert!(error.retry_after.is_some_and(|wait| (3500..=3600).contains(&wait.as_secs())), "{error:?}");
    assert_eq!(server.requests().len() - before, 1);

    let budget = Patience { most_waiting: Duration::from_millis(45), more_tries: 100, ..patience() };
    server.set_default(busy(429).header("retry-after-ms", "20"));
    let before = server.requests().len();
    let error = failure(&chat_at(&server.base_url()).with_patience(budget)).await;
    assert_eq!((error.kind, error.retry_after), (Kind::Rate, Some(Duration::from_millis(20))));
    assert_eq!(server.requests().len() - before, 3, "two waits fit into the budget");
}

#[tokio::test]
async fn a_broken_answer_is_taken_back_and_asked_for_anew() {
    let server = ScriptedServer::start().await;
    let said = r#"data: {"choices":[{"delta":{"content":"some"}}]}"#;
    let call = r#"data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"compute","arguments":"{\"expr"}}]}}]}"#;
    for (broken, kind) in [
        (Answer::text(["some", " text"]).disconnect_after(420), Kind::Interrupted),
        (Answer::raw(&format!("{said}\n\n{call}\n\n")), Kind::Interrupted),
        (
            Answer::raw(&format!("{said}\n\ndata: {{\"error\":{{\"message\":\"Overloaded\",\"code\":529}}}}\n\n")),
            Kind::Overloaded,
        ),
        (Answer::raw(&format!("{said}\n\nevent: error\ndata: {{\"message\":\"Rate limit reached\"}}\n\n")), Kind::Rate),
        (Answer::raw(r#"{"error":{"message":"upstream error","code":502}}"#), Kind::Server),
        (Answer::text("some").finish(Some("network_error")), Kind::Server),
    ] {
        let before = server.requests().len();
        server.push(broken);
        let all = replies(&chat_at(&server.base_url()), ask("hi")).await;
        assert_eq!(retries(&all), [kind], "{all:?}");
        let again = all.iter().position(|reply| matches!(reply, Ok(Reply::Retry { .. }))).unwrap();
        assert_eq!(text(&all[again..]), "OK.", "what was said before is void: {all:?}");
        assert!(!all.iter().any(|reply| matches!(reply, Ok(Reply::Call { .. }))), "half a call never runs: {all:?}");
        assert_eq!(all.last(), Some(&Ok(Reply::Finish { finish: Finish::Stop })));
        assert_eq!(server.requests().len() - before, 2);
    }
    // What will not pass is told at once, with what was said.
    let quota = format!("{said}\n\ndata: {{\"error\":{{\"message\":\"insufficient_quota\"}}}}\n\n");
    server.push(Answer::raw(&quota));
    let all = replies(&chat_at(&server.base_url()), ask("hi")).await;
    assert_eq!(text(&all), "some");
    assert_eq!((all.len(), all[1].as_ref().unwrap_err().kind), (2, Kind::Quota));

    // Broken each time: the last words and the error stay.
    for _ in 0..4 {
        server.push(Answer::raw(&format!("{said}\n\n")));
    }
    let all = replies(&chat_at(&server.base_url()), ask("hi")).await;
    assert_eq!(retries(&all), [Kind::Interrupted; 3]);
    assert_eq!(all.last().unwrap().as_ref().unwrap_err().kind, Kind::Interrupted);
}

#[tokio::test]
async fn after_its_reason_to_stop_an_answer_is_whole() {
    let server = ScriptedServer::start().await;
    let stop = r#"data: {"choices":[{"delta":{"content":"all"},"finish_reason":"stop"}]}"#;
    let raw = format!("{stop}\n\n");
    let error = format!("{raw}data: {{\"error\":{{\"message\":\"Overloaded\"}}}}\n\n");
    for answer in [
        Answer::raw(&raw).disconnect_after(raw.len()),
        Answer::raw(&raw).hang(),
        Answer::raw(&error),
        Answer::raw(&format!("{raw}data: garbled\n\n")),
    ] {
        let before = server.requests().len();
        server.push(answer);
        let all = replies(&chat_at(&server.base_url()), ask("hi")).await;
        assert_eq!(all, [Ok(Reply::Text { text: "all".into() }), Ok(Reply::Finish { finish: Finish::Stop })]);
        assert_eq!(server.requests().len() - before, 1);
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

    // While it waits for another try.
    server.push(busy(429).header("retry-after", "25"));
    let mut stream = chat_at(&server.base_url()).reply(ask("hi"));
    assert!(matches!(stream.next().await, Some(Ok(Reply::Retry { wait_ms: 25_000, .. }))));
    let waiting = tokio::spawn(async move { stream.next().await });
    server.until_requests(3).await;
    waiting.abort();
    assert!(waiting.await.unwrap_err().is_cancelled());
    assert_eq!(server.requests().len(), 3);
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
    assert_eq!(retries(&all).len(), 0);
    assert_eq!(server.requests().len(), 2, "after so long a wait the person decides");
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

/// A place that answers each request with these bytes and then keeps the connection open with comments, for ever.
fn babbling(first: &'static str) -> String {
    use std::io::{Read, Write};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}/v1", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for socket in listener.incoming() {
            let mut socket = socket.unwrap();
            std::thread::spawn(move || {
                let mut request = [0; 65536];
                let _ = socket.read(&mut request);
                let mut words = format!("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n{first}");
                while socket.write_all(words.as_bytes()).is_ok() {
                    words = ": still here\n\n".to_owned();
                    std::thread::sleep(Duration::from_millis(5));
                }
            });
        }
    });
    base
}

#[tokio::test]
async fn bytes_that_say_nothing_keep_no_answer_open_for_ever() {
    let most_silence = Duration::from_millis(200);
    let patience = Patience { most_silence, ..patience() };
    let chat = chat_at(&babbling("")).with_patience(patience);
    assert_eq!(failure(&chat).await.kind, Kind::Timeout);
    let chat =
        chat_at(&babbling("data: {\"choices\":[{\"delta\":{\"content\":\"some\"}}]}\n\n")).with_patience(patience);
    let all = replies(&chat, ask("hi")).await;
    assert_eq!((text(&all).as_str(), all.last().unwrap().as_ref().unwrap_err().kind), ("some", Kind::Timeout));

    let whole = "data: {\"choices\":[{\"delta\":{\"content\":\"all\"},\"finish_reason\":\"stop\"}]}\n\n";
    let all = replies(&chat_at(&babbling(whole)), ask("hi")).await;
    assert_eq!(all, [Ok(Reply::Text { text: "all".into() }), Ok(Reply::Finish { finish: Finish::Stop })]);
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
    let error = failure(&chat_of("p", "http://127.0.0.1:9", "sk-two\nlines")).await;
    assert_eq!(error.kind, Kind::Auth);
    assert!(!error.message.contains("two") && error.message.contains("Copy it again"), "{error}");
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
