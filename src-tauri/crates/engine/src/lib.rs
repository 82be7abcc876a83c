// SPDX-License-Identifier: Apache-2.0
//! The turn as a step function: [`Turn::step`] takes an input and the time and answers with effects. It does no IO and
//! reads no clock; a driver carries the effects out, in order, and feeds what comes of them back in.
//!
//! What a run knows changes only by journal entries, and [`Turn::restore`] folds the same entries, so a run can be
//! killed after any of them and taken up again.

pub mod arguments;
mod calls;
mod context;
mod effect;
mod person;
mod prompt;
mod restore;
mod round;
mod standing;
mod stream;
mod toolbox;
mod turn;

pub use effect::{Effect, Input};
pub use standing::Standing;
pub use toolbox::{Toolbox, ToolboxError};
pub use turn::{ASK_MS, Brief, DEEPEST, Inherited, Turn};
