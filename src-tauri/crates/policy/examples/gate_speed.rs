// SPDX-License-Identifier: Apache-2.0
//! How long one call of the gate takes in a long conversation: `cargo run --release -p bailey-policy --example gate_speed`.

use bailey_policy::{
    ArgumentRole, Attendance, CallHistory, Definition, Origins, Question, Signature, ToolFacts, ToolKind, ToolSpec,
    gate,
};
use bailey_protocol::{
    Block, Budget, Call, CallState, Labels, Ledger, Message, MessageStatus, Mode, Part, Role, Source,
};
use serde_json::json;
use std::fmt::Write as _;
use std::io::Write as _;
use std::time::{Duration, Instant};

fn text(bytes: usize, seed: u64) -> String {
    let (mut out, mut n) = (String::new(), seed);
    while out.len() < bytes {
        n = n.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let word = n >> 40;
        let _ = match word % 40 {
            0 => write!(out, "mail{word}@host{}.example ", word % 97),
            1 => write!(out, "https://site{}.example/a/{word}?q=1 ", word % 89),
            2 => write!(out, "{}.{} ", word % 90, word),
            3 => write!(out, "AB{word} "),
            _ => write!(out, "word{} ", word % 5_000),
        };
    }
    out
}

fn took(text: String, labels: Labels) -> Message {
    let call = Call {
        id: "c".into(),
        provider_id: String::new(),
        tool: "look".into(),
        arguments: json!({}),
        state: CallState::Done,
        parts: vec![Part::labelled(text, labels)],
        denial: None,
        repairs: Vec::new(),
        recovery: None,
        ms: 0,
    };
    Message {
        id: "m".into(),
        conversation: "c".into(),
        parent: None,
        run: "r".into(),
        role: Role::Assistant,
        status: MessageStatus::Complete,
        at: 0,
        blocks: vec![Block::Call { call }],
        labels: Labels::none(),
        model: None,
        usage: None,
        native: None,
        summary: None,
        siblings: Vec::new(),
    }
}

fn main() -> std::io::Result<()> {
    let labels = Labels { outside: vec![Source::tool("web_read")], private: vec![Source::tool("lookup")] };
    let spec = ToolSpec {
        name: "send".into(),
        description: String::new(),
        schema: json!({ "type": "object", "properties": { "to": {}, "body": {} } }),
        example: json!({}),
        facts: ToolFacts { egress: true, ..ToolFacts::LOW },
        arguments: [("body".to_owned(), ArgumentRole::Text)].into(),
        kind: ToolKind::Run,
    };
    let mut out = std::io::stdout().lock();
    let mut origins = Origins::default();
    let from = Instant::now();
    origins.say(&text(400_000, 1));
    writeln!(out, "taking in 400 KB typed: {:?}", from.elapsed())?;
    let from = Instant::now();
    for seed in 0..50 {
        origins.take(&took(text(100_000, seed + 2), Labels { private: Vec::new(), ..labels.clone() }), |_| None);
    }
    writeln!(out, "taking in 5 MB from outside: {:?}", from.elapsed())?;
    let from = Instant::now();
    origins.take(&took(text(1_000_000, 99), Labels { outside: Vec::new(), ..labels.clone() }), |_| None);
    writeln!(out, "taking in 1 MB of the person's own: {:?}", from.elapsed())?;
    for (what, arguments) in [
        ("a short call", json!({ "to": "mallory@evil.example", "body": "Hello, see www.evil.example." })),
        (
            "ten values and 20 KB of text",
            json!({ "to": (0..10).map(|n| format!("nobody{n}")).collect::<Vec<_>>(), "body": text(20_000, 7) }),
        ),
        (
            "a thousand links",
            json!({ "to": "nobody", "body": (0..1000).map(|n| format!("evil{n}.example ")).collect::<String>() }),
        ),
    ] {
        let (run, conversation, call) = ("r".into(), "c".into(), "call".into());
        let history = CallHistory::default();
        let question = Question {
            run: &run,
            conversation: &conversation,
            call: &call,
            tool_name: "send",
            tool: Some(Definition { spec: &spec, digest: "d" }),
            switched_on: true,
            arguments: Ok(&arguments),
            target: Ok(None),
            apps: &Default::default(),
            signature: Signature::of("send", "x"),
            mode: Mode::Max,
            attendance: Attendance::Attended { listening: true },
            labels: &labels,
            origins: &origins,
            grants: &[],
            budget: Budget::of(Mode::Max),
            ledger: Ledger::default(),
            history: &history,
            agreement: None,
            now: 0,
        };
        let mut best = Duration::MAX;
        for _ in 0..20 {
            let from = Instant::now();
            std::hint::black_box(gate(&question));
            best = best.min(from.elapsed());
        }
        writeln!(out, "{what}: {best:?}")?;
    }
    Ok(())
}
