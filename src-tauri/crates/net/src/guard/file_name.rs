// SPDX-License-Identifier: Apache-2.0
use percent_encoding::percent_decode;

/// The longest name, in bytes; the shortest limit that file systems have is 255.
const LONGEST: usize = 200;

/// The file name of a `Content-Disposition` (RFC 6266), `filename*` before `filename`, reduced to a bare name that every
/// file system takes: no path, nothing invisible, no dot in front.
pub(super) fn file_name(header: &[u8]) -> Option<String> {
    let parameters = parameters(header);
    let value =
        |wanted: &str| parameters.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted)).map(|(_, value)| value);
    let extended = value("filename*").and_then(|value| extended(value));
    extended.or_else(|| value("filename").map(|value| plain(value))).as_deref().and_then(bare)
}

/// The parameters after the type, values without their quotes.
fn parameters(header: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut bytes = header.iter().copied().peekable();
    while bytes.by_ref().any(|byte| byte == b';') {
        let mut name = String::new();
        while let Some(byte) = bytes.next_if(|byte| !matches!(byte, b'=' | b';')) {
            name.push(char::from(byte));
        }
        if bytes.next_if_eq(&b'=').is_none() {
            continue;
        }
        while bytes.next_if_eq(&b' ').is_some() {}
        let mut value = Vec::new();
        if bytes.next_if_eq(&b'"').is_some() {
            while let Some(byte) = bytes.next().filter(|byte| *byte != b'"') {
                value.extend(if byte == b'\\' { bytes.next() } else { Some(byte) });
            }
        } else {
            while let Some(byte) = bytes.next_if(|byte| *byte != b';') {
                value.push(byte);
            }
            value.truncate(value.trim_ascii_end().len());
        }
        found.push((name.trim().to_owned(), value));
    }
    found
}

/// `charset'language'percent-encoded` (RFC 8187).
fn extended(value: &[u8]) -> Option<String> {
    let mut parts = value.splitn(3, |byte| *byte == b'\'');
    let (charset, text) = (parts.next()?, parts.nth(1)?);
    let bytes: Vec<u8> = percent_decode(text).collect();
    if charset.eq_ignore_ascii_case(b"utf-8") {
        String::from_utf8(bytes).ok()
    } else if charset.eq_ignore_ascii_case(b"iso-8859-1") {
        Some(bytes.into_iter().map(char::from).collect())
    } else {
        None
    }
}

/// The old parameter: Latin-1 by its definition, UTF-8 and percent-encoded in practice.
fn plain(value: &[u8]) -> String {
    let decoded: Vec<u8> = percent_decode(value).collect();
    String::from_utf8(decoded)
        .or_else(|_| String::from_utf8(value.to_vec()))
        .unwrap_or_else(|_| value.iter().copied().map(char::from).collect())
}

fn bare(name: &str) -> Option<String> {
    let last = name.rsplit(['/', '\\']).next()?;
    let shown: String = last
        .chars()
        .filter(|char| !char.is_control() && !is_invisible(*char))
        .map(|char| if matches!(char, '<' | '>' | ':' | '"' | '|' | '?' | '*') { '_' } else { char })
        .collect();
    let trimmed = shown.trim_matches(|char: char| char == '.' || char.is_whitespace());
    let (stem, extension) = match trimmed.rsplit_once('.') {
        Some((stem, extension)) if extension.len() <= 16 => (stem, format!(".{extension}")),
        _ => (trimmed, String::new()),
    };
    let fits = (0..=stem.len().min(LONGEST - extension.len())).rev().find(|end| stem.is_char_boundary(*end))?;
    let stem = stem[..fits].trim_end_matches(|char: char| char == '.' || char.is_whitespace());
    let whole = format!("{}{stem}{extension}", if is_device(stem) { "_" } else { "" });
    (!trimmed.is_empty()).then_some(whole)
}

