// SPDX-License-Identifier: Apache-2.0
use bailey_policy::{Approval, Grant};
use bailey_protocol::journal::Record;
use bailey_protocol::model::{Reply, Request};
use bailey_protocol::{Answer, AskId, CallId, DeltaKind, MessageId, ModelChoice, Part, RunError, Target};
use serde_json::Value;

/// What a turn is told.
#[derive(Debug)]
pub enum Input {
    /// Begin, or go on after [`Turn::restore`](crate::Turn::restore).
    Go,
    /// The model said something.
    Model(Reply),
    /// The request failed, or its stream ended without a finish.
    ModelFailed(RunError),
    /// The request failed for good, and this model, named by the person for outages, takes over.
    Fallback(ModelChoice),
    /// A tool ended.
    ToolDone {
        /// The call.
        call: CallId,
        /// Its result, or what it said when it failed; both in labelled parts.
        result: Result<Vec<Part>, Part>,
        /// How long it ran, in milliseconds.
        ms: u32,
    },
    /// What [`Effect::Look`] found, or why it found nothing, in words for the model.
    Looked {
        /// The call.
        call: CallId,
        /// What it would touch.
        target: Result<Target, String>,
    },
    /// The person answered a question. One that is not open changes nothing.
    Answered {
        /// Which.
        ask: AskId,
        /// The answer.
        answer: Answer,
    },
    /// The person stops the run.
    Stop,
    /// Time has passed; look at deadlines.
    Tick,
    /// The last journal effect failed: nothing after it was carried out.
    StorageFailed(String),
}

/// What a turn wants done. The driver carries effects out in order; `Journal` is done before the next one begins.
#[derive(Debug)]
pub enum Effect {
    /// Add to the journal, all or none. If that fails, drop the effects after it and say [`Input::StorageFailed`].
    Journal {
        /// The records.
        records: Vec<Record>,
        /// Whether they must be fully synced: a call that changes something comes next.
        synced: bool,
    },
    /// Send a request and feed the replies in.
    Request(Box<Request>),
    /// Drop the request in flight.
    AbortRequest,
    /// Text was added to a message: show it.
    Delta {
        /// The message.
        message: MessageId,
        /// Which text.
        kind: DeltaKind,
        /// What was added.
        text: String,
    },
    /// Find out what this call would touch on the screen. It goes on with [`Input::Looked`].
    Look {
        /// The call.
        call: CallId,
        /// Its tool.
        tool: String,
        /// Its arguments after repair.
        arguments: Value,
    },
    /// Run this call.
    RunTool(Approval),
    /// Start a sub-agent for this call; others may be under way. Its end is told as [`Input::ToolDone`].
    StartAgent(Approval),
    /// A sub-agent that was started for this call before the process was killed: go on with it.
    ResumeAgent(CallId),
    /// Drop the calls in flight, sub-agents among them.
    AbortTools,
    /// Keep a lasting permission.
    Grant(Grant),
}
