// SPDX-License-Identifier: Apache-2.0
//! From bytes to text.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// How far into a document its own word on its encoding is looked for, in bytes.
const HEAD: usize = 4096;

/// Decodes bytes, and says the name of the encoding that was used.
///
/// In this order: a byte order mark, the charset of `content_type`, the charset that the document states in a `meta`
/// element or its XML declaration, what the bytes look like. A stated encoding in which the bytes make no sense gives
/// way to one in which they do. Nothing fails: what can't be decoded becomes U+FFFD.
pub fn decode(bytes: &[u8], content_type: Option<&str>) -> (String, &'static str) {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        let (text, _) = encoding.decode_without_bom_handling(&bytes[mark..]);
        return (text.into_owned(), encoding.name());
    }
    if let Some(stated) = content_type.and_then(charset_parameter).or_else(|| stated_inside(bytes)) {
        let (text, broken) = stated.decode_without_bom_handling(bytes);
        if !broken {
            return (text.into_owned(), stated.name());
        }
        let guessed = guess(bytes);
        let (better, still_broken) = guessed.decode_without_bom_handling(bytes);
        return if still_broken { (text.into_owned(), stated.name()) } else { (better.into_owned(), guessed.name()) };
    }
    let guessed = guess(bytes);
    let (text, _) = guessed.decode_without_bom_handling(bytes);
    (text.into_owned(), guessed.name())
}

/// The charset of a `Content-Type`.
fn charset_parameter(content_type: &str) -> Option<&'static Encoding> {
    content_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        name.trim()
            .eq_ignore_ascii_case("charset")
            .then(|| Encoding::for_label(value.trim().trim_matches(['"', '\'']).as_bytes()))?
    })
}

/// The encoding that a document states near its beginning.
fn stated_inside(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(HEAD)]).to_ascii_lowercase();
    let declaration = head
        .trim_start()
        .strip_prefix("<?xml")
        .and_then(|rest| rest.split_once("?>"))
        .and_then(|(inside, _)| label(inside, "encoding"));
    let meta = || {
        head.match_indices("<meta").find_map(|(at, _)| {
            let tag = &head[at..];
            label(&tag[..tag.find('>')?], "charset")
        })
    };
    let stated = declaration.or_else(meta)?;
    // The text that says so was readable byte by byte, so it is not UTF-16.
    Some(if stated == UTF_16LE || stated == UTF_16BE { UTF_8 } else { stated })
}

/// The encoding named after `name=` in a tag.
fn label(tag: &str, name: &str) -> Option<&'static Encoding> {
    let value = tag[tag.find(name)? + name.len()..].trim_start().strip_prefix('=')?.trim_start();
    let value = value.trim_start_matches(['"', '\'']);
    let end =
        value.find(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ';' | '/' | '?')).unwrap_or(value.len());
    Encoding::for_label(&value.as_bytes()[..end])
}

fn guess(bytes: &[u8]) -> &'static Encoding {
    // Hardly anything else passes for UTF-8, but for ISO-2022-JP, which is ASCII with escapes.
    if std::str::from_utf8(bytes).is_ok() && memchr::memchr(0x1b, bytes).is_none() {
        return UTF_8;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(bytes, true);
    detector.guess(None, Utf8Detection::Allow)
}
