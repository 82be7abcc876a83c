// SPDX-License-Identifier: Apache-2.0
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use url::{Host, Url};

/// A base URL that is not one a model endpoint may have. The text says what to do instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EndpointError {
    /// It is no URL.
    #[error(
        "this is not an address Bailey can read ({0}). Enter it like https://api.example.com/v1 or http://127.0.0.1:11434/v1"
    )]
    Malformed(String),
    /// It is neither `https` nor `http`.
    #[error(
        "{0}: addresses can't be used. Enter one that begins with https:// (or http:// for a server on your own network)"
    )]
    Scheme(String),
    /// It holds a user name or a password.
    #[error(
        "the address holds a user name or a password, which would end up in logs. Remove everything up to the @ and enter the key in its own field"
    )]
    Credentials,
    /// Cleartext to a host that is not on the person's own network.
    #[error(
        "http:// sends the key and the chat in the clear, so it is only for this machine and the local network, and {0} is neither. Use https://"
    )]
    Cleartext(String),
    /// The unspecified address, which servers listen on and nobody connects to.
    #[error(
        "{0} is what a server listens on, not an address to connect to. Enter 127.0.0.1 when it runs on this machine, otherwise that machine's address"
    )]
    Unspecified(String),
    /// The certificates of this system could not be set up.
    #[error(
        "encrypted connections can't be set up on this system: {0}. Reinstall or update Bailey, or use a server on this machine"
    )]
    Tls(String),
    /// A proxy that can't be used.
    #[error(
        "this is not a proxy Bailey can use ({0}). Enter it like http://127.0.0.1:8080, https://proxy.example:443 or socks5h://127.0.0.1:1080"
    )]
    Proxy(String),
    /// A proxy's URL holds a user name or a password.
    #[error(
        "the proxy's address holds a user name or a password, which would end up in logs. Remove everything up to the @ and enter them in their own fields"
    )]
    ProxyCredentials,
    /// A private key where certificates belong.
    #[error(
        "this holds a private key, which must stay with its owner. Paste only the authority's certificate, from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----"
    )]
    PrivateKey,
    /// A text without a certificate; what it holds instead.
    #[error(
        "there is no certificate in this, but {0}. Paste the authority's certificate as PEM text, from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----"
    )]
    NoCertificate(String),
    /// A certificate that can't be read.
    #[error("certificate {number} of this text can't be read ({reason}). Export it again as PEM (also called Base64)")]
    Certificate {
        /// Which, counted from 1.
        number: usize,
        /// Why.
        reason: String,
    },
}

/// Whether a model may be called at this URL: HTTPS anywhere; cleartext HTTP only on loopback, RFC 1918 and unique local
/// (fc00::/7), and link-local addresses, `localhost` and mDNS names (`*.local`). No credentials in the URL.
///
/// A name is taken at its word here; that it really leads to a private address is checked by the client's resolver.
pub fn check_endpoint(url: &Url) -> Result<(), EndpointError> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err(EndpointError::Scheme(url.scheme().to_owned()));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(EndpointError::Credentials);
    }
    let Some(host) = url.host() else { return Err(EndpointError::Malformed("it has no host".to_owned())) };
    if address(&host).is_some_and(|ip| ip.is_unspecified()) {
        return Err(EndpointError::Unspecified(host.to_string()));
    }
    if url.scheme() == "http" && !is_at_home(url) {
        return Err(EndpointError::Cleartext(host.to_string()));
    }
    Ok(())
}

/// Whether a URL by itself says that its host is this machine or on the person's own network: a private address,
/// `localhost` or an mDNS name. Nothing is looked up, so a name like `nas.lan` is not at home.
pub fn is_at_home(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => is_local_name(name),
        Some(host) => address(&host).is_some_and(is_private),
        None => false,
    }
}

