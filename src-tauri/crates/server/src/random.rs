// SPDX-License-Identifier: Apache-2.0
use sha2::{Digest, Sha256};

/// `bytes` random bytes as hexadecimal text, from the system's generator.
pub(crate) fn text(bytes: usize) -> std::io::Result<String> {
    let mut buffer = vec![0; bytes];
    getrandom::fill(&mut buffer)
        .map_err(|e| std::io::Error::other(format!("the system gives no random numbers: {e}")))?;
    Ok(hex(&buffer))
}

/// SHA-256.
pub(crate) fn digest(text: &str) -> [u8; 32] {
    Sha256::digest(text.as_bytes()).into()
}

/// Lower-case hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}
