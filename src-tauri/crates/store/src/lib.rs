// SPDX-License-Identifier: Apache-2.0
//! Bailey's data folder: a SQLite database with the journal and what is made from it, notes, the folder of files, and the
//! lock that keeps a second process out.
//!
//! [`Database`] implements [`Store`](bailey_ports::Store), [`Notes`](bailey_ports::Notes) and
//! [`Files`](bailey_ports::Files).

mod asks;
mod conversations;
mod database;
mod error;
mod files;
mod grants;
mod header;
mod journal;
mod lock;
mod messages;
mod migrate;
mod notes;
mod path;
mod pictures;
mod private;
mod projection;
mod purge;
mod runs;
mod search;
mod settings;
mod spending;
mod store;
mod summary;

pub use database::Database;
pub use lock::{DataFolder, Locked};
