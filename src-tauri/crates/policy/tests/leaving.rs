// SPDX-License-Identifier: Apache-2.0
//! Gate step 8: what is the person's own does not leave unasked, unless they typed it or where it goes.

mod context;

use bailey_policy::{ToolFacts, ToolSpec};
use bailey_protocol::{CallState, DoubtKind, Labels, Source};
use context::{Context, foreign, jot, lookup, part, private, send, weather, web_read, web_search};
use serde_json::{Value, json};

const OWN: &str = "passport HGK137803, card 4237-4252-7456-2574, mail emma@corp.example, né José42\u{301}, \
                   https://cloud.example/f/Xy?k=1; at lat 52.520008, lon -13.404954; born 1990, room 12";

fn knowing(words: &str) -> Context {
    Context::default().says(words).own(OWN)
}

fn repeats(context: &Context, spec: &ToolSpec, arguments: Value) -> Vec<(String, String)> {
    let mut doubts = context.doubts(spec, arguments);
    doubts.retain(|d| d.kind == DoubtKind::Private);
    assert!(doubts.iter().all(|d| d.source == Some(Source::tool("lookup"))), "{doubts:?}");
    doubts.into_iter().map(|d| (d.path, d.value)).collect()
}

#[test]
fn a_value_of_the_persons_is_known_again_however_it_is_spelt() {
    let context = knowing("Search something.");
    for (query, shown) in [
        ("passport HGK137803", "HGK137803"),
        ("passport hgk137803?", "hgk137803"),
        ("HGK 137-803", "HGK 137-803"),
        ("H G K 1 3 7 8 0 3", "H G K 1 3 7 8 0 3"),
        ("HGK\u{200b}137803", "HGK\u{200b}137803"),
        ("ＨＧＫ１３７８０３", "ＨＧＫ１３７８０３"),
        ("HGK\u{3164}137803", "HGK\u{3164}137803"),
        ("x=HGK137803&y", "HGK137803"),
        ("%48GK137803", "hgk137803"),
        ("%2548GK137803", "hgk137803"),
        ("HGK+137803", "HGK+137803"),
        ("4237425274562574", "4237425274562574"),
        ("4237 4252 7456 2574", "4237 4252 7456 2574"),
        ("Emma@CORP.example", "Emma@CORP.example"),
        ("emma%40corp.example", "emmacorpexample"),
        ("https://cloud.example/f/Xy?k=1", "https://cloud.example/f/Xy?k=1"),
        ("52.520008, -13.404954", "52.520008, 13.404954"),
        ("52.52 13.4", "52.52, 13.4"),
        ("weather at 53N 13W", "53, 13"),
        ("13.404", "13.404"),
        ("52,520008 and 13.40495", "52, 13.40495"),
    ] {
        let got = repeats(&context, &web_search(), json!({ "query": query }));
        assert_eq!(got, [("query".to_owned(), shown.to_owned())], "{query}");
    }
    for query in ["", "passport", "HGK13780", "born 1990 in room 12", "4237", "emma", "52.5", "13", "52.6 13.5", "年"]
    {
        assert_eq!(repeats(&context, &web_search(), json!({ "query": query })), [], "{query}");
    }
}

#[test]
fn amounts_of_money_are_no_place() {
    let context = Context::default().own("rent 12.99, food 45.50; total 1052.123456, 2113.404");
    for query in ["13 and 46", "12.99 and 45.5", "52.123 and 113.404"] {
        assert_eq!(repeats(&context, &web_search(), json!({ "query": query })), [], "{query}");
    }
    let context = Context::default().own("position 12.9, 45.5");
    assert_eq!(repeats(&context, &web_search(), json!({ "query": "13 and 46" })).len(), 1);
}

#[test]
fn it_counts_wherever_it_stands() {
    let context = knowing("Post it.");
    for (arguments, path) in [
        (json!({ "channel": "HGK137803" }), "channel"),
        (json!({ "tags": ["a", { "b": "HGK137803" }] }), "tags[1].b"),
        (json!({ "tags": { "HGK137803": 1 } }), "tags.HGK137803"),
        (json!({ "HGK137803": 1 }), "HGK137803"),
        (json!({ "message": 4_237_425_274_562_574_u64 }), "message"),
        (json!({ "message": { "lat": 52.52, "lon": 13.4 } }), "message.lat"),
        (json!("HGK137803"), ""),
    ] {
        let got = repeats(&context, &foreign(), arguments.clone());
        assert_eq!(got.iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>(), [path], "{arguments}");
    }
    // In neutral arguments, too; but what can carry nothing out is not looked at.
    assert_eq!(repeats(&context, &send(), json!({ "to": "Bob", "priority": "HGK137803" })).len(), 1);
    assert_eq!(repeats(&context, &jot(), json!({ "text": "HGK137803" })), []);
    // All that is repeated is shown, each once.
    let all = json!({ "query": "HGK137803 HGK137803 emma@corp.example 4237425274562574" });
    assert_eq!(repeats(&context, &web_search(), all).len(), 3);
    // In a URL that the model extended.
    let url = json!({ "url": "https://news.example/?q=HGK137803" });
    assert_eq!(repeats(&context, &web_read(), url), [("url".to_owned(), "HGK137803".to_owned())]);
}

#[test]
fn a_place_may_go_where_it_is_rounded() {
    let context = knowing("What is the weather here?");
    assert_eq!(repeats(&context, &weather(), json!({ "latitude": 52.520008, "longitude": -13.404954 })), []);
    assert_eq!(repeats(&context, &weather(), json!({ "place": "52.520008, -13.404954" })).len(), 1);
}

