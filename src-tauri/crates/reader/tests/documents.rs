// SPDX-License-Identifier: Apache-2.0
//! What documents of each kind become, and that none of them, however it is built, panics or runs on.

use bailey_reader::{Document, Kind, ReadError, read};
use proptest::prelude::*;

fn html(body: &str) -> Document {
    read(body.as_bytes(), Some("text/html"), "https://example.org/a/page").expect("HTML always reads")
}

/// An article around a piece of HTML.
fn article(piece: &str) -> String {
    let long = "This sentence is here so that there is an article on the page, which is found by its long paragraphs with commas, dots and words. ".repeat(3);
    html(&format!("<title>T</title><body><article><p>{long}</p>{piece}<p>{long}</p></article></body>"))
        .markdown
        .replace(long.trim(), "…")
}

#[test]
fn markdown_keeps_what_text_is_made_of() {
    for (piece, markdown) in [
        ("<h2>Head</h2><p>Text <b>bold</b> <i>slanted</i>.</p>", "## Head\n\nText **bold** *slanted*."),
        ("<ul><li>one</li><li>two<ul><li>three</li></ul></li></ul>", "- one\n- two\n    - three"),
        ("<ol start=3><li>one</li><li>two</li></ol>", "3. one\n4. two"),
        (
            "<pre><code class=language-rust>fn main() {\n    a();\n\n\n    b();\n}</code></pre>",
            "```rust\nfn main() {\n    a();\n\n\n    b();\n}\n```",
        ),
        (
            "<p>Run <code>ls -l</code> now, and then look at what it says.</p>",
            "Run `ls -l` now, and then look at what it says.",
        ),
        ("<blockquote><p>To be, or not to be.</p></blockquote>", "> To be, or not to be."),
        (
            "<p>See <a href='../b?q=1#x' title=t>there</a> and <a href='#here'>here</a> and <a href='javascript:x()'>this</a>.</p>",
            "See [there](https://example.org/b?q=1#x) and here and this.",
        ),
    ] {
        assert_eq!(article(piece), format!("…\n\n{markdown}\n\n…"), "{piece}");
    }
    let table = article(
        "<table><thead><tr><th>Name</th><th>Age</th></tr></thead><tbody><tr><td>Ann</td><td>7</td></tr><tr><td>Bo</td><td>8</td></tr></tbody></table>",
    );
    let rows: Vec<String> =
        table.lines().filter(|line| line.starts_with('|')).map(|line| line.replace([' ', '-'], "")).collect();
    assert_eq!(rows, ["|Name|Age|", "||||".replacen('|', "", 1).as_str(), "|Ann|7|", "|Bo|8|"], "{table}");
}

#[test]
fn a_picture_is_its_text() {
    let figure = "<figure><img src='https://tracker.example/x.png?id=1' alt='A cat'><figcaption>A cat that sleeps on a warm roof</figcaption></figure>";
    assert!(article(figure).contains("![A cat that sleeps on a warm roof](#)"), "{}", article(figure));
    assert!(
        article("<p><img src=x.png alt='A dog'> barks at the people who pass by the house.</p>")
            .contains("![A dog](#) barks")
    );
    for silent in ["<img src=x.png>", "<img src=x.png alt=''>", "<img src=x.png alt='IMG_1.jpg'>"] {
        assert!(
            !article(&format!("<p>Here {silent} there is nothing to see for anybody.</p>")).contains("!["),
            "{silent}"
        );
    }
}

#[test]
fn nothing_that_runs_or_is_hidden_is_text() {
    for piece in [
        "<script>evil()</script>",
        "<style>.evil{}</style>",
        "<p hidden>evil</p>",
        "<p style='display:none'>evil</p>",
        "<noscript>evil</noscript>",
        "<!-- evil -->",
        "<template><p>evil</p></template>",
    ] {
        assert_eq!(article(piece), "…\n\n…", "{piece}");
    }
}

