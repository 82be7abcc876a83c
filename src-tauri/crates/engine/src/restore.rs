// SPDX-License-Identifier: Apache-2.0
//! How entries change a turn, and how a turn is made again from them after the process was killed.

use crate::stream::{append_reasoning, append_text};
use crate::turn::{Asked, Brief, Phase, Turn};
use crate::{Effect, Toolbox};
use bailey_policy::Agreement;
use bailey_protocol::journal::{Entry, Record};
use bailey_protocol::model::Usage;
use bailey_protocol::{
    Answer, Ask, AskId, AskKind, Call, CallId, CallState, Labels, Message, MessageStatus, Millis, Part, Role, RunState,
    SummaryState,
};
use std::sync::Arc;

impl Turn {
    /// A run as its journal left it. `messages` is the branch down to the prompt; `open` the run's open questions with
    /// the time they had left when the process ended. The first step is [`Input::Go`](crate::Input::Go), whose effects mend what was cut
    /// off: a call that was under way and may have changed something becomes `unknown`, and the person is asked.
    pub fn restore(
        brief: Brief,
        toolbox: Arc<Toolbox>,
        messages: Vec<Message>,
        records: &[Record],
        open: &[Ask],
        now: Millis,
    ) -> (Self, Vec<Effect>) {
        let mut turn = Self::new(brief, toolbox, messages);
        for record in records {
            turn.apply(&record.entry, record.at);
        }
        if matches!(turn.phase, Phase::Over) {
            return (turn, Vec::new());
        }
        turn.state = RunState::Running;
        turn.resumed = true;
        for asked in &mut turn.asked {
            let left = open.iter().find(|o| o.id == asked.ask.id).map_or(asked.ask.left_ms, |o| o.left_ms);
            asked.deadline = left.map(|left| now + Millis::from(left));
            turn.state = RunState::Waiting;
        }
        let effects = turn.take_up(now);
        (turn, effects)
    }

    /// Mends what was cut off, in one journal effect.
    fn take_up(&mut self, now: Millis) -> Vec<Effect> {
        self.set_clock(now);
        self.note(Entry::Resumed { ledger: self.ledger }, now);
        let cut = self.messages.last().filter(|m| m.role == Role::Assistant && m.status == MessageStatus::Streaming);
        if let Some(message) = cut {
            let (id, blocks, labels) = (message.id.clone(), message.blocks.clone(), self.labels.clone());
            let status = MessageStatus::Interrupted;
            self.note(Entry::RoundClosed { message: id, blocks, status, labels, usage: None, native: None }, now);
        }
        let running: Vec<Call> =
            self.messages.iter().flat_map(|m| m.calls()).filter(|c| c.state == CallState::Running).cloned().collect();
        let (agents, running): (Vec<Call>, Vec<Call>) = running.into_iter().partition(|call| self.is_agent(&call.tool));
        for call in running {
            let changes = self.facts(&call.tool).acts();
            let text = if changes {
                "Bailey was closed while this ran. Do not run it again unless the person says that it did not happen."
            } else {
                "Bailey was closed while this ran and its result is lost. It changes nothing: call it again if you need it."
            };
            self.outcome(&call, CallState::Unknown, vec![Part::plain(text)], None, 0, now);
            if changes && self.brief.automation.is_none() {
                let kind = AskKind::Recovery { tool: call.tool.clone(), arguments: call.arguments.clone() };
                self.ask(&call, kind, None, now);
            }
        }
        if !agents.is_empty() {
            self.flush();
            self.phase = Phase::Running(agents.iter().map(|call| call.id.clone()).collect());
            self.effects.extend(agents.into_iter().map(|call| Effect::ResumeAgent(call.id)));
        }
        self.flushed()
    }

