// SPDX-License-Identifier: Apache-2.0
//! Model keys where they last: in the system's key store, or in an encrypted file where there is none.

mod file;
mod place;
mod private;
mod sealed;
mod system;

use crate::secrets::{MemorySecrets, no_passphrase};
use bailey_ports::{Redactor, Secret, Secrets, SecretsError};
use bailey_protocol::{KeyStoreKind, KeyStoreState, ProviderId};
use file::FileStore;
use place::{Lasting, Place};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;
use system::{SystemStore, Tried, try_out};

/// The variable that chooses a key store: `system`, `file` or `memory`.
pub const KEY_STORE_VARIABLE: &str = "BAILEY_KEY_STORE";

/// The folder of keys in the data folder.
const FOLDER: &str = "keys";

/// A key store that a person can choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyStoreChoice {
    /// The system's key store and nothing else.
    System,
    /// The encrypted file.
    File,
    /// Memory, until the process ends. What is kept elsewhere is not looked at, and this choice is not kept either.
    Memory,
}

/// How long the system's key store may take to answer.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// While Bailey starts.
    pub opening: Duration,
    /// When a key is kept or removed; the person may have to answer something first.
    pub asking: Duration,
    /// When the person wants it unlocked.
    pub unlocking: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        let [opening, asking, unlocking] = [10, 60, 120].map(Duration::from_secs);
        Self { opening, asking, unlocking }
    }
}

/// How a key store is opened.
#[derive(Clone, Copy, Debug, Default)]
pub struct KeyStoreOptions {
    /// What the person chose, from now on; without it, what this data folder uses already, or else the system's key store
    /// where there is a working one.
    pub choice: Option<KeyStoreChoice>,
    /// Nothing will be kept: where no store is in use yet, none is looked for.
    pub only_reads: bool,
    /// How long the system's key store may take.
    pub patience: Patience,
}

impl KeyStoreOptions {
    /// With the choice that [`KEY_STORE_VARIABLE`] names.
    ///
    /// # Errors
    /// A sentence for the person when it names something else.
    pub fn from_environment() -> Result<Self, String> {
        let choice = match std::env::var_os(KEY_STORE_VARIABLE) {
            None => None,
            Some(value) => match value.to_str() {
                Some("") => None,
                Some("system") => Some(KeyStoreChoice::System),
                Some("file") => Some(KeyStoreChoice::File),
                Some("memory") => Some(KeyStoreChoice::Memory),
                _ => {
                    return Err(format!(
                        "{KEY_STORE_VARIABLE} can be system, file or memory; unset it, or use one of them."
                    ));
                }
            },
        };
        Ok(Self { choice, ..Self::default() })
    }
}

/// The keys of one data folder. They are looked up in memory; each is known to the redactor before anybody can get it.
///
/// A store that is in use and can't be had is never replaced by an empty one: its keys are missing until it can be had again,
/// and the state says why.
pub struct KeyStore {
    shared: Arc<Shared>,
    kept: Mutex<Kept>,
    folder: PathBuf,
    options: KeyStoreOptions,
}

/// What can be read while a store is being waited for.
struct Shared {
    keys: MemorySecrets,
    state: RwLock<KeyStoreState>,
    listeners: Mutex<Vec<Listener>>,
}

type Listener = Arc<dyn Fn() + Send + Sync>;

impl Shared {
    fn show(&self, state: impl FnOnce() -> KeyStoreState) {
        let mut shown = self.state.write().unwrap_or_else(PoisonError::into_inner);
        *shown = state();
    }

    /// Tells whoever listens that something changed in the background.
    fn tell(&self) {
        let listeners = self.listeners.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for listener in listeners {
            listener();
        }
    }
}

enum Kept {
    Memory,
    File(FileStore),
    System(SystemStore),
    /// The system's key store is wanted and could not be tried yet. If `only` it will do, nothing else is used when it fails.
    Undecided {
        only: bool,
    },
    /// It is not known where keys are.
    Lost(SecretsError),
}

