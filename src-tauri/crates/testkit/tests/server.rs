// SPDX-License-Identifier: Apache-2.0
//! The scripted server itself: a mock that does not notice a broken history proves nothing.

use bailey_testkit::server::{Answer, ScriptedServer, check_history};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Status and body of a request over a connection of its own.
async fn send(server: &ScriptedServer, method: &str, path: &str, body: &Value) -> (u16, String) {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let mut socket = TcpStream::connect(("127.0.0.1", server.port())).await.unwrap();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer sk-canary\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    socket.write_all(head.as_bytes()).await.unwrap();
    socket.write_all(body.as_bytes()).await.unwrap();
    let mut response = String::new();
    socket.read_to_string(&mut response).await.unwrap();
    let (head, body) = response.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, body.to_owned())
}

async fn chat(server: &ScriptedServer, messages: Value) -> (u16, String) {
    send(server, "POST", "/v1/chat/completions", &json!({ "model": "m", "messages": messages })).await
}

fn said(answer: &(u16, String)) -> Value {
    let body: Value = serde_json::from_str(&answer.1).unwrap();
    body["choices"][0]["message"].clone()
}

fn user(text: &str) -> Value {
    json!({ "role": "user", "content": text })
}

fn calling(ids: &[&str]) -> Value {
    let calls: Vec<Value> = ids
        .iter()
        .map(|id| json!({ "id": id, "type": "function", "function": { "name": "x", "arguments": "{}" } }))
        .collect();
    json!({ "role": "assistant", "content": null, "tool_calls": calls })
}

fn result(id: &str) -> Value {
    json!({ "role": "tool", "tool_call_id": id, "content": "r" })
}

#[test]
fn a_history_is_checked() {
    let good = [
        json!([user("hi")]),
        json!([{ "role": "system", "content": "s" }, user("hi"), calling(&["a", "b"]), result("b"), result("a")]),
        json!([user("hi"), calling(&["a"]), result("a"), calling(&["b"]), result("b")]),
    ];
    for messages in good {
        assert_eq!(check_history(&json!({ "model": "m", "messages": messages })), [""; 0], "{messages}");
    }
    for messages in [json!([user("hi"), user("more")]), json!([user("hi"), calling(&["a"]), result("a"), user("more")])]
    {
        assert_eq!(check_history(&json!({ "model": "m", "messages": messages })).len(), 1, "{messages}");
    }
    let nameless =
        json!({ "role": "assistant", "tool_calls": [{ "id": "a", "function": { "name": "", "arguments": "{}" } }] });
    let garbled =
        json!({ "role": "assistant", "tool_calls": [{ "id": "a", "function": { "name": "x", "arguments": "{" } }] });
    let bad = [
        (json!([]), "no messages"),
        (json!([user("hi"), calling(&["a"])]), "has no result"),
        (json!([user("hi"), calling(&["a"]), user("more"), result("a")]), "before the result"),
        (json!([user("hi"), calling(&["a", "b"]), result("a"), calling(&["c"]), result("c")]), "before the result"),
        (json!([user("hi"), result("a")]), "no open call"),
        (json!([user("hi"), calling(&["a"]), result("a"), result("a")]), "no open call"),
        (json!([user("hi"), calling(&["a"]), result("b")]), "no open call"),
        (json!([user("hi"), calling(&["a", "a"]), result("a"), result("a")]), "used twice"),
        (json!([user("hi"), calling(&["a"]), result("a"), calling(&["a"]), result("a")]), "used twice"),
        (json!([user("hi"), nameless, result("a")]), "no function name"),
        (json!([user("hi"), garbled, result("a")]), "no JSON object"),
        (json!([user("hi"), calling(&[]), user("more")]), "list of calls is empty"),
        (json!([user("hi"), { "role": "assistant", "content": "" }]), "neither content nor calls"),
        (json!([{ "role": "user", "content": null }]), "no content"),
    ];
    for (messages, words) in bad {
        let found = check_history(&json!({ "model": "m", "messages": messages })).join("; ");
        assert!(found.contains(words), "{messages}: {found}");
    }
    let tools =
        |tools: Value| check_history(&json!({ "model": "m", "messages": [user("hi")], "tools": tools })).join("; ");
    let tool = json!({ "type": "function", "function": { "name": "x", "parameters": {} } });
    assert_eq!(tools(json!([tool])), "");
    assert!(tools(json!([])).contains("list of tools is empty"));
    assert!(tools(json!([tool, tool])).contains("declared twice"));
    assert!(tools(json!([{ "function": { "name": "", "parameters": {} } }])).contains("no name"));
}

