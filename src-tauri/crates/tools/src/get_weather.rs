// SPDX-License-Identifier: Apache-2.0
mod forecast;
mod place;
mod words;

use crate::arguments::{integer, schema, text};
use crate::web::{failure, language, line, outside};
use async_trait::async_trait;
use bailey_policy::{Approval, ArgumentRole, ToolFacts, ToolKind, ToolSpec};
use bailey_ports::{Tool, ToolContext, ToolFailure, ToolResult, Web, WebRequest};
use bailey_protocol::Part;
use place::Place;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use url::Url;

/// The weather now and to come, from Open-Meteo.
pub(crate) struct GetWeather {
    spec: ToolSpec,
    web: Arc<dyn Web>,
}

impl GetWeather {
    const DAYS: u64 = 3;

    pub(crate) fn new(web: Arc<dyn Web>) -> Self {
        let spec = ToolSpec {
            name: "get_weather".into(),
            description: "Tells the weather now, over the next 24 hours and for up to 16 days, for a town by name or \
                for coordinates; coordinates are rounded to 0.1 degree before they leave the device. Use it for any \
                question about the weather instead of a search. It has no past weather and no warnings: do not use it \
                for those."
                .into(),
            schema: schema(
                json!({
                    "place": {
                        "type": "string", "minLength": 2, "maxLength": 100,
                        "description": "A town, if need be with its region or country: Portland, Maine. Leave it out when you pass coordinates.",
                    },
                    "latitude": {
                        "type": "number", "minimum": -90, "maximum": 90,
                        "description": "Degrees north, together with longitude and instead of a place.",
                    },
                    "longitude": { "type": "number", "minimum": -180, "maximum": 180, "description": "Degrees east." },
                    "days": {
                        "type": "integer", "minimum": 1, "maximum": 16, "default": Self::DAYS,
                        "description": "How many days, from today.",
                    },
                    "units": {
                        "type": "string", "enum": ["metric", "imperial"], "default": "metric",
                        "description": "The units: °C, km/h and mm, or °F, mph and inches.",
                    },
                }),
                &[],
            ),
            example: json!({ "place": "Portland, Maine", "days": 2 }),
            facts: ToolFacts { read_only: true, outside: true, egress: true, ..ToolFacts::LOW },
            arguments: BTreeMap::from([
                ("place".into(), ArgumentRole::Text),
                ("latitude".into(), ArgumentRole::Coarse),
                ("longitude".into(), ArgumentRole::Coarse),
                ("days".into(), ArgumentRole::Neutral),
                ("units".into(), ArgumentRole::Neutral),
            ]),
            kind: ToolKind::Run,
        };
        Self { spec, web }
    }

    async fn json(&self, base: &str, parameters: &[(&str, &str)]) -> Result<Value, ToolFailure> {
        let broken = || ToolFailure::new("the weather service answered with something unreadable. Try again later");
        let url = Url::parse_with_params(base, parameters).map_err(|_| broken())?;
        let accept = Some("application/json".to_owned());
        let request = WebRequest { accept, max_bytes: 1024 * 1024, ..WebRequest::get(url) };
        let response = self.web.fetch(request).await.map_err(|e| failure(&e))?;
        let status = response.status;
        if status == 429 {
            return Err(ToolFailure::new(
                "the weather service was asked too often today. Look for a forecast with web_search",
            ));
        }
        let body = response.bytes().await.map_err(|e| failure(&e))?;
        let answer: Value = serde_json::from_slice(&body).unwrap_or_default();
        match (status, answer["reason"].as_str()) {
            (200..=299, _) if answer.is_object() => Ok(answer),
            (_, Some(reason)) => Err(ToolFailure::new(format!(
                "the weather service says: {}. Mend the arguments, or look for a forecast with web_search",
                line(reason, 200)
            ))),
            _ => Err(ToolFailure::new(format!(
                "the weather service has a fault (HTTP {status}). Try again later, or look for a forecast with web_search"
            ))),
        }
    }

    /// The place meant, and others of the name.
    async fn find(&self, arguments: &Value) -> Result<(Place, Vec<String>), ToolFailure> {
        let degrees = |key: &str| arguments.get(key).and_then(Value::as_f64);
        let name = text(arguments, "place").trim();
        match (degrees("latitude"), degrees("longitude")) {
            (Some(latitude), Some(longitude)) => return Ok((Place::at(latitude, longitude), Vec::new())),
            (None, None) if !name.is_empty() => {}
            (None, None) => return Err(ToolFailure::new("no place is given. Pass a place, or latitude and longitude")),
            _ => return Err(ToolFailure::new("half of the coordinates is missing. Pass latitude and longitude")),
        }
        let asked = place::Asked::of(name);
        let parameters = [("name", asked.name), ("count", "20"), ("language", language(name)), ("format", "json")];
        let answer = self.json("https://geocoding-api.open-meteo.com/v1/search", &parameters).await?;
        asked.choose(&answer)
    }
}

#[async_trait]
impl Tool for GetWeather {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn run(&self, approval: Approval, _context: ToolContext) -> ToolResult {
        let arguments = approval.arguments();
        let (place, others) = self.find(arguments).await?;
        let days = integer(arguments, "days").unwrap_or(Self::DAYS).clamp(1, 16);
        let imperial = text(arguments, "units") == "imperial";
        let parameters = forecast::parameters(&place, days, imperial);
        let parameters: Vec<(&str, &str)> = parameters.iter().map(|(key, value)| (*key, value.as_str())).collect();
        let answer = self.json("https://api.open-meteo.com/v1/forecast", &parameters).await?;
        let mut said = forecast::read(&place, &answer)
            .ok_or_else(|| ToolFailure::new("the weather service sent no forecast. Try again later"))?;
        if !others.is_empty() {
            said.push_str(&format!(
                "\nOthers of this name: {}. If one of them is meant, ask again with its region or country.",
                others.join("; ")
            ));
        }
        Ok(vec![Part::labelled(said, outside(&self.spec.name, "open-meteo.com"))])
    }
}
