// SPDX-License-Identifier: Apache-2.0
// Settings: models, what may be done, how it looks.
import assert from "node:assert/strict";
import { scenario } from "./scenario.mjs";
import { becomes, PHONE, until } from "./world.mjs";

scenario("a provider is added, tested, used for new chats and removed", { at: "#/settings/models" }, async (world) => {
  const { page, say, model } = world;
  await world.id("provider").first().waitFor();
  await world.button("provider_add").click();
  const form = world.id("provider-form");
  await world.id("provider-paste").fill(model.base);
  await form.getByLabel(say("provider_name"), { exact: true }).fill("My box");
  const key = form.getByLabel(say("api_key"), { exact: true });
  await key.fill("sk-settings");
  assert.equal(await key.getAttribute("type"), "password");
  await world.button("key_show").click();
  assert.equal(await key.getAttribute("type"), "text");
  await world.button("test").click();
  await form.getByText(/scripted answered in/).waitFor();
  await world.id("provider-use").click();
  const mine = world.id("provider").filter({ hasText: "My box" });
  await mine.getByText(say("provider_has_key")).waitFor();
  assert.equal(await form.count(), 0);
  assert.doesNotMatch(await page.content(), /sk-settings/);
  const settings = await world.call("settings_get");
  const saved = settings.providers.find(({ name }) => name === "My box");
  assert.deepEqual(settings.default_model, { provider: saved.id, model: "scripted" });

  const menu = async (item) => {
    await mine.getByRole("button", { name: say("provider_menu", { name: "My box" }) }).click();
    await page.getByRole("menuitem", { name: say(item) }).click();
  };
  await menu("test");
  await mine.getByText(/scripted answered in/).waitFor();
  await menu("remove");
  await mine.getByText(say("provider_remove_q", { name: "My box" })).waitFor();
  await mine.getByRole("button", { name: say("cancel") }).click();
  assert.equal(await mine.count(), 1);
  await menu("remove");
  await mine.getByRole("button", { name: say("remove"), exact: true }).click();
  await becomes(0, () => mine.count());
  assert.equal((await world.call("settings_get")).providers.some(({ name }) => name === "My box"), false);
});

scenario("the model of a chat is picked in its header", async (world) => {
  const { page, say } = world;
  await world.id("model-picker").click();
  const picker = page.getByRole("dialog", { name: say("model_choose") });
  await picker.getByRole("button", { name: "scripted" }).waitFor();
  await picker.getByRole("button", { name: say("demo_name") }).click();
  await page.getByText(say("demo_line")).waitFor();
  await world.send("What is 2+2?");
  await world.answered("4");
  assert.equal((await world.call("conversation_list", { query: "" }))[0].model.provider, "demo");
  await world.id("model-picker").click();
  await page.keyboard.press("Escape");
  await picker.waitFor({ state: "hidden" });
  await until("focus is back on the picker", () => world.id("model-picker").evaluate((node) => node === document.activeElement));
});

scenario("light, dark and accents apply at once and are kept", { at: "#/settings/appearance" }, async (world) => {
  const { page, say } = world;
  const root = () => page.evaluate(() => ({ theme: document.documentElement.dataset.theme, accent: document.documentElement.dataset.accent, paper: getComputedStyle(document.body).backgroundColor }));
  const radio = (key) => page.getByRole("radio", { name: say(key) });
  await radio("theme_dark").check();
  await becomes("dark", async () => (await root()).theme);
  const dark = (await root()).paper;
  await radio("theme_light").check();
  await becomes("light", async () => (await root()).theme);
  assert.notEqual((await root()).paper, dark);
  await radio("theme_system").check();
  await page.emulateMedia({ colorScheme: "dark" });
  await becomes("dark", async () => (await root()).theme, "it follows the system");
  const colours = new Set();
  for (const accent of ["green", "blue", "teal", "rose", "graphite"]) {
    await radio(`accent_${accent}`).check();
    await becomes(accent, async () => (await root()).accent);
    colours.add(await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--accent")));
  }
  assert.equal(colours.size, 5);
  await page.reload();
  await becomes({ theme: "dark", accent: "graphite" }, async () => (({ theme, accent }) => ({ theme, accent }))(await root()));
  assert.deepEqual((({ theme, accent }) => ({ theme, accent }))(await world.call("settings_get")), { theme: "system", accent: "graphite" });
});

scenario("the language changes at once, everywhere, without a reload", { at: "#/settings/appearance" }, async (world) => {
  const { page } = world;
  await page.evaluate(() => (window.same = true));
  await world.id("language-zh").check();
  await page.getByRole("heading", { name: "设置", level: 1 }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), "zh-Hans");
  for (const place of ["models", "tools", "device", "appearance", "about"]) {
    await world.go(`#/settings/${place}`);
    await page.locator(`[data-testid="settings-${place}"][aria-current="page"]`).waitFor();
    if (place === "tools") await world.id("tool").first().waitFor();
    const text = (await page.locator("main").innerText()).replace(/https?:\S+|\b[a-z]+_[a-z]+\b/g, "");
    const english = text.match(/[A-Za-z]{3,}/g) ?? [];
    assert.deepEqual(english.filter((word) => !/^(Bailey|Android|English|Scripted|scripted|Apache|Ollama|LM|Studio|llama|cpp|compute|HTTPS|OpenAI|Shell|Anthropic|Messages|Responses|Google|Gemini|PEM|PDF)$/.test(word)), [], place);
  }
  assert.equal(await page.evaluate(() => window.same), true);
  await world.go("#/settings/appearance");
  await world.id("language-en").check();
  await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
});

