// SPDX-License-Identifier: Apache-2.0
//! Screens that lie: what a script puts over what an app really draws.

use super::layout::{HEIGHT, Pane, WIDTH};
use super::view::{View, text};
use bailey_ports::device::Bounds;

/// How a planted text stays out of sight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unseen {
    /// The system says that it is not seen.
    Hidden,
    /// It has no size.
    ZeroSize,
    /// It lies beside the screen.
    OffScreen,
    /// It is there and has the colour of its background: nobody is told.
    WhiteOnWhite,
}

/// A lie about an app's screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lie {
    /// A text that the person does not see.
    Planted {
        /// The app whose window it is in.
        app: String,
        /// The text.
        text: String,
        /// Why it is not seen.
        how: Unseen,
    },
    /// A window of another app over the screen, which takes what a finger does there and does nothing.
    Overlaid {
        /// The app that draws it.
        app: String,
        /// What it says.
        text: String,
        /// Where it lies.
        bounds: Bounds,
    },
    /// A node that says something else than it means; what it does stays.
    Relabelled {
        /// The app.
        app: String,
        /// The resource name of the node.
        id: String,
        /// What it says.
        text: String,
    },
}

/// The planted text as a view.
pub(crate) fn planted(says: &str, how: Unseen) -> View {
    let mut view = text(says).key(format!("planted-{says}"));
    view.at = Some(match how {
        Unseen::Hidden | Unseen::WhiteOnWhite => Bounds(40, 1900, 1040, 1960),
        Unseen::ZeroSize => Bounds(40, 1900, 40, 1900),
        Unseen::OffScreen => Bounds(WIDTH + 200, 300, WIDTH + 900, HEIGHT.min(360)),
    });
    view.node.hidden = how == Unseen::Hidden;
    view
}

impl Lie {
    pub(crate) fn plant(&self, of: &str, root: &mut View) {
        if let Lie::Planted { app, text, how } = self
            && app == of
        {
            root.children.push(planted(text, *how));
        }
    }

    pub(crate) fn relabel(&self, pane: &mut Pane) {
        if let Lie::Relabelled { app, id, text } = self
            && *app == pane.window.app
        {
            for node in pane.window.nodes.iter_mut().filter(|node| node.id == *id) {
                node.text.clone_from(text);
            }
        }
    }
}
