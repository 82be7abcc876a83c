// SPDX-License-Identifier: Apache-2.0
use crate::conversations;
use crate::error::{Result, conflict, from_json, json};
use bailey_policy::{Grant, GrantScope};
use bailey_protocol::{ConversationId, Millis, RunId};
use rusqlite::{Connection, Row, params};

/// Keeps a grant; one with the same id is replaced.
pub(crate) fn save(sql: &Connection, grant: &Grant, at: Millis) -> Result<()> {
    let (scope, target) = match &grant.scope {
        GrantScope::Run(run) => ("run", Some(run.as_str())),
        GrantScope::Conversation(conversation) => ("conversation", Some(conversation.as_str())),
        GrantScope::Automation(automation) => ("automation", Some(automation.as_str())),
        GrantScope::Always => ("always", None),
    };
    sql.prepare_cached(
        "INSERT OR REPLACE INTO grants (id, tool, scope, target, arguments, expires, at) VALUES (?, ?, ?, ?, ?, ?, ?)",
    )?
    .execute(params![grant.id, grant.tool, scope, target, json(&grant.arguments)?, grant.expires, at])?;
    Ok(())
}

/// Takes a grant back, if it is there.
pub(crate) fn remove(sql: &Connection, id: &str) -> Result<()> {
    sql.prepare_cached("DELETE FROM grants WHERE id = ?")?.execute([id])?;
    Ok(())
}

macro_rules! select {
    ($rest:literal) => {
        concat!("SELECT id, tool, scope, target, arguments, expires, at FROM grants ", $rest)
    };
}

fn grant(row: &Row<'_>) -> Result<(Grant, Millis)> {
    let (scope, target): (String, Option<String>) = (row.get(2)?, row.get(3)?);
    let scope = match (scope.as_str(), target) {
        ("run", Some(run)) => GrantScope::Run(RunId::new(run)),
        ("conversation", Some(conversation)) => GrantScope::Conversation(ConversationId::new(conversation)),
        ("automation", Some(automation)) => GrantScope::Automation(automation),
        ("always", None) => GrantScope::Always,
        (other, _) => return conflict(format!("a grant has the scope {other:?}")),
    };
    let arguments = from_json(row, 4)?;
    Ok((Grant { id: row.get(0)?, tool: row.get(1)?, scope, arguments, expires: row.get(5)? }, row.get(6)?))
}

/// Grants of this conversation and of its runs, those of its sub-agents among them; of any automation; and general ones.
/// A sub-agent's conversation has those of the one it works for. Whether one has ended by now is for the gate to say.
pub(crate) fn of_conversation(sql: &Connection, conversation: &ConversationId) -> Result<Vec<Grant>> {
    let root = conversations::root(sql, conversation)?.unwrap_or_else(|| conversation.clone());
    let mut select = sql.prepare_cached(select!(
        "WHERE scope IN ('always', 'automation') OR (scope = 'conversation' AND target = ?1) \
         OR (scope = 'run' AND target IN (SELECT runs.id FROM runs JOIN conversations c ON c.id = runs.conversation \
         WHERE c.id = ?1 OR c.root = ?1)) ORDER BY at, id"
    ))?;
    select.query_and_then([root.as_str()], grant)?.map(|found| Ok(found?.0)).collect()
}

/// Grants that have not ended by now, newest first; those of a run only while it is not over.
pub(crate) fn all(sql: &Connection, now: Millis) -> Result<Vec<(Grant, Millis)>> {
    let mut select = sql.prepare_cached(select!(
        "WHERE (expires IS NULL OR expires > ?) AND (scope <> 'run' \
         OR target IN (SELECT id FROM runs WHERE state IN ('running', 'waiting'))) ORDER BY at DESC, id DESC"
    ))?;
    select.query_and_then([now], grant)?.collect()
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
