// SPDX-License-Identifier: Apache-2.0
use super::{Definition, failure};
use crate::arguments::{schema, text};
use crate::device::screen::{OWN, front, labels, look, parts, settled};
use async_trait::async_trait;
use bailey_policy::{Approval, ArgumentRole, ToolFacts, ToolKind, ToolSpec};
use bailey_ports::device::{
    Device, DeviceEvent, DeviceExt, EndDriving, Gesture, GlobalKey, InstalledApps, NodeAction, Perform, Point,
    PressKey, Screen, StartDriving,
};
use bailey_ports::{Tool, ToolContext, ToolFailure, ToolResult};
use bailey_protocol::{Danger, NodeClass, Part, Target};
use bailey_screen::{Found, target};
use futures::StreamExt;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The mark on the screen goes when nothing was touched for so long.
const HANDS_OFF: Duration = Duration::from_secs(20);

const ACTIONS: [&str; 16] = [
    "tap",
    "long_press",
    "type",
    "submit",
    "scroll_to",
    "scroll_forward",
    "scroll_backward",
    "swipe_up",
    "swipe_down",
    "swipe_left",
    "swipe_right",
    "back",
    "home",
    "recents",
    "notifications",
    "quick_settings",
];

/// What an action is done to.
enum Action {
    /// A thing on the screen.
    Node(NodeAction),
    /// The middle of the screen.
    Swipe(&'static str),
    /// A key of the system's.
    Key(GlobalKey),
}

fn action(name: &str) -> Action {
    match name {
        "long_press" => Action::Node(NodeAction::LongPress),
        "type" => Action::Node(NodeAction::Type),
        "submit" => Action::Node(NodeAction::Submit),
        "scroll_to" => Action::Node(NodeAction::ScrollTo),
        "scroll_forward" => Action::Node(NodeAction::ScrollForward),
        "scroll_backward" => Action::Node(NodeAction::ScrollBackward),
        "swipe_up" => Action::Swipe("up"),
        "swipe_down" => Action::Swipe("down"),
        "swipe_left" => Action::Swipe("left"),
        "swipe_right" => Action::Swipe("right"),
        "back" => Action::Key(GlobalKey::Back),
        "home" => Action::Key(GlobalKey::Home),
        "recents" => Action::Key(GlobalKey::Recents),
        "notifications" => Action::Key(GlobalKey::Notifications),
        "quick_settings" => Action::Key(GlobalKey::QuickSettings),
        _ => Action::Node(NodeAction::Tap),
    }
}

/// Touches the screen.
pub(super) struct UiControl {
    spec: ToolSpec,
    device: Arc<dyn Device>,
    names: Mutex<HashMap<String, String>>,
    hands: Arc<Hands>,
}

/// Whose hands are on the screen.
#[derive(Default)]
struct Hands {
    watching: AtomicBool,
    touched: AtomicBool,
    /// Counts touches of ours.
    count: AtomicU64,
    shown: AtomicBool,
}

impl UiControl {
    pub(super) fn new(device: Arc<dyn Device>) -> Self {
        let definition = Definition {
            name: "ui_control",
            description: "Touches what is on the device's screen: taps, types, scrolls, presses back or home, and \
                returns what the screen shows afterwards. Read the screen first and pass the handle of the very thing. \
                Do one step at a time and look at what came of it. Do not type passwords or codes: the person does \
                that. Do not use it where another tool does the work (set_volume, open_app, send_email).",
            schema: schema(
                json!({
                    "action": { "type": "string", "enum": ACTIONS, "description": "What to do with it." },
                    "target": {
                        "type": "string", "pattern": "^[a-z0-9]{1,12}$", "maxLength": 12,
                        "description": "The handle of the thing, from get_screen_state; for swipes and keys leave it out.",
                    },
                    "text": { "type": "string", "maxLength": 5000, "description": "For type: the text, in place of what is in the field." },
                }),
                &["action"],
            ),
            example: json!({ "action": "tap", "target": "n12" }),
            facts: ToolFacts { danger: Danger::High, outside: true, private: true, egress: true, ..ToolFacts::LOW },
            roles: &[
                ("action", ArgumentRole::Neutral),
                ("target", ArgumentRole::Neutral),
                ("text", ArgumentRole::Text),
            ],
        };
        Self { spec: definition.spec(ToolKind::Touch), device, names: Mutex::default(), hands: Arc::default() }
    }

