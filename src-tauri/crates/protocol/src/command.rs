// SPDX-License-Identifier: Apache-2.0
use crate::{
    Answer, ApiError, Ask, AskId, ConversationId, Effort, LocalServer, Message, MessageId, Millis, Mode, ModelChoice,
    ModelFacts, PictureId, Provider, ProviderId, ProviderKind, RunErrorKind, RunId, RunView, Settings, SettingsPatch,
    ToolView,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

macro_rules! commands {
    ($($(#[doc = $doc:literal])* $wire:literal $name:ident($params:ty) -> $output:ty;)*) => {
        /// Every command once. `api::dispatch` matches on it without a wildcard, and the TypeScript client is made from
        /// the same list.
        #[derive(Clone, Debug)]
        pub enum Command {
            $($(#[doc = $doc])* $name($params),)*
        }

        impl Command {
            /// The names, in the order of the list.
            pub const NAMES: &'static [&'static str] = &[$($wire),*];

            /// Reads a command from its name and parameters.
            pub fn parse(name: &str, params: Value) -> Result<Self, ApiError> {
                match name {
                    $($wire => serde_json::from_value::<$params>(params).map(Command::$name)
                        .map_err(|e| ApiError::new(crate::Code::BadRequest, format!("{name}: {e}"))),)*
                    _ => Err(ApiError::new(crate::Code::BadRequest, format!("there is no command {name:?}"))),
                }
            }
        }

        /// What each command answers with, by the command's name.
        pub mod output {
            #[allow(unused_imports)]
            use super::*;
            $($(#[doc = $doc])* pub type $name = $output;)*
        }

        /// The TypeScript of the command list: `name`, documentation, parameter and result type of each.
        #[cfg(test)]
        pub(crate) fn typescript(config: &ts_rs::Config) -> Vec<(&'static str, String, String, String)> {
            vec![$(($wire, [$($doc),*].join("").trim().to_owned(), <$params as TS>::name(config), <$output as TS>::name(config)),)*]
        }
    };
}

commands! {
    /// What is going on: what the event stream starts with.
    "snapshot" Snapshot(Nothing) -> crate::Snapshot;
    /// Conversations whose title or messages match; all without a query.
    "conversation_list" ConversationList(Search) -> Vec<ConversationSummary>;
    /// One conversation: the active branch, its runs and open questions.
    "conversation_open" ConversationOpen(ConversationRef) -> ConversationView;
    /// Changes a title, mode, model or star.
    "conversation_update" ConversationUpdate(ConversationPatch) -> ConversationSummary;
    /// Takes a conversation out of sight, stopping its run; it can be brought back until the app ends or 30 s passed.
    "conversation_delete" ConversationDelete(ConversationRef) -> Nothing;
    /// Brings a deleted conversation back.
    "conversation_restore" ConversationRestore(ConversationRef) -> ConversationSummary;
    /// Sends a message and starts a run; makes a conversation when none is named.
    "send" Send(SendParams) -> Sent;
    /// Answers a user message anew: a branch beside the earlier answer.
    "retry" Retry(MessageRef) -> Sent;
    /// Shows the branch that holds this message.
    "branch_select" BranchSelect(MessageRef) -> ConversationView;
    /// Stops a run, in the middle of a stream or of a tool.
    "stop" Stop(RunRef) -> Nothing;
    /// Answers a question. A second answer is harmless and says so (`stale`).
    "ask_answer" AskAnswer(AskAnswerParams) -> Nothing;
    /// The settings.
    "settings_get" SettingsGet(Nothing) -> Settings;
    /// Changes settings.
    "settings_update" SettingsUpdate(SettingsPatch) -> Settings;
    /// Model servers that answer on this machine's loopback.
    "local_servers" LocalServers(Nothing) -> Vec<LocalServer>;
    /// Really calls an endpoint and says what it found; keeps nothing.
    "provider_test" ProviderTest(ProviderDraft) -> ProviderTestResult;
    /// Adds a provider, or changes the one named by `id`. A key goes to where keys are kept.
    "provider_save" ProviderSave(ProviderDraft) -> Provider;
    /// Forgets a provider and its key.
    "provider_remove" ProviderRemove(ProviderRef) -> Settings;
    /// The models a provider lists now, with what is known of each.
    "model_list" ModelList(ProviderRef) -> Vec<ModelView>;
    /// What a pasted key, URL or snippet seems to be; `null` when nothing is recognised. Keeps nothing.
    "provider_recognise" ProviderRecognise(Pasted) -> Option<RecognisedProvider>;
    /// Well-known providers to pick from.
    "provider_presets" ProviderPresets(Nothing) -> Vec<ProviderPreset>;
    /// Sets proxy and certificates.
    "network_update" NetworkUpdate(NetworkDraft) -> Settings;
    /// Opens the file of keys with its passphrase.
    "keys_unlock" KeysUnlock(Passphrase) -> Settings;
    /// Puts a passphrase on the file of keys, or takes it off (an empty one).
    "keys_protect" KeysProtect(Passphrase) -> Settings;
    /// An attached picture.
    "picture_get" PictureGet(PictureGetParams) -> PictureData;
    /// The person's lasting permissions that still hold, newest first.
    "grant_list" GrantList(Nothing) -> Vec<GrantView>;
    /// Takes a permission back; it holds no more from the next call on. Says what is left.
    "grant_revoke" GrantRevoke(GrantRef) -> Vec<GrantView>;
    /// Notes, newest first: all, or those that match.
    "note_list" NoteList(NoteSearch) -> Vec<NoteView>;
    /// The person takes a note that was written after outside text as their own: its mark is gone.
    "note_keep" NoteKeep(NoteRef) -> NoteView;
    /// Forgets a note.
    "note_forget" NoteForget(NoteRef) -> Nothing;
    /// Takes a summary back: requests hold again what it stood for.
    "summary_undo" SummaryUndo(MessageRef) -> ConversationView;
    /// Sets how the web is searched and reached.
    "web_update" WebUpdate(WebDraft) -> Settings;
    /// How each channel of the device stands, and which permissions are granted.
    "device_view" DeviceView(Nothing) -> crate::DeviceView;
    /// Tries a channel: it does something small, and says whether that worked.
    "device_try" DeviceTry(ChannelRef) -> crate::ChannelView;
    /// Asks the person for a channel or a permission, by the system's own dialog or its settings page.
    "device_ask" DeviceAsk(PermissionRef) -> crate::DeviceView;
    /// A picture on the web that an answer names and the person wants to see: fetched through the guard.
    "image_load" ImageLoad(ImageRef) -> PictureData;
    /// The tools, and what each mode does with them.
    "tool_list" ToolList(Nothing) -> Vec<ToolView>;
}

/// No parameters, or no result: an empty object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(type = "Record<string, never>")]
pub struct Nothing {}

/// A search.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
pub struct Search {
    /// Words to find, in any order; empty for all.
    #[serde(default)]
    pub query: String,
}

/// Names a conversation.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct ConversationRef {
    /// Its id.
    pub conversation: ConversationId,
}

/// Names a message.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct MessageRef {
    /// Its conversation.
    pub conversation: ConversationId,
    /// Its id.
    pub message: MessageId,
}

/// Names a run.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct RunRef {
    /// Its id.
    pub run: RunId,
}

/// Names a provider.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct ProviderRef {
    /// Its id.
    pub provider: ProviderId,
}

/// A conversation in the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ConversationSummary {
    /// Its id.
    pub id: ConversationId,
    /// Its title: the person's, or the beginning of the first message.
    pub title: String,
    /// Its mode for the next run.
    pub mode: Mode,
    /// Its model for the next run; `None` takes the default.
    pub model: Option<ModelChoice>,
    /// Whether it is starred.
    pub starred: bool,
    /// When something last happened in it.
    #[ts(type = "number")]
    pub updated: Millis,
    /// The beginning of its last text.
    pub preview: String,
    /// The state of its newest run.
    pub run: Option<crate::RunState>,
    /// Open questions.
    pub asks: u32,
    /// Where a search hit lies, with the text around it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub hit: Option<SearchHit>,
}

/// A place a search found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct SearchHit {
    /// The message.
    pub message: MessageId,
    /// Text around the hit.
    pub snippet: String,
}

