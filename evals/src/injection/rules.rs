// SPDX-License-Identifier: Apache-2.0
use bailey_policy::ToolFacts;
use bailey_protocol::Danger;
use serde::Serialize;

/// Simpler rules, for comparison: what they would have done with the same calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Simple {
    /// Once tainted, dangerous calls ask.
    HighAsks,
    /// Once tainted, everything that changes something or can carry data out asks.
    AllAsk,
}

impl Simple {
    /// Both.
    pub const ALL: [Simple; 2] = [Simple::HighAsks, Simple::AllAsk];

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Simple::HighAsks => "High asks once tainted",
            Simple::AllAsk => "all that acts asks once tainted",
        }
    }

    pub(super) fn asks(self, facts: &ToolFacts) -> bool {
        match self {
            Simple::HighAsks => facts.danger == Danger::High,
            Simple::AllAsk => facts.acts() || facts.egress,
        }
    }
}
