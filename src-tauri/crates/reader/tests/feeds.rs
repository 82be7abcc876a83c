// SPDX-License-Identifier: Apache-2.0
//! Feeds of each kind.

use bailey_reader::{Entry, Feed, Kind, ReadError, feed, read};

const RSS: &str = r#"<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>
<title>News &amp; more</title><link>https://example.org/</link><description>What happens</description>
<item><title>First</title><link>https://example.org/1</link><pubDate>Tue, 03 Jun 2025 09:39:21 GMT</pubDate><dc:creator>Ada Poe</dc:creator>
<description>&lt;p&gt;It &lt;b&gt;rains&lt;/b&gt;, says &lt;a href="/met"&gt;the office&lt;/a&gt;.&lt;/p&gt;&lt;script&gt;x()&lt;/script&gt;</description></item>
<item><description>No title here</description></item></channel></rss>"#;

const ATOM: &str = r#"<feed xmlns="http://www.w3.org/2005/Atom"><title type="html">A &lt;i&gt;blog&lt;/i&gt;</title><id>urn:1</id><updated>2024-01-02T03:04:05Z</updated>
<link rel="self" href="https://example.org/feed"/><link rel="alternate" href="https://example.org/blog"/>
<entry><title>Entry</title><id>urn:2</id><updated>2024-01-02T03:04:05+02:00</updated><link href="https://example.org/e"/>
<author><name>Bo</name></author><content type="html">&lt;h2&gt;Head&lt;/h2&gt;&lt;p&gt;Body&lt;/p&gt;</content></entry></feed>"#;

const JSON: &str = r#"{"version":"https://jsonfeed.org/version/1.1","title":"J","home_page_url":"https://example.org/","items":[
{"id":"1","url":"https://example.org/j","title":"Item","content_html":"<p>Hello</p>","date_published":"2024-05-06T07:08:09Z"}]}"#;

fn parsed(text: &str) -> Feed {
    feed(text.as_bytes(), None, "https://example.org/feed").unwrap()
}

#[test]
fn rss() {
    assert_eq!(
        parsed(RSS),
        Feed {
            title: "News & more".into(),
            description: Some("What happens".into()),
            url: Some("https://example.org/".into()),
            entries: vec![
                Entry {
                    title: "First".into(),
                    url: Some("https://example.org/1".into()),
                    published: Some("2025-06-03T09:39:21+00:00".into()),
                    author: Some("Ada Poe".into()),
                    summary: "It **rains**, says [the office](https://example.org/met).".into(),
                },
                Entry {
                    title: String::new(),
                    url: None,
                    published: None,
                    author: None,
                    summary: "No title here".into()
                },
            ],
        }
    );
}

#[test]
fn atom() {
    let atom = parsed(ATOM);
    assert_eq!((atom.title.as_str(), atom.url.as_deref()), ("A blog", Some("https://example.org/blog")));
    assert_eq!(
        atom.entries,
        [Entry {
            title: "Entry".into(),
            url: Some("https://example.org/e".into()),
            published: Some("2024-01-02T01:04:05+00:00".into()),
            author: Some("Bo".into()),
            summary: "## Head\n\nBody".into(),
        }]
    );
}

#[test]
fn json() {
    let json = parsed(JSON);
    assert_eq!(json.title, "J");
    assert_eq!(json.entries[0].url.as_deref(), Some("https://example.org/j"));
    assert_eq!((json.entries[0].title.as_str(), json.entries[0].summary.as_str()), ("Item", "Hello"));
}

#[test]
fn a_feed_in_another_encoding() {
    let (text, label) = (
        "<?xml version=\"1.0\" encoding=\"gb2312\"?><rss version=\"2.0\"><channel><title>",
        "</title></channel></rss>",
    );
    let bytes = [text.as_bytes(), b"\xb1\xb1\xbe\xa9\xca\xc7", label.as_bytes()].concat();
    assert_eq!(feed(&bytes, Some("text/xml"), "https://example.cn/").unwrap().title, "北京是");
}

#[test]
fn a_feed_read_as_a_document_is_a_list() {
    for (text, said) in [(RSS, "application/rss+xml"), (ATOM, "text/html"), (JSON, "application/feed+json")] {
        assert_eq!(read(text.as_bytes(), Some(said), "https://example.org/feed").unwrap().kind, Kind::Feed, "{said}");
    }
    let document = read(RSS.as_bytes(), Some("text/xml"), "https://example.org/feed").unwrap();
    assert!(
        document
            .markdown
            .contains("## [First](https://example.org/1)\n\n2025-06-03T09:39:21+00:00 · Ada Poe\n\nIt **rains**"),
        "{}",
        document.markdown
    );
    assert_eq!(document.links[0].url, "https://example.org/1");
}

#[test]
fn what_is_no_feed_says_so() {
    for text in ["", "<html><body>hi</body></html>", "{}", "<rss", "plain", "<?xml version='1.0'?><a/>"] {
        assert_eq!(feed(text.as_bytes(), None, "https://example.org/"), Err(ReadError::NotAFeed), "{text}");
    }
}
