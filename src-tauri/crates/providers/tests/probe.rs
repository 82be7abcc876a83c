// SPDX-License-Identifier: Apache-2.0
//! The probe over real HTTP: it really calls, and finds out which protocol an endpoint speaks.

mod common;

use bailey_net::Clients;
use bailey_ports::{Redactor, Secret};
use bailey_protocol::{ProviderKind, ProviderTestResult, RunErrorKind};
use bailey_providers::probe;
use bailey_testkit::server::{Answer, ScriptedServer};
use common::{Asked, Said, Server};

const KEY: &str = "sk-canary-8c1f";

async fn probe_as(kind: ProviderKind, base: &str, key: Option<&str>, model: Option<&str>) -> ProviderTestResult {
    probe(&Clients::new(), &Redactor::new(), kind, base, key.map(Secret::new), model).await
}

#[tokio::test]
async fn a_probe_really_calls() {
    let server = ScriptedServer::start().await;
    let chat = ProviderKind::OpenaiChat;
    let pasted = format!(" {}/chat/completions ", server.base_url());

    let found = probe_as(chat, &pasted, Some(KEY), None).await;
    assert!(found.ok, "{found:?}");
    assert_eq!(
        (found.base_url.as_str(), found.models, found.tried.as_deref(), found.message, found.protocol),
        (server.base_url().as_str(), vec!["scripted".to_owned()], Some("scripted"), None, chat)
    );
    assert_eq!(server.requests()[0].header("authorization"), Some(format!("Bearer {KEY}").as_str()));

    // Of the listed ones the first that chats.
    server.set_models(&["text-embedding-3", "whisper-1", "gone", "good"]);
    server.respond(|request| (request["model"] == "gone").then(|| Answer::status(404, "no such model")));
    let found = probe_as(chat, &server.base_url(), None, None).await;
    assert_eq!((found.ok, found.tried.as_deref()), (true, Some("good")), "{found:?}");
    let found = probe_as(chat, &server.base_url(), None, Some("gone")).await;
    assert_eq!((found.ok, found.tried.as_deref(), found.models.len()), (false, Some("gone"), 4), "{found:?}");
    assert_eq!((found.error, found.protocol), (Some(RunErrorKind::Invalid), chat), "of none that it speaks the first");

    server.respond(|_| Some(Answer::status(401, "wrong key {{key}}")));
    let found = probe_as(chat, &server.base_url(), Some(KEY), Some("good")).await;
    assert!(!found.ok && !format!("{found:?}").contains(KEY), "{found:?}");
    assert_eq!((found.error, found.protocol), (Some(RunErrorKind::Auth), chat));
    assert!(found.message.unwrap().contains("did not accept the key"));
    assert!(found.details.unwrap().contains("wrong key"));

    let found = probe_as(chat, "http://api.example.com", Some(KEY), None).await;
    assert!(!found.ok && found.message.unwrap().contains("Use https://"));
    server.set_models(&["whisper-1"]);
    let found = probe_as(chat, &server.base_url(), None, None).await;
    assert!(!found.ok && found.message.unwrap().contains("no model that chats"));
}

