// SPDX-License-Identifier: Apache-2.0
//! The windows on the screen, front to back, as they come out of the world's state.

use super::apps;
use super::dialog::Dialog;
use super::layout::{HEIGHT, KEYBOARD, NAVIGATION, Pane, STATUS, WIDTH, lay_out, measure};
use super::lie::Lie;
use super::packages;
use super::view::{View, button, column, icon, row, text, title};
use super::world::{Shade, World};
use bailey_ports::device::{Bounds, DeviceEvent, WindowKind};

const WHOLE: Bounds = Bounds(0, 0, WIDTH, HEIGHT);

/// What a window is made of.
struct Draft<'a> {
    key: &'a str,
    id: i32,
    kind: WindowKind,
    app: &'a str,
    title: &'a str,
    bounds: Bounds,
    /// Where its views lie.
    area: Bounds,
    view: View,
}

impl World {
    /// All windows.
    pub(crate) fn panes(&self) -> Vec<Pane> {
        let mut panes = Vec::new();
        if self.locked {
            panes.push(self.pane(&lock_screen()));
            return panes;
        }
        if let Some((says, stop)) = &self.driving {
            panes.push(self.pane(&indicator(says, stop)));
        }
        let shade = match self.shade {
            Shade::None => None,
            Shade::Notifications => Some(over("shade", 3, self.notification_shade())),
            Shade::QuickSettings => Some(over("quick", 4, self.quick_settings())),
            Shade::Recents => Some(Draft {
                kind: WindowKind::Application,
                app: packages::LAUNCHER,
                ..over("recents", 5, self.recents())
            }),
        };
        if let Some(draft) = shade {
            let mut pane = self.pane(&draft);
            pane.window.focused = true;
            panes.push(pane);
        }
        if self.keyboard {
            panes.push(self.pane(&keyboard()));
        }
        for dialog in self.dialogs.iter().rev().filter(|dialog| self.shows(dialog)) {
            panes.push(self.dialog_pane(dialog));
        }
        // What an app draws over others is a window of the system's kind.
        for (at, lie) in self.lies.iter().enumerate() {
            if let Lie::Overlaid { app, text: says, bounds } = lie {
                panes.push(self.pane(&Draft {
                    key: &format!("overlaid/{at}"),
                    id: 100 + i32::try_from(at).unwrap_or(0),
                    app,
                    bounds: *bounds,
                    area: *bounds,
                    ..over("", 0, text(says))
                }));
            }
        }
        panes.push(self.pane(&status_bar()));
        panes.push(self.pane(&navigation_bar()));
        let mut root = View::of("android.widget.FrameLayout").key("content").child(apps::draw(self));
        for lie in &self.lies {
            lie.plant(&self.front, &mut root);
        }
        let name = self.app_name(&self.front);
        let bottom = if self.keyboard { KEYBOARD } else { NAVIGATION };
        let mut app = self.pane(&Draft {
            key: &format!("app/{}", self.front),
            id: window_id(&self.front),
            kind: WindowKind::Application,
            app: &self.front,
            title: &name,
            bounds: WHOLE,
            area: Bounds(0, STATUS, WIDTH, bottom),
            view: root,
        });
        app.secure = self.front == packages::BANK || (self.front == packages::BAILEY && self.secure);
        app.window.focused = self.shade == Shade::None && !self.dialogs.iter().any(|dialog| self.shows(dialog));
        panes.push(app);
        panes
    }

    fn pane(&self, draft: &Draft<'_>) -> Pane {
        let (nodes, placed) = lay_out(&draft.view, draft.key, draft.area, &self.scrolled);
        let window = bailey_ports::device::Window {
            id: draft.id,
            kind: draft.kind,
            app: draft.app.to_owned(),
            title: draft.title.to_owned(),
            focused: false,
            bounds: draft.bounds,
            nodes,
        };
        let mut pane = Pane { window, placed, secure: false };
        for (node, placed) in pane.window.nodes.iter_mut().zip(&pane.placed) {
            node.focused = self.focus.as_ref() == Some(&placed.path);
        }
        self.lies.iter().for_each(|lie: &Lie| lie.relabel(&mut pane));
        pane
    }

