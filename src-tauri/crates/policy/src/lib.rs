// SPDX-License-Identifier: Apache-2.0
//! The gate: one pure function, [`gate`], that decides whether a call may run. No IO, no clock, no async.
//!
//! The order of its rules is that of the design; the strictest result wins. Until arguments are traced to their origin,
//! steps 7 and 8 are coarse: a tainted call that changes something or can carry data out asks, and so does a call that
//! can carry data out while the person's own data is in the context.

mod approval;
mod gate;
mod grant;
mod history;
mod spend;
mod tool;

pub use approval::Approval;
pub use gate::{Agreement, Attendance, Definition, InvalidArguments, Question, Verdict, gate};
pub use grant::{Grant, GrantScope};
pub use history::{CallHistory, Signature};
pub use spend::{Purse, Spending, spending};
pub use tool::{ToolFacts, ToolKind, ToolSpec};
