// SPDX-License-Identifier: Apache-2.0
//! The device's channels and permissions, for Settings.

use crate::Agent;
use bailey_ports::device::{
    AccessibilityState, AskPermissionStates, AskShizuku, Channel, ChannelState, Device, DeviceError, DeviceExt, Fault,
    Idle, Info, ProjectionState, ReadScreen, RequestPermission, ShizukuState, StartProjection, WaitIdle,
};
use bailey_protocol::{ApiError, ChannelRef, ChannelView, Code, DeviceView, PermissionRef};
use std::sync::Arc;
use std::time::Duration;

/// A channel that says nothing for so long does not answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// A person may take so long at the system's own dialog.
const AT_A_DIALOG: Duration = Duration::from_secs(120);

impl Agent {
    /// How each channel stands.
    pub async fn device_view(&self) -> Result<DeviceView, ApiError> {
        let Some(device) = self.0.parts.device.clone() else { return Ok(DeviceView::default()) };
        let mut channels = Vec::new();
        for channel in [Channel::Accessibility, Channel::Projection, Channel::Shizuku] {
            if let Some(state) = state(&device, channel).await {
                channels.push(ChannelView { channel, state });
            }
        }
        let permissions = match device.can::<AskPermissionStates>() {
            true => within(PATIENCE, Channel::Device, device.ask(AskPermissionStates {})).await,
            false => Ok(Default::default()),
        };
        let permissions = permissions.map_err(|error| {
            tracing::warn!(%error, "the device's permissions are not known");
            ApiError::new(Code::Internal, error.to_string())
        })?;
        Ok(DeviceView { channels, permissions: permissions.permissions })
    }

    /// Tries a channel.
    pub async fn device_try(&self, params: ChannelRef) -> Result<ChannelView, ApiError> {
        let channel = params.channel;
        let none = || ApiError::new(Code::NotFound, "this device has no such channel");
        let device = self.0.parts.device.clone().ok_or_else(none)?;
        let mut state = state(&device, channel).await.ok_or_else(none)?;
        if state.fault.is_none() {
            let tried = match channel {
                Channel::Accessibility => {
                    let waited = device.ask(WaitIdle { quiet_ms: 50, timeout_ms: 500 });
                    let reads = async {
                        let _: Idle = waited.await?;
                        device.ask(ReadScreen {}).await.map(|_| ())
                    };
                    within(PATIENCE, channel, reads).await
                }
                Channel::Device | Channel::Lifecycle => {
                    within(PATIENCE, channel, device.ask(Info {})).await.map(|_| ())
                }
                // Their state is asked of what stands behind them: Shizuku's server, the capture itself.
                Channel::Projection | Channel::Shizuku => Ok(()),
            };
            if let Err(error) = tried {
                state.answering = false;
                state.fault = Some(error.fault);
                state.detail = error.detail;
            }
        }
        Ok(ChannelView { channel, state })
    }

    /// Asks the person for a channel or a permission.
    pub async fn device_ask(&self, params: PermissionRef) -> Result<DeviceView, ApiError> {
        let none = || ApiError::new(Code::NotFound, "this device has nothing to grant");
        let device = self.0.parts.device.clone().ok_or_else(none)?;
        let asked = match params.permission.as_str() {
            "projection" => within(AT_A_DIALOG, Channel::Projection, device.ask(StartProjection {})).await.map(|_| ()),
            "shizuku" => within(AT_A_DIALOG, Channel::Shizuku, device.ask(AskShizuku {})).await.map(|_| ()),
            name => {
                let request = RequestPermission { permission: name.to_owned() };
                within(AT_A_DIALOG, Channel::Device, device.ask(request)).await.map(|_| ())
            }
        };
        match asked {
            Ok(()) => {}
            // The view says that it is not granted.
            Err(error) if matches!(error.fault, Fault::Declined | Fault::NotGranted) => {}
            Err(error) => return Err(ApiError::new(Code::BadRequest, error.to_string())),
        }
        self.device_view().await
    }
}

/// How a channel stands; `None` where there is none.
async fn state(device: &Arc<dyn Device>, channel: Channel) -> Option<ChannelState> {
    let asked = match channel {
        Channel::Accessibility if device.can::<AccessibilityState>() => {
            within(PATIENCE, channel, device.ask(AccessibilityState {})).await
        }
        Channel::Projection if device.can::<ProjectionState>() => {
            within(PATIENCE, channel, device.ask(ProjectionState {})).await
        }
        Channel::Shizuku if device.can::<ShizukuState>() => {
            within(PATIENCE, channel, device.ask(ShizukuState {})).await
        }
        _ => return None,
    };
    Some(asked.unwrap_or_else(|error| ChannelState {
        fault: Some(error.fault),
        detail: error.detail,
        ..ChannelState::default()
    }))
}

async fn within<T>(
    limit: Duration,
    channel: Channel,
    asked: impl Future<Output = Result<T, DeviceError>>,
) -> Result<T, DeviceError> {
    tokio::time::timeout(limit, asked).await.unwrap_or_else(|_| Err(DeviceError::new(channel, Fault::NotAnswering, "")))
}
