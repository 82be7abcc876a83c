// SPDX-License-Identifier: Apache-2.0
use super::super::dialect::{Calling, Dialect};
use super::*;
use bailey_protocol::model::{Native, PastCall, Picture, ToolDeclaration, Turn};
use bailey_protocol::{Effort, PictureId};
use proptest::prelude::*;
use serde_json::json;
use std::sync::Arc;

fn traits(model: &str) -> Traits {
    Dialect::default().of(model)
}

fn sent_with(request: &Request, traits: &Traits) -> Value {
    let (body, left_out) = body(request, &Names::of(request), traits);
    assert_eq!(left_out, []);
    serde_json::from_slice(&body).unwrap()
}

fn sent(request: &Request) -> Value {
    sent_with(request, &traits(&request.model))
}

fn past(id: &str, name: &str, arguments: Value) -> PastCall {
    PastCall { id: id.into(), name: name.into(), arguments }
}

fn assistant(text: &str, calls: Vec<PastCall>, items: Vec<Value>) -> Turn {
    let native = (!items.is_empty()).then(|| Arc::new(Native { origin: "o".into(), items }));
    Turn::Assistant { text: text.into(), reasoning: "thought".into(), calls, native }
}

fn result(id: &str, text: &str) -> Turn {
    Turn::Tool { id: id.into(), name: "x".into(), text: text.into() }
}

fn picture(media_type: &str, data: &[u8]) -> Picture {
    Picture { id: PictureId::new("p"), media_type: media_type.into(), data: data.into() }
}

#[test]
fn a_request_in_full() {
    let request = Request {
        model: "gemini-2.5-flash".into(),
        system: "be kind".into(),
        messages: vec![
            Turn::User {
                text: "look".into(),
                pictures: vec![
                    picture("image/png", b"\x89PNG"),
                    picture("image/gif", b"GIF"),
                    picture("image/png", b""),
                ],
            },
            assistant(
                "I see",
                vec![past("c1", "files/read", json!({"a": 1.0})), past("c2", "get_time", Value::Null)],
                vec![],
            ),
            result("c2", "noon"),
            result("c1", "text"),
            assistant("done", vec![], vec![]),
            Turn::user("thanks"),
        ],
        tools: vec![
            ToolDeclaration {
                name: "files/read".into(),
                description: " reads ".into(),
                schema: json!({"type": "object", "properties": {"a": {"type": "number"}}, "required": ["a"], "additionalProperties": false}),
            },
            ToolDeclaration { name: "get_time".into(), description: String::new(), schema: json!({"type": "object"}) },
        ],
        max_output: Some(4000),
        effort: Some(Effort::Low),
    };
    let expected = json!({
        "systemInstruction": {"parts": [{"text": "be kind"}]},
        "tools": [{"functionDeclarations": [
            {"name": "files_read", "description": "reads", "parameters": {"type": "OBJECT", "properties": {"a": {"type": "NUMBER"}}, "required": ["a"]}},
            {"name": "get_time", "description": "get_time"},
        ]}],
        "generationConfig": {"maxOutputTokens": 4000, "thinkingConfig": {"includeThoughts": true, "thinkingBudget": 1024}},
        "contents": [
            {"role": "user", "parts": [
                {"inlineData": {"mimeType": "image/png", "data": "iVBORw=="}},
                {"text": "(a GIF picture, which this model can't see)"},
                {"text": "(a picture that is no longer there)"},
                {"text": "look"},
            ]},
            {"role": "model", "parts": [
                {"text": "I see"},
                {"functionCall": {"id": "c1", "name": "files_read", "args": {"a": 1.0}}},
                {"functionCall": {"id": "c2", "name": "get_time", "args": {}}},
            ]},
            {"role": "user", "parts": [
                {"functionResponse": {"id": "c1", "name": "files_read", "response": {"result": "text"}}},
                {"functionResponse": {"id": "c2", "name": "get_time", "response": {"result": "noon"}}},
            ]},
            {"role": "model", "parts": [{"text": "done"}]},
            {"role": "user", "parts": [{"text": "thanks"}]},
        ],
    });
    assert_eq!(sent(&request), expected);
    let traits = traits("gemini-2.5-flash");
    let again = || body(&request, &Names::of(&request), &traits).0;
    assert_eq!(again(), again(), "the same bytes");
}

