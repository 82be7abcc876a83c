// SPDX-License-Identifier: Apache-2.0
//! The driver. It carries out what the engine wants done, keeps one session a run, tells faces what happens, and takes
//! up what an earlier process left in the middle.

mod agent;
mod background;
mod children;
mod conversations;
mod device;
mod facts;
mod grants;
mod hub;
mod models;
mod network;
mod notes;
mod pictures;
mod redact;
mod resume;
mod session;
mod settings;
mod web;

pub use agent::{Agent, Parts, RunOptions};
pub use hub::{Presence, Subscription};
pub use models::protocol_of;
