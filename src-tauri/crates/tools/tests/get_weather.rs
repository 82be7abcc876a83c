// SPDX-License-Identifier: Apache-2.0
//! get_weather: what leaves the device, and what is told.
//!
//! The answers were made by hand in the shape that Open-Meteo documents.

mod support;

use bailey_ports::WebError;
use bailey_protocol::{Labels, Part, Source};
use serde_json::{Value, json};
use std::sync::Arc;
use support::{Answer, World, call};
use url::Url;

fn forecast() -> Value {
    json!({
        "latitude": 31.25, "longitude": 121.5, "elevation": 4.0, "utc_offset_seconds": 28800,
        "timezone": "Asia/Shanghai", "timezone_abbreviation": "GMT+8",
        "current_units": {
            "time": "iso8601", "interval": "seconds", "temperature_2m": "°C", "apparent_temperature": "°C",
            "relative_humidity_2m": "%", "precipitation": "mm", "weather_code": "wmo code", "wind_speed_10m": "km/h",
            "wind_direction_10m": "°", "wind_gusts_10m": "km/h",
        },
        "current": {
            "time": "2026-03-01T12:15", "interval": 900, "temperature_2m": 12.3, "apparent_temperature": 10.0,
            "relative_humidity_2m": 56, "precipitation": 0.104, "weather_code": 2, "wind_speed_10m": 12.2,
            "wind_direction_10m": 130, "wind_gusts_10m": 25.6,
        },
        "hourly_units": { "temperature_2m": "°C", "precipitation_probability": "%" },
        "hourly": {
            "time": ["2026-03-01T12:00", "2026-03-01T13:00", "2026-03-01T14:00", "2026-03-01T15:00"],
            "temperature_2m": [12.1, 12.5, 12.9, 13.0], "precipitation_probability": [0, 3, 10, 45],
            "weather_code": [2, 2, 3, 61],
        },
        "daily_units": {
            "temperature_2m_max": "°C", "temperature_2m_min": "°C", "precipitation_sum": "mm",
            "precipitation_probability_max": "%", "wind_speed_10m_max": "km/h", "wind_gusts_10m_max": "km/h", "uv_index_max": "",
        },
        "daily": {
            "time": ["2026-03-01", "2026-03-02"], "weather_code": [80, 99], "temperature_2m_max": [14.0, 9.5],
            "temperature_2m_min": [8.0, -1.0], "precipitation_sum": [2.1, null], "precipitation_probability_max": [60, 90],
            "wind_speed_10m_max": [20.0, 55.0], "wind_gusts_10m_max": [41.0, 90.5], "uv_index_max": [4.25, 1.0],
            "sunrise": ["2026-03-01T06:21", "2026-03-02T06:20"], "sunset": ["2026-03-01T17:52", "2026-03-02T17:53"],
        },
    })
}

fn places() -> Value {
    let place = |name: &str, admin1: &str, country: &str, code: &str, latitude: f64, longitude: f64| {
        json!({
            "id": 1, "name": name, "latitude": latitude, "longitude": longitude, "elevation": 15.0, "feature_code": "PPL",
            "country_code": code, "admin1": admin1, "country": country, "timezone": "x", "population": 1,
        })
    };
    json!({ "generationtime_ms": 0.6, "results": [
        place("Portland", "Oregon", "United States", "US", 45.52345, -122.67621),
        place("Portland", "Maine", "United States", "US", 43.65737, -70.2589),
        place("Portland", "Victoria", "Australia", "AU", -38.34592, 141.60445),
        place("Portland", "Oregon", "United States", "US", 45.5, -122.6),
    ] })
}

fn ok(answer: Value) -> Result<Answer, WebError> {
    Ok(Answer::json(&answer))
}

/// The parameters of the last address that was asked for, and what stands before them.
fn asked(world: &World) -> (String, Vec<(String, String)>) {
    let url = Url::parse(world.urls().last().unwrap()).unwrap();
    let base = url.as_str().split('?').next().unwrap().to_owned();
    (base, url.query_pairs().into_owned().collect())
}

