// SPDX-License-Identifier: Apache-2.0
//! The steps of a history as Gemini takes them: the answers to a model's calls right behind them, in a content of their
//! own; no part is empty; the person comes last.

use super::dialect::{Calling, Traits};
use super::native::{self, Returned};
use super::wire::Raw;
use crate::history::{Answered, Step, steps};
use crate::ids::{Ids, Rule};
use crate::names::Names;
use bailey_protocol::model::{PastCall, Picture, Request};
use base64::display::Base64Display;
use base64::engine::general_purpose::STANDARD;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use std::borrow::Cow;

/// Google's own word for a call that its model did not sign: one of another model, or one that lost its signature.
pub(super) const UNSIGNED: &str = "skip_thought_signature_validator";

#[derive(Debug, Serialize)]
pub(super) struct Content<'a> {
    role: &'static str,
    parts: Vec<Part<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Part<'a> {
    Text(Cow<'a, str>),
    InlineData(Blob<'a>),
    FunctionResponse(Answer<'a>),
    #[serde(untagged)]
    Call(CallPart<'a>),
    /// As it came.
    #[serde(untagged)]
    Native(Raw<'a>),
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Blob<'a> {
    mime_type: &'a str,
    #[serde(serialize_with = "base64")]
    data: &'a [u8],
}

fn base64<S: Serializer>(data: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&Base64Display::new(data, &STANDARD))
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CallPart<'a> {
    function_call: FunctionCall<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thought_signature: Option<&'static str>,
}

#[derive(Debug, Serialize)]
struct FunctionCall<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Cow<'a, str>>,
    name: Cow<'a, str>,
    args: Cow<'a, Value>,
}

#[derive(Debug, Serialize)]
pub(super) struct Answer<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Cow<'a, str>>,
    name: Cow<'a, str>,
    response: Response<'a>,
}

#[derive(Debug, Serialize)]
struct Response<'a> {
    result: &'a str,
}

/// The history of a request, for a model with these traits.
pub(super) fn contents<'a>(request: &'a Request, names: &'a Names, traits: &Traits) -> Vec<Content<'a>> {
    let speaks = |native: &_| native::read(native, &[], names, &traits.refused).is_some();
    let steps = steps(&request.messages, speaks);
    let mut ids = Ids::new(Rule::Any);
    let mut all: Vec<Content<'a>> = Vec::with_capacity(steps.len() + 1);
    for step in steps {
        match step {
            Step::User { text, pictures } => {
                let mut parts: Vec<Part<'a>> = pictures.into_iter().map(picture).collect();
                parts.extend((!text.is_empty()).then_some(Part::Text(text)));
                person(parts, &mut all);
            }
            Step::Assistant { text, calls, native, .. } => {
                let past: Vec<&PastCall> = calls.iter().map(|answered| answered.call).collect();
                let native = native.filter(|_| traits.takes_tools || calls.is_empty());
                let native = native.and_then(|it| native::read(it, &past, names, &traits.refused));
                let (parts, given) = match native {
                    Some(Returned { parts, ids }) => (parts.into_iter().map(Part::Native).collect(), ids),
                    None if traits.calling == Calling::AsText && !calls.is_empty() => {
                        as_text(text, &calls, &mut all);
                        continue;
                    }
                    None => plain(text, &calls, names, traits, &mut ids),
                };
                all.push(Content { role: "model", parts });
                let answer = |(answered, id): (Answered<'a>, Option<Cow<'a, str>>)| {
                    let name = names.wire(&answered.call.name);
                    Part::FunctionResponse(Answer { id, name, response: Response { result: answered.result } })
                };
                let parts: Vec<Part<'a>> = calls.into_iter().zip(given).map(answer).collect();
                if !parts.is_empty() {
                    all.push(Content { role: "user", parts });
                }
            }
        }
    }
    if traits.system_in_turn
        && !request.system.trim().is_empty()
        && let Some(first) = all.first_mut()
    {
        first.parts.insert(0, Part::Text(request.system.as_str().into()));
    }
    all
}

/// Calls and their results in words, for a model that knows nothing of calls.
fn as_text<'a>(text: &'a str, calls: &[Answered<'a>], all: &mut Vec<Content<'a>>) {
    let words = |text: String| Part::Text(text.into());
    let called = calls.iter().map(|it| format!("(I called {} with {})", it.call.name, it.call.arguments));
    all.push(Content { role: "model", parts: said(text).into_iter().chain(called.map(words)).collect() });
    let told = calls.iter().map(|it| format!("(The result of {}:)\n{}", it.call.name, it.result));
    person(told.map(words).collect(), all);
}

/// Adds what the person said. Beside the answers to calls it stands by itself: they are counted.
fn person<'a>(parts: Vec<Part<'a>>, all: &mut Vec<Content<'a>>) {
    let answers = |part: &Part<'_>| matches!(part, Part::FunctionResponse(_));
    match all.last_mut() {
        Some(last) if last.role == "user" && !last.parts.iter().any(answers) => last.parts.extend(parts),
        _ => all.push(Content { role: "user", parts }),
    }
}

fn said(text: &str) -> Option<Part<'_>> {
    (!text.trim().is_empty()).then(|| Part::Text(text.into()))
}

fn picture(picture: &Picture) -> Part<'_> {
    match picture.media_type.as_str() {
        _ if picture.data.is_empty() => Part::Text("(a picture that is no longer there)".into()),
        "image/gif" => Part::Text("(a GIF picture, which this model can't see)".into()),
        mime_type => Part::InlineData(Blob { mime_type, data: &picture.data }),
    }
}

/// A message of the model in the form that every model understands, and the ids of its calls.
fn plain<'a>(
    text: &'a str,
    calls: &[Answered<'a>],
    names: &'a Names,
    traits: &Traits,
    ids: &mut Ids,
) -> (Vec<Part<'a>>, Vec<Option<Cow<'a, str>>>) {
    let given: Vec<Option<Cow<'a, str>>> =
        calls.iter().map(|answered| traits.ids.then(|| ids.give(&answered.call.id).into())).collect();
    let call_part = |(at, (answered, id)): (usize, (&Answered<'a>, &Option<Cow<'a, str>>))| {
        let call = answered.call;
        let function_call =
            FunctionCall { id: id.clone(), name: names.wire(&call.name), args: arguments(&call.arguments) };
        // The first of several calls stands for all.
        let thought_signature = (at == 0 && traits.calling == Calling::Signed).then_some(UNSIGNED);
        Part::Call(CallPart { function_call, thought_signature })
    };
    let parts = said(text).into_iter().chain(calls.iter().zip(&given).enumerate().map(call_part)).collect();
    (parts, given)
}

/// Arguments are an object.
fn arguments(value: &Value) -> Cow<'_, Value> {
    match value {
        Value::Object(_) => Cow::Borrowed(value),
        Value::Null => Cow::Owned(json!({})),
        Value::String(text) => Cow::Owned(json!({ "not_an_object": text })),
        other => Cow::Owned(json!({ "not_an_object": other.to_string() })),
    }
}
