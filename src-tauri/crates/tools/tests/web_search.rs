// SPDX-License-Identifier: Apache-2.0
//! web_search: what each engine is asked, how its page is read, and what happens when one does not answer.
//!
//! The pages in web/pages were made by hand in the shape of the engines' pages; none was recorded.

mod support;

use bailey_ports::{Destination, Secret, WebError};
use bailey_protocol::{Labels, Part, PartRole, Source};
use bailey_tools::SearchChoice;
use serde_json::{Value, json};
use std::sync::Arc;
use support::{Answer, NOW, World, call, context, registry, run_at};

const DUCKDUCKGO: &str = include_str!("web/pages/duckduckgo.html");
const CHALLENGE: &str = include_str!("web/pages/duckduckgo_challenge.html");
const NOTHING: &str = include_str!("web/pages/duckduckgo_nothing.html");
const BRAVE: &str = include_str!("web/pages/brave.html");
const BRAVE_CHALLENGE: &str = include_str!("web/pages/brave_challenge.html");
const BING: &str = include_str!("web/pages/bing.html");
const MOJEEK: &str = include_str!("web/pages/mojeek.html");

type Reply = Result<Answer, WebError>;

fn page(body: &str) -> Reply {
    Ok(Answer::html(body))
}

fn blocked() -> Reply {
    Ok(Answer::status(403))
}

fn marks(engine: &str) -> Labels {
    Labels { outside: vec![Source { tool: "web_search".into(), detail: Some(engine.into()) }], private: vec![] }
}

/// The parts that these results make.
fn results(engine: &str, hits: &[(&str, &str)]) -> Vec<Part> {
    let parts = hits.iter().flat_map(|(said, url)| {
        let url = Part { text: (*url).into(), labels: marks(engine), role: Some(PartRole::Link) };
        [Part::labelled(*said, marks(engine)), url]
    });
    parts.collect()
}

async fn search(world: &Arc<World>, arguments: Value) -> Result<Vec<Part>, String> {
    call(world, "web_search", arguments).await.map_err(|failure| failure.message)
}

fn choose(world: &World, choice: SearchChoice) {
    *world.search.lock().unwrap() = choice;
}

#[tokio::test]
async fn duckduckgo_is_asked_first_and_read() {
    let world = World::answering([page(DUCKDUCKGO)]);
    let found = search(&world, json!({ "query": " ferry Hvar & “Split” ", "time_range": "week" })).await.unwrap();
    let expected = [
        (
            "1. Split & Hvar: ferry timetable\nAll ferries from Split to Hvar, seven a day.",
            "https://ferries.example/split-hvar?day=1&lang=en",
        ),
        ("2. 赫瓦尔渡轮\n每天七班。", "https://hvar.example/%E6%B8%A1%E8%BD%AE"),
    ];
    assert_eq!(found, results("DuckDuckGo", &expected));
    let asked = &world.asked.lock().unwrap()[0];
    assert_eq!(asked.url, "https://html.duckduckgo.com/html/");
    let form = [("q", "ferry Hvar & “Split”"), ("b", ""), ("kl", "wt-wt"), ("df", "w")];
    assert_eq!(asked.form, Some(form.map(|(k, v)| (k.to_owned(), v.to_owned())).to_vec()));
    assert_eq!((asked.destination, asked.language.as_deref()), (Destination::Open, Some("en-US,en;q=0.9")));
    assert!(asked.secret_header.is_none() && asked.json.is_none());
    assert_eq!((asked.max_bytes, asked.timeout.as_secs()), (3 * 1024 * 1024, 10));
}

