// SPDX-License-Identifier: Apache-2.0
//! Characters that a server cut in two. Servers that count in UTF-16 can end one event's text with the first half of an
//! emoji (`\ud83c`) and begin the next one's with the second (`\udf0d`); no reader of JSON takes either.

use std::borrow::Cow;

/// Puts halves together from event to event.
#[derive(Clone, Debug, Default)]
pub(crate) struct Halves {
    /// A first half that waits for the second.
    first: Option<u16>,
}

impl Halves {
    /// JSON without halves: a first one at the end of a string waits for a second one at the beginning of a later string,
    /// and any other becomes U+FFFD.
    pub(crate) fn join<'a>(&mut self, json: &'a str) -> Cow<'a, str> {
        let bytes = json.as_bytes();
        let mut out = String::new();
        // What stands before it is in `out`.
        let mut done = 0;
        let mut at = 0;
        while let Some(found) = memchr::memchr(b'\\', &bytes[at..]) {
            let start = at + found;
            let Some(unit) = unit(bytes, start) else {
                at = (start + 2).min(bytes.len());
                continue;
            };
            at = start + 6;
            match unit {
                0xD800..=0xDBFF if matches!(self::unit(bytes, at), Some(0xDC00..=0xDFFF)) => at += 6,
                0xD800..=0xDBFF => {
                    out.push_str(&json[done..start]);
                    done = at;
                    if bytes.get(at) == Some(&b'"') {
                        self.first = Some(unit);
                    } else {
                        out.push_str(LOST);
                    }
                }
                0xDC00..=0xDFFF => {
                    out.push_str(&json[done..start]);
                    done = at;
                    let begins = start > 0 && bytes[start - 1] == b'"' && (start < 2 || bytes[start - 2] != b'\\');
                    match self.first.take_if(|_| begins) {
                        Some(first) => out.push_str(&format!("\\u{first:04x}\\u{unit:04x}")),
                        None => out.push_str(LOST),
                    }
                }
                _ => {}
            }
        }
        if done == 0 {
            return Cow::Borrowed(json);
        }
        out.push_str(&json[done..]);
        Cow::Owned(out)
    }
}

/// Stands for a half whose other half is nowhere.
const LOST: &str = "\\ufffd";

/// The UTF-16 unit that is escaped here.
fn unit(bytes: &[u8], at: usize) -> Option<u16> {
    let escape = bytes.get(at..at + 6)?;
    let digits = escape.strip_prefix(b"\\u")?.iter().map(|digit| char::from(*digit).to_digit(16));
    digits.into_iter().try_fold(0, |unit, digit| Some(unit << 4 | digit?)).and_then(|unit| u16::try_from(unit).ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn joined(events: &[&str]) -> Vec<String> {
        let mut halves = Halves::default();
        events.iter().map(|event| halves.join(event).into_owned()).collect()
    }

    #[test]
    fn halves_are_put_together() {
        let table: [(&[&str], &[&str]); 9] = [
            (&[r#"{"t":"a\ud83c"}"#, r#"{"t":"\udf0db"}"#], &[r#"{"t":"a"}"#, r#"{"t":"\ud83c\udf0db"}"#]),
            (
                &[r#"{"t":"\uD83C"}"#, r#"{"n":1}"#, r#"{"t":"\uDF0D"}"#],
                &[r#"{"t":""}"#, r#"{"n":1}"#, r#"{"t":"\ud83c\udf0d"}"#],
            ),
            // Whole ones, other escapes, and what only looks like one.
            (&[r#"{"t":"\ud83c\udf0d\n\u00fc\"\\ud83c"}"#], &[r#"{"t":"\ud83c\udf0d\n\u00fc\"\\ud83c"}"#]),
            // Without their other half.
            (&[r#"{"t":"\ud83cx"}"#, r#"{"t":"\udf0d"}"#], &[r#"{"t":"\ufffdx"}"#, r#"{"t":"\ufffd"}"#]),
            (&[r#"{"t":"\ud83c"}"#, r#"{"t":"x\udf0d"}"#], &[r#"{"t":""}"#, r#"{"t":"x\ufffd"}"#]),
            (&[r#"{"t":"\ud83c"}"#, r#"{"t":"\"\udf0d"}"#], &[r#"{"t":""}"#, r#"{"t":"\"\ufffd"}"#]),
            (&[r#"{"t":"\udf0d\ud83c"}"#, r#"{"t":"\udf0d"}"#], &[r#"{"t":"\ufffd"}"#, r#"{"t":"\ud83c\udf0d"}"#]),
            (
                &[r#"{"t":"\ud83c"}"#, r#"{"t":"\ud83d"}"#, r#"{"t":"\ude00"}"#],
                &[r#"{"t":""}"#, r#"{"t":""}"#, r#"{"t":"\ud83d\ude00"}"#],
            ),
            // No JSON at all.
            (&["\\", "\\u", r"\ud8", r"\ud83c"], &["\\", "\\u", r"\ud8", r"\ufffd"]),
        ];
        for (events, expected) in table {
            assert_eq!(joined(events), expected);
        }
    }

    proptest! {
        #[test]
        fn a_text_cut_anywhere_is_the_same_text(text in "[a-z\\\\\"🌍🎉ü\n]{0,20}", size in 1_usize..5) {
            // As JavaScript writes it: lone halves are escaped.
            let units: Vec<u16> = text.encode_utf16().collect();
            let mut halves = Halves::default();
            let mut read = String::new();
            for piece in units.chunks(size) {
                let json: String = char::decode_utf16(piece.iter().copied())
                    .map(|unit| match unit {
                        Ok('"') => "\\\"".to_owned(),
                        Ok('\\') => "\\\\".to_owned(),
                        Ok('\n') => "\\n".to_owned(),
                        Ok(c) => c.to_string(),
                        Err(half) => format!("\\u{:04x}", half.unpaired_surrogate()),
                    })
                    .collect();
                let event = format!("{{\"t\":\"{json}\"}}");
                let event: serde_json::Value = serde_json::from_str(&halves.join(&event)).unwrap();
                read.push_str(event["t"].as_str().unwrap());
            }
            prop_assert_eq!(read, text);
        }
    }
}