#[tokio::test]
async fn a_violation_is_refused_and_remembered() {
    let server = ScriptedServer::start().await;
    let answer = chat(&server, json!([user("hi"), result("a")])).await;
    assert_eq!(answer.0, 400);
    assert!(answer.1.contains("no open call"));
    let violations = server.violations();
    assert_eq!(violations.len(), 1);
    assert!(violations[0].starts_with("request 1: "), "{violations:?}");
    assert_eq!(server.violations(), [""; 0], "told once");
}

#[tokio::test]
#[should_panic(expected = "broke the rules of a history")]
async fn an_unnoticed_violation_fails_the_test() {
    let server = ScriptedServer::start().await;
    chat(&server, json!([user("hi"), calling(&["a"])])).await;
}

#[tokio::test]
async fn answers_are_chosen_in_order() {
    let server = ScriptedServer::start().await;
    server.push(Answer::text("first")).push(Answer::text("second"));
    server.when("weather", [Answer::call("look", json!({ "n": "{{n}}" })), Answer::text("sunny")]);
    server.respond(|request| (request["messages"][0]["content"] == "special").then(|| Answer::text("made")));

    assert_eq!(said(&chat(&server, json!([user("special")])).await)["content"], "made");
    assert_eq!(said(&chat(&server, json!([user("a")])).await)["content"], "first");
    let asked = json!([user("the weather?")]);
    let call = said(&chat(&server, asked.clone()).await);
    assert_eq!(call["tool_calls"][0]["function"], json!({ "name": "look", "arguments": "{\"n\":\"3\"}" }));
    assert_eq!(
        said(&chat(&server, asked).await)["tool_calls"][0]["function"]["name"],
        "look",
        "chosen by place, not used up"
    );
    let after = json!([user("the weather?"), calling(&["c"]), result("c")]);
    assert_eq!(said(&chat(&server, after).await)["content"], "sunny");
    assert_eq!(said(&chat(&server, json!([user("b")])).await)["content"], "second");
    assert_eq!(said(&chat(&server, json!([user("c")])).await)["content"], "OK.");
    assert_eq!(server.requests().len(), 7);
    assert_eq!(server.requests()[0].header("authorization"), Some("Bearer sk-canary"));
}

#[tokio::test]
async fn a_script_in_json_over_the_control_routes() {
    let server = ScriptedServer::start().await;
    let script = json!([
        { "status": 401, "body": { "error": { "message": "bad key {{key}}" } }, "headers": { "x-a": "b" } },
        { "when": "hello", "replies": [{ "text": ["Hel", "lo"], "reasoning": "hm" }] },
        { "calls": [{ "name": "x", "arguments": "half{", "id": "mine" }], "finish": null },
    ]);
    assert_eq!(send(&server, "POST", "/__script", &script).await.0, 200);
    let refused = chat(&server, json!([user("a")])).await;
    assert_eq!((refused.0, refused.1.as_str()), (401, r#"{"error":{"message":"bad key sk-canary"}}"#));
    assert_eq!(
        said(&chat(&server, json!([user("hello there")])).await),
        json!({ "role": "assistant", "content": "Hello", "reasoning_content": "hm" })
    );
    let stream = send(
        &server,
        "POST",
        "/v1/chat/completions",
        &json!({ "model": "m", "stream": true, "messages": [user("b")] }),
    )
    .await;
    assert!(stream.1.contains(r#""id":"mine""#) && stream.1.contains("data: [DONE]"), "{}", stream.1);
    assert!(!stream.1.contains(r#""finish_reason":""#), "{}", stream.1);

    chat(&server, json!([result("z")])).await;
    let log: Value = serde_json::from_str(&send(&server, "GET", "/__log", &Value::Null).await.1).unwrap();
    assert_eq!(log["requests"].as_array().unwrap().len(), 4);
    assert_eq!(log["requests"][0]["body"]["messages"][0]["content"], "a");
    assert_eq!((log["violations"].as_array().unwrap().len(), &log["left"]), (1, &json!(0)));

    for bad in [json!({}), json!([{ "txt": "typo" }]), json!([{ "when": 1, "replies": [] }]), json!([{ "when": "a" }])]
    {
        assert_eq!(send(&server, "POST", "/__script", &bad).await.0, 400, "{bad}");
    }
    assert_eq!(send(&server, "POST", "/__reset", &Value::Null).await.0, 200);
    let log: Value = serde_json::from_str(&send(&server, "GET", "/__log", &Value::Null).await.1).unwrap();
    assert_eq!(log, json!({ "requests": [], "violations": [], "cancelled": 0, "left": 0 }));
    let models: Value = serde_json::from_str(&send(&server, "GET", "/v1/models", &Value::Null).await.1).unwrap();
    assert_eq!(models["data"][0]["id"], "scripted");
    assert_eq!(send(&server, "GET", "/elsewhere", &Value::Null).await.0, 404);
}
