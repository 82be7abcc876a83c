// SPDX-License-Identifier: Apache-2.0
use super::*;
use proptest::prelude::*;

fn translated(schema: Value) -> Value {
    parameters(&schema, DEEPEST).unwrap_or_else(|reason| panic!("{schema}: {reason}")).unwrap_or(Value::Null)
}

/// The translation of a property's schema.
fn property(schema: Value) -> Value {
    translated(json!({"type": "object", "properties": {"p": schema}}))["properties"]["p"].clone()
}

#[test]
fn keywords_are_translated_one_by_one() {
    let any = json!({"anyOf": [{"type": "STRING"}, {"type": "NUMBER"}, {"type": "BOOLEAN"}, {"type": "ARRAY", "items": {"type": "STRING"}}]});
    for (schema, expected) in [
        (json!({"type": "string", "description": " d ", "title": "T"}), json!({"type": "STRING", "description": "d"})),
        (json!({"type": "string", "title": "T"}), json!({"type": "STRING", "description": "T"})),
        (
            json!({"type": ["string", "null"], "default": null}),
            json!({"type": "STRING", "description": "default: null", "nullable": true}),
        ),
        (json!({"type": "string", "nullable": true}), json!({"type": "STRING", "nullable": true})),
        (
            json!({"type": ["string", "integer"], "minLength": 2, "minimum": 1}),
            json!({"anyOf": [{"type": "STRING", "minLength": 2}, {"type": "INTEGER", "minimum": 1}]}),
        ),
        (
            json!({"type": ["array", "null"], "items": {"type": "string"}}),
            json!({"type": "ARRAY", "nullable": true, "items": {"type": "STRING"}}),
        ),
        (json!({"type": "null"}), json!({"type": "STRING", "description": "only null", "nullable": true})),
        (json!({}), any.clone()),
        (json!(true), any.clone()),
        (json!({"type": "any"}), any.clone()),
        // Values.
        (json!({"enum": ["a", "b", "a"]}), json!({"type": "STRING", "enum": ["a", "b"]})),
        (json!({"enum": ["a", null]}), json!({"type": "STRING", "nullable": true, "enum": ["a"]})),
        (json!({"type": "string", "enum": ["", "a"]}), json!({"type": "STRING", "description": "one of \"\", \"a\""})),
        (json!({"enum": [1, 2]}), json!({"type": "INTEGER", "description": "one of 1, 2"})),
        (json!({"type": "number", "enum": [1, 2.5]}), json!({"type": "NUMBER", "description": "one of 1, 2.5"})),
        (
            json!({"enum": [1, "a"]}),
            json!({"anyOf": [{"type": "INTEGER", "description": "always 1"}, {"type": "STRING", "enum": ["a"]}]}),
        ),
        (json!({"type": "string", "enum": [1, 2]}), json!({"type": "STRING"})),
        (json!({"const": "x"}), json!({"type": "STRING", "enum": ["x"]})),
        (json!({"const": true}), json!({"type": "BOOLEAN", "description": "always true"})),
        // Numbers.
        (
            json!({"type": "integer", "exclusiveMinimum": 0, "maximum": 9}),
            json!({"type": "INTEGER", "minimum": 1, "maximum": 9}),
        ),
        (json!({"type": "integer", "minimum": 5, "exclusiveMinimum": 0}), json!({"type": "INTEGER", "minimum": 5})),
        (
            json!({"type": "number", "exclusiveMaximum": 1.5}),
            json!({"type": "NUMBER", "description": "less than 1.5", "maximum": 1.5}),
        ),
        (json!({"type": "integer", "minimum": 1, "exclusiveMinimum": true}), json!({"type": "INTEGER", "minimum": 2})),
        (
            json!({"type": "number", "multipleOf": 0.5, "format": "double"}),
            json!({"type": "NUMBER", "description": "a multiple of 0.5"}),
        ),
        // Texts.
        (json!({"type": "string", "format": "date-time"}), json!({"type": "STRING", "format": "date-time"})),
        (
            json!({"type": "string", "format": "uri", "pattern": "^h"}),
            json!({"type": "STRING", "description": "format: uri; must match ^h"}),
        ),
        (json!({"type": "string", "maxLength": 3.0, "minLength": -1}), json!({"type": "STRING", "maxLength": 3})),
        // Lists.
        (json!({"type": "array"}), json!({"type": "ARRAY", "items": any})),
        (
            json!({"items": {"type": "integer"}, "uniqueItems": true, "minItems": 1}),
            json!({"type": "ARRAY", "description": "no item twice", "items": {"type": "INTEGER"}, "minItems": 1}),
        ),
        (
            json!({"type": "array", "prefixItems": [{"type": "string"}, {"type": "number"}], "items": false}),
            json!({"type": "ARRAY", "description": "2 items, each with its own meaning", "items": {"anyOf": [{"type": "STRING"}, {"type": "NUMBER"}]}}),
        ),
        // Objects.
        (
            json!({"type": "object", "properties": {"a": {"type": "string"}, "b": false, "": {}}, "required": ["a", "b", "c", "a"], "additionalProperties": false, "patternProperties": {}}),
            json!({"type": "OBJECT", "properties": {"a": {"type": "STRING"}}, "required": ["a"]}),
        ),
        (json!({"type": "object"}), json!({"type": "STRING", "description": "a JSON object, as text"})),
        (
            json!({"type": "object", "properties": {}, "description": "o"}),
            json!({"type": "STRING", "description": "o (a JSON object, as text)"}),
        ),
        (
            json!({"type": "object", "additionalProperties": {"type": "string"}}),
            json!({"type": "STRING", "description": "a JSON object, as text; each member like {\"type\":\"string\"}"}),
        ),
        // Choices.
        (
            json!({"anyOf": [{"type": "string"}, {"type": "null"}], "description": "d"}),
            json!({"type": "STRING", "description": "d", "nullable": true}),
        ),
        (
            json!({"description": "d", "oneOf": [{"type": "string", "description": "s"}, {"type": "boolean"}, {"type": "null"}]}),
            json!({"anyOf": [{"type": "STRING", "description": "d (s)", "nullable": true}, {"type": "BOOLEAN", "nullable": true}]}),
        ),
        (
            json!({"oneOf": [{"const": "a", "description": "first"}, {"const": "b", "description": "second"}, {"enum": ["c"]}]}),
            json!({"type": "STRING", "description": "a: first; b: second", "enum": ["a", "b", "c"]}),
        ),
        (
            json!({"anyOf": [{"anyOf": [{"type": "string"}, {"type": "number"}]}, {"type": "number"}, false]}),
            json!({"anyOf": [{"type": "STRING"}, {"type": "NUMBER"}]}),
        ),
        (
            json!({"type": "string", "anyOf": [{"minLength": 1}, {"format": "date-time"}]}),
            json!({"anyOf": [{"type": "STRING", "minLength": 1}, {"type": "STRING", "format": "date-time"}]}),
        ),
        (
            json!({"type": "object", "properties": {"a": {"type": "string"}}, "anyOf": [{"required": ["a"]}, {"properties": {"b": {"type": "number"}}, "required": ["b"]}]}),
            json!({"type": "OBJECT", "properties": {"a": {"type": "STRING"}, "b": {"type": "NUMBER"}}}),
        ),
        (
            json!({"allOf": [{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}, {"properties": {"a": {"minLength": 1}, "b": {"type": "number"}}, "required": ["b"]}]}),
            json!({"type": "OBJECT", "properties": {"a": {"type": "STRING", "minLength": 1}, "b": {"type": "NUMBER"}}, "required": ["a", "b"]}),
        ),
        (
            json!({"allOf": [{"type": "number"}, {"type": "integer", "minimum": 1}, {"minimum": 3}]}),
            json!({"type": "INTEGER", "minimum": 3}),
        ),
        (
            json!({"not": {"type": "string"}, "type": "number", "$comment": "x", "examples": [1], "deprecated": true}),
            json!({"type": "NUMBER"}),
        ),
    ] {
        assert_eq!(property(schema.clone()), expected, "{schema}");
    }
}

