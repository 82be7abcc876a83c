// SPDX-License-Identifier: Apache-2.0
//! Keys in an encrypted file: what comes back, what is seen on the disk, and what happens when the files are not as they were.

use bailey_host::{KeyStore, KeyStoreChoice, KeyStoreOptions};
use bailey_ports::{Redactor, Secret, Secrets, SecretsError};
use bailey_protocol::KeyStoreKind;
use std::fs;
use std::path::{Path, PathBuf};

const CANARY: &str = "sk-canary-3e9d71aa52";

fn options(choice: KeyStoreChoice) -> KeyStoreOptions {
    KeyStoreOptions { choice: Some(choice), ..Default::default() }
}

fn open(data: &Path) -> KeyStore {
    KeyStore::open(data, Redactor::new(), options(KeyStoreChoice::File))
}

fn key(store: &KeyStore, id: &str) -> Option<String> {
    store.get(&id.into()).map(|key| key.expose().to_owned())
}

fn set(store: &KeyStore, id: &str, key: &str) -> Result<(), SecretsError> {
    store.set(&id.into(), Secret::new(key))
}

fn sealed(data: &Path) -> PathBuf {
    data.join("keys/sealed.json")
}

fn key_file(data: &Path) -> PathBuf {
    data.join("keys/key")
}

/// Kind, locked, and whether there are words about a problem.
fn state(store: &KeyStore) -> (KeyStoreKind, bool, bool) {
    let state = store.state();
    (state.kind, state.locked, state.problem.is_some())
}

const FINE: (KeyStoreKind, bool, bool) = (KeyStoreKind::File, false, false);
const PROTECTED: (KeyStoreKind, bool, bool) = (KeyStoreKind::Passphrase, false, false);
const WANTS_PASSPHRASE: (KeyStoreKind, bool, bool) = (KeyStoreKind::Passphrase, true, false);
const BROKEN: (KeyStoreKind, bool, bool) = (KeyStoreKind::File, true, true);

/// Every file below a folder, with its content.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => all.extend(files(&path)),
            false => all.push((path.clone(), fs::read(&path).unwrap())),
        }
    }
    all
}

fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

#[test]
fn keys_survive_reopening_and_are_forgotten_when_told() {
    let data = tempfile::tempdir().unwrap();
    let store = open(data.path());
    assert_eq!((key(&store, "a"), state(&store)), (None, FINE));
    set(&store, "a", CANARY).unwrap();
    set(&store, "b", "quo\"ted \\ 密钥").unwrap();
    set(&store, "b", "  sk-newer\n").unwrap();
    drop(store);

    let store = open(data.path());
    assert_eq!([key(&store, "a"), key(&store, "b")], [Some(CANARY.into()), Some("sk-newer".into())]);
    store.remove(&"a".into()).unwrap();
    store.remove(&"never there".into()).unwrap();
    set(&store, "b", " ").unwrap();
    assert_eq!([key(&store, "a"), key(&store, "b")], [None, None]);
    let store = open(data.path());
    assert_eq!([key(&store, "a"), key(&store, "b")], [None, None]);
    assert_eq!(state(&store), FINE);
    assert_eq!(names(&data.path().join("keys")), ["key", "place.json", "sealed.json"]);
}

#[test]
fn every_key_is_known_to_the_redactor_before_it_can_be_had() {
    let data = tempfile::tempdir().unwrap();
    let redactor = Redactor::new();
    let store = KeyStore::open(data.path(), redactor.clone(), options(KeyStoreChoice::File));
    set(&store, "a", CANARY).unwrap();
    assert_eq!(redactor.clean(CANARY), "[secret removed]");

    let redactor = Redactor::new();
    let store = KeyStore::open(data.path(), redactor.clone(), options(KeyStoreChoice::File));
    assert_eq!(redactor.clean(CANARY), "[secret removed]");
    store.protect(Some(&Secret::new("correct horse"))).unwrap();

    let redactor = Redactor::new();
    let store = KeyStore::open(data.path(), redactor.clone(), options(KeyStoreChoice::File));
    assert_eq!(redactor.clean(CANARY), CANARY);
    store.unlock(&Secret::new("correct horse")).unwrap();
    assert_eq!(redactor.clean(CANARY), "[secret removed]");
}

