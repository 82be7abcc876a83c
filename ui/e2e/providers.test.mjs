// SPDX-License-Identifier: Apache-2.0
// Providers, as a person lives with them: added by pasting, tested, talked to, changed in the middle of a chat; and what is
// shown when they are slow, out of order, or cost money.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { call, MODELS } from "./endpoint.mjs";
import { SEARCHED, SIGNED } from "./recorded.mjs";
import { scenario } from "./scenario.mjs";
import { PICTURES } from "./stage-world.mjs";
import { becomes, PHONE, until } from "./world.mjs";
import { KINDS } from "./wire.mjs";

const KEY = "sk-ant-api03-canary0123456789-abcdefghijklmnop";
const NO_FACTS = { window: null, max_output: null, pictures: null, tools: null, thinks: null, price: null };
const BARE = { bare: true, settings: { default_mode: "max" } };

const texts = (message) => message.blocks.filter(({ type }) => type === "text").map(({ text }) => text).join("");

/** Sets a model's facts and effort, as its sheet does. */
const set = (world, model, facts = {}, effort = null) => world.call("settings_update", { model: { model, facts: { ...NO_FACTS, ...facts }, effort } });

/** Pastes a text where the focus is. */
async function paste(world, text) {
  await world.page.evaluate((text) => navigator.clipboard.writeText(text), text);
  await world.page.keyboard.press("ControlOrMeta+V");
}

/** Opens a new chat with a model. */
async function newChat(world, model) {
  await world.call("settings_update", { default_model: model });
  await world.go("#/settings/about");
  await world.page.getByText(world.say("about_server_title")).waitFor();
  await world.go("#/chat/new");
  await world.page.locator('[data-testid="model-picker"]', { hasText: model.model }).waitFor();
}

/** Picks another model in the header of the chat. */
async function pick(world, provider, model) {
  await world.id("model-picker").click();
  const picker = world.page.getByRole("dialog", { name: world.say("model_choose") });
  await picker.locator("section").filter({ has: world.page.getByRole("heading", { name: provider, exact: true }) }).getByRole("button", { name: new RegExp(`^${model}`) }).click();
  await world.page.locator('[data-testid="model-picker"]', { hasText: model }).waitFor();
}

/** Something that is waited for until it is given. */
function signal() {
  let give;
  const given = new Promise((done) => (give = done));
  return { given, give };
}

/** Width and height of a PNG. */
const size = (png) => [png.readUInt32BE(16), png.readUInt32BE(20)];

/** Every file of a folder, with its bytes as text. */
function* files(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* files(path);
    else if (entry.isFile()) yield [path, readFileSync(path, "latin1")];
  }
}

/** No key lies about. */
function nowhere(world, key, seen = "") {
  for (const [path, text] of files(world.backend.data)) assert.ok(!text.includes(key), `${path} holds the key`);
  assert.ok(!seen.includes(key) && !world.backend.said.includes(key), "the key is shown or logged");
}

