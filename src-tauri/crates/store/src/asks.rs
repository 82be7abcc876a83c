// SPDX-License-Identifier: Apache-2.0
use crate::error::{Result, first, from_json, from_json_or_null, json};
use bailey_protocol::{Ask, AskId, CallId, ConversationId, RunId};
use rusqlite::{Connection, Row, params};

macro_rules! select {
    ($rest:literal) => {
        concat!("SELECT id, run, conversation, call, kind, asked, left_ms, origin FROM asks ", $rest)
    };
}

fn ask(row: &Row<'_>) -> Result<Ask> {
    Ok(Ask {
        id: AskId::new(row.get::<_, String>(0)?),
        run: RunId::new(row.get::<_, String>(1)?),
        conversation: ConversationId::new(row.get::<_, String>(2)?),
        call: CallId::new(row.get::<_, String>(3)?),
        kind: from_json(row, 4)?,
        asked: row.get(5)?,
        left_ms: row.get(6)?,
        origin: from_json_or_null(row, 7)?,
    })
}

pub(crate) fn insert(sql: &Connection, ask: &Ask, tool_digest: &str) -> Result<()> {
    sql.prepare_cached(
        "INSERT INTO asks (id, run, conversation, call, kind, tool_digest, asked, left_ms, origin) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )?
    .execute(params![
        ask.id.as_str(),
        ask.run.as_str(),
        ask.conversation.as_str(),
        ask.call.as_str(),
        json(&ask.kind)?,
        tool_digest,
        ask.asked,
        ask.left_ms,
        ask.origin.as_ref().map(json).transpose()?,
    ])?;
    Ok(())
}

/// Takes an open question of a run away.
pub(crate) fn take(sql: &Connection, run: &RunId, id: &AskId) -> Result<Option<Ask>> {
    let mut select = sql.prepare_cached(select!("WHERE id = ? AND run = ?"))?;
    let found = first(&mut select, [id.as_str(), run.as_str()], ask)?;
    sql.prepare_cached("DELETE FROM asks WHERE id = ? AND run = ?")?.execute([id.as_str(), run.as_str()])?;
    Ok(found)
}

pub(crate) fn remove_of_run(sql: &Connection, run: &RunId) -> Result<()> {
    sql.prepare_cached("DELETE FROM asks WHERE run = ?")?.execute([run.as_str()])?;
    Ok(())
}

/// Whether a run has open questions.
pub(crate) fn any_of_run(sql: &Connection, run: &RunId) -> Result<bool> {
    Ok(sql.prepare_cached("SELECT 1 FROM asks WHERE run = ?")?.exists([run.as_str()])?)
}

/// Takes away the questions of a conversation's runs.
pub(crate) fn purge(sql: &Connection, conversation: &ConversationId) -> Result<()> {
    sql.execute("DELETE FROM asks WHERE run IN (SELECT id FROM runs WHERE conversation = ?)", [conversation.as_str()])?;
    Ok(())
}

/// Open questions, oldest first, of one conversation or of all, deleted ones left out. A conversation has those of its
/// sub-agents, too.
pub(crate) fn list(sql: &Connection, conversation: Option<&ConversationId>) -> Result<Vec<Ask>> {
    let mut select = sql.prepare_cached(select!(
        "WHERE (?1 IS NULL OR conversation = ?1 OR run IN (SELECT id FROM runs WHERE conversation = ?1)) \
         AND NOT EXISTS (SELECT 1 FROM conversations c WHERE c.id = asks.conversation AND c.deleted_at IS NOT NULL) \
         ORDER BY seq"
    ))?;
    select.query_and_then([conversation.map(ConversationId::as_str)], ask)?.collect()
}

/// The time left of every open question.
pub(crate) fn time_left(sql: &Connection) -> Result<Vec<(AskId, u32)>> {
    let mut select = sql.prepare_cached("SELECT id, left_ms FROM asks WHERE left_ms IS NOT NULL")?;
    let rows = select.query_map([], |row| Ok((AskId::new(row.get::<_, String>(0)?), row.get(1)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Saves the time left; a question that waits for ever, or is gone, stays so.
pub(crate) fn save_time_left(sql: &Connection, left: &[(AskId, u32)]) -> Result<()> {
    let mut update = sql.prepare_cached("UPDATE asks SET left_ms = ? WHERE id = ? AND left_ms IS NOT NULL")?;
    for (id, ms) in left {
        update.execute(params![ms, id.as_str()])?;
    }
    Ok(())
}
