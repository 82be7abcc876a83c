// SPDX-License-Identifier: Apache-2.0
use super::{Failed, Inner, MAX_ERROR_BODY, MOST_CHANGES, Opened, passes, refusal};
use crate::answer::{Asked, Decoder};
use crate::failure;
use bailey_ports::ModelError;
use bailey_protocol::RunErrorKind;
use bailey_protocol::model::{Reply, Request};
use bytes::Bytes;
use futures::{FutureExt, stream};
use reqwest::header::HeaderMap;
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A request and its answer, through all attempts.
///
/// An attempt that fails in a way that may pass is made again after a wait, within [`super::Patience`]; what it said is
/// void then, and [`Reply::Retry`] says so. One that is refused for a reason to learn from is made anew at once. Once
/// [`Reply::Finish`] was said, nothing is tried again: tools may be running. Dropping it ends everything.
pub(super) struct Exchange {
    inner: Arc<Inner>,
    request: Request,
    origin: String,
    headers: Option<HeaderMap>,
    state: State,
    ready: VecDeque<Result<Reply, ModelError>>,
    tries: u32,
    waited: Duration,
    changes: u32,
    told_left_out: HashSet<String>,
}

enum State {
    /// An attempt follows after this wait.
    Waiting(Duration),
    Reading(Box<Reading>),
    Over,
}

struct Reading {
    decoder: Decoder,
    response: reqwest::Response,
    /// The request's body, while nothing was said: an error then may be a refusal to learn from.
    sent: Option<Bytes>,
    /// How long bytes were waited for since something was said, or since the reason to stop.
    waited: Duration,
}

impl Exchange {
    pub(super) fn new(inner: Arc<Inner>, request: Request, origin: String) -> Self {
        Self {
            inner,
            request,
            origin,
            headers: None,
            state: State::Waiting(Duration::ZERO),
            ready: VecDeque::new(),
            tries: 0,
            waited: Duration::ZERO,
            changes: 0,
            told_left_out: HashSet::new(),
        }
    }

    pub(super) fn replies(self) -> impl stream::Stream<Item = Result<Reply, ModelError>> + Send {
        // It moves with every reply.
        stream::unfold(Box::new(self), |mut exchange| async move {
            while exchange.ready.is_empty() {
                exchange.go_on().await?;
            }
            exchange.ready.pop_front().map(|reply| (reply, exchange))
        })
    }

    /// One step; `None` when all was said.
    async fn go_on(&mut self) -> Option<()> {
        match std::mem::replace(&mut self.state, State::Over) {
            State::Over => return None,
            State::Waiting(wait) => {
                if !wait.is_zero() {
                    tokio::time::sleep(wait).await;
                }
                match self.open().await {
                    Ok((decoder, opened, sent)) => self.began(decoder, opened, sent),
                    Err(failed) => self.failed(failed.error, failed.may_pass),
                }
            }
            State::Reading(reading) => self.read(reading).await,
        }
        Some(())
    }

    /// Sends the request, changed where a refusal taught something, until an answer begins.
    async fn open(&mut self) -> Result<(Decoder, Opened, Bytes), Failed> {
        let inner = self.inner.clone();
        loop {
            let headers = match &self.headers {
                Some(headers) => headers.clone(),
                None => {
                    let made = inner.headers().map_err(|error| Failed::bare(error, false))?;
                    self.headers.insert(made).clone()
                }
            };
            let asked = Asked::of(&self.request, tag(), self.origin.clone());
            let post = inner.protocol.post(&inner.base, &self.request, &asked);
            for (tool, reason) in post.left_out {
                if self.told_left_out.insert(tool.clone()) {
                    let reason = inner.redactor.clean(&reason).into_owned();
                    self.ready.push_back(Ok(Reply::LeftOut { tool, reason }));
                }
            }
            let decoder = Decoder::reading(inner.protocol.answer(asked));
            let sent = Bytes::from(post.body);
            match inner.attempt(headers.clone(), post.url, sent.clone(), &self.request.model).await {
                Ok(opened) => return Ok((decoder, opened, sent)),
                Err(failed)
                    if failed.is_refusal() && self.learns(&sent, failed.status, &failed.error, &failed.body) => {}
                Err(failed) if failed.is_of_key() && self.learns_key(&headers) => {}
                Err(failed) => return Err(failed),
            }
        }
    }

    /// Whether the refusal of what was sent changes what is sent next: something is learnt from it, or another request
    /// learnt it meanwhile.
    fn learns(&mut self, sent: &[u8], status: Option<u16>, error: &ModelError, said: &str) -> bool {
        if self.changes >= MOST_CHANGES || !refusal::teaches(error.kind) {
            return false;
        }
        let said = refusal::words(said);
        let is_fault = status.is_some_and(|status| status >= 500);
        let learnt = (!is_fault || refusal::names_a_field(sent, &said))
            && self.inner.protocol.learn_of(&self.request.model, sent, &said);
        let changes = learnt || self.would_send() != sent;
        self.changes += u32::from(changes);
        changes
    }