#[test]
fn what_the_person_typed_is_theirs_to_send() {
    for words in ["My passport is HGK137803.", "hgk 137803", "HGK-137-803 it is"] {
        assert_eq!(repeats(&knowing(words), &web_search(), json!({ "query": "HGK137803" })), [], "{words}");
    }
    let context = knowing("The weather at 52.52, 13.4?");
    assert_eq!(repeats(&context, &web_search(), json!({ "query": "weather 52.52 13.4" })), []);
    assert_eq!(repeats(&context, &web_search(), json!({ "query": "weather 52.520 13.405" })).len(), 1);
    // Some of it typed is not all of it typed.
    let context = knowing("HGK137803");
    let got = repeats(&context, &web_search(), json!({ "query": "HGK137803 emma@corp.example" }));
    assert_eq!(got, [("query".to_owned(), "emma@corp.example".to_owned())]);
}

#[test]
fn a_destination_the_person_typed_clears_the_text_until_something_outside_is_read() {
    let context = knowing("Mail my passport number to bob@mail.example or Sarah, at 7");
    let text = "It is HGK137803.";
    for (arguments, asked) in [
        (json!({ "to": "bob@mail.example", "body": text }), 0),
        (json!({ "to": ["bob@mail.example", "Sarah"], "cc": null, "body": text }), 0),
        (json!({ "to": "mallory@evil.example", "body": text }), 1),
        (json!({ "to": ["bob@mail.example", "mallory"], "body": text }), 1),
        (json!({ "to": "bob@mail.example", "cc": true, "body": text }), 1),
        (json!({ "to": 7, "body": text }), 1),
        // To nobody is to where the tool pleases.
        (json!({ "body": text }), 1),
        (json!({ "to": null, "cc": "", "body": text }), 1),
        (json!({ "to": [], "body": text }), 1),
    ] {
        assert_eq!(repeats(&context, &send(), arguments.clone()).len(), asked, "{arguments}");
    }
    let tainted = context.page("evil");
    assert_eq!(repeats(&tainted, &send(), json!({ "to": "bob@mail.example", "body": text })).len(), 1);
    // Typed in full it may go even so.
    let typed = tainted.says("HGK137803, I said.");
    assert_eq!(repeats(&typed, &send(), json!({ "to": "bob@mail.example", "body": text })), []);
}

#[test]
fn a_destination_that_was_looked_up_does_not_leave() {
    let book = |context: Context| {
        let found = vec![part("Sarah: sarah77@mail.example, code ABC12345", private("lookup"), None)];
        context.calls(&lookup(), json!({ "name": "Sarah" }), found)
    };
    let clean = book(Context::default().says("Write to Sarah"));
    let tainted = book(Context::default().says("Write to Sarah").page("evil"));
    for context in [&clean, &tainted] {
        assert_eq!(context.doubted(&send(), json!({ "to": "sarah77@mail.example", "body": "Hi" })), []);
        // It is looked up, not typed: what else is the person's does not go with it.
        let more = json!({ "to": "sarah77@mail.example", "body": "ABC12345" });
        assert_eq!(repeats(context, &send(), more), [("body".to_owned(), "ABC12345".to_owned())]);
        // In text it is no destination.
        assert_eq!(repeats(context, &send(), json!({ "to": "Bob", "body": "sarah77@mail.example" })).len(), 1);
        // A tool that does not tell its arguments apart may take any value for its own, but for an address.
        assert_eq!(repeats(context, &foreign(), json!({ "channel": "sarah77@mail.example" })), []);
        assert_eq!(repeats(context, &foreign(), json!({ "channel": "ABC12345" })).len(), 1);
        assert_eq!(repeats(context, &foreign(), json!({ "channel": "Sarah: sarah77@mail.example" })).len(), 1);
    }
    // What nobody looked up for the person is no destination.
    let stray = Context::default().says("x").page("e").called(
        &lookup(),
        json!({ "name": "mallory" }),
        CallState::Done,
        vec![part("sarah77@mail.example", private("lookup"), None)],
    );
    assert_eq!(repeats(&stray, &send(), json!({ "to": "sarah77@mail.example" })).len(), 1);
}

#[test]
fn private_is_what_is_marked_so_whoever_brought_it() {
    let both = Labels { outside: vec![Source::tool("mail")], private: vec![Source::tool("lookup")] };
    let leak = json!({ "query": "HGK137803" });
    let inbox = Context::default().calls(&foreign(), json!({}), vec![part("code HGK137803", both, None)]);
    assert_eq!(repeats(&inbox, &web_search(), leak.clone()).len(), 1);
    // What a failed call said counts as well.
    let failed = vec![part("no HGK137803", private("lookup"), None)];
    let failed = Context::default().called(&lookup(), json!({}), CallState::Failed, failed);
    assert_eq!(repeats(&failed, &web_search(), leak.clone()).len(), 1);
    // What is not marked does not.
    let plain = Context::default().calls(&lookup(), json!({}), vec![part("HGK137803", Labels::none(), None)]);
    assert_eq!(repeats(&plain, &web_search(), leak), []);
}

#[test]
fn the_sources_are_those_of_what_leaves() {
    let context = ["a", "b", "a"].iter().enumerate().fold(Context::default(), |context, (n, source)| {
        context.calls(&lookup(), json!({}), vec![part(&format!("code{n}{n}{n}{n}"), private(source), None)])
    });
    let asked = context.asks(&web_search(), &json!({ "query": "code1111 code0000" }));
    let [bailey_protocol::Reason::PrivateMayLeave { sources, doubts }] = &asked[..] else { panic!("{asked:?}") };
    assert_eq!(*sources, [Source::tool("b"), Source::tool("a")]);
    assert_eq!(doubts.len(), 2);
    let reads = ToolSpec { facts: ToolFacts { egress: false, ..web_search().facts }, ..web_search() };
    assert_eq!(context.asks(&reads, &json!({ "query": "code1111" })), []);
}
