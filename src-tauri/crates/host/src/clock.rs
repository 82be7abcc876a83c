// SPDX-License-Identifier: Apache-2.0
use bailey_ports::Clock;
use bailey_protocol::Millis;
use std::time::{SystemTime, UNIX_EPOCH};

/// The system's wall clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Millis {
        match SystemTime::now().duration_since(UNIX_EPOCH) {
            Ok(since) => Millis::try_from(since.as_millis()).unwrap_or(Millis::MAX),
            Err(before) => -Millis::try_from(before.duration().as_millis()).unwrap_or(Millis::MAX),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_counts_milliseconds_since_1970() {
        let now = SystemClock.now();
        // After 2025 and before 2200: seconds or microseconds would be far outside.
        assert!((1_735_689_600_000..7_258_118_400_000).contains(&now), "{now}");
    }
}
