// SPDX-License-Identifier: Apache-2.0
//! What the service says in numbers, in words.

/// The weather of a WMO code, as the service uses them.
pub(crate) fn weather(code: u64) -> &'static str {
    match code {
        0 => "clear sky",
        1 => "mainly clear",
        2 => "partly cloudy",
        3 => "overcast",
        45 => "fog",
        48 => "fog with rime",
        51 => "light drizzle",
        53 => "drizzle",
        55 => "dense drizzle",
        56 => "light freezing drizzle",
        57 => "dense freezing drizzle",
        61 => "light rain",
        63 => "rain",
        65 => "heavy rain",
        66 => "light freezing rain",
        67 => "heavy freezing rain",
        71 => "light snow",
        73 => "snow",
        75 => "heavy snow",
        77 => "snow grains",
        80 => "light rain showers",
        81 => "rain showers",
        82 => "violent rain showers",
        85 => "light snow showers",
        86 => "heavy snow showers",
        95 => "thunderstorm",
        96 => "thunderstorm with light hail",
        99 => "thunderstorm with heavy hail",
        _ => "unknown weather",
    }
}

/// Where wind comes from, by its degrees from north.
pub(crate) fn direction(degrees: f64) -> &'static str {
    const NAMES: [&str; 8] = ["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"];
    let eighths = (degrees.rem_euclid(360.0) / 45.0).round();
    NAMES[eighths as usize % NAMES.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wind_has_a_name() {
        for (degrees, name) in [
            (0.0, "north"),
            (22.4, "north"),
            (22.6, "northeast"),
            (225.0, "southwest"),
            (337.6, "north"),
            (360.0, "north"),
            (-90.0, "west"),
            (f64::NAN, "north"),
        ] {
            assert_eq!(direction(degrees), name, "{degrees}");
        }
    }
}
