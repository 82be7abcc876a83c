// SPDX-License-Identifier: Apache-2.0
use super::{Call, Definition, Made, apps, failure, handing_failure, needs, told};
use crate::arguments::{schema, text};
use bailey_policy::{ArgumentRole, ToolFacts, ToolKind};
use bailey_ports::ToolResult;
use bailey_ports::device::{DeviceExt, Dial, OpenApp, OpenSettings, Opened, SettingsScreen};
use serde_json::{Value, json};

/// What was opened, in words: an app in the background may only ask the person to open it.
pub(super) fn opened(what: &str, opened: &Opened) -> ToolResult {
    told(match opened.by_notification {
        true => format!(
            "Bailey is in the background, so a notification was posted instead: the person opens {what} by tapping it. Do not wait for it."
        ),
        false => format!("{what} is open."),
    })
}

pub(super) fn open_app() -> Made {
    Made {
        needs: needs::<OpenApp>(),
        definition: Definition {
            name: "open_app",
            description: "Opens an app by its name or package. Use it when the person wants to see an app, or before \
                ui_control works in it. Do not use it for pages of the system's settings (open_settings) or web pages.",
            schema: schema(
                json!({
                    "app": {
                        "type": "string", "minLength": 1, "maxLength": 150,
                        "description": "Its name as the person says it, or its package.",
                    },
                }),
                &["app"],
            ),
            example: json!({ "app": "Calendar" }),
            facts: ToolFacts::LOW,
            roles: &[],
        },
        kind: ToolKind::Run,
        run: |call| {
            Box::pin(async move {
                let app = apps::find(call.device.as_ref(), text(&call.arguments, "app")).await?;
                let reply = call.device.ask(OpenApp { package: app.package.clone() }).await.map_err(failure)?;
                opened(&format!("{} ({})", app.name, app.package), &reply)
            })
        },
    }
}

/// The pages of the system's settings by their names.
const SCREENS: [&str; 18] = [
    "main",
    "wifi",
    "bluetooth",
    "mobile",
    "display",
    "sound",
    "storage",
    "battery",
    "location",
    "date_time",
    "language",
    "accessibility",
    "notification_access",
    "usage_access",
    "write_settings",
    "app",
    "app_notifications",
    "developer",
];

pub(super) fn open_settings() -> Made {
    Made {
        needs: needs::<OpenSettings>(),
        definition: Definition {
            name: "open_settings",
            description: "Opens a page of the system's settings for the person to look at or change. Use it when \
                something there is theirs to decide. It changes nothing itself; do not use it where another tool \
                does the work (set_volume, set_brightness).",
            schema: schema(
                json!({
                    "screen": { "type": "string", "enum": SCREENS, "description": "Which page to open." },
                    "app": {
                        "type": "string", "maxLength": 150,
                        "description": "The app that app or app_notifications is about, by name or package.",
                    },
                }),
                &["screen"],
            ),
            example: json!({ "screen": "wifi" }),
            facts: ToolFacts::LOW,
            roles: &[("screen", ArgumentRole::Neutral)],
        },
        kind: ToolKind::Run,
        run: |call| Box::pin(settings(call)),
    }
}

async fn settings(call: Call) -> ToolResult {
    let name = text(&call.arguments, "screen");
    let screen: SettingsScreen = serde_json::from_value(Value::from(name)).unwrap_or(SettingsScreen::Main);
    let package = match screen {
        SettingsScreen::App | SettingsScreen::AppNotifications => {
            let app = text(&call.arguments, "app");
            if app.is_empty() {
                return told(format!("The page {name} is about one app: call it again with app."));
            }
            Some(apps::find(call.device.as_ref(), app).await?.package)
        }
        _ => None,
    };
    let reply = call.device.ask(OpenSettings { screen, package }).await;
    opened(&format!("The page {name} of the settings"), &reply.map_err(|e| handing_failure(e, "this page"))?)
}

pub(super) fn open_dialer() -> Made {
    Made {
        needs: needs::<Dial>(),
        definition: Definition {
            name: "open_dialer",
            description: "Opens the telephone app with a number in it; the person presses call. Use it when they want \
                to call somebody. It never calls by itself; do not use it for messages.",
            schema: schema(
                json!({
                    "number": {
                        "type": "string", "pattern": "^[+0-9*#(][0-9 ()/.*#-]{1,30}$",
                        "description": "The number, as it would be dialled.",
                    },
                }),
                &["number"],
            ),
            example: json!({ "number": "+49 89 123456" }),
            facts: ToolFacts::LOW,
            roles: &[],
        },
        kind: ToolKind::Run,
        run: |call| {
            Box::pin(async move {
                let number = text(&call.arguments, "number").to_owned();
                let reply = call.device.ask(Dial { number: number.clone() }).await;
                opened(
                    &format!("The telephone app with {number}"),
                    &reply.map_err(|e| handing_failure(e, "telephone numbers"))?,
                )
            })
        },
    }
}
