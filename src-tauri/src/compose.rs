// SPDX-License-Identifier: Apache-2.0
//! Puts the core together for one data folder.

use bailey_agent::{Agent, Parts};
use bailey_api::Api;
use bailey_host::{KeyStore, KeyStoreOptions, SystemClock};
use bailey_ports::device::Device;
use bailey_ports::{Durability, Notifier, Redactor, Shell};
use bailey_store::{DataFolder, Database, Locked};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The variable that other commands take a key from; here nothing needs it, so nothing may see it.
const KEY_VARIABLE: &str = "BAILEY_API_KEY";

/// A running core. The folder belongs to this process for as long as `lock` lives.
pub(crate) struct Core {
    pub(crate) api: Api,
    pub(crate) folder: PathBuf,
    pub(crate) lock: DataFolder,
}

/// What must be done before there is a second thread: keys leave the environment, logs and crashes are cleaned.
pub(crate) fn prepare_process() -> Redactor {
    let redactor = Redactor::new();
    if let Some(key) = bailey_host::scrub_environment(KEY_VARIABLE) {
        redactor.learn(&key);
    }
    bailey_host::harden_process();
    bailey_host::install_panic_hook(redactor.clone());
    bailey_host::init_logging(redactor.clone());
    redactor
}

/// The shell for a data folder, on a device.
type FindShell = fn(&Path, Option<&Arc<dyn Device>>) -> Option<Arc<dyn Shell>>;

/// What the system under the app brings.
pub(crate) struct Under {
    pub(crate) notifier: Arc<dyn Notifier>,
    pub(crate) device: Option<Arc<dyn Device>>,
    /// A shell, for a data folder.
    pub(crate) shell: FindShell,
}

/// Takes the folder and starts the core on it; runs that an earlier process left go on. An error is a sentence for the person.
pub(crate) fn open(folder: PathBuf, redactor: Redactor, under: Under) -> Result<Core, String> {
    let key_store = KeyStoreOptions::from_environment()?;
    let lock = DataFolder::lock(&folder).map_err(|locked| match locked {
        Locked::Held { .. } => format!(
            "Bailey is running already with the data folder {}. Use that window or browser tab, or end it first.",
            folder.display()
        ),
        other => format!("{other}."),
    })?;
    let database = Arc::new(Database::open(&folder.join("bailey.db")).map_err(|e| e.to_string())?);
    let parts = Parts {
        store: database.clone(),
        notes: database.clone(),
        files: database,
        clock: Arc::new(SystemClock),
        secrets: Arc::new(KeyStore::open(&folder, redactor.clone(), key_store)),
        shell: (under.shell)(&folder, under.device.as_ref()),
        notifier: Some(under.notifier),
        device: under.device,
        web: None,
        tools: Vec::new(),
        redactor,
        models: Vec::new(),
        durability: Durability::Committed,
    };
    let agent = Agent::start(parts).map_err(|e| e.message)?;
    tauri::async_runtime::block_on(async { agent.resume(None) }).map_err(|e| e.message)?;
    Ok(Core { api: Api::new(agent), folder, lock })
}
