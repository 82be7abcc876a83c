// SPDX-License-Identifier: Apache-2.0
//! What servers send, read without trusting its types: one odd field must not cost the others. Only the frame around the
//! parts is read in one go; what is inside stays the text it came as until it is looked at.

use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, de};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

/// JSON text as it came.
pub(super) type Raw<'a> = &'a RawValue;

/// A member of an object that nobody here knows.
pub(super) type Other<'a> = (Cow<'a, str>, Raw<'a>);

/// One chunk of a stream, or a whole answer.
#[derive(Debug, Default)]
pub(super) struct Chunk<'a> {
    pub(super) candidates: Option<Vec<Obj<Candidate<'a>>>>,
    pub(super) feedback: Option<Raw<'a>>,
    pub(super) usage: Option<Raw<'a>>,
    pub(super) error: Option<Raw<'a>>,
    /// Whether it holds something that nobody here knows.
    pub(super) strange: bool,
}

impl Chunk<'_> {
    /// Whether it is part of an answer, or an error.
    pub(super) fn is_known(&self) -> bool {
        self.candidates.is_some() || self.feedback.is_some() || self.usage.is_some() || self.error.is_some()
    }
}

/// One of the answers that were asked for; there is one.
#[derive(Debug, Default)]
pub(super) struct Candidate<'a> {
    pub(super) index: Option<Raw<'a>>,
    pub(super) parts: Vec<Raw<'a>>,
    pub(super) finish_reason: Option<Raw<'a>>,
    pub(super) finish_message: Option<Raw<'a>>,
    /// Sources, citations and whatever else belongs to the answer as a whole.
    pub(super) others: Vec<Other<'a>>,
}

/// A part of a message.
#[derive(Debug, Default)]
pub(super) struct Part<'a> {
    pub(super) text: Option<Raw<'a>>,
    pub(super) thought: bool,
    pub(super) signature: Option<Raw<'a>>,
    pub(super) call: Option<Call<'a>>,
    /// Code, pictures, the provider's own tools, and what is new.
    pub(super) others: Vec<Other<'a>>,
}

/// A call, whole or a fragment of one.
#[derive(Debug, Default)]
pub(super) struct Call<'a> {
    pub(super) id: Option<Raw<'a>>,
    pub(super) name: Option<Raw<'a>>,
    pub(super) args: Option<Raw<'a>>,
    pub(super) partial: Vec<Obj<PartialArg<'a>>>,
    pub(super) will_continue: bool,
}

/// A value, or a piece of one, at a place in the arguments.
#[derive(Debug, Default)]
pub(super) struct PartialArg<'a> {
    pub(super) path: Option<Raw<'a>>,
    pub(super) string: Option<Raw<'a>>,
    /// A number or a boolean.
    pub(super) scalar: Option<Raw<'a>>,
    pub(super) null: bool,
    pub(super) will_continue: bool,
}

/// The text of a JSON string; `None` for anything else.
pub(super) fn text<'a>(raw: Option<Raw<'a>>) -> Option<Cow<'a, str>> {
    let json = raw?.get();
    let inside = json.strip_prefix('"')?.strip_suffix('"')?;
    match memchr::memchr(b'\\', inside.as_bytes()) {
        None => Some(Cow::Borrowed(inside)),
        Some(_) => serde_json::from_str(json).ok().map(Cow::Owned),
    }
}

/// The text of a JSON string that is not empty.
pub(super) fn words<'a>(raw: Option<Raw<'a>>) -> Option<Cow<'a, str>> {
    text(raw).filter(|text| !text.is_empty())
}

fn is_true(raw: Option<Raw<'_>>) -> bool {
    raw.is_some_and(|raw| raw.get() == "true")
}

/// An object, read member by member. Whatever else came in its place is taken for an empty one.
#[derive(Debug, Default)]
pub(super) struct Obj<T>(pub(super) T);

