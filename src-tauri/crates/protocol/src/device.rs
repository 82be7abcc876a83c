// SPDX-License-Identifier: Apache-2.0
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use ts_rs::TS;

/// A way into the device that the person grants, and that can be there or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    /// The accessibility service: the screen's tree, and hands.
    Accessibility,
    /// MediaProjection: the screen's picture.
    Projection,
    /// Shizuku: a shell with adb's rights.
    Shizuku,
    /// What needs no more than an ordinary permission, if any.
    Device,
    /// The app's own life: nothing to grant but its notifications.
    Lifecycle,
}

impl Channel {
    /// All of them.
    pub const ALL: [Channel; 5] =
        [Channel::Accessibility, Channel::Projection, Channel::Shizuku, Channel::Device, Channel::Lifecycle];

    /// Its name, as in JSON; also that of the plugin behind it.
    pub fn name(self) -> &'static str {
        match self {
            Channel::Accessibility => "accessibility",
            Channel::Projection => "projection",
            Channel::Shizuku => "shizuku",
            Channel::Device => "device",
            Channel::Lifecycle => "lifecycle",
        }
    }
}

/// What kept the device from doing as asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// The person has not granted the channel, or the permission in the detail.
    NotGranted,
    /// It is granted, and the system has not connected it.
    NotBound,
    /// It is connected and does not answer.
    NotAnswering,
    /// What it stands on is not installed or not started, as Shizuku after a reboot.
    NotRunning,
    /// The window forbids pictures of itself.
    SecureWindow,
    /// It took too long.
    TimedOut,
    /// It was asked too often in a short time.
    RateLimited,
    /// This device or this version of its system can't do it.
    Unsupported,
    /// The system, or its maker's changes to it, refused.
    Refused,
    /// What was named is not there: an app, a node, a page.
    NotFound,
    /// The target is no longer what it was when it was looked at.
    Changed,
    /// The target is a field for a password.
    Password,
    /// The person said no to the system's own question, or touched the screen meanwhile.
    Declined,
    /// It is locked.
    Locked,
    /// Something else has it now.
    Busy,
    /// More than fits.
    TooLarge,
    /// The request does not make sense.
    Invalid,
    /// Anything else.
    Failed,
}

impl Fault {
    /// All of them.
    pub const ALL: [Fault; 18] = [
        Fault::NotGranted,
        Fault::NotBound,
        Fault::NotAnswering,
        Fault::NotRunning,
        Fault::SecureWindow,
        Fault::TimedOut,
        Fault::RateLimited,
        Fault::Unsupported,
        Fault::Refused,
        Fault::NotFound,
        Fault::Changed,
        Fault::Password,
        Fault::Declined,
        Fault::Locked,
        Fault::Busy,
        Fault::TooLarge,
        Fault::Invalid,
        Fault::Failed,
    ];

    /// Its name, as in JSON; the code an Android plugin rejects with.
    pub fn name(self) -> &'static str {
        match self {
            Fault::NotGranted => "not_granted",
            Fault::NotBound => "not_bound",
            Fault::NotAnswering => "not_answering",
            Fault::NotRunning => "not_running",
            Fault::SecureWindow => "secure_window",
            Fault::TimedOut => "timed_out",
            Fault::RateLimited => "rate_limited",
            Fault::Unsupported => "unsupported",
            Fault::Refused => "refused",
            Fault::NotFound => "not_found",
            Fault::Changed => "changed",
            Fault::Password => "password",
            Fault::Declined => "declined",
            Fault::Locked => "locked",
            Fault::Busy => "busy",
            Fault::TooLarge => "too_large",
            Fault::Invalid => "invalid",
            Fault::Failed => "failed",
        }
    }

    /// The fault of that name; [`Fault::Failed`] for one that is not known.
    pub fn named(name: &str) -> Fault {
        Fault::ALL.into_iter().find(|fault| fault.name() == name).unwrap_or(Fault::Failed)
    }
}

/// How a channel stands. Granted is what the system says; bound is that the system has connected it; answering is that
/// it did something just now when it was tried: an accessibility service can be switched on and still be dead.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ChannelState {
    /// The person has switched it on.
    pub granted: bool,
    /// The system has connected it.
    pub bound: bool,
    /// It was tried and did what it should.
    pub answering: bool,
    /// What stands in the way, in the words of [`Fault`]; absent when all three hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub fault: Option<Fault>,
    /// Details for the person, as a version or the name of a permission.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
}

/// The device under the app, as Settings show it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DeviceView {
    /// The channels there are here; none on a device that Bailey can't use.
    pub channels: Vec<ChannelView>,
    /// Ordinary permissions by name, and whether each is granted.
    pub permissions: BTreeMap<String, bool>,
}

/// A channel and how it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChannelView {
    /// Which.
    pub channel: Channel,
    /// How it stands.
    pub state: ChannelState,
}
