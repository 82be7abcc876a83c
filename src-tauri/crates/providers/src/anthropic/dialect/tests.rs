// SPDX-License-Identifier: Apache-2.0
use super::*;
use serde_json::json;

fn at(base: &str) -> Dialect {
    Dialect::of(&Url::parse(base).unwrap())
}

fn elsewhere() -> Dialect {
    at("https://gateway.example/anthropic/v1")
}

fn refused(words: &str) -> String {
    json!({"type": "error", "error": {"type": "invalid_request_error", "message": words}, "request_id": "req_1"})
        .to_string()
}

fn learns(dialect: &Dialect, sent: &Value, words: &str) -> bool {
    dialect.learn(sent.to_string().as_bytes(), &refused(words))
}

#[test]
fn hosts_are_known() {
    for (base, first_party, bearer) in [
        ("https://api.anthropic.com/v1", true, false),
        ("https://API.Anthropic.com./v1", true, false),
        ("https://notanthropic.com/v1", false, false),
        ("https://anthropic.com.evil.example", false, false),
        ("https://openrouter.ai/api/v1", false, true),
        ("https://api.minimax.io/anthropic/v1", false, true),
        ("https://api.deepseek.com/anthropic/v1", false, false),
        ("http://127.0.0.1:1234/v1", false, false),
    ] {
        let dialect = at(base);
        assert_eq!((dialect.first_party, dialect.carries_bearer()), (first_party, bearer), "{base}");
    }
}

#[test]
fn a_key_is_carried_the_other_way_once() {
    let headers = |name: &'static str| HeaderMap::from_iter([(name.parse().unwrap(), "k".parse().unwrap())]);
    let dialect = elsewhere();
    assert!(dialect.learn_key(&headers("x-api-key")));
    assert!(dialect.clone().carries_bearer());
    // Another request that went out before.
    assert!(dialect.learn_key(&headers("x-api-key")));
    assert!(!dialect.learn_key(&headers("authorization")), "both ways were refused");
    assert!(!dialect.carries_bearer());
    assert!(!dialect.learn_key(&headers("x-api-key")), "that is settled");
    assert!(!dialect.learn_key(&HeaderMap::new()), "there was no key");
    assert!(!at("https://api.anthropic.com").learn_key(&headers("x-api-key")), "it says what it means");
}

#[test]
fn limits_are_learnt_from_words() {
    for (asked, words, cap) in [
        (
            200_000,
            "max_tokens: 200000 > 64000, which is the maximum allowed number of output tokens for claude-haiku-4-5-20251001",
            Some(64_000),
        ),
        (16_384, "Invalid max_tokens value, the valid range of max_tokens is [1, 8192]", Some(8192)),
        (16_384, "max_tokens must be less than or equal to 4096 (code 400)", Some(4096)),
        (16_384, "max_tokens is too large", None),
        (32_000, "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000", None),
        (32_000, "`max_tokens` must be greater than `thinking.budget_tokens` 24000", None),
        (32_000, "prompt is too long: 210000 tokens > 200000 maximum", None),
    ] {
        let dialect = elsewhere();
        let sent = json!({"model": "m", "max_tokens": asked, "messages": []});
        assert_eq!(learns(&dialect, &sent, words), cap.is_some(), "{words}");
        assert_eq!(dialect.learnt().habits("m").cap, cap, "{words}");
        assert_eq!(dialect.learnt().habits("other").cap, None);
    }
}

