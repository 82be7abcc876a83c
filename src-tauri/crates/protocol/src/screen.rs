// SPDX-License-Identifier: Apache-2.0
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What touching something on a screen does, as far as it can be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum NodeClass {
    /// It scrolls.
    Scroll,
    /// It shows something else of the same app: a tab, a row that opens, back.
    Navigate,
    /// An ordinary field to fill in.
    Field,
    /// It sends, posts, publishes, calls or submits.
    Send,
    /// It pays, buys, orders or transfers.
    Pay,
    /// It deletes, clears, resets or unsubscribes.
    Delete,
    /// It installs, updates or removes an app.
    Install,
    /// It grants or takes a permission, or changes what protects the device.
    Permission,
    /// It leads to another app.
    Leave,
    /// It concerns an account: signing in or out, a password, a code.
    Account,
    /// Nobody can tell.
    Unknown,
}

impl NodeClass {
    /// Whether it may be touched unasked in an app that the person lets Bailey use. All else asks each time.
    pub fn is_ordinary(self) -> bool {
        matches!(self, NodeClass::Scroll | NodeClass::Navigate | NodeClass::Field)
    }
}

/// What a call would touch on the screen, as it was found before the gate decides. Whatever touches it holds it against
/// the screen once more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Target {
    /// The package of the app it is in.
    pub app: String,
    /// That app's name, as the person knows it; the package where it has none.
    pub app_name: String,
    /// What it is, in one word, as `button`.
    pub role: String,
    /// What it says, with what stands in it; may be empty.
    pub label: String,
    /// What touching it does.
    pub class: NodeClass,
    /// Its rectangle on the screen in pixels: left, top, right, bottom.
    pub bounds: (i32, i32, i32, i32),
    /// Names what exactly it is: for whatever touches it, not for people.
    pub fingerprint: String,
}

impl Target {
    /// Whether it is the same thing, wherever it stands on the screen by now.
    pub fn is_same(&self, other: &Target) -> bool {
        (&self.app, &self.role, &self.label, self.class, &self.fingerprint)
            == (&other.app, &other.role, &other.label, other.class, &other.fingerprint)
    }
}
