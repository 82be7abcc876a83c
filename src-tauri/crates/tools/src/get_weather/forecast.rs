// SPDX-License-Identifier: Apache-2.0
use super::place::Place;
use super::words::{direction, weather};
use crate::web::line;
use jiff::civil::Date;
use serde_json::Value;
use std::fmt::Write as _;

/// What is asked for.
pub(crate) fn parameters(place: &Place, days: u64, imperial: bool) -> Vec<(&'static str, String)> {
    let current = "temperature_2m,apparent_temperature,relative_humidity_2m,precipitation,weather_code,wind_speed_10m,wind_direction_10m,wind_gusts_10m";
    let hourly = "temperature_2m,precipitation_probability,weather_code";
    let daily = "weather_code,temperature_2m_max,temperature_2m_min,precipitation_sum,precipitation_probability_max,wind_speed_10m_max,wind_gusts_10m_max,uv_index_max,sunrise,sunset";
    let mut parameters = vec![
        ("latitude", place.latitude.clone()),
        ("longitude", place.longitude.clone()),
        ("current", current.to_owned()),
        ("hourly", hourly.to_owned()),
        ("forecast_hours", "24".to_owned()),
        ("daily", daily.to_owned()),
        ("forecast_days", days.to_string()),
        ("timezone", "auto".to_owned()),
    ];
    if let Some(elevation) = place.elevation {
        parameters.push(("elevation", elevation.to_string()));
    }
    if imperial {
        parameters.push(("temperature_unit", "fahrenheit".to_owned()));
        parameters.push(("wind_speed_unit", "mph".to_owned()));
        parameters.push(("precipitation_unit", "inch".to_owned()));
    }
    parameters
}

/// One table of an answer: columns, and the units of each.
struct Table<'a> {
    columns: &'a Value,
    units: &'a Value,
    row: Option<usize>,
}

impl Table<'_> {
    fn value(&self, name: &str) -> &Value {
        match self.row {
            Some(row) => &self.columns[name][row],
            None => &self.columns[name],
        }
    }

    /// A number with its unit, rounded for people; `?` for one that is not there.
    fn number(&self, name: &str) -> String {
        let unit = line(self.units[name].as_str().unwrap_or_default(), 12);
        let unit = if unit == "mp/h" { "mph".to_owned() } else { unit };
        let Some(number) = self.value(name).as_f64() else { return "?".to_owned() };
        let number = (number * 100.0).round() / 100.0;
        if unit.is_empty() { number.to_string() } else { format!("{number} {unit}") }
    }

    fn text(&self, name: &str) -> String {
        line(self.value(name).as_str().unwrap_or("?"), 40)
    }

    fn weather(&self) -> &'static str {
        weather(self.value("weather_code").as_u64().unwrap_or(u64::MAX))
    }

    /// The hour of a moment such as `2026-03-01T06:21`.
    fn clock(&self, name: &str) -> String {
        let moment = self.text(name);
        moment.split_once('T').map_or(moment.clone(), |(_, clock)| clock.to_owned())
    }
}

/// An answer in words; `None` when it holds no forecast.
pub(crate) fn read(place: &Place, answer: &Value) -> Option<String> {
    let days = answer["daily"]["time"].as_array()?.len();
    let now = Table { columns: &answer["current"], units: &answer["current_units"], row: None };
    let zone = line(answer["timezone"].as_str().unwrap_or("?"), 60);
    let mut said = format!("{}, local time {} ({zone}).", place.name, now.text("time").replace('T', " "));
    let wind = now.value("wind_direction_10m").as_f64().map(direction).unwrap_or("unknown direction");
    let _ = write!(
        said,
        "\nNow: {}, {}, feels like {}, humidity {}, wind {} from {wind} with gusts of {}, precipitation {}.",
        now.weather(),
        now.number("temperature_2m"),
        now.number("apparent_temperature"),
        now.number("relative_humidity_2m"),
        now.number("wind_speed_10m"),
        now.number("wind_gusts_10m"),
        now.number("precipitation"),
    );
    for row in 0..days {
        let day = Table { columns: &answer["daily"], units: &answer["daily_units"], row: Some(row) };
        let date = day.text("time");
        let weekday = date.parse::<Date>().map(|date| date.strftime("%A ").to_string()).unwrap_or_default();
        let _ = write!(
            said,
            "\n{weekday}{date}: {}, {} to {}, precipitation {} (chance {}), wind up to {} with gusts of {}, UV index {}, sun from {} to {}.",
            day.weather(),
            day.number("temperature_2m_min"),
            day.number("temperature_2m_max"),
            day.number("precipitation_sum"),
            day.number("precipitation_probability_max"),
            day.number("wind_speed_10m_max"),
            day.number("wind_gusts_10m_max"),
            day.number("uv_index_max"),
            day.clock("sunrise"),
            day.clock("sunset"),
        );
    }
    let hours = answer["hourly"]["time"].as_array().map_or(0, Vec::len);
    let next: Vec<String> = (0..hours)
        .step_by(3)
        .map(|row| {
            let hour = Table { columns: &answer["hourly"], units: &answer["hourly_units"], row: Some(row) };
            format!(
                "{} {} {} (precipitation {})",
                hour.clock("time"),
                hour.weather(),
                hour.number("temperature_2m"),
                hour.number("precipitation_probability")
            )
        })
        .collect();
    if !next.is_empty() {
        let _ = write!(said, "\nNext hours: {}.", next.join("; "));
    }
    said.push_str("\nSource: Open-Meteo.com.");
    Some(said)
}