/// Whether an address is on this machine or on a network of the person's own: loopback, RFC 1918, fc00::/7, link-local.
pub fn is_private(ip: IpAddr) -> bool {
    match unmapped(ip) {
        IpAddr::V4(v4) => v4.is_loopback() || v4.is_private() || v4.is_link_local(),
        IpAddr::V6(v6) => v6.is_loopback() || v6.is_unique_local() || v6.is_unicast_link_local(),
    }
}

/// Whether this URL names this machine itself.
pub fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => is_localhost(name),
        Some(host) => address(&host).is_some_and(|ip| unmapped(ip).is_loopback()),
        None => false,
    }
}

/// `localhost` or a name below it, which never leave this machine (RFC 6761).
pub(crate) fn is_localhost(name: &str) -> bool {
    let name = relative(name);
    name == "localhost" || under(&name, ".localhost")
}

/// A name that can only belong to this machine or the local network.
pub(crate) fn is_local_name(name: &str) -> bool {
    is_localhost(name) || under(&relative(name), ".local")
}

fn relative(name: &str) -> String {
    name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase()
}

fn under(name: &str, zone: &str) -> bool {
    name.strip_suffix(zone).is_some_and(|labels| labels.split('.').all(|label| !label.is_empty()))
}

fn address<S: AsRef<str>>(host: &Host<S>) -> Option<IpAddr> {
    match host {
        Host::Ipv4(v4) => Some(IpAddr::V4(*v4)),
        Host::Ipv6(v6) => Some(IpAddr::V6(*v6)),
        Host::Domain(_) => None,
    }
}

fn unmapped(ip: IpAddr) -> IpAddr {
    match ip {
        IpAddr::V6(v6) => v6.to_ipv4_mapped().map_or(ip, IpAddr::V4),
        IpAddr::V4(_) => ip,
    }
}

/// The base URL behind what a person typed or pasted: with or without a scheme (`http` for this machine, else `https`),
/// `/v1`, a trailing slash, or the resource of a request (`/chat/completions`, `/responses`, `/messages`, `/models`,
/// `/models/…:generateContent`). A bare host and a path that ends in `/anthropic` get `/v1`, for requests go to
/// `/v1/messages` there; any other path is kept. Query and fragment go. The result has no trailing slash, passes
/// [`check_endpoint`], and stays the same when normalised again.
pub fn normalize_base_url(text: &str) -> Result<Url, EndpointError> {
    let text = text.trim().trim_matches(['"', '\'', '`', '<', '>']).trim();
    let malformed = |error: url::ParseError| EndpointError::Malformed(error.to_string());
    let lower = text.to_ascii_lowercase();
    let mut url = if text.contains("://") || lower.starts_with("http:") || lower.starts_with("https:") {
        Url::parse(text).map_err(malformed)?
    } else {
        let guess = Url::parse(&format!("https://{text}")).map_err(malformed)?;
        // Parsed anew, for the default port depends on the scheme.
        if is_loopback(&guess) { Url::parse(&format!("http://{text}")).map_err(malformed)? } else { guess }
    };
    check_endpoint(&url)?;
    url.set_query(None);
    url.set_fragment(None);
    let mut path = url.path().trim_end_matches('/');
    while let Some(base) = without_resource(path) {
        path = base.trim_end_matches('/');
    }
    let path = match path.rsplit('/').next() {
        Some(last) if last.is_empty() || last.eq_ignore_ascii_case("anthropic") => format!("{path}/v1"),
        _ => path.to_owned(),
    };
    url.set_path(&path);
    Ok(url)
}

/// The resources of requests, as the ends of paths.
const RESOURCES: [&str; 7] = [
    "/chat/completions",
    "/completions",
    "/embeddings",
    "/responses",
    "/messages",
    "/messages/count_tokens",
    "/models",
];

/// The path above a request's resource; `None` when it ends in none.
fn without_resource(path: &str) -> Option<&str> {
    if let Some(base) = RESOURCES.iter().find_map(|resource| strip_suffix_ignore_case(path, resource)) {
        return Some(base);
    }
    // One model of a list: `/v1/models/name`, `/v1beta/models/name:generateContent`.
    let (list, model) = path.rsplit_once('/')?;
    let base = strip_suffix_ignore_case(list, "/models")?;
    let version = base.rsplit('/').next()?.strip_prefix(['v', 'V']);
    (model.contains(':') || version.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))).then_some(base)
}

