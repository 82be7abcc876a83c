// SPDX-License-Identifier: Apache-2.0
//! How fast and how well articles are read, beside `dom_smoothie` by itself. `npm run bench -- articles` runs it.
//!
//! Prints a line for each reader: `NAME articles pages=N f1=F precision=P recall=R ms=T`, milliseconds a page, the best of
//! several turns taken one after the other.

#[allow(dead_code, reason = "the tests use all of it")]
#[path = "../tests/score/mod.rs"]
mod score;

use score::{Sample, corpus, score as scored};
use std::io::Write as _;
use std::time::{Duration, Instant};

/// How often each reader reads all pages.
const TURNS: usize = 5;

const ADDRESS: &str = "https://example.org/page";

/// From the bytes of a page to markdown.
type Reader = fn(&[u8]) -> String;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let samples = corpus().ok_or("no corpus of articles: set BAILEY_ARTICLES")?;
    let readers: [(&str, Reader); 2] = [("bailey", bailey), ("dom_smoothie", dom_smoothie)];
    let mut best = [Duration::MAX; 2];
    for _ in 0..TURNS {
        for (at, (_, reader)) in readers.iter().enumerate() {
            let begun = Instant::now();
            for sample in &samples {
                std::hint::black_box(reader(&sample.html));
            }
            best[at] = best[at].min(begun.elapsed());
        }
    }
    let mut out = std::io::stdout();
    for ((name, reader), time) in readers.iter().zip(best) {
        let found: Vec<String> = samples.iter().map(|sample| reader(&sample.html)).collect();
        let reached =
            scored(samples.iter().zip(&found).map(|(Sample { truth, .. }, found)| (truth.as_str(), found.as_str())));
        let ms = time.as_secs_f64() * 1e3 / samples.len() as f64;
        let score::Score { precision, recall, f1 } = reached;
        writeln!(
            out,
            "{name} articles pages={} f1={f1:.4} precision={precision:.4} recall={recall:.4} ms={ms:.2}",
            samples.len()
        )?;
    }
    Ok(())
}

fn bailey(html: &[u8]) -> String {
    bailey_reader::read(html, Some("text/html"), ADDRESS).map(|document| document.markdown).unwrap_or_default()
}

fn dom_smoothie(html: &[u8]) -> String {
    let config = dom_smoothie::Config { text_mode: dom_smoothie::TextMode::Markdown, ..Default::default() };
    let html = String::from_utf8_lossy(html).into_owned();
    let article =
        dom_smoothie::Readability::new(html, Some(ADDRESS), Some(config)).and_then(|mut reading| reading.parse());
    article.map(|article| article.text_content.to_string()).unwrap_or_default()
}
