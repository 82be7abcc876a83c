// SPDX-License-Identifier: Apache-2.0
use crate::{CallId, ConversationId, Millis, ModelChoice, RunId};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What a run may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Talks; only internal tools.
    Chat,
    /// Reads; nothing that changes the world.
    ChatPlus,
    /// Acts; each call is confirmed.
    Act,
    /// Acts by itself; the gate still asks where text from outside or private data is in play.
    Max,
}

impl Mode {
    /// All modes, most careful first.
    pub const ALL: [Mode; 4] = [Mode::Chat, Mode::ChatPlus, Mode::Act, Mode::Max];

    /// The name used in commands and settings.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Chat => "chat",
            Mode::ChatPlus => "chat_plus",
            Mode::Act => "act",
            Mode::Max => "max",
        }
    }
}

/// What a run may spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Budget {
    /// Requests to the model.
    pub rounds: u32,
    /// Calls that run.
    pub calls: u32,
    /// Milliseconds of work, time spent waiting for a person excluded; `None` is no limit.
    pub active_ms: Option<u32>,
}

impl Budget {
    /// The budget a mode has unless settings say otherwise (DESIGN.md, "Budgets").
    pub fn of(mode: Mode) -> Self {
        match mode {
            Mode::Chat => Self { rounds: 4, calls: 6, active_ms: None },
            Mode::ChatPlus => Self { rounds: 8, calls: 25, active_ms: Some(600_000) },
            Mode::Act => Self { rounds: 12, calls: 32, active_ms: Some(600_000) },
            Mode::Max => Self { rounds: 60, calls: 160, active_ms: Some(3_600_000) },
        }
    }
}

/// What a run has spent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Ledger {
    /// Requests sent to the model.
    pub rounds: u32,
    /// Calls that ran.
    pub calls: u32,
    /// Milliseconds worked.
    #[ts(type = "number")]
    pub active_ms: u64,
    /// Micro-dollars, as far as prices are known.
    #[serde(default)]
    #[ts(type = "number")]
    pub cost: u64,
}

/// Where a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum RunState {
    /// Working.
    Running,
    /// Waiting for the person.
    Waiting,
    /// Answered.
    Done,
    /// Ended by an error.
    Failed,
    /// Stopped by the person.
    Stopped,
}

impl RunState {
    /// Whether the run is over.
    pub fn is_final(self) -> bool {
        matches!(self, RunState::Done | RunState::Failed | RunState::Stopped)
    }
}

/// The kind of error that ended a run, as far as anybody acts on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum RunErrorKind {
    /// The key is missing or refused.
    Auth,
    /// Too many requests.
    Rate,
    /// The account has no credit left.
    Quota,
    /// The provider did not take the request.
    Invalid,
    /// The conversation is longer than the model's window.
    TooLong,
    /// The provider will not answer this.
    Refused,
    /// The provider has too much to do for now.
    Overloaded,
    /// The provider has a fault.
    Server,
    /// Nothing came in time.
    Timeout,
    /// The endpoint can't be reached.
    Network,
    /// The stream ended in the middle.
    Interrupted,
    /// The run's budget was spent before there was an answer.
    Budget,
    /// The person did not let the run spend more money.
    Money,
    /// No model is set up.
    NoModel,
    /// The data folder could not be written.
    Storage,
    /// A fault of Bailey's own.
    Internal,
}

/// What ended a run that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RunError {
    /// Its kind.
    pub kind: RunErrorKind,
    /// What happened and what to do next, for the person.
    pub message: String,
    /// The provider's own words, secrets removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub details: Option<String>,
}

impl RunError {
    /// An error without words of a provider's.
    pub fn new(kind: RunErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), details: None }
    }
}

/// An attempt that failed, while the next one waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Retrying {
    /// Why.
    pub kind: RunErrorKind,
    /// How long it waits from the moment this was sent, in milliseconds.
    pub wait_ms: u32,
    /// Counts from 1 within a request.
    pub attempt: u32,
}

/// A tool that could not be offered to a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LeftOut {
    /// The tool.
    pub tool: String,
    /// Why.
    pub reason: String,
}

/// A run, for showing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct RunView {
    /// Its id.
    pub id: RunId,
    /// Its conversation.
    pub conversation: ConversationId,
    /// Its mode, fixed when it began.
    pub mode: Mode,
    /// Where it stands.
    pub state: RunState,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub error: Option<RunError>,
    /// When it began.
    #[ts(type = "number")]
    pub started: Millis,
    /// What it spent.
    pub ledger: Ledger,
    /// Its budget.
    pub budget: Budget,
    /// Whether it was taken up again after the app had been killed.
    #[serde(default)]
    pub resumed: bool,
    /// Nobody watches it: an automation started it.
    #[serde(default)]
    pub unattended: bool,
    /// The run whose sub-agent it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub parent: Option<RunId>,
    /// The call that started it, then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub call: Option<CallId>,
    /// The model it talks to now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub model: Option<ModelChoice>,
    /// The model that takes over for another one which is out of order: the one it began with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub instead_of: Option<ModelChoice>,
    /// How many tokens fit into its window, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub window: Option<u32>,
    /// Whether earlier parts of the conversation were shortened to fit the model's window.
    #[serde(default)]
    pub compressed: bool,
    /// Tools that could not be offered to this model.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
    /// The request is being tried again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub retrying: Option<Retrying>,
}
