// SPDX-License-Identifier: Apache-2.0
use bailey_protocol::{CallId, Reason, RunId, Target};
use serde_json::Value;

/// Proof that one call may run now: bound to run, call, tool definition, arguments and the reasons shown. A tool takes
/// its arguments from here and from nowhere else, and takes the approval itself, so that it is used once.
///
/// Only the gate makes one. Whoever holds it reads it:
///
/// ```
/// use bailey_policy::Approval;
/// fn read(a: &Approval) -> (&str, &serde_json::Value) { (a.tool(), a.arguments()) }
/// fn used_once(a: Approval) -> usize { a.reasons().len() }
/// fn given_on(a: Approval) -> usize { used_once(a) }
/// let example: serde_json::Value = serde_json::from_str("{}").unwrap();
/// # let _ = (read, given_on, example);
/// ```
///
/// It can be neither built, changed, copied, used twice, made from nothing, stored nor read from storage:
///
/// ```compile_fail,E0451
/// use bailey_policy::Approval;
/// fn built(a: Approval) -> Approval { Approval { tool: "run_shell".to_owned(), ..a } }
/// ```
/// ```compile_fail,E0624
/// let sealed = bailey_policy::Approval::seal;
/// ```
/// ```compile_fail,E0616
/// use bailey_policy::Approval;
/// fn changed(a: &mut Approval) { a.arguments = serde_json::json!({}); }
/// ```
/// ```compile_fail,E0599
/// use bailey_policy::Approval;
/// fn copied(a: Approval) -> (Approval, Approval) { (a.clone(), a) }
/// ```
/// ```compile_fail,E0382
/// use bailey_policy::Approval;
/// fn used_once(a: Approval) -> usize { a.reasons().len() }
/// fn used_twice(a: Approval) -> usize { used_once(a) + used_once(a) }
/// ```
/// ```compile_fail,E0277
/// let made: bailey_policy::Approval = Default::default();
/// ```
/// ```compile_fail,E0277
/// use bailey_policy::Approval;
/// fn stored(a: &Approval) -> String { serde_json::to_string(a).unwrap() }
/// ```
/// ```compile_fail,E0277
/// use bailey_policy::Approval;
/// fn read_back(json: &str) -> Approval { serde_json::from_str(json).unwrap() }
/// ```
#[derive(Debug)]
pub struct Approval {
    run: RunId,
    call: CallId,
    tool: String,
    tool_digest: String,
    arguments: Value,
    target: Option<Target>,
    reasons: Vec<Reason>,
}

impl Approval {
    pub(crate) fn seal(
        run: RunId,
        call: CallId,
        tool: String,
        tool_digest: String,
        arguments: Value,
        target: Option<Target>,
        reasons: Vec<Reason>,
    ) -> Self {
        Self { run, call, tool, tool_digest, arguments, target, reasons }
    }

    /// The run it is for.
    pub fn run(&self) -> &RunId {
        &self.run
    }
    /// The call it is for.
    pub fn call(&self) -> &CallId {
        &self.call
    }
    /// The tool it is for.
    pub fn tool(&self) -> &str {
        &self.tool
    }
    /// The digest of the tool's definition it is for.
    pub fn tool_digest(&self) -> &str {
        &self.tool_digest
    }
    /// The arguments the call runs with, repaired and validated.
    pub fn arguments(&self) -> &Value {
        &self.arguments
    }
    /// What on the screen it may touch, and nothing else.
    pub fn target(&self) -> Option<&Target> {
        self.target.as_ref()
    }
    /// What the person was shown and agreed to; empty when nothing had to be asked.
    pub fn reasons(&self) -> &[Reason] {
        &self.reasons
    }
}
