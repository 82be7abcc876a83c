// SPDX-License-Identifier: Apache-2.0
use super::arguments::Tree;
use super::wire::{Call as Fragment, Obj, words};
use serde_json::Value;

/// Puts calls together: most come whole, some in fragments.
#[derive(Clone, Debug, Default)]
pub(super) struct Calls {
    list: Vec<Call>,
    /// The call that a fragment without a name or an id belongs to.
    open: Option<usize>,
    nameless: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Call {
    /// The provider's id; empty when it gave none.
    pub(super) id: String,
    /// The name as it came.
    pub(super) name: String,
    arguments: Arguments,
    /// Everything of it came.
    pub(super) whole: bool,
}

#[derive(Clone, Debug)]
enum Arguments {
    Text(String),
    Tree(Tree),
}

/// What became of a fragment.
#[derive(Debug, PartialEq)]
pub(super) enum Taken {
    /// It began this call.
    Began(usize),
    /// It belongs to this call.
    More(usize),
    /// It says nothing new, or nothing that can be understood.
    Nothing,
}

impl Calls {
    pub(super) fn push(&mut self, fragment: &Fragment<'_>) -> Taken {
        let id = words(fragment.id).unwrap_or_default();
        let goes_on = fragment.will_continue
            || fragment.partial.iter().any(|Obj(piece)| piece.will_continue && piece.path.is_some());
        let known = (!id.is_empty()).then(|| self.list.iter().position(|call| !call.whole && call.id == *id)).flatten();
        let name = words(fragment.name);
        let taken = match (known, name) {
            (Some(at), _) => Taken::More(at),
            (None, Some(name)) => {
                let arguments = match fragment.args.map(|args| args.get()) {
                    None => Arguments::Tree(Tree::default()),
                    Some(args) => Arguments::Text(match words(fragment.args) {
                        Some(text) => text.into_owned(),
                        None => args.to_owned(),
                    }),
                };
                if !id.is_empty() && self.list.iter().any(|call| call.is(&id, &name, &arguments)) {
                    return Taken::Nothing;
                }
                // The next call begins: the one before was complete.
                if let Some(before) = self.open.take() {
                    self.list[before].whole = true;
                }
                self.list.push(Call { id: id.into_owned(), name: name.into_owned(), arguments, whole: false });
                Taken::Began(self.list.len() - 1)
            }
            (None, None) => match self.open {
                Some(at) => Taken::More(at),
                None => {
                    self.nameless |= fragment.args.is_some() || !fragment.partial.is_empty();
                    return Taken::Nothing;
                }
            },
        };
        let (Taken::Began(at) | Taken::More(at)) = taken else { return taken };
        let call = &mut self.list[at];
        if let (Taken::More(_), Some(args)) = (&taken, fragment.args) {
            call.arguments = Arguments::Text(args.get().to_owned());
        }
        for Obj(piece) in &fragment.partial {
            match &mut call.arguments {
                Arguments::Tree(tree) => tree.put(piece),
                // Whole arguments are the last word.
                Arguments::Text(_) => {}
            }
        }
        // A fragment that promises no other one ends the call; so does one that says nothing at all.
        call.whole = !goes_on;
        self.open = goes_on.then_some(at);
        taken
    }

    /// Whether a call came without a name.
    pub(super) fn had_nameless(&self) -> bool {
        self.nameless
    }

    /// The model stopped by itself: a call that only lacks its last fragment is whole.
    pub(super) fn close(&mut self) {
        if let Some(at) = self.open.take() {
            let call = &mut self.list[at];
            call.whole = match &call.arguments {
                Arguments::Tree(tree) => !tree.is_unfinished(),
                Arguments::Text(_) => true,
            };
        }
    }

    /// All calls, in order.
    pub(super) fn take(&mut self) -> Vec<Call> {
        self.open = None;
        std::mem::take(&mut self.list)
    }
}

impl Call {
    /// Its arguments as the model wrote them; `None` when they can't be relied on.
    pub(super) fn arguments(self) -> Option<String> {
        match self.arguments {
            Arguments::Text(text) => Some(text),
            Arguments::Tree(tree) => tree.finish(),
        }
    }

    /// Whether this is the same call, said twice.
    fn is(&self, id: &str, name: &str, arguments: &Arguments) -> bool {
        let same = |a: &str, b: &str| {
            a == b
                || matches!((serde_json::from_str::<Value>(a), serde_json::from_str::<Value>(b)), (Ok(a), Ok(b)) if a == b)
        };
        self.id == id
            && self.name == name
            && matches!((&self.arguments, arguments), (Arguments::Text(a), Arguments::Text(b)) if same(a, b))
    }
}
