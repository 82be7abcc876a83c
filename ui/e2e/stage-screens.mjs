// SPDX-License-Identifier: Apache-2.0
// Screens of models, keys, money and pictures in front of a backend on a stage. See screens.mjs.
import { deviceGroups } from "./stage-device.mjs";
import { libraryGroups } from "./stage-library.mjs";
import { trustGroups } from "./stage-trust.mjs";
import { PICTURES, SETTINGS } from "./stage-world.mjs";

/** Opens a place from anew, with the stage's settings but for these. */
async function visit(world, hash, settings = {}) {
  const { language, theme, accent } = world.backend.snapshot.settings;
  world.backend.settle({ ...SETTINGS, language, theme, accent, ...settings });
  await world.page.goto(`${world.backend.origin}/${hash}`);
  await world.page.reload();
  await world.page.locator("main").first().waitFor();
}

async function models(world, settings) {
  await visit(world, "#/settings/models", settings);
  await world.id("provider").first().waitFor();
}

/** A part of the page of models. */
async function part(world, id, settings) {
  await models(world, settings);
  await world.page.locator(`#${id}`).scrollIntoViewIfNeeded();
  return world.page.locator(`#${id}`);
}

async function chat(world, id) {
  await visit(world, `#/chat/${id}`);
  await world.id("message-user").first().waitFor();
}

/** Opens the form that adds a provider. */
export async function adding(world) {
  await models(world);
  await world.button("provider_add").click();
  await world.id("provider-paste").waitFor();
  return world.id("provider-form");
}

