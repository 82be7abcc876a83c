// SPDX-License-Identifier: Apache-2.0
// What tests and pictures stand on: a fresh backend, a scripted model, a browser that notes whatever goes wrong.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { chromium as findChromium } from "../../scripts/lib/requirements.mjs";
import { Backend, endAll, Model } from "./processes.mjs";
import { commands, snapshot } from "./stage-world.mjs";
import { Stage } from "./staged.mjs";
import { speaker } from "./words.mjs";

export const RESULTS = fileURLToPath(new URL("../test-results/", import.meta.url));
/** How long a thing may take to appear before a test fails, in milliseconds: two busy cores are slow. */
const PATIENCE_MS = 20_000;
/** The guard of a question takes no tap for 400 ms. */
export const GUARD_MS = 450;

export const PHONE = { width: 390, height: 844 };
export const WIDE = { width: 1280, height: 800 };

let browser;
/** The browser of this file. */
export async function openBrowser() {
  browser ??= chromium.launch({
    executablePath: findChromium(),
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  return browser;
}

/** Closes it, and ends what a test that was torn down has left running. */
export async function closeAll() {
  await (await browser)?.close();
  endAll();
}

/** Waits until `read` gives something true, and gives it back. */
export async function until(what, read, patience = PATIENCE_MS) {
  const end = performance.now() + patience;
  let seen;
  for (;;) {
    seen = await read();
    if (seen) return seen;
    if (performance.now() > end) throw new Error(`Waited in vain until ${what}.`);
    await sleep(30);
  }
}

/** Waits until `read` gives `expected`. */
export async function becomes(expected, read, what) {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const seen = await read();
    try {
      assert.deepEqual(seen, expected, what);
      return;
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await sleep(30);
  }
}

/** One test's world. */
export class World {
  /** The page of the person. */
  page;
  /** Words of the page's language. */
  say;
  /** Providers that were started for it. */
  endpoints = [];
  #problems = [];
  #allowed = [];

  /** Only the backend, without a page. `settings` to begin with. */
  async openBare(settings = {}) {
    this.backend = await Backend.start();
    await this.call("settings_update", { onboarded: true, ...settings });
    return this;
  }

  /**
   * Options: `language` of the browser ("en" or "zh"), `size` of the window, `scheme` ("light" or "dark"), `touch`, `density`, `settings`
   * to begin with; `fresh` leaves the first start to the test; `at` is the place to begin at;
   * `model` is the name of the chosen one, or `null` for none. `stage` puts a backend on a stage in place of the real one:
   * with `settings` and with `only` some of the chats.
   */
  async open({ language = "en", size = WIDE, scheme = "light", touch = false, density = 1, fresh = false, settings = {}, at, model: chosen = "scripted", stage } = {}) {
    this.say = speaker(language);
    const [backend, model, browser] = await Promise.all([stage ? Stage.start(snapshot(language, stage), commands(language)) : Backend.start(), stage ? undefined : Model.start(), openBrowser()]);
    Object.assign(this, { backend, model });
    this.context = await browser.newContext({ locale: language === "zh" ? "zh-CN" : "en-US", viewport: size, colorScheme: scheme, hasTouch: touch, deviceScaleFactor: density, timezoneId: "UTC", permissions: ["clipboard-read", "clipboard-write"] });
    this.context.setDefaultTimeout(PATIENCE_MS);
    await this.context.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (event) => console.error(`CSP: ${event.effectiveDirective} ${event.blockedURI}`));
    });
    if (!fresh && !stage) await this.setUp(settings, chosen);
    this.page = await this.tab();
    await this.page.goto(backend.address);
    await (fresh ? this.id("first-start") : this.id("chat-list-item").or(this.id("composer")).or(this.page.getByRole("heading", { name: this.say("chats") }))).first().waitFor();
    if (at) await this.go(at);
    return this;
  }

  /** Past the first start, with the scripted model as everybody's model. */
  async setUp(settings, chosen) {
    if (chosen) this.provider = await this.backend.call("provider_save", { name: "Scripted", kind: "openai_chat", base_url: this.model.base });
    const model = chosen ? { default_model: { provider: this.provider.id, model: chosen } } : {};
    await this.backend.call("settings_update", { onboarded: true, ...model, ...settings });
  }

  /** Another tab of the same browser, watched like the first. */
  async tab() {
    const page = await this.context.newPage();
    page.on("console", (message) => {
      if (message.type() === "error") this.#problem(`console: ${message.text()} (${message.location().url})`);
    });
    page.on("pageerror", (error) => this.#problem(`page: ${error.stack ?? error}`));
    page.on("dialog", (dialog) => {
      this.#problem(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (url.origin !== this.backend.origin && !["data:", "blob:"].includes(url.protocol)) this.#problem(`request to ${url.href}`);
    });
    return page;
  }

  #problem(text) {
    this.#problems.push(text);
  }

  /** Says that problems of this kind belong to the test. */
  allow(...patterns) {
    this.#allowed.push(...patterns);
  }

  /** What went wrong so far that no test asked for. */
  get problems() {
    return this.#problems.filter((problem) => !this.#allowed.some((pattern) => pattern.test(problem)));
  }

  /** The element with a test id. */
  id(name) {
    return this.page.getByTestId(name);
  }

  button(key, inputs, page = this.page) {
    return page.getByRole("button", { name: this.say(key, inputs), exact: true });
  }

  /** Runs a command past the page. */
  call(name, params) {
    return this.backend.call(name, params);
  }

  /** Starts a provider; see `Endpoint.start`. */
  async endpoint(options) {
    const { Endpoint } = await import("./endpoint.mjs");
    const endpoint = await Endpoint.start(options);
    this.endpoints.push(endpoint);
    return endpoint;
  }

  /** Starts a web of its own, and sets it as the proxy through which the backend reaches the internet; see `Web`. */
  async web() {
    const { Web } = await import("./web.mjs");
    const web = await Web.start();
    this.endpoints.push(web);
    await this.call("network_update", { proxy: web.address });
    return web;
  }

  /** Adds a provider past the page. Gives the choice of its model. */
  async provide(kind, endpoint, { name = kind, model, key = "sk-nobody" } = {}) {
    const { MODELS } = await import("./endpoint.mjs");
    const provider = await this.call("provider_save", { name, kind, base_url: endpoint.base(kind), key });
    return { provider: provider.id, model: model ?? MODELS[kind] };
  }

  /** Sends a message past the page and waits until its run is over, or asks. Gives the run and the conversation as it is then. */
  async talk(text, params = {}) {
    const { conversation, run } = await this.call("send", { text, ...params });
    const view = await this.settled(conversation);
    return { conversation, view, run: view.runs.find(({ id }) => id === run), said: view.messages.filter((message) => message.run === run && message.role === "assistant") };
  }

  /** Waits until no run of a conversation goes on, and gives it as it is then. */
  async settled(conversation, patience = 60_000) {
    await until("the run is over or asks", async () => !(await this.#working()).has(conversation), patience);
    return this.call("conversation_open", { conversation });
  }

  #look;
  /** The conversations in which a run goes on; many that wait look together. */
  #working() {
    this.#look ??= sleep(50).then(async () => {
      this.#look = undefined;
      const { live } = await this.call("snapshot");
      return new Set(live.filter(({ run }) => run.state === "running").map(({ run }) => run.conversation));
    });
    return this.#look;
  }

  async go(hash) {
    await this.page.evaluate((to) => (location.hash = to), hash);
  }

  /** In the form that adds a provider: past the list, to the fields. */
  async byHand() {
    await this.id("preset-list").click();
    await this.id("presets").getByRole("button", { name: new RegExp(`^${this.say("preset_other")}`) }).click();
    await this.id("provider-test").waitFor();
  }

  /** Types a message and sends it. */
  async send(text) {
    const composer = this.id("composer");
    await composer.fill(text);
    await this.id("send").and(this.page.locator(":enabled")).waitFor();
    await composer.press("Enter");
  }

  /** The newest answer on the page. */
  get answer() {
    return this.id("message-assistant").last();
  }

  /** Waits until the newest answer says this, and no run goes on. */
  async answered(text) {
    await this.id("message-assistant").filter({ hasText: text }).last().waitFor();
    await this.idle();
  }

  /** Waits until no run goes on in the chat on show. */
  async idle() {
    await this.id("send").waitFor();
  }

  async ask(text, answer) {
    await this.send(text);
    await this.answered(answer);
  }

  /** Picks a mode in the header. */
  async mode(mode) {
    await this.id("mode-picker").click();
    await this.id(`mode-${mode}`).click();
    await this.page.locator(`[data-testid="mode-picker"][data-mode="${mode}"]`).waitFor();
  }

  get sheet() {
    return this.id("confirm-sheet");
  }

  /** Waits for the confirmation and past its guard. */
  async sheetReady(sheet = this.sheet) {
    await sheet.waitFor();
    await sleep(GUARD_MS);
    return sheet;
  }

  /** A card by its tool. */
  card(tool) {
    return this.page.locator(`[data-testid="tool-card"][data-tool="${tool}"]`);
  }

  /** Waits until the newest card of a tool is in a state. */
  async cardIs(tool, state) {
    await this.page.locator(`[data-testid="tool-card"][data-tool="${tool}"][data-state="${state}"]`).last().waitFor();
  }

  get conversation() {
    return new URL(this.page.url()).hash.match(/^#\/chat\/([^?]+)/)?.[1];
  }

  /** Kills the backend in the middle of whatever it does. */
  async kill() {
    this.allow(/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|ERR_SOCKET_NOT_CONNECTED/);
    await this.backend.kill();
  }

  async picture(name) {
    mkdirSync(RESULTS, { recursive: true });
    await this.page?.screenshot({ path: join(RESULTS, `${name.replace(/[^\w]+/g, "-").slice(0, 80)}.png`) }).catch(() => undefined);
  }

  async close() {
    await this.context?.close();
    await Promise.all([this.backend?.stop(), this.model?.stop(), ...this.endpoints.map((endpoint) => endpoint.stop())]);
  }
}
