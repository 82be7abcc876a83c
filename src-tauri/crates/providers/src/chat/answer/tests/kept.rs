// SPDX-License-Identifier: Apache-2.0
//! What is kept beside text and calls: for going back, and for showing.

use super::*;

#[test]
fn what_the_provider_wants_back_is_kept() {
    // OpenRouter: details in pieces, numbered; text and signature make one, what is encrypted stays by itself.
    check(
        &[
            r#"{"reasoning":"Let","reasoning_details":[{"type":"reasoning.text","text":"Let","format":"anthropic-claude-v1","index":0}]}"#,
            r#"{"reasoning":" me.","reasoning_details":[{"type":"reasoning.text","text":" me.","format":"anthropic-claude-v1","index":0}]}"#,
            r#"{"reasoning_details":[{"type":"reasoning.text","signature":"sig+/=","format":"anthropic-claude-v1","index":0}]}"#,
            r#"{"reasoning_details":[{"type":"reasoning.encrypted","data":"AAA","id":"a","format":"google-gemini-v1","index":0},{"type":"reasoning.encrypted","data":"BBB","id":"b","format":"google-gemini-v1","index":0}]}"#,
            r#"{"content":"t"}"#,
        ],
        STOP,
        &[
            "thought Let",
            "thought  me.",
            "text t",
            r#"native {"reasoning":"reasoning","fields":{"reasoning_details":[{"type":"reasoning.text","text":"Let me.","format":"anthropic-claude-v1","index":0,"signature":"sig+/="},{"type":"reasoning.encrypted","data":"AAA","id":"a","format":"google-gemini-v1","index":0},{"type":"reasoning.encrypted","data":"BBB","id":"b","format":"google-gemini-v1","index":0}]}}"#,
            "finish Stop",
        ],
    );
    // Only details: they are shown.
    check(
        &[
            r#"{"content":null,"reasoning_details":[{"type":"reasoning.summary","summary":"In ","index":1},{"type":"reasoning.summary","summary":"Another","index":2}]}"#,
            r#"{"content":null,"reasoning_details":[{"type":"reasoning.summary","summary":"short","index":1}]}"#,
        ],
        STOP,
        &[
            "thought In ",
            "thought Another",
            "thought short",
            r#"native {"fields":{"reasoning_details":[{"type":"reasoning.summary","summary":"In short","index":1},{"type":"reasoning.summary","summary":"Another","index":2}]}}"#,
            "finish Stop",
        ],
    );
    // Google's signatures over the compatible protocol: on calls, and on a message.
    check(
        &[
            r#"{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"x","arguments":"{\"n\": 1.0}"},"extra_content":{"google":{"thought_signature":"c2ln"}}}]}"#,
            r#"{"tool_calls":[{"index":1,"id":"b","type":"function","function":{"name":"y","arguments":"{\"n\":1}","provider_specific_fields":{"thought_signature":"bW9yZQ"}}}]}"#,
            r#"{"extra_content":{"google":{"thought":true}}}"#,
            r#"{"extra_content":{"google":{"thought_signature":"bXNn"}}}"#,
        ],
        CALLS,
        &[
            "began x",
            "began y",
            r#"call a x {"n": 1.0}"#,
            r#"call b y {"n":1}"#,
            r#"native {"fields":{"extra_content":{"google":{"thought":true,"thought_signature":"bXNn"}}},"calls":[{"id":"a","name":"x","arguments":"{\"n\": 1.0}","fields":{"extra_content":{"google":{"thought_signature":"c2ln"}}}},{"id":"b","name":"y","function":{"provider_specific_fields":{"thought_signature":"bW9yZQ"}}}]}"#,
            "finish Calls",
        ],
    );
    // Copilot's pair.
    check(
        &[r#"{"reasoning_text":"Hm"}"#, r#"{"content":"t","reasoning_opaque":"opaque=="}"#],
        STOP,
        &[
            "thought Hm",
            "text t",
            r#"native {"reasoning":"reasoning_text","fields":{"reasoning_opaque":"opaque=="}}"#,
            "finish Stop",
        ],
    );
    // Mistral's parts, with text after and before as plain text.
    check(
        &[
            r#"{"content":"So. "}"#,
            r#"{"content":[{"type":"thinking","thinking":[{"type":"text","text":"Two "}]}]}"#,
            r#"{"content":[{"type":"thinking","thinking":[{"type":"text","text":"and two."},{"type":"reference","reference_ids":[1]}],"closed":true}]}"#,
            r#"{"content":[{"type":"text","text":"Fo"}]}"#,
            r#"{"content":"ur"}"#,
        ],
        STOP,
        &[
            "text So. ",
            "thought Two ",
            "thought and two.",
            "text Fo",
            "text ur",
            r#"native {"content":[{"type":"text","text":"So. "},{"type":"thinking","thinking":[{"type":"text","text":"Two and two."},{"type":"reference","reference_ids":[1]}],"closed":true},{"type":"text","text":"Four"}]}"#,
            "finish Stop",
        ],
    );
    // The output limit cut the second call: the native message knows the first only. A filter leaves nothing.
    let signed = r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"x","arguments":"{}"},"extra_content":{"google":{"thought_signature":"c2ln"}}},{"index":1,"id":"b","function":{"name":"y","arguments":"{\"n\":"}}]}"#;
    let native = r#"native {"calls":[{"id":"a","name":"x","fields":{"extra_content":{"google":{"thought_signature":"c2ln"}}}}]}"#;
    check(&[signed], LENGTH, &["began x", "began y", "call a x {}", native, "finish Calls"]);
    let filter = r#"{"choices":[{"delta":{},"finish_reason":"content_filter"}]}"#;
    check(&[signed], filter, &["began x", "began y", "finish Refused"]);
    // Nothing to keep.
    check(&[r#"{"content":"t","extra_content":null,"reasoning_details":[]}"#], STOP, &["text t", "finish Stop"]);
}

#[test]
fn what_else_is_shown_is_an_item() {
    check(
        &[
            r#"{"content":"See."}"#,
            r#"{"images":[{"type":"image_url","image_url":{"url":"data:image/png;base64,AA"}}]}"#,
            r#"{"annotations":[{"type":"url_citation","url_citation":{"url":"https://a"}}]}"#,
            r#"{"annotations":[{"type":"url_citation","url_citation":{"url":"https://a"}},{"type":"url_citation","url_citation":{"url":"https://b"}}]}"#,
        ],
        STOP,
        &[
            "text See.",
            r#"item image {"type":"image_url","image_url":{"url":"data:image/png;base64,AA"}}"#,
            r#"item citations [{"type":"url_citation","url_citation":{"url":"https://a"}},{"type":"url_citation","url_citation":{"url":"https://b"}}]"#,
            "finish Stop",
        ],
    );
    // Groq's own tools: first the call, then the same with its result.
    check(
        &[
            r#"{"executed_tools":[{"index":0,"type":"search","arguments":"{}","output":null}]}"#,
            r#"{"executed_tools":[{"index":0,"type":"search","arguments":"{}","output":"found"}]}"#,
        ],
        STOP,
        &[r#"item search {"index":0,"type":"search","arguments":"{}","output":"found"}"#, "finish Stop"],
    );
    // A tool of the provider's, and sources that are told with every chunk.
    let lines = [
        r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"w","type":"web_search_call"}]}}],"citations":["https://a"]}"#,
        r#"{"choices":[{"delta":{"content":"t"}}],"citations":["https://a","https://b"],"search_results":[]}"#,
        STOP,
    ];
    assert_eq!(
        decode(&stream(&lines)),
        [
            r#"item web_search_call {"type":"web_search_call","id":"w"}"#,
            "text t",
            r#"item citations ["https://a","https://b"]"#,
            "finish Stop"
        ]
    );
}