#[test]
fn references_are_followed_but_not_for_ever() {
    let schema = json!({
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/t", "description": "mine"}, "n": {"$ref": "#/$defs/node"}, "x": {"$ref": "#here"}, "y": {"$ref": "#/definitions/a~1b%20c"}},
        "$defs": {
            "t": {"type": "string", "description": "theirs"},
            "node": {"type": "object", "properties": {"v": {"type": "number"}, "next": {"$ref": "#/$defs/node"}}, "required": ["v"]},
            "anchored": {"$anchor": "here", "type": "boolean"},
        },
        "definitions": {"a/b c": {"type": "integer"}},
    });
    let end = json!({"type": "STRING", "description": "any JSON value, as text"});
    let node = |next: Value| json!({"type": "OBJECT", "properties": {"v": {"type": "NUMBER"}, "next": next}, "required": ["v"]});
    assert_eq!(
        translated(schema)["properties"],
        json!({"a": {"type": "STRING", "description": "mine"}, "n": node(node(end)), "x": {"type": "BOOLEAN"}, "y": {"type": "INTEGER"}})
    );
    // Into itself at once; the root; much too often.
    assert_eq!(
        property(json!({"$ref": "#/properties/p"})),
        json!({"type": "STRING", "description": "any JSON value, as text"})
    );
    let root = translated(json!({"type": "object", "properties": {"self": {"$ref": "#"}, "v": {"type": "string"}}}));
    assert_eq!(root["properties"]["self"]["properties"]["v"], json!({"type": "STRING"}));
    let mut wide = json!({"type": "object", "properties": {"p": {"$ref": "#/$defs/d0"}}, "$defs": {}});
    for at in 0..12 {
        let next = json!({"$ref": format!("#/$defs/d{}", at + 1)});
        wide["$defs"][format!("d{at}")] = json!({"anyOf": (0..10).map(|_| next.clone()).collect::<Vec<_>>()});
    }
    wide["$defs"]["d12"] = json!({"type": "string"});
    assert!(parameters(&wide, DEEPEST).unwrap_err().contains("too large"));
}

