// SPDX-License-Identifier: Apache-2.0
//! Grants and settings.

use crate::records::*;
use bailey_policy::{Grant, GrantScope};
use bailey_ports::Store;
use bailey_protocol::*;

#[test]
fn grants_hold_in_their_conversation_and_its_runs() {
    let home = Home::new();
    home.talk("c", "r", "Question", "Answer", 1);
    home.talk("d", "s", "Question", "Answer", 1);
    let grant = |id: &str, scope: GrantScope| Grant {
        id: id.to_owned(),
        tool: "file_write".to_owned(),
        scope,
        arguments: vec![],
        expires: Some(99),
    };
    let all = [
        grant("a", GrantScope::Always),
        grant("b", GrantScope::Conversation("c".into())),
        grant("e", GrantScope::Run("r".into())),
        grant("f", GrantScope::Automation("daily".to_owned())),
        grant("g", GrantScope::Conversation("d".into())),
        grant("h", GrantScope::Run("s".into())),
    ];
    for (at, grant) in (1..).zip(&all) {
        home.store.add_grant(grant, at).unwrap();
    }
    assert_eq!(home.store.grants(&"c".into()).unwrap(), all[..4]);
    let ids = |c: &str| home.store.grants(&c.into()).unwrap().into_iter().map(|g| g.id).collect::<Vec<_>>();
    assert_eq!((ids("d").join(""), ids("nowhere").join("")), ("afgh".to_owned(), "af".to_owned()));
    let changed = Grant { expires: None, ..all[0].clone() };
    home.store.add_grant(&changed, 1).unwrap();
    assert_eq!(home.store.grants(&"nowhere".into()).unwrap()[0], changed);
}

#[test]
fn all_grants_that_hold_are_listed_newest_first_and_can_be_taken_back() {
    let home = Home::new();
    home.append("r", &[opened(1, "c", "q"), prompt(1, "q", None, "Question")]);
    home.talk("d", "s", "Question", "Answer", 1);
    let pattern = |pattern: &str| ArgumentPattern { argument: "path".to_owned(), pattern: pattern.to_owned() };
    let grant = |id: &str, scope: GrantScope, expires: Option<Millis>| Grant {
        id: id.to_owned(),
        tool: "file_write".to_owned(),
        scope,
        arguments: vec![pattern("notes/*"), pattern("*\"quoted\".md")],
        expires,
    };
    let all = [
        grant("a", GrantScope::Always, None),
        grant("b", GrantScope::Conversation("c".into()), Some(100)),
        grant("e", GrantScope::Run("r".into()), None),
        grant("f", GrantScope::Automation("daily".to_owned()), Some(101)),
        grant("g", GrantScope::Run("s".into()), None),
    ];
    for (at, grant) in (1..).zip(&all) {
        home.store.add_grant(grant, at).unwrap();
    }
    let ids = |now: Millis| {
        let grants = home.store.all_grants(now).unwrap();
        grants.iter().map(|(grant, at)| format!("{}{at}", grant.id)).collect::<Vec<_>>().join(" ")
    };
    // g is of a run that is over.
    assert_eq!(ids(99), "f4 e3 b2 a1");
    assert_eq!((ids(100), ids(101)), ("f4 e3 a1".to_owned(), "e3 a1".to_owned()));
    assert_eq!(home.store.all_grants(0).unwrap()[3], (all[0].clone(), 1));
    home.append("r", &[done(5)]);
    assert_eq!(ids(101), "a1");

    home.store.revoke_grant("b").unwrap();
    home.store.revoke_grant("b").unwrap();
    assert_eq!(ids(99), "f4 a1");
    let held = home.store.grants(&"c".into()).unwrap();
    assert_eq!(held, [all[0].clone(), all[2].clone(), all[3].clone()]);
}

fn demo() -> Provider {
    Provider {
        id: "demo".into(),
        name: "Demo".to_owned(),
        kind: ProviderKind::Demo,
        base_url: String::new(),
        has_key: false,
        wants_key: false,
    }
}

#[test]
fn settings_begin_with_the_defaults_and_the_demo() {
    let home = Home::new();
    let settings = home.store.settings().unwrap();
    assert_eq!(settings, Settings { providers: vec![demo()], ..Settings::default() });
}

#[test]
fn settings_are_kept_but_never_a_key() {
    let home = Home::new();
    let other = Provider {
        id: "p".into(),
        name: "Mine".to_owned(),
        kind: ProviderKind::OpenaiChat,
        base_url: "https://example.org/v1".to_owned(),
        has_key: true,
        wants_key: true,
    };
    let forged = Provider { name: "Not the demo".to_owned(), has_key: true, ..demo() };
    let mut settings = Settings {
        onboarded: true,
        language: Some(Language::Zh),
        default_model: Some(model()),
        providers: vec![other.clone(), forged],
        shell: true,
        ..Settings::default()
    };
    settings.budgets.insert("max".to_owned(), Budget { rounds: 1, calls: 2, active_ms: None });
    home.store.save_settings(&settings).unwrap();
    let expected = Settings { providers: vec![demo(), Provider { has_key: false, ..other }], ..settings };
    assert_eq!(home.store.settings().unwrap(), expected);
    let stored: String = home.sql().query_row("SELECT settings FROM settings", [], |r| r.get(0)).unwrap();
    assert!(!stored.contains("\"has_key\":true"));
    home.store.save_settings(&Settings::default()).unwrap();
    assert_eq!(home.store.settings().unwrap().providers, [demo()]);
}
