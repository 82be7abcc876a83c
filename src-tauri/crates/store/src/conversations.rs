// SPDX-License-Identifier: Apache-2.0
use crate::error::{Result, conflict, first, from_json_or_null, from_word, from_word_or_null, json, word};
use crate::search::{self, Query};
use crate::{messages, summary};
use bailey_ports::StoreError;
use bailey_protocol::journal::ParentRun;
use bailey_protocol::{
    ConversationId, ConversationPatch, ConversationSummary, MessageId, Millis, Mode, ModelChoice, RunView, SearchHit,
};
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::collections::HashMap;

/// Conversations that a search answers with at most.
const MOST_RESULTS: usize = 100;
/// Messages that a search looks at, newest first: very common words would take long otherwise.
const MOST_HITS: usize = 10_000;

/// What records did to a conversation.
#[derive(Default)]
pub(crate) struct Touched {
    pub(crate) updated: Millis,
    pub(crate) head: Option<MessageId>,
    pub(crate) preview: Option<String>,
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, title, mode, model, starred, updated, preview, ",
            "(SELECT state FROM runs WHERE conversation = c.id ORDER BY seq DESC LIMIT 1), ",
            "CASE WHEN root IS NULL THEN (SELECT count(*) FROM asks WHERE conversation = c.id) ELSE ",
            "(SELECT count(*) FROM asks WHERE run IN (SELECT id FROM runs WHERE conversation = c.id)) END ",
            "FROM conversations c ",
            $rest
        )
    };
}

fn shown(row: &Row<'_>) -> Result<ConversationSummary> {
    Ok(ConversationSummary {
        id: ConversationId::new(row.get::<_, String>(0)?),
        title: row.get(1)?,
        mode: from_word(row, 2)?,
        model: from_json_or_null(row, 3)?,
        starred: row.get(4)?,
        updated: row.get(5)?,
        preview: row.get(6)?,
        run: from_word_or_null(row, 7)?,
        asks: row.get(8)?,
        hit: None,
    })
}

/// Makes a conversation when it is not there.
pub(crate) fn ensure(sql: &Connection, id: &ConversationId, mode: Mode, model: &ModelChoice, at: Millis) -> Result<()> {
    sql.prepare_cached(
        "INSERT INTO conversations (id, mode, model, created, changed, updated) VALUES (?1, ?2, ?3, ?4, ?4, ?4) \
         ON CONFLICT (id) DO NOTHING",
    )?
    .execute(params![id.as_str(), word(&mode)?, json(model)?, at])?;
    Ok(())
}

/// Makes the conversation of a sub-agent when it is not there. It is found by nothing but its id.
pub(crate) fn ensure_child(sql: &Connection, id: &ConversationId, opened: &RunView, parent: &ParentRun) -> Result<()> {
    let of_parent: Option<String> = sql
        .prepare_cached(
            "SELECT coalesce(c.root, c.id) FROM runs JOIN conversations c ON c.id = runs.conversation WHERE runs.id = ?",
        )?
        .query_row([parent.run.as_str()], |row| row.get(0))
        .optional()?;
    if of_parent.as_deref() != Some(parent.conversation.as_str()) {
        return conflict(format!("run {} is not of conversation {}", parent.run, parent.conversation));
    }
    sql.prepare_cached(
        "INSERT INTO conversations (id, title, mode, model, created, changed, updated, root) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?5, ?6) ON CONFLICT (id) DO NOTHING",
    )?
    .execute(params![
        id.as_str(),
        summary::title(&parent.task),
        word(&opened.mode)?,
        opened.model.as_ref().map(json).transpose()?,
        opened.started,
        parent.conversation.as_str(),
    ])?;
    Ok(())
}

/// The conversation that a sub-agent's one works for; `None` for any other.
pub(crate) fn root(sql: &Connection, id: &ConversationId) -> Result<Option<ConversationId>> {
    let root: Option<Option<String>> = sql
        .prepare_cached("SELECT root FROM conversations WHERE id = ?")?
        .query_row([id.as_str()], |row| row.get(0))
        .optional()?;
    Ok(root.flatten().map(ConversationId::new))
}

