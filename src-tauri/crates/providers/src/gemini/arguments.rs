// SPDX-License-Identifier: Apache-2.0
//! Arguments that come piece by piece: each piece names its place with a JSON path.

use super::wire::{PartialArg, text};
use serde_json::{Map, Value};

/// A place is at most this deep.
const DEEPEST: usize = 100;
/// A list may have at most this many holes at once: indexes come in order.
const WIDEST_GAP: usize = 16;

/// Arguments being put together. Each piece costs what it is long, whatever came before.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    root: Map<String, Value>,
    /// Where the newest text belongs, and the text: it goes into the tree when another place follows.
    path: String,
    tail: Option<String>,
    /// The newest text goes on.
    unfinished: bool,
    /// A piece had no place.
    broken: bool,
}

enum Step {
    Member(String),
    Item(usize),
}

impl Tree {
    /// Takes a piece.
    pub(super) fn put(&mut self, piece: &PartialArg<'_>) {
        let Some(path) = text(piece.path) else {
            self.broken = true;
            return;
        };
        if let Some(more) = text(piece.string) {
            if self.tail.is_none() || self.path != *path {
                self.settle();
                // Text at a place that has text goes on with it.
                self.tail = Some(match self.place(&path).map(std::mem::take) {
                    Some(Value::String(begun)) => begun,
                    _ => String::new(),
                });
                self.path = path.into_owned();
            }
            self.tail.get_or_insert_default().push_str(&more);
            self.unfinished = piece.will_continue;
            return;
        }
        let value = match piece.scalar {
            Some(raw) => serde_json::from_str::<Value>(raw.get()).ok().filter(|v| v.is_number() || v.is_boolean()),
            None if piece.null => Some(Value::Null),
            // A place that is only announced.
            None => return,
        };
        self.settle();
        match (self.place(&path), value) {
            (Some(place), Some(value)) => *place = value,
            _ => self.broken = true,
        }
    }

    /// The arguments so far, as JSON; `None` when they can't be relied on.
    pub(super) fn finish(mut self) -> Option<String> {
        self.settle();
        (!self.broken).then(|| Value::Object(self.root).to_string())
    }

    /// Whether a text was still being written.
    pub(super) fn is_unfinished(&self) -> bool {
        self.unfinished
    }

    fn settle(&mut self) {
        self.unfinished = false;
        if let Some(tail) = self.tail.take() {
            let path = std::mem::take(&mut self.path);
            match self.place(&path) {
                Some(place) => *place = Value::String(tail),
                None => self.broken = true,
            }
        }
    }

    /// The value at a place, made with what leads there where it is not there yet.
    fn place(&mut self, path: &str) -> Option<&mut Value> {
        let steps = steps(path)?;
        let mut steps = steps.into_iter();
        let Step::Member(first) = steps.next()? else { return None };
        let mut value = self.root.entry(first).or_insert(Value::Null);
        for step in steps {
            value = match step {
                Step::Member(name) => {
                    if value.is_null() {
                        *value = Value::Object(Map::new());
                    }
                    value.as_object_mut()?.entry(name).or_insert(Value::Null)
                }
                Step::Item(index) => {
                    if value.is_null() {
                        *value = Value::Array(Vec::new());
                    }
                    let items = value.as_array_mut()?;
                    if index > items.len() + WIDEST_GAP {
                        return None;
                    }
                    while items.len() <= index {
                        items.push(Value::Null);
                    }
                    items.get_mut(index)?
                }
            };
        }
        Some(value)
    }
}

/// The steps of a path that leads to one place (RFC 9535): `$.a.b[0]`, `$['a b'][0]`.
fn steps(path: &str) -> Option<Vec<Step>> {
    let mut rest = path.strip_prefix('$').unwrap_or(path);
    let mut steps = Vec::new();
    if !path.starts_with('$') && !path.starts_with(['.', '[']) {
        let end = rest.find(['.', '[']).unwrap_or(rest.len());
        if end == 0 {
            return None;
        }
        steps.push(Step::Member(rest[..end].to_owned()));
        rest = &rest[end..];
    }
    while !rest.is_empty() {
        if steps.len() >= DEEPEST {
            return None;
        }
        if let Some(name) = rest.strip_prefix('.') {
            let end = name.find(['.', '[']).unwrap_or(name.len());
            if end == 0 {
                return None;
            }
            steps.push(Step::Member(name[..end].to_owned()));
            rest = &name[end..];
            continue;
        }
        let inside = rest.strip_prefix('[')?;
        if let Some(quote) = inside.chars().next().filter(|c| matches!(c, '\'' | '"')) {
            let (name, after) = quoted(&inside[1..], quote)?;
            steps.push(Step::Member(name));
            rest = after.strip_prefix(']')?;
        } else {
            let (index, after) = inside.split_once(']')?;
            steps.push(Step::Item(index.parse().ok()?));
            rest = after;
        }
    }
    (!steps.is_empty()).then_some(steps)
}

