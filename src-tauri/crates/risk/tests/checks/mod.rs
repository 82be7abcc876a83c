// SPDX-License-Identifier: Apache-2.0
//! What must hold for any bytes; shared by the fuzz target and the replay of what it found.

use bailey_protocol::Danger;
use bailey_risk::{Dialect, rate};

/// Rates bytes as a command, alone and beside and within others.
pub fn rated(data: &[u8]) {
    let command = String::from_utf8_lossy(data);
    let risk = rate(&command, Dialect::Posix);
    assert!(!risk.effects.is_empty() && risk.effects.len() <= 40);
    assert!(risk.effects.iter().all(|effect| !effect.why.is_empty() && effect.command.chars().count() <= 161));
    assert!(risk.parsed || risk.level == Danger::High);
    assert_eq!(rate(&command, Dialect::Posix), risk, "the same again");
    // A whole command is no less for what stands around it.
    if risk.parsed {
        let quoted = command.replace('\'', "'\\''");
        for around in [
            format!("ls\n{command}"),
            format!("{command}\nls"),
            format!("sh -c '{quoted}'"),
            format!("{{\n{command}\n}}"),
        ] {
            // A here-document may take in what follows it.
            let around_it = rate(&around, Dialect::Posix);
            assert!(
                around_it.level >= risk.level || command.contains("<<"),
                "{around:?}: {around_it:?}, alone {risk:?}"
            );
        }
    }
}
