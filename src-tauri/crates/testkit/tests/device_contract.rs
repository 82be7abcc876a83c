// SPDX-License-Identifier: Apache-2.0
//! The simulated phone keeps the contract, and a device that does not is found out.

use async_trait::async_trait;
use bailey_ports::device::{Channel, Device, DeviceError, DeviceEvent, DeviceExt, Fault, OpenApp, OpenUri, requests};
use bailey_testkit::device_contract::{Expectations, hold_to_contract};
use bailey_testkit::phone::{Finger, Phone, Popup, packages};
use futures::StreamExt;
use futures::stream::{self, BoxStream};
use serde_json::{Value, json};

async fn opened(package: &str) -> Phone {
    let phone = Phone::default();
    phone.ask(OpenApp { package: package.into() }).await.unwrap();
    phone
}

fn everything() -> Expectations {
    // What the examples name is not there: these answer nevertheless.
    let not_there = ["perform", "manageApp", "openApp", "endRecording"];
    let answers = requests().into_iter().map(|(_, command)| command).filter(|c| !not_there.contains(c)).collect();
    Expectations { answers, changes: true, asks: true, ..Expectations::default() }
}

#[tokio::test]
async fn the_phone_keeps_the_contract_with_everything_granted() {
    assert_eq!(hold_to_contract(&Phone::default(), everything()).await, [] as [String; 0]);
}

#[tokio::test]
async fn the_phone_keeps_the_contract_on_every_screen() {
    for package in [
        packages::SETTINGS,
        packages::CONTACTS,
        packages::DIALLER,
        packages::CALENDAR,
        packages::STORE,
        packages::MESSENGER,
        packages::BROWSER,
        packages::REGISTER,
        packages::SHOP,
        packages::MAIL,
        packages::MAPS,
        packages::MUSIC,
        packages::PRIZE,
        packages::BAILEY,
    ] {
        let phone = opened(package).await;
        assert_eq!(hold_to_contract(&phone, Expectations::default()).await, [] as [String; 0], "{package}");
        phone.change(|w| w.pop_up(Popup::Permission("camera")));
        assert_eq!(hold_to_contract(&phone, Expectations::default()).await, [] as [String; 0], "{package}");
    }
}

#[tokio::test]
async fn the_phone_keeps_the_contract_with_fields_and_passwords() {
    let phone = opened(packages::BANK).await;
    let expectations = Expectations {
        field: Some("username".into()),
        password: Some("password_field".into()),
        ..Expectations::default()
    };
    assert_eq!(hold_to_contract(&phone, expectations).await, [] as [String; 0]);
    let phone = opened(packages::MESSENGER).await;
    Finger(&phone).tap("Mum").await.unwrap();
    let expectations = Expectations { field: Some("message_field".into()), ..Expectations::default() };
    assert_eq!(hold_to_contract(&phone, expectations).await, [] as [String; 0]);
    phone.ask(OpenUri { uri: "https://club.example.org/join".into() }).await.unwrap();
    let expectations = Expectations { field: Some("email".into()), ..Expectations::default() };
    assert_eq!(hold_to_contract(&phone, expectations).await, [] as [String; 0]);
}

#[tokio::test]
async fn the_phone_keeps_the_contract_with_nothing_granted() {
    let phone = Phone::default();
    phone.change(|w| {
        for channel in Channel::ALL {
            w.set_channel(channel, Some(Fault::NotGranted));
        }
        for permission in ["contacts", "calendar", "location", "notifications", "notification_access", "usage"] {
            w.grant(permission, false);
        }
    });
    let expectations = Expectations { changes: true, ..Expectations::default() };
    assert_eq!(hold_to_contract(&phone, expectations).await, [] as [String; 0]);
    assert_eq!(phone.effects(), []);
}

#[tokio::test]
async fn the_phone_keeps_the_contract_locked_and_on_an_old_system() {
    let phone = opened(packages::SHOP).await;
    phone.without("screenshot");
    phone.without("execute");
    phone.change(|w| w.lock());
    assert_eq!(hold_to_contract(&phone, Expectations::default()).await, [] as [String; 0]);
    let missing = Expectations { answers: vec!["screenshot"], ..Expectations::default() };
    assert_eq!(hold_to_contract(&phone, missing).await, ["screenshot is not offered"]);
}

/// A phone that is wrong in one way.
struct Wrong {
    phone: Phone,
    how: How,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    TouchesWhatChanged,
    ReadsNobodysHandle,
    OffersNothing,
    OffersAll,
    AnswersAnything,
    TakesTheMalformed,
    TypesPasswords,
    ReadsBackNothing,
    NewHandles,
    TellsPasswords,
    EndsEvents,
    WrongChannel,
    WrongShape,
    StateFails,
    HangsOnce,
}