for (const language of ["en", "zh"])
  scenario(`a provider is added by pasting, tested, talked to with thoughts and calls, and another protocol goes on (${language})`, { language, model: null, at: "#/settings/models", size: language === "zh" ? PHONE : undefined, settings: { default_mode: "max" } }, async (world) => {
    const { page, say } = world;
    const endpoint = await world.endpoint({ pieces: 5, keys: [KEY] });
    await world.button("provider_add").click();
    const form = world.id("provider-form");
    await world.id("provider-paste").click();
    await paste(world, `${endpoint.base("anthropic")}/v1/messages\n${KEY}\n`);
    const host = new URL(endpoint.origin).host;
    await form.locator('[data-testid="paste-said"][data-seen="sure"]').waitFor();
    const seen = await world.id("paste-said").innerText();
    assert.ok(seen.includes(say("seen_sure", { name: host })) && seen.includes(say("seen_key")), seen);
    assert.equal(endpoint.requests.length, 0, "nothing is sent before the test");
    await form.getByRole("button", { name: say("test"), exact: true }).click();
    await form.locator('[data-testid="test-result"][data-state="ok"]').waitFor();
    assert.deepEqual(endpoint.requests.map(({ kind, path, headers }) => [kind, path, headers["x-api-key"]]), [["anthropic", "/v1/messages", KEY]]);
    await form.getByLabel(say("model"), { exact: true }).selectOption(MODELS.anthropic);
    await world.id("provider-use").click();
    await becomes(0, () => form.count());
    const row = world.id("provider").filter({ hasText: host });
    await row.getByText(say("provider_has_key")).waitFor();
    const mine = (await world.call("settings_get")).providers.find(({ kind }) => kind === "anthropic");
    assert.equal(mine.has_key, true);
    await becomes({ provider: mine.id, model: MODELS.anthropic }, async () => (await world.call("settings_get")).default_model);

    // The person turns thinking on.
    await row.getByTestId("provider-models").click();
    await row.locator(`[data-testid="model"][data-model="${MODELS.anthropic}"]`).getByRole("button", { name: say("model_set", { model: MODELS.anthropic }) }).click();
    await world.id("model-sheet").getByLabel(say("model_effort")).selectOption("medium");
    await world.id("model-sheet").getByRole("button", { name: say("save"), exact: true }).click();
    await world.id("model-sheet").waitFor({ state: "hidden" });

    endpoint.teach(
      "moon landing",
      { reasoning: "A difference of two years.", reasoningSignature: "ENC-first/+==", content: "I calculate.", toolCalls: [call("compute", { expression: "2026 - 1969" })], with: { chunkSize: 3, latency: 2 } },
      { content: "It was **57 years** ago.", with: { chunkSize: 2, latency: 2 } },
    );
    await world.go("#/chat/new");
    await world.send("How long ago was the moon landing?");
    await world.answered("It was 57 years ago.");
    const thinking = world.id("thinking").first();
    await thinking.getByRole("button").click();
    await thinking.getByText("A difference of two years.").waitFor();
    await world.cardIs("compute", "done");
    assert.match(await world.card("compute").innerText(), /2026 - 1969/);
    await world.card("compute").getByRole("button").first().click();
    assert.match(await world.card("compute").innerText(), /\b57\b/);
    const second = endpoint.asked("moon landing")[1].body.messages[1].content;
    assert.deepEqual(second.map(({ type }) => type), ["thinking", "text", "tool_use"]);
    assert.deepEqual([second[0].thinking, second[0].signature], ["A difference of two years.", "ENC-first/+=="]);

    // Another protocol goes on with the same chat.
    const others = { openai_responses: "In months that is 684.", gemini: "In days about 20,800.", openai_chat: "In seconds: many." };
    for (const [kind, answer] of Object.entries(others)) {
      await world.provide(kind, endpoint, { name: `Other ${kind}`, key: KEY });
      await pick(world, `Other ${kind}`, MODELS[kind]);
      endpoint.teach(`and for ${kind}`, { content: answer, with: { chunkSize: 2 } });
      await world.send(`and for ${kind}?`);
      await world.answered(answer);
      const [request] = endpoint.asked(`and for ${kind}`);
      assert.equal(request.kind, kind);
      assert.deepEqual(request.turns.slice(0, 4).map(({ role }) => role), ["user", "assistant", "tool", "assistant"]);
      assert.deepEqual(request.turns[1].calls.map(({ name, arguments: args }) => [name, args]), [["compute", { expression: "2026 - 1969" }]]);
      assert.match(request.turns[2].text, /57/);
      assert.doesNotMatch(JSON.stringify(request.body), /ENC-|signature|"thinking"/i, `${kind} gets nothing of the first one's own`);
    }
    nowhere(world, KEY, (await page.content()) + JSON.stringify(await world.call("snapshot")));

    // After a restart the key is still known, and the chat goes on.
    await world.kill();
    await world.id("connection-lost").waitFor();
    await world.backend.start();
    await world.id("connection-lost").waitFor({ state: "hidden" });
    await pick(world, host, MODELS.anthropic);
    endpoint.teach("back again", "Welcome back.");
    await world.send("I am back again");
    await world.answered("Welcome back.");
    const [last] = endpoint.asked("back again");
    assert.deepEqual([last.kind, last.headers["x-api-key"]], ["anthropic", KEY]);
    nowhere(world, KEY);
  });

