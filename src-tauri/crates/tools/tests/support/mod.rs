// SPDX-License-Identifier: Apache-2.0
//! Runs tools the way the engine does: with an approval from the gate.
#![allow(dead_code, reason = "each test file uses its own part")]

use async_trait::async_trait;
use bailey_policy::{Attendance, CallHistory, Definition, Origins, Question, Signature, Verdict, gate};
use bailey_ports::{
    FileError, Files, NewFile, NewNote, Note, Notes, Shell, ShellError, ShellOutput, StoreError, Tool, ToolContext,
    ToolResult, Web, WebError, WebRequest, WebResponse, Written,
};
use bailey_protocol::{Budget, Labels, Ledger, Millis, Mode};
use bailey_tools::{Parts, Registry, SearchChoice};
use futures::StreamExt;
use serde_json::Value;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Sunday, 2026-03-01 04:05:06 UTC.
pub(crate) const NOW: Millis = 1_772_337_906_000;

/// Notes, files, a shell and a web that remember what they were told.
#[derive(Default)]
pub(crate) struct World {
    pub(crate) notes: Mutex<Vec<NewNote>>,
    pub(crate) searches: Mutex<Vec<(String, usize)>>,
    pub(crate) files: Mutex<Vec<(String, Vec<u8>, Labels)>>,
    pub(crate) commands: Mutex<Vec<(String, Duration)>>,
    pub(crate) shell_says: Mutex<Option<Result<ShellOutput, ShellError>>>,
    /// How many files were begun and neither kept nor dropped.
    pub(crate) half_written: Arc<Mutex<i32>>,
    pub(crate) search: Mutex<SearchChoice>,
    pub(crate) asked: Mutex<Vec<WebRequest>>,
    pub(crate) answers: Mutex<VecDeque<Result<Answer, WebError>>>,
    pub(crate) broken: bool,
}

/// A response that was prepared.
#[derive(Default)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// Where it comes from, if not from where it was asked for.
    pub(crate) url: Option<&'static str>,
    pub(crate) content_type: Option<&'static str>,
    pub(crate) file_name: Option<&'static str>,
    pub(crate) length: Option<u64>,
    pub(crate) retry_after: Option<u32>,
    pub(crate) body: Vec<Result<Vec<u8>, WebError>>,
}

impl Answer {
    pub(crate) fn page(content_type: &'static str, body: impl Into<Vec<u8>>) -> Self {
        Self { status: 200, content_type: Some(content_type), body: vec![Ok(body.into())], ..Self::default() }
    }
    pub(crate) fn html(body: &str) -> Self {
        Self::page("text/html; charset=utf-8", body)
    }
    pub(crate) fn json(body: &Value) -> Self {
        Self::page("application/json", body.to_string())
    }
    pub(crate) fn status(status: u16) -> Self {
        Self { status, ..Self::html("<h1>No</h1>") }
    }
}

impl World {
    /// One whose web gives these answers, one after the other.
    pub(crate) fn answering(answers: impl IntoIterator<Item = Result<Answer, WebError>>) -> Arc<Self> {
        Arc::new(World { answers: Mutex::new(answers.into_iter().collect()), ..World::default() })
    }
    /// The addresses that were asked for, in order.
    pub(crate) fn urls(&self) -> Vec<String> {
        self.asked.lock().unwrap().iter().map(|request| request.url.clone()).collect()
    }
}

#[async_trait]
impl Web for World {
    async fn fetch(&self, request: WebRequest) -> Result<WebResponse, WebError> {
        let url = request.url.clone();
        self.asked.lock().unwrap().push(request);
        let answer =
            self.answers.lock().unwrap().pop_front().unwrap_or_else(|| panic!("nothing prepared for {url}"))?;
        Ok(WebResponse {
            url: answer.url.map_or(url, str::to_owned),
            status: answer.status,
            content_type: answer.content_type.map(str::to_owned),
            file_name: answer.file_name.map(str::to_owned),
            length: answer.length,
            retry_after: answer.retry_after,
            body: futures::stream::iter(answer.body).boxed(),
        })
    }
}

