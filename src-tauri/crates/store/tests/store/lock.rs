// SPDX-License-Identifier: Apache-2.0
use bailey_store::{DataFolder, Locked};

#[test]
fn a_folder_has_one_user_at_a_time_who_says_where_it_is() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("deep/data");
    assert_eq!(DataFolder::read_address(&path), None);
    let first = DataFolder::lock(&path).unwrap();
    assert_eq!(first.path(), path);
    match DataFolder::lock(&path).unwrap_err() {
        Locked::Held { address } => assert_eq!(address, None),
        other => panic!("{other}"),
    }
    first.write_address(r#"{"port":1}"#).unwrap();
    first.write_address(r#"{"port":2}"#).unwrap();
    assert_eq!(DataFolder::read_address(&path).as_deref(), Some(r#"{"port":2}"#));
    match DataFolder::lock(&path).unwrap_err() {
        Locked::Held { address } => assert_eq!(address.as_deref(), Some(r#"{"port":2}"#)),
        other => panic!("{other}"),
    }
    drop(first);
    assert_eq!(DataFolder::read_address(&path), None);
    DataFolder::lock(&path).unwrap();
}

#[test]
fn an_address_that_a_killed_process_left_is_not_believed() {
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("server.json"), "{}").unwrap();
    let _folder = DataFolder::lock(home.path()).unwrap();
    assert_eq!(DataFolder::read_address(home.path()), None);
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("file"), "").unwrap();
    let error = DataFolder::lock(&home.path().join("file/data")).unwrap_err();
    assert!(error.to_string().contains("file/data"), "{error}");
}

#[cfg(unix)]
#[test]
fn only_the_owner_can_read_the_address() {
    use std::os::unix::fs::PermissionsExt;
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("data");
    let folder = DataFolder::lock(&path).unwrap();
    folder.write_address("{}").unwrap();
    let mode = |p: &std::path::Path| std::fs::metadata(p).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&path), mode(&path.join("server.json")), mode(&path.join("lock"))), (0o700, 0o600, 0o600));
}
