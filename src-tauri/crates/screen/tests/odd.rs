// SPDX-License-Identifier: Apache-2.0
//! Whatever an app reports, it is read, and no node makes another one ordinary.

use bailey_ports::device::{Bounds, Node, NodeAction, Screen, Window, WindowKind};
use bailey_screen::{Found, classify, read, target};
use proptest::prelude::*;
use proptest::sample::select;

fn node() -> impl Strategy<Value = Node> {
    let text = || {
        prop_oneof![
            Just(String::new()),
            "\\PC{0,20}",
            select(vec!["Pay", "返回", "a\nb", "\u{202e}evil\u{200b}"]).prop_map(str::to_owned)
        ]
    };
    let side = || prop_oneof![-50..3_000i32, Just(0), Just(i32::MIN), Just(i32::MAX)];
    let class = select(vec![
        "android.view.View",
        "android.widget.Button",
        "android.widget.EditText",
        "android.webkit.WebView",
        "x",
        "",
    ]);
    (
        (prop::option::of(0..60u32), "[a-c0-9]{0,2}", class, text(), text(), text()),
        (side(), side(), side(), side()),
        prop::array::uniform8(any::<bool>()),
    )
        .prop_map(|((parent, handle, class, text, description, id), (l, t, r, b), is)| Node {
            parent,
            handle,
            class: class.into(),
            text,
            description,
            id,
            bounds: Bounds(l, t, r, b),
            clickable: is[0],
            scrollable: is[1],
            editable: is[2],
            password: is[3],
            checkable: is[4],
            hidden: is[5],
            long_clickable: is[6],
            selected: is[7],
            ..Node::default()
        })
}

fn screen() -> impl Strategy<Value = Screen> {
    let kind = select(vec![
        WindowKind::Application,
        WindowKind::System,
        WindowKind::InputMethod,
        WindowKind::Divider,
        WindowKind::Overlay,
    ]);
    let window = (kind, prop::collection::vec(node(), 0..40)).prop_map(|(kind, nodes)| Window {
        kind,
        app: "org.example".into(),
        bounds: nodes.first().map_or(Bounds(0, 0, 1080, 2400), |n| n.bounds),
        nodes,
        ..Window::default()
    });
    (prop::collection::vec(window, 0..4), 0..2_000i32, any::<bool>()).prop_map(|(windows, width, cut)| Screen {
        width,
        height: 2_400,
        windows,
        cut,
        ..Screen::default()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(11), ..ProptestConfig::default() })]
    #[test]
    fn odd_input_breaks_nothing(screen in screen()) {
        let reading = read(&screen);
        for line in reading.text.lines().chain(reading.hidden.lines()) {
            prop_assert!(!line.contains(['\u{202e}', '\u{200b}', '\r']), "{:?}", line);
        }
        for node in screen.windows.iter().flat_map(|w| &w.nodes) {
            let Some(found) = Found::of(&screen, &node.handle) else { continue };
            for action in [NodeAction::Tap, NodeAction::LongPress, NodeAction::Type, NodeAction::Submit, NodeAction::ScrollTo] {
                let class = classify(&found, action);
                prop_assert_eq!(target(&found, action, "App").class, class);
                // What nobody sees is never touched unasked.
                prop_assert!(!found.hidden || !class.is_ordinary() || action == NodeAction::ScrollTo);
            }
        }
    }

    #[test]
    fn a_password_is_never_told(text in "[a-z]{8,20}") {
        let field = Node { handle: "1".into(), text: text.clone(), password: true, editable: true, bounds: Bounds(0, 0, 10, 10), ..Node::default() };
        let window = Window { bounds: Bounds(0, 0, 10, 10), nodes: vec![field], ..Window::default() };
        let screen = Screen { width: 10, height: 10, windows: vec![window], ..Screen::default() };
        prop_assert!(!read(&screen).text.contains(&text));
        prop_assert!(!target(&Found::of(&screen, "1").unwrap(), NodeAction::Tap, "").label.contains(&text));
    }
}

#[test]
fn depth_and_number_have_no_limit_that_hurts() {
    let nodes: Vec<Node> = (0..20_000u32)
        .map(|n| Node {
            parent: n.checked_sub(1),
            handle: n.to_string(),
            text: format!("text {n}"),
            clickable: n % 2 == 0,
            bounds: Bounds(0, 0, 100, 100),
            ..Node::default()
        })
        .collect();
    let window = Window { bounds: Bounds(0, 0, 100, 100), nodes, ..Window::default() };
    let screen = Screen { width: 100, height: 100, windows: vec![window], ..Screen::default() };
    let reading = read(&screen);
    assert!(reading.text.ends_with("# there is more on this screen than is told here"));
    assert!(reading.text.lines().count() <= 1_502);
    let deep = Found::of(&screen, "19998").unwrap();
    assert_eq!(classify(&deep, NodeAction::Tap), bailey_protocol::NodeClass::Unknown);
}
