// SPDX-License-Identifier: Apache-2.0
//! The built-in tools over ports, one file each, and their [`Registry`].

mod arguments;
mod ask_user;
mod compute;
mod file_write;
mod get_time;
mod memory_search;
mod memory_write;
mod plan_update;
mod registry;
mod run_shell;

pub use registry::{Parts, Registry};
