// SPDX-License-Identifier: Apache-2.0
//! The tools on the device under the app, and what they share.

mod apps;
mod calendar;
mod clipboard;
mod contacts;
mod handing;
mod info;
mod notifications;
mod openers;
mod screen;
mod settings;
mod shell;
mod ui_control;
mod usage;

pub use shell::DeviceShell;

use bailey_policy::{Approval, ArgumentRole, ToolFacts, ToolKind, ToolSpec};
use bailey_ports::device::{Channel, Device, DeviceError, DeviceExt, Fault, Perform, ReadScreen};
use bailey_ports::{Tool, ToolContext, ToolFailure, ToolResult};
use bailey_protocol::Part;
use futures::future::BoxFuture;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a tool is, beside what it does.
pub(crate) struct Definition {
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    pub(crate) schema: Value,
    pub(crate) example: Value,
    pub(crate) facts: ToolFacts,
    /// Arguments that are not deciding.
    pub(crate) roles: &'static [(&'static str, ArgumentRole)],
}

impl Definition {
    pub(crate) fn spec(self, kind: ToolKind) -> ToolSpec {
        ToolSpec {
            name: self.name.into(),
            description: self.description.into(),
            schema: self.schema,
            example: self.example,
            facts: self.facts,
            arguments: self.roles.iter().map(|(name, role)| ((*name).to_owned(), *role)).collect::<BTreeMap<_, _>>(),
            kind,
        }
    }
}

/// What a call is carried out with.
pub(crate) struct Call {
    pub(crate) device: Arc<dyn Device>,
    pub(crate) arguments: Value,
    pub(crate) context: ToolContext,
}

/// How a call is carried out.
type Run = fn(Call) -> BoxFuture<'static, ToolResult>;

/// A tool that asks the device and tells the answer.
struct DeviceTool {
    spec: ToolSpec,
    device: Arc<dyn Device>,
    run: Run,
}

#[async_trait::async_trait]
impl Tool for DeviceTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn run(&self, approval: Approval, context: ToolContext) -> ToolResult {
        (self.run)(Call { device: self.device.clone(), arguments: approval.arguments().clone(), context }).await
    }
}

/// A tool, what it needs of the device, and how it is carried out.
struct Made {
    needs: (Channel, &'static str),
    definition: Definition,
    kind: ToolKind,
    run: Run,
}

/// Every tool that this device can carry out.
pub(crate) fn tools(device: &Arc<dyn Device>) -> Vec<Arc<dyn Tool>> {
    let all = [
        info::device_info(),
        info::network_status(),
        screen::get_screen_state(),
        screen::get_foreground_app(),
        apps::list_installed_apps(),
        usage::get_app_usage(),
        apps::manage_app(),
        openers::open_app(),
        openers::open_settings(),
        openers::open_dialer(),
        settings::set_volume(),
        settings::set_brightness(),
        settings::set_flashlight(),
        settings::vibrate(),
        settings::media_control(),
        notifications::read_notifications(),
        clipboard::get_clipboard(),
        clipboard::set_clipboard(),
        handing::share_text(),
        handing::send_email(),
        contacts::search_contacts(),
        calendar::create_calendar_event(),
    ];
    let mut tools: Vec<Arc<dyn Tool>> = all
        .into_iter()
        .filter(|made| device.offers(made.needs.0, made.needs.1))
        .map(|made| {
            let tool = DeviceTool { spec: made.definition.spec(made.kind), device: device.clone(), run: made.run };
            Arc::new(tool) as Arc<dyn Tool>
        })
        .collect();
    if device.can::<Perform>() && device.can::<ReadScreen>() {
        tools.push(Arc::new(ui_control::UiControl::new(device.clone())));
    }
    tools
}

/// What a request needs of a device.
const fn needs<R: bailey_ports::device::Request>() -> (Channel, &'static str) {
    (R::CHANNEL, R::COMMAND)
}

/// A result in words.
fn told(text: impl Into<String>) -> ToolResult {
    Ok(vec![Part::plain(text)])
}

/// What the device did not do, in words for the model.
pub(crate) fn failure(error: DeviceError) -> ToolFailure {
    ToolFailure::new(error.to_string())
}

/// The same, where what is missing is an app to hand something to.
fn handing_failure(error: DeviceError, what: &str) -> ToolFailure {
    match error.fault {
        Fault::NotFound => {
            ToolFailure::new(format!("there is no app on this device that takes {what}. Say so, and go on without it"))
        }
        _ => failure(error),
    }
}
