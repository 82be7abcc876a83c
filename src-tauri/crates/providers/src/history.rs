// SPDX-License-Identifier: Apache-2.0
//! The history of a request in a form that can always be sent, whatever its turns are: every call has exactly one
//! result, right behind its message; people and model take turns; nothing is empty; it begins and ends with what a
//! model answers to. The engine sends orderly histories; a process that was killed, another version or another provider
//! in between may not have left one. No words of anybody's are lost.

use bailey_protocol::model::{Native, PastCall, Picture, Turn};
use std::borrow::Cow;
use std::collections::HashMap;

/// Stands in for the result of a call that has none.
pub(crate) const NO_RESULT: &str = "(no result is known)";
/// Stands in for an empty result, which some providers refuse.
pub(crate) const NO_OUTPUT: &str = "(no output)";
/// Stands where the model is to go on and nobody has said anything.
pub(crate) const GO_ON: &str = "(Go on.)";

/// One step of a history. No two [`Step::User`] are neighbours, and no two [`Step::Assistant`] unless the first has
/// calls; the first is a user's, the last is a user's or has calls.
#[derive(Debug, PartialEq)]
pub(crate) enum Step<'a> {
    /// The person.
    User {
        /// Empty only when there are pictures.
        text: Cow<'a, str>,
        pictures: Vec<&'a Picture>,
    },
    /// The model, and the results of its calls.
    Assistant {
        /// Empty only when there are calls, or a native message that speaks for itself.
        text: &'a str,
        reasoning: &'a str,
        native: Option<&'a Native>,
        calls: Vec<Answered<'a>>,
    },
}

/// A call and its one result.
#[derive(Debug, PartialEq)]
pub(crate) struct Answered<'a> {
    pub(crate) call: &'a PastCall,
    /// Never empty.
    pub(crate) result: &'a str,
}

/// The steps of these turns. `speaks` tells of a native message whether it is one although it has neither text nor calls.
pub(crate) fn steps<'a>(turns: &'a [Turn], speaks: impl Fn(&Native) -> bool) -> Vec<Step<'a>> {
    let results = Results::of(turns);
    let mut steps: Vec<Step<'a>> = Vec::with_capacity(turns.len());
    for (at, turn) in turns.iter().enumerate() {
        match turn {
            Turn::User { text, pictures } => {
                if !text.trim().is_empty() || !pictures.is_empty() {
                    user(Cow::Borrowed(text), pictures.iter().collect(), &mut steps);
                }
            }
            Turn::Tool { name, text, .. } => {
                if results.belong_to_none.contains(&at) {
                    let words = format!("(A result of {name}, whose call is not known: {text})");
                    user(Cow::Owned(words), Vec::new(), &mut steps);
                }
            }
            Turn::Assistant { text, reasoning, calls, native } => {
                let text = if text.trim().is_empty() { "" } else { text.as_str() };
                let native = native.as_deref();
                if text.is_empty() && calls.is_empty() && !native.is_some_and(&speaks) {
                    continue;
                }
                let opened =
                    steps.last().is_none_or(|last| matches!(last, Step::Assistant { calls, .. } if calls.is_empty()));
                if opened {
                    user(Cow::Borrowed(GO_ON), Vec::new(), &mut steps);
                }
                let calls = calls
                    .iter()
                    .enumerate()
                    .map(|(number, call)| Answered {
                        call,
                        result: match results.of_call.get(&(at, number)) {
                            None => NO_RESULT,
                            Some(text) if text.trim().is_empty() => NO_OUTPUT,
                            Some(text) => text,
                        },
                    })
                    .collect();
                steps.push(Step::Assistant { text, reasoning, native, calls });
            }
        }
    }
    if steps.last().is_none_or(|last| matches!(last, Step::Assistant { calls, .. } if calls.is_empty())) {
        user(Cow::Borrowed(GO_ON), Vec::new(), &mut steps);
    }
    steps
}

