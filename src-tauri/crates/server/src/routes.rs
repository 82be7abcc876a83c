// SPDX-License-Identifier: Apache-2.0
use crate::access::Access;
use crate::assets::{self, Ui};
use crate::guard::{self, Caller, Refusal};
use crate::pages;
use axum::body::Body;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, Request, State};
use axum::http::header::{COOKIE, LOCATION, SET_COOKIE};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::middleware::from_fn_with_state;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::serve::ListenerExt as _;
use axum::{Extension, Json, Router};
use bailey_agent::Presence;
use bailey_api::Api;
use bailey_ports::Clock;
use bailey_protocol::{ApiError, Code, Millis};
use futures::StreamExt as _;
use serde::Deserialize;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch;

/// The largest body of a command, in bytes.
pub const BODY_LIMIT: usize = 64 * 1024 * 1024;

/// How often an event stream with nothing to say sends a comment, so that both ends notice when the other is gone.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// What every route shares.
pub(crate) struct Shared {
    pub(crate) access: Arc<Access>,
    pub(crate) port: u16,
    api: Api,
    clock: Arc<dyn Clock>,
    ui: Arc<dyn Ui>,
    closing: watch::Receiver<bool>,
}

impl Shared {
    pub(crate) fn now(&self) -> Millis {
        self.clock.now()
    }
    /// The address that lets one browser in.
    fn address(&self) -> std::io::Result<String> {
        Ok(format!("http://127.0.0.1:{}/open?code={}", self.port, self.access.new_code(self.now())?))
    }
}

/// Serves commands, events and the UI on this listener, which must be bound to 127.0.0.1, until `closing` becomes true
/// (or its sender is gone): then event streams end, and it returns when requests that were begun are answered.
pub async fn serve(
    api: Api,
    listener: TcpListener,
    access: Arc<Access>,
    clock: Arc<dyn Clock>,
    ui: Arc<dyn Ui>,
    closing: watch::Receiver<bool>,
) -> std::io::Result<()> {
    let address = listener.local_addr()?;
    if address.ip() != std::net::Ipv4Addr::LOCALHOST {
        return Err(std::io::Error::other("Bailey serves on 127.0.0.1 only"));
    }
    let port = address.port();
    let shared = Arc::new(Shared { access, port, api, clock, ui, closing: closing.clone() });
    // A small event must not wait for a larger one.
    let listener = listener.tap_io(|stream| {
        let _ = stream.set_nodelay(true);
    });
    axum::serve(listener, router(shared)).with_graceful_shutdown(closed(closing)).await
}

fn router(shared: Arc<Shared>) -> Router {
    let api = Router::new()
        .route("/command", post(command))
        .route("/code", post(code))
        .route("/events", get(events))
        .fallback(async || {
            Refusal::new(
                StatusCode::NOT_FOUND,
                "bad_request",
                "There is nothing here. Commands go to POST /api/command.",
            )
        })
        .method_not_allowed_fallback(async || {
            Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "bad_request", "This is not asked in this way.")
        })
        .layer(from_fn_with_state(shared.clone(), guard::api));
    Router::new()
        .nest("/api", api)
        .route("/open", get(open))
        .fallback(page)
        .layer(from_fn_with_state(shared.clone(), guard::all))
        .with_state(shared)
}

async fn closed(mut closing: watch::Receiver<bool>) {
    // An error means that the sender is gone, which is the end as well.
    let _ = closing.wait_for(|closing| *closing).await;
}

#[derive(Deserialize)]
struct CommandBody {
    name: String,
    #[serde(default = "nothing")]
    params: Value,
}

fn nothing() -> Value {
    json!({})
}

async fn command(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let body = match whole(request.into_body()).await {
        Ok(body) => body,
        Err(refusal) => return refusal.into_response(),
    };
    let CommandBody { name, params } = match serde_json::from_slice(&body) {
        Ok(command) => command,
        Err(e) => return failure(ApiError::new(Code::BadRequest, format!("This is not a command: {e}"))),
    };
    // A command that was begun comes to its end even when the browser no longer waits for it.
    match tokio::spawn(async move { shared.api.dispatch(&name, params).await }).await {
        Ok(Ok(result)) => Json(result).into_response(),
        Ok(Err(error)) => failure(error),
        Err(_) => failure(ApiError::new(Code::Internal, "Bailey made a mistake here. Try again; the log says more.")),
    }
}

