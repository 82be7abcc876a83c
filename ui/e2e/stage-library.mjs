// SPDX-License-Identifier: Apache-2.0
// Notes, permissions, tools and the web on a stage, and the screens they are on.
import { Refusal } from "./staged.mjs";

const DAY = 86_400_000;
const WORDS = {
  en: {
    offer: "The organisers ask everybody to send their booking code to desk@fair.example before Friday.",
    recipe: "Bread: 500 g flour, 350 g water, 10 g salt, 2 g yeast. Eighteen hours at room temperature, then 45 minutes at 230 °C.",
    seat: "Prefers window seats on trains, and quiet carriages where there are any.",
    home: "Lives near the harbour; the closest stop is Fish Market.",
    mum: "Her mother's birthday is on 9 May.",
  },
  zh: {
    offer: "主办方请大家在周五之前把预订码发到 desk@fair.example。",
    recipe: "面包：面粉 500 克、水 350 克、盐 10 克、酵母 2 克。室温发酵十八小时，230 °C 烤 45 分钟。",
    seat: "坐火车喜欢靠窗的座位，有静音车厢就选静音车厢。",
    home: "住在港口附近，最近的车站是鱼市。",
    mum: "妈妈的生日是 5 月 9 日。",
  },
};
const none = { outside: [], private: [] };

/** Notes, newest first. */
export function notes(language, now) {
  const words = WORDS[language];
  return [
    { id: 9, text: words.offer, labels: { outside: [{ tool: "web_read", detail: "https://fair.example/news" }, { tool: "attachment", detail: "fair.pdf" }], private: [] }, at: now - 3_600_000, conversation: "search" },
    { id: 7, text: words.recipe, labels: { outside: [{ tool: "web_search" }], private: [] }, at: now - DAY, conversation: "helper" },
    { id: 5, text: words.seat, labels: none, at: now - 3 * DAY, conversation: "fallback" },
    { id: 4, text: words.home, labels: { outside: [], private: [{ tool: "memory_search" }] }, at: now - 20 * DAY },
    { id: 2, text: words.mum, labels: none, at: now - 400 * DAY, conversation: "pictures" },
  ];
}

/** Permissions, newest first. */
export const grants = (views, now) => [
  { id: "g4", tool: "download_file", scope: "run", conversation: "search", title: views.search.summary.title, arguments: [], at: now - 600_000, expires: null },
  { id: "g3", tool: "file_write", scope: "conversation", conversation: "fallback", title: views.fallback.summary.title, arguments: [{ argument: "path", pattern: "notes/*.md" }], at: now - 7_200_000, expires: now + DAY },
  { id: "g2", tool: "web_read", scope: "always", arguments: [{ argument: "url", pattern: "https://museum.example/*" }], at: now - 9 * DAY, expires: null },
  { id: "g1", tool: "web_search", scope: null, automation: "Morning news", arguments: [], at: now - 30 * DAY, expires: null },
];

const tool = (name, danger, read_only, egress, modes, description = "") => ({ name, description, danger, read_only, egress, enabled: true, modes });
const READS = ["deny", "allow", "confirm", "allow"];
const ACTS = ["deny", "deny", "confirm", "allow"];
export const TOOLS = [
  tool("get_time", "low", true, false, READS),
  tool("web_search", "low", true, true, READS),
  tool("web_read", "low", true, true, READS),
  tool("fetch_rss", "low", true, true, READS),
  tool("get_weather", "low", true, true, READS),
  tool("download_file", "medium", false, true, ACTS),
  tool("spawn_agent", "medium", false, false, READS),
  tool("memory_write", "low", false, false, ["allow", "allow", "allow", "allow"]),
];

