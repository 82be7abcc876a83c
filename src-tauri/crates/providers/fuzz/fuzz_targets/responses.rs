// SPDX-License-Identifier: Apache-2.0
#![no_main]

#[path = "../../tests/checks/mod.rs"]
mod checks;

use bailey_protocol::ProviderKind;

libfuzzer_sys::fuzz_target!(|data: &[u8]| checks::protocol(ProviderKind::OpenaiResponses, data));
