// SPDX-License-Identifier: Apache-2.0
// Models, keys, money and pictures as a person handles them, in front of a backend on a stage: what the page asks for,
// and what it makes of answers a real backend seldom gives.
import assert from "node:assert/strict";
import { scenario } from "./scenario.mjs";
import { adding, FILES, paste } from "./stage-screens.mjs";
import { PICTURES } from "./stage-world.mjs";
import { becomes, GUARD_MS, PHONE, until } from "./world.mjs";

const STAGE = { stage: {} };
const KEY = "sk-ant-api03-abcdefghijklmnop";
const NOTHING = { window: null, max_output: null, pictures: null, tools: null, thinks: null, price: null };
const last = (world, name) => world.backend.last(name);
const times = (world, name) => world.backend.calls.filter((call) => call.name === name).length;
/** What the page holds that somebody could read later. */
const traces = async (world) => (await world.page.content()) + JSON.stringify(await world.page.evaluate(() => [{ ...localStorage }, { ...sessionStorage }, [...document.querySelectorAll("input, textarea")].map(({ value }) => value)]));

scenario("a key that is pasted says whose it is; tested and used with two taps, and then forgotten by the page", STAGE, async (world) => {
  const { page, say } = world;
  await world.go("#/settings/models");
  const form = await adding(world);
  const text = `# my keys\nexport ANTHROPIC_API_KEY=${KEY}\n`;
  await paste(world, text);
  await form.getByText(say("seen_sure", { name: "Anthropic" })).waitFor();
  await form.getByText(say("seen_key")).waitFor();
  assert.deepEqual(last(world, "provider_recognise"), { text }, "with its line ends");
  assert.equal(await world.id("provider-use").count(), 0, "nothing is used before it was tested");
  await page.keyboard.press("Enter");
  await form.getByText(/claude-haiku-4-5 answered in/).waitFor();
  assert.deepEqual(last(world, "provider_test"), { name: "Anthropic 2", kind: "anthropic", base_url: "https://api.anthropic.com", key: text });
  await world.id("provider-use").click();
  await world.id("provider").filter({ hasText: "Anthropic 2" }).waitFor();
  assert.equal(await form.count(), 0);
  assert.deepEqual(last(world, "settings_update"), { default_model: { provider: "new-1", model: "claude-haiku-4-5" } });
  assert.doesNotMatch(await traces(world), /abcdefghijklmnop/);
});

scenario("a key that could be anybody's is hidden, and asks whose it is", STAGE, async (world) => {
  const { say } = world;
  const form = await adding(world);
  const key = "sk-0123456789abcdef0123456789abcdef";
  await paste(world, key);
  await form.getByText(say("paste_unsure")).waitFor();
  assert.equal(await world.id("provider-paste").getAttribute("type"), "password");
  await world.button("key_show").click();
  assert.equal(await world.id("provider-paste").getAttribute("type"), "text");
  const link = form.getByRole("link", { name: say("key_get_for", { name: "Moonshot" }) });
  assert.deepEqual([await link.getAttribute("href"), await link.getAttribute("target"), await link.getAttribute("rel")], ["https://platform.moonshot.ai/console/api-keys", "_blank", "noopener noreferrer"]);
  await form.getByRole("button", { name: /^Moonshot/ }).click();
  await world.id("provider-test").click();
  await form.getByText(/answered in/).waitFor();
  assert.deepEqual(last(world, "provider_test"), { name: "Moonshot", kind: "openai_chat", base_url: "https://api.moonshot.ai/v1", key });
  await world.button("paste_again").click();
  assert.equal(await world.id("provider-paste").inputValue(), "");
  assert.doesNotMatch(await traces(world), /0123456789abcdef/);
});

