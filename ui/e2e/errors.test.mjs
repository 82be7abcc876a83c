// SPDX-License-Identifier: Apache-2.0
// What goes wrong is said in plain words, with the next step. The key is nowhere.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { scenario } from "./scenario.mjs";

const KEY = "sk-canary-5f1d0c77aa";
const failing = (status, message, code) => ({ status, body: { error: { message, code, type: code } } });

const CASES = [
  { kind: "auth", answer: failing(401, "Incorrect API key provided: {{key}}", "invalid_api_key"), next: "open_model_settings" },
  { kind: "rate", answer: { ...failing(429, "Rate limit reached", "rate_limit_exceeded"), headers: { "retry-after": "60" } }, next: "try_again" },
  { kind: "quota", answer: failing(429, "You exceeded your current quota", "insufficient_quota"), next: "choose_other_model" },
  { kind: "server", answer: failing(500, "Something is on fire", "server_error"), next: "try_again" },
  { kind: "invalid", answer: failing(400, "Unknown parameter", "invalid_request_error"), next: "choose_other_model" },
  { kind: "too_long", answer: failing(400, "This model's maximum context length is 8192 tokens", "context_length_exceeded"), next: "start_new_chat" },
];

scenario("each failure of an endpoint has its words and its next step", async (world) => {
  const { page, say, model, backend } = world;
  await world.call("provider_save", { id: world.provider.id, name: "Scripted", kind: "openai_chat", base_url: model.base, key: KEY });
  const errors = world.id("run-error");
  for (const { kind, answer, next } of CASES) {
    await world.go("#/chat/new");
    await world.page.getByText(say("new_chat_title")).waitFor();
    await model.when(`case ${kind}`, answer);
    await world.send(`case ${kind}`);
    const card = page.locator(`[data-testid="run-error"][data-kind="${kind}"]`);
    await card.waitFor();
    await world.idle();
    const text = await card.innerText();
    assert.ok(text.includes(say(`error_${kind}`)), `${kind}: ${text}`);
    assert.ok(text.includes(say(`error_${kind}_next`)), `${kind}: ${text}`);
    const way = card.getByRole("button", { name: say(next) }).or(card.getByRole("link", { name: say(next) }));
    assert.equal(await way.count(), 1, `${kind} offers "${say(next)}"`);
    await card.locator("summary").click();
    assert.doesNotMatch(await card.innerText(), /sk-canary|Error\(|panicked|undefined|\bnull\b|os error/);
    assert.equal((await world.id("chat-list-item").first().innerText()).includes(say("chat_failed")), true);
  }
  assert.equal(await errors.count(), 1);
  await world.go("#/settings/models");
  await world.id("provider").first().waitFor();
  const seen = (await page.content()) + JSON.stringify(await page.evaluate(() => ({ ...localStorage, ...sessionStorage }))) + JSON.stringify(await world.call("snapshot")) + backend.said;
  assert.doesNotMatch(seen, /sk-canary/);
  for (const file of ["bailey.db", "bailey.db-wal"]) assert.doesNotMatch(readFileSync(join(backend.data, file), "latin1"), /sk-canary/, file);
});

scenario("trying again after an error works and leaves the error behind", async (world) => {
  const { page, say, model } = world;
  await model.says(failing(401, "No"));
  await world.send("Hello");
  const card = world.id("run-error");
  await card.waitFor();
  await model.says("Now it works.");
  await card.getByRole("button", { name: say("try_again") }).click();
  await world.answered("Now it works.");
  assert.equal(await card.count(), 0);
  await page.getByRole("group", { name: say("branch_of", { index: 2, count: 2 }) }).waitFor();
});

scenario("a model that can't be reached", async (world) => {
  const { say, model } = world;
  await world.ask("Hello", "OK.");
  assert.deepEqual((await model.log()).violations, []);
  const gone = await world.call("provider_save", { id: world.provider.id, name: "Scripted", kind: "openai_chat", base_url: "http://127.0.0.1:9/v1" });
  assert.equal(gone.base_url, "http://127.0.0.1:9/v1");
  await world.send("Are you there?");
  const card = world.page.locator('[data-testid="run-error"][data-kind="network"]');
  await card.waitFor();
  const text = await card.innerText();
  assert.ok(text.includes(say("error_network")) && text.includes(say("error_network_next")));
  await card.getByRole("link", { name: say("open_model_settings") }).click();
  await world.id("provider").first().waitFor();
});

const CUT = { text: ["Half ", "of ", "an ", "answer ", "and ", "more"], delay_ms: 20, disconnect_after: 1000 };

scenario("a stream that is cut is tried again: it says so, and what came before is taken back", async (world) => {
  const { say, model } = world;
  await model.says(CUT, "A whole answer.");
  await world.send("Hello");
  await world.id("retrying").getByText(say("retry_interrupted")).waitFor();
  await world.answered("A whole answer.");
  assert.doesNotMatch(await world.answer.innerText(), /Half/);
  assert.equal(await world.id("retrying").count(), 0);
});

scenario("a stream that is cut again and again keeps what came last and says that it broke off", async (world) => {
  const { say, model } = world;
  await model.says(CUT, CUT, CUT, CUT);
  await world.send("Hello");
  const card = world.id("run-error");
  await card.waitFor();
  await world.idle();
  assert.equal(await card.getAttribute("data-kind"), "interrupted");
  assert.ok((await card.innerText()).includes(say("error_interrupted_next")));
  assert.match(await world.answer.innerText(), /Half/);
  await model.says("A whole answer.");
  await card.getByRole("button", { name: say("try_again") }).click();
  await world.answered("A whole answer.");
});

scenario("an answer that is nonsense is an error in words", async (world) => {
  const { page, say, model } = world;
  const cases = { page: { raw: "<html>Welcome to nginx</html>" }, garbage: { raw: "data: {not json}\n\n" }, nothing: { raw: "" } };
  for (const [name, answer] of Object.entries(cases)) {
    await model.when(`case ${name}`, answer);
    await world.go("#/chat/new");
    await page.getByText(say("new_chat_title")).waitFor();
    await world.send(`case ${name}`);
    await world.id("run-error").waitFor();
    await world.idle();
    await world.id("run-error").locator("summary").click();
    assert.doesNotMatch(await world.id("run-error").innerText(), /expected value|line 1 column|serde|undefined|EOF/, name);
  }
});

scenario("a run that has spent its budget is asked for an answer; one that gives none says so", { settings: { default_mode: "max" } }, async (world) => {
  const { page, say, model } = world;
  await world.call("settings_update", { budget: ["max", { rounds: 2, calls: 1, active_ms: null }] });
  const compute = (n) => ({ calls: [{ name: "compute", arguments: { expression: `${n}+1` } }] });
  await model.says(compute(1), compute(2), compute(3), compute(4));
  await world.send("Go round for ever");
  const card = page.locator('[data-testid="run-error"][data-kind="budget"]');
  await card.waitFor();
  await world.idle();
  const text = await card.innerText();
  assert.ok(text.includes(say("error_budget")) && text.includes(say("error_budget_next")), text);
  await card.getByRole("link", { name: say("open_budgets") }).click();
  await page.getByText(say("budgets_lead")).waitFor();
});
