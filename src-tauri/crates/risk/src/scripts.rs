// SPDX-License-Identifier: Apache-2.0
//! Words that are themselves a command: `sh -c`, `eval`, `trap`, `watch`.

use crate::walk::Walk;
use crate::words::Arg;
use bailey_protocol::{Danger, ShellEffectKind as Kind};

impl Walk {
    /// A shell with a script in its words. Without one it reads a file or its input, and that is not known.
    pub(crate) fn shell(&mut self, args: &[Arg], shown: &str) {
        let mut script = false;
        let mut at = 0;
        while let Some(arg) = args.get(at) {
            let Some(text) = arg.text() else { break };
            match text.strip_prefix('-') {
                // What is left out: `-i` and `-l` run a person's own files first, `-s` reads its input, `-x` expands PS4.
                Some(letters) if !letters.is_empty() && letters.chars().all(|c| "cefuC".contains(c)) => {
                    script |= letters.contains('c');
                }
                Some("o") if args.get(at + 1).and_then(Arg::text).is_some_and(is_quiet_setting) => at += 1,
                Some("-norc" | "-noprofile" | "-posix") => {}
                _ => break,
            }
            at += 1;
        }
        let source = args.get(at);
        match source.filter(|source| script && !source.beginning().starts_with(['-', '+'])).and_then(Arg::text) {
            Some(source) => self.script(source),
            None => {
                let why = "it runs commands that the command line does not show";
                self.note(Danger::High, Kind::RunsCode, shown, why);
            }
        }
    }

    /// Words that are put together and read as a command.
    pub(crate) fn joined(&mut self, args: &[Arg], shown: &str) {
        let words: Option<Vec<&str>> = args.iter().map(Arg::text).collect();
        match words {
            Some(words) => self.script(&words.join(" ")),
            None => {
                let why = "what it runs becomes known only when it runs";
                self.note(Danger::High, Kind::RunsCode, shown, why);
            }
        }
    }

    pub(crate) fn trap(&mut self, args: &[Arg], shown: &str) {
        let args = match args.first().and_then(Arg::text) {
            Some("--") => &args[1..],
            Some("-l" | "-p") | None if args.len() < 2 => {
                return self.note(Danger::Low, Kind::Reads, shown, "it lists signals");
            }
            _ => args,
        };
        match args.first().and_then(Arg::text) {
            Some("-" | "") => self.note(Danger::Low, Kind::Reads, shown, "it says what to do on a signal"),
            Some(text) if !text.starts_with('-') => self.joined(&args[..1], shown),
            _ => self.note(Danger::High, Kind::RunsCode, shown, "what it runs on a signal can't be read"),
        }
    }
}

/// Settings of a shell by which it runs nothing more than it would.
pub(crate) fn is_quiet_setting(name: &str) -> bool {
    ["errexit", "nounset", "noglob", "noclobber", "pipefail"].contains(&name)
}
