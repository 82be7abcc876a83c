// SPDX-License-Identifier: Apache-2.0
// The UI's packages and its build, each done only when something it is made from changed.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { npm, ROOT, run } from "./process.mjs";
import { filesUnder, hashFiles, readStamp, writeStamp } from "./stamp.mjs";

const UI = join(ROOT, "ui");
// Inside node_modules, so that a fresh install forgets them, too.
const STAMPS = join(UI, "node_modules", ".cache", "bailey");

const INPUTS = ["index.html", "messages", "package.json", "package-lock.json", "project.inlang", "public", "scripts", "src", "svelte.config.js", "tsconfig.json", "vite.config.ts"];
// What the build itself writes among its inputs.
const WRITTEN = /^(src\/lib\/paraglide|project\.inlang\/(?!settings\.json$).+)/;

/** The files that the built UI depends on. */
export const uiInputs = (root = UI) => filesUnder(root, INPUTS, (path) => WRITTEN.test(path));

/** Installs the UI's packages when the lock file changed. Resolves to whether they are there. */
export async function installUi() {
  const stamp = join(STAMPS, "lock");
  const hash = hashFiles(UI, ["package.json", "package-lock.json"]);
  if (readStamp(stamp) === hash) return true;
  const [program, args, options] = npm(["ci", "--no-fund", "--no-audit"]);
  if ((await run(program, args, { cwd: UI, ...options })) !== 0) return false;
  writeStamp(stamp, hash);
  return true;
}

/** Builds ui/dist when its inputs changed. Resolves to whether it is there. */
export async function buildUi() {
  const stamp = join(STAMPS, "dist");
  const hash = hashFiles(UI, uiInputs());
  if (readStamp(stamp) === hash && existsSync(join(UI, "dist", "index.html"))) return true;
  const [program, args, options] = npm(["run", "--silent", "build"]);
  if ((await run(program, args, { cwd: UI, ...options })) !== 0) return false;
  writeStamp(stamp, hash);
  return true;
}
