// SPDX-License-Identifier: Apache-2.0
//! Everything shown can be made anew from the journal.

use crate::records::*;
use bailey_ports::Store;
use bailey_protocol::journal::{Entry, Record};
use bailey_protocol::*;
use bailey_store::Database;
use proptest::prelude::*;
use rusqlite::Connection;
use rusqlite::types::Value;

/// All rows of all tables that are made from the journal, and the search index, as text.
pub(crate) fn dump(sql: &Connection) -> Vec<String> {
    sql.execute_batch(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.indexed USING fts5vocab(main, message_search, instance);
         CREATE VIRTUAL TABLE IF NOT EXISTS temp.titles USING fts5vocab(main, title_search, instance);",
    )
    .unwrap();
    let mut out = Vec::new();
    for table in ["conversations", "runs", "messages", "asks", "journal", "indexed", "titles"] {
        let mut select = sql.prepare(&format!("SELECT * FROM {table}")).unwrap();
        let columns = select.column_count();
        let mut rows = select.query([]).unwrap();
        let mut lines = Vec::new();
        while let Some(row) = rows.next().unwrap() {
            let values: Vec<Value> = (0..columns).map(|i| row.get(i).unwrap()).collect();
            lines.push(format!("{table}: {values:?}"));
        }
        lines.sort();
        out.extend(lines);
    }
    out
}

/// Makes valid records from random choices, keeping just enough of a model of what is open.
#[derive(Default)]
struct Author {
    at: Millis,
    made: u32,
    runs: Vec<Run>,
    /// Messages of each conversation.
    messages: [Vec<String>; 4],
    summaries: Vec<String>,
}

struct Run {
    id: String,
    conversation: usize,
    streaming: Option<String>,
    round: u32,
    pending: Vec<String>,
    unknown: Vec<String>,
    asks: Vec<(String, String, bool)>,
    over: bool,
}

/// Two conversations, and those of their sub-agents.
const NAMES: [&str; 4] = ["c0", "c1", "k0", "k1"];

const TEXTS: [&str; 6] =
    ["", "plain words", "**bold** 天安门广场", "# Head\n- item", "Ünïcode 🎉 text", "quote \" ' \\ \u{0} end"];

impl Author {
    fn name(&mut self, kind: &str) -> String {
        self.made += 1;
        format!("{kind}{}", self.made)
    }

