// SPDX-License-Identifier: Apache-2.0
// The programs that the bench measures Bailey against, set up in a scratch folder from ../shared/bench.
import { cpSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { targetDir } from "./cargo.mjs";
import { capture, exe, npm, ROOT } from "./process.mjs";
import { machine } from "./requirements.mjs";
import { background, until } from "./webdriver.mjs";

/** The peers' sources. */
const SHARED = join(ROOT, "..", "shared", "bench");

/** Where the bench keeps what it builds and writes: on a real disk, so that syncing costs what it costs. */
export const SCRATCH = join(targetDir(), "bench");

/** Copies a folder of the peers' into the scratch folder. Returns where it is. */
export function copyPeer(name) {
  const folder = join(SCRATCH, name);
  cpSync(join(SHARED, name), folder, { recursive: true });
  return folder;
}

/** One step of setting up, said in a line. Resolves to whether it worked. */
export async function step(what, program, args, options) {
  console.error(`• ${what}`);
  const { code, text } = await capture(program, args, { quiet: true, ...options });
  if (code !== 0) console.error(`  it failed, so it is left out:\n${text.trimEnd().replace(/^/gm, "    ")}`);
  return code === 0;
}

/** The shared model endpoint, built and started; null (and said) when it can't be. */
export async function startSharedModel() {
  if (!existsSync(SHARED)) return none("../shared/bench is not there");
  if (!machine.which("go")) return none("go is not installed");
  mkdirSync(join(SCRATCH, "mock"), { recursive: true });
  cpSync(join(SHARED, "loop", "mock.go"), join(SCRATCH, "mock", "mock.go"));
  const program = join(SCRATCH, "mock", exe("mock"));
  if (!(await step("Building the model endpoint", "go", ["build", "-o", program, "mock.go"], { cwd: join(SCRATCH, "mock") }))) return null;
  const url = "http://127.0.0.1:8099";
  const mock = background(program, ["-addr", "127.0.0.1:8099"]);
  mock.ended.then(() => mock.said.includes("address already in use") && console.error("Port 8099 is taken."));
  await until("the model endpoint answers", async () => (await fetch(`${url}/v1/models`).catch(() => null))?.ok);
  return {
    url: `${url}/v1`,
    reset: (rounds, tool, args) => fetch(`${url}/__reset?${new URLSearchParams({ rounds, tool, args })}`).then((answer) => answer.text()),
    async stats() {
      const stats = await fetch(`${url}/__stats`).then((answer) => answer.json());
      return { requests: stats.requests, cold: stats.first_request_ms, p50: stats.gap_us_p50 / 1000, p95: stats.gap_us_p95 / 1000 };
    },
    stop: () => mock.stop(),
  };
}

function none(why) {
  console.error(`• ${why}: Bailey is measured alone, against a model endpoint in Node.`);
  return null;
}

/** The peers that can be set up here: `{ name, program, args }` each. The first is the floor. */
export async function setUpPeers() {
  const peers = [];
  copyPeer("rust");
  const floor = ["build", "--release", "-p", "loopb", "--target-dir", join(SCRATCH, "rust", "target")];
  if (await step("Building the floor: a bare loop over reqwest", "cargo", floor, { cwd: join(SCRATCH, "rust") }))
    peers.push({ name: "floor (bare reqwest loop)", program: join(SCRATCH, "rust", "target", "release", exe("loopb")), args: [] });
  copyPeer("loop");
  const [program, args, options] = npm(["install", "--no-fund", "--no-audit"]);
  if (await step("Installing pi-agent-core and ai-sdk", program, args, { cwd: join(SCRATCH, "loop"), ...options }))
    for (const [name, file] of [["pi-agent-core", "pi_peer.mjs"], ["ai-sdk", "ai_sdk_peer.mjs"]])
      peers.push({ name, program: process.execPath, args: [join(SCRATCH, "loop", "peers", file)] });
  return peers;
}
