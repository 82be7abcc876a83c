// SPDX-License-Identifier: Apache-2.0
use crate::{Approval, CallHistory, Grant, GrantScope, Origins, Signature, ToolKind, ToolSpec};
use bailey_protocol::{
    Budget, CallId, ConversationId, Danger, Denial, DenialCode, Doubt, Labels, Ledger, Millis, Mode, Reason, RunId,
    Target,
};
use serde_json::Value;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A tool's definition with its digest (see [`ToolSpec::digest`]).
#[derive(Clone, Copy, Debug)]
pub struct Definition<'a> {
    /// The definition.
    pub spec: &'a ToolSpec,
    /// Its digest.
    pub digest: &'a str,
}

/// Why arguments do not fit, even after repair.
#[derive(Clone, Debug, PartialEq)]
pub struct InvalidArguments {
    /// What is wrong, with the failing path.
    pub message: String,
    /// Arguments that fit.
    pub example: Value,
}

/// Who watches the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attendance<'a> {
    /// A person started it.
    Attended {
        /// Whether a question would reach somebody: a face is open, or notifications are on.
        listening: bool,
    },
    /// A schedule or trigger started it.
    Unattended {
        /// The automation, whose grants count.
        automation: &'a str,
    },
}

/// What a person agreed to for one call: the question as it was shown, with a yes.
#[derive(Clone, Debug, PartialEq)]
pub struct Agreement {
    /// The run.
    pub run: RunId,
    /// The call.
    pub call: CallId,
    /// The tool's definition then.
    pub tool_digest: String,
    /// The arguments shown.
    pub arguments: Value,
    /// What it would touch, as shown.
    pub target: Option<Target>,
    /// The reasons shown.
    pub reasons: Vec<Reason>,
}

/// Everything the gate is told about one call.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The run.
    pub run: &'a RunId,
    /// The conversation.
    pub conversation: &'a ConversationId,
    /// The call.
    pub call: &'a CallId,
    /// The tool's name as the model wrote it.
    pub tool_name: &'a str,
    /// The tool; `None` when there is none of that name.
    pub tool: Option<Definition<'a>>,
    /// Whether the person has the tool switched on.
    pub switched_on: bool,
    /// The arguments after repair and validation.
    pub arguments: Result<&'a Value, &'a InvalidArguments>,
    /// What it would touch on the screen, for a tool of [`ToolKind::Touch`]; or why that was not found, in words for the
    /// model.
    pub target: Result<Option<&'a Target>, &'a str>,
    /// The apps that the person lets this run use, by their packages.
    pub apps: &'a BTreeSet<String>,
    /// Tool and arguments in one.
    pub signature: Signature,
    /// The run's mode.
    pub mode: Mode,
    /// Who watches.
    pub attendance: Attendance<'a>,
    /// The join of all marks in the context.
    pub labels: &'a Labels,
    /// Where values come from.
    pub origins: &'a Origins,
    /// The person's lasting permissions.
    pub grants: &'a [Grant],
    /// What the run may spend.
    pub budget: Budget,
    /// What it has spent.
    pub ledger: Ledger,
    /// The calls before this one.
    pub history: &'a CallHistory,
    /// What the person agreed to for this call.
    pub agreement: Option<&'a Agreement>,
    /// Now.
    pub now: Millis,
}

/// What the gate decides.
#[derive(Debug)]
pub enum Verdict {
    /// It may run, with this proof.
    Allow(Approval),
    /// The person has to be asked, for these reasons; never empty.
    Confirm(Vec<Reason>),
    /// It may not run.
    Deny(Denial),
}

/// Decides about one call. The strictest rule wins; a fault inside the gate is a no.
pub fn gate(question: &Question<'_>) -> Verdict {
    guarded(|| decide(question))
}

fn guarded(decide: impl FnOnce() -> Verdict) -> Verdict {
    catch_unwind(AssertUnwindSafe(decide)).unwrap_or_else(|_| {
        deny(
            DenialCode::Fault,
            "Bailey could not check this call, so it was not run. Try another way, or say what you could not do.",
        )
    })
}

