// SPDX-License-Identifier: Apache-2.0
//! Tools' names as every provider takes them, and back.

use bailey_protocol::model::{Request, Turn};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// The longest name that all providers take, in bytes.
const LONGEST: usize = 64;

/// The names of one request's tools, each made to fit `[A-Za-z_][A-Za-z0-9_-]{0,63}` without two becoming one. The same
/// request always gives the same names, and names that fit stay as they are.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Only names that had to change.
    wire: HashMap<String, String>,
    back: HashMap<String, String>,
}

impl Names {
    /// The names of a request: of the tools it offers, and of its earlier calls (a model may have made one up).
    pub fn of(request: &Request) -> Self {
        let offered = request.tools.iter().map(|tool| tool.name.as_str());
        let called = request.messages.iter().flat_map(|turn| match turn {
            Turn::Assistant { calls, .. } => calls.as_slice(),
            _ => &[],
        });
        let answered = request.messages.iter().filter_map(|turn| match turn {
            Turn::Tool { name, .. } => Some(name.as_str()),
            _ => None,
        });
        let all: Vec<&str> = offered.chain(called.map(|call| call.name.as_str())).chain(answered).collect();
        let mut names = Self::default();
        if all.iter().all(|name| fits(name)) {
            return names;
        }
        let mut taken: HashSet<String> = all.iter().filter(|name| fits(name)).map(|name| (*name).to_owned()).collect();
        for name in all {
            if fits(name) || names.wire.contains_key(name) {
                continue;
            }
            let plain = fitting(name);
            let mut wire = plain.clone();
            let mut count = 2;
            while !taken.insert(wire.clone()) {
                let end = format!("_{count}");
                wire = format!("{}{end}", &plain[..plain.len().min(LONGEST - end.len())]);
                count += 1;
            }
            names.back.insert(wire.clone(), name.to_owned());
            names.wire.insert(name.to_owned(), wire);
        }
        names
    }

    /// A tool's name as it is sent.
    pub fn wire<'a>(&'a self, name: &'a str) -> Cow<'a, str> {
        match self.wire.get(name) {
            Some(wire) => wire.into(),
            None if fits(name) => name.into(),
            None => fitting(name).into(),
        }
    }

    /// The tool that a model calls by this name.
    pub fn back(&self, wire: &str) -> String {
        self.back.get(wire).map_or_else(|| wire.to_owned(), Clone::clone)
    }
}

fn fits_inside(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

fn fits_first(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

fn fits(name: &str) -> bool {
    (1..=LONGEST).contains(&name.len()) && name.starts_with(fits_first) && name.chars().all(fits_inside)
}

fn fitting(name: &str) -> String {
    if name.is_empty() {
        return "unnamed".to_owned();
    }
    let start = if name.starts_with(fits_first) { "" } else { "_" };
    let fitted = name.chars().map(|c| if fits_inside(c) { c } else { '_' });
    start.chars().chain(fitted).take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bailey_protocol::model::{PastCall, ToolDeclaration};
    use proptest::prelude::*;
    use serde_json::Value;

    fn request(tools: &[&str], calls: &[&str]) -> Request {
        let tool =
            |name: &&str| ToolDeclaration { name: (*name).to_owned(), description: String::new(), schema: Value::Null };
        let call = |name: &&str| PastCall { id: String::new(), name: (*name).to_owned(), arguments: Value::Null };
        let calls = calls.iter().map(call).collect();
        let turn = Turn::Assistant { text: String::new(), reasoning: String::new(), calls, native: None };
        Request { tools: tools.iter().map(tool).collect(), messages: vec![turn], ..Request::default() }
    }

    #[test]
    fn names_are_made_to_fit() {
        let long = "x".repeat(80);
        let names = Names::of(&request(
            &["get_time", "files/read", "files.read", "files_read", "时间", "7zip", &long],
            &["", "functions.get time", "get_time"],
        ));
        for (name, wire) in [
            ("get_time", "get_time"),
            ("files_read", "files_read"),
            ("files/read", "files_read_2"),
            ("files.read", "files_read_3"),
            ("时间", "___"),
            ("7zip", "_7zip"),
            (long.as_str(), &long[..64]),
            ("", "unnamed"),
            ("functions.get time", "functions_get_time"),
            ("never seen", "never_seen"),
        ] {
            assert_eq!(names.wire(name), wire, "{name:?}");
        }
        assert_eq!(names.back("files_read"), "files_read");
        assert_eq!(names.back("files_read_2"), "files/read");
        assert_eq!(names.back("unnamed"), "");
        assert_eq!(names.back("made_up"), "made_up");
    }

    proptest! {
        #[test]
        fn no_two_names_become_one(tools in proptest::collection::vec("[a./ 中]{0,3}|a{62,70}|_?a_?2?", 0..12)) {
            let tools: Vec<&str> = tools.iter().map(String::as_str).collect();
            let names = Names::of(&request(&tools, &[]));
            let mut seen: HashMap<String, &str> = HashMap::new();
            for tool in tools {
                let wire = names.wire(tool).into_owned();
                prop_assert!(fits(&wire), "{wire:?}");
                prop_assert_eq!(names.back(&wire), tool);
                prop_assert_eq!(*seen.entry(wire).or_insert(tool), tool);
            }
        }
    }
}
