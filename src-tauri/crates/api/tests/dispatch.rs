// SPDX-License-Identifier: Apache-2.0
//! Commands by name, as a shell calls them: JSON in, JSON out.

use bailey_agent::{Agent, Parts, Presence};
use bailey_api::Api;
use bailey_ports::{Durability, Redactor};
use bailey_protocol::{Code, Command, Event, StreamMessage};
use bailey_store::Database;
use bailey_testkit::clock::WallClock;
use bailey_testkit::secrets::Keys;
use bailey_testkit::server::ScriptedServer;
use futures::StreamExt;
use serde_json::{Value, json};
use std::sync::Arc;

struct World {
    api: Api,
    _folder: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let database = Arc::new(Database::open(&folder.path().join("bailey.db")).unwrap());
        let agent = Agent::start(Parts {
            store: database.clone(),
            notes: database.clone(),
            files: database,
            clock: Arc::new(WallClock),
            secrets: Arc::new(Keys::default()),
            notifier: None,
            device: None,
            shell: None,
            web: None,
            tools: Vec::new(),
            redactor: Redactor::new(),
            models: vec![],
            durability: Durability::Committed,
        })
        .unwrap();
        Self { api: Api::new(agent), _folder: folder }
    }

    async fn ok(&self, name: &str, params: Value) -> Value {
        self.api.dispatch(name, params).await.unwrap_or_else(|e| panic!("{name}: {e:?}"))
    }

    async fn err(&self, name: &str, params: Value) -> Code {
        self.api.dispatch(name, params).await.expect_err(name).code
    }
}

#[tokio::test]
async fn every_command_takes_its_own_parameters_and_refuses_others() {
    let world = World::new();
    assert_eq!(world.err("no_such_command", json!({})).await, Code::BadRequest);
    for name in Command::NAMES {
        let code = world.api.dispatch(name, json!("nonsense")).await.expect_err(name).code;
        assert_eq!(code, Code::BadRequest, "{name}");
    }
    let missing = [
        ("conversation_open", json!({"conversation": "gone"})),
        ("conversation_delete", json!({"conversation": "gone"})),
        ("conversation_restore", json!({"conversation": "gone"})),
        ("conversation_update", json!({"conversation": "gone", "title": "x"})),
        ("retry", json!({"conversation": "gone", "message": "gone"})),
        ("branch_select", json!({"conversation": "gone", "message": "gone"})),
        ("send", json!({"conversation": "gone", "text": "hi"})),
        ("provider_remove", json!({"provider": "gone"})),
        ("model_list", json!({"provider": "gone"})),
        ("picture_get", json!({"picture": "gone"})),
    ];
    for (name, params) in missing {
        assert_eq!(world.err(name, params).await, Code::NotFound, "{name}");
    }
    assert_eq!(world.err("ask_answer", json!({"ask": "gone", "answer": {"type": "deny"}})).await, Code::Stale);
    assert_eq!(world.ok("stop", json!({"run": "gone"})).await, json!({}));
    assert_eq!(world.err("send", json!({"text": "  "})).await, Code::BadRequest);
    assert_eq!(world.err("send", json!({"text": "hi"})).await, Code::NoModel);
}

#[tokio::test]
async fn settings_change_one_by_one_and_bad_ones_change_nothing() {
    let world = World::new();
    let first = world.ok("settings_get", json!({})).await;
    assert_eq!(
        (&first["default_mode"], &first["shell"], &first["onboarded"]),
        (&json!("chat_plus"), &json!(false), &json!(false))
    );
    assert_eq!(first["providers"][0]["id"], "demo");
    let changed = world
        .ok(
            "settings_update",
            json!({"language": "zh", "theme": "dark", "budget": ["act", {"rounds": 3, "calls": 4, "active_ms": null}]}),
        )
        .await;
    assert_eq!(
        (&changed["language"], &changed["theme"], &changed["budgets"]["act"]["rounds"]),
        (&json!("zh"), &json!("dark"), &json!(3))
    );
    for bad in [
        json!({"language": "fr"}),
        json!({"budget": ["act", {"rounds": 0, "calls": 4, "active_ms": null}]}),
        json!({"default_model": {"provider": "gone", "model": "x"}}),
        json!({"colour": "red"}),
    ] {
        assert_eq!(world.err("settings_update", bad).await, Code::BadRequest);
    }
    assert_eq!(world.ok("settings_get", json!({})).await, changed);
    let back = world.ok("settings_update", json!({"language": "auto"})).await;
    assert_eq!(back["language"], Value::Null);
}

