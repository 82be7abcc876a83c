// SPDX-License-Identifier: Apache-2.0
//! What the tools do with their ports.

mod support;

use bailey_ports::{ShellError, ShellOutput};
use bailey_protocol::{Labels, Part, Source};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;
use support::{NOW, World, registry, run_with, say};

fn tainted() -> Labels {
    Labels { outside: vec![Source::tool("web_read")], private: vec![] }
}

#[tokio::test]
async fn a_plan_is_saved_and_counted() {
    let steps = |states: &[&str]| {
        let steps: Vec<_> = states.iter().map(|s| json!({ "title": "t", "status": s })).collect();
        json!({ "steps": steps })
    };
    assert_eq!(
        say("plan_update", steps(&["done", "active", "pending"])).await.as_deref(),
        Ok("Plan saved: 1 of 3 done.")
    );
    assert_eq!(say("plan_update", steps(&["done"])).await.as_deref(), Ok("Plan saved: 1 of 1 done."));
    let error = say("plan_update", steps(&["active", "active"])).await.unwrap_err();
    assert!(error.contains("2 steps are active") && error.contains("send all steps again"), "{error}");
}

#[tokio::test]
async fn a_question_is_not_run() {
    let error = say("ask_user", json!({ "question": "Which?" })).await.unwrap_err();
    assert!(error.contains("Put it into your answer"), "{error}");
}

#[tokio::test]
async fn a_note_carries_the_marks_of_what_was_seen() {
    let world = Arc::new(World::default());
    let registry = registry(world.clone());
    let write = registry.get("memory_write").unwrap();
    let clean = run_with(write, json!({ "text": " Likes tea. " }), Labels::none()).await.unwrap();
    assert_eq!(clean, [Part::plain("Saved as note #1.")]);
    let kept_apart = run_with(write, json!({ "text": "Likes pears." }), tainted()).await.unwrap();
    assert!(kept_apart[0].text.starts_with("Saved as note #2. It was written while text from outside"));
    {
        let notes = world.notes.lock().unwrap();
        assert_eq!((notes[0].text.as_str(), &notes[0].labels, notes[0].at), ("Likes tea.", &Labels::none(), NOW));
        assert_eq!((notes[1].conversation.as_str(), &notes[1].labels), ("c", &tainted()));
    }
    let blank = run_with(write, json!({ "text": "  " }), Labels::none()).await.unwrap_err();
    assert!(blank.message.contains("empty"));

    let search = registry.get("memory_search").unwrap();
    let found = run_with(search, json!({ "query": "Likes", "limit": 2.0 }), Labels::none()).await.unwrap();
    assert_eq!(
        found,
        [Part::plain("#1 (2026-03-01): Likes tea."), Part::labelled("#2 (2026-03-01): Likes pears.", tainted())]
    );
    let none = run_with(search, json!({ "query": "coffee" }), Labels::none()).await.unwrap();
    assert_eq!(none.len(), 1);
    assert!(none[0].text.contains("No note matches \"coffee\""));
    assert_eq!(*world.searches.lock().unwrap(), [("Likes".to_owned(), 2), ("coffee".to_owned(), 5)]);
}

#[tokio::test]
async fn a_broken_store_is_told() {
    let registry = registry(Arc::new(World { broken: true, ..World::default() }));
    for (name, arguments) in [("memory_write", json!({ "text": "x" })), ("memory_search", json!({ "query": "x" }))] {
        let failure = run_with(registry.get(name).unwrap(), arguments, Labels::none()).await.unwrap_err();
        assert!(failure.message.contains("disk full"), "{failure}");
    }
}

#[tokio::test]
async fn a_file_is_written_with_its_marks() {
    let world = Arc::new(World::default());
    let registry = registry(world.clone());
    let write = registry.get("file_write").unwrap();
    let arguments = json!({ "path": "a/b.md", "content": "你好" });
    let first = run_with(write, arguments.clone(), tainted()).await.unwrap();
    assert_eq!(first, [Part::plain("Wrote a/b.md: 6 bytes, a new file.")]);
    let second = run_with(write, arguments, Labels::none()).await.unwrap();
    assert_eq!(second, [Part::plain("Wrote a/b.md: 6 bytes, version 2; the earlier one is kept.")]);
    assert_eq!(world.files.lock().unwrap()[0], ("a/b.md".to_owned(), "你好".as_bytes().to_vec(), tainted()));
    let refused = run_with(write, json!({ "path": "/etc/x", "content": "" }), Labels::none()).await.unwrap_err();
    assert!(refused.message.contains("leaves the folder") && refused.message.contains("relative path"), "{refused}");
}

#[tokio::test]
async fn a_command_is_run_and_told_whole() {
    let world = Arc::new(World::default());
    let registry = registry(world.clone());
    let shell = registry.get("run_shell").unwrap();
    let output = |code, stdout: &str, stderr: &str, cut| {
        Ok(ShellOutput { code, stdout: stdout.into(), stderr: stderr.into(), cut })
    };
    for (says, told) in [
        (output(Some(0), "hello\n", "", false), "exit code 0\nstdout:\nhello"),
        (output(Some(2), "a\n", "b\n", false), "exit code 2\nstdout:\na\nstderr:\nb"),
        (output(Some(0), "", "", false), "exit code 0\nIt printed nothing."),
        (
            output(None, "x", "", true),
            "ended by a signal\nstdout:\nx\nThe output was too long and is cut in the middle; filter it in the command to see the rest.",
        ),
    ] {
        *world.shell_says.lock().unwrap() = Some(says);
        let parts = run_with(shell, json!({ "command": "c", "timeout_s": 5 }), Labels::none()).await.unwrap();
        assert_eq!(parts, [Part::plain(told)]);
    }
    for (says, told) in [
        (ShellError::TimedOut(Duration::from_secs(5)), "still running after 5 s and was killed"),
        (ShellError::Start("no such file".into()), "no such file"),
        (ShellError::Unsupported, "no shell on this device"),
    ] {
        *world.shell_says.lock().unwrap() = Some(Err(says));
        let failure = run_with(shell, json!({ "command": "c" }), Labels::none()).await.unwrap_err();
        assert!(failure.message.contains(told), "{failure}");
    }
    let commands = world.commands.lock().unwrap();
    assert_eq!(commands[0], ("c".to_owned(), Duration::from_secs(5)));
    assert_eq!(commands[4].1, Duration::from_secs(60));
}
