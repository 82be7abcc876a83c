// SPDX-License-Identifier: Apache-2.0
// Notes that wait for the person, permissions that can be taken back, and how the web is searched, in front of a backend on a stage.
import assert from "node:assert/strict";
import { scenario } from "./scenario.mjs";
import { becomes, PHONE, until } from "./world.mjs";

const STAGE = { stage: {} };
const last = (world, name) => world.backend.last(name);
const times = (world, name) => world.backend.calls.filter((call) => call.name === name).length;
const texts = async (rows) => (await rows.evaluateAll((all) => all.map((row) => [Number(row.dataset.note), row.dataset.waits]))).map(([id, waits]) => (waits === "true" ? `${id} waits` : `${id}`));
const focusIn = (world, text) => until(`the focus is at ${text}`, () => world.page.evaluate((text) => document.activeElement?.textContent.trim() === text, text));

scenario("notes that wait are counted, say what they came from, and become the person's when kept", { ...STAGE, size: PHONE }, async (world) => {
  const { page, say } = world;
  const place = world.id("place-library");
  await becomes(`2${say("library")}, ${say("library_badge", { n: 2 })}`, async () => (await place.textContent()).replace(/\s+/g, " ").trim().replace("2 ", "2"));
  await place.click();
  await becomes(["9 waits", "7 waits", "5", "4", "2"], () => texts(world.id("note")));
  const first = world.id("note").first();
  await first.getByText(say("note_waits", { sources: "a web page: https://fair.example/news and an attached file: fair.pdf" })).waitFor();
  assert.equal(await first.getByRole("link").getAttribute("href"), "#/chat/search");
  await page.getByText(say("notes_waiting_line")).waitFor();
  await page.locator('[data-note="4"]').getByText(say("note_chat_gone")).waitFor();

  await first.getByRole("button", { name: say("note_keep") }).click();
  await first.getByText(say("note_kept")).waitFor();
  await focusIn(world, say("undo"));
  await first.getByRole("button", { name: say("undo") }).click();
  await first.getByRole("button", { name: say("note_keep") }).waitFor();
  await focusIn(world, say("note_keep"));
  await first.getByRole("button", { name: say("note_keep") }).click();
  assert.equal(times(world, "note_keep"), 0, "nothing is done while it can be undone");
  await world.id("place-chats").click();
  await becomes({ note: 9 }, () => last(world, "note_keep"));
  assert.equal(times(world, "note_keep"), 1);
  await until("one is left to decide", async () => (await place.textContent()).includes("1 note waits for you"));
  await place.click();
  await becomes(["7 waits", "9", "5", "4", "2"], () => texts(world.id("note")));
});

scenario("what is forgotten can be brought back for a while, and is gone afterwards", { ...STAGE, at: "#/library" }, async (world) => {
  const { page, say, backend } = world;
  const note = page.locator('[data-note="5"]');
  const forget = note.getByRole("button", { name: say("note_forget") });
  await forget.waitFor();
  await page.clock.install();
  await forget.click();
  await note.getByRole("button", { name: say("undo") }).click();
  await page.clock.fastForward(20_000);
  await forget.click();
  await note.getByText(say("note_forgotten")).waitFor();
  assert.equal(times(world, "note_forget"), 0);
  await page.clock.fastForward(9_000);
  await becomes({ note: 5 }, () => last(world, "note_forget"));
  await becomes(["9 waits", "7 waits", "4", "2"], () => texts(world.id("note")));

  // By keyboard: as long as the focus stands on "Undo", it can be undone.
  await page.locator('[data-note="4"]').getByRole("button").focus();
  await page.keyboard.press("Enter");
  await focusIn(world, say("undo"));
  await page.clock.fastForward(30_000);
  await page.keyboard.press("Enter");
  assert.equal(times(world, "note_forget"), 1);

  // Somebody else forgets one first.
  await page.locator('[data-note="2"]').getByRole("button").click();
  await backend.call("note_forget", { note: 2 });
  await becomes(["9 waits", "7 waits", "4"], () => texts(world.id("note")));
});

scenario("notes are searched, and read again when they change or could not be read", { ...STAGE, language: "zh" }, async (world) => {
  const { page, say, backend } = world;
  world.allow(/400/);
  const { note_list } = backend.commands;
  const { Refusal } = await import("./staged.mjs");
  backend.commands.note_list = () => {
    throw new Refusal("storage", "the database is locked.");
  };
  await world.go("#/library");
  await page.getByRole("alert").waitFor();
  backend.commands.note_list = note_list;
  await world.button("try_again").click();
  await becomes(5, () => world.id("note").count());
  assert.equal(await page.getByRole("alert").count(), 0);
  const search = page.getByRole("searchbox", { name: say("notes_search") });
  await search.fill("面包");
  await becomes(["面包"], () => page.locator(".library mark").allTextContents());
  assert.deepEqual(last(world, "note_list"), { query: "面包" });
  await search.fill("没有这个");
  await page.getByText(say("notes_none_body", { query: "没有这个" })).waitFor();
  await world.button("clear_search").click();
  await becomes(5, () => world.id("note").count());
  await backend.call("note_forget", { note: 9 });
  await becomes(4, () => world.id("note").count());
});

