// SPDX-License-Identifier: Apache-2.0
//! Recorded streams of real services: the same replies however the bytes are split, and the replies that a plain walk
//! over the JSON expects.
//!
//! The folder is `BAILEY_STREAMS`, else `../shared/data/streams` beside the repository; a few samples live here.

use bailey_ports::ModelError;
use bailey_protocol::model::{Finish, Reply, Usage};
use bailey_providers::openai_chat::Decoder;
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The folders whose streams are of this protocol.
const FOLDERS: [&str; 8] = [
    "openai-chat",
    "deepseek-chat",
    "xai-chat",
    "groq-chat",
    "mistral-chat",
    "alibaba-chat",
    "moonshotai-chat",
    "openai-compatible-chat",
];

type Replies = Vec<Result<Reply, ModelError>>;

fn decode(pieces: &[&[u8]]) -> Replies {
    let mut decoder = Decoder::new("corpus", HashSet::new());
    let mut replies = Vec::new();
    for piece in pieces {
        replies.extend(decoder.push(piece));
    }
    replies.extend(decoder.end());
    replies
}

/// What a stream says, put together.
#[derive(Debug, Default, PartialEq)]
struct Sum {
    text: String,
    reasoning: String,
    calls: Vec<(String, String)>,
    usage: Option<Usage>,
    finish: Option<Finish>,
}

impl Sum {
    fn of(replies: &Replies) -> Self {
        let mut sum = Sum::default();
        for reply in replies {
            match reply.clone().unwrap() {
                Reply::Text { text } => sum.text.push_str(&text),
                Reply::Reasoning { text } => sum.reasoning.push_str(&text),
                Reply::CallBegan { .. } => {}
                Reply::Call { name, arguments, .. } => sum.calls.push((name, arguments)),
                Reply::Usage { usage } => sum.usage = Some(usage),
                Reply::Finish { finish } => sum.finish = Some(finish),
            }
        }
        sum
    }

    /// The same from the JSON lines, in the simplest way.
    fn expected(lines: &[Value]) -> Self {
        let mut sum = Sum::default();
        let mut calls: BTreeMap<u64, (String, String)> = BTreeMap::new();
        for line in lines {
            let usage = [&line["usage"], &line["x_groq"]["usage"]].into_iter().find(|usage| usage.is_object());
            if let Some(usage) = usage {
                let number = |value: &Value| value.as_u64().unwrap_or(0) as u32;
                sum.usage = Some(Usage {
                    input: number(&usage["prompt_tokens"]),
                    cached: number(&usage["prompt_tokens_details"]["cached_tokens"])
                        .max(number(&usage["prompt_cache_hit_tokens"])),
                    // Whether a service counts reasoning in or beside the answer, the total tells.
                    output: number(&usage["total_tokens"]) - number(&usage["prompt_tokens"]),
                    reasoning: number(&usage["completion_tokens_details"]["reasoning_tokens"]),
                });
            }
            let choice = &line["choices"][0];
            let delta = &choice["delta"];
            sum.reasoning
                .push_str(delta["reasoning_content"].as_str().or(delta["reasoning"].as_str()).unwrap_or_default());
            match &delta["content"] {
                Value::Array(parts) => {
                    for part in parts {
                        sum.text.push_str(part["text"].as_str().unwrap_or_default());
                        for thought in part["thinking"].as_array().into_iter().flatten() {
                            sum.reasoning.push_str(thought["text"].as_str().unwrap());
                        }
                    }
                }
                content => sum.text.push_str(content.as_str().unwrap_or_default()),
            }
            for call in delta["tool_calls"].as_array().into_iter().flatten() {
                let entry = calls.entry(call["index"].as_u64().unwrap()).or_default();
                entry.0.push_str(call["function"]["name"].as_str().unwrap_or_default());
                entry.1.push_str(call["function"]["arguments"].as_str().unwrap_or_default());
            }
            match choice["finish_reason"].as_str() {
                Some("stop") => sum.finish = Some(Finish::Stop),
                Some("tool_calls") => sum.finish = Some(Finish::Calls),
                Some("length") => sum.finish = Some(Finish::Length),
                Some(other) => panic!("{other}"),
                None => {}
            }
        }
        sum.calls = calls.into_values().collect();
        sum
    }
}

/// A small generator of cuts: the same in every run.
struct Cuts(u64);

