// SPDX-License-Identifier: Apache-2.0
//! The host's shell, with real commands.
#![cfg(unix)]

use bailey_host::HostShell;
use bailey_ports::{Shell, ShellError, ShellOutput};
use std::path::Path;
use std::time::Duration;

const LONG: Duration = Duration::from_secs(30);

async fn run(folder: &Path, command: &str) -> Result<ShellOutput, ShellError> {
    HostShell::new(folder).run(command, LONG).await
}

#[tokio::test]
async fn a_command_runs_in_its_folder_and_tells_how_it_ended() {
    let data = tempfile::tempdir().unwrap();
    let folder = data.path().join("shell");
    let output = run(&folder, "pwd; echo oops >&2; cat; exit 3").await.unwrap();
    let folder = folder.canonicalize().unwrap();
    assert_eq!(output.stdout.trim_end(), folder.to_str().unwrap());
    assert_eq!((output.code, output.stderr.as_str(), output.cut), (Some(3), "oops\n", false));
    let killed = run(&folder, "kill -9 $$").await.unwrap();
    assert_eq!((killed.code, killed.stdout.as_str()), (None, ""));
    let odd = run(&folder, "printf 'a\\377b'").await.unwrap();
    assert_eq!(odd.stdout, "a\u{fffd}b");
    assert_eq!(run(&folder, "no-such-program-here").await.unwrap().code, Some(127));
    assert!(matches!(run(&folder, "echo \0").await, Err(ShellError::Start(_))));
    assert!(matches!(run(Path::new("/dev/null/x"), "true").await, Err(ShellError::Start(_))));
}

#[tokio::test]
async fn the_environment_holds_only_what_is_needed() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(folder.path(), "env").await.unwrap();
    let mut names: Vec<_> = output.stdout.lines().map(|line| line.split('=').next().unwrap()).collect();
    names.sort_unstable();
    // The last two are the shell's own.
    let allowed = ["HOME", "LANG", "PATH", "TERM", "TMPDIR", "USER", "PWD", "SHLVL", "OLDPWD", "_"];
    assert!(names.iter().all(|name| allowed.contains(name)), "{names:?}");
    assert!(["LANG", "PATH", "TERM"].iter().all(|name| names.contains(name)), "{names:?}");
    assert!(output.stdout.contains("TERM=dumb"));
    // Cargo sets many variables for a test: none of them comes through.
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some() && !output.stdout.contains("CARGO"));
}

#[tokio::test]
async fn long_output_is_cut_in_the_middle_as_it_comes() {
    let folder = tempfile::tempdir().unwrap();
    let command = "i=0; while [ $i -lt 40000 ]; do echo line-$i; i=$((i+1)); done; echo the end";
    let output = run(folder.path(), command).await.unwrap();
    assert!(output.cut && output.stdout.len() < 100_000, "{}", output.stdout.len());
    assert!(output.stdout.starts_with("line-0\nline-1\n") && output.stdout.ends_with("line-39999\nthe end\n"));
    assert!(output.stdout.contains("bytes left out"));
    // A flood that never ends is read until the time is up, and no further.
    let flood = HostShell::new(folder.path()).run("yes", Duration::from_millis(300)).await;
    assert!(matches!(flood, Err(ShellError::TimedOut(_))));
}

#[cfg(target_os = "linux")]
mod linux {
    use super::*;
    use std::fs;

    /// Whether a process is there and not a zombie.
    fn lives(pid: &str) -> bool {
        let Ok(stat) = fs::read_to_string(format!("/proc/{pid}/stat")) else { return false };
        let state = stat.rsplit(") ").next().and_then(|rest| rest.chars().next());
        !matches!(state, Some('Z' | 'X') | None)
    }

