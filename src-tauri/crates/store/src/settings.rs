// SPDX-License-Identifier: Apache-2.0
use crate::error::{Result, json, parse};
use bailey_protocol::{KeyStoreState, Provider, ProviderId, ProviderKind, Settings};
use rusqlite::{Connection, OptionalExtension};

/// The provider that is always there.
fn demo() -> Provider {
    Provider {
        id: ProviderId::from("demo"),
        name: "Demo".to_owned(),
        kind: ProviderKind::Demo,
        base_url: String::new(),
        has_key: false,
        wants_key: false,
    }
}

/// The demo first and once; nobody has a key as far as the disk knows.
fn tidy(mut settings: Settings) -> Settings {
    let demo = demo();
    settings.providers.retain(|provider| provider.id != demo.id);
    settings.providers.insert(0, demo);
    for provider in &mut settings.providers {
        provider.has_key = false;
    }
    settings.network.proxy_password = false;
    settings.keys = KeyStoreState::default();
    settings
}

pub(crate) fn get(sql: &Connection) -> Result<Settings> {
    let saved: Option<String> = sql
        .prepare_cached("SELECT settings FROM settings WHERE one = 1")?
        .query_row([], |row| row.get(0))
        .optional()?;
    Ok(tidy(saved.map_or_else(|| Ok(Settings::default()), |text| parse(&text))?))
}

pub(crate) fn save(sql: &Connection, settings: &Settings) -> Result<()> {
    sql.prepare_cached("INSERT OR REPLACE INTO settings (one, settings) VALUES (1, ?)")?
        .execute([json(&tidy(settings.clone()))?])?;
    Ok(())
}
