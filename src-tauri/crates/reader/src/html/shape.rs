// SPDX-License-Identifier: Apache-2.0
//! Pages made to be slow: found before they are parsed, and read by their tokens alone, in one pass and little memory.

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts, states};
use std::cell::RefCell;

/// The most tags that a tree is made of.
const MOST_TAGS: usize = 150_000;

/// The deepest nesting; what browsers allow.
const DEEPEST: usize = 512;

/// The most work that restoring unclosed inline marks (`<b>`, `<font>`) in each new block may make.
const MOST_RESTORED: usize = 2_000_000;

/// The most attributes of one tag, counted by what stands between them: equals signs, and white space, of which values
/// have much, too. Each attribute is compared with all before it. What is less
/// than this may be a comparison in a script that looks like a tag.
const MOST_ATTRIBUTES: (usize, usize) = (5_000, 20_000);

/// Elements without an end tag of their own, or whose end people leave out.
const OPEN_ENDED: &[&[u8]] = &[
    b"area",
    b"base",
    b"br",
    b"col",
    b"colgroup",
    b"dd",
    b"dt",
    b"embed",
    b"hr",
    b"img",
    b"input",
    b"li",
    b"link",
    b"meta",
    b"option",
    b"p",
    b"param",
    b"path",
    b"rp",
    b"rt",
    b"source",
    b"tbody",
    b"td",
    b"tfoot",
    b"th",
    b"thead",
    b"tr",
    b"track",
    b"wbr",
];

/// Inline marks that the parser opens again in the next block when they were not closed.
const RESTORED: &[&[u8]] =
    &[b"a", b"b", b"big", b"code", b"em", b"font", b"i", b"nobr", b"s", b"small", b"strike", b"strong", b"tt", b"u"];

/// Whether making a tree of this page takes time that grows with its length and not with its square: for whoever parses
/// what others wrote without this crate's own limits.
pub fn is_bounded(html: &str) -> bool {
    let bytes = html.as_bytes();
    let (mut tags, mut depth, mut marks, mut most_marks) = (0usize, 0usize, 0usize, 0usize);
    let mut looked_through = 0;
    for at in memchr::memchr_iter(b'<', bytes) {
        let rest = &bytes[at + 1..];
        let (closes, rest) = match rest {
            [b'/', rest @ ..] => (true, rest),
            rest => (false, rest),
        };
        if !rest.first().is_some_and(u8::is_ascii_alphabetic) {
            continue;
        }
        let mut name = [0u8; 12];
        let mut length = 0;
        for byte in rest.iter().take(name.len()).take_while(|byte| byte.is_ascii_alphanumeric()) {
            name[length] = byte.to_ascii_lowercase();
            length += 1;
        }
        let name = &name[..length];
        tags += 1;
        // A tag is looked through once, however many others seem to begin in it.
        if at >= looked_through {
            let tag = &rest[..tag_length(rest)];
            if has_many_attributes(tag) {
                return false;
            }
            looked_through = at + tag.len();
        }
        let step = |count: usize| if closes { count.saturating_sub(1) } else { count + 1 };
        if RESTORED.contains(&name) {
            marks = step(marks);
            most_marks = most_marks.max(marks);
        }
        if !OPEN_ENDED.contains(&name) {
            depth = step(depth);
        }
        if tags > MOST_TAGS || depth > DEEPEST || (most_marks > 16 && most_marks * tags > MOST_RESTORED) {
            return false;
        }
    }
    true
}

/// How long the tag at the beginning of these bytes is, without its end.
fn tag_length(bytes: &[u8]) -> usize {
    memchr::memchr(b'>', bytes).unwrap_or(bytes.len())
}

/// Whether a tag has more attributes than can be read in good time.
fn has_many_attributes(tag: &[u8]) -> bool {
    // A shorter one can't have so many.
    tag.len() > MOST_ATTRIBUTES.0 * 2
        && (memchr::memchr_iter(b'=', tag).count() > MOST_ATTRIBUTES.0
            || tag.iter().filter(|byte| byte.is_ascii_whitespace()).count() > MOST_ATTRIBUTES.1)
}

/// A page without the tags that have too many attributes.
fn without_large_tags(html: &str) -> String {
    let mut kept = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(at) = memchr::memchr(b'<', rest.as_bytes()) {
        let (before, tag) = rest.split_at(at);
        kept.push_str(before);
        let (tag, after) = tag.split_at(tag_length(tag.as_bytes()));
        if has_many_attributes(tag.as_bytes()) {
            rest = after.strip_prefix('>').unwrap_or(after);
        } else {
            kept.push_str(tag);
            rest = after;
        }
    }
    kept + rest
}

/// The title and the text of a page by its tokens: blocks are paragraphs, and there is no markdown.
pub(super) fn text(html: &str) -> (String, String) {
    let read = tokens(html);
    let lines = read.text.lines().map(super::blocks::plain).filter(|line| !line.is_empty());
    (super::blocks::plain(&read.title), lines.collect::<Vec<_>>().join("\n\n"))
}

#[derive(Default)]
struct Read {
    text: String,
    title: String,
    /// The element whose text is not shown, while in it.
    skipped: Option<String>,
    in_title: bool,
}

struct Sink(RefCell<Read>);

fn tokens(html: &str) -> Read {
    let tokenizer = Tokenizer::new(Sink(RefCell::default()), TokenizerOpts::default());
    let input = BufferQueue::default();
    input.push_back(StrTendril::from_slice(&without_large_tags(html)));
    // This sink never stops the tokenizer, so that one call reads all.
    let _ = tokenizer.feed(&input);
    tokenizer.end();
    tokenizer.sink.0.into_inner()
}

impl TokenSink for Sink {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        const INLINE: &[&str] = &[
            "a", "abbr", "b", "big", "cite", "code", "em", "font", "i", "mark", "q", "s", "small", "span", "strong",
            "sub", "sup", "tt", "u", "var",
        ];
        let mut read = self.0.borrow_mut();
        match token {
            Token::CharacterTokens(text) if read.in_title => read.title.push_str(&text),
            Token::CharacterTokens(text) if read.skipped.is_none() => read.text.push_str(&text),
            Token::TagToken(tag) => {
                let name = &*tag.name;
                let opens = tag.kind == TagKind::StartTag;
                if !opens && read.skipped.as_deref() == Some(name) {
                    read.skipped = None;
                }
                if name == "title" {
                    read.in_title = opens;
                }
                if !INLINE.contains(&name) {
                    read.text.push('\n');
                }
                if opens && read.skipped.is_none() {
                    let raw = match name {
                        "script" => Some(states::RawKind::ScriptData),
                        "style" | "noscript" | "iframe" | "noembed" | "noframes" | "xmp" => {
                            Some(states::RawKind::Rawtext)
                        }
                        "title" | "textarea" => Some(states::RawKind::Rcdata),
                        _ => None,
                    };
                    if let Some(kind) = raw {
                        if name != "title" {
                            read.skipped = Some(name.to_owned());
                        }
                        return TokenSinkResult::RawData(kind);
                    }
                }
            }
            _ => {}
        }
        TokenSinkResult::Continue
    }
}