scenario("an address that is typed is read when the typing pauses; another protocol that answers is taken over", STAGE, async (world) => {
  const { page, say } = world;
  const form = await adding(world);
  await world.id("provider-paste").pressSequentially("https://messages.example/v1");
  await form.getByLabel(say("base_url"), { exact: true }).waitFor();
  assert.ok(times(world, "provider_recognise") < 27, "not at every letter");
  assert.equal(await form.getByLabel(say("provider_kind")).inputValue(), "openai_chat");
  await form.getByLabel(say("api_key"), { exact: true }).fill("secret-of-mine");
  await page.keyboard.press("Enter");
  await form.getByText(say("test_switched", { kind: say("kind_anthropic") })).waitFor();
  assert.equal(await form.getByLabel(say("provider_kind")).inputValue(), "anthropic");
  await world.id("provider-use").click();
  await becomes(0, () => form.count());
  assert.equal(last(world, "provider_save").kind, "anthropic");
});

scenario("a test that fails says why in the person's words, and the provider's own beside them", { ...STAGE, language: "zh" }, async (world) => {
  const { say } = world;
  const form = await adding(world);
  await paste(world, "sk-ant-wrong-0123456789");
  await world.id("provider-test").click();
  const result = form.getByTestId("test-result");
  await result.getByText(say("error_auth"), { exact: true }).waitFor();
  assert.doesNotMatch(await result.innerText(), /[A-Za-z]{3,}/, "nothing English but the provider's words");
  await result.locator("summary").click();
  assert.match(await result.innerText(), /invalid x-api-key/);
  assert.equal(await world.id("provider-use").count(), 0);
  await world.id("provider-anyway").click();
  await becomes(0, () => form.count());
  assert.equal(times(world, "provider_save"), 1);
});

scenario("models are searched, one is made the default, and what is set of one wins", STAGE, async (world) => {
  const { page, say } = world;
  await world.go("#/settings/models");
  await world.id("provider-models").first().click();
  const rows = world.id("model");
  await rows.first().waitFor();
  await rows.first().getByText("$3 / $15 per M").waitFor();
  await page.locator('[data-model="claude-next-preview"]').getByText(say("price_unknown")).waitFor();
  const search = page.locator("main").getByRole("searchbox");
  await search.fill("opus 4.1");
  await becomes(["claude-opus-4-1-20250805"], () => rows.evaluateAll((found) => found.map((row) => row.dataset.model)));
  await rows.getByRole("button", { name: say("model_default", { model: "claude-opus-4-1-20250805" }) }).click();
  await becomes({ default_model: { provider: "anthropic", model: "claude-opus-4-1-20250805" } }, () => last(world, "settings_update"));

  await rows.getByRole("button", { name: say("model_set", { model: "claude-opus-4-1-20250805" }) }).click();
  const sheet = world.id("model-sheet");
  const fill = (key, text) => sheet.getByLabel(say(key), { exact: true }).fill(text);
  await fill("model_window", "500k");
  await fill("model_price_input", "1,25");
  await page.keyboard.press("Enter");
  await sheet.getByText(say("model_price_both")).waitFor();
  await fill("model_price_output", "10.5");
  await sheet.getByLabel(say("model_sees")).selectOption("no");
  await sheet.getByLabel(say("model_effort")).selectOption("high");
  await sheet.getByRole("button", { name: say("save") }).click();
  await becomes(0, () => sheet.count());
  const model = { provider: "anthropic", model: "claude-opus-4-1-20250805" };
  assert.deepEqual(last(world, "settings_update"), { model: { model, facts: { ...NOTHING, window: 500_000, pictures: false, price: { input: 1_250_000, output: 10_500_000, cached: null, cache_write: null } }, effort: "high" } });

  await search.fill("haiku-4-5");
  await rows.getByText(say("model_yours")).waitFor();
  await rows.getByRole("button", { name: say("model_set", { model: "claude-haiku-4-5" }) }).click();
  await sheet.getByRole("button", { name: say("model_reset") }).click();
  await becomes({ model: { model: { ...model, model: "claude-haiku-4-5" }, facts: NOTHING, effort: null } }, () => last(world, "settings_update"));
});

