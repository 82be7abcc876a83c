// SPDX-License-Identifier: Apache-2.0
//! What tests stand on: a scripted model, in the process and over HTTP, a store that dies when told to, clocks,
//! a simulated phone and what every device is held to.

pub mod clock;
pub mod device_contract;
pub mod model;
pub mod phone;
pub mod secrets;
pub mod server;
pub mod shell;
pub mod store;
