// SPDX-License-Identifier: Apache-2.0
// Every screen and sheet, with something real in it: for the tests of accessibility and layout, and for pictures.
// A group prepares a world; its screens are opened in turn, each from anywhere, at any size.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { STAGE_GROUPS } from "./stage-screens.mjs";
import { until } from "./world.mjs";

const call = (name, args) => ({ name, arguments: args });
const calls = (...list) => ({ calls: list });

/** Sends a message past the page and waits until its run is over or asks. */
async function talk(world, text, options = {}) {
  const sent = await world.call("send", { text, ...options });
  await settled(world, sent.conversation);
  return sent.conversation;
}

async function settled(world, id) {
  await until("the run is over or asks", async () => (await world.call("conversation_open", { conversation: id })).runs.every(({ state }) => state !== "running"));
}

/** Goes to a place by way of another, so that what was open there is closed. */
async function visit(world, hash) {
  await world.page.keyboard.press("Escape");
  await world.go("#/settings/about");
  await world.page.getByText(world.say("about_server_title")).waitFor();
  await world.go(hash);
}

async function chat(world, id) {
  await visit(world, `#/chat/${id}`);
  await world.id("message-assistant").last().waitFor();
}

const narrow = (world) => world.page.viewportSize().width < 900;

/** Opens the list of chats and gives its rows. */
async function list(world) {
  await visit(world, narrow(world) ? "#/" : "#/chat/new");
  const rows = world.id("chat-list-item");
  await rows.first().waitFor();
  const search = world.page.getByRole("searchbox");
  if ((await search.inputValue()) !== "") await search.fill("");
  return rows;
}

/** Brings a chat back that an earlier look may have deleted. */
const undelete = (world, id) => world.call("conversation_restore", { conversation: id }).catch(() => undefined);

/** Makes chats with a bit of everything. Their ids by name. */
async function fill(world, story) {
  const { model } = world;
  const plan = (...states) => call("plan_update", { steps: story.steps.map((title, n) => ({ title, status: states[n] })) });
  const ids = {};
  await model.when(story.old.ask, story.old.answer);
  ids.old = await talk(world, story.old.ask, { mode: "chat" });
  await model.when(story.markdown.ask, { reasoning: story.markdown.thought, text: story.markdown.answer });
  ids.markdown = await talk(world, story.markdown.ask);
  await world.call("conversation_update", { conversation: ids.markdown, starred: true });
  await model.when(story.offer.ask, calls(call("file_write", story.offer.file), call("compute", { expression: "1/0" })), story.offer.answer);
  ids.offer = await talk(world, story.offer.ask);
  await model.when(story.shell.ask, calls(call("run_shell", { command: "df -h ~" })), story.shell.answer);
  ids.shell = await talk(world, story.shell.ask, { mode: "max" });
  await model.when(story.error.ask, { status: 401, body: { error: { message: "Incorrect API key provided.", code: "invalid_api_key" } } });
  ids.error = await talk(world, story.error.ask);
  await model.when(
    story.tools.ask,
    { text: story.tools.first, ...calls(plan("active", "pending", "pending", "pending"), call("get_time", { timezone: story.tools.place })) },
    calls(plan("done", "active", "pending", "pending"), call("compute", { expression: story.tools.sum })),
    calls(plan("done", "done", "active", "pending"), call("memory_write", { text: story.tools.note })),
    { text: story.tools.last, ...calls(plan("done", "done", "done", "done")) },
    story.tools.end,
  );
  ids.tools = await talk(world, story.tools.ask, { mode: "max" });
  return ids;
}

/** Makes a chat that asks after it has read text from outside. Its id. */
export async function askOutside(world, story) {
  const { ask, steps, first, command, second, sum, file, end } = story.confirm;
  const plan = (...states) => call("plan_update", { steps: steps.map((title, n) => ({ title, status: states[n] })) });
  await world.model.when(
    ask,
    { text: first, ...calls(plan("active", "pending", "pending"), call("run_shell", { command })) },
    { text: second, ...calls(plan("done", "active", "pending"), call("compute", { expression: sum })) },
    calls(plan("done", "done", "active"), call("file_write", file)),
    end,
  );
  return talk(world, ask, { mode: "max" });
}