scenario("an address alone is tested in all protocols, and what the provider says of a wrong key can be read", { model: null, at: "#/settings/models" }, async (world) => {
  const { say } = world;
  const endpoint = await world.endpoint({ keys: ["sk-right-0123456789abcdef"], only: ["anthropic"] });
  await world.button("provider_add").click();
  const form = world.id("provider-form");
  await world.id("provider-paste").click();
  await paste(world, endpoint.origin);
  await world.page.locator('[data-testid="provider-form"][data-step="fields"]').waitFor();
  await world.id("provider-key").fill("sk-wrong-0123456789abcdef");
  const test = form.getByRole("button", { name: say("test"), exact: true });
  await test.click();
  const result = form.getByTestId("test-result");
  await form.locator('[data-testid="test-result"][data-state="bad"]').waitFor();
  assert.ok((await result.innerText()).includes(say("error_auth")));
  await result.locator("summary").click();
  await result.getByText(/Invalid API key/).waitFor();
  await world.id("provider-key").fill("sk-right-0123456789abcdef");
  await test.click();
  await form.locator('[data-testid="test-result"][data-state="ok"]').waitFor();
  assert.ok((await world.id("switched").innerText()).includes(say("test_switched", { kind: say("kind_anthropic") })));
  await world.id("provider-use").click();
  await becomes(["anthropic"], async () => (await world.call("settings_get")).providers.filter(({ kind }) => kind !== "demo").map(({ kind }) => kind));
});

/** Where each protocol carries what only its provider can read, in the assistant turns of a request. */
const OWN = {
  openai_chat: ({ messages }) => messages.filter(({ reasoning_details }) => reasoning_details).flatMap(({ reasoning_details }) => reasoning_details.filter(({ data }) => data).map(({ data }) => data)),
  openai_responses: ({ input }) => input.filter(({ type }) => type === "reasoning").map(({ encrypted_content }) => encrypted_content),
  anthropic: ({ messages }) => messages.filter(({ role }) => role === "assistant").flatMap(({ content }) => content.filter(({ type }) => /thinking/.test(type)).map(({ signature, data }) => signature ?? data)),
  gemini: ({ contents }) => contents.flatMap(({ parts }) => parts.filter(({ thoughtSignature }) => thoughtSignature).map(({ thoughtSignature }) => thoughtSignature)),
};
const own = (kind, tag) => (kind === "anthropic" ? [`ENC-${tag}/+==`, `ENC-hidden-${tag}/+==`] : [`ENC-${tag}/+==`]);

