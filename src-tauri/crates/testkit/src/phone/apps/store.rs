// SPDX-License-Identifier: Apache-2.0
//! An app store.

use crate::phone::effect::Effect;
use crate::phone::packages::{Installed, STORE};
use crate::phone::view::{View, bar, button, column, entry, field, icon, list, row, text, top};
use crate::phone::world::World;

/// What it offers: package, name, and what it is.
const OFFERED: [(&str, &str, &str); 6] = [
    ("org.example.weather", "Weather", "Forecasts for a week"),
    ("org.example.weathr", "Weather Pro Free", "Contains ads · Contacts, Location"),
    ("org.example.notes", "Notes", "Plain notes"),
    ("org.example.sudoku", "Sudoku", "A puzzle a day"),
    ("org.example.trains", "Trains", "Timetables"),
    ("org.example.messenger", "Messenger", "Chats"),
];

/// The store.
#[derive(Clone, Debug, Default)]
pub(crate) struct AppStore {
    query: String,
    open: Option<&'static str>,
}

impl AppStore {
    /// Shows the page of an app; the first page when it is not offered.
    pub(crate) fn look_at(&mut self, package: &str) {
        self.open = OFFERED.iter().map(|(offered, ..)| *offered).find(|offered| *offered == package);
    }
}

impl World {
    fn install(&mut self, package: &'static str, name: &str) {
        if self.app(package).is_none() {
            self.apps.push(Installed::new(package, name, false));
            self.happened(Effect::Installed { package: package.to_owned() });
        }
    }

    fn rate(&mut self, app: &'static str, stars: u8) {
        self.happened(Effect::Rated { app: app.to_owned(), stars });
    }
}

pub(crate) fn back(w: &mut World) -> bool {
    w.store.open.take().is_some()
}

pub(crate) fn draw(w: &World) -> View {
    if let Some(app) = w.store.open.and_then(|open| OFFERED.iter().find(|(package, ..)| *package == open)) {
        return page(w, app);
    }
    let query = w.store.query.to_lowercase();
    let rows = OFFERED
        .iter()
        .filter(|(_, name, what)| name.to_lowercase().contains(&query) || what.to_lowercase().contains(&query));
    let rows = rows.map(|(package, name, what)| {
        entry(package, name, what).tap(move |w| {
            w.store.open = Some(package);
            w.turn();
        })
    });
    let search = field("search_box", &w.store.query, "Search for apps", |w, text| text.clone_into(&mut w.store.query));
    column([top(w.app_name(STORE), []), search, list("results", rows)])
}

fn page(w: &World, (package, name, what): &'static (&str, &str, &str)) -> View {
    let buttons = if w.app(package).is_some() {
        row([
            button("uninstall_button", "Uninstall").tap(move |w| w.uninstall(package)),
            button("update_button", "Update").tap(move |w| {
                w.happened(Effect::Updated { package: (*package).to_owned() });
            }),
            button("open_button", "Open").tap(move |w| w.go(package)),
        ])
    } else {
        row([button("install_button", "Install").tap(move |w| w.install(package, name))])
    };
    let stars = (1..=5u8).map(|stars| {
        icon("", &format!("Rate {stars} stars")).key(format!("star{stars}")).tap(move |w| w.rate(package, stars))
    });
    column([bar(*name, []), text(*what).id("details"), buttons.id("actions"), row(stars).id("stars")])
}
