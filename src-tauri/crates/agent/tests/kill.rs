// SPDX-License-Identifier: Apache-2.0
//! A run whose process dies at every journal boundary, before and after the record is on disk, on a real database.

mod common;

use bailey_agent::Agent;
use bailey_ports::Store;
use bailey_protocol::model::{Request, Turn};
use bailey_protocol::*;
use bailey_testkit::model::{ScriptedModel, calls, says};
use bailey_testkit::store::{Fault, FaultyStore};
use common::*;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// Reads, changes, asks and says something, in rounds that depend on the history alone.
fn model() -> ScriptedModel {
    ScriptedModel::new(|request: &Request| {
        let rounds =
            request.messages.iter().filter(|t| matches!(t, Turn::Assistant { calls, .. } if !calls.is_empty())).count();
        match rounds {
            0 => calls(&[("a", "get_time", "{}"), ("b", "run_shell", r#"{"command":"first"}"#)]),
            1 => calls(&[
                ("c", "ask_user", r#"{"question":"Go on?","choices":["yes","no"]}"#),
                ("d", "run_shell", r#"{"command":"second"}"#),
            ]),
            2 => calls(&[("e", "file_write", r#"{"path":"note.txt","content":"hello"}"#)]),
            _ => says("All done."),
        }
    })
}

async fn settled(agent: &Agent, dead: impl Fn() -> bool) -> Option<Ask> {
    let wait = async {
        loop {
            let snapshot = agent.snapshot();
            if dead() {
                return None;
            }
            let snapshot = snapshot.unwrap();
            if let Some(ask) = snapshot.asks.first() {
                return Some(ask.clone());
            }
            if snapshot.live.is_empty() {
                return None;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    tokio::time::timeout(SOON, wait).await.expect("the run settles")
}

/// Answers whatever is asked until the run ends or the process dies. Returns the last question it left open.
async fn drive(agent: &Agent, dead: impl Fn() -> bool + Copy) -> Option<Ask> {
    while let Some(ask) = settled(agent, dead).await {
        let yes = match ask.kind {
            AskKind::Confirm { .. } | AskKind::Spend { .. } => Answer::AllowOnce,
            AskKind::Question { .. } => Answer::Choice { index: 0 },
            AskKind::Recovery { .. } => Answer::Choice { index: 2 },
        };
        let result = answer(agent, &ask, yes).await;
        if dead() {
            return Some(ask);
        }
        result.unwrap();
    }
    None
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_at_every_journal_boundary_a_run_goes_on() {
    let unknown = killed_everywhere(model, &["first", "second"]).await;
    assert!(unknown >= 4, "some kills hit a running call: {unknown}");
}

/// Two sub-agents beside each other, one that changes things and one that asks, and work of the run's own after them.
fn family() -> ScriptedModel {
    planned(vec![
        (
            "go",
            vec![
                vec![("spawn_agent", r#"{"task":"errand left"}"#), ("spawn_agent", r#"{"task":"errand right"}"#)],
                vec![("run_shell", r#"{"command":"own"}"#)],
            ],
        ),
        (
            "errand left",
            vec![vec![("run_shell", r#"{"command":"left"}"#)], vec![("run_shell", r#"{"command":"left again"}"#)]],
        ),
        (
            "errand right",
            vec![vec![
                ("ask_user", r#"{"question":"Go on?","choices":["yes","no"]}"#),
                ("run_shell", r#"{"command":"right"}"#),
            ]],
        ),
    ])
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_at_every_journal_boundary_sub_agents_and_their_parent_go_on() {
    let unknown = killed_everywhere(family, &["left", "left again", "own", "right"]).await;
    assert!(unknown >= 4, "some kills hit a running call: {unknown}");
}

/// Kills a run at each of its appends and takes it up. Says how many calls nobody knows the end of.
async fn killed_everywhere(model: fn() -> ScriptedModel, effects: &[&str]) -> usize {
    let whole = model();
    let world = World::scripted(&whole);
    let sound = Arc::new(FaultyStore::sound(world.database.clone()));
    let agent = world.agent_on(sound.clone());
    let _face = Face::new(&agent);
    send(&agent, "go", Mode::Max).await;
    drive(&agent, || false).await;
    whole.assert_clean();
    let boundaries = sound.appends();
    assert!(boundaries >= 12, "{boundaries} boundaries");
    let mut began = world.shell.began();
    began.sort();
    assert_eq!(began, effects);
    let mut unknown = 0;
    for nth in 1..=boundaries {
        for fault in Fault::ALL {
            unknown += killed_at(model(), nth, fault).await;
        }
    }
    unknown
}

async fn killed_at(model: ScriptedModel, nth: usize, fault: Fault) -> usize {
    let case = format!("killed {fault:?} append {nth}");
    let world = World::scripted(&model);
    let faulty = Arc::new(FaultyStore::dying(world.database.clone(), nth, fault));
    let dead = || faulty.is_dead();
    {
        let agent = world.agent_on(faulty.clone());
        let _face = Face::new(&agent);
        if agent.send(message("go", Mode::Max), Default::default()).await.is_ok() {
            drive(&agent, dead).await;
        }
        assert!(faulty.is_dead(), "{case}: it never died");
        agent.shutdown().await;
    }
    let before = world.database.asks(None).unwrap();
    let agent = world.agent();
    let mut face = Face::new(&agent);
    face.next().await;
    // A sub-agent is taken up by the task of its parent, a moment later.
    let found = async {
        let is_open = |ask: &Ask| agent.snapshot().unwrap().asks.iter().any(|a| a.id == ask.id && a.kind == ask.kind);
        while !before.iter().all(is_open) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    let found = tokio::time::timeout(SOON, found).await;
    assert!(found.is_ok(), "{case}: an open question was lost: {before:?}");
    drive(&agent, || false).await;
    model.assert_clean();

    let began = world.shell.began();
    let once: BTreeSet<&String> = began.iter().collect();
    assert_eq!(once.len(), began.len(), "{case}: a side effect was run twice: {began:?}");
    assert!(world.database.open_runs().unwrap().is_empty(), "{case}: a run was left");

    let mut unknown = 0;
    for summary in agent.conversations("").unwrap() {
        let view = agent.open(&summary.id).unwrap();
        assert!(view.runs.iter().all(|r| r.state.is_final()), "{case}: {:?}", view.runs);
        assert!(view.asks.is_empty(), "{case}");
        let below = view.runs.iter().filter(|r| r.parent.is_some()).map(|r| r.conversation.clone());
        let messages = below.flat_map(|id| agent.open(&id).unwrap().messages).chain(view.messages.clone());
        for call in messages.flat_map(|m| m.calls().cloned().collect::<Vec<_>>()) {
            assert!(call.state.is_final(), "{case}: {call:?}");
            unknown += usize::from(call.state == CallState::Unknown && call.tool != "get_time");
        }
        // And it goes on: the history can be sent again.
        send_again(&agent, &summary.id).await;
        model.assert_clean();
    }
    unknown
}

async fn send_again(agent: &Agent, conversation: &ConversationId) {
    agent.send(follow_up(conversation, "and now?"), Default::default()).await.unwrap();
    drive(agent, || false).await;
}

/// The disk fails for a moment: the run ends, says so, and stays over after a restart.
#[tokio::test]
async fn a_run_that_could_not_be_kept_does_not_come_back_to_life() {
    let model = model();
    let world = World::scripted(&model);
    let faulty = Arc::new(FaultyStore::dying(world.database.clone(), 3, Fault::Before));
    let sent = {
        let agent = world.agent_on(faulty.clone());
        let mut face = Face::new(&agent);
        let sent = send(&agent, "go", Mode::Max).await;
        let run = face.end(&sent.run).await;
        assert_eq!((run.state, run.error.unwrap().kind), (RunState::Failed, RunErrorKind::Storage));
        sent
    };
    // The person goes on with another process, on the same disk, before the old run was looked at.
    assert_eq!(world.database.open_runs().unwrap(), std::slice::from_ref(&sent.run));
    let agent = world.agent_without_resume();
    let mut face = Face::new(&agent);
    let next = agent.send(follow_up(&sent.conversation, "go on"), Default::default()).await.unwrap();
    face.until(|e| matches!(e, Event::Message { .. }).then_some(())).await;
    agent.resume(None).unwrap();
    assert_eq!(world.database.open_runs().unwrap(), std::slice::from_ref(&next.run), "the old run is over");
    drive(&agent, || false).await;
    assert_eq!(world.shell.began(), ["first", "second"]);
    model.assert_clean();
}
