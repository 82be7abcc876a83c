// SPDX-License-Identifier: Apache-2.0
//! What must hold of any bytes at all. The fuzz targets look for bytes of which it does not, and tests replay what they
//! found.
//!
//! The first byte of an input is the number of cuts, each cut two bytes, and the rest is the stream; from 128 on it says
//! that the rest are the turns of a request.

use bailey_protocol::model::{Native, PastCall, Picture, Reply, Request, ToolDeclaration, Turn};
use bailey_protocol::{PictureId, ProviderKind};
use bailey_providers::{Asked, Decoded, Decoder, sent};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::sync::Arc;
use url::Url;

/// The cuts of an input, in order, and its stream.
pub fn cut(data: &[u8]) -> (Vec<usize>, &[u8]) {
    let Some((count, rest)) = data.split_first() else { return (Vec::new(), data) };
    let count = usize::from(*count).min(rest.len() / 2);
    let (cuts, stream) = rest.split_at(2 * count);
    let place = |pair: &[u8]| usize::from(u16::from_le_bytes([pair[0], pair[1]])) % (stream.len() + 1);
    let mut cuts: Vec<usize> = cuts.chunks_exact(2).map(place).collect();
    cuts.sort_unstable();
    (cuts, stream)
}

/// The pieces of a stream between its cuts.
pub fn pieces<'a>(cuts: &[usize], stream: &'a [u8]) -> Vec<&'a [u8]> {
    let mut ends = cuts.to_vec();
    ends.push(stream.len());
    let mut begin = 0;
    ends.into_iter()
        .map(|end| {
            let piece = &stream[begin..end];
            begin = end;
            piece
        })
        .collect()
}

/// A protocol's decoder, and its requests.
pub fn protocol(kind: ProviderKind, data: &[u8]) {
    match data.split_first() {
        Some((first, rest)) if *first >= 128 => request(kind, turns(rest)),
        _ => decoder(kind, data),
    }
}

fn new(kind: ProviderKind) -> Decoder {
    let asked = Asked { tag: "fuzzed".into(), used: HashSet::from(["used".into()]), ..Asked::default() };
    Decoder::new(kind, Asked { origin: "here".into(), ..asked }).expect("a protocol")
}

fn decoder(kind: ProviderKind, data: &[u8]) {
    let (cuts, stream) = cut(data);
    let mut one = new(kind);
    let mut whole = one.push(stream);
    whole.extend(one.end());
    assert!(one.is_over());
    assert!(one.push(b"data: {}\n\n").is_empty() && one.end().is_empty(), "something after the end");

    let mut many = new(kind);
    let mut split = Decoded::new();
    for piece in pieces(&cuts, stream) {
        split.extend(many.push(piece));
    }
    split.extend(many.clone().end());
    assert_eq!(split, whole, "the same bytes in pieces say something else");
    orderly(&whole);
    if whole.last().is_some_and(Result::is_ok) {
        goes_back(kind, whole);
    }
}

/// Replies end with the one finish or the one error; calls and the native message stand right before a finish.
fn orderly(replies: &Decoded) {
    let Some(last) = replies.last() else { panic!("nothing was said at all") };
    let ends = |reply: &Result<Reply, _>| matches!(reply, Err(_) | Ok(Reply::Finish { .. }));
    assert!(ends(last), "{last:?}");
    let mut ids = HashSet::new();
    let mut closing = false;
    for (at, reply) in replies.iter().enumerate() {
        assert!(!ends(reply) || at + 1 == replies.len(), "something after the end");
        match reply {
            Ok(Reply::Call { id, name, arguments }) => {
                assert!(last.is_ok() && !name.is_empty() && !arguments.trim().is_empty());
                assert!(!id.is_empty() && id != "used" && ids.insert(id), "the id {id:?} is not the call's own");
                closing = true;
            }
            Ok(Reply::Native { native }) => {
                assert!(at + 2 == replies.len() && last.is_ok() && native.origin == "here");
            }
            Ok(Reply::Usage { .. }) => closing = true,
            Ok(Reply::Finish { .. }) | Err(_) => {}
            Ok(Reply::Text { .. } | Reply::Reasoning { .. } | Reply::CallBegan { .. }) => {
                assert!(!closing, "{reply:?} after the calls");
            }
            Ok(Reply::Item { .. } | Reply::Retry { .. }) => {}
            Ok(other) => panic!("{other:?} is not for a decoder to say"),
        }
    }
}

