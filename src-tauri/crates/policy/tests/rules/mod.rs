// SPDX-License-Identifier: Apache-2.0
//! The gate a second time, written from the text of the design and not from the code: small rules, each of which looks
//! at one thing, and "the strictest wins". The table and the property tests compare [`bailey_policy::gate`] with it.

use bailey_policy::{ToolFacts, ToolKind, ToolSpec, Verdict};
use bailey_protocol::{Danger, DenialCode, Mode, Reason, Source};
use serde_json::json;

/// Who is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Watch {
    /// A person started the run and a question reaches them.
    Listening,
    /// A person started the run and no question reaches anybody.
    Away,
    /// A schedule started it.
    Unattended,
}

/// One call as the design speaks of it: grants, history and agreement are already reduced to what they mean.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a> {
    pub(crate) known: bool,
    pub(crate) switched_on: bool,
    pub(crate) fits: bool,
    pub(crate) rounds_left: bool,
    pub(crate) calls_left: bool,
    pub(crate) time_left: bool,
    pub(crate) broken: bool,
    pub(crate) repeats_sequence: bool,
    pub(crate) third_identical: bool,
    pub(crate) facts: ToolFacts,
    pub(crate) mode: Mode,
    pub(crate) watch: Watch,
    pub(crate) outside: &'a [Source],
    pub(crate) private: &'a [Source],
    /// The automation carries a living grant for exactly this tool.
    pub(crate) automation_granted: bool,
    /// A living grant that holds here answers the mode's question.
    pub(crate) mode_answered: bool,
}

/// What one rule says by itself.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Says {
    Nothing,
    Ask(Reason),
    No(DenialCode),
}

pub(crate) type Rule = fn(&View<'_>) -> Says;

/// The rules, in the design's order. Where two say no, the first is the one named; a sequence is the more telling
/// name for what is always a third identical call too, so it stands first.
pub(crate) const RULES: [(&str, Rule); 15] = [
    ("1 unknown tool", |v| no(!v.known, DenialCode::UnknownTool)),
    ("1 switched off", |v| no(!v.switched_on, DenialCode::SwitchedOff)),
    ("1 arguments", |v| no(!v.fits, DenialCode::InvalidArguments)),
    ("2 rounds", |v| no(!v.rounds_left, DenialCode::Budget)),
    ("2 calls", |v| no(!v.calls_left, DenialCode::Budget)),
    ("2 time", |v| no(!v.time_left, DenialCode::Budget)),
    ("2 breaker", |v| no(v.broken, DenialCode::Breaker)),
    ("2 sequence", |v| no(v.repeats_sequence, DenialCode::Sequence)),
    ("2 identical", |v| no(v.third_identical, DenialCode::Identical)),
    ("4 unattended", |v| {
        let barred = v.facts.danger == Danger::High || v.facts.never_unattended;
        let lifted = v.automation_granted && v.outside.is_empty();
        no(v.watch == Watch::Unattended && barred && !lifted, DenialCode::Unattended)
    }),
    ("5 mode forbids", |v| {
        let forbidden = match v.mode {
            Mode::Chat => true,
            Mode::ChatPlus => !v.facts.read_only,
            Mode::Act | Mode::Max => false,
        };
        no(forbidden && !v.facts.internal, DenialCode::Mode)
    }),
    ("5 mode asks", |v| {
        let asks = v.mode == Mode::Act && !v.facts.internal && !v.mode_answered;
        ask(asks, Reason::Mode { mode: Mode::Act })
    }),
    ("6 tainted and High", |v| {
        let asks = !v.outside.is_empty() && v.facts.danger == Danger::High;
        ask(asks, Reason::OutsideHigh { sources: v.outside.to_vec() })
    }),
    // A tainted write of an internal tool is not asked about: it is kept apart (design, "Labels").
    ("7 tainted and acting", |v| {
        let changes = !v.facts.read_only && !v.facts.internal;
        let asks = !v.outside.is_empty() && (changes || v.facts.egress);
        ask(asks, Reason::OutsideActs { sources: v.outside.to_vec() })
    }),
    ("8 private data may leave", |v| {
        let asks = !v.private.is_empty() && v.facts.egress;
        ask(asks, Reason::PrivateMayLeave { sources: v.private.to_vec() })
    }),
];

fn no(applies: bool, code: DenialCode) -> Says {
    if applies { Says::No(code) } else { Says::Nothing }
}

fn ask(applies: bool, reason: Reason) -> Says {
    if applies { Says::Ask(reason) } else { Says::Nothing }
}

/// A verdict without its texts.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Outcome {
    /// It runs; the reasons are those a person agreed to.
    Allow(Vec<Reason>),
    Confirm(Vec<Reason>),
    Deny(DenialCode),
}

impl Outcome {
    pub(crate) fn of(verdict: &Verdict) -> Self {
        match verdict {
            Verdict::Allow(approval) => Outcome::Allow(approval.reasons().to_vec()),
            Verdict::Confirm(reasons) => Outcome::Confirm(reasons.clone()),
            Verdict::Deny(denial) => Outcome::Deny(denial.code),
        }
    }
}

/// What all rules say: the first no, and what the person would be asked were nothing forbidden. High danger says more
/// than "acts" about the same sources, so only it is shown where both rules ask.
pub(crate) fn weigh(view: &View<'_>) -> (Option<DenialCode>, Vec<Reason>) {
    let (mut first_no, mut asked) = (None, Vec::new());
    for (_, rule) in RULES {
        match rule(view) {
            Says::Nothing => {}
            Says::Ask(reason) => asked.push(reason),
            Says::No(code) => first_no = first_no.or(Some(code)),
        }
    }
    if asked.iter().any(|r| matches!(r, Reason::OutsideHigh { .. })) {
        asked.retain(|r| !matches!(r, Reason::OutsideActs { .. }));
    }
    (first_no, asked)
}

/// The strictest of what was said. `agreed` holds the reasons the person was shown for this very call and said yes to;
/// step 9 and "a confirmation with nobody there" are what becomes of a question.
pub(crate) fn strictest(
    weighed: &(Option<DenialCode>, Vec<Reason>),
    watch: Watch,
    agreed: Option<&[Reason]>,
) -> Outcome {
    let (first_no, asked) = weighed;
    if let Some(code) = first_no {
        return Outcome::Deny(*code);
    }
    if asked.is_empty() {
        return Outcome::Allow(Vec::new());
    }
    if watch == Watch::Unattended {
        return Outcome::Deny(DenialCode::Unattended);
    }
    match agreed {
        Some(shown) if asked.iter().all(|r| shown.contains(r)) => Outcome::Allow(shown.to_vec()),
        _ if watch == Watch::Away => Outcome::Deny(DenialCode::NobodyToAsk),
        _ => Outcome::Confirm(asked.clone()),
    }
}

/// A tool called `lamp` with these facts.
pub(crate) fn lamp(facts: ToolFacts) -> ToolSpec {
    ToolSpec {
        name: "lamp".into(),
        description: "Switches a lamp.".into(),
        schema: json!({ "type": "object" }),
        example: json!({ "on": true }),
        facts,
        text_arguments: Vec::new(),
        kind: ToolKind::Run,
    }
}
