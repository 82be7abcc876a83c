// SPDX-License-Identifier: Apache-2.0
use super::{Answer, error};
use crate::phone::effect::Effect;
use crate::phone::inner::Inner;
use crate::phone::packages::{BAILEY, PERMISSIONS_UI};
use crate::phone::world::{Consent, World};
use bailey_ports::device::{
    AskShizuku, Channel, ChannelState, DeviceError, Execute, Executed, Fault, ManageApp, ManageAppAction, Managed,
};

const CHANNEL: Channel = Channel::Shizuku;

fn decide(world: &mut World, yes: bool) -> Result<ChannelState, DeviceError> {
    if !yes {
        return Err(error::<AskShizuku>(Fault::Declined, ""));
    }
    world.set_channel(CHANNEL, None);
    world.happened(Effect::PermissionGranted { package: BAILEY.to_owned(), permission: "shizuku".to_owned() });
    Ok(world.state(CHANNEL))
}

pub(super) fn ask(inner: &mut Inner, _: AskShizuku) -> Result<Answer<ChannelState>, DeviceError> {
    let world = &mut inner.world;
    match world.state(CHANNEL).fault {
        None => return Ok(world.state(CHANNEL).into()),
        Some(Fault::NotGranted) => {}
        Some(other) => return Err(error::<AskShizuku>(other, "")),
    }
    match world.consent {
        Consent::Grants => Ok(world.as_person(|w| decide(w, true))?.into()),
        Consent::Declines => Ok(decide(world, false)?.into()),
        Consent::Waits => {
            let (yes, no) = (("permission_allow_button", "Allow all the time"), ("permission_deny_button", "Deny"));
            let number = world.ask_consent(PERMISSIONS_UI, "Allow Bailey to access Shizuku?", "", yes, no);
            Ok(Answer::Waits(number, decide))
        }
    }
}

/// The first and the last half of a text that is too long.
fn cap(text: &str, max: usize) -> (String, bool) {
    if text.len() <= max {
        return (text.to_owned(), false);
    }
    let (bytes, half) = (text.as_bytes(), max / 2);
    let kept = [&bytes[..half], &bytes[bytes.len() - half..]].concat();
    (String::from_utf8_lossy(&kept).into_owned(), true)
}

pub(super) fn execute(inner: &mut Inner, request: Execute) -> Result<Executed, DeviceError> {
    if request.command.trim().is_empty() || request.timeout_ms == 0 || request.max_bytes == 0 {
        return Err(error::<Execute>(Fault::Invalid, "no command, no time or no room"));
    }
    let world = &mut inner.world;
    world.reach(CHANNEL)?;
    world.happened(Effect::Executed { command: request.command.clone() });
    let seconds: Option<u32> = request.command.strip_prefix("sleep ").and_then(|s| s.trim().parse().ok());
    if let Some(seconds) = seconds {
        let ms = seconds.saturating_mul(1000);
        world.now += i64::from(ms.min(request.timeout_ms));
        let timed_out = ms > request.timeout_ms;
        return Ok(Executed { code: if timed_out { None } else { Some(0) }, timed_out, ..Executed::default() });
    }
    let max = usize::try_from(request.max_bytes).unwrap_or(usize::MAX);
    let Some((code, stdout)) = world.shell.get(&request.command) else {
        let name = request.command.split_whitespace().next().unwrap_or_default();
        let stderr = format!("/system/bin/sh: {name}: inaccessible or not found\n");
        return Ok(Executed { code: Some(127), stderr, ..Executed::default() });
    };
    let (stdout, cut) = cap(stdout, max);
    Ok(Executed { code: Some(*code), stdout, cut, ..Executed::default() })
}

pub(super) fn manage(inner: &mut Inner, request: ManageApp) -> Result<Managed, DeviceError> {
    let world = &mut inner.world;
    world.reach(CHANNEL)?;
    if world.app(&request.package).is_none() {
        return Err(error::<ManageApp>(Fault::NotFound, ""));
    }
    if request.package == BAILEY {
        return Err(error::<ManageApp>(Fault::Refused, ""));
    }
    let mut said = "Success";
    match request.action {
        ManageAppAction::Stop => {
            world.stop(&request.package);
            said = "";
        }
        ManageAppAction::Clear => world.happened(Effect::Cleared { package: request.package }),
        ManageAppAction::Disable => world.enable(&request.package, false),
        ManageAppAction::Enable => world.enable(&request.package, true),
        ManageAppAction::Uninstall => world.uninstall(&request.package),
    }
    Ok(Managed { said: said.to_owned() })
}
