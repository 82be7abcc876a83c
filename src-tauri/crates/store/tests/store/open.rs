// SPDX-License-Identifier: Apache-2.0
use crate::records::*;
use bailey_ports::{Store, StoreError};
use bailey_store::Database;
use rusqlite::Connection;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Names, bytes and times of last change of everything in a folder.
fn listing(folder: &Path) -> BTreeMap<PathBuf, (Vec<u8>, std::time::SystemTime)> {
    let entries = fs::read_dir(folder).unwrap().map(|e| e.unwrap());
    entries.map(|e| (e.path(), (fs::read(e.path()).unwrap(), e.metadata().unwrap().modified().unwrap()))).collect()
}

fn refused(path: &Path) -> StoreError {
    let folder = path.parent().unwrap();
    let before = listing(folder);
    let error = Database::open(path).unwrap_err();
    assert!(before == listing(folder), "something was written");
    error
}

#[test]
fn a_new_folder_is_made_and_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep/data/bailey.db");
    let store = Database::open(&path).unwrap();
    assert_eq!(store.schema_version(), Ok(3));
    try_append(&store, "r", &[opened(1, "c", "q"), prompt(1, "q", None, "hello")]).unwrap();
    drop(store);
    let store = Database::open(&path).unwrap();
    assert_eq!(store.branch(&"c".into(), None).unwrap()[0].text(), "hello");
}

#[test]
fn an_empty_file_is_a_new_database() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bailey.db");
    fs::write(&path, b"").unwrap();
    assert_eq!(Database::open(&path).unwrap().schema_version(), Ok(3));
}

#[test]
fn what_an_interrupted_making_left_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bailey.db.new"), b"half a database").unwrap();
    let store = Database::open(&folder.path().join("bailey.db")).unwrap();
    try_append(&store, "r", &[opened(1, "c", "q"), prompt(1, "q", None, "hello")]).unwrap();
    drop(store);
    let names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names, ["bailey.db"]);
}

#[test]
fn a_name_is_never_a_uri() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a?mode=memory&x.db");
    drop(Database::open(&path).unwrap());
    assert!(fs::metadata(&path).unwrap().len() > 0);
}

#[cfg(unix)]
#[test]
fn only_the_owner_can_read_it() {
    use std::os::unix::fs::PermissionsExt;
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let path = data.join("bailey.db");
    let store = Database::open(&path).unwrap();
    try_append(&store, "r", &[opened(1, "c", "q"), prompt(1, "q", None, "hello")]).unwrap();
    assert_eq!(mode(&data), 0o700);
    for name in ["bailey.db", "bailey.db-wal", "bailey.db-shm"] {
        assert_eq!(mode(&data.join(name)), 0o600, "{name}");
    }
    drop(store);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    let _store = Database::open(&path).unwrap();
    assert_eq!(mode(&path), 0o600);
}

#[test]
fn a_newer_schema_is_refused_and_nothing_is_written() {
    let home = Home::new();
    home.talk("c", "r", "Question", "Answer", 1);
    let Home { folder, store } = home;
    drop(store);
    let path = folder.path().join("bailey.db");
    let sql = Connection::open(&path).unwrap();
    sql.execute_batch("PRAGMA user_version = 7; PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    drop(sql);
    let error = refused(&path);
    assert_eq!(error, StoreError::Newer { found: 7, known: 3 });
    assert!(error.to_string().contains("Update Bailey"), "{error}");
}

#[test]
fn a_newer_schema_that_is_only_in_the_log_is_refused_too() {
    let home = Home::new();
    home.talk("c", "r", "Question", "Answer", 1);
    let sql = home.sql();
    sql.execute_batch("PRAGMA user_version = 7").unwrap();
    // As a killed process leaves it: copied while it is open.
    let folder = tempfile::tempdir().unwrap();
    for name in ["bailey.db", "bailey.db-wal"] {
        fs::copy(home.folder.path().join(name), folder.path().join(name)).unwrap();
    }
    assert_eq!(refused(&folder.path().join("bailey.db")), StoreError::Newer { found: 7, known: 3 });
}

#[test]
fn what_is_not_ours_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bailey.db");
    let reason = |error: StoreError| match error {
        StoreError::Io(why) => why,
        other => panic!("{other:?}"),
    };

    let sql = Connection::open(&path).unwrap();
    sql.execute_batch("CREATE TABLE theirs (x); PRAGMA application_id = 42").unwrap();
    drop(sql);
    assert!(reason(refused(&path)).contains("another program's"));

    for content in [
        &b"not a database, but long enough to hold a header of one hundred bytes, which is what is read of it at first"
            [..],
        b"short",
    ] {
        fs::write(&path, content).unwrap();
        assert!(reason(refused(&path)).contains("not a database"));
    }
}

#[test]
fn a_damaged_file_says_so() {
    let home = Home::new();
    home.talk("c", "r", "Question", "Answer", 1);
    let Home { folder, store } = home;
    drop(store);
    let path = folder.path().join("bailey.db");
    let mut bytes = fs::read(&path).unwrap();
    // The header is right and the rest is not.
    bytes[100..].fill(0x5A);
    fs::write(&path, bytes).unwrap();
    match Database::open(&path).map(drop) {
        Err(StoreError::Io(why)) => assert!(why.contains("damaged"), "{why}"),
        other => panic!("{other:?}"),
    }
}
