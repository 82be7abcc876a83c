// SPDX-License-Identifier: Apache-2.0
// Pictures of every screen, to look at: npm --prefix ui run shots [-- FOLDER] [--only name,…]
// 390x844 and 1280x800, light and dark, English and Chinese; into ui/test-results/shots unless a folder is named.
// --readme makes docs/screenshot.png instead.
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { askOutside, GROUPS } from "./screens.mjs";
import { STORIES } from "./stories.mjs";
import { closeAll, openBrowser, PHONE, RESULTS, WIDE, World } from "./world.mjs";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { only: { type: "string" }, readme: { type: "boolean", default: false } } });

if (values.readme) await readme();
else await everything();
await closeAll();

async function everything() {
  const folder = positionals[0] ? resolve(process.env.INIT_CWD ?? ".", positionals[0]) : join(RESULTS, "shots");
  const only = values.only?.split(",");
  mkdirSync(folder, { recursive: true });
  let count = 0;
  for (const language of ["en", "zh"])
    for (const group of GROUPS) {
      const screens = group.screens.filter(([name]) => !only || only.includes(name));
      if (screens.length === 0) continue;
      const story = STORIES[language];
      const world = await new World().open({ ...group.options, language });
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
  console.log(`${count} pictures in ${folder}`);
}

/** One screen of a group, as a data URL. */
async function still(groupName, screenName, { size, scheme, prepare }) {
  const group = GROUPS.find(({ name }) => name === groupName);
  const world = await new World().open({ ...group.options, size, scheme, density: 1.5, model: "qwen3-32b" });
  const prepared = await (prepare ?? group.prepare)(world, STORIES.en);
  await world.page.emulateMedia({ reducedMotion: "reduce" });
  await group.screens.find(([name]) => name === screenName)[1](world, prepared, STORIES.en);
  await world.page.mouse.move(0, 0);
  await world.page.evaluate(() => document.activeElement?.blur());
  await world.page.waitForTimeout(300);
  const picture = await world.page.screenshot();
  await world.close();
  return `data:image/png;base64,${picture.toString("base64")}`;
}

/** A chat in a window, and beside it the question on a phone. */
async function readme() {
  const window = await still("chats", "chat-tools", { size: { width: 1100, height: 780 }, scheme: "light" });
  const phone = await still("questions", "confirm-outside", { size: { width: 360, height: 730 }, scheme: "dark", prepare: async (world, story) => ({ outside: await askOutside(world, story) }) });
  const context = await (await openBrowser()).newContext({ viewport: { width: 1530, height: 868 }, deviceScaleFactor: 1 });
  const page = await context.newPage();
  await page.setContent(`<style>
    body { margin: 0; width: 1530px; height: 868px; background: #e4e1d8; position: relative; overflow: hidden; }
    img { position: absolute; display: block; box-shadow: 0 2px 6px rgb(40 35 25 / .12), 0 18px 50px rgb(40 35 25 / .22); }
    .window { left: 40px; top: 44px; width: 1100px; border-radius: 14px; }
    .phone { right: 44px; bottom: 40px; width: 345px; border-radius: 34px; border: 7px solid #0b0b0a; }
  </style><img class="window" src="${window}"><img class="phone" src="${phone}">`);
  await page.waitForTimeout(300);
  const picture = await page.screenshot();
  const path = fileURLToPath(new URL("../../docs/screenshot.png", import.meta.url));
  writeFileSync(path, picture);
  console.log(`${path}: ${Math.round(picture.length / 1024)} KB`);
}
