// SPDX-License-Identifier: Apache-2.0
//! Short ways to write records, and to look at what became of them.

use bailey_ports::{Durability, Store, StoreError};
use bailey_protocol::journal::{Entry, ParentRun, Record};
use bailey_protocol::*;
use bailey_store::Database;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A database in a folder of its own.
pub(crate) struct Home {
    pub(crate) folder: TempDir,
    pub(crate) store: Database,
}

impl Home {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Database::open(&folder.path().join("bailey.db")).unwrap();
        Self { folder, store }
    }
    pub(crate) fn database(&self) -> std::path::PathBuf {
        self.folder.path().join("bailey.db")
    }
    /// A second connection, to look at tables.
    pub(crate) fn sql(&self) -> rusqlite::Connection {
        rusqlite::Connection::open(self.database()).unwrap()
    }
    pub(crate) fn append(&self, run: &str, records: &[Record]) {
        try_append(&self.store, run, records).unwrap();
    }
    pub(crate) fn branch(&self, conversation: &str) -> Vec<Message> {
        self.store.branch(&conversation.into(), None).unwrap()
    }
    pub(crate) fn message(&self, id: &str) -> Message {
        self.store.message(&id.into()).unwrap().unwrap()
    }
    pub(crate) fn call(&self, message: &str, call: &str) -> Call {
        self.message(message).calls().find(|c| c.id.as_str() == call).unwrap().clone()
    }
    pub(crate) fn run(&self, run: &str) -> RunView {
        self.store.run(&run.into()).unwrap().unwrap()
    }
    pub(crate) fn summary(&self, conversation: &str) -> ConversationSummary {
        self.store.conversation(&conversation.into()).unwrap().unwrap()
    }
    /// A conversation of one question and one answer.
    pub(crate) fn talk(&self, conversation: &str, run: &str, question: &str, answer: &str, at: Millis) {
        let (prompt_id, answer_id) = (format!("{run}-q"), format!("{run}-a"));
        self.append(run, &[opened(at, conversation, &prompt_id), prompt(at, &prompt_id, None, question)]);
        self.append(run, &[round(at + 1, 1, &answer_id, &prompt_id)]);
        self.append(run, &[closed_round(at + 2, &answer_id, vec![text(answer)]), done(at + 3)]);
    }
}

pub(crate) fn try_append(store: &dyn Store, run: &str, records: &[Record]) -> Result<(), StoreError> {
    store.append(&run.into(), records, Durability::Committed)
}

pub(crate) fn rec(at: Millis, entry: Entry) -> Record {
    Record { at, entry }
}

pub(crate) fn model() -> ModelChoice {
    ModelChoice { provider: "demo".into(), model: "demo-1".to_owned() }
}

pub(crate) fn opened_with(at: Millis, conversation: &str, prompt: &str, key: Option<&str>) -> Record {
    rec(
        at,
        Entry::Opened {
            conversation: conversation.into(),
            prompt: prompt.into(),
            mode: Mode::ChatPlus,
            model: model(),
            budget: Budget::of(Mode::ChatPlus),
            nonce: "n0nce".to_owned(),
            unattended: false,
            automation: None,
            parent: None,
            key: key.map(str::to_owned),
        },
    )
}

pub(crate) fn opened(at: Millis, conversation: &str, prompt: &str) -> Record {
    opened_with(at, conversation, prompt, None)
}

/// A sub-agent's run, and its task.
pub(crate) fn opened_child(at: Millis, conversation: &str, prompt_id: &str, parent: ParentRun) -> [Record; 2] {
    let task = prompt(at, prompt_id, None, &parent.task);
    let Entry::Opened { prompt, mode, model, budget, nonce, key, .. } = opened(at, conversation, prompt_id).entry
    else {
        unreachable!()
    };
    let (conversation, automation, parent) = (conversation.into(), Some("daily".to_owned()), Some(parent));
    let unattended = true;
    let entry = Entry::Opened { conversation, prompt, mode, model, budget, nonce, unattended, automation, parent, key };
    [rec(at, entry), task]
}

pub(crate) fn parent(run: &str, call: &str, root: &str, depth: u32, task: &str) -> ParentRun {
    ParentRun { run: run.into(), call: call.into(), conversation: root.into(), depth, task: task.to_owned() }
}

/// A request for a summary.
pub(crate) fn summary_round(at: Millis, number: u32, message: &str, after: &str) -> Record {
    let mut record = round(at, number, message, after);
    if let Entry::RoundOpened { summary, .. } = &mut record.entry {
        *summary = true;
    }
    record
}

pub(crate) fn prompt(at: Millis, message: &str, parent: Option<&str>, text: &str) -> Record {
    rec(
        at,
        Entry::Prompt {
            message: message.into(),
            parent: parent.map(MessageId::from),
            text: text.to_owned(),
            labels: Labels::none(),
            pictures: vec![],
        },
    )
}

