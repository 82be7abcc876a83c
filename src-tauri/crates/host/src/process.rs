// SPDX-License-Identifier: Apache-2.0

/// Keeps keys in this process: no core file is written when it crashes, and on Linux other processes of the same user
/// can neither attach to it nor read its memory or its environment. Programs it starts are not concerned. Call it at
/// the start; a system that refuses is logged and left as it is.
pub fn harden_process() {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    {
        use rustix::process::{DumpableBehavior, set_dumpable_behavior};
        if let Err(error) = set_dumpable_behavior(DumpableBehavior::NotDumpable) {
            tracing::warn!("core files could not be switched off: {error}");
        }
    }
    #[cfg(all(unix, not(any(target_os = "linux", target_os = "android"))))]
    {
        use rustix::process::{Resource, Rlimit, setrlimit};
        if let Err(error) = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) }) {
            tracing::warn!("core files could not be switched off: {error}");
        }
    }
}
