// SPDX-License-Identifier: Apache-2.0
use crate::agent::{Agent, Inner};
use crate::network::secrets;
use bailey_net::{is_loopback, normalize_base_url};
use bailey_ports::{Model, Secret};
use bailey_protocol::{
    ApiError, Code, LocalServer, ModelChoice, Pasted, Provider, ProviderDraft, ProviderId, ProviderKind,
    ProviderPreset, ProviderTestResult, RecognisedProvider, RunError, RunErrorKind, Settings,
};
use bailey_providers::{DemoModel, Endpoint, find_local_servers, presets, probe, recognise};
use std::sync::Arc;
use url::Url;

/// A provider's endpoint as it was last made.
pub(crate) struct Known {
    kind: ProviderKind,
    base: Url,
    key: Option<Secret>,
    endpoint: Endpoint,
}

impl Known {
    fn is_for(&self, kind: ProviderKind, base: &Url, key: Option<&Secret>) -> bool {
        self.kind == kind && self.base == *base && self.key.as_ref().map(Secret::expose) == key.map(Secret::expose)
    }
}

impl Agent {
    /// Model servers that answer on this machine's loopback.
    pub async fn local_servers(&self) -> Vec<LocalServer> {
        find_local_servers(&self.0.clients).await
    }

    /// Really calls an endpoint and says what it found; keeps nothing.
    pub async fn test_provider(&self, draft: ProviderDraft) -> Result<ProviderTestResult, ApiError> {
        if draft.kind == ProviderKind::Demo {
            let models = vec!["demo".to_owned()];
            return Ok(ProviderTestResult {
                ok: true,
                base_url: String::new(),
                models,
                tried: Some("demo".into()),
                protocol: ProviderKind::Demo,
                ms: 0,
                error: None,
                message: None,
                details: None,
            });
        }
        let base = base_url(&draft.base_url)?;
        let key = self.0.draft_key(&draft);
        let (clients, redactor) = (&self.0.clients, &self.0.parts.redactor);
        Ok(probe(clients, redactor, draft.kind, base.as_str(), key, draft.model.as_deref()).await)
    }

    /// Adds a provider, or changes one. A key is kept where keys are kept.
    pub async fn save_provider(&self, draft: ProviderDraft) -> Result<Provider, ApiError> {
        let bad = |message: &str| ApiError::new(Code::BadRequest, message);
        let name = self.0.parts.redactor.clean(draft.name.trim()).into_owned();
        if name.is_empty() || name.chars().count() > 60 {
            return Err(bad("a provider's name has 1 to 60 characters"));
        }
        if draft.kind == ProviderKind::Demo {
            return Err(bad("the demo model is built in"));
        }
        let known = draft.id.as_ref().map(|id| self.0.provider(id).ok_or_else(gone)).transpose()?;
        if known.as_ref().is_some_and(|p| p.kind == ProviderKind::Demo) {
            return Err(bad("the demo model is built in"));
        }
        let base = base_url(&draft.base_url)?;
        let id = draft.id.clone().unwrap_or_else(|| ProviderId::new(uuid::Uuid::new_v4().simple().to_string()));
        let moved = known.as_ref().is_some_and(|p| p.base_url != base.as_str());
        let key = self.0.typed_key(&draft);
        // One that was given a key wants it again after a restart, wherever it runs.
        if moved {
            self.0.heard.lock().unwrap_or_else(|e| e.into_inner()).forget(&id);
        }
        let keyed = key.is_some() || (!moved && known.as_ref().is_some_and(|p| p.wants_key));
        let wants_key = keyed || !is_loopback(&base);
        let mut provider = Provider { id, name, kind: draft.kind, base_url: base.into(), has_key: false, wants_key };
        let saved = provider.clone();
        // A key given for one endpoint is never sent to another: the old one goes before the place changes, the new one
        // comes after. Otherwise the key comes first, so that a provider whose key can't be kept is not added.
        if moved {
            self.0.parts.secrets.remove(&provider.id).map_err(secrets)?;
        } else if let Some(key) = &key {
            self.0.parts.secrets.set(&provider.id, key.clone()).map_err(secrets)?;
        }
        self.0.change_settings(|settings| match settings.providers.iter_mut().find(|p| p.id == saved.id) {
            Some(old) => *old = saved,
            None => settings.providers.push(saved),
        })?;
        if let (true, Some(key)) = (moved, key) {
            self.0.parts.secrets.set(&provider.id, key).map_err(secrets)?;
            self.0.tell_settings();
        }
        self.0.know_key(&mut provider);
        Ok(provider)
    }

    /// Forgets a provider and its key.
    pub fn remove_provider(&self, id: &ProviderId) -> Result<Settings, ApiError> {
        let provider = self.0.provider(id).ok_or_else(gone)?;
        if provider.kind == ProviderKind::Demo {
            return Err(ApiError::new(Code::BadRequest, "the demo model is built in"));
        }
        self.0.parts.secrets.remove(id).map_err(secrets)?;
        self.0.heard.lock().unwrap_or_else(|e| e.into_inner()).forget(id);
        self.0.endpoints.lock().unwrap_or_else(|e| e.into_inner()).remove(id);
        self.0.provided.lock().unwrap_or_else(|e| e.into_inner()).remove(id);
        self.0.change_settings(|settings| Inner::without_provider(settings, id))
    }

