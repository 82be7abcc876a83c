// SPDX-License-Identifier: Apache-2.0
//! What a desktop or a server gives to the ports: the shell, the clock, the browser, keys that last; and a process
//! that keeps its secrets out of its environment, its logs and its crashes.

mod browser;
mod clock;
mod environment;
mod folder;
mod keys;
mod logging;
mod process;
mod secrets;
mod shell;

pub use browser::{OpenError, has_desktop, open_in_browser, open_link};
pub use clock::SystemClock;
pub use environment::scrub_environment;
pub use folder::data_dir;
pub use keys::{KEY_STORE_VARIABLE, KeyStore, KeyStoreChoice, KeyStoreOptions, Patience};
pub use logging::{LOG_VARIABLE, Redacting, RedactingWriter, init_logging, install_panic_hook};
pub use process::harden_process;
pub use secrets::{MemorySecrets, SessionSecrets};
pub use shell::HostShell;
