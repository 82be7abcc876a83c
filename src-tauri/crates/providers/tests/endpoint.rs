// SPDX-License-Identifier: Apache-2.0
//! What all protocols share, over real HTTP: errors and their kinds, attempts and waits, the end of an answer.

mod common;

use bailey_ports::{Model, Redactor};
use bailey_protocol::RunErrorKind as Kind;
use bailey_protocol::model::{Finish, Reply};
use bailey_providers::Patience;
use bailey_testkit::server::{Answer, ScriptedServer};
use common::chat::{KEY, ask, chat_at, chat_of, failure, patience, replies, retries, text};
use futures::StreamExt;
use serde_json::json;
use std::time::{Duration, SystemTime};

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
