// SPDX-License-Identifier: Apache-2.0
use super::*;
use crate::chat::dialect::Dialect;
use crate::ids::Rule;
use crate::{Asked, Decoder};
use bailey_protocol::model::{Native, PastCall, Reply, ToolDeclaration, Turn};
use bailey_protocol::{PictureId, ProviderKind};
use bailey_testkit::server::check_history;
use proptest::prelude::*;
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;
use url::Url;

/// The manner of a host that nobody knows.
fn plain() -> Manner {
    Manner {
        usage: false,
        limit_field: LimitField::MaxTokens,
        limit: None,
        think: Think::Unsaid,
        thoughts: Thoughts::Dropped,
        native: true,
        pictures: true,
        without: BTreeMap::new(),
        declares_called: false,
        ids: Rule::Any,
    }
}

fn sent(request: &Request, manner: &Manner) -> Value {
    serde_json::from_slice(&body(request, &Names::of(request), manner).0).unwrap()
}

fn of(messages: Vec<Turn>) -> Request {
    Request { model: "m".into(), messages, ..Request::default() }
}

fn call(id: &str, name: &str, arguments: Value) -> PastCall {
    PastCall { id: id.into(), name: name.into(), arguments }
}

fn model(text: &str, reasoning: &str, calls: Vec<PastCall>, native: Option<Value>) -> Turn {
    let native = native.map(|item| Arc::new(Native { origin: "here".into(), items: vec![item] }));
    Turn::Assistant { text: text.into(), reasoning: reasoning.into(), calls, native }
}

fn result(id: &str, text: &str) -> Turn {
    Turn::Tool { id: id.into(), name: "compute".into(), text: text.into() }
}

#[test]
fn a_history_becomes_messages() {
    let request = Request {
        system: "be \"kind\"".into(),
        tools: vec![ToolDeclaration {
            name: "compute".into(),
            description: "sums".into(),
            schema: json!({"type": "object"}),
        }],
        ..of(vec![
            Turn::user("hi"),
            model(
                "",
                "hm",
                vec![call("c1", "compute", json!({"expression": "1+\"1\""})), call("c2", "get_time", Value::Null)],
                Some(
                    json!({"reasoning": "reasoning_content", "calls": [{"id": "c1", "name": "compute"}, {"id": "c2", "name": "get_time"}]}),
                ),
            ),
            result("c1", "2"),
            Turn::Tool { id: "c2".into(), name: "get_time".into(), text: "noon".into() },
            model("two", "another model's", vec![], None),
            model("", "cut", vec![], None),
            Turn::user("thanks"),
        ])
    };
    let expected = json!({
        "model": "m",
        "stream": true,
        "stream_options": {"include_usage": true},
        "tools": [{"type": "function", "function": {"name": "compute", "description": "sums", "parameters": {"type": "object", "properties": {}}}}],
        "messages": [
            {"role": "system", "content": "be \"kind\""},
            {"role": "user", "content": "hi"},
            {"role": "assistant", "content": null, "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "compute", "arguments": "{\"expression\":\"1+\\\"1\\\"\"}"}},
                {"id": "c2", "type": "function", "function": {"name": "get_time", "arguments": "{}"}},
            ]},
            {"role": "tool", "content": "2", "tool_call_id": "c1"},
            {"role": "tool", "content": "noon", "tool_call_id": "c2"},
            {"role": "assistant", "content": "two"},
            {"role": "user", "content": "thanks"},
        ],
    });
    assert_eq!(sent(&request, &Manner { usage: true, ..plain() }), expected);

    for (thoughts, filler) in
        [(Thoughts::Demanded(""), ""), (Thoughts::Known(" "), " "), (Thoughts::Demanded(" "), " ")]
    {
        let messages = &sent(&request, &Manner { thoughts, ..plain() })["messages"];
        assert_eq!(messages[2]["reasoning_content"], "hm");
        assert_eq!(messages[5]["reasoning_content"], filler, "another model's stays here, but some is demanded");
        assert_eq!(messages[1].get("reasoning_content"), None);
    }
    // Where the field was never seen, nothing is made up.
    let request = of(vec![Turn::user("hi"), model("a", "b", vec![], None), Turn::user("and?")]);
    let messages = &sent(&request, &Manner { thoughts: Thoughts::Known(""), ..plain() })["messages"];
    assert_eq!(messages[1], json!({"role": "assistant", "content": "a"}));
}

