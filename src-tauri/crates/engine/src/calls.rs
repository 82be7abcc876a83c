// SPDX-License-Identifier: Apache-2.0
//! A round's calls: through the gate, one after the other, and what became of each.

use crate::arguments;
use crate::effect::Effect;
use crate::turn::{ASK_MS, DEEPEST, Phase, Turn};
use bailey_policy::{Approval, Attendance, InvalidArguments, Question, Signature, ToolFacts, ToolKind, Verdict, gate};
use bailey_protocol::journal::Entry;
use bailey_protocol::{
    AskKind, Call, CallId, CallState, Denial, MessageStatus, Millis, Part, PartRole, Reason, Role, RunState, Source,
    Target,
};
use serde_json::Value;

impl Turn {
    /// Goes on with the last round: opens the questions its calls need, all at once, and takes the calls in order. Opens a
    /// round, or ends, when there is none left.
    pub(crate) fn proceed(&mut self, now: Millis) {
        let mut running = match std::mem::replace(&mut self.phase, Phase::Idle) {
            Phase::Running(calls) => calls,
            _ => Vec::new(),
        };
        if self.look() {
            self.state = RunState::Running;
            self.phase = if running.is_empty() { Phase::Looking } else { Phase::Running(running) };
            return;
        }
        self.ask_ahead(now);
        // Until it is known what became of a call that the process died in, nothing new begins.
        let recovering = self.asked.iter().any(|asked| matches!(asked.ask.kind, AskKind::Recovery { .. }));
        loop {
            let last = self.messages.last().filter(|m| m.role == Role::Assistant);
            let open: Vec<&Call> =
                last.map(|m| m.calls().filter(|c| !c.state.is_final()).collect()).unwrap_or_default();
            let next = open.iter().find(|call| !running.contains(&call.id));
            let agents = running.iter().all(|id| self.find_call(id).is_some_and(|c| self.is_agent(&c.tool)));
            match next {
                // Sub-agents work beside each other; everything else waits for what stands before it.
                Some(call) if running.is_empty() || (agents && self.is_agent(&call.tool)) => {
                    if recovering || call.state == CallState::Waiting {
                        break;
                    }
                    let call = (*call).clone();
                    if let Some(started) = self.try_call(&call, now) {
                        running.push(started);
                    }
                }
                None if running.is_empty() && self.asked.is_empty() => {
                    let Some(last) = last else { return self.next_round(now) };
                    let goes_on = last.status == MessageStatus::Interrupted || last.summary.is_some();
                    if goes_on || last.calls().next().is_some() {
                        return self.next_round(now);
                    }
                    return self.close(RunState::Done, None, now);
                }
                _ => break,
            }
        }
        if running.is_empty() {
            self.phase = Phase::Waiting;
            self.state = RunState::Waiting;
        } else {
            self.phase = Phase::Running(running);
            self.state = RunState::Running;
        }
    }

    /// Has it found out what calls would touch. Whether that is under way: nothing is decided until it is known.
    fn look(&mut self) -> bool {
        let last = self.messages.last().filter(|m| m.role == Role::Assistant);
        let pending: Vec<Call> = last
            .map(|m| m.calls().filter(|c| c.state == CallState::Pending && self.wants_target(c)).cloned().collect())
            .unwrap_or_default();
        for call in pending {
            if let Ok(arguments) = self.checked(&call) {
                self.flush();
                self.looking.push(call.id.clone());
                self.effects.push(Effect::Look { call: call.id, tool: call.tool, arguments });
            }
        }
        !self.looking.is_empty()
    }

    fn wants_target(&self, call: &Call) -> bool {
        let touches = self.toolbox.get(&call.tool).is_some_and(|d| d.spec.kind == ToolKind::Touch);
        // Where it could not run anyway, nothing is looked at.
        let possible = self.brief.automation.is_none() && self.facts(&call.tool).possible_in(self.brief.mode);
        touches && possible && !self.targets.contains_key(&call.id) && !self.looking.contains(&call.id)
    }

    pub(crate) fn looked(&mut self, call: CallId, target: Result<Target, String>, now: Millis) {
        let Some(at) = self.looking.iter().position(|id| *id == call) else { return };
        self.looking.remove(at);
        self.targets.insert(call, target);
        if self.looking.is_empty() {
            self.proceed(now);
        }
    }

    /// Asks about every call of the last round that has to be asked about, so that the person sees them together.
    fn ask_ahead(&mut self, now: Millis) {
        let pending: Vec<Call> = match self.messages.last().filter(|m| m.role == Role::Assistant) {
            Some(last) => last.calls().filter(|c| c.state == CallState::Pending).cloned().collect(),
            None => Vec::new(),
        };
        for call in pending {
            let checked = self.checked(&call);
            if let Verdict::Confirm(reasons) = self.ask_gate(&call, &checked, now) {
                self.confirm(&call, checked, reasons, now);
            }
        }
    }

