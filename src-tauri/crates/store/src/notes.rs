// SPDX-License-Identifier: Apache-2.0
use crate::database::Database;
use crate::error::{Result, first, labels, labels_json};
use crate::search::{self, Query};
use bailey_ports::{Durability, NewNote, Note, Notes, StoreError};
use rusqlite::{Connection, Row, params};

impl Notes for Database {
    fn write(&self, note: NewNote) -> std::result::Result<Note, StoreError> {
        self.commit(Durability::Committed, |sql| write(sql, &note))
    }

    fn search(&self, query: &str, limit: usize) -> std::result::Result<Vec<Note>, StoreError> {
        self.read(|sql| search(sql, query, i64::try_from(limit).unwrap_or(i64::MAX)))
    }
}

fn note(row: &Row<'_>) -> Result<Note> {
    Ok(Note { id: row.get(0)?, text: row.get(1)?, labels: labels(row, 2)?, at: row.get(3)? })
}

fn write(sql: &Connection, new: &NewNote) -> Result<Note> {
    let text = new.text.trim();
    let mut select = sql.prepare_cached("SELECT id, text, labels, at FROM notes WHERE text = ?")?;
    if let Some(mut known) = first(&mut select, [text], note)? {
        known.labels.join(&new.labels);
        sql.prepare_cached("UPDATE notes SET labels = ? WHERE id = ?")?
            .execute(params![labels_json(&known.labels)?, known.id])?;
        return Ok(known);
    }
    let id = sql
        .prepare_cached("INSERT INTO notes (text, labels, at, conversation) VALUES (?, ?, ?, ?)")?
        .insert(params![text, labels_json(&new.labels)?, new.at, new.conversation.as_str()])?;
    sql.prepare_cached("INSERT INTO note_search (rowid, body) VALUES (?, ?)")?
        .execute(params![id, search::tokens(text)])?;
    Ok(Note { id, text: text.to_owned(), labels: new.labels.clone(), at: new.at })
}

fn search(sql: &Connection, query: &str, limit: i64) -> Result<Vec<Note>> {
    if query.trim().is_empty() {
        let mut select = sql.prepare_cached("SELECT id, text, labels, at FROM notes ORDER BY id DESC LIMIT ?")?;
        return select.query_and_then([limit], note)?.collect();
    }
    let Some(query) = Query::parse(query) else { return Ok(Vec::new()) };
    let mut select = sql.prepare_cached(
        "SELECT n.id, n.text, n.labels, n.at FROM note_search s JOIN notes n ON n.id = s.rowid \
         WHERE note_search MATCH ? ORDER BY s.rank, n.id DESC LIMIT ?",
    )?;
    select.query_and_then(params![query.any(), limit], note)?.collect()
}
