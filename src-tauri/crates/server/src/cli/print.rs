// SPDX-License-Identifier: Apache-2.0
use super::terminal::safe;
use bailey_protocol::{Block, Delta, DeltaKind, Message, MessageId, StreamMessage};
use std::io::{self, Write};

/// Writes a run to standard output: its answer's text as it comes, or its events as lines of JSON.
pub(crate) struct Printer<W> {
    out: W,
    /// Whether a terminal shows it, which may not be driven by what a model says.
    shown: bool,
    /// The message being printed, and the text of it that is out.
    current: Option<(MessageId, String)>,
    /// The last character that went out; `None` before the first.
    last: Option<char>,
    /// Something else than text came since the last text.
    apart: bool,
}

impl<W: Write> Printer<W> {
    /// A printer to `out`.
    pub(crate) fn new(out: W, shown: bool) -> Self {
        Self { out, shown, current: None, last: None, apart: false }
    }

    /// Writes an event as a line.
    pub(crate) fn event(&mut self, message: &StreamMessage) -> io::Result<()> {
        let mut line = serde_json::to_vec(message)?;
        line.push(b'\n');
        self.out.write_all(&line)?;
        self.out.flush()
    }

    /// Text was added to the answer.
    pub(crate) fn delta(&mut self, delta: &Delta) -> io::Result<()> {
        if delta.kind != DeltaKind::Text {
            self.apart = true;
            return Ok(());
        }
        self.begin(&delta.message)?;
        self.add(&delta.text)
    }

    /// A message came as a whole: what of its text was not printed yet is. Text that turns out to be another than was
    /// streamed is printed below.
    pub(crate) fn message(&mut self, message: &Message) -> io::Result<()> {
        let whole: Vec<&str> = message
            .blocks
            .iter()
            .filter_map(|block| match block {
                Block::Text { text } => Some(text.as_str()),
                _ => None,
            })
            .collect();
        let whole = whole.concat();
        let printed = match &self.current {
            Some((id, printed)) if *id == message.id => printed.as_str(),
            _ => "",
        };
        match whole.strip_prefix(printed) {
            Some("") => Ok(()),
            Some(rest) => {
                let rest = rest.to_owned();
                self.begin(&message.id)?;
                self.add(&rest)
            }
            None => {
                self.current = None;
                self.begin(&message.id)?;
                self.add(&whole)
            }
        }
    }

    /// Ends the last line.
    pub(crate) fn end(&mut self) -> io::Result<()> {
        if self.last.is_some_and(|c| c != '\n') {
            self.raw("\n")?;
        }
        Ok(())
    }

    /// Whether the line is begun, so that something said beside it would join it on a terminal.
    pub(crate) fn in_line(&self) -> bool {
        self.last.is_some_and(|c| c != '\n')
    }

    fn begin(&mut self, id: &MessageId) -> io::Result<()> {
        let same = matches!(&self.current, Some((current, _)) if current == id);
        if !same {
            self.current = Some((id.clone(), String::new()));
        }
        if (!same || self.apart) && self.last.is_some() {
            self.raw(if self.in_line() { "\n\n" } else { "\n" })?;
        }
        self.apart = false;
        Ok(())
    }

    fn add(&mut self, text: &str) -> io::Result<()> {
        if let Some((_, printed)) = &mut self.current {
            printed.push_str(text);
        }
        match self.shown {
            true => self.raw(&safe(text)),
            false => self.raw(text),
        }
    }

    fn raw(&mut self, text: &str) -> io::Result<()> {
        self.last = text.chars().next_back().or(self.last);
        self.out.write_all(text.as_bytes())?;
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bailey_protocol::{ConversationId, Labels, MessageStatus, Role, RunId};

    fn delta(message: &str, kind: DeltaKind, text: &str) -> Delta {
        Delta { conversation: ConversationId::from("c"), message: MessageId::from(message), kind, text: text.into() }
    }

    fn message(id: &str, texts: &[&str]) -> Message {
        Message {
            id: MessageId::from(id),
            conversation: ConversationId::from("c"),
            parent: None,
            run: RunId::from("r"),
            role: Role::Assistant,
            status: MessageStatus::Complete,
            at: 0,
            blocks: texts.iter().map(|t| Block::Text { text: (*t).into() }).collect(),
            labels: Labels::none(),
            model: None,
            usage: None,
            native: None,
            summary: None,
            siblings: Vec::new(),
        }
    }

    fn printed(shown: bool, steps: impl FnOnce(&mut Printer<&mut Vec<u8>>)) -> String {
        let mut out = Vec::new();
        let mut printer = Printer::new(&mut out, shown);
        steps(&mut printer);
        printer.end().unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_answer_comes_as_it_is_streamed_and_once() {
        let text = printed(false, |p| {
            p.delta(&delta("m1", DeltaKind::Text, "Let me ")).unwrap();
            p.delta(&delta("m1", DeltaKind::Text, "see.")).unwrap();
            p.delta(&delta("m1", DeltaKind::Call, "compute")).unwrap();
            p.message(&message("m1", &["Let me see."])).unwrap();
            p.message(&message("m1", &["Let me see."])).unwrap();
            p.delta(&delta("m2", DeltaKind::Reasoning, "hm")).unwrap();
            p.delta(&delta("m2", DeltaKind::Text, "It is ")).unwrap();
            p.message(&message("m2", &["It is 2.\n"])).unwrap();
        });
        assert_eq!(text, "Let me see.\n\nIt is 2.\n");
    }

    #[test]
    fn blocks_stand_apart_and_a_changed_text_is_printed_again() {
        let text = printed(false, |p| {
            p.delta(&delta("m1", DeltaKind::Text, "One.")).unwrap();
            p.delta(&delta("m1", DeltaKind::Reasoning, "hm")).unwrap();
            p.delta(&delta("m1", DeltaKind::Text, "Two.")).unwrap();
            p.message(&message("m1", &["One.", "Two."])).unwrap();
            p.message(&message("m1", &["Other."])).unwrap();
        });
        assert_eq!(text, "One.\n\nTwo.\n\nOther.\n");
        assert_eq!(printed(false, |p| p.message(&message("m1", &[])).unwrap()), "");
    }

    #[test]
    fn only_a_terminal_is_spared_control_characters() {
        let step = |p: &mut Printer<&mut Vec<u8>>| p.delta(&delta("m", DeltaKind::Text, "\u{1b}[2J")).unwrap();
        assert_eq!(printed(true, step), "\\u{1b}[2J\n");
        assert_eq!(printed(false, step), "\u{1b}[2J\n");
    }
}
