// SPDX-License-Identifier: Apache-2.0
// The one place with weight: may this call run?
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { scenario } from "./scenario.mjs";
import { becomes, PHONE, until } from "./world.mjs";

const ACT = { settings: { default_mode: "act" } };
const MAX = { settings: { default_mode: "max", shell: true } };
const write = (path, content = "milk") => ({ calls: [{ name: "file_write", arguments: { path, content } }] });
const shell = (command) => ({ calls: [{ name: "run_shell", arguments: { command } }] });
const written = (world, path) => {
  const file = join(world.backend.data, "files", path);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
};

scenario("it shows the tool in plain words, the exact arguments, why it asks and the time left", ACT, async (world) => {
  const { page, say, model } = world;
  await model.when("list", write("lists/shopping.md", "milk\nbread"), "Written.");
  await world.send("Write my list");
  const sheet = await world.sheetReady();
  assert.equal(await sheet.getAttribute("aria-modal"), "true");
  await page.getByRole("dialog", { name: say("ask_file_write") }).waitFor();
  const text = await sheet.innerText();
  assert.match(text, new RegExp(say("danger_medium")));
  assert.match(text, /lists\/shopping\.md/);
  assert.match(text, /milk\nbread/);
  assert.ok(text.includes(say("reason_mode", { mode: say("mode_act") })));
  assert.doesNotMatch(text, new RegExp(say("leaves_device")));
  const left = async () => {
    const [, min, s] = (await sheet.getByRole("timer").innerText()).match(/(\d) min (\d+) s/);
    return Number(min) * 60 + Number(s);
  };
  const first = await left();
  assert.ok(first <= 300 && first > 270, `${first} s`);
  await until("the time ticks", async () => (await left()) < first);
  await world.button("show_raw").click();
  assert.match(await sheet.innerText(), /"content": "milk\\nbread"/);
  assert.match(await page.title(), /^\(1\)/, "the title counts what waits");
  assert.equal(written(world, "lists/shopping.md"), undefined);
  await world.id("deny").click();
  await world.answered("Written.");
  await world.cardIs("file_write", "rejected");
  assert.match(await world.card("file_write").innerText(), new RegExp(say("state_rejected")));
  assert.equal(written(world, "lists/shopping.md"), undefined);
  const [request] = (await model.requests()).slice(-1);
  assert.equal(request.body.messages.at(-1).role, "tool");
});

for (const size of [PHONE, { width: 1280, height: 800 }])
  scenario(`an argument of 20 000 characters scrolls and is not cut (${size.width} px)`, { ...ACT, size, at: "#/chat/new" }, async (world) => {
    const { page, model } = world;
    const content = Array.from({ length: 500 }, (_, n) => `line ${String(n).padStart(4, "0")} ${"x".repeat(29)}`).join("\n") + "\nTHE END";
    assert.ok(content.length >= 20_000);
    await model.when("long", write("long.txt", content), "Written.");
    await world.send("Write something long");
    const sheet = await world.sheetReady();
    const box = sheet.locator(".value");
    assert.equal(await box.evaluate((node) => node.textContent), content, "every character is there");
    const { scroll, client } = await box.evaluate((node) => ({ scroll: node.scrollHeight, client: node.clientHeight }));
    assert.ok(scroll > client * 10, "it scrolls");
    await box.focus();
    await page.keyboard.press("End");
    await until("its end is in view", () => box.evaluate((node) => node.scrollTop + node.clientHeight >= node.scrollHeight - 2));
    for (const button of ["deny", "allow-once", "allow-chat"]) {
      const place = await world.id(button).boundingBox();
      assert.ok(place.y >= 0 && place.y + place.height <= size.height, `${button} is in view`);
    }
    await world.id("allow-once").click();
    await world.answered("Written.");
    assert.equal(written(world, "long.txt"), content);
  });

scenario("Allow once asks again the next time; Allow in this chat does not, in this chat", ACT, async (world) => {
  const { model } = world;
  await model.when("first", write("a.txt"), "One.");
  await model.when("second", write("b.txt"), "Two.");
  await model.when("third", write("c.txt"), "Three.");
  await model.when("elsewhere", write("d.txt"), "Four.");
  await world.send("first");
  await world.sheetReady();
  await world.id("allow-once").click();
  await world.answered("One.");
  await world.send("second");
  await world.sheetReady();
  await world.id("allow-chat").click();
  await world.answered("Two.");
  await world.ask("third", "Three.");
  assert.equal(written(world, "c.txt"), "milk");
  await world.id("new-chat").click();
  await world.send("elsewhere");
  await world.sheetReady();
  await world.id("deny").click();
  await world.answered("Four.");
});

