// SPDX-License-Identifier: Apache-2.0
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::response::Response;
use bailey_net::{Clients, normalize_base_url};
use bailey_ports::{Redactor, Secret};
use bailey_protocol::{ProviderId, ProviderKind};
use bailey_providers::{Endpoint, Patience};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

pub(crate) const KEY: &str = "AIzaCanary-8c1f";

/// A request as it came.
#[derive(Clone, Debug)]
pub(crate) struct Sent {
    pub(crate) method: Method,
    pub(crate) uri: String,
    headers: HeaderMap,
    pub(crate) text: String,
}

impl Sent {
    pub(crate) fn body(&self) -> Value {
        serde_json::from_str(&self.text).unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }
}

type Rule = Box<dyn FnMut(&Value) -> Option<(u16, String)> + Send>;

#[derive(Default)]
struct Script {
    /// Answers before all others.
    rule: Option<Rule>,
    queue: VecDeque<(u16, String)>,
    sent: Vec<Sent>,
}

#[derive(Clone, Default)]
pub(crate) struct Server {
    script: Arc<Mutex<Script>>,
    port: u16,
}

impl Server {
    pub(crate) async fn start() -> Self {
        let script: Arc<Mutex<Script>> = Arc::default();
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let router = Router::new().fallback(answer).with_state(script.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { script, port }
    }

    pub(crate) fn push(&self, status: u16, body: impl ToString) -> &Self {
        self.script.lock().unwrap().queue.push_back((status, body.to_string()));
        self
    }

    /// A stream of these chunks.
    pub(crate) fn stream(&self, chunks: &[Value]) -> &Self {
        self.push(200, chunks.iter().map(|chunk| format!("data: {chunk}\r\n\r\n")).collect::<String>())
    }

    pub(crate) fn rule(&self, rule: impl FnMut(&Value) -> Option<(u16, String)> + Send + 'static) {
        self.script.lock().unwrap().rule = Some(Box::new(rule));
    }

    pub(crate) fn sent(&self) -> Vec<Sent> {
        self.script.lock().unwrap().sent.clone()
    }

    pub(crate) fn endpoint_at(&self, path: &str, provider: &str) -> Endpoint {
        let base = normalize_base_url(&format!("http://127.0.0.1:{}{path}", self.port)).unwrap();
        let client = Clients::new().endpoint(&base).unwrap();
        let key = Some(Secret::new(KEY));
        let endpoint =
            Endpoint::new(ProviderKind::Gemini, client, base, ProviderId::new(provider), key, Redactor::new());
        let patience =
            Patience { backoff: Duration::from_millis(2), grace: Duration::from_millis(30), ..Patience::default() };
        endpoint.unwrap().with_patience(patience)
    }

    pub(crate) fn endpoint(&self) -> Endpoint {
        self.endpoint_at("", "google")
    }
}

async fn answer(
    State(script): State<Arc<Mutex<Script>>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let text = String::from_utf8(body.to_vec()).unwrap();
    let json: Value = serde_json::from_str(&text).unwrap_or_default();
    let mut script = script.lock().unwrap();
    script.sent.push(Sent { method, uri: uri.to_string(), headers, text });
    let ruled = script.rule.as_mut().and_then(|rule| rule(&json));
    let (status, body) =
        ruled.or_else(|| script.queue.pop_front()).unwrap_or_else(|| (200, format!("data: {}\n\n", ok())));
    let kind = if body.starts_with("data:") { "text/event-stream" } else { "application/json; charset=UTF-8" };
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = StatusCode::from_u16(status).unwrap();
    response.headers_mut().insert("content-type", HeaderValue::from_static(kind));
    response
}

pub(crate) fn chunk(parts: Value, reason: &str) -> Value {
    let mut chunk =
        json!({"candidates": [{"content": {"role": "model", "parts": parts}, "index": 0}], "modelVersion": "m"});
    if !reason.is_empty() {
        chunk["candidates"][0]["finishReason"] = reason.into();
    }
    chunk
}

fn ok() -> Value {
    chunk(json!([{"text": "OK."}]), "STOP")
}
