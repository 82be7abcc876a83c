// SPDX-License-Identifier: Apache-2.0
//! Lasting permissions: how far each reaches, when it ends, how it is taken back, and what none of them answers.

mod common;

use bailey_agent::Agent;
use bailey_protocol::*;
use bailey_testkit::clock::FakeClock;
use common::*;
use std::sync::Arc;

fn more(scope: AllowScope, pattern: Option<&str>, minutes: Option<u32>) -> Answer {
    let arguments = pattern.map(|p| ArgumentPattern { argument: "to".into(), pattern: p.into() }).into_iter().collect();
    Answer::AllowMore { scope, arguments, minutes }
}

/// `twice` writes to bob in two rounds, `once` in one, `others` to carol; `tainted` reads a page before.
fn world() -> (World, Fakes) {
    let bob = || vec![("letter", r#"{"to":"bob@example.org","body":"hi"}"#)];
    World::scripted(&planned(vec![
        ("twice", vec![bob(), vec![("letter", r#"{"to":"bob@example.org","body":"again"}"#)]]),
        ("once", vec![bob()]),
        ("others", vec![vec![("letter", r#"{"to":"carol@example.org","body":"hi"}"#)]]),
        ("tainted", vec![vec![("page", "{}")], bob()]),
        ("leaks", vec![vec![("diary", "{}")], vec![("letter", r#"{"to":"bob@example.org","body":"83920174ab"}"#)]]),
    ]))
    .with_fakes()
}

/// Sends a message and says how often it was asked about `letter`; each time this is answered.
async fn asks(agent: &Agent, face: &mut Face, params: SendParams, yes: &Answer) -> (usize, Sent) {
    let sent = agent.send(params, Default::default()).await.unwrap();
    let mut asked = 0;
    loop {
        let next = face
            .until(|e| match e {
                Event::AskOpened { ask } => Some(Some(ask.clone())),
                Event::Run { run } if run.id == sent.run && run.state.is_final() => Some(None),
                _ => None,
            })
            .await;
        let Some(ask) = next else { return (asked, sent) };
        let AskKind::Confirm { tool, .. } = &ask.kind else { panic!("{ask:?}") };
        if tool == "letter" {
            asked += 1;
            answer(agent, &ask, yes.clone()).await.unwrap();
        } else {
            answer(agent, &ask, Answer::AllowOnce).await.unwrap();
        }
    }
}

#[tokio::test]
async fn each_scope_reaches_as_far_as_it_says() {
    for (scope, same_run, same_chat, other_chat) in
        [(AllowScope::Run, 1, 1, 1), (AllowScope::Conversation, 1, 0, 1), (AllowScope::Always, 1, 0, 0)]
    {
        let (world, _) = world();
        let agent = world.agent();
        let mut face = Face::new(&agent);
        let yes = more(scope, None, None);
        let (asked, sent) = asks(&agent, &mut face, message("twice", Mode::Act), &yes).await;
        assert_eq!(asked, same_run, "{scope:?}");
        let listed = agent.grants().unwrap();
        // A run's permission is gone with the run.
        assert_eq!(listed.len(), usize::from(scope != AllowScope::Run), "{scope:?}");
        if let [grant] = &listed[..] {
            let in_chat = (scope == AllowScope::Conversation).then(|| sent.conversation.clone());
            assert_eq!(
                (grant.scope, grant.tool.as_str(), grant.conversation.clone()),
                (Some(scope), "letter", in_chat)
            );
        }
        let once = Answer::AllowOnce;
        let next = follow_up(&sent.conversation, "once");
        assert_eq!(asks(&agent, &mut face, next, &once).await.0, same_chat, "{scope:?}");
        assert_eq!(asks(&agent, &mut face, message("once", Mode::Act), &once).await.0, other_chat, "{scope:?}");
    }
}

#[tokio::test]
async fn a_pattern_bounds_it_and_time_ends_it() {
    let (mut world, _) = world();
    let clock = Arc::new(FakeClock::at(1_000_000));
    world.clock = clock.clone();
    let agent = world.agent();
    let mut face = Face::new(&agent);
    let yes = more(AllowScope::Always, Some("*@example.org"), Some(10));
    assert_eq!(asks(&agent, &mut face, message("twice", Mode::Act), &yes).await.0, 1);
    let grant = &agent.grants().unwrap()[0];
    assert_eq!((grant.expires, grant.arguments.len()), (Some(1_000_000 + 600_000), 1));
    let no = Answer::Deny;
    assert_eq!(asks(&agent, &mut face, message("others", Mode::Act), &no).await.0, 0);
    clock.advance(599_999);
    assert_eq!(asks(&agent, &mut face, message("once", Mode::Act), &no).await.0, 0);
    clock.advance(1);
    assert_eq!(asks(&agent, &mut face, message("once", Mode::Act), &no).await.0, 1, "it has ended");
    assert!(agent.grants().unwrap().is_empty());
    let bob_only = more(AllowScope::Always, Some("bob@*"), None);
    assert_eq!(asks(&agent, &mut face, message("twice", Mode::Act), &bob_only).await.0, 1);
    assert_eq!(asks(&agent, &mut face, message("others", Mode::Act), &no).await.0, 1);
}

#[tokio::test]
async fn one_that_is_taken_back_bites_at_the_next_call_of_a_run_under_way() {
    let (world, fakes) = World::scripted(&planned(vec![(
        "go",
        vec![
            vec![("letter", r#"{"to":"bob","body":"1"}"#)],
            vec![("letter", r#"{"to":"bob","body":"2"}"#)],
            vec![("ask_user", r#"{"question":"On?"}"#)],
            vec![("letter", r#"{"to":"bob","body":"3"}"#)],
        ],
    )]))
    .with_fakes();
    let agent = world.agent();
    let mut face = Face::new(&agent);
    let sent = send(&agent, "go", Mode::Act).await;
    let ask = face.ask().await;
    answer(&agent, &ask, more(AllowScope::Always, None, None)).await.unwrap();
    let question = face.ask().await;
    assert_eq!(fakes.letter.ran().len(), 2, "the second was not asked about");
    let id = agent.grants().unwrap()[0].id.clone();
    assert_eq!(agent.revoke_grant(&id).unwrap(), []);
    assert_eq!(agent.revoke_grant(&id).unwrap(), [], "a second time is harmless");
    answer(&agent, &question, Answer::YouDecide).await.unwrap();
    let (ask, tool, _) = face.confirm().await;
    assert_eq!((tool.as_str(), fakes.letter.ran().len()), ("letter", 2));
    answer(&agent, &ask, Answer::Deny).await.unwrap();
    face.end_unasked(&sent.run).await;
    let told = face.seen.iter().filter(|m| matches!(m, StreamMessage::Event { event: Event::Grants, .. })).count();
    assert_eq!(told, 3);
}

#[tokio::test]
async fn none_answers_for_outside_text_or_for_what_is_private() {
    let (world, fakes) = world();
    let agent = world.agent();
    let mut face = Face::new(&agent);
    let yes = more(AllowScope::Always, None, None);
    asks(&agent, &mut face, message("twice", Mode::Act), &yes).await;
    let sent = fakes.letter.ran().len();
    for text in ["tainted", "leaks"] {
        assert_eq!(asks(&agent, &mut face, message(text, Mode::Act), &Answer::Deny).await.0, 1, "{text}");
    }
    assert_eq!(fakes.letter.ran().len(), sent);
    // Nor can such a question be answered by one.
    let run = send(&agent, "tainted", Mode::Max).await.run;
    let ask = face.ask().await;
    assert_eq!(answer(&agent, &ask, yes).await.unwrap_err().code, Code::BadRequest);
    answer(&agent, &ask, Answer::Deny).await.unwrap();
    face.end(&run).await;
}
