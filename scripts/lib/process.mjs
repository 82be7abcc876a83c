// SPDX-License-Identifier: Apache-2.0
// Running other programs, on every system alike.
import { spawn, spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the repository. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

/** The name of a program of ours on this system. */
export const exe = (name) => (process.platform === "win32" ? `${name}.exe` : name);

/** How to call npm without a shell: through the npm that called us when there is one. */
export function npm(args) {
  const path = process.env.npm_execpath;
  if (path && /npm(-cli)?\.c?js$/.test(path)) return [process.execPath, [path, ...args], {}];
  // Windows can start npm.cmd through a shell only; no argument of ours needs quoting.
  return process.platform === "win32" ? ["npm.cmd", args, { shell: true }] : ["npm", args, {}];
}

/** What a program prints, or null when it fails. */
export function machineOutput(program, args) {
  const done = spawnSync(program, args, { cwd: ROOT, encoding: "utf8", windowsHide: true, maxBuffer: 64 << 20 });
  return done.status === 0 ? done.stdout : null;
}

/** Runs a program to its end with our own terminal. Resolves to its exit code. */
export function run(program, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: ROOT, stdio: "inherit", windowsHide: true, ...options });
    child.once("error", (error) => {
      console.error(`${program} could not be started: ${error.message}`);
      resolve(127);
    });
    child.once("close", (code, signal) => resolve(code ?? signalled(signal)));
  });
}

/** As `run`, showing and keeping what it prints. Resolves to `{ code, text }`. */
export function capture(program, args, options = {}) {
  return new Promise((resolve) => {
    const { quiet, ...rest } = options;
    const child = spawn(program, args, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"], windowsHide: true, ...rest });
    let text = "";
    for (const [from, to] of [[child.stdout, process.stdout], [child.stderr, process.stderr]])
      from.setEncoding("utf8").on("data", (chunk) => {
        text += chunk;
        if (!quiet) to.write(chunk);
      });
    child.once("error", (error) => resolve({ code: 127, text: `${program} could not be started: ${error.message}` }));
    child.once("close", (code, signal) => resolve({ code: code ?? signalled(signal), text }));
  });
}

const NUMBERS = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 };

/** The exit code that tells of a signal. */
export const signalled = (signal) => 128 + (NUMBERS[signal] ?? 0);

/** Runs a program in the foreground in our place: its exit code becomes ours, and signals reach it. */
export function become(program, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: ROOT, stdio: "inherit", ...options });
    const pass = (signal) => {
      // A terminal's Ctrl-C has reached the child already: it is in our process group.
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    };
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, pass);
    // npm does not pass on a signal that ends it: the program must not outlive it.
    const parent = process.ppid;
    setInterval(() => process.ppid !== parent && child.kill("SIGTERM"), 500).unref();
    child.once("error", (error) => {
      console.error(`${program} could not be started: ${error.message}`);
      resolve(127);
    });
    child.once("exit", (code, signal) => resolve(code ?? signalled(signal)));
  });
}

/** Whole minutes and seconds, as a person reads them. */
export function duration(ms) {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, "0")} s`;
}
