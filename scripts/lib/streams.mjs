// SPDX-License-Identifier: Apache-2.0
// How fast streams are read: Bailey's endpoint beside other clients, all at the same model endpoint.
import { join } from "node:path";
import { targetDir } from "./cargo.mjs";
import { copyPeer, step } from "./peers.mjs";
import { capture, exe, npm, ROOT } from "./process.mjs";

/** What is read: text, and the arguments of a tool call in fragments. */
const KINDS = ["text", "tool"];

/** A program's lines with figures: `{ name, kind, rate }` each, the rate in thousand chunks a second. */
export function figures(text) {
  return [...text.matchAll(/^(\S+) (text|tool) .*kchunks\/s[= ]([\d.]+)/gm)].map(([, name, kind, rate]) => ({ name, kind, rate: Number(rate) }));
}

/** How often each client runs. */
const TURNS = 3;

/** The table: the best rates, and how many times Bailey's is another's. */
export function table(rates, names) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  const rate = (name, kind) => {
    const all = rates.filter((one) => one.name === name && one.kind === kind).map((one) => one.rate);
    return all.length > 0 ? Math.max(...all) : undefined;
  };
  const cells = (name) => KINDS.map((kind) => (rate(name, kind) === undefined ? "" : rate(name, kind).toFixed(0)));
  const times = (name) =>
    KINDS.map((kind) => (name === "bailey" || rate(name, kind) === undefined ? "" : `${(rate("bailey", kind) / rate(name, kind)).toFixed(1)}×`));
  const head = ["", "text, k chunks/s", "tool fragments, k chunks/s", "Bailey to it, text", "Bailey to it, tool"];
  const shown = names.filter(({ name }) => KINDS.some((kind) => rate(name, kind) !== undefined));
  return [line(head), line(head.map((_, at) => (at === 0 ? "---" : "---:"))), ...shown.map(({ name, title }) => line([title, ...cells(name), ...times(name)]))].join("\n");
}

const NAMES = [
  { name: "bailey", title: "**Bailey** (endpoint, decoder, replies)" },
  { name: "memchr", title: "hand-written loop over memchr and serde" },
  { name: "sse-stream", title: "sse-stream and serde" },
  { name: "async-openai", title: "async-openai" },
  { name: "node-openai", title: "openai (node)" },
  { name: "ai-sdk", title: "ai-sdk (node)" },
];

/** Measures, in one run. Resolves to the tables in markdown. */
export async function benchStreams(url, chunks, alone) {
  const build = ["build", "--release", "--locked", "-p", "bailey-providers", "--example", "stream_speed"];
  if (!(await step("Building Bailey's reader", "cargo", build, { cwd: ROOT }))) throw new Error("Bailey's reader was not built");
  const bailey = join(targetDir(), "release", "examples", exe("stream_speed"));
  const programs = KINDS.map((kind) => [bailey, ["http", url, kind, String(chunks)]]);
  if (!alone) {
    const rust = copyPeer("rust");
    const target = join(rust, "target");
    if (await step("Building the readers in Rust", "cargo", ["build", "--release", "-p", "sseb", "--target-dir", target], { cwd: rust }))
      for (const engine of ["async-openai", "memchr", "sse-stream"])
        for (const kind of KINDS) programs.push([join(target, "release", exe("sseb")), [engine, kind, String(chunks)]]);
    const node = copyPeer("loop");
    const [program, args, options] = npm(["install", "--no-fund", "--no-audit"]);
    if (await step("Installing the readers in Node", program, args, { cwd: node, ...options }))
      for (const kind of KINDS) programs.push([process.execPath, [join(node, "sse_node.mjs"), kind, String(chunks)]]);
  }
  const rates = [];
  // In turn, so that what else the machine does hits all of them.
  for (let turn = 1; turn <= TURNS; turn += 1)
    for (const [program, args] of programs) {
      console.error(`• ${turn} of ${TURNS}: ${[program.split(/[\\/]/).at(-1), ...args].join(" ")}`);
      const { code, text } = await capture(program, args, { quiet: true, env: { ...process.env, MOCK: url } });
      if (code !== 0) throw new Error(`${program} ended with ${code}:\n${text.slice(-2000)}`);
      rates.push(...figures(text));
    }
  const memory = await capture(bailey, ["memory"], { quiet: true });
  const notes = `${chunks} chunks each, one client after another, the best of several times in ${TURNS} turns.`;
  return [table(rates, NAMES), "", notes, "", "The decoders by themselves, and one call with 1 MB and with 2 MB of arguments:", "", "```", memory.text.trimEnd(), "```"].join("\n");
}
