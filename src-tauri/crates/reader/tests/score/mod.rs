// SPDX-License-Identifier: Apache-2.0
//! How well an article was found: precision, recall and F1 over shingles of four words, as the article extraction
//! benchmark counts them, after markdown's marks are taken off.

use flate2::read::GzDecoder;
use regex::Regex;
use std::collections::HashMap;
use std::fs::{File, read_dir};
use std::io::Read;
use std::path::PathBuf;
use std::sync::LazyLock;

/// A page of the corpus.
pub(crate) struct Sample {
    /// Its name.
    pub(crate) name: String,
    /// Its bytes.
    pub(crate) html: Vec<u8>,
    /// The text of its article.
    pub(crate) truth: String,
}

/// The pages of `BAILEY_ARTICLES`, else of `../shared/data/articles` beside the repository; `None` when there are none.
pub(crate) fn corpus() -> Option<Vec<Sample>> {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/data/articles");
    let folder = std::env::var_os("BAILEY_ARTICLES").map_or(beside, PathBuf::from);
    let truth: serde_json::Value =
        serde_json::from_reader(File::open(folder.join("truth.json")).ok()?).expect("truth.json is JSON");
    let mut samples: Vec<Sample> = read_dir(&folder)
        .ok()?
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let name = path.file_name()?.to_str()?.strip_suffix(".html.gz")?.to_owned();
            let mut html = Vec::new();
            GzDecoder::new(File::open(&path).ok()?).read_to_end(&mut html).expect("a page unpacks");
            let truth = truth[&name]["articleBody"].as_str().expect("each page has its article").to_owned();
            Some(Sample { name, html, truth })
        })
        .collect();
    samples.sort_by(|one, other| one.name.cmp(&other.name));
    Some(samples)
}

/// Precision, recall and F1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Score {
    pub(crate) precision: f64,
    pub(crate) recall: f64,
    pub(crate) f1: f64,
}

/// The score of many pages: pairs of what should have been found and what was.
pub(crate) fn score<'a>(pages: impl IntoIterator<Item = (&'a str, &'a str)>) -> Score {
    let (mut hit, mut extra, mut missed) = (0.0, 0.0, 0.0);
    for (truth, found) in pages {
        let (one_hit, one_extra, one_missed) = shares(truth, &strip(found));
        hit += one_hit;
        extra += one_extra;
        missed += one_missed;
    }
    let (precision, recall) = (hit / (hit + extra), hit / (hit + missed));
    Score { precision, recall, f1: 2.0 * precision * recall / (precision + recall) }
}

/// Which shares of all shingles of a page are right, too many and missing.
pub(crate) fn shares(truth: &str, found: &str) -> (f64, f64, f64) {
    let (truth, found) = (shingles(truth), shingles(found));
    let hit: usize = truth.iter().map(|(shingle, count)| count.min(found.get(shingle).unwrap_or(&0))).sum();
    let (extra, missed) = (found.values().sum::<usize>() - hit, truth.values().sum::<usize>() - hit);
    let all = (hit + extra + missed) as f64;
    if all == 0.0 { (0.0, 0.0, 0.0) } else { (hit as f64 / all, extra as f64 / all, missed as f64 / all) }
}

fn shingles(text: &str) -> HashMap<Vec<&str>, usize> {
    let words: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect();
    let mut counted = HashMap::new();
    if !words.is_empty() {
        for at in 0..words.len().saturating_sub(3).max(1) {
            *counted.entry(words[at..words.len().min(at + 4)].to_vec()).or_default() += 1;
        }
    }
    counted
}

/// Text without markdown's marks; pictures are marks.
pub(crate) fn strip(markdown: &str) -> String {
    static RULES: LazyLock<[(Regex, &str); 5]> = LazyLock::new(|| {
        [
            (r"!\[[^\]]*\]\([^)]*\)", " "),
            (r"\[([^\]]*)\]\([^)]*\)", "$1"),
            (r"(?m)^\s*[-*_]{3,}\s*$", " "),
            (r"\\([\\`*_{}\[\]()#+\-.!|>~])", "$1"),
            (r"[*_`#>|]", " "),
        ]
        .map(|(pattern, with)| (Regex::new(pattern).expect("a pattern"), with))
    });
    RULES.iter().fold(markdown.to_owned(), |text, (pattern, with)| pattern.replace_all(&text, *with).into_owned())
}
