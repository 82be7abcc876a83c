// SPDX-License-Identifier: Apache-2.0
//! Hands on the screen: what touching, typing, scrolling and keys come to.

use super::inner::Inner;
use super::layout::{HEIGHT, Pane, STATUS, WIDTH};
use super::world::Shade;
use bailey_ports::device::{
    Acted, Bounds, Channel, DeviceError, Fault, Fingerprint, Gesture, GlobalKey, NodeAction, Perform, Performed, Point,
    PressKey,
};

const LONG_MS: u32 = 500;
/// A finger that moves less stays where it is.
const STILL: i32 = 24;

fn error(fault: Fault, detail: &str) -> DeviceError {
    DeviceError::new(Channel::Accessibility, fault, detail)
}

/// The node itself and what it stands in, from the inside out.
fn upwards(pane: &Pane, node: usize) -> impl Iterator<Item = usize> + '_ {
    std::iter::successors(Some(node), |at| pane.window.nodes.get(*at)?.parent.and_then(|p| usize::try_from(p).ok()))
}

impl Inner {
    fn awake(&self) -> Result<(), DeviceError> {
        if self.world.locked { Err(error(Fault::Locked, "")) } else { Ok(()) }
    }

    /// Does something to one node, if it is still what it was.
    pub(crate) fn perform(&mut self, request: Perform) -> Result<Performed, DeviceError> {
        if request.action == NodeAction::Type && request.text.is_none() {
            return Err(error(Fault::Invalid, "nothing to type"));
        }
        self.awake()?;
        let panes = self.world.panes();
        let path = self.path_of(&request.handle).ok_or_else(|| error(Fault::NotFound, "no such node"))?;
        let (pane, at) = find(&panes, &path).ok_or_else(|| error(Fault::NotFound, "the node has gone"))?;
        if Fingerprint::of(&pane.window, at) != request.expect {
            return Err(error(Fault::Changed, ""));
        }
        if self.world.touched {
            return Err(error(Fault::Declined, "the person touched the screen"));
        }
        let node = &pane.window.nodes[at];
        let was = node.bounds;
        let types = matches!(request.action, NodeAction::Type | NodeAction::Submit);
        if types && node.password {
            return Err(error(Fault::Password, ""));
        }
        if types && !node.editable {
            return Err(error(Fault::Invalid, "not a field"));
        }
        if node.disabled {
            return Err(error(Fault::Refused, "it takes no input now"));
        }
        match request.action {
            NodeAction::Tap => self.tap(pane, at),
            NodeAction::LongPress => self.long_press(pane, at),
            NodeAction::Type => {
                let edit = pane.placed[at].edit.clone();
                edit.ok_or_else(|| error(Fault::Refused, ""))?(&mut self.world, &request.text.unwrap_or_default());
            }
            NodeAction::Submit => {
                let submit = pane.placed[at].submit.clone();
                submit.ok_or_else(|| error(Fault::Refused, "the field has no action"))?(&mut self.world);
            }
            NodeAction::ScrollForward => self.scroll(pane, at, 1)?,
            NodeAction::ScrollBackward => self.scroll(pane, at, -1)?,
            NodeAction::ScrollTo => self.scroll_to(pane, at)?,
        }
        let now = self.world.panes();
        let node = find(&now, &path).map(|(pane, at)| &pane.window.nodes[at]);
        let text = (request.action == NodeAction::Type).then(|| node.map(|n| n.text.clone()).unwrap_or_default());
        Ok(Performed { text, bounds: node.map_or(was, |n| n.bounds) })
    }

    fn tap(&mut self, pane: &Pane, at: usize) {
        for at in upwards(pane, at) {
            let (node, placed) = (&pane.window.nodes[at], &pane.placed[at]);
            if node.disabled {
                return;
            }
            if node.editable {
                self.world.focus = Some(placed.path.clone());
                self.world.keyboard = true;
                return;
            }
            if let Some(act) = &placed.tap {
                return act(&mut self.world);
            }
        }
    }

    fn long_press(&mut self, pane: &Pane, at: usize) {
        let long = upwards(pane, at).find_map(|at| pane.placed[at].long.clone());
        if let Some(act) = long {
            act(&mut self.world);
        }
    }

    fn scroll(&mut self, pane: &Pane, at: usize, pages: i32) -> Result<(), DeviceError> {
        let scrolls = |at: &usize| pane.placed[*at].scroll.is_some() || pane.placed[*at].slide.is_some();
        let Some(at) = upwards(pane, at).find(scrolls) else {
            return Err(error(Fault::Invalid, "it does not scroll"));
        };
        if let Some(slide) = &pane.placed[at].slide {
            slide(&mut self.world, pages);
            return Ok(());
        }
        let room = pane.placed[at].scroll.map_or(0, |scroll| scroll.room);
        if self.scroll_by(pane, at, pages * room * 4 / 5) {
            Ok(())
        } else {
            Err(error(Fault::Refused, "it is at its end"))
        }
    }

