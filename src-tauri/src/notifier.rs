// SPDX-License-Identifier: Apache-2.0
use bailey_ports::Notifier;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use tauri::AppHandle;
use tauri::plugin::PermissionState;
use tauri_plugin_notification::NotificationExt;

/// Notifications of the desktop, shown only while the person looks elsewhere.
#[derive(Default)]
pub(crate) struct WindowNotifier {
    app: OnceLock<AppHandle>,
    looking: AtomicBool,
}

impl WindowNotifier {
    /// Gives it the app, without which nothing is shown.
    pub(crate) fn attach(&self, app: AppHandle) {
        let _ = self.app.set(app);
    }

    /// The window got or lost the focus.
    pub(crate) fn set_looking(&self, looking: bool) {
        self.looking.store(looking, Ordering::Relaxed);
    }
}

impl Notifier for WindowNotifier {
    fn reaches(&self) -> bool {
        self.app.get().is_some_and(|app| {
            app.notification().permission_state().is_ok_and(|state| matches!(state, PermissionState::Granted))
        })
    }

    fn notify(&self, title: &str, body: &str) {
        if self.looking.load(Ordering::Relaxed) {
            return;
        }
        let Some(app) = self.app.get() else { return };
        if let Err(error) = app.notification().builder().title(title).body(body).show() {
            tracing::warn!("a notification could not be shown: {error}");
        }
    }
}
