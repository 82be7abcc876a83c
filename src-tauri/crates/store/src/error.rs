// SPDX-License-Identifier: Apache-2.0
use bailey_ports::StoreError;
use bailey_protocol::Labels;
use rusqlite::{ErrorCode, Params, Row, Statement};
use serde::Serialize;
use serde::de::value::StrDeserializer;
use serde::de::{DeserializeOwned, IntoDeserializer};

/// What fails inside; a [`StoreError`] at the face.
#[derive(Debug)]
pub(crate) enum Fail {
    Sql(rusqlite::Error),
    Json(serde_json::Error),
    Store(StoreError),
}

pub(crate) type Result<T> = std::result::Result<T, Fail>;

impl From<rusqlite::Error> for Fail {
    fn from(error: rusqlite::Error) -> Self {
        Fail::Sql(error)
    }
}

impl From<serde_json::Error> for Fail {
    fn from(error: serde_json::Error) -> Self {
        Fail::Json(error)
    }
}

impl From<StoreError> for Fail {
    fn from(error: StoreError) -> Self {
        Fail::Store(error)
    }
}

impl From<Fail> for StoreError {
    fn from(fail: Fail) -> Self {
        match fail {
            Fail::Store(error) => error,
            Fail::Json(error) => StoreError::Io(format!("a stored value is not what it should be: {error}")),
            Fail::Sql(error) => match error.sqlite_error_code() {
                Some(ErrorCode::ConstraintViolation) => StoreError::Conflict(error.to_string()),
                Some(ErrorCode::DiskFull) => {
                    StoreError::Io("the disk is full. Free some space, then try again".to_owned())
                }
                Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => {
                    StoreError::Io(format!("{error}. Check that the data folder belongs to you and can be written"))
                }
                Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                    StoreError::Io("another program holds the database. Close it, then try again".to_owned())
                }
                Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => StoreError::Io(format!(
                    "the database is damaged ({error}). Put back a copy, or move the data folder away to start anew"
                )),
                _ => StoreError::Io(error.to_string()),
            },
        }
    }
}

pub(crate) fn conflict<T>(what: impl Into<String>) -> Result<T> {
    Err(Fail::Store(StoreError::Conflict(what.into())))
}

pub(crate) fn json<T: Serialize>(value: &T) -> Result<String> {
    Ok(serde_json::to_string(value)?)
}

pub(crate) fn parse<T: DeserializeOwned>(text: &str) -> Result<T> {
    Ok(serde_json::from_str(text)?)
}

/// The stored word of an enum without data.
pub(crate) fn word<T: Serialize>(value: &T) -> Result<String> {
    match serde_json::to_value(value)? {
        serde_json::Value::String(word) => Ok(word),
        other => Err(Fail::Store(StoreError::Io(format!("{other} is not a word")))),
    }
}

/// What a column holds: a word of an enum without data.
pub(crate) fn from_word<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> Result<T> {
    let word: StrDeserializer<'_, serde_json::Error> = text(row, column)?.into_deserializer();
    Ok(T::deserialize(word)?)
}

/// What a column holds: a word or nothing.
pub(crate) fn from_word_or_null<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> Result<Option<T>> {
    optional_text(row, column)?.map(|_| from_word(row, column)).transpose()
}

/// What a column holds: JSON.
pub(crate) fn from_json<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> Result<T> {
    parse(text(row, column)?)
}

/// What a column holds: JSON or nothing.
pub(crate) fn from_json_or_null<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> Result<Option<T>> {
    optional_text(row, column)?.map(parse).transpose()
}

fn text<'a>(row: &'a Row<'_>, column: usize) -> Result<&'a str> {
    Ok(row.get_ref(column)?.as_str().map_err(rusqlite::Error::from)?)
}

fn optional_text<'a>(row: &'a Row<'_>, column: usize) -> Result<Option<&'a str>> {
    Ok(row.get_ref(column)?.as_str_or_null().map_err(rusqlite::Error::from)?)
}

/// The only row of a query, if there is one.
pub(crate) fn first<T>(
    select: &mut Statement<'_>,
    params: impl Params,
    read: impl FnMut(&Row<'_>) -> Result<T>,
) -> Result<Option<T>> {
    select.query_and_then(params, read)?.next().transpose()
}

/// Labels as stored: nothing where there is no mark.
pub(crate) fn labels_json(labels: &Labels) -> Result<Option<String>> {
    if labels.is_tainted() || labels.is_private() { Ok(Some(json(labels)?)) } else { Ok(None) }
}

pub(crate) fn labels(row: &Row<'_>, column: usize) -> Result<Labels> {
    Ok(from_json_or_null(row, column)?.unwrap_or_default())
}
