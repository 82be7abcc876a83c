// SPDX-License-Identifier: Apache-2.0
// A model provider that nobody here wrote: aimock, which speaks all four protocols. Before it stands a door that keeps every
// request as it came, holds its history against the protocol's rules, hands the answer on in small pieces, and plays what
// aimock can't: answers as a test scripts them.
import { once, setMaxListeners } from "node:events";
import { createServer, request as forward } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { violations } from "./history.mjs";
import { kindOf, KINDS, lastSaid, modelOf, turnsOf } from "./wire.mjs";

const { LLMock } = await import("@copilotkit/aimock").catch((cause) => {
  throw new Error("aimock is not installed: npm --prefix ui ci", { cause });
});

// aimock listens anew for each piece it sends, and Node warns of that.
setMaxListeners(200);

/** What each of aimock's faults is called in the header that asks for it. */
const FAULTS = { drop: "drop", malformed: "malformed", rate: "ratelimit", disconnect: "disconnect" };

/** The model of each protocol: one that thinks, as aimock and Bailey know from its name. */
export const MODELS = { openai_chat: "deepseek-reasoner", openai_responses: "gpt-5-mini", anthropic: "claude-sonnet-4-5", gemini: "gemini-2.5-flash" };

/** What tells aimock that something is asked for the first time. */
const FIRST = "first";

/** What is answered where nobody taught anything. */
export const UNTAUGHT = "Nobody taught me that.";

/** A call as aimock takes it. */
export const call = (name, args, id) => ({ name, arguments: JSON.stringify(args), ...(id ? { id } : {}) });

export class Endpoint {
  /** aimock itself. */
  aimock;
  /** The requests to models so far, oldest first: `{ kind, path, model, headers, body, turns }`. */
  requests = [];
  /** What a provider would have refused in them. */
  violations = [];
  /** Chooses one of aimock's faults for a request, given what the person said last and how often that was asked before. */
  fault = () => undefined;
  #scripts = [];
  #asked = new Map();
  #pieces;
  #only;
  #door;