scenario("budgets are changed, checked and put back", { at: "#/settings/tools" }, async (world) => {
  const { page, say } = world;
  const line = (rounds, calls, time) => say("budget_line", { rounds, calls, time });
  const act = page.getByRole("button", { name: new RegExp(`^${say("mode_act")}\\b.*${say("budget_calls").slice(-5)}`) }).last();
  await act.click();
  const rounds = page.getByLabel(say("budget_rounds"));
  assert.equal(await rounds.inputValue(), "12");
  await rounds.fill("0");
  await world.button("save").click();
  await page.getByText(say("budget_range", { min: 1, max: 500 })).waitFor();
  assert.equal(await rounds.getAttribute("aria-invalid"), "true");
  await rounds.fill("20");
  await page.getByLabel(say("budget_calls")).fill("40");
  await page.getByLabel(say("budget_minutes")).fill("");
  await world.button("save").click();
  await page.getByText(line(20, 40, say("no_limit"))).waitFor();
  assert.deepEqual((await world.call("settings_get")).budgets.act, { rounds: 20, calls: 40, active_ms: null });
  await page.reload();
  await page.getByText(line(20, 40, say("no_limit"))).click();
  await world.button("budget_reset").click();
  await page.getByText(line(12, 32, say("time_min", { min: 10 }))).waitFor();
});

scenario("each tool says what every mode does with it, and the shell has its switch", { at: "#/settings/tools" }, async (world) => {
  const { page, say } = world;
  const tools = world.id("tool");
  await tools.first().waitFor();
  const listed = await world.call("tool_list");
  assert.equal(await tools.count(), listed.length);
  const shell = tools.filter({ hasText: "run_shell" });
  const verdicts = () => shell.locator("dd").allInnerTexts();
  assert.match(await shell.innerText(), new RegExp(say("tool_off")));
  await page.getByRole("switch", { name: say("shell_switch") }).click();
  await becomes(true, async () => (await world.call("settings_get")).shell);
  await becomes([say("verdict_deny"), say("verdict_deny"), say("verdict_confirm"), say("verdict_allow")], verdicts);
  assert.match(await shell.innerText(), new RegExp(say("tool_leaves")));
  await page.getByRole("radio", { name: new RegExp(`^${say("mode_act")}\\b`) }).check();
  await becomes("act", async () => (await world.call("settings_get")).default_mode);
  await world.go("#/chat/new");
  await page.locator('[data-testid="mode-picker"][data-mode="act"]').waitFor();
});

scenario("on a phone settings are a list of places", { size: PHONE, at: "#/settings" }, async (world) => {
  const { page, say } = world;
  for (const place of ["models", "tools", "device", "appearance", "about"]) {
    await world.id(`settings-${place}`).click();
    await page.getByRole("heading", { name: say(`settings_${place}`), level: 1 }).waitFor();
    await page.getByRole("link", { name: say("settings"), exact: true }).first().click();
    await page.getByRole("heading", { name: say("settings"), level: 1 }).waitFor();
  }
  await world.id("settings-about").click();
  await page.getByText(say("about_server_title")).waitFor();
  const { version } = await world.call("snapshot");
  await page.getByText(say("about_version", { version })).waitFor();
});

scenario("a computer has nothing to grant, and says so", { at: "#/settings/device" }, async (world) => {
  assert.deepEqual(await world.call("device_view"), { channels: [], permissions: {} });
  await world.page.getByRole("heading", { name: world.say("device_none_title") }).waitFor();
});

scenario("a change made elsewhere shows here", { at: "#/settings/appearance" }, async (world) => {
  await world.page.getByRole("radio").first().waitFor();
  await world.call("settings_update", { theme: "dark", language: "zh" });
  await becomes("dark", () => world.page.evaluate(() => document.documentElement.dataset.theme));
  await world.page.getByRole("heading", { name: "设置", level: 1 }).waitFor();
});
