// SPDX-License-Identifier: Apache-2.0
// npm run build: the UI and the server, without starting it.
//   node scripts/build.mjs [ui|server|app]…   (default: ui server)
import { fileURLToPath } from "node:url";
import { buildPackage } from "./lib/cargo.mjs";
import { advice, missing } from "./lib/requirements.mjs";
import { buildUi, installUi } from "./lib/ui.mjs";

const NEEDS = { ui: ["node"], server: ["node", "rust", "cc"], app: ["node", "rust", "cc", "webview"] };

/**
 * Builds these parts, telling what it does. Exits with 1 when something is missing or a build fails.
 * The profile `start` builds in three quarters of the time of `release`, and after a change in a fraction of it.
 */
export async function build(parts, profile = "start") {
  const lacks = missing([...new Set(parts.flatMap((part) => NEEDS[part]))]);
  if (lacks.length > 0) stop(advice(lacks));
  for (const part of parts) {
    if (part === "ui") {
      say("Installing what the UI is built with");
      if (!(await installUi())) stop("npm could not install the UI's packages: see its message above.");
      say("Building the UI");
      if (!(await buildUi())) stop("The UI could not be built: see the message above.");
    } else {
      say(part === "app" ? "Building the window" : "Building the server");
      if (!(await buildPackage(`bailey-${part}`, ["--profile", profile]))) stop(`The ${part} could not be built: see cargo's message above.`);
    }
  }
}

function say(text) {
  console.error(`• ${text}`);
}

function stop(text) {
  console.error(`\n${text}\n`);
  process.exit(1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const parts = process.argv.slice(2);
  const unknown = parts.find((part) => !(part in NEEDS));
  if (unknown) stop(`There is no part "${unknown}". Parts: ${Object.keys(NEEDS).join(", ")}.`);
  await build(parts.length > 0 ? parts : ["ui", "server"]);
}
