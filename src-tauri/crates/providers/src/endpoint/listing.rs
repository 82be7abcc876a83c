// SPDX-License-Identifier: Apache-2.0
use super::{Endpoint, Inner, facts, read_some};
use crate::failure;
use crate::protocol::{Listed, Page};
use bailey_ports::ModelError;
use bailey_protocol::RunErrorKind;
use reqwest::header::HeaderMap;
use serde_json::Value;
use std::collections::HashSet;
use std::time::{Duration, SystemTime};

/// A list of models has to come within this time, each page of it.
const LIST_TIME: Duration = Duration::from_secs(15);
/// A page is read up to this many bytes.
const MAX_LIST: usize = 16 << 20;
/// A list has at most this many pages.
const MAX_PAGES: usize = 50;

impl Endpoint {
    /// The models the endpoint lists, all pages, in its order, each once.
    ///
    /// Errors: as of a request; [`RunErrorKind::Invalid`] when the endpoint keeps no list.
    pub async fn list_models(&self) -> Result<Vec<Listed>, ModelError> {
        let inner = &self.0;
        let clean = |text: String| inner.redactor.clean(&text).into_owned();
        match inner.list().await {
            // There are endpoints that repeat whatever they get.
            Ok(list) => Ok(list
                .into_iter()
                .map(|listed| Listed { model: clean(listed.model), title: listed.title.map(clean), ..listed })
                .collect()),
            Err(error) => Err(ModelError { message: clean(error.message), details: error.details.map(clean), ..error }),
        }
    }
}

impl Inner {
    async fn list(&self) -> Result<Vec<Listed>, ModelError> {
        let mut headers = self.headers()?;
        let mut all: Vec<Listed> = Vec::new();
        let mut known: HashSet<String> = HashSet::new();
        let mut next: Option<String> = None;
        for _ in 0..MAX_PAGES {
            let page = match self.page(headers.clone(), next.as_deref()).await {
                Err(error) if error.kind == RunErrorKind::Auth && self.protocol.learn_key(&headers) => {
                    headers = self.headers()?;
                    self.page(headers.clone(), next.as_deref()).await?
                }
                page => page?,
            };
            let before = all.len();
            all.extend(page.models.into_iter().filter(|listed| known.insert(listed.model.clone())));
            // A page without anything new: a server that does not page and ignores what asks for it.
            if page.next.is_none() || page.next == next || all.len() == before {
                break;
            }
            next = page.next;
        }
        Ok(all)
    }

    async fn page(&self, headers: HeaderMap, page: Option<&str>) -> Result<Page, ModelError> {
        let get = self.client.get(self.protocol.list(&self.base, page)).headers(headers);
        let time = LIST_TIME.min(self.patience.silence);
        let mut response = match tokio::time::timeout(time, get.send()).await {
            Err(_) => return Err(failure::silent(time)),
            Ok(sent) => sent.map_err(|problem| failure::unreachable(&self.base, &problem))?,
        };
        let status = response.status();
        let retry_after = failure::retry_after(response.headers(), SystemTime::now());
        let body = read_some(&mut response, MAX_LIST, time).await;
        if !status.is_success() {
            return Err(failure::refused(&self.place("the list of models"), status.as_u16(), &body, retry_after));
        }
        self.protocol.listed(&body).ok_or_else(|| {
            let message = format!(
                "{} answers, but not with a list of models. Check the base URL, or enter the model's name yourself.",
                self.base
            );
            ModelError::new(RunErrorKind::Invalid, message)
        })
    }
}

/// The models of a list as OpenAI and those like it have it: `{"data": [{"id"}]}`, `{"models": [{"name"}]}` or a bare
/// array.
pub(crate) fn of_openai(body: &str) -> Option<Vec<Listed>> {
    page_of_openai(body).map(|page| page.models)
}

