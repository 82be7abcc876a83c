// SPDX-License-Identifier: Apache-2.0
//! A model at the other end of real HTTP, scripted by a function of the request.

use bailey_testkit::server::{Answer, Chunks, ScriptedServer};
use serde_json::{Value, json};
use std::sync::Arc;

/// A scripted endpoint. The test fails when a request's history breaks the rules.
#[derive(Clone)]
pub(crate) struct Model(Arc<ScriptedServer>);

impl Model {
    pub(crate) async fn start(mut answer: impl FnMut(&Value) -> Answer + Send + 'static) -> Self {
        let server = ScriptedServer::start().await;
        server.respond(move |request| Some(answer(request)));
        Self(Arc::new(server))
    }

    pub(crate) fn base_url(&self) -> String {
        self.0.base_url()
    }

    /// The chat requests so far.
    pub(crate) fn requests(&self) -> Vec<Value> {
        self.0.requests().into_iter().map(|logged| logged.body).collect()
    }

    /// The different `Authorization` lines of all requests so far.
    pub(crate) fn keys(&self) -> Vec<String> {
        let log = self.0.log();
        let mut keys: Vec<String> = log.iter().filter_map(|l| l.header("authorization").map(str::to_owned)).collect();
        keys.sort();
        keys.dedup();
        keys
    }

    pub(crate) fn violations(&self) -> Vec<String> {
        self.0.violations()
    }
}

/// A text in these pieces.
pub(crate) fn say(pieces: &[&str]) -> Answer {
    Answer::text(Chunks::List(pieces.iter().map(|piece| (*piece).to_owned()).collect()))
}

/// A text whose stream then stands still.
pub(crate) fn begin(text: &str) -> Answer {
    let choice = json!({"index": 0, "delta": {"role": "assistant", "content": text}, "finish_reason": null});
    Answer::raw(&format!("data: {}\n\n", json!({"choices": [choice]}))).hang()
}

fn messages(request: &Value) -> &[Value] {
    request["messages"].as_array().unwrap()
}

/// Who the request's last message is from.
pub(crate) fn last_role(request: &Value) -> &str {
    messages(request).last().unwrap()["role"].as_str().unwrap()
}

/// The person's last message.
pub(crate) fn last_user(request: &Value) -> &str {
    let message = messages(request).iter().rev().find(|m| m["role"] == "user").unwrap();
    message["content"].as_str().unwrap()
}

/// How many results of calls stand after it.
pub(crate) fn results(request: &Value) -> usize {
    messages(request).iter().rev().take_while(|m| m["role"] != "user").filter(|m| m["role"] == "tool").count()
}
