// SPDX-License-Identifier: Apache-2.0
use super::*;
use bailey_protocol::Effort;
use serde_json::{Value, json};

fn at(base: &str) -> Dialect {
    Dialect::of(&Url::parse(base).unwrap())
}

fn request(model: &str) -> Request {
    Request { model: model.to_owned(), max_output: Some(9000), effort: Some(Effort::High), ..Request::default() }
}

fn manner(dialect: &Dialect, model: &str) -> Manner {
    dialect.manner(&request(model))
}

fn learn(dialect: &Dialect, sent: &Value, refusal: &str) -> bool {
    dialect.learn(&serde_json::to_vec(sent).unwrap(), refusal)
}

const GATEWAY: &str = "https://gateway.example/v1";

#[test]
fn reasoning_goes_back_where_it_is_wanted() {
    use Thoughts::{Demanded, Dropped, Known};
    for (base, model, wanted) in [
        ("https://api.deepseek.com/v1", "deepseek-chat", Demanded("")),
        ("https://api.moonshot.cn/v1", "kimi-k3", Demanded(" ")),
        ("https://API.MOONSHOT.AI/v1", "kimi-k3", Demanded(" ")),
        ("https://api.z.ai/api/paas/v4", "glm-5", Demanded("")),
        ("https://ark.cn-beijing.volces.com/api/v3", "doubao-seed-1-8", Dropped),
        ("https://ark.cn-beijing.volces.com/api/v3", "deepseek-v3-2", Demanded("")),
        ("https://api.openai.com/v1", "gpt-5", Dropped),
        (GATEWAY, "DeepSeek/deepseek-v4", Known("")),
        (GATEWAY, "moonshotai/kimi-k2.5", Known(" ")),
        (GATEWAY, "openai/gpt-oss-120b", Known("")),
        (GATEWAY, "qwen3", Dropped),
    ] {
        assert_eq!(manner(&at(base), model).thoughts, wanted, "{base} {model}");
    }
}

#[test]
fn a_gateway_teaches_what_it_wants_of_reasoning() {
    let with = json!({"model": "deepseek-v4", "messages": [{"role": "assistant", "reasoning_content": ""}]});
    let without = json!({"model": "deepseek-v4", "messages": []});
    let gateway = at(GATEWAY);
    assert!(learn(&gateway, &with, "property 'reasoning_content' is unsupported"));
    assert_eq!(manner(&gateway, "deepseek-v4").thoughts, Thoughts::Dropped);
    assert_eq!(manner(&gateway, "deepseek-v4-flash").thoughts, Thoughts::Known(""), "another model is another matter");

    let gateway = at(GATEWAY);
    let missing = "thinking is enabled but reasoning_content is missing in assistant tool call message at index 2";
    assert!(learn(&gateway, &without, missing));
    assert_eq!(manner(&gateway, "deepseek-v4").thoughts, Thoughts::Demanded(""));
    assert!(learn(&gateway, &with, missing), "an empty one counts for nothing");
    assert_eq!(manner(&gateway, "deepseek-v4").thoughts, Thoughts::Demanded(" "));
    assert!(!learn(&gateway, &with, missing), "there is nothing more to try");

    let gateway = at(GATEWAY);
    assert!(learn(&gateway, &without, "The `reasoning_content` in the thinking mode must be passed back to the API."));
    assert_eq!(manner(&gateway, "deepseek-v4").thoughts, Thoughts::Demanded(""));
    // Of one that sent it under another name.
    let other = json!({"model": "gpt-oss", "messages": [{"role": "assistant", "reasoning": "hm"}]});
    assert!(learn(&gateway, &other, "'messages.2' : for 'role:assistant' the property 'reasoning' is unsupported"));
    assert_eq!(manner(&gateway, "gpt-oss").thoughts, Thoughts::Dropped);
}

#[test]
fn the_limit_has_two_names() {
    use LimitField::{MaxCompletionTokens, MaxTokens};
    for (base, model, field) in [
        ("https://api.openai.com/v1", "gpt-4o", MaxCompletionTokens),
        ("https://me.openai.azure.com/openai/v1", "my-deployment", MaxCompletionTokens),
        (GATEWAY, "openai/o3-mini", MaxCompletionTokens),
        (GATEWAY, "gpt-5.1", MaxCompletionTokens),
        (GATEWAY, "gpt-4o", MaxTokens),
        ("https://api.deepseek.com/v1", "deepseek-chat", MaxTokens),
    ] {
        assert_eq!(manner(&at(base), model).limit_field, field, "{base} {model}");
    }
    let gateway = at(GATEWAY);
    let refusal =
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    assert!(learn(&gateway, &json!({"model": "mine", "max_tokens": 9000}), refusal));
    assert_eq!(manner(&gateway, "mine").limit_field, MaxCompletionTokens);
    assert_eq!(manner(&gateway, "other").limit_field, MaxTokens);
    let refusal = r#"{"detail":[{"loc":["body","max_completion_tokens"],"msg":"Extra inputs are not permitted"}]}"#;
    assert!(learn(&gateway, &json!({"model": "gpt-5", "max_completion_tokens": 9000}), refusal));
    assert_eq!(manner(&gateway, "gpt-5").limit_field, MaxTokens);
    // Refused both ways, none is set.
    assert!(learn(&gateway, &json!({"model": "gpt-5", "max_tokens": 9000}), "unknown field max_tokens"));
    assert_eq!(manner(&gateway, "gpt-5").limit, None);
    assert!(!learn(&gateway, &json!({"model": "gpt-5"}), "unknown field max_tokens"));
}

