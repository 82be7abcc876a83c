// SPDX-License-Identifier: Apache-2.0
//! `bailey ask` as a process, against a model over real HTTP.

mod common;

use bailey_protocol::{AskKind, Event, RunState, StreamMessage};
use bailey_testkit::server::Answer;
use common::model::{Model, begin, say};
use common::{Server, bailey, output};
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// `bailey ask` with this model as its endpoint.
fn ask(model: &Model, data: &Path, words: &[&str]) -> Command {
    let mut command = bailey(data, &["ask"]);
    command.args(words).args(["--base-url", &model.base_url(), "--model", "scripted"]);
    command
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

fn events(output: &Output) -> Vec<(u64, Event)> {
    stdout(output)
        .lines()
        .map(|line| match serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}")) {
            StreamMessage::Event { seq, event } => (seq, event),
            StreamMessage::Snapshot { .. } => panic!("a snapshot is no event: {line}"),
        })
        .collect()
}

fn last_run(events: &[(u64, Event)]) -> RunState {
    let mut runs = events.iter().filter_map(|(_, event)| match event {
        Event::Run { run } => Some(run.state),
        _ => None,
    });
    runs.next_back().unwrap()
}

/// The last tool result the model was sent.
fn last_result(model: &Model) -> String {
    let request = model.requests().pop().unwrap();
    let messages = request["messages"].as_array().unwrap();
    messages.iter().rev().find(|m| m["role"] == "tool").unwrap()["content"].as_str().unwrap().to_owned()
}

fn file_write(request: &Value) -> Answer {
    match request["messages"].as_array().unwrap().last().unwrap()["role"].as_str() {
        Some("tool") => say(&["The file is ", "written."]),
        _ => Answer::call("file_write", json!({"path": "a.txt", "content": "hello"})),
    }
}

#[tokio::test]
async fn an_answer_goes_to_standard_output_and_nothing_else_does() {
    let model = Model::start(|request| match common::model::last_role(request) {
        "tool" => say(&["It is ", "four.\n", "Surely."]),
        _ => Answer::call("compute", json!({"expression": "2+2"})).saying("Let me see."),
    })
    .await;
    let data = tempfile::tempdir().unwrap();
    let output = output(ask(&model, data.path(), &["what is 2+2?"])).await;
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stdout(&output), "Let me see.\n\nIt is four.\nSurely.\n");
    assert!(stderr(&output).contains("compute"), "progress goes to standard error: {}", stderr(&output));
    assert!(!stderr(&output).contains("four"));
    assert_eq!(last_result(&model).trim(), "4");
}

#[tokio::test]
async fn with_json_every_event_of_the_conversation_is_a_line() {
    let model = Model::start(|_| say(&["One. ", "Two."])).await;
    let data = tempfile::tempdir().unwrap();
    let output = output(ask(&model, data.path(), &["count", "--json"])).await;
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let events = events(&output);
    assert!(events.windows(2).all(|pair| pair[0].0 < pair[1].0), "in order");
    let conversations: std::collections::BTreeSet<String> = events
        .iter()
        .filter_map(|(_, event)| match event {
            Event::Message { message } => Some(message.conversation.to_string()),
            Event::Run { run } => Some(run.conversation.to_string()),
            _ => None,
        })
        .collect();
    assert_eq!(conversations.len(), 1);
    assert_eq!(last_run(&events), RunState::Done);
    let text = events.iter().rev().find_map(|(_, event)| match event {
        Event::Message { message } => Some(message.text()),
        _ => None,
    });
    assert_eq!(text.as_deref(), Some("One. Two."));

    // The next one goes on in the same conversation.
    let id = conversations.first().unwrap();
    let next = common::output(ask(&model, data.path(), &["go on", "--json", "--conversation", id])).await;
    assert_eq!(next.status.code(), Some(0), "{}", stderr(&next));
    let sent = model.requests().pop().unwrap()["messages"].to_string();
    assert!(sent.contains("count") && sent.contains("One. Two.") && sent.contains("go on"), "{sent}");
    let gone = common::output(ask(&model, data.path(), &["go on", "--conversation", "no-such"])).await;
    assert_eq!(gone.status.code(), Some(1));
    assert!(stderr(&gone).contains("no-such") && gone.stdout.is_empty());
}

