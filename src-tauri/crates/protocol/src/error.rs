// SPDX-License-Identifier: Apache-2.0
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What a UI does about a failed command. Only kinds somebody acts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// The parameters do not fit: a fault of the caller's.
    BadRequest,
    /// It is not there (any more).
    NotFound,
    /// It was answered or ended before: harmless, show the present state.
    Stale,
    /// A run is going on in this conversation.
    Busy,
    /// No model is set up.
    NoModel,
    /// The endpoint is not allowed, can't be reached or refuses the key.
    Endpoint,
    /// The keys are locked, the passphrase is wrong, or their store can't be reached.
    Keys,
    /// The data folder could not be read or written.
    Storage,
    /// A fault of Bailey's own.
    Internal,
}

/// A failed command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, thiserror::Error)]
#[error("{message}")]
pub struct ApiError {
    /// Its kind.
    pub code: Code,
    /// What happened and what to do next, for a person.
    pub message: String,
}

impl ApiError {
    /// An error of this kind.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}
