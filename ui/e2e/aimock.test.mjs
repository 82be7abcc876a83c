// SPDX-License-Identifier: Apache-2.0
// Against a provider nobody here wrote, in all four protocols: calls that come in small pieces, and all that goes wrong on the
// way. Whatever happens, a run ends in an answer or in the right kind of error, no half call runs, and the chat can go on.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { call, MODELS } from "./endpoint.mjs";
import { violations } from "./history.mjs";
import { scenario } from "./scenario.mjs";
import { KINDS, toolsOf } from "./wire.mjs";

const KEY = "sk-aimock-5f1d0c77aa";
const MAX = { bare: true, settings: { default_mode: "max" } };

/** What a person sets of a model, when it is only how much it thinks. */
const NOT_SET = { window: null, max_output: null, pictures: null, tools: null, thinks: null, price: null };

/** How much it thinks, as the protocol says it; aimock's address is nobody's whose word for it in chat completions is known. */
const EFFORT = {
  openai_chat: (body) => body.reasoning_effort,
  openai_responses: (body) => body.reasoning.effort,
  anthropic: (body) => body.thinking.type,
  gemini: (body) => body.generationConfig.thinkingConfig.includeThoughts,
};
const EXPECTED_EFFORT = { openai_chat: undefined, openai_responses: "medium", anthropic: "enabled", gemini: true };

/** The header that carries the key. */
const KEY_HEADERS = { openai_chat: ["authorization", `Bearer ${KEY}`], openai_responses: ["authorization", `Bearer ${KEY}`], anthropic: ["x-api-key", KEY], gemini: ["x-goog-api-key", KEY] };

/** What the model thought, as it must go back, in the assistant turns of a request; `undefined` where aimock signs nothing. */
const THOUGHTS = {
  openai_chat: ({ messages }) => messages.filter(({ tool_calls }) => tool_calls).map(({ reasoning_content }) => reasoning_content),
  openai_responses: ({ input }) => input.filter(({ type }) => type === "reasoning").map(({ summary, encrypted_content }) => [summary[0].text, Buffer.from(encrypted_content, "base64").toString().replace(/rs-.*/, "…")].join()),
  anthropic: ({ messages }) => messages.filter(({ role }) => role === "assistant").map(({ content }) => [content[0].thinking, content[0].signature].join()),
};
const EXPECTED_THOUGHTS = {
  openai_chat: ["First the sum, then the clock.", "Now in months."],
  openai_responses: ["First the sum, then the clock.,aimock-encrypted-reasoning:…", "Now in months.,aimock-encrypted-reasoning:…"],
  anthropic: ["First the sum, then the clock.,SIG/one+1==", "Now in months.,SIG/two+2=="],
};

const texts = (message) => message.blocks.filter(({ type }) => type === "text").map(({ text }) => text).join("");
const calls = (messages) => messages.flatMap(({ blocks }) => blocks.filter(({ type }) => type === "call").map(({ call }) => call));
const result = (made) => made.parts.map(({ text }) => text).join("\n");

