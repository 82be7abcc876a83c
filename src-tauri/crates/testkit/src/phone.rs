// SPDX-License-Identifier: Apache-2.0
//! A simulated phone: a small world of apps that a test can look into and that Bailey reaches only by requests.
//!
//! What is on the screen is drawn from the world's state, and the state changes only when something is touched, typed,
//! opened or asked for, or when a script says so. Nothing is random and nothing has a clock of its own. Everything that
//! matters is written down as an [`Effect`], by which a test or an evaluation judges what was done.
//!
//! A test sets the scene with [`Phone::change`], has something happen in the middle with [`Phone::before`] and
//! [`Phone::after`], lets requests fail with [`Phone::fail`], and asks [`Phone::effects`] what Bailey brought about.
//!
//! Where the contract leaves it open, the phone does what Android does: a node that nobody sees, or that another window
//! covers, is touched all the same by whoever names it, while a finger reaches only what lies in front; scrolling at the
//! end is [`Fault::Refused`]; a tap on what takes none goes to what it stands in, or to nothing.

mod act;
mod answer;
mod apps;
mod dialog;
mod effect;
mod finger;
mod inner;
mod layout;
mod lie;
mod outside;
pub mod packages;
mod picture;
mod shade;
mod view;
mod windows;
mod world;

pub use apps::browser::{Page, Part};
pub use effect::{Effect, Entry, Hand};
pub use finger::{Finger, Found, find};
pub use lie::{Lie, Unseen};
pub use outside::Popup;
pub use world::{Consent, World};

use crate::clock::FakeClock;
use answer::Outcome;
use async_trait::async_trait;
use bailey_ports::Clock;
use bailey_ports::device::{Channel, Device, DeviceError, DeviceEvent, Fault, Screen, requests};
use bailey_protocol::Millis;
use futures::StreamExt;
use futures::channel::mpsc::{UnboundedSender, unbounded};
use futures::stream::BoxStream;
use inner::{Inner, Moment, Stored, Trouble};
use serde_json::Value;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// A simulated phone. Clones are the same phone.
#[derive(Clone)]
pub struct Phone {
    inner: Arc<Mutex<Inner>>,
    listeners: Arc<Mutex<Vec<UnboundedSender<DeviceEvent>>>>,
    changed: Arc<Notify>,
    clock: Arc<FakeClock>,
}

impl Default for Phone {
    fn default() -> Self {
        Self::new(Arc::new(FakeClock::at(1_790_000_000_000)))
    }
}

