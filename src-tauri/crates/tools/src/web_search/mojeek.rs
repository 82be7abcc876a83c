// SPDX-License-Identifier: Apache-2.0
use super::engine::{Engine, Found, Layout, Query, get_page};
use bailey_ports::WebRequest;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};

/// Mojeek's page.
pub(crate) struct Mojeek;

const LAYOUT: Layout = Layout {
    result: "ul.results-standard > li",
    link: "a.ob",
    title: "h2 a",
    snippet: "p.s",
    noise: "",
    nothing: ".no-results, .results-none, .serp-no-results",
    challenge: "#captcha, form[action*=captcha]",
};

impl Engine for Mojeek {
    fn name(&self) -> &'static str {
        "Mojeek"
    }

    fn request(&self, query: &Query<'_>) -> Option<WebRequest> {
        let start = (10 * (query.page - 1)).to_string();
        let since = query.range.and_then(|range| {
            let day = Timestamp::from_millisecond(query.now).ok()?.to_zoned_datetime(TimeZone::UTC).date();
            Some(day.checked_sub(Span::new().days(range.days())).ok()?.strftime("%Y%m%d").to_string())
        });
        let mut parameters = vec![("q", query.text)];
        // The start of the first page, said aloud, makes it think of a machine.
        if query.page > 1 {
            parameters.push(("s", &start));
        }
        if let Some(since) = &since {
            parameters.push(("since", since));
        }
        get_page("https://www.mojeek.com/search", &parameters, query)
    }

    fn read(&self, body: &str, _query: &Query<'_>) -> Found {
        LAYOUT.read(body)
    }
}