/** Requests with one fault each, and what is said of it. */
const WRONG = {
  openai_chat: [
    [{ messages: [{ role: "user", content: "a" }, { role: "assistant", content: null, tool_calls: [{ id: "1", type: "function", function: { name: "f", arguments: "{}" } }] }, { role: "user", content: "b" }] }, /the call 1 has no result/],
    [{ messages: [{ role: "user", content: "a" }, { role: "tool", tool_call_id: "1", content: "b" }] }, /the result 1 belongs to no open call/],
    [{ messages: [{ role: "user", content: " " }] }, /no content/],
    [{ messages: [{ role: "user", content: "a" }], tools: [] }, /the list of tools is empty/],
  ],
  openai_responses: [
    [{ store: false, input: [{ role: "user", content: "a" }, { type: "function_call", call_id: "1", name: "f", arguments: "{}" }, { role: "user", content: "b" }] }, /the call 1 has no result/],
    [{ store: false, input: [{ type: "reasoning", id: "rs", summary: [], encrypted_content: "x" }, { role: "user", content: "b" }] }, /reasoning without what came of it/],
    [{ store: false, input: [{ role: "user", content: "a" }, { type: "function_call", call_id: "1", name: "f", arguments: '{"a' }, { type: "function_call_output", call_id: "1", output: "b" }] }, /arguments that are no object/],
  ],
  anthropic: [
    [{ max_tokens: 9, messages: [{ role: "user", content: "a" }, { role: "user", content: "b" }] }, /the role user/],
    [{ max_tokens: 9, messages: [{ role: "user", content: "a" }, { role: "assistant", content: [{ type: "tool_use", id: "1", name: "f", input: {} }] }, { role: "user", content: [{ type: "text", text: "b" }, { type: "tool_result", tool_use_id: "1", content: "c" }] }] }, /a result that is not first/],
    [{ max_tokens: 9, messages: [{ role: "user", content: "a" }, { role: "assistant", content: [{ type: "thinking", thinking: "t", signature: "" }, { type: "text", text: "b" }] }, { role: "user", content: "c" }] }, /thinking without a signature/],
    [{ max_tokens: 2048, thinking: { type: "enabled", budget_tokens: 1024 }, messages: [{ role: "user", content: "a" }, { role: "assistant", content: [{ type: "tool_use", id: "1", name: "f", input: {} }] }, { role: "user", content: [{ type: "tool_result", tool_use_id: "1", content: "c" }] }] }, /does not begin with thinking/],
  ],
  gemini: [
    [{ contents: [{ role: "user", parts: [{ text: "a" }] }, { role: "model", parts: [{ functionCall: { name: "f", args: {} } }, { functionCall: { name: "g", args: {} } }] }, { role: "user", parts: [{ functionResponse: { name: "f", response: {} } }] }] }, /the calls f,g have the results f/],
    [{ contents: [{ role: "user", parts: [{ text: "" }] }] }, /a text without text/],
    [{ contents: [{ role: "user", parts: [{ text: "a" }] }], tools: [{ functionDeclarations: [{ name: "f", parameters: { type: "object", additionalProperties: false } }] }] }, /holds additionalProperties/],
  ],
};

test("what a provider would refuse is found", () => {
  for (const [kind, bodies] of Object.entries(WRONG)) for (const [body, says] of bodies) assert.match(violations(kind, body).join("\n"), says, kind);
});