/// A name up to its closing quote, and what follows.
fn quoted(text: &str, quote: char) -> Option<(String, &str)> {
    let mut name = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            c if c == quote => return Some((name, &text[at + c.len_utf8()..])),
            '\\' => {
                let (start, escaped) = chars.next()?;
                match escaped {
                    'b' => name.push('\u{8}'),
                    'f' => name.push('\u{c}'),
                    'n' => name.push('\n'),
                    'r' => name.push('\r'),
                    't' => name.push('\t'),
                    'u' => {
                        let unit = |at: usize| u16::from_str_radix(text.get(at..at + 4)?, 16).ok();
                        let mut units = vec![unit(start + 1)?];
                        let mut used = 4;
                        // A pair of escapes is one character.
                        if (0xD800..0xDC00).contains(&units[0]) && text.get(start + 5..start + 7) == Some("\\u") {
                            units.push(unit(start + 7)?);
                            used = 10;
                        }
                        name.push_str(&String::from_utf16(&units).ok()?);
                        chars.nth(used - 1)?;
                    }
                    other => name.push(other),
                }
            }
            other => name.push(other),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::wire::{Obj, PartialArg};
    use super::*;
    use serde_json::json;

    fn put_together(pieces: &[Value]) -> Option<Value> {
        let mut tree = Tree::default();
        for piece in pieces {
            let text = piece.to_string();
            tree.put(&serde_json::from_str::<Obj<PartialArg<'_>>>(&text).unwrap().0);
        }
        tree.finish().map(|text| serde_json::from_str(&text).unwrap())
    }

    #[test]
    fn pieces_find_their_places() {
        let text = |path: &str, text: &str| json!({"jsonPath": path, "stringValue": text, "willContinue": true});
        let table: [(&[Value], Value); 9] = [
            (&[], json!({})),
            (&[text("$.a", "x"), text("$.a", "y"), text("$.a", "")], json!({"a": "xy"})),
            (&[text("$.a", "x"), text("$.b", "y"), text("$.a", "z")], json!({"a": "xz", "b": "y"})),
            (
                &[text("$.l[0].n", "a"), text("$.l[0].m", "b"), text("$.l[1].n", "c")],
                json!({"l": [{"n": "a", "m": "b"}, {"n": "c"}]}),
            ),
            (
                &[
                    json!({"jsonPath": "$.n", "numberValue": 50}),
                    json!({"jsonPath": "$.f", "numberValue": 0.5}),
                    json!({"jsonPath": "$.t", "boolValue": false}),
                    json!({"jsonPath": "$.z", "nullValue": "NULL_VALUE"}),
                    json!({"jsonPath": "$.y", "nullValue": null}),
                    json!({"jsonPath": "$.later", "willContinue": true}),
                ],
                json!({"n": 50, "f": 0.5, "t": false, "z": null, "y": null}),
            ),
            (
                &[
                    text("$['a b']", "1"),
                    text("$[\"c.d\"][0]", "2"),
                    text(r"$['it\'s']", "3"),
                    text(r"$['\u4e2d']", "4"),
                ],
                json!({"a b": "1", "c.d": ["2"], "it's": "3", "中": "4"}),
            ),
            (&[text(r"$['\ud83d\ude00x']", "1"), text("a.b", "2")], json!({"😀x": "1", "a": {"b": "2"}})),
            (&[text("$.l[2]", "c"), text("$.l[0]", "a")], json!({"l": ["a", null, "c"]})),
            (&[text("$.__proto__.x", "1")], json!({"__proto__": {"x": "1"}})),
        ];
        for (pieces, expected) in table {
            assert_eq!(put_together(pieces), Some(expected), "{pieces:?}");
        }
    }

    #[test]
    fn a_piece_without_a_place_makes_the_whole_unreliable() {
        for path in
            ["$", "", "$.", "$..a", "$[0]", "$.a[", "$.a[x]", "$.a[99]", "$.a['b", "$.a['\\u12'", "$.s.t", "$.s[0]"]
        {
            let pieces = [json!({"jsonPath": "$.s", "numberValue": 1}), json!({"jsonPath": path, "stringValue": "x"})];
            assert_eq!(put_together(&pieces), None, "{path}");
        }
        assert_eq!(put_together(&[json!({"stringValue": "x"})]), None);
        assert_eq!(put_together(&[json!({"jsonPath": "$.a", "numberValue": "7"})]), None);
        assert_eq!(put_together(&[json!({"jsonPath": format!("${}", ".a".repeat(101)), "numberValue": 7})]), None);
    }
}
