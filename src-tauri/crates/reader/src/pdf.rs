// SPDX-License-Identifier: Apache-2.0
//! The text of a PDF. `pdf_oxide` keeps the order of columns and mends broken files; where it finds nothing (files
//! that are encrypted without a password above all) `lopdf` is asked.

use crate::{Document, Kind, ReadError, bounded};
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The largest file in bytes.
const LARGEST: usize = 64 * 1024 * 1024;

/// The most that one stream in a file may unpack to, in bytes.
const LARGEST_STREAM: usize = 64 * 1024 * 1024;

/// The most pages that are read.
const MOST_PAGES: usize = 2_000;

/// The most text, in bytes.
const MOST_TEXT: usize = 8 * 1024 * 1024;

/// How long pages are read; what there is then is the answer.
const READING: Duration = Duration::from_secs(15);

/// How long a page may hang beyond that before it is given up on.
const PATIENCE: Duration = Duration::from_secs(5);

/// The pages read so far, so that they are not lost when a later one hangs.
#[derive(Default)]
struct Pages {
    texts: Vec<String>,
    /// How many the file has.
    all: usize,
}

impl Pages {
    fn is_empty(&self) -> bool {
        self.texts.iter().all(|text| text.trim().is_empty())
    }
}

/// Whether these bytes are a PDF; some have a few bytes of something else in front.
pub(crate) fn is_pdf(bytes: &[u8]) -> bool {
    memchr::memmem::find(&bytes[..bytes.len().min(1024)], b"%PDF-").is_some()
}

/// Reads a PDF.
pub(crate) fn read(bytes: &[u8]) -> Result<Document, ReadError> {
    if bytes.len() > LARGEST {
        return Err(ReadError::TooLarge { most: LARGEST });
    }
    let bytes: Arc<[u8]> = bytes.into();
    let until = Instant::now() + READING;
    let (mut pages, mut stopped) = with(Engine::Oxide, &bytes, until);
    if pages.is_empty() && stopped != Some(bounded::Stopped::TimedOut) {
        let (others, why) = with(Engine::Lopdf, &bytes, until);
        if !others.is_empty() || pages.all == 0 {
            (pages, stopped) = (others, why);
        }
    }
    if pages.is_empty() {
        return Err(match stopped {
            Some(bounded::Stopped::TimedOut) => ReadError::TooSlow,
            _ if is_encrypted(&bytes) => ReadError::Encrypted,
            _ if pages.all > 0 => ReadError::NoText { pages: pages.all },
            _ => ReadError::Damaged,
        });
    }
    let mut markdown = String::new();
    for (at, text) in pages.texts.iter().enumerate() {
        if markdown.len() > MOST_TEXT {
            break;
        }
        let _ = write!(
            markdown,
            "[Page {} of {}]\n\n{}\n\n",
            at + 1,
            pages.all,
            crate::html::tidy(&text.replace(['\u{c}', '\0'], "\n"))
        );
    }
    markdown.truncate(markdown.trim_end().len());
    Ok(Document {
        truncated: pages.texts.len() < pages.all || markdown.len() > MOST_TEXT,
        markdown,
        ..Document::new(Kind::Pdf)
    })
}

#[derive(Clone, Copy)]
enum Engine {
    Oxide,
    Lopdf,
}

fn with(engine: Engine, bytes: &Arc<[u8]>, until: Instant) -> (Pages, Option<bounded::Stopped>) {
    let pages = Arc::new(Mutex::new(Pages::default()));
    let (theirs, bytes) = (Arc::clone(&pages), Arc::clone(bytes));
    let limit = until.saturating_duration_since(Instant::now()) + PATIENCE;
    let stopped = bounded::run("pdf", limit, move || match engine {
        Engine::Oxide => oxide(&bytes, until, &theirs),
        Engine::Lopdf => lopdf(&bytes, until, &theirs),
    });
    let read = std::mem::take(&mut *pages.lock().unwrap_or_else(PoisonError::into_inner));
    (read, stopped.err())
}

fn oxide(bytes: &[u8], until: Instant, pages: &Mutex<Pages>) {
    let Ok(file) = pdf_oxide::PdfDocument::from_bytes(bytes.to_vec()) else { return };
    let count = file.page_count().unwrap_or(0);
    each(count, until, pages, |at| file.extract_text(at).ok());
}

fn lopdf(bytes: &[u8], until: Instant, pages: &Mutex<Pages>) {
    let options = lopdf::LoadOptions::with_max_decompressed_size(LARGEST_STREAM);
    let Ok(mut file) = lopdf::Document::load_mem_with_options(bytes, options) else { return };
    if file.is_encrypted() && file.decrypt("").is_err() {
        return;
    }
    let numbers: Vec<u32> = file.get_pages().into_keys().collect();
    each(numbers.len(), until, pages, |at| file.extract_text_with_limit(&[numbers[at]], LARGEST_STREAM).ok());
}

/// Reads page after page until the time is up. A page that fails is empty.
fn each(count: usize, until: Instant, pages: &Mutex<Pages>, read: impl Fn(usize) -> Option<String>) {
    let lock = || pages.lock().unwrap_or_else(PoisonError::into_inner);
    lock().all = count;
    let mut length = 0;
    for at in 0..count.min(MOST_PAGES) {
        if Instant::now() >= until || length > MOST_TEXT {
            break;
        }
        let text = catch_unwind(AssertUnwindSafe(|| read(at))).ok().flatten().unwrap_or_default();
        length += text.len();
        lock().texts.push(text);
    }
}

fn is_encrypted(bytes: &[u8]) -> bool {
    memchr::memmem::find(bytes, b"/Encrypt").is_some()
}
