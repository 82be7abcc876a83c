// SPDX-License-Identifier: Apache-2.0
use bailey_protocol::model::Usage;
use serde_json::Value;

/// What was counted last; counts are of the whole message so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    known: bool,
    input: u32,
    cached: u32,
    written: u32,
    output: u32,
    reasoning: u32,
    cost: Option<u64>,
}

impl Counts {
    pub(super) fn take(&mut self, usage: &Value) {
        if !usage.is_object() {
            return;
        }
        self.known = true;
        let details = &usage["output_tokens_details"];
        for (count, value) in [
            (&mut self.input, &usage["input_tokens"]),
            (&mut self.cached, &usage["cache_read_input_tokens"]),
            (&mut self.written, &usage["cache_creation_input_tokens"]),
            (&mut self.output, &usage["output_tokens"]),
            (&mut self.reasoning, &details["thinking_tokens"]),
        ] {
            // Some repeat all counts at the end, as zeros.
            if let Some(number) = value.as_u64().filter(|number| *number > 0) {
                *count = u32::try_from(number).unwrap_or(u32::MAX);
            }
        }
        if let Some(dollars) = usage["cost"].as_f64().filter(|dollars| *dollars > 0.0) {
            self.cost = Some((dollars * 1e6).round() as u64);
        }
    }

    pub(super) fn usage(&self) -> Option<Usage> {
        self.known.then(|| Usage {
            input: self.input.saturating_add(self.cached).saturating_add(self.written),
            cached: self.cached,
            cache_write: self.written,
            output: self.output,
            reasoning: self.reasoning,
            cost: self.cost,
        })
    }
}
