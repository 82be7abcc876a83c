// SPDX-License-Identifier: Apache-2.0
use super::answer::{Answer, Asked};
use super::{Logged, Shared, State, check_history, log_json};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{ConnectInfo, State as Extract};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use futures::stream;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;
use std::time::Duration;

pub(super) fn router(shared: Shared) -> Router {
    Router::new()
        .route("/v1/chat/completions", post(chat))
        .route("/v1/models", get(models))
        .route("/__script", post(script))
        .route("/__reset", post(reset))
        .route("/__log", get(log))
        .fallback(nothing)
        .layer(axum::extract::DefaultBodyLimit::disable())
        .with_state(shared)
}

fn json_response(status: StatusCode, body: &Value) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], body.to_string()).into_response()
}

/// Keeps the request; its number among all, from 1.
fn keep(shared: &Shared, peer: SocketAddr, uri: &Uri, headers: &HeaderMap, body: &[u8]) -> (usize, Value) {
    let body = serde_json::from_slice(body).unwrap_or(Value::Null);
    let headers = headers
        .iter()
        .map(|(name, value)| (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned()))
        .collect();
    let mut state = shared.lock();
    state.log.push(Logged { path: uri.path().to_owned(), headers, body: body.clone(), peer_port: peer.port() });
    let number = state.log.len();
    drop(state);
    shared.changed();
    (number, body)
}

async fn chat(
    Extract(shared): Extract<Shared>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let (number, body) = keep(&shared, peer, &uri, &headers, &body);
    let violations = check_history(&body);
    if !violations.is_empty() {
        let message = violations.join("; ");
        shared
            .lock()
            .violations
            .extend(violations.into_iter().map(|violation| format!("request {number}: {violation}")));
        return json_response(
            StatusCode::BAD_REQUEST,
            &json!({ "error": { "message": message, "type": "invalid_request_error" } }),
        );
    }
    let answer = shared.lock().choose(&body);
    let key = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let asked = Asked {
        number,
        model: body.get("model").and_then(Value::as_str).unwrap_or_default().to_owned(),
        stream: body.get("stream") == Some(&Value::Bool(true)),
        wants_usage: body.pointer("/stream_options/include_usage") == Some(&Value::Bool(true)),
        key: key.strip_prefix("Bearer ").unwrap_or(key).to_owned(),
    };
    let mut ends = Ends { shared, done: false };
    tokio::time::sleep(Duration::from_millis(answer.wait_ms)).await;
    let stream = asked.stream && answer.body.is_none();
    let mut response = Response::new(Body::empty());
    *response.status_mut() =
        answer.status.and_then(|status| StatusCode::from_u16(status).ok()).unwrap_or(StatusCode::OK);
    let kind = if stream { "text/event-stream" } else { "application/json" };
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    for (name, value) in &answer.headers {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            response.headers_mut().insert(name, value);
        }
    }
    let parts = parts(&answer, &asked);
    // Without a stream that breaks or waits, the length is known.
    if let (false, [Part::Bytes(bytes)]) = (stream, parts.as_slice()) {
        *response.body_mut() = Body::from(bytes.clone());
        ends.finish();
        return response;
    }
    *response.body_mut() = body_of(parts, Duration::from_millis(answer.delay_ms), ends);
    response
}

/// A step of a response's body.
enum Part {
    Bytes(Bytes),
    Break,
    Hang,
}

fn parts(answer: &Answer, asked: &Asked) -> Vec<Part> {
    let mut left = answer.disconnect_after.unwrap_or(usize::MAX);
    let mut parts = Vec::new();
    for piece in answer.pieces(asked) {
        let mut bytes = Bytes::from(piece);
        bytes.truncate(left);
        left -= bytes.len();
        if !bytes.is_empty() {
            parts.push(Part::Bytes(bytes));
        }
    }
    if answer.hang {
        parts.push(Part::Hang);
    } else if answer.disconnect_after.is_some() {
        parts.push(Part::Break);
    }
    parts
}

/// Tells, when dropped, whether the response came to its end.
struct Ends {
    shared: Shared,
    done: bool,
}

impl Ends {
    fn finish(&mut self) {
        self.done = true;
    }
}

impl Drop for Ends {
    fn drop(&mut self) {
        if !self.done {
            self.shared.lock().cancelled += 1;
            self.shared.changed();
        }
    }
}

fn body_of(parts: Vec<Part>, delay: Duration, ends: Ends) -> Body {
    let state = (VecDeque::from(parts), ends);
    Body::from_stream(stream::unfold(state, move |(mut parts, mut ends)| async move {
        let part = parts.pop_front();
        if !delay.is_zero() && part.is_some() {
            tokio::time::sleep(delay).await;
        }
        match part {
            None => {
                ends.finish();
                None
            }
            Some(Part::Bytes(bytes)) => {
                // The client may leave when it has the last piece.
                if parts.is_empty() {
                    ends.finish();
                }
                Some((Ok(bytes), (parts, ends)))
            }
            Some(Part::Break) => {
                ends.finish();
                // What was written gets through before the connection breaks.
                tokio::time::sleep(Duration::from_millis(20)).await;
                Some((Err(io::Error::other("scripted disconnect")), (parts, ends)))
            }
            Some(Part::Hang) => {
                std::future::pending::<()>().await;
                None
            }
        }
    }))
}

async fn models(
    Extract(shared): Extract<Shared>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    keep(&shared, peer, &uri, &headers, &[]);
    let models = shared.lock().models.clone();
    let data: Vec<Value> = models
        .into_iter()
        .map(|id| json!({ "id": id, "object": "model", "created": 0, "owned_by": "scripted" }))
        .collect();
    json_response(StatusCode::OK, &json!({ "object": "list", "data": data }))
}

async fn script(Extract(shared): Extract<Shared>, body: Bytes) -> Response {
    let read = serde_json::from_slice(&body).map_err(|error| error.to_string());
    match read.and_then(|script| shared.lock().add(script)) {
        Ok(()) => json_response(StatusCode::OK, &json!({})),
        Err(problem) => json_response(StatusCode::BAD_REQUEST, &json!({ "error": { "message": problem } })),
    }
}

async fn reset(Extract(shared): Extract<Shared>) -> Response {
    *shared.lock() = State::new();
    json_response(StatusCode::OK, &json!({}))
}

async fn log(Extract(shared): Extract<Shared>) -> Response {
    let log = log_json(&shared.lock());
    json_response(StatusCode::OK, &log)
}

async fn nothing(
    Extract(shared): Extract<Shared>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    keep(&shared, peer, &uri, &headers, &body);
    json_response(StatusCode::NOT_FOUND, &json!({ "error": { "message": format!("there is no {}", uri.path()) } }))
}