#[tokio::test]
async fn a_failed_run_ends_with_one_and_says_why_and_what_next() {
    let body = r#"{"error":{"message":"Incorrect API key provided"}}"#;
    let model = Model::start(move |_| Answer::status(401, body)).await;
    let data = tempfile::tempdir().unwrap();
    for words in [&["hello"][..], &["hello", "--json"]] {
        let output = output(ask(&model, data.path(), words)).await;
        assert_eq!(output.status.code(), Some(1));
        let said = stderr(&output);
        assert!(said.contains("Incorrect API key provided") && said.contains("BAILEY_API_KEY"), "{said}");
        assert_eq!(output.stdout.is_empty(), words.len() == 1);
    }
    let unreachable = bailey(data.path(), &["ask", "hello", "--base-url", "http://127.0.0.1:1/v1", "--model", "m"]);
    let output = output(unreachable).await;
    assert_eq!(output.status.code(), Some(1));
    assert!(!stderr(&output).contains("Error("), "no inner words: {}", stderr(&output));
}

#[test]
fn a_command_line_that_does_not_fit_ends_with_two() {
    let data = tempfile::tempdir().unwrap();
    for words in [
        &["ask"][..],
        &["ask", " "],
        &["ask", "hello", "--mode", "fast"],
        &["ask", "hello", "--base-url", "http://127.0.0.1:1/v1"],
        &["ask", "hello", "--base-url", "http://example.org/v1", "--model", "m"],
        &["ask", "hello", "--base-url", "file:///etc", "--model", "m"],
        &["ask", "hello", "--approve", "some"],
        &["tell", "hello"],
    ] {
        let output = bailey(data.path(), words).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{words:?}");
    }
    let help = Command::new(env!("CARGO_BIN_EXE_bailey")).args(["ask", "--help"]).output().unwrap();
    assert_eq!(help.status.code(), Some(0));
    assert!(stdout(&help).contains("BAILEY_API_KEY"));
}

#[tokio::test]
async fn a_call_nobody_can_approve_ends_with_three_and_does_not_happen() {
    let model = Model::start(file_write).await;
    let data = tempfile::tempdir().unwrap();
    let plain = output(ask(&model, data.path(), &["write it", "--mode", "act"])).await;
    assert_eq!(plain.status.code(), Some(3), "{}", stderr(&plain));
    assert!(plain.stdout.is_empty());
    let said = stderr(&plain);
    assert!(said.contains("May file_write run?") && said.contains("content: \"hello\""), "{said}");

    let json = output(ask(&model, data.path(), &["write it", "--mode", "act", "--json", "--approve", "none"])).await;
    assert_eq!(json.status.code(), Some(3));
    let events = events(&json);
    let asked = events.iter().find_map(|(_, event)| match event {
        Event::AskOpened { ask } => Some(&ask.kind),
        _ => None,
    });
    let Some(AskKind::Confirm { tool, grantable: true, .. }) = asked else { panic!("{asked:?}") };
    assert_eq!(tool, "file_write");
    assert_eq!(last_run(&events), RunState::Stopped);
    assert!(!data.path().join("files/a.txt").exists());
}

#[tokio::test]
async fn approve_all_answers_what_the_mode_asks() {
    let model = Model::start(file_write).await;
    let data = tempfile::tempdir().unwrap();
    let output = output(ask(&model, data.path(), &["write it", "--mode", "act", "--approve", "all"])).await;
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stdout(&output), "The file is written.\n");
    assert_eq!(std::fs::read_to_string(data.path().join("files/a.txt")).unwrap(), "hello");
}

/// Switches the shell on in a data folder, as a person does in the app.
async fn switch_shell_on(data: &Path) {
    let server = Server::start(data);
    server.command("settings_update", json!({"shell": true})).await;
}

