// SPDX-License-Identifier: Apache-2.0
//! A real `bailey serve` in its own process, and a client for it.
#![allow(dead_code, reason = "every test file uses a part of it")]

pub(crate) mod model;

use bailey_protocol::StreamMessage;
use futures::StreamExt as _;
use reqwest::header::{CONTENT_TYPE, SET_COOKIE};
use reqwest::{Client, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::sync::Once;
use std::time::Duration;

/// The `bailey` under test, without what this environment would tell it.
pub(crate) fn bailey(data: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bailey"));
    command.args(words).arg("--data-dir").arg(data);
    command.env_remove("BAILEY_API_KEY").env_remove("BAILEY_LOG").env("CI", "1").stdin(Stdio::null());
    // The key store of whoever runs the tests is left alone.
    command.env("BAILEY_KEY_STORE", "file");
    command
}

/// Runs a command to its end, which must come within a minute.
pub(crate) async fn output(command: Command) -> Output {
    let mut command = tokio::process::Command::from(command);
    let running = command.kill_on_drop(true).output();
    tokio::time::timeout(Duration::from_secs(60), running).await.expect("it ends").unwrap()
}

/// A client that follows nothing.
pub(crate) fn client() -> Client {
    static PROVIDER: Once = Once::new();
    PROVIDER.call_once(|| {
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
    Client::builder().redirect(reqwest::redirect::Policy::none()).no_proxy().build().unwrap()
}

/// A running server; killed when dropped.
pub(crate) struct Server {
    pub(crate) child: Child,
    pub(crate) out: BufReader<ChildStdout>,
    /// The address it printed.
    pub(crate) address: String,
    pub(crate) port: u16,
    pub(crate) token: String,
    pub(crate) client: Client,
}

impl Server {
    /// Starts one and waits for its address.
    pub(crate) fn start(data: &Path) -> Self {
        let mut command = bailey(data, &["serve", "--port", "0", "--no-open"]);
        command.stderr(Stdio::null());
        Self::spawn(command, data)
    }

    pub(crate) fn spawn(mut command: Command, data: &Path) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        let address = line.trim_end().to_owned();
        let port = address
            .strip_prefix("http://127.0.0.1:")
            .and_then(|rest| rest.split_once("/open?code=")?.0.parse().ok())
            .unwrap_or_else(|| panic!("not an address: {address:?}"));
        let held: Value = serde_json::from_slice(&std::fs::read(data.join("server.json")).unwrap()).unwrap();
        assert_eq!(held["port"], port);
        let token = held["token"].as_str().unwrap().to_owned();
        Self { child, out, address, port, token, client: client() }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// A request of a local tool.
    pub(crate) fn get(&self, path: &str) -> RequestBuilder {
        self.client.get(self.url(path)).bearer_auth(&self.token)
    }

    /// A command, and its answer with the status.
    pub(crate) async fn try_command(&self, name: &str, params: Value) -> reqwest::Result<(StatusCode, Value)> {
        let request = self.client.post(self.url("/api/command")).bearer_auth(&self.token);
        let response = request.json(&json!({"name": name, "params": params})).send().await?;
        Ok((response.status(), response.json().await?))
    }

    /// A command that must succeed.
    pub(crate) async fn command(&self, name: &str, params: Value) -> Value {
        let (status, value) = self.try_command(name, params).await.unwrap();
        assert_eq!(status, StatusCode::OK, "{name}: {value}");
        value
    }

    /// The event stream.
    pub(crate) async fn events(&self, query: &str) -> Events {
        let response = self.get(&format!("/api/events{query}")).send().await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        Events::of(response)
    }

    /// Lets a browser in and returns the `Cookie` line it sends from then on.
    pub(crate) async fn let_in(&self) -> String {
        let response = self.client.get(&self.address).send().await.unwrap();
        assert_eq!(response.status(), StatusCode::SEE_OTHER);
        cookie(&response)
    }

    /// A request as raw text, for what a client would tidy up; the whole answer.
    pub(crate) fn raw(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Asks the process to end, and its exit code.
    #[cfg(unix)]
    pub(crate) fn end(&mut self, signal: &str) -> Option<i32> {
        let status = Command::new("kill").args([signal, &self.child.id().to_string()]).status().unwrap();
        assert!(status.success());
        self.child.wait().unwrap().code()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The `Cookie` line for a response's `Set-Cookie`.
pub(crate) fn cookie(response: &Response) -> String {
    let line = response.headers()[SET_COOKIE].to_str().unwrap();
    line.split(';').next().unwrap().to_owned()
}

/// The messages of an event stream.
pub(crate) struct Events {
    bytes: futures::stream::BoxStream<'static, reqwest::Result<Vec<u8>>>,
    text: Vec<u8>,
}

impl Events {
    pub(crate) fn of(response: Response) -> Self {
        assert_eq!(response.headers()[CONTENT_TYPE], "text/event-stream");
        Self { bytes: response.bytes_stream().map(|b| b.map(|b| b.to_vec())).boxed(), text: Vec::new() }
    }

    /// The next message; `None` when the stream ended.
    pub(crate) async fn next(&mut self) -> Option<StreamMessage> {
        loop {
            if let Some(end) = self.text.windows(2).position(|w| w == b"\n\n") {
                let event: Vec<u8> = self.text.drain(..end + 2).collect();
                let lines: Vec<&[u8]> = event.split(|b| *b == b'\n').filter(|l| !l.is_empty()).collect();
                if lines.iter().all(|line| line.starts_with(b":")) {
                    continue;
                }
                let [line] = lines[..] else { panic!("a message is one line: {}", String::from_utf8_lossy(&event)) };
                return Some(serde_json::from_slice(line.strip_prefix(b"data: ").unwrap()).unwrap());
            }
            self.text.extend(self.bytes.next().await?.ok()?);
        }
    }
}

/// Everything in a folder and below, as one piece of bytes.
pub(crate) fn all_bytes(folder: &Path) -> Vec<u8> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        all.extend(path.as_os_str().as_encoded_bytes());
        match path.is_dir() {
            true => all.extend(all_bytes(&path)),
            false => all.extend(std::fs::read(&path).unwrap()),
        }
    }
    all
}

/// Whether `text` stands somewhere in `bytes`.
pub(crate) fn holds(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}
