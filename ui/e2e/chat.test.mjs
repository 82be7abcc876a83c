// SPDX-License-Identifier: Apache-2.0
// Talking: streams, stopping, branches, the list of chats, drafts, typing.
import assert from "node:assert/strict";
import { scenario } from "./scenario.mjs";
import { becomes, PHONE, until } from "./world.mjs";

const escape = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

scenario("markdown appears while it is written", async (world) => {
  const { say, model } = world;
  await model.says({ text: ["## Tea\n\nBoil **water**", " first.\n\n", "- green\n", "- black\n\n", "| leaf | °C |\n|---|---|\n| green | 80 |\n\n", "The ", "end."], delay_ms: 250 });
  await world.send("How do I make tea?");
  await world.answer.locator("strong", { hasText: "water" }).waitFor();
  const early = await world.answer.innerText();
  assert.doesNotMatch(early, /The end\./, "it was on show before it was whole");
  assert.equal(await world.answer.getAttribute("aria-busy"), "true");
  assert.equal(await world.id("send").count(), 0, "the button stops while it runs");
  await world.answered("The end.");
  assert.equal(await world.answer.getByRole("heading", { name: "Tea", level: 2 }).count(), 1);
  assert.deepEqual(await world.answer.getByRole("listitem").allInnerTexts(), ["green", "black"]);
  assert.equal(await world.answer.getByRole("cell", { name: "80" }).count(), 1);
  assert.equal(await world.answer.getAttribute("aria-busy"), "false");
  await world.page.getByRole("status").filter({ hasText: say("reader_done") }).waitFor();
});

scenario("stopping keeps what came, says so, and the chat goes on", async (world) => {
  const { say, model } = world;
  await model.says({ text: ["One, ", "two, ", "three, ", ...Array.from({ length: 200 }, (_, n) => `${n + 4}, `)], delay_ms: 60 });
  await world.send("Count");
  await world.answer.getByText("three,").waitFor();
  await world.id("stop").click();
  await world.answer.getByText(say("status_stopped")).waitFor();
  await world.idle();
  assert.match(await world.answer.innerText(), /One, two, three,/);
  assert.doesNotMatch(await world.answer.innerText(), /100,/);
  await until("the model's answer was given up", async () => (await model.log()).cancelled === 1);
  await model.says("Four.");
  await world.ask("Go on", "Four.");
});

scenario("what is typed while a message is on its way stays", async (world) => {
  const { page } = world;
  const composer = world.id("composer");
  let letGo;
  let held;
  await page.route("**/api/command", async (route) => {
    if (route.request().postDataJSON().name === "send") await held;
    await route.continue();
  });
  for (const text of ["first", "second"]) {
    held = new Promise((resolve) => (letGo = resolve));
    await composer.fill(text);
    await composer.press("Enter");
    await composer.press("End");
    await page.keyboard.type(" more");
    letGo();
    await world.id("message-user").filter({ hasText: text }).waitFor();
    await becomes("more", () => composer.inputValue());
    await world.answered("OK.");
  }
  assert.deepEqual(await world.id("message-user").allInnerTexts(), ["first", "second"]);
});

scenario("thinking is folded away behind its seconds", async (world) => {
  const { say, model } = world;
  await model.says({ reasoning: ["Let me ", "see. ", "Yes."], text: ["It is ", "so."], delay_ms: 150 });
  await world.send("Is it so?");
  await world.id("thinking").waitFor();
  await world.answered("It is so.");
  const button = world.id("thinking").getByRole("button");
  assert.match(await button.innerText(), new RegExp(escape(say("thought_for", { time: "§" })).replace("§", "\\d")));
  assert.doesNotMatch(await world.answer.innerText(), /Let me see/);
  await button.click();
  assert.match(await world.answer.innerText(), /Let me see\. Yes\./);
});

scenario("answering again makes a second version; both can be reached", async (world) => {
  const { say, model } = world;
  await model.says("Heads.", "Tails.");
  await world.ask("Flip a coin", "Heads.");
  assert.equal(await world.id("branches").count(), 0);
  await world.button("retry_answer").click();
  await world.answered("Tails.");
  await world.page.getByRole("group", { name: say("branch_of", { index: 2, count: 2 }) }).waitFor();
  assert.equal(await world.page.getByText("Heads.").count(), 0);
  await world.button("branch_prev").click();
  await world.answer.getByText("Heads.").waitFor();
  await world.page.getByRole("group", { name: say("branch_of", { index: 1, count: 2 }) }).waitFor();

  // What is said now follows the version on show.
  await model.says("Because it fell so.");
  await world.ask("Why?", "Because it fell so.");
  const [request] = (await model.requests()).slice(-1);
  const text = JSON.stringify(request.body.messages);
  assert.match(text, /Heads\./);
  assert.doesNotMatch(text, /Tails\./);
  await world.page.reload();
  await world.answer.getByText("Because it fell so.").waitFor();
  assert.equal(await world.page.getByText("Heads.").count(), 1, "the chosen version is kept");
});

