// SPDX-License-Identifier: Apache-2.0
// What stands on the stage: providers, models, chats, and answers to commands.
import { deflateSync } from "node:zlib";
import { deviceChats, deviceCommands } from "./stage-device.mjs";
import { libraryCommands } from "./stage-library.mjs";
import { trustChats, trustCommands } from "./stage-trust.mjs";
import { Refusal } from "./staged.mjs";

const NOTHING = { outside: [], private: [] };
const FACTS = { window: null, max_output: null, pictures: null, tools: null, thinks: null, price: null };
const NOW = Date.UTC(2026, 5, 3, 9, 30);

/** A small PNG: two colours, one above the other. */
function picture(width, height, [top, bottom]) {
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    let crc = ~0;
    for (const byte of body) {
      crc ^= byte;
      for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    }
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(~crc >>> 0);
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const rows = Buffer.concat(Array.from({ length: height }, (_, y) => Buffer.concat([Buffer.from([0]), Buffer.concat(Array.from({ length: width }, () => Buffer.from(y < height * 0.55 ? top : bottom)))])));
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), chunk("IHDR", head), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))]);
}

export const PICTURES = {
  p1: { name: "harbour.png", width: 320, height: 240, file: picture(320, 240, [[122, 170, 205], [44, 84, 104]]) },
  p2: { name: "menu.png", width: 180, height: 280, file: picture(180, 280, [[238, 226, 202], [176, 120, 74]]) },
};

const PRESETS = [
  ["OpenAI", "openai_responses", "https://api.openai.com/v1", "https://platform.openai.com/api-keys"],
  ["Anthropic", "anthropic", "https://api.anthropic.com", "https://console.anthropic.com/settings/keys"],
  ["Google Gemini", "gemini", "https://generativelanguage.googleapis.com/v1beta", "https://aistudio.google.com/apikey"],
  ["OpenRouter", "openai_chat", "https://openrouter.ai/api/v1", "https://openrouter.ai/keys"],
  ["DeepSeek", "openai_chat", "https://api.deepseek.com/v1", "https://platform.deepseek.com/api_keys"],
  ["Moonshot", "openai_chat", "https://api.moonshot.ai/v1", "https://platform.moonshot.ai/console/api-keys"],
  ["Ollama", "openai_chat", "http://127.0.0.1:11434/v1", ""],
  ["LM Studio", "openai_chat", "http://127.0.0.1:1234/v1", ""],
].map(([name, kind, base_url, key_url]) => ({ name, kind, base_url, key_url }));

const dollars = (input, output, cached = null, cache_write = null) => ({ input: input * 1e6, output: output * 1e6, cached: cached && cached * 1e6, cache_write: cache_write && cache_write * 1e6 });
const view = (model, title, facts, more = {}) => ({ model, title, facts: { ...FACTS, ...facts }, set: FACTS, effort: null, ...more });
const MODELS = [
  view("claude-sonnet-4-5", "Claude Sonnet 4.5", { window: 200_000, max_output: 64_000, pictures: true, tools: true, thinks: true, price: dollars(3, 15, 0.3, 3.75) }),
  view("claude-opus-4-1-20250805", "Claude Opus 4.1", { window: 200_000, max_output: 32_000, pictures: true, tools: true, thinks: true, price: dollars(15, 75, 1.5, 18.75) }),
  view("claude-haiku-4-5", "Claude Haiku 4.5", { window: 1_000_000, max_output: 64_000, pictures: false, tools: true, thinks: true, price: dollars(1, 5) }, { set: { ...FACTS, window: 1_000_000 }, effort: "low" }),
  view("claude-next-preview", null, {}),
  ...Array.from({ length: 90 }, (_, n) => view(`claude-archive-${String(n + 1).padStart(2, "0")}`, null, { window: 100_000, price: dollars(0.25, 1.25) })),
];

