// SPDX-License-Identifier: Apache-2.0
//! How fast streams are read. `npm run bench -- streams` runs it beside others.
//!
//! - `stream_speed http BASE text|tool N`: N chunks from the shared mock over HTTP, through the whole endpoint, the best
//!   of five; one line as the other readers print it.
//! - `stream_speed memory [PROTOCOL]`: each protocol's decoder by itself, and how its time grows with the length of a call's
//!   arguments.

use bailey_net::{Clients, normalize_base_url};
use bailey_ports::{Model, Redactor};
use bailey_protocol::model::{Reply, Request, Turn};
use bailey_protocol::{ProviderId, ProviderKind};
use bailey_providers::{Asked, Decoder, Endpoint};
use futures::StreamExt;
use std::fmt::Write as _;
use std::io::Write as _;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["http", base, kind, count] => http(base, kind, count.parse()?),
        ["memory"] => memory(""),
        ["memory", protocol] => memory(protocol),
        _ => Err("stream_speed http BASE text|tool N, or stream_speed memory [PROTOCOL]".into()),
    }
}

/// The best time of five.
fn best(mut run: impl FnMut() -> Duration) -> f64 {
    (0..5).map(|_| run()).min().unwrap_or_default().as_secs_f64()
}

fn http(base: &str, kind: &str, count: usize) -> Result<(), Box<dyn std::error::Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let base = normalize_base_url(base)?;
    let client = Clients::new().endpoint(&base)?;
    let provider = ProviderId::from("bench");
    let endpoint = Endpoint::new(ProviderKind::OpenaiChat, client, base, provider, None, Redactor::new())
        .ok_or("the protocol has no endpoint")?;
    let (mut text, mut written) = (0, 0);
    let seconds = best(|| {
        let model = format!("flood-{kind}-{count}");
        let request = Request { model, messages: vec![Turn::user("x")], ..Request::default() };
        let begun = Instant::now();
        (text, written) = runtime.block_on(endpoint.reply(request).fold((0, 0), |(text, written), reply| async move {
            match reply {
                Ok(Reply::Text { text: more }) => (text + more.len(), written),
                Ok(Reply::Call { arguments, .. }) => (text, written + arguments.len()),
                _ => (text, written),
            }
        }));
        begun.elapsed()
    });
    let mut out = std::io::stdout();
    writeln!(
        out,
        "bailey {kind} chunks={count} text={text} args={written} ms={:.1} kchunks/s={:.0}",
        seconds * 1e3,
        count as f64 / seconds / 1e3
    )?;
    Ok(())
}

const KINDS: [(&str, ProviderKind); 4] = [
    ("chat", ProviderKind::OpenaiChat),
    ("responses", ProviderKind::OpenaiResponses),
    ("anthropic", ProviderKind::Anthropic),
    ("gemini", ProviderKind::Gemini),
];

fn memory(protocol: &str) -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::stdout();
    for (name, kind) in KINDS.into_iter().filter(|(name, _)| protocol.is_empty() || *name == protocol) {
        for call in [false, true] {
            let count = 100_000;
            let stream = flood(kind, call, count, "word ");
            let seconds = best(|| decode(kind, &stream));
            let what = if call { "tool" } else { "text" };
            writeln!(
                out,
                "{name} {what} chunks={count} ms={:.1} kchunks/s={:.0} MB/s={:.0}",
                seconds * 1e3,
                count as f64 / seconds / 1e3,
                stream.len() as f64 / seconds / 1e6
            )?;
        }
        // One call with a megabyte of arguments in pieces of some 20 bytes, and with two.
        let [one, two] = [1, 2].map(|megabytes| {
            let piece = "abcdefghijklmnopqrs ";
            let stream = flood(kind, true, megabytes * (1 << 20) / piece.len(), piece);
            best(|| decode(kind, &stream))
        });
        writeln!(out, "{name} arguments 1MB={:.1}ms 2MB={:.1}ms ratio={:.2}", one * 1e3, two * 1e3, two / one)?;
    }
    Ok(())
}

/// The time to decode a stream that comes in pieces of 16 KiB, as a network brings it.
fn decode(kind: ProviderKind, stream: &str) -> Duration {
    let begun = Instant::now();
    let Some(mut decoder) = Decoder::new(kind, Asked::default()) else { return Duration::ZERO };
    let mut said = 0;
    for piece in stream.as_bytes().chunks(16 << 10) {
        said += decoder.push(piece).len();
    }
    said += decoder.end().len();
    std::hint::black_box(said);
    begun.elapsed()
}