#[test]
fn limits_and_effort_stand_where_they_are_read() {
    let request = of(vec![Turn::user("hi")]);
    let parts = |manner: Manner| {
        let Value::Object(mut sent) = sent(&request, &manner) else { panic!() };
        ["model", "stream", "messages"].iter().for_each(|key| drop(sent.remove(*key)));
        Value::Object(sent)
    };
    assert_eq!(parts(plain()), json!({}));
    let limit = Some(100);
    assert_eq!(parts(Manner { limit, ..plain() }), json!({"max_tokens": 100}));
    let limit_field = LimitField::MaxCompletionTokens;
    assert_eq!(parts(Manner { limit, limit_field, ..plain() }), json!({"max_completion_tokens": 100}));
    for (think, expected) in [
        (Think::Effort("low"), json!({"reasoning_effort": "low"})),
        (Think::Switch(false), json!({"thinking": {"type": "disabled"}})),
        (Think::Switch(true), json!({"thinking": {"type": "enabled"}})),
        (Think::Enable(true), json!({"enable_thinking": true})),
        (Think::Nested("none"), json!({"reasoning": {"effort": "none"}})),
    ] {
        assert_eq!(parts(Manner { think, ..plain() }), expected);
    }
}

#[test]
fn pictures_stand_in_what_the_person_said() {
    let picture =
        |data: &[u8]| Picture { id: PictureId::from("p"), media_type: "image/png".into(), data: Arc::from(data) };
    let user = |text: &str, pictures: Vec<Picture>| Turn::User { text: text.into(), pictures };
    let content = |turn: Turn, manner: &Manner| sent(&of(vec![turn]), manner)["messages"][0]["content"].clone();
    assert_eq!(
        content(user("look", vec![picture(b"\x89PNG"), picture(b"")]), &plain()),
        json!([
            {"type": "text", "text": "look"},
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw=="}},
            {"type": "text", "text": GONE},
        ])
    );
    assert_eq!(
        content(user(" ", vec![picture(b"x")]), &plain()),
        json!([{"type": "image_url", "image_url": {"url": "data:image/png;base64,eA=="}}])
    );
    // Without one that can be seen it is plain text.
    let blind = Manner { pictures: false, ..plain() };
    assert_eq!(content(user("look", vec![picture(b"x")]), &blind), json!(format!("look\n\n{UNSEEN}")));
    assert_eq!(content(user("", vec![picture(b"")]), &plain()), json!(GONE));
}

#[test]
fn what_a_model_made_up_can_be_sent_back() {
    let calls = vec![
        call("a", "", json!("{\"half")),
        call("b", "functions.get time", json!([1])),
        call("c", &"x".repeat(80), json!({"a": 1.0, "z": 12_345_678_901_234_567_890_u64})),
    ];
    let sent = sent(&of(vec![Turn::user("hi"), model("t", "", calls, None)]), &plain());
    let functions: Vec<(&str, &str)> = sent["messages"][1]["tool_calls"]
        .as_array()
        .unwrap()
        .iter()
        .map(|call| (call["function"]["name"].as_str().unwrap(), call["function"]["arguments"].as_str().unwrap()))
        .collect();
    let long = "x".repeat(64);
    let expected = [
        ("unnamed", "{\"not_an_object\":\"{\\\"half\"}"),
        ("functions_get_time", "{\"not_an_object\":\"[1]\"}"),
        (long.as_str(), "{\"a\":1.0,\"z\":12345678901234567890}"),
    ];
    assert_eq!(functions, expected);
}