#[test]
fn no_file_of_the_data_folder_shows_a_key_or_the_passphrase() {
    let data = tempfile::tempdir().unwrap();
    let store = open(data.path());
    let clean = |when: &str| {
        for (path, content) in files(data.path()) {
            let text = String::from_utf8_lossy(&content);
            for trace in [CANARY, "canary", "c2stY2FuYXJ5", "736b2d63616e617279", "correct horse", "Y29ycmVjdCBob3JzZ"]
            {
                assert!(!text.contains(trace), "{when}: {trace} in {}", path.display());
            }
        }
    };
    set(&store, "a", CANARY).unwrap();
    clean("after a key was set");
    store.protect(Some(&Secret::new("correct horse"))).unwrap();
    clean("with a passphrase");
    set(&store, "b", &format!("{CANARY}-b")).unwrap();
    clean("after one more");
    store.protect(None).unwrap();
    store.remove(&"a".into()).unwrap();
    clean("without a passphrase again");
}

#[test]
fn a_passphrase_is_wanted_from_when_it_is_set_until_it_is_taken_off() {
    let data = tempfile::tempdir().unwrap();
    let words = |text: &str| Secret::new(text);
    let store = open(data.path());
    set(&store, "a", CANARY).unwrap();
    assert!(matches!(store.protect(Some(&words("  "))), Err(SecretsError::Unavailable(_))));
    assert_eq!(state(&store), FINE);
    let before = fs::read(sealed(data.path())).unwrap();
    store.protect(Some(&words("correct horse"))).unwrap();
    assert_eq!(state(&store), PROTECTED);
    assert!(!key_file(data.path()).exists(), "the old key is gone");
    assert_ne!(fs::read(sealed(data.path())).unwrap(), before);
    assert_eq!(key(&store, "a").as_deref(), Some(CANARY));
    // Unlocked, it takes keys without being asked again.
    set(&store, "b", "sk-b").unwrap();

    let store = open(data.path());
    assert_eq!((state(&store), key(&store, "a")), (WANTS_PASSPHRASE, None));
    assert_eq!(set(&store, "c", "sk-c"), Err(SecretsError::Locked));
    assert_eq!(store.remove(&"a".into()), Err(SecretsError::Locked));
    assert_eq!(store.protect(None), Err(SecretsError::Locked));
    for wrong in ["", "correct hors", "Correct horse"] {
        assert_eq!(store.unlock(&words(wrong)), Err(SecretsError::WrongPassphrase), "{wrong:?}");
        assert_eq!((state(&store), key(&store, "a")), (WANTS_PASSPHRASE, None));
    }
    store.unlock(&words("correct horse")).unwrap();
    assert_eq!(state(&store), PROTECTED);
    assert_eq!([key(&store, "a"), key(&store, "b")], [Some(CANARY.into()), Some("sk-b".into())]);

    // Another passphrase: the old one is of no use.
    store.protect(Some(&words("battery staple"))).unwrap();
    let store = open(data.path());
    assert_eq!(store.unlock(&words("correct horse")), Err(SecretsError::WrongPassphrase));
    store.unlock(&words("battery staple")).unwrap();
    store.protect(None).unwrap();
    assert_eq!(state(&store), FINE);

    let store = open(data.path());
    assert_eq!((state(&store), key(&store, "a").as_deref()), (FINE, Some(CANARY)));
    // Nothing to take off any more.
    store.protect(None).unwrap();
    store.unlock(&words("anything")).unwrap();
}

