// SPDX-License-Identifier: Apache-2.0
use crate::web::line;
use bailey_ports::ToolFailure;
use serde_json::Value;

/// Where the weather is asked for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Place {
    /// For people.
    pub(crate) name: String,
    /// Degrees, rounded to 0.1: all that leaves the device.
    pub(crate) latitude: String,
    /// Likewise.
    pub(crate) longitude: String,
    /// Metres, of a place that is known by name.
    pub(crate) elevation: Option<f64>,
}

impl Place {
    pub(crate) fn at(latitude: f64, longitude: f64) -> Self {
        let (latitude, longitude) = (coarse(latitude), coarse(longitude));
        Self { name: format!("{latitude}, {longitude}"), latitude, longitude, elevation: None }
    }
}

/// Rounded to 0.1 degree, about 11 km.
fn coarse(degrees: f64) -> String {
    let tenths = (degrees * 10.0).round();
    // Adding zero takes the sign from a negative zero.
    format!("{:.1}", tenths / 10.0 + 0.0)
}

/// A place as it is asked for: a name, and what it must lie in.
pub(crate) struct Asked<'a> {
    pub(crate) name: &'a str,
    within: Vec<String>,
}

impl<'a> Asked<'a> {
    /// Takes `Portland, Maine` apart: the service only knows names.
    pub(crate) fn of(text: &'a str) -> Self {
        let mut pieces = text.split([',', '，']).map(str::trim).filter(|piece| !piece.is_empty());
        let name = pieces.next().unwrap_or(text);
        Self { name, within: pieces.map(str::to_lowercase).collect() }
    }

    /// The best known of the places found that lies where it must, and what others there are.
    pub(crate) fn choose(&self, answer: &Value) -> Result<(Place, Vec<String>), ToolFailure> {
        let found: Vec<Found> = answer["results"].as_array().into_iter().flatten().filter_map(Found::read).collect();
        if found.is_empty() {
            return Err(ToolFailure::new(format!(
                "no place named {:?} is known. Check the spelling, pass the name of a larger town near by, or coordinates",
                self.name
            )));
        }
        let (within, elsewhere): (Vec<&Found>, Vec<&Found>) = found.iter().partition(|place| place.is_in(&self.within));
        let names = |places: &[&Found]| -> Vec<String> {
            let mut names: Vec<String> = Vec::new();
            for name in places.iter().map(|place| place.name()) {
                if names.len() < 4 && !names.contains(&name) {
                    names.push(name);
                }
            }
            names
        };
        let Some((first, others)) = within.split_first() else {
            return Err(ToolFailure::new(format!(
                "no {:?} is known in {}. Pass one of these: {}; or coordinates",
                self.name,
                self.within.join(", "),
                names(&elsewhere).join("; ")
            )));
        };
        let place =
            Place { name: first.name(), elevation: first.elevation, ..Place::at(first.latitude, first.longitude) };
        let mut others = names(others);
        others.retain(|other| *other != place.name);
        Ok((place, others))
    }
}

/// A place as the service knows it.
struct Found {
    latitude: f64,
    longitude: f64,
    elevation: Option<f64>,
    /// Name, region, country; without doubles.
    names: Vec<String>,
    /// All that it lies in, in lower case.
    around: Vec<String>,
}

impl Found {
    fn read(found: &Value) -> Option<Self> {
        let text = |key: &str| found[key].as_str().map(|name| line(name, 80)).filter(|name| !name.is_empty());
        let mut names = vec![text("name")?];
        for key in ["admin1", "country"] {
            names.extend(text(key).filter(|name| !names.contains(name)));
        }
        let around = ["admin1", "admin2", "admin3", "admin4", "country", "country_code"];
        Some(Self {
            latitude: found["latitude"].as_f64()?,
            longitude: found["longitude"].as_f64()?,
            elevation: found["elevation"].as_f64(),
            names,
            around: around.iter().filter_map(|key| text(key)).map(|name| name.to_lowercase()).collect(),
        })
    }

    fn name(&self) -> String {
        self.names.join(", ")
    }

    fn is_in(&self, within: &[String]) -> bool {
        let short = |name: &String| match name.as_str() {
            "usa" => "us".to_owned(),
            "uk" => "gb".to_owned(),
            _ => name.clone(),
        };
        within.iter().map(short).all(|name| self.around.contains(&name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn coordinates_are_rounded() {
        for (degrees, coarse_degrees) in [
            (31.230_416, "31.2"),
            (121.473_701, "121.5"),
            (-0.04, "0.0"),
            (-33.868_8, "-33.9"),
            (89.99, "90.0"),
            (-180.0, "-180.0"),
        ] {
            assert_eq!(coarse(degrees), coarse_degrees);
        }
    }

    proptest! {
        #[test]
        fn nothing_finer_than_a_tenth_is_kept(degrees in -180.0f64..180.0) {
            let said = coarse(degrees);
            let (_, fraction) = said.split_once('.').unwrap();
            prop_assert_eq!(fraction.len(), 1);
            prop_assert!((said.parse::<f64>().unwrap() - degrees).abs() <= 0.05 + 1e-9);
        }
    }
}
