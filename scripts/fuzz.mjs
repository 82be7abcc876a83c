// SPDX-License-Identifier: Apache-2.0
// npm run fuzz: feeds what reads untrusted bytes with bytes that nobody thought of.
//   npm run fuzz [-- TARGET… SECONDS] [--keep]
// TARGET is a file of a crate's fuzz/fuzz_targets, all by default; each runs for SECONDS, 600 by default. It begins with
// samples, what earlier runs left in the crate's tests/fuzz_corpus, and for the decoders of model streams the recordings in
// ../shared/data/streams where they are there. What it finds goes into fuzz/artifacts and is shown at the end; put such a
// file into tests/fuzz_corpus/TARGET when it is mended. --keep begins with our own files only, and puts a choice of the
// inputs that reached something new into tests/fuzz_corpus/TARGET.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { machineOutput, ROOT, run } from "./lib/process.mjs";

const CRATES = join(ROOT, "src-tauri", "crates");
/** The crate of each target. */
const TARGETS = new Map(
  readdirSync(CRATES)
    .sort()
    .map((name) => join(CRATES, name))
    .flatMap((crate) => {
      const folder = join(crate, "fuzz", "fuzz_targets");
      return existsSync(folder) ? readdirSync(folder).map((file) => [basename(file, ".rs"), crate]) : [];
    }),
);
/** What a target keeps in the repository, in bytes. */
const KEPT = 56_000;
const MOST_KEPT = 250;
/** The longest input, and the longest that is kept: what is wrong with a decoder shows in short ones. */
const LONGEST = 20_000;
const LONGEST_KEPT = 3_000;

const { values, positionals } = parseArgs({ allowPositionals: true, options: { keep: { type: "boolean", default: false } } });
const seconds = positionals.find((word) => /^\d+$/.test(word)) ?? "600";
const named = positionals.filter((word) => !/^\d+$/.test(word));
const unknown = named.find((name) => !TARGETS.has(name));
if (unknown) {
  console.error(`There is no target "${unknown}". Targets: ${[...TARGETS.keys()].join(", ")}.`);
  process.exit(2);
}

if (!machineOutput("cargo", ["fuzz", "--version"])) {
  console.error("cargo-fuzz is missing. Install it with: cargo install cargo-fuzz --locked");
  process.exit(1);
}
// The address sanitizer comes with nightly only. Without it panics and endless loops are found all the same.
const nightly = machineOutput("rustup", ["toolchain", "list"])?.includes("nightly");
const toolchain = nightly ? ["+nightly"] : [];
// It also makes a thread cost milliseconds, and a command is rated in one of its own, without unsafe code.
const sanitizer = (target) => (nightly && target !== "shell" ? [] : ["--sanitizer", "none"]);
const env = { ...process.env, ...(nightly ? {} : { RUSTC_BOOTSTRAP: "1" }) };
const cargoFuzz = (fuzz, target, folders, ...args) =>
  run("cargo", [...toolchain, "fuzz", "run", "--fuzz-dir", fuzz, ...sanitizer(target), target, ...folders, "--", ...args], { cwd: fuzz, env });

const broken = [];
for (const target of named.length > 0 ? named : TARGETS.keys()) {
  console.error(`\n── ${target}, ${seconds} s`);
  const crate = TARGETS.get(target);
  const fuzz = join(crate, "fuzz");
  const artifacts = join(fuzz, "artifacts", target);
  const before = new Set(existsSync(artifacts) ? readdirSync(artifacts) : []);
  // What is written into the first folder is what was found to be new.
  const corpus = values.keep ? mkdtempSync(join(tmpdir(), "fuzz-")) : join(fuzz, "corpus", target);
  const own = join(crate, "tests", "fuzz_corpus", target);
  for (const folder of [corpus, own]) mkdirSync(folder, { recursive: true });
  const begin = join(fuzz, "seeds", target);
  rmSync(begin, { recursive: true, force: true });
  mkdirSync(begin, { recursive: true });
  if (basename(crate) === "providers") streams(target, crate, begin);
  if (target === "shell") commands(crate, begin);
  if (target === "url") addresses(crate, begin);
  const folders = [corpus, own, begin];
  const longest = values.keep ? LONGEST_KEPT : LONGEST;
  const limits = [`-max_total_time=${seconds}`, `-max_len=${longest}`, "-timeout=10", "-rss_limit_mb=4096", "-print_final_stats=1"];
  const code = await cargoFuzz(fuzz, target, folders, ...limits);
  const found = existsSync(artifacts) ? readdirSync(artifacts).filter((name) => !before.has(name)) : [];
  if (code !== 0 || found.length > 0) broken.push({ target, code, found: found.map((name) => join(artifacts, name)) });
  else if (values.keep) keep(corpus, own);
  if (values.keep) rmSync(corpus, { recursive: true });
}
for (const { target, code, found } of broken) console.error(`\n${target} ended with ${code}.${found.map((path) => `\n  ${path}`).join("")}`);
if (broken.length === 0) console.error("\nNothing was found.");
process.exitCode = broken.length === 0 ? 0 : 1;

