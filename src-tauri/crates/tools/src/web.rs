// SPDX-License-Identifier: Apache-2.0
//! What the tools on the web share: addresses, marks, and what is said when a page is not there.

use bailey_ports::{ToolFailure, ToolResult, WebError, WebResponse};
use bailey_protocol::{Labels, Part, Source};
use std::borrow::Cow;
use url::{ParseError, Url};

/// The address as it is asked for: one without a scheme is taken for https.
pub(crate) fn address(text: &str) -> Cow<'_, str> {
    let text = text.trim();
    match Url::parse(text) {
        Err(ParseError::RelativeUrlWithoutBase) if !text.starts_with(['/', '.', '#', '?']) => {
            format!("https://{text}").into()
        }
        _ => text.into(),
    }
}

/// The host of an address, for people.
pub(crate) fn host(url: &str) -> String {
    let host = Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_owned));
    host.unwrap_or_else(|| "the server".to_owned())
}

/// The marks of text that a tool got from this source.
pub(crate) fn outside(tool: &str, detail: impl Into<String>) -> Labels {
    Labels { outside: vec![Source { tool: tool.to_owned(), detail: Some(detail.into()) }], private: Vec::new() }
}

/// A request that came to nothing.
pub(crate) fn failure(error: &WebError) -> ToolFailure {
    ToolFailure::new(error.to_string())
}

/// What a response's status says, when it is not one of success.
pub(crate) fn check(response: &WebResponse) -> Result<(), String> {
    let (host, status) = (host(&response.url), response.status);
    let wait = response.retry_after.map_or_else(|| "some minutes".to_owned(), |seconds| format!("{seconds} s"));
    let said = match status {
        200..=299 => return Ok(()),
        404 | 410 => format!(
            "{host} has no page at this address (HTTP {status}). Check the address for mistakes, or look for the page with web_search"
        ),
        401 | 402 | 407 => format!(
            "{host} shows this only to people who are logged in (HTTP {status}). Look for another source with web_search, or ask the person for the text"
        ),
        403 | 451 => format!(
            "{host} does not let Bailey read this (HTTP {status}). Do not ask it again; look for another source with web_search"
        ),
        429 => format!("{host} was asked too often (HTTP 429). Use another source, or try again in {wait}"),
        503 if response.retry_after.is_some() => {
            format!("{host} is not available right now (HTTP 503). Use another source, or try again in {wait}")
        }
        500..=599 => {
            format!("{host} has a fault of its own (HTTP {status}). Try once more, else look for another source")
        }
        _ => format!("{host} answered with HTTP {status}. Check the address, or look for another source"),
    };
    Err(said)
}

/// Why there is no text of a page.
pub(crate) enum NoText {
    /// The server answered, and this is what its answer comes to. That is a result: a tool is not broken for dead links.
    Said(String),
    /// It could not be asked.
    Failed(ToolFailure),
}

impl From<ToolFailure> for NoText {
    fn from(failure: ToolFailure) -> Self {
        NoText::Failed(failure)
    }
}

impl NoText {
    /// As the result of a tool that asked for this address.
    pub(crate) fn told(self, tool: &str, url: &str) -> ToolResult {
        match self {
            NoText::Said(said) => Ok(vec![Part::labelled(format!("{said}."), outside(tool, host(url)))]),
            NoText::Failed(failure) => Err(failure),
        }
    }
}

/// A size for people.
pub(crate) fn size(bytes: u64) -> String {
    const UNITS: [&str; 3] = ["KiB", "MiB", "GiB"];
    let mut size = bytes as f64;
    let mut unit = None;
    for name in UNITS {
        if size < 1024.0 {
            break;
        }
        size /= 1024.0;
        unit = Some(name);
    }
    unit.map_or_else(|| format!("{bytes} bytes"), |unit| format!("{size:.1} {unit}"))
}

/// White space as single spaces, and at most so many characters.
pub(crate) fn line(text: &str, most: usize) -> String {
    let mut line = String::new();
    let mut left = most;
    for word in text.split_whitespace() {
        let space = usize::from(!line.is_empty());
        let long = word.chars().count() + space;
        if long > left {
            if line.is_empty() {
                line.extend(word.chars().take(most));
            }
            line.push('…');
            break;
        }
        if space > 0 {
            line.push(' ');
        }
        line.push_str(word);
        left -= long;
    }
    line
}

/// The language of a text, as far as its letters show it; English otherwise.
pub(crate) fn language(text: &str) -> &'static str {
    // Japanese is written with Chinese characters, too.
    if text.chars().any(|c| matches!(c, '\u{3040}'..='\u{30FF}')) {
        return "ja";
    }
    let of = |c: char| match c {
        '\u{3400}'..='\u{9FFF}' => Some("zh"),
        '\u{AC00}'..='\u{D7AF}' => Some("ko"),
        '\u{0400}'..='\u{04FF}' => Some("ru"),
        '\u{0600}'..='\u{06FF}' => Some("ar"),
        _ => None,
    };
    text.chars().find_map(of).unwrap_or("en")
}