#[test]
fn a_limit_that_is_too_high_is_lowered() {
    for (refusal, limit) in [
        (
            "max_tokens is too large: 9000. This model supports at most 4096 completion tokens, whereas you provided 9000.",
            Some(4096),
        ),
        ("Invalid max_tokens value, the valid range of max_tokens is [1, 8192]", Some(8192)),
        (
            "`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less than the `context_window` for this model",
            Some(8192),
        ),
        ("Range of max_tokens should be [1, 8192]", Some(8192)),
        ("max_tokens is too large", None),
    ] {
        let gateway = at(GATEWAY);
        assert!(learn(&gateway, &json!({"model": "m", "max_tokens": 9000}), refusal));
        assert_eq!(manner(&gateway, "m").limit, limit, "{refusal}");
        assert_eq!(manner(&gateway, "m").limit_field, LimitField::MaxTokens);
    }
    // How much is left of the window differs from request to request.
    let gateway = at(GATEWAY);
    let sent = |limit: u32| json!({"model": "m", "max_tokens": limit});
    for refusal in [
        "'max_tokens' or 'max_completion_tokens' is too large: 9000. This model's maximum context length is 4096 tokens and your request has 123 input tokens (9000 > 4096 - 123).",
        "prompt and max_tokens exceed 8192",
    ] {
        assert!(!learn(&gateway, &sent(9000), refusal), "{refusal}");
        assert_eq!(manner(&gateway, "m").limit, Some(9000));
    }
    assert!(learn(&gateway, &sent(9000), "max_tokens: at most 8192"));
    assert!(learn(&gateway, &sent(8192), "max_tokens: at most 4096"));
    assert!(learn(&gateway, &sent(4096), "max_tokens is too large"));
    assert_eq!(manner(&gateway, "m").limit, None, "no number is left");
}

