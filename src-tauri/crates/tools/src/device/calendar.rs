// SPDX-License-Identifier: Apache-2.0
use super::{Call, Definition, Made, failure, needs, told};
use crate::arguments::{integer, schema, text};
use crate::get_time::local;
use bailey_policy::{ArgumentRole, ToolFacts, ToolKind};
use bailey_ports::device::{CreateEvent, DeviceExt, Fault};
use bailey_ports::{ToolFailure, ToolResult};
use bailey_protocol::Danger;
use jiff::ZonedDateTime;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use serde_json::json;

const TEXT: ArgumentRole = ArgumentRole::Text;

pub(super) fn create_calendar_event() -> Made {
    Made {
        needs: needs::<CreateEvent>(),
        definition: Definition {
            name: "create_calendar_event",
            description: "Writes an event into the person's calendar. Use it when they ask for one, with the day \
                worked out beforehand (get_time, compute). It invites nobody; do not use it for a reminder without a \
                date in the calendar.",
            schema: schema(
                json!({
                    "title": { "type": "string", "minLength": 1, "maxLength": 300, "description": "What it is called." },
                    "begin": {
                        "type": "string", "pattern": "^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2})?$",
                        "description": "Local time as 2026-05-01T14:30, or a day as 2026-05-01 for a whole day.",
                    },
                    "end": {
                        "type": "string", "pattern": "^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2})?$",
                        "description": "Likewise; an hour after the beginning, or the same day, when left out.",
                    },
                    "timezone": { "type": "string", "maxLength": 64, "description": "An IANA time zone; that of the device when left out." },
                    "place": { "type": "string", "maxLength": 300, "description": "Where it is." },
                    "notes": { "type": "string", "maxLength": 5000, "description": "More about it." },
                    "remind_minutes": {
                        "type": "integer", "minimum": 0, "maximum": 40_320,
                        "description": "A reminder so many minutes before.",
                    },
                }),
                &["title", "begin"],
            ),
            example: json!({ "title": "Dentist", "begin": "2026-05-04T14:30", "end": "2026-05-04T15:00", "remind_minutes": 60 }),
            facts: ToolFacts { danger: Danger::Medium, ..ToolFacts::LOW },
            roles: &[("title", TEXT), ("place", TEXT), ("notes", TEXT), ("remind_minutes", ArgumentRole::Neutral)],
        },
        kind: ToolKind::Run,
        run: |call| Box::pin(create(call)),
    }
}

/// A day or a moment.
enum When {
    Day(Date),
    Moment(DateTime),
}

fn when(text: &str) -> Result<When, ToolFailure> {
    let fault = |e: jiff::Error| {
        ToolFailure::new(format!("{text:?} is no date: {e}. Write it as 2026-05-01T14:30 or 2026-05-01"))
    };
    match text.contains('T') {
        true => text.parse().map(When::Moment).map_err(fault),
        false => text.parse().map(When::Day).map_err(fault),
    }
}

async fn create(call: Call) -> ToolResult {
    let arguments = &call.arguments;
    let zone = match text(arguments, "timezone") {
        "" => None,
        name => Some(name.to_owned()),
    };
    let tz = match &zone {
        None => local(None),
        Some(name) => TimeZone::get(name).map_err(|_| {
            ToolFailure::new(format!("{name:?} is no IANA time zone. Write it as Europe/Berlin, or leave it out"))
        })?,
    };
    let begin = when(text(arguments, "begin"))?;
    let end = match text(arguments, "end") {
        "" => None,
        end => Some(when(end)?),
    };
    let (all_day, begin, end) = match (begin, end) {
        (When::Day(day), None) => whole_days(day, day)?,
        (When::Day(day), Some(When::Day(last))) => whole_days(day, last)?,
        (When::Moment(at), None) => {
            let begin = zoned(at, &tz)?;
            let end = begin.timestamp().as_millisecond() + 3_600_000;
            (false, begin.timestamp().as_millisecond(), end)
        }
        (When::Moment(from), Some(When::Moment(until))) => {
            (false, zoned(from, &tz)?.timestamp().as_millisecond(), zoned(until, &tz)?.timestamp().as_millisecond())
        }
        _ => return Err(ToolFailure::new("begin and end have to be both days or both moments. Write them alike")),
    };
    if end <= begin {
        return Err(ToolFailure::new("the end is not after the beginning. Look at both again"));
    }
    let positive =
        |ms: i64| u64::try_from(ms).map_err(|_| ToolFailure::new("dates before 1970 have no place in the calendar"));
    let event = CreateEvent {
        title: text(arguments, "title").to_owned(),
        begin: positive(begin)?,
        end: positive(end)?,
        all_day,
        zone,
        place: text(arguments, "place").to_owned(),
        notes: text(arguments, "notes").to_owned(),
        remind_minutes: integer(arguments, "remind_minutes").map(|minutes| minutes.min(40_320) as u32),
    };
    let title = event.title.clone();
    let made = call.device.ask(event).await.map_err(|error| match error.fault {
        Fault::NotFound => {
            ToolFailure::new("there is no calendar on this device that can be written to. Say so, and go on without it")
        }
        _ => failure(error),
    })?;
    told(format!("{title:?} is in the calendar {:?}, from {} on.", made.calendar, text(arguments, "begin")))
}

/// Whole days are kept from midnight to midnight in UTC, the end being the day after the last (Android's
/// `CalendarContract`).
fn whole_days(first: Date, last: Date) -> Result<(bool, i64, i64), ToolFailure> {
    let midnight = |day: Date| zoned(day.to_datetime(jiff::civil::Time::midnight()), &TimeZone::UTC);
    let after = last.tomorrow().map_err(|e| ToolFailure::new(e.to_string()))?;
    Ok((true, midnight(first)?.timestamp().as_millisecond(), midnight(after)?.timestamp().as_millisecond()))
}

fn zoned(at: DateTime, tz: &TimeZone) -> Result<ZonedDateTime, ToolFailure> {
    at.to_zoned_datetime(tz.clone()).map_err(|e| ToolFailure::new(format!("{at} is not in that time zone: {e}")))
}