#[tokio::test]
async fn the_next_engine_is_asked_when_one_fails() {
    let brave = [
        ("1. Split to Hvar\nMarch 1, 2026 - Ferries run all year.", "https://ferries.example/split-hvar"),
        ("2. The port of Hvar\nWhere it lands.", "https://hvar.example/port?b=2&a=1"),
    ];
    let bing = [
        ("1. Split - Hvar\nSeven ferries a day.", "https://ferries.example/split-hvar?day=1"),
        ("2. Hvar\nThe island.", "https://hvar.example/"),
    ];
    let mojeek = [
        ("1. Split to Hvar\nFerries run all year.", "https://ferries.example/split-hvar"),
        ("2. Hvar\nThe island.", "http://hvar.example/"),
    ];
    let challenge = || Ok(Answer { status: 202, ..Answer::html(CHALLENGE) });
    let away = || Err(WebError::TimedOut("it took longer than 10 s".into()));
    let cut = || {
        let body = vec![Ok(b"<html>".to_vec()), Err(WebError::Unreachable("the connection broke".into()))];
        Ok(Answer { body, ..Answer::html("") })
    };
    let table: Vec<(Vec<Reply>, Vec<Part>)> = vec![
        (vec![challenge(), page(BRAVE)], results("Brave Search", &brave)),
        (vec![page(CHALLENGE), page(BRAVE)], results("Brave Search", &brave)),
        (vec![page(NOTHING), page(BRAVE)], results("Brave Search", &brave)),
        (vec![away(), page(BRAVE_CHALLENGE), page(BING)], results("Bing", &bing)),
        (vec![blocked(), Ok(Answer::status(429)), page(BING)], results("Bing", &bing)),
        (vec![cut(), page("<p>A new look!</p>"), page(""), page(MOJEEK)], results("Mojeek", &mojeek)),
        (vec![page("[1,2"), page(DUCKDUCKGO), Ok(Answer::status(500)), page(MOJEEK)], results("Mojeek", &mojeek)),
    ];
    for (replies, expected) in table {
        let asked = replies.len();
        let world = World::answering(replies);
        assert_eq!(search(&world, json!({ "query": "ferry hvar" })).await, Ok(expected));
        let urls = [
            "https://html.duckduckgo.com/html/",
            "https://search.brave.com/search?q=ferry+hvar&source=web",
            "https://www.bing.com/search?q=ferry+hvar",
            "https://www.mojeek.com/search?q=ferry+hvar",
        ];
        assert_eq!(world.urls(), urls[..asked]);
    }
}

#[tokio::test]
async fn only_engines_that_can_are_asked() {
    let world = World::answering([page(BRAVE), blocked(), page(MOJEEK), blocked(), blocked(), page(MOJEEK)]);
    search(&world, json!({ "query": "a+b c", "page": 2 })).await.unwrap();
    search(&world, json!({ "query": "渡轮", "page": 3, "time_range": "year" })).await.unwrap();
    let past_month = json!({ "query": "フェリー", "time_range": "month" });
    search(&world, past_month).await.unwrap();
    let asked = world.asked.lock().unwrap();
    let asked: Vec<_> = asked.iter().map(|a| (a.url.as_str(), a.language.as_deref().unwrap())).collect();
    assert_eq!(
        asked,
        [
            ("https://search.brave.com/search?q=a%2Bb+c&source=web&offset=1", "en-US,en;q=0.9"),
            (
                "https://search.brave.com/search?q=%E6%B8%A1%E8%BD%AE&source=web&offset=2&tf=py",
                "zh-CN,zh;q=0.9,en;q=0.5"
            ),
            ("https://www.mojeek.com/search?q=%E6%B8%A1%E8%BD%AE&s=20&since=20250228", "zh-CN,zh;q=0.9,en;q=0.5"),
            ("https://html.duckduckgo.com/html/", "ja,en;q=0.5"),
            ("https://search.brave.com/search?q=%E3%83%95%E3%82%A7%E3%83%AA%E3%83%BC&source=web&tf=pm", "ja,en;q=0.5"),
            ("https://www.mojeek.com/search?q=%E3%83%95%E3%82%A7%E3%83%AA%E3%83%BC&since=20260129", "ja,en;q=0.5"),
        ]
    );
}

#[tokio::test]
async fn an_engine_that_refused_is_left_alone_for_a_while() {
    let later = || Ok(Answer { retry_after: Some(1800), ..Answer::status(429) });
    let away = || Err(WebError::Unreachable("the server can't be reached".into()));
    let world = World::answering([blocked(), later(), away(), page(MOJEEK), page(BING), page(DUCKDUCKGO)]);
    let registry = registry(world.clone());
    let tool = registry.get("web_search").unwrap();
    let at = async |minutes: i64| {
        let mut context = context(Labels::none());
        context.now = NOW + minutes * 60_000;
        run_at(tool, json!({ "query": "x" }), context).await.unwrap()[0].labels.clone()
    };
    // One that was only out of reach is asked again at once.
    assert_eq!(at(0).await, marks("Mojeek"));
    assert_eq!(at(9).await, marks("Bing"));
    assert_eq!(at(11).await, marks("DuckDuckGo"));
    world.answers.lock().unwrap().extend([blocked(), page(BING), blocked(), page(BRAVE)]);
    assert_eq!(at(20).await, marks("Bing"));
    assert_eq!(at(31).await, marks("Brave Search"));
}