impl KeyStore {
    /// Opens the key store of a data folder, which must be this process's alone. Whatever is wrong with it, there is a store:
    /// [`Secrets::state`] says what to do. May take as long as [`Patience::opening`].
    pub fn open(data: &Path, redactor: Redactor, options: KeyStoreOptions) -> Self {
        let state = KeyStoreState { kind: KeyStoreKind::Memory, locked: false, problem: None };
        let shared =
            Shared { keys: MemorySecrets::new(redactor), state: RwLock::new(state), listeners: Mutex::default() };
        let this =
            Self { shared: Arc::new(shared), kept: Mutex::new(Kept::Memory), folder: data.join(FOLDER), options };
        this.locked(|kept| {
            *kept = this.find().unwrap_or_else(|error| {
                tracing::error!("{error}");
                Kept::Lost(error)
            });
            this.show(kept);
        });
        this
    }

    /// The store to use.
    fn find(&self) -> Result<Kept, SecretsError> {
        let options = self.options;
        if options.choice == Some(KeyStoreChoice::Memory) {
            return Ok(Kept::Memory);
        }
        if options.only_reads && !self.folder.exists() {
            return Ok(Kept::Memory);
        }
        private::folder(&self.folder).map_err(|e| place::unwritable(&self.folder, &e))?;
        let chosen = match options.choice {
            Some(KeyStoreChoice::System) => Some(Lasting::System),
            Some(KeyStoreChoice::File) => Some(Lasting::File),
            _ => None,
        };
        match Place::read(&self.folder)? {
            Some(mut place) => {
                let store = chosen.unwrap_or(place.store());
                if store != place.store() {
                    tracing::warn!(
                        "keys were kept elsewhere before {KEY_STORE_VARIABLE} chose otherwise; those stay there"
                    );
                    if !options.only_reads {
                        place.change(store)?;
                    }
                }
                Ok(self.use_store(store, place))
            }
            None if options.only_reads => Ok(Kept::Memory),
            None if chosen == Some(Lasting::File) || FileStore::is_in(&self.folder) && chosen.is_none() => {
                self.begin(Lasting::File, Place::new_profile())
            }
            None => self.decide(options.patience.opening, chosen.is_some()).or_else(|error| {
                tracing::warn!("{error}");
                self.shared.show(|| KeyStoreState {
                    kind: KeyStoreKind::System,
                    locked: true,
                    problem: Some(error.to_string()),
                });
                Ok(Kept::Undecided { only: chosen.is_some() })
            }),
        }
    }

    /// Tries the system's key store and takes it, or the file where it fails. An error decides nothing.
    fn decide(&self, limit: Duration, only: bool) -> Result<Kept, SecretsError> {
        let profile = Place::new_profile();
        match try_out(&profile, limit) {
            Tried::Works => self.begin(Lasting::System, profile),
            Tried::Fails(error) if only => Err(error),
            Tried::Fails(error) => {
                tracing::info!("keys are kept in an encrypted file: {error}");
                self.begin(Lasting::File, profile)
            }
            Tried::Unclear(error) => Err(error),
        }
    }

    /// Chooses for the first time.
    fn begin(&self, store: Lasting, profile: String) -> Result<Kept, SecretsError> {
        Ok(self.use_store(store, Place::choose(&self.folder, profile, store)?))
    }

    fn use_store(&self, store: Lasting, mut place: Place) -> Kept {
        match store {
            Lasting::File => {
                // Killed after the first key, the file is there and not noted.
                if !self.options.only_reads && FileStore::is_in(&self.folder) {
                    place.note_sealed();
                }
                Kept::File(FileStore::open(&self.folder, place))
            }
            Lasting::System => Kept::System(SystemStore::open(self.shared.clone(), place, self.options.patience)),
        }
    }

