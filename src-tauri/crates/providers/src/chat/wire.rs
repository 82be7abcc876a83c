// SPDX-License-Identifier: Apache-2.0
//! What servers send, read without trusting its types: one odd field must not cost the others. What comes often is
//! borrowed from the event; what comes seldom is kept as it stands.

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, de};
use serde_json::Value;
use std::borrow::Cow;
use std::fmt;

/// An object whose keys are taken one by one.
trait Keyed<'de>: Default {
    /// Takes the value of a key, or passes over it.
    fn take<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error>;
}

/// Everything that is neither map nor sequence is nothing.
macro_rules! scalars_are_nothing {
    ($nothing:expr) => {
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("any value")
        }
        fn visit_bool<E: de::Error>(self, _: bool) -> Result<Self::Value, E> {
            Ok($nothing)
        }
        fn visit_i64<E: de::Error>(self, _: i64) -> Result<Self::Value, E> {
            Ok($nothing)
        }
        fn visit_u64<E: de::Error>(self, _: u64) -> Result<Self::Value, E> {
            Ok($nothing)
        }
        fn visit_f64<E: de::Error>(self, _: f64) -> Result<Self::Value, E> {
            Ok($nothing)
        }
        fn visit_str<E: de::Error>(self, _: &str) -> Result<Self::Value, E> {
            Ok($nothing)
        }
        fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
            Ok($nothing)
        }
    };
}

/// Reads an object into its place (these are large, and moving them costs more than reading); tells whether it was one.
struct Into<'a, T>(&'a mut T);

impl<'de, T: Keyed<'de>> Visitor<'de> for Into<'_, T> {
    type Value = bool;
    scalars_are_nothing!(false);
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(false)
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        while let Some(Key(key)) = map.next_key()? {
            self.0.take(&key, &mut map)?;
        }
        Ok(true)
    }
}

impl<'de, T: Keyed<'de>> DeserializeSeed<'de> for Into<'_, T> {
    type Value = bool;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

/// A list that most often has one element, which then needs no allocation.
#[derive(Debug)]
pub(super) struct Few<T> {
    first: Option<T>,
    rest: Vec<T>,
}

impl<T> Default for Few<T> {
    fn default() -> Self {
        Self { first: None, rest: Vec::new() }
    }
}

impl<T> Few<T> {
    pub(super) fn is_empty(&self) -> bool {
        self.first.is_none()
    }
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.first.iter().chain(&self.rest)
    }
}

/// Reads a list of objects into its place; what is none of them is left out.
struct IntoList<'a, T>(&'a mut Few<T>);

impl<'de, T: Keyed<'de>> Visitor<'de> for IntoList<'_, T> {
    type Value = ();
    scalars_are_nothing!(());
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let Few { first, rest } = self.0;
        loop {
            if first.is_none() {
                match seq.next_element_seed(Into(first.insert(T::default())))? {
                    Some(true) => {}
                    other => {
                        *first = None;
                        if other.is_none() {
                            return Ok(());
                        }
                    }
                }
                continue;
            }
            let mut one = T::default();
            match seq.next_element_seed(Into(&mut one))? {
                Some(true) => rest.push(one),
                Some(false) => {}
                None => return Ok(()),
            }
        }
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(())
    }
}

impl<'de, T: Keyed<'de>> DeserializeSeed<'de> for IntoList<'_, T> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

/// Reads the value of a key that stands for an object. The last of several holds.
fn object<'de, T: Keyed<'de>, A: MapAccess<'de>>(into: &mut Option<T>, map: &mut A) -> Result<(), A::Error> {
    if !map.next_value_seed(Into(into.insert(T::default())))? {
        *into = None;
    }
    Ok(())
}

/// The same for a list of objects.
fn list<'de, T: Keyed<'de>, A: MapAccess<'de>>(into: &mut Few<T>, map: &mut A) -> Result<(), A::Error> {
    *into = Few::default();
    map.next_value_seed(IntoList(into))
}

fn pass<'de, A: MapAccess<'de>>(map: &mut A) -> Result<(), A::Error> {
    map.next_value::<IgnoredAny>().map(drop)
}

