// SPDX-License-Identifier: Apache-2.0
//! What tests stand on: a scripted model, in the process and over HTTP, a store that dies when told to, clocks.

pub mod clock;
pub mod model;
pub mod secrets;
pub mod server;
pub mod shell;
pub mod store;
