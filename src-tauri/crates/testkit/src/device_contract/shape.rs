// SPDX-License-Identifier: Apache-2.0
//! Every request is answered in the shape of the contract, or refused as it may be refused.

use super::{Check, examples, nodes, short, still};
use bailey_ports::device::{self as d, Bounds, Channel, Fault, Request};
use futures::FutureExt;
use futures::future::join_all;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Requests that change nothing and show nothing.
const READS: [&str; 15] = [
    "accessibilityState",
    "readScreen",
    "waitIdle",
    "screenshot",
    "projectionState",
    "readFrame",
    "shizukuState",
    "permissionStates",
    "info",
    "network",
    "installedApps",
    "findContacts",
    "readClipboard",
    "location",
    "readNotifications",
];

/// Those that ask the person by a dialog of the system's.
const ASKS: [&str; 3] = ["startProjection", "askShizuku", "requestPermission"];

/// What a request may be refused with, besides want of a permission.
fn refusals(command: &str) -> &'static [Fault] {
    match command {
        "perform" => &[Fault::NotFound, Fault::Changed],
        "screenshot" | "readFrame" => &[Fault::SecureWindow, Fault::RateLimited],
        "startRecording" => &[Fault::Busy],
        "endRecording" | "location" => &[Fault::NotFound],
        "manageApp" | "openApp" | "openSettings" | "openUri" | "openMap" | "dial" | "shareText" | "composeMail" => {
            &[Fault::NotFound, Fault::Refused]
        }
        "createEvent" => &[Fault::NotFound],
        "setTorch" | "vibrate" | "mediaControl" | "setVolume" => &[Fault::Refused, Fault::Busy],
        "startProjection" | "askShizuku" | "requestPermission" => &[Fault::Declined, Fault::Busy],
        _ => &[],
    }
}

const PERMISSION: [Fault; 4] = [Fault::NotGranted, Fault::NotBound, Fault::NotAnswering, Fault::NotRunning];

impl Check<'_> {
    /// The contract's own examples.
    pub(super) async fn examples(&mut self) {
        for (channel, command, request) in examples() {
            let tried = READS.contains(&command)
                || (ASKS.contains(&command) && self.expectations.asks)
                || (!ASKS.contains(&command) && self.expectations.changes);
            if !tried || !self.device.offers(channel, command) {
                continue;
            }
            match self.call(channel, command, request.clone()).await {
                Ok(reply) => {
                    for wrong in misshapen(command, &request, &reply) {
                        self.violated(format!("{command}: {wrong}"));
                    }
                }
                Err(error) if PERMISSION.contains(&error.fault) => {
                    if self.expectations.answers.contains(&command) {
                        self.violated(format!("{command} fails with {}", error.fault.name()));
                    }
                    if command.ends_with("State") || command == "permissionStates" {
                        self.violated(format!("{command} fails instead of telling"));
                    }
                }
                Err(error) if error.fault == Fault::Locked || refusals(command).contains(&error.fault) => {}
                Err(error) => self.violated(format!("{command} fails with {}: {}", error.fault.name(), error.detail)),
            }
        }
        if self.expectations.changes {
            self.undo().await;
        }
    }

    /// Reading twice tells the same twice, and nothing on the screen has changed by it.
    pub(super) async fn repeated(&mut self) {
        let before = self.screen().await;
        for (channel, command, request) in examples() {
            // Pictures of a status bar change with its clock; ages and free memory change by themselves.
            let moves = ["waitIdle", "screenshot", "readFrame", "info", "location", "readScreen"];
            if !READS.contains(&command) || moves.contains(&command) || !self.device.offers(channel, command) {
                continue;
            }
            let first = self.call(channel, command, request.clone()).await;
            let second = self.call(channel, command, request).await;
            if first.map(sorted).map_err(|e| e.fault) != second.map(sorted).map_err(|e| e.fault) {
                self.violated(format!("{command} tells something else the second time"));
            }
        }
        let after = self.screen().await;
        if before.as_ref().map(still) != after.as_ref().map(still) {
            self.violated("reading changes the screen, or the handles of what stays on it");
        }
    }
}

