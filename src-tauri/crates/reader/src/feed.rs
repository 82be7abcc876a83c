// SPDX-License-Identifier: Apache-2.0
//! RSS, Atom and JSON feeds.

use crate::{Document, Kind, Link, ReadError, charset, html};
use std::fmt::Write as _;

/// The longest summary of an entry in characters.
const SUMMARY: usize = 2_000;

/// A feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feed {
    /// Its title; empty when it has none.
    pub title: String,
    /// What it is about.
    pub description: Option<String>,
    /// The page it belongs to.
    pub url: Option<String>,
    /// Its entries in the order of the feed.
    pub entries: Vec<Entry>,
}

/// An entry of a feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its title; empty when it has none.
    pub title: String,
    /// Where it can be read, absolute.
    pub url: Option<String>,
    /// When it was published, or else changed: RFC 3339, UTC.
    pub published: Option<String>,
    /// Who wrote it.
    pub author: Option<String>,
    /// Its beginning as markdown, at most 2,000 characters.
    pub summary: String,
}

/// Reads a feed from `url`: RSS, Atom or JSON.
///
/// # Errors
///
/// [`ReadError::NotAFeed`] when it is none of them.
pub fn feed(bytes: &[u8], content_type: Option<&str>, url: &str) -> Result<Feed, ReadError> {
    let (text, _) = charset::decode(&bytes[..bytes.len().min(crate::LARGEST)], content_type);
    parse(&text, url)
}

/// Whether a text begins like a feed.
pub(crate) fn is_feed(text: &str) -> bool {
    let head = crate::head(text).to_ascii_lowercase();
    let json = head.trim_start().starts_with('{') && head.contains("jsonfeed.org/version");
    json || (head.trim_start().starts_with('<')
        && ["<rss", "<feed", "<rdf:rdf"].iter().any(|tag| head.contains(tag))
        && !head.contains("<html"))
}

pub(crate) fn parse(text: &str, url: &str) -> Result<Feed, ReadError> {
    // The text is decoded already; a declaration of another encoding would have it decoded again.
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let body = text.strip_prefix("<?xml").and_then(|rest| rest.split_once("?>")).map_or(text, |(_, body)| body);
    let parser = feed_rs::parser::Builder::new().base_uri(Some(url)).build();
    let found = parser.parse(body.as_bytes()).map_err(|_| ReadError::NotAFeed)?;
    let entries = found.entries.into_iter().map(|entry| {
        let summary = entry
            .summary
            .map(|text| text.content)
            .or_else(|| entry.content.and_then(|content| content.body))
            .unwrap_or_default();
        Entry {
            title: entry.title.map(|title| html::plain_text(&title.content)).unwrap_or_default(),
            url: address(entry.links),
            published: entry.published.or(entry.updated).map(|time| time.to_rfc3339()),
            author: entry.authors.into_iter().filter_map(|author| author.name).find(|name| !name.is_empty()),
            summary: html::fragment(&summary, url).chars().take(SUMMARY).collect(),
        }
    });
    Ok(Feed {
        entries: entries.collect(),
        title: found.title.map(|title| html::plain_text(&title.content)).unwrap_or_default(),
        description: found.description.map(|text| html::plain_text(&text.content)).filter(|text| !text.is_empty()),
        url: address(found.links),
    })
}

/// The address of the page: not the feed's own, and no file to play.
fn address(links: Vec<feed_rs::model::Link>) -> Option<String> {
    let page = links.iter().position(|link| link.rel.as_deref().is_none_or(|rel| rel == "alternate"));
    let mut links = links;
    (!links.is_empty()).then(|| links.swap_remove(page.unwrap_or(0)).href).filter(|href| href.starts_with("http"))
}

/// A feed as a document: its entries as a list.
pub(crate) fn document(feed: Feed) -> Document {
    let mut markdown = feed.description.map(|text| format!("{text}\n\n")).unwrap_or_default();
    let mut links = Vec::new();
    for entry in feed.entries {
        let title = if entry.title.is_empty() { "(no title)".to_owned() } else { entry.title };
        let _ = match &entry.url {
            Some(url) => write!(markdown, "## [{}]({url})\n\n", title.replace(['[', ']'], "")),
            None => write!(markdown, "## {title}\n\n"),
        };
        let about: Vec<String> = [entry.published, entry.author].into_iter().flatten().collect();
        for part in [about.join(" · "), entry.summary] {
            if !part.is_empty() {
                let _ = write!(markdown, "{part}\n\n");
            }
        }
        if let Some(url) = entry.url {
            links.push(Link { text: title, url });
        }
    }
    markdown.truncate(markdown.trim_end().len());
    Document { title: feed.title, markdown, links, ..Document::new(Kind::Feed) }
}
