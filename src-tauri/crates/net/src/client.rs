// SPDX-License-Identifier: Apache-2.0
use crate::endpoint::{EndpointError, LOCALHOST, check_endpoint, is_at_home, is_local_name, is_localhost, is_private};
use crate::network::{NetworkOptions, ProxyOptions, roots};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::redirect;
use rustls::pki_types::CertificateDer;
use rustls::{ClientConfig, RootCertStore};
use std::error::Error;
use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;
use url::Url;

/// How long opening a connection may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Looks up the addresses of a name.
pub(crate) type Lookup =
    Arc<dyn Fn(String) -> Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>> + Send + Sync>;

/// Makes the HTTP clients, one a kind, and shares them: connections are kept in their pools. Cheap to clone.
///
/// No client takes a proxy from the environment, keeps cookies or follows a redirect by itself. For the open web there is
/// [`GuardedWeb`](crate::GuardedWeb). There are two for model endpoints: the one for cleartext reaches only private addresses and loads no certificates, so that a start with a
/// server on this machine waits for nothing; the other speaks nothing but HTTPS, and is the one that
/// [`Clients::configure`] concerns.
#[derive(Clone)]
pub struct Clients(Arc<Shared>);

struct Shared {
    lookup: Lookup,
    cleartext: OnceLock<Result<reqwest::Client, EndpointError>>,
    encrypted: Mutex<Encrypted>,
}

#[derive(Default)]
struct Encrypted {
    ways: Arc<Ways>,
    /// Made when it is first asked for.
    client: Option<Result<reqwest::Client, EndpointError>>,
}

/// The options of the network, checked.
#[derive(Default, PartialEq)]
pub(crate) struct Ways {
    /// User and password in it.
    pub(crate) proxy: Option<Url>,
    roots: Vec<CertificateDer<'static>>,
}

impl Ways {
    /// TLS as the system and the person trust it, for HTTP/2 and 1.1.
    pub(crate) fn tls(&self) -> Result<ClientConfig, EndpointError> {
        let mut roots = trusted_roots();
        // Read before, when they were set.
        roots.add_parsable_certificates(self.roots.iter().cloned());
        let mut tls = tls_config(roots)?;
        tls.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(tls)
    }
}

impl Clients {
    /// Does no work yet: a client is made when it is first asked for.
    pub fn new() -> Self {
        Self::with_lookup(Arc::new(|name| {
            Box::pin(async move {
                let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
                Ok(found.map(|address| address.ip()).collect())
            })
        }))
    }

    pub(crate) fn with_lookup(lookup: Lookup) -> Self {
        Self(Arc::new(Shared { lookup, cleartext: OnceLock::new(), encrypted: Mutex::default() }))
    }

    /// From now on clients for HTTPS go through this proxy and trust these authorities, too; clones of this included.
    /// Clients that were handed out before go on as they are. The same options again keep the client and its connections.
    ///
    /// What is at home ([`is_at_home`]) is reached without the proxy, over `https` as over `http`. All other names go
    /// through it, those that only the local network knows (`nas.lan`) among them. A proxy resolves the names itself,
    /// except with `socks5://`; a local name therefore still has to lead to a private address. The proxy's own
    /// certificate, with `https://`, is checked like an endpoint's.
    ///
    /// Errors: the proxy can't be used, or the PEM text holds no certificates. Then everything stays as it was.
    pub fn configure(&self, options: NetworkOptions) -> Result<(), EndpointError> {
        let ways = Ways {
            proxy: options.proxy.as_ref().map(ProxyOptions::resolved).transpose()?,
            roots: roots(options.extra_roots_pem.as_deref().unwrap_or_default())?,
        };
        let mut encrypted = self.0.encrypted.lock().unwrap_or_else(PoisonError::into_inner);
        if *encrypted.ways != ways {
            *encrypted = Encrypted { ways: Arc::new(ways), client: None };
        }
        Ok(())
    }

    /// The client for a model endpoint with this base URL.
    ///
    /// Errors: the URL is not one a model may have, or the system's certificates can't be set up.
    pub fn endpoint(&self, base: &Url) -> Result<reqwest::Client, EndpointError> {
        check_endpoint(base)?;
        let shared = &self.0;
        let resolver = |private_only| Resolver { lookup: shared.lookup.clone(), private_only };
        if base.scheme() == "https" {
            let mut encrypted = shared.encrypted.lock().unwrap_or_else(PoisonError::into_inner);
            let Encrypted { ways, client } = &mut *encrypted;
            client.get_or_insert_with(|| encrypting(ways, resolver(false))).clone()
        } else {
            let make = || build(tls_config(RootCertStore::empty())?, resolver(true), false, None);
            shared.cleartext.get_or_init(make).clone()
        }
    }

    /// What was last configured; the same `Arc` until it changes.
    pub(crate) fn ways(&self) -> Arc<Ways> {
        self.0.encrypted.lock().unwrap_or_else(PoisonError::into_inner).ways.clone()
    }

