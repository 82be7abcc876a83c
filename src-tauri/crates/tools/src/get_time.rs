// SPDX-License-Identifier: Apache-2.0
mod places;
mod zone;

use crate::arguments::{schema, text};
use async_trait::async_trait;
use bailey_policy::{Approval, ToolFacts, ToolKind, ToolSpec};
use bailey_ports::{Tool, ToolContext, ToolFailure, ToolResult};
use bailey_protocol::Part;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ZonedDateTime};
use serde_json::json;
use std::collections::BTreeMap;

pub(crate) use zone::local;

/// The clock and time zones.
pub(crate) struct GetTime {
    spec: ToolSpec,
    zone: Option<String>,
}

impl GetTime {
    pub(crate) fn new(zone: Option<String>) -> Self {
        let spec = ToolSpec {
            name: "get_time".into(),
            description:
                "Tells the date, the time, the weekday and the UTC offset: here, and in another place when you \
                name one. Use it whenever an answer depends on now; you do not know the time otherwise. Do not use it \
                to calculate with dates (compute does that)."
                    .into(),
            schema: schema(
                json!({
                    "timezone": {
                        "type": "string", "minLength": 1, "maxLength": 64,
                        "description": "An IANA time zone (Asia/Tokyo), a large city (Tokyo, 东京) or an offset (UTC+9). Leave it out for the time here.",
                    },
                }),
                &[],
            ),
            example: json!({ "timezone": "Asia/Tokyo" }),
            facts: ToolFacts { read_only: true, ..ToolFacts::LOW },
            arguments: BTreeMap::new(),
            kind: ToolKind::Run,
        };
        Self { spec, zone }
    }
}

#[async_trait]
impl Tool for GetTime {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn run(&self, approval: Approval, context: ToolContext) -> ToolResult {
        let now = Timestamp::from_millisecond(context.now).map_err(|e| {
            ToolFailure::new(format!("the device's clock is wrong ({e}). Tell the person to set it, and go on without"))
        })?;
        let mut told = format!("Here: {}", line(&now.to_zoned_datetime(local(self.zone.as_deref()))));
        let asked = text(approval.arguments(), "timezone").trim();
        if !asked.is_empty() {
            let zone = zone::find(asked).map_err(|e| ToolFailure::new(e.to_string()))?;
            told.push_str(&format!("\n{asked}: {}", line(&now.to_zoned_datetime(zone))));
        }
        Ok(vec![Part::plain(told)])
    }
}

fn line(at: &ZonedDateTime) -> String {
    let name = at.time_zone().iana_name();
    let name = name.filter(|n| *n != "Etc/Unknown").map(|n| format!(", {n}")).unwrap_or_default();
    format!("{}{name}, UTC{}", at.strftime("%Y-%m-%dT%H:%M:%S%:z, %A"), at.strftime("%:z"))
}

/// The zone of a fixed offset in hours and minutes.
fn fixed(hours: i32, minutes: i32) -> Option<TimeZone> {
    let seconds = hours.checked_mul(3600)?.checked_add(minutes.checked_mul(60)?)?;
    jiff::tz::Offset::from_seconds(seconds).ok().map(TimeZone::fixed)
}
