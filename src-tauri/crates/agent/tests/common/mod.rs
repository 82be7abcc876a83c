// SPDX-License-Identifier: Apache-2.0
//! An agent on a real database, with a model by script and a shell that counts.
#![allow(dead_code, reason = "each test file uses its own part")]

use bailey_agent::{Agent, Parts, Presence, RunOptions, Subscription};
use bailey_ports::{Durability, Model, Redactor, Store};
use bailey_protocol::*;
use bailey_store::Database;
use bailey_testkit::clock::WallClock;
use bailey_testkit::model::ScriptedModel;
use bailey_testkit::secrets::Keys;
use bailey_testkit::shell::CountingShell;
use futures::StreamExt;
use std::sync::Arc;
use std::time::Duration;

/// No test waits longer than this for something that should come at once.
pub(crate) const SOON: Duration = Duration::from_secs(20);

pub(crate) struct World {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) database: Arc<Database>,
    pub(crate) shell: CountingShell,
    pub(crate) model: Arc<dyn Model>,
    /// The model of a second provider, `other`.
    pub(crate) other: Option<Arc<dyn Model>>,
    pub(crate) redactor: Redactor,
}

pub(crate) fn choice() -> ModelChoice {
    ModelChoice { provider: "script".into(), model: "scripted".into() }
}

impl World {
    pub(crate) fn new(model: impl Model + 'static) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let database = Arc::new(Database::open(&folder.path().join("bailey.db")).unwrap());
        let mut settings = database.settings().unwrap();
        settings.shell = true;
        settings.default_model = Some(choice());
        database.save_settings(&settings).unwrap();
        Self {
            folder,
            database,
            shell: CountingShell::default(),
            model: Arc::new(model),
            other: None,
            redactor: Redactor::new(),
        }
    }

    pub(crate) fn scripted(model: &ScriptedModel) -> Self {
        Self::new(model.clone())
    }

    pub(crate) fn agent(&self) -> Agent {
        self.agent_on(self.database.clone())
    }

    pub(crate) fn agent_on(&self, store: Arc<dyn Store>) -> Agent {
        let agent = self.start(store);
        agent.resume(None).unwrap();
        agent
    }

    pub(crate) fn agent_without_resume(&self) -> Agent {
        self.start(self.database.clone())
    }

    fn start(&self, store: Arc<dyn Store>) -> Agent {
        let provider = |id: &str| Provider {
            id: id.into(),
            name: id.to_owned(),
            kind: ProviderKind::OpenaiChat,
            base_url: "http://127.0.0.1:9/v1".into(),
            has_key: false,
            wants_key: false,
        };
        Agent::start(Parts {
            store,
            notes: self.database.clone(),
            files: self.database.clone(),
            clock: Arc::new(WallClock),
            secrets: Arc::new(Keys::default()),
            notifier: None,
            shell: Some(Arc::new(self.shell.clone())),
            redactor: self.redactor.clone(),
            models: [
                Some((provider("script"), self.model.clone())),
                self.other.clone().map(|m| (provider("other"), m)),
            ]
            .into_iter()
            .flatten()
            .collect(),
            durability: Durability::Committed,
        })
        .unwrap()
    }
}

pub(crate) fn message(text: &str, mode: Mode) -> SendParams {
    SendParams {
        key: None,
        conversation: None,
        edit: None,
        text: text.into(),
        pictures: vec![],
        keep_pictures: vec![],
        mode: Some(mode),
        model: None,
    }
}

pub(crate) fn follow_up(conversation: &ConversationId, text: &str) -> SendParams {
    SendParams { conversation: Some(conversation.clone()), mode: None, ..message(text, Mode::Chat) }
}

pub(crate) async fn send(agent: &Agent, text: &str, mode: Mode) -> Sent {
    agent.send(message(text, mode), RunOptions::default()).await.unwrap()
}

/// A face that somebody looks at.
pub(crate) struct Face {
    events: Subscription,
    pub(crate) seen: Vec<StreamMessage>,
}

impl Face {
    pub(crate) fn new(agent: &Agent) -> Self {
        Self { events: agent.subscribe(None, Presence::Attending), seen: vec![] }
    }

    /// The next message, or a failed test.
    pub(crate) async fn next(&mut self) -> StreamMessage {
        let next = tokio::time::timeout(SOON, self.events.next()).await.expect("an event").expect("an open stream");
        self.seen.push(next.clone());
        next
    }

    /// Reads on until something is found in an event.
    pub(crate) async fn until<T>(&mut self, find: impl Fn(&Event) -> Option<T>) -> T {
        loop {
            if let StreamMessage::Event { event, .. } = self.next().await
                && let Some(found) = find(&event)
            {
                return found;
            }
        }
    }

    pub(crate) async fn ask(&mut self) -> Ask {
        self.until(|e| match e {
            Event::AskOpened { ask } => Some(ask.clone()),
            _ => None,
        })
        .await
    }

    pub(crate) async fn end(&mut self, run: &RunId) -> RunView {
        self.until(|e| match e {
            Event::Run { run: view } if view.id == *run && view.state.is_final() => Some(view.clone()),
            _ => None,
        })
        .await
    }
}

pub(crate) async fn answer(agent: &Agent, ask: &Ask, answer: Answer) -> Result<(), ApiError> {
    agent.answer(AskAnswerParams { ask: ask.id.clone(), answer }).await
}
