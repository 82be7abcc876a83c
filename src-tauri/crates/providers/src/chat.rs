// SPDX-License-Identifier: Apache-2.0
//! OpenAI-compatible chat completions.

mod answer;
mod calls;
mod dialect;
mod hosts;
mod native;
mod request;
mod usage;
mod wire;

pub(crate) use answer::ChatAnswer;

use crate::answer::{Answer, Asked};
use crate::endpoint::listing;
use crate::protocol::{Page, Post, Protocol};
use bailey_net::endpoint_url;
use bailey_ports::Secret;
use bailey_protocol::model::Request;
use dialect::Dialect;
use reqwest::header::{AUTHORIZATION, HeaderName, HeaderValue, InvalidHeaderValue};
use url::Url;

/// The protocol at one endpoint.
#[derive(Debug)]
pub(crate) struct Chat {
    dialect: Dialect,
}

impl Chat {
    pub(crate) fn at(base: &Url) -> Self {
        Self { dialect: Dialect::of(base) }
    }
}

impl Protocol for Chat {
    fn post(&self, base: &Url, request: &Request, asked: &Asked) -> Post {
        let manner = self.dialect.manner(request);
        let (body, left_out) = request::body(request, &asked.names, &manner);
        Post { url: endpoint_url(base, "chat/completions"), body, left_out }
    }

    fn authorization(&self, key: &Secret) -> Result<Vec<(HeaderName, HeaderValue)>, InvalidHeaderValue> {
        Ok(vec![(AUTHORIZATION, HeaderValue::try_from(format!("Bearer {}", key.expose()))?)])
    }

    fn answer(&self, asked: Asked) -> Answer {
        Answer::Chat(ChatAnswer::new(asked))
    }

    fn learn(&self, sent: &[u8], refusal: &str) -> bool {
        self.dialect.learn(sent, refusal)
    }

    fn list(&self, base: &Url, page: Option<&str>) -> Url {
        let mut url = endpoint_url(base, "models");
        if let Some(last) = page {
            // OpenAI's word for it, and Anthropic's.
            url.query_pairs_mut().append_pair("after", last).append_pair("after_id", last);
        }
        url
    }

    fn listed(&self, body: &str) -> Option<Page> {
        listing::page_of_openai(body)
    }
}
