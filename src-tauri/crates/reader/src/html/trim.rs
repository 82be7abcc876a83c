// SPDX-License-Identifier: Apache-2.0
//! What is left around an article after it was found: the title said again, dates and names above the text; below it
//! tags, hints at other pages and who wrote it. All of it is short or a link, and stands before or after the prose.

use super::blocks::{Block, blocks, is_prose, link_chars, words};
use dom_query::NodeRef;

/// Takes off what is not the article's text.
pub(super) fn trim(article: &NodeRef<'_>, title: &str) {
    let blocks = blocks(article);
    let Some(first) = blocks.iter().position(|block| is_prose(&block.text)) else { return };
    for block in blocks[..first].iter().filter(|block| is_preamble(block, title)) {
        block.node.remove_from_parent();
    }
    let kept = blocks.iter().rposition(|block| !is_afterword(block)).unwrap_or(first).max(first) + 1;
    for block in &blocks[kept..] {
        block.node.remove_from_parent();
    }
    let asides: Vec<_> = blocks[first..kept].iter().filter(|block| is_aside(block)).collect();
    // A page that is made of such lines is a list of them.
    if asides.len() * 4 <= kept - first {
        for block in asides {
            block.node.remove_from_parent();
        }
    }
}

fn is_preamble(block: &Block<'_>, title: &str) -> bool {
    if block.is_whole() {
        return false;
    }
    let (text, lower, count) = (block.text.as_str(), block.text.to_lowercase(), words(&block.text));
    same_text(text, title)
        || (!is_sentence(text) && ((count <= 25 && has_date(&lower)) || (count <= 14 && begins_with(&lower, BY))))
        || (count <= 12
            && (begins_with(&lower, ASIDE) || begins_with(&lower, AFTER) || begins_with(&lower, AFTER_SHORT)))
        || (block.name != "li" && count <= 12 && is_link(block))
}

/// Whether a block at the end belongs to the page and not to the text.
fn is_afterword(block: &Block<'_>) -> bool {
    if block.is_whole() {
        return false;
    }
    let (text, lower, count) = (block.text.as_str(), block.text.to_lowercase(), words(&block.text));
    block.is_heading()
        || (is_link(block) && !is_sentence(text))
        || (count <= 60 && begins_with(&lower, AFTER))
        || (count <= 15 && begins_with(&lower, AFTER_SHORT))
        || (count <= 40 && begins_with(&lower, ASIDE))
        || (count <= 6 && !is_sentence(text) && block.name != "li" && !text.contains(|c: char| c.is_ascii_digit()))
}

/// A hint at another page in the middle of the text.
fn is_aside(block: &Block<'_>) -> bool {
    if block.is_whole() || block.is_heading() || matches!(block.name.as_str(), "li" | "blockquote" | "dd" | "dt") {
        return false;
    }
    let (lower, count) = (block.text.to_lowercase(), words(&block.text));
    (count <= 30 && begins_with(&lower, ASIDE) && (count <= 3 || link_chars(&block.node) > 0))
        || (count >= 3 && is_link(block) && !is_sentence(&block.text))
}

/// Whether nearly all of a block is links.
fn is_link(block: &Block<'_>) -> bool {
    link_chars(&block.node) * 10 >= block.text.chars().count() * 8
}

fn is_sentence(text: &str) -> bool {
    text.trim_end_matches(['"', '”', '’', '\'', ')', '»', '」', '』'])
        .ends_with(['.', '!', '?', '…', '。', '！', '？', ':'])
}

/// Whether two texts are the same but for marks, or one is the beginning of the other.
fn same_text(one: &str, other: &str) -> bool {
    let plain =
        |text: &str| text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
    let (one, other) = (plain(one), plain(other));
    !one.is_empty() && (one == other || (one.len() >= 20 && other.starts_with(&one)))
}

/// Whether a line of small letters begins with one of these.
fn begins_with(lower: &str, beginnings: &[&str]) -> bool {
    let text = lower.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '©');
    beginnings.iter().any(|beginning| {
        text.strip_prefix(beginning).is_some_and(|rest| {
            // A whole word, except in writing without spaces.
            !beginning.ends_with(char::is_alphanumeric)
                || beginning.ends_with(|c| c >= '\u{2E80}')
                || !rest.starts_with(char::is_alphanumeric)
        })
    })
}

/// How a line with the author begins.
const BY: &[&str] = &[
    "by",
    "von",
    "par",
    "por",
    "di",
    "door",
    "av",
    "written by",
    "reported by",
    "автор",
    "作者",
    "文/",
    "記者",
    "记者",
];

/// How hints at something else begin, in the middle of a text and below it.
const ASIDE: &[&str] = &[
    "advertisement",
    "also on",
    "also read",
    "also see",
    "anzeige",
    "don't miss",
    "don’t miss",
    "leggi anche",
    "leia também",
    "lees ook",
    "lea también",
    "lesen sie auch",
    "lire aussi",
    "mehr zum thema",
    "more on this",
    "more from",
    "more:",
    "publicidad",
    "publicidade",
    "pubblicità",
    "read also",
    "read more",
    "read next",
    "related",
    "recommended",
    "see also",
    "see more",
    "story continues below",
    "veja também",
    "vedi anche",
    "ver también",
    "voir aussi",
    "watch:",
    "you may also like",
    "you might also like",
    "you may be interested",
    "you might be interested",
    "читайте также",
    "延伸阅读",
    "相关阅读",
    "関連記事",
];

/// How lines below a text begin.
const AFTER: &[&str] = &[
    "about the author",
    "all rights reserved",
    "click here to subscribe",
    "click here to sign",
    "contact us",
    "copyright",
    "©",
    "download the app",
    "editing by",
    "filed under",
    "follow us",
    "get the latest",
    "join our",
    "like this",
    "more great",
    "more stories",
    "photo by",
    "posted in",
    "reporting by",
    "schlagwörter",
    "sharing is",
    "sign up",
    "subscribe",
    "tags",
    "this article was originally",
    "this story was originally",
    "write to the author",
    "责任编辑",
    "编辑：",
];

/// The same for words that also begin ordinary sentences: short lines only.
const AFTER_SHORT: &[&str] = &[
    "categories",
    "category",
    "click here",
    "comments",
    "download the",
    "etiquetas",
    "follow",
    "for more information",
    "join the",
    "listen to",
    "photo:",
    "photos:",
    "posted by",
    "share",
    "tag:",
    "topics",
    "views expressed",
    "write to",
    "标签",
    "теги",
    "タグ",
];

const MONTHS: &[&str] = &[
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "févr", "mär", "mai", "juin",
    "juil", "août", "okt", "dez", "ene", "abr", "ago", "dic", "fev", "set", "out", "gen", "mag", "giu", "lug", "ott",
];

/// Whether a line of small letters holds a date or a time of day.
fn has_date(lower: &str) -> bool {
    let (mut number, mut month, mut year) = (false, false, false);
    for word in lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            number = true;
            year |= word.len() == 4 && (word.starts_with("19") || word.starts_with("20"));
            if word.contains(['年', '月']) {
                return true;
            }
        } else {
            month |= MONTHS.iter().any(|name| word.starts_with(name));
        }
    }
    let clock = lower.as_bytes().windows(4).any(|four| {
        four[0].is_ascii_digit()
            && matches!(four[1], b':' | b'h')
            && four[2].is_ascii_digit()
            && four[3].is_ascii_digit()
    });
    number && (month || year || clock || lower.contains(" ago"))
}
