// SPDX-License-Identifier: Apache-2.0
//! The device beside the agent: what it shows of runs, what the person does there, and how its channels stand.

mod common;

use bailey_agent::Agent;
use bailey_ports::device::{Channel, Device, Fault};
use bailey_protocol::*;
use bailey_testkit::phone::{Consent, Effect, Phone};
use common::*;
use std::sync::Arc;

/// An agent on a phone, accompanied; a run of it calls the shell once.
fn on_a_phone() -> (World, Phone, Agent) {
    let mut world = World::scripted(&planned(vec![("run", vec![vec![("run_shell", r#"{"command":"date"}"#)]])]));
    let phone = Phone::default();
    world.device = Some(Arc::new(phone.clone()) as Arc<dyn Device>);
    let agent = world.agent();
    (world, phone, agent)
}

fn accompany(agent: &Agent, phone: &Phone) {
    let (agent, device) = (agent.clone(), Arc::new(phone.clone()) as Arc<dyn Device>);
    tokio::spawn(async move { agent.accompany(device).await });
}

/// Waits until the phone was asked this often.
async fn asked(phone: &Phone, command: &str, times: usize) {
    let count = || phone.asked().iter().filter(|(_, name)| name == command).count();
    let waited = tokio::time::timeout(SOON, async {
        while count() < times {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    });
    waited.await.unwrap_or_else(|_| panic!("{command} was asked {} times: {:?}", count(), phone.asked()));
}

fn posted(phone: &Phone) -> Vec<String> {
    let tag = |e| match e {
        Effect::Posted { tag } => Some(tag),
        _ => None,
    };
    phone.effects().into_iter().filter_map(tag).collect()
}

#[tokio::test]
async fn a_question_is_shown_on_the_phone_and_answered_there() {
    for allow in [true, false] {
        let (world, phone, agent) = on_a_phone();
        accompany(&agent, &phone);
        let mut face = Face::new(&agent);
        let sent = send(&agent, "run", Mode::Act).await;
        let ask = face.ask().await;
        asked(&phone, "showRun", 1).await;
        asked(&phone, "postAsk", 1).await;
        assert_eq!(posted(&phone), [ask.id.to_string()]);
        phone.change(|w| w.answer_ask(ask.id.as_str(), allow));
        let run = face.end(&sent.run).await;
        assert_eq!(run.state, RunState::Done);
        assert_eq!(world.shell.began().len(), usize::from(allow));
        asked(&phone, "withdrawAsk", 1).await;
        asked(&phone, "endRun", 1).await;
        // A second tap finds nothing and does nothing.
        phone.change(|w| w.answer_ask(ask.id.as_str(), true));
        tokio::task::yield_now().await;
        assert_eq!(world.shell.began().len(), usize::from(allow));
    }
}

#[tokio::test]
async fn stop_in_the_notification_stops_the_run() {
    let (world, phone, agent) = on_a_phone();
    accompany(&agent, &phone);
    let mut face = Face::new(&agent);
    let sent = send(&agent, "run", Mode::Act).await;
    face.ask().await;
    asked(&phone, "postAsk", 1).await;
    phone.change(|w| w.press_stop());
    assert_eq!(face.end(&sent.run).await.state, RunState::Stopped);
    assert_eq!(world.shell.began().len(), 0);
    asked(&phone, "endRun", 1).await;
}

#[tokio::test]
async fn channels_are_told_with_what_stands_in_the_way_and_tried() {
    let (_world, phone, agent) = on_a_phone();
    let state = async |channel: Channel| {
        let view = agent.device_view().await.unwrap();
        view.channels.into_iter().find(|c| c.channel == channel).unwrap().state
    };
    let fine = state(Channel::Accessibility).await;
    assert_eq!((fine.granted, fine.bound, fine.answering, fine.fault), (true, true, true, None));
    phone.change(|w| w.set_channel(Channel::Accessibility, Some(Fault::NotBound)));
    let state_now = state(Channel::Accessibility).await;
    assert_eq!((state_now.granted, state_now.bound, state_now.fault), (true, false, Some(Fault::NotBound)));
    phone.change(|w| w.set_channel(Channel::Accessibility, None));
    // It says that it is there and does not answer: trying it finds out.
    phone.fail("readScreen", Fault::NotAnswering, 1);
    let tried = agent.device_try(ChannelRef { channel: Channel::Accessibility }).await.unwrap().state;
    assert_eq!((tried.answering, tried.fault), (false, Some(Fault::NotAnswering)));
    let tried = agent.device_try(ChannelRef { channel: Channel::Accessibility }).await.unwrap().state;
    assert!(tried.answering && tried.fault.is_none(), "{tried:?}");
}

#[tokio::test]
async fn a_permission_is_asked_for_and_a_no_is_no_error() {
    let (_world, phone, agent) = on_a_phone();
    phone.change(|w| w.grant("contacts", false));
    assert!(!agent.device_view().await.unwrap().permissions["contacts"]);
    let ask = async |consent| {
        phone.change(|w| w.answers_dialogs(consent));
        let view = agent.device_ask(PermissionRef { permission: "contacts".into() }).await;
        view.unwrap().permissions["contacts"]
    };
    assert!(!ask(Consent::Declines).await);
    assert!(ask(Consent::Grants).await);
}

#[tokio::test]
async fn where_there_is_no_device_there_is_nothing_to_grant() {
    let world = World::scripted(&planned(vec![]));
    let agent = world.agent();
    assert_eq!(agent.device_view().await.unwrap(), DeviceView::default());
    let error = agent.device_ask(PermissionRef { permission: "contacts".into() }).await.unwrap_err();
    assert_eq!(error.code, Code::NotFound);
    assert!(agent.device_try(ChannelRef { channel: Channel::Shizuku }).await.is_err());
}
