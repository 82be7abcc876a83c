// SPDX-License-Identifier: Apache-2.0
//! The event stream over real HTTP.

mod common;

use bailey_protocol::{Event, RunState, StreamMessage};
use common::{Events, Server};
use serde_json::json;

fn is_end(message: &StreamMessage) -> bool {
    matches!(message, StreamMessage::Event { event: Event::Run { run }, .. } if run.state == RunState::Done)
}

async fn until_end(events: &mut Events) -> Vec<StreamMessage> {
    let mut all = Vec::new();
    loop {
        let message = events.next().await.expect("the stream goes on");
        all.push(message.clone());
        if is_end(&message) {
            return all;
        }
    }
}

fn seq(message: &StreamMessage) -> u64 {
    match message {
        StreamMessage::Snapshot { seq, .. } | StreamMessage::Event { seq, .. } => *seq,
    }
}

#[tokio::test]
async fn a_stream_that_comes_back_with_its_place_loses_and_repeats_nothing() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let mut whole = server.events("").await;
    let Some(StreamMessage::Snapshot { epoch, seq: begin, .. }) = whole.next().await else {
        panic!("no snapshot first")
    };
    let model = json!({"provider": "demo", "model": "demo"});

    // One face that is cut off after every few messages while a run goes on.
    let mut seen: Vec<StreamMessage> = Vec::new();
    let mut place = begin;
    server.command("send", json!({"text": "plan my weekend", "model": model})).await;
    'run: loop {
        let mut events = server.events(&format!("?epoch={epoch}&since={place}")).await;
        for _ in 0..3 {
            let message = events.next().await.unwrap();
            assert!(matches!(message, StreamMessage::Event { .. }), "{message:?}");
            place = seq(&message);
            seen.push(message.clone());
            if is_end(&message) {
                break 'run;
            }
        }
    }
    let all = until_end(&mut whole).await;
    assert!(all.len() > 12, "a run worth the name");
    assert_eq!(all.iter().map(seq).collect::<Vec<_>>(), (begin + 1..=place).collect::<Vec<_>>());
    assert_eq!(seen, all);

    // The same place a second time, and places nobody can know.
    let again = until_end(&mut server.events(&format!("?epoch={epoch}&since={begin}")).await).await;
    assert_eq!(again, all);
    for query in
        [String::new(), format!("?epoch=other&since={begin}"), format!("?epoch={epoch}&since={}", place + 1000)]
    {
        let first = server.events(&query).await.next().await.unwrap();
        let StreamMessage::Snapshot { epoch: now, seq, snapshot } = first else { panic!("{query}: no snapshot") };
        assert_eq!((now, seq >= place), (epoch.clone(), true), "{query}");
        assert_eq!(snapshot.conversations.len(), 1, "{query}");
    }
}

#[tokio::test]
async fn a_new_process_is_a_new_epoch() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let Some(StreamMessage::Snapshot { epoch, seq, .. }) = server.events("").await.next().await else { panic!() };
    drop(server);
    let server = Server::start(data.path());
    let first = server.events(&format!("?epoch={epoch}&since={seq}")).await.next().await.unwrap();
    assert!(matches!(first, StreamMessage::Snapshot { epoch: now, .. } if now != epoch));
}
