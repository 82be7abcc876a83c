// SPDX-License-Identifier: Apache-2.0
use crate::records::*;
use bailey_ports::{Store, StoreError};
use bailey_protocol::*;

fn ids(messages: &[Message]) -> Vec<&str> {
    messages.iter().map(|m| m.id.as_str()).collect()
}

/// q1 - a1 - q2 - a2
///         \ q3 (an edit of q2) - a3
///    \ a4 (a retry of a1)
/// q5 (an edit of q1)
fn bush() -> Home {
    let home = Home::new();
    home.append(
        "r1",
        &[
            opened(1, "c", "q1"),
            prompt(1, "q1", None, "one"),
            round(2, 1, "a1", "q1"),
            closed_round(3, "a1", vec![]),
            done(3),
        ],
    );
    home.append(
        "r2",
        &[
            opened(4, "c", "q2"),
            prompt(4, "q2", Some("a1"), "two"),
            round(5, 1, "a2", "q2"),
            closed_round(6, "a2", vec![]),
            done(6),
        ],
    );
    home.append(
        "r3",
        &[
            opened(7, "c", "q3"),
            prompt(7, "q3", Some("a1"), "three"),
            round(8, 1, "a3", "q3"),
            closed_round(9, "a3", vec![]),
            done(9),
        ],
    );
    home.append("r4", &[opened(10, "c", "q1"), round(11, 1, "a4", "q1"), closed_round(12, "a4", vec![]), done(12)]);
    home.append("r5", &[opened(13, "c", "q5"), prompt(13, "q5", None, "five"), done(14)]);
    home.append("other", &[opened(15, "d", "x"), prompt(15, "x", None, "x"), done(16)]);
    home
}

#[test]
fn a_branch_goes_from_the_root_to_a_leaf() {
    let home = bush();
    let to = |leaf: &str| home.store.branch(&"c".into(), Some(&leaf.into())).unwrap();
    assert_eq!(ids(&home.branch("c")), ["q5"]);
    assert_eq!(ids(&to("a2")), ["q1", "a1", "q2", "a2"]);
    assert_eq!(ids(&to("a3")), ["q1", "a1", "q3", "a3"]);
    assert_eq!(ids(&to("q3")), ["q1", "a1", "q3"]);
    assert_eq!(ids(&to("a4")), ["q1", "a4"]);
}

#[test]
fn siblings_have_the_same_parent_and_role() {
    let home = bush();
    let branch = home.store.branch(&"c".into(), Some(&"a2".into())).unwrap();
    let siblings: Vec<Vec<&str>> = branch.iter().map(|m| m.siblings.iter().map(MessageId::as_str).collect()).collect();
    assert_eq!(siblings, [vec!["q1", "q5"], vec!["a1", "a4"], vec!["q2", "q3"], vec!["a2"]]);
    for message in branch {
        assert_eq!(home.store.message(&message.id).unwrap().unwrap(), message);
    }
    assert_eq!(home.message("x").siblings, ["x".into()]);
}

#[test]
fn selecting_shows_the_newest_leaf_below() {
    let home = bush();
    let table = [("q1", "a4"), ("a1", "a3"), ("q2", "a2"), ("a2", "a2"), ("q5", "q5"), ("a4", "a4")];
    for (chosen, leaf) in table {
        home.store.select_branch(&"c".into(), &chosen.into()).unwrap();
        assert_eq!(home.branch("c").last().unwrap().id.as_str(), leaf, "{chosen}");
    }
    // The next message is the head again.
    home.append("r6", &[opened(20, "c", "q6"), prompt(20, "q6", Some("a2"), "six")]);
    assert_eq!(ids(&home.branch("c")), ["q1", "a1", "q2", "a2", "q6"]);
}

#[test]
fn what_is_not_there_is_said() {
    let home = bush();
    let (c, d): (ConversationId, ConversationId) = ("c".into(), "d".into());
    assert_eq!(home.store.branch(&"nowhere".into(), None), Err(StoreError::NotFound("the conversation")));
    assert_eq!(home.store.branch(&c, Some(&"nothing".into())), Err(StoreError::NotFound("the message")));
    assert_eq!(home.store.branch(&d, Some(&"q1".into())), Err(StoreError::NotFound("the message")));
    assert_eq!(home.store.select_branch(&d, &"q1".into()), Err(StoreError::NotFound("the message")));
    assert_eq!(home.store.select_branch(&"nowhere".into(), &"q1".into()), Err(StoreError::NotFound("the message")));
    assert_eq!(home.store.message(&"nothing".into()), Ok(None));
}

#[test]
fn a_long_branch_comes_whole() {
    let home = Home::new();
    let mut records = vec![opened(1, "c", "m0"), prompt(1, "m0", None, "start")];
    for i in 1..10_000 {
        let (id, parent) = (format!("m{i}"), format!("m{}", i - 1));
        records.push(prompt(2, &id, Some(&parent), "a sentence of some length for this message"));
    }
    home.append("r", &records);
    let branch = home.branch("c");
    assert_eq!((branch.len(), branch[9_999].id.as_str()), (10_000, "m9999"));
    assert_eq!(home.store.runs(&"c".into()).unwrap().len(), 1);
}
