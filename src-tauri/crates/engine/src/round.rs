// SPDX-License-Identifier: Apache-2.0
//! A request goes out: within the budget, within the person's money, within the model's window; and what happens when it
//! fails.

use crate::context::{self, Sizes};
use crate::effect::Effect;
use crate::stream::Stream;
use crate::turn::{ASK_MS, DEEPEST, Phase, Turn};
use bailey_policy::{Definition, Purse, Spending, ToolKind, spending};
use bailey_protocol::journal::Entry;
use bailey_protocol::model::{Request, Usage};
use bailey_protocol::{
    Answer, AskKind, CallId, Ledger, Message, MessageId, MessageStatus, Millis, ModelChoice, Retrying, Role, RunError,
    RunErrorKind, RunState, SpendScope, SummaryState,
};

/// What an answer is taken to need of the window where the model's own limit is not known, in tokens.
const USUAL_ANSWER: u32 = 8_192;
/// A request is not cut below this many bytes: the question itself would go.
const SHORTEST: u32 = 4_000;
/// An answer is never asked to be shorter than this, in tokens.
const SMALLEST_ANSWER: u32 = 256;
/// A history is summarised when a request takes more of the model's window, in percent.
const SUMMARISE_AT: u64 = 85;
/// What a picture is taken to cost, in tokens.
const PICTURE: u64 = 1_600;

/// How many tokens a text has, learnt from what the provider counted of the last request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    /// Of the last request.
    bytes: u64,
    pictures: u64,
    /// Tokens a thousand bytes.
    ratio: u64,
}

impl Default for Scale {
    fn default() -> Self {
        // Three bytes a token: careful for English (four), about right for Chinese.
        Self { bytes: 0, pictures: 0, ratio: 334 }
    }
}

impl Scale {
    fn sent(&mut self, sizes: &Sizes) {
        (self.bytes, self.pictures) = (sizes.bytes as u64, sizes.pictures as u64);
    }

    pub(crate) fn counted(&mut self, input: u32) {
        let text = u64::from(input).saturating_sub(self.pictures * PICTURE);
        // A count that can't be of text (a provider that counts only what is new) teaches nothing.
        if self.bytes > 2_000 && (100..=1_500).contains(&(text * 1_000 / self.bytes)) {
            self.ratio = text * 1_000 / self.bytes;
        }
    }

    fn tokens(&self, sizes: &Sizes) -> u32 {
        let tokens = (sizes.bytes as u64 * self.ratio).div_ceil(1_000) + sizes.pictures as u64 * PICTURE;
        u32::try_from(tokens).unwrap_or(u32::MAX)
    }

    fn bytes(&self, tokens: u32) -> u32 {
        u32::try_from(u64::from(tokens) * 1_000 / self.ratio.max(1)).unwrap_or(u32::MAX)
    }
}

impl Turn {
    pub(crate) fn next_round(&mut self, now: Millis) {
        let budget = self.brief.budget;
        if self.closing || self.ledger.rounds >= budget.rounds {
            let answered = self.messages.last().is_some_and(|m| {
                m.role == Role::Assistant && m.status != MessageStatus::Interrupted && !m.text().is_empty()
            });
            let error = (!answered).then(|| RunError::new(
                RunErrorKind::Budget,
                "The run's budget was spent before there was an answer. Write “go on” to continue, or raise the budget in Settings.",
            ));
            self.close(if answered { RunState::Done } else { RunState::Failed }, error, now);
            return;
        }
        let round = self.ledger.rounds + 1;
        let closing = round >= budget.rounds
            || self.ledger.calls >= budget.calls
            || budget.active_ms.is_some_and(|limit| self.ledger.active_ms >= u64::from(limit));
        self.summarising = !closing && round < budget.rounds && self.should_summarise(now);
        let (mut request, sizes) = self.request(closing, round, now);
        match self.may_spend(&sizes, request.max_output) {
            Spending::Go { max_output } => request.max_output = max_output,
            Spending::Ask { scope, spent, cap, next } => {
                return self.ask_to_spend(AskKind::Spend { scope, spent, cap, next }, now);
            }
        }
        let message = MessageId::new(format!("{}-m{round}", self.brief.run));
        let parent = self.messages.last().map_or_else(|| self.brief.prompt.clone(), |m| m.id.clone());
        let ledger = Ledger { rounds: round, ..self.ledger };
        self.note(
            Entry::RoundOpened { round, message: message.clone(), parent, ledger, summary: self.summarising },
            now,
        );
        self.closing = closing;
        self.flush();
        self.scale.sent(&sizes);
        self.effects.push(Effect::Request(Box::new(request)));
        self.phase = Phase::Streaming(Stream::new(message, now));
        self.state = RunState::Running;
    }

