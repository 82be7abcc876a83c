// SPDX-License-Identifier: Apache-2.0
//! What touching something does, as far as it can be told from what it says, what it is and where it stands. What can't
//! be told is [`NodeClass::Unknown`], which asks the person; an app that calls its Pay button "Details" gains nothing by
//! its resource name, its neighbours or its window, since any of them saying so is enough.

use crate::read::label;
use crate::text::line;
use crate::tree::{Found, is_actionable, parent};
use crate::words::{NAVIGATION, RISKY, holds, is_spaceless};
use bailey_ports::device::{Bounds, Node, NodeAction, Window, WindowKind};
use bailey_protocol::NodeClass;

/// Apps where every touch that is not plainly a way back does the one thing the app is for.
const APPS: &[(&str, NodeClass)] = &[
    ("packageinstaller", NodeClass::Install),
    ("permissioncontroller", NodeClass::Permission),
    ("eg.android.alipaygphone", NodeClass::Pay),
    ("paypal", NodeClass::Pay),
    ("bank", NodeClass::Pay),
    ("wallet", NodeClass::Pay),
    ("venmo", NodeClass::Pay),
    ("revolut", NodeClass::Pay),
    ("com.android.systemui", NodeClass::Unknown),
];

/// Words in resource names, which are written for nobody's eyes.
const NAMES: &[(&str, NodeClass)] = &[
    ("pay", NodeClass::Pay),
    ("buy", NodeClass::Pay),
    ("purchase", NodeClass::Pay),
    ("checkout", NodeClass::Pay),
    ("order", NodeClass::Pay),
    ("transfer", NodeClass::Pay),
    ("subscribe", NodeClass::Pay),
    ("donate", NodeClass::Pay),
    ("delete", NodeClass::Delete),
    ("remove", NodeClass::Delete),
    ("erase", NodeClass::Delete),
    ("clear", NodeClass::Delete),
    ("trash", NodeClass::Delete),
    ("reset", NodeClass::Delete),
    ("discard", NodeClass::Delete),
    ("block", NodeClass::Delete),
    ("install", NodeClass::Install),
    ("uninstall", NodeClass::Install),
    ("update", NodeClass::Install),
    ("download", NodeClass::Install),
    ("allow", NodeClass::Permission),
    ("permission", NodeClass::Permission),
    ("grant", NodeClass::Permission),
    ("agree", NodeClass::Permission),
    ("accept", NodeClass::Permission),
    ("login", NodeClass::Account),
    ("logout", NodeClass::Account),
    ("signin", NodeClass::Account),
    ("signup", NodeClass::Account),
    ("password", NodeClass::Account),
    ("otp", NodeClass::Account),
    ("pin", NodeClass::Account),
    ("captcha", NodeClass::Account),
    ("send", NodeClass::Send),
    ("submit", NodeClass::Send),
    ("post", NodeClass::Send),
    ("publish", NodeClass::Send),
    ("share", NodeClass::Send),
    ("reply", NodeClass::Send),
    ("call", NodeClass::Send),
    ("dial", NodeClass::Send),
    ("confirm", NodeClass::Send),
    ("save", NodeClass::Send),
    ("upload", NodeClass::Send),
    ("ok", NodeClass::Send),
    ("positive", NodeClass::Send),
    ("button1", NodeClass::Send),
    ("like", NodeClass::Send),
    ("follow", NodeClass::Send),
];

/// What a field asks for that is no ordinary matter.
const SECRETS: &[(&str, NodeClass)] = &[
    ("password", NodeClass::Account),
    ("passcode", NodeClass::Account),
    ("pin", NodeClass::Account),
    ("otp", NodeClass::Account),
    ("verification code", NodeClass::Account),
    ("cvv", NodeClass::Pay),
    ("cvc", NodeClass::Pay),
    ("card number", NodeClass::Pay),
    ("amount", NodeClass::Pay),
    ("iban", NodeClass::Pay),
    ("security code", NodeClass::Account),
    ("ssn", NodeClass::Account),
    ("密码", NodeClass::Account),
    ("密碼", NodeClass::Account),
    ("验证码", NodeClass::Account),
    ("驗證碼", NodeClass::Account),
    ("口令", NodeClass::Account),
    ("身份证", NodeClass::Account),
    ("卡号", NodeClass::Pay),
    ("卡號", NodeClass::Pay),
    ("金额", NodeClass::Pay),
    ("金額", NodeClass::Pay),
    ("银行卡", NodeClass::Pay),
    ("パスワード", NodeClass::Account),
    ("暗証番号", NodeClass::Account),
    ("비밀번호", NodeClass::Account),
    ("passwort", NodeClass::Account),
    ("mot de passe", NodeClass::Account),
    ("contraseña", NodeClass::Account),
    ("senha", NodeClass::Account),
    ("пароль", NodeClass::Account),
    ("şifre", NodeClass::Account),
    ("kata sandi", NodeClass::Account),
    ("mật khẩu", NodeClass::Account),
    ("betrag", NodeClass::Pay),
    ("montant", NodeClass::Pay),
    ("importe", NodeClass::Pay),
    ("valor", NodeClass::Pay),
    ("сумма", NodeClass::Pay),
];

