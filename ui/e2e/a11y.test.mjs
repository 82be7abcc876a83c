// SPDX-License-Identifier: Apache-2.0
// axe finds nothing on any screen or sheet, in either language, light and dark, on a phone and on a wide window.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { GROUPS } from "./screens.mjs";
import { STORIES } from "./stories.mjs";
import { scenario } from "./scenario.mjs";
import { PHONE, until, WIDE } from "./world.mjs";
import { speaker } from "./words.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

async function check(page) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { violations } = await window.axe.run(document, { resultTypes: ["violations"], rules: { "color-contrast-enhanced": { enabled: false } } });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary.split("\n").slice(1).join(" ").trim()}`));
  });
}

/** Puts the page into a language and a theme and waits until it wears them. */
async function wear(world, language, theme) {
  await world.page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
  await world.call("settings_update", { language });
  world.say = speaker(language);
  const lang = language === "zh" ? "zh-Hans" : "en";
  await until("the page wears them", () => world.page.evaluate(([lang, theme]) => document.documentElement.lang === lang && document.documentElement.dataset.theme === theme, [lang, theme]));
}

scenario("axe finds what is wrong on purpose", async (world) => {
  await world.page.evaluate(() => {
    const wrong = document.createElement("div");
    wrong.innerHTML = '<button></button><p style="color: #bbb; background: #fff">pale</p>';
    document.querySelector("main").append(wrong);
  });
  const found = (await check(world.page)).map((violation) => violation.split(":")[0]);
  assert.deepEqual(found.toSorted(), ["button-name", "color-contrast"]);
});

for (const group of GROUPS)
  scenario(`axe: ${group.name}`, group.options, async (world, t) => {
    const story = STORIES.en;
    const prepared = await group.prepare(world, story);
    const found = [];
    let looks = 0;
    for (const size of [PHONE, WIDE]) {
      await world.page.setViewportSize(size);
      for (const [name, open] of group.screens) {
        for (const [language, theme] of [["en", "light"], ["en", "dark"], ["zh", "dark"], ["zh", "light"]]) {
          if (group.restart) await world.backend.start();
          await wear(world, language, theme);
          if (group.restart || (language === "en" && theme === "light")) await open(world, prepared, story);
          for (const violation of await check(world.page)) found.push(`${name} ${size.width} ${language} ${theme}: ${violation}`);
          looks += 1;
        }
      }
    }
    t.diagnostic(`${looks} looks`);
    assert.deepEqual(found, []);
  });
