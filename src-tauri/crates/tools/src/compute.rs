// SPDX-License-Identifier: Apache-2.0
mod dates;
mod expression;
mod sum;

use crate::arguments::{schema, text};
use crate::get_time::local;
use async_trait::async_trait;
use bailey_policy::{Approval, ToolFacts, ToolKind, ToolSpec};
use bailey_ports::{Tool, ToolContext, ToolFailure, ToolResult};
use bailey_protocol::Part;
use jiff::Timestamp;
use serde_json::json;
use std::collections::BTreeMap;

/// Exact arithmetic, units and dates.
pub(crate) struct Compute {
    spec: ToolSpec,
    zone: Option<String>,
}

impl Compute {
    pub(crate) fn new(zone: Option<String>) -> Self {
        let spec = ToolSpec {
            name: "compute".into(),
            description:
                "Calculates one expression exactly: + - * / ^ ! mod, brackets, percent (20% of 50; 200 + 10% is \
                220), sqrt, sin(30 deg), ln, log10 and the like with one argument, units (5 km to miles, 20 celsius to \
                fahrenheit, 3 h + 20 min to min), other bases (255 to hex), more digits (1/7 to 30 dp), and days \
                (2026-03-01 - 2025-12-24, days until 2027-01-01, 2026-11-30 + 45 days, weekday of 2026-03-01). Use it \
                for every calculation beyond the trivial. It has no variables, no functions of several arguments, no \
                exchange rates and no facts: put numbers in."
                    .into(),
            schema: schema(
                json!({
                    "expression": {
                        "type": "string", "minLength": 1, "maxLength": 2000,
                        "description": "The expression, in numbers, operators and units.",
                    },
                }),
                &["expression"],
            ),
            example: json!({ "expression": "(19.99 * 3 + 4.50) * 1.08" }),
            facts: ToolFacts { read_only: true, ..ToolFacts::LOW },
            arguments: BTreeMap::new(),
            kind: ToolKind::Run,
        };
        Self { spec, zone }
    }
}

#[async_trait]
impl Tool for Compute {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn run(&self, approval: Approval, context: ToolContext) -> ToolResult {
        let written = text(approval.arguments(), "expression");
        let normal = expression::normalise(written);
        // The zone database is asked only when a date is in play.
        let today = || {
            let now = Timestamp::from_millisecond(context.now).unwrap_or(Timestamp::UNIX_EPOCH);
            now.to_zoned_datetime(local(self.zone.as_deref())).date()
        };
        let result = match dates::evaluate(&normal, today) {
            Some(result) => result,
            None => match expression::translate(&normal) {
                Ok(expression) => sum::evaluate(expression).await,
                Err(e) => Err(e),
            },
        };
        result.map(|text| vec![Part::plain(text)]).map_err(ToolFailure::new)
    }
}
