// SPDX-License-Identifier: Apache-2.0
//! The person's lasting permissions: seen, given to automations, taken back.

use crate::agent::{Agent, storage};
use crate::conversations::fresh;
use bailey_policy::{Grant, GrantScope};
use bailey_protocol::{AllowScope, ApiError, ArgumentPattern, Code, Event, GrantView, Millis};

impl Agent {
    /// The permissions that still hold, newest first.
    pub fn grants(&self) -> Result<Vec<GrantView>, ApiError> {
        let inner = &self.0;
        let grants = inner.parts.store.all_grants(inner.now()).map_err(storage)?;
        grants.into_iter().map(|(grant, at)| self.grant_view(grant, at)).collect()
    }

    /// Takes a permission back; runs under way have it no more from their next call on.
    pub fn revoke_grant(&self, id: &str) -> Result<Vec<GrantView>, ApiError> {
        self.0.parts.store.revoke_grant(id).map_err(storage)?;
        self.0.hub.publish(Event::Grants);
        self.grants()
    }

    /// Permits an automation a tool: its runs, which nobody watches, may then use it as long as nothing from outside was
    /// read. Only a person's deed may lead here, never a model's.
    pub fn grant_automation(
        &self,
        automation: &str,
        tool: &str,
        arguments: Vec<ArgumentPattern>,
        expires: Option<Millis>,
    ) -> Result<GrantView, ApiError> {
        let inner = &self.0;
        if automation.is_empty() || inner.toolbox.get(tool).is_none() {
            return Err(ApiError::new(Code::BadRequest, "a permission names an automation and a tool that is there"));
        }
        let scope = GrantScope::Automation(automation.to_owned());
        let grant = Grant { id: fresh(), tool: tool.to_owned(), scope, arguments, expires };
        let at = inner.now();
        inner.parts.store.add_grant(&grant, at).map_err(storage)?;
        inner.hub.publish(Event::Grants);
        self.grant_view(grant, at)
    }

    fn grant_view(&self, grant: Grant, at: Millis) -> Result<GrantView, ApiError> {
        let store = &self.0.parts.store;
        let (scope, automation, conversation) = match grant.scope {
            GrantScope::Run(run) => {
                let run = store.run(&run).map_err(storage)?;
                (Some(AllowScope::Run), None, run.map(|run| run.conversation))
            }
            GrantScope::Conversation(id) => (Some(AllowScope::Conversation), None, Some(id)),
            GrantScope::Automation(name) => (None, Some(name), None),
            GrantScope::Always => (Some(AllowScope::Always), None, None),
        };
        let shown = conversation.as_ref().map(|id| store.conversation(id)).transpose().map_err(storage)?.flatten();
        Ok(GrantView {
            id: grant.id,
            tool: grant.tool,
            scope,
            automation,
            conversation,
            title: shown.map(|conversation| conversation.title),
            arguments: grant.arguments,
            at,
            expires: grant.expires,
        })
    }
}
