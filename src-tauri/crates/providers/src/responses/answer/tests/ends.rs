// SPDX-License-Identifier: Apache-2.0
use super::*;
use proptest::prelude::*;

#[test]
fn ends_of_all_kinds() {
    let words = delta("output_text", 0, "hi");
    let ended = |kind: &str, response: Value| vec![words.clone(), json!({ "type": kind, "response": response })];
    for (events, end) in [
        (ended("response.completed", json!({})), "finish Stop"),
        (ended("response.done", json!({ "status": "completed" })), "finish Stop"),
        (ended("response.completed", json!({ "status": "in_progress" })), "finish Stop"),
        (
            ended(
                "response.completed",
                json!({ "status": "incomplete", "incomplete_details": { "reason": "max_output_tokens" } }),
            ),
            "finish Length",
        ),
        (ended("response.incomplete", json!({ "incomplete_details": null })), "finish Length"),
        (
            ended("response.incomplete", json!({ "incomplete_details": { "reason": "content_filter" } })),
            "finish Refused",
        ),
        (ended("response.cancelled", json!({ "status": "cancelled" })), "error Server"),
        (ended("response.failed", json!({ "status": "failed", "error": null })), "error Server"),
        (
            ended("response.failed", json!({ "error": { "code": "rate_limit_exceeded", "message": "slow down" } })),
            "error Rate",
        ),
        (ended("response.failed", json!({ "error": { "code": "server_error", "message": "oops" } })), "error Server"),
        (
            ended("response.failed", json!({ "error": { "code": "context_length_exceeded", "message": "too long" } })),
            "error TooLong",
        ),
        (
            ended(
                "response.completed",
                json!({ "status": "completed", "error": { "code": "insufficient_quota", "message": "no credit" } }),
            ),
            "error Quota",
        ),
        (
            vec![
                words.clone(),
                json!({ "type": "error", "code": "insufficient_quota", "message": "You exceeded your current quota" }),
            ],
            "error Quota",
        ),
        (
            vec![
                words.clone(),
                json!({ "type": "error", "error": { "type": "server_error", "message": "Overloaded" } }),
            ],
            "error Overloaded",
        ),
        (vec![words.clone()], "error Interrupted"),
    ] {
        check(&events, &["text hi", end]);
    }
    // The provider's own words are kept, and after an error nothing is said.
    let replies = read(&stream(&[
        json!({ "type": "error", "error": { "code": "rate_limit_exceeded", "message": "Limit 30000, requested 35364." } }),
        json!({ "type": "response.failed", "response": { "error": { "code": "server_error" } } }),
        words.clone(),
    ]));
    let [Err(error)] = replies.as_slice() else { panic!("{replies:?}") };
    assert!(error.details.as_deref().is_some_and(|words| words.contains("requested 35364")), "{error:?}");
    for (bytes, expected) in [
        ("event: error\ndata: {\"message\":\"slow down\",\"code\":429}\n\n", vec!["error Rate"]),
        ("data: {\"error\":{\"message\":\"bad\",\"code\":\"invalid_api_key\"}}\n\n", vec!["error Auth"]),
        ("event: error\ndata: plain words\n\n", vec!["error Server"]),
        ("data: garbled\n\n", vec!["error Interrupted"]),
        ("data: [1,2]\n\n", vec!["error Interrupted"]),
        ("data: [DONE]\n\n", vec!["error Interrupted"]),
        ("", vec!["error Interrupted"]),
    ] {
        assert_eq!(short(&read(bytes)), expected, "{bytes}");
    }
    assert!(
        format!("{:?}", read("data: garbled\n\n")).contains("garbled"),
        "perhaps the only words on what went wrong"
    );
}

#[test]
fn an_end_that_lacks_brackets_is_still_one() {
    let cut = |events: &[Value], cut: usize| {
        let stream = stream(events);
        let stream = stream.trim_end();
        short(&read(&format!("{}\n\n", &stream[..stream.len() - cut])))
    };
    let events = [done(0, message("m", "hi")), completed(json!([message("m", "hi"), call("1", "a", "{}")]))];
    assert_eq!(cut(&events, 1), ["text hi", "usage 3 5", "finish Stop"]);
    assert_eq!(cut(&events, 2), ["text hi", "usage 3 5", "finish Stop"]);
    // The count may be half; what is only in the list may be, too; and an item that is open is.
    assert_eq!(cut(&events, 21), ["text hi", "finish Stop"]);
    assert_eq!(cut(&events[1..], 1), ["error Interrupted"]);
    let open = [added(0, call("1", "a", "")), completed(json!([]))];
    assert_eq!(cut(&open, 1), ["began a", "error Interrupted"]);
}