#[test]
fn a_tool_that_can_not_be_sent_costs_itself_only() {
    let tool = |name: &str, schema: Value| ToolDeclaration { name: name.into(), description: String::new(), schema };
    let request = Request {
        tools: vec![
            tool("good", json!({"type": "object"})),
            tool("bad", json!({"type": "object", "properties": {"a": {"type": "text"}}})),
            tool("files/read", json!({})),
            tool("good", json!({})),
        ],
        ..of(vec![Turn::user("hi")])
    };
    let names = Names::of(&request);
    let without = BTreeMap::from([("files_read".to_owned(), "not here".to_owned())]);
    let (sent, left_out) = body(&request, &names, &Manner { without, ..plain() });
    let sent: Value = serde_json::from_slice(&sent).unwrap();
    assert_eq!(sent["tools"].as_array().unwrap().len(), 1);
    let told: Vec<&str> = left_out.iter().map(|(tool, _)| tool.as_str()).collect();
    assert_eq!(told, ["bad", "files/read", "good"]);
    assert!(left_out[0].1.contains("/properties/a/type"), "{left_out:?}");

    // None left: no list at all.
    let without = BTreeMap::from([("*".to_owned(), "This model takes no tools.".to_owned())]);
    let (sent, left_out) = body(&request, &names, &Manner { without, ..plain() });
    assert_eq!(serde_json::from_slice::<Value>(&sent).unwrap().get("tools"), None);
    assert_eq!(left_out.len(), 4);
}

#[test]
fn what_was_called_is_declared_where_that_is_wanted() {
    let calls = vec![call("a", "files/read", json!({})), call("b", "get_time", json!({}))];
    let said = Turn::Assistant { text: String::new(), reasoning: String::new(), calls, native: None };
    let result = |id: &str| Turn::Tool { id: id.into(), name: "n".into(), text: "r".into() };
    let history = of(vec![Turn::user("hi"), said.clone(), result("a"), result("b"), said, Turn::user("so?")]);
    let declares = Manner { declares_called: true, ..plain() };
    let body = sent(&history, &declares);
    let names: Vec<&str> =
        body["tools"].as_array().unwrap().iter().map(|tool| tool["function"]["name"].as_str().unwrap()).collect();
    assert_eq!((names, &body["tool_choice"]), (vec!["files_read", "get_time"], &json!("none")));
    assert_eq!(body["tools"][0]["function"]["parameters"], json!({"type": "object", "properties": {}}));

    let offered = ToolDeclaration { name: "own".into(), description: String::new(), schema: json!({}) };
    let without = BTreeMap::from([("*".to_owned(), "This model takes no tools.".to_owned())]);
    for (request, manner, tools) in [
        (history.clone(), plain(), 0),
        (of(vec![Turn::user("hi")]), declares.clone(), 0),
        (history.clone(), Manner { without, ..declares.clone() }, 0),
        (Request { tools: vec![offered], ..history.clone() }, declares, 1),
    ] {
        let body = sent(&request, &manner);
        assert_eq!(body.get("tools").map_or(0, |tools| tools.as_array().unwrap().len()), tools, "{body}");
        assert_eq!(body.get("tool_choice"), None, "{body}");
    }
}

/// The answer to these events, and the turn that comes of it as the engine keeps it.
fn answered(lines: &[&str]) -> Turn {
    let asked = Asked { tag: "made".into(), origin: "here".into(), ..Asked::default() };
    let mut decoder = Decoder::new(ProviderKind::OpenaiChat, asked).unwrap();
    let bytes: String = lines.iter().map(|line| format!("data: {line}\n\n")).collect();
    let mut replies = decoder.push(bytes.as_bytes());
    replies.extend(decoder.end());
    let (mut said, mut thought, mut made, mut own) = (String::new(), String::new(), Vec::new(), None);
    for reply in replies {
        match reply.unwrap() {
            Reply::Text { text } => said.push_str(&text),
            Reply::Reasoning { text } => thought.push_str(&text),
            Reply::Call { id, name, arguments } => {
                made.push(PastCall { id, name, arguments: serde_json::from_str(&arguments).unwrap() });
            }
            Reply::Native { native } => own = Some(native),
            _ => {}
        }
    }
    Turn::Assistant { text: said, reasoning: thought, calls: made, native: own }
}

