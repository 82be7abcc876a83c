// SPDX-License-Identifier: Apache-2.0
use crate::records::*;
use bailey_ports::{FileError, Files, NewFile, Written};
use bailey_protocol::Labels;
use bailey_store::Database;
use std::fs;
use std::path::PathBuf;

fn write(home: &Home, path: &str, content: &[u8]) -> Result<Written, FileError> {
    Files::write(&home.store, path, content, &Labels::none(), 1)
}

fn place(home: &Home, path: &str) -> PathBuf {
    home.folder.path().join("files").join(path)
}

fn kept(home: &Home) -> Vec<Vec<u8>> {
    let mut names: Vec<(u64, PathBuf)> = fs::read_dir(home.folder.path().join("versions"))
        .unwrap()
        .map(|e| e.unwrap().path())
        .map(|p| (p.file_name().unwrap().to_str().unwrap().parse().unwrap(), p))
        .collect();
    names.sort();
    names.into_iter().map(|(_, p)| fs::read(p).unwrap()).collect()
}

#[test]
fn a_file_is_written_and_earlier_versions_are_kept() {
    let home = Home::new();
    for i in 1..=13u32 {
        let written = write(&home, "notes/计划.md", format!("text {i}").as_bytes()).unwrap();
        assert_eq!(written, Written { path: "notes/计划.md".to_owned(), bytes: written.bytes, version: i });
        assert_eq!(fs::read_to_string(place(&home, "notes/计划.md")).unwrap(), format!("text {i}"));
    }
    let expected: Vec<Vec<u8>> = (3..=12).map(|i| format!("text {i}").into_bytes()).collect();
    assert_eq!(kept(&home), expected);
    let other = write(&home, "other.md", b"x").unwrap();
    assert_eq!((other.version, other.bytes), (1, 1));
    let rows: (i64, i64) = home
        .sql()
        .query_row("SELECT count(*), max(size) FROM files WHERE path = 'notes/计划.md'", [], |r| {
            Ok((r.get(0)?, r.get(1)?))
        })
        .unwrap();
    assert_eq!(rows, (11, 7));
    let names: Vec<_> = fs::read_dir(home.folder.path().join("files/notes")).unwrap().collect();
    assert_eq!(names.len(), 1);
}

/// Names in a folder of the data folder, in order.
fn names(home: &Home, folder: &str) -> Vec<String> {
    let entries = fs::read_dir(home.folder.path().join(folder)).unwrap();
    let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn begin(home: &Home) -> Box<dyn NewFile + '_> {
    home.store.begin(1 << 30).unwrap()
}

#[test]
fn a_file_that_comes_in_pieces_is_there_once_it_is_kept() {
    let home = Home::new();
    let (mut first, mut second) = (begin(&home), begin(&home));
    first.append(b"one ").unwrap();
    second.append(&vec![7; 20 << 20]).unwrap();
    first.append(b"two").unwrap();
    assert!(!place(&home, "").exists());
    let kept_first = first.keep("downloads", "a.txt", &tainted("download_file"), 5).unwrap();
    assert_eq!(kept_first, Written { path: "downloads/a.txt".into(), bytes: 7, version: 1 });
    assert_eq!(fs::read(place(&home, "downloads/a.txt")).unwrap(), b"one two");
    let kept_second = second.keep("downloads", "a.txt", &Labels::none(), 5).unwrap();
    assert_eq!(kept_second, Written { path: "downloads/a (2).txt".into(), bytes: 20 << 20, version: 1 });
    assert_eq!(fs::metadata(place(&home, "downloads/a (2).txt")).unwrap().len(), 20 << 20);
    assert_eq!(names(&home, "incoming"), [""; 0]);
    let rows: Vec<(String, Option<String>)> = {
        let sql = home.sql();
        let mut select = sql.prepare("SELECT path, labels FROM files ORDER BY id").unwrap();
        select.query_map([], |r| Ok((r.get(0)?, r.get(1)?))).unwrap().collect::<Result<_, _>>().unwrap()
    };
    assert_eq!(rows[1], ("downloads/a (2).txt".to_owned(), None));
    assert_eq!(rows[0].0, "downloads/a.txt");
    assert_eq!(serde_json::from_str::<Labels>(rows[0].1.as_ref().unwrap()).unwrap(), tainted("download_file"));
}

