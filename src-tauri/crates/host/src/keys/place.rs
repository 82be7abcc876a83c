// SPDX-License-Identifier: Apache-2.0
//! Which key store a data folder uses, and the names of its entries in the system's.

use super::private;
use bailey_ports::SecretsError;
use bailey_protocol::ProviderId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const VERSION: u32 = 1;

/// A key store that lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Lasting {
    /// The system's.
    System,
    /// The encrypted file.
    File,
}

/// What is written down about where keys are. It holds no key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Written {
    version: u32,
    /// Makes the entries of this data folder in the system's key store its own.
    profile: String,
    store: Lasting,
    /// The providers that have, or may have, an entry in the system's key store.
    system: BTreeSet<ProviderId>,
    /// Whether keys were ever written into the encrypted file.
    #[serde(default)]
    sealed: bool,
}

/// The file with all that.
#[derive(Debug)]
pub(super) struct Place {
    path: PathBuf,
    written: Written,
}

impl Place {
    /// Reads it; `None` where nothing has been chosen yet.
    pub(super) fn read(folder: &Path) -> Result<Option<Self>, SecretsError> {
        let path = folder.join("place.json");
        let content = private::read(&path).map_err(|e| unreadable(&path, &e))?;
        let Some(content) = content else { return Ok(None) };
        let damaged = |why: String| {
            SecretsError::Damaged(format!(
                "{} can't be read ({why}), so Bailey does not know where its keys are. Put back a good copy of it, or move it away to begin anew and enter the keys again; then start Bailey again.",
                path.display()
            ))
        };
        let written: Written = serde_json::from_slice(&content).map_err(|e| damaged(e.to_string()))?;
        if written.version != VERSION {
            return Err(damaged(format!("it is of version {}, this Bailey knows version {VERSION}", written.version)));
        }
        Ok(Some(Self { path, written }))
    }

    /// Chooses for the first time.
    pub(super) fn choose(folder: &Path, profile: String, store: Lasting) -> Result<Self, SecretsError> {
        let written = Written { version: VERSION, profile, store, system: BTreeSet::new(), sealed: false };
        let this = Self { path: folder.join("place.json"), written };
        this.write()?;
        Ok(this)
    }

    /// Chooses again. Entries in the system's key store stay known.
    pub(super) fn change(&mut self, store: Lasting) -> Result<(), SecretsError> {
        self.edit(|written| written.store = store)
    }

    /// A name for a new data folder's entries.
    pub(super) fn new_profile() -> String {
        uuid::Uuid::new_v4().simple().to_string()
    }

    pub(super) fn profile(&self) -> &str {
        &self.written.profile
    }

    pub(super) fn store(&self) -> Lasting {
        self.written.store
    }

    /// The providers that may have an entry in the system's key store.
    pub(super) fn system(&self) -> &BTreeSet<ProviderId> {
        &self.written.system
    }

    /// Writes down that a provider may have an entry from now on.
    pub(super) fn add(&mut self, provider: &ProviderId) -> Result<(), SecretsError> {
        match self.written.system.contains(provider) {
            true => Ok(()),
            false => self.edit(|written| {
                written.system.insert(provider.clone());
            }),
        }
    }

    /// Writes down that a provider has no entry any more.
    pub(super) fn take_out(&mut self, provider: &ProviderId) -> Result<(), SecretsError> {
        self.edit(|written| {
            written.system.remove(provider);
        })
    }

    /// Whether there has to be an encrypted file.
    pub(super) fn is_sealed(&self) -> bool {
        self.written.sealed
    }

    /// Writes down that there is an encrypted file from now on. Where that fails, it is written down at a later start.
    pub(super) fn note_sealed(&mut self) {
        if !self.written.sealed
            && let Err(error) = self.edit(|written| written.sealed = true)
        {
            tracing::warn!("{error}");
        }
    }

    fn edit(&mut self, change: impl FnOnce(&mut Written)) -> Result<(), SecretsError> {
        let before = self.written.clone();
        change(&mut self.written);
        self.write().inspect_err(|_| self.written = before)
    }

    fn write(&self) -> Result<(), SecretsError> {
        let json = serde_json::to_vec_pretty(&self.written).unwrap_or_default();
        private::replace(&self.path, &json).map_err(|e| unwritable(&self.path, &e))
    }
}

/// What to say when a file can't be read.
pub(super) fn unreadable(path: &Path, error: &std::io::Error) -> SecretsError {
    SecretsError::Unavailable(format!(
        "{} can't be read: {error}. Make sure that it belongs to your account, then try again.",
        path.display()
    ))
}

/// What to say when a file can't be written.
pub(super) fn unwritable(path: &Path, error: &std::io::Error) -> SecretsError {
    SecretsError::Unavailable(format!(
        "{} can't be written: {error}. Make room on the disk, or make sure that the folder belongs to your account; then try again.",
        path.display()
    ))
}