/// What turns the order of letters around or takes no room, so that a name looks like another.
fn is_invisible(char: char) -> bool {
    matches!(char, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Names that Windows keeps for devices, whatever the extension.
fn is_device(stem: &str) -> bool {
    let first = stem.split('.').next().unwrap_or_default().trim().to_ascii_uppercase();
    matches!(first.as_str(), "CON" | "PRN" | "AUX" | "NUL")
        || first
            .strip_prefix("COM")
            .or_else(|| first.strip_prefix("LPT"))
            .is_some_and(|rest| rest.len() == 1 && rest != "0" && rest.as_bytes()[0].is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_come_out_bare() {
        for (header, name) in [
            ("attachment; filename=report.pdf", Some("report.pdf")),
            ("attachment; filename=\"a b.pdf\"", Some("a b.pdf")),
            ("ATTACHMENT;FILENAME=\"x.bin\"", Some("x.bin")),
            ("attachment; filename = report.pdf ; size=3", Some("report.pdf")),
            ("attachment; filename=\"semi;colon.txt\"; x=y", Some("semi;colon.txt")),
            (r#"attachment; filename="quo\"ted.txt""#, Some("quo_ted.txt")),
            ("attachment; filename=\"fall.txt\"; filename*=UTF-8''%E4%B8%AD%E6%96%87.txt", Some("中文.txt")),
            ("attachment; filename*=utf-8'en'%e2%82%ac%20rates.csv", Some("€ rates.csv")),
            ("attachment; filename*=ISO-8859-1''caf%E9.txt", Some("café.txt")),
            ("attachment; filename*=koi8-r''%C1.txt; filename=other.txt", Some("other.txt")),
            ("attachment; filename*=UTF-8''%FF.txt; filename=other.txt", Some("other.txt")),
            ("attachment; filename*=broken; filename=other.txt", Some("other.txt")),
            ("attachment; filename=\"%E6%8A%A5%E5%91%8A.pdf\"", Some("报告.pdf")),
            ("attachment; filename=\"100%.pdf\"", Some("100%.pdf")),
            ("attachment; filename=\"报告.pdf\"", Some("报告.pdf")),
            ("attachment; filename=\"../../etc/passwd\"", Some("passwd")),
            ("attachment; filename=\"..%2f..%2fetc%2fpasswd\"", Some("passwd")),
            ("attachment; filename=\"/tmp/.bashrc\"", Some("bashrc")),
            (r#"attachment; filename="C:\\dir\\evil.exe""#, Some("evil.exe")),
            ("attachment; filename=evil.txt:stream", Some("evil.txt_stream")),
            ("attachment; filename*=UTF-8''gpj%E2%80%AEexe.exe", Some("gpjexe.exe")),
            ("attachment; filename*=UTF-8''a%00b%0d%0a.txt", Some("ab.txt")),
            ("attachment; filename=nul.txt", Some("_nul.txt")),
            ("attachment; filename=COM1", Some("_COM1")),
            ("attachment; filename=com10.txt", Some("com10.txt")),
            ("attachment; filename=\"dir/\"", None),
            ("attachment; filename=\"..\"", None),
            ("attachment; filename=\" . \"", None),
            ("attachment; filename=", None),
            ("attachment; filename", None),
            ("attachment; filename=\"open", Some("open")),
            ("inline", None),
            ("filename=a.txt", None),
            ("", None),
        ] {
            assert_eq!(file_name(header.as_bytes()).as_deref(), name, "{header}");
        }
        assert_eq!(file_name(b"attachment; filename=\"caf\xe9.txt\"").as_deref(), Some("café.txt"));
        let long = file_name(format!("attachment; filename={}.tar.gz", "中".repeat(300)).as_bytes()).unwrap();
        assert!(long.len() <= LONGEST && long.ends_with("中.gz"), "{long}");
    }

    proptest! {
        #[test]
        fn whatever_is_sent_a_name_is_a_bare_one(header: Vec<u8>, value in "\\PC*", encoded: Vec<u8>) {
            let encoded: String = encoded.iter().map(|byte| format!("%{byte:02x}")).collect();
            for header in [
                header,
                format!("attachment; filename=\"{value}\"").into_bytes(),
                format!("attachment; filename*=UTF-8''{encoded}").into_bytes(),
                format!("attachment; filename={encoded}").into_bytes(),
            ] {
                let Some(name) = file_name(&header) else { continue };
                prop_assert!(!name.is_empty() && name.len() <= LONGEST + 1, "{name:?}");
                prop_assert!(!name.contains(['/', '\\', ':', '\0', '\n', '\r']) && !name.starts_with('.') && !name.ends_with(['.', ' ']), "{name:?}");
            }
        }
    }
}
