// SPDX-License-Identifier: Apache-2.0
use crate::facts::Heard;
use crate::hub::{Hub, Presence, Subscription};
use crate::models::Known;
use crate::session::{self, Session};
use crate::web;
use bailey_engine::{Standing, Toolbox};
use bailey_net::{Clients, GuardedWeb};
use bailey_policy::{Grant, GrantScope};
use bailey_ports::device::Device;
use bailey_ports::{
    Clock, Durability, Files, Model, Notes, Notifier, Redactor, Secret, Secrets, Shell, Store, StoreError, Tool, Web,
};
use bailey_protocol::{
    Answer, ApiError, Ask, AskAnswerParams, AskKind, Code, ConversationId, Event, Live, Message, Millis, ModelChoice,
    Provider, ProviderId, RunId, Settings, Snapshot,
};
use bailey_tools::Registry;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, RwLock};

/// What the agent stands on; a shell brings it.
pub struct Parts {
    /// Runs, conversations, grants, settings.
    pub store: Arc<dyn Store>,
    /// The person's notes.
    pub notes: Arc<dyn Notes>,
    /// The app's folder of files.
    pub files: Arc<dyn Files>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Keys.
    pub secrets: Arc<dyn Secrets>,
    /// Notifications, where there are any.
    pub notifier: Option<Arc<dyn Notifier>>,
    /// The device under the app, where Bailey can use it.
    pub device: Option<Arc<dyn Device>>,
    /// A shell, where there is one.
    pub shell: Option<Arc<dyn Shell>>,
    /// The web; `None` for the open one behind the guard. Something else is for tests and replays.
    pub web: Option<Arc<dyn Web>>,
    /// Tools beyond the built-in ones. They pass the same gate.
    pub tools: Vec<Arc<dyn Tool>>,
    /// Knows the secrets that must not get out.
    pub redactor: Redactor,
    /// Models that live in this process, with the provider each is shown as.
    pub models: Vec<(Provider, Arc<dyn Model>)>,
    /// How surely each record is kept; the intent of a call that changes something is synced in any case.
    pub durability: Durability,
}

/// How a run is started, beyond what a face may ask for.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// Answers for this run what a mode asks: a grant for every tool. It answers nothing else.
    pub approve_all: bool,
    /// The automation that starts it: nobody watches. What would have to be asked is refused unless a grant of this
    /// automation's answers it.
    pub automation: Option<String>,
}

/// The agent: one per process and data folder. Cheap to clone.
#[derive(Clone)]
pub struct Agent(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) parts: Parts,
    pub(crate) hub: Arc<Hub>,
    pub(crate) registry: Registry,
    pub(crate) toolbox: Arc<Toolbox>,
    pub(crate) clients: Clients,
    pub(crate) guard: GuardedWeb,
    /// The guard, or what stands in its place.
    pub(crate) web: Arc<dyn Web>,
    pub(crate) settings: Arc<RwLock<Settings>>,
    /// Providers of this process only.
    pub(crate) provided: Mutex<HashMap<ProviderId, Provider>>,
    /// One per provider: an endpoint learns what is taken there.
    pub(crate) endpoints: Mutex<HashMap<ProviderId, Known>>,
    pub(crate) heard: Mutex<Heard>,
    /// Held while a run is being started, so that a conversation never gets two.
    pub(crate) starting: Mutex<()>,
    sessions: Mutex<HashMap<RunId, Session>>,
}

