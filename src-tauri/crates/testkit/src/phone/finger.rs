// SPDX-License-Identifier: Apache-2.0
//! A finger for tests: finds something on the screen by what it says, and touches it.

use bailey_ports::device::{
    Device, DeviceError, DeviceExt, Fault, Fingerprint, Node, NodeAction, Perform, Performed, ReadScreen, Request,
    Screen,
};

/// A node that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The package of its window.
    pub app: String,
    /// The node as it was read.
    pub node: Node,
    /// What it must still look like.
    pub expect: Fingerprint,
}

impl Found {
    /// The request that does something to it.
    pub fn request(&self, action: NodeAction, text: Option<&str>) -> Perform {
        Perform { handle: self.node.handle.clone(), expect: self.expect.clone(), action, text: text.map(str::to_owned) }
    }
}

/// The first node, front to back, whose text, description, hint or resource name is exactly this.
pub fn find(screen: &Screen, label: &str) -> Option<Found> {
    let is = |node: &Node| [&node.text, &node.description, &node.hint, &node.id].into_iter().any(|says| says == label);
    screen.windows.iter().find_map(|window| {
        let at = window.nodes.iter().position(is)?;
        let node = window.nodes.get(at)?.clone();
        Some(Found { app: window.app.clone(), node, expect: Fingerprint::of(window, at) })
    })
}

/// A finger on a device.
#[derive(Clone, Copy)]
pub struct Finger<'a>(pub &'a dyn Device);

impl Finger<'_> {
    /// Looks for something on the screen.
    ///
    /// # Errors
    /// [`Fault::NotFound`] when it is not there, and those of reading the screen.
    pub async fn find(&self, label: &str) -> Result<Found, DeviceError> {
        let screen = self.0.ask(ReadScreen {}).await?;
        find(&screen, label).ok_or_else(|| DeviceError::new(Perform::CHANNEL, Fault::NotFound, label))
    }

    /// Looks for something and does something to it.
    ///
    /// # Errors
    /// Those of [`Finger::find`] and of the request.
    pub async fn act(&self, label: &str, action: NodeAction, text: Option<&str>) -> Result<Performed, DeviceError> {
        let found = self.find(label).await?;
        self.0.ask(found.request(action, text)).await
    }

    /// Taps something.
    ///
    /// # Errors
    /// Those of [`Finger::act`].
    pub async fn tap(&self, label: &str) -> Result<Performed, DeviceError> {
        self.act(label, NodeAction::Tap, None).await
    }

    /// Types into a field and tells what it then holds.
    ///
    /// # Errors
    /// Those of [`Finger::act`].
    pub async fn enter(&self, label: &str, text: &str) -> Result<String, DeviceError> {
        Ok(self.act(label, NodeAction::Type, Some(text)).await?.text.unwrap_or_default())
    }
}