fn user<'a>(text: Cow<'a, str>, pictures: Vec<&'a Picture>, steps: &mut Vec<Step<'a>>) {
    let text = if text.trim().is_empty() { Cow::Borrowed("") } else { text };
    if let Some(Step::User { text: before, pictures: shown }) = steps.last_mut() {
        if before.is_empty() {
            *before = text;
        } else if !text.is_empty() {
            let before = before.to_mut();
            before.push_str("\n\n");
            before.push_str(&text);
        }
        shown.extend(pictures);
    } else {
        steps.push(Step::User { text, pictures });
    }
}

/// Which result belongs to which call.
struct Results<'a> {
    /// By the turn and the number of the call in it.
    of_call: HashMap<(usize, usize), &'a str>,
    /// Turns whose call is not there, or has a result already.
    belong_to_none: Vec<usize>,
}

impl<'a> Results<'a> {
    /// A result belongs to the last call before it with its id that has none; failing that, to the first call after it.
    fn of(turns: &'a [Turn]) -> Self {
        let mut open: HashMap<&str, Vec<(usize, usize)>> = HashMap::new();
        let mut of_call = HashMap::new();
        let mut left: Vec<usize> = Vec::new();
        for (at, turn) in turns.iter().enumerate() {
            match turn {
                Turn::Assistant { calls, .. } => {
                    // The first of a message comes out first.
                    for (number, call) in calls.iter().enumerate().rev() {
                        open.entry(&call.id).or_default().push((at, number));
                    }
                }
                Turn::Tool { id, text, .. } => match open.get_mut(id.as_str()).and_then(Vec::pop) {
                    Some(call) => drop(of_call.insert(call, text.as_str())),
                    None => left.push(at),
                },
                Turn::User { .. } => {}
            }
        }
        for calls in open.values_mut() {
            calls.sort_unstable();
        }
        left.retain(|at| {
            let Turn::Tool { id, text, .. } = &turns[*at] else { return false };
            let later =
                open.get_mut(id.as_str()).filter(|calls| !calls.is_empty() && calls.iter().all(|call| call.0 > *at));
            match later {
                Some(calls) => drop(of_call.insert(calls.remove(0), text.as_str())),
                None => return true,
            }
            false
        });
        Self { of_call, belong_to_none: left }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn model(text: &str, calls: &[&str]) -> Turn {
        let call = |id: &&str| PastCall { id: (*id).to_owned(), name: "n".to_owned(), arguments: json!({}) };
        Turn::Assistant {
            text: text.to_owned(),
            reasoning: String::new(),
            calls: calls.iter().map(call).collect(),
            native: None,
        }
    }

    fn result(id: &str, text: &str) -> Turn {
        Turn::Tool { id: id.to_owned(), name: "n".to_owned(), text: text.to_owned() }
    }

    /// The steps in short: `u text`, `m text id=result …`.
    fn short(turns: &[Turn]) -> Vec<String> {
        let short = |step: &Step<'_>| match step {
            Step::User { text, .. } => format!("u {text}"),
            Step::Assistant { text, calls, .. } => {
                let calls = calls.iter().map(|call| format!(" {}={}", call.call.id, call.result));
                format!("m {text}{}", calls.collect::<String>())
            }
        };
        steps(turns, |_| false).iter().map(short).collect()
    }

    #[test]
    fn an_orderly_history_stays() {
        let turns = [
            Turn::user("hi"),
            model("", &["a", "b"]),
            result("a", "1"),
            result("b", "2"),
            model("done", &[]),
            Turn::user("thanks"),
        ];
        assert_eq!(short(&turns), ["u hi", "m  a=1 b=2", "m done", "u thanks"]);
    }

