// SPDX-License-Identifier: Apache-2.0
//! From a tree to markdown: the writer is `dom_query`'s; what goes into it is prepared here.

use super::blocks::plain;
use crate::Link;
use dom_query::Document;
use std::collections::HashSet;
use url::Url;

/// The source of a picture that stands for a caption alone.
pub(super) const NO_PICTURE: &str = "about:blank";

/// What stands where a picture's address would: the writer leaves out a picture without one.
const NO_ADDRESS: &str = "#";

/// How many links are listed.
const MOST_LINKS: usize = 300;

/// What a model need not read: code that runs, forms' fields, things drawn.
const SKIPPED: &[&str] = &[
    "audio", "button", "canvas", "dialog", "embed", "head", "iframe", "input", "link", "meta", "noscript", "object",
    "option", "script", "select", "style", "svg", "template", "textarea", "video",
];

/// Writes what is in `content`. Links are made absolute to `base`; one that leads nowhere is text only; a picture is its text.
pub(super) fn write(content: &Document, base: Option<&Url>) -> (String, Vec<Link>) {
    let links = links(content, base);
    for picture in content.select("img, picture > source").nodes() {
        let alt = picture.attr("alt").map(|alt| plain(&alt)).unwrap_or_default();
        let file_name = !alt.contains(' ') && alt.contains('.');
        if alt.is_empty() || file_name || !picture.has_name("img") {
            picture.remove_from_parent();
        } else {
            picture.retain_attrs(&[]);
            picture.set_attr("alt", &alt.replace(['[', ']'], ""));
            picture.set_attr("src", NO_ADDRESS);
        }
    }
    let markdown = content.root().md(Some(SKIPPED));
    (tidy(&markdown), links)
}

/// Makes links absolute and lists them, each address once.
fn links(content: &Document, base: Option<&Url>) -> Vec<Link> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    for link in content.select("a").nodes() {
        let href = link.attr("href").unwrap_or_default();
        let href = href.trim();
        let absolute = if href.starts_with('#') {
            None
        } else {
            base.map_or_else(|| Url::parse(href).ok(), |base| base.join(href).ok())
        };
        let text = plain(&link.text());
        match absolute.filter(|url| matches!(url.scheme(), "http" | "https" | "mailto" | "tel" | "magnet" | "ftp")) {
            Some(url) => {
                link.remove_attr("title");
                link.set_attr("href", url.as_str());
                if !text.is_empty()
                    && matches!(url.scheme(), "http" | "https")
                    && found.len() < MOST_LINKS
                    && seen.insert(url.clone())
                {
                    found.push(Link { text, url: url.into() });
                }
            }
            None => link.rename("span"),
        }
    }
    found
}

/// No white space at the ends of lines, at most one empty line in a row; code is left as it is.
pub(crate) fn tidy(markdown: &str) -> String {
    let mut all = String::with_capacity(markdown.len());
    let (mut empty, mut fence) = (0, None);
    for line in markdown.trim().lines() {
        let start = line.trim_start();
        if let Some(mark) = ["```", "~~~"].into_iter().find(|mark| start.starts_with(mark)) {
            fence = match fence {
                None => Some(mark),
                Some(open) if open == mark => None,
                open => open,
            };
        }
        let line = if fence.is_some() { line } else { line.trim_end() };
        empty = if line.is_empty() { empty + 1 } else { 0 };
        if empty <= 1 || fence.is_some() {
            all.push_str(line);
            all.push('\n');
        }
    }
    all.truncate(all.trim_end().len());
    all
}
