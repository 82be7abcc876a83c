// SPDX-License-Identifier: Apache-2.0
//! What Bailey's parts say to each other: ids, labels, messages, asks, commands, events, the journal and error codes.
//!
//! Everything here is plain data with serde; what the UI sees also derives `TS`. There is no IO, no clock and no logic
//! beyond joining labels. Times are milliseconds since the Unix epoch ([`Millis`]).

mod ask;
mod catalogue;
mod command;
mod device;
mod error;
mod event;
mod ids;
pub mod journal;
mod keys;
mod labels;
mod message;
pub mod model;
mod run;
mod screen;
mod settings;
mod shell;

#[cfg(test)]
mod bindings;

pub use ask::{
    AllowScope, Answer, ArgumentPattern, Ask, AskKind, Danger, Denial, DenialCode, Doubt, DoubtKind, Origin, Question,
    Reason, SpendScope,
};
pub use catalogue::{ModelFacts, Price};
pub use command::*;
pub use device::{Channel, ChannelState, ChannelView, DeviceView, Fault};
pub use error::{ApiError, Code};
pub use event::{Delta, DeltaKind, Event, Live, Snapshot, StreamMessage};
pub use ids::{AskId, CallId, ConversationId, MessageId, PictureId, ProviderId, RunId};
pub use keys::{KeyStoreKind, KeyStoreState};
pub use labels::{Labels, Source};
pub use message::{Block, Call, CallState, Message, MessageStatus, Part, PartRole, PictureRef, Role, SummaryState};
pub use run::{Budget, Ledger, LeftOut, Mode, Retrying, RunError, RunErrorKind, RunState, RunView};
pub use screen::{NodeClass, Target};
pub use settings::{
    Accent, Caps, Effort, Language, LocalServer, ModelChoice, ModelSettings, Network, Provider, ProviderKind,
    SearchEngine, Settings, SettingsPatch, Theme, ToolView, WebSettings,
};
pub use shell::{ShellEffect, ShellEffectKind, ShellRisk};

/// Milliseconds since the Unix epoch, UTC.
pub type Millis = i64;
