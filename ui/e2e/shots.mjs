// SPDX-License-Identifier: Apache-2.0
// Pictures of every screen, to look at: npm --prefix ui run shots [-- FOLDER] [--only name,…]
// 390x844 and 1280x800, light and dark, English and Chinese; into ui/test-results/shots unless a folder is named.
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { GROUPS } from "./screens.mjs";
import { STORIES } from "./stories.mjs";
import { openBrowser, PHONE, RESULTS, WIDE, World } from "./world.mjs";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { only: { type: "string" } } });
const folder = positionals[0] ? resolve(process.env.INIT_CWD ?? ".", positionals[0]) : join(RESULTS, "shots");
const only = values.only?.split(",");
mkdirSync(folder, { recursive: true });

let count = 0;
for (const language of ["en", "zh"])
  for (const group of GROUPS) {
    const screens = group.screens.filter(([name]) => !only || only.includes(name));
    if (screens.length === 0) continue;
    const story = STORIES[language];
    const world = await World.open({ ...group.options, language });
    const prepared = await group.prepare(world, story);
    for (const [width, size] of [["phone", PHONE], ["wide", WIDE]]) {
      await world.page.setViewportSize(size);
      for (const [name, open] of screens) {
        await world.page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
        await open(world, prepared, story);
        for (const theme of ["light", "dark"]) {
          await world.page.emulateMedia({ colorScheme: theme });
          await world.page.waitForTimeout(120);
          await world.page.screenshot({ path: join(folder, `${name}-${width}-${theme}-${language}.png`) });
          count += 1;
        }
      }
    }
    await world.close();
  }
await (await openBrowser()).close();
console.log(`${count} pictures in ${folder}`);
