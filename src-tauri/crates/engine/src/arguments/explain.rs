// SPDX-License-Identifier: Apache-2.0
//! What a schema wants, for mending and in words.

use super::read::at;
use super::{Problem, step};
use jsonschema::Validator;
use jsonschema::error::ValidationErrorKind;
use serde_json::Value;

/// JSON Schema's types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Null,
    Boolean,
    Integer,
    Number,
    String,
    Array,
    Object,
}

impl Kind {
    fn parse(name: &str) -> Option<Kind> {
        Some(match name {
            "null" => Kind::Null,
            "boolean" => Kind::Boolean,
            "integer" => Kind::Integer,
            "number" => Kind::Number,
            "string" => Kind::String,
            "array" => Kind::Array,
            "object" => Kind::Object,
            _ => return None,
        })
    }

    fn of(value: &Value) -> Kind {
        match value {
            Value::Null => Kind::Null,
            Value::Bool(_) => Kind::Boolean,
            Value::Number(n) if n.is_f64() => Kind::Number,
            Value::Number(_) => Kind::Integer,
            Value::String(_) => Kind::String,
            Value::Array(_) => Kind::Array,
            Value::Object(_) => Kind::Object,
        }
    }
}

/// A place in a schema, local references followed.
#[derive(Clone, Copy)]
pub(super) struct Schema<'s> {
    root: &'s Value,
    here: &'s Value,
}

impl<'s> Schema<'s> {
    pub(super) fn root(root: &'s Value) -> Self {
        Schema { root, here: root }.resolved()
    }

    fn at(self, here: &'s Value) -> Self {
        Schema { root: self.root, here }.resolved()
    }

    fn resolved(mut self) -> Self {
        // References can go in a circle; sixteen are more than any sane schema chains.
        for _ in 0..16 {
            let target = self.here.get("$ref").and_then(Value::as_str).and_then(|r| r.strip_prefix('#'));
            match target.and_then(|pointer| self.root.pointer(pointer)) {
                Some(target) => self.here = target,
                None => break,
            }
        }
        self
    }

    fn alternatives(self) -> impl Iterator<Item = Schema<'s>> {
        ["anyOf", "oneOf"]
            .into_iter()
            .filter_map(move |key| self.here.get(key).and_then(Value::as_array))
            .flatten()
            .map(move |s| self.at(s))
    }

    /// The types it takes; `None` when it does not say.
    pub(super) fn kinds(self) -> Option<Vec<Kind>> {
        self.kinds_within(8)
    }

    fn kinds_within(self, levels: u8) -> Option<Vec<Kind>> {
        match self.here.get("type") {
            Some(Value::String(name)) => return Kind::parse(name).map(|k| vec![k]),
            Some(Value::Array(names)) => {
                return names.iter().map(|n| n.as_str().and_then(Kind::parse)).collect();
            }
            _ => {}
        }
        if let Some(value) = self.here.get("const") {
            return Some(vec![Kind::of(value)]);
        }
        if let Some(values) = self.here.get("enum").and_then(Value::as_array) {
            return Some(values.iter().map(Kind::of).collect());
        }
        let mut kinds = Vec::new();
        let levels = levels.checked_sub(1)?;
        for alternative in self.alternatives() {
            kinds.extend(alternative.kinds_within(levels)?);
        }
        (!kinds.is_empty()).then_some(kinds)
    }

    /// The one alternative for this type, or the schema itself.
    pub(super) fn branch(self, kind: Kind) -> Schema<'s> {
        let mut fitting = self.alternatives().filter(|s| s.kinds().is_some_and(|k| k.contains(&kind)));
        match (fitting.next(), fitting.next()) {
            (Some(only), None) => only,
            _ => self,
        }
    }

    pub(super) fn items(self) -> Option<Schema<'s>> {
        self.here.get("items").map(|s| self.at(s))
    }

    /// What a member must fit, when the schema says it by name or for all others.
    pub(super) fn property(self, key: &str) -> Option<Schema<'s>> {
        let named = self.here.get("properties").and_then(|p| p.get(key));
        named.or_else(|| self.here.get("additionalProperties").filter(|s| s.is_object())).map(|s| self.at(s))
    }

    pub(super) fn property_names(self) -> Vec<&'s str> {
        let properties = self.here.get("properties").and_then(Value::as_object);
        properties.into_iter().flat_map(|p| p.keys().map(String::as_str)).collect()
    }

    pub(super) fn requires(self, key: &str) -> bool {
        let required = self.here.get("required").and_then(Value::as_array);
        required.is_some_and(|r| r.iter().any(|k| k.as_str() == Some(key)))
    }

    /// Whether a member that is not named in `properties` may be there.
    pub(super) fn allows(self, _key: &str) -> bool {
        let closed = ["additionalProperties", "unevaluatedProperties"]
            .iter()
            .any(|key| self.here.get(*key) == Some(&Value::Bool(false)));
        // Whether a pattern takes the key is left to the validator: such a key is not touched.
        !closed || self.here.get("patternProperties").is_some()
    }

    /// The place in the schema for a place in the arguments.
    fn find(self, path: &str) -> Option<Schema<'s>> {
        let mut here = self;
        for part in path.split('/').skip(1) {
            let part = part.replace("~1", "/").replace("~0", "~");
            let object = here.branch(Kind::Object).property(&part);
            here = object.or_else(|| here.branch(Kind::Array).items())?;
        }
        Some(here)
    }

    /// What fits here, in words.
    fn describe(self) -> String {
        let json = |v: &Value| shorten(&v.to_string());
        if let Some(value) = self.here.get("const") {
            return json(value);
        }
        if let Some(values) = self.here.get("enum").and_then(Value::as_array) {
            return format!("one of {}", values.iter().take(20).map(json).collect::<Vec<_>>().join(", "));
        }
        let mut words: Vec<String> = Vec::new();
        for kind in self.kinds().unwrap_or_default() {
            let text = self.branch(kind).describe_kind(kind);
            if !words.contains(&text) {
                words.push(text);
            }
        }
        if words.is_empty() { "something else".into() } else { words.join(" or ") }
    }

    fn describe_kind(self, kind: Kind) -> String {
        let limit = |key: &str| self.here.get(key).map(ToString::to_string);
        let range = |low: Option<String>, high: Option<String>, unit: &str| match (low, high) {
            (Some(low), Some(high)) => format!(" of {low} to {high}{unit}"),
            (Some(low), None) => format!(" of at least {low}{unit}"),
            (None, Some(high)) => format!(" of at most {high}{unit}"),
            (None, None) => String::new(),
        };
        match kind {
            Kind::Null => "null".into(),
            Kind::Boolean => "true or false".into(),
            Kind::Integer => format!("an integer{}", range(limit("minimum"), limit("maximum"), "")),
            Kind::Number => format!("a number{}", range(limit("minimum"), limit("maximum"), "")),
            Kind::String => {
                let length = range(limit("minLength"), limit("maxLength"), " characters");
                let pattern = limit("pattern").map(|p| format!(" that matches {p}")).unwrap_or_default();
                format!("a string{length}{pattern}")
            }
            Kind::Array => {
                let items = self.items().and_then(|i| i.kinds()).filter(|k| k.len() == 1);
                let of = match items.as_deref() {
                    Some([Kind::String]) => " of strings",
                    Some([Kind::Object]) => " of objects",
                    Some([Kind::Integer | Kind::Number]) => " of numbers",
                    _ => "",
                };
                let count = range(limit("minItems"), limit("maxItems"), " items");
                format!("an array{of}{}", count.replace(" of ", " with "))
            }
            Kind::Object => {
                let names = self.property_names();
                if names.is_empty() { "an object".into() } else { format!("an object with {}", list(&names)) }
            }
        }
    }
}

