// SPDX-License-Identifier: Apache-2.0
//! What the engine asks of a model and what comes back, free of any provider's protocol.

use serde::{Deserialize, Serialize};
use serde_json::Value;
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
}

/// One message of a request. Every call of an `Assistant` is followed by exactly one `Tool` with its id, in order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "snake_case")]
pub enum Turn {
    /// The person, or Bailey speaking for the app.
    User {
        /// The text.
        text: String,
    },
    /// The model.
    Assistant {
        /// Its text, perhaps empty.
        text: String,
        /// What it thought, perhaps empty; goes back with tool turns where a provider wants it.
        reasoning: String,
        /// Its calls.
        calls: Vec<PastCall>,
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
/// interrupted.
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
    /// What the provider counted.
    Usage {
        /// The count.
        usage: Usage,
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
    /// In the answer, reasoning included.
    pub output: u32,
    /// Of these for reasoning.
    pub reasoning: u32,
}