#[test]
fn a_key_file_that_a_kill_left_behind_is_dropped_with_the_passphrase() {
    let data = tempfile::tempdir().unwrap();
    let store = open(data.path());
    set(&store, "a", CANARY).unwrap();
    let old = fs::read(key_file(data.path())).unwrap();
    store.protect(Some(&Secret::new("correct horse"))).unwrap();
    fs::write(key_file(data.path()), old).unwrap();
    let store = open(data.path());
    assert_eq!(state(&store), WANTS_PASSPHRASE);
    store.unlock(&Secret::new("correct horse")).unwrap();
    assert!(!key_file(data.path()).exists());
}

/// Whatever changes in a file of these, the store is refused, says which file it is, and leaves it as it is.
fn refused_when_changed(data: &Path, path: &Path, bits: &[u8]) {
    let good = fs::read(path).unwrap();
    let changes = (0..good.len()).flat_map(|at| bits.iter().map(move |bit| (at, *bit)));
    let flipped = changes.map(|(at, bit)| {
        let mut changed = good.clone();
        changed[at] ^= 1 << bit;
        changed
    });
    let other =
        [Vec::new(), good[..good.len() - 1].to_vec(), [&good[..], b"\n"].concat(), [&good[..], &good[..]].concat()];
    for changed in flipped.chain(other) {
        fs::write(path, &changed).unwrap();
        let store = open(data);
        let shown = String::from_utf8_lossy(&changed).into_owned();
        assert_eq!((key(&store, "a"), state(&store)), (None, BROKEN), "{shown}");
        let error = store.unlock(&Secret::new("anything")).unwrap_err();
        match &error {
            SecretsError::Damaged(words) => {
                assert!(words.contains(&path.display().to_string()) && words.contains("good copy"), "{words}");
            }
            SecretsError::Unavailable(words) => assert!(words.contains("newer Bailey"), "{words}: {shown}"),
            _ => panic!("{error:?}: {shown}"),
        }
        assert_eq!(store.state().problem, Some(error.to_string()));
        assert_eq!(fs::read(path).unwrap(), changed, "it is left as it is");
    }
    // A good copy put back is all that is needed, without a restart.
    let store = open(data);
    fs::write(path, &good).unwrap();
    assert!(store.state().locked);
    store.unlock(&Secret::new("")).unwrap();
    assert_eq!((key(&store, "a").as_deref(), state(&store)), (Some(CANARY), FINE));
}

#[test]
fn no_byte_of_the_files_can_change_unnoticed() {
    let data = tempfile::tempdir().unwrap();
    set(&open(data.path()), "a", CANARY).unwrap();
    refused_when_changed(data.path(), &sealed(data.path()), &[0, 2, 5, 7]);
    refused_when_changed(data.path(), &key_file(data.path()), &[0, 7]);
    let place = data.path().join("keys/place.json");
    let good = fs::read(&place).unwrap();
    fs::write(&place, &good[..good.len() / 2]).unwrap();
    let store = open(data.path());
    assert_eq!((key(&store, "a"), state(&store)), (None, BROKEN));
    assert!(matches!(set(&store, "a", "sk-new"), Err(SecretsError::Damaged(words)) if words.contains("place.json")));
    fs::write(&place, good).unwrap();
    store.unlock(&Secret::new("")).unwrap();
    assert_eq!(key(&store, "a").as_deref(), Some(CANARY));
}

#[test]
fn a_damaged_file_is_kept_aside_when_keys_are_entered_again() {
    let data = tempfile::tempdir().unwrap();
    set(&open(data.path()), "a", CANARY).unwrap();
    for n in 1..=2 {
        fs::write(sealed(data.path()), format!("damage {n}")).unwrap();
        let key_before = fs::read(key_file(data.path())).unwrap();
        let store = open(data.path());
        assert_eq!(state(&store), BROKEN);
        set(&store, "b", "sk-again").unwrap();
        assert_eq!((state(&store), key(&store, "a"), key(&store, "b").as_deref()), (FINE, None, Some("sk-again")));
        let aside = |name: &str| fs::read(data.path().join(format!("keys/{name}.damaged-{n}"))).unwrap();
        assert_eq!((aside("sealed"), aside("key")), (format!("damage {n}").into_bytes(), key_before));
        assert_eq!(key(&open(data.path()), "b").as_deref(), Some("sk-again"));
    }
}