#[test]
fn nothing_is_left_of_a_file_that_is_not_kept() {
    let home = Home::new();
    let mut file = home.store.begin(8).unwrap();
    file.append(b"12345").unwrap();
    let error = file.append(b"6789").unwrap_err();
    assert!(matches!(error, FileError::TooLarge { bytes: 9, limit: 8 }));
    file.append(b"678").unwrap();
    assert_eq!(names(&home, "incoming").len(), 1);
    drop(file);
    assert_eq!(names(&home, "incoming"), [""; 0]);
    let mut file = begin(&home);
    file.append(b"x").unwrap();
    assert!(matches!(file.keep("../out", "a", &Labels::none(), 1), Err(FileError::Path(_))));
    assert_eq!(names(&home, "incoming"), [""; 0]);
    // What a kill leaves is gone when the folder is opened again.
    fs::write(home.folder.path().join("incoming/7"), b"half").unwrap();
    drop(Database::open(&home.folder.path().join("bailey.db")).unwrap());
    assert_eq!(names(&home, "incoming"), [""; 0]);
    assert!(Database::in_memory().unwrap().begin(1).is_err());
}

#[test]
fn a_new_file_takes_no_place_that_is_taken() {
    let home = Home::new();
    let keep = |name: &str| begin(&home).keep("d", name, &Labels::none(), 1).unwrap().path;
    write(&home, "d/a.tar.gz", b"mine").unwrap();
    fs::create_dir_all(place(&home, "d/b")).unwrap();
    assert_eq!(keep("a.tar.gz"), "d/a.tar (2).gz");
    assert_eq!(keep("a.tar.gz"), "d/a.tar (3).gz");
    assert_eq!(keep("b"), "d/b (2)");
    assert_eq!(keep("../../x?.md"), "d/_.._x_.md");
    assert_eq!(fs::read(place(&home, "d/a.tar.gz")).unwrap(), b"mine");
    assert_eq!(
        fs::read_dir(home.folder.path()).unwrap().filter(|e| e.as_ref().unwrap().path().ends_with("x_.md")).count(),
        0
    );
    // One that was written before and taken away since goes on being counted.
    fs::remove_file(place(&home, "d/a.tar.gz")).unwrap();
    let again = begin(&home).keep("d", "a.tar.gz", &Labels::none(), 1).unwrap();
    assert_eq!((again.path.as_str(), again.version), ("d/a.tar.gz", 2));
}

#[cfg(unix)]
#[test]
fn no_link_is_followed_to_a_new_file() {
    let home = Home::new();
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("7"), b"theirs").unwrap();
    let link = |from: &std::path::Path| std::os::unix::fs::symlink(outside.path(), from).unwrap();
    fs::create_dir_all(place(&home, "")).unwrap();
    link(&place(&home, "d"));
    assert!(
        matches!(begin(&home).keep("d", "a", &Labels::none(), 1), Err(FileError::Path(why)) if why.contains("not followed"))
    );
    fs::create_dir_all(place(&home, "e")).unwrap();
    std::os::unix::fs::symlink(outside.path().join("nowhere"), place(&home, "e/a")).unwrap();
    assert_eq!(begin(&home).keep("e", "a", &Labels::none(), 1).unwrap().path, "e/a (2)");
    fs::remove_dir(home.folder.path().join("incoming")).unwrap();
    link(&home.folder.path().join("incoming"));
    assert!(matches!(home.store.begin(1), Err(FileError::Path(_))));
    drop(Database::open(&home.folder.path().join("bailey.db")).unwrap());
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);
    assert_eq!(fs::read(outside.path().join("7")).unwrap(), b"theirs");
}

#[test]
fn marks_are_kept_with_each_version() {
    let home = Home::new();
    let labels = |version: u32| -> Option<String> {
        home.sql().query_row("SELECT labels FROM files WHERE version = ?", [version], |r| r.get(0)).unwrap()
    };
    Files::write(&home.store, "a.md", b"one", &tainted("web_read"), 1).unwrap();
    Files::write(&home.store, "a.md", b"two", &Labels::none(), 2).unwrap();
    assert_eq!(serde_json::from_str::<Labels>(&labels(1).unwrap()).unwrap(), tainted("web_read"));
    assert_eq!(labels(2), None);
}

