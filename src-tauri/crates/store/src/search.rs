// SPDX-License-Identifier: Apache-2.0
//! Text to search tokens, the same way for what is indexed and for what is asked.
//!
//! Words are folded (case, width, accents) and found by their beginning. Scripts without spaces are indexed as pairs of
//! neighbours, with the last character of a run by itself: two characters are a token, more a phrase, one a beginning.

use std::fmt::Write as _;
use std::iter::Peekable;
use std::str::CharIndices;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Terms of a query beyond this many are left out.
const MOST_TERMS: usize = 32;
/// Characters of one token; the rest of a longer word is not searched.
const LONGEST: usize = 64;
/// Characters of a snippet.
const SNIPPET: usize = 120;
/// Characters of a snippet before the hit.
const BEFORE: usize = 36;

/// A piece of text that is searched as one.
enum Piece {
    /// A word or a symbol, folded.
    Word(usize, String),
    /// Characters of scripts without spaces, folded, each with its place.
    Run(Vec<(usize, char)>),
}

struct Pieces<'a>(Peekable<CharIndices<'a>>);

#[derive(PartialEq, Clone, Copy)]
enum Class {
    Letter,
    Dense,
    Symbol,
    Gap,
}

fn class(c: char) -> Class {
    match c {
        '\0'..='\x7f' if c.is_ascii_alphanumeric() => Class::Letter,
        '\0'..='\x7f' => Class::Gap,
        '\u{30A0}' | '\u{30FB}' => Class::Gap,
        '\u{2E80}'..='\u{2FDF}'
        | '\u{3005}'..='\u{3007}'
        | '\u{3021}'..='\u{3029}'
        | '\u{3041}'..='\u{3096}'
        | '\u{309D}'..='\u{312F}'
        | '\u{31F0}'..='\u{31FF}'
        | '\u{3400}'..='\u{4DBF}'
        | '\u{4E00}'..='\u{9FFF}'
        | '\u{AC00}'..='\u{D7A3}'
        | '\u{F900}'..='\u{FAFF}'
        | '\u{FF66}'..='\u{FF9D}'
        | '\u{20000}'..='\u{3FFFD}' => Class::Dense,
        '\u{2190}'..='\u{2BFF}' | '\u{1F000}'..='\u{1FAFF}' => Class::Symbol,
        _ if c.is_alphanumeric() || is_combining_mark(c) => Class::Letter,
        _ => Class::Gap,
    }
}

/// Adds a character without case, width and accents.
fn fold(c: char, out: &mut String) {
    if c.is_ascii() {
        out.push(c.to_ascii_lowercase());
        return;
    }
    let bare = std::iter::once(c).nfkd().filter(|m| !('\u{300}'..='\u{36F}').contains(m)).nfc();
    out.extend(bare.flat_map(char::to_lowercase).filter(|c| matches!(class(*c), Class::Letter | Class::Dense)));
}

impl<'a> Pieces<'a> {
    fn of(text: &'a str) -> Self {
        Self(text.char_indices().peekable())
    }
}

impl Iterator for Pieces<'_> {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        loop {
            let (start, first) = self.0.next()?;
            match class(first) {
                Class::Gap => {}
                Class::Symbol => return Some(Piece::Word(start, first.to_string())),
                Class::Letter => {
                    let mut word = String::new();
                    let mut length = 1;
                    fold(first, &mut word);
                    while let Some((_, c)) = self.0.next_if(|(_, c)| class(*c) == Class::Letter) {
                        length += 1;
                        if length <= LONGEST {
                            fold(c, &mut word);
                        }
                    }
                    if !word.is_empty() {
                        return Some(Piece::Word(start, word));
                    }
                }
                Class::Dense => {
                    let mut run = Vec::new();
                    let mut folded = String::new();
                    let mut next = Some((start, first));
                    while let Some((at, c)) = next {
                        folded.clear();
                        fold(c, &mut folded);
                        run.extend(folded.chars().map(|c| (at, c)));
                        next = self.0.next_if(|(_, c)| class(*c) == Class::Dense);
                    }
                    if !run.is_empty() {
                        return Some(Piece::Run(run));
                    }
                }
            }
        }
    }
}

