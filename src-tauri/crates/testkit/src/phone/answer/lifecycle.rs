// SPDX-License-Identifier: Apache-2.0
use crate::phone::effect::Effect;
use crate::phone::inner::Inner;
use bailey_ports::device::{
    AlarmSet, Arrivals, CancelAlarm, Channel, DeviceError, Done, EndRun, PostAsk, PostNotice, SetAlarm, SetSecure,
    ShowRun, TakeArrivals, WithdrawAsk,
};

const CHANNEL: Channel = Channel::Lifecycle;

fn post(inner: &mut Inner, key: String, title: String, tag: String) -> Result<Done, DeviceError> {
    inner.world.permitted(CHANNEL, "notifications")?;
    inner.world.posted.insert(key, title);
    inner.world.happened(Effect::Posted { tag });
    Ok(Done {})
}

/// The service runs also where its notification may not be shown.
pub(super) fn show_run(inner: &mut Inner, request: ShowRun) -> Result<Done, DeviceError> {
    inner.world.reach(CHANNEL)?;
    inner.world.posted.insert("run".to_owned(), request.title);
    Ok(Done {})
}

pub(super) fn end_run(inner: &mut Inner, _: EndRun) -> Result<Done, DeviceError> {
    inner.world.posted.remove("run");
    Ok(Done {})
}

pub(super) fn post_ask(inner: &mut Inner, request: PostAsk) -> Result<Done, DeviceError> {
    post(inner, format!("ask/{}", request.ask), request.title, request.ask)
}

pub(super) fn withdraw_ask(inner: &mut Inner, request: WithdrawAsk) -> Result<Done, DeviceError> {
    if inner.world.posted.remove(&format!("ask/{}", request.ask)).is_some() {
        inner.world.happened(Effect::Withdrawn { tag: request.ask });
    }
    Ok(Done {})
}

pub(super) fn post_notice(inner: &mut Inner, request: PostNotice) -> Result<Done, DeviceError> {
    post(inner, format!("notice/{}", request.tag), request.title, request.tag)
}

pub(super) fn set_alarm(inner: &mut Inner, request: SetAlarm) -> Result<AlarmSet, DeviceError> {
    inner.world.reach(CHANNEL)?;
    inner.world.alarms.insert(request.id.clone(), request.at);
    inner.world.happened(Effect::AlarmSet { id: request.id, at: request.at });
    Ok(AlarmSet { exact: request.exact })
}

pub(super) fn cancel_alarm(inner: &mut Inner, request: CancelAlarm) -> Result<Done, DeviceError> {
    if inner.world.alarms.remove(&request.id).is_some() {
        inner.world.happened(Effect::AlarmCancelled { id: request.id });
    }
    Ok(Done {})
}

pub(super) fn set_secure(inner: &mut Inner, request: SetSecure) -> Result<Done, DeviceError> {
    inner.world.secure = request.on;
    Ok(Done {})
}

pub(super) fn arrivals(inner: &mut Inner, _: TakeArrivals) -> Result<Arrivals, DeviceError> {
    Ok(Arrivals { arrivals: std::mem::take(&mut inner.world.arrivals) })
}
