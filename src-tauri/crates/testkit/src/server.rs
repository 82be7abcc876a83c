// SPDX-License-Identifier: Apache-2.0
//! A scripted OpenAI-compatible server over real HTTP, in a test's process ([`ScriptedServer`]) or as the program
//! `scripted-model --port N [--script FILE.json]` for browser tests.
//!
//! It answers `POST /v1/chat/completions` (a stream, or JSON when the request does not ask for one) and
//! `GET /v1/models`, checks the history of every request ([`check_history`]), and keeps a log.
//!
//! # Which answer a request gets
//! The first that there is: what the function of [`ScriptedServer::respond`] gives; the answer of the first rule whose
//! `when` is in the last user message; the next answer of the queue; the default answer.
//!
//! A rule's answers are chosen by place, not used up: the first for the request that ends with the user's message, the
//! second for the one after one round of calls, and so on; after the last, the default. So conversations run side by
//! side, and a run that is begun again meets the same model.
//!
//! # The JSON form of a script
//! A list, as a file or as the body of `POST /__script`, which adds to what is there. An entry is a rule
//! `{"when": "weather", "replies": [ANSWER, …]}` or an ANSWER for the queue. An ANSWER is an object; all fields may be
//! absent:
//!
//! | field | meaning |
//! |---|---|
//! | `reasoning` | text, sent in words, or a list of chunks |
//! | `text` | likewise |
//! | `calls` | list of `{"name", "arguments", "id"?, "fragments"?}`: `arguments` an object, or a text sent as it is; `fragments` is the number of pieces (3) |
//! | `finish` | the reason to stop (`stop`, or `tool_calls` when there are calls); `null` sends none |
//! | `usage` | the counts, sent when the request asks for them; made up when absent |
//! | `delay_ms` | before each chunk (0) |
//! | `wait_ms` | before the response begins (0) |
//! | `raw` | the body's bytes as text, in place of all of the above |
//! | `status` | an HTTP status other than 200, with `body` |
//! | `headers` | object of more response headers |
//! | `body` | text or JSON: the body, as `application/json` |
//! | `disconnect_after` | the connection breaks after so many bytes of the body |
//! | `hang` | after all that, nothing more comes and the response does not end |
//!
//! In `text`, `arguments`, `raw` and `body`, `{{key}}` stands for the request's bearer key and `{{n}}` for its number,
//! from 1.
//!
//! # Control routes
//! `POST /__script` (above) · `POST /__reset` forgets script and log · `GET /__log` gives `{"requests": [{"path",
//! "headers", "body"}], "violations": [text], "cancelled": number, "left": answers in the queue}`.

mod answer;
mod history;
mod http;

pub use answer::{Answer, Call, Chunks};
pub use history::check_history;

use serde_json::{Value, json};
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio::task::JoinHandle;

/// How long the waiting methods wait before they fail the test.
const PATIENCE: Duration = Duration::from_secs(20);

/// A request as it came.
#[derive(Clone, Debug, PartialEq)]
pub struct Logged {
    /// Its path.
    pub path: String,
    /// Its headers, names in lower case, in order.
    pub headers: Vec<(String, String)>,
    /// Its body; `null` when it was no JSON.
    pub body: Value,
    /// The client's port: the same for requests over one connection.
    pub peer_port: u16,
}

impl Logged {
    /// A header's value.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

type Function = Box<dyn FnMut(&Value) -> Option<Answer> + Send>;

/// Answers for requests whose last user message contains a text.
#[derive(Debug)]
struct Rule {
    when: String,
    replies: Vec<Answer>,
}

struct State {
    function: Option<Function>,
    rules: Vec<Rule>,
    queue: VecDeque<Answer>,
    default: Answer,
    models: Vec<String>,
    log: Vec<Logged>,
    violations: Vec<String>,
    cancelled: usize,
}

impl State {
    fn new() -> Self {
        Self {
            function: None,
            rules: Vec::new(),
            queue: VecDeque::new(),
            default: Answer::text("OK."),
            models: vec!["scripted".to_owned()],
            log: Vec::new(),
            violations: Vec::new(),
            cancelled: 0,
        }
    }

    fn add(&mut self, script: Value) -> Result<(), String> {
        let Value::Array(entries) = script else { return Err("a script is a list of answers and rules".to_owned()) };
        // Read as a whole before anything is added.
        let (mut rules, mut queue) = (Vec::new(), Vec::new());
        for (at, mut entry) in entries.into_iter().enumerate() {
            let problem = |error: serde_json::Error| format!("entry {at}: {error}");
            if entry.get("when").is_some() {
                let when = entry["when"].as_str().ok_or_else(|| format!("entry {at}: `when` is not text"))?.to_owned();
                let replies = serde_json::from_value(entry["replies"].take()).map_err(problem)?;
                rules.push(Rule { when, replies });
            } else {
                queue.push(serde_json::from_value(entry).map_err(problem)?);
            }
        }
        self.rules.extend(rules);
        self.queue.extend(queue);
        Ok(())
    }

