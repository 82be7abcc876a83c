// SPDX-License-Identifier: Apache-2.0
use crate::error::{Result, conflict};
use bailey_policy::{Grant, GrantScope};
use bailey_protocol::{ConversationId, Millis, RunId};
use rusqlite::{Connection, params};

/// Keeps a grant; one with the same id is replaced.
pub(crate) fn save(sql: &Connection, grant: &Grant, at: Millis) -> Result<()> {
    let (scope, target) = match &grant.scope {
        GrantScope::Run(run) => ("run", Some(run.as_str())),
        GrantScope::Conversation(conversation) => ("conversation", Some(conversation.as_str())),
        GrantScope::Automation(automation) => ("automation", Some(automation.as_str())),
        GrantScope::Always => ("always", None),
    };
    sql.prepare_cached(
        "INSERT OR REPLACE INTO grants (id, tool, scope, target, expires, at) VALUES (?, ?, ?, ?, ?, ?)",
    )?
    .execute(params![grant.id, grant.tool, scope, target, grant.expires, at])?;
    Ok(())
}

/// Grants of this conversation and its runs, of any automation, and general ones.
pub(crate) fn of_conversation(sql: &Connection, conversation: &ConversationId) -> Result<Vec<Grant>> {
    let mut select = sql.prepare_cached(
        "SELECT id, tool, scope, target, expires FROM grants \
         WHERE scope IN ('always', 'automation') OR (scope = 'conversation' AND target = ?1) \
         OR (scope = 'run' AND target IN (SELECT id FROM runs WHERE conversation = ?1)) ORDER BY at, id",
    )?;
    let mut rows = select.query([conversation.as_str()])?;
    let mut grants = Vec::new();
    while let Some(row) = rows.next()? {
        let (scope, target): (String, Option<String>) = (row.get(2)?, row.get(3)?);
        let scope = match (scope.as_str(), target) {
            ("run", Some(run)) => GrantScope::Run(RunId::new(run)),
            ("conversation", Some(conversation)) => GrantScope::Conversation(ConversationId::new(conversation)),
            ("automation", Some(automation)) => GrantScope::Automation(automation),
            ("always", None) => GrantScope::Always,
            (other, _) => return conflict(format!("a grant has the scope {other:?}")),
        };
        grants.push(Grant { id: row.get(0)?, tool: row.get(1)?, scope, expires: row.get(4)? });
    }
    Ok(grants)
}

/// Takes away the grants of a conversation and of its runs.
pub(crate) fn purge(sql: &Connection, conversation: &ConversationId) -> Result<()> {
    sql.execute(
        "DELETE FROM grants WHERE (scope = 'conversation' AND target = ?1) \
         OR (scope = 'run' AND target IN (SELECT id FROM runs WHERE conversation = ?1))",
        [conversation.as_str()],
    )?;
    Ok(())
}
