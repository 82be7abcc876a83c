// SPDX-License-Identifier: Apache-2.0
#![no_main]

#[allow(dead_code)]
#[path = "../../tests/checks/mod.rs"]
mod checks;
#[path = "../../tests/checks/sse.rs"]
mod sse;

libfuzzer_sys::fuzz_target!(|data: &[u8]| sse::sse(data));