scenario("an edited message is sent as another branch, and what was being typed is kept", async (world) => {
  const { page, say, model } = world;
  await model.when("Paris", "The Seine.");
  await model.when("London", "The Thames.");
  await world.ask("Which river in Paris?", "The Seine.");
  const composer = world.id("composer");
  await composer.fill("a draft");
  await world.button("edit_message").click();
  await page.getByText(say("editing")).waitFor();
  assert.equal(await composer.inputValue(), "Which river in Paris?");
  await composer.press("Escape");
  await becomes("a draft", () => composer.inputValue());

  await world.button("edit_message").click();
  await composer.fill("Which river in London?");
  await composer.press("Enter");
  await world.answered("The Thames.");
  await becomes("a draft", () => composer.inputValue());
  await page.getByRole("group", { name: say("branch_of", { index: 2, count: 2 }) }).waitFor();
  await world.button("branch_prev").click();
  await world.answer.getByText("The Seine.").waitFor();
  assert.equal(await page.getByText("London").count(), 0);
});

scenario("chats are listed, searched, renamed, starred, deleted and brought back", async (world) => {
  const { page, say, model } = world;
  await model.when("boats", "A **ketch** has two masts.");
  await model.when("birds", "A wren is small.");
  await world.ask("Tell me about boats", "A ketch has two masts.");
  await world.id("new-chat").click();
  await world.ask("Tell me about birds", "A wren is small.");
  const rows = world.id("chat-list-item");
  await becomes(2, () => rows.count());
  assert.match(await rows.first().innerText(), /birds/, "the newest comes first");

  const search = page.getByRole("searchbox", { name: say("search_chats") });
  await search.fill("ketch");
  await becomes(1, () => rows.count());
  assert.deepEqual(await rows.locator("mark").allInnerTexts(), ["ketch"]);
  await rows.getByRole("link").click();
  await world.answer.getByText("two masts").waitFor();
  await search.fill("nowhere at all");
  await page.getByText(say("search_none_title")).waitFor();
  await world.button("clear_search").click();
  await becomes(2, () => rows.count());

  const boats = rows.filter({ hasText: "boats" });
  const menu = (row, item) => row.getByRole("button").click().then(() => page.getByRole("menuitem", { name: say(item), exact: true }).click());
  await menu(boats, "rename");
  const field = page.getByLabel(say("chat_title_label"));
  await until("the title can be typed over", () => field.evaluate((input) => input === document.activeElement && input.selectionEnd > 0));
  await page.keyboard.type("Sailing");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Sailing" }).waitFor();

  await menu(rows.filter({ hasText: "birds" }), "star");
  await page.getByRole("heading", { name: say("group_starred"), exact: true }).waitFor();
  await until("the starred one is first", async () => /birds/.test(await rows.first().innerText()));

  await menu(rows.filter({ hasText: "Sailing" }), "delete");
  await becomes(1, () => rows.count());
  await page.getByText(say("chat_deleted", { title: "Sailing" })).waitFor();
  await world.button("undo").click();
  await becomes(2, () => rows.count());
  await rows.filter({ hasText: "Sailing" }).getByRole("link").click();
  await world.answer.getByText("two masts").waitFor();
});

scenario("a title is changed in the header", async (world) => {
  const { page, say } = world;
  await world.ask("Hello there", "OK.");
  await page.getByRole("heading", { name: "Hello there" }).getByRole("button").click();
  await page.getByLabel(say("chat_title_label")).fill("Greetings");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Greetings" }).waitFor();
  await becomes("Greetings", async () => (await world.call("conversation_list", { query: "" }))[0].title);
  await page.getByRole("heading", { name: "Greetings" }).getByRole("button").click();
  await page.getByLabel(say("chat_title_label")).fill("Not this");
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { name: "Greetings" }).waitFor();
});

scenario("drafts survive switching and reloading", async (world) => {
  const { page } = world;
  const composer = world.id("composer");
  await world.ask("First", "OK.");
  const first = world.conversation;
  await composer.fill("half a thought");
  await world.id("new-chat").click();
  await becomes("", () => composer.inputValue());
  await composer.fill("another one");
  await world.go(`#/chat/${first}`);
  await becomes("half a thought", () => composer.inputValue());
  await page.reload();
  await becomes("half a thought", () => composer.inputValue());
  await world.go("#/chat/new");
  await becomes("another one", () => composer.inputValue());
  await world.send("sent now");
  await world.answered("OK.");
  await world.id("new-chat").click();
  await becomes("", () => composer.inputValue());
});