    #[test]
    fn a_disorderly_one_is_put_in_order() {
        let u = Turn::user;
        for (turns, expected) in [
            (vec![], vec!["u (Go on.)"]),
            (vec![u(" "), model(" ", &[])], vec!["u (Go on.)"]),
            (vec![u("a"), u(""), u("b")], vec!["u a\n\nb"]),
            (vec![model("x", &[]), u("a")], vec!["u (Go on.)", "m x", "u a"]),
            (vec![u("a"), model("x", &[]), model("y", &[])], vec!["u a", "m x", "u (Go on.)", "m y", "u (Go on.)"]),
            // No result; an empty one; out of order; behind what the person said.
            (vec![u("a"), model("", &["1"])], vec!["u a", "m  1=(no result is known)"]),
            (vec![u("a"), model("", &["1"]), result("1", " \n")], vec!["u a", "m  1=(no output)"]),
            (
                vec![u("a"), model("", &["1", "2"]), result("2", "x"), u("b"), result("1", "y")],
                vec!["u a", "m  1=y 2=x", "u b"],
            ),
            // Before its call; for no call; twice.
            (vec![u("a"), result("1", "x"), model("", &["1"])], vec!["u a", "m  1=x"]),
            (
                vec![u("a"), result("9", "x"), model("", &["1"]), result("1", "y"), result("1", "z")],
                vec![
                    "u a\n\n(A result of n, whose call is not known: x)",
                    "m  1=y",
                    "u (A result of n, whose call is not known: z)",
                ],
            ),
            // One id for several calls: the last is meant, and in one message the first.
            (
                vec![
                    u("a"),
                    model("", &["1"]),
                    model("", &["1", "1"]),
                    result("1", "x"),
                    result("1", "y"),
                    result("1", "z"),
                ],
                vec!["u a", "m  1=z", "m  1=x 1=y"],
            ),
        ] {
            assert_eq!(short(&turns), expected, "{turns:?}");
        }
    }

    #[test]
    fn a_native_message_may_speak_for_itself() {
        let native = std::sync::Arc::new(Native { origin: "o".to_owned(), items: vec![] });
        let turn =
            Turn::Assistant { text: String::new(), reasoning: String::new(), calls: vec![], native: Some(native) };
        let turns = [Turn::user("a"), turn];
        assert_eq!(steps(&turns, |_| true).len(), 3);
        assert_eq!(steps(&turns, |_| false).len(), 1);
    }

    fn turns() -> impl Strategy<Value = Vec<Turn>> {
        let id = "[ab]?";
        let turn = prop_oneof![
            "[ x]?".prop_map(Turn::user),
            (id, "[ r]?").prop_map(|(id, text)| result(&id, &text)),
            ("[ t]?", proptest::collection::vec(id, 0..3))
                .prop_map(|(text, ids)| model(&text, &ids.iter().map(String::as_str).collect::<Vec<_>>())),
        ];
        proptest::collection::vec(turn, 0..12)
    }

    proptest! {
        #[test]
        fn whatever_comes_its_rules_hold_and_no_words_are_lost(turns in turns()) {
            let steps = steps(&turns, |_| false);
            let first_is_users = matches!(&steps[0], Step::User { .. });
            let last_is_answered = match steps.last() {
                Some(Step::Assistant { calls, .. }) => !calls.is_empty(),
                _ => true,
            };
            prop_assert!(first_is_users && last_is_answered);
            for pair in steps.windows(2) {
                match pair {
                    [Step::User { .. }, Step::User { .. }] => prop_assert!(false),
                    [Step::Assistant { calls, .. }, Step::Assistant { .. }] => prop_assert!(!calls.is_empty()),
                    _ => {}
                }
            }
            let mut said = String::new();
            for step in &steps {
                match step {
                    Step::User { text, .. } => {
                        prop_assert!(!text.is_empty());
                        said.push_str(text);
                    }
                    Step::Assistant { text, calls, .. } => {
                        prop_assert!(!text.is_empty() || !calls.is_empty());
                        said.push_str(text);
                        calls.iter().for_each(|call| said.push_str(call.result));
                    }
                }
            }
            let count = |letter: char| turns.iter().filter(|turn| match turn {
                Turn::User { text, .. } | Turn::Assistant { text, .. } | Turn::Tool { text, .. } => text.contains(letter),
            }).count();
            let said = said.replace(NO_RESULT, "").replace(NO_OUTPUT, "").replace(GO_ON, "").replace("(A result of n, whose call is not known: ", "");
            for letter in ['x', 'r', 't'] {
                prop_assert_eq!(said.matches(letter).count(), count(letter), "{}", letter);
            }
            let calls: usize = steps.iter().map(|step| match step { Step::Assistant { calls, .. } => calls.len(), Step::User { .. } => 0 }).sum();
            let wanted: usize = turns.iter().map(|turn| match turn { Turn::Assistant { calls, .. } => calls.len(), _ => 0 }).sum();
            prop_assert_eq!(calls, wanted);
        }
    }
}