const ANTHROPIC = { id: "anthropic", name: "Anthropic", kind: "anthropic", base_url: "https://api.anthropic.com", has_key: true, wants_key: true };
const DEEPSEEK = { id: "deepseek", name: "DeepSeek", kind: "openai_chat", base_url: "https://api.deepseek.com/v1", has_key: false, wants_key: true };
const OLLAMA = { id: "ollama", name: "Ollama", kind: "openai_chat", base_url: "http://127.0.0.1:11434/v1", has_key: false, wants_key: false };
const DEMO = { id: "demo", name: "Demo", kind: "demo", base_url: "", has_key: false, wants_key: false };
const SONNET = { provider: "anthropic", model: "claude-sonnet-4-5" };
const HAIKU = { provider: "anthropic", model: "claude-haiku-4-5" };
const QWEN = { provider: "ollama", model: "qwen3:32b" };

export const SETTINGS = {
  onboarded: true, language: null, theme: "system", accent: "green", default_mode: "chat_plus", default_model: SONNET,
  providers: [DEMO, ANTHROPIC, DEEPSEEK, OLLAMA], budgets: {}, shell: false,
  models: [{ model: HAIKU, facts: { ...FACTS, window: 1_000_000 }, effort: "low" }],
  fallback_model: QWEN, caps: { run: 500_000, day: null },
  network: { proxy: "", proxy_user: "", proxy_password: false, roots_pem: "" },
  web: { search: "automatic", searxng: "", search_key: false, fake_ip: false },
  keys: { kind: "file", locked: false, problem: null },
};

const BUDGET = { rounds: 8, calls: 25, active_ms: 600_000 };
const RUN = { mode: "chat_plus", state: "done", started: NOW, ledger: { rounds: 1, calls: 0, active_ms: 4200, cost: 0 }, budget: BUDGET, resumed: false, unattended: false, model: SONNET, window: 200_000, compressed: false };

const WORDS = {
  en: {
    pictures: ["What is on these two pictures?", "They show a harbour by day.", "The first shows **calm water** under a clear sky; the second is a menu, photographed from above."],
    search: ["When does the museum open tomorrow?", "They want tomorrow's opening hours; I look them up.", "Tomorrow is Thursday, and the museum is open **from ten until six**."],
    retry: ["Sum this up for me, please", "Half an answer that will be"],
    fallback: ["And how do I get there?", "Take tram 28 to the last stop; from there it is five minutes on foot."],
    overloaded: "Write a poem about the sea",
    money: "Go on with the report",
    spend: "Compare the three contracts",
  },
  zh: {
    pictures: ["这两张图片上是什么？", "图上是白天的港口。", "第一张是晴空下**平静的水面**；第二张是从上方拍摄的菜单。"],
    search: ["博物馆明天几点开门？", "需要明天的开放时间，我查一下。", "明天是星期四，博物馆**十点到六点**开放。"],
    retry: ["请帮我总结一下", "写到一半的回答"],
    fallback: ["那我怎么去？", "乘坐 28 路电车到终点站，下车后步行五分钟。"],
    overloaded: "写一首关于大海的诗",
    money: "继续写报告",
    spend: "比较这三份合同",
  },
};