    /// The body of another try.
    fn would_send(&self) -> Vec<u8> {
        let asked = Asked::of(&self.request, tag(), self.origin.clone());
        self.inner.protocol.post(&self.inner.base, &self.request, &asked).body
    }

    /// Whether the refusal of the key changes how it is carried.
    fn learns_key(&mut self, sent: &HeaderMap) -> bool {
        let learnt = self.inner.protocol.learn_key(sent);
        if learnt {
            self.headers = None;
        }
        learnt
    }

    fn began(&mut self, decoder: Decoder, opened: Opened, sent: Bytes) {
        let reading =
            Box::new(Reading { decoder, response: opened.response, sent: Some(sent), waited: Duration::ZERO });
        match opened.first {
            Some(first) => self.take(reading, &first),
            None => self.ended(reading),
        }
    }

    /// Waits for bytes and decodes them.
    async fn read(&mut self, mut reading: Box<Reading>) {
        let patience = self.inner.patience;
        let finished = reading.decoder.has_finish();
        let most = if finished { patience.grace } else { patience.most_silence };
        let left = most.saturating_sub(reading.waited);
        let wait = if finished { left } else { left.min(patience.silence) };
        let begun = Instant::now();
        let came = tokio::time::timeout(wait, reading.response.chunk()).await;
        let waited = begun.elapsed();
        reading.waited += waited;
        match came {
            _ if left.is_zero() && finished => self.ended(reading),
            Err(_) if !finished => self.failed(failure::silent(waited), false),
            _ if left.is_zero() => self.failed(failure::silent(reading.waited), false),
            Ok(Ok(Some(bytes))) => self.take(reading, &bytes),
            // A connection that breaks has ended; the decoder knows whether the answer is whole.
            Ok(Ok(None) | Err(_)) | Err(_) => self.ended(reading),
        }
    }

    fn ended(&mut self, mut reading: Box<Reading>) {
        let rest = reading.decoder.end();
        self.heard(rest, reading.sent);
    }

    fn take(&mut self, mut reading: Box<Reading>, bytes: &[u8]) {
        let finished = reading.decoder.has_finish();
        let replies = reading.decoder.push(bytes);
        if finished != reading.decoder.has_finish() || !finished && !replies.is_empty() {
            reading.waited = Duration::ZERO;
        }
        let sent = if replies.is_empty() { reading.sent.clone() } else { reading.sent.take() };
        if reading.decoder.is_over() {
            drain(reading.response, self.inner.patience.grace);
        } else {
            self.state = State::Reading(reading);
        }
        self.heard(replies, sent);
    }

    /// Passes on what was said. `sent` is there when nothing was said before.
    fn heard(&mut self, replies: Vec<Result<Reply, ModelError>>, mut sent: Option<Bytes>) {
        for reply in replies {
            match reply {
                Ok(Reply::Finish { finish }) => {
                    self.ready.push_back(Ok(Reply::Finish { finish }));
                    self.state = State::Over;
                    return;
                }
                Ok(reply) => {
                    sent = None;
                    self.ready.push_back(Ok(reply));
                }
                Err(error) => {
                    let refusal = sent.filter(|_| error.kind == RunErrorKind::Invalid).zip(error.details.clone());
                    if refusal.is_some_and(|(sent, said)| self.learns(&sent, None, &error, &said)) {
                        self.state = State::Waiting(Duration::ZERO);
                        return;
                    }
                    let may_pass = passes(error.kind) || error.kind == RunErrorKind::Interrupted;
                    return self.failed(error, may_pass);
                }
            }
        }
    }

    /// An attempt failed: another one follows, or that is the end.
    fn failed(&mut self, error: ModelError, may_pass: bool) {
        self.state = State::Over;
        let patience = self.inner.patience;
        let wait = match error.retry_after {
            // "At once" is meant for one client, not for all that were told so.
            Some(asked) => asked.max(jittered(patience.backoff)),
            None => jittered(patience.backoff.saturating_mul(1 << self.tries.min(16))),
        };
        let too_long = wait > patience.longest_wait || self.waited.saturating_add(wait) > patience.most_waiting;
        if !may_pass || self.tries >= patience.more_tries || too_long {
            self.ready.push_back(Err(error));
            return;
        }
        tracing::debug!(kind = ?error.kind, ?wait, "trying again");
        self.tries += 1;
        self.waited += wait;
        let wait_ms = u32::try_from(wait.as_millis()).unwrap_or(u32::MAX);
        self.ready.push_back(Ok(Reply::Retry { kind: error.kind, wait_ms }));
        // Zero would be the first attempt's.
        self.state = State::Waiting(wait.max(Duration::from_millis(1)));
    }
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
