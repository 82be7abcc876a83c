// SPDX-License-Identifier: Apache-2.0
use crate::Danger;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// How dangerous a shell command is, judged from its text alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ShellRisk {
    /// The most dangerous thing in it.
    pub level: Danger,
    /// Whether all of it could be read. What could not is `High`.
    pub parsed: bool,
    /// What it does, the most dangerous first; never empty.
    pub effects: Vec<ShellEffect>,
}

/// One thing a shell command does.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
pub struct ShellEffect {
    /// What it does.
    pub kind: ShellEffectKind,
    /// The words of the command it is about, as they were written; cut when long.
    pub command: String,
    /// Why, in a few English words, for the person and the model.
    pub why: String,
}

/// What a part of a shell command does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ShellEffectKind {
    /// Reads and prints.
    Reads,
    /// Makes or changes files.
    Writes,
    /// Deletes files.
    Deletes,
    /// Talks to other machines.
    Network,
    /// Runs code that the command line does not show, or that it hides.
    RunsCode,
    /// Acts with other rights, or changes rights.
    Privilege,
    /// Changes the machine, its settings or its programs.
    System,
    /// Nobody knows.
    Unknown,
}
