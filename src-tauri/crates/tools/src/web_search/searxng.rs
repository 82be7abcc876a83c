// SPDX-License-Identifier: Apache-2.0
use super::engine::{Engine, Found, Hit, Query, get, without_markup};
use bailey_ports::{Destination, WebRequest};
use serde_json::Value;

/// A SearXNG of the person's own, asked for JSON.
pub(crate) struct Searxng {
    pub(crate) base_url: String,
}

impl Engine for Searxng {
    fn name(&self) -> &'static str {
        "SearXNG"
    }

    fn request(&self, query: &Query<'_>) -> Option<WebRequest> {
        let base = self.base_url.trim().trim_end_matches('/');
        let base = base.strip_suffix("/search").unwrap_or(base);
        let page = query.page.to_string();
        let mut parameters = vec![("q", query.text), ("format", "json"), ("pageno", &page)];
        if let Some(range) = query.range {
            parameters.push(("time_range", range.name()));
        }
        let accept = Some("application/json".to_owned());
        let request = get(&format!("{base}/search"), &parameters)?;
        Some(WebRequest { destination: Destination::Configured, accept, ..request })
    }

    fn read(&self, body: &str, _query: &Query<'_>) -> Found {
        let answer: Value = serde_json::from_str(body).unwrap_or_default();
        let Some(results) = answer["results"].as_array() else { return Found::Changed };
        Found::of(results.iter().filter_map(|result| hit(result, "content")))
    }
}

/// A result in JSON, whose text is under this name.
pub(crate) fn hit(result: &Value, snippet: &str) -> Option<Hit> {
    let text = |name: &str| without_markup(result[name].as_str().unwrap_or_default());
    Hit::new(&text("title"), result["url"].as_str()?, &text(snippet))
}
