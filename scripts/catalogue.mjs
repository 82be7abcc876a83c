// SPDX-License-Identifier: Apache-2.0
// Makes the catalogue of model facts anew from the file of prices and windows that the Python package litellm (MIT) ships:
//   pip download --no-deps litellm && unzip -o litellm-*.whl 'litellm/model_prices_and_context_window*'
//   node scripts/catalogue.mjs litellm/model_prices_and_context_window_backup.json 1.110.2 [2026-11-30]
// Only facts are taken: what each seller's API calls a model, its limits, its abilities and its price there.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { argv, exit } from "node:process";
import { ROOT } from "./lib/process.mjs";

const TARGET = "src-tauri/crates/providers/src/catalogue/models.json";

// The source's name of a provider, and ours.
const SELLERS = {
  anthropic: "anthropic",
  bigmodel: "bigmodel",
  cerebras: "cerebras",
  cohere_chat: "cohere",
  dashscope: "alibaba",
  deepinfra: "deepinfra",
  deepseek: "deepseek",
  gemini: "google",
  groq: "groq",
  meta: "meta",
  minimax: "minimax",
  mistral: "mistral",
  moonshot: "moonshot",
  openai: "openai",
  volcengine: "volcengine",
  xai: "xai",
  xiaomi_mimo: "xiaomi",
  zai: "zai",
};
// They list other makers' models, too, so that an ability they do not mention is not known to be missing.
const RESELLERS = ["cerebras", "deepinfra", "groq", "volcengine"];
// Where the maker's own pages say otherwise.
const CORRECTED = {
  "minimax MiniMax-M2.1": { window: 204_800 },
  "minimax MiniMax-M2.1-lightning": { window: 204_800 },
  "minimax MiniMax-M2.5": { window: 204_800 },
  "minimax MiniMax-M2.5-lightning": { window: 204_800 },
};
// Not for chats: sound, music, search in a person's files, filters, a customer's own fine-tuned models.
const OTHER_PURPOSE = /^ft:|(^|[-/])(audio|container|guard|lyria|realtime|robotics|safeguard|safety|sam|tts)([-.]|$)/i;
// A price that rises with the length of a request is taken as it is up to here; one that rises sooner is left out.
const FIRST_STEP = 100_000;

/** Micro-dollars a million tokens. */
const price = (perToken) => (perToken > 0 ? Math.round(perToken * 1e12) : undefined);

function priceOf(entry) {
  const input = price(entry.input_cost_per_token);
  const output = price(entry.output_cost_per_token);
  const tiers = entry.tiered_pricing ?? [];
  if (tiers.length > 0) {
    if (tiers[0].range[1] < FIRST_STEP || tiers.some((tier) => tier.output_cost_per_reasoning_token)) return undefined;
    return priceOf({ ...tiers[0] });
  }
  const steps = Object.keys(entry).flatMap((key) => key.match(/^input_cost_per_token_above_(\d+)k_tokens$/)?.[1] ?? []);
  if (steps.some((step) => step * 1000 < FIRST_STEP)) return undefined;
  // Some charge thinking at another price than the answer, which one number can't say.
  const reasoning = price(entry.output_cost_per_reasoning_token);
  // Nothing to pay means in this source, too, that nobody knows.
  if (!input || !output || (reasoning && reasoning !== output)) return undefined;
  const unlessSame = (other) => (other === input ? undefined : other);
  return {
    input,
    output,
    cached: unlessSame(price(entry.cache_read_input_token_cost)),
    cache_write: unlessSame(price(entry.cache_creation_input_token_cost)),
  };
}

/** A line of the catalogue from one entry of the source; `undefined` when it is none for it. */
export function line(key, entry) {
  const host = SELLERS[entry.litellm_provider];
  if (!host || !["chat", "responses"].includes(entry.mode)) return undefined;
  const prefix = `${entry.litellm_provider}/`;
  const id = key.startsWith(prefix) ? key.slice(prefix.length) : key;
  if (OTHER_PURPOSE.test(id)) return undefined;
  const texts = entry.supported_output_modalities;
  if (texts && !texts.includes("text")) return undefined;

  const window = entry.max_input_tokens > 0 ? entry.max_input_tokens : undefined;
  const most = entry.max_output_tokens;
  // An entry that speaks of tools speaks of everything it can.
  const whole = !RESELLERS.includes(host) && entry.supports_function_calling !== undefined && window !== undefined;
  const ability = (said) => said ?? (whole ? false : undefined);
  const modalities = entry.supported_modalities;
  const facts = {
    window,
    // As large as the window, it is no limit of its own.
    max_output: most > 0 && !(most >= window) ? most : undefined,
    pictures: ability(entry.supports_vision ?? entry.supports_image_input ?? (modalities && modalities.includes("image"))),
    tools: entry.supports_function_calling,
    thinks: ability(entry.supports_reasoning),
    price: priceOf(entry),
  };
  if (Object.values(facts).every((fact) => fact === undefined)) return undefined;
  return { host, id, ...facts, ...CORRECTED[`${host} ${id}`] };
}

/** The id without a date or `-latest` at its end: the catalogue's reader looks for that, too. */
export const undated = (id) => id.replace(/-20\d\d(-?)(0[1-9]|1[0-2])\1(0[1-9]|[12]\d|3[01])$|-latest$/, "");

/** The whole catalogue as text. */
export function catalogue(source, version, date) {
  const models = new Map();
  for (const [key, entry] of Object.entries(source)) {
    const model = line(key, entry);
    // Listed with and without the provider's name before it: the fuller one counts.
    const at = model && `${model.host} ${model.id.toLowerCase()}`;
    if (model && !(JSON.stringify(models.get(at) ?? "").length > JSON.stringify(model).length)) models.set(at, model);
  }
  const facts = (model) => JSON.stringify({ ...model, id: "" });
  const needed = [...models.values()].filter((model) => {
    const base = models.get(`${model.host} ${undated(model.id).toLowerCase()}`);
    return base === model || !base || facts(base) !== facts(model);
  });
  const order = (model) => `${model.host} ${model.id}`;
  needed.sort((a, b) => (order(a) < order(b) ? -1 : 1));
  const head = {
    date,
    source: `litellm ${version} (MIT), model_prices_and_context_window`,
    units: "window, max_output: tokens; price: micro-dollars per million tokens",
  };
  const lines = needed.map((model) => JSON.stringify(model));
  return `${JSON.stringify(head).slice(0, -1)},"models":[\n${lines.join(",\n")}\n]}\n`;
}

if (argv[1] === import.meta.filename) {
  const [path, version, date = new Date().toISOString().slice(0, 10)] = argv.slice(2);
  if (!path || !version) {
    console.error("node scripts/catalogue.mjs FILE VERSION [YYYY-MM-DD]");
    exit(2);
  }
  const text = catalogue(JSON.parse(readFileSync(path, "utf8")), version, date);
  writeFileSync(join(ROOT, TARGET), text);
  console.log(`${TARGET}: ${text.split("\n").length - 3} models, ${text.length} bytes`);
}
