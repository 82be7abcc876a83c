// SPDX-License-Identifier: Apache-2.0
use std::fmt::Write as _;
use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::time::Duration;
use tokio::sync::mpsc;

/// Says something to the person: one text, on standard error, made safe.
pub(crate) fn say(text: &str) {
    let mut err = std::io::stderr().lock();
    // Nobody can be told that nobody can be told anything.
    let _ = writeln!(err, "{}", safe(text));
}

/// Says something and stays in the line, for a prompt.
pub(crate) fn say_inline(text: &str) {
    let mut err = std::io::stderr().lock();
    let _ = write!(err, "{}", safe(text)).and_then(|()| err.flush());
}

/// Whether a person sits here: questions go to standard error and answers come from standard input.
pub(crate) fn is_interactive() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// The text with everything made visible that could move a terminal's cursor, change its state, or show the text in
/// another order than it stands.
pub(crate) fn safe(text: &str) -> std::borrow::Cow<'_, str> {
    if !text.chars().any(is_unsafe) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match is_unsafe(c) {
            true => {
                let _ = write!(out, "\\u{{{:x}}}", c as u32);
            }
            false => out.push(c),
        }
    }
    out.into()
}

fn is_unsafe(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        // Marks and overrides of the writing direction.
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        _ => c.is_control(),
    }
}

/// The lines a person types. Reading begins with the first question, so that what is typed for the shell stays there.
#[derive(Default)]
pub(crate) struct Lines(Option<mpsc::UnboundedReceiver<String>>);

impl Lines {
    /// What was typed before a question could be read is not its answer.
    const TOO_QUICK: Duration = Duration::from_millis(300);

    /// Throws away what was typed so far.
    pub(crate) async fn discard(&mut self) {
        let lines = self.0.get_or_insert_with(read_lines);
        let _ = tokio::time::timeout(Self::TOO_QUICK, async { while lines.recv().await.is_some() {} }).await;
    }

    /// The next line, without its end; `None` when no more can come. May be dropped and called again.
    pub(crate) async fn next(&mut self) -> Option<String> {
        self.0.get_or_insert_with(read_lines).recv().await
    }
}

/// A thread of its own reads, for a read of a terminal can't be called off; it ends with the process.
fn read_lines() -> mpsc::UnboundedReceiver<String> {
    let (sender, receiver) = mpsc::unbounded_channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines() {
            let Ok(line) = line else { return };
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_reaches_the_terminal_but_text() {
        for (text, shown) in [
            ("plain, 中文 and 👋\n\tok", "plain, 中文 and 👋\n\tok"),
            ("\u{1b}]52;c;aGk=\u{7}", "\\u{1b}]52;c;aGk=\\u{7}"),
            ("a\rb\u{8}\u{7f}\u{9b}2J", "a\\u{d}b\\u{8}\\u{7f}\\u{9b}2J"),
            ("rm \u{202e}txt.exe", "rm \\u{202e}txt.exe"),
        ] {
            assert_eq!(safe(text), shown);
        }
    }
}
