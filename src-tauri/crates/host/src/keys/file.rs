// SPDX-License-Identifier: Apache-2.0
//! Keys in an encrypted file of the data folder, opened by a key file beside it or by a passphrase.

use super::place::{Place, unreadable, unwritable};
use super::private;
use super::sealed::{Cost, Flaw, Keys, Master, OpenedBy, Sealed};
use bailey_ports::{Secret, SecretsError};
use bailey_protocol::{KeyStoreKind, KeyStoreState, ProviderId};
use std::fs;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// The encrypted file's name in the folder of keys.
const SEALED: &str = "sealed.json";
/// The name of the file with its key.
const KEY: &str = "key";

/// The encrypted file and what is known of it.
pub(super) struct FileStore {
    sealed: PathBuf,
    key: PathBuf,
    place: Place,
    state: State,
}

enum State {
    /// Its keys are known; without a master key nothing has been written yet.
    Open { master: Option<Master>, keys: Keys },
    /// A passphrase is wanted.
    Locked,
    /// It can't be used. The content is the encrypted file's, when it was found so.
    Failed { kind: KeyStoreKind, error: SecretsError, content: Content },
}

/// What a file holds; `None` where there is none.
type Content = Option<Zeroizing<Vec<u8>>>;

impl FileStore {
    /// Whether there is such a file in a folder.
    pub(super) fn is_in(folder: &Path) -> bool {
        folder.join(SEALED).exists()
    }

    /// Opens the file as far as that needs no passphrase.
    pub(super) fn open(folder: &Path, place: Place) -> Self {
        let mut this = Self { sealed: folder.join(SEALED), key: folder.join(KEY), place, state: State::Locked };
        // What went wrong is in the state.
        let _ = this.load(None);
        this
    }

    /// The keys, where they are known.
    pub(super) fn keys(&self) -> Option<&Keys> {
        match &self.state {
            State::Open { keys, .. } => Some(keys),
            _ => None,
        }
    }

    /// How it is doing.
    pub(super) fn state(&self) -> KeyStoreState {
        let (kind, locked, problem) = match &self.state {
            State::Open { master, .. } => (kind(master.as_ref().map(Master::opened_by)), false, None),
            State::Locked => (KeyStoreKind::Passphrase, true, None),
            State::Failed { kind, error, .. } => (*kind, true, Some(error.to_string())),
        };
        KeyStoreState { kind, locked, problem }
    }

    /// Opens it with a passphrase, or tries again where it failed.
    pub(super) fn unlock(&mut self, passphrase: &Secret) -> Result<(), SecretsError> {
        match self.state {
            State::Open { .. } => Ok(()),
            _ => self.load(Some(passphrase)),
        }
    }

    /// Keeps a key; a file that is still damaged is put aside for it.
    pub(super) fn set(&mut self, provider: &ProviderId, secret: Secret) -> Result<(), SecretsError> {
        if let State::Failed { error: SecretsError::Damaged(_), content, .. } = &self.state {
            let damaged = content.clone();
            match self.load(None) {
                Err(SecretsError::Damaged(_)) => self.put_aside()?,
                // Only with its passphrase it is seen that it is damaged, and it was.
                Err(SecretsError::Locked) if damaged == self.content()? => self.put_aside()?,
                loaded => loaded?,
            }
        }
        self.change(|keys| {
            keys.insert(provider.clone(), secret);
        })
    }

    /// Forgets a key.
    pub(super) fn remove(&mut self, provider: &ProviderId) -> Result<(), SecretsError> {
        match self.keys() {
            Some(keys) if !keys.contains_key(provider) => Ok(()),
            _ => self.change(|keys| {
                keys.remove(provider);
            }),
        }
    }

    /// Encrypts the file anew, for a passphrase or for a new key file.
    pub(super) fn protect(&mut self, passphrase: Option<&Secret>) -> Result<(), SecretsError> {
        let (keys, is_protected) = match &self.state {
            State::Open { master, keys } => {
                (keys.clone(), kind(master.as_ref().map(Master::opened_by)) == KeyStoreKind::Passphrase)
            }
            other => return Err(other.refusal()),
        };
        let master = match passphrase {
            Some(passphrase) if passphrase.is_empty() => {
                return Err(SecretsError::Unavailable("The passphrase is empty. Type one, then try again.".to_owned()));
            }
            Some(passphrase) => Master::of_new_passphrase(passphrase, Cost::USUAL).map_err(|flaw| self.say(flaw))?,
            None if !is_protected => return Ok(()),
            None => self.new_key_file()?,
        };
        self.write(&keys, &master)?;
        if *master.opened_by() != OpenedBy::KeyFile {
            self.drop_key_file();
        }
        self.state = State::Open { master: Some(master), keys };
        self.place.note_sealed();
        Ok(())
    }

