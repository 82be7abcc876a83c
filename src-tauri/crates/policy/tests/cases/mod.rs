// SPDX-License-Identifier: Apache-2.0
//! Random cases for the gate, with what they mean counted out again in the plainest way.

use crate::rules::{Outcome, Values, View, Watch, arguments, lamp, weigh};
use bailey_policy::{
    Agreement, Attendance, CallHistory, Definition, Grant, GrantScope, InvalidArguments, Question, Signature,
    ToolFacts, Verdict, gate,
};
use bailey_protocol::{
    ArgumentPattern, Budget, CallId, ConversationId, Danger, Labels, Ledger, Millis, Mode, Reason, RunId, Source,
};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::json;

pub(crate) const NOW: Millis = 1_000_000;

/// Everything the gate is told, owned. The call is `lamp` with the arguments `this`; a past call is a tool, its
/// arguments and whether it failed.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) known: bool,
    pub(crate) switched_on: bool,
    pub(crate) fits: bool,
    pub(crate) facts: ToolFacts,
    pub(crate) mode: Mode,
    pub(crate) watch: Watch,
    pub(crate) labels: Labels,
    pub(crate) values: Values,
    pub(crate) grants: Vec<Grant>,
    pub(crate) budget: Budget,
    pub(crate) ledger: Ledger,
    pub(crate) past: Vec<(&'static str, &'static str, bool)>,
    pub(crate) agreement: Option<Agreement>,
    pub(crate) now: Millis,
}

impl Case {
    /// Another definition has another digest; the real one is slow to make.
    pub(crate) fn digest(&self) -> String {
        format!("{:?}", self.facts)
    }

    pub(crate) fn verdict(&self) -> Verdict {
        let (spec, digest) = (lamp(self.facts), self.digest());
        let (run, conversation, call) =
            (RunId::from("run"), ConversationId::from("conversation"), CallId::from("call"));
        let arguments = arguments();
        let invalid = InvalidArguments { message: "/n is missing".into(), example: json!({ "n": 1 }) };
        let mut history = CallHistory::default();
        for (tool, arguments, failed) in &self.past {
            history.record(tool, Signature::of(tool, arguments), *failed);
        }
        gate(&Question {
            run: &run,
            conversation: &conversation,
            call: &call,
            tool_name: "lamp",
            tool: self.known.then_some(Definition { spec: &spec, digest: &digest }),
            switched_on: self.switched_on,
            arguments: if self.fits { Ok(&arguments) } else { Err(&invalid) },
            target: Ok(None),
            apps: &Default::default(),
            signature: Signature::of("lamp", "this"),
            mode: self.mode,
            attendance: match self.watch {
                Watch::Listening => Attendance::Attended { listening: true },
                Watch::Away => Attendance::Attended { listening: false },
                Watch::Unattended => Attendance::Unattended { automation: "nightly" },
            },
            labels: &self.labels,
            origins: self.values.origins(),
            grants: &self.grants,
            budget: self.budget,
            ledger: self.ledger,
            history: &history,
            agreement: self.agreement.as_ref(),
            now: self.now,
        })
    }

    pub(crate) fn outcome(&self) -> Outcome {
        Outcome::of(&self.verdict())
    }

