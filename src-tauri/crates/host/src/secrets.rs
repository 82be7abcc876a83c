// SPDX-License-Identifier: Apache-2.0
use bailey_ports::{Redactor, Secret, Secrets, SecretsError};
use bailey_protocol::ProviderId;
use std::collections::HashMap;
use std::sync::RwLock;

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
}

impl Secrets for MemorySecrets {
    fn get(&self, provider: &ProviderId) -> Option<Secret> {
        self.keys.read().unwrap_or_else(|e| e.into_inner()).get(provider).cloned()
    }

    fn set(&self, provider: &ProviderId, secret: Secret) -> Result<(), SecretsError> {
        if secret.is_empty() {
            return self.remove(provider);
        }
        self.redactor.learn(&secret);
        self.keys.write().unwrap_or_else(|e| e.into_inner()).insert(provider.clone(), secret);
        Ok(())
    }

    fn remove(&self, provider: &ProviderId) -> Result<(), SecretsError> {
        self.keys.write().unwrap_or_else(|e| e.into_inner()).remove(provider);
        Ok(())
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
}