    /// Whether the history has to be summarised before it goes on: it fills the window, or would have to be cut. Once a run;
    /// and when the person took a summary back, not before half as much has come since.
    fn should_summarise(&self, now: Millis) -> bool {
        let facts = &self.standing.facts;
        let Some(window) = facts.window else { return false };
        let tried = self.messages.iter().any(|m| m.run == self.brief.run && m.summary.is_some());
        let since = self.messages.iter().rposition(|m| m.summary == Some(SummaryState::Undone));
        let size = |messages: &[Message]| messages.iter().map(size_of).sum::<usize>();
        let undone = since.is_some_and(|at| size(&self.messages[at + 1..]) * 2 < size(&self.messages[..at]));
        // A first message can't be summarised away: it is what is asked.
        if tried || undone || self.messages.len() < 2 {
            return false;
        }
        let reads = |tool: &str| self.facts(tool).read_only;
        let sizes = context::whole(&self.asking(false, self.ledger.rounds + 1, now, &reads));
        let limit = self.limit().map(|limit| limit as usize);
        limit.is_some_and(|limit| sizes.total() > limit)
            || u64::from(self.scale.tokens(&sizes)) * 100 > u64::from(window) * SUMMARISE_AT
    }

    fn asking<'a>(
        &'a self,
        closing: bool,
        round: u32,
        now: Millis,
        reads: &'a dyn Fn(&str) -> bool,
    ) -> context::Asking<'a> {
        let agents = self.brief.depth() < DEEPEST;
        let mut tools = match closing {
            true => Vec::new(),
            false => self.toolbox.declarations(self.brief.mode, &self.standing.switched_off, agents),
        };
        if self.summarising {
            // What should outlive the history is noted along with the summary; nothing else happens meanwhile.
            let notes = |d: Definition<'_>| d.spec.facts.internal && d.spec.kind == ToolKind::Run;
            tools.retain(|tool| self.toolbox.get(&tool.name).is_some_and(notes));
        }
        let messages = match self.messages.last() {
            // The message that a repeated request will fill.
            Some(last) if last.role == Role::Assistant && last.status == MessageStatus::Streaming => {
                &self.messages[..self.messages.len() - 1]
            }
            _ => &self.messages[..],
        };
        context::Asking {
            model: &self.brief.model.model,
            mode: self.brief.mode,
            nonce: &self.brief.nonce,
            messages,
            run: &self.brief.run,
            tools,
            task: self.brief.parent.as_ref().map(|_| &self.brief.prompt),
            closing: closing && round > 1,
            summarise: self.summarising,
            now,
            reads,
            limit: self.limit(),
        }
    }

    fn request(&self, closing: bool, round: u32, now: Millis) -> (Request, Sizes) {
        let reads = |tool: &str| self.facts(tool).read_only;
        let (mut request, sizes) = context::request(&self.asking(closing, round, now, &reads));
        request.effort = self.standing.effort;
        let facts = &self.standing.facts;
        // What is asked and what is answered share the window.
        let room = facts.window.map(|window| window.saturating_sub(self.scale.tokens(&sizes)).max(SMALLEST_ANSWER));
        request.max_output = facts.max_output.map(|limit| room.map_or(limit, |room| limit.min(room)));
        (request, sizes)
    }

    /// How long a request may be, in bytes: what fits into the model's window beside its answer, or what was found out.
    fn limit(&self) -> Option<u32> {
        let facts = &self.standing.facts;
        let window = facts.window.map(|window| {
            let answer = facts.max_output.unwrap_or(USUAL_ANSWER).min(window / 4);
            self.scale.bytes(window - answer).max(SHORTEST)
        });
        match (window, self.shortened) {
            (Some(window), Some(shortened)) => Some(window.min(shortened)),
            (window, shortened) => window.or(shortened),
        }
    }

    fn may_spend(&self, sizes: &Sizes, max_output: Option<u32>) -> Spending {
        let purse = Purse {
            price: self.standing.facts.price,
            caps: self.standing.caps,
            run: self.ledger.cost,
            run_more: self.spend_more.0,
            day: self.standing.spent_today,
            day_more: self.spend_more.1,
        };
        spending(&purse, self.scale.tokens(sizes), max_output)
    }

    fn ask_to_spend(&mut self, kind: AskKind, now: Millis) {
        if !self.standing.listening || self.brief.automation.is_some() {
            return self.close(RunState::Failed, Some(not_spent()), now);
        }
        let call = CallId::new(format!("{}-spend{}", self.brief.run, self.asks_made + 1));
        self.ask_about(call, String::new(), kind, Some(ASK_MS), now);
        self.phase = Phase::Waiting;
        self.state = RunState::Waiting;
    }

    /// What the person said about money.
    pub(crate) fn spend_answered(&mut self, answer: &Answer, now: Millis) {
        match answer {
            Answer::AllowOnce => self.proceed(now),
            _ => self.close(RunState::Failed, Some(not_spent()), now),
        }
    }

    pub(crate) fn allow_more(&mut self, kind: &AskKind) {
        if let AskKind::Spend { scope, spent, cap, next } = kind {
            // As much again from where it stands: it may be past the cap already.
            let more = spent.saturating_sub(*cap).saturating_add((*cap).max(*next));
            match scope {
                SpendScope::Run => self.spend_more.0 = more,
                SpendScope::Day => self.spend_more.1 = more,
            }
        }
    }

    /// The attempt failed and the provider is asked again: what it said is void.
    pub(crate) fn retried(&mut self, kind: RunErrorKind, wait_ms: u32, now: Millis) {
        let attempt = self.retrying.map_or(1, |before| before.attempt + 1);
        self.restarted(now);
        self.retrying = Some(Retrying { kind, wait_ms, attempt });
    }

    fn restarted(&mut self, now: Millis) {
        let Phase::Streaming(stream) = &mut self.phase else { return };
        let next = stream.restarted(now);
        let void = std::mem::replace(stream, next);
        if void.has_anything() {
            let usage = self.counted(&void);
            self.note(Entry::RoundRestarted { message: void.message, usage }, now);
        }
    }

    /// What the provider counted of an answer, and what it cost; estimated where it did not count and the price is known.
    pub(crate) fn counted(&self, stream: &Stream) -> Option<Usage> {
        let Some(price) = self.standing.facts.price else { return stream.usage };
        match stream.usage {
            Some(usage) => Some(Usage { cost: usage.cost.or_else(|| Some(price.cost(&usage))), ..usage }),
            None if stream.has_anything() => {
                let sent = Sizes { bytes: self.scale.bytes as usize, pictures: self.scale.pictures as usize };
                let said = Sizes { bytes: stream.said(), pictures: 0 };
                let usage =
                    Usage { input: self.scale.tokens(&sent), output: self.scale.tokens(&said), ..Usage::default() };
                Some(Usage { cost: Some(price.cost(&usage)), ..usage })
            }
            None => None,
        }
    }

    /// Another model takes over and is asked at once.
    pub(crate) fn fall_back(&mut self, model: ModelChoice, now: Millis) {
        let Phase::Streaming(stream) = &self.phase else { return };
        let message = stream.message.clone();
        self.restarted(now);
        self.retrying = None;
        self.note(Entry::Fallback { message, model }, now);
        self.scale = Scale::default();
        self.ask_again(now);
    }

    fn ask_again(&mut self, now: Millis) {
        let (mut request, sizes) = self.request(self.closing, self.ledger.rounds, now);
        match self.may_spend(&sizes, request.max_output) {
            Spending::Go { max_output } => request.max_output = max_output,
            // The question comes before a round, and this one has begun.
            Spending::Ask { .. } => return self.model_failed(not_spent(), now),
        }
        self.flush();
        self.scale.sent(&sizes);
        self.effects.push(Effect::Request(Box::new(request)));
    }

    pub(crate) fn model_failed(&mut self, error: RunError, now: Millis) {
        if error.kind == RunErrorKind::TooLong && self.compressed_in != self.ledger.rounds {
            let half = u32::try_from(self.last_request() / 2).unwrap_or(u32::MAX).max(SHORTEST);
            if self.shortened.is_none_or(|before| half < before) {
                self.compressed_in = self.ledger.rounds;
                self.restarted(now);
                self.note(Entry::Compressed { limit: half }, now);
                return self.ask_again(now);
            }
        }
        let Phase::Streaming(mut stream) = std::mem::replace(&mut self.phase, Phase::Idle) else { return };
        stream.end_thinking(now);
        let blocks = std::mem::take(&mut stream.blocks);
        self.round_closed(stream, blocks, MessageStatus::Interrupted, now);
        if self.summarising {
            // It goes on without: the history is cut instead, and says what is wrong if that fails, too.
            return self.proceed(now);
        }
        self.close(RunState::Failed, Some(error), now);
    }

    fn last_request(&self) -> u64 {
        self.scale.bytes
    }
}

/// About how long a message is, in bytes.
fn size_of(message: &Message) -> usize {
    let results = message.calls().flat_map(|call| &call.parts).map(|part| part.text.len()).sum::<usize>();
    message.text().len() + results
}

fn not_spent() -> RunError {
    RunError::new(
        RunErrorKind::Money,
        "The next request may cost more than you allow, so it was not sent. Raise the cap in Settings, Models, or choose a cheaper model; then write “go on”.",
    )
}
