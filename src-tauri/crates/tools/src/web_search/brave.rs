// SPDX-License-Identifier: Apache-2.0
use super::engine::{Engine, Found, Layout, Query, get_page};
use bailey_ports::WebRequest;

/// Brave Search's page.
pub(crate) struct Brave;

const LAYOUT: Layout = Layout {
    result: "#results .snippet",
    link: "a[href^=http]",
    title: ".title",
    snippet: ".content, .snippet-description",
    noise: "",
    nothing: "#no-results, .no-results",
    challenge: "#pow-captcha, .pow-captcha",
};

impl Engine for Brave {
    fn name(&self) -> &'static str {
        "Brave Search"
    }

    fn request(&self, query: &Query<'_>) -> Option<WebRequest> {
        let offset = (query.page - 1).to_string();
        let range = query.range.map(|range| format!("p{}", range.letter()));
        let mut parameters = vec![("q", query.text), ("source", "web")];
        if query.page > 1 {
            parameters.push(("offset", &offset));
        }
        if let Some(range) = &range {
            parameters.push(("tf", range));
        }
        get_page("https://search.brave.com/search", &parameters, query)
    }

    fn read(&self, body: &str, _query: &Query<'_>) -> Found {
        LAYOUT.read(body)
    }
}
