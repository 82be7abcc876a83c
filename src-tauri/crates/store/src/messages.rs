// SPDX-License-Identifier: Apache-2.0
use crate::error::{
    Result, first, from_json, from_json_or_null, from_word, from_word_or_null, json, labels, labels_json, word,
};
use crate::search;
use bailey_ports::StoreError;
use bailey_protocol::{CallId, ConversationId, Message, MessageId, MessageStatus, RunId, SummaryState};
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::collections::{HashMap, HashSet};

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT seq, id, conversation, parent, run, role, status, at, model, usage, labels, blocks, native, summary FROM messages ",
            $rest
        )
    };
}

/// A message and its place in the order.
pub(crate) struct Stored {
    pub(crate) seq: i64,
    pub(crate) message: Message,
}

fn stored(row: &Row<'_>) -> Result<Stored> {
    let message = Message {
        id: MessageId::new(row.get::<_, String>(1)?),
        conversation: ConversationId::new(row.get::<_, String>(2)?),
        parent: row.get::<_, Option<String>>(3)?.map(MessageId::new),
        run: RunId::new(row.get::<_, String>(4)?),
        role: from_word(row, 5)?,
        status: from_word(row, 6)?,
        at: row.get(7)?,
        model: row.get(8)?,
        usage: from_json_or_null(row, 9)?,
        labels: labels(row, 10)?,
        blocks: from_json(row, 11)?,
        native: from_json_or_null(row, 12)?,
        summary: from_word_or_null(row, 13)?,
        siblings: Vec::new(),
    };
    Ok(Stored { seq: row.get(0)?, message })
}

/// Whether something of a message is still going on.
fn unfinished(message: &Message) -> bool {
    message.status == MessageStatus::Streaming || message.calls().any(|call| !call.state.is_final())
}

