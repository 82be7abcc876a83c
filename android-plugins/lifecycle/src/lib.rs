// SPDX-License-Identifier: Apache-2.0
//! Carries out the requests of the channel `lifecycle` in Kotlin (`android/`). What they are: `bailey_ports::device`.

use bailey_bridge::AndroidDevice;
use bailey_ports::device::Channel;
use tauri::Wry;
use tauri::plugin::TauriPlugin;

/// The plugin, joined to this device.
pub fn init(device: &AndroidDevice) -> TauriPlugin<Wry> {
    device.plugin("bailey-lifecycle", Channel::Lifecycle, "LifecyclePlugin")
}