/// What is handed to the full-text index for a text: tokens separated by spaces. Changing what comes out takes a
/// migration that indexes everything anew, since rows are removed from the index by giving their tokens again.
pub(crate) fn tokens(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for piece in Pieces::of(text) {
        match piece {
            Piece::Word(_, word) => {
                out.push_str(&word);
                out.push(' ');
            }
            Piece::Run(run) => {
                for (i, (_, c)) in run.iter().enumerate() {
                    out.push(*c);
                    out.extend(run.get(i + 1).map(|(_, c)| *c));
                    out.push(' ');
                }
            }
        }
    }
    out
}

/// What somebody looks for.
pub(crate) struct Query(Vec<Term>);

enum Term {
    Word(String),
    Run(Vec<char>),
}

impl Query {
    /// Reads a query. Every character is data; `None` when nothing in it can be searched.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let terms: Vec<Term> = Pieces::of(text)
            .take(MOST_TERMS)
            .map(|piece| match piece {
                Piece::Word(_, word) => Term::Word(word),
                Piece::Run(run) => Term::Run(run.into_iter().take(LONGEST).map(|(_, c)| c).collect()),
            })
            .collect();
        if terms.is_empty() { None } else { Some(Self(terms)) }
    }

    /// As an FTS5 query: every term must be there.
    pub(crate) fn all(&self) -> String {
        let mut out = String::new();
        for term in &self.0 {
            let and = if out.is_empty() { "" } else { " AND " };
            // Tokens hold letters, digits and symbols only: nothing that could close the quotes.
            let _ = match term {
                Term::Word(word) => write!(out, "{and}\"{word}\"*"),
                Term::Run(run) => write!(out, "{and}{}", phrase(run)),
            };
        }
        out
    }

    /// As an FTS5 query: some term, or some pair of a run, must be there.
    pub(crate) fn any(&self) -> String {
        let mut parts: Vec<String> = Vec::new();
        for term in &self.0 {
            match term {
                Term::Word(word) => parts.push(format!("\"{word}\"*")),
                Term::Run(run) if run.len() == 1 => parts.push(phrase(run)),
                Term::Run(run) => parts.extend(run.windows(2).map(phrase)),
            }
        }
        parts.truncate(2 * MOST_TERMS);
        parts.join(" OR ")
    }

    /// Where a term first occurs in a text, as a byte offset.
    fn find(&self, text: &str) -> Option<usize> {
        Pieces::of(text).find_map(|piece| match piece {
            Piece::Word(start, word) => {
                self.0.iter().any(|t| matches!(t, Term::Word(w) if word.starts_with(w.as_str()))).then_some(start)
            }
            Piece::Run(run) => self.0.iter().find_map(|term| match term {
                Term::Run(wanted) => run
                    .windows(wanted.len())
                    .find(|window| window.iter().map(|(_, c)| c).eq(wanted.iter()))
                    .map(|window| window[0].0),
                Term::Word(_) => None,
            }),
        })
    }

    /// The text around the first hit, on one line, at most 120 characters.
    pub(crate) fn snippet(&self, text: &str) -> String {
        let hit = self.find(text).unwrap_or(0);
        let mut start = hit;
        let before = text[..hit].char_indices().rev().take(BEFORE);
        for (at, _) in before {
            start = at;
        }
        if start > 0 {
            // Begin at a word, unless that would begin at the hit itself or behind it.
            let space = text[start..hit].find(char::is_whitespace);
            start += space.map_or(0, |s| s + 1);
        }
        while !text.is_char_boundary(start) {
            start += 1;
        }
        let opening = if start > 0 { "…" } else { "" };
        cut(&format!("{opening}{}", &text[start..]), SNIPPET)
    }
}

fn phrase(run: &[char]) -> String {
    match run {
        [one] => format!("\"{one}\"*"),
        _ => {
            let pairs: Vec<String> = run.windows(2).map(|pair| pair.iter().collect()).collect();
            format!("\"{}\"", pairs.join(" "))
        }
    }
}

