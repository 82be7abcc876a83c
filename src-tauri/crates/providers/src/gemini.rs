// SPDX-License-Identifier: Apache-2.0
//! Google's Gemini API (`generateContent`).

mod answer;
mod arguments;
mod calls;
mod dialect;
mod history;
mod native;
mod request;
mod schema;
mod thinking;
mod wire;

pub(crate) use answer::GeminiAnswer;

use crate::answer::{Answer, Asked};
use crate::endpoint::listing;
use crate::protocol::{Listed, Page, Post, Protocol};
use bailey_net::endpoint_url;
use bailey_ports::Secret;
use bailey_protocol::ModelFacts;
use bailey_protocol::model::Request;
use dialect::Dialect;
use reqwest::header::{HeaderName, HeaderValue, InvalidHeaderValue};
use serde_json::Value;
use url::Url;

/// The protocol at one endpoint.
#[derive(Debug, Default)]
pub(crate) struct Gemini {
    dialect: Dialect,
}

impl Gemini {
    pub(crate) fn at(_base: &Url) -> Self {
        Self::default()
    }
}

impl Protocol for Gemini {
    fn post(&self, base: &Url, request: &Request, asked: &Asked) -> Post {
        let (body, left_out) = request::body(request, &asked.names, &self.dialect.of(&request.model));
        Post { url: model_url(base, &request.model), body, left_out }
    }

    fn authorization(&self, key: &Secret) -> Result<Vec<(HeaderName, HeaderValue)>, InvalidHeaderValue> {
        Ok(vec![(HeaderName::from_static("x-goog-api-key"), HeaderValue::try_from(key.expose())?)])
    }

    fn answer(&self, asked: Asked) -> Answer {
        Answer::Gemini(GeminiAnswer::new(asked))
    }

    fn learn(&self, sent: &[u8], refusal: &str) -> bool {
        self.dialect.learn("", sent, refusal)
    }

    fn learn_of(&self, model: &str, sent: &[u8], refusal: &str) -> bool {
        self.dialect.learn(model, sent, refusal)
    }

    fn list(&self, base: &Url, page: Option<&str>) -> Url {
        let mut url = endpoint_url(&versioned(base), "models");
        let mut query = url.query_pairs_mut();
        query.append_pair("pageSize", "1000");
        if let Some(page) = page {
            query.append_pair("pageToken", page);
        }
        drop(query);
        url
    }

    fn listed(&self, body: &str) -> Option<Page> {
        listed(body)
    }
}

/// The base with the API's version. What was entered may have none, the `v1` of other APIs, or Google's way to speak
/// OpenAI's protocol; a version in the middle of the path is somebody else's arrangement.
fn versioned(base: &Url) -> Url {
    let is_version =
        |segment: &str| segment.strip_prefix('v').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let path = base.path().trim_end_matches('/');
    let path = path.strip_suffix("/openai").unwrap_or(path);
    let path = match path.rsplit_once('/') {
        Some((before, "v1")) => format!("{before}/v1beta"),
        _ if path.split('/').any(is_version) => path.to_owned(),
        _ => format!("{path}/v1beta"),
    };
    let mut url = base.clone();
    url.set_path(&path);
    url
}

/// Where a model answers. Its name is one segment of the path, whatever it holds.
fn model_url(base: &Url, model: &str) -> Url {
    let (list, name) = match model.split_once('/') {
        Some((list @ ("models" | "tunedModels"), name)) => (list, name),
        _ => ("models", model),
    };
    let mut url = endpoint_url(&versioned(base), list);
    if let Ok(mut path) = url.path_segments_mut() {
        path.push(&format!("{name}:streamGenerateContent"));
    }
    url.set_query(Some("alt=sse"));
    url
}

