// SPDX-License-Identifier: Apache-2.0
// Questions about touching a screen, and the page of the device's permissions, in front of a backend on a stage.
import assert from "node:assert/strict";
import { phone } from "./stage-device.mjs";
import { scenario } from "./scenario.mjs";
import { becomes, PHONE, until } from "./world.mjs";

const on = (id, more = {}) => ({ stage: { only: [id, "search"] }, at: `#/chat/${id}`, ...more });
const answers = (world) => world.backend.calls.filter(({ name }) => name === "ask_answer").map(({ params }) => params);
const times = (world, name) => world.backend.calls.filter((call) => call.name === name).length;
const ground = (part, id) => part.getByTestId(id).evaluate((node) => [getComputedStyle(node).color, getComputedStyle(node).backgroundColor]);
/** A colour of the look, as the browser computes it. */
const look = (world, name) => world.page.evaluate((name) => { const probe = document.createElement("i"); probe.style.color = `var(--${name})`; document.body.append(probe); const { color } = getComputedStyle(probe); probe.remove(); return color; }, name);
const focusIn = (world, text) => until(`the focus is at ${text}`, () => world.page.evaluate((text) => document.activeElement?.textContent.trim() === text, text));

scenario("the first touch in an app says which app and what; the run may use it from then on", on("touch-open", { size: PHONE }), async (world) => {
  const { page, say } = world;
  const sheet = await world.sheetReady();
  await page.getByRole("dialog", { name: say("ask_ui_control") }).waitFor();
  const target = await world.id("target").innerText();
  for (const part of ["Messenger", "org.example.messenger", say("role_item"), "Ana Kovač: See you on Thursday? Yesterday, 2 unread messages", say("class_navigate")]) assert.ok(target.includes(part), part);
  assert.ok((await sheet.innerText()).includes(say("reason_drive_app", { app: "Messenger" })));
  const box = await world.id("target").boundingBox();
  const body = await sheet.locator(".body").boundingBox();
  assert.ok(box.y >= body.y && box.y + box.height <= body.y + body.height, "all of it is in sight without scrolling");
  assert.deepEqual(await ground(sheet, "deny"), await ground(sheet, "allow-once"), "neither button is emphasised");
  assert.deepEqual(await ground(sheet, "deny"), await ground(sheet, "allow-app"));
  assert.equal(await world.id("allow-chat").count(), 0);
  const allow = world.button("allow_app", { app: "Messenger" });
  assert.equal(await allow.evaluate((node) => document.getElementById(node.getAttribute("aria-describedby")).textContent), say("allow_app_hint"));
  await allow.click();
  await becomes(0, () => sheet.count());
  assert.deepEqual(answers(world), [{ ask: "touch-open-a", answer: { type: "allow_app" } }]);
});

scenario("what would send asks each time; what hides in a label, and what looks like something else, is said", on("touch-send"), async (world) => {
  const { say } = world;
  const sheet = await world.sheetReady();
  assert.equal(await world.id("target-label").innerText(), "⟨U+202E⟩Cancel⟨U+202C⟩ (sаfe)");
  const target = world.id("target");
  await target.getByText(say("address_mixed")).waitFor();
  assert.equal(await target.getByText(say("class_send")).evaluate((node) => getComputedStyle(node).color), await look(world, "danger"));
  assert.equal(await target.getByText(say("target_says")).evaluate((node) => getComputedStyle(node).color), await look(world, "outside"), "what a screen says is outside text");
  const text = await sheet.innerText();
  for (const part of [say("touches_send"), say("reason_outside_high"), say("outside_from", { source: say("source_with_detail", { tool: say("source_screen"), detail: "org.example.messenger" }) })]) assert.ok(text.includes(part), part);
  assert.equal(await world.id("allow-app").count(), 0, "the use of the app is not what is asked");
  assert.deepEqual(await ground(sheet, "deny"), await ground(sheet, "allow-once"));
  await world.id("deny").click();
  await becomes(0, () => sheet.count());
  assert.deepEqual(answers(world), [{ ask: "touch-send-a", answer: { type: "deny" } }]);
});

