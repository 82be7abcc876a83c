// SPDX-License-Identifier: Apache-2.0
//! `bailey ask` with a person at a terminal: a real pseudo-terminal, typed at.
#![cfg(unix)]

mod common;

use bailey_testkit::server::{Answer, Call};
use common::model::{Model, last_user, results, say};
use common::{Server, bailey};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::unix::ffi::OsStringExt as _;
use std::path::Path;
use std::process::Child;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

struct Terminal {
    child: Child,
    keys: File,
    shown: Receiver<Vec<u8>>,
    text: String,
    /// How much of the text was waited for already.
    read: usize,
}

impl Terminal {
    fn ask(model: &Model, data: &Path, words: &[&str]) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = std::ffi::OsString::from_vec(ptsname(&master, Vec::new()).unwrap().into_bytes());
        let side = File::options().read(true).write(true).open(name).unwrap();
        let mut command = bailey(data, &["ask"]);
        command.args(words).args(["--base-url", &model.base_url(), "--model", "scripted"]);
        command.stdin(side.try_clone().unwrap()).stdout(side.try_clone().unwrap()).stderr(side);
        let child = command.spawn().unwrap();
        drop(command);
        let keys = File::from(master);
        let mut screen = keys.try_clone().unwrap();
        let (sender, shown) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            // The read fails when the other side is closed for good.
            while let Ok(n @ 1..) = screen.read(&mut buffer) {
                if sender.send(buffer[..n].to_vec()).is_err() {
                    return;
                }
            }
        });
        Self { child, keys, shown, text: String::new(), read: 0 }
    }

    /// Waits until this is shown, after what was waited for before.
    fn wait_for(&mut self, wanted: &str) {
        loop {
            if let Some(at) = self.text[self.read..].find(wanted) {
                self.read += at + wanted.len();
                return;
            }
            match self.shown.recv_timeout(Duration::from_secs(30)) {
                Ok(bytes) => self.text.push_str(&String::from_utf8_lossy(&bytes)),
                Err(_) => panic!("{wanted:?} was not shown after {:?}", &self.text),
            }
        }
    }

    fn type_in(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
    }

    /// Waits for the end: the exit code and all that was shown.
    fn end(mut self) -> (Option<i32>, String) {
        let code = self.child.wait().unwrap().code();
        while let Ok(bytes) = self.shown.recv_timeout(Duration::from_millis(500)) {
            self.text.push_str(&String::from_utf8_lossy(&bytes));
        }
        (code, self.text)
    }
}

async fn with<T: Send + 'static>(body: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(body).await.unwrap()
}

fn two_files(request: &Value) -> Answer {
    match results(request) {
        n @ 0..2 => Answer::call("file_write", json!({"path": format!("{n}.txt"), "content": "a \u{202e}b \u{1b}[2J"})),
        _ => say(&["Finished. \u{1b}[31mred"]),
    }
}

#[tokio::test]
async fn confirmations_are_asked_with_exact_arguments_and_answered_by_hand() {
    let model = Model::start(two_files).await;
    let data = tempfile::tempdir().unwrap();
    let path = data.path().to_owned();
    let (code, shown) = with(move || {
        let mut terminal = Terminal::ask(&model, &path, &["write", "--mode", "act"]);
        // What is typed ahead of the question does not answer it.
        terminal.type_in("o\no\n");
        terminal.wait_for("May file_write run? (some danger)");
        terminal.wait_for("content: \"a \\u{202e}b \\u001b[2J\"");
        terminal.wait_for("in the mode act each call is confirmed");
        terminal.wait_for("[d]eny  [o]nce  [c]hat");
        terminal.type_in("maybe\n");
        terminal.wait_for("May file_write run?");
        terminal.wait_for(" > ");
        terminal.type_in("o\n");
        terminal.wait_for("path: \"1.txt\"");
        terminal.wait_for(" > ");
        terminal.type_in("d\n");
        terminal.wait_for("you said no");
        terminal.end()
    })
    .await;
    assert_eq!(code, Some(0), "{shown}");
    assert!(shown.contains("Finished. \\u{1b}[31mred") && !shown.contains('\u{1b}'), "{shown:?}");
    assert!(data.path().join("files/0.txt").exists() && !data.path().join("files/1.txt").exists());
}

