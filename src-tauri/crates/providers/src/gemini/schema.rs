// SPDX-License-Identifier: Apache-2.0
//! JSON Schema as Gemini takes it for `parameters`: a subset of OpenAPI 3.0 that is checked for every tool before the
//! request is looked at, so that one wrong keyword costs the whole request.
//!
//! The newer `parametersJsonSchema` is taken by Google itself only, and with limits of its own; the subset is taken
//! everywhere. What it can't say is said in the description, and the arguments are checked against the tool's real
//! schema afterwards. So a translation may allow more than the schema, never less: an object without fixed members
//! becomes JSON as text, which is decoded when it comes.

mod flat;
mod node;

use flat::Flat;
use node::{Alternative, Node};
use serde_json::{Map, Value, json};

/// Objects and lists in one another, until an endpoint says that it takes fewer.
pub(super) const DEEPEST: usize = 8;

/// A schema may have so many bytes, and so many nodes once its references are followed.
const MOST_BYTES: usize = 256 << 10;
const MOST_NODES: usize = 2_000;
/// A choice may be between so many.
const MOST_BRANCHES: usize = 20;
/// One in another: a schema nobody wrote by hand.
const MOST_LEVELS: usize = 100;
/// A reference is followed into itself so often.
const MOST_TURNS: usize = 2;

/// The parameters of a function with this schema; `None` when it has none. An error says why that can't be, in words that
/// follow "The tool was left out: ".
pub(super) fn parameters(schema: &Value, deepest: usize) -> Result<Option<Value>, String> {
    if matches!(schema, Value::Null | Value::Bool(true)) {
        return Ok(None);
    }
    if !schema.is_object() {
        return Err("its schema is not a JSON object".to_owned());
    }
    if schema.to_string().len() > MOST_BYTES {
        return Err(format!("its schema is larger than {} KB", MOST_BYTES >> 10));
    }
    let mut translation = Translation { root: schema, deepest, nodes: 0, levels: 0, trail: Vec::new() };
    let flat = translation.flat(schema)?;
    let objects = translation.objects(flat)?;
    let Some(mut all) = objects.into_iter().reduce(|mut all, other| {
        all.required.retain(|name| other.required.contains(name));
        for (name, node) in other.members {
            match all.members.iter_mut().find(|(known, _)| *known == name) {
                Some((_, known)) => known.or(node),
                None => all.members.push((name, node)),
            }
        }
        all
    }) else {
        return Err("its schema allows no arguments at all".to_owned());
    };
    if all.members.is_empty() {
        return Ok(None);
    }
    all.required.retain(|name| all.members.iter().any(|(known, _)| known == name));
    Ok(Some(Value::Object(all.into_fields())))
}

struct Translation<'a> {
    root: &'a Value,
    deepest: usize,
    nodes: usize,
    levels: usize,
    /// The references followed to where it is.
    trail: Vec<String>,
}

/// An object with its members.
#[derive(Default)]
struct Object {
    members: Vec<(String, Node)>,
    required: Vec<String>,
}

impl Object {
    fn into_fields(self) -> Map<String, Value> {
        let members: Map<String, Value> = self.members.into_iter().map(|(name, node)| (name, node.render())).collect();
        let mut fields = Map::new();
        fields.insert("type".to_owned(), json!("OBJECT"));
        fields.insert("properties".to_owned(), Value::Object(members));
        if !self.required.is_empty() {
            fields.insert("required".to_owned(), json!(self.required));
        }
        fields
    }
}

