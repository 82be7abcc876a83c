// SPDX-License-Identifier: Apache-2.0
mod address;
mod file_name;
mod names;
mod response;
#[cfg(test)]
mod tests;

pub use address::open_url;

use crate::client::{Clients, Ways, builder};
use crate::{EndpointError, cause};
use address::check;
use async_trait::async_trait;
use bailey_ports::{Destination, Web, WebError, WebRequest, WebResponse};
use names::Names;
use reqwest::header::{ACCEPT, ACCEPT_LANGUAGE, CONTENT_TYPE, HeaderName, HeaderValue, LOCATION};
use reqwest::{Response, StatusCode, redirect};
use response::{Limits, answer, failed, host};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::{Instant, timeout_at};
use url::Url;

/// The most redirects that are followed.
const MAX_REDIRECTS: usize = 10;
/// The longest that a request may take, whatever it says.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);
/// The most bytes of headers in HTTP/2; HTTP/1 has the library's limit of 100 headers in some 400 KiB.
const MAX_HEADERS: u32 = 64 << 10;

/// What the person opened in the guard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GuardOptions {
    /// A proxy or VPN answers questions for names with made-up addresses in 198.18.0.0/15: names may lead there, and
    /// there only. Where the proxy then connects to, the guard can't see. An address of that range in a URL stays refused.
    pub fake_ip: bool,
}

/// The open web behind the guard: no request of a tool reaches this machine or its network.
///
/// What holds for [`Destination::Open`]:
/// - The URL is judged as it is parsed for the connection ([`open_url`]); an address that is not public, in any spelling
///   or disguise, and the names of the local network are refused.
/// - Names are looked up here, once a connection. If one of the addresses is not public, none is dialled; otherwise those
///   that were checked are, so that an answer that changes afterwards changes nothing.
/// - Every redirect, of ten at most, is judged like this before anything is opened. A key and a form are never sent on,
///   and a key is not sent over `http` at all.
/// - Any port is open. There are no cookies, no referrer, and no proxy but the one in [`NetworkOptions`].
///
/// With a proxy the names are looked up and judged here, too, before it is asked. With `socks5://` it is given the
/// checked address. With the other kinds it is given the name and looks it up itself: then a name that answers
/// differently there leads where the proxy allows. Names that only the proxy knows are refused.
///
/// For [`Destination::Configured`] the rules of [`Clients::endpoint`] hold instead.
///
/// Cheap to clone; clones share options and connections.
///
/// [`NetworkOptions`]: crate::NetworkOptions
#[derive(Clone)]
pub struct GuardedWeb(Arc<Shared>);

struct Shared {
    clients: Clients,
    state: Mutex<State>,
    #[cfg(test)]
    divert: tests::Divert,
}

struct State {
    options: GuardOptions,
    made: Option<Made>,
}

/// A client, and what it was made of.
#[derive(Clone)]
struct Made {
    ways: Arc<Ways>,
    names: Names,
    client: reqwest::Client,
}

impl GuardedWeb {
    /// Does no work yet. What is configured in `clients` holds here, too, whenever it was.
    pub fn new(clients: Clients, options: GuardOptions) -> Self {
        Self(Arc::new(Shared {
            clients,
            state: Mutex::new(State { options, made: None }),
            #[cfg(test)]
            divert: Arc::new(|_| None),
        }))
    }

    /// From now on these options hold, in clones, too; connections that were opened under others are not used again.
    pub fn set_options(&self, options: GuardOptions) {
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.options != options {
            *state = State { options, made: None };
        }
    }

    /// The client as things stand.
    fn made(&self) -> Result<Made, WebError> {
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        let ways = self.0.clients.ways();
        if let Some(made) = state.made.as_ref().filter(|made| Arc::ptr_eq(&made.ways, &ways)) {
            return Ok(made.clone());
        }
        let names = Names {
            lookup: self.0.clients.lookup(),
            options: state.options,
            proxy: ways.proxy.as_ref().and_then(Url::domain).map(str::to_owned),
            #[cfg(test)]
            divert: self.0.divert.clone(),
        };
        let client = client(&ways, names.clone()).map_err(|error| WebError::Unreachable(error.to_string()))?;
        let made = Made { ways, names, client };
        state.made = Some(made.clone());
        Ok(made)
    }

    async fn open(&self, request: &WebRequest) -> Result<(Url, Response), WebError> {
        let mut url = open_url(&request.url)?;
        if request.secret_header.is_some() && url.scheme() != "https" {
            return Err(WebError::Refused(
                "a key is sent over https:// only, never over http://. Use the https:// address".to_owned(),
            ));
        }
        let Made { ways, names, client } = self.made()?;
        for hop in 0..=MAX_REDIRECTS {
            if let (Some(_), Some(name)) = (&ways.proxy, url.domain()) {
                names.checked(name).await?;
            }
            let response = send(&client, &url, request, hop == 0).await?;
            match next(&url, &response)? {
                Some(to) => url = to,
                None => return Ok((url, response)),
            }
        }
        Err(WebError::Redirects(format!(
            "{} redirects more than {MAX_REDIRECTS} times. Use another address",
            host(&url)
        )))
    }