#[test]
fn nothing_empty_is_sent() {
    let request = Request { model: "gemini-2.0-flash".into(), system: " ".into(), ..Request::default() };
    assert_eq!(sent(&request), json!({"contents": [{"role": "user", "parts": [{"text": "(Go on.)"}]}]}));
}

#[test]
fn calls_of_other_models_get_googles_word_for_them() {
    let messages = vec![
        Turn::user("a"),
        assistant("", vec![past("1", "f", json!("{half")), past("2", "f", json!([1]))], vec![]),
        result("1", "r"),
        assistant("t", vec![past("3", "g", json!({}))], vec![]),
    ];
    let request = Request { model: "gemini-3-pro-preview".into(), messages, ..Request::default() };
    let body = sent(&request);
    assert_eq!(
        body["contents"][1]["parts"],
        json!([
            {"functionCall": {"id": "1", "name": "f", "args": {"not_an_object": "{half"}}, "thoughtSignature": "skip_thought_signature_validator"},
            {"functionCall": {"id": "2", "name": "f", "args": {"not_an_object": "[1]"}}},
        ])
    );
    assert_eq!(body["contents"][3]["parts"][1]["thoughtSignature"], "skip_thought_signature_validator");
    assert_eq!(body["contents"][4]["parts"][0]["functionResponse"]["response"]["result"], "(no result is known)");

    let as_text = Traits { calling: Calling::AsText, ..traits("gemini-3-pro-preview") };
    let body = sent_with(&request, &as_text);
    assert_eq!(
        body["contents"],
        json!([
            {"role": "user", "parts": [{"text": "a"}]},
            {"role": "model", "parts": [{"text": "(I called f with \"{half\")"}, {"text": "(I called f with [1])"}]},
            {"role": "user", "parts": [{"text": "(The result of f:)\nr"}, {"text": "(The result of f:)\n(no result is known)"}]},
            {"role": "model", "parts": [{"text": "t"}, {"text": "(I called g with {})"}]},
            {"role": "user", "parts": [{"text": "(The result of g:)\n(no result is known)"}]},
        ])
    );
}

#[test]
fn what_was_learnt_is_heeded() {
    let mut request = Request {
        model: "gemma-3-27b-it".into(),
        system: "be kind".into(),
        messages: vec![Turn::user("hi")],
        tools: vec![ToolDeclaration { name: "f".into(), description: String::new(), schema: json!({}) }],
        max_output: Some(100_000),
        ..Request::default()
    };
    let learnt =
        Traits { system_in_turn: true, takes_tools: false, max_output: Some(8192), ..traits("gemma-3-27b-it") };
    let (bytes, left_out) = body(&request, &Names::of(&request), &learnt);
    assert_eq!(
        serde_json::from_slice::<Value>(&bytes).unwrap(),
        json!({"generationConfig": {"maxOutputTokens": 8192}, "contents": [{"role": "user", "parts": [{"text": "be kind"}, {"text": "hi"}]}]})
    );
    assert_eq!(left_out, [("f".to_owned(), "this model takes no tools".to_owned())]);

    request.tools.push(ToolDeclaration {
        name: "g".into(),
        description: String::new(),
        schema: json!({"$ref": "https://x.example/s"}),
    });
    request.tools.push(ToolDeclaration { name: "h".into(), description: String::new(), schema: json!({}) });
    let learnt =
        Traits { refused_tools: ["f".to_owned()].into(), max_output: Some(0), ids: false, ..traits("gemma-3-27b-it") };
    let (bytes, left_out) = body(&request, &Names::of(&request), &learnt);
    let sent: Value = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(sent["tools"], json!([{"functionDeclarations": [{"name": "h", "description": "h"}]}]));
    assert_eq!(sent.get("generationConfig"), None);
    let reasons: Vec<(&str, &str)> = left_out.iter().map(|(tool, reason)| (tool.as_str(), reason.as_str())).collect();
    assert_eq!(
        reasons,
        [
            ("f", "the provider refuses its schema"),
            ("g", "its schema refers to https://x.example/s, and nothing is fetched from elsewhere")
        ]
    );
}

