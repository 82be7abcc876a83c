// SPDX-License-Identifier: Apache-2.0
use crate::database::Database;
use crate::error::Result;
use crate::projection::Projection;
use crate::{asks, conversations, grants, journal, messages, pictures};
use bailey_ports::{Durability, StoreError};
use bailey_protocol::{ConversationId, MessageId, Millis};
use rusqlite::{Connection, params};

impl Database {
    /// Removes conversations deleted at or before a moment, with all that belongs to them and to their sub-agents. Nothing of them is left in the
    /// database file or its log: freed space is overwritten (`secure_delete`, in the search index, too), and the log is
    /// emptied.
    pub(crate) fn purge(&self, until: Millis) -> std::result::Result<Vec<ConversationId>, StoreError> {
        let gone = self.commit(Durability::Committed, |sql| {
            let gone = conversations::deleted_until(sql, until)?;
            for conversation in &gone {
                for child in conversations::children(sql, conversation)? {
                    purge(sql, &child)?;
                }
                purge(sql, conversation)?;
            }
            Ok(gone)
        })?;
        if !gone.is_empty() {
            self.empty_log()?;
        }
        Ok(gone)
    }

    /// Drops everything that is made from the journal and makes it anew. What the person set stays: titles, stars, modes,
    /// models, the branch shown, deletions, summaries taken back, and how much time open questions have left.
    pub fn rebuild(&self) -> std::result::Result<(), StoreError> {
        self.commit(Durability::Committed, rebuild)
    }
}

fn purge(sql: &Connection, conversation: &ConversationId) -> Result<()> {
    // What sub-agents say is not in the index.
    if conversations::root(sql, conversation)?.is_none() {
        for stored in messages::of_conversation(sql, conversation)? {
            messages::unindex(sql, &stored)?;
        }
    }
    let id = [conversation.as_str()];
    // The journal goes while its runs say that their conversation is deleted: its trigger asks them.
    sql.execute("DELETE FROM journal WHERE run IN (SELECT id FROM runs WHERE conversation = ?)", id)?;
    asks::purge(sql, conversation)?;
    grants::purge(sql, conversation)?;
    pictures::purge(sql, conversation)?;
    sql.execute("DELETE FROM messages WHERE conversation = ?", id)?;
    sql.execute("DELETE FROM runs WHERE conversation = ?", id)?;
    conversations::remove(sql, conversation)
}

fn rebuild(sql: &Connection) -> Result<()> {
    let time_left = asks::time_left(sql)?;
    let undone = messages::undone_summaries(sql)?;
    let heads: Vec<(String, String)> = sql
        .prepare("SELECT id, head FROM conversations WHERE head IS NOT NULL")?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    sql.execute_batch(
        "DELETE FROM asks; DELETE FROM messages; DELETE FROM runs; \
         INSERT INTO message_search (message_search) VALUES ('delete-all'); \
         UPDATE conversations SET updated = created, preview = '', head = NULL;",
    )?;
    journal::each(sql, |run, record| {
        let mut projection = Projection::of(sql, run)?;
        projection.apply(record)?;
        projection.finish()
    })?;
    for (conversation, head) in &heads {
        // The branch that the person chose, where it is still there.
        if messages::get(sql, &MessageId::new(head.as_str()))?.is_some() {
            sql.execute("UPDATE conversations SET head = ? WHERE id = ?", params![head, conversation])?;
        }
    }
    for summary in &undone {
        messages::undo_summary(sql, summary)?;
    }
    asks::save_time_left(sql, &time_left)
}