scenario("neither Escape nor a click beside it closes it, and focus stays inside", ACT, async (world) => {
  const { page, model } = world;
  await model.when("list", write("a.txt"), "Written.");
  await world.send("Write my list");
  const sheet = await world.sheetReady();
  await becomes(true, () => sheet.evaluate((node) => node.contains(document.activeElement)));
  await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
  await page.mouse.click(1270, 790);
  await sleep(300);
  assert.equal(await sheet.isVisible(), true);
  for (let n = 0; n < 12; n++) {
    await page.keyboard.press("Tab");
    assert.equal(await sheet.evaluate((node) => node.contains(document.activeElement)), true, `after ${n + 1} tabs`);
  }
  assert.equal((await world.call("snapshot")).asks.length, 1);
  await world.id("deny").click();
  await world.answered("Written.");
  await becomes("composer", () => page.evaluate(() => document.activeElement?.dataset.testid), "focus comes back to where one types");
});

scenario("a tap that was on its way when it appeared does nothing", ACT, async (world) => {
  const { page, model } = world;
  await model.when("list", write("a.txt"), "Written.");
  await page.evaluate(() => {
    new MutationObserver((_, observer) => {
      const buttons = ["allow-once", "allow-chat", "deny"].map((name) => document.querySelector(`[data-testid="${name}"]`));
      if (buttons.some((button) => button === null)) return;
      observer.disconnect();
      for (const button of buttons) button.click();
      window.tapped = true;
    }).observe(document.body, { childList: true, subtree: true });
  });
  await world.send("Write my list");
  await until("it was tapped through", () => page.evaluate(() => window.tapped === true));
  await sleep(600);
  assert.equal(await world.sheet.isVisible(), true);
  assert.equal((await world.call("snapshot")).asks.length, 1);
  assert.equal(written(world, "a.txt"), undefined);
  await world.id("allow-once").click();
  await world.answered("Written.");
});

scenario("a double tap counts once, and the next question does not take it", ACT, async (world) => {
  const { model } = world;
  await model.when("both", write("a.txt", "1"), write("b.txt", "2"), "Both asked.");
  await world.send("Write both");
  const sheet = await world.sheetReady();
  assert.match(await sheet.innerText(), /a\.txt/);
  await world.id("allow-once").dblclick();
  await sheet.getByText("b.txt").waitFor();
  assert.equal(written(world, "a.txt"), "1");
  assert.equal(written(world, "b.txt"), undefined);
  await world.sheetReady();
  await world.id("deny").click();
  await world.answered("Both asked.");
  assert.equal(written(world, "b.txt"), undefined);
});

scenario("questions of two chats are counted, and a bar leads to the other one", ACT, async (world) => {
  const { page, say, model } = world;
  await model.when("first", write("a.txt"), "One.");
  await model.when("second", write("b.txt"), "Two.");
  const one = await world.call("send", { text: "first chat", mode: "act" });
  await world.page.getByTestId("ask-bar").waitFor();
  await world.send("second chat");
  const sheet = await world.sheetReady();
  assert.equal(await world.id("confirm-count").innerText(), say("confirm_count", { index: 2, total: 2 }));
  assert.match(await page.title(), /^\(2\)/);
  await world.id("deny").click();
  await world.answered("Two.");
  const bar = world.id("ask-bar");
  assert.ok((await bar.innerText()).includes(say("ask_elsewhere", { title: "first chat" })));
  assert.match(await world.id("chat-list-item").filter({ hasText: "first chat" }).innerText(), new RegExp(say("chat_waiting")));
  await bar.click();
  await sheet.waitFor();
  assert.equal(world.conversation, one.conversation);
  assert.equal(await world.id("confirm-count").count(), 0);
  await world.sheetReady();
  await world.id("allow-once").click();
  await world.answered("One.");
  assert.equal(await bar.count(), 0);
});

