// SPDX-License-Identifier: Apache-2.0
//! The device port over Kotlin plugins.
//!
//! Each plugin carries out the requests of one channel. A request goes to it as the JSON it is, so that there is one
//! contract and no second set of types; see `bailey_ports::device`. The web view is granted no command of any of them.

use async_trait::async_trait;
use bailey_ports::device::{Channel, Device, DeviceError, DeviceEvent, Fault, requests};
use futures::StreamExt;
use futures::stream::BoxStream;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::{Arc, RwLock};
use tauri::Wry;
use tauri::plugin::{PluginHandle, TauriPlugin};
use tokio::sync::broadcast;
use tokio_stream::wrappers::BroadcastStream;

/// So many events wait for somebody slow; older ones are dropped.
const EVENTS: usize = 64;

/// An Android device: the plugins that were set up, by their channels.
#[derive(Clone)]
pub struct AndroidDevice {
    plugins: Arc<RwLock<BTreeMap<Channel, PluginHandle<Wry>>>>,
    events: broadcast::Sender<DeviceEvent>,
}

impl Default for AndroidDevice {
    fn default() -> Self {
        Self { plugins: Arc::default(), events: broadcast::channel(EVENTS).0 }
    }
}

impl AndroidDevice {
    /// The Tauri plugin that carries out a channel's requests: `class` in the Kotlin package `org.bailey.<channel>`.
    pub fn plugin(&self, name: &'static str, channel: Channel, class: &'static str) -> TauriPlugin<Wry> {
        let device = self.clone();
        tauri::plugin::Builder::<Wry>::new(name)
            .setup(move |_app, api| {
                device.register(&api, channel, class)?;
                Ok(())
            })
            .build()
    }

    #[cfg(target_os = "android")]
    fn register(
        &self,
        api: &tauri::plugin::PluginApi<Wry, ()>,
        channel: Channel,
        class: &str,
    ) -> Result<(), Box<dyn std::error::Error>> {
        let handle = api.register_android_plugin(&format!("org.bailey.{}", channel.name()), class)?;
        let events = self.events.clone();
        // One for all time: each channel that is made is kept for ever.
        let listener = tauri::ipc::Channel::<Value>::new(move |body| {
            if let tauri::ipc::InvokeResponseBody::Json(json) = body {
                match serde_json::from_str(&json) {
                    Ok(event) => drop(events.send(event)),
                    Err(error) => tracing::warn!(channel = channel.name(), "an event can't be read: {error}"),
                }
            }
            Ok(())
        });
        handle.run_mobile_plugin::<Value>(
            "registerListener",
            serde_json::json!({ "event": "device", "handler": listener }),
        )?;
        self.plugins.write().unwrap_or_else(|e| e.into_inner()).insert(channel, handle);
        Ok(())
    }

    #[cfg(not(target_os = "android"))]
    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "as on Android")]
    fn register(
        &self,
        _api: &tauri::plugin::PluginApi<Wry, ()>,
        _channel: Channel,
        _class: &str,
    ) -> Result<(), Box<dyn std::error::Error>> {
        Ok(())
    }
}

#[async_trait]
impl Device for AndroidDevice {
    async fn call(&self, channel: Channel, command: &str, request: Value) -> Result<Value, DeviceError> {
        if !requests().contains(&(channel, command)) {
            return Err(DeviceError::new(channel, Fault::Unsupported, command));
        }
        let handle = self.plugins.read().unwrap_or_else(|e| e.into_inner()).get(&channel).cloned();
        match handle {
            Some(handle) => invoke(&handle, channel, command, request).await,
            None => Err(DeviceError::new(channel, Fault::NotRunning, "")),
        }
    }

    fn offers(&self, channel: Channel, command: &str) -> bool {
        let plugins = self.plugins.read().unwrap_or_else(|e| e.into_inner());
        plugins.contains_key(&channel) && requests().contains(&(channel, command))
    }

    fn events(&self) -> BoxStream<'static, DeviceEvent> {
        BroadcastStream::new(self.events.subscribe()).filter_map(async |event| event.ok()).boxed()
    }
}

#[cfg(target_os = "android")]
async fn invoke(
    handle: &PluginHandle<Wry>,
    channel: Channel,
    command: &str,
    request: Value,
) -> Result<Value, DeviceError> {
    use tauri::plugin::mobile::PluginInvokeError;
    handle.run_mobile_plugin_async::<Value>(command, request).await.map_err(|error| match error {
        PluginInvokeError::InvokeRejected(rejected) => {
            rejection(channel, rejected.code.as_deref(), rejected.message.as_deref())
        }
        other => DeviceError::new(channel, Fault::Failed, other.to_string()),
    })
}

#[cfg(not(target_os = "android"))]
async fn invoke(
    _handle: &PluginHandle<Wry>,
    channel: Channel,
    command: &str,
    _request: Value,
) -> Result<Value, DeviceError> {
    Err(DeviceError::new(channel, Fault::Unsupported, command))
}

/// A plugin's rejection: its code is the fault's name.
#[cfg_attr(not(target_os = "android"), allow(dead_code))]
fn rejection(channel: Channel, code: Option<&str>, message: Option<&str>) -> DeviceError {
    let fault = code.map_or(Fault::Failed, Fault::named);
    DeviceError::new(channel, fault, message.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rejection_is_the_fault_it_names() {
        let secure = rejection(Channel::Accessibility, Some("secure_window"), Some("org.bank"));
        assert_eq!(secure, DeviceError::new(Channel::Accessibility, Fault::SecureWindow, "org.bank"));
        assert_eq!(rejection(Channel::Device, Some("a new one"), None).fault, Fault::Failed);
        assert_eq!(rejection(Channel::Device, None, None), DeviceError::new(Channel::Device, Fault::Failed, ""));
    }

    #[tokio::test]
    async fn before_its_plugins_are_set_up_it_says_so_and_what_is_unknown_is_refused() {
        let device = AndroidDevice::default();
        let error = device.call(Channel::Device, "info", Value::Null).await.unwrap_err();
        assert_eq!(error.fault, Fault::NotRunning);
        let error = device.call(Channel::Device, "readScreen", Value::Null).await.unwrap_err();
        assert_eq!(error.fault, Fault::Unsupported);
        assert!(!device.offers(Channel::Device, "info"), "nothing carries it out yet");
    }
}
