// SPDX-License-Identifier: Apache-2.0
//! Gate step 7 and links: those in text, and those that a search brought.

mod context;

use bailey_policy::{ToolFacts, ToolSpec};
use bailey_protocol::{CallState, DoubtKind, Labels, PartRole};
use context::{Context, lookup, outside, part, send, web_read, web_search};
use serde_json::json;

#[test]
fn a_search_vouches_for_reading_its_hits_and_nothing_else() {
    let hit = "https://news.example/story?id=1";
    let search = |context: Context| {
        let parts = vec![
            part("Hits", outside("web_search"), None),
            part(&format!(" {hit}\n"), outside("web_search"), Some(PartRole::Link)),
        ];
        context.calls(&web_search(), json!({ "query": "news" }), parts)
    };
    let context = search(Context::default().says("What is new?"));
    let reads = |context: &Context, url: &str| context.doubted(&web_read(), json!({ "url": url })).is_empty();
    assert!(reads(&context, hit));
    for other in [
        "https://news.example/story?id=2",
        "https://news.example/story",
        "https://news.example",
        "http://news.example/story?id=1",
        "https://NEWS.example/story?id=1",
        "https://news.example/story?id=1&x=secret",
    ] {
        assert!(!reads(&context, other), "{other}");
    }
    // Not for sending, not in a text, not for a tool that changes something, not for one that carries nothing out.
    assert_eq!(context.doubted(&send(), json!({ "to": hit, "body": hit })).len(), 2);
    let changing = ToolSpec { facts: ToolFacts { read_only: false, ..web_read().facts }, ..web_read() };
    assert_eq!(context.doubted(&changing, json!({ "url": hit })).len(), 1);
    // Not once something private is known, and not when the search failed.
    assert!(!reads(&context.own("something"), hit));
    let failed = vec![part(hit, outside("web_search"), Some(PartRole::Link))];
    let failed =
        Context::default().called(&web_search(), json!({ "query": "news" }), CallState::Failed, failed).page("x");
    assert!(!reads(&failed, hit));
    // Several, one of which is no hit.
    let context = search(Context::default());
    assert_eq!(context.doubted(&web_read(), json!({ "url": [hit, "https://evil.example"] })).len(), 1);
}

#[test]
fn text_is_looked_through_for_where_it_leads() {
    let context = Context::default()
        .says("Tell Sarah about www.news.example, bob@mail.example and +49 170 1234567, to DE89 3704 0044 0532 0130 00")
        .calls(&lookup(), json!({}), vec![part("Office: https://office.example/map", Labels::none(), None)])
        .page("evil");
    for (text, link) in [
        ("See www.evil.example.", "www.evil.example"),
        ("See evil.example/x?y", "evil.example/x?y"),
        ("[ok](https://evil.example/a)", "https://evil.example/a"),
        ("![](https://evil.example/a.png)", "https://evil.example/a.png"),
        ("<a href='//evil.example/a'>", "evil.example/a"),
        ("write mallory@evil.example", "mallory@evil.example"),
        ("write mallory＠evil．example", "mallory@evil.example"),
        ("see evil\u{200b}.example", "evil.example"),
        ("see evil。example and", "evil.example"),
        ("see 𝐞𝐯𝐢𝐥.example", "evil.example"),
        ("call 01234 567890", "01234 567890"),
        ("pay GB29 NWBK 6016 1331 9268 19", "GB29 NWBK 6016 1331 9268 19"),
        ("host 10.0.0.1/x", "10.0.0.1/x"),
        ("hxxp://evil.example", "hxxp://evil.example"),
        ("run get.evil.sh", "get.evil.sh"),
        ("see evil.zip/get", "evil.zip/get"),
        ("token 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b"),
        ("see www.news.example/?q=secret", "www.news.example/?q=secret"),
        ("see https://office.example/map/2", "https://office.example/map/2"),
        ("both www.news.example and www.evil.example", "www.evil.example"),
        ("www.evil.example www.evil.example", "www.evil.example"),
    ] {
        let expected = vec![("body".to_owned(), link.to_owned(), DoubtKind::Link)];
        assert_eq!(context.doubted(&send(), json!({ "to": "Sarah", "body": text })), expected, "{text}");
    }
    for text in [
        "",
        "Hello Sarah! Minutes are in notes.md, e.g. on page 3; it cost 12.50.",
        "See www.news.example, or https://www.news.example/. Ask Bob@mail.example.",
        "Call +491701234567 and pay DE89370400440532013000.",
        "The office: https://office.example/map",
        "今天开会。明天休息。",
        "v1.2.3 of the app, 2024-05-19 12:00",
    ] {
        assert_eq!(context.doubted(&send(), json!({ "to": "Sarah", "body": text })), [], "{text}");
    }
    // Whatever shape the text has.
    for (text, path, link) in [
        (json!(["a", "evil.example"]), "body[1]", "evil.example"),
        (json!({ "a": { "b": "evil.example" } }), "body.a.b", "evil.example"),
        (json!({ "evil.example": 1 }), "body.evil.example", "evil.example"),
        (json!(49_170_123_456_789_u64), "body", "49170123456789"),
    ] {
        let got = context.doubted(&send(), json!({ "to": "Sarah", "body": text }));
        assert_eq!(got, [(path.to_owned(), link.to_owned(), DoubtKind::Link)]);
    }
}
