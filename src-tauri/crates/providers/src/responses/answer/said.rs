// SPDX-License-Identifier: Apache-2.0
//! What was said of each part, so that a part which comes again as a whole is not said twice and one that came with a gap
//! is said to its end.

use crate::responses::{FNV_START, fnv};
use std::collections::HashMap;

/// A part of an item that people read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Part {
    Text,
    Refusal,
    /// A summary of reasoning.
    Summary,
    /// Reasoning itself.
    Thought,
}

/// How much of a part was said, and a print of it.
#[derive(Clone, Copy, Debug)]
struct Print {
    bytes: usize,
    hash: u64,
}

impl Default for Print {
    fn default() -> Self {
        Self { bytes: 0, hash: FNV_START }
    }
}

impl Print {
    fn add(&mut self, text: &str) {
        self.bytes += text.len();
        self.hash = fnv(self.hash, text.as_bytes());
    }
}

/// The parts of one item.
#[derive(Clone, Debug, Default)]
pub(super) struct Said {
    last: Option<((Part, u64), Print)>,
    others: HashMap<(Part, u64), Print>,
}

impl Said {
    pub(super) fn is_empty(&self) -> bool {
        self.last.is_none()
    }

    fn print(&mut self, part: Part, index: u64) -> &mut Print {
        let key = (part, index);
        if self.last.is_none_or(|(last, _)| last != key) {
            let print = self.others.remove(&key).unwrap_or_default();
            if let Some((last, before)) = self.last.replace((key, print)) {
                self.others.insert(last, before);
            }
        }
        &mut self.last.get_or_insert((key, Print::default())).1
    }

    /// What was said of a part, if anything.
    fn known(&self, part: Part, index: u64) -> Print {
        let key = (part, index);
        match self.last {
            Some((last, print)) if last == key => print,
            _ => self.others.get(&key).copied().unwrap_or_default(),
        }
    }

    /// A piece was said; whether it was the first of its part.
    pub(super) fn add(&mut self, part: Part, index: u64, piece: &str) -> bool {
        let print = self.print(part, index);
        let first = print.bytes == 0;
        print.add(piece);
        first
    }

    /// Whether a whole part is another text than what was said, and much longer: most of its pieces never came.
    pub(super) fn lacks_most_of(&self, part: Part, index: u64, whole: &str) -> bool {
        let bytes = self.known(part, index).bytes;
        bytes > 0 && whole.len() > bytes + bytes / 2 && self.rest(part, index, whole).is_empty()
    }

    /// What of a whole part was not said yet.
    pub(super) fn rest<'t>(&self, part: Part, index: u64, whole: &'t str) -> &'t str {
        let print = self.known(part, index);
        match whole.get(..print.bytes) {
            Some(said) => {
                let mut again = Print::default();
                again.add(said);
                // Another text under the same number: what was said stays said.
                if again.hash == print.hash { &whole[print.bytes..] } else { "" }
            }
            None => "",
        }
    }
}

/// How what was said so far ends, so that what comes from somewhere else begins a paragraph.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Voice {
    spoke: bool,
    newlines: usize,
}

impl Voice {
    /// What goes between what was said and something new.
    pub(super) fn gap(self) -> &'static str {
        if !self.spoke { "" } else { &"\n\n"[self.newlines.min(2)..] }
    }

    pub(super) fn add(&mut self, text: &str) {
        let trailing = text.len() - text.trim_end_matches('\n').len();
        self.newlines = if trailing == text.len() { self.newlines + trailing } else { trailing };
        self.spoke |= !text.is_empty();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_not_said_is_left() {
        let mut said = Said::default();
        assert!(said.is_empty());
        assert_eq!(said.rest(Part::Text, 0, "hello"), "hello");
        assert!(said.is_empty(), "asking says nothing");
        assert!(said.add(Part::Text, 0, "hel"));
        assert!(!said.add(Part::Text, 0, "l"));
        assert!(said.add(Part::Text, 1, "other"));
        assert!(said.add(Part::Refusal, 0, "no"));
        assert_eq!(said.rest(Part::Text, 0, "hello ☃"), "o ☃");
        assert_eq!(said.rest(Part::Text, 0, "hell"), "");
        assert_eq!(said.rest(Part::Text, 0, "hallo ☃"), "", "another text");
        assert_eq!(said.rest(Part::Text, 0, "he"), "", "shorter than what was said");
        assert_eq!(said.rest(Part::Text, 0, "hel☃"), "", "cut inside a character");
        assert_eq!(said.rest(Part::Text, 1, "other"), "");
        assert!(said.lacks_most_of(Part::Text, 0, "hallo, all of you"));
        assert!(!said.lacks_most_of(Part::Text, 0, "hallo"), "a little longer");
        assert!(!said.lacks_most_of(Part::Text, 0, "hello, all of you"), "it goes on");
        assert!(!said.lacks_most_of(Part::Text, 7, "nothing was said"));
        assert!(!said.add(Part::Text, 0, "x"));
    }

    #[test]
    fn a_gap_is_one_empty_line() {
        let mut voice = Voice::default();
        assert_eq!(voice.gap(), "");
        for (text, gap) in [("a", "\n\n"), ("b\n", "\n"), ("\n", ""), ("\n", ""), ("", ""), ("c", "\n\n")] {
            voice.add(text);
            assert_eq!(voice.gap(), gap, "{text:?}");
        }
    }
}