#[test]
fn a_good_copy_that_came_back_is_not_put_aside() {
    let data = tempfile::tempdir().unwrap();
    set(&open(data.path()), "a", CANARY).unwrap();
    let good = fs::read(sealed(data.path())).unwrap();
    fs::write(sealed(data.path()), "damage").unwrap();
    let store = open(data.path());
    assert_eq!(state(&store), BROKEN);
    fs::write(sealed(data.path()), good).unwrap();
    set(&store, "b", "sk-b").unwrap();
    for store in [store, open(data.path())] {
        assert_eq!([key(&store, "a"), key(&store, "b")], [Some(CANARY.into()), Some("sk-b".into())]);
    }
    assert_eq!(names(&data.path().join("keys")), ["key", "place.json", "sealed.json"]);
}

#[test]
fn damage_that_only_the_passphrase_shows_is_put_aside_unless_a_good_copy_came_back() {
    let data = tempfile::tempdir().unwrap();
    let passphrase = Secret::new("correct horse");
    let store = open(data.path());
    set(&store, "a", CANARY).unwrap();
    store.protect(Some(&passphrase)).unwrap();
    let good = fs::read(sealed(data.path())).unwrap();
    // A letter of the encrypted keys, which come last.
    let mut damaged = good.clone();
    let at = damaged.iter().rposition(u8::is_ascii_alphanumeric).unwrap() - 8;
    damaged[at] = if damaged[at] == b'A' { b'B' } else { b'A' };
    let found_damaged = || {
        fs::write(sealed(data.path()), &damaged).unwrap();
        let store = open(data.path());
        assert_eq!(state(&store), WANTS_PASSPHRASE);
        assert!(matches!(store.unlock(&passphrase), Err(SecretsError::Damaged(_))));
        store
    };
    let store = found_damaged();
    fs::write(sealed(data.path()), &good).unwrap();
    assert_eq!(set(&store, "b", "sk-b"), Err(SecretsError::Locked));
    assert_eq!((state(&store), fs::read(sealed(data.path())).unwrap()), (WANTS_PASSPHRASE, good));
    store.unlock(&passphrase).unwrap();
    assert_eq!(key(&store, "a").as_deref(), Some(CANARY));

    set(&found_damaged(), "b", "sk-b").unwrap();
    assert_eq!(fs::read(data.path().join("keys/sealed.damaged-1")).unwrap(), damaged);
    let store = open(data.path());
    assert_eq!((state(&store), key(&store, "a"), key(&store, "b").as_deref()), (FINE, None, Some("sk-b")));
}

#[test]
fn a_file_that_is_gone_is_missed_until_it_is_back_or_a_key_is_entered_again() {
    let data = tempfile::tempdir().unwrap();
    // Before the first key nothing is missed.
    assert_eq!(state(&open(data.path())), FINE);
    assert_eq!(state(&open(data.path())), FINE);
    set(&open(data.path()), "a", CANARY).unwrap();
    let good = fs::read(sealed(data.path())).unwrap();
    let gone = || {
        fs::remove_file(sealed(data.path())).unwrap();
        let store = open(data.path());
        assert_eq!((state(&store), key(&store, "a")), (BROKEN, None));
        let words = store.state().problem.unwrap();
        assert!(words.contains("sealed.json is gone") && words.contains("good copy"), "{words}");
        for result in [store.remove(&"a".into()), store.protect(None), store.unlock(&Secret::new(""))] {
            assert_eq!(result, Err(SecretsError::Damaged(words.clone())));
        }
        store
    };
    let store = gone();
    fs::write(sealed(data.path()), &good).unwrap();
    store.unlock(&Secret::new("")).unwrap();
    assert_eq!((state(&store), key(&store, "a").as_deref()), (FINE, Some(CANARY)));

    set(&gone(), "b", "sk-again").unwrap();
    let store = open(data.path());
    assert_eq!((state(&store), key(&store, "a"), key(&store, "b").as_deref()), (FINE, None, Some("sk-again")));
    // The old file still belongs to the key.
    fs::write(sealed(data.path()), &good).unwrap();
    assert_eq!(key(&open(data.path()), "a").as_deref(), Some(CANARY));
    // One that is there and was not noted, is noted at the next start.
    let place = data.path().join("keys/place.json");
    let note = fs::read_to_string(&place).unwrap();
    fs::write(&place, note.replace("\"sealed\": true", "\"sealed\": false")).unwrap();
    assert_eq!(state(&open(data.path())), FINE);
    assert_eq!(fs::read_to_string(&place).unwrap(), note);
    gone();
}

