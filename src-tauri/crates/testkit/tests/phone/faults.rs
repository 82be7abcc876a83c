// SPDX-License-Identifier: Apache-2.0
//! Channels, faults, time, and the system's questions.

use super::*;
use bailey_ports::device::*;
use bailey_testkit::phone::*;
use futures::{FutureExt, StreamExt};

#[tokio::test]
async fn channels_come_and_go() {
    let phone = Phone::default();
    let mut events = phone.events();
    for (at, named) in [Fault::NotGranted, Fault::NotBound, Fault::NotAnswering].into_iter().enumerate() {
        phone.change(|w| w.set_channel(Channel::Accessibility, Some(named)));
        assert_eq!(fault(phone.ask(ReadScreen {}).await), named);
        let state = phone.ask(bailey_ports::device::AccessibilityState {}).await.unwrap();
        assert_eq!([state.granted, state.bound, state.answering], [at > 0, at > 1, false]);
        assert_eq!(state.fault, Some(named));
        let changed = DeviceEvent::ChannelChanged { channel: Channel::Accessibility, state };
        assert_eq!(events.next().await, Some(changed));
    }
    phone.change(|w| w.set_channel(Channel::Shizuku, Some(Fault::NotRunning)));
    let run = || Execute { command: "getprop ro.build.version.sdk".into(), timeout_ms: 1_000, max_bytes: 100 };
    assert_eq!(fault(phone.ask(run()).await), Fault::NotRunning);
    assert_eq!(fault(phone.ask(AskShizuku {}).await), Fault::NotRunning);
    phone.change(|w| w.set_channel(Channel::Shizuku, Some(Fault::NotGranted)));
    let fine = ChannelState { granted: true, bound: true, answering: true, ..ChannelState::default() };
    assert_eq!(phone.ask(AskShizuku {}).await.unwrap(), fine);
    assert_eq!(phone.ask(run()).await.unwrap().stdout, "34\n");
}

#[tokio::test]
async fn the_systems_questions_wait_on_the_screen_and_back_is_no() {
    let phone = Phone::default();
    phone.change(|w| {
        w.answers_dialogs(Consent::Waits);
        w.grant("contacts", false);
    });
    let (asking, shown) = (phone.clone(), phone.clone());
    let request = tokio::spawn(async move { asking.ask(RequestPermission { permission: "contacts".into() }).await });
    while !shows(&shown.screen(), "Allow Bailey to access your contacts?") {
        tokio::task::yield_now().await;
    }
    let dialog = find(&phone.screen(), "Allow").unwrap();
    assert_eq!(dialog.app, packages::PERMISSIONS_UI);
    assert!(!request.is_finished());
    // Whoever taps it, the log tells.
    phone.ask(dialog.request(NodeAction::Tap, None)).await.unwrap();
    assert!(request.await.unwrap().unwrap().permissions["contacts"]);
    let granted = Effect::PermissionGranted { package: packages::BAILEY.into(), permission: "contacts".into() };
    assert_eq!(done(&phone), [granted]);

    let asking = phone.clone();
    let request = tokio::spawn(async move { asking.ask(StartProjection {}).await });
    while !shows(&phone.screen(), "Start now") {
        tokio::task::yield_now().await;
    }
    key(&phone, GlobalKey::Back).await;
    assert_eq!(fault(request.await.unwrap()), Fault::Declined);
    assert_eq!(phone.ask(ProjectionState {}).await.unwrap().fault, Some(Fault::NotGranted));
}

#[tokio::test]
async fn what_the_person_grants_is_not_what_bailey_did() {
    let phone = Phone::default();
    phone.ask(StartProjection {}).await.unwrap();
    assert_eq!(done(&phone), []);
    assert_eq!(phone.log().last().map(|e| (e.by, e.effect.clone())), Some((Hand::Outside, Effect::ProjectionStarted)));
    assert_eq!(phone.ask(ReadFrame { max_edge: 240 }).await.unwrap().picture.height, 240);
    phone.change(|w| w.answers_dialogs(Consent::Declines));
    phone.change(|w| w.set_channel(Channel::Projection, Some(Fault::NotGranted)));
    assert_eq!(fault(phone.ask(StartProjection {}).await), Fault::Declined);
}