    fn choose(&mut self, body: &Value) -> Answer {
        if let Some(answer) = self.function.as_mut().and_then(|function| function(body)) {
            return answer;
        }
        let (said, rounds) = history::last_user(body);
        if let Some(rule) = self.rules.iter().find(|rule| said.contains(&rule.when)) {
            return rule.replies.get(rounds).unwrap_or(&self.default).clone();
        }
        self.queue.pop_front().unwrap_or_else(|| self.default.clone())
    }
}

/// What the handlers share.
#[derive(Clone)]
struct Shared(Arc<(Mutex<State>, Notify)>);

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
    fn changed(&self) {
        self.0.1.notify_waiters();
    }
    async fn until(&self, what: &str, reached: impl Fn(&State) -> bool) {
        let waiting = async {
            loop {
                let changed = self.0.1.notified();
                tokio::pin!(changed);
                changed.as_mut().enable();
                if reached(&self.lock()) {
                    return;
                }
                changed.await;
            }
        };
        assert!(tokio::time::timeout(PATIENCE, waiting).await.is_ok(), "the scripted server waited in vain for {what}");
    }
}

/// A running server. It stops when dropped, and then fails the test if a request broke the rules of a history and nobody
/// asked for the [`ScriptedServer::violations`].
pub struct ScriptedServer {
    shared: Shared,
    port: u16,
    task: JoinHandle<()>,
}

impl ScriptedServer {
    /// One on a free loopback port, in the present tokio runtime.
    ///
    /// # Panics
    /// When no port can be had.
    pub async fn start() -> Self {
        Self::on(0).await.expect("a loopback port")
    }

    /// One on this loopback port; 0 for a free one.
    ///
    /// # Errors
    /// The port is taken.
    pub async fn on(port: u16) -> std::io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", port)).await?;
        let port = listener.local_addr()?.port();
        let shared = Shared(Arc::new((Mutex::new(State::new()), Notify::new())));
        let service = http::router(shared.clone()).into_make_service_with_connect_info::<SocketAddr>();
        let task = tokio::spawn(async move {
            // It ends only with the listener.
            let _ = axum::serve(listener, service).await;
        });
        Ok(Self { shared, port, task })
    }

    /// Its port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The base URL of a provider: `http://127.0.0.1:PORT/v1`.
    pub fn base_url(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }

    /// Adds an answer to the queue.
    pub fn push(&self, answer: Answer) -> &Self {
        self.shared.lock().queue.push_back(answer);
        self
    }

    /// Adds answers for conversations whose last user message contains this text.
    pub fn when(&self, said: &str, replies: impl IntoIterator<Item = Answer>) -> &Self {
        let rule = Rule { when: said.to_owned(), replies: replies.into_iter().collect() };
        self.shared.lock().rules.push(rule);
        self
    }

    /// Asks this function first: it is given the request's JSON. It must not call the server's methods.
    pub fn respond(&self, function: impl FnMut(&Value) -> Option<Answer> + Send + 'static) -> &Self {
        self.shared.lock().function = Some(Box::new(function));
        self
    }

    /// What is answered when nothing else fits: `OK.` at first.
    pub fn set_default(&self, answer: Answer) -> &Self {
        self.shared.lock().default = answer;
        self
    }

    /// The models it lists: `scripted` at first.
    pub fn set_models(&self, models: &[&str]) -> &Self {
        self.shared.lock().models = models.iter().map(|model| (*model).to_owned()).collect();
        self
    }

    /// Adds a script in its JSON form.
    ///
    /// # Errors
    /// It is not one; nothing was added.
    pub fn add_script(&self, script: Value) -> Result<(), String> {
        self.shared.lock().add(script)
    }

    /// The chat requests so far, refused ones included.
    pub fn requests(&self) -> Vec<Logged> {
        self.shared.lock().log.iter().filter(|logged| logged.path.ends_with("/chat/completions")).cloned().collect()
    }

    /// All requests so far, control routes excluded.
    pub fn log(&self) -> Vec<Logged> {
        self.shared.lock().log.clone()
    }

    /// What was wrong with the histories of requests since last asked.
    pub fn violations(&self) -> Vec<String> {
        std::mem::take(&mut self.shared.lock().violations)
    }

    /// How many responses the client gave up before their end.
    pub fn cancelled(&self) -> usize {
        self.shared.lock().cancelled
    }

    /// Waits until the client has given up so many responses.
    ///
    /// # Panics
    /// After 20 s.
    pub async fn until_cancelled(&self, count: usize) {
        self.shared.until("a cancelled request", |state| state.cancelled >= count).await;
    }

    /// Waits until so many requests have come, those for lists of models included.
    ///
    /// # Panics
    /// After 20 s.
    pub async fn until_requests(&self, count: usize) {
        self.shared.until("a request", |state| state.log.len() >= count).await;
    }

    /// Serves until the listener fails. For the program.
    pub async fn run(mut self) {
        // An abort is the only error, and nobody aborts it before this ends.
        let _ = (&mut self.task).await;
    }
}

impl Drop for ScriptedServer {
    fn drop(&mut self) {
        self.task.abort();
        let violations = self.violations();
        if !violations.is_empty() && !std::thread::panicking() {
            panic!("requests broke the rules of a history:\n{}", violations.join("\n"));
        }
    }
}

/// The log as JSON, for `GET /__log`.
fn log_json(state: &State) -> Value {
    let requests: Vec<Value> = state
        .log
        .iter()
        .map(|logged| {
            let headers: serde_json::Map<String, Value> =
                logged.headers.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
            json!({ "path": logged.path, "headers": headers, "body": logged.body })
        })
        .collect();
    json!({ "requests": requests, "violations": state.violations, "cancelled": state.cancelled, "left": state.queue.len() })
}