scenario("after outside text neither button is emphasised and the source is named in purple", MAX, async (world) => {
  const { say, model } = world;
  await model.when("disk", shell("echo from-outside"), write("note.txt"), "Done.");
  await world.send("Look at the disk and note it");
  const sheet = await world.sheetReady();
  await world.cardIs("run_shell", "done");
  assert.equal(await sheet.getAttribute("data-tool"), "file_write");
  const text = await sheet.innerText();
  assert.ok(text.includes(say("reason_outside_acts")));
  const look = (name) => world.id(name).evaluate((node) => { const { backgroundColor, color, borderColor, fontWeight } = getComputedStyle(node); return { backgroundColor, color, borderColor, fontWeight }; });
  assert.deepEqual(await look("deny"), await look("allow-once"));
  assert.equal(await world.id("allow-chat").count(), 0, "a grant can't answer this");
  const source = sheet.getByText(say("outside_from", { source: say("source_shell") }));
  const purple = await world.page.evaluate(() => { const probe = document.createElement("i"); probe.style.color = "var(--outside)"; document.body.append(probe); const { color } = getComputedStyle(probe); probe.remove(); return color; });
  assert.equal(await source.evaluate((node) => getComputedStyle(node).color), purple);
  await world.id("allow-once").click();
  await world.answered("Done.");
  assert.equal(written(world, "note.txt"), "milk");
});

scenario("where only the mode asks, Allow is the plain way on", ACT, async (world) => {
  const { model } = world;
  await model.when("list", write("a.txt"), "Written.");
  await world.send("Write my list");
  await world.sheetReady();
  const colour = (name) => world.id(name).evaluate((node) => getComputedStyle(node).backgroundColor);
  assert.notEqual(await colour("deny"), await colour("allow-once"));
  await world.id("allow-once").click();
  await world.answered("Written.");
});

scenario("a high danger that can leave the device says both", { settings: { default_mode: "act", shell: true } }, async (world) => {
  const { say, model } = world;
  await model.when("disk", shell("df -h \u202e/ #"), "Looked.");
  await world.send("Look at the disk");
  const sheet = await world.sheetReady();
  const text = await sheet.innerText();
  assert.match(text, new RegExp(say("danger_high")));
  assert.match(text, new RegExp(say("leaves_device")));
  assert.match(text, /df -h ⟨U\+202E⟩\/ #/, "what would hide or reorder the text is visible");
  await world.id("deny").click();
  await world.answered("Looked.");
});

scenario("a second tab shows the same question; answered there it closes here", ACT, async (world) => {
  const { page, model } = world;
  await model.when("list", write("a.txt"), "Written.");
  await world.send("Write my list");
  await world.sheetReady();
  const other = await world.tab();
  await other.goto(page.url());
  await world.sheetReady(other.getByTestId("confirm-sheet"));
  await other.getByTestId("allow-once").click();
  await world.sheet.waitFor({ state: "hidden" });
  await world.answered("Written.");
  await other.getByTestId("message-assistant").filter({ hasText: "Written." }).waitFor();
});

scenario("an answer that comes too late says so", ACT, async (world) => {
  const { page, say, model } = world;
  world.allow(/409/);
  await model.when("list", write("a.txt"), "Not written.");
  await world.send("Write my list");
  await world.sheetReady();
  const [ask] = (await world.call("snapshot")).asks;
  await page.route("**/api/command", async (route) => {
    if (route.request().postDataJSON().name === "ask_answer") await world.call("ask_answer", { ask: ask.id, answer: { type: "deny" } });
    await route.continue();
  });
  await world.id("allow-once").click();
  await page.getByText(say("already_answered")).waitFor();
  await world.sheet.waitFor({ state: "hidden" });
  await world.answered("Not written.");
  await world.cardIs("file_write", "rejected");
  assert.equal(written(world, "a.txt"), undefined);
});

scenario("an answer that does not arrive says so and can be given again", ACT, async (world) => {
  const { page, model } = world;
  world.allow(/ERR_FAILED|ERR_INTERNET_DISCONNECTED/);
  await model.when("list", write("a.txt"), "Written.");
  await world.send("Write my list");
  const sheet = await world.sheetReady();
  await page.route("**/api/command", (route) => route.abort());
  await world.id("allow-once").click();
  await sheet.getByRole("alert").waitFor();
  await page.unroute("**/api/command");
  await world.id("allow-once").click();
  await world.answered("Written.");
});
