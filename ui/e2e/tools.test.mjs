// SPDX-License-Identifier: Apache-2.0
// Modes, and what a call looks like.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { scenario } from "./scenario.mjs";
import { becomes } from "./world.mjs";

const call = (name, args, more = {}) => ({ calls: [{ name, arguments: args, ...more }] });

scenario("each mode says in one line what it may do, and a change holds for the chat", async (world) => {
  const { page, say } = world;
  await world.id("mode-picker").click();
  for (const mode of ["chat", "chat_plus", "act", "max"]) {
    const item = world.id(`mode-${mode}`);
    assert.equal(await item.innerText(), `${say(`mode_${mode}`)}\n${say(`mode_${mode}_line`)}`);
    assert.equal(await item.getAttribute("aria-checked"), String(mode === "chat_plus"));
  }
  const colours = await Promise.all(["chat", "chat_plus", "act", "max"].map((mode) => world.id(`mode-${mode}`).locator("b").evaluate((name) => getComputedStyle(name).color)));
  assert.equal(new Set(colours).size, 4, "each has a colour of its own");
  await world.id("mode-act").click();
  await page.getByText(say("mode_act_line")).waitFor();
  await world.ask("Hello", "OK.");
  await becomes("act", async () => (await world.call("conversation_list", { query: "" }))[0].mode);
  await world.mode("chat");
  await becomes("chat", async () => (await world.call("conversation_list", { query: "" }))[0].mode);
  assert.equal(await world.id("chat-list-item").getAttribute("data-mode"), "chat");
});

scenario("a call is a card: title, state, time; open for arguments and result", async (world) => {
  const { say, model } = world;
  await model.when("17.5", { text: "I calculate.", ...call("compute", { expression: "2430 * 17.5%" }) }, "It is 425.25.");
  await world.ask("What is 17.5 % of 2,430?", "It is 425.25.");
  const card = world.card("compute");
  await world.cardIs("compute", "done");
  assert.match(await card.innerText(), new RegExp(`${say("tool_compute")}\\s+2430 \\* 17\\.5%\\s*·\\s*\\d+ ms`));
  const head = card.getByRole("button").first();
  assert.equal(await head.getAttribute("aria-expanded"), "false");
  await head.click();
  assert.equal(await head.getAttribute("aria-expanded"), "true");
  const open = await card.innerText();
  assert.match(open, new RegExp(`${say("arg_expression")}\\s+2430 \\* 17\\.5%`));
  assert.match(open, /425\.25/);
  await world.button("show_raw").click();
  assert.match(await card.innerText(), /"expression": "2430 \* 17\.5%"/);
  await head.click();
  assert.doesNotMatch(await card.innerText(), /"expression"/);
});

scenario("arguments that were mended say so", async (world) => {
  const { say, model } = world;
  await model.when("sum", call("compute", "{'expression': '1+1',}"), "Two.");
  await world.ask("sum", "Two.");
  await world.cardIs("compute", "done");
  await world.card("compute").getByRole("button").first().click();
  const text = await world.card("compute").innerText();
  assert.match(text, new RegExp(say("repaired")));
});

scenario("a plan is one card that moves on", async (world) => {
  const { say, model } = world;
  const steps = (...states) => ({ steps: ["Look", "Think", "Write"].map((title, n) => ({ title, status: states[n] })) });
  await model.when("plan", call("plan_update", steps("active", "pending", "pending")), { ...call("plan_update", steps("done", "active", "pending")), wait_ms: 700 }, { ...call("plan_update", steps("done", "done", "done")), wait_ms: 4000 }, "Done with it.");
  await world.send("Make a plan");
  const plan = world.id("plan-card");
  await plan.getByText(say("plan_progress", { done: 1, total: 3 })).waitFor();
  await plan.locator("li:nth-child(2)[aria-current=step]").waitFor();
  await world.answered("Done with it.");
  assert.equal(await plan.count(), 1, "earlier states of the plan are not repeated");
  assert.match(await plan.innerText(), new RegExp(say("plan_progress", { done: 3, total: 3 })));
  assert.equal(await world.id("tool-card").count(), 0);
});

scenario("a failed call says so and the model goes on", async (world) => {
  const { say, model } = world;
  await model.when("divide", call("compute", { expression: "1/0" }), "It can't be divided.");
  await world.ask("divide", "It can't be divided.");
  await world.cardIs("compute", "failed");
  assert.match(await world.card("compute").innerText(), new RegExp(say("state_failed")));
});

scenario("what Chat+ may not do is offered in Act, and then asked for", async (world) => {
  const { page, say, model, backend } = world;
  await model.when("list", call("file_write", { path: "list.md", content: "milk" }), "That is how it went.");
  await world.ask("Write my list", "That is how it went.");
  await world.cardIs("file_write", "denied");
  assert.ok((await world.id("mode-offer").innerText()).includes(say("mode_offer_title", { mode: say("mode_chat_plus") })));
  await world.id("mode-offer").getByRole("button", { name: say("mode_offer_action") }).click();
  await world.sheetReady();
  assert.equal(await page.locator('[data-testid="mode-picker"]').getAttribute("data-mode"), "act");
  await world.id("allow-once").click();
  await world.answered("That is how it went.");
  await world.cardIs("file_write", "done");
  assert.equal(readFileSync(join(backend.data, "files", "list.md"), "utf8"), "milk");
});

scenario("the shell is off, is offered, is switched on, and then asks in Act", async (world) => {
  const { page, say, model } = world;
  await model.when("disk", call("run_shell", { command: "echo plenty" }), "There is plenty.");
  await world.mode("act");
  await world.ask("How full is the disk?", "There is plenty.");
  await world.cardIs("run_shell", "denied");
  const offer = world.id("shell-offer");
  assert.match(await offer.innerText(), new RegExp(say("shell_offer_title")));
  await offer.getByRole("button", { name: say("shell_on") }).click();
  await offer.getByText(say("shell_is_on")).waitFor();
  assert.equal((await world.call("settings_get")).shell, true);
  await offer.getByRole("button", { name: say("try_again") }).click();
  const sheet = await world.sheetReady();
  assert.match(await sheet.innerText(), /echo plenty/);
  await world.id("allow-once").click();
  await world.answered("There is plenty.");
  await world.cardIs("run_shell", "done");
  const card = world.card("run_shell");
  assert.match(await card.innerText(), new RegExp(say("outside_from", { source: say("source_shell") })), "its output is marked as outside text");
  await card.getByRole("button").first().click();
  await page.getByText(say("outside_why")).waitFor();
});

scenario("notes are kept and found again in another chat", async (world) => {
  const { model } = world;
  await model.when("Remember", call("memory_write", { text: "The spare key lies under the blue pot." }), "Noted.");
  await model.when("Where", call("memory_search", { query: "spare key" }), "Under the blue pot.");
  await world.ask("Remember where the spare key is", "Noted.");
  await world.id("new-chat").click();
  await world.ask("Where is the spare key?", "Under the blue pot.");
  await world.card("memory_search").getByRole("button").first().click();
  await world.card("memory_search").getByText(/under the blue pot/).waitFor();
});