#[test]
fn what_the_page_says_of_itself_is_told() {
    let long = "A paragraph with commas, dots and words, long enough that it is taken for the text of an article by who looks for one. ".repeat(8);
    let document = html(&format!(
        "<html><head><title>The title</title><meta name=author content='Ada Poe'><meta property='article:published_time' content='2024-05-06T07:08:09Z'>\
         </head><body><article><h1>The title</h1><p>{long}<a href='/next'>the next part</a></p></article></body></html>"
    ));
    assert_eq!(document.kind, Kind::Article);
    assert_eq!(
        (document.title.as_str(), document.byline.as_deref(), document.published.as_deref()),
        ("The title", Some("Ada Poe"), Some("2024-05-06T07:08:09Z"))
    );
    assert_eq!(
        document.links.iter().map(|link| (link.text.as_str(), link.url.as_str())).collect::<Vec<_>>(),
        [("the next part", "https://example.org/next")]
    );
    let timed = html(&format!("<article><time datetime=2023-01-02>yesterday</time><p>{long}</p></article>"));
    assert_eq!(timed.published.as_deref(), Some("2023-01-02"));
}

#[test]
fn a_page_without_an_article_is_shown_whole() {
    let list: String = (1..=40)
        .map(|at| format!("<div class=item><a href='/p/{at}'>Product {at}</a> <span>{at} €</span></div>"))
        .collect();
    let document = html(&format!("<title>Shop</title><nav><a href=/>Home</a></nav><div>{list}</div>"));
    assert_eq!((document.kind, document.title.as_str()), (Kind::Page, "Shop"));
    for text in ["[Product 1](https://example.org/p/1) 1 €", "[Product 40](https://example.org/p/40) 40 €"] {
        assert!(document.markdown.contains(text), "{text} in {}", document.markdown);
    }
    assert!(!document.markdown.contains("Home"));
    assert_eq!(document.links.len(), 40);
    assert_eq!(
        html(
            "<title>App</title><meta name=description content='Draws things'><div id=root></div><script>draw()</script>"
        )
        .markdown,
        "Draws things"
    );
    assert_eq!(html("just words").markdown, "just words");
    assert_eq!(html("").markdown, "");
}

#[test]
fn the_base_of_a_page_counts() {
    let document = html("<base href='https://other.example/dir/'><p><a href=x>there</a></p>");
    assert_eq!(document.links[0].url, "https://other.example/dir/x");
    let nowhere =
        read(b"<p><a href=x>there</a> <a href=https://example.org/y>here</a></p>", Some("text/html"), "not a url")
            .unwrap();
    assert_eq!(nowhere.markdown, "there [here](https://example.org/y)");
}

#[test]
fn a_side_part_that_holds_the_text_is_the_text() {
    let long = "A paragraph with commas, dots and words, long enough that it is taken for the text of an article by who looks for one. ".repeat(4);
    for class in ["share", "entry-content-read-more", "related", "newsletter-body", "print"] {
        let document = html(&format!(
            "<body><div class=menu>{}</div><div class='{class}'><p>{long}</p><p>{long}</p></div></body>",
            "<a href=/x>Link</a> ".repeat(200)
        ));
        assert!(document.markdown.contains(long.trim()), "{class}: {}", document.markdown);
    }
}

