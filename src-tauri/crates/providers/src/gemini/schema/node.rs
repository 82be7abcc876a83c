// SPDX-License-Identifier: Apache-2.0
use super::flat::Flat;
use serde_json::{Map, Value, json};

/// A remark is this long at most, in characters.
const MOST_REMARK: usize = 200;

/// What may come at a place: one of the alternatives, perhaps null.
#[derive(Clone, Debug, Default)]
pub(super) struct Node {
    pub(super) alternatives: Vec<Alternative>,
    pub(super) nullable: bool,
    description: Option<String>,
    notes: Vec<String>,
}

/// A value of one type.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Alternative {
    pub(super) fields: Map<String, Value>,
    /// What no keyword says.
    pub(super) notes: Vec<String>,
    description: Option<String>,
}

impl Alternative {
    pub(super) fn of(kind: &str) -> Self {
        Self::with(Map::from_iter([("type".to_owned(), json!(kind))]))
    }

    pub(super) fn with(fields: Map<String, Value>) -> Self {
        Self { fields, ..Self::default() }
    }

    pub(super) fn text(note: &str) -> Self {
        Self { notes: vec![note.to_owned()], ..Self::of("STRING") }
    }

    /// Takes over a count that can't be negative.
    pub(super) fn count(&mut self, key: &str, flat: &Flat<'_>) {
        let count = flat.get(key).and_then(|value| {
            value
                .as_u64()
                .or_else(|| value.as_f64().filter(|n| *n >= 0.0 && n.fract() == 0.0 && *n < 1e15).map(|n| n as u64))
        });
        if let Some(count) = count.filter(|count| i64::try_from(*count).is_ok()) {
            self.fields.insert(key.to_owned(), json!(count));
        }
    }

    fn choices(&self) -> Option<&Vec<Value>> {
        self.fields.get("enum")?.as_array()
    }
}

impl Node {
    pub(super) fn never() -> Self {
        Self::default()
    }

    /// Anything: an object comes as text here, too.
    pub(super) fn any() -> Self {
        let mut list = Alternative::of("ARRAY");
        list.fields.insert("items".to_owned(), json!({ "type": "STRING" }));
        let scalars = ["STRING", "NUMBER", "BOOLEAN"].map(Alternative::of);
        Self { alternatives: scalars.into_iter().chain([list]).collect(), ..Self::default() }
    }

    pub(super) fn text(note: &str) -> Self {
        Self { alternatives: vec![Alternative::text(note)], ..Self::default() }
    }

    pub(super) fn is_never(&self) -> bool {
        self.alternatives.is_empty() && !self.nullable
    }

    pub(super) fn describe(&mut self, text: Option<&str>) {
        if let Some(text) = text {
            self.description = Some(text.to_owned());
        }
    }

    pub(super) fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    /// Lets the other one come, too.
    pub(super) fn or(&mut self, other: Node) {
        self.nullable |= other.nullable;
        let mut told = other.description;
        let mut notes = other.notes;
        for mut alternative in other.alternatives {
            // What was said of all is said with the first.
            alternative.description = match (told.take(), alternative.description.take()) {
                (Some(outer), Some(inner)) if outer != inner => Some(format!("{outer} {inner}")),
                (outer, inner) => outer.or(inner),
            };
            alternative.notes.append(&mut notes);
            let words = self.alternatives.iter_mut().find(|known| known.choices().is_some());
            if let (Some(known), Some(more)) = (words, alternative.choices()) {
                let explained = [explained(known), explained(&alternative)];
                known.notes.extend(explained.into_iter().flatten());
                known.description = None;
                let new: Vec<Value> = more
                    .iter()
                    .filter(|value| known.choices().is_some_and(|all| !all.contains(value)))
                    .cloned()
                    .collect();
                if let Some(Value::Array(all)) = known.fields.get_mut("enum") {
                    all.extend(new);
                }
            } else if !self.alternatives.contains(&alternative) {
                self.alternatives.push(alternative);
            }
        }
    }

    /// The schema in Gemini's form. Several alternatives stand alone: nothing may be beside `anyOf`.
    pub(super) fn render(self) -> Value {
        let outer = told(self.description, self.notes);
        let mut alternatives = self.alternatives;
        if alternatives.is_empty() {
            alternatives.push(Alternative::text("only null"));
        }
        let mut outer = outer;
        let mut all: Vec<Value> = alternatives
            .into_iter()
            .map(|alternative| {
                let inner = told(alternative.description, alternative.notes);
                let description = match (outer.take(), inner) {
                    (Some(outer), Some(inner)) => Some(format!("{outer} ({inner})")),
                    (outer, inner) => outer.or(inner),
                };
                let mut fields = Map::new();
                for (key, value) in alternative.fields {
                    fields.insert(key, value);
                    if fields.len() == 1 {
                        fields.extend(description.clone().map(|text| ("description".to_owned(), Value::String(text))));
                        fields.extend(self.nullable.then(|| ("nullable".to_owned(), Value::Bool(true))));
                    }
                }
                Value::Object(fields)
            })
            .collect();
        if all.len() == 1 { all.remove(0) } else { json!({ "anyOf": all }) }
    }
}

