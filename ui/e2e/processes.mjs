// SPDX-License-Identifier: Apache-2.0
// The programs a test runs against: the headless backend and the scripted model, both real, both over HTTP.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { built } from "../../scripts/lib/cargo.mjs";

const BAILEY = process.env.BAILEY_PROGRAM ?? built("bailey");
const SCRIPTED_MODEL = process.env.BAILEY_SCRIPTED_MODEL ?? built("scripted-model");
/** How long a program may take to say its first line, in milliseconds. */
const PATIENCE_MS = 20_000;

const running = new Set();

/** Ends whatever still runs: a test that was torn down in the middle leaves nothing behind. */
export function endAll() {
  for (const child of running) child.kill("SIGKILL");
}
process.on("exit", endAll);
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

/** Starts a program. Resolves to it and the first line it prints. */
function launch(program, args, env = {}) {
  return new Promise((resolve, reject) => {
    // The key store of whoever runs the tests is left alone.
    const own = { CI: "true", BAILEY_KEY_STORE: "file" };
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...own, ...env } });
    running.add(child);
    let said = "";
    const fail = (why) => reject(new Error(`${program} ${why}\n${said}`));
    const timer = setTimeout(() => fail("said nothing"), PATIENCE_MS);
    child.stderr.setEncoding("utf8").on("data", (text) => (said += text));
    child.once("error", (error) => fail(`could not be started: ${error.message}. Build it: cargo build -p bailey-server -p bailey-testkit --bins`));
    child.once("exit", (code) => {
      running.delete(child);
      fail(`ended with ${code}`);
    });
    createInterface({ input: child.stdout }).once("line", (line) => {
      clearTimeout(timer);
      resolve({ child, line, said: () => said });
    });
  });
}

function end(child, signal) {
  if (!running.has(child)) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", resolve);
    child.kill(signal);
  });
}

/** A loopback port that nothing listens on. */
export function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** The scripted model. Its answers are described in crates/testkit/src/server.rs. */
export class Model {
  #child;
  /** The base URL of a provider. */
  base;
  /** Where its control routes are. */
  origin;

  static async start() {
    const model = new Model();
    const { child, line } = await launch(SCRIPTED_MODEL, ["--port", "0"]);
    model.#child = child;
    model.base = line.trim();
    model.origin = new URL(model.base).origin;
    return model;
  }

  async #control(path, body) {
    const answer = await fetch(`${this.origin}${path}`, body === undefined ? {} : { method: "POST", body: JSON.stringify(body) });
    const read = await answer.json();
    if (!answer.ok) throw new Error(`The script was refused: ${read.error.message}`);
    return read;
  }

  /** Adds answers to the queue. */
  async says(...answers) {
    await this.#control("/__script", answers.map((answer) => (typeof answer === "string" ? { text: answer } : answer)));
  }

  /** Adds answers for conversations whose last user message contains `words`. */
  async when(words, ...replies) {
    await this.#control("/__script", [{ when: words, replies: replies.map((reply) => (typeof reply === "string" ? { text: reply } : reply)) }]);
  }

  /** What came so far: requests, violations of the rules of a history, responses that were given up. */
  log() {
    return this.#control("/__log");
  }

  /** The chat requests so far. */
  async requests() {
    return (await this.log()).requests.filter(({ path }) => path.endsWith("/chat/completions"));
  }

  stop() {
    return end(this.#child, "SIGKILL");
  }
}

/** `bailey serve` on a data folder of its own. */
export class Backend {
  #child;
  #said = () => "";
  data = mkdtempSync(join(tmpdir(), "bailey-e2e-"));
  port;
  /** The one-time address of the last start. */
  address;

  static async start() {
    const backend = new Backend();
    backend.port = await freePort();
    await backend.start();
    return backend;
  }

  get origin() {
    return `http://127.0.0.1:${this.port}`;
  }

  /** What it wrote to its standard error. */
  get said() {
    return this.#said();
  }

  /** Starts it, again on the same port and folder; does nothing while it runs. */
  async start() {
    if (running.has(this.#child)) return;
    const { child, line, said } = await launch(BAILEY, ["serve", "--port", String(this.port), "--data-dir", this.data, "--no-open"]);
    this.#child = child;
    this.#said = said;
    this.address = line.trim();
  }

  /** SIGKILL: no goodbye. */
  kill() {
    return end(this.#child, "SIGKILL");
  }

  /** Runs a command past the page, as another tool on this machine would. Rejects with the error it answers with. */
  async call(name, params = {}) {
    const { token } = JSON.parse(readFileSync(join(this.data, "server.json"), "utf8"));
    const answer = await fetch(`${this.origin}/api/command`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ name, params }),
    });
    const body = await answer.json();
    if (!answer.ok) throw Object.assign(new Error(`${name}: ${body.code}: ${body.message}`), { code: body.code });
    return body;
  }

  async stop() {
    await this.kill();
    rmSync(this.data, { recursive: true, force: true });
  }
}
