// SPDX-License-Identifier: Apache-2.0
//! A key that is used is found nowhere afterwards.

mod common;

use bailey_testkit::server::Answer;
use common::model::{Model, results, say};
use common::{Server, all_bytes, bailey, holds, output};
use serde_json::json;
use std::path::Path;
use std::process::{Output, Stdio};

const CANARY: &str = "sk-canary-7f3a9c51e2d84b06";

/// The canary as commands below would show it, had they got at it: rot13, so that no redaction hides the find.
fn rotated() -> String {
    CANARY
        .chars()
        .map(|c| match c {
            'a'..='m' => (c as u8 + 13) as char,
            'n'..='z' => (c as u8 - 13) as char,
            _ => c,
        })
        .collect()
}

fn assert_clean(data: &Path, output: &Output) {
    let kept = all_bytes(data);
    assert!(holds(&kept, "bailey.db"), "the database was looked at");
    for trace in [CANARY.to_owned(), rotated(), CANARY[3..].to_owned()] {
        assert!(!holds(&output.stdout, &trace), "{trace} on standard output");
        assert!(!holds(&output.stderr, &trace), "{trace} in the log: {}", String::from_utf8_lossy(&output.stderr));
        assert!(!holds(&kept, &trace), "{trace} in the data folder");
    }
}

async fn ask(model: &Model, data: &Path, words: &[&str]) -> Output {
    let mut command = bailey(data, &["ask", "--json", "--base-url", &model.base_url(), "--model", "scripted"]);
    command.args(words).env("BAILEY_API_KEY", CANARY).env("BAILEY_LOG", "trace");
    output(command).await
}

fn assert_was_used(model: &Model) {
    assert_eq!(model.keys(), [format!("Bearer {CANARY}")], "the endpoint got it");
}

#[tokio::test]
async fn an_endpoint_that_repeats_the_key_does_not_get_it_shown() {
    for (code, exit) in [(401, 1), (400, 1), (200, 1)] {
        let body =
            format!(r#"{{"error":{{"message":"Incorrect API key provided: {CANARY}. Header: Bearer {CANARY}"}}}}"#);
        let model = Model::start(move |_| Answer::status(code, body.as_str())).await;
        let data = tempfile::tempdir().unwrap();
        let output = ask(&model, data.path(), &["hello"]).await;
        assert_eq!(output.status.code(), Some(exit), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(String::from_utf8_lossy(&output.stdout).contains("[secret removed]"), "the rest is shown");
        assert_was_used(&model);
        assert_clean(data.path(), &output);
    }
}

#[tokio::test]
async fn a_model_that_repeats_the_key_does_not_get_it_shown() {
    let model = Model::start(|request| match results(request) {
        0 => Answer::call("memory_write", json!({"text": format!("The key is {CANARY}.")}))
            .saying(format!("Noted: {CANARY}.").as_str()),
        // In pieces, none of which is the key.
        _ => say(&["It is sk-", "canary-7f3a", "9c51e2d84b06", ", as you know."]),
    })
    .await;
    let data = tempfile::tempdir().unwrap();
    let output = ask(&model, data.path(), &[&format!("my key is {CANARY}, keep it")]).await;
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("[secret removed], as you know."));
    assert_was_used(&model);
    assert_clean(data.path(), &output);
}

#[cfg(unix)]
#[tokio::test]
async fn a_shell_command_finds_no_key_in_its_environment_or_its_parents() {
    const LOOKS: [(&str, &str); 3] = [
        ("env | tr a-z n-za-m", "PATH="),
        ("tr a-z n-za-m < /proc/$PPID/environ; echo; echo looked", "looked"),
        ("tr a-z n-za-m < /proc/$PPID/cmdline", "onvyrl"),
    ];
    for (command, proof) in LOOKS {
        let model = Model::start(move |request| match results(request) {
            0 => Answer::call("run_shell", json!({"command": command})),
            _ => say(&["done"]),
        })
        .await;
        let data = tempfile::tempdir().unwrap();
        Server::start(data.path()).command("settings_update", json!({"shell": true})).await;
        let output = ask(&model, data.path(), &["look", "--mode", "max"]).await;
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let sent = model.requests().pop().unwrap().to_string();
        assert!(!sent.contains(CANARY) && !sent.contains(&rotated()), "{sent}");
        let shown = String::from_utf8_lossy(&output.stdout);
        assert!(shown.contains(proof), "{command} did look: {shown}");
        assert_was_used(&model);
        assert_clean(data.path(), &output);
    }
}

#[tokio::test]
async fn a_key_typed_into_the_app_is_kept_but_nowhere_in_the_clear() {
    let body = format!(r#"{{"error":{{"message":"no access for {CANARY}"}}}}"#);
    let model = Model::start(move |_| Answer::status(403, body.as_str())).await;
    let data = tempfile::tempdir().unwrap();
    let mut command = bailey(data.path(), &["serve", "--port", "0", "--no-open"]);
    command.env("BAILEY_LOG", "trace").stderr(Stdio::piped());
    let mut server = Server::spawn(command, data.path());
    let draft = json!({"name": "Mine", "kind": "openai_chat", "base_url": model.base_url(), "key": CANARY, "model": "scripted"});
    let test = server.command("provider_test", draft.clone()).await;
    assert_eq!(test["ok"], false);
    let provider = server.command("provider_save", draft).await;
    assert_eq!(provider["has_key"], true);
    let mut events = server.events("").await;
    let choice = json!({"provider": provider["id"], "model": "scripted"});
    server.command("settings_update", json!({"default_model": choice})).await;
    server.command("send", json!({"text": format!("hello {CANARY}")})).await;
    let mut told = String::new();
    while !told.contains("\"state\":\"failed\"") {
        told.push_str(&serde_json::to_string(&events.next().await.unwrap()).unwrap());
    }
    let everything =
        [test, server.command("snapshot", json!({})).await, server.command("settings_get", json!({})).await];
    told.push_str(&serde_json::to_string(&everything).unwrap());
    assert!(told.contains("[secret removed]") && !told.contains(CANARY), "{told}");
    assert_was_used(&model);
    server.child.kill().unwrap();
    let mut log = Vec::new();
    std::io::Read::read_to_end(&mut server.child.stderr.take().unwrap(), &mut log).unwrap();
    assert_clean(data.path(), &Output { status: server.child.wait().unwrap(), stdout: Vec::new(), stderr: log });
    // It is there again after a restart.
    let server = Server::start(data.path());
    let settings = server.command("settings_get", json!({})).await;
    let kept = settings["providers"].as_array().unwrap().iter().find(|p| p["id"] == provider["id"]).unwrap();
    assert_eq!(kept["has_key"], true);
    let before = model.requests().len();
    server.command("send", json!({"text": "again"})).await;
    for _ in 0..500 {
        if model.requests().len() > before {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert!(model.requests().len() > before, "it was asked again");
    assert_was_used(&model);
}
