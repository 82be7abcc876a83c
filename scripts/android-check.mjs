// SPDX-License-Identifier: Apache-2.0
// The whole app's Rust, checked for a phone (aarch64-linux-android) without an NDK.
// C code is compiled by zig for the check alone: what comes of it is linked into nothing.
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { capture, machineOutput, ROOT } from "./lib/process.mjs";

const TARGET = "aarch64-linux-android";
const ZIG = "0.17.1";
const tools = join(ROOT, "target", "android", "tools");
const python = join(tools, "venv", "bin", "python");

const must = async (what, program, args, options) => {
  const { code, text } = await capture(program, args, { quiet: true, ...options });
  if (code !== 0) {
    console.error(`${what} failed:\n${text}`);
    process.exit(1);
  }
  return text;
};

if (!machineOutput("rustup", ["target", "list", "--installed"])?.includes(TARGET)) await must("rustup target add", "rustup", ["target", "add", TARGET]);
mkdirSync(tools, { recursive: true });
if (!existsSync(python)) await must("python3 -m venv", "python3", ["-m", "venv", join(tools, "venv")]);
if (!machineOutput(python, ["-m", "ziglang", "version"])?.startsWith(ZIG)) await must("pip install ziglang", python, ["-m", "pip", "install", "-q", `ziglang==${ZIG}`]);

/** A compiler that cargo's build scripts can call. zig knows the target by another name than they pass. */
const script = (name, body) => {
  const path = join(tools, name);
  writeFileSync(path, `#!/usr/bin/env bash\n${body}\n`);
  chmodSync(path, 0o755);
  return path;
};
const cc = script("cc", `args=(); for a in "$@"; do case "$a" in --target=*) ;; *) args+=("$a");; esac; done\nexec "${python}" -m ziglang cc -target aarch64-linux-musl "\${args[@]}"`);
const ar = script("ar", `exec "${python}" -m ziglang ar "$@"`);

const env = { ...process.env, [`CC_${TARGET.replaceAll("-", "_")}`]: cc, [`AR_${TARGET.replaceAll("-", "_")}`]: ar };
const text = await must("cargo check", "cargo", ["check", "--locked", "-p", "bailey-app", "--lib", "--target", TARGET], { env, quiet: false });
const warnings = text.split("\n").filter((line) => /^warning(:|\[)/.test(line));
if (warnings.length > 0) {
  console.error(`\nChecked with warnings:\n${warnings.join("\n")}`);
  process.exit(1);
}
console.log("\nThe app checks for Android without a warning.");
