// SPDX-License-Identifier: Apache-2.0
use crate::records::*;
use bailey_ports::{NewNote, Note, Notes, Store, StoreError};
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
    assert_eq!(
        again,
        Note { id: 1, text: "Likes tea".to_owned(), labels: tainted("web_read"), at: 1, conversation: None }
    );
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

fn both(outside: &str, private: &str) -> Labels {
    Labels { private: vec![Source::tool(private)], ..tainted(outside) }
}

fn private(tool: &str) -> Labels {
    Labels { outside: vec![], private: vec![Source::tool(tool)] }
}

#[test]
fn what_the_person_keeps_is_theirs_and_stays_so() {
    let home = Home::new();
    write(&home, "Flies on Friday", both("web_read", "search_contacts"), 1);
    write(&home, "Pays with card", tainted("fetch_rss"), 2);
    write(&home, "Likes tea", private("get_location"), 3);
    assert_eq!(home.store.waiting(), Ok(2));

    let kept = home.store.keep(1).unwrap();
    assert_eq!((kept.text.as_str(), &kept.labels, kept.at), ("Flies on Friday", &private("search_contacts"), 1));
    assert_eq!(home.store.waiting(), Ok(1));
    assert_eq!(home.store.search("friday", 1).unwrap(), [kept]);

    // The same words said again after outside text change nothing about whose they are; other words are other words.
    let again = write(&home, "Flies on Friday\n", both("web_search", "read_notifications"), 4);
    assert_eq!(again.labels, private("search_contacts").joined(&private("read_notifications")));
    let other = write(&home, "Flies on Friday to Oslo", tainted("web_search"), 5);
    assert_eq!((other.labels, home.store.waiting()), (tainted("web_search"), Ok(2)));

    // Keeping one that has no mark holds for later, too; kept twice is kept.
    assert_eq!(home.store.keep(3).unwrap().labels, private("get_location"));
    assert_eq!(home.store.keep(3).unwrap().labels, private("get_location"));
    assert_eq!(write(&home, "Likes tea", tainted("web_read"), 6).labels, private("get_location"));
    assert_eq!(home.store.keep(99), Err(StoreError::NotFound("the note")));
}

#[test]
fn nothing_is_left_of_a_note_that_is_forgotten() {
    let home = Home::new();
    write(&home, "An ordinary note", Labels::none(), 1);
    let secret = write(&home, "zqnotecanaryjx 旗帜", tainted("zqsourcejx"), 2);
    write(&home, "Another ordinary note", Labels::none(), 3);
    home.store.keep(secret.id).unwrap();
    let left = || {
        let folder = std::fs::read_dir(home.folder.path()).unwrap();
        let contents = folder.map(|entry| std::fs::read(entry.unwrap().path()).unwrap());
        let words = ["notecanaryjx", "sourcejx", "旗帜"];
        contents.flat_map(|bytes| words.map(|word| bytes.windows(word.len()).any(|w| w == word.as_bytes()))).any(|x| x)
    };
    assert!(left());
    home.store.forget(secret.id).unwrap();
    assert!(!left());
    assert_eq!(home.store.waiting(), Ok(0));
    assert_eq!((found(&home, "zqnotecanaryjx"), found(&home, "ordinary").len()), (vec![], 2));
    assert_eq!(home.store.forget(secret.id), Err(StoreError::NotFound("the note")));
    home.sql().execute("INSERT INTO note_search (note_search) VALUES ('integrity-check')", []).unwrap();
    // Forgotten is forgotten: the same words are a new note, with a new number, that nobody has kept.
    let again = write(&home, &secret.text, tainted("web_read"), 9);
    assert_eq!((again.id, again.at, again.labels), (4, 9, tainted("web_read")));
}

#[test]
fn a_note_names_its_conversation_while_that_is_there() {
    let home = Home::new();
    let before = write(&home, "Too early", Labels::none(), 1);
    assert_eq!(before.conversation, None);
    home.talk("c", "r", "Question", "Answer", 1);
    let shown = || home.store.search("", 1).unwrap()[0].conversation.clone();
    assert_eq!(write(&home, "Likes tea", Labels::none(), 2).conversation, Some("c".into()));
    home.store.set_deleted(&"c".into(), Some(5)).unwrap();
    assert_eq!(shown(), None);
    home.store.set_deleted(&"c".into(), None).unwrap();
    assert_eq!(shown(), Some("c".into()));
    home.store.set_deleted(&"c".into(), Some(5)).unwrap();
    home.store.purge_deleted(5).unwrap();
    assert_eq!((shown(), found(&home, "tea").len()), (None, 1));
}