fn parameter(world: &World, name: &str) -> Option<String> {
    asked(world).1.into_iter().find(|(key, _)| key == name).map(|(_, value)| value)
}

async fn weather(world: &Arc<World>, arguments: Value) -> Result<String, String> {
    let parts = call(world, "get_weather", arguments).await.map_err(|failure| failure.message)?;
    let from = Source { tool: "get_weather".into(), detail: Some("open-meteo.com".into()) };
    assert_eq!(parts, [Part::labelled(parts[0].text.clone(), Labels { outside: vec![from], private: vec![] })]);
    Ok(parts[0].text.clone())
}

#[tokio::test]
async fn coordinates_leave_the_device_rounded() {
    for (latitude, longitude, sent) in [
        (json!(31.230_416), json!(121.473_701), ("31.2", "121.5")),
        (json!(-0.012_345), json!(-179.987_654), ("0.0", "-180.0")),
        (json!(52), json!(13.449), ("52.0", "13.4")),
    ] {
        let world = World::answering([ok(forecast())]);
        let arguments = json!({ "latitude": latitude, "longitude": longitude, "days": 2 });
        let said = weather(&world, arguments).await.unwrap();
        assert!(said.starts_with(&format!("{}, {}, local time", sent.0, sent.1)), "{said}");
        let (base, parameters) = asked(&world);
        assert_eq!((base.as_str(), world.urls().len()), ("https://api.open-meteo.com/v1/forecast", 1));
        let expected = [("latitude", sent.0), ("longitude", sent.1)];
        assert_eq!(parameters[..2], expected.map(|(k, v)| (k.to_owned(), v.to_owned())));
        let others: Vec<&str> = parameters[2..].iter().map(|(key, _)| key.as_str()).collect();
        assert_eq!(others, ["current", "hourly", "forecast_hours", "daily", "forecast_days", "timezone"]);
        assert_eq!(parameter(&world, "forecast_days").as_deref(), Some("2"));
        let request = &world.asked.lock().unwrap()[0];
        assert!(request.secret_header.is_none() && request.form.is_none() && request.language.is_none());
    }
}

#[tokio::test]
async fn the_weather_is_told_in_words() {
    let world = World::answering([ok(forecast())]);
    let said = weather(&world, json!({ "latitude": 31.2, "longitude": 121.5 })).await.unwrap();
    assert_eq!(
        said,
        "31.2, 121.5, local time 2026-03-01 12:15 (Asia/Shanghai).\n\
         Now: partly cloudy, 12.3 °C, feels like 10 °C, humidity 56 %, wind 12.2 km/h from southeast with gusts of 25.6 km/h, precipitation 0.1 mm.\n\
         Sunday 2026-03-01: light rain showers, 8 °C to 14 °C, precipitation 2.1 mm (chance 60 %), wind up to 20 km/h with gusts of 41 km/h, UV index 4.25, sun from 06:21 to 17:52.\n\
         Monday 2026-03-02: thunderstorm with heavy hail, -1 °C to 9.5 °C, precipitation ? (chance 90 %), wind up to 55 km/h with gusts of 90.5 km/h, UV index 1, sun from 06:20 to 17:53.\n\
         Next hours: 12:00 partly cloudy 12.1 °C (precipitation 0 %); 15:00 light rain 13 °C (precipitation 45 %).\n\
         Source: Open-Meteo.com."
    );
}

