// SPDX-License-Identifier: Apache-2.0
//! From what a person calls a place to its time zone.

use super::fixed;
use super::places::{AMBIGUOUS, PLACES};
use jiff::tz::{TimeZone, db};

/// A name that is no time zone, or more than one. The text says what to pass instead.
#[derive(Debug, PartialEq, thiserror::Error)]
pub(super) enum Unknown {
    /// Several are meant by it.
    #[error("{asked:?} can mean several time zones: {}. Call again with one of these", .zones.join(", "))]
    Several { asked: String, zones: Vec<String> },
    /// None is.
    #[error("there is no time zone named {asked:?}. {}", near(.zones))]
    None { asked: String, zones: Vec<String> },
}

fn near(zones: &[String]) -> String {
    if zones.is_empty() {
        return "Call again with an IANA name such as Europe/Berlin, the nearest large city, or an offset such as UTC+2"
            .into();
    }
    format!("Did you mean {}? Call again with an IANA name or the nearest large city", zones.join(", "))
}

/// The person's own zone: the one named, else the system's, else UTC.
pub(crate) fn local(name: Option<&str>) -> TimeZone {
    name.and_then(|name| TimeZone::get(name).ok()).unwrap_or_else(TimeZone::system)
}

/// The zone that is meant: an IANA name, an offset, a city or a country with one zone, in English or Chinese.
pub(super) fn find(asked: &str) -> Result<TimeZone, Unknown> {
    let asked = asked.trim();
    if let Some(zone) = offset(asked) {
        return Ok(zone);
    }
    if let Ok(zone) = TimeZone::get(&asked.replace(' ', "_")) {
        // The database has CST6CDT-like names, too; those are caught by the table of ambiguous ones first.
        if !AMBIGUOUS.iter().any(|(name, _)| *name == fold(asked)) {
            return Ok(zone);
        }
    }
    // Asia/Beijing is no zone, but its city is known.
    let folded = city(asked);
    if let Some((_, zones)) = AMBIGUOUS.iter().find(|(name, _)| *name == folded) {
        let zones = zones.iter().map(|z| (*z).to_owned()).collect();
        return Err(Unknown::Several { asked: asked.to_owned(), zones });
    }
    let mut found: Vec<String> = Vec::new();
    for name in named(&folded) {
        // Old names are kept in the database beside the new ones; the same zone twice is one.
        if !found.iter().any(|f| same(f, &name)) {
            found.push(name);
        }
    }
    match found.as_slice() {
        [one] => TimeZone::get(one).map_err(|_| Unknown::None { asked: asked.to_owned(), zones: Vec::new() }),
        [] => Err(Unknown::None { asked: asked.to_owned(), zones: similar(&folded) }),
        _ => Err(Unknown::Several { asked: asked.to_owned(), zones: found }),
    }
}

/// Zones by the last part of their name, or by the table of places.
fn named(folded: &str) -> Vec<String> {
    if let Some((zone, _)) = PLACES.iter().find(|(_, places)| places.split(", ").any(|p| p == folded)) {
        return vec![(*zone).to_owned()];
    }
    db().available().map(|name| name.to_string()).filter(|name| city(name) == folded).collect()
}

fn city(zone: &str) -> String {
    fold(zone.rsplit('/').next().unwrap_or(zone))
}

fn same(a: &str, b: &str) -> bool {
    let (Ok(a), Ok(b)) = (TimeZone::get(a), TimeZone::get(b)) else { return false };
    // Two instants half a year apart tell apart what differs today.
    [1_767_225_600, 1_782_864_000]
        .iter()
        .all(|second| jiff::Timestamp::from_second(*second).is_ok_and(|at| a.to_offset(at) == b.to_offset(at)))
}

fn fold(name: &str) -> String {
    let name = name.trim().to_lowercase().replace(['_', '-'], " ").replace('.', "");
    let name = name.strip_suffix('市').unwrap_or(&name);
    let name = name.strip_suffix("时间").unwrap_or(name);
    name.strip_suffix(" time").unwrap_or(name).trim().to_owned()
}

fn similar(folded: &str) -> Vec<String> {
    if folded.contains(|c: char| c.is_ascii_digit()) {
        return Vec::new();
    }
    let mut scored: Vec<(f64, String)> = db()
        .available()
        .map(|name| name.to_string())
        .filter(|name| name.contains('/') && !name.starts_with("Etc/"))
        .map(|name| (strsim::jaro_winkler(&city(&name), folded), name))
        .collect();
    for (zone, places) in PLACES {
        let best = places.split(", ").map(|p| strsim::jaro_winkler(p, folded)).fold(0.0, f64::max);
        scored.push((best, (*zone).to_owned()));
    }
    scored.retain(|(score, _)| *score >= 0.85);
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let mut near: Vec<String> = Vec::new();
    for (_, name) in scored {
        if !near.contains(&name) && near.len() < 3 {
            near.push(name);
        }
    }
    near
}

/// `UTC+8`, `GMT-3:30`, `+08:00`, `+0800`. The sign is the everyday one: east is plus.
fn offset(text: &str) -> Option<TimeZone> {
    let upper = text.to_uppercase().replace([' ', '\u{2212}'], "").replace('\u{ff0b}', "+");
    let rest = ["UTC", "GMT"].iter().find_map(|p| upper.strip_prefix(p)).unwrap_or(&upper);
    let (sign, digits) = match rest.chars().next()? {
        '+' => (1, &rest[1..]),
        '-' => (-1, &rest[1..]),
        _ => return None,
    };
    let (hours, minutes) = match digits.split_once(':') {
        Some((hours, minutes)) => (hours, minutes),
        None if digits.len() == 4 => digits.split_at_checked(2)?,
        None => (digits, "0"),
    };
    let number = |text: &str| text.parse::<u8>().ok().filter(|_| text.bytes().all(|b| b.is_ascii_digit()));
    let (hours, minutes) = (number(hours)?, number(minutes)?);
    if hours > 14 || minutes > 59 {
        return None;
    }
    fixed(sign * i32::from(hours), sign * i32::from(minutes))
}