    pub(crate) fn checked(&self, call: &Call) -> Result<Value, InvalidArguments> {
        let raw = match &call.arguments {
            Value::String(raw) => raw.clone(),
            value => value.to_string(),
        };
        self.toolbox.check(&call.tool, &raw).map(|(arguments, _)| arguments)
    }

    fn confirm(&mut self, call: &Call, checked: Result<Value, InvalidArguments>, reasons: Vec<Reason>, now: Millis) {
        let arguments = checked.unwrap_or(Value::Null);
        let facts = self.facts(&call.tool);
        let risk = self.toolbox.shell_risk(&call.tool, &arguments);
        let kind = AskKind::Confirm {
            tool: call.tool.clone(),
            danger: facts.danger,
            leaves: facts.egress,
            arguments,
            risk,
            target: self.targets.get(&call.id).and_then(|target| target.as_ref().ok()).cloned(),
            grantable: reasons.iter().all(Reason::grantable),
            reasons,
        };
        self.ask(call, kind, Some(ASK_MS), now);
    }

    /// Takes a call through the gate. Gives its id back when it was started and is under way.
    fn try_call(&mut self, call: &Call, now: Millis) -> Option<CallId> {
        let checked = self.checked(call);
        match self.ask_gate(call, &checked, now) {
            Verdict::Deny(denial) => {
                self.denied(call, denial, now);
                None
            }
            // The world has changed since the questions were opened: a mode's grant was taken back, say.
            Verdict::Confirm(reasons) => {
                self.confirm(call, checked, reasons, now);
                None
            }
            Verdict::Allow(approval) => self.approved(call, approval, now),
        }
    }

    pub(crate) fn ask_gate(&self, call: &Call, checked: &Result<Value, InvalidArguments>, now: Millis) -> Verdict {
        gate(&Question {
            run: &self.brief.run,
            conversation: self.brief.root(),
            call: &call.id,
            tool_name: &call.tool,
            tool: self.toolbox.get(&call.tool).filter(|_| self.offers(&call.tool)),
            switched_on: !self.standing.switched_off.contains(&call.tool),
            arguments: checked.as_ref(),
            target: match self.targets.get(&call.id) {
                Some(Ok(target)) => Ok(Some(target)),
                Some(Err(why)) => Err(why),
                None => Ok(None),
            },
            apps: &self.apps,
            signature: self.signature(call),
            mode: self.brief.mode,
            attendance: match &self.brief.automation {
                Some(automation) => Attendance::Unattended { automation },
                None => Attendance::Attended { listening: self.standing.listening },
            },
            labels: &self.labels,
            origins: &self.origins,
            grants: &self.standing.grants,
            budget: self.brief.budget,
            ledger: self.ledger,
            history: &self.history,
            agreement: self.agreements.iter().find(|a| a.call == call.id),
            now,
        })
    }

    /// What makes two calls the same: tool and arguments, and what the screen showed where it is about that.
    pub(crate) fn signature(&self, call: &Call) -> Signature {
        let arguments = arguments::canonical(&call.arguments);
        match self.screen.as_deref().filter(|_| self.is_of_screen(&call.tool)) {
            Some(screen) => Signature::of(&call.tool, &format!("{arguments}\n{screen}")),
            None => Signature::of(&call.tool, &arguments),
        }
    }

    pub(crate) fn is_of_screen(&self, tool: &str) -> bool {
        self.toolbox.get(tool).is_some_and(|d| matches!(d.spec.kind, ToolKind::Touch | ToolKind::Look))
    }

    /// Sub-agents as deep as they go start no others.
    fn offers(&self, tool: &str) -> bool {
        self.brief.depth() < DEEPEST || !self.is_agent(tool)
    }

    fn approved(&mut self, call: &Call, approval: Approval, now: Millis) -> Option<CallId> {
        let kind = self.toolbox.get(&call.tool).map_or(ToolKind::Run, |d| d.spec.kind);
        if kind == ToolKind::Ask {
            self.question(call, approval.arguments(), now);
            return None;
        }
        let changes = self.facts(&call.tool).acts();
        self.note(Entry::Intent { call: call.id.clone(), arguments: approval.arguments().clone(), changes }, now);
        self.synced |= changes;
        self.flush();
        self.effects.push(match kind {
            ToolKind::Agent => Effect::StartAgent(approval),
            _ => Effect::RunTool(approval),
        });
        Some(call.id.clone())
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
        let Phase::Running(running) = &mut self.phase else { return };
        let Some(at) = running.iter().position(|call| call == id) else { return };
        running.remove(at);
        let Some(call) = self.find_call(id).cloned() else { return };
        let facts = self.facts(&call.tool);
        let (state, mut parts) = match result {
            Ok(parts) => (CallState::Done, parts),
            Err(part) => (CallState::Failed, vec![part]),
        };
        for part in &mut parts {
            mark(part, &call.tool, &facts);
            // No tool speaks for the person.
            part.role = part.role.filter(|role| *role != PartRole::Person);
        }
        self.outcome(&call, state, parts, None, ms, now);
        self.proceed(now);
    }
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
