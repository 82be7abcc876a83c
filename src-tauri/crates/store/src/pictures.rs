// SPDX-License-Identifier: Apache-2.0
use crate::error::Result;
use bailey_protocol::{ConversationId, PictureId};
use rusqlite::{Connection, OptionalExtension, params};

pub(crate) fn add(
    sql: &Connection,
    conversation: &ConversationId,
    id: &PictureId,
    media_type: &str,
    data: &[u8],
) -> Result<()> {
    sql.prepare_cached("INSERT INTO pictures (id, conversation, media_type, data) VALUES (?, ?, ?, ?)")?
        .execute(params![id.as_str(), conversation.as_str(), media_type, data])?;
    Ok(())
}

/// A picture's media type and bytes.
pub(crate) fn get(sql: &Connection, id: &PictureId) -> Result<Option<(String, Vec<u8>)>> {
    Ok(sql
        .prepare_cached("SELECT media_type, data FROM pictures WHERE id = ?")?
        .query_row([id.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?)
}

pub(crate) fn purge(sql: &Connection, conversation: &ConversationId) -> Result<()> {
    sql.execute("DELETE FROM pictures WHERE conversation = ?", [conversation.as_str()])?;
    Ok(())
}

/// Removes pictures whose message was never written: the process ended between the two.
pub(crate) fn purge_orphans(sql: &Connection) -> Result<()> {
    sql.execute("DELETE FROM pictures WHERE conversation NOT IN (SELECT id FROM conversations)", [])?;
    Ok(())
}
