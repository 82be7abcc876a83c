// SPDX-License-Identifier: Apache-2.0
use crate::model::Usage;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What a model costs, in micro-dollars (1e-6 USD) per million tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Price {
    /// What is sent.
    pub input: u32,
    /// What is answered, reasoning included.
    pub output: u32,
    /// What is read from the provider's cache; `None` costs as much as other input.
    pub cached: Option<u32>,
    /// What is written to the provider's cache; `None` likewise.
    pub cache_write: Option<u32>,
}

impl Price {
    /// What this much costs, in micro-dollars, rounded up.
    pub fn cost(&self, usage: &Usage) -> u64 {
        let input = u128::from(usage.input);
        let cached = u128::from(usage.cached).min(input);
        let written = u128::from(usage.cache_write).min(input - cached);
        let sum = (input - cached - written) * u128::from(self.input)
            + cached * u128::from(self.cached.unwrap_or(self.input))
            + written * u128::from(self.cache_write.unwrap_or(self.input))
            + u128::from(usage.output) * u128::from(self.output);
        u64::try_from(sum.div_ceil(1_000_000)).unwrap_or(u64::MAX)
    }
}

/// What is known of a model. Nothing of it is known for sure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct ModelFacts {
    /// How many tokens fit into its window, answer included.
    pub window: Option<u32>,
    /// How many tokens an answer may have.
    pub max_output: Option<u32>,
    /// Whether it sees pictures.
    pub pictures: Option<bool>,
    /// Whether it takes tools.
    pub tools: Option<bool>,
    /// Whether it thinks before it answers.
    pub thinks: Option<bool>,
    /// What it costs.
    pub price: Option<Price>,
}

impl ModelFacts {
    /// These, and where nothing is known the others.
    #[must_use]
    pub fn or(self, others: ModelFacts) -> Self {
        Self {
            window: self.window.or(others.window),
            max_output: self.max_output.or(others.max_output),
            pictures: self.pictures.or(others.pictures),
            tools: self.tools.or(others.tools),
            thinks: self.thinks.or(others.thinks),
            price: self.price.or(others.price),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn usage(input: u32, cached: u32, cache_write: u32, output: u32) -> Usage {
        Usage { input, cached, cache_write, output, ..Usage::default() }
    }

    #[test]
    fn a_price_times_tokens_is_a_cost() {
        // Claude Sonnet 4.5: $3, $15, $0.30, $3.75.
        let price = Price { input: 3_000_000, output: 15_000_000, cached: Some(300_000), cache_write: Some(3_750_000) };
        let plain = Price { cached: None, cache_write: None, ..price };
        for (price, usage, micro_dollars) in [
            (price, usage(0, 0, 0, 0), 0),
            (price, usage(1_000_000, 0, 0, 0), 3_000_000),
            (price, usage(0, 0, 0, 1_000_000), 15_000_000),
            (price, usage(10_000, 8_000, 1_000, 500), 3_000 + 2_400 + 3_750 + 7_500),
            (plain, usage(10_000, 8_000, 1_000, 500), 30_000 + 7_500),
            // Counts that can't be are taken as far as they can.
            (price, usage(100, 300, 300, 0), 30),
            (price, usage(100, 60, 300, 0), 18 + 150),
            // Rounded up, never down to nothing.
            (price, usage(0, 0, 0, 1), 15),
            (Price { input: 37_500, ..Price::default() }, usage(1, 0, 0, 0), 1),
            (Price { input: 1, ..Price::default() }, usage(1, 0, 0, 0), 1),
            (Price::default(), usage(u32::MAX, 0, 0, u32::MAX), 0),
        ] {
            assert_eq!(price.cost(&usage), micro_dollars, "{price:?} {usage:?}");
        }
        let dearest = Price { input: u32::MAX, output: u32::MAX, cached: None, cache_write: None };
        let most = u128::from(u32::MAX).pow(2) * 2;
        assert_eq!(u128::from(dearest.cost(&usage(u32::MAX, 0, 0, u32::MAX))), most.div_ceil(1_000_000));
    }

    fn any_usage() -> impl Strategy<Value = Usage> {
        (any::<u32>(), any::<u32>(), any::<u32>(), any::<u32>()).prop_map(|(i, c, w, o)| usage(i, c, w, o))
    }

    fn any_price() -> impl Strategy<Value = Price> {
        (any::<u32>(), any::<u32>(), any::<Option<u32>>(), any::<Option<u32>>())
            .prop_map(|(input, output, cached, cache_write)| Price { input, output, cached, cache_write })
    }

    proptest! {
        #[test]
        fn more_tokens_never_cost_less(price in any_price(), usage in any_usage(), more in 1..1_000_000u32) {
            let longer = Usage { output: usage.output.saturating_add(more), ..usage };
            prop_assert!(price.cost(&longer) >= price.cost(&usage));
            // Within what the counts allow: a larger request may be read from the cache for a larger part.
            let fits = usage.cached.saturating_add(usage.cache_write) <= usage.input;
            let larger = Usage { input: usage.input.saturating_add(more), ..usage };
            prop_assert!(!fits || price.cost(&larger) >= price.cost(&usage));
        }

        #[test]
        fn what_has_a_price_is_never_free(input in 1..u32::MAX, price in 1..u32::MAX, part in 0..=100u32) {
            let cached = (u64::from(input) * u64::from(part) / 100) as u32;
            let price = Price { input: price, output: price, cached: None, cache_write: None };
            prop_assert!(price.cost(&usage(input, cached, 0, 0)) > 0);
            prop_assert!(price.cost(&usage(0, 0, 0, input)) > 0);
            // Without a price of its own, what is cached costs what any input costs.
            prop_assert_eq!(price.cost(&usage(input, cached, input - cached, 0)), price.cost(&usage(input, 0, 0, 0)));
        }

        #[test]
        fn a_cheaper_cache_never_makes_it_dearer(price in any_price(), usage in any_usage()) {
            let without = Price { cached: None, cache_write: None, ..price };
            let cheaper = Price { cached: price.cached.filter(|cached| *cached <= price.input), cache_write: None, ..price };
            prop_assert!(cheaper.cost(&usage) <= without.cost(&usage));
        }
    }

    #[test]
    fn the_first_who_knows_a_fact_wins() {
        let mine = ModelFacts { window: Some(8_000), pictures: Some(false), ..ModelFacts::default() };
        let price = Price { input: 1, output: 2, cached: None, cache_write: None };
        let theirs = ModelFacts {
            window: Some(200_000),
            max_output: Some(4_000),
            pictures: Some(true),
            tools: Some(true),
            thinks: Some(false),
            price: Some(price),
        };
        assert_eq!(mine.or(theirs), ModelFacts { window: Some(8_000), pictures: Some(false), ..theirs });
        assert_eq!(theirs.or(mine), theirs);
        assert_eq!(ModelFacts::default().or(theirs), theirs);
    }
}