impl Agent {
    /// Starts the agent. Runs that an earlier process left in the middle wait for [`Agent::resume`].
    pub fn start(parts: Parts) -> Result<Agent, ApiError> {
        let settings = parts.store.settings().map_err(storage)?;
        let clients = Clients::new();
        let guard = GuardedWeb::new(clients.clone(), web::guard_options(&settings));
        let settings = Arc::new(RwLock::new(settings));
        let the_web: Arc<dyn Web> = parts.web.clone().unwrap_or_else(|| Arc::new(guard.clone()));
        let registry = Registry::new(bailey_tools::Parts {
            notes: parts.notes.clone(),
            files: parts.files.clone(),
            device: parts.device.clone(),
            shell: parts.shell.clone(),
            web: Some(the_web.clone()),
            search: web::choose_search(settings.clone(), parts.secrets.clone()),
            zone: None,
        })
        .with(parts.tools.iter().cloned());
        let toolbox =
            Toolbox::new(registry.specs().cloned()).map_err(|e| ApiError::new(Code::Internal, e.to_string()))?;
        let now = parts.clock.now();
        let purged = parts.store.purge_deleted(now).map_err(storage)?;
        tracing::debug!(purged = purged.len(), "deleted conversations were purged");
        let inner = Arc::new(Inner {
            hub: Arc::new(Hub::new(uuid::Uuid::new_v4().simple().to_string())),
            registry,
            toolbox: Arc::new(toolbox),
            clients,
            guard,
            web: the_web,
            settings,
            provided: Mutex::default(),
            endpoints: Mutex::default(),
            heard: Mutex::default(),
            starting: Mutex::default(),
            sessions: Mutex::default(),
            parts,
        });
        // Keys may come later, from a store that had to be unlocked: then the proxy has its password, and faces are told.
        let late = Arc::downgrade(&inner);
        inner.parts.secrets.on_change(Box::new(move || {
            if let Some(inner) = late.upgrade() {
                inner.reach_the_network();
                inner.tell_settings();
            }
        }));
        inner.reach_the_network();
        Ok(Agent(inner))
    }

    /// What happens, as it happens: first a snapshot, or the events after `since` when they are still kept.
    pub fn subscribe(&self, since: Option<(String, u64)>, presence: Presence) -> Subscription {
        let inner = self.0.clone();
        let snapshot = move |streaming: &[Message]| {
            inner.snapshot(streaming).inspect_err(|error| tracing::error!(%error, "no snapshot")).ok()
        };
        self.0.hub.subscribe(since, presence, self.0.parts.clock.clone(), snapshot)
    }

    /// What is going on right now.
    pub fn snapshot(&self) -> Result<Snapshot, ApiError> {
        self.0.snapshot(&[])
    }

    /// Adds a provider for this process only; nothing of it is saved.
    pub fn provide(&self, provider: Provider, key: Option<Secret>) -> Result<(), ApiError> {
        if let Some(key) = key {
            self.0.parts.redactor.learn(&key);
            let kept = self.0.parts.secrets.set(&provider.id, key);
            kept.map_err(crate::network::secrets)?;
        }
        self.0.provided.lock().unwrap_or_else(|e| e.into_inner()).insert(provider.id.clone(), provider);
        Ok(())
    }

    /// Answers an open question.
    pub async fn answer(&self, mut params: AskAnswerParams) -> Result<(), ApiError> {
        if let Answer::Text { text } = &mut params.answer {
            *text = self.0.parts.redactor.clean(text).into_owned();
        }
        let receiver = {
            let sessions = self.0.sessions();
            let session = sessions.values().find(|s| s.asks_about(&params.ask));
            session.ok_or_else(session::stale)?.answer(params.ask.clone(), params.answer)
        };
        receiver.await.map_err(|_| session::stale())?
    }

    /// Stops a run, in the middle of whatever it does. One that is over is left as it is.
    pub async fn stop(&self, run: &RunId) {
        let receiver = self.0.sessions().get(run).map(Session::stop);
        if let Some(receiver) = receiver {
            let _ = receiver.await;
        }
    }

    /// Ends the work of this process and leaves open runs to be taken up by the next.
    pub async fn shutdown(&self) {
        let receivers: Vec<_> = {
            let sessions = self.0.sessions();
            let mut oldest_first: Vec<_> = sessions.iter().collect();
            // A run is told before its sub-agents, which began later: it must not take their end for a failure.
            oldest_first.sort_by(|a, b| a.0.cmp(b.0));
            oldest_first.into_iter().map(|(_, session)| session.suspend()).collect()
        };
        for receiver in receivers {
            let _ = receiver.await;
        }
    }
}