scenario("permissions say what they allow, where and until when; revoking one bites at once", { ...STAGE, at: "#/settings/grants" }, async (world) => {
  const { page, say, backend } = world;
  const grants = world.id("grant");
  await becomes(4, () => grants.count());
  await page.getByText(say("given_limits")).waitFor();
  const file = grants.nth(1);
  for (const text of [say("tool_file_write"), say("given_chat", { title: "And how do I get there?" }), "notes/*.md", say("given_star")]) await file.getByText(text, { exact: true }).waitFor();
  assert.equal(await file.getByRole("link").getAttribute("href"), "#/chat/fallback");
  await grants.nth(0).getByText(say("given_any")).waitFor();
  await grants.nth(3).getByText(say("given_automation", { name: "Morning news" })).waitFor();

  await file.getByRole("button").click();
  await becomes(["g4", "g2", "g1"], () => grants.evaluateAll((all) => all.map((row) => row.dataset.grant)));
  assert.deepEqual(last(world, "grant_revoke"), { grant: "g3" });
  await page.getByText(say("given_revoked", { tool: say("tool_file_write") })).waitFor();
  await until("the focus is kept", () => page.evaluate(() => document.activeElement?.tagName === "H2"));

  for (const grant of ["g4", "g2", "g1"]) await backend.call("grant_revoke", { grant });
  await page.getByText(say("given_empty_title")).waitFor();
});

scenario("a permission that runs out goes from the list by itself", { ...STAGE }, async (world) => {
  const { page, say, backend } = world;
  const grant = { id: "g", tool: "web_read", scope: "always", arguments: [], at: Date.now(), expires: Date.now() + 1_800_000 };
  let over = false;
  backend.commands.grant_list = () => (over ? [] : [grant]);
  await page.clock.install();
  await world.go("#/settings/grants");
  await world.id("grant").waitFor();
  over = true;
  await page.clock.fastForward(1_801_000);
  await page.getByText(say("given_empty_title")).waitFor();
});

scenario("the engine, its address and its key are set; what is wrong is said beside the field", { ...STAGE, at: "#/settings/web" }, async (world) => {
  const { page, say } = world;
  world.allow(/400/);
  const form = world.id("web-search");
  const save = form.getByRole("button", { name: say("save") });
  await world.id("engine-searxng").check();
  const address = world.id("web-address");
  const said = async (text) => {
    await form.getByRole("alert").getByText(text, { exact: true }).waitFor();
    assert.equal(await page.locator("[aria-invalid=true]").count(), 1);
    await until("the field has the focus", () => page.evaluate(() => document.activeElement?.getAttribute("aria-invalid") === "true"));
  };
  await save.click();
  await said(say("web_address_missing"));
  await address.fill("https://me:secret@searx.example");
  await page.keyboard.press("Enter");
  await said(say("web_address_login"));
  assert.equal(times(world, "web_update"), 0);
  await address.fill("https://refused.example");
  await save.click();
  await said("At this address there is no SearXNG.");
  await address.fill(" http://192.168.1.5:8080 ");
  await save.click();
  await page.getByText(say("web_saved")).waitFor();
  assert.deepEqual(last(world, "web_update"), { search: "searxng", searxng: "http://192.168.1.5:8080", fake_ip: false });
  assert.equal(await save.isDisabled(), true);

  await world.id("engine-brave").check();
  const key = world.id("web-key");
  assert.equal(await key.getAttribute("type"), "password");
  await key.fill("wrong-key");
  await save.click();
  await said("The key store does not answer.");
  await key.fill("BSA-abcdefgh12345678");
  await save.click();
  await form.getByText(say("api_key_known")).waitFor();
  assert.deepEqual(last(world, "web_update"), { search: "brave", searxng: "http://192.168.1.5:8080", key: "BSA-abcdefgh12345678", fake_ip: false });
  assert.equal(await key.inputValue(), "");
  const held = (await page.content()) + JSON.stringify(await page.evaluate(() => [{ ...localStorage }, { ...sessionStorage }]));
  assert.doesNotMatch(held, /abcdefgh/);

  await world.button("web_key_forget").click();
  await form.getByText(say("web_key_missing")).waitFor();
  assert.deepEqual(last(world, "web_update"), { search: "brave", searxng: "http://192.168.1.5:8080", key: "", fake_ip: false });

  await page.getByRole("switch", { name: say("web_fake_ip") }).click();
  await becomes({ search: "brave", searxng: "http://192.168.1.5:8080", fake_ip: true }, () => last(world, "web_update"));
  await becomes("true", () => page.getByRole("switch", { name: say("web_fake_ip") }).getAttribute("aria-checked"));

  // Changed elsewhere.
  world.backend.settle({ web: { search: "automatic", searxng: "", search_key: false, fake_ip: false } });
  await becomes(true, () => world.id("engine-automatic").isChecked());
});

scenario("an engine without its key says that it finds nothing", { ...STAGE, language: "zh", at: "#/settings/web" }, async (world) => {
  const { say } = world;
  await world.id("engine-tavily").check();
  await world.id("web-search").getByRole("button", { name: say("save") }).click();
  await becomes({ search: "tavily", searxng: "", fake_ip: false }, () => last(world, "web_update"));
  await world.id("web-search").getByText(say("web_key_missing")).waitFor();
  await until("the field has the focus", () => world.id("web-key").evaluate((field) => field === document.activeElement));
});

scenario("tools are called what they do, in the person's language", { ...STAGE, language: "zh", at: "#/settings/tools" }, async (world) => {
  const { say } = world;
  await world.id("tool").first().waitFor();
  for (const name of ["web_search", "web_read", "fetch_rss", "get_weather", "download_file", "spawn_agent"]) {
    const tool = world.id("tool").filter({ has: world.page.getByText(name, { exact: true }) });
    await tool.getByText(say(`tool_about_${name}`)).waitFor();
    assert.match(await tool.locator("b").innerText(), new RegExp(`^${say(`tool_${name}`)}`));
  }
});
