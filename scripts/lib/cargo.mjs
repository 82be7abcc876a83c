// SPDX-License-Identifier: Apache-2.0
// cargo, with one line of progress in place of a page of crate names.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { duration, exe, machineOutput, ROOT } from "./process.mjs";

/** Where cargo puts what it builds. */
export function targetDir() {
  const set = process.env.CARGO_TARGET_DIR;
  return set ? join(ROOT, set) : join(ROOT, "target");
}

/** The path of a built program. */
export const built = (name, profile = "debug") => join(targetDir(), profile, exe(name));

/** How many packages go into a package, as `cargo tree --prefix none` lists them; 0 when it can't be told. */
export const countPackages = (tree) => new Set(tree.split("\n").filter(Boolean).map((line) => line.split(" ").slice(0, 2).join(" "))).size;

/** The line of progress. */
export function progressLine(done, total, name, ms) {
  const count = total > 0 ? `${Math.min(done, total)} of ${total}` : `${done}`;
  return `  ${count} packages, ${duration(ms)}${name ? ` (${name})` : ""}`;
}

/** The package's name in the id of one of cargo's messages. */
export function packageName(id) {
  const [source, fragment = ""] = id.split("#");
  return fragment.includes("@") ? fragment.split("@")[0] : source.split("/").at(-1);
}

/** Builds a package. Compiler errors are shown as they are. Resolves to whether it was built. */
export function buildPackage(name, args = []) {
  const tree = machineOutput("cargo", ["tree", "--locked", "-p", name, "-e", "normal,build", "--prefix", "none"]);
  const total = countPackages(tree ?? "");
  const began = Date.now();
  const live = process.stderr.isTTY;
  const done = new Set();
  let fresh = true;
  let said = began;
  return new Promise((resolve) => {
    const child = spawn("cargo", ["build", "--locked", "-p", name, ...args, "--quiet", "--message-format", "json-render-diagnostics"], {
      cwd: ROOT,
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
    });
    child.stderr.on("data", (chunk) => process.stderr.write(live ? `\r\x1b[K${chunk}` : chunk));
    createInterface({ input: child.stdout }).on("line", (line) => {
      const message = JSON.parse(line);
      if (message.reason !== "compiler-artifact") return;
      done.add(message.package_id);
      fresh = fresh && message.fresh;
      const now = Date.now();
      if (fresh || now - said < (live ? 100 : 15_000)) return;
      said = now;
      const text = progressLine(done.size, total, packageName(message.package_id), now - began);
      process.stderr.write(live ? `\r\x1b[K${text}` : `${text}\n`);
    });
    child.once("error", () => resolve(false));
    child.once("close", (code) => {
      if (live) process.stderr.write("\r\x1b[K");
      resolve(code === 0);
    });
  });
}