/** Puts the commands of the tests into a folder. */
function commands(crate, folder) {
  const written = readFileSync(join(crate, "tests", "cases.rs"), "utf8").match(/^ {4}("(?:[^"\\]|\\.)*"),$/gm) ?? [];
  const escapes = { n: "\n", r: "\r", t: "\t", 0: "\0" };
  const plain = (_, escape, number) => (number ? String.fromCodePoint(parseInt(number, 16)) : (escapes[escape] ?? escape));
  const text = (line) => line.trim().slice(1, -2).replace(/\\(u\{(\w+)\}|.)/g, plain);
  written.forEach((line, at) => writeFileSync(join(folder, `case-${at}`), text(line)));
}

/** Puts the addresses of the tests into a folder, redirects behind the byte 0xff. */
function addresses(crate, folder) {
  const places = [join(crate, "tests", "samples", "ssrf.json"), ...(values.keep ? [] : [join(ROOT, "..", "shared", "data", "ssrf.json")])];
  const cases = places.filter((place) => existsSync(place)).flatMap((place) => JSON.parse(readFileSync(place, "utf8")).cases);
  cases.forEach(({ url, redirects }, at) => {
    const to = redirects?.[url];
    writeFileSync(join(folder, `case-${at}`), Buffer.concat([Buffer.from(url), ...(to ? [Buffer.of(0xff), Buffer.from(to)] : [])]));
  });
}

/** Puts the streams to begin with into a folder. */
function streams(target, crate, folder) {
  const of = { chat: /chat$/, responses: /responses$/, anthropic: /^anthropic/, gemini: /^(gemini|google)/, sse: /./ }[target];
  const foreign = /^(anthropic|google|gemini)/;
  for (const place of [join(crate, "tests", "samples"), ...(values.keep ? [] : [join(ROOT, "..", "shared", "data", "streams")])]) {
    if (!existsSync(place)) continue;
    for (const name of readdirSync(place)) {
      if (!of.test(name) || (target === "chat" && foreign.test(name)) || !statSync(join(place, name)).isDirectory()) continue;
      for (const file of readdirSync(join(place, name))) {
        const lines = readFileSync(join(place, name, file), "utf8").split("\n").filter((line) => line.trim() !== "");
        let room = LONGEST - 5;
        const events = lines
          .map((line) => {
            const type = /^\{"type":"([^"]*)"/.exec(line)?.[1];
            return `${type ? `event: ${type}\n` : ""}data: ${line}\n\n`;
          })
          // Long ones without their middle, so that their end is there.
          .filter((event, at) => (at < 20 || at > lines.length - 20) && (room -= Buffer.byteLength(event)) >= 0);
        // Two cuts, a third and two thirds into it.
        const text = Buffer.from(events.join(""));
        const head = Buffer.alloc(5);
        head[0] = 2;
        head.writeUInt16LE(Math.floor(text.length / 3) % 65536, 1);
        head.writeUInt16LE(Math.floor((2 * text.length) / 3) % 65536, 3);
        writeFileSync(join(folder, file), Buffer.concat([head, text]));
      }
    }
  }
  if (target !== "sse") for (let at = 0; at < 8; at += 1) writeFileSync(join(folder, `turns-${at}`), Buffer.from(turns(at)));
}

/** A few bytes that are turns of a request. */
function turns(seed) {
  return [128, ...Array.from({ length: 24 }, (_, at) => (seed * 37 + at * 11 + (at % 2) * 97) % 256)];
}

/** Puts the smallest of the new inputs into the repository, as far as there is room. */
function keep(corpus, own) {
  const inputs = readdirSync(corpus).map((name) => readFileSync(join(corpus, name))).filter((bytes) => bytes.length > 0 && bytes.length <= LONGEST_KEPT);
  let room = KEPT - readdirSync(own).reduce((sum, name) => sum + statSync(join(own, name)).size, 0);
  inputs.sort((a, b) => a.length - b.length);
  // Small ones and large ones alike: every n-th that fits.
  const total = inputs.reduce((sum, bytes) => sum + bytes.length, 0);
  const step = Math.max(1, Math.ceil(total / Math.max(room, 1)), Math.ceil(inputs.length / MOST_KEPT));
  let count = 0;
  for (const bytes of inputs.filter((_, at) => at % step === 0)) {
    room -= bytes.length;
    if (room < 0) break;
    writeFileSync(join(own, createHash("sha1").update(bytes).digest("hex").slice(0, 16)), bytes);
    count += 1;
  }
  console.error(`${count} of ${inputs.length} inputs kept in ${own}`);
}
