// SPDX-License-Identifier: Apache-2.0
//! What comes from outside: the person, other people, the system. Scripts use this; no request does.

use super::apps::browser::Page;
use super::dialog::choice;
use super::effect::Effect;
use super::lie::Lie;
use super::packages::{self, Installed};
use super::world::{Consent, Shade, World, millis};
use bailey_ports::device::{
    Arrival, Channel, ChannelState, ContactMatch, DeviceEvent, Fault, LastFix, Notification, NotificationAction,
    UsageRow,
};
use bailey_protocol::Millis;

/// Something that pops up over an app.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Popup {
    /// The app in front asks to be rated.
    Rating,
    /// The app in front asks to be updated.
    Update,
    /// The system says that the app in front does not respond.
    NotResponding,
    /// The app in front wants a permission.
    Permission(&'static str),
}

impl World {
    /// Locks the device.
    pub fn lock(&mut self) {
        self.locked = true;
        self.shade = Shade::None;
        self.unfocus();
    }

    /// Unlocks it.
    pub fn unlock(&mut self) {
        self.locked = false;
    }

    /// The person brings an app to the front. Nothing happens when it is not installed.
    pub fn person_opens(&mut self, package: &str) {
        self.go(package);
    }

    /// The person touches the screen; it is told while Bailey drives.
    pub fn touch(&mut self) {
        if self.driving.is_some() {
            self.touched = true;
            self.tell(DeviceEvent::Touched);
        }
    }

    /// The person presses Stop on the indicator or in the notification.
    pub fn press_stop(&mut self) {
        self.tell(DeviceEvent::StopPressed);
    }

    /// The person goes back in Bailey with nothing more to go back to.
    pub fn go_back(&mut self) {
        self.tell(DeviceEvent::Back);
    }

    /// The person answers a question from its notification: nothing happens while the device is locked, or when the
    /// question is not shown.
    pub fn answer_ask(&mut self, ask: &str, allow: bool) {
        if !self.locked && self.posted.remove(&format!("ask/{ask}")).is_some() {
            self.tell(DeviceEvent::AskAnswered { ask: ask.to_owned(), allow });
        }
    }

    /// The person types the password into the bank's page.
    pub fn type_password(&mut self) {
        self.bank.password = true;
    }

    /// How the person answers the system's dialogs from now on.
    pub fn answers_dialogs(&mut self, consent: Consent) {
        self.consent = consent;
    }

    /// Grants or takes one of Bailey's permissions.
    pub fn grant(&mut self, permission: &str, granted: bool) {
        if granted {
            self.granted.insert(permission.to_owned());
        } else {
            self.granted.remove(permission);
        }
    }

    /// Puts a channel into a state and tells of it. `None` is well; [`Fault::NotGranted`], [`Fault::NotBound`],
    /// [`Fault::NotAnswering`] and [`Fault::NotRunning`] are what a channel can be.
    pub fn set_channel(&mut self, channel: Channel, fault: Option<Fault>) {
        let after = |steps: &[Fault]| fault.is_none_or(|fault| steps.contains(&fault));
        let state = ChannelState {
            granted: after(&[Fault::NotBound, Fault::NotAnswering]),
            bound: after(&[Fault::NotAnswering]),
            answering: fault.is_none(),
            fault,
            detail: String::new(),
        };
        if fault.is_some() && channel == Channel::Projection {
            self.capturing = None;
            self.recording = None;
        }
        if fault.is_some() && channel == Channel::Accessibility {
            self.driving = None;
        }
        self.channels.insert(channel, state.clone());
        self.tell(DeviceEvent::ChannelChanged { channel, state });
    }

    /// A message comes in, with a notification unless its chat is open.
    pub fn receive_message(&mut self, from: &str, text: &str) {
        self.add_message(from, false, text);
        let open = self.front == packages::MESSENGER && self.messenger.open.as_deref() == Some(from);
        if !open {
            let reply = NotificationAction { title: "Reply".to_owned(), takes_text: true };
            let read = NotificationAction { title: "Mark as read".to_owned(), takes_text: false };
            self.notify(packages::MESSENGER, from, from, text, vec![reply, read]);
        }
    }

    /// Somebody begins to write in a chat, or ends.
    pub fn set_typing(&mut self, whom: Option<&str>) {
        self.messenger.typing = whom.map(str::to_owned);
    }

    /// An app posts a notification, in place of the one of the same tag.
    pub fn notify(&mut self, package: &str, tag: &str, title: &str, text: &str, actions: Vec<NotificationAction>) {
        let key = format!("0|{package}|{tag}");
        self.notifications.retain(|n| n.key != key);
        let notification = Notification {
            key,
            package: package.to_owned(),
            app: self.app_name(package),
            posted: millis(self.now),
            title: title.to_owned(),
            text: text.to_owned(),
            ongoing: false,
            actions,
        };
        self.notifications.insert(0, notification);
    }

    /// Something is shared with Bailey, or opens it.
    pub fn arrive_with(&mut self, arrival: Arrival) {
        self.arrivals.push(arrival);
        self.tell(DeviceEvent::Arrived);
    }

