// SPDX-License-Identifier: Apache-2.0
// Made from the Rust types of crates/protocol. Do not edit: BAILEY_BLESS=1 cargo test -p bailey-protocol

export type ConversationId = string;
export type MessageId = string;
export type RunId = string;
export type CallId = string;
export type AskId = string;
export type ProviderId = string;
export type PictureId = string;
export type Source = { 
/**
 * The tool that brought it, or `attachment`, `shared`, `unknown`.
 */
tool: string, 
/**
 * A host, a file name or the like, when there is one.
 */
detail?: string, };
export type Labels = { 
/**
 * Other people can write it.
 */
outside: Array<Source>, 
/**
 * The person's own data.
 */
private: Array<Source>, };
export type Role = "user" | "assistant";
export type MessageStatus = "streaming" | "complete" | "stopped" | "interrupted" | "truncated" | "refused";
export type Message = { 
/**
 * Its id.
 */
id: MessageId, 
/**
 * Its conversation.
 */
conversation: ConversationId, 
/**
 * The message it follows; `None` at the root.
 */
parent: MessageId | null, 
/**
 * The run it belongs to.
 */
run: RunId, 
/**
 * Who wrote it.
 */
role: Role, 
/**
 * How it ended.
 */
status: MessageStatus, 
/**
 * When it was begun.
 */
at: number, 
/**
 * Its content in order.
 */
blocks: Array<Block>, 
/**
 * What the model had seen when it wrote this (an assistant message), or the marks of what was attached.
 */
labels: Labels, 
/**
 * The model that wrote it.
 */
model?: string, 
/**
 * What the provider counted.
 */
usage?: Usage, 
/**
 * A summary that stands for everything before it in requests; what it stands for stays as it is.
 */
summary?: SummaryState, 
/**
 * All messages with the same parent and role, oldest first, itself included. Filled when read for showing.
 */
siblings?: Array<MessageId>, };
export type Block = { "type": "text", 
/**
 * The text.
 */
text: string, } | { "type": "reasoning", 
/**
 * The text shown.
 */
text: string, 
/**
 * How long it took.
 */
ms: number, } | { "type": "call", 
/**
 * The call.
 */
call: Call, } | { "type": "picture", 
/**
 * The picture.
 */
picture: PictureRef, } | { "type": "item", 
/**
 * The provider's name for it.
 */
kind: string, 
/**
 * All of it.
 */
data: unknown, };
export type CallState = "pending" | "waiting" | "running" | "done" | "failed" | "denied" | "rejected" | "cancelled" | "unknown";
export type Part = { 
/**
 * The text the model reads.
 */
text: string, 
/**
 * Its marks.
 */
labels: Labels, 
/**
 * What it is besides text, where the gate makes a difference.
 */
role?: PartRole, };
export type Call = { 
/**
 * Bailey's id for it.
 */
id: CallId, 
/**
 * The id the provider gave it; goes back with the result.
 */
provider_id: string, 
/**
 * The tool's name as the model wrote it.
 */
tool: string, 
/**
 * The arguments after repair; the raw text as a JSON string when they could not be read.
 */
arguments: unknown, 
/**
 * Where it stands.
 */
state: CallState, 
/**
 * Its result, in parts; also says why when it did not run.
 */
parts: Array<Part>, 
/**
 * Why the gate said no.
 */
denial?: Denial, 
/**
 * What was mended in the arguments, in plain words.
 */
repairs?: Array<string>, 
/**
 * What the person said when asked whether an `unknown` call happened.
 */
recovery?: string, 
/**
 * How long it ran, in milliseconds.
 */
ms: number, };
export type Usage = { 
/**
 * In the request, cached ones included.
 */
input: number, 
/**
 * Of these from the provider's cache.
 */
cached: number, 
/**
 * Of these written to the provider's cache.
 */
cache_write: number, 
/**
 * In the answer, reasoning included.
 */
output: number, 
/**
 * Of these for reasoning.
 */
reasoning: number, 
/**
 * What it cost in micro-dollars, where prices are known or the provider says it.
 */
cost?: number, };
export type Mode = "chat" | "chat_plus" | "act" | "max";
export type Budget = { 
/**
 * Requests to the model.
 */
rounds: number, 
/**
 * Calls that run.
 */
calls: number, 
/**
 * Milliseconds of work, time spent waiting for a person excluded; `None` is no limit.
 */
active_ms: number | null, };
export type Ledger = { 
/**
 * Requests sent to the model.
 */
rounds: number, 
/**
 * Calls that ran.
 */
calls: number, 
/**
 * Milliseconds worked.
 */
active_ms: number, 
/**
 * Micro-dollars, as far as prices are known.
 */
cost: number, };
export type RunState = "running" | "waiting" | "done" | "failed" | "stopped";
export type RunErrorKind = "auth" | "rate" | "quota" | "invalid" | "too_long" | "refused" | "overloaded" | "server" | "timeout" | "network" | "interrupted" | "budget" | "money" | "no_model" | "storage" | "internal";
export type RunError = { 
/**
 * Its kind.
 */
kind: RunErrorKind, 
/**
 * What happened and what to do next, for the person.
 */
message: string, 
/**
 * The provider's own words, secrets removed.
 */
details?: string, };
export type RunView = { 
/**
 * Its id.
 */
id: RunId, 
/**
 * Its conversation.
 */
conversation: ConversationId, 
/**
 * Its mode, fixed when it began.
 */
mode: Mode, 
/**
 * Where it stands.
 */
state: RunState, 
/**
 * Why it failed.
 */
error?: RunError, 
/**
 * When it began.
 */
started: number, 
/**
 * What it spent.
 */
ledger: Ledger, 
/**
 * Its budget.
 */
budget: Budget, 
/**
 * Whether it was taken up again after the app had been killed.
 */
resumed: boolean, 
/**
 * Nobody watches it: an automation started it.
 */
unattended: boolean, 
/**
 * The run whose sub-agent it is.
 */
parent?: RunId, 
/**
 * The call that started it, then.
 */
call?: CallId, 
/**
 * The model it talks to now.
 */
model?: ModelChoice, 
/**
 * The model that takes over for another one which is out of order: the one it began with.
 */
instead_of?: ModelChoice, 
/**
 * How many tokens fit into its window, where known.
 */
window?: number, 
/**
 * Whether earlier parts of the conversation were shortened to fit the model's window.
 */
compressed: boolean, 
/**
 * Tools that could not be offered to this model.
 */
left_out?: Array<LeftOut>, 
/**
 * The request is being tried again.
 */
retrying?: Retrying, };
export type Danger = "low" | "medium" | "high";
export type Reason = { "type": "mode", 
/**
 * The mode.
 */
mode: Mode, } | { "type": "outside_high", 
/**
 * Where the text came from.
 */
sources: Array<Source>, } | { "type": "outside_acts", 
/**
 * Where the text came from.
 */
sources: Array<Source>, 
/**
 * The values in doubt; never empty.
 */
doubts: Array<Doubt>, } | { "type": "drive_app", 
/**
 * The app's package.
 */
app: string, 
/**
 * Its name.
 */
name: string, } | { "type": "touches", 
/**
 * What it does.
 */
class: NodeClass, } | { "type": "private_may_leave", 
/**
 * Where the data came from.
 */
sources: Array<Source>, 
/**
 * The values that would leave; never empty.
 */
doubts: Array<Doubt>, };
export type DenialCode = "unknown_tool" | "invalid_arguments" | "no_target" | "budget" | "breaker" | "identical" | "sequence" | "unattended" | "mode" | "switched_off" | "nobody_to_ask" | "expired" | "fault";
export type Denial = { 
/**
 * Which rule.
 */
code: DenialCode, 
/**
 * Why, and what to do instead: the model reads it.
 */
message: string, };
export type Question = { 
/**
 * The question.
 */
question: string, 
/**
 * Ready answers, perhaps none.
 */
choices: Array<string>, };
export type AskKind = { "type": "confirm", 
/**
 * The tool.
 */
tool: string, 
/**
 * Its danger.
 */
danger: Danger, 
/**
 * Whether it can carry data out.
 */
leaves: boolean, 
/**
 * The exact arguments.
 */
arguments: unknown, 
/**
 * What its shell command does, as far as it can be told.
 */
risk?: ShellRisk, 
/**
 * What it would touch on the screen.
 */
target?: Target, 
/**
 * Why it is asked; never empty.
 */
reasons: Array<Reason>, 
/**
 * Whether "Allow in this chat" can answer it.
 */
grantable: boolean, } | { "type": "question", 
/**
 * The question.
 */
question: Question, 
/**
 * The marks of what the model had seen when it asked.
 */
labels: Labels, } | { "type": "spend", 
/**
 * Which cap.
 */
scope: SpendScope, 
/**
 * Spent so far, in micro-dollars.
 */
spent: number, 
/**
 * What may be spent, in micro-dollars.
 */
cap: number, 
/**
 * What the next request may cost at most, in micro-dollars.
 */
next: number, } | { "type": "recovery", 
/**
 * The tool.
 */
tool: string, 
/**
 * The exact arguments.
 */
arguments: unknown, };
export type Ask = { 
/**
 * Its id.
 */
id: AskId, 
/**
 * Its conversation.
 */
conversation: ConversationId, 
/**
 * Its run.
 */
run: RunId, 
/**
 * The call it is about; for [`AskKind::Spend`], which is about a request, an id of its own.
 */
call: CallId, 
/**
 * What is asked.
 */
kind: AskKind, 
/**
 * The sub-agent that asks, if it is one; `conversation` is then that of the person.
 */
origin?: Origin, 
/**
 * When it was asked.
 */
asked: number, 
/**
 * Milliseconds left at the moment this was sent; `None` waits for ever.
 */
left_ms: number | null, };
export type Answer = { "type": "allow_once" } | { "type": "allow_chat" } | { "type": "allow_more", 
/**
 * How far.
 */
scope: AllowScope, 
/**
 * Only with such arguments; any when empty.
 */
arguments: Array<ArgumentPattern>, 
/**
 * For so many minutes from now on; `None` is without an end.
 */
minutes: number | null, } | { "type": "allow_app" } | { "type": "deny" } | { "type": "choice", 
/**
 * Position in `choices`.
 */
index: number, } | { "type": "text", 
/**
 * The words.
 */
text: string, } | { "type": "you_decide" } | { "type": "no_answer" };
export type Code = "bad_request" | "not_found" | "stale" | "busy" | "no_model" | "endpoint" | "keys" | "storage" | "internal";
export type ApiError = { 
/**
 * Its kind.
 */
code: Code, 
/**
 * What happened and what to do next, for a person.
 */
message: string, };
export type Language = "en" | "zh";
export type Theme = "system" | "light" | "dark";
export type Accent = "green" | "blue" | "teal" | "rose" | "graphite";
export type ProviderKind = "demo" | "openai_chat" | "openai_responses" | "anthropic" | "gemini";
export type Provider = { 
/**
 * Its id.
 */
id: ProviderId, 
/**
 * Its name for people.
 */
name: string, 
/**
 * Its protocol.
 */
kind: ProviderKind, 
/**
 * Its base URL; empty for the demo.
 */
base_url: string, 
/**
 * Whether a key is known right now. Derived, never stored as truth.
 */
has_key: boolean, 
/**
 * Whether requests need a key, as far as known: a loopback server that never had one does not.
 */
wants_key: boolean, };
export type ModelChoice = { 
/**
 * The provider.
 */
provider: ProviderId, 
/**
 * The model's name there.
 */
model: string, };
export type Settings = { 
/**
 * Whether the first start is over.
 */
onboarded: boolean, 
/**
 * The language; `None` follows the browser or the system.
 */
language: Language | null, 
/**
 * Light or dark.
 */
theme: Theme, 
/**
 * The accent.
 */
accent: Accent, 
/**
 * The mode of a new conversation.
 */
default_mode: Mode, 
/**
 * The model of a new conversation.
 */
default_model: ModelChoice | null, 
/**
 * The providers, the demo among them.
 */
providers: Array<Provider>, 
/**
 * Budgets that differ from the built-in ones, by mode name.
 */
budgets: Record<string, Budget>, 
/**
 * Whether run_shell may be offered to the model.
 */
shell: boolean, 
/**
 * What the person set about single models.
 */
models: Array<ModelSettings>, 
/**
 * The model that takes over when a run's own is out of order.
 */
fallback_model: ModelChoice | null, 
/**
 * What may be spent without asking.
 */
caps: Caps, 
/**
 * Proxy and certificates.
 */
network: Network, 
/**
 * How the web is searched and reached.
 */
web: WebSettings, 
/**
 * Where keys are kept. Derived, never stored as truth.
 */
keys: KeyStoreState, };
export type SettingsPatch = { 
/**
 * See [`Settings::onboarded`].
 */
onboarded?: boolean, 
/**
 * See [`Settings::language`]; `auto` follows the browser or the system.
 */
language?: "auto" | "en" | "zh", 
/**
 * See [`Settings::theme`].
 */
theme?: Theme, 
/**
 * See [`Settings::accent`].
 */
accent?: Accent, 
/**
 * See [`Settings::default_mode`].
 */
default_mode?: Mode, 
/**
 * See [`Settings::default_model`].
 */
default_model?: ModelChoice, 
/**
 * See [`Settings::shell`].
 */
shell?: boolean, 
/**
 * One model's settings, whole; without any fact and effort they are forgotten.
 */
model?: ModelSettings, 
/**
 * See [`Settings::fallback_model`]; `null` for none.
 */
fallback_model?: ModelChoice | null, 
/**
 * See [`Settings::caps`]; both at once.
 */
caps?: Caps, 
/**
 * One mode's budget.
 */
budget?: [Mode, Budget], };
export type LocalServer = { 
/**
 * `Ollama`, `LM Studio`, `llama.cpp` or the like.
 */
name: string, 
/**
 * Its base URL, loopback only.
 */
base_url: string, 
/**
 * The models it lists.
 */
models: Array<string>, };
export type ToolView = { 
/**
 * Its name.
 */
name: string, 
/**
 * What it does.
 */
description: string, 
/**
 * Its danger.
 */
danger: Danger, 
/**
 * Changes nothing.
 */
read_only: boolean, 
/**
 * Can carry data out.
 */
egress: boolean, 
/**
 * Whether it is switched on.
 */
enabled: boolean, 
/**
 * What each mode does with it without taint: `allow`, `confirm` or `deny`, in the order of [`Mode::ALL`].
 */
modes: [string, string, string, string], };
export type Event = { "type": "conversation", 
/**
 * As it is now.
 */
conversation: ConversationSummary, } | { "type": "conversation_removed", 
/**
 * Which.
 */
id: ConversationId, } | { "type": "message", 
/**
 * As it is now.
 */
message: Message, } | { "type": "delta", 
/**
 * What was added.
 */
delta: Delta, } | { "type": "run", 
/**
 * As it is now.
 */
run: RunView, } | { "type": "ask_opened", 
/**
 * The question.
 */
ask: Ask, } | { "type": "ask_closed", 
/**
 * Which.
 */
id: AskId, 
/**
 * The answer; `None` when the run ended.
 */
answer: Answer | null, } | { "type": "grants" } | { "type": "notes", 
/**
 * How many wait for the person to keep them.
 */
waiting: number, } | { "type": "settings", 
/**
 * As they are now.
 */
settings: Settings, };
export type DeltaKind = "text" | "reasoning" | "call";
export type Delta = { 
/**
 * The conversation.
 */
conversation: ConversationId, 
/**
 * The message.
 */
message: MessageId, 
/**
 * Which text.
 */
kind: DeltaKind, 
/**
 * What was added.
 */
text: string, };
export type Snapshot = { 
/**
 * All conversations, newest first.
 */
conversations: Array<ConversationSummary>, 
/**
 * Runs that are not over, with the message being streamed.
 */
live: Array<Live>, 
/**
 * Open questions, oldest first.
 */
asks: Array<Ask>, 
/**
 * Notes that wait for the person to keep them.
 */
notes_waiting: number, 
/**
 * Settings.
 */
settings: Settings, 
/**
 * The version of the app.
 */
version: string, };
export type Live = { 
/**
 * The run.
 */
run: RunView, 
/**
 * What has been streamed of its present message.
 */
streaming: Message | null, };
export type StreamMessage = { "type": "snapshot", 
/**
 * Changes with every process; sequence numbers are of one epoch.
 */
epoch: string, 
/**
 * Events up to this one are in the snapshot.
 */
seq: number, 
/**
 * What is going on.
 */
snapshot: Snapshot, } | { "type": "event", 
/**
 * Counts up by one.
 */
seq: number, 
/**
 * The event.
 */
event: Event, };
export type Nothing = Record<string, never>;
export type Search = { 
/**
 * Words to find, in any order; empty for all.
 */
query: string, };
export type ConversationRef = { 
/**
 * Its id.
 */
conversation: ConversationId, };
export type MessageRef = { 
/**
 * Its conversation.
 */
conversation: ConversationId, 
/**
 * Its id.
 */
message: MessageId, };
export type RunRef = { 
/**
 * Its id.
 */
run: RunId, };
export type ProviderRef = { 
/**
 * Its id.
 */
provider: ProviderId, };
export type ConversationSummary = { 
/**
 * Its id.
 */
id: ConversationId, 
/**
 * Its title: the person's, or the beginning of the first message.
 */
title: string, 
/**
 * Its mode for the next run.
 */
mode: Mode, 
/**
 * Its model for the next run; `None` takes the default.
 */
model: ModelChoice | null, 
/**
 * Whether it is starred.
 */
starred: boolean, 
/**
 * When something last happened in it.
 */
updated: number, 
/**
 * The beginning of its last text.
 */
preview: string, 
/**
 * The state of its newest run.
 */
run: RunState | null, 
/**
 * Open questions.
 */
asks: number, 
/**
 * Where a search hit lies, with the text around it.
 */
hit?: SearchHit, };
export type SearchHit = { 
/**
 * The message.
 */
message: MessageId, 
/**
 * Text around the hit.
 */
snippet: string, };
export type ConversationView = { 
/**
 * As in the list.
 */
summary: ConversationSummary, 
/**
 * The active branch from the root on.
 */
messages: Array<Message>, 
/**
 * Its runs, oldest first, those of other branches included.
 */
runs: Array<RunView>, 
/**
 * Its open questions, oldest first.
 */
asks: Array<Ask>, };
export type ConversationPatch = { 
/**
 * Which.
 */
conversation: ConversationId, 
/**
 * A new title, 1 to 200 characters.
 */
title?: string, 
/**
 * A new mode, from the next run on.
 */
mode?: Mode, 
/**
 * A new model, from the next run on.
 */
model?: ModelChoice, 
/**
 * Starred or not.
 */
starred?: boolean, };
export type SendParams = { 
/**
 * Made by the sender, once a message: a repeated send with the same key does nothing twice.
 */
key?: string, 
/**
 * The conversation; a new one when absent.
 */
conversation?: ConversationId, 
/**
 * Edits this user message: the new one becomes a branch beside it.
 */
edit?: MessageId, 
/**
 * What the person typed; may be empty when there are pictures.
 */
text: string, 
/**
 * Pictures to attach.
 */
pictures: Array<PictureDraft>, 
/**
 * Pictures of the message that is edited, to keep.
 */
keep_pictures: Array<PictureId>, 
/**
 * The mode of a new conversation.
 */
mode?: Mode, 
/**
 * The model of a new conversation.
 */
model?: ModelChoice, };
export type Sent = { 
/**
 * The conversation.
 */
conversation: ConversationId, 
/**
 * The user message.
 */
message: MessageId, 
/**
 * The run.
 */
run: RunId, };
export type AskAnswerParams = { 
/**
 * Which question.
 */
ask: AskId, 
/**
 * The answer.
 */
answer: Answer, };
export type ProviderDraft = { 
/**
 * The provider to change; a new one when absent.
 */
id?: ProviderId, 
/**
 * Its name for people.
 */
name: string, 
/**
 * Its protocol.
 */
kind: ProviderKind, 
/**
 * Its base URL: with or without `/v1`, a trailing slash or `/chat/completions`.
 */
base_url: string, 
/**
 * A key, or a pasted text that holds one; when absent a known one is used.
 */
key?: string, 
/**
 * The model to try; the first listed when absent.
 */
model?: string, };
export type ProviderTestResult = { 
/**
 * Whether a model answered.
 */
ok: boolean, 
/**
 * The base URL as it will be used.
 */
base_url: string, 
/**
 * The models it lists; empty when it lists none.
 */
models: Array<string>, 
/**
 * The model that was tried.
 */
tried: string | null, 
/**
 * The protocol that answered: another than asked for when only that one did.
 */
protocol: ProviderKind, 
/**
 * How long the answer took, in milliseconds.
 */
ms: number, 
/**
 * What kind of thing went wrong.
 */
error: RunErrorKind | null, 
/**
 * What went wrong and what to do next.
 */
message: string | null, 
/**
 * The provider's own words about it, secrets removed.
 */
details: string | null, };
export type PictureRef = { 
/**
 * Its id.
 */
id: PictureId, 
/**
 * The file's name as the person had it.
 */
name: string, 
/**
 * `image/jpeg`, `image/png`, `image/webp` or `image/gif`.
 */
media_type: string, 
/**
 * In pixels.
 */
width: number, 
/**
 * In pixels.
 */
height: number, 
/**
 * Its marks: what is attached comes from outside.
 */
labels: Labels, };
export type Retrying = { 
/**
 * Why.
 */
kind: RunErrorKind, 
/**
 * How long it waits from the moment this was sent, in milliseconds.
 */
wait_ms: number, 
/**
 * Counts from 1 within a request.
 */
attempt: number, };
export type LeftOut = { 
/**
 * The tool.
 */
tool: string, 
/**
 * Why.
 */
reason: string, };
export type SpendScope = "run" | "day";
export type Effort = "off" | "low" | "medium" | "high";
export type ModelSettings = { 
/**
 * Which.
 */
model: ModelChoice, 
/**
 * Limits, abilities and prices.
 */
facts: ModelFacts, 
/**
 * How much it should think; `None` leaves it to the provider.
 */
effort: Effort | null, };
export type Caps = { 
/**
 * In one run.
 */
run: number | null, 
/**
 * In one day, from midnight to midnight where the device is.
 */
day: number | null, };
export type Network = { 
/**
 * `http://`, `https://`, `socks5://` or `socks5h://`, without user and password; empty for none.
 */
proxy: string, 
/**
 * The user's name at the proxy; empty for none.
 */
proxy_user: string, 
/**
 * Whether a password for the proxy is known. Derived, never stored as truth.
 */
proxy_password: boolean, 
/**
 * Certificates of authorities to trust besides the system's, in PEM; empty for none.
 */
roots_pem: string, };
export type KeyStoreKind = "system" | "file" | "passphrase" | "memory";
export type KeyStoreState = { 
/**
 * Where.
 */
kind: KeyStoreKind, 
/**
 * Whether they can't be had right now: a passphrase is wanted, or the store is locked, damaged or out of reach.
 */
locked: boolean, 
/**
 * For `locked`: what happened and what to do next, in words, where it is more than a wanted passphrase.
 */
problem: string | null, };
export type Price = { 
/**
 * What is sent.
 */
input: number, 
/**
 * What is answered, reasoning included.
 */
output: number, 
/**
 * What is read from the provider's cache; `None` costs as much as other input.
 */
cached: number | null, 
/**
 * What is written to the provider's cache; `None` likewise.
 */
cache_write: number | null, };
export type ModelFacts = { 
/**
 * How many tokens fit into its window, answer included.
 */
window: number | null, 
/**
 * How many tokens an answer may have.
 */
max_output: number | null, 
/**
 * Whether it sees pictures.
 */
pictures: boolean | null, 
/**
 * Whether it takes tools.
 */
tools: boolean | null, 
/**
 * Whether it thinks before it answers.
 */
thinks: boolean | null, 
/**
 * What it costs.
 */
price: Price | null, };
export type ModelView = { 
/**
 * Its name at the provider.
 */
model: string, 
/**
 * Its name for people, where the provider gives one.
 */
title: string | null, 
/**
 * What is known of it: by the person, the provider or the catalogue, in this order.
 */
facts: ModelFacts, 
/**
 * What the person set of it.
 */
set: ModelFacts, 
/**
 * How much it should think, as the person set it.
 */
effort: Effort | null, };
export type Pasted = { 
/**
 * The text.
 */
text: string, };
export type RecognisedProvider = { 
/**
 * The protocol.
 */
kind: ProviderKind, 
/**
 * A name for people.
 */
name: string, 
/**
 * The base URL; empty when the key could be several providers'.
 */
base_url: string, 
/**
 * Whether the text holds a key: the text itself can then be given as a draft's key.
 */
has_key: boolean, 
/**
 * Whether it can hardly be anything else.
 */
sure: boolean, };
export type ProviderPreset = { 
/**
 * Its name.
 */
name: string, 
/**
 * Its protocol.
 */
kind: ProviderKind, 
/**
 * Its base URL.
 */
base_url: string, 
/**
 * Where a key is made; empty for servers on this machine.
 */
key_url: string, };
export type NetworkDraft = { 
/**
 * See [`Network::proxy`](crate::Network::proxy); user and password in the URL are taken out and kept apart.
 */
proxy: string, 
/**
 * See [`Network::proxy_user`](crate::Network::proxy_user).
 */
proxy_user: string, 
/**
 * The password; when absent a known one is used as long as proxy and user stay the same.
 */
proxy_password?: string, 
/**
 * See [`Network::roots_pem`](crate::Network::roots_pem).
 */
roots_pem: string, };
export type Passphrase = { 
/**
 * The passphrase.
 */
passphrase: string, };
export type PictureGetParams = { 
/**
 * Its id.
 */
picture: PictureId, };
export type PictureData = { 
/**
 * `image/jpeg`, `image/png`, `image/webp` or `image/gif`.
 */
media_type: string, 
/**
 * The file, in base64.
 */
data: string, };
export type PictureDraft = { 
/**
 * The file's name.
 */
name: string, 
/**
 * The file, in base64: JPEG, PNG, WebP or GIF, at most 20 MB.
 */
data: string, };
export type NodeClass = "scroll" | "navigate" | "field" | "send" | "pay" | "delete" | "install" | "permission" | "leave" | "account" | "unknown";
export type Target = { 
/**
 * The package of the app it is in.
 */
app: string, 
/**
 * That app's name, as the person knows it; the package where it has none.
 */
app_name: string, 
/**
 * What it is, in one word, as `button`.
 */
role: string, 
/**
 * What it says, with what stands in it; may be empty.
 */
label: string, 
/**
 * What touching it does.
 */
class: NodeClass, 
/**
 * Its rectangle on the screen in pixels: left, top, right, bottom.
 */
bounds: [number, number, number, number], 
/**
 * Names what exactly it is: for whatever touches it, not for people.
 */
fingerprint: string, };
export type ShellRisk = { 
/**
 * The most dangerous thing in it.
 */
level: Danger, 
/**
 * Whether all of it could be read. What could not is `High`.
 */
parsed: boolean, 
/**
 * What it does, the most dangerous first; never empty.
 */
effects: Array<ShellEffect>, };
export type ShellEffect = { 
/**
 * What it does.
 */
kind: ShellEffectKind, 
/**
 * The words of the command it is about, as they were written; cut when long.
 */
command: string, 
/**
 * Why, in a few English words, for the person and the model.
 */
why: string, };
export type ShellEffectKind = "reads" | "writes" | "deletes" | "network" | "runs_code" | "privilege" | "system" | "unknown";
export type Doubt = { 
/**
 * The argument it stands in, as `recipients[0]`.
 */
path: string, 
/**
 * The value, or the part of it that is in doubt, exactly as it would be used.
 */
value: string, 
/**
 * What is wrong with it.
 */
kind: DoubtKind, 
/**
 * Where it stands in what the model has read, if anywhere.
 */
source?: Source, };
export type DoubtKind = "untraced" | "link" | "private";
export type Origin = { 
/**
 * Its conversation.
 */
conversation: ConversationId, 
/**
 * What it was told to do.
 */
task: string, 
/**
 * 1 for a child of the person's run, 2 for a grandchild.
 */
depth: number, };
export type AllowScope = "run" | "conversation" | "always";
export type ArgumentPattern = { 
/**
 * The argument's name.
 */
argument: string, 
/**
 * The pattern; it has to fit the whole of it. A value that is not a string is compared as JSON.
 */
pattern: string, };
export type PartRole = "link" | "person";
export type SummaryState = "used" | "undone";
export type SearchEngine = "automatic" | "searxng" | "brave" | "tavily";
export type WebSettings = { 
/**
 * The engine.
 */
search: SearchEngine, 
/**
 * The base URL of the person's own SearXNG; empty for none.
 */
searxng: string, 
/**
 * Whether a key for the chosen engine is known. Derived, never stored as truth.
 */
search_key: boolean, 
/**
 * A proxy on this device answers every name with an address of 198.18.0.0/15: let those through.
 */
fake_ip: boolean, };
export type WebDraft = { 
/**
 * Which engine.
 */
search: SearchEngine, 
/**
 * See [`WebSettings::searxng`](crate::WebSettings::searxng).
 */
searxng: string, 
/**
 * The key of the engine chosen; when absent a known one is used; an empty one is forgotten.
 */
key?: string, 
/**
 * See [`WebSettings::fake_ip`](crate::WebSettings::fake_ip).
 */
fake_ip: boolean, };
export type GrantRef = { 
/**
 * Its id.
 */
grant: string, };
export type GrantView = { 
/**
 * Its id.
 */
id: string, 
/**
 * The tool.
 */
tool: string, 
/**
 * How far it reaches; `None` for one automation.
 */
scope: AllowScope | null, 
/**
 * The automation it is for.
 */
automation?: string, 
/**
 * The conversation it holds in.
 */
conversation?: ConversationId, 
/**
 * That conversation's title.
 */
title?: string, 
/**
 * Only with such arguments.
 */
arguments: Array<ArgumentPattern>, 
/**
 * When it was given.
 */
at: number, 
/**
 * When it ends.
 */
expires: number | null, };
export type NoteSearch = { 
/**
 * Words to find; empty for all.
 */
query: string, };
export type NoteRef = { 
/**
 * Its number.
 */
note: number, };
export type NoteView = { 
/**
 * Its number.
 */
id: number, 
/**
 * Its text.
 */
text: string, 
/**
 * Its marks; while it is tainted it waits for the person to keep it.
 */
labels: Labels, 
/**
 * When it was written.
 */
at: number, 
/**
 * The conversation it was written in, while that is there.
 */
conversation?: ConversationId, };
export type ImageRef = { 
/**
 * Its address: `http` or `https`.
 */
url: string, };
export type Channel = "accessibility" | "projection" | "shizuku" | "device" | "lifecycle";
export type Fault = "not_granted" | "not_bound" | "not_answering" | "not_running" | "secure_window" | "timed_out" | "rate_limited" | "unsupported" | "refused" | "not_found" | "changed" | "password" | "declined" | "locked" | "busy" | "too_large" | "invalid" | "failed";
export type ChannelState = { 
/**
 * The person has switched it on.
 */
granted: boolean, 
/**
 * The system has connected it.
 */
bound: boolean, 
/**
 * It was tried and did what it should.
 */
answering: boolean, 
/**
 * What stands in the way, in the words of [`Fault`]; absent when all three hold.
 */
fault?: Fault, 
/**
 * Details for the person, as a version or the name of a permission.
 */
detail?: string, };
export type ChannelView = { 
/**
 * Which.
 */
channel: Channel, 
/**
 * How it stands.
 */
state: ChannelState, };
export type DeviceView = { 
/**
 * The channels there are here; none on a device that Bailey can't use.
 */
channels: Array<ChannelView>, 
/**
 * Ordinary permissions by name, and whether each is granted.
 */
permissions: { [key in string]: boolean }, };
export type ChannelRef = { 
/**
 * Which.
 */
channel: Channel, };
export type PermissionRef = { 
/**
 * Its name.
 */
permission: string, };

