// SPDX-License-Identifier: Apache-2.0
use crate::answer::{Asked, Decoder};
use bailey_ports::ModelError;
use bailey_protocol::model::{Finish, Reply, Usage};
use bailey_protocol::{ProviderKind, RunErrorKind};
use proptest::prelude::*;
use serde_json::{Value, json};

type Replies = Vec<Result<Reply, ModelError>>;

fn asked() -> Asked {
    Asked { tag: "tag".into(), origin: "here".into(), ..Asked::default() }
}

fn decode(bytes: &[u8]) -> Replies {
    let mut decoder = Decoder::new(ProviderKind::Gemini, asked()).unwrap();
    let mut replies = decoder.push(bytes);
    replies.extend(decoder.end());
    replies
}

fn stream(chunks: &[Value]) -> Replies {
    decode(chunks.iter().map(|chunk| format!("data: {chunk}\n\n")).collect::<String>().as_bytes())
}

/// A chunk with these parts, and a reason to stop unless that is empty.
fn chunk(parts: Value, reason: &str) -> Value {
    let mut candidate = json!({"content": {"role": "model", "parts": parts}, "index": 0});
    if !reason.is_empty() {
        candidate["finishReason"] = reason.into();
    }
    json!({"candidates": [candidate]})
}

fn said(replies: Replies) -> Vec<Reply> {
    replies.into_iter().map(Result::unwrap).collect()
}

fn failed(mut replies: Replies) -> ModelError {
    replies.pop().unwrap().unwrap_err()
}

