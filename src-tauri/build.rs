// SPDX-License-Identifier: Apache-2.0
//! Embeds the UI and makes the permissions `allow-command` and `allow-subscribe`, the only ones there are.

fn main() {
    // The crate compiles before the UI was built; the window then says how to build it.
    std::fs::create_dir_all("../ui/dist").expect("the folder ui/dist can be made");
    let attributes = tauri_build::Attributes::new()
        .app_manifest(tauri_build::AppManifest::new().commands(&["command", "subscribe"]))
        // Here and not in the macro, so that a newly built UI is embedded without a change in the code.
        .codegen(tauri_build::CodegenContext::new());
    tauri_build::try_build(attributes).expect("tauri.conf.json and capabilities/main.json fit");
}
