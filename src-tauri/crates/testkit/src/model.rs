// SPDX-License-Identifier: Apache-2.0
//! A model in the same process that says what a script says.

use bailey_ports::{Model, ModelError, ReplyStream};
use bailey_protocol::model::{Finish, Reply, Request, Turn};
use futures::{StreamExt, stream};
use std::sync::{Arc, Mutex};

/// What a scripted model does with a request.
pub type Script = Box<dyn FnMut(&Request) -> Vec<Result<Reply, ModelError>> + Send>;

/// A model that answers by a script, keeps every request, and checks each: exactly one result a call, in order.
#[derive(Clone)]
pub struct ScriptedModel {
    script: Arc<Mutex<Script>>,
    requests: Arc<Mutex<Vec<Request>>>,
    violations: Arc<Mutex<Vec<String>>>,
}

impl ScriptedModel {
    /// A model that answers each request by this function.
    pub fn new(script: impl FnMut(&Request) -> Vec<Result<Reply, ModelError>> + Send + 'static) -> Self {
        Self { script: Arc::new(Mutex::new(Box::new(script))), requests: Arc::default(), violations: Arc::default() }
    }

    /// All requests so far.
    pub fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap_or_else(|e| e.into_inner()).clone()
    }

    /// Fails when a request was not one that every provider takes.
    pub fn assert_clean(&self) {
        let violations = self.violations.lock().unwrap_or_else(|e| e.into_inner());
        assert!(violations.is_empty(), "{}", violations.join("\n"));
    }
}

impl Model for ScriptedModel {
    fn reply(&self, request: Request) -> ReplyStream {
        if let Err(what) = check_history(&request) {
            let mut violations = self.violations.lock().unwrap_or_else(|e| e.into_inner());
            violations.push(format!("a request that no provider takes: {what}\n{request:#?}"));
        }
        let replies = (self.script.lock().unwrap_or_else(|e| e.into_inner()))(&request);
        self.requests.lock().unwrap_or_else(|e| e.into_inner()).push(request);
        stream::iter(replies).boxed()
    }
}

/// Whether every provider would take this history: every call has exactly one result right after it, in order; no result
/// stands alone; no message is empty; the person speaks neither twice in a row nor right after a result; the last turn
/// is not the model's.
pub fn check_history(request: &Request) -> Result<(), String> {
    let mut waiting: Vec<&str> = Vec::new();
    for (at, turn) in request.messages.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| request.messages.get(at));
        match turn {
            Turn::Tool { id, .. } => match waiting.first() {
                Some(first) if first == id => drop(waiting.remove(0)),
                _ => return Err(format!("a result of {id} without its call")),
            },
            _ if !waiting.is_empty() => return Err(format!("no result of {waiting:?}")),
            Turn::Assistant { text, calls, native, .. } => {
                if text.is_empty() && calls.is_empty() && native.is_none() {
                    return Err("an empty assistant message".into());
                }
                waiting = calls.iter().map(|c| c.id.as_str()).collect();
                if calls.iter().any(|c| c.name.is_empty() || !c.arguments.is_object()) {
                    return Err("a call without a name, or whose arguments are no object".into());
                }
            }
            Turn::User { text, .. } if text.is_empty() => return Err("an empty user message".into()),
            Turn::User { .. } if matches!(before, Some(Turn::User { .. } | Turn::Tool { .. })) => {
                return Err(format!("the person speaks right after {before:?}"));
            }
            Turn::User { .. } => {}
        }
    }
    if !waiting.is_empty() {
        return Err(format!("no result of {waiting:?}"));
    }
    match request.messages.last() {
        Some(Turn::User { .. } | Turn::Tool { .. }) => Ok(()),
        other => Err(format!("it ends with {other:?}")),
    }
}

/// The replies of a text answer.
pub fn says(text: &str) -> Vec<Result<Reply, ModelError>> {
    vec![Ok(Reply::Text { text: text.to_owned() }), Ok(Reply::Finish { finish: Finish::Stop })]
}

/// The replies of an answer that calls tools: `(provider's id, tool, arguments)`.
pub fn calls(calls: &[(&str, &str, &str)]) -> Vec<Result<Reply, ModelError>> {
    let mut out: Vec<_> = calls
        .iter()
        .map(|(id, name, arguments)| {
            Ok(Reply::Call { id: (*id).to_owned(), name: (*name).to_owned(), arguments: (*arguments).to_owned() })
        })
        .collect();
    out.push(Ok(Reply::Finish { finish: Finish::Calls }));
    out
}
