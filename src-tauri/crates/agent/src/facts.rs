// SPDX-License-Identifier: Apache-2.0
//! What is known of models: by the person, by their provider, by the catalogue.

use crate::agent::{Agent, Inner};
use crate::models::gone;
use bailey_protocol::model::Usage;
use bailey_protocol::{
    ApiError, Code, Effort, Millis, ModelChoice, ModelFacts, ModelSettings, ModelView, ProviderId, ProviderKind,
};
use bailey_providers::{Listed, catalogue};
use std::collections::HashMap;
use url::Url;

/// What providers said of their models since the process began.
#[derive(Debug, Default)]
pub(crate) struct Heard(HashMap<ProviderId, HashMap<String, ModelFacts>>);

impl Heard {
    fn listed(&mut self, provider: &ProviderId, models: &[Listed]) {
        let facts = models.iter().map(|listed| (listed.model.clone(), listed.facts)).collect();
        self.0.insert(provider.clone(), facts);
    }

    fn of(&self, choice: &ModelChoice) -> ModelFacts {
        self.0.get(&choice.provider).and_then(|models| models.get(&choice.model)).copied().unwrap_or_default()
    }

    pub(crate) fn forget(&mut self, provider: &ProviderId) {
        self.0.remove(provider);
    }
}

impl Agent {
    /// The models a provider lists now, with what is known of each.
    pub async fn models(&self, id: &ProviderId) -> Result<Vec<ModelView>, ApiError> {
        let provider = self.0.provider(id).ok_or_else(gone)?;
        let listed = if provider.kind == ProviderKind::Demo {
            vec![Listed { model: "demo".into(), ..Listed::default() }]
        } else {
            let found = self.0.endpoint(&provider)?.list_models().await;
            found.map_err(|e| ApiError::new(Code::Endpoint, e.message))?
        };
        self.0.heard.lock().unwrap_or_else(|e| e.into_inner()).listed(id, &listed);
        let view = |Listed { model, title, .. }: Listed| {
            let choice = ModelChoice { provider: id.clone(), model: model.clone() };
            let set = self.0.model_settings(&choice);
            let (set, effort) = set.map(|set| (set.facts, set.effort)).unwrap_or_default();
            ModelView { model, title, facts: self.0.facts(&choice), set, effort }
        };
        Ok(listed.into_iter().map(view).collect())
    }
}

impl Inner {
    /// What is known of a model: what the person set wins, then what the provider says, then the catalogue.
    pub(crate) fn facts(&self, choice: &ModelChoice) -> ModelFacts {
        let set = self.model_settings(choice).map(|set| set.facts).unwrap_or_default();
        let heard = self.heard.lock().unwrap_or_else(|e| e.into_inner()).of(choice);
        let host = self.provider(&choice.provider).and_then(|provider| Url::parse(&provider.base_url).ok());
        let known =
            host.and_then(|url| url.host_str().map(|host| catalogue::facts(host, &choice.model))).unwrap_or_default();
        set.or(heard).or(known)
    }

    pub(crate) fn effort(&self, choice: &ModelChoice) -> Option<Effort> {
        self.model_settings(choice).and_then(|set| set.effort)
    }

    fn model_settings(&self, choice: &ModelChoice) -> Option<ModelSettings> {
        self.settings().models.into_iter().find(|set| set.model == *choice)
    }

    /// What an answer cost, where that is known.
    pub(crate) fn priced(&self, usage: Usage, facts: &ModelFacts) -> Usage {
        let cost = usage.cost.or_else(|| facts.price.map(|price| price.cost(&usage)));
        Usage { cost, ..usage }
    }

    /// What all runs have spent since midnight, where the device is.
    pub(crate) fn spent_today(&self) -> u64 {
        let spent = self.parts.store.spent_since(midnight(self.now()));
        // Not to know is not to have spent nothing: the cap is taken for reached.
        spent.inspect_err(|error| tracing::error!(%error, "what was spent today can't be read")).unwrap_or(u64::MAX)
    }
}

/// The last midnight in the system's time zone.
fn midnight(now: Millis) -> Millis {
    let zone = jiff::tz::TimeZone::system();
    let start = jiff::Timestamp::from_millisecond(now).and_then(|now| now.to_zoned_datetime(zone).start_of_day());
    start.map_or(now - 86_400_000, |start| start.timestamp().as_millisecond())
}
