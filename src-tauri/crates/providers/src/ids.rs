// SPDX-License-Identifier: Apache-2.0
//! Ids of calls as every provider takes them. A history may come from another provider, whose ids have another shape.
//!
//! For all protocols: one [`Ids`] a request, [`Ids::give`] for each call in the order of the history; its result carries
//! the same id. An id that fits stays as it is, so a provider meets its own again. Nothing is random: the same history
//! always gives the same ids, and a longer one begins with them (providers cache the beginning of a request).

use std::collections::HashSet;

/// What a provider takes as a call's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// Anything but nothing.
    Any,
    /// Letters, digits, `_` and `-`, at most so many.
    Word(usize),
    /// Letters and digits, exactly so many.
    Exact(usize),
}

impl Rule {
    fn takes(self, id: &str) -> bool {
        match self {
            Rule::Any => !id.is_empty(),
            Rule::Word(most) => {
                (1..=most).contains(&id.len())
                    && id.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
            }
            Rule::Exact(length) => id.len() == length && id.bytes().all(|b| b.is_ascii_alphanumeric()),
        }
    }

    /// The length of an id that is made up.
    fn length(self) -> usize {
        const USUAL: usize = 9;
        match self {
            Rule::Any => USUAL,
            Rule::Word(most) => most.min(USUAL),
            Rule::Exact(length) => length,
        }
    }
}

/// The ids of one request's calls.
#[derive(Debug)]
pub(crate) struct Ids {
    rule: Rule,
    used: HashSet<String>,
}

impl Ids {
    pub(crate) fn new(rule: Rule) -> Self {
        Self { rule, used: HashSet::new() }
    }

    /// The id of the next call, which has this one in the history: the same when it fits and no earlier call has it.
    pub(crate) fn give(&mut self, id: &str) -> String {
        if self.rule.takes(id) && self.used.insert(id.to_owned()) {
            return id.to_owned();
        }
        for salt in 0_u64.. {
            let made = made(id, salt, self.rule.length());
            if self.used.insert(made.clone()) {
                return made;
            }
        }
        unreachable!("there are more salts than ids")
    }
}

/// Letters and digits that follow from an id (FNV-1a: stable over versions and machines, as the standard hasher is not).
fn made(id: &str, salt: u64, length: usize) -> String {
    const ALPHABET: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let mut hash = id.bytes().chain(salt.to_le_bytes()).fold(0xcbf2_9ce4_8422_2325, step);
    let mut made = String::with_capacity(length);
    let mut rest = hash;
    for at in 0..length {
        if at > 0 && at % 10 == 0 {
            hash = step(hash, b'+');
            rest = hash;
        }
        made.push(char::from(ALPHABET[(rest % 62) as usize]));
        rest /= 62;
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ids_that_fit_stay() {
        for (rule, id, fits) in [
            (Rule::Any, "functions.get_time:0", true),
            (Rule::Any, "", false),
            (Rule::Word(40), "call_-A1", true),
            (Rule::Word(40), "call:1", false),
            (Rule::Word(4), "abcde", false),
            (Rule::Exact(9), "abcDEF123", true),
            (Rule::Exact(9), "abcDEF12_", false),
            (Rule::Exact(9), "abcDEF1234", false),
            (Rule::Exact(9), "调用调用1", false),
        ] {
            assert_eq!(Ids::new(rule).give(id) == id, fits, "{rule:?} {id}");
        }
    }

    #[test]
    fn the_same_id_always_becomes_the_same() {
        // A change of these changes what providers have cached.
        assert_eq!(Ids::new(Rule::Exact(9)).give("call_1"), made("call_1", 0, 9));
        assert_eq!(made("call_1", 0, 9), made("call_1", 0, 12)[..9]);
        assert_ne!(made("call_1", 0, 9), made("call_2", 0, 9));
        assert_ne!(made("call_1", 0, 9), made("call_1", 1, 9));
    }

    proptest! {
        #[test]
        fn no_two_calls_have_one_id(ids in proptest::collection::vec("[ab_:]{0,3}|[a-b]{9}|[0-9]{60}", 0..30), rule in 0..4) {
            let rule = [Rule::Any, Rule::Word(2), Rule::Word(64), Rule::Exact(9)][rule as usize];
            let give = |ids: &[String]| {
                let mut all = Ids::new(rule);
                ids.iter().map(|id| all.give(id)).collect::<Vec<_>>()
            };
            let given = give(&ids);
            prop_assert!(given.iter().all(|id| rule.takes(id)));
            prop_assert_eq!(given.iter().collect::<HashSet<_>>().len(), given.len());
            // A longer history begins with the ids of the shorter.
            let half = ids.len() / 2;
            prop_assert_eq!(&give(&ids[..half])[..], &given[..half]);
        }
    }
}
