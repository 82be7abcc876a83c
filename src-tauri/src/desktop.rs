// SPDX-License-Identifier: Apache-2.0
//! The desktop: one window on one data folder.

use crate::geometry::Memory;
use crate::notifier::WindowNotifier;
use crate::{compose, context, ipc, signals, window};
use bailey_api::Api;
use bailey_host::HostShell;
use clap::Parser;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use tauri::{AppHandle, Manager, RunEvent, WindowEvent};

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
    let core = data_folder(options.data_dir)
        .and_then(|folder| compose::open(folder, redactor, under(notifier.clone())))
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
    open(app.handle(), &folder, notifier).map_err(|error| format!("Bailey's window could not be opened: {error}"))?;
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

/// Shows a message where there is no window yet.
fn tell(message: &str) {
    rfd::MessageDialog::new().set_level(rfd::MessageLevel::Error).set_title("Bailey").set_description(message).show();
}

/// Opens the window where it was last.
fn open(app: &AppHandle, folder: &Path, notifier: Arc<WindowNotifier>) -> Result<(), Box<dyn std::error::Error>> {
    let window = window::build(app, folder)?;
    let memory = match Memory::open(app, folder) {
        Ok(memory) => Some(memory),
        Err(error) => {
            tracing::warn!("the window's place is not remembered: {error}");
            None
        }
    };
    if let Some(memory) = &memory {
        memory.restore(&window)?;
    }
    window.show()?;
    let watched = window.clone();
    window.on_window_event(move |event| match event {
        WindowEvent::Focused(focused) => notifier.set_looking(*focused),
        WindowEvent::Resized(_) | WindowEvent::Moved(_) => {
            if let Some(memory) = &memory
                && let Err(error) = memory.note(&watched)
            {
                tracing::debug!("the window's place could not be read: {error}");
            }
        }
        _ => {}
    });
    Ok(())
}

/// The folder named, or the usual one, as an absolute path. An error is a sentence for the person.
fn data_folder(named: Option<PathBuf>) -> Result<PathBuf, String> {
    let path = named.or_else(bailey_host::data_dir).ok_or_else(|| {
        "This system names no folder for an app's data. Start Bailey with --data-dir and a folder.".to_owned()
    })?;
    std::path::absolute(&path).map_err(|e| format!("The data folder {} can't be used: {e}.", path.display()))
}

fn under(notifier: Arc<WindowNotifier>) -> compose::Under {
    compose::Under { notifier, device: None, shell: |folder, _| Some(Arc::new(HostShell::new(folder.join("shell")))) }
}
