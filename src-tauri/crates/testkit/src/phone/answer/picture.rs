// SPDX-License-Identifier: Apache-2.0
use super::{Answer, error};
use crate::phone::effect::Effect;
use crate::phone::inner::Inner;
use crate::phone::layout::{HEIGHT, WIDTH};
use crate::phone::packages::SYSTEM_UI;
use crate::phone::picture::draw;
use crate::phone::world::{Consent, World};
use bailey_ports::device::{
    Channel, ChannelState, DeviceError, Done, EndRecording, Fault, Frame, Picture, Projection, ReadFrame, Recording,
    Request, RevokeProjection, Screenshot, StartProjection, StartRecording,
};

const PROJECTION: Channel = Channel::Projection;

/// A picture of the screen, unless a window on it forbids that.
fn picture<R: Request>(inner: &Inner, max_edge: u32) -> Result<Picture, DeviceError> {
    let panes = inner.world.panes();
    if panes.iter().any(|pane| pane.secure) {
        return Err(error::<R>(Fault::SecureWindow, ""));
    }
    draw(&panes, max_edge).map_err(|e| error::<R>(Fault::Failed, &e.to_string()))
}

fn sized<R: Request>(max_edge: u32) -> Result<(), DeviceError> {
    if max_edge == 0 { Err(error::<R>(Fault::Invalid, "a picture of no size")) } else { Ok(()) }
}

pub(super) fn screenshot(inner: &mut Inner, request: Screenshot) -> Result<Picture, DeviceError> {
    sized::<Screenshot>(request.max_edge)?;
    inner.world.reach(Channel::Accessibility)?;
    picture::<Screenshot>(inner, request.max_edge)
}

/// Capture is granted as long as it goes on.
pub(super) fn state(world: &World) -> ChannelState {
    let on = world.capturing.is_some();
    let fault = world.state(PROJECTION).fault.or(if on { None } else { Some(Fault::NotGranted) });
    ChannelState { granted: on, bound: on, answering: on && fault.is_none(), fault, detail: String::new() }
}

fn capturing(world: &World) -> Result<i64, DeviceError> {
    world.capturing.ok_or_else(|| error::<ReadFrame>(Fault::NotGranted, ""))
}

fn begin(world: &mut World, yes: bool) -> Result<Projection, DeviceError> {
    if !yes {
        return Err(error::<StartProjection>(Fault::Declined, ""));
    }
    world.set_channel(PROJECTION, None);
    world.capturing = Some(world.now);
    world.happened(Effect::ProjectionStarted);
    Ok(SIZE)
}

const SIZE: Projection = Projection { width: WIDTH.unsigned_abs(), height: HEIGHT.unsigned_abs() };

pub(super) fn start(inner: &mut Inner, _: StartProjection) -> Result<Answer<Projection>, DeviceError> {
    let world = &mut inner.world;
    if world.capturing.is_some() {
        return Ok(SIZE.into());
    }
    match world.consent {
        Consent::Grants => Ok(world.as_person(|w| begin(w, true))?.into()),
        Consent::Declines => Ok(begin(world, false)?.into()),
        Consent::Waits => {
            let heading = "Start recording or casting with Bailey?";
            let message = "Bailey will see everything that is shown on your screen.";
            let (yes, no) = (("button1", "Start now"), ("button2", "Cancel"));
            let number = world.ask_consent(SYSTEM_UI, heading, message, yes, no);
            Ok(Answer::Waits(number, begin))
        }
    }
}

pub(super) fn frame(inner: &mut Inner, request: ReadFrame) -> Result<Frame, DeviceError> {
    sized::<ReadFrame>(request.max_edge)?;
    let since = capturing(&inner.world)?;
    inner.world.reach(PROJECTION)?;
    let picture = picture::<ReadFrame>(inner, request.max_edge)?;
    Ok(Frame { picture, age_ms: u32::try_from(inner.world.now - since).unwrap_or(u32::MAX).min(40) })
}

pub(super) fn start_recording(inner: &mut Inner, request: StartRecording) -> Result<Done, DeviceError> {
    if !(1..=600).contains(&request.limit_s) {
        return Err(error::<StartRecording>(Fault::Invalid, "1 to 600 seconds"));
    }
    capturing(&inner.world)?;
    inner.world.reach(PROJECTION)?;
    if inner.world.recording.is_some() {
        return Err(error::<StartRecording>(Fault::Busy, ""));
    }
    inner.world.recording = Some((inner.world.now, request.limit_s));
    inner.world.happened(Effect::RecordingStarted);
    Ok(Done {})
}

pub(super) fn end_recording(inner: &mut Inner, _: EndRecording) -> Result<Recording, DeviceError> {
    capturing(&inner.world)?;
    let Some((since, limit_s)) = inner.world.recording.take() else {
        return Err(error::<EndRecording>(Fault::NotFound, "nothing is being recorded"));
    };
    let duration_ms = u32::try_from(inner.world.now - since).unwrap_or(0).min(limit_s * 1000);
    Ok(Recording { path: "recordings/1.mp4".to_owned(), duration_ms, bytes: u64::from(duration_ms) * 250 })
}

pub(super) fn revoke(inner: &mut Inner, _: RevokeProjection) -> Result<Done, DeviceError> {
    inner.world.capturing = None;
    inner.world.recording = None;
    Ok(Done {})
}
