// SPDX-License-Identifier: Apache-2.0
//! A screen in few words.
//!
//! A line for each thing that can be acted on: its handle, what it is beside a thing to tap, and what it says. A line with
//! a dash for each text that stands alone. What a person can't see comes last and is said to be so: an app may hide text
//! there that is meant for nobody but the model.

use crate::text::line;
use crate::tree::{is_actionable, is_hidden, parent, shown};
use bailey_ports::device::{Node, Screen, Window, WindowKind};
use std::fmt::Write as _;

/// So many lines are told; nobody reads more.
const MOST_LINES: usize = 1_500;
/// A text that stands in one of so many texts of the same thing is not told again.
const MOST_COMPARED: usize = 64;
/// So many characters of what is hidden are told.
const MOST_HIDDEN: usize = 4_000;

/// A screen, read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// What a person sees.
    pub text: String,
    /// What a person does not see; empty where there is nothing of the kind.
    pub hidden: String,
}

/// Reads a screen. Windows come from front to back; the keyboard and the system's bars in brief.
pub fn read(screen: &Screen) -> Reading {
    let mut out = Lines::default();
    let mut hidden = Lines::default();
    for (at, window) in screen.windows.iter().enumerate() {
        if window.kind == WindowKind::InputMethod {
            let _ = writeln!(out.text, "# the keyboard is open");
            continue;
        }
        if is_bar(screen, window) {
            continue;
        }
        let before = out.text.len();
        heading(&mut out.text, window);
        let headed = out.text.len();
        window_lines(screen, at, &mut out, &mut hidden);
        // A bar that says nothing is not worth its heading.
        if out.text.len() == headed && window.kind != WindowKind::Application {
            out.text.truncate(before);
        }
    }
    if screen.cut || out.left_out > 0 {
        let _ = writeln!(out.text, "# there is more on this screen than is told here");
    }
    let mut hidden_text: String = hidden.text.chars().take(MOST_HIDDEN).collect();
    if hidden_text.len() < hidden.text.len() {
        hidden_text.push_str("\n# and more");
    }
    Reading { text: out.text.trim_end().to_owned(), hidden: hidden_text.trim_end().to_owned() }
}

#[derive(Default)]
struct Lines {
    text: String,
    count: usize,
    left_out: usize,
}

impl Lines {
    fn push(&mut self, depth: usize, line: &str) {
        if self.count == MOST_LINES {
            self.left_out += 1;
            return;
        }
        self.count += 1;
        self.text.extend(std::iter::repeat_n(' ', depth.min(6)));
        self.text.push_str(line);
        self.text.push('\n');
    }
}

/// The status bar and the navigation keys: always there, and of no use to anybody who has the keys by other names.
fn is_bar(screen: &Screen, window: &Window) -> bool {
    let height = i64::from(window.bounds.3) - i64::from(window.bounds.1);
    window.kind == WindowKind::System && window.app == "com.android.systemui" && height * 8 <= i64::from(screen.height)
}

fn heading(out: &mut String, window: &Window) {
    let name = if window.app.is_empty() { "an app that is not named" } else { &window.app };
    let kind = match window.kind {
        WindowKind::Application => "",
        WindowKind::InputMethod => ", keyboard",
        WindowKind::System => ", the system's",
        WindowKind::Overlay => ", over everything",
        WindowKind::Divider => ", between two apps",
    };
    let title = line(&window.title);
    let title = if title.is_empty() { String::new() } else { format!(" {title:?}") };
    let focus = if window.focused { ", takes input" } else { "" };
    let _ = writeln!(out, "# {}{title}{kind}{focus}", line(name));
}