/// The same, with what asks for the next page: the last entry's id, where the list says that it has more.
pub(crate) fn page_of_openai(body: &str) -> Option<Page> {
    let value: Value = serde_json::from_str(body).ok()?;
    let list = match (&value, value.get("data"), value.get("models")) {
        (Value::Array(list), ..) | (_, Some(Value::Array(list)), _) | (_, _, Some(Value::Array(list))) => {
            list.as_slice()
        }
        // Ollama without a model.
        (_, Some(Value::Null), _) if value.get("object").is_some() => &[],
        _ => return None,
    };
    let id = |entry: &Value| ["id", "name", "model"].iter().find_map(|key| entry.get(key)?.as_str()).map(str::to_owned);
    let mut models: Vec<Listed> = Vec::with_capacity(list.len());
    let mut seen = HashSet::with_capacity(list.len());
    for entry in list {
        let Some(name) = entry.as_str().map(str::to_owned).or_else(|| id(entry)) else { continue };
        // Google's compatible endpoint lists resource names and takes bare ones, too.
        let name = name.strip_prefix("models/").unwrap_or(&name);
        if name.is_empty() || !seen.insert(name.to_owned()) {
            continue;
        }
        let title = ["display_name", "name", "title"].iter().find_map(|key| entry.get(key)?.as_str());
        let title =
            title.filter(|title| !title.trim().is_empty() && title.strip_prefix("models/").unwrap_or(title) != name);
        models.push(Listed { model: name.to_owned(), title: title.map(str::to_owned), facts: facts::of_entry(entry) });
    }
    let more = value.get("has_more").and_then(Value::as_bool) == Some(true);
    let last = value.get("last_id").and_then(Value::as_str).map(str::to_owned).or_else(|| list.last().and_then(id));
    Some(Page { models, next: last.filter(|_| more) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_come_in_several_shapes() {
        for (body, expected) in [
            (r#"{"object":"list","data":[{"id":"b"},{"id":"a"},{"id":"b"},{"x":1}]}"#, Some(vec!["b", "a"])),
            (r#"{"models":[{"name":"qwen3:8b"},{"model":"phi"}]}"#, Some(vec!["qwen3:8b", "phi"])),
            (r#"{"data":[{"id":"models/gemini-3"}]}"#, Some(vec!["gemini-3"])),
            (r#"[{"id":"a"},"b"]"#, Some(vec!["a", "b"])),
            (r#"{"object":"list","data":null}"#, Some(vec![])),
            (r#"{"data":[]}"#, Some(vec![])),
            (r#"{"data":null}"#, None),
            (r#"{"hello":"world"}"#, None),
            ("<html>", None),
        ] {
            let expected: Option<Vec<String>> = expected.map(|names| names.into_iter().map(str::to_owned).collect());
            let models = of_openai(body).map(|models| models.into_iter().map(|model| model.model).collect());
            assert_eq!(models, expected, "{body}");
        }
    }

    #[test]
    fn a_title_is_one_that_says_more_than_the_name() {
        let page = page_of_openai(
            r#"{"data":[{"id":"a/b","name":"A: B"},{"id":"c","name":"c"},{"id":"d","display_name":"D"},{"id":"models/e","name":" "}]}"#,
        );
        let titles: Vec<Option<String>> = page.unwrap().models.into_iter().map(|model| model.title).collect();
        assert_eq!(titles, [Some("A: B".to_owned()), None, Some("D".to_owned()), None]);
    }

    #[test]
    fn a_list_that_has_more_says_so() {
        for (body, next) in [
            (r#"{"data":[{"id":"a"}],"has_more":true,"last_id":"z"}"#, Some("z")),
            (r#"{"data":[{"id":"a"},{"id":"b"}],"has_more":true}"#, Some("b")),
            (r#"{"data":[{"id":"a"}],"has_more":false,"last_id":"a"}"#, None),
            (r#"{"data":[{"id":"a"}]}"#, None),
            (r#"{"data":[],"has_more":true}"#, None),
        ] {
            assert_eq!(page_of_openai(body).unwrap().next.as_deref(), next, "{body}");
        }
    }
}