/// A page of the models that generate content; a gateway may keep its list as OpenAI does.
fn listed(body: &str) -> Option<Page> {
    let value: Value = serde_json::from_str(body).ok()?;
    let next = value.get("nextPageToken").and_then(Value::as_str).filter(|token| !token.is_empty()).map(str::to_owned);
    let list = match value.get("models") {
        Some(Value::Array(list)) => list.as_slice(),
        // Google's own empty page.
        None if value.as_object().is_some_and(|page| page.keys().all(|key| key == "nextPageToken")) => &[],
        _ => return Some(Page { models: listing::of_openai(body)?, next: None }),
    };
    let models = list.iter().filter_map(|entry| {
        let name = entry.get("name")?.as_str()?;
        if let Some(Value::Array(methods)) = entry.get("supportedGenerationMethods")
            && !methods.iter().any(|method| method == "generateContent")
        {
            return None;
        }
        let tokens = |key: &str| entry.get(key)?.as_u64().and_then(|n| u32::try_from(n).ok()).filter(|n| *n > 0);
        Some(Listed {
            model: name.strip_prefix("models/").unwrap_or(name).to_owned(),
            title: entry.get("displayName").and_then(Value::as_str).filter(|t| !t.is_empty()).map(str::to_owned),
            facts: ModelFacts {
                window: tokens("inputTokenLimit"),
                max_output: tokens("outputTokenLimit"),
                thinks: entry.get("thinking").and_then(Value::as_bool),
                ..ModelFacts::default()
            },
        })
    });
    Some(Page { models: models.filter(|listed| !listed.model.is_empty()).collect(), next })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(base: &str) -> Url {
        Url::parse(base).unwrap()
    }

    #[test]
    fn a_model_answers_below_any_base() {
        let google = "https://g.example/v1beta/models/gemini-3:streamGenerateContent?alt=sse";
        for (base, model, expected) in [
            ("https://g.example", "gemini-3", google),
            ("https://g.example/", "models/gemini-3", google),
            ("https://g.example/v1", "gemini-3", google),
            ("https://g.example/v1beta", "gemini-3", google),
            ("https://g.example/v1beta/openai", "gemini-3", google),
            ("https://g.example/v1alpha", "m", "https://g.example/v1alpha/models/m:streamGenerateContent?alt=sse"),
            ("https://g.example/gw", "m", "https://g.example/gw/v1beta/models/m:streamGenerateContent?alt=sse"),
            (
                "https://g.example/v1/publishers/google",
                "m",
                "https://g.example/v1/publishers/google/models/m:streamGenerateContent?alt=sse",
            ),
            (
                "https://g.example/v1beta",
                "tunedModels/my-model",
                "https://g.example/v1beta/tunedModels/my-model:streamGenerateContent?alt=sse",
            ),
            (
                "https://g.example/v1beta",
                "../x/..?key=1#f%2F\\",
                "https://g.example/v1beta/models/..%2Fx%2F..%3Fkey=1%23f%252F%5C:streamGenerateContent?alt=sse",
            ),
            ("https://g.example/v1beta", "..", "https://g.example/v1beta/models/..:streamGenerateContent?alt=sse"),
        ] {
            assert_eq!(model_url(&url(base), model).as_str(), expected, "{base} {model}");
        }
    }

    #[test]
    fn the_list_is_read_page_by_page() {
        let gemini = Gemini::default();
        let base = url("https://g.example/v1");
        assert_eq!(gemini.list(&base, None).as_str(), "https://g.example/v1beta/models?pageSize=1000");
        assert_eq!(
            gemini.list(&base, Some("a&b=c")).as_str(),
            "https://g.example/v1beta/models?pageSize=1000&pageToken=a%26b%3Dc"
        );
        let page = r#"{"models":[
            {"name":"models/gemini-3.1-pro-preview","displayName":"Gemini 3.1 Pro","inputTokenLimit":1048576,"outputTokenLimit":65536,"supportedGenerationMethods":["generateContent","countTokens"],"thinking":true},
            {"name":"models/text-embedding-004","supportedGenerationMethods":["embedContent"]},
            {"name":"tunedModels/mine","displayName":"","inputTokenLimit":"many","supportedGenerationMethods":["generateContent"]},
            {"name":"models/"},{"displayName":"no name"},7
        ],"nextPageToken":"n2"}"#;
        let expected = Page {
            models: vec![
                Listed {
                    model: "gemini-3.1-pro-preview".into(),
                    title: Some("Gemini 3.1 Pro".into()),
                    facts: ModelFacts {
                        window: Some(1_048_576),
                        max_output: Some(65_536),
                        thinks: Some(true),
                        ..ModelFacts::default()
                    },
                },
                Listed { model: "tunedModels/mine".into(), ..Listed::default() },
            ],
            next: Some("n2".into()),
        };
        assert_eq!(gemini.listed(page), Some(expected));
        assert_eq!(gemini.listed("{}"), Some(Page::default()));
        assert_eq!(
            gemini.listed(r#"{"data":[{"id":"a"}]}"#).map(|page| page.models[0].model.clone()),
            Some("a".into())
        );
        for no_list in [r#"{"hello":1}"#, "<html>", "7", r#"{"error":{"code":400}}"#] {
            assert_eq!(gemini.listed(no_list), None, "{no_list}");
        }
    }
}