scenario("caps are read with a comma or a dot, and said back", STAGE, async (world) => {
  const { page, say } = world;
  await world.go("#/settings/models/money");
  const money = world.id("money");
  await becomes("0.50", () => world.id("cap-run").inputValue());
  await until("the person is led there", () => page.evaluate(() => document.activeElement.closest("#money") !== null));
  await world.id("cap-run").fill("1,5");
  await world.id("cap-day").fill("-3");
  await money.getByRole("button").click();
  await money.getByText(say("money_wrong")).waitFor();
  assert.equal(await world.id("cap-day").getAttribute("aria-invalid"), "true");
  await world.id("cap-day").fill("$ 12");
  await money.getByRole("button").click();
  await money.getByText(`${say("money_saved_run", { cap: "$1.50" })} ${say("money_saved_day", { cap: "$12" })}`).waitFor();
  assert.deepEqual(last(world, "settings_update"), { caps: { run: 1_500_000, day: 12_000_000 } });
  await world.id("cap-run").fill("");
  await world.id("cap-day").fill(" ");
  await money.getByRole("button").click();
  await money.getByText(say("money_saved_none")).waitFor();
  assert.deepEqual(last(world, "settings_update"), { caps: { run: null, day: null } });
});

scenario("a model for outages is named, said where the conversation then goes, and taken back", STAGE, async (world) => {
  const { page, say } = world;
  await world.go("#/settings/models");
  const fallback = world.id("fallback");
  await page.getByText(say("fallback_goes", { name: "Ollama" })).waitFor();
  await fallback.getByTestId("model-picker").click();
  await page.getByRole("dialog").getByRole("button", { name: "claude-haiku-4-5" }).click();
  await page.getByText(say("fallback_goes", { name: "Anthropic" })).waitFor();
  assert.deepEqual(last(world, "settings_update"), { fallback_model: { provider: "anthropic", model: "claude-haiku-4-5" } });
  await world.button("fallback_remove").click();
  await fallback.getByText(say("fallback_none"), { exact: true }).waitFor();
  assert.deepEqual(last(world, "settings_update"), { fallback_model: null });
});

scenario("a passphrase is put on the keys, asked for wherever one is, and taken off", STAGE, async (world) => {
  const { page, say } = world;
  world.allow(/400/);
  await world.go("#/settings/models/keys");
  const keys = world.id("keys");
  await keys.getByText(say("keys_file"), { exact: true }).waitFor();
  await world.button("keys_put").click();
  await keys.getByLabel(say("passphrase_new")).fill("open sesame");
  await keys.getByLabel(say("passphrase_again")).fill("open");
  await page.keyboard.press("Enter");
  await keys.getByText(say("passphrase_differs")).waitFor();
  assert.equal(times(world, "keys_protect"), 0);
  await keys.getByLabel(say("passphrase_again")).fill("open sesame");
  await page.keyboard.press("Enter");
  await keys.getByText(say("keys_passphrase"), { exact: true }).waitFor();
  assert.deepEqual(last(world, "keys_protect"), { passphrase: "open sesame" });
  assert.doesNotMatch(await traces(world), /open sesame/);

  world.backend.settle({ keys: { kind: "passphrase", locked: true, problem: null } });
  await page.locator(".banner").getByText(say("keys_locked")).waitFor();
  await world.go("#/chat/new");
  await world.id("keys-bar").getByRole("button", { name: say("keys_unlock") }).click();
  await until("the field has the focus", () => world.id("passphrase").evaluate((field) => field === document.activeElement));
  await page.keyboard.type("open barley");
  await page.keyboard.press("Enter");
  await world.id("unlock").getByText(say("keys_wrong")).waitFor();
  await world.id("passphrase").fill("open sesame");
  await page.keyboard.press("Enter");
  await becomes(0, () => world.id("keys-bar").count());
  assert.doesNotMatch(await traces(world), /open sesame/);

  await world.go("#/settings/models/keys");
  await world.button("keys_take").click();
  await keys.getByText(say("keys_take_q")).waitFor();
  await keys.getByRole("button", { name: say("keys_take"), exact: true }).click();
  await keys.getByText(say("keys_file"), { exact: true }).waitFor();
  assert.deepEqual(last(world, "keys_protect"), { passphrase: "" });
});

