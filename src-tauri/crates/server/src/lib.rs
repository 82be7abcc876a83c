// SPDX-License-Identifier: Apache-2.0
//! The headless shell: Bailey's commands and events over HTTP on this machine's loopback, the UI's files, and the
//! `bailey` command line.
//!
//! [`serve`] is the server; it holds no state of its own beside who may use it ([`Access`]). Everything else is
//! [`bailey_api::Api`].

mod access;
mod assets;
pub mod cli;
mod guard;
mod pages;
mod random;
mod routes;
mod sessions;

pub use access::Access;
pub use assets::{EmbeddedUi, Ui};
pub use routes::{BODY_LIMIT, serve};
