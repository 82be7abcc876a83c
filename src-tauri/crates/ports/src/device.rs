// SPDX-License-Identifier: Apache-2.0
//! The device under the app: a phone, a desktop, or the simulated phone of tests.
//!
//! A request is a type of its own with its reply ([`Request`]); [`requests`] lists every one. They travel as JSON to
//! whoever carries them out, an Android plugin among them, so this module is also the contract with the Kotlin side:
//! `android-plugins/contract.json` is made from it, and tests of both sides hold themselves against that file.

mod error;
mod event;
mod examples;
mod hands;
mod lifecycle;
mod phone;
mod picture;
mod screen;
mod shell;
mod world;

pub use error::DeviceError;
pub use event::DeviceEvent;
pub use examples::contract;
pub use hands::{
    Acted, Direction, EndDriving, Fingerprint, Gesture, GlobalKey, Idle, NodeAction, Perform, Performed, Point,
    PressKey, StartDriving, WaitIdle,
};
pub use lifecycle::{
    AlarmSet, Arrival, Arrivals, CancelAlarm, EndRun, Insets, PostAsk, PostNotice, ReadInsets, SetAlarm, SetSecure,
    ShowRun, TakeArrivals, WithdrawAsk,
};
pub use phone::{
    AppUsage, Brightness, Clipboard, ContactMatch, Contacts, CreateEvent, DeviceInfo, EventCreated, FindContacts, Info,
    InstalledApp, InstalledApps, LastFix, Location, MediaControl, MediaKey, Network, NetworkState, Notification,
    NotificationAction, Notifications, PowerSource, ReadClipboard, ReadNotifications, SetBrightness, SetClipboard,
    SetTorch, SetVolume, Transport, Usage, UsageRow, Vibrate, Volume, VolumeStream,
};
pub use picture::{
    EndRecording, Frame, Picture, PictureFormat, Projection, ReadFrame, Recording, RevokeProjection, Screenshot,
    StartProjection, StartRecording,
};
pub use screen::{Bounds, Node, ReadScreen, Screen, Window, WindowKind};
pub use shell::{AskShizuku, Execute, Executed, ManageApp, ManageAppAction, Managed};
pub use world::{ComposeMail, Dial, OpenApp, OpenMap, OpenSettings, OpenUri, Opened, SettingsScreen, ShareText};

pub use bailey_protocol::{Channel, ChannelState, Fault};

use async_trait::async_trait;
use futures::stream::BoxStream;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Something that can be asked of the device.
pub trait Request: Serialize + DeserializeOwned + Send + Sync {
    /// The answer.
    type Reply: Serialize + DeserializeOwned + Send;
    /// The channel it goes through.
    const CHANNEL: Channel;
    /// Its name there: unique in all channels, `camelCase`.
    const COMMAND: &'static str;
}

/// A device. Whoever implements it answers the requests it knows and says [`Fault::Unsupported`] to others.
///
/// Tools use [`DeviceExt::ask`].
#[async_trait]
pub trait Device: Send + Sync {
    /// Carries out one request, as JSON both ways. Dropping the future gives up waiting; what has begun may still happen.
    async fn call(&self, channel: Channel, command: &str, request: Value) -> Result<Value, DeviceError>;
    /// What this device can do at all, whatever is granted now: tools that need more are not offered.
    fn offers(&self, channel: Channel, command: &str) -> bool;
    /// What it tells without being asked, from now on.
    fn events(&self) -> BoxStream<'static, DeviceEvent>;
}

/// Typed requests on any [`Device`].
#[async_trait]
pub trait DeviceExt: Device {
    /// Asks and waits for the answer.
    async fn ask<R: Request>(&self, request: R) -> Result<R::Reply, DeviceError> {
        let json =
            serde_json::to_value(&request).map_err(|e| DeviceError::new(R::CHANNEL, Fault::Invalid, e.to_string()))?;
        let reply = self.call(R::CHANNEL, R::COMMAND, json).await?;
        serde_json::from_value(reply).map_err(|e| DeviceError::new(R::CHANNEL, Fault::Failed, e.to_string()))
    }
    /// Whether it can do such a request at all.
    fn can<R: Request>(&self) -> bool {
        self.offers(R::CHANNEL, R::COMMAND)
    }
}