scenario("what is wrong with a proxy or a certificate is said beside its field", STAGE, async (world) => {
  const { say } = world;
  world.allow(/400/);
  await world.go("#/settings/models");
  const network = world.id("network");
  await network.locator("summary").click();
  const proxy = network.getByLabel(say("proxy"), { exact: true });
  const save = network.getByRole("button", { name: say("save") });
  await proxy.fill("proxy.example:3128");
  await network.locator("textarea").fill("-----BEGIN PRIVATE KEY-----");
  await save.click();
  await network.getByText(say("proxy_scheme")).waitFor();
  await network.getByText(say("roots_private")).waitFor();
  assert.equal(times(world, "network_update"), 0);
  const pem = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----";
  await network.locator("textarea").fill("");
  await network.locator("input[type=file]").setInputFiles({ name: "ca.pem", mimeType: "application/x-pem-file", buffer: Buffer.from(`${pem}\n`) });
  await becomes(pem, () => network.locator("textarea").inputValue());
  await proxy.fill("http://refused.example");
  await save.click();
  await until("the refusal stands at the proxy", async () => (await proxy.getAttribute("aria-invalid")) === "true");
  await proxy.fill("socks5h://proxy.example:1080");
  await network.getByLabel(say("proxy_user")).fill("lin");
  await network.getByLabel(say("proxy_password"), { exact: true }).fill("hunter2");
  await save.click();
  await network.getByText(say("proxy_password_known")).waitFor();
  assert.deepEqual(last(world, "network_update"), { proxy: "socks5h://proxy.example:1080", proxy_user: "lin", proxy_password: "hunter2", roots_pem: pem });
  assert.doesNotMatch(await traces(world), /hunter2/);
});

scenario("an attempt that failed is taken back, counts down and can be stopped", STAGE, async (world) => {
  const { page, say, backend } = world;
  await world.go("#/chat/retry");
  const answer = world.answer;
  await answer.getByText("Half an answer that will be").waitFor();
  const view = backend.commands.conversation_open({ conversation: "retry" });
  const [run, message] = [view.runs[0], view.messages[1]];
  const line = world.id("retrying");
  backend.tell({ type: "run", run: { ...run, retrying: { kind: "rate", wait_ms: 50_000, attempt: 2 } } });
  backend.tell({ type: "message", message: { ...message, blocks: [] } });
  await line.getByText(/^Too many requests for now\. Trying again in \d+ s \(attempt 3\)\.$/).waitFor();
  const left = async () => Number((await line.innerText()).match(/in (\d+) s/)[1]);
  const first = await left();
  await becomes(0, () => answer.getByText("Half an answer").count());
  await until("it counts down", async () => (await left()) < first);
  await page.getByRole("status").filter({ hasText: say("reader_retrying", { why: say("retry_rate") }) }).waitFor();
  await world.id("stop").click();
  await becomes({ run: run.id }, () => last(world, "stop"));
  const { retrying: _, ...going } = run;
  backend.tell({ type: "run", run: going });
  backend.tell({ type: "delta", delta: { conversation: "retry", message: message.id, kind: "text", text: "A whole answer" } });
  await answer.getByText("A whole answer").waitFor();
  assert.equal(await line.count(), 0);
});

