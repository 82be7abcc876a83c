// SPDX-License-Identifier: Apache-2.0
use crate::error::Result;
use bailey_protocol::Millis;
use bailey_protocol::journal::{Entry, Record};
use rusqlite::{Connection, params};

/// Keeps what a record says was spent.
pub(crate) fn record(sql: &Connection, record: &Record) -> Result<()> {
    if let Entry::RoundClosed { usage: Some(usage), .. } | Entry::RoundRestarted { usage: Some(usage), .. } =
        &record.entry
        && let Some(cost) = usage.cost.filter(|cost| *cost > 0)
    {
        let micros = i64::try_from(cost).unwrap_or(i64::MAX);
        sql.prepare_cached("INSERT INTO spending (at, micros) VALUES (?, ?)")?.execute(params![record.at, micros])?;
    }
    Ok(())
}

/// What was spent since a moment, in micro-dollars.
pub(crate) fn since(sql: &Connection, at: Millis) -> Result<u64> {
    let total: f64 =
        sql.prepare_cached("SELECT total(micros) FROM spending WHERE at >= ?")?.query_row([at], |row| row.get(0))?;
    // Exact up to nine thousand million dollars.
    Ok(total as u64)
}
