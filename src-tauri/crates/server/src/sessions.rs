// SPDX-License-Identifier: Apache-2.0
use crate::random;
use bailey_protocol::Millis;
use serde::{Deserialize, Serialize};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use subtle::ConstantTimeEq as _;

/// The browsers that were let in, kept in a file so that they stay in when the server starts again. The file holds
/// digests only: who reads it can't make a cookie from it.
pub(crate) struct Sessions {
    path: PathBuf,
    kept: Kept,
}

#[derive(Serialize, Deserialize)]
struct Kept {
    /// The cookie's name. Cookies of one host are shared by all its ports, so every data folder has a name of its own.
    cookie: String,
    sessions: Vec<Session>,
}

#[derive(Serialize, Deserialize)]
struct Session {
    /// SHA-256 of the cookie's value, hexadecimal.
    digest: String,
    created: Millis,
}

impl Sessions {
    /// How many are kept; the oldest goes when one more comes.
    const MOST: usize = 20;
    /// How long one lasts, in seconds.
    pub(crate) const SECONDS: i64 = 90 * 24 * 60 * 60;

    /// Reads the file. One that is missing or unreadable is begun anew: the worst that follows is that the person opens
    /// Bailey from its address once more.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let kept = std::fs::read(path).ok().and_then(|bytes| serde_json::from_slice::<Kept>(&bytes).ok());
        let kept = match kept.filter(|k| is_cookie_name(&k.cookie)) {
            Some(kept) => kept,
            None => Kept { cookie: format!("bailey_{}", random::text(6)?), sessions: Vec::new() },
        };
        Ok(Self { path: path.to_owned(), kept })
    }

    /// The name of the cookie.
    pub(crate) fn cookie(&self) -> &str {
        &self.kept.cookie
    }

    /// Begins a session and returns the cookie's value.
    pub(crate) fn begin(&mut self, now: Millis) -> io::Result<String> {
        let value = random::text(32)?;
        self.kept.sessions.retain(|s| is_alive(s, now));
        self.kept.sessions.push(Session { digest: random::hex(&random::digest(&value)), created: now });
        let surplus = self.kept.sessions.len().saturating_sub(Self::MOST);
        self.kept.sessions.drain(..surplus);
        self.save()?;
        Ok(value)
    }

    /// Whether this value is of a session that goes on. Takes the same time wherever it differs.
    pub(crate) fn holds(&self, value: &str, now: Millis) -> bool {
        let digest = random::hex(&random::digest(value));
        let mut found = subtle::Choice::from(0);
        for session in self.kept.sessions.iter().filter(|s| is_alive(s, now)) {
            found |= session.digest.as_bytes().ct_eq(digest.as_bytes());
        }
        found.into()
    }

    fn save(&self) -> io::Result<()> {
        let new = self.path.with_extension("json.new");
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&new)?;
        file.write_all(&serde_json::to_vec(&self.kept)?)?;
        file.sync_all()?;
        drop(file);
        std::fs::rename(&new, &self.path)
    }
}

fn is_alive(session: &Session, now: Millis) -> bool {
    // A clock that was put back does not end a session.
    now.saturating_sub(session.created) < Sessions::SECONDS * 1000
}

fn is_cookie_name(name: &str) -> bool {
    name.len() > "bailey_".len()
        && name.starts_with("bailey_")
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: Millis = 24 * 60 * 60 * 1000;

    #[test]
    fn sessions_are_kept_hashed_capped_and_for_ninety_days() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sessions.json");
        let mut sessions = Sessions::open(&path).unwrap();
        let first = sessions.begin(1000).unwrap();
        let second = sessions.begin(2000).unwrap();
        assert_ne!(first, second);
        assert!(sessions.holds(&first, 1000) && sessions.holds(&second, 1000));
        assert!(!sessions.holds(&first[1..], 1000) && !sessions.holds("", 1000));

        let text = std::fs::read_to_string(&path).unwrap();
        assert!(!text.contains(&first) && !text.contains(&second), "the file holds no cookie");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }

        let mut again = Sessions::open(&path).unwrap();
        assert_eq!(again.cookie(), sessions.cookie());
        assert!(again.holds(&first, 89 * DAY));
        assert!(!again.holds(&first, 91 * DAY));
        let later: Vec<String> = (0..Sessions::MOST as i64).map(|i| again.begin(3000 + i).unwrap()).collect();
        assert!(!again.holds(&first, 4000) && !again.holds(&second, 4000), "the oldest went");
        assert!(later.iter().all(|value| again.holds(value, 4000)));
    }

    #[test]
    fn a_broken_file_is_begun_anew() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sessions.json");
        for content in ["", "{", "{\"cookie\":\"x; Domain=a\",\"sessions\":[]}", "[]"] {
            std::fs::write(&path, content).unwrap();
            let mut sessions = Sessions::open(&path).unwrap();
            assert!(sessions.cookie().starts_with("bailey_"));
            let value = sessions.begin(0).unwrap();
            assert!(Sessions::open(&path).unwrap().holds(&value, 1));
        }
    }
}
