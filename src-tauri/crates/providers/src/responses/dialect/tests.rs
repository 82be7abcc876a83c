// SPDX-License-Identifier: Apache-2.0
use super::*;
use serde_json::json;

const OPENAI: &str = "https://api.openai.com/v1";

fn at(base: &str) -> Dialect {
    Dialect::of(&Url::parse(base).unwrap())
}

/// What is asked of a model: the effort, and whether for a summary and for encrypted reasoning.
fn asked(dialect: &Dialect, model: &str, effort: Option<Effort>) -> (Option<Level>, bool, bool) {
    let traits = dialect.traits(model, effort, None);
    (traits.effort, traits.summary, traits.include)
}

#[test]
fn a_models_name_tells_how_it_thinks() {
    use Level::{High, Low, Medium, Minimal, None as Off};
    let openai = at(OPENAI);
    for (model, off, high, unsaid_summary, include) in [
        ("gpt-5.1", Some(Off), Some(High), true, true),
        ("openai/gpt-5.3-codex", Some(Off), Some(High), true, true),
        ("gpt-6", Some(Off), Some(High), true, true),
        ("gpt-5", Some(Minimal), Some(High), true, true),
        ("gpt-5-mini-2025-08-07", Some(Minimal), Some(High), true, true),
        ("gpt-5.2-pro", Some(Medium), Some(High), true, true),
        ("gpt-5-chat-latest", None, None, false, false),
        ("gpt-4o", None, None, false, false),
        ("gpt-4.1-mini", None, None, false, false),
        ("chatgpt-4o-latest", None, None, false, false),
        ("o3", Some(Low), Some(High), true, true),
        ("o4-mini-2025-04-16", Some(Low), Some(High), true, true),
        ("gpt-oss-120b", Some(Low), Some(High), true, true),
        ("grok-4", None, None, false, true),
        ("grok-4-1-fast-reasoning", None, None, false, true),
        ("grok-4-1-fast-non-reasoning", None, None, false, false),
        ("grok-4.3", Some(Off), Some(High), false, true),
        ("grok-3-mini", Some(Low), Some(High), true, true),
        ("grok-3", None, None, false, false),
        ("my-deployment", Some(Off), Some(High), false, true),
        ("ollama-o3", Some(Off), Some(High), false, true),
    ] {
        assert_eq!(asked(&openai, model, Some(Effort::Off)).0, off, "{model}");
        assert_eq!(asked(&openai, model, Some(Effort::High)).0, high, "{model}");
        assert_eq!(asked(&openai, model, None), (None, unsaid_summary, include), "{model}");
    }
    assert_eq!(asked(&openai, "gpt-5.1", Some(Effort::Medium)), (Some(Medium), true, true));
    assert!(!asked(&openai, "gpt-5.1", Some(Effort::Off)).1, "nothing is thought, nothing is told");
}

#[test]
fn hosts_differ() {
    for (base, azure, key) in [
        (OPENAI, false, true),
        ("https://res.openai.azure.com/openai/v1", true, true),
        ("https://res.services.ai.azure.com/openai/v1", true, true),
        ("https://api.x.ai/v1", false, true),
        ("https://openrouter.ai/api/v1", false, false),
        ("https://openai.azure.com.evil.example/v1", false, false),
        ("http://127.0.0.1:1234/v1", false, false),
    ] {
        let traits = at(base).traits("m", None, None);
        assert_eq!((at(base).is_azure(), traits.ids, traits.cache_key), (azure, azure, key), "{base}");
    }
}

#[test]
fn the_longest_answer_has_a_least_length() {
    let openai = at(OPENAI);
    for (asked, sent) in [(None, None), (Some(1), Some(16)), (Some(16), Some(16)), (Some(4000), Some(4000))] {
        assert_eq!(openai.traits("gpt-5", None, asked).max_output, sent);
    }
}

/// A request as it was sent.
fn sent(model: &str, more: Value) -> Vec<u8> {
    let mut body = json!({
        "model": model,
        "instructions": "be kind",
        "store": false,
        "include": ["reasoning.encrypted_content"],
        "reasoning": { "effort": "none", "summary": "auto" },
        "max_output_tokens": 100_000,
        "prompt_cache_key": "bailey-1",
        "tools": [{ "type": "function", "name": "a", "strict": false }, { "type": "function", "name": "b", "strict": false }],
        "input": [{ "type": "message", "role": "user", "content": [{ "type": "input_text", "text": "the store, the include" }] }],
    });
    for (key, value) in more.as_object().into_iter().flatten() {
        body[key] = value.clone();
    }
    serde_json::to_vec(&body).unwrap()
}

