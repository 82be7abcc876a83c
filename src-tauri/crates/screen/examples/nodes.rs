// SPDX-License-Identifier: Apache-2.0
//! Prints what can be acted on in dumps of screens, with the class each is given: for labelling by hand.
//! `cargo run -p bailey-screen --example nodes -- calendar-month-01 …`

#[path = "../tests/common/mod.rs"]
mod common;

use bailey_ports::device::NodeAction;
use bailey_screen::{Found, target};
use std::io::Write as _;

fn main() -> std::io::Result<()> {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let mut out = std::io::stdout().lock();
    for (name, screen) in common::screens() {
        if !wanted.is_empty() && !wanted.contains(&name) {
            continue;
        }
        for node in screen.windows.iter().flat_map(|w| &w.nodes).filter(|n| common::is_actionable(n)) {
            let Some(found) = Found::of(&screen, &node.handle).filter(|found| !found.hidden) else { continue };
            if node.scrollable && !node.clickable {
                continue;
            }
            let t = target(&found, NodeAction::Tap, "");
            writeln!(out, "{name}\t{}\t{:?}\t{}\t{}\t{}", node.handle, t.class, t.role, node.id, t.label)?;
        }
    }
    Ok(())
}
