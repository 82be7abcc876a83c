// SPDX-License-Identifier: Apache-2.0
use async_trait::async_trait;
use bailey_ports::device::{Device, DeviceExt, Execute, Fault};
use bailey_ports::{Shell, ShellError, ShellOutput};
use std::sync::Arc;
use std::time::Duration;

/// So much is kept of each stream.
const MAX_BYTES: u32 = 64 * 1024;

/// The device's own shell, which runs with the rights of adb.
pub struct DeviceShell {
    device: Arc<dyn Device>,
}

impl DeviceShell {
    /// The shell of this device, if it has one at all.
    pub fn of(device: &Arc<dyn Device>) -> Option<DeviceShell> {
        device.can::<Execute>().then(|| DeviceShell { device: device.clone() })
    }
}

#[async_trait]
impl Shell for DeviceShell {
    async fn run(&self, command: &str, time_limit: Duration) -> Result<ShellOutput, ShellError> {
        let timeout_ms = u32::try_from(time_limit.as_millis()).unwrap_or(u32::MAX);
        let request = Execute { command: command.to_owned(), timeout_ms, max_bytes: MAX_BYTES };
        let done = self.device.ask(request).await.map_err(|error| match error.fault {
            Fault::Unsupported => ShellError::Unsupported,
            Fault::TimedOut => ShellError::TimedOut(time_limit),
            _ => ShellError::Start(error.to_string()),
        })?;
        if done.timed_out {
            return Err(ShellError::TimedOut(time_limit));
        }
        Ok(ShellOutput { code: done.code, stdout: done.stdout, stderr: done.stderr, cut: done.cut })
    }
}
