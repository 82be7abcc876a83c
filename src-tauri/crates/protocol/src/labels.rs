// SPDX-License-Identifier: Apache-2.0
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Where a labelled text came from.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
pub struct Source {
    /// The tool that brought it, or `attachment`, `shared`, `unknown`.
    pub tool: String,
    /// A host, a file name or the like, when there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub detail: Option<String>,
}

impl Source {
    /// A source that is a tool's output, without detail.
    pub fn tool(name: impl Into<String>) -> Self {
        Self { tool: name.into(), detail: None }
    }
}

/// The two marks of a context item, each with where it came from. A mark is set when its list is not empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Labels {
    /// Other people can write it.
    #[serde(default)]
    pub outside: Vec<Source>,
    /// The person's own data.
    #[serde(default)]
    pub private: Vec<Source>,
}

impl Labels {
    /// Sources kept for each mark; the mark itself never gets lost.
    pub const MAX_SOURCES: usize = 16;

    /// No mark at all.
    pub fn none() -> Self {
        Self::default()
    }
    /// Whether outside text is in here.
    pub fn is_tainted(&self) -> bool {
        !self.outside.is_empty()
    }
    /// Whether the person's own data is in here.
    pub fn is_private(&self) -> bool {
        !self.private.is_empty()
    }
    /// Adds the marks of `other`; marks are only ever added.
    pub fn join(&mut self, other: &Labels) {
        add(&mut self.outside, &other.outside);
        add(&mut self.private, &other.private);
    }
    /// [`Labels::join`] as an expression.
    #[must_use]
    pub fn joined(mut self, other: &Labels) -> Self {
        self.join(other);
        self
    }
}

fn add(to: &mut Vec<Source>, from: &[Source]) {
    for source in from {
        if to.len() >= Labels::MAX_SOURCES {
            return;
        }
        if !to.contains(source) {
            to.push(source.clone());
        }
    }
}
