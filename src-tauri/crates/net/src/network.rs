// SPDX-License-Identifier: Apache-2.0
use crate::endpoint::EndpointError;
use bailey_ports::Secret;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use url::Url;

/// How hosts on the internet are reached; see [`Clients::configure`](crate::Clients::configure).
#[derive(Clone, Debug, Default)]
pub struct NetworkOptions {
    /// The proxy; `None` for none.
    pub proxy: Option<ProxyOptions>,
    /// Certificates of authorities to trust besides the system's, in PEM; `None` or white space for none.
    pub extra_roots_pem: Option<String>,
}

/// A proxy, and who one is there.
#[derive(Clone, Debug)]
pub struct ProxyOptions {
    /// `http://`, `https://`, `socks5://` (names are resolved here) or `socks5h://` (names are resolved there), without
    /// user name and password.
    pub url: String,
    /// The user's name there; `None` or empty for none.
    pub user: Option<Secret>,
    /// The password there; `None` or empty for none.
    pub password: Option<Secret>,
}

impl ProxyOptions {
    /// A proxy as people paste it: `127.0.0.1:7890`, `http://user:password@proxy.example:3128`. User and password are
    /// taken out of the URL, which becomes scheme, host and port; without a scheme it is `http`.
    pub fn parse(text: &str) -> Result<Self, EndpointError> {
        let text = text.trim();
        let mut url = if text.contains("://") { Url::parse(text) } else { Url::parse(&format!("http://{text}")) }
            .map_err(|error| EndpointError::Proxy(error.to_string()))?;
        let part = |text: &str| {
            let decoded = percent_decode_str(text).decode_utf8_lossy();
            (!decoded.is_empty()).then(|| Secret::new(&decoded))
        };
        let (user, password) = (part(url.username()), url.password().and_then(part));
        // They fail where there is no host, which is then said.
        let _ = url.set_username("");
        let _ = url.set_password(None);
        let url = place(url)?;
        Ok(Self { url: url.as_str().trim_end_matches('/').to_owned(), user, password })
    }

    /// The whole URL as the HTTP client takes it, user and password in it.
    pub(crate) fn resolved(&self) -> Result<Url, EndpointError> {
        // The ones that no part of a URL takes for its own.
        const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
        let url = Url::parse(self.url.trim()).map_err(|error| EndpointError::Proxy(error.to_string()))?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err(EndpointError::ProxyCredentials);
        }
        let mut url = place(url)?;
        let part = |secret: &Option<Secret>| {
            secret.as_ref().map(|secret| utf8_percent_encode(secret.expose(), ENCODED).to_string()).unwrap_or_default()
        };
        let (user, password) = (part(&self.user), part(&self.password));
        if !user.is_empty() || !password.is_empty() {
            let lost = |()| EndpointError::Proxy("it has no host".to_owned());
            url.set_username(&user).map_err(lost)?;
            url.set_password(Some(&password)).map_err(lost)?;
        }
        Ok(url)
    }
}

/// Scheme, host and port of a proxy's URL, and nothing else.
fn place(mut url: Url) -> Result<Url, EndpointError> {
    let socks = match url.scheme() {
        "http" | "https" => false,
        "socks5" | "socks5h" => true,
        other => return Err(EndpointError::Proxy(format!("{other}:// is not spoken"))),
    };
    if url.host_str().is_none_or(str::is_empty) {
        return Err(EndpointError::Proxy("it has no host".to_owned()));
    }
    url.set_path("");
    url.set_query(None);
    url.set_fragment(None);
    // The client would take 80.
    if socks && url.port().is_none() {
        let _ = url.set_port(Some(1080));
    }
    Ok(url)
}

