// SPDX-License-Identifier: Apache-2.0
//! Every command once. A shell is one Tauri command, or one route, over [`Api::dispatch`].

use bailey_agent::{Agent, RunOptions};
use bailey_protocol::{ApiError, Code, Command, Nothing, output};
use serde::Serialize;
use serde_json::Value;

/// Commands by name, over an agent. Cheap to clone.
#[derive(Clone)]
pub struct Api {
    agent: Agent,
}

impl Api {
    /// The commands of this agent.
    pub fn new(agent: Agent) -> Self {
        Self { agent }
    }

    /// The agent.
    pub fn agent(&self) -> &Agent {
        &self.agent
    }

    /// Carries out the command `name`. Parameters and result are those of the list in `bailey_protocol`.
    pub async fn dispatch(&self, name: &str, params: Value) -> Result<Value, ApiError> {
        let agent = &self.agent;
        match Command::parse(name, params)? {
            Command::Snapshot(_) => json::<output::Snapshot>(agent.snapshot()),
            Command::ConversationList(p) => json::<output::ConversationList>(agent.conversations(&p.query)),
            Command::ConversationOpen(p) => json::<output::ConversationOpen>(agent.open(&p.conversation)),
            Command::ConversationUpdate(p) => json::<output::ConversationUpdate>(agent.update(p)),
            Command::ConversationDelete(p) => {
                json::<output::ConversationDelete>(agent.delete(&p.conversation).await.map(nothing))
            }
            Command::ConversationRestore(p) => json::<output::ConversationRestore>(agent.restore(&p.conversation)),
            Command::Send(p) => json::<output::Send>(agent.send(p, RunOptions::default()).await),
            Command::Retry(p) => json::<output::Retry>(agent.retry(&p)),
            Command::BranchSelect(p) => json::<output::BranchSelect>(agent.select_branch(&p)),
            Command::Stop(p) => {
                agent.stop(&p.run).await;
                json::<output::Stop>(Ok(Nothing {}))
            }
            Command::AskAnswer(p) => json::<output::AskAnswer>(agent.answer(p).await.map(nothing)),
            Command::SettingsGet(_) => json::<output::SettingsGet>(Ok(agent.settings())),
            Command::SettingsUpdate(p) => json::<output::SettingsUpdate>(agent.update_settings(p)),
            Command::LocalServers(_) => json::<output::LocalServers>(Ok(agent.local_servers().await)),
            Command::ProviderTest(p) => json::<output::ProviderTest>(agent.test_provider(p).await),
            Command::ProviderSave(p) => json::<output::ProviderSave>(agent.save_provider(p).await),
            Command::ProviderRemove(p) => json::<output::ProviderRemove>(agent.remove_provider(&p.provider)),
            Command::ModelList(p) => json::<output::ModelList>(agent.models(&p.provider).await),
            Command::ProviderRecognise(p) => json::<output::ProviderRecognise>(Ok(agent.recognise_provider(&p))),
            Command::ProviderPresets(_) => json::<output::ProviderPresets>(Ok(agent.provider_presets())),
            Command::NetworkUpdate(p) => json::<output::NetworkUpdate>(agent.update_network(p)),
            Command::KeysUnlock(p) => json::<output::KeysUnlock>(agent.unlock_keys(p).await),
            Command::KeysProtect(p) => json::<output::KeysProtect>(agent.protect_keys(p).await),
            Command::PictureGet(p) => json::<output::PictureGet>(agent.picture(&p.picture)),
            Command::GrantList(_) => json::<output::GrantList>(agent.grants()),
            Command::GrantRevoke(p) => json::<output::GrantRevoke>(agent.revoke_grant(&p.grant)),
            Command::NoteList(p) => json::<output::NoteList>(agent.notes(&p.query)),
            Command::NoteKeep(p) => json::<output::NoteKeep>(agent.keep_note(p.note)),
            Command::NoteForget(p) => json::<output::NoteForget>(agent.forget_note(p.note).map(nothing)),
            Command::SummaryUndo(p) => json::<output::SummaryUndo>(agent.undo_summary(&p)),
            Command::DeviceView(_) => json::<output::DeviceView>(agent.device_view().await),
            Command::DeviceTry(p) => json::<output::DeviceTry>(agent.device_try(p).await),
            Command::DeviceAsk(p) => json::<output::DeviceAsk>(agent.device_ask(p).await),
            Command::WebUpdate(p) => json::<output::WebUpdate>(agent.update_web(p)),
            Command::ImageLoad(p) => json::<output::ImageLoad>(agent.load_image(&p).await),
            Command::ToolList(_) => json::<output::ToolList>(Ok(agent.tools())),
        }
    }
}

fn nothing((): ()) -> Nothing {
    Nothing {}
}

fn json<T: Serialize>(result: Result<T, ApiError>) -> Result<Value, ApiError> {
    serde_json::to_value(result?).map_err(|e| ApiError::new(Code::Internal, e.to_string()))
}
