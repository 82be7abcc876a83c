// SPDX-License-Identifier: Apache-2.0
use crate::database::Database;
use crate::error::{Result, first, labels, labels_json};
use crate::{path, private};
use bailey_ports::{Durability, FileError, Files, NewFile, StoreError, Written};
use bailey_protocol::{Labels, Millis};
use rusqlite::{Connection, params};
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes of one file.
const LARGEST: u64 = 5 * 1024 * 1024;
/// Earlier versions that are kept beside the present one.
const KEPT: i64 = 10;
/// Where new files are until they are kept.
const INCOMING: &str = "incoming";
/// Bytes after which a file that comes in pieces is synced, so that none of its syncs takes long.
const SYNCED_EVERY: u64 = 8 * 1024 * 1024;
/// How often a name is numbered.
const MOST_OF_A_NAME: u32 = 1_000;

impl Files for Database {
    /// Files are in `files`, the last ten earlier versions of each in `versions`. No symbolic link is ever followed, and
    /// what somebody else put where a file goes is kept as a version, too.
    fn write(
        &self,
        path: &str,
        content: &[u8],
        labels: &Labels,
        at: Millis,
    ) -> std::result::Result<Written, FileError> {
        path::check(path).map_err(FileError::Path)?;
        let bytes = content.len() as u64;
        if bytes > LARGEST {
            return Err(FileError::TooLarge { bytes, limit: LARGEST });
        }
        let data = self.data()?;
        let _turn = self.files.lock().unwrap_or_else(|e| e.into_inner());
        let target = way(&data.join("files"), path)?;
        let versions = data.join("versions");
        private::create_folder(&versions).map_err(io_error)?;
        // Both on disk before anything points to them, so that a crash loses neither the old nor the new content.
        let new_content = TempFile::write(versions.join("new"), content).map_err(io_error)?;
        self.put(new_content, &target, &Version { path, labels, at, size: bytes })
    }

    /// Until it is kept it is in `incoming`, which is emptied when the database is opened.
    fn begin(&self, limit: u64) -> std::result::Result<Box<dyn NewFile + '_>, FileError> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let incoming = self.data()?.join(INCOMING);
        folder(&incoming, INCOMING)?;
        let place = incoming.join(COUNT.fetch_add(1, Ordering::Relaxed).to_string());
        let (temp, file) = TempFile::create(place).map_err(io_error)?;
        Ok(Box::new(Incoming { database: self, temp, file, limit, bytes: 0, unsynced: 0 }))
    }
}

struct Incoming<'a> {
    database: &'a Database,
    file: File,
    temp: TempFile,
    limit: u64,
    bytes: u64,
    unsynced: u64,
}

impl NewFile for Incoming<'_> {
    fn append(&mut self, bytes: &[u8]) -> std::result::Result<(), FileError> {
        let new = bytes.len() as u64;
        if self.bytes + new > self.limit {
            return Err(FileError::TooLarge { bytes: self.bytes + new, limit: self.limit });
        }
        self.file.write_all(bytes).map_err(io_error)?;
        (self.bytes, self.unsynced) = (self.bytes + new, self.unsynced + new);
        if self.unsynced >= SYNCED_EVERY {
            self.file.sync_data().map_err(io_error)?;
            self.unsynced = 0;
        }
        Ok(())
    }

    fn keep(
        self: Box<Self>,
        folder: &str,
        name: &str,
        labels: &Labels,
        at: Millis,
    ) -> std::result::Result<Written, FileError> {
        let Incoming { database, file, temp, bytes, .. } = *self;
        file.sync_all().map_err(io_error)?;
        // Open files can't be renamed everywhere.
        drop(file);
        let name = path::tidy(name);
        let root = database.data()?.join("files");
        let _turn = database.files.lock().unwrap_or_else(|e| e.into_inner());
        for number in 1..=MOST_OF_A_NAME {
            let path = format!("{folder}/{}", path::numbered(&name, number));
            path::check(&path).map_err(FileError::Path)?;
            let place = root.join(&path);
            // A link that leads nowhere is something, too.
            if fs::symlink_metadata(&place).is_ok() {
                continue;
            }
            let target = way(&root, &path)?;
            return database.put(temp, &target, &Version { path: &path, labels, at, size: bytes });
        }
        Err(FileError::Path(format!("there are {MOST_OF_A_NAME} files named {name:?} in {folder}. Give another name")))
    }
}

