// SPDX-License-Identifier: Apache-2.0
use bailey_protocol::Effort;
use serde::Serialize;

/// How a model is told to think.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ThinkingConfig {
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) include_thoughts: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) thinking_level: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) thinking_budget: Option<u32>,
}

/// What a model takes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Takes {
    Nothing,
    /// Tokens, between these.
    Budget {
        least: u32,
        most: u32,
        /// Thinking can be switched off.
        off: bool,
    },
    /// Words; the first is the lowest of these that the model knows.
    Levels(Lowest),
    /// It thinks as much as it likes.
    Always,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Lowest {
    Minimal,
    Low,
    /// Only `low` and `high`.
    LowWithoutMedium,
}

/// What was learnt of a model's thinking from its refusals.
#[derive(Clone, Debug, Default)]
pub(super) struct Learnt {
    nothing: bool,
    no_levels: bool,
    no_budget: bool,
    levels: Vec<&'static str>,
}

const LEVELS: [&str; 4] = ["minimal", "low", "medium", "high"];

/// The generation of a model: `gemini-2.5-flash` is of 2.5. Names that say none are taken for the newest.
fn generation(name: &str) -> Option<(u32, u32)> {
    let rest = name.strip_prefix("gemini-")?;
    let version = rest.split('-').next().unwrap_or_default();
    if matches!(rest, "pro" | "pro-vision" | "ultra") {
        return Some((1, 0));
    }
    let (major, minor) = version.split_once('.').unwrap_or((version, "0"));
    Some(match (major.parse(), minor.parse()) {
        (Ok(major), Ok(minor)) => (major, minor),
        _ => (u32::MAX, 0),
    })
}

fn plain(model: &str) -> String {
    model.rsplit('/').next().unwrap_or(model).to_ascii_lowercase()
}

/// Whether a model refuses calls without a signature in the current turn.
pub(super) fn demands_signatures(model: &str) -> bool {
    generation(&plain(model)).is_some_and(|(major, _)| major >= 3)
}

fn takes(model: &str) -> Takes {
    let name = plain(model);
    let Some((major, minor)) = generation(&name) else { return Takes::Nothing };
    let has = |word: &str| name.split('-').any(|part| part == word);
    match (major, minor) {
        _ if has("tts") || has("embedding") => Takes::Nothing,
        (0..=1, _) | (2, 0..=4) => Takes::Nothing,
        (2, _) if has("image") => Takes::Nothing,
        (2, _) => budget(&name),
        _ if has("image") => Takes::Always,
        (3, 0) if has("pro") => Takes::Levels(Lowest::LowWithoutMedium),
        // Only the lite ones of the newer know `minimal`.
        _ if has("pro") || ((major, minor) >= (3, 7) && !has("lite")) => Takes::Levels(Lowest::Low),
        _ => Takes::Levels(Lowest::Minimal),
    }
}

fn budget(name: &str) -> Takes {
    let has = |word: &str| name.split('-').any(|part| part == word);
    match () {
        () if has("pro") => Takes::Budget { least: 128, most: 32_768, off: false },
        () if has("lite") => Takes::Budget { least: 512, most: 24_576, off: true },
        () => Takes::Budget { least: 1, most: 24_576, off: true },
    }
}

