// SPDX-License-Identifier: Apache-2.0
use crate::endpoint::listing::of_openai;
use bailey_net::Clients;
use bailey_protocol::LocalServer;
use futures::future::join_all;
use serde_json::Value;
use std::time::Duration;
use url::Url;

/// Each server has this long to answer.
const TIME: Duration = Duration::from_millis(400);

/// A place where a model server listens unless told otherwise.
#[derive(Clone, Copy, Debug)]
struct Place {
    port: u16,
    name: &'static str,
    /// The resource that lists its models.
    list: &'static str,
}

const PLACES: [Place; 5] = [
    Place { port: 11434, name: "Ollama", list: "/api/tags" },
    Place { port: 1234, name: "LM Studio", list: "/v1/models" },
    Place { port: 8080, name: "llama.cpp", list: "/v1/models" },
    Place { port: 8000, name: "vLLM", list: "/v1/models" },
    Place { port: 1337, name: "Jan", list: "/v1/models" },
];

/// Model servers that answer on this machine's loopback, at their usual ports: Ollama, LM Studio, llama.cpp, vLLM, Jan.
/// Takes at most 400 ms.
pub async fn find_local_servers(clients: &Clients) -> Vec<LocalServer> {
    find_at(clients, &PLACES).await
}

async fn find_at(clients: &Clients, places: &[Place]) -> Vec<LocalServer> {
    let found = join_all(
        places.iter().map(|place| async move { tokio::time::timeout(TIME, ask(clients, *place)).await.ok().flatten() }),
    )
    .await;
    found.into_iter().flatten().collect()
}

/// A server is recognised by what it answers: something else may listen at its port.
async fn ask(clients: &Clients, place: Place) -> Option<LocalServer> {
    let base = Url::parse(&format!("http://127.0.0.1:{}/v1", place.port)).ok()?;
    let response = clients.endpoint(&base).ok()?.get(base.join(place.list).ok()?).send().await.ok()?;
    if !response.status().is_success() {
        return None;
    }
    let body = response.text().await.ok()?;
    let answer: Value = serde_json::from_str(&body).ok()?;
    let is_list = if place.list == "/v1/models" {
        answer.get("object")?.as_str()? == "list"
    } else {
        answer.get("models")?.is_array()
    };
    if !is_list {
        return None;
    }
    let owner = answer.pointer("/data/0/owned_by").and_then(Value::as_str).unwrap_or_default();
    let name = match owner {
        "llamacpp" => "llama.cpp",
        "vllm" => "vLLM",
        "library" => "Ollama",
        _ => place.name,
    };
    let models = of_openai(&body)?.into_iter().map(|model| model.model).collect();
    Some(LocalServer { name: name.to_owned(), base_url: base.to_string(), models })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader, Write};
    use std::net::TcpListener;

    /// A server that answers one path with this body, and others with 404.
    fn server(path: &'static str, body: &'static str) -> u16 {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        std::thread::spawn(move || {
            for socket in listener.incoming() {
                let mut socket = socket.unwrap();
                let mut head = String::new();
                let mut reader = BufReader::new(socket.try_clone().unwrap());
                while !head.ends_with("\r\n\r\n") && reader.read_line(&mut head).unwrap() > 0 {}
                let status = if head.starts_with(&format!("GET {path} ")) { "200 OK" } else { "404 Not Found" };
                let _ = write!(
                    socket,
                    "HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
                    body.len()
                );
            }
        });
        port
    }

    #[tokio::test]
    async fn servers_are_recognised_by_what_they_answer() {
        let silent = TcpListener::bind("127.0.0.1:0").unwrap();
        let closed = {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            listener.local_addr().unwrap().port()
        };
        let ollama = server("/api/tags", r#"{"models":[{"name":"qwen3:8b","size":1}]}"#);
        let studio =
            server("/v1/models", r#"{"object":"list","data":[{"id":"gemma","owned_by":"organization_owner"}]}"#);
        let llama = server("/v1/models", r#"{"object":"list","data":[{"id":"gguf","owned_by":"llamacpp"}]}"#);
        let page = server("/v1/models", "<html>a page</html>");
        let other = server("/v1/models", r#"{"data":[{"id":"x"}]}"#);
        let places = [
            Place { port: ollama, ..PLACES[0] },
            Place { port: studio, ..PLACES[1] },
            Place { port: llama, ..PLACES[3] },
            Place { port: page, ..PLACES[2] },
            Place { port: other, ..PLACES[2] },
            Place { port: closed, ..PLACES[4] },
            Place { port: silent.local_addr().unwrap().port(), ..PLACES[4] },
        ];
        let found = find_at(&Clients::new(), &places).await;
        let expected = [("Ollama", ollama, "qwen3:8b"), ("LM Studio", studio, "gemma"), ("llama.cpp", llama, "gguf")]
            .map(|(name, port, model)| LocalServer {
                name: name.to_owned(),
                base_url: format!("http://127.0.0.1:{port}/v1"),
                models: vec![model.to_owned()],
            });
        assert_eq!(found, expected);
    }
}
