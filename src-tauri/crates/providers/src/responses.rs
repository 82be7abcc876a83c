// SPDX-License-Identifier: Apache-2.0
//! OpenAI's Responses, as OpenAI, Azure, xAI, GitHub and gateways speak it. Bailey keeps the conversation itself: nothing is
//! stored at the provider, and what it thought comes back encrypted and goes there again with the next request.

mod answer;
mod counts;
mod dialect;
mod history;
mod request;
mod wire;

pub(crate) use answer::ResponsesAnswer;

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
pub(crate) struct Responses {
    dialect: Dialect,
}

impl Responses {
    pub(crate) fn at(base: &Url) -> Self {
        Self { dialect: Dialect::of(base) }
    }
}

impl Protocol for Responses {
    fn post(&self, base: &Url, request: &Request, asked: &Asked) -> Post {
        let traits = self.dialect.traits(&request.model, request.effort, request.max_output);
        let takes_back = |native: &_| self.dialect.takes_back(native);
        let (body, left_out) = request::body(request, &asked.names, &traits, &takes_back);
        Post { url: endpoint_url(base, "responses"), body, left_out }
    }

    fn authorization(&self, key: &Secret) -> Result<Vec<(HeaderName, HeaderValue)>, InvalidHeaderValue> {
        // Azure's own keys have a header of their own; what signs in a person (a JWT) is a bearer's there, too.
        if self.dialect.is_azure() && !key.expose().starts_with("eyJ") {
            return Ok(vec![(HeaderName::from_static("api-key"), HeaderValue::try_from(key.expose())?)]);
        }
        Ok(vec![(AUTHORIZATION, HeaderValue::try_from(format!("Bearer {}", key.expose()))?)])
    }

    fn answer(&self, asked: Asked) -> Answer {
        Answer::Responses(ResponsesAnswer::new(asked))
    }

    fn learn(&self, sent: &[u8], refusal: &str) -> bool {
        self.dialect.learn(sent, refusal)
    }

    fn list(&self, base: &Url, page: Option<&str>) -> Url {
        let mut url = endpoint_url(base, "models");
        if let Some(last) = page {
            url.query_pairs_mut().append_pair("after", last);
        }
        url
    }

    fn listed(&self, body: &str) -> Option<Page> {
        listing::page_of_openai(body)
    }
}

/// Where a print of some bytes begins.
const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

/// A print of bytes (FNV-1a), the same on every machine and in every version; goes on from an earlier one.
fn fnv(start: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(start, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3))
}