/// How this model is told to think this much, its thoughts shown.
pub(super) fn config(
    model: &str,
    effort: Option<Effort>,
    max_output: Option<u32>,
    learnt: &Learnt,
) -> Option<ThinkingConfig> {
    let takes = match takes(model) {
        _ if learnt.nothing => Takes::Nothing,
        Takes::Levels(_) if learnt.no_levels => budget(&plain(model)),
        takes => takes,
    };
    let shown = ThinkingConfig { include_thoughts: true, ..ThinkingConfig::default() };
    match (takes, effort) {
        (Takes::Nothing, _) => None,
        (Takes::Always, _) | (_, None) => Some(shown),
        (Takes::Budget { .. }, _) if learnt.no_budget => Some(shown),
        (Takes::Budget { off: true, .. }, Some(Effort::Off)) => {
            Some(ThinkingConfig { thinking_budget: Some(0), ..ThinkingConfig::default() })
        }
        (Takes::Budget { least, most, .. }, Some(effort)) => {
            let wanted = match effort {
                Effort::Off => least,
                Effort::Low => 1_024,
                Effort::Medium => 8_192,
                Effort::High => most,
            };
            // Thinking is part of the output: half of it is left for the answer.
            let room = max_output.map_or(wanted, |max| wanted.min(max / 2)).max(least);
            let fits = max_output.is_none_or(|max| room < max);
            Some(ThinkingConfig { thinking_budget: fits.then_some(room), ..shown })
        }
        (Takes::Levels(lowest), Some(effort)) => {
            let order: &[&'static str] = match (effort, lowest) {
                (Effort::Off, Lowest::Minimal) => &["minimal", "low", "medium", "high"],
                (Effort::Off | Effort::Low, _) => &["low", "medium", "high"],
                (Effort::Medium, Lowest::LowWithoutMedium) => &["high", "low"],
                (Effort::Medium, _) => &["medium", "high", "low"],
                (Effort::High, _) => &["high", "medium", "low"],
            };
            let level = order.iter().find(|level| !learnt.levels.contains(level)).copied();
            Some(ThinkingConfig { thinking_level: level, include_thoughts: effort != Effort::Off, ..shown })
        }
    }
}

impl Learnt {
    /// Learns from a refusal that speaks of thinking, in lower case, given what was sent; whether something new.
    pub(super) fn learn(&mut self, sent: &ThinkingConfig, refusal: &str) -> bool {
        if let Some(level) = sent.thinking_level {
            let speaks_of_it = ["thinking level ", "thinking_level ", "thinkinglevel "]
                .iter()
                .any(|before| refusal.contains(&format!("{before}{level}")));
            if speaks_of_it {
                self.levels.push(level);
            } else if refusal.contains("level") {
                self.no_levels = true;
            } else {
                self.nothing = true;
            }
            return true;
        }
        if sent.thinking_budget.is_some() && !self.no_budget {
            self.no_budget = true;
            return true;
        }
        !std::mem::replace(&mut self.nothing, true)
    }
}

