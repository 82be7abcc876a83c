// SPDX-License-Identifier: Apache-2.0
// A backend that only plays a part: it shows the page states that a real one is seldom in, such as a provider that is
// overloaded or a locked key store. It says what it is told to say; what commands it got can be looked at.
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const DIST = process.env.BAILEY_UI_DIST ?? fileURLToPath(new URL("../dist/", import.meta.url));
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".json": "application/json" };
/** As the server sends it: crates/server/src/guard.rs. */
const POLICY = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'";

/** What a command refuses with. */
export class Refusal extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** The backend on stage. */
export class Stage {
  /** The commands the page gave, oldest first: `{ name, params }`. */
  calls = [];
  origin;
  #server;
  #listeners = new Set();
  #seq = 0;

  /** `snapshot` is what the page starts with; `commands` answer by name with a value or a function of the parameters. */
  static async start(snapshot, commands) {
    if (!existsSync(join(DIST, "index.html"))) throw new Error(`There is no page in ${DIST}. Build it: npm --prefix ui run build`);
    const stage = new Stage();
    stage.snapshot = snapshot;
    stage.commands = commands;
    stage.#server = createServer((request, response) => void stage.#serve(request, response).catch((error) => response.writeHead(500).end(String(error))));
    await new Promise((done) => stage.#server.listen(0, "127.0.0.1", done));
    stage.origin = `http://127.0.0.1:${stage.#server.address().port}`;
    return stage;
  }

  /** Where the page is. */
  get address() {
    return this.origin;
  }

  /** Runs a command past the page. */
  async call(name, params = {}) {
    const made = this.commands[name];
    return typeof made === "function" ? made(params, this) : made;
  }

  /** The parameters of the newest command of a name. */
  last(name) {
    return this.calls.findLast((call) => call.name === name)?.params;
  }

  /** Tells the page something. */
  tell(event) {
    this.#seq += 1;
    for (const listener of this.#listeners) listener.write(`data: ${JSON.stringify({ type: "event", seq: this.#seq, event })}\n\n`);
  }

  /** Changes settings, as seen from the next snapshot on, and tells them. */
  settle(patch) {
    this.snapshot = { ...this.snapshot, settings: { ...this.snapshot.settings, ...patch } };
    this.tell({ type: "settings", settings: this.snapshot.settings });
    return this.snapshot.settings;
  }

  /** As a real one would be: gone at once. */
  kill() {
    return this.stop();
  }

  async stop() {
    for (const listener of this.#listeners) listener.end();
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  async #serve(request, response) {
    const url = new URL(request.url, this.origin);
    if (url.pathname === "/api/events") return this.#listen(response);
    if (url.pathname === "/api/command") return this.#command(request, response);
    const path = normalize(url.pathname === "/" ? "/index.html" : url.pathname);
    const file = join(DIST, path);
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream", "content-security-policy": POLICY }).end(readFileSync(file));
  }

  #listen(response) {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    response.write(`data: ${JSON.stringify({ type: "snapshot", epoch: "stage", seq: this.#seq, snapshot: this.snapshot })}\n\n`);
    this.#listeners.add(response);
    response.on("close", () => this.#listeners.delete(response));
  }

  async #command(request, response) {
    let body = "";
    for await (const piece of request.setEncoding("utf8")) body += piece;
    const { name, params } = JSON.parse(body);
    this.calls.push({ name, params });
    const answer = (status, value) => response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    if (this.commands[name] === undefined) return answer(404, { code: "not_found", message: `Nobody plays ${name}.` });
    try {
      const said = await this.call(name, params);
      answer(200, said === undefined ? {} : said);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      answer(400, { code: error.code, message: error.message });
    }
  }
}
