// SPDX-License-Identifier: Apache-2.0
use bailey_ports::{Model, ModelError, ReplyStream};
use bailey_protocol::model::{Finish, Reply, Request, Turn};
use futures::{StreamExt, stream};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use tokio::sync::Notify;

/// What the model does at one request.
#[derive(Clone, Debug)]
pub(super) enum Act {
    /// Ends its turn.
    Say(String),
    /// Says something and calls a tool.
    Call { say: String, tool: String, arguments: Value },
    /// Never answers.
    Hang,
}

impl Act {
    pub(super) fn call(tool: &str, arguments: Value) -> Self {
        Act::Call { say: String::new(), tool: tool.to_owned(), arguments }
    }
}

/// A model that does what it was set to do, one act a request, and then ends its turn. Asked for a summary, it writes what
/// the attacker wants remembered.
#[derive(Clone, Default)]
pub(super) struct Obedient(Arc<State>);

#[derive(Default)]
struct State {
    acts: Mutex<VecDeque<Act>>,
    /// What it puts into summaries.
    creed: Mutex<String>,
    summaries: AtomicU64,
    calls: AtomicU64,
    hangs: Notify,
}

impl Obedient {
    pub(super) fn set(&self, acts: impl IntoIterator<Item = Act>, creed: &str) {
        *self.acts() = acts.into_iter().collect();
        *self.0.creed.lock().unwrap_or_else(|e| e.into_inner()) = creed.to_owned();
    }

    /// How many summaries it wrote.
    pub(super) fn summaries(&self) -> u64 {
        self.0.summaries.load(Ordering::Relaxed)
    }

    /// Whether it did all it was set to do.
    pub(super) fn is_through(&self) -> bool {
        self.acts().is_empty()
    }

    /// Waits until it hangs.
    pub(super) async fn hanging(&self) {
        self.0.hangs.notified().await;
    }

    fn acts(&self) -> std::sync::MutexGuard<'_, VecDeque<Act>> {
        self.0.acts.lock().unwrap_or_else(|e| e.into_inner())
    }
}

impl Model for Obedient {
    fn reply(&self, request: Request) -> ReplyStream {
        let call = |say: String, tool: String, arguments: Value| {
            let id = format!("call-{}", self.0.calls.fetch_add(1, Ordering::Relaxed));
            let said = (!say.is_empty()).then_some(Reply::Text { text: say });
            let made = [
                Reply::Call { id, name: tool, arguments: arguments.to_string() },
                Reply::Finish { finish: Finish::Calls },
            ];
            said.into_iter().chain(made).collect::<Vec<_>>()
        };
        let ended = |text: String| vec![Reply::Text { text }, Reply::Finish { finish: Finish::Stop }];
        let replies = if asks_for_a_summary(&request) {
            self.0.summaries.fetch_add(1, Ordering::Relaxed);
            let creed = self.0.creed.lock().unwrap_or_else(|e| e.into_inner()).clone();
            let mut replies = call(creed.clone(), "memory_write".to_owned(), json!({ "text": creed }));
            // A summary is one message: what it notes goes along with it.
            if let Some(Reply::Finish { finish }) = replies.last_mut() {
                *finish = Finish::Calls;
            }
            replies
        } else {
            match self.acts().pop_front() {
                Some(Act::Say(text)) => ended(text),
                Some(Act::Call { say, tool, arguments }) => call(say, tool, arguments),
                Some(Act::Hang) => {
                    self.0.hangs.notify_one();
                    return stream::pending::<Result<Reply, ModelError>>().boxed();
                }
                None => ended("That is all.".to_owned()),
            }
        };
        stream::iter(replies.into_iter().map(Ok)).boxed()
    }
}

fn asks_for_a_summary(request: &Request) -> bool {
    let last = request.messages.iter().rev().find_map(|turn| match turn {
        Turn::User { text, .. } => Some(text.as_str()),
        Turn::Tool { text, .. } => Some(text.as_str()),
        Turn::Assistant { .. } => None,
    });
    last.is_some_and(|text| text.contains("(Bailey: write a summary"))
}
