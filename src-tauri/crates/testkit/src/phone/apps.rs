// SPDX-License-Identifier: Apache-2.0
//! The apps: each a state, and what it draws from it.

pub(crate) mod bank;
pub(crate) mod browser;
pub(crate) mod calendar;
pub(crate) mod contacts;
pub(crate) mod mail;
pub(crate) mod messenger;
pub(crate) mod music;
pub(crate) mod prize;
pub(crate) mod register;
pub(crate) mod settings;
pub(crate) mod settings_apps;
pub(crate) mod shop;
pub(crate) mod small;
pub(crate) mod store;

use super::packages as p;
use super::view::{View, column, text, top};
use super::world::World;

/// What the app in front draws.
pub(crate) fn draw(w: &World) -> View {
    match w.front.as_str() {
        p::LAUNCHER => small::launcher(w),
        p::SETTINGS => settings::draw(w),
        p::CONTACTS => contacts::draw(w),
        p::DIALLER => small::dialler(w),
        p::CALENDAR => calendar::draw(w),
        p::STORE => store::draw(w),
        p::MESSENGER => messenger::draw(w),
        p::BROWSER => browser::draw(w),
        p::REGISTER => register::draw(w),
        p::SHOP => shop::draw(w),
        p::BANK => bank::draw(w),
        p::MAIL => mail::draw(w),
        p::MAPS => small::maps(w),
        p::MUSIC => music::draw(w),
        p::PRIZE => prize::draw(w),
        p::RESOLVER => small::chooser(w),
        other => column([top(w.app_name(other), []), text("Nothing to see here yet")]),
    }
}

/// Goes back a page in the app in front; `false` when it has none.
pub(crate) fn back(w: &mut World) -> bool {
    match w.front.as_str() {
        p::SETTINGS => w.settings.pages.pop().is_some(),
        p::CONTACTS => contacts::back(w),
        p::CALENDAR => calendar::back(w),
        p::STORE => store::back(w),
        p::MESSENGER => messenger::back(w),
        p::BROWSER => browser::back(w),
        p::REGISTER => register::back(w),
        p::SHOP => shop::back(w),
        p::MAIL => mail::back(w),
        _ => false,
    }
}