    pub(crate) fn lookup(&self) -> Lookup {
        self.0.lookup.clone()
    }
}

impl Default for Clients {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for Clients {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Clients")
    }
}

fn encrypting(ways: &Ways, resolver: Resolver) -> Result<reqwest::Client, EndpointError> {
    build(ways.tls()?, resolver, true, ways.proxy.clone())
}

fn build(
    tls: ClientConfig,
    resolver: Resolver,
    https_only: bool,
    proxy: Option<Url>,
) -> Result<reqwest::Client, EndpointError> {
    let mut builder = builder(tls);
    if let Some(proxy) = proxy {
        // A function keeps the credentials out of the client's `Debug`, too.
        builder = builder.proxy(reqwest::Proxy::custom(move |url| (!is_at_home(url)).then(|| proxy.clone())));
    }
    builder
        .https_only(https_only)
        // A stream that is packed on its way comes late, in lumps.
        .no_brotli()
        .no_deflate()
        .no_gzip()
        .redirect(redirect::Policy::custom(|attempt| {
            let mut to = attempt.url().clone();
            to.set_query(None);
            to.set_fragment(None);
            attempt.error(Redirected { to })
        }))
        .dns_resolver(Arc::new(resolver))
        .build()
        .map_err(|error| EndpointError::Tls(cause(&error)))
}

/// What all clients have in common.
pub(crate) fn builder(tls: ClientConfig) -> reqwest::ClientBuilder {
    reqwest::Client::builder()
        .no_proxy()
        .user_agent(concat!("Bailey/", env!("CARGO_PKG_VERSION")))
        .tls_backend_preconfigured(tls)
        .referer(false)
        .connect_timeout(CONNECT_TIMEOUT)
        .tcp_nodelay(true)
}

fn tls_config(roots: RootCertStore) -> Result<ClientConfig, EndpointError> {
    // The provider is named here: reqwest's own default would want the platform verifier, which Android has to have set up
    // from Java first.
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    Ok(ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| EndpointError::Tls(error.to_string()))?
        .with_root_certificates(roots)
        .with_no_client_auth())
}

/// The system's certificates, so that a company's or a person's own authority counts; Mozilla's list where the system
/// has none to read (Android, a bare container).
fn trusted_roots() -> RootCertStore {
    let mut roots = RootCertStore::empty();
    #[cfg(not(target_os = "android"))]
    {
        let found = rustls_native_certs::load_native_certs();
        let (added, ignored) = roots.add_parsable_certificates(found.certs);
        tracing::debug!(added, ignored, errors = found.errors.len(), "system certificates");
    }
    if roots.is_empty() {
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    }
    roots
}

/// Resolves names; those that can only be local, and with `private_only` all, must lead to a private address.
struct Resolver {
    lookup: Lookup,
    private_only: bool,
}

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let name = name.as_str().to_owned();
        if is_localhost(&name) {
            return Box::pin(async { Ok(addresses(LOCALHOST.to_vec())) });
        }
        let private_only = self.private_only || is_local_name(&name);
        let found = (self.lookup)(name.clone());
        Box::pin(async move {
            let mut found = found.await?;
            if private_only {
                let first = found.first().copied();
                found.retain(|ip| is_private(*ip));
                if let (Some(address), true) = (first, found.is_empty()) {
                    return Err(NotPrivate { name, address }.into());
                }
            }
            Ok(addresses(found))
        })
    }
}

fn addresses(found: Vec<IpAddr>) -> Addrs {
    Box::new(found.into_iter().map(|ip| SocketAddr::new(ip, 0)))
}

/// A redirect that was not followed. It is the source of the request's [`reqwest::Error`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the endpoint points to another address, {to}, and Bailey does not follow: your key would go there. If that is the right place, enter it as the base URL"
)]
pub struct Redirected {
    /// Where it pointed, query and fragment removed.
    pub to: Url,
}

/// A local name that leads to an address outside the local network. It is a source of the request's [`reqwest::Error`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{name} leads to {address}, which is not on the local network, and http:// is only for that. Use https://, or enter the server's own address"
)]
pub struct NotPrivate {
    /// The name.
    pub name: String,
    /// The first address it leads to.
    pub address: IpAddr,
}

