// SPDX-License-Identifier: Apache-2.0
//! Streams as no documentation has them.

use super::*;
use proptest::prelude::*;

#[test]
fn half_an_answer_is_an_interruption() {
    let called = [start("m"), block(0, tool("a", "f")), delta(0, input("{\"x\":1}")), stop(0)];
    for (events, spoke) in [
        (vec![], false),
        (vec![start("m")], false),
        (vec![start("m"), block(0, json!({"type": "text", "text": "Hel"}))], true),
        (called.to_vec(), true),
        ([called.to_vec(), vec![json!({"type": "message_delta", "delta": {"stop_reason": null}})]].concat(), true),
    ] {
        let all = read(&events);
        let error = all.last().unwrap().as_ref().unwrap_err();
        assert_eq!(error.kind, RunErrorKind::Interrupted, "{events:?}");
        assert_eq!(error.message.contains("in the middle"), spoke, "{events:?}");
        assert!(!all.iter().any(|reply| matches!(reply, Ok(Reply::Call { .. } | Reply::Finish { .. }))));
    }
    // A call that the server calls finished although half of it is missing.
    let half = between(vec![block(0, tool("a", "f")), delta(0, input("{\"x\":"))], "tool_use");
    let error = read(&half).pop().unwrap().unwrap_err();
    assert_eq!(error.kind, RunErrorKind::Interrupted);
    // Its end came, so that is what the model wrote.
    let odd = between(vec![block(0, tool("a", "f")), delta(0, input("{\"x\":")), stop(0)], "tool_use");
    assert!(replies(&odd).contains(&call("a", "f", "{\"x\":")));
    // The last data may be the server's only words.
    let error = decode(asked(), b"event: message_start\ndata: upstream went away\n\n").pop().unwrap().unwrap_err();
    assert_eq!(error.details.as_deref(), Some("upstream went away"));
}

#[test]
fn a_call_without_a_name_is_none() {
    let events = between(vec![block(0, tool("a", "")), delta(0, input("{}")), stop(0)], "tool_use");
    assert_eq!(read(&events).pop().unwrap().unwrap_err().kind, RunErrorKind::Server);
    let events = between(
        vec![block(0, tool("a", "")), stop(0), block(1, tool("b", "g")), delta(1, input("{}")), stop(1)],
        "tool_use",
    );
    assert_eq!(replies(&events), [began("g"), call("b", "g", "{}"), counted(7, 20), finish(Finish::Calls)]);
}

#[test]
fn blocks_are_put_together_however_they_come() {
    let two = [call("a", "f", "{\"x\":1}"), call("b", "g", "{\"y\":2}")];
    let without_index = |mut event: Value| {
        event.as_object_mut().unwrap().shift_remove("index");
        event
    };
    for (what, events) in [
        (
            "interleaved",
            vec![
                block(0, tool("a", "f")),
                block(1, tool("b", "g")),
                delta(1, input("{\"y\"")),
                delta(0, input("{\"x\":")),
                delta(1, input(":2}")),
                delta(0, input("1}")),
                stop(1),
                stop(0),
            ],
        ),
        (
            "no index",
            [
                vec![block(0, tool("a", "f")), delta(0, input("{\"x\":1}")), stop(0)],
                vec![block(1, tool("b", "g")), delta(1, input("{\"y\":2}")), stop(1)],
            ]
            .concat()
            .into_iter()
            .map(without_index)
            .collect(),
        ),
        (
            "always the same index",
            vec![
                block(0, tool("a", "f")),
                delta(0, input("{\"x\":1}")),
                stop(0),
                block(0, tool("b", "g")),
                delta(0, input("{\"y\":2}")),
                stop(0),
            ],
        ),
        (
            "the same index without an end",
            vec![
                block(0, tool("a", "f")),
                delta(0, input("{\"x\":1}")),
                block(0, tool("b", "g")),
                delta(0, input("{\"y\":2}")),
            ],
        ),
        (
            "beginnings and ends twice",
            vec![
                block(0, tool("a", "f")),
                block(0, tool("a", "f")),
                delta(0, input("{\"x\":1}")),
                stop(0),
                stop(0),
                block(1, tool("b", "g")),
                stop(9),
                delta(1, input("{\"y\":2}")),
                stop(1),
            ],
        ),
        (
            "a wrong index",
            vec![
                block(0, tool("a", "f")),
                delta(5, input("{\"x\":1}")),
                stop(0),
                block(1, tool("b", "g")),
                json!({"type": "content_block_delta", "index": "1", "delta": input("{\"y\"")}),
                json!({"type": "content_block_delta", "index": null, "delta": input(":2}")}),
                stop(1),
            ],
        ),
        (
            "the input at the beginning",
            vec![
                block(0, json!({"type": "tool_use", "id": "a", "name": "f", "input": {"x": 1}})),
                stop(0),
                block(1, json!({"type": "tool_use", "id": "b", "name": "g", "input": {"y": 2}})),
                delta(1, input("")),
            ],
        ),
        (
            "input as an object",
            vec![
                block(0, tool("a", "f")),
                json!({"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": {"x": 1}}}),
                block(1, tool("b", "g")),
                json!({"type": "content_block_delta", "index": 1, "delta": {"partial_json": "{\"y\":2}"}}),
            ],
        ),
    ] {
        let replies = replies(&between(events, "tool_use"));
        let calls: Vec<Reply> = replies.into_iter().filter(|reply| matches!(reply, Reply::Call { .. })).collect();
        assert_eq!(calls, two, "{what}");
    }
}