pub(crate) fn insert(sql: &Connection, message: &Message) -> Result<i64> {
    Ok(sql
        .prepare_cached(
            "INSERT INTO messages \
             (id, conversation, parent, run, role, status, at, unfinished, model, usage, labels, blocks, summary) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )?
        .insert(params![
            message.id.as_str(),
            message.conversation.as_str(),
            message.parent.as_ref().map(MessageId::as_str),
            message.run.as_str(),
            word(&message.role)?,
            word(&message.status)?,
            message.at,
            unfinished(message),
            message.model,
            message.usage.as_ref().map(json).transpose()?,
            labels_json(&message.labels)?,
            json(&message.blocks)?,
            message.summary.as_ref().map(word).transpose()?,
        ])?)
}

/// Saves what records change in a message; that a summary was taken back is no record's.
pub(crate) fn update(sql: &Connection, stored: &Stored) -> Result<()> {
    let message = &stored.message;
    sql.prepare_cached(
        "UPDATE messages SET status = ?, unfinished = ?, model = ?, usage = ?, labels = ?, blocks = ?, native = ? WHERE seq = ?",
    )?
    .execute(params![
        word(&message.status)?,
        unfinished(message),
        message.model,
        message.usage.as_ref().map(json).transpose()?,
        labels_json(&message.labels)?,
        json(&message.blocks)?,
        message.native.as_ref().map(json).transpose()?,
        stored.seq,
    ])?;
    Ok(())
}

/// Makes the text of a message that was just closed searchable.
pub(crate) fn index(sql: &Connection, stored: &Stored) -> Result<()> {
    let tokens = search::tokens(&stored.message.text());
    if !tokens.is_empty() {
        sql.prepare_cached("INSERT INTO message_search (rowid, body) VALUES (?, ?)")?
            .execute(params![stored.seq, tokens])?;
    }
    Ok(())
}

/// Takes back what [`index`] did.
pub(crate) fn unindex(sql: &Connection, stored: &Stored) -> Result<()> {
    let tokens = search::tokens(&stored.message.text());
    if stored.message.status != MessageStatus::Streaming && !tokens.is_empty() {
        sql.prepare_cached("INSERT INTO message_search (message_search, rowid, body) VALUES ('delete', ?, ?)")?
            .execute(params![stored.seq, tokens])?;
    }
    Ok(())
}

/// A message without its siblings.
pub(crate) fn get(sql: &Connection, id: &MessageId) -> Result<Option<Stored>> {
    let mut select = sql.prepare_cached(select!("WHERE id = ?"))?;
    first(&mut select, [id.as_str()], stored)
}

/// The conversation of a message.
pub(crate) fn conversation_of(sql: &Connection, id: &MessageId) -> Result<Option<ConversationId>> {
    Ok(sql
        .prepare_cached("SELECT conversation FROM messages WHERE id = ?")?
        .query_row([id.as_str()], |row| row.get::<_, String>(0))
        .optional()?
        .map(ConversationId::new))
}

/// The message of a run that holds a call.
pub(crate) fn of_call(sql: &Connection, run: &RunId, call: &CallId) -> Result<Option<Stored>> {
    // The id as JSON has it, so that a message is decoded only when it names the call; as a rule that is the newest one.
    let mut select = sql.prepare_cached(select!("WHERE run = ? AND instr(blocks, ?) > 0 ORDER BY seq DESC"))?;
    let mut rows = select.query(params![run.as_str(), json(call)?])?;
    while let Some(row) = rows.next()? {
        let found = stored(row)?;
        if found.message.calls().any(|c| c.id == *call) {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// The messages of a run in which something is still going on.
pub(crate) fn unfinished_of(sql: &Connection, run: &RunId) -> Result<Vec<Stored>> {
    let mut select = sql.prepare_cached(select!("WHERE run = ? AND unfinished = 1 ORDER BY seq"))?;
    select.query_and_then([run.as_str()], stored)?.collect()
}

/// Takes a summary back.
pub(crate) fn undo_summary(sql: &Connection, id: &MessageId) -> Result<()> {
    let changed = sql
        .prepare_cached("UPDATE messages SET summary = ? WHERE id = ? AND summary IS NOT NULL")?
        .execute(params![word(&SummaryState::Undone)?, id.as_str()])?;
    if changed == 0 { Err(StoreError::NotFound("the summary").into()) } else { Ok(()) }
}

/// Summaries that were taken back.
pub(crate) fn undone_summaries(sql: &Connection) -> Result<Vec<MessageId>> {
    let mut select = sql.prepare("SELECT id FROM messages WHERE summary = ?")?;
    let ids = select.query_map([word(&SummaryState::Undone)?], |row| row.get::<_, String>(0).map(MessageId::new))?;
    Ok(ids.collect::<rusqlite::Result<_>>()?)
}

/// All messages of a conversation, oldest first.
pub(crate) fn of_conversation(sql: &Connection, conversation: &ConversationId) -> Result<Vec<Stored>> {
    let mut select = sql.prepare_cached(select!("WHERE conversation = ? ORDER BY seq"))?;
    select.query_and_then([conversation.as_str()], stored)?.collect()
}

/// A message with its siblings.
pub(crate) fn with_siblings(sql: &Connection, id: &MessageId) -> Result<Option<Message>> {
    let Some(Stored { mut message, .. }) = get(sql, id)? else { return Ok(None) };
    let role = word(&message.role)?;
    let ids = |row: &Row<'_>| row.get::<_, String>(0).map(MessageId::new);
    message.siblings = match &message.parent {
        Some(parent) => sql
            .prepare_cached("SELECT id FROM messages WHERE parent = ? AND role = ? ORDER BY seq")?
            .query_map([parent.as_str(), &role], ids)?
            .collect::<rusqlite::Result<_>>()?,
        None => sql
            .prepare_cached(
                "SELECT id FROM messages WHERE conversation = ? AND parent IS NULL AND role = ? ORDER BY seq",
            )?
            .query_map([message.conversation.as_str(), &role], ids)?
            .collect::<rusqlite::Result<_>>()?,
    };
    Ok(Some(message))
}

/// The shape of a conversation's tree: everything but the contents.
struct Node {
    seq: i64,
    id: String,
    parent: Option<String>,
    role: String,
}

fn tree(sql: &Connection, conversation: &ConversationId) -> Result<Vec<Node>> {
    let mut select =
        sql.prepare_cached("SELECT seq, id, parent, role FROM messages WHERE conversation = ? ORDER BY seq")?;
    let nodes = select.query_map([conversation.as_str()], |row| {
        Ok(Node { seq: row.get(0)?, id: row.get(1)?, parent: row.get(2)?, role: row.get(3)? })
    })?;
    Ok(nodes.collect::<rusqlite::Result<_>>()?)
}

/// The messages from the root to `leaf`, with siblings.
pub(crate) fn branch(sql: &Connection, conversation: &ConversationId, leaf: &MessageId) -> Result<Vec<Message>> {
    let nodes = tree(sql, conversation)?;
    let by_id: HashMap<&str, &Node> = nodes.iter().map(|n| (n.id.as_str(), n)).collect();
    let mut families: HashMap<(Option<&str>, &str), Vec<&str>> = HashMap::new();
    for node in &nodes {
        families.entry((node.parent.as_deref(), &node.role)).or_default().push(&node.id);
    }
    let mut path = Vec::new();
    let mut next = Some(leaf.as_str());
    while let Some(id) = next {
        let Some(node) = by_id.get(id) else { return Err(StoreError::NotFound("the message").into()) };
        path.push(*node);
        next = node.parent.as_deref();
    }
    let mut select = sql.prepare_cached(select!("WHERE seq = ?"))?;
    let mut messages = Vec::with_capacity(path.len());
    for node in path.iter().rev() {
        let Some(Stored { mut message, .. }) = first(&mut select, [node.seq], stored)? else { continue };
        let family = families.get(&(node.parent.as_deref(), node.role.as_str()));
        message.siblings = family.into_iter().flatten().map(|id| MessageId::new(*id)).collect();
        messages.push(message);
    }
    Ok(messages)
}

/// The newest message at or below this one; being the newest, it is a leaf.
pub(crate) fn newest_leaf(sql: &Connection, conversation: &ConversationId, message: &MessageId) -> Result<MessageId> {
    let nodes = tree(sql, conversation)?;
    let mut below: HashSet<&str> = HashSet::new();
    let mut newest = None;
    // A parent is always older than its children.
    for node in &nodes {
        if node.id == message.as_str() || node.parent.as_deref().is_some_and(|p| below.contains(p)) {
            below.insert(&node.id);
            newest = Some(node.id.as_str());
        }
    }
    newest.map(MessageId::from).ok_or_else(|| StoreError::NotFound("the message").into())
}
