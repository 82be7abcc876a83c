// SPDX-License-Identifier: Apache-2.0
//! A pasted text as words with what is written before them: commands, settings of an environment, JSON, code and prose
//! alike.

/// A word, and the name it is given in the text: `api_key`, `OPENAI_BASE_URL`, `authorization`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// In lowercase, with `_` for other signs; empty when there is none.
    pub(super) label: String,
    pub(super) text: String,
}

/// More of a text than this is not read.
const LONGEST: usize = 64 << 10;

/// What keys and URLs are called in Chinese, where no space parts words.
const CHINESE: [(&str, &str); 5] =
    [("密钥", " key "), ("秘钥", " key "), ("令牌", " token "), ("地址", " url "), ("接口", " url ")];

/// The words of a text in order, full-width signs read as their narrow ones.
pub(super) fn words(text: &str) -> Vec<Word> {
    let mut out = Vec::new();
    let mut label = String::new();
    let mut before = String::new();
    let mut opened = false;
    for part in split(text) {
        // `${NAME}`, cut at its brackets.
        let is_reference = std::mem::replace(&mut opened, part.ends_with('$'));
        // Between a name and its value, or right before the value.
        let value = if part == "-" { "" } else { part.trim_start_matches([':', '=']) };
        if value.len() < part.len() && !before.is_empty() {
            label = std::mem::take(&mut before);
        }
        let (name, value) = name_and_value(value);
        if let Some(name) = name {
            label = name;
        }
        // How a key is shown, before the key.
        let scheme = matches!(value.to_ascii_lowercase().as_str(), "bearer" | "basic" | "token");
        if value.is_empty() || (scheme && !label.is_empty()) {
            continue;
        }
        before = plain(value);
        // `setx NAME value`, a table: a name as environments have them stands for what follows it.
        if label.is_empty() && is_variable(value) && !is_reference {
            label = std::mem::take(&mut before);
            continue;
        }
        out.push(Word { label: std::mem::take(&mut label), text: value.to_owned() });
    }
    out
}

/// The name in a word like `name=value`, `--name=value`, `$env:NAME=value` or `name:value`, and the rest.
fn name_and_value(word: &str) -> (Option<String>, &str) {
    let start = word.trim_start_matches(['-', '$', '@']);
    let (start, word) = match start.get(..4) {
        Some(env) if env.eq_ignore_ascii_case("env:") => (&start[4..], &start[4..]),
        _ => (start, word),
    };
    let Some(at) = start.find([':', '=']) else { return (None, word) };
    let (name, value) = (&start[..at], &start[at + 1..]);
    let named = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'));
    // `https://…`, `host:8080`, a key's own `==`.
    let address = value.starts_with("//")
        || (start.as_bytes()[at] == b':' && value.starts_with(|c: char| c.is_ascii_digit()) && looks_like_host(name));
    if !named || address || value.starts_with('=') || (value.is_empty() && name.len() > 30) {
        return (None, word);
    }
    (Some(plain(name)), value)
}

fn looks_like_host(name: &str) -> bool {
    name.eq_ignore_ascii_case("localhost") || name.contains('.')
}

/// `ANTHROPIC_AUTH_TOKEN`.
pub(super) fn is_variable(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_uppercase())
        && word.contains('_')
        && word.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect()
}

/// Cuts at white space, quotes, brackets and everything that is neither in a URL nor in a key.
fn split(text: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut part = String::new();
    let end = (0..=LONGEST.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    let text = CHINESE.iter().fold(text[..end].to_owned(), |text, (name, word)| text.replace(name, word));
    let narrow: Vec<char> = text.chars().filter_map(narrow).collect();
    let mut at = 0;
    while let Some(&c) = narrow.get(at) {
        at += 1;
        let kept = match c {
            // The brackets of an IPv6 address.
            '[' => part.ends_with("://"),
            ']' => part.contains("://[") && !part.contains(']'),
            '"' | '\'' | '`' | '<' | '>' | '(' | ')' | '{' | '}' | ',' | ';' | '|' | '\\' | '^' => false,
            c if c.is_ascii() => c.is_ascii_graphic(),
            // A folder in a URL: letters right between two slashes.
            c if c.is_alphanumeric() && part.contains("://") && part.ends_with(|p: char| p == '/' || !p.is_ascii()) => {
                narrow[at..].iter().find(|next| next.is_ascii() || !next.is_alphanumeric()) == Some(&'/')
            }
            _ => false,
        };
        if kept {
            part.push(c);
        } else if !part.is_empty() {
            parts.push(std::mem::take(&mut part));
        }
    }
    parts.push(part);
    parts.retain(|part| !part.is_empty());
    parts
}

/// Full-width signs as their narrow ones; what takes no room is left out.
fn narrow(c: char) -> Option<char> {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xff01 + 0x21),
        '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{ad}' => None,
        _ => Some(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_know_what_is_written_before_them() {
        let table: [(&str, &[(&str, &str)]); 21] = [
            ("", &[]),
            (" \n", &[]),
            ("one two", &[("", "one"), ("", "two")]),
            ("export OPENAI_API_KEY=abc", &[("", "export"), ("openai_api_key", "abc")]),
            ("OPENAI_API_KEY=\"abc\"", &[("openai_api_key", "abc")]),
            ("$env:OPENAI_API_KEY = 'abc'", &[("openai_api_key", "abc")]),
            ("setx OPENAI_API_KEY abc", &[("", "setx"), ("openai_api_key", "abc")]),
            (
                r#"{"api_key": "abc", "baseURL":"https://a.example/v1"}"#,
                &[("", "api_key"), ("api_key", "abc"), ("", "baseURL"), ("baseurl", "https://a.example/v1")],
            ),
            ("-H \"Authorization: Bearer abc\"", &[("", "-H"), ("authorization", "abc")]),
            ("-H 'x-api-key:abc'", &[("", "-H"), ("x_api_key", "abc")]),
            ("--api-key=abc", &[("api_key", "abc")]),
            (
                "OpenAI(api_key=\"abc\", base_url=\"https://a.example\")",
                &[("", "OpenAI"), ("api_key", "abc"), ("base_url", "https://a.example")],
            ),
            ("DeepSeek：abc", &[("deepseek", "abc")]),
            ("key -> abc", &[("", "key"), ("key", "abc")]),
            (
                "密钥：abc，地址：“https://a.example/v1”。",
                &[("", "key"), ("key", "abc"), ("", "url"), ("url", "https://a.example/v1")],
            ),
            ("ＡＰＩ Ｋｅｙ：abc", &[("", "API"), ("key", "abc")]),
            ("https://a.example/模型/v1密钥", &[("", "https://a.example/模型/v1"), ("", "key")]),
            ("http://[::1]:8000/v1 [x]", &[("", "http://[::1]:8000/v1"), ("", "x")]),
            ("localhost:11434 a.example:8080/v1", &[("", "localhost:11434"), ("", "a.example:8080/v1")]),
            (
                "curl https://a.example?key=abc \\\n -d '{}'",
                &[("", "curl"), ("", "https://a.example?key=abc"), ("", "-d")],
            ),
            ("a\u{200b}b\u{a0}c", &[("", "ab"), ("", "c")]),
        ];
        for (text, expected) in table {
            let found = words(text);
            let found: Vec<(&str, &str)> = found.iter().map(|word| (word.label.as_str(), word.text.as_str())).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn a_name_without_a_value_names_nothing() {
        let found = words("Authorization: Bearer $OPENAI_API_KEY and ${MY_KEY} then abc");
        assert_eq!(found.iter().filter(|word| !word.label.is_empty()).count(), 1, "{found:?}");
    }
}
