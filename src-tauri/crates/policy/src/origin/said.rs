// SPDX-License-Identifier: Apache-2.0
//! Texts that values are looked up in.

use super::address;
use super::normal::{
    address_stands_in, composed, has_lookalikes, is_invisible, is_unspaced, normal, squashed, stands_in,
};
use super::when::{Named, When};
use std::collections::HashSet;

/// A text that values are looked up in.
#[derive(Clone, Debug)]
pub(super) struct Said {
    /// As it was written.
    raw: String,
    normal: String,
    /// Where it differs from `normal`.
    composed: Option<String>,
    squashed: String,
    numbers: HashSet<String>,
    named: Named,
}

impl Said {
    pub(super) fn new(text: &str) -> Self {
        let normal = normal(text);
        let composed = Some(composed(text)).filter(|composed| *composed != normal);
        Self {
            raw: text.to_owned(),
            composed,
            squashed: squashed(text),
            numbers: address::numbers(text).collect(),
            named: Named::read(&normal),
            normal,
        }
    }

    /// Whether it has these letters and digits in a row, however they are spelt.
    pub(super) fn has_squashed(&self, letters: &str) -> bool {
        self.squashed.contains(letters)
    }

    /// Whether a number stands in it as it is.
    pub(super) fn has_number(&self, number: &str) -> bool {
        stands_in(number, &self.normal)
    }
}

/// A value to look up.
pub(super) struct Wanted<'a> {
    raw: &'a str,
    normal: String,
    form: Form,
}

enum Form {
    /// It never traces.
    Nothing,
    /// A moment traces to a text that names it in whatever form.
    When(When),
    /// An account or telephone number, however it is grouped.
    Number(String),
    /// An address or a path: letter by letter, but for the case of so many bytes at the start.
    Address { host: usize },
    /// With compatibility forms in it.
    Lookalike(String),
    /// Words.
    Words,
}

impl<'a> Wanted<'a> {
    pub(super) fn new(raw: &'a str) -> Self {
        let trimmed = raw.trim();
        let trimmed = ["mailto:", "tel:"].iter().find_map(|scheme| trimmed.strip_prefix(scheme)).unwrap_or(trimmed);
        let normal = normal(trimmed);
        let form = if raw.contains(is_invisible) || trimmed.ends_with("://") {
            Form::Nothing
        } else if let Some(when) = When::read(&normal) {
            Form::When(when)
        } else if let Some(number) = address::as_number(trimmed) {
            Form::Number(number)
        } else if says_too_little(&normal) {
            Form::Nothing
        } else if let Some(host) = host_of(trimmed) {
            Form::Address { host }
        } else if has_lookalikes(trimmed) {
            Form::Lookalike(composed(trimmed))
        } else {
            Form::Words
        };
        Self { raw: trimmed, normal, form }
    }

    /// Whether it stands in one of these texts, as a whole. `freely`: what a text leaves open of a moment may be anything.
    pub(super) fn is_in(&self, texts: &[Said], freely: bool) -> bool {
        texts.iter().any(|said| match &self.form {
            Form::Nothing => false,
            Form::When(when) => said.named.names(*when, freely),
            Form::Number(number) => said.numbers.contains(number) || stands_in(&self.normal, &said.normal),
            Form::Address { host } => self.address_is_in(*host, &said.raw),
            Form::Lookalike(composed) => stands_in(composed, said.composed.as_ref().unwrap_or(&said.normal)),
            Form::Words => stands_in(&self.normal, &said.normal),
        })
    }

    fn address_is_in(&self, host: usize, text: &str) -> bool {
        if address_stands_in(self.raw, host, text) {
            return true;
        }
        // A person leaves out what a URL can do without, and what they typed with http may be read safely.
        let Some((scheme, bare)) = self.raw[..host].split_once("://") else { return false };
        let secure = scheme.eq_ignore_ascii_case("https");
        if !(secure || scheme.eq_ignore_ascii_case("http")) || bare.is_empty() {
            return false;
        }
        let bare = &self.raw[scheme.len() + 3..];
        let host = host - scheme.len() - 3;
        let unslashed = bare.strip_suffix('/').unwrap_or(bare);
        let host = host.min(unslashed.len());
        address_stands_in(unslashed, host, text)
            || (secure && address_stands_in(&format!("http://{unslashed}"), host + 7, text))
    }
}

