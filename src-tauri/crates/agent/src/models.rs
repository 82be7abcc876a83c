// SPDX-License-Identifier: Apache-2.0
use crate::agent::{Agent, Inner};
use bailey_net::{is_loopback, normalize_base_url};
use bailey_ports::{Model, Secret};
use bailey_protocol::{
    ApiError, Code, LocalServer, ModelChoice, Provider, ProviderDraft, ProviderId, ProviderKind, ProviderTestResult,
    RunError, RunErrorKind, Settings,
};
use bailey_providers::{DemoModel, OpenAiChat, find_local_servers, probe};
use std::sync::Arc;
use url::Url;

/// A provider's model as it was last made.
pub(crate) struct Chat {
    base: Url,
    key: Option<Secret>,
    chat: OpenAiChat,
}

impl Chat {
    fn is_for(&self, base: &Url, key: Option<&Secret>) -> bool {
        self.base == *base && self.key.as_ref().map(Secret::expose) == key.map(Secret::expose)
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
                ms: 0,
                message: None,
            });
        }
        let base = base_url(&draft.base_url)?;
        let key = self.0.draft_key(&draft);
        Ok(probe(&self.0.clients, &self.0.parts.redactor, base.as_str(), key, draft.model.as_deref()).await)
    }

    /// Adds a provider, or changes one. A key is kept where keys are kept.
    pub async fn save_provider(&self, draft: ProviderDraft) -> Result<Provider, ApiError> {
        let bad = |message: &str| ApiError::new(Code::BadRequest, message);
        let name = draft.name.trim();
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
        let key = draft.key.as_deref().map(Secret::new).filter(|k| !k.is_empty());
        // One that was given a key wants it again after a restart, wherever it runs.
        let keyed = key.is_some() || (!moved && known.as_ref().is_some_and(|p| p.wants_key));
        let wants_key = keyed || !is_loopback(&base);
        let mut provider =
            Provider { id, name: name.to_owned(), kind: draft.kind, base_url: base.into(), has_key: false, wants_key };
        let saved = provider.clone();
        let kept = |e: bailey_ports::SecretsError| ApiError::new(Code::Storage, e.to_string());
        // A key given for one endpoint is never sent to another: the old one goes before the place changes, the new one
        // comes after.
        if moved {
            self.0.parts.secrets.remove(&provider.id).map_err(kept)?;
        }
        if let Some(key) = &key {
            self.0.parts.redactor.learn(key);
        }
        self.0.change_settings(|settings| match settings.providers.iter_mut().find(|p| p.id == saved.id) {
            Some(old) => *old = saved,
            None => settings.providers.push(saved),
        })?;
        if let Some(key) = key {
            self.0.parts.secrets.set(&provider.id, key).map_err(kept)?;
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
        self.0.parts.secrets.remove(id).map_err(|e| ApiError::new(Code::Storage, e.to_string()))?;
        self.0.chats.lock().unwrap_or_else(|e| e.into_inner()).remove(id);
        self.0.provided.lock().unwrap_or_else(|e| e.into_inner()).remove(id);
        self.0.change_settings(|settings| Inner::without_provider(settings, id))
    }

    /// The models a provider lists now.
    pub async fn models(&self, id: &ProviderId) -> Result<Vec<String>, ApiError> {
        let provider = self.0.provider(id).ok_or_else(gone)?;
        if provider.kind == ProviderKind::Demo {
            return Ok(vec!["demo".into()]);
        }
        let found = self.0.chat(&provider)?.list_models().await;
        found.map_err(|e| ApiError::new(Code::Endpoint, e.message))
    }
}

impl Inner {
    /// The model a run talks to, or why there is none.
    pub(crate) fn model(&self, choice: &ModelChoice) -> Result<Arc<dyn Model>, RunError> {
        let error = |kind, message: String| RunError { kind, message };
        if let Some((_, model)) = self.parts.models.iter().find(|(p, _)| p.id == choice.provider) {
            return Ok(model.clone());
        }
        let Some(mut provider) = self.provider(&choice.provider) else {
            return Err(error(
                RunErrorKind::NoModel,
                "The provider of this chat's model is not set up any more. Pick another model.".into(),
            ));
        };
        if provider.kind == ProviderKind::Demo {
            return Ok(Arc::new(DemoModel::new()));
        }
        self.know_key(&mut provider);
        if provider.wants_key && !provider.has_key {
            return Err(error(
                RunErrorKind::Auth,
                format!(
                    "The key of {} is not known: keys are kept until Bailey is closed. Enter it again in Settings, Models; then write “go on”.",
                    provider.name
                ),
            ));
        }
        let chat = self.chat(&provider).map_err(|e| error(RunErrorKind::Invalid, e.message))?;
        Ok(Arc::new(chat))
    }

    fn chat(&self, provider: &Provider) -> Result<OpenAiChat, ApiError> {
        let base = base_url(&provider.base_url)?;
        let key = self.parts.secrets.get(&provider.id);
        let mut chats = self.chats.lock().unwrap_or_else(|e| e.into_inner());
        if let Some(known) = chats.get(&provider.id).filter(|c| c.is_for(&base, key.as_ref())) {
            return Ok(known.chat.clone());
        }
        let client = self.clients.endpoint(&base).map_err(|e| ApiError::new(Code::Endpoint, e.to_string()))?;
        let chat = OpenAiChat::new(client, base.clone(), key.clone(), self.parts.redactor.clone());
        chats.insert(provider.id.clone(), Chat { base, key, chat: chat.clone() });
        Ok(chat)
    }

    /// The key typed into a draft, or the one known for the very endpoint it names.
    fn draft_key(&self, draft: &ProviderDraft) -> Option<Secret> {
        let typed = draft.key.as_deref().map(Secret::new).filter(|k| !k.is_empty());
        if let Some(key) = &typed {
            self.parts.redactor.learn(key);
        }
        typed.or_else(|| {
            let known = self.provider(draft.id.as_ref()?)?;
            let same = normalize_base_url(&draft.base_url).is_ok_and(|url| url.as_str() == known.base_url);
            if same { self.parts.secrets.get(&known.id) } else { None }
        })
    }
}

fn base_url(text: &str) -> Result<Url, ApiError> {
    normalize_base_url(text).map_err(|e| ApiError::new(Code::Endpoint, e.to_string()))
}

fn gone() -> ApiError {
    ApiError::new(Code::NotFound, "this provider is not set up (any more)")
}
