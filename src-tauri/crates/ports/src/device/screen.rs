// SPDX-License-Identifier: Apache-2.0
use serde::{Deserialize, Serialize};

/// Reads what is on the screen, as the accessibility service is told of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReadScreen {}

/// All windows on the screen.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Screen {
    /// Width in pixels, as turned now.
    pub width: i32,
    /// Height in pixels.
    pub height: i32,
    /// Quarter turns, 0 to 3.
    #[serde(default)]
    pub rotation: u8,
    /// Whether the lock screen is up.
    #[serde(default)]
    pub locked: bool,
    /// Front to back.
    pub windows: Vec<Window>,
    /// Whether nodes were left out because there were too many, or reading took too long.
    #[serde(default)]
    pub cut: bool,
}

/// What a window is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WindowKind {
    /// Of an app.
    #[default]
    Application,
    /// The keyboard.
    InputMethod,
    /// The system's: status bar, navigation, a permission dialog.
    System,
    /// Drawn over everything by an accessibility service.
    Overlay,
    /// The bar between two apps on a split screen.
    Divider,
}

/// A window.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Window {
    /// The system's number of it.
    pub id: i32,
    /// What it is.
    pub kind: WindowKind,
    /// The package it belongs to; empty when the system does not say.
    pub app: String,
    /// Its title; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Whether input goes to it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub focused: bool,
    /// Where it is.
    pub bounds: Bounds,
    /// Its nodes, each after its parent, children in order.
    pub nodes: Vec<Node>,
}

/// A rectangle in pixels of the screen: left, top, right, bottom. It may lie outside the screen, or be empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds(pub i32, pub i32, pub i32, pub i32);

impl Bounds {
    /// Whether nothing lies in it.
    pub fn is_empty(self) -> bool {
        self.0 >= self.2 || self.1 >= self.3
    }
    /// What lies in both.
    pub fn intersection(self, other: Bounds) -> Bounds {
        Bounds(self.0.max(other.0), self.1.max(other.1), self.2.min(other.2), self.3.min(other.3))
    }
    /// Its middle.
    pub fn centre(self) -> (i32, i32) {
        (i32::midpoint(self.0, self.2), i32::midpoint(self.1, self.3))
    }
}

/// A node of a window's tree. What is absent in JSON is empty or false.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Node {
    /// The position of its parent in `nodes`; absent for a root.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<u32>,
    /// Names the node as long as it stays on the screen, over several readings; chosen by the device, `[a-z0-9]{1,12}`.
    pub handle: String,
    /// Its class, as `android.widget.Button`.
    pub class: String,
    /// Its resource name without the package, as `send_button`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// Its text. That of a password field is never sent.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Its content description.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// The hint of an empty field.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub hint: String,
    /// Its state in words, as "on".
    #[serde(skip_serializing_if = "String::is_empty")]
    pub state: String,
    /// Where it is.
    pub bounds: Bounds,
    /// The system says that the person can't see it.
    #[serde(skip_serializing_if = "is_false")]
    pub hidden: bool,
    /// It takes no input now.
    #[serde(skip_serializing_if = "is_false")]
    pub disabled: bool,
    /// It can be tapped.
    #[serde(skip_serializing_if = "is_false")]
    pub clickable: bool,
    /// It can be pressed for long.
    #[serde(skip_serializing_if = "is_false")]
    pub long_clickable: bool,
    /// It can be scrolled.
    #[serde(skip_serializing_if = "is_false")]
    pub scrollable: bool,
    /// Text can be typed into it.
    #[serde(skip_serializing_if = "is_false")]
    pub editable: bool,
    /// It is a field for a password.
    #[serde(skip_serializing_if = "is_false")]
    pub password: bool,
    /// It can be checked.
    #[serde(skip_serializing_if = "is_false")]
    pub checkable: bool,
    /// It is checked.
    #[serde(skip_serializing_if = "is_false")]
    pub checked: bool,
    /// It is selected.
    #[serde(skip_serializing_if = "is_false")]
    pub selected: bool,
    /// It has the focus of input.
    #[serde(skip_serializing_if = "is_false")]
    pub focused: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_false(value: &bool) -> bool {
    !*value
}
