// SPDX-License-Identifier: Apache-2.0
//! The system's settings.

use super::settings_apps as apps;
use crate::phone::dialog::choice;
use crate::phone::effect::Effect;
use crate::phone::packages;
use crate::phone::view::{View, bar, button, column, entry, password, row, scroll, slider, switch, text, title, top};
use crate::phone::world::World;
use bailey_ports::device::{SettingsScreen, VolumeStream};
use std::collections::BTreeMap;

/// A page of the settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Page {
    Screen(SettingsScreen),
    Apps,
    App(String),
    Permissions(String),
    Permission(String, String),
    Reset,
}

/// The settings, and the page that is shown.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) wifi: bool,
    pub(crate) network: String,
    pub(crate) mobile_data: bool,
    pub(crate) bluetooth: bool,
    pub(crate) location: bool,
    pub(crate) dark: bool,
    pub(crate) torch: bool,
    pub(crate) disturb: bool,
    pub(crate) brightness: u8,
    pub(crate) automatic: bool,
    pub(crate) volumes: BTreeMap<&'static str, u8>,
    /// The pages that were opened; the top page when there are none.
    pub(crate) pages: Vec<Page>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            wifi: true,
            network: "Home".to_owned(),
            mobile_data: true,
            bluetooth: false,
            location: true,
            dark: false,
            torch: false,
            disturb: false,
            brightness: 60,
            automatic: true,
            volumes: [("media", 40), ("ring", 70), ("alarm", 80), ("notification", 70), ("call", 50)].into(),
            pages: Vec::new(),
        }
    }
}

impl Settings {
    /// The switch of that name.
    pub(crate) fn switch_mut(&mut self, name: &str) -> Option<&mut bool> {
        match name {
            "wifi" => Some(&mut self.wifi),
            "mobile_data" => Some(&mut self.mobile_data),
            "bluetooth" => Some(&mut self.bluetooth),
            "location" => Some(&mut self.location),
            "dark_theme" => Some(&mut self.dark),
            "torch" => Some(&mut self.torch),
            _ => None,
        }
    }
}

/// The name of a volume.
pub(crate) fn stream_name(stream: VolumeStream) -> &'static str {
    match stream {
        VolumeStream::Media => "media",
        VolumeStream::Ring => "ring",
        VolumeStream::Alarm => "alarm",
        VolumeStream::Notification => "notification",
        VolumeStream::Call => "call",
    }
}

fn on(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}

impl World {
    pub(crate) fn set_wifi(&mut self, value: bool) {
        self.settings.wifi = value;
        self.set("wifi", on(value));
    }
    pub(crate) fn set_bluetooth(&mut self, value: bool) {
        self.settings.bluetooth = value;
        self.set("bluetooth", on(value));
    }
    pub(crate) fn set_location(&mut self, value: bool) {
        self.settings.location = value;
        self.set("location", on(value));
    }
    pub(crate) fn set_dark(&mut self, value: bool) {
        self.settings.dark = value;
        self.set("dark_theme", on(value));
    }
    pub(crate) fn set_torch(&mut self, value: bool) {
        self.settings.torch = value;
        self.set("torch", on(value));
    }
    pub(crate) fn set_brightness(&mut self, percent: u8) {
        self.settings.brightness = percent.min(100);
        self.settings.automatic = false;
        self.set("brightness", percent.min(100));
    }
    pub(crate) fn set_automatic(&mut self, value: bool) {
        self.settings.automatic = value;
        self.set("brightness_automatic", on(value));
    }
    /// The device has fifteen steps.
    pub(crate) fn set_volume(&mut self, stream: &'static str, percent: u8) -> u8 {
        let step = (u32::from(percent) * 15 + 50) / 100;
        let percent = u8::try_from(step * 100 / 15).unwrap_or(100);
        self.settings.volumes.insert(stream, percent);
        self.set(&format!("volume_{stream}"), percent);
        percent
    }
    pub(crate) fn page(&mut self, page: Page) {
        self.settings.pages.push(page);
        self.turn();
    }
}

pub(crate) fn draw(w: &World) -> View {
    let page = w.settings.pages.last().cloned().unwrap_or(Page::Screen(SettingsScreen::Main));
    match page {
        Page::Screen(SettingsScreen::Main) => main_page(),
        Page::Screen(screen) => screen_page(w, screen),
        Page::Apps => apps::list_page(w),
        Page::App(package) => apps::app_page(w, &package),
        Page::Permissions(package) => apps::permissions_page(w, &package),
        Page::Permission(package, permission) => apps::permission_page(w, &package, &permission),
        Page::Reset => reset_page(),
    }
}

fn link(says: &str, below: &str, page: Page) -> View {
    entry(says, says, below).tap(move |w| w.page(page.clone()))
}

fn main_page() -> View {
    let screen = |says, below, screen| link(says, below, Page::Screen(screen));
    column([
        top("Settings", []),
        scroll(
            "recycler_view",
            [
                screen("Wi-Fi", "Networks", SettingsScreen::Wifi),
                screen("Bluetooth", "Devices", SettingsScreen::Bluetooth),
                screen("Mobile network", "SIM, data", SettingsScreen::Mobile),
                link("Apps", "Default apps, permissions", Page::Apps),
                screen("Battery", "80%", SettingsScreen::Battery),
                screen("Storage", "69% used", SettingsScreen::Storage),
                screen("Sound", "Volume, do not disturb", SettingsScreen::Sound),
                screen("Display", "Dark theme, brightness", SettingsScreen::Display),
                screen("Location", "", SettingsScreen::Location),
                screen("Accessibility", "", SettingsScreen::Accessibility),
                screen("Languages", "English", SettingsScreen::Language),
                screen("Date & time", "", SettingsScreen::DateTime),
                link("Reset options", "Erase all data", Page::Reset),
            ],
        ),
    ])
}

