// SPDX-License-Identifier: Apache-2.0
//! A tool's schema as the parameters of a function: an object, well formed, without anything to be fetched. Whether
//! arguments fit is checked by the engine against the tool's own schema, so a looser one here costs nothing.

use serde_json::{Map, Value, json};

/// A schema nests at most so deep.
const DEEPEST: usize = 48;
/// References in a row are followed so far.
const LONGEST_CHAIN: usize = 8;
/// So much is read of what a schema's top refers to and is composed of: a few lines can stand for billions.
const MOST_VISITS: usize = 2000;

/// The schema as it can be sent: of type `object`, with `properties`, without alternatives at its top (which several
/// providers refuse there; what they say is merged), without references that lead nowhere.
///
/// Errors: what is wrong with it, and where, for a person.
pub(crate) fn function_parameters(schema: &Value) -> Result<Value, String> {
    let root = match schema {
        // A tool without parameters.
        Value::Null | Value::Bool(true) => &Value::Object(Map::new()),
        other => other,
    };
    let Value::Object(top) = root else { return Err("its schema is no object".to_owned()) };
    let mut top = top.clone();
    let mut any_number = usize::MAX;
    for (key, value) in &mut top {
        let shape = shape_of(key);
        check(shape, value, root, &mut format!("/{key}"), 1, &mut any_number)?;
    }
    let mut merged = Map::new();
    let mut left = MOST_VISITS;
    merge(&mut merged, top, root, 0, &mut left)?;
    match merged.get("type") {
        None => {}
        Some(Value::String(kind)) if kind == "object" => {}
        Some(Value::Array(kinds)) if kinds.iter().any(|kind| kind == "object") => {}
        Some(other) => return Err(format!("its schema is of type {other}, and a tool's arguments are an object")),
    }
    merged.insert("type".to_owned(), json!("object"));
    merged.entry("properties").or_insert_with(|| json!({}));
    Ok(Value::Object(merged))
}

/// What stands under a keyword.
#[derive(Clone, Copy, PartialEq)]
enum Shape {
    Schema,
    Schemas,
    SchemaOrSchemas,
    Named,
    Type,
    Names,
    List,
    Text,
    Number,
    Reference,
    /// Data, an annotation, or a word nobody knows.
    Anything,
}

fn shape_of(keyword: &str) -> Shape {
    match keyword {
        "additionalProperties"
        | "additionalItems"
        | "not"
        | "if"
        | "then"
        | "else"
        | "contains"
        | "propertyNames"
        | "unevaluatedItems"
        | "unevaluatedProperties" => Shape::Schema,
        "anyOf" | "oneOf" | "allOf" | "prefixItems" => Shape::Schemas,
        "items" => Shape::SchemaOrSchemas,
        "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas" => Shape::Named,
        "type" => Shape::Type,
        "required" => Shape::Names,
        "enum" => Shape::List,
        "pattern" | "format" | "description" | "title" => Shape::Text,
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" | "minLength" | "maxLength"
        | "minItems" | "maxItems" | "minProperties" | "maxProperties" => Shape::Number,
        "$ref" => Shape::Reference,
        _ => Shape::Anything,
    }
}

/// Whether a value has its shape, down to the leaves. References that lead nowhere are taken out.
fn check(
    shape: Shape,
    value: &mut Value,
    root: &Value,
    path: &mut String,
    depth: usize,
    left: &mut usize,
) -> Result<(), String> {
    visit(left)?;
    let wrong = |what: &str| Err(format!("its schema is malformed at {path}: {what}"));
    if depth > DEEPEST {
        return Err("its schema nests too deep".to_owned());
    }
    match (shape, value) {
        (Shape::Anything | Shape::Reference, _) => Ok(()),
        (Shape::Schema, Value::Bool(_)) => Ok(()),
        (Shape::Schema | Shape::SchemaOrSchemas, Value::Object(schema)) => {
            schema.retain(|key, value| key != "$ref" || leads_somewhere(value, root));
            say_what_it_holds(schema);
            within(schema, path, |key, value, path| check(shape_of(key), value, root, path, depth + 1, left))
        }
        (Shape::Named, Value::Object(named)) => {
            within(named, path, |_, value, path| check(Shape::Schema, value, root, path, depth + 1, left))
        }
        (Shape::Schemas, Value::Array(list)) if list.is_empty() => wrong("an empty list"),
        (Shape::Schemas | Shape::SchemaOrSchemas, Value::Array(list)) => {
            for (at, value) in list.iter_mut().enumerate() {
                let length = path.len();
                path.push_str(&format!("/{at}"));
                check(Shape::Schema, value, root, path, depth + 1, left)?;
                path.truncate(length);
            }
            Ok(())
        }
        (Shape::Schema, _) => wrong("no schema"),
        (Shape::SchemaOrSchemas, Value::Bool(_)) => Ok(()),
        (Shape::SchemaOrSchemas | Shape::Schemas, _) => wrong("no list of schemas"),
        (Shape::Named, _) => wrong("no object of schemas"),
        (Shape::Type, Value::String(kind)) if is_type(kind) => Ok(()),
        (Shape::Type, Value::Array(kinds))
            if !kinds.is_empty() && kinds.iter().all(|kind| kind.as_str().is_some_and(is_type)) =>
        {
            Ok(())
        }
        (Shape::Type, other) => wrong(&format!("there is no type {other}")),
        (Shape::Names, Value::Array(names)) if names.iter().all(Value::is_string) => Ok(()),
        (Shape::Names, _) => wrong("no list of names"),
        (Shape::List, Value::Array(_)) => Ok(()),
        (Shape::List, _) => wrong("no list"),
        (Shape::Text, Value::String(_)) => Ok(()),
        (Shape::Text, _) => wrong("no text"),
        // Draft 4 has `exclusiveMinimum: true`.
        (Shape::Number, Value::Number(_) | Value::Bool(_)) => Ok(()),
        (Shape::Number, _) => wrong("no number"),
    }
}

