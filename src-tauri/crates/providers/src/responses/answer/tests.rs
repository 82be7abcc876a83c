// SPDX-License-Identifier: Apache-2.0
mod calls;
mod ends;
mod native;

use super::*;
use crate::Decoder;
use bailey_protocol::ProviderKind;
use serde_json::json;
use std::collections::HashSet;

fn decoder() -> Decoder {
    let asked = Asked {
        tag: "made".to_owned(),
        used: HashSet::from(["used".to_owned()]),
        origin: "here".to_owned(),
        ..Asked::default()
    };
    Decoder::new(ProviderKind::OpenaiResponses, asked).unwrap()
}

fn stream(events: &[Value]) -> String {
    events.iter().map(|event| format!("event: {}\ndata: {event}\n\n", text(event, "type"))).collect()
}

fn read(bytes: &str) -> Decoded {
    let mut decoder = decoder();
    let mut replies = decoder.push(bytes.as_bytes());
    replies.extend(decoder.end());
    replies
}

/// The replies, each as a short text; texts in a row as one.
fn short(replies: &Decoded) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut join = |start: &str, piece: &str| match all.last_mut().filter(|last| last.starts_with(start)) {
        Some(last) => last.push_str(piece),
        None => all.push(format!("{start}{piece}")),
    };
    for reply in replies {
        match reply {
            Ok(Reply::Text { text }) => join("text ", text),
            Ok(Reply::Reasoning { text }) => join("thought ", text),
            Ok(Reply::CallBegan { name }) => join(&format!("began {name}"), ""),
            Ok(Reply::Call { id, name, arguments }) => join(&format!("call {id} {name} {arguments}"), ""),
            Ok(Reply::Item { kind, data }) => join(&format!("item {kind} {data}"), ""),
            Ok(Reply::Native { native }) => join(&format!("native {}", Value::from(native.items.clone())), ""),
            Ok(Reply::Usage { usage }) => join(&format!("usage {} {}", usage.input, usage.output), ""),
            Ok(Reply::Finish { finish }) => join(&format!("finish {finish:?}"), ""),
            Ok(other) => join(&format!("{other:?}"), ""),
            Err(error) => join(&format!("error {:?}", error.kind), ""),
        }
    }
    all
}

/// What a stream of these events says; the same at every split.
fn check(events: &[Value], expected: &[&str]) {
    let bytes = stream(events);
    let whole = read(&bytes);
    assert_eq!(short(&whole), expected, "{bytes}");
    for at in 0..bytes.len() {
        let mut decoder = decoder();
        let mut replies = decoder.push(&bytes.as_bytes()[..at]);
        replies.extend(decoder.push(&bytes.as_bytes()[at..]));
        replies.extend(decoder.end());
        assert_eq!(replies, whole, "split at {at}");
    }
    // Without their names events say the same.
    let bare: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
    assert_eq!(read(&bare), whole);
}

fn delta(kind: &str, index: u64, delta: &str) -> Value {
    json!({ "type": format!("response.{kind}.delta"), "output_index": index, "content_index": 0, "delta": delta })
}

fn added(index: u64, item: Value) -> Value {
    json!({ "type": "response.output_item.added", "output_index": index, "item": item })
}

fn done(index: u64, item: Value) -> Value {
    json!({ "type": "response.output_item.done", "output_index": index, "item": item })
}

fn message(id: &str, words: &str) -> Value {
    json!({ "type": "message", "id": id, "role": "assistant", "content": [{ "type": "output_text", "text": words, "annotations": [] }] })
}

fn call(id: &str, name: &str, arguments: &str) -> Value {
    json!({ "type": "function_call", "id": format!("fc_{id}"), "call_id": id, "name": name, "arguments": arguments, "status": "completed" })
}

fn completed(output: Value) -> Value {
    let usage = json!({ "input_tokens": 3, "output_tokens": 5 });
    json!({ "type": "response.completed", "response": { "status": "completed", "output": output, "usage": usage } })
}

