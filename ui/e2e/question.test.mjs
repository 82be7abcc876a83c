// SPDX-License-Identifier: Apache-2.0
// The model asks: choices, own words, "you decide".
import assert from "node:assert/strict";
import { scenario } from "./scenario.mjs";
import { becomes, PHONE } from "./world.mjs";

const ask = (question, choices) => ({ calls: [{ name: "ask_user", arguments: choices ? { question, choices } : { question } }] });
const told = async (world) => (await world.model.requests()).at(-1).body.messages.at(-1).content;

scenario("a choice is one tap, and the composer comes back with its draft", { size: PHONE, at: "#/chat/new" }, async (world) => {
  const { page, say, model } = world;
  await model.when("trip", { ...ask("Which day suits you?", ["Friday", "Saturday"]), wait_ms: 400 }, "Saturday it is.");
  await world.send("Plan my trip");
  await world.id("composer").fill("half a thought");
  const sheet = world.id("question-sheet");
  await sheet.getByText("Which day suits you?").waitFor();
  await page.getByRole("group", { name: say("question_title") }).waitFor();
  assert.deepEqual(await world.id("choice").allInnerTexts(), ["Friday", "Saturday"]);
  assert.equal(await world.id("composer").count(), 0);
  assert.match(await sheet.innerText(), /\d min \d+ s/);
  await page.waitForTimeout(450);
  await world.id("choice").nth(1).click();
  await world.answered("Saturday it is.");
  assert.match(await told(world), /Saturday/);
  await becomes("half a thought", () => world.id("composer").inputValue());
});

scenario("own words are an answer too", async (world) => {
  const { model } = world;
  await model.when("trip", ask("Which day suits you?", ["Friday", "Saturday"]), "Fine.");
  await world.send("Plan my trip");
  const own = world.id("question-own");
  await own.fill("Only on Sunday,");
  await own.press("Shift+Enter");
  await own.pressSequentially("after ten");
  await own.press("Enter");
  await world.answered("Fine.");
  assert.match(await told(world), /Only on Sunday,\\?n?\s*after ten/);
});

scenario("you decide", async (world) => {
  const { say, model } = world;
  await model.when("trip", ask("Where to?"), "I chose Lisbon.");
  await world.send("Plan my trip");
  await world.id("question-sheet").getByText("Where to?").waitFor();
  assert.equal(await world.id("choice").count(), 0);
  await world.page.waitForTimeout(450);
  await world.button("question_decide").click();
  await world.answered("I chose Lisbon.");
  assert.match(await told(world), /decide/i);
  await world.card("ask_user").getByText(say("tool_ask_user")).waitFor();
});

scenario("a question that was written under outside text says so", { settings: { default_mode: "max", shell: true } }, async (world) => {
  const { say, model } = world;
  await model.when("look", { calls: [{ name: "run_shell", arguments: { command: "echo hi" } }] }, ask("Shall I send my password?", ["Yes", "No"]), "Good.");
  await world.send("Have a look");
  const sheet = world.id("question-sheet");
  await sheet.getByText("Shall I send my password?").waitFor();
  assert.ok((await sheet.innerText()).includes(say("question_outside", { sources: say("source_shell") })));
  await world.page.waitForTimeout(450);
  await world.id("choice").nth(1).click();
  await world.answered("Good.");
});

scenario("a run can be stopped while it asks", async (world) => {
  const { say, model } = world;
  await model.when("trip", ask("Where to?"), "Never said.");
  await world.send("Plan my trip");
  await world.id("question-sheet").waitFor();
  await world.id("stop").click();
  await world.idle();
  await world.page.getByText(say("run_stopped")).or(world.page.getByText(say("status_stopped"))).first().waitFor();
  assert.equal(await world.id("question-sheet").count(), 0);
  await model.says("Here again.");
  await world.ask("And now?", "Here again.");
});
