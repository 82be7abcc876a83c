// SPDX-License-Identifier: Apache-2.0
//! OpenAI-compatible chat completions, streamed.

mod calls;
mod decode;
mod dialect;
mod error;
mod models;
mod request;
mod wire;

pub use decode::{Decoded, Decoder};
pub use dialect::Dialect;
pub(crate) use models::names;

use bailey_net::endpoint_url;
use bailey_ports::{Model, ModelError, Redactor, ReplyStream, Secret};
use bailey_protocol::RunErrorKind;
use bailey_protocol::model::{Reply, Request, Turn};
use bytes::Bytes;
use error::Place;
use futures::{FutureExt, StreamExt, stream};
use request::Body;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use url::Url;

/// Times a request waits.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Without a byte for so long, a request has failed.
    pub silence: Duration,
    /// How often a request is tried again before anything came.
    pub more_tries: u32,
    /// At most this long before the first more try; twice that before the second, and so on.
    pub backoff: Duration,
    /// A longer wait that the provider asks for is left to the person.
    pub longest_wait: Duration,
    /// After the model's reason to stop, for what else comes.
    pub grace: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            silence: Duration::from_secs(120),
            more_tries: 2,
            backoff: Duration::from_millis(500),
            longest_wait: Duration::from_secs(20),
            grace: Duration::from_secs(2),
        }
    }
}

/// An error's body is read up to this many bytes.
const MAX_ERROR_BODY: usize = 64 << 10;
/// A list of models likewise.
const MAX_LIST: usize = 4 << 20;

/// A model behind an OpenAI-compatible endpoint. Cheap to clone.
#[derive(Clone, Debug)]
pub struct OpenAiChat(Arc<Endpoint>);

#[derive(Clone, Debug)]
struct Endpoint {
    client: reqwest::Client,
    base: Url,
    key: Option<Secret>,
    redactor: Redactor,
    dialect: Dialect,
    patience: Patience,
}

impl OpenAiChat {
    /// `client` comes from [`bailey_net::Clients::endpoint`] for this very `base`. The key is taught to the redactor, and
    /// everything an error says goes through it.
    pub fn new(client: reqwest::Client, base: Url, key: Option<Secret>, redactor: Redactor) -> Self {
        let key = key.filter(|key| !key.is_empty());
        if let Some(key) = &key {
            redactor.learn(key);
        }
        let dialect = Dialect::of(&base);
        Self(Arc::new(Endpoint { client, base, key, redactor, dialect, patience: Patience::default() }))
    }

    /// The same with other waits.
    #[must_use]
    pub fn with_patience(self, patience: Patience) -> Self {
        let mut endpoint = Arc::unwrap_or_clone(self.0);
        endpoint.patience = patience;
        Self(Arc::new(endpoint))
    }
}

impl Model for OpenAiChat {
    fn reply(&self, request: Request) -> ReplyStream {
        let endpoint = self.0.clone();
        let redactor = self.0.redactor.clone();
        let replies = async move {
            match endpoint.open(&request).await {
                Ok(opened) => Reading::new(endpoint, &request, opened).replies().left_stream(),
                Err(error) => stream::once(async { Err(error) }).right_stream(),
            }
        };
        let clean = move |mut error: ModelError| {
            error.message = redactor.clean(&error.message).into_owned();
            error
        };
        replies.flatten_stream().map(move |reply| reply.map_err(&clean)).boxed()
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
}

impl Failed {
    fn may_pass(&self) -> bool {
        match self.status {
            Some(status) => {
                matches!(status, 408 | 429 | 500..)
                    && matches!(self.error.kind, RunErrorKind::Rate | RunErrorKind::Server | RunErrorKind::Timeout)
            }
            None => self.error.kind == RunErrorKind::Network,
        }
    }
}

impl Endpoint {
    fn authorization(&self) -> Result<Option<HeaderValue>, ModelError> {
        let Some(key) = &self.key else { return Ok(None) };
        let mut value = HeaderValue::try_from(format!("Bearer {}", key.expose())).map_err(|_| {
            let message = "The key holds characters that no key has. Copy it again, without line breaks, and enter it in the model settings.";
            ModelError::new(RunErrorKind::Auth, message)
        })?;
        value.set_sensitive(true);
        Ok(Some(value))
    }

    fn place<'a>(&'a self, model: &'a str) -> Place<'a> {
        Place { base: &self.base, model, has_key: self.key.is_some() }
    }

    /// Sends the request, again where that may help, until an answer begins.
    async fn open(&self, request: &Request) -> Result<Opened, ModelError> {
        let authorization = self.authorization()?;
        let mut tries = 0;
        let mut changes = 0;
        loop {
            let usage = self.dialect.asks_usage();
            let reasoning = self.dialect.returns_reasoning(&request.model);
            let body = Body { request, usage, reasoning }.to_json();
            let failed = match self.attempt(authorization.clone(), body, &request.model).await {
                Ok(opened) => return Ok(opened),
                Err(failed) => failed,
            };
            // Each of the two fields may be wrong once.
            if changes < 2
                && matches!(failed.status, Some(400 | 422))
                && self.dialect.learn(usage, reasoning, &failed.body)
            {
                changes += 1;
                continue;
            }
            let wait = failed.error.retry_after.unwrap_or_else(|| jittered(self.patience.backoff * 2_u32.pow(tries)));
            if tries == self.patience.more_tries || !failed.may_pass() || wait > self.patience.longest_wait {
                return Err(failed.error);
            }
            tracing::debug!(kind = ?failed.error.kind, ?wait, "trying again");
            tries += 1;
            tokio::time::sleep(wait).await;
        }
    }

