// SPDX-License-Identifier: Apache-2.0
use bailey_ports::Redactor;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::{self, Write};
use std::panic::PanicHookInfo;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// What is logged: a level (`debug`), or levels by module (`warn,bailey_net=trace`). `warn` when it is not set.
pub const LOG_VARIABLE: &str = "BAILEY_LOG";

/// Logs to standard error, known secrets taken out. What [`LOG_VARIABLE`] says is read once. A second call changes
/// nothing.
pub fn init_logging(redactor: Redactor) {
    let wanted = std::env::var(LOG_VARIABLE).unwrap_or_default();
    let parsed = wanted.trim().parse::<Targets>();
    let unreadable = parsed.is_err();
    let filter = match parsed {
        Ok(filter) if !wanted.trim().is_empty() => filter,
        _ => Targets::new().with_default(LevelFilter::WARN),
    };
    let layer = tracing_subscriber::fmt::layer().with_writer(Redacting::new(redactor, io::stderr));
    let started = tracing_subscriber::registry().with(filter).with(layer).try_init().is_ok();
    if started && unreadable {
        tracing::warn!("{LOG_VARIABLE} can't be read; write it like debug, or warn,bailey_net=trace");
    }
}

/// Prints panics to standard error, known secrets taken out, with a backtrace when `RUST_BACKTRACE` asks for one.
pub fn install_panic_hook(redactor: Redactor) {
    std::panic::set_hook(Box::new(move |info| {
        let mut out = RedactingWriter::new(redactor.clone(), io::stderr());
        // There is nobody to tell when standard error is closed.
        let _ = write_panic(&mut out, info);
    }));
}

fn write_panic(out: &mut impl Write, info: &PanicHookInfo<'_>) -> io::Result<()> {
    let thread = std::thread::current();
    let place = info.location().map(|l| format!(" at {l}")).unwrap_or_default();
    let payload = info.payload();
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("(no message)");
    // The message may span lines, and a secret in it may, too: it goes out in one piece.
    writeln!(out, "thread '{}' panicked{place}:\n{text}", thread.name().unwrap_or("unnamed"))?;
    let backtrace = Backtrace::capture();
    if backtrace.status() == BacktraceStatus::Captured {
        writeln!(out, "{backtrace}")?;
    }
    Ok(())
}

/// Makes writers that take known secrets out, over a maker of other writers.
#[derive(Clone, Debug)]
pub struct Redacting<M> {
    redactor: Redactor,
    inner: M,
}

impl<M> Redacting<M> {
    /// Wraps a maker of writers, such as [`io::stderr`].
    pub fn new(redactor: Redactor, inner: M) -> Self {
        Self { redactor, inner }
    }
}

impl<'a, M: MakeWriter<'a>> MakeWriter<'a> for Redacting<M> {
    type Writer = RedactingWriter<M::Writer>;

    fn make_writer(&'a self) -> Self::Writer {
        RedactingWriter::new(self.redactor.clone(), self.inner.make_writer())
    }
}

/// A writer that passes on whole lines with known secrets taken out. A secret may come in several writes; what has no
/// line end yet is kept back until it gets one, or until the writer is dropped.
#[derive(Debug)]
pub struct RedactingWriter<W: Write> {
    redactor: Redactor,
    inner: W,
    line: Vec<u8>,
}

impl<W: Write> RedactingWriter<W> {
    /// A line longer than this is passed on in parts, in bytes.
    const LONGEST_LINE: usize = 256 * 1024;
    /// What is kept back of such a line: no secret is longer, in bytes.
    const LONGEST_SECRET: usize = 16 * 1024;

    /// Wraps a writer.
    pub fn new(redactor: Redactor, inner: W) -> Self {
        Self { redactor, inner, line: Vec::new() }
    }

