// SPDX-License-Identifier: Apache-2.0
mod capture;

use async_trait::async_trait;
use bailey_ports::{Shell, ShellError, ShellOutput};
use capture::Capture;
use process_wrap::tokio::{ChildWrapper, CommandWrap, KillOnDrop};
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;
use tokio::process::Command;
use tokio::time::{sleep, timeout};

/// After the command has ended: how long its output may still take to arrive.
const LATE_OUTPUT: Duration = Duration::from_millis(250);

/// The shell of this machine: `sh` on Unix, `cmd` on Windows.
///
/// A command runs in a session of its own (a job on Windows) without a terminal, in the folder given, with an empty
/// standard input and an environment that holds only what programs can't do without. When it ends, runs out of time or
/// its future is dropped, everything in its process group is killed. A program that leaves the group on purpose
/// (`setsid`, a daemon) is out of reach; a person has to confirm every command for that reason, too.
#[derive(Clone, Debug)]
pub struct HostShell {
    folder: PathBuf,
}

impl HostShell {
    /// A shell whose commands start in this folder; it is made when it is first needed.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    fn start(&self, command: &str) -> io::Result<Running> {
        std::fs::create_dir_all(&self.folder)?;
        let mut wrap = CommandWrap::from(self.command(command));
        wrap.wrap(KillOnDrop);
        #[cfg(unix)]
        wrap.wrap(process_wrap::tokio::ProcessSession);
        #[cfg(windows)]
        wrap.wrap(process_wrap::tokio::JobObject);
        Ok(Running { child: wrap.spawn()?, over: false })
    }

    fn command(&self, line: &str) -> Command {
        #[cfg(windows)]
        let mut command = {
            let mut command = Command::new("cmd");
            // cmd has quoting rules of its own: the line is passed as it is.
            command.raw_arg("/D /S /C \"").raw_arg(line).raw_arg("\"");
            command
        };
        #[cfg(not(windows))]
        let mut command = {
            let mut command = Command::new("/bin/sh");
            command.arg("-c").arg(line);
            command
        };
        command
            .current_dir(&self.folder)
            .env_clear()
            .envs(environment())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        #[cfg(unix)]
        keep_descriptors(&mut command);
        command
    }
}

/// A command that runs; nothing of its group outlives this.
struct Running {
    child: Box<dyn ChildWrapper>,
    over: bool,
}

impl Running {
    fn end(&mut self) {
        if !self.over {
            // An error says that nothing is left to kill.
            let _ = self.child.start_kill();
            self.over = true;
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}

#[async_trait]
impl Shell for HostShell {
    async fn run(&self, command: &str, time_limit: Duration) -> Result<ShellOutput, ShellError> {
        if command.contains('\0') {
            return Err(ShellError::Start("the command holds a null character. Write it without".into()));
        }
        let start = |e: io::Error| ShellError::Start(e.to_string());
        let mut running = self.start(command).map_err(start)?;
        let (mut stdout, mut stderr) = (Capture::default(), Capture::default());
        let pipes = (running.child.stdout().take(), running.child.stderr().take());
        let status = {
            let reading = async { tokio::join!(stdout.read(pipes.0), stderr.read(pipes.1)) };
            tokio::pin!(reading);
            let (mut read, limit) = (false, sleep(time_limit));
            tokio::pin!(limit);
            let status = {
                let waiting = running.child.wait();
                tokio::pin!(waiting);
                loop {
                    tokio::select! {
                        status = &mut waiting => break Some(status),
                        _ = &mut reading, if !read => read = true,
                        () = &mut limit => break None,
                    }
                }
            };
            // What it started and left behind ends with it, and with that the pipes.
            running.end();
            match status {
                Some(status) => {
                    if !read {
                        let _ = timeout(LATE_OUTPUT, &mut reading).await;
                    }
                    status.map_err(start)?
                }
                None => {
                    // Killed; collected here so that it does not stay behind as a zombie.
                    let _ = timeout(LATE_OUTPUT, running.child.wait()).await;
                    return Err(ShellError::TimedOut(time_limit));
                }
            }
        };
        Ok(ShellOutput {
            code: status.code(),
            cut: stdout.is_cut() || stderr.is_cut(),
            stdout: stdout.into_text(),
            stderr: stderr.into_text(),
        })
    }
}

/// All that a command sees of this process's environment.
fn environment() -> Vec<(&'static str, OsString)> {
    #[cfg(windows)]
    const PASSED: &[&str] = &[
        "PATH",
        "PATHEXT",
        "SystemRoot",
        "SystemDrive",
        "windir",
        "ComSpec",
        "TEMP",
        "TMP",
        "USERPROFILE",
        "USERNAME",
        "APPDATA",
        "LOCALAPPDATA",
        "ProgramData",
        "ProgramFiles",
        "ProgramFiles(x86)",
        "NUMBER_OF_PROCESSORS",
    ];
    #[cfg(not(windows))]
    const PASSED: &[&str] = &["PATH", "HOME", "LANG", "TMPDIR", "USER"];
    let mut all: Vec<(&str, OsString)> =
        PASSED.iter().filter_map(|name| std::env::var_os(name).map(|value| (*name, value))).collect();
    #[cfg(not(windows))]
    {
        all.push(("TERM", "dumb".into()));
        for (name, usual) in [("PATH", "/usr/local/bin:/usr/bin:/bin"), ("LANG", "C.UTF-8")] {
            if !all.iter().any(|(n, _)| *n == name) {
                all.push((name, usual.into()));
            }
        }
    }
    all
}

/// Has the command start with descriptors 0, 1 and 2 alone. What Rust opens is closed on exec anyway; what this process
/// inherited, or a C library opened, may not be.
#[cfg(unix)]
#[expect(unsafe_code, reason = "closing what is open in the child can only be done between fork and exec")]
fn keep_descriptors(command: &mut Command) {
    fn close_on_exec() -> io::Result<()> {
        #[cfg(any(target_os = "linux", target_os = "android"))]
        {
            const CLOSE_RANGE_CLOEXEC: libc::c_uint = 4;
            // SAFETY: a system call with plain numbers; it changes flags of descriptors of the child only.
            let done = unsafe { libc::syscall(libc::SYS_close_range, 3, libc::c_uint::MAX, CLOSE_RANGE_CLOEXEC) };
            if done == 0 {
                return Ok(());
            }
        }
        // SAFETY: sysconf and fcntl are async-signal-safe; a descriptor that is not open is an error and no harm.
        unsafe {
            let most = libc::sysconf(libc::_SC_OPEN_MAX).clamp(256, 65_536) as libc::c_int;
            for descriptor in 3..most {
                libc::fcntl(descriptor, libc::F_SETFD, libc::FD_CLOEXEC);
            }
        }
        Ok(())
    }
    // SAFETY: the function only makes async-signal-safe system calls and allocates nothing.
    unsafe { command.pre_exec(close_on_exec) };
}