/// What can be read member by member.
pub(super) trait Members<'a>: Default {
    /// Takes the value of this member, or skips it.
    fn member<A: MapAccess<'a>>(&mut self, name: Cow<'a, str>, map: &mut A) -> Result<(), A::Error>;
}

/// Reads JSON text whose outermost value should be an object.
pub(super) fn read<'a, T: Members<'a>>(json: &'a str) -> Result<T, serde_json::Error> {
    serde_json::from_str::<Obj<T>>(json).map(|Obj(read)| read)
}

/// `null` is as good as nothing.
fn given<'a, A: MapAccess<'a>>(map: &mut A) -> Result<Option<Raw<'a>>, A::Error> {
    let raw: Raw<'a> = map.next_value()?;
    Ok(Some(raw).filter(|raw| raw.get() != "null"))
}

impl<'a> Members<'a> for Chunk<'a> {
    fn member<A: MapAccess<'a>>(&mut self, name: Cow<'a, str>, map: &mut A) -> Result<(), A::Error> {
        match &*name {
            "candidates" => {
                self.candidates = Some(map.next_value::<List<Obj<Candidate<'a>>>>()?.0);
            }
            "promptFeedback" => self.feedback = given(map)?,
            "usageMetadata" => self.usage = given(map)?,
            "error" => self.error = given(map)?,
            "modelVersion" | "responseId" | "createTime" | "modelStatus" | "sdkHttpResponse" => {
                map.next_value::<IgnoredAny>()?;
            }
            _ => {
                map.next_value::<IgnoredAny>()?;
                self.strange = true;
                return Ok(());
            }
        }
        Ok(())
    }
}

impl<'a> Members<'a> for Candidate<'a> {
    fn member<A: MapAccess<'a>>(&mut self, name: Cow<'a, str>, map: &mut A) -> Result<(), A::Error> {
        match &*name {
            "index" => self.index = given(map)?,
            "content" => self.parts = map.next_value::<Obj<Content<'a>>>()?.0.parts,
            "finishReason" => self.finish_reason = given(map)?,
            "finishMessage" => self.finish_message = given(map)?,
            "role" | "tokenCount" | "avgLogprobs" | "logprobsResult" | "safetyRatings" => {
                map.next_value::<IgnoredAny>()?;
            }
            _ => {
                if let Some(raw) = given(map)? {
                    self.others.push((name, raw));
                }
            }
        }
        Ok(())
    }
}

#[derive(Debug, Default)]
struct Content<'a> {
    parts: Vec<Raw<'a>>,
}

impl<'a> Members<'a> for Content<'a> {
    fn member<A: MapAccess<'a>>(&mut self, name: Cow<'a, str>, map: &mut A) -> Result<(), A::Error> {
        if name == "parts" {
            self.parts = map.next_value::<List<Raw<'a>>>()?.0;
        } else {
            map.next_value::<IgnoredAny>()?;
        }
        Ok(())
    }
}

impl<'a> Members<'a> for Part<'a> {
    fn member<A: MapAccess<'a>>(&mut self, name: Cow<'a, str>, map: &mut A) -> Result<(), A::Error> {
        match &*name {
            "text" => self.text = given(map)?,
            "thought" => self.thought = is_true(given(map)?),
            "thoughtSignature" => self.signature = given(map)?.filter(|raw| raw.get() != "\"\""),
            "functionCall" => self.call = map.next_value::<Option<Obj<Call<'a>>>>()?.map(|Obj(call)| call),
            _ => self.others.extend(given(map)?.map(|raw| (name, raw))),
        }
        Ok(())
    }
}

