// SPDX-License-Identifier: Apache-2.0
mod odd;

use crate::answer::{Asked, Decoded, Decoder};
use bailey_protocol::model::{Finish, Native, PastCall, Reply, Request, Turn, Usage};
use bailey_protocol::{ProviderKind, RunErrorKind};
use serde_json::{Value, json};
use std::sync::Arc;

fn asked() -> Asked {
    Asked::of(&Request::default(), "t", "here")
}

fn decode(asked: Asked, bytes: &[u8]) -> Decoded {
    let mut decoder = Decoder::new(ProviderKind::Anthropic, asked).unwrap();
    let mut all = decoder.push(bytes);
    all.extend(decoder.end());
    all
}

fn stream(events: &[Value]) -> Vec<u8> {
    let name = |event: &Value| event["type"].as_str().unwrap_or_default().to_owned();
    events.iter().map(|event| format!("event: {}\ndata: {event}\n\n", name(event))).collect::<String>().into_bytes()
}

fn read(events: &[Value]) -> Decoded {
    decode(asked(), &stream(events))
}

fn replies(events: &[Value]) -> Vec<Reply> {
    read(events).into_iter().map(Result::unwrap).collect()
}

fn start(id: &str) -> Value {
    json!({"type": "message_start", "message": {"id": id, "type": "message", "role": "assistant", "content": [], "stop_reason": null, "usage": {"input_tokens": 7, "output_tokens": 1}}})
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
        json!({"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": null}, "usage": {"output_tokens": 20}}),
        json!({"type": "message_stop"}),
    ]
}

fn text(words: &str) -> Value {
    json!({"type": "text_delta", "text": words})
}

fn input(words: &str) -> Value {
    json!({"type": "input_json_delta", "partial_json": words})
}

fn tool(id: &str, name: &str) -> Value {
    json!({"type": "tool_use", "id": id, "name": name, "input": {}})
}

fn said(words: &str) -> Reply {
    Reply::Text { text: words.into() }
}

fn thought(words: &str) -> Reply {
    Reply::Reasoning { text: words.into() }
}

fn began(name: &str) -> Reply {
    Reply::CallBegan { name: name.into() }
}

fn call(id: &str, name: &str, arguments: &str) -> Reply {
    Reply::Call { id: id.into(), name: name.into(), arguments: arguments.into() }
}

fn item(kind: &str, data: Value) -> Reply {
    Reply::Item { kind: kind.into(), data }
}

fn finish(finish: Finish) -> Reply {
    Reply::Finish { finish }
}

fn counted(input: u32, output: u32) -> Reply {
    Reply::Usage { usage: Usage { input, output, ..Usage::default() } }
}

fn native(items: &[&str]) -> Reply {
    let items = items.iter().map(|item| Value::String((*item).to_owned())).collect();
    Reply::Native { native: Arc::new(Native { origin: "here".into(), items }) }
}

/// Events in the middle of a message, between a proper beginning and this end.
fn between(events: Vec<Value>, reason: &str) -> Vec<Value> {
    [vec![start("m")], events, end(reason)].concat()
}

