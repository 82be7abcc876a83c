// SPDX-License-Identifier: Apache-2.0
//! download_file: what is kept, under which name and marks, and what is not.

mod support;

use bailey_ports::WebError;
use bailey_protocol::{Labels, Part, Source};
use serde_json::{Value, json};
use std::sync::Arc;
use support::{Answer, World, call, registry, run_with};

fn marks(host: &str) -> Labels {
    Labels { outside: vec![Source { tool: "download_file".into(), detail: Some(host.into()) }], private: vec![] }
}

async fn download(world: &Arc<World>, arguments: Value) -> Result<String, String> {
    let parts = call(world, "download_file", arguments).await.map_err(|failure| failure.message)?;
    Ok(parts.into_iter().map(|part| part.text).collect())
}

/// Nothing was kept, and nothing was left.
fn nothing_is_there(world: &World) {
    assert_eq!(*world.files.lock().unwrap(), []);
    assert_eq!(*world.half_written.lock().unwrap(), 0);
}

#[tokio::test]
async fn a_file_is_kept_with_its_marks() {
    let body = vec![Ok(b"%PDF-".to_vec()), Ok(vec![7; 2043])];
    let answer = Answer {
        url: Some("https://cdn.example/7/x"),
        file_name: Some("annual report.pdf"),
        length: Some(2048),
        body,
        ..Answer::page("application/pdf", "")
    };
    let world = World::answering([Ok(answer)]);
    let seen = Labels { outside: vec![], private: vec![Source::tool("get_clipboard")] };
    let tool = registry(world.clone()).get("download_file").unwrap().clone();
    let parts = run_with(&tool, json!({ "url": "example.org/get?id=7" }), seen.clone()).await.unwrap();
    let said = "Saved downloads/annual report.pdf in Bailey's own folder: 2.0 KiB (2048 bytes), application/pdf, from https://cdn.example/7/x.";
    assert_eq!(parts, [Part::labelled(said, marks("cdn.example"))]);
    let files = world.files.lock().unwrap();
    let (path, content, labels) = &files[0];
    assert_eq!(
        (path.as_str(), content.len(), labels),
        ("downloads/annual report.pdf", 2048, &seen.joined(&marks("cdn.example")))
    );
    let asked = world.asked.lock().unwrap();
    assert_eq!((asked[0].url.as_str(), asked[0].max_bytes), ("https://example.org/get?id=7", 100 * 1024 * 1024));
    assert!(asked[0].secret_header.is_none() && asked[0].form.is_none());
    assert_eq!(*world.half_written.lock().unwrap(), 0);
}

#[tokio::test]
async fn its_name_is_the_one_given_or_the_servers_or_the_addresses() {
    for (arguments, file_name, path) in [
        (json!({ "url": "https://example.org/a/b.bin", "name": "mine.bin" }), Some("theirs.bin"), "downloads/mine.bin"),
        (json!({ "url": "https://example.org/a/b.bin" }), Some("theirs.bin"), "downloads/theirs.bin"),
        (json!({ "url": "https://example.org/a/%E6%B1%89%20b.bin?c=d" }), None, "downloads/汉 b.bin"),
        (json!({ "url": "https://example.org/folder/" }), None, "downloads/folder"),
        (json!({ "url": "https://example.org" }), None, "downloads/file"),
    ] {
        let world = World::answering([Ok(Answer { file_name, ..Answer::page("image/png", "x") })]);
        let said = download(&world, arguments).await.unwrap();
        assert!(said.starts_with(&format!("Saved {path} in Bailey's own folder: 1 bytes")), "{said}");
    }
    let world = World::answering([Ok(Answer::html("<h1>Log in</h1>"))]);
    let said = download(&world, json!({ "url": "https://example.org/a.zip" })).await.unwrap();
    assert!(said.contains("text/html; charset=utf-8") && said.contains("not the file itself"), "{said}");
}

#[tokio::test]
async fn what_is_not_whole_is_not_kept() {
    let broken = vec![Ok(vec![1; 10]), Err(WebError::Unreachable("the connection broke".into()))];
    let large = vec![Ok(vec![1; 10]), Err(WebError::TooLarge("more than 104857600 bytes".into()))];
    let page = |answer: Answer| Ok(Answer { content_type: Some("application/zip"), ..answer });
    for (answer, said) in [
        (page(Answer { body: broken, ..Answer::html("") }), "the connection broke"),
        (
            page(Answer { body: large, ..Answer::html("") }),
            "larger than 100.0 MiB, and nothing was kept. Give the person its address",
        ),
        (page(Answer { length: Some(100 * 1024 * 1024 + 1), ..Answer::html("x") }), "larger than 100.0 MiB"),
        (page(Answer { length: Some(12), ..Answer::html("short") }), "broke off after 5 of 12 bytes"),
        (page(Answer::html("")), "the file is empty"),
        (Ok(Answer::status(404)), "no page at this address (HTTP 404)"),
        (Ok(Answer::status(401)), "only to people who are logged in"),
        (Err(WebError::Refused("10.0.0.1 is not a public address".into())), "not a public address"),
        (Err(WebError::TooLarge("x".into())), "larger than 100.0 MiB"),
    ] {
        let world = World::answering([answer]);
        let failure = download(&world, json!({ "url": "https://example.org/a.zip" })).await.unwrap_err();
        assert!(failure.contains(said), "{failure}");
        nothing_is_there(&world);
    }
    let world = Arc::new(World { broken: true, ..World::default() });
    world.answers.lock().unwrap().push_back(Ok(Answer::html("x")));
    let failure = download(&world, json!({ "url": "https://example.org/a.zip" })).await.unwrap_err();
    assert!(failure.contains("disk full") && failure.contains("Tell the person"), "{failure}");
    nothing_is_there(&world);
}

#[tokio::test]
async fn a_download_that_is_cancelled_leaves_nothing() {
    use bailey_ports::{Web, WebRequest, WebResponse};
    use futures::StreamExt;

    /// Sends one piece and then nothing, for ever.
    struct Stalled;
    #[async_trait::async_trait]
    impl Web for Stalled {
        async fn fetch(&self, request: WebRequest) -> Result<WebResponse, WebError> {
            let first = futures::stream::iter([Ok(vec![1; 10])]);
            Ok(WebResponse {
                url: request.url,
                status: 200,
                content_type: None,
                file_name: None,
                length: None,
                retry_after: None,
                body: first.chain(futures::stream::pending()).boxed(),
            })
        }
    }
    let world = Arc::new(World::default());
    let tools = support::registry_with(world.clone(), Arc::new(Stalled));
    let mut running = Box::pin(run_with(
        tools.get("download_file").unwrap(),
        json!({ "url": "https://example.org/a" }),
        Labels::none(),
    ));
    assert!(futures::poll!(&mut running).is_pending());
    assert_eq!(*world.half_written.lock().unwrap(), 1);
    drop(running);
    nothing_is_there(&world);
}