for (const kind of KINDS)
  scenario(`${kind}: models are found, and calls in pieces of a few bytes are run and answered`, MAX, async (world) => {
    const endpoint = await world.endpoint({ pieces: 5, keys: [KEY] });
    const draft = { name: "aimock", kind, base_url: endpoint.base(kind) };

    const refused = await world.call("provider_test", { ...draft, key: "sk-wrong-0123456789" });
    assert.deepEqual([refused.ok, refused.error], [false, "auth"], JSON.stringify(refused));
    assert.match(refused.details, /Invalid API key/, "the provider's own words");
    endpoint.teach("single word OK", "OK");
    const tested = await world.call("provider_test", { ...draft, key: KEY });
    assert.equal(tested.ok, true, JSON.stringify(tested));
    assert.equal(tested.protocol, kind);
    assert.ok(tested.models.includes(MODELS[kind]), `it lists ${tested.models}`);
    assert.doesNotMatch(JSON.stringify([refused, tested]), /sk-/);

    const usage = { prompt_tokens: 120, completion_tokens: 30, total_tokens: 150 };
    endpoint.teach(
      "How old",
      { reasoning: "First the sum, then the clock.", reasoningSignature: "SIG/one+1==", content: "I calculate – 我来算。", toolCalls: [call("compute", { expression: "2026 - 1969" }), call("get_time", { timezone: "Europe/Lisbon" })], usage, with: { chunkSize: 3, latency: 1 } },
      { reasoning: "Now in months.", reasoningSignature: "SIG/two+2==", toolCalls: [call("compute", { expression: "57 * 12" })], usage, with: { chunkSize: 1 } },
      { content: "57 years, or 684 months – 五十七年。", usage, with: { chunkSize: 1, latency: 1 } },
    );
    const model = await world.provide(kind, endpoint, { key: KEY });
    await world.call("settings_update", { model: { model, facts: NOT_SET, effort: "medium" } });
    const { run, said, conversation } = await world.talk("How old is the moon landing?", { model });
    assert.equal(run.state, "done", JSON.stringify(run.error));
    assert.deepEqual(said.map(({ blocks }) => blocks.map(({ type }) => type).join(" ")), ["reasoning text call call", "reasoning call", "text"]);
    assert.deepEqual([texts(said[0]), texts(said[2])], ["I calculate – 我来算。", "57 years, or 684 months – 五十七年。"]);
    assert.deepEqual(calls(said).map(({ tool, state }) => `${tool} ${state}`), ["compute done", "get_time done", "compute done"]);
    assert.match(result(calls(said)[0]), /\b57\b/);
    assert.match(result(calls(said)[1]), /Lisbon/);
    assert.match(result(calls(said)[2]), /\b684\b/);
    for (const message of said) assert.deepEqual([message.usage.input, message.usage.output], [120, 30]);
    assert.deepEqual(said.map((message) => message.model), Array(3).fill(model.model));

    const requests = endpoint.asked("How old");
    assert.deepEqual(requests.map((request) => [request.kind, request.model]), Array(3).fill([kind, MODELS[kind]]));
    for (const { headers, path, body } of requests) {
      const [name, value] = KEY_HEADERS[kind];
      assert.equal(headers[name], value);
      assert.doesNotMatch(path + JSON.stringify(body), /sk-aimock/);
      assert.equal(EFFORT[kind](body), EXPECTED_EFFORT[kind]);
      assert.ok(["compute", "get_time"].every((tool) => toolsOf(kind, body).includes(tool)));
    }
    // What came of the calls, in the protocol's own form: one result a call, the calls as the model made them.
    const { turns, body } = requests[2];
    assert.deepEqual(turns.map(({ role }) => role), ["user", "assistant", "tool", "tool", "assistant", "tool"]);
    assert.deepEqual(turns.filter(({ role }) => role === "assistant").flatMap((turn) => turn.calls.map(({ name, arguments: args }) => [name, args])), [["compute", { expression: "2026 - 1969" }], ["get_time", { timezone: "Europe/Lisbon" }], ["compute", { expression: "57 * 12" }]]);
    assert.equal(turns[1].text, "I calculate – 我来算。");
    const made = turns.filter(({ role }) => role === "assistant").flatMap((turn) => turn.calls.map(({ id }) => id));
    const answered = turns.filter(({ role }) => role === "tool");
    assert.deepEqual(answered.map(({ id }) => id), made);
    answered.forEach(({ text }, at) => assert.ok(text.includes(result(calls(said)[at]).split("\n")[0]), text));
    if (THOUGHTS[kind]) assert.deepEqual(THOUGHTS[kind](body), EXPECTED_THOUGHTS[kind], "what was thought goes back as it came");
    // aimock reads the same.
    const read = endpoint.aimock.getRequests().filter(({ response }) => response.fixture?.match.userMessage === "How old");
    assert.deepEqual(read.map(({ response }) => response.status), [200, 200, 200]);
    assert.equal(read[2].body.messages.filter(({ role }) => role === "tool").length, 3);

    endpoint.teach("And in days", "About 20,800.");
    const after = await world.talk("And in days?", { conversation });
    assert.equal(after.run.state, "done", JSON.stringify(after.run.error));
    assert.equal(texts(after.said[0]), "About 20,800.");
    assert.deepEqual(endpoint.requests.at(-1).turns.map(({ role }) => role), ["user", "assistant", "tool", "tool", "assistant", "tool", "assistant", "user"]);
  });

/** A call with something said before it, in pieces of four characters. */
const CUT = { reasoning: "Hm.", content: "I calculate.", toolCalls: [call("compute", { expression: "1+1" })], with: { chunkSize: 4 } };
/** So many of its chunks end in the middle of the arguments; Gemini's come at once, so that it ends in the text. */
const IN_THE_ARGUMENTS = { openai_chat: 8, openai_responses: 20, anthropic: 14, gemini: 3 };

