// SPDX-License-Identifier: Apache-2.0
use super::*;

fn native(events: &[Value]) -> Option<Vec<Value>> {
    let replies = read(&stream(events));
    assert!(matches!(replies.last(), Some(Ok(Reply::Finish { .. }))), "{replies:?}");
    let natives: Vec<_> = replies.iter().filter(|reply| matches!(reply, Ok(Reply::Native { .. }))).collect();
    assert!(natives.len() <= 1);
    match replies.iter().rev().nth(1) {
        Some(Ok(Reply::Native { native })) => {
            assert_eq!(native.origin, "here");
            Some(native.items.clone())
        }
        _ => None,
    }
}

#[test]
fn only_what_says_more_than_text_and_calls_is_native() {
    let secret = json!({ "type": "reasoning", "id": "rs", "summary": [], "encrypted_content": "gAAA==" });
    let bare = json!({ "type": "reasoning", "id": "rs", "summary": [], "encrypted_content": null });
    let raw = json!({ "type": "reasoning", "summary": [], "content": [{ "type": "reasoning_text", "text": "hm" }] });
    let answer = message("m", "hi");
    let ask = call("c", "a", "{\"x\": 1.0}");
    let item = |item: &Value| json!({ "item": item });
    let called = |item: &Value| json!({ "call": "c", "tool": "a", "item": item });
    let with = |item: &Value, key: &str, value: Value| {
        let mut item = item.clone();
        item[key] = value;
        item
    };
    let answer_in_phase = with(&answer, "phase", "final_answer".into());
    let search = json!({ "type": "web_search_call", "id": "ws", "action": {} });
    let patch = json!({ "type": "apply_patch_call", "call_id": "p" });
    let shell = json!({ "type": "shell_call", "call_id": "s" });
    let shell_output = json!({ "type": "shell_call_output", "call_id": "s", "output": [] });
    let compaction = json!({ "type": "compaction", "encrypted_content": "x" });
    let picture = json!({ "type": "image_generation_call", "id": "ig", "result": "A".repeat(300_000) });
    let from_program = with(&ask, "caller", json!({ "type": "program", "caller_id": "p" }));
    let program = json!({ "type": "program", "call_id": "p", "code": "x", "fingerprint": "f" });
    for (output, expected) in [
        (vec![&answer], None),
        (vec![&ask], None),
        (vec![&answer, &ask], None),
        (vec![&secret, &answer], Some(vec![item(&secret), item(&answer)])),
        (vec![&secret, &ask], Some(vec![item(&secret), called(&ask)])),
        (vec![&raw, &ask], Some(vec![item(&raw), called(&ask)])),
        (vec![&search, &answer], Some(vec![item(&search), item(&answer)])),
        (vec![&answer, &compaction], Some(vec![item(&answer), item(&compaction)])),
        (vec![&compaction], Some(vec![item(&compaction)])),
        (vec![&answer_in_phase], Some(vec![item(&answer_in_phase)])),
        (vec![&shell, &shell_output, &answer], Some(vec![item(&shell), item(&shell_output), item(&answer)])),
        (vec![&program, &from_program], Some(vec![item(&program), called(&from_program)])),
        // Reasoning that nobody could read again, and what follows it.
        (vec![&bare, &answer], None),
        (vec![&bare, &answer_in_phase], Some(vec![item(&answer_in_phase)])),
        (vec![&secret, &bare, &answer], None),
        (vec![&secret, &shell, &answer], None),
        (vec![&secret, &patch], None),
        (vec![&secret, &picture, &answer], None),
        // With nothing behind it.
        (vec![&secret], None),
        (vec![&search, &secret], Some(vec![item(&search)])),
    ] {
        let events: Vec<Value> = (0..).zip(&output).map(|(at, item)| done(at, (*item).clone())).collect();
        let all: Vec<Value> = output.iter().map(|item| (*item).clone()).collect();
        let streamed = [events, vec![completed(json!(all.clone()))]].concat();
        assert_eq!(native(&streamed), expected, "{all:?}");
        assert_eq!(native(&[completed(json!(all.clone()))]), expected, "{all:?} at once");
    }
    // Half a message is not the provider's.
    let pieces = [done(0, secret.clone()), delta("output_text", 1, "hi"), completed(json!([]))];
    assert_eq!(native(&pieces), None);
    // The list at the end may hold what the item did not.
    let late = [done(0, bare), done(1, answer.clone()), completed(json!([secret, answer]))];
    assert_eq!(native(&late), Some(vec![item(&secret), item(&answer)]));
    // Calls that were taken out of one are calls of their own.
    let two = r#"{"tool_uses":[{"recipient_name":"a","parameters":{"x":1}},{"recipient_name":"b"}]}"#;
    let one = |id: &str, name: &str, arguments: &str| json!({ "call": id, "tool": name, "item": { "type": "function_call", "call_id": id, "name": name, "arguments": arguments } });
    assert_eq!(
        native(&[done(0, secret.clone()), done(1, call("c", "parallel", two)), completed(json!([]))]),
        Some(vec![item(&secret), one("c_1", "a", "{\"x\":1}"), one("c_2", "b", "{}")])
    );
}

#[test]
fn a_call_that_was_cut_takes_the_reasoning_with_it() {
    let secret = json!({ "type": "reasoning", "summary": [], "encrypted_content": "gAAA==" });
    let search = json!({ "type": "web_search_call", "id": "ws" });
    let mut second = call("2", "b", "{\"y\":");
    second["status"] = "incomplete".into();
    let end = json!({ "type": "response.incomplete", "response": { "incomplete_details": { "reason": "max_output_tokens" } } });
    let events =
        [done(0, secret.clone()), done(1, call("1", "a", "{}")), done(2, search), done(3, second), end.clone()];
    assert_eq!(native(&events), None);
    // A message that was cut is what the model said.
    let events = [done(0, secret.clone()), done(1, message("m", "hal")), end];
    assert_eq!(native(&events), Some(vec![json!({ "item": secret }), json!({ "item": message("m", "hal") })]));
}
