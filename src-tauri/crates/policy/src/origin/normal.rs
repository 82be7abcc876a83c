// SPDX-License-Identifier: Apache-2.0
//! How texts are compared.

use memchr::memmem;
use regex::Regex;
use std::borrow::Cow;
use std::sync::LazyLock;
use unicode_normalization::UnicodeNormalization;

static WIDE_STOP: LazyLock<Regex> =
    LazyLock::new(|| Regex::new("([A-Za-z0-9])。([A-Za-z]{2})").expect("a constant pattern"));

/// As values are compared: compatibility forms composed, lower case, runs of white space as one blank, without
/// characters that nobody sees.
pub(super) fn normal(text: &str) -> String {
    tidy(text.nfkc())
}

fn tidy(text: impl Iterator<Item = char>) -> String {
    let mut out = String::new();
    for c in text.filter(|c| !is_invisible(*c)).flat_map(char::to_lowercase) {
        if c.is_whitespace() {
            if !out.is_empty() && !out.ends_with(' ') {
                out.push(' ');
            }
        } else {
            out.push(c);
        }
    }
    out.truncate(out.trim_end().len());
    out
}

/// As [`normal`], but compatibility forms stay what they are: where a value holds such a form it has to stand in the text
/// as it is, for `ⓑob` may be somebody else than `bob`.
pub(super) fn composed(text: &str) -> String {
    tidy(text.nfc())
}

/// Whether a value is written in compatibility forms: full width letters, letters in circles and the like.
pub(super) fn has_lookalikes(value: &str) -> bool {
    value.nfkc().ne(value.nfc())
}

/// As a reader sees it: compatibility forms as what they look like, without characters that nobody sees.
pub(super) fn visible(text: &str) -> Cow<'_, str> {
    if text.is_ascii() && !text.contains(is_invisible) {
        return Cow::Borrowed(text);
    }
    let mut out: String = text.nfkc().filter(|c| !is_invisible(*c)).collect();
    // Full stops of other scripts lead to the same host.
    if out.contains('。') {
        out = WIDE_STOP.replace_all(&out, "$1.$2").into_owned();
    }
    if out == text { Cow::Borrowed(text) } else { Cow::Owned(out) }
}

/// Letters and digits alone: two spellings of one number or address are the same.
pub(super) fn squashed(text: &str) -> String {
    let text = text.nfkc().flat_map(char::to_lowercase);
    text.filter(|c| c.is_alphanumeric() && !is_invisible(*c)).collect()
}

/// Characters that change a value and not what a person sees of it (Unicode's Default_Ignorable_Code_Point, and
/// controls).
pub(super) fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
        || (c.is_control() && !c.is_whitespace())
}

/// Scripts that are written without blanks between words.
pub(super) fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Whether a normal value stands in a normal text as a whole: not as a piece of a longer word, address or number.
pub(super) fn stands_in(value: &str, text: &str) -> bool {
    let (Some(first), Some(last)) = (value.chars().next(), value.chars().next_back()) else { return false };
    memmem::find_iter(text.as_bytes(), value.as_bytes()).any(|at| {
        let before = text[..at].chars().next_back();
        let mut rest = text[at + value.len()..].chars();
        let begins = match before {
            None => true,
            Some(c) if is_unspaced(c) || is_unspaced(first) => true,
            // `e-mail:bob@corp.example`, with a blank forgotten.
            Some(':' | '=') => value.contains('@'),
            Some(c) => !(joins(c) || c == '.'),
        };
        let ends = match rest.next() {
            None => true,
            Some(c) if is_unspaced(c) || is_unspaced(last) => true,
            // A full stop ends a sentence only when no word follows at once.
            Some('.') => rest.next().is_none_or(|c| !c.is_alphanumeric() || is_unspaced(c)),
            Some(':' | '-' | '/') => rest.next().is_none_or(char::is_whitespace),
            Some(c) => !joins(c),
        };
        begins && ends
    })
}

/// Whether an address stands in a text letter by letter, but for the case of its first `host` bytes, and ends there.
pub(super) fn address_stands_in(address: &str, host: usize, text: &str) -> bool {
    let (host, rest) = address.split_at(host);
    if address.is_empty() {
        return false;
    }
    memmem::find_iter(text.as_bytes(), rest.as_bytes()).any(|at| {
        let Some(start) = at.checked_sub(host.len()) else { return false };
        if !text.get(start..at).is_some_and(|have| have.eq_ignore_ascii_case(host)) {
            return false;
        }
        let before = text[..start].chars().next_back();
        let begins = before.is_none_or(|c| is_unspaced(c) || ":*".contains(c) || !(joins(c) || c == '.'));
        let mut after = text[at + rest.len()..].chars().peekable();
        // A slash at the end is left out as often as not.
        after.next_if(|c| *c == '/' && !rest.ends_with('/'));
        let mut after = after.skip_while(|c| ".,;:!?*".contains(*c));
        let ascii = address.ends_with(|c: char| c.is_ascii());
        begins && after.next().is_none_or(|c| c.is_whitespace() || is_closing(c) || (ascii && is_unspaced(c)))
    })
}

/// What closes a quotation, a bracket or a Chinese sentence.
fn is_closing(c: char) -> bool {
    "'\"`)]}>’”»」》）】、。，；：！？…".contains(c)
}

/// What makes one word, address or number of what stands on both its sides.
fn joins(c: char) -> bool {
    c.is_alphanumeric() || "_@-/\\:%+&=#~$*".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_stands_in_a_text_as_a_whole_or_not_at_all() {
        let yes = [
            ("sarah", "Write to Sarah, please."),
            ("sarah.connor@gmail.com", "Her address is 'sarah.connor@gmail.com'."),
            ("introductory meeting", "the  'Introductory\nmeeting' event"),
            ("example.com", "see example.com."),
            ("张伟", "发邮件给张伟说你好"),
            ("example.com", "访问example.com吧"),
            ("ｓａｒａｈ", "ask Sarah"),
        ];
        for (value, text) in yes {
            assert!(stands_in(&normal(value), &normal(text)), "{value} in {text}");
        }
        let no = [
            ("sarah", "sarah.connor@gmail.com"),
            ("connor@gmail.com", "sarah.connor@gmail.com"),
            ("example.com", "example.com.evil.net"),
            ("example.com", "https://example.com/path"),
            ("example.com", "user@example.com"),
            ("mail", "gmail and e-mail"),
            ("report", "report-final and report_2"),
            ("10", "2010"),
            ("", "anything"),
        ];
        for (value, text) in no {
            assert!(!stands_in(&normal(value), &normal(text)), "{value} in {text}");
        }
    }

    #[test]
    fn invisible_characters_fall_out_of_texts() {
        assert_eq!(normal("A\u{200b}lice\u{202e} \t Bo\u{ad}b "), "alice bob");
        assert_eq!(squashed("4237-4252 7456/2574 A.b@C"), "4237425274562574abc");
    }
}
