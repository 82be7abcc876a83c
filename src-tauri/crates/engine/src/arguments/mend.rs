// SPDX-License-Identifier: Apache-2.0
//! Mends a tree where the schema leaves only one thing it can mean, and says what it did.

use super::explain::{Kind, Schema};
use super::read::{self, Node, is_integer, kind};
use super::step;
use serde_json::Value;

/// Mends in place; what can't be mended stays as it is and fails validation afterwards.
pub(super) fn mend(node: &mut Node, schema: &Value, repairs: &mut Vec<String>) {
    let mut mender = Mender { repairs };
    mender.node(node, Schema::root(schema), "");
}

struct Mender<'r> {
    repairs: &'r mut Vec<String>,
}

impl Mender<'_> {
    fn node(&mut self, node: &mut Node, schema: Schema<'_>, path: &str) {
        if let Some(wanted) = schema.kinds()
            && !wanted.iter().any(|k| fits(node, *k))
        {
            self.coerce(node, schema, &wanted, path);
        }
        match node {
            Node::Object(_) => self.object(node, schema.branch(Kind::Object), path),
            Node::Array(items) => {
                if let Some(item) = schema.branch(Kind::Array).items() {
                    for (i, node) in items.iter_mut().enumerate() {
                        self.node(node, item, &step(path, &i.to_string()));
                    }
                }
            }
            _ => {}
        }
    }

    fn coerce(&mut self, node: &mut Node, schema: Schema<'_>, wanted: &[Kind], path: &str) {
        if let Some((mended, note)) = scalar(node, wanted) {
            *node = mended;
            self.repairs.push(format!("`{path}` {note}"));
            return;
        }
        let looks_encoded = matches!(node, Node::String(s) if s.trim_start().starts_with(['{', '[']));
        if looks_encoded || !wanted.contains(&Kind::Array) || matches!(node, Node::Null | Node::Array(_)) {
            return;
        }
        // One thing where a list is wanted, if the list may hold such a thing.
        let Some(item) = schema.branch(Kind::Array).items() else { return };
        let mut only = node.clone();
        let mut notes = Vec::new();
        Mender { repairs: &mut notes }.node(&mut only, item, &step(path, "0"));
        if item.kinds().is_none_or(|kinds| kinds.iter().any(|k| fits(&only, *k))) {
            self.repairs.push(format!("`{path}` was {} and was taken as a list of one", kind(node)));
            *node = Node::Array(vec![std::mem::replace(node, Node::Null)]);
        }
    }

    fn object(&mut self, node: &mut Node, schema: Schema<'_>, path: &str) {
        let Node::Object(members) = node else { return };
        self.rename(members, schema, path);
        members.retain(|(key, value)| {
            let drop = *value == Node::Null
                && !schema.requires(key)
                && schema.property(key).and_then(|s| s.kinds()).is_some_and(|kinds| !kinds.contains(&Kind::Null));
            if drop {
                self.repairs.push(format!("`{}` was null and is optional; left out", step(path, key)));
            }
            !drop
        });
        for (key, value) in members {
            if let Some(schema) = schema.property(key) {
                self.node(value, schema, &step(path, key));
            }
        }
    }

    /// Gives misspelt keys their right names.
    fn rename(&mut self, members: &mut [(String, Node)], schema: Schema<'_>, path: &str) {
        let known = schema.property_names();
        let present: Vec<String> = members.iter().map(|(key, _)| key.clone()).collect();
        let absent = |name: &str| !present.iter().any(|key| key == name);
        let targets: Vec<Option<&str>> = present
            .iter()
            .map(|key| {
                if known.contains(&key.as_str()) {
                    return None;
                }
                let target = meant(key, &known).filter(|target| absent(target))?;
                (!schema.allows(key) || schema.requires(target)).then_some(target)
            })
            .collect();
        for (i, target) in targets.iter().enumerate() {
            let Some(target) = target else { continue };
            if targets.iter().filter(|t| *t == &Some(*target)).count() > 1 {
                continue;
            }
            let key = &mut members[i].0;
            self.repairs.push(format!("`{}` was taken as `{}`", step(path, key), step(path, target)));
            *key = (*target).to_owned();
        }
    }
}

fn fits(node: &Node, kind: Kind) -> bool {
    match node {
        Node::Null => kind == Kind::Null,
        Node::Bool(_) => kind == Kind::Boolean,
        Node::Number(text) => {
            kind == Kind::Number
                || kind == Kind::Integer
                    && (is_integer(text)
                        || read::number(text).and_then(|n| n.as_f64()).is_some_and(|f| f.fract() == 0.0))
        }
        Node::String(_) => kind == Kind::String,
        Node::Array(_) => kind == Kind::Array,
        Node::Object(_) => kind == Kind::Object,
    }
}

/// A coercion that loses nothing, with its note.
fn scalar(node: &Node, wanted: &[Kind]) -> Option<(Node, String)> {
    let wants = |kind| wanted.contains(&kind);
    match node {
        Node::Number(text) if wants(Kind::String) => {
            Some((Node::String(text.clone()), format!("was the number {text} and was taken as text")))
        }
        Node::String(text) => {
            let trimmed = text.trim();
            let as_number = wants(Kind::Integer) && is_integer(trimmed) || wants(Kind::Number) && is_lossless(trimmed);
            if as_number && read::number(trimmed).is_some() {
                let note = format!("was the text \"{trimmed}\" and was taken as a number");
                return Some((Node::Number(trimmed.to_owned()), note));
            }
            if wants(Kind::Boolean) && ["true", "false"].iter().any(|w| trimmed.eq_ignore_ascii_case(w)) {
                let value = trimmed.eq_ignore_ascii_case("true");
                return Some((Node::Bool(value), format!("was text and was taken as {value}")));
            }
            if (wants(Kind::Object) || wants(Kind::Array)) && trimmed.starts_with(['{', '[']) {
                let inner = read::whole(trimmed)?;
                let fits = wanted.iter().any(|k| fits(&inner, *k));
                return fits.then(|| (inner, "was JSON inside a string; decoded".into()));
            }
            None
        }
        _ => None,
    }
}

/// Whether this is a plain decimal that `f64` gives back digit by digit: at most 15 of them.
fn is_lossless(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    is_integer(whole)
        && !whole.starts_with('-')
        && !fraction.is_empty()
        && fraction.bytes().all(|b| b.is_ascii_digit())
        && whole.len() + fraction.len() <= 15
        || is_integer(text)
}

/// The known key that was surely meant: first by case, `_` and `-` alone, then by one or two typing errors. Two that
/// would do are none. Digits are never a typing error (`line1` is not `line2`), nor are keys of one or two letters, and
/// keys of three letters have one error at most.
fn meant<'k>(key: &str, known: &[&'k str]) -> Option<&'k str> {
    let folded = fold(key);
    if folded.is_empty() {
        return None;
    }
    let same: Vec<&str> = known.iter().copied().filter(|k| fold(k) == folded).collect();
    if !same.is_empty() {
        return if same.len() == 1 { Some(same[0]) } else { None };
    }
    let mut near = known.iter().copied().filter(|k| {
        let k = fold(k);
        let allowed = match k.chars().count().min(folded.chars().count()) {
            0..=2 => 0,
            3 => 1,
            _ => 2,
        };
        digits(&k) == digits(&folded) && strsim::osa_distance(&k, &folded) <= allowed
    });
    let first = near.next()?;
    near.next().is_none().then_some(first)
}

fn fold(key: &str) -> String {
    key.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn digits(key: &str) -> String {
    key.chars().filter(char::is_ascii_digit).collect()
}
