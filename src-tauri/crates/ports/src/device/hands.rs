// SPDX-License-Identifier: Apache-2.0
use super::screen::{Bounds, Window};
use serde::{Deserialize, Serialize};

/// What a node looked like when it was chosen. It is held against the screen right before something is done to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Fingerprint {
    /// The package of its window.
    pub app: String,
    /// Its class.
    pub class: String,
    /// Its resource name.
    pub id: String,
    /// Its text; empty for a field, whose text changes as it is typed into.
    pub text: String,
    /// Its content description.
    pub description: String,
    /// The texts of what stands in it, in order, joined by a space; at most 200 characters
    /// (Unicode scalar values).
    pub labels: String,
}

impl Fingerprint {
    /// So many characters of the labels count.
    const LABELS: usize = 200;

    /// What the node at this place of a window looks like. The labels are the texts, or descriptions where there is no
    /// text or it is a field, of all that stands in the node, in order.
    pub fn of(window: &Window, index: usize) -> Fingerprint {
        let Some(node) = window.nodes.get(index) else { return Fingerprint::default() };
        let mut inside = vec![false; window.nodes.len()];
        inside[index] = true;
        let mut labels: Vec<&str> = Vec::new();
        for (at, other) in window.nodes.iter().enumerate().skip(index + 1) {
            inside[at] = other.parent.is_some_and(|parent| inside.get(parent as usize).copied().unwrap_or(false));
            if inside[at] {
                let label = if other.editable || other.text.is_empty() { &other.description } else { &other.text };
                if !label.is_empty() {
                    labels.push(label);
                }
            }
        }
        Fingerprint {
            app: window.app.clone(),
            class: node.class.clone(),
            id: node.id.clone(),
            text: if node.editable { String::new() } else { node.text.clone() },
            description: node.description.clone(),
            labels: labels.join(" ").chars().take(Self::LABELS).collect(),
        }
    }
}

/// What is done to a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NodeAction {
    /// A tap.
    Tap,
    /// A long press.
    LongPress,
    /// Puts `text` in place of what is in the field and reads it back. The keyboard is as it was afterwards.
    Type,
    /// Scrolls on by a page.
    ScrollForward,
    /// Scrolls back by a page.
    ScrollBackward,
    /// Brings it onto the screen.
    ScrollTo,
    /// Presses the keyboard's action of a field: search, send, next.
    Submit,
}

/// Does something to one node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Perform {
    /// Its handle.
    pub handle: String,
    /// What it must still look like; otherwise [`super::Fault::Changed`].
    pub expect: Fingerprint,
    /// What to do.
    pub action: NodeAction,
    /// What to type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// What became of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Performed {
    /// After typing: what the field now holds, read back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Where the node is, or was.
    pub bounds: Bounds,
}

/// A point in pixels of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Point(pub i32, pub i32);

/// Where a swipe leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// The finger goes up.
    Up,
    /// The finger goes down.
    Down,
    /// The finger goes left.
    Left,
    /// The finger goes right.
    Right,
}

/// A finger on the screen: from one point to another, or staying on one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Gesture {
    /// Where it begins.
    pub from: Point,
    /// Where it ends.
    pub to: Point,
    /// How long it takes, in milliseconds, 1 to 10 000.
    pub duration_ms: u32,
}

/// Something was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Acted {}

/// A key of the system's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GlobalKey {
    /// Back.
    Back,
    /// The home screen.
    Home,
    /// The apps that were open.
    Recents,
    /// The notification shade.
    Notifications,
    /// The quick settings.
    QuickSettings,
}

/// Presses a key of the system's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PressKey {
    /// Which.
    pub key: GlobalKey,
}

/// Waits until nothing on the screen has changed for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WaitIdle {
    /// For how long nothing may change, in milliseconds.
    pub quiet_ms: u32,
    /// How long to wait at most, in milliseconds.
    pub timeout_ms: u32,
}

/// What waiting came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Idle {
    /// Whether it became quiet in time.
    pub idle: bool,
    /// How long it took, in milliseconds.
    pub waited_ms: u32,
}

/// Shows on the screen that Bailey has its hands on it, with a button that stops it, and watches for touches of the
/// person's: [`super::DeviceEvent::Touched`], [`super::DeviceEvent::StopPressed`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StartDriving {
    /// What is shown.
    pub text: String,
    /// What is on the button.
    pub stop: String,
}

/// Takes the hands off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndDriving {}
