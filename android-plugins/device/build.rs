// SPDX-License-Identifier: Apache-2.0
//! Tells the build where the Kotlin is.

fn main() {
    // No command is for the web view, so there is none to grant.
    tauri_plugin::Builder::new(&[]).android_path("android").build();
}
