// SPDX-License-Identifier: Apache-2.0
//! The web tools over the real guard and real connections.

mod support;

use bailey_net::{Clients, GuardOptions, GuardedWeb};
use bailey_protocol::Labels;
use bailey_tools::SearchChoice;
use serde_json::json;
use std::sync::{Arc, Mutex};
use support::{World, registry_with, run_with};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// A server on this machine that gives every request the same answer, and keeps the heads of requests.
async fn serve(answer: String) -> (u16, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let heads = Arc::new(Mutex::new(Vec::new()));
    let kept = heads.clone();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") && stream.read_buf(&mut head).await.is_ok_and(|n| n > 0) {}
            kept.lock().unwrap().push(String::from_utf8(head).unwrap());
            let _ = stream.write_all(answer.as_bytes()).await;
        }
    });
    (port, heads)
}

fn guarded() -> Arc<GuardedWeb> {
    Arc::new(GuardedWeb::new(Clients::new(), GuardOptions::default()))
}

#[tokio::test]
async fn a_search_engine_at_home_is_reached_and_gets_no_cookie_back() {
    let body = json!({ "results": [{ "title": "A", "url": "https://a.example/", "content": "b" }] }).to_string();
    let answer = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\nSet-Cookie: id=7; Path=/\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    let (port, heads) = serve(answer).await;
    let world = Arc::new(World::default());
    *world.search.lock().unwrap() = SearchChoice::Searxng { base_url: format!("http://127.0.0.1:{port}") };
    let tools = registry_with(world, guarded());
    let tool = tools.get("web_search").unwrap();
    for query in ["渡轮 & more", "again"] {
        let found = run_with(tool, json!({ "query": query }), Labels::none()).await.unwrap();
        assert_eq!((found[0].text.as_str(), found[1].text.as_str()), ("1. A\nb", "https://a.example/"));
    }
    let heads = heads.lock().unwrap();
    assert!(
        heads[0].starts_with("GET /search?q=%E6%B8%A1%E8%BD%AE+%26+more&format=json&pageno=1 HTTP/1.1\r\n"),
        "{}",
        heads[0]
    );
    let second = heads[1].to_lowercase();
    assert!(second.starts_with("get /search?q=again&") && second.contains("accept: application/json"), "{second}");
    assert!(!second.contains("cookie") && !second.contains("referer"), "{second}");
}

#[tokio::test]
async fn nothing_at_home_is_downloaded() {
    let (port, heads) = serve("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx".to_owned()).await;
    let world = Arc::new(World::default());
    let tools = registry_with(world.clone(), guarded());
    for host in ["127.0.0.1", "localhost", "[::1]", "2130706433"] {
        let url = format!("http://{host}:{port}/secret.txt");
        let failure =
            run_with(tools.get("download_file").unwrap(), json!({ "url": url }), Labels::none()).await.unwrap_err();
        assert!(!failure.message.is_empty());
    }
    assert_eq!(*heads.lock().unwrap(), [""; 0]);
    assert_eq!(*world.files.lock().unwrap(), []);
}
