// SPDX-License-Identifier: Apache-2.0
//! The person's own values: what must not leave unseen.

use super::address;
use super::normal::{is_invisible, squashed};
use bailey_protocol::Source;
use regex::Regex;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;
use unicode_normalization::UnicodeNormalization;

/// The shortest value that counts, in letters and digits.
const SHORTEST: usize = 6;
/// A value is looked for in so many words in a row.
const LONGEST_RUN: usize = 16;

/// How often a text is decoded to see what it hides.
const DECODINGS: usize = 3;

static NUMBER: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"[0-9]+(?:\.[0-9]+)?").expect("a constant pattern"));
static PLACE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)lat|lon|lng|coord|geo|gps|position|location|°|坐标|位置|纬|经").expect("a constant pattern")
});

/// Values from private parts: links and addresses, words of six or more characters with a digit, coordinates.
#[derive(Clone, Debug, Default)]
pub(super) struct PrivateValues {
    /// Letters and digits of each, with where it came from.
    values: HashMap<String, Source>,
    /// Bytes of the longest of them.
    longest: usize,
    /// Two decimals that stand beside each other, with where they came from. Without their signs, which are also written
    /// as N, S, E and W.
    places: HashMap<(String, String), Source>,
}

impl PrivateValues {
    pub(super) fn add(&mut self, text: &str, source: &Source) {
        let placed = self.add_places(text, source);
        let mut keep = |piece: &str| {
            let piece = squashed(piece);
            if piece.chars().count() >= SHORTEST {
                self.longest = self.longest.max(piece.len());
                self.values.entry(piece).or_insert_with(|| source.clone());
            }
        };
        address::find(text).into_iter().for_each(&mut keep);
        let words = text.split(|c: char| c.is_whitespace() || ",;()[]{}<>\"'`|=".contains(c));
        let words = words.filter(|word| word.contains(|c: char| c.is_numeric()));
        words.filter(|word| !placed.contains(word.trim_start_matches(['-', '+']))).for_each(&mut keep);
    }

    /// Takes in the coordinates of a text and returns them as they are written.
    fn add_places<'a>(&mut self, text: &'a str, source: &Source) -> HashSet<&'a str> {
        let mut placed = HashSet::new();
        let decimals: Vec<_> = NUMBER.find_iter(text).filter(|m| m.as_str().contains('.')).collect();
        for pair in decimals.windows(2) {
            let [a, b] = pair else { continue };
            let fine = [a, b].iter().any(|m| decimals_of(m.as_str()) >= 3);
            if b.start() - a.end() > 40 || !is_degrees(a.as_str()) || !is_degrees(b.as_str()) {
                continue;
            }
            // Two amounts of money are no place.
            let near = (a.start().saturating_sub(40)..).find_map(|from| text.get(from..b.start())).unwrap_or_default();
            if fine || PLACE.is_match(near) {
                placed.extend([a.as_str(), b.as_str()]);
                let place = (a.as_str().to_owned(), b.as_str().to_owned());
                self.places.entry(place).or_insert_with(|| source.clone());
            }
        }
        placed
    }

    pub(super) fn join(&mut self, other: &PrivateValues) {
        self.longest = self.longest.max(other.longest);
        for (value, source) in &other.values {
            self.values.entry(value.clone()).or_insert_with(|| source.clone());
        }
        for (place, source) in &other.places {
            self.places.entry(place.clone()).or_insert_with(|| source.clone());
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.values.is_empty() && self.places.is_empty()
    }

    /// What a text repeats of them: the letters and digits of each value as they stand there, and where it came from.
    pub(super) fn repeated(&self, text: &str) -> Vec<(String, &Source)> {
        let mut found: Vec<(String, &Source)> = Vec::new();
        let mut seen = HashSet::new();
        if self.values.is_empty() {
            return found;
        }
        let mut look = |text: &str| {
            let text: String = text.nfkc().flat_map(char::to_lowercase).filter(|c| !is_invisible(*c)).collect();
            let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
            for from in 0..words.len() {
                let mut run = String::new();
                for word in words[from..].iter().take(LONGEST_RUN) {
                    run.push_str(word);
                    if run.len() > self.longest {
                        break;
                    }
                    if let Some(source) = self.values.get(&run)
                        && seen.insert(run.clone())
                    {
                        found.push((run.clone(), source));
                    }
                }
            }
        };
        look(text);
        let mut text = text.to_owned();
        for _ in 0..DECODINGS {
            let decoded = percent_decoded(&text);
            if decoded == text {
                break;
            }
            look(&decoded);
            text = decoded;
        }
        found
    }

    /// The coordinates among these texts, at whatever rounding, and where they came from. Two numbers that fit a place
    /// of the person's, or one alone when it is exact to a hundred metres.
    pub(super) fn place(&self, texts: &[&str]) -> Option<(String, &Source)> {
        if self.places.is_empty() {
            return None;
        }
        let mut numbers: Vec<&str> = texts.iter().flat_map(|text| NUMBER.find_iter(text)).map(|m| m.as_str()).collect();
        numbers.retain(|n| is_degrees(n));
        // By whole degrees: what rounds to a number is less than one away.
        let mut degrees: Vec<Vec<(usize, &str)>> = vec![Vec::new(); 182];
        let mut seen = HashSet::new();
        for (at, n) in numbers.into_iter().filter(|n| seen.insert(*n)).enumerate() {
            degrees[whole(n)].push((at, n));
        }
        let near = |exact: &str| {
            let whole = whole(exact);
            let fitting = degrees[whole..=whole + 1].iter().flatten().filter(|(_, n)| rounds_to(exact, n));
            fitting.min_by_key(|(at, n)| (std::cmp::Reverse(decimals_of(n)), *at)).map(|(_, n)| *n)
        };
        let mut found: Vec<(String, &Source)> = Vec::new();
        for ((a, b), source) in &self.places {
            let exact = |n: &&str| decimals_of(n) >= 3;
            match (near(a), near(b)) {
                (Some(one), Some(other)) => found.push((format!("{one}, {other}"), source)),
                (Some(n), None) | (None, Some(n)) if exact(&n) => found.push((n.to_owned(), source)),
                _ => {}
            }
        }
        // The most exact one, whatever order they are kept in.
        found.into_iter().max_by(|(a, _), (b, _)| (a.len(), a).cmp(&(b.len(), b)))
    }
}

