// SPDX-License-Identifier: Apache-2.0
// What outlives a turn, in a real browser in front of the real backend: notes that wait, summaries, pictures of the web, and how the web
// is searched.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { scenario } from "./scenario.mjs";
import { becomes, until } from "./world.mjs";

const FAIR = "http://93.184.215.14/fair";
const call = (name, args) => ({ calls: [{ name, arguments: args }] });
const requests = async (world) => (await world.model.requests()).map(({ body }) => JSON.stringify(body.messages));

scenario("a note written after a page waits with its source and taints who finds it; kept, it does not", { settings: { default_mode: "max", shell: true } }, async (world) => {
  const { say, model } = world;
  const web = await world.web();
  web.article(FAIR, "The fair", "The fair opens at nine on Saturday, beside the old mill, and everybody is welcome to bring a cake.");
  const note = "The fair opens at nine beside the old mill.";
  await model.when("fair", call("web_read", { url: FAIR }), call("memory_write", { text: note }), "Noted.");
  await model.when("Saturday", call("memory_search", { query: "mill" }), "At nine.");
  await model.when("shell", call("memory_search", { query: "mill" }), call("run_shell", { command: "echo hello" }), "Said hello.");
  await world.ask(`Note when the fair opens: ${FAIR}`, "Noted.");
  await world.cardIs("memory_write", "done");

  // In another chat it still is text of other people.
  await world.id("new-chat").click();
  await world.ask("What about Saturday?", "At nine.");
  const mark = world.answer.getByTestId("mark");
  assert.equal(await mark.getAttribute("data-kind"), "outside");
  assert.match(await mark.innerText(), /93\.184\.215\.14/);
  await world.send("And the shell?");
  await (await world.sheetReady()).locator(".why .badge.outside").filter({ hasText: "93.184.215.14" }).waitFor();
  await world.id("deny").click();
  await world.answered("Said hello.");

  const place = world.id("place-library");
  await until("the place says that one waits", async () => (await place.textContent()).includes("1 note waits for you"));
  await place.click();
  const row = world.id("note");
  assert.equal(await row.getAttribute("data-waits"), "true");
  const source = say("source_with_detail", { tool: say("source_web_page"), detail: "93.184.215.14" });
  await row.getByText(say("note_waits", { sources: source })).waitFor();
  await row.getByText(note).waitFor();
  await row.getByRole("button", { name: say("note_keep") }).click();
  await row.getByText(say("note_kept")).waitFor();
  assert.equal((await world.call("note_list", { query: "" }))[0].labels.outside.length, 1, "nothing is done while it can be undone");
  await world.id("place-chats").click();
  await becomes([], async () => (await world.call("note_list", { query: "" }))[0].labels.outside);

  await world.go("#/chat/new");
  await world.ask("What about Saturday?", "At nine.");
  await world.card("memory_search").getByRole("button").first().click();
  await world.card("memory_search").getByText(note).waitFor();
  assert.equal(await world.page.locator("[data-testid=mark][data-kind=outside]").count(), 0);
  await world.ask("And the shell?", "Said hello.");
  await world.cardIs("run_shell", "done");
});

/** A picture of one pixel, red. */
const PIXEL = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==", "base64");

scenario("a picture in an answer is fetched by a tap alone, through the guard; an address of one's own network is refused in words", async (world) => {
  const { say, model } = world;
  world.allow(/400/);
  const web = await world.web();
  const map = "http://93.184.215.14/map.png?center=43.5,16.4";
  web.put(map, PIXEL, "image/png");
  const own = `${web.address}/router.png`;
  await model.says(`It is here:\n\n![A map](${map})\n\nand here:\n\n![The router](${own})`);
  await world.ask("Show me", "It is here:");
  const places = world.answer.locator(".picture");
  await becomes(2, () => places.count());
  assert.equal(await places.nth(0).locator(".where").innerText(), map);
  await places.nth(0).getByText(say("image_tells", { host: "93.184.215.14" })).waitFor();
  assert.equal(await world.answer.locator("img").count(), 0);
  assert.deepEqual(web.asked, []);

  await places.nth(0).getByTestId("image-show").click();
  await becomes([1, 1, "A map"], () => world.id("web-picture").evaluate(({ naturalWidth, naturalHeight, alt }) => [naturalWidth, naturalHeight, alt]));
  assert.deepEqual(web.asked, [map]);
  await places.nth(1).getByTestId("image-show").click();
  const why = await places.nth(1).getByRole("alert").innerText();
  assert.match(why, /127\.0\.0\.1/);
  assert.match(why, /this (machine|device)|own network|private|loopback/i);
  assert.deepEqual(web.asked, [map], "nobody was asked");
});

