// SPDX-License-Identifier: Apache-2.0
//! Anthropic's Messages, at Anthropic and at the many that speak it, too.

mod answer;
mod block;
mod dialect;
mod history;
mod model;
mod native;
mod request;
mod schema;
mod usage;
mod wire;

pub(crate) use answer::MessagesAnswer;

use crate::answer::{Answer, Asked};
use crate::endpoint::listing;
use crate::protocol::{Page, Post, Protocol};
use bailey_net::endpoint_url;
use bailey_ports::Secret;
use bailey_protocol::ModelFacts;
use bailey_protocol::model::Request;
use dialect::Dialect;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue, InvalidHeaderValue};
use serde_json::Value;
use url::Url;

/// The version of the protocol: the one that everybody speaks.
const VERSION: &str = "2023-06-01";
/// Tokens of an account, in place of a key, begin like this and need a word of their own.
const ACCOUNT_TOKEN: &str = "sk-ant-oat";
const ACCOUNT_TOKENS: &str = "oauth-2025-04-20";
/// Models a page.
const PAGE: &str = "100";

/// The protocol at one endpoint.
#[derive(Debug)]
pub(crate) struct Messages {
    dialect: Dialect,
}

impl Messages {
    pub(crate) fn at(base: &Url) -> Self {
        Self { dialect: Dialect::of(base) }
    }
}

/// Resources hang below `/v1`, which is part of the base or not.
fn resource(base: &Url, name: &str) -> Url {
    let last = base.path().trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let version = last.strip_prefix(['v', 'V']).unwrap_or_default();
    if version.starts_with(|c: char| c.is_ascii_digit()) {
        endpoint_url(base, name)
    } else {
        endpoint_url(base, &format!("v1/{name}"))
    }
}

impl Protocol for Messages {
    fn post(&self, base: &Url, request: &Request, asked: &Asked) -> Post {
        let (body, left_out) = request::body(request, &asked.names, &self.dialect);
        Post { url: resource(base, "messages"), body, left_out }
    }

    fn headers(&self) -> Vec<(HeaderName, HeaderValue)> {
        vec![(HeaderName::from_static("anthropic-version"), HeaderValue::from_static(VERSION))]
    }

    fn authorization(&self, key: &Secret) -> Result<Vec<(HeaderName, HeaderValue)>, InvalidHeaderValue> {
        let account = key.expose().starts_with(ACCOUNT_TOKEN);
        if !account && !self.dialect.carries_bearer() {
            return Ok(vec![(HeaderName::from_static("x-api-key"), HeaderValue::try_from(key.expose())?)]);
        }
        // Never both: one of them would be looked at, and it is not said which.
        let mut headers = vec![(AUTHORIZATION, HeaderValue::try_from(format!("Bearer {}", key.expose()))?)];
        if account {
            headers.push((HeaderName::from_static("anthropic-beta"), HeaderValue::from_static(ACCOUNT_TOKENS)));
        }
        Ok(headers)
    }

    fn answer(&self, asked: Asked) -> Answer {
        Answer::Anthropic(MessagesAnswer::new(asked))
    }

    fn learn(&self, sent: &[u8], refusal: &str) -> bool {
        self.dialect.learn(sent, refusal)
    }

    fn learn_key(&self, sent: &HeaderMap) -> bool {
        self.dialect.learn_key(sent)
    }

    fn list(&self, base: &Url, page: Option<&str>) -> Url {
        let mut url = resource(base, "models");
        url.query_pairs_mut().append_pair("limit", PAGE);
        if let Some(page) = page {
            url.query_pairs_mut().append_pair("after_id", page);
        }
        url
    }

    fn listed(&self, body: &str) -> Option<Page> {
        let mut page = listing::page_of_openai(body)?;
        let value: Value = serde_json::from_str(body).ok()?;
        let entries = value.get("data").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        for model in &mut page.models {
            let entry = entries.iter().find(|entry| entry.get("id").and_then(Value::as_str) == Some(&model.model));
            if let Some(entry) = entry {
                model.facts = facts(entry).or(model.facts);
            }
        }
        Some(page)
    }
}

/// What an entry of the list says about its model.
fn facts(entry: &Value) -> ModelFacts {
    let number = |key: &str| entry.get(key)?.as_u64().and_then(|number| u32::try_from(number).ok()).filter(|n| *n > 0);
    let can = |capability: &str| entry.get("capabilities")?.get(capability)?.get("supported")?.as_bool();
    ModelFacts {
        window: number("max_input_tokens"),
        max_output: number("max_tokens"),
        pictures: can("image_input"),
        thinks: can("thinking"),
        ..ModelFacts::default()
    }
}

#[cfg(test)]
mod tests;
