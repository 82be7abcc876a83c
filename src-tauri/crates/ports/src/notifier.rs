// SPDX-License-Identifier: Apache-2.0

/// Tells the person something while they look elsewhere.
pub trait Notifier: Send + Sync {
    /// Whether a notification would be seen: switched on and permitted.
    fn reaches(&self) -> bool;
    /// Shows one. `title` and `body` hold nothing private.
    fn notify(&self, title: &str, body: &str);
}