scenario("a long chat is summed up; taken back, the model reads it again", { settings: { default_mode: "chat" } }, async (world) => {
  const { say, model, provider } = world;
  // What is measured lies in the middle between 85 % of the window and all of it.
  await world.call("settings_update", { model: { model: { provider: provider.id, model: "scripted" }, facts: { window: 20_000, max_output: 100 } } });
  const long = (word) => Array.from({ length: 3_000 }, (_, n) => `${word}${n}`).join(" ");
  await model.when("write a summary of everything", { text: "The person plans a garden; pulses go south." });
  await model.when("beans", { text: `Beans: ${long("bean")}` });
  await model.when("herbs", { text: `Herbs: ${long("herb")}` });
  await model.when("roses", "Roses by the wall.");
  await model.when("lilies", "Lilies in the pond.");
  await world.ask("Where do the beans go?", "Beans:");
  await world.ask("And the herbs?", "Herbs:");
  await world.ask("And the roses?", "Roses by the wall.");
  const card = world.id("summary-card");
  await card.getByText(say("summary_title")).waitFor();
  assert.equal(await card.getAttribute("data-state"), "used");
  assert.doesNotMatch(await card.innerText(), /pulses go south/);
  await card.getByRole("button", { name: say("summary_title") }).click();
  await card.getByText("pulses go south").waitFor();
  const cut = (await requests(world)).at(-1);
  assert.match(cut, /pulses go south/);
  assert.doesNotMatch(cut, /bean2999/);
  await world.id("summary-undo").click();
  await card.getByText(say("summary_undone")).waitFor();
  assert.equal(await world.id("summary-undo").count(), 0);
  await world.ask("And the lilies?", "Lilies in the pond.");
  const whole = (await requests(world)).at(-1);
  assert.match(whole, /bean2999/);
  assert.match(whole, /herb2999/);
  assert.doesNotMatch(whole, /pulses go south/);
});

/** Every file below a folder. */
const files = (folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name)).filter((path) => statSync(path).isFile());

scenario("a SearXNG of one's own is asked; the key of another engine lies among the keys and nowhere else", { at: "#/settings/web" }, async (world) => {
  const { page, say, model, backend } = world;
  world.allow(/400/);
  const web = await world.web();
  const hit = { title: "Fish soup of the coast", url: "https://recipes.example/soup", content: "Heads, fennel, saffron." };
  web.put("/search", JSON.stringify({ results: [hit] }), "application/json");
  const form = world.id("web-search");
  const save = form.getByRole("button", { name: say("save") });
  await world.id("engine-searxng").check();
  await world.id("web-address").fill("http://93.184.215.14:8080");
  await save.click();
  await form.getByRole("alert").waitFor();
  assert.equal((await world.call("settings_get")).web.search, "automatic", "what is refused changes nothing");
  await world.id("web-address").fill(`${web.address}/`);
  await save.click();
  await page.getByText(say("web_saved")).waitFor();
  const saved = (await world.call("settings_get")).web;
  assert.deepEqual([saved.search, saved.searxng], ["searxng", web.address]);

  await world.go("#/chat/new");
  await model.when("soup", call("web_search", { query: "fish soup" }), "Found one.");
  await world.ask("Find a soup", "Found one.");
  await world.cardIs("web_search", "done");
  assert.deepEqual(web.asked.map((url) => new URL(url, web.address).searchParams.get("q")), ["fish soup"]);
  const mark = world.answer.getByTestId("mark");
  assert.equal(await mark.innerText(), say("outside_from", { source: "SearXNG" }));
  await world.card("web_search").getByRole("button").first().click();
  assert.equal(await world.card("web_search").getByRole("link").first().getAttribute("href"), hit.url);

  await world.go("#/settings/web");
  const secret = "BSA-browser-7391-kept";
  await world.id("engine-brave").check();
  await world.id("web-key").fill(secret);
  await save.click();
  await form.getByText(say("api_key_known")).waitFor();
  assert.equal(await world.id("web-key").inputValue(), "");
  const held = (await page.content()) + JSON.stringify([await page.evaluate(() => [{ ...localStorage }, { ...sessionStorage }]), await world.call("settings_get"), await world.call("snapshot")]);
  assert.equal(held.includes(secret), false);
  for (const path of files(backend.data)) assert.equal(readFileSync(path).includes(secret), false, path);
  await world.kill();
  await backend.start();
  await becomes([true, "brave"], async () => { const { web } = await world.call("settings_get"); return [web.search_key, web.search]; });
  await page.goto(backend.address);
  await world.go("#/settings/web");
  await form.getByText(say("api_key_known")).waitFor();
  await world.button("web_key_forget").click();
  await form.getByText(say("web_key_missing")).waitFor();
  assert.equal((await world.call("settings_get")).web.search_key, false);
});