fn list(names: &[&str]) -> String {
    names.iter().take(24).map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ")
}

fn shorten(text: &str) -> String {
    const LONGEST: usize = 80;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// What does not fit, at most three of them in one sentence, with the place of the first; `None` when all fits.
pub(super) fn first_errors(validator: &Validator, schema: &Value, arguments: &Value) -> Option<Problem> {
    let schema = Schema::root(schema);
    let mut problems: Vec<Problem> = Vec::new();
    for error in validator.iter_errors(arguments) {
        let path = error.instance_path().to_string();
        let problem = problem(schema, &path, error.kind(), error.instance(), &error.masked().to_string());
        if problems.iter().all(|p| p.message != problem.message) {
            problems.push(problem);
        }
        if problems.len() == 3 {
            break;
        }
    }
    let path = problems.first()?.path.clone();
    let message = problems.into_iter().map(|p| p.message).collect::<Vec<_>>().join("; ");
    Some(Problem { path, message })
}

fn problem(root: Schema<'_>, path: &str, kind: &ValidationErrorKind, got: &Value, words: &str) -> Problem {
    let here = root.find(path);
    let object = here.map(|s| s.branch(Kind::Object));
    match kind {
        ValidationErrorKind::Required { property } => {
            let key = property.as_str().unwrap_or_default();
            let wanted = object.and_then(|s| s.property(key)).map(Schema::describe);
            let place = step(path, key);
            let wanted = wanted.unwrap_or_else(|| "there".into());
            let message = format!("`{place}` is missing; it must be {wanted}");
            Problem::new(place, message)
        }
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            let place = step(path, unexpected.first().map(String::as_str).unwrap_or_default());
            let names = object.map(Schema::property_names).unwrap_or_default();
            let known = if names.is_empty() { "there are none".into() } else { format!("there are {}", list(&names)) };
            let unknown = unexpected.iter().map(|k| shorten(k)).collect::<Vec<_>>();
            let unknown = list(&unknown.iter().map(String::as_str).collect::<Vec<_>>());
            Problem::new(place, format!("there is no argument {unknown}; {known}"))
        }
        _ => {
            let wanted = here.map(Schema::describe).unwrap_or_else(|| "something else".into());
            let got = shorten(&got.to_string());
            let told = matches!(
                kind,
                ValidationErrorKind::Type { .. }
                    | ValidationErrorKind::Enum { .. }
                    | ValidationErrorKind::Constant { .. }
                    | ValidationErrorKind::Maximum { .. }
                    | ValidationErrorKind::Minimum { .. }
                    | ValidationErrorKind::MaxLength { .. }
                    | ValidationErrorKind::MinLength { .. }
                    | ValidationErrorKind::MaxItems { .. }
                    | ValidationErrorKind::MinItems { .. }
                    | ValidationErrorKind::Pattern { .. }
            );
            let more = if told { String::new() } else { format!(" ({})", shorten(words)) };
            Problem::new(path, format!("{} must be {wanted}, not {got}{more}", at(path)))
        }
    }
}