scenario("the use of an app answers the other questions that ask for no more, and each card says what became of it", on("touch-three"), async (world) => {
  const { say, backend } = world;
  await world.sheetReady();
  const cards = world.id("confirm-card");
  assert.deepEqual(await world.id("target").evaluateAll((all) => all.map(({ dataset }) => dataset.class)), ["scroll", "field", "pay"]);
  await cards.nth(0).getByTestId("allow-app").dblclick();
  await cards.nth(0).getByText(say("said_allowed_app", { app: "Messenger" })).waitFor();
  // As the engine does: it answers what asked for nothing but the use of this app.
  backend.tell({ type: "ask_closed", id: "three-1", answer: { type: "allow_once" } });
  await cards.nth(1).getByText(say("said_with_app", { app: "Messenger" })).waitFor();
  assert.equal(await cards.nth(2).getAttribute("data-open"), "true", "paying in another app is still asked");
  await cards.nth(2).getByTestId("allow-once").click();
  await becomes(0, () => world.sheet.count());
  assert.deepEqual(answers(world), [{ ask: "three-0", answer: { type: "allow_app" } }, { ask: "three-2", answer: { type: "allow_once" } }]);
});

scenario("cards of the device's tools have titles and pictures of their own, say where text came from and why one did not run", { ...on("device-cards"), language: "zh" }, async (world) => {
  const { say } = world;
  for (const tool of ["device_info", "read_notifications", "manage_app", "ui_control"]) await world.card(tool).getByText(say(`tool_${tool}`), { exact: true }).waitFor();
  await until("no card has the picture of an unknown tool", async () => (await world.page.locator('[data-testid="tool-card"] .icon .lucide-wrench').count()) === 0);
  await world.card("ui_control").getByText(say("denial_no_target")).waitFor();
  await world.card("read_notifications").getByTestId("mark").click();
  await world.id("mark-more").getByText(say("outside_from", { source: say("source_with_detail", { tool: say("source_notification"), detail: "org.example.messenger" }) })).waitFor();
  await world.page.keyboard.press("Escape");
  await world.card("manage_app").getByRole("button").first().click();
  await world.card("manage_app").getByText(say("arg_package")).waitFor();
});

/** The page of a phone; the phone is the person's hand in the system's settings. */
async function device(world) {
  const made = phone();
  world.backend.commands = { ...world.backend.commands, ...made.commands };
  await world.go("#/settings/device");
  await channel(world, "accessibility").waitFor();
  return made;
}
const channel = (world, name) => world.page.locator(`[data-testid="channel"][data-channel="${name}"]`);
const steps = (world, name) => channel(world, name).locator("[data-step]").evaluateAll((all) => all.map(({ dataset }) => [dataset.step, dataset.holds === "true"]));
const permission = (world, name) => world.page.locator(`[data-testid="permission"][data-permission="${name}"]`);
/** As when the person comes back from another app. */
const comeBack = (world) => world.page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));

scenario("each channel shows whether it is granted, connected and answering, and how to mend it; coming back reads it again", { stage: {} }, async (world) => {
  const { say } = world;
  const made = await device(world);
  const service = channel(world, "accessibility");
  assert.deepEqual(await steps(world, "accessibility"), [["granted", false], ["bound", false], ["answering", false]]);
  await service.getByText(say("channel_off"), { exact: true }).waitFor();
  await service.getByText(say("mend_accessibility_not_granted")).waitFor();
  await world.button("device_grant_of", { name: say("channel_accessibility") }).click();
  await becomes({ permission: "accessibility" }, () => world.backend.last("device_ask"));
  await service.getByText(say("device_not_given", { name: say("channel_accessibility") })).waitFor();

  made.change("accessibility", { granted: true, bound: false, answering: false, fault: "not_bound" });
  await comeBack(world);
  await service.getByText(say("fault_not_bound")).waitFor();
  await service.getByText(say("mend_accessibility_again")).waitFor();
  assert.deepEqual(await steps(world, "accessibility"), [["granted", true], ["bound", false], ["answering", false]]);
  assert.equal(await service.getByTestId("channel-ask").count(), 0, "it is granted");

  made.change("accessibility", { granted: true, bound: true, answering: true });
  await world.page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await becomes("works", () => service.getAttribute("data-standing"));
  assert.equal(await service.getByTestId("channel-trouble").count(), 0);
});

