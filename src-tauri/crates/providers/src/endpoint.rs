// SPDX-License-Identifier: Apache-2.0
//! A model behind an HTTP endpoint: sends requests, again where that may help, and reads the answers.

mod facts;
pub(crate) mod listing;
mod reading;
mod refusal;

use crate::failure::{self, Place};
use crate::protocol::{self, Protocol};
use bailey_ports::{Model, ModelError, Redactor, ReplyStream, Secret};
use bailey_protocol::model::{Request, Turn};
use bailey_protocol::{ProviderId, ProviderKind, RunErrorKind};
use bytes::Bytes;
use futures::StreamExt;
use reading::Exchange;
use reqwest::header::{CONTENT_TYPE, HeaderMap};
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use url::Url;

/// Times a request waits.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Without a byte for so long, a request has failed.
    pub silence: Duration,
    /// With bytes that say nothing, as what keeps a connection open, a request has failed after so long.
    pub most_silence: Duration,
    /// How often a request is tried again: before anything came, or when its answer broke off.
    pub more_tries: u32,
    /// At most this long before the first more try; twice that before the second, and so on.
    pub backoff: Duration,
    /// A longer wait that the provider asks for is left to the person.
    pub longest_wait: Duration,
    /// All waits of a request together are at most this long; what would go beyond is left to the person.
    pub most_waiting: Duration,
    /// After the model's reason to stop, for what else comes.
    pub grace: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            silence: Duration::from_secs(120),
            most_silence: Duration::from_secs(600),
            more_tries: 3,
            backoff: Duration::from_secs(1),
            longest_wait: Duration::from_secs(30),
            most_waiting: Duration::from_secs(60),
            grace: Duration::from_secs(2),
        }
    }
}

/// An error's body is read up to this many bytes.
const MAX_ERROR_BODY: usize = 64 << 10;

/// How often a request is changed after a refusal from which something was learnt.
const MOST_CHANGES: u32 = 4;

/// A model provider's endpoint. Cheap to clone; clones share what was learnt about it.
#[derive(Clone, Debug)]
pub struct Endpoint(Arc<Inner>);

#[derive(Clone, Debug)]
struct Inner {
    client: reqwest::Client,
    base: Url,
    kind: ProviderKind,
    provider: ProviderId,
    key: Option<Secret>,
    redactor: Redactor,
    protocol: Arc<dyn Protocol>,
    patience: Patience,
}

impl Endpoint {
    /// `client` comes from [`bailey_net::Clients::endpoint`] for this very `base`. The key is taught to the redactor, and
    /// everything an error says goes through it. `None` for the demo, which has no endpoint.
    pub fn new(
        kind: ProviderKind,
        client: reqwest::Client,
        base: Url,
        provider: ProviderId,
        key: Option<Secret>,
        redactor: Redactor,
    ) -> Option<Self> {
        let key = key.filter(|key| !key.is_empty());
        if let Some(key) = &key {
            redactor.learn(key);
        }
        let protocol = protocol::of(kind, &base)?;
        let patience = Patience::default();
        Some(Self(Arc::new(Inner { client, base, kind, provider, key, redactor, protocol, patience })))
    }

    /// The same with other waits.
    #[must_use]
    pub fn with_patience(self, patience: Patience) -> Self {
        let mut inner = Arc::unwrap_or_clone(self.0);
        inner.patience = patience;
        Self(Arc::new(inner))
    }
}

impl Model for Endpoint {
    fn reply(&self, mut request: Request) -> ReplyStream {
        let inner = self.0.clone();
        let origin = inner.origin(&request.model);
        for turn in &mut request.messages {
            if let Turn::Assistant { native, .. } = turn
                && native.as_ref().is_some_and(|native| native.origin != origin)
            {
                *native = None;
            }
        }
        let redactor = inner.redactor.clone();
        let clean = move |mut error: ModelError| {
            error.message = redactor.clean(&error.message).into_owned();
            error.details = error.details.map(|details| redactor.clean(&details).into_owned());
            error
        };
        Exchange::new(inner, request, origin).replies().map(move |reply| reply.map_err(&clean)).boxed()
    }
}

/// An answer that began.
struct Opened {
    response: reqwest::Response,
    first: Option<Bytes>,
}