    /// The case as the design speaks of it.
    pub(crate) fn view(&self) -> View<'_> {
        let living = |g: &&Grant| g.id == "fits" && g.expires.is_none_or(|end| end > self.now);
        let automation = self
            .grants
            .iter()
            .filter(living)
            .any(|g| g.tool == "lamp" && matches!(&g.scope, GrantScope::Automation(name) if name == "nightly"));
        let attended = self.grants.iter().filter(living).any(|g| match (&g.scope, g.tool.as_str()) {
            (GrantScope::Run(run), "lamp" | "*") => run.as_str() == "run",
            (GrantScope::Conversation(conversation), "lamp") => conversation.as_str() == "conversation",
            (GrantScope::Always, "lamp") => true,
            _ => false,
        });
        let mut calls: Vec<(&str, &str)> = self.past.iter().map(|(tool, args, _)| (*tool, *args)).collect();
        let before = calls.iter().filter(|call| **call == ("lamp", "this")).count();
        calls.push(("lamp", "this"));
        let repeats_sequence = (2..=8).any(|n| {
            let three = calls.len().checked_sub(3 * n).map(|start| &calls[start..]);
            three.is_some_and(|t| t[..n] == t[n..2 * n] && t[n..2 * n] == t[2 * n..])
        });
        View {
            known: self.known,
            switched_on: self.switched_on,
            fits: self.fits,
            rounds_left: self.ledger.rounds < self.budget.rounds,
            calls_left: self.ledger.calls < self.budget.calls,
            time_left: self.budget.active_ms.is_none_or(|limit| self.ledger.active_ms < u64::from(limit)),
            broken: self.past.iter().filter(|(tool, _, failed)| *tool == "lamp" && *failed).count() >= 3,
            repeats_sequence,
            third_identical: before >= 2,
            facts: self.facts,
            mode: self.mode,
            watch: self.watch,
            outside: &self.labels.outside,
            values: self.values,
            automation_granted: automation,
            mode_answered: if self.watch == Watch::Unattended { automation } else { attended },
        }
    }

    /// What the person would be asked.
    pub(crate) fn asked(&self) -> Vec<Reason> {
        weigh(&self.view()).1
    }

    /// The reasons the person was shown for this call and said yes to.
    pub(crate) fn shown(&self) -> Option<&[Reason]> {
        let agreement = self.agreement.as_ref()?;
        (*agreement == Agreement { reasons: agreement.reasons.clone(), ..self.yes_to(Vec::new()) })
            .then_some(&agreement.reasons[..])
    }

    pub(crate) fn yes_to(&self, reasons: Vec<Reason>) -> Agreement {
        Agreement {
            run: "run".into(),
            call: "call".into(),
            tool_digest: self.digest(),
            arguments: arguments(),
            target: None,
            reasons,
        }
    }
}

/// A harmless call that nothing speaks against.
pub(crate) fn plain() -> Case {
    Case {
        known: true,
        switched_on: true,
        fits: true,
        facts: ToolFacts { read_only: true, ..ToolFacts::LOW },
        mode: Mode::Max,
        watch: Watch::Listening,
        labels: Labels::none(),
        values: Values::FINE,
        grants: Vec::new(),
        budget: Budget::of(Mode::Max),
        ledger: Ledger::default(),
        past: Vec::new(),
        agreement: None,
        now: NOW,
    }
}

fn rarely() -> impl Strategy<Value = bool> {
    prop::bool::weighted(0.03)
}

fn facts() -> impl Strategy<Value = ToolFacts> {
    let danger = select(vec![Danger::Low, Danger::Medium, Danger::High]);
    (danger, prop::bool::weighted(0.15), any::<[bool; 4]>(), prop::bool::weighted(0.25)).prop_map(
        |(danger, internal, [read_only, outside, private, egress], never_unattended)| ToolFacts {
            danger,
            internal,
            read_only,
            outside,
            private,
            egress,
            never_unattended,
        },
    )
}

fn sources() -> impl Strategy<Value = Vec<Source>> {
    let source = (select(vec!["web_read", "shared", "unknown"]), prop::option::of("[a-c]\\.org"))
        .prop_map(|(tool, detail)| Source { tool: tool.into(), detail });
    prop_oneof![2 => Just(Vec::new()), 1 => prop::collection::vec(source, 1..4)]
}

pub(crate) fn grant() -> impl Strategy<Value = Grant> {
    let scopes = vec![
        GrantScope::Run("run".into()),
        GrantScope::Run("run 2".into()),
        GrantScope::Conversation("conversation".into()),
        GrantScope::Conversation("conversation 2".into()),
        GrantScope::Automation("nightly".into()),
        GrantScope::Automation("weekly".into()),
        GrantScope::Always,
    ];
    let expires = vec![None, None, Some(NOW + 1), Some(NOW), Some(NOW - 1), Some(i64::MIN), Some(i64::MAX)];
    let patterns =
        vec![("room", "hall*", true), ("room", "kitchen", false), ("floor", "*", false), ("on", "true", true)];
    (select(vec!["lamp", "lamp", "fan", "*"]), select(scopes), select(expires), prop::option::of(select(patterns)))
        .prop_map(|(tool, scope, expires, pattern)| {
            let pattern = pattern.map(|(argument, pattern, fits)| {
                // Whether it fits is stated here and read by `holds`.
                let id = if fits { "fits" } else { "does not fit" };
                (id, ArgumentPattern { argument: argument.into(), pattern: pattern.into() })
            });
            let (id, arguments) = pattern.map_or(("fits", Vec::new()), |(id, pattern)| (id, vec![pattern]));
            Grant { id: id.into(), tool: tool.into(), scope, arguments, expires }
        })
}

