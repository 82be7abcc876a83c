// SPDX-License-Identifier: Apache-2.0
use super::*;
use bailey_protocol::model::{Request, ToolDeclaration};

#[test]
fn calls_come_once_and_in_order() {
    let expected = ["began b", "began a", "call c2 a {\"x\":1}", "call c1 b {}", "usage 3 5", "finish Calls"];
    check(
        &[
            added(1, call("c1", "b", "")),
            added(0, call("c2", "a", "")),
            delta("function_call_arguments", 0, "{\"x\""),
            delta("function_call_arguments", 1, "{"),
            delta("function_call_arguments", 0, ":1}"),
            delta("function_call_arguments", 1, "}"),
            json!({ "type": "response.function_call_arguments.done", "output_index": 0, "arguments": "{\"x\":1}" }),
            done(0, call("c2", "a", "{\"x\":1}")),
            done(0, call("c2", "a", "{\"x\":1}")),
            done(1, call("c1", "b", "{}")),
            completed(json!([call("c2", "a", "{\"x\":1}"), call("c1", "b", "{}")])),
        ],
        &expected,
    );
    // From each place alone; nothing as arguments is `{}`; arguments as an object; an id that is used or missing.
    for (events, expected) in [
        (vec![added(0, call("c", "a", "")), completed(json!([]))], "call c a {}"),
        (vec![added(0, call("c", "a", "{\"x\":1}")), completed(json!([]))], "call c a {\"x\":1}"),
        (vec![done(0, call("c", "a", "{\"x\":1}")), completed(json!([]))], "call c a {\"x\":1}"),
        (vec![completed(json!([call("c", "a", "{\"x\":1}")]))], "call c a {\"x\":1}"),
        (
            vec![added(0, call("c", "a", "")), delta("function_call_arguments", 0, "{\"x\":1}"), completed(json!([]))],
            "call c a {\"x\":1}",
        ),
        (
            vec![
                json!({ "type": "response.output_item.done", "item": { "type": "function_call", "call_id": "c", "name": "a", "arguments": { "x": 1 } } }),
                completed(json!([])),
            ],
            "call c a {\"x\":1}",
        ),
        (vec![done(0, call("used", "a", "not json")), completed(json!([]))], "call made00 a not json"),
        (vec![done(0, call("", "a", "")), completed(json!([]))], "call made00 a {}"),
        (
            vec![
                json!({ "type": "response.function_call_arguments.done", "name": "a", "arguments": "{}" }),
                completed(json!([])),
            ],
            "call made00 a {}",
        ),
    ] {
        check(&events, &["began a", expected, "usage 3 5", "finish Calls"]);
    }
}

#[test]
fn numbers_and_ids_that_are_wrong_tell_nothing() {
    // All have the number 0, and their own ids.
    let two = [
        json!({ "type": "response.output_item.added", "output_index": 0, "item": call("1", "a", "") }),
        json!({ "type": "response.output_item.added", "output_index": 0, "item": call("2", "b", "") }),
        json!({ "type": "response.function_call_arguments.delta", "output_index": 0, "item_id": "fc_1", "delta": "{\"x\":1}" }),
        json!({ "type": "response.function_call_arguments.delta", "output_index": 0, "item_id": "fc_2", "delta": "{\"y\":2}" }),
        completed(json!([])),
    ];
    let expected = ["began a", "began b", "call 1 a {\"x\":1}", "call 2 b {\"y\":2}", "usage 3 5", "finish Calls"];
    check(&two, &expected);
    // Every event has an id of its own; numbers tell.
    let rotating = |mut event: Value, id: &str| {
        event["item_id"] = id.into();
        event
    };
    let with_id = |mut item: Value, id: &str| {
        item["id"] = id.into();
        item
    };
    check(
        &[
            added(0, with_id(call("1", "a", ""), "i1")),
            added(1, with_id(call("2", "b", ""), "i2")),
            rotating(delta("function_call_arguments", 0, "{\"x\":"), "i3"),
            rotating(delta("function_call_arguments", 1, "{\"y\":2}"), "i4"),
            rotating(delta("function_call_arguments", 0, "1}"), "i5"),
            done(0, with_id(call("1", "a", "{\"x\":1}"), "i6")),
            done(0, with_id(call("1", "a", "{\"x\":1}"), "i7")),
            done(1, with_id(call("2", "b", "{\"y\":2}"), "i8")),
            completed(json!([with_id(call("1", "a", "{\"x\":1}"), "i9"), with_id(call("2", "b", "{\"y\":2}"), "i10")])),
        ],
        &expected,
    );
    // The same id everywhere; numbers tell.
    check(
        &[
            added(0, with_id(call("1", "a", ""), "same")),
            added(1, with_id(call("2", "b", ""), "same")),
            rotating(delta("function_call_arguments", 0, "{\"x\":1}"), "same"),
            rotating(delta("function_call_arguments", 1, "{\"y\":2}"), "same"),
            done(0, with_id(call("1", "a", "{\"x\":1}"), "same")),
            done(1, with_id(call("2", "b", "{\"y\":2}"), "same")),
            completed(json!([
                with_id(call("1", "a", "{\"x\":1}"), "same"),
                with_id(call("2", "b", "{\"y\":2}"), "same")
            ])),
        ],
        &expected,
    );
    // Neither numbers nor ids nor starts.
    check(
        &[
            json!({ "type": "response.output_text.delta", "delta": "a" }),
            json!({ "type": "response.output_text.delta", "delta": "b" }),
            json!({ "type": "response.output_item.done", "item": { "type": "message", "content": [{ "type": "output_text", "text": "ab" }] } }),
            json!({ "type": "response.function_call_arguments.delta", "delta": "{\"x\":" }),
            json!({ "type": "response.function_call_arguments.delta", "delta": "1}" }),
            json!({ "type": "response.output_item.done", "item": { "type": "function_call", "call_id": "1", "name": "a", "arguments": "" } }),
            completed(json!([])),
        ],
        &["text ab", "began a", "call 1 a {\"x\":1}", "usage 3 5", "finish Calls"],
    );
    // A start that comes twice, or too late; numbers as text.
    check(
        &[
            delta("output_text", 0, "a"),
            added(0, json!({ "type": "message", "id": "m", "content": [] })),
            added(0, json!({ "type": "message", "id": "m", "content": [] })),
            json!({ "type": "response.output_text.delta", "output_index": "0", "content_index": null, "delta": "b" }),
            done(0, message("m", "ab")),
            added(1, call("1", "a", "")),
            added(1, call("1", "a", "")),
            done(1, call("1", "a", "{}")),
            completed(json!([message("m", "ab"), call("1", "a", "{}")])),
        ],
        &["text ab", "began a", "call 1 a {}", "usage 3 5", "finish Calls"],
    );
    // What the list at the end has more is said.
    check(
        &[
            done(1, message("m2", "second")),
            completed(json!([message("m1", "first"), message("m2", "second"), call("1", "a", "{}")])),
        ],
        &["text second\n\nfirst", "began a", "call 1 a {}", "usage 3 5", "finish Calls"],
    );
}