/// The certificates of a PEM text; each can be a trust anchor.
pub(crate) fn roots(pem: &str) -> Result<Vec<CertificateDer<'static>>, EndpointError> {
    // Indented when it was copied out of a file of another kind.
    let pem: String = pem.trim().trim_start_matches('\u{feff}').lines().flat_map(|line| [line.trim(), "\n"]).collect();
    if pem.is_empty() {
        return Ok(Vec::new());
    }
    let label = |line: &str| Some(line.strip_prefix("-----BEGIN ")?.strip_suffix("-----")?.to_owned());
    let labels: Vec<String> = pem.lines().filter_map(label).collect();
    if labels.iter().any(|label| label.ends_with("PRIVATE KEY")) {
        return Err(EndpointError::PrivateKey);
    }
    let mut found = Vec::new();
    for certificate in CertificateDer::pem_slice_iter(pem.as_bytes()) {
        let number = found.len() + 1;
        let certificate =
            certificate.map_err(|error| EndpointError::Certificate { number, reason: error.to_string() })?;
        RootCertStore::empty()
            .add(certificate.clone())
            .map_err(|error| EndpointError::Certificate { number, reason: error.to_string() })?;
        found.push(certificate);
    }
    if found.is_empty() {
        return Err(EndpointError::NoCertificate(match labels.first() {
            Some(label) => format!("a {}", label.to_lowercase()),
            None => "text of another kind".to_owned(),
        }));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(url: &str, user: &str, password: &str) -> ProxyOptions {
        let secret = |text: &str| (!text.is_empty()).then(|| Secret::new(text));
        ProxyOptions { url: url.to_owned(), user: secret(user), password: secret(password) }
    }

    #[test]
    fn a_proxy_is_found_in_what_people_paste() {
        for (text, url, user, password) in [
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080", "", ""),
            (" 127.0.0.1:7890\n", "http://127.0.0.1:7890", "", ""),
            ("proxy.example:3128", "http://proxy.example:3128", "", ""),
            ("http://proxy.example/", "http://proxy.example", "", ""),
            ("https://proxy.example:8443/pac?x#y", "https://proxy.example:8443", "", ""),
            ("socks5://127.0.0.1", "socks5://127.0.0.1:1080", "", ""),
            ("SOCKS5H://[::1]:9050", "socks5h://[::1]:9050", "", ""),
            ("http://ana:p%40ss%3Aword@proxy.example:3128", "http://proxy.example:3128", "ana", "p@ss:word"),
            ("ana@proxy.example:3128", "http://proxy.example:3128", "ana", ""),
            ("socks5h://ana:secret@proxy.example", "socks5h://proxy.example:1080", "ana", "secret"),
        ] {
            let proxy = ProxyOptions::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
            let exposed = |secret: &Option<Secret>| secret.as_ref().map_or("", Secret::expose).to_owned();
            assert_eq!(
                (proxy.url.as_str(), exposed(&proxy.user), exposed(&proxy.password)),
                (url, user.into(), password.into())
            );
            let again = ProxyOptions::parse(&proxy.url).unwrap();
            assert_eq!(again.url, proxy.url);
            assert!(proxy.resolved().is_ok(), "{text}");
            let shown = format!("{proxy:?}");
            assert!(password.is_empty() || !shown.contains(password), "{shown}");
        }
        for text in [
            "",
            "http://",
            "ftp://proxy.example",
            "socks4://127.0.0.1:1080",
            "file:///etc/passwd",
            "http://[::1",
            "socks5://:1080",
            "not a proxy",
        ] {
            let error = ProxyOptions::parse(text).unwrap_err();
            assert!(matches!(error, EndpointError::Proxy(_)), "{text}: {error}");
            assert!(error.to_string().contains("http://127.0.0.1:8080"), "it says what would do: {error}");
        }
    }

    #[test]
    fn user_and_password_arrive_as_they_were_typed() {
        for (url, user, password, whole) in [
            ("http://proxy.example:3128", "", "", "http://proxy.example:3128/"),
            ("http://proxy.example:3128/", "ana", "", "http://ana:@proxy.example:3128/"),
            ("https://proxy.example", "ana", "a%41:@/ ü'", "https://ana:a%2541%3A%40%2F%20%C3%BC%27@proxy.example/"),
            ("socks5h://127.0.0.1", "a b", "c", "socks5h://a%20b:c@127.0.0.1:1080"),
        ] {
            // What the client does with it: decode each part.
            let resolved = options(url, user, password).resolved().unwrap();
            let expected = Url::parse(whole).unwrap();
            let parts =
                |url: &Url| (url.username().to_owned(), url.password().unwrap_or_default().to_owned(), url.port());
            assert_eq!(parts(&resolved), parts(&expected), "{whole}");
            let decoded = percent_decode_str(resolved.password().unwrap_or_default()).decode_utf8().unwrap();
            assert_eq!(decoded, password);
        }
        assert_eq!(options("http://ana:s3cret@proxy.example", "", "").resolved(), Err(EndpointError::ProxyCredentials));
        assert!(!EndpointError::ProxyCredentials.to_string().contains("s3cret"));
    }

    fn authority() -> String {
        rcgen::generate_simple_self_signed(["authority.example".to_owned()]).unwrap().cert.pem()
    }

    #[test]
    fn certificates_are_read_however_they_were_copied() {
        let one = authority();
        assert_eq!(roots("").unwrap(), []);
        assert_eq!(roots(" \r\n\t").unwrap(), []);
        let plain = roots(&one).unwrap();
        assert_eq!(plain.len(), 1);
        assert_eq!(roots(&one.replace('\n', "\r\n")).unwrap(), plain);
        assert_eq!(roots(&format!("\u{feff}{one}")).unwrap(), plain);
        let indented: String = one.lines().map(|line| format!("    {line}  \n")).collect();
        assert_eq!(roots(&format!("ca: |\n{indented}")).unwrap(), plain);
        let two = format!("# first\n{one}\n# second\n{}", authority());
        assert_eq!(roots(&two).unwrap().len(), 2);
    }

    #[test]
    fn what_is_no_certificate_is_told_apart() {
        let one = authority();
        let key = rcgen::KeyPair::generate().unwrap().serialize_pem();
        assert!(key.contains("PRIVATE KEY"));
        let boxed = |label: &str, body: &str| format!("-----BEGIN {label}-----\n{body}\n-----END {label}-----\n");
        for text in [
            key.clone(),
            format!("{one}{key}"),
            boxed("ENCRYPTED PRIVATE KEY", "AAAA"),
            boxed("OPENSSH PRIVATE KEY", "AAAA"),
        ] {
            assert_eq!(roots(&text), Err(EndpointError::PrivateKey));
        }
        for (text, holds) in [
            ("hello".to_owned(), "text of another kind"),
            ("MIIBszCCAVmgAwIBAgIU".to_owned(), "text of another kind"),
            (boxed("CERTIFICATE REQUEST", "AAAA"), "a certificate request"),
            (boxed("PUBLIC KEY", "AAAA"), "a public key"),
            (boxed("PKCS7", "AAAA"), "a pkcs7"),
        ] {
            assert_eq!(roots(&text), Err(EndpointError::NoCertificate(holds.to_owned())), "{text}");
        }
        for (text, place) in [
            (boxed("CERTIFICATE", "AAAA"), 1),
            (boxed("CERTIFICATE", "!!!!"), 1),
            (format!("{one}{}", boxed("CERTIFICATE", "AAAA")), 2),
            (one.lines().take(4).collect::<Vec<_>>().join("\n"), 1),
        ] {
            let error = roots(&text).unwrap_err();
            assert!(matches!(error, EndpointError::Certificate { number, .. } if number == place), "{error}");
        }
    }
}
