// SPDX-License-Identifier: Apache-2.0
//! The simulated phone: what is touched happens, and nothing else does.

mod apps;
mod faults;
mod screen;

use bailey_ports::device::{
    DeviceError, DeviceExt, Fault, GlobalKey, OpenApp, OpenSettings, PressKey, Screen, SettingsScreen,
};
use bailey_testkit::phone::{Effect, Phone, find};

pub(crate) async fn opened(package: &str) -> Phone {
    let phone = Phone::default();
    phone.ask(OpenApp { package: package.into() }).await.unwrap();
    phone
}

pub(crate) async fn settings(screen: SettingsScreen) -> Phone {
    let phone = Phone::default();
    phone.ask(OpenSettings { screen, package: None }).await.unwrap();
    phone
}

pub(crate) fn fault<T: std::fmt::Debug>(answer: Result<T, DeviceError>) -> Fault {
    answer.unwrap_err().fault
}

pub(crate) fn shows(screen: &Screen, text: &str) -> bool {
    find(screen, text).is_some()
}

/// What Bailey did, without what was only opened.
pub(crate) fn done(phone: &Phone) -> Vec<Effect> {
    phone.effects().into_iter().filter(|e| !matches!(e, Effect::Opened { .. })).collect()
}

pub(crate) async fn key(phone: &Phone, key: GlobalKey) {
    phone.ask(PressKey { key }).await.unwrap();
}