    /// Reads the file. Errors are also the new state, except for a wrong passphrase.
    fn load(&mut self, passphrase: Option<&Secret>) -> Result<(), SecretsError> {
        let (content, result) = match self.content() {
            Ok(content) => {
                let result = self.read(content.as_ref().map(|content| &content[..]), passphrase);
                (content, result)
            }
            Err(error) => (None, (Err(error), KeyStoreKind::File)),
        };
        let (result, kind) = result;
        match result {
            Ok(state) => {
                self.state = state;
                Ok(())
            }
            Err(error @ (SecretsError::WrongPassphrase | SecretsError::Locked)) => {
                self.state = State::Locked;
                Err(error)
            }
            Err(error) => {
                tracing::error!("{error}");
                self.state = State::Failed { kind, error: error.clone(), content };
                Err(error)
            }
        }
    }

    fn content(&self) -> Result<Content, SecretsError> {
        private::read(&self.sealed).map_err(|e| unreadable(&self.sealed, &e))
    }

    /// What is in the encrypted file, and its kind.
    fn read(&self, content: Option<&[u8]>, passphrase: Option<&Secret>) -> (Result<State, SecretsError>, KeyStoreKind) {
        let sealed = match content.map(Sealed::read) {
            Some(Ok(sealed)) => sealed,
            Some(Err(flaw)) => return (Err(self.say(flaw)), KeyStoreKind::File),
            None if self.place.is_sealed() => return (Err(self.gone()), KeyStoreKind::File),
            None => return (Ok(State::Open { master: None, keys: Keys::new() }), KeyStoreKind::File),
        };
        let kind = kind(Some(sealed.opened_by()));
        let opened = match sealed.opened_by() {
            OpenedBy::KeyFile => self.open_with_key_file(&sealed),
            OpenedBy::Passphrase { .. } => match passphrase {
                None => Err(SecretsError::Locked),
                Some(passphrase) => self.open_with_passphrase(&sealed, passphrase),
            },
        };
        (opened, kind)
    }

    fn open_with_key_file(&self, sealed: &Sealed) -> Result<State, SecretsError> {
        let content = private::read(&self.key).map_err(|e| unreadable(&self.key, &e))?;
        let damaged = |what: &str| {
            SecretsError::Damaged(format!(
                "{} {what}, so the keys in {} can't be read. Put back a good copy and try again. Or enter the keys again: both files are then kept beside the new ones.",
                self.key.display(),
                self.sealed.display()
            ))
        };
        let content = content.ok_or_else(|| damaged("is gone"))?;
        let master = Master::from_file(&content).ok_or_else(|| damaged("is damaged"))?;
        match sealed.open(&master) {
            Ok(keys) => Ok(State::Open { master: Some(master), keys }),
            Err(Flaw::OtherKey) => Err(damaged("does not belong to it")),
            Err(flaw) => Err(self.say(flaw)),
        }
    }

    fn open_with_passphrase(&self, sealed: &Sealed, passphrase: &Secret) -> Result<State, SecretsError> {
        let master = sealed.master_of(passphrase).map_err(|flaw| self.say(flaw))?;
        match sealed.open(&master) {
            Ok(keys) => {
                // One can be left when Bailey was killed while the passphrase was set.
                self.drop_key_file();
                Ok(State::Open { master: Some(master), keys })
            }
            Err(Flaw::OtherKey) => Err(SecretsError::WrongPassphrase),
            Err(flaw) => Err(self.say(flaw)),
        }
    }

    /// Changes the keys on the disk, then in memory.
    fn change(&mut self, change: impl FnOnce(&mut Keys)) -> Result<(), SecretsError> {
        if let State::Failed { .. } = self.state {
            self.load(None)?;
        }
        let State::Open { master, keys } = &self.state else { return Err(self.state.refusal()) };
        let mut keys = keys.clone();
        change(&mut keys);
        let new = match master {
            Some(_) => None,
            None => Some(self.first_key_file()?),
        };
        if let Some(master) = new.as_ref().or(master.as_ref()) {
            self.write(&keys, master)?;
        }
        let State::Open { master, keys: known } = &mut self.state else { return Ok(()) };
        *known = keys;
        if new.is_some() {
            *master = new;
        }
        self.place.note_sealed();
        Ok(())
    }

