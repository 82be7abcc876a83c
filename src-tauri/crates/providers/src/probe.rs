// SPDX-License-Identifier: Apache-2.0
use crate::OpenAiChat;
use crate::openai_chat::Patience;
use bailey_net::{Clients, normalize_base_url};
use bailey_ports::{Model, ModelError, Redactor, Secret};
use bailey_protocol::model::{Reply, Request, Turn};
use bailey_protocol::{ProviderTestResult, RunErrorKind};
use futures::StreamExt;
use std::time::{Duration, Instant};

/// How many listed models are tried before giving up: the first may be one that does not chat.
const CANDIDATES: usize = 3;

/// Really calls an endpoint: lists its models and has one answer a word. `base_url` is as a person entered it; without
/// `model` the first listed that looks like a chat model is tried.
pub async fn probe(
    clients: &Clients,
    redactor: &Redactor,
    base_url: &str,
    key: Option<Secret>,
    model: Option<&str>,
) -> ProviderTestResult {
    if let Some(key) = &key {
        redactor.learn(key);
    }
    let mut result = ProviderTestResult {
        ok: false,
        base_url: redactor.clean(base_url.trim()).into_owned(),
        models: Vec::new(),
        tried: None,
        ms: 0,
        message: None,
    };
    let endpoint = normalize_base_url(base_url).and_then(|base| Ok((clients.endpoint(&base)?, base)));
    let (client, base) = match endpoint {
        Ok(endpoint) => endpoint,
        Err(error) => {
            result.message = Some(redactor.clean(&error.to_string()).into_owned());
            return result;
        }
    };
    base.as_str().clone_into(&mut result.base_url);
    let patience = Patience { silence: Duration::from_secs(60), more_tries: 0, ..Patience::default() };
    let chat = OpenAiChat::new(client, base, key, redactor.clone()).with_patience(patience);

    let list = chat.list_models().await;
    let candidates: Vec<String> = match (model.map(str::trim).filter(|model| !model.is_empty()), &list) {
        (Some(model), Err(error)) if error.kind != RunErrorKind::Network => vec![model.to_owned()],
        (_, Err(error)) => {
            let more = if error.kind == RunErrorKind::Invalid {
                " If it keeps no list of models, enter a model's name."
            } else {
                ""
            };
            result.message = Some(format!("{}{more}", error.message));
            return result;
        }
        (Some(model), Ok(_)) => vec![model.to_owned()],
        (None, Ok(models)) => models.iter().filter(|name| may_chat(name)).take(CANDIDATES).cloned().collect(),
    };
    result.models = list.unwrap_or_default();
    if candidates.is_empty() {
        result.message = Some(
            "The endpoint answers but lists no model that chats. Load one there, or enter a model's name.".to_owned(),
        );
        return result;
    }
    for model in candidates {
        let begun = Instant::now();
        let answer = first_word(&chat, &model).await;
        result.ms = u32::try_from(begun.elapsed().as_millis()).unwrap_or(u32::MAX);
        result.tried = Some(model);
        match answer {
            Ok(()) => {
                result.ok = true;
                result.message = None;
                break;
            }
            Err(error) => {
                result.message = Some(error.message);
                if error.kind != RunErrorKind::Invalid {
                    break;
                }
            }
        }
    }
    result
}

/// Whether a model answers at all; the rest of the answer is not waited for.
async fn first_word(chat: &OpenAiChat, model: &str) -> Result<(), ModelError> {
    let messages = vec![Turn::User { text: "Reply with the single word OK.".to_owned() }];
    let mut replies = chat.reply(Request { model: model.to_owned(), messages, ..Request::default() });
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