/// A choice of words that is explained, as a remark.
fn explained(words: &Alternative) -> Option<String> {
    let description = words.description.as_ref()?;
    let values: Vec<&str> = words.choices()?.iter().filter_map(Value::as_str).collect();
    Some(cut(&format!("{}: {description}", values.join("/"))))
}

fn told(description: Option<String>, notes: Vec<String>) -> Option<String> {
    let mut remarks: Vec<String> = Vec::new();
    for note in notes {
        if !remarks.contains(&note) {
            remarks.push(note);
        }
    }
    match (description, remarks.join("; ")) {
        (description, notes) if notes.is_empty() => description,
        (None, notes) => Some(notes),
        (Some(description), notes) => Some(format!("{description} ({notes})")),
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(MOST_REMARK) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// JSON in a remark.
pub(super) fn brief(value: &Value) -> String {
    cut(&value.to_string())
}

/// Values as a remark.
pub(super) fn listed(values: &[Value]) -> String {
    let all: Vec<String> = values.iter().take(50).map(Value::to_string).collect();
    cut(&format!("{} {}", if values.len() == 1 { "always" } else { "one of" }, all.join(", ")))
}

/// A text, a number or a boolean; `None` when none of the values is one.
pub(super) fn scalar(kind: &str, flat: &Flat<'_>, values: Option<&[Value]>) -> Option<Alternative> {
    let mut alternative = Alternative::of(kind);
    if let Some(values) = values {
        let own: Vec<Value> = values
            .iter()
            .filter(|value| match kind {
                "STRING" => value.is_string(),
                "INTEGER" => value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|n| n.fract() == 0.0),
                "NUMBER" => value.is_number(),
                _ => value.is_boolean(),
            })
            .cloned()
            .collect();
        if own.is_empty() {
            return None;
        }
        // Only words can be chosen from, and no empty one.
        if kind != "STRING" || own.contains(&json!("")) {
            alternative.notes.push(listed(&own));
            return Some(alternative);
        }
        let mut words: Vec<Value> = Vec::with_capacity(own.len());
        for word in own {
            if !words.contains(&word) {
                words.push(word);
            }
        }
        alternative.fields.insert("enum".to_owned(), Value::Array(words));
        return Some(alternative);
    }
    match kind {
        "STRING" => {
            match flat.text("format") {
                Some("date-time") => {
                    alternative.fields.insert("format".to_owned(), json!("date-time"));
                }
                Some(format) => alternative.notes.push(cut(&format!("format: {format}"))),
                None => {}
            }
            for key in ["minLength", "maxLength"] {
                alternative.count(key, flat);
            }
            if let Some(pattern) = flat.text("pattern") {
                alternative.notes.push(cut(&format!("must match {pattern}")));
            }
        }
        "NUMBER" | "INTEGER" => {
            bound(&mut alternative, flat, "minimum", "exclusiveMinimum", kind == "INTEGER", 1);
            bound(&mut alternative, flat, "maximum", "exclusiveMaximum", kind == "INTEGER", -1);
            if let Some(step) = flat.get("multipleOf").filter(|step| step.is_number()) {
                alternative.notes.push(format!("a multiple of {step}"));
            }
        }
        _ => {}
    }
    Some(alternative)
}

/// The least or the greatest number. One that is itself left out is said in words, and for whole numbers the next one counts.
fn bound(alternative: &mut Alternative, flat: &Flat<'_>, key: &str, exclusive: &str, whole: bool, step: i64) {
    let number = |key: &str| flat.get(key).filter(|value| value.is_number()).cloned();
    let (mut limit, mut out) = (number(key), None);
    match flat.get(exclusive) {
        // The older form: a mark beside the bound.
        Some(Value::Bool(true)) => out = limit.take(),
        Some(Value::Number(_)) => {
            let other = number(exclusive);
            let tighter = match (limit.as_ref().and_then(Value::as_f64), other.as_ref().and_then(Value::as_f64)) {
                (Some(limit), Some(other)) => (other - limit) * step as f64 >= 0.0,
                (None, other) => other.is_some(),
                _ => false,
            };
            if tighter {
                limit = None;
                out = other;
            }
        }
        _ => {}
    }
    if let Some(out) = out {
        limit = match out.as_i64().filter(|_| whole).and_then(|n| n.checked_add(step)) {
            Some(next) => Some(json!(next)),
            None => {
                alternative.notes.push(format!("{} {out}", if step > 0 { "more than" } else { "less than" }));
                Some(out)
            }
        };
    }
    if let Some(limit) = limit {
        alternative.fields.insert(key.to_owned(), limit);
    }
}
