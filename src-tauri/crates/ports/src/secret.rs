// SPDX-License-Identifier: Apache-2.0
use aho_corasick::AhoCorasick;
use bailey_protocol::{KeyStoreState, ProviderId};
use std::fmt;
use std::sync::{Arc, RwLock};
use zeroize::Zeroizing;

/// A key or a token. It shows itself nowhere: not in `Debug`, not in serde.
#[derive(Clone)]
pub struct Secret(Arc<Zeroizing<String>>);

impl Secret {
    /// Wraps a secret, surrounding white space removed.
    pub fn new(text: &str) -> Self {
        Self(Arc::new(Zeroizing::new(text.trim().to_owned())))
    }
    /// The secret itself, to hand to the one place that needs it.
    pub fn expose(&self) -> &str {
        &self.0
    }
    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// Where keys are kept. Looking one up costs nothing; everything else may wait for the system, for the person, or for a key
/// to be worked out of a passphrase: up to minutes. Wherever possible, call it where waiting holds nobody up.
pub trait Secrets: Send + Sync {
    /// The key of a provider, from memory.
    fn get(&self, provider: &ProviderId) -> Option<Secret>;
    /// Keeps a key, in the place of an earlier one; an empty one is forgotten instead.
    ///
    /// # Errors
    /// When it could not be kept, or not in time; then nothing has changed, and nothing will.
    fn set(&self, provider: &ProviderId, secret: Secret) -> Result<(), SecretsError>;
    /// Forgets a key. One that is not there is no error.
    ///
    /// # Errors
    /// When it could not be taken out of where it is; then it is still known, but a store that answers late forgets it late.
    fn remove(&self, provider: &ProviderId) -> Result<(), SecretsError>;
    /// Where keys are kept and whether they can be had right now, from memory.
    fn state(&self) -> KeyStoreState;
    /// Gets at keys that can't be had right now. Where a passphrase is wanted, this is it; elsewhere it is not looked at and
    /// the store is tried once more, whereupon the system may ask the person something.
    ///
    /// # Errors
    /// [`SecretsError::WrongPassphrase`]; the others when the keys still can't be had.
    fn unlock(&self, passphrase: &Secret) -> Result<(), SecretsError>;
    /// From now on this passphrase is wanted at each start; with `None` none is wanted any more. For an encrypted file only.
    ///
    /// # Errors
    /// [`SecretsError::Locked`] before they are unlocked; when it can't be kept, or this kind of store has no passphrase.
    fn protect(&self, passphrase: Option<&Secret>) -> Result<(), SecretsError>;
    /// From now on calls this whenever keys or the state may have changed without a call that somebody still waits for: when a
    /// store answers late. It is called on any thread; it may look at the keys and the state, and should return soon. Look at
    /// the state after this, not before. Where nothing changes by itself, it is never called.
    fn on_change(&self, _listener: Box<dyn Fn() + Send + Sync>) {}
}

/// A key store that could not do what it was asked. The words say what to do next.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SecretsError {
    /// A passphrase is wanted.
    #[error("The keys are locked. Unlock them with their passphrase in Settings first.")]
    Locked,
    /// It was not this one.
    #[error("This is not the passphrase of the keys. Try again; there is no way to get at them without it.")]
    WrongPassphrase,
    /// What keys are kept in was changed or is broken. It is kept as it is.
    #[error("{0}")]
    Damaged(String),
    /// It can't be used, now or at all.
    #[error("{0}")]
    Unavailable(String),
}

/// Takes known secrets out of text that is about to be logged, stored or shown. One per process, shared by all.
#[derive(Clone, Default)]
pub struct Redactor(Arc<RwLock<Known>>);

#[derive(Default)]
struct Known {
    secrets: Vec<Secret>,
    /// What is looked for: each secret in each of its forms.
    forms: Vec<Zeroizing<String>>,
    search: Option<AhoCorasick>,
}

impl Redactor {
    /// What stands where a secret was.
    pub const MARK: &'static str = "[secret removed]";
    /// Shorter texts are not looked for: they would be found in ordinary words.
    pub const SHORTEST: usize = 6;

    /// One that knows nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Looks for this secret, too, from now on, for as long as the process lives. Also in JSON-escaped form.
    pub fn learn(&self, secret: &Secret) {
        self.learn_all([secret]);
    }

    /// The same for several at once.
    pub fn learn_all<'a>(&self, secrets: impl IntoIterator<Item = &'a Secret>) {
        let mut known = self.0.write().unwrap_or_else(|e| e.into_inner());
        let before = known.secrets.len();
        for secret in secrets {
            let is_short = secret.expose().len() < Self::SHORTEST;
            if !is_short && known.secrets.iter().all(|s| s.expose() != secret.expose()) {
                known.secrets.push(secret.clone());
                known.forms.extend(forms(secret).map(Zeroizing::new));
            }
        }
        if known.secrets.len() > before {
            let patterns = known.forms.iter().map(|form| form.as_bytes());
            let kind = aho_corasick::MatchKind::LeftmostLongest;
            known.search = AhoCorasick::builder().match_kind(kind).build(patterns).ok();
        }
    }

    /// How many bytes at the end of the text could be the beginning of a known secret.
    pub fn beginning(&self, text: &str) -> usize {
        let known = self.0.read().unwrap_or_else(|e| e.into_inner());
        let longest = |form: &str| {
            let most = text.len().min(form.len() - 1);
            (1..=most).rev().find(|&n| text.as_bytes().ends_with(&form.as_bytes()[..n])).unwrap_or(0)
        };
        let held = known.forms.iter().map(|form| longest(form)).max().unwrap_or(0);
        (0..=held).rev().find(|&n| text.is_char_boundary(text.len() - n)).unwrap_or(0)
    }

    /// The text without known secrets; borrowed when there was none.
    pub fn clean<'a>(&self, text: &'a str) -> std::borrow::Cow<'a, str> {
        let known = self.0.read().unwrap_or_else(|e| e.into_inner());
        match &known.search {
            Some(search) if search.is_match(text) => {
                let marks = vec![Self::MARK; search.patterns_len()];
                search.replace_all(text, &marks).into()
            }
            _ => text.into(),
        }
    }
}

/// The forms a secret is looked for in: as it is, and as it stands inside JSON.
fn forms(secret: &Secret) -> impl Iterator<Item = String> + use<> {
    let plain = secret.expose().to_owned();
    let escaped = serde_json::to_string(&plain).unwrap_or_default().trim_matches('"').to_owned();
    let escaped = (escaped != plain && !escaped.is_empty()).then_some(escaped);
    std::iter::once(plain).chain(escaped)
}

impl fmt::Debug for Redactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Redactor(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_taken_out_wherever_it_stands() {
        let redactor = Redactor::new();
        assert_eq!(redactor.clean("sk-canary-1"), "sk-canary-1");
        redactor.learn(&Secret::new(" sk-canary-1\n"));
        redactor.learn_all([&Secret::new("quo\"ted-key"), &Secret::new("abc"), &Secret::new("sk-canary-1")]);
        assert_eq!(redactor.clean("a sk-canary-1b sk-canary-1"), "a [secret removed]b [secret removed]");
        assert_eq!(redactor.clean(r#"{"k":"quo\"ted-key"}"#), r#"{"k":"[secret removed]"}"#);
        assert_eq!(redactor.clean("abc"), "abc");
        assert_eq!(format!("{:?}", Secret::new("sk-canary-1")), "Secret(…)");
    }
}