    fn next(&mut self, choice: u8, detail: u8) -> Option<(String, Record)> {
        self.at += i64::from(detail % 7);
        let at = self.at;
        let pick = |n: usize| usize::from(detail) % n.max(1);
        let words = TEXTS[pick(TEXTS.len())];
        if choice.is_multiple_of(12) || self.runs.iter().all(|run| run.over) {
            let root = usize::from(detail % 2);
            let (id, prompt_id) = (self.name("run"), self.name("msg"));
            let caller = self.runs.iter().rfind(|run| run.conversation % 2 == root).map(|run| run.id.clone());
            // A sub-agent's, or the person's.
            let (conversation, record) = match caller.filter(|_| detail % 3 == 2) {
                Some(caller) => {
                    let parent = parent(&caller, &self.name("call"), NAMES[root], 1, TEXTS[pick(3)]);
                    let [opened, _] = opened_child(at, NAMES[root + 2], &prompt_id, parent);
                    (root + 2, opened)
                }
                None => (root, opened(at, NAMES[root], &prompt_id)),
            };
            self.runs.push(Run {
                id: id.clone(),
                conversation,
                streaming: None,
                round: 0,
                pending: Vec::new(),
                unknown: Vec::new(),
                asks: Vec::new(),
                over: false,
            });
            return Some((id, record));
        }
        let open: Vec<usize> = (0..self.runs.len()).filter(|i| !self.runs[*i].over).collect();
        let index = open[pick(open.len())];
        let conversation = self.runs[index].conversation;
        let parent = match self.messages[conversation].len() {
            0 => None,
            n => Some(self.messages[conversation][pick(n)].clone()),
        };
        let entry = match choice % 12 {
            1 | 2 => {
                let message = self.name("msg");
                self.messages[conversation].push(message.clone());
                prompt(at, &message, parent.as_deref(), words).entry
            }
            3 | 4 => {
                let message = self.name("msg");
                let run = &mut self.runs[index];
                let parent = parent.filter(|_| run.streaming.is_none())?;
                run.streaming = Some(message.clone());
                run.round += 1;
                let record = if detail.is_multiple_of(5) {
                    self.summaries.push(message.clone());
                    summary_round(at, run.round, &message, &parent)
                } else {
                    round(at, run.round, &message, &parent)
                };
                self.messages[conversation].push(message);
                record.entry
            }
            5 if detail.is_multiple_of(4) => {
                let message = self.runs[index].streaming.as_ref()?.as_str().into();
                match pick(3) {
                    0 => Entry::RoundRestarted { message, usage: None },
                    1 => Entry::Fallback { message, model: ModelChoice { provider: "p".into(), model: words.into() } },
                    _ => Entry::Compressed { limit: 5_000 },
                }
            }
            5 => checkpoint(at, self.runs[index].streaming.as_ref()?, words, TEXTS[pick(3)]).entry,
            6 | 7 => {
                let (one, two) = (self.name("call"), self.name("call"));
                let run = &mut self.runs[index];
                let message = run.streaming.take()?;
                run.pending.extend([one.clone(), two.clone()]);
                Entry::RoundClosed {
                    message: message.as_str().into(),
                    blocks: vec![text(words), call(&one), call(&two)],
                    status: [MessageStatus::Complete, MessageStatus::Truncated][pick(2)],
                    labels: if detail.is_multiple_of(3) { tainted("web_read") } else { Labels::none() },
                    usage: (detail.is_multiple_of(2)).then(Default::default),
                    native: (detail.is_multiple_of(5)).then(|| native(words)),
                }
            }
            8 => {
                let id = self.name("ask");
                let run = &mut self.runs[index];
                if let (true, false) = (detail.is_multiple_of(3), run.unknown.is_empty()) {
                    let call = run.unknown[pick(run.unknown.len())].clone();
                    run.asks.push((id.clone(), call.clone(), true));
                    asked(at, ask(&id, NAMES[conversation % 2], &run.id, &call, recovery())).entry
                } else {
                    let call = run.pending.get(pick(run.pending.len()))?.clone();
                    run.asks.push((id.clone(), call.clone(), false));
                    asked(at, ask(&id, NAMES[conversation % 2], &run.id, &call, confirm())).entry
                }
            }
            9 => {
                let run = &mut self.runs[index];
                if run.asks.is_empty() {
                    return None;
                }
                let (id, call, recovery) = run.asks.remove(pick(run.asks.len()));
                let answer = if recovery { Answer::Choice { index: u32::from(detail % 4) } } else { Answer::AllowOnce };
                answered(at, &id, &call, answer).entry
            }
            10 => {
                let run = &mut self.runs[index];
                let call = run.pending.get(pick(run.pending.len()))?.clone();
                if detail.is_multiple_of(3) {
                    intent(at, &call).entry
                } else {
                    run.pending.retain(|c| *c != call);
                    let state = [CallState::Done, CallState::Failed, CallState::Unknown, CallState::Rejected][pick(4)];
                    if state == CallState::Unknown {
                        run.unknown.push(call.clone());
                    }
                    outcome(at, &call, state, words).entry
                }
            }
            _ if !detail.is_multiple_of(4) => Entry::Resumed { ledger: ledger(u32::from(detail), 1) },
            _ => {
                self.runs[index].over = true;
                closed(at, [RunState::Done, RunState::Failed, RunState::Stopped][pick(3)]).entry
            }
        };
        Some((self.runs[index].id.clone(), rec(at, entry)))
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn rebuilt_rows_equal_those_that_grew(choices in prop::collection::vec(any::<(u8, u8)>(), 1..90)) {
        let mut author = Author::default();
        let records: Vec<(String, Record)> = choices.iter().filter_map(|(c, d)| author.next(*c, *d)).collect();
        let home = Home::new();
        for batch in records.chunk_by(|a, b| a.0 == b.0) {
            let records: Vec<Record> = batch.iter().map(|(_, record)| record.clone()).collect();
            try_append(&home.store, &batch[0].0, &records).map_err(|e| TestCaseError::fail(format!("{e} {records:?}")))?;
        }
        let undo = |home: &Home| {
            for summary in author.summaries.iter().step_by(2) {
                home.store.undo_summary(&summary.as_str().into()).unwrap();
            }
        };
        undo(&home);
        let grown = dump(&home.sql());
        home.store.rebuild().unwrap();
        prop_assert_eq!(&dump(&home.sql()), &grown);

        // One at a time instead of in batches; here the heads are made anew, too.
        let other = Home::new();
        for (run, record) in &records {
            other.append(run, std::slice::from_ref(record));
        }
        undo(&other);
        prop_assert_eq!(&dump(&other.sql()), &grown);
        let intact: String = other.sql().query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
        prop_assert_eq!(intact, "ok");
    }
}

#[test]
fn what_the_person_set_survives() {
    let home = Home::new();
    home.talk("c", "r", "Question", "First", 10);
    home.append("r2", &[opened(20, "c", "r-q"), round(21, 1, "b", "r-q"), closed_round(22, "b", vec![call("k")])]);
    home.append("r2", &[asked(23, ask("x", "c", "r2", "k", confirm()))]);
    home.store.save_time_left(&[("x".into(), 77)]).unwrap();
    home.store.select_branch(&"c".into(), &"r-a".into()).unwrap();
    let patch = ConversationPatch {
        conversation: "c".into(),
        title: Some("Mine".to_owned()),
        mode: Some(Mode::Max),
        model: None,
        starred: Some(true),
    };
    home.store.update_conversation(&patch, 30).unwrap();
    let before = (home.summary("c"), home.branch("c"), home.store.asks(None).unwrap());
    home.store.rebuild().unwrap();
    assert_eq!((home.summary("c"), home.branch("c"), home.store.asks(None).unwrap()), before);
    assert_eq!((before.0.title.as_str(), before.2[0].left_ms), ("Mine", Some(77)));
    assert_eq!(home.store.conversations("mine").unwrap().len(), 1);
    assert_eq!(home.store.conversations("first").unwrap().len(), 1);
}

#[test]
fn a_database_in_memory_works_alike() {
    let store = Database::in_memory().unwrap();
    try_append(&store, "r", &[opened(1, "c", "q"), prompt(1, "q", None, "hello")]).unwrap();
    store.rebuild().unwrap();
    assert_eq!(store.conversations("hello").unwrap().len(), 1);
    assert_eq!(store.branch(&"c".into(), None).unwrap().len(), 1);
}
