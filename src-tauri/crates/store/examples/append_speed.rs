// SPDX-License-Identifier: Apache-2.0
//! How long opening and appending take: `cargo run -p bailey-store --release --example append_speed [folder]`.

use bailey_ports::{Durability, Store, StoreError};
use bailey_protocol::journal::{Entry, Record};
use bailey_protocol::*;
use bailey_store::Database;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

const RUNS: u32 = 40;
const ROUNDS: u32 = 50;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let made = tempfile::tempdir()?;
    let folder = std::env::args().nth(1).map_or_else(|| made.path().to_owned(), Into::into);
    let path = folder.join("append_speed.db");
    let mut out = std::io::stdout().lock();

    let start = Instant::now();
    let store = Database::open(&path)?;
    writeln!(out, "new database        {:>9.2?}", start.elapsed())?;

    for (name, durability) in [("committed", Durability::Committed), ("synced", Durability::Synced)] {
        let mut times = Times::default();
        let runs = if durability == Durability::Committed { RUNS } else { 2 };
        for run in 0..runs {
            one_run(&store, &format!("{name}-{run}"), durability, &mut times)?;
        }
        for (what, mut times) in times.0 {
            times.sort();
            let at = |part: usize| times[(times.len() * part / 100).min(times.len() - 1)];
            writeln!(out, "{name:<9} {what:<14} p50 {:>9.2?}  p95 {:>9.2?}  max {:>9.2?}", at(50), at(95), at(100))?;
        }
    }
    let start = Instant::now();
    let found = store.conversations("answer 49")?.len();
    writeln!(out, "search              {:>9.2?} ({found} found)", start.elapsed())?;
    let start = Instant::now();
    let listed = store.conversations("")?.len();
    writeln!(out, "list                {:>9.2?} ({listed} conversations)", start.elapsed())?;
    drop(store);

    let mut times: Vec<Duration> = Vec::new();
    for _ in 0..20 {
        let start = Instant::now();
        let store = Database::open(&path)?;
        times.push(start.elapsed());
        drop(store);
    }
    times.sort();
    writeln!(out, "open again          {:>9.2?} (p50 of 20)", times[10])?;
    memory(&mut out)?;
    long_branch(&folder, &mut out)?;
    many_messages(&folder, &mut out)?;
    memory(&mut out)
}