scenario("what a run cost, what the window holds and who answered are there for who looks", STAGE, async (world) => {
  const { page, say } = world;
  await world.go("#/chat/search");
  await becomes("claude-sonnet-4-5·$0.0518", async () => (await world.id("usage").innerText()).replace(/\s/g, ""));
  await world.id("usage").click();
  const more = page.getByRole("dialog", { name: say("usage_title") });
  assert.deepEqual(await more.locator("dd").allInnerTexts(), ["2", "67,320 tokens, 88% from its cache", "4,000 tokens", "608 tokens, 192 for thinking", "$0.0518"]);
  await page.keyboard.press("Escape");
  assert.match(await world.id("context-meter").innerText(), /18%/);
  await world.id("context-meter").click();
  await page.getByRole("dialog", { name: say("context_title") }).getByText("36,632 of 200,000").waitFor();
  await page.keyboard.press("Escape");
  await world.go("#/chat/fallback");
  await world.id("instead-of").getByText(say("run_instead", { model: "qwen3:32b", other: "claude-sonnet-4-5" })).waitFor();
  await world.id("compressed").getByText(say("run_compressed")).waitFor();
  await world.go("#/chat/picture");
  await world.id("picture").waitFor();
  assert.equal(await world.id("context-meter").count(), 0, "nothing is shown where nothing was counted");
});

scenario("what a provider did by itself has a name, is marked as outside text, and is whole when copied", STAGE, async (world) => {
  const { page, say } = world;
  await world.go("#/chat/search");
  const cards = world.id("item-card");
  await becomes(3, () => cards.count());
  assert.deepEqual((await cards.allInnerTexts()).map((text) => text.split("\n")[0].trim()), ["From the provider: Web search", "From the provider: Web search, result", "From the provider: hologram_call"]);
  await cards.nth(1).getByRole("button").first().click();
  const json = cards.nth(1).locator("pre");
  assert.equal((await json.innerText()).length, 20_001);
  await cards.nth(1).getByText(say("item_clipped")).waitFor();
  await cards.nth(1).getByRole("button", { name: say("copy") }).click();
  await until("all of it is on the clipboard", async () => JSON.parse((await page.evaluate(() => navigator.clipboard.readText())) || "null")?.content?.length === 120);
});

scenario("while an answer is being written, taps count, and what is opened stays where it was tapped", { ...STAGE, at: "#/chat/search" }, async (world) => {
  const { page, backend } = world;
  const card = world.id("item-card").nth(1);
  await card.waitFor();
  const view = backend.commands.conversation_open({ conversation: "search" });
  const message = { ...view.messages.at(-1), status: "streaming" };
  const write = (lines) => backend.tell({ type: "delta", delta: { conversation: "search", message: message.id, kind: "text", text: "\n\nAnd so on.".repeat(lines) } });
  backend.tell({ type: "run", run: { ...view.runs[0], state: "running" } });
  backend.tell({ type: "message", message });
  const list = world.id("messages");
  const state = () => list.evaluate((node) => [Math.round(node.scrollTop), Math.round(node.scrollHeight - node.clientHeight - node.scrollTop)]);
  write(12);
  await until("the list has moved with the text", async () => (await state())[0] > 50 && (await state())[1] < 2);
  // Right after it has moved, and before it calls itself at rest.
  await list.evaluate((node) => {
    const frame = () => new Promise(requestAnimationFrame);
    window.moved = new Promise((done) => node.addEventListener("scroll", done, { once: true })).then(frame).then(frame).then(() => getComputedStyle(node.firstElementChild).pointerEvents);
  });
  write(1);
  assert.equal(await page.evaluate(() => window.moved), "auto", "its rows can be tapped");

  // Text that comes between press and release moves nothing away from under the finger.
  const head = card.getByRole("button").first();
  const before = await head.boundingBox();
  await page.mouse.move(before.x + before.width / 2, before.y + before.height / 2);
  await page.mouse.down();
  write(2);
  await until("the text has come", async () => (await state())[1] > 20);
  await page.mouse.up();
  await becomes("true", () => head.getAttribute("aria-expanded"));
  await card.locator("pre").waitFor();
  assert.deepEqual(await head.boundingBox(), before, "it is where it was tapped");
  write(1);
  await world.button("jump_latest_new").click();
  await becomes(true, async () => (await state())[1] < 2);
});