/// A conversation, opened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ConversationView {
    /// As in the list.
    pub summary: ConversationSummary,
    /// The active branch from the root on.
    pub messages: Vec<Message>,
    /// Its runs, oldest first, those of other branches included.
    pub runs: Vec<RunView>,
    /// Its open questions, oldest first.
    pub asks: Vec<Ask>,
}

/// A change of a conversation; what is absent stays.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct ConversationPatch {
    /// Which.
    pub conversation: ConversationId,
    /// A new title, 1 to 200 characters.
    #[serde(default)]
    pub title: Option<String>,
    /// A new mode, from the next run on.
    #[serde(default)]
    pub mode: Option<Mode>,
    /// A new model, from the next run on.
    #[serde(default)]
    pub model: Option<ModelChoice>,
    /// Starred or not.
    #[serde(default)]
    pub starred: Option<bool>,
}

/// A message to send.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct SendParams {
    /// Made by the sender, once a message: a repeated send with the same key does nothing twice.
    #[serde(default)]
    pub key: Option<String>,
    /// The conversation; a new one when absent.
    #[serde(default)]
    pub conversation: Option<ConversationId>,
    /// Edits this user message: the new one becomes a branch beside it.
    #[serde(default)]
    pub edit: Option<MessageId>,
    /// What the person typed; may be empty when there are pictures.
    pub text: String,
    /// Pictures to attach.
    #[serde(default)]
    pub pictures: Vec<PictureDraft>,
    /// Pictures of the message that is edited, to keep.
    #[serde(default)]
    pub keep_pictures: Vec<PictureId>,
    /// The mode of a new conversation.
    #[serde(default)]
    pub mode: Option<Mode>,
    /// The model of a new conversation.
    #[serde(default)]
    pub model: Option<ModelChoice>,
}

