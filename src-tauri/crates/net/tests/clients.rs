// SPDX-License-Identifier: Apache-2.0
//! The clients against real listeners.

use bailey_net::{Clients, GuardOptions, GuardedWeb, Redirected};
use bailey_ports::{Web, WebError, WebRequest};
use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};
use url::Url;

/// Answers every request with these bytes; tells the head of each.
fn listen(answer: impl Fn(u16) -> String + Send + 'static) -> (u16, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (tell, told) = channel();
    std::thread::spawn(move || {
        for socket in listener.incoming() {
            let mut socket = socket.unwrap();
            let mut head = String::new();
            let mut reader = BufReader::new(socket.try_clone().unwrap());
            while !head.ends_with("\r\n\r\n") && reader.read_line(&mut head).unwrap() > 0 {}
            let _ = tell.send(head);
            socket.write_all(answer(port).as_bytes()).unwrap();
        }
    });
    (port, told)
}

fn ok(body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}", body.len())
}

#[tokio::test]
async fn a_redirect_is_an_error_that_names_the_place() {
    let (target, visits) = listen(|_| ok("never"));
    for status in ["301 Moved", "302 Found", "303 See Other", "307 Temporary Redirect", "308 Permanent Redirect"] {
        let (port, _) = listen(move |_| {
            format!(
                "HTTP/1.1 {status}\r\nConnection: close\r\nLocation: http://127.0.0.1:{target}/v1/x?key=s3cret#f\r\nContent-Length: 0\r\n\r\n"
            )
        });
        let base = Url::parse(&format!("http://127.0.0.1:{port}/v1")).unwrap();
        let client = Clients::new().endpoint(&base).unwrap();
        let error = client.post(base).bearer_auth("sk-canary").body("{}").send().await.unwrap_err();
        let mut source: Option<&(dyn Error + 'static)> = Some(&error);
        let mut found = None;
        while let Some(inner) = source {
            found = found.or(inner.downcast_ref::<Redirected>());
            source = inner.source();
        }
        let to = Url::parse(&format!("http://127.0.0.1:{target}/v1/x")).unwrap();
        assert_eq!(found, Some(&Redirected { to }), "{status}");
    }
    assert!(visits.try_recv().is_err(), "the target was never visited");
}

#[tokio::test]
async fn a_request_says_who_asks_and_little_else() {
    let (port, heads) = listen(|_| ok("hello"));
    let base = Url::parse(&format!("http://localhost:{port}/v1")).unwrap();
    let client = Clients::new().endpoint(&base).unwrap();
    assert_eq!(client.get(base).send().await.unwrap().text().await.unwrap(), "hello");
    let head = heads.recv().unwrap().to_lowercase();
    assert!(head.contains(&format!("user-agent: bailey/{}\r\n", env!("CARGO_PKG_VERSION"))), "{head}");
    assert!(!head.contains("cookie") && !head.contains("referer"), "{head}");
}

/// Runs itself again with a proxy in the environment: setting variables is not sound in a process with threads.
#[test]
fn a_proxy_in_the_environment_is_ignored() {
    const ORIGIN: &str = "BAILEY_TEST_ORIGIN";
    if let Ok(origin) = std::env::var(ORIGIN) {
        let base = Url::parse(&origin).unwrap();
        let client = Clients::new().endpoint(&base).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let body = runtime.block_on(async { client.get(base).send().await.unwrap().text().await.unwrap() });
        assert_eq!(body, "origin");
        // The encrypting client, with a name that nobody knows: a proxy would be asked for it.
        let base = Url::parse("https://model.invalid/v1").unwrap();
        let client = Clients::new().endpoint(&base).unwrap();
        assert!(runtime.block_on(client.get(base).send()).is_err());
        let web = GuardedWeb::new(Clients::new(), GuardOptions::default());
        for url in ["http://page.invalid/", "https://page.invalid/"] {
            assert!(matches!(runtime.block_on(web.fetch(WebRequest::get(url))), Err(WebError::Unreachable(_))));
        }
        return;
    }
    let (origin, visits) = listen(|_| ok("origin"));
    let (proxy, proxied) = listen(|_| ok("proxy"));
    let proxy = format!("http://127.0.0.1:{proxy}");
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["a_proxy_in_the_environment_is_ignored", "--exact"])
        .env(ORIGIN, format!("http://127.0.0.1:{origin}/v1"))
        .envs(
            ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
                .map(|name| (name, &proxy)),
        )
        .env_remove("NO_PROXY")
        .env_remove("no_proxy")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(visits.try_recv().is_ok());
    assert!(proxied.try_recv().is_err(), "the proxy was asked");
}