scenario("errors say what to do in either language; the provider's words are a fold away", { ...STAGE, language: "zh" }, async (world) => {
  const { page, say } = world;
  await world.go("#/chat/overloaded");
  const card = world.id("run-error");
  await card.getByText(say("error_overloaded"), { exact: true }).waitFor();
  assert.doesNotMatch(await card.innerText(), /[A-Za-z]{3,}/);
  await card.locator("summary").click();
  assert.match(await card.innerText(), /overloaded_error/);
  await world.go("#/chat/money");
  await card.getByText(say("error_money"), { exact: true }).waitFor();
  assert.equal(await card.locator("summary").count(), 0);
  await card.getByRole("link", { name: say("open_money") }).click();
  await until("the caps are in view", () => page.evaluate(() => document.activeElement.closest("#money") !== null));
});

scenario("pictures are added in three ways, looked over, and sent with the message", { ...STAGE, at: "#/chat/new" }, async (world) => {
  const { page, say, backend } = world;
  backend.commands.send = { conversation: "search", message: "m", run: "r" };
  const shown = world.id("tray").locator("img");
  const file = (name, type = "image/png") => ({ name, type, data: PICTURES.p1.file.toString("base64") });
  const transfer = (event, target, ...given) =>
    page.evaluate(([event, target, given]) => {
      const data = new DataTransfer();
      for (const { name, type, data: text } of given) data.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name, { type }));
      const init = { bubbles: true, cancelable: true };
      document.querySelector(target).dispatchEvent(event === "paste" ? new ClipboardEvent(event, { ...init, clipboardData: data }) : new DragEvent(event, { ...init, dataTransfer: data }));
    }, [event, target, given]);
  await world.id("composer").fill("Look");
  await world.id("picture-files").setInputFiles(FILES);
  await becomes(2, () => shown.count());
  await transfer("paste", '[data-testid="composer"]', file("pasted.png"));
  await becomes(3, () => shown.count());
  await transfer("dragover", "body", file("dropped.png"));
  await page.getByText(say("picture_drop")).waitFor();
  await transfer("drop", "body", file("dropped.png"));
  await becomes(4, () => shown.count());
  assert.equal(await page.getByText(say("picture_drop")).count(), 0);
  await page.getByText(say("pictures_not_kept")).waitFor();
  await world.button("picture_remove", { name: "menu.png" }).click();
  await becomes(["harbour.png", "pasted.png", "dropped.png"], () => shown.evaluateAll((all) => all.map(({ alt }) => alt)));
  await world.id("picture-files").setInputFiles(Array.from({ length: 6 }, (_, n) => ({ ...FILES[0], name: `more-${n}.png` })));
  await world.id("picture-trouble").getByText(say("picture_many", { n: 8 })).waitFor();
  await becomes(8, () => shown.count());
  assert.equal(await world.id("picture-add").isDisabled(), true);
  assert.equal(await page.evaluate(() => JSON.stringify({ ...localStorage }).includes("iVBOR")), false, "a draft is text only");
  await world.id("composer").press("Enter");
  await becomes(0, () => shown.count());
  const sent = last(world, "send");
  assert.deepEqual([sent.text, sent.keep_pictures, sent.pictures.length], ["Look", [], 8]);
  assert.deepEqual(sent.pictures[0], { name: "harbour.png", data: PICTURES.p1.file.toString("base64") });
});

