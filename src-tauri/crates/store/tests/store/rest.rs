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
