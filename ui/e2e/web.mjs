// SPDX-License-Identifier: Apache-2.0
// A web of a few pages, reached as a person behind a proxy reaches the web: Bailey's guard runs as it always does, and what it lets
// through is answered here. Pages have a public address as their host, which nobody has to look up.
import { createServer } from "node:http";

export class Web {
  #server;
  #pages = new Map();
  /** What was asked for, in order. */
  asked = [];
  /** What was asked for and is not there: a test puts there all that may be wanted. */
  violations = [];

  static async start() {
    const web = new Web();
    web.#server = createServer((request, response) => {
      web.asked.push(request.url);
      const page = web.#pages.get(request.url) ?? web.#pages.get(request.url.split("?")[0]);
      if (!page) web.violations.push(`${request.method} ${request.url}`);
      response.writeHead(page ? 200 : 404, { "content-type": page?.type ?? "text/plain" });
      response.end(page?.body ?? "There is no such page.");
    });
    // An encrypted connection would be opened through here blindly.
    web.#server.on("connect", (request, socket) => {
      web.asked.push(request.url);
      web.violations.push(`CONNECT ${request.url}`);
      socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    });
    await new Promise((resolve) => web.#server.listen(0, "127.0.0.1", resolve));
    return web;
  }

  /** Its address on this machine, as a proxy or as a server of the person's own. */
  get address() {
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  /** Puts a page there: a path is one of the server's own, an address one of the web. */
  put(url, body, type = "text/html; charset=utf-8") {
    this.#pages.set(url, { body, type });
  }

  /** Puts an article there. */
  article(url, title, ...paragraphs) {
    this.put(url, `<!doctype html><html lang="en"><head><title>${title}</title></head><body><article><h1>${title}</h1>${paragraphs.map((text) => `<p>${text}</p>`).join("")}</article></body></html>`);
  }

  stop() {
    return new Promise((resolve) => {
      this.#server.close(resolve);
      this.#server.closeAllConnections();
    });
  }
}
