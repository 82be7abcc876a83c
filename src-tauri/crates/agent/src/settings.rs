// SPDX-License-Identifier: Apache-2.0
use crate::agent::{Agent, Inner, storage};
use bailey_protocol::{
    ApiError, Budget, Code, Event, Language, Mode, ModelChoice, ModelFacts, Provider, ProviderId, ProviderKind,
    Settings, SettingsPatch, ToolView,
};

impl Agent {
    /// The settings, with what is known of keys right now.
    pub fn settings(&self) -> Settings {
        self.0.shown_settings()
    }

    /// Changes settings.
    pub fn update_settings(&self, patch: SettingsPatch) -> Result<Settings, ApiError> {
        let bad = |message: &str| ApiError::new(Code::BadRequest, message);
        let language = match patch.language.as_deref() {
            None => None,
            Some("auto") => Some(None),
            Some("en") => Some(Some(Language::En)),
            Some("zh") => Some(Some(Language::Zh)),
            Some(_) => return Err(bad("the language is auto, en or zh")),
        };
        if let Some((_, budget)) = &patch.budget
            && (budget.rounds == 0
                || budget.rounds > 1_000
                || budget.calls > 10_000
                || budget.active_ms.is_some_and(|ms| ms < 10_000))
        {
            return Err(bad("a budget has 1 to 1000 rounds, at most 10000 calls and at least 10 seconds"));
        }
        if let Some(model) = &patch.default_model
            && self.0.provider(&model.provider).is_none()
        {
            return Err(bad("this provider is not set up"));
        }
        let named = patch.model.as_ref().map(|set| &set.model).into_iter().chain(patch.fallback_model.iter().flatten());
        if named.into_iter().any(|model| self.0.provider(&model.provider).is_none()) {
            return Err(bad("this provider is not set up"));
        }
        if let Some(set) = &patch.model
            && (set.facts.window.is_some_and(|tokens| tokens < 1_000)
                || set.facts.max_output.is_some_and(|tokens| tokens < 16))
        {
            return Err(bad("a window has at least 1000 tokens, an answer at least 16"));
        }
        self.0.change_settings(|settings| {
            let SettingsPatch { onboarded, theme, accent, default_mode, default_model, shell, budget, .. } = patch;
            set(&mut settings.caps, patch.caps);
            set(&mut settings.fallback_model, patch.fallback_model);
            if let Some(model) = patch.model {
                settings.models.retain(|known| known.model != model.model);
                if model.effort.is_some() || model.facts != ModelFacts::default() {
                    settings.models.push(model);
                }
            }
            set(&mut settings.onboarded, onboarded);
            set(&mut settings.language, language);
            set(&mut settings.theme, theme);
            set(&mut settings.accent, accent);
            set(&mut settings.default_mode, default_mode);
            set(&mut settings.shell, shell);
            if default_model.is_some() {
                settings.default_model = default_model;
            }
            if let Some((mode, budget)) = budget {
                if budget == Budget::of(mode) {
                    settings.budgets.remove(mode.name());
                } else {
                    settings.budgets.insert(mode.name().to_owned(), budget);
                }
            }
        })
    }

    /// The tools, and what each mode does with them.
    pub fn tools(&self) -> Vec<ToolView> {
        let off = self.0.switched_off();
        let specs = self.0.registry.specs();
        specs
            .map(|spec| {
                let facts = &spec.facts;
                let does = |mode: Mode| match mode {
                    _ if facts.internal => "allow",
                    _ if !facts.possible_in(mode) => "deny",
                    Mode::Act => "confirm",
                    _ => "allow",
                };
                ToolView {
                    name: spec.name.clone(),
                    description: spec.description.clone(),
                    danger: facts.danger,
                    read_only: facts.read_only,
                    egress: facts.egress,
                    enabled: !off.contains(&spec.name),
                    modes: Mode::ALL.map(|mode| does(mode).to_owned()),
                }
            })
            .collect()
    }
}

impl Inner {
    pub(crate) fn settings(&self) -> Settings {
        self.settings.read().unwrap_or_else(|e| e.into_inner()).clone()
    }

    pub(crate) fn shown_settings(&self) -> Settings {
        let mut settings = self.settings();
        for provider in &mut settings.providers {
            self.know_key(provider);
        }
        settings.network.proxy_password = self.knows_proxy_password();
        settings.web.search_key = self.knows_search_key(&settings);
        settings.keys = self.parts.secrets.state();
        settings
    }

    /// Changes settings, saves them and tells faces; nothing changes when they can't be saved.
    pub(crate) fn change_settings(&self, change: impl FnOnce(&mut Settings)) -> Result<Settings, ApiError> {
        let mut held = self.settings.write().unwrap_or_else(|e| e.into_inner());
        let mut settings = held.clone();
        change(&mut settings);
        self.parts.store.save_settings(&settings).map_err(storage)?;
        *held = settings;
        drop(held);
        Ok(self.tell_settings())
    }

    /// Tells faces the settings as they are, with what is known of keys.
    pub(crate) fn tell_settings(&self) -> Settings {
        let settings = self.shown_settings();
        self.hub.publish(Event::Settings { settings: settings.clone() });
        settings
    }

    pub(crate) fn know_key(&self, provider: &mut Provider) {
        provider.has_key = self.parts.secrets.get(&provider.id).is_some_and(|k| !k.is_empty());
    }

    /// A provider that is set up, or was added for this process.
    pub(crate) fn provider(&self, id: &ProviderId) -> Option<Provider> {
        if let Some((provider, _)) = self.parts.models.iter().find(|(p, _)| p.id == *id) {
            return Some(provider.clone());
        }
        let provided = self.provided.lock().unwrap_or_else(|e| e.into_inner()).get(id).cloned();
        provided.or_else(|| self.settings().providers.into_iter().find(|p| p.id == *id))
    }

    /// Whether a provider was added for this process only.
    pub(crate) fn is_provided(&self, id: &ProviderId) -> bool {
        self.provided.lock().unwrap_or_else(|e| e.into_inner()).contains_key(id)
    }

    /// The default model after a provider was removed: the demo, when it was one of its models.
    pub(crate) fn without_provider(settings: &mut Settings, id: &ProviderId) {
        settings.providers.retain(|p| p.id != *id || p.kind == ProviderKind::Demo);
        settings.models.retain(|set| set.model.provider != *id);
        if settings.fallback_model.as_ref().is_some_and(|model| model.provider == *id) {
            settings.fallback_model = None;
        }
        if settings.default_model.as_ref().is_some_and(|m| m.provider == *id) {
            settings.default_model = Some(ModelChoice { provider: "demo".into(), model: "demo".into() });
        }
    }
}

fn set<T>(to: &mut T, from: Option<T>) {
    if let Some(value) = from {
        *to = value;
    }
}
