// SPDX-License-Identifier: Apache-2.0
//! A round's calls: through the gate, one after the other, and what became of each.

use crate::arguments;
use crate::effect::Effect;
use crate::turn::{ASK_MS, Phase, Turn};
use bailey_policy::{Approval, Attendance, InvalidArguments, Question, Signature, ToolFacts, ToolKind, Verdict, gate};
use bailey_protocol::journal::Entry;
use bailey_protocol::{
    AskKind, Call, CallId, CallState, Denial, MessageStatus, Millis, Part, Reason, Role, RunState, Source,
};
use serde_json::Value;

impl Turn {
    /// Takes the next open call of the last round through the gate; opens a round, or ends, when there is none.
    pub(crate) fn proceed(&mut self, now: Millis) {
        loop {
            let Some(last) = self.messages.last().filter(|m| m.role == Role::Assistant) else {
                return self.next_round(now);
            };
            let Some(call) = last.calls().find(|c| !c.state.is_final()).cloned() else {
                let wants_more = last.calls().next().is_some() || last.status == MessageStatus::Interrupted;
                if wants_more {
                    return self.next_round(now);
                }
                return self.close(RunState::Done, None, now);
            };
            if !self.try_call(&call, now) {
                return;
            }
        }
    }

    /// Whether the call came to an end at once, so that the next one can be looked at.
    pub(crate) fn try_call(&mut self, call: &Call, now: Millis) -> bool {
        let raw = match &call.arguments {
            Value::String(raw) => raw.clone(),
            value => value.to_string(),
        };
        let checked = self.toolbox.check(&call.tool, &raw).map(|(arguments, _)| arguments);
        match self.ask_gate(call, &checked, now) {
            Verdict::Deny(denial) => {
                self.denied(call, denial, now);
                true
            }
            Verdict::Confirm(reasons) => {
                let arguments = checked.unwrap_or(Value::Null);
                let facts = self.facts(&call.tool);
                let kind = AskKind::Confirm {
                    tool: call.tool.clone(),
                    danger: facts.danger,
                    leaves: facts.egress,
                    arguments,
                    grantable: reasons.iter().all(Reason::grantable),
                    reasons,
                };
                self.ask(call, kind, Some(ASK_MS), now);
                false
            }
            Verdict::Allow(approval) => self.approved(call, approval, now),
        }
    }

    pub(crate) fn ask_gate(&self, call: &Call, checked: &Result<Value, InvalidArguments>, now: Millis) -> Verdict {
        gate(&Question {
            run: &self.brief.run,
            conversation: &self.brief.conversation,
            call: &call.id,
            tool_name: &call.tool,
            tool: self.toolbox.get(&call.tool),
            switched_on: !self.standing.switched_off.contains(&call.tool),
            arguments: checked.as_ref(),
            signature: signature(call),
            mode: self.brief.mode,
            attendance: match &self.brief.automation {
                Some(automation) => Attendance::Unattended { automation },
                None => Attendance::Attended { listening: self.standing.listening },
            },
            labels: &self.labels,
            grants: &self.standing.grants,
            budget: self.brief.budget,
            ledger: self.ledger,
            history: &self.history,
            agreement: self.agreement.as_ref().filter(|a| a.call == call.id),
            now,
        })
    }

    pub(crate) fn approved(&mut self, call: &Call, approval: Approval, now: Millis) -> bool {
        let definition = self.toolbox.get(&call.tool);
        if definition.is_some_and(|d| d.spec.kind == ToolKind::Ask) {
            return self.question(call, approval.arguments(), now);
        }
        let changes = self.facts(&call.tool).acts();
        self.note(Entry::Intent { call: call.id.clone(), arguments: approval.arguments().clone(), changes }, now);
        self.synced |= changes;
        self.flush();
        self.phase = Phase::Running(call.id.clone());
        self.state = RunState::Running;
        self.effects.push(Effect::RunTool(approval));
        false
    }

    pub(crate) fn denied(&mut self, call: &Call, denial: Denial, now: Millis) {
        let parts = vec![Part::plain(denial.message.clone())];
        self.outcome(call, CallState::Denied, parts, Some(denial), 0, now);
    }

    pub(crate) fn outcome(
        &mut self,
        call: &Call,
        state: CallState,
        parts: Vec<Part>,
        denial: Option<Denial>,
        ms: u32,
        now: Millis,
    ) {
        let entry = Entry::Outcome {
            call: call.id.clone(),
            state,
            arguments: call.arguments.clone(),
            parts,
            denial,
            repairs: call.repairs.clone(),
            ms,
        };
        self.note(entry, now);
    }

    pub(crate) fn tool_done(&mut self, id: &CallId, result: Result<Vec<Part>, Part>, ms: u32, now: Millis) {
        if !matches!(&self.phase, Phase::Running(running) if running == id) {
            return;
        }
        self.phase = Phase::Idle;
        let Some(call) = self.find_call(id).cloned() else { return };
        let facts = self.facts(&call.tool);
        let (state, mut parts) = match result {
            Ok(parts) => (CallState::Done, parts),
            Err(part) => (CallState::Failed, vec![part]),
        };
        for part in &mut parts {
            mark(part, &call.tool, &facts);
        }
        self.outcome(&call, state, parts, None, ms, now);
        self.proceed(now);
    }
}

pub(crate) fn signature(call: &Call) -> Signature {
    Signature::of(&call.tool, &arguments::canonical(&call.arguments))
}

/// Adds the marks that a tool's facts put on all it brings.
pub(crate) fn mark(part: &mut Part, tool: &str, facts: &ToolFacts) {
    let source = || vec![Source::tool(tool)];
    if facts.outside && part.labels.outside.is_empty() {
        part.labels.outside = source();
    }
    if facts.private && part.labels.private.is_empty() {
        part.labels.private = source();
    }
}
