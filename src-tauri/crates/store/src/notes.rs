// SPDX-License-Identifier: Apache-2.0
use crate::database::Database;
use crate::error::{Result, first, labels, labels_json};
use crate::search::{self, Query};
use bailey_ports::{Durability, NewNote, Note, Notes, StoreError};
use bailey_protocol::{ConversationId, Labels};
use rusqlite::{Connection, Row, params};

impl Notes for Database {
    fn write(&self, note: NewNote) -> std::result::Result<Note, StoreError> {
        self.commit(Durability::Committed, |sql| write(sql, &note))
    }

    fn search(&self, query: &str, limit: usize) -> std::result::Result<Vec<Note>, StoreError> {
        self.read(|sql| search(sql, query, i64::try_from(limit).unwrap_or(i64::MAX)))
    }

    fn keep(&self, id: i64) -> std::result::Result<Note, StoreError> {
        self.commit(Durability::Committed, |sql| keep(sql, id))
    }

    fn forget(&self, id: i64) -> std::result::Result<(), StoreError> {
        self.commit(Durability::Committed, |sql| forget(sql, id))?;
        self.empty_log()
    }

    fn waiting(&self) -> std::result::Result<u32, StoreError> {
        self.read(waiting)
    }
}

macro_rules! select {
    ($from:literal) => {
        concat!(
            "SELECT n.id, n.text, n.labels, n.at, n.kept, ",
            "(SELECT c.id FROM conversations c WHERE c.id = n.conversation AND c.deleted_at IS NULL) ",
            $from
        )
    };
}

struct Stored {
    note: Note,
    kept: bool,
}

fn stored(row: &Row<'_>) -> Result<Stored> {
    let conversation: Option<String> = row.get(5)?;
    let note = Note {
        id: row.get(0)?,
        text: row.get(1)?,
        labels: labels(row, 2)?,
        at: row.get(3)?,
        conversation: conversation.map(ConversationId::new),
    };
    Ok(Stored { note, kept: row.get(4)? })
}

fn note(row: &Row<'_>) -> Result<Note> {
    Ok(stored(row)?.note)
}

fn get(sql: &Connection, id: i64) -> Result<Note> {
    let mut select = sql.prepare_cached(select!("FROM notes n WHERE n.id = ?"))?;
    Ok(first(&mut select, [id], note)?.ok_or(StoreError::NotFound("the note"))?)
}

fn save_labels(sql: &Connection, note: &Note) -> Result<()> {
    sql.prepare_cached("UPDATE notes SET labels = ? WHERE id = ?")?
        .execute(params![labels_json(&note.labels)?, note.id])?;
    Ok(())
}

fn write(sql: &Connection, new: &NewNote) -> Result<Note> {
    let text = new.text.trim();
    let mut select = sql.prepare_cached(select!("FROM notes n WHERE n.text = ?"))?;
    if let Some(Stored { mut note, kept }) = first(&mut select, [text], stored)? {
        // These very words are the person's own by now, whoever says them again. Whose data they are is another matter.
        let outside = if kept { Vec::new() } else { new.labels.outside.clone() };
        note.labels.join(&Labels { outside, private: new.labels.private.clone() });
        save_labels(sql, &note)?;
        return Ok(note);
    }
    let id = sql
        .prepare_cached("INSERT INTO notes (text, labels, at, conversation) VALUES (?, ?, ?, ?)")?
        .insert(params![text, labels_json(&new.labels)?, new.at, new.conversation.as_str()])?;
    sql.prepare_cached("INSERT INTO note_search (rowid, body) VALUES (?, ?)")?
        .execute(params![id, search::tokens(text)])?;
    get(sql, id)
}

fn keep(sql: &Connection, id: i64) -> Result<Note> {
    let mut note = get(sql, id)?;
    note.labels.outside.clear();
    save_labels(sql, &note)?;
    sql.prepare_cached("UPDATE notes SET kept = 1 WHERE id = ?")?.execute([id])?;
    Ok(note)
}

fn forget(sql: &Connection, id: i64) -> Result<()> {
    let note = get(sql, id)?;
    sql.prepare_cached("INSERT INTO note_search (note_search, rowid, body) VALUES ('delete', ?, ?)")?
        .execute(params![id, search::tokens(&note.text)])?;
    sql.prepare_cached("DELETE FROM notes WHERE id = ?")?.execute([id])?;
    Ok(())
}

fn waiting(sql: &Connection) -> Result<u32> {
    let mut count =
        sql.prepare_cached("SELECT count(*) FROM notes WHERE json_array_length(labels, '$.outside') > 0")?;
    Ok(count.query_row([], |row| row.get(0))?)
}

fn search(sql: &Connection, query: &str, limit: i64) -> Result<Vec<Note>> {
    if query.trim().is_empty() {
        let mut select = sql.prepare_cached(select!("FROM notes n ORDER BY n.id DESC LIMIT ?"))?;
        return select.query_and_then([limit], note)?.collect();
    }
    let Some(query) = Query::parse(query) else { return Ok(Vec::new()) };
    let mut select = sql.prepare_cached(select!(
        "FROM note_search s JOIN notes n ON n.id = s.rowid WHERE note_search MATCH ? ORDER BY s.rank, n.id DESC LIMIT ?"
    ))?;
    select.query_and_then(params![query.any(), limit], note)?.collect()
}