#[test]
fn the_root_is_an_object() {
    let p = || json!({"type": "object", "properties": {"a": {"type": "string"}, "k": {"const": "x"}}, "required": ["a", "k"]});
    let q = || json!({"properties": {"b": {"type": "number"}, "k": {"const": "y"}}, "required": ["k"]});
    for (schema, expected) in [
        (json!(null), Value::Null),
        (json!(true), Value::Null),
        (json!({}), Value::Null),
        (json!({"type": "object", "properties": {}, "additionalProperties": true}), Value::Null),
        (
            json!({"oneOf": [p(), q(), {"type": "null"}]}),
            json!({"type": "OBJECT", "properties": {"a": {"type": "STRING"}, "k": {"type": "STRING", "enum": ["x", "y"]}, "b": {"type": "NUMBER"}}, "required": ["k"]}),
        ),
        (
            json!({"$ref": "#/$defs/p", "$defs": {"p": p()}}),
            json!({"type": "OBJECT", "properties": {"a": {"type": "STRING"}, "k": {"type": "STRING", "enum": ["x"]}}, "required": ["a", "k"]}),
        ),
    ] {
        assert_eq!(translated(schema.clone()), expected, "{schema}");
    }
    for (schema, reason) in [
        (json!("x"), "not a JSON object"),
        (json!([1]), "not a JSON object"),
        (json!({"type": "string"}), "not an object"),
        (json!({"type": "array", "items": {}}), "not an object"),
        (json!({"anyOf": [{"type": "string"}]}), "not an object"),
        (json!({"anyOf": [false]}), "no arguments at all"),
        (json!({"$ref": "#"}), "not an object"),
        (json!({"type": "object", "additionalProperties": {"type": "string"}}), "no fixed names"),
        (json!({"type": "object", "properties": {"a": {"$ref": "https://x.example/s.json#/a"}}}), "nothing is fetched"),
        (json!({"type": "object", "properties": {"a": {"$ref": "#/nowhere"}}}), "not in it"),
        (json!({"type": "object", "properties": {"a": 7}}), "`7` is no schema"),
        (json!({"type": "object", "properties": {"a": {"allOf": ["x"]}}}), "is no schema"),
        (json!({"type": "object", "properties": {"a": {"description": "x".repeat(300_000)}}}), "larger than"),
    ] {
        let found = parameters(&schema, DEEPEST).unwrap_err();
        assert!(found.contains(reason), "{}: {found}", cut_off(&schema));
    }
}