/// What was answered goes into the next request, with what is the provider's own.
fn goes_back(kind: ProviderKind, replies: Decoded) {
    let (mut text, mut reasoning, mut calls, mut native) = (String::new(), String::new(), Vec::new(), None);
    for reply in replies.into_iter().flatten() {
        match reply {
            Reply::Text { text: more } => text.push_str(&more),
            Reply::Reasoning { text: more } => reasoning.push_str(&more),
            Reply::Call { id, name, arguments } => {
                let arguments = serde_json::from_str(&arguments).unwrap_or(Value::String(arguments));
                calls.push(PastCall { id, name, arguments });
            }
            Reply::Native { native: own } => native = Some(own),
            Reply::Retry { .. } => (text, reasoning) = (String::new(), String::new()),
            _ => {}
        }
    }
    let results =
        calls.iter().map(|call| Turn::Tool { id: call.id.clone(), name: call.name.clone(), text: "r".into() });
    let results: Vec<Turn> = results.collect();
    let mut messages = vec![Turn::user("hi"), Turn::Assistant { text, reasoning, calls, native }];
    messages.extend(results);
    messages.push(Turn::user("go on"));
    request(kind, messages);
}

/// Any turns make a body that is JSON, the same each time.
fn request(kind: ProviderKind, messages: Vec<Turn>) {
    let tools = vec![ToolDeclaration {
        name: "one".into(),
        description: "d".into(),
        schema: json!({ "type": "object", "properties": { "a": { "type": "string" } } }),
    }];
    for (base, model) in [("https://api.openai.com/v1", "gpt-5"), ("https://api.mistral.ai/v1", "claude-gemini-kimi")] {
        let base = Url::parse(base).expect("a URL");
        let request = Request {
            model: model.into(),
            system: "s".into(),
            messages: messages.clone(),
            tools: tools.clone(),
            max_output: Some(4096),
            effort: None,
        };
        let (_, body) = sent(kind, &base, &request).expect("a protocol");
        let value: Value = serde_json::from_slice(&body).expect("a body that is JSON");
        assert!(value.is_object());
        assert_eq!(sent(kind, &base, &request).expect("a protocol").1, body, "the same request, other bytes");
    }
}

/// Turns from bytes: each two say what it is and what is in it.
fn turns(bytes: &[u8]) -> Vec<Turn> {
    const TEXTS: [&str; 8] = ["", " ", "text", "\n", "\"quoted\" \\", "你好 😀", "data: {}", "\u{0}"];
    const IDS: [&str; 8] = ["", "a", "b", "call_1", "toolu:1", "é", "functions.x:0", "abcDEF123"];
    const NAMES: [&str; 4] = ["one", "", "two words", "时间"];
    let arguments = |byte: u8| match byte % 5 {
        0 => json!({}),
        1 => json!({ "a": 1.0 }),
        2 => json!("{half"),
        3 => json!([null]),
        _ => Value::Null,
    };
    let pick = |list: &[&str], byte: u8| list[usize::from(byte) % list.len()].to_owned();
    let mut turns: Vec<Turn> = Vec::new();
    for pair in bytes.chunks_exact(2).take(64) {
        let (what, byte) = (pair[0], pair[1]);
        let text = pick(&TEXTS, byte);
        match (what % 8, turns.last_mut()) {
            (0, _) => turns.push(Turn::user(text)),
            (1, _) => {
                let data: Arc<[u8]> = bytes[..usize::from(byte % 4).min(bytes.len())].into();
                let picture = Picture { id: PictureId::from("p"), media_type: "image/png".into(), data };
                turns.push(Turn::User { text, pictures: vec![picture] });
            }
            (2, _) => turns.push(Turn::Tool { id: pick(&IDS, what / 8), name: pick(&NAMES, byte / 8), text }),
            (3, Some(Turn::Assistant { calls, .. })) => {
                calls.push(PastCall {
                    id: pick(&IDS, byte),
                    name: pick(&NAMES, byte / 8),
                    arguments: arguments(byte / 32),
                });
            }
            (4, Some(Turn::Assistant { native, .. })) => {
                // A message of the provider's own that is not one.
                let item = match byte % 4 {
                    0 => json!(null),
                    1 => json!({ "calls": [{ "id": "a", "name": "one" }], "content": [], "fields": 7, "type": "text" }),
                    2 => json!([[{ "type": "tool_use", "id": "a", "name": "one", "input": {} }]]),
                    _ => json!({ "text": 1, "parts": "x", "item": { "type": "function_call", "call_id": "a" } }),
                };
                *native = Some(Arc::new(Native { origin: "here".into(), items: vec![item; usize::from(byte / 64)] }));
            }
            (5, Some(Turn::Assistant { reasoning, .. })) => reasoning.push_str(&text),
            _ => turns.push(Turn::Assistant { text, reasoning: String::new(), calls: Vec::new(), native: None }),
        }
    }
    turns
}
