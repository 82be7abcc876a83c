// SPDX-License-Identifier: Apache-2.0
//! Where a result really leads: engines send people through pages of their own that count them.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use url::Url;

/// The address behind an engine's own; `None` for one that is not http or https, or that leads to an advertisement.
pub(crate) fn unwrap(href: &str) -> Option<Url> {
    let mut url = parse(href)?;
    // One may lead through another; more than a few are a trick.
    for _ in 0..3 {
        match behind(&url) {
            Behind::Itself => return Some(url),
            Behind::Other(target) => url = parse(&target)?,
            Behind::Nothing => return None,
        }
    }
    None
}

enum Behind {
    Itself,
    Other(String),
    Nothing,
}

fn parse(href: &str) -> Option<Url> {
    let href = href.trim();
    let url = match href.strip_prefix("//") {
        Some(rest) => Url::parse(&format!("https://{rest}")),
        None => Url::parse(href),
    };
    url.ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.host_str().is_some())
}

fn behind(url: &Url) -> Behind {
    let parameter = |name: &str| url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
    let is_at = |domain: &str| {
        let host = url.host_str().unwrap_or_default();
        host == domain || host.strip_suffix(domain).is_some_and(|rest| rest.ends_with('.'))
    };
    let found = |target: Option<String>| target.map_or(Behind::Nothing, Behind::Other);
    match url.path() {
        "/l/" if is_at("duckduckgo.com") => found(parameter("uddg")),
        "/y.js" if is_at("duckduckgo.com") => Behind::Nothing,
        "/ck/a" if is_at("bing.com") => found(parameter("u").and_then(|u| from_bing(&u))),
        "/aclick" | "/aclk" if is_at("bing.com") => Behind::Nothing,
        _ => Behind::Itself,
    }
}

/// `a1` and the address in base64.
fn from_bing(u: &str) -> Option<String> {
    let bytes = URL_SAFE_NO_PAD.decode(u.strip_prefix("a1")?.trim_end_matches('=')).ok()?;
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_engines_own_address_is_unwrapped() {
        let table = [
            ("https://example.org/a?b=c#d", Some("https://example.org/a?b=c#d")),
            ("http://example.org", Some("http://example.org/")),
            ("//example.org/a", Some("https://example.org/a")),
            (
                "//duckduckgo.com/l/?uddg=https%3A%2F%2Fexample.org%2Fa%3Fb%3Dc&rut=1f",
                Some("https://example.org/a?b=c"),
            ),
            (
                "https://www.bing.com/ck/a?!&&p=1&u=a1aHR0cHM6Ly9leGFtcGxlLm9yZy_DqT9hPTE&ntb=1",
                Some("https://example.org/%C3%A9?a=1"),
            ),
            (
                "https://duckduckgo.com/l/?uddg=https%3A%2F%2Fwww.bing.com%2Fck%2Fa%3Fu%3Da1aHR0cHM6Ly9leGFtcGxlLm9yZy8",
                Some("https://example.org/"),
            ),
            // Somebody else's page is where it is.
            (
                "https://notduckduckgo.com/l/?uddg=https%3A%2F%2Fexample.org",
                Some("https://notduckduckgo.com/l/?uddg=https%3A%2F%2Fexample.org"),
            ),
            ("https://duckduckgo.com/y.js?ad_domain=example.org", None),
            ("https://duckduckgo.com/l/?rut=1f", None),
            ("https://www.bing.com/ck/a?u=a1%%%", None),
            ("https://www.bing.com/ck/a?u=b1aHR0cHM6Ly9leGFtcGxlLm9yZy8", None),
            ("//duckduckgo.com/l/?uddg=javascript%3Aalert(1)", None),
            ("javascript:alert(1)", None),
            ("/search?q=more", None),
            ("", None),
        ];
        for (href, url) in table {
            assert_eq!(unwrap(href).map(String::from).as_deref(), url, "{href}");
        }
    }

    proptest! {
        #[test]
        fn what_comes_out_is_on_the_web(href in "(https?:)?//([a-z.]{0,12}\\.)?(duckduckgo\\.com/l/\\?uddg=|bing\\.com/ck/a\\?u=a1)?\\PC{0,40}") {
            if let Some(url) = unwrap(&href) {
                prop_assert!(matches!(url.scheme(), "http" | "https"));
                prop_assert!(!url.as_str().contains(char::is_whitespace));
            }
        }
    }
}
