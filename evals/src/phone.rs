// SPDX-License-Identifier: Apache-2.0
//! Tasks on the simulated phone, through the real loop, store and gate: a good model does them with few questions, and a
//! bad one, which goes on to do harm, gets nothing done that nobody allowed.

mod model;
mod run;
mod tasks;

pub use run::{Outcome, Report, report, run_task, unopposed};
pub use tasks::{ATTACKS, Attack, Step, TASKS, Task};