impl Database {
    fn data(&self) -> std::result::Result<&Path, FileError> {
        self.folder().ok_or_else(|| FileError::Io("there is no data folder".to_owned()))
    }

    /// Puts content, which is on disk already, in its place, and what was there aside.
    fn put(&self, content: TempFile, target: &Path, new: &Version) -> std::result::Result<Written, FileError> {
        let versions = self.data()?.join("versions");
        let replaced = target.exists();
        // Until the new content is in place the row carries the marks of both: a crash in between never takes a mark off.
        let (row, before) = self.commit(Durability::Synced, |sql| new.insert(sql, replaced)).map_err(store_error)?;
        if let Some(before) = before.filter(|_| replaced) {
            keep(target, &versions.join(before.to_string())).map_err(io_error)?;
        }
        content.rename(target).map_err(io_error)?;
        let dropped = self.commit(Durability::Committed, |sql| new.settle(sql, &row)).map_err(store_error)?;
        for id in dropped {
            // A version that stays behind costs space and nothing else.
            let _ = fs::remove_file(versions.join(id.to_string()));
        }
        Ok(Written { path: new.path.to_owned(), bytes: new.size, version: row.version })
    }
}

/// Removes what a process that died was still writing.
pub(crate) fn remove_half_written(data: &Path) -> io::Result<()> {
    let incoming = data.join(INCOMING);
    match fs::symlink_metadata(&incoming) {
        Ok(there) if there.is_dir() => {}
        Ok(_) => return Ok(()),
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(e) => return Err(e),
    }
    for entry in fs::read_dir(&incoming)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

struct Version<'a> {
    path: &'a str,
    labels: &'a Labels,
    at: Millis,
    size: u64,
}

struct Row {
    id: i64,
    version: u32,
}

impl Version<'_> {
    /// Adds the row of the new version, after one for what is there without a row. Also says which row the content that is
    /// there belongs to.
    fn insert(&self, sql: &Connection, replaced: bool) -> Result<(Row, Option<i64>)> {
        let mut select =
            sql.prepare_cached("SELECT id, version, labels FROM files WHERE path = ? ORDER BY version DESC LIMIT 1")?;
        let newest = first(&mut select, [self.path], |row| Ok((row.get(0)?, row.get(1)?, labels(row, 2)?)))?;
        let mut insert =
            sql.prepare_cached("INSERT INTO files (path, version, labels, at, size) VALUES (?, ?, ?, ?, ?)")?;
        let (before, version, earlier): (Option<i64>, u32, Labels) = match newest {
            Some((id, version, labels)) => (Some(id), version, labels),
            None if replaced => {
                // Nobody knows who wrote it.
                let mut found = Labels::none();
                found.outside.push(bailey_protocol::Source::tool("unknown"));
                let id = insert.insert(params![self.path, 1, labels_json(&found)?, self.at, 0])?;
                (Some(id), 1, found)
            }
            None => (None, 0, Labels::none()),
        };
        let version = version + 1;
        let joined = earlier.joined(self.labels);
        let id = insert.insert(params![
            self.path,
            version,
            labels_json(&joined)?,
            self.at,
            i64::try_from(self.size).unwrap_or(i64::MAX)
        ])?;
        Ok((Row { id, version }, before))
    }

    /// The content is in place: the row carries its own marks only. Returns the versions that are no longer kept.
    fn settle(&self, sql: &Connection, row: &Row) -> Result<Vec<i64>> {
        sql.prepare_cached("UPDATE files SET labels = ? WHERE id = ?")?
            .execute(params![labels_json(self.labels)?, row.id])?;
        let mut delete = sql.prepare_cached("DELETE FROM files WHERE path = ? AND version < ? RETURNING id")?;
        let ids = delete.query_map(params![self.path, i64::from(row.version) - KEPT], |row| row.get(0))?;
        Ok(ids.collect::<rusqlite::Result<_>>()?)
    }
}

