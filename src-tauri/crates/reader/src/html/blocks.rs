// SPDX-License-Identifier: Apache-2.0
//! An article as the blocks a reader sees, one after another.

use dom_query::NodeRef;

/// A block without blocks of its own inside.
pub(super) struct Block<'a> {
    pub(super) node: NodeRef<'a>,
    /// The element's name.
    pub(super) name: String,
    /// The text, white space made single.
    pub(super) text: String,
}

impl Block<'_> {
    pub(super) fn is_heading(&self) -> bool {
        matches!(self.name.as_bytes(), [b'h', b'1'..=b'6'])
    }

    /// Whether it is one of those that are taken as a whole: nothing is taken off them.
    pub(super) fn is_whole(&self) -> bool {
        is_whole(&self.name)
    }
}

const BLOCKS: &[&str] = &[
    "p",
    "div",
    "section",
    "article",
    "header",
    "footer",
    "aside",
    "main",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "ul",
    "ol",
    "li",
    "dl",
    "dt",
    "dd",
    "blockquote",
    "pre",
    "table",
    "figure",
    "address",
    "details",
    "summary",
    "center",
    "hr",
    "form",
    "fieldset",
    "figcaption",
];

fn is_block(name: &str) -> bool {
    BLOCKS.contains(&name)
}

fn is_whole(name: &str) -> bool {
    matches!(name, "pre" | "table" | "figure")
}

/// The blocks of an article with text in them, in order. Tables, figures and code are one block each.
pub(super) fn blocks<'a>(root: &NodeRef<'a>) -> Vec<Block<'a>> {
    let mut found = Vec::new();
    let mut open: Vec<NodeRef<'a>> = root.children_it(true).collect();
    while let Some(node) = open.pop() {
        let Some(name) = node.element_ref().map(|element| element.name.local.to_string()) else { continue };
        if is_whole(&name)
            || (is_block(&name)
                && !node
                    .descendants_it()
                    .any(|inner| inner.element_ref().is_some_and(|element| is_block(&element.name.local))))
        {
            let text = plain(&node.text());
            if !text.is_empty() {
                found.push(Block { node, name, text });
            }
        } else {
            open.extend(node.children_it(true));
        }
    }
    found
}

/// Text with its white space made single.
pub(super) fn plain(text: &str) -> String {
    let mut all = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !all.is_empty() {
            all.push(' ');
        }
        all.push_str(word);
    }
    all
}

/// How many words a text has; in writing without spaces two characters count as one.
pub(super) fn words(text: &str) -> usize {
    text.split_whitespace().map(|word| (word.chars().filter(|c| *c >= '\u{2E80}').count() / 2).max(1)).sum()
}

/// Whether a block reads like part of a text: long, or a sentence of some length.
pub(super) fn is_prose(text: &str) -> bool {
    let count = words(text);
    count >= 25
        || (count >= 12
            && text.trim_end_matches(['"', '”', '’', ')', '」']).ends_with(['.', '!', '?', '…', '。', '！', '？', ':']))
}

/// How many characters of a block are in links.
pub(super) fn link_chars(node: &NodeRef<'_>) -> usize {
    if node.has_name("a") {
        return node.normalized_char_count();
    }
    node.descendants_it().filter(|inner| inner.has_name("a")).map(|link| link.normalized_char_count()).sum()
}