/// The beginning of a text on one line: at most `most` characters, an ellipsis at the end when something is missing.
pub(crate) fn cut(text: &str, most: usize) -> String {
    let mut out = String::new();
    let mut length = 0;
    let mut gap = false;
    for c in text.chars() {
        if c.is_whitespace() || c.is_control() {
            gap = length > 0;
            continue;
        }
        if length + usize::from(gap) >= most {
            if length >= most {
                out.pop();
            }
            out.truncate(out.trim_end().len());
            out.push('…');
            return out;
        }
        if gap {
            out.push(' ');
            length += 1;
            gap = false;
        }
        out.push(c);
        length += 1;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn tokens_are_words_pairs_and_single_symbols() {
        let table = [
            ("Hello, World-wide foo_bar", "hello world wide foo bar "),
            ("天安门", "天安 安门 门 "),
            ("用Rust写", "用 rust 写 "),
            ("Ｃａｆé CAFE\u{301} naïve", "cafe cafe naive "),
            ("ｶﾀｶﾅ カタカナ", "カタ タカ カナ ナ カタ タカ カナ ナ "),
            ("done 🎉🎉 → next", "done 🎉 🎉 → next "),
            ("한국어 ok", "한국 국어 어 ok "),
            ("a\0b\"c' *NEAR(", "a b c near "),
            ("\u{301}", ""),
            ("、。！", ""),
        ];
        for (text, expected) in table {
            assert_eq!(tokens(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_query_quotes_everything() {
        let query = |q: &str| Query::parse(q).map(|q| q.all());
        assert_eq!(query("don't \"NEAR\"*").as_deref(), Some("\"don\"* AND \"t\"* AND \"near\"*"));
        assert_eq!(query("天安门").as_deref(), Some("\"天安 安门\""));
        assert_eq!(query("门").as_deref(), Some("\"门\"*"));
        assert_eq!(query("*\" ()\0"), None);
        assert_eq!(
            Query::parse("我的生日 cake").map(|q| q.any()).as_deref(),
            Some("\"我的\" OR \"的生\" OR \"生日\" OR \"cake\"*")
        );
    }

    #[test]
    fn a_snippet_shows_the_hit() {
        let query = Query::parse("needle").unwrap();
        let text = format!("{} the Needle\nlies here {}", "hay ".repeat(40), "straw ".repeat(40));
        let snippet = query.snippet(&text);
        assert_eq!(
            snippet,
            "…hay hay hay hay hay hay hay the Needle lies here straw straw straw straw straw straw straw straw straw straw straw str…"
        );
        assert_eq!(snippet.chars().count(), 120);
        assert_eq!(Query::parse("安门").unwrap().snippet("去天安门广场"), "去天安门广场");
        assert_eq!(Query::parse("cafe").unwrap().snippet("a CAFÉ"), "a CAFÉ");
    }

    #[test]
    fn cut_keeps_to_its_length() {
        assert_eq!(cut("  a \n\t b  ", 10), "a b");
        assert_eq!(cut("abcdef", 6), "abcdef");
        assert_eq!(cut("abcdefg", 6), "abcde…");
        assert_eq!(cut("ab cd", 4), "ab…");
        assert_eq!(cut("", 4), "");
    }

    proptest! {
        #[test]
        fn snippets_and_cuts_never_grow_too_long(text in "\\PC{0,300}", query in "\\PC{1,10}") {
            if let Some(query) = Query::parse(&query) {
                prop_assert!(query.snippet(&text).chars().count() <= SNIPPET);
            }
            prop_assert!(cut(&text, 40).chars().count() <= 40);
        }

        #[test]
        fn a_piece_of_a_text_is_found_in_it(text in "[a-zA-Z一-龥 é🎉]{1,60}", from in 0usize..60, length in 1usize..20) {
            let words: Vec<char> = text.chars().collect();
            let part: String = words.iter().skip(from.min(words.len() - 1)).take(length).collect();
            // From the beginning of a word on: the middle of a word is not searched.
            let at_word = from == 0 || !words.get(from - 1).is_some_and(|c| class(*c) == Class::Letter);
            if let (true, Some(query)) = (at_word && from < words.len(), Query::parse(&part)) {
                prop_assert!(query.find(&text).is_some());
            }
        }
    }
}