#[tokio::test]
async fn a_provider_is_tested_kept_used_and_forgotten() {
    let world = World::new();
    let server = ScriptedServer::start().await;
    let draft = json!({"name": "Mine", "kind": "openai_chat", "base_url": format!("{}/chat/completions", server.base_url()), "key": "sk-secret-1"});
    let tested = world.ok("provider_test", draft.clone()).await;
    assert_eq!(tested["ok"], true, "{tested}");
    let saved = world.ok("provider_save", draft).await;
    // What was given a key wants it again after a restart, even on this machine.
    assert_eq!(
        (&saved["base_url"], &saved["has_key"], &saved["wants_key"]),
        (&json!(server.base_url()), &json!(true), &json!(true))
    );
    let keyless = json!({"name": "Keyless", "kind": "openai_chat", "base_url": server.base_url()});
    assert_eq!(world.ok("provider_save", keyless).await["wants_key"], false);
    let id = saved["id"].clone();
    let models = world.ok("model_list", json!({"provider": id})).await;
    let model = models[0]["model"].clone();
    world.ok("settings_update", json!({"default_model": {"provider": id, "model": model}})).await;
    let mut events = world.api.agent().subscribe(None, Presence::Attending);
    let sent = world.ok("send", json!({"text": "hello"})).await;
    while let Some(message) = events.next().await {
        if let StreamMessage::Event { event: Event::Run { run }, .. } = message
            && run.state.is_final()
        {
            break;
        }
    }
    let view = world.ok("conversation_open", json!({"conversation": sent["conversation"]})).await;
    assert_eq!(view["runs"][0]["state"], "done", "{view}");
    assert!(!view.to_string().contains("sk-secret-1"));

    // A key given for one endpoint is never sent to another.
    let moved = json!({"id": id, "name": "Mine", "kind": "openai_chat", "base_url": "https://example.com/v1"});
    let moved = world.ok("provider_save", moved).await;
    assert_eq!((&moved["has_key"], &moved["wants_key"]), (&json!(false), &json!(true)));
    let settings = world.ok("provider_remove", json!({"provider": id})).await;
    assert_eq!(settings["default_model"]["provider"], "demo");
    assert_eq!(world.err("provider_remove", json!({"provider": "demo"})).await, Code::BadRequest);
    let cleartext = json!({"name": "x", "kind": "openai_chat", "base_url": "http://example.com/v1"});
    assert_eq!(world.err("provider_save", cleartext).await, Code::Endpoint);
}

#[tokio::test]
async fn tools_say_what_each_mode_does_with_them() {
    let world = World::new();
    let tools = world.ok("tool_list", json!({})).await;
    let modes = |name: &str| {
        let tool = tools.as_array().unwrap().iter().find(|t| t["name"] == name).unwrap_or_else(|| panic!("{name}"));
        tool["modes"].clone()
    };
    assert_eq!(modes("get_time"), json!(["deny", "allow", "confirm", "allow"]));
    assert_eq!(modes("file_write"), json!(["deny", "deny", "confirm", "allow"]));
    assert_eq!(modes("plan_update"), json!(["allow", "allow", "allow", "allow"]));
}

