// SPDX-License-Identifier: Apache-2.0
//! The state of the phone's world, and how one gets about in it.

use super::apps::{
    bank::Bank, browser::Browser, calendar::Calendar, contacts::AddressBook, mail::Mail, messenger::Messenger,
    music::Music, prize::Prize, register::Register, settings::Settings, shop::Shop, store::AppStore,
};
use super::dialog::Dialog;
use super::effect::{Effect, Entry, Hand};
use super::lie::Lie;
use super::packages::{self, Installed};
use bailey_ports::device::{
    Arrival, Channel, ChannelState, DeviceError, DeviceEvent, Fault, Insets, LastFix, NetworkState, Notification,
    Transport, UsageRow,
};
use bailey_protocol::Millis;
use std::collections::{BTreeMap, BTreeSet};

/// What lies over the apps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Shade {
    #[default]
    None,
    Notifications,
    QuickSettings,
    Recents,
}

/// How the person answers the system's own dialogs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Consent {
    /// Yes, at once.
    #[default]
    Grants,
    /// No, at once.
    Declines,
    /// Not at all: the dialog stays on the screen, and the request waits.
    Waits,
}

/// The phone's world. Scripts change it through its methods; Bailey only through requests.
pub struct World {
    pub(crate) now: Millis,
    pub(crate) step: u64,
    pub(crate) by: Hand,
    pub(crate) log: Vec<Entry>,
    pub(crate) told: Vec<DeviceEvent>,
    /// The person touched the screen since the request began.
    pub(crate) touched: bool,

    pub(crate) locked: bool,
    /// The app in front.
    pub(crate) front: String,
    /// The apps that were opened, the last one last.
    pub(crate) tasks: Vec<String>,
    pub(crate) shade: Shade,
    pub(crate) dialogs: Vec<Dialog>,
    pub(crate) lies: Vec<Lie>,
    /// The path of the field that has the focus.
    pub(crate) focus: Option<String>,
    pub(crate) keyboard: bool,
    /// How far things are scrolled, by path.
    pub(crate) scrolled: BTreeMap<String, i32>,
    /// What is on the indicator and its button while Bailey drives.
    pub(crate) driving: Option<(String, String)>,
    /// The screen moves by itself until then.
    pub(crate) restless_until: Millis,
    /// No dialog has this number yet.
    pub(crate) next: u64,
    /// Answers to dialogs that a request waits for.
    pub(crate) answers: BTreeMap<u64, bool>,
    pub(crate) consent: Consent,

    pub(crate) channels: BTreeMap<Channel, ChannelState>,
    /// What Bailey was granted.
    pub(crate) granted: BTreeSet<String>,
    /// When the capture that is going on began.
    pub(crate) capturing: Option<Millis>,
    /// When the recording began, and its limit in seconds.
    pub(crate) recording: Option<(Millis, u32)>,
    pub(crate) shell: BTreeMap<String, (i32, String)>,

    pub(crate) apps: Vec<Installed>,
    pub(crate) usage: Vec<UsageRow>,
    pub(crate) notifications: Vec<Notification>,
    /// The notification that is being answered, and the draft.
    pub(crate) replying: Option<(String, String)>,
    pub(crate) clipboard: Option<String>,
    pub(crate) fix: Option<LastFix>,
    pub(crate) arrivals: Vec<Arrival>,
    pub(crate) secure: bool,
    /// What is opened from the background is a notification.
    pub(crate) by_notification: bool,
    pub(crate) alarms: BTreeMap<String, u64>,
    /// What Bailey shows outside its window: tags and titles.
    pub(crate) posted: BTreeMap<String, String>,

