// SPDX-License-Identifier: Apache-2.0
//! The address book.

use crate::phone::dialog::choice;
use crate::phone::effect::Effect;
use crate::phone::packages::{CONTACTS, DIALLER, MESSENGER};
use crate::phone::view::{View, bar, button, column, entry, field, icon, list, row, text, top};
use crate::phone::world::World;
use bailey_ports::device::{ContactMatch, Contacts};

/// The address book, and the page that is shown.
#[derive(Clone, Debug)]
pub(crate) struct AddressBook {
    pub(crate) people: Vec<ContactMatch>,
    query: String,
    open: Option<String>,
    /// The name and the number of somebody who is being written down.
    new: Option<(String, String)>,
}

impl Default for AddressBook {
    fn default() -> Self {
        let person = |name: &str, phone: &str, mail: &str| ContactMatch {
            name: name.to_owned(),
            phones: vec![phone.to_owned()],
            emails: if mail.is_empty() { Vec::new() } else { vec![mail.to_owned()] },
        };
        Self {
            people: vec![
                person("Ada Lovelace", "+49 89 1234", "ada@example.org"),
                person("Bob Miller", "+49 30 5550", "bob@example.org"),
                person("Grace Hopper", "+1 212 555 0100", "grace@example.com"),
                person("Mum", "+49 40 7700", ""),
                person("王伟", "+86 138 0013 8000", "wangwei@example.cn"),
            ],
            query: String::new(),
            open: None,
            new: None,
        }
    }
}

impl AddressBook {
    fn matching(&self, query: &str) -> Vec<&ContactMatch> {
        let query = query.to_lowercase();
        let has = |text: &String| text.to_lowercase().contains(&query);
        self.people.iter().filter(|p| has(&p.name) || p.phones.iter().any(has) || p.emails.iter().any(has)).collect()
    }

    /// Who fits a query.
    pub(crate) fn find(&self, query: &str, limit: u32) -> Contacts {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let all = self.matching(query);
        Contacts { more: all.len() > limit, contacts: all.into_iter().take(limit).cloned().collect() }
    }
}

impl World {
    /// Calls a number, or somebody in the address book.
    pub(crate) fn call(&mut self, whom: &str) {
        let person = self.contacts.people.iter().find(|p| p.name == whom);
        let number = person.and_then(|p| p.phones.first()).map_or_else(|| whom.to_owned(), Clone::clone);
        if !number.is_empty() {
            self.happened(Effect::Called { number });
        }
    }

    /// Puts a text on the clipboard.
    pub(crate) fn copy(&mut self, text: &str) {
        self.clipboard = Some(text.to_owned());
        self.happened(Effect::Copied { text: text.to_owned() });
    }

    fn save_contact(&mut self) {
        let Some((name, phone)) = self.contacts.new.clone() else { return };
        if name.trim().is_empty() {
            return;
        }
        self.contacts.new = None;
        self.contacts.people.push(ContactMatch { name: name.clone(), phones: vec![phone.clone()], emails: Vec::new() });
        self.contacts.open = Some(name.clone());
        self.turn();
        self.happened(Effect::ContactSaved { name, phone });
    }
}

pub(crate) fn back(w: &mut World) -> bool {
    w.contacts.new.take().is_some() || w.contacts.open.take().is_some()
}

pub(crate) fn draw(w: &World) -> View {
    if let Some((name, phone)) = &w.contacts.new {
        return form(name, phone);
    }
    if let Some(person) = w.contacts.open.as_ref().and_then(|open| w.contacts.people.iter().find(|p| p.name == *open)) {
        return details(person);
    }
    let rows = w.contacts.matching(&w.contacts.query).into_iter().map(|person| {
        let name = person.name.clone();
        entry(&person.name, &person.name, "").tap(move |w| {
            w.contacts.open = Some(name.clone());
            w.turn();
        })
    });
    let add = icon("fab", "Create contact").tap(|w| {
        w.contacts.new = Some(Default::default());
        w.turn();
    });
    let search =
        field("search_view", &w.contacts.query, "Search contacts", |w, text| text.clone_into(&mut w.contacts.query));
    column([top("Contacts", [add]), search, list("list", rows)])
}

fn details(person: &ContactMatch) -> View {
    let name = person.name.clone();
    let phone = person.phones.first().cloned().unwrap_or_default();
    let (call, message, delete) = (phone.clone(), name.clone(), name.clone());
    column([
        bar(&name, []),
        row([
            button("call", "Call").tap(move |w| {
                w.dialled.clone_from(&call);
                w.go(DIALLER);
            }),
            button("message", "Message").tap(move |w| {
                w.go(MESSENGER);
                w.open_chat(&message);
            }),
            button("delete", "Delete").tap(move |w| ask_delete(w, &delete)),
        ]),
        entry("phone", &phone, "Mobile"),
        entry("email", person.emails.first().map_or("", String::as_str), "Email"),
    ])
}

fn ask_delete(w: &mut World, name: &str) {
    let name = name.to_owned();
    w.ask(
        CONTACTS,
        "Delete contact?",
        &format!("{name} will be deleted."),
        vec![
            choice("button2", "Cancel", |_| {}),
            choice("button1", "Delete", move |w| {
                w.contacts.people.retain(|p| p.name != name);
                w.contacts.open = None;
                w.happened(Effect::Deleted { kind: "contact".to_owned(), name: name.clone() });
            }),
        ],
    );
}

fn form(name: &str, phone: &str) -> View {
    column([
        bar("Create contact", [button("save", "Save").wide(250).tap(World::save_contact)]),
        field("name", name, "Name", |w, text| {
            if let Some((name, _)) = &mut w.contacts.new {
                text.clone_into(name);
            }
        }),
        field("phone", phone, "Phone", |w, typed| {
            if let Some((_, phone)) = &mut w.contacts.new {
                // The field keeps what belongs into a number.
                *phone = typed.chars().filter(|c| c.is_ascii_digit() || "+ -()".contains(*c)).collect();
            }
        }),
        text("Saved on this device"),
    ])
}
