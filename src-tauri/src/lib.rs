// SPDX-License-Identifier: Apache-2.0
//! The shells with a window: the same core and UI as in a browser, on a desktop and on Android.
//!
//! The web view can call two commands, [`ipc`]'s, and nothing else: it is granted nothing of Tauri's own nor of any plugin.
//! What a plugin is needed for is done from here.

mod compose;
#[cfg(desktop)]
mod desktop;
#[cfg(desktop)]
mod geometry;
mod ipc;
#[cfg(mobile)]
mod mobile;
#[cfg(desktop)]
mod notifier;
#[cfg(desktop)]
mod signals;
mod window;

#[cfg(desktop)]
pub use desktop::run;

/// The configuration, the permissions and the UI, as the build put them together.
#[expect(clippy::print_stderr, reason = "code made by the build prints when it can't be read")]
fn context() -> tauri::Context {
    tauri::tauri_build_context!()
}
