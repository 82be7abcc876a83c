// SPDX-License-Identifier: Apache-2.0
//! Requests, one after the other.

mod device;
mod lifecycle;
mod picture;
mod screen;
mod shell;

use super::inner::Inner;
use super::world::World;
use bailey_ports::device::{self as d, Channel, DeviceError, Fault, Request};
use serde_json::Value;

type Then = Box<dyn FnOnce(&mut World, bool) -> Result<Value, DeviceError> + Send>;

/// How a request goes on.
pub(super) enum Outcome {
    /// It is answered.
    Done(Value),
    /// It waits for the answer to a dialog.
    Waits {
        /// The dialog's number.
        dialog: u64,
        /// What then becomes of it.
        then: Then,
    },
}

/// What answering comes to: a reply, or a dialog to wait for.
pub(super) enum Answer<T> {
    Reply(T),
    Waits(u64, fn(&mut World, bool) -> Result<T, DeviceError>),
}

impl<T> From<T> for Answer<T> {
    fn from(reply: T) -> Self {
        Answer::Reply(reply)
    }
}

fn json<T: serde::Serialize>(channel: Channel, reply: T) -> Result<Value, DeviceError> {
    serde_json::to_value(reply).map_err(|e| DeviceError::new(channel, Fault::Failed, e.to_string()))
}

/// Reads a request and answers it.
fn run<R: Request, A: Into<Answer<R::Reply>>>(
    inner: &mut Inner,
    request: Value,
    answer: impl FnOnce(&mut Inner, R) -> Result<A, DeviceError>,
) -> Result<Outcome, DeviceError>
where
    R::Reply: 'static,
{
    let request: R =
        serde_json::from_value(request).map_err(|e| DeviceError::new(R::CHANNEL, Fault::Invalid, e.to_string()))?;
    match answer(inner, request)?.into() {
        Answer::Reply(reply) => Ok(Outcome::Done(json(R::CHANNEL, reply)?)),
        Answer::Waits(dialog, then) => {
            Ok(Outcome::Waits { dialog, then: Box::new(move |w, yes| json(R::CHANNEL, then(w, yes)?)) })
        }
    }
}

/// An error of a request `R`.
pub(super) fn error<R: Request>(fault: Fault, detail: &str) -> DeviceError {
    DeviceError::new(R::CHANNEL, fault, detail)
}

impl World {
    /// Whether the channel is there.
    fn reach(&self, channel: Channel) -> Result<(), DeviceError> {
        match self.channels.get(&channel).and_then(|state| state.fault) {
            Some(fault) => Err(DeviceError::new(channel, fault, "")),
            None => Ok(()),
        }
    }

    /// Whether the channel is there and Bailey has this permission.
    fn permitted(&self, channel: Channel, permission: &str) -> Result<(), DeviceError> {
        self.reach(channel)?;
        if self.granted.contains(permission) {
            Ok(())
        } else {
            Err(DeviceError::new(channel, Fault::NotGranted, permission))
        }
    }
}

macro_rules! answers {
    ($inner:expr, $channel:expr, $command:expr, $request:expr; $($type:ident => $answer:expr,)*) => {
        match $command {
            $(<d::$type as Request>::COMMAND => run::<d::$type, _>($inner, $request, $answer),)*
            _ => Err(DeviceError::new($channel, Fault::Unsupported, "")),
        }
    };
}

impl Inner {
    /// Answers a request of the contract.
    pub(super) fn answer(&mut self, channel: Channel, command: &str, request: Value) -> Result<Outcome, DeviceError> {
        answers! { self, channel, command, request;
            AccessibilityState => |i, _| Ok(i.world.state(Channel::Accessibility)),
            ReadScreen => screen::read,
            Perform => screen::perform,
            Gesture => screen::gesture,
            PressKey => screen::press_key,
            WaitIdle => screen::wait_idle,
            StartDriving => screen::start_driving,
            EndDriving => screen::end_driving,
            Screenshot => picture::screenshot,
            ProjectionState => |i, _| Ok(picture::state(&i.world)),
            StartProjection => picture::start,
            ReadFrame => picture::frame,
            StartRecording => picture::start_recording,
            EndRecording => picture::end_recording,
            RevokeProjection => picture::revoke,
            ShizukuState => |i, _| Ok(i.world.state(Channel::Shizuku)),
            AskShizuku => shell::ask,
            Execute => shell::execute,
            ManageApp => shell::manage,
            AskPermissionStates => |i, _| Ok(device::permissions(&i.world)),
            RequestPermission => device::request_permission,
            Info => device::info,
            Network => device::network,
            InstalledApps => device::installed,
            AppUsage => device::usage,
            OpenApp => device::open_app,
            OpenSettings => device::open_settings,
            OpenUri => device::open_uri,
            OpenMap => device::open_map,
            Dial => device::dial,
            ShareText => device::share,
            ComposeMail => device::compose,
            FindContacts => device::contacts,
            CreateEvent => device::create_event,
            ReadClipboard => device::clipboard,
            SetClipboard => device::set_clipboard,
            Location => device::location,
            ReadNotifications => device::notifications,
            SetVolume => device::volume,
            SetBrightness => device::brightness,
            SetTorch => device::torch,
            Vibrate => device::vibrate,
            MediaControl => device::media,
            ShowRun => lifecycle::show_run,
            EndRun => lifecycle::end_run,
            PostAsk => lifecycle::post_ask,
            WithdrawAsk => lifecycle::withdraw_ask,
            PostNotice => lifecycle::post_notice,
            SetAlarm => lifecycle::set_alarm,
            CancelAlarm => lifecycle::cancel_alarm,
            SetSecure => lifecycle::set_secure,
            TakeArrivals => lifecycle::arrivals,
            ReadInsets => |i, _| Ok(i.world.insets()),
        }
    }
}

impl World {
    /// How a channel stands.
    fn state(&self, channel: Channel) -> d::ChannelState {
        self.channels.get(&channel).cloned().unwrap_or_default()
    }
}