    fn write(&self, keys: &Keys, master: &Master) -> Result<(), SecretsError> {
        let bytes = Sealed::seal(keys, master).map_err(|flaw| self.say(flaw))?;
        private::replace(&self.sealed, &bytes).map_err(|e| unwritable(&self.sealed, &e))
    }

    /// The key file for the first key. One that is there is used: the encrypted file that belongs to it may come back.
    fn first_key_file(&self) -> Result<Master, SecretsError> {
        let there = private::read(&self.key).map_err(|e| unreadable(&self.key, &e))?;
        match there.and_then(|content| Master::from_file(&content)) {
            Some(master) => Ok(master),
            None => self.new_key_file(),
        }
    }

    /// Makes a key file. The encrypted file that it is for comes after it: in between, it opens nothing.
    fn new_key_file(&self) -> Result<Master, SecretsError> {
        let master = Master::random().map_err(|flaw| self.say(flaw))?;
        private::replace(&self.key, master.bytes()).map_err(|e| unwritable(&self.key, &e))?;
        Ok(master)
    }

    fn drop_key_file(&self) {
        let dropped = match fs::remove_file(&self.key) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return,
            dropped => dropped.and_then(|()| private::sync_folder_of(&self.key)),
        };
        if let Err(error) = dropped {
            tracing::warn!("{} is of no use any more and could not be deleted: {error}", self.key.display());
        }
    }

    /// Moves what can't be read out of the way, and begins anew. Where the encrypted file is gone, its key stays: it may come back.
    fn put_aside(&mut self) -> Result<(), SecretsError> {
        if !self.sealed.exists() {
            self.state = State::Open { master: None, keys: Keys::new() };
            return Ok(());
        }
        let aside = |path: &Path, n: u32| path.with_extension(format!("damaged-{n}"));
        let n = (1..).find(|n| !aside(&self.sealed, *n).exists() && !aside(&self.key, *n).exists()).unwrap_or(0);
        // The key first: killed in between, nothing can be written over it.
        for path in [&self.key, &self.sealed] {
            match fs::rename(path, aside(path, n)) {
                Err(e) if e.kind() == std::io::ErrorKind::NotFound => {}
                Err(e) => return Err(unwritable(path, &e)),
                Ok(()) => tracing::warn!("{} was kept as {}", path.display(), aside(path, n).display()),
            }
        }
        self.state = State::Open { master: None, keys: Keys::new() };
        Ok(())
    }

    /// What to say when the encrypted file is not there any more.
    fn gone(&self) -> SecretsError {
        SecretsError::Damaged(format!(
            "{} is gone, and the keys with it. Put back a good copy and try again. Or enter the keys again: a new file is begun then, which has no passphrase until you set one.",
            self.sealed.display()
        ))
    }

    /// What to say about a flaw of the encrypted file.
    fn say(&self, flaw: Flaw) -> SecretsError {
        let path = self.sealed.display();
        match flaw {
            Flaw::Newer => SecretsError::Unavailable(format!(
                "{path} was written by a newer Bailey. Install that version again; nothing was changed."
            )),
            Flaw::System => SecretsError::Unavailable(
                "This system could not encrypt or decrypt (no randomness). Restart it, then try again.".to_owned(),
            ),
            Flaw::Form | Flaw::Changed | Flaw::OtherKey => SecretsError::Damaged(format!(
                "{path} is damaged or was changed by something other than Bailey. Put back a good copy and try again. Or enter the keys again: the damaged file is then kept beside the new one, which has no passphrase until you set one."
            )),
        }
    }
}

impl State {
    /// Why nothing can be changed.
    fn refusal(&self) -> SecretsError {
        match self {
            Self::Failed { error, .. } => error.clone(),
            _ => SecretsError::Locked,
        }
    }
}

fn kind(opened_by: Option<&OpenedBy>) -> KeyStoreKind {
    match opened_by {
        Some(OpenedBy::Passphrase { .. }) => KeyStoreKind::Passphrase,
        _ => KeyStoreKind::File,
    }
}
