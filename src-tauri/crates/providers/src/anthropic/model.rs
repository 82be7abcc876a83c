// SPDX-License-Identifier: Apache-2.0
//! What a model's name tells, and how much it is to think.

use bailey_protocol::Effort;
use serde::Serialize;

/// The answer's limit for a model nobody knows; where that is too high the endpoint says so.
const USUAL_OUTPUT: u32 = 16_384;
/// The answer's limit for a model that could write much more: room for thought, and still most of the window.
const MOST_OUTPUT: u32 = 32_000;
/// The smallest budget that thinking can have.
const LEAST_BUDGET: u32 = 1024;

/// How a model is told to think.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// Not at all.
    None,
    /// With a number of tokens.
    Budget,
    /// It decides by itself, guided by an effort.
    Adaptive,
}

/// What is known of a model by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Traits {
    /// Whether it is one of Anthropic's, wherever it is served.
    pub(super) claude: bool,
    pub(super) style: Style,
    /// Whether it thinks unless told otherwise.
    pub(super) thinks_by_itself: bool,
    /// Whether it can be told not to.
    pub(super) can_stop: bool,
    /// The most tokens an answer may have.
    pub(super) cap: Option<u32>,
}

impl Traits {
    /// Names are written in many ways: `claude-3-7-sonnet-20250219`, `anthropic/claude-opus-4.6`,
    /// `us.anthropic.claude-opus-4-1-20250805-v1:0`, `claude-opus-4-5@20251101`.
    pub(super) fn of(model: &str) -> Self {
        let lower = model.to_ascii_lowercase();
        let Some(at) = lower.find("claude") else {
            return Self { claude: false, style: Style::Budget, thinks_by_itself: false, can_stop: true, cap: None };
        };
        let words: Vec<&str> = lower[at..].split(|c: char| !c.is_ascii_alphanumeric()).collect();
        let is = |word: &str| words.contains(&word);
        let number = |word: &str| word.parse::<u32>().ok().filter(|_| word.len() <= 2);
        let version = words.iter().position(|word| number(word).is_some()).map(|at| {
            let minor = words.get(at + 1).and_then(|word| number(word)).unwrap_or(0);
            (number(words[at]).unwrap_or(0), minor)
        });
        // A name without a version means the newest, if it is not one of the first.
        let version = version.unwrap_or(if is("instant") || is("v2") { (2, 0) } else { (99, 0) });
        let always =
            is("mythos") || is("fable") || ((is("opus") || is("sonnet")) && (5, 5) <= version && version.0 < 99);
        Self {
            claude: true,
            style: match version {
                (..3, _) | (3, ..7) => Style::None,
                (3, _) | (4, ..6) => Style::Budget,
                _ => Style::Adaptive,
            },
            thinks_by_itself: always || version.0 >= 5,
            can_stop: !always,
            cap: Some(match version {
                (..3, _) | (3, ..5) => 4096,
                (3, ..7) => 8192,
                (4, ..5) if is("opus") => 32_000,
                (3, _) | (4, ..6) => 64_000,
                _ => 128_000,
            }),
        }
    }

    /// How many tokens an answer may have at most; the protocol demands a number.
    pub(super) fn max_tokens(&self, asked: Option<u32>, learnt: Option<u32>) -> u32 {
        let usual = self.cap.map_or(USUAL_OUTPUT, |cap| cap.min(MOST_OUTPUT));
        let cap = self.cap.unwrap_or(u32::MAX).min(learnt.unwrap_or(u32::MAX));
        asked.unwrap_or(usual).clamp(1, cap.max(1))
    }
}

/// What was learnt of a model at an endpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Habits {
    /// How it is to be told to think after all.
    pub(super) style: Option<Style>,
    /// Refuses to be told not to think.
    pub(super) cannot_stop: bool,
    /// Does not know that thinking can be summarised.
    pub(super) no_display: bool,
    /// Does not know an effort.
    pub(super) no_effort: bool,
    /// The most tokens an answer may have.
    pub(super) cap: Option<u32>,
}

/// The field of a request that says how to think.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Thinking {
    Enabled {
        budget_tokens: u32,
    },
    Adaptive {
        #[serde(skip_serializing_if = "Option::is_none")]
        display: Option<&'static str>,
    },
    Disabled,
}

/// What a request says about thinking.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Plan {
    pub(super) thinking: Option<Thinking>,
    pub(super) effort: Option<&'static str>,
    /// Whether earlier thinking may go back: not where thinking is off.
    pub(super) returns: bool,
}

