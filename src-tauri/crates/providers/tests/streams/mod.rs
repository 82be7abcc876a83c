// SPDX-License-Identifier: Apache-2.0
//! Recorded streams: where they are, of which protocol, and how their lines become the bytes of answers.

pub(crate) mod said;

use bailey_ports::ModelError;
use bailey_protocol::ProviderKind;
use bailey_protocol::model::Reply;
use bailey_providers::{Asked, Decoder};
use std::path::{Path, PathBuf};

pub(crate) type Replies = Vec<Result<Reply, ModelError>>;

/// The folders of recordings, and of our own samples.
const FOLDERS: [(&str, ProviderKind); 16] = [
    ("chat", ProviderKind::OpenaiChat),
    ("openai-chat", ProviderKind::OpenaiChat),
    ("deepseek-chat", ProviderKind::OpenaiChat),
    ("xai-chat", ProviderKind::OpenaiChat),
    ("groq-chat", ProviderKind::OpenaiChat),
    ("mistral-chat", ProviderKind::OpenaiChat),
    ("alibaba-chat", ProviderKind::OpenaiChat),
    ("moonshotai-chat", ProviderKind::OpenaiChat),
    ("openai-compatible-chat", ProviderKind::OpenaiChat),
    ("responses", ProviderKind::OpenaiResponses),
    ("openai-responses", ProviderKind::OpenaiResponses),
    ("xai-responses", ProviderKind::OpenaiResponses),
    ("anthropic", ProviderKind::Anthropic),
    ("anthropic-chat", ProviderKind::Anthropic),
    ("gemini", ProviderKind::Gemini),
    ("google-chat", ProviderKind::Gemini),
];

/// A file of one or several answers in a row.
#[derive(Debug)]
pub(crate) struct Recording {
    pub(crate) path: PathBuf,
    pub(crate) kind: ProviderKind,
    pub(crate) answers: Vec<Answer>,
}

/// The events of one answer.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) kind: ProviderKind,
    pub(crate) lines: Vec<String>,
}

/// The word for a protocol in the independent script.
pub(crate) fn word(kind: ProviderKind) -> &'static str {
    match kind {
        ProviderKind::OpenaiResponses => "responses",
        ProviderKind::Anthropic => "anthropic",
        ProviderKind::Gemini => "gemini",
        _ => "chat",
    }
}

impl Recording {
    fn read(path: PathBuf, kind: ProviderKind) -> Self {
        let file = std::fs::read_to_string(&path).unwrap();
        let mut answers = vec![Answer { kind, lines: Vec::new() }];
        let mut closed = false;
        for line in file.lines().filter(|line| !line.trim().is_empty()) {
            let name = event_name(line);
            // The next answer opens after the last was closed; one that opens before that is spliced in.
            let opens = matches!(name, "message_start" | "response.created");
            if closed && opens {
                answers.push(Answer { kind, lines: Vec::new() });
            }
            closed = matches!(name, "message_stop" | "response.completed") || (closed && !opens);
            answers.last_mut().unwrap().lines.push(line.to_owned());
        }
        Self { path, kind, answers }
    }
}

/// A line's `type`, read without trusting that the line is whole.
fn event_name(line: &str) -> &str {
    let rest = line.strip_prefix("{\"type\":\"").unwrap_or_default();
    rest.split('"').next().unwrap_or_default()
}

impl Answer {
    /// The bytes of an event stream.
    pub(crate) fn stream(&self) -> String {
        let mut stream: String = self.events().concat();
        if self.kind == ProviderKind::OpenaiChat {
            stream.push_str(DONE);
        }
        stream
    }

    /// Each event's text.
    pub(crate) fn events(&self) -> Vec<String> {
        let named = matches!(self.kind, ProviderKind::Anthropic | ProviderKind::OpenaiResponses);
        let event = |line: &String| match named {
            true => format!("event: {}\ndata: {line}\n\n", event_name(line)),
            false => format!("data: {line}\n\n"),
        };
        self.lines.iter().map(event).collect()
    }

    pub(crate) fn decoder(&self) -> Decoder {
        decoder(self.kind)
    }

    pub(crate) fn decode(&self, pieces: &[&[u8]]) -> Replies {
        decode(self.kind, pieces)
    }
}

pub(crate) const DONE: &str = "data: [DONE]\n\n";

pub(crate) fn decoder(kind: ProviderKind) -> Decoder {
    let asked = Asked { tag: "corpus".to_owned(), origin: "here".to_owned(), ..Asked::default() };
    Decoder::new(kind, asked).unwrap()
}

pub(crate) fn decode(kind: ProviderKind, pieces: &[&[u8]]) -> Replies {
    let mut decoder = decoder(kind);
    let mut replies = Vec::new();
    for piece in pieces {
        replies.extend(decoder.push(piece));
    }
    replies.extend(decoder.end());
    replies
}

/// All recordings in the folders below this one. A folder that nobody knows is a mistake.
pub(crate) fn recordings(folder: &Path) -> Vec<Recording> {
    let mut recordings = Vec::new();
    for below in entries(folder).into_iter().filter(|path| path.is_dir()) {
        let name = below.file_name().unwrap().to_str().unwrap();
        let Some((_, kind)) = FOLDERS.iter().find(|(known, _)| *known == name) else {
            panic!("{}: of which protocol are these? Name the folder in tests/streams/mod.rs.", below.display());
        };
        let files = entries(&below).into_iter().filter(|path| path.is_file());
        recordings.extend(files.map(|path| Recording::read(path, *kind)));
    }
    recordings
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// Our own samples.
pub(crate) fn samples() -> Vec<Recording> {
    recordings(&crate_folder().join("tests/samples"))
}

/// The recordings of `BAILEY_STREAMS`, else of `../shared/data/streams` beside the repository; `None` when there are none.
pub(crate) fn corpus() -> Option<Vec<Recording>> {
    let given = std::env::var_os("BAILEY_STREAMS").map(PathBuf::from);
    let beside = crate_folder().join("../../../../shared/data/streams");
    let folder = given.or_else(|| beside.is_dir().then_some(beside))?;
    let recordings = recordings(&folder);
    assert!(!recordings.is_empty(), "{} holds no recordings", folder.display());
    Some(recordings)
}

pub(crate) fn crate_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A small generator of numbers: the same in every run.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: usize) -> Self {
        Self(0x9E37_79B9_7F4A_7C15 ^ seed as u64)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}