fn memory(out: &mut impl std::io::Write) -> Result<(), Box<dyn std::error::Error>> {
    if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
        for line in status.lines().filter(|l| l.starts_with("VmHWM") || l.starts_with("VmRSS")) {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

#[derive(Default)]
struct Times(Vec<(&'static str, Vec<Duration>)>);

impl Times {
    fn append(
        &mut self,
        what: &'static str,
        store: &Database,
        run: &RunId,
        entries: Vec<Entry>,
        durability: Durability,
    ) -> Result<(), StoreError> {
        let records: Vec<Record> = entries.into_iter().map(|entry| Record { at: 1, entry }).collect();
        let start = Instant::now();
        store.append(run, &records, durability)?;
        let time = start.elapsed();
        match self.0.iter_mut().find(|(name, _)| *name == what) {
            Some((_, times)) => times.push(time),
            None => self.0.push((what, vec![time])),
        }
        Ok(())
    }
}

fn opening(run: &str, message: &str) -> Vec<Entry> {
    vec![
        Entry::Opened {
            conversation: run.into(),
            prompt: message.into(),
            mode: Mode::Max,
            model: ModelChoice { provider: "p".into(), model: "m".to_owned() },
            budget: Budget::of(Mode::Max),
            nonce: "nonce".to_owned(),
            unattended: false,
            automation: None,
            parent: None,
            key: None,
        },
        Entry::Prompt {
            message: message.into(),
            parent: None,
            text: "Please compute one hundred sums, one after another".to_owned(),
            labels: Labels::none(),
            pictures: vec![],
        },
    ]
}

/// Four appends a round, as the agent makes them.
fn one_run(store: &Database, run: &str, durability: Durability, times: &mut Times) -> Result<(), StoreError> {
    let (id, ledger) = (RunId::from(run), Ledger::default());
    let mut parent = format!("{run}-q");
    times.append("open", store, &id, opening(run, &parent), durability)?;
    for round in 1..=ROUNDS {
        let (message, call) = (format!("{run}-{round}"), CallId::new(format!("{run}-call-{round}")));
        let arguments = serde_json::json!({"expression": format!("1+{round}")});
        let opened = Entry::RoundOpened {
            round,
            message: message.as_str().into(),
            parent: parent.as_str().into(),
            ledger,
            summary: false,
        };
        times.append("round opened", store, &id, vec![opened], durability)?;
        let blocks = vec![
            Block::Text { text: format!("Here is the answer {round}, with a few more words around it.") },
            Block::Call {
                call: Call {
                    id: call.clone(),
                    provider_id: format!("call_{round}"),
                    tool: "compute".to_owned(),
                    arguments: arguments.clone(),
                    state: CallState::Pending,
                    parts: Vec::new(),
                    denial: None,
                    repairs: Vec::new(),
                    recovery: None,
                    ms: 0,
                },
            },
        ];
        let (status, labels) = (MessageStatus::Complete, Labels::none());
        let closed =
            Entry::RoundClosed { message: message.as_str().into(), blocks, status, labels, usage: None, native: None };
        times.append("round closed", store, &id, vec![closed], durability)?;
        let intent = Entry::Intent { call: call.clone(), arguments: arguments.clone(), changes: false };
        times.append("intent", store, &id, vec![intent], durability)?;
        let (parts, repairs) = (vec![Part::plain(round.to_string())], Vec::new());
        let outcome = Entry::Outcome { call, state: CallState::Done, arguments, parts, denial: None, repairs, ms: 1 };
        times.append("outcome", store, &id, vec![outcome], durability)?;
        parent = message;
    }
    times.append("closed", store, &id, vec![Entry::Closed { state: RunState::Done, error: None, ledger }], durability)
}

fn long_branch(folder: &Path, out: &mut impl std::io::Write) -> Result<(), Box<dyn std::error::Error>> {
    let store = Database::open(&folder.join("long_branch.db"))?;
    let mut entries = opening("r", "m0");
    entries.extend((1..10_000).map(|i| Entry::Prompt {
        message: MessageId::new(format!("m{i}")),
        parent: Some(MessageId::new(format!("m{}", i - 1))),
        text: format!("Message {i} with a sentence of some length, as people write them"),
        labels: Labels::none(),
        pictures: vec![],
    }));
    let records: Vec<Record> = entries.into_iter().map(|entry| Record { at: 1, entry }).collect();
    store.append(&"r".into(), &records, Durability::Committed)?;
    let start = Instant::now();
    let branch = store.branch(&"r".into(), None)?.len();
    writeln!(out, "branch              {:>9.2?} ({branch} messages)", start.elapsed())?;
    Ok(())
}

/// Searches among 200 000 messages: a word in all of them, a rare one, Chinese.
fn many_messages(folder: &Path, out: &mut impl std::io::Write) -> Result<(), Box<dyn std::error::Error>> {
    let store = Database::open(&folder.join("many_messages.db"))?;
    let start = Instant::now();
    for conversation in 0..2_000 {
        let run = format!("r{conversation}");
        let mut entries = opening(&run, &format!("{run}-0"));
        entries.extend((1..100).map(|i| Entry::Prompt {
            message: MessageId::new(format!("{run}-{i}")),
            parent: Some(MessageId::new(format!("{run}-{}", i - 1))),
            text: format!("The common words and w{} x{}, 今天天气怎么样 {}", conversation * 7 % 1_999, i, conversation),
            labels: Labels::none(),
            pictures: vec![],
        }));
        let records: Vec<Record> = entries.into_iter().map(|entry| Record { at: 1, entry }).collect();
        store.append(&run.as_str().into(), &records, Durability::Committed)?;
    }
    writeln!(out, "200 000 messages    {:>9.2?}", start.elapsed())?;
    for query in ["common", "c", "w1234", "w", "天气", "天", "common words w77", "nowhere"] {
        let start = Instant::now();
        let found = store.conversations(query)?.len();
        writeln!(out, "search {query:<18} {:>9.2?} ({found} found)", start.elapsed())?;
    }
    let start = Instant::now();
    let listed = store.conversations("")?.len();
    writeln!(out, "list                {:>9.2?} ({listed} conversations)", start.elapsed())?;
    store.set_deleted(&"r1000".into(), Some(1))?;
    let start = Instant::now();
    let purged = store.purge_deleted(1)?.len();
    writeln!(out, "purge               {:>9.2?} ({purged} conversation of 100 messages)", start.elapsed())?;
    Ok(())
}
