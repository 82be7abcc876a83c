// SPDX-License-Identifier: Apache-2.0
//! What must hold of the reader of events, which is included by itself: nobody outside of the crate can name it.

#[allow(dead_code, clippy::all)] // as the crate itself has it
#[path = "../../src/sse.rs"]
mod reader;

use super::checks::{cut, pieces};
use reader::SseReader;

fn read(pieces: &[&[u8]]) -> Option<Vec<(String, String)>> {
    let mut reader = SseReader::default();
    let mut events = Vec::new();
    for piece in pieces {
        reader.push(piece, |event| events.push((event.name.to_owned(), event.data.to_owned()))).ok()?;
    }
    reader.end(|event| events.push((event.name.to_owned(), event.data.to_owned()))).ok()?;
    Some(events)
}

/// The same events however the bytes are split and whatever ends their lines.
pub fn sse(data: &[u8]) {
    let (cuts, stream) = cut(data);
    let whole = read(&[stream]);
    assert_eq!(read(&pieces(&cuts, stream)), whole, "the same bytes in pieces are other events");
    let single: Vec<&[u8]> = stream.chunks(1).collect();
    assert_eq!(read(&single), whole, "one by one");
    for (name, data) in whole.iter().flatten() {
        assert!(!name.contains(['\n', '\r']) && !data.contains('\r'));
    }
    if !stream.contains(&b'\r') {
        let crlf: Vec<u8> = stream
            .iter()
            .flat_map(|b| if *b == b'\n' { &b"\r\n"[..] } else { std::slice::from_ref(b) })
            .copied()
            .collect();
        assert_eq!(read(&[&crlf]), whole, "lines that end with CRLF");
    }
}
