// SPDX-License-Identifier: Apache-2.0
//! What the engine asks of a model and what comes back, free of any provider's protocol.

use crate::{Effort, PictureId, RunErrorKind};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;
use ts_rs::TS;

/// One request to a model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// The model's name at its provider.
    pub model: String,
    /// The standing instructions; stable within a run, so that providers can cache the prefix.
    pub system: String,
    /// The history, ending with what is to be answered.
    pub messages: Vec<Turn>,
    /// The tools this request offers; may be empty.
    pub tools: Vec<ToolDeclaration>,
    /// The most tokens the answer may have, reasoning included; `None` leaves it to the provider where it may be left.
    #[serde(default)]
    pub max_output: Option<u32>,
    /// How much the model should think; `None` leaves it to the provider.
    #[serde(default)]
    pub effort: Option<Effort>,
}

/// One message of a request. Every call of an `Assistant` is followed by exactly one `Tool` with its id, in order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "snake_case")]
pub enum Turn {
    /// The person, or Bailey speaking for the app.
    User {
        /// The text; may be empty when there are pictures.
        text: String,
        /// Pictures that belong to it. The engine names them; the driver brings the bytes.
        #[serde(default)]
        pictures: Vec<Picture>,
    },
    /// The model.
    Assistant {
        /// Its text, perhaps empty.
        text: String,
        /// What it thought, perhaps empty; goes back with tool turns where a provider wants it.
        reasoning: String,
        /// Its calls.
        calls: Vec<PastCall>,
        /// The message in the provider's own form, where that holds more than the fields beside it. Only the model that
        /// wrote it may get it back; everybody else gets the fields.
        #[serde(default)]
        native: Option<Arc<Native>>,
    },
    /// A call's result.
    Tool {
        /// The provider's id of the call.
        id: String,
        /// The tool's name.
        name: String,
        /// The result as the model reads it.
        text: String,
    },
}

impl Turn {
    /// What the person said, without pictures.
    pub fn user(text: impl Into<String>) -> Self {
        Turn::User { text: text.into(), pictures: Vec::new() }
    }
}

/// A picture of a request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Picture {
    /// Its id.
    pub id: PictureId,
    /// `image/jpeg`, `image/png`, `image/webp` or `image/gif`.
    pub media_type: String,
    /// The file's bytes; empty until the driver has brought them.
    #[serde(skip)]
    pub data: Arc<[u8]>,
}

/// An assistant message in its provider's own form, kept whole and sent back as it is: signed or encrypted reasoning,
/// the order of its parts, items that only the provider understands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Native {
    /// Who can read it: provider, protocol and model. Compared whole.
    pub origin: String,
    /// The parts, in a shape that only the protocol's own code knows.
    pub items: Vec<Value>,
}

/// A call the model made earlier.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PastCall {
    /// The provider's id of it.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// Its arguments.
    pub arguments: Value,
}

/// A tool as a request offers it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolDeclaration {
    /// Its name.
    pub name: String,
    /// What it does and when not to use it.
    pub description: String,
    /// Its JSON Schema.
    pub schema: Value,
}

/// Something a model said. A stream ends with exactly one [`Reply::Finish`]; a stream that ends without one was
/// interrupted. [`Reply::Native`] comes at most once, right before the end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Reply {
    /// Text was added.
    Text {
        /// What was added.
        text: String,
    },
    /// Thought aloud.
    Reasoning {
        /// What was added.
        text: String,
    },
    /// A call's name is known; its arguments are still being written. For showing only.
    CallBegan {
        /// The tool's name.
        name: String,
    },
    /// A whole call.
    Call {
        /// The provider's id; made up when it gave none.
        id: String,
        /// The tool's name.
        name: String,
        /// The arguments as the model wrote them, perhaps not JSON.
        arguments: String,
    },
    /// Something else of the provider's own: its search, its code, an item that nobody here knows. It is kept and shown
    /// as such. What it holds comes from outside.
    Item {
        /// The provider's name for it.
        kind: String,
        /// All of it, as the provider sent it.
        data: Value,
    },
    /// The message in the provider's own form; see [`Native`].
    Native {
        /// The message.
        native: Arc<Native>,
    },
    /// What the provider counted.
    Usage {
        /// The count.
        usage: Usage,
    },
    /// The attempt failed and another one follows: what was said since the request went out is void.
    Retry {
        /// Why.
        kind: RunErrorKind,
        /// How long the next attempt waits, in milliseconds.
        wait_ms: u32,
    },
    /// A tool of the request could not be put into the provider's protocol and was left out.
    LeftOut {
        /// The tool.
        tool: String,
        /// Why.
        reason: String,
    },
    /// The end.
    Finish {
        /// Why.
        finish: Finish,
    },
}

/// Why a model stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// It was done.
    Stop,
    /// It wants its calls run.
    Calls,
    /// The output limit.
    Length,
    /// A filter.
    Refused,
}

/// Tokens, as the provider counted them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Usage {
    /// In the request, cached ones included.
    pub input: u32,
    /// Of these from the provider's cache.
    pub cached: u32,
    /// Of these written to the provider's cache.
    #[serde(default)]
    pub cache_write: u32,
    /// In the answer, reasoning included.
    pub output: u32,
    /// Of these for reasoning.
    pub reasoning: u32,
    /// What it cost in micro-dollars, where prices are known or the provider says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(type = "number", optional)]
    pub cost: Option<u64>,
}