#[test]
fn how_to_think_is_learnt_from_words() {
    let budget = json!({"type": "enabled", "budget_tokens": 4096});
    let adaptive = json!({"type": "adaptive", "display": "summarized"});
    let off = json!({"type": "disabled"});
    let style = |style| Habits { style: Some(style), ..Habits::default() };
    for (thinking, effort, words, expected) in [
        (
            &budget,
            false,
            "\"thinking.type.enabled\" is not supported for this model. Use \"thinking.type.adaptive\" and \"output_config.effort\" to control thinking behavior.",
            style(Style::Adaptive),
        ),
        (&budget, false, "thinking: Extra inputs are not permitted", style(Style::None)),
        (&budget, false, "This model does not support thinking", style(Style::None)),
        (
            &adaptive,
            true,
            "thinking.type: Input tag 'adaptive' found using 'type' does not match any of the expected tags: 'disabled', 'enabled'",
            style(Style::Budget),
        ),
        (&adaptive, true, "adaptive thinking is not supported on this model", style(Style::Budget)),
        (
            &adaptive,
            true,
            "This model does not support the effort parameter.",
            Habits { no_effort: true, ..Habits::default() },
        ),
        (
            &adaptive,
            true,
            "output_config: Extra inputs are not permitted",
            Habits { no_effort: true, ..Habits::default() },
        ),
        (
            &adaptive,
            true,
            "thinking.adaptive.display: Extra inputs are not permitted",
            Habits { no_display: true, ..Habits::default() },
        ),
        (
            &off,
            false,
            "\"thinking.type.disabled\" is not supported for this model. Use \"thinking.type.adaptive\" and \"output_config.effort\" to control thinking behavior.",
            Habits { cannot_stop: true, ..Habits::default() },
        ),
        (&off, false, "model: not found", Habits::default()),
        (&budget, false, "messages.1.content.0: Invalid `signature` in `thinking` block", Habits::default()),
    ] {
        let dialect = elsewhere();
        let mut sent = json!({"model": "m", "max_tokens": 32000, "thinking": thinking, "messages": []});
        if effort {
            sent["output_config"] = json!({"effort": "high"});
        }
        assert_eq!(learns(&dialect, &sent, words), expected != Habits::default(), "{words}");
        assert_eq!(dialect.learnt().habits("m"), expected, "{words}");
    }
    // Neither way works: then none, and that is the end of it.
    let dialect = elsewhere();
    let sent = |thinking: &Value| json!({"model": "m", "thinking": thinking, "messages": []});
    assert!(learns(&dialect, &sent(&budget), "thinking.type.enabled is not supported, use adaptive"));
    assert!(learns(&dialect, &sent(&adaptive), "thinking.type.adaptive is not supported"));
    assert_eq!(dialect.learnt().habits("m").style, Some(Style::None));
    assert!(!learns(&dialect, &json!({"model": "m", "messages": []}), "thinking is not supported"));
}

#[test]
fn reasoning_that_is_refused_stays_away() {
    let sent = json!({"model": "m", "messages": [
        {"role": "assistant", "content": [
            {"type": "thinking", "thinking": "a", "signature": "s1"},
            {"type": "redacted_thinking", "data": "d1"},
            {"type": "thinking", "thinking": "nobody signed"},
            {"type": "tool_use", "id": "c1", "name": "f", "input": {}},
        ]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "x"}]},
    ]});
    for words in [
        "messages.0.content.0: Invalid `signature` in `thinking` block",
        "messages.0.content.1: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.",
        "messages.0.content.0: When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`.",
    ] {
        let dialect = elsewhere();
        assert!(learns(&dialect, &sent, words), "{words}");
        let learnt = dialect.learnt();
        assert!(
            ["s1", "d1", "nobody signed"].iter().all(|mark| learnt.refused_signature(native::mark(mark))),
            "{words}"
        );
        assert!(!learnt.refused_signature(native::mark("s2")), "others are not concerned");
        drop(learnt);
        assert!(!learns(&dialect, &sent, words), "a second time nothing is new");
    }
    let dialect = elsewhere();
    assert!(!learns(&dialect, &sent, "messages.0: something else"));
    let words = "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block";
    assert!(learns(&dialect, &sent, words));
    assert!(dialect.learnt().stays_silent_after("c1"));
    assert!(!dialect.learnt().refused_signature(native::mark("s1")));
    let words = "The `content[].thinking` in the thinking mode must be passed back to the API.";
    assert!(learns(&dialect, &sent, words));
    assert!(dialect.learnt().wants_reasoning);
}

#[test]
fn a_tool_that_is_refused_is_left_out_from_then_on() {
    let schema = json!({"type": "object"});
    let tool = |name: &str| json!({"name": name, "input_schema": schema});
    let sent = json!({"model": "m", "tools": [tool("a"), tool("b")], "messages": []});
    for words in ["tools.1.custom.input_schema: it is odd", "tools[1].input_schema: it is odd"] {
        let dialect = elsewhere();
        assert!(learns(&dialect, &sent, words));
        let learnt = dialect.learnt();
        let told = learnt.refused_tool(tool_mark("b", &schema)).unwrap();
        assert_eq!(told, format!("the provider did not take it: {words}"));
        assert_eq!(learnt.refused_tool(tool_mark("a", &schema)), None);
        assert_eq!(learnt.refused_tool(tool_mark("b", &json!({}))), None, "with another schema it may be taken");
    }
    let dialect = elsewhere();
    assert!(!learns(&dialect, &sent, "tools.7: out of range"));
    assert!(!learns(&dialect, &sent, "tools: Tool names must be unique."));
}

#[test]
fn other_habits_are_learnt_once() {
    let dialect = elsewhere();
    let sent = json!({"model": "m", "messages": []});
    assert!(learns(&dialect, &sent, "messages.0.content.0.cache_control: Extra inputs are not permitted"));
    assert!(dialect.clone().learnt().no_cache);
    assert!(!learns(&dialect, &sent, "cache_control again"));
    assert!(learns(&dialect, &sent, "Requests which include `tool_use` or `tool_result` blocks must define tools."));
    assert!(dialect.learnt().wants_tools);
    assert!(!learns(&dialect, &sent, "something else"));
    assert!(!dialect.learn(b"no json", "cache_control"));
}