/// Where a request goes and what it is like, as far as thinking depends on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Situation {
    /// Whether the endpoint is Anthropic's own.
    pub(super) first_party: bool,
    pub(super) max_tokens: u32,
    /// Whether the calls that are being answered began with thinking that goes back.
    pub(super) began_with_thinking: bool,
}

/// How much to think. `None` as an effort leaves it to the provider.
pub(super) fn plan(traits: &Traits, habits: &Habits, effort: Option<Effort>, at: Situation) -> Plan {
    let none = Plan { returns: !traits.claude, ..Plan::default() };
    let off = Plan { thinking: Some(Thinking::Disabled), ..Plan::default() };
    let can_stop = traits.can_stop && !habits.cannot_stop;
    match habits.style.unwrap_or(traits.style) {
        Style::None => none,
        Style::Budget => match effort {
            // Others than Claude may think without being told to.
            None => none,
            Some(Effort::Off) if traits.claude || !can_stop => none,
            Some(Effort::Off) => off,
            Some(effort) => match budget(effort, at.max_tokens) {
                Some(budget_tokens) if at.began_with_thinking || !traits.claude => {
                    Plan { thinking: Some(Thinking::Enabled { budget_tokens }), effort: None, returns: true }
                }
                _ => none,
            },
        },
        Style::Adaptive => {
            let thinking = Some(Thinking::Adaptive { display: (!habits.no_display).then_some("summarized") });
            let on = |effort: Option<&'static str>| {
                let effort = effort.filter(|_| !habits.no_effort);
                Plan { thinking, effort, returns: true }
            };
            match effort {
                // Newer models think by themselves, but what they think is only told when asked for.
                None if traits.thinks_by_itself && at.first_party => on(None),
                None => Plan { returns: traits.thinks_by_itself || !traits.claude, ..Plan::default() },
                Some(Effort::Off) if !traits.thinks_by_itself && traits.claude => none,
                Some(Effort::Off) if can_stop => off,
                Some(Effort::Off) => on(Some("low")),
                Some(Effort::Low) => on(Some("low")),
                Some(Effort::Medium) => on(Some("medium")),
                Some(Effort::High) => on(Some("high")),
            }
        }
    }
}