fn strip_suffix_ignore_case<'a>(text: &'a str, suffix: &str) -> Option<&'a str> {
    let (rest, end) = text.split_at_checked(text.len().checked_sub(suffix.len())?)?;
    end.eq_ignore_ascii_case(suffix).then_some(rest)
}

/// The URL of a resource below a base URL: `chat/completions`, `models`.
pub fn endpoint_url(base: &Url, resource: &str) -> Url {
    let mut url = base.clone();
    url.set_path(&format!("{}/{resource}", base.path().trim_end_matches('/')));
    url
}

/// The addresses of `localhost`, IPv4 first: what servers listen on.
pub(crate) const LOCALHOST: [IpAddr; 2] = [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)];

#[cfg(test)]
mod tests {
    use super::*;

    fn check(url: &str) -> Result<(), EndpointError> {
        check_endpoint(&Url::parse(url).unwrap())
    }

    #[test]
    fn https_goes_anywhere_and_cleartext_stays_at_home() {
        let allowed = [
            "https://api.openai.com/v1",
            "HTTPS://API.OPENAI.COM",
            "https://8.8.8.8/v1",
            "https://[2606:4700::1]/v1",
            "https://printer.local",
            "http://localhost:11434/v1",
            "http://LOCALHOST",
            "http://localhost.:8080",
            "http://a.b.localhost",
            "http://127.0.0.1",
            "http://127.0.0.1.",
            "http://127.255.0.9",
            "http://127.1",
            "http://2130706433",   // 127.0.0.1 in decimal
            "http://0x7f.0.0.1",   // in hex
            "http://0177.0.0.1",   // in octal
            "http://0xC0A80001/",  // 192.168.0.1
            "http://１２７.0.0.1", // full-width digits
            "http://10.1.2.3",
            "http://172.16.0.1",
            "http://172.31.255.255",
            "http://192.168.178.20:1234",
            "http://169.254.7.7",
            "http://[::1]:8000",
            "http://[fe80::1]",
            "http://[fc00::1]",
            "http://[fd12:3456::9]",
            "http://[::ffff:10.0.0.1]",
            "http://[::ffff:7f00:1]",
            "http://studio.local:1234",
            "http://Studio.LOCAL.",
            "http://a.studio.local",
        ];
        for url in allowed {
            assert_eq!(check(url), Ok(()), "{url}");
        }
        let cleartext = [
            "http://api.openai.com/v1",
            "http://8.8.8.8",
            "http://134744072", // 8.8.8.8 in decimal
            "http://010.8.8.8", // 8.8.8.8: octal 010
            "http://0x08080808",
            "http://172.15.0.1",
            "http://172.32.0.1",
            "http://192.169.0.1",
            "http://100.64.0.1",
            "http://198.18.0.1",
            "http://224.0.0.1",
            "http://255.255.255.255",
            "http://[2606:4700::1]",
            "http://[::ffff:8.8.8.8]",
            "http://[::127.0.0.1]", // IPv4-compatible, not mapped: no such address
            "http://[fbff::1]",
            "http://[fe00::1]",
            "http://[ff02::1]",
            "http://local",
            "http://localhost.example.com",
            "http://notlocalhost",
            "http://studio.local.example.com",
            "http://studiolocal",
            "http://127.0.0.1.example.com",
            "http://raspberrypi",
            "http://raspberrypi.lan",
            "http://.local",
            "http://a..local",
        ];
        for url in cleartext {
            let Ok(parsed) = Url::parse(url) else { panic!("{url}") };
            assert!(
                matches!(check_endpoint(&parsed), Err(EndpointError::Cleartext(_))),
                "{url}: {:?}",
                check_endpoint(&parsed)
            );
        }
        for url in ["http://0.0.0.0:11434", "http://0", "https://[::]:1", "https://0.0.0.0"] {
            assert!(matches!(check(url), Err(EndpointError::Unspecified(_))), "{url}");
        }
        for url in [
            "https://user:pass@api.openai.com",
            "https://user@api.openai.com",
            "http://:secret@127.0.0.1",
            "http://a@localhost",
        ] {
            assert_eq!(check(url), Err(EndpointError::Credentials), "{url}");
        }
        for url in [
            "ftp://localhost",
            "file:///etc/passwd",
            "ws://127.0.0.1",
            "data:text/plain,x",
            "javascript:1",
            "gopher://127.0.0.1",
        ] {
            assert!(matches!(check(url), Err(EndpointError::Scheme(_))), "{url}");
        }
    }

