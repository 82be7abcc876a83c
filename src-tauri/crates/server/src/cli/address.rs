// SPDX-License-Identifier: Apache-2.0
use serde::{Deserialize, Serialize};

/// What the process that holds a data folder writes there, readable for its user only.
#[derive(Serialize, Deserialize)]
pub(crate) struct Address {
    /// What holds the folder.
    pub(crate) holder: Holder,
    /// The server's port on 127.0.0.1; 0 when there is none.
    #[serde(default)]
    pub(crate) port: u16,
    /// The server's token.
    #[serde(default)]
    pub(crate) token: String,
}

/// What can hold a data folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Holder {
    /// `bailey serve`.
    Server,
    /// `bailey ask`.
    Ask,
    /// Something that this version does not know, such as the window.
    #[serde(other)]
    Other,
}

/// The answer to `POST /api/code`.
#[derive(Deserialize)]
struct Fresh {
    address: String,
}

impl Address {
    /// Asks the server for an address that lets one more browser in; `None` when nothing answers there or something
    /// else does.
    pub(crate) async fn ask(&self) -> Option<String> {
        let base = format!("http://127.0.0.1:{}", self.port);
        let client = bailey_net::Clients::new().endpoint(&base.parse().ok()?).ok()?;
        let response = client
            .post(format!("{base}/api/code"))
            .bearer_auth(&self.token)
            .json(&serde_json::json!({}))
            .send()
            .await
            .ok()?;
        let fresh: Fresh = response.error_for_status().ok()?.json().await.ok()?;
        fresh.address.starts_with(&format!("{base}/open?code=")).then_some(fresh.address)
    }
}