#[test]
fn other_texts() {
    let text = |bytes: &[u8], said| read(bytes, said, "https://example.org/x").unwrap();
    let json = text(br#"{"b":[1,2],"a":"x"}"#, Some("application/json"));
    assert_eq!(
        (json.kind, json.markdown.as_str()),
        (Kind::Json, "```json\n{\n  \"b\": [\n    1,\n    2\n  ],\n  \"a\": \"x\"\n}\n```")
    );
    assert_eq!(text(b"{not json", Some("application/json")).kind, Kind::Text);
    assert_eq!(text(b"# Head\n<div>", Some("text/markdown")).markdown, "# Head\n<div>");
    assert_eq!(text(b"<p>source</p>", Some("text/plain")).markdown, "<p>source</p>");
    assert_eq!(text(b"<!DOCTYPE html><p>page</p>", None).markdown, "page");
    assert_eq!(text(b"<?xml version='1.0'?><a>1</a>", Some("application/xml")).kind, Kind::Text);
    let long = text("words and ".repeat(1_000_000).as_bytes(), Some("text/plain"));
    assert!(long.truncated && long.markdown.len() < 9_000_000);
}

#[test]
fn what_is_no_text_says_so() {
    for (bytes, said, what) in [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01".as_slice(), Some("image/png"), "a picture"),
        (b"PK\x03\x04\x14\0\0\0\x08\0", Some("application/zip"), "a binary file (application/zip)"),
        (b"\x7fELF\x02\x01\x01\0\0\0\0\0", None, "a binary file"),
        (b"ID3\x04\0\0\0\0\x01\0", Some("audio/mpeg; x=y"), "a sound"),
    ] {
        assert_eq!(read(bytes, said, "https://example.org/x"), Err(ReadError::NotText(what.to_owned())));
    }
}

#[test]
fn pages_made_to_hurt_give_their_text() {
    let deep = |tag: &str, count: usize| {
        format!("{}deep down{}", format!("<{tag}>").repeat(count), format!("</{tag}>").repeat(count))
    };
    let numbered = |count: usize| (0..count).map(|at| format!("<b id=b{at}>")).collect::<String>();
    for (what, page) in [
        ("nested divs", deep("div", 100_000)),
        ("nested lists", deep("ul><li", 50_000)),
        ("nested tables", deep("table><tr><td", 20_000)),
        ("nested quotes", deep("blockquote", 400)),
        ("nested links and marks", deep("a><b", 50_000)),
        ("divs never closed", format!("{}deep down", "<div>".repeat(200_000))),
        ("marks to restore", format!("<p>{}</p>{}", numbered(1_000), "<p>deep down</p>".repeat(50_000))),
        ("many tags", format!("{}deep down", "<i></i>".repeat(300_000))),
        ("one long attribute", format!("<p class='{}'>deep down</p>", "share ".repeat(500_000))),
        (
            "many attributes",
            format!("<p {}>deep down</p>", (0..50_000).map(|at| format!("a{at}=1 ")).collect::<String>()),
        ),
        (
            "many attributes without values",
            format!("<p {}>deep down</p>", (0..50_000).map(|at| format!("a{at} ")).collect::<String>()),
        ),
        ("tags never closed", format!("deep down {}", "<a ".repeat(1_000_000))),
        ("an open tag", format!("deep down <{}", "a".repeat(1_000_000))),
        ("open comments", format!("deep down {}", "<!--".repeat(300_000))),
        ("entities", format!("deep down {}", "&amp;&#x1F600;&nbsp;".repeat(20_000))),
        ("many rows", format!("<table>{}</table>", "<tr><td>deep down</td><td colspan=1000>x</td></tr>".repeat(8_000))),
    ] {
        assert!(html(&page).markdown.contains("deep down"), "{what}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_bytes_give_a_document_or_a_reason(bytes in prop::collection::vec(any::<u8>(), 0..600), said in prop::option::of("[a-z/;=-]{0,30}")) {
        let first = read(&bytes, said.as_deref(), "https://example.org/");
        prop_assert_eq!(first, read(&bytes, said.as_deref(), "https://example.org/"));
    }

    #[test]
    fn any_tags_give_a_document(tags in prop::collection::vec("</?(div|p|a href=[a-z:/#]{0,8}|b|table|tr|td|ul|li|pre|code|img alt=x|h1|figure|figcaption|script|style|title|select|svg|math|template|form|br)>|[a-z ]{0,20}|京", 0..80)) {
        let page = format!("{}word", tags.concat());
        read(page.as_bytes(), Some("text/html"), "https://example.org/").unwrap();
    }
}
