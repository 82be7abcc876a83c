// SPDX-License-Identifier: Apache-2.0
// The first start: three steps, each can be skipped.
import assert from "node:assert/strict";
import { scenario } from "./scenario.mjs";
import { becomes, PHONE } from "./world.mjs";

const FRESH = { fresh: true, size: PHONE };

scenario("the demo model answers after three taps, and is called a demo", FRESH, async (world) => {
  const { page, say } = world;
  await world.id("use-demo").click();
  await page.getByRole("heading", { name: say("start_mode_title") }).waitFor();
  assert.equal(await world.id("default-mode-chat_plus").isChecked(), true, "Chat+ is chosen before");
  await world.button("next").click();
  await page.getByText(say("demo_name")).waitFor();
  await world.id("start-go").click();

  await world.id("composer").waitFor();
  assert.match(await world.id("model-picker").innerText(), new RegExp(`${say("demo_name")}\\s+${say("demo_badge")}`));
  await world.send("What is 6 times 7?");
  await world.cardIs("compute", "done");
  await world.answered("42");
  assert.match(await world.answer.innerText(), new RegExp(say("demo_name")), "the answer says who gave it");

  const settings = await world.call("settings_get");
  assert.deepEqual([settings.onboarded, settings.default_mode, settings.default_model], [true, "chat_plus", { provider: "demo", model: "demo" }]);
});

scenario("an endpoint is typed, tested at once, its model picked, and it answers", FRESH, async (world) => {
  const { page, say, model } = world;
  await world.button("provider_add").click();
  const form = world.id("provider-form");
  const use = world.id("provider-use");
  await world.byHand();
  assert.equal(await use.count(), 0, "nothing can be used before it was tested");
  assert.match(await form.innerText(), new RegExp(say("key_kept_file")), "it says where the key is kept");

  await world.button("test").click();
  await form.getByText(say("required")).waitFor();
  await form.getByLabel(say("base_url"), { exact: true }).fill(model.origin);
  await form.getByLabel(say("api_key"), { exact: true }).fill("sk-first-start");
  await world.button("test").click();
  await form.getByText(/scripted answered in/).waitFor();
  assert.equal(await form.getByLabel(say("model"), { exact: true }).inputValue(), "scripted");

  // Another address is another thing: what was tested does not stand for it.
  await form.getByLabel(say("base_url"), { exact: true }).fill(`${model.origin}/v1/`);
  await becomes(0, () => use.count());
  await world.button("test").click();
  await use.click();

  await page.getByRole("heading", { name: say("start_mode_title") }).waitFor();
  await world.id("default-mode-act").check();
  await world.button("next").click();
  await page.getByText("scripted", { exact: true }).waitFor();
  await world.id("start-go").click();

  await model.says("At your service.");
  await world.ask("Hello", "At your service.");
  const [last] = (await model.requests()).slice(-1);
  assert.equal(last.headers.authorization, "Bearer sk-first-start");
  const settings = await world.call("settings_get");
  assert.equal(settings.default_mode, "act");
  assert.deepEqual(settings.providers.map(({ base_url, has_key }) => [base_url, has_key]).filter(([base]) => base), [[model.base, true]]);
});

scenario("a wrong address says so in words and keeps what was typed", FRESH, async (world) => {
  const { say, model } = world;
  await world.button("provider_add").click();
  const form = world.id("provider-form");
  await world.byHand();
  const url = form.getByLabel(say("base_url"), { exact: true });
  const nowhere = "http://127.0.0.1:9/v1";
  await url.fill(nowhere);
  await world.button("test").click();
  const complaint = form.getByRole("alert").or(form.getByRole("status").filter({ hasText: /\w/ })).last();
  await complaint.waitFor();
  assert.doesNotMatch(await form.innerText(), /reqwest|os error|Error\(|undefined/);
  assert.equal(await url.inputValue(), nowhere);
  assert.equal(await world.id("provider-use").count(), 0);

  await url.fill(model.base);
  await world.button("test").click();
  await form.getByText(/scripted answered in/).waitFor();
});

scenario("everything can be skipped; the chat then asks for a model where one is needed", FRESH, async (world) => {
  const { page, say, model } = world;
  await world.button("start_skip").click();
  await world.button("start_skip").click();
  await page.getByText(say("start_no_model")).waitFor();
  await world.id("start-go").click();

  await page.getByText(say("no_model_title")).waitFor();
  await world.id("composer").fill("Hello?");
  await world.id("composer").press("Enter");
  await page.getByRole("dialog", { name: say("model_choose") }).waitFor();
  assert.equal(await world.id("composer").inputValue(), "Hello?", "the message waits");
  assert.equal((await model.requests()).length, 0);
  await page.keyboard.press("Escape");
  await world.button("no_model_demo").click();
  await world.id("composer").press("Enter");
  await world.id("message-assistant").waitFor();
});

scenario("a step back keeps what was chosen, and the first start can be shown again", FRESH, async (world) => {
  const { page, say } = world;
  await world.id("use-demo").click();
  await world.id("default-mode-chat").check();
  await becomes("chat", async () => (await world.call("settings_get")).default_mode);
  await world.button("next").click();
  await world.button("back").click();
  assert.equal(await world.id("default-mode-chat").isChecked(), true);
  await world.button("next").click();
  await world.id("start-go").click();
  // It leads to the chats when the settings are kept; only then is there another place to go to.
  await world.id("composer").waitFor();
  await world.go("#/settings/about");
  await world.button("about_first_start").click();
  await world.id("first-start").waitFor();
});

scenario("a Chinese browser is greeted in Chinese", { ...FRESH, language: "zh" }, async (world) => {
  const { page, say } = world;
  await page.getByRole("heading", { name: say("start_model_title") }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), "zh-Hans");
  const text = await world.id("first-start").innerText();
  assert.match(text, /欢迎/);
  assert.deepEqual(text.replace(/Bailey|OpenAI|Ollama|LM Studio|llama\.cpp/g, "").match(/[A-Za-z]{3,}/g), null, "no English is left over");
  await world.id("use-demo").click();
  await world.button("next").click();
  await world.id("start-go").click();
  await world.send("现在几点？");
  await world.cardIs("get_time", "done");
  await world.idle();
  assert.match(await world.answer.innerText(), /\p{Script=Han}/u);
});

scenario("a browser that Bailey does not know is told how to get in", FRESH, async (world) => {
  const { say } = world;
  world.allow(/401/);
  await world.context.clearCookies();
  await world.page.reload();
  await world.id("locked").waitFor();
  assert.match(await world.id("locked").innerText(), /npm start/);
  await world.button("locked_again").waitFor();
  assert.equal(await world.page.getByText(say("start_model_title")).count(), 0);
});
