// SPDX-License-Identifier: Apache-2.0
//! What every [`Device`] is held to: the simulated phone, a desktop, and a real one. It knows the contract and nothing
//! of who is behind it.

mod hands;
mod malformed;
mod shape;

use bailey_ports::device::{
    Channel, Device, DeviceError, Fault, Node, Perform, Screen, Window, WindowKind, contract, requests,
};
use futures::{FutureExt, StreamExt};
use serde_json::{Value, json};
use std::time::Duration;

/// What can be expected of a device as it stands.
#[derive(Clone, Debug)]
pub struct Expectations {
    /// No request takes longer than this.
    pub patience: Duration,
    /// Commands that are answered here, and not refused for want of a permission.
    pub answers: Vec<&'static str>,
    /// Whether requests that change something may be tried, as the torch.
    pub changes: bool,
    /// Whether requests may be tried that ask the person by a dialog of the system's: somebody answers them.
    pub asks: bool,
    /// The text, description, hint or resource name of a field on the screen that may be typed into.
    pub field: Option<String>,
    /// Likewise of a field for a password.
    pub password: Option<String>,
}

impl Default for Expectations {
    /// Nothing is expected to be granted, nothing may be changed, and nothing takes longer than 30 s.
    fn default() -> Self {
        let patience = Duration::from_secs(30);
        Self { patience, answers: Vec::new(), changes: false, asks: false, field: None, password: None }
    }
}

/// Holds a device to the contract and tells every way in which it does not keep it. On a real device the app in front
/// must stand still meanwhile. What is switched on for it is switched off again; what was opened stays open.
pub async fn hold_to_contract(device: &dyn Device, expectations: Expectations) -> Vec<String> {
    let mut check = Check { device, expectations, violations: Vec::new() };
    let mut kept = device.events();
    let dropped = device.events();
    check.offers().await;
    check.malformed().await;
    drop(dropped);
    check.repeated().await;
    check.at_once().await;
    check.hands().await;
    check.examples().await;
    // A stream that has nothing to tell waits; it never ends.
    while let Some(next) = kept.next().now_or_never() {
        if next.is_none() {
            check.violated("the stream of events ended");
            break;
        }
    }
    if matches!(device.events().next().now_or_never(), Some(None)) {
        check.violated("a new stream of events ends at once");
    }
    check.violations
}

/// A device under examination.
struct Check<'a> {
    device: &'a dyn Device,
    expectations: Expectations,
    violations: Vec<String>,
}

/// The examples of the contract: channel, command and request.
fn examples() -> Vec<(Channel, &'static str, Value)> {
    let contract = contract();
    let example = |command: &str| {
        let all = contract["requests"].as_array();
        all.into_iter().flatten().find(|e| e["command"] == command).map_or(Value::Null, |e| e["request"].clone())
    };
    requests().into_iter().map(|(channel, command)| (channel, command, example(command))).collect()
}

impl Check<'_> {
    fn violated(&mut self, what: impl Into<String>) {
        self.violations.push(what.into());
    }

    /// Asks, and minds the time and the channel of an error.
    async fn call(&mut self, channel: Channel, command: &str, request: Value) -> Result<Value, DeviceError> {
        let Ok(answer) =
            tokio::time::timeout(self.expectations.patience, self.device.call(channel, command, request)).await
        else {
            self.violated(format!("{command} does not end"));
            return Err(DeviceError::new(channel, Fault::TimedOut, "no answer"));
        };
        if let Err(error) = &answer
            && error.channel != channel
        {
            self.violated(format!("{command} of {} fails as {}", channel.name(), error.channel.name()));
        }
        answer
    }

    /// What is not offered is unsupported, and what is not in the contract is not offered.
    async fn offers(&mut self) {
        for (channel, command, request) in examples() {
            if !self.device.offers(channel, command) {
                if self.expectations.answers.contains(&command) {
                    self.violated(format!("{command} is not offered"));
                }
                let answer = self.call(channel, command, request).await;
                self.expect_fault(&format!("{command}, which is not offered,"), answer, &[Fault::Unsupported]);
            }
            for other in Channel::ALL.into_iter().filter(|other| *other != channel) {
                if self.device.offers(other, command) {
                    self.violated(format!("{command} is offered by {}, too", other.name()));
                }
            }
        }
        for channel in Channel::ALL {
            if self.device.offers(channel, "noSuchCommand") {
                self.violated(format!("{} offers what is not in the contract", channel.name()));
            }
            let answer = self.call(channel, "noSuchCommand", json!({})).await;
            self.expect_fault("a command that is not in the contract", answer, &[Fault::Unsupported]);
        }
        let answer = self.call(Channel::Device, "readScreen", json!({})).await;
        self.expect_fault("readScreen through another channel", answer, &[Fault::Unsupported]);
    }

    fn expect_fault(&mut self, what: &str, answer: Result<Value, DeviceError>, faults: &[Fault]) {
        match answer {
            Ok(reply) => self.violated(format!("{what} is answered: {}", short(&reply))),
            Err(error) if faults.contains(&error.fault) => {}
            Err(error) => self.violated(format!("{what} fails with {}, not {faults:?}", error.fault.name())),
        }
    }

    async fn screen(&mut self) -> Option<Screen> {
        let answer = self.call(Channel::Accessibility, "readScreen", json!({})).await.ok()?;
        serde_json::from_value(answer).ok()
    }

    async fn perform(&mut self, request: &Perform) -> Result<Value, DeviceError> {
        self.call(Channel::Accessibility, "perform", json!(request)).await
    }
}

/// A reply, short enough for a message.
fn short(value: &Value) -> String {
    value.to_string().chars().take(120).collect()
}

/// A node of a screen with its window.
fn nodes(screen: &Screen) -> impl Iterator<Item = (&Window, usize, &Node)> {
    screen.windows.iter().flat_map(|window| window.nodes.iter().enumerate().map(move |(at, node)| (window, at, node)))
}

/// What stands still on a screen on which nothing happens: not the system's bars, with their clock.
fn still(screen: &Screen) -> Vec<&Window> {
    screen.windows.iter().filter(|window| window.kind != WindowKind::System).collect()
}
