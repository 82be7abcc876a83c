// SPDX-License-Identifier: Apache-2.0
// The real window, driven as a person would: first start, a message, an answer that streams, a call that asks, the file it
// writes; then what the page may not do, and what is there after a second start. Needs Xvfb and WebKitWebDriver.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { built } from "./lib/cargo.mjs";
import { ROOT } from "./lib/process.mjs";
import { background, startDriver, startScreen, until, Window } from "./lib/webdriver.mjs";

const APP = process.env.BAILEY_APP_PROGRAM ?? built("bailey-app");
const MODEL = process.env.BAILEY_SCRIPTED_MODEL ?? built("scripted-model");
const PICTURES = join(ROOT, "ui", "test-results", "window");
const words = JSON.parse(readFileSync(join(ROOT, "ui", "messages", "en.json"), "utf8"));
const id = (name) => `[data-testid="${name}"]`;

const ENTER = "\uE007";
const folder = mkdtempSync(join(tmpdir(), "bailey-window-"));
const data = join(folder, "data");
mkdirSync(PICTURES, { recursive: true });

const [modelPort, driverPort] = [await freePort(), await freePort()];
const stops = [];
let window;
let driver;
let model;

const steps = [
  [
    "the window opens with the first start",
    async () => {
      window = await open();
      await window.sees(id("first-start"), new RegExp(words.start_model_title));
      await picture("first-start");
    },
  ],
  [
    "an endpoint is tested and chosen",
    async () => {
      await window.clickText("button", words.provider_add);
      await window.type(id("provider-paste"), `${model}/v1`);
      await window.click(id("provider-test"));
      await window.click(id("provider-use"));
      await window.click(id("default-mode-act"));
      await window.clickText("button", words.next);
      await picture("ready");
      await window.click(id("start-go"));
    },
  ],
  [
    "a message is sent and its answer streams",
    async () => {
      await script([
        { text: ["I will ", "write ", "that ", "down ", "for ", "you."], delay_ms: 150, calls: [{ name: "file_write", arguments: { path: "list.txt", content: "milk\nbread\n" } }] },
        { text: ["It is ", "written."] },
      ]);
      await window.type(id("composer"), `Write my shopping list into list.txt${ENTER}`);
      await window.sees(id("message-user"), /shopping list/);
      const partly = await window.sees(id("message-assistant"), /I will/);
      assert.doesNotMatch(partly, /for you\./, "the answer was seen before it was whole");
      await window.sees(id("message-assistant"), /I will write that down for you\./);
    },
  ],
  [
    "the call asks before it runs, with its exact arguments",
    async () => {
      await window.sees(id("confirm-sheet"), /list\.txt/);
      await window.sees(id("confirm-sheet"), /milk\s+bread/);
      assert.throws(() => readFileSync(join(data, "files", "list.txt")), { code: "ENOENT" });
      await picture("confirmation");
    },
  ],
  [
    "allowed once, it runs and the answer follows",
    async () => {
      await sleep(600); // The sheet takes no tap in its first moment.
      await window.click(id("allow-once"));
      await window.sees(id("message-assistant"), /It is written\./);
      await until("the card says it is done", () => window.has(`${id("tool-card")}[data-tool="file_write"][data-state="done"]`));
      assert.equal(readFileSync(join(data, "files", "list.txt"), "utf8"), "milk\nbread\n");
      assert.equal(await window.has(id("confirm-sheet")), false);
      await picture("answer");
    },
  ],
  [
    "the model saw an orderly history",
    async () => {
      const { violations } = await fetch(`${model}/__log`).then((answer) => answer.json());
      assert.deepEqual(violations, []);
    },
  ],
  [
    "a reloaded page goes on with what is there",
    async () => {
      await window.reload();
      await window.sees(id("message-assistant"), /It is written\./);
      await script([{ text: ["Still ", "here."] }]);
      await window.type(id("composer"), `And now?${ENTER}`);
      await window.sees(id("message-assistant"), /Still here\./);
    },
  ],
  [
    "the page can call nothing but the two commands",
    async () => {
      for (const command of ["plugin:store|load", "plugin:notification|notify", "plugin:window|close", "plugin:event|listen", "plugin:webview|create_webview", "plugin:path|resolve_directory", "shell"]) {
        const outcome = await window.runAsync("window.__TAURI_INTERNALS__.invoke(arguments[0], {}).then(() => done('allowed'), (error) => done(String(error)))", command);
        assert.match(outcome, /not allowed|not found/, command);
      }
      assert.equal(await window.run("return typeof window.__TAURI__"), "undefined");
      assert.equal(await window.run("return Object.isFrozen(Object.prototype)"), true);
    },
  ],
  [
    "the page can neither fetch from outside nor go there",
    async () => {
      const outside = "https://bailey.invalid/x";
      const fetched = await window.runAsync(
        "document.addEventListener('securitypolicyviolation', (event) => done(event.effectiveDirective)); fetch(arguments[0]).catch(() => {})",
        outside,
      );
      assert.equal(fetched, "connect-src");
      const picture = await window.runAsync(
        "document.addEventListener('securitypolicyviolation', (event) => done(event.effectiveDirective)); new Image().src = arguments[0]",
        `${outside}.png`,
      );
      assert.equal(picture, "img-src");
      const before = await window.run("return location.href");
      await window.run("location.href = arguments[0]", outside);
      await sleep(500);
      assert.equal(await window.run("return location.href"), before);
    },
  ],
  [
    "a second start on the same folder says so and opens no second Bailey",
    async () => {
      const second = background(APP, ["--data-dir", data], { env: environment() });
      stops.push(second.stop);
      await until("it says that Bailey is running already", () => second.said.includes("running already"));
      await second.stop();
      await window.sees(id("message-assistant"), /Still here\./);
    },
  ],
  [
    "after it was closed and opened again, all is there",
    async () => {
      await window.close();
      window = await open();
      await window.click(`${id("chat-list-item")} a, ${id("chat-list-item")} button`);
      await window.sees(id("message-assistant"), /It is written\.[^]*Still here\./);
      assert.equal(await window.has(id("first-start")), false);
      await picture("again");
      await window.close();
      window = null;
    },
  ],
];