    async fn until(what: impl Fn() -> bool) -> bool {
        for _ in 0..500 {
            if what() {
                return true;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        false
    }

    /// A command whose grandchild waits at a pipe and would leave a file behind once that is opened.
    const GRANDCHILD: &str =
        "mkfifo gate; (sh -c 'echo $$ > pid.new; mv pid.new pid; read line < gate; touch late' &) ; sleep 100";

    async fn grandchild(folder: &Path) -> String {
        assert!(until(|| folder.join("pid").exists()).await, "the grandchild did not start");
        fs::read_to_string(folder.join("pid")).unwrap().trim().to_owned()
    }

    async fn check_dead(folder: &Path, pid: &str) {
        assert!(until(|| !lives(pid)).await, "the grandchild lives");
        // Nobody is at the gate any more: opening it for writing without waiting fails, and no file appears.
        let opened = std::process::Command::new("sh")
            .args(["-c", "timeout 1 sh -c 'echo go > gate'; true"])
            .current_dir(folder)
            .status()
            .unwrap();
        assert!(opened.success() && !folder.join("late").exists());
    }

    #[tokio::test]
    async fn running_out_of_time_kills_grandchildren_too() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_owned();
        let shell = HostShell::new(&path);
        let run = tokio::spawn(async move { shell.run(GRANDCHILD, Duration::from_millis(1500)).await });
        let pid = grandchild(&path).await;
        let error = run.await.unwrap().unwrap_err();
        assert!(matches!(error, ShellError::TimedOut(limit) if limit == Duration::from_millis(1500)), "{error}");
        check_dead(&path, &pid).await;
    }

    #[tokio::test]
    async fn dropping_the_future_kills_grandchildren_too() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_owned();
        let shell = HostShell::new(&path);
        let run = tokio::spawn(async move { shell.run(GRANDCHILD, LONG).await });
        let pid = grandchild(&path).await;
        assert!(lives(&pid));
        run.abort();
        assert!(run.await.unwrap_err().is_cancelled());
        check_dead(&path, &pid).await;
    }

    #[tokio::test]
    async fn what_a_command_leaves_in_the_background_ends_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let output = run(folder.path(), "sleep 1000 & echo $!; echo done").await.unwrap();
        let (pid, rest) = output.stdout.split_once('\n').unwrap();
        assert_eq!((rest, output.code), ("done\n", Some(0)));
        assert!(until(|| !lives(pid)).await, "it lives");
    }

    #[tokio::test]
    async fn one_that_leaves_the_group_does_not_hold_up_the_answer() {
        let folder = tempfile::tempdir().unwrap();
        let output = run(folder.path(), "setsid sleep 20 & echo $!").await.unwrap();
        let pid = output.stdout.trim().to_owned();
        assert_eq!(output.code, Some(0));
        let _ = std::process::Command::new("kill").args(["-9", &pid]).status();
    }

    #[tokio::test]
    async fn a_command_has_no_terminal_and_leads_its_own_session() {
        let folder = tempfile::tempdir().unwrap();
        let output = run(folder.path(), "cut -d' ' -f1,5,6,7 /proc/$$/stat; echo x > /dev/tty").await.unwrap();
        let fields: Vec<_> = output.stdout.split_whitespace().collect();
        assert!(fields[0] == fields[1] && fields[1] == fields[2], "pid, group and session differ: {fields:?}");
        assert_eq!(fields[3], "0", "it has a terminal");
        assert!(output.stderr.contains("/dev/tty"), "{}", output.stderr);
    }

    #[tokio::test]
    async fn a_command_inherits_no_descriptor() {
        use std::os::fd::AsFd;
        let folder = tempfile::tempdir().unwrap();
        let file = fs::File::create(folder.path().join("secret")).unwrap();
        // As a C library, or whoever started this process, would have left it open.
        rustix::io::fcntl_setfd(file.as_fd(), rustix::io::FdFlags::empty()).unwrap();
        let output = run(folder.path(), "ls /proc/$$/fd").await.unwrap();
        assert_eq!(output.stdout, "0\n1\n2\n");
        let inherited = std::process::Command::new("sh").args(["-c", "ls -l /proc/$$/fd"]).output().unwrap();
        assert!(String::from_utf8_lossy(&inherited.stdout).contains("secret"), "the test leaves nothing open");
        drop(file);
    }
}
