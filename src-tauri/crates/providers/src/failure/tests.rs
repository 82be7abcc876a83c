// SPDX-License-Identifier: Apache-2.0
use super::*;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

fn of(status: u16, body: &str) -> ModelError {
    let base = Url::parse("https://api.example.com/v1").unwrap();
    refused(&Place { base: &base, model: "gpt-x", has_key: true }, status, body, None)
}

#[test]
fn a_status_and_its_words_give_a_kind() {
    let table = [
        (401, r#"{"error":{"message":"Incorrect API key provided: sk-1.","code":"invalid_api_key"}}"#, Kind::Auth),
        (403, r#"{"error":{"message":"Country not supported"}}"#, Kind::Auth),
        (402, r#"{"error":{"message":"Insufficient Balance"}}"#, Kind::Quota),
        (403, r#"{"error":{"message":"Insufficient balance"}}"#, Kind::Quota),
        (429, r#"{"error":{"message":"You exceeded your current quota","type":"insufficient_quota"}}"#, Kind::Quota),
        (429, r#"{"error":{"code":"1113","message":"余额不足或无可用资源包,请充值。"}}"#, Kind::Quota),
        (400, r#"{"error":{"message":"Access denied, account in good standing","code":"Arrearage"}}"#, Kind::Quota),
        (429, r#"{"error":{"message":"Rate limit reached"}}"#, Kind::Rate),
        (429, "slow down", Kind::Rate),
        (404, r#"{"error":{"message":"The model `gpt-x` does not exist","code":"model_not_found"}}"#, Kind::Invalid),
        (404, "404 page not found", Kind::Invalid),
        (408, "", Kind::Timeout),
        (413, "<html><head><title>413 Request Entity Too Large</title></head></html>", Kind::TooLong),
        (413, r#"{"error":{"message":"max_tokens is larger than allowed"}}"#, Kind::Invalid),
        (
            400,
            r#"{"error":{"message":"This model's maximum context length is 4097 tokens. However, you requested 5000 tokens (4500 in the messages, 500 in the completion).","code":"context_length_exceeded"}}"#,
            Kind::TooLong,
        ),
        (
            400,
            r#"{"error":{"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error"}}"#,
            Kind::TooLong,
        ),
        (400, r#"{"message":"prompt is too long: 210000 tokens > 200000 maximum"}"#, Kind::TooLong),
        (
            400,
            r#"{"error":{"message":"input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000"}}"#,
            Kind::TooLong,
        ),
        (
            400,
            r#"{"error":{"message":"max_tokens is too large: 200000. This model supports at most 16384 completion tokens"}}"#,
            Kind::Invalid,
        ),
        (
            400,
            r#"{"object":"error","message":"'max_completion_tokens' is too large: 5000. This model's maximum context length is 4096 tokens"}"#,
            Kind::Invalid,
        ),
        (400, r#"{"error":{"message":"Unknown field: foo"}}"#, Kind::Invalid),
        (
            400,
            r#"{"error":{"code":"data_inspection_failed","message":"Input data may contain inappropriate content."}}"#,
            Kind::Refused,
        ),
        (422, r#"{"detail":[{"loc":["body"],"msg":"field required","type":"missing"}]}"#, Kind::Invalid),
        (500, r#"{"error":{"message":"The server had an error"}}"#, Kind::Server),
        (502, "<html>bad</html>", Kind::Server),
        (503, "", Kind::Overloaded),
        (
            500,
            r#"{"error":{"message":"The engine is currently overloaded, please try again later"}}"#,
            Kind::Overloaded,
        ),
        (
            429,
            r#"{"error":{"message":"The engine is currently overloaded","type":"engine_overloaded_error"}}"#,
            Kind::Rate,
        ),
        (529, r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#, Kind::Overloaded),
        (301, "", Kind::Invalid),
        // xAI, Moonshot, Copilot, Zhipu, Alibaba, Together, OpenAI by the minute, Groq.
        (
            400,
            r#"{"error":"This model's maximum prompt length is 131072 but the request contains 537812 tokens."}"#,
            Kind::TooLong,
        ),
        (
            400,
            r#"{"error":{"message":"Invalid request: Your request exceeded model token limit: 131072"}}"#,
            Kind::TooLong,
        ),
        (
            400,
            r#"{"error":{"message":"prompt token count of 140000 exceeds the limit of 128000","code":"model_max_prompt_tokens_exceeded"}}"#,
            Kind::TooLong,
        ),
        (400, r#"{"error":{"code":"1261","message":"Prompt exceeds max length"}}"#, Kind::TooLong),
        (400, r#"{"error":{"code":"1261","message":"Prompt 超长"}}"#, Kind::TooLong),
        (
            400,
            r#"{"error":{"message":"Your request exceeds the maximum allowed input length of 129024"}}"#,
            Kind::TooLong,
        ),
        (
            422,
            r#"{"error":{"message":"Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens and 512 `max_new_tokens`"}}"#,
            Kind::TooLong,
        ),
        (
            429,
            r#"{"error":{"message":"Request too large for gpt-4o in organization o on tokens per min (TPM): Limit 30000, Requested 40000.","type":"tokens","code":"rate_limit_exceeded"}}"#,
            Kind::TooLong,
        ),
        (
            429,
            r#"{"error":{"message":"Request too large for model `m` on tokens per minute (TPM): Limit 6000, Requested 7000, please reduce your message size and try again.","code":"rate_limit_exceeded"}}"#,
            Kind::TooLong,
        ),
        (429, r#"{"message":"Too many tokens, please wait before trying again."}"#, Kind::Rate),
        // Filters.
        (
            403,
            r#"{"error":{"message":"m requires moderation on P. Your input was flagged for \"violence\"."}}"#,
            Kind::Refused,
        ),
        (400, r#"{"error":{"message":"Your request was flagged as potentially violating our terms"}}"#, Kind::Refused),
        (403, r#"{"error":"Content violates usage guidelines."}"#, Kind::Refused),
        (400, r#"{"error":{"message":"Output blocked by content filtering policy"}}"#, Kind::Refused),
        (400, r#"{"error":{"message":"Content Exists Risk"}}"#, Kind::Refused),
        // No credit, in other words.
        (
            403,
            r#"{"error":"Your team has either used all available credits or reached its monthly spending limit."}"#,
            Kind::Quota,
        ),
        (429, r#"{"error":"Your team has reached its monthly spending limit."}"#, Kind::Quota),
        (
            400,
            r#"{"error":{"type":"invalid_request_error","message":"You have reached your specified API usage limits. You will regain access on 2027-01-01."}}"#,
            Kind::Quota,
        ),
        (
            429,
            r#"{"error":{"message":"Your account is suspended","type":"exceeded_current_quota_error"}}"#,
            Kind::Quota,
        ),
    ];
    for (status, body, kind) in table {
        assert_eq!(of(status, body).kind, kind, "{status} {body}: {}", of(status, body));
    }
}

#[test]
fn a_blind_model_is_another_matter_than_a_bad_picture() {
    for (said, blind) in [
        ("this model does not support image inputs", true),
        ("no endpoints found that support image input", true),
        ("image input is not supported - hint: you may need to provide the mmproj", true),
        ("messages[0].content[0]: unknown variant `image_url`, expected `text`", true),
        ("invalid content type. image_url is only supported by certain models.", true),
        ("only text content is allowed", true),
        ("invalid value: 'input_image'. supported values are: 'input_text'", true),
        ("m is not a multimodal model", true),
        ("you uploaded an unsupported image. only text and png", false),
        ("this model does not support images in this format", false),
        ("invalid_image_url: only text", false),
        ("image_parse_error: does not support image", false),
        ("image input exceeds the size that is supported: not support image", false),
        ("could not download the image input", false),
        ("the vision of the user is invalid", false),
    ] {
        assert_eq!(sees_nothing(said), blind, "{said}");
    }
}

#[test]
fn the_providers_own_words_are_kept() {
    for (body, words) in [
        (r#"{"error":{"message":"My words"}}"#, "My words"),
        (r#"{"error":"My words"}"#, "My words"),
        (r#"{"message":"My words"}"#, "My words"),
        (r#"{"detail":"My words"}"#, "My words"),
        (r#"{"detail":[{"msg":"My words"}]}"#, "My words"),
        (r#"{"errors":["My words"]}"#, "My words"),
        (r#"[{"error":{"code":400,"message":"My words"}}]"#, "My words"),
        (r#"{"error":{"message":"{\"error\":{\"message\":\"My words\"}}"}}"#, "My words"),
        (
            r#"{"error":{"message":"Provider returned error","metadata":{"raw":"{\"error\":{\"message\":\"My words\"}}"}}}"#,
            "Provider returned error: My words",
        ),
        (r#""My words""#, "My words"),
        ("My words", "My words"),
        ("<html><head><TITLE>My words</TITLE></head>", "My words"),
        ("<html>", "a web page"),
        (r#"{"what":"ever"}"#, r#"{"what":"ever"}"#),
    ] {
        let error = of(400, body);
        assert_eq!(error.details.as_deref(), Some(format!("HTTP 400: {words}").as_str()), "{body}");
        assert!(!error.message.contains(words), "what to do is said in our own words: {error}");
    }
    let long = of(400, &"界".repeat(3000)).details.unwrap();
    assert!(long.len() < MAX_WORDS + 200 && long.ends_with('界'), "{}", long.len());
    assert_eq!(of(503, "").details.as_deref(), Some("HTTP 503"), "no words, none quoted");
}

#[test]
fn advice_names_what_to_change() {
    let message = of(404, "").message;
    assert!(message.contains("https://api.example.com/v1") && message.contains("gpt-x"), "{message}");
    let base = Url::parse("https://api.example.com/v1").unwrap();
    let keyless = refused(&Place { base: &base, model: "m", has_key: false }, 401, "", None);
    assert!(keyless.message.contains("none is set"), "{keyless}");
}

#[test]
fn errors_in_a_stream_have_kinds_too() {
    for (body, kind, words) in [
        (r#"{"error":{"message":"Overloaded","code":529}}"#, Kind::Overloaded, "Overloaded"),
        (r#"{"error":{"message":"slow down","code":429}}"#, Kind::Rate, "slow down"),
        (r#"{"error":{"message":"bad","code":400}}"#, Kind::Invalid, "bad"),
        (r#"{"error":{"message":"no","code":"402"}}"#, Kind::Server, "no"),
        (r#"{"error":{"message":"You have insufficient credits","code":402}}"#, Kind::Quota, "credits"),
        (r#"{"object":"error","message":"prompt too long","code":400}"#, Kind::TooLong, "prompt too long"),
        ("upstream went away", Kind::Server, "upstream went away"),
    ] {
        let error = in_stream(body);
        assert_eq!(error.kind, kind, "{body}");
        assert!(error.details.as_deref().is_some_and(|details| details.contains(words)), "{error:?}");
    }
}

#[test]
fn a_wait_is_seconds_or_a_date() {
    let now = httpdate::parse_http_date("Wed, 21 Oct 2026 07:28:00 GMT").unwrap();
    for (name, value, wait) in [
        ("retry-after", "7", Some(Duration::from_secs(7))),
        ("retry-after", " 1.5 ", Some(Duration::from_millis(1500))),
        ("retry-after", "Wed, 21 Oct 2026 07:28:09 GMT", Some(Duration::from_secs(9))),
        ("retry-after", "Wed, 21 Oct 2026 07:27:09 GMT", Some(Duration::ZERO)),
        ("retry-after", "Wednesday, 21-Oct-26 07:28:10 GMT", Some(Duration::from_secs(10))),
        ("retry-after-ms", "250", Some(Duration::from_millis(250))),
        ("retry-after", "-1", None),
        ("retry-after", "soon", None),
        ("retry-after", "1e300", None),
        ("retry-after", "NaN", None),
        ("x-other", "7", None),
    ] {
        let headers = HeaderMap::from_iter([(HeaderName::from_static(name), HeaderValue::from_static(value))]);
        assert_eq!(retry_after(&headers, now), wait, "{name}: {value}");
    }
}
