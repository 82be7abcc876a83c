// SPDX-License-Identifier: Apache-2.0
//! Looks at a database file without SQLite, which would write beside it: is it ours, and which schema has it?

use crate::migrate::{APPLICATION_ID, KNOWN};
use bailey_ports::StoreError;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 16] = b"SQLite format 3\0";
const HEADER: usize = 100;

/// Refuses a file that is not Bailey's or is newer than this version; a missing or empty one is fine. Writes nothing.
pub(crate) fn check(path: &Path) -> Result<(), StoreError> {
    let refuse = |why: String| StoreError::Io(format!("{}: {why}. Nothing was changed", path.display()));
    let Some(header) = first_page(path).map_err(|e| refuse(e.to_string()))? else {
        return Ok(());
    };
    if &header[..16] != MAGIC {
        return Err(refuse("this is not a database. Put back a copy, or move it away to start anew".to_owned()));
    }
    if number(&header, 68) != APPLICATION_ID as u32 {
        return Err(refuse("this database is another program's. Choose another --data-dir".to_owned()));
    }
    let found = i64::from(number(&header, 60));
    if found > KNOWN {
        return Err(StoreError::Newer { found, known: KNOWN });
    }
    Ok(())
}

/// The first 100 bytes of page 1 as last committed; `None` for a file that is missing or empty.
fn first_page(path: &Path) -> io::Result<Option<[u8; HEADER]>> {
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(e),
    };
    let mut header = [0; HEADER];
    let mut filled = 0;
    while filled < HEADER {
        match file.read(&mut header[filled..])? {
            0 => break,
            n => filled += n,
        }
    }
    if filled == 0 {
        return Ok(None);
    }
    if filled == HEADER
        && &header[..16] == MAGIC
        && let Some(newer) = first_page_in_wal(path)
    {
        header = newer;
    }
    Ok(Some(header))
}

/// Page 1 may have been committed to the write-ahead log only. Frames of an earlier round have other salts. Checksums are
/// left to SQLite: a torn frame of a newer version is a reason to refuse, too.
fn first_page_in_wal(path: &Path) -> Option<[u8; HEADER]> {
    let mut name = path.as_os_str().to_owned();
    name.push("-wal");
    let file = File::open(PathBuf::from(name)).ok()?;
    let mut wal = BufReader::new(file);
    let mut head = [0; 32];
    wal.read_exact(&mut head).ok()?;
    let page_size = i64::from(number(&head, 8));
    if page_size < 512 {
        return None;
    }
    let salts = &head[16..24];
    let (mut found, mut pending) = (None, None);
    loop {
        let mut frame = [0; 24];
        if wal.read_exact(&mut frame).is_err() || &frame[8..16] != salts {
            return found;
        }
        let mut read = 0;
        if number(&frame, 0) == 1 {
            let mut page = [0; HEADER];
            if wal.read_exact(&mut page).is_err() {
                return found;
            }
            read = HEADER as i64;
            pending = Some(page);
        }
        if wal.seek_relative(page_size - read).is_err() {
            return found;
        }
        let commits = number(&frame, 4) != 0;
        if commits && pending.is_some() {
            found = pending.take();
        }
    }
}

fn number(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}