#[tokio::test]
async fn faults_come_as_often_as_they_are_in_store() {
    let phone = opened(packages::MESSENGER).await;
    let finger = Finger(&phone);
    phone.fail("perform", Fault::TimedOut, 2);
    assert_eq!(fault(finger.tap("Mum").await), Fault::TimedOut);
    assert_eq!(fault(finger.tap("Mum").await), Fault::TimedOut);
    finger.tap("Mum").await.unwrap();
    phone.fail("accessibility", Fault::Busy, 1);
    assert_eq!(fault(phone.ask(ReadScreen {}).await), Fault::Busy);
    phone.without("screenshot");
    assert!(!phone.can::<Screenshot>());
    assert_eq!(fault(phone.ask(Screenshot { max_edge: 9 }).await), Fault::Unsupported);
    let before = bailey_ports::Clock::now(&**phone.clock());
    phone.slow("readScreen", 1_500, 1);
    phone.ask(ReadScreen {}).await.unwrap();
    assert_eq!(bailey_ports::Clock::now(&**phone.clock()) - before, 1_500);
    phone.hang("pressKey", true, 1);
    assert!(phone.ask(PressKey { key: GlobalKey::Home }).now_or_never().is_none());
    assert_eq!(phone.change(|w| w.front().to_owned()), packages::LAUNCHER);
    phone.hang("openApp", false, 1);
    assert!(phone.ask(OpenApp { package: packages::SHOP.into() }).now_or_never().is_none());
    assert_eq!(phone.change(|w| w.front().to_owned()), packages::LAUNCHER);
}

#[tokio::test]
async fn time_passes_only_when_told() {
    let phone = Phone::default();
    phone.change(|w| w.be_restless(400));
    let idle = phone.ask(WaitIdle { quiet_ms: 300, timeout_ms: 3_000 }).await.unwrap();
    assert_eq!((idle.idle, idle.waited_ms), (true, 700));
    phone.change(|w| w.be_restless(10_000));
    let idle = phone.ask(WaitIdle { quiet_ms: 300, timeout_ms: 3_000 }).await.unwrap();
    assert_eq!((idle.idle, idle.waited_ms), (false, 3_000));
    phone.ask(SetAlarm { id: "a1".into(), at: 1_790_000_060_000, exact: true }).await.unwrap();
    let mut events = phone.events();
    phone.pass(50_000);
    assert_eq!(phone.ask(TakeArrivals {}).await.unwrap().arrivals, []);
    phone.pass(10_000);
    assert_eq!(events.next().await, Some(DeviceEvent::Arrived));
    let alarm = bailey_ports::device::Arrival::Alarm { id: "a1".into() };
    assert_eq!(phone.ask(TakeArrivals {}).await.unwrap().arrivals, [alarm]);
}

#[tokio::test]
async fn the_shell_manages_apps_and_cuts_what_is_too_long() {
    let phone = Phone::default();
    let manage = |package: &str, action| ManageApp { package: package.into(), action };
    assert_eq!(phone.ask(manage(packages::SHOP, ManageAppAction::Uninstall)).await.unwrap().said, "Success");
    assert_eq!(fault(phone.ask(manage(packages::SHOP, ManageAppAction::Stop)).await), Fault::NotFound);
    assert_eq!(fault(phone.ask(manage(packages::BAILEY, ManageAppAction::Clear)).await), Fault::Refused);
    phone.change(|w| w.set_command("cat long", 0, "abcdefghij"));
    let run = |command: &str| Execute { command: command.into(), timeout_ms: 1_000, max_bytes: 4 };
    let long = phone.ask(run("cat long")).await.unwrap();
    assert_eq!((long.stdout.as_str(), long.cut), ("abij", true));
    let slept = phone.ask(run("sleep 5")).await.unwrap();
    assert_eq!((slept.timed_out, slept.code), (true, None));
    assert_eq!(phone.ask(run("no-such-thing")).await.unwrap().code, Some(127));
}

#[tokio::test]
async fn the_same_steps_make_the_same_phone() {
    let run = || async {
        let phone = opened(packages::MESSENGER).await;
        Finger(&phone).tap("Mum").await.unwrap();
        Finger(&phone).enter("message_field", "Hi").await.unwrap();
        phone.change(|w| w.pop_up(Popup::Permission("camera")));
        (phone.screen(), phone.log())
    };
    assert_eq!(run().await, run().await);
}
