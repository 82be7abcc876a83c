// SPDX-License-Identifier: Apache-2.0
// npm run app: builds what changed and opens Bailey in a window of its own. Arguments go to the app:
//   npm run app -- --data-dir some/folder
import { build } from "./build.mjs";
import { built } from "./lib/cargo.mjs";
import { become } from "./lib/process.mjs";

await build(["ui", "app"]);
process.exitCode = await become(built("bailey-app", "start"), process.argv.slice(2), { cwd: process.env.INIT_CWD ?? process.cwd() });