    /// Works on the store, one at a time, without holding up the other tasks of an async runtime.
    fn locked<T>(&self, work: impl FnOnce(&mut Kept) -> T) -> T {
        let work = || work(&mut self.kept.lock().unwrap_or_else(PoisonError::into_inner));
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) if runtime.runtime_flavor() == tokio::runtime::RuntimeFlavor::MultiThread => {
                tokio::task::block_in_place(work)
            }
            _ => work(),
        }
    }

    /// Takes over what a store knows now. The system's does that by itself, also when it answers late.
    fn show(&self, kept: &Kept) {
        match kept {
            Kept::File(file) => {
                self.shared.keys.replace(file.keys().cloned().unwrap_or_default());
                self.shared.show(|| file.state());
            }
            Kept::Lost(error) => {
                let kind = match FileStore::is_in(&self.folder) {
                    true => KeyStoreKind::File,
                    false => KeyStoreKind::System,
                };
                self.shared.show(|| KeyStoreState { kind, locked: true, problem: Some(error.to_string()) });
            }
            Kept::Memory | Kept::System(_) | Kept::Undecided { .. } => {}
        }
    }
}

impl Secrets for KeyStore {
    fn get(&self, provider: &ProviderId) -> Option<Secret> {
        self.shared.keys.get(provider)
    }

    fn set(&self, provider: &ProviderId, secret: Secret) -> Result<(), SecretsError> {
        if secret.is_empty() {
            return self.remove(provider);
        }
        self.shared.keys.teach(&secret);
        self.locked(|kept| {
            if let Kept::Undecided { only } = *kept {
                *kept = self.decide(self.options.patience.asking, only)?;
            }
            match kept {
                Kept::Memory => self.shared.keys.set(provider, secret),
                Kept::File(file) => {
                    let set = file.set(provider, secret);
                    self.show(kept);
                    set
                }
                Kept::System(system) => system.set(provider, secret),
                Kept::Undecided { .. } => Err(undecided()),
                Kept::Lost(error) => Err(error.clone()),
            }
        })
    }

    fn remove(&self, provider: &ProviderId) -> Result<(), SecretsError> {
        self.locked(|kept| match kept {
            Kept::Memory => self.shared.keys.remove(provider),
            Kept::File(file) => {
                let removed = file.remove(provider);
                self.show(kept);
                removed
            }
            Kept::System(system) => system.remove(provider),
            Kept::Undecided { .. } => Ok(()),
            Kept::Lost(error) => Err(error.clone()),
        })
    }

    fn state(&self) -> KeyStoreState {
        self.shared.state.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn unlock(&self, passphrase: &Secret) -> Result<(), SecretsError> {
        self.locked(|kept| match kept {
            Kept::Memory => Ok(()),
            Kept::File(file) => {
                let unlocked = file.unlock(passphrase);
                self.show(kept);
                unlocked
            }
            Kept::System(system) => system.unlock(),
            Kept::Undecided { only } => {
                *kept = self.decide(self.options.patience.unlocking, *only)?;
                self.show(kept);
                Ok(())
            }
            Kept::Lost(_) => {
                *kept = self.find()?;
                self.show(kept);
                Ok(())
            }
        })
    }

    fn protect(&self, passphrase: Option<&Secret>) -> Result<(), SecretsError> {
        self.locked(|kept| match kept {
            Kept::Memory => Err(no_passphrase("Keys are kept in memory only")),
            Kept::File(file) => {
                let protected = file.protect(passphrase);
                self.show(kept);
                protected
            }
            Kept::System(_) | Kept::Undecided { .. } => {
                Err(no_passphrase("The system's key store has a lock of its own"))
            }
            Kept::Lost(error) => Err(error.clone()),
        })
    }

    fn on_change(&self, listener: Box<dyn Fn() + Send + Sync>) {
        self.shared.listeners.lock().unwrap_or_else(PoisonError::into_inner).push(listener.into());
    }
}

/// What to say when it is still open where keys are to be kept.
fn undecided() -> SecretsError {
    SecretsError::Unavailable("Where keys are kept is not decided yet. Try again.".to_owned())
}
