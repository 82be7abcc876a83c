// SPDX-License-Identifier: Apache-2.0
//! What lies over the apps: notifications, quick settings, and the apps that were open.

use super::packages;
use super::view::{View, button, column, entry, field, list, row, text, title};
use super::world::World;
use bailey_ports::device::Notification;

impl World {
    pub(crate) fn notification_shade(&self) -> View {
        let rows = self.notifications.iter().map(|n| self.notification_row(n));
        column([
            title("Notifications"),
            list("notification_stack_scroller", rows),
            button("clear_all", "Clear all").tap(|w| w.notifications.retain(|n| n.ongoing)),
        ])
    }

    fn notification_row(&self, n: &Notification) -> View {
        let (key, package) = (n.key.clone(), n.package.clone());
        let mut view = entry(&n.key, &n.title, &n.text).high(if n.actions.is_empty() { 230 } else { 360 });
        view.children.insert(0, text(&n.app).id("app_name_text").high(60));
        if self.replying.as_ref().is_some_and(|(replying, _)| *replying == n.key) {
            let draft = self.replying.as_ref().map_or("", |(_, draft)| draft);
            let typed = field("remote_input_text", draft, "Reply", |w, text| {
                if let Some((_, draft)) = &mut w.replying {
                    text.clone_into(draft);
                }
            });
            view.children.push(row([
                typed.submit(World::send_reply),
                button("remote_input_send", "Send").tap(World::send_reply),
            ]));
        } else if !n.actions.is_empty() {
            view.children.push(
                row(n.actions.iter().map(|action| {
                    let (key, takes_text) = (n.key.clone(), action.takes_text);
                    button("action0", &action.title).key(&action.title).tap(move |w| {
                        if takes_text {
                            w.replying = Some((key.clone(), String::new()));
                        } else {
                            w.notifications.retain(|n| n.key != key);
                        }
                    })
                }))
                .key("actions"),
            );
        }
        view.tap(move |w| w.tap_notification(&key, &package))
    }

    fn send_reply(&mut self) {
        let Some((key, draft)) = self.replying.take() else { return };
        self.unfocus();
        self.notifications.retain(|n| n.key != key);
        if let Some(chat) = chat_of(&key) {
            self.send_message(chat, &draft);
        }
    }

    fn tap_notification(&mut self, key: &str, package: &str) {
        self.notifications.retain(|n| n.key != key || n.ongoing);
        self.go(package);
        if let (packages::MESSENGER, Some(chat)) = (package, chat_of(key)) {
            self.open_chat(chat);
        }
    }

    pub(crate) fn quick_settings(&self) -> View {
        let s = &self.settings;
        let tile = |key: &str, says: &str, on: bool| {
            let mut tile = View::of("android.widget.Switch").key(key).description(says).high(170);
            tile.node.checkable = true;
            tile.node.checked = on;
            tile.node.state = if on { "On" } else { "Off" }.to_owned();
            tile
        };
        column([
            title("Quick settings"),
            row([
                tile("wifi", "Wi-Fi", s.wifi).tap(|w| w.set_wifi(!w.settings.wifi)),
                tile("bluetooth", "Bluetooth", s.bluetooth).tap(|w| w.set_bluetooth(!w.settings.bluetooth)),
            ])
            .key("row1"),
            row([
                tile("torch", "Flashlight", s.torch).tap(|w| w.set_torch(!w.settings.torch)),
                tile("location", "Location", s.location).tap(|w| w.set_location(!w.settings.location)),
            ])
            .key("row2"),
            row([tile("dark", "Dark theme", s.dark).tap(|w| w.set_dark(!w.settings.dark))]).key("row3"),
        ])
    }

    pub(crate) fn recents(&self) -> View {
        let cards = self.tasks.iter().rev().map(|task| {
            let package = task.clone();
            let card = View::of("android.widget.FrameLayout").key(task).id("task").high(300);
            card.description(self.app_name(task)).tap(move |w| w.go(&package))
        });
        let clear = button("clear_all", "Clear all").tap(|w| {
            w.tasks.clear();
            w.home();
        });
        column([list("overview_panel", cards), clear])
    }
}

/// The chat that a notification of the messenger is about.
fn chat_of(key: &str) -> Option<&str> {
    key.strip_prefix("0|org.example.messenger|")
}
