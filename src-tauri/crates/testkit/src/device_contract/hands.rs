// SPDX-License-Identifier: Apache-2.0
//! Hands on the screen: only what was looked at is touched, and passwords never.

use super::{Check, nodes, still};
use crate::phone::find;
use bailey_ports::device::{Fault, Fingerprint, NodeAction, Perform, Performed, Screen};

/// So many nodes of a screen are tried.
const TRIED: usize = 5;

fn request(handle: &str, expect: &Fingerprint, action: NodeAction, text: Option<&str>) -> Perform {
    Perform { handle: handle.to_owned(), expect: expect.clone(), action, text: text.map(str::to_owned) }
}

/// The same with one thing changed, each in turn.
fn others(expect: &Fingerprint) -> Vec<Fingerprint> {
    let change = |change: fn(&mut Fingerprint)| {
        let mut other = expect.clone();
        change(&mut other);
        other
    };
    vec![
        change(|f| f.app.push('x')),
        change(|f| f.class.push('x')),
        change(|f| f.id.push('x')),
        change(|f| f.text.push('x')),
        change(|f| f.description.push('x')),
        change(|f| f.labels.insert(0, 'x')),
    ]
}

impl Check<'_> {
    pub(super) async fn hands(&mut self) {
        let Some(screen) = self.screen().await.filter(|screen| !screen.locked) else { return };
        if !self.device.offers(bailey_ports::device::Channel::Accessibility, "perform") {
            return;
        }
        self.changed(&screen).await;
        self.unknown(&screen).await;
        self.password(&screen).await;
        self.field(&screen).await;
    }

    /// What is not what it was is left alone.
    async fn changed(&mut self, screen: &Screen) {
        let tried: Vec<(String, Fingerprint)> = nodes(screen)
            .filter(|(.., node)| node.clickable || node.scrollable || node.editable)
            .take(TRIED)
            .map(|(window, at, node)| (node.handle.clone(), Fingerprint::of(window, at)))
            .collect();
        for (handle, expect) in tried {
            for other in others(&expect) {
                for (action, text) in [(NodeAction::Tap, None), (NodeAction::Type, Some("changed"))] {
                    let answer = self.perform(&request(&handle, &other, action, text)).await;
                    self.expect_fault("a target that is not what it was", answer, &[Fault::Changed]);
                }
            }
        }
        self.unmoved(screen, "a target that is not what it was is touched all the same").await;
    }

    async fn unknown(&mut self, screen: &Screen) {
        for handle in ["zzzzzzzzzzzz", "", "N1", "../1"] {
            let answer = self.perform(&request(handle, &Fingerprint::default(), NodeAction::Tap, None)).await;
            self.expect_fault(&format!("the handle {handle:?}"), answer, &[Fault::NotFound, Fault::Invalid]);
        }
        self.unmoved(screen, "a handle that nobody gave does something").await;
    }

    async fn password(&mut self, screen: &Screen) {
        let Some(name) = self.expectations.password.clone() else { return };
        let Some(found) = find(screen, &name) else {
            return self.violated(format!("there is no {name:?} on the screen"));
        };
        if !found.node.password {
            self.violated(format!("{name:?} is not told to be a field for a password"));
        }
        let answer = self.perform(&found.request(NodeAction::Type, Some("secret"))).await;
        self.expect_fault("typing a password", answer, &[Fault::Password]);
        self.unmoved(screen, "typing a password changes something").await;
    }

    /// What was typed is read back, and the field keeps its handle.
    async fn field(&mut self, screen: &Screen) {
        let Some(name) = self.expectations.field.clone() else { return };
        let Some(found) = find(screen, &name) else {
            return self.violated(format!("there is no {name:?} on the screen"));
        };
        let node = &found.node;
        for text in ["Hello", "你好 🙂", &node.text] {
            let answer = self.perform(&found.request(NodeAction::Type, Some(text))).await;
            let said = answer.map(|reply| serde_json::from_value::<Performed>(reply).ok().and_then(|p| p.text));
            if said.as_ref().ok() != Some(&Some(text.to_owned())) {
                self.violated(format!("typing {text:?} is answered {said:?}"));
            }
            let shown = self.screen().await;
            let shown =
                shown.iter().flat_map(nodes).find(|(.., n)| n.handle == node.handle).map(|(.., n)| n.text.clone());
            if shown.as_deref() != Some(text) {
                self.violated(format!("after typing {text:?} the field shows {shown:?}"));
            }
        }
    }

    /// The screen is as it was.
    async fn unmoved(&mut self, screen: &Screen, what: &str) {
        let now = self.screen().await;
        if now.as_ref().map(still) != Some(still(screen)) {
            self.violated(what);
        }
    }
}
