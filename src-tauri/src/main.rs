// SPDX-License-Identifier: Apache-2.0
//! Bailey in a window of its own.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

#[cfg(desktop)]
fn main() -> std::process::ExitCode {
    bailey_app::run()
}

/// Android starts the library and no program.
#[cfg(mobile)]
fn main() {}
