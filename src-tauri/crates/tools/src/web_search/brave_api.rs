// SPDX-License-Identifier: Apache-2.0
use super::engine::{Engine, Found, Query, get};
use super::searxng::hit;
use bailey_ports::{Secret, WebRequest};
use serde_json::Value;

/// Brave's search API, with the person's key.
pub(crate) struct BraveApi {
    pub(crate) key: Secret,
}

/// Pages it counts, from 0.
const LAST_PAGE: u64 = 9;

impl Engine for BraveApi {
    fn name(&self) -> &'static str {
        "Brave Search API"
    }

    fn request(&self, query: &Query<'_>) -> Option<WebRequest> {
        let offset = query.page - 1;
        if offset > LAST_PAGE {
            return None;
        }
        let (count, offset) = (query.count.to_string(), offset.to_string());
        let range = query.range.map(|range| format!("p{}", range.letter()));
        let mut parameters =
            vec![("q", query.text), ("count", &count), ("offset", &offset), ("text_decorations", "false")];
        if let Some(range) = &range {
            parameters.push(("freshness", range));
        }
        let secret_header = Some(("X-Subscription-Token".to_owned(), self.key.clone()));
        let request = get("https://api.search.brave.com/res/v1/web/search", &parameters)?;
        Some(WebRequest { accept: Some("application/json".to_owned()), secret_header, ..request })
    }

    fn read(&self, body: &str, _query: &Query<'_>) -> Found {
        let answer: Value = serde_json::from_str(body).unwrap_or_default();
        match answer["web"]["results"].as_array() {
            Some(results) => Found::of(results.iter().filter_map(|result| hit(result, "description"))),
            // Without results the whole list is left out.
            None if answer["query"].is_object() => Found::Nothing,
            None => Found::Changed,
        }
    }
}
