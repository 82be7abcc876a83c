// SPDX-License-Identifier: Apache-2.0
// Everything by keyboard alone, and focus where one expects it.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { scenario } from "./scenario.mjs";
import { becomes, GUARD_MS, PHONE, until } from "./world.mjs";

/** Presses Tab until `locator` has the focus. */
async function tabTo(page, locator, key = "Tab") {
  for (let n = 0; n < 40; n++) {
    if (await locator.evaluate((node) => node === document.activeElement)) {
      const { style, width } = await locator.evaluate((node) => {
        const { outlineStyle, outlineWidth } = getComputedStyle(node);
        return { style: outlineStyle, width: parseFloat(outlineWidth) };
      });
      const seen = (style !== "none" && width >= 2) || (await locator.evaluate((node) => [node, node.parentElement, ...node.querySelectorAll("*")].some((at) => at?.matches("label, .search, .card, .pill, a") && getComputedStyle(at).outlineStyle !== "none") || getComputedStyle(node, "::after").outlineStyle !== "none" || getComputedStyle(node).borderColor !== ""));
      assert.ok(seen, "the focus can be seen");
      return;
    }
    await page.keyboard.press(key);
  }
  throw new Error(`${locator} can't be reached with ${key}.`);
}

const focused = (locator) => until("it has the focus", () => locator.evaluate((node) => node === document.activeElement));

scenario("from the first start to an answered confirmation", { fresh: true }, async (world) => {
  const { page, say, model } = world;
  const press = (key) => page.keyboard.press(key);
  await tabTo(page, world.button("provider_add"));
  await press("Enter");
  const form = world.id("provider-form");
  await focused(world.id("provider-paste"));
  await page.keyboard.type(model.base);
  await focused(form.getByLabel(say("api_key"), { exact: true }));
  await press("Enter");
  await form.getByText(/scripted answered in/).waitFor();
  await tabTo(page, world.id("provider-use"));
  await press("Enter");

  await focused(page.getByRole("heading", { name: say("start_mode_title") }));
  await tabTo(page, world.id("default-mode-chat_plus"));
  await press("ArrowDown");
  await becomes(true, () => world.id("default-mode-act").isChecked());
  await tabTo(page, world.button("next"));
  await press("Enter");
  await focused(page.getByRole("heading", { name: say("start_done_title") }));
  await tabTo(page, world.id("start-go"));
  await press("Enter");

  await focused(world.id("composer"));
  await model.when("list", { calls: [{ name: "file_write", arguments: { path: "a.txt", content: "milk" } }] }, "Written.");
  await page.keyboard.type("Write my list");
  await press("Enter");
  await world.sheet.waitFor();
  await focused(world.sheet.getByRole("heading", { name: say("ask_file_write") }));
  await sleep(GUARD_MS);
  await tabTo(page, world.id("allow-once"));
  await press("Enter");
  await world.answered("Written.");
  await focused(world.id("composer"));
});

scenario("a chat is found, opened, its mode changed, its card opened", async (world) => {
  const { page, say, model } = world;
  await model.when("sum", { calls: [{ name: "compute", arguments: { expression: "1+1" } }] }, "Two.");
  await world.ask("sum", "Two.");
  await world.id("new-chat").focus();
  await page.keyboard.press("Enter");
  await page.getByText(say("new_chat_title")).waitFor();
  await tabTo(page, page.getByRole("searchbox"));
  await page.keyboard.type("two");
  const row = world.id("chat-list-item").getByRole("link");
  await world.id("chat-list-item").locator("mark").first().waitFor();
  await tabTo(page, row);
  await page.keyboard.press("Enter");
  await world.card("compute").waitFor();

  await tabTo(page, world.id("mode-picker"));
  await page.keyboard.press("Enter");
  await world.id("mode-chat").waitFor();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.locator('[data-testid="mode-picker"][data-mode="max"]').waitFor();
  await focused(world.id("mode-picker"));

  const head = world.card("compute").getByRole("button").first();
  await tabTo(page, head);
  await page.keyboard.press("Space");
  await becomes("true", () => head.getAttribute("aria-expanded"));
});

scenario("menus and pickers give the focus back, and Escape closes them", async (world) => {
  const { page, say } = world;
  await world.ask("Hello", "OK.");
  const menu = world.id("chat-list-item").getByRole("button");
  for (const [trigger, opened] of [[world.id("mode-picker"), page.getByRole("menu")], [world.id("model-picker"), page.getByRole("dialog")], [menu, page.getByRole("menu")]]) {
    await trigger.focus();
    await page.keyboard.press("Enter");
    await opened.waitFor();
    await page.keyboard.press("Escape");
    await opened.waitFor({ state: "hidden" });
    await focused(trigger);
  }
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: say("rename") }).press("Enter");
  const field = page.getByLabel(say("chat_title_label"));
  await focused(field);
  await page.keyboard.press("Escape");
  await focused(menu);
});

scenario("a question is answered without a mouse", { size: PHONE, at: "#/chat/new" }, async (world) => {
  const { page, model } = world;
  await model.when("trip", { calls: [{ name: "ask_user", arguments: { question: "Which day?", choices: ["Friday", "Saturday"] } }] }, "Saturday.");
  await world.send("trip");
  await world.id("question-sheet").waitFor();
  await focused(world.id("question-sheet").getByRole("heading"));
  await sleep(GUARD_MS);
  await tabTo(page, world.id("choice").nth(1));
  await page.keyboard.press("Enter");
  await world.answered("Saturday.");
});

scenario("touch targets are large enough", { size: PHONE, touch: true, at: "#/chat/new" }, async (world) => {
  const { page, model } = world;
  await model.when("sum", { calls: [{ name: "compute", arguments: { expression: "1+1" } }] }, "Two.");
  await world.ask("sum", "Two.");
  const small = () =>
    page.evaluate(() =>
      [...document.querySelectorAll("button, a[href], input, select, textarea, [role=switch]")].flatMap((node) => {
        const { width, height } = (node.closest("label") ?? node).getBoundingClientRect();
        // 24 px is what WCAG 2.2 wants at least; our own measure for what is tapped often is 44.
        return width === 0 || (width >= 24 && height >= 24) ? [] : [`${node.ariaLabel ?? node.textContent} ${Math.round(width)}×${Math.round(height)}`];
      }),
    );
  for (const hash of [undefined, "#/", "#/settings/models", "#/settings/tools", "#/settings/appearance"]) {
    if (hash) await world.go(hash);
    await page.waitForTimeout(300);
    assert.deepEqual(await small(), [], hash);
  }
  await world.go("#/chat/new");
  const composer = await world.id("send").boundingBox();
  assert.ok(composer.width >= 44 && composer.height >= 44);
});