/// Counts one more part; an error when they were too many.
fn visit(left: &mut usize) -> Result<(), String> {
    *left = left.checked_sub(1).ok_or("its schema stands for too much: it refers to the same parts again and again")?;
    Ok(())
}

/// OpenAI refuses an array that does not say what it holds, and one that says it for each place.
fn say_what_it_holds(schema: &mut Map<String, Value>) {
    let holds = match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == "array"),
        kind => kind.is_some_and(|kind| kind == "array"),
    };
    match schema.get_mut("items") {
        None if holds => drop(schema.insert("items".to_owned(), json!({}))),
        Some(items) if items.as_array().is_some_and(Vec::is_empty) => *items = json!({}),
        Some(items) if items.is_array() => {
            let places = items.take();
            *items = json!({ "anyOf": places });
        }
        _ => {}
    }
}

fn within(
    object: &mut Map<String, Value>,
    path: &mut String,
    mut each: impl FnMut(&str, &mut Value, &mut String) -> Result<(), String>,
) -> Result<(), String> {
    for (key, value) in object.iter_mut() {
        let length = path.len();
        path.push('/');
        path.push_str(key);
        each(key, value, path)?;
        path.truncate(length);
    }
    Ok(())
}

fn is_type(kind: &str) -> bool {
    matches!(kind, "object" | "array" | "string" | "number" | "integer" | "boolean" | "null")
}

/// Whether a reference stays in this schema and meets something. What is elsewhere is never fetched, by nobody.
fn leads_somewhere(reference: &Value, root: &Value) -> bool {
    reference.as_str().is_some_and(|reference| resolve(reference, root).is_some())
}

/// What a reference within the schema means.
pub(crate) fn resolve<'a>(reference: &str, root: &'a Value) -> Option<&'a Value> {
    let pointer = reference.strip_prefix('#')?;
    root.pointer(pointer).filter(|found| found.is_object() || found.is_boolean())
}

