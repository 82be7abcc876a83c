// SPDX-License-Identifier: Apache-2.0
//! How the internet is reached, and the keys' lock: what the person sets that is more than a setting.

use crate::agent::{Agent, Inner};
use bailey_net::{EndpointError, NetworkOptions, ProxyOptions};
use bailey_ports::{Secret, SecretsError};
use bailey_protocol::{ApiError, Code, Network, NetworkDraft, Passphrase, ProviderId, Settings};
use std::sync::Arc;

/// The proxy's password lies among the keys under this id, which no provider has.
const PROXY: &str = "network-proxy";

impl Agent {
    /// Sets proxy and certificates. Nothing changes when they can't be used.
    pub fn update_network(&self, draft: NetworkDraft) -> Result<Settings, ApiError> {
        let inner = &self.0;
        let refused = |error: EndpointError| ApiError::new(Code::BadRequest, error.to_string());
        let typed = draft.proxy_password.as_deref().map(Secret::new).filter(|password| !password.is_empty());
        let parsed = match draft.proxy.trim() {
            "" => None,
            proxy => Some(ProxyOptions::parse(proxy).map_err(refused)?),
        };
        let pasted = parsed.as_ref().and_then(|proxy| proxy.password.clone());
        let user = match draft.proxy_user.trim() {
            "" => parsed.as_ref().and_then(|proxy| proxy.user.as_ref()).map(|user| user.expose().to_owned()),
            user => Some(user.to_owned()),
        };
        let network = Network {
            proxy: parsed.map(|proxy| proxy.url).unwrap_or_default(),
            proxy_user: user.unwrap_or_default(),
            proxy_password: false,
            roots_pem: draft.roots_pem.trim().to_owned(),
        };
        let before = inner.settings().network;
        let same = before.proxy == network.proxy && before.proxy_user == network.proxy_user;
        let id = ProviderId::from(PROXY);
        let password = typed.or(pasted);
        if let Some(secret) = &password {
            inner.parts.redactor.learn(secret);
        }
        let known = password.clone().or_else(|| inner.parts.secrets.get(&id).filter(|_| same));
        inner.clients.configure(options(&network, known)).map_err(refused)?;
        // The old password goes before the proxy changes, the new one comes after: neither is ever with the other's proxy.
        let gone = if same { Ok(()) } else { inner.parts.secrets.remove(&id).map_err(secrets) };
        let saved =
            gone.and_then(|()| inner.change_settings(|settings| settings.network = network)).and_then(|saved| {
                match password {
                    Some(password) => {
                        inner.parts.secrets.set(&id, password).map_err(secrets).map(|()| inner.tell_settings())
                    }
                    None => Ok(saved),
                }
            });
        if saved.is_err() {
            inner.reach_the_network();
        }
        // They hold clients of the network as it was.
        inner.endpoints.lock().unwrap_or_else(|e| e.into_inner()).clear();
        saved
    }

    /// Opens the file of keys.
    pub async fn unlock_keys(&self, passphrase: Passphrase) -> Result<Settings, ApiError> {
        let inner = self.0.clone();
        let passphrase = Secret::new(&passphrase.passphrase);
        blocking(move || inner.parts.secrets.unlock(&passphrase)).await?;
        self.0.reach_the_network();
        Ok(self.0.tell_settings())
    }

    /// Puts a passphrase on the file of keys, or takes it off.
    pub async fn protect_keys(&self, passphrase: Passphrase) -> Result<Settings, ApiError> {
        let inner = self.0.clone();
        let passphrase = Some(Secret::new(&passphrase.passphrase)).filter(|passphrase| !passphrase.is_empty());
        blocking(move || inner.parts.secrets.protect(passphrase.as_ref())).await?;
        Ok(self.0.tell_settings())
    }
}

/// A passphrase is made into a key slowly, on purpose.
async fn blocking(work: impl FnOnce() -> Result<(), SecretsError> + Send + 'static) -> Result<(), ApiError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|e| ApiError::new(Code::Internal, e.to_string()))?.map_err(secrets)
}

/// A key store's failure as a face reads it.
pub(crate) fn secrets(error: SecretsError) -> ApiError {
    ApiError::new(Code::Keys, error.to_string())
}

fn options(network: &Network, password: Option<Secret>) -> NetworkOptions {
    let text = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    let proxy = text(&network.proxy).map(|url| ProxyOptions {
        url,
        user: text(&network.proxy_user).map(|user| Secret::new(&user)),
        password,
    });
    NetworkOptions { proxy, extra_roots_pem: text(&network.roots_pem) }
}

impl Inner {
    /// Sets the network up as the settings have it.
    pub(crate) fn reach_the_network(self: &Arc<Self>) {
        let network = self.settings().network;
        let password = self.parts.secrets.get(&ProviderId::from(PROXY));
        if let Err(error) = self.clients.configure(options(&network, password)) {
            tracing::error!(%error, "proxy or certificates can't be used; nothing reaches the internet until they are mended");
            // Somebody who set a proxy does not want to go around it: this one leads nowhere.
            let nowhere = ProxyOptions { url: "http://127.0.0.1:9".to_owned(), user: None, password: None };
            let _ = self.clients.configure(NetworkOptions { proxy: Some(nowhere), extra_roots_pem: None });
        }
        self.endpoints.lock().unwrap_or_else(|e| e.into_inner()).clear();
    }

    /// Whether a password for the proxy is known.
    pub(crate) fn knows_proxy_password(&self) -> bool {
        self.parts.secrets.get(&ProviderId::from(PROXY)).is_some_and(|password| !password.is_empty())
    }
}
