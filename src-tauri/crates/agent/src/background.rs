// SPDX-License-Identifier: Apache-2.0
//! Runs while the app is out of sight: the device keeps the process alive, says what goes on, and passes on what the
//! person does there.

use crate::{Agent, Presence};
use bailey_ports::device::{
    Device, DeviceError, DeviceEvent, DeviceExt, EndRun, Fault, PostAsk, Request, ShowRun, WithdrawAsk,
};
use bailey_protocol::{
    Answer, Ask, AskAnswerParams, AskId, AskKind, ConversationId, ConversationSummary, Event, Language, RunId,
    RunState, RunView, Settings, Snapshot, StreamMessage,
};
use futures::StreamExt;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// As much of the arguments is shown in a notification; what is longer has to be read in the app.
const SHORT: usize = 240;

/// What is known of what goes on.
#[derive(Default)]
struct Shown {
    runs: BTreeMap<RunId, RunView>,
    titles: BTreeMap<ConversationId, String>,
    asks: BTreeSet<AskId>,
    zh: bool,
    /// What the device was last told, to tell it no more often than something changed.
    told: Option<ShowRun>,
}

impl Agent {
    /// Accompanies runs on a device until the process ends: its foreground service, questions as notifications, Stop.
    pub async fn accompany(&self, device: Arc<dyn Device>) {
        if !device.can::<ShowRun>() {
            return;
        }
        let mut shown = Shown::default();
        let mut events = self.subscribe(None, Presence::Watching);
        let mut said = device.events();
        loop {
            tokio::select! {
                message = events.next() => match message {
                    Some(StreamMessage::Snapshot { snapshot, .. }) => shown.begin(&device, snapshot).await,
                    Some(StreamMessage::Event { event, .. }) => shown.heard(&device, event).await,
                    None => return,
                },
                Some(event) = said.next() => self.told_by_device(event).await,
            }
        }
    }

    async fn told_by_device(&self, event: DeviceEvent) {
        match event {
            DeviceEvent::AskAnswered { ask, allow } => {
                let answer = if allow { Answer::AllowOnce } else { Answer::Deny };
                // A stale tap is harmless: the question is gone.
                if let Err(error) = self.answer(AskAnswerParams { ask: AskId::new(ask), answer }).await {
                    tracing::info!(%error, "an answer from a notification came too late");
                }
            }
            DeviceEvent::StopPressed => {
                let runs: Vec<RunId> = self.0.sessions().keys().cloned().collect();
                for run in runs {
                    self.stop(&run).await;
                }
            }
            _ => {}
        }
    }
}

impl Shown {
    async fn begin(&mut self, device: &Arc<dyn Device>, snapshot: Snapshot) {
        let gone: Vec<AskId> = std::mem::take(&mut self.asks).into_iter().collect();
        for ask in gone.iter().filter(|id| snapshot.asks.iter().all(|ask| ask.id != **id)) {
            tell(device, WithdrawAsk { ask: ask.to_string() }).await;
        }
        self.set_language(&snapshot.settings);
        self.runs = snapshot.live.into_iter().map(|live| (live.run.id.clone(), live.run)).collect();
        self.titles = snapshot.conversations.into_iter().map(|c| (c.id, c.title)).collect();
        self.show(device).await;
        for ask in snapshot.asks {
            self.post(device, ask).await;
        }
    }

    async fn heard(&mut self, device: &Arc<dyn Device>, event: Event) {
        match event {
            Event::Run { run } => {
                match run.state {
                    RunState::Running | RunState::Waiting => drop(self.runs.insert(run.id.clone(), run)),
                    _ => drop(self.runs.remove(&run.id)),
                }
                self.show(device).await;
            }
            Event::Conversation { conversation: ConversationSummary { id, title, .. } } => {
                self.titles.insert(id, title);
                self.show(device).await;
            }
            Event::ConversationRemoved { id } => drop(self.titles.remove(&id)),
            Event::AskOpened { ask } => self.post(device, ask).await,
            Event::AskClosed { id, .. } if self.asks.remove(&id) => {
                tell(device, WithdrawAsk { ask: id.to_string() }).await;
            }
            Event::Settings { settings } => self.set_language(&settings),
            _ => {}
        }
    }

