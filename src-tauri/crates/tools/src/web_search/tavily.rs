// SPDX-License-Identifier: Apache-2.0
use super::engine::{Engine, Found, Query, get};
use super::searxng::hit;
use bailey_ports::{Secret, WebRequest};
use serde_json::{Value, json};

/// Tavily's search API, with the person's key. It has no pages: it is asked for more results, and the first are left out.
pub(crate) struct Tavily {
    pub(crate) key: Secret,
}

/// Results it gives at most.
const MOST: u64 = 20;

impl Engine for Tavily {
    fn name(&self) -> &'static str {
        "Tavily"
    }

    fn request(&self, query: &Query<'_>) -> Option<WebRequest> {
        if (query.page - 1) * query.count >= MOST {
            return None;
        }
        let wanted = MOST.min(query.page * query.count);
        let mut asked = json!({ "query": query.text, "max_results": wanted, "search_depth": "basic" });
        if let Some(range) = query.range {
            asked["time_range"] = range.name().into();
        }
        let key = Secret::new(&format!("Bearer {}", self.key.expose()));
        Some(WebRequest {
            accept: Some("application/json".to_owned()),
            secret_header: Some(("Authorization".to_owned(), key)),
            json: Some(asked.to_string()),
            ..get("https://api.tavily.com/search", &[])?
        })
    }

    fn read(&self, body: &str, query: &Query<'_>) -> Found {
        let answer: Value = serde_json::from_str(body).unwrap_or_default();
        let Some(results) = answer["results"].as_array() else { return Found::Changed };
        let seen = usize::try_from((query.page - 1) * query.count).unwrap_or(usize::MAX);
        Found::of(results.iter().skip(seen).filter_map(|result| hit(result, "content")))
    }
}