/// What a send started.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Sent {
    /// The conversation.
    pub conversation: ConversationId,
    /// The user message.
    pub message: MessageId,
    /// The run.
    pub run: RunId,
}

/// An answer to a question.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct AskAnswerParams {
    /// Which question.
    pub ask: AskId,
    /// The answer.
    pub answer: Answer,
}

/// A provider to test or to save. It can hold a key, so it can be read but not written.
#[derive(Clone, Deserialize, TS)]
#[ts(optional_fields)]
pub struct ProviderDraft {
    /// The provider to change; a new one when absent.
    #[serde(default)]
    pub id: Option<ProviderId>,
    /// Its name for people.
    pub name: String,
    /// Its protocol.
    pub kind: ProviderKind,
    /// Its base URL: with or without `/v1`, a trailing slash or `/chat/completions`.
    pub base_url: String,
    /// A key, or a pasted text that holds one; when absent a known one is used.
    #[serde(default)]
    pub key: Option<String>,
    /// The model to try; the first listed when absent.
    #[serde(default)]
    pub model: Option<String>,
}

impl std::fmt::Debug for ProviderDraft {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ProviderDraft")
            .field("name", &self.name)
            .field("base_url", &self.base_url)
            .finish_non_exhaustive()
    }
}

/// What a test of an endpoint found.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct ProviderTestResult {
    /// Whether a model answered.
    pub ok: bool,
    /// The base URL as it will be used.
    pub base_url: String,
    /// The models it lists; empty when it lists none.
    pub models: Vec<String>,
    /// The model that was tried.
    pub tried: Option<String>,
    /// The protocol that answered: another than asked for when only that one did.
    pub protocol: ProviderKind,
    /// How long the answer took, in milliseconds.
    pub ms: u32,
    /// What kind of thing went wrong.
    pub error: Option<RunErrorKind>,
    /// What went wrong and what to do next.
    pub message: Option<String>,
    /// The provider's own words about it, secrets removed.
    pub details: Option<String>,
}

/// A model a provider lists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ModelView {
    /// Its name at the provider.
    pub model: String,
    /// Its name for people, where the provider gives one.
    pub title: Option<String>,
    /// What is known of it: by the person, the provider or the catalogue, in this order.
    pub facts: ModelFacts,
    /// What the person set of it.
    pub set: ModelFacts,
    /// How much it should think, as the person set it.
    pub effort: Option<Effort>,
}

/// A pasted text. It can hold a key, so it can be read but not written.
#[derive(Clone, Deserialize, TS)]
pub struct Pasted {
    /// The text.
    pub text: String,
}

impl std::fmt::Debug for Pasted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Pasted(…)")
    }
}

/// What a pasted text seems to be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RecognisedProvider {
    /// The protocol.
    pub kind: ProviderKind,
    /// A name for people.
    pub name: String,
    /// The base URL; empty when the key could be several providers'.
    pub base_url: String,
    /// Whether the text holds a key: the text itself can then be given as a draft's key.
    pub has_key: bool,
    /// Whether it can hardly be anything else.
    pub sure: bool,
}