/** The groups. `open` takes the world and what `prepare` gave. */
export const GROUPS = [
  {
    name: "first start",
    options: { fresh: true },
    prepare: async () => undefined,
    screens: [
      ["first-start", async (world) => { await world.page.reload(); await world.id("use-demo").waitFor(); await world.page.getByText(world.say("local_none")).or(world.id("local-server")).first().waitFor(); }],
      [
        "first-start-key",
        async (world) => {
          const { page, model } = world;
          await page.reload();
          await world.button("provider_add").click();
          const form = world.id("provider-form");
          await world.id("provider-paste").fill(model.base);
          await world.button("test").click();
          await form.locator(".answer.good").waitFor();
        },
      ],
      [
        "first-start-refused",
        async (world) => {
          const { page, say } = world;
          await page.reload();
          await world.button("provider_add").click();
          const form = world.id("provider-form");
          await world.byHand();
          await form.getByLabel(say("base_url"), { exact: true }).fill("http://127.0.0.1:9/v1");
          await world.button("test").click();
          await form.locator(".answer.bad").waitFor();
        },
      ],
      ["first-start-mode", async (world) => { await world.page.reload(); await world.button("start_skip").click(); await world.id("default-mode-chat_plus").waitFor(); }],
      ["first-start-done", async (world) => { await world.page.reload(); await world.id("use-demo").click(); await world.button("next").click(); await world.id("start-go").waitFor(); }],
    ],
  },
  {
    name: "nothing yet",
    options: { model: null },
    prepare: async () => undefined,
    screens: [
      ["chats-empty", async (world) => { await visit(world, "#/"); await world.page.getByText(world.say("chats_empty_title")).waitFor(); }],
      ["no-model", async (world) => { await visit(world, "#/chat/new"); await world.page.getByText(world.say("no_model_title")).waitFor(); }],
    ],
  },
  {
    name: "chats",
    options: {},
    prepare: fill,
    screens: [
      ["chats", async (world, ids) => { await undelete(world, ids.old); await list(world); }],
      ["chats-search", async (world, ids, story) => { await list(world); await world.page.getByRole("searchbox").fill(story.search); await world.id("chat-list-item").locator("mark").first().waitFor(); }],
      ["chats-none", async (world) => { await list(world); await world.page.getByRole("searchbox").fill("zzzz"); await world.page.getByText(world.say("search_none_title")).waitFor(); }],
      ["chats-menu", async (world) => { const rows = await list(world); await rows.first().getByRole("button").click(); await world.page.getByRole("menu").waitFor(); }],
      ["new-chat", async (world) => { await visit(world, "#/chat/new"); await world.page.getByText(world.say("new_chat_title")).waitFor(); }],
      ["modes", async (world) => { await visit(world, "#/chat/new"); await world.id("mode-picker").click(); await world.id("mode-max").waitFor(); }],
      ["model-picker", async (world) => { await visit(world, "#/chat/new"); await world.id("model-picker").click(); await world.page.getByRole("dialog").getByRole("button", { name: "scripted" }).waitFor(); }],
      [
        "chat-markdown",
        async (world, ids) => {
          await chat(world, ids.markdown);
          await world.id("thinking").getByRole("button").click();
          await world.answer.locator("pre span[style]").first().waitFor();
        },
      ],
      ["chat-tools", async (world, ids) => { await chat(world, ids.tools); await world.id("plan-card").waitFor(); await world.answer.locator("strong").waitFor(); }],
      [
        "chat-tools-open",
        async (world, ids) => {
          await chat(world, ids.tools);
          await world.card("get_time").getByRole("button").first().click();
          await world.button("show_raw").first().click();
        },
      ],
      ["chat-edit", async (world, ids) => { await chat(world, ids.old); await world.id("message-user").hover(); await world.button("edit_message").click(); await world.page.getByText(world.say("editing")).waitFor(); }],
      ["chat-rename", async (world, ids) => { await chat(world, ids.old); await world.page.locator("main header h1").getByRole("button").click(); await world.page.getByLabel(world.say("chat_title_label")).waitFor(); }],
      ["chat-error", async (world, ids) => { await chat(world, ids.error); await world.id("run-error").locator("summary").click(); }],
      ["chat-offer-mode", async (world, ids) => { await chat(world, ids.offer); await world.id("mode-offer").waitFor(); }],
      ["chat-offer-shell", async (world, ids) => { await chat(world, ids.shell); await world.id("shell-offer").waitFor(); }],
      ["chats-toast", async (world, ids, story) => {
        await undelete(world, ids.old);
        const row = (await list(world)).filter({ hasText: story.old.ask });
        await row.getByRole("button").click();
        await world.page.getByRole("menuitem", { name: world.say("delete"), exact: true }).click();
        await world.button("undo").first().waitFor();
      }],
      ["chat-missing", async (world) => { world.allow(/404/); await visit(world, "#/chat/0000"); await world.page.getByText(world.say("not_found_title")).waitFor(); }],
    ],
  },
  {
    name: "writing",
    options: {},
    prepare: async (world, story) => {
      await world.model.when(story.old.ask, { text: ["…", ...story.markdown.answer.split(/(?<=\s)/)], delay_ms: 60_000 });
      await world.model.when(story.markdown.ask, { reasoning: ["Hm. ", "So."], text: ["later"], delay_ms: 1000, hang: true });
      return { waiting: (await world.call("send", { text: story.old.ask })).conversation };
    },
    screens: [["chat-working", async (world, ids) => { await chat(world, ids.waiting); await world.id("working").waitFor(); }]],
  },
  {
    name: "questions",
    options: { settings: { shell: true } },
    prepare: async (world, story) => {
      const { model } = world;
      await model.when(story.plain.ask, { text: story.plain.say, ...calls(call("file_write", story.plain.file)) }, story.plain.end);
      const steps = story.question.steps.map((title, n) => ({ title, status: ["done", "active", "pending"][n] }));
      await model.when(story.question.ask, { text: story.question.say, ...calls(call("plan_update", { steps }), call("ask_user", story.question.args)) }, story.question.end);
      return {
        question: await talk(world, story.question.ask),
        plain: await talk(world, story.plain.ask, { mode: "act" }),
        outside: await askOutside(world, story),
      };
    },
    screens: [
      ["ask-bar", async (world) => { await visit(world, "#/settings/appearance"); await world.id("ask-bar").waitFor(); }],
      ["chats-asking", (world) => list(world)],
      ["confirm-plain", async (world, ids) => { await visit(world, `#/chat/${ids.plain}`); await world.sheetReady(); }],
      ["confirm-outside", async (world, ids) => { await visit(world, `#/chat/${ids.outside}`); await world.sheetReady(); }],
      ["confirm-raw", async (world, ids) => { await visit(world, `#/chat/${ids.outside}`); await world.sheetReady(); await world.sheet.getByRole("button", { name: world.say("show_raw") }).click(); }],
      ["question", async (world, ids) => { await visit(world, `#/chat/${ids.question}`); await world.id("question-sheet").waitFor(); }],
    ],
  },
  {
    name: "after a crash",
    options: { settings: { shell: true, default_mode: "max" } },
    prepare: async (world, story) => {
      const mark = join(world.backend.data, "mark");
      await world.model.when(story.crash.ask, { text: story.crash.say, ...calls(call("run_shell", { command: `${story.crash.command} > '${mark}'; sleep 30` })) }, story.crash.end);
      const { conversation } = await world.call("send", { text: story.crash.ask });
      await until("the command has begun", () => existsSync(mark));
      await world.kill();
      await world.backend.start();
      await settled(world, conversation);
      return { recovery: conversation };
    },
    screens: [["recovery", async (world, ids) => { await visit(world, `#/chat/${ids.recovery}`); await world.id("recovery-sheet").waitFor(); }]],
  },
  {
    name: "settings",
    options: { settings: { shell: true } },
    prepare: async (world) => {
      await world.call("provider_save", { name: "OpenAI", kind: "openai_chat", base_url: "https://api.openai.com/v1" });
    },
    screens: [
      ["settings", async (world) => { await world.go("#/settings"); await world.id("settings-about").waitFor(); }],
      ["settings-models", async (world) => { await visit(world, "#/settings/models"); await world.id("provider").first().waitFor(); }],
      ["settings-models-add", async (world) => { await visit(world, "#/settings/models"); await world.button("provider_add").click(); await world.id("provider-form").scrollIntoViewIfNeeded(); }],
      [
        "settings-models-remove",
        async (world) => {
          const { page, say } = world;
          await visit(world, "#/settings/models");
          const provider = world.id("provider").filter({ hasText: "Scripted" });
          const menu = provider.getByRole("button", { name: say("provider_menu", { name: "Scripted" }) });
          await menu.click();
          await page.getByRole("menuitem", { name: say("test"), exact: true }).click();
          await provider.locator(".answer.good").waitFor();
          await menu.click();
          await page.getByRole("menuitem", { name: say("remove") }).click();
          await page.getByText(say("provider_remove_q", { name: "Scripted" })).waitFor();
        },
      ],
      ["settings-tools", async (world) => { await visit(world, "#/settings/tools"); await world.id("tool").first().waitFor(); }],
      [
        "settings-budgets",
        async (world) => {
          await visit(world, "#/settings/tools");
          await world.id("tool").first().waitFor();
          await world.page.locator("li[data-mode=act] > button").click();
          await world.page.getByLabel(world.say("budget_rounds")).fill("0");
          await world.button("save").click();
          await world.page.getByRole("alert").scrollIntoViewIfNeeded();
        },
      ],
      ["settings-appearance", async (world) => { await visit(world, "#/settings/appearance"); await world.page.getByRole("radio").first().waitFor(); }],
      ["settings-about", async (world) => { await visit(world, "#/settings/about"); }],
    ],
  },
  {
    name: "away",
    options: {},
    prepare: async (world, story) => {
      await world.model.when(story.old.ask, story.old.answer);
      const id = await talk(world, story.old.ask);
      return { id };
    },
    // Settings can't be changed while nobody answers: each look begins with a start.
    restart: true,
    screens: [
      [
        "connection-lost",
        async (world, ids) => {
          await world.backend.start();
          await world.page.reload();
          await world.id("composer").or(world.id("chat-list-item")).first().waitFor();
          await chat(world, ids.id);
          await world.kill();
          await world.id("connection-lost").waitFor();
        },
      ],
    ],
  },
  ...STAGE_GROUPS,
];
