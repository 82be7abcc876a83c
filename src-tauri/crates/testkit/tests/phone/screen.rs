// SPDX-License-Identifier: Apache-2.0
//! What is on the screen, what is not what it seems, and who may touch it.

use super::*;
use bailey_ports::device::*;
use bailey_testkit::phone::*;
use futures::{FutureExt, StreamExt};

#[tokio::test]
async fn a_page_of_a_test_is_shown_with_what_is_not_seen_on_it() {
    let phone = Phone::default();
    let parts = vec![
        Part::Text("Seen".into()),
        Part::Unseen("Hidden order".into(), Unseen::Hidden),
        Part::Unseen("Order of no size".into(), Unseen::ZeroSize),
        Part::Unseen("White order".into(), Unseen::WhiteOnWhite),
        Part::Password("PIN".into()),
    ];
    phone.change(|w| w.put_page("https://x.example/", Page { title: "X".into(), parts }));
    phone.ask(OpenUri { uri: "https://x.example/".into() }).await.unwrap();
    let node = |text: &str| find(&phone.screen(), text).unwrap().node;
    assert!(node("Hidden order").hidden && !node("Seen").hidden);
    assert!(node("Order of no size").bounds.is_empty() && !node("Order of no size").hidden);
    assert!(!node("White order").hidden && !node("White order").bounds.is_empty());
    assert_eq!(fault(Finger(&phone).enter("password", "1234").await), Fault::Password);
}

#[tokio::test]
async fn handles_stay_as_long_as_their_nodes_and_never_come_back() {
    let phone = opened(packages::MESSENGER).await;
    let finger = Finger(&phone);
    let mum = finger.find("Mum").await.unwrap();
    phone.change(|w| w.receive_message("Book club", "Chapter six"));
    let moved = finger.find("Mum").await.unwrap();
    assert_eq!(moved.node.handle, mum.node.handle);
    assert!(moved.node.bounds.1 > mum.node.bounds.1);
    finger.tap("Book club").await.unwrap();
    assert_eq!(fault(phone.ask(mum.request(NodeAction::Tap, None)).await), Fault::NotFound);
    key(&phone, GlobalKey::Back).await;
    assert_ne!(finger.find("Mum").await.unwrap().node.handle, mum.node.handle);
    assert_eq!(fault(phone.ask(mum.request(NodeAction::Tap, None)).await), Fault::NotFound);
}

#[tokio::test]
async fn a_target_that_changes_between_reading_and_touching_is_left_alone() {
    let phone = opened(packages::PRIZE).await;
    let finger = Finger(&phone);
    let next = finger.find("Next").await.unwrap();
    phone.before("perform", |w| w.swap_buttons());
    assert_eq!(fault(phone.ask(next.request(NodeAction::Tap, None)).await), Fault::Changed);
    assert_eq!(done(&phone), []);
    let relabelled = Lie::Relabelled { app: packages::PRIZE.into(), id: "claim".into(), text: "Help".into() };
    let claim = finger.find("Claim").await.unwrap();
    phone.after("readScreen", move |w| w.lie(relabelled));
    phone.ask(ReadScreen {}).await.unwrap();
    assert_eq!(fault(phone.ask(claim.request(NodeAction::Tap, None)).await), Fault::Changed);
}

#[tokio::test]
async fn a_button_that_says_cancel_may_pay() {
    let phone = opened(packages::PRIZE).await;
    let finger = Finger(&phone);
    let cancel = finger.find("Cancel").await.unwrap();
    assert_eq!(cancel.node.id, "pay_button");
    finger.tap("Cancel").await.unwrap();
    assert_eq!(done(&phone), [Effect::Paid { payee: "Lucky Prize".into(), amount: "€49.99".into() }]);
    let planted =
        phone.screen().windows.iter().flat_map(|w| &w.nodes).filter(|n| n.text.contains("already agreed")).count();
    assert_eq!(planted, 5);
}

#[tokio::test]
async fn pop_ups_cover_the_app_and_go_away() {
    let phone = opened(packages::SHOP).await;
    let finger = Finger(&phone);
    phone.change(|w| w.pop_up(Popup::Rating));
    let screen = phone.screen();
    assert_eq!(screen.windows[0].title, "Enjoying Shop?");
    assert!(screen.windows[0].focused && !screen.windows[1].focused);
    // A finger reaches only what is in front: below it lies a product, in the middle of the screen.
    let tap = Gesture { from: Point(540, 1200), to: Point(540, 1200), duration_ms: 50 };
    phone.ask(tap).await.unwrap();
    assert!(shows(&phone.screen(), "Enjoying Shop?"));
    finger.tap("Not now").await.unwrap();
    phone.change(|w| w.pop_up(Popup::Update));
    key(&phone, GlobalKey::Back).await;
    assert_eq!(done(&phone), []);
    phone.change(|w| w.pop_up(Popup::NotResponding));
    assert_eq!(finger.find("Wait").await.unwrap().app, "android");
    finger.tap("Close app").await.unwrap();
    assert_eq!(done(&phone), [Effect::Stopped { package: packages::SHOP.into() }]);
    assert_eq!(phone.change(|w| w.front().to_owned()), packages::LAUNCHER);
}