    async fn attempt(&self, authorization: Option<HeaderValue>, body: Vec<u8>, model: &str) -> Result<Opened, Failed> {
        let bare = |error| Failed { error, status: None, body: String::new() };
        let mut post =
            self.client.post(endpoint_url(&self.base, "chat/completions")).header(CONTENT_TYPE, "application/json");
        if let Some(authorization) = authorization {
            post = post.header(AUTHORIZATION, authorization);
        }
        let silence = self.patience.silence;
        let mut response = match tokio::time::timeout(silence, post.body(body).send()).await {
            Err(_) => return Err(bare(error::silent(silence))),
            Ok(Err(problem)) => return Err(bare(error::unreachable(&self.base, &problem))),
            Ok(Ok(response)) => response,
        };
        let status = response.status();
        if !status.is_success() {
            let retry_after = error::retry_after(response.headers(), SystemTime::now());
            let body = read_some(&mut response, MAX_ERROR_BODY, silence.min(Duration::from_secs(10))).await;
            let error = error::refused(&self.place(model), status.as_u16(), &body, retry_after);
            return Err(Failed { error, status: Some(status.as_u16()), body });
        }
        match tokio::time::timeout(silence, response.chunk()).await {
            Err(_) => Err(bare(error::silent(silence))),
            Ok(Err(problem)) => Err(bare(error::unreachable(&self.base, &problem))),
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

/// Between half of it and all of it, so that many clients do not come back at once.
fn jittered(wait: Duration) -> Duration {
    let share = f64::from(getrandom::u32().unwrap_or(u32::MAX)) / f64::from(u32::MAX);
    wait.mul_f64(0.5 + share / 2.0)
}

/// Seven letters and digits, new each time: with two digits behind, an id that even the strictest server takes.
fn tag() -> String {
    const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let mut random = getrandom::u64().unwrap_or_default();
    let mut tag = String::with_capacity(7);
    for _ in 0..7 {
        tag.push(char::from(ALPHABET[(random % 32) as usize]));
        random /= 32;
    }
    tag
}

/// An answer being read.
struct Reading {
    endpoint: Arc<Endpoint>,
    decoder: Decoder,
    response: Option<reqwest::Response>,
    ready: VecDeque<Result<Reply, ModelError>>,
}

impl Reading {
    fn new(endpoint: Arc<Endpoint>, request: &Request, opened: Opened) -> Self {
        let used: HashSet<String> = request
            .messages
            .iter()
            .filter_map(|turn| match turn {
                Turn::Assistant { calls, .. } => Some(calls.iter().map(|call| call.id.clone())),
                _ => None,
            })
            .flatten()
            .collect();
        let mut reading = Self {
            endpoint,
            decoder: Decoder::new(tag(), used),
            response: Some(opened.response),
            ready: VecDeque::new(),
        };
        match opened.first {
            Some(first) => reading.take(&first),
            None => reading.end(),
        }
        reading
    }

    fn replies(self) -> impl stream::Stream<Item = Result<Reply, ModelError>> + Send {
        stream::unfold(self, |mut reading| async move {
            while reading.ready.is_empty() {
                reading.read().await?;
            }
            reading.ready.pop_front().map(|reply| (reply, reading))
        })
    }

    /// Waits for bytes and decodes them; `None` when all was said.
    async fn read(&mut self) -> Option<()> {
        let response = self.response.as_mut()?;
        let patience = self.endpoint.patience;
        let finished = self.decoder.has_finish();
        let wait = if finished { patience.grace } else { patience.silence };
        match tokio::time::timeout(wait, response.chunk()).await {
            Ok(Ok(Some(bytes))) => self.take(&bytes),
            // A connection that breaks has ended; the decoder knows whether the answer is whole.
            Ok(Ok(None) | Err(_)) => self.end(),
            Err(_) if finished => self.end(),
            Err(_) => {
                self.response = None;
                self.ready.push_back(Err(error::silent(wait)));
            }
        }
        Some(())
    }

    fn take(&mut self, bytes: &[u8]) {
        self.ready.extend(self.decoder.push(bytes));
        if self.decoder.spoke_reasoning_content() {
            self.endpoint.dialect.heard_reasoning_content();
        }
        if self.decoder.is_over()
            && let Some(response) = self.response.take()
        {
            drain(response, self.endpoint.patience.grace);
        }
    }

    fn end(&mut self) {
        self.response = None;
        self.ready.extend(self.decoder.end());
    }
}

/// Reads what is left after the last event, so that the connection can be used again. The answer does not wait for it.
fn drain(mut response: reqwest::Response, time: Duration) {
    let mut rest = Box::pin(async move {
        let mut left = MAX_ERROR_BODY;
        while let Ok(Some(piece)) = response.chunk().await {
            left = left.saturating_sub(piece.len());
            if left == 0 {
                break;
            }
        }
    });
    // Most often the end came with the last event.
    if rest.as_mut().now_or_never().is_none() {
        tokio::spawn(tokio::time::timeout(time, rest));
    }
}
