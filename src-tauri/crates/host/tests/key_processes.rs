// SPDX-License-Identifier: Apache-2.0
//! Keys outlive the process that kept them: killed while it writes, and in a real Secret Service. The program starts itself in
//! roles, with an environment of its own; without a role it is the test.

use bailey_host::{KeyStore, KeyStoreChoice, KeyStoreOptions, Patience};
use bailey_ports::{Redactor, Secret, Secrets};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

const ROLE: &str = "BAILEY_TEST_ROLE";
const FOLDER: &str = "BAILEY_TEST_FOLDER";
/// How long the system's key store may take at opening, in milliseconds.
const PATIENCE: &str = "BAILEY_TEST_PATIENCE";
/// The same for when a key is kept or removed.
const ASKING: &str = "BAILEY_TEST_ASKING";
#[cfg(target_os = "linux")]
const CANARY: &str = "sk-canary-5b1f0c";

fn main() {
    match std::env::var(ROLE).as_deref() {
        Ok("churn") => churn(),
        #[cfg(target_os = "linux")]
        Ok("session") => secret_service::in_session(),
        Ok(role) => act(role),
        Err(_) => {
            a_process_killed_while_it_writes_leaves_the_old_keys_or_the_new_ones();
            #[cfg(target_os = "linux")]
            secret_service::test();
            #[cfg(not(target_os = "linux"))]
            say("NOT TESTED HERE: the Secret Service is Linux's; this system's own key store is left alone by tests.");
        }
    }
}

fn say(line: &str) {
    let mut out = std::io::stdout();
    writeln!(out, "{line}").and_then(|()| out.flush()).unwrap();
}

fn myself(role: &str, folder: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.env(ROLE, role).env(FOLDER, folder).stdin(Stdio::null());
    command
}

fn open(choice: Option<KeyStoreChoice>) -> KeyStore {
    let folder = std::env::var_os(FOLDER).unwrap();
    let limit = |name, usual| Duration::from_millis(std::env::var(name).map_or(usual, |ms| ms.parse().unwrap()));
    let patience = Patience { opening: limit(PATIENCE, 20_000), asking: limit(ASKING, 60_000), ..Patience::default() };
    KeyStore::open(Path::new(&folder), Redactor::new(), KeyStoreOptions { choice, patience, ..Default::default() })
}

/// Hears of what changes in the background.
fn listen(store: &KeyStore) -> Receiver<()> {
    let (tell, told) = channel();
    store.on_change(Box::new(move || tell.send(()).unwrap()));
    told
}

/// Role: one thing, by words such as `set a sk-1`, and what came of it.
fn act(words: &str) {
    let store = open(None);
    let words: Vec<&str> = words.split(' ').collect();
    let done = match words[..] {
        ["set", id, key] => store.set(&id.into(), Secret::new(key)),
        ["remove", id] => store.remove(&id.into()),
        ["unlock"] => store.unlock(&Secret::new("")),
        ["get", id] => {
            let key = store.get(&id.into());
            say(&format!("key {}", key.as_ref().map_or("none", |key| key.expose())));
            Ok(())
        }
        ["await", id] => {
            let told = listen(&store);
            assert!(store.state().locked && store.get(&id.into()).is_none(), "it comes later");
            told.recv_timeout(Duration::from_secs(60)).expect("whoever listens is told");
            say(&format!("key {}", store.get(&id.into()).unwrap().expose()));
            Ok(())
        }
        // Nobody waits for the key any more; perhaps it is removed; then the store answers.
        ["give-up", id, key, ref then @ ..] => {
            let told = listen(&store);
            let given_up = store.set(&id.into(), Secret::new(key)).unwrap_err();
            assert!(given_up.to_string().contains("has not answered"), "{given_up}");
            if then == ["remove"] {
                store.remove(&id.into()).unwrap();
            }
            told.recv_timeout(Duration::from_secs(60)).expect("whoever listens is told");
            say(&format!("key {}", store.get(&id.into()).as_ref().map_or("none", |key| key.expose())));
            Ok(())
        }
        _ => panic!("no role {words:?}"),
    };
    say(&match done {
        Ok(()) => "done".to_owned(),
        Err(error) => format!("{error:?}"),
    });
    let state = store.state();
    say(&format!("{:?} {} {}", state.kind, state.locked, state.problem.unwrap_or_default()));
}

