// SPDX-License-Identifier: Apache-2.0
use super::*;
use crate::Decoder;
use bailey_protocol::ProviderKind;
use std::collections::HashSet;

mod kept;

fn decoder() -> Decoder {
    let asked = Asked {
        tag: "made".to_owned(),
        used: HashSet::from(["used".to_owned()]),
        origin: "here".to_owned(),
        ..Asked::default()
    };
    Decoder::new(ProviderKind::OpenaiChat, asked).unwrap()
}

/// The replies, each as a short text; an error as its kind.
fn decode(bytes: &[u8]) -> Vec<String> {
    let mut decoder = decoder();
    let mut replies = decoder.push(bytes);
    replies.extend(decoder.end());
    short(replies)
}

fn short(replies: Decoded) -> Vec<String> {
    let short = |reply: Result<Reply, ModelError>| match reply {
        Ok(Reply::Text { text }) => format!("text {text}"),
        Ok(Reply::Reasoning { text }) => format!("thought {text}"),
        Ok(Reply::CallBegan { name }) => format!("began {name}"),
        Ok(Reply::Call { id, name, arguments }) => format!("call {id} {name} {arguments}"),
        Ok(Reply::Usage { usage }) => {
            let cost = usage.cost.map(|cost| format!(" cost {cost}")).unwrap_or_default();
            let written = if usage.cache_write > 0 { format!(" written {}", usage.cache_write) } else { String::new() };
            format!("usage {} {} {} {}{written}{cost}", usage.input, usage.cached, usage.output, usage.reasoning)
        }
        Ok(Reply::Native { native }) => {
            assert_eq!((native.origin.as_str(), native.items.len()), ("here", 1));
            format!("native {}", native.items[0])
        }
        Ok(Reply::Item { kind, data }) => format!("item {kind} {data}"),
        Ok(Reply::Finish { finish }) => format!("finish {finish:?}"),
        Ok(other) => format!("{other:?}"),
        Err(error) => format!("error {:?}", error.kind),
    };
    replies.into_iter().map(short).collect()
}

/// Events of these lines, ended by `[DONE]`.
fn stream(lines: &[&str]) -> Vec<u8> {
    let mut text: String = lines.iter().map(|line| format!("data: {line}\n\n")).collect();
    text.push_str("data: [DONE]\n\n");
    text.into_bytes()
}