#[test]
fn a_file_of_a_newer_bailey_is_neither_read_nor_replaced() {
    let data = tempfile::tempdir().unwrap();
    set(&open(data.path()), "a", CANARY).unwrap();
    let newer = fs::read_to_string(sealed(data.path())).unwrap().replace("\"version\":1", "\"version\":2");
    fs::write(sealed(data.path()), &newer).unwrap();
    let store = open(data.path());
    assert!(matches!(set(&store, "a", "sk-new"), Err(SecretsError::Unavailable(words)) if words.contains("newer")));
    assert_eq!(fs::read_to_string(sealed(data.path())).unwrap(), newer);
}

#[test]
fn a_crash_before_the_new_file_is_in_place_leaves_the_old_one() {
    let data = tempfile::tempdir().unwrap();
    set(&open(data.path()), "a", "sk-old").unwrap();
    let old = fs::read(sealed(data.path())).unwrap();
    set(&open(data.path()), "a", "sk-new").unwrap();
    let new = fs::read(sealed(data.path())).unwrap();
    // What such a crash leaves: the new content under its first name, whole or in part.
    for left in [&new[..], &new[..new.len() / 2], b""] {
        fs::write(sealed(data.path()), &old).unwrap();
        fs::write(data.path().join("keys/sealed.new"), left).unwrap();
        let store = open(data.path());
        assert_eq!((key(&store, "a").as_deref(), state(&store)), (Some("sk-old"), FINE));
        set(&store, "a", "sk-newest").unwrap();
        assert_eq!(key(&open(data.path()), "a").as_deref(), Some("sk-newest"));
    }
    assert_eq!(names(&data.path().join("keys")), ["key", "place.json", "sealed.json"]);
}

#[test]
fn what_could_not_be_written_changes_nothing() {
    let data = tempfile::tempdir().unwrap();
    let store = open(data.path());
    set(&store, "a", "sk-old").unwrap();
    let old = fs::read(sealed(data.path())).unwrap();
    // In the way of the new file.
    fs::create_dir_all(data.path().join("keys/sealed.new/x")).unwrap();
    for result in [
        set(&store, "a", "sk-new"),
        set(&store, "b", "sk-new"),
        store.remove(&"a".into()),
        store.protect(Some(&Secret::new("correct horse"))),
    ] {
        assert!(
            matches!(result, Err(SecretsError::Unavailable(words)) if words.contains("sealed.json can't be written"))
        );
    }
    assert_eq!([key(&store, "a"), key(&store, "b")], [Some("sk-old".into()), None]);
    assert_eq!((state(&store), fs::read(sealed(data.path())).unwrap()), (FINE, old));
    assert_eq!(key(&open(data.path()), "a").as_deref(), Some("sk-old"));
}

#[cfg(unix)]
#[test]
fn only_the_owner_can_read_them_and_wider_rights_are_taken_back() {
    use std::os::unix::fs::PermissionsExt as _;
    let data = tempfile::tempdir().unwrap();
    let folder = data.path().join("keys");
    let paths = [folder.clone(), folder.join("key"), folder.join("place.json"), folder.join("sealed.json")];
    let modes = || paths.clone().map(|path| fs::metadata(path).unwrap().permissions().mode() & 0o777);
    set(&open(data.path()), "a", CANARY).unwrap();
    assert_eq!(modes(), [0o700, 0o600, 0o600, 0o600]);
    for wider in [0o777, 0o755, 0o740, 0o704] {
        for path in &paths {
            fs::set_permissions(path, fs::Permissions::from_mode(wider)).unwrap();
        }
        assert_eq!(key(&open(data.path()), "a").as_deref(), Some(CANARY));
        assert_eq!(modes().map(|mode| mode & 0o077), [0; 4], "{wider:o}");
    }
}