#[tokio::test]
async fn the_questions_of_one_round_are_put_one_after_the_other() {
    let write = |path: &str| Call::new("file_write", json!({"path": path, "content": "hi"}));
    let model = Model::start(move |request| match results(request) {
        0 => Answer::calls([write("a.txt"), write("b.txt"), write("c.txt")]),
        _ => say(&["Finished."]),
    })
    .await;
    let data = tempfile::tempdir().unwrap();
    let path = data.path().to_owned();
    let (code, shown) = with(move || {
        let mut terminal = Terminal::ask(&model, &path, &["write", "--mode", "act"]);
        for (file, answer) in [("a.txt", "d\n"), ("b.txt", "o\n"), ("c.txt", "o\n")] {
            terminal.wait_for(&format!("path: \"{file}\""));
            terminal.wait_for(" > ");
            terminal.type_in(answer);
        }
        terminal.end()
    })
    .await;
    assert_eq!(code, Some(0), "{shown}");
    assert_eq!(shown.matches("May file_write run?").count(), 3, "{shown}");
    let written = ["a.txt", "b.txt", "c.txt"].map(|file| data.path().join("files").join(file).exists());
    assert_eq!(written, [false, true, true]);
}

/// Sends a sub-agent to write a file.
fn sends_a_sub_agent(request: &Value) -> Answer {
    match (last_user(request), results(request)) {
        ("go", 0) => Answer::call("spawn_agent", json!({"task": "write\nit", "mode": "act"})),
        ("go", _) => say(&["Finished."]),
        (_, 0) => Answer::call("file_write", json!({"path": "a.txt", "content": "hi"})),
        _ => say(&["Written."]),
    }
}

#[tokio::test]
async fn a_sub_agents_question_is_put_and_says_whose_it_is() {
    let model = Model::start(sends_a_sub_agent).await;
    let data = tempfile::tempdir().unwrap();
    let path = data.path().to_owned();
    let (code, shown) = with(move || {
        let mut terminal = Terminal::ask(&model, &path, &["go", "--mode", "max"]);
        terminal.wait_for("May file_write run?");
        terminal.wait_for("Asked by a sub-agent, which was told: \"write\\nit\"");
        terminal.wait_for(" > ");
        terminal.type_in("o\n");
        terminal.end()
    })
    .await;
    assert_eq!(code, Some(0), "{shown}");
    assert!(shown.contains("Finished.") && data.path().join("files/a.txt").exists(), "{shown}");
}

#[tokio::test]
async fn where_nobody_can_answer_a_sub_agents_question_stops_the_run() {
    let model = Model::start(sends_a_sub_agent).await;
    let data = tempfile::tempdir().unwrap();
    let words = ["ask", "go", "--mode", "max", "--base-url", &model.base_url(), "--model", "scripted"];
    let output = common::output(bailey(data.path(), &words)).await;
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("Asked by a sub-agent"), "{output:?}");
    assert!(!data.path().join("files/a.txt").exists());
}

#[tokio::test]
async fn a_tool_can_be_allowed_for_the_conversation() {
    let model = Model::start(two_files).await;
    let data = tempfile::tempdir().unwrap();
    let path = data.path().to_owned();
    let (code, shown) = with(move || {
        let mut terminal = Terminal::ask(&model, &path, &["write", "--mode", "act"]);
        terminal.wait_for("[c]hat");
        terminal.wait_for(" > ");
        terminal.type_in("c\n");
        terminal.end()
    })
    .await;
    assert_eq!(code, Some(0), "{shown}");
    assert_eq!(shown.matches("May file_write run?").count(), 1, "{shown}");
    assert!(data.path().join("files/1.txt").exists());
}

