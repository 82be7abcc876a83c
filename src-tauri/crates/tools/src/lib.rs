// SPDX-License-Identifier: Apache-2.0
//! The built-in tools over ports, one file each, and their [`Registry`].

mod arguments;
mod ask_user;
mod compute;
mod device;
mod download_file;
mod fetch_rss;
mod file_write;
mod get_time;
mod get_weather;
mod memory_search;
mod memory_write;
mod plan_update;
mod registry;
mod run_shell;
mod spawn_agent;
mod web;
mod web_read;
mod web_search;

pub use device::DeviceShell;
pub use registry::{Parts, Registry};
pub use web_search::{ChooseSearch, SearchChoice};
