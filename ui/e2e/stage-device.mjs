// SPDX-License-Identifier: Apache-2.0
// What stands on the stage of the phone: questions about touching a screen, cards of the device's tools, and a device with its channels.
import { Refusal } from "./staged.mjs";

const NOW = Date.UTC(2026, 5, 3, 9, 30);
const NOTHING = { outside: [], private: [] };
const CHAT = "org.example.messenger";
const SHOP = "org.example.shop";

const WORDS = {
  en: {
    open: "Look up when Ana wants to meet",
    send: "Tell Ana that I'll be there at eight",
    three: "Order the tickets Ana wrote about",
    cards: "Find out why the phone is so slow",
    chat: "Messenger", shop: "Ticket shop",
    row: "Ana Kovač: See you on Thursday? Yesterday, 2 unread messages",
    pay: "Buy now for 48.00 €", field: "Search in this chat", next: "Show older messages", lie: "\u202eCancel\u202c (sаfe)",
    message: "I'll be there at eight.",
    found: "Free storage: 1.2 GB of 128 GB. That is what makes it slow.",
    app: "Messenger",
    notice: "Ana: are you coming?",
  },
  zh: {
    open: "看看安娜想什么时候见面",
    send: "告诉安娜我八点到",
    three: "订好安娜说的票",
    cards: "查一下手机为什么这么慢",
    chat: "聊聊", shop: "票务商店",
    row: "安娜：周四见？昨天，2 条未读消息",
    pay: "立即购买 48.00 €", field: "在此对话中搜索", next: "显示更早的消息", lie: "\u202e取消\u202c（sаfe）",
    message: "我八点到。",
    found: "可用存储：128 GB 中的 1.2 GB。这就是变慢的原因。",
    app: "聊聊",
    notice: "安娜：你来吗？",
  },
};

/** Adds its chats; `chat` is the maker of stage-world.mjs. */
export function deviceChats(language, chat) {
  const words = WORDS[language];
  const screen = { tool: "ui_control", detail: CHAT };
  const text = (said) => ({ type: "text", text: said });
  const call = (id, tool, args, state, parts = [], more = {}) => ({ type: "call", call: { id, provider_id: id, tool, arguments: args, state, parts, ms: 640, ...more } });
  const target = (app, role, label, name, more = {}) => ({ app, app_name: app === SHOP ? words.shop : words.chat, role, label, class: name, bounds: [0, 0, 100, 40], fingerprint: label, ...more });
  const drive = (app) => ({ type: "drive_app", app, name: app === SHOP ? words.shop : words.chat });
  const touches = (name) => ({ type: "touches", class: name });
  const ask = (conversation, id, args, target, reasons) => ({
    id, conversation, run: `${conversation}-r`, call: `${id}-k`, asked: NOW, left_ms: 240_000,
    kind: { type: "confirm", tool: "ui_control", danger: "high", leaves: true, grantable: false, arguments: args, target, reasons },
  });
  const waiting = { mode: "act", state: "waiting" };
  const one = (id, said, args, target, reasons) => chat(id, said, [{ blocks: [call(`${id}-a-k`, "ui_control", args, "waiting")] }], waiting, { asks: [ask(id, `${id}-a`, args, target, reasons)] });

  one("touch-open", words.open, { action: "tap", handle: "n12" }, target(CHAT, "item", words.row, "navigate"), [{ type: "mode", mode: "act" }, drive(CHAT)]);
  one("touch-send", words.send, { action: "tap", handle: "n41" }, target(CHAT, "button", words.lie, "send"), [touches("send"), { type: "outside_high", sources: [screen] }]);
  const args = [{ action: "scroll_to", handle: "n3" }, { action: "type", handle: "n9", text: words.message }, { action: "tap", handle: "n55" }];
  chat("touch-three", words.three, [{ blocks: [text("…"), ...args.map((args, n) => call(`three-${n}-k`, "ui_control", args, "waiting"))], labels: { outside: [screen], private: [screen] } }], { ...waiting, mode: "max" }, {
    asks: [
      ask("touch-three", "three-0", args[0], target(CHAT, "area", words.next, "scroll"), [drive(CHAT)]),
      ask("touch-three", "three-1", args[1], target(CHAT, "field", words.field, "field"), [drive(CHAT)]),
      ask("touch-three", "three-2", args[2], target(SHOP, "button", words.pay, "pay"), [drive(SHOP), touches("pay")]),
    ],
  });
  const plain = (said) => [{ text: said, labels: NOTHING }];
  const from = (tool, detail) => ({ outside: [{ tool, detail }], private: [{ tool, detail }] });
  chat("device-cards", words.cards, [
    { blocks: [call("c1", "device_info", {}, "done", plain(words.found)), call("c2", "read_notifications", { limit: 5 }, "done", [{ text: words.notice, labels: from("read_notifications", CHAT) }]), call("c3", "manage_app", { package: CHAT, action: "stop" }, "rejected")] },
    { blocks: [call("c4", "ui_control", { action: "tap", handle: "n12" }, "denied", plain("…"), { denial: { code: "no_target", message: "the handle n12 is no longer on the screen" } }), text(words.found)], labels: from("read_notifications", CHAT) },
  ], { mode: "max" });
}

const OFF = { granted: false, bound: false, answering: false };
const ON = { granted: true, bound: true, answering: true };
const PERMISSIONS = ["accessibility", "calendar", "contacts", "location", "notification_access", "notifications", "usage", "write_settings"];