scenario("what a provider signed goes back to it byte for byte, and to nobody else", BARE, async (world) => {
  const endpoint = await world.endpoint({ pieces: 5 });
  let conversation;
  const before = [];
  for (const kind of ["anthropic", "gemini", "openai_responses", "openai_chat"]) {
    const model = await world.provide(kind, endpoint, kind === "gemini" ? { model: "gemini-3-pro-preview" } : {});
    await set(world, model, {}, "high");
    if (conversation) await world.call("conversation_update", { conversation, model });
    const tags = [`${kind}-1`, `${kind}-2`].map((tag) => tag.replaceAll("_", "-"));
    endpoint.when(`turn of ${kind}`, SIGNED[kind](tags[0], { text: "I calculate.", call: { name: "compute", arguments: '{"expression": "6 * 7"}' } }), SIGNED[kind](tags[1], { text: "It is 42." }));
    endpoint.when(`more of ${kind}`, SIGNED[kind](`${tags[0]}-more`, { text: "Still 42." }));
    const first = await world.talk(`turn of ${kind}`, { conversation, ...(conversation ? {} : { model }) });
    conversation = first.conversation;
    assert.deepEqual([kind, first.run.error, first.said.map(texts)], [kind, undefined, ["I calculate.", "It is 42."]]);
    assert.deepEqual([kind, first.said[0].blocks.find(({ type }) => type === "reasoning")?.text], [kind, "I weigh it."]);
    const more = await world.talk(`more of ${kind}`, { conversation });
    assert.deepEqual([kind, more.run.error, more.said.map(texts)], [kind, undefined, ["Still 42."]]);
    const [begin, second, third] = [...endpoint.asked(`turn of ${kind}`), ...endpoint.asked(`more of ${kind}`)].map(({ body }) => body);
    const mine = (body) => OWN[kind](body).filter((text) => text.startsWith("ENC-"));
    assert.deepEqual([kind, mine(begin)], [kind, []]);
    assert.deepEqual([kind, mine(second)], [kind, own(kind, tags[0])]);
    assert.deepEqual([kind, mine(third)], [kind, tags.flatMap((tag) => own(kind, tag))]);
    const foreign = JSON.stringify([begin, second, third]).match(/ENC-[\w-]*/g).filter((text) => before.some((other) => text.includes(other.replaceAll("_", "-"))));
    assert.deepEqual([kind, foreign], [kind, []]);
    before.push(kind);
  }
});

scenario("a provider that is overloaded is tried again, and the page says so", { model: null }, async (world) => {
  const { page, say } = world;
  const endpoint = await world.endpoint();
  const model = await world.provide("anthropic", endpoint);
  const overloaded = { status: 529, headers: { "retry-after": "4" }, body: { type: "error", error: { type: "overloaded_error", message: "Overloaded" } } };
  endpoint.when("a poem", overloaded).teach("a poem", "The sea, the sea.");
  await newChat(world, model);
  await world.send("Write a poem");
  const line = page.locator('[data-testid="retrying"][data-kind="overloaded"]');
  await line.waitFor();
  assert.ok((await line.innerText()).includes(say("retry_overloaded")));
  assert.match(await line.innerText(), /[1-4] s/);
  await world.answered("The sea, the sea.");
  assert.equal(await line.count(), 0);
  assert.equal(endpoint.asked("a poem").length, 2);

  // It can be stopped while it waits.
  endpoint.when("another one", { ...overloaded, headers: { "retry-after": "25" } });
  await world.send("Write another one");
  await line.waitFor();
  await world.id("stop").click();
  await world.idle();
  assert.equal(await line.count(), 0);
  assert.equal(endpoint.asked("another one").length, 1);
});

scenario("half an answer is taken back when the attempt fails, also while it is on show", { model: null }, async (world) => {
  const { page } = world;
  const endpoint = await world.endpoint();
  const model = await world.provide("anthropic", endpoint);
  const [failed, mended] = [signal(), signal()];
  const answer = (text) => SIGNED.anthropic("tide", { text }).events;
  // Its end is held back as long as it could be the beginning of a secret.
  const half = "Half an answer that will be void";
  const began = answer(`${half}.`);
  const upTo = began.findIndex(({ delta }) => delta?.text?.startsWith(half)) + 1;
  endpoint.when("the tide", { events: [...began.slice(0, upTo), { wait: failed.given }, { type: "error", error: { type: "overloaded_error", message: "Overloaded" } }] }, { events: [{ wait: mended.given }, ...answer("High tide is at noon.")] });
  await newChat(world, model);
  await world.send("When is the tide high?");
  await world.answer.getByText(half).waitFor();
  failed.give();
  await becomes(0, () => page.getByText(half).count());
  await world.id("stop").waitFor();
  mended.give();
  await world.answered("High tide is at noon.");
  assert.equal(await page.getByText(half).count(), 0);
});

