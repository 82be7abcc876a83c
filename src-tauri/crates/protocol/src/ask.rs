// SPDX-License-Identifier: Apache-2.0
use crate::{AskId, CallId, ConversationId, Labels, Millis, Mode, NodeClass, RunId, Source, Target};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

/// How much harm a tool can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Danger {
    /// Little.
    Low,
    /// Some, and it can be undone.
    Medium,
    /// Much, or it can't be undone.
    High,
}

/// Why the gate asks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Reason {
    /// The mode confirms each call (step 5; the only reason a grant answers).
    Mode {
        /// The mode.
        mode: Mode,
    },
    /// Outside text is in the context and the tool is dangerous (step 6).
    OutsideHigh {
        /// Where the text came from.
        sources: Vec<Source>,
    },
    /// Outside text is in the context, the call changes something or can carry data out, and not every value in it
    /// comes from the person (step 7).
    OutsideActs {
        /// Where the text came from.
        sources: Vec<Source>,
        /// The values in doubt; never empty.
        #[serde(default)]
        doubts: Vec<Doubt>,
    },
    /// It would be the first touch in this app in this run (step 6, for driving another app).
    DriveApp {
        /// The app's package.
        app: String,
        /// Its name.
        name: String,
    },
    /// What it would touch does more than show, scroll or fill in, or nobody can tell what it does (step 6, likewise).
    Touches {
        /// What it does.
        class: NodeClass,
    },
    /// The call can carry data out and repeats values that are the person's own (step 8).
    PrivateMayLeave {
        /// Where the data came from.
        sources: Vec<Source>,
        /// The values that would leave; never empty.
        #[serde(default)]
        doubts: Vec<Doubt>,
    },
}

/// A value the gate asks about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Doubt {
    /// The argument it stands in, as `recipients[0]`.
    pub path: String,
    /// The value, or the part of it that is in doubt, exactly as it would be used.
    pub value: String,
    /// What is wrong with it.
    pub kind: DoubtKind,
    /// Where it stands in what the model has read, if anywhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub source: Option<Source>,
}

/// Why a value is in doubt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum DoubtKind {
    /// It decides who, what or where, and neither the person nor a trusted result said it.
    Untraced,
    /// A link or an address in free text that neither the person nor a trusted result said.
    Link,
    /// It is the person's own and would leave.
    Private,
}

impl Answer {
    /// Whether it lets the call run.
    pub fn allows(&self) -> bool {
        matches!(self, Answer::AllowOnce | Answer::AllowChat | Answer::AllowMore { .. } | Answer::AllowApp)
    }
}

impl Reason {
    /// Whether a grant can answer it (gate step 9).
    pub fn grantable(&self) -> bool {
        matches!(self, Reason::Mode { .. })
    }
}

/// Why the gate said no, as far as anybody acts on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum DenialCode {
    /// No such tool.
    UnknownTool,
    /// The arguments do not fit, even after repair.
    InvalidArguments,
    /// What it would touch is not on the screen, or can't be looked at.
    NoTarget,
    /// The run's rounds, calls or time are spent.
    Budget,
    /// The tool failed three times in this run.
    Breaker,
    /// The same call for the third time.
    Identical,
    /// The same sequence for the third time.
    Sequence,
    /// Not in a run that nobody watches.
    Unattended,
    /// The mode does not allow it.
    Mode,
    /// The person has not switched this tool on.
    SwitchedOff,
    /// It has to be asked and nobody is there.
    NobodyToAsk,
    /// The confirmation ran out.
    Expired,
    /// The gate itself could not decide.
    Fault,
}

/// A no of the gate's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Denial {
    /// Which rule.
    pub code: DenialCode,
    /// Why, and what to do instead: the model reads it.
    pub message: String,
}

