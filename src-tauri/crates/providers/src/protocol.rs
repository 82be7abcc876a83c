// SPDX-License-Identifier: Apache-2.0
//! What the protocols have in common: a request becomes a body, a key becomes headers, a list of models is read page by
//! page. Everything here is without IO.

use crate::answer::{Answer, Asked};
use crate::{anthropic, chat, gemini, responses};
use bailey_ports::Secret;
use bailey_protocol::model::Request;
use bailey_protocol::{ModelFacts, ProviderKind};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue, InvalidHeaderValue};
use std::fmt::Debug;
use std::sync::Arc;
use url::Url;

/// One protocol at one endpoint, with what was learnt about it. Clones of an endpoint learn together.
pub(crate) trait Protocol: Debug + Send + Sync {
    /// The request as it is sent. Natives of other origins are gone from it already.
    fn post(&self, base: &Url, request: &Request, asked: &Asked) -> Post;

    /// The headers that carry the key, or none when the key goes elsewhere.
    fn authorization(&self, key: &Secret) -> Result<Vec<(HeaderName, HeaderValue)>, InvalidHeaderValue>;

    /// Headers that every request has, the list of models included.
    fn headers(&self) -> Vec<(HeaderName, HeaderValue)> {
        Vec::new()
    }

    /// What reads the answer.
    fn answer(&self, asked: Asked) -> Answer;

    /// Learns from a refusal (HTTP 400 or 422), given what was sent; whether another try would be a different one.
    fn learn(&self, sent: &[u8], refusal: &str) -> bool;

    /// The same, for a protocol whose requests do not name the model in what is sent.
    fn learn_of(&self, _model: &str, sent: &[u8], refusal: &str) -> bool {
        self.learn(sent, refusal)
    }

    /// Learns from a key that was not accepted (HTTP 401 or 403), given the headers that were sent; whether it would be
    /// carried another way.
    fn learn_key(&self, _sent: &HeaderMap) -> bool {
        false
    }

    /// Where the list of models is, or its next page.
    fn list(&self, base: &Url, page: Option<&str>) -> Url;

    /// Reads a page of the list; `None` when it is none.
    fn listed(&self, body: &str) -> Option<Page>;
}

/// A request as it is sent.
#[derive(Debug)]
pub(crate) struct Post {
    /// Where to.
    pub(crate) url: Url,
    /// JSON.
    pub(crate) body: Vec<u8>,
    /// Tools that could not be put into this protocol, each with the reason.
    pub(crate) left_out: Vec<(String, String)>,
}

/// A page of a list of models.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Page {
    /// In the endpoint's order.
    pub(crate) models: Vec<Listed>,
    /// What asks for the next page.
    pub(crate) next: Option<String>,
}

/// A model as an endpoint lists it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Listed {
    /// Its name in requests.
    pub model: String,
    /// Its name for people.
    pub title: Option<String>,
    /// What the endpoint says about it.
    pub facts: ModelFacts,
}

/// The protocol of this kind at this base URL; `None` for the demo, which speaks none.
pub(crate) fn of(kind: ProviderKind, base: &Url) -> Option<Arc<dyn Protocol>> {
    Some(match kind {
        ProviderKind::Demo => return None,
        ProviderKind::OpenaiChat => Arc::new(chat::Chat::at(base)),
        ProviderKind::OpenaiResponses => Arc::new(responses::Responses::at(base)),
        ProviderKind::Anthropic => Arc::new(anthropic::Messages::at(base)),
        ProviderKind::Gemini => Arc::new(gemini::Gemini::at(base)),
    })
}

/// What a request is sent as at this base URL, by an endpoint that has learnt nothing yet: where to, and JSON. `None` for
/// the demo. [`crate::Endpoint`] does this by itself.
pub fn sent(kind: ProviderKind, base: &Url, request: &Request) -> Option<(Url, Vec<u8>)> {
    let post = of(kind, base)?.post(base, request, &Asked::of(request, "asked", ""));
    Some((post.url, post.body))
}
