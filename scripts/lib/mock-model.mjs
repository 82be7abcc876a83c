// SPDX-License-Identifier: Apache-2.0
// A model endpoint for the bench when the shared one is not at hand: N tool calls, then a text; it measures the time from the
// last byte of an answer to the whole of the next request. Node adds some tenths of a millisecond of its own.
import { createServer } from "node:http";
import { performance } from "node:perf_hooks";

/** The value below which this share of the sorted values lies. */
export const quantile = (values, share) => values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? 0;

/** Starts it. `reset(rounds, tool, args)` begins a run (`%N` in `args` becomes the round), `stats()` tells of it. */
export async function startMockModel() {
  let script = { rounds: 0, tool: "", args: "{}" };
  let began = 0;
  let first = 0;
  let last = 0;
  let requests = 0;
  let gaps = [];
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      const now = performance.now();
      requests += 1;
      if (requests === 1) first = now;
      else gaps.push(now - last);
      response.setHeader("content-type", "text/event-stream");
      const chunks = requests <= script.rounds ? call(requests, script) : [{ delta: { role: "assistant", content: "done" } }, { delta: {}, finish_reason: "stop" }];
      const body = chunks.map((choice) => `data: ${JSON.stringify(chunk(choice))}\n\n`).join("");
      // Written to the socket when this returns; its callback would come after the client has already gone on.
      response.end(`${body}data: [DONE]\n\n`);
      last = performance.now();
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    async reset(rounds, tool, args) {
      script = { rounds, tool, args };
      [requests, gaps, began] = [0, [], performance.now()];
    },
    stats: async () => ({ requests, cold: first - began, p50: quantile(gaps, 0.5), p95: quantile(gaps, 0.95) }),
    stop: () => server.close(),
  };
}

const chunk = (choice) => ({ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1_700_000_000, model: "mock", choices: [{ index: 0, finish_reason: null, ...choice }] });

function call(round, { tool, args }) {
  const whole = args.replaceAll("%N", String(round));
  const piece = (text) => ({ delta: { tool_calls: [{ index: 0, function: { arguments: text } }] } });
  const half = Math.floor(whole.length / 2);
  return [
    { delta: { role: "assistant", content: null, tool_calls: [{ index: 0, id: `call_${round}`, type: "function", function: { name: tool, arguments: "" } }] } },
    piece(whole.slice(0, half)),
    piece(whole.slice(half)),
    { delta: {}, finish_reason: "tool_calls" },
  ];
}