impl Inner {
    pub(crate) fn sessions(&self) -> MutexGuard<'_, HashMap<RunId, Session>> {
        self.sessions.lock().unwrap_or_else(|e| e.into_inner())
    }

    pub(crate) fn is_busy(&self, conversation: &ConversationId) -> bool {
        self.sessions().values().any(|s| s.conversation == *conversation)
    }

    fn snapshot(&self, streaming: &[Message]) -> Result<Snapshot, ApiError> {
        let conversations = self.parts.store.conversations("").map_err(storage)?;
        let sessions = self.sessions();
        let mut live: Vec<Live> = sessions
            .iter()
            .map(|(id, session)| Live {
                run: session.view(),
                streaming: streaming.iter().find(|m| m.run == *id).cloned(),
            })
            .collect();
        live.sort_by(|a, b| (a.run.started, &a.run.id).cmp(&(b.run.started, &b.run.id)));
        let mut asks: Vec<Ask> = sessions.values().flat_map(Session::asks).collect();
        asks.sort_by(|a, b| (a.asked, &a.id).cmp(&(b.asked, &b.id)));
        drop(sessions);
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let notes_waiting = self.parts.notes.waiting().map_err(storage)?;
        Ok(Snapshot { conversations, live, asks, notes_waiting, settings: self.shown_settings(), version })
    }

    /// The open questions of a conversation, with the time they have left now.
    pub(crate) fn open_asks(&self, conversation: &ConversationId) -> Vec<Ask> {
        let mut asks: Vec<Ask> = self
            .sessions()
            .values()
            .filter(|s| s.conversation == *conversation || s.root == *conversation)
            .flat_map(Session::asks)
            .collect();
        asks.sort_by(|a, b| (a.asked, &a.id).cmp(&(b.asked, &b.id)));
        asks
    }

    /// What the engine should know of the world around a run.
    pub(crate) fn standing(
        &self,
        run: &RunId,
        conversation: &ConversationId,
        model: &ModelChoice,
        approve_all: bool,
    ) -> Standing {
        let mut grants = self.parts.store.grants(conversation).unwrap_or_else(|error| {
            tracing::error!(%error, "grants could not be read; none hold");
            Vec::new()
        });
        if approve_all {
            let scope = GrantScope::Run(run.clone());
            grants.push(Grant {
                id: format!("{run}-all"),
                tool: "*".into(),
                scope,
                arguments: Vec::new(),
                expires: None,
            });
        }
        let caps = self.settings().caps;
        let notified = self.parts.notifier.as_ref().is_some_and(|n| n.reaches());
        Standing {
            listening: notified || self.hub.attended(self.parts.clock.now()),
            grants,
            switched_off: self.switched_off(),
            facts: self.facts(model),
            effort: self.effort(model),
            spent_today: if caps.day.is_some() { self.spent_today() } else { 0 },
            caps,
        }
    }

    /// Tools that the person has not switched on, or that have nothing to stand on here.
    pub(crate) fn switched_off(&self) -> BTreeSet<String> {
        let on = self.parts.shell.is_some() && self.settings().shell;
        if on { BTreeSet::new() } else { BTreeSet::from(["run_shell".to_owned()]) }
    }

    pub(crate) fn tell_conversation(&self, id: &ConversationId) {
        match self.parts.store.conversation(id) {
            Ok(Some(conversation)) => self.hub.publish(Event::Conversation { conversation }),
            Ok(None) => {}
            Err(error) => tracing::error!(%error, "a conversation could not be read"),
        }
    }

    /// Tells the person, while they look elsewhere, that something waits. Says nothing of what it is about.
    pub(crate) fn notify(&self, ask: &Ask) {
        let Some(notifier) = self.parts.notifier.as_ref().filter(|n| n.reaches()) else { return };
        let zh = self.settings().language == Some(bailey_protocol::Language::Zh);
        let body = match (&ask.kind, zh) {
            (AskKind::Confirm { .. }, false) => "A step waits for your yes or no.",
            (AskKind::Confirm { .. }, true) => "有一步操作等你确认。",
            (AskKind::Spend { .. }, false) => "A run reached a spending cap and waits for you.",
            (AskKind::Spend { .. }, true) => "一次任务达到了花费上限，等你决定。",
            (_, false) => "A question waits for you.",
            (_, true) => "有一个问题等你回答。",
        };
        notifier.notify("Bailey", body);
    }

    pub(crate) fn now(&self) -> Millis {
        self.parts.clock.now()
    }
}

/// A store's failure as a face reads it.
pub(crate) fn storage(error: StoreError) -> ApiError {
    let code = match error {
        StoreError::NotFound(_) => Code::NotFound,
        _ => Code::Storage,
    };
    ApiError::new(code, error.to_string())
}
