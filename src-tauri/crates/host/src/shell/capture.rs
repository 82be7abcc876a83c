// SPDX-License-Identifier: Apache-2.0
use std::collections::VecDeque;
use tokio::io::{AsyncRead, AsyncReadExt};

/// The beginning and the end of an output; the middle of a long one is dropped as it comes, so that a command that never
/// stops printing takes no memory.
#[derive(Debug, Default)]
pub(super) struct Capture {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    dropped: u64,
}

impl Capture {
    /// Kept of the beginning, in bytes.
    const HEAD: usize = 64 * 1024;
    /// Kept of the end, in bytes.
    const TAIL: usize = 16 * 1024;

    /// Reads to the end of the stream; an error ends it, too.
    pub(super) async fn read(&mut self, stream: Option<impl AsyncRead + Unpin>) {
        let Some(mut stream) = stream else { return };
        let mut buffer = vec![0; 16 * 1024];
        while let Ok(count @ 1..) = stream.read(&mut buffer).await {
            self.add(&buffer[..count]);
        }
    }

    fn add(&mut self, bytes: &[u8]) {
        let (head, rest) = bytes.split_at(bytes.len().min(Self::HEAD - self.head.len()));
        self.head.extend_from_slice(head);
        self.tail.extend(rest);
        let over = self.tail.len().saturating_sub(Self::TAIL);
        self.tail.drain(..over);
        self.dropped += over as u64;
    }

    pub(super) fn is_cut(&self) -> bool {
        self.dropped > 0
    }

    /// The text, what is not UTF-8 replaced, with a line that says how much is missing.
    pub(super) fn into_text(self) -> String {
        let tail = Vec::from(self.tail);
        if self.dropped == 0 {
            // In one piece: a character may lie across the border.
            let mut all = self.head;
            all.extend(tail);
            return String::from_utf8_lossy(&all).into_owned();
        }
        format!(
            "{}\n[… {} bytes left out …]\n{}",
            String::from_utf8_lossy(&self.head),
            self.dropped,
            String::from_utf8_lossy(&tail)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn captured(text: &str, piece: usize) -> Capture {
        let mut capture = Capture::default();
        text.as_bytes().chunks(piece).for_each(|bytes| capture.add(bytes));
        capture
    }

    #[test]
    fn short_output_is_whole_however_it_comes() {
        let text = "é".repeat(35_000); // across the border of head and tail
        for piece in [1, 3, 4096, 100_000] {
            let capture = captured(&text, piece);
            assert!(!capture.is_cut());
            assert!(capture.into_text() == text, "{piece}");
        }
    }

    #[test]
    fn long_output_keeps_its_beginning_and_its_end() {
        let text: String = (0..100_000).map(|n| format!("{n}\n")).collect();
        for piece in [7, 4096, 1 << 20] {
            let capture = captured(&text, piece);
            assert!(capture.is_cut());
            let kept = capture.into_text();
            let left_out = text.len() - Capture::HEAD - Capture::TAIL;
            assert!(kept.starts_with("0\n1\n2\n") && kept.ends_with("\n99998\n99999\n"), "{piece}");
            assert!(kept.contains(&format!("\n[… {left_out} bytes left out …]\n")), "{piece}");
            assert!(kept.len() < Capture::HEAD + Capture::TAIL + 100);
        }
    }
}
