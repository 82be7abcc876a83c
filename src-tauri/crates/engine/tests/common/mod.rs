// SPDX-License-Identifier: Apache-2.0
//! A driver in a few lines, without IO: a model and tools by script, a journal in memory.
#![allow(dead_code, reason = "each test file uses its own part")]

use bailey_engine::{Brief, Effect, Input, Standing, Toolbox, Turn};
use bailey_policy::{Approval, ArgumentRole, ToolFacts, ToolKind, ToolSpec};
use bailey_protocol::journal::{Entry, Record};
use bailey_protocol::model::{Finish, Reply, Request};
use bailey_protocol::*;
use bailey_testkit::model::check_history;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

pub(crate) fn spec(name: &str, facts: ToolFacts) -> ToolSpec {
    ToolSpec {
        name: name.into(),
        description: format!("Tool {name}."),
        schema: json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "additionalProperties": false}),
        example: json!({"n": 1}),
        facts,
        arguments: BTreeMap::new(),
        kind: ToolKind::Run,
    }
}

/// `look` reads, `page` reads outside text, `diary` reads private data, `touch` changes, `strike` is High, `post`
/// carries data out, `note` is internal, `ask_user` asks, `delegate` starts a sub-agent.
pub(crate) fn toolbox() -> Arc<Toolbox> {
    let low = ToolFacts::LOW;
    let mut ask = spec("ask_user", ToolFacts { internal: true, read_only: true, ..low });
    ask.kind = ToolKind::Ask;
    ask.schema = json!({"type": "object", "properties": {"question": {"type": "string"}, "choices": {"type": "array", "items": {"type": "string"}}}, "required": ["question"], "additionalProperties": false});
    ask.example = json!({"question": "Which one?"});
    let mut agent = spec("delegate", ToolFacts { read_only: true, ..low });
    agent.kind = ToolKind::Agent;
    agent.arguments = BTreeMap::from([("n".into(), ArgumentRole::Text)]);
    let specs = vec![
        spec("look", ToolFacts { read_only: true, ..low }),
        spec("page", ToolFacts { read_only: true, outside: true, egress: true, ..low }),
        spec("diary", ToolFacts { read_only: true, private: true, ..low }),
        spec("touch", ToolFacts { danger: Danger::Medium, ..low }),
        spec("strike", ToolFacts { danger: Danger::High, ..low }),
        spec("post", ToolFacts { danger: Danger::Medium, egress: true, ..low }),
        spec("note", ToolFacts { internal: true, ..low }),
        ask,
        agent,
    ];
    Arc::new(Toolbox::new(specs).unwrap())
}

pub(crate) fn brief(mode: Mode) -> Brief {
    Brief {
        run: "r1".into(),
        conversation: "c1".into(),
        prompt: "p1".into(),
        mode,
        model: ModelChoice { provider: "p".into(), model: "m".into() },
        budget: Budget::of(mode),
        nonce: "0123456789ab".into(),
        automation: None,
        parent: None,
        inherited: None,
        started: 1_000,
    }
}

pub(crate) fn prompt(text: &str) -> Message {
    Message {
        id: "p1".into(),
        conversation: "c1".into(),
        parent: None,
        run: "r1".into(),
        role: Role::User,
        status: MessageStatus::Complete,
        at: 1_000,
        blocks: vec![Block::Text { text: text.into() }],
        labels: Labels::none(),
        model: None,
        usage: None,
        native: None,
        summary: None,
        siblings: vec![],
    }
}

pub(crate) type Rounds = Box<dyn FnMut(usize, &Request) -> Vec<Reply>>;
pub(crate) type ToolScript = Box<dyn FnMut(&Approval) -> Result<Vec<Part>, Part>>;

pub(crate) type LookScript = Box<dyn FnMut(&Value) -> Result<Target, String>>;

/// Carries out a turn's effects until it waits or is over.
pub(crate) struct Driver {
    pub(crate) turn: Turn,
    pub(crate) now: Millis,
    pub(crate) standing: Standing,
    /// Each journal effect as one batch.
    pub(crate) batches: Vec<Vec<Record>>,
    pub(crate) synced: Vec<bool>,
    pub(crate) requests: Vec<Request>,
    /// How often each call ran.
    pub(crate) ran: BTreeMap<CallId, u32>,
    pub(crate) model: Rounds,
    pub(crate) tool: ToolScript,
    /// What a call would touch on the screen.
    pub(crate) look: LookScript,
    /// Sub-agents that are under way.
    pub(crate) agents: Vec<CallId>,
    /// How often running calls were dropped.
    pub(crate) aborted: u32,
    /// Tools do not end by themselves.
    pub(crate) hang: bool,
    /// Carry out this many effects and then no more: the process was killed.
    pub(crate) fuel: usize,
}

impl Driver {
    pub(crate) fn new(mode: Mode, model: impl FnMut(usize, &Request) -> Vec<Reply> + 'static) -> Self {
        Self::of(Turn::new(brief(mode), toolbox(), vec![prompt("go")]), model)
    }

    pub(crate) fn of(turn: Turn, model: impl FnMut(usize, &Request) -> Vec<Reply> + 'static) -> Self {
        Self {
            turn,
            now: 1_000,
            standing: Standing { listening: true, ..Standing::default() },
            batches: vec![],
            synced: vec![],
            requests: vec![],
            ran: BTreeMap::new(),
            model: Box::new(model),
            look: Box::new(|_| Err("there is no screen".to_owned())),
            tool: Box::new(|a| Ok(vec![Part::plain(format!("{} ok", a.tool()))])),
            agents: vec![],
            aborted: 0,
            hang: false,
            fuel: usize::MAX,
        }
    }

