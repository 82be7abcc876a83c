// SPDX-License-Identifier: Apache-2.0
use serde::{Deserialize, Serialize};

/// What the device is and how it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Info {}

/// Where its power comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PowerSource {
    /// From the battery.
    #[default]
    Battery,
    /// It is plugged in.
    Plugged,
    /// Not known.
    Unknown,
}

/// The device.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeviceInfo {
    /// Who made it.
    pub maker: String,
    /// Its model.
    pub model: String,
    /// Its system with the version, as "Android 14".
    pub system: String,
    /// Charge in percent, where there is a battery.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub battery_percent: Option<u8>,
    /// Where its power comes from.
    pub power: PowerSource,
    /// Storage in bytes.
    pub storage_total: u64,
    /// Storage that is free, in bytes.
    pub storage_free: u64,
    /// Memory in bytes.
    pub memory_total: u64,
    /// Memory that is available, in bytes.
    pub memory_free: u64,
}

/// How it is connected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Network {}

/// By what it is connected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Transport {
    /// Not at all.
    #[default]
    None,
    /// Wireless network.
    Wifi,
    /// The mobile network.
    Mobile,
    /// A cable.
    Ethernet,
    /// Something else.
    Other,
}

/// The connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NetworkState {
    /// By what.
    pub transport: Transport,
    /// The system has reached the internet over it.
    pub validated: bool,
    /// It costs by volume.
    pub metered: bool,
    /// A VPN is on.
    pub vpn: bool,
}

/// The apps a person can open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InstalledApps {}

/// An app.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InstalledApp {
    /// Its package.
    pub package: String,
    /// Its name, as the person sees it.
    pub name: String,
    /// Its version.
    pub version: String,
    /// It came with the system.
    #[serde(default)]
    pub system: bool,
}

/// How long apps were in front.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AppUsage {
    /// From, in milliseconds since 1970.
    pub from: u64,
    /// Until, likewise.
    pub until: u64,
}

/// How long apps were in front.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// Longest first.
    pub apps: Vec<UsageRow>,
}

/// One app's time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UsageRow {
    /// Its package.
    pub package: String,
    /// Its name.
    pub name: String,
    /// How long it was in front, in milliseconds.
    pub foreground_ms: u64,
    /// When it was last in front, in milliseconds since 1970.
    pub last_used: u64,
}

/// Looks people up in the address book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FindContacts {
    /// Part of a name, a number or an address.
    pub query: String,
    /// At most so many.
    pub limit: u32,
}

/// Who was found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Contacts {
    /// Best match first.
    pub contacts: Vec<ContactMatch>,
    /// Whether there are more.
    #[serde(default)]
    pub more: bool,
}

/// Somebody in the address book.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ContactMatch {
    /// The name.
    pub name: String,
    /// Telephone numbers.
    #[serde(default)]
    pub phones: Vec<String>,
    /// Mail addresses.
    #[serde(default)]
    pub emails: Vec<String>,
}

/// Writes an event into the calendar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CreateEvent {
    /// Its title.
    pub title: String,
    /// Its beginning, in milliseconds since 1970.
    pub begin: u64,
    /// Its end, likewise; after the beginning.
    pub end: u64,
    /// It takes whole days.
    #[serde(default)]
    pub all_day: bool,
    /// The time zone it is meant in, as `Europe/Berlin`; that of the device when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
    /// Where.
    #[serde(default)]
    pub place: String,
    /// More about it.
    #[serde(default)]
    pub notes: String,
    /// A reminder so many minutes before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remind_minutes: Option<u32>,
}

/// The event that was written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EventCreated {
    /// The name of the calendar it is in.
    pub calendar: String,
    /// Its number there.
    pub id: String,
}

/// What is on the clipboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadClipboard {}

/// The clipboard.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Clipboard {
    /// Its text; absent when it is empty or holds no text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// Puts a text on the clipboard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SetClipboard {
    /// The text.
    pub text: String,
}

/// The last place the device knows of. Nothing is switched on for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Location {}

/// A place the device was at.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LastFix {
    /// Degrees north, WGS-84.
    pub latitude: f64,
    /// Degrees east, WGS-84.
    pub longitude: f64,
    /// Two of three such places are within so many metres.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accuracy_m: Option<f64>,
    /// How old it is, in milliseconds.
    pub age_ms: u64,
    /// Where it came from, as `gps`.
    pub provider: String,
    /// It was made up by an app for tests.
    #[serde(default)]
    pub mock: bool,
}

/// The notifications that are shown now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReadNotifications {
    /// At most so many, newest first.
    pub limit: u32,
}

/// Notifications.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Notifications {
    /// Newest first. Bailey's own are not among them.
    pub notifications: Vec<Notification>,
}

/// A notification.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Notification {
    /// Names it as long as it is shown.
    pub key: String,
    /// The package that posted it.
    pub package: String,
    /// That app's name.
    pub app: String,
    /// When, in milliseconds since 1970.
    pub posted: u64,
    /// Its title.
    #[serde(default)]
    pub title: String,
    /// Its text, the long form where there is one.
    #[serde(default)]
    pub text: String,
    /// It can't be swiped away.
    #[serde(default)]
    pub ongoing: bool,
    /// Its buttons.
    #[serde(default)]
    pub actions: Vec<NotificationAction>,
}

/// A button of a notification.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NotificationAction {
    /// What is on it.
    pub title: String,
    /// It takes a text, as an answer to a message.
    #[serde(default)]
    pub takes_text: bool,
}

/// What is made louder or softer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VolumeStream {
    /// Music and videos.
    #[default]
    Media,
    /// The ring tone.
    Ring,
    /// Alarms.
    Alarm,
    /// Notifications.
    Notification,
    /// Calls.
    Call,
}

/// Sets a volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SetVolume {
    /// Of what.
    pub stream: VolumeStream,
    /// 0 to 100.
    pub percent: u8,
}

/// A volume, as it is now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Volume {
    /// Of what.
    pub stream: VolumeStream,
    /// 0 to 100; the device has fewer steps.
    pub percent: u8,
}

/// Sets the brightness of the display. Needs the permission `write_settings`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SetBrightness {
    /// 0 to 100; absent leaves it to the device.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub percent: Option<u8>,
}

/// The brightness, as it is now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Brightness {
    /// 0 to 100.
    pub percent: u8,
    /// The device chooses by itself.
    pub automatic: bool,
}

/// Switches the torch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SetTorch {
    /// On or off.
    pub on: bool,
}

/// Vibrates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Vibrate {
    /// For so many milliseconds, 1 to 5 000.
    pub duration_ms: u32,
}

/// A key of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MediaKey {
    /// Plays or pauses.
    PlayPause,
    /// Plays.
    Play,
    /// Pauses.
    Pause,
    /// The next piece.
    Next,
    /// The piece before.
    Previous,
    /// Stops.
    Stop,
}

/// Presses a key of whatever plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MediaControl {
    /// Which.
    pub key: MediaKey,
}