#[test]
fn text_comes_through_whatever_is_around_it() {
    for (what, events) in [
        ("no beginning", vec![delta(0, text("Hi")), delta(0, text("!"))]),
        ("no message", vec![block(0, json!({"type": "text", "text": "Hi"})), delta(0, text("!")), stop(0)]),
        ("an empty kind", vec![block(0, json!({"text": "Hi"})), delta(0, json!({"text": "!"}))]),
        ("into a search", vec![block(0, json!({"type": "server_tool_use"})), delta(0, text("Hi!"))]),
        ("after its end", vec![block(0, json!({"type": "text", "text": ""})), stop(0), delta(0, text("Hi!"))]),
        (
            "nulls",
            vec![
                block(0, json!({"type": "text", "text": null, "citations": null})),
                json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": null}}),
                json!({"type": "content_block_delta", "index": 0, "delta": null}),
                json!({"type": "content_block_delta", "index": 0}),
                json!({"type": "content_block_start", "index": 3, "content_block": null}),
                json!({"type": "message_delta", "delta": null, "usage": null}),
                delta(0, text("Hi!")),
            ],
        ),
        ("a key twice", vec![block(0, json!({"type": "text", "text": "Hi!"}))]),
    ] {
        let replies = replies(&[events, end("end_turn")].concat());
        let words: String = replies
            .iter()
            .filter_map(|reply| match reply {
                Reply::Text { text } => Some(text.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(words, "Hi!", "{what}");
        assert_eq!(replies.last(), Some(&finish(Finish::Stop)), "{what}");
    }
    let twice = b"data: {\"type\":\"content_block_delta\",\"index\":0,\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"a\",\"text\":\"b\"}}\n\ndata: {\"type\":\"message_stop\"}\n\n";
    let all: Vec<Reply> = decode(asked(), twice).into_iter().map(Result::unwrap).collect();
    assert_eq!(all, [said("b"), finish(Finish::Stop)]);
}

#[test]
fn an_end_is_an_end_however_it_is_written() {
    let words = vec![start("m"), block(0, json!({"type": "text", "text": "Hi"})), stop(0)];
    for (what, rest) in [
        ("no message_stop", vec![end("end_turn").remove(0)]),
        ("no message_delta", vec![json!({"type": "message_stop"})]),
        ("the reason twice", [end("end_turn"), end("end_turn")].concat()),
        (
            "an error behind it",
            [end("end_turn"), vec![json!({"type": "error", "error": {"message": "late"}})]].concat(),
        ),
    ] {
        let replies = replies(&[words.clone(), rest].concat());
        assert_eq!(replies.first(), Some(&said("Hi")), "{what}");
        assert_eq!(replies.last(), Some(&finish(Finish::Stop)), "{what}");
        assert_eq!(replies.iter().filter(|reply| matches!(reply, Reply::Finish { .. })).count(), 1, "{what}");
    }
    let done =
        [stream(&words), stream(&end("end_turn")), b"data: [DONE]\n\ndata: {\"type\":\"message_start\"}\n\n".to_vec()]
            .concat();
    assert_eq!(decode(asked(), &done).last(), Some(&Ok(finish(Finish::Stop))));
}

#[test]
fn what_nobody_knows_is_kept_and_aborts_nothing() {
    let odd_delta = delta(0, json!({"type": "sparkle_delta", "sparkle": "*"}));
    let odd_event = json!({"type": "weather_report", "sun": true});
    let verdict = json!([{"type": "safeguard", "status": {"type": "done"}}]);
    let events = [
        start("m"),
        odd_event.clone(),
        block(0, json!({"type": "text", "text": "a"})),
        odd_delta.clone(),
        stop(0),
        json!({
            "type": "message_delta",
            "delta": {"stop_reason": "end_turn", "stop_sequence": null, "stop_details": null, "container": {"id": "c"}, "safeguard_results": verdict},
            "usage": {"output_tokens": 20},
            "context_management": {"applied_edits": []},
        }),
        json!({"type": "message_stop"}),
    ];
    let expected = [
        item("weather_report", odd_event),
        said("a"),
        item("sparkle_delta", odd_delta),
        item("safeguard_results", verdict),
        counted(7, 20),
        finish(Finish::Stop),
    ];
    assert_eq!(replies(&events), expected, "and no form of its own, for nobody can put it together");
}

#[test]
fn errors_are_told_in_the_providers_words() {
    let error = |kind: &str, message: &str| json!({"type": "error", "error": {"type": kind, "message": message}});
    for (event, kind) in [
        (error("overloaded_error", "Overloaded"), RunErrorKind::Overloaded),
        (error("rate_limit_error", "Slow down"), RunErrorKind::Rate),
        (error("api_error", "Internal server error"), RunErrorKind::Server),
        (error("authentication_error", "invalid x-api-key"), RunErrorKind::Auth),
        (error("invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"), RunErrorKind::TooLong),
        (json!({"error": {"message": "no such model", "code": 400}}), RunErrorKind::Invalid),
        (json!({"code": 503, "message": "busy, unavailable"}), RunErrorKind::Overloaded),
        (json!({"detail": "it broke", "status": 500}), RunErrorKind::Server),
    ] {
        let words =
            event["error"]["message"].as_str().or(event["message"].as_str()).or(event["detail"].as_str()).unwrap();
        for before in [vec![], vec![start("m"), block(0, json!({"type": "text", "text": "a"}))]] {
            let all = read(&[before, vec![event.clone()], end("end_turn")].concat());
            let failure = all.last().unwrap().as_ref().unwrap_err();
            assert_eq!(failure.kind, kind, "{event}: {failure:?}");
            assert!(failure.details.as_ref().unwrap().contains(words), "{failure:?}");
            assert!(!all.iter().any(|reply| matches!(reply, Ok(Reply::Finish { .. }))), "nothing behind it");
        }
        let failure = decode(asked(), event.to_string().as_bytes()).pop().unwrap().unwrap_err();
        assert_eq!(failure.kind, kind, "in place of a stream: {event}");
    }
    let named = decode(asked(), b"event: error\ndata: it is broken\n\n").pop().unwrap().unwrap_err();
    assert_eq!((named.kind, named.details.as_deref()), (RunErrorKind::Server, Some("it is broken")));
}

#[test]
fn a_second_generation_voids_the_first() {
    let thinking = |signature: &str| {
        vec![
            block(0, json!({"type": "thinking", "thinking": signature})),
            delta(0, json!({"type": "signature_delta", "signature": signature})),
            stop(0),
        ]
    };
    let first =
        [vec![start("m1")], thinking("s1"), vec![block(1, tool("a", "f")), delta(1, input("{\"v\":\"Sp"))]].concat();
    let second =
        [vec![start("m2")], thinking("s2"), vec![block(1, tool("b", "f")), delta(1, input("{\"v\":1}")), stop(1)]]
            .concat();
    let expected = [
        thought("s1"),
        began("f"),
        Reply::Retry { kind: RunErrorKind::Interrupted, wait_ms: 0 },
        thought("s2"),
        began("f"),
        call("b", "f", "{\"v\":1}"),
        counted(7, 20),
        native(&[
            r#"{"type":"thinking","thinking":"s2","signature":"s2"}"#,
            r#"{"type":"tool_use","id":"b","name":"f","input":{"v":1}}"#,
        ]),
        finish(Finish::Calls),
    ];
    assert_eq!(replies(&[first, second, end("tool_use")].concat()), expected);

    // The same beginning twice is one, and nothing that was said is taken back.
    let doubled =
        [start("m"), start("m"), block(0, json!({"type": "text", "text": "a"})), start("m"), delta(0, text("b"))];
    let expected = [said("a"), said("b"), counted(7, 20), finish(Finish::Stop)];
    assert_eq!(replies(&[doubled.to_vec(), end("end_turn")].concat()), expected);

    // Before anything was said there is nothing to take back.
    let early =
        [vec![start("m1"), start("m2"), block(0, json!({"type": "text", "text": "a"}))], end("end_turn")].concat();
    assert_eq!(replies(&early), [said("a"), counted(7, 20), finish(Finish::Stop)]);
}

#[test]
fn a_message_behind_a_whole_one_goes_on_with_it() {
    let program = json!({"type": "code_execution_20250825", "tool_id": "srv"});
    let called = |id: &str| json!({"type": "tool_use", "id": id, "name": "roll", "input": {"n": 1}, "caller": program});
    let whole = |id: &str| {
        vec![
            json!({"type": "message_start", "message": {"id": id, "content": [called(id)], "stop_reason": "tool_use", "usage": {"input_tokens": 0}}}),
            json!({"type": "message_stop"}),
        ]
    };
    let last = [vec![start("m"), block(0, json!({"type": "text", "text": "Done"})), stop(0)], end("end_turn")].concat();
    let events = [whole("a"), whole("b"), last].concat();
    let expected = [
        began("roll"),
        began("roll"),
        said("Done"),
        call("a", "roll", "{\"n\":1}"),
        call("b", "roll", "{\"n\":1}"),
        counted(7, 20),
        native(&[
            &format!(r#"{{"type":"tool_use","id":"a","name":"roll","input":{{"n":1}},"caller":{program}}}"#),
            &format!(r#"{{"type":"tool_use","id":"b","name":"roll","input":{{"n":1}},"caller":{program}}}"#),
            r#"{"type":"text","text":"Done"}"#,
        ]),
        finish(Finish::Calls),
    ];
    assert_eq!(replies(&events), expected);
    // Cut off behind its beginning, a message that came whole with it counts.
    assert_eq!(replies(&events[..1]).last(), Some(&finish(Finish::Calls)));
}

#[test]
fn arguments_that_are_no_object_can_go_back() {
    let thinking = block(0, json!({"type": "thinking", "thinking": "x", "signature": "s"}));
    for (written, sent) in [
        ("[1]", r#"{"not_an_object":"[1]"}"#),
        ("{\"half", r#"{"not_an_object":"{\"half"}"#),
        (" {\"a\" : 1}\n", "{\"a\" : 1}"),
    ] {
        let events = between(
            vec![thinking.clone(), stop(0), block(1, tool("a", "f")), delta(1, input(written)), stop(1)],
            "tool_use",
        );
        let replies = replies(&events);
        assert!(replies.contains(&call("a", "f", written)), "as it was written: {replies:?}");
        let Some(Reply::Native { native }) = replies.iter().find(|reply| matches!(reply, Reply::Native { .. })) else {
            panic!("{replies:?}")
        };
        assert_eq!(native.items[1], json!(format!(r#"{{"type":"tool_use","id":"a","name":"f","input":{sent}}}"#)));
    }
}

fn any_event() -> impl Strategy<Value = Value> {
    let index = 0_u32..3;
    prop_oneof![
        Just(start("m1")),
        Just(start("m2")),
        Just(json!({"type": "message_start", "message": 7})),
        Just(json!({"type": "message_delta", "delta": 7, "usage": []})),
        index.clone().prop_map(|at| block(at, json!({"type": "text", "text": "t"}))),
        index.clone().prop_map(|at| block(at, json!({"type": "thinking", "thinking": "k"}))),
        index.clone().prop_map(|at| block(at, tool("a", "f"))),
        index.clone().prop_map(|at| block(at, json!({"type": "server_tool_use", "id": "s", "input": {}}))),
        index.clone().prop_map(|at| block(at, json!("odd"))),
        index.clone().prop_map(|at| delta(at, text("t"))),
        index.clone().prop_map(|at| delta(at, json!({"type": "thinking_delta", "thinking": "k"}))),
        index.clone().prop_map(|at| delta(at, input("{\"x\""))),
        index.clone().prop_map(|at| delta(at, input(":1}"))),
        index.clone().prop_map(|at| delta(at, json!({"type": "signature_delta", "signature": "s"}))),
        index.clone().prop_map(|at| delta(at, json!({"type": "odd_delta"}))),
        index.prop_map(stop),
        Just(end("tool_use").remove(0)),
        Just(end("max_tokens").remove(0)),
        Just(json!({"type": "message_stop"})),
        Just(json!({"type": "error", "error": {"message": "x"}})),
    ]
}

proptest! {
    #[test]
    fn whatever_comes_there_is_one_end_and_calls_match_their_form(events in proptest::collection::vec(any_event(), 0..24)) {
        let all = read(&events);
        let ends = all.iter().filter(|reply| matches!(reply, Err(_) | Ok(Reply::Finish { .. }))).count();
        prop_assert_eq!(ends, 1, "{:?}", all);
        let ended = matches!(all.last(), Some(Err(_) | Ok(Reply::Finish { .. })));
        prop_assert!(ended);
        let calls: Vec<&str> = all.iter().filter_map(|reply| match reply {
            Ok(Reply::Call { id, .. }) => Some(id.as_str()),
            _ => None,
        }).collect();
        for reply in &all {
            if let Ok(Reply::Native { native }) = reply {
                let blocks: Vec<Value> = native.items.iter().map(|item| serde_json::from_str(item.as_str().unwrap()).unwrap()).collect();
                let ids: Vec<&str> = blocks.iter().filter(|block| block["type"] == "tool_use").map(|block| block["id"].as_str().unwrap()).collect();
                prop_assert_eq!(&ids, &calls);
            }
        }
    }
}