#[test]
fn what_the_provider_wants_back_goes_back_as_it_came() {
    let stop = r#"{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}"#;
    let line = |delta: &str| format!(r#"{{"choices":[{{"delta":{delta}}}]}}"#);
    let details = r#"[{"type":"reasoning.text","text":"a 1.0 é","signature":"s+/=","format":"f","index":0},{"type":"reasoning.encrypted","data":"AA==","n":1.0,"id":"a","index":1}]"#;
    let signed = r#"{"id":"a","type":"function","function":{"name":"compute","arguments":"{ \"n\": 1.0 }"},"extra_content":{"google":{"thought_signature":"c2ln"}}}"#;
    for (deltas, expected) in [
        (
            vec![format!(r#"{{"reasoning":"a 1.0 é","reasoning_details":{details}}}"#), format!(r#"{{"tool_calls":[{signed}]}}"#)],
            format!(r#"{{"role":"assistant","content":null,"tool_calls":[{signed}],"reasoning_details":{details}}}"#),
        ),
        (
            vec![r#"{"reasoning_text":"Hm","reasoning_opaque":"o=="}"#.to_owned(), r#"{"content":"t"}"#.to_owned()],
            r#"{"role":"assistant","content":"t","reasoning_text":"Hm","reasoning_opaque":"o=="}"#.to_owned(),
        ),
        (
            vec![r#"{"content":[{"type":"thinking","thinking":[{"type":"text","text":"Two."}]}]}"#.to_owned(), r#"{"content":[{"type":"text","text":"4"}]}"#.to_owned()],
            r#"{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"Two."}]},{"type":"text","text":"4"}]}"#.to_owned(),
        ),
    ] {
        let lines: Vec<String> = deltas.iter().map(|delta| line(delta)).collect();
        let mut lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        lines.push(stop);
        let turn = answered(&lines);
        let request = of(vec![Turn::user("hi"), turn.clone(), Turn::user("go on")]);
        // Through the journal and back.
        let request: Request = serde_json::from_str(&serde_json::to_string(&request).unwrap()).unwrap();
        let (sent, _) = body(&request, &Names::of(&request), &plain());
        let sent = String::from_utf8(sent).unwrap();
        assert!(sent.contains(&expected), "{expected}\nis not in\n{sent}");
        assert_eq!(body(&request, &Names::of(&request), &plain()).0, sent.as_bytes(), "the same request, the same bytes");

        // Where it is refused, and where the calls are not the message's any more, the neutral form goes out.
        let neutral = Manner { native: false, ..plain() };
        let sent = String::from_utf8(body(&request, &Names::of(&request), &neutral).0).unwrap();
        assert!(["details", "opaque", "extra_content", "\"thinking\""].iter().all(|word| !sent.contains(word)), "{sent}");
        let Turn::Assistant { text, reasoning, mut calls, native } = turn else { panic!() };
        calls.push(call("z", "another", json!({})));
        let turn = Turn::Assistant { text, reasoning, calls, native };
        let sent = String::from_utf8(body(&of(vec![turn]), &Names::default(), &plain()).0).unwrap();
        assert!(["details", "opaque", "extra_content", "\"thinking\""].iter().all(|word| !sent.contains(word)), "{sent}");
    }
}

#[test]
fn reasoning_goes_back_in_the_field_in_which_it_came() {
    for field in ["reasoning_content", "reasoning"] {
        let line = format!(r#"{{"choices":[{{"delta":{{"content":"t","{field}":"Hm"}},"finish_reason":"stop"}}]}}"#);
        let request = of(vec![Turn::user("hi"), answered(&[&line]), Turn::user("go on")]);
        let known = Manner { thoughts: Thoughts::Known(""), ..plain() };
        assert_eq!(
            sent(&request, &known)["messages"][1],
            serde_json::from_str::<Value>(&format!(r#"{{"role":"assistant","content":"t","{field}":"Hm"}}"#)).unwrap()
        );
        assert_eq!(sent(&request, &plain())["messages"][1], json!({"role": "assistant", "content": "t"}));
    }
}

#[test]
fn ids_of_another_provider_are_made_to_fit() {
    let calls = || vec![call("toolu_01", "compute", json!({})), call("abcDEF123", "compute", json!({}))];
    let request =
        of(vec![Turn::user("hi"), model("", "", calls(), None), result("abcDEF123", "2"), result("toolu_01", "1")]);
    let sent = sent(&request, &Manner { ids: Rule::Exact(9), ..plain() });
    let ids: Vec<&str> = (0..2).map(|at| sent["messages"][1]["tool_calls"][at]["id"].as_str().unwrap()).collect();
    assert!(ids[0].len() == 9 && ids[0] != "toolu_01", "{ids:?}");
    assert_eq!(ids[1], "abcDEF123");
    for (at, text) in [(0, "1"), (1, "2")] {
        let message = &sent["messages"][2 + at];
        assert_eq!((message["tool_call_id"].as_str(), message["content"].as_str()), (Some(ids[at]), Some(text)));
    }
}

#[test]
fn a_user_never_stands_behind_a_result() {
    let request =
        of(vec![Turn::user("hi"), model("", "", vec![call("a", "compute", json!({}))], None), Turn::user("stop")]);
    let thoughts = Thoughts::Demanded(" ");
    let sent = sent(&request, &Manner { thoughts, ..plain() });
    let roles: Vec<&str> = sent["messages"].as_array().unwrap().iter().map(|m| m["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["user", "assistant", "tool", "assistant", "user"]);
    assert_eq!(sent["messages"][3]["reasoning_content"], " ");
}

/// Turns as a process that was killed, or another version, might leave them.
fn turns() -> impl Strategy<Value = Vec<Turn>> {
    let id = "[ab]|call_[a-c]{2}|[a-z]{9}|[:. é]?|[x]{70}";
    let name = "[a-z]{1,2}|get time|[中]?|x{70}";
    let arguments = prop_oneof![Just(json!({})), Just(json!({"a": [1.0]})), Just(json!(null)), Just(json!("{half"))];
    let made = (id, name, arguments).prop_map(|(id, name, arguments)| PastCall { id, name, arguments });
    let native = prop_oneof![
        Just(None),
        Just(Some(json!(null))),
        Just(Some(json!({"reasoning": "reasoning"}))),
        Just(Some(
            json!({"content": [{"type": "thinking", "thinking": "t"}], "fields": {"reasoning_details": []}, "calls": 7})
        )),
        Just(Some(json!({"calls": [{"id": "a", "name": "a", "arguments": "{ }", "fields": {"extra_content": {}}}]}))),
    ];
    let turn = prop_oneof![
        ("[ x]{0,2}", 0..3_usize).prop_map(|(text, pictures)| Turn::User {
            text,
            pictures: (0..pictures)
                .map(|at| Picture {
                    id: PictureId::from("p"),
                    media_type: "image/png".into(),
                    data: Arc::from(vec![7_u8; at]),
                })
                .collect(),
        }),
        (id, name, "[ r]{0,2}").prop_map(|(id, name, text)| Turn::Tool { id, name, text }),
        ("[ t]{0,2}", "h?", proptest::collection::vec(made, 0..3), native)
            .prop_map(|(text, reasoning, calls, native)| model(&text, &reasoning, calls, native)),
    ];
    proptest::collection::vec(turn, 0..14)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn any_turns_make_a_history_that_every_server_takes(turns in turns(), host in 0..5) {
        let base = ["https://api.openai.com/v1", "https://api.mistral.ai/v1", "https://api.moonshot.ai/v1", "https://openrouter.ai/api/v1", "http://127.0.0.1:8080/v1"][host as usize];
        let request = Request { model: "kimi".into(), ..of(turns) };
        let manner = Dialect::of(&Url::parse(base).unwrap()).manner(&request);
        let sent = sent(&request, &manner);
        prop_assert_eq!(check_history(&sent), Vec::<String>::new(), "{}", &sent);
        let messages = sent["messages"].as_array().unwrap();
        prop_assert_eq!(&messages[0]["role"], "user");
        let last = messages.last().unwrap()["role"].as_str().unwrap();
        prop_assert!(last == "user" || last == "tool", "{}", last);
        for message in messages {
            match &message["content"] {
                Value::String(text) => prop_assert!(!text.trim().is_empty()),
                Value::Array(parts) => prop_assert!(!parts.is_empty()),
                content => prop_assert!(content.is_null() && message.get("tool_calls").is_some()),
            }
            let ids = message["tool_calls"].as_array().into_iter().flatten().map(|call| &call["id"]).chain(message.get("tool_call_id"));
            for id in ids {
                let id = id.as_str().unwrap();
                match host {
                    0 => prop_assert!(id.len() <= 40),
                    1 => prop_assert!(id.len() == 9 && id.bytes().all(|b| b.is_ascii_alphanumeric())),
                    _ => prop_assert!(!id.is_empty()),
                }
            }
            if host == 2 && message["role"] == "assistant" {
                prop_assert!(message["reasoning_content"].as_str().is_some_and(|text| !text.is_empty()));
            }
        }
    }
}
