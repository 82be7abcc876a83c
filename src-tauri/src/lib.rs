// SPDX-License-Identifier: Apache-2.0
//! The desktop shell: the same core and UI as in a browser, in a Tauri window.
//!
//! The web view can call two commands, [`ipc`]'s, and nothing else: it is granted nothing of Tauri's own nor of any plugin.
//! What a plugin is needed for is done from here.

mod compose;
mod geometry;
mod ipc;
mod notifier;
mod signals;
mod window;

use bailey_api::Api;
use clap::Parser;
use notifier::WindowNotifier;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use tauri::{Manager, RunEvent};

/// Bailey, a local-first AI agent that acts behind a gate.
#[derive(Parser)]
#[command(name = "bailey-app", version)]
struct Options {
    /// The data folder.
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
}

/// Opens the window and stays until it is closed. To be called first, while there is one thread.
pub fn run() -> ExitCode {
    let redactor = compose::prepare_process();
    let options = match Options::try_parse() {
        Ok(options) => options,
        Err(error) => {
            // Help and the version come this way, too.
            let _ = error.print();
            return if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS };
        }
    };
    let notifier = Arc::new(WindowNotifier::default());
    let core = compose::data_folder(options.data_dir)
        .and_then(|folder| compose::open(folder, redactor, notifier.clone()))
        .and_then(|core| open_window(core, notifier));
    match core {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            tracing::error!("{message}");
            tell(&message);
            ExitCode::FAILURE
        }
    }
}

/// Runs the window until it is closed, then stops the core.
fn open_window(core: compose::Core, notifier: Arc<WindowNotifier>) -> Result<(), String> {
    let compose::Core { api, folder, lock } = core;
    let agent = api.agent().clone();
    let app = tauri::Builder::default()
        .plugin(tauri_plugin_notification::init())
        .plugin(tauri_plugin_store::Builder::new().build())
        .manage::<Api>(api)
        .manage(ipc::Subscriptions::default())
        .invoke_handler(tauri::generate_handler![ipc::command, ipc::subscribe])
        .build(context())
        .map_err(|error| format!("Bailey's window could not be opened: {error}"))?;
    if app.asset_resolver().get("index.html".to_owned()).is_none() && cfg!(feature = "custom-protocol") {
        return Err("This Bailey was built without its face. Build it again with: npm run app".to_owned());
    }
    notifier.attach(app.handle().clone());
    window::open(app.handle(), &folder, notifier)
        .map_err(|error| format!("Bailey's window could not be opened: {error}"))?;
    signals::close_on(app.handle().clone());
    app.run_return(move |app, event| {
        if let RunEvent::Exit = event {
            app.state::<ipc::Subscriptions>().end_all();
            tauri::async_runtime::block_on(agent.shutdown());
        }
    });
    drop(lock);
    Ok(())
}

/// The configuration, the permissions and the UI, as the build put them together.
#[expect(clippy::print_stderr, reason = "code made by the build prints when it can't be read")]
fn context() -> tauri::Context {
    tauri::tauri_build_context!()
}

/// Shows a message where there is no window yet.
fn tell(message: &str) {
    rfd::MessageDialog::new().set_level(rfd::MessageLevel::Error).set_title("Bailey").set_description(message).show();
}
