// SPDX-License-Identifier: Apache-2.0
//! Puts the parts together for one data folder.

use super::Failure;
use super::address::{Address, Holder};
use bailey_agent::{Agent, Parts};
use bailey_api::Api;
use bailey_host::{HostShell, KeyStore, KeyStoreOptions, SystemClock};
use bailey_ports::{Durability, Redactor, Secrets};
use bailey_store::{DataFolder, Database, Locked};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long `bailey ask` waits for a process that is just ending.
const ENDING: Duration = Duration::from_millis(300);

/// A data folder that this process holds until the value is dropped.
pub(crate) struct Folder(DataFolder);

/// Why a folder could not be taken.
pub(crate) enum Busy {
    /// Another process holds it.
    Held,
    /// It can't be used at all.
    Failed(Failure),
}

impl Folder {
    /// Makes the folder when it is not there, and takes it.
    pub(crate) fn lock(path: &Path) -> Result<Self, Busy> {
        match DataFolder::lock(path) {
            Ok(folder) => Ok(Self(folder)),
            Err(Locked::Held { .. }) => Err(Busy::Held),
            Err(error @ Locked::Io { .. }) => Err(Busy::Failed(Failure::new(error.to_string()))),
        }
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Says in the folder who holds it, for those who come later.
    pub(crate) fn announce(&self, address: &Address) -> Result<(), Failure> {
        let json = serde_json::to_string(address).unwrap_or_default();
        self.0.write_address(&json).map_err(|e| {
            Failure::new(format!(
                "The data folder {} can't be written: {e}. Name another with --data-dir.",
                self.path().display()
            ))
        })
    }

    /// The keys of this folder. It may take some seconds when the system's key store is slow to answer: best called while
    /// Ctrl-C still ends the process.
    pub(crate) fn keys(&self, redactor: Redactor, only_reads: bool) -> Result<Arc<KeyStore>, Failure> {
        let options = KeyStoreOptions::from_environment().map_err(Failure::usage)?;
        Ok(Arc::new(KeyStore::open(self.path(), redactor, KeyStoreOptions { only_reads, ..options })))
    }

    /// Starts the agent on what lies in the folder; inside a runtime.
    pub(crate) fn start(&self, redactor: Redactor, secrets: Arc<dyn Secrets>) -> Result<Api, Failure> {
        let database = Database::open(&self.path().join("bailey.db")).map_err(|e| Failure::new(e.to_string()))?;
        let database = Arc::new(database);
        let parts = Parts {
            store: database.clone(),
            notes: database.clone(),
            files: database,
            clock: Arc::new(SystemClock),
            secrets,
            notifier: None,
            device: None,
            shell: Some(Arc::new(HostShell::new(self.path().join("shell")))),
            web: None,
            tools: Vec::new(),
            redactor,
            models: Vec::new(),
            durability: durability(),
        };
        let agent = Agent::start(parts).map_err(|e| Failure::new(e.message))?;
        Ok(Api::new(agent))
    }
}

/// How surely records are kept. `BAILEY_SYNC=always` syncs each one, for whoever fears power cuts more than waiting.
fn durability() -> Durability {
    match std::env::var_os("BAILEY_SYNC") {
        Some(value) if value == "always" => Durability::Synced,
        _ => Durability::Committed,
    }
}

/// The folder named, or the usual one, as an absolute path.
pub(crate) fn data_folder(named: Option<PathBuf>) -> Result<PathBuf, Failure> {
    let path = named
        .or_else(bailey_host::data_dir)
        .ok_or_else(|| Failure::new("This system names no folder for an app's data. Name one with --data-dir."))?;
    std::path::absolute(&path)
        .map_err(|e| Failure::new(format!("The data folder {} can't be used: {e}.", path.display())))
}

/// Takes the folder for `bailey ask`.
pub(crate) fn lock(named: Option<PathBuf>) -> Result<Folder, Failure> {
    let path = data_folder(named)?;
    let end = Instant::now() + ENDING;
    let folder = loop {
        match Folder::lock(&path) {
            Ok(folder) => break folder,
            Err(Busy::Failed(failure)) => return Err(failure),
            Err(Busy::Held) if Instant::now() < end => std::thread::sleep(Duration::from_millis(20)),
            Err(Busy::Held) => return Err(held(&path)),
        }
    };
    folder.announce(&Address { holder: Holder::Ask, port: 0, token: String::new() })?;
    Ok(folder)
}

/// Who holds the folder, as far as they said so.
pub(crate) fn holder(path: &Path) -> Option<Address> {
    serde_json::from_str(&DataFolder::read_address(path)?).ok()
}

/// The folder is taken: by whom, and how to go on.
pub(crate) fn held(path: &Path) -> Failure {
    let who = match holder(path).map(|a| a.holder) {
        Some(Holder::Server) => "a running `bailey serve`",
        Some(Holder::Ask) => "a running `bailey ask`",
        _ => "another Bailey",
    };
    Failure::new(format!(
        "The data folder {} is in use by {who}. End it first, or go on in another folder with --data-dir.",
        path.display()
    ))
}
