// SPDX-License-Identifier: Apache-2.0
use super::error;
use crate::phone::inner::Inner;
use bailey_ports::device::{
    Acted, Channel, DeviceError, Done, EndDriving, Fault, Gesture, Idle, Perform, Performed, PressKey, ReadScreen,
    Screen, StartDriving, WaitIdle,
};

const CHANNEL: Channel = Channel::Accessibility;

pub(super) fn read(inner: &mut Inner, _: ReadScreen) -> Result<Screen, DeviceError> {
    inner.world.reach(CHANNEL)?;
    Ok(inner.screen())
}

pub(super) fn perform(inner: &mut Inner, request: Perform) -> Result<Performed, DeviceError> {
    inner.world.reach(CHANNEL)?;
    inner.perform(request)
}

pub(super) fn gesture(inner: &mut Inner, request: Gesture) -> Result<Acted, DeviceError> {
    inner.world.reach(CHANNEL)?;
    inner.gesture(request)
}

pub(super) fn press_key(inner: &mut Inner, request: PressKey) -> Result<Acted, DeviceError> {
    inner.world.reach(CHANNEL)?;
    inner.press_key(request)
}

/// Time passes on the phone's clock while it waits.
pub(super) fn wait_idle(inner: &mut Inner, request: WaitIdle) -> Result<Idle, DeviceError> {
    if request.quiet_ms > request.timeout_ms {
        return Err(error::<WaitIdle>(Fault::Invalid, "quiet for longer than it may take"));
    }
    let world = &mut inner.world;
    world.reach(CHANNEL)?;
    let restless = u32::try_from((world.restless_until - world.now).max(0)).unwrap_or(u32::MAX);
    let needed = restless.saturating_add(request.quiet_ms);
    let waited_ms = needed.min(request.timeout_ms);
    world.now += i64::from(waited_ms);
    Ok(Idle { idle: needed <= request.timeout_ms, waited_ms })
}

pub(super) fn start_driving(inner: &mut Inner, request: StartDriving) -> Result<Done, DeviceError> {
    inner.world.reach(CHANNEL)?;
    inner.world.driving = Some((request.text, request.stop));
    Ok(Done {})
}

pub(super) fn end_driving(inner: &mut Inner, _: EndDriving) -> Result<Done, DeviceError> {
    inner.world.driving = None;
    Ok(Done {})
}
