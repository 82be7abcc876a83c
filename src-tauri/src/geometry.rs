// SPDX-License-Identifier: Apache-2.0
//! Where the window was, kept from one start to the next.

use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;
use tauri::{AppHandle, Monitor, PhysicalPosition, PhysicalSize, WebviewWindow, Wry};
use tauri_plugin_store::{Store, StoreExt};

const KEY: &str = "window";
/// How much of a window must lie on a screen, in pixels, for a person to get hold of it.
const GRIP: i64 = 80;

/// Place and size in physical pixels, as they are when the window is not maximised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Geometry {
    x: i32,
    y: i32,
    width: u32,
    height: u32,
    maximized: bool,
}

/// A screen's place and size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Screen {
    x: i32,
    y: i32,
    width: u32,
    height: u32,
}

impl From<&Monitor> for Screen {
    fn from(monitor: &Monitor) -> Self {
        let (position, size) = (monitor.position(), monitor.size());
        Self { x: position.x, y: position.y, width: size.width, height: size.height }
    }
}

impl Geometry {
    /// Whether a person could get hold of the window's top edge on one of these screens, and the size is one to work with.
    fn fits(&self, screens: &[Screen]) -> bool {
        let overlap = |from: i32, length: u32, other: i32, other_length: u32| {
            let end = (i64::from(from) + i64::from(length)).min(i64::from(other) + i64::from(other_length));
            end - i64::from(from.max(other))
        };
        screens.iter().any(|screen| {
            let top = i64::from(self.y) - i64::from(screen.y);
            overlap(self.x, self.width, screen.x, screen.width) >= GRIP
                && top >= 0
                && top <= i64::from(screen.height) - GRIP
                && self.width <= screen.width
                && self.height <= screen.height
        })
    }
}

/// The file that keeps the geometry.
#[derive(Clone)]
pub(crate) struct Memory(Arc<Store<Wry>>);

impl Memory {
    /// Opens the file in the data folder.
    pub(crate) fn open(app: &AppHandle, folder: &Path) -> Result<Self, tauri_plugin_store::Error> {
        Ok(Self(app.store(folder.join("window.json"))?))
    }

    /// Puts the window where it was, when that place is there still.
    pub(crate) fn restore(&self, window: &WebviewWindow) -> tauri::Result<()> {
        let Some(kept) = self.kept() else { return Ok(()) };
        let screens: Vec<Screen> = window.available_monitors()?.iter().map(Screen::from).collect();
        if kept.fits(&screens) {
            window.set_size(PhysicalSize::new(kept.width, kept.height))?;
            window.set_position(PhysicalPosition::new(kept.x, kept.y))?;
        }
        if kept.maximized {
            window.maximize()?;
        }
        Ok(())
    }

    /// Notes where the window is; written to disk a moment later, and when the app ends.
    pub(crate) fn note(&self, window: &WebviewWindow) -> tauri::Result<()> {
        if window.is_minimized()? || window.is_fullscreen()? {
            return Ok(());
        }
        let maximized = window.is_maximized()?;
        let (position, size) = (window.outer_position()?, window.inner_size()?);
        let now = Geometry { x: position.x, y: position.y, width: size.width, height: size.height, maximized };
        let next = match self.kept() {
            // The size to go back to is the one before it was maximised.
            Some(kept) if maximized => Geometry { maximized, ..kept },
            _ => now,
        };
        if self.kept() != Some(next)
            && let Ok(value) = serde_json::to_value(next)
        {
            self.0.set(KEY, value);
        }
        Ok(())
    }

    fn kept(&self) -> Option<Geometry> {
        serde_json::from_value(self.0.get(KEY)?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEFT: Screen = Screen { x: -1920, y: 0, width: 1920, height: 1080 };
    const MAIN: Screen = Screen { x: 0, y: 0, width: 2560, height: 1440 };

    #[test]
    fn a_window_goes_back_only_to_where_a_person_can_reach_it() {
        let at = |x, y, width, height| Geometry { x, y, width, height, maximized: false };
        for (geometry, screens, fits) in [
            (at(100, 100, 1100, 760), vec![MAIN], true),
            (at(-1000, 100, 1100, 760), vec![MAIN, LEFT], true),
            // The screen it was on is gone.
            (at(-1200, 100, 1100, 760), vec![MAIN], false),
            (at(2500, 100, 1100, 760), vec![MAIN], false),
            (at(2400, 100, 1100, 760), vec![MAIN], true),
            // Its title bar would be above or below the screen.
            (at(100, -40, 1100, 760), vec![MAIN], false),
            (at(100, 1400, 1100, 760), vec![MAIN], false),
            // Larger than any screen.
            (at(0, 0, 4000, 760), vec![MAIN], false),
            (at(0, 0, 1100, 1200), vec![LEFT], false),
            (at(i32::MAX, i32::MAX, u32::MAX, u32::MAX), vec![MAIN], false),
            (at(0, 0, 800, 600), vec![], false),
        ] {
            assert_eq!(geometry.fits(&screens), fits, "{geometry:?} on {screens:?}");
        }
    }
}