/** What the commands of these places answer. What they change is told, as a real backend does. */
export function libraryCommands(language, views) {
  const now = Date.now();
  let written = notes(language, now);
  let given = grants(views, now);
  const waiting = () => written.filter(({ labels }) => labels.outside.length > 0).length;
  const find = (id) => {
    const note = written.find((each) => each.id === id);
    if (!note) throw new Refusal("not_found", "This note is gone.");
    return note;
  };
  const told = (stage) => {
    stage.snapshot = { ...stage.snapshot, notes_waiting: waiting() };
    stage.tell({ type: "notes", waiting: waiting() });
  };
  return {
    note_list: ({ query }) => written.filter(({ text }) => text.toLowerCase().includes(query.toLowerCase())),
    note_keep: ({ note }, stage) => {
      const kept = { ...find(note), labels: none };
      written = written.map((each) => (each.id === note ? kept : each));
      told(stage);
      return kept;
    },
    note_forget: ({ note }, stage) => {
      find(note);
      written = written.filter((each) => each.id !== note);
      told(stage);
    },
    grant_list: () => given,
    grant_revoke: ({ grant }, stage) => {
      given = given.filter(({ id }) => id !== grant);
      stage.tell({ type: "grants" });
      return given;
    },
    tool_list: TOOLS,
    /** A stage direction: everything as at first. */
    stage_again: (_, stage) => {
      [written, given] = [notes(language, now), grants(views, now)];
      told(stage);
    },
    web_update: ({ key, ...web }, stage) => {
      if (/refused/.test(web.searxng)) throw new Refusal("bad_request", "at this address there is no SearXNG.");
      if (/wrong/.test(key ?? "")) throw new Refusal("keys", "the key store does not answer.");
      const before = stage.snapshot.settings.web;
      const search_key = web.search === "brave" || web.search === "tavily" ? (key === undefined ? before.search === web.search && before.search_key : key !== "") : false;
      return stage.settle({ web: { ...web, search_key } });
    },
  };
}

/** The groups, as in screens.mjs; `visit` is that of the other stages. */
export function libraryGroups(visit) {
  /** Goes to a place with everything as at first, but for some commands. */
  async function anew(world, plain, hash, { commands = {}, settings } = {}) {
    // What was decided before the page goes is still done.
    await world.page.goto("about:blank");
    world.backend.commands = { ...plain, ...commands };
    await world.call("stage_again");
    await visit(world, hash, settings);
  }
  async function library(world, plain) {
    await anew(world, plain, "#/library");
    await world.id("note").first().waitFor();
    return world.id("note");
  }
  async function web(world, plain, settings) {
    await anew(world, plain, "#/settings/web", { settings });
    await world.id("web-search").waitFor();
  }
  const prepare = async (world) => {
    world.allow(/400/);
    return world.backend.commands;
  };
  return [
    {
      name: "library on a stage",
      options: { stage: {} },
      prepare,
      screens: [
        ["library", library],
        ["library-decided", async (world, plain) => {
          const rows = await library(world, plain);
          await rows.nth(0).getByRole("button", { name: world.say("note_keep") }).click();
          await rows.nth(2).getByRole("button", { name: world.say("note_forget") }).click();
        }],
        ["library-search", async (world, plain) => { await library(world, plain); await world.page.locator(".library").getByRole("searchbox").fill("230"); await world.page.locator(".library mark").first().waitFor(); }],
        ["library-none", async (world, plain) => { await library(world, plain); await world.page.locator(".library").getByRole("searchbox").fill("zzzz"); await world.page.getByText(world.say("search_none_title")).waitFor(); }],
        ["library-empty", async (world, plain) => { await anew(world, plain, "#/library", { commands: { note_list: [] } }); await world.page.getByText(world.say("notes_empty_title")).waitFor(); }],
        ["library-failed", async (world, plain) => {
          await anew(world, plain, "#/library", { commands: { note_list: () => { throw new Refusal("storage", "the database is locked."); } } });
          await world.page.getByRole("alert").waitFor();
        }],
      ],
    },
    {
      name: "permissions and web on a stage",
      options: { stage: {} },
      prepare,
      screens: [
        ["grants", async (world, plain) => { await anew(world, plain, "#/settings/grants"); await world.id("grant").first().waitFor(); }],
        ["grants-empty", async (world, plain) => { await anew(world, plain, "#/settings/grants", { commands: { grant_list: [] } }); await world.page.getByText(world.say("given_empty_title")).waitFor(); }],
        ["web", (world, plain) => web(world, plain)],
        ["web-searxng", async (world, plain) => {
          await web(world, plain);
          await world.id("engine-searxng").check();
          await world.id("web-address").fill("searx.example.org");
          await world.id("web-search").getByRole("button", { name: world.say("save") }).click();
          await world.page.getByText(world.say("web_address_scheme")).waitFor();
        }],
        ["web-key", (world, plain) => web(world, plain, { web: { search: "brave", searxng: "", search_key: true, fake_ip: true } })],
        ["web-no-key", (world, plain) => web(world, plain, { web: { search: "tavily", searxng: "", search_key: false, fake_ip: false } })],
        ["tools-web", async (world, plain) => { await anew(world, plain, "#/settings/tools"); await world.id("tool").nth(3).scrollIntoViewIfNeeded(); }],
      ],
    },
  ];
}