#[cfg(unix)]
#[tokio::test]
async fn approve_all_does_not_answer_what_outside_text_asks() {
    let model = Model::start(|request| match common::model::results(request) {
        0 => Answer::call("run_shell", json!({"command": "echo one >> proof"})),
        1 => Answer::call("run_shell", json!({"command": "echo two >> proof"})),
        _ => say(&["done"]),
    })
    .await;
    let data = tempfile::tempdir().unwrap();
    switch_shell_on(data.path()).await;
    let output = output(ask(&model, data.path(), &["do it", "--mode", "act", "--approve", "all"])).await;
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stderr(&output).contains("text from outside (run_shell)"), "{}", stderr(&output));
    assert_eq!(std::fs::read_to_string(data.path().join("shell/proof")).unwrap(), "one\n");
}

#[tokio::test]
async fn a_question_nobody_hears_is_left_to_the_model() {
    let model = Model::start(|request| match common::model::last_role(request) {
        "tool" => say(&["I took red."]),
        _ => Answer::call("ask_user", json!({"question": "Which colour?", "choices": ["red", "blue"]})),
    })
    .await;
    let data = tempfile::tempdir().unwrap();
    for words in [&["paint it"][..], &["paint it", "--json"]] {
        let output = output(ask(&model, data.path(), words)).await;
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(stdout(&output).contains("I took red."));
        assert!(last_result(&model).to_lowercase().contains("no answer"), "{}", last_result(&model));
    }
}

#[tokio::test]
async fn without_an_endpoint_the_demo_answers_and_says_so() {
    let data = tempfile::tempdir().unwrap();
    let output = output(bailey(data.path(), &["ask", "what is 6*7"])).await;
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("42"), "{}", stdout(&output));
    assert!(stderr(&output).contains("demo"));
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn ctrl_c_stops_the_run_and_the_journal_says_so() {
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let model = Model::start(|_| begin("Once upon")).await;
        let data = tempfile::tempdir().unwrap();
        let mut child =
            ask(&model, data.path(), &["tell"]).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut out = child.stdout.take().unwrap();
        let mut begun = [0; 9];
        tokio::task::block_in_place(|| std::io::Read::read_exact(&mut out, &mut begun).unwrap());
        assert_eq!(&begun, b"Once upon");
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        assert_eq!(tokio::task::block_in_place(|| child.wait().unwrap()).code(), Some(code));

        let server = Server::start(data.path());
        let list = server.command("conversation_list", json!({})).await;
        assert_eq!(list[0]["run"], "stopped", "{list}");
        let view = server.command("conversation_open", json!({"conversation": list[0]["id"]})).await;
        assert_eq!(view["messages"][1]["status"], "stopped");
        assert_eq!(view["messages"][1]["blocks"][0]["text"], "Once upon");
    }
}

#[cfg(unix)]
#[tokio::test]
async fn a_run_whose_answer_nobody_reads_is_stopped() {
    let model = Model::start(|_| say(&["more, "; 400]).delay(std::time::Duration::from_millis(20))).await;
    let data = tempfile::tempdir().unwrap();
    let mut command = tokio::process::Command::from(ask(&model, data.path(), &["tell"]));
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().await.unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("can't be written"), "{}", stderr(&output));
    let server = Server::start(data.path());
    assert_eq!(server.command("conversation_list", json!({})).await[0]["run"], "stopped");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_another_ask_uses_is_said_so() {
    let model = Model::start(|_| begin("Once upon")).await;
    let data = tempfile::tempdir().unwrap();
    let mut first = ask(&model, data.path(), &["tell"]).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut begun = [0; 4];
    let mut out = first.stdout.take().unwrap();
    tokio::task::block_in_place(|| std::io::Read::read_exact(&mut out, &mut begun).unwrap());
    for words in [&["ask", "hello"][..], &["serve", "--no-open", "--port", "0"]] {
        let output = output(bailey(data.path(), words)).await;
        assert_eq!(output.status.code(), Some(1));
        let said = stderr(&output);
        assert!(said.contains("a running `bailey ask`") && said.contains("--data-dir"), "{said}");
    }
    first.kill().unwrap();
    first.wait().unwrap();
}
