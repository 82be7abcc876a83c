// SPDX-License-Identifier: Apache-2.0
use crate::error::{Fail, Result};
use crate::files::{TempFile, remove_half_written};
use crate::{header, migrate, pictures, private};
use bailey_ports::{Durability, StoreError};
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

/// An open database and the data folder it lies in. Cheap to share behind an `Arc`.
///
/// One connection writes, another reads, so that a read does not wait for a sync; the second is opened when first used.
pub struct Database {
    writer: Mutex<Connection>,
    reader: Option<Mutex<Option<Connection>>>,
    path: Option<PathBuf>,
    /// Held by whoever writes a file.
    pub(crate) files: Mutex<()>,
}

impl Database {
    /// Opens the database file, making it and its folder when they are not there (only their owner can read them), and
    /// brings its schema up to date. Files live in `files` and `versions` beside it.
    ///
    /// # Errors
    /// [`StoreError::Newer`] for a newer schema and [`StoreError::Io`] for a damaged file or another program's database:
    /// then nothing was written.
    pub fn open(path: &Path) -> std::result::Result<Self, StoreError> {
        // An absolute path is never taken for one of SQLite's URIs.
        let path = std::path::absolute(path).map_err(io)?;
        header::check(&path)?;
        if let Some(folder) = path.parent() {
            private::create_folder(folder).map_err(io)?;
        }
        if std::fs::metadata(&path).map_or(0, |there| there.len()) == 0 {
            make(&path)?;
        }
        private::restrict(&path).map_err(io)?;
        let mut writer = Connection::open_with_flags(&path, flags()).map_err(Fail::from)?;
        prepare(&writer, 2_000)?;
        enter_wal(&writer)?;
        migrate::migrate(&mut writer)?;
        pictures::purge_orphans(&writer)?;
        if let Some(Err(error)) = path.parent().map(remove_half_written) {
            tracing::warn!(%error, "files that were being written when the app ended could not be removed");
        }
        Ok(Self { writer: Mutex::new(writer), reader: Some(Mutex::new(None)), path: Some(path), files: Mutex::new(()) })
    }

    /// A database that is gone with its last user. It has no folder, so it can't keep files.
    pub fn in_memory() -> std::result::Result<Self, StoreError> {
        let mut writer = Connection::open_in_memory_with_flags(flags()).map_err(Fail::from)?;
        prepare(&writer, 2_000)?;
        migrate::migrate(&mut writer)?;
        Ok(Self { writer: Mutex::new(writer), reader: None, path: None, files: Mutex::new(()) })
    }

    /// The version of its schema.
    pub fn schema_version(&self) -> std::result::Result<i64, StoreError> {
        Ok(migrate::version(&self.writer())?)
    }

    /// The data folder.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.path.as_deref().and_then(Path::parent)
    }

    fn writer(&self) -> MutexGuard<'_, Connection> {
        // A panic in the middle has rolled its transaction back while unwinding.
        self.writer.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Reads from one consistent state.
    pub(crate) fn read<T>(&self, read: impl FnOnce(&Connection) -> Result<T>) -> std::result::Result<T, StoreError> {
        let (Some(reader), Some(path)) = (&self.reader, &self.path) else {
            return Ok(read(&self.writer())?);
        };
        let mut reader = reader.lock().unwrap_or_else(|e| e.into_inner());
        if reader.is_none() {
            let opened = Connection::open_with_flags(path, flags()).map_err(Fail::from)?;
            prepare(&opened, 1_000)?;
            opened.pragma_update(None, "query_only", true).map_err(Fail::from)?;
            *reader = Some(opened);
        }
        let Some(sql) = reader.as_ref() else { return Err(StoreError::Io("no connection".to_owned())) };
        let transaction = Transaction::new_unchecked(sql, TransactionBehavior::Deferred).map_err(Fail::from)?;
        Ok(read(&transaction)?)
    }

    /// Writes all or nothing.
    pub(crate) fn commit<T>(
        &self,
        durability: Durability,
        write: impl FnOnce(&Connection) -> Result<T>,
    ) -> std::result::Result<T, StoreError> {
        let sql = self.writer();
        if durability == Durability::Committed {
            return Ok(commit(&sql, write)?);
        }
        // In WAL mode FULL syncs the log after each commit, and with it whatever was committed before without a sync.
        sql.execute_batch("PRAGMA synchronous=FULL").map_err(Fail::from)?;
        let result = commit(&sql, write);
        sql.execute_batch("PRAGMA synchronous=NORMAL").map_err(Fail::from)?;
        Ok(result?)
    }

    /// Moves the whole log into the database and empties it, so that no older content is left in it.
    pub(crate) fn empty_log(&self) -> std::result::Result<(), StoreError> {
        let Some(reader) = &self.reader else { return Ok(()) };
        let sql = self.writer();
        // No read of this process may be going on, or the log can't be emptied.
        let _reader = reader.lock().unwrap_or_else(|e| e.into_inner());
        let busy: bool = sql.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0)).map_err(Fail::from)?;
        if busy {
            tracing::warn!("another program reads the database: what was purged stays in the log until it is closed");
        }
        Ok(())
    }
}

impl std::fmt::Debug for Database {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Database").field("path", &self.path).finish_non_exhaustive()
    }
}

fn flags() -> OpenFlags {
    OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX
}

fn io(error: std::io::Error) -> StoreError {
    StoreError::Io(error.to_string())
}

/// `cache` is the page cache in KiB. `secure_delete` overwrites what is removed or replaced; `fullfsync` matters on macOS,
/// where a plain fsync stops at the drive's cache.
fn prepare(sql: &Connection, cache: u32) -> Result<()> {
    sql.busy_timeout(Duration::from_secs(5))?;
    sql.set_prepared_statement_cache_capacity(64);
    sql.execute_batch(&format!(
        "PRAGMA cache_size=-{cache}; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON; PRAGMA secure_delete=ON; \
         PRAGMA temp_store=MEMORY; PRAGMA fullfsync=ON; PRAGMA trusted_schema=OFF;"
    ))?;
    Ok(())
}

/// Makes a database with the newest schema, whole or not at all. SQLite's own care would sync it six times; here it is synced
/// once and then put in its place. Its -wal and -shm will take the mode of the file.
fn make(path: &Path) -> std::result::Result<(), StoreError> {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    let place = PathBuf::from(name);
    let new = TempFile::write(place.clone(), b"").map_err(io)?;
    let mut sql = Connection::open_with_flags(&place, flags()).map_err(Fail::from)?;
    sql.execute_batch("PRAGMA synchronous=OFF; PRAGMA journal_mode=MEMORY").map_err(Fail::from)?;
    migrate::migrate(&mut sql)?;
    enter_wal(&sql)?;
    sql.close().map_err(|(_, e)| Fail::from(e))?;
    new.sync().and_then(|()| new.rename(path)).map_err(io)
}

fn enter_wal(sql: &Connection) -> Result<()> {
    let mode: String = sql.query_row("PRAGMA journal_mode=WAL", [], |row| row.get(0))?;
    if mode == "wal" {
        return Ok(());
    }
    Err(Fail::Store(StoreError::Io(format!(
        "the database can't have a write-ahead log here ({mode}): is the data folder on a network drive? Choose another --data-dir"
    ))))
}

fn commit<T>(sql: &Connection, write: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
    let transaction = Transaction::new_unchecked(sql, TransactionBehavior::Immediate)?;
    let value = write(&transaction)?;
    transaction.commit()?;
    Ok(value)
}
