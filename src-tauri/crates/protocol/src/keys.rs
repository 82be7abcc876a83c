// SPDX-License-Identifier: Apache-2.0
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Where model keys are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum KeyStoreKind {
    /// In the system's key store: the Secret Service, the keychain of macOS, the credential manager of Windows.
    System,
    /// In an encrypted file; the key that opens it lies beside it, readable by the person's account only.
    File,
    /// In an encrypted file that only the person's passphrase opens.
    Passphrase,
    /// In memory, until Bailey ends.
    #[default]
    Memory,
}

/// Where model keys are kept, and whether they can be had right now.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct KeyStoreState {
    /// Where.
    pub kind: KeyStoreKind,
    /// Whether they can't be had right now: a passphrase is wanted, or the store is locked, damaged or out of reach.
    pub locked: bool,
    /// For `locked`: what happened and what to do next, in words, where it is more than a wanted passphrase.
    #[serde(default)]
    pub problem: Option<String>,
}