    pub(crate) fn apply(&mut self, entry: &Entry, at: Millis) {
        match entry {
            Entry::Opened { .. } | Entry::Prompt { .. } => {}
            Entry::RoundOpened { message, parent, ledger, summary, .. } => {
                self.ledger = *ledger;
                self.agreements.clear();
                self.targets.clear();
                self.looking.clear();
                self.messages.push(Message {
                    id: message.clone(),
                    conversation: self.brief.conversation.clone(),
                    parent: Some(parent.clone()),
                    run: self.brief.run.clone(),
                    role: Role::Assistant,
                    status: MessageStatus::Streaming,
                    at,
                    blocks: Vec::new(),
                    labels: Labels::none(),
                    model: Some(self.brief.model.model.clone()),
                    usage: None,
                    native: None,
                    summary: summary.then_some(SummaryState::Used),
                    siblings: Vec::new(),
                });
            }
            Entry::Checkpoint { message, text, reasoning, labels } => {
                self.labels.join(labels);
                if let Some(m) = self.messages.iter_mut().rev().find(|m| m.id == *message) {
                    append_reasoning(&mut m.blocks, reasoning);
                    append_text(&mut m.blocks, text);
                }
            }
            Entry::RoundRestarted { message, usage } => {
                self.spent(*usage);
                if let Some(m) = self.messages.iter_mut().rev().find(|m| m.id == *message) {
                    m.blocks.clear();
                }
            }
            Entry::Fallback { message, model } => {
                if let Some(m) = self.messages.iter_mut().rev().find(|m| m.id == *message) {
                    m.model = Some(model.model.clone());
                }
                let before = std::mem::replace(&mut self.brief.model, model.clone());
                self.instead_of.get_or_insert(before);
            }
            Entry::Compressed { limit } => self.shortened = Some(*limit),
            Entry::RoundClosed { message, blocks, status, labels, usage, native } => {
                self.labels.join(labels);
                self.spent(*usage);
                if let Some(m) = self.messages.iter_mut().rev().find(|m| m.id == *message) {
                    m.blocks = blocks.clone();
                    m.status = *status;
                    m.labels = labels.clone();
                    m.usage = *usage;
                    m.native.clone_from(native);
                }
            }
            Entry::Asked { ask, tool_digest } => {
                self.asks_made += 1;
                let deadline = ask.left_ms.map(|left| at + Millis::from(left));
                self.asked.push(Asked { ask: ask.clone(), tool_digest: tool_digest.clone(), deadline });
                self.change_call(&ask.call, |c| {
                    if !c.state.is_final() {
                        c.state = CallState::Waiting;
                    }
                });
            }
            Entry::Answered { ask, call, answer } => self.apply_answer(ask, call, answer),
            Entry::Intent { call, arguments, .. } => {
                self.ledger.calls += 1;
                self.agreements.retain(|a| a.call != *call);
                self.change_call(call, |c| {
                    c.state = CallState::Running;
                    c.arguments = arguments.clone();
                });
            }
            Entry::Outcome { call, state, parts, denial, repairs, ms, .. } => {
                let Some(before) = self.find_call(call).cloned() else { return };
                if *state == CallState::Done && self.is_question(&before.tool) {
                    self.ledger.calls += 1;
                }
                let signature = self.signature(&before);
                self.history.record(&before.tool, signature, *state == CallState::Failed);
                if *state == CallState::Done && self.is_of_screen(&before.tool) {
                    self.screen = Some(parts.iter().map(|part| part.text.as_str()).collect::<Vec<_>>().join("\n"));
                }
                parts.iter().for_each(|p| self.labels.join(&p.labels));
                self.change_call(call, |c| {
                    c.state = *state;
                    c.parts = parts.clone();
                    c.denial = denial.clone();
                    c.repairs = repairs.clone();
                    c.ms = *ms;
                });
                let after = Call { state: *state, parts: parts.clone(), ..before };
                let seen = self.messages.iter().rev().find(|m| m.calls().any(|c| c.id == *call)).map(|m| &m.labels);
                let tool = self.toolbox.get(&after.tool).map(|d| d.spec);
                self.origins.take_call(&after, seen.unwrap_or(&self.labels), tool);
            }
            Entry::Resumed { ledger } => {
                self.ledger = *ledger;
                self.resumed = true;
            }
            Entry::Closed { state, error, ledger } => {
                self.state = *state;
                self.error = error.clone();
                self.ledger = *ledger;
                self.asked.clear();
                self.phase = Phase::Over;
            }
        }
    }

    /// Counts the money of an answer. The driver reads what was spent today from the store before the next step; until
    /// then it is counted here.
    fn spent(&mut self, usage: Option<Usage>) {
        let cost = usage.and_then(|usage| usage.cost).unwrap_or(0);
        self.ledger.cost = self.ledger.cost.saturating_add(cost);
        self.standing.spent_today = self.standing.spent_today.saturating_add(cost);
    }

    fn apply_answer(&mut self, ask: &AskId, call: &CallId, answer: &Answer) {
        let Some(at) = self.asked.iter().position(|asked| asked.ask.id == *ask) else { return };
        let Asked { ask, tool_digest, .. } = self.asked.remove(at);
        self.state = RunState::Running;
        match &ask.kind {
            AskKind::Spend { .. } if *answer == Answer::AllowOnce => self.allow_more(&ask.kind),
            AskKind::Confirm { arguments, target, reasons, .. } if answer.allows() => {
                if let (Answer::AllowApp, Some(target)) = (answer, target) {
                    self.apps.insert(target.app.clone());
                }
                self.agreements.push(Agreement {
                    run: ask.run.clone(),
                    call: ask.call.clone(),
                    tool_digest,
                    arguments: arguments.clone(),
                    target: target.clone(),
                    reasons: reasons.clone(),
                });
            }
            AskKind::Recovery { .. } => {
                let said = match answer {
                    Answer::Choice { index: 0 } => "It happened.".to_owned(),
                    Answer::Choice { index: 1 } => "It did not happen.".to_owned(),
                    Answer::Text { text } => text.clone(),
                    Answer::Choice { .. } => "Nobody knows.".to_owned(),
                    _ => "No answer.".to_owned(),
                };
                self.change_call(call, |c| c.recovery = Some(said.clone()));
            }
            _ => {}
        }
        self.change_call(call, |c| {
            if c.state == CallState::Waiting {
                c.state = CallState::Pending;
            }
        });
    }

    fn change_call(&mut self, id: &CallId, change: impl Fn(&mut Call)) {
        if let Some(call) = self.messages.iter_mut().rev().flat_map(|m| m.calls_mut()).find(|c| c.id == *id) {
            change(call);
        }
    }
}
