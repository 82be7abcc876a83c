// SPDX-License-Identifier: Apache-2.0
use crate::files::TempFile;
use crate::private;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

const LOCK: &str = "lock";
const ADDRESS: &str = "server.json";

/// A data folder that this process alone uses, for as long as this value lives.
#[derive(Debug)]
pub struct DataFolder {
    path: PathBuf,
    _lock: File,
}

/// A data folder that can't be had.
#[derive(Debug, thiserror::Error)]
pub enum Locked {
    /// Another process uses it.
    #[error("Bailey is already running with this data folder. Use that one, end it, or give another --data-dir")]
    Held {
        /// What the holder wrote with [`DataFolder::write_address`], if it did.
        address: Option<String>,
    },
    /// It can't be made or locked.
    #[error("the data folder {} can't be used: {error}. Check that it belongs to you, or give another --data-dir", .path.display())]
    Io {
        /// The folder.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

impl DataFolder {
    /// Locks a folder, making it when it is not there (only its owner can read it). The system frees the lock of a process
    /// that dies.
    ///
    /// # Errors
    /// [`Locked::Held`] when another process, or another value in this one, holds it.
    pub fn lock(path: &Path) -> Result<Self, Locked> {
        let fail = |error| Locked::Io { path: path.to_owned(), error };
        private::create_folder(path).map_err(fail)?;
        let lock = private::options().create(true).open(path.join(LOCK)).map_err(fail)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(Locked::Held { address: Self::read_address(path) }),
            Err(TryLockError::Error(error)) => return Err(fail(error)),
        }
        let folder = Self { path: path.to_owned(), _lock: lock };
        folder.forget_address();
        Ok(folder)
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Tells others where this process can be reached, as JSON. It may hold a token: only the owner can read it. It is taken
    /// back when this value goes.
    ///
    /// # Errors
    /// When the folder can't be written.
    pub fn write_address(&self, json: &str) -> io::Result<()> {
        let place = self.path.join(ADDRESS);
        TempFile::write(self.path.join("server.json.new"), json.as_bytes())?.rename(&place)
    }

    /// What the process that uses a folder wrote; `None` when it wrote nothing (yet).
    pub fn read_address(path: &Path) -> Option<String> {
        fs::read_to_string(path.join(ADDRESS)).ok()
    }

    fn forget_address(&self) {
        // One that stays behind belongs to nobody: whoever locks the folder next removes it.
        let _ = fs::remove_file(self.path.join(ADDRESS));
    }
}

impl Drop for DataFolder {
    fn drop(&mut self) {
        self.forget_address();
    }
}