/// Answers that stream one word, and lists, as services have them that know one protocol only.
fn only(kind: ProviderKind, asked: &Asked) -> Said {
    let missing = (404, r#"{"error":{"message":"Not Found"}}"#.to_owned());
    let path = asked.target.split('?').next().unwrap_or_default();
    let keyed = |name: &str, value: &str| asked.header(name) == Some(value);
    match kind {
        ProviderKind::Anthropic => {
            if !keyed("x-api-key", KEY) {
                return (401, r#"{"type":"error","error":{"type":"authentication_error","message":"x-api-key header is required"}}"#.to_owned());
            }
            match (asked.method.as_str(), path) {
                ("GET", "/v1/models") => (200, r#"{"data":[{"type":"model","id":"claude-x","display_name":"Claude X"}],"has_more":false}"#.to_owned()),
                ("POST", "/v1/messages") => (200, [
                    ("message_start", r#"{"type":"message_start","message":{"id":"m","role":"assistant","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}"#),
                    ("content_block_start", r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#),
                    ("content_block_delta", r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"OK"}}"#),
                    ("content_block_stop", r#"{"type":"content_block_stop","index":0}"#),
                    ("message_delta", r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}}"#),
                    ("message_stop", r#"{"type":"message_stop"}"#),
                ].map(|(name, data)| format!("event: {name}\ndata: {data}\n\n")).concat()),
                _ => missing,
            }
        }
        ProviderKind::Gemini => {
            if !keyed("x-goog-api-key", KEY) {
                return (403, r#"{"error":{"code":403,"message":"Method doesn't allow unregistered callers","status":"PERMISSION_DENIED"}}"#.to_owned());
            }
            match (asked.method.as_str(), path) {
                ("GET", "/v1beta/models") => (200, r#"{"models":[{"name":"models/gemini-x","displayName":"Gemini X","supportedGenerationMethods":["generateContent"]}]}"#.to_owned()),
                ("POST", "/v1beta/models/gemini-x:streamGenerateContent") => (200, format!("data: {}\n\n", r#"{"candidates":[{"content":{"role":"model","parts":[{"text":"OK"}]},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":1}}"#)),
                _ => missing,
            }
        }
        ProviderKind::OpenaiResponses => match (asked.method.as_str(), path) {
            ("GET", "/v1/models") => (200, r#"{"object":"list","data":[{"id":"gpt-x"}]}"#.to_owned()),
            ("POST", "/v1/responses") => (200, [
                ("response.created", r#"{"type":"response.created","response":{"id":"r","status":"in_progress","output":[]}}"#),
                ("response.output_item.added", r#"{"type":"response.output_item.added","output_index":0,"item":{"type":"message","id":"m","role":"assistant","content":[]}}"#),
                ("response.output_text.delta", r#"{"type":"response.output_text.delta","output_index":0,"content_index":0,"item_id":"m","delta":"OK"}"#),
                ("response.completed", r#"{"type":"response.completed","response":{"id":"r","status":"completed","output":[{"type":"message","id":"m","role":"assistant","content":[{"type":"output_text","text":"OK","annotations":[]}]}],"usage":{"input_tokens":1,"output_tokens":1}}}"#),
            ].map(|(name, data)| format!("event: {name}\ndata: {data}\n\n")).concat()),
            _ => missing,
        },
        _ => match (asked.method.as_str(), path) {
            ("GET", "/v1/models") => (200, r#"{"object":"list","data":[{"id":"chat-x"}]}"#.to_owned()),
            ("POST", "/v1/chat/completions") => (200, format!("data: {}\n\n", r#"{"choices":[{"delta":{"content":"OK"},"finish_reason":"stop"}]}"#)),
            _ => missing,
        },
    }
}

const KINDS: [(ProviderKind, &str); 4] = [
    (ProviderKind::OpenaiChat, "chat-x"),
    (ProviderKind::OpenaiResponses, "gpt-x"),
    (ProviderKind::Anthropic, "claude-x"),
    (ProviderKind::Gemini, "gemini-x"),
];

#[tokio::test]
async fn the_protocol_is_found_out_whatever_was_thought() {
    for (spoken, model) in KINDS {
        let server = Server::start(move |asked| only(spoken, asked));
        for (thought, _) in KINDS {
            let found = probe_as(thought, &server.url("/v1"), Some(KEY), None).await;
            assert!(found.ok, "{thought:?} at one that speaks {spoken:?}: {found:?}\n{:#?}", server.targets());
            assert_eq!(
                (found.protocol, found.models.as_slice(), found.tried.as_deref(), found.error, found.message),
                (spoken, &[model.to_owned()][..], Some(model), None, None)
            );
        }
        assert!(!server.targets().iter().any(|target| target.contains(KEY)), "no key in any URL");
    }
}

#[tokio::test]
async fn an_account_without_credit_still_tells_its_protocol() {
    let server = Server::start(|asked| {
        match only(ProviderKind::Anthropic, asked) {
        (200, _) if asked.method == "POST" => (400, r#"{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the API."}}"#.to_owned()),
        other => other,
    }
    });
    let found = probe_as(ProviderKind::OpenaiChat, &server.url(""), Some(KEY), None).await;
    assert_eq!(
        (found.ok, found.protocol, found.error),
        (false, ProviderKind::Anthropic, Some(RunErrorKind::Quota)),
        "{found:?}"
    );
}

#[tokio::test]
async fn a_place_with_too_much_to_do_tells_no_protocol() {
    for status in [429, 503] {
        let server = Server::start(move |asked| match asked.target.as_str() {
            "/v1/chat/completions" => (400, r#"{"error":{"message":"something is wrong with it"}}"#.to_owned()),
            _ => (status, r#"{"error":{"message":"busy"}}"#.to_owned()),
        });
        let found = probe_as(ProviderKind::OpenaiChat, &server.url("/v1"), Some(KEY), Some("m")).await;
        assert_eq!((found.protocol, found.error), (ProviderKind::OpenaiChat, Some(RunErrorKind::Invalid)), "{found:?}");
    }
}

#[tokio::test]
async fn a_place_where_nothing_is_is_asked_once() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let found = probe_as(ProviderKind::Gemini, &format!("http://127.0.0.1:{port}"), Some(KEY), Some("m")).await;
    assert_eq!((found.ok, found.protocol, found.error), (false, ProviderKind::Gemini, Some(RunErrorKind::Network)));
    assert!(found.message.unwrap().contains("Start the model server"));

    let server = Server::start(|_| (200, "<html><title>Sign in</title></html>".to_owned()));
    let found = probe_as(ProviderKind::OpenaiChat, &server.url(""), Some(KEY), Some("m")).await;
    assert_eq!((found.ok, found.protocol, found.error), (false, ProviderKind::OpenaiChat, Some(RunErrorKind::Invalid)));
    assert!(found.message.unwrap().contains("Sign in"));
}