let screen;
function environment() {
  // The web view must not reach a session bus or a Wayland display of whoever runs the test.
  const { WAYLAND_DISPLAY, DBUS_SESSION_BUS_ADDRESS, ...rest } = process.env;
  return { ...rest, BAILEY_KEY_STORE: "file", DISPLAY: screen.display, GDK_BACKEND: "x11", LANG: "C.UTF-8", NO_AT_BRIDGE: "1", TAURI_WEBVIEW_AUTOMATION: "true" };
}

const open = () => Window.open(driver.url, APP, ["--data-dir", data]);
const script = (replies) => fetch(`${model}/__script`, { method: "POST", body: JSON.stringify(replies), headers: { "content-type": "application/json" } });
const picture = async (name) => writeFileSync(join(PICTURES, `${name}.png`), await window.picture());

/** A port that nobody listens on just now. */
function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

let passed = 0;
let failed = 0;
try {
  screen = await startScreen();
  stops.push(screen.stop);
  const server = background(MODEL, ["--port", String(modelPort)]);
  stops.push(server.stop);
  model = `http://127.0.0.1:${modelPort}`;
  await until("the scripted model answers", async () => (await fetch(`${model}/v1/models`).catch(() => null))?.ok);
  driver = await startDriver(driverPort, environment());
  stops.push(driver.stop);
  for (const [name, step] of steps) {
    await step();
    passed += 1;
    console.log(`✔ ${name}`);
  }
} catch (error) {
  failed = steps.length - passed;
  console.log(`✖ ${steps[passed]?.[0] ?? "setting up"}\n${error.stack}`);
  // What could be seen at that moment, and what was said.
  await window?.picture().then((bytes) => writeFileSync(join(PICTURES, "failure.png"), bytes), () => {});
  console.log(`The rest was not tried. A picture is in ${PICTURES}. The window said:\n${driver?.said() ?? ""}`);
}
await window?.close().catch(() => {});
for (const stop of stops.reverse()) await stop();
rmSync(folder, { recursive: true, force: true });
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
