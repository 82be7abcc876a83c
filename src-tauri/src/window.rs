// SPDX-License-Identifier: Apache-2.0
//! The window, and what its page may not do: go elsewhere, open windows, load files, ask for the camera.

use crate::ipc::Subscriptions;
use std::path::Path;
use tauri::webview::{DownloadEvent, NewWindowResponse, PageLoadEvent, PermissionResponse};
use tauri::{AppHandle, Manager, WebviewWindow, WebviewWindowBuilder, WindowEvent};
use url::Url;

const MAIN: &str = "main";

/// Makes the window. What the page keeps stays in the data folder.
pub(crate) fn build(app: &AppHandle, folder: &Path) -> Result<WebviewWindow, Box<dyn std::error::Error>> {
    let config = app.config();
    let Some(window) = config.app.windows.iter().find(|window| window.label == MAIN) else {
        return Err("tauri.conf.json describes no main window".into());
    };
    let dev = if cfg!(feature = "custom-protocol") { None } else { config.build.dev_url.clone() };
    let window = WebviewWindowBuilder::from_config(app, window)?
        // Drafts and whatever else the page keeps stay in the data folder, too.
        .data_directory(folder.join("webview"))
        .on_navigation(move |url| {
            let own = is_own(url, dev.as_ref());
            if !own {
                tracing::warn!("the page wanted to go to another origin: refused");
            }
            own
        })
        .on_new_window(|url, _| {
            if !is_own(&url, None) {
                open_outside(url);
            }
            NewWindowResponse::Deny
        })
        .on_download(|_, event| !matches!(event, DownloadEvent::Requested { .. }))
        .on_permission_request(|_, _| PermissionResponse::Deny)
        .on_page_load(|window, load| {
            // The page that listened is gone: nobody attends until the next one subscribes.
            if load.event() == PageLoadEvent::Started {
                window.state::<Subscriptions>().end(window.label());
            }
        })
        .build()?;
    let watched = window.clone();
    window.on_window_event(move |event| {
        if let WindowEvent::Destroyed = event {
            watched.state::<Subscriptions>().end(watched.label());
        }
    });
    Ok(window)
}

/// Whether an address is the app's own page: Tauri's scheme, or its host where a scheme of one's own is not to be had.
fn is_own(url: &Url, dev: Option<&Url>) -> bool {
    let bundled = match url.scheme() {
        "tauri" => url.host_str() == Some("localhost"),
        "http" | "https" => url.host_str() == Some("tauri.localhost") && url.port().is_none(),
        _ => false,
    };
    bundled || dev.is_some_and(|dev| dev.origin() == url.origin())
}

/// Gives a link that was clicked to the person's browser: one to the web, nothing that would open a file or start a program.
fn open_outside(url: Url) {
    // The system may take its time to start a browser.
    tauri::async_runtime::spawn_blocking(move || {
        if let Err(error) = bailey_host::open_link(url.as_str()) {
            tracing::warn!("a link was not opened: {error}");
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        text.parse().expect(text)
    }

    #[test]
    fn the_page_stays_with_itself() {
        let dev = url("http://127.0.0.1:5173");
        for (address, own, own_in_dev) in [
            ("tauri://localhost", true, true),
            ("tauri://localhost/index.html#/chat/1", true, true),
            ("http://tauri.localhost/", true, true),
            ("https://tauri.localhost/#/", true, true),
            ("http://127.0.0.1:5173/", false, true),
            ("http://127.0.0.1:5174/", false, false),
            ("http://127.0.0.1/", false, false),
            ("http://tauri.localhost:8080/", false, false),
            ("http://tauri.localhost.example.org/", false, false),
            ("tauri://example.org/", false, false),
            ("https://example.org/", false, false),
            ("about:blank", false, false),
            ("data:text/html,x", false, false),
            ("file:///etc/passwd", false, false),
            ("javascript:alert(1)", false, false),
        ] {
            assert_eq!(is_own(&url(address), None), own, "{address}");
            assert_eq!(is_own(&url(address), Some(&dev)), own_in_dev, "{address} in development");
        }
    }
}
