// SPDX-License-Identifier: Apache-2.0
//! Clocks.

use bailey_ports::Clock;
use bailey_protocol::Millis;
use std::sync::atomic::{AtomicI64, Ordering};

/// A clock that a test sets.
#[derive(Debug)]
pub struct FakeClock(AtomicI64);

impl FakeClock {
    /// A clock that stands at this moment.
    pub fn at(now: Millis) -> Self {
        Self(AtomicI64::new(now))
    }
    /// Lets time pass.
    pub fn advance(&self, ms: Millis) {
        self.0.fetch_add(ms, Ordering::SeqCst);
    }
}

impl Clock for FakeClock {
    fn now(&self) -> Millis {
        self.0.load(Ordering::SeqCst)
    }
}

/// The time of the machine, for tests that really wait.
#[derive(Clone, Copy, Debug, Default)]
pub struct WallClock;

impl Clock for WallClock {
    fn now(&self) -> Millis {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        Millis::try_from(since.as_millis()).unwrap_or(Millis::MAX)
    }
}
