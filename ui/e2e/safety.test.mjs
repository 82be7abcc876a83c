// SPDX-License-Identifier: Apache-2.0
// Text of a model, of a tool and of a person is shown. It is never run, and it loads nothing.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { scenario } from "./scenario.mjs";

/** Whatever could load or run, with an address that would be seen. */
const hostile = (leak) => `Harmless words.

![a cat](${leak}?md) <img src="${leak}?img"> <img src=x onerror="window.ran='onerror'">

<script>window.ran = "script"; fetch("${leak}?script")</script>

<iframe src="${leak}?iframe"></iframe><object data="${leak}?object"></object><video src="${leak}?video" poster="${leak}?poster"></video>

<svg><use href="${leak}?use"/><image href="${leak}?svg"/></svg><style>@import url("${leak}?import"); body { background: url(${leak}?css) }</style>

<link rel="stylesheet" href="${leak}?link"><base href="${leak}"><form action="${leak}"><button>Free</button></form>

[click me](javascript:window.ran='link') [data](data:text/html,<script>window.ran='data'</script>) <a href="javascript:window.ran='a'">raw</a>

[https://bank.example](https://evil.example/login) [bank.example](https://bank.example/) [my bank](https://evil.example/) <https://plain.example/path>

<div style="position:fixed;inset:0;background:url(${leak}?style)">cover</div>

[ref]: ${leak}?ref "t"
![ref] ![x][ref]
`;

scenario("nothing in an answer loads or runs, and links say where they really go", async (world) => {
  const { page, model } = world;
  const leak = `${model.origin}/leak.png`;
  await model.says(hostile(leak));
  await world.ask("Show me", "Harmless words.");
  await sleep(500);

  const paths = (await model.log()).requests.map(({ path }) => path);
  assert.deepEqual(paths.filter((path) => path.includes("leak")), []);
  assert.equal(await page.evaluate(() => window.ran), undefined);
  const found = await world.answer.evaluate((answer) => ({
    loading: [...answer.querySelectorAll("img, script, iframe, object, embed, video, audio, link, style, base, form, input, svg:not(.lucide, .lucide-icon)")].map((node) => node.outerHTML.slice(0, 80)),
    handlers: [...answer.querySelectorAll(".markdown *")].flatMap((node) => [...node.attributes].filter(({ name }) => name.startsWith("on") || name === "style").map(({ name }) => name)),
    links: [...answer.querySelectorAll("a")].map((link) => [link.textContent, link.getAttribute("href"), link.nextElementSibling?.className === "goes" ? link.nextElementSibling.textContent : null, link.rel, link.target]),
    pictures: [...answer.querySelectorAll(".picture")].map((node) => node.textContent),
  }));
  assert.deepEqual(found.loading, []);
  assert.deepEqual(found.handlers, []);
  const safe = ["noopener noreferrer", "_blank"];
  // Addresses in the text become links that say where they go; following them is the person's own choice.
  assert.deepEqual(found.links.filter(([text, href]) => text !== href || !href.startsWith(leak)), [
    ["https://bank.example", "https://evil.example/login", "evil.example", ...safe],
    ["bank.example", "https://bank.example/", null, ...safe],
    ["my bank", "https://evil.example/", "evil.example", ...safe],
    ["https://plain.example/path", "https://plain.example/path", null, ...safe],
  ]);
  assert.match(found.pictures[0], new RegExp(`a cat.*${new URL(model.origin).host}`));
  await page.getByText("click me").click();
  assert.equal(await page.evaluate(() => window.ran), undefined);
});

scenario("the same holds for what a person types, for titles, arguments and results", { settings: { default_mode: "act", shell: true } }, async (world) => {
  const { page, model } = world;
  const leak = `${model.origin}/leak.png`;
  const text = hostile(leak);
  await model.says({ calls: [{ name: "run_shell", arguments: { command: `printf '%s' '<img src="${leak}?result" onerror="window.ran=1">'` } }] }, { calls: [{ name: "ask_user", arguments: { question: `<img src="${leak}?question">`, choices: [`<b>${leak}</b>`, "no"] } }] }, "All shown.");
  await world.send(text);
  const sheet = await world.sheetReady();
  assert.ok((await sheet.innerText()).includes(`<img src="${leak}?result"`));
  await world.id("allow-once").click();
  await world.id("question-sheet").getByText(`<img src="${leak}?question">`).waitFor();
  await sleep(450);
  await world.id("choice").first().click();
  await world.answered("All shown.");
  await world.card("run_shell").getByRole("button").first().click();
  await world.card("run_shell").getByText(`<img src="${leak}?result"`).last().waitFor();
  assert.ok((await world.id("message-user").innerText()).includes("<script>window.ran"));
  await world.call("conversation_update", { conversation: world.conversation, title: `<img src="${leak}?title" onerror="window.ran=2"> & co` });
  await page.getByRole("heading", { name: "& co" }).waitFor();
  await page.getByRole("searchbox").fill("Harmless");
  await world.id("chat-list-item").locator("mark").first().waitFor();
  await sleep(300);
  assert.equal(await page.evaluate(() => window.ran), undefined);
  assert.deepEqual((await model.log()).requests.map(({ path }) => path).filter((path) => path.includes("leak")), []);
});

scenario("the policy of the page forbids what nobody needs", async (world) => {
  const { page, model, backend } = world;
  world.allow(/CSP|Content Security Policy|Refused to|violates/i, /request to http:\/\/127/);
  const answer = await fetch(`${backend.origin}/`);
  const policy = answer.headers.get("content-security-policy");
  for (const rule of ["default-src 'self'", "script-src 'self'", "object-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"]) assert.ok(policy.includes(rule), rule);
  const tried = await page.evaluate(async (leak) => {
    const script = document.createElement("script");
    script.textContent = "window.ran = 'inline'";
    document.body.append(script);
    const picture = new Image();
    picture.src = `${leak}?img`;
    // A timer has no part in what the test itself may do.
    setTimeout("window.ran = 'text'", 0);
    const fetched = await fetch(`${leak}?fetch`, { mode: "no-cors" }).then(() => "yes", () => "no");
    await new Promise((done) => setTimeout(done, 50));
    return { ran: window.ran ?? "no", fetched };
  }, `${model.origin}/leak.png`);
  assert.deepEqual(tried, { ran: "no", fetched: "no" });
  assert.deepEqual((await model.log()).requests.map(({ path }) => path).filter((path) => path.includes("leak")), []);
});