#[test]
fn calls_in_one_call_are_taken_out() {
    let arguments = r#"{"tool_uses":[{"recipient_name":"functions.a","parameters":{"x":1}},{"recipient_name":"functions.b","parameters":{}}]}"#;
    check(
        &[
            added(0, call("c", "parallel", "")),
            delta("function_call_arguments", 0, arguments),
            done(0, call("c", "parallel", arguments)),
            completed(json!([])),
        ],
        &["began a", "began b", "call c_1 a {\"x\":1}", "call c_2 b {}", "usage 3 5", "finish Calls"],
    );
    check(
        &[done(0, call("c", "parallel", "{\"n\":1}")), completed(json!([]))],
        &["began parallel", "call c parallel {\"n\":1}", "usage 3 5", "finish Calls"],
    );
}

#[test]
fn half_a_call_never_comes_out() {
    let end = |reason: &str| json!({ "type": "response.incomplete", "response": { "status": "incomplete", "incomplete_details": { "reason": reason }, "output": [] } });
    let half = |status: &str| {
        let mut item = call("2", "b", "{\"y\":");
        item["status"] = status.into();
        item
    };
    let begin = vec![
        done(0, call("1", "a", "{}")),
        added(1, call("2", "b", "")),
        delta("function_call_arguments", 1, "{\"y\":"),
    ];
    let then = |more: &[Value]| [begin.clone(), more.to_vec()].concat();
    let kept = ["began a", "began b", "call 1 a {}", "finish Calls"];
    check(&then(&[end("max_output_tokens")]), &kept);
    check(&then(&[done(1, half("incomplete")), end("max_output_tokens")]), &kept);
    check(&then(&[done(1, half("completed")), end("max_output_tokens")]), &kept);
    check(&then(&[end("content_filter")]), &["began a", "began b", "finish Refused"]);
    check(&then(&[]), &["began a", "began b", "error Interrupted"]);
    // Only a half one: cut off, or lost on the way.
    check(&[added(0, half("in_progress")), end("max_output_tokens")], &["began b", "finish Length"]);
    check(
        &[added(0, call("2", "b", "")), delta("function_call_arguments", 0, "{\"y\":"), completed(json!([]))],
        &["began b", "error Interrupted"],
    );
    check(&[done(0, call("1", "", "{}")), completed(json!([]))], &["error Server"]);
}

#[test]
fn names_are_mapped_back() {
    let tool = |name: &str| ToolDeclaration { name: name.to_owned(), description: String::new(), schema: Value::Null };
    let request = Request { tools: vec![tool("files.read")], ..Request::default() };
    let asked = Asked::of(&request, "made", "here");
    let mut decoder = Decoder::new(ProviderKind::OpenaiResponses, asked).unwrap();
    let secret = json!({ "type": "reasoning", "summary": [], "encrypted_content": "x" });
    let item = call("c", "files_read", "{}");
    let replies = decoder.push(stream(&[done(0, secret), done(1, item.clone()), completed(json!([]))]).as_bytes());
    assert_eq!(replies[0], Ok(Reply::CallBegan { name: "files.read".into() }));
    assert_eq!(replies[1], Ok(Reply::Call { id: "c".into(), name: "files.read".into(), arguments: "{}".into() }));
    let Ok(Reply::Native { native }) = &replies[3] else { panic!("{replies:?}") };
    assert_eq!(native.items[1], json!({ "call": "c", "tool": "files.read", "item": item }));
}
