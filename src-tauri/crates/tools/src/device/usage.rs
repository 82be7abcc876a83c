// SPDX-License-Identifier: Apache-2.0
use super::{Call, Definition, Made, failure, needs, told};
use crate::arguments::{integer, schema};
use bailey_policy::{ArgumentRole, ToolFacts, ToolKind};
use bailey_ports::ToolResult;
use bailey_ports::device::{AppUsage, DeviceExt};
use serde_json::json;
use std::fmt::Write as _;

const DAYS: u64 = 1;
const MOST: usize = 30;

pub(super) fn get_app_usage() -> Made {
    Made {
        needs: needs::<AppUsage>(),
        definition: Definition {
            name: "get_app_usage",
            description: "Tells how long apps were in front over the last days, longest first. Use it for questions \
                about screen time. Do not use it to see what is open now (get_foreground_app).",
            schema: schema(
                json!({
                    "days": {
                        "type": "integer", "minimum": 1, "maximum": 30, "default": DAYS,
                        "description": "So many days up to now.",
                    },
                }),
                &[],
            ),
            example: json!({ "days": 7 }),
            facts: ToolFacts { read_only: true, private: true, ..ToolFacts::LOW },
            roles: &[("days", ArgumentRole::Neutral)],
        },
        kind: ToolKind::Run,
        run: |call| Box::pin(usage(call)),
    }
}

async fn usage(call: Call) -> ToolResult {
    let days = integer(&call.arguments, "days").unwrap_or(DAYS).clamp(1, 30);
    let until = u64::try_from(call.context.now).unwrap_or(0);
    let from = until.saturating_sub(days * 86_400_000);
    let rows = call.device.ask(AppUsage { from, until }).await.map_err(failure)?.apps;
    let rows: Vec<_> = rows.into_iter().filter(|row| row.foreground_ms >= 1_000).collect();
    if rows.is_empty() {
        return told("No app was in front in this time.");
    }
    let mut text = format!("In front over the last {days} days:");
    for row in rows.iter().take(MOST) {
        let minutes = row.foreground_ms / 60_000;
        let _ = match minutes {
            0 => write!(text, "\n{} ({}): under a minute", row.name, row.package),
            1..60 => write!(text, "\n{} ({}): {minutes} min", row.name, row.package),
            _ => write!(text, "\n{} ({}): {} h {} min", row.name, row.package, minutes / 60, minutes % 60),
        };
    }
    if rows.len() > MOST {
        let _ = write!(text, "\n… and {} more", rows.len() - MOST);
    }
    told(text)
}