    pub(crate) fn go(&mut self) -> &mut Self {
        self.step(Input::Go);
        self
    }

    pub(crate) fn step(&mut self, input: Input) {
        self.turn.set_standing(self.standing.clone());
        let effects = self.turn.step(input, self.now);
        self.carry_out(effects);
    }

    pub(crate) fn carry_out(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            if self.fuel == 0 {
                return;
            }
            self.fuel -= 1;
            match effect {
                Effect::Journal { records, synced } => {
                    assert!(!records.is_empty());
                    self.batches.push(records);
                    self.synced.push(synced);
                }
                Effect::Request(request) => {
                    check_history(&request).unwrap_or_else(|e| panic!("{e}\n{request:#?}"));
                    let replies = (self.model)(self.requests.len(), &request);
                    self.requests.push(*request);
                    for reply in replies {
                        self.step(Input::Model(reply));
                    }
                }
                Effect::Look { call, arguments, .. } => {
                    let target = (self.look)(&arguments);
                    self.step(Input::Looked { call, target });
                }
                Effect::RunTool(approval) => {
                    self.begin(&approval);
                    let call = approval.call().clone();
                    let result = (self.tool)(&approval);
                    if self.fuel > 0 && !self.hang {
                        self.step(Input::ToolDone { call, result, ms: 7 });
                    }
                }
                Effect::Grant(grant) => self.standing.grants.push(grant),
                Effect::StartAgent(approval) => {
                    self.begin(&approval);
                    self.agents.push(approval.call().clone());
                }
                Effect::ResumeAgent(call) => self.agents.push(call),
                Effect::AbortTools => {
                    self.aborted += 1;
                    self.agents.clear();
                }
                Effect::Delta { .. } | Effect::AbortRequest => {}
            }
        }
    }

    fn begin(&mut self, approval: &Approval) {
        let intended = self.records().any(|e| matches!(e, Entry::Intent { call, arguments, .. } if call == approval.call() && arguments == approval.arguments()));
        assert!(intended, "{:?} ran without its intent in the journal", approval.call());
        *self.ran.entry(approval.call().clone()).or_default() += 1;
    }

    /// A call that was under way ends.
    pub(crate) fn done(&mut self, call: &str, result: Result<Vec<Part>, Part>) {
        self.agents.retain(|agent| agent.as_str() != call);
        self.step(Input::ToolDone { call: call.into(), result, ms: 7 });
    }

    pub(crate) fn records(&self) -> impl Iterator<Item = &Entry> {
        self.batches.iter().flatten().map(|r| &r.entry)
    }

    /// Answers the oldest open question.
    pub(crate) fn answer(&mut self, answer: Answer) -> &mut Self {
        let ask = self.asks().first().expect("a question is open").id.clone();
        self.step(Input::Answered { ask, answer });
        self
    }

    /// Answers the question about a call, by its provider's id.
    pub(crate) fn answer_about(&mut self, provider_id: &str, answer: Answer) {
        let call = self.calls().into_iter().rfind(|c| c.provider_id == provider_id).expect("a call").id;
        let ask = self.asks().into_iter().find(|a| a.call == call).expect("a question about it").id;
        self.step(Input::Answered { ask, answer });
    }

    /// The open questions, oldest first.
    pub(crate) fn asks(&self) -> Vec<Ask> {
        self.turn.open_asks(self.now)
    }

    /// What the oldest open question asks.
    pub(crate) fn ask(&self) -> Option<AskKind> {
        self.asks().first().map(|a| a.kind.clone())
    }

    /// Why each open question is asked, by its tool.
    pub(crate) fn asked(&self) -> Vec<(String, Vec<Reason>)> {
        let confirm = |ask: Ask| match ask.kind {
            AskKind::Confirm { tool, reasons, .. } => Some((tool, reasons)),
            _ => None,
        };
        self.asks().into_iter().filter_map(confirm).collect()
    }

    pub(crate) fn state(&self) -> RunState {
        self.turn.view().state
    }

    /// Every call of the run with how it ended.
    pub(crate) fn calls(&self) -> Vec<Call> {
        let ids: Vec<MessageId> = self
            .records()
            .filter_map(|e| match e {
                Entry::RoundOpened { message, .. } => Some(message.clone()),
                _ => None,
            })
            .collect();
        ids.iter().filter_map(|id| self.turn.message(id)).flat_map(|m| m.calls().cloned().collect::<Vec<_>>()).collect()
    }

    /// The text the model got back for a call.
    pub(crate) fn result(&self, provider_id: &str) -> String {
        let last = self.requests.last().expect("a request");
        last.messages
            .iter()
            .find_map(|t| match t {
                model::Turn::Tool { id, text, .. } if id == provider_id => Some(text.clone()),
                _ => None,
            })
            .unwrap_or_else(|| panic!("no result of {provider_id} in the last request"))
    }
}

pub(crate) fn says(text: &str) -> Vec<Reply> {
    vec![Reply::Text { text: text.into() }, Reply::Finish { finish: Finish::Stop }]
}

pub(crate) fn calls(list: &[(&str, &str, &str)]) -> Vec<Reply> {
    let mut out: Vec<Reply> = list
        .iter()
        .map(|(id, name, arguments)| Reply::Call {
            id: (*id).into(),
            name: (*name).into(),
            arguments: (*arguments).into(),
        })
        .collect();
    out.push(Reply::Finish { finish: Finish::Calls });
    out
}