fn refusal(message: &str, param: Value) -> String {
    json!({ "error": { "message": message, "type": "invalid_request_error", "param": param, "code": null } })
        .to_string()
}

#[test]
fn refusals_are_learnt_from() {
    let plain = at(OPENAI).traits("m", Some(Effort::Off), Some(100_000));
    assert!(plain.include && plain.summary != (plain.effort == Some(Level::None)), "{plain:?}");
    type Learnt = fn(&Traits) -> bool;
    let table: Vec<(String, Learnt)> = vec![
        (refusal("Encrypted content is not supported with this model.", json!("include")), |t| !t.include),
        (refusal("Unknown parameter: 'include'.", json!("include")), |t| !t.include),
        (refusal("Invalid value: 'include[0]'", json!("include[0]")), |t| !t.include),
        (refusal("Unsupported parameter: 'reasoning.effort' is not supported with this model.", json!("reasoning.effort")), |t| t.effort.is_none()),
        ("{\"code\":\"invalid-argument\",\"error\":\"Model grok-build-0.1 does not support parameter reasoningEffort.\"}".to_owned(), |t| t.effort.is_none()),
        (
            refusal("Unsupported value: 'none' is not supported with the 'gpt-6' model. Supported values are: 'low', 'medium', 'high', 'xhigh', and 'max'.", json!("reasoning.effort")),
            |t| t.effort == Some(Level::Low),
        ),
        (
            "{\"detail\":[{\"loc\":[\"body\",\"reasoning\",\"effort\"],\"msg\":\"Input should be \\\"medium\\\" or \\\"high\\\"\"}]}".to_owned(),
            |t| t.effort == Some(Level::Medium),
        ),
        (refusal("Unsupported parameter: 'max_output_tokens'", json!("max_output_tokens")), |t| t.max_output.is_none()),
        (refusal("max_output_tokens is too large: 100000. This model supports at most 32768 output tokens.", json!("max_output_tokens")), |t| t.max_output == Some(32768)),
        (refusal("Unknown parameter: 'store'.", json!("store")), |t| !t.store),
        (refusal("Unrecognized request argument supplied: prompt_cache_key", json!(null)), |t| !t.cache_key),
        (refusal("Unknown parameter: 'prompt_cache_key'.", json!("prompt_cache_key")), |t| !t.cache_key),
        (refusal("`instructions` is not supported by this server", json!(null)), |t| !t.instructions),
        ("{\"detail\":\"tools.0.strict: Extra inputs are not permitted\"}".to_owned(), |t| !t.strict),
        (refusal("Invalid schema for function 'b': array schema missing items.", json!("tools[1].parameters")), |t| t.without_tools.contains_key("b")),
        (refusal("Invalid parameters", json!("tools[0].parameters")), |t| t.without_tools.contains_key("a")),
        (refusal("This model does not support tool calling", json!(null)), |t| t.without_tools.contains_key("*")),
    ];
    for (said, learnt) in table {
        let dialect = at(OPENAI);
        let changed = dialect.learn(&sent("m", json!({})), &said);
        let traits = dialect.traits("m", Some(Effort::Off), Some(100_000));
        assert!(learnt(&traits), "{said}: {traits:?}");
        assert_eq!(changed, traits != plain, "{said}");
    }
    // Words about something else teach nothing; nor does what was not sent.
    let dialect = at(OPENAI);
    for said in [
        "The model `m` does not exist",
        "Invalid input: your store must include at least one item",
        "This model's maximum context length is 128000 tokens, however you requested 140000 tokens (40000 in max_output_tokens)",
    ] {
        assert!(!dialect.learn(&sent("m", json!({})), &refusal(said, json!(null))), "{said}");
    }
    let little = json!({ "model": "m", "input": [] }).to_string();
    for said in
        ["Unknown parameter: 'include'", "Unknown parameter: 'store'", "'reasoning.effort'", "max_output_tokens"]
    {
        assert!(!dialect.learn(little.as_bytes(), &refusal(said, json!(null))), "{said}");
    }
    assert!(!dialect.learn(b"no json", "Unknown parameter: 'store'"));
}

