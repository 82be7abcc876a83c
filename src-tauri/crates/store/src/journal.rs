// SPDX-License-Identifier: Apache-2.0
use crate::error::{Result, from_json, json};
use bailey_protocol::RunId;
use bailey_protocol::journal::Record;
use rusqlite::{Connection, params};

/// Adds a record as number `seq` of its run.
pub(crate) fn insert(sql: &Connection, run: &RunId, seq: i64, record: &Record) -> Result<()> {
    sql.prepare_cached("INSERT INTO journal (run, seq, at, type, payload) VALUES (?, ?, ?, ?, ?)")?
        .execute(params![run.as_str(), seq, record.at, record.entry.kind(), json(&record.entry)?])?;
    Ok(())
}

/// How many records a run has.
pub(crate) fn length(sql: &Connection, run: &RunId) -> Result<i64> {
    Ok(sql
        .prepare_cached("SELECT coalesce(max(seq), 0) FROM journal WHERE run = ?")?
        .query_row([run.as_str()], |row| row.get(0))?)
}

/// A run's records from the beginning.
pub(crate) fn of_run(sql: &Connection, run: &RunId) -> Result<Vec<Record>> {
    let mut select = sql.prepare_cached("SELECT at, payload FROM journal WHERE run = ? ORDER BY seq")?;
    let mut rows = select.query([run.as_str()])?;
    let mut records = Vec::new();
    while let Some(row) = rows.next()? {
        records.push(Record { at: row.get(0)?, entry: from_json(row, 1)? });
    }
    Ok(records)
}

/// Goes through all records in the order in which they were written.
pub(crate) fn each(sql: &Connection, mut f: impl FnMut(&RunId, &Record) -> Result<()>) -> Result<()> {
    let mut select = sql.prepare("SELECT run, at, payload FROM journal ORDER BY pos")?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let run = RunId::new(row.get::<_, String>(0)?);
        let record = Record { at: row.get(1)?, entry: from_json(row, 2)? };
        f(&run, &record)?;
    }
    Ok(())
}