    #[test]
    fn a_base_url_is_found_in_what_people_paste() {
        let table = [
            ("https://api.openai.com/v1", "https://api.openai.com/v1"),
            ("https://api.openai.com", "https://api.openai.com/v1"),
            ("https://api.openai.com/", "https://api.openai.com/v1"),
            ("https://api.openai.com/v1/", "https://api.openai.com/v1"),
            ("https://api.openai.com/v1//", "https://api.openai.com/v1"),
            ("https://api.openai.com/v1/chat/completions", "https://api.openai.com/v1"),
            ("https://api.openai.com/v1/chat/completions/", "https://api.openai.com/v1"),
            ("https://api.openai.com/V1/Chat/Completions", "https://api.openai.com/V1"),
            ("https://api.openai.com/v1/models", "https://api.openai.com/v1"),
            ("https://api.deepseek.com/chat/completions", "https://api.deepseek.com/v1"),
            ("https://open.bigmodel.cn/api/paas/v4", "https://open.bigmodel.cn/api/paas/v4"),
            ("https://open.bigmodel.cn/api/paas/v4/chat/completions", "https://open.bigmodel.cn/api/paas/v4"),
            ("https://openrouter.ai/api/v1", "https://openrouter.ai/api/v1"),
            ("https://dashscope.aliyuncs.com/compatible-mode/v1/", "https://dashscope.aliyuncs.com/compatible-mode/v1"),
            ("https://gateway.example/models/v1", "https://gateway.example/models/v1"),
            ("https://gateway.example/模型/v1", "https://gateway.example/%E6%A8%A1%E5%9E%8B/v1"),
            ("https://gateway.example/模", "https://gateway.example/%E6%A8%A1"),
            ("https://x.example/v1?key=abc#frag", "https://x.example/v1"),
            ("https://x.example/v1/chat/completions?api-version=1", "https://x.example/v1"),
            ("  https://api.openai.com/v1\n", "https://api.openai.com/v1"),
            ("`https://api.openai.com/v1`", "https://api.openai.com/v1"),
            ("api.openai.com", "https://api.openai.com/v1"),
            ("api.openai.com/v1", "https://api.openai.com/v1"),
            ("API.OpenAI.com/v1/models", "https://api.openai.com/v1"),
            ("localhost:11434", "http://localhost:11434/v1"),
            ("localhost", "http://localhost/v1"),
            ("127.0.0.1:8080/v1/", "http://127.0.0.1:8080/v1"),
            ("[::1]:8000", "http://[::1]:8000/v1"),
            ("localhost:443", "http://localhost:443/v1"),
            ("192.168.1.5:8443", "https://192.168.1.5:8443/v1"),
            ("http://192.168.1.5:11434", "http://192.168.1.5:11434/v1"),
            ("http://studio.local:1234/v1", "http://studio.local:1234/v1"),
            ("HTTP://LOCALHOST:1234", "http://localhost:1234/v1"),
            ("https:api.openai.com", "https://api.openai.com/v1"),
            ("https://api.openai.com:443/v1", "https://api.openai.com/v1"),
            ("https://api.openai.com/v1/responses", "https://api.openai.com/v1"),
            ("https://api.openai.com/v1/completions", "https://api.openai.com/v1"),
            ("https://api.openai.com/v1/embeddings", "https://api.openai.com/v1"),
            ("https://api.openai.com/v1/models/gpt-5", "https://api.openai.com/v1"),
            ("https://api.openai.com/v1/chat/completions/models", "https://api.openai.com/v1"),
            ("https://api.openai.com/v1//responses//", "https://api.openai.com/v1"),
            ("https://api.anthropic.com", "https://api.anthropic.com/v1"),
            ("https://api.anthropic.com/v1/messages", "https://api.anthropic.com/v1"),
            ("https://api.anthropic.com/v1/messages/count_tokens?beta=true", "https://api.anthropic.com/v1"),
            ("https://api.anthropic.com/Messages", "https://api.anthropic.com/v1"),
            ("https://api.deepseek.com/anthropic", "https://api.deepseek.com/anthropic/v1"),
            ("https://api.deepseek.com/anthropic/", "https://api.deepseek.com/anthropic/v1"),
            ("https://api.deepseek.com/anthropic/v1/messages", "https://api.deepseek.com/anthropic/v1"),
            ("https://gateway.example/anthropic-like", "https://gateway.example/anthropic-like"),
            ("https://x.example/v1beta/models", "https://x.example/v1beta"),
            ("https://x.example/v1beta/models/gemini-3.5-flash", "https://x.example/v1beta"),
            ("https://x.example/v1beta/models/gemini-3.5-flash:generateContent?key=abc", "https://x.example/v1beta"),
            ("https://x.example/v1beta/models/g:streamGenerateContent?alt=sse", "https://x.example/v1beta"),
            ("https://x.example/gemini/models/g:countTokens", "https://x.example/gemini"),
            ("https://x.example/openai/v1beta/openai/", "https://x.example/openai/v1beta/openai"),
            ("https://x.example/vision/models/large", "https://x.example/vision/models/large"),
        ];
        for (text, base) in table {
            let url = normalize_base_url(text).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(url.as_str(), base, "{text}");
            assert_eq!(normalize_base_url(url.as_str()).unwrap(), url, "{text} again");
        }
        for text in
            ["", " ", "http://", "https://", "not a url", "http://[::1", "mailto:a@b", "localhost:99999", "https:///"]
        {
            assert!(
                matches!(normalize_base_url(text), Err(EndpointError::Malformed(_) | EndpointError::Credentials)),
                "{text}"
            );
        }
        assert!(matches!(normalize_base_url("ftp://a/v1"), Err(EndpointError::Scheme(_))));
        assert!(matches!(normalize_base_url("http://api.openai.com"), Err(EndpointError::Cleartext(_))));
        assert_eq!(normalize_base_url("user:pass@api.openai.com"), Err(EndpointError::Credentials));
    }

    #[test]
    fn what_is_at_home_is_told_from_the_url_alone() {
        for (url, at_home) in [
            ("https://localhost:8443/v1", true),
            ("https://127.0.0.1", true),
            ("https://[::1]", true),
            ("https://192.168.1.5", true),
            ("https://[fd12:3456::9]", true),
            ("https://studio.local", true),
            ("https://nas.lan", false),
            ("https://api.openai.com", false),
            ("https://8.8.8.8", false),
            ("https://100.64.0.1", false),
            ("data:text/plain,x", false),
        ] {
            assert_eq!(is_at_home(&Url::parse(url).unwrap()), at_home, "{url}");
        }
    }

    #[test]
    fn resources_hang_below_the_base() {
        for (base, url) in [
            ("https://a.example/v1", "https://a.example/v1/chat/completions"),
            ("https://a.example/api/v4/", "https://a.example/api/v4/chat/completions"),
            ("https://a.example/", "https://a.example/chat/completions"),
        ] {
            assert_eq!(endpoint_url(&Url::parse(base).unwrap(), "chat/completions").as_str(), url);
        }
    }
}
