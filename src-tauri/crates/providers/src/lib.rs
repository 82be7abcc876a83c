// SPDX-License-Identifier: Apache-2.0
//! Model protocols: server-sent events in, model events out; and the demo model, which needs no network.

pub mod demo;
mod local;
pub mod openai_chat;
mod probe;
mod sse;

pub use demo::DemoModel;
pub use local::find_local_servers;
pub use openai_chat::OpenAiChat;
pub use probe::probe;