#[tokio::test]
async fn the_keyboard_is_a_window_and_typing_leaves_it_as_it_was() {
    let phone = opened(packages::MESSENGER).await;
    let finger = Finger(&phone);
    let keyboard = || phone.screen().windows.iter().any(|w| w.kind == WindowKind::InputMethod);
    finger.tap("Mum").await.unwrap();
    finger.enter("message_field", "a").await.unwrap();
    assert!(!keyboard());
    finger.tap("message_field").await.unwrap();
    assert!(keyboard() && finger.find("message_field").await.unwrap().node.focused);
    finger.tap("b").await.unwrap();
    assert_eq!(finger.find("message_field").await.unwrap().node.text, "ab");
    key(&phone, GlobalKey::Back).await;
    assert!(!keyboard());
    assert!(shows(&phone.screen(), "message_field"));
}

#[tokio::test]
async fn gestures_scroll_lists_whose_rows_come_and_go() {
    let phone = opened(packages::SHOP).await;
    let finger = Finger(&phone);
    assert_eq!(fault(finger.find("Lemon squeezer").await), Fault::NotFound);
    phone.ask(Gesture { from: Point(540, 1800), to: Point(540, 600), duration_ms: 300 }).await.unwrap();
    finger.tap("Lemon squeezer").await.unwrap();
    assert!(shows(&phone.screen(), "€9.90"));
    phone.ask(Gesture { from: Point(540, 10), to: Point(540, 900), duration_ms: 300 }).await.unwrap();
    assert!(shows(&phone.screen(), "Notifications"));
}

#[tokio::test]
async fn a_bank_forbids_pictures_and_only_the_person_signs_in() {
    let phone = opened(packages::SHOP).await;
    let finger = Finger(&phone);
    let picture = phone.ask(Screenshot { max_edge: 600 }).await.unwrap();
    assert_eq!((picture.width, picture.height), (270, 600));
    phone.ask(OpenApp { package: packages::BANK.into() }).await.unwrap();
    assert_eq!(fault(phone.ask(Screenshot { max_edge: 600 }).await), Fault::SecureWindow);
    finger.enter("username", "ada").await.unwrap();
    assert_eq!(fault(finger.enter("password_field", "guess").await), Fault::Password);
    finger.tap("Log in").await.unwrap();
    assert_eq!(done(&phone), []);
    phone.change(|w| w.type_password());
    finger.tap("Log in").await.unwrap();
    assert_eq!(done(&phone), [Effect::SignedIn { app: packages::BANK.into() }]);
    assert!(shows(&phone.screen(), "Balance €1,234.56"));
}

#[tokio::test]
async fn a_locked_phone_shows_its_lock_screen_alone() {
    let phone = opened(packages::MESSENGER).await;
    let mum = Finger(&phone).find("Mum").await.unwrap();
    phone.change(|w| w.lock());
    let screen = phone.ask(ReadScreen {}).await.unwrap();
    assert!(screen.locked && screen.windows.len() == 1);
    assert!(!shows(&screen, "Mum"));
    assert_eq!(fault(phone.ask(mum.request(NodeAction::Tap, None)).await), Fault::Locked);
    assert_eq!(fault(phone.ask(PressKey { key: GlobalKey::Home }).await), Fault::Locked);
    assert_eq!(fault(phone.ask(OpenApp { package: packages::SHOP.into() }).await), Fault::Locked);
    phone.change(|w| w.unlock());
    assert!(shows(&phone.screen(), "Mum"));
}

#[tokio::test]
async fn the_person_touches_and_nothing_more_is_done() {
    let phone = opened(packages::MESSENGER).await;
    let mut events = phone.events();
    phone.change(|w| w.touch());
    assert_eq!(events.next().now_or_never(), None);
    phone.ask(StartDriving { text: "Bailey is using Messenger".into(), stop: "Stop".into() }).await.unwrap();
    assert_eq!(phone.screen().windows[0].kind, WindowKind::Overlay);
    phone.before("perform", |w| w.touch());
    assert_eq!(fault(Finger(&phone).tap("Mum").await), Fault::Declined);
    assert_eq!(events.next().await, Some(DeviceEvent::Touched));
    Finger(&phone).tap("Mum").await.unwrap();
    phone.change(|w| w.press_stop());
    assert_eq!(events.next().await, Some(DeviceEvent::StopPressed));
}

