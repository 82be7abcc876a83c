// SPDX-License-Identifier: Apache-2.0
//! Handing something to another app: it opens, and the person goes on from there.

use serde::{Deserialize, Serialize};

/// Something was opened.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Opened {
    /// The package that took it, where the system says.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub app: String,
    /// The app was in the background, so a notification was posted for the person to tap instead.
    #[serde(default)]
    pub by_notification: bool,
}

/// Opens an app.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OpenApp {
    /// Its package.
    pub package: String,
}

/// A page of the system's settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SettingsScreen {
    /// The top.
    Main,
    /// Wireless networks.
    Wifi,
    /// Bluetooth.
    Bluetooth,
    /// The mobile network.
    Mobile,
    /// Display.
    Display,
    /// Sound.
    Sound,
    /// Storage.
    Storage,
    /// Battery.
    Battery,
    /// Location.
    Location,
    /// Date and time.
    DateTime,
    /// Languages.
    Language,
    /// Accessibility.
    Accessibility,
    /// Who may read notifications.
    NotificationAccess,
    /// Who may see how apps are used.
    UsageAccess,
    /// Who may change system settings.
    WriteSettings,
    /// The details of an app: needs `package`.
    App,
    /// An app's notifications: needs `package`.
    AppNotifications,
    /// For developers.
    Developer,
}

/// Opens a page of the system's settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OpenSettings {
    /// Which.
    pub screen: SettingsScreen,
    /// The app it is about, where it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub package: Option<String>,
}

/// Opens a web address in the person's browser.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OpenUri {
    /// `https` or `http`.
    pub uri: String,
}

/// Shows a place in a map app.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OpenMap {
    /// The address to open, as `geo:48.1,11.5?q=…`: made by the core, which knows what each map app takes.
    pub uri: String,
    /// The app it is for; any when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub package: Option<String>,
}

/// Opens the dialler with a number in it. It never calls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Dial {
    /// The number.
    pub number: String,
}

/// Opens the system's chooser with a text to share. It never sends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ShareText {
    /// The text.
    pub text: String,
    /// Its title; may be empty.
    #[serde(default)]
    pub title: String,
}

/// Opens a draft in a mail app. It never sends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ComposeMail {
    /// Addresses.
    pub to: Vec<String>,
    /// Copies go to.
    #[serde(default)]
    pub cc: Vec<String>,
    /// Subject.
    pub subject: String,
    /// Text.
    pub body: String,
}