pub(crate) fn past() -> impl Strategy<Value = Vec<(&'static str, &'static str, bool)>> {
    let call = |failing: f64| {
        (select(vec!["lamp", "fan"]), select(vec!["this", "a", "b", "c", "d", "e"]), prop::bool::weighted(failing))
    };
    // Loose calls, or a sequence that goes round and round and stops anywhere, perhaps with one call out of step.
    let misstep = prop::option::of((any::<Index>(), call(0.0)));
    let round = (prop::collection::vec(call(0.0), 1..9), 0usize..4, any::<Index>(), misstep).prop_map(
        |(calls, times, cut, misstep)| {
            let mut all = calls.repeat(times);
            all.extend_from_slice(&calls[..cut.index(calls.len() + 1)]);
            if let Some((at, call)) = misstep
                && !all.is_empty()
            {
                let at = at.index(all.len());
                all[at] = call;
            }
            all
        },
    );
    prop_oneof![6 => prop::collection::vec(call(0.15), 0..5), 1 => prop::collection::vec(call(0.5), 4..12), 1 => round]
}

/// Mostly something is left; else just nothing, or less than nothing because the budget was lowered.
fn spending() -> impl Strategy<Value = (Budget, Ledger)> {
    let used = |limit: u32| prop_oneof![30 => 0..limit, 1 => Just(limit), 1 => limit..=u32::MAX];
    (1u32..200, 1u32..200, prop::option::of(1u32..=u32::MAX)).prop_flat_map(move |(rounds, calls, active_ms)| {
        let worked = match active_ms {
            Some(limit) => used(limit).prop_map(u64::from).boxed(),
            None => any::<u64>().boxed(),
        };
        (used(rounds), used(calls), worked).prop_map(move |(r, c, worked)| {
            (Budget { rounds, calls, active_ms }, Ledger { rounds: r, calls: c, active_ms: worked, cost: 0 })
        })
    })
}

/// What is agreed to: nothing, this call for its reasons, or something else for them.
fn agreement(case: &Case, kind: u8, at: Index) -> Option<Agreement> {
    let mut yes = case.yes_to(case.asked());
    match kind {
        0..=2 => return None,
        3..=6 => {}
        7 => yes.reasons.push(Reason::Mode { mode: Mode::Max }),
        8 if !yes.reasons.is_empty() => drop(yes.reasons.remove(at.index(yes.reasons.len()))),
        9 => yes.run = "run 2".into(),
        10 => yes.call = "call 2".into(),
        11 => yes.arguments = json!({ "on": true, "room": "hallway" }),
        _ => yes.tool_digest.push('0'),
    }
    Some(yes)
}

pub(crate) fn case() -> impl Strategy<Value = Case> {
    let watch = select(vec![Watch::Listening, Watch::Listening, Watch::Away, Watch::Unattended]);
    let modes = vec![Mode::Chat, Mode::ChatPlus, Mode::Act, Mode::Act, Mode::Max, Mode::Max];
    let values = select(Values::all().collect::<Vec<_>>());
    let told = (rarely(), rarely(), rarely(), facts(), select(modes), watch, values);
    let known = (sources(), sources(), prop::collection::vec(grant(), 0..4), spending(), past());
    (told, known, 0u8..13, any::<Index>()).prop_map(|(told, known, kind, at)| {
        let (unknown, off, invalid, facts, mode, watch, values) = told;
        let (outside, private, grants, (budget, ledger), past) = known;
        let mut case = Case {
            known: !unknown,
            switched_on: !off,
            fits: !invalid,
            facts,
            mode,
            watch,
            labels: Labels { outside, private },
            values,
            grants,
            budget,
            ledger,
            past,
            agreement: None,
            now: NOW,
        };
        case.agreement = agreement(&case, kind, at);
        case
    })
}
