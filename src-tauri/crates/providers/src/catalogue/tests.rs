// SPDX-License-Identifier: Apache-2.0
use super::*;
use serde_json::Value;
use std::collections::BTreeSet;

const TEXT: &str = include_str!("models.json");

#[test]
fn the_file_is_sorted_and_sane_and_small() {
    assert!(TEXT.len() < 120_000, "{} bytes", TEXT.len());
    let file: Value = serde_json::from_str(TEXT).unwrap();
    let text = |key: &str| file[key].as_str().unwrap_or_default().to_owned();
    assert!(is_date(&text("date")[..4], &text("date")[5..7], &text("date")[8..]), "{}", text("date"));
    assert!(text("source").starts_with("litellm ") && !text("units").is_empty());

    let models = file["models"].as_array().unwrap();
    assert!(models.len() > 300, "{} models", models.len());
    assert_eq!(TEXT.lines().count(), models.len() + 2, "one model a line");
    let sellers: BTreeSet<&str> = SELLERS.iter().map(|(_, seller)| *seller).chain(MAKERS).collect();
    let named: BTreeSet<&str> = models.iter().map(|model| model["host"].as_str().unwrap()).collect();
    assert_eq!(named, sellers, "every seller has models, and every model a seller that is known here");

    let known = ["host", "id", "window", "max_output", "pictures", "tools", "thinks", "price"];
    let mut before = String::new();
    let mut seen = BTreeSet::new();
    for model in models {
        let fields = model.as_object().unwrap();
        assert!(fields.keys().all(|key| known.contains(&key.as_str())), "{model}");
        let (host, id) = (model["host"].as_str().unwrap(), model["id"].as_str().unwrap());
        let place = format!("{host} {id}");
        assert!(before < place, "{before} stands before {place}");
        assert!(seen.insert(place.to_lowercase()), "{place} twice");
        before = place;
        assert!(fields.len() > 2, "{model}");

        // What is unknown is absent, what is there has the type it should have.
        let line: Line<'_> = serde_json::from_str(
            TEXT.lines()
                .find(|line| line.starts_with(&format!(r#"{{"host":"{host}","id":"{id}""#)))
                .unwrap()
                .trim_end_matches(','),
        )
        .unwrap();
        let facts = line.facts();
        if let Some(window) = facts.window {
            assert!((2_000..=20_000_000).contains(&window), "{model}");
        }
        if let Some(most) = facts.max_output {
            assert!(most >= 500 && facts.window.is_none_or(|window| most < window), "{model}");
        }
        if let Some(price) = facts.price {
            // Between a cent and a thousand dollars a million tokens.
            let sane = 10_000..=1_000_000_000;
            assert!(sane.contains(&price.input) && sane.contains(&price.output), "{model}");
            assert!(price.cached.is_none_or(|cached| cached > 0 && cached < price.input), "{model}");
            assert!(price.cache_write.is_none_or(|written| written > 0 && written <= 2 * price.input), "{model}");
        }
    }
}

#[test]
fn dots_and_dashes_tell_no_two_models_apart() {
    for (seller, models) in &CATALOGUE.exact {
        for (id, facts) in models {
            let other = CATALOGUE.dashed[seller][&id.replace('.', "-")];
            assert_eq!((other.window, other.pictures), (facts.window, facts.pictures), "{seller} {id}");
        }
    }
}

#[test]
fn a_makers_own_host_knows_limits_abilities_and_price() {
    let sonnet = facts("api.anthropic.com", "claude-sonnet-4-5");
    assert_eq!(
        sonnet,
        ModelFacts {
            window: Some(200_000),
            max_output: Some(64_000),
            pictures: Some(true),
            tools: Some(true),
            thinks: Some(true),
            price: Some(Price {
                input: 3_000_000,
                output: 15_000_000,
                cached: Some(300_000),
                cache_write: Some(3_750_000),
            }),
        }
    );
    let cheap = facts("api.cohere.com", "command-r7b-12-2024").price.unwrap();
    assert_eq!((cheap.input, cheap.output), (37_500, 150_000));
    // As Google lists them, and as people write hosts.
    assert_eq!(facts("generativelanguage.googleapis.com", "models/gemini-2.5-pro").window, Some(1_048_576));
    assert!(facts("API.OpenAI.com.", " GPT-5 ").price.is_some());
    assert!(facts("api.groq.com", "openai/gpt-oss-120b").price.is_some());
}

#[test]
fn editions_of_a_model_are_found_and_other_models_are_not() {
    let same = |host: &str, id: &str, base: &str| {
        let found = facts(host, base);
        assert_ne!(found, ModelFacts::default(), "{base}");
        assert_eq!(facts(host, id), found, "{id}");
    };
    same("api.openai.com", "gpt-5-2025-08-07", "gpt-5");
    same("api.openai.com", "gpt-5-2031-12-31", "gpt-5");
    same("api.openai.com", "gpt-5-latest", "gpt-5");
    same("api.anthropic.com", "claude-sonnet-4-5-20250929", "claude-sonnet-4-5");
    same("api.anthropic.com", "claude-sonnet-4-5@20250929", "claude-sonnet-4-5");
    same("generativelanguage.googleapis.com", "gemini-2.5-flash-001", "gemini-2.5-flash");
    same("generativelanguage.googleapis.com", "models/gemini-2.5-flash@001", "gemini-2.5-flash");

    // A dated edition with facts of its own keeps them.
    assert_ne!(facts("api.openai.com", "gpt-4o-2024-05-13"), facts("api.openai.com", "gpt-4o"));

    assert_ne!(facts("api.openai.com", "gpt-4").window, facts("api.openai.com", "gpt-4.1").window);
    for unknown in [
        "gpt-4.15",
        "gpt-4.1-",
        "gpt-4.1-2025-13-01",
        "gpt-4.1-2025",
        "gpt-4.1-mini-2",
        "my-gpt-4.1",
        "gpt-4.1/finetune",
        "ft:gpt-4.1:me::1",
        "gpt",
        "",
        " ",
        "/",
        "-latest",
        "@001",
        "gpt-4.1:20b",
        "模型",
    ] {
        for host in ["api.openai.com", "gateway.example", "127.0.0.1"] {
            assert_eq!(facts(host, unknown), ModelFacts::default(), "{unknown} at {host}");
        }
    }
}

#[test]
fn through_a_gateway_all_but_the_price_is_known() {
    let of = |host: &str, id: &str| ModelFacts { price: None, ..facts(host, id) };
    for (id, host, base) in [
        ("anthropic/claude-sonnet-4-5", "api.anthropic.com", "claude-sonnet-4-5"),
        ("anthropic/claude-sonnet-4.5", "api.anthropic.com", "claude-sonnet-4-5"),
        ("claude-sonnet-4-5-20250929", "api.anthropic.com", "claude-sonnet-4-5"),
        ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", "api.anthropic.com", "claude-sonnet-4-5"),
        ("anthropic.claude-opus-4-5-20251101-v1:0", "api.anthropic.com", "claude-opus-4-5"),
        ("openai/gpt-4.1:free", "api.openai.com", "gpt-4.1"),
        ("google/gemini-2.5-pro", "generativelanguage.googleapis.com", "gemini-2.5-pro"),
        ("publishers/google/models/gemini-2.5-pro", "generativelanguage.googleapis.com", "gemini-2.5-pro"),
        ("x-ai/grok-4.3", "api.x.ai", "grok-4.3"),
        ("deepseek-ai/DeepSeek-V3.2", "api.deepseek.com", "deepseek-v3.2"),
        ("Pro/deepseek-ai/DeepSeek-V3.2", "api.deepseek.com", "deepseek-v3.2"),
        ("accounts/fireworks/models/deepseek-v3p2", "api.deepseek.com", "deepseek-v3.2"),
        ("z-ai/glm-4.6", "api.z.ai", "glm-4.6"),
        ("zai-org/GLM-4.6", "api.z.ai", "glm-4.6"),
        ("moonshotai/kimi-k2.5", "api.moonshot.ai", "kimi-k2.5"),
        ("MiniMaxAI/MiniMax-M2.1", "api.minimax.io", "minimax-m2.1"),
        ("qwen3-max", "dashscope-intl.aliyuncs.com", "qwen3-max"),
    ] {
        let own = of(host, base);
        assert!(own.window.is_some(), "{base}");
        for gateway in ["openrouter.ai", "gateway.example", "bedrock-runtime.us-east-1.amazonaws.com"] {
            assert_eq!(facts(gateway, id), own, "{id}");
        }
    }
    // Open models, under the names of their repositories.
    let open = facts("api.siliconflow.cn", "openai/gpt-oss-120b");
    assert_eq!((open.window, open.price), (Some(131_072), None));
    // A prefix is no maker's but its own.
    for other in
        ["somebody/claude-sonnet-4-5", "openai/claude-sonnet-4-5", "somebody/gpt-4.1", "xx.anthropic.claude-opus-4-5"]
    {
        assert_eq!(facts("openrouter.ai", other), ModelFacts::default(), "{other}");
    }
    // A maker's host for another region has other prices.
    for (host, model) in [
        ("api.moonshot.cn", "kimi-k2.5"),
        ("dashscope.aliyuncs.com", "qwen-plus"),
        ("api.minimaxi.com", "MiniMax-M2.1"),
        ("eu.api.openai.com", "gpt-5"),
        ("api.openai.com.evil.example", "gpt-5"),
    ] {
        let found = facts(host, model);
        assert!(found.window.is_some() && found.price.is_none(), "{host}");
    }
    // A seller has no price for what it does not sell, but the rest is known.
    let stranger = facts("api.groq.com", "anthropic/claude-sonnet-4-5");
    assert!(stranger.window.is_some() && stranger.price.is_none());
}

#[test]
fn on_ones_own_network_only_abilities_are_known() {
    for host in ["127.0.0.1", "localhost", "[::1]", "192.168.1.5", "studio.local"] {
        let found = facts(host, "claude-sonnet-4-5");
        let abilities =
            ModelFacts { pictures: Some(true), tools: Some(true), thinks: Some(true), ..Default::default() };
        assert_eq!(found, abilities, "{host}");
    }
    assert_eq!(facts("127.0.0.1", "gpt-oss:20b"), ModelFacts::default());
}

#[test]
fn odd_names_are_no_trouble() {
    use proptest::prelude::*;
    proptest!(|(host in ".{0,40}", model in "(models/|us\\.anthropic\\.|a/|-|@|:|v1|2025-08-07|gpt|\\.|é|模){0,8}.{0,10}")| {
        let found = facts(&host, &model);
        prop_assert!(found.price.is_none());
    });
}