/// A text of so many words is a label, a longer one is content that somebody wrote.
const LABEL_WORDS: usize = 5;
/// The same for scripts without spaces, in letters.
const LABEL_LETTERS: usize = 10;

/// What this action on this node does.
pub fn classify(found: &Found<'_>, action: NodeAction) -> NodeClass {
    let (window, node) = (found.window, found.node());
    match action {
        NodeAction::ScrollForward | NodeAction::ScrollBackward | NodeAction::ScrollTo => return NodeClass::Scroll,
        _ if found.hidden => return NodeClass::Unknown,
        NodeAction::Type => return field(window, found.index),
        NodeAction::Submit => return submit(window, found.index),
        NodeAction::LongPress => {
            let class = tap(window, found.index);
            return if class == NodeClass::Navigate { NodeClass::Unknown } else { class };
        }
        NodeAction::Tap => {}
    }
    if node.editable { field(window, found.index) } else { tap(window, found.index) }
}

fn field(window: &Window, index: usize) -> NodeClass {
    let node = &window.nodes[index];
    if node.password {
        return NodeClass::Account;
    }
    let said = [&node.hint, &node.description, &node.id].map(|text| words_of(text)).join(" ");
    let near = before(window, index).map(|near| words_of(&near.text)).unwrap_or_default();
    let asks = |text: &str| SECRETS.iter().find(|(word, _)| holds(text, word)).map(|(_, class)| *class);
    asks(&said).or_else(|| asks(&near)).unwrap_or(NodeClass::Field)
}

/// The keyboard's own key: only in a field that searches does it no more than show something.
fn submit(window: &Window, index: usize) -> NodeClass {
    let node = &window.nodes[index];
    if node.password {
        return NodeClass::Account;
    }
    let said = [&node.hint, &node.description, &node.id].map(|text| words_of(text)).join(" ");
    let search = [
        "search",
        "find",
        "query",
        "url",
        "搜索",
        "搜尋",
        "检索",
        "查找",
        "検索",
        "검색",
        "suche",
        "rechercher",
        "buscar",
        "cerca",
        "поиск",
        "ara",
        "بحث",
        "tìm",
        "cari",
    ];
    if search.iter().any(|word| holds(&said, word)) { NodeClass::Navigate } else { NodeClass::Send }
}

fn tap(window: &Window, index: usize) -> NodeClass {
    let node = &window.nodes[index];
    let pieces: Vec<String> = label(window, index).iter().map(|text| words_of(text)).collect();
    let name = words_of(&node.id);
    let app = window.app.to_lowercase();
    // What it says of itself, gravest first. In a row of a list, long texts after the first are content.
    let is_row = is_row(window, index);
    let told: Vec<&String> = pieces
        .iter()
        .enumerate()
        .filter(|(at, text)| !is_row || *at == 0 || is_label(text))
        .map(|(_, text)| text)
        .collect();
    for (class, words) in &RISKY {
        if told.iter().any(|text| words.iter().any(|word| holds(text, word) && !only_navigates(text))) {
            return *class;
        }
    }
    if let Some((_, class)) = NAMES.iter().find(|(word, _)| holds(&name, word)) {
        return *class;
    }
    let leads_about =
        || pieces.iter().any(|text| leads(text)) && told.iter().all(|text| leads(text) || is_number(text));
    if let Some((_, class)) = APPS.iter().find(|(part, _)| app.contains(part)) {
        return if leads_about() && window.kind == WindowKind::Application && !is_dialog(window) {
            NodeClass::Navigate
        } else {
            *class
        };
    }
    // A row that holds a switch is one.
    if node.checkable || inside(&window.nodes, index).any(|at| window.nodes[at].checkable) {
        return NodeClass::Unknown;
    }
    if is_dialog(window) {
        return in_dialog(window, &told);
    }
    let opens =
        is_row && (pieces.len() > 1 || (!pieces.is_empty() && is_wide(window, index) && in_list(window, index)));
    if leads_about() || is_tab(window, index) || (!told.is_empty() && in_bar(window, index)) || opens {
        return NodeClass::Navigate;
    }
    NodeClass::Unknown
}

