// SPDX-License-Identifier: Apache-2.0
use super::{MOST_LEVELS, MOST_NODES, MOST_TURNS, Translation};
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// A schema with its references followed and its `allOf` joined: keywords that all hold.
#[derive(Clone, Debug, Default)]
pub(super) struct Flat<'s> {
    keywords: Vec<(&'s str, Cow<'s, Value>)>,
    /// Nothing fits.
    pub(super) never: bool,
    /// It leads into itself once too often.
    pub(super) recursive: bool,
}

impl<'s> Flat<'s> {
    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        self.keywords.iter().find(|(known, _)| *known == key).map(|(_, value)| &**value)
    }

    pub(super) fn text(&self, key: &str) -> Option<&str> {
        self.get(key)?.as_str().map(str::trim).filter(|text| !text.is_empty())
    }

    pub(super) fn list(&self, key: &str) -> Option<&[Value]> {
        self.get(key)?.as_array().map(Vec::as_slice).filter(|list| !list.is_empty())
    }

    /// Schemas of which one has to fit.
    pub(super) fn branches(&self) -> Option<&[Value]> {
        self.list("anyOf").or_else(|| self.list("oneOf"))
    }

    pub(super) fn has_members(&self) -> bool {
        self.get("properties").and_then(Value::as_object).is_some_and(|members| !members.is_empty())
    }

    pub(super) fn required(&self) -> Vec<String> {
        let names = self.list("required").unwrap_or_default();
        let mut required: Vec<String> = Vec::with_capacity(names.len());
        for name in names.iter().filter_map(Value::as_str) {
            if !required.iter().any(|known| known == name) {
                required.push(name.to_owned());
            }
        }
        required
    }

    /// Gemini's names of the types that may come, whether null may, and the values that are left when there are only some.
    pub(super) fn types(&self) -> (Vec<&'static str>, bool, Option<&[Value]>) {
        let values = match (self.get("const"), self.get("enum")) {
            (Some(only), _) => Some(std::slice::from_ref(only)),
            (None, Some(Value::Array(list))) if !list.is_empty() => Some(list.as_slice()),
            _ => None,
        };
        let mut types: Vec<&'static str> = Vec::new();
        let mut null = self.get("nullable") == Some(&Value::Bool(true));
        let said = match self.get("type") {
            Some(one @ Value::String(_)) => std::slice::from_ref(one),
            Some(Value::Array(several)) => several,
            _ => &[],
        };
        let mut says_type = false;
        for name in said.iter().filter_map(Value::as_str) {
            let known = match name.to_ascii_lowercase().as_str() {
                "string" => "STRING",
                "number" => "NUMBER",
                "integer" => "INTEGER",
                "boolean" => "BOOLEAN",
                "array" => "ARRAY",
                "object" => "OBJECT",
                "null" => {
                    null = true;
                    says_type = true;
                    continue;
                }
                _ => continue,
            };
            says_type = true;
            if !types.contains(&known) {
                types.push(known);
            }
        }
        if let Some(values) = values {
            if says_type {
                null &= values.iter().any(Value::is_null);
            } else {
                null |= values.iter().any(Value::is_null);
                let all_whole = values.iter().filter(|v| v.is_number()).all(|v| v.is_i64() || v.is_u64());
                for value in values {
                    let kind = match value {
                        Value::String(_) => "STRING",
                        Value::Number(_) if all_whole => "INTEGER",
                        Value::Number(_) => "NUMBER",
                        Value::Bool(_) => "BOOLEAN",
                        _ => continue,
                    };
                    if !types.contains(&kind) {
                        types.push(kind);
                    }
                }
            }
        } else if !says_type {
            let has = |keys: &[&str]| keys.iter().any(|key| self.get(key).is_some());
            let inferred = [
                (
                    "OBJECT",
                    has(&["properties", "required", "additionalProperties", "patternProperties", "propertyNames"]),
                ),
                ("ARRAY", has(&["items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"])),
                ("STRING", has(&["pattern", "minLength", "maxLength", "format", "contentEncoding"])),
                ("NUMBER", has(&["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"])),
            ];
            types.extend(inferred.into_iter().filter(|(_, says)| *says).map(|(kind, _)| kind));
        }
        (types, null, values)
    }

    /// What holds for all branches of a choice holds for this one, too.
    pub(super) fn add_base(&mut self, base: &Flat<'s>) {
        for (key, value) in &base.keywords {
            if !matches!(*key, "anyOf" | "oneOf" | "description" | "title" | "default") {
                self.add(key, value.clone());
            }
        }
    }

    fn add(&mut self, key: &'s str, value: Cow<'s, Value>) {
        let Some((_, known)) = self.keywords.iter_mut().find(|(known, _)| *known == key) else {
            self.keywords.push((key, value));
            return;
        };
        if *known != value
            && let Some(joined) = join(key, known, &value)
        {
            *known = Cow::Owned(joined);
        }
    }
}