impl Check<'_> {
    /// A device takes several requests at a time, and one that nobody waits for any more does no harm.
    pub(super) async fn at_once(&mut self) {
        let reads: Vec<_> = examples()
            .into_iter()
            .filter(|(channel, command, _)| READS.contains(command) && self.device.offers(*channel, command))
            .filter(|(_, command, _)| !["screenshot", "readFrame"].contains(command))
            .collect();
        for (channel, command, request) in &reads {
            let _ = self.device.call(*channel, command, request.clone()).now_or_never();
        }
        let mut one_by_one = Vec::new();
        for (channel, command, request) in &reads {
            one_by_one.push(self.call(*channel, command, request.clone()).await.is_ok());
        }
        let calls =
            reads.iter().map(|(channel, command, request)| self.device.call(*channel, command, request.clone()));
        let Ok(together) = tokio::time::timeout(self.expectations.patience, join_all(calls)).await else {
            return self.violated("reads at the same time do not end");
        };
        for (((_, command, _), alone), together) in reads.iter().zip(one_by_one).zip(together) {
            if alone != together.is_ok() {
                self.violated(format!("{command} fares differently beside others"));
            }
        }
    }

    /// Switches off what the examples have switched on.
    async fn undo(&mut self) {
        for (channel, command) in [(Channel::Device, "setTorch"), (Channel::Lifecycle, "setSecure")] {
            if self.device.offers(channel, command) {
                let _ = self.call(channel, command, json!({ "on": false })).await;
            }
        }
    }
}

/// Apps are told in no order that means anything.
fn sorted(mut reply: Value) -> Value {
    if let Some(apps) = reply.get_mut("apps").and_then(Value::as_array_mut) {
        apps.sort_by_key(ToString::to_string);
    }
    reply
}

fn read<R: Request>(reply: &Value) -> Result<R::Reply, String> {
    serde_json::from_value(reply.clone()).map_err(|e| format!("{e} in {}", short(reply)))
}

macro_rules! shapes {
    ($command:expr, $reply:expr; $($type:ident),* $(,)?) => {
        match $command {
            $(<d::$type as Request>::COMMAND => read::<d::$type>($reply).map(drop),)*
            other => Err(format!("nobody here knows the reply of {other}")),
        }
    };
}

/// Whether a value can be read as a request of that command.
macro_rules! takes {
    ($command:expr, $request:expr; $($type:ident),* $(,)?) => {
        match $command {
            $(<d::$type as Request>::COMMAND => serde_json::from_value::<d::$type>($request).is_ok(),)*
            _ => false,
        }
    };
}

macro_rules! all {
    ($of:ident, $command:expr, $value:expr) => {
        $of!($command, $value;
            AccessibilityState, ReadScreen, Perform, Gesture, PressKey, WaitIdle, Screenshot, StartDriving, EndDriving,
            ProjectionState, StartProjection, ReadFrame, StartRecording, EndRecording, RevokeProjection, ShizukuState,
            AskShizuku, Execute, ManageApp, AskPermissionStates, RequestPermission, Info, Network, InstalledApps,
            AppUsage, OpenApp, OpenSettings, OpenUri, OpenMap, Dial, ShareText, ComposeMail, FindContacts, CreateEvent,
            ReadClipboard, SetClipboard, Location, ReadNotifications, SetVolume, SetBrightness, SetTorch, Vibrate,
            MediaControl, ShowRun, EndRun, PostAsk, WithdrawAsk, PostNotice, SetAlarm, CancelAlarm, SetSecure,
            TakeArrivals, ReadInsets,
        )
    };
}

/// Whether a value is a request of that command.
pub(super) fn is_request(command: &str, request: Value) -> bool {
    all!(takes, command, request)
}

