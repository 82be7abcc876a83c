// SPDX-License-Identifier: Apache-2.0
//! Calls as they come out. A model that was taught another notation may write several calls as one, of a tool
//! `multi_tool_use.parallel` that nobody offered.

use bailey_protocol::model::Reply;
use serde_json::Value;

/// A whole call.
#[derive(Debug)]
pub(super) struct Written {
    /// The item it came in.
    pub(super) slot: usize,
    pub(super) id: String,
    /// The tool's name as the provider knows it.
    pub(super) wire: String,
    /// The tool.
    pub(super) name: String,
    /// As the model wrote them.
    pub(super) arguments: String,
}

impl Written {
    pub(super) fn into_reply(self) -> Reply {
        Reply::Call { id: self.id, name: self.name, arguments: self.arguments }
    }
}

/// One of the calls in an item.
pub(super) struct One {
    pub(super) name: String,
    pub(super) arguments: String,
    /// Where in its wrapper, counted from 1.
    pub(super) number: Option<usize>,
}

/// Whether a call of this name may hold others.
pub(super) fn may_wrap(name: &str) -> bool {
    matches!(name, "parallel" | "multi_tool_use.parallel" | "multi_tool_use_parallel")
}

/// The calls that were meant.
pub(super) fn unwrapped(name: &str, arguments: String) -> Vec<One> {
    let inner = if may_wrap(name) { inside(&arguments) } else { None };
    inner.unwrap_or_else(|| vec![One { name: name.to_owned(), arguments, number: None }])
}

fn inside(arguments: &str) -> Option<Vec<One>> {
    let value: Value = serde_json::from_str(arguments).ok()?;
    let object = value.as_object().filter(|object| object.len() == 1)?;
    let uses = object.get("tool_uses")?.as_array().filter(|uses| !uses.is_empty())?;
    let one = |(number, used): (usize, &Value)| {
        let name = used.get("recipient_name")?.as_str()?;
        let name = name.strip_prefix("functions.").unwrap_or(name);
        let arguments = match used.get("parameters") {
            None | Some(Value::Null) => "{}".to_owned(),
            Some(parameters) => parameters.as_object().map(|_| parameters.to_string())?,
        };
        (!name.is_empty() && !may_wrap(name)).then(|| One { name: name.to_owned(), arguments, number: Some(number) })
    };
    (1..).zip(uses).map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn short(name: &str, arguments: &str) -> Vec<String> {
        let one = |one: One| format!("{} {} {:?}", one.name, one.arguments, one.number);
        unwrapped(name, arguments.to_owned()).into_iter().map(one).collect()
    }

    #[test]
    fn only_a_wrapper_is_unwrapped() {
        let two =
            r#"{"tool_uses":[{"recipient_name":"functions.a","parameters":{"x":1.0,"b":"ä"}},{"recipient_name":"b"}]}"#;
        for name in ["parallel", "multi_tool_use.parallel", "multi_tool_use_parallel"] {
            assert_eq!(short(name, two), [r#"a {"x":1.0,"b":"ä"} Some(1)"#, "b {} Some(2)"]);
        }
        for (name, arguments) in [
            ("a", two),
            ("parallel", "{}"),
            ("parallel", r#"{"tool_uses":[]}"#),
            ("parallel", r#"{"tool_uses":[{"recipient_name":"a"}],"more":1}"#),
            ("parallel", r#"{"tool_uses":[{"recipient_name":"a"},{"parameters":{}}]}"#),
            ("parallel", r#"{"tool_uses":[{"recipient_name":"a","parameters":[1]}]}"#),
            ("parallel", r#"{"tool_uses":[{"recipient_name":"functions.parallel"}]}"#),
            ("parallel", r#"{"tool_uses":[{"recip"#),
        ] {
            assert_eq!(short(name, arguments), [format!("{name} {arguments} None")]);
        }
    }
}