#[tokio::test]
async fn nothing_found_and_nobody_answering_are_told_apart() {
    let empty = || page("<div id='results'><p>No results found for this</p></div>");
    let world = World::answering([page(NOTHING), empty(), blocked(), empty()]);
    let found = search(&world, json!({ "query": "xqzv" })).await.unwrap();
    assert_eq!(found, [Part::plain("Mojeek found nothing. Try fewer or other words, or another language.")]);
    let world = World::answering([page("<ul class='results-standard'></ul> no pages found"), empty()]);
    let found = search(&world, json!({ "query": "xqzv", "page": 9 })).await.unwrap();
    assert_eq!(found, [Part::plain("Mojeek has no further results. Try other words.")]);

    let away = || Err(WebError::Unreachable("it can't be reached".into()));
    let world = World::answering([blocked(), away(), page("new"), Ok(Answer::status(500))]);
    let tool = registry(world.clone()).get("web_search").unwrap().clone();
    let first = run_at(&tool, json!({ "query": "x" }), context(Labels::none())).await.unwrap_err().message;
    for said in [
        "DuckDuckGo refused (HTTP 403)",
        "Brave Search: it can't be reached",
        "Bing answered with something that is no list of results",
        "Mojeek answered with HTTP 500",
        "try again in some minutes",
        "Settings",
    ] {
        assert!(first.contains(said), "{first}");
    }
    world.answers.lock().unwrap().push_back(away());
    let second = run_at(&tool, json!({ "query": "x" }), context(Labels::none())).await.unwrap_err().message;
    assert!(second.contains("DuckDuckGo is not asked for another 11 min"), "{second}");
    assert_eq!(world.urls().len(), 5);

    let blank = search(&World::answering([]), json!({ "query": "  " })).await.unwrap_err();
    assert!(blank.contains("query is empty"), "{blank}");
}

#[tokio::test]
async fn results_are_counted_and_cut() {
    let long = format!(
        "<ul class='results-standard'>{}<li><a class='ob' href='https://c.example/{}'></a></li>\
         <li><a class='ob' href='ftp://d.example/'></a><h2><a>d</a></h2></li></ul>",
        (0..25)
            .map(|i| format!(
                "<li><a class='ob' href='https://a{i}.example'></a><h2><a></a></h2><p class='s'>{} {}</p></li>",
                "word ".repeat(200),
                "汉".repeat(600)
            ))
            .collect::<String>(),
        "x".repeat(2_000)
    );
    let replies = || [blocked(), blocked(), blocked(), page(&long)];
    let found = search(&World::answering(replies()), json!({ "query": "x", "count": 3.0 })).await.unwrap();
    assert_eq!(found.len(), 6);
    // Without a title the host is one.
    assert!(found[4].text.starts_with("3. a2.example\nword word"), "{}", found[4].text);
    assert!(found[4].text.chars().count() <= 520 && found[4].text.ends_with('…'));
    assert_eq!(found[5].text, "https://a2.example/");
    let found = search(&World::answering(replies()), json!({ "query": "x", "count": 20 })).await.unwrap();
    assert_eq!(found.len(), 40);
    assert_eq!(search(&World::answering(replies()), json!({ "query": "x" })).await.unwrap().len(), 20);
}

#[tokio::test]
async fn an_engine_with_a_key_is_asked_alone() {
    let world = World::answering([
        Ok(Answer::json(&json!({ "query": { "original": "x" }, "web": { "results": [
            { "title": "A &amp; B", "url": "https://a.example/?q=1", "description": "One <strong>two</strong> &#x27;three&#x27;", "age": "2 days ago" },
            { "title": "No address" },
        ] } }))),
        Ok(Answer::json(&json!({ "query": { "original": "x" }, "mixed": {} }))),
        Ok(Answer::status(401)),
        Ok(Answer { retry_after: Some(1), ..Answer::status(429) }),
        Ok(Answer::html("<h1>Moved</h1>")),
        Err(WebError::Unreachable("it can't be reached".into())),
    ]);
    choose(&world, SearchChoice::Brave { key: Secret::new("brave-key") });
    let asked = json!({ "query": "é x", "count": 5, "page": 2, "time_range": "day" });
    assert_eq!(
        search(&world, asked.clone()).await.unwrap(),
        results("Brave Search API", &[("1. A & B\nOne two 'three'", "https://a.example/?q=1")])
    );
    {
        let asked = &world.asked.lock().unwrap()[0];
        assert_eq!(
            asked.url,
            "https://api.search.brave.com/res/v1/web/search?q=%C3%A9+x&count=5&offset=1&text_decorations=false&freshness=pd"
        );
        let (name, key) = asked.secret_header.as_ref().unwrap();
        assert_eq!(
            (name.as_str(), key.expose(), asked.destination),
            ("X-Subscription-Token", "brave-key", Destination::Open)
        );
        assert_eq!(asked.accept.as_deref(), Some("application/json"));
    }
    assert_eq!(
        search(&world, asked.clone()).await.unwrap(),
        [Part::plain("Brave Search API has no further results. Try other words.")]
    );
    for said in [
        "does not take the key (HTTP 401). Tell the person to look at the search engine in Settings",
        "was asked too often (HTTP 429). Try again in some minutes",
        "no list of results",
        "it can't be reached",
    ] {
        let failure = search(&world, asked.clone()).await.unwrap_err();
        assert!(failure.contains(said), "{failure}");
        assert!(!failure.contains("brave-key"), "{failure}");
    }
}

