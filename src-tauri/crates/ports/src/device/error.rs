// SPDX-License-Identifier: Apache-2.0
use super::{Channel, Fault};
use serde::{Deserialize, Serialize};

/// A request that the device did not do. The text says what happened and how to mend it; the model reads it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeviceError {
    /// The channel it was asked through.
    pub channel: Channel,
    /// What kind.
    pub fault: Fault,
    /// What exactly, in a few words, as the name of a permission; may be empty. Never private data.
    pub detail: String,
}

impl DeviceError {
    /// An error of a kind.
    pub fn new(channel: Channel, fault: Fault, detail: impl Into<String>) -> Self {
        Self { channel, fault, detail: detail.into() }
    }

    /// Whether the person can mend it in Settings, Permissions.
    pub fn is_permission(&self) -> bool {
        matches!(self.fault, Fault::NotGranted | Fault::NotBound | Fault::NotAnswering | Fault::NotRunning)
    }
}

impl std::error::Error for DeviceError {}

impl std::fmt::Display for DeviceError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let what = match self.channel {
            Channel::Accessibility => "the accessibility service",
            Channel::Projection => "screen capture",
            Channel::Shizuku => "Shizuku",
            Channel::Device => "the device",
            Channel::Lifecycle => "the app",
        };
        let mend = "The person can mend it in Bailey under Settings, Permissions";
        match self.fault {
            Fault::NotGranted => write!(f, "{what} is not granted. {mend}"),
            Fault::NotBound => write!(
                f,
                "{what} is switched on but the system has not connected it. {mend}: switching it off and on again helps"
            ),
            Fault::NotAnswering => write!(f, "{what} does not answer. {mend}: switching it off and on again helps"),
            Fault::NotRunning => {
                write!(f, "{what} is not running; after a restart of the phone it has to be started again. {mend}")
            }
            Fault::SecureWindow => write!(
                f,
                "this window forbids pictures of itself. Read it with get_screen_state, or ask the person what it shows"
            ),
            Fault::TimedOut => write!(f, "{what} took too long. Try once more, then go on without it"),
            Fault::RateLimited => {
                write!(f, "{what} was asked too often in a short time. Wait a second before the next try")
            }
            Fault::Unsupported => {
                write!(f, "this device can't do that. Go on without it and say what is left for the person to do")
            }
            Fault::Refused => {
                write!(f, "the system refused it. Do not try again; say what is left for the person to do")
            }
            Fault::NotFound => write!(f, "it is not there. Look again before the next try"),
            Fault::Changed => write!(
                f,
                "the screen has changed and the target is no longer what it was, so nothing was done. Read the screen again"
            ),
            Fault::Password => write!(
                f,
                "this is a field for a password, which only the person types. Use show_to_user or ask the person to do it"
            ),
            Fault::Declined => {
                write!(f, "the person declined. Do not try another way; ask what they would like instead")
            }
            Fault::Locked => write!(f, "the device is locked. Only the person can unlock it"),
            Fault::Busy => write!(f, "{what} is busy with something else. Try again later"),
            Fault::TooLarge => write!(f, "it is more than fits. Ask for less"),
            Fault::Invalid => write!(f, "the request does not make sense to {what}"),
            Fault::Failed => write!(f, "{what} failed"),
        }?;
        if self.detail.is_empty() { Ok(()) } else { write!(f, " ({})", self.detail) }
    }
}
