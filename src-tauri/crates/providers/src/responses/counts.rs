// SPDX-License-Identifier: Apache-2.0
use bailey_protocol::model::Usage;
use serde_json::Value;

/// What the provider counted; `None` when it did not count.
pub(super) fn counted(usage: &Value) -> Option<Usage> {
    usage.as_object()?;
    let at = |path: &[&str]| {
        let found = path.iter().try_fold(usage, |value, key| value.get(key))?;
        let number = found.as_u64().or_else(|| found.as_f64().filter(|n| *n >= 0.0).map(|n| n as u64));
        number.map(|n| u32::try_from(n).unwrap_or(u32::MAX))
    };
    let input = at(&["input_tokens"]).or_else(|| at(&["prompt_tokens"])).unwrap_or(0);
    let answer = at(&["output_tokens"]).or_else(|| at(&["completion_tokens"])).unwrap_or(0);
    let reasoning = at(&["output_tokens_details", "reasoning_tokens"]).unwrap_or(0);
    // Some count reasoning beside the answer: then only both together make the total.
    let both = answer.saturating_add(reasoning);
    let beside = reasoning > 0 && at(&["total_tokens"]) == Some(input.saturating_add(both));
    Some(Usage {
        input,
        cached: at(&["input_tokens_details", "cached_tokens"]).unwrap_or(0),
        cache_write: at(&["input_tokens_details", "cache_write_tokens"]).unwrap_or(0),
        output: if beside { both } else { answer },
        reasoning,
        cost: cost(usage),
    })
}

/// In micro-dollars, where the provider says it: xAI in ticks, of which 10 000 make one, OpenRouter in dollars.
fn cost(usage: &Value) -> Option<u64> {
    let ticks = usage.get("cost_in_usd_ticks").and_then(Value::as_f64).map(|ticks| ticks / 10_000.0);
    let cost = ticks.or_else(|| usage.get("cost").and_then(Value::as_f64).map(|dollars| dollars * 1_000_000.0))?;
    (cost.is_finite() && cost >= 0.0).then(|| cost.round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_way_of_counting() {
        let usage = |input, cached, cache_write, output, reasoning, cost| {
            Some(Usage { input, cached, cache_write, output, reasoning, cost })
        };
        for (value, expected) in [
            (
                json!({"input_tokens": 10, "input_tokens_details": {"cached_tokens": 4, "cache_write_tokens": 2},
                    "output_tokens": 8, "output_tokens_details": {"reasoning_tokens": 3}, "total_tokens": 18}),
                usage(10, 4, 2, 8, 3, None),
            ),
            (
                json!({"input_tokens": 10, "output_tokens": 5, "output_tokens_details": {"reasoning_tokens": 3}, "total_tokens": 18}),
                usage(10, 0, 0, 8, 3, None),
            ),
            (
                json!({"input_tokens": 1, "output_tokens": 1, "cost_in_usd_ticks": 37_756_000}),
                usage(1, 0, 0, 1, 0, Some(3776)),
            ),
            (json!({"input_tokens": 1, "output_tokens": 1, "cost": 0.0123}), usage(1, 0, 0, 1, 0, Some(12_300))),
            (json!({"cost": -1, "input_tokens": "7", "output_tokens": null}), usage(0, 0, 0, 0, 0, None)),
            (
                json!({"input_tokens": 1e30, "output_tokens": 99_999_999_999_u64, "input_tokens_details": 3}),
                usage(u32::MAX, 0, 0, u32::MAX, 0, None),
            ),
            (json!({"prompt_tokens": 3, "completion_tokens": 2.0}), usage(3, 0, 0, 2, 0, None)),
            (json!(null), None),
            (json!([1]), None),
        ] {
            assert_eq!(counted(&value), expected, "{value}");
        }
    }
}