/// Walks to where a file goes, making folders. Whatever is not a plain folder, or in the end a plain file, stops it.
fn way(root: &Path, path: &str) -> std::result::Result<PathBuf, FileError> {
    let mut place = root.to_path_buf();
    folder(&place, "files")?;
    let mut names = path.split('/').peekable();
    while let Some(name) = names.next() {
        place.push(name);
        if names.peek().is_some() {
            folder(&place, name)?;
        }
    }
    match fs::symlink_metadata(&place) {
        Ok(there) if there.is_file() => Ok(place),
        Ok(there) if there.is_dir() => {
            Err(FileError::Path(format!("{path:?} is a folder. Give the path of a file in it")))
        }
        Ok(_) => Err(FileError::Path(format!("{path:?} is a link or a device and is not followed. Give another path"))),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(place),
        Err(e) => Err(io_error(e)),
    }
}

fn folder(place: &Path, name: &str) -> std::result::Result<(), FileError> {
    match fs::symlink_metadata(place) {
        Ok(there) if there.is_dir() => Ok(()),
        Ok(there) if there.is_file() => {
            Err(FileError::Path(format!("{name:?} is a file, so nothing can be put into it. Give another path")))
        }
        Ok(_) => Err(FileError::Path(format!("{name:?} is a link or a device and is not followed. Give another path"))),
        Err(e) if e.kind() == io::ErrorKind::NotFound => private::create_folder(place).map_err(io_error),
        Err(e) => Err(io_error(e)),
    }
}

/// Gives the present content a second name, or a copy where the file system knows no links.
fn keep(target: &Path, kept: &Path) -> io::Result<()> {
    match fs::remove_file(kept) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
        _ => {}
    }
    fs::hard_link(target, kept).or_else(|_| fs::copy(target, kept).map(drop))
}

/// New content that is not in its place yet; removed unless it is put there. `place` is on the file system of the target.
pub(crate) struct TempFile(Option<PathBuf>);

impl TempFile {
    /// Writes and syncs it, replacing what an earlier process left behind.
    pub(crate) fn write(place: PathBuf, content: &[u8]) -> io::Result<Self> {
        let (this, mut file) = Self::create(place)?;
        file.write_all(content)?;
        file.sync_all()?;
        Ok(this)
    }

    /// Makes it empty, and gives the file to write to and to sync.
    fn create(place: PathBuf) -> io::Result<(Self, File)> {
        match fs::remove_file(&place) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
            _ => {}
        }
        // Made anew, so that a link that somebody put there is not followed.
        let file = private::options().create_new(true).open(&place)?;
        Ok((Self(Some(place)), file))
    }

    /// Syncs what was written to it since, by its name.
    pub(crate) fn sync(&self) -> io::Result<()> {
        self.0.as_ref().map_or(Ok(()), |place| fs::OpenOptions::new().write(true).open(place)?.sync_all())
    }

    /// Puts it in the place of the target, for good.
    pub(crate) fn rename(mut self, target: &Path) -> io::Result<()> {
        if let Some(place) = &self.0 {
            fs::rename(place, target)?;
        }
        self.0 = None;
        target.parent().map_or(Ok(()), private::sync_folder)
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        if let Some(place) = &self.0 {
            let _ = fs::remove_file(place);
        }
    }
}

fn io_error(error: io::Error) -> FileError {
    FileError::Io(error.to_string())
}

fn store_error(error: StoreError) -> FileError {
    FileError::Io(error.to_string())
}