impl Cuts {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

fn check(path: &Path) {
    let file = std::fs::read_to_string(path).unwrap();
    let lines: Vec<Value> =
        file.lines().filter(|line| !line.trim().is_empty()).map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut stream: String =
        file.lines().filter(|line| !line.trim().is_empty()).map(|line| format!("data: {line}\n\n")).collect();
    stream.push_str("data: [DONE]\n\n");
    let bytes = stream.as_bytes();
    let name = path.display();

    let whole = decode(&[bytes]);
    let sum = Sum::of(&whole);
    assert_eq!(sum, Sum::expected(&lines), "{name}");
    assert!(sum.finish.is_some() && !(sum.text.is_empty() && sum.calls.is_empty()), "{name}: says something");

    if bytes.len() < 20_000 {
        // The head is decoded once: at each byte a copy goes on with the rest.
        let mut head = Decoder::new("corpus", HashSet::new());
        let mut said = 0;
        for at in 0..=bytes.len() {
            let mut tail = head.clone();
            let mut replies = tail.push(&bytes[at..]);
            replies.extend(tail.end());
            assert!(replies == whole[said..], "{name}: split at {at}");
            if at < bytes.len() {
                let replies = head.push(&bytes[at..=at]);
                assert!(whole[said..].starts_with(&replies), "{name}: byte {at}");
                said += replies.len();
            }
        }
    }
    let mut cuts = Cuts(0x9E37_79B9_7F4A_7C15 ^ bytes.len() as u64);
    for round in 0..200 {
        let count = 1 + cuts.below(if round % 2 == 0 { 10 } else { bytes.len() / 3 });
        let mut at: Vec<usize> = (0..count).map(|_| cuts.below(bytes.len())).collect();
        at.extend([0, bytes.len()]);
        at.sort_unstable();
        let pieces: Vec<&[u8]> = at.windows(2).map(|cut| &bytes[cut[0]..cut[1]]).collect();
        assert!(decode(&pieces) == whole, "{name}: round {round}");
    }
    let single: Vec<&[u8]> = bytes.chunks(1).collect();
    assert!(decode(&single) == whole, "{name}: byte by byte");
    // Line ends of the other kinds change nothing.
    for end in ["\r\n", "\r"] {
        assert!(decode(&[stream.replace('\n', end).as_bytes()]) == whole, "{name}: {end:?}");
    }
    // Cut off anywhere before its end, a stream is an interruption and no half call comes out.
    let last = bytes.len() - "data: [DONE]\n\n".len();
    for _ in 0..50 {
        let cut = decode(&[&bytes[..cuts.below(last)]]);
        let ended = cut.iter().any(|reply| matches!(reply, Ok(Reply::Finish { .. })));
        let broken = cut.iter().any(Result::is_err);
        assert!(ended != broken, "{name}");
        for reply in &cut {
            if let Ok(Reply::Call { name: tool, arguments, .. }) = reply {
                assert!(sum.calls.contains(&(tool.clone(), arguments.clone())), "{name}: half a call");
            }
        }
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect();
    files.sort();
    files
}

#[test]
fn corpus_streams() {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let own = files(&crate_folder.join("tests/samples"));
    assert!(own.len() >= 3, "{own:?}");
    own.iter().for_each(|path| check(path));

    let given = std::env::var_os("BAILEY_STREAMS").map(PathBuf::from);
    let beside = crate_folder.join("../../../../shared/data/streams");
    let folder = given.clone().or_else(|| beside.is_dir().then_some(beside));
    let Some(folder) = folder else {
        writeln!(std::io::stderr(), "corpus_streams: only the repo's own samples ran").unwrap();
        return;
    };
    let recorded: Vec<PathBuf> = FOLDERS.iter().flat_map(|name| files(&folder.join(name))).collect();
    assert!(!recorded.is_empty() || given.is_none(), "BAILEY_STREAMS holds none of the folders {FOLDERS:?}");
    // Two at a time.
    let (even, odd): (Vec<_>, Vec<_>) = recorded.iter().enumerate().partition(|(at, _)| at % 2 == 0);
    std::thread::scope(|scope| {
        scope.spawn(|| even.iter().for_each(|(_, path)| check(path)));
        odd.iter().for_each(|(_, path)| check(path));
    });
    writeln!(std::io::stderr(), "corpus_streams: {} recorded streams and {} samples", recorded.len(), own.len())
        .unwrap();
}