#[tokio::test]
async fn tavily_is_posted_to_and_has_pages_by_leaving_out() {
    let hit = |i: u64| json!({ "title": format!("T{i}"), "url": format!("https://{i}.example/"), "content": "c", "score": 0.5 });
    let answer = json!({ "query": "x", "results": (1..=8).map(hit).collect::<Vec<_>>(), "response_time": 1.2 });
    let world = World::answering([Ok(Answer::json(&answer)), Ok(Answer::json(&json!({ "detail": "no" })))]);
    choose(&world, SearchChoice::Tavily { key: Secret::new("tvly-key") });
    let found =
        search(&world, json!({ "query": "x \"y\"", "count": 4, "page": 2, "time_range": "year" })).await.unwrap();
    assert_eq!(found.len(), 8);
    assert_eq!(found[..2], results("Tavily", &[("1. T5\nc", "https://5.example/")]));
    {
        let asked = &world.asked.lock().unwrap()[0];
        let posted: Value = serde_json::from_str(asked.json.as_ref().unwrap()).unwrap();
        assert_eq!(
            posted,
            json!({ "query": "x \"y\"", "max_results": 8, "search_depth": "basic", "time_range": "year" })
        );
        let (name, key) = asked.secret_header.as_ref().unwrap();
        assert_eq!(
            (asked.url.as_str(), name.as_str(), key.expose()),
            ("https://api.tavily.com/search", "Authorization", "Bearer tvly-key")
        );
    }
    assert!(search(&world, json!({ "query": "x" })).await.unwrap_err().contains("no list of results"));
    let beyond = search(&world, json!({ "query": "x", "count": 10, "page": 3 })).await.unwrap_err();
    assert!(beyond.contains("can't be asked for this"), "{beyond}");
    assert_eq!(world.urls().len(), 2);
}

#[tokio::test]
async fn a_searxng_of_ones_own_is_asked_for_json() {
    let answer = json!({ "query": "x", "number_of_results": 0, "results": [
        { "title": "A", "url": "https://a.example/", "content": "text", "engine": "e" },
        { "title": "A again", "url": "https://a.example/", "content": "" },
        { "title": "B", "url": "http://b.example/", "content": null },
    ] });
    for base_url in ["http://192.168.1.5:8888/searx", " http://192.168.1.5:8888/searx/search/ "] {
        let world =
            World::answering([Ok(Answer::json(&answer)), blocked(), Ok(Answer::json(&json!({ "results": [] })))]);
        choose(&world, SearchChoice::Searxng { base_url: base_url.into() });
        let asked = json!({ "query": "x y", "page": 2, "time_range": "month" });
        let hits = [("1. A\ntext", "https://a.example/"), ("2. B", "http://b.example/")];
        assert_eq!(search(&world, asked.clone()).await.unwrap(), results("SearXNG", &hits));
        {
            let asked = &world.asked.lock().unwrap()[0];
            assert_eq!(asked.url, "http://192.168.1.5:8888/searx/search?q=x+y&format=json&pageno=2&time_range=month");
            assert_eq!((asked.destination, asked.secret_header.is_none()), (Destination::Configured, true));
        }
        // Nobody else is asked instead.
        let refused = search(&world, asked).await.unwrap_err();
        assert!(refused.contains("SearXNG refused (HTTP 403)") && refused.contains("format json"), "{refused}");
        let none = search(&world, json!({ "query": "x" })).await.unwrap();
        assert_eq!(none, [Part::plain("SearXNG found nothing. Try fewer or other words, or another language.")]);
        assert_eq!(world.urls().len(), 3);
    }
    let world = World::answering([]);
    choose(&world, SearchChoice::Searxng { base_url: "my searx".into() });
    let wrong = search(&world, json!({ "query": "x" })).await.unwrap_err();
    assert!(wrong.contains("its address is wrong") && wrong.contains("Settings"), "{wrong}");
}

#[tokio::test]
async fn a_page_without_bottom_is_one_of_another_shape() {
    let deep =
        format!("<div id=results>{}", "<div class=snippet><a href=https://a.example><b class=title>t".repeat(20_000));
    let world = World::answering([page(&"<div>".repeat(100_000)), page(&deep), page(BING)]);
    assert_eq!(search(&world, json!({ "query": "x" })).await.unwrap()[0].labels, marks("Bing"));
}
