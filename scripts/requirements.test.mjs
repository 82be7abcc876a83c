// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { advice, debianPackages, installLine, isAtLeast, missing, systemOf, version } from "./lib/requirements.mjs";

test("versions are read and compared as numbers", () => {
  assert.deepEqual(version("rustc 1.95.0 (59807616e 2026-04-14)"), [1, 95, 0]);
  assert.deepEqual(version("v20.19"), [20, 19, 0]);
  assert.equal(version("none"), null);
  const table = [
    ["20.19.0", "20.19", true],
    ["20.18.9", "20.19", false],
    ["20.9.0", "20.19", false],
    ["22.0.0", "20.19", true],
    ["18.20.8", "20.19", false],
    ["rustc 1.90.0", "1.90", true],
    ["rustc 1.89.2", "1.90", false],
    ["rustc 2.0.0", "1.90", true],
    ["", "1.0", false],
  ];
  for (const [have, want, is] of table) assert.equal(isAtLeast(have, want), is, `${have} >= ${want}`);
});

test("systems are told apart", () => {
  const table = [
    ["darwin", "", "macos"],
    ["win32", "", "windows"],
    ["linux", 'PRETTY_NAME="Debian GNU/Linux 12"\nID=debian\n', "debian"],
    ["linux", "ID=ubuntu\nID_LIKE=debian\n", "debian"],
    ["linux", 'ID=linuxmint\nID_LIKE="ubuntu debian"\n', "debian"],
    ["linux", "ID=fedora\n", "fedora"],
    ["linux", 'ID="rocky"\nID_LIKE="rhel centos fedora"\n', "fedora"],
    ["linux", "ID=arch\n", "arch"],
    ["linux", "ID=manjaro\nID_LIKE=arch\n", "arch"],
    ["linux", "VERSION_ID=debian\nID=nixos\n", "other"],
    ["freebsd", "", "other"],
  ];
  for (const [platform, osRelease, is] of table) assert.equal(systemOf(platform, osRelease), is, osRelease || platform);
});

/** A machine that has everything, but for what is given. */
const on = (changes) => ({
  platform: "linux",
  node: "22.1.0",
  output: (program) => (program === "rustc" ? "rustc 1.95.0" : "yes"),
  which: (...programs) => `/usr/bin/${programs[0]}`,
  osRelease: () => "ID=debian\n",
  ...changes,
});

const ALL = ["node", "rust", "rust-parts", "cc", "webview", "keyring", "chromium", "xvfb", "webdriver", "jdk", "maven", "aapt2", "python"];

test("a machine that has everything lacks nothing", () => {
  assert.deepEqual(missing(ALL, on({})), []);
});

test("what is missing is named with the line that installs it", () => {
  const bare = on({ node: "18.1.0", output: () => null, which: () => null });
  const lacks = missing(ALL, bare);
  assert.deepEqual(lacks.map(({ what }) => what), ALL);
  assert.ok(lacks.every(({ line }) => line.length > 0));
  const text = advice(missing(["node", "cc"], bare));
  assert.match(text, /Node 20\.19 or newer \(this is 18\.1\.0\)/);
  assert.match(text, /sudo apt-get install build-essential/);
});

test("an old Rust is told to update, not to install", () => {
  const [lack] = missing(["rust"], on({ output: () => "rustc 1.74.1 (a28077b28 2023-12-04)" }));
  assert.equal(lack.line, "rustup update stable");
  assert.match(lack.says, /this is 1\.74\.1/);
});

test("every system gets its own lines", () => {
  for (const [system, line] of [["debian", /apt-get/], ["fedora", /dnf/], ["arch", /pacman/], ["macos", /xcode-select/], ["windows", /winget/], ["other", /gcc/]])
    assert.match(installLine("cc", system), line, system);
});

test("on Windows a compiler is looked for where the toolchain wants it", () => {
  const windows = (host, studio) =>
    on({ platform: "win32", which: (...programs) => (programs[0] === "gcc" ? "C:\\gcc.exe" : null), output: (program) => (program === "rustc" ? `rustc 1.95.0\nhost: ${host}` : studio) });
  assert.deepEqual(missing(["cc"], windows("x86_64-pc-windows-gnu", null)), []);
  assert.deepEqual(missing(["cc"], windows("x86_64-pc-windows-msvc", "C:\\VS\r\n")), []);
  assert.match(missing(["cc"], windows("x86_64-pc-windows-msvc", ""))[0].line, /BuildTools/);
});

test("Debian's packages are named once each", () => {
  assert.deepEqual(debianPackages(["xvfb", "webdriver", "node"]), ["xvfb", "webkit2gtk-driver"]);
});