/// What a request held, as far as it is known here.
pub(super) fn sent(config: &serde_json::Value) -> Option<ThinkingConfig> {
    let config = config.as_object()?;
    let level = config.get("thinkingLevel").and_then(serde_json::Value::as_str);
    Some(ThinkingConfig {
        include_thoughts: config.contains_key("includeThoughts"),
        thinking_level: level.and_then(|level| LEVELS.into_iter().find(|known| *known == level)),
        thinking_budget: config
            .get("thinkingBudget")
            .and_then(serde_json::Value::as_u64)
            .and_then(|budget| u32::try_from(budget).ok()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config_of(model: &str, effort: Option<Effort>, max: Option<u32>) -> String {
        let config = config(model, effort, max, &Learnt::default());
        config.map_or_else(|| "none".into(), |config| serde_json::to_string(&config).unwrap())
    }

    #[test]
    fn each_model_is_told_in_its_way() {
        use Effort::{High, Low, Medium, Off};
        for (model, effort, max, expected) in [
            ("gemini-2.5-flash", None, None, r#"{"includeThoughts":true}"#),
            ("gemini-2.5-flash", Some(Off), None, r#"{"thinkingBudget":0}"#),
            ("models/gemini-2.5-flash-lite", Some(Low), None, r#"{"includeThoughts":true,"thinkingBudget":1024}"#),
            ("gemini-2.5-flash", Some(Medium), Some(4000), r#"{"includeThoughts":true,"thinkingBudget":2000}"#),
            ("gemini-2.5-flash", Some(High), None, r#"{"includeThoughts":true,"thinkingBudget":24576}"#),
            ("gemini-2.5-pro", Some(Off), None, r#"{"includeThoughts":true,"thinkingBudget":128}"#),
            ("gemini-2.5-pro", Some(High), None, r#"{"includeThoughts":true,"thinkingBudget":32768}"#),
            ("gemini-2.5-pro", Some(High), Some(100), r#"{"includeThoughts":true}"#),
            (
                "gemini-2.5-flash-lite-preview-09-2025",
                Some(Low),
                Some(600),
                r#"{"includeThoughts":true,"thinkingBudget":512}"#,
            ),
            ("gemini-2.5-flash-image", Some(Low), None, "none"),
            ("gemini-2.0-flash", Some(High), None, "none"),
            ("gemini-1.5-pro-002", None, None, "none"),
            ("gemini-pro", Some(High), None, "none"),
            ("gemma-3-27b-it", Some(High), None, "none"),
            ("gemini-3-pro-preview", None, None, r#"{"includeThoughts":true}"#),
            ("gemini-3-pro-preview", Some(Off), None, r#"{"thinkingLevel":"low"}"#),
            ("gemini-3-pro-preview", Some(Medium), None, r#"{"includeThoughts":true,"thinkingLevel":"high"}"#),
            ("gemini-3.1-pro-preview", Some(Medium), None, r#"{"includeThoughts":true,"thinkingLevel":"medium"}"#),
            ("gemini-3-flash-preview", Some(Off), None, r#"{"thinkingLevel":"minimal"}"#),
            ("gemini-3.1-flash-lite", Some(Off), None, r#"{"thinkingLevel":"minimal"}"#),
            ("gemini-3.8-flash", Some(Off), None, r#"{"thinkingLevel":"low"}"#),
            ("gemini-3.8-flash", Some(High), None, r#"{"includeThoughts":true,"thinkingLevel":"high"}"#),
            ("gemini-flash-latest", Some(Off), None, r#"{"thinkingLevel":"low"}"#),
            ("gemini-3-pro-image-preview", Some(High), None, r#"{"includeThoughts":true}"#),
            ("Gemini-4-Something", Some(Low), None, r#"{"includeThoughts":true,"thinkingLevel":"low"}"#),
            ("tunedModels/mine", Some(Low), None, "none"),
        ] {
            assert_eq!(config_of(model, effort, max), expected, "{model} {effort:?} {max:?}");
        }
    }

    #[test]
    fn a_refusal_is_not_repeated() {
        let mut learnt = Learnt::default();
        let model = "gemini-3-flash-preview";
        let mut next = |refusal: &str| {
            let config = config(model, Some(Effort::Off), None, &learnt).unwrap();
            assert!(learnt.learn(&config, refusal), "{refusal}");
            super::config(model, Some(Effort::Off), None, &learnt)
        };
        let level = |level| Some(ThinkingConfig { thinking_level: level, ..ThinkingConfig::default() });
        assert_eq!(next("thinking level minimal is not supported for this model."), level(Some("low")));
        assert_eq!(next("unable because thinking_level low is not supported"), level(Some("medium")));
        let budget = |thinking_budget| Some(ThinkingConfig { thinking_budget, ..ThinkingConfig::default() });
        assert_eq!(next("thinking_level is not supported by this model"), budget(Some(0)));
        let shown = ThinkingConfig { include_thoughts: true, ..ThinkingConfig::default() };
        assert_eq!(next("budget 0 is invalid. this model only works in thinking mode."), Some(shown));
        assert_eq!(next("thinking is not enabled for models/x"), None);
        assert!(!learnt.learn(&shown, "thinking again"), "nothing is left to change");
    }

    #[test]
    fn newer_models_demand_signatures() {
        for (model, demands) in [
            ("gemini-3-pro-preview", true),
            ("models/gemini-3.8-flash", true),
            ("gemini-flash-latest", true),
            ("gemini-4-pro", true),
            ("gemini-2.5-pro", false),
            ("gemini-pro", false),
            ("gemma-3-27b-it", false),
        ] {
            assert_eq!(demands_signatures(model), demands, "{model}");
        }
    }
}