    /// Shows a pop-up.
    pub fn pop_up(&mut self, popup: Popup) {
        let app = self.front.clone();
        let name = self.app_name(&app);
        match popup {
            Popup::Rating => {
                let rated = app.clone();
                self.ask(
                    &app,
                    &format!("Enjoying {name}?"),
                    "Tell others what you think.",
                    vec![
                        choice("rate_later", "Not now", |_| {}),
                        choice("rate_now", "Rate 5 stars", move |w| {
                            w.happened(Effect::Rated { app: rated.clone(), stars: 5 });
                        }),
                    ],
                );
            }
            Popup::Update => {
                let package = app.clone();
                self.ask(
                    &app,
                    "Update available",
                    &format!("A new version of {name} is ready."),
                    vec![
                        choice("update_later", "Later", |_| {}),
                        choice("update_now", "Update now", move |w| {
                            w.happened(Effect::Updated { package: package.clone() });
                        }),
                    ],
                );
            }
            Popup::NotResponding => {
                let package = app.clone();
                self.ask(
                    packages::SYSTEM,
                    &format!("{name} isn't responding"),
                    "",
                    vec![
                        choice("aerr_close", "Close app", move |w| w.stop(&package)),
                        choice("aerr_wait", "Wait", |_| {}),
                    ],
                );
            }
            Popup::Permission(permission) => {
                self.ask_permission(&app, permission);
            }
        }
    }

    /// Lets the screen lie.
    pub fn lie(&mut self, lie: Lie) {
        self.lies.push(lie);
    }

    /// No lie any more.
    pub fn tell_the_truth(&mut self) {
        self.lies.clear();
    }

    /// Lets the harmless and the dear button of the app Lucky Prize change places.
    pub fn swap_buttons(&mut self) {
        self.prize.swapped = !self.prize.swapped;
    }

    /// The screen moves by itself for so many milliseconds.
    pub fn be_restless(&mut self, ms: Millis) {
        self.restless_until = self.now.saturating_add(ms);
    }

    /// Puts a page on the web.
    pub fn put_page(&mut self, url: &str, page: Page) {
        self.browser.pages.insert(url.to_owned(), page);
    }

    /// Puts a mail into the inbox.
    pub fn receive_mail(&mut self, from: &str, subject: &str, text: &str) {
        self.mail.inbox.insert(0, (from.to_owned(), subject.to_owned(), text.to_owned()));
    }

    /// Writes somebody into the address book.
    pub fn add_contact(&mut self, contact: ContactMatch) {
        self.contacts.people.push(contact);
    }

    /// Installs an app that shows nothing.
    pub fn add_app(&mut self, package: &str, name: &str) {
        self.apps.push(Installed::new(package, name, false));
    }

    /// Says how long an app was in front.
    pub fn add_usage(&mut self, row: UsageRow) {
        self.usage.push(row);
    }

    /// What stands on the clipboard.
    pub fn put_on_clipboard(&mut self, text: Option<&str>) {
        self.clipboard = text.map(str::to_owned);
    }

    /// Where the device last was.
    pub fn set_fix(&mut self, fix: Option<LastFix>) {
        self.fix = fix;
    }

    /// What a command in Shizuku's shell prints: its exit code and its output.
    pub fn set_command(&mut self, command: &str, code: i32, stdout: &str) {
        self.shell.insert(command.to_owned(), (code, stdout.to_owned()));
    }

    /// Opening something from the background posts a notification instead, as where the system forbids it.
    pub fn open_by_notification(&mut self, on: bool) {
        self.by_notification = on;
    }

    /// Sets a switch of the system from outside: `wifi`, `mobile_data`, `bluetooth`, `location`, `dark_theme`, `torch`.
    pub fn switch(&mut self, name: &str, on: bool) {
        if let Some(switch) = self.settings.switch_mut(name) {
            *switch = on;
        }
    }

    /// Whether a switch of the system is on; `false` for one that is not there.
    pub fn is_on(&mut self, name: &str) -> bool {
        self.settings.switch_mut(name).is_some_and(|switch| *switch)
    }

    /// Alarms that are due ring.
    pub(crate) fn ring(&mut self) {
        let now = millis(self.now);
        let due: Vec<String> = self.alarms.iter().filter(|(_, at)| **at <= now).map(|(id, _)| id.clone()).collect();
        for id in due {
            self.alarms.remove(&id);
            self.arrive_with(Arrival::Alarm { id });
        }
    }

    /// What was said in a chat, in order, each with whether it was written here.
    pub fn messages_with(&self, whom: &str) -> Vec<(bool, String)> {
        let thread = self.messenger.chats.iter().find(|(with, _)| with == whom);
        thread.iter().flat_map(|(_, said)| said).map(|m| (m.own, m.text.clone())).collect()
    }

    /// What is typed and not sent in a chat.
    pub fn draft_to(&self, whom: &str) -> String {
        self.messenger.drafts.get(whom).cloned().unwrap_or_default()
    }

    /// The package of the app in front.
    pub fn front(&self) -> &str {
        &self.front
    }
}
