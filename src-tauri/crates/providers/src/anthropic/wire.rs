// SPDX-License-Identifier: Apache-2.0
//! What servers send. The events that come by the thousand are read without copying; whatever does not look exactly like
//! these is read as a value, which forgives more.

use crate::failure;
use bailey_ports::ModelError;
use bailey_protocol::model::Finish;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// A `content_block_delta` that adds text.
#[derive(Debug, Deserialize)]
pub(super) struct DeltaEvent<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Cow<'a, str>,
    pub(super) index: u64,
    #[serde(borrow)]
    pub(super) delta: Delta<'a>,
}

/// What it adds: one of these, as its kind says.
#[derive(Debug, Deserialize)]
pub(super) struct Delta<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Cow<'a, str>,
    #[serde(borrow, default)]
    pub(super) text: Cow<'a, str>,
    #[serde(borrow, default)]
    pub(super) thinking: Cow<'a, str>,
    #[serde(borrow, default)]
    pub(super) partial_json: Cow<'a, str>,
}

/// A `content_block_start`, for the exact text of its block.
#[derive(Debug, Deserialize)]
pub(super) struct StartText<'a> {
    #[serde(borrow)]
    pub(super) content_block: &'a RawValue,
}

/// A small number, perhaps written as text.
pub(super) fn index(event: &Value) -> Option<u64> {
    let index = event.get("index")?;
    index.as_u64().or_else(|| index.as_str()?.parse().ok())
}

/// Whether something that is no event of this protocol tells of an error.
pub(super) fn says_error(event: &Value) -> bool {
    let has = |keys: &[&str]| keys.iter().any(|key| !event.get(*key).unwrap_or(&Value::Null).is_null());
    has(&["message", "msg", "detail"]) && has(&["code", "status", "statusCode"])
}

/// A reason to stop; some mean a fault.
pub(super) fn finish(reason: &str) -> Result<Finish, ModelError> {
    Ok(match reason.to_ascii_lowercase().as_str() {
        "tool_use" | "tool_calls" => Finish::Calls,
        "max_tokens" | "model_context_window_exceeded" | "length" => Finish::Length,
        "refusal" | "content_filter" | "sensitive" | "safety" => Finish::Refused,
        "error" | "network_error" => return Err(failure::gave_up(reason)),
        // Also pause_turn and compaction: of tools of the provider's that were never asked for.
        _ => Finish::Stop,
    })
}
