// SPDX-License-Identifier: Apache-2.0
//! The beginning of every event: what it is, which item it belongs to, and what it adds. Read without copying and without
//! trusting the types: one odd field must not cost the others.

use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, de};
use serde_json::Value;
use std::borrow::Cow;
use std::fmt;

/// What most events are made of. Whatever else an event holds is read only where it matters.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Head<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Word<'a>,
    #[serde(borrow)]
    pub(super) delta: Word<'a>,
    #[serde(borrow)]
    pub(super) item_id: Word<'a>,
    pub(super) output_index: Number,
    pub(super) content_index: Number,
    pub(super) summary_index: Number,
}

impl<'a> Head<'a> {
    /// Reads the text of a JSON object. `spare` holds what a second, slower look at odd text (a key twice) needs.
    pub(super) fn parse(text: &'a str, spare: &'a mut Value) -> Result<Self, serde_json::Error> {
        match serde_json::from_str(text) {
            Ok(head) => Ok(head),
            Err(error) if error.is_data() => {
                *spare = serde_json::from_str(text)?;
                Self::deserialize(&*spare)
            }
            Err(error) => Err(error),
        }
    }
}

/// A text, or something that is none.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Word<'a>(pub(super) Option<Cow<'a, str>>);

impl Word<'_> {
    /// The text; empty where there is none.
    pub(super) fn text(&self) -> &str {
        self.0.as_deref().unwrap_or_default()
    }
}

/// A number that is an index, perhaps written as text.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Number(pub(super) Option<u64>);

macro_rules! takes_any {
    ($type:ty, $lifetime:lifetime, { $($known:tt)* }) => {
        struct Any;
        impl<$lifetime> Visitor<$lifetime> for Any {
            type Value = $type;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any value")
            }
            $($known)*
            fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
                Ok(Default::default())
            }
            fn visit_bool<E: de::Error>(self, _: bool) -> Result<Self::Value, E> {
                Ok(Default::default())
            }
            fn visit_f64<E: de::Error>(self, _: f64) -> Result<Self::Value, E> {
                Ok(Default::default())
            }
            fn visit_seq<A: SeqAccess<$lifetime>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                while seq.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Default::default())
            }
            fn visit_map<A: MapAccess<$lifetime>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Default::default())
            }
        }
    };
}

impl<'de: 'a, 'a> Deserialize<'de> for Word<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        takes_any!(Word<'de>, 'de, {
            fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Word(Some(Cow::Borrowed(text))))
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Word(Some(Cow::Owned(text.to_owned()))))
            }
            fn visit_i64<E: de::Error>(self, _: i64) -> Result<Self::Value, E> {
                Ok(Word(None))
            }
            fn visit_u64<E: de::Error>(self, _: u64) -> Result<Self::Value, E> {
                Ok(Word(None))
            }
        });
        deserializer.deserialize_any(Any)
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        takes_any!(Number, 'de, {
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Number(text.trim().parse().ok()))
            }
            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Self::Value, E> {
                Ok(Number(number.try_into().ok()))
            }
            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Self::Value, E> {
                Ok(Number(Some(number)))
            }
        });
        deserializer.deserialize_any(Any)
    }
}

/// A text of a JSON object; empty where there is none.
pub(super) fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// The elements of a JSON object's list; none where there is no list.
pub(super) fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// JSON that only lacks brackets at its end, closed: a server that counts them wrong sends such.
pub(super) fn closed(text: &str) -> Option<Value> {
    let mut open = Vec::new();
    let mut quoted = false;
    let mut escaped = false;
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'{' => open.push('}'),
            b'[' => open.push(']'),
            b'}' | b']' => {
                open.pop()?;
            }
            _ => {}
        }
    }
    if quoted || open.is_empty() {
        return None;
    }
    let end: String = open.iter().rev().collect();
    serde_json::from_str(&format!("{text}{end}")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(text: &str) -> (String, String, String, Option<u64>) {
        let mut spare = Value::Null;
        let head = Head::parse(text, &mut spare).unwrap();
        (head.kind.text().into(), head.delta.text().into(), head.item_id.text().into(), head.output_index.0)
    }

    #[test]
    fn one_odd_field_does_not_cost_the_others() {
        for (text, expected) in [
            (r#"{"type":"t","delta":"d","item_id":"i","output_index":3}"#, ("t", "d", "i", Some(3))),
            (r#"{"delta":"a\n\u00e4","type":"t"}"#, ("t", "a\nä", "", None)),
            (r#"{"type":"t","delta":{"stdout":"x"},"output_index":"7"}"#, ("t", "", "", Some(7))),
            (r#"{"type":"t","delta":["x",{"y":1}],"output_index":-1}"#, ("t", "", "", None)),
            (r#"{"type":null,"delta":7,"item_id":true,"output_index":1.5}"#, ("", "", "", None)),
            (r#"{"type":"t","output_index":18446744073709551616}"#, ("t", "", "", None)),
            (r#"{"type":"t","delta":"one","delta":"two"}"#, ("t", "two", "", None)),
            ("{}", ("", "", "", None)),
        ] {
            let (kind, delta, id, index) = expected;
            assert_eq!(read(text), (kind.to_owned(), delta.to_owned(), id.to_owned(), index), "{text}");
        }
        let mut spare = Value::Null;
        assert!(Head::parse(r#"{"type":"cut"#, &mut spare).is_err());
    }

    #[test]
    fn brackets_that_are_missing_are_put_back() {
        for (text, expected) in [
            (r#"{"a":{"b":[1,{"c":2}]}"#, Some(json!({"a": {"b": [1, {"c": 2}]}}))),
            (r#"{"a":"}{\"","b":[1"#, Some(json!({"a": "}{\"", "b": [1]}))),
            (r#"{"a":"cut"#, None),
            (r#"{"a":"#, None),
            (r#"{"a":1}"#, None),
            (r#"}{"#, None),
            ("", None),
        ] {
            assert_eq!(closed(text), expected, "{text}");
        }
    }
}
