// SPDX-License-Identifier: Apache-2.0
//! Databases of every earlier version, with data in them, come up to date.

use bailey_ports::{NewNote, Notes, Store};
use bailey_protocol::{ArgumentPattern, CallState, Labels, Mode, RunState, Source, SummaryState};
use bailey_store::Database;
use rusqlite::Connection;

/// How a database of a version was made: its schema as released, and rows as that version wrote them. A new version adds
/// a line here, with the schema that was the newest until then; lines are never changed.
const VERSIONS: &[(i64, &str, &str)] = &[
    (1, include_str!("../../migrations/0001_initial.sql"), include_str!("data_0001.sql")),
    (
        2,
        concat!(include_str!("../../migrations/0001_initial.sql"), include_str!("../../migrations/0002_providers.sql")),
        concat!(include_str!("data_0001.sql"), include_str!("data_0002.sql")),
    ),
    (
        3,
        concat!(
            include_str!("../../migrations/0001_initial.sql"),
            include_str!("../../migrations/0002_providers.sql"),
            include_str!("../../migrations/0003_trust.sql")
        ),
        concat!(include_str!("data_0001.sql"), include_str!("data_0002.sql"), include_str!("data_0003.sql")),
    ),
];

#[test]
fn every_version_comes_up_to_date_with_its_data() {
    for (version, schema, data) in VERSIONS {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bailey.db");
        let sql = Connection::open(&path).unwrap();
        sql.execute_batch("PRAGMA application_id = 0x4261696C; PRAGMA journal_mode = WAL").unwrap();
        sql.execute_batch(schema).unwrap();
        sql.execute_batch(data).unwrap();
        sql.pragma_update(None, "user_version", version).unwrap();
        drop(sql);
        // Twice: the second time there is nothing to do.
        for _ in 0..2 {
            let store = Database::open(&path).unwrap();
            assert_eq!(store.schema_version(), Ok(3), "from {version}");
            check(&store);
            if *version >= 2 {
                check_second(&store);
            }
            if *version >= 3 {
                check_third(&store);
            }
        }
    }
}

/// The data of each version tells the same story.
fn check(store: &Database) {
    let conversation = &store.conversations("").unwrap()[0];
    assert_eq!((conversation.id.as_str(), conversation.title.as_str()), ("c1", "Station hotel"));
    assert_eq!((conversation.mode, conversation.starred, conversation.run), (Mode::Act, true, Some(RunState::Waiting)));
    let branch = store.branch(&"c1".into(), None).unwrap();
    assert_eq!(branch.len(), 2);
    assert_eq!(branch[0].text(), "找一家酒店");
    let call = branch[1].calls().next().unwrap();
    assert_eq!((call.id.as_str(), call.state), ("k1", CallState::Waiting));
    assert_eq!(store.journal(&"r1".into()).unwrap().len(), 5);
    assert_eq!(store.open_runs().unwrap(), ["r1".into()]);
    let asks = store.asks(None).unwrap();
    assert_eq!((asks.len(), asks[0].left_ms), (1, Some(1234)));
    assert_eq!(store.sent("key-1").unwrap().unwrap().run.as_str(), "r1");
    assert_eq!(asks[0].origin, None);
    assert_eq!(store.grants(&"c1".into()).unwrap().len(), 1);
    assert_eq!(store.all_grants(1_000).unwrap()[0].1, 130);
    assert!(store.settings().unwrap().shell);
    assert_eq!(store.search("window", 5).unwrap()[0].text, "Likes a window seat");
    assert_eq!(store.conversations("酒店").unwrap().len(), 1);
    store.rebuild().unwrap();
    assert_eq!(store.branch(&"c1".into(), None).unwrap(), branch);
}

/// What the second version added.
fn check_second(store: &Database) {
    let picture = ("image/png".to_owned(), vec![0x89, b'P', b'N', b'G']);
    assert_eq!(store.picture(&"i1".into()), Ok(Some(picture)));
    assert_eq!(store.picture(&"i2".into()), Ok(None), "its message was never written");
    assert_eq!(store.spent_since(200), Ok(12_005));
}

/// What the third version added.
fn check_third(store: &Database) {
    let child = store.run(&"r2".into()).unwrap().unwrap();
    assert_eq!((child.parent, child.unattended), (Some("r1".into()), true));
    assert_eq!(store.child(&"k0".into()), Ok(Some("r2".into())));
    assert_eq!(store.conversations("").unwrap().len(), 1);
    assert_eq!(store.conversation(&"c2".into()).unwrap().unwrap().title, "Look up hotels");
    assert_eq!(store.branch(&"c2".into(), None).unwrap()[1].summary, Some(SummaryState::Undone));
    let pattern = ArgumentPattern { argument: "path".to_owned(), pattern: "a*".to_owned() };
    assert_eq!(store.grants(&"c1".into()).unwrap()[0].arguments, [pattern]);
    let labels = Labels { outside: vec![Source::tool("web_read")], private: vec![] };
    let again = NewNote { text: "Likes a window seat".to_owned(), labels, conversation: "c1".into(), at: 500 };
    assert_eq!(store.write(again).unwrap().labels, Labels::none(), "it was kept");
}