#[test]
fn a_thoughtful_answer_with_calls() {
    let events = between(
        vec![
            json!({"type": "ping"}),
            block(0, json!({"type": "thinking", "thinking": "", "signature": ""})),
            delta(0, json!({"type": "thinking_delta", "thinking": "Let me "})),
            delta(0, json!({"type": "thinking_delta", "thinking": "see"})),
            delta(0, json!({"type": "signature_delta", "signature": "EqQ+/=="})),
            stop(0),
            block(1, json!({"type": "redacted_thinking", "data": "opaque"})),
            stop(1),
            block(2, json!({"type": "text", "text": ""})),
            delta(2, text("Wait")),
            delta(2, text(".")),
            stop(2),
            block(3, tool("toolu_1", "compute")),
            delta(3, input("")),
            delta(3, input("{\"a\": 1.0, \"b\":")),
            delta(3, input(" 1e5, \"c\": 12345678901234567890123}")),
            stop(3),
            block(4, tool("toolu_2", "get_time")),
            delta(4, input("")),
            stop(4),
        ],
        "tool_use",
    );
    let arguments = r#"{"a": 1.0, "b": 1e5, "c": 12345678901234567890123}"#;
    let expected = [
        thought("Let me "),
        thought("see"),
        said("Wait"),
        said("."),
        began("compute"),
        began("get_time"),
        call("toolu_1", "compute", arguments),
        call("toolu_2", "get_time", "{}"),
        counted(7, 20),
        native(&[
            r#"{"type":"thinking","thinking":"Let me see","signature":"EqQ+/=="}"#,
            r#"{"type":"redacted_thinking","data":"opaque"}"#,
            r#"{"type":"text","text":"Wait."}"#,
            &format!(r#"{{"type":"tool_use","id":"toolu_1","name":"compute","input":{arguments}}}"#),
            r#"{"type":"tool_use","id":"toolu_2","name":"get_time","input":{}}"#,
        ]),
        finish(Finish::Calls),
    ];
    assert_eq!(replies(&events), expected);
}

#[test]
fn plain_answers_have_no_form_of_their_own() {
    let events = between(
        vec![
            block(0, json!({"type": "text", "text": "A"})),
            delta(0, text("b")),
            stop(0),
            block(1, json!({"type": "tool_use", "id": "x", "name": "f", "input": {}, "caller": {"type": "direct"}})),
            delta(1, input("{\"a\":1}")),
            stop(1),
        ],
        "tool_use",
    );
    let expected =
        [said("A"), said("b"), began("f"), call("x", "f", "{\"a\":1}"), counted(7, 20), finish(Finish::Calls)];
    assert_eq!(replies(&events), expected);
}

#[test]
fn a_reason_to_stop_is_understood() {
    let words = [block(0, json!({"type": "text", "text": "x"})), stop(0)].to_vec();
    for (reason, expected) in [
        ("end_turn", Finish::Stop),
        ("stop_sequence", Finish::Stop),
        ("pause_turn", Finish::Stop),
        ("compaction", Finish::Stop),
        ("something_new", Finish::Stop),
        ("tool_use", Finish::Stop),
        ("max_tokens", Finish::Length),
        ("model_context_window_exceeded", Finish::Length),
        ("refusal", Finish::Refused),
    ] {
        assert_eq!(replies(&between(words.clone(), reason)), [said("x"), counted(7, 20), finish(expected)], "{reason}");
    }
    let calls = [words, vec![block(1, tool("a", "f")), delta(1, input("{}")), stop(1)]].concat();
    for (reason, expected) in [("end_turn", Finish::Calls), ("tool_use", Finish::Calls), ("refusal", Finish::Refused)] {
        let replies = replies(&between(calls.clone(), reason));
        assert_eq!(replies.last(), Some(&finish(expected)), "{reason}");
        assert_eq!(replies.contains(&call("a", "f", "{}")), expected == Finish::Calls, "{reason}");
    }
}

#[test]
fn a_refusal_says_why() {
    let details = json!({"type": "refusal", "category": "cyber", "explanation": "No."});
    let events = [
        start("m"),
        json!({"type": "message_delta", "delta": {"stop_reason": "refusal", "stop_details": details}, "usage": {"output_tokens": 5}}),
        json!({"type": "message_stop"}),
    ];
    assert_eq!(replies(&events), [item("stop_details", details), counted(7, 5), finish(Finish::Refused)]);
}

#[test]
fn the_output_limit_leaves_only_whole_calls() {
    let whole = [block(0, tool("a", "f")), delta(0, input("{\"x\":1}")), stop(0)];
    for (last, calls) in [
        (vec![block(1, tool("b", "g")), delta(1, input("{\"y\":")), stop(1)], vec!["a"]),
        (vec![block(1, tool("b", "g")), delta(1, input("")), stop(1)], vec!["a"]),
        (vec![block(1, tool("b", "g"))], vec!["a"]),
        (vec![block(1, tool("b", "g")), delta(1, input("{\"y\":2}")), stop(1)], vec!["a", "b"]),
    ] {
        let replies = replies(&between([whole.to_vec(), last.clone()].concat(), "max_tokens"));
        let ids: Vec<&str> = replies
            .iter()
            .filter_map(|reply| match reply {
                Reply::Call { id, .. } => Some(id.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(ids, calls, "{last:?}");
        assert_eq!(replies.last(), Some(&finish(Finish::Calls)));
    }
    // Nothing whole: no call, and the reason stays.
    let cut = between(vec![block(0, tool("a", "f")), delta(0, input("{\"x")), stop(0)], "max_tokens");
    assert_eq!(replies(&cut), [began("f"), counted(7, 20), finish(Finish::Length)]);
    // What was cut does not go back in its own form.
    let thinking = json!({"type": "thinking", "thinking": "hm", "signature": "s"});
    let cut = between(vec![block(0, thinking), stop(0), block(1, json!({"type": "text", "text": "a"}))], "max_tokens");
    assert_eq!(replies(&cut), [thought("hm"), said("a"), counted(7, 20), finish(Finish::Length)]);
}

#[test]
fn counts_include_what_was_cached() {
    let usage = |start: Value, end: Value| {
        let events = [
            json!({"type": "message_start", "message": {"id": "m", "usage": start}}),
            json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": end}),
        ];
        replies(&events).into_iter().find_map(|reply| match reply {
            Reply::Usage { usage } => Some(usage),
            _ => None,
        })
    };
    for (start, end, expected) in [
        (
            json!({"input_tokens": 3, "cache_creation_input_tokens": 100, "cache_read_input_tokens": 1000, "output_tokens": 1}),
            json!({"output_tokens": 50, "output_tokens_details": {"thinking_tokens": 30}}),
            Usage { input: 1103, cached: 1000, cache_write: 100, output: 50, reasoning: 30, cost: None },
        ),
        // What comes at the end counts, unless it only says nothing.
        (
            json!({"input_tokens": 3, "output_tokens": 1}),
            json!({"input_tokens": 9, "cache_read_input_tokens": 4, "output_tokens": 5}),
            Usage { input: 13, cached: 4, output: 5, ..Usage::default() },
        ),
        (
            json!({"input_tokens": 3, "cache_read_input_tokens": 2}),
            json!({"input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": 5}),
            Usage { input: 5, cached: 2, output: 5, ..Usage::default() },
        ),
        (
            json!({"input_tokens": "many", "cache_read_input_tokens": null}),
            json!({"output_tokens": 99999999999_u64, "cost": 0.0123}),
            Usage { output: u32::MAX, cost: Some(12_300), ..Usage::default() },
        ),
    ] {
        assert_eq!(usage(start.clone(), end.clone()), Some(expected), "{start} {end}");
    }
    assert_eq!(usage(json!(null), json!("none")), None);
}

#[test]
fn the_providers_own_is_kept_in_its_place() {
    let search = json!({"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {}});
    let result = json!({"type": "web_search_tool_result", "tool_use_id": "srv_1", "content": [{"type": "web_search_result", "encrypted_content": "E", "score": 1.0}]});
    let citation = json!({"type": "web_search_result_location", "url": "https://example.com", "encrypted_index": "I"});
    let events = between(
        vec![
            block(0, search),
            delta(0, input("{\"query\": \"a")),
            delta(0, input("b\"}")),
            stop(0),
            block(1, result.clone()),
            stop(1),
            block(2, json!({"type": "text", "text": "", "citations": []})),
            delta(2, json!({"type": "citations_delta", "citation": citation})),
            delta(2, text("found")),
            stop(2),
            block(3, json!({"type": "compaction", "content": null})),
            delta(3, json!({"type": "compaction_delta", "content": "summary"})),
            stop(3),
            block(4, json!({"type": "hologram", "shape": [1, 2]})),
            stop(4),
        ],
        "end_turn",
    );
    let expected = [
        item(
            "server_tool_use",
            json!({"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {"query": "ab"}}),
        ),
        item("web_search_tool_result", result.clone()),
        said("found"),
        item("citations", json!([citation])),
        item("compaction", json!({"type": "compaction", "content": "summary"})),
        item("hologram", json!({"type": "hologram", "shape": [1, 2]})),
        counted(7, 20),
        native(&[
            r#"{"type":"server_tool_use","id":"srv_1","name":"web_search","input":{"query": "ab"}}"#,
            &result.to_string(),
            &format!(r#"{{"type":"text","text":"found","citations":[{citation}]}}"#),
            r#"{"type":"compaction","content":"summary"}"#,
            r#"{"type":"hologram","shape":[1,2]}"#,
        ]),
        finish(Finish::Stop),
    ];
    assert_eq!(replies(&events), expected);
}

#[test]
fn json_in_place_of_a_stream_is_an_answer() {
    let message = json!({
        "id": "msg", "type": "message", "role": "assistant", "model": "m",
        "content": [
            {"type": "thinking", "thinking": "hm", "signature": "s"},
            {"type": "text", "text": "Hello"},
            {"type": "tool_use", "id": "a", "name": "f", "input": {"x": 1}},
        ],
        "stop_reason": "tool_use",
        "usage": {"input_tokens": 4, "output_tokens": 6},
    });
    let expected = [
        thought("hm"),
        said("Hello"),
        began("f"),
        call("a", "f", "{\"x\":1}"),
        counted(4, 6),
        native(&[
            r#"{"type":"thinking","thinking":"hm","signature":"s"}"#,
            r#"{"type":"text","text":"Hello"}"#,
            r#"{"type":"tool_use","id":"a","name":"f","input":{"x":1}}"#,
        ]),
        finish(Finish::Calls),
    ];
    let read = |bytes: &str| decode(asked(), bytes.as_bytes()).into_iter().map(Result::unwrap).collect::<Vec<_>>();
    assert_eq!(read(&message.to_string()), expected);
    let lines = [vec![start("m"), block(0, json!({"type": "text", "text": "Hi"})), stop(0)], end("end_turn")].concat();
    let lines: String = lines.iter().map(|event| format!("{event}\n")).collect();
    assert_eq!(read(&lines), [said("Hi"), counted(7, 20), finish(Finish::Stop)]);
    let other = decode(asked(), b"{\"hello\":1}").pop().unwrap().unwrap_err();
    assert_eq!(other.kind, RunErrorKind::Invalid);
}

#[test]
fn ids_and_names_are_those_of_the_request() {
    let past = PastCall { id: "used".into(), name: "files/read".into(), arguments: json!({}) };
    let turn = Turn::Assistant { text: String::new(), reasoning: String::new(), calls: vec![past], native: None };
    let asked = Asked::of(&Request { messages: vec![turn], ..Request::default() }, "tag", "here");
    let thinking = block(0, json!({"type": "thinking", "thinking": "x", "signature": "s"}));
    let events = between(
        vec![
            thinking,
            stop(0),
            block(1, tool("used", "files_read")),
            stop(1),
            block(2, tool("", "files_read")),
            stop(2),
        ],
        "tool_use",
    );
    let replies: Vec<Reply> = decode(asked, &stream(&events)).into_iter().map(Result::unwrap).collect();
    let expected = [
        thought("x"),
        began("files/read"),
        began("files/read"),
        call("tag00", "files/read", "{}"),
        call("tag01", "files/read", "{}"),
        counted(7, 20),
        native(&[
            r#"{"type":"thinking","thinking":"x","signature":"s"}"#,
            r#"{"type":"tool_use","id":"tag00","name":"files_read","input":{}}"#,
            r#"{"type":"tool_use","id":"tag01","name":"files_read","input":{}}"#,
        ]),
        finish(Finish::Calls),
    ];
    assert_eq!(replies, expected);
}