    fn dialog_pane(&self, dialog: &Dialog) -> Pane {
        let view = (dialog.body)(self);
        let height = measure(&view).min(1600);
        let upper = if self.keyboard { STATUS } else { (HEIGHT - height) / 2 };
        let bounds = Bounds(90, upper, WIDTH - 90, upper + height);
        let mut pane = self.pane(&Draft {
            key: &format!("dialog/{}", dialog.number),
            id: 1_000 + i32::try_from(dialog.number).unwrap_or(0),
            kind: dialog.kind,
            app: &dialog.app,
            title: &dialog.title,
            bounds,
            area: bounds,
            view,
        });
        let front = self.dialogs.iter().rev().find(|dialog| self.shows(dialog));
        pane.window.focused = self.shade == Shade::None && front.is_some_and(|front| front.number == dialog.number);
        pane
    }
}

/// A number for an app's window that no other app has, out of its package.
fn window_id(package: &str) -> i32 {
    package.bytes().fold(1_000_000, |id, byte| (id * 31 + i32::from(byte)) % 10_000_000 + 1_000_000)
}

fn over<'a>(key: &'a str, id: i32, view: View) -> Draft<'a> {
    Draft {
        key,
        id,
        kind: WindowKind::System,
        app: packages::SYSTEM_UI,
        title: "",
        bounds: WHOLE,
        area: Bounds(0, STATUS, WIDTH, NAVIGATION),
        view,
    }
}

fn lock_screen() -> Draft<'static> {
    let view =
        column([title("12:00").id("lock_icon_clock"), text("Swipe up to unlock").id("keyguard_indication_text")]);
    Draft { key: "lock", ..over("lock", 2, view) }
}

fn indicator<'a>(says: &str, stop: &str) -> Draft<'a> {
    let bounds = Bounds(240, 0, 840, STATUS);
    let view = row([
        text(says).id("driving_text"),
        button("driving_stop", stop).high(STATUS).tap(|w| w.tell(DeviceEvent::StopPressed)),
    ]);
    Draft {
        key: "driving",
        id: 6,
        kind: WindowKind::Overlay,
        app: packages::BAILEY,
        title: "",
        bounds,
        area: bounds,
        view,
    }
}

fn status_bar() -> Draft<'static> {
    let bounds = Bounds(0, 0, WIDTH, STATUS);
    let view = row([text("12:00").id("clock"), icon("battery", "Battery 80 percent").high(STATUS)]);
    Draft {
        key: "status",
        id: 1,
        kind: WindowKind::System,
        app: packages::SYSTEM_UI,
        title: "",
        bounds,
        area: bounds,
        view,
    }
}

fn navigation_bar() -> Draft<'static> {
    let bounds = Bounds(0, NAVIGATION, WIDTH, HEIGHT);
    let key = |id, says| icon(id, says).high(HEIGHT - NAVIGATION).wide(WIDTH / 3);
    let view = row([
        key("back", "Back").tap(World::back),
        key("home", "Home").tap(World::home),
        key("recent_apps", "Overview").tap(|w| {
            w.unfocus();
            w.shade = Shade::Recents;
        }),
    ]);
    Draft { key: "navigation", id: 8, bounds, area: bounds, view, ..status_bar() }
}

fn keyboard() -> Draft<'static> {
    let bounds = Bounds(0, KEYBOARD, WIDTH, NAVIGATION);
    let keys = ["qwertyuiop", "asdfghjkl", "zxcvbnm"].map(|line| {
        row(line.chars().map(|c| {
            let says = c.to_string();
            View::of("android.inputmethodservice.Keyboard$Key")
                .key(&says)
                .description(&says)
                .high(190)
                .tap(move |w| w.press_letter(&says))
        }))
        .key(line)
    });
    let view = column(keys).child(
        View::of("android.inputmethodservice.Keyboard$Key")
            .key("enter")
            .description("Enter")
            .high(190)
            .tap(World::press_enter),
    );
    Draft {
        key: "keyboard",
        id: 7,
        kind: WindowKind::InputMethod,
        app: packages::KEYBOARD,
        title: "",
        bounds,
        area: bounds,
        view,
    }
}

impl World {
    /// The field that has the focus: how it is changed, what is in it, and what Enter does.
    fn focused(&self) -> Option<(super::layout::Placed, String)> {
        let focus = self.focus.as_ref()?;
        self.panes().into_iter().find_map(|pane| {
            let at = pane.placed.iter().position(|p| p.path == *focus)?;
            let text = pane.window.nodes.get(at)?.text.clone();
            Some((pane.placed.into_iter().nth(at)?, text))
        })
    }

    fn press_letter(&mut self, letter: &str) {
        if let Some((placed, text)) = self.focused()
            && let Some(edit) = placed.edit
        {
            edit(self, &format!("{text}{letter}"));
        }
    }

    fn press_enter(&mut self) {
        if let Some(submit) = self.focused().and_then(|(placed, _)| placed.submit) {
            submit(self);
        }
    }
}