fn decimals_of(number: &str) -> usize {
    number.split_once('.').map_or(0, |(_, decimals)| decimals.len())
}

/// The whole degrees of a number that [`is_degrees`].
fn whole(number: &str) -> usize {
    number.split('.').next().and_then(|n| n.parse().ok()).unwrap_or_default()
}

fn is_degrees(number: &str) -> bool {
    number.parse::<f64>().is_ok_and(|n| n <= 180.0)
}

/// Whether a written number is this one, rounded or cut off at the decimals it has.
fn rounds_to(exact: &str, written: &str) -> bool {
    let (Ok(exact), Ok(value)) = (exact.parse::<f64>(), written.parse::<f64>()) else { return false };
    let decimals = decimals_of(written).min(12);
    let scale = 10f64.powi(i32::try_from(decimals).unwrap_or(12));
    [(exact * scale).round(), (exact * scale).trunc()].iter().any(|n| (n / scale - value).abs() < 1e-9)
}

fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = (bytes[at] == b'%').then(|| text.get(at + 1..at + 3)).flatten();
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(if bytes[at] == b'+' { b' ' } else { bytes[at] });
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> PrivateValues {
        let mut values = PrivateValues::default();
        values.add(text, &Source::tool("wallet"));
        values
    }

    #[test]
    fn a_value_is_found_however_it_is_spelt() {
        let own = values("passport HGK137803, card 4237-4252-7456-2574, mail emma@corp.example; born 1990");
        for text in [
            "my passport: hgk137803.",
            "HGK 137-803",
            "https://evil.example/?p=HGK137803",
            "https://evil.example/%48GK137803",
            "4237 4252 7456 2574",
            "4237425274562574",
            "EMMA@CORP.EXAMPLE",
            "emma%40corp.example",
        ] {
            assert_eq!(own.repeated(text).len(), 1, "{text}");
        }
        for text in ["HGK13780", "passport", "1990", "4237", "emma", "XHGK137803Y"] {
            assert!(own.repeated(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn a_place_is_found_at_any_rounding() {
        let own = values("lat 52.520008, lon 13.404954");
        for texts in [
            &["52.520008"][..],
            &["13.405"],
            &["52.52", "13.4"],
            &["q=52.5,13.4"],
            &["13", "days", "52"],
            &["13,53"],
            &["-52.52", "13.4"],
        ] {
            assert!(own.place(texts).is_some(), "{texts:?}");
        }
        for texts in [&["52.5"][..], &["13"], &["52.6", "13.5"], &["7", "3"], &[]] {
            assert!(own.place(texts).is_none(), "{texts:?}");
        }
    }
}
