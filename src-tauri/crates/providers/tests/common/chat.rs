// SPDX-License-Identifier: Apache-2.0
//! An endpoint that speaks OpenAI-compatible chat, and what comes of asking it.

use bailey_net::{Clients, normalize_base_url};
use bailey_ports::{Model, ModelError, Redactor, Secret};
use bailey_protocol::RunErrorKind as Kind;
use bailey_protocol::model::{Reply, Request, Turn};
use bailey_protocol::{ProviderId, ProviderKind};
use bailey_providers::{Endpoint, Patience};
use futures::StreamExt;
use std::time::Duration;

pub(crate) const KEY: &str = "sk-canary-8c1f";

pub(crate) fn patience() -> Patience {
    Patience { backoff: Duration::from_millis(2), grace: Duration::from_millis(30), ..Patience::default() }
}

pub(crate) fn chat_of(provider: &str, base: &str, key: &str) -> Endpoint {
    let base = normalize_base_url(base).unwrap();
    let client = Clients::new().endpoint(&base).unwrap();
    let (provider, key) = (ProviderId::from(provider), Some(Secret::new(key)));
    let endpoint = Endpoint::new(ProviderKind::OpenaiChat, client, base, provider, key, Redactor::new()).unwrap();
    endpoint.with_patience(patience())
}

pub(crate) fn chat_at(base: &str) -> Endpoint {
    chat_of("p", base, KEY)
}

pub(crate) fn ask(text: &str) -> Request {
    Request { model: "scripted".into(), messages: vec![Turn::user(text)], ..Request::default() }
}

pub(crate) async fn replies(chat: &Endpoint, request: Request) -> Vec<Result<Reply, ModelError>> {
    chat.reply(request).collect().await
}

/// The error that is all there is, after the attempts that were made anew.
pub(crate) async fn failure(chat: &Endpoint) -> ModelError {
    let mut all = replies(chat, ask("hi")).await;
    let error = all.pop().unwrap().unwrap_err();
    assert!(all.iter().all(|reply| matches!(reply, Ok(Reply::Retry { .. }))), "{all:?}");
    error
}

/// Why attempts were made anew.
pub(crate) fn retries(replies: &[Result<Reply, ModelError>]) -> Vec<Kind> {
    let kinds = replies.iter().filter_map(|reply| match reply {
        Ok(Reply::Retry { kind, .. }) => Some(*kind),
        _ => None,
    });
    kinds.collect()
}

pub(crate) fn text(replies: &[Result<Reply, ModelError>]) -> String {
    let texts = replies.iter().filter_map(|reply| match reply {
        Ok(Reply::Text { text }) => Some(text.as_str()),
        _ => None,
    });
    texts.collect()
}
