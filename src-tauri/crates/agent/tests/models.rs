// SPDX-License-Identifier: Apache-2.0
//! What the agent does about models: one that is out of order, one that costs, one that sees, and what stays secret.

mod common;

use bailey_agent::RunOptions;
use bailey_ports::{ModelError, Secret, Store};
use bailey_protocol::model::{Finish, Native, Reply, Request, Turn, Usage};
use bailey_protocol::*;
use bailey_testkit::model::{ScriptedModel, says};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use common::*;
use serde_json::json;
use std::sync::Arc;

fn fails(kind: RunErrorKind) -> Vec<Result<Reply, ModelError>> {
    vec![Ok(Reply::Text { text: "half".into() }), Err(ModelError::new(kind, "no"))]
}

fn other() -> ModelChoice {
    ModelChoice { provider: "other".into(), model: "second".into() }
}

fn with_fallback(world: &World) {
    let mut settings = world.database.settings().unwrap();
    settings.fallback_model = Some(other());
    world.database.save_settings(&settings).unwrap();
}

fn facts(agent: &bailey_agent::Agent, facts: ModelFacts) {
    let model = Some(ModelSettings { model: choice(), facts, effort: None });
    agent.update_settings(SettingsPatch { model, ..SettingsPatch::default() }).unwrap();
}

#[tokio::test]
async fn another_model_takes_over_in_an_outage_and_only_then() {
    use RunErrorKind::*;
    for (kind, takes_over) in [
        (Rate, true),
        (Overloaded, true),
        (Server, true),
        (Timeout, true),
        (Network, true),
        (Interrupted, true),
        (Auth, false),
        (Quota, false),
        (Invalid, false),
        (Refused, false),
    ] {
        let first = ScriptedModel::new(move |_| fails(kind));
        let second = ScriptedModel::new(|_| says("whole"));
        let mut world = World::scripted(&first);
        world.other = Some(Arc::new(second.clone()));
        with_fallback(&world);
        let agent = world.agent();
        let mut face = Face::new(&agent);
        let sent = send(&agent, "hi", Mode::ChatPlus).await;
        let run = face.end(&sent.run).await;
        let answer = agent.open(&sent.conversation).unwrap().messages[1].clone();
        if takes_over {
            assert_eq!(
                (run.state, run.model, run.instead_of),
                (RunState::Done, Some(other()), Some(choice())),
                "{kind:?}"
            );
            assert_eq!((answer.text().as_str(), answer.model.as_deref()), ("whole", Some("second")));
            assert_eq!(second.requests()[0].model, "second");
        } else {
            assert_eq!((run.state, run.error.map(|e| e.kind)), (RunState::Failed, Some(kind)));
            assert_eq!(answer.text(), "half", "what came is kept");
            assert!(second.requests().is_empty(), "{kind:?}");
        }
    }
}

#[tokio::test]
async fn when_both_are_out_of_order_the_run_ends() {
    let first = ScriptedModel::new(|_| fails(RunErrorKind::Server));
    let second = ScriptedModel::new(|_| fails(RunErrorKind::Overloaded));
    let mut world = World::scripted(&first);
    world.other = Some(Arc::new(second.clone()));
    with_fallback(&world);
    let agent = world.agent();
    let mut face = Face::new(&agent);
    let sent = send(&agent, "hi", Mode::ChatPlus).await;
    let run = face.end(&sent.run).await;
    assert_eq!((run.state, run.error.unwrap().kind), (RunState::Failed, RunErrorKind::Overloaded));
    assert_eq!((first.requests().len(), second.requests().len()), (1, 1), "neither is asked twice");
}

