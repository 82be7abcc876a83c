// SPDX-License-Identifier: Apache-2.0
use crate::{Endpoint, Patience};
use bailey_net::{Clients, normalize_base_url};
use bailey_ports::{Model, ModelError, Redactor, Secret};
use bailey_protocol::model::{Reply, Request, Turn};
use bailey_protocol::{ProviderId, ProviderKind, ProviderTestResult, RunErrorKind};
use futures::StreamExt;
use std::time::{Duration, Instant};
use url::Url;

/// How many listed models are tried before giving up: the first may be one that does not chat.
const CANDIDATES: usize = 3;

/// The protocols an endpoint may speak, in the order in which they are tried.
const PROTOCOLS: [ProviderKind; 4] =
    [ProviderKind::OpenaiChat, ProviderKind::Anthropic, ProviderKind::Gemini, ProviderKind::OpenaiResponses];

/// Really calls an endpoint: lists its models and has one answer a word. `base_url` is as a person entered it; without
/// `model` the first listed that looks like a chat model is tried. Where the endpoint does not know the protocol
/// `kind`, or does not find its key where that one puts it, the others are tried: the result names the first that it
/// answers in, be it with an error of the account's.
pub async fn probe(
    clients: &Clients,
    redactor: &Redactor,
    kind: ProviderKind,
    base_url: &str,
    key: Option<Secret>,
    model: Option<&str>,
) -> ProviderTestResult {
    if let Some(key) = &key {
        redactor.learn(key);
    }
    let model = model.map(str::trim).filter(|model| !model.is_empty());
    let mut result = ProviderTestResult {
        ok: false,
        base_url: redactor.clean(base_url.trim()).into_owned(),
        models: Vec::new(),
        tried: None,
        protocol: kind,
        ms: 0,
        error: None,
        message: None,
        details: None,
    };
    let endpoint = normalize_base_url(base_url).and_then(|base| Ok((clients.endpoint(&base)?, base)));
    let (client, base) = match endpoint {
        Ok(endpoint) => endpoint,
        Err(error) => {
            result.error = Some(RunErrorKind::Invalid);
            result.message = Some(redactor.clean(&error.to_string()).into_owned());
            return result;
        }
    };
    base.as_str().clone_into(&mut result.base_url);
    let call = |protocol| one(&client, redactor, protocol, &base, key.clone(), model);
    let found = call(kind).await;
    let is_strange = found.is_strange();
    found.into_result(kind, &mut result);
    if is_strange {
        for other in PROTOCOLS.into_iter().filter(|other| *other != kind) {
            let found = call(other).await;
            if found.is_understood() {
                found.into_result(other, &mut result);
                break;
            }
        }
    }
    result
}

/// What one protocol brought.
#[derive(Default)]
struct Found {
    models: Vec<String>,
    tried: Option<String>,
    ms: u32,
    error: Option<ModelError>,
}

impl Found {
    fn failed(error: ModelError) -> Self {
        Self { error: Some(error), ..Self::default() }
    }

    /// Whether the endpoint may speak another protocol.
    fn is_strange(&self) -> bool {
        self.error.as_ref().is_some_and(|error| matches!(error.kind, RunErrorKind::Invalid | RunErrorKind::Auth))
    }

    /// Whether the endpoint surely speaks this one. That it has too much to do is said by whatever stands before it.
    fn is_understood(&self) -> bool {
        use RunErrorKind::{Quota, Refused};
        self.error.as_ref().is_none_or(|error| matches!(error.kind, Quota | Refused))
    }

    fn into_result(self, protocol: ProviderKind, result: &mut ProviderTestResult) {
        result.ok = self.error.is_none();
        result.protocol = protocol;
        result.models = self.models;
        result.tried = self.tried;
        result.ms = self.ms;
        result.error = self.error.as_ref().map(|error| error.kind);
        result.message = self.error.as_ref().map(|error| error.message.clone());
        result.details = self.error.and_then(|error| error.details);
    }
}

async fn one(
    client: &reqwest::Client,
    redactor: &Redactor,
    kind: ProviderKind,
    base: &Url,
    key: Option<Secret>,
    model: Option<&str>,
) -> Found {
    let provider = ProviderId::from("probe");
    let Some(endpoint) = Endpoint::new(kind, client.clone(), base.clone(), provider, key, redactor.clone()) else {
        return Found { models: vec!["demo".to_owned()], tried: Some("demo".to_owned()), ..Found::default() };
    };
    let endpoint =
        endpoint.with_patience(Patience { silence: Duration::from_secs(60), more_tries: 0, ..Patience::default() });
    let list = endpoint.list_models().await;
    let names = |list: &[crate::Listed]| list.iter().map(|listed| listed.model.clone()).collect::<Vec<_>>();
    let candidates: Vec<String> = match (model, &list) {
        (Some(model), Err(error)) if error.kind != RunErrorKind::Network => vec![model.to_owned()],
        (_, Err(error)) => {
            let mut error = error.clone();
            if error.kind == RunErrorKind::Invalid {
                error.message.push_str(" If it keeps no list of models, enter a model's name.");
            }
            return Found::failed(error);
        }
        (Some(model), Ok(_)) => vec![model.to_owned()],
        (None, Ok(list)) => names(list).into_iter().filter(|name| may_chat(name)).take(CANDIDATES).collect(),
    };
    let mut found = Found { models: list.map(|list| names(&list)).unwrap_or_default(), ..Found::default() };
    if candidates.is_empty() {
        let message = "The endpoint answers but lists no model that chats. Load one there, or enter a model's name.";
        found.error = Some(ModelError::new(RunErrorKind::NoModel, message));
    }
    for model in candidates {
        let begun = Instant::now();
        let answer = first_word(&endpoint, &model).await;
        found.ms = u32::try_from(begun.elapsed().as_millis()).unwrap_or(u32::MAX);
        found.tried = Some(model);
        found.error = answer.err();
        if found.error.as_ref().is_none_or(|error| error.kind != RunErrorKind::Invalid) {
            break;
        }
    }
    found
}

/// Whether a model answers at all; the rest of the answer is not waited for.
async fn first_word(endpoint: &Endpoint, model: &str) -> Result<(), ModelError> {
    let messages = vec![Turn::user("Reply with the single word OK.")];
    let mut replies = endpoint.reply(Request { model: model.to_owned(), messages, ..Request::default() });
    loop {
        match replies.next().await {
            Some(Ok(Reply::Usage { .. })) => {}
            Some(Ok(_)) => return Ok(()),
            Some(Err(error)) => return Err(error),
            None => {
                return Err(ModelError::new(
                    RunErrorKind::Interrupted,
                    "The endpoint answered nothing. Try another model.",
                ));
            }
        }
    }
}

/// Whether a name looks like a model that chats.
fn may_chat(name: &str) -> bool {
    const OTHER: &[&str] = &[
        "embed",
        "whisper",
        "tts",
        "dall-e",
        "image",
        "audio",
        "realtime",
        "moderation",
        "rerank",
        "davinci",
        "babbage",
        "transcribe",
        "sora",
        "speech",
        "bge-",
        "ocr",
        "guard",
        "video",
        "wan2",
        "cogview",
        "instruct-beta",
    ];
    let name = name.to_ascii_lowercase();
    !OTHER.iter().any(|word| name.contains(word))
}
