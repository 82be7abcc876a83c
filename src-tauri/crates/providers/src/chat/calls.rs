// SPDX-License-Identifier: Apache-2.0
use super::native::KeptCall;
use super::wire::{CallPart, Field, FunctionPart};
use crate::answer::Asked;
use bailey_protocol::model::Reply;

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
    nesting: Nesting,
    announced: bool,
    kept: KeptCall,
}

impl Slot {
    fn push(&mut self, arguments: &str) {
        self.nesting.read(arguments);
        self.arguments.push_str(arguments);
    }

    /// Whether the arguments are closed, so that what follows must be another call's.
    fn is_closed(&self) -> bool {
        self.nesting == Nesting { closed: true, ..Nesting::default() }
    }

    /// Whether the arguments are a whole JSON value.
    fn is_whole(&self) -> bool {
        serde_json::from_str::<serde::de::IgnoredAny>(&self.arguments).is_ok()
    }
}

/// How deep in JSON its text is so far: read as it comes, since reading all of it for each fragment would take the
/// square of its length.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Nesting {
    depth: usize,
    in_text: bool,
    escaped: bool,
    /// Everything that was opened is closed.
    closed: bool,
}

impl Nesting {
    fn read(&mut self, piece: &str) {
        for byte in piece.bytes() {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' if self.in_text => self.escaped = true,
                b'"' => self.in_text = !self.in_text,
                _ if self.in_text => {}
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    self.closed = self.depth == 0;
                }
                _ => {}
            }
            self.closed &= self.depth == 0;
        }
    }
}

impl Calls {
    pub(super) fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Adds a fragment; the call's name when it is known now.
    pub(super) fn push(&mut self, part: &CallPart<'_>) -> Option<String> {
        let nothing = FunctionPart::default();
        let function = part.function.as_ref().unwrap_or(&nothing);
        let number;
        let id = match &part.id {
            Field::Number(id) => {
                number = id.to_string();
                &number
            }
            id => id.text().unwrap_or_default(),
        };
        self.add(part.index.number(), id, function, &part.more)
    }

    /// Adds a fragment of the older form, where there is one call and it has neither number nor id.
    pub(super) fn push_function(&mut self, function: &FunctionPart<'_>) -> Option<String> {
        self.add(Some(0), "", function, &[])
    }

    fn add(
        &mut self,
        index: Option<u32>,
        id: &str,
        function: &FunctionPart<'_>,
        more: &[(String, serde_json::Value)],
    ) -> Option<String> {
        let name = function.name.text().unwrap_or_default();
        let starts_arguments = match &function.arguments {
            Field::Nothing => false,
            Field::Text(text) => !text.is_empty(),
            _ => true,
        };
        let slot = match self.find(index, id, name, starts_arguments) {
            Some(at) => &mut self.slots[at],
            None => {
                self.slots.push(Slot { index, id: id.to_owned(), ..Slot::default() });
                let last = self.slots.len() - 1;
                &mut self.slots[last]
            }
        };
        if slot.id.is_empty() {
            id.clone_into(&mut slot.id);
        }
        // A name comes whole, in pieces before the arguments, or again with every fragment.
        if slot.name != name && (slot.name.is_empty() || slot.arguments.is_empty()) {
            slot.name.push_str(name);
        }
        match &function.arguments {
            Field::Text(text) => slot.push(text),
            Field::Number(number) => slot.push(&number.to_string()),
            Field::Other(value) => slot.push(&value.to_string()),
            Field::Nothing => {}
        }
        for (kept, came) in [(&mut slot.kept.fields, more), (&mut slot.kept.function, &function.more)] {
            if !came.is_empty() {
                kept.extend(came.iter().cloned());
            }
        }
        let begins = !slot.announced && !slot.name.is_empty();
        slot.announced |= begins;
        begins.then(|| slot.name.clone())
    }

    /// The call that a fragment goes on with; `None` when it begins one.
    fn find(&self, index: Option<u32>, id: &str, name: &str, with_arguments: bool) -> Option<usize> {
        if !id.is_empty() {
            if let Some(at) = self.slots.iter().rposition(|slot| slot.id == id) {
                let slot = &self.slots[at];
                // The same id with a name, at another place or after a whole call: a server whose ids are all the same.
                let elsewhere = index.is_some() && slot.index.is_some() && slot.index != index;
                let another = !name.is_empty() && (elsewhere || (with_arguments && slot.is_closed()));
                return (!another).then_some(at);
            }
            // An id that comes after the call's beginning, or a new one with each fragment of the same number.
            return self.at(index).filter(|at| match name.is_empty() {
                true => index.is_some() || self.slots[*at].id.is_empty(),
                false => self.slots[*at].id.is_empty() && self.slots[*at].name.is_empty(),
            });
        }
        let at = self.at(index)?;
        let slot = &self.slots[at];
        if name.is_empty() {
            return Some(at);
        }
        let other_name = slot.name != name && (index.is_none() || !slot.arguments.is_empty());
        let begins = other_name || slot.is_closed();
        (!begins).then_some(at)
    }

    /// The newest call with this number; the newest of all where a fragment has none.
    fn at(&self, index: Option<u32>) -> Option<usize> {
        match index {
            Some(_) => self.slots.iter().rposition(|slot| slot.index == index),
            None => self.slots.len().checked_sub(1),
        }
    }

    /// The calls in order, each with an id that is used nowhere else and what is kept of it. With `cut`, calls whose
    /// arguments are no whole JSON are left out: the output limit stopped the model while it wrote them. Nameless calls
    /// are left out always.
    pub(super) fn finish(&mut self, cut: bool, asked: &mut Asked) -> Vec<(Reply, KeptCall)> {
        let mut slots = std::mem::take(&mut self.slots);
        slots.retain(|slot| !slot.name.is_empty());
        if slots.iter().all(|slot| slot.index.is_some()) {
            slots.sort_by_key(|slot| slot.index);
        }
        let mut calls = Vec::with_capacity(slots.len());
        let mut made = 0;
        for mut slot in slots {
            if slot.arguments.trim().is_empty() {
                "{}".clone_into(&mut slot.arguments);
                if cut {
                    continue;
                }
            } else if cut && !slot.is_whole() {
                continue;
            }
            let id = asked.id(&slot.id, &mut made);
            let call = Reply::Call { id, name: asked.names.back(&slot.name), arguments: slot.arguments };
            calls.push((call, slot.kept));
        }
        calls
    }
}