/// The conversations of the sub-agents that work for this one.
pub(crate) fn children(sql: &Connection, root: &ConversationId) -> Result<Vec<ConversationId>> {
    let mut select = sql.prepare("SELECT id FROM conversations WHERE root = ? ORDER BY seq")?;
    let ids = select.query_map([root.as_str()], |row| row.get::<_, String>(0).map(ConversationId::new))?;
    Ok(ids.collect::<rusqlite::Result<_>>()?)
}

/// Saves what records did.
pub(crate) fn touch(sql: &Connection, id: &ConversationId, touched: &Touched) -> Result<()> {
    sql.prepare_cached(
        "UPDATE conversations SET updated = max(updated, ?), head = coalesce(?, head), preview = coalesce(?, preview) \
         WHERE id = ?",
    )?
    .execute(params![
        touched.updated,
        touched.head.as_ref().map(MessageId::as_str),
        touched.preview,
        id.as_str()
    ])?;
    Ok(())
}

/// Gives a conversation that has no title yet this one. (That of a sub-agent has one from the start.)
pub(crate) fn title_from(sql: &Connection, id: &ConversationId, title: &str) -> Result<()> {
    let seq: Option<i64> = sql
        .prepare_cached(
            "UPDATE conversations SET title = ? WHERE id = ? AND title = '' AND title_by_person = 0 AND root IS NULL \
             RETURNING seq",
        )?
        .query_row([title, id.as_str()], |row| row.get(0))
        .optional()?;
    seq.map_or(Ok(()), |seq| index(sql, seq, title))
}

fn index(sql: &Connection, seq: i64, title: &str) -> Result<()> {
    let tokens = search::tokens(title);
    if !tokens.is_empty() {
        sql.prepare_cached("INSERT INTO title_search (rowid, body) VALUES (?, ?)")?.execute(params![seq, tokens])?;
    }
    Ok(())
}

fn unindex(sql: &Connection, seq: i64, title: &str) -> Result<()> {
    let tokens = search::tokens(title);
    if !tokens.is_empty() {
        sql.prepare_cached("INSERT INTO title_search (title_search, rowid, body) VALUES ('delete', ?, ?)")?
            .execute(params![seq, tokens])?;
    }
    Ok(())
}

/// A conversation that is not deleted.
pub(crate) fn get(sql: &Connection, id: &ConversationId) -> Result<Option<ConversationSummary>> {
    let mut select = sql.prepare_cached(select!("WHERE id = ? AND deleted_at IS NULL"))?;
    first(&mut select, [id.as_str()], shown)
}

/// Whether a conversation is there and marked as deleted.
pub(crate) fn is_deleted(sql: &Connection, id: &ConversationId) -> Result<bool> {
    Ok(sql
        .prepare_cached("SELECT 1 FROM conversations WHERE id = ? AND deleted_at IS NOT NULL")?
        .exists([id.as_str()])?)
}

/// All that are not deleted, newest first, without those of sub-agents.
pub(crate) fn list(sql: &Connection) -> Result<Vec<ConversationSummary>> {
    let mut select =
        sql.prepare_cached(select!("WHERE deleted_at IS NULL AND root IS NULL ORDER BY updated DESC, seq DESC"))?;
    select.query_and_then([], shown)?.collect()
}

