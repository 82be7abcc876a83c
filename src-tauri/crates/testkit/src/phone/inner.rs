// SPDX-License-Identifier: Apache-2.0
//! The phone behind its lock: the world, the handles of what is on the screen, and what a script has in store.

use super::layout::{HEIGHT, WIDTH};
use super::world::World;
use bailey_ports::device::{Channel, Fault, Screen, Window};
use bailey_protocol::Millis;
use std::collections::{BTreeMap, BTreeSet};

/// What befalls a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// It fails, and nothing happens.
    Fault(Fault),
    /// It takes so many milliseconds.
    Slow(Millis),
    /// It never ends, and nothing happens.
    Hang,
    /// It is done, and the answer never comes.
    HangAfter,
}

/// Trouble in store: for a command or a channel, so many times.
pub(crate) struct Stored {
    pub(crate) what: String,
    pub(crate) trouble: Trouble,
    pub(crate) times: u32,
}

/// When a script runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Moment {
    Before(String),
    After(String),
}

type Script = Box<dyn FnOnce(&mut World) + Send>;

pub(crate) struct Inner {
    pub(crate) world: World,
    /// The handles of the nodes that live, by path.
    handles: BTreeMap<String, String>,
    next_handle: u64,
    pub(crate) troubles: Vec<Stored>,
    pub(crate) scripts: Vec<(Moment, Script)>,
    pub(crate) without: BTreeSet<String>,
    pub(crate) asked: Vec<(Channel, String)>,
}

impl Inner {
    pub(crate) fn new(world: World) -> Self {
        let mut inner = Self {
            world,
            handles: BTreeMap::new(),
            next_handle: 1,
            troubles: Vec::new(),
            scripts: Vec::new(),
            without: BTreeSet::new(),
            asked: Vec::new(),
        };
        inner.settle();
        inner
    }

    /// The trouble that is in store for a request, used up by one.
    pub(crate) fn trouble(&mut self, channel: Channel, command: &str) -> Option<Trouble> {
        let at = self.troubles.iter().position(|t| t.what == command || t.what == channel.name())?;
        let stored = &mut self.troubles[at];
        let trouble = stored.trouble;
        stored.times = stored.times.saturating_sub(1);
        if stored.times == 0 {
            self.troubles.remove(at);
        }
        Some(trouble)
    }

    /// Runs the script that waits for this moment, if any.
    pub(crate) fn run_script(&mut self, moment: &Moment) {
        if let Some(at) = self.scripts.iter().position(|(when, _)| when == moment) {
            let (_, script) = self.scripts.remove(at);
            let by = std::mem::replace(&mut self.world.by, super::effect::Hand::Outside);
            script(&mut self.world);
            self.world.by = by;
            self.settle();
        }
    }

    /// Gives handles to what is new on the screen and takes them from what has gone, for good.
    pub(crate) fn settle(&mut self) {
        let panes = self.world.panes();
        let alive: BTreeSet<&str> = panes.iter().flat_map(|p| p.placed.iter().map(|p| p.path.as_str())).collect();
        self.handles.retain(|path, _| alive.contains(path.as_str()));
        for path in panes.iter().flat_map(|pane| &pane.placed).map(|placed| &placed.path) {
            if !self.handles.contains_key(path) {
                self.handles.insert(path.clone(), format!("n{}", self.next_handle));
                self.next_handle += 1;
            }
        }
        if self.world.focus.as_ref().is_some_and(|focus| !alive.contains(focus.as_str())) {
            self.world.unfocus();
            self.settle();
        }
    }

    /// The path of the node of that handle.
    pub(crate) fn path_of(&self, handle: &str) -> Option<String> {
        self.handles.iter().find(|(_, of)| *of == handle).map(|(path, _)| path.clone())
    }

    /// What is on the screen.
    pub(crate) fn screen(&self) -> Screen {
        let windows = self.world.panes().into_iter().map(|pane| {
            let Window { nodes, .. } = &pane.window;
            let nodes = nodes.iter().zip(&pane.placed).map(|(node, placed)| {
                let mut node = node.clone();
                node.handle = self.handles.get(&placed.path).cloned().unwrap_or_default();
                if node.password {
                    node.text.clear();
                }
                node
            });
            Window { nodes: nodes.collect(), ..pane.window.clone() }
        });
        Screen {
            width: WIDTH,
            height: HEIGHT,
            rotation: 0,
            locked: self.world.locked,
            windows: windows.collect(),
            cut: false,
        }
    }
}