fn cut_off(schema: &Value) -> String {
    schema.to_string().chars().take(200).collect()
}

#[test]
fn what_is_too_deep_comes_as_text() {
    let deep =
        (0..12).fold(json!({"type": "string"}), |inner, _| json!({"type": "object", "properties": {"a": inner}}));
    for deepest in [3, 5, 8] {
        let sent = parameters(&deep, deepest).unwrap().unwrap();
        let levels = std::iter::successors(Some(&sent), |node| node["properties"].get("a")).count();
        assert_eq!(levels, deepest + 1);
        check(&sent, true).unwrap();
    }
}

/// Whether this is of the subset, checked by what Google's endpoints refuse.
fn check(node: &Value, is_root: bool) -> Result<(), String> {
    let Some(fields) = node.as_object() else { return Err(format!("{node} is no object")) };
    if let Some(choices) = fields.get("anyOf") {
        let choices = choices.as_array().filter(|list| list.len() > 1).ok_or("anyOf: no choice")?;
        if fields.len() > 1 || is_root {
            return Err("something beside anyOf, or a choice at the root".into());
        }
        return choices.iter().try_for_each(|choice| match choice.get("anyOf") {
            Some(_) => Err("a choice in a choice".to_owned()),
            None => check(choice, false),
        });
    }
    let kind = fields.get("type").and_then(Value::as_str).ok_or("no type")?;
    if is_root && kind != "OBJECT" {
        return Err("the root is no object".into());
    }
    for (key, value) in fields {
        let is_count = value.as_u64().is_some_and(|n| i64::try_from(n).is_ok());
        let right = match (key.as_str(), kind) {
            ("type", "STRING" | "NUMBER" | "INTEGER" | "BOOLEAN" | "ARRAY" | "OBJECT") => true,
            ("description", _) => value.as_str().is_some_and(|text| !text.is_empty()),
            ("nullable", _) => *value == true,
            ("enum", "STRING") => value.as_array().is_some_and(|list| {
                let words: Vec<&str> = list.iter().filter_map(Value::as_str).filter(|word| !word.is_empty()).collect();
                let unique: std::collections::HashSet<&&str> = words.iter().collect();
                !list.is_empty() && words.len() == list.len() && unique.len() == list.len()
            }),
            ("format", "STRING") => value == "date-time",
            ("minLength" | "maxLength", "STRING") | ("minItems" | "maxItems", "ARRAY") => is_count,
            ("minimum" | "maximum", "NUMBER" | "INTEGER") => value.as_f64().is_some_and(f64::is_finite),
            ("items", "ARRAY") => return_ok(check(value, false))?,
            ("properties", "OBJECT") => {
                let members = value.as_object().ok_or("properties: no object")?;
                members.values().try_for_each(|member| check(member, false))?;
                !members.is_empty() && !members.contains_key("")
            }
            ("required", "OBJECT") => value.as_array().is_some_and(|list| {
                let known = |name: &Value| name.as_str().is_some_and(|name| fields["properties"].get(name).is_some());
                let unique: std::collections::HashSet<String> = list.iter().map(Value::to_string).collect();
                !list.is_empty() && list.iter().all(known) && unique.len() == list.len()
            }),
            _ => false,
        };
        if !right {
            return Err(format!("{key}: {value} in {kind}"));
        }
    }
    let has = |key: &str| fields.contains_key(key);
    if (kind == "ARRAY" && !has("items")) || (kind == "OBJECT" && !has("properties")) {
        return Err(format!("{kind} without what is in it"));
    }
    Ok(())
}

fn return_ok(checked: Result<(), String>) -> Result<bool, String> {
    checked.map(|()| true)
}

