// SPDX-License-Identifier: Apache-2.0
use crate::random;
use crate::sessions::Sessions;
use bailey_ports::{Redactor, Secret};
use bailey_protocol::Millis;
use std::io;
use std::path::Path;
use std::sync::{Mutex, MutexGuard};
use subtle::ConstantTimeEq as _;

/// Who may use a server: the token of local tools, one-time codes that let a browser in, and the browsers that were.
pub struct Access {
    token: Secret,
    redactor: Redactor,
    codes: Mutex<Vec<Code>>,
    sessions: Mutex<Sessions>,
}

struct Code {
    digest: [u8; 32],
    made: Millis,
}

impl Access {
    /// How long a code can be used, in milliseconds.
    pub const CODE_LASTS: Millis = 10 * 60 * 1000;
    /// Codes that can be open at once; the oldest goes when one more is made.
    const MOST_CODES: usize = 32;

    /// Makes a new token, and reads the sessions of earlier servers on this data folder. The token and the codes are
    /// made known to `redactor`, so that no log shows them.
    pub fn open(data: &Path, redactor: Redactor) -> io::Result<Self> {
        let token = Secret::new(&random::text(32)?);
        redactor.learn(&token);
        Ok(Self {
            token,
            redactor,
            codes: Mutex::default(),
            sessions: Mutex::new(Sessions::open(&data.join("sessions.json"))?),
        })
    }

    /// The token that local tools send as `Authorization: Bearer …`.
    pub fn token(&self) -> &Secret {
        &self.token
    }

    /// Makes a code that lets one browser in.
    pub fn new_code(&self, now: Millis) -> io::Result<String> {
        let code = random::text(16)?;
        self.redactor.learn(&Secret::new(&code));
        let mut codes = lock(&self.codes);
        codes.retain(|c| is_fresh(c, now));
        if codes.len() >= Self::MOST_CODES {
            codes.remove(0);
        }
        codes.push(Code { digest: random::digest(&code), made: now });
        Ok(code)
    }

    /// Uses up a code. The `Set-Cookie` line of the session it begins; `None` when the code is wrong, was used or is
    /// too old.
    pub fn redeem(&self, code: &str, now: Millis) -> io::Result<Option<String>> {
        let digest = random::digest(code);
        let mut right = false;
        lock(&self.codes).retain(|c| {
            let same = bool::from(c.digest.ct_eq(&digest));
            right |= same && is_fresh(c, now);
            !same
        });
        if !right {
            return Ok(None);
        }
        let mut sessions = lock(&self.sessions);
        let value = sessions.begin(now)?;
        let (name, seconds) = (sessions.cookie(), Sessions::SECONDS);
        Ok(Some(format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict")))
    }

    /// Whether a `Cookie` line carries a session that goes on.
    pub fn has_session(&self, cookies: &str, now: Millis) -> bool {
        let sessions = lock(&self.sessions);
        cookies
            .split(';')
            .filter_map(|pair| pair.trim().split_once('='))
            .any(|(name, value)| name == sessions.cookie() && sessions.holds(value, now))
    }

    /// Whether an `Authorization` line carries the token.
    pub fn has_token(&self, authorization: &str) -> bool {
        match authorization.split_once(' ') {
            Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => {
                random::digest(token.trim()).ct_eq(&random::digest(self.token.expose())).into()
            }
            _ => false,
        }
    }
}

fn is_fresh(code: &Code, now: Millis) -> bool {
    now.saturating_sub(code.made) < Access::CODE_LASTS
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|e| e.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(folder: &Path) -> Access {
        Access::open(folder, Redactor::new()).unwrap()
    }

    fn pair(set_cookie: &str) -> &str {
        set_cookie.split(';').next().unwrap()
    }

    #[test]
    fn a_code_is_good_once_and_for_ten_minutes() {
        let folder = tempfile::tempdir().unwrap();
        let access = access(folder.path());
        let code = access.new_code(0).unwrap();
        assert_eq!(access.redeem("", 1).unwrap(), None);
        assert_eq!(access.redeem(&code[..code.len() - 1], 1).unwrap(), None);
        let cookie = access.redeem(&code, 1).unwrap().unwrap();
        assert!(cookie.ends_with("; Path=/; Max-Age=7776000; HttpOnly; SameSite=Strict"), "{cookie}");
        assert_eq!(access.redeem(&code, 2).unwrap(), None, "used");
        let old = access.new_code(0).unwrap();
        assert_eq!(access.redeem(&old, Access::CODE_LASTS).unwrap(), None, "too old");
        assert!(access.has_session(&format!("a=b; {}", pair(&cookie)), 3));
        assert!(!access.has_session("a=b", 3));
        assert!(!access.has_session(&pair(&cookie).replace("bailey_", "bailex_"), 3));
    }

    #[test]
    fn tokens_differ_from_start_to_start_and_codes_and_tokens_are_redacted() {
        let folder = tempfile::tempdir().unwrap();
        let redactor = Redactor::new();
        let first = Access::open(folder.path(), redactor.clone()).unwrap();
        let second = Access::open(folder.path(), redactor.clone()).unwrap();
        let header = format!("Bearer {}", first.token().expose());
        assert!(first.has_token(&header) && !second.has_token(&header));
        for wrong in ["", "Bearer", "Bearer ", &header[7..], &header.replace("Bearer", "Basic"), &format!("{header}0")]
        {
            assert!(!first.has_token(wrong), "{wrong}");
        }
        let code = first.new_code(0).unwrap();
        assert_eq!(redactor.clean(&format!("{header} {code}")), "Bearer [secret removed] [secret removed]");
    }

    #[test]
    fn the_oldest_of_too_many_codes_goes() {
        let folder = tempfile::tempdir().unwrap();
        let access = access(folder.path());
        let codes: Vec<String> = (0..=Access::MOST_CODES).map(|_| access.new_code(0).unwrap()).collect();
        assert_eq!(access.redeem(&codes[0], 1).unwrap(), None);
        assert!(access.redeem(&codes[1], 1).unwrap().is_some());
    }
}
