// SPDX-License-Identifier: Apache-2.0
use crate::web::{language, line};
use bailey_ports::WebRequest;
use bailey_protocol::Millis;
use dom_query::{Document, Selection};
use std::time::Duration;
use url::Url;

/// What is searched for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Query<'a> {
    /// Words.
    pub(crate) text: &'a str,
    /// From 1.
    pub(crate) page: u64,
    /// How many results are wanted.
    pub(crate) count: u64,
    /// Not older than this.
    pub(crate) range: Option<Range>,
    /// Now.
    pub(crate) now: Millis,
}

/// How old a page may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Range {
    Day,
    Week,
    Month,
    Year,
}

impl Range {
    pub(crate) const NAMES: [&str; 4] = ["day", "week", "month", "year"];

    pub(crate) fn of(name: &str) -> Option<Self> {
        let all = [Self::Day, Self::Week, Self::Month, Self::Year];
        Self::NAMES.iter().position(|n| *n == name).map(|at| all[at])
    }

    pub(crate) fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// Its first letter, as several engines call it.
    pub(crate) fn letter(self) -> &'static str {
        &self.name()[..1]
    }

    pub(crate) fn days(self) -> i64 {
        [1, 7, 31, 366][self as usize]
    }
}

/// A result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    pub(crate) title: String,
    /// Where it really leads: http or https, as `Url` writes it.
    pub(crate) url: String,
    pub(crate) snippet: String,
}

impl Hit {
    /// A result as an engine shows it, unless it leads nowhere.
    pub(crate) fn new(title: &str, href: &str, snippet: &str) -> Option<Hit> {
        let url = super::redirect::unwrap(href)?;
        let title = line(title, Self::TITLE);
        let title = if title.is_empty() { url.host_str()?.to_owned() } else { title };
        let url = String::from(url);
        (url.len() <= Self::URL).then(|| Hit { title, url, snippet: line(snippet, Self::SNIPPET) })
    }

    const TITLE: usize = 200;
    const SNIPPET: usize = 500;
    const URL: usize = 2_000;
}

/// What came back.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// Results; never empty.
    Hits(Vec<Hit>),
    /// The engine says that it knows nothing.
    Nothing,
    /// It wants to know whether this is a person.
    Blocked,
    /// This is not the page of results that is known.
    Changed,
}

impl Found {
    /// Results without those that lead to the same place; an empty list is nothing.
    pub(crate) fn of(hits: impl IntoIterator<Item = Hit>) -> Found {
        let mut unique: Vec<Hit> = Vec::new();
        for hit in hits {
            if unique.iter().all(|other| other.url != hit.url) {
                unique.push(hit);
            }
        }
        if unique.is_empty() { Found::Nothing } else { Found::Hits(unique) }
    }
}

/// A search engine: how it is asked, and how its answer is read.
pub(crate) trait Engine: Send + Sync {
    /// As people call it.
    fn name(&self) -> &'static str;
    /// The request; `None` when it can't be asked for this.
    fn request(&self, query: &Query<'_>) -> Option<WebRequest>;
    /// Reads the body of an answer with a status of success.
    fn read(&self, body: &str, query: &Query<'_>) -> Found;
}

/// A GET of an engine's page, or of its JSON.
pub(crate) fn get(base: &str, parameters: &[(&str, &str)]) -> Option<WebRequest> {
    let mut url = Url::parse(base).ok()?;
    if !parameters.is_empty() {
        url.query_pairs_mut().extend_pairs(parameters);
    }
    Some(WebRequest { max_bytes: MOST, timeout: PATIENCE, ..WebRequest::get(url) })
}

/// [`get`] as a browser asks for a page.
pub(crate) fn get_page(base: &str, parameters: &[(&str, &str)], query: &Query<'_>) -> Option<WebRequest> {
    let language = Some(accept_language(query.text));
    Some(WebRequest { accept: Some(PAGES.to_owned()), language, ..get(base, parameters)? })
}

const PAGES: &str = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8";
/// Bytes of a page of results.
const MOST: u64 = 3 * 1024 * 1024;
/// Another engine is quicker than this one.
const PATIENCE: Duration = Duration::from_secs(10);

/// `Accept-Language` for what is searched for.
fn accept_language(text: &str) -> String {
    match language(text) {
        "en" => "en-US,en;q=0.9".to_owned(),
        "zh" => "zh-CN,zh;q=0.9,en;q=0.5".to_owned(),
        other => format!("{other},en;q=0.5"),
    }
}

/// How an engine's page of results is laid out, in CSS selectors.
pub(crate) struct Layout {
    /// One result.
    pub(crate) result: &'static str,
    /// Its link, inside.
    pub(crate) link: &'static str,
    /// Its title, inside.
    pub(crate) title: &'static str,
    /// Its text, inside.
    pub(crate) snippet: &'static str,
    /// Inside its text, what is not part of it; may be empty.
    pub(crate) noise: &'static str,
    /// What is there when nothing was found.
    pub(crate) nothing: &'static str,
    /// What is there when the engine wants to know whether this is a person.
    pub(crate) challenge: &'static str,
}

impl Layout {
    /// Reads a page of results.
    pub(crate) fn read(&self, page: &str) -> Found {
        if !bailey_reader::is_bounded(page) {
            return Found::Changed;
        }
        let page = Document::from(page);
        if page.select(self.challenge).exists() {
            return Found::Blocked;
        }
        let results = page.select(self.result);
        let hits: Vec<Hit> = results.iter().take(Self::MOST).filter_map(|result| self.hit(&result)).collect();
        match Found::of(hits) {
            Found::Nothing if page.select(self.nothing).exists() || says_nothing(&page) => Found::Nothing,
            Found::Nothing if asks_for_a_person(&page) => Found::Blocked,
            Found::Nothing => Found::Changed,
            found => found,
        }
    }

    /// Results of a page that are looked at.
    const MOST: usize = 60;

    fn hit(&self, result: &Selection<'_>) -> Option<Hit> {
        let href = result.select_single(self.link).attr("href")?;
        let snippet = result.select_single(self.snippet);
        if !self.noise.is_empty() {
            snippet.select(self.noise).remove();
        }
        Hit::new(&result.select_single(self.title).text(), &href, &snippet.text())
    }
}

fn says_nothing(page: &Document) -> bool {
    let text = page.select("body").text().to_lowercase();
    ["no results found", "no pages found", "there are no results for"].iter().any(|words| text.contains(words))
}

fn asks_for_a_person(page: &Document) -> bool {
    let title = page.select("title").text().to_lowercase();
    let words = ["captcha", "are you a robot", "not a robot", "unusual traffic", "access denied", "just a moment"];
    words.iter().any(|word| title.contains(word))
        || page.select("form[action*=captcha], #captcha, .g-recaptcha").exists()
}

/// Text that may hold markup, without it.
pub(crate) fn without_markup(text: &str) -> String {
    if text.contains(['<', '&']) { Document::fragment(text).text().to_string() } else { text.to_owned() }
}
