// SPDX-License-Identifier: Apache-2.0
//! The sealed file: all keys as one piece, encrypted with AES-256-GCM. What stands around the piece (how it is opened, and a
//! check) is bound to it as associated data, and the file has exactly one form: no byte of it can change unnoticed, and no
//! entry can be swapped or taken from an earlier file.

use bailey_ports::Secret;
use bailey_protocol::ProviderId;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::hkdf;
use ring::rand::{SecureRandom as _, SystemRandom};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use zeroize::Zeroizing;

/// The only form there is so far.
const VERSION: u32 = 1;
/// Bytes of a master key.
pub(super) const MASTER: usize = 32;
const CHECK: usize = 16;
const SALT: usize = 16;

/// All keys by provider.
pub(super) type Keys = BTreeMap<ProviderId, Secret>;

/// What Argon2id spends on a passphrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Cost {
    memory_kib: u32,
    passes: u32,
    lanes: u32,
}

impl Cost {
    /// For new files: three passes over 128 MiB, twice the memory of RFC 9106's second choice, on one lane, as one thread
    /// works it out. About half a second.
    pub(super) const USUAL: Self = Self { memory_kib: 128 * 1024, passes: 3, lanes: 1 };

    /// What a file may ask for: nobody should make this machine work for hours or run out of memory.
    fn is_bearable(self) -> bool {
        self.memory_kib <= 1024 * 1024 && self.passes <= 32 && self.lanes <= 16
    }
}

/// How the master key of a sealed file is come by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum OpenedBy {
    /// It is in a file.
    KeyFile,
    /// It is worked out of a passphrase with Argon2id.
    Passphrase { salt: Bytes, cost: Cost },
}

/// What is wrong with a sealed file, or with the key for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flaw {
    /// It is no sealed file, or not in its one form.
    Form,
    /// A newer Bailey wrote it.
    Newer,
    /// The master key is not the one it was sealed with.
    OtherKey,
    /// It was changed after it was sealed.
    Changed,
    /// Cryptography itself failed: no randomness, or no memory for the passphrase.
    System,
}

/// The key that all else is derived from, and how it was come by.
pub(super) struct Master {
    bytes: Zeroizing<[u8; MASTER]>,
    opened_by: OpenedBy,
}

impl Master {
    /// A new random one, for a key file.
    pub(super) fn random() -> Result<Self, Flaw> {
        Ok(Self { bytes: Zeroizing::new(random()?), opened_by: OpenedBy::KeyFile })
    }

    /// The one in a key file; `None` when it has not the right length.
    pub(super) fn from_file(content: &[u8]) -> Option<Self> {
        let bytes = <[u8; MASTER]>::try_from(content).ok()?;
        Some(Self { bytes: Zeroizing::new(bytes), opened_by: OpenedBy::KeyFile })
    }

    /// What goes into a key file.
    pub(super) fn bytes(&self) -> &[u8] {
        self.bytes.as_slice()
    }

    /// The one of a passphrase, with a salt of its own. Takes a good part of a second.
    pub(super) fn of_new_passphrase(passphrase: &Secret, cost: Cost) -> Result<Self, Flaw> {
        Self::of_passphrase(passphrase, Bytes(random::<SALT>()?.to_vec()), cost)
    }

    fn of_passphrase(passphrase: &Secret, salt: Bytes, cost: Cost) -> Result<Self, Flaw> {
        let Cost { memory_kib, passes, lanes } = cost;
        let params = argon2::Params::new(memory_kib, passes, lanes, Some(MASTER)).map_err(|_| Flaw::Form)?;
        let argon = argon2::Argon2::new(argon2::Algorithm::Argon2id, argon2::Version::V0x13, params);
        let mut bytes = Zeroizing::new([0; MASTER]);
        argon.hash_password_into(passphrase.expose().as_bytes(), &salt.0, bytes.as_mut()).map_err(|_| Flaw::Form)?;
        Ok(Self { bytes, opened_by: OpenedBy::Passphrase { salt, cost } })
    }

    /// How it was come by.
    pub(super) fn opened_by(&self) -> &OpenedBy {
        &self.opened_by
    }

    /// The key that seals, and a check that tells a wrong key from a changed file.
    fn derive(&self) -> Result<(LessSafeKey, [u8; CHECK]), Flaw> {
        let root = hkdf::Salt::new(hkdf::HKDF_SHA256, b"bailey keys 1").extract(self.bytes.as_slice());
        let seal = root.expand(&[b"seal"], &AES_256_GCM).map_err(|_| Flaw::System)?;
        let mut check = [0; CHECK];
        let expanded = root.expand(&[b"check"], CheckLength).map_err(|_| Flaw::System)?;
        expanded.fill(&mut check).map_err(|_| Flaw::System)?;
        Ok((LessSafeKey::new(UnboundKey::from(seal)), check))
    }
}

struct CheckLength;

impl hkdf::KeyType for CheckLength {
    fn len(&self) -> usize {
        CHECK
    }
}