scenario("a picture is enough to send; what can't be sent says why; a model that does not see is a hint, not a wall", { ...STAGE, at: "#/chat/new" }, async (world) => {
  const { say, backend } = world;
  backend.settle({ default_model: { provider: "anthropic", model: "claude-haiku-4-5" } });
  backend.commands.send = { conversation: "search", message: "m", run: "r" };
  await world.id("picture-files").setInputFiles([{ name: "IMG.HEIC", mimeType: "image/heic", buffer: Buffer.from("\0\0\0\x18ftypheic") }, { name: "a.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF") }]);
  const trouble = world.id("picture-trouble");
  await trouble.getByText(say("picture_heic", { name: "IMG.HEIC" })).waitFor();
  await trouble.getByText(say("picture_kind", { name: "a.pdf" })).waitFor();
  assert.equal(await world.id("send").isDisabled(), true);
  await world.id("picture-files").setInputFiles(FILES.slice(0, 1));
  await world.id("blind-hint").getByText(say("pictures_blind", { model: "claude-haiku-4-5" })).waitFor();
  assert.equal(await trouble.count(), 0);
  await world.id("send").click();
  await becomes("", () => last(world, "send")?.text);
  assert.equal(last(world, "send").pictures.length, 1);
});

scenario("an edited message keeps its pictures, but for those taken away; what was attached before waits", { ...STAGE, at: "#/chat/pictures" }, async (world) => {
  const { say, backend } = world;
  backend.commands.send = { conversation: "pictures", message: "m", run: "r" };
  const shown = world.id("tray").locator("img");
  await world.id("message-user").first().waitFor();
  await world.id("picture-files").setInputFiles([{ ...FILES[0], name: "waiting.png" }]);
  await becomes(1, () => shown.count());
  await world.id("message-user").hover();
  await world.button("edit_message").click();
  await becomes(["harbour.png", "menu.png"], () => shown.evaluateAll((all) => all.map(({ alt }) => alt)));
  await world.button("picture_remove", { name: "harbour.png" }).click();
  await world.id("composer").fill("Only the second");
  await world.id("composer").press("Enter");
  await becomes(["waiting.png"], () => shown.evaluateAll((all) => all.map(({ alt }) => alt)));
  const sent = last(world, "send");
  assert.deepEqual([sent.edit, sent.keep_pictures, sent.pictures, sent.text], ["pictures-u", ["p2"], [], "Only the second"]);
  await world.button("edit_message").click();
  await world.button("edit_cancel").click();
  await becomes(["waiting.png"], () => shown.evaluateAll((all) => all.map(({ alt }) => alt)));
});

scenario("a sent picture opens large and gives the focus back", { ...STAGE, at: "#/chat/picture", size: PHONE }, async (world) => {
  const { page } = world;
  const thumb = world.id("picture");
  await thumb.locator("img").waitFor();
  assert.equal(await thumb.locator("img").getAttribute("alt"), "harbour.png");
  await thumb.click();
  const viewer = world.id("picture-viewer");
  await viewer.locator("img").waitFor();
  assert.deepEqual(await viewer.locator("img").evaluate(({ naturalWidth, naturalHeight, alt }) => [naturalWidth, naturalHeight, alt]), [320, 240, "harbour.png"]);
  await page.keyboard.press("Escape");
  await becomes(0, () => viewer.count());
  await until("the focus is back", () => thumb.evaluate((node) => node === document.activeElement));
});

for (const [id, answer] of [["allow-once", "allow_once"], ["deny", "deny"]])
  scenario(`before a cap is passed the person is asked, and says: ${answer}`, { stage: { only: ["spend", "search"] }, at: "#/chat/spend" }, async (world) => {
    const { page, say } = world;
    const sheet = world.id("spend-sheet");
    await world.sheetReady(sheet);
    const text = await sheet.innerText();
    for (const part of [say("spend_run", { spent: "$0.48", cap: "$0.50" }), say("spend_next", { next: "$0.06" }), say("spend_title", { cap: "$0.50" })]) assert.ok(text.includes(part), part);
    assert.equal(await sheet.getByRole("button").count(), 2, "no lasting yes");
    await page.keyboard.press("Escape");
    await page.mouse.click(5, 5);
    await page.waitForTimeout(GUARD_MS);
    assert.equal(await sheet.count(), 1, "it does not go away by itself");
    await sheet.getByTestId(id).click();
    await becomes(0, () => sheet.count());
    assert.deepEqual(last(world, "ask_answer"), { ask: "ask-spend", answer: { type: answer } });
  });