fn window_lines(screen: &Screen, at: usize, out: &mut Lines, hidden: &mut Lines) {
    let nodes = &screen.windows[at].nodes;
    // The nearest thing that can be acted on, which a text is part of; and how deep it stands among such things.
    let mut owner: Vec<Option<usize>> = vec![None; nodes.len()];
    let mut depth: Vec<usize> = vec![0; nodes.len()];
    let mut inside: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    let mut unseen: Vec<bool> = Vec::with_capacity(nodes.len());
    for (index, node) in nodes.iter().enumerate() {
        unseen.push(is_hidden(screen, at, node));
        let Some(up) = parent(nodes, index) else { continue };
        // An area that scrolls holds a whole page: its texts stand for themselves.
        let holds = is_actionable(&nodes[up]) && !is_area(&nodes[up]);
        owner[index] = if holds { Some(up) } else { owner[up] };
        depth[index] = depth[up] + usize::from(holds);
        if let Some(owner) = owner[index].filter(|_| !is_actionable(node)) {
            inside[owner].push(index);
        }
    }
    for (index, node) in nodes.iter().enumerate() {
        let actionable = is_actionable(node);
        if !actionable && owner[index].is_some_and(|owner| unseen[owner] == unseen[index]) {
            continue;
        }
        let texts = if actionable { texts_of(nodes, &unseen, index, &inside[index]) } else { shown(node) };
        let text = texts.join(" · ");
        let lines = if unseen[index] { &mut *hidden } else { &mut *out };
        if actionable {
            let quiet = node.scrollable && text.is_empty() && !node.clickable;
            if quiet && unseen[index] {
                continue;
            }
            let name = if text.is_empty() && !is_area(node) { named(node) } else { text };
            let told = format!("{}{}: {name}", line(&node.handle), marks(node));
            lines.push(depth[index], told.trim_end());
        } else if !text.is_empty() {
            lines.push(depth[index], &format!("- {text}"));
        }
    }
}

/// What its makers call a node that says nothing, as `(send button)`.
fn named(node: &Node) -> String {
    let name = line(&node.id).replace('_', " ");
    if name.is_empty() { name } else { format!("({name})") }
}

/// Whether a node only scrolls.
fn is_area(node: &Node) -> bool {
    node.scrollable && !node.clickable && !node.long_clickable && !node.editable && !node.checkable
}

/// What a node says, with what stands in it and is as much to be seen as itself.
fn texts_of(nodes: &[Node], unseen: &[bool], index: usize, inside: &[usize]) -> Vec<String> {
    let mut texts = shown(&nodes[index]);
    for at in inside.iter().filter(|at| unseen[**at] == unseen[index]) {
        for text in shown(&nodes[*at]) {
            // Among very many, looking for each in all the others would take too long.
            if !texts.iter().take(MOST_COMPARED).any(|have| have.contains(&text)) {
                texts.push(text);
            }
        }
    }
    texts
}

/// What is to be known of a node beside what it says.
fn marks(node: &Node) -> String {
    let mut marks = String::new();
    if node.password {
        marks.push_str(" password");
    } else if node.editable {
        marks.push_str(" field");
    }
    if node.checkable {
        marks.push_str(if node.checked { " on" } else { " off" });
    }
    if node.scrollable && !node.editable {
        marks.push_str(" scroll");
    }
    if node.long_clickable && !node.clickable && !node.editable {
        marks.push_str(" hold");
    }
    if node.selected {
        marks.push_str(" selected");
    }
    if node.focused && node.editable {
        marks.push_str(" focused");
    }
    if node.disabled {
        marks.push_str(" disabled");
    }
    let state = line(&node.state);
    if !state.is_empty() && !node.checkable {
        marks.push_str(" (");
        marks.push_str(&state);
        marks.push(')');
    }
    marks
}

/// What a node says with what stands in it, in pieces; what stands in a node in it that can be acted on is that one's.
pub(crate) fn label(window: &Window, index: usize) -> Vec<String> {
    let nodes = &window.nodes;
    let mut is_inside = vec![false; nodes.len()];
    is_inside[index] = true;
    let mut inside = Vec::new();
    for at in index + 1..nodes.len() {
        is_inside[at] = !is_actionable(&nodes[at]) && parent(nodes, at).is_some_and(|up| is_inside[up]);
        if is_inside[at] {
            inside.push(at);
        }
    }
    texts_of(nodes, &vec![false; nodes.len()], index, &inside)
}
