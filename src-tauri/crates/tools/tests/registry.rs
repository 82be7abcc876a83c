// SPDX-License-Identifier: Apache-2.0
//! The definitions of all tools, and the page made from them.

mod support;

use bailey_policy::{ArgumentRole, ToolFacts, ToolKind, ToolSpec};
use bailey_protocol::Danger;
use bailey_tools::{Parts, Registry, SearchChoice};
use serde_json::Value;
use std::fmt::Write as _;
use std::sync::Arc;
use support::{World, registry};

/// The rows of the contract: name, danger, flags. From web_search on they need a web, a device or a shell.
const CONTRACT: &[(&str, &str, &str)] = &[
    ("get_time", "L", "R"),
    ("compute", "L", "R"),
    ("plan_update", "L", "I"),
    ("ask_user", "L", "I"),
    ("spawn_agent", "L", "R"),
    ("memory_write", "L", "I"),
    ("memory_search", "L", "I"),
    ("file_write", "M", ""),
    ("web_search", "L", "R U E"),
    ("web_read", "L", "R U E"),
    ("fetch_rss", "L", "R U E"),
    ("get_weather", "L", "R U E"),
    ("download_file", "M", "U E"),
    ("device_info", "L", "R"),
    ("network_status", "L", "R"),
    ("get_screen_state", "L", "R U P"),
    ("get_foreground_app", "L", "R U P"),
    ("list_installed_apps", "L", "R P"),
    ("get_app_usage", "L", "R P"),
    ("manage_app", "H", "N"),
    ("open_app", "L", ""),
    ("open_settings", "L", ""),
    ("open_dialer", "L", ""),
    ("set_volume", "L", ""),
    ("set_brightness", "L", ""),
    ("set_flashlight", "L", ""),
    ("vibrate", "L", ""),
    ("media_control", "L", ""),
    ("read_notifications", "L", "R U P"),
    ("get_clipboard", "L", "R U P"),
    ("set_clipboard", "M", "N"),
    ("share_text", "M", "E N"),
    ("send_email", "M", "E"),
    ("search_contacts", "L", "R P"),
    ("create_calendar_event", "M", ""),
    ("ui_control", "H", "U P E"),
    ("run_shell", "H", "U P E N"),
];

fn danger(facts: &ToolFacts) -> &'static str {
    match facts.danger {
        Danger::Low => "L",
        Danger::Medium => "M",
        Danger::High => "H",
    }
}

fn flags(facts: &ToolFacts) -> String {
    let flags = [
        ("I", facts.internal),
        ("R", facts.read_only),
        ("U", facts.outside),
        ("P", facts.private),
        ("E", facts.egress),
        ("N", facts.never_unattended),
    ];
    flags.iter().filter(|(_, set)| *set).map(|(flag, _)| *flag).collect::<Vec<_>>().join(" ")
}

fn properties(schema: &Value) -> &serde_json::Map<String, Value> {
    schema["properties"].as_object().expect("properties")
}

/// Closed, and every property described.
fn check_object(tool: &str, schema: &Value) {
    assert_eq!(schema["type"], "object", "{tool}");
    assert_eq!(schema["additionalProperties"], false, "{tool} takes anything");
    for required in schema["required"].as_array().expect("required") {
        assert!(properties(schema).contains_key(required.as_str().unwrap()), "{tool}: {required}");
    }
    for (name, property) in properties(schema) {
        let description = property["description"].as_str().unwrap_or_default();
        assert!(description.len() >= 10 && description.ends_with('.'), "{tool}.{name} is not described");
    }
}

#[test]
fn the_facts_are_those_of_the_contract() {
    let registry = registry(Arc::new(World::default()));
    let made: Vec<_> = registry.specs().map(|s| (s.name.as_str(), danger(&s.facts), flags(&s.facts))).collect();
    let contract: Vec<_> = CONTRACT.iter().map(|(name, danger, flags)| (*name, *danger, (*flags).to_owned())).collect();
    assert_eq!(made, contract);
}

