// SPDX-License-Identifier: Apache-2.0
use serde::{Deserialize, Serialize};

/// How a picture is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PictureFormat {
    /// JPEG.
    #[default]
    Jpeg,
    /// PNG.
    Png,
}

impl PictureFormat {
    /// Its MIME type.
    pub fn mime(self) -> &'static str {
        match self {
            PictureFormat::Jpeg => "image/jpeg",
            PictureFormat::Png => "image/png",
        }
    }
}

/// Takes a picture of the screen through the accessibility service (Android 11 and later). A window that forbids it is
/// [`super::Fault::SecureWindow`], nothing else is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Screenshot {
    /// The longer edge is at most so many pixels.
    pub max_edge: u32,
}

/// A picture.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Picture {
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// How it is written.
    pub format: PictureFormat,
    /// The file, in base64.
    pub data: String,
}

/// Asks the person, by the system's own dialog, to let the screen be captured, and keeps it until it is revoked: the
/// system lets a consent be used once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StartProjection {}

/// A capture that is going on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Projection {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

/// The newest picture of the capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReadFrame {
    /// The longer edge is at most so many pixels.
    pub max_edge: u32,
}

/// A picture of the capture and its age: the system sends a new one only when something moved.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Frame {
    /// The picture.
    pub picture: Picture,
    /// How old it is, in milliseconds.
    pub age_ms: u32,
}

/// Begins to record the capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StartRecording {
    /// It ends by itself after so many seconds, 1 to 600.
    pub limit_s: u32,
}

/// Ends a recording, or waits for its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EndRecording {}

/// A recording that ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Recording {
    /// Where the file is, in the app's own folder.
    pub path: String,
    /// How long it is, in milliseconds.
    pub duration_ms: u32,
    /// How large it is.
    pub bytes: u64,
}

/// Gives the capture up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RevokeProjection {}
