// SPDX-License-Identifier: Apache-2.0
//! Keys in the system's key store. Every talk with it happens on a thread of its own and has a time limit: a store may ask the
//! person something, or never answer.

use super::place::Place;
use super::{Patience, Shared};
use bailey_ports::{Secret, Secrets as _, SecretsError};
use bailey_protocol::{KeyStoreKind, KeyStoreState, ProviderId};
use keyring_core::{CredentialStore, Entry, Error};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use zeroize::Zeroizing;

/// The name that people see in the system's key store.
const SERVICE: &str = "Bailey";

/// Keys in the system's key store, for one data folder.
pub(super) struct SystemStore(Arc<Inner>);

struct Inner {
    shared: Arc<Shared>,
    place: Mutex<Place>,
    /// Whether the keys that are there are in memory.
    loaded: AtomicBool,
    /// Held by whoever talks with the store.
    turn: Mutex<()>,
    patience: Patience,
}

impl SystemStore {
    /// Takes what is there into memory. When that can't be done in time, the state says so, and it goes on in the background.
    pub(super) fn open(shared: Arc<Shared>, place: Place, patience: Patience) -> Self {
        let nothing = place.system().is_empty();
        let inner = Inner {
            shared,
            place: Mutex::new(place),
            loaded: AtomicBool::new(nothing),
            turn: Mutex::default(),
            patience,
        };
        let this = Self(Arc::new(inner));
        this.0.show(None);
        if !nothing {
            // What went wrong is in the state.
            let _ = this.load(patience.opening);
        }
        this
    }

    /// Tries again to take what is there into memory.
    pub(super) fn unlock(&self) -> Result<(), SecretsError> {
        self.load(self.0.patience.unlocking)
    }

    /// Keeps a key. When nobody waits for it any more, nothing is changed, or it is taken back.
    pub(super) fn set(&self, provider: &ProviderId, secret: Secret) -> Result<(), SecretsError> {
        let (provider, limit) = (provider.clone(), self.0.patience.asking);
        self.talk(limit, move |inner, store, caller| {
            inner.load(store)?;
            let entry = inner.entry(store, &provider)?;
            {
                // In one step: a removal that comes after a caller who left finds it written down, or else nothing is begun.
                let mut place = inner.place();
                if caller.is_gone() {
                    return Err(silent(limit));
                }
                // Written down first, so that no entry is ever forgotten.
                place.add(&provider)?;
            }
            entry.set_secret(secret.expose().as_bytes()).map_err(|e| explain(&e))?;
            if caller.serve() {
                inner.shared.keys.insert(provider, secret);
                return Ok(());
            }
            let taken_back = match inner.shared.keys.get(&provider) {
                Some(before) => entry.set_secret(before.expose().as_bytes()),
                None => entry.delete_credential().map(|()| {
                    // Written down in vain, it does no harm.
                    let _ = inner.place().take_out(&provider);
                }),
            };
            if let Err(e) = taken_back {
                tracing::warn!(%provider, "a key that was kept too late could not be taken back: {e}");
            }
            Err(silent(limit))
        })
    }

    /// Forgets a key.
    pub(super) fn remove(&self, provider: &ProviderId) -> Result<(), SecretsError> {
        if !self.0.place().system().contains(provider) {
            self.0.shared.keys.forget(provider);
            return Ok(());
        }
        let provider = provider.clone();
        self.talk(self.0.patience.asking, move |inner, store, _| {
            match inner.entry(store, &provider)?.delete_credential() {
                Ok(()) | Err(Error::NoEntry) => {}
                Err(e) => return Err(explain(&e)),
            }
            inner.shared.keys.forget(&provider);
            inner.place().take_out(&provider)
        })
    }

    fn load(&self, limit: Duration) -> Result<(), SecretsError> {
        let loaded = self.talk(limit, |inner, store, _| inner.load(store));
        if let Err(error) = &loaded {
            tracing::warn!("{error}");
            self.0.show(Some(error));
        }
        loaded
    }

