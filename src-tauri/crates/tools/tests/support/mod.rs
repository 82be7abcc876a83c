// SPDX-License-Identifier: Apache-2.0
//! Runs tools the way the engine does: with an approval from the gate.
#![allow(dead_code, reason = "each test file uses its own part")]

use async_trait::async_trait;
use bailey_policy::{Attendance, CallHistory, Definition, Question, Signature, Verdict, gate};
use bailey_ports::{
    FileError, Files, NewNote, Note, Notes, Shell, ShellError, ShellOutput, StoreError, Tool, ToolContext, ToolResult,
    Written,
};
use bailey_protocol::{Budget, Labels, Ledger, Millis, Mode};
use bailey_tools::{Parts, Registry};
use serde_json::Value;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Sunday, 2026-03-01 04:05:06 UTC.
pub(crate) const NOW: Millis = 1_772_337_906_000;

/// Notes, files and a shell that remember what they were told.
#[derive(Default)]
pub(crate) struct World {
    pub(crate) notes: Mutex<Vec<NewNote>>,
    pub(crate) searches: Mutex<Vec<(String, usize)>>,
    pub(crate) files: Mutex<Vec<(String, Vec<u8>, Labels)>>,
    pub(crate) commands: Mutex<Vec<(String, Duration)>>,
    pub(crate) shell_says: Mutex<Option<Result<ShellOutput, ShellError>>>,
    pub(crate) broken: bool,
}

impl Notes for World {
    fn write(&self, note: NewNote) -> Result<Note, StoreError> {
        if self.broken {
            return Err(StoreError::Io("disk full".into()));
        }
        let mut notes = self.notes.lock().unwrap();
        notes.push(note.clone());
        Ok(Note { id: notes.len() as i64, text: note.text, labels: note.labels, at: note.at })
    }
    fn search(&self, query: &str, limit: usize) -> Result<Vec<Note>, StoreError> {
        if self.broken {
            return Err(StoreError::Io("disk full".into()));
        }
        self.searches.lock().unwrap().push((query.into(), limit));
        let notes = self.notes.lock().unwrap();
        let found = notes.iter().enumerate().filter(|(_, n)| n.text.contains(query)).take(limit);
        Ok(found
            .map(|(i, n)| Note { id: i as i64 + 1, text: n.text.clone(), labels: n.labels.clone(), at: n.at })
            .collect())
    }
}

impl Files for World {
    fn write(&self, path: &str, content: &[u8], labels: &Labels, _at: Millis) -> Result<Written, FileError> {
        if path.starts_with('/') {
            return Err(FileError::Path(format!("{path} leaves the folder")));
        }
        let mut files = self.files.lock().unwrap();
        files.push((path.into(), content.to_vec(), labels.clone()));
        let version = files.iter().filter(|(p, ..)| p == path).count() as u32;
        Ok(Written { path: path.into(), bytes: content.len() as u64, version })
    }
}

#[async_trait]
impl Shell for World {
    async fn run(&self, command: &str, time_limit: Duration) -> Result<ShellOutput, ShellError> {
        self.commands.lock().unwrap().push((command.into(), time_limit));
        self.shell_says.lock().unwrap().take().expect("nothing prepared")
    }
}

pub(crate) fn registry(world: Arc<World>) -> Registry {
    let zone = Some("Asia/Shanghai".into());
    Registry::new(Parts { notes: world.clone(), files: world.clone(), shell: Some(world), zone })
}

pub(crate) fn context(labels: Labels) -> ToolContext {
    ToolContext { conversation: "c".into(), labels, now: NOW }
}

/// Runs a tool after the gate allowed it.
pub(crate) async fn run_with(tool: &Arc<dyn Tool>, arguments: Value, labels: Labels) -> ToolResult {
    let (spec, digest) = (tool.spec(), tool.spec().digest());
    let question = Question {
        run: &"r".into(),
        conversation: &"c".into(),
        call: &"call".into(),
        tool_name: &spec.name,
        tool: Some(Definition { spec, digest: &digest }),
        switched_on: true,
        arguments: Ok(&arguments),
        signature: Signature::of(&spec.name, &arguments.to_string()),
        mode: Mode::Max,
        attendance: Attendance::Attended { listening: true },
        labels: &Labels::none(),
        grants: &[],
        budget: Budget::of(Mode::Max),
        ledger: Ledger::default(),
        history: &CallHistory::default(),
        agreement: None,
        now: NOW,
    };
    match gate(&question) {
        Verdict::Allow(approval) => tool.run(approval, context(labels)).await,
        other => panic!("{other:?}"),
    }
}

/// The text of a result without marks, or the message of a failure.
pub(crate) async fn say(name: &str, arguments: Value) -> Result<String, String> {
    let registry = registry(Arc::default());
    match run_with(registry.get(name).unwrap(), arguments, Labels::none()).await {
        Ok(parts) => {
            assert!(parts.iter().all(|p| p.labels == Labels::none()));
            Ok(parts.iter().map(|p| p.text.as_str()).collect::<Vec<_>>().join("\n"))
        }
        Err(failure) => Err(failure.message),
    }
}
