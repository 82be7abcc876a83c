// SPDX-License-Identifier: Apache-2.0
use super::{Call, Definition, Made, failure, needs, told};
use crate::arguments::{schema, text};
use bailey_policy::{ArgumentRole, ToolFacts, ToolKind};
use bailey_ports::device::{Device, DeviceExt, InstalledApp, InstalledApps, ManageApp, ManageAppAction};
use bailey_ports::{ToolFailure, ToolResult};
use bailey_protocol::Danger;
use serde_json::json;
use std::cmp::Reverse;
use std::fmt::Write as _;

pub(super) fn list_installed_apps() -> Made {
    Made {
        needs: needs::<InstalledApps>(),
        definition: Definition {
            name: "list_installed_apps",
            description: "Lists the apps on this device that can be opened, by name, with their packages. Use it to \
                find out whether an app is there and what its package is. Do not use it before open_app, which finds \
                an app by its name.",
            schema: schema(
                json!({
                    "query": {
                        "type": "string", "maxLength": 80,
                        "description": "Part of a name or a package; leave it out for all apps.",
                    },
                }),
                &[],
            ),
            example: json!({ "query": "map" }),
            facts: ToolFacts { read_only: true, private: true, ..ToolFacts::LOW },
            roles: &[("query", ArgumentRole::Text)],
        },
        kind: ToolKind::Run,
        run: |call| Box::pin(list(call)),
    }
}

async fn list(call: Call) -> ToolResult {
    let query = text(&call.arguments, "query").trim().to_lowercase();
    let mut apps = call.device.ask(InstalledApps {}).await.map_err(failure)?.apps;
    apps.retain(|app| app.name.to_lowercase().contains(&query) || app.package.to_lowercase().contains(&query));
    apps.sort_by(|a, b| a.name.cmp(&b.name).then_with(|| a.package.cmp(&b.package)));
    if apps.is_empty() {
        return told(match query.is_empty() {
            true => "There are no apps that can be opened.".to_owned(),
            false => "No app that can be opened has this in its name or package.".to_owned(),
        });
    }
    let mut lines = format!("{} apps:", apps.len());
    for InstalledApp { name, package, version, .. } in &apps {
        let _ = write!(lines, "\n{name} ({package}) {version}");
    }
    told(lines)
}

/// The app of this name or package: the very name before a part of one; the shortest name wins.
pub(super) async fn find(device: &dyn Device, wanted: &str) -> Result<InstalledApp, ToolFailure> {
    let apps = device.ask(InstalledApps {}).await.map_err(failure)?.apps;
    let wanted = wanted.trim();
    if let Some(app) = apps.iter().find(|app| app.package == wanted) {
        return Ok(app.clone());
    }
    let lower = wanted.to_lowercase();
    let fit = |app: &InstalledApp| {
        let name = app.name.to_lowercase();
        match () {
            () if name == lower => 3,
            () if name.split_whitespace().any(|word| word == lower) => 2,
            () if name.contains(&lower) => 1,
            () => 0,
        }
    };
    let best = apps.iter().filter(|app| fit(app) > 0).max_by_key(|app| (fit(app), Reverse(app.name.chars().count())));
    let Some(best) = best else {
        return Err(ToolFailure::new(format!(
            "there is no app named {wanted:?} here. Look for it with list_installed_apps, or ask the person which app they mean"
        )));
    };
    let as_good: Vec<&str> = apps
        .iter()
        .filter(|app| fit(app) == fit(best) && app.name.to_lowercase() == best.name.to_lowercase())
        .map(|app| app.package.as_str())
        .collect();
    if as_good.len() > 1 {
        return Err(ToolFailure::new(format!(
            "there are several apps named {:?}: {}. Name the package",
            best.name,
            as_good.join(", ")
        )));
    }
    Ok(best.clone())
}

pub(super) fn manage_app() -> Made {
    Made {
        needs: needs::<ManageApp>(),
        definition: Definition {
            name: "manage_app",
            description: "Stops an app, deletes all its data, switches it off or on, or uninstalls it, through Shizuku. \
                Use it only when the person asked for exactly this, with the package from list_installed_apps. Do not \
                use it to open an app (open_app). Data that was cleared or uninstalled does not come back.",
            schema: schema(
                json!({
                    "package": {
                        "type": "string", "pattern": "^[A-Za-z][A-Za-z0-9_]*(\\.[A-Za-z0-9_]+)+$", "maxLength": 150,
                        "description": "The app's package, as org.example.app.",
                    },
                    "action": {
                        "type": "string", "enum": ["stop", "clear", "disable", "enable", "uninstall"],
                        "description": "What to do to the app.",
                    },
                }),
                &["package", "action"],
            ),
            example: json!({ "package": "org.example.game", "action": "stop" }),
            facts: ToolFacts { danger: Danger::High, never_unattended: true, ..ToolFacts::LOW },
            roles: &[],
        },
        kind: ToolKind::Run,
        run: |call| Box::pin(manage(call)),
    }
}

async fn manage(call: Call) -> ToolResult {
    let package = text(&call.arguments, "package").to_owned();
    let (action, done) = match text(&call.arguments, "action") {
        "stop" => (ManageAppAction::Stop, "was stopped"),
        "clear" => (ManageAppAction::Clear, "has lost all its data"),
        "disable" => (ManageAppAction::Disable, "is switched off"),
        "enable" => (ManageAppAction::Enable, "is switched on"),
        _ => (ManageAppAction::Uninstall, "was uninstalled"),
    };
    let managed = call.device.ask(ManageApp { package: package.clone(), action }).await.map_err(failure)?;
    let said = managed.said.trim();
    told(match said.is_empty() {
        true => format!("{package} {done}."),
        false => format!("{package} {done}. The system said: {said}"),
    })
}
