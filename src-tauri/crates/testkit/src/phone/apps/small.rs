// SPDX-License-Identifier: Apache-2.0
//! Apps of one page: the home screen, the dialler, the map, the chooser.

use super::mail::Draft;
use crate::phone::packages::{LAUNCHER, MAIL, MESSENGER, SETTINGS};
use crate::phone::view::{View, button, column, entry, field, icon, list, row, text, title, top};
use crate::phone::world::World;

pub(crate) fn launcher(w: &World) -> View {
    let apps: Vec<_> = w.apps.iter().filter(|app| app.package != LAUNCHER && app.enabled).collect();
    let rows = apps.chunks(4).enumerate().map(|(at, apps)| {
        row(apps.iter().map(|app| {
            let (open, info) = (app.package.clone(), app.package.clone());
            text(&app.name)
                .key(&app.package)
                .id("icon")
                .description(&app.name)
                .high(260)
                .tap(move |w| w.go(&open))
                .long(move |w| {
                    w.go(SETTINGS);
                    w.page(super::settings::Page::App(info.clone()));
                })
        }))
        .key(format!("row{at}"))
    });
    column(rows).id("workspace")
}

pub(crate) fn dialler(w: &World) -> View {
    let digits = field("digits", &w.dialled, "Number", |w, typed| {
        w.dialled = typed.chars().filter(|c| c.is_ascii_digit() || "+ *#".contains(*c)).collect();
    });
    let pad = ["123", "456", "789", "*0#"].map(|line| {
        row(line.chars().map(|c| button("key", c.to_string()).key(c.to_string()).tap(move |w| w.dialled.push(c))))
            .key(line)
    });
    column([top("Phone", []), digits]).children(pad).children([row([
        icon("dialpad_floating_action_button", "dial").tap(|w| {
            let number = w.dialled.clone();
            w.call(&number);
        }),
        icon("deleteButton", "backspace").tap(|w| {
            w.dialled.pop();
        }),
    ])
    .key("lower")])
}

pub(crate) fn maps(w: &World) -> View {
    let shown: &str = if w.map.is_empty() { "Search here" } else { &w.map };
    column([
        top("Maps", []),
        text(shown).id("place"),
        View::of("android.view.View").id("map").description("Map").high(900),
    ])
}

pub(crate) fn chooser(w: &World) -> View {
    let rows = [(MESSENGER, "Messenger"), (MAIL, "Mail")].map(|(package, name)| {
        entry(package, name, "").tap(move |w| {
            let shared = std::mem::take(&mut w.shared);
            w.go(package);
            if package == MAIL {
                w.mail.draft = Some(Draft { body: shared, ..Draft::default() });
            } else {
                w.messenger.open = None;
                w.messenger.picking = true;
                w.messenger.sharing = Some(shared);
            }
        })
    });
    let copy = button("chooser_copy_button", "Copy").tap(|w| {
        let shared = w.shared.clone();
        w.copy(&shared);
    });
    column([title("Share"), text(&w.shared).id("content_preview_text"), copy, list("resolver_list", rows)])
}
