// SPDX-License-Identifier: Apache-2.0
//! A long text page by page.

/// One page of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page<'a> {
    /// What is on it.
    pub text: &'a str,
    /// Its number; the first is 1.
    pub number: usize,
    /// How many there are.
    pub of: usize,
}

/// Cuts a text into pages of at most `size` characters, between paragraphs where it can, else between lines, sentences
/// or words. The pages in a row are the whole text, unchanged. An empty text is one empty page; a `size` of 0 counts as 1.
pub fn pages(text: &str, size: usize) -> Vec<Page<'_>> {
    let mut cut = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (page, more) = rest.split_at(end_of_page(rest, size.max(1)));
        cut.push(page);
        rest = more;
    }
    if cut.is_empty() {
        cut.push(text);
    }
    let of = cut.len();
    cut.into_iter().enumerate().map(|(at, text)| Page { text, number: at + 1, of }).collect()
}

/// How many bytes of a text its first page has.
fn end_of_page(text: &str, size: usize) -> usize {
    let Some((most, _)) = text.char_indices().nth(size) else { return text.len() };
    // An empty line is not cut in two.
    let page = if text[most..].starts_with('\n') { text[..most].trim_end_matches('\n') } else { &text[..most] };
    // A break far above the end would leave the page too empty; one between paragraphs may stand higher than others.
    [("\n\n", 3), ("\n", 2), ("。", 2), (". ", 2), (" ", 2)]
        .into_iter()
        .find_map(|(mark, part)| page.rfind(mark).map(|at| at + mark.len()).filter(|end| *end * part > most))
        .unwrap_or(most)
}
