// SPDX-License-Identifier: Apache-2.0
//! Work on what others wrote: on a thread of its own, with a deep stack, an end in time, and nothing that a panic reaches.

use std::sync::mpsc;
use std::time::Duration;

/// The stack of such a thread, in bytes. Reserved, not used up.
const STACK: usize = 64 * 1024 * 1024;

/// Why work gave no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stopped {
    Panicked,
    TimedOut,
}

/// Does `work`, and waits for it for `limit`. Work that takes longer is left behind: it ends by itself, and nobody listens.
pub(crate) fn run<T: Send + 'static>(
    name: &str,
    limit: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Stopped> {
    let (done, result) = mpsc::sync_channel(1);
    let thread = std::thread::Builder::new().name(format!("reader-{name}")).stack_size(STACK).spawn(move || {
        // An error means that nobody waits any more.
        let _ = done.send(work());
    });
    if let Err(error) = thread {
        tracing::warn!(%error, "no thread to read a document on");
        return Err(Stopped::Panicked);
    }
    result.recv_timeout(limit).map_err(|error| match error {
        mpsc::RecvTimeoutError::Timeout => Stopped::TimedOut,
        mpsc::RecvTimeoutError::Disconnected => Stopped::Panicked,
    })
}