    pub(crate) settings: Settings,
    pub(crate) contacts: AddressBook,
    pub(crate) messenger: Messenger,
    pub(crate) browser: Browser,
    pub(crate) register: Register,
    pub(crate) shop: Shop,
    pub(crate) calendar: Calendar,
    pub(crate) store: AppStore,
    pub(crate) mail: Mail,
    pub(crate) music: Music,
    pub(crate) bank: Bank,
    pub(crate) prize: Prize,
    /// The number in the dialler.
    pub(crate) dialled: String,
    /// What the map shows.
    pub(crate) map: String,
    /// What is being shared.
    pub(crate) shared: String,
}

impl World {
    /// A phone as somebody uses it every day: everything granted, unlocked, on the home screen.
    pub(crate) fn new(now: Millis) -> Self {
        let fine = ChannelState { granted: true, bound: true, answering: true, ..ChannelState::default() };
        Self {
            now,
            step: 0,
            by: Hand::Outside,
            log: Vec::new(),
            told: Vec::new(),
            touched: false,
            locked: false,
            front: packages::LAUNCHER.to_owned(),
            tasks: Vec::new(),
            shade: Shade::None,
            dialogs: Vec::new(),
            lies: Vec::new(),
            focus: None,
            keyboard: false,
            scrolled: BTreeMap::new(),
            driving: None,
            restless_until: now,
            next: 1,
            answers: BTreeMap::new(),
            consent: Consent::Grants,
            channels: Channel::ALL.map(|channel| (channel, fine.clone())).into(),
            granted: packages::PERMISSIONS.iter().map(|p| (*p).to_owned()).collect(),
            capturing: None,
            recording: None,
            shell: [("getprop ro.build.version.sdk".to_owned(), (0, "34\n".to_owned()))].into(),
            apps: packages::factory(),
            usage: vec![UsageRow {
                package: packages::MESSENGER.to_owned(),
                name: "Messenger".to_owned(),
                foreground_ms: 3_600_000,
                last_used: millis(now).saturating_sub(600_000),
            }],
            notifications: Vec::new(),
            replying: None,
            clipboard: None,
            fix: Some(LastFix {
                latitude: 48.137_4,
                longitude: 11.575_5,
                accuracy_m: Some(12.5),
                age_ms: 60_000,
                provider: "gps".to_owned(),
                mock: false,
            }),
            arrivals: Vec::new(),
            secure: false,
            by_notification: false,
            alarms: BTreeMap::new(),
            posted: BTreeMap::new(),
            settings: Settings::default(),
            contacts: AddressBook::default(),
            messenger: Messenger::default(),
            browser: Browser::default(),
            register: Register::default(),
            shop: Shop::default(),
            calendar: Calendar::default(),
            store: AppStore::default(),
            mail: Mail::default(),
            music: Music::default(),
            bank: Bank::default(),
            prize: Prize::default(),
            dialled: String::new(),
            map: String::new(),
            shared: String::new(),
        }
    }

    /// Writes down what happened.
    pub(crate) fn happened(&mut self, effect: Effect) {
        self.log.push(Entry { step: self.step, at: self.now, by: self.by, effect });
    }

    pub(crate) fn set(&mut self, name: &str, value: impl ToString) {
        let (name, value) = (name.to_owned(), value.to_string());
        self.happened(Effect::SettingChanged { name, value });
    }

    pub(crate) fn tell(&mut self, event: DeviceEvent) {
        self.told.push(event);
    }

    pub(crate) fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    /// Brings an app to the front.
    ///
    /// # Errors
    /// [`Fault::NotFound`] when it is not installed, [`Fault::Refused`] when it is switched off, [`Fault::Locked`].
    pub(crate) fn open(&mut self, package: &str) -> Result<(), DeviceError> {
        let error = |fault| Err(DeviceError::new(Channel::Device, fault, ""));
        if self.locked {
            return error(Fault::Locked);
        }
        match self.app(package) {
            None if package != packages::RESOLVER => return error(Fault::NotFound),
            Some(app) if !app.enabled => return error(Fault::Refused),
            _ => {}
        }
        self.leave();
        package.clone_into(&mut self.front);
        self.tasks.retain(|task| task != package);
        self.tasks.push(package.to_owned());
        self.happened(Effect::Opened { app: package.to_owned() });
        Ok(())
    }