impl Notes for World {
    fn write(&self, note: NewNote) -> Result<Note, StoreError> {
        if self.broken {
            return Err(StoreError::Io("disk full".into()));
        }
        let mut notes = self.notes.lock().unwrap();
        notes.push(note.clone());
        Ok(kept(notes.len() as i64, note))
    }
    fn search(&self, query: &str, limit: usize) -> Result<Vec<Note>, StoreError> {
        if self.broken {
            return Err(StoreError::Io("disk full".into()));
        }
        self.searches.lock().unwrap().push((query.into(), limit));
        let notes = self.notes.lock().unwrap();
        let found = notes.iter().enumerate().filter(|(_, n)| n.text.contains(query)).take(limit);
        Ok(found.map(|(i, n)| kept(i as i64 + 1, n.clone())).collect())
    }
    fn keep(&self, _id: i64) -> Result<Note, StoreError> {
        unreachable!("no tool keeps a note for the person")
    }
    fn forget(&self, _id: i64) -> Result<(), StoreError> {
        unreachable!("no tool forgets a note")
    }
    fn waiting(&self) -> Result<u32, StoreError> {
        unreachable!("no tool asks for it")
    }
}

fn kept(id: i64, note: NewNote) -> Note {
    Note { id, text: note.text, labels: note.labels, at: note.at, conversation: Some(note.conversation) }
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
    fn begin(&self, limit: u64) -> Result<Box<dyn NewFile + '_>, FileError> {
        *self.half_written.lock().unwrap() += 1;
        Ok(Box::new(Pieces { world: self, limit, content: Vec::new() }))
    }
}

struct Pieces<'a> {
    world: &'a World,
    limit: u64,
    content: Vec<u8>,
}

impl NewFile for Pieces<'_> {
    fn append(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        self.content.extend_from_slice(bytes);
        let bytes = self.content.len() as u64;
        if bytes > self.limit { Err(FileError::TooLarge { bytes, limit: self.limit }) } else { Ok(()) }
    }
    fn keep(self: Box<Self>, folder: &str, name: &str, labels: &Labels, at: Millis) -> Result<Written, FileError> {
        if self.world.broken {
            return Err(FileError::Io("disk full".into()));
        }
        Files::write(self.world, &format!("{folder}/{name}"), &self.content, labels, at)
    }
}

impl Drop for Pieces<'_> {
    fn drop(&mut self) {
        *self.world.half_written.lock().unwrap() -= 1;
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
    registry_with(world.clone(), world)
}

/// The tools over this world, and another web.
pub(crate) fn registry_with(world: Arc<World>, web: Arc<dyn Web>) -> Registry {
    let zone = Some("Asia/Shanghai".into());
    let chosen = world.clone();
    let search = Arc::new(move || chosen.search.lock().unwrap().clone());
    Registry::new(Parts {
        notes: world.clone(),
        files: world.clone(),
        device: Some(Arc::new(bailey_testkit::phone::Phone::default())),
        shell: Some(world),
        web: Some(web),
        search,
        zone,
    })
}

/// Calls a tool of this world.
pub(crate) async fn call(world: &Arc<World>, name: &str, arguments: Value) -> ToolResult {
    run_with(registry(world.clone()).get(name).unwrap(), arguments, Labels::none()).await
}

pub(crate) fn context(labels: Labels) -> ToolContext {
    ToolContext { conversation: "c".into(), labels, now: NOW }
}

/// Runs a tool after the gate allowed it.
pub(crate) async fn run_with(tool: &Arc<dyn Tool>, arguments: Value, labels: Labels) -> ToolResult {
    run_at(tool, arguments, context(labels)).await
}

/// The same in a context of one's own.
pub(crate) async fn run_at(tool: &Arc<dyn Tool>, arguments: Value, context: ToolContext) -> ToolResult {
    let (spec, digest) = (tool.spec(), tool.spec().digest());
    let question = Question {
        run: &"r".into(),
        conversation: &"c".into(),
        call: &"call".into(),
        tool_name: &spec.name,
        tool: Some(Definition { spec, digest: &digest }),
        switched_on: true,
        arguments: Ok(&arguments),
        target: Ok(None),
        apps: &Default::default(),
        signature: Signature::of(&spec.name, &arguments.to_string()),
        mode: Mode::Max,
        attendance: Attendance::Attended { listening: true },
        labels: &Labels::none(),
        origins: &Origins::default(),
        grants: &[],
        budget: Budget::of(Mode::Max),
        ledger: Ledger::default(),
        history: &CallHistory::default(),
        agreement: None,
        now: NOW,
    };
    match gate(&question) {
        Verdict::Allow(approval) => tool.run(approval, context).await,
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