#[tokio::test]
async fn a_place_is_found_by_name() {
    let world = World::answering([ok(places()), ok(forecast())]);
    let said = weather(&world, json!({ "place": "Portland", "units": "imperial" })).await.unwrap();
    assert!(said.starts_with("Portland, Oregon, United States, local time"), "{said}");
    assert!(
        said.ends_with(
            "Others of this name: Portland, Maine, United States; Portland, Victoria, Australia. If one of them is meant, ask again with its region or country."
        ),
        "{said}"
    );
    assert_eq!(
        world.urls()[0],
        "https://geocoding-api.open-meteo.com/v1/search?name=Portland&count=20&language=en&format=json"
    );
    let sent = [
        "latitude",
        "longitude",
        "elevation",
        "temperature_unit",
        "wind_speed_unit",
        "precipitation_unit",
        "forecast_days",
    ];
    let sent = sent.map(|name| parameter(&world, name).unwrap());
    assert_eq!(sent, ["45.5", "-122.7", "15", "fahrenheit", "mph", "inch", "3"]);

    for (place, name, latitude) in [
        ("Portland, Maine", "Portland, Maine, United States", "43.7"),
        ("portland , me, ", "", ""),
        ("Portland,Maine,USA", "Portland, Maine, United States", "43.7"),
        ("Portland, australia", "Portland, Victoria, Australia", "-38.3"),
    ] {
        let world = World::answering([ok(places()), ok(forecast())]);
        let said = weather(&world, json!({ "place": place })).await;
        if name.is_empty() {
            let failure = said.unwrap_err();
            assert!(
                failure.contains("is known in me. Pass one of these: Portland, Oregon, United States; Portland, Maine"),
                "{failure}"
            );
            continue;
        }
        assert!(said.unwrap().starts_with(&format!("{name}, local time")), "{place}");
        assert_eq!(parameter(&world, "latitude").as_deref(), Some(latitude));
        assert!(world.urls()[0].to_lowercase().contains("?name=portland&"));
    }
    let world = World::answering([ok(json!({ "generationtime_ms": 0.1 }))]);
    let failure = weather(&world, json!({ "place": "上海市" })).await.unwrap_err();
    assert!(failure.contains("no place named \"上海市\" is known"), "{failure}");
    assert!(world.urls()[0].contains("&language=zh&"));
}

#[tokio::test]
async fn what_goes_wrong_is_told_with_what_to_do() {
    let at = json!({ "latitude": 1, "longitude": 2 });
    let refused =
        Answer { status: 400, ..Answer::json(&json!({ "error": true, "reason": "Parameter 'x' is\n out of range" })) };
    for (answer, said) in [
        (Ok(refused), "the weather service says: Parameter 'x' is out of range. Mend the arguments"),
        (Ok(Answer::status(429)), "asked too often today. Look for a forecast with web_search"),
        (Ok(Answer::status(502)), "has a fault (HTTP 502). Try again later"),
        (Ok(Answer::html("<p>")), "has a fault (HTTP 200)"),
        (ok(json!({ "daily": {} })), "sent no forecast"),
        (Err(WebError::Unreachable("it can't be reached".into())), "it can't be reached"),
    ] {
        let failure = weather(&World::answering([answer]), at.clone()).await.unwrap_err();
        assert!(failure.contains(said), "{failure}");
    }
    for (arguments, said) in [
        (json!({}), "Pass a place, or latitude and longitude"),
        (json!({ "place": "  " }), "Pass a place"),
        (json!({ "latitude": 1 }), "half of the coordinates is missing"),
        (json!({ "longitude": 1, "place": "Bonn" }), "half of the coordinates is missing"),
    ] {
        let failure = weather(&World::answering([]), arguments).await.unwrap_err();
        assert!(failure.contains(said), "{failure}");
    }
}

#[tokio::test]
async fn every_code_has_words() {
    let codes =
        [0, 1, 2, 3, 45, 48, 51, 53, 55, 56, 57, 61, 63, 65, 66, 67, 71, 73, 75, 77, 80, 81, 82, 85, 86, 95, 96, 99];
    let mut words = Vec::new();
    for code in codes.into_iter().chain([42]) {
        let mut answer = forecast();
        answer["current"]["weather_code"] = json!(code);
        let said = weather(&World::answering([ok(answer)]), json!({ "latitude": 1, "longitude": 2 })).await.unwrap();
        let now = said.lines().nth(1).unwrap().strip_prefix("Now: ").unwrap();
        words.push(now.split(',').next().unwrap().to_owned());
    }
    assert_eq!(words.pop().as_deref(), Some("unknown weather"));
    assert!(words.iter().all(|word| word != "unknown weather"));
    words.sort();
    words.dedup();
    assert_eq!(words.len(), codes.len());
}
