// SPDX-License-Identifier: Apache-2.0
//! The calendar. Its times are in UTC.

use crate::phone::dialog::choice;
use crate::phone::effect::Effect;
use crate::phone::packages::CALENDAR;
use crate::phone::view::{View, bar, button, column, entry, field, icon, list, text, top};
use crate::phone::world::World;

/// An event.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) number: u64,
    pub(crate) title: String,
    pub(crate) place: String,
    pub(crate) begin: u64,
}

#[derive(Clone, Debug, Default)]
struct NewEvent {
    title: String,
    date: String,
    time: String,
    problem: bool,
}

/// The calendar, and the page that is shown.
#[derive(Clone, Debug)]
pub(crate) struct Calendar {
    pub(crate) events: Vec<Event>,
    open: Option<u64>,
    new: Option<NewEvent>,
}

impl Default for Calendar {
    fn default() -> Self {
        let event = |number, title: &str, place: &str, begin| Event {
            number,
            title: title.to_owned(),
            place: place.to_owned(),
            begin,
        };
        Self {
            events: vec![
                event(1, "Dentist", "Main Street 1", 1_790_150_400_000),
                event(2, "Dinner with Ada", "Luigi's", 1_790_272_800_000),
            ],
            open: None,
            new: None,
        }
    }
}

fn when(begin: u64) -> String {
    let at = i64::try_from(begin).ok().and_then(|ms| jiff::Timestamp::from_millisecond(ms).ok()).unwrap_or_default();
    at.to_zoned_datetime(jiff::tz::TimeZone::UTC).strftime("%Y-%m-%d %H:%M").to_string()
}

fn parse(date: &str, time: &str) -> Option<u64> {
    let at: jiff::civil::DateTime = format!("{}T{}", date.trim(), time.trim()).parse().ok()?;
    let zoned = at.to_zoned_datetime(jiff::tz::TimeZone::UTC).ok()?;
    u64::try_from(zoned.timestamp().as_millisecond()).ok()
}

impl World {
    /// Writes an event and tells its number.
    pub(crate) fn add_event(&mut self, title: &str, place: &str, begin: u64) -> u64 {
        let number = self.number();
        self.calendar.events.push(Event { number, title: title.to_owned(), place: place.to_owned(), begin });
        self.happened(Effect::EventSaved { title: title.to_owned(), begin });
        number
    }

    fn save_event(&mut self) {
        let Some(new) = &mut self.calendar.new else { return };
        match parse(&new.date, &new.time) {
            Some(begin) if !new.title.trim().is_empty() => {
                let title = new.title.clone();
                self.calendar.new = None;
                self.add_event(&title, "", begin);
                self.turn();
            }
            _ => new.problem = true,
        }
    }
}

pub(crate) fn back(w: &mut World) -> bool {
    w.calendar.new.take().is_some() || w.calendar.open.take().is_some()
}

pub(crate) fn draw(w: &World) -> View {
    if let Some(new) = &w.calendar.new {
        return form(new);
    }
    if let Some(event) = w.calendar.open.and_then(|open| w.calendar.events.iter().find(|e| e.number == open)) {
        let (number, name) = (event.number, event.title.clone());
        let delete = icon("delete", "Delete event").tap(move |w| ask_delete(w, number, &name));
        return column([
            bar(&event.title, [delete]),
            text(when(event.begin)).id("when"),
            text(&event.place).id("where"),
        ]);
    }
    let mut events: Vec<&Event> = w.calendar.events.iter().collect();
    events.sort_by_key(|e| (e.begin, e.number));
    let rows = events.into_iter().map(|event| {
        let number = event.number;
        entry(&number.to_string(), &event.title, &when(event.begin)).tap(move |w| {
            w.calendar.open = Some(number);
            w.turn();
        })
    });
    let add = icon("floating_action_button", "Create new event").tap(|w| {
        w.calendar.new = Some(NewEvent::default());
        w.turn();
    });
    column([top("Calendar", [add]), list("agenda", rows)])
}

fn form(new: &NewEvent) -> View {
    let edit = |change: fn(&mut NewEvent, &str)| {
        move |w: &mut World, text: &str| {
            if let Some(new) = &mut w.calendar.new {
                change(new, text);
            }
        }
    };
    let mut view = column([
        bar("New event", [button("save", "Save").wide(250).tap(World::save_event)]),
        field("title_edit", &new.title, "Add title", edit(|new, text| text.clone_into(&mut new.title))),
        field("date_edit", &new.date, "Date, as 2026-09-30", edit(|new, text| text.clone_into(&mut new.date))),
        field("time_edit", &new.time, "Time, as 14:30", edit(|new, text| text.clone_into(&mut new.time))),
    ]);
    if new.problem {
        view.children.push(text("Enter a title, a date and a time").id("error"));
    }
    view
}

fn ask_delete(w: &mut World, number: u64, name: &str) {
    let name = name.to_owned();
    w.ask(
        CALENDAR,
        "Delete this event?",
        "",
        vec![
            choice("button2", "Cancel", |_| {}),
            choice("button1", "Delete", move |w| {
                w.calendar.events.retain(|e| e.number != number);
                w.calendar.open = None;
                w.happened(Effect::Deleted { kind: "event".to_owned(), name: name.clone() });
            }),
        ],
    );
}