/// Adds the top of a schema to what there is, alternatives and references at its top merged: every property that any
/// of them has, and as required what all of them require.
fn merge(
    into: &mut Map<String, Value>,
    mut top: Map<String, Value>,
    root: &Value,
    depth: usize,
    left: &mut usize,
) -> Result<(), String> {
    visit(left)?;
    if depth > LONGEST_CHAIN {
        return Err("its schema refers to itself without an end".to_owned());
    }
    let branches = ["allOf", "anyOf", "oneOf"].map(|key| (key, top.shift_remove(key)));
    for key in ["not", "if", "then", "else", "enum"] {
        top.shift_remove(key);
    }
    let reference = top.shift_remove("$ref").and_then(|reference| resolve(reference.as_str()?, root).cloned());
    for (key, value) in top {
        match (key.as_str(), into.get_mut(&key), value) {
            ("properties", Some(Value::Object(known)), Value::Object(more)) => {
                for (name, schema) in more {
                    add_property(known, name, schema);
                }
            }
            ("required", Some(Value::Array(known)), Value::Array(more)) => {
                for name in more {
                    if !known.contains(&name) {
                        known.push(name);
                    }
                }
            }
            (_, Some(_), _) => {}
            (_, None, value) => drop(into.insert(key, value)),
        }
    }
    if let Some(Value::Object(meant)) = reference {
        let mut meant = Value::Object(meant);
        check(Shape::Schema, &mut meant, root, &mut "/$ref".to_owned(), 1, left)?;
        if let Value::Object(meant) = meant {
            merge(into, meant, root, depth + 1, left)?;
        }
    }
    for (key, list) in branches {
        let Some(Value::Array(list)) = list else { continue };
        let mut parts: Vec<Map<String, Value>> = Vec::with_capacity(list.len());
        for schema in list {
            let mut part = Map::new();
            if let Value::Object(schema) = schema {
                merge(&mut part, schema, root, depth + 1, left)?;
            }
            parts.push(part);
        }
        if key != "allOf" {
            // Alternatives of another type (`null` most often) are none for arguments, and what only some of the others
            // require is not required.
            parts.retain(|part| part.get("type").is_none_or(|kind| kind == "object" || kind.is_array()));
            let required = |part: &Map<String, Value>, name: &Value| {
                part.get("required").and_then(Value::as_array).is_some_and(|names| names.contains(name))
            };
            let common: Vec<Value> = match parts.first().and_then(|first| first.get("required")) {
                Some(Value::Array(names)) => {
                    names.iter().filter(|name| parts.iter().all(|part| required(part, name))).cloned().collect()
                }
                _ => Vec::new(),
            };
            for part in &mut parts {
                part.insert("required".to_owned(), Value::Array(common.clone()));
                // One alternative may forbid what another has.
                part.shift_remove("additionalProperties");
            }
        }
        for part in parts {
            merge(into, part, root, depth + 1, left)?;
        }
    }
    if into.get("required").is_some_and(|names| names.as_array().is_some_and(Vec::is_empty)) {
        into.shift_remove("required");
    }
    Ok(())
}

