// SPDX-License-Identifier: Apache-2.0
// How the catalogue is made from its source.
import assert from "node:assert/strict";
import { test } from "node:test";
import { catalogue, line, undated } from "./catalogue.mjs";

const chat = (more) => ({ litellm_provider: "openai", mode: "chat", max_input_tokens: 1000, supports_function_calling: true, ...more });
const priced = { input_cost_per_token: 1.25e-6, output_cost_per_token: 1e-5 };

test("facts are taken over, prices per million tokens in micro-dollars", () => {
  const entry = chat({ ...priced, max_output_tokens: 200, supports_vision: true, cache_read_input_token_cost: 1.25e-7, cache_creation_input_token_cost: 1.25e-6 });
  assert.deepEqual(JSON.parse(JSON.stringify(line("gpt-x", entry))), {
    host: "openai",
    id: "gpt-x",
    window: 1000,
    max_output: 200,
    pictures: true,
    tools: true,
    thinks: false,
    price: { input: 1_250_000, output: 10_000_000, cached: 125_000 },
  });
  assert.equal(line("gemini/g", { ...entry, litellm_provider: "gemini" }).host, "google");
  assert.equal(line("gemini/g", { ...entry, litellm_provider: "gemini" }).id, "g");
});

test("what is not known is left out", () => {
  const price = (more) => line("m", chat({ ...priced, ...more })).price;
  assert.equal(price({ input_cost_per_token: 0 }), undefined);
  assert.equal(price({ output_cost_per_reasoning_token: 4e-5 }), undefined);
  assert.equal(price({ input_cost_per_token_above_32k_tokens: 4e-5 }), undefined);
  assert.deepEqual(price({ input_cost_per_token_above_200k_tokens: 4e-5 }), price({}));
  const tier = (end) => ({ ...priced, range: [0, end] });
  assert.deepEqual(line("m", chat({ tiered_pricing: [tier(256e3), tier(1e6)] })).price, price({}));
  assert.equal(line("m", chat({ tiered_pricing: [tier(32e3), tier(1e6)] })).price, undefined);
  // A largest answer as large as the window is none.
  assert.equal(line("m", chat({ max_output_tokens: 1000 })).max_output, undefined);
  // A reseller that does not say that a model sees does not say that it is blind.
  assert.equal(line("groq/m", chat({ litellm_provider: "groq" })).pictures, undefined);
  assert.equal(line("m", chat({})).pictures, false);
});

test("only models to chat with are taken", () => {
  assert.equal(line("m", chat({ mode: "embedding" })), undefined);
  assert.equal(line("m", chat({ litellm_provider: "somebody" })), undefined);
  for (const id of ["ft:gpt-4o", "gpt-audio", "gpt-audio-1.5", "gemini-2.5-pro-preview-tts", "meta-llama/llama-guard-4"]) assert.equal(line(id, chat({})), undefined, id);
  for (const id of ["gpt-5", "qwen3-vl-plus", "safe-guardian"]) assert.ok(line(id, chat({})), id);
});

test("models are sorted, once each, and not again under a date that says nothing new", () => {
  const made = catalogue(
    { "z-1": chat({}), "a-1": chat({}), "a-1-2025-08-07": chat({}), "a-1-20250101": chat({ max_input_tokens: 500 }), "a-1-latest": chat({}), "b-latest": chat({}), "openai/a-1": chat({}) },
    "1.2.3",
    "2026-01-02",
  );
  const { date, source, models } = JSON.parse(made);
  assert.equal(date, "2026-01-02");
  assert.match(source, /^litellm 1\.2\.3 /);
  assert.deepEqual(models.map(({ id }) => id), ["a-1", "a-1-20250101", "b-latest", "z-1"]);
  assert.equal(made.split("\n").length, models.length + 3, "one model a line");
  assert.equal(undated("gpt-4-0613"), "gpt-4-0613");
});