/// A budget that leaves room for the answer; `None` where there is none for both.
fn budget(effort: Effort, max_tokens: u32) -> Option<u32> {
    let wanted = match effort {
        Effort::Off => return None,
        Effort::Low => 4_096,
        Effort::Medium => 10_000,
        Effort::High => 24_000,
    };
    let room = max_tokens.saturating_sub(LEAST_BUDGET);
    (room >= LEAST_BUDGET).then(|| wanted.min(room))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_name_tells_how_to_think() {
        use Style::{Adaptive, Budget, None};
        for (model, style, by_itself, can_stop, cap) in [
            ("claude-2.1", None, false, true, 4096),
            ("claude-instant-1.2", None, false, true, 4096),
            ("anthropic.claude-v2:1", None, false, true, 4096),
            ("claude-3-haiku-20240307", None, false, true, 4096),
            ("claude-3-5-sonnet-20241022", None, false, true, 8192),
            ("anthropic/claude-3.5-haiku", None, false, true, 8192),
            ("anthropic.claude-3-sonnet-20240229-v1:0", None, false, true, 4096),
            ("claude-3-7-sonnet-20250219", Budget, false, true, 64_000),
            ("claude-sonnet-4-20250514", Budget, false, true, 64_000),
            ("claude-opus-4-20250514", Budget, false, true, 32_000),
            ("us.anthropic.claude-opus-4-1-20250805-v1:0", Budget, false, true, 32_000),
            ("claude-opus-4-5@20251101", Budget, false, true, 64_000),
            ("claude-haiku-4-5", Budget, false, true, 64_000),
            ("claude-sonnet-4-6", Adaptive, false, true, 128_000),
            ("anthropic/claude-opus-4.8", Adaptive, false, true, 128_000),
            ("claude-sonnet-5", Adaptive, true, true, 128_000),
            ("claude-opus-5", Adaptive, true, true, 128_000),
            ("claude-haiku-5-5", Adaptive, true, true, 128_000),
            ("claude-opus-5-5", Adaptive, true, false, 128_000),
            ("claude-sonnet-5-5", Adaptive, true, false, 128_000),
            ("claude-opus-6", Adaptive, true, false, 128_000),
            ("claude-fable-5", Adaptive, true, false, 128_000),
            ("claude-mythos-preview", Adaptive, true, false, 128_000),
            ("claude-opus-latest", Adaptive, true, true, 128_000),
        ] {
            let expected = Traits { claude: true, style, thinks_by_itself: by_itself, can_stop, cap: Some(cap) };
            assert_eq!(Traits::of(model), expected, "{model}");
        }
        let other = Traits { claude: false, style: Budget, thinks_by_itself: false, can_stop: true, cap: Option::None };
        for model in ["deepseek-v4", "kimi-k3", "glm-5", "MiniMax-M3", ""] {
            assert_eq!(Traits::of(model), other, "{model}");
        }
    }

    #[test]
    fn an_answer_always_has_a_limit() {
        for (model, asked, learnt, expected) in [
            ("claude-opus-5", None, None, 32_000),
            ("claude-opus-5", Some(128_001), None, 128_000),
            ("claude-3-haiku-20240307", None, None, 4096),
            ("claude-3-haiku-20240307", Some(100), None, 100),
            ("kimi-k3", None, None, 16_384),
            ("kimi-k3", Some(200_000), None, 200_000),
            ("kimi-k3", None, Some(8192), 8192),
            ("kimi-k3", Some(0), Some(0), 1),
        ] {
            assert_eq!(Traits::of(model).max_tokens(asked, learnt), expected, "{model} {asked:?} {learnt:?}");
        }
    }

    #[test]
    fn an_effort_becomes_what_the_model_takes() {
        const ADAPTIVE: Option<Thinking> = Some(Thinking::Adaptive { display: Some("summarized") });
        const OFF: Option<Thinking> = Some(Thinking::Disabled);
        let budget = |budget_tokens| Some(Thinking::Enabled { budget_tokens });
        let none = Habits::default();
        let cannot_stop = Habits { cannot_stop: true, ..none };
        let bare = Habits { no_display: true, no_effort: true, ..none };
        for (model, habits, effort, thinking, level, returns) in [
            ("claude-3-5-sonnet", none, Some(Effort::High), None, None, false),
            ("claude-sonnet-4-5", none, None, None, None, false),
            ("claude-sonnet-4-5", none, Some(Effort::Off), None, None, false),
            ("claude-sonnet-4-5", none, Some(Effort::Low), budget(4096), None, true),
            ("claude-sonnet-4-5", none, Some(Effort::High), budget(24_000), None, true),
            ("claude-sonnet-4-6", none, None, None, None, false),
            ("claude-sonnet-4-6", none, Some(Effort::Off), None, None, false),
            ("claude-sonnet-4-6", none, Some(Effort::Medium), ADAPTIVE, Some("medium"), true),
            ("claude-opus-5", none, None, ADAPTIVE, None, true),
            ("claude-opus-5", none, Some(Effort::Off), OFF, None, false),
            ("claude-opus-5", cannot_stop, Some(Effort::Off), ADAPTIVE, Some("low"), true),
            ("claude-opus-5-5", none, Some(Effort::Off), ADAPTIVE, Some("low"), true),
            ("claude-opus-5", bare, Some(Effort::High), Some(Thinking::Adaptive { display: None }), None, true),
            ("deepseek-v4", none, None, None, None, true),
            ("deepseek-v4", none, Some(Effort::Off), OFF, None, false),
            ("deepseek-v4", cannot_stop, Some(Effort::Off), None, None, true),
            ("deepseek-v4", none, Some(Effort::Low), budget(4096), None, true),
        ] {
            let at = Situation { first_party: true, max_tokens: 32_000, began_with_thinking: true };
            let expected = Plan { thinking, effort: level, returns };
            assert_eq!(plan(&Traits::of(model), &habits, effort, at), expected, "{model} {effort:?}");
        }
        let elsewhere = Situation { first_party: false, max_tokens: 32_000, began_with_thinking: false };
        let left = Plan { returns: true, ..Plan::default() };
        assert_eq!(plan(&Traits::of("claude-opus-5"), &none, None, elsewhere), left, "what a gateway does is its own");
        assert_eq!(
            plan(&Traits::of("claude-sonnet-4-5"), &none, Some(Effort::High), elsewhere),
            Plan::default(),
            "calls that did not begin with thinking"
        );
    }

    proptest! {
        #[test]
        fn a_budget_is_in_its_bounds(max_tokens in any::<u32>(), effort in 0_usize..3) {
            let effort = [Effort::Low, Effort::Medium, Effort::High][effort];
            match budget(effort, max_tokens) {
                Some(budget) => prop_assert!((1024..max_tokens).contains(&budget)),
                None => prop_assert!(max_tokens < 2048),
            }
        }
    }
}