/// Keeps what is not null.
fn keep<'de, A: MapAccess<'de>>(key: &str, kept: &mut Vec<(String, Value)>, map: &mut A) -> Result<(), A::Error> {
    let value: Value = map.next_value()?;
    if !value.is_null() {
        kept.push((key.to_owned(), value));
    }
    Ok(())
}

/// A key, borrowed where it has no escapes.
struct Key<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Key<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl<'de> Visitor<'de> for Text {
            type Value = Key<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key")
            }
            fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Key(Cow::Borrowed(text)))
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Key(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(Text)
    }
}

/// One chunk of a stream, or a whole answer.
#[derive(Debug, Default)]
pub(super) struct Chunk<'a> {
    pub(super) choices: Few<Choice<'a>>,
    pub(super) usage: Option<Box<Value>>,
    pub(super) error: Option<Box<Value>>,
    /// The keys of an error that stands by itself.
    pub(super) object: Field<'a>,
    pub(super) message: Field<'a>,
    pub(super) code: Field<'a>,
    /// What the answer rests on, for all of it.
    pub(super) sources: Vec<(String, Value)>,
}

impl<'de: 'a, 'a> Keyed<'de> for Chunk<'a> {
    fn take<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "choices" => list(&mut self.choices, map)?,
            "usage" => {
                let usage: Option<Box<Value>> = map.next_value()?;
                self.usage = usage.filter(|usage| usage.is_object()).or(self.usage.take());
            }
            "x_groq" => {
                let groq: Option<Box<Value>> = map.next_value()?;
                let usage = groq.and_then(|mut groq| groq.get_mut("usage").map(Value::take));
                self.usage = self.usage.take().or(usage.filter(Value::is_object).map(Box::new));
            }
            "error" => self.error = map.next_value()?,
            "object" => self.object = map.next_value()?,
            "message" => self.message = map.next_value()?,
            "code" => self.code = map.next_value()?,
            "citations" | "search_results" => keep(key, &mut self.sources, map)?,
            _ => pass(map)?,
        }
        Ok(())
    }
}

impl<'a> Chunk<'a> {
    /// Reads JSON text into this empty one; whether it was an object.
    pub(super) fn read(&mut self, text: &'a str) -> bool {
        let mut reader = serde_json::Deserializer::from_str(text);
        Into(self).deserialize(&mut reader).is_ok_and(|is_object| is_object) && reader.end().is_ok()
    }
}

#[derive(Debug, Default)]
pub(super) struct Choice<'a> {
    pub(super) index: Field<'a>,
    /// What is added to the message, or all of it.
    pub(super) delta: Option<Delta<'a>>,
    /// It is all of it.
    pub(super) is_whole: bool,
    pub(super) finish_reason: Field<'a>,
    pub(super) usage: Option<Box<Value>>,
}

impl<'de: 'a, 'a> Keyed<'de> for Choice<'a> {
    fn take<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "index" => self.index = map.next_value()?,
            "delta" if !self.is_whole => object(&mut self.delta, map)?,
            // In place of `delta` in an answer that is not a stream.
            "message" if self.delta.is_none() => {
                object(&mut self.delta, map)?;
                self.is_whole = self.delta.is_some();
            }
            "finish_reason" => self.finish_reason = map.next_value()?,
            "usage" => self.usage = map.next_value()?,
            _ => pass(map)?,
        }
        Ok(())
    }
}

#[derive(Debug, Default)]
pub(super) struct Delta<'a> {
    /// Text, or a list of typed parts.
    pub(super) content: Field<'a>,
    pub(super) reasoning_content: Field<'a>,
    pub(super) reasoning: Field<'a>,
    pub(super) reasoning_text: Field<'a>,
    pub(super) refusal: Field<'a>,
    pub(super) tool_calls: Few<CallPart<'a>>,
    /// The older form of a single call.
    pub(super) function_call: Option<Box<FunctionPart<'a>>>,
    /// What the provider wants back, and what is shown besides the text.
    pub(super) more: Vec<(String, Value)>,
}

/// What is shown besides the text.
pub(super) const ANNOTATIONS: &str = "annotations";
pub(super) const IMAGES: &str = "images";
pub(super) const EXECUTED: &str = "executed_tools";

