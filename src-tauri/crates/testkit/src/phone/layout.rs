// SPDX-License-Identifier: Apache-2.0
//! Where views come to lie, and the flat tree that the accessibility service tells of.

use super::view::{Act, Edit, Flow, Slide, View};
use bailey_ports::device::{Bounds, Node, Window};
use std::collections::{BTreeMap, BTreeSet};

/// The width of the screen in pixels.
pub(crate) const WIDTH: i32 = 1080;
/// Its height in pixels.
pub(crate) const HEIGHT: i32 = 2400;
/// The lower edge of the status bar.
pub(crate) const STATUS: i32 = 80;
/// The upper edge of the navigation bar.
pub(crate) const NAVIGATION: i32 = 2300;
/// The upper edge of the keyboard.
pub(crate) const KEYBOARD: i32 = 1500;

const LEAF: i32 = 100;

/// What belongs to a node and is not told.
#[derive(Clone)]
pub(crate) struct Placed {
    /// Names it as long as it lives.
    pub(crate) path: String,
    pub(crate) tap: Option<Act>,
    pub(crate) long: Option<Act>,
    pub(crate) edit: Option<Edit>,
    pub(crate) submit: Option<Act>,
    pub(crate) slide: Option<Slide>,
    pub(crate) scroll: Option<Scrolled>,
}

/// How a view is scrolled, in pixels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scrolled {
    /// At most.
    pub(crate) most: i32,
    /// Now.
    pub(crate) now: i32,
    /// How much of it is seen at once.
    pub(crate) room: i32,
}

/// A window with what lies behind its nodes.
#[derive(Clone)]
pub(crate) struct Pane {
    pub(crate) window: Window,
    /// One a node.
    pub(crate) placed: Vec<Placed>,
    /// Pictures of it are forbidden.
    pub(crate) secure: bool,
}

struct Flat<'a> {
    nodes: Vec<Node>,
    placed: Vec<Placed>,
    scrolled: &'a BTreeMap<String, i32>,
}

/// Lays a tree out in `area` and makes it flat. `scrolled` says how far each path is scrolled.
pub(crate) fn lay_out(
    root: &View,
    path: &str,
    area: Bounds,
    scrolled: &BTreeMap<String, i32>,
) -> (Vec<Node>, Vec<Placed>) {
    let mut flat = Flat { nodes: Vec::new(), placed: Vec::new(), scrolled };
    flat.put(root, path.to_owned(), None, area, area, false);
    (flat.nodes, flat.placed)
}

/// How high a view would be.
pub(crate) fn measure(view: &View) -> i32 {
    if let Some(height) = view.height {
        return height;
    }
    let children = view.children.iter().filter(|c| c.at.is_none());
    match view.flow {
        Flow::Row => children.map(measure).max().unwrap_or(LEAF),
        _ if view.children.is_empty() => LEAF,
        _ => children.map(measure).sum(),
    }
}

/// Whether it takes the room that is left: what scrolls, and what something that scrolls stands in.
fn fills(view: &View) -> bool {
    view.height.is_none()
        && match view.flow {
            Flow::Scroll | Flow::List => true,
            Flow::Column => view.children.iter().any(fills),
            Flow::Row => false,
        }
}

impl Flat<'_> {
    fn put(&mut self, view: &View, path: String, parent: Option<u32>, bounds: Bounds, clip: Bounds, unseen: bool) {
        let index = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        let unseen = unseen || (!bounds.is_empty() && bounds.intersection(clip).is_empty());
        let mut node = view.node.clone();
        node.parent = parent;
        node.bounds = bounds;
        node.hidden = node.hidden || unseen;
        self.nodes.push(node);
        let boxes = self.boxes(view, &path, bounds);
        self.placed.push(Placed {
            path: path.clone(),
            tap: view.tap.clone(),
            long: view.long.clone(),
            edit: view.edit.clone(),
            submit: view.submit.clone(),
            slide: view.slide.clone(),
            scroll: boxes.scroll,
        });
        let inner = if boxes.scroll.is_some() { bounds.intersection(clip) } else { clip };
        let hidden = view.node.hidden;
        let mut taken = BTreeSet::new();
        for (child, bounds) in view.children.iter().zip(boxes.bounds) {
            let names = [&child.key, &child.node.id, &child.node.class];
            let name = names.into_iter().find(|name| !name.is_empty()).map_or("", String::as_str);
            let mut key = name.to_owned();
            for n in 1.. {
                if taken.insert(key.clone()) {
                    break;
                }
                key = format!("{name}#{n}");
            }
            if view.flow == Flow::List && bounds.intersection(inner).is_empty() {
                continue;
            }
            // What stands exactly somewhere is not clipped: the system does not say that it lies outside.
            let clip = if child.at.is_some() { bounds } else { inner };
            self.put(child, format!("{path}/{key}"), Some(index), bounds, clip, hidden);
        }
    }

    fn boxes(&self, view: &View, path: &str, bounds: Bounds) -> Boxes {
        let Bounds(left, top, right, bottom) = bounds;
        let flowing: Vec<&View> = view.children.iter().filter(|c| c.at.is_none()).collect();
        let mut scroll = None;
        let mut flow = Vec::new();
        if view.flow == Flow::Row {
            let fixed: i32 = flowing.iter().filter_map(|c| c.width).sum();
            let free = i32::try_from(flowing.iter().filter(|c| c.width.is_none()).count()).unwrap_or(0);
            let share = if free == 0 { 0 } else { (right - left - fixed).max(0) / free };
            let mut x = left;
            for child in &flowing {
                let width = child.width.unwrap_or(share);
                flow.push(Bounds(x, top, x + width, top + measure(child).min((bottom - top).max(0))));
                x += width;
            }
        } else {
            let scrolls = matches!(view.flow, Flow::Scroll | Flow::List);
            let heights: Vec<i32> = flowing.iter().map(|c| measure(c)).collect();
            let content: i32 = heights.iter().sum();
            let room = (bottom - top).max(0);
            let mut y = top;
            if scrolls {
                let most = (content - room).max(0);
                let begins = if view.from_end { most } else { 0 };
                let now = self.scrolled.get(path).copied().unwrap_or(begins).clamp(0, most);
                scroll = Some(Scrolled { most, now, room });
                y -= now;
            }
            let rigid: i32 = flowing.iter().zip(&heights).filter(|(c, _)| !fills(c)).map(|(_, h)| h).sum();
            for (child, height) in flowing.iter().zip(heights) {
                let height = if !scrolls && fills(child) { (room - rigid).max(0) } else { height };
                flow.push(Bounds(left, y, right, y + height));
                y += height;
            }
        }
        let mut flow = flow.into_iter();
        let bounds = view.children.iter().map(|c| c.at.or_else(|| flow.next()).unwrap_or_default()).collect();
        Boxes { bounds, scroll }
    }
}

struct Boxes {
    bounds: Vec<Bounds>,
    scroll: Option<Scrolled>,
}
