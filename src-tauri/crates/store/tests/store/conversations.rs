// SPDX-License-Identifier: Apache-2.0
use crate::records::*;
use bailey_ports::{Store, StoreError};
use bailey_protocol::*;

fn listed(home: &Home, query: &str) -> Vec<String> {
    home.store.conversations(query).unwrap().into_iter().map(|c| c.id.to_string()).collect()
}

fn patch(conversation: &str) -> ConversationPatch {
    ConversationPatch { conversation: conversation.into(), title: None, mode: None, model: None, starred: None }
}

#[test]
fn the_list_is_newest_first() {
    let home = Home::new();
    home.talk("old", "r1", "One", "a", 10);
    home.talk("new", "r2", "Two", "b", 20);
    assert_eq!(listed(&home, ""), ["new", "old"]);
    assert_eq!(listed(&home, "  "), ["new", "old"]);
    home.append("r3", &[opened(30, "old", "x"), prompt(30, "x", Some("r1-a"), "More")]);
    assert_eq!(listed(&home, ""), ["old", "new"]);
    assert_eq!(home.summary("old").title, "One");
}

#[test]
fn what_the_person_sets_stays() {
    let home = Home::new();
    home.talk("c", "r", "Question", "Answer", 10);
    home.talk("d", "s", "Other", "Answer", 20);
    let choice = ModelChoice { provider: "p".into(), model: "m".to_owned() };
    home.store.update_conversation(&ConversationPatch { title: Some("Mine".to_owned()), ..patch("c") }, 30).unwrap();
    home.store.update_conversation(&ConversationPatch { mode: Some(Mode::Max), ..patch("c") }, 31).unwrap();
    home.store.update_conversation(&ConversationPatch { model: Some(choice.clone()), ..patch("c") }, 32).unwrap();
    home.store.update_conversation(&ConversationPatch { starred: Some(true), ..patch("c") }, 33).unwrap();
    let now = home.summary("c");
    assert_eq!((now.title.as_str(), now.mode, now.model, now.starred), ("Mine", Mode::Max, Some(choice), true));
    // It does not move up in the list for that.
    assert_eq!((now.updated, listed(&home, "")), (13, vec!["d".to_owned(), "c".to_owned()]));
    assert_eq!(listed(&home, "mine"), ["c"]);
    assert_eq!(home.store.conversations("question").unwrap()[0].hit.as_ref().unwrap().message.as_str(), "r-q");

    home.append("r2", &[opened(40, "c", "x"), prompt(40, "x", Some("r-a"), "A new question")]);
    assert_eq!((home.summary("c").title.as_str(), home.summary("c").mode), ("Mine", Mode::Max));
    home.store.update_conversation(&ConversationPatch { starred: Some(false), ..patch("c") }, 50).unwrap();
    assert!(!home.summary("c").starred);
    let missing = home.store.update_conversation(&patch("nowhere"), 60);
    assert_eq!(missing, Err(StoreError::NotFound("the conversation")));
}

#[test]
fn a_title_comes_from_the_first_text_and_only_once() {
    let home = Home::new();
    home.append("r", &[opened(1, "c", "a"), prompt(1, "a", None, " \n ")]);
    assert_eq!((home.summary("c").title.as_str(), home.summary("c").preview.as_str()), ("", ""));
    home.append("r", &[prompt(2, "b", Some("a"), "Words"), prompt(3, "d", Some("b"), "Others")]);
    assert_eq!((home.summary("c").title.as_str(), home.summary("c").preview.as_str()), ("Words", "Others"));
}

#[test]
fn a_deleted_conversation_is_out_of_sight_until_it_is_brought_back() {
    let home = Home::new();
    home.talk("c", "r", "Question", "Answer", 10);
    home.append("r2", &[opened(20, "c", "r-q"), round(21, 1, "b", "r-q"), closed_round(22, "b", vec![call("k")])]);
    home.append("r2", &[asked(23, ask("x", "c", "r2", "k", confirm()))]);
    let before = home.summary("c");
    home.store.set_deleted(&"c".into(), Some(30)).unwrap();
    assert_eq!(home.store.conversation(&"c".into()), Ok(None));
    assert_eq!((listed(&home, "").len(), listed(&home, "question").len(), listed(&home, "answer").len()), (0, 0, 0));
    assert_eq!(home.store.asks(None).unwrap(), []);
    let gone = home.store.update_conversation(&ConversationPatch { starred: Some(true), ..patch("c") }, 31);
    assert_eq!(gone, Err(StoreError::NotFound("the conversation")));
    // Its run can still be found and ended.
    assert_eq!(home.store.open_runs().unwrap(), ["r2".into()]);
    home.store.set_deleted(&"c".into(), None).unwrap();
    assert_eq!(home.summary("c"), before);
    assert_eq!((listed(&home, "question").len(), home.store.asks(None).unwrap().len()), (1, 1));
    assert_eq!(home.store.set_deleted(&"nowhere".into(), Some(1)), Err(StoreError::NotFound("the conversation")));
}