#[async_trait]
impl Device for Wrong {
    async fn call(&self, channel: Channel, command: &str, mut request: Value) -> Result<Value, DeviceError> {
        let known = requests().contains(&(channel, command));
        match self.how {
            How::TouchesWhatChanged | How::TypesPasswords if command == "perform" => {
                let screen = self.phone.screen();
                let handle = request["handle"].clone();
                for window in &screen.windows {
                    for (at, node) in window.nodes.iter().enumerate().filter(|(_, n)| json!(n.handle) == handle) {
                        if self.how == How::TypesPasswords && node.password && request["action"] == "type" {
                            self.phone.change(|w| w.type_password());
                            return Ok(json!({ "text": "••••", "bounds": node.bounds }));
                        }
                        if self.how == How::TouchesWhatChanged {
                            request["expect"] = json!(bailey_ports::device::Fingerprint::of(window, at));
                        }
                    }
                }
            }
            How::ReadsNobodysHandle if request["handle"] == "zzzzzzzzzzzz" => {
                return Ok(json!({ "bounds": [0, 0, 1, 1] }));
            }
            How::AnswersAnything if !known => return Ok(json!({})),
            How::TakesTheMalformed if command == "gesture" => {
                return Ok(json!({}));
            }
            How::HangsOnce if command == "network" => std::future::pending().await,
            How::StateFails if command == "shizukuState" => {
                return Err(DeviceError::new(channel, Fault::NotRunning, ""));
            }
            _ => {}
        }
        let mut answer = self.phone.call(channel, command, request).await;
        match (self.how, &mut answer) {
            (How::WrongChannel, Err(error)) => error.channel = Channel::Projection,
            (How::ReadsBackNothing, Ok(reply)) if command == "perform" => {
                reply.as_object_mut().unwrap().remove("text");
            }
            (How::WrongShape, Ok(reply)) if command == "info" => *reply = json!({ "maker": 1 }),
            (How::NewHandles | How::TellsPasswords, Ok(reply)) if command == "readScreen" => {
                let step = self.phone.asked().len();
                for window in reply["windows"].as_array_mut().unwrap() {
                    for node in window["nodes"].as_array_mut().unwrap() {
                        if self.how == How::NewHandles {
                            node["handle"] = json!(format!("{}s{step}", node["handle"].as_str().unwrap()));
                        } else if node["password"] == true {
                            node["text"] = json!("secret");
                        }
                    }
                }
            }
            _ => {}
        }
        answer
    }

    fn offers(&self, channel: Channel, command: &str) -> bool {
        match self.how {
            How::OffersNothing => false,
            How::OffersAll => true,
            _ => self.phone.offers(channel, command),
        }
    }

    fn events(&self) -> BoxStream<'static, DeviceEvent> {
        if self.how == How::EndsEvents { stream::empty().boxed() } else { self.phone.events() }
    }
}

#[tokio::test]
async fn a_device_that_is_wrong_is_found_out() {
    let ways = [
        (How::TouchesWhatChanged, "a target that is not what it was"),
        (How::ReadsNobodysHandle, "the handle \"zzzzzzzzzzzz\" is answered"),
        (How::OffersNothing, "which is not offered, is answered"),
        (How::OffersAll, "offers what is not in the contract"),
        (How::AnswersAnything, "a command that is not in the contract is answered"),
        (How::TakesTheMalformed, "gesture of null is answered"),
        (How::TypesPasswords, "typing a password is answered"),
        (How::ReadsBackNothing, "typing \"Hello\" is answered"),
        (How::NewHandles, "reading changes the screen"),
        (How::TellsPasswords, "the text of a field for a password"),
        (How::EndsEvents, "the stream of events ended"),
        (How::WrongChannel, "fails as projection"),
        (How::WrongShape, "info: "),
        (How::StateFails, "shizukuState fails instead of telling"),
        (How::HangsOnce, "network does not end"),
    ];
    for (how, said) in ways {
        let wrong = Wrong { phone: opened(packages::BANK).await, how };
        // Only the one that hangs is waited for.
        let patience = std::time::Duration::from_millis(if how == How::HangsOnce { 50 } else { 30_000 });
        let expectations = Expectations {
            patience,
            field: Some("username".into()),
            password: Some("password_field".into()),
            ..Expectations::default()
        };
        let violations = hold_to_contract(&wrong, expectations).await;
        assert!(violations.iter().any(|v| v.contains(said)), "{how:?}: {violations:#?}");
    }
}