/// A stream of so many pieces of text, or of a call's arguments.
fn flood(kind: ProviderKind, call: bool, count: usize, piece: &str) -> String {
    let [begin, one, end]: [&[&str]; 3] = match (kind, call) {
        (ProviderKind::OpenaiResponses, false) => [
            &[
                r#"{"type":"response.created","response":{"id":"r","status":"in_progress","output":[]}}"#,
                r#"{"type":"response.output_item.added","output_index":0,"item":{"type":"message","id":"m","role":"assistant","content":[]}}"#,
            ],
            &[
                r#"{"type":"response.output_text.delta","sequence_number":7,"item_id":"msg_0123456789","output_index":0,"content_index":0,"delta":"PIECE","logprobs":[]}"#,
            ],
            &[
                r#"{"type":"response.completed","response":{"id":"r","status":"completed","output":[],"usage":{"input_tokens":1,"output_tokens":1}}}"#,
            ],
        ],
        (ProviderKind::OpenaiResponses, true) => [
            &[
                r#"{"type":"response.created","response":{"id":"r","status":"in_progress","output":[]}}"#,
                r#"{"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","id":"fc_1","call_id":"c","name":"add","arguments":""}}"#,
                r#"{"type":"response.function_call_arguments.delta","output_index":0,"item_id":"fc_1","delta":"{\"s\":\""}"#,
            ],
            &[
                r#"{"type":"response.function_call_arguments.delta","sequence_number":7,"item_id":"fc_1","output_index":0,"delta":"PIECE"}"#,
            ],
            &[
                r#"{"type":"response.function_call_arguments.delta","output_index":0,"item_id":"fc_1","delta":"\"}"}"#,
                r#"{"type":"response.completed","response":{"id":"r","status":"completed","output":[],"usage":{"input_tokens":1,"output_tokens":1}}}"#,
            ],
        ],
        (ProviderKind::Anthropic, false) => [
            &[
                r#"{"type":"message_start","message":{"id":"m","role":"assistant","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}"#,
                r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#,
            ],
            &[r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"PIECE"}}"#],
            &[
                r#"{"type":"content_block_stop","index":0}"#,
                r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}}"#,
                r#"{"type":"message_stop"}"#,
            ],
        ],
        (ProviderKind::Anthropic, true) => [
            &[
                r#"{"type":"message_start","message":{"id":"m","role":"assistant","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}"#,
                r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"add","input":{}}}"#,
                r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"s\":\""}}"#,
            ],
            &[r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"PIECE"}}"#],
            &[
                r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"\"}"}}"#,
                r#"{"type":"content_block_stop","index":0}"#,
                r#"{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":2}}"#,
                r#"{"type":"message_stop"}"#,
            ],
        ],
        (ProviderKind::Gemini, false) => [
            &[],
            &[
                r#"{"candidates":[{"content":{"role":"model","parts":[{"text":"PIECE"}]},"index":0}],"modelVersion":"gemini","responseId":"0123456789"}"#,
            ],
            &[
                r#"{"candidates":[{"content":{"role":"model","parts":[{"text":""}]},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":1,"totalTokenCount":2}}"#,
            ],
        ],
        (ProviderKind::Gemini, true) => [
            &[
                r#"{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"add","willContinue":true}}]}}]}"#,
            ],
            &[
                r#"{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.s","stringValue":"PIECE","willContinue":true}],"willContinue":true}}]}}],"modelVersion":"gemini","responseId":"0123456789"}"#,
            ],
            &[
                r#"{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{}}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1,"totalTokenCount":2}}"#,
            ],
        ],
        (_, false) => [
            &[
                r#"{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}"#,
            ],
            &[
                r#"{"id":"chatcmpl-0123456789","object":"chat.completion.chunk","created":1700000000,"model":"mock","choices":[{"index":0,"delta":{"content":"PIECE"},"finish_reason":null}]}"#,
            ],
            &[
                r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1}}"#,
                "[DONE]",
            ],
        ],
        (_, true) => [
            &[
                r#"{"choices":[{"index":0,"delta":{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"add","arguments":""}}]}}]}"#,
                r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"s\":\""}}]}}]}"#,
            ],
            &[
                r#"{"id":"chatcmpl-0123456789","object":"chat.completion.chunk","created":1700000000,"model":"mock","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"PIECE"}}]},"finish_reason":null}]}"#,
            ],
            &[
                r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\"}"}}]},"finish_reason":null}]}"#,
                r#"{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}"#,
                "[DONE]",
            ],
        ],
    };
    let event = |line: &str| {
        let name = line.strip_prefix(r#"{"type":""#).and_then(|rest| rest.split('"').next());
        let name = name.map(|name| format!("event: {name}\n")).unwrap_or_default();
        format!("{name}data: {}\n\n", line.replace("PIECE", piece))
    };
    let mut stream: String = begin.iter().map(|line| event(line)).collect();
    let middle: String = one.iter().map(|line| event(line)).collect();
    stream.reserve(middle.len() * count);
    for _ in 0..count {
        // Writing to a string does not fail.
        let _ = stream.write_str(&middle);
    }
    stream.extend(end.iter().map(|line| event(line)));
    stream
}
