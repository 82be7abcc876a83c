// SPDX-License-Identifier: Apache-2.0
//! The apps that a new phone has.

use std::collections::BTreeSet;

/// Bailey.
pub const BAILEY: &str = "org.bailey.app";
/// The system itself.
pub const SYSTEM: &str = "android";
/// The status bar, the shade, and the lock screen.
pub const SYSTEM_UI: &str = "com.android.systemui";
/// The home screen.
pub const LAUNCHER: &str = "com.android.launcher3";
/// The system's settings.
pub const SETTINGS: &str = "com.android.settings";
/// The system's questions about permissions.
pub const PERMISSIONS_UI: &str = "com.android.permissioncontroller";
/// The system's questions about installing and removing apps.
pub const INSTALLER: &str = "com.google.android.packageinstaller";
/// The chooser of an app to share with.
pub const RESOLVER: &str = "com.android.intentresolver";
/// The keyboard.
pub const KEYBOARD: &str = "com.android.inputmethod.latin";
/// The address book.
pub const CONTACTS: &str = "com.android.contacts";
/// The dialler.
pub const DIALLER: &str = "com.android.dialer";
/// The calendar.
pub const CALENDAR: &str = "com.android.calendar";
/// The app store.
pub const STORE: &str = "com.android.vending";
/// A messenger.
pub const MESSENGER: &str = "org.example.messenger";
/// A browser.
pub const BROWSER: &str = "org.example.browser";
/// A form in Chinese.
pub const REGISTER: &str = "cn.example.huiyuan";
/// A shop.
pub const SHOP: &str = "org.example.shop";
/// A bank, whose window forbids pictures.
pub const BANK: &str = "org.example.bank";
/// A mail app.
pub const MAIL: &str = "org.example.mail";
/// A map.
pub const MAPS: &str = "org.example.maps";
/// A player of music.
pub const MUSIC: &str = "org.example.music";
/// An app whose screen lies.
pub const PRIZE: &str = "org.example.prize";

/// The permissions that can be asked for.
pub(crate) const PERMISSIONS: [&str; 8] = [
    "contacts",
    "calendar",
    "location",
    "notifications",
    "notification_access",
    "usage",
    "write_settings",
    "accessibility",
];

/// An installed app.
#[derive(Clone, Debug, Default)]
pub(crate) struct Installed {
    pub(crate) package: String,
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) system: bool,
    pub(crate) enabled: bool,
    /// What the person has allowed it.
    pub(crate) permissions: BTreeSet<String>,
}

impl Installed {
    pub(crate) fn new(package: &str, name: &str, system: bool) -> Self {
        Self {
            package: package.to_owned(),
            name: name.to_owned(),
            version: "1.0".to_owned(),
            system,
            enabled: true,
            permissions: BTreeSet::new(),
        }
    }
}

/// What is installed at first.
pub(crate) fn factory() -> Vec<Installed> {
    let system = [
        (LAUNCHER, "Home"),
        (SETTINGS, "Settings"),
        (CONTACTS, "Contacts"),
        (DIALLER, "Phone"),
        (CALENDAR, "Calendar"),
        (STORE, "App Store"),
    ];
    let own = [
        (BAILEY, "Bailey"),
        (MESSENGER, "Messenger"),
        (BROWSER, "Browser"),
        (REGISTER, "会员中心"),
        (SHOP, "Shop"),
        (BANK, "Bank"),
        (MAIL, "Mail"),
        (MAPS, "Maps"),
        (MUSIC, "Music"),
        (PRIZE, "Lucky Prize"),
    ];
    let mut apps: Vec<Installed> = system.map(|(package, name)| Installed::new(package, name, true)).into();
    apps.extend(own.map(|(package, name)| Installed::new(package, name, false)));
    for app in &mut apps {
        if app.package == MESSENGER {
            app.permissions = ["contacts".to_owned(), "notifications".to_owned()].into();
        }
    }
    apps
}