/// The body of a command. One that is too long is read on for a while and thrown away, for a client that is cut off while
/// it sends does not see why.
async fn whole(body: Body) -> Result<Vec<u8>, Refusal> {
    const PATIENCE: usize = 2 * BODY_LIMIT;
    let (mut kept, mut length) = (Vec::new(), 0);
    let mut chunks = body.into_data_stream();
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(|_| {
            Refusal::new(StatusCode::BAD_REQUEST, "bad_request", "The command did not arrive whole. Send it again.")
        })?;
        length += chunk.len();
        match length {
            0..=BODY_LIMIT => kept.extend_from_slice(&chunk),
            PATIENCE.. => break,
            _ => kept = Vec::new(),
        }
    }
    match length {
        0..=BODY_LIMIT => Ok(kept),
        _ => Err(Refusal::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "bad_request",
            "This is too long: at most 64 MB fit into a command. Send fewer or smaller pictures.",
        )),
    }
}

fn failure(error: ApiError) -> Response {
    let status = match error.code {
        Code::BadRequest => StatusCode::BAD_REQUEST,
        Code::NotFound => StatusCode::NOT_FOUND,
        Code::Stale | Code::Busy => StatusCode::CONFLICT,
        Code::NoModel | Code::Endpoint | Code::Keys => StatusCode::UNPROCESSABLE_ENTITY,
        Code::Storage | Code::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    };
    (status, Json(error)).into_response()
}

/// A new address for a second start on the same data folder. A browser that is in needs none, and must not hand out any.
async fn code(State(shared): State<Arc<Shared>>, Extension(caller): Extension<Caller>) -> Response {
    if caller != Caller::Tool {
        return Refusal::new(
            StatusCode::FORBIDDEN,
            "forbidden",
            "Only local tools may ask for a code, with the token.",
        )
        .into_response();
    }
    match shared.address() {
        Ok(address) => Json(json!({ "address": address })).into_response(),
        Err(e) => failure(ApiError::new(Code::Internal, e.to_string())),
    }
}

#[derive(Deserialize)]
struct Since {
    epoch: Option<String>,
    since: Option<String>,
}

async fn events(State(shared): State<Arc<Shared>>, query: Result<Query<Since>, QueryRejection>) -> Response {
    let bad =
        || failure(ApiError::new(Code::BadRequest, "Events are asked for with ?epoch=…&since=… or without both."));
    let since = match query {
        Err(_) => return bad(),
        Ok(Query(Since { epoch, since })) => {
            match (epoch.filter(|e| !e.is_empty()), since.filter(|s| !s.is_empty()).map(|s| s.parse::<u64>())) {
                // A place without its epoch is what a page sends that has seen nothing yet.
                (None, None | Some(Ok(_))) => None,
                (Some(epoch), Some(Ok(since))) => Some((epoch, since)),
                _ => return bad(),
            }
        }
    };
    let messages = shared.api.agent().subscribe(since, Presence::Attending);
    let lines = messages.filter_map(async |message| match serde_json::to_string(&message) {
        Ok(json) => Some(Ok::<_, Infallible>(Event::default().data(json))),
        Err(error) => {
            tracing::error!(%error, "an event could not be written as JSON");
            None
        }
    });
    let lines = lines.take_until(closed(shared.closing.clone()));
    Sse::new(lines).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)).into_response()
}

#[derive(Deserialize)]
struct OpenQuery {
    #[serde(default)]
    code: String,
}

async fn open(
    State(shared): State<Arc<Shared>>,
    method: Method,
    headers: HeaderMap,
    query: Result<Query<OpenQuery>, QueryRejection>,
) -> Response {
    // What only looks whether the address answers must not use up its code.
    if method != Method::GET {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    let code = query.map(|Query(q)| q.code).unwrap_or_default();
    let now = shared.now();
    match shared.access.redeem(&code, now) {
        Ok(Some(cookie)) => (StatusCode::SEE_OTHER, [(LOCATION, "/"), (SET_COOKIE, cookie.as_str())]).into_response(),
        // Going back in the browser's history to a used address is no mistake where its session goes on.
        Ok(None) if guard::only(&headers, COOKIE).is_some_and(|c| shared.access.has_session(c, now)) => {
            (StatusCode::SEE_OTHER, [(LOCATION, "/")]).into_response()
        }
        Ok(None) => pages::used_code(&headers),
        Err(error) => {
            tracing::error!(%error, "the session could not be kept");
            pages::no_session(&headers)
        }
    }
}

async fn page(State(shared): State<Arc<Shared>>, method: Method, uri: Uri, headers: HeaderMap) -> Response {
    if method != Method::GET && method != Method::HEAD {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    assets::respond(&*shared.ui, uri.path(), &headers)
}