scenario("when a model is out of order the one for outages takes over, and that is said", { model: null, at: "#/settings/models" }, async (world) => {
  const { page, say } = world;
  const endpoint = await world.endpoint();
  const model = await world.provide("anthropic", endpoint, { name: "First" });
  await world.provide("gemini", endpoint, { name: "Second" });
  await world.id("fallback").getByTestId("model-picker").click();
  await page.getByRole("dialog", { name: say("model_choose") }).locator("section").filter({ has: page.getByRole("heading", { name: "Second", exact: true }) }).getByRole("button", { name: new RegExp(`^${MODELS.gemini}`) }).click();
  await page.getByText(say("fallback_goes", { name: "Second" })).waitFor();
  const out = { status: 503, headers: { "retry-after-ms": "20" }, body: { error: { type: "api_error", message: "The service is down" } } };
  endpoint.when("the way", out, out, out, out).teach("the way", "Take tram 28.");
  await newChat(world, model);
  await world.send("Which is the way?");
  await world.answered("Take tram 28.");
  const note = await world.id("instead-of").innerText();
  assert.ok(note.includes(MODELS.gemini) && note.includes(MODELS.anthropic), note);
  assert.deepEqual(endpoint.asked("the way").map(({ kind }) => kind), ["anthropic", "anthropic", "anthropic", "anthropic", "gemini"]);
});

scenario("money: a price and a cap are set, and the question comes before it is passed", { model: null, at: "#/settings/models", settings: { default_mode: "max" } }, async (world) => {
  const { page, say } = world;
  const endpoint = await world.endpoint();
  const model = await world.provide("openai_chat", endpoint, { name: "Paid" });
  await world.call("settings_update", { default_model: model });
  const row = world.id("provider").filter({ hasText: "Paid" });
  await row.getByTestId("provider-models").click();
  await row.locator(`[data-testid="model"][data-model="${model.model}"]`).getByRole("button", { name: say("model_set", { model: model.model }) }).click();
  const sheet = world.id("model-sheet");
  await sheet.getByLabel(say("model_price_input"), { exact: true }).fill("10");
  await sheet.getByLabel(say("model_price_output"), { exact: true }).fill("10,0");
  await sheet.getByLabel(say("model_max_output"), { exact: true }).fill("1000");
  await sheet.getByRole("button", { name: say("save"), exact: true }).click();
  await sheet.waitFor({ state: "hidden" });
  await world.id("cap-run").fill("0,50");
  await world.id("money").getByRole("button", { name: say("save"), exact: true }).click();
  await becomes({ run: 500_000, day: null }, async () => (await world.call("settings_get")).caps);

  // Each round costs $0.49.
  const usage = { prompt_tokens: 48_000, completion_tokens: 1_000, total_tokens: 49_000 };
  endpoint.teach("contracts", { toolCalls: [call("compute", { expression: "1+1" })], usage }, { toolCalls: [call("compute", { expression: "2+2" })], usage }, "Never asked.");
  await world.go("#/chat/new");
  await world.send("Compare the contracts");
  const ask = await world.sheetReady(world.id("spend-sheet"));
  const text = await ask.innerText();
  assert.match(text, /\$0\.49/);
  assert.match(text, /\$0\.50/);
  assert.equal(endpoint.asked("contracts").length, 1, "nothing was sent yet");
  await ask.getByTestId("allow-once").click();
  await until("the second round is over", () => endpoint.asked("contracts").length === 2);
  const again = await world.sheetReady(world.id("spend-sheet"));
  await page.getByText(/\$0\.98/).waitFor();
  await again.getByTestId("deny").click();
  await page.locator('[data-testid="run-error"][data-kind="money"]').waitFor();
  await world.idle();
  assert.equal(endpoint.asked("contracts").length, 2);
  assert.ok((await world.id("run-error").innerText()).includes(say("error_money")));
  // The chat can go on.
  endpoint.teach("what you know", { content: "They differ.", usage: { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 } });
  await world.ask("Say what you know", "They differ.");
  assert.match(await world.id("usage").last().innerText(), /\$0\.0002/);
});