/// A sealed file as it was read.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Sealed {
    version: u32,
    opened_by: OpenedBy,
    check: Bytes,
    nonce: Bytes,
    sealed: Bytes,
}

impl Sealed {
    /// Encrypts keys; the bytes are the whole file.
    pub(super) fn seal(keys: &Keys, master: &Master) -> Result<Vec<u8>, Flaw> {
        let (key, check) = master.derive()?;
        let nonce: [u8; NONCE_LEN] = random()?;
        let mut this = Self {
            version: VERSION,
            opened_by: master.opened_by.clone(),
            check: Bytes(check.to_vec()),
            nonce: Bytes(nonce.to_vec()),
            sealed: Bytes(Vec::new()),
        };
        let plain: BTreeMap<&str, &str> = keys.iter().map(|(id, key)| (id.as_str(), key.expose())).collect();
        // Room for the worst case of escaping, so that no piece of a key stays behind where the buffer grew.
        let room: usize = plain.iter().map(|(id, key)| 6 * (id.len() + key.len()) + 8).sum();
        let mut text = Zeroizing::new(Vec::with_capacity(room + 2 + AES_256_GCM.tag_len()));
        serde_json::to_writer(&mut *text, &plain).map_err(|_| Flaw::System)?;
        let nonce = Nonce::assume_unique_for_key(nonce);
        key.seal_in_place_append_tag(nonce, Aad::from(this.around()), &mut *text).map_err(|_| Flaw::System)?;
        this.sealed = Bytes(text.to_vec());
        Ok(this.bytes())
    }

    /// Reads a file's form.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, Flaw> {
        #[derive(Deserialize)]
        struct Any {
            version: u32,
        }
        let any: Any = serde_json::from_slice(bytes).map_err(|_| Flaw::Form)?;
        if any.version > VERSION {
            return Err(Flaw::Newer);
        }
        let this: Self = serde_json::from_slice(bytes).map_err(|_| Flaw::Form)?;
        if this.version != VERSION || this.bytes() != bytes {
            return Err(Flaw::Form);
        }
        match &this.opened_by {
            OpenedBy::Passphrase { cost, .. } if !cost.is_bearable() => Err(Flaw::Form),
            _ => Ok(this),
        }
    }

    /// How its master key is come by.
    pub(super) fn opened_by(&self) -> &OpenedBy {
        &self.opened_by
    }

    /// Works its master key out of a passphrase; takes a good part of a second.
    pub(super) fn master_of(&self, passphrase: &Secret) -> Result<Master, Flaw> {
        match self.opened_by.clone() {
            OpenedBy::Passphrase { salt, cost } => Master::of_passphrase(passphrase, salt, cost),
            OpenedBy::KeyFile => Err(Flaw::OtherKey),
        }
    }

    /// Decrypts the keys.
    pub(super) fn open(&self, master: &Master) -> Result<Keys, Flaw> {
        let (key, check) = master.derive()?;
        if self.check.0 != check {
            return Err(Flaw::OtherKey);
        }
        let nonce = Nonce::try_assume_unique_for_key(&self.nonce.0).map_err(|_| Flaw::Changed)?;
        let mut text = Zeroizing::new(self.sealed.0.clone());
        let plain = key.open_in_place(nonce, Aad::from(self.around()), &mut text).map_err(|_| Flaw::Changed)?;
        let keys: BTreeMap<ProviderId, Plain> = serde_json::from_slice(plain).map_err(|_| Flaw::Changed)?;
        Ok(keys.into_iter().map(|(id, plain)| (id, Secret::new(&plain.0))).collect())
    }

    /// What the piece is bound to.
    fn around(&self) -> Vec<u8> {
        serde_json::to_vec(&("bailey keys", self.version, &self.opened_by, &self.check)).unwrap_or_default()
    }

    fn bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }
}

/// A key on its way out of the file.
struct Plain(Zeroizing<String>);

impl<'de> Deserialize<'de> for Plain {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|text| Self(Zeroizing::new(text)))
    }
}

/// Bytes that are base64 in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bytes(Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        STANDARD.decode(text).map(Self).map_err(serde::de::Error::custom)
    }
}

