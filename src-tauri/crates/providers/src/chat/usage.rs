// SPDX-License-Identifier: Apache-2.0
use bailey_protocol::model::Usage;
use serde_json::Value;

/// What a provider counted, wherever it writes it.
pub(super) fn counted(usage: &Value) -> Usage {
    let value = |path: &[&str]| path.iter().try_fold(usage, |value, key| value.get(key));
    let at = |path: &[&str]| value(path).and_then(Value::as_u64).map(|n| u32::try_from(n).unwrap_or(u32::MAX));
    let first = |paths: &[&[&str]]| paths.iter().find_map(|path| at(path));
    let input = first(&[&["prompt_tokens"], &["input_tokens"]]).unwrap_or(0);
    let answer = first(&[&["completion_tokens"], &["output_tokens"]]).unwrap_or(0);
    let reasoning = first(&[
        &["completion_tokens_details", "reasoning_tokens"],
        &["output_tokens_details", "reasoning_tokens"],
        &["reasoning_tokens"],
    ])
    .unwrap_or(0);
    let missed = at(&["prompt_cache_miss_tokens"]).map(|missed| input.saturating_sub(missed));
    let cached = first(&[
        &["prompt_tokens_details", "cached_tokens"],
        &["input_tokens_details", "cached_tokens"],
        &["prompt_cache_hit_tokens"],
        &["cached_tokens"],
        &["cache_read_input_tokens"],
    ])
    .or(missed)
    .unwrap_or(0);
    let cache_write = first(&[
        &["prompt_tokens_details", "cache_write_tokens"],
        &["prompt_tokens_details", "cache_creation_input_tokens"],
        &["prompt_tokens_details", "cache_creation_tokens"],
        &["cache_creation_input_tokens"],
    ])
    .unwrap_or(0);
    // Some count reasoning beside the answer: then only both together make the total.
    let both = answer.saturating_add(reasoning);
    let beside = at(&["total_tokens"]) == Some(input.saturating_add(both));
    let dollars = |path: &[&str]| {
        let value = value(path)?;
        let number = value.as_f64().or_else(|| value.as_str()?.parse().ok())?;
        (number.is_finite() && number >= 0.0).then_some(number)
    };
    // With the person's own key at a provider behind it, OpenRouter's own share is only a part.
    let behind = value(&["is_byok"])
        .is_some_and(|own| own == &Value::Bool(true))
        .then(|| dollars(&["cost_details", "upstream_inference_cost"]))
        .flatten();
    let cost = dollars(&["cost"])
        .or_else(|| dollars(&["cost", "total_cost"]))
        .map(|cost| micro_dollars(cost + behind.unwrap_or(0.0)))
        // xAI's ticks: ten to the tenth a dollar.
        .or_else(|| Some(value(&["cost_in_usd_ticks"])?.as_u64()?.div_ceil(10_000)));
    Usage { input, cached, cache_write, output: if beside { both } else { answer }, reasoning, cost }
}

/// Rounded up; noise of the binary form is no cost.
fn micro_dollars(dollars: f64) -> u64 {
    let exact = dollars * 1e6;
    let near = exact.round();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // saturates, and is not negative
    let whole = if (exact - near).abs() < 1e-6 { near } else { exact.ceil() } as u64;
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dollars_become_micro_dollars_rounded_up() {
        for (dollars, expected) in
            [(0.0, 0), (0.000001, 1), (0.0000001, 1), (0.00014, 140), (0.95, 950_000), (12.3456789, 12_345_679)]
        {
            assert_eq!(micro_dollars(dollars), expected, "{dollars}");
        }
    }
}
