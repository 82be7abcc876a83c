// SPDX-License-Identifier: Apache-2.0
use super::address::shortened;
use super::file_name::file_name;
use crate::cause;
use crate::client::Redirected;
use bailey_ports::{WebError, WebResponse};
use futures::stream::{self, StreamExt};
use reqwest::header::{CONTENT_DISPOSITION, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName, RETRY_AFTER};
use std::error::Error;
use std::time::{Duration, SystemTime};
use tokio::time::{Instant, timeout_at};
use url::Url;

/// What a request may cost.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// The most bytes of a body.
    pub(super) bytes: u64,
    /// How long all of it may take.
    pub(super) time: Duration,
    /// When that is over.
    pub(super) deadline: Instant,
}

impl Limits {
    pub(super) fn timed_out(&self, url: &Url) -> WebError {
        let seconds = self.time.as_secs_f32();
        WebError::TimedOut(format!(
            "{} took longer than {seconds} s. Try again later, or use another source",
            host(url)
        ))
    }

    fn too_large(&self) -> WebError {
        let bytes = self.bytes;
        WebError::TooLarge(format!(
            "what is there is larger than the {bytes} bytes allowed. Use another source, or a tool for larger files"
        ))
    }
}

/// A response as the port has it.
pub(super) fn answer(url: Url, response: reqwest::Response, limits: Limits) -> Result<WebResponse, WebError> {
    let headers = response.headers();
    // Gone where the client unpacked the body. Old servers call a file that is a .gz itself "x-gzip".
    if let Some(packed) =
        text(headers, CONTENT_ENCODING).filter(|packed| !matches!(&**packed, "" | "identity" | "x-gzip"))
    {
        return Err(WebError::Unreachable(format!(
            "{} sent its answer packed in a way that Bailey does not know ({}). Use another source",
            host(&url),
            shortened(&packed)
        )));
    }
    let length = response.content_length();
    if length.is_some_and(|length| length > limits.bytes) {
        return Err(limits.too_large());
    }
    Ok(WebResponse {
        status: response.status().as_u16(),
        content_type: text(headers, CONTENT_TYPE),
        file_name: headers.get(CONTENT_DISPOSITION).and_then(|value| file_name(value.as_bytes())),
        length,
        retry_after: text(headers, RETRY_AFTER).and_then(|value| seconds(&value)),
        url: url.to_string(),
        body: body(url, response, limits),
    })
}

/// The body until it ends, or until one of the limits is reached.
fn body(
    url: Url,
    response: reqwest::Response,
    limits: Limits,
) -> stream::BoxStream<'static, Result<Vec<u8>, WebError>> {
    let start = Some((response.bytes_stream(), 0));
    stream::unfold(start, move |state| {
        let url = url.clone();
        async move {
            let (mut bytes, taken) = state?;
            match timeout_at(limits.deadline, bytes.next()).await {
                Ok(None) => None,
                Ok(Some(Ok(chunk))) => {
                    let taken = taken + chunk.len() as u64;
                    if taken > limits.bytes {
                        return Some((Err(limits.too_large()), None));
                    }
                    Some((Ok(chunk.to_vec()), Some((bytes, taken))))
                }
                Ok(Some(Err(error))) => Some((Err(broken(&url, &error)), None)),
                Err(_) => Some((Err(limits.timed_out(&url)), None)),
            }
        }
    })
    .boxed()
}

/// Why a request has no response.
pub(super) fn failed(url: &Url, error: &reqwest::Error) -> WebError {
    if let Some(reason) = within::<WebError>(error) {
        return reason.clone();
    }
    if let Some(redirected) = within::<Redirected>(error) {
        return WebError::Redirects(redirected.to_string());
    }
    let host = host(url);
    if error.is_timeout() {
        return WebError::TimedOut(format!("{host} does not answer. Try again later, or use another source"));
    }
    WebError::Unreachable(format!(
        "{host} can't be reached: {}. Check the address, or use another source",
        cause(error)
    ))
}

fn broken(url: &Url, error: &reqwest::Error) -> WebError {
    let (host, cause) = (host(url), cause(error));
    WebError::Unreachable(format!(
        "what {host} sent broke off or can't be unpacked: {cause}. Try again, or use another source"
    ))
}

fn within<'a, E: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a E> {
    std::iter::successors(Some(error), |&error| error.source()).find_map(|error| error.downcast_ref())
}

/// The host as far as it fits into a sentence.
pub(super) fn host(url: &Url) -> String {
    shortened(url.host_str().unwrap_or_default())
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<String> {
    headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).trim().to_owned())
}

/// `Retry-After`: seconds, or a date.
fn seconds(value: &str) -> Option<u32> {
    if value.bytes().all(|byte| byte.is_ascii_digit()) {
        return value.parse().ok();
    }
    let date = httpdate::parse_http_date(value).ok()?;
    // One that is over means now.
    let left = date.duration_since(SystemTime::now()).unwrap_or_default();
    u32::try_from(left.as_secs_f64().ceil() as u64).ok()
}