fn random<const N: usize>() -> Result<[u8; N], Flaw> {
    let mut bytes = [0; N];
    SystemRandom::new().fill(&mut bytes).map_err(|_| Flaw::System)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHEAP: Cost = Cost { memory_kib: 8, passes: 1, lanes: 1 };

    fn some_keys() -> Keys {
        let keys = [("a", "sk-canary-1"), ("b", "quo\"ted \\ 密钥"), ("command \"line\"", "x")];
        keys.map(|(id, key)| (id.into(), Secret::new(key))).into()
    }

    fn shown(keys: &Keys) -> Vec<(&str, &str)> {
        keys.iter().map(|(id, key)| (id.as_str(), key.expose())).collect()
    }

    #[test]
    fn what_is_sealed_comes_back_with_the_same_key_only() {
        let passphrase = Secret::new("correct horse");
        let by_file = Master::random().unwrap();
        let by_words = Master::of_new_passphrase(&passphrase, CHEAP).unwrap();
        for keys in [some_keys(), Keys::new()] {
            let sealed = Sealed::read(&Sealed::seal(&keys, &by_file).unwrap()).unwrap();
            assert_eq!(sealed.opened_by(), &OpenedBy::KeyFile);
            let same = Master::from_file(by_file.bytes()).unwrap();
            assert_eq!(shown(&sealed.open(&same).unwrap()), shown(&keys));
            assert_eq!(sealed.open(&Master::random().unwrap()).unwrap_err(), Flaw::OtherKey);
            assert_eq!(sealed.master_of(&passphrase).err(), Some(Flaw::OtherKey));

            let sealed = Sealed::read(&Sealed::seal(&keys, &by_words).unwrap()).unwrap();
            assert_eq!(shown(&sealed.open(&sealed.master_of(&passphrase).unwrap()).unwrap()), shown(&keys));
            for wrong in ["", "correct hors", "Correct horse", "correct horse battery"] {
                let other = sealed.master_of(&Secret::new(wrong)).unwrap();
                assert_eq!(sealed.open(&other).unwrap_err(), Flaw::OtherKey, "{wrong:?}");
            }
        }
        assert!(Master::from_file(&[0; MASTER - 1]).is_none());
    }

    #[test]
    fn each_writing_differs_and_shows_no_key() {
        let master = Master::of_new_passphrase(&Secret::new("correct horse"), CHEAP).unwrap();
        let [one, two] = [(), ()].map(|()| Sealed::seal(&some_keys(), &master).unwrap());
        assert_ne!(one, two);
        let text = String::from_utf8(one).unwrap();
        for part in ["canary", "c2stY2FuYXJ5", "ted", "horse"] {
            assert!(!text.contains(part), "{part} in {text}");
        }
        // Two passphrases that are the same have different salts.
        let again = Master::of_new_passphrase(&Secret::new("correct horse"), CHEAP).unwrap();
        assert_ne!(master.bytes(), again.bytes());
    }

    #[test]
    fn no_byte_can_change_unnoticed_with_a_passphrase_either() {
        let passphrase = Secret::new("correct horse");
        let master = Master::of_new_passphrase(&passphrase, CHEAP).unwrap();
        let bytes = Sealed::seal(&some_keys(), &master).unwrap();
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut changed = bytes.clone();
                changed[at] ^= 1 << bit;
                let opened = Sealed::read(&changed).and_then(|sealed| sealed.open(&sealed.master_of(&passphrase)?));
                assert!(opened.is_err(), "byte {at}, bit {bit}");
            }
            assert!(Sealed::read(&bytes[..at]).is_err(), "cut at {at}");
        }
        assert!(Sealed::read(&[&bytes[..], b"\n"].concat()).is_err());
    }

    #[test]
    fn a_part_of_another_file_of_the_same_key_does_not_fit() {
        let master = Master::random().unwrap();
        let files = [some_keys(), Keys::new()].map(|keys| {
            let bytes = Sealed::seal(&keys, &master).unwrap();
            serde_json::from_slice::<serde_json::Value>(&bytes).unwrap()
        });
        for part in ["nonce", "sealed"] {
            let mut mixed = files[0].clone();
            mixed[part] = files[1][part].clone();
            let sealed = Sealed::read(&serde_json::to_vec(&mixed).unwrap()).unwrap();
            assert_eq!(sealed.open(&master).unwrap_err(), Flaw::Changed, "{part}");
        }
        let salt = Bytes(vec![1; SALT]);
        let other = Sealed {
            opened_by: OpenedBy::Passphrase { salt, cost: CHEAP },
            ..serde_json::from_value(files[0].clone()).unwrap()
        };
        assert_eq!(other.open(&master).unwrap_err(), Flaw::Changed, "how it is opened");
        let mut newer = files[0].clone();
        newer["version"] = 2.into();
        assert_eq!(Sealed::read(&serde_json::to_vec(&newer).unwrap()).unwrap_err(), Flaw::Newer);
    }

    #[test]
    fn a_file_can_not_ask_for_hours_of_work() {
        for cost in [
            Cost { memory_kib: u32::MAX, ..CHEAP },
            Cost { passes: u32::MAX, ..CHEAP },
            Cost { lanes: 0xff_ffff, memory_kib: u32::MAX, ..CHEAP },
        ] {
            let salt = Bytes(vec![1; SALT]);
            let master = Master { bytes: Zeroizing::new([1; MASTER]), opened_by: OpenedBy::Passphrase { salt, cost } };
            let bytes = Sealed::seal(&some_keys(), &master).unwrap();
            assert_eq!(Sealed::read(&bytes).unwrap_err(), Flaw::Form, "{cost:?}");
        }
    }
}
