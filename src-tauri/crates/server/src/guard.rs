// SPDX-License-Identifier: Apache-2.0
//! What every request must bring, and what every response carries.

use crate::access::Access;
use crate::routes::Shared;
use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE, COOKIE, HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use bailey_protocol::Millis;
use serde::Serialize;
use std::sync::Arc;

/// On every response. Styles may stand in elements: Svelte and the sheet's geometry set them; scripts may not.
const HEADERS: [(&str, &str); 7] = [
    (
        "content-security-policy",
        "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; \
         connect-src 'self'; font-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; \
         form-action 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    (
        "permissions-policy",
        "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), \
         magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=()",
    ),
];

/// The header a page's script sends with every command; a form or an image of a foreign page can't.
const MARK: &str = "x-bailey";

/// Refuses requests that were meant for another host (DNS rebinding), notes every request in the log without its
/// query, and adds the headers.
pub(crate) async fn all(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let mut response = match check_host(request.headers(), shared.port) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    tracing::debug!(%method, path, status = response.status().as_u16(), "request");
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// Lets only those through to commands and events who may use them.
pub(crate) async fn api(State(shared): State<Arc<Shared>>, mut request: Request, next: Next) -> Response {
    match check_caller(&shared.access, request.method(), request.headers(), shared.now()) {
        Ok(caller) => {
            request.extensions_mut().insert(caller);
            next.run(request).await
        }
        Err(refusal) => refusal.into_response(),
    }
}

/// Who sent a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Caller {
    /// A local tool, with the token.
    Tool,
    /// The UI in a browser that was let in.
    Browser,
}

/// A request that is not served; the body has the shape of an `ApiError`.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Refusal {
    #[serde(skip)]
    pub(crate) status: StatusCode,
    pub(crate) code: &'static str,
    pub(crate) message: &'static str,
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, axum::Json(self)).into_response()
    }
}

impl Refusal {
    pub(crate) const fn new(status: StatusCode, code: &'static str, message: &'static str) -> Self {
        Self { status, code, message }
    }
    const fn forbidden(message: &'static str) -> Self {
        Self::new(StatusCode::FORBIDDEN, "forbidden", message)
    }
}

fn check_host(headers: &HeaderMap, port: u16) -> Result<(), Refusal> {
    match only(headers, HOST) {
        Some(host) if host == format!("127.0.0.1:{port}") || host == format!("localhost:{port}") => Ok(()),
        _ => Err(Refusal::forbidden(
            "This request names another host. Open Bailey at the address it printed, which begins with http://127.0.0.1.",
        )),
    }
}

fn check_caller(access: &Access, method: &Method, headers: &HeaderMap, now: Millis) -> Result<Caller, Refusal> {
    const FOREIGN: Refusal = Refusal::forbidden("Another page sent this request. Only Bailey's own page may.");
    let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
    if !matches!(site, None | Some(b"same-origin") | Some(b"none")) {
        return Err(FOREIGN);
    }
    let has_origin = headers.contains_key(ORIGIN);
    if has_origin && only(headers, ORIGIN).and_then(|o| o.strip_prefix("http://")) != only(headers, HOST) {
        return Err(FOREIGN);
    }
    // A wrong token is refused even beside a right cookie: its sender is mistaken about who they are.
    let caller = match headers.contains_key(AUTHORIZATION) {
        true => only(headers, AUTHORIZATION).filter(|a| access.has_token(a)).map(|_| Caller::Tool),
        false => headers
            .get_all(COOKIE)
            .iter()
            .filter_map(|line| line.to_str().ok())
            .any(|line| access.has_session(line, now))
            .then_some(Caller::Browser),
    };
    let caller = caller.ok_or(Refusal::new(
        StatusCode::UNAUTHORIZED,
        "unauthorized",
        "This browser has not been let in. Open the address that Bailey printed; starting it again prints a new one.",
    ))?;
    if method != Method::POST {
        return Ok(caller);
    }
    if caller == Caller::Browser && !has_origin && (site == Some(b"none") || only(headers, MARK) != Some("1")) {
        return Err(Refusal::forbidden("The header X-Bailey: 1 is missing. Only Bailey's own page may send commands."));
    }
    let content_type = only(headers, CONTENT_TYPE).and_then(|t| t.split(';').next()).unwrap_or_default().trim();
    if !content_type.eq_ignore_ascii_case("application/json") {
        return Err(Refusal::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "bad_request",
            "Commands are sent as application/json.",
        ));
    }
    Ok(caller)
}

/// The value of a header that stands there exactly once.
pub(crate) fn only(headers: &HeaderMap, name: impl axum::http::header::AsHeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().ok(),
        _ => None,
    }
}