#[test]
fn text_is_said_once_however_often_it_comes() {
    check(
        &[
            json!({ "type": "response.created", "response": { "status": "in_progress" } }),
            added(0, json!({ "type": "message", "id": "m", "content": [] })),
            delta("output_text", 0, "Hel"),
            delta("output_text", 0, "lo ☃\n"),
            json!({ "type": "response.output_text.done", "output_index": 0, "content_index": 0, "text": "Hello ☃\n" }),
            json!({ "type": "response.content_part.done", "output_index": 0, "content_index": 0, "part": { "type": "output_text", "text": "Hello ☃\n" } }),
            done(0, message("m", "Hello ☃\n")),
            completed(json!([message("m", "Hello ☃\n")])),
        ],
        &["text Hello ☃\n", "usage 3 5", "finish Stop"],
    );
    // Without pieces, from each of the places where it comes whole.
    for event in [
        json!({ "type": "response.output_text.done", "output_index": 0, "content_index": 0, "text": "whole" }),
        json!({ "type": "response.content_part.done", "output_index": 0, "part": { "type": "output_text", "text": "whole" } }),
        done(0, message("m", "whole")),
        json!({ "type": "response.output_item.done", "item": { "type": "message", "content": "whole" } }),
    ] {
        check(&[event, completed(json!([]))], &["text whole", "usage 3 5", "finish Stop"]);
    }
    check(&[completed(json!([message("m", "whole")]))], &["text whole", "usage 3 5", "finish Stop"]);
    // Pieces that are missing are made up for; other words under the same number are not.
    check(
        &[delta("output_text", 0, "The be"), done(0, message("m", "The beginning")), completed(json!([]))],
        &["text The beginning", "usage 3 5", "finish Stop"],
    );
    check(
        &[delta("output_text", 0, "One word"), done(0, message("m", "Other words")), completed(json!([]))],
        &["text One word", "usage 3 5", "finish Stop"],
    );
}

#[test]
fn text_of_which_most_never_came_is_said_anew() {
    let patch = json!({ "type": "apply_patch_call", "call_id": "p" });
    let events = [
        done(0, patch.clone()),
        added(1, call("c", "a", "")),
        delta("output_text", 2, "It is."),
        done(2, message("m", "It is as I said, and then some more.")),
        done(1, call("c", "a", "{}")),
        completed(json!([])),
    ];
    let item = format!("item apply_patch_call {patch}");
    let retry = format!("{:?}", Reply::Retry { kind: RunErrorKind::Interrupted, wait_ms: 0 });
    check(
        &events,
        &[
            &item,
            "began a",
            "text It is.",
            &retry,
            &item,
            "began a",
            "text It is as I said, and then some more.",
            "call c a {}",
            "usage 3 5",
            "finish Calls",
        ],
    );
    // Not where something would be lost by it.
    let whole = done(1, message("m", "It is as I said, and then some more."));
    let open = [delta("output_text", 0, "Open"), delta("output_text", 1, "It is."), whole, completed(json!([]))];
    check(&open, &["text Open\n\nIt is.", "usage 3 5", "finish Stop"]);
}

#[test]
fn a_refusal_is_what_the_model_says() {
    check(
        &[
            delta("refusal", 0, "I "),
            delta("refusal", 0, "can't"),
            json!({ "type": "response.refusal.done", "output_index": 0, "content_index": 0, "refusal": "I can't." }),
            done(0, json!({ "type": "message", "content": [{ "type": "refusal", "refusal": "I can't." }] })),
            completed(json!([])),
        ],
        &["text I can't.", "usage 3 5", "finish Stop"],
    );
}

#[test]
fn thoughts_are_paragraphs() {
    let summary = |index: u64, words: &str| json!({ "type": "response.reasoning_summary_text.delta", "output_index": 0, "summary_index": index, "delta": words });
    let item = json!({ "type": "reasoning", "id": "r", "summary": [{ "type": "summary_text", "text": "**One** a" }, { "type": "summary_text", "text": "two" }] });
    check(
        &[
            added(0, json!({ "type": "reasoning", "id": "r", "summary": [] })),
            json!({ "type": "response.reasoning_summary_part.added", "output_index": 0, "summary_index": 0, "part": { "text": "" } }),
            summary(0, "**One**"),
            summary(0, " a"),
            json!({ "type": "response.reasoning_summary_text.done", "output_index": 0, "summary_index": 0, "text": "**One** a" }),
            summary(1, "two"),
            done(0, item.clone()),
            done(
                1,
                json!({ "type": "reasoning", "summary": [], "content": [{ "type": "reasoning_text", "text": "raw" }] }),
            ),
            delta("reasoning_text", 2, "more"),
            done(3, message("m", "answer")),
            completed(json!([item])),
        ],
        &["thought **One** a\n\ntwo\n\nraw\n\nmore", "text answer", "usage 3 5", "finish Stop"],
    );
}