/// What is wrong with a reply.
fn misshapen(command: &str, request: &Value, reply: &Value) -> Vec<String> {
    if let Err(wrong) = all!(shapes, command, reply) {
        return vec![wrong];
    }
    let limit = |name: &str| request[name].as_u64().and_then(|n| usize::try_from(n).ok()).unwrap_or(usize::MAX);
    let count = |name: &str| reply[name].as_array().map_or(0, Vec::len);
    match command {
        "readScreen" => read::<d::ReadScreen>(reply).map_or_else(|e| vec![e], |screen| wrong_screen(&screen)),
        "accessibilityState" | "projectionState" | "shizukuState" => wrong_state(reply),
        "screenshot" => wrong_picture(reply, request),
        "readFrame" => wrong_picture(&reply["picture"], request),
        "findContacts" if count("contacts") > limit("limit") => vec!["more than asked for".to_owned()],
        "readNotifications" if count("notifications") > limit("limit") => vec!["more than asked for".to_owned()],
        "installedApps" => {
            let apps = reply["apps"].as_array().into_iter().flatten().map(|app| app["package"].to_string());
            let different: BTreeSet<String> = apps.collect();
            if different.len() == count("apps") { Vec::new() } else { vec!["an app twice".to_owned()] }
        }
        "setVolume" | "setBrightness" if reply["percent"].as_u64() > Some(100) => {
            vec!["more than 100 percent".to_owned()]
        }
        _ => Vec::new(),
    }
}

/// All three hold exactly when there is no fault.
fn wrong_state(reply: &Value) -> Vec<String> {
    let is = |name: &str| reply[name] == json!(true);
    let fine = is("granted") && is("bound") && is("answering");
    if fine == reply["fault"].is_null() { Vec::new() } else { vec![format!("contradicts itself: {reply}")] }
}

fn wrong_picture(picture: &Value, request: &Value) -> Vec<String> {
    let edge = |name: &str| picture[name].as_u64().unwrap_or(0);
    let most = request["maxEdge"].as_u64().unwrap_or(0);
    let mut wrong = Vec::new();
    if edge("width") == 0 || edge("height") == 0 || edge("width").max(edge("height")) > most {
        wrong.push(format!("a picture of {} by {}", edge("width"), edge("height")));
    }
    let bytes = base64::Engine::decode(
        &base64::engine::general_purpose::STANDARD,
        picture["data"].as_str().unwrap_or_default(),
    );
    let format = if picture["format"] == "png" { image::ImageFormat::Png } else { image::ImageFormat::Jpeg };
    // Files of pictures are told by their first bytes.
    if image::guess_format(&bytes.unwrap_or_default()).ok() != Some(format) {
        wrong.push(format!("not a picture in {}", picture["format"]));
    }
    wrong
}

fn wrong_screen(screen: &d::Screen) -> Vec<String> {
    let mut wrong = Vec::new();
    if screen.width <= 0 || screen.height <= 0 || screen.rotation > 3 {
        wrong.push(format!("{} by {}, turned {}", screen.width, screen.height, screen.rotation));
    }
    let windows: BTreeSet<i32> = screen.windows.iter().map(|w| w.id).collect();
    if windows.len() != screen.windows.len() {
        wrong.push("two windows of one number".to_owned());
    }
    if Bounds(0, 0, screen.width, screen.height).is_empty() && !screen.windows.is_empty() {
        wrong.push("windows on no screen".to_owned());
    }
    let mut handles = BTreeSet::new();
    for (window, at, node) in nodes(screen) {
        let parent = node.parent.and_then(|parent| usize::try_from(parent).ok());
        if parent.is_some_and(|parent| parent >= at) || (at > 0 && parent.is_none() && window.nodes[0].parent.is_some())
        {
            wrong.push(format!("node {at} of window {} stands before its parent", window.id));
        }
        let named = (1..=12).contains(&node.handle.len())
            && node.handle.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
        if !named || !handles.insert(node.handle.as_str()) {
            wrong.push(format!("the handle {:?}", node.handle));
        }
        if node.password && !node.text.is_empty() {
            wrong.push("the text of a field for a password".to_owned());
        }
    }
    wrong
}