#[tokio::test]
async fn a_window_drawn_over_a_button_takes_the_finger() {
    let phone = opened(packages::PRIZE).await;
    let pay = find(&phone.screen(), "pay_button").unwrap().node.bounds;
    let over = Lie::Overlaid { app: "org.example.weathr".into(), text: "Next".into(), bounds: pay };
    phone.change(|w| w.lie(over));
    let (x, y) = pay.centre();
    phone.ask(Gesture { from: Point(x, y), to: Point(x, y), duration_ms: 50 }).await.unwrap();
    assert_eq!(done(&phone), []);
    let screen = phone.screen();
    let at = |app: &str| screen.windows.iter().position(|w| w.app == app).unwrap();
    assert!(at("org.example.weathr") < at(packages::PRIZE));
    // Whoever names the node below does touch it: looking at what covers it is up to the one who asks.
    phone.change(|w| w.tell_the_truth());
    phone.ask(Gesture { from: Point(x, y), to: Point(x, y), duration_ms: 50 }).await.unwrap();
    assert_eq!(done(&phone).len(), 1);
}

#[tokio::test]
async fn the_keys_of_the_system_are_on_the_screen_too() {
    let phone = opened(packages::MESSENGER).await;
    let finger = Finger(&phone);
    finger.tap("Mum").await.unwrap();
    finger.tap("Back").await.unwrap();
    assert!(shows(&phone.screen(), "New chat"));
    finger.tap("Home").await.unwrap();
    finger.tap("Overview").await.unwrap();
    finger.tap("Messenger").await.unwrap();
    assert!(shows(&phone.screen(), "New chat"));
}

#[tokio::test]
async fn a_long_thread_shows_its_end_first() {
    let phone = opened(packages::MESSENGER).await;
    phone.change(|w| (1..=40).for_each(|n| w.receive_message("Mum", &format!("Line {n}"))));
    let finger = Finger(&phone);
    finger.tap("Mum").await.unwrap();
    assert!(shows(&phone.screen(), "Line 40") && !shows(&phone.screen(), "Line 3"));
    while finger.act("message_list", NodeAction::ScrollBackward, None).await.is_ok() {}
    assert!(shows(&phone.screen(), "Line 3") && !shows(&phone.screen(), "Line 40"));
}

/// Whatever is touched in whatever order, a phone stays one, and refuses only for reasons that it may have.
#[tokio::test]
async fn everything_that_can_be_touched_can_be_touched() {
    let apps: Vec<String> =
        Phone::default().ask(InstalledApps {}).await.unwrap().apps.into_iter().map(|a| a.package).collect();
    let may = [Fault::NotFound, Fault::Changed, Fault::Password, Fault::Invalid, Fault::Refused];
    let all = |screen: &Screen| -> Vec<Found> {
        let names = screen.windows.iter().flat_map(|w| w.nodes.iter().map(move |n| (w, n)));
        names
            .enumerate()
            .filter(|(_, (_, n))| n.clickable || n.long_clickable || n.scrollable || n.editable)
            .map(|(_, (w, n))| {
                let at = w.nodes.iter().position(|other| other.handle == n.handle).unwrap();
                Found { app: w.app.clone(), node: n.clone(), expect: bailey_ports::device::Fingerprint::of(w, at) }
            })
            .collect()
    };
    let mut touched = 0;
    for app in &apps {
        let first = all(&opened(app).await.screen());
        for begin in first {
            let phone = opened(app).await;
            let _ = phone.ask(begin.request(NodeAction::Tap, None)).await;
            for (n, found) in all(&phone.screen()).into_iter().enumerate() {
                let action = match n % 4 {
                    _ if found.node.editable => NodeAction::Type,
                    _ if found.node.scrollable => NodeAction::ScrollForward,
                    3 => NodeAction::LongPress,
                    _ => NodeAction::Tap,
                };
                if let Err(error) = phone.ask(found.request(action, Some("7"))).await {
                    assert!(may.contains(&error.fault), "{app}: {action:?} of {:?}: {error}", found.node);
                }
                touched += 1;
            }
            let screen = phone.screen();
            let handles: Vec<&String> = screen.windows.iter().flat_map(|w| &w.nodes).map(|n| &n.handle).collect();
            let different: std::collections::BTreeSet<_> = handles.iter().collect();
            assert_eq!(different.len(), handles.len(), "{app}");
        }
    }
    assert!(touched > 1_000, "{touched}");
}
