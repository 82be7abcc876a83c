// SPDX-License-Identifier: Apache-2.0
//! The UI's files over real HTTP.

mod common;

use bailey_agent::{Agent, Parts};
use bailey_api::Api;
use bailey_host::{MemorySecrets, SystemClock};
use bailey_ports::{Durability, Redactor};
use bailey_server::{Access, Ui, serve};
use bailey_store::Database;
use reqwest::StatusCode;
use reqwest::header::{ACCEPT_LANGUAGE, CACHE_CONTROL, CONTENT_TYPE};
use std::borrow::Cow;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// A UI of three files that remembers what it was asked for.
#[derive(Default)]
struct Files {
    empty: bool,
    asked: Mutex<Vec<String>>,
}

impl Ui for Files {
    fn file(&self, path: &str) -> Option<Cow<'static, [u8]>> {
        self.asked.lock().unwrap().push(path.to_owned());
        let content: &[u8] = match path {
            _ if self.empty => return None,
            "index.html" => b"<!doctype html>the page",
            "assets/app-1a2b.js" => b"script",
            "icon.svg" => b"<svg/>",
            _ => return None,
        };
        Some(content.into())
    }
}

fn api(data: &Path, redactor: Redactor) -> Api {
    let database = Arc::new(Database::open(&data.join("bailey.db")).unwrap());
    let agent = Agent::start(Parts {
        store: database.clone(),
        notes: database.clone(),
        files: database,
        clock: Arc::new(SystemClock),
        secrets: Arc::new(MemorySecrets::new(redactor.clone())),
        notifier: None,
        device: None,
        shell: None,
        web: None,
        tools: Vec::new(),
        redactor,
        models: Vec::new(),
        durability: Durability::Committed,
    });
    Api::new(agent.unwrap())
}

/// Serves this UI on an address; the port, what ends it, and how it ended.
async fn start(
    data: &Path,
    ui: Arc<Files>,
    address: &str,
) -> (u16, watch::Sender<bool>, JoinHandle<std::io::Result<()>>) {
    let redactor = Redactor::new();
    let listener = TcpListener::bind(address).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let access = Arc::new(Access::open(data, redactor.clone()).unwrap());
    let (close, closing) = watch::channel(false);
    let server = serve(api(data, redactor), listener, access, Arc::new(SystemClock), ui, closing);
    (port, close, tokio::spawn(server))
}

#[tokio::test]
async fn files_have_their_type_and_keep_and_every_other_place_is_the_page() {
    let data = tempfile::tempdir().unwrap();
    let (port, _close, _) = start(data.path(), Arc::default(), "127.0.0.1:0").await;
    let client = common::client();
    let page = ("text/html; charset=utf-8", "no-store", "<!doctype html>the page");
    let table = [
        ("/", page),
        ("/index.html", page),
        ("/chat/abc", page),
        ("/settings/", page),
        ("/?x=1", page),
        ("/assets/app-1a2b.js", ("text/javascript; charset=utf-8", "public, max-age=31536000, immutable", "script")),
        ("/icon.svg", ("image/svg+xml", "no-cache", "<svg/>")),
    ];
    for (path, (kind, cache, content)) in table {
        let response = client.get(format!("http://127.0.0.1:{port}{path}")).send().await.unwrap();
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        assert_eq!(response.headers()[CONTENT_TYPE], kind, "{path}");
        assert_eq!(response.headers()[CACHE_CONTROL], cache, "{path}");
        assert_eq!(response.text().await.unwrap(), content, "{path}");
    }
    let gone = client.get(format!("http://127.0.0.1:{port}/assets/app-0000.js")).send().await.unwrap();
    assert_eq!(gone.status(), StatusCode::NOT_FOUND, "a name of another build is not answered with the page");
    let post = client.post(format!("http://127.0.0.1:{port}/")).send().await.unwrap();
    assert_eq!(post.status(), StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_path_leads_out_of_the_folder() {
    let data = tempfile::tempdir().unwrap();
    let ui = Arc::new(Files::default());
    let (port, _close, _) = start(data.path(), ui.clone(), "127.0.0.1:0").await;
    for path in [
        "/../Cargo.toml",
        "/../../../../../../etc/passwd",
        "/assets/../../../Cargo.toml",
        "/assets/..%2f..%2fCargo.toml",
        "/%2e%2e/Cargo.toml",
        "/..\\..\\Cargo.toml",
        "//etc/passwd",
        "/assets//etc/passwd",
        "/.vite/manifest.json",
        "/C:/Windows/win.ini",
        "/./index.html",
        "/assets/app-1a2b.js%00.txt",
    ] {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        tokio::task::block_in_place(|| stream.read_to_string(&mut answer)).unwrap();
        let status = answer.split(' ').nth(1).unwrap().to_owned();
        // `//etc/passwd` names a place of the page, like any other.
        let expected = if path == "//etc/passwd" { "200" } else { "404" };
        assert_eq!(status, expected, "{path}: {answer}");
        assert!(!answer.contains("root:") && !answer.contains("[package]"), "{path}: {answer}");
    }
    let asked = ui.asked.lock().unwrap();
    assert!(asked.iter().all(|path| path == "index.html" || path == "etc/passwd"), "{asked:?}");
}

#[tokio::test]
async fn without_a_built_ui_the_page_says_how_to_build_it() {
    let data = tempfile::tempdir().unwrap();
    let ui = Arc::new(Files { empty: true, ..Files::default() });
    let (port, close, served) = start(data.path(), ui, "127.0.0.1:0").await;
    let client = common::client();
    for (language, title) in [("en", "its page was not built"), ("zh-CN", "界面还没有构建")] {
        let request = client.get(format!("http://127.0.0.1:{port}/")).header(ACCEPT_LANGUAGE, language);
        let text = request.send().await.unwrap().text().await.unwrap();
        assert!(text.contains("npm run build") && text.contains(title), "{text}");
    }
    close.send(true).unwrap();
    served.await.unwrap().unwrap();
}

#[tokio::test]
async fn it_serves_on_loopback_only_and_ends_with_its_owner() {
    let data = tempfile::tempdir().unwrap();
    let (_, _close, refused) = start(data.path(), Arc::default(), "0.0.0.0:0").await;
    assert!(refused.await.unwrap().unwrap_err().to_string().contains("127.0.0.1"));
    let (_, close, served) = start(data.path(), Arc::default(), "127.0.0.1:0").await;
    drop(close);
    served.await.unwrap().unwrap();
}