    async fn configured(&self, request: &WebRequest) -> Result<(Url, Response), WebError> {
        let policy = |error: EndpointError| match error {
            EndpointError::Malformed(_) | EndpointError::Scheme(_) | EndpointError::Credentials => {
                WebError::BadUrl(error.to_string())
            }
            EndpointError::Cleartext(_) | EndpointError::Unspecified(_) => WebError::Refused(error.to_string()),
            other => WebError::Unreachable(other.to_string()),
        };
        let url = Url::parse(&request.url).map_err(|error| policy(EndpointError::Malformed(error.to_string())))?;
        let client = self.0.clients.endpoint(&url).map_err(policy)?;
        let response = send(&client, &url, request, true).await?;
        Ok((url, response))
    }
}

impl std::fmt::Debug for GuardedWeb {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("GuardedWeb")
    }
}

#[async_trait]
impl Web for GuardedWeb {
    async fn fetch(&self, request: WebRequest) -> Result<WebResponse, WebError> {
        let time = request.timeout.min(LONGEST);
        let limits = Limits { bytes: request.max_bytes, time, deadline: Instant::now() + time };
        let exchange = async {
            match request.destination {
                Destination::Open => self.open(&request).await,
                Destination::Configured => self.configured(&request).await,
            }
        };
        match timeout_at(limits.deadline, exchange).await {
            Ok(exchanged) => exchanged.and_then(|(url, response)| answer(url, response, limits)),
            Err(_) => Err(match Url::parse(&request.url) {
                Ok(url) => limits.timed_out(&url),
                Err(error) => WebError::BadUrl(error.to_string()),
            }),
        }
    }
}

fn client(ways: &Ways, names: Names) -> Result<reqwest::Client, EndpointError> {
    let mut builder = builder(ways.tls()?);
    if let Some(proxy) = ways.proxy.clone() {
        // A function keeps the credentials out of the client's `Debug`.
        builder = builder.proxy(reqwest::Proxy::custom(move |_| Some(proxy.clone())));
    }
    builder
        .redirect(redirect::Policy::none())
        .http2_max_header_list_size(MAX_HEADERS)
        .dns_resolver(Arc::new(names))
        .build()
        .map_err(|error| EndpointError::Tls(cause(&error)))
}

/// Sends a request; after a redirect without its key and what it posts.
async fn send(client: &reqwest::Client, url: &Url, request: &WebRequest, first: bool) -> Result<Response, WebError> {
    let posted = match (&request.json, &request.form) {
        _ if !first => None,
        (Some(json), _) => Some(("application/json", json.clone())),
        (None, Some(form)) => {
            let form = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
            Some(("application/x-www-form-urlencoded", form))
        }
        (None, None) => None,
    };
    let mut ask = match posted {
        Some((kind, body)) => client.post(url.clone()).header(CONTENT_TYPE, kind).body(body),
        None => client.get(url.clone()),
    };
    for (name, value) in [(ACCEPT, &request.accept), (ACCEPT_LANGUAGE, &request.language)] {
        if let Some(value) = value {
            ask = ask.header(name, value);
        }
    }
    if let Some((name, secret)) = request.secret_header.as_ref().filter(|_| first) {
        let unusable = || {
            WebError::Refused(format!(
                "the key for {} holds characters that can't be sent. Enter it anew in the settings",
                host(url)
            ))
        };
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| unusable())?;
        let mut value = HeaderValue::from_str(secret.expose()).map_err(|_| unusable())?;
        value.set_sensitive(true);
        ask = ask.header(name, value);
    }
    ask.send().await.map_err(|error| failed(url, &error))
}

/// Where a response redirects to, if it does; judged like any address.
fn next(from: &Url, response: &Response) -> Result<Option<Url>, WebError> {
    let redirects = matches!(
        response.status(),
        StatusCode::MOVED_PERMANENTLY
            | StatusCode::FOUND
            | StatusCode::SEE_OTHER
            | StatusCode::TEMPORARY_REDIRECT
            | StatusCode::PERMANENT_REDIRECT
    );
    let Some(location) = response.headers().get(LOCATION).filter(|_| redirects) else { return Ok(None) };
    let nowhere = |why: &str| {
        WebError::Redirects(format!("{} redirects to what can't be opened ({why}). Use another address", host(from)))
    };
    let mut to =
        from.join(&String::from_utf8_lossy(location.as_bytes())).map_err(|error| nowhere(&error.to_string()))?;
    check(&to).map_err(|error| match error {
        WebError::BadUrl(why) => nowhere(&why),
        WebError::Refused(why) => WebError::Refused(format!("{} redirects, and {why}", host(from))),
        other => other,
    })?;
    // RFC 9110, 10.2.2.
    if to.fragment().is_none() {
        to.set_fragment(from.fragment());
    }
    Ok(Some(to))
}
