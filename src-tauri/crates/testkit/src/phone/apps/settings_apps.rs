// SPDX-License-Identifier: Apache-2.0
//! The pages of the settings about apps.

use super::settings::Page;
use crate::phone::dialog::choice;
use crate::phone::effect::Effect;
use crate::phone::packages;
use crate::phone::view::{View, bar, button, column, entry, list, radio, row, scroll, text};
use crate::phone::world::World;

pub(crate) fn list_page(w: &World) -> View {
    let rows = w.apps.iter().map(|app| {
        let package = app.package.clone();
        let below = if app.enabled { "" } else { "Disabled" };
        entry(&app.package, &app.name, below).tap(move |w| w.page(Page::App(package.clone())))
    });
    column([bar("Apps", []), list("recycler_view", rows)])
}

pub(crate) fn app_page(w: &World, package: &str) -> View {
    let Some(app) = w.app(package) else { return column([bar("App info", []), text("The app is not installed")]) };
    let of = || package.to_owned();
    let (open, uninstall, stop, clear, permissions, switched) = (of(), of(), of(), of(), of(), of());
    let remove = if app.system {
        let on = app.enabled;
        button("button2", if on { "Disable" } else { "Enable" }).tap(move |w| w.enable(&switched, !on))
    } else {
        button("button2", "Uninstall").tap(move |w| ask_uninstall(w, &uninstall))
    };
    let force =
        button("button3", "Force stop").disabled(!w.tasks.contains(&app.package)).tap(move |w| ask_stop(w, &stop));
    column([
        bar("App info", []),
        text(&app.name).id("entity_header_title").high(120),
        row([button("button1", "Open").tap(move |w| w.go(&open)), remove, force]),
        scroll(
            "recycler_view",
            [
                entry("permissions", "Permissions", &list_of(w, package))
                    .tap(move |w| w.page(Page::Permissions(permissions.clone()))),
                entry("clear", "Clear storage", "").tap(move |w| ask_clear(w, &clear)),
                entry("version", "Version", &app.version),
            ],
        ),
    ])
}

fn list_of(w: &World, package: &str) -> String {
    let granted: Vec<&str> = w.app(package).iter().flat_map(|a| a.permissions.iter().map(String::as_str)).collect();
    if granted.is_empty() { "No permissions granted".to_owned() } else { granted.join(", ") }
}

impl World {
    pub(crate) fn enable(&mut self, package: &str, on: bool) {
        if let Some(app) = self.app_mut(package) {
            app.enabled = on;
        }
        self.happened(Effect::Enabled { package: package.to_owned(), on });
    }
}

fn ask_uninstall(w: &mut World, package: &str) {
    let (name, package) = (w.app_name(package), package.to_owned());
    w.ask(
        packages::INSTALLER,
        &name,
        "Do you want to uninstall this app?",
        vec![
            choice("button2", "Cancel", |_| {}),
            choice("button1", "OK", move |w| {
                w.uninstall(&package);
                w.settings.pages.retain(|page| *page != Page::App(package.clone()));
            }),
        ],
    );
}

fn ask_stop(w: &mut World, package: &str) {
    let package = package.to_owned();
    w.ask(
        packages::SETTINGS,
        "Force stop?",
        "If you force stop an app, it may misbehave.",
        vec![choice("button2", "Cancel", |_| {}), choice("button1", "OK", move |w| w.stop(&package))],
    );
}

fn ask_clear(w: &mut World, package: &str) {
    let package = package.to_owned();
    w.ask(
        packages::SETTINGS,
        "Delete app data?",
        "All of this app's data will be deleted permanently.",
        vec![
            choice("button2", "Cancel", |_| {}),
            choice("button1", "Delete", move |w| w.happened(Effect::Cleared { package: package.clone() })),
        ],
    );
}

pub(crate) fn permissions_page(w: &World, package: &str) -> View {
    let rows = ["calendar", "camera", "contacts", "location", "notifications"].map(|permission| {
        let granted = w.app(package).is_some_and(|app| app.permissions.contains(permission));
        let page = Page::Permission(package.to_owned(), permission.to_owned());
        entry(permission, permission, if granted { "Allowed" } else { "Not allowed" })
            .tap(move |w| w.page(page.clone()))
    });
    column([bar(format!("{} permissions", w.app_name(package)), []), scroll("recycler_view", rows)])
}

pub(crate) fn permission_page(w: &World, package: &str, permission: &str) -> View {
    let granted = w.app(package).is_some_and(|app| app.permissions.contains(permission));
    let of = |allow: bool| {
        let (package, permission) = (package.to_owned(), permission.to_owned());
        move |w: &mut World| w.decide_permission(&package, &permission, allow)
    };
    column([
        bar(format!("{permission} permission"), []),
        text(w.app_name(package)).id("entity_header_title"),
        radio("allow_radio_button", "Allow only while using the app", granted, of(true)),
        radio("deny_radio_button", "Don't allow", !granted, of(false)),
    ])
}
