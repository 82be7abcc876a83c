// SPDX-License-Identifier: Apache-2.0
use crate::error::{Result, first, from_json, from_json_or_null, from_word, json, word};
use bailey_protocol::journal::ParentRun;
use bailey_protocol::{CallId, ConversationId, MessageId, ModelChoice, RunId, RunView, Sent};
use rusqlite::{Connection, OptionalExtension, Row, params};

/// What a run begins with.
pub(crate) struct NewRun<'a> {
    pub(crate) view: &'a RunView,
    pub(crate) prompt: &'a MessageId,
    pub(crate) model: &'a ModelChoice,
    pub(crate) nonce: &'a str,
    pub(crate) automation: Option<&'a str>,
    pub(crate) parent: Option<&'a ParentRun>,
    pub(crate) key: Option<&'a str>,
}

pub(crate) fn insert(sql: &Connection, run: &NewRun<'_>) -> Result<()> {
    sql.prepare_cached(
        "INSERT INTO runs (id, conversation, prompt, mode, state, started, ledger, budget, send_key, model, nonce, \
         unattended, automation, parent, parent_call) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )?
    .execute(params![
        run.view.id.as_str(),
        run.view.conversation.as_str(),
        run.prompt.as_str(),
        word(&run.view.mode)?,
        word(&run.view.state)?,
        run.view.started,
        json(&run.view.ledger)?,
        json(&run.view.budget)?,
        run.key,
        json(run.model)?,
        run.nonce,
        run.view.unattended,
        run.automation,
        run.parent.map(|parent| parent.run.as_str()),
        run.parent.map(|parent| parent.call.as_str()),
    ])?;
    Ok(())
}

/// Saves what changes in a run.
pub(crate) fn update(sql: &Connection, run: &RunView) -> Result<()> {
    sql.prepare_cached(
        "UPDATE runs SET state = ?, error = ?, ledger = ?, resumed = ?, talks_to = ?, compressed = ? WHERE id = ?",
    )?
    .execute(params![
        word(&run.state)?,
        run.error.as_ref().map(json).transpose()?,
        json(&run.ledger)?,
        run.resumed,
        run.model.as_ref().filter(|_| run.instead_of.is_some()).map(json).transpose()?,
        run.compressed,
        run.id.as_str(),
    ])?;
    Ok(())
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, conversation, mode, state, error, started, ledger, budget, resumed, model, talks_to, compressed, \
             unattended, parent, parent_call FROM runs ",
            $rest
        )
    };
}

fn view(row: &Row<'_>) -> Result<RunView> {
    let began: Option<ModelChoice> = from_json_or_null(row, 9)?;
    let talks_to: Option<ModelChoice> = from_json_or_null(row, 10)?;
    Ok(RunView {
        id: RunId::new(row.get::<_, String>(0)?),
        conversation: ConversationId::new(row.get::<_, String>(1)?),
        mode: from_word(row, 2)?,
        state: from_word(row, 3)?,
        error: from_json_or_null(row, 4)?,
        started: row.get(5)?,
        ledger: from_json(row, 6)?,
        budget: from_json(row, 7)?,
        resumed: row.get(8)?,
        unattended: row.get(12)?,
        parent: row.get::<_, Option<String>>(13)?.map(RunId::new),
        call: row.get::<_, Option<String>>(14)?.map(CallId::new),
        instead_of: if talks_to.is_some() { began.clone() } else { None },
        model: talks_to.or(began),
        window: None,
        compressed: row.get(11)?,
        left_out: Vec::new(),
        retrying: None,
    })
}

pub(crate) fn get(sql: &Connection, run: &RunId) -> Result<Option<RunView>> {
    let mut select = sql.prepare_cached(select!("WHERE id = ?"))?;
    first(&mut select, [run.as_str()], view)
}

pub(crate) fn of_conversation(sql: &Connection, conversation: &ConversationId) -> Result<Vec<RunView>> {
    let mut select = sql.prepare_cached(select!("WHERE conversation = ? ORDER BY seq"))?;
    select.query_and_then([conversation.as_str()], view)?.collect()
}

/// The run of the sub-agent that a call started.
pub(crate) fn child(sql: &Connection, call: &CallId) -> Result<Option<RunId>> {
    Ok(sql
        .prepare_cached("SELECT id FROM runs WHERE parent_call = ?")?
        .query_row([call.as_str()], |row| row.get::<_, String>(0))
        .optional()?
        .map(RunId::new))
}

/// Runs that are not over, oldest first.
pub(crate) fn open(sql: &Connection) -> Result<Vec<RunId>> {
    let mut select = sql.prepare_cached("SELECT id FROM runs WHERE state IN ('running', 'waiting') ORDER BY seq")?;
    select.query_map([], |row| row.get::<_, String>(0))?.map(|id| Ok(RunId::new(id?))).collect()
}

/// What a send with this key started.
pub(crate) fn sent(sql: &Connection, key: &str) -> Result<Option<Sent>> {
    Ok(sql
        .prepare_cached("SELECT conversation, prompt, id FROM runs WHERE send_key = ?")?
        .query_row([key], |row| {
            Ok(Sent {
                conversation: ConversationId::new(row.get::<_, String>(0)?),
                message: MessageId::new(row.get::<_, String>(1)?),
                run: RunId::new(row.get::<_, String>(2)?),
            })
        })
        .optional()?)
}
