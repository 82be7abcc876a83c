// SPDX-License-Identifier: Apache-2.0
use async_trait::async_trait;
use bailey_policy::{Approval, ToolSpec};
use bailey_ports::{Tool, ToolContext, ToolFailure, ToolResult};
use bailey_protocol::Part;
use serde_json::Value;
use std::sync::{Arc, Mutex};

/// What the tools give and what they were run with.
#[derive(Clone, Default)]
pub(super) struct Records(Arc<Mutex<Kept>>);

#[derive(Default)]
struct Kept {
    /// What the next call of a tool with these arguments gives.
    results: Vec<Given>,
    ran: Vec<Ran>,
}

struct Given {
    tool: String,
    arguments: Value,
    result: String,
    failed: bool,
}

/// A call that ran.
#[derive(Clone, Debug)]
pub(super) struct Ran {
    pub(super) tool: String,
    pub(super) arguments: Value,
    /// Whether the person was asked about it.
    pub(super) asked: bool,
}

impl Records {
    pub(super) fn give(&self, tool: &str, arguments: Value, result: String, failed: bool) {
        let mut kept = self.0.lock().unwrap_or_else(|e| e.into_inner());
        kept.results.push(Given { tool: tool.to_owned(), arguments, result, failed });
    }

    /// All that ran since the last time, and forgets what was to be given.
    pub(super) fn take(&self) -> Vec<Ran> {
        let mut kept = self.0.lock().unwrap_or_else(|e| e.into_inner());
        kept.results.clear();
        std::mem::take(&mut kept.ran)
    }

    fn run(&self, approval: &Approval) -> ToolResult {
        let mut kept = self.0.lock().unwrap_or_else(|e| e.into_inner());
        let (tool, arguments) = (approval.tool().to_owned(), approval.arguments().clone());
        kept.ran.push(Ran { tool: tool.clone(), arguments: arguments.clone(), asked: !approval.reasons().is_empty() });
        let at = kept.results.iter().position(|given| given.tool == tool && given.arguments == arguments);
        match at.map(|at| kept.results.remove(at)) {
            Some(Given { result, failed: false, .. }) => Ok(vec![Part::plain(result)]),
            Some(Given { result, .. }) => Err(ToolFailure::new(result)),
            None => Ok(vec![Part::plain("(nothing)")]),
        }
    }
}

/// A tool of the corpus.
pub(super) struct Recorded {
    pub(super) spec: ToolSpec,
    pub(super) records: Records,
}

#[async_trait]
impl Tool for Recorded {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn run(&self, approval: Approval, _context: ToolContext) -> ToolResult {
        self.records.run(&approval)
    }
}