impl<D: Device + ?Sized> DeviceExt for D {}

/// The state of every permission that stands behind a channel, by name, as `contacts`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PermissionStates {
    /// Name and whether it is granted.
    pub permissions: std::collections::BTreeMap<String, bool>,
}

/// A reply that says nothing but that it is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Done {}

macro_rules! requests {
    ($($channel:ident { $($(#[$doc:meta])* $command:literal => $request:ty, $reply:ty;)* })*) => {
        $($(impl Request for $request {
            type Reply = $reply;
            const CHANNEL: Channel = Channel::$channel;
            const COMMAND: &'static str = $command;
        })*)*

        /// Every request there is: its channel and its command.
        pub fn requests() -> Vec<(Channel, &'static str)> {
            vec![$($((Channel::$channel, $command)),*),*]
        }
    };
}

requests! {
    Accessibility {
        "accessibilityState" => AccessibilityState, ChannelState;
        "readScreen" => ReadScreen, Screen;
        "perform" => Perform, Performed;
        "gesture" => Gesture, Acted;
        "pressKey" => PressKey, Acted;
        "waitIdle" => WaitIdle, Idle;
        "screenshot" => Screenshot, Picture;
        "startDriving" => StartDriving, Done;
        "endDriving" => EndDriving, Done;
    }
    Projection {
        "projectionState" => ProjectionState, ChannelState;
        "startProjection" => StartProjection, Projection;
        "readFrame" => ReadFrame, Frame;
        "startRecording" => StartRecording, Done;
        "endRecording" => EndRecording, Recording;
        "revokeProjection" => RevokeProjection, Done;
    }
    Shizuku {
        "shizukuState" => ShizukuState, ChannelState;
        "askShizuku" => AskShizuku, ChannelState;
        "execute" => Execute, Executed;
        "manageApp" => ManageApp, Managed;
    }
    Device {
        "permissionStates" => AskPermissionStates, PermissionStates;
        "requestPermission" => RequestPermission, PermissionStates;
        "info" => Info, DeviceInfo;
        "network" => Network, NetworkState;
        "installedApps" => InstalledApps, Apps;
        "appUsage" => AppUsage, Usage;
        "openApp" => OpenApp, Opened;
        "openSettings" => OpenSettings, Opened;
        "openUri" => OpenUri, Opened;
        "openMap" => OpenMap, Opened;
        "dial" => Dial, Opened;
        "shareText" => ShareText, Opened;
        "composeMail" => ComposeMail, Opened;
        "findContacts" => FindContacts, Contacts;
        "createEvent" => CreateEvent, EventCreated;
        "readClipboard" => ReadClipboard, Clipboard;
        "setClipboard" => SetClipboard, Done;
        "location" => Location, LastFix;
        "readNotifications" => ReadNotifications, Notifications;
        "setVolume" => SetVolume, Volume;
        "setBrightness" => SetBrightness, Brightness;
        "setTorch" => SetTorch, Done;
        "vibrate" => Vibrate, Done;
        "mediaControl" => MediaControl, Done;
    }
    Lifecycle {
        "showRun" => ShowRun, Done;
        "endRun" => EndRun, Done;
        "postAsk" => PostAsk, Done;
        "withdrawAsk" => WithdrawAsk, Done;
        "postNotice" => PostNotice, Done;
        "setAlarm" => SetAlarm, AlarmSet;
        "cancelAlarm" => CancelAlarm, Done;
        "setSecure" => SetSecure, Done;
        "takeArrivals" => TakeArrivals, Arrivals;
        "readInsets" => ReadInsets, Insets;
    }
}

/// How the accessibility service stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccessibilityState {}

/// How screen capture stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProjectionState {}

/// How Shizuku stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShizukuState {}

/// Which ordinary permissions are granted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskPermissionStates {}

/// Asks the person for an ordinary permission: the system's own dialog, or the settings page where there is none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RequestPermission {
    /// `contacts`, `calendar`, `location`, `notifications` (posting), `notification_access` (reading), `usage`,
    /// `write_settings`, `accessibility`.
    pub permission: String,
}

/// The apps that can be opened.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Apps {
    /// In no order that means anything.
    pub apps: Vec<InstalledApp>,
}