#[tokio::test]
async fn a_void_attempt_is_taken_back_from_faces() {
    let model = ScriptedModel::new(|_| {
        let mut replies = vec![
            Ok(Reply::Text { text: "half an".into() }),
            Ok(Reply::Retry { kind: RunErrorKind::Overloaded, wait_ms: 40 }),
        ];
        replies.extend(says("whole"));
        replies
    });
    let world = World::scripted(&model);
    let agent = world.agent();
    let mut face = Face::new(&agent);
    let sent = send(&agent, "hi", Mode::ChatPlus).await;
    let retrying = face
        .until(|event| match event {
            Event::Run { run } => run.retrying,
            _ => None,
        })
        .await;
    assert_eq!(retrying, Retrying { kind: RunErrorKind::Overloaded, wait_ms: 40, attempt: 1 });
    let run = face.end(&sent.run).await;
    assert_eq!(run.retrying, None);
    let blocks: Vec<usize> = face
        .seen
        .iter()
        .filter_map(|seen| match seen {
            StreamMessage::Event { event: Event::Message { message }, .. } if message.role == Role::Assistant => {
                Some(message.blocks.len())
            }
            _ => None,
        })
        .collect();
    assert_eq!(blocks, [0, 0, 1], "begun, taken back, closed");
    assert_eq!(agent.open(&sent.conversation).unwrap().messages[1].text(), "whole");
}

fn native(text: &str) -> Arc<Native> {
    Arc::new(Native { origin: "script".into(), items: vec![json!({"signature": text})] })
}

fn with_native(native: Arc<Native>) -> Vec<Result<Reply, ModelError>> {
    let mut replies = says("x");
    replies.insert(1, Ok(Reply::Native { native }));
    replies
}

#[tokio::test]
async fn a_native_form_goes_back_to_its_model_and_to_nobody_else() {
    let model = ScriptedModel::new(|_| with_native(native("EqQBCkgIARAB")));
    let world = World::scripted(&model);
    let agent = world.agent();
    let mut face = Face::new(&agent);
    let sent = send(&agent, "one", Mode::ChatPlus).await;
    face.end(&sent.run).await;
    let second = agent.send(follow_up(&sent.conversation, "two"), RunOptions::default()).await.unwrap();
    face.end(&second.run).await;
    let requests = model.requests();
    let Turn::Assistant { native: sent_back, .. } = &requests[1].messages[1] else { panic!("{requests:?}") };
    assert_eq!(sent_back, &Some(native("EqQBCkgIARAB")));
    let told = format!("{:?} {:?}", face.seen, agent.open(&sent.conversation).unwrap());
    assert!(!told.contains("EqQBCkgIARAB"), "faces have no use for it");
}

#[tokio::test]
async fn a_native_form_with_a_secret_in_it_is_dropped_as_a_whole() {
    let model = ScriptedModel::new(|_| with_native(native("it is sk-canary-77, you said")));
    let world = World::scripted(&model);
    world.redactor.learn(&Secret::new("sk-canary-77"));
    let agent = world.agent();
    let mut face = Face::new(&agent);
    let sent = send(&agent, "one", Mode::ChatPlus).await;
    face.end(&sent.run).await;
    let stored = world.database.branch(&sent.conversation, None).unwrap();
    assert_eq!((stored[1].native.clone(), stored[1].text().as_str()), (None, "x"));
}

#[tokio::test]
async fn an_item_of_the_providers_is_shown_without_secrets() {
    let model = ScriptedModel::new(|_| {
        let mut replies = says("found");
        let data = json!({"query": ["sk-canary-77", 1], "sk-canary-77": true});
        replies.insert(0, Ok(Reply::Item { kind: "web_search_call".into(), data }));
        replies
    });
    let world = World::scripted(&model);
    world.redactor.learn(&Secret::new("sk-canary-77"));
    let agent = world.agent();
    let mut face = Face::new(&agent);
    let sent = send(&agent, "one", Mode::ChatPlus).await;
    face.end(&sent.run).await;
    let answer = agent.open(&sent.conversation).unwrap().messages[1].clone();
    let data = json!({"query": ["[secret removed]", 1], "[secret removed]": true});
    assert_eq!(answer.blocks[0], Block::Item { kind: "web_search_call".into(), data });
    assert!(answer.labels.is_tainted());
}

