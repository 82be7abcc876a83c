// SPDX-License-Identifier: Apache-2.0
//! From messages to a request: history that can always be sent, and outside text in its wrapper.

use crate::prompt::{self, CLOSE, OPEN};
use bailey_protocol::model::{PastCall, Request, ToolDeclaration, Turn};
use bailey_protocol::{Block, Call, CallState, Labels, Message, MessageStatus, Mode, Part, Role};
use serde_json::{Value, json};

/// The join of all marks in these messages.
pub(crate) fn labels(messages: &[Message]) -> Labels {
    let mut out = Labels::none();
    for message in messages {
        out.join(&message.labels);
        for call in message.calls() {
            call.parts.iter().for_each(|p| out.join(&p.labels));
        }
    }
    out
}

/// The request for the next round.
pub(crate) fn request(
    model: &str,
    mode: Mode,
    nonce: &str,
    messages: &[Message],
    tools: Vec<ToolDeclaration>,
    closing: bool,
) -> Request {
    let mut turns = Vec::with_capacity(messages.len() * 2);
    for (at, message) in messages.iter().enumerate() {
        match message.role {
            Role::User => user(attached(&message.text(), &message.labels, nonce), &mut turns),
            Role::Assistant => {
                // A round that was cut off and taken up again is answered by the message after it.
                let redone = message.status == MessageStatus::Interrupted
                    && messages.get(at + 1).is_some_and(|next| next.role == Role::Assistant && next.run == message.run);
                if message.status != MessageStatus::Streaming && !redone {
                    assistant(message, nonce, &mut turns);
                }
            }
        }
    }
    if closing {
        match turns.last_mut() {
            Some(Turn::Tool { text, .. }) => {
                text.push_str("\n\n");
                text.push_str(prompt::CLOSING);
            }
            _ => user(prompt::CLOSING.to_owned(), &mut turns),
        }
    }
    Request { model: model.to_owned(), system: prompt::system(mode), messages: turns, tools }
}

/// Adds what the person said. Some providers refuse it right after a result, others right after another user turn.
fn user(text: String, turns: &mut Vec<Turn>) {
    match turns.last_mut() {
        Some(Turn::User { text: before }) => {
            before.push_str("\n\n");
            before.push_str(&text);
        }
        Some(Turn::Tool { .. }) => {
            let ended = Turn::Assistant { text: ENDED.to_owned(), reasoning: String::new(), calls: Vec::new() };
            turns.extend([ended, Turn::User { text }]);
        }
        _ => turns.push(Turn::User { text }),
    }
}

/// Stands where a run was stopped, or failed, after a result and before an answer.
const ENDED: &str = "(This run ended here, without an answer.)";

fn assistant(message: &Message, nonce: &str, turns: &mut Vec<Turn>) {
    let text = message.text();
    let mut reasoning = String::new();
    for block in &message.blocks {
        if let Block::Reasoning { text, .. } = block {
            reasoning.push_str(text);
        }
    }
    let calls: Vec<PastCall> = message
        .calls()
        .map(|c| PastCall { id: c.provider_id.clone(), name: c.tool.clone(), arguments: past_arguments(&c.arguments) })
        .collect();
    let text = if text.trim().is_empty() { String::new() } else { text };
    if text.is_empty() && calls.is_empty() {
        return;
    }
    turns.push(Turn::Assistant { text, reasoning, calls });
    for call in message.calls() {
        turns.push(Turn::Tool { id: call.provider_id.clone(), name: call.tool.clone(), text: result(call, nonce) });
    }
}

/// Some servers refuse a history whose arguments are not an object.
fn past_arguments(arguments: &Value) -> Value {
    match arguments {
        Value::Object(_) => arguments.clone(),
        other => json!({ "unreadable": other }),
    }
}

/// A call's one result, whatever happened.
fn result(call: &Call, nonce: &str) -> String {
    let mut out = String::new();
    if !call.repairs.is_empty() {
        out.push_str("(Bailey mended the arguments: ");
        out.push_str(&call.repairs.join(" "));
        out.push_str(")\n");
    }
    match call.state {
        CallState::Done => {}
        CallState::Failed => out.push_str("The call failed. "),
        CallState::Denied => out.push_str("The call was not run. "),
        CallState::Rejected => out.push_str("The person said no to this call; it was not run. "),
        CallState::Cancelled => out.push_str("The call was cancelled. "),
        CallState::Unknown => out.push_str("Unknown whether this happened. "),
        CallState::Pending | CallState::Waiting | CallState::Running => out.push_str("The call has no result. "),
    }
    for (at, part) in call.parts.iter().enumerate() {
        if at > 0 {
            out.push('\n');
        }
        out.push_str(&wrapped(part, nonce));
    }
    if let Some(said) = &call.recovery {
        out.push_str("\nAsked about it, the person says: ");
        out.push_str(said);
    }
    if out.is_empty() {
        out.push_str("(no output)");
    }
    out
}

fn wrapped(part: &Part, nonce: &str) -> String {
    attached(&part.text, &part.labels, nonce)
}

/// Text in its wrapper when it is from outside. The content can neither close the wrapper (it does not know the nonce,
/// and the brackets are taken from it) nor imitate one.
fn attached(text: &str, labels: &Labels, nonce: &str) -> String {
    if !labels.is_tainted() {
        return text.to_owned();
    }
    let from: Vec<String> = labels
        .outside
        .iter()
        .map(|s| match &s.detail {
            Some(detail) => format!("{} {detail}", s.tool),
            None => s.tool.clone(),
        })
        .collect();
    let from = without_brackets(&from.join(", ").replace(['\n', '\r'], " "));
    format!("{OPEN}outside {nonce} from {from}{CLOSE}\n{}\n{OPEN}end {nonce}{CLOSE}", without_brackets(text))
}

fn without_brackets(text: &str) -> String {
    text.replace(OPEN, "[").replace(CLOSE, "]")
}