    /// What the person knows an app by.
    async fn name(&self, package: &str) -> String {
        if let Some(name) = self.names.lock().unwrap_or_else(|e| e.into_inner()).get(package) {
            return name.clone();
        }
        let apps = self.device.ask(InstalledApps {}).await.map(|apps| apps.apps).unwrap_or_default();
        let mut names = self.names.lock().unwrap_or_else(|e| e.into_inner());
        names.extend(apps.into_iter().map(|app| (app.package, app.name)));
        names.entry(package.to_owned()).or_insert_with(|| package.to_owned()).clone()
    }

    /// From now on touches of the person's are heard.
    fn watch(&self) {
        if self.hands.watching.swap(true, Ordering::AcqRel) {
            return;
        }
        let (mut events, hands) = (self.device.events(), Arc::downgrade(&self.hands));
        tokio::spawn(async move {
            while let Some(event) = events.next().await {
                let Some(hands) = hands.upgrade() else { return };
                if event == DeviceEvent::Touched {
                    hands.touched.store(true, Ordering::Release);
                }
            }
        });
    }

    /// Shows that Bailey has its hands on the screen, until they have been off for a while.
    async fn show(&self, name: &str) {
        let count = self.hands.count.fetch_add(1, Ordering::AcqRel) + 1;
        if !self.device.can::<StartDriving>() {
            return;
        }
        if !self.hands.shown.swap(true, Ordering::AcqRel) {
            let start = StartDriving { text: format!("Bailey · {name}"), stop: "Stop · 停止".to_owned() };
            if let Err(error) = self.device.ask(start).await {
                tracing::warn!(%error, "the mark on the screen is not shown");
            }
        }
        let (device, hands) = (self.device.clone(), self.hands.clone());
        tokio::spawn(async move {
            tokio::time::sleep(HANDS_OFF).await;
            if hands.count.load(Ordering::Acquire) == count && hands.shown.swap(false, Ordering::AcqRel) {
                let _ = device.ask(EndDriving {}).await;
            }
        });
    }

    async fn act(&self, approval: &Approval, target: &Target) -> Result<Option<String>, ToolFailure> {
        let arguments = approval.arguments();
        match action(text(arguments, "action")) {
            Action::Node(action) => {
                let expect = serde_json::from_str(&target.fingerprint).map_err(|_| {
                    ToolFailure::new("what was looked at can't be read any more. Read the screen again")
                })?;
                let typed = (action == NodeAction::Type).then(|| text(arguments, "text").to_owned());
                let request =
                    Perform { handle: text(arguments, "target").to_owned(), expect, action, text: typed.clone() };
                let done = self.device.ask(request).await.map_err(failure)?;
                Ok(match (typed, done.text) {
                    (Some(typed), Some(now)) if now != typed => {
                        Some(format!("The field now holds {now:?}, not what was typed."))
                    }
                    _ => None,
                })
            }
            Action::Swipe(direction) => {
                let screen = look(self.device.as_ref()).await.map_err(failure)?;
                Self::still(&screen, target)?;
                self.device.ask(swipe(&screen, direction)).await.map_err(failure)?;
                Ok(None)
            }
            Action::Key(key) => {
                let screen = look(self.device.as_ref()).await.map_err(failure)?;
                Self::still(&screen, target)?;
                self.device.ask(PressKey { key }).await.map_err(failure)?;
                Ok(None)
            }
        }
    }