/// A row as wide as the window, and not drawn by the app itself: buttons of such apps look the same.
fn is_wide(window: &Window, index: usize) -> bool {
    let node = &window.nodes[index];
    let root = window.nodes.first().map_or(window.bounds, |root| root.bounds);
    !node.class.ends_with("view.View")
        && (i64::from(node.bounds.2) - i64::from(node.bounds.0)) * 10 >= (i64::from(root.2) - i64::from(root.0)) * 8
}

/// An item of a real list: in a page that merely scrolls, a form's buttons look like rows.
fn in_list(window: &Window, index: usize) -> bool {
    let lists = ["RecyclerView", "ListView", "GridView"];
    ancestors(&window.nodes, index).any(|up| lists.iter().any(|list| window.nodes[up].class.ends_with(list)))
}

/// Whether one of the things beside a node, or something in them, is selected or checked: then they are tabs or filters.
fn one_is_chosen(window: &Window, index: usize) -> bool {
    let nodes = &window.nodes;
    let Some(up) = parent(nodes, index) else { return false };
    inside(nodes, up).any(|at| nodes[at].selected || nodes[at].checked)
}

/// One of three or more of the same size beside each other that fill the lower edge of the window: its tabs.
fn in_bar(window: &Window, index: usize) -> bool {
    let nodes = &window.nodes;
    let b = nodes[index].bounds;
    let root = nodes.first().map_or(window.bounds, |root| root.bounds);
    let Some(up) = nodes[index].parent else { return false };
    let beside: Vec<&Node> = nodes
        .iter()
        .filter(|node| node.parent == Some(up) && node.clickable && node.bounds.1 == b.1 && node.bounds.3 == b.3)
        .collect();
    let width = |b: Bounds| i64::from(b.2) - i64::from(b.0);
    let filled: i64 = beside.iter().map(|node| width(node.bounds)).sum();
    beside.len() >= 3
        && one_is_chosen(window, index)
        && beside.iter().all(|node| (width(node.bounds) - width(b)).abs() <= width(b) / 5 + 1)
        && filled * 10 >= width(root) * 9
        && (i64::from(root.3) - i64::from(b.3)) * 12 <= i64::from(root.3) - i64::from(root.1)
}

/// A dialog's button does what its text asks about, whatever is on it; only a plain way out is none.
fn in_dialog(window: &Window, told: &[&String]) -> NodeClass {
    let way_out = [
        "cancel",
        "close",
        "not now",
        "later",
        "no thanks",
        "back",
        "取消",
        "关闭",
        "關閉",
        "以后再说",
        "稍后",
        "稍後",
        "暂不",
        "キャンセル",
        "閉じる",
        "後で",
        "취소",
        "닫기",
        "나중에",
        "abbrechen",
        "schließen",
        "annuler",
        "fermer",
        "cancelar",
        "cerrar",
        "fechar",
        "annulla",
        "chiudi",
        "отмена",
        "закрыть",
        "iptal",
        "kapat",
        "إلغاء",
        "إغلاق",
        "hủy",
        "đóng",
        "batal",
        "tutup",
    ];
    if told.is_empty() || !told.iter().all(|text| way_out.contains(&text.as_str())) {
        return NodeClass::Unknown;
    }
    // "Cancel" in a dialog that asks whether to cancel something is no way out.
    let asks = window.nodes.iter().filter(|node| !is_actionable(node)).map(|node| words_of(&node.text));
    let about: Vec<String> = asks.filter(|text| !text.is_empty()).collect();
    let cancels = |text: &String| {
        ["cancel", "取消", "退订", "unsubscribe", "stornieren", "résilier", "キャンセル"]
            .iter()
            .any(|word| holds(text, word))
    };
    if about.iter().any(cancels) { NodeClass::Unknown } else { NodeClass::Navigate }
}

/// Whether a text says that it only leads about: as a whole, by a word that means nothing else, or as one of several tabs.
fn leads(text: &str) -> bool {
    let words = [
        "search",
        "expand",
        "collapse",
        "expanded",
        "collapsed",
        "drawer",
        "搜索",
        "搜尋",
        "展开",
        "收起",
        "検索",
        "검색",
        "suche",
        "rechercher",
        "buscar",
        "cerca",
        "поиск",
        "cart",
        "basket",
        "购物车",
        "購物車",
    ];
    only_navigates(text) || is_place_among_tabs(text) || (is_label(text) && words.iter().any(|word| holds(text, word)))
}