/// Whether a value is of the translated schema. Objects and lists that come as text are taken for decoded.
fn fits(value: &Value, schema: &Value) -> bool {
    if let Some(choices) = schema["anyOf"].as_array() {
        return choices.iter().any(|choice| fits(value, choice));
    }
    if value.is_null() {
        return schema["nullable"] == true;
    }
    let limit = |key: &str| schema[key].as_f64();
    match schema["type"].as_str().unwrap() {
        "STRING" => match value {
            Value::String(text) => {
                let length = text.chars().count() as f64;
                schema["enum"].as_array().is_none_or(|list| list.contains(value))
                    && limit("minLength").is_none_or(|min| length >= min)
                    && limit("maxLength").is_none_or(|max| length <= max)
            }
            Value::Object(_) | Value::Array(_) => schema.get("enum").is_none(),
            _ => schema["description"].as_str().is_some_and(|text| text.contains("any JSON value")),
        },
        "NUMBER" | "INTEGER" => value.as_f64().is_some_and(|n| {
            limit("minimum").is_none_or(|min| n >= min) && limit("maximum").is_none_or(|max| n <= max)
        }),
        "BOOLEAN" => value.is_boolean(),
        "ARRAY" => value.as_array().is_some_and(|list| {
            list.iter().all(|item| fits(item, &schema["items"]))
                && limit("minItems").is_none_or(|min| list.len() as f64 >= min)
                && limit("maxItems").is_none_or(|max| list.len() as f64 <= max)
        }),
        "OBJECT" => value.as_object().is_some_and(|members| {
            let required = schema["required"].as_array().into_iter().flatten();
            required.filter_map(Value::as_str).all(|name| members.contains_key(name))
                && members
                    .iter()
                    .all(|(name, member)| schema["properties"].get(name).is_none_or(|schema| fits(member, schema)))
        }),
        _ => false,
    }
}

/// Schemas, each with a value that is of it.
fn schema_and_value() -> impl Strategy<Value = (Value, Value)> {
    let leaf = prop_oneof![
        "[a-c]{0,4}"
            .prop_map(|text| (json!({"type": "string", "minLength": 0, "maxLength": 4, "format": "uri"}), json!(text))),
        (any::<i32>(), 1_i64..5).prop_map(|(n, step)| (
            json!({"type": "integer", "exclusiveMinimum": i64::from(n) - step, "maximum": i64::from(n)}),
            json!(n)
        )),
        (-1e9_f64..1e9).prop_map(|n| (json!({"type": "number", "minimum": n, "exclusiveMaximum": n + 1.0}), json!(n))),
        any::<bool>().prop_map(|b| (json!({"type": "boolean"}), json!(b))),
        Just((json!({"type": "null"}), Value::Null)),
        Just((json!({"enum": ["a", 1, true, null, ""]}), json!(""))),
        Just((json!({"enum": ["a", 1, true, null, ""]}), Value::Null)),
        Just((json!({"const": "only"}), json!("only"))),
        Just((json!({"type": ["string", "null"], "pattern": "x"}), Value::Null)),
        Just((json!({}), json!("anything"))),
        Just((json!({"type": "object", "additionalProperties": {"type": "number"}}), json!({"k": 1}))),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            (prop::collection::vec(inner.clone(), 1..4), any::<bool>()).prop_map(|(members, all)| {
                let name = |at: usize| format!("m{at}");
                let properties: Map<String, Value> = members.iter().enumerate().map(|(at, (schema, _))| (name(at), schema.clone())).collect();
                let values: Map<String, Value> = members.iter().enumerate().filter(|(at, _)| all || *at > 0).map(|(at, (_, value))| (name(at), value.clone())).collect();
                let required: Vec<String> = (usize::from(!all)..members.len()).map(name).collect();
                (json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false}), Value::Object(values))
            }),
            (inner.clone(), 0_usize..3).prop_map(|((schema, value), count)| {
                (json!({"type": "array", "items": schema, "minItems": count, "maxItems": count}), Value::Array(vec![value; count]))
            }),
            (inner.clone(), inner.clone()).prop_map(|((one, _), (other, value))| (json!({"anyOf": [one, other], "description": "d"}), value)),
            (inner.clone(), inner.clone()).prop_map(|((one, value), (other, _))| (json!({"oneOf": [one, other, {"type": "null"}]}), value)),
            inner.clone().prop_map(|(schema, value)| (json!({"allOf": [schema, {"title": "t"}]}), value)),
            (inner.clone(), inner).prop_map(|((first, a), (second, b))| (json!({"type": "array", "prefixItems": [first, second]}), json!([a, b]))),
        ]
    })
}