#[tokio::test]
async fn what_is_spent_is_counted_and_asked_about_at_the_cap() {
    let model = ScriptedModel::new(|_| {
        let mut replies = says("x");
        let usage = Usage { input: 10_000, output: 1_000, ..Usage::default() };
        replies.insert(1, Ok(Reply::Usage { usage }));
        replies
    });
    let world = World::scripted(&model);
    let agent = world.agent();
    let price = Price { input: 1_000_000, output: 5_000_000, cached: None, cache_write: None };
    facts(&agent, ModelFacts { price: Some(price), max_output: Some(1_000), ..ModelFacts::default() });
    let caps = Some(Caps { run: None, day: Some(21_000) });
    agent.update_settings(SettingsPatch { caps, ..SettingsPatch::default() }).unwrap();
    let mut face = Face::new(&agent);
    let first = send(&agent, "one", Mode::ChatPlus).await;
    let run = face.end(&first.run).await;
    assert_eq!((run.state, run.ledger.cost), (RunState::Done, 15_000));

    let second = send(&agent, "two", Mode::ChatPlus).await;
    let ask = face
        .until(|event| match event {
            Event::AskOpened { ask } => Some(ask.clone()),
            _ => None,
        })
        .await;
    let AskKind::Spend { scope: SpendScope::Day, spent: 15_000, cap: 21_000, next } = ask.kind else {
        panic!("{ask:?}");
    };
    assert!(next > 6_000, "{next}");
    assert_eq!(model.requests().len(), 1, "nothing was sent yet");
    agent.answer(AskAnswerParams { ask: ask.id.clone(), answer: Answer::AllowOnce }).await.unwrap();
    assert_eq!(face.end(&second.run).await.state, RunState::Done);
    let again = agent.answer(AskAnswerParams { ask: ask.id, answer: Answer::AllowOnce }).await.unwrap_err();
    assert_eq!(again.code, Code::Stale);

    let third = send(&agent, "three", Mode::ChatPlus).await;
    let ask = face
        .until(|event| match event {
            Event::AskOpened { ask } => Some(ask.id.clone()),
            _ => None,
        })
        .await;
    agent.answer(AskAnswerParams { ask, answer: Answer::Deny }).await.unwrap();
    let run = face.end(&third.run).await;
    assert_eq!((run.state, run.error.unwrap().kind), (RunState::Failed, RunErrorKind::Money));
    assert_eq!(model.requests().len(), 2);
}

#[tokio::test]
async fn a_window_that_the_person_set_wins_and_is_shown() {
    let model = ScriptedModel::new(|_| says(&"long ".repeat(3_000)));
    let world = World::scripted(&model);
    let agent = world.agent();
    facts(&agent, ModelFacts { window: Some(4_000), ..ModelFacts::default() });
    let mut face = Face::new(&agent);
    let sent = send(&agent, "one", Mode::ChatPlus).await;
    let run = face.end(&sent.run).await;
    assert_eq!(run.window, Some(4_000));
    for _ in 0..3 {
        let next = agent.send(follow_up(&sent.conversation, "more"), RunOptions::default()).await.unwrap();
        face.end(&next.run).await;
    }
    let size = |request: &Request| -> usize {
        let turn = |turn: &Turn| match turn {
            Turn::User { text, .. } | Turn::Tool { text, .. } | Turn::Assistant { text, .. } => text.len(),
        };
        request.messages.iter().map(turn).sum()
    };
    let sizes: Vec<usize> = model.requests().iter().map(size).collect();
    assert!(sizes.iter().all(|size| *size < 9_000), "{sizes:?}");
    model.assert_clean();
}

fn png(width: u32, height: u32) -> String {
    let mut data = std::io::Cursor::new(vec![]);
    image::DynamicImage::new_rgb8(width, height).write_to(&mut data, image::ImageFormat::Png).unwrap();
    STANDARD.encode(data.into_inner())
}