    fn pass_on(&mut self, end: usize) -> io::Result<()> {
        let rest = self.line.split_off(end);
        let text = std::mem::replace(&mut self.line, rest);
        let text = String::from_utf8_lossy(&text);
        self.inner.write_all(self.redactor.clean(&text).as_bytes())
    }

    fn pass_on_part(&mut self) -> io::Result<()> {
        // Whole secrets go first; half of one can only be at the end, and stays there.
        let text = String::from_utf8_lossy(&self.line);
        let mut clean = self.redactor.clean(&text).into_owned().into_bytes();
        let rest = clean.split_off(clean.len().saturating_sub(Self::LONGEST_SECRET));
        self.line = rest;
        self.inner.write_all(&clean)
    }
}

impl<W: Write> Write for RedactingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.extend_from_slice(bytes);
        if let Some(end) = self.line.iter().rposition(|b| *b == b'\n') {
            self.pass_on(end + 1)?;
        }
        if self.line.len() > Self::LONGEST_LINE {
            self.pass_on_part()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<W: Write> Drop for RedactingWriter<W> {
    fn drop(&mut self) {
        let end = self.line.len();
        let _ = self.pass_on(end).and_then(|()| self.inner.flush());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bailey_ports::Secret;
    use std::sync::{Arc, Mutex};

    const CANARY: &str = "sk-canary-5f2c81";

    #[derive(Clone, Default)]
    struct Sink(Arc<Mutex<Vec<u8>>>);

    impl Sink {
        fn text(&self) -> String {
            String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
        }
    }

    impl Write for Sink {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn redactor() -> Redactor {
        let redactor = Redactor::new();
        redactor.learn(&Secret::new(CANARY));
        redactor
    }

    #[test]
    fn a_secret_is_taken_out_however_its_bytes_are_cut() {
        let text = format!("first {CANARY} second\nthird é{CANARY}{CANARY}\nlast {CANARY}");
        for size in 1..text.len() {
            let sink = Sink::default();
            let mut writer = RedactingWriter::new(redactor(), sink.clone());
            for piece in text.as_bytes().chunks(size) {
                writer.write_all(piece).unwrap();
                writer.flush().unwrap();
            }
            assert!(!sink.text().contains("last"), "an unfinished line went out");
            drop(writer);
            let mark = Redactor::MARK;
            assert_eq!(sink.text(), format!("first {mark} second\nthird é{mark}{mark}\nlast {mark}"), "{size}");
        }
    }

    #[test]
    fn a_line_without_end_is_passed_on_in_clean_parts() {
        let sink = Sink::default();
        let mut writer = RedactingWriter::new(redactor(), sink.clone());
        let piece = format!("{}{CANARY}", "x".repeat(1009));
        for _ in 0..400 {
            for part in piece.as_bytes().chunks(700) {
                writer.write_all(part).unwrap();
            }
            assert!(writer.line.len() <= 300 * 1024);
        }
        assert!(sink.text().len() > 200_000);
        drop(writer);
        let text = sink.text();
        assert!(!text.contains("canary"));
        assert_eq!(text.matches(Redactor::MARK).count(), 400);
        assert_eq!(text.matches('x').count(), 403_600);
    }

    #[test]
    fn events_are_logged_without_secrets() {
        let sink = Sink::default();
        let made = sink.clone();
        let layer = tracing_subscriber::fmt::layer().with_writer(Redacting::new(redactor(), move || made.clone()));
        let subscriber = tracing_subscriber::registry().with(layer);
        tracing::subscriber::with_default(subscriber, || {
            tracing::error!(key = CANARY, body = ?format!("{{\"error\":\"{CANARY}\"}}"), "refused {CANARY}");
            tracing::warn!("plain");
        });
        let text = sink.text();
        assert!(!text.contains("canary"), "{text}");
        assert_eq!(text.matches(Redactor::MARK).count(), 3, "{text}");
        assert!(text.lines().nth(1).is_some_and(|l| l.contains("WARN") && l.ends_with("plain")), "{text}");
    }
}