/** An error object that comes on a stream that began well. */
const IN_THE_STREAM = {
  openai_chat: [{ choices: [{ index: 0, delta: { role: "assistant", content: "Half" } }] }, { error: { message: "The engine is currently overloaded", type: "server_error", code: "overloaded" } }],
  openai_responses: [{ type: "response.created", response: { id: "resp_1", status: "in_progress" } }, { type: "response.failed", response: { id: "resp_1", status: "failed", error: { code: "server_is_overloaded", message: "The server is overloaded" } } }],
  anthropic: [{ type: "message_start", message: { id: "msg_1", type: "message", role: "assistant", content: [], model: "claude", usage: { input_tokens: 1, output_tokens: 1 } } }, { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }, { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Half" } }, { type: "error", error: { type: "overloaded_error", message: "Overloaded" } }],
  gemini: [{ candidates: [{ content: { role: "model", parts: [{ text: "Half" }] }, index: 0 }] }, { error: { code: 503, message: "The model is overloaded. Please try again later.", status: "UNAVAILABLE" } }],
};

const failing = (status, message, code, more = {}) => ({ error: { message, type: code, code }, status, ...more });
const RETRIED = 4;

/**
 * What goes wrong: aimock's options (`teach`) or a script (`script`), and what comes of it: the kind of error, or `answer`, and
 * the number of requests that takes: 4 where trying again may help.
 */
const TROUBLES = [
  { name: "dropRate: HTTP 500 in place of an answer", teach: { content: "Never", with: { chaos: { dropRate: 1 } } }, ends: "server", requests: RETRIED },
  { name: "malformedRate: JSON that is none, with HTTP 200", teach: { content: "Never", with: { chaos: { malformedRate: 1 } } }, ends: "invalid", requests: 1 },
  { name: "rateLimitRate: HTTP 429 with Retry-After", teach: { content: "Never", with: { chaos: { rateLimitRate: 1 } } }, ends: "rate", requests: RETRIED },
  { name: "disconnectRate: closed before the first byte", teach: { content: "Never", with: { chaos: { disconnectRate: 1 } } }, ends: "network", requests: RETRIED },
  { name: "latencyMs: a late answer", teach: { content: "Late.", with: { chaos: { latencyMs: 400 } } }, ends: "answer", requests: 1 },
  { name: "truncateAfterChunks: the stream breaks in the text", teach: { content: "A long answer that is never whole", with: { chunkSize: 2, latency: 4, truncateAfterChunks: 9 } }, ends: "interrupted", requests: RETRIED },
  { name: "truncateAfterChunks: the stream breaks in a call", teach: (kind) => ({ ...CUT, with: { chunkSize: 4, latency: 4, truncateAfterChunks: IN_THE_ARGUMENTS[kind] } }), ends: "interrupted", requests: RETRIED },
  { name: "truncateAfterChunks, once: the call runs once", teach: (kind) => [{ ...CUT, first: { latency: 4, truncateAfterChunks: IN_THE_ARGUMENTS[kind] } }, "It is 2."], ends: "answer", requests: 3, calls: ["compute done"] },
  { name: "disconnectAfterMs: the connection breaks in the text", teach: { content: "A long answer that is never whole", with: { chunkSize: 3, latency: 60, disconnectAfterMs: 400 } }, ends: "interrupted", requests: RETRIED },
  { name: "finishReason length: half a text is kept and marked", teach: { content: "Half an", finishReason: "length" }, ends: "answer", requests: 1, status: "truncated" },
  { name: "an error fixture 401", teach: failing(401, "Invalid API key", "authentication_error"), ends: "auth" },
  { name: "an error fixture 429 with a long Retry-After", teach: failing(429, "Slow down", "rate_limit_error", { retryAfter: 90 }), ends: "rate", requests: 1 },
  { name: "an error fixture 429 without credit", teach: failing(429, "You exceeded your current quota, please check your plan and billing details.", "insufficient_quota"), ends: "quota", requests: 1 },
  { name: "an error fixture 400 too long", teach: failing(400, "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.", "context_length_exceeded"), ends: "too_long" },
  { name: "an error fixture 400", teach: failing(400, "Unknown parameter: 'cheese'.", "invalid_request_error"), ends: "invalid" },
  { name: "an error fixture 503", teach: failing(503, "The service is temporarily overloaded", "overloaded_error"), ends: "overloaded", requests: RETRIED },
  { name: "HTTP 429 without Retry-After", script: () => Array(RETRIED).fill({ status: 429, body: { error: { message: "Too many requests", type: "rate_limit_error" } } }), ends: "rate", requests: RETRIED },
  { name: "HTTP 529, once", script: () => [{ status: 529, body: { type: "error", error: { type: "overloaded_error", message: "Overloaded" } } }], teach: "Now.", ends: "answer", requests: 2 },
  { name: "an error object on the stream", script: (kind) => Array(RETRIED).fill({ events: IN_THE_STREAM[kind] }), ends: "overloaded", requests: RETRIED },
  { name: "an error object on the stream, once", script: (kind) => [{ events: IN_THE_STREAM[kind] }], teach: "Whole.", ends: "answer", requests: 2, text: "Whole." },
];

/** Fails with those that did not come out as expected. */
function differ(outcomes) {
  const wrong = outcomes.filter(({ seen, expected }) => !isDeepStrictEqual(seen, expected));
  assert.deepEqual(wrong.map(({ seen }) => seen), wrong.map(({ expected }) => expected));
}

/** What became of a run. */
const outcome = ({ run, said }, endpoint, words) => ({
  ends: run.state === "done" ? "answer" : run.state === "failed" ? run.error.kind : run.state,
  requests: endpoint.asked(words).length,
  calls: calls(said).map(({ tool, state }) => `${tool} ${state}`),
});

scenario("all protocols: whatever goes wrong has its kind, and the chat goes on", MAX, async (world) => {
  const endpoint = await world.endpoint({ pieces: 7 });
  const all = KINDS.flatMap((kind) => TROUBLES.map((trouble, at) => ({ kind, trouble, words: `${kind} in trouble ${at};` })));
  const models = Object.fromEntries(await Promise.all(KINDS.map(async (kind) => [kind, await world.provide(kind, endpoint)])));
  const outcomes = await Promise.all(
    all.map(async ({ kind, words, trouble: { teach, script, name, ...expected } }) => {
      if (teach) endpoint.teach(words, ...[typeof teach === "function" ? teach(kind) : teach].flat());
      if (script) endpoint.when(words, ...script(kind));
      const talked = await world.talk(words, { model: models[kind] });
      const { run, said } = talked;
      const made = outcome(talked, endpoint, words);
      const seen = {
        ends: made.ends,
        ...(expected.requests ? { requests: made.requests } : {}),
        calls: made.calls,
        ...(expected.status ? { status: said.at(-1)?.status } : {}),
        ...(expected.text ? { text: texts(said.at(-1)) } : {}),
      };
      assert.ok(said.every(({ status }) => status !== "streaming"), `${name}: nothing is being written any more`);
      assert.doesNotMatch(JSON.stringify(run), /sk-nobody/);
      return { seen: { kind, name, ...seen }, expected: { kind, name, calls: [], ...expected }, conversation: talked.conversation };
    }),
  );
  differ(outcomes);
  // What is taught last counts first: the person's words of a run that failed stand right before the next ones.
  endpoint.teach("go on", "Here I am.");
  const after = await Promise.all(
    outcomes.map(async ({ expected: { kind, name }, conversation }) => {
      const { run, said } = await world.talk("Do go on", { conversation });
      return { seen: { kind, name, text: said.map(texts).join(), error: run.error }, expected: { kind, name, text: "Here I am.", error: undefined } };
    }),
  );
  differ(after);
});

/** Numbers from 0 to 1 that look random and are the same each time (mulberry32). */
function seeded(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** aimock's faults, the kind each has, and whether trying again may help. */
const FAULTS = { drop: ["server", true], rate: ["rate", true], disconnect: ["network", true], malformed: ["invalid", false] };

/** The faults of a conversation's requests, in order; `undefined` for none. Every other request is in trouble. */
function weather(seed) {
  const random = seeded(seed);
  return Array.from({ length: 8 }, () => (random() < 0.5 ? undefined : random() < 0.15 ? "malformed" : Object.keys(FAULTS)[Math.floor(random() * 3)]));
}

/** What must become of a run of two rounds in this weather. */
function forecast(faults) {
  let at = 0;
  for (const round of [1, 2])
    for (let tries = 1; ; tries++) {
      const fault = faults[at];
      at += 1;
      if (fault === undefined) break;
      const [kind, passes] = FAULTS[fault];
      if (!passes || tries === RETRIED) return { ends: kind, requests: at, calls: round === 1 ? [] : ["compute done"] };
    }
  return { ends: "answer", requests: at, calls: ["compute done"] };
}

scenario("all protocols: in mixed weather every run ends as it must, and each call runs once", MAX, async (world) => {
  const endpoint = await world.endpoint({ pieces: 3 });
  const faults = {};
  endpoint.fault = (said, times) => faults[said]?.[times];
  endpoint.teach("weather", { content: "A sum.", toolCalls: [call("compute", { expression: "20 + 22" })], with: { chunkSize: 5 } }, "42.");
  const models = Object.fromEntries(await Promise.all(KINDS.map(async (kind) => [kind, await world.provide(kind, endpoint)])));
  const seeds = [2, 3, 4, 8, 9, 10, 11, 18];
  // So that they are a fair sample.
  const forecasts = seeds.map((seed) => forecast(weather(seed)));
  assert.ok(forecasts.some(({ ends }) => ends === "answer") && forecasts.some(({ ends }) => ends !== "answer") && forecasts.some(({ requests }) => requests > 3), JSON.stringify(forecasts));
  const outcomes = await Promise.all(
    KINDS.flatMap((kind) =>
      seeds.map(async (seed) => {
        const words = `${kind} in weather ${seed};`;
        faults[words] = weather(seed);
        const talked = await world.talk(words, { model: models[kind] });
        return { seen: { words, ...outcome(talked, endpoint, words) }, expected: { words, ...forecast(weather(seed)) }, conversation: talked.conversation };
      }),
    ),
  );
  differ(outcomes);
  endpoint.teach("go on", "Here I am.");
  for (const { expected: { words }, conversation } of outcomes) {
    const { run, said } = await world.talk("Do go on", { conversation });
    assert.deepEqual([words, run.error, said.map(texts)], [words, undefined, ["Here I am."]]);
  }
});

/** A call whose arguments end in the middle because the answer may not be longer. */
const LIMITED = {
  openai_chat: { teach: { content: "I write it down.", toolCalls: [{ name: "memory_write", arguments: '{"text": "half a no' }], finishReason: "length" } },
  openai_responses: { teach: { content: "I write it down.", toolCalls: [{ name: "memory_write", arguments: '{"text": "half a no' }], finishReason: "length" } },
  // aimock mends the arguments of this one.
  anthropic: {
    events: [
      { type: "message_start", message: { id: "msg_1", type: "message", role: "assistant", content: [], model: "claude", usage: { input_tokens: 1, output_tokens: 1 } } },
      { type: "content_block_start", index: 0, content_block: { type: "tool_use", id: "toolu_1", name: "memory_write", input: {} } },
      { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: '{"text": "half a no' } },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "max_tokens" }, usage: { output_tokens: 9 } },
      { type: "message_stop" },
    ],
  },
};

