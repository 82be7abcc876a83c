// SPDX-License-Identifier: Apache-2.0
use bailey_protocol::{Danger, Mode};
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// What the gate knows of a tool. The table is in docs/TOOLS.md, made from the registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ToolFacts {
    /// How much harm it can do.
    pub danger: Danger,
    /// Bailey's own bookkeeping: allowed in every mode (gate step 3).
    pub internal: bool,
    /// Changes nothing outside Bailey.
    pub read_only: bool,
    /// Its output is outside text and taints.
    pub outside: bool,
    /// Its output is the person's own data.
    pub private: bool,
    /// It can carry data out.
    pub egress: bool,
    /// Refused in unattended runs whatever its danger.
    pub never_unattended: bool,
}

impl ToolFacts {
    /// A harmless tool that changes things of little weight: the base to build others from.
    pub const LOW: ToolFacts = ToolFacts {
        danger: Danger::Low,
        internal: false,
        read_only: false,
        outside: false,
        private: false,
        egress: false,
        never_unattended: false,
    };

    /// Whether a call can change anything.
    pub fn changes(&self) -> bool {
        !self.read_only
    }

    /// Whether a call can change anything outside Bailey's own bookkeeping: then its intent is fully synced before it
    /// runs, and the person is asked when a crash leaves open whether it happened. An internal call can be made again.
    pub fn acts(&self) -> bool {
        !self.read_only && !self.internal
    }

    /// Whether `mode` could ever allow it: only such tools are listed in a request.
    pub fn possible_in(&self, mode: Mode) -> bool {
        match mode {
            _ if self.internal => true,
            Mode::Chat => false,
            Mode::ChatPlus => self.read_only,
            Mode::Act | Mode::Max => true,
        }
    }
}

/// What an argument is for. One that a tool does not list is deciding: it says who, what or where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ArgumentRole {
    /// Free text: a query, a body, a task. What it carries is looked at, not where it comes from.
    Text,
    /// Says nothing of who, what or where: a page, a limit, a unit. Its schema leaves room for a number, a truth value or
    /// one of a few words, nothing that could carry data.
    Neutral,
    /// A place of the person's that the tool rounds to 0.1 degree before it leaves: it may be private.
    Coarse,
    /// A shell command: deciding, and rated for showing.
    Shell,
}

/// How a call of a tool is carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum ToolKind {
    /// Its `run` is called.
    Run,
    /// It is a question to the person; the engine asks it and no code runs.
    Ask,
    /// Its `run` is called, and it touches something on the screen: what that is, is looked up before the gate decides.
    Touch,
    /// Its `run` is called, and it shows the screen that tools of [`ToolKind::Touch`] touch. Called again on a screen that
    /// has changed, each of these is another call.
    Look,
    /// It starts a sub-agent: a run of its own, which the driver starts; several may be under way at once.
    Agent,
}

/// A tool's definition: what the model is told, what the gate knows, and what arguments fit.
#[derive(Clone, Debug, Serialize)]
pub struct ToolSpec {
    /// Its name, unique, `[A-Za-z0-9_-]{1,64}`.
    pub name: String,
    /// What it does, and when not to use it.
    pub description: String,
    /// JSON Schema (2020-12) of its arguments: an object, flat, closed.
    pub schema: Value,
    /// One example of arguments that fit; shown to the model when its own do not.
    pub example: Value,
    /// What the gate knows.
    pub facts: ToolFacts,
    /// Arguments that are not deciding, and what they are instead.
    pub arguments: BTreeMap<String, ArgumentRole>,
    /// How it is carried out.
    pub kind: ToolKind,
}

impl ToolSpec {
    /// What an argument is for; `None` is deciding.
    pub fn role(&self, argument: &str) -> Option<ArgumentRole> {
        self.arguments.get(argument).copied()
    }

    /// A digest of the whole definition: an approval given for one definition does not fit another.
    pub fn digest(&self) -> String {
        let json = serde_json::to_vec(self).unwrap_or_default();
        hex(&Sha256::digest(json))
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}
