// SPDX-License-Identifier: Apache-2.0
//! The items of an answer while they are being written, and which of them an event means.

use super::said::Said;
use crate::responses::wire::text;
use serde_json::Value;
use std::collections::{HashMap, VecDeque};

/// What is done with an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Message,
    Reasoning,
    Call,
    /// The provider's own.
    Other,
}

impl Shape {
    pub(super) fn of(kind: &str) -> Self {
        match kind {
            "message" => Shape::Message,
            "reasoning" => Shape::Reasoning,
            "function_call" => Shape::Call,
            _ => Shape::Other,
        }
    }
}

/// One item.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    pub(super) shape: Shape,
    /// The provider's name for what it is.
    pub(super) kind: String,
    pub(super) index: Option<u64>,
    pub(super) id: String,
    /// Its start was announced; else it began with a piece of it.
    pub(super) begun: bool,
    /// It came whole.
    pub(super) done: bool,
    /// As it was announced, then as it came whole.
    pub(super) item: Value,
    pub(super) said: Said,
    pub(super) annotations: Vec<Value>,
    pub(super) call_id: String,
    pub(super) name: String,
    /// Whether the call's name was told.
    pub(super) told: bool,
    /// A call's arguments, piece by piece.
    pub(super) arguments: String,
    /// The arguments came whole.
    pub(super) whole: bool,
}

impl Slot {
    fn new(shape: Shape, kind: &str, index: Option<u64>, id: &str) -> Self {
        Self {
            shape,
            kind: kind.to_owned(),
            index,
            id: id.to_owned(),
            begun: false,
            done: false,
            item: Value::Null,
            said: Said::default(),
            annotations: Vec::new(),
            call_id: String::new(),
            name: String::new(),
            told: false,
            arguments: String::new(),
            whole: false,
        }
    }

    /// Nothing of it came but its start.
    pub(super) fn is_untouched(&self) -> bool {
        self.said.is_empty() && self.arguments.is_empty() && !self.whole && self.annotations.is_empty()
    }
}

/// All items, in the order in which they began.
#[derive(Clone, Debug, Default)]
pub(super) struct Items {
    pub(super) slots: Vec<Slot>,
    by_index: HashMap<u64, usize>,
    by_id: HashMap<String, usize>,
    /// The same id came for two items, so that ids tell nothing.
    ids_repeat: bool,
    last: usize,
}

impl Items {
    /// The item that an event names. Ids go before numbers, because some servers number everything 0; but only ids that
    /// are known, because others give every event a new one.
    pub(super) fn find(&mut self, index: Option<u64>, id: &str) -> Option<usize> {
        if let Some(slot) = self.slots.get(self.last)
            && !self.ids_repeat
            && !id.is_empty()
            && slot.id == id
        {
            return Some(self.last);
        }
        let named = (!id.is_empty()).then(|| self.by_id.get(id).copied()).flatten();
        let numbered = index.and_then(|index| self.by_index.get(&index).copied());
        let found = if self.ids_repeat { numbered.or(named) } else { named.or(numbered) }?;
        self.last = found;
        Some(found)
    }

    /// The item that a piece belongs to; begun with it where the server did not say that it begins.
    pub(super) fn for_piece(&mut self, index: Option<u64>, id: &str, shape: Shape) -> usize {
        let fits = |slot: &Slot| slot.shape == shape && !slot.done;
        if let Some(at) = self.find(index, id).filter(|at| fits(&self.slots[*at])) {
            return at;
        }
        // Neither number nor id: it goes on.
        let goes_on = |slot: &Slot| fits(slot) && index.is_none() && (id.is_empty() || slot.id.is_empty());
        if self.slots.get(self.last).is_some_and(goes_on) {
            return self.last;
        }
        let kind = match shape {
            Shape::Message => "message",
            Shape::Reasoning => "reasoning",
            Shape::Call | Shape::Other => "function_call",
        };
        self.add(shape, kind, index, id)
    }

    pub(super) fn add(&mut self, shape: Shape, kind: &str, index: Option<u64>, id: &str) -> usize {
        let at = self.slots.len();
        self.slots.push(Slot::new(shape, kind, index, id));
        if let Some(index) = index {
            self.by_index.insert(index, at);
        }
        if !id.is_empty() && self.by_id.insert(id.to_owned(), at).is_some() {
            self.ids_repeat = true;
        }
        self.last = at;
        at
    }

    /// The id of an item that began without one.
    pub(super) fn name(&mut self, at: usize, id: &str) -> usize {
        if self.slots[at].id.is_empty() && !id.is_empty() && !self.by_id.contains_key(id) {
            self.slots[at].id = id.to_owned();
            self.by_id.insert(id.to_owned(), at);
        }
        at
    }

    /// The newest item of this kind that is not done.
    pub(super) fn open(&self, kind: &str) -> Option<usize> {
        // Items are done about as they begin: what is open is near the end.
        let newest = self.slots.iter().enumerate().rev().take(64);
        newest.into_iter().find(|(_, slot)| slot.kind == kind && !slot.done).map(|(at, _)| at)
    }

    /// The items in the provider's order: by their numbers where each has its own, else as they began.
    pub(super) fn in_order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.slots.len()).collect();
        if self.by_index.len() == self.slots.len() {
            order.sort_by_key(|at| self.slots[*at].index);
        }
        order
    }

    /// Which item each of a final list is, where it is one: by id, by the id of its call, else by kind and order.
    pub(super) fn matches(&self, output: &[Value]) -> Vec<Option<usize>> {
        let mut found: Vec<Option<usize>> = vec![None; output.len()];
        let mut taken = vec![false; self.slots.len()];
        let calls: HashMap<&str, usize> = self
            .slots
            .iter()
            .enumerate()
            .filter(|(_, slot)| !slot.call_id.is_empty())
            .map(|(at, slot)| (slot.call_id.as_str(), at))
            .collect();
        for (item, found) in output.iter().zip(&mut found) {
            let same = |at: &usize| self.slots[*at].kind == text(item, "type") && !taken[*at];
            let by_id = (!self.ids_repeat).then(|| self.by_id.get(text(item, "id")).copied()).flatten().filter(same);
            let by_call = || calls.get(text(item, "call_id")).copied().filter(same);
            *found = by_id.or_else(by_call);
            if let Some(at) = *found {
                taken[at] = true;
            }
        }
        let mut rest: HashMap<&str, VecDeque<usize>> = HashMap::new();
        for at in self.in_order().into_iter().filter(|at| !taken[*at]) {
            rest.entry(self.slots[at].kind.as_str()).or_default().push_back(at);
        }
        for (item, found) in output.iter().zip(&mut found).filter(|(_, found)| found.is_none()) {
            let Some(queue) = rest.get_mut(text(item, "type")) else { continue };
            let call_id = text(item, "call_id");
            // Calls with two different ids are two calls.
            let fits = |at: &usize| {
                let known = &self.slots[*at].call_id;
                self.slots[*at].shape != Shape::Call || call_id.is_empty() || known.is_empty() || known == call_id
            };
            if queue.front().is_some_and(fits) {
                *found = queue.pop_front();
            }
        }
        found
    }
}