fn delta(delta: &str) -> String {
    format!(r#"{{"choices":[{{"index":0,"delta":{delta}}}]}}"#)
}

const STOP: &str = r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#;
const CALLS: &str = r#"{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}"#;
const LENGTH: &str = r#"{"choices":[{"index":0,"delta":{},"finish_reason":"length"}]}"#;

/// What a stream of deltas and an end says; checked at every split.
fn check(deltas: &[&str], end: &str, expected: &[&str]) {
    let mut lines: Vec<String> = deltas.iter().map(|d| delta(d)).collect();
    lines.push(end.to_owned());
    let bytes = stream(&lines.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(decode(&bytes), expected, "{deltas:?}");
    for at in 0..bytes.len() {
        let mut decoder = decoder();
        let mut replies = decoder.push(&bytes[..at]);
        replies.extend(decoder.push(&bytes[at..]));
        replies.extend(decoder.end());
        assert_eq!(short(replies), expected, "split at {at}");
    }
}

#[test]
fn text_and_thought() {
    check(
        &[r#"{"role":"assistant","content":""}"#, r#"{"content":"Hel"}"#, r#"{"content":"lo ☃"}"#],
        STOP,
        &["text Hel", "text lo ☃", "finish Stop"],
    );
    check(
        &[
            r#"{"content":null,"reasoning_content":"a"}"#,
            r#"{"reasoning":"b"}"#,
            r#"{"reasoning":"c","reasoning_content":"c"}"#,
            r#"{"content":[{"type":"thinking","thinking":[{"type":"text","text":"d"},{"type":"text","text":"e"}]},{"type":"text","text":"f"}]}"#,
            r#"{"content":[{"type":"thinking","thinking":"g"},{"type":"image","text":"no"},{"type":"text","text":""}]}"#,
        ],
        STOP,
        &[
            "thought a",
            "thought b",
            "thought c",
            "thought de",
            "text f",
            "thought g",
            r#"item image {"type":"image","text":"no"}"#,
            r#"native {"reasoning":"reasoning_content","content":[{"type":"thinking","thinking":[{"type":"text","text":"d"},{"type":"text","text":"e"}]},{"type":"text","text":"f"},{"type":"thinking","thinking":"g"},{"type":"image","text":"no"}]}"#,
            "finish Stop",
        ],
    );
    check(&[r#"{"refusal":"I can't."}"#], STOP, &["text I can't.", "finish Stop"]);
    check(&[r#"{"content":"\ud83d\ude00 \u4f60\n"}"#], STOP, &["text 😀 你\n", "finish Stop"]);
}

#[test]
fn calls_are_put_together() {
    // As the protocol says.
    check(
        &[
            r#"{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"x","arguments":""}}]}"#,
            r#"{"tool_calls":[{"index":0,"function":{"arguments":"{\"n\":"}}]}"#,
            r#"{"tool_calls":[{"index":0,"function":{"arguments":"1}"}}]}"#,
        ],
        CALLS,
        &["began x", "call a x {\"n\":1}", "finish Calls"],
    );
    // Interleaved, the later call first.
    check(
        &[
            r#"{"tool_calls":[{"index":1,"id":"b","function":{"name":"y","arguments":"{"}}]}"#,
            r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"x","arguments":"{"}},{"index":1,"function":{"arguments":"}"}}]}"#,
            r#"{"tool_calls":[{"index":0,"function":{"arguments":"}"}}]}"#,
        ],
        CALLS,
        &["began y", "began x", "call a x {}", "call b y {}", "finish Calls"],
    );
    // No numbers.
    check(
        &[
            r#"{"tool_calls":[{"id":"a","function":{"name":"x","arguments":"{\"n\""}}]}"#,
            r#"{"tool_calls":[{"function":{"arguments":":1}"}}]}"#,
            r#"{"tool_calls":[{"id":"b","function":{"name":"x","arguments":"{}"}}]}"#,
        ],
        CALLS,
        &["began x", "began x", "call a x {\"n\":1}", "call b x {}", "finish Calls"],
    );
    // The same number for all; the id and name in every fragment.
    check(
        &[
            r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"x","arguments":"{\"n\""}}]}"#,
            r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"x","arguments":":1}"}}]}"#,
            r#"{"tool_calls":[{"index":0,"id":"b","function":{"name":"y","arguments":"{}"}}]}"#,
        ],
        CALLS,
        &["began x", "began y", "call a x {\"n\":1}", "call b y {}", "finish Calls"],
    );
    // Several whole calls in one chunk, without ids and numbers, arguments as objects, none, or empty.
    check(
        &[
            r#"{"tool_calls":[{"function":{"name":"x","arguments":{"n":1}}},{"function":{"name":"x","arguments":{"n":2}}},{"function":{"name":"y"}},{"function":{"name":"z","arguments":""}}]}"#,
        ],
        CALLS,
        &[
            "began x",
            "began x",
            "began y",
            "began z",
            "call made00 x {\"n\":1}",
            "call made01 x {\"n\":2}",
            "call made02 y {}",
            "call made03 z {}",
            "finish Calls",
        ],
    );
    // Whole calls without ids, all numbered zero.
    check(
        &[
            r#"{"tool_calls":[{"index":0,"function":{"name":"x","arguments":"{\"n\":1}"}}]}"#,
            r#"{"tool_calls":[{"index":0,"function":{"name":"x","arguments":"{\"n\":2}"}}]}"#,
        ],
        CALLS,
        &["began x", "began x", "call made00 x {\"n\":1}", "call made01 x {\"n\":2}", "finish Calls"],
    );
    // One id for all, and one that an earlier call has.
    check(
        &[
            r#"{"tool_calls":[{"index":0,"id":"c","function":{"name":"x","arguments":"{}"}},{"index":1,"id":"c","function":{"name":"y","arguments":"{}"}}]}"#,
            r#"{"tool_calls":[{"index":2,"id":"used","function":{"name":"z","arguments":"{}"}},{"index":"3","id":7,"function":{"name":"w","arguments":"{}"}}]}"#,
        ],
        CALLS,
        &[
            "began x",
            "began y",
            "began z",
            "began w",
            "call c x {}",
            "call made00 y {}",
            "call made01 z {}",
            "call 7 w {}",
            "finish Calls",
        ],
    );
    // The name in pieces, the id late.
    check(
        &[
            r#"{"tool_calls":[{"index":0,"function":{"name":"get_"}}]}"#,
            r#"{"tool_calls":[{"index":0,"function":{"name":"time"}}]}"#,
            r#"{"tool_calls":[{"index":0,"id":"late","function":{"arguments":"{}"}}]}"#,
        ],
        CALLS,
        &["began get_", "call late get_time {}", "finish Calls"],
    );
    // A new id with each fragment.
    check(
        &[
            r#"{"tool_calls":[{"index":0,"id":"a1","function":{"name":"x","arguments":"{\"n\":"}}]}"#,
            r#"{"tool_calls":[{"index":0,"id":"a2","function":{"arguments":"[1,"}}]}"#,
            r#"{"tool_calls":[{"index":0,"id":"a3","function":{"arguments":"2]}"}},{"index":1,"id":"b","function":{"name":"y","arguments":"{}"}}]}"#,
        ],
        CALLS,
        &["began x", "began y", "call a1 x {\"n\":[1,2]}", "call b y {}", "finish Calls"],
    );
    // The name with each fragment, and brackets in a text: the call is over where its arguments are closed.
    check(
        &[
            r#"{"tool_calls":[{"index":0,"function":{"name":"x","arguments":"{\"n\":\"}{"}}]}"#,
            r#"{"tool_calls":[{"index":0,"function":{"name":"x","arguments":"\\\"]\""}}]}"#,
            r#"{"tool_calls":[{"index":0,"function":{"name":"x","arguments":"} "}}]}"#,
            r#"{"tool_calls":[{"index":0,"function":{"name":"x","arguments":"{}"}}]}"#,
        ],
        CALLS,
        &["began x", "began x", r#"call made00 x {"n":"}{\"]"} "#, "call made01 x {}", "finish Calls"],
    );
    // The older form.
    check(
        &[r#"{"function_call":{"name":"x","arguments":"{"}}"#, r#"{"function_call":{"arguments":"}"}}"#],
        r#"{"choices":[{"delta":{},"finish_reason":"function_call"}]}"#,
        &["began x", "call made00 x {}", "finish Calls"],
    );
    // Arguments that are no JSON pass: the engine mends them.
    check(
        &[r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"x","arguments":"{n:1"}}]}"#],
        CALLS,
        &["began x", "call a x {n:1", "finish Calls"],
    );
}