/** Every command: its parameters and its result. */
export interface Commands {
  /** What is going on: what the event stream starts with. */
  snapshot: { params: Nothing; result: Snapshot };
  /** Conversations whose title or messages match; all without a query. */
  conversation_list: { params: Search; result: Array<ConversationSummary> };
  /** One conversation: the active branch, its runs and open questions. */
  conversation_open: { params: ConversationRef; result: ConversationView };
  /** Changes a title, mode, model or star. */
  conversation_update: { params: ConversationPatch; result: ConversationSummary };
  /** Takes a conversation out of sight, stopping its run; it can be brought back until the app ends or 30 s passed. */
  conversation_delete: { params: ConversationRef; result: Nothing };
  /** Brings a deleted conversation back. */
  conversation_restore: { params: ConversationRef; result: ConversationSummary };
  /** Sends a message and starts a run; makes a conversation when none is named. */
  send: { params: SendParams; result: Sent };
  /** Answers a user message anew: a branch beside the earlier answer. */
  retry: { params: MessageRef; result: Sent };
  /** Shows the branch that holds this message. */
  branch_select: { params: MessageRef; result: ConversationView };
  /** Stops a run, in the middle of a stream or of a tool. */
  stop: { params: RunRef; result: Nothing };
  /** Answers a question. A second answer is harmless and says so (`stale`). */
  ask_answer: { params: AskAnswerParams; result: Nothing };
  /** The settings. */
  settings_get: { params: Nothing; result: Settings };
  /** Changes settings. */
  settings_update: { params: SettingsPatch; result: Settings };
  /** Model servers that answer on this machine's loopback. */
  local_servers: { params: Nothing; result: Array<LocalServer> };
  /** Really calls an endpoint and says what it found; keeps nothing. */
  provider_test: { params: ProviderDraft; result: ProviderTestResult };
  /** Adds a provider, or changes the one named by `id`. A key goes to where keys are kept. */
  provider_save: { params: ProviderDraft; result: Provider };
  /** Forgets a provider and its key. */
  provider_remove: { params: ProviderRef; result: Settings };
  /** The models a provider lists now, with what is known of each. */
  model_list: { params: ProviderRef; result: Array<ModelView> };
  /** What a pasted key, URL or snippet seems to be; `null` when nothing is recognised. Keeps nothing. */
  provider_recognise: { params: Pasted; result: RecognisedProvider | null };
  /** Well-known providers to pick from. */
  provider_presets: { params: Nothing; result: Array<ProviderPreset> };
  /** Sets proxy and certificates. */
  network_update: { params: NetworkDraft; result: Settings };
  /** Opens the file of keys with its passphrase. */
  keys_unlock: { params: Passphrase; result: Settings };
  /** Puts a passphrase on the file of keys, or takes it off (an empty one). */
  keys_protect: { params: Passphrase; result: Settings };
  /** An attached picture. */
  picture_get: { params: PictureGetParams; result: PictureData };
  /** The person's lasting permissions that still hold, newest first. */
  grant_list: { params: Nothing; result: Array<GrantView> };
  /** Takes a permission back; it holds no more from the next call on. Says what is left. */
  grant_revoke: { params: GrantRef; result: Array<GrantView> };
  /** Notes, newest first: all, or those that match. */
  note_list: { params: NoteSearch; result: Array<NoteView> };
  /** The person takes a note that was written after outside text as their own: its mark is gone. */
  note_keep: { params: NoteRef; result: NoteView };
  /** Forgets a note. */
  note_forget: { params: NoteRef; result: Nothing };
  /** Takes a summary back: requests hold again what it stood for. */
  summary_undo: { params: MessageRef; result: ConversationView };
  /** Sets how the web is searched and reached. */
  web_update: { params: WebDraft; result: Settings };
  /** How each channel of the device stands, and which permissions are granted. */
  device_view: { params: Nothing; result: DeviceView };
  /** Tries a channel: it does something small, and says whether that worked. */
  device_try: { params: ChannelRef; result: ChannelView };
  /** Asks the person for a channel or a permission, by the system's own dialog or its settings page. */
  device_ask: { params: PermissionRef; result: DeviceView };
  /** A picture on the web that an answer names and the person wants to see: fetched through the guard. */
  image_load: { params: ImageRef; result: PictureData };
  /** The tools, and what each mode does with them. */
  tool_list: { params: Nothing; result: Array<ToolView> };
}
