// SPDX-License-Identifier: Apache-2.0
//! What a fetched document says: bytes in, text out. Nothing here fetches anything, and nothing in a document makes it
//! panic or run on: what others wrote is read on a thread of its own, with limits on time, depth and size.
//!
//! These functions block, for milliseconds as a rule: call them where blocking is allowed.

mod bounded;
mod charset;
mod feed;
mod html;
mod paging;
mod pdf;

pub use charset::decode;
pub use feed::{Entry, Feed, feed};
pub use html::is_bounded;
pub use paging::{Page, pages};

use std::sync::Arc;
use std::time::Duration;

/// How much of a text is read, in bytes; the rest is cut off.
pub(crate) const LARGEST: usize = 8 * 1024 * 1024;

/// How long a page may take; then it is read the simple way.
const PATIENCE: Duration = Duration::from_secs(5);

/// A document, readable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// What it is.
    pub kind: Kind,
    /// Its title; empty when it has none.
    pub title: String,
    /// Who wrote it, as the document says it.
    pub byline: Option<String>,
    /// When it was published, as the document says it.
    pub published: Option<String>,
    /// The text as markdown: headings, lists, tables, code, quotes and links with absolute addresses. A picture is its
    /// caption or its alternative text, without its address: `![a cat](#)`.
    pub markdown: String,
    /// The links in the text, each address once, at most 300.
    pub links: Vec<Link>,
    /// Whether the document was too long, and its end is missing.
    pub truncated: bool,
}

impl Document {
    fn new(kind: Kind) -> Self {
        Self {
            kind,
            title: String::new(),
            byline: None,
            published: None,
            markdown: String::new(),
            links: Vec::new(),
            truncated: false,
        }
    }
}

/// What a document is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A page of HTML with an article: only the article is shown.
    Article,
    /// A page of HTML without one: all of it is shown but menus.
    Page,
    /// A PDF: a line `[Page 2 of 9]` stands before each page.
    Pdf,
    /// A feed: its entries.
    Feed,
    /// JSON, indented, in a code block.
    Json,
    /// Any other text, as it is.
    Text,
}

/// A link in a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// What it says.
    pub text: String,
    /// Where it leads: an absolute http or https address.
    pub url: String,
}

/// Why a document can't be read. The text says what to do instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// Pictures, archives, programs.
    #[error("This is {0}, not a text. Download it as a file instead, or look for a page that describes it.")]
    NotText(String),
    /// More than can be read.
    #[error("The document is larger than {} MiB. Download it as a file instead.", most / (1024 * 1024))]
    TooLarge {
        /// The largest that can be read, in bytes.
        most: usize,
    },
    /// A PDF that needs a password.
    #[error("This PDF is locked with a password. Look for another copy of it.")]
    Encrypted,
    /// A PDF whose pages are pictures.
    #[error(
        "The {pages} pages of this PDF are pictures without text. Look for another copy of it, or for a page about it."
    )]
    NoText {
        /// How many pages it has.
        pages: usize,
    },
    /// A PDF that can't be opened.
    #[error(
        "This PDF is damaged and can't be opened. Try again once in case the download broke off, or look for another copy."
    )]
    Damaged,
    /// A document that takes too long.
    #[error("This document takes too long to read. Look for another copy of it, or for a page about it.")]
    TooSlow,
    /// Not RSS, Atom or a JSON feed.
    #[error("This is not a feed. Read it as a page, or look for the address of its feed.")]
    NotAFeed,
}

/// Reads a document that came from `url`.
///
/// What it is shows in its bytes first, and then in `content_type`, for servers often say the wrong thing.
///
/// # Errors
///
/// When it is not a text, or a PDF that can't be read. HTML always gives a document.
pub fn read(bytes: &[u8], content_type: Option<&str>, url: &str) -> Result<Document, ReadError> {
    if pdf::is_pdf(bytes) {
        return pdf::read(bytes);
    }
    let said =
        content_type.map(|said| said.split(';').next().unwrap_or(said).trim().to_ascii_lowercase()).unwrap_or_default();
    if let Some(what) = binary(bytes, &said) {
        return Err(ReadError::NotText(what));
    }
    let (text, _) = decode(&bytes[..bytes.len().min(LARGEST)], content_type);
    let mut document = text_document(text, &said, url);
    document.truncated |= bytes.len() > LARGEST;
    Ok(document)
}

fn text_document(text: String, said: &str, url: &str) -> Document {
    if feed::is_feed(&text) {
        let (theirs, url) = (text.clone(), url.to_owned());
        if let Ok(Ok(feed)) = bounded::run("feed", PATIENCE, move || feed::parse(&theirs, &url)) {
            return feed::document(feed);
        }
    }
    let plain = said == "text/plain" || said == "text/markdown" || said == "text/csv";
    if said.contains("html") || (!plain && looks_like_html(&text)) {
        return html(text, url);
    }
    if (said.contains("json") || !plain)
        && text.trim_start().starts_with(['{', '['])
        && let Ok(value) = serde_json::from_str::<serde_json::Value>(&text)
        && let Ok(indented) = serde_json::to_string_pretty(&value)
    {
        return Document { markdown: format!("```json\n{indented}\n```"), ..Document::new(Kind::Json) };
    }
    Document { markdown: text, ..Document::new(Kind::Text) }
}

fn html(text: String, url: &str) -> Document {
    let text: Arc<str> = text.into();
    let (theirs, address) = (Arc::clone(&text), url.to_owned());
    bounded::run("html", PATIENCE, move || html::read(&theirs, &address)).unwrap_or_else(|stopped| {
        tracing::debug!(?stopped, "a page is read by its tokens");
        html::by_tokens(&text)
    })
}

/// The beginning of a text.
pub(crate) fn head(text: &str) -> &str {
    let end = (0..=text.len().min(1024)).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    &text[..end]
}

fn looks_like_html(text: &str) -> bool {
    let head = head(text).to_ascii_lowercase();
    let head = head.trim_start_matches('\u{feff}').trim_start();
    head.starts_with('<')
        && ["<!doctype html", "<html", "<head", "<body", "<div", "<p>", "<title", "<h1", "<table"]
            .iter()
            .any(|tag| head.contains(tag))
}

/// What bytes are that no text is: by their type, or by what is in them.
fn binary(bytes: &[u8], said: &str) -> Option<String> {
    let head = &bytes[..bytes.len().min(4096)];
    let marked = encoding_rs::Encoding::for_bom(head).is_some();
    let odd = head.iter().filter(|byte| matches!(byte, 0..=8 | 14..=26 | 28..=31)).count();
    if marked || odd * 50 < head.len().max(1) {
        return None;
    }
    Some(match said.split('/').next() {
        Some("image") => "a picture".to_owned(),
        Some("audio") => "a sound".to_owned(),
        Some("video") => "a video".to_owned(),
        _ if said.is_empty() => "a binary file".to_owned(),
        _ => format!("a binary file ({said})"),
    })
}
