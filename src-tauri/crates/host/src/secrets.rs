// SPDX-License-Identifier: Apache-2.0
use bailey_ports::{Redactor, Secret, Secrets, SecretsError};
use bailey_protocol::{KeyStoreKind, KeyStoreState, ProviderId};
use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

/// Keys kept in memory until the process ends. Each is made known to the redactor before it is kept.
#[derive(Debug)]
pub struct MemorySecrets {
    redactor: Redactor,
    keys: RwLock<HashMap<ProviderId, Secret>>,
}

impl MemorySecrets {
    /// An empty store that teaches this redactor.
    pub fn new(redactor: Redactor) -> Self {
        Self { redactor, keys: RwLock::default() }
    }

    /// Makes a key known to the redactor without keeping it.
    pub(crate) fn teach(&self, secret: &Secret) {
        self.redactor.learn(secret);
    }

    /// Has these keys from now on, and no others.
    pub(crate) fn replace(&self, keys: impl IntoIterator<Item = (ProviderId, Secret)>) {
        let keys: HashMap<_, _> = keys.into_iter().collect();
        self.redactor.learn_all(keys.values());
        *self.keys.write().unwrap_or_else(PoisonError::into_inner) = keys;
    }

    pub(crate) fn insert(&self, provider: ProviderId, secret: Secret) {
        self.redactor.learn(&secret);
        self.keys.write().unwrap_or_else(PoisonError::into_inner).insert(provider, secret);
    }

    pub(crate) fn forget(&self, provider: &ProviderId) {
        self.keys.write().unwrap_or_else(PoisonError::into_inner).remove(provider);
    }
}

impl Secrets for MemorySecrets {
    fn get(&self, provider: &ProviderId) -> Option<Secret> {
        self.keys.read().unwrap_or_else(PoisonError::into_inner).get(provider).cloned()
    }

    fn set(&self, provider: &ProviderId, secret: Secret) -> Result<(), SecretsError> {
        match secret.is_empty() {
            true => self.forget(provider),
            false => self.insert(provider.clone(), secret),
        }
        Ok(())
    }

    fn remove(&self, provider: &ProviderId) -> Result<(), SecretsError> {
        self.forget(provider);
        Ok(())
    }

    fn state(&self) -> KeyStoreState {
        KeyStoreState { kind: KeyStoreKind::Memory, locked: false, problem: None }
    }

    fn unlock(&self, _: &Secret) -> Result<(), SecretsError> {
        Ok(())
    }

    fn protect(&self, _: Option<&Secret>) -> Result<(), SecretsError> {
        Err(no_passphrase("Keys are kept in memory only"))
    }
}

/// What to say where a passphrase makes no sense.
pub(crate) fn no_passphrase(why: &str) -> SecretsError {
    SecretsError::Unavailable(format!("{why}, so there is no passphrase to set. Nothing was changed."))
}

/// Keys for this process alone over kept ones: what is set or removed here is gone when the process ends, and what is kept
/// stays as it is.
pub struct SessionSecrets {
    kept: Arc<dyn Secrets>,
    redactor: Redactor,
    /// `None` for one that was removed.
    own: RwLock<HashMap<ProviderId, Option<Secret>>>,
}

impl SessionSecrets {
    /// Nothing of its own yet, over these.
    pub fn new(kept: Arc<dyn Secrets>, redactor: Redactor) -> Self {
        Self { kept, redactor, own: RwLock::default() }
    }

    fn put(&self, provider: &ProviderId, secret: Option<Secret>) {
        self.own.write().unwrap_or_else(PoisonError::into_inner).insert(provider.clone(), secret);
    }
}

impl Secrets for SessionSecrets {
    fn get(&self, provider: &ProviderId) -> Option<Secret> {
        let own = self.own.read().unwrap_or_else(PoisonError::into_inner).get(provider).cloned();
        own.unwrap_or_else(|| self.kept.get(provider))
    }

    fn set(&self, provider: &ProviderId, secret: Secret) -> Result<(), SecretsError> {
        self.redactor.learn(&secret);
        self.put(provider, Some(secret).filter(|secret| !secret.is_empty()));
        Ok(())
    }

    fn remove(&self, provider: &ProviderId) -> Result<(), SecretsError> {
        self.put(provider, None);
        Ok(())
    }

    fn state(&self) -> KeyStoreState {
        self.kept.state()
    }

    fn unlock(&self, passphrase: &Secret) -> Result<(), SecretsError> {
        self.kept.unlock(passphrase)
    }

    fn protect(&self, _: Option<&Secret>) -> Result<(), SecretsError> {
        Err(no_passphrase("Keys are only read here"))
    }

    fn on_change(&self, listener: Box<dyn Fn() + Send + Sync>) {
        self.kept.on_change(listener);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_kept_forgotten_and_known_to_the_redactor() {
        let redactor = Redactor::new();
        let secrets = MemorySecrets::new(redactor.clone());
        let provider = ProviderId::from("p");
        assert!(secrets.get(&provider).is_none());
        secrets.set(&provider, Secret::new("sk-canary-1")).unwrap();
        assert_eq!(secrets.get(&provider).unwrap().expose(), "sk-canary-1");
        assert!(secrets.get(&"other".into()).is_none());
        assert_eq!(redactor.clean("key sk-canary-1"), "key [secret removed]");
        assert!(!format!("{secrets:?}").contains("canary"));
        secrets.set(&provider, Secret::new(" ")).unwrap();
        assert!(secrets.get(&provider).is_none());
        secrets.set(&provider, Secret::new("sk-canary-2")).unwrap();
        secrets.remove(&provider).unwrap();
        assert!(secrets.get(&provider).is_none());
        // Once learnt, never let through: it may still be on its way in some error message.
        assert_eq!(redactor.clean("sk-canary-2"), "[secret removed]");
    }

    #[test]
    fn what_is_given_to_this_process_hides_what_is_kept_and_changes_nothing_of_it() {
        let redactor = Redactor::new();
        let kept = Arc::new(MemorySecrets::new(redactor.clone()));
        kept.set(&"a".into(), Secret::new("sk-kept-a")).unwrap();
        kept.set(&"b".into(), Secret::new("sk-kept-b")).unwrap();
        let session = SessionSecrets::new(kept.clone(), redactor.clone());
        session.set(&"a".into(), Secret::new("sk-given-a")).unwrap();
        session.set(&"c".into(), Secret::new("sk-given-c")).unwrap();
        session.remove(&"b".into()).unwrap();
        let seen = |secrets: &dyn Secrets| {
            ["a", "b", "c"].map(|id| secrets.get(&id.into()).map(|secret| secret.expose().to_owned()))
        };
        assert_eq!(seen(&session), [Some("sk-given-a".into()), None, Some("sk-given-c".into())]);
        assert_eq!(seen(kept.as_ref()), [Some("sk-kept-a".into()), Some("sk-kept-b".into()), None]);
        assert_eq!(redactor.clean("sk-given-c"), "[secret removed]");
        assert!(session.protect(None).is_err());
    }
}
