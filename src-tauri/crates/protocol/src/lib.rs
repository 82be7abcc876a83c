// SPDX-License-Identifier: Apache-2.0
//! What Bailey's parts say to each other: ids, labels, messages, asks, commands, events, the journal and error codes.
//!
//! Everything here is plain data with serde; what the UI sees also derives `TS`. There is no IO, no clock and no logic
//! beyond joining labels. Times are milliseconds since the Unix epoch ([`Millis`]).

mod ask;
mod catalogue;
mod command;
mod error;
mod event;
mod ids;
pub mod journal;
mod keys;
mod labels;
mod message;
pub mod model;
mod run;
mod settings;

#[cfg(test)]
mod bindings;

pub use ask::{Answer, Ask, AskKind, Danger, Denial, DenialCode, Question, Reason, SpendScope};
pub use catalogue::{ModelFacts, Price};
pub use command::*;
pub use error::{ApiError, Code};
pub use event::{Delta, DeltaKind, Event, Live, Snapshot, StreamMessage};
pub use ids::{AskId, CallId, ConversationId, MessageId, PictureId, ProviderId, RunId};
pub use keys::{KeyStoreKind, KeyStoreState};
pub use labels::{Labels, Source};
pub use message::{Block, Call, CallState, Message, MessageStatus, Part, PictureRef, Role};
pub use run::{Budget, Ledger, LeftOut, Mode, Retrying, RunError, RunErrorKind, RunState, RunView};
pub use settings::{
    Accent, Caps, Effort, Language, LocalServer, ModelChoice, ModelSettings, Network, Provider, ProviderKind, Settings,
    SettingsPatch, Theme, ToolView,
};

/// Milliseconds since the Unix epoch, UTC.
pub type Millis = i64;