fn text(text: &str) -> Reply {
    Reply::Text { text: text.into() }
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

fn end(finish: Finish) -> Reply {
    Reply::Finish { finish }
}

#[test]
fn text_thoughts_and_counts() {
    let mut last = chunk(json!([{"text": " there"}]), "STOP");
    last["usageMetadata"] = json!({
        "promptTokenCount": 100, "cachedContentTokenCount": 40, "candidatesTokenCount": 7, "thoughtsTokenCount": 20,
        "toolUsePromptTokenCount": 5, "totalTokenCount": 132, "trafficType": "ON_DEMAND",
    });
    let chunks = [
        chunk(json!([{"text": "**Hm**\n\n", "thought": true}, {"text": "Hello"}]), ""),
        last,
        json!({"usageMetadata": {"trafficType": "ON_DEMAND"}}),
    ];
    let usage = Usage { input: 105, cached: 40, output: 27, reasoning: 20, ..Usage::default() };
    let expected = [
        Reply::Reasoning { text: "**Hm**\n\n".into() },
        text("Hello"),
        text(" there"),
        Reply::Usage { usage },
        end(Finish::Stop),
    ];
    assert_eq!(said(stream(&chunks)), expected, "thoughts that are not signed need not go back");
}

#[test]
fn calls_whole_and_in_pieces() {
    let parts = json!([
        {"functionCall": {"name": "a", "args": {"x": 1}, "id": "g1"}},
        {"functionCall": {"name": "b"}},
        {"functionCall": {"name": "c", "willContinue": true}},
    ]);
    let piece = |path: &str, text: &str, more: bool| {
        chunk(
            json!([{"functionCall": {"partialArgs": [{"jsonPath": path, "stringValue": text, "willContinue": more}], "willContinue": true}}]),
            "",
        )
    };
    let chunks = [
        chunk(parts, ""),
        piece("$.l[0].n", "A", true),
        piece("$.l[0].n", "b", true),
        piece("$.l[0].n", "", false),
        piece("$.m", "\"", true),
        chunk(json!([{"functionCall": {"willContinue": true}}]), ""),
        chunk(json!([{"functionCall": {}}]), ""),
        // Without its last fragment.
        chunk(json!([{"functionCall": {"name": "d", "willContinue": true}}]), ""),
        chunk(
            json!([{"functionCall": {"partialArgs": [{"jsonPath": "$.n", "numberValue": 0.5}]}}, {"text": ""}]),
            "STOP",
        ),
    ];
    let expected = [
        began("a"),
        began("b"),
        began("c"),
        began("d"),
        call("g1", "a", r#"{"x":1}"#),
        call("tag00", "b", "{}"),
        call("tag01", "c", r#"{"l":[{"n":"Ab"}],"m":"\""}"#),
        call("tag02", "d", r#"{"n":0.5}"#),
        end(Finish::Calls),
    ];
    assert_eq!(said(stream(&chunks)), expected);
}

#[test]
fn arguments_are_what_the_model_wrote() {
    let raw = r#"data: {"candidates":[{"content":{"parts":[{"functionCall":{"name":"a","args":{ "b": 1.0, "c":1e5,"n":12345678901234567890123 }}}]},"finishReason":"STOP"}]}"#;
    let replies = said(decode(raw.as_bytes()));
    assert_eq!(replies[1], call("tag00", "a", r#"{ "b": 1.0, "c":1e5,"n":12345678901234567890123 }"#));
    // Text in place of an object; null; the same call twice; an id that is used.
    for (calls, expected) in [
        (json!([{"functionCall": {"name": "a", "args": "{\"x\":1}"}}]), vec![call("tag00", "a", r#"{"x":1}"#)]),
        (json!([{"functionCall": {"name": "a", "args": null, "id": null}}]), vec![call("tag00", "a", "{}")]),
        (
            json!([{"functionCall": {"name": "a", "id": "1", "args": {}}}, {"functionCall": {"name": "a", "id": "1", "args": {}}}]),
            vec![call("1", "a", "{}")],
        ),
        (
            json!([{"functionCall": {"name": "a", "id": "1", "args": {}}}, {"functionCall": {"name": "b", "id": "1", "args": {}}}]),
            vec![call("1", "a", "{}"), call("tag00", "b", "{}")],
        ),
    ] {
        let replies = said(stream(&[chunk(calls.clone(), "STOP")]));
        let found: Vec<Reply> = replies.into_iter().filter(|reply| matches!(reply, Reply::Call { .. })).collect();
        assert_eq!(found, expected, "{calls}");
    }
}

#[test]
fn half_a_call_never_comes_out() {
    let open =
        json!([{"functionCall": {"name": "a", "args": {}}}, {"functionCall": {"name": "b", "willContinue": true}}]);
    let piece = json!([{"functionCall": {"partialArgs": [{"jsonPath": "$.x", "stringValue": "1", "willContinue": true}], "willContinue": true}}]);
    let chunks = |reason: &str| [chunk(open.clone(), ""), chunk(piece.clone(), reason)];
    let replies = said(stream(&chunks("MAX_TOKENS")));
    assert_eq!(replies, [began("a"), began("b"), call("tag00", "a", "{}"), end(Finish::Calls)]);
    let replies = said(stream(&chunks("SAFETY")));
    let why = item("finishReason", json!({"finishReason": "SAFETY", "finishMessage": null}));
    assert_eq!(replies, [began("a"), began("b"), why, end(Finish::Refused)]);
    assert_eq!(failed(stream(&chunks("STOP"))).kind, RunErrorKind::Server);
    assert_eq!(failed(stream(&chunks(""))).kind, RunErrorKind::Interrupted);
    // No name, or no place for its arguments.
    let nameless = chunk(json!([{"functionCall": {"args": {"x": 1}}}]), "STOP");
    assert_eq!(failed(stream(&[nameless])).kind, RunErrorKind::Server);
    let lost = json!([{"functionCall": {"name": "a", "partialArgs": [{"jsonPath": "$.a[9999]", "stringValue": "x"}]}}]);
    assert_eq!(failed(stream(&[chunk(lost, "STOP")])).kind, RunErrorKind::Server);
}

#[test]
fn reasons_to_stop() {
    for (reason, expected) in [
        ("STOP", Ok(Finish::Stop)),
        ("OTHER", Ok(Finish::Stop)),
        ("A_NEW_ONE", Ok(Finish::Stop)),
        ("MAX_TOKENS", Ok(Finish::Length)),
        ("SAFETY", Ok(Finish::Refused)),
        ("RECITATION", Ok(Finish::Refused)),
        ("LANGUAGE", Ok(Finish::Refused)),
        ("BLOCKLIST", Ok(Finish::Refused)),
        ("PROHIBITED_CONTENT", Ok(Finish::Refused)),
        ("SPII", Ok(Finish::Refused)),
        ("IMAGE_SAFETY", Ok(Finish::Refused)),
        ("MALFORMED_FUNCTION_CALL", Err(RunErrorKind::Server)),
        ("UNEXPECTED_TOOL_CALL", Err(RunErrorKind::Server)),
        ("FINISH_REASON_UNSPECIFIED", Err(RunErrorKind::Interrupted)),
    ] {
        let last = stream(&[chunk(json!([{"text": "x"}]), reason)]).pop().unwrap();
        let found = last.map_err(|error| error.kind);
        assert_eq!(found, expected.map(end), "{reason}");
    }
    let mut malformed = chunk(json!([]), "MALFORMED_FUNCTION_CALL");
    malformed["candidates"][0]["finishMessage"] = "Malformed function call: default_api.x(".into();
    let words = failed(stream(&[malformed])).details.unwrap();
    assert!(words.contains("MALFORMED_FUNCTION_CALL: Malformed function call: default_api.x("), "{words}");
}

#[test]
fn a_prompt_that_is_blocked_is_a_refusal() {
    let feedback = json!({"blockReason": "PROHIBITED_CONTENT", "safetyRatings": []});
    let blocked = json!({"promptFeedback": feedback, "usageMetadata": {"promptTokenCount": 3}});
    let usage = Usage { input: 3, ..Usage::default() };
    let expected = [item("promptFeedback", feedback), Reply::Usage { usage }, end(Finish::Refused)];
    assert_eq!(said(stream(&[blocked])), expected);
}

#[test]
fn reasons_may_come_with_every_chunk() {
    let raw = |chunks: &[Value]| chunks.iter().map(|chunk| format!("data: {chunk}\n\n")).collect::<String>();
    let mut decoder = Decoder::new(ProviderKind::Gemini, asked()).unwrap();
    decoder.push(raw(&[chunk(json!([{"text": "a"}]), "STOP")]).as_bytes());
    assert!(decoder.has_finish());
    decoder.push(raw(&[chunk(json!([{"text": ""}]), "STOP")]).as_bytes());
    assert!(decoder.has_finish(), "nothing was said after it");
    decoder.push(raw(&[chunk(json!([{"text": "b"}]), "STOP")]).as_bytes());
    assert!(!decoder.has_finish(), "it goes on, so the reason does not mean the end");
    assert_eq!(said(decoder.end()), [end(Finish::Stop)]);
}

#[test]
fn what_is_the_providers_own_is_kept() {
    let code = json!({"language": "PYTHON", "code": "print(1)"});
    let result = json!({"outcome": "OUTCOME_OK", "output": "1\n"});
    let grounding =
        json!({"webSearchQueries": ["q"], "groundingChunks": [{"web": {"uri": "https://a.example", "title": "A"}}]});
    let mut last = chunk(json!([{"text": "One."}, {"newThing": {"a": 1}, "partMetadata": {"k": 1}}, 7]), "STOP");
    last["candidates"][0]["groundingMetadata"] = grounding.clone();
    last["candidates"][0]["citationMetadata"] = json!({"citationSources": []});
    last["candidates"][0]["safetyRatings"] = json!([{}]);
    let mut first = chunk(json!([{"executableCode": code}, {"codeExecutionResult": result}]), "");
    first["candidates"][0]["groundingMetadata"] = grounding.clone();
    let replies =
        said(stream(&[first, last, json!({"somethingNew": {"b": 2}}), json!({"modelStatus": {"message": "old"}})]));
    let native = replies.iter().find_map(|reply| match reply {
        Reply::Native { native } => Some(native.clone()),
        _ => None,
    });
    let expected = [
        item("executableCode", code),
        item("codeExecutionResult", result),
        text("One."),
        item("newThing", json!({"a": 1})),
        item("part", json!(7)),
        item("event", json!({"somethingNew": {"b": 2}})),
        item("groundingMetadata", grounding),
        item("citationMetadata", json!({"citationSources": []})),
        Reply::Native { native: native.clone().unwrap() },
        end(Finish::Stop),
    ];
    assert_eq!(replies, expected);
    let parts: Vec<Value> = native
        .unwrap()
        .items
        .iter()
        .map(|item| serde_json::from_str(item["json"].as_str().unwrap()).unwrap())
        .collect();
    let expected = json!([
        {"executableCode": {"language": "PYTHON", "code": "print(1)"}},
        {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "1\n"}},
        {"text": "One."},
        {"newThing": {"a": 1}, "partMetadata": {"k": 1}},
    ]);
    assert_eq!(Value::Array(parts), expected);
}

#[test]
fn a_large_picture_is_kept_once() {
    let base64 = "A".repeat(100_000);
    let replies = said(stream(&[chunk(json!([{"inlineData": {"mimeType": "image/png", "data": base64}}]), "STOP")]));
    assert_eq!(replies[0], item("inlineData", json!({"mimeType": "image/png", "bytes": 75_000})));
    let Reply::Native { native } = &replies[1] else { panic!("{replies:?}") };
    assert!(native.items[0]["json"].as_str().unwrap().contains(&base64));
    let replies = said(stream(&[chunk(json!([{"inlineData": {"mimeType": "image/png", "data": "AAAA"}}]), "STOP")]));
    assert_eq!(replies[0], item("inlineData", json!({"mimeType": "image/png", "data": "AAAA"})));
}

#[test]
fn signatures_stay_on_their_parts() {
    let chunks = [
        chunk(json!([{"text": "Let me", "thought": true}]), ""),
        chunk(json!([{"text": " see. ", "thought": true}, {"text": "I "}, {"text": "will."}]), ""),
        chunk(json!([{"text": "", "thoughtSignature": "S+/1="}, {"text": "x"}]), ""),
        chunk(json!([{"functionCall": {"name": "f", "args": {"a": 1.0}}, "thoughtSignature": "S2"}]), ""),
        chunk(json!([{"functionCall": {"name": "g", "willContinue": true, "id": "i"}, "thoughtSignature": "S3"}]), ""),
        chunk(
            json!([{"functionCall": {"partialArgs": [{"jsonPath": "$.q", "stringValue": "é\"", "willContinue": true}], "willContinue": true}}]),
            "",
        ),
        chunk(json!([{"functionCall": {}}]), "STOP"),
    ];
    let replies = said(stream(&chunks));
    let Some(Reply::Native { native }) = replies.get(replies.len() - 2) else { panic!("{replies:?}") };
    assert_eq!(native.origin, "here");
    let expected = [
        json!({"json": r#"{"text":"Let me see. ","thought":true}"#}),
        json!({"json": r#"{"text":"I will."}"#}),
        json!({"json": r#"{"text":"","thoughtSignature":"S+/1="}"#}),
        json!({"json": r#"{"text":"x"}"#}),
        json!({"id": "tag00", "name": "f", "json": r#"{"functionCall":{"name":"f","args":{"a":1.0}},"thoughtSignature":"S2"}"#}),
        json!({"id": "i", "name": "g", "json": r#"{"functionCall":{"id":"i","name":"g","args":{"q":"é\""}},"thoughtSignature":"S3"}"#}),
    ];
    assert_eq!(native.items, expected);
}

#[test]
fn what_is_not_whole_has_no_native_form() {
    for (reason, has) in [("STOP", true), ("MAX_TOKENS", false), ("SAFETY", false)] {
        let replies = said(stream(&[chunk(json!([{"text": "x", "thoughtSignature": "s"}]), reason)]));
        assert_eq!(replies.iter().any(|reply| matches!(reply, Reply::Native { .. })), has, "{reason}");
    }
}

#[test]
fn answers_that_are_no_stream() {
    let one = chunk(json!([{"text": "whole"}]), "STOP");
    let expected = [text("whole"), end(Finish::Stop)];
    assert_eq!(said(decode(one.to_string().as_bytes())), expected);
    let list = json!([chunk(json!([{"text": "who"}]), ""), chunk(json!([{"text": "le"}]), "STOP")]);
    let expected = [text("who"), text("le"), end(Finish::Stop)];
    assert_eq!(said(decode(list.to_string().as_bytes())), expected);
    assert_eq!(said(decode(format!("data: {list}\n\n").as_bytes())), expected, "a list in an event");
    assert_eq!(failed(decode(br#"{"hello":"world"}"#)).kind, RunErrorKind::Invalid);
    assert_eq!(failed(decode(br#"{"candidates":[]}"#)).kind, RunErrorKind::Interrupted);
    let done = format!("data: {}\n\ndata: [DONE]\n\n", chunk(json!([{"text": "x"}]), "STOP"));
    assert_eq!(said(decode(done.as_bytes())), [text("x"), end(Finish::Stop)]);
}

#[test]
fn errors_in_a_stream_have_the_providers_words() {
    let error =
        |code: u32, status: &str, message: &str| json!({"error": {"code": code, "message": message, "status": status}});
    for (error, kind) in [
        (error(429, "RESOURCE_EXHAUSTED", "Resource has been exhausted."), RunErrorKind::Rate),
        (error(503, "UNAVAILABLE", "The model is overloaded."), RunErrorKind::Overloaded),
        (error(500, "INTERNAL", "An internal error has occurred."), RunErrorKind::Server),
        (error(400, "INVALID_ARGUMENT", "Bad thing."), RunErrorKind::Invalid),
    ] {
        let words = error["error"]["message"].as_str().unwrap().to_owned();
        for replies in [
            stream(std::slice::from_ref(&error)),
            decode(format!("[{error}]").as_bytes()),
            decode(format!("event: error\ndata: {error}\n\n").as_bytes()),
        ] {
            let failure = failed(replies);
            assert_eq!(failure.kind, kind, "{error}");
            assert!(failure.details.as_ref().is_some_and(|details| details.contains(&words)), "{failure:?}");
        }
        let chunks = [chunk(json!([{"text": "x"}]), ""), error.clone()];
        assert_eq!(failed(stream(&chunks)).kind, kind, "after text");
        let chunks = [chunk(json!([{"text": "x"}]), "STOP"), error];
        assert_eq!(stream(&chunks).pop(), Some(Ok(end(Finish::Stop))), "after the end");
    }
    for garbled in ["garbled", "7", "[7]", "{\"candidates\":", "[[[[{}]]]]"] {
        let failure = failed(decode(format!("data: {garbled}\n\n").as_bytes()));
        assert_eq!((failure.kind, failure.details.as_deref()), (RunErrorKind::Interrupted, Some(garbled)));
    }
    let deep = "[".repeat(1 << 20);
    assert_eq!(failed(decode(format!("data: {deep}\n\n").as_bytes())).kind, RunErrorKind::Interrupted);
}

#[test]
fn odd_types_cost_nothing_else() {
    let chunks = [
        json!({"candidates": [{"content": {"parts": [{"text": 7, "thought": "yes"}, {"text": "a", "thought": null}, null]}, "index": "0"}], "usageMetadata": []}),
        json!({"candidates": {"content": 1}, "usageMetadata": {"promptTokenCount": "12", "candidatesTokenCount": 1e300, "thoughtsTokenCount": -4}}),
        json!({"candidates": [{"content": {"parts": {"text": "x"}}, "finishReason": 5}, {"index": 1, "content": {"parts": [{"text": "other"}]}}]}),
        json!({"candidates": null, "error": null, "promptFeedback": {}}),
        json!({"candidates": [{"content": null, "finishReason": null, "groundingMetadata": null}]}),
        json!({"candidates": [{"content": {"parts": [{"text": "b"}]}, "finishReason": "STOP", "index": 99_999_999_999_u64}]}),
    ];
    let replies = said(stream(&chunks));
    let usage = Usage { input: 12, ..Usage::default() };
    assert_eq!(replies, [text("a"), item("part", Value::Null), text("b"), Reply::Usage { usage }, end(Finish::Stop)]);
    // A key twice: the last one counts.
    let twice = br#"data: {"candidates":[{"finishReason":"STOP"}],"candidates":[{"content":{"parts":[{"text":"x","text":"y"}]},"finishReason":"STOP"}]}"#;
    assert_eq!(said(decode(twice)), [text("y"), end(Finish::Stop)]);
}

/// Chunks of all kinds, sensible and not.
fn chunks() -> impl Strategy<Value = Vec<Value>> {
    let piece = ("\\$(\\.[ab]|\\[[0-2]\\]){0,3}", "[xy\"\\\\é]{0,3}", any::<bool>())
        .prop_map(|(path, text, more)| json!({"jsonPath": path, "stringValue": text, "willContinue": more}));
    let signature = prop_oneof![Just(Value::Null), Just(json!("sig"))];
    let name = prop_oneof![Just(Value::Null), Just(json!("f")), Just(json!("g"))];
    let call = (
        name,
        prop::option::of(prop::collection::vec(piece, 0..3)),
        prop::option::of(any::<bool>()),
        any::<bool>(),
        signature,
    )
        .prop_map(|(name, partial, more, args, signature)| {
            let mut call = json!({"functionCall": {"name": name}, "thoughtSignature": signature});
            if let Some(partial) = partial {
                call["functionCall"]["partialArgs"] = partial.into();
            }
            if let Some(more) = more {
                call["functionCall"]["willContinue"] = more.into();
            }
            if args {
                call["functionCall"]["args"] = json!({"z": 1});
            }
            call
        });
    let part = prop_oneof![
        ("[ab\\n\"é]{0,4}", any::<bool>()).prop_map(|(text, thought)| json!({"text": text, "thought": thought})),
        call.boxed(),
        Just(json!({"executableCode": {"code": "1"}})),
        Just(json!({"text": "", "thoughtSignature": "s"})),
        Just(json!(null)),
        Just(json!({})),
    ];
    let reason = prop_oneof![6 => Just(""), 2 => Just("STOP"), 1 => Just("MAX_TOKENS"), 1 => Just("SAFETY")];
    let chunk = (prop::collection::vec(part, 0..4), reason).prop_map(|(parts, reason)| chunk(parts.into(), reason));
    let any = prop_oneof![8 => chunk, 1 => Just(json!({"usageMetadata": {"promptTokenCount": 1}})), 1 => Just(json!({"x": 1}))];
    prop::collection::vec(any, 0..8)
}

proptest! {
    #[test]
    fn there_is_one_end_and_every_split_says_the_same(chunks in chunks(), cut in 0_usize..10_000) {
        let bytes: Vec<u8> = chunks.iter().map(|chunk| format!("data: {chunk}\r\n\r\n")).collect::<String>().into_bytes();
        let whole = decode(&bytes);
        let ends = whole.iter().filter(|reply| matches!(reply, Err(_) | Ok(Reply::Finish { .. }))).count();
        prop_assert_eq!(ends, 1);
        let ended = matches!(whole.last(), Some(Err(_) | Ok(Reply::Finish { .. })));
        prop_assert!(ended);
        let mut decoder = Decoder::new(ProviderKind::Gemini, asked()).unwrap();
        let cut = cut.min(bytes.len());
        let mut split = decoder.push(&bytes[..cut]);
        split.extend(decoder.push(&bytes[cut..]));
        split.extend(decoder.end());
        prop_assert_eq!(&split, &whole);
        for reply in whole.into_iter().flatten() {
            match reply {
                Reply::Call { arguments, name, id } => {
                    prop_assert!(serde_json::from_str::<Value>(&arguments).is_ok_and(|value| value.is_object()), "{}", arguments);
                    prop_assert!(!name.is_empty() && !id.is_empty());
                }
                Reply::Native { native } => {
                    for item in &native.items {
                        let part: Value = serde_json::from_str(item["json"].as_str().unwrap()).unwrap();
                        prop_assert!(part.as_object().is_some_and(|part| !part.is_empty()));
                    }
                }
                _ => {}
            }
        }
    }
}

#[test]
fn long_arguments_are_put_together_in_one_pass() {
    let mut decoder = Decoder::new(ProviderKind::Gemini, asked()).unwrap();
    let open = chunk(json!([{"functionCall": {"name": "f", "willContinue": true}}]), "");
    decoder.push(format!("data: {open}\n\n").as_bytes());
    let piece = chunk(
        json!([{"functionCall": {"partialArgs": [{"jsonPath": "$.t", "stringValue": "0123456789", "willContinue": true}], "willContinue": true}}]),
        "",
    );
    let piece = format!("data: {piece}\n\n");
    for _ in 0..100_000 {
        assert!(decoder.push(piece.as_bytes()).is_empty());
    }
    let last = chunk(json!([{"functionCall": {}}]), "STOP");
    decoder.push(format!("data: {last}\n\n").as_bytes());
    let replies = said(decoder.end());
    let Reply::Call { arguments, .. } = &replies[0] else { panic!() };
    assert_eq!(arguments.len(), 1_000_000 + r#"{"t":""}"#.len());
}
