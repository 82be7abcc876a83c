// SPDX-License-Identifier: Apache-2.0
//! What the person is asked, answers and stops.

use crate::calls::mark;
use crate::effect::Effect;
use crate::turn::{ASK_MS, Phase, Turn};
use bailey_policy::{Grant, GrantScope};
use bailey_protocol::journal::Entry;
use bailey_protocol::{
    Answer, Ask, AskId, AskKind, Call, CallId, CallState, Denial, DenialCode, Labels, MessageStatus, Millis, Part,
    RunState,
};
use serde_json::Value;

impl Turn {
    /// ask_user: asked here, for no code runs. With nobody there it is answered at once.
    pub(crate) fn question(&mut self, call: &Call, arguments: &Value, now: Millis) -> bool {
        if !self.standing.listening || self.brief.automation.is_some() {
            self.outcome(call, CallState::Done, vec![Part::plain(NOBODY_ANSWERED)], None, 0, now);
            return true;
        }
        let question = serde_json::from_value(arguments.clone()).unwrap_or_else(|_| bailey_protocol::Question {
            question: arguments["question"].as_str().unwrap_or_default().to_owned(),
            choices: Vec::new(),
        });
        let kind = AskKind::Question { question, labels: self.labels.clone() };
        self.ask(call, kind, Some(ASK_MS), now);
        false
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
            conversation: self.brief.conversation.clone(),
            run: self.brief.run.clone(),
            call,
            kind,
            asked: now,
            left_ms: wait,
        };
        self.note(Entry::Asked { ask, tool_digest }, now);
        self.phase = Phase::Waiting;
        self.state = RunState::Waiting;
    }

    pub(crate) fn answered(&mut self, id: &AskId, answer: Answer, now: Millis) {
        let Some((ask, _)) = self.asked.as_ref().filter(|(ask, _)| ask.id == *id) else { return };
        let ask = ask.clone();
        if !fits(&ask.kind, &answer) {
            return;
        }
        if matches!(ask.kind, AskKind::Spend { .. }) {
            self.phase = Phase::Idle;
            self.note(Entry::Answered { ask: ask.id, call: ask.call, answer: answer.clone() }, now);
            return self.spend_answered(&answer, now);
        }
        let Some(call) = self.find_call(&ask.call).cloned() else { return };
        self.phase = Phase::Idle;
        self.note(Entry::Answered { ask: ask.id.clone(), call: call.id.clone(), answer: answer.clone() }, now);
        if answer == Answer::AllowChat {
            let grant = Grant {
                id: ask.id.to_string(),
                tool: call.tool.clone(),
                scope: GrantScope::Conversation(self.brief.conversation.clone()),
                expires: None,
            };
            // A grant without its answer in the journal would outlive a question that is still open.
            self.flush();
            self.standing.grants.push(grant.clone());
            self.effects.push(Effect::Grant(grant));
        }
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
                let part = reply_to(question, labels, answer);
                self.outcome(&call, CallState::Done, vec![part], None, 0, now);
            }
            _ => {}
        }
        self.proceed(now);
    }

    pub(crate) fn expire(&mut self, now: Millis) {
        if self.deadline.is_some_and(|d| now >= d)
            && let Some((ask, _)) = &self.asked
        {
            let id = ask.id.clone();
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
            Phase::Running(id) => {
                self.effects.push(Effect::AbortTool);
                if let Some(call) = self.find_call(&id).cloned() {
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
        AskKind::Confirm { grantable, .. } => match answer {
            Answer::AllowChat => *grantable,
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
fn reply_to(question: &bailey_protocol::Question, labels: &Labels, answer: Answer) -> Part {
    match answer {
        Answer::Choice { index } => Part {
            text: format!("The person chose: {}", question.choices.get(index as usize).map_or("", String::as_str)),
            labels: labels.clone(),
        },
        Answer::Text { text } => Part::plain(format!("The person answered: {text}")),
        Answer::YouDecide => Part::plain("The person leaves it to you. Decide, and state what you assumed."),
        _ => Part::plain(NOBODY_ANSWERED),
    }
}
