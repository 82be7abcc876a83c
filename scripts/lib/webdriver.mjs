// SPDX-License-Identifier: Apache-2.0
// As much of the W3C WebDriver protocol as the window's test needs, over WebKitGTK's own driver on a screen of its own.
import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { signalled } from "./process.mjs";

const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

/** What is running in the background; it goes when we go. */
const running = new Set();

function kill(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It ended by itself just now.
  }
}

process.once("exit", () => running.forEach((child) => kill(child, "SIGKILL")));
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(signalled(signal)));

/** Starts a program whose process group ends with `stop()`, and with us. */
export function background(program, args, options = {}) {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], detached: true, ...options });
  running.add(child);
  child.once("close", () => running.delete(child));
  let said = "";
  const ended = new Promise((resolve) => child.once("close", resolve));
  child.once("error", (error) => (said += error.message));
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", (chunk) => (said += chunk));
  return {
    pid: child.pid,
    ended,
    stdio: child.stdio,
    /** What it printed. */
    get said() {
      return said;
    },
    async stop() {
      for (const signal of ["SIGTERM", "SIGKILL"]) {
        if (child.exitCode !== null || child.signalCode !== null) return;
        kill(child, signal);
        await Promise.race([ended, sleep(3000)]);
      }
    },
  };
}

/** Starts an X server on a free display. */
export async function startScreen(size = "1280x800x24") {
  const screen = background("Xvfb", ["-displayfd", "3", "-screen", "0", size, "-nolisten", "tcp", "-noreset"], {
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const number = await new Promise((resolve, reject) => {
    screen.stdio[3].setEncoding("utf8").once("data", (text) => resolve(text.trim()));
    screen.ended.then(() => reject(new Error(`Xvfb ended: ${screen.said}`)));
  });
  return { display: `:${number}`, stop: screen.stop };
}

/** Starts the driver on `port` with an environment that the program it opens inherits. */
export async function startDriver(port, env) {
  const driver = background("WebKitWebDriver", [`--port=${port}`, "--host=127.0.0.1"], { env });
  const url = `http://127.0.0.1:${port}`;
  await until("WebKitWebDriver answers", async () => (await fetch(`${url}/status`).catch(() => null))?.ok);
  return { url, stop: driver.stop, said: () => driver.said };
}

/** Waits until `probe` gives something that is not false, null or undefined, and gives that. */
export async function until(what, probe, ms = 20_000) {
  const end = Date.now() + ms;
  let last;
  for (;;) {
    try {
      const found = await probe();
      if (found || found === 0 || found === "") return found;
      last = undefined;
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) throw new Error(`After ${ms / 1000} s still not: ${what}${last ? ` (${last.message})` : ""}`);
    await sleep(50);
  }
}

/** An open window. Elements are named by CSS selectors and looked up anew each time. */
export class Window {
  #base;

  constructor(base) {
    this.#base = base;
  }

  /** Starts a program with a web view in it. */
  static async open(driver, binary, args) {
    const capabilities = { alwaysMatch: { "webkitgtk:browserOptions": { binary, args } } };
    const { sessionId } = await request(`${driver}/session`, "POST", { capabilities });
    return new Window(`${driver}/session/${sessionId}`);
  }

  /** Ends the program. */
  close = () => request(this.#base, "DELETE");

  /** Runs a function's body in the page. */
  run = (script, ...args) => request(`${this.#base}/execute/sync`, "POST", { script, args });

  /** As `run`, for a body that calls `done` with its result. */
  runAsync = (script, ...args) => request(`${this.#base}/execute/async`, "POST", { script: `const done = arguments[arguments.length - 1]; ${script}`, args });

  /** Loads the page anew. */
  reload = () => request(`${this.#base}/refresh`, "POST", {});

  /** A PNG of the page. */
  picture = async () => Buffer.from(await request(`${this.#base}/screenshot`, "GET"), "base64");

  /** The text that a person sees in an element; waits for it. */
  text = async (css) => request(`${this.#base}/element/${await this.#find(css)}/text`, "GET");

  /** Clicks an element where a person would; waits for it. */
  click = async (css) => request(`${this.#base}/element/${await this.#find(css)}/click`, "POST", {});

  /** Clicks the element with this text; waits for it. */
  clickText = (css, text) =>
    until(`"${text}" can be clicked`, () =>
      this.run("const found = [...document.querySelectorAll(arguments[0])].find((e) => e.innerText.trim() === arguments[1] && !e.disabled); found?.click(); return found !== undefined", css, text),
    );

  /** Types into an element; waits for it. */
  type = async (css, text) => request(`${this.#base}/element/${await this.#find(css)}/value`, "POST", { text });

  /** Whether there is such an element now. */
  has = (css) => this.run("return document.querySelector(arguments[0]) !== null", css);

  /** Waits until an element's text fits. */
  sees = (css, pattern) =>
    until(`${css} says ${pattern}`, async () => {
      const text = await this.run("return [...document.querySelectorAll(arguments[0])].map((e) => e.innerText).join('\\n')", css);
      return pattern.test(text) ? text : null;
    });

  #find = (css) =>
    until(`there is ${css}`, async () => {
      const found = await request(`${this.#base}/element`, "POST", { using: "css selector", value: css });
      return found[ELEMENT];
    });
}

async function request(url, method, body) {
  const response = await fetch(url, { method, body: body && JSON.stringify(body), headers: { "content-type": "application/json" } });
  const { value } = await response.json();
  if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
  return value;
}
