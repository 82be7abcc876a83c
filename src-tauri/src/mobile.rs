// SPDX-License-Identifier: Apache-2.0
//! Android: the library that the activity loads.
//!
//! Runs live in this process and not in the web view: the foreground service that keeps it alive owns no view, so that a
//! swiped-away task comes back to a page that asks the core for what there is.

use crate::{compose, context, ipc, window};
use bailey_bridge::AndroidDevice;
use bailey_ports::Notifier;
use bailey_ports::device::Device;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use tauri::plugin::PermissionState;
use tauri::{AppHandle, Manager};
use tauri_plugin_notification::NotificationExt;

/// Called by the activity when it is made.
#[tauri::mobile_entry_point]
fn start() {
    let redactor = compose::prepare_process();
    let device = AndroidDevice::default();
    let app = tauri::Builder::default()
        .plugin(tauri_plugin_notification::init())
        .plugin(tauri_plugin_store::Builder::new().build())
        .plugin(tauri_plugin_bailey_accessibility::init(&device))
        .plugin(tauri_plugin_bailey_device::init(&device))
        .plugin(tauri_plugin_bailey_lifecycle::init(&device))
        .manage(ipc::Subscriptions::default())
        .invoke_handler(tauri::generate_handler![ipc::command, ipc::subscribe])
        .setup(move |app| {
            // The app's own folder, where nothing else can read; asked for once.
            let folder = app.path().app_data_dir()?;
            let notifier = Arc::new(Notifications::default());
            notifier.attach(app.handle().clone());
            let device: Arc<dyn Device> = Arc::new(device);
            let shown_on = device.clone();
            let under = compose::Under { notifier, device: Some(device), shell };
            let core = compose::open(folder, redactor, under)?;
            let agent = core.api.agent().clone();
            tauri::async_runtime::spawn(async move { agent.accompany(shown_on).await });
            let compose::Core { api, folder, lock } = core;
            app.manage(api);
            // Held as long as the process lives.
            app.manage(lock);
            window::build(app.handle(), &folder)?;
            Ok(())
        })
        .run(context());
    if let Err(error) = app {
        tracing::error!("Bailey could not be started: {error}");
    }
}

/// The shell is Shizuku's: one with the app's own rights could read Bailey's data and nothing else.
fn shell(_folder: &Path, device: Option<&Arc<dyn Device>>) -> Option<Arc<dyn bailey_ports::Shell>> {
    bailey_tools::DeviceShell::of(device?).map(|shell| Arc::new(shell) as Arc<dyn bailey_ports::Shell>)
}

/// Notifications, which the device's own questions (`postAsk`) stand beside.
#[derive(Default)]
struct Notifications {
    app: OnceLock<AppHandle>,
}

impl Notifications {
    fn attach(&self, app: AppHandle) {
        let _ = self.app.set(app);
    }
}

impl Notifier for Notifications {
    fn reaches(&self) -> bool {
        self.app.get().is_some_and(|app| {
            app.notification().permission_state().is_ok_and(|state| matches!(state, PermissionState::Granted))
        })
    }

    fn notify(&self, title: &str, body: &str) {
        let Some(app) = self.app.get() else { return };
        if let Err(error) = app.notification().builder().title(title).body(body).show() {
            tracing::warn!("a notification could not be shown: {error}");
        }
    }
}
