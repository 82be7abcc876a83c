// SPDX-License-Identifier: Apache-2.0
//! Holds the rating against real shells: whatever they make of a text, if they run an unknown program the text is
//! `High`, and if they write a file it is not `Low`. The texts are made of pieces that shells are known to read in odd ways.
//!
//! `BAILEY_SHELL_CASES` is how many texts are tried; 300 by default.
#![cfg(unix)]

use bailey_protocol::Danger;
use bailey_risk::{Dialect, rate};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestRunner;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// `canary` is the unknown program.
const PIECES: &[&str] = &[
    "canary",
    " canary ",
    ";canary;",
    "\ncanary\n",
    "echo ",
    "echo a",
    ":",
    "eval ",
    "command ",
    "exec ",
    "trap ",
    " EXIT",
    "test ",
    "x=",
    "x=a ",
    "printf ",
    "set ",
    "export ",
    "read x",
    "'",
    "\"",
    "`",
    "$(",
    ")",
    "(",
    "{ ",
    "; }",
    "}",
    "{",
    "${x:-",
    "${x",
    "${#x",
    "${x#",
    "${x/",
    "$((",
    "))",
    "((",
    "[[ ",
    " ]]",
    "[ ",
    " ]",
    "$'",
    "$\"",
    "\\",
    "\\\n",
    "\\'",
    "\\\"",
    "\\`",
    "$",
    "#",
    " #",
    "# ",
    "\n",
    " ",
    "\t",
    ";",
    ";;",
    "&",
    "&&",
    "|",
    "||",
    "|&",
    "&>",
    ">",
    ">>",
    "<",
    "<>",
    ">&",
    ">|",
    "<<E\n",
    "<<'E'\n",
    "<<-E\n",
    "\nE\n",
    "<<<",
    "<(",
    ">(",
    "w",
    " > w",
    "/dev/null",
    "!",
    "! ",
    "time ",
    "if ",
    "then ",
    "else ",
    " fi",
    "; then ",
    "while ",
    "until ",
    " do ",
    " done",
    "; do ",
    "for x in ",
    "case ",
    " in ",
    " esac",
    "a) ",
    "*",
    "?",
    "[a]",
    "~",
    "{a,b}",
    "a",
    "b",
    "=",
    "+=",
    "x[",
    "]",
    "f() ",
    "f()",
    "function f ",
    "coproc ",
    "$x",
    "$@",
    "\"$x\"",
    "$?",
    "@",
    "%",
    "^",
    "-",
    "--",
    "-c ",
    "sh -c ",
    "local ",
    "unset ",
    "select x in ",
    "1",
    "2>&1",
    "2",
    "0",
    ",",
    ":-",
    "é",
    "\u{3000}",
];

/// Those that open, close and hide: what follows `echo` is all text, unless one of them ends it.
const QUOTING: &[&str] = &[
    "canary",
    " canary",
    ";canary;",
    "\ncanary\n",
    "'",
    "\"",
    "`",
    "$(",
    ")",
    "${x:-",
    "${x#",
    "}",
    "$((",
    "))",
    "$'",
    "$\"",
    "\\",
    "\\\n",
    "\\'",
    "\\\"",
    "\\`",
    "\\$",
    "#",
    " #",
    "\n",
    " ",
    "echo ",
    "<<E\n",
    "<<'E'\n",
    "<<-E\n\t",
    "\nE\n",
    "\n\tE\n",
    "<(",
    "&>/dev/null",
    "|&echo ",
    ">&2",
    "case a in a) ",
    ";; esac",
    "{a,b}",
    "$x",
    "1",
];

/// What a shell did with a text in an empty folder.
fn ran(shell: &str, text: &str, folder: &Path) -> (bool, Vec<String>) {
    let (work, mark) = (folder.join("work"), folder.join("mark"));
    let _ = fs::remove_dir_all(&work);
    let _ = fs::remove_file(&mark);
    fs::create_dir(&work).unwrap();
    // No program is found but the canary: nothing else can happen.
    let status = Command::new("/bin/sh")
        .args(["-c", r#"ulimit -t 2; exec "$0" -c "$1""#, shell, text])
        .env_clear()
        .env("PATH", folder.join("bin"))
        .env("MARK", &mark)
        .current_dir(&work)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    assert!(status.is_ok(), "/bin/sh can be started");
    let written = fs::read_dir(&work).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    (mark.exists(), written.collect())
}

#[test]
fn what_real_shells_run_and_write_is_never_low() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("bin/canary");
    fs::create_dir(program.parent().unwrap()).unwrap();
    fs::write(&program, "#!/bin/sh\n: > \"$MARK\"\n").unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let shells: Vec<&str> = ["/bin/sh", "/bin/bash"].into_iter().filter(|shell| Path::new(shell).exists()).collect();
    assert!(ran(shells[0], "canary; echo > w", folder.path()) == (true, vec!["w".to_owned()]), "the canary sings");

    let cases = std::env::var("BAILEY_SHELL_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(300);
    let mut runner = TestRunner::new(ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() });
    let text = prop_oneof![
        vec(select(PIECES), 2..14).prop_map(|pieces| pieces.concat()),
        vec(select(QUOTING), 2..14).prop_map(|pieces| format!("echo {}", pieces.concat())),
    ];
    let outcome = runner.run(&text, |text| {
        let risk = rate(&text, Dialect::Posix);
        // Nothing it could do is more than what it is rated.
        if risk.level == Danger::High {
            return Ok(());
        }
        for shell in &shells {
            let (sang, written) = ran(shell, &text, folder.path());
            if sang || (risk.level == Danger::Low && !written.is_empty()) {
                return Err(TestCaseError::fail(format!(
                    "{shell} ran {text:?} ({sang}, {written:?}), rated {:?}",
                    risk.level
                )));
            }
        }
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}