#[test]
fn two_messages_are_two_paragraphs() {
    check(
        &[
            done(
                0,
                json!({ "type": "message", "id": "a", "phase": "commentary", "content": [{ "type": "output_text", "text": "Looking." }] }),
            ),
            done(
                2,
                json!({ "type": "message", "id": "b", "phase": "final_answer", "content": [{ "type": "output_text", "text": "Here" }, { "type": "output_text", "text": " it is." }] }),
            ),
            completed(json!([])),
        ],
        &[
            "text Looking.\n\nHere it is.",
            "usage 3 5",
            concat!(
                r#"native [{"item":{"type":"message","id":"a","phase":"commentary","content":[{"type":"output_text","text":"Looking."}]}},"#,
                r#"{"item":{"type":"message","id":"b","phase":"final_answer","content":[{"type":"output_text","text":"Here"},{"type":"output_text","text":" it is."}]}}]"#
            ),
            "finish Stop",
        ],
    );
}

#[test]
fn what_is_not_known_is_kept() {
    let search = json!({ "type": "web_search_call", "id": "ws", "status": "completed", "action": { "query": "q" } });
    check(
        &[
            added(0, json!({ "type": "web_search_call", "id": "ws", "status": "in_progress" })),
            json!({ "type": "response.web_search_call.searching", "output_index": 0, "item_id": "ws" }),
            json!({ "type": "response.web_search_call.completed", "output_index": 0, "item_id": "ws" }),
            done(0, search.clone()),
            done(1, json!({ "type": "future_thing", "n": 1.0 })),
            json!({ "type": "response.future.delta", "delta": "x" }),
            json!({ "hello": "world" }),
            added(2, json!({ "type": "never_done", "id": "n" })),
            done(
                3,
                json!({ "type": "message", "content": [
                { "type": "output_text", "text": "see", "annotations": [{ "type": "url_citation", "url": "https://a.example" }] },
                { "type": "output_picture", "data": "AA==" },
            ] }),
            ),
            completed(json!([search])),
        ],
        &[
            r#"item web_search_call {"type":"web_search_call","id":"ws","status":"completed","action":{"query":"q"}}"#,
            r#"item future_thing {"type":"future_thing","n":1.0}"#,
            r#"item response.future.delta {"type":"response.future.delta","delta":"x"}"#,
            r#"item event {"hello":"world"}"#,
            "text see",
            r#"item citations [{"type":"url_citation","url":"https://a.example"}]"#,
            r#"item output_picture {"type":"output_picture","data":"AA=="}"#,
            r#"item never_done {"type":"never_done","id":"n"}"#,
            "usage 3 5",
            "finish Stop",
        ],
    );
    // Calls that nobody here can answer are shown; there is nothing to run.
    for kind in [
        "custom_tool_call",
        "local_shell_call",
        "apply_patch_call",
        "shell_call",
        "computer_call",
        "mcp_approval_request",
    ] {
        let item = json!({ "type": kind, "call_id": "c" });
        check(
            &[done(0, item.clone()), completed(json!([]))],
            &[&format!("item {kind} {item}"), "usage 3 5", "finish Stop"],
        );
    }
    // Citations of an item that never came whole.
    check(
        &[
            delta("output_text", 0, "see"),
            json!({ "type": "response.output_text.annotation.added", "output_index": 0, "annotation": { "url": "u" } }),
            completed(json!([])),
        ],
        &["text see", r#"item citations [{"url":"u"}]"#, "usage 3 5", "finish Stop"],
    );
}