scenario("a picture goes along, and reaches each protocol in its own form", { model: null, settings: { default_mode: "chat" } }, async (world) => {
  const { page, say } = world;
  const endpoint = await world.endpoint();
  const { file, name } = PICTURES.p1;
  const models = Object.fromEntries(await Promise.all(KINDS.map(async (kind) => [kind, await world.provide(kind, endpoint)])));
  // Its name is that of one that sees nothing; what the person sets wins.
  await set(world, models.openai_chat, { pictures: true });
  endpoint.teach("this picture", "A harbour.");
  await newChat(world, models.anthropic);
  await world.id("picture-files").setInputFiles({ name, mimeType: "image/png", buffer: file });
  await page.getByRole("button", { name: say("picture_remove", { name }) }).waitFor();
  await world.ask("What is on this picture?", "A harbour.");
  await world.id("message-user").getByTestId("picture").locator("img").waitFor();
  await page.reload();
  await world.id("message-user").getByTestId("picture").locator("img").waitFor();
  // It is written anew on the way, without what a camera adds.
  const view = await world.call("conversation_open", { conversation: world.conversation });
  const { data } = await world.call("picture_get", { picture: view.messages[0].blocks.find(({ type }) => type === "picture").picture.id });
  assert.deepEqual(size(Buffer.from(data, "base64")), [PICTURES.p1.width, PICTURES.p1.height]);
  const content = endpoint.asked("this picture")[0].body.messages[0].content;
  assert.deepEqual(content.find(({ type }) => type === "image").source, { type: "base64", media_type: "image/png", data });

  const forms = {
    openai_chat: ({ messages }) => messages.at(-1).content.find(({ type }) => type === "image_url").image_url.url,
    openai_responses: ({ input }) => input.at(-1).content.find(({ type }) => type === "input_image").image_url,
    gemini: ({ contents }) => (({ mimeType, data }) => `data:${mimeType};base64,${data}`)(contents.at(-1).parts.find(({ inlineData }) => inlineData).inlineData),
  };
  for (const [kind, form] of Object.entries(forms)) {
    const { run } = await world.talk(`Is ${kind} good with this picture?`, { model: models[kind], pictures: [{ name, data: file.toString("base64") }] });
    assert.equal(run.state, "done", JSON.stringify(run.error));
    assert.equal(form(endpoint.asked(`Is ${kind}`)[0].body), `data:image/png;base64,${data}`, kind);
  }
});

for (const language of ["en", "zh"])
  scenario(`what a provider does by itself is a card, and goes back to it whole (${language})`, { model: null, language }, async (world) => {
    const { page, say } = world;
    const endpoint = await world.endpoint({ pieces: 5 });
    const first = await world.provide("anthropic", endpoint, { name: "Erster" });
    endpoint.when("the museum", SEARCHED.anthropic({ text: "It is open from ten.", query: "museum hours" })).teach("on Sunday", "Closed.");
    await newChat(world, first);
    await world.ask("When does the museum open?", "It is open from ten.");
    const card = world.id("item-card").first();
    assert.ok((await card.innerText()).includes(say("item_from", { title: say("item_search") })));
    await card.getByRole("button").first().click();
    await card.getByText("museum hours").waitFor();
    await world.ask("And on Sunday?", "Closed.");
    const [body] = endpoint.asked("on Sunday").map(({ body }) => body);
    assert.deepEqual(body.messages[1].content.map(({ type }) => type), ["server_tool_use", "web_search_tool_result", "text"]);
    assert.equal(body.messages[1].content[1].content[0].encrypted_content, "ENC-page/+==");

    // aimock's own, over another protocol.
    const second = await world.provide("openai_responses", endpoint, { name: "Zweiter" });
    await pick(world, "Zweiter", second.model);
    endpoint.teach("the weather", { content: "It rains.", webSearches: ["weather today"] });
    await world.ask("And the weather?", "It rains.");
    assert.ok((await world.answer.getByTestId("item-card").innerText()).includes(say("item_search")));
    assert.doesNotMatch(JSON.stringify(endpoint.asked("the weather")[0].body), /ENC-|server_tool_use/);
    await page.reload();
    await world.answered("It rains.");
    assert.ok((await world.id("item-card").count()) >= 3);
  });

