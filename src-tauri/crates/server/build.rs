// SPDX-License-Identifier: Apache-2.0
//! Sees to it that the folder the UI is taken from exists, so that the server builds before the UI was.

fn main() {
    let dist = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../ui/dist");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", dist.display());
    // A failure shows itself at once, and better, where the folder is read.
    let _ = std::fs::create_dir_all(dist);
}
