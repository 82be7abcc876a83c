// SPDX-License-Identifier: Apache-2.0
//! What a screen says: in few words for the model ([`read`]), and what touching something on it does ([`classify`]).
//!
//! Pure, and patient with whatever an app reports: wrong parents, empty rectangles, the same handle twice.

mod classify;
mod read;
mod text;
mod tree;
mod words;

pub use classify::classify;
pub use read::{Reading, read};
pub use tree::Found;

use bailey_ports::device::NodeAction;
use bailey_protocol::Target;

/// What an action on a node would touch, for the gate and for the person. `app_name` is what they know the app by.
pub fn target(found: &Found<'_>, action: NodeAction, app_name: &str) -> Target {
    let node = found.node();
    let b = node.bounds;
    Target {
        app: found.window.app.clone(),
        app_name: if app_name.is_empty() { found.window.app.clone() } else { text::line(app_name) },
        role: tree::role(node).to_owned(),
        label: read::label(found.window, found.index).join(" · "),
        class: classify(found, action),
        bounds: (b.0, b.1, b.2, b.3),
        fingerprint: serde_json::to_string(&found.fingerprint()).unwrap_or_default(),
    }
}
