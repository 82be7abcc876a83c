// SPDX-License-Identifier: Apache-2.0
use super::lifecycle::Insets;
use super::{Channel, ChannelState};
use serde::{Deserialize, Serialize};

/// What the device tells without being asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum DeviceEvent {
    /// The person touched the screen while another app was being driven.
    Touched,
    /// The person pressed Stop, in the notification or on the screen.
    StopPressed,
    /// A question was answered from its notification, with the device unlocked.
    AskAnswered {
        /// The question's id.
        ask: String,
        /// Allowed once, or denied.
        allow: bool,
    },
    /// Something arrived: [`super::TakeArrivals`] tells what.
    Arrived,
    /// What covers the edges of the window has changed.
    Insets {
        /// As it is now.
        insets: Insets,
    },
    /// A channel has come or gone.
    ChannelChanged {
        /// Which.
        channel: Channel,
        /// As it is now.
        state: ChannelState,
    },
    /// The person went back with nothing more in the page to go back to.
    Back,
}