#[tokio::test]
async fn what_outside_text_asks_can_be_allowed_once_only_though_all_is_approved() {
    let model = Model::start(|request| match results(request) {
        n @ 0..2 => Answer::call("run_shell", json!({"command": format!("echo {n} >> proof")})),
        _ => say(&["done"]),
    })
    .await;
    let data = tempfile::tempdir().unwrap();
    Server::start(data.path()).command("settings_update", json!({"shell": true})).await;
    let path = data.path().to_owned();
    let (code, shown) = with(move || {
        let mut terminal = Terminal::ask(&model, &path, &["go", "--mode", "act", "--approve", "all"]);
        terminal.wait_for("command: \"echo 1 >> proof\"");
        terminal.wait_for("text from outside (run_shell)");
        terminal.wait_for(" > ");
        terminal.type_in("c\n");
        terminal.wait_for(" > ");
        terminal.type_in("o\n");
        terminal.end()
    })
    .await;
    assert_eq!(code, Some(0), "{shown}");
    assert!(!shown.contains("[c]hat"), "{shown}");
    assert_eq!(std::fs::read_to_string(data.path().join("shell/proof")).unwrap(), "0\n1\n");
}

#[tokio::test]
async fn questions_are_put_and_the_answer_reaches_the_model() {
    let model = Model::start(|request| match results(request) {
        0 => Answer::call("ask_user", json!({"question": "Which colour?", "choices": ["red", "blue"]})),
        1 => Answer::call("ask_user", json!({"question": "And how much?"})),
        _ => say(&["done"]),
    })
    .await;
    let data = tempfile::tempdir().unwrap();
    let path = data.path().to_owned();
    let asked = model.clone();
    let (code, shown) = with(move || {
        let mut terminal = Terminal::ask(&asked, &path, &["paint"]);
        terminal.wait_for("Which colour?");
        terminal.wait_for("2. blue");
        terminal.wait_for(" > ");
        terminal.type_in("2\n");
        terminal.wait_for("And how much?");
        terminal.wait_for(" > ");
        terminal.type_in("a litre\n");
        terminal.end()
    })
    .await;
    assert_eq!(code, Some(0), "{shown}");
    let sent = model.requests().pop().unwrap()["messages"].to_string();
    assert!(sent.contains("chose: blue") && sent.contains(r"answered:\na litre"), "{sent}");
}

#[tokio::test]
async fn a_run_left_in_the_middle_is_finished_first_and_its_recovery_is_asked() {
    let model = Model::start(|request| match (results(request), last_user(request)) {
        (0, "go") => Answer::call("run_shell", json!({"command": "echo ran >> proof; sleep 60"})),
        _ => say(&["done"]),
    })
    .await;
    let data = tempfile::tempdir().unwrap();
    Server::start(data.path()).command("settings_update", json!({"shell": true})).await;
    let words = ["ask", "go", "--mode", "max", "--base-url", &model.base_url(), "--model", "scripted"];
    let mut first = bailey(data.path(), &words).spawn().unwrap();
    let proof = data.path().join("shell/proof");
    while !proof.exists() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    first.kill().unwrap();
    first.wait().unwrap();
    let list = {
        let server = Server::start(data.path());
        server.command("conversation_list", json!({})).await
    };
    let id = list[0]["id"].as_str().unwrap().to_owned();

    let (path, asked) = (data.path().to_owned(), model.clone());
    let (code, shown) = with(move || {
        let mut terminal = Terminal::ask(&asked, &path, &["and now?", "--conversation", &id]);
        terminal.wait_for("left in the middle");
        terminal.wait_for("Bailey was closed while run_shell ran. Did it happen?");
        terminal.wait_for("command: \"echo ran >> proof; sleep 60\"");
        terminal.wait_for(" > ");
        terminal.type_in("y\n");
        terminal.end()
    })
    .await;
    assert_eq!(code, Some(0), "{shown}");
    assert_eq!(std::fs::read_to_string(&proof).unwrap(), "ran\n", "it was not run again");
    let sent = model.requests().pop().unwrap()["messages"].to_string();
    assert!(sent.contains("and now?") && sent.contains("It happened"), "{sent}");
}

#[tokio::test]
async fn the_end_of_the_terminal_is_nobody_to_approve() {
    let model = Model::start(two_files).await;
    let data = tempfile::tempdir().unwrap();
    let path = data.path().to_owned();
    let (code, shown) = with(move || {
        let mut terminal = Terminal::ask(&model, &path, &["write", "--mode", "act"]);
        terminal.wait_for(" > ");
        terminal.type_in("\u{4}");
        terminal.end()
    })
    .await;
    assert_eq!(code, Some(3), "{shown}");
    assert!(!data.path().join("files/0.txt").exists());
}
