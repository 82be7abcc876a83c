// SPDX-License-Identifier: Apache-2.0
use bailey_protocol::RunErrorKind;
use bailey_protocol::model::{Reply, Request};
use futures::stream::BoxStream;
use std::time::Duration;

/// What a model says, as it comes. Dropping the stream ends the request at once.
pub type ReplyStream = BoxStream<'static, Result<Reply, ModelError>>;

/// A language model behind some protocol.
pub trait Model: Send + Sync {
    /// Sends a request. Errors come as the stream's first item; after an error nothing follows.
    fn reply(&self, request: Request) -> ReplyStream;
}

/// A request that failed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct ModelError {
    /// Its kind.
    pub kind: RunErrorKind,
    /// What happened and what to do next, for the person.
    pub message: String,
    /// The provider's own words, secrets removed.
    pub details: Option<String>,
    /// How long the provider asks to wait.
    pub retry_after: Option<Duration>,
}

impl ModelError {
    /// An error without words of the provider's and without a wait.
    pub fn new(kind: RunErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), details: None, retry_after: None }
    }
}
