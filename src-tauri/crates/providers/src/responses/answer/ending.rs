// SPDX-License-Identifier: Apache-2.0
//! The end of an answer: what the list at its end has more, the calls, and why it ended.

use super::calls::{self, Written};
use super::items::Shape;
use super::{ResponsesAnswer, arguments, kind_of, native};
use crate::answer::{Decoded, Events};
use crate::failure;
use crate::responses::counts::counted;
use crate::responses::wire::{list, text};
use bailey_ports::ModelError;
use bailey_protocol::RunErrorKind;
use bailey_protocol::model::{Finish, Reply};
use serde_json::{Value, json};
use std::sync::Arc;

impl ResponsesAnswer {
    /// The answer ended: an event of this kind said so, or a response came whole. Its list of items counts only where it
    /// came `whole`.
    pub(super) fn ended(&mut self, kind: &str, response: &Value, whole: bool, out: &mut Decoded) {
        if let Some(usage) = response.get("usage").filter(|usage| whole || usage.get("output_tokens").is_some()) {
            self.usage = counted(usage).or(self.usage);
        }
        let error = response.get("error").filter(|error| !error.is_null());
        let status = match (text(response, "status"), kind.strip_prefix("response.")) {
            (_, _) if error.is_some() => "failed",
            ("", Some(kind)) => kind,
            // A status that was not brought up to date.
            ("in_progress" | "queued", Some(kind)) => kind,
            (status, _) => status,
        };
        let reason = response.get("incomplete_details").map_or("", |details| text(details, "reason"));
        let finish = match status {
            "failed" => {
                let failed = match error {
                    Some(error) => failure::in_stream(&json!({ "error": error }).to_string()),
                    None => failure::gave_up("failed"),
                };
                return self.fail(failed, out);
            }
            "cancelled" => return self.fail(failure::gave_up("cancelled"), out),
            "in_progress" | "queued" => return self.end(out),
            "incomplete" if reason.contains("filter") => Finish::Refused,
            "incomplete" => Finish::Length,
            _ => Finish::Stop,
        };
        if whole {
            self.take_output(list(response, "output"), out);
        }
        self.finish(finish, out);
    }

    /// Takes from the list at the end what did not come before.
    fn take_output(&mut self, output: &[Value], out: &mut Decoded) {
        for (item, at) in output.iter().zip(self.items.matches(output)) {
            let at = match at {
                Some(at) if self.items.slots[at].done => {
                    let slot = &mut self.items.slots[at];
                    if slot.shape == Shape::Reasoning && text(&slot.item, "encrypted_content").is_empty() {
                        slot.item = item.clone();
                    }
                    continue;
                }
                Some(at) => at,
                None => self.items.add(Shape::of(kind_of(item)), kind_of(item), None, text(item, "id")),
            };
            self.complete(at, item.clone(), out);
        }
    }

    fn finish(&mut self, finish: Finish, out: &mut Decoded) {
        // What was announced and never came whole.
        for at in 0..self.items.slots.len() {
            let slot = &mut self.items.slots[at];
            let left = !slot.done && slot.begun;
            match slot.shape {
                Shape::Other if left => {
                    let (kind, data) = (slot.kind.clone(), slot.item.clone());
                    self.reply(Reply::Item { kind, data }, out);
                }
                Shape::Message | Shape::Reasoning if left && slot.is_untouched() => {
                    let item = slot.item.take();
                    self.complete(at, item, out);
                    self.items.slots[at].done = false;
                }
                Shape::Message if !slot.done && !slot.annotations.is_empty() => {
                    let told = std::mem::take(&mut slot.annotations);
                    self.cite(told, out);
                }
                _ => {}
            }
        }
        let cut = finish == Finish::Length;
        let mut wanted = self.items.slots.iter().filter(|slot| slot.shape == Shape::Call);
        let (nothing_wanted, nameless) = (wanted.clone().next().is_none(), wanted.all(|slot| slot.name.is_empty()));
        let written = if finish == Finish::Refused { Vec::new() } else { self.written(cut) };
        if !nothing_wanted && written.is_empty() && finish == Finish::Stop {
            let error = match nameless {
                true => ModelError::new(
                    RunErrorKind::Server,
                    "The model called a tool without naming it. Try again; if it happens often, choose a model that is better at tools.",
                ),
                false => failure::interrupted(true, &self.unread),
            };
            return self.fail(error, out);
        }
        let native =
            if finish == Finish::Refused { None } else { native::of(&self.items, &written, &self.asked.origin) };
        for call in &written {
            if !self.items.slots[call.slot].told {
                out.push(Ok(Reply::CallBegan { name: call.name.clone() }));
            }
        }
        let finish = if written.is_empty() { finish } else { Finish::Calls };
        out.extend(written.into_iter().map(Written::into_reply).map(Ok));
        out.extend(self.usage.take().map(|usage| Ok(Reply::Usage { usage })));
        out.extend(native.map(|native| Ok(Reply::Native { native: Arc::new(native) })));
        out.push(Ok(Reply::Finish { finish }));
        self.finished = true;
        self.over = true;
    }

    /// The calls, in order, each with an id that is used nowhere else. With `cut`, only those that surely are whole.
    fn written(&mut self, cut: bool) -> Vec<Written> {
        let mut made = 0;
        let mut written = Vec::new();
        for at in self.items.in_order() {
            let slot = &self.items.slots[at];
            if slot.shape != Shape::Call || slot.name.is_empty() {
                continue;
            }
            // Some send everything with the start.
            let given = if slot.arguments.trim().is_empty() { arguments(&slot.item) } else { None };
            let arguments = match given.as_deref().unwrap_or(&slot.arguments) {
                text if text.trim().is_empty() => "{}".to_owned(),
                text => text.to_owned(),
            };
            // What is not known to be whole must at least look so.
            let stopped = text(&slot.item, "status") == "incomplete";
            let sure = slot.whole && !stopped;
            let is_json = || serde_json::from_str::<serde::de::IgnoredAny>(&arguments).is_ok();
            let comes = if cut { sure && is_json() } else { sure || is_json() };
            if !comes {
                continue;
            }
            for call in calls::unwrapped(&slot.name, arguments) {
                let given = match &call.number {
                    Some(number) if !slot.call_id.is_empty() => format!("{}_{number}", slot.call_id),
                    _ => slot.call_id.clone(),
                };
                let id = self.asked.id(&given, &mut made);
                let name = self.asked.names.back(&call.name);
                written.push(Written { slot: at, id, wire: call.name, name, arguments: call.arguments });
            }
        }
        written
    }
}