/// An attempt that failed before anything came.
struct Failed {
    error: ModelError,
    status: Option<u16>,
    /// The body of a refusal.
    body: String,
    /// Whether another attempt may go better.
    may_pass: bool,
}

impl Failed {
    /// Without an answer from the endpoint.
    fn bare(error: ModelError, may_pass: bool) -> Self {
        Self { error, status: None, body: String::new(), may_pass }
    }

    /// Whether there may be something to learn: a request that was not understood. Gateways pass on such refusals with
    /// statuses of their own.
    fn is_refusal(&self) -> bool {
        matches!(self.status, Some(400 | 404 | 415 | 422 | 500 | 501))
    }

    /// Whether it was the key that was not accepted.
    fn is_of_key(&self) -> bool {
        matches!(self.status, Some(401 | 403))
    }
}

/// Whether a failure of this kind may be gone a moment later.
fn passes(kind: RunErrorKind) -> bool {
    matches!(kind, RunErrorKind::Rate | RunErrorKind::Overloaded | RunErrorKind::Server | RunErrorKind::Timeout)
}

impl Inner {
    /// Who can read a native message of this model's.
    fn origin(&self, model: &str) -> String {
        format!("{}/{:?}/{model}", self.provider, self.kind)
    }

    fn headers(&self) -> Result<HeaderMap, ModelError> {
        let mut headers = HeaderMap::from_iter(self.protocol.headers());
        if let Some(key) = &self.key {
            let carried = self.protocol.authorization(key).map_err(|_| {
                let message = "The key holds characters that no key has. Copy it again, without line breaks, and enter it in the model settings.";
                ModelError::new(RunErrorKind::Auth, message)
            })?;
            for (name, mut value) in carried {
                value.set_sensitive(true);
                headers.insert(name, value);
            }
        }
        Ok(headers)
    }

    fn place<'a>(&'a self, model: &'a str) -> Place<'a> {
        Place { base: &self.base, model, has_key: self.key.is_some() }
    }

    /// Nobody starts a server on this machine while a request waits for it.
    fn unreachable(&self, problem: &reqwest::Error) -> Failed {
        let error = failure::unreachable(&self.base, problem);
        let not_started = problem.is_connect() && bailey_net::is_loopback(&self.base);
        let may_pass = error.kind == RunErrorKind::Network && !not_started;
        Failed::bare(error, may_pass)
    }

    async fn attempt(&self, headers: HeaderMap, url: Url, body: Bytes, model: &str) -> Result<Opened, Failed> {
        let post = self.client.post(url).headers(headers).header(CONTENT_TYPE, "application/json").body(body);
        let silence = self.patience.silence;
        let mut response = match tokio::time::timeout(silence, post.send()).await {
            Err(_) => return Err(Failed::bare(failure::silent(silence), false)),
            Ok(Err(problem)) => return Err(self.unreachable(&problem)),
            Ok(Ok(response)) => response,
        };
        let status = response.status();
        if !status.is_success() {
            let retry_after = failure::retry_after(response.headers(), SystemTime::now());
            let body = read_some(&mut response, MAX_ERROR_BODY, silence.min(Duration::from_secs(10))).await;
            let error = failure::refused(&self.place(model), status.as_u16(), &body, retry_after);
            let may_pass = matches!(status.as_u16(), 408 | 429 | 500..) && passes(error.kind);
            return Err(Failed { error, status: Some(status.as_u16()), body, may_pass });
        }
        match tokio::time::timeout(silence, response.chunk()).await {
            Err(_) => Err(Failed::bare(failure::silent(silence), false)),
            Ok(Err(problem)) => Err(self.unreachable(&problem)),
            Ok(Ok(first)) => Ok(Opened { response, first }),
        }
    }
}

/// The beginning of a body, as far as it comes in time.
async fn read_some(response: &mut reqwest::Response, limit: usize, time: Duration) -> String {
    let mut body = Vec::new();
    let reading = async {
        while let Ok(Some(piece)) = response.chunk().await {
            body.extend_from_slice(&piece);
            if body.len() >= limit {
                break;
            }
        }
    };
    // What came until then is better than nothing.
    let _ = tokio::time::timeout(time, reading).await;
    body.truncate(limit);
    String::from_utf8_lossy(&body).into_owned()
}
