// SPDX-License-Identifier: Apache-2.0
//! Server-sent events from bytes, without IO.
//!
//! The crates that parse these (sse-stream, eventsource-stream) wrap an async body and drop a last event that no blank
//! line ends; a reader that is pushed bytes can be tested at every split, and hands events out without allocating.

use std::borrow::Cow;

/// An event may have this many bytes of data.
pub(crate) const MAX_EVENT: usize = 16 << 20;

/// One event.
#[derive(Debug, PartialEq)]
pub(crate) struct Event<'a> {
    /// Its type; empty unless the server named one.
    pub(crate) name: &'a str,
    /// Its data, lines joined by `\n`.
    pub(crate) data: &'a str,
}

/// An event is larger than [`MAX_EVENT`].
#[derive(Debug, PartialEq)]
pub(crate) struct TooLarge;

/// An incremental reader by the rules of the HTML standard: lines end with LF, CR or CRLF, a byte order mark is skipped,
/// comments are ignored, data may have several lines. Unlike there, a last event without its blank line counts.
#[derive(Clone, Debug, Default)]
pub(crate) struct SseReader {
    /// The beginning of a line whose end has not come.
    partial: Vec<u8>,
    data: Vec<u8>,
    has_data: bool,
    name: Vec<u8>,
    /// The last byte was a CR: an LF belongs to it.
    after_cr: bool,
    /// The first line is over, and with it the place of a byte order mark.
    begun: bool,
}

impl SseReader {
    /// Reads on; calls `on` for each event that is whole.
    pub(crate) fn push(&mut self, bytes: &[u8], mut on: impl FnMut(Event<'_>)) -> Result<(), TooLarge> {
        let mut rest = bytes;
        if self.after_cr && !rest.is_empty() {
            self.after_cr = false;
            rest = rest.strip_prefix(b"\n").unwrap_or(rest);
        }
        while let Some(at) = memchr::memchr2(b'\n', b'\r', rest) {
            let (line, after) = (&rest[..at], &rest[at + 1..]);
            let cr = rest[at] == b'\r';
            rest = if cr { after.strip_prefix(b"\n").unwrap_or(after) } else { after };
            self.after_cr = cr && after.is_empty();
            if self.partial.is_empty() {
                // Most events are one line and a blank one: such data is handed on from where it lies.
                if let Some(value) = self.alone(line)
                    && let Some(next) = rest.strip_prefix(b"\n")
                {
                    rest = next;
                    let value = value.strip_prefix(b" ").unwrap_or(value);
                    on(Event { name: &text(&self.name), data: &text(value) });
                    self.name.clear();
                    continue;
                }
                self.line(line, &mut on)?;
            } else {
                self.partial.extend_from_slice(line);
                let whole = std::mem::take(&mut self.partial);
                self.line(&whole, &mut on)?;
                self.partial = whole;
                self.partial.clear();
            }
        }
        self.partial.extend_from_slice(rest);
        if self.partial.len() + self.data.len() > MAX_EVENT { Err(TooLarge) } else { Ok(()) }
    }

    /// The bytes are over: what is left counts as a whole line and a whole event.
    pub(crate) fn end(&mut self, mut on: impl FnMut(Event<'_>)) -> Result<(), TooLarge> {
        let last = std::mem::take(&mut self.partial);
        if !last.is_empty() {
            self.line(&last, &mut on)?;
        }
        self.dispatch(&mut on);
        Ok(())
    }

    /// The data of a line that may be all of its event's, with the space before it.
    fn alone<'a>(&self, line: &'a [u8]) -> Option<&'a [u8]> {
        line.strip_prefix(b"data:").filter(|value| self.begun && !self.has_data && value.len() <= MAX_EVENT)
    }

    fn line(&mut self, line: &[u8], on: &mut impl FnMut(Event<'_>)) -> Result<(), TooLarge> {
        let line = if self.begun { line } else { line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line) };
        self.begun = true;
        if line.is_empty() {
            self.dispatch(on);
            return Ok(());
        }
        let (field, value) = match memchr::memchr(b':', line) {
            Some(at) => (&line[..at], line[at + 1..].strip_prefix(b" ").unwrap_or(&line[at + 1..])),
            None => (line, &b""[..]),
        };
        match field {
            b"data" => {
                if self.data.len() + value.len() > MAX_EVENT {
                    return Err(TooLarge);
                }
                if self.has_data {
                    self.data.push(b'\n');
                }
                self.has_data = true;
                self.data.extend_from_slice(value);
            }
            b"event" => {
                self.name.clear();
                self.name.extend_from_slice(value);
            }
            // Comments have an empty field; id and retry mean nothing here; others are to be ignored.
            _ => {}
        }
        Ok(())
    }