/** Pastes into the field that has the focus, as the clipboard does. */
export async function paste(world, text) {
  await world.id("provider-paste").focus();
  await world.page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

/** Pastes and waits for what came of it. */
async function pasted(world, text) {
  const form = await adding(world);
  await paste(world, text);
  await form.locator("details").or(world.id("presets")).first().waitFor();
  await form.scrollIntoViewIfNeeded();
  return form;
}

const keys = (kind, locked, problem = null) => ({ keys: { kind, locked, problem } });
const files = (...pictures) => pictures.map(({ name, file, type = "image/png" }) => ({ name, mimeType: type, buffer: file }));
export const FILES = files(...Object.values(PICTURES));
const NOT_PICTURES = files({ name: "IMG_2041.HEIC", type: "image/heic", file: Buffer.from("\0\0\0\x18ftypheic") }, { name: "contract.pdf", type: "application/pdf", file: Buffer.from("%PDF-1.7") });

async function composing(world, pictures, settings) {
  await visit(world, "#/chat/new", settings);
  await world.id("picture-files").setInputFiles(pictures);
}

async function listing(world) {
  await models(world);
  await world.id("provider-models").first().click();
  await world.id("model").first().waitFor();
}

/** The last button of a model's row: its settings. */
async function setting(world, model) {
  await listing(world);
  await world.page.locator(`[data-testid="model"][data-model="${model}"]`).getByRole("button").last().click();
  await world.id("model-sheet").waitFor();
  return world.id("model-sheet");
}

/** The groups, as in screens.mjs. */
export const STAGE_GROUPS = [
  {
    name: "models on a stage",
    options: { stage: {} },
    prepare: async () => undefined,
    screens: [
      ["models", (world) => models(world)],
      ["models-list", async (world) => { await listing(world); await world.id("provider-models").first().scrollIntoViewIfNeeded(); }],
      ["models-list-none", async (world) => { await listing(world); await world.page.locator("main").getByRole("searchbox").fill("zzz"); }],
      ["models-sheet", (world) => setting(world, "claude-haiku-4-5")],
      ["models-sheet-wrong", async (world) => {
        const sheet = await setting(world, "claude-sonnet-4-5");
        await sheet.getByLabel(world.say("model_price_input")).fill("3,5");
        await sheet.getByRole("button", { name: world.say("save") }).click();
        await sheet.getByRole("alert").scrollIntoViewIfNeeded();
      }],
      ["models-money", async (world) => {
        const money = await part(world, "money");
        await world.id("cap-day").fill("five");
        await money.getByRole("button").click();
        await money.getByRole("alert").waitFor();
      }],
    ],
  },
  {
    name: "keys on a stage",
    options: { stage: {} },
    prepare: async (world) => world.allow(/400/),
    screens: [
      ["keys-file", async (world) => { await part(world, "keys"); await world.button("keys_put").click(); await world.page.locator("#keys").scrollIntoViewIfNeeded(); }],
      ["keys-passphrase", async (world) => { await part(world, "keys", keys("passphrase", false)); await world.button("keys_take").click(); }],
      ["keys-system", (world) => part(world, "keys", keys("system", true, "The Secret Service does not answer."))],
      ["keys-locked", (world) => models(world, keys("passphrase", true))],
      ["keys-wrong", async (world) => {
        const section = await part(world, "keys", keys("passphrase", true));
        await world.id("passphrase").fill("guess");
        await section.getByRole("button", { name: world.say("keys_unlock") }).click();
        await section.getByRole("alert").waitFor();
      }],
      ["keys-bar", async (world) => { await visit(world, "#/chat/new", keys("passphrase", true)); await world.id("keys-bar").getByRole("button").click(); await world.id("passphrase").waitFor(); }],
      ["network", async (world) => {
        await part(world, "network", { network: { proxy: "socks5://127.0.0.1:1080", proxy_user: "lin", proxy_password: true, roots_pem: "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----" } });
        await world.id("network").locator("summary").click();
      }],
      ["network-wrong", async (world) => {
        const section = await part(world, "network");
        await section.locator("summary").click();
        await section.getByLabel(world.say("proxy"), { exact: true }).fill("proxy.example:3128");
        await section.locator("textarea").fill("-----BEGIN PRIVATE KEY-----");
        await section.getByRole("button", { name: world.say("save") }).click();
        await section.getByRole("alert").last().scrollIntoViewIfNeeded();
      }],
    ],
  },
  {
    name: "adding a provider on a stage",
    options: { stage: {} },
    prepare: async () => undefined,
    screens: [
      ["add", async (world) => (await adding(world)).scrollIntoViewIfNeeded()],
      ["add-list", async (world) => { const form = await adding(world); await world.id("preset-list").click(); await form.scrollIntoViewIfNeeded(); }],
      ["add-sure", (world) => pasted(world, "export ANTHROPIC_API_KEY=sk-ant-api03-abcdefghijklmnop")],
      ["add-unsure", (world) => pasted(world, "sk-0123456789abcdef0123456789abcdef")],
      ["add-unknown", (world) => pasted(world, "a token of my gateway")],
      ["add-address", (world) => pasted(world, "https://llm.example/v1")],
      ["add-tested", async (world) => { const form = await pasted(world, "https://messages.example/v1 sk-abcdefgh12345678"); await world.id("provider-test").click(); await world.id("switched").waitFor(); await form.scrollIntoViewIfNeeded(); }],
      ["add-refused", async (world) => { const form = await pasted(world, "sk-ant-wrong-0123456789"); await world.id("provider-test").click(); await form.getByTestId("test-result").locator("summary").click(); await form.scrollIntoViewIfNeeded(); }],
      ["add-edit", async (world) => { await models(world); await world.id("provider").filter({ hasText: "DeepSeek" }).getByRole("button", { name: world.say("key_enter") }).click(); await world.id("provider-form").scrollIntoViewIfNeeded(); }],
    ],
  },
  {
    name: "first start on a stage",
    options: { stage: { settings: { onboarded: false } }, fresh: true },
    prepare: async () => undefined,
    screens: [
      ["first-start-pasted", async (world) => {
        await visit(world, "#/", { onboarded: false });
        await world.button("provider_add").click();
        await paste(world, "sk-ant-api03-abcdefghijklmnop");
        await world.id("provider-form").locator("details").scrollIntoViewIfNeeded();
      }],
    ],
  },
  {
    name: "chats on a stage",
    options: { stage: {} },
    prepare: async () => undefined,
    screens: [
      ["chat-items", async (world) => { await chat(world, "search"); await world.id("item-card").nth(1).getByRole("button").first().click(); await world.page.locator(".more pre").waitFor(); }],
      ["chat-usage", async (world) => { await chat(world, "search"); await world.id("usage").click(); await world.page.getByRole("dialog").waitFor(); }],
      ["chat-context", async (world) => { await chat(world, "fallback"); await world.id("context-meter").click(); await world.page.getByRole("dialog").waitFor(); }],
      ["chat-fallback", async (world) => { await chat(world, "fallback"); await world.id("instead-of").waitFor(); }],
      ["chat-picker", async (world) => { await chat(world, "fallback"); await world.id("model-picker").click(); await world.page.getByRole("dialog").getByText("claude-haiku-4-5").waitFor(); }],
      ["chat-retry", async (world) => { await chat(world, "retry"); await world.id("retrying").waitFor(); }],
      ["chat-overloaded", async (world) => { await chat(world, "overloaded"); await world.id("run-error").locator("summary").click(); }],
      ["chat-money", async (world) => { await chat(world, "money"); await world.id("run-error").waitFor(); }],
    ],
  },
  {
    name: "pictures on a stage",
    options: { stage: {} },
    prepare: async () => undefined,
    screens: [
      ["pictures", async (world) => { await chat(world, "pictures"); await world.id("picture").nth(1).locator("img").waitFor(); }],
      ["picture", async (world) => { await chat(world, "picture"); await world.id("picture").locator("img").waitFor(); }],
      ["picture-large", async (world) => { await chat(world, "picture"); await world.id("picture").click(); await world.id("picture-viewer").locator("img").waitFor(); }],
      ["pictures-edit", async (world) => { await chat(world, "pictures"); await world.id("message-user").hover(); await world.button("edit_message").click(); await world.id("tray").locator("img").nth(1).waitFor(); }],
      ["pictures-blind", async (world) => { await composing(world, FILES, { default_model: { provider: "anthropic", model: "claude-haiku-4-5" } }); await world.id("blind-hint").waitFor(); }],
      ["pictures-trouble", async (world) => { await composing(world, NOT_PICTURES); await world.id("picture-trouble").waitFor(); }],
    ],
  },
  {
    name: "money on a stage",
    options: { stage: { only: ["spend", "search"] } },
    prepare: async () => undefined,
    screens: [["spend", async (world) => { await visit(world, "#/chat/spend"); await world.id("spend-sheet").waitFor(); }]],
  },
  ...libraryGroups(visit),
  ...trustGroups(visit),
  ...deviceGroups(visit),
];
