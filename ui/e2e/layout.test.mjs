// SPDX-License-Identifier: Apache-2.0
// Nothing sticks out: at 320 px, with text at 200 %, and at the usual sizes.
import assert from "node:assert/strict";
import { GROUPS } from "./screens.mjs";
import { STORIES } from "./stories.mjs";
import { scenario } from "./scenario.mjs";

const LOOKS = [
  { what: "320 px", size: { width: 320, height: 640 }, text: "100%" },
  { what: "text at 200 %", size: { width: 390, height: 844 }, text: "200%" },
];

/** What sticks out of the page to the right and can't be scrolled to inside a box of its own. */
function overflow() {
  const width = document.documentElement.clientWidth;
  const scrolls = (node) => {
    for (let at = node; at && at !== document.body; at = at.parentElement) {
      const { overflowX, position } = getComputedStyle(at);
      if (at !== node && (overflowX === "auto" || overflowX === "scroll") && at.scrollWidth > at.clientWidth && at.matches("pre, .table, .value, textarea, .said, .part")) return true;
      if (position === "fixed") return false;
    }
    return false;
  };
  const out = [];
  if (document.scrollingElement.scrollWidth > width) out.push(`the page is ${document.scrollingElement.scrollWidth} px wide`);
  for (const node of document.querySelectorAll("body *")) {
    if (node.closest(".visually-hidden, [hidden]") || node.closest("svg")?.contains(node) && node.tagName !== "svg") continue;
    const { left, right, width: w, height } = node.getBoundingClientRect();
    if (w === 0 || height === 0 || (right <= width + 1 && left >= -1)) continue;
    if (getComputedStyle(node).visibility === "hidden" || scrolls(node)) continue;
    out.push(`${node.tagName.toLowerCase()}.${node.className?.baseVal ?? node.className} from ${Math.round(left)} to ${Math.round(right)}: ${node.textContent.trim().slice(0, 40)}`);
  }
  return out.slice(0, 5);
}

scenario("what sticks out on purpose is found", { size: LOOKS[0].size, at: "#/chat/new" }, async (world) => {
  await world.page.getByText(world.say("new_chat_title")).waitFor();
  assert.deepEqual(await world.page.evaluate(overflow), []);
  await world.page.evaluate(() => document.querySelector("main h2").append(Object.assign(document.createElement("b"), { textContent: "unbreakable".repeat(6) })));
  assert.match((await world.page.evaluate(overflow)).join("\n"), /unbreakable/);
});

for (const group of GROUPS)
  scenario(`nothing sticks out: ${group.name}`, group.options, async (world) => {
    const found = [];
    const prepared = await group.prepare(world, STORIES.en);
    await world.page.emulateMedia({ reducedMotion: "reduce" });
    for (const { what, size, text } of LOOKS) {
      await world.page.setViewportSize(size);
      for (const [name, open] of group.screens) {
        await world.page.evaluate(() => (document.documentElement.style.fontSize = ""));
        await open(world, prepared, STORIES.en);
        await world.page.evaluate((text) => (document.documentElement.style.fontSize = text), text);
        await world.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
        for (const trouble of await world.page.evaluate(overflow)) found.push(`${name} at ${what}: ${trouble}`);
      }
    }
    assert.deepEqual(found, []);
  });
