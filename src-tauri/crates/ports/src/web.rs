// SPDX-License-Identifier: Apache-2.0
use async_trait::async_trait;
use futures::stream::BoxStream;
use std::time::Duration;

/// The web, for tools. Whoever implements it holds every connection against the guard: public addresses only, every
/// hop of a redirect checked anew.
#[async_trait]
pub trait Web: Send + Sync {
    /// Sends a request and follows redirects. Any HTTP status is a response.
    ///
    /// Dropping the future, or the body, closes the connection.
    async fn fetch(&self, request: WebRequest) -> Result<WebResponse, WebError>;
}

/// Where a request goes, and so which rules hold for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Destination {
    /// Anywhere on the open web: through the guard.
    #[default]
    Open,
    /// An address that the person set up: the rules of model endpoints hold, which let it be at home. No redirects.
    Configured,
}

/// A request.
#[derive(Clone, Debug)]
pub struct WebRequest {
    /// Where to.
    pub url: String,
    /// Which rules hold.
    pub destination: Destination,
    /// `Accept`.
    pub accept: Option<String>,
    /// `Accept-Language`.
    pub language: Option<String>,
    /// A header that holds a key, name and value: marked as sensitive, in no log and no error; never sent on by a redirect.
    pub secret_header: Option<(String, crate::Secret)>,
    /// A form to post; a GET without one. A redirect turns it into a GET without the form.
    pub form: Option<Vec<(String, String)>>,
    /// A JSON document to post, as `application/json`, instead of a form. A redirect turns it into a GET without it.
    pub json: Option<String>,
    /// The most bytes of the body after decompression; more is [`WebError::TooLarge`].
    pub max_bytes: u64,
    /// How long all of it may take, the body included.
    pub timeout: Duration,
}

impl WebRequest {
    /// A GET of a page on the open web: at most 5 MiB in 20 s.
    pub fn get(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            destination: Destination::Open,
            accept: None,
            language: None,
            secret_header: None,
            form: None,
            json: None,
            max_bytes: 5 * 1024 * 1024,
            timeout: Duration::from_secs(20),
        }
    }
}

/// A response.
pub struct WebResponse {
    /// The address that answered, after redirects.
    pub url: String,
    /// The HTTP status.
    pub status: u16,
    /// `Content-Type` as sent.
    pub content_type: Option<String>,
    /// A file name from `Content-Disposition`: a bare name, no path.
    pub file_name: Option<String>,
    /// `Content-Length`, where it was sent and nothing is decompressed.
    pub length: Option<u64>,
    /// `Retry-After` in seconds.
    pub retry_after: Option<u32>,
    /// The body, decompressed, as it comes.
    pub body: BoxStream<'static, Result<Vec<u8>, WebError>>,
}

impl WebResponse {
    /// All of the body.
    pub async fn bytes(mut self) -> Result<Vec<u8>, WebError> {
        use futures::StreamExt;
        let mut all = Vec::new();
        while let Some(chunk) = self.body.next().await {
            all.extend_from_slice(&chunk?);
        }
        Ok(all)
    }
}

impl std::fmt::Debug for WebResponse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WebResponse").field("url", &self.url).field("status", &self.status).finish_non_exhaustive()
    }
}

/// Why there is no response. The text says what happened and what to do instead; the model reads it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WebError {
    /// Not a URL that can be fetched: no host, another scheme than http and https, a user name in it.
    #[error("{0}")]
    BadUrl(String),
    /// The guard refuses the address; no connection was opened to it.
    #[error("{0}")]
    Refused(String),
    /// The name is not known, the server can't be reached, or the connection broke.
    #[error("{0}")]
    Unreachable(String),
    /// Too many redirects, or one that leads nowhere.
    #[error("{0}")]
    Redirects(String),
    /// It took longer than the request allows.
    #[error("{0}")]
    TimedOut(String),
    /// The body is larger than the request allows.
    #[error("{0}")]
    TooLarge(String),
}
