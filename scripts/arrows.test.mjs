// SPDX-License-Identifier: Apache-2.0
// Dependencies point one way. Whoever adds a crate adds it here, and thinks about where it stands.
import assert from "node:assert/strict";
import { test } from "node:test";
import { machineOutput } from "./lib/process.mjs";

// From the ground up. A crate's arrows lead to crates that stand above it in this list, and only to those named.
const PORTS = ["protocol", "policy", "ports"];
const ADAPTERS = ["net", "providers", "tools", "store", "host"];
const BELOW_AGENT = [...PORTS, "engine", "reader", "screen", ...ADAPTERS];
/** The channels of an Android device, each a Tauri plugin of its own. */
const CHANNELS = ["accessibility", "device", "lifecycle"].map((channel) => `tauri-plugin-bailey-${channel}`);
const MAY_KNOW = {
  protocol: [],
  policy: ["protocol"],
  risk: ["protocol"],
  ports: ["protocol", "policy"],
  engine: ["protocol", "policy", "risk"],
  net: PORTS,
  reader: [],
  screen: ["protocol", "ports"],
  // Whoever opens a connection takes its client from net.
  providers: [...PORTS, "net"],
  tools: [...PORTS, "reader", "screen"],
  store: PORTS,
  host: PORTS,
  testkit: BELOW_AGENT,
  agent: [...PORTS, "engine", "net", "providers", "tools", "store"],
  api: [...PORTS, "agent"],
  // The shells compose what they like.
  server: [...BELOW_AGENT, "agent", "api"],
  bridge: ["ports"],
  ...Object.fromEntries(CHANNELS.map((channel) => [channel, ["bridge", "ports"]])),
  app: [...BELOW_AGENT, "agent", "api", "bridge", ...CHANNELS],
  // A scoring program of the repository, which nobody is shipped.
  evals: [...BELOW_AGENT, "agent", "testkit"],
};
const ORDER = Object.keys(MAY_KNOW);
const SHELL_ONLY = /^(tauri|tauri-.*|tao|wry|jni|jni-.*)$/;
const mayNameTauri = (path) => path.endsWith("/src-tauri/Cargo.toml") || path.includes("/android-plugins/");

/** What is wrong with these packages, one sentence each. */
export function wrongArrows(packages) {
  const wrong = [];
  const short = (name) => name.replace(/^bailey-/, "");
  const ours = new Set(packages.map(({ name }) => name));
  for (const { name, manifest_path: path, dependencies } of packages) {
    const from = short(name);
    if (!(from in MAY_KNOW)) {
      wrong.push(`${name} is not in the table of scripts/arrows.test.mjs`);
      continue;
    }
    for (const { name: to, kind } of dependencies) {
      if (SHELL_ONLY.test(to) && !mayNameTauri(path.replaceAll("\\", "/"))) wrong.push(`${name} names ${to}`);
      if (!ours.has(to)) continue;
      const below = short(to);
      if (kind === "dev") {
        if (below !== "testkit" && ORDER.indexOf(below) >= ORDER.indexOf(from)) wrong.push(`${name} tests with ${to}, which stands above it`);
      } else if (below === "testkit" && from !== "evals") wrong.push(`${name} ships ${to}, which is for tests`);
      else if (!MAY_KNOW[from].includes(below)) wrong.push(`${name} knows ${to}`);
    }
  }
  for (const name of ORDER) if (!packages.some((pack) => short(pack.name) === name)) wrong.push(`the table names ${name}, which is gone`);
  return wrong;
}

test("every arrow between crates is an allowed one", () => {
  const printed = machineOutput("cargo", ["metadata", "--format-version", "1", "--no-deps"]);
  assert.ok(printed, "cargo metadata answers");
  const { packages } = JSON.parse(printed);
  assert.deepEqual(wrongArrows(packages), []);
});

test("the table itself holds no circle", () => {
  for (const [name, below] of Object.entries(MAY_KNOW))
    for (const other of below) assert.ok(ORDER.indexOf(other) < ORDER.indexOf(name), `${name} -> ${other}`);
});

test("wrong arrows are found", () => {
  const pack = (name, ...dependencies) => ({
    name: name.startsWith("tauri-") ? name : `bailey-${name}`,
    manifest_path: name === "app" ? "/x/src-tauri/Cargo.toml" : `/x/src-tauri/crates/${name}/Cargo.toml`,
    dependencies: dependencies.map((to) => (typeof to === "string" ? { name: to, kind: null } : to)),
  });
  const all = (...changed) => ORDER.map((name) => changed.find((c) => c.name === pack(name).name) ?? pack(name));
  assert.deepEqual(wrongArrows(all()), []);
  assert.deepEqual(wrongArrows(all(pack("app", "tauri", "bailey-api"))), []);
  assert.deepEqual(wrongArrows(all(pack("store", { name: "bailey-testkit", kind: "dev" }))), []);
  assert.deepEqual(wrongArrows(all(pack("policy", "bailey-ports"))), ["bailey-policy knows bailey-ports"]);
  assert.deepEqual(wrongArrows(all(pack("tools", "bailey-store"))), ["bailey-tools knows bailey-store"]);
  assert.deepEqual(wrongArrows(all(pack("server", "tauri-build", "jni"))), ["bailey-server names tauri-build", "bailey-server names jni"]);
  assert.deepEqual(wrongArrows(all(pack("agent", "bailey-testkit"))), ["bailey-agent ships bailey-testkit, which is for tests"]);
  assert.deepEqual(wrongArrows(all(pack("net", { name: "bailey-agent", kind: "dev" }))), ["bailey-net tests with bailey-agent, which stands above it"]);
  assert.deepEqual(wrongArrows([...all(), pack("manager")]), ["bailey-manager is not in the table of scripts/arrows.test.mjs"]);
  assert.deepEqual(wrongArrows(all().slice(1)), ["the table names protocol, which is gone"]);
});
