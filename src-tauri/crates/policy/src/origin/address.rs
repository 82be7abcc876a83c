// SPDX-License-Identifier: Apache-2.0
//! Links and addresses in text: what could lead somebody, or something, to another place.

use super::normal::squashed;
use regex::Regex;
use std::collections::BTreeMap;
use std::sync::LazyLock;

macro_rules! pattern {
    ($name:ident, $text:expr) => {
        static $name: LazyLock<Regex> = LazyLock::new(|| Regex::new($text).expect("a constant pattern"));
    };
}

pattern!(
    WITH_SCHEME,
    r#"(?i)\b(?:[a-z][a-z0-9+.-]*://|www\.|(?:mailto|tel|sms|data|geo|javascript|intent):)[^\s<>"'`]+"#
);
pattern!(EMAIL, r"[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+");
pattern!(HOST, r#"(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+(\p{L}{2,})((?::\d+)?(?:[/?#][^\s<>"'`]*)?)"#);
pattern!(IPV4, r#"\b\d{1,3}(?:\.\d{1,3}){3}\b(?::\d+)?(?:/[^\s<>"'`]*)?"#);
// Account and telephone numbers: eight digits in groups by blanks, or ten by any of these.
pattern!(NUMBER, r"\+?\d(?:[ ]?\d){7,}|\+?\(?\d(?:[ ()./-]{0,2}\d){9,}");
// The same from seven digits on, with what groups them and changes nothing: enough to know one again, too little to take
// one for an address. A full stop or a slash could be of an amount, a date or an address on the net.
pattern!(GROUPED, r"\+?\(?\d(?:[ ()-]{0,2}\d){6,}");
pattern!(DATE, r"^\d{4}-\d{1,2}-\d{1,2}\b");
// Dates, and the hour after them.
pattern!(
    DATES,
    r"^(?:(?:(?:19|20)\d\d[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:19|20)\d\d)(?:[ ()/-]+|$))+(?:\d{1,2})?$"
);
// IBAN: ISO 13616.
pattern!(IBAN, r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]){10,30}\b");
// Wallets, tokens, hashes.
pattern!(OPAQUE, r"\b[A-Za-z0-9_-]{26,}\b");

/// File names look like hosts. These endings are taken for those of files where no path or port follows.
const FILES: &[&str] = &[
    "txt", "md", "rst", "pdf", "doc", "docx", "odt", "rtf", "xls", "xlsx", "ods", "csv", "tsv", "ppt", "pptx", "odp",
    "json", "xml", "yaml", "yml", "toml", "ini", "log", "html", "htm", "css", "js", "ts", "jsx", "tsx", "py", "rs",
    "go", "java", "kt", "c", "cpp", "h", "rb", "php", "sql", "sh", "bat", "ps", "png", "jpg", "jpeg", "gif", "webp",
    "svg", "bmp", "heic", "mp", "wav", "flac", "ogg", "avi", "mov", "mkv", "webm", "zip", "tar", "gz", "rar", "bz",
    "xz", "apk", "exe", "dmg", "iso", "epub", "ics", "vcf", "eml", "msg", "bak", "tmp", "cfg", "conf", "lock", "db",
    "sqlite",
];

/// Endings of files that are countries or other domains, too: with more than one full stop it is taken for a host.
const COUNTRIES: &[&str] = &["md", "py", "rs", "sh", "ps", "zip", "mov"];

/// The links and addresses in a text, each once, in the order they stand in.
pub(super) fn find(text: &str) -> Vec<&str> {
    // Where each begins and ends; a piece of what was found already is none of its own.
    let mut found: BTreeMap<usize, usize> = BTreeMap::new();
    let mut add = |at: usize, piece: &str| {
        let end = at + piece.len();
        let overlaps = found.range(..end).next_back().is_some_and(|(_, have)| *have > at);
        if !piece.is_empty() && !overlaps {
            found.insert(at, end);
        }
    };
    for m in WITH_SCHEME.find_iter(text).chain(EMAIL.find_iter(text)) {
        add(m.start(), trimmed(m.as_str()));
    }
    for c in HOST.captures_iter(text) {
        let host = c.get_match();
        let ending = c[1].to_lowercase();
        let is_bare = c.get(2).is_none_or(|rest| rest.is_empty());
        let is_name = host.as_str().matches('.').count() == 1 || !COUNTRIES.contains(&ending.as_str());
        let is_file = is_bare && is_name && FILES.contains(&ending.as_str());
        // `e.g.` and initials are no hosts.
        let is_short = host.as_str().split('.').all(|label| label.chars().count() <= 1);
        if !is_file && !is_short {
            add(host.start(), trimmed(host.as_str()));
        }
    }
    let numbers = NUMBER.find_iter(text).filter(|m| !DATES.is_match(m.as_str()));
    for m in IPV4.find_iter(text).chain(IBAN.find_iter(text)).chain(numbers) {
        add(m.start(), trimmed(m.as_str()));
    }
    for m in OPAQUE.find_iter(text) {
        let mixed =
            m.as_str().contains(|c: char| c.is_ascii_digit()) && m.as_str().contains(|c: char| c.is_alphabetic());
        if mixed {
            add(m.start(), m.as_str());
        }
    }
    found.into_iter().map(|(start, end)| &text[start..end]).collect()
}

/// The account and telephone numbers in a text, letters and digits alone.
pub(super) fn numbers(text: &str) -> impl Iterator<Item = String> {
    IBAN.find_iter(text).chain(GROUPED.find_iter(text)).map(|m| squashed(m.as_str()))
}

/// The one account or telephone number that a value is.
pub(super) fn as_number(value: &str) -> Option<String> {
    let whole = |pattern: &Regex| pattern.find(value).is_some_and(|m| m.as_str() == value);
    ((whole(&IBAN) || whole(&GROUPED)) && !DATE.is_match(value)).then(|| squashed(value))
}

/// Without the punctuation that ends a sentence around it.
fn trimmed(piece: &str) -> &str {
    let mut piece = piece.trim_end_matches(|c: char| ".,;:!?'\"”’»、。，；：！？…*_".contains(c));
    for (open, close) in [('(', ')'), ('[', ']'), ('{', '}')] {
        while piece.ends_with(close) && piece.matches(close).count() > piece.matches(open).count() {
            piece = piece[..piece.len() - 1].trim_end_matches(['.', ',', ';', ':', '!', '?']);
        }
    }
    piece
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_addresses_are_found() {
        for (text, expected) in [
            ("Check out this link: www.secure-systems-252.com", vec!["www.secure-systems-252.com"]),
            ("see https://bit.ly/sUf7tOJ.", vec!["https://bit.ly/sUf7tOJ"]),
            ("[here](https://x.example/a?b=c) and (evil.example/x)", vec!["https://x.example/a?b=c", "evil.example/x"]),
            ("mail bob@corp.example, now", vec!["bob@corp.example"]),
            ("bare informations.com!", vec!["informations.com"]),
            ("访问例子.中国，谢谢", vec!["访问例子.中国"]),
            ("http 10.0.0.1:8080/x", vec!["10.0.0.1:8080/x"]),
            ("wire it to IBAN 0123456789", vec!["0123456789"]),
            ("to GB29 NWBK 6016 1331 9268 19 today", vec!["GB29 NWBK 6016 1331 9268 19"]),
            ("call +49 (0)170 123-4567", vec!["+49 (0)170 123-4567"]),
            ("wallet bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", vec!["bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"]),
            ("javascript:alert(1) x", vec!["javascript:alert(1)"]),
            ("budget.zip/get", vec!["budget.zip/get"]),
        ] {
            assert_eq!(find(text), expected, "{text}");
        }
    }

    #[test]
    fn ordinary_text_holds_none() {
        for text in [
            "Catch up over lunch on 2024-05-19 at 12:00, e.g. at 3.5 km.",
            "See client-meeting-minutes.docx and notes.txt",
            "It cost 98.70 in 2023. I paid.",
            "From 2024-05-19 12:00 to 2024-05-20 13:00, or 19.05.2024 - 20.05.2024 (2024/05/21)",
            "Olivia Smith: 4\n-Mia Anderson: 2",
            "Stay at Luxury Palace, address: 1 Rue de la Paix, 75002 Paris, France",
            "",
        ] {
            assert_eq!(find(text), Vec::<&str>::new(), "{text}");
        }
    }
}