fn decide(q: &Question<'_>) -> Verdict {
    // Step 1: the tool is known, switched on, and its arguments fit.
    let Some(tool) = q.tool else {
        return deny(
            DenialCode::UnknownTool,
            format!("There is no tool named {:?}. Use one of the tools offered, or answer without one.", q.tool_name),
        );
    };
    let facts = &tool.spec.facts;
    if !q.switched_on {
        return deny(
            DenialCode::SwitchedOff,
            format!(
                "The person has not switched {} on, so it was not run. Do not try it again; say what you wanted to do with it, and that it can be switched on in Settings.",
                tool.spec.name
            ),
        );
    }
    let arguments = match q.arguments {
        Ok(arguments) => arguments,
        Err(invalid) => {
            return deny(
                DenialCode::InvalidArguments,
                format!("{}. An example that fits: {}", invalid.message, invalid.example),
            );
        }
    };

    // Step 2: budgets, breaker, repetition.
    if let Some(denial) = spent(q, &tool.spec.name) {
        return Verdict::Deny(denial);
    }

    let approve = |reasons: Vec<Reason>| {
        Verdict::Allow(Approval::seal(
            q.run.clone(),
            q.call.clone(),
            tool.spec.name.clone(),
            tool.digest.to_owned(),
            arguments.clone(),
            q.target.ok().flatten().cloned(),
            reasons,
        ))
    };

    // Step 3, internal tools, is an answer to the mode alone: an internal tool that could do harm gains nothing by it.

    // Step 4: nobody watches.
    let tainted = q.labels.is_tainted();
    if let Attendance::Unattended { automation } = q.attendance
        && (facts.danger == Danger::High || facts.never_unattended)
    {
        let granted = q.grants.iter().any(|g| {
            g.tool == tool.spec.name
                && g.scope == GrantScope::Automation(automation.to_owned())
                && g.holds_for(arguments, q.now)
        });
        if tainted || !granted {
            return deny(
                DenialCode::Unattended,
                format!(
                    "{} is not run while nobody watches. Go on without it, and say at the end what is left for the person to do.",
                    tool.spec.name
                ),
            );
        }
    }

    // Step 5: the mode. Grants answer this step and no other.
    let mut reasons = Vec::new();
    match q.mode {
        _ if facts.internal => {}
        Mode::Chat => {
            return deny(
                DenialCode::Mode,
                format!(
                    "This chat is in the mode Chat, where {} is not run. Answer without it; the person can pick another mode.",
                    tool.spec.name
                ),
            );
        }
        Mode::ChatPlus if !facts.read_only => {
            return deny(
                DenialCode::Mode,
                format!(
                    "This chat is in the mode Chat+, which only reads, so {} was not run. Say what you would do; the person can pick the mode Act or Max.",
                    tool.spec.name
                ),
            );
        }
        Mode::ChatPlus | Mode::Max => {}
        Mode::Act if q.grants.iter().any(|g| answers(g, q, &tool.spec.name, arguments)) => {}
        Mode::Act => reasons.push(Reason::Mode { mode: q.mode }),
    }

    // Step 6 for another app's screen: the person lets the run use an app, then ordinary things in it are touched unasked.
    // What a screen says is from outside, so this holds whether or not anything else is.
    let touches = tool.spec.kind == ToolKind::Touch;
    if touches {
        let target = match q.target {
            Ok(Some(target)) => target,
            Ok(None) => return deny(DenialCode::NoTarget, NOT_LOOKED_UP),
            Err(why) => return deny(DenialCode::NoTarget, why),
        };
        let used = q.apps.contains(&target.app);
        if !used {
            reasons.push(Reason::DriveApp { app: target.app.clone(), name: target.app_name.clone() });
        }
        if !target.class.is_ordinary() {
            reasons.push(Reason::Touches { class: target.class });
        } else if used {
            reasons.retain(|reason| !matches!(reason, Reason::Mode { .. }));
        }
    }

    // Steps 6 and 7: outside text is in the context. What an internal tool writes meanwhile is kept apart instead.
    if tainted {
        let sources = || q.labels.outside.clone();
        if facts.danger == Danger::High && !touches {
            reasons.push(Reason::OutsideHigh { sources: sources() });
        }
        if facts.egress || facts.acts() {
            let doubts = q.origins.doubts(tool.spec, arguments, !q.labels.is_private());
            if !doubts.is_empty() {
                reasons.push(Reason::OutsideActs { sources: sources(), doubts });
            }
        }
    }

    // Step 8: the person's own data would leave.
    if facts.egress {
        let (doubts, mut sources): (Vec<_>, Vec<_>) =
            q.origins.leaving(tool.spec, arguments, tainted).into_iter().unzip();
        if !doubts.is_empty() {
            sources.dedup();
            sources.truncate(Labels::MAX_SOURCES);
            reasons.push(Reason::PrivateMayLeave { sources, doubts });
        }
    }

    if reasons.is_empty() {
        return approve(reasons);
    }
    match q.attendance {
        Attendance::Unattended { .. } => deny(
            DenialCode::Unattended,
            format!(
                "{} would have to be confirmed and nobody watches this run. Go on without it, and say at the end what is left for the person to do.",
                tool.spec.name
            ),
        ),
        Attendance::Attended { listening } => match q.agreement {
            Some(agreement) if covers(agreement, q, tool, arguments, &reasons) => approve(agreement.reasons.clone()),
            _ if listening => Verdict::Confirm(reasons),
            _ => deny(
                DenialCode::NobodyToAsk,
                format!(
                    "{} has to be confirmed and nobody is there to ask. Go on without it, and say what is left to do.",
                    tool.spec.name
                ),
            ),
        },
    }
}

