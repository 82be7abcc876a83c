// SPDX-License-Identifier: Apache-2.0
use serde::{Deserialize, Serialize};

/// Asks the person, by Shizuku's own dialog, to let Bailey use it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskShizuku {}

/// Runs a shell command with adb's rights. Dropping it does not kill it; the time limit does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Execute {
    /// For `sh -c`.
    pub command: String,
    /// It is killed after so many milliseconds.
    pub timeout_ms: u32,
    /// At most so many bytes of each stream are kept: the first and the last half.
    pub max_bytes: u32,
}

/// What a command printed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Executed {
    /// The exit code; absent when it was killed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    /// Whether something was cut.
    pub cut: bool,
    /// Whether the time limit killed it.
    pub timed_out: bool,
}

/// What is done to an app.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ManageAppAction {
    /// Stops it.
    Stop,
    /// Deletes its data.
    Clear,
    /// Switches it off.
    Disable,
    /// Switches it on again.
    Enable,
    /// Removes it for this person.
    Uninstall,
}

/// Does something to an installed app.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ManageApp {
    /// Its package.
    pub package: String,
    /// What.
    pub action: ManageAppAction,
}

/// What the system said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Managed {
    /// Its own words, as "Success".
    pub said: String,
}
