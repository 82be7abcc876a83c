// SPDX-License-Identifier: Apache-2.0
use crate::records::*;
use bailey_ports::{NewNote, Note, Notes};
use bailey_protocol::*;

fn write(home: &Home, text: &str, labels: Labels, at: Millis) -> Note {
    Notes::write(&home.store, NewNote { text: text.to_owned(), labels, conversation: "c".into(), at }).unwrap()
}

fn found(home: &Home, query: &str) -> Vec<String> {
    home.store.search(query, 10).unwrap().into_iter().map(|n| n.text).collect()
}

#[test]
fn the_same_text_keeps_the_older_note_and_joins_the_marks() {
    let home = Home::new();
    let first = write(&home, "Likes tea", Labels::none(), 1);
    let other = write(&home, "Lives in Zürich", tainted("shared"), 2);
    assert_eq!((first.id, other.id), (1, 2));
    let again = write(&home, " Likes tea\n", tainted("web_read"), 3);
    assert_eq!(again, Note { id: 1, text: "Likes tea".to_owned(), labels: tainted("web_read"), at: 1 });
    let third = write(&home, "Likes tea", tainted("fetch_rss"), 4);
    assert_eq!(third.labels, tainted("web_read").joined(&tainted("fetch_rss")));
    write(&home, "Likes tea", Labels::none(), 5);
    assert_eq!(home.store.search("tea", 10).unwrap(), [third]);
    assert_eq!(home.store.search("zurich", 10).unwrap(), [other]);
}

#[test]
fn some_words_are_enough_and_the_best_comes_first() {
    let home = Home::new();
    for text in [
        "Buys oat milk on Mondays",
        "The dentist is Dr. Meier",
        "妹妹的生日是五月三日",
        "我喜欢喝绿茶",
        "Milk and oat allergies: none",
    ] {
        write(&home, text, Labels::none(), 1);
    }
    assert_eq!(
        found(&home, "which milk does she buy on mondays?"),
        ["Buys oat milk on Mondays", "Milk and oat allergies: none"]
    );
    assert_eq!(found(&home, "生日"), ["妹妹的生日是五月三日"]);
    assert_eq!(found(&home, "妹妹什么时候过生日"), ["妹妹的生日是五月三日"]);
    assert_eq!(found(&home, "茶"), ["我喜欢喝绿茶"]);
    assert_eq!(found(&home, "dent"), ["The dentist is Dr. Meier"]);
    assert_eq!(found(&home, "nothing like it"), [""; 0]);
    assert_eq!(found(&home, "\"*'"), [""; 0]);
}

#[test]
fn an_empty_query_gives_the_newest() {
    let home = Home::new();
    for i in 0..5 {
        write(&home, &format!("note {i}"), Labels::none(), i);
    }
    let texts: Vec<String> = home.store.search(" ", 2).unwrap().into_iter().map(|n| n.text).collect();
    assert_eq!(texts, ["note 4", "note 3"]);
    assert_eq!(home.store.search("note", 3).unwrap().len(), 3);
    assert_eq!(home.store.search("note", 0).unwrap(), []);
}
