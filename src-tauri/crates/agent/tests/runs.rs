// SPDX-License-Identifier: Apache-2.0
//! Runs through the agent's face: what a person sees, answers and stops.

mod common;

use bailey_agent::{Presence, RunOptions};
use bailey_ports::{Model, ModelError, ReplyStream, Secret, Store};
use bailey_protocol::model::{Finish, Reply, Request, Turn};
use bailey_protocol::*;
use bailey_testkit::model::{ScriptedModel, calls, says};
use common::*;
use futures::{StreamExt, stream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Runs the command in the message, then says so.
fn runs_commands() -> ScriptedModel {
    ScriptedModel::new(|request| match request.messages.last() {
        Some(Turn::User { text, .. }) => {
            let arguments = serde_json::json!({ "command": text }).to_string();
            calls(&[("a", "run_shell", &arguments)])
        }
        _ => says("ran"),
    })
}

#[tokio::test]
async fn a_message_becomes_an_answer_and_every_step_is_told() {
    let model = ScriptedModel::new(|_| says("Hello there."));
    let world = World::scripted(&model);
    let agent = world.agent();
    let mut face = Face::new(&agent);
    assert!(matches!(face.next().await, StreamMessage::Snapshot { seq: 0, .. }));
    let sent = send(&agent, "  hi  ", Mode::ChatPlus).await;
    let run = face.end(&sent.run).await;
    assert_eq!((run.state, run.mode, run.ledger.rounds), (RunState::Done, Mode::ChatPlus, 1));
    let numbers: Vec<u64> = face
        .seen
        .iter()
        .filter_map(|m| if let StreamMessage::Event { seq, .. } = m { Some(*seq) } else { None })
        .collect();
    assert!(numbers.windows(2).all(|w| w[1] == w[0] + 1), "{numbers:?}");
    let view = agent.open(&sent.conversation).unwrap();
    let texts: Vec<(Role, String)> = view.messages.iter().map(|m| (m.role, m.text())).collect();
    assert_eq!(texts, [(Role::User, "hi".into()), (Role::Assistant, "Hello there.".into())]);
    assert_eq!((view.summary.title.as_str(), view.summary.preview.as_str()), ("hi", "Hello there."));
}

#[tokio::test]
async fn a_face_that_comes_late_or_back_misses_nothing_and_sees_nothing_twice() {
    let model = ScriptedModel::new(|_| {
        let mut out: Vec<_> = (0..400).map(|n| Ok(Reply::Text { text: format!("w{n} ") })).collect();
        out.push(Ok(Reply::Finish { finish: Finish::Stop }));
        out
    });
    let world = World::scripted(&model);
    let agent = world.agent();
    let mut face = Face::new(&agent);
    let StreamMessage::Snapshot { epoch, .. } = face.next().await else { panic!() };
    let sent = send(&agent, "go", Mode::ChatPlus).await;
    face.end(&sent.run).await;
    let whole = agent.open(&sent.conversation).unwrap().messages[1].text();
    let text = |messages: &[StreamMessage]| -> String {
        messages
            .iter()
            .filter_map(|m| match m {
                StreamMessage::Event { event: Event::Delta { delta }, .. } => Some(delta.text.as_str()),
                _ => None,
            })
            .collect()
    };
    assert_eq!(text(&face.seen), whole);
    let StreamMessage::Event { seq: newest, .. } = face.seen.last().unwrap() else { panic!() };
    for since in 0..*newest {
        let mut back = agent.subscribe(Some((epoch.clone(), since)), Presence::Watching);
        let first = tokio::time::timeout(SOON, back.next()).await.unwrap().unwrap();
        assert!(matches!(first, StreamMessage::Event { seq, .. } if seq == since + 1));
    }
    for (other, seq) in [("another".to_owned(), 1), (epoch, newest + 5)] {
        let mut back = agent.subscribe(Some((other, seq)), Presence::Watching);
        let first = tokio::time::timeout(SOON, back.next()).await.unwrap().unwrap();
        assert!(matches!(first, StreamMessage::Snapshot { seq, .. } if seq >= *newest));
    }
}

/// A model that says what a test hands it, when it hands it.
#[derive(Clone, Default)]
struct Fed(Arc<Mutex<Vec<tokio::sync::mpsc::UnboundedReceiver<Reply>>>>, Arc<Mutex<u32>>);

struct Alive(Arc<Mutex<u32>>);
impl Drop for Alive {
    fn drop(&mut self) {
        *self.0.lock().unwrap() -= 1;
    }
}

impl Fed {
    fn feed(&self) -> tokio::sync::mpsc::UnboundedSender<Reply> {
        let (sender, receiver) = tokio::sync::mpsc::unbounded_channel();
        self.0.lock().unwrap().push(receiver);
        sender
    }
}

impl Model for Fed {
    fn reply(&self, _: Request) -> ReplyStream {
        let receiver = self.0.lock().unwrap().remove(0);
        *self.1.lock().unwrap() += 1;
        let alive = Alive(self.1.clone());
        stream::unfold((receiver, alive), |(mut receiver, alive)| async move {
            let reply = receiver.recv().await?;
            Some((Ok::<_, ModelError>(reply), (receiver, alive)))
        })
        .boxed()
    }
}

#[tokio::test]
async fn a_snapshot_in_the_middle_of_a_stream_and_the_deltas_after_it_make_the_whole() {
    let model = Fed::default();
    let feed = model.feed();
    let world = World::new(model);
    let agent = world.agent();
    let mut face = Face::new(&agent);
    let sent = send(&agent, "go", Mode::Chat).await;
    for n in 0..60 {
        feed.send(Reply::Text { text: format!("{n} ") }).unwrap();
        if n % 10 == 3 {
            tokio::time::sleep(Duration::from_millis(15)).await;
            let mut late = agent.subscribe(None, Presence::Watching);
            let StreamMessage::Snapshot { snapshot, .. } = late.next().await.unwrap() else { panic!() };
            let mut text = snapshot.live[0].streaming.as_ref().map(Message::text).unwrap_or_default();
            feed.send(Reply::Text { text: "| ".into() }).unwrap();
            while !text.ends_with("| ") {
                let next = tokio::time::timeout(SOON, late.next()).await.unwrap().unwrap();
                if let StreamMessage::Event { event: Event::Delta { delta }, .. } = next {
                    text.push_str(&delta.text);
                }
            }
            let expected: String =
                (0..=n).map(|k| if k % 10 == 3 { format!("{k} | ") } else { format!("{k} ") }).collect();
            assert_eq!(text, expected);
        }
    }
    feed.send(Reply::Finish { finish: Finish::Stop }).unwrap();
    face.end(&sent.run).await;
}

#[tokio::test]
async fn stop_ends_a_stream_and_its_request() {
    let model = Fed::default();
    let alive = model.1.clone();
    let feed = model.feed();
    let world = World::new(model);
    let agent = world.agent();
    let mut face = Face::new(&agent);
    let sent = send(&agent, "go", Mode::Chat).await;
    feed.send(Reply::Text { text: "on and on".into() }).unwrap();
    face.until(|e| matches!(e, Event::Delta { .. }).then_some(())).await;
    tokio::time::timeout(SOON, agent.stop(&sent.run)).await.unwrap();
    assert_eq!(face.end(&sent.run).await.state, RunState::Stopped);
    assert_eq!(*alive.lock().unwrap(), 0, "the request was dropped");
    let message = agent.open(&sent.conversation).unwrap().messages.pop().unwrap();
    assert_eq!((message.text().as_str(), message.status), ("on and on", MessageStatus::Stopped));
    agent.stop(&sent.run).await;
}

#[tokio::test]
async fn stop_ends_a_tool_in_the_middle() {
    let world = World::scripted(&runs_commands());
    let agent = world.agent();
    let mut face = Face::new(&agent);
    let sent = send(&agent, "hang", Mode::Max).await;
    let until = tokio::time::timeout(SOON, async {
        while world.shell.began().is_empty() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    });
    until.await.unwrap();
    agent.stop(&sent.run).await;
    assert_eq!(face.end(&sent.run).await.state, RunState::Stopped);
    tokio::time::timeout(SOON, async {
        while world.shell.dropped().is_empty() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    })
    .await
    .expect("nothing of it goes on running");
    let view = agent.open(&sent.conversation).unwrap();
    assert_eq!(view.messages[1].calls().next().unwrap().state, CallState::Cancelled);
}

#[tokio::test]
async fn what_faces_are_told_is_what_is_stored() {
    let model = ScriptedModel::new(|request| {
        let results = request.messages.iter().filter(|t| matches!(t, Turn::Tool { .. })).count();
        match results {
            0 => {
                let mut out =
                    vec![Ok(Reply::Reasoning { text: "hm".into() }), Ok(Reply::Text { text: "First.".into() })];
                out.extend(calls(&[
                    ("a", "get_time", "{}"),
                    ("b", "no_such_tool", "{}"),
                    ("c", "compute", "{\"expresion\": \"1+1\"}"),
                    ("d", "run_shell", r#"{"command":"fail"}"#),
                ]));
                out
            }
            4 => calls(&[("e", "run_shell", r#"{"command":"echo"}"#), ("f", "run_shell", r#"{"command":"again"}"#)]),
            _ => says("Done."),
        }
    });
    let world = World::scripted(&model);
    let agent = world.agent();
    let mut face = Face::new(&agent);
    let sent = send(&agent, "go", Mode::Max).await;
    for yes in [Answer::AllowOnce, Answer::Deny] {
        let ask = face.ask().await;
        answer(&agent, &ask, yes).await.unwrap();
    }
    face.end(&sent.run).await;
    let stored = agent.open(&sent.conversation).unwrap().messages;
    assert_eq!(stored.len(), 4);
    let states: Vec<CallState> = stored.iter().flat_map(|m| m.calls()).map(|c| c.state).collect();
    use CallState::*;
    assert_eq!(states, [Done, Denied, Done, Failed, Done, Rejected]);
    for mut message in stored {
        let told = face.seen.iter().rev().find_map(|m| match m {
            StreamMessage::Event { event: Event::Message { message: told }, .. } if told.id == message.id => {
                Some(told.clone())
            }
            _ => None,
        });
        let mut told = told.expect("every message was told");
        (told.siblings, message.siblings) = (vec![], vec![]);
        assert_eq!(told, message);
    }
    model.assert_clean();
}

#[tokio::test]
async fn an_answer_counts_once_and_a_late_one_says_so() {
    let world = World::scripted(&runs_commands());
    let agent = world.agent();
    let mut face = Face::new(&agent);
    let sent = send(&agent, "echo", Mode::Act).await;
    let ask = face.ask().await;
    assert_eq!((ask.run.clone(), ask.left_ms.unwrap() > 299_000), (sent.run.clone(), true));
    let wrong = answer(&agent, &ask, Answer::Choice { index: 0 }).await.unwrap_err();
    assert_eq!(wrong.code, Code::BadRequest);
    let (first, second) =
        tokio::join!(answer(&agent, &ask, Answer::AllowOnce), answer(&agent, &ask, Answer::AllowOnce));
    assert_eq!([first.is_ok(), second.is_ok()].iter().filter(|ok| **ok).count(), 1);
    let late = [first, second].into_iter().find_map(Result::err).unwrap();
    assert_eq!(late.code, Code::Stale);
    face.end(&sent.run).await;
    assert_eq!(world.shell.began(), ["echo"]);
    assert_eq!(answer(&agent, &ask, Answer::Deny).await.unwrap_err().code, Code::Stale);
}

#[tokio::test]
async fn allowed_in_this_chat_holds_in_this_chat_alone_and_after_a_restart() {
    let model = ScriptedModel::new(|request| match request.messages.last() {
        Some(Turn::User { text, .. }) => calls(&[(
            "a",
            "file_write",
            &serde_json::json!({ "path": format!("{text}.txt"), "content": "x" }).to_string(),
        )]),
        _ => says("written"),
    });
    let world = World::scripted(&model);
    let conversation = {
        let agent = world.agent();
        let mut face = Face::new(&agent);
        let sent = send(&agent, "one", Mode::Act).await;
        let ask = face.ask().await;
        answer(&agent, &ask, Answer::AllowChat).await.unwrap();
        face.end(&sent.run).await;
        let again = agent.send(follow_up(&sent.conversation, "two"), RunOptions::default()).await.unwrap();
        assert_eq!(face.end(&again.run).await.state, RunState::Done, "not asked again");
        agent.shutdown().await;
        sent.conversation
    };
    let agent = world.agent();
    let mut face = Face::new(&agent);
    let again = agent.send(follow_up(&conversation, "three"), RunOptions::default()).await.unwrap();
    assert_eq!(face.end(&again.run).await.state, RunState::Done);
    let other = send(&agent, "four", Mode::Act).await;
    assert_eq!(face.ask().await.run, other.run, "another chat asks");
    agent.stop(&other.run).await;
}

#[tokio::test]
async fn approve_all_answers_the_mode_and_nothing_else() {
    let world = World::scripted(&ScriptedModel::new(|request| {
        let results = request.messages.iter().filter(|t| matches!(t, Turn::Tool { .. })).count();
        match results {
            0 => calls(&[("a", "run_shell", r#"{"command":"one"}"#)]),
            1 => calls(&[("b", "run_shell", r#"{"command":"two"}"#)]),
            _ => says("done"),
        }
    }));
    let agent = world.agent();
    let mut face = Face::new(&agent);
    let sent =
        agent.send(message("go", Mode::Act), RunOptions { approve_all: true, ..RunOptions::default() }).await.unwrap();
    let ask = face.ask().await;
    let AskKind::Confirm { reasons, grantable, .. } = &ask.kind else { panic!() };
    assert!(!grantable && reasons.iter().all(|r| !r.grantable()), "the second call asks for what it saw: {reasons:?}");
    assert_eq!(world.shell.began(), ["one"]);
    answer(&agent, &ask, Answer::Deny).await.unwrap();
    face.end(&sent.run).await;
}

#[tokio::test]
async fn with_no_face_a_confirmation_is_denied_at_once() {
    let world = World::scripted(&runs_commands());
    let agent = world.agent();
    let watching = agent.subscribe(None, Presence::Watching);
    let sent = send(&agent, "echo", Mode::Act).await;
    let ended: Vec<StreamMessage> = watching
        .take_while(|m| {
            let over = matches!(m, StreamMessage::Event { event: Event::Run { run }, .. } if run.state.is_final());
            std::future::ready(!over)
        })
        .collect()
        .await;
    assert!(!ended.iter().any(|m| matches!(m, StreamMessage::Event { event: Event::AskOpened { .. }, .. })));
    let view = agent.open(&sent.conversation).unwrap();
    assert_eq!(view.messages[1].calls().next().unwrap().denial.as_ref().unwrap().code, DenialCode::NobodyToAsk);
    assert!(world.shell.began().is_empty());
}

#[tokio::test]
async fn what_is_switched_off_is_neither_offered_nor_run() {
    let model = runs_commands();
    let world = World::scripted(&model);
    let agent = world.agent();
    agent.update_settings(SettingsPatch { shell: Some(false), ..SettingsPatch::default() }).unwrap();
    let mut face = Face::new(&agent);
    let sent = send(&agent, "echo", Mode::Max).await;
    face.end(&sent.run).await;
    assert!(model.requests()[0].tools.iter().all(|t| t.name != "run_shell"));
    let view = agent.open(&sent.conversation).unwrap();
    assert_eq!(view.messages[1].calls().next().unwrap().denial.as_ref().unwrap().code, DenialCode::SwitchedOff);
    assert!(world.shell.began().is_empty());
}

#[tokio::test]
async fn one_run_a_conversation_and_a_repeated_send_does_nothing_twice() {
    let model = Fed::default();
    let (feed, _second) = (model.feed(), model.feed());
    let world = World::new(model);
    let agent = world.agent();
    let mut face = Face::new(&agent);
    let params = SendParams { key: Some("k1".into()), ..message("go", Mode::Chat) };
    let sent = agent.send(params.clone(), RunOptions::default()).await.unwrap();
    let again = agent.send(params.clone(), RunOptions::default()).await.unwrap();
    assert_eq!((&again.run, &again.message), (&sent.run, &sent.message));
    let busy = agent.send(follow_up(&sent.conversation, "more"), RunOptions::default()).await.unwrap_err();
    assert_eq!(busy.code, Code::Busy);
    feed.send(Reply::Text { text: "x".into() }).unwrap();
    feed.send(Reply::Finish { finish: Finish::Stop }).unwrap();
    face.end(&sent.run).await;
    let after = agent.send(params, RunOptions::default()).await.unwrap();
    assert_eq!(after.run, sent.run);
    assert_eq!(agent.conversations("").unwrap().len(), 1);
}

#[tokio::test]
async fn retry_and_edit_make_branches_that_can_be_shown_again() {
    let model = ScriptedModel::new(|request| says(&format!("answer to {}", last_user(request))));
    let world = World::scripted(&model);
    let agent = world.agent();
    let mut face = Face::new(&agent);
    let sent = send(&agent, "one", Mode::Chat).await;
    face.end(&sent.run).await;
    let at = MessageRef { conversation: sent.conversation.clone(), message: sent.message.clone() };
    let retried = agent.retry(&at).unwrap();
    face.end(&retried.run).await;
    let view = agent.open(&sent.conversation).unwrap();
    assert_eq!(view.messages[1].siblings.len(), 2);
    assert_eq!(view.messages[1].id, view.messages[1].siblings[1], "the newest is shown");
    let edit = SendParams { edit: Some(sent.message.clone()), ..follow_up(&sent.conversation, "uno") };
    let edited = agent.send(edit, RunOptions::default()).await.unwrap();
    face.end(&edited.run).await;
    let view = agent.open(&sent.conversation).unwrap();
    let texts: Vec<String> = view.messages.iter().map(Message::text).collect();
    assert_eq!(texts, ["uno", "answer to uno"]);
    assert_eq!(view.messages[0].siblings, [sent.message.clone(), edited.message]);
    let back = agent.select_branch(&at).unwrap();
    assert_eq!(back.messages[0].text(), "one");
    assert_eq!(model.requests()[2].messages.len(), 1, "the other branch is not sent");
    model.assert_clean();
}

#[tokio::test]
async fn a_deleted_conversation_can_be_brought_back_until_the_next_start() {
    let world = World::scripted(&ScriptedModel::new(|_| says("ok")));
    let agent = world.agent();
    let mut face = Face::new(&agent);
    let sent = send(&agent, "keep me", Mode::Chat).await;
    face.end(&sent.run).await;
    agent.delete(&sent.conversation).await.unwrap();
    assert!(agent.conversations("").unwrap().is_empty());
    assert_eq!(agent.open(&sent.conversation).unwrap_err().code, Code::NotFound);
    assert_eq!(agent.restore(&sent.conversation).unwrap().title, "keep me");
    assert_eq!(agent.conversations("keep").unwrap().len(), 1);
    agent.delete(&sent.conversation).await.unwrap();
    let next = world.agent();
    assert_eq!(next.restore(&sent.conversation).unwrap_err().code, Code::NotFound);
    assert!(world.database.journal(&sent.run).unwrap().is_empty());
}

#[tokio::test]
async fn a_key_is_found_nowhere_even_where_model_and_tools_repeat_it() {
    const KEY: &str = "sk-canary-0f3a9b";
    let model = ScriptedModel::new(|request| match request.messages.last() {
        Some(Turn::User { .. }) => {
            let mut out: Vec<_> =
                ["my key is sk-can", "ary-0f", "3a9b, you know"].map(|t| Ok(Reply::Text { text: t.into() })).into();
            out.extend(["the key sk-canary", "-0f3a9b"].map(|t| Ok(Reply::Reasoning { text: t.into() })));
            out.push(Ok(Reply::CallBegan { name: KEY.into() }));
            out.push(Ok(Reply::Call { id: KEY.into(), name: format!("t_{KEY}"), arguments: "{}".into() }));
            out.extend(calls(&[("a", "run_shell", &format!(r#"{{"command":"echo {KEY}"}}"#))]));
            out
        }
        _ => vec![Err(ModelError::new(RunErrorKind::Auth, format!("bad key {KEY}")))],
    });
    let world = World::scripted(&model);
    world.redactor.learn(&Secret::new(KEY));
    let agent = world.agent();
    let mut face = Face::new(&agent);
    let sent = send(&agent, &format!("{KEY} is what I pasted"), Mode::Max).await;
    let run = face.end(&sent.run).await;
    assert_eq!(run.error.as_ref().unwrap().message, "bad key [secret removed]");
    let told = serde_json::to_string(&face.seen).unwrap();
    assert!(told.contains("my key is [secret removed], you know"), "{told}");
    assert!(!told.contains(KEY));
    drop((agent, face));
    for entry in std::fs::read_dir(world.folder.path()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            let bytes = std::fs::read(&path).unwrap();
            assert!(!bytes.windows(KEY.len()).any(|w| w == KEY.as_bytes()), "{}", path.display());
        }
    }
}

/// A key that is entered while a confirmation is open is used when the run goes on.
#[tokio::test]
async fn a_key_entered_again_after_a_restart_is_used_by_the_run_that_waited() {
    let server = bailey_testkit::server::ScriptedServer::start().await;
    server.respond(|body| {
        let results = body["messages"].as_array().map(|m| m.iter().filter(|m| m["role"] == "tool").count());
        let arguments = serde_json::json!({ "path": "a.txt", "content": "x" });
        Some(match results {
            Some(0) => bailey_testkit::server::Answer::call("file_write", arguments),
            _ => bailey_testkit::server::Answer::text("written"),
        })
    });
    let world = World::scripted(&ScriptedModel::new(|_| says("unused")));
    let draft = |id: Option<ProviderId>| ProviderDraft {
        id,
        name: "Mine".into(),
        kind: ProviderKind::OpenaiChat,
        base_url: server.base_url(),
        key: Some("sk-canary-0f3a9b".into()),
        model: None,
    };
    let (provider, ask) = {
        let agent = world.agent();
        let provider = agent.save_provider(draft(None)).await.unwrap().id;
        let mut face = Face::new(&agent);
        let model = ModelChoice { provider: provider.clone(), model: "m".into() };
        let params = SendParams { model: Some(model), ..message("go", Mode::Act) };
        agent.send(params, RunOptions::default()).await.unwrap();
        let ask = face.ask().await;
        agent.shutdown().await;
        (provider, ask)
    };
    let agent = world.agent();
    let mut face = Face::new(&agent);
    agent.save_provider(draft(Some(provider))).await.unwrap();
    answer(&agent, &ask, Answer::AllowOnce).await.unwrap();
    let run = face.end(&ask.run).await;
    assert_eq!((run.state, run.error, run.resumed), (RunState::Done, None, true));
    let last = server.requests().pop().unwrap();
    assert_eq!(last.header("authorization"), Some("Bearer sk-canary-0f3a9b"));
}

#[tokio::test]
async fn deleting_a_conversation_ends_what_runs_in_it() {
    let model = Fed::default();
    let (feed, alive) = (model.feed(), model.1.clone());
    let world = World::new(model);
    let agent = world.agent();
    let mut face = Face::new(&agent);
    let sent = send(&agent, "go", Mode::Chat).await;
    feed.send(Reply::Text { text: "on".into() }).unwrap();
    face.until(|e| matches!(e, Event::Delta { .. }).then_some(())).await;
    agent.delete(&sent.conversation).await.unwrap();
    assert_eq!(*alive.lock().unwrap(), 0);
    assert!(agent.snapshot().unwrap().live.is_empty());
    let late = agent.send(follow_up(&sent.conversation, "more"), RunOptions::default()).await.unwrap_err();
    assert_eq!(late.code, Code::NotFound);
}
