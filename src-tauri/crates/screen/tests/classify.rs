// SPDX-License-Identifier: Apache-2.0
//! What touching something does: held against real dumps labelled by hand, and against an app that lies.

#![expect(clippy::print_stdout, reason = "the figures are to be seen")]

mod common;

use bailey_ports::device::{Bounds, Node, NodeAction, Screen, Window};
use bailey_protocol::NodeClass;
use bailey_screen::{Found, classify, target};
use common::{corpus, is_actionable, screens};
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn nothing_that_was_labelled_risky_comes_out_ordinary() {
    if corpus().is_none() {
        return;
    }
    let labels: BTreeMap<&str, &str> = include_str!("labels.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once('\t'))
        .collect();
    let (mut risky, mut ordinary, mut asks) = (0, 0, 0);
    let mut wrong = Vec::new();
    for (name, screen) in screens() {
        let Some(listed) = labels.get(name.as_str()) else { continue };
        let listed: BTreeSet<&str> = listed.split_whitespace().collect();
        let mut met = 0;
        for node in screen.windows.iter().flat_map(|w| &w.nodes).filter(|n| is_actionable(n)) {
            let Some(found) = Found::of(&screen, &node.handle).filter(|found| !found.hidden) else { continue };
            if node.scrollable && !node.clickable {
                continue;
            }
            let class = classify(&found, NodeAction::Tap);
            let is_risky = listed.contains("*") || listed.contains(node.handle.as_str());
            met += usize::from(is_risky);
            risky += usize::from(is_risky);
            ordinary += usize::from(!is_risky);
            asks += usize::from(!is_risky && !class.is_ordinary());
            if is_risky && class.is_ordinary() {
                wrong.push(format!("{name} {} {class:?} {:?}", node.handle, node.text));
            }
        }
        assert!(met >= listed.len(), "{name}: a label names nothing");
    }
    println!("{risky} risky; of {ordinary} ordinary ones {asks} ask ({} %)", asks * 100 / ordinary.max(1));
    assert!(risky >= 100 && ordinary >= 300, "{risky} {ordinary}");
    assert_eq!(wrong, Vec::<String>::new());
}

/// A window with one thing in it, as wide as it is told.
fn alone(node: Node) -> Screen {
    let root = Node { class: "android.widget.FrameLayout".into(), bounds: Bounds(0, 0, 1000, 2000), ..Node::default() };
    let bounds = if node.bounds.is_empty() { Bounds(0, 500, 300, 600) } else { node.bounds };
    let node = Node { parent: Some(0), handle: "1".into(), clickable: true, bounds, ..node };
    let window = Window {
        app: "org.example.app".into(),
        bounds: Bounds(0, 0, 1000, 2000),
        nodes: vec![root, node],
        ..Window::default()
    };
    Screen { width: 1000, height: 2000, windows: vec![window], ..Screen::default() }
}

fn class_of(node: Node, action: NodeAction) -> NodeClass {
    classify(&Found::of(&alone(node), "1").unwrap(), action)
}

fn button(text: &str) -> Node {
    Node { class: "android.widget.Button".into(), text: text.into(), ..Node::default() }
}

#[test]
fn buttons_are_told_by_their_words_in_many_languages() {
    use NodeClass::*;
    for (text, class) in [
        ("Send", Send),
        ("发送", Send),
        ("送信", Send),
        ("보내기", Send),
        ("Senden", Send),
        ("Envoyer", Send),
        ("Enviar", Send),
        ("Отправить", Send),
        ("إرسال", Send),
        ("Gửi", Send),
        ("Pay $12.00", Pay),
        ("立即支付", Pay),
        ("注文を確定する", Pay),
        ("Jetzt kaufen", Pay),
        ("Delete", Delete),
        ("删除聊天", Delete),
        ("Tout supprimer", Delete),
        ("Удалить", Delete),
        ("Install", Install),
        ("卸载", Install),
        ("Allow", Permission),
        ("允许", Permission),
        ("Sign in", Account),
        ("登录", Account),
        ("Open in browser", Leave),
        ("Back", Navigate),
        ("返回", Navigate),
        ("More options", Navigate),
        ("Qwertz", Unknown),
        ("", Unknown),
    ] {
        assert_eq!(class_of(button(text), NodeAction::Tap), class, "{text}");
    }
    // A word is a whole word: "Postbox" posts nothing, and nobody can tell what it does.
    assert_eq!(class_of(button("Postbox"), NodeAction::Tap), Unknown);
}

#[test]
fn a_look_alike_gains_nothing() {
    let named = |text: &str, id: &str| class_of(Node { id: id.into(), ..button(text) }, NodeAction::Tap);
    assert_eq!(named("Cancel", "pay_button"), NodeClass::Pay);
    assert_eq!(named("Back", "btnConfirmTransfer"), NodeClass::Pay);
    assert_eq!(named("Close", "delete_all"), NodeClass::Delete);
    assert_eq!(named("Search", "send"), NodeClass::Send);
    let said = Node { description: "Pay now".into(), ..button("Back") };
    assert_eq!(class_of(said, NodeAction::Tap), NodeClass::Pay);
    let marked = Node { text: "P\u{200b}ay\u{202e}".into(), ..button("") };
    assert_eq!(class_of(marked, NodeAction::Tap), NodeClass::Pay);
}

#[test]
fn fields_and_keys() {
    let field = |hint: &str| Node {
        class: "android.widget.EditText".into(),
        editable: true,
        hint: hint.into(),
        ..Node::default()
    };
    for (hint, typed, submitted) in [
        ("Message", NodeClass::Field, NodeClass::Send),
        ("Search", NodeClass::Field, NodeClass::Navigate),
        ("搜索", NodeClass::Field, NodeClass::Navigate),
        ("Card number", NodeClass::Pay, NodeClass::Send),
        ("验证码", NodeClass::Account, NodeClass::Send),
        ("Amount", NodeClass::Pay, NodeClass::Send),
    ] {
        assert_eq!(class_of(field(hint), NodeAction::Type), typed, "{hint}");
        assert_eq!(class_of(field(hint), NodeAction::Submit), submitted, "{hint}");
    }
    let password = Node { password: true, ..field("Search") };
    assert_eq!(class_of(password.clone(), NodeAction::Type), NodeClass::Account);
    assert_eq!(class_of(password, NodeAction::Submit), NodeClass::Account);
    assert_eq!(class_of(button("Pay"), NodeAction::ScrollForward), NodeClass::Scroll);
    assert_eq!(class_of(button("Back"), NodeAction::LongPress), NodeClass::Unknown);
    let hidden = Node { hidden: true, ..button("Back") };
    assert_eq!(class_of(hidden, NodeAction::Tap), NodeClass::Unknown);
}

#[test]
fn a_target_shows_what_it_is() {
    let screen = alone(Node { id: "send_button".into(), ..button("Send") });
    let shown = target(&Found::of(&screen, "1").unwrap(), NodeAction::Tap, "Chat");
    assert_eq!((shown.app.as_str(), shown.app_name.as_str()), ("org.example.app", "Chat"));
    assert_eq!((shown.role.as_str(), shown.label.as_str(), shown.class), ("button", "Send", NodeClass::Send));
    assert_eq!(shown.bounds, (0, 500, 300, 600));
    assert!(shown.fingerprint.contains("send_button"));
    // Another text is another thing.
    let other = alone(Node { id: "send_button".into(), ..button("Send all") });
    assert!(!target(&Found::of(&other, "1").unwrap(), NodeAction::Tap, "Chat").is_same(&shown));
}

/// Something to tap with a text in it, in something that scrolls.
fn row_of(list: &str, texts: &[&str], bounds: Bounds) -> NodeClass {
    let node = |parent, class: &str| Node { parent, class: class.into(), bounds, ..Node::default() };
    let root = Node { class: "android.widget.FrameLayout".into(), bounds: Bounds(0, 0, 1000, 2000), ..Node::default() };
    let row = Node { handle: "1".into(), clickable: true, ..node(Some(1), "android.widget.LinearLayout") };
    let mut nodes = vec![root, node(Some(0), list), row];
    nodes.extend(texts.iter().map(|text| Node { text: (*text).into(), ..node(Some(2), "android.widget.TextView") }));
    let window = Window { app: "org.example.app".into(), bounds: Bounds(0, 0, 1000, 2000), nodes, ..Window::default() };
    let screen = Screen { width: 1000, height: 2000, windows: vec![window], ..Screen::default() };
    classify(&Found::of(&screen, "1").unwrap(), NodeAction::Tap)
}

#[test]
fn a_button_that_looks_like_a_row_or_a_tab_is_still_a_button() {
    let wide = Bounds(0, 800, 1000, 900);
    for list in ["android.widget.ScrollView", "androidx.recyclerview.widget.RecyclerView"] {
        for text in [
            "Pay $12.00 to John Smith now",
            "Delete my account and all of its data",
            "立即支付订单金额并同意服务协议",
            "Cancel order",
            "Ödeme yap",
            "ชำระเงิน",
        ] {
            let class = row_of(list, &[text], wide);
            assert!(!class.is_ordinary(), "{list} {text}: {class:?}");
        }
    }
    // A page of a form is no list.
    assert_eq!(row_of("android.widget.ScrollView", &["Qwertz"], wide), NodeClass::Unknown);
    assert_eq!(row_of("android.widget.ListView", &["Location"], wide), NodeClass::Navigate);
    // A row's preview of a message is content.
    let preview = ["Anna", "Could you pay the bill for me before Friday?"];
    assert_eq!(row_of("android.widget.ListView", &preview, wide), NodeClass::Navigate);
    // A suggested answer is sent at once.
    let chip = Bounds(0, 1700, 300, 1800);
    for text in ["I'm on my way", "Sounds good!", "👍"] {
        assert_eq!(row_of("android.widget.HorizontalScrollView", &[text], chip), NodeClass::Unknown, "{text}");
    }
}