impl<'a> Members<'a> for Call<'a> {
    fn member<A: MapAccess<'a>>(&mut self, name: Cow<'a, str>, map: &mut A) -> Result<(), A::Error> {
        match &*name {
            "id" => self.id = given(map)?,
            "name" => self.name = given(map)?,
            "args" => self.args = given(map)?,
            "partialArgs" => self.partial = map.next_value::<List<Obj<PartialArg<'a>>>>()?.0,
            "willContinue" => self.will_continue = is_true(given(map)?),
            _ => {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

impl<'a> Members<'a> for PartialArg<'a> {
    fn member<A: MapAccess<'a>>(&mut self, name: Cow<'a, str>, map: &mut A) -> Result<(), A::Error> {
        match &*name {
            "jsonPath" => self.path = given(map)?,
            "stringValue" => self.string = given(map)?,
            "numberValue" | "boolValue" => self.scalar = given(map)?.or(self.scalar),
            "nullValue" => {
                map.next_value::<IgnoredAny>()?;
                self.null = true;
            }
            "willContinue" => self.will_continue = is_true(given(map)?),
            _ => {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

impl<'a, T: Members<'a>> Deserialize<'a> for Obj<T> {
    fn deserialize<D: Deserializer<'a>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any<T>(PhantomData<T>);
        impl<'a, T: Members<'a>> Visitor<'a> for Any<T> {
            type Value = Obj<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any value")
            }
            fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut read = T::default();
                while let Some(Name(name)) = map.next_key()? {
                    read.member(name, &mut map)?;
                }
                Ok(Obj(read))
            }
            fn visit_seq<A: SeqAccess<'a>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                while seq.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Obj(T::default()))
            }
            fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
                Ok(Obj(T::default()))
            }
            fn visit_bool<E: de::Error>(self, _: bool) -> Result<Self::Value, E> {
                Ok(Obj(T::default()))
            }
            fn visit_i64<E: de::Error>(self, _: i64) -> Result<Self::Value, E> {
                Ok(Obj(T::default()))
            }
            fn visit_u64<E: de::Error>(self, _: u64) -> Result<Self::Value, E> {
                Ok(Obj(T::default()))
            }
            fn visit_f64<E: de::Error>(self, _: f64) -> Result<Self::Value, E> {
                Ok(Obj(T::default()))
            }
            fn visit_str<E: de::Error>(self, _: &str) -> Result<Self::Value, E> {
                Ok(Obj(T::default()))
            }
        }
        deserializer.deserialize_any(Any(PhantomData))
    }
}

/// A list. Whatever else came in its place is taken for an empty one.
struct List<T>(Vec<T>);

impl<'a, T: Deserialize<'a>> Deserialize<'a> for List<T> {
    fn deserialize<D: Deserializer<'a>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any<T>(PhantomData<T>);
        impl<'a, T: Deserialize<'a>> Visitor<'a> for Any<T> {
            type Value = List<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any value")
            }
            fn visit_seq<A: SeqAccess<'a>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                let mut list = Vec::new();
                while let Some(element) = seq.next_element()? {
                    list.push(element);
                }
                Ok(List(list))
            }
            fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(List(Vec::new()))
            }
            fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
                Ok(List(Vec::new()))
            }
            fn visit_bool<E: de::Error>(self, _: bool) -> Result<Self::Value, E> {
                Ok(List(Vec::new()))
            }
            fn visit_i64<E: de::Error>(self, _: i64) -> Result<Self::Value, E> {
                Ok(List(Vec::new()))
            }
            fn visit_u64<E: de::Error>(self, _: u64) -> Result<Self::Value, E> {
                Ok(List(Vec::new()))
            }
            fn visit_f64<E: de::Error>(self, _: f64) -> Result<Self::Value, E> {
                Ok(List(Vec::new()))
            }
            fn visit_str<E: de::Error>(self, _: &str) -> Result<Self::Value, E> {
                Ok(List(Vec::new()))
            }
        }
        deserializer.deserialize_any(Any(PhantomData))
    }
}

/// A member's name, borrowed where it can be.
struct Name<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Name<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl<'de> Visitor<'de> for Text {
            type Value = Name<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }
            fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Name(Cow::Borrowed(text)))
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Name(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(Text)
    }
}