#[test]
fn the_choice_is_kept_and_another_one_loses_nothing() {
    let data = tempfile::tempdir().unwrap();
    set(&open(data.path()), "a", CANARY).unwrap();
    // Nobody chooses: it is where it was.
    let store = KeyStore::open(data.path(), Redactor::new(), KeyStoreOptions::default());
    assert_eq!((state(&store), key(&store, "a").as_deref()), (FINE, Some(CANARY)));
    // Memory, for once.
    let store = KeyStore::open(data.path(), Redactor::new(), options(KeyStoreChoice::Memory));
    assert_eq!((state(&store), key(&store, "a")), ((KeyStoreKind::Memory, false, false), None));
    set(&store, "b", "sk-for-now").unwrap();
    assert_eq!(key(&store, "b").as_deref(), Some("sk-for-now"));
    assert!(store.protect(Some(&Secret::new("correct horse"))).is_err());
    let store = KeyStore::open(data.path(), Redactor::new(), KeyStoreOptions::default());
    assert_eq!([key(&store, "a"), key(&store, "b")], [Some(CANARY.into()), None]);
    // Without the note about it, the file is found all the same.
    fs::remove_file(data.path().join("keys/place.json")).unwrap();
    let store = KeyStore::open(data.path(), Redactor::new(), KeyStoreOptions::default());
    assert_eq!((state(&store), key(&store, "a").as_deref()), (FINE, Some(CANARY)));
}

#[test]
fn who_only_reads_begins_nothing() {
    let data = tempfile::tempdir().unwrap();
    let reads = KeyStoreOptions { only_reads: true, ..Default::default() };
    let store = KeyStore::open(data.path(), Redactor::new(), reads);
    assert_eq!((state(&store), key(&store, "a")), ((KeyStoreKind::Memory, false, false), None));
    assert_eq!(names(data.path()), [""; 0]);
    set(&open(data.path()), "a", CANARY).unwrap();
    assert_eq!(key(&KeyStore::open(data.path(), Redactor::new(), reads), "a").as_deref(), Some(CANARY));
}

/// The only worker waits for the key file, which another task of the same runtime then writes: a pipe.
#[cfg(unix)]
#[test]
fn waiting_for_a_store_does_not_hold_up_an_async_runtime() {
    let data = tempfile::tempdir().unwrap();
    set(&open(data.path()), "a", CANARY).unwrap();
    let path = key_file(data.path());
    let content = fs::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    let store = std::sync::Arc::new(open(data.path()));
    assert_eq!(state(&store), BROKEN);
    assert!(std::process::Command::new("mkfifo").args(["-m", "600"]).arg(&path).status().unwrap().success());

    let (done, is_done) = std::sync::mpsc::channel();
    std::thread::spawn({
        let store = store.clone();
        move || {
            let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap();
            let unlocked = runtime.block_on(async {
                let task = tokio::spawn(async move {
                    tokio::spawn(async move { fs::write(path, content).unwrap() });
                    store.unlock(&Secret::new(""))
                });
                task.await.unwrap()
            });
            done.send(unlocked).unwrap();
        }
    });
    is_done.recv_timeout(std::time::Duration::from_secs(60)).expect("the other task was held up").unwrap();
    assert_eq!((key(&store, "a").as_deref(), state(&store)), (Some(CANARY), FINE));
}

#[test]
fn a_runtime_of_one_thread_waits_for_a_store() {
    let data = tempfile::tempdir().unwrap();
    let store = open(data.path());
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async { set(&store, "a", CANARY).unwrap() });
    assert_eq!(key(&store, "a").as_deref(), Some(CANARY));
}
