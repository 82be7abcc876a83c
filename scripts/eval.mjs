// SPDX-License-Identifier: Apache-2.0
// npm run eval: what is claimed of Bailey, measured.
//   npm run eval -- phone [--json]
//   npm run eval -- injection [--variant "same turn"] [--questions] [--json]
// BAILEY_AGENTDOJO names another corpus; the table of tool classes lies beside it, or beside this repository.
import { machineOutput, run } from "./lib/process.mjs";

if (!machineOutput("cargo", ["--version"])) {
  console.error("Rust is missing: see the README for how to get it.");
  process.exit(1);
}
const wanted = process.argv.slice(2);
// The profile of what `npm start` builds: a replay asks the gate some hundred thousand times.
process.exitCode = await run("cargo", ["run", "--quiet", "--profile", "start", "-p", "bailey-evals", "--", ...(wanted.length > 0 ? wanted : ["injection"])]);
