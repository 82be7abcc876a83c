// SPDX-License-Identifier: Apache-2.0
use super::follow::{Follow, call};
use super::signals::Signals;
use super::terminal::say;
use super::{Approve, AskArgs, Exit, Failure, compose};
use bailey_agent::{Presence, RunOptions};
use bailey_api::Api;
use bailey_host::{MemorySecrets, SessionSecrets};
use bailey_ports::{Redactor, Secret, Secrets};
use bailey_protocol::{
    ConversationId, ConversationPatch, ConversationSummary, Mode, ModelChoice, Provider, ProviderId, ProviderKind,
    SendParams, Snapshot, StreamMessage,
};
use futures::StreamExt as _;
use std::sync::Arc;
use std::time::Duration;

/// The id of the endpoint named on the command line. It is known to this process only and never saved.
const ENDPOINT: &str = "command-line";

/// How long the end may take before the process goes all the same.
const ENDING: Duration = Duration::from_secs(2);

/// One run in this process, on one thread: it starts at once and stays small.
pub(crate) fn run(args: AskArgs, key: Option<Secret>, redactor: Redactor) -> Result<Exit, Failure> {
    if args.text.trim().is_empty() {
        return Err(Failure::usage("There is nothing to ask. Put the question in quotes: bailey ask \"…\""));
    }
    let endpoint = args.base_url.as_deref().map(|url| endpoint(url, args.protocol.map(Into::into))).transpose()?;
    let folder = compose::lock(args.data_dir.clone())?;
    let kept: Arc<dyn Secrets> = match endpoint.is_some() && args.conversation.is_none() {
        // It needs no key but the one it brings, so nothing is asked of the system.
        true => Arc::new(MemorySecrets::new(redactor.clone())),
        false => folder.keys(redactor.clone(), true)?,
    };
    // A key given to this process is never kept, and hides the one that is.
    let secrets = Arc::new(SessionSecrets::new(kept, redactor.clone()));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|e| Failure::new(format!("Bailey could not start: {e}")))?;
    let result = runtime.block_on(ask(args, endpoint, key, (secrets, redactor), &folder));
    // A read of the terminal or of a name may be under way; nobody waits for it.
    runtime.shutdown_background();
    drop(folder);
    result
}

fn endpoint(base_url: &str, protocol: Option<ProviderKind>) -> Result<Provider, Failure> {
    let url = bailey_net::normalize_base_url(base_url).map_err(|e| Failure::usage(e.to_string()))?;
    Ok(Provider {
        id: ProviderId::from(ENDPOINT),
        name: url.host_str().unwrap_or_default().to_owned(),
        kind: protocol.unwrap_or_else(|| bailey_agent::protocol_of(base_url)),
        base_url: url.to_string(),
        has_key: false,
        wants_key: false,
    })
}