#[test]
fn what_somebody_else_put_there_is_kept_and_marked() {
    let home = Home::new();
    fs::create_dir_all(place(&home, "")).unwrap();
    fs::write(place(&home, "a.md"), b"by hand").unwrap();
    assert_eq!(write(&home, "a.md", b"new").unwrap().version, 2);
    assert_eq!(kept(&home), [b"by hand"]);
    let marked: Option<String> =
        home.sql().query_row("SELECT labels FROM files WHERE version = 1", [], |r| r.get(0)).unwrap();
    assert_eq!(serde_json::from_str::<Labels>(&marked.unwrap()).unwrap(), tainted("unknown"));
    // And one that was taken away is no version.
    fs::remove_file(place(&home, "a.md")).unwrap();
    assert_eq!(write(&home, "a.md", b"again").unwrap().version, 3);
    assert_eq!(kept(&home), [b"by hand"]);
}

#[test]
fn paths_that_leave_or_deceive_are_refused() {
    let home = Home::new();
    for path in ["", "/tmp/x", "../x", "a/../../x", "C:\\x", "a\\b", "nul", "a\u{202E}b", "a\0", "x.", &"x".repeat(201)]
    {
        let error = write(&home, path, b"x").unwrap_err();
        assert!(matches!(&error, FileError::Path(_)), "{path:?}: {error:?}");
    }
    assert!(!home.folder.path().join("files").exists());
    write(&home, "a/b.md", b"x").unwrap();
    for path in ["a", "a/b.md/c"] {
        assert!(matches!(write(&home, path, b"x"), Err(FileError::Path(_))), "{path}");
    }
    assert_eq!(fs::read(place(&home, "a/b.md")).unwrap(), b"x");
}

#[cfg(unix)]
#[test]
fn no_link_is_followed() {
    let home = Home::new();
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("target"), b"theirs").unwrap();
    let files = place(&home, "");
    fs::create_dir_all(&files).unwrap();
    std::os::unix::fs::symlink(outside.path(), files.join("folder")).unwrap();
    std::os::unix::fs::symlink(outside.path().join("target"), files.join("file")).unwrap();
    std::os::unix::fs::symlink(outside.path().join("new"), files.join("dangling")).unwrap();
    for path in ["folder/x", "folder/target", "file", "dangling"] {
        let error = write(&home, path, b"x").unwrap_err();
        assert!(matches!(&error, FileError::Path(why) if why.contains("not followed")), "{path}: {error:?}");
    }
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);
    assert_eq!(fs::read(outside.path().join("target")).unwrap(), b"theirs");

    fs::remove_dir_all(&files).unwrap();
    std::os::unix::fs::symlink(outside.path(), files.to_str().unwrap().trim_end_matches('/')).unwrap();
    assert!(matches!(write(&home, "x", b"x"), Err(FileError::Path(_))));
}

#[cfg(unix)]
#[test]
fn only_the_owner_can_read_files() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new();
    write(&home, "a/b.md", b"x").unwrap();
    for (path, expected) in [("", 0o700), ("a", 0o700), ("a/b.md", 0o600)] {
        assert_eq!(fs::metadata(place(&home, path)).unwrap().permissions().mode() & 0o777, expected, "{path}");
    }
}

#[test]
fn large_files_are_refused() {
    let home = Home::new();
    let limit = 5 * 1024 * 1024;
    assert_eq!(write(&home, "a", &vec![0; limit]).unwrap().bytes, limit as u64);
    let error = write(&home, "a", &vec![0; limit + 1]).unwrap_err();
    assert!(matches!(error, FileError::TooLarge { bytes, limit: l } if bytes == l + 1));
    let in_memory = Database::in_memory().unwrap();
    assert!(matches!(Files::write(&in_memory, "a", b"x", &Labels::none(), 1), Err(FileError::Io(_))));
}

#[test]
fn a_crash_before_the_rename_leaves_the_old_content_with_all_marks() {
    let home = Home::new();
    Files::write(&home.store, "a.md", b"tainted", &tainted("web_read"), 1).unwrap();
    // The row of the next version is there and its content is not: what a kill between the two leaves.
    let joined = serde_json::to_string(&tainted("web_read")).unwrap();
    home.sql()
        .execute("INSERT INTO files (path, version, labels, at, size) VALUES ('a.md', 2, ?, 2, 3)", [joined])
        .unwrap();
    fs::write(home.folder.path().join("versions/new"), b"half").unwrap();
    let written = Files::write(&home.store, "a.md", b"next", &Labels::none(), 3).unwrap();
    assert_eq!((written.version, fs::read(place(&home, "a.md")).unwrap()), (3, b"next".to_vec()));
    assert_eq!(kept(&home), [b"tainted"]);
}
