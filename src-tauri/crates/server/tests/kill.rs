// SPDX-License-Identifier: Apache-2.0
//! SIGKILL to a real `bailey serve` at a hundred seeded moments of runs whose side effects are counted from outside.
#![cfg(unix)]

mod common;

use bailey_protocol::{Answer, Ask, AskKind, CallState, ConversationView, Event, RunId, RunState, Sent, StreamMessage};
use bailey_testkit::server::Answer as Reply;
use common::Server;
use common::model::{Model, last_user, results, say};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use tokio::time::Instant;

const KILLS: usize = 100;
/// Side effects of one run.
const CALLS: usize = 3;

/// xorshift: the moments are the same each time, as parts of a run's length.
struct Moments(u64);

impl Moments {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// What the person does from life to life of the server.
struct Person {
    model: Value,
    /// The number of the run being worked on: as many are over.
    run: usize,
    /// Its id, once known.
    id: Option<RunId>,
    /// Questions answered, by kind.
    answered: BTreeMap<&'static str, BTreeSet<String>>,
}

impl Person {
    /// Uses the server until `runs` runs are over.
    async fn use_it(&mut self, server: &Server, runs: usize) -> reqwest::Result<()> {
        let mut events = server.events("").await;
        let Some(StreamMessage::Snapshot { snapshot, .. }) = events.next().await else { return Ok(()) };
        for ask in &snapshot.asks {
            self.answer(server, ask).await?;
        }
        self.id = snapshot.live.first().map(|live| live.run.id.clone());
        if self.id.is_none() {
            self.send(server, runs).await?;
        }
        while self.run < runs {
            let Some(StreamMessage::Event { event, .. }) = events.next().await else { return Ok(()) };
            match event {
                Event::AskOpened { ask } => self.answer(server, &ask).await?,
                Event::Run { run } if run.state.is_final() && self.id == Some(run.id.clone()) => {
                    self.run += 1;
                    self.send(server, runs).await?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Sends the message of the present run, perhaps once more: nobody knows what became of the last send.
    async fn send(&mut self, server: &Server, runs: usize) -> reqwest::Result<()> {
        while self.run < runs {
            let text = format!("run {}", self.run);
            let params = json!({"key": text, "text": text, "mode": "max", "model": self.model});
            let sent: Sent = ok(server.try_command("send", params).await?);
            let opened = server.try_command("conversation_open", json!({"conversation": sent.conversation})).await?;
            let view: ConversationView = ok(opened);
            let run = view.runs.iter().find(|run| run.id == sent.run).expect("the run that was sent");
            if !run.state.is_final() {
                self.id = Some(sent.run);
                return Ok(());
            }
            self.run += 1;
        }
        Ok(())
    }

    async fn answer(&mut self, server: &Server, ask: &Ask) -> reqwest::Result<()> {
        let (kind, answer) = match &ask.kind {
            AskKind::Confirm { .. } => ("confirm", Answer::AllowOnce),
            AskKind::Recovery { .. } => ("recovery", Answer::Choice { index: 2 }),
            AskKind::Question { .. } | AskKind::Spend { .. } => panic!("the model asks nothing, and costs nothing"),
        };
        self.answered.entry(kind).or_default().insert(ask.id.to_string());
        let (status, body) = server.try_command("ask_answer", json!({"ask": ask.id, "answer": answer})).await?;
        // Answered in an earlier life, a moment before the kill, and so not open any more.
        assert!(status == 200 || body["code"] == "stale", "{status} {body}");
        Ok(())
    }
}

fn ok<T: serde::de::DeserializeOwned>((status, body): (reqwest::StatusCode, Value)) -> T {
    assert_eq!(status, 200, "{body}");
    serde_json::from_value(body).unwrap()
}

/// How often each token was written, by the side effects themselves.
fn tokens(proof: &Path) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for line in std::fs::read_to_string(proof).unwrap().lines() {
        *counts.entry(line.to_owned()).or_default() += 1;
    }
    counts
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hundred_kills_repeat_no_side_effect_and_lose_no_conversation() {
    let data = tempfile::tempdir().unwrap();
    let outside = tempfile::tempdir().unwrap();
    let proof = outside.path().join("proof");
    let written = proof.clone();
    // Which call comes next follows from the history alone, so a history that lost a call would have it made again.
    let model = Model::start(move |request| match results(request) {
        n if n < CALLS => {
            let token = format!("{}/{n}", last_user(request));
            Reply::call(
                "run_shell",
                json!({"command": format!("echo '{token}' >> '{}'; sleep 0.02", written.display())}),
            )
            .saying("One moment, ")
            .delay(Duration::from_millis(5))
        }
        _ => say(&["All ", "is ", "done."]).delay(Duration::from_millis(5)),
    })
    .await;

    // The first run is left in peace and measures how long one takes.
    let started = Instant::now();
    let server = Server::start(data.path());
    let start_takes = started.elapsed();
    let draft = json!({"name": "Scripted", "kind": "openai_chat", "base_url": model.base_url()});
    let provider = server.command("provider_save", draft).await;
    server.command("settings_update", json!({"shell": true})).await;
    let choice = json!({"provider": provider["id"], "model": "scripted"});
    let mut person = Person { model: choice, run: 0, id: None, answered: BTreeMap::new() };
    let began = Instant::now();
    person.use_it(&server, 1).await.unwrap();
    let run_takes = began.elapsed();
    assert_eq!(tokens(&proof).len(), CALLS);
    drop(server);

    let mut moments = Moments(0x9E37_79B9_7F4A_7C15);
    for kill in 0..KILLS {
        let part = moments.next();
        if kill % 5 == 4 {
            // While it starts and takes up what was left.
            let mut command = common::bailey(data.path(), &["serve", "--port", "0", "--no-open"]);
            let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            tokio::time::sleep(start_takes.mul_f64(part * 1.5)).await;
            child.kill().unwrap();
            child.wait().unwrap();
            continue;
        }
        let server = Server::start(data.path());
        let life = tokio::time::timeout(run_takes.mul_f64(part), person.use_it(&server, usize::MAX));
        assert!(life.await.is_err(), "the server ended by itself");
        drop(server);
    }

    // The last life goes on in peace.
    let server = Server::start(data.path());
    let runs = person.run + 1;
    person.use_it(&server, runs).await.unwrap();

    let list = server.command("conversation_list", json!({})).await;
    let list = list.as_array().unwrap();
    assert_eq!(list.len(), person.run, "one conversation a message, however often it was sent");
    let counts = tokens(&proof);
    let (mut resumed, mut states, mut calls) = (0, BTreeMap::<String, usize>::new(), BTreeSet::new());
    for summary in list {
        let view: ConversationView =
            serde_json::from_value(server.command("conversation_open", json!({"conversation": summary["id"]})).await)
                .unwrap();
        let [run] = &view.runs[..] else { panic!("one run a message: {:?}", view.runs) };
        assert_eq!(run.state, RunState::Done, "{run:?}");
        assert!(view.asks.is_empty());
        resumed += usize::from(run.resumed);
        assert!(view.messages.last().unwrap().text().ends_with("All is done."), "{:?}", view.messages.last());
        for call in view.messages.iter().flat_map(|message| message.calls()) {
            let command = call.arguments["command"].as_str().unwrap();
            let token = command.split('\'').nth(1).unwrap();
            assert!(calls.insert(token.to_owned()), "{token} is one call");
            let written = counts.get(token).copied().unwrap_or(0);
            match call.state {
                CallState::Done => assert_eq!(written, 1, "{token} is done"),
                CallState::Unknown => assert!(written <= 1, "{token} is unknown and was written {written} times"),
                other => panic!("{token} is {other:?}: {call:?}"),
            }
            *states.entry(format!("{:?}", call.state)).or_default() += 1;
        }
    }
    assert_eq!(calls.len(), person.run * CALLS, "every call of every run is there");
    for (token, written) in &counts {
        assert_eq!(*written, 1, "{token} happened once");
        assert!(calls.contains(token), "{token} is in a conversation");
    }
    // It was worth the while: kills hit runs, and calls in the middle.
    let unknown = states.get("Unknown").copied().unwrap_or(0);
    let recovered = person.answered["recovery"].len();
    assert!(resumed >= 10 && unknown >= 3 && recovered >= unknown, "{resumed} {states:?} {:?}", person.answered);
    assert_eq!(model.violations(), Vec::<String>::new());
    let seen = format!("{KILLS} kills: {} runs, {resumed} resumed, calls {states:?}\n", person.run);
    std::io::stderr().write_all(seen.as_bytes()).unwrap();
}
