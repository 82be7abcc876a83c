// SPDX-License-Identifier: Apache-2.0
//! A page of HTML: its article where it has one, else all that a person would see.

mod blocks;
mod markdown;
mod shape;
mod side_parts;
mod trim;

use crate::{Document, Kind};
use dom_query::{Document as Tree, NodeRef};
use dom_smoothie::{Article, Config, Readability};
pub(crate) use markdown::tidy;
pub use shape::is_bounded;
use url::Url;

/// An article with less text than this, in characters, has to hold a good part of its page.
const THIN: usize = 500;

/// The most of an article that may be links, in percent; more is a list of other pages.
const MOST_LINKS: usize = 60;

/// Reads a page.
pub(crate) fn read(html: &str, url: &str) -> Document {
    if !shape::is_bounded(html) {
        return by_tokens(html);
    }
    let url = Url::parse(url).ok().filter(|url| !url.cannot_be_a_base());
    let found = article(Tree::from(html), url.as_ref());
    let is_text = |found: &Found| {
        found.plain * 100 >= found.all * (100 - MOST_LINKS)
            && (found.plain >= THIN || found.plain * 3 >= plain_chars(&Tree::from(html)))
    };
    match found {
        Some(found) if is_text(&found) => found.document,
        thin => page(html, url.as_ref(), thin.map(|thin| thin.document)),
    }
}

/// What was found on a page: its text in characters, without links and with them.
struct Found {
    document: Document,
    plain: usize,
    all: usize,
}

/// The simple way, which always works: the text between the tags.
pub(crate) fn by_tokens(html: &str) -> Document {
    let (title, markdown) = shape::text(html);
    Document { title, markdown, ..Document::new(Kind::Page) }
}

/// A piece of HTML as markdown.
pub(crate) fn fragment(html: &str, base: &str) -> String {
    if !shape::is_bounded(html) {
        return shape::text(html).1;
    }
    markdown::write(&Tree::fragment(html), Url::parse(base).ok().as_ref()).0
}

/// A piece of HTML as one line of text.
pub(crate) fn plain_text(html: &str) -> String {
    blocks::plain(&shape::text(html).1)
}

/// The page's article.
fn article(tree: Tree, url: Option<&Url>) -> Option<Found> {
    let (author, published) = side_parts::imprint(&tree);
    let base = base(&tree, url);
    side_parts::strip(&tree);
    let mut reading = Readability::with_document(
        tree,
        url.map(Url::as_str),
        Some(Config { keep_classes: true, ..Config::default() }),
    )
    .ok()?;
    let Article { title, byline, content, published_time, .. } = reading.parse().ok()?;
    let content = Tree::fragment(content);
    trim::trim(&content.html_root(), &title);
    let (plain, all) = (plain_chars(&content), content.root().normalized_char_count());
    let (markdown, links) = markdown::write(&content, base.as_ref());
    let said = |text: Option<String>| text.map(|text| blocks::plain(&text)).filter(|text| !text.is_empty());
    let document = Document {
        title: blocks::plain(&title),
        byline: said(byline.or(author)),
        published: said(published_time.or(published)),
        markdown,
        links,
        ..Document::new(Kind::Article)
    };
    (!document.markdown.is_empty()).then_some(Found { document, plain, all })
}

/// All of a page but its menus. What was said about it before is kept.
fn page(html: &str, url: Option<&Url>, about: Option<Document>) -> Document {
    let tree = Tree::from(html);
    let base = base(&tree, url);
    let title = tree.select_single("title").text();
    let hidden =
        "[hidden], [aria-hidden=true], [style*='display:none'], [style*='display: none'], nav, [role=navigation]";
    let all = plain_chars(&tree);
    let parts = tree.select(hidden);
    let inside: usize = parts.nodes().iter().map(own_chars).sum();
    // Where the menus are the page, they are shown.
    if inside * 2 <= all {
        parts.remove();
    }
    let (mut markdown, links) = markdown::write(&tree, base.as_ref());
    if markdown.is_empty() {
        // A page that its script would have drawn: what it says of itself.
        let said = tree.select_single("meta[name=description], meta[property='og:description']").attr("content");
        markdown = said.map(|said| blocks::plain(&said)).unwrap_or_default();
    }
    let about = about.unwrap_or_else(|| Document::new(Kind::Page));
    let title = if about.title.is_empty() { blocks::plain(&title) } else { about.title };
    Document { kind: Kind::Page, title, markdown, links, ..about }
}

/// What links are relative to.
fn base(tree: &Tree, url: Option<&Url>) -> Option<Url> {
    let said = tree.select_single("base[href]").attr("href");
    match (url, said) {
        (Some(url), Some(said)) => url.join(&said).ok().or_else(|| Some(url.clone())),
        (url, said) => url.cloned().or_else(|| Url::parse(&said?).ok()),
    }
}

/// How many characters of text people see that are not links.
fn plain_chars(tree: &Tree) -> usize {
    own_chars(&tree.root())
}

fn own_chars(root: &NodeRef<'_>) -> usize {
    const UNSEEN: &[&str] =
        &["a", "script", "style", "noscript", "template", "head", "svg", "nav", "button", "select", "textarea"];
    let mut count = 0;
    let mut open = vec![*root];
    while let Some(node) = open.pop() {
        if node.is_text() {
            count += node.normalized_char_count();
        } else if !node.element_ref().is_some_and(|element| UNSEEN.contains(&&*element.name.local)) {
            open.extend(node.children_it(false));
        }
    }
    count
}
