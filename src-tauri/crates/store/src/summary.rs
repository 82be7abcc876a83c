// SPDX-License-Identifier: Apache-2.0
//! Titles and previews: the beginning of a text on one line.

use crate::search::cut;

/// Characters of a title made from a message.
const TITLE: usize = 60;
/// Characters of a preview.
const PREVIEW: usize = 120;

/// A title from the beginning of the first message, cut at the end of a word where there is one.
pub(crate) fn title(text: &str) -> String {
    let whole = cut(text, TITLE);
    let Some(kept) = whole.strip_suffix('…').filter(|kept| !text.trim_end().ends_with(&format!("{kept}…"))) else {
        return whole;
    };
    // Scripts without spaces have no such place; then the cut stays where it fell.
    match kept.rsplit_once(' ') {
        Some((words, last)) if last.is_ascii() && words.chars().count() >= TITLE / 2 => {
            format!("{}…", words.trim_end_matches([',', ';', ':', '-']))
        }
        _ => whole,
    }
}

/// The beginning of a markdown text as plain words.
pub(crate) fn preview(text: &str) -> String {
    let mut plain = String::new();
    // Far more than a preview shows, so that a long answer costs no more than a short one.
    let start: String = text.chars().take(PREVIEW * 8).collect();
    for line in start.lines() {
        let line = unmarked(line.trim());
        if !line.starts_with("```") && !line.chars().all(|c| matches!(c, '-' | '=' | '*' | '|' | ':' | ' ')) {
            inline(line, &mut plain);
            plain.push(' ');
        }
    }
    cut(&plain, PREVIEW)
}

/// A line without the marks of a heading, a quotation or a list at its beginning.
fn unmarked(line: &str) -> &str {
    let mut line = line;
    loop {
        let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let numbered = match line[digits..].strip_prefix(['.', ')']) {
            Some(rest) if digits > 0 && digits < 4 => rest.strip_prefix(' '),
            _ => None,
        };
        let next = numbered.or_else(|| {
            let rest = line.trim_start_matches('#');
            let bare = if rest.len() < line.len() { rest } else { line.strip_prefix(['>', '-', '*', '+'])? };
            if bare.is_empty() { Some(bare) } else { bare.strip_prefix(' ') }
        });
        match next {
            Some(rest) => line = rest.trim_start(),
            None => return line,
        }
    }
}

/// Adds a line without emphasis and code marks; of a link or a picture only its text.
fn inline(line: &str, out: &mut String) {
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        if let Some((text, after)) = link(rest.strip_prefix('!').unwrap_or(rest)) {
            inline(text, out);
            rest = after;
            continue;
        }
        if !matches!(c, '*' | '`') {
            out.push(c);
        }
        rest = &rest[c.len_utf8()..];
    }
}

/// `[text](target)` at the beginning: its text and what follows.
fn link(rest: &str) -> Option<(&str, &str)> {
    let (text, after) = rest.strip_prefix('[')?.split_once("](")?;
    let (_, after) = after.split_once(')')?;
    if text.contains(['[', ']']) { None } else { Some((text, after)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_one_line_and_end_with_a_word() {
        let table = [
            ("Hello", "Hello"),
            ("  two\nlines \t here ", "two lines here"),
            (
                "Please find me a quiet hotel near the station, not too expensive, with breakfast",
                "Please find me a quiet hotel near the station, not too…",
            ),
            ("a title that already ends with dots…", "a title that already ends with dots…"),
            ("", ""),
        ];
        for (text, expected) in table {
            assert_eq!(title(text), expected, "{text:?}");
        }
        let chinese = title(&"帮我查一下明天从北京到上海的火车票价格".repeat(5));
        assert_eq!((chinese.chars().count(), chinese.chars().last()), (60, Some('…')));
        assert_eq!(title(&"x".repeat(100)), format!("{}…", "x".repeat(59)));
    }

    #[test]
    fn previews_are_plain_words() {
        let table = [
            ("# Title\n\nSome **bold** and `code`.", "Title Some bold and code."),
            ("- one\n- two\n\n1. three", "one two three"),
            ("> quoted [link](https://example.org/a) end", "quoted link end"),
            ("![chart](a.png) below", "chart below"),
            ("```rust\nlet x = 1;\n```", "let x = 1;"),
            ("| a | b |\n|---|---|\n| 1 | 2 |", "| a | b | | 1 | 2 |"),
            ("2 * 3 = 6, snake_case, a[0](x", "2 3 = 6, snake_case, a[0](x"),
            ("#hashtag -5 1.5", "#hashtag -5 1.5"),
            ("", ""),
        ];
        for (text, expected) in table {
            assert_eq!(preview(text), expected, "{text:?}");
        }
        assert_eq!(preview(&"word ".repeat(100)).chars().count(), 120);
    }
}
