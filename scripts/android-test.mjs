// SPDX-License-Identifier: Apache-2.0
// The Kotlin of the plugins: compiled against the real Android classes, linted, held to Android 8, and tested under Robolectric.
//   node scripts/android-test.mjs [plugin]…     only the tests of these plugins
// Needs a JDK, Maven and aapt2; no Android SDK. What it makes is in target/android.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { faults, merged } from "./lib/android.mjs";
import { capture, machineOutput, ROOT } from "./lib/process.mjs";

const PLUGINS = join(ROOT, "android-plugins");
const TESTBED = join(PLUGINS, "testbed");
const OUT = join(ROOT, "target", "android");
let failed = 0;

/** Says how a check went, as `passed` and `failed` are counted. */
function told(what, wrong) {
  console.log(`${wrong.length === 0 ? "✔" : "✖"} ${what}`);
  for (const line of wrong) console.log(`  ${line}`);
  failed += wrong.length === 0 ? 0 : 1;
}

const files = (folder, ending) =>
  existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String).filter((name) => name.endsWith(ending)) : [];

const all = readdirSync(PLUGINS)
  .map((name) => ({ name, android: join(PLUGINS, name, "android") }))
  .filter(({ android }) => existsSync(join(android, "src", "main", "AndroidManifest.xml")))
  .map(({ name, android }) => {
    const [main, test] = ["main", "test"].map((set) => join(android, "src", set, "java"));
    return { name, android, main, test, res: join(android, "src", "main", "res"), manifest: join(android, "src", "main", "AndroidManifest.xml") };
  });
if (all.length === 0) throw new Error("there are no plugins in android-plugins");

const run = async (program, args, options = {}) => {
  const { code, text } = await capture(program, args, { cwd: OUT, quiet: true, ...options });
  return { code, text };
};

/** The Kotlin that Tauri brings, of the version that is locked. */
function tauriKotlin() {
  const metadata = machineOutput("cargo", ["metadata", "--format-version", "1", "--locked"]);
  const tauri = metadata && JSON.parse(metadata).packages.find(({ name }) => name === "tauri");
  if (!tauri) throw new Error("cargo metadata names no tauri");
  return join(dirname(tauri.manifest_path), "mobile", "android", "src", "main", "java");
}

/** The resources of all plugins in one package, and the classes R that name them. */
async function resources(androidJar) {
  const made = join(OUT, "resources");
  rmSync(made, { recursive: true, force: true });
  for (const folder of ["java", "assets", "config/com/android/tools"]) mkdirSync(join(made, folder), { recursive: true });
  const manifest = join(made, "AndroidManifest.xml");
  // Debian's aapt2 is older than <queries> and <property>, which no test depends on.
  writeFileSync(manifest, merged(all.map((plugin) => readFileSync(plugin.manifest, "utf8"))).replace(/<queries>[\s\S]*?<\/queries>|<property\b[^>]*\/>/g, ""));
  const compiled = [];
  for (const { name, res } of all.filter(({ res }) => existsSync(res))) {
    const zip = join(made, `${name}.zip`);
    const { code, text } = await run("aapt2", ["compile", "--dir", res, "-o", zip]);
    if (code !== 0) throw new Error(`aapt2: ${text}`);
    compiled.push(zip);
  }
  const packages = all.map(({ name }) => `org.bailey.${name}`).join(":");
  const apk = join(made, "resources.apk");
  const link = ["link", "-I", androidJar, "--manifest", manifest, "--java", join(made, "java"), "--extra-packages", packages, "-o", apk];
  const { code, text } = await run("aapt2", [...link, ...compiled]);
  if (code !== 0) throw new Error(`aapt2: ${text}`);
  const config = { android_merged_manifest: manifest, android_resource_apk: apk, android_merged_assets: join(made, "assets"), android_custom_package: "org.bailey.testbed" };
  const lines = Object.entries(config).map(([key, value]) => `${key}=${value}\n`);
  writeFileSync(join(made, "config/com/android/tools/test_config.properties"), lines.join(""));
  return { java: join(made, "java"), config: join(made, "config") };
}

const dirs = (paths) => paths.filter((path) => existsSync(path)).map((path) => `<dir>${path}</dir>`).join("");

/** The Maven project, filled in. */
function project(fill) {
  for (const name of ["pom.xml", "tauri/pom.xml", "plugins/pom.xml", "ktlint/pom.xml", "shizuku/pom.xml"].filter((name) => existsSync(join(TESTBED, name)))) {
    const text = readFileSync(join(TESTBED, name), "utf8").replace(/@([A-Z]+)@/g, (all, key) => fill[key] ?? all);
    mkdirSync(dirname(join(OUT, name)), { recursive: true });
    writeFileSync(join(OUT, name), text);
  }
}

const maven = (...args) => run("mvn", ["-B", "-q", "--no-transfer-progress", ...args]);

