// SPDX-License-Identifier: Apache-2.0
//! Time zones as people name them.

mod support;

use serde_json::json;
use support::say;

async fn at(place: &str) -> Result<String, String> {
    let told = say("get_time", json!({ "timezone": place })).await?;
    Ok(told.lines().nth(1).unwrap().split_once(": ").unwrap().1.to_owned())
}

#[tokio::test]
async fn the_time_here_and_elsewhere() {
    assert_eq!(
        say("get_time", json!({})).await.unwrap(),
        "Here: 2026-03-01T12:05:06+08:00, Sunday, Asia/Shanghai, UTC+08:00"
    );
    assert_eq!(
        say("get_time", json!({ "timezone": "America/New_York" })).await.unwrap(),
        "Here: 2026-03-01T12:05:06+08:00, Sunday, Asia/Shanghai, UTC+08:00\n\
         America/New_York: 2026-02-28T23:05:06-05:00, Saturday, America/New_York, UTC-05:00"
    );
}

#[tokio::test]
async fn places_are_found_by_what_people_call_them() {
    for (place, zone) in [
        ("Asia/Tokyo", "Asia/Tokyo, UTC+09:00"),
        ("asia/tokyo", "Asia/Tokyo, UTC+09:00"),
        ("Tokyo", "Asia/Tokyo, UTC+09:00"),
        ("东京", "Asia/Tokyo, UTC+09:00"),
        ("东京时间", "Asia/Tokyo, UTC+09:00"),
        ("beijing", "Asia/Shanghai, UTC+08:00"),
        ("北京市", "Asia/Shanghai, UTC+08:00"),
        ("Los Angeles", "America/Los_Angeles, UTC-08:00"),
        ("San Francisco", "America/Los_Angeles, UTC-08:00"),
        ("New York", "America/New_York, UTC-05:00"),
        ("NYC", "America/New_York, UTC-05:00"),
        ("St. Louis", "America/Chicago, UTC-06:00"),
        ("UK", "Europe/London, UTC+00:00"),
        ("PST", "America/Los_Angeles, UTC-08:00"),
        ("Eastern Time", "America/New_York, UTC-05:00"),
        ("India", "Asia/Kolkata, UTC+05:30"),
        ("Buenos Aires", "America/Argentina/Buenos_Aires, UTC-03:00"),
        ("UTC", "UTC, UTC+00:00"),
        ("Asia/Beijing", "Asia/Shanghai, UTC+08:00"),
    ] {
        let told = at(place).await.unwrap();
        assert!(told.ends_with(zone), "{place}: {told}");
    }
    for (offset, time) in [
        ("UTC+9", "2026-03-01T13:05:06+09:00, Sunday, UTC+09:00"),
        ("GMT-3:30", "2026-03-01T00:35:06-03:30, Sunday, UTC-03:30"),
        ("+0530", "2026-03-01T09:35:06+05:30, Sunday, UTC+05:30"),
        ("＋08:00", "2026-03-01T12:05:06+08:00, Sunday, UTC+08:00"),
    ] {
        assert_eq!(at(offset).await.as_deref(), Ok(time), "{offset}");
    }
}

#[tokio::test]
async fn a_wrong_name_is_answered_with_near_ones() {
    for (place, hint) in [
        ("Asia/Tokio", "Asia/Tokyo"),
        ("Shangai", "Asia/Shanghai"),
        ("San Fransisco", "America/Los_Angeles"),
        ("CST", "Asia/Shanghai, America/Chicago"),
        ("USA", "America/New_York"),
        ("美国", "America/New_York"),
        ("Qwxyzk", "an IANA name such as"),
        ("UTC+99", "an IANA name such as"),
        ("+é0:00", "an IANA name such as"),
    ] {
        let error = at(place).await.expect_err(place);
        assert!(error.contains(hint) && error.contains("Call again"), "{place}: {error}");
    }
}

#[test]
fn every_place_of_the_table_is_found() {
    let table = include_str!("../src/get_time/places.rs");
    let zones: std::collections::BTreeSet<&str> =
        table.split('"').filter(|part| part.contains('/') && !part.contains(' ') && !part.contains(',')).collect();
    assert!(zones.len() > 60, "only {}", zones.len());
    for zone in zones {
        assert!(jiff::tz::TimeZone::get(zone).is_ok(), "{zone} is not in the database");
    }
}
