// SPDX-License-Identifier: Apache-2.0
use tauri::AppHandle;

/// Closes the app in good order when it is asked to from outside: Ctrl-C in the terminal it was started from, or SIGTERM.
pub(crate) fn close_on(app: AppHandle) {
    tauri::async_runtime::spawn(async move {
        if asked().await.is_ok() {
            app.exit(0);
        }
    });
}

#[cfg(unix)]
async fn asked() -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        ended = tokio::signal::ctrl_c() => ended,
        _ = terminate.recv() => Ok(()),
    }
}

#[cfg(not(unix))]
async fn asked() -> std::io::Result<()> {
    tokio::signal::ctrl_c().await
}
