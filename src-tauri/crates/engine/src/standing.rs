// SPDX-License-Identifier: Apache-2.0
use bailey_policy::Grant;
use bailey_protocol::{Caps, Effort, ModelFacts};
use std::collections::BTreeSet;

/// What the driver knows of the world around the run; may change between steps.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// Whether a question would reach somebody.
    pub listening: bool,
    /// The person's lasting permissions that could hold here.
    pub grants: Vec<Grant>,
    /// Tools that the person has not switched on.
    pub switched_off: BTreeSet<String>,
    /// What is known of the run's model.
    pub facts: ModelFacts,
    /// How much it should think.
    pub effort: Option<Effort>,
    /// What may be spent without asking.
    pub caps: Caps,
    /// What was spent today by all runs, in micro-dollars.
    pub spent_today: u64,
}
