// SPDX-License-Identifier: Apache-2.0
use crate::error::Result;
use bailey_ports::StoreError;
use rusqlite::{Connection, TransactionBehavior};

/// Marks the file as Bailey's: `Bail`.
pub(crate) const APPLICATION_ID: i32 = 0x4261_696C;

/// Version n is reached by the n-th script. Scripts that were released are never changed.
const MIGRATIONS: &[&str] = &[
    include_str!("../migrations/0001_initial.sql"),
    include_str!("../migrations/0002_providers.sql"),
    include_str!("../migrations/0003_trust.sql"),
];

/// The newest schema this version knows.
pub(crate) const KNOWN: i64 = MIGRATIONS.len() as i64;

/// Brings the schema up to date, each step in its own transaction.
pub(crate) fn migrate(sql: &mut Connection) -> Result<()> {
    loop {
        let found = version(sql)?;
        if found > KNOWN {
            return Err(StoreError::Newer { found, known: KNOWN }.into());
        }
        let Some(script) = MIGRATIONS.get(usize::try_from(found).unwrap_or(usize::MAX)) else {
            return Ok(());
        };
        let transaction = sql.transaction_with_behavior(TransactionBehavior::Immediate)?;
        if version(&transaction)? == found {
            transaction.execute_batch(script)?;
            transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
            transaction.pragma_update(None, "user_version", found + 1)?;
            transaction.commit()?;
        }
    }
}

/// The schema version of an open database.
pub(crate) fn version(sql: &Connection) -> Result<i64> {
    Ok(sql.pragma_query_value(None, "user_version", |row| row.get(0))?)
}