/// What ask_user asks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Question {
    /// The question.
    pub question: String,
    /// Ready answers, perhaps none.
    #[serde(default)]
    pub choices: Vec<String>,
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum AskKind {
    /// May this call run?
    Confirm {
        /// The tool.
        tool: String,
        /// Its danger.
        danger: Danger,
        /// Whether it can carry data out.
        leaves: bool,
        /// The exact arguments.
        #[ts(type = "unknown")]
        arguments: Value,
        /// What its shell command does, as far as it can be told.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        risk: Option<crate::ShellRisk>,
        /// What it would touch on the screen.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        target: Option<Target>,
        /// Why it is asked; never empty.
        reasons: Vec<Reason>,
        /// Whether "Allow in this chat" can answer it.
        grantable: bool,
    },
    /// A question of the model's.
    Question {
        /// The question.
        question: Question,
        /// The marks of what the model had seen when it asked.
        labels: Labels,
    },
    /// The next request may pass a cap the person set: may the run spend as much again?
    Spend {
        /// Which cap.
        scope: SpendScope,
        /// Spent so far, in micro-dollars.
        #[ts(type = "number")]
        spent: u64,
        /// What may be spent, in micro-dollars.
        #[ts(type = "number")]
        cap: u64,
        /// What the next request may cost at most, in micro-dollars.
        #[ts(type = "number")]
        next: u64,
    },
    /// The app was killed while this call ran: did it happen?
    Recovery {
        /// The tool.
        tool: String,
        /// The exact arguments.
        #[ts(type = "unknown")]
        arguments: Value,
    },
}

/// Which cap of money.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SpendScope {
    /// That of one run.
    Run,
    /// That of one day, all runs together.
    Day,
}

/// An open question to the person. It outlives the process: the time left stands still while nothing runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Ask {
    /// Its id.
    pub id: AskId,
    /// Its conversation.
    pub conversation: ConversationId,
    /// Its run.
    pub run: RunId,
    /// The call it is about; for [`AskKind::Spend`], which is about a request, an id of its own.
    pub call: CallId,
    /// What is asked.
    pub kind: AskKind,
    /// The sub-agent that asks, if it is one; `conversation` is then that of the person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub origin: Option<Origin>,
    /// When it was asked.
    #[ts(type = "number")]
    pub asked: Millis,
    /// Milliseconds left at the moment this was sent; `None` waits for ever.
    pub left_ms: Option<u32>,
}

/// A sub-agent, for showing who asks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Origin {
    /// Its conversation.
    pub conversation: ConversationId,
    /// What it was told to do.
    pub task: String,
    /// 1 for a child of the person's run, 2 for a grandchild.
    pub depth: u32,
}

/// How far a permission reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum AllowScope {
    /// This run.
    Run,
    /// This conversation.
    Conversation,
    /// Every conversation.
    Always,
}

/// An argument and what it has to look like: `*` stands for anything, all else for itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ArgumentPattern {
    /// The argument's name.
    pub argument: String,
    /// The pattern; it has to fit the whole of it. A value that is not a string is compared as JSON.
    pub pattern: String,
}

/// What the person, or time, answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Answer {
    /// Let this one call run.
    AllowOnce,
    /// Let it run, and others of this tool in this conversation where only the mode asks.
    AllowChat,
    /// Let it run, and others of this tool within these bounds where only the mode asks.
    AllowMore {
        /// How far.
        scope: AllowScope,
        /// Only with such arguments; any when empty.
        #[serde(default)]
        arguments: Vec<ArgumentPattern>,
        /// For so many minutes from now on; `None` is without an end.
        #[serde(default)]
        minutes: Option<u32>,
    },
    /// Let it run, and in this run let ordinary things in its app be touched without asking. Only where
    /// [`Reason::DriveApp`] is among the reasons.
    AllowApp,
    /// Do not run it.
    Deny,
    /// One of the model's own choices, by position.
    Choice {
        /// Position in `choices`.
        index: u32,
    },
    /// The person's own words.
    Text {
        /// The words.
        text: String,
    },
    /// The model should decide.
    YouDecide,
    /// Nobody answered in time, or nobody was there. Never sent by a UI.
    NoAnswer,
}
