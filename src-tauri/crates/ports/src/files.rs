// SPDX-License-Identifier: Apache-2.0
use bailey_protocol::{Labels, Millis};

/// The app's own folder of files. Paths are relative, with `/`, and never leave it.
pub trait Files: Send + Sync {
    /// Writes a whole file, atomically; an earlier version is kept.
    fn write(&self, path: &str, content: &[u8], labels: &Labels, at: Millis) -> Result<Written, FileError>;
    /// Begins a new file that comes in pieces, of at most `limit` bytes.
    fn begin(&self, limit: u64) -> Result<Box<dyn NewFile + '_>, FileError>;
}

/// A file that is being written. Nothing is seen of it until it is kept; dropped, or after a crash, nothing is left of it.
pub trait NewFile: Send {
    /// Adds bytes at its end.
    fn append(&mut self, bytes: &[u8]) -> Result<(), FileError>;
    /// Puts it into `folder`, a relative path, under `name`. What can't stand in a name is replaced, and a name that is
    /// taken gets a number, as in `report (2).pdf`: nothing is ever written over.
    fn keep(self: Box<Self>, folder: &str, name: &str, labels: &Labels, at: Millis) -> Result<Written, FileError>;
}

/// What a write did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The path as stored.
    pub path: String,
    /// Size in bytes.
    pub bytes: u64,
    /// The number of this version, from 1.
    pub version: u32,
}

/// A file operation that failed. The text says what to do instead; the model reads it.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The path is not one that may be written.
    #[error("{0}")]
    Path(String),
    /// The content is too large.
    #[error("the file would be {bytes} bytes; at most {limit} fit. Write less, or several files")]
    TooLarge {
        /// Its size.
        bytes: u64,
        /// The limit.
        limit: u64,
    },
    /// The disk did not do it.
    #[error("the file could not be written: {0}")]
    Io(String),
}