scenario("in Chinese everything is Chinese but the provider's own words", { model: null, language: "zh" }, async (world) => {
  const { page, say } = world;
  const endpoint = await world.endpoint();
  const model = await world.provide("gemini", endpoint, { name: "提供方" });
  endpoint.when("写诗", { status: 503, headers: { "retry-after": "3" }, body: { error: { code: 503, status: "UNAVAILABLE", message: "The model is overloaded." } } });
  endpoint.teach("写诗", { error: { message: "Unknown name cheese", type: "INVALID_ARGUMENT" }, status: 400 });
  await newChat(world, model);
  await world.send("写诗");
  const line = world.id("retrying");
  await line.waitFor();
  assert.doesNotMatch(await line.innerText(), /[A-Za-z]{2,}/);
  const card = page.locator('[data-testid="run-error"][data-kind="invalid"]');
  await card.waitFor();
  await world.idle();
  assert.doesNotMatch(await card.innerText(), /[A-Za-z]{2,}/);
  assert.ok((await card.innerText()).includes(say("error_invalid")));
  await card.locator("summary").click();
  await card.getByText(/Unknown name cheese/).waitFor();
});

scenario("with a passphrase the keys are locked after a restart, until it is given", { model: null, at: "#/settings/models" }, async (world) => {
  const { page, say } = world;
  world.allow(/422/);
  const endpoint = await world.endpoint({ keys: [KEY] });
  endpoint.teach("hello", "Hello.").teach("go on", "Here I am.");
  const model = await world.provide("anthropic", endpoint, { key: KEY });
  const keys = world.id("keys");
  await keys.getByRole("button", { name: say("keys_put") }).click();
  await keys.getByLabel(say("passphrase_new")).fill("open sesame");
  await keys.getByLabel(say("passphrase_again")).fill("open sesame");
  await page.keyboard.press("Enter");
  await keys.getByText(say("keys_passphrase"), { exact: true }).waitFor();
  await newChat(world, model);
  await world.ask("Say hello", "Hello.");
  await world.kill();
  await world.id("connection-lost").waitFor();
  await world.backend.start();
  await world.id("connection-lost").waitFor({ state: "hidden" });
  await world.id("keys-bar").waitFor();
  await world.send("Are you there?");
  await page.locator('[data-testid="run-error"][data-kind="auth"]').waitFor();
  await world.idle();
  assert.equal(endpoint.requests.length, 1, "nothing is sent without the key");
  await world.id("keys-bar").getByRole("button", { name: say("keys_unlock") }).click();
  await world.id("passphrase").fill("open barley");
  await page.keyboard.press("Enter");
  await world.id("unlock").getByText(say("keys_wrong")).waitFor();
  await world.id("passphrase").fill("open sesame");
  await page.keyboard.press("Enter");
  await becomes(0, () => world.id("keys-bar").count());
  await world.go(`#/chat/${(await world.call("conversation_list", { query: "" }))[0].id}`);
  await world.send("Now go on");
  await world.answered("Here I am.");
  assert.equal(endpoint.requests.at(-1).headers["x-api-key"], KEY);
  nowhere(world, KEY);
  nowhere(world, "open sesame");
});