  /**
   * `pieces`: the answer comes in at most so many bytes at a time; 0 leaves it as it is. `keys`: those that are let in;
   * everybody, when absent. `only`: the protocols it speaks.
   */
  static async start({ pieces = 0, keys, only = KINDS } = {}) {
    const endpoint = new Endpoint();
    endpoint.#pieces = pieces;
    endpoint.#only = only;
    endpoint.aimock = new LLMock({ port: 0, ...(keys ? { auth: { apiKeys: keys } } : {}) });
    // It lists the models that fixtures name.
    for (const model of Object.values(MODELS)) endpoint.aimock.on({ model }, { content: UNTAUGHT });
    await endpoint.aimock.start();
    endpoint.#door = createServer((request, response) => void endpoint.#answer(request, response).catch(() => response.destroy()));
    // Else it would close connections that Bailey is about to use again.
    endpoint.#door.keepAliveTimeout = 0;
    endpoint.#door.listen(0, "127.0.0.1");
    await once(endpoint.#door, "listening");
    return endpoint;
  }

  get origin() {
    return `http://127.0.0.1:${this.#door.address().port}`;
  }

  /** The base URL of a provider. */
  base(kind) {
    return { openai_chat: `${this.origin}/v1`, openai_responses: `${this.origin}/v1`, anthropic: this.origin, gemini: `${this.origin}/v1beta` }[kind];
  }

  /**
   * Teaches aimock answers to what holds `words`: the first to the person, the second to the results of the first one's
   * calls, and so on. An answer is a text, or `{ content, toolCalls, reasoning, blocks, error, status … }` as aimock takes
   * it; `with` adds `{ chunkSize, latency, chaos, truncateAfterChunks … }`, and `first` does so for the first time only.
   */
  teach(words, ...answers) {
    let before = 0;
    const fixtures = answers.flatMap((answer) => {
      const { with: how = {}, first, ...response } = typeof answer === "string" ? { content: answer } : answer;
      const results = before;
      before += response.toolCalls?.length ?? response.blocks?.filter(({ type }) => type === "toolCall").length ?? 0;
      const predicate = ({ messages }) => {
        const said = messages.findLastIndex(({ role }) => role === "user");
        return messages.slice(said + 1).filter(({ role }) => role === "tool").length === results;
      };
      const fixture = { match: { userMessage: words, predicate }, response, ...how };
      return first ? [{ ...fixture, match: { ...fixture.match, context: FIRST }, ...first }, fixture] : [fixture];
    });
    for (const fixture of fixtures.toReversed()) this.aimock.prependFixture(fixture);
    return this;
  }

  /**
   * Scripts answers to what holds `words`, each used once, before aimock is asked. An answer is `{ status, headers, body }`,
   * or `{ events }`: a list of what comes on the stream, each a text (sent as it is) or an object with its event's data;
   * `{ wait }` between them waits for a promise, `{ cut: true }` breaks the connection.
   */
  when(words, ...answers) {
    for (const answer of answers) this.#scripts.push({ words, answer });
    return this;
  }

  /** The requests of a protocol whose last words hold `words`. */
  asked(words, kind) {
    return this.requests.filter((request) => (!kind || request.kind === kind) && lastSaid(request.kind, request.body).includes(words));
  }

  async stop() {
    this.#door.closeAllConnections();
    this.#door.close();
    await this.aimock.stop();
  }

  async #answer(request, response) {
    response.socket.setNoDelay(true);
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const kind = kindOf(request.method, request.url);
    const headers = {};
    if (kind) {
      const body = JSON.parse(bytes.toString("utf8"));
      const said = lastSaid(kind, body);
      this.requests.push({ kind, path: request.url, model: modelOf(kind, request.url, body), headers: { ...request.headers }, body, turns: turnsOf(kind, body) });
      for (const what of violations(kind, body, request.url)) this.violations.push(`${kind}, after "${said.slice(0, 40)}": ${what}`);
      const at = this.#scripts.findIndex(({ words }) => said.includes(words));
      if (at >= 0) return this.#play(this.#scripts.splice(at, 1)[0].answer, response);
      const times = this.#asked.get(said) ?? 0;
      this.#asked.set(said, times + 1);
      if (times === 0) headers["x-aimock-context"] = FIRST;
      const fault = this.fault(said, times);
      if (fault) headers[`x-aimock-chaos-${FAULTS[fault]}`] = "1";
      headers["x-aimock-strict"] = "true";
      if (!this.#only.includes(kind)) return this.#play({ status: 404, body: { error: { message: `Unknown path ${request.url}` } } }, response);
    } else if (/\/v1beta\/models(?:\?|$)/.test(request.url)) return this.#list(request, response);
    return this.#pass(request, bytes, headers, response);
  }

  /** aimock does not list models as Gemini does. Two pages. */
  #list(request, response) {
    const next = new URL(request.url, this.origin).searchParams.get("pageToken");
    const model = (name, more) => ({ name: `models/${name}`, displayName: name, inputTokenLimit: 1_048_576, outputTokenLimit: 65_536, ...more });
    const chats = { supportedGenerationMethods: ["generateContent", "countTokens"] };
    if (!this.#only.includes("gemini")) return this.#play({ status: 404, body: { error: { message: "Not found" } } }, response);
    return this.#play({ body: next ? { models: [model(MODELS.gemini, chats)] } : { models: [model("text-embedding-004", { supportedGenerationMethods: ["embedContent"] }), model("gemini-2.5-pro", chats)], nextPageToken: "2" } }, response);
  }

  /** aimock's answer, broken off where it breaks off. */
  #pass(request, bytes, headers, response) {
    return new Promise((done) => {
      const broken = () => done(response.destroy());
      // A connection for each: aimock says that it keeps them, even those it was asked to close.
      const onward = forward({ host: "127.0.0.1", port: this.aimock.port, method: request.method, path: request.url, headers: { ...request.headers, ...headers, connection: "close" }, agent: false });
      onward.on("error", broken);
      response.on("close", () => onward.destroy());
      onward.on("response", async (answer) => {
        const { connection: _, ...rest } = answer.headers;
        response.writeHead(answer.statusCode, rest);
        response.flushHeaders();
        try {
          for await (const chunk of answer) for (const piece of this.#cut(chunk)) if (!response.write(piece)) await once(response, "drain");
          done(response.end());
        } catch {
          broken();
        }
      });
      onward.end(bytes);
    });
  }

  *#cut(chunk) {
    if (this.#pieces === 0) return yield chunk;
    // One byte, two, three … and again: never in step with what it carries.
    for (let at = 0, n = 1; at < chunk.length; at += n, n = (n % this.#pieces) + 1) yield chunk.subarray(at, at + n);
  }

  async #play({ status = 200, headers = {}, body, events, delay = 0 }, response) {
    if (!events) return void response.writeHead(status, { "content-type": "application/json", ...headers }).end(typeof body === "string" ? body : JSON.stringify(body));
    response.writeHead(status, { "content-type": "text/event-stream", ...headers });
    for (const event of events) {
      if (response.destroyed) return;
      if (delay) await sleep(delay);
      if (event.cut) return void response.destroy();
      if (event.wait) await event.wait;
      else response.write(typeof event === "string" ? event : `${event.type ? `event: ${event.type}\n` : ""}data: ${JSON.stringify(event)}\n\n`);
    }
    response.end();
  }
}
