// SPDX-License-Identifier: Apache-2.0
use super::engine::{Engine, Found, Layout, Query, get_page};
use bailey_ports::WebRequest;

/// DuckDuckGo's page for browsers without scripts. Further pages want a token of the first, so it is only asked for that.
pub(crate) struct DuckDuckGo;

const LAYOUT: Layout = Layout {
    result: "#links .web-result",
    link: "h2 a",
    title: "h2 a",
    snippet: ".result__snippet",
    noise: "",
    nothing: ".no-results, .result--no-result",
    challenge: "#challenge-form",
};
/// Longer queries are not taken.
const LONGEST: usize = 499;

impl Engine for DuckDuckGo {
    fn name(&self) -> &'static str {
        "DuckDuckGo"
    }

    fn request(&self, query: &Query<'_>) -> Option<WebRequest> {
        if query.page > 1 || query.text.chars().count() > LONGEST {
            return None;
        }
        let mut form = vec![("q".to_owned(), query.text.to_owned()), ("b".to_owned(), String::new())];
        form.push(("kl".to_owned(), "wt-wt".to_owned()));
        if let Some(range) = query.range {
            form.push(("df".to_owned(), range.letter().to_owned()));
        }
        Some(WebRequest { form: Some(form), ..get_page("https://html.duckduckgo.com/html/", &[], query)? })
    }

    fn read(&self, body: &str, _query: &Query<'_>) -> Found {
        LAYOUT.read(body)
    }
}
