// SPDX-License-Identifier: Apache-2.0
//! The two commands that the web view can call.

use bailey_agent::Presence;
use bailey_api::Api;
use bailey_protocol::{ApiError, StreamMessage};
use futures::StreamExt;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};
use tauri::async_runtime::JoinHandle;
use tauri::ipc::Channel;
use tauri::{State, Webview};

/// Any command of the API. An error rejects with an [`ApiError`].
#[tauri::command]
pub(crate) async fn command(api: State<'_, Api>, name: String, params: Value) -> Result<Value, ApiError> {
    api.dispatch(&name, params).await
}

/// Sends events through `channel` until the page goes or subscribes anew: first a snapshot, or what was missed since
/// `since` of `epoch`.
#[tauri::command]
pub(crate) async fn subscribe(
    api: State<'_, Api>,
    subscriptions: State<'_, Subscriptions>,
    webview: Webview,
    epoch: Option<String>,
    since: Option<u64>,
    channel: Channel<StreamMessage>,
) -> Result<(), ApiError> {
    let mut events = api.agent().subscribe(epoch.zip(since), Presence::Attending);
    subscriptions.replace(
        webview.label(),
        tauri::async_runtime::spawn(async move {
            while let Some(message) = events.next().await {
                if let Err(error) = channel.send(message) {
                    tracing::debug!("the window no longer takes events: {error}");
                    break;
                }
            }
        }),
    );
    Ok(())
}

/// Who is being sent events: one subscription a web view.
#[derive(Default)]
pub(crate) struct Subscriptions(Mutex<HashMap<String, JoinHandle<()>>>);

impl Subscriptions {
    /// Puts a subscription in the place of the one this web view had.
    pub(crate) fn replace(&self, label: &str, task: JoinHandle<()>) {
        if let Some(earlier) = self.tasks().insert(label.to_owned(), task) {
            earlier.abort();
        }
    }

    /// Ends the subscription of a web view whose page is gone.
    pub(crate) fn end(&self, label: &str) {
        if let Some(task) = self.tasks().remove(label) {
            task.abort();
        }
    }

    /// Ends them all.
    #[cfg(desktop)]
    pub(crate) fn end_all(&self) {
        for (_, task) in self.tasks().drain() {
            task.abort();
        }
    }

    fn tasks(&self) -> MutexGuard<'_, HashMap<String, JoinHandle<()>>> {
        self.0.lock().unwrap_or_else(|e| e.into_inner())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use tauri::async_runtime::{block_on, spawn};

    /// A task that never ends, and what tells whether it was ended.
    fn endless() -> (JoinHandle<()>, Arc<()>) {
        let alive = Arc::new(());
        let held = alive.clone();
        let task = spawn(async move {
            let _held = held;
            std::future::pending::<()>().await;
        });
        (task, alive)
    }

    fn ended(alive: Arc<()>) {
        block_on(async {
            while Arc::strong_count(&alive) > 1 {
                std::thread::yield_now();
            }
        });
    }

    #[test]
    fn the_newest_subscription_of_a_window_replaces_the_earlier_one_only() {
        let subscriptions = Subscriptions::default();
        let (first, first_alive) = endless();
        let (other, other_alive) = endless();
        let (second, second_alive) = endless();
        subscriptions.replace("main", first);
        subscriptions.replace("other", other);
        subscriptions.replace("main", second);
        ended(first_alive);
        assert_eq!(Arc::strong_count(&other_alive), 2);
        assert_eq!(Arc::strong_count(&second_alive), 2);
        subscriptions.end("main");
        ended(second_alive);
        assert_eq!(Arc::strong_count(&other_alive), 2);
        subscriptions.end_all();
        ended(other_alive);
    }
}