const NOT_LOOKED_UP: &str = "It is not known what this would touch, so it was not done. Read the screen first.";

fn deny(code: DenialCode, message: impl Into<String>) -> Verdict {
    Verdict::Deny(Denial { code, message: message.into() })
}

fn spent(q: &Question<'_>, tool: &str) -> Option<Denial> {
    let budget = |what: &str| Denial {
        code: DenialCode::Budget,
        message: format!(
            "{what}, so this call was not run. Do not call tools any more: answer now with what you know, and say what is left to do."
        ),
    };
    if q.ledger.rounds >= q.budget.rounds {
        return Some(budget(&format!("This run's {} rounds are spent", q.budget.rounds)));
    }
    if q.ledger.calls >= q.budget.calls {
        return Some(budget(&format!("This run's {} tool calls are spent", q.budget.calls)));
    }
    if let Some(limit) = q.budget.active_ms
        && q.ledger.active_ms >= u64::from(limit)
    {
        let (amount, unit) = if limit % 60_000 == 0 { (limit / 60_000, "minutes") } else { (limit / 1_000, "seconds") };
        return Some(budget(&format!("This run's {amount} {unit} are spent")));
    }
    if q.history.is_broken(tool) {
        return Some(Denial {
            code: DenialCode::Breaker,
            message: format!(
                "{tool} failed {} times in this run and is not run again. Find another way, or say what you could not do.",
                CallHistory::BREAKER
            ),
        });
    }
    if q.history.is_sequence(q.signature) {
        return Some(Denial {
            code: DenialCode::Sequence,
            message: "You are repeating the same sequence of calls. Stop, look at what the results say, and do something different or answer.".into(),
        });
    }
    if q.history.is_identical(q.signature) {
        return Some(Denial {
            code: DenialCode::Identical,
            message: format!(
                "You have made this very call of {tool} twice before. Its result is above: use it, or do something different."
            ),
        });
    }
    None
}

/// Whether a grant answers the mode's question.
fn answers(grant: &Grant, q: &Question<'_>, tool: &str, arguments: &Value) -> bool {
    let scope = match (&grant.scope, q.attendance) {
        (GrantScope::Run(run), Attendance::Attended { .. }) => run == q.run,
        (GrantScope::Conversation(conversation), Attendance::Attended { .. }) => conversation == q.conversation,
        (GrantScope::Always, Attendance::Attended { .. }) => true,
        (GrantScope::Automation(a), Attendance::Unattended { automation }) => a == automation,
        _ => false,
    };
    let named = grant.tool == tool || (grant.tool == "*" && matches!(grant.scope, GrantScope::Run(_)));
    scope && named && grant.holds_for(arguments, q.now)
}

/// Whether what the person agreed to is this call, as it is now, for every reason there is now.
fn covers(a: &Agreement, q: &Question<'_>, tool: Definition<'_>, arguments: &Value, reasons: &[Reason]) -> bool {
    a.run == *q.run
        && a.call == *q.call
        && a.tool_digest == tool.digest
        && a.arguments == *arguments
        && match (&a.target, q.target) {
            (None, Ok(None)) => true,
            (Some(shown), Ok(Some(now))) => shown.is_same(now),
            _ => false,
        }
        && reasons.iter().all(|now| a.reasons.iter().any(|then| was_shown(now, then)))
}

/// Whether a reason is the one that was shown. More may have come in from outside meanwhile, by another call of the round:
/// it was not there when the model made this call, and the values in doubt are the same.
fn was_shown(now: &Reason, then: &Reason) -> bool {
    let among = |now: &[Doubt], then: &[Doubt]| {
        now.iter().all(|n| then.iter().any(|t| (&n.path, &n.value, n.kind) == (&t.path, &t.value, t.kind)))
    };
    match (now, then) {
        (Reason::Mode { mode: now }, Reason::Mode { mode: then }) => now == then,
        (Reason::OutsideHigh { .. }, Reason::OutsideHigh { .. }) => true,
        (Reason::DriveApp { app: now, .. }, Reason::DriveApp { app: then, .. }) => now == then,
        (Reason::Touches { class: now }, Reason::Touches { class: then }) => now == then,
        (Reason::OutsideActs { doubts: now, .. }, Reason::OutsideActs { doubts: then, .. })
        | (Reason::PrivateMayLeave { doubts: now, .. }, Reason::PrivateMayLeave { doubts: then, .. }) => {
            among(now, then)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_inside_the_gate_is_a_no() {
        let verdict = guarded(|| panic!("broken"));
        assert!(matches!(verdict, Verdict::Deny(Denial { code: DenialCode::Fault, .. })));
    }
}
