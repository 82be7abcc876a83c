// SPDX-License-Identifier: Apache-2.0
//! Replays what the fuzz targets (`npm run fuzz`) once found interesting, and what they found wrong.

#[allow(unreachable_pub)] // the fuzz targets are another crate
mod checks;
#[allow(unreachable_pub)]
#[path = "checks/sse.rs"]
mod sse;

use bailey_protocol::ProviderKind;
use std::path::Path;

fn replay(target: &str, check: impl Fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz_corpus").join(target);
    let mut paths: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(paths.len() >= 20, "{}: {} inputs", folder.display(), paths.len());
    for path in paths {
        let data = std::fs::read(&path).unwrap();
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| check(&data)));
        assert!(outcome.is_ok(), "{}", path.display());
    }
}

#[test]
fn sse_inputs() {
    replay("sse", sse::sse);
}

#[test]
fn chat_inputs() {
    replay("chat", |data| checks::protocol(ProviderKind::OpenaiChat, data));
}

#[test]
fn responses_inputs() {
    replay("responses", |data| checks::protocol(ProviderKind::OpenaiResponses, data));
}

#[test]
fn anthropic_inputs() {
    replay("anthropic", |data| checks::protocol(ProviderKind::Anthropic, data));
}

#[test]
fn gemini_inputs() {
    replay("gemini", |data| checks::protocol(ProviderKind::Gemini, data));
}
