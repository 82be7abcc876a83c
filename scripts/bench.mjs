// SPDX-License-Identifier: Apache-2.0
// npm run bench: Bailey side by side with others, as tables in markdown.
//   npm run bench -- [loop] [streams] [articles] [--rounds 50] [--repeats 5] [--chunks 100000] [--alone]
// Without a part's name all run.
//
// loop: rounds of an agent with one tool call each.
// gap: from the last byte of an answer to the whole of the next request, measured by the model endpoint.
// cold: from the start of the process to its first request. memory: the peak of the process tree, looked at every 5 ms.
//
// streams: an answer of many small chunks, as text and as the arguments of one tool call.
//
// articles: pages of news and blogs to the text of their article, on `BAILEY_ARTICLES` or ../shared/data/articles.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "./build.mjs";
import { benchArticles } from "./lib/articles.mjs";
import { built } from "./lib/cargo.mjs";
import { quantile, startMockModel } from "./lib/mock-model.mjs";
import { SCRATCH, setUpPeers, startSharedModel } from "./lib/peers.mjs";
import { benchStreams } from "./lib/streams.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "50" },
    repeats: { type: "string", default: "5" },
    chunks: { type: "string", default: "100000" },
    alone: { type: "boolean", default: false },
  },
});
const PARTS = ["loop", "streams", "articles"];
const unknown = positionals.find((name) => !PARTS.includes(name));
if (unknown) {
  console.error(`There is no part "${unknown}". Parts: ${PARTS.join(", ")}.`);
  process.exit(2);
}
const asked = positionals.length > 0 ? positionals : PARTS;
const rounds = Number(values.rounds);
const repeats = Number(values.repeats);

if (asked.includes("articles")) {
  const table = await benchArticles();
  if (table) console.log(`${table}\n`);
  else process.exitCode = 1;
}
if (!asked.some((part) => part !== "articles")) process.exit();

const shared = await startSharedModel();
if (asked.includes("streams")) {
  // The chunks come from the shared endpoint only.
  if (shared) console.log(`${await benchStreams(shared.url, Number(values.chunks), values.alone)}\n`);
  else process.exitCode = 1;
}
if (!asked.includes("loop")) {
  await shared?.stop();
  process.exit();
}
await build(["server"], "release");
const model = shared ?? (await startMockModel());
const peers = shared && !values.alone ? await setUpPeers() : [];
mkdirSync(SCRATCH, { recursive: true });

const COMPUTE = ["compute", '{"expression":"1+%N"}'];
const ADD = ["add", '{"a":1,"b":2}'];
const bailey = (name, env) => ({
  name,
  call: COMPUTE,
  env,
  program: built("bailey", "release"),
  args: (folder) => ["ask", "go", "--mode", "max", "--protocol", "openai", "--base-url", model.url, "--model", "mock", "--data-dir", folder],
});
const runners = [
  ...peers.map((peer) => ({ ...peer, call: ADD, args: () => peer.args })),
  bailey("**Bailey** (journal and gate on)", {}),
  bailey("Bailey, every commit fully synced", { BAILEY_SYNC: "always" }),
];

const seen = new Map(runners.map(({ name }) => [name, []]));
try {
  for (let repeat = 0; repeat < repeats; repeat += 1)
    for (const runner of runners) {
      console.error(`• ${repeat + 1} of ${repeats}: ${runner.name}`);
      seen.get(runner.name).push(await measure(runner));
    }
} finally {
  await model.stop();
}
console.log(report());

/** One run of a program against the model endpoint. */
async function measure({ name, program, args, call, env }) {
  const folder = mkdtempSync(join(SCRATCH, "run-"));
  await model.reset(rounds, ...call);
  const began = performance.now();
  const child = spawn(program, args(join(folder, "data")), {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, CI: "true", MOCK: model.url, OPENAI_API_KEY: "x", ROUNDS: String(rounds), ...env },
  });
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text) => (complaint += text));
  let memory = 0;
  const watch = setInterval(() => (memory = Math.max(memory, treeMemory(child.pid))), 5);
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  const wall = performance.now() - began;
  clearInterval(watch);
  rmSync(folder, { recursive: true });
  const stats = await model.stats();
  // A peer may ask once more on a busy machine; Bailey may not.
  const orderly = name.includes("Bailey") ? stats.requests === rounds + 1 : stats.requests > rounds;
  if (code !== 0 || !orderly) {
    throw new Error(`${name} ended with ${code} after ${stats.requests} of ${rounds + 1} requests:\n${complaint.slice(-2000)}`);
  }
  return { ...stats, wall, memory: memory / 1e6 };
}

/** The resident memory of a process and its children in bytes; 0 where there is no /proc. */
function treeMemory(pid) {
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]);
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean));
    return pages * 4096 + children.reduce((sum, child) => sum + treeMemory(child), 0);
  } catch {
    return 0; // It ended while we looked.
  }
}

/** The table: medians over the repeats, and the median of the ratios to the floor of the same repeat. */
function report() {
  const floor = peers[0]?.name.startsWith("floor") ? seen.get(peers[0].name) : null;
  const cell = (name, field, digits) => {
    const values = seen.get(name).map((run) => run[field]);
    const figure = quantile(values, 0.5).toFixed(digits);
    if (!floor) return figure;
    const ratio = quantile(values.map((value, at) => value / floor[at][field]), 0.5);
    return `${figure} (${ratio.toFixed(1)}×)`;
  };
  const head = ["", "gap p50, ms", "gap p95, ms", "cold, ms", "peak memory, MB", "wall, ms"];
  const rows = runners.map(({ name }) => [name, cell(name, "p50", 2), cell(name, "p95", 2), cell(name, "cold", 0), cell(name, "memory", 1), cell(name, "wall", 0)]);
  const line = (cells) => `| ${cells.join(" | ")} |`;
  const note = `${rounds} rounds, medians of ${repeats} runs taken in turn${floor ? "; in brackets the ratio to the floor in the same turn" : ""}.`;
  return [line(head), line(head.map((_, at) => (at === 0 ? "---" : "---:"))), ...rows.map(line), "", note].join("\n");
}