/// Role: keeps one key after the other, each greater than the one before.
fn churn() {
    let store = open(Some(KeyStoreChoice::File));
    let known = store.get(&"a".into());
    let last = known.map_or(0, |key| key.expose().rsplit('-').next().unwrap().parse::<u64>().unwrap());
    for n in last + 1.. {
        store.set(&"a".into(), Secret::new(&format!("sk-churn-{n}"))).unwrap();
        say(&n.to_string());
    }
}

fn a_process_killed_while_it_writes_leaves_the_old_keys_or_the_new_ones() {
    let folder = tempfile::tempdir().unwrap();
    let mut said: u64 = 0;
    for round in 0..25_u64 {
        let mut child = myself("churn", folder.path()).stdout(Stdio::piped()).spawn().unwrap();
        std::thread::sleep(Duration::from_micros(15_000 + round * 1_700));
        child.kill().unwrap();
        let output = child.wait_with_output().unwrap();
        let last = String::from_utf8(output.stdout).unwrap().lines().last().map(|line| line.parse::<u64>().unwrap());
        said = last.unwrap_or(said);

        let options = KeyStoreOptions { choice: Some(KeyStoreChoice::File), ..Default::default() };
        let store = KeyStore::open(folder.path(), Redactor::new(), options);
        assert!(!store.state().locked, "{:?}", store.state());
        let kept = store.get(&"a".into()).map_or(0, |key| {
            key.expose().strip_prefix("sk-churn-").and_then(|n| n.parse().ok()).expect("a key that was set")
        });
        assert!((said..=said + 1).contains(&kept), "{kept} is there after {said}");
        // The next one goes on from here, said or not.
        said = kept;
    }
    assert!(said > 25, "keys were written: {said}");
}

#[cfg(target_os = "linux")]
mod secret_service {
    use super::*;
    use keyring_core::api::CredentialStoreApi as _;
    use std::collections::HashMap;
    use std::io::Read as _;
    use std::net::Shutdown;
    use std::os::unix::net::{UnixListener, UnixStream};
    use std::path::PathBuf;
    use std::process::Child;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use zbus_secret_service_keyring_store::Store;

    const PROGRAMS: [&str; 3] = ["dbus-run-session", "dbus-send", "gnome-keyring-daemon"];
    const BUS: &str = "DBUS_SESSION_BUS_ADDRESS";
    const NO_BUS: &str = "unix:path=/nowhere/bus";