#[tokio::test]
async fn a_picture_reaches_a_model_that_sees_and_stays_with_an_edited_message() {
    let model = ScriptedModel::new(|_| says("a cat"));
    let world = World::scripted(&model);
    let agent = world.agent();
    let mut face = Face::new(&agent);
    let draft = |name: &str| PictureDraft { name: name.into(), data: png(6, 4) };
    let params = SendParams { pictures: vec![draft("cat.png"), draft("dog.png")], ..message("what?", Mode::Max) };
    let sent = agent.send(params, RunOptions::default()).await.unwrap();
    face.end(&sent.run).await;
    let asked = agent.open(&sent.conversation).unwrap().messages[0].clone();
    let shown: Vec<PictureRef> = asked.pictures().cloned().collect();
    assert_eq!((shown[0].name.as_str(), shown[0].width, shown[0].height), ("cat.png", 6, 4));
    assert!(shown[0].labels.is_tainted(), "what is attached comes from outside");
    let got = agent.picture(&shown[0].id).unwrap();
    let Turn::User { pictures, .. } = &model.requests()[0].messages[0] else { panic!() };
    assert_eq!((pictures.len(), STANDARD.encode(&pictures[0].data)), (2, got.data));

    let kept = vec![shown[1].id.clone()];
    let edit = SendParams { edit: Some(asked.id), keep_pictures: kept, ..follow_up(&sent.conversation, "and this?") };
    let edited = agent.send(edit, RunOptions::default()).await.unwrap();
    face.end(&edited.run).await;
    let asked = agent.open(&sent.conversation).unwrap().messages[0].clone();
    assert_eq!(asked.pictures().map(|p| p.name.as_str()).collect::<Vec<_>>(), ["dog.png"]);

    // A model that does not see is told so, and gets no bytes.
    facts(&agent, ModelFacts { pictures: Some(false), ..ModelFacts::default() });
    let next = agent.send(follow_up(&sent.conversation, "still there?"), RunOptions::default()).await.unwrap();
    face.end(&next.run).await;
    let Turn::User { pictures, text } = &model.requests()[2].messages[0] else { panic!() };
    assert!(pictures.is_empty() && text.contains("takes no pictures"), "{text}");
}

#[tokio::test]
async fn what_can_not_be_attached_is_said_and_nothing_is_sent() {
    let model = ScriptedModel::new(|_| says("never"));
    let world = World::scripted(&model);
    let agent = world.agent();
    let draft = |data: &str| PictureDraft { name: "x.heic".into(), data: data.into() };
    for (pictures, says) in [
        (vec![draft("AAAA")], "x.heic: this is not a JPEG"),
        ((0..9).map(|_| draft(&png(2, 2))).collect(), "at most 8"),
    ] {
        let params = SendParams { pictures, ..message("look", Mode::Chat) };
        let error = agent.send(params, RunOptions::default()).await.unwrap_err();
        assert!(error.code == Code::BadRequest && error.message.contains(says), "{error}");
    }
    assert!(agent.conversations("").unwrap().is_empty());
}

#[tokio::test]
async fn a_proxys_password_is_kept_with_the_keys() {
    let model = ScriptedModel::new(|_| vec![Ok(Reply::Finish { finish: Finish::Stop })]);
    let world = World::scripted(&model);
    let agent = world.agent();
    let draft = |proxy: &str, pem: &str| NetworkDraft {
        proxy: proxy.into(),
        proxy_user: String::new(),
        proxy_password: None,
        roots_pem: pem.into(),
    };
    let settings = agent.update_network(draft("http://me:hunter22@proxy.example:3128", "")).unwrap();
    assert_eq!(
        (settings.network.proxy.as_str(), settings.network.proxy_user.as_str()),
        ("http://proxy.example:3128", "me")
    );
    assert!(settings.network.proxy_password);
    assert!(!format!("{:?}", world.database.settings().unwrap()).contains("hunter22"));
    for bad in [draft("gopher://proxy.example", ""), draft("", "-----BEGIN NONSENSE-----")] {
        assert_eq!(agent.update_network(bad).unwrap_err().code, Code::BadRequest);
    }
    assert_eq!(agent.settings().network.proxy, "http://proxy.example:3128", "nothing changed");
    let settings = agent.update_network(draft("", "")).unwrap();
    assert!(!settings.network.proxy_password, "it went with its proxy");
}
