// SPDX-License-Identifier: Apache-2.0
//! What servers send, read without trusting its types: one odd field must not cost the others.

use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, de};
use serde_json::Value;
use std::borrow::Cow;
use std::fmt;

/// One chunk of a stream, or a whole answer.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Chunk<'a> {
    #[serde(borrow)]
    pub(super) choices: Option<Vec<Choice<'a>>>,
    #[serde(borrow)]
    pub(super) usage: Field<'a>,
    #[serde(borrow)]
    pub(super) x_groq: Field<'a>,
    #[serde(borrow)]
    pub(super) error: Field<'a>,
    #[serde(borrow)]
    pub(super) object: Field<'a>,
    #[serde(borrow)]
    pub(super) message: Field<'a>,
    #[serde(borrow)]
    pub(super) code: Field<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Choice<'a> {
    #[serde(borrow)]
    pub(super) index: Field<'a>,
    #[serde(borrow)]
    pub(super) delta: Option<Delta<'a>>,
    /// In place of `delta` in an answer that is not a stream.
    #[serde(borrow)]
    pub(super) message: Option<Delta<'a>>,
    #[serde(borrow)]
    pub(super) finish_reason: Field<'a>,
    #[serde(borrow)]
    pub(super) usage: Field<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Delta<'a> {
    /// Text, or a list of typed parts.
    #[serde(borrow)]
    pub(super) content: Field<'a>,
    #[serde(borrow)]
    pub(super) reasoning_content: Field<'a>,
    #[serde(borrow)]
    pub(super) reasoning: Field<'a>,
    #[serde(borrow)]
    pub(super) refusal: Field<'a>,
    #[serde(borrow)]
    pub(super) tool_calls: Option<Vec<CallPart<'a>>>,
    /// The older form of a single call.
    #[serde(borrow)]
    pub(super) function_call: Option<FunctionPart<'a>>,
}

/// A fragment of a call.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct CallPart<'a> {
    #[serde(borrow)]
    pub(super) index: Field<'a>,
    #[serde(borrow)]
    pub(super) id: Field<'a>,
    #[serde(borrow)]
    pub(super) function: Option<FunctionPart<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct FunctionPart<'a> {
    #[serde(borrow)]
    pub(super) name: Field<'a>,
    /// Text; some servers send the object itself.
    #[serde(borrow)]
    pub(super) arguments: Field<'a>,
}

impl<'a> Chunk<'a> {
    /// Reads JSON text. `spare` holds what a second, slower look at odd text (a key twice) needs.
    pub(super) fn parse(text: &'a str, spare: &'a mut Value) -> Result<Self, serde_json::Error> {
        match serde_json::from_str(text) {
            Ok(chunk) => Ok(chunk),
            Err(error) if error.is_data() => {
                *spare = serde_json::from_str(text)?;
                Self::deserialize(&*spare)
            }
            Err(error) => Err(error),
        }
    }
}

/// A value of any type: absent or null, text, or something else.
#[derive(Debug, Default, PartialEq)]
pub(super) enum Field<'a> {
    #[default]
    Nothing,
    Text(Cow<'a, str>),
    Other(Value),
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
            Field::Other(value) => value.as_u64().and_then(|n| u32::try_from(n).ok()),
            Field::Text(text) => text.parse().ok(),
            Field::Nothing => None,
        }
    }
    /// An object or array.
    pub(super) fn value(&self) -> Option<&Value> {
        match self {
            Field::Other(value) => Some(value),
            _ => None,
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
            fn visit_string<E: de::Error>(self, text: String) -> Result<Self::Value, E> {
                Ok(Field::Text(Cow::Owned(text)))
            }
            fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
                Ok(Field::Nothing)
            }
            fn visit_none<E: de::Error>(self) -> Result<Self::Value, E> {
                Ok(Field::Nothing)
            }
            fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
                deserializer.deserialize_any(self)
            }
            fn visit_bool<E: de::Error>(self, value: bool) -> Result<Self::Value, E> {
                Ok(Field::Other(value.into()))
            }
            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Self::Value, E> {
                Ok(Field::Other(value.into()))
            }
            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Self::Value, E> {
                Ok(Field::Other(value.into()))
            }
            fn visit_f64<E: de::Error>(self, value: f64) -> Result<Self::Value, E> {
                Ok(Field::Other(value.into()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
                Value::deserialize(de::value::SeqAccessDeserializer::new(seq)).map(Field::Other)
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                Value::deserialize(de::value::MapAccessDeserializer::new(map)).map(Field::Other)
            }
        }
        deserializer.deserialize_any(Any)
    }
}
