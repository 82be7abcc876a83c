// SPDX-License-Identifier: Apache-2.0
use bailey_protocol::model::Usage;
use bailey_protocol::{Caps, Price, SpendScope};

/// What an answer is taken to need at least, in tokens: a request that could not pay for as much is asked about first.
const USUAL_ANSWER: u32 = 8_192;

/// What is to be known before a request goes out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Purse {
    /// The model's price; where it is not known the person is asked only when a cap is reached already.
    pub price: Option<Price>,
    /// What the person allows without being asked.
    pub caps: Caps,
    /// What the run has spent, in micro-dollars.
    pub run: u64,
    /// What the person let the run spend beyond its cap.
    pub run_more: u64,
    /// What was spent today by all runs, this one included.
    pub day: u64,
    /// What the person let the run spend beyond the day's cap.
    pub day_more: u64,
}

/// Whether a request may go out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spending {
    /// It may, with at most so many tokens of answer; that is what the caps still pay for, or what was asked.
    Go {
        /// The limit.
        max_output: Option<u32>,
    },
    /// It may pass a cap: the person is asked.
    Ask {
        /// Which cap.
        scope: SpendScope,
        /// Spent under it so far.
        spent: u64,
        /// The cap.
        cap: u64,
        /// What the request may cost.
        next: u64,
    },
}

/// Looks at a request of about `input` tokens whose answer may have `max_output` tokens. With [`Spending::Go`], neither
/// cap can be passed as long as the request has no more tokens than estimated.
pub fn spending(purse: &Purse, input: u32, max_output: Option<u32>) -> Spending {
    let price = purse.price.unwrap_or_default();
    let cost = |output: u32| price.cost(&Usage { input, output, ..Usage::default() });
    let wanted = max_output.unwrap_or(USUAL_ANSWER).min(USUAL_ANSWER);
    // Without a price only what is spent already is known; it may have been another model's, or the provider says it.
    let next = cost(wanted);
    let mut limit = max_output;
    let caps = [
        (SpendScope::Run, purse.caps.run, purse.run, purse.run_more),
        (SpendScope::Day, purse.caps.day, purse.day, purse.day_more),
    ];
    for (scope, cap, spent, more) in caps {
        let Some(cap) = cap else { continue };
        let left = cap.saturating_add(more).saturating_sub(spent);
        if next > left || (left == 0 && purse.price.is_none()) {
            return Spending::Ask { scope, spent, cap, next };
        }
        if price.output > 0 {
            // One micro-dollar less, for a cost is rounded up.
            let for_answer = u128::from(left.saturating_sub(cost(0)).saturating_sub(1)) * 1_000_000;
            let affordable = u32::try_from(for_answer / u128::from(price.output)).unwrap_or(u32::MAX).max(wanted);
            limit = match limit {
                Some(limit) => Some(limit.min(affordable)),
                // A limit that no answer reaches is better left out: some models take no large ones.
                None if affordable >= 1_000_000 => None,
                None => Some(affordable),
            };
        }
    }
    Spending::Go { max_output: limit }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PRICE: Price = Price { input: 3_000_000, output: 15_000_000, cached: None, cache_write: None };

    fn purse(run: Option<u64>, day: Option<u64>) -> Purse {
        Purse { price: Some(PRICE), caps: Caps { run, day }, ..Purse::default() }
    }

    #[test]
    fn a_cap_is_asked_about_before_it_is_passed() {
        // 10 000 tokens in cost 30 000, 8 192 out 122 880 micro-dollars.
        let table = [
            (purse(None, None), None, Spending::Go { max_output: None }),
            (Purse { price: None, run: 9, ..purse(Some(10), None) }, Some(7), Spending::Go { max_output: Some(7) }),
            (
                Purse { price: None, run: 10, ..purse(Some(10), None) },
                Some(7),
                Spending::Ask { scope: SpendScope::Run, spent: 10, cap: 10, next: 0 },
            ),
            (
                purse(Some(100_000), None),
                None,
                Spending::Ask { scope: SpendScope::Run, spent: 0, cap: 100_000, next: 152_880 },
            ),
            (purse(Some(152_880), None), None, Spending::Go { max_output: Some(8_192) }),
            (purse(Some(330_001), None), None, Spending::Go { max_output: Some(20_000) }),
            (purse(Some(330_001), None), Some(100), Spending::Go { max_output: Some(100) }),
            (purse(Some(100_000), None), Some(100), Spending::Go { max_output: Some(100) }),
            (purse(Some(1_000_000_000), None), None, Spending::Go { max_output: None }),
            (
                Purse { run: 200_000, ..purse(Some(300_000), None) },
                None,
                Spending::Ask { scope: SpendScope::Run, spent: 200_000, cap: 300_000, next: 152_880 },
            ),
            (
                Purse { run: 200_000, run_more: 300_000, ..purse(Some(300_000), None) },
                None,
                Spending::Go { max_output: Some(24_666) },
            ),
            (
                Purse { day: 900_000, ..purse(Some(10_000_000), Some(1_000_000)) },
                None,
                Spending::Ask { scope: SpendScope::Day, spent: 900_000, cap: 1_000_000, next: 152_880 },
            ),
        ];
        for (purse, max_output, expected) in table {
            assert_eq!(spending(&purse, 10_000, max_output), expected, "{purse:?} {max_output:?}");
        }
    }

    proptest! {
        #[test]
        fn what_goes_out_passes_no_cap(
            input in 0_u32..2_000_000, max in proptest::option::of(1_u32..400_000), run in 0_u64..3_000_000,
            cap in 0_u64..4_000_000, price_in in 0_u32..80_000_000, price_out in 0_u32..90_000_000,
        ) {
            let price = Price { input: price_in, output: price_out, cached: None, cache_write: None };
            let purse = Purse { price: Some(price), run, ..purse(Some(cap), None) };
            if let Spending::Go { max_output } = spending(&purse, input, max) {
                let output = max_output.or(max).unwrap_or(0);
                let cost = price.cost(&Usage { input, output, ..Usage::default() });
                prop_assert!(run + cost <= cap, "{run} + {cost} > {cap}");
                prop_assert!(max.is_none_or(|max| max_output.is_some_and(|limit| limit <= max)));
            }
        }
    }
}
