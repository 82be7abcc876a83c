// SPDX-License-Identifier: Apache-2.0
#![no_main]

#[path = "../../tests/checks/mod.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|data: &[u8]| checks::arguments(data));
