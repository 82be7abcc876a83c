// SPDX-License-Identifier: Apache-2.0
//! What faces are told: events with sequence numbers, kept for a while so that a face that lost its connection misses
//! nothing, and merged deltas.

use bailey_protocol::{
    Block, Delta, DeltaKind, Event, Message, MessageId, MessageStatus, Millis, Snapshot, StreamMessage,
};
use futures::stream::{self, BoxStream, StreamExt};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// Events kept for those who come back.
const KEPT: usize = 4_096;
/// And at most so much of them, in bytes.
const KEPT_BYTES: usize = 8 * 1024 * 1024;
/// Deltas of one kind are merged for this long.
const MERGE: Duration = Duration::from_millis(33);
/// A merged delta is sent when it gets this long, in bytes.
const LARGEST: usize = 8_000;
/// A face that reloads or reconnects still counts as there for this long, in milliseconds.
const GRACE: Millis = 15_000;

/// What a face gets: first a snapshot, or the events it missed; then events.
pub type Subscription = BoxStream<'static, StreamMessage>;

/// Whether questions reach somebody through a subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// A person can answer through it.
    Attending,
    /// It only looks.
    Watching,
}

pub(crate) struct Hub {
    epoch: String,
    state: Mutex<State>,
    newest: watch::Sender<u64>,
    attending: AtomicUsize,
    last_attended: AtomicI64,
}

#[derive(Default)]
struct State {
    seq: u64,
    kept: VecDeque<Event>,
    kept_bytes: usize,
    pending: Option<Delta>,
    last_delta: Option<Instant>,
    flush_planned: bool,
    /// Messages being streamed, as told so far.
    streaming: Vec<Message>,
}