async fn ask(
    args: AskArgs,
    endpoint: Option<Provider>,
    key: Option<Secret>,
    (secrets, redactor): (Arc<SessionSecrets>, Redactor),
    folder: &compose::Folder,
) -> Result<Exit, Failure> {
    let api = folder.start(redactor, secrets.clone())?;
    let signals = Signals::listen().map_err(|e| Failure::new(format!("Bailey could not start: {e}")))?;
    let mut events = api.agent().subscribe(None, Presence::Attending);
    let Some(StreamMessage::Snapshot { snapshot, .. }) = events.next().await else {
        return Err(Failure::new("Bailey ended before the run began."));
    };
    let conversation = args.conversation.as_deref().map(|id| conversation(&snapshot, id)).transpose()?;
    let model = match (endpoint, &args.model) {
        (Some(provider), Some(model)) => {
            let choice = ModelChoice { provider: provider.id.clone(), model: model.clone() };
            api.agent().provide(provider, key).map_err(|e| Failure::new(e.message))?;
            choice
        }
        _ => {
            let choice = model_of_settings(&snapshot, conversation);
            match key {
                Some(key) => secrets.set(&choice.provider, key).map_err(|e| Failure::new(e.to_string()))?,
                None => tell_if_locked(secrets.as_ref()),
            }
            choice
        }
    };
    let mode = args.mode.map(Mode::from);
    let options = RunOptions { approve_all: args.approve == Approve::All, automation: None };
    let mut params = SendParams {
        key: None,
        conversation: None,
        edit: None,
        text: args.text,
        pictures: Vec::new(),
        keep_pictures: Vec::new(),
        mode,
        model: Some(model.clone()),
    };
    let exit = match conversation {
        None => {
            let sent = api.agent().send(params, options).await.map_err(|e| Failure::new(e.message))?;
            let mut follow = Follow::new(api.clone(), events, signals, sent.conversation, args.json);
            follow.until_over(sent.run, Vec::new()).await
        }
        Some(conversation) => {
            let id = conversation.id.clone();
            let mut follow = Follow::new(api.clone(), events, signals, id.clone(), args.json);
            // Only now: the model and its key are known.
            api.agent().resume(Some(&id)).map_err(|e| Failure::new(e.message))?;
            let now = api.agent().snapshot().map_err(|e| Failure::new(e.message))?;
            if let Some(live) = now.live.iter().find(|live| live.run.conversation == id) {
                say("An earlier run of this conversation was left in the middle; it goes on first.");
                let run = live.run.id.clone();
                let open = now.asks.iter().filter(|ask| ask.conversation == id).cloned().collect();
                match follow.until_over(run, open).await {
                    Ok(Exit::Fine) => {}
                    Ok(exit) => return end(&api, Ok(exit)).await,
                    Err(failure) => say(&failure.message),
                }
            }
            let patch =
                ConversationPatch { conversation: id.clone(), title: None, mode, model: Some(model), starred: None };
            call::<_, ConversationSummary>(&api, "conversation_update", patch)
                .await
                .map_err(|e| Failure::new(e.message))?;
            params.conversation = Some(id);
            let sent = api.agent().send(params, options).await.map_err(|e| Failure::new(e.message))?;
            follow.until_over(sent.run, Vec::new()).await
        }
    };
    end(&api, exit).await
}

async fn end(api: &Api, exit: Result<Exit, Failure>) -> Result<Exit, Failure> {
    let _ = tokio::time::timeout(ENDING, api.agent().shutdown()).await;
    exit
}

/// Says why kept keys can't be had, if so: the run may fail for it.
fn tell_if_locked(secrets: &dyn Secrets) {
    let state = secrets.state();
    if state.locked {
        say(&state.problem.unwrap_or_else(|| {
            "The keys are locked with a passphrase, which only the app asks for. Give the key in BAILEY_API_KEY."
                .to_owned()
        }));
    }
}

fn conversation<'a>(snapshot: &'a Snapshot, id: &str) -> Result<&'a ConversationSummary, Failure> {
    let id = ConversationId::from(id);
    snapshot.conversations.iter().find(|c| c.id == id).ok_or_else(|| {
        Failure::new(format!(
            "There is no conversation {id} in this data folder. Without --conversation a new one begins."
        ))
    })
}

/// The conversation's model where its provider is still there, else the default, else the demo.
fn model_of_settings(snapshot: &Snapshot, conversation: Option<&ConversationSummary>) -> ModelChoice {
    let known = |choice: &&ModelChoice| snapshot.settings.providers.iter().any(|p| p.id == choice.provider);
    let choice = conversation
        .and_then(|c| c.model.as_ref())
        .filter(known)
        .or(snapshot.settings.default_model.as_ref().filter(known))
        .cloned();
    choice.unwrap_or_else(|| {
        say("No model is set up, so the built-in demo answers. Name one with --base-url and --model, or in the app.");
        ModelChoice { provider: ProviderId::from("demo"), model: "demo".to_owned() }
    })
}