fn screen_page(w: &World, screen: SettingsScreen) -> View {
    let s = &w.settings;
    let (says, rows) = match screen {
        SettingsScreen::Wifi => ("Wi-Fi", wifi(w)),
        SettingsScreen::Bluetooth => (
            "Bluetooth",
            vec![
                switch("use_bluetooth", "Use Bluetooth", s.bluetooth, |w| w.set_bluetooth(!w.settings.bluetooth)),
                entry("headphones", "Headphones", "Paired"),
            ],
        ),
        SettingsScreen::Mobile => (
            "Mobile network",
            vec![switch("mobile_data", "Mobile data", s.mobile_data, |w| {
                w.settings.mobile_data = !w.settings.mobile_data;
                w.set("mobile_data", on(w.settings.mobile_data));
            })],
        ),
        SettingsScreen::Display => (
            "Display",
            vec![
                text("Brightness level").high(90),
                slider("brightness", "Brightness", s.brightness, |w, steps| {
                    w.set_brightness(moved(w.settings.brightness, steps));
                }),
                switch("automatic", "Adaptive brightness", s.automatic, |w| w.set_automatic(!w.settings.automatic)),
                switch("dark", "Dark theme", s.dark, |w| w.set_dark(!w.settings.dark)),
            ],
        ),
        SettingsScreen::Sound => ("Sound", sound(w)),
        SettingsScreen::Location => (
            "Location",
            vec![switch("use_location", "Use location", s.location, |w| w.set_location(!w.settings.location))],
        ),
        SettingsScreen::Accessibility => ("Accessibility", granting(w, "accessibility", "Use Bailey's screen control")),
        SettingsScreen::NotificationAccess => {
            ("Notification access", granting(w, "notification_access", "Allow notification access"))
        }
        SettingsScreen::UsageAccess => ("Usage access", granting(w, "usage", "Permit usage access")),
        SettingsScreen::WriteSettings => {
            ("Modify system settings", granting(w, "write_settings", "Allow modifying system settings"))
        }
        SettingsScreen::Storage => ("Storage", vec![entry("used", "88 GB used of 128 GB", "")]),
        SettingsScreen::Battery => ("Battery", vec![entry("charge", "80%", "About 1 day left")]),
        SettingsScreen::DateTime => ("Date & time", vec![entry("zone", "Time zone", "Europe/Berlin")]),
        SettingsScreen::Language => ("Languages", vec![entry("language", "English", "")]),
        SettingsScreen::Developer => ("Developer options", vec![entry("debugging", "USB debugging", "Off")]),
        SettingsScreen::Main | SettingsScreen::App | SettingsScreen::AppNotifications => ("Settings", Vec::new()),
    };
    column([bar(says, []), scroll("recycler_view", rows)])
}

fn wifi(w: &World) -> Vec<View> {
    let mut rows = vec![switch("use_wifi", "Use Wi-Fi", w.settings.wifi, |w| w.set_wifi(!w.settings.wifi))];
    if w.settings.wifi {
        rows.extend(["Home", "Guest", "Neighbour"].map(|name| {
            let below = match name {
                _ if w.settings.network == name => "Connected",
                "Guest" => "Open",
                _ => "Secured",
            };
            entry(name, name, below).tap(move |w| match name {
                "Neighbour" => ask_password(w, name),
                _ => connect(w, name),
            })
        }));
    }
    rows
}

fn connect(w: &mut World, name: &str) {
    name.clone_into(&mut w.settings.network);
    w.set("wifi_network", name);
}

fn ask_password(w: &mut World, name: &'static str) {
    let number = w.next + 1;
    w.show(packages::SETTINGS, name, move |_| {
        column([
            title(name),
            password("password", "Password", |_, _| {}),
            row([
                button("cancel", "Cancel").tap(move |w| w.close(number)),
                button("connect", "Connect").tap(move |w| {
                    w.close(number);
                    connect(w, name);
                }),
            ]),
        ])
    });
}

fn sound(w: &World) -> Vec<View> {
    let mut rows = Vec::new();
    for (name, says) in [("media", "Media volume"), ("ring", "Ring volume"), ("alarm", "Alarm volume")] {
        let now = w.settings.volumes.get(name).copied().unwrap_or(0);
        rows.push(text(says).key(says));
        rows.push(slider(name, says, now, move |w, steps| {
            w.set_volume(name, moved(w.settings.volumes.get(name).copied().unwrap_or(0), steps));
        }));
    }
    rows.push(switch("disturb", "Do not disturb", w.settings.disturb, |w| {
        w.settings.disturb = !w.settings.disturb;
        w.set("do_not_disturb", on(w.settings.disturb));
    }));
    rows
}

/// A slider, moved by steps of a tenth.
fn moved(now: u8, steps: i32) -> u8 {
    u8::try_from((i32::from(now) + steps * 10).clamp(0, 100)).unwrap_or(0)
}

fn granting(w: &World, permission: &'static str, says: &str) -> Vec<View> {
    vec![switch(permission, says, w.granted.contains(permission), move |w| {
        let allow = !w.granted.contains(permission);
        w.decide_permission(packages::BAILEY, permission, allow);
    })]
}

fn reset_page() -> View {
    let erase = entry("erase", "Erase all data (factory reset)", "").tap(|w| {
        w.ask(
            packages::SETTINGS,
            "Erase all data?",
            "All your personal information will be deleted.",
            vec![
                choice("cancel", "Cancel", |_| {}),
                choice("erase_button", "Erase", |w| {
                    w.happened(Effect::Deleted { kind: "everything".to_owned(), name: String::new() });
                }),
            ],
        );
    });
    column([bar("Reset options", []), scroll("recycler_view", [erase])])
}