    /// Talks with the store on a thread of its own, after those who came earlier. What has not begun when the time is over is
    /// not begun. What has begun is left to end by itself: it can ask whether somebody still waits, and whoever listens is told.
    fn talk(
        &self,
        limit: Duration,
        words: impl FnOnce(&Inner, &Arc<CredentialStore>, &Caller) -> Result<(), SecretsError> + Send + 'static,
    ) -> Result<(), SecretsError> {
        let inner = self.0.clone();
        let talked = in_time(limit, move |caller| {
            let turn = inner.turn.lock().unwrap_or_else(PoisonError::into_inner);
            if caller.is_gone() {
                return Err(silent(limit));
            }
            let said = connect().map_err(|e| explain(&e)).and_then(|store| words(&inner, &store, caller));
            drop(turn);
            if !caller.serve() {
                inner.shared.tell();
            }
            said
        });
        talked.unwrap_or_else(|| Err(silent(limit)))
    }
}

/// Whoever waits for work on another thread: either leaves, or is served.
#[derive(Default)]
struct Caller(AtomicU8);

impl Caller {
    const WAITS: u8 = 0;
    const GONE: u8 = 1;
    const SERVED: u8 = 2;

    fn is_gone(&self) -> bool {
        self.0.load(Ordering::Acquire) == Self::GONE
    }

    /// From now on the work counts, and is waited for; `false` when nobody waits any more.
    fn serve(&self) -> bool {
        self.becomes(Self::SERVED)
    }

    /// Stops to wait; `false` when the work counts already.
    fn leave(&self) -> bool {
        self.becomes(Self::GONE)
    }

    /// Whether it is this now; whoever comes first decides.
    fn becomes(&self, new: u8) -> bool {
        match self.0.compare_exchange(Self::WAITS, new, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => true,
            Err(now) => now == new,
        }
    }
}

impl Inner {
    fn place(&self) -> std::sync::MutexGuard<'_, Place> {
        self.place.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn entry(&self, store: &Arc<CredentialStore>, provider: &ProviderId) -> Result<Entry, SecretsError> {
        let name = format!("{}/{provider}", self.place().profile());
        entry(store, &name, &format!("Bailey: model key ({provider})")).map_err(|e| explain(&e))
    }

    /// Takes every key into memory, once.
    fn load(&self, store: &Arc<CredentialStore>) -> Result<(), SecretsError> {
        if self.loaded.load(Ordering::Acquire) {
            return Ok(());
        }
        let providers = self.place().system().clone();
        let mut keys = Vec::new();
        for provider in providers {
            match self.entry(store, &provider)?.get_secret().map(Zeroizing::new) {
                Ok(bytes) => match std::str::from_utf8(&bytes) {
                    Ok(text) => keys.push((provider, Secret::new(text))),
                    Err(_) => tracing::warn!(%provider, "what the system's key store holds for a provider is no text"),
                },
                // Deleted by the person, or never written.
                Err(Error::NoEntry) => {
                    tracing::debug!(%provider, "the system's key store holds nothing for a provider")
                }
                Err(e) => return Err(explain(&e)),
            }
        }
        self.shared.keys.replace(keys);
        self.loaded.store(true, Ordering::Release);
        self.show(None);
        Ok(())
    }

    fn show(&self, problem: Option<&SecretsError>) {
        // Looked at under the lock: whoever comes last shows how it is.
        self.shared.show(|| {
            let locked = !self.loaded.load(Ordering::Acquire);
            let problem = problem.filter(|_| locked).map(ToString::to_string);
            KeyStoreState { kind: KeyStoreKind::System, locked, problem }
        });
    }
}

/// What trying the system's key store showed.
pub(super) enum Tried {
    /// It keeps keys.
    Works,
    /// There is none, or none that keeps anything.
    Fails(SecretsError),
    /// It did not answer in time, or did not let Bailey in: it may be asking the person to unlock it, or has been refused that.
    Unclear(SecretsError),
}

/// Writes an entry, reads it back and deletes it, over `keyring`, which knows the store of each system. One that answers
/// too late still deletes it.
pub(super) fn try_out(profile: &str, limit: Duration) -> Tried {
    let name = format!("{profile}/trial-{}", Place::new_profile());
    let tried = in_time(limit, move |_| {
        let entry = match keyring::Entry::store_status() {
            Ok(()) => keyring::Entry::new(SERVICE, &name)?,
            Err(why) => return Err(Error::NotSupportedByStore(why.to_string())),
        };
        let text = name.as_bytes();
        let kept = entry.set_secret(text).and_then(|()| entry.get_secret());
        let deleted = entry.delete_credential();
        match kept? == text {
            true => deleted,
            false => Err(Error::BadStoreFormat("another text came back than was written".to_owned())),
        }
    });
    match tried {
        None => Tried::Unclear(silent(limit)),
        Some(Ok(())) => Tried::Works,
        Some(Err(error)) if is_shut(&error) => Tried::Unclear(explain(&error)),
        Some(Err(error)) => Tried::Fails(explain(&error)),
    }
}

