// SPDX-License-Identifier: Apache-2.0
// SIGKILL in the middle. The page comes back by itself and says what is known and what is not.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { scenario } from "./scenario.mjs";
import { becomes, PHONE, until } from "./world.mjs";

const MAX = { settings: { default_mode: "max", shell: true } };
const ACT = { settings: { default_mode: "act" } };

async function back(world) {
  await world.backend.start();
  await world.id("connection-lost").waitFor({ state: "hidden" });
}

scenario("in the middle of a stream: the half answer is kept, the run goes on to a whole one", async (world) => {
  const { page, say, model } = world;
  const half = ["The first ", "half", ...Array.from({ length: 300 }, () => " and more")];
  await model.says({ text: half, delay_ms: 40 });
  await world.send("Tell me a long story");
  await world.answer.getByText("The first half and more").waitFor();
  await sleep(1200); // A stream is written down about once a second.
  await world.kill();
  await world.id("connection-lost").waitFor();
  assert.ok((await world.id("connection-lost").innerText()).includes(say("conn_lost")));
  assert.match(await world.answer.innerText(), /The first half/, "what came stays on show");
  await model.says("A whole story.");
  await back(world);
  await world.answered("A whole story.");
  const broken = world.id("message-assistant").filter({ hasText: "The first half" });
  assert.equal(await broken.getAttribute("data-status"), "interrupted");
  assert.ok((await broken.innerText()).includes(say("status_interrupted")));
  await page.getByText(say("run_resumed")).waitFor();
  await model.says("Still here.");
  await world.ask("And then?", "Still here.");
  assert.doesNotMatch(JSON.stringify((await model.requests()).at(-1).body.messages), /The first half/, "a half answer is not sent back");
});

for (const [index, key] of [[0, "recovery_yes"], [1, "recovery_no"], [2, "recovery_unknown"]])
  scenario(`in the middle of a tool: ${key.replace("recovery_", "")}`, index === 0 ? { ...MAX, size: PHONE, at: "#/chat/new" } : MAX, async (world) => {
    const { page, say, model, backend } = world;
    const mark = join(backend.data, "mark");
    await model.when("wait", { calls: [{ name: "run_shell", arguments: { command: `echo x >> '${mark}'; sleep 30` } }] }, "I know where it stands.");
    await world.send("wait for it");
    await world.cardIs("run_shell", "running");
    await until("the command has begun", () => existsSync(mark));
    await world.kill();
    await world.id("connection-lost").waitFor();
    await back(world);
    const sheet = world.id("recovery-sheet");
    await sheet.waitFor();
    const text = await sheet.innerText();
    assert.ok(text.includes(say("recovery_body", { tool: say("tool_run_shell") })));
    assert.match(text, /sleep 30/);
    assert.ok(text.includes(say(`${key}_hint`)));
    await world.cardIs("run_shell", "unknown");
    assert.ok((await world.card("run_shell").innerText()).includes(say("unknown_body")));
    const before = (await model.requests()).length;
    await sleep(450);
    await world.id("choice").filter({ hasText: say(key) }).first().click();
    await world.answered("I know where it stands.");
    assert.equal((await model.requests()).length, before + 1, "the model was asked only after the person had answered");
    await page.getByText(say("run_resumed")).waitFor();
    assert.equal(readFileSync(mark, "utf8"), "x\n", "it was not run again");
    assert.doesNotMatch(await world.card("run_shell").innerText(), new RegExp(say("state_done")));
    await page.reload();
    await world.answered("I know where it stands.");
  });

scenario("at an open question: it is still there with the time it had, and the run goes on", ACT, async (world) => {
  const { model, backend } = world;
  await model.when("list", { calls: [{ name: "file_write", arguments: { path: "list.md", content: "milk" } }] }, "Written.");
  await world.send("Write my list");
  await world.sheetReady();
  const left = async () => {
    const [, min, s] = (await world.sheet.getByRole("timer").innerText()).match(/(\d) min (\d+) s/);
    return Number(min) * 60 + Number(s);
  };
  await until("some time is spent", async () => (await left()) <= 298);
  await world.kill();
  const killed = await left();
  await sleep(4000);
  await back(world);
  await world.sheetReady();
  const after = await left();
  assert.ok(after > 0 && after <= 300, `${after} s`);
  assert.ok(after >= killed - 4, `no time was spent while nothing ran: ${killed} s, then ${after} s`);
  assert.equal((await world.call("snapshot")).asks.length, 1);
  await world.id("allow-once").click();
  await world.answered("Written.");
  assert.equal(readFileSync(join(backend.data, "files", "list.md"), "utf8"), "milk");
});

scenario("while Bailey is away a message is not lost, and a page that is opened anew waits for it", async (world) => {
  const { page, say, model } = world;
  await world.ask("Hello", "OK.");
  await world.kill();
  const composer = world.id("composer");
  await composer.fill("Are you there?");
  await composer.press("Enter");
  await page.getByRole("alert").filter({ hasText: say("command_offline") }).waitFor();
  assert.equal(await composer.inputValue(), "Are you there?");
  await back(world);
  await model.says("Back.");
  await composer.press("Enter");
  await world.answered("Back.");
  await becomes(2, () => world.id("message-user").count());
});

scenario("a key outlives a restart, sealed, and can be changed", async (world) => {
  const { say, model, backend } = world;
  await world.call("provider_save", { id: world.provider.id, name: "Scripted", kind: "openai_chat", base_url: model.base, key: "sk-before-the-restart" });
  await world.ask("Hello", "OK.");
  await world.kill();
  await back(world);
  await world.ask("Still there?", "OK.");
  assert.equal((await model.requests()).at(-1).headers.authorization, "Bearer sk-before-the-restart");
  await world.go("#/settings/models");
  const provider = world.id("provider").filter({ hasText: "Scripted" });
  await provider.getByText(say("provider_has_key")).waitFor();
  await provider.getByRole("button", { name: say("provider_menu", { name: "Scripted" }) }).click();
  await world.page.getByRole("menuitem", { name: say("edit") }).click();
  await provider.getByLabel(say("api_key"), { exact: true }).fill("sk-again-and-again");
  await provider.getByRole("button", { name: say("test"), exact: true }).click();
  await provider.locator(".answer.good").waitFor();
  await world.id("provider-use").click();
  await becomes(0, () => world.id("provider-form").count());
  await world.go("#/chat/new");
  await model.says("With a key.");
  await world.ask("Hello again", "With a key.");
  assert.equal((await model.requests()).at(-1).headers.authorization, "Bearer sk-again-and-again");
  for (const file of readdirSync(backend.data, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()))
    assert.doesNotMatch(readFileSync(join(file.parentPath ?? file.path, file.name), "latin1"), /sk-again|sk-before/, file.name);
});
