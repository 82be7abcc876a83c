// SPDX-License-Identifier: Apache-2.0
use super::{Endpoint, MAX_LIST, OpenAiChat, error, read_some};
use bailey_net::endpoint_url;
use bailey_ports::ModelError;
use bailey_protocol::RunErrorKind;
use serde_json::Value;
use std::time::{Duration, SystemTime};

/// A list of models has to come within this time.
const LIST_TIME: Duration = Duration::from_secs(15);

impl OpenAiChat {
    /// The names of the models the endpoint lists, in its order, each once.
    ///
    /// Errors: as of a request; [`RunErrorKind::Invalid`] when the endpoint keeps no list.
    pub async fn list_models(&self) -> Result<Vec<String>, ModelError> {
        let endpoint = &self.0;
        endpoint.list().await.map_err(|mut error| {
            error.message = endpoint.redactor.clean(&error.message).into_owned();
            error
        })
    }
}

impl Endpoint {
    async fn list(&self) -> Result<Vec<String>, ModelError> {
        let mut get = self.client.get(endpoint_url(&self.base, "models"));
        if let Some(authorization) = self.authorization()? {
            get = get.header(reqwest::header::AUTHORIZATION, authorization);
        }
        let time = LIST_TIME.min(self.patience.silence);
        let mut response = match tokio::time::timeout(time, get.send()).await {
            Err(_) => return Err(error::silent(time)),
            Ok(sent) => sent.map_err(|problem| error::unreachable(&self.base, &problem))?,
        };
        let status = response.status();
        let retry_after = error::retry_after(response.headers(), SystemTime::now());
        let body = read_some(&mut response, MAX_LIST, time).await;
        if !status.is_success() {
            return Err(error::refused(&self.place("the list of models"), status.as_u16(), &body, retry_after));
        }
        names(&body).ok_or_else(|| {
            let message = format!(
                "{} answers, but not with a list of models. Check the base URL, or enter the model's name yourself.",
                self.base
            );
            ModelError::new(RunErrorKind::Invalid, message)
        })
    }
}

/// The names in a list: `{"data": [{"id"}]}`, `{"models": [{"name"}]}` or a bare array.
pub(crate) fn names(body: &str) -> Option<Vec<String>> {
    let value: Value = serde_json::from_str(body).ok()?;
    let list = match (&value, value.get("data"), value.get("models")) {
        (Value::Array(list), ..) | (_, Some(Value::Array(list)), _) | (_, _, Some(Value::Array(list))) => {
            list.as_slice()
        }
        // Ollama without a model.
        (_, Some(Value::Null), _) if value.get("object").is_some() => &[],
        _ => return None,
    };
    let mut names: Vec<String> = Vec::with_capacity(list.len());
    for entry in list {
        let name = entry.as_str().or_else(|| ["id", "name", "model"].iter().find_map(|key| entry.get(key)?.as_str()));
        // Google's compatible endpoint lists resource names and takes bare ones, too.
        let name = name.map(|name| name.strip_prefix("models/").unwrap_or(name)).filter(|name| !name.is_empty());
        names.extend(name.filter(|name| !names.iter().any(|known| known == name)).map(str::to_owned));
    }
    Some(names)
}

#[cfg(test)]
mod tests {
    use super::names;

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
            assert_eq!(names(body), expected, "{body}");
        }
    }
}
