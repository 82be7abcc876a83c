// SPDX-License-Identifier: Apache-2.0
use crate::arguments::{integer, schema, text};
use crate::web::{NoText, address, check, failure, host, line, outside};
use async_trait::async_trait;
use bailey_policy::{Approval, ArgumentRole, ToolFacts, ToolKind, ToolSpec};
use bailey_ports::{Tool, ToolContext, ToolFailure, ToolResult, Web, WebRequest};
use bailey_protocol::Part;
use bailey_reader::{Feed, decode, feed};
use dom_query::Document;
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;
use url::Url;

/// Reads a feed.
pub(crate) struct FetchRss {
    spec: ToolSpec,
    web: Arc<dyn Web>,
}

impl FetchRss {
    const LIMIT: u64 = 10;

    pub(crate) fn new(web: Arc<dyn Web>) -> Self {
        let spec = ToolSpec {
            name: "fetch_rss".into(),
            description:
                "Reads a feed (RSS, Atom or JSON Feed) and returns its newest entries with date, address and a \
                short text. Given a page that names its feed, it reads that. Use it for what is new on a site, a blog, \
                a podcast or a release page. Do not use it to read an entry in full (web_read) or to search."
                    .into(),
            schema: schema(
                json!({
                    "url": {
                        "type": "string", "minLength": 4, "maxLength": 2000,
                        "description": "The address of the feed, or of a page that names one.",
                    },
                    "limit": {
                        "type": "integer", "minimum": 1, "maximum": 50, "default": Self::LIMIT,
                        "description": "How many entries to return at most.",
                    },
                }),
                &["url"],
            ),
            example: json!({ "url": "https://blog.rust-lang.org/feed.xml", "limit": 5 }),
            facts: ToolFacts { read_only: true, outside: true, egress: true, ..ToolFacts::LOW },
            arguments: BTreeMap::from([("limit".into(), ArgumentRole::Neutral)]),
            kind: ToolKind::Run,
        };
        Self { spec, web }
    }

    /// A feed, or the address of one that the page names.
    async fn fetch(&self, url: &str) -> Result<(String, Result<Feed, Option<String>>), NoText> {
        let accept = "application/rss+xml,application/atom+xml,application/feed+json,application/xml;q=0.9,text/xml;q=0.9,*/*;q=0.5";
        let request = WebRequest { accept: Some(accept.to_owned()), ..WebRequest::get(url) };
        let response = self.web.fetch(request).await.map_err(|e| failure(&e))?;
        check(&response).map_err(NoText::Said)?;
        let (from, content_type) = (response.url.clone(), response.content_type.clone());
        let bytes = response.bytes().await.map_err(|e| failure(&e))?;
        let place = from.clone();
        let read = tokio::task::spawn_blocking(move || {
            feed(&bytes, content_type.as_deref(), &place)
                .map_err(|_| named_feed(&decode(&bytes, content_type.as_deref()).0, &place))
        });
        let read = read.await.map_err(|e| ToolFailure::new(format!("the feed could not be read: {e}")))?;
        Ok((from, read))
    }
}

impl FetchRss {
    /// The feed at this address, or the one that the page there names, and where it is.
    async fn feed(&self, url: &str) -> Result<(String, Feed), NoText> {
        let (mut from, mut read) = self.fetch(url).await?;
        if let Err(Some(named)) = read {
            (from, read) = self.fetch(&named).await?;
        }
        match read {
            Ok(feed) => Ok((from, feed)),
            Err(_) => Err(NoText::Said(format!(
                "{} sent no feed, and nothing that names one. Read the page with web_read, or look for the feed with web_search",
                host(&from)
            ))),
        }
    }
}

#[async_trait]
impl Tool for FetchRss {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn run(&self, approval: Approval, _context: ToolContext) -> ToolResult {
        let url = address(text(approval.arguments(), "url"));
        let limit = integer(approval.arguments(), "limit").unwrap_or(Self::LIMIT).clamp(1, 50);
        match self.feed(&url).await {
            Ok((from, feed)) => {
                let said = told(&feed, &from, usize::try_from(limit).unwrap_or(usize::MAX));
                Ok(vec![Part::labelled(said, outside(&self.spec.name, host(&from)))])
            }
            Err(none) => none.told(&self.spec.name, &url),
        }
    }
}

fn told(feed: &Feed, from: &str, limit: usize) -> String {
    let title = line(&feed.title, 200);
    let mut said = if title.is_empty() { from.to_owned() } else { format!("{title}\n{from}") };
    if feed.entries.is_empty() {
        said.push_str("\nThe feed has no entries.");
    }
    for (at, entry) in feed.entries.iter().take(limit).enumerate() {
        let title = line(&entry.title, 200);
        let _ = write!(said, "\n\n{}. {}", at + 1, if title.is_empty() { "(no title)" } else { &title });
        let pieces = [entry.published.as_deref().map(|at| line(at, 40)), entry.url.clone()];
        for piece in pieces.into_iter().flatten() {
            let _ = write!(said, "\n{piece}");
        }
        let text = line(&entry.summary, 400);
        if !text.is_empty() {
            let _ = write!(said, "\n{text}");
        }
    }
    if feed.entries.len() > limit {
        let _ = write!(said, "\n\nThere are {} entries in all; pass a larger limit for more.", feed.entries.len());
    }
    said
}

/// The first feed that a page names. Only its `link` and `base` tags are parsed: a page can be made so that all of it takes
/// for ever.
fn named_feed(page: &str, url: &str) -> Option<String> {
    let kinds = ["application/rss+xml", "application/atom+xml", "application/feed+json"];
    let tags = Document::from(tags(page));
    let links = tags.select("link[rel][type][href]");
    let link = links.iter().find(|link| {
        let value = |name: &str| link.attr_or(name, "").to_lowercase();
        value("rel").split_whitespace().any(|rel| rel == "alternate") && kinds.contains(&value("type").trim())
    })?;
    let here = Url::parse(url).ok()?;
    let base = tags.select_single("base[href]").attr("href").and_then(|base| here.join(&base).ok()).unwrap_or(here);
    base.join(&link.attr("href")?).ok().map(String::from)
}

/// The `link` and `base` tags of a page, up to a number.
fn tags(page: &str) -> String {
    const MOST: usize = 500;
    let is_named = |tag: &str, name: &str| {
        let (head, rest) = (tag.get(..name.len()), tag.get(name.len()..));
        head.is_some_and(|head| head.eq_ignore_ascii_case(name))
            && rest.is_some_and(|rest| rest.starts_with([' ', '\t', '\r', '\n', '/']))
    };
    let pieces = page.split('<').skip(1).filter(|tag| is_named(tag, "link") || is_named(tag, "base"));
    pieces.take(MOST).map(|tag| format!("<{}>", tag.split_once('>').map_or(tag, |(tag, _)| tag))).collect()
}
