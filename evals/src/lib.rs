// SPDX-License-Identifier: Apache-2.0
//! What is claimed of Bailey, measured: replays of attacks through the real loop, store and gate.

pub mod injection;
pub mod phone;