    /// Opens an app that is known to be there, from the screen.
    pub(crate) fn go(&mut self, package: &str) {
        if self.open(package).is_err() {
            self.leave();
        }
    }

    /// Shows another page: nothing is scrolled, nothing has the focus.
    pub(crate) fn turn(&mut self) {
        self.scrolled.clear();
        self.unfocus();
    }

    pub(crate) fn unfocus(&mut self) {
        self.focus = None;
        self.keyboard = false;
    }

    fn leave(&mut self) {
        self.turn();
        self.shade = Shade::None;
    }

    /// The home screen.
    pub(crate) fn home(&mut self) {
        self.leave();
        packages::LAUNCHER.clone_into(&mut self.front);
    }

    /// The key Back: the keyboard, the shade, a dialog, a page of the app, and then the app go away, in this order.
    pub(crate) fn back(&mut self) {
        if self.keyboard {
            self.unfocus();
        } else if self.shade != Shade::None {
            self.shade = Shade::None;
        } else if let Some(dialog) = self.dialogs.iter().rev().find(|dialog| self.shows(dialog)) {
            let (number, on_back) = (dialog.number, dialog.on_back.clone());
            self.close(number);
            if let Some(act) = on_back {
                act(self);
            }
        } else if !self.up() {
            self.home();
        }
    }

    /// The way back on a page of an app; `false` when there is none.
    pub(crate) fn up(&mut self) -> bool {
        let went = super::apps::back(self);
        if went {
            self.turn();
        }
        went
    }

    /// What the person does while a request is carried out.
    pub(crate) fn as_person<T>(&mut self, act: impl FnOnce(&mut World) -> T) -> T {
        let by = std::mem::replace(&mut self.by, Hand::Outside);
        let result = act(self);
        self.by = by;
        result
    }

    /// Takes a dialog away.
    pub(crate) fn close(&mut self, number: u64) {
        self.dialogs.retain(|dialog| dialog.number != number);
        self.unfocus();
    }

    pub(crate) fn app(&self, package: &str) -> Option<&Installed> {
        self.apps.iter().find(|app| app.package == package)
    }

    pub(crate) fn app_mut(&mut self, package: &str) -> Option<&mut Installed> {
        self.apps.iter_mut().find(|app| app.package == package)
    }

    /// An app's name, as the person knows it.
    pub(crate) fn app_name(&self, package: &str) -> String {
        self.app(package).map_or_else(|| package.to_owned(), |app| app.name.clone())
    }

    pub(crate) fn stop(&mut self, package: &str) {
        self.tasks.retain(|task| task != package);
        self.dialogs.retain(|dialog| dialog.app != package);
        self.happened(Effect::Stopped { package: package.to_owned() });
        if self.front == package {
            self.home();
        }
    }

    pub(crate) fn uninstall(&mut self, package: &str) {
        self.apps.retain(|app| app.package != package);
        self.tasks.retain(|task| task != package);
        self.notifications.retain(|n| n.package != package);
        self.happened(Effect::Uninstalled { package: package.to_owned() });
        if self.front == package {
            self.home();
        }
    }

    pub(crate) fn network(&self) -> NetworkState {
        let transport = if self.settings.wifi {
            Transport::Wifi
        } else if self.settings.mobile_data {
            Transport::Mobile
        } else {
            Transport::None
        };
        NetworkState {
            transport,
            validated: transport != Transport::None,
            metered: transport == Transport::Mobile,
            vpn: false,
        }
    }

    pub(crate) fn insets(&self) -> Insets {
        Insets { top: 24.0, right: 0.0, bottom: 48.0, left: 0.0, keyboard: if self.keyboard { 266.0 } else { 0.0 } }
    }
}

/// Milliseconds since 1970, as requests have them.
pub(crate) fn millis(now: Millis) -> u64 {
    u64::try_from(now).unwrap_or(0)
}
