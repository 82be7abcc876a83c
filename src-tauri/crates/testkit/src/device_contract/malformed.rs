// SPDX-License-Identifier: Apache-2.0
//! Requests that make no sense are called invalid, and nothing comes of them.

use super::shape::is_request;
use super::{Check, examples};
use bailey_ports::device::{Channel, Fault};
use serde_json::{Value, json};

/// What a request of no sense may be refused with: a device may look for its permission first.
const REFUSED: [Fault; 7] = [
    Fault::Invalid,
    Fault::NotGranted,
    Fault::NotBound,
    Fault::NotAnswering,
    Fault::NotRunning,
    Fault::Unsupported,
    Fault::Locked,
];

impl Check<'_> {
    /// Wrong types, missing fields, and values out of range.
    pub(super) async fn malformed(&mut self) {
        for (channel, command, request) in examples() {
            for broken in broken(command, &request) {
                self.refused(channel, command, broken).await;
            }
        }
        for (channel, command, request) in senseless() {
            self.refused(channel, command, request).await;
        }
    }

    async fn refused(&mut self, channel: Channel, command: &str, request: Value) {
        let what = format!("{command} of {}", super::short(&request));
        let answer = self.call(channel, command, request).await;
        let offered = self.device.offers(channel, command);
        if offered && matches!(&answer, Err(e) if e.fault == Fault::Unsupported) {
            self.violated(format!("{what} is offered and unsupported"));
            return;
        }
        self.expect_fault(&what, answer, &REFUSED);
    }
}

/// The example with a field missing or of the wrong type, as far as that makes it no request any more.
///
/// A request of no fields has nothing to be wrong in.
fn broken(command: &str, request: &Value) -> Vec<Value> {
    if request.as_object().is_none_or(serde_json::Map::is_empty) {
        return Vec::new();
    }
    let mut all = vec![json!(null), json!("text"), json!([])];
    for name in request.as_object().into_iter().flat_map(|fields| fields.keys()) {
        let mut without = request.clone();
        without.as_object_mut().map(|fields| fields.shift_remove(name));
        all.push(without);
        for wrong in
            [json!(null), json!({ "no": "such" }), json!([[]]), json!("nobody's value"), json!(-1), json!(1e300)]
        {
            let mut other = request.clone();
            other[name] = wrong;
            all.push(other);
        }
    }
    all.retain(|value| !is_request(command, value.clone()));
    all
}

/// Requests of the right shape that make no sense, by what the contract says of their fields.
fn senseless() -> Vec<(Channel, &'static str, Value)> {
    let screen = Channel::Accessibility;
    let device = Channel::Device;
    let expect = json!({ "app": "", "class": "", "id": "", "text": "", "description": "", "labels": "" });
    let gesture = |ms: u32| json!({ "from": [540, 1800], "to": [540, 600], "durationMs": ms });
    let event = |begin: u64, end: u64| json!({ "title": "x", "begin": begin, "end": end });
    vec![
        (screen, "perform", json!({ "handle": "n1", "expect": expect, "action": "type" })),
        (screen, "gesture", gesture(0)),
        (screen, "gesture", gesture(10_001)),
        (Channel::Projection, "startRecording", json!({ "limitS": 0 })),
        (Channel::Projection, "startRecording", json!({ "limitS": 601 })),
        (device, "requestPermission", json!({ "permission": "everything" })),
        (device, "setVolume", json!({ "stream": "media", "percent": 101 })),
        (device, "setBrightness", json!({ "percent": 101 })),
        (device, "vibrate", json!({ "durationMs": 0 })),
        (device, "vibrate", json!({ "durationMs": 5_001 })),
        (device, "openSettings", json!({ "screen": "app" })),
        (device, "openSettings", json!({ "screen": "app_notifications" })),
        (device, "openUri", json!({ "uri": "javascript:alert(1)" })),
        (device, "openUri", json!({ "uri": "file:///etc/passwd" })),
        (device, "openUri", json!({ "uri": "intent://x#Intent;end" })),
        (device, "createEvent", event(1_790_000_000_000, 1_790_000_000_000)),
        (device, "createEvent", event(1_790_000_000_000, 1_780_000_000_000)),
    ]
}
