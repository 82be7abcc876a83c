// SPDX-License-Identifier: Apache-2.0
//! The gate: one pure function, [`gate`], that decides whether a call may run. No IO, no clock, no async.
//!
//! The order of its rules is that of the design; the strictest result wins. Where a value comes from, which steps 7 and 8
//! go by, is known by [`Origins`].

mod approval;
mod gate;
mod grant;
mod history;
mod origin;
mod spend;
mod tool;

pub use approval::Approval;
pub use gate::{Agreement, Attendance, Definition, InvalidArguments, Question, Verdict, gate};
pub use grant::{Grant, GrantScope};
pub use history::{CallHistory, Signature};
pub use origin::Origins;
pub use spend::{Purse, Spending, spending};
pub use tool::{ArgumentRole, ToolFacts, ToolKind, ToolSpec};
