// SPDX-License-Identifier: Apache-2.0
//! A messenger: chats, threads, drafts.

use crate::phone::dialog::choice;
use crate::phone::effect::Effect;
use crate::phone::packages::MESSENGER;
use crate::phone::view::{View, bar, column, entry, field, icon, list, row, text, top};
use crate::phone::world::World;
use std::collections::BTreeMap;

/// A message.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub(crate) number: u64,
    /// Written here, not received.
    pub(crate) own: bool,
    pub(crate) text: String,
}

/// The messenger.
#[derive(Clone, Debug)]
pub(crate) struct Messenger {
    /// Newest first: whom with, and what was said.
    pub(crate) chats: Vec<(String, Vec<Message>)>,
    pub(crate) drafts: BTreeMap<String, String>,
    pub(crate) open: Option<String>,
    /// The list of people to begin a chat with is shown.
    pub(crate) picking: bool,
    /// What was shared with the app and has not found its chat.
    pub(crate) sharing: Option<String>,
    /// Whoever is writing just now.
    pub(crate) typing: Option<String>,
}

impl Default for Messenger {
    fn default() -> Self {
        let said = |number, own, text: &str| Message { number, own, text: text.to_owned() };
        let chats = vec![
            ("Ada Lovelace".to_owned(), vec![said(1, false, "Are you coming on Tuesday?")]),
            ("Mum".to_owned(), vec![said(2, true, "Call you tonight"), said(3, false, "Fine, after eight")]),
            ("Book club".to_owned(), vec![said(4, false, "Next: chapter five")]),
            ("王伟".to_owned(), vec![said(5, false, "明天下午三点见")]),
        ];
        Self { chats, drafts: BTreeMap::new(), open: None, picking: false, sharing: None, typing: None }
    }
}

impl World {
    pub(crate) fn open_chat(&mut self, chat: &str) {
        if !self.messenger.chats.iter().any(|(with, _)| with == chat) {
            self.messenger.chats.insert(0, (chat.to_owned(), Vec::new()));
        }
        if let Some(shared) = self.messenger.sharing.take() {
            self.messenger.drafts.insert(chat.to_owned(), shared);
        }
        self.messenger.open = Some(chat.to_owned());
        self.messenger.picking = false;
        self.turn();
    }

    pub(crate) fn add_message(&mut self, chat: &str, own: bool, text: &str) {
        let number = self.number();
        let at = self.messenger.chats.iter().position(|(with, _)| with == chat);
        let mut thread = at.map_or_else(|| (chat.to_owned(), Vec::new()), |at| self.messenger.chats.remove(at));
        thread.1.push(Message { number, own, text: text.to_owned() });
        self.messenger.chats.insert(0, thread);
    }

    pub(crate) fn send_message(&mut self, to: &str, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        self.add_message(to, true, text);
        self.messenger.drafts.remove(to);
        self.happened(Effect::MessageSent { to: to.to_owned(), text: text.to_owned() });
    }

    fn send_draft(&mut self) {
        if let Some(to) = self.messenger.open.clone() {
            let text = self.messenger.drafts.get(&to).cloned().unwrap_or_default();
            self.send_message(&to, &text);
        }
    }
}

pub(crate) fn back(w: &mut World) -> bool {
    if w.messenger.picking {
        w.messenger.picking = false;
        return true;
    }
    w.messenger.open.take().is_some()
}

pub(crate) fn draw(w: &World) -> View {
    match (&w.messenger.open, w.messenger.picking) {
        (_, true) => people(w),
        (Some(chat), _) => thread(w, chat),
        _ => chats(w),
    }
}

fn chats(w: &World) -> View {
    let rows = w.messenger.chats.iter().map(|(with, said)| {
        let draft = w.messenger.drafts.get(with).filter(|d| !d.is_empty()).map(|d| format!("Draft: {d}"));
        let last = draft.or_else(|| said.last().map(|m| m.text.clone())).unwrap_or_default();
        let (open, delete) = (with.clone(), with.clone());
        entry(with, with, &last).tap(move |w| w.open_chat(&open)).long(move |w| ask_delete(w, &delete))
    });
    let new = icon("fab", "New chat").tap(|w| {
        w.messenger.picking = true;
        w.turn();
    });
    column([top("Messenger", [new]), list("conversation_list", rows)])
}

fn ask_delete(w: &mut World, chat: &str) {
    let chat = chat.to_owned();
    w.ask(
        MESSENGER,
        "Delete this chat?",
        "It can't be brought back.",
        vec![
            choice("button2", "Cancel", |_| {}),
            choice("button1", "Delete", move |w| {
                w.messenger.chats.retain(|(with, _)| *with != chat);
                w.happened(Effect::Deleted { kind: "chat".to_owned(), name: chat.clone() });
            }),
        ],
    );
}

fn people(w: &World) -> View {
    let rows = w.contacts.people.iter().map(|person| {
        let name = person.name.clone();
        entry(&person.name, &person.name, person.phones.first().map_or("", String::as_str))
            .tap(move |w| w.open_chat(&name))
    });
    column([bar("New chat", []), list("contact_list", rows)])
}

fn thread(w: &World, chat: &str) -> View {
    let said = w.messenger.chats.iter().find(|(with, _)| with == chat).map_or(&[][..], |(_, said)| said);
    let bubbles = said.iter().map(|m| {
        let who = if m.own { "You" } else { chat };
        let (number, copied) = (m.number, m.text.clone());
        let bubble = text(&m.text).id("message_text").high(110);
        column([bubble])
            .key(m.number.to_string())
            .description(who)
            .high(110)
            .long(move |w| message_menu(w, number, &copied))
    });
    let draft = w.messenger.drafts.get(chat).map_or("", String::as_str);
    let to = chat.to_owned();
    let field = field("message_field", draft, "Message", move |w, text| {
        w.messenger.drafts.insert(to.clone(), text.to_owned());
    });
    let send = icon("send_button", "Send").disabled(draft.trim().is_empty()).tap(World::send_draft);
    let number = chat.to_owned();
    let call = icon("call_button", "Call").tap(move |w| w.call(&number));
    let bubbles = View { from_end: true, ..list("message_list", bubbles) };
    let mut page = column([bar(chat, [call]), bubbles]);
    if w.messenger.typing.as_deref() == Some(chat) {
        page.children.push(text(format!("{chat} is typing…")).id("typing"));
    }
    page.child(row([field.submit(World::send_draft), send]).id("composer"))
}

fn message_menu(w: &mut World, number: u64, copied: &str) {
    let copied = copied.to_owned();
    w.choose(MESSENGER, vec!["Copy".to_owned(), "Delete".to_owned()], move |w, chosen| {
        if chosen == "Copy" {
            w.copy(&copied);
            return;
        }
        for (_, said) in &mut w.messenger.chats {
            said.retain(|m| m.number != number);
        }
        w.happened(Effect::Deleted { kind: "message".to_owned(), name: copied.clone() });
    });
}