/** android.jar and what else must be there before the project can be filled in. */
async function androidJar() {
  const version = /<android.version>([^<]+)</.exec(readFileSync(join(TESTBED, "pom.xml"), "utf8"))[1];
  const path = join(homedir(), ".m2", "repository", "org", "robolectric", "android-all", version, `android-all-${version}.jar`);
  if (!existsSync(path)) {
    const { code, text } = await maven("dependency:get", `-Dartifact=org.robolectric:android-all:${version}`);
    if (code !== 0) throw new Error(text);
  }
  return path;
}

/** Tests that passed and failed, with what the failed ones said, from surefire's reports. */
function reports() {
  const folder = join(OUT, "plugins", "target", "surefire-reports");
  const total = { passed: 0, wrong: [], of: new Set() };
  for (const name of files(folder, ".xml")) {
    for (const [, head, body] of readFileSync(join(folder, name), "utf8").matchAll(/<testcase\b([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g)) {
      const attribute = (key) => new RegExp(`\\b${key}="([^"]*)"`).exec(head)?.[1];
      total.of.add(attribute("classname")?.split(".")[2]);
      if (/<(failure|error|skipped)\b/.test(body ?? "")) {
        const why = /<(?:failure|error)\b[^>]*>([\s\S]{0,1500})/.exec(body)?.[1] ?? "it was skipped";
        total.wrong.push(`${attribute("classname")}.${attribute("name")}\n    ${why.replace(/\n/g, "\n    ")}`);
      } else total.passed += 1;
    }
  }
  return total;
}

const asked = process.argv.slice(2);
const unknown = asked.find((name) => all.every((plugin) => plugin.name !== name));
if (unknown) throw new Error(`there is no plugin ${unknown} with Kotlin; there are ${all.map(({ name }) => name).join(", ")}`);

rmSync(join(OUT, "plugins", "target", "surefire-reports"), { recursive: true, force: true });
rmSync(join(OUT, "plugins", "target", "classes"), { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });

told(
  "every plugin with Kotlin has tests",
  all.filter(({ test }) => files(test, "Test.kt").length === 0).map(({ name }) => `${name} has none`),
);
told(
  "every plugin has Kotlin",
  all.filter(({ main }) => files(main, ".kt").length === 0).map(({ name }) => `${name} has a manifest and no Kotlin`),
);

const made = await resources(await androidJar());
project({
  TAURI: tauriKotlin(),
  TESTBED,
  RESOURCES: made.java,
  CONFIG: made.config,
  CONTRACT: join(PLUGINS, "contract.json"),
  MAIN: dirs(all.map(({ main }) => main)),
  TEST: dirs(all.map(({ test }) => test)),
  OUT,
});
// The other modules have no tests to find.
const only = asked.length > 0 ? [`-Dtest=${asked.map((name) => `org/bailey/${name}/**`).join(",")}`, "-DfailIfNoTests=false", "-Dsurefire.failIfNoSpecifiedTests=false"] : [];
const build = await maven("test", ...only);
const ran = reports();
const lines = build.text.split("\n").filter((line) => /^\[(ERROR|WARNING)\]|^e: |^w: |Undefined reference/.test(line));
// Maven fails for a failed test, too; then the tests say more.
const broken = build.code === 0 ? [] : [`mvn ended with ${build.code}`, ...(ran.wrong.length > 0 ? [] : lines.slice(0, 60)), ...(lines.length === 0 ? [build.text.slice(-2000)] : [])];
told("Tauri's Kotlin and the plugins compile without a warning, use nothing newer than Android 8 unguarded, and their tests run", broken);
told("the tests of the plugins", ran.wrong);
told(
  "the tests of every plugin ran",
  all.filter(({ name }) => asked.length === 0 || asked.includes(name)).filter(({ name }) => !ran.of.has(name)).map(({ name }) => `none of ${name}`),
);

const classes = join(OUT, "plugins", "target", "classes");
const isThere = (name) => existsSync(join(classes, `${name.replaceAll(".", "/")}.class`)) || name.startsWith("rikka.");
for (const { name, manifest } of all) told(`the manifest of ${name}`, faults(readFileSync(manifest, "utf8"), isThere));
told(
  "something was compiled of every plugin",
  all.filter(({ name }) => files(join(classes, "org", "bailey", name), ".class").length === 0).map(({ name }) => `nothing of ${name}`),
);

const classpath = join(OUT, "ktlint", "classpath");
const sources = all.flatMap(({ name }) => [`${name}/android/**/src/**/*.kt`, `${name}/android/*.kts`, `!${name}/android/.tauri/**`]);
const lint = existsSync(classpath)
  ? await run("java", ["-cp", readFileSync(classpath, "utf8").trim(), "com.pinterest.ktlint.Main", ...sources], { cwd: PLUGINS })
  : { code: 1, text: "ktlint is not there" };
told("the Kotlin is laid out as ktlint wants it", lint.code === 0 ? [] : lint.text.split("\n").filter(Boolean).slice(0, 60));

const checks = 7 + all.length;
console.log(`\n${ran.passed + checks - failed} passed, ${failed > 0 ? Math.max(failed, ran.wrong.length) : 0} failed`);
process.exitCode = failed === 0 ? 0 : 1;
