// SPDX-License-Identifier: Apache-2.0
use super::tasks::Step;
use bailey_ports::{Model, ReplyStream};
use bailey_protocol::model::{Finish, Reply, Request, Turn};
use futures::{StreamExt, stream};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// A model that goes through steps, one a round, and finds things on the screen by what they say.
#[derive(Clone)]
pub(super) struct Walker {
    steps: Arc<Vec<Step>>,
    next: Arc<AtomicUsize>,
    /// It has looked at the screen for this step.
    looked: Arc<Mutex<Option<usize>>>,
    /// What it could not find.
    pub(super) missed: Arc<Mutex<Vec<String>>>,
}

impl Walker {
    pub(super) fn new(steps: Vec<Step>) -> Self {
        Self { steps: Arc::new(steps), next: Arc::default(), looked: Arc::default(), missed: Arc::default() }
    }

    /// How many steps it has begun.
    pub(super) fn begun(&self) -> usize {
        self.next.load(Ordering::Acquire)
    }

    fn step(&self, request: &Request) -> Option<(String, Value)> {
        let at = self.begun();
        let step = self.steps.get(at)?;
        let go = |name: &str, arguments: Value| {
            self.next.store(at + 1, Ordering::Release);
            Some((name.to_owned(), arguments))
        };
        let (action, label, text) = match *step {
            Step::Tool(name, arguments) => {
                return go(name, serde_json::from_str(arguments).unwrap_or_default());
            }
            Step::Key(key) => return go("ui_control", json!({ "action": key })),
            Step::Tap(label) => ("tap", label, None),
            Step::Hold(label) => ("long_press", label, None),
            Step::Type(label, text) => ("type", label, Some(text)),
            Step::Submit(label) => ("submit", label, None),
            Step::Bring(label) => ("scroll_to", label, None),
        };
        let handle = find(request, label);
        if handle.is_none() {
            let mut looked = self.looked.lock().unwrap_or_else(|e| e.into_inner());
            if *looked != Some(at) {
                *looked = Some(at);
                return Some(("get_screen_state".to_owned(), json!({})));
            }
            self.missed.lock().unwrap_or_else(|e| e.into_inner()).push(label.to_owned());
        }
        let mut arguments = json!({ "action": action, "target": handle.unwrap_or_else(|| "zz9".to_owned()) });
        if let Some(text) = text {
            arguments["text"] = json!(text);
        }
        go("ui_control", arguments)
    }
}

/// The handle of what says this in the newest result that shows a screen.
fn find(request: &Request, label: &str) -> Option<String> {
    let shown = request.messages.iter().rev().find_map(|turn| match turn {
        Turn::Tool { name, text, .. } if name == "ui_control" || name == "get_screen_state" => Some(text),
        _ => None,
    })?;
    shown.lines().map(str::trim).find_map(|line| {
        let (head, says) = line.split_once(": ")?;
        let fits = says == label || says.split(" · ").next() == Some(label) || says.trim_matches(['(', ')']) == label;
        let handle = head.split(' ').next()?;
        let is_handle = handle.len() <= 12 && handle.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
        (fits && is_handle).then(|| handle.to_owned())
    })
}

impl Model for Walker {
    fn reply(&self, request: Request) -> ReplyStream {
        let replies = match self.step(&request) {
            Some((name, arguments)) => vec![
                Reply::Call { id: format!("c{}", request.messages.len()), name, arguments: arguments.to_string() },
                Reply::Finish { finish: Finish::Calls },
            ],
            None => vec![Reply::Text { text: "Done.".to_owned() }, Reply::Finish { finish: Finish::Stop }],
        };
        stream::iter(replies.into_iter().map(Ok)).boxed()
    }
}