/** The chats on stage, as `conversation_open` answers, and what is going on in them. */
export function chats(language) {
  const words = WORDS[language];
  const views = {};
  const live = [];
  const asks = [];
  /** Chats that no list shows. */
  const hidden = new Set();
  let at = NOW;

  function chat(id, ask, answers, run, more = {}) {
    const made = { id: `${id}-r`, conversation: id, ...RUN, ...run };
    const user = { id: `${id}-u`, conversation: id, parent: null, run: made.id, role: "user", status: "complete", at, blocks: [...(more.pictures ?? []), ...(ask ? [{ type: "text", text: ask }] : [])], labels: more.labels ?? NOTHING, siblings: [`${id}-u`] };
    let parent = user.id;
    const messages = [user];
    [...answers, ...(more.then ?? [])].forEach(({ status = "complete", ...rest }, n) => {
      const message = { id: `${id}-a${n}`, conversation: id, parent, run: made.id, role: "assistant", status, at: at + n * 1000, labels: NOTHING, model: made.model.model, siblings: [`${id}-a${n}`], ...rest };
      messages.push(message);
      parent = message.id;
    });
    at -= 3_600_000;
    const open = more.asks ?? [];
    views[id] = {
      summary: { id, title: ask, mode: made.mode, model: more.model ?? null, starred: false, updated: at, preview: ask, run: made.state, asks: open.length },
      messages, runs: [made, ...(more.runs ?? []).map((run) => ({ ...made, ...run }))], asks: open,
    };
    if (more.hidden) hidden.add(id);
    if (["running", "waiting"].includes(made.state)) live.push({ run: made, streaming: messages.find(({ status }) => status === "streaming") ?? null });
    asks.push(...open);
  }
  const text = (said) => ({ type: "text", text: said });
  const reasoning = (said) => ({ type: "reasoning", text: said, ms: 3200 });
  const attached = Object.entries(PICTURES).map(([id, { name, width, height }]) => ({ type: "picture", picture: { id, name, media_type: "image/png", width, height, labels: { outside: [{ tool: "attachment", detail: name }], private: [] } } }));

  chat("search", words.search[0], [
    { blocks: [reasoning(words.search[1]), { type: "item", kind: "web_search_call", data: { id: "ws_1", type: "web_search_call", status: "completed", action: { type: "search", query: words.search[0] } } }, { type: "item", kind: "web_search_tool_result", data: { type: "web_search_tool_result", content: Array.from({ length: 120 }, (_, n) => ({ type: "web_search_result", url: `https://museum.example/${n}`, title: `Opening hours ${n}`, encrypted_content: "E".repeat(160) })) } }, { type: "item", kind: "hologram_call", data: { type: "hologram_call", note: "nobody knows it" } }], usage: { input: 31_200, cached: 28_000, cache_write: 0, output: 96, reasoning: 64, cost: 19_450 } },
    { blocks: [text(words.search[2])], usage: { input: 36_120, cached: 31_000, cache_write: 4_000, output: 512, reasoning: 128, cost: 32_340 } },
  ], { ledger: { rounds: 2, calls: 0, active_ms: 9000, cost: 51_790 } });
  chat("pictures", words.pictures[0], [{ blocks: [text(words.pictures[2])], usage: { input: 2_410, cached: 0, cache_write: 0, output: 61, reasoning: 0 } }], {}, { pictures: attached, labels: { outside: [{ tool: "attachment", detail: "harbour.png" }, { tool: "attachment", detail: "menu.png" }], private: [] } });
  chat("picture", "", [{ blocks: [text(words.pictures[1])] }], {}, { pictures: attached.slice(0, 1) });
  chat("retry", words.retry[0], [{ blocks: [text(words.retry[1])], status: "streaming" }], { state: "running", retrying: { kind: "overloaded", wait_ms: 3_600_000, attempt: 1 } });
  chat("fallback", words.fallback[0], [{ blocks: [text(words.fallback[1])], usage: { input: 172_400, cached: 0, cache_write: 0, output: 420, reasoning: 0, cost: 40 } }], { instead_of: SONNET, model: QWEN, window: 200_000, compressed: true, ledger: { rounds: 1, calls: 0, active_ms: 3000, cost: 40 } }, { model: QWEN });
  chat("overloaded", words.overloaded, [], { state: "failed", error: { kind: "overloaded", message: "The provider is overloaded. Try again in a moment.", details: "HTTP 529: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}" } });
  chat("money", words.money, [], { state: "failed", error: { kind: "money", message: "You did not let this run spend more." } });
  const question = { id: "ask-spend", conversation: "spend", run: "spend-r", call: "k", kind: { type: "spend", scope: "run", spent: 480_000, cap: 500_000, next: 60_000 }, asked: NOW, left_ms: 240_000 };
  chat("spend", words.spend, [{ blocks: [text("…")], usage: { input: 100_000, cached: 0, cache_write: 0, output: 2000, reasoning: 0, cost: 480_000 } }], { state: "waiting" }, { asks: [question] });
  trustChats(language, chat);
  deviceChats(language, chat);
  return { views, live, asks, hidden };
}

/** What the page starts with. */
export function snapshot(language, { settings = {}, only } = {}) {
  const { views, live, asks, hidden } = chats(language);
  // Questions stand in the way of everything else: only who names them has them.
  const shown = Object.keys(views).filter((id) => (only ? only.includes(id) : !hidden.has(id) && views[id].asks.length === 0));
  return {
    conversations: shown.map((id) => views[id].summary),
    live: live.filter(({ run }) => shown.includes(run.conversation)),
    asks: asks.filter((ask) => shown.includes(ask.conversation)),
    notes_waiting: 2,
    settings: { ...SETTINGS, ...settings },
    version: "0.1.0",
  };
}

