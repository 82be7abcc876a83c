// SPDX-License-Identifier: Apache-2.0
//! Sub-agents: runs that a call starts, each in a conversation of its own that the person can look into.

use crate::agent::{Inner, storage};
use crate::conversations::{fresh, nonce};
use crate::session::{self, Start};
use bailey_engine::{Brief, Turn};
use bailey_policy::{Approval, ToolKind};
use bailey_ports::{ToolFailure, ToolResult};
use bailey_protocol::journal::{Entry, ParentRun, Record};
use bailey_protocol::{
    ApiError, CallId, Code, ConversationId, Event, Labels, Message, MessageId, Mode, Part, RunId, RunState, RunView,
};
use serde_json::Value;
use std::sync::Arc;
use tokio::sync::oneshot;

/// What became of a run.
#[derive(Debug)]
pub(crate) struct Ended {
    state: RunState,
    report: String,
    /// The marks of all it had seen.
    labels: Labels,
    why: Option<String>,
}

impl Ended {
    pub(crate) fn of(turn: &Turn) -> Self {
        let view = turn.view();
        let why = view.error.map(|error| error.message);
        Self { state: view.state, report: turn.report(), labels: turn.labels().clone(), why }
    }

    fn result(self) -> ToolResult {
        let Self { state, report, labels, why } = self;
        let said = if report.trim().is_empty() { "(It said nothing.)" } else { report.trim() };
        match state {
            RunState::Done => Ok(vec![Part::labelled(said, labels)]),
            _ => {
                let why = why.unwrap_or_else(|| "it was stopped".to_owned());
                let message = format!("The sub-agent did not finish: {why}\nWhat it said last: {said}");
                Err(ToolFailure { message, labels })
            }
        }
    }
}

/// A sub-agent under way, or over already.
pub(crate) struct Child {
    pub(crate) run: RunId,
    ended: oneshot::Receiver<Ended>,
}

impl Child {
    /// Its report, when it is over.
    pub(crate) async fn report(self) -> ToolResult {
        match self.ended.await {
            Ok(ended) => ended.result(),
            Err(_) => Err(ToolFailure::new("the sub-agent crashed; this is a fault of Bailey's. Go on without it")),
        }
    }
}

impl Inner {
    /// Starts the sub-agent that an approved call asks for.
    pub(crate) fn start_child(
        self: &Arc<Self>,
        parent: &Turn,
        approval: Approval,
        approve_all: bool,
    ) -> Result<Child, ApiError> {
        let brief = parent.brief();
        let task = approval.arguments()["task"].as_str().unwrap_or_default().to_owned();
        let mode = clamped(brief.mode, approval.arguments());
        let started = self.now();
        let (run, conversation, prompt) = (RunId::new(fresh()), ConversationId::new(fresh()), MessageId::new(fresh()));
        let inherited = parent.inheritance();
        let labels = inherited.labels.clone();
        let child = Brief {
            run: run.clone(),
            conversation: conversation.clone(),
            prompt: prompt.clone(),
            mode,
            model: brief.model.clone(),
            budget: self.settings().budget(mode),
            nonce: nonce(),
            automation: brief.automation.clone(),
            parent: Some(ParentRun {
                run: brief.run.clone(),
                call: approval.call().clone(),
                conversation: brief.root().clone(),
                depth: brief.depth() + 1,
                task: task.clone(),
            }),
            inherited: Some(Arc::new(inherited)),
            started,
        };
        let opened = Entry::Opened {
            conversation: conversation.clone(),
            prompt: prompt.clone(),
            mode,
            model: child.model.clone(),
            budget: child.budget,
            nonce: child.nonce.clone(),
            unattended: child.automation.is_some(),
            automation: child.automation.clone(),
            parent: child.parent.clone(),
            key: None,
        };
        let prompted =
            Entry::Prompt { message: prompt.clone(), parent: None, text: task, labels, pictures: Vec::new() };
        let records = [opened, prompted].map(|entry| Record { at: started, entry });
        self.parts.store.append(&run, &records, self.parts.durability).map_err(storage)?;
        let branch = self.parts.store.branch(&conversation, Some(&prompt)).map_err(storage)?;
        let turn = Turn::new(child, self.toolbox.clone(), branch);
        self.hub.publish(Event::Run { run: turn.view() });
        let (ended, receiver) = oneshot::channel();
        session::start(self, run.clone(), turn, Start { approve_all, ended: Some(ended), ..Start::default() });
        Ok(Child { run, ended: receiver })
    }

    /// The runs of the sub-agents that these messages' calls started.
    pub(crate) fn children_of(&self, messages: &[Message]) -> Result<Vec<RunView>, ApiError> {
        let store = &self.parts.store;
        let mut children = Vec::new();
        for call in messages.iter().flat_map(Message::calls) {
            let is_agent = self.toolbox.get(&call.tool).is_some_and(|d| d.spec.kind == ToolKind::Agent);
            if is_agent && let Some(run) = store.child(&call.id).map_err(storage)? {
                children.extend(store.run(&run).map_err(storage)?);
            }
        }
        Ok(children)
    }

    /// Goes on with the sub-agent that a call had started before the process was killed.
    pub(crate) fn resume_child(self: &Arc<Self>, parent: &Turn, call: &CallId) -> Result<Child, ApiError> {
        let gone = || ApiError::new(Code::NotFound, "Bailey was closed before it began. Start it again if you need it");
        let run = self.parts.store.child(call).map_err(storage)?.ok_or_else(gone)?;
        let view = self.parts.store.run(&run).map_err(storage)?.ok_or_else(gone)?;
        let (ended, receiver) = oneshot::channel();
        if view.state.is_final() {
            let branch = self.parts.store.branch(&view.conversation, None).map_err(storage)?;
            let last = branch.last();
            let mut labels = parent.labels().clone();
            for message in &branch {
                labels.join(&message.labels);
                message.calls().flat_map(|call| &call.parts).for_each(|part| labels.join(&part.labels));
            }
            let report = last.map(|message| message.text()).unwrap_or_default();
            let why = view.error.map(|error| error.message);
            let _ = ended.send(Ended { state: view.state, report, labels, why });
        } else {
            self.take_up(&run, Some(parent.inheritance()), Some(ended))?;
        }
        Ok(Child { run, ended: receiver })
    }
}

/// A child may do what it is told to, and never more than its parent.
fn clamped(parent: Mode, arguments: &Value) -> Mode {
    let asked = arguments["mode"].as_str();
    let wanted = Mode::ALL.into_iter().find(|mode| Some(mode.name()) == asked).unwrap_or(parent);
    if rank(wanted) < rank(parent) { wanted } else { parent }
}

fn rank(mode: Mode) -> usize {
    Mode::ALL.iter().position(|m| *m == mode).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_child_never_may_more_than_its_parent() {
        for parent in Mode::ALL {
            assert_eq!(clamped(parent, &json!({})), parent);
            assert_eq!(clamped(parent, &json!({ "mode": "max" })), parent);
            assert_eq!(clamped(parent, &json!({ "mode": "nonsense" })), parent);
        }
        assert_eq!(clamped(Mode::Max, &json!({ "mode": "chat_plus" })), Mode::ChatPlus);
        assert_eq!(clamped(Mode::ChatPlus, &json!({ "mode": "act" })), Mode::ChatPlus);
        assert_eq!(clamped(Mode::Act, &json!({ "mode": "chat_plus" })), Mode::ChatPlus);
    }
}
