// SPDX-License-Identifier: Apache-2.0
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// Identifies a call by its tool and canonical arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Signature([u8; 16]);

impl Signature {
    /// The signature of a tool's name and its arguments as canonical JSON.
    pub fn of(tool: &str, canonical_arguments: &str) -> Self {
        let mut hash = Sha256::new();
        hash.update((tool.len() as u64).to_le_bytes());
        hash.update(tool);
        hash.update(canonical_arguments);
        let mut out = [0; 16];
        out.copy_from_slice(&hash.finalize()[..16]);
        Self(out)
    }
}

/// The calls of a run that came to an end, whatever it was.
#[derive(Clone, Debug, Default)]
pub struct CallHistory {
    calls: Vec<Signature>,
    times: BTreeMap<Signature, u32>,
    failures: BTreeMap<String, u32>,
}

impl CallHistory {
    /// Failures of one tool after which it is not run again in this run.
    pub const BREAKER: u32 = 3;
    /// The time a call of the same signature is refused.
    pub const IDENTICAL: u32 = 3;
    /// The longest sequence of calls whose repetition is seen.
    pub const LONGEST_SEQUENCE: usize = 8;

    /// Adds a call that ended; `failed` when it ran and failed.
    pub fn record(&mut self, tool: &str, signature: Signature, failed: bool) {
        self.calls.push(signature);
        *self.times.entry(signature).or_default() += 1;
        if failed {
            *self.failures.entry(tool.to_owned()).or_default() += 1;
        }
    }

    /// Whether the tool failed so often that it is not run again.
    pub fn is_broken(&self, tool: &str) -> bool {
        self.failures.get(tool).copied().unwrap_or(0) >= Self::BREAKER
    }

    /// Whether a call of this signature would be the third identical one.
    pub fn is_identical(&self, next: Signature) -> bool {
        self.times.get(&next).copied().unwrap_or(0) + 1 >= Self::IDENTICAL
    }

    /// Whether a call of this signature would end the third round of a repeating sequence of two or more calls.
    pub fn is_sequence(&self, next: Signature) -> bool {
        let at = |back: usize| if back == 0 { next } else { self.calls[self.calls.len() - back] };
        (2..=Self::LONGEST_SEQUENCE).any(|period| {
            let length = period * 3;
            self.calls.len() + 1 >= length && (0..length - period).all(|back| at(back) == at(back + period))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sequence(history: &str) -> CallHistory {
        let mut out = CallHistory::default();
        for c in history.chars() {
            out.record("t", Signature::of("t", &c.to_string()), false);
        }
        out
    }

    #[test]
    fn repetition_is_seen_at_the_third_time() {
        let next = |c: &str| Signature::of("t", c);
        for (history, call, identical, repeating) in [
            ("", "a", false, false),
            ("a", "a", false, false),
            ("aa", "a", true, false),
            ("ababa", "b", true, true),
            ("xababa", "b", true, true),
            ("abab", "a", true, false),
            ("abcabcab", "c", true, true),
            ("abcabxab", "c", false, false),
            ("ababab", "c", false, false),
            ("xbaba", "b", true, false),
            ("xyzabcab", "c", false, false),
            ("baaba", "b", true, false),
            ("abcdefghabcdefghabcdefg", "h", true, true),
        ] {
            let h = sequence(history);
            assert_eq!(h.is_identical(next(call)), identical, "{history} + {call}: identical");
            assert_eq!(h.is_sequence(next(call)), repeating, "{history} + {call}: sequence");
        }
    }

    #[test]
    fn a_tool_is_broken_after_three_failures_of_its_own() {
        let mut h = CallHistory::default();
        for n in 0..3 {
            assert!(!h.is_broken("t"));
            h.record("other", Signature::of("other", &n.to_string()), true);
            h.record("t", Signature::of("t", &n.to_string()), n != 7);
        }
        assert!(h.is_broken("t") && h.is_broken("other") && !h.is_broken("third"));
    }

    #[test]
    fn name_and_arguments_do_not_run_into_each_other() {
        assert_ne!(Signature::of("ab", "c"), Signature::of("a", "bc"));
    }
}