#[test]
fn every_definition_is_sound() {
    for spec in registry(Arc::new(World::default())).specs() {
        let name = &spec.name;
        assert!((1..=64).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'), "{name}");
        assert!(
            ["do not", "it has no"].iter().any(|w| spec.description.to_lowercase().contains(w)),
            "{name} has no limits"
        );
        jsonschema::draft202012::meta::validate(&spec.schema).unwrap_or_else(|e| panic!("{name}: {e}"));
        let validator = jsonschema::draft202012::new(&spec.schema).unwrap_or_else(|e| panic!("{name}: {e}"));
        validator.validate(&spec.example).unwrap_or_else(|e| panic!("the example of {name}: {e}"));
        check_object(name, &spec.schema);
        for (key, property) in properties(&spec.schema) {
            assert_ne!(property["type"], "object", "{name}.{key} is not flat");
            // A list of records is as deep as it gets.
            if property["items"]["type"] == "object" {
                check_object(name, &property["items"]);
                for (inner, property) in properties(&property["items"]) {
                    assert!(property["type"] != "object" && property["type"] != "array", "{name}.{key}.{inner}");
                }
            }
        }
        for (argument, role) in &spec.arguments {
            let property = properties(&spec.schema).get(argument);
            let property = property.unwrap_or_else(|| panic!("{name} has no argument {argument}"));
            let says_little = property.get("enum").is_some()
                || ["integer", "number", "boolean"].iter().any(|t| property["type"] == *t);
            // A handle goes no further than the device, which knows it or not.
            let is_handle =
                spec.kind == ToolKind::Touch && property["maxLength"].as_u64().is_some_and(|most| most <= 12);
            assert!(*role != ArgumentRole::Neutral || says_little || is_handle, "{name}.{argument} has room for data");
        }
    }
}

#[test]
fn tools_are_found_by_name_and_a_missing_part_leaves_its_tool_out() {
    let world = Arc::new(World::default());
    let whole = registry(world.clone());
    assert!(whole.specs().all(|s| whole.get(&s.name).is_some_and(|t| t.spec().digest() == s.digest())));
    assert!(whole.get("open_door").is_none());
    let search = Arc::new(SearchChoice::default);
    let without = Registry::new(Parts {
        notes: world.clone(),
        files: world,
        device: None,
        shell: None,
        web: None,
        search,
        zone: None,
    });
    let missing: Vec<_> = whole.specs().map(|s| s.name.as_str()).filter(|name| without.get(name).is_none()).collect();
    let first = CONTRACT.iter().position(|(name, ..)| *name == "web_search").unwrap();
    assert_eq!(missing, CONTRACT[first..].iter().map(|(name, ..)| *name).collect::<Vec<_>>());
}

fn row(spec: &ToolSpec) -> String {
    let list = |roles: &[Option<ArgumentRole>]| {
        let keys = properties(&spec.schema).keys().filter(|k| roles.contains(&spec.role(k)));
        keys.map(|k| format!("`{k}`")).collect::<Vec<_>>().join(", ")
    };
    let dash = |s: String| if s.is_empty() { "—".to_owned() } else { s };
    format!(
        "| `{}` | {} | {} | {} | {} | {} | {} | `{}` |\n",
        spec.name,
        spec.description.replace('|', "\\|"),
        danger(&spec.facts),
        dash(flags(&spec.facts)),
        dash(list(&[None, Some(ArgumentRole::Shell)])),
        dash(list(&[Some(ArgumentRole::Text)])),
        dash(list(&[Some(ArgumentRole::Neutral), Some(ArgumentRole::Coarse)])),
        spec.example.to_string().replace('|', "\\|"),
    )
}

fn page() -> String {
    let mut out = String::from(
        "<!-- SPDX-License-Identifier: Apache-2.0 -->\n\
         <!-- Made from the registry in src-tauri/crates/tools. Do not edit: BAILEY_BLESS=1 cargo test -p bailey-tools -->\n\n\
         # Tools\n\n\
         What the model is told of each built-in tool, and what the gate knows of it.\n\n\
         Danger: L low, M medium, H high. Flags: **I** internal, allowed in every mode · **R** changes nothing · **U** its\n\
         output is text from outside · **P** its output is the person's own data · **E** can carry data out · **N** refused\n\
         while nobody watches. *Deciding* arguments say what a call does and to whom; *text* arguments are free text;\n\
         *other* arguments are numbers, one of a few words, or coordinates that are rounded before they leave.\n\n\
         | tool | what the model is told | danger | flags | deciding | text | other | example |\n\
         |---|---|---|---|---|---|---|---|\n",
    );
    for spec in registry(Arc::new(World::default())).specs() {
        let _ = out.write_str(&row(spec));
    }
    out
}

#[test]
fn the_committed_page_is_that_of_the_registry() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/TOOLS.md");
    let made = page();
    if std::env::var_os("BAILEY_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &made).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(
        committed == made,
        "docs/TOOLS.md has drifted: run BAILEY_BLESS=1 cargo test -p bailey-tools and commit it"
    );
}