impl Phone {
    /// A phone as somebody uses it every day: everything granted, unlocked, on the home screen. Its clock goes on only
    /// by a test, and by requests that are made slow or wait.
    pub fn new(clock: Arc<FakeClock>) -> Self {
        Self {
            inner: Arc::new(Mutex::new(Inner::new(World::new(clock.now())))),
            listeners: Arc::default(),
            changed: Arc::default(),
            clock,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Everything that happened, in order.
    pub fn log(&self) -> Vec<Entry> {
        self.lock().world.log.clone()
    }

    /// What Bailey's requests brought about, in order.
    pub fn effects(&self) -> Vec<Effect> {
        self.log().into_iter().filter(|entry| entry.by == Hand::Bailey).map(|entry| entry.effect).collect()
    }

    /// The requests so far, in order, also those that failed.
    pub fn asked(&self) -> Vec<(Channel, String)> {
        self.lock().asked.clone()
    }

    /// What is on the screen, without asking through a channel.
    pub fn screen(&self) -> Screen {
        self.lock().screen()
    }

    /// Something happens in the world from outside.
    pub fn change<T>(&self, script: impl FnOnce(&mut World) -> T) -> T {
        let mut inner = self.lock();
        inner.world.now = self.clock.now();
        inner.world.by = Hand::Outside;
        let result = script(&mut inner.world);
        inner.settle();
        self.tell(inner);
        result
    }

    /// Something happens from outside right before the next request of this command is carried out. Of several, each
    /// waits for a request of its own.
    pub fn before(&self, command: &str, script: impl FnOnce(&mut World) + Send + 'static) {
        self.lock().scripts.push((Moment::Before(command.to_owned()), Box::new(script)));
    }

    /// Likewise, right after it.
    pub fn after(&self, command: &str, script: impl FnOnce(&mut World) + Send + 'static) {
        self.lock().scripts.push((Moment::After(command.to_owned()), Box::new(script)));
    }

    /// Requests of a command, or of a channel by its name, fail so many times. Nothing happens then.
    pub fn fail(&self, what: &str, fault: Fault, times: u32) {
        self.trouble(what, Trouble::Fault(fault), times);
    }

    /// Likewise they take so many milliseconds of the phone's clock.
    pub fn slow(&self, what: &str, ms: Millis, times: u32) {
        self.trouble(what, Trouble::Slow(ms), times);
    }

    /// Likewise they never end. With `done`, what was asked has happened all the same.
    pub fn hang(&self, what: &str, done: bool, times: u32) {
        self.trouble(what, if done { Trouble::HangAfter } else { Trouble::Hang }, times);
    }

    fn trouble(&self, what: &str, trouble: Trouble, times: u32) {
        if times > 0 {
            self.lock().troubles.push(Stored { what: what.to_owned(), trouble, times });
        }
    }

    /// The phone is one that can't do this at all, as an older version of its system.
    pub fn without(&self, command: &str) {
        self.lock().without.insert(command.to_owned());
    }

    /// Lets time pass; alarms that are due ring.
    pub fn pass(&self, ms: Millis) {
        self.clock.advance(ms);
        self.change(World::ring);
    }

    /// Its clock.
    pub fn clock(&self) -> &Arc<FakeClock> {
        &self.clock
    }

    /// Sends what is to be told, once the lock is free again, and wakes whoever waits for a dialog.
    fn tell(&self, mut inner: MutexGuard<'_, Inner>) {
        let told = std::mem::take(&mut inner.world.told);
        drop(inner);
        let mut listeners = self.listeners.lock().unwrap_or_else(PoisonError::into_inner);
        listeners.retain(|listener| told.iter().all(|event| listener.unbounded_send(event.clone()).is_ok()));
        drop(listeners);
        self.changed.notify_waiters();
    }

    /// Begins a request: what befalls it, and its answer unless it hangs.
    fn begin(&self, channel: Channel, command: &str, request: Value) -> Result<Option<Outcome>, DeviceError> {
        let mut inner = self.lock();
        inner.asked.push((channel, command.to_owned()));
        if !requests().contains(&(channel, command)) || inner.without.contains(command) {
            return Err(DeviceError::new(channel, Fault::Unsupported, ""));
        }
        inner.world.step += 1;
        inner.world.touched = false;
        let trouble = inner.trouble(channel, command);
        match trouble {
            Some(Trouble::Fault(fault)) => return Err(DeviceError::new(channel, fault, "")),
            Some(Trouble::Hang) => return Ok(None),
            Some(Trouble::Slow(ms)) => self.clock.advance(ms),
            Some(Trouble::HangAfter) | None => {}
        }
        inner.world.now = self.clock.now();
        inner.run_script(&Moment::Before(command.to_owned()));
        inner.world.by = Hand::Bailey;
        let outcome = inner.answer(channel, command, request);
        inner.world.by = Hand::Outside;
        inner.settle();
        inner.run_script(&Moment::After(command.to_owned()));
        let spent = inner.world.now - self.clock.now();
        self.clock.advance(spent.max(0));
        self.tell(inner);
        if trouble == Some(Trouble::HangAfter) { Ok(None) } else { outcome.map(Some) }
    }
}

#[async_trait]
impl Device for Phone {
    async fn call(&self, channel: Channel, command: &str, request: Value) -> Result<Value, DeviceError> {
        match self.begin(channel, command, request)? {
            None => std::future::pending().await,
            Some(Outcome::Done(reply)) => Ok(reply),
            Some(Outcome::Waits { dialog, then }) => {
                let mut then = Some(then);
                loop {
                    let changed = self.changed.notified();
                    tokio::pin!(changed);
                    changed.as_mut().enable();
                    {
                        let mut inner = self.lock();
                        if let Some(yes) = inner.world.answers.remove(&dialog)
                            && let Some(then) = then.take()
                        {
                            let reply = then(&mut inner.world, yes);
                            self.tell(inner);
                            return reply;
                        }
                    }
                    changed.await;
                }
            }
        }
    }

    fn offers(&self, channel: Channel, command: &str) -> bool {
        requests().contains(&(channel, command)) && !self.lock().without.contains(command)
    }

    fn events(&self) -> BoxStream<'static, DeviceEvent> {
        let (sender, receiver) = unbounded();
        self.listeners.lock().unwrap_or_else(PoisonError::into_inner).push(sender);
        receiver.boxed()
    }
}
