// SPDX-License-Identifier: Apache-2.0
//! How dangerous a shell command is, judged from its text alone: nothing is run, looked up or expanded.
//!
//! [`rate`] reads a command with a grammar of `sh` and `bash`, walks every command that any part of it could run, and
//! holds each against tables of what programs do. It denies on doubt. `Low` is said only when each program is known to
//! do nothing but read, each of its options is known to be harmless, and nothing is written but to `/dev/null`. What
//! can't be read, what shells read differently, a program that is not known, and a word that becomes known only while
//! the command runs, where it could change what runs, are `High`.
//!
//! The rating is about harm, not about secrets: `cat ~/.ssh/id_ed25519` only reads. What is read is marked private by
//! whoever runs the command.

mod files;

mod names;
mod options;
mod programs;
mod readers;
mod scripts;
mod search;
mod shell;
mod subcommands;
mod text;
mod walk;
mod words;
mod wrappers;

use bailey_protocol::{Danger, ShellEffect, ShellEffectKind, ShellRisk};

/// The longest command that is read, in bytes.
const LONGEST: usize = 32 * 1024;
/// The most things that could open something nested, in one command. With more it is not read: a parser's stack is finite.
const MOST_OPENED: usize = 200;
/// The stack of the thread that parses, in bytes: enough for `MOST_OPENED` in a debug build.
const STACK: usize = 32 << 20;

/// Which shell a command is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// `sh` of any Unix, Android's included, or `bash`.
    Posix,
    /// `cmd` or any other; it is not read.
    Other,
}

impl Dialect {
    /// That of the machine this was built for.
    pub const HOST: Dialect = if cfg!(windows) { Dialect::Other } else { Dialect::Posix };
}

/// Rates a command. Never panics, and the time is bounded.
///
/// ```
/// use bailey_protocol::Danger;
/// use bailey_risk::{Dialect, rate};
/// assert_eq!(rate("du -sh ~/Downloads | sort -h", Dialect::Posix).level, Danger::Low);
/// assert_eq!(rate("sort --compress-program=sh x", Dialect::Posix).level, Danger::High);
/// assert!(!rate("echo 'no end", Dialect::Posix).parsed);
/// ```
pub fn rate(command: &str, dialect: Dialect) -> ShellRisk {
    if dialect == Dialect::Other {
        return unread(command, "this shell's language is not read");
    }
    if command.len() > LONGEST {
        return unread(command, "it is too long to be read");
    }
    if let Some(hidden) = command.chars().find(|c| hides(*c)) {
        return unread(command, &format!("it holds a character that can't be seen (U+{:04X})", u32::from(hidden)));
    }
    if opened(command) > MOST_OPENED {
        return unread(command, "too much is nested in it to be read");
    }
    let source = command.to_owned();
    // A thread of its own for its stack, and because a fault of the grammar ends there.
    let rated = std::thread::Builder::new()
        .name("shell-risk".to_owned())
        .stack_size(STACK)
        .spawn(move || walk::Walk::rate(&source))
        .map(|thread| thread.join());
    match rated {
        Ok(Ok(risk)) => risk,
        _ => unread(command, "it could not be read"),
    }
}

fn unread(command: &str, why: &str) -> ShellRisk {
    let command = walk::cut(command);
    let effect = ShellEffect { kind: ShellEffectKind::Unknown, command, why: why.to_owned() };
    ShellRisk { level: Danger::High, parsed: false, effects: vec![effect] }
}

/// Characters that make a command look like another: control characters, spaces that are none to a shell, marks that
/// turn the direction of writing, and what has no width.
fn hides(c: char) -> bool {
    match c {
        '\n' | '\t' | ' ' | '\u{3000}' => false,
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => true,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{3164}' | '\u{feff}'
        | '\u{ffa0}' => true,
        '\u{e0000}'..='\u{e0fff}' => true,
        c => c.is_control() || c.is_whitespace(),
    }
}

/// How many things could open something nested: brackets, and the words that begin a compound command.
fn opened(command: &str) -> usize {
    let brackets = command.bytes().filter(|b| matches!(b, b'(' | b'{' | b'`')).count();
    let words = command.split(|c: char| c.is_whitespace() || matches!(c, ';' | '&' | '|' | '(' | ')'));
    let openers =
        ["if", "elif", "while", "until", "for", "case", "select", "do", "then", "else", "function", "coproc", "!"];
    brackets + words.filter(|word| openers.contains(word)).count()
}