/// Those with a match: in the title first, then by their newest message with one.
pub(crate) fn search(sql: &Connection, query: &str) -> Result<Vec<ConversationSummary>> {
    let Some(query) = Query::parse(query) else { return Ok(Vec::new()) };
    let wanted = query.all();
    let mut found: Vec<ConversationSummary> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();

    let mut titles =
        sql.prepare_cached("SELECT rowid FROM title_search WHERE title_search MATCH ? ORDER BY rowid DESC")?;
    let mut by_seq = sql.prepare_cached(select!("WHERE seq = ? AND deleted_at IS NULL"))?;
    for seq in titles.query_map([&wanted], |row| row.get::<_, i64>(0))?.take(MOST_RESULTS) {
        found.extend(first(&mut by_seq, [seq?], shown)?);
    }
    found.sort_by_key(|conversation| std::cmp::Reverse(conversation.updated));
    places.extend(found.iter().enumerate().map(|(place, c)| (c.id.as_str().to_owned(), place)));

    let mut hits =
        sql.prepare_cached("SELECT rowid FROM message_search WHERE message_search MATCH ? ORDER BY rowid DESC")?;
    let mut place_of = sql.prepare_cached("SELECT conversation, id FROM messages WHERE seq = ?")?;
    for seq in hits.query_map([&wanted], |row| row.get::<_, i64>(0))?.take(MOST_HITS) {
        let (conversation, message): (String, String) =
            place_of.query_row([seq?], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let place = match places.get(&conversation) {
            Some(place) => *place,
            None if found.len() >= MOST_RESULTS => continue,
            None => {
                let Some(summary) = get(sql, &ConversationId::new(conversation.as_str()))? else { continue };
                found.push(summary);
                places.insert(conversation, found.len() - 1);
                found.len() - 1
            }
        };
        if found[place].hit.is_none() {
            let message = MessageId::new(message);
            let text = messages::get(sql, &message)?.map(|stored| stored.message.text()).unwrap_or_default();
            found[place].hit = Some(SearchHit { message, snippet: query.snippet(&text) });
        }
    }
    Ok(found)
}

/// What the person changed.
pub(crate) fn patch(sql: &Connection, patch: &ConversationPatch, at: Millis) -> Result<()> {
    let id = patch.conversation.as_str();
    let (seq, title, listed): (i64, String, bool) = sql
        .prepare_cached("SELECT seq, title, root IS NULL FROM conversations WHERE id = ? AND deleted_at IS NULL")?
        .query_row([id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?
        .ok_or(StoreError::NotFound("the conversation"))?;
    sql.prepare_cached(
        "UPDATE conversations SET title = coalesce(?2, title), title_by_person = max(title_by_person, ?2 IS NOT NULL), \
         mode = coalesce(?3, mode), model = coalesce(?4, model), starred = coalesce(?5, starred), \
         changed = max(changed, ?6) WHERE id = ?1",
    )?
    .execute(params![
        id,
        patch.title,
        patch.mode.as_ref().map(word).transpose()?,
        patch.model.as_ref().map(json).transpose()?,
        patch.starred,
        at,
    ])?;
    if let Some(new) = patch.title.as_ref().filter(|_| listed) {
        unindex(sql, seq, &title)?;
        index(sql, seq, new)?;
    }
    Ok(())
}

/// Hides a conversation, or brings it back, and those of its sub-agents with it.
pub(crate) fn set_deleted(sql: &Connection, id: &ConversationId, deleted: Option<Millis>) -> Result<()> {
    let changed = sql
        .prepare_cached("UPDATE conversations SET deleted_at = ?1 WHERE (id = ?2 AND root IS NULL) OR root = ?2")?
        .execute(params![deleted, id.as_str()])?;
    if changed == 0 { Err(StoreError::NotFound("the conversation").into()) } else { Ok(()) }
}

/// The leaf that is shown; `None` for a conversation without messages.
pub(crate) fn head(sql: &Connection, id: &ConversationId) -> Result<Option<MessageId>> {
    let head: Option<Option<String>> = sql
        .prepare_cached("SELECT head FROM conversations WHERE id = ?")?
        .query_row([id.as_str()], |row| row.get(0))
        .optional()?;
    Ok(head.ok_or(StoreError::NotFound("the conversation"))?.map(MessageId::new))
}

pub(crate) fn set_head(sql: &Connection, id: &ConversationId, head: &MessageId) -> Result<()> {
    sql.prepare_cached("UPDATE conversations SET head = ? WHERE id = ?")?.execute([head.as_str(), id.as_str()])?;
    Ok(())
}

/// Conversations deleted at or before a moment, without those of sub-agents.
pub(crate) fn deleted_until(sql: &Connection, until: Millis) -> Result<Vec<ConversationId>> {
    let mut select = sql.prepare("SELECT id FROM conversations WHERE deleted_at <= ? AND root IS NULL ORDER BY seq")?;
    select.query_map([until], |row| row.get::<_, String>(0))?.map(|id| Ok(ConversationId::new(id?))).collect()
}

/// Takes the row of a conversation, and its title from the index.
pub(crate) fn remove(sql: &Connection, id: &ConversationId) -> Result<()> {
    let (seq, title, listed): (i64, String, bool) = sql.query_row(
        "DELETE FROM conversations WHERE id = ? RETURNING seq, title, root IS NULL",
        [id.as_str()],
        |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
    )?;
    if listed { unindex(sql, seq, &title) } else { Ok(()) }
}
