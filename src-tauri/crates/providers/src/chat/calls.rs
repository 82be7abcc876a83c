// SPDX-License-Identifier: Apache-2.0
use super::wire::{CallPart, Field, FunctionPart};
use bailey_protocol::model::Reply;
use serde_json::Value;
use std::collections::HashSet;

/// Puts tool calls together from their fragments, however a server numbers and names them.
#[derive(Clone, Debug, Default)]
pub(super) struct Calls {
    slots: Vec<Slot>,
}

#[derive(Clone, Debug, Default)]
struct Slot {
    index: Option<u32>,
    id: String,
    name: String,
    arguments: String,
    announced: bool,
}

impl Slot {
    /// Whether the arguments are a whole JSON value, so that what follows must be another call's.
    fn is_whole(&self) -> bool {
        serde_json::from_str::<serde::de::IgnoredAny>(&self.arguments).is_ok()
    }
}

impl Calls {
    pub(super) fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Adds a fragment.
    pub(super) fn push(&mut self, part: &CallPart<'_>, out: &mut Vec<Reply>) {
        let nothing = FunctionPart::default();
        let function = part.function.as_ref().unwrap_or(&nothing);
        let id = match &part.id {
            Field::Other(Value::Number(number)) => number.to_string(),
            id => id.text().unwrap_or_default().to_owned(),
        };
        self.add(part.index.number(), &id, function, out);
    }

    /// Adds a fragment of the older form, where there is one call and it has neither number nor id.
    pub(super) fn push_function(&mut self, function: &FunctionPart<'_>, out: &mut Vec<Reply>) {
        self.add(Some(0), "", function, out);
    }

    fn add(&mut self, index: Option<u32>, id: &str, function: &FunctionPart<'_>, out: &mut Vec<Reply>) {
        let name = function.name.text().unwrap_or_default();
        let starts_arguments =
            !matches!(function.arguments, Field::Nothing) && function.arguments != Field::Text("".into());
        let slot = match self.find(index, id, name, starts_arguments) {
            Some(at) => &mut self.slots[at],
            None => {
                self.slots.push(Slot { index, id: id.to_owned(), ..Slot::default() });
                let last = self.slots.len() - 1;
                &mut self.slots[last]
            }
        };
        if slot.id.is_empty() {
            slot.id = id.to_owned();
        }
        // A name comes whole, in pieces before the arguments, or again with every fragment.
        if slot.name != name && (slot.name.is_empty() || slot.arguments.is_empty()) {
            slot.name.push_str(name);
        }
        match &function.arguments {
            Field::Text(text) => slot.arguments.push_str(text),
            Field::Other(value) => slot.arguments.push_str(&value.to_string()),
            Field::Nothing => {}
        }
        if !slot.announced && !slot.name.is_empty() {
            slot.announced = true;
            out.push(Reply::CallBegan { name: slot.name.clone() });
        }
    }

    /// The call that a fragment goes on with; `None` when it begins one.
    fn find(&self, index: Option<u32>, id: &str, name: &str, with_arguments: bool) -> Option<usize> {
        if !id.is_empty() {
            if let Some(at) = self.slots.iter().rposition(|slot| slot.id == id) {
                let slot = &self.slots[at];
                // The same id with a name, at another place or after a whole call: a server whose ids are all the same.
                let elsewhere = index.is_some() && slot.index.is_some() && slot.index != index;
                let another = !name.is_empty() && (elsewhere || (with_arguments && slot.is_whole()));
                return (!another).then_some(at);
            }
            // An id that comes after the call's beginning.
            return self
                .at(index)
                .filter(|at| self.slots[*at].id.is_empty() && (name.is_empty() || self.slots[*at].name.is_empty()));
        }
        let at = self.at(index)?;
        let slot = &self.slots[at];
        if name.is_empty() {
            return Some(at);
        }
        let other_name = slot.name != name && (index.is_none() || !slot.arguments.is_empty());
        let begins = other_name || slot.is_whole();
        (!begins).then_some(at)
    }

    /// The newest call with this number; the newest of all where a fragment has none.
    fn at(&self, index: Option<u32>) -> Option<usize> {
        match index {
            Some(_) => self.slots.iter().rposition(|slot| slot.index == index),
            None => self.slots.len().checked_sub(1),
        }
    }

    /// The calls in order, each with an id that is used nowhere else. With `cut`, calls whose arguments are no whole JSON
    /// are left out: the output limit stopped the model while it wrote them. Nameless calls are left out always.
    pub(super) fn finish(&mut self, cut: bool, tag: &str, used: &mut HashSet<String>) -> Vec<Reply> {
        let mut slots = std::mem::take(&mut self.slots);
        slots.retain(|slot| !slot.name.is_empty());
        if slots.iter().all(|slot| slot.index.is_some()) {
            slots.sort_by_key(|slot| slot.index);
        }
        let mut calls = Vec::with_capacity(slots.len());
        let mut made = 0;
        for mut slot in slots {
            if slot.arguments.trim().is_empty() {
                slot.arguments = "{}".to_owned();
                if cut {
                    continue;
                }
            } else if cut && !slot.is_whole() {
                continue;
            }
            while slot.id.is_empty() || !used.insert(slot.id.clone()) {
                slot.id = format!("{tag}{made:02}");
                made += 1;
            }
            calls.push(Reply::Call { id: slot.id, name: slot.name, arguments: slot.arguments });
        }
        calls
    }
}