    fn set_language(&mut self, settings: &Settings) {
        self.zh = settings.language == Some(Language::Zh);
    }

    /// Tells the device of the oldest run of the person's, or that there is none.
    async fn show(&mut self, device: &Arc<dyn Device>) {
        let top = || self.runs.values().filter(|run| run.parent.is_none());
        let first = top().min_by_key(|run| run.started).or_else(|| self.runs.values().next());
        let now = first.map(|run| {
            let title = self.titles.get(&run.conversation).filter(|title| !title.is_empty());
            let others = top().count().saturating_sub(1);
            let working = if self.zh { "Bailey 正在工作" } else { "Bailey is working" };
            let mut title = title.cloned().unwrap_or_else(|| working.to_owned());
            if others > 0 {
                title.push_str(&match self.zh {
                    true => format!("，另有 {others} 个任务"),
                    false => format!(" and {others} more"),
                });
            }
            ShowRun {
                title,
                public_title: working.to_owned(),
                stop: if self.zh { "停止" } else { "Stop" }.to_owned(),
                capturing: false,
            }
        });
        if now == self.told {
            return;
        }
        match &now {
            Some(run) => tell(device, run.clone()).await,
            None => tell(device, EndRun {}).await,
        }
        self.told = now;
    }

    async fn post(&mut self, device: &Arc<dyn Device>, ask: Ask) {
        let zh = self.zh;
        let (title, text, short) = match &ask.kind {
            AskKind::Confirm { tool, arguments, reasons, target, .. } => {
                let text = match target {
                    Some(target) => format!("{} · {}", target.app_name, target.label),
                    None => plain(arguments),
                };
                let title = if zh { format!("可以运行 {tool} 吗？") } else { format!("May {tool} run?") };
                // Where more than the mode asks, all of it has to be seen before a yes.
                let short = text.chars().count() <= SHORT && reasons.iter().all(|reason| reason.grantable());
                (title, text, short)
            }
            AskKind::Question { question, .. } => {
                (if zh { "Bailey 想问" } else { "Bailey asks" }.to_owned(), question.question.clone(), false)
            }
            AskKind::Spend { .. } => {
                let text = if zh { "一次任务达到了花费上限。" } else { "A run reached a spending cap." };
                (if zh { "继续花费吗？" } else { "Go on spending?" }.to_owned(), text.to_owned(), false)
            }
            AskKind::Recovery { tool, .. } => {
                let text = if zh {
                    format!("Bailey 关闭时 {tool} 正在运行。")
                } else {
                    format!("Bailey was closed while {tool} ran.")
                };
                (if zh { "它完成了吗？" } else { "Did it happen?" }.to_owned(), text, false)
            }
        };
        let post = PostAsk {
            ask: ask.id.to_string(),
            title,
            text: text.chars().take(SHORT).collect(),
            public_title: if zh { "Bailey 有一个问题" } else { "Bailey has a question" }.to_owned(),
            allow: short.then(|| if zh { "允许一次" } else { "Allow once" }.to_owned()),
            deny: matches!(ask.kind, AskKind::Confirm { .. } | AskKind::Spend { .. })
                .then(|| if zh { "拒绝" } else { "Deny" }.to_owned()),
            left_ms: ask.left_ms.unwrap_or(u32::MAX),
        };
        self.asks.insert(ask.id);
        tell(device, post).await;
    }
}

/// Arguments in a line, values only where one name says enough.
fn plain(arguments: &Value) -> String {
    let one = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    match arguments.as_object() {
        Some(object) => {
            object.iter().map(|(name, value)| format!("{name}: {}", one(value))).collect::<Vec<_>>().join(" · ")
        }
        None => one(arguments),
    }
}

/// Tells the device; a run does not end because it can't be shown.
async fn tell<R: Request>(device: &Arc<dyn Device>, request: R) {
    match device.ask(request).await {
        Ok(_) | Err(DeviceError { fault: Fault::NotGranted, .. }) => {}
        Err(error) => tracing::warn!(%error, command = R::COMMAND, "the device does not show it"),
    }
}