impl<'a> Translation<'a> {
    /// The objects that the outermost schema may be.
    fn objects<'s>(&mut self, flat: Flat<'s>) -> Result<Vec<Object>, String>
    where
        'a: 's,
    {
        if flat.never {
            return Ok(Vec::new());
        }
        let (types, ..) = flat.types();
        if flat.recursive || (!types.is_empty() && !types.contains(&"OBJECT")) {
            return Err("its arguments are not an object".to_owned());
        }
        if flat.has_members() {
            return Ok(vec![self.object(&flat, 0)?]);
        }
        if let Some(branches) = flat.branches() {
            let mut objects = Vec::new();
            for branch in branches.iter().filter(|branch| branch.get("type") != Some(&json!("null"))) {
                let mark = self.trail.len();
                let flat = self.flat(branch)?;
                self.step_in()?;
                objects.extend(self.objects(flat)?);
                self.levels -= 1;
                self.trail.truncate(mark);
            }
            return Ok(objects);
        }
        let open = |key: &str| flat.get(key).is_some_and(|value| value.as_object().is_some_and(|map| !map.is_empty()));
        if open("additionalProperties") || open("patternProperties") {
            return Err("its arguments have no fixed names".to_owned());
        }
        Ok(vec![Object::default()])
    }

    fn step_in(&mut self) -> Result<(), String> {
        self.levels += 1;
        if self.levels > MOST_LEVELS { Err("its schema is nested too deep".to_owned()) } else { Ok(()) }
    }

    /// What a schema that stands so deep in others says.
    fn node<'s>(&mut self, schema: &'s Value, depth: usize) -> Result<Node, String>
    where
        'a: 's,
    {
        let mark = self.trail.len();
        let flat = self.flat(schema)?;
        self.step_in()?;
        let node = self.of(&flat, depth)?;
        self.levels -= 1;
        self.trail.truncate(mark);
        Ok(node)
    }

    fn of<'s>(&mut self, flat: &Flat<'s>, depth: usize) -> Result<Node, String>
    where
        'a: 's,
    {
        if flat.never {
            return Ok(Node::never());
        }
        let mut node = if flat.recursive {
            Node::text("any JSON value, as text")
        } else if let Some(branches) = flat.branches().filter(|_| !flat.has_members()) {
            self.choice(flat, branches, depth)?
        } else {
            self.typed(flat, depth)?
        };
        node.describe(flat.text("description").or_else(|| flat.text("title")));
        if let Some(default) = flat.get("default") {
            node.note(format!("default: {}", node::brief(default)));
        }
        Ok(node)
    }

    /// One of several.
    fn choice<'s>(&mut self, flat: &Flat<'s>, branches: &[Value], depth: usize) -> Result<Node, String>
    where
        'a: 's,
    {
        let mut node = Node::never();
        if branches.len() > MOST_BRANCHES && !branches.iter().all(|branch| branch.get("const").is_some()) {
            return Ok(Node::any());
        }
        for branch in branches {
            let mark = self.trail.len();
            let mut joined = self.flat(branch)?;
            joined.add_base(flat);
            self.step_in()?;
            node.or(self.of(&joined, depth)?);
            self.levels -= 1;
            self.trail.truncate(mark);
        }
        Ok(node)
    }

    fn typed<'s>(&mut self, flat: &Flat<'s>, depth: usize) -> Result<Node, String>
    where
        'a: 's,
    {
        let (mut types, nullable, values) = flat.types();
        let mut node = Node::never();
        node.nullable = nullable;
        if types.is_empty() && !nullable {
            let mut any = Node::any();
            if let Some(values) = values {
                any.note(node::listed(values));
            }
            return Ok(any);
        }
        // Every whole number is a number.
        if types.contains(&"NUMBER") {
            types.retain(|kind| *kind != "INTEGER");
        }
        for kind in types {
            node.alternatives.extend(match kind {
                "ARRAY" => Some(self.list(flat, depth)?),
                "OBJECT" => Some(self.nested(flat, depth)?),
                kind => node::scalar(kind, flat, values),
            });
        }
        // None of the values is of the type: whoever wrote that meant the type.
        if node.alternatives.is_empty() && !node.nullable {
            node.alternatives.extend(flat.types().0.into_iter().filter_map(|kind| node::scalar(kind, flat, None)));
        }
        Ok(node)
    }

    fn list<'s>(&mut self, flat: &Flat<'s>, depth: usize) -> Result<Alternative, String>
    where
        'a: 's,
    {
        if depth >= self.deepest {
            return Ok(Alternative::text("a JSON list, as text"));
        }
        let mut alternative = Alternative::of("ARRAY");
        let tuple = flat.list("prefixItems").or_else(|| flat.list("items"));
        let rest = flat.get("items").filter(|items| !items.is_array()).or_else(|| flat.get("additionalItems"));
        let mut items = Node::never();
        if let Some(tuple) = tuple {
            for item in tuple.iter().take(MOST_BRANCHES) {
                items.or(self.node(item, depth + 1)?);
            }
            alternative.notes.push(format!("{} items, each with its own meaning", tuple.len()));
        }
        match rest {
            Some(schema) => items.or(self.node(schema, depth + 1)?),
            None if tuple.is_none() => items = Node::any(),
            None => {}
        }
        // Nothing may be in it.
        if items.is_never() {
            items = Node::any();
        }
        alternative.fields.insert("items".to_owned(), items.render());
        for key in ["minItems", "maxItems"] {
            alternative.count(key, flat);
        }
        if flat.get("uniqueItems") == Some(&Value::Bool(true)) {
            alternative.notes.push("no item twice".to_owned());
        }
        Ok(alternative)
    }

    fn nested<'s>(&mut self, flat: &Flat<'s>, depth: usize) -> Result<Alternative, String>
    where
        'a: 's,
    {
        if depth < self.deepest && flat.has_members() {
            let object = self.object(flat, depth)?;
            if !object.members.is_empty() {
                return Ok(Alternative::with(object.into_fields()));
            }
        }
        let mut text = Alternative::text("a JSON object, as text");
        if let Some(each) =
            flat.get("additionalProperties").filter(|each| each.as_object().is_some_and(|m| !m.is_empty()))
        {
            text.notes.push(format!("each member like {}", node::brief(each)));
        }
        Ok(text)
    }

    fn object<'s>(&mut self, flat: &Flat<'s>, depth: usize) -> Result<Object, String>
    where
        'a: 's,
    {
        let mut object = Object::default();
        self.members(flat, depth, &mut object)?;
        object.required = flat.required();
        // What only some of the choices have may be there; which of them belong together is said by no keyword here.
        if let Some(branches) = flat.branches() {
            for branch in branches.iter().take(MOST_BRANCHES) {
                let mark = self.trail.len();
                let flat = self.flat(branch)?;
                if !flat.never && !flat.recursive {
                    self.members(&flat, depth, &mut object)?;
                }
                self.trail.truncate(mark);
            }
        }
        object.required.retain(|name| object.members.iter().any(|(known, _)| known == name));
        Ok(object)
    }

    fn members<'s>(&mut self, flat: &Flat<'s>, depth: usize, object: &mut Object) -> Result<(), String>
    where
        'a: 's,
    {
        let Some(Value::Object(members)) = flat.get("properties") else { return Ok(()) };
        for (name, schema) in members {
            if name.is_empty() || object.members.iter().any(|(known, _)| known == name) {
                continue;
            }
            let node = self.node(schema, depth + 1)?;
            if !node.is_never() {
                object.members.push((name.clone(), node));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