    /// Scrolls by so many pixels; `false` when it is at its end.
    fn scroll_by(&mut self, pane: &Pane, at: usize, by: i32) -> bool {
        let Some(scroll) = pane.placed[at].scroll else { return false };
        let then = (scroll.now + by).clamp(0, scroll.most);
        self.world.scrolled.insert(pane.placed[at].path.clone(), then);
        scroll.now != then
    }

    fn scroll_to(&mut self, pane: &Pane, at: usize) -> Result<(), DeviceError> {
        let bounds = pane.window.nodes[at].bounds;
        let Some(outer) = upwards(pane, at).skip(1).find(|at| pane.placed[*at].scroll.is_some()) else {
            let seen = !bounds.intersection(Bounds(0, 0, WIDTH, HEIGHT)).is_empty();
            return if seen { Ok(()) } else { Err(error(Fault::Refused, "it can't be brought onto the screen")) };
        };
        let view = pane.window.nodes[outer].bounds;
        let by = if bounds.1 < view.1 {
            bounds.1 - view.1
        } else if bounds.3 > view.3 {
            (bounds.3 - view.3).min(bounds.1 - view.1)
        } else {
            0
        };
        self.scroll_by(pane, outer, by);
        Ok(())
    }

    /// A finger on the screen. Whatever lies in front takes it.
    pub(crate) fn gesture(&mut self, request: Gesture) -> Result<Acted, DeviceError> {
        let on_screen = |Point(x, y): Point| (0..=WIDTH).contains(&x) && (0..=HEIGHT).contains(&y);
        if !on_screen(request.from) || !on_screen(request.to) || !(1..=10_000).contains(&request.duration_ms) {
            return Err(error(Fault::Invalid, "not on the screen, or too long"));
        }
        self.awake()?;
        if self.world.touched {
            return Err(error(Fault::Declined, "the person touched the screen"));
        }
        let (Point(x, y), Point(to_x, to_y)) = (request.from, request.to);
        let panes = self.world.panes();
        let inside = |b: Bounds| b.0 <= x && x < b.2 && b.1 <= y && y < b.3;
        let Some(pane) = panes.iter().find(|pane| inside(pane.window.bounds)) else { return Ok(Acted {}) };
        let under: Vec<usize> = (0..pane.placed.len())
            .filter(|at| inside(pane.window.nodes[*at].bounds) && !pane.window.nodes[*at].hidden)
            .collect();
        let moves = (to_x - x).abs().max((to_y - y).abs()) > STILL;
        if !moves {
            let long = request.duration_ms >= LONG_MS;
            let takes = |at: &&usize| match long {
                true => pane.placed[**at].long.is_some(),
                false => pane.placed[**at].tap.is_some() || pane.placed[**at].edit.is_some(),
            };
            if let Some(at) = under.iter().rev().find(takes) {
                if long { self.long_press(pane, *at) } else { self.tap(pane, *at) }
            }
        } else if y < STATUS && to_y > y + STATUS {
            self.world.shade = Shade::Notifications;
        } else if let Some(at) = under.iter().rev().find(|at| pane.placed[**at].slide.is_some())
            && let Some(slide) = &pane.placed[*at].slide
        {
            slide(&mut self.world, (to_x - x) / 100);
        } else if let Some(at) = under.iter().rev().find(|at| pane.placed[**at].scroll.is_some()) {
            self.scroll_by(pane, *at, y - to_y);
        }
        Ok(Acted {})
    }

    /// A key of the system's.
    pub(crate) fn press_key(&mut self, request: PressKey) -> Result<Acted, DeviceError> {
        self.awake()?;
        if self.world.touched {
            return Err(error(Fault::Declined, "the person touched the screen"));
        }
        let over = |shade| {
            move |w: &mut super::world::World| {
                w.unfocus();
                w.shade = shade;
            }
        };
        match request.key {
            GlobalKey::Back => self.world.back(),
            GlobalKey::Home => self.world.home(),
            GlobalKey::Recents => over(Shade::Recents)(&mut self.world),
            GlobalKey::Notifications => over(Shade::Notifications)(&mut self.world),
            GlobalKey::QuickSettings => over(Shade::QuickSettings)(&mut self.world),
        }
        Ok(Acted {})
    }
}

/// The window and the place of the node of that path.
pub(crate) fn find<'a>(panes: &'a [Pane], path: &str) -> Option<(&'a Pane, usize)> {
    panes.iter().find_map(|pane| Some((pane, pane.placed.iter().position(|p| p.path == path)?)))
}
