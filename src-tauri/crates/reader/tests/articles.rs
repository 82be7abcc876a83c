// SPDX-License-Identifier: Apache-2.0
//! How well articles are found on pages that others wrote, counted as their benchmark counts.
//!
//! The folder is `BAILEY_ARTICLES`, else `../shared/data/articles` beside the repository; without it only the samples here run.

#[allow(dead_code, reason = "the speed example uses all of it")]
mod score;

use bailey_reader::{Kind, read};
use score::{Sample, corpus, score, shares, strip};
use std::io::Write;

/// What the corpus has to reach: as much as `dom_smoothie` by itself over the whole benchmark, and more.
const F1: f64 = 0.97;

#[test]
fn articles_are_found() {
    let samples = corpus().unwrap_or_else(|| {
        let mut out = std::io::stdout();
        let _ = writeln!(out, "no corpus of articles: only the samples of this file ran");
        vec![sample()]
    });
    let found: Vec<String> = samples
        .iter()
        .map(|Sample { name, html, .. }| {
            let document =
                read(html, Some("text/html; charset=utf-8"), "https://example.org/page").expect("HTML always reads");
            assert!(document.markdown.chars().count() > 100, "{name} gives next to nothing: {document:?}");
            document.markdown
        })
        .collect();
    let reached = score(samples.iter().zip(&found).map(|(sample, found)| (sample.truth.as_str(), found.as_str())));
    let _ = writeln!(std::io::stdout(), "{} pages: {reached:.4?}", samples.len());
    assert!(reached.f1 >= F1, "{reached:?}");
}

/// A page as news sites build them.
fn sample() -> Sample {
    let paragraphs: Vec<String> = (1..=6)
        .map(|at| format!("Paragraph {at} tells what the council decided on its meeting, who was for it and who was against it, and what comes next."))
        .collect();
    let body: String = paragraphs.iter().map(|text| format!("<p>{text}</p>")).collect();
    let html = format!(
        "<html><head><title>The council decides</title></head><body><nav><a href=/>Home</a> <a href=/news>News</a></nav><article><h1>The council \
         decides</h1><p class=byline>By Ada Poe</p><p>Published May 3, 2024, 10:15</p>{body}<div class=share-tools><a href=#>Share</a></div>\
         <h3>You may also like</h3><ul><li><a href=/1>Another story altogether</a></li></ul></article><footer>All rights reserved</footer></body></html>"
    );
    Sample { name: "sample".into(), html: html.into_bytes(), truth: paragraphs.join("\n") }
}

#[test]
fn a_page_of_news_gives_its_text_alone() {
    let Sample { html, truth, .. } = sample();
    let document = read(&html, None, "https://example.org/news/1").unwrap();
    assert_eq!(document.kind, Kind::Article);
    assert_eq!(document.title, "The council decides");
    assert_eq!(document.byline.as_deref(), Some("By Ada Poe"));
    assert_eq!(document.markdown.replace("\n\n", "\n"), truth);
}

#[test]
fn the_score_is_the_benchmarks() {
    assert_eq!(shares("a b c d e", "a b c d e"), (1.0, 0.0, 0.0));
    // Shingles abcd, bcde against abcd, bcdx.
    assert_eq!(shares("a b c d e", "a b c d x"), (1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0));
    assert_eq!(shares("a b", "a b"), (1.0, 0.0, 0.0));
    assert_eq!(shares("a b", ""), (0.0, 0.0, 1.0));
    assert_eq!(shares("", ""), (0.0, 0.0, 0.0));
    // Shingles are counted as often as they come.
    assert_eq!(shares("a a a a a", "a a a a"), (0.5, 0.0, 0.5));
    assert_eq!(
        strip("## A [link](https://example.org) ![pic](x)\n\n---\n\n1\\. *b*").split_whitespace().collect::<Vec<_>>(),
        ["A", "link", "1.", "b"]
    );
    let reached = score([("a b c d", "a b c d"), ("a b c d", "")]);
    assert_eq!((reached.precision, reached.recall), (1.0, 0.5));
}
