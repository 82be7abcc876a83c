// SPDX-License-Identifier: Apache-2.0
//! A process that was given a key shows it nowhere. The program starts itself in roles, with an environment and an
//! output of its own; without a role it is the test.

use bailey_host::{HostShell, harden_process, init_logging, install_panic_hook, scrub_environment};
use bailey_ports::{Redactor, Secret, Shell};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const ROLE: &str = "BAILEY_TEST_ROLE";
const KEY: &str = "BAILEY_TEST_KEY";
const CANARY: &str = "sk-canary-7d1e90";

fn main() {
    match std::env::var(ROLE).as_deref() {
        Ok("scrub") => scrub(),
        Ok("crash") => crash(),
        Ok("harden") => harden(),
        Ok(role) => panic!("no role {role}"),
        Err(_) => {
            a_scrubbed_key_is_in_no_environment();
            a_missing_or_odd_key_is_none();
            logs_and_panics_are_clean();
            #[cfg(target_os = "linux")]
            a_hardened_process_dumps_nothing();
        }
    }
}

fn myself(role: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.env_clear().env(ROLE, role).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    if let Some(path) = std::env::var_os("PATH") {
        command.env("PATH", path);
    }
    command
}

fn say(line: &str) {
    let mut out = std::io::stdout();
    writeln!(out, "{line}").and_then(|()| out.flush()).unwrap();
}

/// Role: takes the key, tells its length, what programs it starts can see, and waits.
fn scrub() {
    let key = scrub_environment(KEY);
    say(&format!("key of {}", key.as_ref().map_or(0, |k| k.expose().len())));
    say(if std::env::var_os(KEY).is_some() { "still there" } else { "gone" });
    let folder = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let command = if cfg!(target_os = "linux") {
        "env; tr '\\0' '\\n' < /proc/$PPID/environ; echo end"
    } else if cfg!(windows) {
        "set & echo end"
    } else {
        "env; echo end"
    };
    let output = runtime.block_on(HostShell::new(folder.path()).run(command, Duration::from_secs(20))).unwrap();
    say(&output.stdout);
    say("ready");
    let _ = std::io::stdin().read_line(&mut String::new());
}

fn lines_until_ready(child: &mut Child) -> Vec<String> {
    let reader = BufReader::new(child.stdout.take().unwrap());
    reader.lines().map(Result::unwrap).take_while(|line| line != "ready").collect()
}

fn a_scrubbed_key_is_in_no_environment() {
    let mut child = myself("scrub").env(KEY, CANARY).env("BAILEY_TEST_OTHER", "visible").spawn().unwrap();
    let told = lines_until_ready(&mut child);
    assert_eq!(told[..2], [format!("key of {}", CANARY.len()), "gone".to_owned()]);
    assert!(told.iter().any(|line| line == "end"), "the command ran: {told:?}");
    assert!(!told.concat().contains("canary"), "{told:?}");
    #[cfg(target_os = "linux")]
    {
        // What the process was started with, from outside: the rest of it is still there.
        let block = std::fs::read(format!("/proc/{}/environ", child.id())).unwrap();
        let block = String::from_utf8_lossy(&block);
        assert!(block.contains("BAILEY_TEST_OTHER=visible") && block.contains(KEY), "{block:?}");
        assert!(!block.contains("canary"), "{block:?}");
        // And the shell's parent showed as much.
        assert!(told.iter().any(|line| line == "BAILEY_TEST_OTHER=visible"), "{told:?}");
    }
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
}

fn a_missing_or_odd_key_is_none() {
    for value in [None, Some(""), Some("  ")] {
        let mut command = myself("scrub");
        command.envs(value.map(|value| (KEY, value)));
        let mut child = command.spawn().unwrap();
        let told = lines_until_ready(&mut child);
        assert_eq!(told[..2], ["key of 0", "gone"], "{value:?}");
        drop(child.stdin.take());
        assert!(child.wait().unwrap().success());
    }
}

/// Role: logs and panics with a key in the text.
fn crash() {
    let redactor = Redactor::new();
    redactor.learn(&Secret::new(CANARY));
    install_panic_hook(redactor.clone());
    init_logging(redactor.clone());
    init_logging(redactor);
    tracing::info!("an info of {CANARY}");
    tracing::debug!("a debug");
    let thread = std::thread::Builder::new().name("worker".into()).spawn(|| panic!("lost {CANARY}\nin two lines"));
    assert!(thread.unwrap().join().is_err());
    std::panic::panic_any(format!("bearer {CANARY}"));
}

fn logs_and_panics_are_clean() {
    for (level, has_info, has_debug) in [
        (None, false, false),
        (Some("info"), true, false),
        (Some("warn,process=debug"), true, true),
        (Some("=!="), false, false),
    ] {
        let mut command = myself("crash");
        command.env("RUST_BACKTRACE", "1").envs(level.map(|level| ("BAILEY_LOG", level)));
        let output = command.output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && output.stdout.is_empty());
        assert!(!text.contains("canary"), "{text}");
        assert_eq!(text.contains("an info of [secret removed]"), has_info, "{level:?}: {text}");
        assert_eq!(text.contains("a debug"), has_debug, "{level:?}: {text}");
        assert_eq!(text.contains("BAILEY_LOG can't be read"), level == Some("=!="), "{level:?}: {text}");
        assert!(text.contains("thread 'worker' panicked at "), "{text}");
        assert!(text.contains("lost [secret removed]\nin two lines\n"), "{text}");
        assert!(
            text.contains("bearer [secret removed]\n") && text.contains("stack backtrace") | text.contains("0:"),
            "{text}"
        );
    }
}

/// Role: hardens itself and waits.
fn harden() {
    #[cfg(target_os = "linux")]
    say(&format!("{:?}", rustix::process::dumpable_behavior().unwrap()));
    harden_process();
    #[cfg(target_os = "linux")]
    say(&format!("{:?}", rustix::process::dumpable_behavior().unwrap()));
    say("ready");
    let _ = std::io::stdin().read_line(&mut String::new());
}

#[cfg(target_os = "linux")]
fn a_hardened_process_dumps_nothing() {
    use std::os::unix::fs::MetadataExt;
    let mut child = myself("harden").spawn().unwrap();
    assert_eq!(lines_until_ready(&mut child), ["Dumpable", "NotDumpable"]);
    // The kernel gives the files of such a process to root, so that its own user can't open them.
    let environ = std::fs::metadata(format!("/proc/{}/environ", child.id())).unwrap();
    assert_eq!((environ.uid(), environ.mode() & 0o777), (0, 0o400));
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
}