/// The innermost reason of an error in its own words, without the URL and the system's number: "Connection refused". Where
/// it was the proxy that could not be reached or would not, this says so.
pub fn cause(error: &(dyn Error + 'static)) -> String {
    let mut innermost = error;
    let mut proxy_unreached = false;
    while let Some(source) = innermost.source() {
        innermost = source;
        // The HTTP library keeps these types to itself.
        let words = innermost.to_string();
        proxy_unreached |= words.ends_with("error: failed to create underlying connection");
    }
    let words = innermost.to_string();
    let words = words.split(" (os error ").next().unwrap_or(&words);
    match words.strip_prefix("tunnel error: ").or_else(|| words.strip_prefix("SOCKS error: ")) {
        Some("proxy authorization required" | "credentials not accepted") => {
            "the proxy did not accept the user name and password, or wants some".to_owned()
        }
        Some("failed to create underlying connection") => "the proxy can't be reached".to_owned(),
        Some("unsuccessful") => "the proxy would not connect to it".to_owned(),
        Some(other) => format!("the proxy: {other}"),
        None if proxy_unreached => format!("the proxy can't be reached: {words}"),
        None => words.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answering(ips: &'static [&'static str]) -> Clients {
        Clients::with_lookup(Arc::new(move |_| {
            Box::pin(async move { Ok(ips.iter().map(|ip| ip.parse().unwrap()).collect()) })
        }))
    }

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[tokio::test]
    async fn a_local_name_that_leads_outside_is_refused() {
        for base in ["http://studio.local:9/v1", "https://studio.local:9/v1"] {
            let clients = answering(&["93.184.216.34", "2606:4700::1"]);
            let error = clients.endpoint(&url(base)).unwrap().get(base).send().await.unwrap_err();
            assert!(error.is_connect(), "{error:?}");
            let expected = NotPrivate { name: "studio.local".to_owned(), address: "93.184.216.34".parse().unwrap() };
            assert_eq!(cause(&error), expected.to_string());
        }
    }

    #[tokio::test]
    async fn of_a_local_names_addresses_only_private_ones_are_tried() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = std::thread::spawn(move || {
            use std::io::{Read, Write};
            let (mut socket, _) = listener.accept().unwrap();
            let read = socket.read(&mut [0; 4096]).unwrap();
            socket.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nhome").unwrap();
            read
        });
        let base = url(&format!("http://studio.local:{port}/v1"));
        let client = answering(&["93.184.216.34", "127.0.0.1"]).endpoint(&base).unwrap();
        assert_eq!(client.get(base).send().await.unwrap().text().await.unwrap(), "home");
        assert!(server.join().unwrap() > 0);
    }

    #[tokio::test]
    async fn localhost_is_never_looked_up() {
        let clients = Clients::with_lookup(Arc::new(|name| panic!("{name} was looked up")));
        let base = url("http://model.localhost:9/v1");
        let error = clients.endpoint(&base).unwrap().get(base).send().await.unwrap_err();
        assert!(cause(&error).contains("refused") && !cause(&error).contains("os error"), "{error:?}");
    }

    #[tokio::test]
    async fn a_proxy_does_not_loosen_what_local_names_may_lead_to() {
        let clients = answering(&["93.184.216.34"]);
        let proxy = ProxyOptions::parse("http://127.0.0.1:9").unwrap();
        clients.configure(NetworkOptions { proxy: Some(proxy), extra_roots_pem: None }).unwrap();
        let base = url("https://studio.local:9/v1");
        let error = clients.endpoint(&base).unwrap().get(base).send().await.unwrap_err();
        assert!(cause(&error).starts_with("studio.local leads to 93.184.216.34"), "{error:?}");
    }

    #[test]
    fn the_client_is_kept_until_something_changes() {
        let clients = Clients::new();
        let base = url("https://api.example.com/v1");
        let made = || clients.0.encrypted.lock().unwrap().client.is_some();
        let options = |proxy: &str| NetworkOptions {
            proxy: Some(ProxyOptions::parse(proxy).unwrap()),
            extra_roots_pem: Some("\n".to_owned()),
        };
        clients.endpoint(&base).unwrap();
        clients.configure(NetworkOptions::default()).unwrap();
        assert!(made());
        clients.clone().configure(options("ana:one@127.0.0.1:9")).unwrap();
        assert!(!made());
        let client = clients.endpoint(&base).unwrap();
        assert!(!format!("{client:?} {clients:?}").contains("one"), "{client:?}");
        clients.configure(options("ana:one@127.0.0.1:9")).unwrap();
        assert!(made());
        let wrong = NetworkOptions { proxy: None, extra_roots_pem: Some("hello".to_owned()) };
        assert!(clients.configure(wrong).is_err());
        assert!(made(), "an error changes nothing");
        clients.configure(options("ana:two@127.0.0.1:9")).unwrap();
        assert!(!made());
    }

    #[test]
    fn some_certificates_are_trusted() {
        assert!(trusted_roots().len() > 20);
    }

    #[test]
    fn clients_are_made_for_allowed_endpoints_only() {
        let clients = Clients::new();
        assert!(clients.endpoint(&url("https://api.example.com/v1")).is_ok());
        assert!(clients.endpoint(&url("http://127.0.0.1:1/v1")).is_ok());
        assert!(matches!(clients.endpoint(&url("http://api.example.com/v1")), Err(EndpointError::Cleartext(_))));
    }
}
