// SPDX-License-Identifier: Apache-2.0
use crate::records::*;
use bailey_ports::Store;
use bailey_protocol::*;
use proptest::prelude::*;

fn found(home: &Home, query: &str) -> Vec<String> {
    let mut ids: Vec<String> = home.store.conversations(query).unwrap().into_iter().map(|c| c.id.to_string()).collect();
    ids.sort();
    ids
}

fn library() -> Home {
    let home = Home::new();
    home.talk(
        "rust",
        "r1",
        "How do I read a file in Rust?",
        "Use `std::fs::read_to_string`, or a BufReader for large files.",
        10,
    );
    home.talk(
        "beijing",
        "r2",
        "天安门广场几点升旗？",
        "升旗时间每天不同，请看日出时间。A flag is raised at sunrise.",
        20,
    );
    home.talk("cafe", "r3", "Find a café in Zürich", "Café Schober has great ＨＯＴ chocolate 🎉", 30);
    home.talk("tokyo", "r4", "東京タワーの高さは？", "333メートルです。", 40);
    home
}

#[test]
fn words_are_found_by_their_beginning_in_any_order() {
    let home = library();
    let table: &[(&str, &[&str])] = &[
        ("rust", &["rust"]),
        ("RUST file", &["rust"]),
        ("file rus", &["rust"]),
        ("buf", &["rust"]),
        ("reader", &[]),
        ("read_to_string", &["rust"]),
        ("a", &["beijing", "cafe", "rust"]),
        ("cafe zurich", &["cafe"]),
        ("CAFÉ", &["cafe"]),
        ("hot", &["cafe"]),
        ("🎉", &["cafe"]),
        ("rust beijing", &[]),
        ("天安", &["beijing"]),
        ("安门", &["beijing"]),
        ("天安门", &["beijing"]),
        ("天安门 升旗", &["beijing"]),
        ("升旗 sunrise", &["beijing"]),
        ("天门", &[]),
        ("旗", &["beijing"]),
        ("场", &["beijing"]),
        ("间", &["beijing"]),
        ("東京", &["tokyo"]),
        ("ﾒｰﾄﾙ", &["tokyo"]),
        ("タワー", &["tokyo"]),
    ];
    for (query, expected) in table {
        assert_eq!(&found(&home, query), expected, "{query}");
    }
}

#[test]
fn a_query_is_data() {
    let home = library();
    for query in [
        "\"",
        "'",
        "*",
        "\"rust\" OR",
        "rust NEAR(",
        "rust*",
        "-rust",
        "^rust",
        "body:rust",
        "{rust}",
        "rust)",
        "ru\0st",
        "\0",
        "((((",
        "😀",
        "\u{202E}",
        "%",
        "_",
        "a AND",
        "NOT",
    ] {
        home.store.conversations(query).unwrap_or_else(|e| panic!("{query:?}: {e}"));
    }
    assert_eq!(found(&home, "\"rust\" * (file)"), ["rust"]);
    assert_eq!(found(&home, "\u{1}"), [""; 0]);
    assert_eq!(found(&home, "?!"), [""; 0]);
    assert_eq!(found(&home, "body:rust"), [""; 0]);
}

#[test]
fn titles_come_first_and_then_the_newest_hits() {
    let home = Home::new();
    home.talk("title", "r1", "Elephants", "Big animals.", 10);
    home.talk("older", "r2", "Zoo", "Elephants, lions", 20);
    home.talk("newer", "r3", "Animals", "An elephant is large", 30);
    let hits = home.store.conversations("elephant").unwrap();
    let ids: Vec<&str> = hits.iter().map(|c| c.id.as_str()).collect();
    assert_eq!(ids, ["title", "newer", "older"]);
    assert_eq!(hits[1].hit, Some(SearchHit { message: "r3-a".into(), snippet: "An elephant is large".to_owned() }));
    assert_eq!(hits[0].hit.as_ref().unwrap().message.as_str(), "r1-q");
}

#[test]
fn hidden_branches_are_searched_and_snippets_show_the_hit() {
    let home = Home::new();
    let long = format!("{}the needle lies here. {}", "Hay, ".repeat(100), "And straw. ".repeat(100));
    home.talk("c", "r", "Question", &long, 10);
    home.append(
        "r2",
        &[opened(20, "c", "r-q"), round(21, 1, "b", "r-q"), closed_round(22, "b", vec![text("Nothing")]), done(23)],
    );
    assert!(home.branch("c").iter().all(|m| m.id.as_str() != "r-a"));
    let hit = home.store.conversations("needle").unwrap()[0].hit.clone().unwrap();
    assert_eq!(hit.message.as_str(), "r-a");
    assert!(hit.snippet.contains("the needle lies here."), "{}", hit.snippet);
    assert!(hit.snippet.chars().count() <= 120);
}

#[test]
fn reasoning_arguments_and_results_are_not_searched() {
    let home = Home::new();
    home.append("r", &[opened(1, "c", "q"), prompt(1, "q", None, "go"), round(2, 1, "a", "q")]);
    home.append("r", &[checkpoint(2, "a", "halfway", "")]);
    assert_eq!(found(&home, "halfway"), [""; 0]);
    let thought = Block::Reasoning { text: "secretthought".to_owned(), ms: 1 };
    home.append("r", &[closed_round(3, "a", vec![thought, call("k"), text("spoken")])]);
    home.append("r", &[outcome(4, "k", CallState::Done, "resulttext"), done(5)]);
    assert_eq!(found(&home, "spoken"), ["c"]);
    for query in ["halfway", "secretthought", "resulttext", "expression"] {
        assert_eq!(found(&home, query), [""; 0], "{query}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn no_query_fails(query in any::<String>()) {
        thread_local!(static HOME: Home = library());
        HOME.with(|home| {
            prop_assert!(home.store.conversations(&query).is_ok());
            prop_assert!(bailey_ports::Notes::search(&home.store, &query, 5).is_ok());
            Ok(())
        })?;
    }
}