    /// Runs [`in_session`] on a session bus of its own, in a home of its own, without a screen.
    pub(super) fn test() {
        let path = std::env::var_os("PATH").unwrap_or_default();
        for program in PROGRAMS {
            assert!(
                std::env::split_paths(&path).any(|folder| folder.join(program).is_file()),
                "{program} is missing. Keys are tested against a real Secret Service: install the packages gnome-keyring and dbus (Debian: apt-get install gnome-keyring dbus)."
            );
        }
        let home = tempfile::tempdir().unwrap();
        let mut session = Command::new("dbus-run-session");
        session.arg("--").arg(std::env::current_exe().unwrap());
        session.env_clear().env("PATH", path).env("HOME", home.path()).env("XDG_RUNTIME_DIR", home.path());
        session.env("XDG_DATA_HOME", home.path().join("data"));
        session.env(ROLE, "session").env(FOLDER, home.path());
        let output = session.output().unwrap();
        // The daemons talk much; it matters when something failed.
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "the Secret Service's tests failed:\n{said}");
    }

    pub(super) fn in_session() {
        let home = PathBuf::from(std::env::var_os(FOLDER).unwrap());
        let mut keyring = Keyring::start();
        trying_it_out_leaves_nothing_behind(&home.join("tried"));
        a_key_survives_is_changed_and_is_removed(&home.join("life"));
        two_data_folders_have_keys_of_their_own(&home.join("one"), &home.join("two"));
        out_of_reach_after_use_nothing_is_lost_and_no_file_is_begun(&home.join("away"));
        what_was_chosen_first_stays(&home.join("file"));
        one_that_does_not_answer_decides_nothing(&home);
        late_answers_count(&home);
        given_up_before_it_began_a_key_is_not_kept(&home);
        given_up_while_it_is_kept_a_key_is_taken_back(&home);
        // The last: they lock everything.
        keyring = locked_after_use_nothing_is_lost(&home.join("locked"), keyring);
        keyring = locked_at_the_first_start_nothing_is_decided(&home.join("shut"), keyring);
        drop(keyring);
        without_any_collection_the_file_is_used(&home);
    }

    /// The daemon with its collection unlocked; ends with the value.
    struct Keyring(Child);

    impl Keyring {
        fn start() -> Self {
            let mut daemon = Command::new("gnome-keyring-daemon");
            daemon.args(["--foreground", "--unlock", "--components=secrets"]);
            daemon.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
            let mut daemon = daemon.spawn().unwrap();
            // It reads the password until the input ends.
            daemon.stdin.take().unwrap().write_all(b"login password").unwrap();
            Self(daemon).up()
        }

        /// One whose data is elsewhere and that nobody logged in to.
        fn start_locked(data: &Path) -> Self {
            let mut daemon = Command::new("gnome-keyring-daemon");
            daemon.args(["--foreground", "--components=secrets"]).env("XDG_DATA_HOME", data);
            daemon.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            Self(daemon.spawn().unwrap()).up()
        }

        fn up(self) -> Self {
            let owned = || {
                let answer = bus(
                    "org.freedesktop.DBus",
                    "/",
                    "org.freedesktop.DBus.NameHasOwner",
                    &["string:org.freedesktop.secrets"],
                );
                answer.contains("boolean true")
            };
            for _ in 0..1000 {
                if owned() {
                    return self;
                }
                std::thread::sleep(Duration::from_millis(10));
            }
            panic!("gnome-keyring-daemon does not come up");
        }
    }

    impl Drop for Keyring {
        fn drop(&mut self) {
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }

    /// Calls a method on the session bus.
    fn bus(name: &str, path: &str, method: &str, arguments: &[&str]) -> String {
        let mut command = Command::new("dbus-send");
        command.args(["--session", "--print-reply", &format!("--dest={name}"), path, method]).args(arguments);
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    }

    /// Does one thing in a process of its own; what it said.
    fn run(folder: &Path, words: &str, environment: &[(&str, &str)]) -> Vec<String> {
        let mut command = myself(words, folder);
        let output = command.envs(environment.iter().copied()).stderr(Stdio::inherit()).output().unwrap();
        assert!(output.status.success(), "{words}");
        String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
    }

    /// The names of all entries that Bailey has in the service.
    fn entries() -> Vec<String> {
        let found = Store::new().unwrap().search(&HashMap::from([("service", "Bailey")])).unwrap();
        found.iter().map(|entry| entry.get_specifiers().unwrap().1).collect()
    }

    const FINE: &str = "System false ";

    fn trying_it_out_leaves_nothing_behind(folder: &Path) {
        assert_eq!(run(folder, "get a", &[]), ["key none", "done", FINE]);
        assert_eq!(entries(), [""; 0]);
        assert!(folder.join("keys/place.json").exists(), "the choice is kept");
    }

    fn a_key_survives_is_changed_and_is_removed(folder: &Path) {
        assert_eq!(run(folder, &format!("set a {CANARY}"), &[]), ["done", FINE]);
        assert_eq!(run(folder, "get a", &[]), [&format!("key {CANARY}"), "done", FINE]);
        let names = entries();
        assert!(names.len() == 1 && names[0].ends_with("/a"), "{names:?}");
        for file in std::fs::read_dir(folder.join("keys")).unwrap() {
            let content = std::fs::read_to_string(file.unwrap().path()).unwrap();
            assert!(!content.contains("canary"), "{content}");
        }
        assert_eq!(run(folder, "set a sk-other", &[]), ["done", FINE]);
        assert_eq!(run(folder, "set b sk-more", &[]), ["done", FINE]);
        assert_eq!(run(folder, "get a", &[])[0], "key sk-other");
        assert_eq!(run(folder, "get b", &[])[0], "key sk-more");
        assert_eq!(entries().len(), 2);
        for id in ["a", "a", "b"] {
            assert_eq!(run(folder, &format!("remove {id}"), &[]), ["done", FINE]);
            assert_eq!(run(folder, &format!("get {id}"), &[])[0], "key none");
        }
        assert_eq!(entries(), [""; 0]);
    }

    fn two_data_folders_have_keys_of_their_own(one: &Path, two: &Path) {
        run(one, "set a sk-of-one", &[]);
        run(two, "set a sk-of-two", &[]);
        assert_eq!(run(one, "get a", &[])[0], "key sk-of-one");
        assert_eq!(run(two, "get a", &[])[0], "key sk-of-two");
        run(one, "remove a", &[]);
        assert_eq!(run(one, "get a", &[])[0], "key none");
        assert_eq!(run(two, "get a", &[])[0], "key sk-of-two");
        run(two, "remove a", &[]);
    }

    fn out_of_reach_after_use_nothing_is_lost_and_no_file_is_begun(folder: &Path) {
        run(folder, "set a sk-kept", &[]);
        let away = &[(BUS, NO_BUS)];
        for words in ["get a", "set b sk-new", "remove a", "unlock"] {
            let said = run(folder, words, away);
            let (state, said) = said.split_last().unwrap();
            assert!(state.starts_with("System true The system's key store can't be reached now"), "{words}: {state}");
            match words {
                "get a" => assert_eq!(said, ["key none", "done"]),
                _ => assert!(said.len() == 1 && said[0].starts_with("Unavailable(\"The system's"), "{words}: {said:?}"),
            }
        }
        assert!(!folder.join("keys/sealed.json").exists());
        assert_eq!(run(folder, "get a", &[]), ["key sk-kept", "done", FINE]);
        assert_eq!(run(folder, "get b", &[])[0], "key none");
        run(folder, "remove a", &[]);
    }

    fn what_was_chosen_first_stays(folder: &Path) {
        let away = &[(BUS, NO_BUS)];
        assert_eq!(run(folder, "set a sk-in-the-file", away), ["done", "File false "]);
        assert_eq!(run(folder, "get a", &[]), ["key sk-in-the-file", "done", "File false "]);
        assert_eq!(entries(), [""; 0]);
    }

    /// A way to the session bus that waits before it lets anything through. The answer to the first call of a method takes five
    /// seconds; whether it was called.
    fn slow_bus(socket: &Path, wait: Duration, method: Option<&'static str>) -> (String, Arc<AtomicBool>) {
        let listener = UnixListener::bind(socket).unwrap();
        let real = std::env::var(BUS).unwrap();
        let real = real.strip_prefix("unix:").unwrap().split(',').find_map(|part| part.strip_prefix("path=")).unwrap();
        let real = real.to_owned();
        let called = Arc::new(AtomicBool::new(false));
        let is_called = called.clone();
        let serve = move |mut client: UnixStream, real: String, called: Arc<AtomicBool>| {
            std::thread::sleep(wait);
            let mut server = UnixStream::connect(real).unwrap();
            let (mut to_client, mut from_server) = (client.try_clone().unwrap(), server.try_clone().unwrap());
            let (pause, paused) = channel();
            std::thread::spawn(move || {
                let mut piece = [0; 65536];
                while let Ok(length @ 1..) = client.read(&mut piece) {
                    let holds = |method: &str| piece[..length].windows(method.len()).any(|w| w == method.as_bytes());
                    if method.is_some_and(holds) && !called.swap(true, Ordering::AcqRel) {
                        pause.send(()).unwrap();
                    }
                    server.write_all(&piece[..length]).unwrap();
                }
                let _ = server.shutdown(Shutdown::Both);
            });
            let mut piece = [0; 65536];
            while let Ok(length @ 1..) = from_server.read(&mut piece) {
                if paused.try_recv().is_ok() {
                    std::thread::sleep(Duration::from_secs(5));
                }
                if to_client.write_all(&piece[..length]).is_err() {
                    break;
                }
            }
        };
        std::thread::spawn(move || {
            for client in listener.incoming() {
                let (real, called) = (real.clone(), called.clone());
                std::thread::spawn(move || serve(client.unwrap(), real, called));
            }
        });
        (format!("unix:path={}", socket.display()), is_called)
    }

    fn one_that_does_not_answer_decides_nothing(home: &Path) {
        let (address, _) = slow_bus(&home.join("silent-bus"), Duration::from_secs(3600), None);
        let silent = &[(BUS, address.as_str()), (PATIENCE, "100")];
        let folder = &home.join("silent");
        for _ in 0..2 {
            let said = run(folder, "get a", silent);
            assert_eq!(said[..2], ["key none", "done"]);
            assert!(said[2].starts_with("System true The system's key store has not answered for 0.1 s."), "{said:?}");
            assert!(!folder.join("keys/place.json").exists());
        }
        assert_eq!(run(folder, "set a sk-later", &[]), ["done", FINE]);
        assert!(run(folder, "get a", silent)[2].starts_with("System true The system's key store has not answered"));
        assert_eq!(run(folder, "get a", &[]), ["key sk-later", "done", FINE]);
        run(folder, "remove a", &[]);
        assert_eq!(entries(), [""; 0]);
    }

    fn late_answers_count(home: &Path) {
        let folder = &home.join("late");
        run(folder, "set a sk-late", &[]);
        let (address, _) = slow_bus(&home.join("slow-bus"), Duration::from_millis(1500), None);
        let slow = &[(BUS, address.as_str()), (PATIENCE, "100")];
        assert_eq!(run(folder, "await a", slow), ["key sk-late", "done", FINE]);
        // Undecided, it can still be set up.
        let fresh = &home.join("late-and-fresh");
        assert_eq!(run(fresh, "set a sk-fresh", slow), ["done", FINE]);
        assert_eq!(run(fresh, "get a", &[])[0], "key sk-fresh");
        for folder in [folder, fresh] {
            run(folder, "remove a", &[]);
        }
        assert_eq!(entries(), [""; 0]);
    }

    /// What is written down about a data folder.
    fn place(folder: &Path) -> String {
        std::fs::read_to_string(folder.join("keys/place.json")).unwrap()
    }

    fn given_up_before_it_began_a_key_is_not_kept(home: &Path) {
        let folder = &home.join("given-up");
        run(folder, "get a", &[]);
        let before = place(folder);
        let wait = Duration::from_millis(1500);
        let (address, is_begun) = slow_bus(&home.join("hanging-bus"), wait, Some("CreateItem"));
        let slow = &[(BUS, address.as_str()), (ASKING, "100")];
        for words in ["give-up a sk-late", "give-up a sk-late remove"] {
            assert_eq!(run(folder, words, slow), ["key none", "done", FINE]);
            assert!(!is_begun.load(Ordering::Acquire), "{words}");
            assert_eq!((entries(), place(folder)), (vec![], before.clone()), "{words}");
            assert_eq!(run(folder, "get a", &[])[0], "key none");
        }
    }

    fn given_up_while_it_is_kept_a_key_is_taken_back(home: &Path) {
        let folder = &home.join("taken-back");
        run(folder, "get a", &[]);
        let before = place(folder);
        let (address, is_begun) = slow_bus(&home.join("first-bus"), Duration::ZERO, Some("CreateItem"));
        let slow = &[(BUS, address.as_str()), (ASKING, "2000")];
        assert_eq!(run(folder, "give-up a sk-late", slow), ["key none", "done", FINE]);
        assert!(is_begun.load(Ordering::Acquire));
        assert_eq!((entries(), place(folder)), (vec![], before));

        run(folder, "set a sk-before", &[]);
        let (address, _) = slow_bus(&home.join("second-bus"), Duration::ZERO, Some("SetSecret"));
        let slow = &[(BUS, address.as_str()), (ASKING, "2000")];
        assert_eq!(run(folder, "give-up a sk-late", slow), ["key sk-before", "done", FINE]);
        assert_eq!(run(folder, "get a", &[])[0], "key sk-before");
        run(folder, "remove a", &[]);
        assert_eq!(entries(), [""; 0]);
    }

    /// Locks what the daemon holds. Without a screen, whoever wants it unlocked is refused.
    fn lock() {
        let login = "array:objpath:/org/freedesktop/secrets/collection/login";
        bus("org.freedesktop.secrets", "/org/freedesktop/secrets", "org.freedesktop.Secret.Service.Lock", &[login]);
    }

    fn locked_at_the_first_start_nothing_is_decided(folder: &Path, keyring: Keyring) -> Keyring {
        lock();
        for words in ["get a", "set a sk-new", "unlock"] {
            let said = run(folder, words, &[]);
            let state = said.last().unwrap();
            assert!(state.starts_with("System true The system's key store is locked"), "{words}: {said:?}");
            assert!(!folder.join("keys/place.json").exists(), "{words}");
        }
        drop(keyring);
        let keyring = Keyring::start();
        assert_eq!(run(folder, "set a sk-new", &[]), ["done", FINE]);
        assert_eq!(run(folder, "get a", &[])[0], "key sk-new");
        run(folder, "remove a", &[]);
        keyring
    }

    fn without_any_collection_the_file_is_used(home: &Path) {
        let _keyring = Keyring::start_locked(&home.join("empty"));
        let folder = &home.join("no-collection");
        assert_eq!(run(folder, "set a sk-in-the-file", &[]), ["done", "File false "]);
        assert_eq!(run(folder, "get a", &[]), ["key sk-in-the-file", "done", "File false "]);
    }

    fn locked_after_use_nothing_is_lost(folder: &Path, keyring: Keyring) -> Keyring {
        run(folder, "set a sk-kept", &[]);
        lock();
        for words in ["get a", "set b sk-new", "unlock"] {
            let said = run(folder, words, &[]);
            let state = said.last().unwrap();
            assert!(state.starts_with("System true The system's key store is locked"), "{words}: {said:?}");
        }
        assert!(!folder.join("keys/sealed.json").exists());
        drop(keyring);
        let keyring = Keyring::start();
        assert_eq!(run(folder, "get a", &[]), ["key sk-kept", "done", FINE]);
        keyring
    }
}