    /// What a pasted text seems to be. Keeps nothing.
    pub fn recognise_provider(&self, pasted: &Pasted) -> Option<RecognisedProvider> {
        let found = recognise(&pasted.text)?;
        if let Some(key) = &found.key {
            self.0.parts.redactor.learn(key);
        }
        Some(RecognisedProvider {
            kind: found.kind,
            name: found.name,
            base_url: found.base_url,
            has_key: found.key.is_some(),
            sure: found.sure,
        })
    }

    /// Well-known providers to pick from.
    pub fn provider_presets(&self) -> Vec<ProviderPreset> {
        let preset = |preset: &bailey_providers::Preset| ProviderPreset {
            name: preset.name.to_owned(),
            kind: preset.kind,
            base_url: preset.base_url.to_owned(),
            key_url: preset.key_url.to_owned(),
        };
        presets().iter().map(preset).collect()
    }
}

impl Inner {
    /// The model a run talks to, or why there is none.
    pub(crate) fn model(&self, choice: &ModelChoice) -> Result<Arc<dyn Model>, RunError> {
        let error = RunError::new;
        if let Some((_, model)) = self.parts.models.iter().find(|(p, _)| p.id == choice.provider) {
            return Ok(model.clone());
        }
        let Some(mut provider) = self.provider(&choice.provider) else {
            return Err(error(
                RunErrorKind::NoModel,
                "The provider of this chat's model is not set up any more. Pick another model.",
            ));
        };
        if provider.kind == ProviderKind::Demo {
            return Ok(Arc::new(DemoModel::new()));
        }
        self.know_key(&mut provider);
        if provider.wants_key && !provider.has_key {
            let message = if self.parts.secrets.state().locked {
                "The keys are locked. Unlock them in Settings, Models; then write “go on”.".to_owned()
            } else {
                format!("The key of {} is not known. Enter it in Settings, Models; then write “go on”.", provider.name)
            };
            return Err(RunError::new(RunErrorKind::Auth, message));
        }
        let endpoint = self.endpoint(&provider).map_err(|e| RunError::new(RunErrorKind::Invalid, e.message))?;
        Ok(Arc::new(endpoint))
    }

    pub(crate) fn endpoint(&self, provider: &Provider) -> Result<Endpoint, ApiError> {
        let base = base_url(&provider.base_url)?;
        let key = self.parts.secrets.get(&provider.id);
        // The provider may have been moved since it was read: then this key is for another place.
        let still =
            self.provider(&provider.id).is_some_and(|p| p.base_url == provider.base_url && p.kind == provider.kind);
        if !still {
            return Err(ApiError::new(Code::Stale, "the provider was changed just now; try again"));
        }
        let mut endpoints = self.endpoints.lock().unwrap_or_else(|e| e.into_inner());
        let known = endpoints.get(&provider.id).filter(|known| known.is_for(provider.kind, &base, key.as_ref()));
        if let Some(known) = known {
            return Ok(known.endpoint.clone());
        }
        let client = self.clients.endpoint(&base).map_err(|e| ApiError::new(Code::Endpoint, e.to_string()))?;
        let (kind, redactor) = (provider.kind, self.parts.redactor.clone());
        let endpoint = Endpoint::new(kind, client, base.clone(), provider.id.clone(), key.clone(), redactor)
            .ok_or_else(|| ApiError::new(Code::BadRequest, "the demo model is built in"))?;
        endpoints.insert(provider.id.clone(), Known { kind, base, key, endpoint: endpoint.clone() });
        Ok(endpoint)
    }

    /// The key typed or pasted into a draft, alone or in the middle of other things.
    fn typed_key(&self, draft: &ProviderDraft) -> Option<Secret> {
        let text = draft.key.as_deref()?;
        let found = recognise(text).and_then(|found| found.key).unwrap_or_else(|| Secret::new(text));
        let key = Some(found).filter(|key| !key.is_empty())?;
        self.parts.redactor.learn(&key);
        Some(key)
    }

    /// The key typed into a draft, or the one known for the very endpoint it names.
    fn draft_key(&self, draft: &ProviderDraft) -> Option<Secret> {
        self.typed_key(draft).or_else(|| {
            let known = self.provider(draft.id.as_ref()?)?;
            let same = normalize_base_url(&draft.base_url).is_ok_and(|url| url.as_str() == known.base_url);
            if same { self.parts.secrets.get(&known.id) } else { None }
        })
    }
}

/// The protocol that a base URL seems to be of.
pub fn protocol_of(base_url: &str) -> ProviderKind {
    recognise(base_url).map_or(ProviderKind::OpenaiChat, |found| found.kind)
}

fn base_url(text: &str) -> Result<Url, ApiError> {
    normalize_base_url(text).map_err(|e| ApiError::new(Code::Endpoint, e.to_string()))
}

pub(crate) fn gone() -> ApiError {
    ApiError::new(Code::NotFound, "this provider is not set up (any more)")
}