impl Hub {
    pub(crate) fn new(epoch: String) -> Self {
        Self {
            epoch,
            state: Mutex::default(),
            newest: watch::Sender::new(0),
            attending: AtomicUsize::new(0),
            last_attended: AtomicI64::new(Millis::MIN),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Tells everybody.
    pub(crate) fn publish(&self, event: Event) {
        let mut state = self.state();
        state.flush();
        state.push(event);
        self.newest.send_replace(state.seq);
    }

    /// Tells everybody that text was added; merged with others of its kind.
    pub(crate) fn delta(self: &Arc<Self>, delta: Delta) {
        let mut state = self.state();
        match &mut state.pending {
            Some(p) if p.message == delta.message && p.kind == delta.kind && p.kind != DeltaKind::Call => {
                p.text.push_str(&delta.text);
            }
            _ => {
                state.flush();
                state.pending = Some(delta);
            }
        }
        let since = state.last_delta.map_or(MERGE, |t| t.elapsed());
        if since >= MERGE || state.pending.as_ref().is_some_and(|p| p.text.len() >= LARGEST) {
            state.flush();
        } else if !state.flush_planned {
            state.flush_planned = true;
            let hub = Arc::downgrade(self);
            tokio::spawn(async move {
                tokio::time::sleep(MERGE - since).await;
                if let Some(hub) = hub.upgrade() {
                    let mut state = hub.state();
                    state.flush_planned = false;
                    state.flush();
                    hub.newest.send_replace(state.seq);
                }
            });
        }
        self.newest.send_replace(state.seq);
    }

    /// Whether somebody would see a question asked through a face.
    pub(crate) fn attended(&self, now: Millis) -> bool {
        self.attending.load(Ordering::Acquire) > 0
            || now.saturating_sub(self.last_attended.load(Ordering::Acquire)) < GRACE
    }

    /// Counts as attended for a moment: faces of an earlier process are about to come back.
    pub(crate) fn expect_faces(&self, now: Millis) {
        self.last_attended.store(now, Ordering::Release);
    }

    /// A subscription that begins now, not when it is first read.
    pub(crate) fn subscribe(
        self: &Arc<Self>,
        since: Option<(String, u64)>,
        presence: Presence,
        clock: Arc<dyn bailey_ports::Clock>,
        snapshot: impl Fn(&[Message]) -> Option<Snapshot> + Send + 'static,
    ) -> Subscription {
        let next = since.filter(|(epoch, _)| *epoch == self.epoch).map(|(_, seq)| seq);
        let attending = (presence == Presence::Attending).then(|| Attending::new(self, clock));
        let newest = self.newest.subscribe();
        let Some((ready, at)) = self.after(next, &snapshot) else { return stream::empty().boxed() };
        let start = (self.clone(), newest, Some(at), ready, attending, snapshot);
        stream::unfold(start, |(hub, mut newest, mut next, mut ready, attending, snapshot)| async move {
            loop {
                if let Some(message) = ready.pop_front() {
                    return Some((message, (hub, newest, next, ready, attending, snapshot)));
                }
                newest.borrow_and_update();
                let (messages, at) = hub.after(next, &snapshot)?;
                next = Some(at);
                ready = messages;
                if ready.is_empty() && newest.changed().await.is_err() {
                    return None;
                }
            }
        })
        .boxed()
    }

    /// The events after `seen`, or a snapshot when they are not kept any more.
    fn after(
        &self,
        seen: Option<u64>,
        snapshot: &(impl Fn(&[Message]) -> Option<Snapshot> + Send),
    ) -> Option<(VecDeque<StreamMessage>, u64)> {
        let mut state = self.state();
        let oldest = state.seq - state.kept.len() as u64;
        if let Some(seen) = seen
            && seen >= oldest
            && seen <= state.seq
        {
            let skip = (seen - oldest) as usize;
            let events = state.kept.iter().skip(skip).zip(seen + 1..);
            let events = events.map(|(event, seq)| StreamMessage::Event { seq, event: event.clone() }).collect();
            return Some((events, state.seq));
        }
        // Under the lock, so that no delta is both in the snapshot and after it.
        state.flush();
        let snapshot = snapshot(&state.streaming)?;
        let message = StreamMessage::Snapshot { epoch: self.epoch.clone(), seq: state.seq, snapshot };
        Some((VecDeque::from([message]), state.seq))
    }
}

impl State {
    fn flush(&mut self) {
        let Some(mut delta) = self.pending.take() else { return };
        self.last_delta = Some(Instant::now());
        while delta.text.len() > LARGEST {
            let end = (0..=LARGEST).rev().find(|&at| delta.text.is_char_boundary(at)).unwrap_or(0);
            let rest = delta.text.split_off(end);
            let text = std::mem::replace(&mut delta.text, rest);
            self.push(Event::Delta { delta: Delta { text, ..delta.clone() } });
        }
        self.push(Event::Delta { delta });
    }

    fn push(&mut self, event: Event) {
        match &event {
            Event::Message { message } => {
                self.streaming.retain(|m| m.id != message.id);
                if message.status == MessageStatus::Streaming {
                    self.streaming.push(message.clone());
                }
            }
            Event::Delta { delta } => self.add(&delta.message, delta),
            Event::ConversationRemoved { id } => self.streaming.retain(|m| m.conversation != *id),
            _ => {}
        }
        self.seq += 1;
        self.kept_bytes += weight(&event);
        self.kept.push_back(event);
        while self.kept.len() > KEPT || (self.kept_bytes > KEPT_BYTES && self.kept.len() > 1) {
            if let Some(oldest) = self.kept.pop_front() {
                self.kept_bytes -= weight(&oldest);
            }
        }
    }

    fn add(&mut self, id: &MessageId, delta: &Delta) {
        let Some(message) = self.streaming.iter_mut().find(|m| m.id == *id) else { return };
        match (delta.kind, message.blocks.last_mut()) {
            (DeltaKind::Call, _) => {}
            (DeltaKind::Text, Some(Block::Text { text }))
            | (DeltaKind::Reasoning, Some(Block::Reasoning { text, .. })) => {
                text.push_str(&delta.text);
            }
            (DeltaKind::Text, _) => message.blocks.push(Block::Text { text: delta.text.clone() }),
            (DeltaKind::Reasoning, _) => message.blocks.push(Block::Reasoning { text: delta.text.clone(), ms: 0 }),
        }
    }
}

/// About how many bytes an event takes.
fn weight(event: &Event) -> usize {
    const REST: usize = 512;
    REST + match event {
        Event::Delta { delta } => delta.text.len(),
        Event::Message { message } => message.blocks.iter().map(block_weight).sum(),
        _ => 0,
    }
}

fn block_weight(block: &Block) -> usize {
    match block {
        Block::Text { text } | Block::Reasoning { text, .. } => text.len(),
        Block::Call { call } => value_weight(&call.arguments) + call.parts.iter().map(|p| p.text.len()).sum::<usize>(),
        Block::Item { kind, data } => kind.len() + value_weight(data),
        Block::Picture { picture } => picture.name.len(),
    }
}

fn value_weight(value: &serde_json::Value) -> usize {
    use serde_json::Value;
    match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(|v| 32 + value_weight(v)).sum(),
        Value::Object(members) => members.iter().map(|(k, v)| 64 + k.len() + value_weight(v)).sum(),
        _ => 0,
    }
}

/// Counts a face for as long as it lives.
struct Attending {
    hub: Arc<Hub>,
    clock: Arc<dyn bailey_ports::Clock>,
}

impl Attending {
    fn new(hub: &Arc<Hub>, clock: Arc<dyn bailey_ports::Clock>) -> Self {
        hub.attending.fetch_add(1, Ordering::AcqRel);
        Self { hub: hub.clone(), clock }
    }
}

impl Drop for Attending {
    fn drop(&mut self) {
        self.hub.last_attended.store(self.clock.now(), Ordering::Release);
        self.hub.attending.fetch_sub(1, Ordering::AcqRel);
    }
}