/// Schemas with keywords of all kinds, some with values that do not belong there.
fn nearly_a_schema() -> impl Strategy<Value = Value> {
    let words = prop::sample::select(vec![
        "string",
        "object",
        "array",
        "number",
        "integer",
        "boolean",
        "null",
        "",
        "a",
        "b",
        "#",
        "#/$defs/a",
        "#/properties/a",
        "#/properties/b",
        "date-time",
        "é",
    ]);
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(|n| json!(n)),
        words.clone().prop_map(Value::from),
    ];
    let leaf = prop_oneof![
        words.clone().prop_map(|kind| json!({"type": kind})),
        Just(json!({})),
        Just(json!(true)),
        Just(json!(false))
    ];
    leaf.prop_recursive(5, 60, 5, move |inner| {
        let list = prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from);
        let named = prop::collection::vec((prop::sample::select(vec!["a", "b", "c", ""]), inner.clone()), 0..4)
            .prop_map(|members| members.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect::<Value>());
        let scalars = prop::collection::vec(scalar.clone(), 0..4).prop_map(Value::from);
        let entry = |keys: &[&'static str], value: BoxedStrategy<Value>| (prop::sample::select(keys.to_vec()), value).boxed();
        let keyword = prop_oneof![
            4 => entry(&["type", "required"], prop_oneof![words.clone().prop_map(Value::from), prop::collection::vec(words.clone(), 0..3).prop_map(|list| json!(list))].boxed()),
            4 => entry(&["properties", "$defs", "patternProperties"], named.clone().boxed()),
            4 => entry(&["anyOf", "oneOf", "allOf", "prefixItems", "items"], list.clone().boxed()),
            3 => entry(&["items", "additionalProperties", "not"], inner.boxed()),
            2 => entry(&["enum", "examples"], scalars.boxed()),
            4 => entry(
                &["$ref", "const", "minimum", "exclusiveMinimum", "maximum", "minLength", "minItems", "maxItems", "format", "pattern", "description", "title", "default", "nullable", "uniqueItems", "multipleOf"],
                scalar.clone().boxed(),
            ),
            // In the wrong place.
            1 => entry(&["properties", "anyOf", "allOf", "enum", "type", "description", "$ref", "required"], prop_oneof![scalar.clone(), list, named].boxed()),
        ];
        prop::collection::vec(keyword, 1..5).prop_map(|members| members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn whatever_comes_out_is_of_the_subset(a in nearly_a_schema(), b in nearly_a_schema(), deepest in 1_usize..9) {
        let schema = json!({"type": "object", "properties": {"a": a, "b": b}, "$defs": {"a": b}});
        match parameters(&schema, deepest) {
            Ok(Some(sent)) => {
                prop_assert_eq!(check(&sent, true), Ok(()), "{} -> {}", schema, sent);
                prop_assert_eq!(parameters(&schema, deepest), Ok(Some(sent)), "the same again");
            }
            Ok(None) => {}
            Err(reason) => prop_assert!(reason.starts_with("its "), "{}", reason),
        }
    }

    #[test]
    fn a_translation_allows_what_the_schema_allows((schema, value) in schema_and_value()) {
        let schema = json!({"type": "object", "properties": {"p": schema}, "required": ["p"]});
        let sent = parameters(&schema, DEEPEST).unwrap().unwrap();
        prop_assert_eq!(check(&sent, true), Ok(()), "{} -> {}", schema, sent);
        prop_assert!(fits(&json!({"p": value}), &sent), "{} of {} -> {}", value, schema, sent);
    }
}
