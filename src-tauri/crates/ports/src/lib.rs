// SPDX-License-Identifier: Apache-2.0
//! The traits through which the core reaches the world, and the types they speak.

mod clock;
pub mod device;
mod files;
mod model;
mod notes;
mod notifier;
mod secret;
mod shell;
mod store;
mod tool;
mod web;

pub use clock::Clock;
pub use files::{FileError, Files, NewFile, Written};
pub use model::{Model, ModelError, ReplyStream};
pub use notes::{NewNote, Note, Notes};
pub use notifier::Notifier;
pub use secret::{Redactor, Secret, Secrets, SecretsError};
pub use shell::{Shell, ShellError, ShellOutput};
pub use store::{Durability, Store, StoreError};
pub use tool::{Tool, ToolContext, ToolFailure, ToolResult};
pub use web::{Destination, Web, WebError, WebRequest, WebResponse};