#[test]
fn json_in_place_of_a_stream_is_an_answer() {
    let response = json!({
        "id": "resp", "object": "response", "status": "completed", "error": null,
        "output": [
            { "type": "reasoning", "summary": [{ "type": "summary_text", "text": "hm" }], "encrypted_content": "x" },
            message("m", "hi"),
            call("c", "a", "{}"),
        ],
        "usage": { "input_tokens": 3, "output_tokens": 5 },
    });
    let replies = short(&read(&response.to_string()));
    assert_eq!(replies[..5], ["thought hm", "text hi", "began a", "call c a {}", "usage 3 5"]);
    assert!(replies[5].starts_with("native ") && replies[6] == "finish Calls", "{replies:?}");
    for (whole, expected) in [
        (
            json!({ "object": "response", "status": "incomplete", "incomplete_details": { "reason": "max_output_tokens" }, "output": [message("m", "ha")] }),
            vec!["text ha", "finish Length"],
        ),
        (
            json!({ "object": "response", "status": "failed", "error": { "code": "server_error", "message": "oops" }, "output": [] }),
            vec!["error Server"],
        ),
        (json!({ "object": "response", "status": "in_progress", "output": [] }), vec!["error Interrupted"]),
        (json!({ "error": { "message": "bad key", "code": "invalid_api_key" } }), vec!["error Auth"]),
        (json!({ "output": [message("m", "hi")] }), vec!["text hi", "finish Stop"]),
        (json!({ "hello": "world" }), vec!["error Invalid"]),
    ] {
        assert_eq!(short(&read(&whole.to_string())), expected, "{whole}");
    }
    // Events, one a line.
    let lines = [delta("output_text", 0, "hi"), completed(json!([]))].map(|event| format!("{event}\n")).concat();
    assert_eq!(short(&read(&lines)), ["text hi", "usage 3 5", "finish Stop"]);
}

#[test]
fn any_change_to_a_stream_is_survived() {
    let events = [
        added(0, json!({ "type": "reasoning", "id": "r", "summary": [] })),
        json!({ "type": "response.reasoning_summary_text.delta", "output_index": 0, "summary_index": 0, "delta": "hm" }),
        done(0, json!({ "type": "reasoning", "id": "r", "summary": [{ "text": "hm" }], "encrypted_content": "x" })),
        delta("output_text", 1, "hi"),
        json!({ "type": "response.output_text.annotation.added", "output_index": 1, "annotation": {} }),
        done(1, message("m", "hi")),
        added(2, call("c", "a", "")),
        delta("function_call_arguments", 2, "{}"),
        done(2, call("c", "a", "{}")),
        completed(json!([])),
    ];
    let odd = [
        json!(null),
        json!(7),
        json!("text"),
        json!([]),
        json!({}),
        json!(true),
        json!(-1.5e300),
        json!([{ "type": "x" }]),
    ];
    // Every field of every event becomes every odd value, in turn.
    for at in 0..events.len() {
        let mut paths = Vec::new();
        paths_of(&events[at], &mut Vec::new(), &mut paths);
        for path in paths {
            for value in &odd {
                let mut changed = events.clone();
                let mut place = &mut changed[at];
                for step in &path {
                    place = match place {
                        Value::Array(list) => &mut list[step.parse::<usize>().unwrap()],
                        other => &mut other[step.as_str()],
                    };
                }
                *place = value.clone();
                let replies = read(&stream(&changed));
                let ends = replies.iter().filter(|reply| matches!(reply, Err(_) | Ok(Reply::Finish { .. }))).count();
                assert_eq!(ends, 1, "{path:?} {value}: {replies:?}");
                assert!(matches!(replies.last(), Some(Err(_) | Ok(Reply::Finish { .. }))), "{path:?} {value}");
                if path.last().is_some_and(|last| last == "output_index") {
                    let calls = replies.iter().filter(|reply| matches!(reply, Ok(Reply::Call { .. }))).count();
                    assert_eq!(calls, 1, "{path:?} {value}: {replies:?}");
                }
            }
        }
    }
}