/// How many bytes of an address or a path, scheme and host, mean the same in capitals; `None` when it is neither.
fn host_of(value: &str) -> Option<usize> {
    if value.contains(char::is_whitespace) {
        return None;
    }
    let start = value.find("://").map(|at| at + 3);
    let from = start.unwrap_or(0);
    let end = value[from..].find(['/', '?', '#', '\\']).map_or(value.len(), |at| from + at);
    let host = &value[from..end];
    if start.is_some() || end < value.len() && end > 0 && host.contains('.') && !host.starts_with('.') {
        // Who somebody is at a host is spelt as it is spelt.
        return Some(if host.contains('@') { 0 } else { end });
    }
    // A path, or something long that nobody reads: its letters are not for changing.
    let opaque = value.chars().count() >= 20
        && !value.contains('@')
        && value.contains(|c: char| c.is_ascii_digit())
        && value.contains(|c: char| c.is_ascii_alphabetic())
        && value.is_ascii();
    (opaque || value.contains(['/', '\\'])).then_some(0)
}

/// Whether a normal value is too short, or too much of a number, to mean one thing.
fn says_too_little(value: &str) -> bool {
    let letters = value.chars().filter(|c| c.is_alphabetic()).count();
    let digits = value.chars().filter(|c| c.is_numeric()).count();
    match letters {
        // Account and telephone numbers are long enough.
        0 => digits < 7,
        _ if value.contains(is_unspaced) => value.chars().count() < 2,
        _ => letters + digits < 3,
    }
}

/// What a value has in the place of a placeholder that the person wrote: `Dinner at {restaurant}`.
pub(super) fn fillings<'a>(value: &'a Wanted<'_>, words: &'a [Said]) -> impl Iterator<Item = &'a str> {
    let plain = matches!(value.form, Form::Words);
    words.iter().filter(move |_| plain).flat_map(|said| templates(&said.normal)).filter_map(|(before, after)| {
        let filled = value.normal.strip_prefix(before)?.strip_suffix(after)?.trim();
        (!filled.is_empty()).then_some(filled)
    })
}

/// What stands before and after a placeholder in quoted templates: `'Hotel: {name}'`.
fn templates(text: &str) -> impl Iterator<Item = (&str, &str)> {
    const QUOTES: [(char, char); 6] = [('\'', '\''), ('"', '"'), ('‘', '’'), ('“', '”'), ('「', '」'), ('《', '》')];
    const BRACKETS: [(char, char); 3] = [('{', '}'), ('[', ']'), ('<', '>')];
    QUOTES.into_iter().flat_map(move |(open, close)| {
        text.split(open).skip(1).filter_map(move |rest| rest.split(close).next()).filter_map(|quoted| {
            BRACKETS.into_iter().find_map(|(open, close)| {
                let (before, rest) = quoted.split_once(open)?;
                let (_, after) = rest.split_once(close)?;
                // One placeholder, and something around it that makes the rest of the person's.
                let whole = !after.contains(open)
                    && before.chars().chain(after.chars()).filter(|c| c.is_alphabetic()).count() >= 3;
                whole.then_some((before, after))
            })
        })
    })
}

/// A blank forgotten after a full stop hides what stands before it: `www.example.com.They`.
pub(super) fn with_blanks_after_stops(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut before = ' ';
    while let Some(c) = chars.next() {
        out.push(c);
        if matches!(c, '.' | '!' | '?') && before.is_lowercase() && chars.peek().is_some_and(|next| next.is_uppercase())
        {
            out.push(' ');
        }
        before = c;
    }
    out
}