#[test]
fn reasons_to_stop() {
    let call = r#"{"content":"t","tool_calls":[{"index":0,"id":"a","function":{"name":"x","arguments":"{}"}}]}"#;
    let half = r#"{"tool_calls":[{"index":1,"id":"b","function":{"name":"y","arguments":"{\"n\":"}}]}"#;
    check(&[call], STOP, &["text t", "began x", "call a x {}", "finish Calls"]);
    check(&[r#"{"content":"t"}"#], CALLS, &["text t", "finish Stop"]);
    check(&[r#"{"content":"t"}"#], LENGTH, &["text t", "finish Length"]);
    // The limit cut the second call: it is left out, the first is whole.
    check(&[call, half], LENGTH, &["text t", "began x", "began y", "call a x {}", "finish Calls"]);
    check(&[half], LENGTH, &["began y", "finish Length"]);
    let filter = r#"{"choices":[{"delta":{},"finish_reason":"content_filter"}]}"#;
    check(&[call], filter, &["text t", "began x", "finish Refused"]);
    let gave_up = r#"{"choices":[{"delta":{},"finish_reason":"insufficient_system_resource"}]}"#;
    check(&[r#"{"content":"t"}"#], gave_up, &["text t", "error Server"]);
    let nameless = r#"{"tool_calls":[{"index":0,"id":"a","function":{"arguments":"{}"}}]}"#;
    check(&[nameless], CALLS, &["error Server"]);
    // An empty reason is none.
    check(
        &[r#"{"content":"t"}"#],
        r#"{"choices":[{"delta":{},"finish_reason":""}]}"#,
        &["text t", "error Interrupted"],
    );
}

#[test]
fn a_reason_to_stop_with_each_chunk_is_none() {
    let chunk = |delta: &str| format!("data: {{\"choices\":[{{\"delta\":{delta},\"finish_reason\":\"stop\"}}]}}\n\n");
    for more in
        [r#"{"content":"b"}"#, r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"x","arguments":"{}"}}]}"#]
    {
        let mut decoder = decoder();
        decoder.push(chunk(r#"{"content":"a"}"#).as_bytes());
        assert!(decoder.has_finish(), "only counts follow, as far as is known");
        decoder.push(chunk(r#"{"content":""}"#).as_bytes());
        assert!(decoder.has_finish(), "nothing was said");
        decoder.push(chunk(more).as_bytes());
        assert!(!decoder.has_finish(), "{more}");
        assert!(short(decoder.end()).last().unwrap().starts_with("finish"), "{more}");
    }
}

#[test]
fn an_end_without_a_reason_is_an_interruption() {
    let text = format!("data: {}\n\n", delta(r#"{"content":"t"}"#));
    assert_eq!(decode(text.as_bytes()), ["text t", "error Interrupted"]);
    let call = format!(
        "data: {}\n\n",
        delta(r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"x","arguments":"{\"n\":"}}]}"#)
    );
    assert_eq!(decode(call.as_bytes()), ["began x", "error Interrupted"]);
    assert_eq!(decode(&stream(&[&delta(r#"{"content":"t"}"#)])), ["text t", "error Interrupted"]);
    for nothing in ["", "\n\n", ": keep-alive\n\n", "\u{FEFF}", "data: [DONE]\n\n"] {
        assert_eq!(decode(nothing.as_bytes()), ["error Interrupted"], "{nothing:?}");
    }
    // The server's last words are told.
    let mut decoder = decoder();
    decoder.push(b"data: upstream timed out\n\n");
    let Some(Err(error)) = decoder.end().pop() else { panic!() };
    assert_eq!(error.details.as_deref(), Some("upstream timed out"));
}

#[test]
fn an_orderly_end_needs_neither_done_nor_a_blank_line() {
    for end in ["", "\n", "\n\n", "\r\n\r\n", "\n\ndata: [DONE]", "\n\n: bye\n"] {
        let text = format!(": hi\n\ndata: {}\n\ndata: {STOP}{end}", delta(r#"{"content":"t"}"#));
        assert_eq!(decode(text.as_bytes()), ["text t", "finish Stop"], "{end:?}");
    }
}

#[test]
fn an_error_in_the_stream_is_an_error() {
    let text = delta(r#"{"content":"t"}"#);
    for (event, kind) in [
        (r#"data: {"error":{"message":"Overloaded","code":529}}"#, "error Overloaded"),
        (r#"data: {"error":"Rate limit reached"}"#, "error Rate"),
        (r#"data: {"object":"error","message":"bad","code":400}"#, "error Invalid"),
        (r#"data: {"code":"InvalidApiKey","message":"Invalid API key provided"}"#, "error Auth"),
        ("event: error\ndata: {\"message\":\"went away\"}", "error Server"),
        ("event: error\ndata: went away", "error Server"),
        (
            r#"data: {"error":{"message":"cut"},"choices":[{"delta":{"content":""},"finish_reason":"error"}]}"#,
            "error Server",
        ),
    ] {
        let bytes = format!("data: {text}\n\n{event}\n\ndata: {STOP}\n\n");
        assert_eq!(decode(bytes.as_bytes()), ["text t", kind], "{event}");
        // After a reason to stop the answer is whole.
        let bytes = format!("data: {text}\n\ndata: {STOP}\n\n{event}\n\n");
        assert_eq!(decode(bytes.as_bytes()), ["text t", "finish Stop"], "{event}");
    }
    let none =
        format!("data: {{\"error\":null,\"choices\":[{{\"delta\":{{\"content\":\"t\"}}}}]}}\n\ndata: {STOP}\n\n");
    assert_eq!(decode(none.as_bytes()), ["text t", "finish Stop"]);
}

#[test]
fn json_in_place_of_a_stream() {
    let whole = r#"{"id":"1","choices":[{"index":0,"message":{"role":"assistant","reasoning":"h","content":"t","tool_calls":[{"id":"a","function":{"name":"x","arguments":"{}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":3,"completion_tokens":2}}"#;
    let native = r#"native {"reasoning":"reasoning","calls":[{"id":"a","name":"x"}]}"#;
    let expected = ["thought h", "text t", "began x", "call a x {}", "usage 3 0 2 0", native, "finish Calls"];
    for text in [whole.to_owned(), format!("\n  {whole}\n"), format!("\u{FEFF}{whole}"), format!("[{whole}]")] {
        for at in 0..=text.len() {
            let mut decoder = decoder();
            let mut replies = decoder.push(&text.as_bytes()[..at]);
            replies.extend(decoder.push(&text.as_bytes()[at..]));
            replies.extend(decoder.end());
            assert_eq!(short(replies), expected, "{text:?} at {at}");
        }
    }
    assert_eq!(decode(br#"{"choices":[{"message":{"content":"t"}}]}"#), ["text t", "finish Stop"]);
    let lines = format!("{}\n{STOP}\n", delta(r#"{"content":"t"}"#));
    assert_eq!(decode(lines.as_bytes()), ["text t", "finish Stop"]);
    assert_eq!(decode(delta(r#"{"content":"t"}"#).as_bytes()), ["text t", "error Interrupted"]);
    assert_eq!(decode(br#"{"error":{"message":"Incorrect API key provided"}}"#), ["error Auth"]);
    assert_eq!(decode(br#"{"detail":"Not Found"}"#), ["error Invalid"]);
    // Cut on its way, which may not happen again.
    assert_eq!(decode(br#"{"choices":[{"mess"#), ["error Interrupted"]);
    assert_eq!(decode(b"<!doctype html><title>Sign in</title>"), ["error Invalid"]);
}

#[test]
fn counts_come_from_many_places() {
    for (usage, expected) in [
        (r#""usage":{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15}"#, "usage 10 0 5 0"),
        (
            r#""usage":{"prompt_tokens":10,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":{"reasoning_tokens":3},"total_tokens":15}"#,
            "usage 10 4 5 3",
        ),
        (
            r#""usage":{"prompt_tokens":10,"completion_tokens":5,"prompt_cache_hit_tokens":4,"prompt_tokens_details":null}"#,
            "usage 10 4 5 0",
        ),
        (r#""usage":{"prompt_tokens":10,"completion_tokens":5,"cached_tokens":4}"#, "usage 10 4 5 0"),
        // Reasoning counted beside the answer.
        (
            r#""usage":{"prompt_tokens":12,"completion_tokens":1,"total_tokens":303,"completion_tokens_details":{"reasoning_tokens":290}}"#,
            "usage 12 0 291 290",
        ),
        (r#""x_groq":{"usage":{"prompt_tokens":10,"completion_tokens":5}}"#, "usage 10 0 5 0"),
        (r#""usage":{"prompt_tokens":10,"completion_tokens":5,"prompt_cache_miss_tokens":4}"#, "usage 10 6 5 0"),
        (
            r#""usage":{"prompt_tokens":10,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":4,"cache_write_tokens":3},"cost":0.0001234}"#,
            "usage 10 4 5 0 written 3 cost 124",
        ),
        (
            r#""usage":{"prompt_tokens":10,"completion_tokens":5,"cost":0.00001,"is_byok":true,"cost_details":{"upstream_inference_cost":0.0002}}"#,
            "usage 10 0 5 0 cost 210",
        ),
        (
            r#""usage":{"prompt_tokens":10,"completion_tokens":5,"cost":0.0002,"is_byok":false,"cost_details":{"upstream_inference_cost":0.0002}}"#,
            "usage 10 0 5 0 cost 200",
        ),
        (
            r#""usage":{"prompt_tokens":10,"completion_tokens":5,"cost":{"total_cost":0.006}}"#,
            "usage 10 0 5 0 cost 6000",
        ),
        (
            r#""usage":{"prompt_tokens":10,"completion_tokens":5,"cost_in_usd_ticks":1466250}"#,
            "usage 10 0 5 0 cost 147",
        ),
        (r#""usage":{"prompt_tokens":10,"completion_tokens":5,"cost":-1}"#, "usage 10 0 5 0"),
        (r#""usage":{"input_tokens":10,"output_tokens":5}"#, "usage 10 0 5 0"),
        (r#""usage":{"prompt_tokens":99999999999,"completion_tokens":"many"}"#, "usage 4294967295 0 0 0"),
    ] {
        let last = format!(r#"{{"choices":[],{usage}}}"#);
        assert_eq!(decode(&stream(&[STOP, &last])), [expected, "finish Stop"], "{usage}");
        let same = format!(r#"{{"choices":[{{"delta":{{}},"finish_reason":"stop"}}],{usage}}}"#);
        assert_eq!(decode(&stream(&[&same])), [expected, "finish Stop"], "{usage}");
    }
    let in_choice =
        r#"{"choices":[{"delta":{},"finish_reason":"stop","usage":{"prompt_tokens":1,"completion_tokens":2}}]}"#;
    assert_eq!(decode(&stream(&[in_choice])), ["usage 1 0 2 0", "finish Stop"]);
    // Told with every chunk: once, the last.
    let first = r#"{"choices":[{"delta":{"content":"t"}}],"usage":{"prompt_tokens":1,"completion_tokens":1}}"#;
    let second =
        r#"{"choices":[{"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}"#;
    assert_eq!(decode(&stream(&[first, second])), ["text t", "usage 1 0 2 0", "finish Stop"]);
}

#[test]
fn what_is_not_known_costs_nothing() {
    let lines = [
        r#"{"choices":null,"prompt_filter_results":[1]}"#,
        r#"{"choices":[{"index":0,"delta":{"content":"a","content":"b","audio":{"x":[1,{"y":2}]}},"logprobs":null}],"new":{"deep":[[]]}}"#,
        r#"{"choices":[{"index":1,"delta":{"content":"another choice"}}]}"#,
        "not json",
        r#"{"choices":[{"index":null,"delta":{"content":"c","reasoning_content":17,"tool_calls":null,"function_call":null},"finish_reason":null}]}"#,
        r#"{"choices":[{"delta":null}],"usage":"none"}"#,
        STOP,
    ];
    assert_eq!(decode(&stream(&lines)), ["text b", "text c", "finish Stop"]);
}

#[test]
fn nothing_follows_the_end() {
    let mut decoder = decoder();
    assert_eq!(short(decoder.push(&stream(&[STOP]))), ["finish Stop"]);
    assert!(decoder.is_over());
    assert_eq!(decoder.push(&stream(&[&delta(r#"{"content":"late"}"#)])), []);
    assert_eq!(decoder.end(), []);
}