fn paths_of(value: &Value, path: &mut Vec<String>, all: &mut Vec<Vec<String>>) {
    let mut visit = |key: String, value: &Value| {
        path.push(key);
        all.push(path.clone());
        paths_of(value, path, all);
        path.pop();
    };
    match value {
        Value::Object(object) => object.iter().for_each(|(key, value)| visit(key.clone(), value)),
        Value::Array(list) => list.iter().enumerate().for_each(|(at, value)| visit(at.to_string(), value)),
        _ => {}
    }
}

fn some_event() -> impl Strategy<Value = Value> {
    let index = prop_oneof![Just(json!(null)), (0_u64..3).prop_map(Value::from)];
    let id = prop_oneof![Just(json!(null)), "[abc]".prop_map(Value::from)];
    let item = prop_oneof![
        Just(json!({ "type": "reasoning", "summary": [{ "text": "hm" }], "encrypted_content": "x" })),
        Just(json!({ "type": "message", "content": [{ "type": "output_text", "text": "hello you" }] })),
        Just(json!({ "type": "message", "content": [], "phase": "commentary" })),
        ("[12]", "\\{\\}|\\{|").prop_map(|(id, arguments)| call(&id, "a", &arguments)),
        Just(json!({ "type": "web_search_call" })),
    ];
    let what = prop_oneof![
        item.clone().prop_map(|item| json!({ "type": "response.output_item.added", "item": item })),
        item.clone().prop_map(|item| json!({ "type": "response.output_item.done", "item": item })),
        "hel|lo|hello".prop_map(|words| json!({ "type": "response.output_text.delta", "delta": words })),
        Just(json!({ "type": "response.output_text.done", "text": "hello you" })),
        Just(json!({ "type": "response.reasoning_summary_text.delta", "delta": "h" })),
        "\\{|\\}".prop_map(|piece| json!({ "type": "response.function_call_arguments.delta", "delta": piece })),
        Just(json!({ "type": "response.function_call_arguments.done", "arguments": "{}" })),
        Just(json!({ "type": "response.future.thing" })),
        (prop_oneof![Just("completed"), Just("incomplete"), Just("failed")], proptest::collection::vec(item, 0..3))
            .prop_map(|(end, output)| json!({ "type": format!("response.{end}"), "response": { "output": output } })),
    ];
    (what, index, id).prop_map(|(mut event, index, id)| {
        event["output_index"] = index;
        match event.get_mut("item") {
            Some(item) => item["id"] = id,
            None => event["item_id"] = id,
        }
        event
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn whatever_order_events_come_in_an_answer_is_one(events in proptest::collection::vec(some_event(), 0..14), size in 1_usize..300) {
        let bytes = stream(&events);
        let replies = read(&bytes);
        let ends = |reply: &Result<Reply, ModelError>| matches!(reply, Err(_) | Ok(Reply::Finish { .. }));
        prop_assert!(replies.iter().filter(|reply| ends(reply)).count() == 1 && replies.last().is_some_and(ends));
        let native = replies.iter().position(|reply| matches!(reply, Ok(Reply::Native { .. })));
        prop_assert!(native.is_none_or(|at| at + 2 == replies.len()));
        let calls: Vec<&String> = replies.iter().filter_map(|reply| match reply {
            Ok(Reply::Call { id, .. }) => Some(id),
            _ => None,
        }).collect();
        let told = replies.iter().rev().take_while(|reply| !matches!(reply, Ok(Reply::Retry { .. })));
        let told = told.filter(|reply| matches!(reply, Ok(Reply::CallBegan { .. }))).count();
        prop_assert!(told >= calls.len(), "each call was told of");
        prop_assert_eq!(calls.iter().collect::<HashSet<_>>().len(), calls.len());
        let wants = matches!(replies.last(), Some(Ok(Reply::Finish { finish: bailey_protocol::model::Finish::Calls })));
        prop_assert_eq!(wants, !calls.is_empty());
        // The same in pieces.
        let mut decoder = decoder();
        let mut again: Decoded = bytes.as_bytes().chunks(size).flat_map(|piece| decoder.push(piece)).collect();
        again.extend(decoder.end());
        prop_assert_eq!(again, replies);
    }
}