/** A phone on which nothing is granted yet, and what its commands answer. `change` is the person in the system's settings. */
export function phone() {
  const channels = { accessibility: { ...OFF, fault: "not_granted" }, projection: { ...OFF, fault: "not_granted" }, shizuku: { ...OFF, fault: "not_running" } };
  const permissions = Object.fromEntries(PERMISSIONS.map((name) => [name, name === "notifications"]));
  const view = () => ({ channels: Object.entries(channels).map(([channel, state]) => ({ channel, state })), permissions: { ...permissions } });
  const change = (name, state) => {
    if (channels[name]) channels[name] = state;
    if (name in permissions) permissions[name] = typeof state === "boolean" ? state : state.granted;
  };
  return {
    change,
    commands: {
      device_view: () => view(),
      device_try: ({ channel }) => ({ channel, state: channels[channel] }),
      device_ask: ({ permission }) => {
        if (permission === "location") throw new Refusal("bad_request", "the system refused it. Do not try again");
        // The pages of these two only open; the rest is the person's.
        if (!["accessibility", "notification_access"].includes(permission)) change(permission, channels[permission] ? { ...ON } : true);
        return view();
      },
    },
  };
}

/** What the commands answer on a computer. */
export const deviceCommands = () => ({ device_view: { channels: [], permissions: {} } });

/** The groups, as in screens.mjs; `visit` is that of the other stages. */
export function deviceGroups(visit) {
  const sheet = async (world, id) => {
    await visit(world, `#/chat/${id}`);
    await world.id("confirm-sheet").waitFor();
    return world.id("confirm-sheet");
  };
  const group = (name, only, screens) => ({ name, options: { stage: { only: [...only, "search"] } }, prepare: async () => undefined, screens });
  const page = async (world, plain, changes, more = {}) => {
    const made = phone();
    for (const [name, state] of changes) made.change(name, state);
    world.backend.commands = { ...plain, ...made.commands, ...more };
    await visit(world, "#/settings/device");
  };
  const channel = (world, name) => world.page.locator(`[data-testid="channel"][data-channel="${name}"]`);
  return [
    group("a touch on a stage", ["touch-open"], [
      ["touch-open", (world) => sheet(world, "touch-open")],
      ["touch-open-more", async (world) => (await sheet(world, "touch-open")).locator(".why").scrollIntoViewIfNeeded()],
    ]),
    group("a touch that matters on a stage", ["touch-send"], [["touch-send", (world) => sheet(world, "touch-send")]]),
    group("three touches on a stage", ["touch-three"], [
      ["touch-three", (world) => sheet(world, "touch-three")],
      ["touch-three-last", async (world) => (await sheet(world, "touch-three")).getByTestId("confirm-card").nth(2).getByTestId("allow-app").scrollIntoViewIfNeeded()],
      ["touch-three-answered", async (world) => {
        const asked = await sheet(world, "touch-three");
        await world.page.waitForTimeout(450);
        await asked.getByTestId("confirm-card").nth(0).getByTestId("allow-app").click();
        await asked.locator(".verdict").first().waitFor();
      }],
    ]),
    group("the device's tools on a stage", ["device-cards"], [
      ["device-cards", async (world) => { await visit(world, "#/chat/device-cards"); await world.card("ui_control").getByText(world.say("tool_ui_control")).waitFor(); }],
    ]),
    {
      name: "permissions of the device on a stage",
      options: { stage: {} },
      prepare: async (world) => {
        world.allow(/400/);
        return world.backend.commands;
      },
      screens: [
        ["device", async (world, plain) => { await page(world, plain, []); await channel(world, "shizuku").waitFor(); }],
        ["device-guide", async (world, plain) => { await page(world, plain, []); await world.id("restricted").scrollIntoViewIfNeeded(); }],
        ["device-single", async (world, plain) => {
          await page(world, plain, [["contacts", true]]);
          const row = world.page.locator('[data-permission="location"]');
          await row.getByRole("button").click();
          await row.getByRole("alert").waitFor();
          await world.id("permission").last().scrollIntoViewIfNeeded();
        }],
        ["device-trouble", async (world, plain) => {
          await page(world, plain, [["accessibility", { ...OFF, granted: true, fault: "not_bound" }], ["projection", { ...ON }], ["shizuku", { ...OFF, granted: true, bound: true, fault: "not_answering", detail: "13.5.4" }], ["notification_access", true]]);
          await channel(world, "accessibility").getByTestId("channel-try").click();
          await channel(world, "accessibility").getByText(world.say("device_tried_bad", { name: world.say("channel_accessibility") })).waitFor();
        }],
        ["device-none", async (world, plain) => { world.backend.commands = plain; await visit(world, "#/settings/device"); await world.id("device-none").waitFor(); }],
        ["device-failed", async (world, plain) => {
          await page(world, plain, [], { device_view: () => { throw new Refusal("internal", "the device does not answer"); } });
          await world.page.getByRole("alert").waitFor();
        }],
        ["tools-device", async (world, plain) => {
          const tool = (name, danger, read_only, egress) => ({ name, description: "", danger, read_only, egress, enabled: true, modes: ["deny", read_only ? "allow" : "deny", "confirm", "allow"] });
          world.backend.commands = { ...plain, tool_list: [tool("ui_control", "high", false, true), tool("read_notifications", "low", true, false), tool("manage_app", "high", false, false), tool("set_flashlight", "low", false, false), tool("screen_record", "medium", true, false)] };
          await visit(world, "#/settings/tools");
          await world.id("tool").last().getByText(world.say("tool_screen_record")).scrollIntoViewIfNeeded();
        }],
      ],
    },
  ];
}