const recognised = (text) => {
  const key = /sk-[\w-]{8,}|AIza[\w-]{10,}/.exec(text)?.[0];
  const url = /https?:\/\/[^\s"']+/.exec(text)?.[0];
  const made = (kind, name, base_url, sure) => ({ kind, name, base_url, has_key: key !== undefined, sure });
  if (/sk-ant-|anthropic/i.test(text)) return made("anthropic", "Anthropic", "https://api.anthropic.com", true);
  if (/AIza/.test(text)) return made("gemini", "Google Gemini", "https://generativelanguage.googleapis.com/v1beta", true);
  if (url) return made("openai_chat", new URL(url).host, url, false);
  return key ? made("openai_chat", "", "", false) : null;
};

const tested = { ok: true, models: ["claude-sonnet-4-5", "claude-haiku-4-5"], tried: "claude-haiku-4-5", ms: 640, error: null, message: null, details: null };

/** What the commands answer. */
export function commands(language, { rest = {} } = {}) {
  const { views } = chats(language);
  let count = 0;
  return {
    settings_get: (_, stage) => stage.snapshot.settings,
    settings_update: ({ model, budget, ...patch }, stage) => stage.settle(patch),
    conversation_open: ({ conversation }) => {
      if (!views[conversation]) throw new Refusal("not_found", "There is no such chat.");
      return views[conversation];
    },
    conversation_list: [],
    local_servers: [{ name: "Ollama", base_url: "http://127.0.0.1:11434/v1", models: ["qwen3:32b", "gemma3:12b"] }],
    provider_presets: PRESETS,
    provider_recognise: ({ text }) => recognised(text),
    provider_test: ({ kind, base_url, key }) => {
      const bad = (error, message, details) => ({ ...tested, ok: false, base_url, models: [], tried: null, protocol: kind, error, message, details });
      if (/wrong/.test(key ?? "")) return bad("auth", "The key was refused. Check it and try again.", "HTTP 401: {\"error\":{\"message\":\"invalid x-api-key\"}}");
      if (/nowhere/.test(base_url)) return bad("network", "Nothing answers at this address.", null);
      return { ...tested, base_url, protocol: /messages\.example/.test(base_url) ? "anthropic" : kind };
    },
    provider_save: ({ key, id, model, ...draft }, stage) => {
      const saved = { ...draft, id: id ?? `new-${++count}`, has_key: key !== undefined, wants_key: true };
      stage.settle({ providers: [...stage.snapshot.settings.providers.filter((other) => other.id !== saved.id), saved] });
      return saved;
    },
    provider_remove: ({ provider }, stage) => stage.settle({ providers: stage.snapshot.settings.providers.filter(({ id }) => id !== provider) }),
    model_list: ({ provider }) => (provider === "ollama" ? [view("qwen3:32b", null, { window: 40_960 }), view("gemma3:12b", null, { window: 131_072, pictures: true })] : MODELS),
    network_update: ({ proxy_password, ...network }, stage) => {
      if (/refused/.test(network.proxy)) throw new Refusal("bad_request", "The proxy's address can't be used.");
      return stage.settle({ network: { ...network, proxy_password: proxy_password !== undefined } });
    },
    keys_unlock: ({ passphrase }, stage) => {
      if (passphrase !== "open sesame") throw new Refusal("keys", "This is not the passphrase of the keys.");
      return stage.settle({ keys: { ...stage.snapshot.settings.keys, locked: false } });
    },
    keys_protect: ({ passphrase }, stage) => stage.settle({ keys: { kind: passphrase === "" ? "file" : "passphrase", locked: false, problem: null } }),
    picture_get: ({ picture }) => {
      const found = PICTURES[picture];
      if (!found) throw new Refusal("not_found", "There is no such picture.");
      return { media_type: "image/png", data: found.file.toString("base64") };
    },
    ask_answer: {},
    stop: {},
    ...libraryCommands(language, views),
    ...trustCommands(views),
    ...deviceCommands(),
    ...rest,
  };
}
