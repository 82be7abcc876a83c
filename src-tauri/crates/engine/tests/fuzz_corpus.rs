// SPDX-License-Identifier: Apache-2.0
//! Replays what the fuzz target (`npm run fuzz`) begins with, and what it found wrong.

#[allow(unreachable_pub)] // the fuzz target is another crate
mod checks;

use std::path::Path;

#[test]
fn arguments_inputs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz_corpus/arguments");
    let mut paths: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(paths.len() >= 20, "{}: {} inputs", folder.display(), paths.len());
    for path in paths {
        let data = std::fs::read(&path).unwrap();
        let outcome = std::panic::catch_unwind(|| checks::arguments(&data));
        assert!(outcome.is_ok(), "{}", path.display());
    }
}
