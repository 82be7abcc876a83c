// SPDX-License-Identifier: Apache-2.0
use crate::arguments::{schema, text};
use crate::web::{address, check, failure, host, line, outside, size};
use async_trait::async_trait;
use bailey_policy::{Approval, ArgumentRole, ToolFacts, ToolKind, ToolSpec};
use bailey_ports::{FileError, Files, Tool, ToolContext, ToolFailure, ToolResult, Web, WebError, WebRequest};
use bailey_protocol::{Danger, Part};
use futures::StreamExt;
use percent_encoding::percent_decode_str;
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// Fetches a file into the app's own folder.
pub(crate) struct DownloadFile {
    spec: ToolSpec,
    web: Arc<dyn Web>,
    files: Arc<dyn Files>,
}

impl DownloadFile {
    /// Bytes of one file.
    const LARGEST: u64 = 100 * 1024 * 1024;
    const PATIENCE: Duration = Duration::from_secs(600);
    const FOLDER: &str = "downloads";

    pub(crate) fn new(web: Arc<dyn Web>, files: Arc<dyn Files>) -> Self {
        let spec = ToolSpec {
            name: "download_file".into(),
            description: "Downloads one file of up to 100 MiB from the web into the folder downloads of Bailey's own \
                folder, and tells its size and type. It never replaces a file: a name that is taken gets a number. Use \
                it when the person wants the file itself. Do not use it to read a page or a PDF (web_read)."
                .into(),
            schema: schema(
                json!({
                    "url": {
                        "type": "string", "minLength": 4, "maxLength": 2000,
                        "description": "The address of the file itself, not of a page about it.",
                    },
                    "name": {
                        "type": "string", "minLength": 1, "maxLength": 120,
                        "description": "What to call it, with its ending; left out, the server's name for it.",
                    },
                }),
                &["url"],
            ),
            example: json!({ "url": "https://example.org/files/map.pdf", "name": "island map.pdf" }),
            facts: ToolFacts { danger: Danger::Medium, outside: true, egress: true, ..ToolFacts::LOW },
            arguments: BTreeMap::from([("name".into(), ArgumentRole::Text)]),
            kind: ToolKind::Run,
        };
        Self { spec, web, files }
    }
}

#[async_trait]
impl Tool for DownloadFile {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn run(&self, approval: Approval, context: ToolContext) -> ToolResult {
        let url = address(text(approval.arguments(), "url"));
        let request = WebRequest { max_bytes: Self::LARGEST, timeout: Self::PATIENCE, ..WebRequest::get(url) };
        let mut response = self.web.fetch(request).await.map_err(|e| not_downloaded(&e))?;
        check(&response).map_err(ToolFailure::new)?;
        if response.length.is_some_and(|length| length > Self::LARGEST) {
            return Err(too_large());
        }
        let named = text(approval.arguments(), "name").trim();
        let name = match named {
            "" => response.file_name.clone().or_else(|| last_of(&response.url)).unwrap_or_else(|| "file".to_owned()),
            named => named.to_owned(),
        };
        let mut file = self.files.begin(Self::LARGEST).map_err(not_kept)?;
        let mut bytes = 0;
        while let Some(chunk) = response.body.next().await {
            let chunk = chunk.map_err(|e| not_downloaded(&e))?;
            bytes += chunk.len() as u64;
            file.append(&chunk).map_err(not_kept)?;
        }
        if let Some(length) = response.length.filter(|length| *length != bytes) {
            return Err(ToolFailure::new(format!(
                "the download broke off after {bytes} of {length} bytes, and nothing was kept. Try once more"
            )));
        }
        if bytes == 0 {
            return Err(ToolFailure::new("the file is empty, and nothing was kept. Check the address"));
        }
        let labels = context.labels.joined(&outside(&self.spec.name, host(&response.url)));
        let kept = file.keep(Self::FOLDER, &name, &labels, context.now).map_err(not_kept)?;

        let kind = response.content_type.as_deref().map_or_else(|| "unknown type".to_owned(), |kind| line(kind, 80));
        let mut said = format!(
            "Saved {} in Bailey's own folder: {} ({bytes} bytes), {kind}, from {}.",
            kept.path,
            size(bytes),
            response.url
        );
        if kind.starts_with("text/html") {
            said.push_str(" This is a web page, perhaps one about the file or a login, and not the file itself: look with web_read.");
        }
        Ok(vec![Part::labelled(said, outside(&self.spec.name, host(&response.url)))])
    }
}

/// The last piece of an address's path, as a name.
fn last_of(url: &str) -> Option<String> {
    let url = Url::parse(url).ok()?;
    let last = url.path_segments()?.rfind(|piece| !piece.is_empty())?;
    Some(percent_decode_str(last).decode_utf8_lossy().into_owned())
}

fn too_large() -> ToolFailure {
    ToolFailure::new(format!(
        "the file is larger than {}, and nothing was kept. Give the person its address instead",
        size(DownloadFile::LARGEST)
    ))
}

fn not_downloaded(error: &WebError) -> ToolFailure {
    match error {
        WebError::TooLarge(_) => too_large(),
        error => failure(error),
    }
}

fn not_kept(error: FileError) -> ToolFailure {
    match error {
        FileError::TooLarge { .. } => too_large(),
        FileError::Path(why) => ToolFailure::new(format!("the file was not kept: {why}")),
        FileError::Io(_) => {
            ToolFailure::new(format!("{error}. Tell the person; trying again right away will not help"))
        }
    }
}
