// SPDX-License-Identifier: Apache-2.0
// npm start: builds what changed and serves Bailey on this machine. Arguments go to `bailey serve`:
//   npm start -- --port 9000 --data-dir some/folder
import { build } from "./build.mjs";
import { built } from "./lib/cargo.mjs";
import { become } from "./lib/process.mjs";

await build(["ui", "server"]);
process.exitCode = await become(built("bailey", "start"), ["serve", ...process.argv.slice(2)], { cwd: process.env.INIT_CWD ?? process.cwd() });
