// SPDX-License-Identifier: Apache-2.0
//! A conversation as the gate knows it, built by what happens in it.
#![allow(dead_code, reason = "each test uses a part of it")]

use bailey_policy::{
    ArgumentRole, Attendance, CallHistory, Definition, Origins, Question, Signature, ToolFacts, ToolKind, ToolSpec,
    Verdict, gate,
};
use bailey_protocol::{
    Block, Budget, Call, CallState, Doubt, DoubtKind, Labels, Ledger, Message, MessageStatus, Mode, Part, PartRole,
    Reason, Role, Source,
};
use serde_json::{Value, json};

/// A conversation so far.
#[derive(Clone, Default)]
pub(crate) struct Context {
    pub(crate) origins: Origins,
    pub(crate) labels: Labels,
}

pub(crate) fn outside(tool: &str) -> Labels {
    Labels { outside: vec![Source::tool(tool)], private: Vec::new() }
}

pub(crate) fn private(tool: &str) -> Labels {
    Labels { outside: Vec::new(), private: vec![Source::tool(tool)] }
}

pub(crate) fn message(role: Role, blocks: Vec<Block>, labels: Labels) -> Message {
    Message {
        id: "m".into(),
        conversation: "c".into(),
        parent: None,
        run: "r".into(),
        role,
        status: MessageStatus::Complete,
        at: 0,
        blocks,
        labels,
        model: None,
        usage: None,
        native: None,
        summary: None,
        siblings: Vec::new(),
    }
}

pub(crate) fn call(tool: &str, arguments: Value, state: CallState, parts: Vec<Part>) -> Call {
    Call {
        id: "earlier".into(),
        provider_id: String::new(),
        tool: tool.into(),
        arguments,
        state,
        parts,
        denial: None,
        repairs: Vec::new(),
        recovery: None,
        ms: 0,
    }
}

pub(crate) fn part(text: &str, labels: Labels, role: Option<PartRole>) -> Part {
    Part { text: text.into(), labels, role }
}

impl Context {
    /// The person types.
    pub(crate) fn says(mut self, text: &str) -> Self {
        let block = Block::Text { text: text.into() };
        self.origins.take(&message(Role::User, vec![block], Labels::none()), |_| None);
        self
    }

    /// The model calls a tool, knowing all there is so far, and it is done.
    pub(crate) fn calls(self, spec: &ToolSpec, arguments: Value, parts: Vec<Part>) -> Self {
        self.called(spec, arguments, CallState::Done, parts)
    }

    pub(crate) fn called(mut self, spec: &ToolSpec, arguments: Value, state: CallState, parts: Vec<Part>) -> Self {
        let block = Block::Call { call: call(&spec.name, arguments, state, parts.clone()) };
        let message = message(Role::Assistant, vec![block], self.labels.clone());
        self.origins.take(&message, |name| (name == spec.name).then_some(spec));
        parts.iter().for_each(|part| self.labels.join(&part.labels));
        self
    }

    /// A page from outside is read.
    pub(crate) fn page(self, text: &str) -> Self {
        self.calls(&web_read(), json!({ "url": "https://page.example" }), vec![part(text, outside("web_read"), None)])
    }

    /// Something of the person's is read that nobody else wrote.
    pub(crate) fn own(self, text: &str) -> Self {
        self.calls(&lookup(), json!({}), vec![part(text, private("lookup"), None)])
    }

    /// The reasons to ask about a call now.
    pub(crate) fn asks(&self, spec: &ToolSpec, arguments: &Value) -> Vec<Reason> {
        let history = CallHistory::default();
        let (run, conversation, id) = ("r".into(), "c".into(), "call".into());
        let verdict = gate(&Question {
            run: &run,
            conversation: &conversation,
            call: &id,
            tool_name: &spec.name,
            tool: Some(Definition { spec, digest: "d" }),
            switched_on: true,
            arguments: Ok(arguments),
            target: Ok(None),
            apps: &Default::default(),
            signature: Signature::of("t", "now"),
            mode: Mode::Max,
            attendance: Attendance::Attended { listening: true },
            labels: &self.labels,
            origins: &self.origins,
            grants: &[],
            budget: Budget::of(Mode::Max),
            ledger: Ledger::default(),
            history: &history,
            agreement: None,
            now: 0,
        });
        match verdict {
            Verdict::Allow(_) => Vec::new(),
            Verdict::Confirm(reasons) => reasons,
            Verdict::Deny(denial) => panic!("{denial:?}"),
        }
    }

