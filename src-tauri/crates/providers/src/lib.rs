// SPDX-License-Identifier: Apache-2.0
//! Model protocols: server-sent events in, model events out; and the demo model, which needs no network.

mod answer;
mod anthropic;
pub mod catalogue;
mod chat;
pub mod demo;
mod endpoint;
mod failure;
mod gemini;
mod halves;
mod history;
mod ids;
mod local;
mod names;
mod probe;
mod protocol;
mod recognise;
mod responses;
mod schema;
mod sse;

pub use answer::{Asked, Decoded, Decoder};
pub use demo::DemoModel;
pub use endpoint::{Endpoint, Patience};
pub use local::find_local_servers;
pub use names::Names;
pub use probe::probe;
pub use protocol::{Listed, sent};
pub use recognise::{Preset, Recognised, presets, recognise};