/// Two alternatives may know a property differently: then either holds.
fn add_property(known: &mut Map<String, Value>, name: String, schema: Value) {
    match known.get_mut(&name) {
        None => drop(known.insert(name, schema)),
        Some(same) if *same == schema => {}
        Some(other) => {
            let is_choice = other.as_object().is_some_and(|object| object.len() == 1);
            match other.get_mut("anyOf") {
                Some(Value::Array(list)) if is_choice => {
                    if !list.contains(&schema) {
                        list.push(schema);
                    }
                }
                _ => {
                    let first = other.take();
                    *other = json!({ "anyOf": [first, schema] });
                }
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_can_be_sent_stays() {
        for schema in [
            json!({"type": "object", "properties": {"a": {"type": ["string", "null"], "enum": ["x", null]}}, "required": ["a"], "additionalProperties": false}),
            json!({"type": "object", "properties": {"t": {"$ref": "#/$defs/t"}}, "$defs": {"t": {"type": "object", "properties": {"child": {"$ref": "#/$defs/t"}}}}}),
            json!({"type": "object", "properties": {"type": {"type": "string"}, "required": {"type": "array", "items": {}}, "$ref": true}}),
            json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "properties": {"a": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": null}}}),
        ] {
            assert_eq!(function_parameters(&schema), Ok(schema.clone()), "{schema}");
        }
    }

    #[test]
    fn what_can_be_translated_is() {
        for (schema, expected) in [
            (json!(null), json!({"type": "object", "properties": {}})),
            (json!(true), json!({"type": "object", "properties": {}})),
            (json!({}), json!({"type": "object", "properties": {}})),
            (json!({"type": ["object", "null"]}), json!({"type": "object", "properties": {}})),
            (
                json!({"$ref": "#/$defs/a", "$defs": {"a": {"type": "object", "properties": {"x": {}}, "required": ["x"]}}}),
                json!({"$defs": {"a": {"type": "object", "properties": {"x": {}}, "required": ["x"]}}, "type": "object", "properties": {"x": {}}, "required": ["x"]}),
            ),
            (
                json!({"type": "object", "properties": {"a": {"type": "array"}, "b": {"type": ["string", "array"], "prefixItems": [{}]}, "c": {"type": "array", "items": [{"type": "string"}, {}]}, "d": {"items": []}}}),
                json!({"type": "object", "properties": {"a": {"type": "array", "items": {}}, "b": {"type": ["string", "array"], "prefixItems": [{}], "items": {}}, "c": {"type": "array", "items": {"anyOf": [{"type": "string"}, {}]}}, "d": {"items": {}}}}),
            ),
            // Nobody fetches; a dead end means anything.
            (
                json!({"type": "object", "properties": {"a": {"$ref": "https://example.com/s.json", "title": "t"}, "b": {"$ref": "#/nowhere"}}}),
                json!({"type": "object", "properties": {"a": {"title": "t"}, "b": {}}}),
            ),
            (
                json!({"oneOf": [
                    {"type": "object", "properties": {"k": {"const": "a"}, "x": {"type": "string"}}, "required": ["k", "x"], "additionalProperties": false},
                    {"type": "object", "properties": {"k": {"const": "b"}, "y": {"type": "string"}}, "required": ["k", "y"]},
                    {"type": "null"},
                ]}),
                json!({"type": "object", "properties": {"k": {"anyOf": [{"const": "a"}, {"const": "b"}]}, "x": {"type": "string"}, "y": {"type": "string"}}, "required": ["k"]}),
            ),
            (
                json!({"type": "object", "properties": {"a": {}}, "required": ["a"], "allOf": [{"properties": {"b": {}}, "required": ["b"]}]}),
                json!({"type": "object", "properties": {"a": {}, "b": {}}, "required": ["a", "b"]}),
            ),
        ] {
            assert_eq!(function_parameters(&schema), Ok(expected), "{schema}");
        }
    }

    #[test]
    fn what_is_malformed_is_said_with_its_place() {
        for (schema, place) in [
            (json!("x"), "no object"),
            (json!({"type": "array"}), "type \"array\""),
            (json!({"type": "thing"}), "/type: there is no type"),
            (json!({"type": "object", "properties": []}), "/properties: no object"),
            (json!({"type": "object", "properties": {"a": {"type": "str"}}}), "/properties/a/type"),
            (json!({"type": "object", "properties": {"a": "string"}}), "/properties/a: no schema"),
            (json!({"type": "object", "properties": {"a": {"type": "array", "items": 7}}}), "/properties/a/items"),
            (json!({"type": "object", "required": "a"}), "/required"),
            (json!({"type": "object", "properties": {"a": {"enum": "x"}}}), "/properties/a/enum"),
            (json!({"type": "object", "properties": {"a": {"anyOf": []}}}), "/properties/a/anyOf: an empty list"),
            (json!({"type": "object", "properties": {"a": {"description": 7}}}), "/properties/a/description"),
            (json!({"$ref": "#"}), "without an end"),
            (json!({"allOf": [{"$ref": "#"}]}), "without an end"),
        ] {
            let error = function_parameters(&schema).unwrap_err();
            assert!(error.contains(place), "{schema}: {error}");
        }
        let many = |to: &str| json!({"allOf": vec![json!({"$ref": format!("#/$defs/{to}")}); 100]});
        let bomb =
            json!({"allOf": many("a")["allOf"], "$defs": {"a": many("b"), "b": many("c"), "c": {"type": "object"}}});
        assert!(function_parameters(&bomb).unwrap_err().contains("too much"));
        // What is only large is taken.
        let large: Map<String, Value> = (0..3000).map(|n| (n.to_string(), json!({"type": "string"}))).collect();
        assert!(function_parameters(&json!({"type": "object", "properties": large})).is_ok());
        let deep = (0..100).fold(json!({}), |inner, _| json!({"type": "object", "properties": {"a": inner}}));
        assert!(function_parameters(&deep).unwrap_err().contains("too deep"));
    }

    /// JSON that is a schema now and then.
    pub(crate) fn almost_a_schema() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(json!(null)),
            Just(json!(true)),
            Just(json!("object")),
            Just(json!("string")),
            Just(json!("#/$defs/a")),
            Just(json!("#")),
            Just(json!(["a"])),
            any::<i8>().prop_map(Value::from),
        ];
        let key = prop_oneof![
            Just("type"),
            Just("properties"),
            Just("anyOf"),
            Just("allOf"),
            Just("oneOf"),
            Just("$ref"),
            Just("$defs"),
            Just("items"),
            Just("required"),
            Just("enum"),
            Just("a"),
            Just("additionalProperties"),
        ];
        leaf.prop_recursive(6, 60, 5, move |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                proptest::collection::vec((key.clone().prop_map(str::to_owned), inner), 0..5)
                    .prop_map(|entries| Value::Object(entries.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn any_json_is_refused_or_becomes_an_object_schema(schema in almost_a_schema()) {
            if let Ok(sent) = function_parameters(&schema) {
                prop_assert_eq!(&sent["type"], "object");
                prop_assert!(sent["properties"].is_object());
                prop_assert!(["oneOf", "anyOf", "allOf", "not", "enum", "$ref"].iter().all(|key| sent.get(key).is_none()));
                // What was made can be made again.
                prop_assert_eq!(function_parameters(&sent), Ok(sent.clone()));
            }
        }
    }
}