for (const [kind, { teach, events }] of Object.entries(LIMITED))
  scenario(`${kind}: a call that was cut by the limit of output never runs`, MAX, async (world) => {
    const endpoint = await world.endpoint();
    if (teach) endpoint.teach("limit", teach);
    else endpoint.when("limit", { events });
    const { run, said, conversation } = await world.talk("Up to the limit", { model: await world.provide(kind, endpoint) });
    assert.deepEqual(calls(said).filter(({ state }) => state !== "denied"), []);
    assert.ok(["done", "failed"].includes(run.state), run.state);
    endpoint.teach("go on", "Here I am.");
    const next = await world.talk("Do go on", { conversation });
    assert.equal(texts(next.said.at(-1)), "Here I am.");
  });

scenario("all protocols: characters that come in halves are put together", MAX, async (world) => {
  const endpoint = await world.endpoint({ pieces: 3 });
  // aimock cuts by UTF-16, as other gateways do: an emoji comes as two lone halves.
  const said = "Grüße 🌍, 你好 🎉!";
  endpoint.teach("greet", { content: said, with: { chunkSize: 1 } });
  for (const kind of KINDS) {
    const talked = await world.talk(`Do greet, ${kind}`, { model: await world.provide(kind, endpoint) });
    assert.deepEqual([kind, talked.run.error, talked.said.map(texts)], [kind, undefined, [said]]);
  }
});
