// SPDX-License-Identifier: Apache-2.0
use async_trait::async_trait;
use std::time::Duration;

/// Runs shell commands: the host's shell on a desktop, Shizuku's on a phone.
#[async_trait]
pub trait Shell: Send + Sync {
    /// Runs a command with a clean environment and waits for its end. Dropping the future kills the command and all
    /// it started.
    async fn run(&self, command: &str, time_limit: Duration) -> Result<ShellOutput, ShellError>;
}

/// What a command printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShellOutput {
    /// The exit code; `None` when a signal ended it.
    pub code: Option<i32>,
    /// Standard output, lossy UTF-8, capped.
    pub stdout: String,
    /// Standard error, likewise.
    pub stderr: String,
    /// Whether something was cut.
    pub cut: bool,
}

/// A command that did not come to its end. The text says what to do next; the model reads it.
#[derive(Debug, thiserror::Error)]
pub enum ShellError {
    /// It ran too long and was killed.
    #[error("the command was still running after {} s and was killed. Run something shorter, or pass a larger timeout_s", .0.as_secs())]
    TimedOut(Duration),
    /// It could not be started.
    #[error("the shell could not be started: {0}")]
    Start(String),
    /// There is no shell here.
    #[error("there is no shell on this device")]
    Unsupported,
}