#[test]
fn what_is_learnt_of_one_model_is_not_held_against_another() {
    let dialect = at(OPENAI);
    assert!(dialect.learn(
        &sent("gpt-5", json!({})),
        &refusal("Unsupported parameter: 'reasoning.summary'", json!("reasoning.summary"))
    ));
    assert!(!dialect.traits("gpt-5", None, None).summary);
    assert!(dialect.traits("gpt-5.1", None, None).summary);
    // An account that is not verified is not for any model.
    let words = "Your organization must be verified to generate reasoning summaries.";
    assert!(dialect.learn(&sent("gpt-5.1", json!({})), &refusal(words, json!("reasoning.summary"))));
    assert!(!dialect.traits("gpt-6", None, None).summary);
    assert!(dialect.traits("gpt-6", Some(Effort::High), None).effort.is_some());
}

#[test]
fn a_model_that_is_blind_gets_no_pictures() {
    let dialect = at(OPENAI);
    let picture = json!([{ "role": "user", "content": [{ "type": "input_image", "image_url": "data:," }] }]);
    let words = refusal("This model does not support image inputs.", json!(null));
    assert!(!dialect.learn(&sent("m", json!({})), &words), "there was none");
    assert!(dialect.learn(&sent("m", json!({ "input": picture })), &words));
    assert!(!dialect.traits("m", None, None).pictures);
    let dialect = at(OPENAI);
    let words = refusal("You uploaded an unsupported image. Invalid image input.", json!(null));
    assert!(!dialect.learn(&sent("m", json!({ "input": picture })), &words), "it is this picture alone");
    assert!(dialect.traits("m", None, None).pictures);
}

fn native(content: &str) -> Native {
    let items = vec![json!({ "item": { "type": "reasoning", "summary": [], "encrypted_content": content } })];
    Native { origin: "o".to_owned(), items }
}

#[test]
fn what_the_provider_can_not_read_again_stays_here() {
    let input = |content: &str, id: Option<&str>| {
        let mut item = json!({ "type": "reasoning", "summary": [], "encrypted_content": content });
        if let Some(id) = id {
            item["id"] = id.into();
        }
        json!({ "input": [{ "type": "message", "role": "user", "content": [] }, item] })
    };
    // Written for another account: this message alone.
    let dialect = at(OPENAI);
    let words = "The encrypted content gAAA...Rg== could not be verified.";
    let said = json!({ "error": { "message": words, "code": "invalid_encrypted_content" } }).to_string();
    assert!(dialect.learn(&sent("m", input("old", None)), &said));
    assert!(!dialect.takes_back(&native("old")) && dialect.takes_back(&native("new")));
    // Elsewhere the ids are wanted after all; once.
    let missing = refusal("Missing required parameter: 'input[1].id'.", json!("input[1].id"));
    assert!(dialect.learn(&sent("m", input("new", None)), &missing));
    assert!(dialect.traits("m", None, None).ids);
    let lost =
        refusal("Item with id 'rs_1' not found. Items are not persisted when `store` is set to false.", json!("input"));
    assert!(dialect.learn(&sent("m", input("new", Some("rs_1"))), &lost));
    assert!(
        dialect.traits("m", None, None).ids
            && !dialect.takes_back(&native("new"))
            && dialect.takes_back(&native("newer"))
    );

    let azure = at("https://res.openai.azure.com/openai/v1");
    assert!(azure.learn(&sent("m", input("a", Some("rs_1"))), &lost));
    assert!(!azure.traits("m", None, None).ids && azure.takes_back(&native("a")));
    let schema = refusal("The provided data does not match the expected schema", json!(null));
    assert!(azure.learn(&sent("m", input("a", None)), &schema));
    assert!(!azure.takes_back(&native("b")), "neither with ids nor without");
    assert!(!azure.learn(&sent("m", input("a", None)), &schema));

    // The form itself.
    let dialect = at("https://gateway.example/v1");
    let phase =
        json!({ "input": [{ "type": "message", "role": "assistant", "phase": "final_answer", "content": [] }] });
    assert!(
        dialect.learn(&sent("m", phase), &refusal("Unknown parameter: 'input[0].phase'.", json!("input[0].phase")))
    );
    assert!(!dialect.takes_back(&native("x")));
    // What all providers share is not to blame, not beside what is the provider's own either.
    let dialect = at(OPENAI);
    let words = refusal("Invalid value: 'input[0].content[0].text'.", json!("input[0].content[0].text"));
    assert!(!dialect.learn(&sent("m", input("a", None)), &words));
    assert!(dialect.takes_back(&native("a")));
    assert!(
        !dialect.learn(&sent("m", json!({})), &refusal("Unknown parameter: 'input[0].content'.", json!("input[0]")))
    );
}