scenario("Enter does not send while characters are composed; Shift+Enter makes a line", async (world) => {
  const { page, model } = world;
  const composer = world.id("composer");
  await composer.focus();
  const keys = await world.context.newCDPSession(page);
  const enter = { key: "Enter", code: "Enter", windowsVirtualKeyCode: 13 };
  await keys.send("Input.imeSetComposition", { text: "nihao", selectionStart: 5, selectionEnd: 5 });
  await becomes("nihao", () => composer.inputValue());
  await keys.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...enter });
  await keys.send("Input.dispatchKeyEvent", { type: "keyUp", ...enter });
  await keys.send("Input.insertText", { text: "你好" });
  await becomes("你好", async () => (await composer.inputValue()).trim());
  // Older engines say 229 for a key that the input method took.
  await composer.evaluate((field) => field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", keyCode: 229, bubbles: true, cancelable: true })));
  assert.equal(await world.id("message-user").count(), 0);
  assert.equal((await model.requests()).length, 0);

  await composer.fill("one");
  await composer.press("Shift+Enter");
  await page.keyboard.type("two");
  assert.equal(await composer.inputValue(), "one\ntwo");
  await composer.press("Enter");
  await world.answered("OK.");
  assert.match(await world.id("message-user").innerText(), /one\ntwo/);
  assert.equal((await model.requests())[0].body.messages.at(-1).content.includes("one\ntwo"), true);
});

scenario("code is copied exactly, and coloured", async (world) => {
  const { page, model } = world;
  const code = 'fn main() {\n    println!("<b>&amp;</b>");\n}';
  await model.says(`Here:\n\n\`\`\`rust\n${code}\n\`\`\`\n\n1. inside\n   \`\`\`\n   a  b\n   \`\`\`\n`);
  await world.ask("Show me", "Here:");
  await world.button("copy_code").first().click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), code);
  await world.answer.locator("pre span[style]").first().waitFor();
  assert.equal(await world.answer.locator("pre").first().innerText(), code);
  await world.answer.locator(".code-inner").hover();
  await world.button("copy_code").last().click();
  await becomes("a  b", () => page.evaluate(() => navigator.clipboard.readText()));
  await world.button("copy_message").click();
  await becomes("Show me", () => page.evaluate(() => navigator.clipboard.readText()));
  await world.button("copy_answer").click();
  await until("the answer is copied as markdown", async () => (await page.evaluate(() => navigator.clipboard.readText())).includes("```rust"));
});

scenario("the page follows the text only for somebody who is at its end", { size: PHONE, at: "#/chat/new" }, async (world) => {
  const { page, model } = world;
  const lines = Array.from({ length: 120 }, (_, n) => `line ${n}\n\n`);
  await model.says({ text: lines, delay_ms: 25 });
  await world.send("Write a lot");
  const scroller = world.id("messages");
  const gap = () => scroller.evaluate((box) => Math.round(box.scrollHeight - box.clientHeight - box.scrollTop));
  await world.answer.getByText("line 40", { exact: true }).waitFor();
  await until("the end is followed", async () => (await gap()) < 80);
  await scroller.hover();
  await page.mouse.wheel(0, -600);
  const jump = page.getByRole("button", { name: new RegExp(`${world.say("jump_latest")}|${world.say("jump_latest_new")}`) });
  await jump.waitFor();
  const top = await scroller.evaluate((box) => box.scrollTop);
  await until("more has come", async () => (await gap()) > 900);
  assert.ok(Math.abs((await scroller.evaluate((box) => box.scrollTop)) - top) < 400, "the text above was not pulled away");
  await jump.click();
  await until("the end is followed again", async () => (await gap()) < 80 && (await jump.count()) === 0);
  await world.answered("line 119");
  assert.ok((await gap()) < 80);
});

scenario("on a phone the list and the chat are two pages", { size: PHONE }, async (world) => {
  const { page, say } = world;
  await page.getByRole("heading", { name: say("chats"), level: 1 }).waitFor();
  await page.getByText(say("chats_empty_title")).waitFor();
  await world.id("new-chat").click();
  await world.ask("Hello from the phone", "OK.");
  await page.getByRole("link", { name: say("go_to_chats") }).click();
  await world.id("chat-list-item").getByRole("link").click();
  await world.answered("OK.");
  await page.goBack();
  await page.getByRole("heading", { name: say("chats"), level: 1 }).waitFor();
});

scenario("a chat that is gone says so", async (world) => {
  const { page, say } = world;
  world.allow(/404/);
  await world.go("#/chat/01234567-89ab-7def-8123-456789abcdef");
  await page.getByRole("heading", { name: say("not_found_title") }).waitFor();
  await page.getByRole("link", { name: say("go_to_chats") }).click();
  await world.id("composer").waitFor();
});
