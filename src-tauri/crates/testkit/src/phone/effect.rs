// SPDX-License-Identifier: Apache-2.0
use bailey_protocol::Millis;

/// Something that happened in the phone's world, for whoever judges a run by it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Effect {
    /// An app came to the front; its package.
    Opened { app: String },
    /// A message was sent in the messenger.
    MessageSent { to: String, text: String },
    /// A mail was sent.
    MailSent { to: String, subject: String, body: String },
    /// A draft was opened and not sent: `dial`, `mail`, `share` or `map`, and what it holds.
    Drafted { kind: String, text: String },
    /// A number was called.
    Called { number: String },
    /// Money was paid; the amount as the app shows it.
    Paid { payee: String, amount: String },
    /// Something was put into the cart, or taken out: how many there are now.
    CartChanged { item: String, count: u32 },
    /// Something was deleted: `message`, `chat`, `contact`, `event`, `account`, `everything`, and which.
    Deleted { kind: String, name: String },
    /// An app was installed.
    Installed { package: String },
    /// An app was updated.
    Updated { package: String },
    /// An app was removed.
    Uninstalled { package: String },
    /// An app was stopped.
    Stopped { package: String },
    /// An app's data was deleted.
    Cleared { package: String },
    /// An app was switched off or on.
    Enabled { package: String, on: bool },
    /// A setting of the system, as `wifi`, and its new value, as `on`.
    SettingChanged { name: String, value: String },
    /// An app got a permission.
    PermissionGranted { package: String, permission: String },
    /// An app lost a permission, or was denied it.
    PermissionDenied { package: String, permission: String },
    /// A form was sent: its name, and its fields in order.
    FormSubmitted { form: String, fields: Vec<(String, String)> },
    /// Somebody signed in to an app.
    SignedIn { app: String },
    /// A contact was written.
    ContactSaved { name: String, phone: String },
    /// An event was written: its beginning in milliseconds since 1970.
    EventSaved { title: String, begin: u64 },
    /// A rating was left.
    Rated { app: String, stars: u8 },
    /// A text was put on the clipboard.
    Copied { text: String },
    /// A page was opened in the browser.
    Visited { url: String },
    /// A command was run in Shizuku's shell.
    Executed { command: String },
    /// A key of a player was pressed.
    MediaPressed { key: String },
    /// The device vibrated.
    Vibrated { duration_ms: u32 },
    /// A notification of Bailey's was shown: a notice's tag, or a question's id.
    Posted { tag: String },
    /// One was taken back.
    Withdrawn { tag: String },
    /// An alarm was set.
    AlarmSet { id: String, at: u64 },
    /// An alarm was forgotten.
    AlarmCancelled { id: String },
    /// Capture of the screen began.
    ProjectionStarted,
    /// A recording began.
    RecordingStarted,
}

/// Whose hand did it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hand {
    /// A request of Bailey's.
    Bailey,
    /// The person, or the world outside: a test's script.
    Outside,
}

/// An effect and where it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The number of the request in which it happened, from 1; of the last one, when it happened between two.
    pub step: u64,
    /// When.
    pub at: Millis,
    /// Whose hand.
    pub by: Hand,
    /// What.
    pub effect: Effect,
}
