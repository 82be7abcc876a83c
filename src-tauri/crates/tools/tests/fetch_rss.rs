// SPDX-License-Identifier: Apache-2.0
//! fetch_rss: feeds of each kind, and pages that name one.

mod support;

use bailey_ports::WebError;
use bailey_protocol::{Labels, Part, Source};
use serde_json::{Value, json};
use std::sync::Arc;
use support::{Answer, World, call};

const RSS: &str = "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>Island news</title><link>https://n.example/</link>\
    <description>d</description>\
    <item><title>Ferry &amp; bus</title><link>https://n.example/1</link><pubDate>Sun, 01 Mar 2026 08:00:00 GMT</pubDate>\
    <description>&lt;p&gt;A &lt;b&gt;new&lt;/b&gt; line.&lt;/p&gt;</description></item>\
    <item><title>Second</title><link>https://n.example/2</link></item>\
    <item><title>Third</title><link>https://n.example/3</link></item></channel></rss>";
const ATOM: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?><feed xmlns=\"http://www.w3.org/2005/Atom\"><title>Releases</title>\
    <id>urn:x</id><updated>2026-02-28T10:00:00Z</updated><entry><title>v2</title><id>urn:x:2</id>\
    <link href=\"https://r.example/v2\"/><updated>2026-02-28T10:00:00Z</updated><summary>Faster.</summary></entry></feed>";

async fn fetch(world: &Arc<World>, arguments: Value) -> Result<String, String> {
    let parts = call(world, "fetch_rss", arguments).await.map_err(|failure| failure.message)?;
    assert_eq!(parts.len(), 1);
    Ok(parts[0].text.clone())
}

#[tokio::test]
async fn a_feed_is_told_entry_by_entry() {
    let world = World::answering([Ok(Answer {
        url: Some("https://n.example/rss"),
        ..Answer::page("application/rss+xml", RSS)
    })]);
    let parts = call(&world, "fetch_rss", json!({ "url": "n.example/feed", "limit": 2 })).await.unwrap();
    let said = "Island news\nhttps://n.example/rss\n\n\
                1. Ferry & bus\n2026-03-01T08:00:00+00:00\nhttps://n.example/1\nA **new** line.\n\n\
                2. Second\nhttps://n.example/2\n\n\
                There are 3 entries in all; pass a larger limit for more.";
    let from = Source { tool: "fetch_rss".into(), detail: Some("n.example".into()) };
    assert_eq!(parts, [Part::labelled(said, Labels { outside: vec![from], private: vec![] })]);
    let asked = &world.asked.lock().unwrap()[0];
    assert_eq!(asked.url, "https://n.example/feed");
    assert!(
        asked.accept.as_ref().unwrap().starts_with("application/rss+xml,application/atom+xml,application/feed+json,")
    );
    assert!(asked.secret_header.is_none() && asked.form.is_none() && asked.language.is_none());
}

#[tokio::test]
async fn other_kinds_of_feed_are_read() {
    let json_feed = json!({
        "version": "https://jsonfeed.org/version/1.1", "title": "J",
        "items": [{ "id": "1", "url": "https://j.example/1", "title": "One", "content_text": "Text.", "date_published": "2026-02-01T00:00:00Z" }],
    });
    for (answer, said) in [
        (
            Answer::page("text/xml", ATOM),
            "Releases\nhttps://f.example/\n\n1. v2\n2026-02-28T10:00:00+00:00\nhttps://r.example/v2\nFaster.",
        ),
        (
            Answer::json(&json_feed),
            "J\nhttps://f.example/\n\n1. One\n2026-02-01T00:00:00+00:00\nhttps://j.example/1\nText.",
        ),
        (
            Answer::page("application/rss+xml", "<rss version=\"2.0\"><channel><title>E</title></channel></rss>"),
            "E\nhttps://f.example/\nThe feed has no entries.",
        ),
    ] {
        let world = World::answering([Ok(answer)]);
        assert_eq!(fetch(&world, json!({ "url": "https://f.example/" })).await.as_deref(), Ok(said));
    }
}

#[tokio::test]
async fn a_page_leads_to_the_feed_it_names() {
    let page = |head: &str| format!("<html><head><title>Blog</title>{head}</head><body><p>Hello</p></body></html>");
    for (head, feed) in [
        (
            r#"<link rel="alternate" type="application/rss+xml" title="x" href="/feed.xml">"#,
            "https://b.example/feed.xml",
        ),
        (
            r#"<link rel="stylesheet" type="text/css" href="s.css"><link href="a/atom?x=1&amp;y" type="APPLICATION/atom+xml" rel="home Alternate">"#,
            "https://b.example/blog/a/atom?x=1&y",
        ),
        (
            r#"<base href="https://cdn.example/x/"><link rel=alternate type="application/feed+json" href="feed.json">"#,
            "https://cdn.example/x/feed.json",
        ),
    ] {
        let world = World::answering([Ok(Answer::html(&page(head))), Ok(Answer::page("text/xml", ATOM))]);
        let said = fetch(&world, json!({ "url": "https://b.example/blog/" })).await.unwrap();
        assert!(said.starts_with(&format!("Releases\n{feed}\n\n1. v2")), "{said}");
        assert_eq!(world.urls(), ["https://b.example/blog/", feed]);
    }
    // One hop, no more.
    let named = page(r#"<link rel="alternate" type="application/rss+xml" href="/feed.xml">"#);
    let world = World::answering([Ok(Answer::html(&named)), Ok(Answer::html(&named))]);
    let told = fetch(&world, json!({ "url": "https://b.example/" })).await.unwrap();
    assert!(
        told.starts_with("b.example sent no feed, and nothing that names one. Read the page with web_read"),
        "{told}"
    );
    assert_eq!(world.urls().len(), 2);
}

#[tokio::test]
async fn no_feed_is_told_with_what_to_do() {
    for (answer, said) in [
        (Ok(Answer::html("<p>Nothing here</p>")), "sent no feed"),
        (Ok(Answer::page("application/rss+xml", "<rss><channel><item>")), "sent no feed"),
        (Ok(Answer::page("image/png", vec![0x89, b'P', b'N', b'G'])), "sent no feed"),
        (Ok(Answer::status(404)), "no page at this address (HTTP 404)"),
    ] {
        let told = fetch(&World::answering([answer]), json!({ "url": "https://b.example/feed" })).await.unwrap();
        assert!(told.contains(said) && told.ends_with('.'), "{told}");
    }
    let world = World::answering([Err(WebError::Unreachable("it can't be reached".into()))]);
    assert_eq!(fetch(&world, json!({ "url": "https://b.example/feed" })).await.unwrap_err(), "it can't be reached");
}