/// A keyword that is there twice; `None` where the first one stays.
fn join(key: &str, one: &Value, other: &Value) -> Option<Value> {
    match (key, one, other) {
        ("properties", Value::Object(one), Value::Object(other)) => {
            let mut all: Map<String, Value> = one.clone();
            for (name, schema) in other {
                match all.get_mut(name) {
                    Some(known) if known != schema => *known = json!({ "allOf": [known.take(), schema] }),
                    Some(_) => {}
                    None => {
                        all.insert(name.clone(), schema.clone());
                    }
                }
            }
            Some(Value::Object(all))
        }
        ("required", Value::Array(one), Value::Array(other)) => {
            Some(one.iter().chain(other.iter().filter(|name| !one.contains(name))).cloned().collect())
        }
        ("items", Value::Object(_), Value::Object(_)) => Some(json!({ "allOf": [one, other] })),
        ("type", ..) => {
            let names = |value: &Value| match value {
                Value::Array(list) => list.clone(),
                value => vec![value.clone()],
            };
            let (one, other) = (names(one), names(other));
            let has = |list: &[Value], name: &Value| {
                list.contains(name) || (name == "integer" && list.iter().any(|known| known == "number"))
            };
            let both: Vec<Value> = one
                .iter()
                .filter(|name| has(&other, name))
                .chain(other.iter().filter(|name| has(&one, name) && !one.contains(name)))
                .cloned()
                .collect();
            (!both.is_empty()).then_some(Value::Array(both))
        }
        ("enum", Value::Array(one), Value::Array(other)) => {
            let both: Vec<Value> = one.iter().filter(|value| other.contains(value)).cloned().collect();
            (!both.is_empty()).then_some(Value::Array(both))
        }
        ("minimum" | "exclusiveMinimum" | "minLength" | "minItems", ..) => {
            (other.as_f64()? > one.as_f64()?).then(|| other.clone())
        }
        ("maximum" | "exclusiveMaximum" | "maxLength" | "maxItems", ..) => {
            (other.as_f64()? < one.as_f64()?).then(|| other.clone())
        }
        _ => None,
    }
}

impl<'a> Translation<'a> {
    /// The keywords of a schema. The references it follows stay on the trail.
    pub(super) fn flat<'s>(&mut self, schema: &'s Value) -> Result<Flat<'s>, String>
    where
        'a: 's,
    {
        let mut flat = Flat::default();
        self.flatten(schema, &mut flat, 0)?;
        Ok(flat)
    }

    fn flatten<'s>(&mut self, schema: &'s Value, flat: &mut Flat<'s>, level: usize) -> Result<(), String>
    where
        'a: 's,
    {
        self.nodes += 1;
        if self.nodes > MOST_NODES || level > MOST_LEVELS {
            return Err("its schema is too large once its references are followed".to_owned());
        }
        let members = match schema {
            Value::Bool(true) => return Ok(()),
            Value::Bool(false) => {
                flat.never = true;
                return Ok(());
            }
            Value::Object(members) => members,
            other => return Err(format!("its schema is malformed: `{}` is no schema", super::node::brief(other))),
        };
        for (key, value) in members {
            if !matches!(key.as_str(), "$ref" | "$dynamicRef" | "$recursiveRef" | "allOf") {
                flat.add(key, Cow::Borrowed(value));
            }
        }
        for key in ["$ref", "$dynamicRef", "$recursiveRef"] {
            let Some(reference) = members.get(key).and_then(Value::as_str) else { continue };
            if self.trail.iter().filter(|known| *known == reference).count() >= MOST_TURNS {
                flat.recursive = true;
                continue;
            }
            let target = self.resolve(reference)?;
            self.trail.push(reference.to_owned());
            self.flatten(target, flat, level + 1)?;
        }
        if let Some(Value::Array(all)) = members.get("allOf") {
            for one in all {
                self.flatten(one, flat, level + 1)?;
            }
        }
        Ok(())
    }

    /// What a reference inside the schema points to.
    fn resolve(&self, reference: &str) -> Result<&'a Value, String> {
        let own = self.root.get("$id").and_then(Value::as_str).unwrap_or_default().trim_end_matches('#');
        let inside = reference.strip_prefix(own).unwrap_or(reference);
        let Some(pointer) = inside.strip_prefix('#') else {
            return Err(format!("its schema refers to {reference}, and nothing is fetched from elsewhere"));
        };
        let pointer = percent_decoded(pointer);
        let target = if pointer.is_empty() || pointer.starts_with('/') {
            self.root.pointer(&pointer)
        } else {
            ["$defs", "definitions"].iter().find_map(|key| {
                let named = |schema: &&Value| {
                    ["$anchor", "$dynamicAnchor"].iter().any(|key| schema.get(key) == Some(&json!(pointer)))
                };
                self.root.get(key)?.as_object()?.values().find(named)
            })
        };
        target.ok_or_else(|| format!("its schema refers to `{reference}`, which is not in it"))
    }
}

fn percent_decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let hex = after.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.filter(|_| *first == b'%').and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
}