pub(crate) fn ledger(rounds: u32, calls: u32) -> Ledger {
    Ledger { rounds, calls, active_ms: u64::from(rounds) * 100, cost: 0 }
}

pub(crate) fn round(at: Millis, round: u32, message: &str, parent: &str) -> Record {
    rec(
        at,
        Entry::RoundOpened {
            round,
            message: message.into(),
            parent: parent.into(),
            ledger: ledger(round, 0),
            summary: false,
        },
    )
}

pub(crate) fn checkpoint(at: Millis, message: &str, text: &str, reasoning: &str) -> Record {
    rec(
        at,
        Entry::Checkpoint {
            message: message.into(),
            text: text.to_owned(),
            reasoning: reasoning.to_owned(),
            labels: Labels::none(),
        },
    )
}

pub(crate) fn closed_round(at: Millis, message: &str, blocks: Vec<Block>) -> Record {
    rec(
        at,
        Entry::RoundClosed {
            message: message.into(),
            blocks,
            status: MessageStatus::Complete,
            labels: Labels::none(),
            usage: None,
            native: None,
        },
    )
}

pub(crate) fn text(text: &str) -> Block {
    Block::Text { text: text.to_owned() }
}

pub(crate) fn call(id: &str) -> Block {
    Block::Call {
        call: Call {
            id: id.into(),
            provider_id: format!("p-{id}"),
            tool: "compute".to_owned(),
            arguments: json!({"expression": "1+1"}),
            state: CallState::Pending,
            parts: Vec::new(),
            denial: None,
            repairs: Vec::new(),
            recovery: None,
            ms: 0,
        },
    }
}

pub(crate) fn intent(at: Millis, call: &str) -> Record {
    rec(at, Entry::Intent { call: call.into(), arguments: json!({"expression": "1+2"}), changes: false })
}

pub(crate) fn outcome(at: Millis, call: &str, state: CallState, said: &str) -> Record {
    rec(
        at,
        Entry::Outcome {
            call: call.into(),
            state,
            arguments: json!({"expression": "1+2"}),
            parts: vec![Part::plain(said)],
            denial: None,
            repairs: Vec::new(),
            ms: 7,
        },
    )
}

pub(crate) fn ask(id: &str, conversation: &str, run: &str, call: &str, kind: AskKind) -> Ask {
    Ask {
        id: id.into(),
        conversation: conversation.into(),
        run: run.into(),
        call: call.into(),
        kind,
        origin: None,
        asked: 50,
        left_ms: Some(300_000),
    }
}

pub(crate) fn confirm() -> AskKind {
    AskKind::Confirm {
        tool: "compute".to_owned(),
        danger: Danger::Low,
        leaves: false,
        arguments: json!({"expression": "1+1"}),
        risk: None,
        target: None,
        reasons: vec![Reason::Mode { mode: Mode::Act }],
        grantable: true,
    }
}

pub(crate) fn question() -> AskKind {
    AskKind::Question {
        question: Question { question: "Which?".to_owned(), choices: vec!["a".to_owned(), "b".to_owned()] },
        labels: Labels::none(),
    }
}

pub(crate) fn recovery() -> AskKind {
    AskKind::Recovery { tool: "compute".to_owned(), arguments: Value::Null }
}

pub(crate) fn asked(at: Millis, ask: Ask) -> Record {
    rec(at, Entry::Asked { ask, tool_digest: "digest".to_owned() })
}

pub(crate) fn answered(at: Millis, ask: &str, call: &str, answer: Answer) -> Record {
    rec(at, Entry::Answered { ask: ask.into(), call: call.into(), answer })
}

pub(crate) fn closed(at: Millis, state: RunState) -> Record {
    let error =
        (state == RunState::Failed).then(|| RunError::new(RunErrorKind::Network, "the endpoint can't be reached"));
    rec(at, Entry::Closed { state, error, ledger: ledger(9, 9) })
}

pub(crate) fn done(at: Millis) -> Record {
    closed(at, RunState::Done)
}

pub(crate) fn tainted(tool: &str) -> Labels {
    Labels { outside: vec![Source::tool(tool)], private: Vec::new() }
}

pub(crate) fn is_conflict<T: std::fmt::Debug>(result: Result<T, StoreError>) -> bool {
    matches!(result, Err(StoreError::Conflict(_)))
}

pub(crate) fn native(text: &str) -> std::sync::Arc<bailey_protocol::model::Native> {
    let items = vec![json!({"signature": text})];
    std::sync::Arc::new(bailey_protocol::model::Native { origin: "p/m".to_owned(), items })
}
