// SPDX-License-Identifier: Apache-2.0
use crate::pages;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use std::borrow::Cow;

/// The files of the UI.
pub trait Ui: Send + Sync {
    /// A file's content by its path below the UI's folder, without a leading slash. The path was checked: it has no
    /// `.` or `..` in it, no backslash and no hidden name.
    fn file(&self, path: &str) -> Option<Cow<'static, [u8]>>;
}

/// The UI as built into the binary; a debug build reads it from `ui/dist` each time.
pub struct EmbeddedUi;

#[derive(rust_embed::RustEmbed)]
#[folder = "../../../ui/dist"]
struct Dist;

impl Ui for EmbeddedUi {
    fn file(&self, path: &str) -> Option<Cow<'static, [u8]>> {
        Dist::get(path).map(|file| file.data)
    }
}

/// Answers a path of the page: a file, or `index.html` where the page has its own places.
pub(crate) fn respond(ui: &dyn Ui, path: &str, headers: &HeaderMap) -> Response {
    let path = path.trim_start_matches('/');
    if !is_plain(path) {
        return StatusCode::NOT_FOUND.into_response();
    }
    // Vite puts the content's hash into the name of everything in here, so a name never gets other content, and a name
    // of another build must not be answered with the page.
    let hashed = path.starts_with("assets/");
    let (path, content) = match ui.file(path).filter(|_| !path.is_empty()) {
        Some(content) => (path, content),
        None if hashed => return StatusCode::NOT_FOUND.into_response(),
        None => match ui.file("index.html") {
            Some(content) => ("index.html", content),
            None => return pages::not_built(headers),
        },
    };
    let cache = match path {
        _ if hashed => "public, max-age=31536000, immutable",
        "index.html" => "no-store",
        _ => "no-cache",
    };
    ([(CONTENT_TYPE, content_type(path)), (CACHE_CONTROL, cache)], content).into_response()
}

/// Whether a path is nothing but names. What is escaped, hidden or climbs is not one of ours.
fn is_plain(path: &str) -> bool {
    path.split('/').enumerate().all(|(i, name)| {
        (i == 0 || !name.is_empty() || path.ends_with('/'))
            && !name.starts_with('.')
            && name.bytes().all(|b| b.is_ascii_graphic() && b != b'\\' && b != b'%' && b != b':')
    })
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "webp" => "image/webp",
        "woff2" => "font/woff2",
        "wasm" => "application/wasm",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_paths_are_looked_up() {
        for good in ["", "index.html", "assets/a-B1_x.js", "icon.svg", "chat/1", "settings/"] {
            assert!(is_plain(good), "{good}");
        }
        for bad in [
            "..",
            "../Cargo.toml",
            "assets/../../x",
            "./x",
            ".vite/manifest.json",
            "a//b",
            "a\\b",
            "%2e%2e/x",
            "c:/x",
            "ä",
        ] {
            assert!(!is_plain(bad), "{bad}");
        }
    }

    #[test]
    fn file_kinds_have_their_types() {
        for (path, wanted) in [
            ("assets/app.js", "text/javascript; charset=utf-8"),
            ("assets/app.css", "text/css; charset=utf-8"),
            ("icon.svg", "image/svg+xml"),
            ("odd", "application/octet-stream"),
        ] {
            assert_eq!(content_type(path), wanted, "{path}");
        }
    }
}
