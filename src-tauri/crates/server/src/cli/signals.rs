// SPDX-License-Identifier: Apache-2.0
use super::Exit;
use std::io;

/// The ways to ask this process to end.
pub(crate) struct Signals {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    #[cfg(windows)]
    interrupt: tokio::signal::windows::CtrlC,
    #[cfg(windows)]
    close: tokio::signal::windows::CtrlClose,
}

impl Signals {
    /// Listens from now on; inside a runtime.
    pub(crate) fn listen() -> io::Result<Self> {
        #[cfg(unix)]
        {
            use tokio::signal::unix::{SignalKind, signal};
            Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
        }
        #[cfg(windows)]
        {
            Ok(Self { interrupt: tokio::signal::windows::ctrl_c()?, close: tokio::signal::windows::ctrl_close()? })
        }
    }

    /// Waits for the next one: [`Exit::Interrupted`] or [`Exit::Terminated`]. May be dropped and called again.
    pub(crate) async fn next(&mut self) -> Exit {
        #[cfg(unix)]
        let other = &mut self.terminate;
        #[cfg(windows)]
        let other = &mut self.close;
        tokio::select! {
            Some(()) = self.interrupt.recv() => Exit::Interrupted,
            Some(()) = other.recv() => Exit::Terminated,
            else => std::future::pending().await,
        }
    }
}
