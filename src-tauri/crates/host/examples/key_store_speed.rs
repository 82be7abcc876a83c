// SPDX-License-Identifier: Apache-2.0
//! How long a key store takes to open: `cargo run -p bailey-host --release --example key_store_speed [system]`. With `system` it
//! writes twenty entries into the system's key store, and takes them out again.

use bailey_host::{KeyStore, KeyStoreChoice, KeyStoreOptions};
use bailey_ports::{Redactor, Secret, Secrets, SecretsError};
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

const KEYS: usize = 20;
const TIMES: usize = 15;

fn open(data: &Path, choice: Option<KeyStoreChoice>) -> KeyStore {
    KeyStore::open(data, Redactor::new(), KeyStoreOptions { choice, ..Default::default() })
}

/// The median.
fn time<T>(times: usize, mut work: impl FnMut() -> T) -> Duration {
    let mut all: Vec<Duration> = (0..times)
        .map(|_| {
            let start = Instant::now();
            std::hint::black_box(work());
            start.elapsed()
        })
        .collect();
    all.sort();
    all[all.len() / 2]
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::stdout().lock();
    let choice = match std::env::args().nth(1).as_deref() {
        Some("system") => KeyStoreChoice::System,
        _ => KeyStoreChoice::File,
    };
    let memory = tempfile::tempdir()?;
    writeln!(out, "memory, open       {:>9.2?}", time(TIMES, || open(memory.path(), Some(KeyStoreChoice::Memory))))?;

    let data = tempfile::tempdir()?;
    let start = Instant::now();
    let store = open(data.path(), Some(choice));
    writeln!(out, "{choice:?}, first start  {:>9.2?}", start.elapsed())?;
    let ids: Vec<String> = (0..KEYS).map(|n| format!("provider-{n}")).collect();
    let start = Instant::now();
    for id in &ids {
        store.set(&id.as_str().into(), Secret::new(&format!("sk-{id}-0123456789abcdef0123456789abcdef")))?;
    }
    writeln!(out, "{choice:?}, keep one     {:>9.2?}", start.elapsed() / u32::try_from(KEYS)?)?;
    writeln!(out, "{choice:?}, open {KEYS}      {:>9.2?}", time(TIMES, || open(data.path(), None)))?;
    writeln!(out, "look one up        {:>9.2?}", time(1000, || store.get(&ids[7].as_str().into())))?;

    if choice == KeyStoreChoice::File {
        let passphrase = Secret::new("correct horse battery staple");
        store.protect(Some(&passphrase))?;
        writeln!(out, "passphrase, open   {:>9.2?}", time(TIMES, || open(data.path(), None)))?;
        let unlocked = time(5, || -> Result<(), SecretsError> { open(data.path(), None).unlock(&passphrase) });
        writeln!(out, "passphrase, unlock {unlocked:>9.2?}")?;
    }
    for id in &ids {
        store.remove(&id.as_str().into())?;
    }
    Ok(())
}