#[test]
fn a_native_message_goes_back_byte_for_byte_or_not_at_all() {
    let call = r#"{"functionCall": {"name":"files_read","args":{"a":1e5}},  "thoughtSignature":"Ab+/="}"#;
    let items = vec![
        json!({"json": r#"{"text":"hm","thought":true}"#}),
        json!({"id": "t1", "name": "files/read", "json": call}),
        json!({"json": r#"{"text":"","thoughtSignature":"S2"}"#}),
    ];
    let request = |calls: Vec<PastCall>, items: Vec<Value>| Request {
        model: "gemini-3-pro-preview".into(),
        messages: vec![Turn::user("a"), assistant("said", calls, items), result("t1", "r")],
        tools: vec![ToolDeclaration { name: "files/read".into(), description: String::new(), schema: json!({}) }],
        ..Request::default()
    };
    let bytes =
        |request: &Request, traits: &Traits| String::from_utf8(body(request, &Names::of(request), traits).0).unwrap();
    let known = traits("gemini-3-pro-preview");
    let fitting = request(vec![past("t1", "files/read", json!({"other": 1}))], items.clone());
    let sent = bytes(&fitting, &known);
    let parts = format!(
        r#"{{"role":"model","parts":[{{"text":"hm","thought":true}},{call},{{"text":"","thoughtSignature":"S2"}}]}},{{"role":"user","parts":[{{"functionResponse":{{"name":"files_read","response":{{"result":"r"}}}}}}]}}"#
    );
    assert!(sent.contains(&parts), "the call had no id, so its answer has none:\n{sent}");

    let signed = |sent: &str| sent.contains("Ab+/=") || sent.contains("\"S2\"");
    for (calls, items) in [
        (vec![], items.clone()),
        (vec![past("t2", "files/read", json!({}))], items.clone()),
        (vec![past("t1", "files_read", json!({}))], items.clone()),
        (vec![past("t1", "files/read", json!({})), past("t2", "f", json!({}))], items.clone()),
        (vec![past("t1", "files/read", json!({}))], vec![json!({"json": call})]),
        (vec![past("t1", "files/read", json!({}))], vec![json!({"id": "t1", "name": "files/read", "json": "{broken"})]),
        (vec![past("t1", "files/read", json!({}))], vec![json!("something else")]),
    ] {
        let sent = bytes(&request(calls.clone(), items.clone()), &known);
        assert!(!signed(&sent), "{calls:?} {items:?}: {sent}");
    }
    let refused = Traits { refused: [super::super::native::mark("S2")].into(), ..known };
    assert!(!signed(&bytes(&fitting, &refused)), "one refused signature drops them all");
}

/// What Gemini says about histories, checked.
fn check(body: &Value) -> Result<(), String> {
    let contents = body["contents"].as_array().ok_or("no contents")?;
    let role = |content: &Value| content["role"].as_str().unwrap_or_default().to_owned();
    if contents.is_empty() || role(&contents[0]) != "user" || role(&contents[contents.len() - 1]) != "user" {
        return Err("begins or ends without the person".into());
    }
    let named = |content: &Value, kind: &str| -> Vec<(Value, Value)> {
        let parts = content["parts"].as_array().into_iter().flatten();
        parts
            .filter_map(|part| part.get(kind))
            .map(|it| (it["name"].clone(), it.get("id").cloned().unwrap_or_default()))
            .collect()
    };
    for (at, content) in contents.iter().enumerate() {
        let parts = content["parts"].as_array().ok_or("no parts")?;
        if parts.is_empty() || !matches!(role(content).as_str(), "user" | "model") {
            return Err(format!("content {at}: empty or of nobody"));
        }
        for part in parts {
            let known = ["text", "inlineData", "functionCall", "functionResponse", "executableCode"];
            let held = known.iter().filter(|kind| part.get(**kind).is_some()).count();
            let blank = part["text"].as_str().is_some_and(|text| text.trim().is_empty())
                && part.get("thoughtSignature").is_none();
            if held != 1 || blank || part["inlineData"]["data"] == "" {
                return Err(format!("content {at}: {part}"));
            }
        }
        let (calls, answers) = (named(content, "functionCall"), named(content, "functionResponse"));
        let is_model = role(content) == "model";
        if (is_model && !answers.is_empty()) || (!is_model && !calls.is_empty()) {
            return Err(format!("content {at}: in the wrong mouth"));
        }
        if !answers.is_empty() && answers.len() != parts.len() {
            return Err(format!("content {at}: answers and something else"));
        }
        let asked = at.checked_sub(1).map(|before| named(&contents[before], "functionCall")).unwrap_or_default();
        if asked != answers {
            return Err(format!("content {at}: {answers:?} answers {asked:?}"));
        }
        if at > 0 && is_model && role(&contents[at - 1]) == "model" {
            return Err(format!("content {at}: the model twice"));
        }
        let first = parts.iter().find(|part| part.get("functionCall").is_some());
        if first.is_some() && !parts.iter().any(|part| part.get("thoughtSignature").is_some()) {
            return Err(format!("content {at}: calls without a signature"));
        }
    }
    Ok(())
}

fn turns() -> impl Strategy<Value = Vec<Turn>> {
    let id = || prop_oneof![Just(String::new()), "[ab]"];
    let words = || prop_oneof![Just(String::new()), Just(" \n".to_owned()), "[a-c]{1,3}"];
    let arguments = prop_oneof![Just(Value::Null), Just(json!({"a": 1})), Just(json!("{")), Just(json!([1]))];
    let call = (id(), prop_oneof![Just(String::new()), Just("f".to_owned()), Just("ö/x".to_owned())], arguments)
        .prop_map(|(id, name, arguments)| PastCall { id, name, arguments });
    let item = prop_oneof![
        Just(json!({"json": "{\"text\":\"\",\"thoughtSignature\":\"s\"}"})),
        Just(json!({"json": "{\"executableCode\":{\"code\":\"1\"}}"})),
        Just(
            json!({"id": "a", "name": "f", "json": "{\"functionCall\":{\"name\":\"f\",\"id\":\"p\"},\"thoughtSignature\":\"s\"}"})
        ),
        Just(json!({"json": "{"})),
        Just(json!(1)),
    ];
    let turn = prop_oneof![
        (words(), prop::collection::vec(Just(()), 0..2)).prop_map(|(text, pictures)| Turn::User {
            text,
            pictures: pictures.into_iter().map(|()| picture("image/png", b"x")).collect(),
        }),
        (words(), prop::collection::vec(call, 0..3), prop::collection::vec(item, 0..3))
            .prop_map(|(text, calls, items)| assistant(&text, calls, items)),
        (id(), words()).prop_map(|(id, text)| Turn::Tool { id, name: "f".into(), text }),
    ];
    prop::collection::vec(turn, 0..10)
}

proptest! {
    #[test]
    fn every_history_can_be_sent(messages in turns(), system_in_turn: bool, ids: bool, as_text: bool) {
        let request = Request { model: "gemini-3-pro-preview".into(), system: "s".into(), messages, ..Request::default() };
        let mut traits = Traits { system_in_turn, ids, ..traits(&request.model) };
        if as_text {
            traits.calling = Calling::AsText;
            traits.takes_tools = false;
        }
        let body = sent_with(&request, &traits);
        prop_assert_eq!(check(&body), Ok(()), "{}", body);
    }
}