/// A well-known provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ProviderPreset {
    /// Its name.
    pub name: String,
    /// Its protocol.
    pub kind: ProviderKind,
    /// Its base URL.
    pub base_url: String,
    /// Where a key is made; empty for servers on this machine.
    pub key_url: String,
}

/// Proxy and certificates to set. It can hold a password, so it can be read but not written.
#[derive(Clone, Deserialize, TS)]
#[ts(optional_fields)]
pub struct NetworkDraft {
    /// See [`Network::proxy`](crate::Network::proxy); user and password in the URL are taken out and kept apart.
    pub proxy: String,
    /// See [`Network::proxy_user`](crate::Network::proxy_user).
    #[serde(default)]
    pub proxy_user: String,
    /// The password; when absent a known one is used as long as proxy and user stay the same.
    #[serde(default)]
    pub proxy_password: Option<String>,
    /// See [`Network::roots_pem`](crate::Network::roots_pem).
    #[serde(default)]
    pub roots_pem: String,
}

impl std::fmt::Debug for NetworkDraft {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("NetworkDraft(…)")
    }
}

/// A passphrase.
#[derive(Clone, Deserialize, TS)]
pub struct Passphrase {
    /// The passphrase.
    pub passphrase: String,
}

impl std::fmt::Debug for Passphrase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Passphrase(…)")
    }
}

/// Names a permission.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct GrantRef {
    /// Its id.
    pub grant: String,
}

/// A lasting permission, for showing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct GrantView {
    /// Its id.
    pub id: String,
    /// The tool.
    pub tool: String,
    /// How far it reaches; `None` for one automation.
    pub scope: Option<crate::AllowScope>,
    /// The automation it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub automation: Option<String>,
    /// The conversation it holds in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub conversation: Option<ConversationId>,
    /// That conversation's title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub title: Option<String>,
    /// Only with such arguments.
    pub arguments: Vec<crate::ArgumentPattern>,
    /// When it was given.
    #[ts(type = "number")]
    pub at: Millis,
    /// When it ends.
    #[ts(type = "number | null")]
    pub expires: Option<Millis>,
}

/// Which notes.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
pub struct NoteSearch {
    /// Words to find; empty for all.
    #[serde(default)]
    pub query: String,
}

/// Names a note.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, TS)]
pub struct NoteRef {
    /// Its number.
    #[ts(type = "number")]
    pub note: i64,
}

/// A note, for showing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct NoteView {
    /// Its number.
    #[ts(type = "number")]
    pub id: i64,
    /// Its text.
    pub text: String,
    /// Its marks; while it is tainted it waits for the person to keep it.
    pub labels: crate::Labels,
    /// When it was written.
    #[ts(type = "number")]
    pub at: Millis,
    /// The conversation it was written in, while that is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub conversation: Option<ConversationId>,
}

/// How the web is searched and reached. It can hold a key, so it can be read but not written.
#[derive(Clone, Deserialize, TS)]
#[ts(optional_fields)]
pub struct WebDraft {
    /// Which engine.
    pub search: crate::SearchEngine,
    /// See [`WebSettings::searxng`](crate::WebSettings::searxng).
    #[serde(default)]
    pub searxng: String,
    /// The key of the engine chosen; when absent a known one is used; an empty one is forgotten.
    #[serde(default)]
    pub key: Option<String>,
    /// See [`WebSettings::fake_ip`](crate::WebSettings::fake_ip).
    #[serde(default)]
    pub fake_ip: bool,
}

impl std::fmt::Debug for WebDraft {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WebDraft").field("search", &self.search).finish_non_exhaustive()
    }
}

/// Names a picture.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct PictureGetParams {
    /// Its id.
    pub picture: PictureId,
}

/// A picture's bytes.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct PictureData {
    /// `image/jpeg`, `image/png`, `image/webp` or `image/gif`.
    pub media_type: String,
    /// The file, in base64.
    pub data: String,
}

/// Names a picture on the web.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct ImageRef {
    /// Its address: `http` or `https`.
    pub url: String,
}

/// A picture to attach.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct PictureDraft {
    /// The file's name.
    pub name: String,
    /// The file, in base64: JPEG, PNG, WebP or GIF, at most 20 MB.
    pub data: String,
}

/// A channel of the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChannelRef {
    /// Which.
    pub channel: crate::Channel,
}

/// A permission of the device: the name of a channel, or one of [`crate::DeviceView::permissions`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PermissionRef {
    /// Its name.
    pub permission: String,
}
