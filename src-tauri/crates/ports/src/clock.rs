// SPDX-License-Identifier: Apache-2.0
use bailey_protocol::Millis;

/// The time. Only the driver and adapters ask; the core is told.
pub trait Clock: Send + Sync {
    /// Milliseconds since the Unix epoch.
    fn now(&self) -> Millis;
}
