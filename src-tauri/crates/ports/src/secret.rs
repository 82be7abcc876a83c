// SPDX-License-Identifier: Apache-2.0
use aho_corasick::AhoCorasick;
use bailey_protocol::ProviderId;
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

/// Where keys are kept.
pub trait Secrets: Send + Sync {
    /// The key of a provider.
    fn get(&self, provider: &ProviderId) -> Option<Secret>;
    /// Keeps a key.
    fn set(&self, provider: &ProviderId, secret: Secret) -> Result<(), SecretsError>;
    /// Forgets a key.
    fn remove(&self, provider: &ProviderId) -> Result<(), SecretsError>;
}

/// A key store that failed.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the key store failed: {0}")]
pub struct SecretsError(pub String);

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
        if secret.expose().len() < Self::SHORTEST {
            return;
        }
        let mut known = self.0.write().unwrap_or_else(|e| e.into_inner());
        if known.secrets.iter().any(|s| s.expose() == secret.expose()) {
            return;
        }
        known.secrets.push(secret.clone());
        known.forms.extend(forms(secret).map(Zeroizing::new));
        let patterns = known.forms.iter().map(|form| form.as_bytes());
        known.search = AhoCorasick::builder().match_kind(aho_corasick::MatchKind::LeftmostLongest).build(patterns).ok();
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
        redactor.learn(&Secret::new("quo\"ted-key"));
        redactor.learn(&Secret::new("abc"));
        assert_eq!(redactor.clean("a sk-canary-1b sk-canary-1"), "a [secret removed]b [secret removed]");
        assert_eq!(redactor.clean(r#"{"k":"quo\"ted-key"}"#), r#"{"k":"[secret removed]"}"#);
        assert_eq!(redactor.clean("abc"), "abc");
        assert_eq!(format!("{:?}", Secret::new("sk-canary-1")), "Secret(…)");
    }
}