impl<'de: 'a, 'a> Keyed<'de> for Delta<'a> {
    fn take<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "content" => self.content = map.next_value()?,
            "reasoning_content" => self.reasoning_content = map.next_value()?,
            "reasoning" => self.reasoning = map.next_value()?,
            "reasoning_text" => self.reasoning_text = map.next_value()?,
            "refusal" => self.refusal = map.next_value()?,
            "tool_calls" => list(&mut self.tool_calls, map)?,
            "function_call" => {
                let mut function = None;
                object(&mut function, map)?;
                self.function_call = function.map(Box::new);
            }
            ANNOTATIONS | IMAGES | EXECUTED => keep(key, &mut self.more, map)?,
            key if super::dialect::NATIVE.contains(&key) => keep(key, &mut self.more, map)?,
            _ => pass(map)?,
        }
        Ok(())
    }
}

/// The keys of a call, and of its function, that go back as they came.
const CALL_NATIVE: [&str; 3] = ["extra_content", "thought_signature", "provider_specific_fields"];

/// A fragment of a call.
#[derive(Debug, Default)]
pub(super) struct CallPart<'a> {
    pub(super) index: Field<'a>,
    pub(super) id: Field<'a>,
    pub(super) r#type: Field<'a>,
    pub(super) function: Option<FunctionPart<'a>>,
    pub(super) more: Vec<(String, Value)>,
}

impl<'de: 'a, 'a> Keyed<'de> for CallPart<'a> {
    fn take<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "index" => self.index = map.next_value()?,
            "id" => self.id = map.next_value()?,
            "type" => self.r#type = map.next_value()?,
            "function" => object(&mut self.function, map)?,
            // A call that is none of a function's is kept whole.
            key if CALL_NATIVE.contains(&key) => keep(key, &mut self.more, map)?,
            _ => pass(map)?,
        }
        Ok(())
    }
}

#[derive(Debug, Default)]
pub(super) struct FunctionPart<'a> {
    pub(super) name: Field<'a>,
    /// Text; some servers send the object itself.
    pub(super) arguments: Field<'a>,
    pub(super) more: Vec<(String, Value)>,
}

impl<'de: 'a, 'a> Keyed<'de> for FunctionPart<'a> {
    fn take<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "name" => self.name = map.next_value()?,
            "arguments" => self.arguments = map.next_value()?,
            key if CALL_NATIVE.contains(&key) => keep(key, &mut self.more, map)?,
            _ => pass(map)?,
        }
        Ok(())
    }
}

/// A value of any type: absent or null, text, or something else.
#[derive(Debug, Default, PartialEq)]
pub(super) enum Field<'a> {
    #[default]
    Nothing,
    Text(Cow<'a, str>),
    Number(u64),
    Other(Box<Value>),
}

impl Field<'_> {
    /// Text that is not empty.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Field::Text(text) if !text.is_empty() => Some(text),
            _ => None,
        }
    }
    /// A small number, perhaps written as text.
    pub(super) fn number(&self) -> Option<u32> {
        match self {
            Field::Number(number) => u32::try_from(*number).ok(),
            Field::Text(text) => text.parse().ok(),
            Field::Other(_) | Field::Nothing => None,
        }
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Field<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Field<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any value")
            }
            fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Field::Text(Cow::Borrowed(text)))
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Field::Text(Cow::Owned(text.to_owned())))
            }
            fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
                Ok(Field::Nothing)
            }
            fn visit_bool<E: de::Error>(self, value: bool) -> Result<Self::Value, E> {
                Ok(Field::Other(Box::new(value.into())))
            }
            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Self::Value, E> {
                Ok(Field::Other(Box::new(value.into())))
            }
            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Self::Value, E> {
                Ok(Field::Number(value))
            }
            fn visit_f64<E: de::Error>(self, value: f64) -> Result<Self::Value, E> {
                Ok(Field::Other(Box::new(value.into())))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
                Value::deserialize(de::value::SeqAccessDeserializer::new(seq))
                    .map(|value| Field::Other(Box::new(value)))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                Value::deserialize(de::value::MapAccessDeserializer::new(map))
                    .map(|value| Field::Other(Box::new(value)))
            }
        }
        deserializer.deserialize_any(Any)
    }
}
