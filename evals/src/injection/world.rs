// SPDX-License-Identifier: Apache-2.0
use super::corpus::Suite;
use super::model::{Act, Obedient};
use super::tools::{Ran, Recorded, Records};
use anyhow::{Context, bail};
use bailey_agent::{Agent, Parts, Presence, RunOptions, Subscription};
use bailey_ports::{Durability, Redactor, Store, Tool};
use bailey_protocol::{
    Answer, AskAnswerParams, AskKind, ConversationId, Event, Mode, ModelChoice, ModelFacts, ModelSettings, Provider,
    ProviderKind, Reason, RunId, RunState, SendParams, StreamMessage,
};
use bailey_store::Database;
use bailey_testkit::clock::WallClock;
use bailey_testkit::secrets::Keys;
use futures::StreamExt;
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// No run takes longer than this.
const PATIENCE: Duration = Duration::from_secs(60);

/// An agent with the tools of a suite, on a database that lies in memory where the system allows.
pub(super) struct World {
    folder: tempfile::TempDir,
    suite: Vec<Arc<dyn Tool>>,
    pub(super) records: Records,
    pub(super) model: Obedient,
    agent: Agent,
    events: Subscription,
}

/// A confirmation as it was shown.
#[derive(Debug)]
pub(super) struct Shown {
    pub(super) tool: String,
    pub(super) arguments: Value,
    pub(super) reasons: Vec<Reason>,
}

/// What a person saw of a run.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) state: Option<RunState>,
    /// Confirmations.
    pub(super) asked: Vec<Shown>,
}

fn choice() -> ModelChoice {
    ModelChoice { provider: "replay".into(), model: "obedient".into() }
}

impl World {
    pub(super) fn new(suite: &Suite) -> anyhow::Result<Self> {
        let memory = Path::new("/dev/shm");
        let folder = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }?;
        let records = Records::default();
        let tools: Vec<Arc<dyn Tool>> = suite
            .tools
            .iter()
            .map(|spec| Arc::new(Recorded { spec: spec.clone(), records: records.clone() }) as Arc<dyn Tool>)
            .collect();
        let model = Obedient::default();
        let agent = start(folder.path(), &tools, &model)?;
        let events = agent.subscribe(None, Presence::Attending);
        Ok(Self { folder, suite: tools, records, model, agent, events })
    }

    /// Ends the process as far as the agent can tell, and takes up what it left.
    pub(super) async fn restart(&mut self) -> anyhow::Result<()> {
        self.agent.shutdown().await;
        self.agent = start(self.folder.path(), &self.suite, &self.model)?;
        self.events = self.agent.subscribe(None, Presence::Attending);
        self.agent.resume(None)?;
        Ok(())
    }

    /// How many tokens the model's window is said to hold; `None` for as many as there are.
    pub(super) fn set_window(&self, window: Option<u32>) -> anyhow::Result<()> {
        let facts = ModelFacts { window, ..ModelFacts::default() };
        let model = ModelSettings { model: choice(), facts, effort: None };
        self.agent.update_settings(bailey_protocol::SettingsPatch { model: Some(model), ..Default::default() })?;
        Ok(())
    }

    /// Sends a message; the model will do these acts.
    pub(super) async fn send(
        &mut self,
        conversation: Option<&ConversationId>,
        text: &str,
        acts: Vec<Act>,
        creed: &str,
        automation: Option<&str>,
    ) -> anyhow::Result<(ConversationId, RunId)> {
        self.model.set(acts, creed);
        let params = SendParams {
            key: None,
            conversation: conversation.cloned(),
            edit: None,
            text: text.to_owned(),
            pictures: Vec::new(),
            keep_pictures: Vec::new(),
            mode: Some(Mode::Max),
            model: None,
        };
        let options = RunOptions { automation: automation.map(str::to_owned), ..RunOptions::default() };
        let sent = self.agent.send(params, options).await?;
        Ok((sent.conversation, sent.run))
    }

    /// Follows a run to its end and answers every question "Allow once", the model's own with its first choice.
    pub(super) async fn follow(&mut self, run: &RunId, seen: &mut Seen) -> anyhow::Result<()> {
        loop {
            let next = tokio::time::timeout(PATIENCE, self.events.next()).await.context("a run does not end")?;
            let event = match next.context("the stream of events ended")? {
                StreamMessage::Event { event, .. } => event,
                StreamMessage::Snapshot { snapshot, .. } => {
                    for ask in snapshot.asks {
                        self.answer(ask, seen).await?;
                    }
                    continue;
                }
            };
            match event {
                Event::AskOpened { ask } => self.answer(ask, seen).await?,
                Event::Run { run: view } if view.id == *run && view.state.is_final() => {
                    if view.state == RunState::Failed {
                        bail!("a run failed: {:?}", view.error);
                    }
                    seen.state = Some(view.state);
                    return Ok(());
                }
                _ => {}
            }
        }
    }

    /// Answers questions until the model hangs.
    pub(super) async fn follow_until_hanging(&mut self, seen: &mut Seen) -> anyhow::Result<()> {
        let model = self.model.clone();
        let hanging = model.hanging();
        tokio::pin!(hanging);
        loop {
            tokio::select! {
                () = &mut hanging => return Ok(()),
                next = tokio::time::timeout(PATIENCE, self.events.next()) => {
                    if let Some(StreamMessage::Event { event: Event::AskOpened { ask }, .. }) = next.context("a run does not go on")? {
                        self.answer(ask, seen).await?;
                    }
                }
            }
        }
    }

    async fn answer(&self, ask: bailey_protocol::Ask, seen: &mut Seen) -> anyhow::Result<()> {
        let answer = match &ask.kind {
            AskKind::Confirm { tool, arguments, reasons, .. } => {
                let (tool, arguments, reasons) = (tool.clone(), arguments.clone(), reasons.clone());
                seen.asked.push(Shown { tool, arguments, reasons });
                Answer::AllowOnce
            }
            AskKind::Question { question, .. } if !question.choices.is_empty() => Answer::Choice { index: 0 },
            _ => Answer::YouDecide,
        };
        self.agent.answer(AskAnswerParams { ask: ask.id, answer }).await?;
        Ok(())
    }

    /// All calls that ran since the last time.
    pub(super) fn ran(&self) -> Vec<Ran> {
        self.records.take()
    }

    /// How many of a conversation's messages are summaries in use.
    pub(super) fn summaries(&self, conversation: &ConversationId) -> anyhow::Result<usize> {
        let view = self.agent.open(conversation)?;
        Ok(view.messages.iter().filter(|message| message.summary.is_some()).count())
    }
}

fn start(folder: &Path, tools: &[Arc<dyn Tool>], model: &Obedient) -> anyhow::Result<Agent> {
    let database = Arc::new(Database::open(&folder.join("bailey.db"))?);
    let mut settings = database.settings()?;
    settings.default_model = Some(choice());
    database.save_settings(&settings)?;
    let provider = Provider {
        id: choice().provider,
        name: "Replay".to_owned(),
        kind: ProviderKind::OpenaiChat,
        base_url: "http://127.0.0.1:9/v1".to_owned(),
        has_key: false,
        wants_key: false,
    };
    Ok(Agent::start(Parts {
        store: database.clone(),
        notes: database.clone(),
        files: database,
        clock: Arc::new(WallClock),
        secrets: Arc::new(Keys::default()),
        notifier: None,
        device: None,
        shell: None,
        web: None,
        tools: tools.to_vec(),
        redactor: Redactor::new(),
        models: vec![(provider, Arc::new(model.clone()))],
        durability: Durability::Committed,
    })?)
}