/// "Home tab 1 of 4", as screen readers are told.
fn is_place_among_tabs(text: &str) -> bool {
    let Some((_, place)) = text.rsplit_once("tab ") else { return false };
    place.split_once(" of ").is_some_and(|(n, all)| is_number(n) && is_number(all))
}

/// Whether a text is one of those that only lead about, as a whole.
fn only_navigates(text: &str) -> bool {
    NAVIGATION.contains(&text)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '+' | ' ' | ':' | '/' | '%'))
}

/// Whether a text is short enough to be a label.
fn is_label(text: &str) -> bool {
    let letters = text.chars().filter(|c| is_spaceless(*c)).count();
    text.split(' ').count() <= LABEL_WORDS && letters <= LABEL_LETTERS
}

/// Lower case, with what separates words in names as spaces.
fn words_of(text: &str) -> String {
    let mut out = String::new();
    let mut lower = false;
    for c in line(text).chars() {
        if c.is_uppercase() && lower {
            out.push(' ');
        }
        lower = c.is_lowercase();
        match c {
            '_' | '-' | '.' | '/' | ':' | ',' | '，' | '。' | '!' | '！' | '?' | '？' | '…' => out.push(' '),
            c => out.extend(c.to_lowercase()),
        }
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// An item of something that scrolls, with a text, and no button.
fn is_row(window: &Window, index: usize) -> bool {
    let nodes = &window.nodes;
    let class = nodes[index].class.rsplit('.').next().unwrap_or_default();
    let plain = ["ViewGroup", "Layout", "View", "CardView"].iter().any(|end| class.ends_with(end))
        && !class.contains("TextView")
        && !class.contains("ImageView");
    let lists = ["RecyclerView", "ListView", "ScrollView", "GridView", "ViewPager"];
    let is_list = |node: &Node| node.scrollable || lists.iter().any(|list| node.class.ends_with(list));
    let in_list = ancestors(nodes, index).any(|up| is_list(&nodes[up]));
    let in_page = ancestors(nodes, index).any(|up| nodes[up].class.ends_with("WebView"));
    plain && in_list && !in_page && !nodes[index].class.contains("Button")
}

/// One of several beside each other of which one is selected, at an edge of the window.
fn is_tab(window: &Window, index: usize) -> bool {
    let nodes = &window.nodes;
    let name = |at: usize| words_of(&nodes[at].id);
    let named = |text: &str| ["tab", "tabs", "navigation", "nav", "bottombar"].iter().any(|word| holds(text, word));
    if nodes[index].class.contains("Button") && !nodes[index].class.contains("RadioButton") {
        return false;
    }
    let up = ancestors(nodes, index).take(3).collect::<Vec<_>>();
    named(&name(index))
        || up.iter().any(|at| {
            named(&name(*at))
                || nodes[*at].class.contains("TabWidget")
                || nodes[*at].class.contains("TabLayout")
                || (nodes[*at].class.ends_with("HorizontalScrollView") && one_is_chosen(window, index))
        })
}

/// What stands in a node, at any depth.
fn inside(nodes: &[Node], index: usize) -> impl Iterator<Item = usize> + '_ {
    let mut is_inside = vec![false; nodes.len()];
    is_inside[index] = true;
    (index + 1..nodes.len()).filter(move |at| {
        is_inside[*at] = parent(nodes, *at).is_some_and(|up| is_inside[up]);
        is_inside[*at]
    })
}

fn ancestors(nodes: &[Node], index: usize) -> impl Iterator<Item = usize> + '_ {
    std::iter::successors(parent(nodes, index), |at| parent(nodes, *at))
}

/// Whether a window asks something: a dialog's names, or a window that leaves room around it.
fn is_dialog(window: &Window) -> bool {
    let named = window.nodes.iter().any(|node| {
        matches!(
            node.id.rsplit('/').next(),
            Some("button1" | "button2" | "button3" | "alertTitle" | "parentPanel" | "buttonPanel")
        )
    });
    let b = window.bounds;
    let root = window.nodes.first().map_or(b, |root| root.bounds);
    named || (!b.is_empty() && (root.0 > b.0 && root.2 < b.2 && root.1 > b.1 && root.3 < b.3))
}

/// The text before a node, which often says what a field is for.
fn before(window: &Window, index: usize) -> Option<&Node> {
    window.nodes[..index].iter().rev().take(4).find(|node| !node.text.is_empty() && !is_actionable(node))
}