    /// All values in doubt.
    pub(crate) fn doubts(&self, spec: &ToolSpec, arguments: Value) -> Vec<Doubt> {
        let reasons = self.asks(spec, &arguments);
        let doubts = reasons.into_iter().flat_map(|reason| match reason {
            Reason::OutsideActs { doubts, .. } | Reason::PrivateMayLeave { doubts, .. } => doubts,
            other => panic!("{other:?}"),
        });
        doubts.collect()
    }

    /// Paths, values and kinds of all values in doubt.
    pub(crate) fn doubted(&self, spec: &ToolSpec, arguments: Value) -> Vec<(String, String, DoubtKind)> {
        self.doubts(spec, arguments).into_iter().map(|d| (d.path, d.value, d.kind)).collect()
    }

    /// Whether a value traces as whom a message is sent to. An empty message carries nothing.
    pub(crate) fn traces(&self, value: impl Into<Value>) -> bool {
        self.doubted(&send(), json!({ "to": value.into(), "body": "" })).is_empty()
    }
}

fn tool(name: &str, facts: ToolFacts, properties: &[&str], roles: &[(&str, ArgumentRole)]) -> ToolSpec {
    let properties: serde_json::Map<_, _> = properties.iter().map(|p| ((*p).to_owned(), json!({}))).collect();
    ToolSpec {
        name: name.into(),
        description: String::new(),
        schema: json!({ "type": "object", "properties": properties, "additionalProperties": false }),
        example: json!({}),
        facts,
        arguments: roles.iter().map(|(name, role)| ((*name).to_owned(), *role)).collect(),
        kind: ToolKind::Run,
    }
}

const READS: ToolFacts = ToolFacts { read_only: true, ..ToolFacts::LOW };

/// Sends a message.
pub(crate) fn send() -> ToolSpec {
    let facts = ToolFacts { egress: true, ..ToolFacts::LOW };
    let roles = [("body", ArgumentRole::Text), ("priority", ArgumentRole::Neutral)];
    tool("send", facts, &["to", "cc", "body", "priority"], &roles)
}

/// Changes something here.
pub(crate) fn rename() -> ToolSpec {
    tool("rename", ToolFacts::LOW, &["from", "into"], &[])
}

/// Reads a page.
pub(crate) fn web_read() -> ToolSpec {
    let facts = ToolFacts { egress: true, outside: true, ..READS };
    tool("web_read", facts, &["url", "page"], &[("page", ArgumentRole::Neutral)])
}

/// Searches.
pub(crate) fn web_search() -> ToolSpec {
    tool("web_search", ToolFacts { egress: true, outside: true, ..READS }, &["query"], &[("query", ArgumentRole::Text)])
}

/// Looks something of the person's up: only the person writes there.
pub(crate) fn lookup() -> ToolSpec {
    let facts = ToolFacts { private: true, ..READS };
    tool("lookup", facts, &["name", "note", "limit"], &[("note", ArgumentRole::Text), ("limit", ArgumentRole::Neutral)])
}

/// A forecast: the place is rounded before it leaves.
pub(crate) fn weather() -> ToolSpec {
    let roles =
        [("latitude", ArgumentRole::Coarse), ("longitude", ArgumentRole::Coarse), ("place", ArgumentRole::Text)];
    tool("weather", ToolFacts { egress: true, ..READS }, &["latitude", "longitude", "place"], &roles)
}

/// Somebody else's tool, which tells nothing of its arguments.
pub(crate) fn foreign() -> ToolSpec {
    tool(
        "server__post",
        ToolFacts { egress: true, outside: true, ..ToolFacts::LOW },
        &["channel", "message", "tags"],
        &[],
    )
}

/// A tool that writes something by text alone.
pub(crate) fn jot() -> ToolSpec {
    tool("jot", ToolFacts::LOW, &["text"], &[("text", ArgumentRole::Text)])
}
