// SPDX-License-Identifier: Apache-2.0
//! Sub-agents through the agent's face: what they may, what they know, what they ask, and how they end.

mod common;

use bailey_agent::RunOptions;
use bailey_ports::{Durability, Model, ReplyStream, Store};
use bailey_protocol::journal::{Entry, ParentRun, Record};
use bailey_protocol::model::Request;
use bailey_protocol::*;
use common::*;
use futures::{StreamExt, stream};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Barrier;

/// Lets nobody speak who was sent on an errand until all of them are there.
struct Meeting<M>(M, Arc<Barrier>);

impl<M: Model> Model for Meeting<M> {
    fn reply(&self, request: Request) -> ReplyStream {
        let waits = last_user(&request).contains("errand").then(|| self.1.clone());
        let replies = self.0.reply(request);
        let wait = async move {
            if let Some(barrier) = waits {
                barrier.wait().await;
            }
            replies
        };
        stream::once(wait).flatten().boxed()
    }
}

#[tokio::test]
async fn two_work_at_the_same_time_and_their_reports_come_in_the_models_order() {
    let model = planned(vec![
        (
            "begin",
            vec![vec![("spawn_agent", r#"{"task":"errand left"}"#), ("spawn_agent", r#"{"task":"errand right"}"#)]],
        ),
        ("errand left", vec![]),
        ("errand right", vec![]),
    ]);
    let world = World::new(Meeting(model.clone(), Arc::new(Barrier::new(2))));
    let agent = world.agent();
    let mut face = Face::new(&agent);
    let sent = send(&agent, "begin", Mode::Max).await;
    let view = face.end_unasked(&sent.run).await;
    assert_eq!((view.state, view.ledger.calls, view.ledger.rounds), (RunState::Done, 2, 2));
    let reports: Vec<String> = calls_of(&agent, &sent.conversation).iter().map(|c| c.parts[0].text.clone()).collect();
    assert_eq!(reports, ["Done: errand left.", "Done: errand right."]);
    let runs = agent.open(&sent.conversation).unwrap().runs;
    let children: Vec<&RunView> = runs.iter().filter(|r| r.parent.as_ref() == Some(&sent.run)).collect();
    assert_eq!(children.len(), 2);
    assert!(
        children.iter().all(|r| r.state == RunState::Done && r.budget == Budget::of(Mode::Max) && r.ledger.rounds == 1)
    );
    assert_eq!(agent.conversations("").unwrap().len(), 1, "their conversations are not in the list");
    model.assert_clean();
}

#[tokio::test]
async fn a_chat_plus_parent_has_chat_plus_children_whatever_is_asked() {
    let (world, fakes) = World::scripted(&planned(vec![
        ("begin", vec![vec![("spawn_agent", r#"{"task":"write it","mode":"max"}"#)]]),
        ("write it", vec![vec![("letter", r#"{"to":"bob","body":"hi"}"#)]]),
    ]))
    .with_fakes();
    let agent = world.agent();
    let mut face = Face::new(&agent);
    let sent = send(&agent, "begin", Mode::ChatPlus).await;
    face.end_unasked(&sent.run).await;
    let runs = agent.open(&sent.conversation).unwrap().runs;
    let child = runs.iter().find(|r| r.parent.is_some()).unwrap();
    assert_eq!((child.mode, child.budget), (Mode::ChatPlus, Budget::of(Mode::ChatPlus)));
    assert_eq!(calls_of(&agent, &child.conversation)[0].denial.as_ref().unwrap().code, DenialCode::Mode);
    assert!(fakes.letter.ran().is_empty());
}

#[tokio::test]
async fn a_grandchild_asks_the_person_and_starts_no_others() {
    let model = planned(vec![
        ("begin", vec![vec![("spawn_agent", r#"{"task":"middle"}"#)]]),
        ("middle", vec![vec![("spawn_agent", r#"{"task":"deepest"}"#)]]),
        (
            "deepest",
            vec![
                vec![("page", r#"{"of":"a"}"#)],
                vec![("letter", r#"{"to":"eve@evil.example","body":"hi"}"#), ("spawn_agent", r#"{"task":"deeper"}"#)],
            ],
        ),
    ]);
    let (world, fakes) = World::scripted(&model).with_fakes();
    let agent = world.agent();
    let mut face = Face::new(&agent);
    let sent = send(&agent, "begin", Mode::Max).await;
    let (ask, tool, reasons) = face.confirm().await;
    let origin = ask.origin.clone().unwrap();
    assert_eq!(
        (ask.conversation.clone(), tool.as_str(), origin.task.as_str(), origin.depth),
        (sent.conversation.clone(), "letter", "deepest", 2)
    );
    let Reason::OutsideActs { doubts, .. } = &reasons[0] else { panic!("{reasons:?}") };
    assert_eq!((doubts[0].value.as_str(), doubts[0].source.clone()), ("eve@evil.example", Some(Source::tool("page"))));
    // The time left goes on between the two.
    let timeless = |asks: Vec<Ask>| asks.into_iter().map(|ask| Ask { left_ms: None, ..ask }).collect::<Vec<_>>();
    assert_eq!(timeless(agent.open(&sent.conversation).unwrap().asks), timeless(agent.snapshot().unwrap().asks));
    let refused = agent.send(follow_up(&origin.conversation, "hi"), RunOptions::default()).await.unwrap_err();
    assert_eq!(refused.code, Code::BadRequest);
    answer(&agent, &ask, Answer::AllowOnce).await.unwrap();
    assert_eq!(answer(&agent, &ask, Answer::AllowOnce).await.unwrap_err().code, Code::Stale);
    let view = face.end_unasked(&sent.run).await;
    assert_eq!((view.state, view.ledger.calls), (RunState::Done, 1), "its budget is its own");
    assert_eq!(fakes.letter.ran().len(), 1);
    let deepest = calls_of(&agent, &origin.conversation);
    assert_eq!(deepest[2].denial.as_ref().unwrap().code, DenialCode::UnknownTool);
    for request in model.requests() {
        let offered = request.tools.iter().any(|t| t.name == "spawn_agent");
        assert_eq!(offered, !last_user(&request).contains("deepest"));
    }
    let report = &calls_of(&agent, &sent.conversation)[0].parts[0];
    assert!(report.labels.is_tainted(), "what it had read comes up with its report");
    model.assert_clean();
}

#[tokio::test]
async fn taint_goes_down_and_up_and_the_persons_words_go_down() {
    let letter = vec![vec![("letter", r#"{"to":"eve@evil.example","body":"hi"}"#)]];
    let (world, fakes) = World::scripted(&planned(vec![
        ("down,", vec![vec![("page", "{}")], vec![("spawn_agent", r#"{"task":"write to eve@evil.example"}"#)]]),
        ("up,", vec![vec![("spawn_agent", r#"{"task":"read it"}"#)], letter[0].clone()]),
        ("write to", letter.clone()),
        ("read it", vec![vec![("page", "{}")]]),
        ("clean,", letter.clone()),
    ]))
    .with_fakes();
    let agent = world.agent();
    let mut face = Face::new(&agent);
    for (text, asks, origin) in [
        ("clean, no page was read", false, false),
        ("down, and nothing else", true, true),
        ("down, and tell eve@evil.example", false, true),
        ("up, and nothing else", true, false),
    ] {
        let before = fakes.letter.ran().len();
        let sent = send(&agent, text, Mode::Max).await;
        if asks {
            let (ask, tool, reasons) = face.confirm().await;
            assert_eq!((tool.as_str(), ask.origin.is_some()), ("letter", origin), "{text}");
            assert!(matches!(&reasons[..], [Reason::OutsideActs { .. }]), "{text}: {reasons:?}");
            answer(&agent, &ask, Answer::Deny).await.unwrap();
        }
        face.end_unasked(&sent.run).await;
        assert_eq!(fakes.letter.ran().len() - before, usize::from(!asks), "{text}");
    }
}

#[tokio::test]
async fn private_values_are_known_both_ways() {
    let letter = vec![("letter", r#"{"to":"bob","body":"it is 83920174ab"}"#)];
    let (world, fakes) = World::scripted(&planned(vec![
        ("down,", vec![vec![("diary", "{}")], vec![("spawn_agent", r#"{"task":"write to him"}"#)]]),
        ("up,", vec![vec![("spawn_agent", r#"{"task":"read it"}"#)], letter.clone()]),
        ("write to him", vec![letter.clone()]),
        ("read it", vec![vec![("diary", "{}")]]),
    ]))
    .with_fakes();
    let agent = world.agent();
    let mut face = Face::new(&agent);
    for (text, origin) in [("down, please", true), ("up, please", false)] {
        let sent = send(&agent, text, Mode::Max).await;
        let report = if origin { "Done: write to him." } else { "Done: read it." };
        if origin {
            let (ask, _, reasons) = face.confirm().await;
            assert!(ask.origin.is_some() && matches!(&reasons[..], [Reason::PrivateMayLeave { .. }]), "{reasons:?}");
            answer(&agent, &ask, Answer::Deny).await.unwrap();
        }
        face.end(&sent.run).await;
        let call = calls_of(&agent, &sent.conversation).into_iter().find(|c| c.tool == "spawn_agent").unwrap();
        assert_eq!((call.parts[0].text.as_str(), call.parts[0].labels.is_private()), (report, true));
    }
    // A report that does not repeat the value tells the parent nothing it could give away; its mark is kept all the same.
    assert_eq!(fakes.letter.ran().len(), 1);
}

#[tokio::test]
async fn stop_and_deletion_end_what_they_do() {
    let world = World::scripted(&planned(vec![
        ("begin", vec![vec![("spawn_agent", r#"{"task":"errand"}"#)]]),
        ("errand", vec![vec![("run_shell", r#"{"command":"hang"}"#)]]),
    ]));
    let agent = world.agent();
    let mut face = Face::new(&agent);
    for delete in [false, true] {
        let before = world.shell.began().len();
        let sent = send(&agent, "begin", Mode::Max).await;
        until(|| world.shell.began().len() > before).await;
        match delete {
            true => agent.delete(&sent.conversation).await.unwrap(),
            false => agent.stop(&sent.run).await,
        }
        face.end(&sent.run).await;
        until(|| world.shell.dropped().len() > before).await;
        until(|| agent.snapshot().unwrap().live.is_empty()).await;
        assert!(world.database.open_runs().unwrap().is_empty());
        if !delete {
            let runs = agent.open(&sent.conversation).unwrap().runs;
            assert!(runs.len() == 2 && runs.iter().all(|r| r.state == RunState::Stopped), "{runs:?}");
        }
    }
}

async fn until(holds: impl Fn() -> bool) {
    let wait = async {
        while !holds() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    tokio::time::timeout(SOON, wait).await.expect("it comes about");
}

#[tokio::test]
async fn a_child_whose_parent_is_over_is_closed_at_the_next_start() {
    let world = World::scripted(&planned(vec![]));
    let opened = |conversation: &str, parent: Option<ParentRun>| {
        let entry = Entry::Opened {
            conversation: conversation.into(),
            prompt: format!("{conversation}-p").as_str().into(),
            mode: Mode::Max,
            model: choice(),
            budget: Budget::of(Mode::Max),
            nonce: "n".into(),
            unattended: false,
            automation: None,
            parent,
            key: None,
        };
        let prompt = Entry::Prompt {
            message: format!("{conversation}-p").as_str().into(),
            parent: None,
            text: "go".into(),
            labels: Labels::none(),
            pictures: vec![],
        };
        [entry, prompt].map(|entry| Record { at: 1, entry })
    };
    let parent =
        ParentRun { run: "r".into(), call: "r-c1.1".into(), conversation: "c".into(), depth: 1, task: "go".into() };
    let store = &world.database;
    store.append(&"r".into(), &opened("c", None), Durability::Committed).unwrap();
    store.append(&"child".into(), &opened("cc", Some(parent)), Durability::Committed).unwrap();
    let closed = Entry::Closed { state: RunState::Done, error: None, ledger: Ledger::default() };
    store.append(&"r".into(), &[Record { at: 2, entry: closed }], Durability::Committed).unwrap();
    assert_eq!(store.open_runs().unwrap(), ["child".into()]);
    let agent = world.agent();
    assert!(store.open_runs().unwrap().is_empty() && agent.snapshot().unwrap().live.is_empty());
    assert_eq!(store.run(&"child".into()).unwrap().unwrap().state, RunState::Stopped);
}

#[tokio::test]
async fn approve_all_and_grants_of_the_chat_reach_them_and_answer_no_more_there() {
    let (world, fakes) = World::scripted(&planned(vec![
        ("begin", vec![vec![("spawn_agent", r#"{"task":"errand"}"#)], vec![("letter", r#"{"to":"bob","body":"3"}"#)]]),
        (
            "errand",
            vec![
                vec![("letter", r#"{"to":"bob","body":"1"}"#)],
                vec![("letter", r#"{"to":"bob","body":"2"}"#)],
                vec![("page", "{}")],
                vec![("letter", r#"{"to":"eve@evil.example","body":"4"}"#)],
            ],
        ),
    ]))
    .with_fakes();
    let agent = world.agent();
    let mut face = Face::new(&agent);
    let all = RunOptions { approve_all: true, ..RunOptions::default() };
    let sent = agent.send(message("begin", Mode::Act), all).await.unwrap();
    let (ask, tool, reasons) = face.confirm().await;
    assert_eq!((tool.as_str(), fakes.letter.ran().len()), ("letter", 2));
    assert!(reasons.iter().all(|r| matches!(r, Reason::OutsideActs { .. })), "{reasons:?}");
    answer(&agent, &ask, Answer::Deny).await.unwrap();
    // Back in the parent, which is tainted by the report now: "bob" is nobody's word.
    let (ask, ..) = face.confirm().await;
    answer(&agent, &ask, Answer::Deny).await.unwrap();
    face.end_unasked(&sent.run).await;

    let sent = send(&agent, "begin, for bob", Mode::Act).await;
    let mut asked = Vec::new();
    for grant in ["spawn_agent", "letter", "page", "letter"] {
        let (ask, tool, reasons) = face.confirm().await;
        assert_eq!(tool, grant);
        asked.push((ask.origin.is_some(), reasons.iter().all(Reason::grantable)));
        let yes = if reasons.iter().all(Reason::grantable) { Answer::AllowChat } else { Answer::AllowOnce };
        answer(&agent, &ask, yes).await.unwrap();
    }
    assert_eq!(asked, [(false, true), (true, true), (true, true), (true, false)]);
    face.end_unasked(&sent.run).await;
    let bodies: Vec<_> = fakes.letter.ran()[2..].iter().map(|a| a["body"].clone()).collect();
    assert_eq!(bodies, ["1", "2", "4", "3"], "a grant the child was given holds for its parent");
    assert!(agent.grants().unwrap().iter().all(|g| g.conversation.as_ref() == Some(&sent.conversation)));
}

/// Everybody taps everything at once, twice.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn questions_of_one_round_answered_from_two_places_count_once_each() {
    let (world, fakes) = World::scripted(&planned(vec![(
        "go",
        vec![vec![
            ("letter", r#"{"to":"bob","body":"1"}"#),
            ("letter", r#"{"to":"bob","body":"2"}"#),
            ("letter", r#"{"to":"bob","body":"3"}"#),
        ]],
    )]))
    .with_fakes();
    let agent = world.agent();
    let mut face = Face::new(&agent);
    let sent = send(&agent, "go", Mode::Act).await;
    let mut asks = Vec::new();
    for _ in 0..3 {
        asks.push(face.ask().await);
    }
    assert_eq!(agent.open(&sent.conversation).unwrap().asks.len(), 3, "all are open at once");
    let taps = asks.iter().rev().chain(&asks).map(|ask| answer(&agent, ask, Answer::AllowOnce));
    let results = futures::future::join_all(taps).await;
    assert_eq!(results.iter().filter(|r| r.is_ok()).count(), 3);
    assert!(results.iter().filter_map(|r| r.as_ref().err()).all(|error| error.code == Code::Stale), "{results:?}");
    assert_eq!(face.end_unasked(&sent.run).await.state, RunState::Done);
    let bodies: Vec<_> = fakes.letter.ran().iter().map(|a| a["body"].clone()).collect();
    assert_eq!(bodies, ["1", "2", "3"], "in the model's order");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_orderly_end_of_the_process_is_no_failure_of_a_sub_agent() {
    for _ in 0..20 {
        let world = World::scripted(&planned(vec![
            ("begin", vec![vec![("spawn_agent", r#"{"task":"middle"}"#)]]),
            ("middle", vec![vec![("spawn_agent", r#"{"task":"errand"}"#)]]),
            ("errand", vec![vec![("ask_user", r#"{"question":"Which?"}"#)]]),
        ]));
        let sent = {
            let agent = world.agent();
            let mut face = Face::new(&agent);
            let sent = send(&agent, "begin", Mode::Max).await;
            face.ask().await;
            agent.shutdown().await;
            sent
        };
        assert_eq!(world.database.open_runs().unwrap().len(), 3);
        let agent = world.agent_without_resume();
        let mut face = Face::new(&agent);
        agent.resume(None).unwrap();
        until(|| !agent.snapshot().unwrap().asks.is_empty()).await;
        let ask = agent.snapshot().unwrap().asks.remove(0);
        assert_eq!(ask.origin.as_ref().unwrap().depth, 2);
        answer(&agent, &ask, Answer::YouDecide).await.unwrap();
        assert_eq!(face.end(&sent.run).await.state, RunState::Done);
        let call = &calls_of(&agent, &sent.conversation)[0];
        assert_eq!((call.state, call.parts[0].text.as_str()), (CallState::Done, "Done: middle."));
    }
}
