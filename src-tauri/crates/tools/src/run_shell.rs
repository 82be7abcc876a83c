// SPDX-License-Identifier: Apache-2.0
use crate::arguments::{integer, schema, text};
use async_trait::async_trait;
use bailey_policy::{Approval, ArgumentRole, ToolFacts, ToolKind, ToolSpec};
use bailey_ports::{Shell, Tool, ToolContext, ToolFailure, ToolResult};
use bailey_protocol::{Danger, Part};
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

/// Runs a shell command.
pub(crate) struct RunShell {
    spec: ToolSpec,
    shell: Arc<dyn Shell>,
}

impl RunShell {
    const TIMEOUT_S: u64 = 60;

    pub(crate) fn new(shell: Arc<dyn Shell>) -> Self {
        let spec = ToolSpec {
            name: "run_shell".into(),
            description: "Runs one command in the shell of the person's own machine and returns its exit code and what \
                it printed. Use it only when no other tool does what the person asked for, and prefer commands that only \
                read. It starts in an empty folder of Bailey's with a clean environment, reads no input (pass -y and the \
                like), and is killed with all it started when the time is up: do not start servers or other long-running \
                programs, and do not print secrets. Long output is cut in the middle: filter it in the command."
                .into(),
            schema: schema(
                json!({
                    "command": {
                        "type": "string", "minLength": 1, "maxLength": 8000,
                        "description": "The command line, as typed into the shell (sh; cmd on Windows).",
                    },
                    "timeout_s": {
                        "type": "integer", "minimum": 1, "maximum": 600, "default": Self::TIMEOUT_S,
                        "description": "Seconds after which it is killed.",
                    },
                }),
                &["command"],
            ),
            example: json!({ "command": "df -h", "timeout_s": 10 }),
            facts: ToolFacts {
                danger: Danger::High,
                outside: true,
                private: true,
                egress: true,
                never_unattended: true,
                ..ToolFacts::LOW
            },
            arguments: BTreeMap::from([
                ("command".into(), ArgumentRole::Shell),
                ("timeout_s".into(), ArgumentRole::Neutral),
            ]),
            kind: ToolKind::Run,
        };
        Self { spec, shell }
    }
}

#[async_trait]
impl Tool for RunShell {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn run(&self, approval: Approval, _context: ToolContext) -> ToolResult {
        let seconds = integer(approval.arguments(), "timeout_s").unwrap_or(Self::TIMEOUT_S).clamp(1, 600);
        let output = self.shell.run(text(approval.arguments(), "command"), Duration::from_secs(seconds)).await;
        let output = output.map_err(|e| {
            use bailey_ports::ShellError::{Start, TimedOut, Unsupported};
            ToolFailure::new(match e {
                TimedOut(_) => format!("{e}. What it had done by then stays done"),
                Start(_) | Unsupported => format!("{e}. Go on without run_shell and say what is left to do"),
            })
        })?;
        let mut told = match output.code {
            Some(code) => format!("exit code {code}"),
            None => "ended by a signal".to_owned(),
        };
        for (name, text) in [("stdout", output.stdout.trim_end()), ("stderr", output.stderr.trim_end())] {
            if !text.is_empty() {
                let _ = write!(told, "\n{name}:\n{text}");
            }
        }
        if output.stdout.trim().is_empty() && output.stderr.trim().is_empty() {
            told.push_str("\nIt printed nothing.");
        }
        if output.cut {
            told.push_str(
                "\nThe output was too long and is cut in the middle; filter it in the command to see the rest.",
            );
        }
        Ok(vec![Part::plain(told)])
    }
}
