// SPDX-License-Identifier: Apache-2.0
//! The app's own life on the device: its foreground service, what it shows outside its window, and what reaches it there.

use serde::{Deserialize, Serialize};

/// Keeps the process alive while runs are going on, with a notification that says so and a button that stops them.
/// Asked again, it changes what is said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ShowRun {
    /// What is going on, for the person's eyes: shown only while the device is unlocked.
    pub title: String,
    /// What is shown on the lock screen instead: nothing private.
    pub public_title: String,
    /// What is on the button that stops everything.
    pub stop: String,
    /// Whether the screen is being captured: the service then says so to the system, too.
    #[serde(default)]
    pub capturing: bool,
}

/// No run is going on any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndRun {}

/// Shows a question as a notification, unless Bailey's own window is in front. Answers from it want the device unlocked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PostAsk {
    /// The question's id.
    pub ask: String,
    /// Its title.
    pub title: String,
    /// What is asked, with the exact recipient, amount or address.
    pub text: String,
    /// What is shown on the lock screen instead: nothing private.
    pub public_title: String,
    /// What is on the button that allows it once; absent where it has to be read in the app.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allow: Option<String>,
    /// What is on the button that denies it; absent likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deny: Option<String>,
    /// It goes away by itself after so many milliseconds.
    pub left_ms: u32,
}

/// The question is not open any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WithdrawAsk {
    /// The question's id.
    pub ask: String,
}

/// Shows a notification, of the same `tag` in place of one that is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PostNotice {
    /// Names it.
    pub tag: String,
    /// Its title.
    pub title: String,
    /// Its text.
    pub text: String,
    /// What is shown on the lock screen instead: nothing private.
    pub public_title: String,
}

/// Rings at a moment, also when the app does not run then: a notice then opens it, and it finds [`Arrival::Alarm`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SetAlarm {
    /// Names it; one of the same name is moved.
    pub id: String,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// To the minute, where the person lets it; otherwise when the system likes.
    #[serde(default)]
    pub exact: bool,
}

/// An alarm as it was set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AlarmSet {
    /// Whether it will be exact.
    pub exact: bool,
}

/// Forgets an alarm; one that is not there does no harm.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CancelAlarm {
    /// Its name.
    pub id: String,
}

/// Forbids pictures of Bailey's own window, or allows them again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SetSecure {
    /// Whether they are forbidden.
    pub on: bool,
}

/// What the app was opened with and nobody has taken yet: also what started it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TakeArrivals {}

/// What arrived.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Arrivals {
    /// In order.
    pub arrivals: Vec<Arrival>,
}

/// Something that another app, a link or an alarm brought.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Arrival {
    /// A link to Bailey, `bailey://…`.
    Link {
        /// The link.
        uri: String,
    },
    /// A text shared from another app: outside text.
    Shared {
        /// The text.
        text: String,
        /// Its subject; may be empty.
        #[serde(default)]
        subject: String,
        /// The package that shared it, where the system says.
        #[serde(default)]
        app: String,
    },
    /// A file shared from another app, copied into the app's own folder: outside.
    SharedFile {
        /// Where the copy is.
        path: String,
        /// Its name there.
        name: String,
        /// Its type as said.
        mime: String,
        /// Its size.
        bytes: u64,
    },
    /// An alarm rang.
    Alarm {
        /// Its name.
        id: String,
    },
    /// The device was started, or the app was updated.
    Booted,
}

/// What covers the edges of the window, in CSS pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Insets {
    /// Status bar and cut-outs.
    pub top: f64,
    /// Right.
    pub right: f64,
    /// Navigation bar.
    pub bottom: f64,
    /// Left.
    pub left: f64,
    /// The keyboard, above the lower edge of the window.
    pub keyboard: f64,
}

/// Asks for the insets; later ones are told as [`super::DeviceEvent::Insets`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadInsets {}
