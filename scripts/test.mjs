// SPDX-License-Identifier: Apache-2.0
// npm test: runs everything, or the parts that are named.
//   node scripts/test.mjs [scripts|ui|rust|e2e|app|android]…
// Each part goes on whatever became of the one before; the exit code is 1 when anything failed.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { built } from "./lib/cargo.mjs";
import { countTests, table } from "./lib/count.mjs";
import { capture, duration, npm, ROOT } from "./lib/process.mjs";
import { advice, debianPackages, machine, missing, systemOf } from "./lib/requirements.mjs";
import { buildUi, installUi } from "./lib/ui.mjs";

const testFiles = readdirSync(join(ROOT, "scripts")).filter((name) => name.endsWith(".test.mjs"));

const ui = (...script) => {
  const [program, args, options] = npm(["--prefix", "ui", "run", "--silent", ...script]);
  return () => capture(program, args, { env: ENV, ...options });
};
const cargo = (...args) => () => capture("cargo", args, { env: ENV });
const done = async (promise) => ({ code: (await promise) ? 0 : 1, text: "" });

// One form for every build, so that the dependencies are compiled with one set of features, once.
const WORKSPACE = ["--locked", "--workspace"];
const programs = { name: "programs", run: cargo("build", ...WORKSPACE, "--all-targets") };
const dist = { name: "build of the UI", run: () => done(installUi().then((there) => there && buildUi())) };

const PARTS = {
  scripts: {
    needs: ["node", "rust"],
    steps: [
      {
        name: "scripts",
        counts: "node",
        run: () => capture(process.execPath, ["--test", ...testFiles.map((name) => join("scripts", name))], { env: ENV }),
      },
    ],
  },
  ui: {
    needs: ["node"],
    steps: [
      { name: "packages", run: () => done(installUi()) },
      { name: "svelte-check", run: ui("check") },
      { name: "vitest", counts: "vitest", run: ui("test") },
      // Fails, too, when the first script is too large.
      dist,
    ],
  },
  rust: {
    needs: ["rust", "rust-parts", "cc", "webview", "keyring"],
    steps: [
      { name: "fmt", run: cargo("fmt", "--all", "--check") },
      { name: "clippy", run: cargo("clippy", ...WORKSPACE, "--all-targets", "--", "-D", "warnings") },
      { name: "cargo test", counts: "cargo", run: cargo("test", ...WORKSPACE, "--no-fail-fast") },
    ],
  },
  e2e: {
    needs: ["node", "rust", "cc", "webview", "chromium"],
    steps: [dist, programs, { name: "browser", counts: "plain", run: ui("e2e") }],
  },
  app: {
    needs: ["node", "rust", "cc", "webview", "xvfb", "webdriver"],
    // It is driven through WebKitGTK's own driver; the web views of other systems have none.
    only: "linux",
    steps: [
      dist,
      programs,
      { name: "window", counts: "plain", run: () => capture(process.execPath, [join("scripts", "app-test.mjs")], { env: ENV }) },
    ],
  },
  android: {
    needs: ["node", "rust", "cc", "jdk", "maven", "aapt2", "python"],
    // Elsewhere the tools lie in other places; the workflow builds the app where the SDK is.
    only: "linux",
    steps: [
      { name: "Kotlin", counts: "plain", run: () => capture(process.execPath, [join("scripts", "android-test.mjs")], { env: ENV }) },
      { name: "Rust for Android", run: () => capture(process.execPath, [join("scripts", "android-check.mjs")], { env: ENV }) },
    ],
  },
};

const ENV = {
  ...process.env,
  // The key store of whoever runs the tests is left alone.
  BAILEY_KEY_STORE: "file",
  BAILEY_PROGRAM: built("bailey"),
  BAILEY_APP_PROGRAM: built("bailey-app"),
  BAILEY_SCRIPTED_MODEL: built("scripted-model"),
  ...(process.env.CI ? { CARGO_INCREMENTAL: process.env.CARGO_INCREMENTAL ?? "0" } : {}),
};

/** Installs what a part needs where that can be done. Resolves to what is missing still. */
async function provide(needs) {
  const lacks = missing(needs);
  const packages = debianPackages(lacks.map(({ what }) => what));
  if (packages.length === 0) return lacks;
  if (systemOf(machine.platform, machine.osRelease()) !== "debian" || process.getuid() !== 0) return lacks;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  await capture("apt-get", ["update", "-q"], { env, quiet: true });
  await capture("apt-get", ["install", "-q", "-y", "--no-install-recommends", ...packages], { env });
  return missing(needs);
}

async function runPart(name) {
  const { needs, steps, only } = PARTS[name];
  const began = Date.now();
  const total = { name, passed: 0, failed: 0, broken: [] };
  const finish = () => ({ ...total, ms: Date.now() - began });
  if (only && only !== process.platform) {
    console.error(`\nThe part "${name}" runs on Linux only.`);
    return { ...finish(), failed: 1, broken: ["not on this system"] };
  }
  const lacks = await provide(needs);
  if (lacks.length > 0) {
    console.error(`\n${advice(lacks)}\n`);
    return { ...finish(), failed: 1, broken: lacks.map(({ says }) => says) };
  }
  for (const step of steps) {
    console.log(`\n── ${name}: ${step.name}`);
    const { code, text } = await step.run();
    const { passed, failed } = countTests(step.counts, text, code);
    total.passed += passed;
    total.failed += failed;
    if (failed > 0) total.broken.push(step.name);
  }
  return finish();
}

const asked = process.argv.slice(2);
const unknown = asked.find((name) => !(name in PARTS));
if (unknown) {
  console.error(`There is no part "${unknown}". Parts: ${Object.keys(PARTS).join(", ")}.`);
  process.exit(2);
}
const names = asked.length > 0 ? asked : Object.keys(PARTS).filter((name) => !PARTS[name].only || PARTS[name].only === process.platform);

const leftOut = asked.length > 0 ? [] : Object.keys(PARTS).filter((name) => !names.includes(name));
const results = [];
for (const name of names) results.push(await runPart(name));

const rows = results.map(({ name, passed, failed, broken, ms }) => [
  name,
  failed === 0 ? "passed" : "FAILED",
  duration(ms),
  `${passed} passed, ${failed} failed`,
  broken.join(", "),
]);
for (const name of leftOut) rows.push([name, "NOT RUN", "", "", `it runs on ${PARTS[name].only} only`]);
const whole = results.reduce((sum, { passed, failed, ms }) => ({ passed: sum.passed + passed, failed: sum.failed + failed, ms: sum.ms + ms }), {
  passed: 0,
  failed: 0,
  ms: 0,
});
console.log(`\n${table([["part", "result", "time", "tests", ""], ...rows, ["all", whole.failed === 0 ? "passed" : "FAILED", duration(whole.ms), "", ""]])}\n`);
console.log(`${whole.passed} passed, ${whole.failed} failed`);
process.exitCode = whole.failed === 0 ? 0 : 1;