#[test]
fn what_is_refused_is_left_out() {
    let gateway = at("https://api.deepseek.com/v1");
    let sent = json!({
        "model": "m",
        "stream_options": {"include_usage": true},
        "thinking": {"type": "enabled"},
        "tools": [{"type": "function", "function": {"name": "one"}}, {"type": "function", "function": {"name": "two"}}],
        "messages": [
            {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:"}}]},
            {"role": "assistant", "reasoning_details": []},
        ],
    });
    let before = manner(&gateway, "m");
    assert_eq!(before.think, Think::Switch(true));
    assert!(before.usage && before.native && before.pictures && before.without.is_empty());
    for (refusal, change) in [
        ("Unrecognized request argument supplied: stream_options", 0),
        ("thinking is not supported by this model", 1),
        ("property 'reasoning_details' is unsupported", 2),
        ("messages[0].content[0]: unknown variant `image_url`, expected `text`", 3),
        ("Invalid schema for function 'two': None is not of type 'object'", 4),
        ("registry.ollama.ai/library/m does not support tools", 5),
    ] {
        assert!(learn(&gateway, &sent, refusal), "{refusal}");
        assert!(!learn(&gateway, &sent, refusal), "once: {refusal}");
        let now = manner(&gateway, "m");
        let seen = [
            !now.usage,
            now.think == Think::Unsaid,
            !now.native,
            !now.pictures,
            now.without.contains_key("two"),
            now.without.contains_key("*"),
        ];
        assert_eq!(seen.map(usize::from).iter().sum::<usize>(), change + 1, "{refusal}: {now:?}");
        assert!(seen[change], "{refusal}");
    }
    assert!(manner(&gateway, "m").without["two"].contains("None is not of type 'object'"));
    assert!(manner(&gateway, "other").native);
    assert!(!learn(&gateway, &sent, "something else is wrong"));
    assert!(!gateway.learn(b"no json", "stream_options"));
}

#[test]
fn a_tool_may_be_named_by_its_number() {
    let gateway = at(GATEWAY);
    let sent = json!({"model": "m", "tools": [{"function": {"name": "one"}}, {"function": {"name": "two"}}]});
    for (refusal, tool) in [
        ("tools[1].function.parameters: not a schema", Some("two")),
        ("tools.0.function.parameters.properties: JSON schema is invalid", Some("one")),
        ("tools[7].function.parameters: bad", None),
        ("tools[1] is fine, something else is not", None),
    ] {
        assert_eq!(learn(&gateway, &sent, refusal), tool.is_some(), "{refusal}");
        if let Some(tool) = tool {
            assert!(manner(&gateway, "m").without.contains_key(tool));
        }
    }
}

#[test]
fn ids_of_calls_are_learnt() {
    assert_eq!(manner(&at("https://api.mistral.ai/v1"), "m").ids, Rule::Exact(9));
    assert_eq!(manner(&at("https://api.openai.com/v1"), "m").ids, Rule::Word(40));
    let gateway = at(GATEWAY);
    assert_eq!(manner(&gateway, "m").ids, Rule::Any);
    let sent = json!({"model": "m"});
    assert!(learn(
        &gateway,
        &sent,
        "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40"
    ));
    assert_eq!(manner(&gateway, "m").ids, Rule::Word(40));
    assert_eq!(manner(&gateway, "other").ids, Rule::Any, "another model is another matter");
    let strict = "Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.";
    assert!(learn(&gateway, &sent, strict));
    assert_eq!(manner(&gateway, "m").ids, Rule::Exact(9));
    assert!(!learn(&gateway, &sent, strict));
    // Anthropic's, behind whatever.
    assert_eq!(manner(&gateway, "anthropic/Claude-Sonnet-4.5").ids, Rule::Word(64));
    let sent = json!({"model": "alias"});
    let name = "Invalid 'messages[2].tool_calls[0].function.name': string does not match pattern.";
    assert!(!learn(&gateway, &sent, name));
    let pattern = "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'";
    assert!(learn(&gateway, &sent, pattern));
    assert_eq!(manner(&gateway, "alias").ids, Rule::Word(64));
    assert!(!learn(&gateway, &sent, pattern));
}

#[test]
fn an_effort_that_is_refused_is_not_the_only_one() {
    for (base, refusal, high, off) in [
        (
            "http://127.0.0.1:11434/v1",
            r#"{"error":{"message":"invalid reasoning value: 'high' (must be \"low\", \"medium\" or \"none\")"}}"#,
            Think::Effort("medium"),
            Think::Effort("none"),
        ),
        ("http://127.0.0.1:11434/v1", "reasoning_effort is not supported", Think::Unsaid, Think::Effort("none")),
        (
            "https://openrouter.ai/api/v1",
            "reasoning.effort: must be one of 'minimal', 'low'",
            Think::Nested("low"),
            Think::Nested("minimal"),
        ),
    ] {
        let dialect = at(base);
        let sent = match manner(&dialect, "m").think {
            Think::Nested(word) => json!({"model": "m", "reasoning": {"effort": word}}),
            Think::Effort(word) => json!({"model": "m", "reasoning_effort": word}),
            other => panic!("{other:?}"),
        };
        assert!(learn(&dialect, &sent, refusal), "{refusal}");
        assert!(!learn(&dialect, &sent, refusal), "once: {refusal}");
        assert_eq!(manner(&dialect, "m").think, high, "{refusal}");
        let unhurried = Request { effort: Some(Effort::Off), ..request("m") };
        assert_eq!(dialect.manner(&unhurried).think, off, "{refusal}");
    }
}

#[test]
fn tools_are_declared_where_calls_without_them_are_refused() {
    for refusal in [
        "litellm.UnsupportedParamsError: Bedrock doesn't support tool calling without `tools=` param specified. Pass `tools=` param",
        "The toolConfig field must be defined when using toolUse and toolResult content blocks.",
        "Requests with tool calls must define tools",
    ] {
        let gateway = at(GATEWAY);
        assert!(!learn(&gateway, &json!({"model": "m", "tools": [{"function": {"name": "a"}}]}), refusal));
        assert!(!manner(&gateway, "m").declares_called);
        assert!(learn(&gateway, &json!({"model": "m"}), refusal), "{refusal}");
        assert!(manner(&gateway, "m").declares_called);
        assert!(!learn(&gateway, &json!({"model": "m"}), refusal));
    }
}

#[test]
fn words_in_a_conversation_teach_nothing() {
    let gateway = at(GATEWAY);
    let sent =
        json!({"model": "m", "messages": [{"role": "user", "content": "{\"image_url\": \"reasoning_details\"}"}]});
    assert!(!learn(&gateway, &sent, "image_url is not supported; reasoning_details is unknown"));
}
