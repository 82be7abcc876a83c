// SPDX-License-Identifier: Apache-2.0
//! A window's nodes as a tree, and what of it a person sees.

use bailey_ports::device::{Bounds, Fingerprint, Node, Screen, Window, WindowKind};

/// A node that was looked for.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// Its window.
    pub window: &'a Window,
    /// Its position in the window's nodes.
    pub index: usize,
    /// Whether a person can't see it: the system says so, it has no size, lies outside, or another window covers it.
    pub hidden: bool,
}

impl<'a> Found<'a> {
    /// The node of this handle; of several, the first that a person sees.
    pub fn of(screen: &'a Screen, handle: &str) -> Option<Found<'a>> {
        let mut unseen = None;
        for (at, window) in screen.windows.iter().enumerate() {
            for (index, node) in window.nodes.iter().enumerate().filter(|(_, node)| node.handle == handle) {
                let hidden = is_hidden(screen, at, node);
                let found = Found { window, index, hidden };
                if !hidden {
                    return Some(found);
                }
                unseen.get_or_insert(found);
            }
        }
        unseen
    }

    /// The node.
    pub fn node(&self) -> &'a Node {
        &self.window.nodes[self.index]
    }

    /// What it looks like, for whoever touches it.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(self.window, self.index)
    }
}

/// Whether a node can be acted on.
pub(crate) fn is_actionable(node: &Node) -> bool {
    node.clickable || node.long_clickable || node.editable || node.checkable || node.scrollable
}

/// The parent of a node, where it is one: it stands before the node.
pub(crate) fn parent(nodes: &[Node], index: usize) -> Option<usize> {
    let parent = nodes[index].parent? as usize;
    (parent < index).then_some(parent)
}

/// Whether a person can't see a node of the window at this place of the stack.
pub(crate) fn is_hidden(screen: &Screen, window: usize, node: &Node) -> bool {
    if node.hidden || node.bounds.is_empty() {
        return true;
    }
    let all = Bounds(0, 0, screen.width, screen.height);
    let seen = node.bounds.intersection(screen.windows[window].bounds);
    let seen = if all.is_empty() { seen } else { seen.intersection(all) };
    is_speck(seen) || screen.windows[..window].iter().any(|front| covers(front, seen))
}

/// Whether a rectangle is empty or too thin for anybody to read what is in it.
fn is_speck(b: Bounds) -> bool {
    i64::from(b.2) - i64::from(b.0) < 2 || i64::from(b.3) - i64::from(b.1) < 2
}

/// Whether a window in front leaves nothing of a rectangle to be seen.
fn covers(front: &Window, seen: Bounds) -> bool {
    let b = front.bounds;
    front.kind != WindowKind::Divider
        && !front.nodes.is_empty()
        && b.0 <= seen.0
        && b.1 <= seen.1
        && b.2 >= seen.2
        && b.3 >= seen.3
}

/// What a node is, in one word: for people and for the model.
pub(crate) fn role(node: &Node) -> &'static str {
    let class = node.class.rsplit(['.', '$']).next().unwrap_or_default();
    match () {
        () if node.password => "password field",
        () if node.editable => "field",
        () if class.contains("Switch") || class.contains("Toggle") => "switch",
        () if class.contains("RadioButton") => "option",
        () if node.checkable => "checkbox",
        () if class.contains("SeekBar") || class.contains("RatingBar") => "slider",
        () if class.contains("Spinner") => "list to choose from",
        () if class.contains("Button") => "button",
        () if node.scrollable => "area",
        () if class.contains("Image") => "picture",
        () if node.clickable => "item",
        () => "text",
    }
}

/// The texts of a node that a person sees or hears.
pub(crate) fn shown(node: &Node) -> Vec<String> {
    use crate::text::line;
    let text = if node.password { String::new() } else { line(&node.text) };
    let description = line(&node.description);
    let mut all = Vec::new();
    if !text.is_empty() {
        all.push(text);
    }
    if !description.is_empty() && !all.iter().any(|text| text.contains(&description)) {
        all.push(description);
    }
    let hint = line(&node.hint);
    if all.is_empty() && !hint.is_empty() {
        all.push(hint);
    }
    all
}
