// SPDX-License-Identifier: Apache-2.0
use super::engine::{Engine, Found, Layout, Query, get_page};
use bailey_ports::WebRequest;

/// Bing's page. Without scripts it has no further pages and no limit of time.
pub(crate) struct Bing;

const LAYOUT: Layout = Layout {
    result: "#b_results > .b_algo",
    link: "h2 a",
    title: "h2 a",
    snippet: ".b_caption p, p",
    noise: ".algoSlug_icon",
    nothing: "#b_results > .b_no",
    challenge: "#b_captcha, .captcha",
};

impl Engine for Bing {
    fn name(&self) -> &'static str {
        "Bing"
    }

    fn request(&self, query: &Query<'_>) -> Option<WebRequest> {
        if query.page > 1 || query.range.is_some() {
            return None;
        }
        get_page("https://www.bing.com/search", &[("q", query.text)], query)
    }

    fn read(&self, body: &str, _query: &Query<'_>) -> Found {
        LAYOUT.read(body)
    }
}
