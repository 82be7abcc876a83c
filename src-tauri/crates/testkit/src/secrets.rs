// SPDX-License-Identifier: Apache-2.0
//! Keys in memory.

use bailey_ports::{Secret, Secrets, SecretsError};
use bailey_protocol::{KeyStoreKind, KeyStoreState, ProviderId};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Keys in memory.
#[derive(Debug, Default)]
pub struct Keys(Mutex<HashMap<ProviderId, Secret>>);

impl Secrets for Keys {
    fn get(&self, provider: &ProviderId) -> Option<Secret> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(provider).cloned()
    }

    fn set(&self, provider: &ProviderId, secret: Secret) -> Result<(), SecretsError> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(provider.clone(), secret);
        Ok(())
    }

    fn remove(&self, provider: &ProviderId) -> Result<(), SecretsError> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(provider);
        Ok(())
    }

    fn state(&self) -> KeyStoreState {
        KeyStoreState { kind: KeyStoreKind::Memory, locked: false, problem: None }
    }

    fn unlock(&self, _: &Secret) -> Result<(), SecretsError> {
        Ok(())
    }

    fn protect(&self, _: Option<&Secret>) -> Result<(), SecretsError> {
        Err(SecretsError::Unavailable("Keys in memory have no passphrase.".to_owned()))
    }
}