    fn dispatch(&mut self, on: &mut impl FnMut(Event<'_>)) {
        if self.has_data {
            on(Event { name: &text(&self.name), data: &text(&self.data) });
        }
        self.data.clear();
        self.has_data = false;
        self.name.clear();
    }
}

/// Bytes as text. Whole text, which is the rule, is recognised much faster than it is mended.
fn text(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(pieces: &[&[u8]]) -> Vec<(String, String)> {
        let mut reader = SseReader::default();
        let mut events = Vec::new();
        for piece in pieces {
            reader.push(piece, |e| events.push((e.name.to_owned(), e.data.to_owned()))).unwrap();
        }
        reader.end(|e| events.push((e.name.to_owned(), e.data.to_owned()))).unwrap();
        events
    }

    #[test]
    fn the_standards_rules() {
        let table: [(&str, &[(&str, &str)]); 16] = [
            ("data: a\n\n", &[("", "a")]),
            ("data:a\n\n", &[("", "a")]),
            ("data:  a\n\n", &[("", " a")]),
            ("data: a\r\n\r\n", &[("", "a")]),
            ("data: a\r\r", &[("", "a")]),
            ("data: a\r\rdata: b\n\r\n", &[("", "a"), ("", "b")]),
            ("data: a\ndata: b\n\n", &[("", "a\nb")]),
            ("data\ndata\n\n", &[("", "\n")]),
            ("data:\n\n", &[("", "")]),
            (": keep-alive\n\n: another\ndata: a\n\n", &[("", "a")]),
            ("\u{FEFF}data: a\n\ndata: \u{FEFF}b\n\n", &[("", "a"), ("", "\u{FEFF}b")]),
            ("event: error\ndata: a\n\ndata: b\n\n", &[("error", "a"), ("", "b")]),
            ("event: ping\n\ndata: b\n\n", &[("", "b")]),
            ("id: 7\nretry: 10\nfoo: bar\ndatum: x\ndata: a: b\n\n", &[("", "a: b")]),
            ("data: a\n\ndata: unfinished", &[("", "a"), ("", "unfinished")]),
            ("\n\n\r\r\n", &[]),
        ];
        for (text, events) in table {
            let events: Vec<_> = events.iter().map(|(n, d)| ((*n).to_owned(), (*d).to_owned())).collect();
            assert_eq!(read(&[text.as_bytes()]), events, "{text:?}");
            for at in 0..=text.len() {
                let (head, tail) = text.as_bytes().split_at(at);
                assert_eq!(read(&[head, tail]), events, "{text:?} split at {at}");
            }
            let single: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
            assert_eq!(read(&single), events, "{text:?} byte by byte");
        }
        assert_eq!(read(&[b"data: a\xFFb\n\n"]), [(String::new(), "a\u{FFFD}b".to_owned())]);
    }

    #[test]
    fn an_event_has_a_limit() {
        let mut reader = SseReader::default();
        let piece = vec![b'x'; MAX_EVENT / 4];
        assert_eq!(reader.push(b"data: ", |_| ()), Ok(()));
        for _ in 0..3 {
            assert_eq!(reader.push(&piece, |_| ()), Ok(()));
        }
        assert_eq!(reader.push(&piece, |_| ()), Err(TooLarge));

        let mut reader = SseReader::default();
        let line = [b"data: ".as_slice(), &piece, b"\n"].concat();
        let results: Vec<_> = (0..5).map(|_| reader.push(&line, |_| ())).collect();
        assert_eq!(results.last(), Some(&Err(TooLarge)));
    }

    proptest! {
        #[test]
        fn any_bytes_read_the_same_at_any_split(bytes in "[dat: \r\n\u{FEFF}x]{0,60}", cuts in proptest::collection::vec(0_usize..80, 0..6)) {
            let bytes = bytes.as_bytes();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
            cuts.extend([0, bytes.len()]);
            cuts.sort_unstable();
            let pieces: Vec<&[u8]> = cuts.windows(2).map(|w| &bytes[w[0]..w[1]]).collect();
            prop_assert_eq!(read(&pieces), read(&[bytes]));
        }
    }
}
