// SPDX-License-Identifier: Apache-2.0
//! The `bailey` command.

fn main() -> std::process::ExitCode {
    bailey_server::cli::main()
}
