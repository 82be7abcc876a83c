// SPDX-License-Identifier: Apache-2.0
//! What the person is asked, answers and stops.

use crate::calls::mark;
use crate::effect::Effect;
use crate::turn::{ASK_MS, Phase, Turn};
use bailey_policy::{Grant, GrantScope, Verdict};
use bailey_protocol::journal::Entry;
use bailey_protocol::{
    AllowScope, Answer, Ask, AskId, AskKind, Call, CallId, CallState, Denial, DenialCode, Labels, MessageStatus,
    Millis, Origin, Part, PartRole, Reason, RunState,
};
use serde_json::Value;

impl Turn {
    /// ask_user: asked here, for no code runs. With nobody there it is answered at once.
    pub(crate) fn question(&mut self, call: &Call, arguments: &Value, now: Millis) {
        if !self.standing.listening || self.brief.automation.is_some() {
            return self.outcome(call, CallState::Done, vec![Part::plain(NOBODY_ANSWERED)], None, 0, now);
        }
        let question = serde_json::from_value(arguments.clone()).unwrap_or_else(|_| bailey_protocol::Question {
            question: arguments["question"].as_str().unwrap_or_default().to_owned(),
            choices: Vec::new(),
        });
        let kind = AskKind::Question { question, labels: self.labels.clone() };
        self.ask(call, kind, Some(ASK_MS), now);
    }

    pub(crate) fn ask(&mut self, call: &Call, kind: AskKind, wait: Option<u32>, now: Millis) {
        let tool_digest = self.toolbox.get(&call.tool).map(|d| d.digest.to_owned()).unwrap_or_default();
        self.ask_about(call.id.clone(), tool_digest, kind, wait, now);
    }

    pub(crate) fn ask_about(
        &mut self,
        call: CallId,
        tool_digest: String,
        kind: AskKind,
        wait: Option<u32>,
        now: Millis,
    ) {
        let ask = Ask {
            id: AskId::new(format!("{}-q{}", self.brief.run, self.asks_made + 1)),
            conversation: self.brief.root().clone(),
            run: self.brief.run.clone(),
            call,
            kind,
            origin: self.brief.parent.as_ref().map(|parent| Origin {
                conversation: self.brief.conversation.clone(),
                task: parent.task.clone(),
                depth: parent.depth,
            }),
            asked: now,
            left_ms: wait,
        };
        self.note(Entry::Asked { ask, tool_digest }, now);
    }

    pub(crate) fn answered(&mut self, id: &AskId, answer: Answer, now: Millis) {
        let Some(ask) = self.asked.iter().map(|asked| &asked.ask).find(|ask| ask.id == *id).cloned() else { return };
        if !fits(&ask.kind, &answer) {
            return;
        }
        if matches!(ask.kind, AskKind::Spend { .. }) {
            self.phase = Phase::Idle;
            self.note(Entry::Answered { ask: ask.id, call: ask.call, answer: answer.clone() }, now);
            return self.spend_answered(&answer, now);
        }
        let Some(call) = self.find_call(&ask.call).cloned() else { return };
        self.note(Entry::Answered { ask: ask.id.clone(), call: call.id.clone(), answer: answer.clone() }, now);
        if let Some(grant) = self.grant(&ask, &call, &answer, now) {
            // A grant without its answer in the journal would outlive a question that is still open.
            self.flush();
            self.standing.grants.push(grant.clone());
            self.effects.push(Effect::Grant(grant));
        }
        let lets_app = answer == Answer::AllowApp;
        match (&ask.kind, answer) {
            (AskKind::Confirm { .. }, Answer::Deny) => {
                let text = "Do not try it another way; ask what they would like instead, or go on without it.";
                self.outcome(&call, CallState::Rejected, vec![Part::plain(text)], None, 0, now);
            }
            (AskKind::Confirm { .. }, Answer::NoAnswer) => {
                let message = "Nobody answered the question whether it may run, so it was not run. Go on without it, and say what is left to do.";
                self.denied(&call, Denial { code: DenialCode::Expired, message: message.into() }, now);
            }
            (AskKind::Question { question, labels }, answer) => {
                let parts = reply_to(question, labels, answer);
                self.outcome(&call, CallState::Done, parts, None, 0, now);
            }
            _ => {}
        }
        if lets_app {
            self.settle(now);
        }
        self.proceed(now);
    }

    /// Closes the questions that asked for nothing but the use of an app that the person now lets the run use. A grant
    /// answers no question that is open: each has its own answer.
    fn settle(&mut self, now: Millis) {
        let open: Vec<Ask> = self.asked.iter().map(|asked| asked.ask.clone()).collect();
        for ask in open.into_iter().filter(|ask| matches!(ask.kind, AskKind::Confirm { .. })) {
            let Some(call) = self.find_call(&ask.call).cloned() else { continue };
            let checked = self.checked(&call);
            if let Verdict::Allow(_) = self.ask_gate(&call, &checked, now) {
                self.note(Entry::Answered { ask: ask.id, call: call.id, answer: Answer::AllowOnce }, now);
            }
        }
    }