#[tokio::test]
async fn a_pasted_text_is_recognised_and_can_be_given_as_the_key() {
    let world = World::new();
    let text = "export ANTHROPIC_API_KEY=sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789AA";
    let found = world.ok("provider_recognise", json!({"text": text})).await;
    let expected = json!({"kind": "anthropic", "name": "Anthropic", "base_url": "https://api.anthropic.com", "has_key": true, "sure": true});
    assert_eq!(
        (&found["kind"], &found["name"], &found["has_key"], &found["sure"]),
        (&expected["kind"], &expected["name"], &expected["has_key"], &expected["sure"]),
        "{found}"
    );
    assert!(!found.to_string().contains("abcdefghijk"), "the key is not said back");
    assert_eq!(world.ok("provider_recognise", json!({"text": "good morning"})).await, Value::Null);

    let server = ScriptedServer::start().await;
    let draft = json!({"name": "Mine", "kind": "openai_chat", "base_url": server.base_url(), "key": text});
    let saved = world.ok("provider_save", draft).await;
    assert_eq!(saved["has_key"], true);
    world.ok("model_list", json!({"provider": saved["id"]})).await;
    let log = server.log();
    let carried = log.last().and_then(|request| request.header("authorization"));
    assert_eq!(carried, Some("Bearer sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789AA"));
    let presets = world.ok("provider_presets", json!({})).await;
    assert!(presets.as_array().unwrap().iter().any(|p| p["kind"] == "gemini" && p["name"] != ""), "{presets}");
}

#[tokio::test]
async fn what_is_set_about_models_money_and_outages_is_kept_and_taken_back() {
    let world = World::new();
    let draft = json!({"name": "Mine", "kind": "anthropic", "base_url": "https://api.anthropic.com"});
    let id = world.ok("provider_save", draft).await["id"].clone();
    let model = json!({"provider": id, "model": "claude"});
    let facts = json!({"window": 100_000, "price": {"input": 3_000_000, "output": 15_000_000, "cached": null, "cache_write": null}});
    let set = json!({"model": {"model": model, "facts": facts, "effort": "high"}, "fallback_model": model, "caps": {"run": 500_000, "day": null}});
    let settings = world.ok("settings_update", set).await;
    assert_eq!(settings["models"][0]["facts"]["window"], 100_000);
    assert_eq!((&settings["fallback_model"], &settings["caps"]), (&model, &json!({"run": 500_000, "day": null})));
    let untouched = world.ok("settings_update", json!({"theme": "dark"})).await;
    assert_eq!(untouched["fallback_model"], model, "absence is not null");
    for bad in [
        json!({"fallback_model": {"provider": "gone", "model": "x"}}),
        json!({"model": {"model": {"provider": "gone", "model": "x"}}}),
        json!({"model": {"model": model, "facts": {"window": 10}}}),
        json!({"caps": {"run": -1, "day": null}}),
    ] {
        assert_eq!(world.err("settings_update", bad.clone()).await, Code::BadRequest, "{bad}");
    }
    let cleared = json!({"fallback_model": null, "model": {"model": model}, "caps": {"run": null, "day": null}});
    let settings = world.ok("settings_update", cleared).await;
    assert_eq!((&settings["fallback_model"], &settings["models"]), (&Value::Null, &json!([])));

    // What was set about a provider's models goes with it.
    world.ok("settings_update", json!({"fallback_model": model, "model": {"model": model, "effort": "low"}})).await;
    let settings = world.ok("provider_remove", json!({"provider": id})).await;
    assert_eq!((&settings["fallback_model"], &settings["models"]), (&Value::Null, &json!([])));
}

#[tokio::test]
async fn keys_that_can_not_be_protected_say_so() {
    let world = World::new();
    assert_eq!(world.ok("settings_get", json!({})).await["keys"]["locked"], false);
    // Keys in memory have no file to put a passphrase on.
    assert_eq!(world.err("keys_protect", json!({"passphrase": "x"})).await, Code::Keys);
}