scenario("a channel is tried and says whether it did something; what is not running can't be granted", { stage: {}, size: PHONE }, async (world) => {
  const { say } = world;
  const made = await device(world);
  const shizuku = channel(world, "shizuku");
  await shizuku.getByText(say("mend_shizuku_not_running")).waitFor();
  assert.equal(await shizuku.getByTestId("channel-ask").count(), 0);
  const attempt = world.button("device_try_of", { name: "Shizuku" });
  await attempt.click();
  await shizuku.getByTestId("device-said").getByText(say("device_tried_bad", { name: "Shizuku" })).waitFor();
  made.change("shizuku", { granted: true, bound: true, answering: true, detail: "13.5.4" });
  await attempt.click();
  await shizuku.getByTestId("device-said").getByText(say("device_tried_good", { name: "Shizuku" })).waitFor();
  assert.deepEqual(world.backend.last("device_try"), { channel: "shizuku" });
  assert.deepEqual([await shizuku.getAttribute("data-standing"), await shizuku.getByText("13.5.4").count()], ["works", 1]);
});

scenario("single permissions are granted one by one; a refusal stands at its own; the focus is not lost", { stage: {} }, async (world) => {
  const { say } = world;
  world.allow(/400/);
  await device(world);
  assert.equal(await permission(world, "accessibility").count(), 0, "its channel stands for it");
  assert.equal(await permission(world, "notifications").getByRole("button").count(), 0);
  const grant = world.button("device_grant_of", { name: say("permission_contacts") });
  await grant.focus();
  await world.page.keyboard.press("Enter");
  await permission(world, "contacts").getByText(say("channel_granted"), { exact: true }).waitFor();
  assert.deepEqual(world.backend.last("device_ask"), { permission: "contacts" });
  await focusIn(world, say("permission_contacts"));
  await permission(world, "contacts").getByText(say("device_given", { name: say("permission_contacts") })).waitFor();
  await world.button("device_grant_of", { name: say("permission_location") }).click();
  await permission(world, "location").getByRole("alert").getByText(say("device_ask_failed")).waitFor();
  assert.match(await permission(world, "location").getByRole("alert").innerText(), /the system refused it/, "with the system's own words");
  assert.equal(await world.page.getByRole("alert").count(), 1);
});

scenario("the guide for switches that Android holds back comes and goes with them", { stage: {}, language: "zh" }, async (world) => {
  const { say } = world;
  const made = await device(world);
  const guide = world.id("restricted");
  assert.deepEqual(await guide.getByRole("listitem").allInnerTexts(), [1, 2, 3, 4].map((n) => say(`restricted_${n}`)));
  made.change("accessibility", { granted: true, bound: true, answering: true });
  const before = times(world, "device_view");
  await comeBack(world);
  await until("it was read again", () => times(world, "device_view") > before);
  await becomes("works", () => channel(world, "accessibility").getAttribute("data-standing"));
  assert.equal(await guide.count(), 1, "reading notifications is still held back");
  made.change("notification_access", true);
  await comeBack(world);
  await becomes(0, () => guide.count());
});

scenario("on a computer the page says calmly that there is nothing to grant, and leads on; a failed look can be repeated", { stage: {}, at: "#/settings/device" }, async (world) => {
  const { page, say, backend } = world;
  world.allow(/400/);
  await page.getByRole("heading", { name: say("device_none_title") }).waitFor();
  assert.deepEqual([await world.id("channel").count(), await world.id("restricted").count(), await page.getByRole("alert").count()], [0, 0, 0]);
  await page.getByRole("link", { name: say("device_none_link") }).click();
  await world.id("tool").first().waitFor();

  const calm = backend.commands;
  const { Refusal } = await import("./staged.mjs");
  backend.commands = { ...calm, device_view: () => { throw new Refusal("internal", "the device does not answer"); } };
  await world.go("#/settings/device");
  await page.getByRole("alert").getByText("The device does not answer").waitFor();
  backend.commands = calm;
  await world.button("try_again").click();
  await world.id("device-none").waitFor();
  assert.equal(await page.getByRole("alert").count(), 0);
});