    /// The lasting permission that an answer gives.
    fn grant(&self, ask: &Ask, call: &Call, answer: &Answer, now: Millis) -> Option<Grant> {
        let (scope, arguments, minutes) = match answer {
            Answer::AllowChat => (AllowScope::Conversation, Vec::new(), None),
            Answer::AllowMore { scope, arguments, minutes } => (*scope, arguments.clone(), *minutes),
            _ => return None,
        };
        let scope = match scope {
            AllowScope::Run => GrantScope::Run(self.brief.run.clone()),
            AllowScope::Conversation => GrantScope::Conversation(self.brief.root().clone()),
            AllowScope::Always => GrantScope::Always,
        };
        let expires = minutes.map(|minutes| now.saturating_add(Millis::from(minutes) * 60_000));
        Some(Grant { id: ask.id.to_string(), tool: call.tool.clone(), scope, arguments, expires })
    }

    pub(crate) fn expire(&mut self, now: Millis) {
        let over = self.asked.iter().filter(|asked| asked.deadline.is_some_and(|end| now >= end));
        for id in over.map(|asked| asked.ask.id.clone()).collect::<Vec<_>>() {
            self.answered(&id, Answer::NoAnswer, now);
        }
    }

    pub(crate) fn stop(&mut self, now: Millis) {
        match std::mem::replace(&mut self.phase, Phase::Idle) {
            Phase::Streaming(mut stream) => {
                self.effects.push(Effect::AbortRequest);
                stream.end_thinking(now);
                let blocks = std::mem::take(&mut stream.blocks);
                self.round_closed(stream, blocks, MessageStatus::Stopped, now);
            }
            Phase::Running(running) => {
                self.effects.push(Effect::AbortTools);
                for call in running.iter().filter_map(|id| self.find_call(id).cloned()).collect::<Vec<_>>() {
                    let text = "The person stopped the run before it ended; part of its work may have been done.";
                    let mut part = Part::plain(text);
                    mark(&mut part, &call.tool, &self.facts(&call.tool));
                    self.outcome(&call, CallState::Cancelled, vec![part], None, 0, now);
                }
            }
            _ => {}
        }
        self.end_open_calls(CallState::Cancelled, "The person stopped the run; it was not run.", now);
        self.close(RunState::Stopped, None, now);
    }

    pub(crate) fn end_open_calls(&mut self, state: CallState, why: &str, now: Millis) {
        let open: Vec<Call> = self
            .messages
            .last()
            .map(|m| m.calls().filter(|c| !c.state.is_final()).cloned().collect())
            .unwrap_or_default();
        for call in open {
            self.outcome(&call, state, vec![Part::plain(why)], None, 0, now);
        }
    }
}

pub(crate) const NOBODY_ANSWERED: &str =
    "No answer: nobody is there. Decide yourself, take the careful choice, and state what you assumed.";

fn fits(kind: &AskKind, answer: &Answer) -> bool {
    match kind {
        AskKind::Confirm { grantable, reasons, .. } => match answer {
            Answer::AllowChat | Answer::AllowMore { .. } => *grantable,
            Answer::AllowApp => reasons.iter().any(|reason| matches!(reason, Reason::DriveApp { .. })),
            Answer::AllowOnce | Answer::Deny | Answer::NoAnswer => true,
            _ => false,
        },
        AskKind::Spend { .. } => matches!(answer, Answer::AllowOnce | Answer::Deny | Answer::NoAnswer),
        AskKind::Question { question, .. } => match answer {
            Answer::Choice { index } => (*index as usize) < question.choices.len(),
            Answer::Text { .. } | Answer::YouDecide | Answer::NoAnswer => true,
            _ => false,
        },
        AskKind::Recovery { .. } => match answer {
            Answer::Choice { index } => *index < 3,
            Answer::Text { .. } | Answer::YouDecide | Answer::NoAnswer => true,
            _ => false,
        },
    }
}

/// An answer picked from the model's own choices keeps the model's marks; the person's own words have none.
fn reply_to(question: &bailey_protocol::Question, labels: &Labels, answer: Answer) -> Vec<Part> {
    match answer {
        Answer::Choice { index } => {
            let chosen = question.choices.get(index as usize).map_or("", String::as_str);
            vec![Part::labelled(format!("The person chose: {chosen}"), labels.clone())]
        }
        Answer::Text { text } => {
            vec![Part::plain("The person answered:"), Part { role: Some(PartRole::Person), ..Part::plain(text) }]
        }
        Answer::YouDecide => vec![Part::plain("The person leaves it to you. Decide, and state what you assumed.")],
        _ => vec![Part::plain(NOBODY_ANSWERED)],
    }
}