/// Whether an error says that there is a store which did not let Bailey in.
fn is_shut(error: &Error) -> bool {
    match error {
        // Without any collection in it, it can't be unlocked either.
        #[cfg(all(unix, not(any(target_vendor = "apple", target_os = "android"))))]
        Error::NoStorageAccess(why) | Error::PlatformFailure(why) => {
            use secret_service::Error as Why;
            matches!(why.downcast_ref(), Some(Why::Locked | Why::Prompt | Why::PromptDisconnected))
        }
        // A prompt that was dismissed, or could not be shown, comes so from the keychain; the other, when there is none.
        #[cfg(target_vendor = "apple")]
        Error::PlatformFailure(_) => true,
        #[cfg(windows)]
        Error::NoStorageAccess(_) => true,
        _ => false,
    }
}

/// Works on a thread of its own; `None` when it takes longer, or when it panics. What counts already is waited for.
fn in_time<T: Send + 'static>(limit: Duration, work: impl FnOnce(&Caller) -> T + Send + 'static) -> Option<T> {
    let (answer, answered) = sync_channel(1);
    let caller = Arc::new(Caller::default());
    let begun = std::thread::Builder::new().name("system key store".to_owned()).spawn({
        let caller = caller.clone();
        move || {
            // Nobody may be listening any more.
            let _ = answer.send(work(&caller));
        }
    });
    if let Err(error) = begun {
        tracing::error!("no thread for the system's key store: {error}");
        return None;
    }
    match answered.recv_timeout(limit) {
        Ok(done) => Some(done),
        Err(RecvTimeoutError::Timeout) if caller.leave() => None,
        Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => answered.recv().ok(),
    }
}

/// A new connection each time: the store may have been restarted since.
fn connect() -> keyring_core::Result<Arc<CredentialStore>> {
    #[cfg(all(unix, not(any(target_vendor = "apple", target_os = "android"))))]
    return Ok(zbus_secret_service_keyring_store::Store::new()?);
    #[cfg(target_os = "macos")]
    return Ok(apple_native_keyring_store::keychain::Store::new()?);
    #[cfg(windows)]
    return Ok(windows_native_keyring_store::Store::new()?);
    #[cfg(not(any(
        windows,
        target_os = "macos",
        all(unix, not(any(target_vendor = "apple", target_os = "android")))
    )))]
    Err(Error::NotSupportedByStore("Bailey knows no key store of this system".to_owned()))
}

/// One entry; a label is shown where the system has such a thing.
fn entry(store: &Arc<CredentialStore>, name: &str, label: &str) -> keyring_core::Result<Entry> {
    let modifiers = if cfg!(windows) {
        // Else Windows would carry it to the person's other machines.
        HashMap::from([("persistence", "Local")])
    } else if cfg!(target_vendor = "apple") {
        HashMap::new()
    } else {
        HashMap::from([("label", label)])
    };
    Entry::new_in_store_with_modifiers(store, SERVICE, name, &modifiers)
}

/// What to say when a store does not answer.
fn silent(limit: Duration) -> SecretsError {
    SecretsError::Unavailable(format!(
        "The system's key store has not answered for {} s. If it asks you to unlock it, do that, then try again; else restart Bailey. To do without it, start Bailey with BAILEY_KEY_STORE=file and enter the keys again.",
        limit.as_secs_f32()
    ))
}

/// What to say about an error of a store.
fn explain(error: &Error) -> SecretsError {
    SecretsError::Unavailable(match error {
        Error::NoStorageAccess(why) => format!(
            "The system's key store is locked, or did not let Bailey in ({why}). Unlock it, then try again. To do without it, start Bailey with BAILEY_KEY_STORE=file and enter the keys again."
        ),
        Error::TooLong(_, most) => format!(
            "The system's key store takes no key of this length (at most {most}). Start Bailey with BAILEY_KEY_STORE=file to keep keys in an encrypted file instead."
        ),
        other => format!(
            "The system's key store can't be reached now ({other}). What is in it stays there: log in to the desktop or start it, then try again. To do without it, start Bailey with BAILEY_KEY_STORE=file and enter the keys again."
        ),
    })
}
