// SPDX-License-Identifier: Apache-2.0
//! Dialogs: of the system and of apps.

use super::effect::Effect;
use super::packages;
use super::view::{Act, View, button, column, row, text, title};
use super::world::World;
use bailey_ports::device::WindowKind;
use std::sync::Arc;

type Body = Arc<dyn Fn(&World) -> View + Send + Sync>;

/// A window over an app.
#[derive(Clone)]
pub(crate) struct Dialog {
    pub(crate) number: u64,
    pub(crate) app: String,
    pub(crate) title: String,
    pub(crate) kind: WindowKind,
    pub(crate) body: Body,
    pub(crate) on_back: Option<Act>,
}

/// A button of a dialog: its resource name, its text, and what it does after the dialog has gone.
pub(crate) struct Choice {
    id: &'static str,
    says: String,
    act: Act,
}

/// A button of a dialog.
pub(crate) fn choice(
    id: &'static str,
    says: impl Into<String>,
    act: impl Fn(&mut World) + Send + Sync + 'static,
) -> Choice {
    Choice { id, says: says.into(), act: Arc::new(act) }
}

impl World {
    /// Shows a dialog and tells its number.
    pub(crate) fn show(
        &mut self,
        app: &str,
        title: &str,
        body: impl Fn(&World) -> View + Send + Sync + 'static,
    ) -> u64 {
        let number = self.number();
        // The questions of the system's apps are windows of apps; those of the system itself are not.
        let kind = if app == packages::SYSTEM { WindowKind::System } else { WindowKind::Application };
        self.unfocus();
        self.dialogs.push(Dialog {
            number,
            app: app.to_owned(),
            title: title.to_owned(),
            kind,
            body: Arc::new(body),
            on_back: None,
        });
        number
    }

    /// Shows a dialog of a title, a message, and buttons that take it away.
    pub(crate) fn ask(&mut self, app: &str, heading: &str, message: &str, choices: Vec<Choice>) -> u64 {
        let number = self.next + 1;
        let (says, message) = (heading.to_owned(), message.to_owned());
        self.show(app, heading, move |_| {
            let buttons = choices.iter().map(|choice| {
                let act = choice.act.clone();
                button(choice.id, &choice.says).tap(move |w| {
                    w.close(number);
                    act(w);
                })
            });
            let mut view = column([title(&says).id("alertTitle")]);
            if !message.is_empty() {
                view.children.push(text(&message).id("message").high(160));
            }
            view.child(row(buttons).id("buttonPanel"))
        })
    }

    /// A choice out of a list, as a drop-down opens it.
    pub(crate) fn choose(
        &mut self,
        app: &str,
        choices: Vec<String>,
        act: impl Fn(&mut World, &str) + Send + Sync + 'static,
    ) -> u64 {
        let number = self.next + 1;
        let act = Arc::new(act);
        self.show(app, "", move |_| {
            column(choices.iter().map(|says| {
                let (act, says) = (act.clone(), says.clone());
                let mut row = View::of("android.widget.CheckedTextView").key(&says).says(&says).high(130);
                row.node.id = "text1".to_owned();
                row.tap(move |w| {
                    w.close(number);
                    act(w, &says);
                })
            }))
            .key("choices")
        })
    }

    /// The system's question whether an app may do something. The answer is written down as an effect and, where a
    /// request waits for it, under the number of the dialog.
    pub(crate) fn ask_permission(&mut self, package: &str, permission: &str) -> u64 {
        let number = self.next + 1;
        let what = match permission {
            "contacts" => "access your contacts",
            "calendar" => "access your calendar",
            "location" => "access this device's location",
            "notifications" => "send you notifications",
            "camera" => "take pictures and record video",
            other => other,
        };
        let heading = format!("Allow {} to {what}?", self.app_name(package));
        let of = |allow: bool| {
            let (package, permission) = (package.to_owned(), permission.to_owned());
            move |w: &mut World| {
                w.decide_permission(&package, &permission, allow);
                w.answers.insert(number, allow);
            }
        };
        let (allow, deny, back) = (of(true), of(false), of(false));
        self.ask(
            packages::PERMISSIONS_UI,
            &heading,
            "",
            vec![
                choice("permission_allow_button", "Allow", allow),
                choice("permission_deny_button", "Don't allow", deny),
            ],
        );
        if let Some(dialog) = self.dialogs.last_mut() {
            dialog.on_back = Some(Arc::new(back));
        }
        number
    }

    /// Grants or denies a permission.
    pub(crate) fn decide_permission(&mut self, package: &str, permission: &str, allow: bool) {
        if package == packages::BAILEY {
            if allow {
                self.granted.insert(permission.to_owned());
            } else {
                self.granted.remove(permission);
            }
        }
        if let Some(app) = self.app_mut(package) {
            if allow {
                app.permissions.insert(permission.to_owned());
            } else {
                app.permissions.remove(permission);
            }
        }
        let (package, permission) = (package.to_owned(), permission.to_owned());
        self.happened(if allow {
            Effect::PermissionGranted { package, permission }
        } else {
            Effect::PermissionDenied { package, permission }
        });
    }

    /// The system's question whether Bailey may do something, for a request that waits for its answer. Back means no.
    pub(crate) fn ask_consent(
        &mut self,
        app: &str,
        heading: &str,
        message: &str,
        (yes_id, yes): (&'static str, &str),
        (no_id, no): (&'static str, &str),
    ) -> u64 {
        let number = self.next + 1;
        let answer = move |answer: bool| {
            move |w: &mut World| {
                w.answers.insert(number, answer);
            }
        };
        self.ask(app, heading, message, vec![choice(no_id, no, answer(false)), choice(yes_id, yes, answer(true))]);
        if let Some(dialog) = self.dialogs.last_mut() {
            dialog.on_back = Some(Arc::new(answer(false)));
        }
        number
    }

    /// Whether a dialog is on the screen: that of an app goes to the back with it.
    pub(crate) fn shows(&self, dialog: &Dialog) -> bool {
        let system = [packages::SYSTEM_UI, packages::PERMISSIONS_UI, packages::INSTALLER, packages::SYSTEM];
        system.contains(&dialog.app.as_str()) || dialog.app == self.front
    }
}