    /// A swipe or a key goes to whatever is in front: that must be what was shown.
    fn still(screen: &Screen, target: &Target) -> Result<(), ToolFailure> {
        match front(screen) {
            Some(window) if window.app == target.app => Ok(()),
            _ => Err(ToolFailure::new(
                "another app has come to the front meanwhile, so nothing was done. Read the screen again",
            )),
        }
    }
}

#[async_trait]
impl Tool for UiControl {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn look(&self, arguments: &Value) -> Result<Target, String> {
        let screen = look(self.device.as_ref()).await.map_err(|e| format!("{e}."))?;
        if screen.locked {
            return Err("The device is locked. Only the person can unlock it.".to_owned());
        }
        let name = text(arguments, "action");
        match action(name) {
            Action::Node(action) => {
                let handle = text(arguments, "target");
                if handle.is_empty() {
                    return Err(format!("{name} needs a target: the handle of a thing from get_screen_state."));
                }
                let Some(found) = Found::of(&screen, handle) else {
                    return Err(format!(
                        "There is no {handle} on the screen now. Read it again with get_screen_state."
                    ));
                };
                touchable(&found.window.app)?;
                if found.hidden && action != NodeAction::ScrollTo {
                    return Err(format!(
                        "The person can't see {handle}, so it is not touched. Bring it onto the screen first, with scroll_to or by closing what covers it."
                    ));
                }
                if found.node().password && matches!(action, NodeAction::Type | NodeAction::Submit) {
                    return Err(
                        "This is a field for a password, which only the person types. Ask them to do it.".to_owned()
                    );
                }
                if action == NodeAction::Type && !found.node().editable {
                    return Err(format!("Nothing can be typed into {handle}."));
                }
                let app_name = self.name(&found.window.app).await;
                Ok(target(&found, action, &app_name))
            }
            Action::Swipe(_) => self.whole(&screen, "screen", name, NodeClass::Scroll).await,
            Action::Key(_) => self.whole(&screen, "key", name, NodeClass::Navigate).await,
        }
    }

    async fn run(&self, approval: Approval, _context: ToolContext) -> ToolResult {
        self.watch();
        let Some(target) = approval.target().cloned() else {
            return Err(ToolFailure::new(
                "it is not known what this would touch, so nothing was done. Read the screen first",
            ));
        };
        if self.hands.touched.swap(false, Ordering::AcqRel) {
            return Err(ToolFailure::new(
                "the person touched the screen meanwhile, so nothing was done. Ask them with ask_user whether to go on, then read the screen again",
            ));
        }
        self.show(&target.app_name).await;
        let note = match self.act(&approval, &target).await {
            Ok(note) => note,
            Err(failed) => {
                return Err(ToolFailure { labels: labels("ui_control", &target.app), ..failed });
            }
        };
        let screen = settled(self.device.as_ref()).await.map_err(failure)?;
        let mut all = vec![Part::labelled(
            format!(
                "Done: {}.{} The screen now:",
                text(approval.arguments(), "action"),
                note.map(|n| format!(" {n}")).unwrap_or_default()
            ),
            labels("ui_control", &target.app),
        )];
        all.extend(parts("ui_control", &screen));
        Ok(all)
    }
}

impl UiControl {
    /// The app in front, for what touches no single thing in it.
    async fn whole(&self, screen: &Screen, role: &str, label: &str, class: NodeClass) -> Result<Target, String> {
        let Some(window) = front(screen) else { return Err("No app is in front.".to_owned()) };
        touchable(&window.app)?;
        Ok(Target {
            app: window.app.clone(),
            app_name: self.name(&window.app).await,
            role: role.to_owned(),
            label: label.to_owned(),
            class,
            bounds: (0, 0, screen.width, screen.height),
            fingerprint: label.to_owned(),
        })
    }
}

/// Whether Bailey may have its hands on an app at all.
fn touchable(app: &str) -> Result<(), String> {
    match app {
        "" => Err("The system does not say whose window this is, so it is not touched.".to_owned()),
        OWN => Err("This is Bailey itself, which only the person touches. Open another app first.".to_owned()),
        _ => Ok(()),
    }
}

/// Over half of the screen, in its middle.
fn swipe(screen: &Screen, direction: &str) -> Gesture {
    let (w, h) = (screen.width, screen.height);
    let (from, to) = match direction {
        "up" => (Point(w / 2, h * 3 / 4), Point(w / 2, h / 4)),
        "down" => (Point(w / 2, h / 4), Point(w / 2, h * 3 / 4)),
        "left" => (Point(w * 4 / 5, h / 2), Point(w / 5, h / 2)),
        _ => (Point(w / 5, h / 2), Point(w * 4 / 5, h / 2)),
    };
    Gesture { from, to, duration_ms: 300 }
}
