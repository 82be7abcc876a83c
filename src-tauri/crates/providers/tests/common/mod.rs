// SPDX-License-Identifier: Apache-2.0
//! A server over real HTTP that answers as a function says.
#![allow(dead_code)] // each test uses its part

pub(crate) mod chat;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// A request as it came.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) method: String,
    /// Path and query.
    pub(crate) target: String,
    /// Names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Asked {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// A status and a body.
pub(crate) type Said = (u16, String);

/// A running server; it ends with the test's process.
pub(crate) struct Server {
    port: u16,
    log: Arc<Mutex<Vec<Asked>>>,
}

impl Server {
    pub(crate) fn start(answer: impl Fn(&Asked) -> Said + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let log = Arc::new(Mutex::new(Vec::new()));
        let (kept, answer) = (log.clone(), Arc::new(answer));
        std::thread::spawn(move || {
            for socket in listener.incoming() {
                let (kept, answer) = (kept.clone(), answer.clone());
                std::thread::spawn(move || serve(socket.unwrap(), &kept, &*answer));
            }
        });
        Self { port, log }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// The requests so far, each as `METHOD target`.
    pub(crate) fn targets(&self) -> Vec<String> {
        self.log.lock().unwrap().iter().map(|asked| format!("{} {}", asked.method, asked.target)).collect()
    }
}

fn serve(mut socket: TcpStream, log: &Mutex<Vec<Asked>>, answer: &dyn Fn(&Asked) -> Said) {
    let mut reader = BufReader::new(socket.try_clone().unwrap());
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    let mut words = line.split(' ').map(str::to_owned);
    let (Some(method), Some(target)) = (words.next(), words.next()) else { return };
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let mut asked = Asked { method, target, headers, body: String::new() };
    let length = asked.header("content-length").map_or(0, |length| length.parse().unwrap());
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    asked.body = String::from_utf8(body).unwrap();
    let (status, body) = answer(&asked);
    log.lock().unwrap().push(asked);
    // The client may be gone.
    let _ = write!(socket, "HTTP/1.1 {status} X\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}", body.len());
}
